"""The server does what `/v1/openapi.json` says of it, whatever is asked: schemathesis makes up the requests."""

import pathlib
import re
import subprocess
import sys


def test_the_server_is_as_it_describes_itself(fixture, tmp_path):
    program = pathlib.Path(sys.executable).parent / "schemathesis"
    settings = pathlib.Path(__file__).parent / "schemathesis.toml"
    done = subprocess.run(
        [program, "--config-file", settings, "run", f"{fixture.url}/v1/openapi.json"], cwd=tmp_path, capture_output=True,
        text=True, timeout=300)
    assert done.returncode == 0, done.stdout
    generated = int(re.search(r"(\d+) generated, \1 passed", done.stdout)[1])
    assert generated >= 300, done.stdout
