"""Authentication: none on your own machine, API keys, or a user named by a reverse proxy."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from secrets import token_urlsafe

from incrowd.errors import IncrowdError, SourceError, UsageError

COOKIE = "incrowd_session"
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
_NAME = re.compile(r"[\w.@+-]{1,100}")
_SESSION_SECONDS = 12 * 3600


class NotKnown(IncrowdError):
    """Authentication is required."""


@dataclass(frozen=True)
class Access:
    """Authentication of users; without keys and header there is a single user."""

    keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Name of the holder by the SHA-256 of a key."""
    header: str | None = None
    """Header in which a reverse proxy names the user."""
    proxies: tuple[str, ...] = ()
    """Addresses of proxies from which that header is trusted."""
    hosts: tuple[str, ...] = ()
    """Host names the service answers to; empty for all."""
    sessions: Sessions = field(default_factory=lambda: Sessions(), repr=False)

    @property
    def is_open(self) -> bool:
        """Return whether there is no authentication."""
        return not self.keys and self.header is None

    def owner(self, headers: Mapping[str, str], peer: str, session: str | None = None) -> str:
        """Return the user whose files and runs a request may see."""
        if self.is_open:
            return ""
        if self.header is not None and peer in self.proxies:
            named = headers.get(self.header.lower(), "")
            if _NAME.fullmatch(named):
                return f"user:{named}"
        owner = self.of_key(_key(headers)) or (self.sessions.owner(session) if session else None)
        if owner is None:
            raise NotKnown("authentication required; send an API key as 'Authorization: Bearer KEY'")
        return owner

    def of_key(self, key: str) -> str | None:
        """Return the holder of a key; all keys are compared, to keep the time constant."""
        digest, found = hashed(key), None
        for known, name in self.keys.items():
            if hmac.compare_digest(known, digest):
                found = f"key:{name}"
        return found


class Sessions:
    """Sessions of browsers that showed a key; only hashes of cookies are kept, in memory."""

    def __init__(self) -> None:
        self._owners: dict[str, tuple[str, float]] = {}
        self._lock = threading.Lock()

    def begin(self, owner: str) -> str:
        """Return the cookie of a new session."""
        token, now = token_urlsafe(32), time.time()
        with self._lock:
            self._owners = {each: of for each, of in self._owners.items() if of[1] > now}
            self._owners[hashed(token)] = (owner, now + _SESSION_SECONDS)
        return token

    def owner(self, token: str) -> str | None:
        """Return the user of a session."""
        owner, until = self._owners.get(hashed(token), (None, 0.0))
        return owner if until > time.time() else None

    def end(self, token: str) -> None:
        """End a session."""
        with self._lock:
            self._owners.pop(hashed(token), None)


def hashed(key: str) -> str:
    """Return the hash of a key; keys are long and random, so one round is enough."""
    return hashlib.sha256(key.encode(errors="replace")).hexdigest()


def _key(headers: Mapping[str, str]) -> str:
    scheme, _, key = headers.get("authorization", "").partition(" ")
    return key.strip() if scheme.lower() == "bearer" else headers.get("x-api-key", "")


def read_keys(path: str) -> dict[str, str]:
    """Read a file of keys: a line each, NAME:SHA-256."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise SourceError.of(
            path, "cannot be read", "create it with: incrowd serve --keys FILE --add-key NAME"
        ) from None
    keys: dict[str, str] = {}
    for at, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, _, digest = line.strip().partition(":")
        if not _NAME.fullmatch(name) or not re.fullmatch(r"[0-9a-f]{64}", digest):
            raise SourceError.of(path, f"line {at} is not NAME:SHA-256", "create it again with --add-key NAME")
        keys[digest] = name
    if not keys:
        raise SourceError.of(path, "it has no keys", "create one with: incrowd serve --keys FILE --add-key NAME")
    return keys


def add_key(path: str, name: str) -> str:
    """Create a key for a name; only its hash is stored, so it is shown once."""
    if not _NAME.fullmatch(name):
        raise UsageError.invalid(f"a key for {name!r}", "not a valid name", "use letters, digits, dots, @, + and -")
    key = f"incrowd_{token_urlsafe(32)}"
    try:
        with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600), "r+b") as file:
            # The last line may lack its end.
            between = b"" if file.read()[-1:] in (b"", b"\n") else b"\n"
            file.write(between + f"{name}:{hashed(key)}\n".encode())
    except OSError as error:
        raise SourceError.of(path, f"cannot be written ({error.strerror})", "name another file (--keys)") from None
    return key


def is_loopback(host: str) -> bool:
    """Return whether host is a loopback address."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def refuse_public(host: str, access: Access) -> None:
    """Raise UsageError for a public address without authentication."""
    if access.is_open and not is_loopback(host):
        raise UsageError.invalid(
            f"listening on {host}",
            "anyone who can reach this address could read all data",
            "require API keys (--keys FILE), or name a reverse proxy's user header (--user-header, --behind-proxy)",
        )
