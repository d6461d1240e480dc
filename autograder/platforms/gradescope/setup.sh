#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image. It installs Python and the exact versions of the
# packages that grading needs.
set -euo pipefail
root=${AUTOGRADER_ROOT:-/autograder}
export DEBIAN_FRONTEND=noninteractive

newest() {
    for name in python3.14 python3.13 python3.12 python3.11; do
        # The command may be a broken link, and Debian and Ubuntu have Pythons that cannot make an environment.
        if "$name" -c 'import ensurepip, venv' 2>/dev/null; then
            echo "$name"
            return
        fi
    done
    return 1
}

if ! newest >/dev/null; then
    apt-get update
    apt-get install -y --no-install-recommends python3.13 python3.13-venv ||
        apt-get install -y --no-install-recommends python3.12 python3.12-venv ||
        apt-get install -y --no-install-recommends python3.11 python3.11-venv
fi

"$(newest)" -m venv "$root/env"
"$root/env/bin/python" -m pip install --no-cache-dir --only-binary :all: -r "$root/source/requirements.txt"
"$root/env/bin/python" -m compileall -q "$root/source"
# Student code may run as another user, who must be able to run this Python.
chmod -R go+rX "$root/env"
