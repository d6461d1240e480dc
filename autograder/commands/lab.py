"""`python -m autograder lab`: writes the lab, the site in which students write a search; or serves it for a try."""

from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Annotated

import typer

from autograder.pages.lab import POLICY
from pacman.commands.started_as import as_started
from pacman.core.errors import InputError


def lab(
    assignment: Annotated[
        str, typer.Option("--assignment", metavar="NAME", help="Assignment of the lab: a name, or a folder.")
    ] = "multiagent",
    pyodide: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the npm package `pyodide`: `npm pack pyodide`.")
    ] = None,
    ace: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the npm package `ace-builds`: `npm pack ace-builds`.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="SITE", help="Write the site to this folder.")
    ] = None,
    serve: Annotated[
        Path | None, typer.Option(metavar="SITE", help="Serve this site on this machine, until you press Ctrl-C.")
    ] = None,
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="With --serve: use this port; 0: any free one.")
    ] = 8000,
) -> None:
    """Write the lab: a site in which students write searches, with Python in the browser. It needs no installation.

    Any web server can serve the folder. It contains the open cases of the assignment, but no hidden case, no key and no
    solutions. If the stub earns points, or if a file contains the text of a solution, the command writes nothing. The
    page sends nothing anywhere; points count only from the grader.

    \b
    Examples:
      python -m autograder lab --pyodide pyodide/package --ace ace/package --out site
      python -m autograder lab --serve site
    """
    if serve is not None:
        _serve(serve, port)
        return
    if pyodide is None or ace is None or out is None:
        raise InputError("expected --pyodide DIR, --ace DIR and --out SITE; or --serve SITE")
    from autograder.commands.stub_check import check_stub
    from autograder.judge.points_as_text import counted
    from autograder.pages.lab.site import compile_modules, write_site
    from autograder.platforms import load_assignment

    loaded, api = load_assignment(assignment, None)
    check_stub(loaded, api)
    cases = write_site(loaded, api.name, pyodide, ace, out)
    if problem := compile_modules(out):
        typer.echo(f"Python in the page starts more slowly, because its modules are not compiled: {problem}", err=True)
    command = as_started(f"python -m autograder lab --serve {out}")
    typer.echo(f"{out}: {counted(cases, 'case')}. To try it: {command}")


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


def _serve(site: Path, port: int) -> None:
    """Serves a site until the user ends it. InputError if there is none, or if the port is taken."""
    if not (site / "index.html").is_file():
        raise InputError(f"--serve {site}: no file index.html; expected a folder that `lab --out` has written")
    try:
        server = _Server(("127.0.0.1", port), partial(_Handler, directory=str(site)))
    except OSError as error:
        raise InputError(f"--port {port}: {(error.strerror or str(error)).lower()}; choose another one") from None
    with server:
        typer.echo(f"http://127.0.0.1:{server.server_port}/ (end with Ctrl-C)")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            typer.echo("")
