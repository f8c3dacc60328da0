"""Queries of databases: a single SELECT statement, judged before any of it is sent."""

from typing import Any

from incrowd.errors import SourceError


def refuse_unless_select(shown: str, query: str, dialect: Any) -> None:
    """Refuse a query that is not one SELECT statement, or that changes data on the way."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import ParseError, SqlglotError

    try:
        # Its parser takes a statement of an unknown kind for a command, and logs it.
        first = next((token.token_type for token in sqlglot.tokenize(query, read=dialect)), None)
        begins = first in (sqlglot.TokenType.SELECT, sqlglot.TokenType.WITH, sqlglot.TokenType.L_PAREN)
        statements = [each for each in sqlglot.parse(query, read=dialect) if each is not None] if begins else []
    except (SqlglotError, RecursionError) as error:
        # The parser's own words quote the query.
        places = error.errors if isinstance(error, ParseError) else []
        raise SourceError.not_a_select(shown, places[0].get("line") if places else None) from None
    changing = (exp.DML, exp.DDL, exp.Into, exp.Command)
    if len(statements) != 1 or not isinstance(statements[0], exp.Query) or statements[0].find(*changing):
        raise SourceError.not_a_select(shown)
