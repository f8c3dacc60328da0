"""The service under load: many clients at once, for some minutes; no job may be lost, no error come but 429.

python benchmarks/load.py [--minutes 5] [--clients 50] [--workers 2]
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter

import httpx

PEOPLE = "\n".join(
    ["age,sex,zip,disease", *(f"{20 + at % 60},{'mf'[at % 2]},{1000 + at % 40},{'abcd'[at % 4]}" for at in range(2000))]
)
PATIENCE = 900
"""Seconds for what is accepted to end after the last question was asked."""


def job(file: str, k: int) -> dict[str, object]:
    """A release that takes a fraction of a second."""
    columns = {
        "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [5, 10, 20]}}},
        "sex": {"role": "quasi"},
        "zip": {"role": "quasi", "hierarchy": "mask"},
        "disease": {"role": "sensitive"},
    }
    return {"data": file, "columns": columns, "models": [{"k_anonymity": {"k": k}}], "suppress": 0.05}


class Load:
    """What all clients have seen."""

    def __init__(self, address: str, until: float) -> None:
        self.address = address
        self.until = until
        self.lock = threading.Lock()
        self.answers: Counter[str] = Counter()
        self.accepted: dict[str, float] = {}
        self.seconds: list[float] = []
        self.faults: Counter[str] = Counter()

    def client(self, number: int) -> None:
        """One user: uploads a file, then asks and looks, again and again."""
        chance = random.Random(number)
        with httpx.Client(base_url=f"{self.address}/v1/", timeout=120) as http:
            file = None
            while time.monotonic() < self.until:
                try:
                    if file is None:
                        answer = self.asked(http, "POST", "files", files={"file": ("people.csv", PEOPLE.encode())})
                        file = answer.json()["id"] if answer is not None else None
                        continue
                    self.once(http, file, chance)
                except httpx.HTTPError as error:
                    with self.lock:
                        self.faults[type(error).__name__] += 1

    def once(self, http: httpx.Client, file: str, chance: random.Random) -> None:
        """One question, and sometimes a look at what there is."""
        kind, body = chance.choice(
            [
                ("inspect", {"file": file}),
                ("diagnose", {"file": file, "k": 5, "max_size": 2}),
                ("risk", {"file": file, "quasi": ["age", "sex", "zip"]}),
                ("anonymize", job(file, chance.choice([2, 5, 10]))),
            ]
        )
        answer = self.asked(http, "POST", kind, json=body)
        if answer is None:
            return
        id = answer.json()["id"]
        with self.lock:
            self.accepted[id] = time.monotonic()
        if chance.random() < 0.1:
            self.asked(http, "GET", "files")
        state = self.asked(http, "GET", f"runs/{id}", params={"wait": 30})
        if state is not None and state.json()["state"] in ("done", "failed"):
            with self.lock:
                self.seconds.append(time.monotonic() - self.accepted[id])

    def asked(self, http: httpx.Client, method: str, place: str, **more: object) -> httpx.Response | None:
        """An answer; None where the service asks to come back later, which is done."""
        answer = http.request(method, place, **more)  # type: ignore[arg-type]
        with self.lock:
            self.answers[str(answer.status_code)] += 1
            if answer.is_error and answer.status_code != 429:
                self.faults[answer.text[:200]] += 1
        if answer.status_code == 429:
            time.sleep(float(answer.headers["retry-after"]))
        return None if answer.is_error else answer


def main() -> int:
    """Run, count, and fail where something was lost."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--minutes", type=float, default=5)
    words.add_argument("--clients", type=int, default=50)
    words.add_argument("--workers", type=int, default=2)
    words.add_argument("--waiting", type=int, default=40, help="Runs that may wait; beyond, the service says 429.")
    given = words.parse_args()
    with tempfile.TemporaryDirectory(prefix="incrowd-load-") as folder:
        command = [sys.executable, "-m", "incrowd", "serve", "--api-only", "--port", "0", "--workspace", folder]
        command += ["--workers", str(given.workers), "--waiting", str(given.waiting)]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1].removesuffix("/v1/openapi.json")
            return measured(address, given)
        finally:
            server.terminate()
            server.wait()


def measured(address: str, given: argparse.Namespace) -> int:
    """Clients at work, then what became of what was accepted."""
    load = Load(address, time.monotonic() + given.minutes * 60)
    threads = [threading.Thread(target=load.client, args=(number,)) for number in range(given.clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    states = over(address, load)
    lost = [id for id in load.accepted if id not in states]
    ends = Counter(states[id] for id in load.accepted if id in states)
    took = sorted(load.seconds)
    print(f"{given.clients} clients, {given.minutes:g} minutes, {given.workers} workers")
    print(f"answers: {json.dumps(dict(sorted(load.answers.items())))}; other errors: {json.dumps(dict(load.faults))}")
    print(f"accepted: {len(load.accepted)}; ended: {json.dumps(dict(ends))}; lost: {len(lost)}")
    if took:
        middle, most = took[len(took) // 2], took[int(len(took) * 0.95)]
        print(f"from accepted to over: median {middle:.2f} s, 95 of 100 within {most:.2f} s")
        print(f"{len(load.accepted) / given.minutes / 60:.1f} runs a second")
    return 0 if not lost and not load.faults and set(ends) <= {"done"} else 1


def over(address: str, load: Load) -> dict[str, str]:
    """The states of all runs once none is on any more."""
    until = time.monotonic() + PATIENCE
    with httpx.Client(base_url=f"{address}/v1/", timeout=120) as http:
        while True:
            states = {run["id"]: run["state"] for run in http.get("runs").json()}
            if not {"queued", "running"} & set(states.values()) or time.monotonic() > until:
                return states
            time.sleep(1)


if __name__ == "__main__":
    sys.exit(main())
