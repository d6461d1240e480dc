"""What every test has: no display, no colours, and the tests' own folder to import from."""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"
os.environ["NO_COLOR"] = "1"
os.environ["COLUMNS"] = "100"

# Programs that attack a grader, and files as students write them: read as text, never imported from here.
collect_ignore_glob = ["hostile/*", "cs188/submissions/*"]
