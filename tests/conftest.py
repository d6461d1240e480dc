"""What every test has: no display and no colours."""

from __future__ import annotations

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"
os.environ["NO_COLOR"] = "1"
os.environ["COLUMNS"] = "100"

# Programs that attack a grader, and files as students write them: read as text, never imported from here.
collect_ignore_glob = ["sandbox/hostile/*", "platforms/cs188/submissions/*"]
