"""Grade what students hand in, and make what they are graded by."""

from __future__ import annotations

from pacman.commands import cli

COMMANDS = {
    "grade": ("commands.grade:grade", "Grade a submission."),
    "record": ("commands.record:record", "Record the reference of every case."),
    "new-case": ("commands.new_case:new_case", "Write a case, for a question of your own."),
    "import-cs188": ("commands.import_cs188:import_cs188", "Turn .test and .solution files into an assignment."),
    "doctor": ("commands.doctor:doctor", "Say how well graded code is shut in here."),
    "gradescope": ("commands.gradescope:gradescope", "Build the upload for a Gradescope programming assignment."),
}
app = cli.app(__doc__, {name: (f"autograder.{where}", line) for name, (where, line) in COMMANDS.items()})

if __name__ == "__main__":
    cli.run(app, "autograder")
