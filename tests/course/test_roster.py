"""A roster names each student once; what is wrong in it is one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.course.intake.roster import Student, read
from pacman.core.errors import InputError


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_columns_may_come_in_any_order(separator: str, tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    lines = [["Name", "email", "KEY", "section"], ["Zoë, the first", "z@x", "zoe", "A"], ["", "", "ada", ""], []]
    text = "\r\n".join(separator.join(f'"{cell}"' for cell in line) for line in lines)
    path.write_text("\ufeff" + text, encoding="utf-8")
    assert read(path) == {"zoe": Student("zoe", "Zoë, the first", "A"), "ada": Student("ada")}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", ":1: no column 'key'; expected the columns key, name, section (known: none)"),
        ("kee,name\na,b\n", ":1: no column 'key'; expected the columns key, name, section (did you mean 'kee'?)"),
        ("key,name\nada,A\n,B\n", ":3: a student without a key; write a login or a number"),
        ("key,name\nAda,A\n\nada ,B\n", ":4: 'ada' is already in line 2; each key once"),
        ("key,name\n", ": no students in this file"),
    ],
)
def test_what_is_wrong_is_one_line(text: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        read(path)
    assert str(error.value) == f"{path}{problem}"


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "none.csv")
    (tmp_path / "latin.csv").write_bytes(b"key\nzo\xeb\n")
    with pytest.raises(InputError, match="not UTF-8 at byte 7"):
        read(tmp_path / "latin.csv")
