"""A zip with the same bytes for the same files: sorted names, fixed dates, and a line feed at the end of each line."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Collection, Mapping

DATE = (1980, 1, 1, 0, 0, 0)


def zip_bytes(files: Mapping[str, bytes], scripts: Collection[str] = ()) -> bytes:
    """The content of a zip with these text files. The `scripts` can be executed."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, DATE)
            entry.create_system = 3  # Unix, whichever system builds it
            entry.external_attr = (0o100755 if name in scripts else 0o100644) << 16
            archive.writestr(entry, files[name].replace(b"\r\n", b"\n"), zipfile.ZIP_DEFLATED)
    return content.getvalue()
