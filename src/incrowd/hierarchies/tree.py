"""Explicit trees: groups of groups of values, nested as deep as one likes, given as such or in a YAML or JSON file."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa

from incrowd.core.hierarchy import Hierarchy, plain, text_forms
from incrowd.errors import HierarchyError, SourceError, UsageError
from incrowd.files.whole import PUBLIC, write_text
from incrowd.hierarchies._files import text_of
from incrowd.hierarchies._numbers import with_spans
from incrowd.hierarchies._rungs import TOP, titled

FILE_SUFFIXES = (".yaml", ".yml", ".json")

Content = Mapping[str, Any] | Sequence[Any]

LISTS_VALUES = True

_SHAPE = "write it as {Europe: [Austria, Italy], America: [Chile]}, as deep as you like"


@dataclass(frozen=True)
class Node:
    """A label, and what it joins; a node that joins nothing is a value."""

    label: str
    children: tuple["Node", ...] = ()

    @cached_property
    def height(self) -> int:
        """The first level on which the node's label is used."""
        return 1 + max(child.height for child in self.children) if self.children else 0


def build(
    values: pa.Array,
    *,
    name: str = "unnamed",
    groups: Content | None = None,
    path: str | Path | None = None,
    other: str | None = None,
) -> Hierarchy:
    """Build the hierarchy of a tree: `groups` are {label: {label: [values]}}, or in a file at `path`.

    Several labels at the outside are joined by a top of their own. Branches may differ in depth: a node is used from
    the level on that its deepest branch needs, so a shallow value takes its group's label on level 1 and keeps it
    until the deeper branches have caught up; a value beside groups stays itself until they are joined. Values that
    are not listed go where the tree has `other`, or beside its outermost groups.
    """
    listed = _hierarchy(name, groups, path, other)
    return with_spans(listed if other is None else _with_others(listed, values, other))


def check(
    *,
    name: str = "unnamed",
    groups: Content | None = None,
    path: str | Path | None = None,
    other: str | None = None,
) -> None:
    """Refuse groups that are no tree."""
    _hierarchy(name, groups, path, other)


def save(hierarchy: Hierarchy, path: str | Path, replace: bool = False) -> None:
    """Write a hierarchy as a tree in YAML, which gives the same one when it is read; the file is whole or not there."""
    import yaml

    if hierarchy.lists_missing:
        raise UsageError.invalid(
            str(path), "the hierarchy has labels for missing values, which a tree cannot say", "save it as .csv"
        )
    top = next(tree for short in (True, False) if _is_same(tree := _nested(hierarchy.rows, short), hierarchy))
    shown = yaml.safe_dump(top, allow_unicode=True, sort_keys=False, default_flow_style=False, width=10**9)
    write_text(Path(path), shown, PUBLIC, replace)


def _is_same(tree: Content, hierarchy: Hierarchy) -> bool:
    """Return whether a tree gives the rows of a hierarchy, in whatever order; shallow branches may not."""
    try:
        return set(_hierarchy("", tree, None, None).rows) == set(hierarchy.rows)
    except HierarchyError:
        return False


def _nested(rows: Sequence[Sequence[str]], short: bool) -> Content:
    """Return rows as groups of groups; in the short form a value that is still itself is no group."""

    def below(members: Sequence[Sequence[str]], level: int) -> list[Any]:
        if level == 0:
            return [row[0] for row in members]
        groups: dict[str, list[Sequence[str]]] = {}
        for row in members:
            groups.setdefault(row[level], []).append(row)
        inside = {label: below(of, level - 1) for label, of in groups.items()}
        return [label if short and of == [label] else {label: of} for label, of in inside.items()]

    height = len(rows[0]) - 1
    return {rows[0][height]: below(rows, height - 1)}


def _with_others(listed: Hierarchy, values: pa.Array, other: str) -> Hierarchy:
    """Return the hierarchy with rows for the values that it does not list: those of `other`, which they become."""
    known = set(listed.values)
    forms = [text_forms(value) for value in plain(values)]
    strangers = sorted(each[0] for each in forms if known.isdisjoint(each))
    [row] = [row for row in listed.rows if row[0] == other]
    return Hierarchy.from_rows([*listed.rows, *((stranger, *row[1:]) for stranger in strangers)])


def _hierarchy(name: str, groups: Content | None, path: str | Path | None, other: str | None) -> Hierarchy:
    if (groups is None) == (path is None):
        wrong = "neither groups nor a path is given" if groups is None else "both groups and a path are given"
        raise UsageError.invalid("tree", wrong, "give one of them")
    title = titled(name) if path is None else str(path)
    try:
        roots = _nodes(title, groups if path is None else _read(Path(path), name))
        if other is not None and other not in _values(roots):
            roots = _beside(roots, Node(_label(title, other)))
        rows = _rows(roots[0] if len(roots) == 1 and roots[0].children else Node(TOP, tuple(roots)))
    except RecursionError:
        raise UsageError.invalid(title, "it is nested too deeply, or within itself", _SHAPE) from None
    if not roots:
        raise HierarchyError.empty(title)
    return Hierarchy.from_rows(rows, name=title)


def _nodes(title: str, content: Any) -> list[Node]:
    """Return the nodes that a mapping or a list describes."""
    if content is None or content == "":
        return []
    if isinstance(content, Mapping):
        return [Node(_label(title, label), tuple(_nodes(title, inside))) for label, inside in content.items()]
    if isinstance(content, Sequence) and not isinstance(content, str):
        nested = [_nodes(title, each) if isinstance(each, Mapping) else [Node(_label(title, each))] for each in content]
        return [node for nodes in nested for node in nodes]
    return [Node(_label(title, content))]


def _label(title: str, given: object) -> str:
    if given is None or given == "" or isinstance(given, Mapping | list | tuple):
        raise _misshapen(title)
    return text_forms(given)[0]


def _misshapen(title: str) -> UsageError:
    return UsageError.invalid(title, "a label or value is empty, or a list is directly inside a list", _SHAPE)


def _beside(roots: Sequence[Node], value: Node) -> list[Node]:
    """Return the tree with a value beside its outermost groups, below the top if it has one of its own."""
    if len(roots) == 1 and roots[0].children:
        return [Node(roots[0].label, (*roots[0].children, value))]
    return [*roots, value]


def _values(nodes: Sequence[Node]) -> set[str]:
    """Return the values below nodes."""
    return {node.label for node in nodes if not node.children}.union(*(_values(node.children) for node in nodes))


def _rows(node: Node) -> list[tuple[str, ...]]:
    """Return each value below a node with its label on every level up to the node's own."""
    if not node.children:
        return [(node.label,)]
    rows = []
    for child in node.children:
        for row in _rows(child):
            # The child's label stays until its siblings have caught up.
            rows.append((*row, *[child.label] * (node.height - child.height - 1), node.label))
    return rows


def _read(path: Path, name: str) -> Any:
    text = text_of(path, name)
    return _from_json(path, text) if path.suffix.lower() == ".json" else _from_yaml(path, text)


def _from_json(path: Path, text: str) -> Any:
    def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        _refuse_repeated(path, [label for label, _ in pairs])
        return dict(pairs)

    try:
        return json.loads(text, object_pairs_hook=each_once, parse_int=str, parse_float=str)
    except json.JSONDecodeError as error:
        raise SourceError.of(path, f"line {error.lineno} is not valid JSON", "correct it") from None


def _from_yaml(path: Path, text: str) -> Any:
    import yaml

    class Loader(yaml.BaseLoader):
        """Refuses what no tree has where it begins: lists in lists take PyYAML the square of their depth."""

        def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
            is_label = isinstance(parent, yaml.MappingNode) and index is None
            in_list = isinstance(parent, yaml.SequenceNode)
            refused = yaml.CollectionStartEvent if is_label else yaml.SequenceStartEvent
            if (is_label or in_list) and self.check_event(refused):
                raise _misshapen(str(path))
            found = super().compose_node(parent, index)
            if is_label and not isinstance(found, yaml.ScalarNode):
                raise _misshapen(str(path))
            return found

    seen: set[int] = set()

    def texts(node: yaml.Node) -> Any:
        if not isinstance(node, yaml.CollectionNode):
            return node.value
        # Each alias could stand for all that stands above it: a few lines for more than any memory holds.
        if id(node) in seen:
            raise SourceError.of(path, "an alias (*) repeats a group", "write every group where it belongs, once")
        found: Any
        if isinstance(node, yaml.MappingNode):
            _refuse_repeated(path, [str(label.value) for label, _ in node.value])
            found = {str(label.value): texts(inside) for label, inside in node.value}
        else:
            found = [texts(each) for each in node.value]
        seen.add(id(node))
        return found

    try:
        # Every scalar stays the text it is: no country becomes False, no code with leading zeros a number.
        node = yaml.compose(text, Loader)
    except yaml.YAMLError as error:
        # The parser's own message quotes the line.
        at = getattr(error, "problem_mark", None)
        raise SourceError.of(path, f"line {at.line + 1 if at else 1} is not valid YAML", "correct it") from None
    return None if node is None else texts(node)


def _refuse_repeated(path: Path, labels: list[str]) -> None:
    twice = len(labels) - len(set(labels))
    if twice:
        raise SourceError.of(
            path, f"{twice} of its labels occur twice in one group", "join their values under one label"
        )
