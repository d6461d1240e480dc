"""b3 solutions_beside [files; trigger: import]

Attack: imports every Python file beside the named file, and answers with what it finds there.
Must:   nothing is beside it, so the submission has no class to copy.
"""
import glob, importlib, os
HERE = os.path.dirname(__file__)
for path in sorted(glob.glob(os.path.join(HERE, "*.py"))):
    if os.path.basename(path) not in (os.path.basename(__file__), "base.py"):
        try:
            found = vars(importlib.import_module(os.path.basename(path)[:-3]))
        except BaseException:
            continue
        if "ExpectimaxAgent" in found:
            globals().update({k: v for k, v in found.items() if not k.startswith("__")})
            break
_Found = globals().get("MinimaxAgent", object)
class MinimaxAgent(_Found): pass
