"""What is uploaded, named, listed and deleted."""

import asyncio
import gzip
import io
import json
import socket
import sqlite3
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote_plus

import psycopg
import pytest

from incrowd.errors import InUse, NotThere, QueueFull, Refused, SourceError, TooLarge, UsageError
from incrowd.service import Limits, Pool, Run, Workspace
from incrowd.service.references import References
from incrowd.service.sources import Host, check_url
from incrowd.web.parts import background
from service.spaces import PEOPLE, done, everything_in, job_for, opened, upload

LOOPBACK = Limits(hosts=(Host.of("127.0.0.1"),))


@pytest.fixture
def space(tmp_path: Path) -> Workspace:
    limits = Limits(upload=200_000, waiting=3, waiting_each=2, files=20, hosts=LOOPBACK.hosts)
    return opened(tmp_path / "space", limits)


def test_a_file_is_kept_and_survives_a_restart(space: Workspace) -> None:
    stored = upload(space)
    assert (stored.name, stored.kind, stored.size) == ("people.csv", "delimited", len(PEOPLE))
    space.close()
    again = Workspace.open(space.folder)
    assert again.files() == [stored]
    assert again.file(stored.id) == stored


def test_what_cannot_be_a_workspace_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / "workspace.sqlite").write_bytes(bytes(range(256)) * 40)
    for place in ("file", "file/below", "damaged"):
        with pytest.raises(SourceError, match="--workspace"):
            Workspace.open(tmp_path / place)


def test_only_the_owner_may_read_anything(space: Workspace) -> None:
    upload(space)
    space.submit("inspect", {"file": "people.csv"})
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in everything_in(space.folder)}
    assert {name: oct(mode) for name, mode in modes.items() if mode & 0o077} == {}


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "/etc/passwd", r"..\..\x.csv", "..", "", "a/../b.csv", "\0\n.csv"]
)
def test_a_name_is_never_a_path(space: Workspace, name: str) -> None:
    stored = upload(space, name=name)
    assert not set("/\\\0\n") & set(stored.name)
    inside = [path for path in everything_in(space.folder) if path.is_file() and path.suffix == ".csv"]
    assert [path.parent.name for path in inside] == [stored.id]


@pytest.mark.parametrize("name", ["people.csv", "Patients 2024 (final).csv", "Größe-1_a.csv"])
def test_a_run_knows_a_file_by_the_name_of_its_owner(space: Workspace, name: str) -> None:
    """So that the command and the script of a release run beside the table."""
    stored = upload(space, name=name)
    references = References(lambda text: space.held(text, ""))
    assert references.source(stored.id)["source"] == name


@pytest.mark.parametrize(
    "name", [" .-x.csv", "$(touch x).csv", "a;b|c.csv", "a\u202eb.csv", "a?b#c%20.csv", "release 1.csv"]
)
def test_a_run_gives_odd_names_another_one(space: Workspace, name: str) -> None:
    references = References(lambda text: space.held(text, ""))
    found = str(references.source(upload(space, name=name).id)["source"])
    assert not set(found) & set("$;|?#%\u202e/")
    assert not found.startswith((" ", ".", "-", "release"))


def test_a_file_belongs_to_one_owner(space: Workspace) -> None:
    stored = upload(space, owner="ann")
    assert space.files("bob") == []
    for ask in (lambda: space.file(stored.id, "bob"), lambda: space.delete_file(stored.id, "bob")):
        with pytest.raises(NotThere):
            ask()
    with pytest.raises(NotThere):
        space.submit("inspect", {"file": stored.id}, "bob")


def test_deleted_is_deleted(space: Workspace) -> None:
    secret = "zebra-in-the-cellar"
    stored = upload(space, f"{secret},b\n1,2\n", name=f"{secret}.csv")
    space.notes().put("draft", {"column": secret})
    space.delete_file(stored.id)
    space.notes().delete("draft")
    space.ledger.forget()
    with pytest.raises(NotThere):
        space.file(stored.id)
    held = [path for path in everything_in(space.folder) if path.is_file() and secret.encode() in path.read_bytes()]
    assert held == []


def test_what_a_killed_server_left_half_done_is_mended(space: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    class Killed(BaseException):
        pass

    def killed(*of: object, **more: object) -> None:
        raise Killed

    kept, half_deleted, deleted = upload(space), upload(space), upload(space)
    run = space.cancel(space.submit("inspect", {"file": kept.id}).id)
    (space.folder / "runs" / run.id).mkdir()
    places = {"files": [kept.id, half_deleted.id, deleted.id], "runs": [run.id]}
    with monkeypatch.context() as patch:
        patch.setattr("incrowd.service.workspace.shutil.rmtree", killed)
        for ask in (
            lambda: space.delete_file(deleted.id),
            lambda: space.delete_run(run.id),
            lambda: space.add_file("x.csv", io.BytesIO(b"")),
        ):
            with pytest.raises(Killed):
                ask()
        patch.setattr(Path, "rename", killed)
        with pytest.raises(Killed):
            space.delete_file(half_deleted.id)
    (space.folder / "files" / kept.id).rename(space.folder / "files" / f".new-{kept.id}")
    (space.scratch() / "upload").write_text("secret")
    space.close()
    again = Workspace.open(space.folder)
    with Pool(again, workers=1):
        pass
    assert {each.id for each in again.files()} == {kept.id, half_deleted.id}
    found = {kind: {each.name for each in (space.folder / kind).iterdir()} for kind in places}
    assert found == {"files": {kept.id, half_deleted.id}, "runs": set()}


def test_a_file_that_a_run_needs_stays(space: Workspace) -> None:
    stored = upload(space)
    run = space.submit("inspect", {"file": stored.id})
    with pytest.raises(InUse):
        space.delete_file(stored.id)
    with pytest.raises(InUse):
        space.delete_run(run.id)
    assert space.cancel(run.id).state == "cancelled"
    space.delete_run(run.id)
    space.delete_file(stored.id)
    assert space.files() == space.runs() == []


def test_lists_of_records_are_deleted_with_what_they_list(space: Workspace) -> None:
    stored = upload(space)
    with Pool(space, 1):
        first, second = (done(space, "anonymize", job=job_for(stored.id)) for _ in range(2))
        lists = [done(space, "records", release=each.id) for each in (first, second)]
        done(space, "head", file=first.id)
        done(space, "head", file=stored.id)
        space.delete_run(first.id)
        assert {each.id for each in space.runs() if each.kind == "records"} == {lists[1].id}
        assert not (space.folder / "runs" / lists[0].id).exists()
        space.delete_file(stored.id)
    assert [each.id for each in space.runs()] == [second.id]
    assert [each.name for each in (space.folder / "runs").iterdir()] == [second.id]


def packed_bomb() -> bytes:
    return gzip.compress(b"a,b\n" + b"1,2\n" * 20_000_000, 1)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.csv", b""),
        ("program.csv", b"\x7fELF" + bytes(range(256))),
        ("people.parquet", PEOPLE.encode()),
        ("people.xlsx", PEOPLE.encode()),
        ("people.sqlite", PEOPLE.encode()),
        ("people.csv", b"PAR1" + bytes(100)),
        ("damaged.parquet", b"PAR1" + bytes(100)),
        ("archive.xlsx", b"PK\x03\x04[Content_Types].xml" + bytes(100)),
        ("ragged.csv", b'a,b\n1,2\n"3,4\n'),
        ("database.db", b"12345678DUCK" + bytes(100)),
        ("half.csv.gz", gzip.compress(PEOPLE.encode(), mtime=0)[:100]),
        ("other.csv.gz", gzip.compress(b"\x00\x01\x02" * 100, mtime=0)),
        ("picture.csv", b"\x89PNG\r\n\x1a\n" + bytes(100)),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_what_is_no_table_is_refused_and_not_kept(space: Workspace, name: str, content: bytes) -> None:
    with pytest.raises(SourceError) as refused:
        space.add_file(name, io.BytesIO(content))
    assert str(space.folder) not in str(refused.value)
    assert list((space.folder / "files").iterdir()) == []


def test_an_upload_has_a_limit(space: Workspace) -> None:
    with pytest.raises(TooLarge):
        upload(space, "a,b\n" + "1,2\n" * 100_000)
    assert list((space.folder / "files").iterdir()) == []


def test_a_small_archive_cannot_stand_for_a_disk_full(tmp_path: Path) -> None:
    space = Workspace.open(tmp_path / "space", Limits(upload=1 << 20, unpacked=1 << 20))
    with pytest.raises(TooLarge):
        space.add_file("bomb.csv.gz", io.BytesIO(packed_bomb()[: 1 << 20]))
    workbook = io.BytesIO()
    with zipfile.ZipFile(workbook, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", b" " * (20 << 20))
    workbook.seek(0)
    with pytest.raises(TooLarge):
        space.add_file("bomb.xlsx", workbook)


def workbook_of(*cells: str) -> bytes:
    """A workbook whose sheet holds these cells alone, wherever they are."""
    from openpyxl import Workbook

    written, changed = io.BytesIO(), io.BytesIO()
    Workbook().save(written)
    rows = "".join(f'<row><c r="{cell}"><v>1</v></c></row>' for cell in cells)
    with zipfile.ZipFile(written) as old, zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.namelist():
            text = old.read(part).decode()
            new.writestr(part, text.replace("<sheetData></sheetData>", f"<sheetData>{rows}</sheetData>"))
    return changed.getvalue()


def test_no_upload_takes_the_server_with_it(tmp_path: Path) -> None:
    space = Workspace.open(tmp_path / "space", Limits(memory=1200 << 20))
    assert space.add_file("small.xlsx", io.BytesIO(workbook_of("A1", "A2"))).kind == "excel"
    # Two cells in opposite corners: all between them would be read into memory.
    with pytest.raises(SourceError, match="spans more than"):
        space.add_file("corners.xlsx", io.BytesIO(workbook_of("A1", "XFD1048576")))
    assert len(list((space.folder / "files").iterdir())) == 1
    assert space.add_file("again.xlsx", io.BytesIO(workbook_of("A1", "A2"))).kind == "excel"
    space.close()


def test_looking_at_an_upload_has_a_time(tmp_path: Path) -> None:
    space = Workspace.open(tmp_path / "space", Limits(looking=0.01))
    with pytest.raises(TooLarge, match="more memory or time"):
        space.add_file("small.xlsx", io.BytesIO(workbook_of("A1", "A2")))
    assert upload(space).kind == "delimited"
    space.close()


def test_aliases_cannot_stand_for_billions(space: Workspace) -> None:
    lines = ["&a0 {v: [w]}", *(f"&a{at + 1} {{{', '.join(f'k{key}: *a{at}' for key in range(9))}}}" for at in range(9))]
    with pytest.raises(SourceError, match="alias"):
        upload(space, "z:\n" + "".join(f" - {line}\n" for line in lines), name="h.yaml", purpose="hierarchy")


def test_no_xml_entities(space: Workspace) -> None:
    text = '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r><p><a>&x;</a></p></r>'
    for name in ("people.xml", "people"):
        with pytest.raises(SourceError, match=r"entities|document type"):
            upload(space, text, name=name)


def test_sqlite_and_packed_files_are_told_by_content(space: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "x"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE people (a TEXT, b TEXT)")
    connection.close()
    assert space.add_file("people", io.BytesIO(path.read_bytes())).kind == "sqlite"
    assert space.add_file("people", io.BytesIO(gzip.compress(PEOPLE.encode()))).kind == "delimited"


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("people.jsonl", '{"age": 1, "sex": "m"}\n{"age": 2, "sex": "f"}\n', "json_lines"),
        ("people.json", ' [{"age": 1, "sex": "m"}, {"age": 2, "sex": "f"}]', "json_lines"),
        ("people.xml", "<people><one><age>1</age><sex>m</sex></one></people>", "xml_rows"),
        ("people.xml", '\ufeff<?xml version="1.0"?><people><one age="1" sex="m"/></people>', "xml_rows"),
        ("people", "<people><one><age>1</age><sex>m</sex></one></people>", "xml_rows"),
        ("people", '{"age": 1, "sex": "m"}\n', "json_lines"),
        ("people.csv", "{age},<sex>\n1,m\n", "delimited"),
        ("people", "age,sex\n1,m\n", "delimited"),
    ],
)
def test_every_form_of_text_is_told_by_content(space: Workspace, name: str, text: str, kind: str) -> None:
    assert upload(space, text, name=name).kind == kind


@pytest.mark.parametrize("name", ["people.xml", "people.json"])
def test_a_text_of_another_form_is_refused(space: Workspace, name: str) -> None:
    with pytest.raises(SourceError, match="another kind"):
        upload(space, name=name)


def test_a_hierarchy_must_be_one(space: Workspace) -> None:
    assert upload(space, "a,x,*\nb,x,*\n", name="h.csv", purpose="hierarchy").kind == "hierarchy"
    assert upload(space, "x: [a, b]\n", name="h.yaml", purpose="hierarchy").kind == "hierarchy"
    with pytest.raises(UsageError):
        upload(space, "a,x\nb,y\n", name="h.csv", purpose="hierarchy")
    with pytest.raises(SourceError):
        upload(space, json.dumps({"format": 1}), name="m.json", purpose="manifest")
    with pytest.raises(UsageError):
        upload(space, purpose="virus")


@pytest.mark.parametrize(
    "url",
    [
        "sqlite:////etc/passwd",
        "duckdb:///x.db",
        "file:///etc/passwd",
        "/etc/passwd",
        "postgresql://%2Fvar%2Frun/db",
        "postgresql:///db",
        "postgresql://u:p@127.0.0.1/db?sslkey=/etc/shadow",
        "http://169.254.169.254/",
        "postgresql://[::1/x",
        "snowflake://u:p@127.0.0.1/db",
        "mssql://u:p%3BSERVER=10.0.0.1@127.0.0.1/db",
        # Several hosts, and one that other readers of URLs see.
        "postgresql://u:p@127.0.0.1,10.0.0.1/db",
        "postgresql://u:p@127.0.0.1:5432,10.0.0.1:5432/db",
        "postgresql://u:p@10.0.0.1,x@127.0.0.1/db",
        "postgresql://u:p@127.0.0.1#@10.0.0.1/db",
        *(
            f"postgresql://u:p@127.0.0.1/db?{key}=10.0.0.1"
            for key in ("host", "hostaddr", "service", "passfile", "options")
        ),
    ],
)
def test_a_source_is_a_database_on_a_server(space: Workspace, url: str) -> None:
    with pytest.raises(UsageError):
        space.add_source(url)
    assert space.files() == []


@pytest.mark.parametrize("allowed", [(), ("127.0.0.1:5432", "db.example.org", "[::1]:5432")])
@pytest.mark.parametrize(
    "place",
    [
        *("127.0.0.1:5433", "127.1", "2130706433", "localhost", "169.254.169.254", "10.0.0.1", "[::1]:1"),
        *("[::ffff:127.0.0.1]", "[fe80::1]", "db.example.org.evil.org", "evil.db.example.org"),
    ],
)
def test_only_hosts_that_the_operator_lists(
    tmp_path: Path, allowed: tuple[str, ...], place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("incrowd.service.prober.UploadProber.source", lambda *asked: pytest.fail("it connected"))
    space = Workspace.open(tmp_path / "space", Limits(hosts=tuple(map(Host.of, allowed))))
    with pytest.raises(Refused, match="may not connect to that host"):
        space.add_source(f"postgresql://u:p@{place}/db", "people")
    space.close()


@pytest.mark.parametrize("place", ["127.0.0.1", "127.0.0.1:5432", "DB.Example.org:99", "[0:0::1]"])
def test_hosts_that_the_operator_lists(tmp_path: Path, place: str) -> None:
    listed = [Host.of(each) for each in ("127.0.0.1:5432", "db.example.org", "::1")]
    check_url(f"postgresql://u:p@{place}/db", listed)


@pytest.mark.parametrize("text", ["", "*", "a b", "db:0", "db:x", "a@b", "a,b", "http://db", "db/x", "[::1"])
def test_a_host_that_is_none(text: str) -> None:
    with pytest.raises(UsageError, match="write NAME, ADDRESS or NAME:PORT"):
        Host.of(text)


def test_a_host_that_is_no_longer_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("incrowd.service.prober.UploadProber.source", lambda *asked: None)
    before = Workspace.open(tmp_path / "space", LOOPBACK)
    stored = before.add_source("postgresql://u:p@127.0.0.1/db", "people")
    before.close()
    after = Workspace.open(tmp_path / "space")
    with pytest.raises(Refused, match="may not connect to that host"):
        after.submit("inspect", {"file": stored.id})
    after.close()


def test_a_source_uses_no_login_of_the_server(
    tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    password = unquote_plus(postgres_url.split(":")[2].split("@")[0])
    (tmp_path / "pgpass").write_text(f"*:*:*:*:{password}\n")
    (tmp_path / "pgpass").chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(tmp_path / "pgpass"))
    monkeypatch.setenv("PGPASSWORD", password)
    space = Workspace.open(tmp_path / "space", LOOPBACK)
    with pytest.raises(SourceError, match="cannot connect"):
        space.add_source(f"postgresql://incrowd@{postgres_url.rpartition('@')[2]}", "pg_class")
    # What looks like a way to another host is the name of a database here.
    with pytest.raises(SourceError, match="cannot connect"):
        space.add_source(f"{postgres_url.rpartition('/')[0]}/host=127.0.0.1 dbname=postgres", "pg_class")
    space.close()


def test_a_query_of_a_source_is_one_select(tmp_path: Path, postgres_url: str) -> None:
    space = Workspace.open(tmp_path / "space", LOOPBACK)
    query = (
        "SELECT 1) x; COMMIT; BEGIN READ WRITE; CREATE TABLE made_here (a INT); COMMIT; SELECT * FROM (SELECT 1 AS a"
    )
    with pytest.raises(SourceError, match="it must be a single SELECT statement"):
        space.add_source(postgres_url, query=query)
    with psycopg.connect(postgres_url) as connection:
        assert connection.execute("SELECT to_regclass('made_here') IS NULL").fetchone() == (True,)
    space.close()


def test_the_password_of_a_source_is_not_told(space: Workspace, postgres_url: str) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS crowd")
        connection.execute("CREATE TABLE crowd AS SELECT 1 AS a, 2 AS b")
    stored = space.add_source(postgres_url, "crowd")
    secret = postgres_url.split(":")[2].split("@")[0]
    run = space.submit("inspect", {"file": stored.id})
    assert stored.kind == "database"
    assert secret not in json.dumps([stored.to_dict(), run.to_dict()])
    with pytest.raises(SourceError) as refused:
        space.add_source(postgres_url, "nothing")
    assert secret not in str(refused.value)


@pytest.mark.parametrize("scheme", ["postgresql", "postgres"])
def test_a_database_that_does_not_answer_is_not_waited_for(tmp_path: Path, scheme: str) -> None:
    space = Workspace.open(tmp_path / "space", Limits(looking=2, hosts=LOOPBACK.hosts))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"{scheme}://u:secret@127.0.0.1:{silent.getsockname()[1]}/db?connect_timeout=100"
        with pytest.raises(SourceError, match="does not answer within 2 seconds; check the host") as refused:
            space.add_source(url, "people")
    assert "secret" not in str(refused.value)
    assert space.files() == []
    space.close()


def test_who_follows_a_run_does_not_read_its_request(space: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    async def at_once(call: Callable[..., Any], *arguments: Any) -> Any:
        return call(*arguments)

    monkeypatch.setattr(background, "run_in_thread", at_once)
    monkeypatch.setattr(background, "_PAUSE", 0)
    run = space.submit("inspect", {"file": upload(space).id})
    asked: list[str] = []
    real = space.ledger.row

    def noted(statement: str, *values: Any) -> Any:
        asked.append(statement)
        return real(statement, *values)

    def told(now: Run) -> None:
        assert (now.state, now.request) == ("queued", {})
        if len(asked) == 5:
            space.ledger.change("UPDATE runs SET state = 'done', result = '{}' WHERE id = ?", run.id)

    monkeypatch.setattr(space.ledger, "row", noted)
    over = asyncio.run(background.wait_for_run(space, run.id, told))
    assert (over.state, over.request) == ("done", run.request)
    whole = [statement for statement in asked if "*" in statement or "request" in statement or "result" in statement]
    assert whole == asked[-1:]


def test_the_queue_has_an_end(space: Workspace) -> None:
    stored, other = upload(space), upload(space, owner="other")
    for _ in range(2):
        space.submit("inspect", {"file": stored.id})
    with pytest.raises(QueueFull):
        space.submit("inspect", {"file": stored.id})
    space.submit("inspect", {"file": other.id}, "other")
    with pytest.raises(QueueFull):
        space.submit("inspect", {"file": other.id}, "other")
    assert len(space.runs()) == 2


@pytest.mark.parametrize(
    ("kind", "request_"),
    [
        ("inspect", {}),
        ("inspect", {"file": "nothing"}),
        ("inspect", {"file": "/etc/passwd"}),
        ("inspect", {"file": "people.csv", "color": 1}),
        ("dance", {}),
        ("anonymize", {"job": {}}),
        ("anonymize", {"job": {"data": "people.csv", "columns": 7}}),
        ("verify", {"file": "people.csv"}),
        ("diagnose", {"file": "people.csv", "k": float("nan")}),
        ("hierarchy", {"file": "people.csv", "column": "age", "spec": {"levels": {"path": "/etc/passwd"}}}),
        ("measure", {"original": "people.csv", "releases": ["../x"]}),
    ],
)
def test_a_senseless_request_is_refused_at_once(space: Workspace, kind: str, request_: dict[str, object]) -> None:
    upload(space)
    with pytest.raises(UsageError):
        space.submit(kind, request_)
    assert space.runs() == []


def test_drafts_are_kept(space: Workspace) -> None:
    space.notes("ann").put("columns", {"age": "quasi"})
    space.notes("ann").put("columns", {"age": "keep"})
    assert space.notes("ann").get("columns") == {"age": "keep"}
    assert space.notes("bob").get("columns", 1) == 1
    assert space.notes("ann").names() == ["columns"]


def test_a_job_is_found_by_the_name_of_its_files(space: Workspace) -> None:
    upload(space)
    upload(space, "\n".join(f"{1000 + at},10**,*" for at in range(7)), name="zip.csv", purpose="hierarchy")
    job = job_for("people.csv")
    job["columns"]["zip"]["hierarchy"] = "zip.csv"
    assert space.submit("anonymize", {"job": job}).state == "queued"
