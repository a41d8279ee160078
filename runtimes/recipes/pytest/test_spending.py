import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest


def list_transactions(url, key, page=1):
    """The code under test."""
    request = Request(f"{url}/guild/ledger/transactions?limit=100&page={page}", headers={"x-api-key": key})
    with urlopen(request, timeout=10) as response:
        return json.load(response)


def test_lists_a_page(mock_url, guild):
    assert list_transactions(mock_url, guild["apiKey"])["pagination"]["total"] == 250


def test_sees_an_internal_error(mock_url, admin, guild):
    admin("POST", f"guilds/{guild['id']}/faults", {"kind": "internal-error", "times": 1})

    with pytest.raises(HTTPError, match="500"):
        list_transactions(mock_url, guild["apiKey"])

    assert [request["status"] for request in admin("GET", f"guilds/{guild['id']}/requests")] == [500]
