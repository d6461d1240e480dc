"""What the answers of a search prove without a model: which kinds of trees are right, and which are wrong."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from autograder.judge.examination.asking import Reply
from autograder.judge.examination.inference import Grades, Observation, is_right
from autograder.judge.submission_answer import Claim

MORE = "There is more: your search also generates other nodes than asked."
RANDOM = "Your search gives different answers to the same question."
RESULT_HINT = "Which value does your outermost function return: the action, the value, or both in one pair?"
RANDOM_HINT = (
    "Look for `random`, `id()`, the order of a set, and anything that your code keeps from an earlier search. "
    "On a tie the first best action wins."
)
REMEMBERS = (
    "Your search gives another answer if the same agent was asked other questions before: it keeps something from "
    "one search to the next."
)
NAMES = {RANDOM: "random-answers", REMEMBERS: "keeps-state"}
KINDS = {
    "the horizon": "the horizon",
    "ends of the game": "games that end before the horizon",
    "the evaluation": "an evaluation that is not the score",
    "very large numbers": "very large numbers",
    "ties": "ties",
    "cuts": "cuts",
    "choices below chance": "choices below chance",
    "positions that occur twice": "positions that occur twice",
    "random trees": "",
    "the cases": "",
}
"""The words for topics that are no list of layers."""


def are_swapped(replies: Sequence[Reply]) -> bool:
    """True if most answers have an action where the value should be, and a number where the action should be."""
    claims = [reply.claim for reply in replies if reply.claim]
    return sum(unswapped(claim) is not claim for claim in claims) > len(claims) / 2


def unswapped(claim: Claim) -> Claim:
    """The claim with the value and the action exchanged, if it has them the wrong way round."""
    if claim.value is not None or claim.action is not None or not claim.value_text.startswith(("'", "None")):
        return claim
    try:
        value = float(claim.choice.partition(" ")[0])
    except ValueError:
        return claim
    action = claim.value_text.rpartition("'")[0].removeprefix("'") or None
    return replace(claim, value=value, value_text=claim.choice, action=action, choice=claim.value_text)


def wrong_kind_of_action(replies: Sequence[Reply]) -> str:
    """A sentence if most answers have something that is no text where the action should be; else empty."""
    claims = [reply.claim for reply in replies if reply.claim]
    others = [each for each in claims if each.action is None and each.choice.partition(" ")[0] != "None"]
    if len(others) <= len(claims) / 2:
        return ""
    return f"Your search returns {others[0].choice} where an action such as 'West' should be."


def differ(one: Reply, other: Reply) -> bool:
    """True if two replies to the same question differ in value or generated nodes."""
    if one.claim is None or other.claim is None:
        return False
    first, second = one.claim, other.claim
    return (first.value, first.value_text, first.nodes) != (second.value, second.value_text, second.nodes)


def differ_in_action(one: Reply, other: Reply) -> bool:
    """True if two replies to the same question have different actions."""
    return one.claim is not None and other.claim is not None and one.claim.action != other.claim.action


def spread(indexes: Sequence[int], count: int) -> list[int]:
    """At most `count` of the indexes, evenly spread."""
    step = max(1, len(indexes) // count)
    return list(indexes[::step])[:count]


@dataclass(frozen=True)
class Failures:
    """Where a search is wrong, in sentences, and a hint."""

    sentences: tuple[str, ...]
    hint: str


def failures(seen: Sequence[Observation], values_only: Grades, grades: Grades) -> Failures:
    """The kinds of trees on which a search is wrong."""
    wrong = [each for each in seen if not is_right(each, values_only)]
    if not wrong:
        return _node_failures(seen, grades)
    raised = [each for each in wrong if each.error]
    if raised and len(raised) == len(wrong):
        smallest = min(raised, key=lambda each: len(each.tree.paths))
        return Failures(
            (f"Your search ends with {smallest.fault} on {len(raised)} of {len(seen)} trees.",), RAISED_HINT
        )
    by_topic = _counts(seen, values_only)
    sequences = [topic for topic, (bad, _) in by_topic.items() if bad and topic not in KINDS]
    minimal = [
        topic for topic in sequences if not any(other != topic and _is_inside(other, topic) for other in sequences)
    ]
    if minimal:
        shown = minimal[:3]
        texts = [f"{topic} ({by_topic[topic][0]} of {by_topic[topic][1]} questions)" for topic in shown]
        more = " and others" if len(minimal) > len(shown) else ""
        return Failures(
            (f"Your search is wrong on trees with these layers, from the root down: {', '.join(texts)}{more}.",),
            "Draw the tree below on paper and compute the value of each node from the bottom up. Then print the value "
            "that your code computes for each node.",
        )
    kinds = [KINDS[topic] for topic, (bad, _) in by_topic.items() if bad and KINDS.get(topic)]
    if kinds:
        return Failures(
            (f"Your search is right on small trees of every kind, but wrong with {_listed(kinds)}.",),
            "Draw the tree below on paper and compute the value of each node from the bottom up.",
        )
    return Failures(
        (f"Your search is right on small trees, but wrong on {len(wrong)} of {len(seen)} larger ones.",),
        "Draw the tree below on paper and compute the value of each node from the bottom up.",
    )


RAISED_HINT = "Read the last line of the error first, then the line of your file that it names."


def _node_failures(seen: Sequence[Observation], grades: Grades) -> Failures:
    """What is wrong with the generated nodes, where every value and action is right."""
    wrong = [each for each in seen if not is_right(each, grades) and each.numbers is not None and each.claim]
    known = [(each.numbers or frozenset(), frozenset(each.right.generated), each) for each in wrong]
    repeated = sum(each.claim.generated > len(numbers) for numbers, _, each in known if each.claim)
    what = f"Every value and every action is right on {len(seen)} trees, but your search generates "
    hint = "This question counts nodes. Print the path of each node when your search generates it."
    if known and all(numbers == right for numbers, right, _ in known):
        return Failures((f"{what}some successors more than once ({repeated} of {len(seen)} trees).",), hint)
    if known and all(numbers >= right for numbers, right, _ in known):
        return Failures((f"{what}more nodes than it needs ({len(known)} of {len(seen)} trees).",), hint)
    if known and all(numbers <= right for numbers, right, _ in known):
        return Failures((f"{what}fewer nodes than asked ({len(known)} of {len(seen)} trees).",), hint)
    return Failures((f"{what}other nodes than asked ({len(known)} of {len(seen)} trees).",), hint)


def what_is_right(seen: Sequence[Observation], values_only: Grades) -> str:
    """One line about the trees on which every value and action is right; empty if there are none."""
    by_topic = _counts(seen, values_only)
    if not any(wrong for wrong, _ in by_topic.values()):
        return "Right: every value and every action."
    right = {topic for topic, (wrong, _) in by_topic.items() if not wrong}
    sequences = {topic: set(topic.split(" > ")) for topic in by_topic if topic not in KINDS}
    parts = []
    for layers in ({"MAX"}, {"MIN"}, {"CHANCE"}, {"MAX", "MIN"}, {"MAX", "CHANCE"}, {"MIN", "CHANCE"}):
        inside = [topic for topic, own in sequences.items() if own <= layers]
        is_new = any(sequences[topic] == layers for topic in inside)
        if is_new and right.issuperset(inside):
            parts.append(f"trees of {_listed([f'{layer}' for layer in sorted(layers)])} nodes only")
    parts += [KINDS[topic] for topic in by_topic if topic in right and KINDS.get(topic)]
    return f"Right: {'; '.join(parts)}." if parts else ""


def _counts(seen: Sequence[Observation], grades: Grades) -> dict[str, tuple[int, int]]:
    """For each topic: how many answers are wrong, and how many there are."""
    counts: dict[str, list[bool]] = defaultdict(list)
    for each in seen:
        counts[each.topic].append(not is_right(each, grades))
    return {topic: (sum(wrong), len(wrong)) for topic, wrong in counts.items()}


def _is_inside(one: str, other: str) -> bool:
    """True if the layers of one topic are a part of the other's."""
    return f" > {one} > " in f" > {other} > "


def _listed(parts: Sequence[str]) -> str:
    """The parts as one phrase: "a, b and c"."""
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last
