"""Grade student submissions, and build the assignments that they are graded with."""

from __future__ import annotations

from pacman.commands import cli

COMMANDS = {
    "grade": ("commands.grade:grade", "Grade a submission."),
    "record": ("commands.record:record", "Record the reference of every case."),
    "new-case": ("commands.new_case:new_case", "Write a new case for a question."),
    "import-cs188": ("commands.import_cs188:import_cs188", "Turn .test and .solution files into an assignment."),
    "doctor": ("commands.doctor:doctor", "Check how strongly this machine sandboxes submissions."),
    "gradescope": ("commands.gradescope:gradescope", "Build the upload for a Gradescope programming assignment."),
}
app = cli.app(__doc__, {name: (f"autograder.{where}", line) for name, (where, line) in COMMANDS.items()})

if __name__ == "__main__":
    cli.run(app, "autograder")
