"""incrowd serve"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from incrowd.errors import UsageError

if TYPE_CHECKING:
    from incrowd.rest.access import Access

ORDER = 140

Listed = list[str] | None


def _option(help: str, metavar: str, **more: Any) -> Any:
    return typer.Option(help=help, metavar=metavar, show_default=False, **more)


def serve(
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="NUMBER", help="Port; 0 for any free one.", min=0, max=65535)] = 8080,
    workspace: Annotated[
        str | None, _option("Folder for files and runs (default: ~/.local/share/incrowd).", "FOLDER")
    ] = None,
    api_only: Annotated[bool, typer.Option("--api-only", help="Serve the REST API (/v1) without the web app.")] = False,
    keys: Annotated[str | None, _option("Require API keys; this file holds their hashes.", "FILE")] = None,
    add_key: Annotated[
        str | None, _option("Create an API key for this user, add its hash to the file of --keys, and exit.", "NAME")
    ] = None,
    user_header: Annotated[
        str | None, _option("Header in which a reverse proxy names the user; needs --behind-proxy.", "NAME")
    ] = None,
    behind_proxy: Annotated[Listed, _option("Address of the reverse proxy; may be repeated.", "ADDRESS")] = None,
    server_name: Annotated[
        Listed, _option("Host name under which the service is reached; may be repeated.", "NAME")
    ] = None,
    allow_host: Annotated[
        Listed,
        _option("Database server the service may connect to (default: none); may be repeated.", "HOST[:PORT]"),
    ] = None,
    workers: Annotated[int, typer.Option(metavar="NUMBER", help="Number of runs at a time.", min=1, max=256)] = 2,
    memory: Annotated[int, typer.Option(metavar="MIB", help="Memory limit of a run; 0 for none.", min=0)] = 4096,
    time: Annotated[float, typer.Option(metavar="SECONDS", help="Time limit of a run.", min=1)] = 3600,
    upload: Annotated[int, typer.Option(metavar="MIB", help="Size limit of an upload.", min=1)] = 512,
    waiting: Annotated[int, typer.Option(metavar="NUMBER", help="Number of runs that may wait.", min=1)] = 200,
    open_browser: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the web app in the browser.", show_default=False)
    ] = False,
) -> None:
    """Serve the web app and the REST API (/v1).

    Listens on this machine only; any other address requires authentication.
    """
    if add_key is not None:
        _add_key(keys, add_key)
        return
    _refuse_lacking(api_only)
    from incrowd.rest.serving import listen
    from incrowd.rest.serving import serve as run
    from incrowd.service import Limits, Workspace
    from incrowd.service.sources import Host

    hosts = tuple(Host.of(each) for each in allow_host or ())
    limits = Limits(upload=upload << 20, memory=memory << 20, seconds=time, waiting=waiting, hosts=hosts)
    access = _access(host, keys, user_header, behind_proxy, server_name)
    at = listen(host, port, access)
    space = Workspace.open(workspace, limits)
    mount = None if api_only else _pages()

    def ready(url: str) -> None:
        print(f"{'Web app' if mount else 'Service'}: {url if mount else url + 'v1/openapi.json'}")
        print(f"Workspace: {space.folder}")
        print("Press Ctrl-C to stop. Unfinished runs restart next time.", flush=True)
        if open_browser and mount:
            import webbrowser

            webbrowser.open(url)

    run(space, access, at, workers, mount, ready)


def _access(
    host: str,
    keys: str | None,
    user_header: str | None,
    behind_proxy: Listed,
    server_name: Listed,
) -> Access:
    from incrowd.rest.access import Access, read_keys
    from incrowd.rest.serving import hosts_for

    if (user_header is None) != (not behind_proxy):
        raise UsageError.invalid(
            "--user-header and --behind-proxy",
            "a header is trusted only from a proxy",
            "give both: --user-header X-Forwarded-User --behind-proxy 127.0.0.1",
        )
    found = Access(read_keys(keys) if keys else {}, user_header, tuple(behind_proxy or ()))
    return replace(found, hosts=hosts_for(host, found, tuple(server_name or ())))


def _add_key(keys: str | None, name: str) -> None:
    from incrowd.rest.access import add_key

    if keys is None:
        raise UsageError.invalid("--add-key", "no file is named for its hash", "give --keys FILE as well")
    print(f"Key of {name} (shown only once): {add_key(keys, name)}")


def _refuse_lacking(api_only: bool) -> None:
    from importlib.util import find_spec

    if find_spec("fcntl") is None:
        raise UsageError.not_on_this_system()
    needed = ("fastapi", "uvicorn", "python_multipart", *(() if api_only else ("nicegui",)))
    lacking = [name for name in needed if find_spec(name) is None]
    if lacking:
        raise UsageError.invalid(
            "serve", f"it needs {', '.join(lacking)}, not installed", "run: pip install 'incrowd[serve]'"
        )


def _pages() -> Any:
    """Return the function that mounts the web app."""
    from incrowd.web import mount

    return mount
