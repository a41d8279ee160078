import json
import subprocess
from urllib.request import Request, urlopen

import pytest


@pytest.fixture(scope="session")
def mock_url():
    # Port 0 is a free port, so that suites can run at the same time. Not through npx, which would outlive the server.
    command = ["node_modules/.bin/guild-ledger-mock", "--port", "0", "--json", "--rate-limit", "off"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        yield json.loads(server.stdout.readline())["url"]
        server.terminate()


@pytest.fixture
def admin(mock_url):
    def send(method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(f"{mock_url}/_mock/{path}", data=data, method=method), timeout=10) as response:
            return json.loads(response.read() or "null")

    return send


@pytest.fixture
def guild(admin):
    """A guild of this test alone, with its own transactions, key, faults and log."""
    return admin("POST", "guilds", {"users": 2, "transactions": 250, "seed": 7})
