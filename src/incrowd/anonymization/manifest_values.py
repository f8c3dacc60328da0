"""The values of models and hierarchies that a manifest may hold: those that the data show."""

from collections.abc import Collection, Mapping

from incrowd.release import Ladders, Plain


def shown_model(model: Plain, shown: Mapping[str, Collection[str | None]]) -> Plain:
    """Return a model for the manifest: of an order or a policy of values only what the data show, by column."""
    [(name, parameters)] = model.items()
    if not {"order", "policy"} & set(parameters):
        return model
    column = parameters["column"]
    seen = shown[column if isinstance(column, str) else column[0]]
    cut = dict(parameters)
    if "order" in cut:
        cut["order"] = [value for value in cut["order"] if value in seen]
    if "policy" in cut:
        cut["policy"] = [row for row in cut["policy"] if row[0] in seen]
    return {name: cut}


def shown_ladders(ladders: Ladders, shown: Mapping[str, Collection[str | None]]) -> Ladders:
    """Return ladders for the manifest: only the values that the data show, by column."""
    return {column: tuple(row for row in rows if row[0] in shown[column]) for column, rows in ladders.items()}
