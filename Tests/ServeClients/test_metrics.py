"""Prometheus reads `/metrics`, and its own checker finds nothing to complain about."""

import subprocess
import urllib.request


def test_promtool_is_content(fixture):
    urllib.request.urlopen(fixture.url + "/api/v3/simple/price?ids=bitcoin&vs_currencies=usd").read()
    with urllib.request.urlopen(fixture.url + "/metrics") as page:
        text = page.read()
    assert b'bitpal_http_requests_total{path="/api/v3/simple/price",status="200"}' in text
    done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, timeout=30)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
