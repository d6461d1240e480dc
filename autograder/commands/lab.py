"""`python -m autograder lab`: opens the lab, a page in which students write searches; or writes it as a site."""

from __future__ import annotations

import sys
import tempfile
import webbrowser
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Annotated

import typer

from autograder.pages.lab import POLICY
from pacman.commands.app import as_started, opt
from pacman.core.errors import InputError, counted, reason_of
from pacman.environment import variables

FIRST_PORT = 8000


def lab(
    assignment: Annotated[str, opt("Assignment of the lab: a name, or a folder.", "NAME")] = "multiagent",
    out: Annotated[Path | None, opt("Write the site to this folder, for a web server.", "SITE", "--out", "-o")] = None,
    serve: Annotated[Path | None, opt("Serve a site that --out has written.", "SITE")] = None,
    port: Annotated[
        int | None, opt("Use this port, not 8000 or a free one; 0: a free one.", "N", min=0, max=65535, hidden=True)
    ] = None,
    no_browser: Annotated[bool, opt("Do not open the browser.", None, "--no-browser", hidden=True)] = False,
    pyodide: Annotated[Path | None, opt("Take the npm package `pyodide` from this folder.", hidden=True)] = None,
    ace: Annotated[Path | None, opt("Take the npm package `ace-builds` from this folder.", hidden=True)] = None,
) -> None:
    """Open the lab: a page in which students write searches, with Python in the browser, on this machine only.

    It needs Python for browsers and an editor from npm: the first run prints the one command that gets them. With
    --out, the command writes the site for any web server, for example GitHub Pages. The site contains the open cases
    of the assignment, but no hidden case, no key and no solutions. If the stub earns points, or if a file contains the
    text of a solution, the command writes nothing. The page sends nothing anywhere; points count only from the grader.

    \b
    Examples:
      python -m autograder lab
      python -m autograder lab --out site
      python -m autograder lab --serve site --port 8080
    """
    if serve is not None:
        if out is not None:
            raise InputError("--serve and --out: expected one of them; --serve shows a site that --out has written")
        _serve(serve, port, not no_browser)
        return
    if out is not None:
        cases = _write(assignment, pyodide, ace, out)
        typer.echo(f"{out}: {cases}. To try it: {as_started(f'python -m autograder lab --serve {out}')}")
        return

    from autograder.sandbox.work_folder import exits_in_order

    with exits_in_order(), tempfile.TemporaryDirectory() as folder:
        _write(assignment, pyodide, ace, Path(folder))
        _serve(Path(folder), port, not no_browser)


def _write(name: str, pyodide: Path | None, ace: Path | None, site: Path) -> str:
    """Writes the site of an assignment; how many cases it has, in words."""
    from autograder.commands.checks import check_stub
    from autograder.commands.progress import cache_folder
    from autograder.pages.lab.site import compile_modules, npm_folders, write_site
    from autograder.platforms import load_assignment

    assignment, _ = load_assignment(name, None)
    check_stub(assignment)
    if pyodide is None or ace is None:
        kept_pyodide, kept_ace = npm_folders((cache_folder() or Path()) / "npm")
        pyodide, ace = pyodide or kept_pyodide, ace or kept_ace
    cases = write_site(assignment, pyodide, ace, site)
    if problem := compile_modules(site):
        typer.echo(f"Python in the page starts more slowly, because its modules are not compiled: {problem}", err=True)
    return counted(cases, "case")


class _Handler(SimpleHTTPRequestHandler):
    """Serves the files of a site, each with its type, and with the policy of the page."""

    extensions_map = dict(SimpleHTTPRequestHandler.extensions_map)  # noqa: RUF012
    extensions_map |= {".mjs": "text/javascript", ".js": "text/javascript", ".css": "text/css"}
    extensions_map[".wasm"] = "application/wasm"

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *arguments: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    """Says nothing when a browser ends a connection early, as it does when a worker is ended while it loads."""

    def handle_error(self, request: object, client_address: object) -> None:
        pass


def _serve(site: Path, port: int | None, browser: bool) -> None:
    """Serves a site until the user ends it. InputError if there is none, or if the port is taken."""
    if not (site / "index.html").is_file():
        raise InputError(f"--serve {site}: no file index.html; expected a folder that `lab --out` has written")
    handler = partial(_Handler, directory=str(site))
    try:
        server = _Server(("127.0.0.1", FIRST_PORT if port is None else port), handler)
    except OSError as error:
        if port is not None:
            raise InputError(f"--port {port}: {reason_of(error)}; choose another one") from None
        server = _Server(("127.0.0.1", 0), handler)
    with server:
        address = f"http://127.0.0.1:{server.server_port}/"
        typer.echo(f"{address} (end with Ctrl-C)")
        if browser and _has_screen():
            webbrowser.open(address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            typer.echo("")


def _has_screen() -> bool:
    """True if a person sees this terminal and has a screen: without one, a browser in text mode would open."""
    values = variables()
    has_windows = sys.platform in ("win32", "darwin") or bool(values.get("DISPLAY") or values.get("WAYLAND_DISPLAY"))
    return sys.stdout.isatty() and has_windows
