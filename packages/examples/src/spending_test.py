# Test a bot that is not JavaScript: Python's own unittest against the mock server as a program of its own.
#
# npm install --save-dev @guild-ledger/mock-server && python3 spending_test.py

import json
import os
import shlex
import subprocess
import time
import unittest
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen


def spent_by(url, key, user, attempts=3):
    """What a user has spent in all: the code under test. An internal failure is asked again."""
    total, page, pages = 0.0, 1, 1
    while page <= pages:
        path = f"/guild/ledger/{quote(user, safe='')}/transactions?limit=100&page={page}"
        try:
            with urlopen(Request(url + path, headers={"x-api-key": key}), timeout=10) as reply:
                body = json.load(reply)
        except HTTPError as error:
            if error.code == 404:
                return total  # nothing bought yet
            if error.code < 500 or attempts == 1:
                raise
            attempts -= 1
            time.sleep(0.05)
            continue
        total += sum(row["total"] for row in body["data"]["transactions"])
        page, pages = page + 1, body["pagination"]["totalPages"]
    return round(total, 2)


class SpendingTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # The program itself, not npx: what is ended then is the server, and not only what started it.
        command = shlex.split(os.environ.get("GUILD_LEDGER_MOCK", "node_modules/.bin/guild-ledger-mock"))
        # Port 0: a free one, so that two suites never meet. One line of JSON says where it is, once it answers.
        cls.server = subprocess.Popen([*command, "--port", "0", "--json"], stdout=subprocess.PIPE, text=True)
        cls.addClassCleanup(cls.server.communicate)
        cls.addClassCleanup(cls.server.terminate)
        cls.url = json.loads(cls.server.stdout.readline())["url"]

    def admin(self, verb, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(f"{self.url}/_mock/{path}", data=data, method=verb), timeout=10) as reply:
            return json.loads(reply.read() or "null")

    def setUp(self):
        # A guild for each test, with rows, key, failures and log of its own: the key is the way in.
        self.guild = self.admin("POST", "guilds", {"transactions": 450, "users": 2, "seed": 7})
        self.rows = self.admin("GET", f"guilds/{self.guild['id']}/transactions")
        self.user = self.rows[0]["platformId"]
        self.expected = round(sum(row["total"] for row in self.rows if row["platformId"] == self.user), 2)

    def test_adds_up_all_pages(self):
        self.assertEqual(spent_by(self.url, self.guild["apiKey"], self.user), self.expected)

    def test_asks_again_after_a_failure(self):
        self.admin("POST", f"guilds/{self.guild['id']}/faults", {"kind": "internal-error", "times": 2})
        self.assertEqual(spent_by(self.url, self.guild["apiKey"], self.user), self.expected)
        statuses = [request["status"] for request in self.admin("GET", f"guilds/{self.guild['id']}/requests")]
        self.assertEqual(statuses[:3], [500, 500, 200])

    def test_takes_nothing_found_for_nothing_spent(self):
        self.assertEqual(spent_by(self.url, self.guild["apiKey"], "nobody"), 0)


if __name__ == "__main__":
    unittest.main()
