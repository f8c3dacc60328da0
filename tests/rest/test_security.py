"""What the service refuses whoever asks, and what every answer carries."""

import asyncio
import json
import logging
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI, Response, WebSocket
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from incrowd.errors import SourceError, UsageError
from incrowd.rest.access import (
    COOKIE,
    LOOPBACK_NAMES,
    Access,
    Sessions,
    add_key,
    hashed,
    is_loopback,
    read_keys,
    refuse_public,
)
from incrowd.rest.app import make_app
from incrowd.rest.guard import Guard
from incrowd.rest.serving import hosts_for, listen
from incrowd.service import Limits, Workspace
from incrowd.service.sources import Host
from service.spaces import PEOPLE, job_for, opened

LOCAL = "http://127.0.0.1"


@pytest.fixture
def space(tmp_path: Path) -> Iterator[Workspace]:
    space = opened(tmp_path / "space", Limits(upload=300_000, request=50_000, hosts=(Host.of("127.0.0.1"),)))
    yield space
    space.close()


def client_of(space: Workspace, access: Access | None = None, **more: object) -> TestClient:
    return TestClient(make_app(space, access or Access(hosts=LOOPBACK_NAMES)), LOCAL, raise_server_exceptions=True)


def uploaded(client: TestClient, text: str = PEOPLE, **more: str) -> httpx.Response:
    return client.post("/v1/files", files={"file": ("people.csv", text.encode())}, data=more)


def code_of(answer: httpx.Response) -> str:
    error = answer.json()["error"]
    assert set(error) == {"code", "message", "hint"}
    return str(error["code"])


# Who may ask


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org"])
def test_no_public_address_without_knowing_who_asks(host: str) -> None:
    with pytest.raises(UsageError, match="anyone who can reach this address"):
        listen(host, 0, Access())
    refuse_public(host, Access(keys={hashed("x"): "ann"}))
    refuse_public(host, Access(header="X-User", proxies=("127.0.0.1",)))


def test_loopback_is_what_only_this_machine_reaches() -> None:
    assert [is_loopback(host) for host in ("127.0.0.1", "127.9.9.9", "::1", "localhost")] == [True] * 4
    assert [is_loopback(host) for host in ("0.0.0.0", "10.0.0.1", "localhost.evil.com", "")] == [False] * 4


def test_keys_are_kept_as_hashes_and_shown_once(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    key = add_key(str(path), "ann")
    assert key not in path.read_text()
    assert path.stat().st_mode & 0o077 == 0
    assert Access(read_keys(str(path))).of_key(key) == "key:ann"
    assert Access(read_keys(str(path))).of_key(key[:-1]) is None
    path.write_text(path.read_text().rstrip("\n"))
    add_key(str(path), "bob")
    assert sorted(read_keys(str(path)).values()) == ["ann", "bob"]
    with pytest.raises(SourceError):
        add_key(str(tmp_path / "nowhere" / "keys"), "ann")
    for text in ("", "ann", "ann:123", "a b:" + "0" * 64):
        path.write_text(text)
        with pytest.raises(SourceError):
            read_keys(str(path))
    with pytest.raises(UsageError):
        add_key(str(path), "../ann\n")


def test_without_a_key_nothing_is_told(space: Workspace) -> None:
    client = client_of(space, Access(keys={hashed("k"): "ann"}))
    for path in ("/v1/files", "/v1/runs", "/v1/about", "/v1/openapi.json", "/v1/nothing", "/elsewhere"):
        answer = client.get(path)
        assert (answer.status_code, code_of(answer)) == (401, "not_known")
        assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert uploaded(client).status_code == 401
    assert client.get("/v1/health").status_code == 200
    for headers in ({"Authorization": "Bearer k"}, {"X-API-Key": "k"}):
        assert client.get("/v1/files", headers=headers).status_code == 200


def test_the_user_header_is_believed_from_the_proxy_alone(space: Workspace) -> None:
    access = Access(header="X-User", proxies=("10.1.1.1",))
    app = make_app(space, access)
    proxy, other = TestClient(app, client=("10.1.1.1", 1)), TestClient(app, client=("10.1.1.2", 1))
    assert proxy.get("/v1/files", headers={"X-User": "ann"}).status_code == 200
    assert other.get("/v1/files", headers={"X-User": "ann"}).status_code == 401
    assert proxy.get("/v1/files").status_code == 401
    assert proxy.get("/v1/files", headers={"X-User": "a/../b"}).status_code == 401


@pytest.mark.parametrize(
    "name", ["X-User", "Authorization", "X-API-Key", "Cookie", "Host", "Origin", "Sec-Fetch-Site", "Content-Length"]
)
@pytest.mark.parametrize("values", [("ann", "bob"), ("ann", "ann"), ("", "ann")])
def test_a_header_that_decides_comes_once(space: Workspace, name: str, values: tuple[str, str]) -> None:
    access = Access({hashed("k"): "ann"}, header="X-User", proxies=("10.1.1.1",))
    app: FastAPI = make_app(space, access)

    @app.websocket("/socket")
    async def talk(socket: WebSocket) -> None:
        await socket.accept()

    client = TestClient(app, LOCAL, client=("10.1.1.1", 1))
    headers = httpx.Headers([*((name, value) for value in values), *([("X-User", "ann")] * (name != "X-User"))])
    answer = client.get("/v1/files", headers=headers)
    assert (answer.status_code, code_of(answer)) == (422, "bad_request")
    assert name.lower() in answer.json()["error"]["message"]
    opened = client.websocket_connect("ws://127.0.0.1/socket", headers=headers)
    with pytest.raises(WebSocketDisconnect), opened:
        pass


def test_of_two_sessions_none_counts(space: Workspace) -> None:
    access = Access({hashed("k"): "ann"})
    mine, another = (f"{COOKIE}={access.sessions.begin(name)}" for name in ("key:ann", "key:bob"))
    client = TestClient(make_app(space, access), LOCAL)
    for cookie, status in ((mine, 200), (f"a=b; {mine}", 200), (f"{mine}; {another}", 401), (f"{another};{mine}", 401)):
        assert client.get("/v1/files", headers={"Cookie": cookie}).status_code == status


# Browsers


LOOKED_AT = [
    *("host", "origin", "sec-fetch-site", "authorization", "x-api-key", "cookie", "content-length", "accept"),
    *("x-user", "x-forwarded-proto"),
]
HOSTILE = [
    *("http://[", "[", "]", "[::1", "http://[::1]:x", "//", "%", "9" * 5000, "-1", "1e3", "Bearer", "bearer \xff"),
    *(f"{COOKIE}=", f'{COOKIE}="', f"{COOKIE}; {COOKIE}=x", "=;=", "text/html", "none", "null", "127.0.0.1"),
]


@pytest.mark.parametrize("kind", ["http", "websocket"])
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    headers=st.dictionaries(
        st.sampled_from(LOOKED_AT), st.sampled_from(HOSTILE).map(lambda text: text.encode("latin-1")) | st.binary()
    ),
    method=st.sampled_from(["GET", "POST"]),
    path=st.sampled_from(["/", "/v1/files", "/login", "/v1/health", "/_nicegui_ws/socket.io/"]),
)
def test_no_header_gets_past_the_guard_or_breaks_it(
    kind: str, headers: dict[str, bytes], method: str, path: str
) -> None:
    access = Access({"0" * 64: "ann"}, header="X-User", proxies=("10.1.1.1",), hosts=LOOPBACK_NAMES)
    passed: list[str] = []
    sent: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        passed.append(scope["path"])

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    raw = [(name.encode(), value) for name, value in {"host": b"127.0.0.1", **headers}.items()]
    scope: Scope = {"type": kind, "method": method, "path": path, "headers": raw, "client": ("127.0.0.1", 1)}
    asyncio.run(Guard(app, access, Limits())(scope, receive, send))
    assert set(passed) <= {"/login", "/v1/health"}
    if not passed:
        told = sent[0].get("status", sent[0].get("code"))
        assert told in ((303, 401, 403, 413, 421) if kind == "http" else (1008,))


def test_another_name_for_this_machine_leads_nowhere(space: Workspace) -> None:
    client = client_of(space)
    assert client.get("/v1/files", headers={"Host": "evil.example"}).status_code == 421
    assert client.get("/v1/files", headers={"Host": "127.0.0.1.evil.example:80"}).status_code == 421
    for host in ("localhost:8080", "127.0.0.1", "[::1]:8080"):
        assert client.get("/v1/files", headers={"Host": host}).status_code == 200
    assert hosts_for("127.0.0.1", Access(), ()) == LOOPBACK_NAMES
    assert hosts_for("127.0.0.1", Access(), ("data.example",)) == ("data.example",)


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "null", "Sec-Fetch-Site": "none"},
        {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://evil.example", "Sec-Fetch-Site": "same-origin"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Origin": "http://["},
        {"Origin": "127.0.0.1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_no_other_site_can_have_anything_done(space: Workspace, headers: dict[str, str]) -> None:
    client = client_of(space)
    stored = uploaded(client).json()
    asks = [
        client.post("/v1/inspect", json={"file": stored["id"]}, headers=headers),
        client.post("/v1/files", files={"file": ("a.csv", b"a\n1\n")}, headers=headers),
        client.delete(f"/v1/files/{stored['id']}", headers=headers),
    ]
    assert [(answer.status_code, code_of(answer)) for answer in asks] == [(403, "cross_site")] * 3
    # Browsers send the second from a form of ours: pages that tell no referrer tell no origin.
    for origin in (LOCAL, "null"):
        own = {"Origin": origin, "Sec-Fetch-Site": "same-origin"}
        assert client.post("/v1/inspect", json={"file": stored["id"]}, headers=own).status_code == 202


def test_no_other_site_can_read_anything(space: Workspace) -> None:
    app = make_app(space, Access(hosts=LOOPBACK_NAMES))

    @app.get("/socket.io/")
    def polled(response: Response) -> dict[str, str]:
        response.headers["Access-Control-Allow-Origin"] = "http://evil.example"
        return {"secret": "x"}

    client = TestClient(app, LOCAL)
    for ask in (client.get, client.options):
        answer = ask("/socket.io/", headers={"Origin": "http://evil.example"})
        assert (answer.status_code, code_of(answer)) == (403, "cross_site")
    assert client.get("/socket.io/", headers={"Origin": LOCAL}).status_code == 200


def test_sockets_are_guarded_too(space: Workspace) -> None:
    app: FastAPI = make_app(space, Access(keys={hashed("k"): "ann"}))

    @app.websocket("/socket")
    async def talk(socket: WebSocket) -> None:
        await socket.accept()
        await socket.send_text(socket.scope["state"]["owner"])
        await socket.close()

    client = TestClient(app, LOCAL)
    for headers in ({}, {"X-API-Key": "k", "Origin": "http://evil.example"}):
        with pytest.raises(WebSocketDisconnect), client.websocket_connect("/socket", headers=headers):
            pass
    with client.websocket_connect("/socket", headers={"X-API-Key": "k"}) as socket:
        assert socket.receive_text() == "key:ann"


@pytest.mark.parametrize("end", ["signed out", "signed in anew", "twelve hours later"])
@pytest.mark.parametrize("asks", [True, False])
def test_a_socket_ends_with_its_session(
    space: Workspace, monkeypatch: pytest.MonkeyPatch, end: str, asks: bool
) -> None:
    app: FastAPI = make_app(space, Access(keys={hashed("k"): "ann"}))
    heard: list[str] = []
    is_over = threading.Event()

    @app.websocket("/socket")
    async def talk(socket: WebSocket) -> None:
        await socket.accept()
        await socket.send_text("welcome")
        if asks:
            heard.append(await socket.receive_text())
        while not is_over.is_set():
            await asyncio.sleep(0.01)
        await socket.send_text("news")

    client = TestClient(app, LOCAL, follow_redirects=False)
    client.post("/login", data={"key": "k"})
    cookie = f"{COOKIE}={client.cookies[COOKIE]}"
    with client.websocket_connect("/socket", headers={"Cookie": cookie}) as socket:
        assert socket.receive_text() == "welcome"
        if end == "twelve hours later":
            monkeypatch.setattr("incrowd.rest.access.time.time", lambda: 1e12)
        else:
            client.post("/logout") if end == "signed out" else client.post("/login", data={"key": "k"})
        is_over.set()
        if asks:
            socket.send_text("delete everything")
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_text()
        assert closed.value.code == 1008
    assert heard == []


def test_a_page_is_reached_by_its_owner_alone(tmp_path: Path) -> None:
    """In a process of its own, because pages can be put on one application only."""
    script = f"""
import json, time
from nicegui import Client
from starlette.testclient import TestClient
from incrowd.rest.access import Access, hashed
from incrowd.rest.app import make_app
from incrowd.service import Workspace
from incrowd.web import mount
space = Workspace.open({str(tmp_path / "space")!r})
app = make_app(space, Access(keys={{hashed(name): name for name in ("ann", "bob")}}))
mount(app, space)

def signed_in(name):
    client = TestClient(app, "http://127.0.0.1")
    client.post("/login", data={{"key": name}})
    others = set(Client.instances)
    client.get("/")
    return client, (set(Client.instances) - others).pop()

def socket(client, page, tab, more=""):
    asked = f"client_id={{page}}&tab_id={{tab}}&document_id=d&next_message_id=0&implicit_handshake=true"
    address = f"ws://127.0.0.1/_nicegui_ws/socket.io/?EIO=4&transport=websocket&{{asked}}{{more}}"
    return client.websocket_connect(address, headers={{"Upgrade": "websocket"}})

def joined(opened):
    sid = json.loads(opened.receive_text()[1:])["sid"]
    opened.send_text("40")
    return sid, opened.receive_text()[:2]

with TestClient(app):
    (ann, page), (bob, own) = signed_in("ann"), signed_in("bob")
    shown, heard = Client.instances[page], []
    for name in ("handle_event", "handle_javascript_response", "handle_log_message", "accept_handshake"):
        real = getattr(shown, name)
        setattr(shown, name, lambda *told, name=name, real=real: heard.append(name) or real(*told))
    found = {{}}
    with socket(bob, page, "bob") as stolen:
        found["joined"] = joined(stolen)[1]
    with socket(ann, page, "ann") as hers, socket(bob, own, "bob") as his:
        sid, found["hers"] = joined(hers)
        _, found["his"] = joined(his)
        heard.clear()
        message = {{"client_id": page, "tab_id": "ann", "document_id": "d", "id": 1, "args": [], "listener_id": "x"}}
        for name in ("handshake", "event", "javascript_response", "log"):
            his.send_text("42" + json.dumps([name, message]))
        answered = []
        Client.instances[own].handle_log_message = answered.append
        his.send_text("42" + json.dumps(["log", {{"client_id": own}}]))
        while not answered:
            time.sleep(0.01)
        found["heard"] = heard
        upload = next(each for each in shown.elements.values() if type(each).__name__ == "Upload")
        sent = {{"file": ("x.csv", b"a,b")}}
        asked = f"/_nicegui/client/{{page}}/upload/{{upload.id}}"
        found["uploads"] = [each.post(asked, files=sent).status_code for each in (bob, ann)]
        found["taken over"] = bob.post(f"/_nicegui_ws/socket.io/?EIO=4&transport=polling&sid={{sid}}").status_code
print(json.dumps(found))
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout.splitlines()[-1]) == {
        "joined": "44",
        "hers": "40",
        "his": "40",
        "heard": [],
        "uploads": [404, 200],
        "taken over": 404,
    }


def test_pages_end_with_their_session(tmp_path: Path) -> None:
    """And not before, if the browser is busy. In a process of its own: pages can be put on one application only."""
    script = f"""
import json, threading
from nicegui import Client, core
from starlette.testclient import TestClient
from incrowd.rest.access import Access, hashed
from incrowd.rest.app import make_app
from incrowd.service import Workspace
from incrowd.web import mount
from incrowd.web.parts import session_expiry as leaving
looked, end, leaving._LOOK = threading.Event(), leaving._end, 0.05
leaving._end = lambda access: end(access) or looked.set()
space = Workspace.open({str(tmp_path / "space")!r})
app = make_app(space, Access(keys={{hashed("k"): "ann"}}))
mount(app, space)
with TestClient(app, "http://127.0.0.1") as leaves:
    stays = TestClient(app, "http://127.0.0.1")
    found = []
    for each in (leaves, stays):
        each.post("/login", data={{"key": "k"}})
        each.get("/")
        found.append(len(Client.instances))
    leaves.post("/logout")
    # One look may have begun before.
    for _ in range(2):
        looked.clear()
        assert looked.wait(300)
    found += [len(Client.instances), core.sio.eio.ping_timeout]
print(json.dumps(found))
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=tmp_path)
    # Each sign-in leads to the first page already.
    assert json.loads(ended.stdout.splitlines()[-1]) == [2, 4, 2, 12]


def test_every_answer_has_its_headers(space: Workspace) -> None:
    client = client_of(space)
    answers = [client.get("/v1/files"), client.get("/nothing"), client.get("/v1/x", headers={"Host": "evil"})]
    for answer in answers:
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    assert answers[0].headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert answers[0].headers["Cache-Control"] == "no-store"
    assert "http" not in answers[1].headers["Content-Security-Policy"]
    assert "server" not in answers[0].headers


def test_a_session_cookie_is_out_of_reach(space: Workspace) -> None:
    app = make_app(space, Access(keys={hashed("k"): "ann"}))

    @app.get("/page")
    def page() -> dict[str, str]:
        return {}

    client = TestClient(app, LOCAL, follow_redirects=False)
    asked = client.get("/page", headers={"Accept": "text/html"})
    assert (asked.status_code, asked.headers["Location"]) == (303, "/login")
    assert client.get("/login").status_code == 200
    assert client.post("/login", data={"key": "wrong"}).status_code == 401
    answer = client.post("/login", data={"key": "k"})
    cookie = answer.headers["Set-Cookie"]
    assert {"HttpOnly", "SameSite=Strict"} <= {part.strip() for part in cookie.split(";")}
    assert client.get("/v1/files").status_code == 200
    assert client.post("/v1/inspect", json={"file": "x"}, headers={"Origin": "http://evil.example"}).status_code == 403
    client.post("/logout")
    client.cookies.set("incrowd_session", cookie.split(";")[0].split("=")[1])
    assert client.get("/v1/files").status_code == 401


def test_a_cookie_behind_https_stays_there(space: Workspace) -> None:
    client = TestClient(make_app(space, Access(keys={hashed("k"): "ann"})), LOCAL, follow_redirects=False)
    behind = client.post("/login", data={"key": "k"}, headers={"X-Forwarded-Proto": "https"})
    assert "Secure" in behind.headers["Set-Cookie"].split("; ")
    assert "Secure" not in client.post("/login", data={"key": "k"}).headers["Set-Cookie"].split("; ")


def test_who_is_not_known_can_send_next_to_nothing(space: Workspace) -> None:
    client = client_of(space, Access(keys={hashed("k"): "ann"}))
    answer = client.post("/login", files={"file": ("x", b"x" * 200_000)}, data={"key": "k"})
    assert (answer.status_code, code_of(answer)) == (413, "too_large")


def test_who_comes_round_the_proxy_is_not_sent_to_a_page_that_is_not_there(space: Workspace) -> None:
    app = make_app(space, Access(header="X-User", proxies=("10.1.1.1",)))
    answer = TestClient(app, LOCAL).get("/", headers={"Accept": "text/html"})
    assert (answer.status_code, code_of(answer)) == (401, "not_known")


def test_cookies_of_pages_are_hardened_and_sessions_end(space: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app(space)

    @app.get("/page")
    def page(response: Response) -> dict[str, str]:
        response.set_cookie("draft", "1", samesite="none", secure=True)
        return {}

    cookie = TestClient(app, LOCAL).get("/page").headers["Set-Cookie"]
    assert "SameSite=Strict" in cookie
    assert "HttpOnly" in cookie
    assert "none" not in cookie.lower()
    sessions = Sessions()
    token = sessions.begin("ann")
    assert sessions.owner(token) == "ann"
    monkeypatch.setattr("incrowd.rest.access.time.time", lambda: 1e12)
    assert sessions.owner(token) is None


# What is sent


def test_uploads_and_requests_have_a_size(space: Workspace) -> None:
    client = client_of(space)
    large = uploaded(client, "a,b\n" + "1,2\n" * 200_000)
    assert (large.status_code, code_of(large)) == (413, "too_large")

    def without_length() -> Iterator[bytes]:
        yield from [b" " * 10_000] * 10

    job = client.post("/v1/anonymize", content=without_length(), headers={"Content-Type": "application/yaml"})
    assert (job.status_code, code_of(job)) == (413, "too_large")


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("application/xml", '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><ANON>&x;</ANON>'),
        ("application/xml", '<!DOCTYPE a [<!ENTITY a "aa"><!ENTITY b "&a;&a;&a;">]><ANON>&b;</ANON>'),
        ("application/yaml", "!!python/object/apply:os.system ['true']"),
        ("application/yaml", "a: &a [*a]"),
        ("application/json", "[" * 50_000),
        ("application/json", '{"data": 1e999}'),
        ("application/json", "\udcff".encode("utf-8", "surrogateescape").decode("latin-1")),
    ],
)
def test_a_job_is_plain_data(space: Workspace, kind: str, text: str) -> None:
    answer = client_of(space).post("/v1/anonymize", content=text.encode(), headers={"Content-Type": kind})
    assert answer.status_code == 422
    assert code_of(answer) in ("bad_job", "bad_request")
    assert "root:" not in answer.text


def test_a_job_of_another_type_is_refused(space: Workspace) -> None:
    answer = client_of(space).post("/v1/anonymize", content=b"x", headers={"Content-Type": "application/x-pickle"})
    assert (answer.status_code, code_of(answer)) == (415, "bad_type")


def outside(**more: object) -> dict[str, object]:
    return {**job_for("people.csv"), **more}


@pytest.mark.parametrize(
    "job",
    [
        outside(data="/etc/passwd"),
        outside(data=["people.csv", "../../secret.csv"]),
        outside(data={"source": "sqlite:////etc/passwd", "table": "x"}),
        outside(data={"source": "people.csv", "query": "SELECT 1"}),
        outside(data="postgresql://u:p@host/db"),
        outside(data=["people.csv", {"url": "postgresql://u:p@host/db", "table": "x"}]),
        outside(data=["people.csv", {"url": "sqlite:////etc/passwd", "table": "x"}]),
        outside(data=[{"file": "/etc/passwd", "header": True}]),
        outside(data=[{"file": "people.csv", "query": "SELECT 1"}]),
        outside(population="/etc/passwd"),
        outside(output="/tmp/x.csv"),
        outside(output="../x.csv"),
        outside(output="sqlite:///x.db"),
        outside(output={"to": "x.csv", "record": "/tmp/x"}),
        outside(output={"to": "x.csv", "mapping": "../x"}),
        outside(models=["range_diversity:c=0.5,column=disease,policy=/etc/passwd"]),
        outside(models=[{"range_diversity": {"c": 0.5, "column": "disease", "policy": "/etc/passwd"}}]),
        outside(metric="queries:workload=/etc/passwd"),
        outside(metric={"queries": {"workload": "../../passwd"}}),
        outside(metric={"queries": {"workload": ["/etc/passwd"]}}),
        outside(columns={"age": {"role": "quasi", "hierarchy": "/etc/x.csv"}}),
        outside(columns={"age": {"role": "quasi", "hierarchy": {"levels": {"path": "/etc/passwd"}}}}),
        outside(columns={"age": {"role": "quasi", "hierarchy": "tree:path=../../x.yaml"}}),
        outside(columns={"age": {"role": "quasi", "hierarchy": {"levels": {"path": ["/etc/passwd"]}}}}),
    ],
)
def test_no_path_outside_the_workspace(
    space: Workspace, job: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_of(space)
    assert uploaded(client).status_code == 201
    opened: list[str] = []
    real = Path.open

    def noted(self: Path, *more: object, **further: object) -> object:
        opened.append(str(self))
        return real(self, *more, **further)  # type: ignore[arg-type]

    monkeypatch.setattr(Path, "open", noted)
    answer = client.post("/v1/anonymize", json=job)
    assert (answer.status_code, code_of(answer)) == (422, "bad_job")
    assert [path for path in opened if "passwd" in path] == []
    frontier = client.post("/v1/frontier", json={"job": job})
    assert frontier.status_code == 422
    assert client.get("/v1/runs").json() == []


@pytest.mark.parametrize("name", ["../../workspace.sqlite", "%2e%2e%2fworkspace.sqlite", "..%2f..%2fworkspace.sqlite"])
def test_no_artefact_outside_the_run(space: Workspace, name: str) -> None:
    client = client_of(space)
    uploaded(client)
    run = client.post("/v1/inspect", json={"file": "people.csv"}).json()
    assert client.get(f"/v1/runs/{run['id']}/artefacts/{name}").status_code == 404
    assert client.get(f"/v1/files/{name}").status_code == 404


@pytest.mark.parametrize("depth", [60, 300, 900, 3000])
@pytest.mark.parametrize(
    ("kind", "begin", "end"),
    [
        ("frontier", '{"job": {"data": "people.csv", "models": [], "columns": {"a": ', "}}}"),
        ("neighbours", '{"levels": {}, "job": {"data": "people.csv", "models": [], "columns": {"a": ', "}}}"),
        ("hierarchy", '{"file": "people.csv", "column": "age", "spec": ', "}"),
        ("table", '{"file": "people.csv", "by": ["age"], "protect": ', "}"),
        ("measure", '{"original": "people.csv", "releases": ["people.csv"], "columns": {"a": ', "}}"),
    ],
)
def test_what_is_nested_too_deeply_is_refused(space: Workspace, kind: str, begin: str, end: str, depth: int) -> None:
    client = client_of(space)
    uploaded(client)
    body = begin + '{"x": ' * depth + "1" + "}" * depth + end
    answer = client.post(f"/v1/{kind}", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (202, 422), answer.text
    if answer.status_code == 422:
        assert code_of(answer) in ("bad_request", "bad_job")
    assert client.get("/v1/runs").status_code == 200


def test_a_body_without_length_has_a_size_everywhere(space: Workspace) -> None:
    def without_length() -> Iterator[bytes]:
        yield from [b" " * 10_000] * 10

    client = client_of(space)
    for kind in ("inspect", "anonymize"):
        answer = client.post(f"/v1/{kind}", content=without_length(), headers={"Content-Type": "application/json"})
        assert (answer.status_code, code_of(answer)) == (413, "too_large")


# What is told


def test_every_error_has_one_shape_beside_the_pages(tmp_path: Path) -> None:
    """In a process of its own, because pages can be put on one application only."""
    script = f"""
import json
from starlette.testclient import TestClient
from incrowd.rest.app import make_app
from incrowd.service import Workspace
from incrowd.web import mount
space = Workspace.open({str(tmp_path / "space")!r})
app = make_app(space)
mount(app, space)
client = TestClient(app, "http://127.0.0.1")
asked = [("GET", "/v1/nothing"), ("POST", "/v1/nothing"), ("POST", "/v1/health"), ("DELETE", "/v1/files"),
         ("GET", "/v1"), ("GET", "/v1/inspect"), ("GET", "/v1/"), ("PUT", "/v1/runs/x"), ("GET", "/v1/runs/x/y/z")]
found = [(client.request(*each).status_code, client.request(*each).json()["error"]["code"]) for each in asked]
print(json.dumps(found + [[client.get("/").status_code, client.get("/nothing").status_code]]))
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=tmp_path)
    there, nowhere = [404, "not_there"], [405, "bad_method"]
    assert json.loads(ended.stdout.splitlines()[-1]) == [
        *(there, there, nowhere, nowhere, there, nowhere, there, nowhere, there),
        [200, 404],
    ]
    # Who asked for what is nobody's business.
    assert "nothing" not in ended.stderr


def test_errors_are_short(space: Workspace) -> None:
    client = client_of(space)
    for body in ({"z" * 10_000: 1}, {f"z{at}": 1 for at in range(3000)}, {"file": "x", "among": [1] * 3000}):
        answer = client.post("/v1/inspect", json=body)
        assert (answer.status_code, code_of(answer)) == (422, "bad_request")
        assert len(answer.text) < 5000
    answer = client.post("/v1/inspect", content="{", headers={"Content-Type": "application/json"})
    assert answer.json()["error"]["message"] == "the request: it is not valid JSON"


def test_neither_secrets_nor_records_are_logged(space: Workspace, caplog: pytest.LogCaptureFixture) -> None:
    app = make_app(space, Access(keys={hashed("top-secret-key"): "ann"}))

    @app.get("/broken")
    def broken() -> None:
        raise ValueError("the record of Zebra Smith")

    client = TestClient(app, LOCAL, headers={"X-API-Key": "top-secret-key"})
    with caplog.at_level(logging.DEBUG):
        answer = client.get("/broken")
        client.post("/v1/sources", json={"url": "postgresql://u:zebra-password@127.0.0.1:1/db", "table": "t"})
        uploaded(client, 'a,b\n1,Zebra\n"2,Zebra\n')
        client.post("/v1/inspect", json={"file": "Zebra", "k": "Zebra"})
    assert (answer.status_code, code_of(answer)) == (500, "internal")
    assert "Zebra" not in answer.text
    told = [record.getMessage() + str(record.exc_info) for record in caplog.records if record.name != "httpx"]
    assert any("internal error, ValueError" in line for line in told)
    assert not [line for line in told if "zebra" in line.lower() or "top-secret" in line]


def test_errors_do_not_repeat_what_was_sent(space: Workspace) -> None:
    client = client_of(space)
    uploaded(client)
    for body in ({"file": "people.csv", "k": "Zebra"}, {"file": ["Zebra"]}, {"file": "people.csv", "nulls": "Zebra"}):
        answer = client.post("/v1/diagnose", json=body)
        assert (answer.status_code, code_of(answer)) == (422, "bad_request")
        assert "Zebra" not in answer.text
    password = client.post("/v1/sources", json={"url": "postgresql://u:zebra@127.0.0.1:1/db", "table": "t"})
    assert password.status_code == 422
    assert "zebra" not in password.text


def test_no_page_loads_anything_from_the_network(space: Workspace) -> None:
    client = client_of(space)
    assert [client.get(path).status_code for path in ("/docs", "/redoc", "/v1/docs")] == [404] * 3
    assert client.get("/v1/openapi.json").status_code == 200


def test_no_pickle_anywhere() -> None:
    source = Path(make_app.__code__.co_filename).parents[1]
    words = ("pickle", "marshal", "shelve", "eval(", "multiprocessing")
    files = [path for part in ("service", "rest", "client") for path in (source / part).rglob("*.py")]
    assert files
    assert [(path.name, word) for path in files for word in words if word in path.read_text()] == []
