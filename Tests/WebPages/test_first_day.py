"""What a first visitor looks for, at a phone's width and at a desk's: figures, currencies, a limit of the source, a tap."""

import pytest
from browsing import overflow
from playwright.sync_api import expect
from source import Coin

BOTH = pytest.mark.parametrize("width", ["phone", "large"])

# The figures on a page that take more than one line.
BROKEN = """() => [...document.querySelectorAll("td, .price > span, .facts td > span")]
  .flatMap((cell) => [...cell.childNodes].filter((node) => node.nodeType === 3 && /^[-+]?[\\d,.]+%?$/.test(node.data.trim())))
  .filter((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1;
  }).map((node) => node.data)"""


@BOTH
def test_currency_and_time_zone_are_chosen_once_for_all_pages(followed, visit, width):
    page = visit.open(followed.url + "/coin/bitcoin?range=1W&currency=usd", width)
    expect(page.locator(".hero .price")).to_contain_text("USD")
    page.get_by_label("Currency").fill("eur")
    page.get_by_label("Time zone").fill("Asia/Tokyo")
    page.get_by_role("button", name="Use").click()
    # It is the same page, without the currency of its address.
    page.wait_for_url("**/coin/bitcoin?range=1W")
    expect(page.locator(".hero .price")).to_contain_text("EUR")
    expect(page.locator("#source")).to_contain_text("recorded")
    page.goto(followed.url)
    expect(page.get_by_role("columnheader", name="Price EUR")).to_be_visible()
    assert page.get_by_label("Time zone").input_value() == "Asia/Tokyo"
    assert overflow(page) == []


@BOTH
def test_a_choice_that_is_none_is_refused_with_the_nearest(followed, visit, width):
    page = visit.open(followed.url, width, said_anyway=["status of 422"])
    page.get_by_label("Time zone").fill("Berlin")
    page.get_by_role("button", name="Use").click()
    expect(page.locator("main")).to_contain_text("unknown time zone \"Berlin\"")


@BOTH
@pytest.mark.parametrize("path", ["/?srot=price", "/coin/bitcoin?curency=usd", "/portfolio?rnge=1Y", "/search?q=doge"])
def test_an_unknown_parameter_is_an_error(followed, visit, width, path):
    page = visit.open(followed.url + path, width, said_anyway=["status of 422"])
    expect(page.locator("h1")).to_have_text("That cannot be shown")
    expect(page.locator("main")).to_contain_text("unknown parameter")


NAMES = """() => [...document.querySelectorAll("bdi")].map(
  (e) => [e.getBoundingClientRect().height, parseFloat(getComputedStyle(e).lineHeight)])"""


@BOTH
def test_figures_stay_whole_and_names_are_cut_after_two_lines(live, source, serve, visit, width):
    source.coins["one"] = Coin("A coin with a very long name that goes on " * 4, "one", "0.00000000012346")
    source.coins["two"] = Coin("Two", "two", "250000000012.25", "-12.5")
    live.run("watchlist", "add", "one", "two", "bitcoin", "-p", "live")
    live.run("buy", "1000000", "two", "--price", "250000000000", "--date", "2025-01-10", "-p", "live")
    live.run("buy", "5", "one", "--price", "0.0000001", "--date", "2025-01-10", "-p", "live")
    server = serve("--portfolio")
    for path in ["/", "/coin/one", "/coin/two", "/portfolio"]:
        page = visit.open(server.url + path, width)
        assert page.evaluate(BROKEN) == [], path
        assert overflow(page) == [], path
        # All in one step: an update of the page may replace a name between two.
        for height, line in page.evaluate(NAMES):
            assert height <= 2 * line + 1, path


@BOTH
def test_a_total_that_lacks_a_coin_is_marked(live, source, serve, visit, width):
    live.run("buy", "1", "bitcoin", "--price", "40000", "--date", "2025-01-10", "-p", "live")
    live.run("buy", "2", "ethereum", "--price", "2000", "--date", "2025-01-10", "-p", "live")
    live.run("cache", "clear")
    del source.coins["ethereum"]
    server = serve("--portfolio")
    page = visit.open(server.url + "/portfolio", width)
    expect(page.locator(".price")).to_contain_text("50,000.25")
    expect(page.locator(".price .lacking")).to_contain_text("without eth")


@BOTH
def test_a_limit_is_said_once_and_the_page_fills_by_itself(live, source, visit, width):
    file = live.folder / "providers/live.yaml"
    file.write_text(file.read_text().replace("1000000/1s", "2/6s") + "key_env: LIVE_KEY\n")
    live.run("watchlist", "add", "bitcoin", "ethereum", "-p", "live")
    with live.serve("-p", "live", "--timeout", "1s") as server:
        page = visit.open(server.url + "/coin/bitcoin?range=1W", width, said_anyway=["status of 429", "status of 503"])
        expect(page.locator("#pause")).to_have_count(1)
        expect(page.locator("#pause")).to_contain_text("live allows no more requests for now")
        first = int(page.locator("[data-wait]").inner_text().split()[0])
        page.wait_for_function("(first) => parseInt(document.querySelector('[data-wait]')?.textContent ?? 0) < first", arg=first)
        # The browser loads it again, and what was missing is there.
        expect(page.locator("#pause")).to_have_count(0, timeout=30_000)
        expect(page.locator(".plot svg:visible")).to_have_count(1, timeout=30_000)
        expect(page.get_by_role("table", name="Market figures in USD")).to_be_visible(timeout=30_000)


@BOTH
def test_a_week_that_met_a_limit_comes_later(live, source, visit, width):
    file = live.folder / "providers/live.yaml"
    file.write_text(file.read_text().replace("1000000/1s", "2/4s"))
    live.run("watchlist", "add", "bitcoin", "-p", "live")
    with live.serve("-p", "live", "--timeout", "1s") as server:
        # The stream of the page and the page itself take what there is at first.
        page = visit.open(server.url, width, said_anyway=["status of 429"])
        expect(page.locator("#coin-bitcoin svg.spark")).to_be_visible(timeout=40_000)


@BOTH
def test_a_tap_on_a_chart_shows_the_value(followed, visit, width):
    page = visit.open(followed.url + "/coin/bitcoin?range=1W", width, has_touch=True)
    box = page.locator(".plot").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".plot .tip")).to_be_visible()
    expect(page.locator(".plot .tip b")).to_contain_text(",")
