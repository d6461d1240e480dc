"""What became of a class, as lines of text: how many were graded, who was not and why, a histogram of the points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from autograder.course.intake.roster import Student, compared, mismatches
from autograder.course.store import Result, Submission
from autograder.judge.points_as_text import points_text
from pacman.core.errors import counted

STEPS = 10
"""The number of rows of a histogram, besides that of full marks."""
WIDTH = 40


def summary(
    submissions: Sequence[Submission],
    results: Mapping[int, Result],
    failures: Mapping[int, str],
    roster: Iterable[Student] = (),
    unread: Sequence[tuple[Student, str]] = (),
) -> list[str]:
    """The lines about these submissions. `results` and `failures` are by the ids of the submissions.

    `unread` are submissions that could not be taken into the store, by their students, with the reasons.
    """
    own = [results[each.id] for each in submissions if each.id in results]
    graded = [result for result in own if not result.reason]
    zero = [(each, results[each.id].reason) for each in submissions if each.id in results and results[each.id].reason]
    lines = [f"{counted(len(submissions) + len(unread), 'submission')}: {len(graded):,} graded"]
    if zero:
        lines[0] += f", {len(zero):,} not graded (0 points)"
        lines += [f"  {each.student.key}: 0 points: {reason}" for each, reason in zero]
    open_ones = [
        (each.student, failures.get(each.id, "not yet graded")) for each in submissions if each.id not in results
    ] + list(unread)
    if open_ones:
        lines[0] += f", {len(open_ones):,} without a result"
        lines += [f"  {student.key}: no result: {reason}" for student, reason in open_ones]
    handed_in = [*(each.student for each in submissions), *(student for student, _ in unread)]
    known = {compared(student.key): student for student in roster}
    lines += mismatches(handed_in, known)
    return [*lines, *(histogram([result.earned for result in graded], graded[0].points) if graded else [])]


def histogram(earned: Sequence[float], points: float) -> list[str]:
    """How many submissions earned how many points, one line for each tenth of the points and one for full marks.

    >>> for line in histogram([0, 1.5, 10, 10], 10): print(line)
    points
      0 to   1      1  ####################
      1 to   2      1  ####################
      2 to   3      0
      3 to   4      0
      4 to   5      0
      5 to   6      0
      6 to   7      0
      7 to   8      0
      8 to   9      0
      9 to  10      0
     10 or more     2  ########################################
    """
    counts = tenths(each / points for each in earned)
    most = max(counts) or 1
    lines = ["points"]
    for step, count in enumerate(counts):
        low, high = points_text(points * step / STEPS), points_text(points * (step + 1) / STEPS)
        label = f"{low:>3} to {high:>3}" if step < STEPS else f"{low:>3} or more"
        lines.append(f"{label:<12}{count:>5}  {'#' * round(WIDTH * count / most)}".rstrip())
    return lines


def tenths(shares: Iterable[float]) -> list[int]:
    """How many of these shares are in each tenth; the last number counts the shares of one or more.

    >>> tenths([0, 0.1, 0.15, 1, 1.2])
    [1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 2]
    """
    counts = [0] * (STEPS + 1)
    for share in shares:
        counts[min(STEPS, int(STEPS * share + 1e-9))] += 1
    return counts
