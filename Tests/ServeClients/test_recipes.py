"""The recipes of docs/serve.md do what the page says: its very text is run, with the port of a server that is there."""

import contextlib
import json
import pathlib
import re
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request

import pytest
from world import ROOT

PAGE = (ROOT / "docs/serve.md").read_text().split("\n## Recipes\n")[1].split("\n## ")[0]
RECIPES = {
    title: re.findall(r"```(\w+)\n(.*?)```", text, re.DOTALL)
    for title, text in re.findall(r"### (.*?)\n(.*?)(?=\n### |\Z)", PAGE, re.DOTALL)
}


def recipe(title, language, url):
    """The one block of a recipe, asking a server that is there."""
    (found, text), = RECIPES[title]
    assert found == language
    return text.replace("http://127.0.0.1:8642", url).replace("127.0.0.1:8642", urllib.parse.urlsplit(url).netloc)


def test_there_are_five():
    assert list(RECIPES) == ["pycoingecko", "coingecko-sdk", "Prometheus", "A page of prices", "pytest"]


@pytest.mark.parametrize("title", ["pycoingecko", "coingecko-sdk"])
def test_a_client(fixture, title):
    text = recipe(title, "python", fixture.url)
    said = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60)
    # What it prints stands below it as comments.
    shown = "".join(line.removeprefix("# ") + "\n" for line in text.splitlines() if line.startswith("# "))
    assert (said.stdout, said.stderr) == (shown, "") and shown


def test_prometheus(fixture, tmp_path):
    text = recipe("Prometheus", "yaml", fixture.url).replace("15s", "1s")
    (tmp_path / "prometheus.yml").write_text(text)
    subprocess.run(["promtool", "check", "config", tmp_path / "prometheus.yml"], check=True, capture_output=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    log = open(tmp_path / "log", "w")
    prometheus = subprocess.Popen(
        ["prometheus", f"--config.file={tmp_path}/prometheus.yml", f"--storage.tsdb.path={tmp_path}/data",
         f"--web.listen-address={address}"], stderr=log, stdout=log)
    try:
        # The figures of another server would be none of these.
        query = urllib.parse.quote('sum(bitpal_http_requests_total{job="bitpal"}) and on() up{job="bitpal"} == 1')
        end, found = time.monotonic() + 60, []
        while time.monotonic() < end and not found:
            time.sleep(0.5)
            with contextlib.suppress(OSError):
                answer = urllib.request.urlopen(f"http://{address}/api/v1/query?query={query}")
                found = json.load(answer)["data"]["result"]
        assert found and float(found[0]["value"][1]) > 0, (tmp_path / "log").read_text()
    finally:
        prometheus.terminate()
        prometheus.wait(timeout=30)


def test_a_page(world, fixture, tmp_path):
    text = recipe("A page of prices", "sh", fixture.url)
    subprocess.run(["sh", "-c", text], cwd=tmp_path, check=True, timeout=60, env=world.environment)
    page = (tmp_path / "prices.html").read_text()
    assert f"Bitcoin</td><td>{fixture.prices['usd']['bitcoin']['price']}</td>" in page
    assert "<svg " in page and page.rstrip().endswith("</svg>")


def test_pytest_itself(world, fixture):
    file = world.folder / "test_prices.py"
    file.write_text(recipe("pytest", "python", "http://nobody.example"))
    said = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", file], cwd=world.folder, env=world.environment,
        capture_output=True, text=True, timeout=120)
    assert "1 passed" in said.stdout, said.stdout + said.stderr
