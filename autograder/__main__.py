"""Grade student submissions, and make assignments: questions and cases."""

from __future__ import annotations

import os
import sys
import time
from typing import NoReturn

START = time.monotonic()  # before the slow imports: a report says how long the user has waited

if __name__ == "__mp_main__":  # in a worker process, whose `sys.path` may be without this project
    sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
    from pacman import program_imports

    program_imports.forbid_current_folder()

from pacman.commands import app as cli  # noqa: E402
from pacman.program_imports import start_program  # noqa: E402

GROUPS = {
    "One file, and learning": {
        "grade": ("commands.grade:grade", "Grade a submission."),
        "case": ("commands.case:case", "Run one case in your own process."),
        "explain": ("commands.learn:explain", "Write a page that steps through searches of a tree or a position."),
        "practice": ("commands.learn:practice", "Write a page on which students predict what searches do."),
        "lab": ("commands.lab:lab", "Open a page in which students write searches, with Python in the browser."),
    },
    "An assignment": {
        "new-assignment": (
            "commands.hand_out:new_assignment",
            "Write a new assignment, also from a Berkeley course.",
        ),
        "new-case": ("commands.new_case:new_case", "Write a new case for a question."),
        "check": ("commands.check:check", "Check an assignment: can wrong searches keep all points?"),
        "release": ("commands.hand_out:release", "Make the kit: the zip that students get for an assignment."),
        "gradescope": ("commands.hand_out:gradescope", "Build the upload for a Gradescope programming assignment."),
    },
    "A class": {
        "grade-all": ("commands.grade_all:grade_all", "Grade the submissions of a class into a store."),
        "gradebook": (
            "commands.marks:gradebook",
            "Write the marks of a class as a table, for people or for a platform.",
        ),
        "feedback": (
            "commands.marks:feedback",
            "Write the reports of a class as a zip for Moodle or Canvas, or as files by id.",
        ),
        "contest": (
            "commands.contest:contest",
            "Let the submissions of a class play the same games, and write a page with the ranking.",
        ),
        "board": ("commands.marks:board", "Show the mistakes of a class, and what to say in the next lecture."),
        "adjust": ("commands.marks:adjust", "Give a student points by hand in a question, and say why."),
        "show": ("commands.marks:show", "Show what a store knows about one student."),
        "regrade": ("commands.regrade:regrade", "Grade a class again after a change, and show what changes for whom."),
    },
    "Rarely used": {
        "doctor": ("commands.doctor:doctor", "Check how strong the sandbox is on this machine."),
    },
}
COMMANDS = {name: row for own in GROUPS.values() for name, row in own.items()}
app = cli.app(__doc__, GROUPS, "autograder", "autograder.commands.options")


def main() -> NoReturn:
    """Runs the program."""
    start_program(globals())
    cli.run(app, "autograder", START)


if __name__ == "__main__":
    main()
