"""Databases that a user names: which URLs the server connects to for others, and what of them may be told."""

from urllib.parse import parse_qsl, urlsplit

from incrowd.errors import Refused, UsageError

_PARAMETERS = {"sslmode", "connect_timeout", "application_name", "schema", "warehouse", "role", "charset"}
"""What a URL may say behind its question mark; others can name files of the server."""
_SCHEMES = ("postgres", "postgresql", "mysql", "mssql", "oracle", "clickhouse", "trino", "exasol", "snowflake")


def checked_url(url: str, allowed: bool) -> str:
    """A database on a server; refused is what would read a file of this machine or use a login of its own."""
    if not allowed:
        raise Refused("this service connects to no databases; upload a file, or have it started with --databases")
    scheme, separator, _ = url.partition("://")
    if not separator or scheme.lower() not in _SCHEMES:
        raise UsageError.senseless(
            f"a source of the kind {scheme + '://' if separator else 'of a path'}",
            "only databases on a server are named by URL",
            f"upload files; the known URLs begin with {', '.join(f'{each}://' for each in _SCHEMES)}",
        )
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise UsageError.senseless(
            "the URL", "it cannot be read", "write it as scheme://user:password@host/name"
        ) from None
    if not host or "%" in host or port == 0:
        raise UsageError.senseless("the URL", "it names no host", "write it as scheme://user:password@host/name")
    strange = sorted({key for key, _ in parse_qsl(parts.query, keep_blank_values=True)} - _PARAMETERS)
    if strange:
        raise UsageError.senseless(
            f"parameters {', '.join(strange)} of the URL", "they are not taken here", f"there are {sorted(_PARAMETERS)}"
        )
    return url
