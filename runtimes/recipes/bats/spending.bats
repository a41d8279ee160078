setup_file() {
  # Not through npx: `kill` would not end the server. Bats waits for whoever holds file descriptor 3.
  node_modules/.bin/guild-ledger-mock --port 0 --json >"$BATS_FILE_TMPDIR/mock.json" 3>&- &
  echo $! >"$BATS_FILE_TMPDIR/pid"
  for _ in {1..100}; do
    grep -q url "$BATS_FILE_TMPDIR/mock.json" && break
    sleep 0.1
  done
  MOCK_URL=$(sed 's/.*"url":"\([^"]*\)".*/\1/' "$BATS_FILE_TMPDIR/mock.json")
  export MOCK_URL
}

teardown_file() {
  kill "$(cat "$BATS_FILE_TMPDIR/pid")"
}

setup() {
  curl -sf -X POST "$MOCK_URL/_mock/reset"
}

list_transactions() {
  curl -s -w '%{http_code}' -H "x-api-key: guild-ledger-mock-key" "$MOCK_URL/guild/ledger/transactions?limit=1"
}

@test "lists transactions" {
  run list_transactions
  [[ "$output" == *'"total":1000'*200 ]]
}

@test "sees an internal error" {
  curl -sf -X POST -d '{"kind":"internal-error","times":1}' "$MOCK_URL/_mock/guilds/guild-1/faults"
  run list_transactions
  [[ "$output" == *"Failed to fetch guild transactions"*500 ]]
}
