"""What a shell completes for the two scripts: commands, options, and names of layouts, agents, cases and others."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from agents import load
from autograder.cases import loading
from tests.command_line import run_here
from tests.documented_commands import run

AGENT = """
from pathlib import Path

Path("it-ran").touch()
raise SystemExit("it ran")
"""


def complete(line: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What bash offers at the end of a command line. Nothing else is printed."""
    words = shlex.split(line) + [""] * line.endswith(" ")
    monkeypatch.setenv(f"_{words[0].replace('-', '_').upper()}_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    done = run_here(words[0])
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("pacman-grade grade-", "grade-all"),
        ("pacman-grade grade --quest", "--question"),
        ("pacman-grade grade my.py --question q", "q1 q2 q3 q4 q5 q6"),
        ("pacman-grade grade my.py --assignment warm-up --question ", "q1 q2"),
        ("pacman-grade grade my.py --case q2/01", "q2/01-figure"),
        ("pacman-grade grade my.py --question q3 --case q2/01", ""),
        ("pacman-grade grade my.py --api cs188 --case q2/01", "q2/01-won-ends"),
        ("pacman-grade grade my.py --assignment nothing --case ", ""),
        ("pacman-grade grade --assignment ", "classic multiagent warm-up"),
        ("pacman-grade grade my.py --api ", "native cs188"),
        ("pacman-grade check m", "multiagent"),
        ("pacman-grade case q2/01", "q2/01-figure"),
        ("pacman-grade explain noo", "nook"),
        ("pacman-grade new-case --layout noo", "nook"),
        ("pacman-search watch --layout noo", "nook"),
        ("pacman-search watch --ghosts random,opt", "random,optimal"),
        ("pacman-search watch mini", "minimax"),
        ("pacman-search watch minimax alp", "alphabeta"),
        ("pacman-search solve noo", "nook"),
        ("pacman-search simulate k", ""),
        ("pacman-search replay game.json --see star2", "star2 star2.5"),
        ("pacman-search play --overlay ", "none values line heat layers"),
        ("pacman-search play --view ", "window text none"),
        ("pacman-search solve tree.txt --algorithm a", "alphabeta auto"),
        ("pacman-search game p", "pig"),
        ("pacman-search --vers", "--version"),
        ("pacman-search --version n", "new-agent"),
        ("pacman-search watch --json --view --layout noo", "nook"),
        ("pacman-search watch my.p", ""),
    ],
)
def test_a_value_is_completed(line: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert complete(line, monkeypatch) == expected.split()


def test_every_registered_agent_is_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # which has no Python files
    assert complete("pacman-search watch ", monkeypatch) == list(load.PACMEN)


def test_every_case_is_offered_by_its_name_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    offered = complete("pacman-grade grade my.py --assignment warm-up --case ", monkeypatch)
    assert offered == sorted(case.id for case in loading.load("warm-up").cases)


def test_no_file_of_a_student_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.py").write_text(AGENT, encoding="utf-8")
    for line in ("pacman-search watch my.py:Mine --layout noo", "pacman-search watch my.py:Mine --layout noo"):
        assert complete(line, monkeypatch) == ["nook"]
    assert complete("pacman-grade case --agent my.py q2/01", monkeypatch) == ["q2/01-figure"]
    assert not (tmp_path / "it-ran").exists()


def test_a_file_is_offered_beside_the_registered_agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").touch()
    assert complete("pacman-search watch mi", monkeypatch) == ["minimax", "mine.py"]


def test_only_a_script_offers_to_install_its_completion() -> None:
    assert "--install-completion" in run_here("pacman-grade", "--help").stdout
    assert "--install-completion" not in run_here("autograder", "--help").stdout


@pytest.mark.parametrize(("shell", "expected"), [("zsh", '"nook"'), ("fish", "nook")])
def test_other_shells_get_the_same_names(shell: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_PACMAN_SEARCH_COMPLETE", f"complete_{shell}")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "pacman-search watch --layout noo")
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    done = run_here("pacman-search")
    assert (done.returncode, done.stderr, expected in done.stdout) == (0, "", True)


@pytest.mark.skipif(os.name == "nt" or not shutil.which("bash"), reason="needs bash")
def test_bash_completes_a_layout(tmp_path: Path) -> None:
    script = """
        eval "$(_PACMAN_SEARCH_COMPLETE=source_bash pacman-search)"
        COMP_WORDS=(pacman-search watch --layout noo) COMP_CWORD=3
        _pacman_search_completion pacman-search
        echo "${COMPREPLY[@]}"
    """
    done: subprocess.CompletedProcess[str] = run(f"bash -c {shlex.quote(script)}", tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "nook\n", "")
