#!/bin/sh
# From two items to a ZIP file with curl. Usage: QRPRESS_URL=http://127.0.0.1:8080 QRPRESS_KEY=qrp_… sh qrpress.sh codes.zip
set -eu
out=${1:-codes.zip}

# One member of a flat JSON object, without further tools.
member() { sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"; }

job=$(curl --silent --show-error --fail-with-body --retry 5 "$QRPRESS_URL/api/v1/jobs" \
  -H "Authorization: Bearer $QRPRESS_KEY" \
  -H 'Content-Type: application/json' \
  -d '{"name": "from curl", "items": [{"data": "https://example.org/1"}, {"data": "https://example.org/2"}]}' |
  member jobId)

status=processing
while [ "$status" = processing ] || [ "$status" = zipping ]; do
  sleep 1
  status=$(curl --silent --show-error --fail-with-body --retry 5 "$QRPRESS_URL/api/v1/jobs/$job" \
    -H "Authorization: Bearer $QRPRESS_KEY" | member status)
  echo "$job: $status"
done
[ "$status" = complete ]

# Repeat this line after a broken connection: it goes on where it stopped.
curl --silent --show-error --fail --continue-at - --output "$out" "$QRPRESS_URL/api/v1/jobs/$job/download" \
  -H "Authorization: Bearer $QRPRESS_KEY"
