"""The planted suite in Python: each test has a guild of its own on the mock that the sweep serves."""

import http.client
import itertools
import json
import os
import pathlib
import time
import urllib.parse

import pytest

PLANTED = json.loads((pathlib.Path(__file__).parent / "planted.json").read_text())
BASE = urllib.parse.urlsplit(os.environ.get("GUILD_LEDGER_BASE_URL", "http://127.0.0.1:4010"))
START = 1780272000000
LIMIT_HEADERS = ["retry-after", "x-ratelimit-limit", "ratelimit"]
calls = itertools.count()
ONLY = os.environ.get("PLANTED_ONLY")


def request(method, path, headers=None, body=None, address="127.0.0.1"):
    connection = http.client.HTTPConnection(BASE.hostname, BASE.port, timeout=10, source_address=(address, 0))
    try:
        connection.request(method, path, None if body is None else json.dumps(body), headers or {})
        response = connection.getresponse()
        text = response.read()
        return response.status, json.loads(text) if text else None, [n for n in LIMIT_HEADERS if response.getheader(n)]
    finally:
        connection.close()


def admin(method, path, body=None):
    return request(method, "/_mock/" + path, {"content-type": "application/json"}, body)


def picked(value, path):
    if not path:
        return value
    if path[0] == "*":
        return [picked(item, path[1:]) for item in value] if isinstance(value, list) else None
    return picked(value.get(path[0]) if isinstance(value, dict) else None, path[1:])


def observed(probe):
    # Addresses have one limit for all guilds: no second may have requests of several tests.
    start = START + 10_000 * next(calls)
    admin("POST", "clock/freeze", {"at": start})
    options = {"rateLimit": probe.get("rateLimit", "off"), "assumptions": probe.get("assumptions", {})}
    _, guild, _ = admin("POST", "guilds", options)
    place = f"guilds/{guild['id']}"
    admin("POST", place + "/transactions", PLANTED["transactions"][probe.get("data", "main")])

    def create_key(kind):
        expires = start + (1000 if kind == "expired" else 10**9)
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(expires / 1000))
        scopes = [] if kind == "unscoped" else ["guild:read"]
        return admin("POST", place + "/keys", {"name": kind, "scopes": scopes, "expiresAt": at})

    keys = {"first": guild["apiKey"]}
    for step in probe["steps"]:
        if step.get("key", "first") not in keys:
            keys[step["key"]] = create_key(step["key"])[1]["value"]
    if "subscription" in probe:
        admin("PATCH", place, {"subscription": probe["subscription"]})
    last = None
    for step in probe["steps"]:
        admin("POST", "clock/freeze", {"at": start + step.get("at", 0)})
        if "createKey" in step:
            last = {"created": create_key("second")[0] < 300}
        else:
            headers = {"x-api-key": keys[step.get("key", "first")]}
            status, body, names = request("GET", step["get"], headers, None, step.get("address", "127.0.0.1"))
            last = {"status": status, "body": body, "limitHeaders": names}
    return picked(last, probe["pick"].split("."))


def happens(probe):
    return observed(probe) == probe["forbid"]


def name_of(probe):
    return probe.get("value") or probe.get("name") or " and ".join(probe["values"])


def chosen(probes):
    # pytest 7.2 calls a function given as `ids` even where there is nothing to name.
    some = [probe for probe in probes if ONLY is None or name_of(probe) in ONLY.split(",")]
    return [pytest.param(probe, id=name_of(probe)) for probe in some]


@pytest.mark.parametrize("probe", chosen(PLANTED["singles"]))
def test_depends_on(probe):
    assert not happens(probe)


@pytest.mark.parametrize("probe", chosen(PLANTED["robust"]))
def test_robust(probe):
    assert not happens(probe)


@pytest.mark.parametrize("pair", chosen(PLANTED["pairs"]))
def test_depends_on_pair(pair):
    assert not all(happens(probe) for probe in pair["all"])


def test_pinned():
    assert not happens({**PLANTED["singles"][0], "assumptions": {"pageUnit": "transaction"}})


def test_flaky():
    marker = pathlib.Path(os.environ["PLANTED_FLAKY_FILE"])
    if marker.exists():
        marker.unlink()
        raise AssertionError("failed at random")
    marker.touch()


def test_hangs():
    probe = {
        "steps": [{"get": "/guild/ledger/u1/transactions"}],
        "pick": "body.data.transactions.*.createdAt",
        "forbid": ["2026-01-01T00:00:03Z"],
    }
    while happens(probe):
        time.sleep(0.5)
