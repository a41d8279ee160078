# Reads all pages of the ledger with the standard library, and waits when the service limits the rate. If the ledger
# changes meanwhile, it reads some transactions twice and misses others: use the gateway of the command line then.
#
# GUILD_LEDGER_BASE_URL=… GUILD_LEDGER_API_KEY=… python3 read_ledger.py

import json
import os
import time
from decimal import Decimal
from urllib.error import HTTPError
from urllib.request import Request, urlopen

base_url = os.environ.get("GUILD_LEDGER_BASE_URL", "http://127.0.0.1:4010")
api_key = os.environ.get("GUILD_LEDGER_API_KEY", "guild-ledger-mock-key")


def get(path):
    while True:
        try:
            with urlopen(Request(base_url + path, headers={"x-api-key": api_key})) as response:
                return json.load(response, parse_float=Decimal)  # exact sums
        except HTTPError as error:
            if error.code not in (429, 503):  # more than 10 requests within a second
                raise
            time.sleep(int(error.headers.get("retry-after", 1)))


spent, page, pages = Decimal(0), 1, 1
while page <= pages:
    body = get(f"/guild/ledger/transactions?limit=100&page={page}")
    spent += sum(transaction["total"] for group in body["data"] for transaction in group["transactions"])
    page, pages = page + 1, body["pagination"]["totalPages"]
print(f"{spent:.2f} on {pages} pages")

try:
    get("/guild/ledger/nobody/transactions")
except HTTPError as error:
    print(error.code, json.load(error)["message"])  # 404 No transactions found for this user
