"""Hostile archives, and hostile files beside the one that is handed in. Each function writes one."""

import os, zipfile


# Attack: zip entries ../../evil.py, /abs.py, C:\evil.py, a\..\b, duplicate and case-colliding names.
# Must:   refuse: every member must resolve inside the target, be a regular file with an allowed name; unpack with a size budget.
def zip_slip(path):
    with zipfile.ZipFile(path, "w") as z:
        for n in ("agent.py", "../../evil.py", "/tmp/abs_evil.py", "C:\\evil.py", "a\\..\\..\\b.py", "AGENT.PY", "agent.py", "x/" * 300 + "deep.py", "con.py", "nul\u0000.py"):
            z.writestr(zipfile.ZipInfo(n), "def search(state): return None\n")


# Attack: zip with a symlink entry to /etc/passwd and to ../reference, and a file written through a symlinked directory.
# Must:   symlink entries refused.
def zip_symlink(path):
    with zipfile.ZipFile(path, "w") as z:
        for n, t in (("agent.py", "/etc/passwd"), ("ref", "../../reference"), ("d", "/tmp")):
            i = zipfile.ZipInfo(n); i.create_system = 3; i.external_attr = (0o120777 << 16); z.writestr(i, t)
        z.writestr("d/through_link.py", "x=1")


# Attack: 128 MiB of zeros in 128 KiB, plus 65 000 tiny members.
# Must:   budget on total bytes actually read, on ratio and on member count; never trust file_size.
def zip_bomb(path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as z:
        with z.open("agent.py", "w", force_zip64=True) as f:
            for _ in range(128): f.write(b"\0" * (1 << 20))
        for i in range(5000): z.writestr(f"f{i}.py", "")


# Attack: student ids and file names with newlines, commas, quotes, leading =, -rf, 300 bytes, non-UTF-8.
# Must:   ids are validated against an allow-list pattern; paths never pass through a shell; CSV quoted.
NAMES = ["=1+1.py", "-rf.py", "a\nb.py", 'a","b.py', "x" * 251 + ".py", b"\xff\xfe.py", "..", "CON", "$(id).py", "agent.py\u200b"]
def hostile_names(directory):
    for n in NAMES:
        try:
            p = os.path.join(os.fsencode(directory), n if isinstance(n, bytes) else os.fsencode(n))
            open(p, "w").write("def search(state): return None\n")
        except (OSError, ValueError): pass


# Attack: ships agent.yaml with !!python/object/apply and an alias bomb (build_extra(path) writes it).
# Must:   yaml.safe_load only, size cap, alias cap; student YAML parsed in the child.
EVIL = "agent: !!python/object/apply:os.system [\"touch PWNED_BY_YAML\"]\n"
BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(f"{c}: &{c} [{','.join(['*' + p] * 9)}]\n" for p, c in zip("abcdefgh", "bcdefghi"))
def yaml_tags(directory):
    open(os.path.join(directory, "agent.yaml"), "w").write(EVIL)
    open(os.path.join(directory, "bomb.yaml"), "w").write(BOMB)


# Attack: ships random.py, json.py, struct.py, sitecustomize.py, conftest.py beside the agent.
# Must:   python -I / explicit loader: submission directory never on sys.path ahead of the stdlib; harness imports everything before.
def shadow_stdlib(directory):
    for n in ("random.py", "json.py", "struct.py", "copy.py", "sitecustomize.py", "usercustomize.py", "conftest.py", "numpy.py"):
        open(os.path.join(directory, n), "w").write("print('SHADOWED', __name__)\ndumps = loads = pack = deepcopy = lambda *a, **k: b'{}'\n")
