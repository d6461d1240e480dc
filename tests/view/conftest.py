"""Every viewer of a test ends its threads."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pacman.view.player import Player


@pytest.fixture(autouse=True)
def stopped_players(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Stops the threads of all players that a test has begun."""
    players: list[Player] = []
    begin = Player.begin
    monkeypatch.setattr(Player, "begin", lambda player, *games: (players.append(player), begin(player, *games)))
    yield
    for player in players:
        player.stop()
        player.close()
