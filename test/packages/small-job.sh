#!/bin/sh
# Runs an unpacked qrpress as a stranger would: doctor, the service, a job through it, its archive, the drain. Its argument is the
# folder that qrpress lies in; QRPRESS_DATA_DIR is where the data and the archive, codes.zip, go.
set -eu
folder=$1
qrpress() { node "$folder/dist/main.js" "$@"; }
member() { node -e 'console.log(JSON.parse(require("fs").readFileSync(0, "utf8"))[process.argv[1]])' "$1"; }
url=http://127.0.0.1:8080

qrpress doctor

node "$folder/dist/main.js" serve &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT
node -e '
  (async () => {
    while (!(await fetch(process.argv[1]).then(({ ok }) => ok, () => false))) await new Promise((next) => setTimeout(next, 50));
  })();
' "$url/readyz"

organisation=$(qrpress admin create-organisation --name Example --owner owner@example.org --credits 10000 --json | member organisationId)
key=$(qrpress admin create-key --organisation "$organisation" --name example --json | member key)
qrpress submit "$folder/examples/posters.json" --url "$url" --key "$key" --out "$QRPRESS_DATA_DIR/codes.zip" --json

kill "$server"
wait "$server"
echo "drained"
