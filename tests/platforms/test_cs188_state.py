"""What the game state and the modules of that project answer: the names, the order of actions, the errors."""

from __future__ import annotations

import copy
import random
import re
from random import Random
from typing import Any

import pytest

from agents.cs188 import board, util
from agents.cs188.base_state import in_snake_case
from agents.cs188.modules import CONTENT, DirectionalGhost, RandomGhost
from agents.cs188.position import PositionState
from agents.cs188.tree import TreeState, agents_of
from pacman.core.errors import NotWritten
from pacman.core.state import GameState, start
from pacman.core.tree_text import Outline
from pacman.record.trace import Trace
from tests.platforms.cs188_grading import SOLUTIONS, module_of, ready_api

YARD = """
%%%%%%%
%. P.1%
%o%%%2%
%.....%
%%%%%%%
""".strip()
TREE = Outline.parse("max ~4 { Left: min { a: max ~1 { x: 8 }; b: -3 }; Right: 2 }")


@pytest.fixture
def state() -> PositionState:
    return PositionState.of(start(YARD, ["random", "optimal"]))


class TestPosition:
    def test_actions_are_in_that_order_and_who_stands_where(self, state: PositionState) -> None:
        assert state.getLegalActions() == state.getLegalActions(0) == ["West", "Stop", "East"]
        assert state.getLegalPacmanActions() == ["West", "Stop", "East"]
        assert [state.getLegalActions(agent) for agent in (1, 2)] == [["West", "South"], ["North", "South"]]
        assert state.getNumAgents() == 3
        assert state.getPacmanPosition() == state.getPacmanState().getPosition() == (3, 3)
        assert state.getGhostPositions() == [(5, 3), (5, 2)]
        assert state.getGhostPosition(2) == state.getGhostState(2).configuration.pos == (5, 2)
        ghosts = state.getGhostStates()
        assert [(each.getDirection(), each.scaredTimer, each.isPacman) for each in ghosts] == [("Stop", 0, False)] * 2
        assert [each.start.pos for each in ghosts] == [(5, 3), (5, 2)]
        assert state.getPacmanState().isPacman

    def test_what_lies_there(self, state: PositionState) -> None:
        food, walls = state.getFood(), state.getWalls()
        assert state.getNumFood() == food.count() == food.count(True) == 7
        assert food.asList() == [(1, 1), (1, 3), (2, 1), (3, 1), (4, 1), (4, 3), (5, 1)]  # column by column
        assert (food.width, food.height, food[1][3], food[2][3]) == (7, 5, True, False)
        assert state.getCapsules() == [(1, 2)]
        assert (state.hasFood(4, 3), state.hasFood(3, 3), state.hasWall(2, 2)) == (True, False, True)
        assert (walls[2][2], walls[1][2], (0, 0) in walls.asList()) == (True, False, True)
        assert walls.count() == 20 + 3  # the border, and three inside
        assert str(board.Grid(2, 2, True)) == "TT\nTT"

    def test_what_is_written_into_an_answer_does_not_change_the_state(self, state: PositionState) -> None:
        state.getLegalActions().remove("Stop")
        assert "Stop" in state.getLegalActions()
        food = state.getFood()
        food[1][3] = False
        assert (food.count(), (1, 3) in food.asList(), state.getFood().count()) == (6, False, 7)
        other = food.copy()
        other[4][3] = False
        assert (food[4][3], other != food) == (True, True)
        state.getGhostStates()[0].scaredTimer = 9
        assert state.getGhostStates()[0].scaredTimer == 0

    def test_moving(self, state: PositionState) -> None:
        """Any agent may be asked to move, and equal states are equal whoever moved last."""
        after = state.generateSuccessor(0, "West")
        assert after.getPacmanPosition() == (2, 3)
        assert (after.getScore(), type(after.getScore())) == (-1.0, float)
        assert state.getPacmanPosition() == (3, 3)
        assert state.getNextState(0, "West") == after == state.generatePacmanSuccessor("West")
        assert state.getPacmanNextState("West") == after
        assert after.generateSuccessor(1, "West").getGhostPosition(1) == (4, 3)
        assert state.generateSuccessor(2, "South").getGhostPosition(2) == (5, 1)
        one = state.generateSuccessor(1, "West").generateSuccessor(2, "South")
        other = state.generateSuccessor(2, "South").generateSuccessor(1, "West")
        assert (one, hash(one)) == (other, hash(other))
        assert len({one, other, state}) == 2
        assert state != state.generateSuccessor(0, "Stop")
        assert copy.deepcopy(state) == copy.copy(state) == state.deepCopy() == PositionState(state) == state

    def test_scared_ghosts_stand_between_cells(self) -> None:
        state = PositionState.of(start(YARD, ["random", "random"]))
        for action in ("West", "West", "South"):
            state = state.generatePacmanSuccessor(action)
        assert [ghost.scaredTimer for ghost in state.getGhostStates()] == [40, 40]
        assert state.getCapsules() == []
        moved = state.generateSuccessor(1, "West")
        assert moved.getGhostPosition(1) == (4.5, 3)
        assert moved.getLegalActions(1) == ["West"]

    def test_ends(self) -> None:
        won = PositionState.of(start("%%%%\n%P.%\n%%%%", [])).generateSuccessor(0, "East")
        assert (won.isWin(), won.isLose(), won.getScore(), won.getLegalActions()) == (True, False, 509, [])
        lost = PositionState.of(start("%%%%%\n%PG.%\n%%%%%", ["random"])).generateSuccessor(0, "East")
        assert (lost.isWin(), lost.isLose(), lost.getLegalActions(1)) == (False, True, [])
        assert lost.getLegalActions(2) == [], "the agent after the last one, as some right searches ask"
        with pytest.raises(Exception, match="generateSuccessor called on a terminal state"):
            lost.generateSuccessor(1, "West")

    def test_what_the_last_move_changed(self, state: PositionState) -> None:
        changes = ("scoreChange", "_foodEaten", "_capsuleEaten", "_agentMoved")
        assert [getattr(state.data, name) for name in changes] == [0, None, None, None]
        west = state.generateSuccessor(0, "West")
        assert [getattr(west.data, name) for name in changes] == [-1, None, None, 0]
        further = west.generateSuccessor(0, "West")
        assert [getattr(further.data, name) for name in changes] == [9, (1, 3), None, 0]
        capsule = further.generateSuccessor(0, "South")
        assert [getattr(PositionState(capsule).data, name) for name in changes] == [-1, None, (1, 2), 0]
        assert capsule.generateSuccessor(2, "North").data._agentMoved == 2
        assert capsule not in capsule.explored

    def test_what_is_not_there_is_named_with_what_is(self, state: PositionState) -> None:
        with pytest.raises(
            AttributeError, match=r"^a game state has no getGhostPos; did you mean 'getGhostPosition'\?$"
        ):
            state.getGhostPos(1)
        assert not hasattr(state, "getScaredTimes")
        assert (state.getNumGhost(), TreeState(TREE, 3, Trace()).getNumGhost()) == (2, 2)
        data = state.data
        assert [agent.getPosition() for agent in data.agentStates] == [(3, 3), (5, 3), (5, 2)]
        assert (data.score, data.capsules, data.food.count()) == (0, [(1, 2)], 7)
        assert (data.layout.isWall((0, 0)), data.layout.width, data.layout.height) == (True, 7, 5)

    def test_each_game_is_told_that_it_begins_and_the_layout_stays_as_it_was_then(self) -> None:
        methods = "    games = 0\n    def registerInitialState(self, s): self.games += 1\n"
        methods += "    def getAction(self, s): return f'{self.games}: {s.data.layout.food.count()}'"
        with ready_api() as api:
            module = module_of(IMPORTS + methods)
            part = api.make(module, "A", 1, "choice")
            depths = [api.make(module, "A", 2, "choice", **given).rounds for given in ({}, {"depth": "3"})]
            assert depths == [2, None], "a depth among the arguments counts before the rounds"
            first = start(YARD, ["random", "optimal"])
            after = first.successor("East")
            for number, (state, said) in enumerate([(first, "1: 7"), (after, "1: 7"), (after, "2: 6")]):
                if number != 1:
                    part.begin(Random(number))
                assert part.choose(state) == said
        assert board.Grid.of(first.maze, first.food_mask).count() == 7

    @pytest.mark.parametrize(
        ("call", "said"),
        [
            (lambda s: s.getLegalActions(3), "getLegalActions: no agent 3; expected 0 to 2"),
            (lambda s: s.getLegalActions(-1), "getLegalActions: no agent -1; expected 0 to 2"),
            (lambda s: s.generateSuccessor(3, "West"), "generateSuccessor: no agent 3; expected 0 to 2"),
            (lambda s: s.generateSuccessor(0, "North"), "illegal action 'North' of agent 0; legal: West, Stop, East"),
            (lambda s: s.generateSuccessor(1, "Stop"), "illegal action 'Stop' of agent 1; legal: West, South"),
            (lambda s: s.generateSuccessor(0, "west"),
             "illegal action 'west' of agent 0; legal: West, Stop, East; an action is a string such as 'West'"),
            (lambda s: s.generateSuccessor(0, ["West"]),
             "illegal action ['West'] of agent 0; legal: West, Stop, East; an action is a string such as 'West'"),
            (lambda s: s.generateSuccessor("West", 0), "generateSuccessor: no agent 'West'; expected 0 to 2"),
            (lambda s: s.getGhostState(0), "getGhostState: no ghost 0; expected 1 to 2"),
            (lambda s: s.getGhostPosition(3), "getGhostPosition: no ghost 3; expected 1 to 2"),
        ],
    )  # fmt: skip
    def test_errors(self, state: PositionState, call: Any, said: str) -> None:
        with pytest.raises(Exception, match=f"^{re.escape(said)}$"):
            call(state)

    def test_what_is_generated_is_written_down(self) -> None:
        trace = Trace()
        root = PositionState.of(start(YARD, ["random", "optimal"]), trace)
        west = root.generateSuccessor(0, "West")
        west.getNextState(1, "South")
        root.generatePacmanSuccessor("West")
        assert list(trace.paths()) == [("West",), ("West", "South")]
        assert (trace.generated, trace.distinct) == (3, 2)


class TestTree:
    def root(self) -> TreeState:
        return TreeState(TREE, agents_of(TREE), Trace())

    def test_the_few_methods(self) -> None:
        root = self.root()
        assert root.getNumAgents() == 2
        assert root.getLegalActions() == root.getLegalActions(0) == ["Left", "Right"]
        left, right = (root.generateSuccessor(0, action) for action in ("Left", "Right"))
        low = left.generateSuccessor(1, "b")
        assert left.getLegalActions(1) == ["a", "b"]
        assert left.getNextState(1, "a").getScore() == 1.0
        assert [(each.isWin(), each.isLose(), each.getScore()) for each in (root, right, low)] == [
            *((False, False, 4.0), (True, False, 2.0), (False, True, -3.0))
        ]
        ends = [TreeState(Outline.parse(text), 2, Trace()) for text in ("0 lost", "-1 won")]
        assert [(each.isWin(), each.isLose()) for each in ends] == [(False, True), (True, False)]
        assert right.getLegalActions() == right.getLegalActions(7) == []
        assert left.getLegalActions(7) == left.getLegalActions(None) == ["a", "b"], "any agent may be asked in a tree"
        assert left.generateSuccessor(2, "a").getScore() == 1.0
        assert copy.deepcopy(root) is copy.copy(root) is root.deepCopy() is root

    def test_how_many_agents(self) -> None:
        for agents, text in (
            (3, "max { a: min { a: min { a: 1 } } }"),
            (2, "max { a: 1; b: 2 }"),
            (1, "max { a: max { a: 1 } }"),
            (3, "max { a: min { a: max { b: 1 } }; b: min { a: min { c: 2 }; b: 4 } }"),
            (4, "max { a: min { x: min { y: min { z: max { q: min { p: 1 } } } } } }"),
        ):
            assert agents_of(Outline.parse(text)) == agents

    @pytest.mark.parametrize(
        ("call", "said"),
        [
            (lambda s: s.generateSuccessor(0, "Up"), "illegal action 'Up' of agent 0; legal: Left, Right"),
            (
                lambda s: s.generateSuccessor(0, "Right").generateSuccessor(1, "a"),
                "generateSuccessor called on a terminal state (isWin() or isLose() is true)",
            ),
            (
                lambda s: s.generateSuccessor(0, "Left").getScore(),
                "getScore() called on a state that is neither terminal nor at depth self.depth",
            ),
            (
                lambda s: s.getPacmanPosition(),
                "getPacmanPosition is not available: this case is a small tree, not a Pacman board; "
                "its states only have getLegalActions, "
                "generateSuccessor (or getNextState), getNumAgents, isWin, isLose and getScore",
            ),
        ],
    )
    def test_errors(self, call: Any, said: str) -> None:
        with pytest.raises(Exception, match=f"^{re.escape(said)}$"):
            call(self.root())


class TestModules:
    def test_containers(self) -> None:
        stack, queue, heap = util.Stack(), util.Queue(), util.PriorityQueue()
        for each in (3, 1, 2):
            stack.push(each)
            queue.push(each)
            heap.push(str(each), each)
        assert [stack.pop(), queue.pop(), heap.pop()] == [2, 3, "1"]
        heap.update("3", 0)
        heap.update("2", 7)
        heap.update("new", 1)
        assert [heap.pop() for _ in range(3)] == ["3", "new", "2"]
        assert heap.isEmpty()
        assert not stack.isEmpty()
        longest = util.PriorityQueueWithFunction(lambda word: -len(word))
        for word in ("a", "abc", "ab"):
            longest.push(word)
        assert longest.pop() == "abc"

    def test_a_counter(self) -> None:
        counter = util.Counter({"a": 1})
        counter["b"] += 3
        assert (counter["none"], counter.argMax(), counter.totalCount()) == (0, "b", 4)
        assert counter.sortedKeys()[:2] == ["b", "a"]
        counter.normalize()
        assert counter["b"] == 0.75
        assert counter * util.Counter({"a": 4}) == 1
        assert (counter + counter)["b"] == 1.5
        assert (counter - counter)["b"] == 0
        assert util.Counter().argMax() is None

    def test_functions(self) -> None:
        assert util.manhattanDistance((1, 2), (3, 0)) == 4
        assert util.nearestPoint((1.5, 2.4)) == (2, 2)
        assert util.matrixAsList([[True, False], [False, True]]) == [(0, 0), (1, 1)]
        assert (util.sign(-2), util.sign(0)) == (-1, 1)
        assert util.normalize([1, 3]) == [0.25, 0.75]
        assert util.chooseFromDistribution({"a": 0.0, "b": 1.0}) == "b"
        assert util.chooseFromDistribution([(1.0, "x")]) == "x"
        draws = []
        for keys in ("abc", "cba"):
            random.seed(1)
            draws.append([util.sample(dict.fromkeys(keys, 1.0)) for _ in range(9)])
        assert draws[0] == draws[1]
        assert util.lookup("f", {"f": test_a_seed_decides}) is test_a_seed_decides
        with pytest.raises(Exception, match="'g' is not defined in this file"):
            util.lookup("g", {"f": 1})

    def test_directions_and_actions(self) -> None:
        d, a = board.Directions, board.Actions
        assert [turn[d.NORTH] for turn in (d.LEFT, d.RIGHT, d.REVERSE)] == ["West", "East", "South"]
        assert d.LEFT[d.STOP] == d.RIGHT[d.STOP] == "Stop"
        assert a.directionToVector("North") == (0, 1.0)
        names = {(0, 1): "North", (0, -1): "South", (-0.5, 0): "West", (2, 0): "East", (0, 0): "Stop"}
        assert {step: a.vectorToDirection(step) for step in names} == names
        assert a.reverseDirection("East") == "West"
        walls = PositionState.of(start(YARD, [])).getWalls()
        assert a.getLegalNeighbors((1, 1), walls) == [(1, 1), (2, 1), (1, 2)]
        assert a.getPossibleActions(board.Configuration((1, 1), "Stop"), walls) == ["Stop", "East", "North"]
        assert a.getPossibleActions(board.Configuration((1.5, 1), "East"), walls) == ["East"]
        assert board.Configuration((1, 1), "North").generateSuccessor((1, 0)).direction == "East"
        assert a.getSuccessor((1, 1), "East") == (2, 1)

    def test_ghosts(self, state: PositionState) -> None:
        assert RandomGhost(1).getDistribution(state) == {"West": 0.5, "South": 0.5}
        chased = DirectionalGhost(1).getDistribution(state)
        assert chased["West"] == pytest.approx(0.9)
        assert DirectionalGhost(1).getAction(state) in ("West", "South")


class TestSnakeCase:
    """Some courses write every name of the hand-out in snake_case."""

    def test_what_the_hand_out_has_answers_to_both_names(self, state: PositionState) -> None:
        with ready_api():
            module = module_of("from util import manhattan_distance, lookup\nfrom ghost_agents import RandomGhost\n")
        assert module.manhattan_distance is util.manhattanDistance
        tree = TreeState(TREE, agents_of(TREE), Trace())
        assert state.get_legal_actions(agent_index=1) == state.getLegalActions(1)  # type: ignore[attr-defined]
        rows = [
            (state.get_food().as_list(), state.getFood().asList()),  # type: ignore[attr-defined]
            (state.get_ghost_states()[0].scared_timer, 0),  # type: ignore[attr-defined]
            (state.data.agent_states[1].get_position(), (5, 3)),  # type: ignore[attr-defined]
            (tree.generate_successor(0, "Right").is_win(), True),  # type: ignore[attr-defined]
            (tree.get_num_ghost(), 1),  # type: ignore[attr-defined]
        ]
        assert all(theirs == ours for theirs, ours in rows)

    @pytest.mark.parametrize(
        ("name", "meant"),
        [
            ("get_legal_action", "get_legal_actions"),
            ("get_Legal_actions", "get_legal_actions"),
            ("getlegalactions", "getLegalActions"),
            ("get_child", "generate_successor"),
        ],
    )
    def test_a_misspelling_is_none_of_them(self, state: PositionState, name: str, meant: str) -> None:
        with pytest.raises(AttributeError, match=f"^a game state has no {name}; did you mean '{meant}'\\?$"):
            getattr(state, name)

    def test_a_file_does_what_it_does_in_camel_case(self) -> None:
        text = SOLUTIONS.read_text(encoding="utf-8")
        answers = []
        for source in (text, in_snake_case(text)):
            with ready_api() as api:
                module, state = module_of(source), start(YARD, ["random", "optimal"])
                reflex, search = (api.make(module, part, 1, "choice") for part in ("ReflexAgent", "MinimaxAgent"))
                careful = api.make(module, "ExpectimaxAgent", 1, "choice", evalFn="better")
                evaluation = api.make(module, "betterEvaluationFunction", 1, "evaluation")
                for agent in (reflex, search, careful):
                    agent.begin(Random(3))
                choices = [agent.choose(state) for agent in (reflex, search, careful)]
                answers.append((choices, api.action_values(reflex, state), evaluation.function(state)))
        assert answers[0] == answers[1]

    def test_what_is_not_written_has_the_name_that_the_file_gives_it(self) -> None:
        text = "from game import Agent\nclass A(Agent):\n    def get_action(self, state):\n        pass\n"
        with ready_api() as api, pytest.raises(NotWritten, match=r"^A\.get_action is not written yet"):
            api.make(module_of(text), "A", 1, "choice").choose(start(YARD, []))


IMPORTS = """
from __future__ import print_function
from util import *
import random, util, math
from game import *
from game import Directions, Agent, Actions, Grid, Game
from pacman import GameState
import pacman, ghostAgents, game
class A(Agent):
    pass
"""


def test_graded_code_finds_the_modules_and_nobody_else_does() -> None:
    import sys

    import pacman as ours

    before = set(sys.modules)
    with ready_api() as api:
        module = module_of(IMPORTS)
        assert vars(module)["GameState"] is PositionState
        assert vars(module)["manhattanDistance"] is util.manhattanDistance
        assert sys.modules["pacman"] is not ours
        from pacman.core.state import GameState as still  # what was loaded before can still be named

        assert still is GameState
        assert api.make(module, "A", 2, "choice").rounds == 2
    assert sys.modules["pacman"] is ours
    assert not {"util", "game", "ghostAgents"} & (set(sys.modules) - before)
    assert set(CONTENT) == {"util", "game", "pacman", "ghostAgents"}


def test_a_seed_decides() -> None:
    draws = []
    for _ in range(2):
        with ready_api() as api:
            module = module_of(IMPORTS + "    def getAction(self, s): return str(random.random())")
            part = api.make(module, "A", 1, "choice")
            part.begin(Random("7/0"))
            draws.append(part.choose(start(YARD, ["random"])))
    assert draws[0] == draws[1]


@pytest.mark.parametrize(("action", "row"), [("Stop", "%<.o.G%"), ("East", "% <o.G%"), ("South", "% .o.G%")])
def test_a_position_as_text_has_the_rows_and_the_score(action: str, row: str) -> None:
    state = start("%%%%%%%\n%P.o.G%\n%.   .%\n%%%%%%%", ["random"]).successor(action)
    lines = str(PositionState.of(state)).split("\n")
    assert (lines[1], lines[0], len(lines)) == (row, "%%%%%%%", 6)
    assert lines[4:] == [f"Score: {state.score}", ""]


@pytest.mark.parametrize(("given", "value"), [("better = near", 2.0), ("", 1.0)])
def test_the_evaluation_better_counts_before_the_other_name(given: str, value: float) -> None:
    module = module_of(f"def near(s): return 2\ndef betterEvaluationFunction(s): return 1\n{given}\n")
    with ready_api() as api:
        part = api.make(module, "betterEvaluationFunction", 1, "evaluation")
    assert part.function(start("%%%%%\n%P. %\n%%%%%", [])) == value
