"""Folders in which the tool runs with settings, providers and a home of its own, and servers there.

For the tests of clients here, and of pages in Tests/WebPages: `make` says in BITPAL where the tool is.
"""

import http.client
import os
import pathlib
import re
import shutil
import subprocess
import time
import urllib.parse

BITPAL = pathlib.Path(os.environ["BITPAL"]).resolve()

# `make coverage` wants to know the lines that a process runs.
PROFILES = os.environ.get("BITPAL_TEST_PROFILES")
PROFILING = {"LLVM_PROFILE_FILE": PROFILES + "/%8m.profraw"} if PROFILES else {}
ROOT = pathlib.Path(__file__).resolve().parents[2]


class World:
    """A folder with settings, providers and a home of its own, in which the tool runs."""

    def __init__(self, folder):
        self.folder = folder
        shutil.copytree(ROOT / "providers", folder / "providers")
        (folder / "Fixtures").mkdir()
        (folder / "Fixtures/market").symlink_to(ROOT / "Fixtures/market")
        # Nobody is asked what currencies cost, for that would be somebody on the network; who is asked here has time.
        settings = (ROOT / "config.yaml").read_text().replace("coingecko: {}", "coingecko: { rate_limit: 1000/1s }")
        (folder / "config.yaml").write_text(settings + "\nconvert: none\n")
        self.environment = {
            "HOME": str(folder / "home"), "PATH": f"{BITPAL.parent}:{os.environ['PATH']}", "LANG": "C.UTF-8",
            "BITPAL_CONFIG": str(folder / "config.yaml"), **PROFILING,
        }
        (folder / "home").mkdir()

    def done(self, words, cwd=""):
        return subprocess.run(
            [BITPAL, *words], cwd=self.folder / cwd, env=self.environment, capture_output=True, text=True, timeout=60)

    def run(self, *words):
        done = self.done(words)
        assert done.returncode == 0, f"bitpal {' '.join(words)}: {done.stderr}"
        return done.stdout

    def attempt(self, *words, cwd=""):
        """What is printed, also where it is that something failed."""
        return self.done(words, cwd).stdout

    def serve(self, *words):
        return Server(self, words)

    def provider(self, name, base_url):
        """Has a shipped provider ask somebody else, who has time: no test depends on a budget."""
        file = self.folder / f"providers/{name}.yaml"
        text = re.sub(r"(?m)^(base_url|rate_limit): .*\n", "", file.read_text())
        file.write_text(f"{text}\nbase_url: {base_url}\nrate_limit: 100000/1s\nmax_age: 36500d\n")


class Server:
    """`bitpal serve` for as long as a `with` lasts; it must end as it should."""

    def __init__(self, world, words):
        self.world, self.words = world, words

    def __enter__(self):
        self.log = open(self.world.folder / "log", "w+")
        self.process = subprocess.Popen(
            [BITPAL, "serve", "--listen", "127.0.0.1:0", *self.words], cwd=self.world.folder, env=self.world.environment,
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.url = self.process.stdout.readline().strip()
        assert self.url, f"bitpal serve {' '.join(self.words)}: {pathlib.Path(self.log.name).read_text()}"
        Server.running[urllib.parse.urlsplit(self.url).netloc] = self
        return self

    # The servers that run, by host and port.
    running = {}

    def owner_address(self):
        """An address that makes a browser the owner's, once."""
        return self.world.run("serve", "link", "--port", str(urllib.parse.urlsplit(self.url).port)).strip()

    def cookie(self):
        """The owner's cookie: its name and its value."""
        connection = http.client.HTTPConnection(urllib.parse.urlsplit(self.url).netloc)
        connection.request("GET", "/?" + self.owner_address().split("?")[1])
        answer = connection.getresponse()
        assert answer.status == 303
        name, value = answer.headers["Set-Cookie"].split(";")[0].split("=", 1)
        connection.close()
        return name, value

    def __exit__(self, *_):
        del Server.running[urllib.parse.urlsplit(self.url).netloc]
        self.process.terminate()
        assert self.process.wait(timeout=20) == 0
