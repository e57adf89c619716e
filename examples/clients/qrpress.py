"""From two items to a ZIP file, with Python's standard library alone.

Usage: QRPRESS_URL=http://127.0.0.1:8080 QRPRESS_KEY=qrp_… python3 qrpress.py codes.zip
"""

import base64
import hashlib
import hmac
import json
import os
import shutil
import sys
import time
import urllib.error
import urllib.request
import uuid

URL = os.environ["QRPRESS_URL"]
KEY = os.environ["QRPRESS_KEY"]


def call(path, body=None, headers={}):
    """Opens a response, after as many pauses as the service asks for."""
    headers = {"Authorization": f"Bearer {KEY}", **headers}
    data = None if body is None else json.dumps(body).encode()
    if data is not None:
        # The same key for every attempt: the job is created once.
        headers |= {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
    while True:
        try:
            return urllib.request.urlopen(urllib.request.Request(URL + path, data, headers))
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503):
                raise SystemExit(f"{error.code}: {error.read().decode()}")
            time.sleep(int(error.headers.get("Retry-After", "1")))


def verify_webhook(body: bytes, headers, secret: str) -> dict:
    """The message of a webhook, once it is known to come from the service."""
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = headers["webhook-signature"].split()
    if not any(hmac.compare_digest(expected, signature) for signature in given):
        raise ValueError("the webhook is not signed with this secret")
    if abs(time.time() - int(headers["webhook-timestamp"])) > 300:
        raise ValueError("the webhook was not sent just now")
    return json.loads(body)


def main(out):
    items = [{"data": f"https://example.org/{number}", "reference": f"row {number}"} for number in (1, 2)]
    job = json.load(call("/api/v1/jobs", {"name": "from Python", "items": items}))["jobId"]
    status = {"status": "processing"}
    while status["status"] in ("processing", "zipping"):
        time.sleep(1)
        status = json.load(call(f"/api/v1/jobs/{job}"))
        print(f"{status['completed']} of {status['total']}: {status['status']}")
    if status["status"] != "complete":
        raise SystemExit(f"the job failed: {status['reason']}")
    with call(f"/api/v1/jobs/{job}/download") as archive, open(out, "wb") as file:
        shutil.copyfileobj(archive, file)
    for line in call(f"/api/v1/jobs/{job}/manifest"):
        item = json.loads(line)
        print(item["reference"], [file["name"] for file in item["files"]])


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "codes.zip")
