"""Changed archives and folders: each is read as a submission with safe names, or refused with one line."""

from __future__ import annotations

import io
import os
import stat
import sys
import tempfile
import warnings
import zipfile
from pathlib import Path, PurePosixPath

from hypothesis import assume
from hypothesis import strategies as st

from autograder.sandbox.submission_files import MAX_BYTES, MAX_FILES, SubmissionFiles, read
from tests.fuzz.inputs import WORDS, edited_bytes, fuzz, result_or_refusal, written_file

CODE = b"class MinimaxAgent: pass\n"
CONTENTS = (CODE, CODE, b"import tools\n", b"", b"\x00" * 5_000, b"x" * 300)
PARTS = (
    "mine.py", "mine.py", "tools.py", "hw", "a", "A.py", "a.py", "..", ".", "", "pacman", "agents", "student.py",
    "__init__.py", ".git", "__MACOSX", "C:", "nul.py", "-rf.py", "e\u0301.py", "\u00e9.py", "x" * 250, "notes.txt",
)  # fmt: skip
names = st.lists(st.sampled_from((*PARTS, *WORDS)), min_size=1, max_size=4).map("/".join)
kinds = st.sampled_from((*["file"] * 6, "link", "folder", "device"))
members = st.lists(st.tuples(names | st.sampled_from(PARTS), st.sampled_from(CONTENTS), kinds), min_size=1, max_size=6)
ZIP_KINDS = {"file": stat.S_IFREG, "link": stat.S_IFLNK, "folder": stat.S_IFDIR, "device": stat.S_IFCHR}


@st.composite
def zips(draw: st.DrawFn) -> bytes:
    """A zip with files, folders and links under any names."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", draw(st.sampled_from((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)))) as archive:
        for name, content, kind in draw(members):
            entry = zipfile.ZipInfo(name.encode("utf-8", "replace").decode().replace("\0", "0") or "x")
            entry.external_attr = (ZIP_KINDS[kind] | 0o644) << 16
            with warnings.catch_warnings(action="ignore"):  # two files with the same name
                archive.writestr(entry, content)
    return target.getvalue()


def check_submission(path: Path) -> None:
    """Fails if a submission is read under unsafe names, above the limits, or with an error that is no refusal."""
    before = sorted(path.parent.iterdir())
    work: SubmissionFiles | None = result_or_refusal(lambda: read(path))
    assert sorted(path.parent.iterdir()) == before
    if work is None:
        return
    assert 0 < len(work.files) <= MAX_FILES
    assert sum(map(len, work.files.values())) <= MAX_BYTES
    for name in work.files:
        assert name.isprintable() or "\u200c" in name or "\u200d" in name
        assert name.endswith(".py")
        assert not {"..", ".", ""} & set(name.split("/"))
        assert not PurePosixPath(name).is_absolute()
    for note in work.notes:
        assert note.isprintable()


@fuzz(edited_bytes(zips(), most=2))
def test_zips(content: bytes) -> None:
    with written_file("work.zip", content) as path:
        check_submission(path)


@fuzz(members)
def test_folders(entries: list[tuple[str, bytes, str]]) -> None:
    assume(sys.platform != "win32")
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder, "work")
        top.mkdir()
        for name, content, kind in entries:
            parts = [part[:80] for part in name.replace("\0", "0").split("/") if part not in ("", ".", "..")]
            path = top.joinpath(*parts)
            try:
                if os.path.lexists(path):
                    continue
                path.parent.mkdir(parents=True, exist_ok=True)
                if kind == "link":
                    path.symlink_to("/etc/passwd")
                elif kind == "device":
                    os.mkfifo(path)
                else:
                    path.write_bytes(content)
            except (OSError, UnicodeError):  # this system cannot store the name
                continue
        check_submission(top)
