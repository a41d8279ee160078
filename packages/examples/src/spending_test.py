# Test a Python bot with unittest against the mock server, which runs as a separate process.
#
# npm install --save-dev @guild-ledger/mock-server && python3 spending_test.py

import json
import os
import shlex
import subprocess
import time
import unittest
from decimal import Decimal
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen


def spent_by(url, key, user, attempts=3):
    """The code under test: returns the total spending of a user. Server errors are retried."""
    total, page, pages = Decimal(0), 1, 1
    while page <= pages:
        path = f"/guild/ledger/{quote(user, safe='')}/transactions?limit=100&page={page}"
        try:
            with urlopen(Request(url + path, headers={"x-api-key": key}), timeout=10) as response:
                body = json.load(response, parse_float=Decimal)
        except HTTPError as error:
            if error.code == 404:
                return float(total)  # nothing bought yet
            if error.code < 500 or attempts == 1:
                raise
            attempts -= 1
            time.sleep(0.05)
            continue
        total += sum(transaction["total"] for transaction in body["data"]["transactions"])
        page, pages = page + 1, body["pagination"]["totalPages"]
    return float(total)


class SpendingTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Not through npx: terminating npx would not terminate the server.
        command = shlex.split(os.environ.get("GUILD_LEDGER_MOCK", "node_modules/.bin/guild-ledger-mock"))
        # Port 0 is a free port, so that suites can run in parallel. With --json the server prints its URL once it is ready.
        cls.server = subprocess.Popen([*command, "--port", "0", "--json"], stdout=subprocess.PIPE, text=True)
        cls.addClassCleanup(cls.server.communicate)
        cls.addClassCleanup(cls.server.terminate)
        cls.url = json.loads(cls.server.stdout.readline())["url"]

    def admin(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(f"{self.url}/_mock/{path}", data=data, method=method), timeout=10) as response:
            return json.loads(response.read() or "null")

    def setUp(self):
        # An isolated guild for each test, with its own transactions, key, faults and log.
        self.guild = self.admin("POST", "guilds", {"transactions": 450, "users": 2, "seed": 7})
        self.transactions = self.admin("GET", f"guilds/{self.guild['id']}/transactions")
        self.user = self.transactions[0]["platformId"]
        self.expected = float(sum(
            Decimal(str(transaction["total"])) for transaction in self.transactions if transaction["platformId"] == self.user
        ))

    def test_sums_all_pages(self):
        self.assertEqual(spent_by(self.url, self.guild["apiKey"], self.user), self.expected)

    def test_retries_a_server_error(self):
        self.admin("POST", f"guilds/{self.guild['id']}/faults", {"kind": "internal-error", "times": 2})
        self.assertEqual(spent_by(self.url, self.guild["apiKey"], self.user), self.expected)
        statuses = [request["status"] for request in self.admin("GET", f"guilds/{self.guild['id']}/requests")]
        self.assertEqual(statuses[:3], [500, 500, 200])

    def test_spending_is_zero_for_an_unknown_user(self):
        self.assertEqual(spent_by(self.url, self.guild["apiKey"], "nobody"), 0)


if __name__ == "__main__":
    unittest.main()
