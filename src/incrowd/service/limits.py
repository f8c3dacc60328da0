"""Limits of the service: one user or file must not stop it for all others."""

from dataclasses import dataclass, fields

from incrowd.service.sources import Host

_MIB = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Limits of a workspace and of a run."""

    upload: int = 512 * _MIB
    """Bytes of one file."""
    unpacked: int = 8192 * _MIB
    """Bytes of one file once it is unpacked: a small archive can stand for a disk full."""
    request: int = 4 * _MIB
    """Bytes of a job or any other request."""
    stored: int = 20 * 1024 * _MIB
    """Bytes of all files and runs of one owner: what was uploaded, asked for and made."""
    files: int = 1000
    """Files of one owner."""
    runs: int = 5000
    """Runs of one owner that are kept."""
    waiting: int = 200
    """Runs that wait, of all owners."""
    waiting_each: int = 100
    """Runs that wait, of one owner."""
    memory: int = 4096 * _MIB
    """Bytes of address space of a worker process; 0 for no limit."""
    seconds: float = 3600.0
    """Time limit of a run (seconds), after which it is asked to stop with its best result so far."""
    grace: float = 10.0
    """Seconds that a run has to stop once asked, before its process is killed."""
    looking: float = 120.0
    """Time limit for probing an upload or a table of a database (seconds)."""
    starts: int = 5
    """Number of times a run is restarted if the server was killed during it."""
    hosts: tuple[Host, ...] = ()
    """Servers whose databases users may name; the service connects to no other host."""

    @property
    def numbers(self) -> dict[str, float]:
        """Return the limits that users see."""
        plain = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "hosts"}
        return {**plain, "databases": bool(self.hosts)}
