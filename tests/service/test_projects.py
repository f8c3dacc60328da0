"""A table with its settings and runs goes to another workspace in one file: all of it, or nothing."""

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from incrowd.client import Client
from incrowd.errors import IncrowdError, NotThere, SourceError, TooLarge, UsageError
from incrowd.service import Limits, Pool, Workspace, project_settings
from incrowd.service.project_export import discard, export_project
from incrowd.service.project_import import import_project
from incrowd.web.parts.draft import Draft
from service.servers import serving
from service.spaces import PEOPLE, done, everything_in, job_for, opened, upload

LIMITS = Limits()
LEVELS = "a;x;*\nb;x;*\nc;y;*\n"


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Workspace, str]]:
    """A workspace with a table, its settings, a hierarchy and a release."""
    space = opened(tmp_path_factory.mktemp("source") / "space", LIMITS)
    with Pool(space, 1):
        table = upload(space).id
        levels = space.add_file("levels.csv", io.BytesIO(LEVELS.encode()), "", "hierarchy").id
        job = {**job_for(table, models=[{"k_anonymity": {"k": 4}}]), "search": "auto"}
        job["columns"]["disease"] = {"role": "quasi", "hierarchy": {"levels": {"path": levels}}}
        release = done(space, "anonymize", job=job)
        risk = done(space, "risk", file=table, quasi=["age", "sex"])
        done(space, "inspect", file=upload(space, name="other.csv").id)
        # These list original records.
        done(space, "head", file=table)
        done(space, "records", release=release.id)
        notes = space.notes()
        notes.put(f"draft-{table}", {"file": table, "hierarchies": {"disease": levels}, "k": 7})
        notes.put(f"draft-{table}-risk", risk.id)
        assert release.result is not None
        yield space, table
    space.close()


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Workspace]:
    space = opened(tmp_path / "target", LIMITS)
    yield space
    space.close()


def exported(source: tuple[Workspace, str], **options: bool) -> bytes:
    path = export_project(*source, **options)
    try:
        return path.read_bytes()
    finally:
        discard(path)


def imported(space: Workspace, content: bytes, table: str | None = None) -> Any:
    return import_project(space, io.BytesIO(content), table=table)


def nothing_in(space: Workspace) -> bool:
    rows = [space.ledger.number(f"SELECT count(*) FROM {table}") for table in ("files", "runs", "notes", "imported")]
    left = [path for path in everything_in(space.folder) if path.parent.name in ("files", "runs")]
    return rows == [0] * 4 and not left


def test_everything_arrives_under_new_ids(source: tuple[Workspace, str], target: Workspace) -> None:
    space, table = source
    assert {"head", "records"} <= {run.kind for run in space.runs()}
    lists = {run.id for run in space.runs() if run.kind in ("head", "records")}
    before = {
        run.kind: run
        for run in (space.run(each.id) for each in space.runs())
        if table in run.uses and run.id not in lists
    }
    stored = imported(target, exported(source))
    assert stored.name == "people.csv"
    assert stored.id != table
    assert sorted(each.name for each in target.files()) == ["levels.csv", "people.csv"]
    [levels] = [each.id for each in target.files() if each.kind == "hierarchy"]
    runs = {run.kind: run for run in (target.run(each.id) for each in target.runs())}
    assert runs.keys() == before.keys() == {"anonymize", "risk"}
    assert target.notes().get(f"draft-{stored.id}") == {"file": stored.id, "hierarchies": {"disease": levels}, "k": 7}
    assert target.notes().get(f"draft-{stored.id}-risk") == runs["risk"].id
    made, own = runs["anonymize"], before["anonymize"]
    assert made.imported is not None
    assert own.imported is None
    assert made.uses == (stored.id, levels)
    assert made.request["job"]["data"] == {"source": stored.id} or made.request["job"]["data"] == stored.id
    assert made.result == own.result
    assert made.artifacts == own.artifacts
    assert {"record", "previews"} <= {each.kind for each in made.artifacts}
    for each in own.artifacts:
        assert target.artifact(made.id, each.name).read_bytes() == space.artifact(own.id, each.name).read_bytes()
    # What was imported can be used as what was made here.
    with Pool(target, 1):
        assert done(target, "verify", file=made.id).result["verdict"] == "holds"  # type: ignore[index]
        assert done(target, "anonymize", **made.request).result["smallest"] == own.result["smallest"]  # type: ignore[index]


def test_without_the_table_and_what_reverses_a_release(source: tuple[Workspace, str], target: Workspace) -> None:
    content = exported(source, table=False, private_records=False)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        whole = b"".join(archive.read(name) for name in archive.namelist() if name != "project.json")
        plain = json.loads(archive.read("project.json"))
    assert PEOPLE.encode() not in whole
    kinds = {artifact["kind"] for run in plain["runs"] for artifact in run["artifacts"]}
    assert "release" in kinds
    assert kinds.isdisjoint({"record", "mapping", "previews"})
    with pytest.raises(UsageError, match=r"without its table \(people.csv\)"):
        imported(target, content)
    assert nothing_in(target)
    table = upload(target)
    assert imported(target, content, table.id) == table
    assert target.notes().get(f"draft-{table.id}")["k"] == 7
    with Pool(target, 1):
        [made] = [each for each in target.runs() if each.kind == "anonymize"]
        assert done(target, "verify", file=made.id).result["verdict"] in ("holds", "not proven")  # type: ignore[index]


def test_tables_that_are_used_together_keep_their_settings(target: Workspace, tmp_path: Path) -> None:
    space = opened(tmp_path / "several", LIMITS)
    people, visits = upload(space).id, upload(space, name="visits.csv").id
    space.notes().put(
        f"draft-{people}-linked",
        {"children": [{"file": visits, "name": "visits", "of": "people", "here": ["age"], "there": ["age"]}]},
    )
    space.notes().put(f"draft-{visits}", {"file": visits, "k": 3})
    stored = imported(target, exported((space, people)))
    [child] = target.notes().get(f"draft-{stored.id}-linked")["children"]
    assert child["file"] != visits
    assert target.file(child["file"]).name == "visits.csv"
    assert target.notes().get(f"draft-{child['file']}") == {"file": child["file"], "k": 3}
    # Without tables their settings go nowhere.
    again = imported(target, exported((space, people), table=False), stored.id)
    assert again == stored
    space.close()


def test_another_owner_s_table_is_not_exported(source: tuple[Workspace, str]) -> None:
    space, table = source
    with pytest.raises(NotThere):
        export_project(space, table, "somebody")


Change = Callable[[dict[str, Any], dict[str, bytes]], None]


def _changed(content: bytes, change: Change) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    plain = json.loads(members.pop("project.json"))
    change(plain, members)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in {**members, "project.json": json.dumps(plain).encode()}.items():
            archive.writestr(name, text)
    return made.getvalue()


def _artifact(plain: dict[str, Any], kind: str = "release") -> dict[str, Any]:
    made = [each for run in plain["runs"] for each in run["artifacts"]]
    return next(each for each in made if each["kind"] == kind)


def _forged(plain: dict[str, Any], members: dict[str, bytes]) -> None:
    from hashlib import sha256

    content = _artifact(plain)["content"]
    members[content["member"]] += b"x"
    content["size"] += 1
    content["sha256"] = sha256(members[content["member"]]).hexdigest()


def _other_bytes(plain: dict[str, Any]) -> dict[str, bytes]:
    content = _artifact(plain)["content"]
    return {content["member"]: b"?" * content["size"]}


def _bomb(plain: dict[str, Any], members: dict[str, bytes]) -> None:
    content = _artifact(plain)["content"]
    members[content["member"]] = b"0" * 10_000_000


WRONG: dict[str, tuple[Change, str]] = {
    "a file outside": (lambda plain, _: _artifact(plain).update(name="../../../escaped"), "description"),
    "an absolute path": (lambda plain, _: _artifact(plain).update(name="/tmp/escaped"), "description"),
    "a hidden file": (lambda plain, _: _artifact(plain).update(name=".lock"), "description"),
    "a member outside": (lambda plain, _: _artifact(plain)["content"].update(member="../project.json"), "description"),
    "an id outside": (lambda plain, _: plain["runs"][0].update(id="../../x"), "description"),
    "an unknown key": (lambda plain, _: plain.update(more=1), "description"),
    "a later format": (lambda plain, _: plain.update(format=2), "description"),
    "no table": (lambda plain, _: plain.pop("table"), "description"),
    "another hash": (lambda plain, _: _artifact(plain)["content"].update(sha256="0" * 64), "hash"),
    "a changed byte": (lambda plain, members: members.update(_other_bytes(plain)), "hash"),
    "a longer file": (_bomb, "size"),
    "a missing file": (lambda plain, members: members.pop(_artifact(plain)["content"]["member"]) and None, "size"),
    "a forged release": (_forged, "manifest"),
    "a run twice": (lambda plain, _: plain["runs"].append(plain["runs"][0]), "twice"),
    "one name twice": (lambda plain, _: _artifact(plain, "manifest").update(name=_artifact(plain)["name"]), "twice"),
    "a kind that is unknown": (lambda plain, _: plain["runs"][0].update(kind="no_kind"), "unknown"),
    "a request that is none": (lambda plain, _: plain["runs"][0].update(request={"nothing": 1}), "request"),
    "a table that is none": (
        lambda plain, members: _as_table(plain, members, b"\x00\x01\x02" * 100),
        "people.csv",
    ),
}


def _as_table(plain: dict[str, Any], members: dict[str, bytes], content: bytes) -> None:
    from hashlib import sha256

    own = next(each for each in plain["files"] if each["id"] == plain["table"])
    members[own["content"]["member"]] = content
    own["content"].update(size=len(content), sha256=sha256(content).hexdigest())


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_changes_nothing(source: tuple[Workspace, str], target: Workspace, name: str) -> None:
    change, words = WRONG[name]
    with pytest.raises(IncrowdError, match=words) as refused:
        imported(target, _changed(exported(source), change))
    assert "\n" not in str(refused.value)
    assert nothing_in(target)
    assert not [path for path in everything_in(target.folder.parent) if path.name == "escaped"]


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 and no more", b"age,sex\n1,m\n", zipfile.ZipFile])
def test_what_is_no_project_is_refused_in_one_line(target: Workspace, content: Any) -> None:
    if not isinstance(content, bytes):
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w") as archive:
            archive.writestr("other.txt", "x")
        content = made.getvalue()
    with pytest.raises(SourceError, match="project file"):
        imported(target, content)
    assert nothing_in(target)


WRONG_SETTINGS = [
    ("", {"roles": ["age"]}),
    ("", {"roles": {"age": "king"}}),
    ("", {"k": "5"}),
    ("", {"models": [{"distinct_l": {"l": 3}}]}),
    ("", {"prepare": {"rename": 3}}),
    ("", {"inspection": {"records": 3, "columns": [{"name": "age"}]}}),
    ("", {"expert": {"models": 3}}),
    ("", {"details": {"age": {"form": "round"}}}),
    ("", ["not settings"]),
    ("-steps", {"done": [{"window": "w", "at": 0, "changes": [[["k"], [5], ["six"]]]}]}),
    ("-steps", {"done": [{"window": "w", "at": 0, "changes": [[["roles", "age"], [], ["king"]]]}]}),
    ("-linked", {"children": [{"file": 3}]}),
    ("-risk_form", {"field": {"deep": {}}}),
]


@pytest.mark.parametrize(("name", "settings"), WRONG_SETTINGS)
def test_settings_of_other_types_are_refused(
    source: tuple[Workspace, str], target: Workspace, name: str, settings: Any
) -> None:
    def change(plain: dict[str, Any], members: dict[str, bytes]) -> None:
        plain["notes"][plain["table"]][name] = settings

    with pytest.raises(SourceError, match=f"its settings{name} are not those of a table") as refused:
        imported(target, _changed(exported(source), change))
    assert "\n" not in str(refused.value)
    assert "king" not in str(refused.value)
    assert nothing_in(target)


def test_every_setting_of_the_pages_is_known() -> None:
    assert {*project_settings.Settings.model_fields} == {each.name for each in fields(Draft)} - {"file"}


def test_an_encrypted_project_is_refused(source: tuple[Workspace, str], target: Workspace) -> None:
    content = bytearray(exported(source))
    # The flag of the first member, in the directory at the end.
    content[content.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(SourceError, match="encrypted"):
        imported(target, bytes(content))
    assert nothing_in(target)


def test_damage_anywhere_is_refused(source: tuple[Workspace, str], target: Workspace) -> None:
    content = exported(source)
    for at in range(0, len(content), max(1, len(content) // 60)):
        damaged = content[:at] + bytes([content[at] ^ 0xFF]) + content[at + 1 :]
        try:
            imported(target, damaged)
        except IncrowdError:
            assert nothing_in(target)
        else:
            # Some bytes, such as times of members, mean nothing.
            return


def test_limits_hold(source: tuple[Workspace, str], tmp_path: Path) -> None:
    content = exported(source)
    for name, limits in {
        "unpacked": Limits(unpacked=2000),
        "stored": Limits(stored=3000),
        "upload": Limits(upload=500),
        "files": Limits(files=1),
        "runs": Limits(runs=1),
    }.items():
        space = Workspace.open(tmp_path / f"space-{name}", limits)
        with pytest.raises(TooLarge):
            imported(space, content)
        assert nothing_in(space), name
        space.close()


def test_a_server_that_is_killed_leaves_all_or_nothing(
    source: tuple[Workspace, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = exported(source)
    rename = Path.rename
    for entered in (False, True):
        space = Workspace.open(tmp_path / f"{entered}", LIMITS)

        def killed(*_: Any) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            if entered:
                patch.setattr(Path, "rename", lambda path, to: killed() if "runs" in path.parts else rename(path, to))
            else:
                patch.setattr(space.ledger, "insert", killed)
                patch.setattr("shutil.rmtree", lambda *_, **__: None)
            with pytest.raises(KeyboardInterrupt):
                imported(space, content)
        space.tidy()
        if entered:
            for run in space.runs():
                for each in run.artifacts:
                    assert space.artifact(run.id, each.name).is_file()
            assert len(space.files()) == 2
        else:
            assert nothing_in(space)
        space.close()


def test_over_rest_and_with_the_client(tmp_path: Path) -> None:
    people = tmp_path / "people.csv"
    people.write_text(PEOPLE)
    with serving(tmp_path / "one") as one, serving(tmp_path / "two") as two, Client(one) as here, Client(two) as there:
        file = here.upload(people)
        run = here.wait(here.anonymize(job_for(file.id)))
        path = here.export_project(file, tmp_path / "project.zip", private_records=False)
        arrived = there.import_project(path)
        assert arrived.name == "people.csv"
        [made] = there.runs()
        assert made.imported is not None
        assert there.fetch(made, "release") == here.fetch(run, "release")
        path = here.export_project(file, path, table=False)
        assert there.import_project(path, there.upload(people)).name == "people.csv"
