"""How much the service takes, so that one user or file cannot stop it for all others."""

from dataclasses import dataclass, fields

from incrowd.service.sources import Host

_MIB = 1 << 20


@dataclass(frozen=True)
class Limits:
    """What a workspace holds and what a run may use."""

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
    """How long a run may take before it is asked to end with the best that it has."""
    grace: float = 10.0
    """How long a run that was asked to end may take to do so before its process is killed."""
    looking: float = 120.0
    """How many seconds it may take to see what an upload, or a table of a database, is."""
    starts: int = 5
    """How often a run is begun anew after the server was killed in the middle of it."""
    hosts: tuple[Host, ...] = ()
    """Servers whose databases users may name; the service connects to no other host."""

    @property
    def numbers(self) -> dict[str, float]:
        """What users are shown of them."""
        plain = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "hosts"}
        return {**plain, "databases": bool(self.hosts)}
