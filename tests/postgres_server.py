"""A PostgreSQL server of its own, thrown away afterwards."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote_plus


@contextmanager
def running(programs: Path) -> Iterator[str]:
    """The URL of a server that runs for as long as this does."""
    # The server refuses to run as root, and its user must reach the folder.
    user = unprivileged_user()
    folder = Path(tempfile.mkdtemp(prefix="incrowd-postgres-"))
    if user is not None:
        shutil.chown(folder, user)
    port = free_port()
    # One that must be quoted in a URL.
    password = "pass/wörd@1"
    (folder / "password").write_text(password, encoding="utf-8")
    (folder / "password").chmod(0o644)

    def run(program: str, *arguments: str) -> None:
        subprocess.run([programs / program, "-D", folder / "data", *arguments], user=user, cwd=folder, check=True,
                       stdout=subprocess.DEVNULL)  # fmt: skip

    try:
        run("initdb", "--username=incrowd", f"--pwfile={folder / 'password'}", "--auth=scram-sha-256", "--no-sync",
            "--encoding=UTF8", "--locale=C")  # fmt: skip
        run("pg_ctl", "start", "--wait", f"--log={folder / 'log'}", f"--options=-h 127.0.0.1 -p {port} -k {folder} -F")
        try:
            yield f"postgresql://incrowd:{quote_plus(password)}@127.0.0.1:{port}/postgres"
        finally:
            run("pg_ctl", "stop", "--wait", "--mode=immediate")
    finally:
        shutil.rmtree(folder)


def postgres_programs() -> Path | None:
    """Where the server's programs are; Debian keeps them off the path."""
    on_path = shutil.which("pg_ctl")
    folders = [Path(on_path).parent] if on_path else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return next((folder for folder in reversed(folders) if (folder / "initdb").exists()), None)


def unprivileged_user() -> str | None:
    """Whom root can become to run the server; None where we are not root."""
    if os.geteuid() != 0:
        return None
    # Not on Windows, where no such server is started.
    import pwd

    names = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in ("postgres", "nobody") if name in names)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
