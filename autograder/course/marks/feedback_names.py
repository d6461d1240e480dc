"""The names that the files with feedback have in a zip, so that a platform finds the student of each.

Moodle reads the number of the participant in NAME_NUMBER_assignsubmission_file_ ("Upload multiple feedback files in a
zip"). Canvas reads the numbers of the student and of a file that the student handed in, which are in the names that it
exports ("Upload Submissions"). Both names come from the export that was graded.
"""

from __future__ import annotations

import re

from autograder.course.intake.roster import Student

_MOODLE = re.compile(r"_([0-9]+)_assignsubmission_")
_CANVAS = re.compile(r"[^_]+_(?:LATE_)?([0-9]+)_[0-9]+(?=_)")


def moodle_name(student: Student, source: str, ending: str) -> str:
    """The name for Moodle, from the folder that it exported; empty if the number of the participant is not known.

    >>> moodle_name(Student("s1", "Ada_B"), "Ada B_132_assignsubmission_file", "html")
    'Ada B_132_assignsubmission_file_/feedback.html'
    >>> moodle_name(Student("132"), "ada.py", "md"), moodle_name(Student("ada"), "ada.py", "md")
    ('student_132_assignsubmission_file_/feedback.md', '')
    """
    numbers = {*_MOODLE.findall(source)} or ({student.key} if re.fullmatch("[0-9]+", student.key) else set())
    if len(numbers) != 1:
        return ""
    name = " ".join(re.sub(r"[^\w .'-]|_", " ", student.name).split()).strip(". ") or "student"
    return f"{name}_{numbers.pop()}_assignsubmission_file_/feedback.{ending}"


def canvas_name(student: Student, source: str, ending: str) -> str:
    """The name for Canvas, from a file that it exported; empty if it is not known.

    >>> canvas_name(Student("41"), "lovelaceada_LATE_41_977_search.py and lovelaceada_LATE_41_978_x.py", "html")
    'lovelaceada_LATE_41_977_feedback.html'
    >>> canvas_name(Student("42"), "bob_41_977_x.py", "html"), canvas_name(Student("ada"), "ada.py", "html")
    ('', '')
    """
    found = _CANVAS.match(source)
    is_other = found and student.key.isdigit() and student.key != found[1]
    return f"{found[0]}_feedback.{ending}" if found and not is_other else ""
