"""A worker process: does one run after another as it is told on standard input, and answers on standard output.

Every line is one JSON object. It ends when its standard input does, so none outlives the server. Nothing that it or a
library prints reaches anybody, because it could hold a record's value.
"""

from __future__ import annotations

import json
import math
import os
import queue
import shutil
import signal
import sys
import threading
from collections.abc import Container
from pathlib import Path
from typing import IO, Any

from incrowd.service.failures import describe_error
from incrowd.service.kinds import kind
from incrowd.service.prober import LOOK
from incrowd.service.references import PREVIEWS, RELEASE
from incrowd.watch import Progress

_KINDS = {
    "job.yaml": "job",
    "command.txt": "command",
    "script.py": "script",
    "mapping.csv": "mapping",
    "hierarchy.csv": "hierarchy",
    PREVIEWS: "previews",
}


class _Interruptible:
    """While a run is on, an interruption that no watch takes ends it; otherwise it means nothing."""

    running = False

    def on_interrupt(self, number: int, frame: object) -> None:
        if self.running:
            raise KeyboardInterrupt


def main() -> None:
    """Serve until standard input ends."""
    answers = _quiet()
    _limit(int(sys.argv[1]))
    os.umask(0o077)
    state = _Interruptible()
    signal.signal(signal.SIGINT, state.on_interrupt)
    tasks: queue.Queue[dict[str, Any]] = queue.Queue()
    threading.Thread(target=_listen, args=(tasks,), daemon=True).start()
    if "looks" not in sys.argv:
        # The first run should not wait for these.
        import incrowd.anonymization
        import incrowd.api  # noqa: F401
    while True:
        task = tasks.get()
        _say(answers, _looked(task) if task["kind"] == LOOK else _done(task, answers, state))


def _looked(task: dict[str, Any]) -> dict[str, Any]:
    """Probe an upload, the tables of a file, or a database."""
    from incrowd.service import uploads
    from incrowd.service.limits import Limits

    try:
        if "url" in task:
            return {"result": {"columns": _connected(task["url"], task["table"], task["query"])}}
        path = Path(task["path"])
        if "of" in task:
            return {"result": {"tables": uploads.tables_in(path, task["of"])}}
        return {"result": uploads.look(path, task["name"], task["purpose"], Limits(**task["limits"]))._asdict()}
    except Exception as error:
        return {"error": describe_error(error)}


def _connected(url: str, table: str | None, query: str | None) -> int:
    from incrowd.api import read

    return len(read(url, table=table, query=query).columns)


def _quiet() -> IO[str]:
    """Reserve standard output for answers; drop everything that is printed."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    return answers


def _limit(memory: int) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def _listen(tasks: queue.Queue[dict[str, Any]]) -> None:
    """Read tasks in a thread; the end of the server ends a run too."""
    for line in sys.stdin:
        tasks.put(json.loads(line))
    os._exit(0)


def _say(answers: IO[str], plain: dict[str, Any]) -> None:
    answers.write(json.dumps(plain, allow_nan=False) + "\n")
    answers.flush()


def _done(task: dict[str, Any], answers: IO[str], state: _Interruptible) -> dict[str, Any]:
    """Do one run; return its result."""
    folder, secrets = Path(task["folder"]), task["secrets"]
    os.chdir(folder)

    def show(progress: Progress) -> None:
        share = progress.share
        _say(answers, {"share": share if share is None or math.isfinite(share) else None, "words": progress.words})

    try:
        state.running = True
        _say(answers, {"begun": task["kind"]})
        for name, path in task["links"].items():
            os.symlink(path, name)
        result = kind(task["kind"]).run(task["request"], show)
        state.running = False
        _without_secrets(folder, secrets)
        return {"result": _plain(result, folder, secrets), "artefacts": _artefacts(folder, task["links"])}
    except BaseException as error:
        state.running = False
        if isinstance(error, KeyboardInterrupt):
            return {"error": {"code": "cancelled", "message": "the run was cancelled", "hint": ""}}
        more = error.to_dict() if hasattr(error, "to_dict") else None
        return {"error": _plain(describe_error(error), folder, secrets), "result": _plain(more, folder, secrets)}
    finally:
        os.chdir("/")


def _plain(value: Any, folder: Path, secrets: dict[str, str]) -> Any:
    """Return plain data without passwords and without paths of the workspace."""
    if isinstance(value, str):
        for secret, instead in secrets.items():
            value = value.replace(secret, instead)
        return value.replace(f"{folder}/", "").encode(errors="replace").decode()
    if isinstance(value, dict):
        return {_plain(str(key), folder, secrets): _plain(of, folder, secrets) for key, of in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(each, folder, secrets) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, bool | int | float):
        return value
    return value.item() if hasattr(value, "item") else str(value)


def _without_secrets(folder: Path, secrets: dict[str, str]) -> None:
    """Remove passwords and paths of the workspace from the files of a release."""
    for path in folder.iterdir():
        if path.is_symlink() or _kind(path.name) not in ("job", "command", "script", "record", "report"):
            continue
        text = path.read_text(encoding="utf-8")
        clean = text.replace(f"{folder}/", "")
        for secret, instead in secrets.items():
            clean = clean.replace(secret, instead)
        if clean != text:
            path.write_text(clean, encoding="utf-8")


def _artefacts(folder: Path, read: Container[str]) -> list[dict[str, Any]]:
    """Return the files that the run made, and hierarchies that it kept; remove links to its inputs."""
    found = []
    for path in sorted(folder.iterdir()):
        if path.is_symlink():
            path.unlink()
        elif path.is_dir() and path.name == RELEASE:
            found += [_artefact(each, f"{RELEASE}/{each.name}", "") for each in sorted(path.iterdir())]
        elif path.is_dir() or path.name.startswith("."):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        else:
            found.append(_artefact(path, path.name, "hierarchy" if path.name in read else ""))
    return found


def _artefact(path: Path, name: str, kind: str) -> dict[str, Any]:
    path.chmod(0o600)
    return {"name": name, "kind": kind or _kind(name), "size": path.stat().st_size}


def _kind(name: str) -> str:
    if name.startswith(f"{RELEASE}/"):
        return "manifest" if name == f"{RELEASE}/manifest.json" else "table"
    if name.endswith(".manifest.json"):
        return "manifest"
    if name.endswith(".record.json"):
        return "record"
    if name.startswith("report-"):
        return "report"
    if name.startswith("release-sensitive."):
        return "sensitive"
    if name.startswith("table."):
        return "table"
    return "release" if name.startswith("release.") else _KINDS.get(name, "other")


if __name__ == "__main__":
    main()
