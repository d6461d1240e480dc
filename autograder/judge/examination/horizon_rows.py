"""How far a wrong search looks ahead."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.judge.examination.mistake_row import Change, Hypothesis
from autograder.judge.examination.model_tree import CHANCE, MAX, MIN
from autograder.judge.examination.questions import Scope
from autograder.judge.examination.search_model import SPENDS, Decider


def _moved_by_depth(scope: Scope, own: str, others: str) -> tuple[Decider, ...]:
    """The deciders of a search that knows from the depth who moves: MAX at the places `own`, a ghost at the others."""
    ghost = "min" if MIN in scope.layers else "mean"
    return Decider(MIN, own, "max"), Decider(CHANCE, own, "max"), Decider(MAX, others, ghost)


def horizons(scope: Scope) -> Iterator[Hypothesis]:
    """Mistakes in counting plies and rounds."""
    short = (
        "Draw a tree of two plies. At every node, write how many plies are left. With how many plies left is a node "
        "evaluated? With how many plies left does your search still look at its successors?"
    )
    whole = "In one round every agent moves once. How many rounds has your search seen when every agent has moved once?"
    count = (
        "`plies` is the number of single moves to look ahead. The ghosts' moves count too. Which of your "
        "recursive calls "
        "pass on the same number that they received?"
    )
    ghosts = "With two ghosts a round has three plies. After the first ghost has moved, how much of the round is over?"
    short_rounds = _moved_by_depth(scope, "at the start of a short round", "inside a short round")
    two_plies = _moved_by_depth(scope, "at the start of two plies", "inside two plies")
    rows: tuple[tuple[str, str, str, tuple[Change, ...]], ...] = (
        ("ply-short", "Your search stops one ply too early.", short, ({"horizon": "plies - 1"}, {"stops_at": 1})),
        ("ply-deep", "Your search goes one ply too deep.", short, ({"horizon": "plies + 1"}, {"stops_at": -1})),
        ("round-short", "Your search stops one whole round too early.", whole,
         ({"horizon": "a round less"}, {"horizon": "rounds - 1", "spends": "end of a round"})),
        ("round-deep", "Your search goes one whole round too deep.", whole,
         ({"horizon": "a round more"}, {"horizon": "rounds + 1", "spends": "end of a round"})),
        ("plies-as-rounds", "Your search takes the number of plies as a number of rounds: it counts only when it is "
         "MAX's turn again.", count, ({"spends": "end of a round"}, {"spends": "moves to max"})),
        ("max-moves-count", "In your search only the moves of MAX use up a ply; the other moves are free.", count,
         ({"spends": "max moves"},)),
        ("ghosts-moves-count", "In your search only the moves of ghosts use up a ply; the moves of MAX are free.",
         count, ({"spends": "ghosts' moves"},)),
        ("ghosts-as-rounds", "Your search counts the move of every single ghost as a whole round.", ghosts,
         ({"horizon": "rounds", "spends": "ghosts' moves"},)),
        ("round-ends-after-max", "Your search takes a round as over when MAX has moved, so in the last round no "
         "ghost moves.", whole, ({"horizon": "rounds", "spends": "max moves"},)),
        ("first-move-costs-a-round", "Your search counts the first move, at the root, as a whole round, so the last "
         "round is missing.", whole, ({"horizon": "rounds", "spends": "the root and ends of rounds"},)),
        ("last-ghost-left-out", "Your search leaves out the last ghost: after the agent before it, it is MAX's turn "
         "again.", "Write down the agents that move in one round. After which one does your code go back to Pacman?",
         ({"horizon": "rounds", "spends": "ends of short rounds", "deciders": short_rounds, "skips_agents": True},)),
        ("one-ghost-a-round", "In your search only one ghost moves in a round: after it, it is MAX's turn again.",
         "Write down the agents that move in one round. After which one does your code go back to Pacman?",
         ({"horizon": "rounds", "spends": "every second move", "deciders": two_plies, "skips_agents": True},)),
        ("last-round-short", "In the last round of your search only MAX and the first ghost move; the other ghosts "
         "are missing there.", "With two ghosts a round has three plies. Which agent's move ends a round in your "
         "code, and where do you test for the end of the last round?",
         ({"horizon": "rounds of 2 plies", "spends": "all but later ghosts"},)),
        ("rounds-as-plies", "Your search counts every single move as a whole round.",
         "With two ghosts a round has three plies. How many rounds are over when only Pacman has moved? How much "
         "does your search subtract there?", ({"horizon": "rounds"},)),
        ("min-moves-free", "In your search the moves at MIN nodes use up no ply, so it looks too far ahead.", count,
         ({"spends": "all but min moves"},)),
        ("chance-moves-free", "In your search the moves at CHANCE nodes use up no ply, so it looks too far ahead.",
         count, ({"spends": "all but chance moves"},)),
        ("ignores-plies", "Your search ignores `plies`: it looks ahead as many plies as the agent's own number of "
         "rounds says.", "`search` gets the number of plies as an argument. Where does your search use it?",
         ({"horizon": "own rounds whole"}, {"horizon": "own rounds of 2 plies"}, {"horizon": "own rounds"})),
        ("no-horizon", "Your search has no horizon: it goes on until the game ends.",
         "What should your search return when no plies are left?", ({"horizon": "no limit"}, {"spends": "no move"})),
        ("plies-drift", "In your search each child of a node is searched less deep than the child before it.",
         "Which number do you pass to the second child? Does your loop change its own `plies`?",
         ({"drift": "siblings"},)),
        ("plies-drift", "Below the last ghost of a round, your search looks one round less far for each action than "
         "for the action before it.", "Which number do you pass on for the second action of the last ghost? Does "
         "your loop change a variable that it should only read?",
         ({"horizon": "rounds", "spends": "end of a round", "drift": "siblings at ends of rounds"},)),
        ("plies-shared", "In your search all nodes count down one shared number of plies, and nothing sets it back "
         "after a branch.", "After the first branch has used up its plies, how many are left for the second branch? "
         "Pass the number on as an argument.",
         ({"drift": "shared"}, {"horizon": "rounds", "spends": "no move", "drift": "shared rounds"})),
        ("two-plies-short", "Your search stops two plies too early.", short, ({"horizon": "plies - 2"},)),
        ("two-plies-deep", "Your search goes two plies too deep.", short, ({"horizon": "plies + 2"},)),
        ("plies-twice", "Your search subtracts two plies for every move.", short, ({"spends": "every move twice"},)),
        ("ply-short-clamped", "Your search stops one ply too early, but it looks at least one ply ahead.", short,
         ({"horizon": "plies - 1, at least 1"},)),
    )  # fmt: skip
    for name, sentence, hint, changes in rows:
        if name == "ignores-plies" and scope.in_rounds:
            continue  # there the number of rounds is all that the agent gets
        yield Hypothesis(name, "horizon", sentence, hint, changes)


def rare_horizons() -> Iterator[Hypothesis]:
    """Mistakes at some nodes only, and rare ways of counting."""
    hint = (
        "Follow the number of plies that are left from the root down to a leaf, call by call. What does each call "
        "subtract, and at which nodes do you test for 0?"
    )
    free = {
        "max moves twice": "Your search subtracts two plies for a move at a MAX node.",
        "min moves twice": "Your search subtracts two plies for a move at a MIN node.",
        "chance moves twice": "Your search subtracts two plies for a move at a CHANCE node.",
        "last moves twice": "Your search subtracts two plies for the last move of a round.",
        "all but the root": "In your search the first move, at the root, uses up no ply.",
        "the root twice": (
            "Below the root your search stops one ply too early: if more than 1 ply is asked, it looks one ply "
            "less far."
        ),
        "all but later ghosts": "In your search only the moves of MAX and of the first ghost use up a ply.",
        "all but the first ghost": "In your search the move of the first ghost uses up no ply.",
        "all but the last ghost": "In your search the last move of each round uses up no ply.",
        "max moves and ends of rounds": "In your search the moves of MAX and the last move of each round use up a ply.",
        "all but single actions": "In your search a move uses up no ply where it is the only action.",
        "all but single outcomes": "In your search a CHANCE node with a single outcome uses up no ply.",
        "all but moves below the same layer": (
            "In your search a move uses up no ply where the node above has the same layer."
        ),
    }
    for spends, sentence in free.items():
        yield Hypothesis("wrong-horizon", "horizon", sentence, hint, ({"spends": spends},))
    for tested in (
        "max nodes",
        "min nodes",
        "chance nodes",
        "all but max nodes",
        "all but min nodes",
        "all but chance nodes",
        "first ghosts",
        "all but first ghosts",
        "last ghosts",
        "all but last ghosts",
        "all but the root",
    ):
        nodes = _nodes(tested)
        yield Hypothesis("horizon-tested-at-some-nodes", "horizon", f"Your search tests only at {nodes} whether "
                         "plies are left; at all other nodes it goes on.", hint,
                         ({"tested": tested}, {"tested": tested, "spends": "end of a round"},
                          {"tested": tested, "spends": "end of a round", "horizon": "rounds"}))  # fmt: skip
    for early in ("max nodes", "min nodes", "chance nodes", "all but max nodes", "first ghosts", "last ghosts"):
        yield Hypothesis("horizon-early-at-some-nodes", "horizon", f"At {_nodes(early)} your search stops one ply "
                         "too early: it evaluates the node while one ply is left.", hint,
                         ({"early": early},))  # fmt: skip
    for horizon, words in {
        "1 ply": "always looks exactly 1 ply ahead",
        "2 plies": "always looks exactly 2 plies ahead",
        "3 plies": "always looks exactly 3 plies ahead",
        "4 plies": "always looks exactly 4 plies ahead",
        "one round": "always looks exactly one round ahead",
        "plies * 2": "looks twice as many plies ahead as asked",
        "plies // 2": "looks half as many plies ahead as asked",
        "rounds of one ply less": "takes a round as one ply less than there are agents",
        "rounds of 2 plies": "takes a round as two plies, however many agents there are",
        "rounds of 3 plies": "takes a round as three plies, however many agents there are",
    }.items():
        yield Hypothesis("wrong-horizon", "horizon", f"Your search {words}.", hint, ({"horizon": horizon},))
    for spends in SPENDS:
        if spends not in ("every move", "no move"):
            for horizon in ("rounds", "plies - 1", "plies + 1", "rounds of 2 plies"):
                if (horizon, spends) == ("rounds of 2 plies", "all but later ghosts"):
                    continue  # this one has words of its own
                yield Hypothesis("wrong-horizon", "horizon", "Your search stops at wrong depths: where a search "
                                 f"stops that starts with {_horizon_words(horizon)} and subtracts one for "
                                 f"{_spend_words(spends)}.", hint,
                                 ({"horizon": horizon, "spends": spends},))  # fmt: skip


def _horizon_words(horizon: str) -> str:
    return {
        "rounds": "the number of rounds",
        "plies - 1": "one ply less than asked",
        "plies + 1": "one ply more than asked",
        "rounds of 2 plies": "two plies for each round",
    }[horizon]


def _spend_words(spends: str) -> str:
    return {
        "moves to max": "the last move of a round only",
        "end of a round": "the last move of a round only",
        "ghosts' moves": "the moves of ghosts only",
        "max moves": "the moves of MAX only",
        "all but min moves": "every move but those at MIN nodes",
        "all but chance moves": "every move but those at CHANCE nodes",
        "max moves twice": "every move, and twice at MAX nodes",
        "min moves twice": "every move, and twice at MIN nodes",
        "chance moves twice": "every move, and twice at CHANCE nodes",
        "last moves twice": "every move, and twice for the last move of a round",
        "every move twice": "every move twice",
        "all but the root": "every move but the first",
        "the root and ends of rounds": "the first move and the last move of a round",
        "ends of short rounds": "the last move of a round without the last ghost",
        "every second move": "every second move",
        "the root twice": "every move, and twice for the first",
        "all but later ghosts": "the moves of MAX and of the first ghost only",
        "all but the first ghost": "every move but that of the first ghost",
        "all but the last ghost": "every move but the last of a round",
        "max moves and ends of rounds": "the moves of MAX and the last move of a round",
        "all but single actions": "every move but forced ones",
        "all but single outcomes": "every move but forced ones of chance",
        "all but moves below the same layer": "every move but those below a node of the same layer",
    }[spends]


def _nodes(tested: str) -> str:
    """The words for a name in TESTED."""
    return {
        "every node": "every node",
        "max nodes": "MAX nodes",
        "min nodes": "MIN nodes",
        "chance nodes": "CHANCE nodes",
        "all but max nodes": "MIN and CHANCE nodes",
        "all but min nodes": "MAX and CHANCE nodes",
        "all but chance nodes": "MAX and MIN nodes",
        "first ghosts": "the nodes of the first ghost",
        "all but first ghosts": "nodes that do not belong to the first ghost",
        "last ghosts": "the nodes of the last ghost",
        "all but last ghosts": "nodes that do not belong to the last ghost",
        "the root": "the root",
        "all but the root": "the nodes below the root",
    }[tested]
