"""Grade what students hand in, and make what they are graded by."""

from __future__ import annotations

import typer

from autograder.commands.doctor import doctor
from autograder.commands.grade import grade
from autograder.commands.import_cs188 import import_cs188
from autograder.commands.new_case import new_case
from autograder.commands.record import record
from autograder.platforms.gradescope.build import command as gradescope
from pacman.commands import cli
from pacman.commands.solve import solve

app = typer.Typer(
    help=__doc__, no_args_is_help=True, rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False
)
app.command()(grade)
app.command(short_help="Record the reference of every case.")(record)
app.command("new-case", short_help="Write a case, for a question of your own.")(new_case)
app.command("import-cs188")(import_cs188)
app.command(short_help="Solve drawn trees, and show what a search touches.")(solve)
app.command(short_help="Say how well graded code is shut in here.")(doctor)
app.command("gradescope")(gradescope)

if __name__ == "__main__":
    cli.run(app, "autograder")
