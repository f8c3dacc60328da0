"""Database queries: a single SELECT statement, checked before it is sent."""

from typing import Any

from incrowd.errors import SourceError


def refuse_unless_select(shown: str, query: str, dialect: Any) -> None:
    """Raise SourceError if a query is not a single SELECT statement, or changes data."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import ParseError, SqlglotError

    try:
        # Its parser reads an unknown kind of statement as a command, and logs it.
        first = next((token.token_type for token in sqlglot.tokenize(query, read=dialect)), None)
        begins = first in (sqlglot.TokenType.SELECT, sqlglot.TokenType.WITH, sqlglot.TokenType.L_PAREN)
        statements = [each for each in sqlglot.parse(query, read=dialect) if each is not None] if begins else []
    except (SqlglotError, RecursionError) as error:
        # The parser's own message quotes the query.
        places = error.errors if isinstance(error, ParseError) else []
        raise SourceError.not_a_select(shown, places[0].get("line") if places else None) from None
    changing = (exp.DML, exp.DDL, exp.Into, exp.Command)
    if len(statements) != 1 or not isinstance(statements[0], exp.Query) or statements[0].find(*changing):
        raise SourceError.not_a_select(shown)
