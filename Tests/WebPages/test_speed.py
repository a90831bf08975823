"""How quick it is: sizes and requests are held, times are printed, for a busy machine says nothing of ours."""

import socket
import statistics
import time
import urllib.request
from pathlib import Path

import pytest
from source import Coin

PAINT = """() => new Promise((done) => {
  const painted = () => performance.getEntriesByName("first-paint")[0];
  if (painted()) return done(painted().startTime);
  new PerformanceObserver(() => painted() && done(painted().startTime)).observe({ type: "paint", buffered: true });
})"""


@pytest.mark.parametrize("path", ["/", "/coin/bitcoin"])
def test_first_paint(market, visit, path, capsys):
    page = visit.open(market.url + path)
    times = []
    for _ in range(20):
        page.goto(market.url + path)
        times.append(page.evaluate(PAINT))
    with capsys.disabled():
        print(f"\n{path}: first paint {statistics.median(times):.0f} ms after the request, median of 20")


def test_hundred_coins_are_one_request_and_sixty_kilobytes(live, source, serve, visit, capsys):
    source.coins.update({f"usual-coin-{number}": Coin(f"Some Coin {number}", f"coin{number}", "12345.678901") for number in range(100)})
    live.run("watchlist", "add", *[coin for coin in source.coins if coin.startswith("usual")], "-p", "live")
    slowly(live)
    server = serve()
    for coin in source.coins:
        urllib.request.urlopen(f"{server.url}/spark/{coin}").read()
    source.asked.clear()
    page = visit.open(server.url)
    answer = page.request.get(server.url)
    asked = [path.split("?")[0] for path in source.asked]
    assert asked == ["/quotes"] and page.locator("svg.spark").count() == 100
    assert len(answer.body()) <= 60_000
    together = sum(len(page.request.get(server.url + path).body()) for path in ("/bitpal.css", "/bitpal.js"))
    assert together <= 40_000
    with capsys.disabled():
        print(f"\n100 coins: {len(answer.body())} bytes, {len(asked)} request of the source; style and script {together} bytes")


def slowly(world):
    """Prices are fresh for a minute, as without settings."""
    settings = world.folder / "config.yaml"
    settings.write_text(settings.read_text().replace("quotes: 1s", "quotes: 60s"))


def test_fifty_pages_that_listen_cost_next_to_nothing(live, source, capsys):
    slowly(live)
    with live.serve("-p", "live") as server:
        host, port = server.url.removeprefix("http://").split(":")
        listeners = []
        for number in range(50):
            listener = socket.create_connection((host, int(port)))
            coins = "bitcoin,ethereum" if number % 2 else "bitcoin,solana"
            listener.sendall(f"GET /events?coins={coins}&currency=usd HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            assert listener.recv(12) == b"HTTP/1.1 200"
            listeners.append(listener)

        def spent():
            fields = Path(f"/proc/{server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
            return (int(fields[11]) + int(fields[12])) / 100

        before, seconds = spent(), 10
        time.sleep(seconds)
        share = 100 * (spent() - before) / seconds
        for listener in listeners:
            listener.close()
        with capsys.disabled():
            print(f"\n50 pages that listen while nothing changes: {share:.1f} % of a core")
