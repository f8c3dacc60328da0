"""Databases that users register: the URLs and hosts that the server may connect to."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import SplitResult, parse_qsl, unquote_plus, urlsplit

from incrowd.errors import Refused, UsageError

_PARAMETERS = {"sslmode", "connect_timeout", "application_name", "schema", "charset"}
"""Query parameters allowed in a URL; others can name files and hosts of the server."""
_PORTS = {
    "postgres": 5432,
    "postgresql": 5432,
    "mysql": 3306,
    "mssql": 1433,
    "oracle": 1521,
    "clickhouse": None,
    "trino": 8080,
    "exasol": 8563,
}
"""By the scheme of databases that are reached at the host of the URL and nowhere else, the port where none is named;
None where it depends. Left out are those that make an address of their own from a name, such as Snowflake."""
_QUOTED = ("postgres", "postgresql")
"""Schemes whose driver takes any text as a name; others build a text in which a name could name another host."""
_NAME = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?")
_WRITTEN = "write it as scheme://user:password@host/name"


class Host(NamedTuple):
    """A server that the operator lets the service connect to."""

    name: str
    """A name in lower case, or an address in its shortest form."""
    port: int | None
    """None for every port."""

    @classmethod
    def of(cls, text: str) -> Host:
        """Read HOST or HOST:PORT; the brackets around an IPv6 address may be left out where no port follows."""
        try:
            found = urlsplit(f"//[{text}]" if _is_address(text) and ":" in text else f"//{text}")
            name, port = _settled(found.hostname or ""), found.port
        except ValueError:
            name, port, found = "", None, SplitResult("", "", "", "", "")
        if not name or port == 0 or "@" in text or found[2:] != ("", "", ""):
            raise UsageError.invalid(f"the host {text!r}", "it cannot be read", "write NAME, ADDRESS or NAME:PORT")
        return cls(name, port)


def check_url(url: str, allowed: Iterable[Host]) -> None:
    """Refuse a URL that is not a database on an allowed host, or that would use a file or a login of this machine."""
    scheme, separator, _ = url.partition("://")
    scheme = scheme.lower()
    if not separator or scheme not in _PORTS:
        raise UsageError.invalid(
            f"a source of the kind {scheme + '://' if separator else 'of a path'}",
            "only databases on a server are named by URL",
            f"upload files; the known URLs begin with {', '.join(f'{each}://' for each in _PORTS)}",
        )
    parts, host = _read(url, _PORTS[scheme])
    if not any(host.name == each.name and each.port in (None, host.port) for each in allowed):
        raise Refused(
            "this service may not connect to that host; upload a file, or have it allowed (--allow-host HOST)"
        )
    parameters = parse_qsl(parts.query, keep_blank_values=True)
    strange = sorted({key for key, _ in parameters} - _PARAMETERS)
    if strange:
        raise UsageError.invalid(
            f"parameters {', '.join(strange)} of the URL", "they are not taken here", f"there are {sorted(_PARAMETERS)}"
        )
    texts = [unquote_plus(each or "") for each in (parts.username, parts.password, parts.path)]
    if scheme not in _QUOTED and re.search(r"[^\w .$#!/+-]", "".join([*texts, *(value for _, value in parameters)])):
        raise UsageError.invalid(
            "a text of the URL",
            "it holds a sign that its driver may take for another host",
            "use letters, digits, blanks and . $ # ! / + - _ alone",
        )


def _read(url: str, usual: int | None) -> tuple[SplitResult, Host]:
    """Return the parts of a URL, and its one host."""
    try:
        parts = urlsplit(url)
        name, port = _settled(parts.hostname or ""), parts.port
    except ValueError:
        raise UsageError.invalid("the URL", "it cannot be read", _WRITTEN) from None
    # Readers of URLs do not agree on where a login ends that holds another @.
    if not name or port == 0 or parts.netloc.count("@") > 1 or parts.fragment:
        raise UsageError.invalid("the URL", "it names no host, or several", _WRITTEN)
    return parts, Host(name, port or usual)


def _settled(host: str) -> str:
    """Return a host in the form in which hosts are compared; empty if it is not one."""
    if _is_address(host):
        return ip_address(host).compressed
    return host.lower() if _NAME.fullmatch(host.lower()) else ""


def _is_address(host: str) -> bool:
    try:
        return bool(ip_address(host))
    except ValueError:
        return False


def without_logins(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a worker, without passwords, certificates and tickets for PostgreSQL."""
    kept = {name: value for name, value in environment.items() if not name.startswith("PG")}
    return {
        **kept,
        "PGPASSFILE": os.devnull,
        "PGSERVICEFILE": os.devnull,
        "PGSSLCERTMODE": "disable",
        "PGGSSENCMODE": "disable",
        "PGREQUIREAUTH": "!gss,!sspi",
    }
