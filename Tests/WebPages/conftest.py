"""A browser before servers over a recording, and over a source that can be changed and can die.

Run by `make web-test`, which says in BITPAL where the tool is and in CHROMIUM where the browser. Whatever a test does: no page
may say anything on its console, fail, or ask anybody but its own server.
"""

import contextlib
import pathlib
import sys

import pytest
from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "ServeClients"))

from browsing import CHROMIUM, FOLLOWED, Visit  # noqa: E402
from source import PROVIDER, Coin, Source  # noqa: E402
from world import ROOT, World  # noqa: E402

expect.set_options(timeout=10_000)

@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        # In a container there is no sandbox to be had, and what is shown is ours.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium):
    """Opens windows, and looks when all is over whether any of them was out of order."""
    visit = Visit(chromium)
    yield visit
    visit.close()


@pytest.fixture(scope="session")
def market(tmp_path_factory):
    """A server over the demo recording, with a watchlist and a portfolio."""
    world = World(tmp_path_factory.mktemp("market"))
    world.run("watchlist", "add", *FOLLOWED)
    world.run("portfolio", "import", str(ROOT / "Fixtures/portfolio.csv"))
    with world.serve("-p", "fixture", "--portfolio") as server:
        yield server


@pytest.fixture
def followed(market):
    """The same, with the watchlist as it was whatever the test before did to it."""
    present = [line.split(",")[0] for line in market.world.run("watchlist", "list", "--format", "csv").splitlines()[1:]]
    if present != FOLLOWED:
        if present:
            market.world.run("watchlist", "remove", *present)
        market.world.run("watchlist", "add", *FOLLOWED)
    return market


@pytest.fixture
def source():
    source = Source({
        "bitcoin": Coin("Bitcoin", "btc", "50000.25"), "ethereum": Coin("Ethereum", "eth", "2500.5", "-0.5"),
        "solana": Coin("Solana", "sol", "150.125"),
    })
    yield source
    source.close()


@pytest.fixture
def live(tmp_path, source):
    """A folder in which `live` is a source whose prices are old after a second."""
    world = World(tmp_path)
    (tmp_path / "providers/live.yaml").write_text(PROVIDER % source.url)
    settings = tmp_path / "config.yaml"
    settings.write_text(settings.read_text().replace("quotes: 60s", "quotes: 1s"))
    return world


@pytest.fixture
def serve(live):
    """Serves `live`, until the windows before it are closed."""
    with contextlib.ExitStack() as stack:
        yield lambda *words: stack.enter_context(live.serve("-p", "live", *words))
