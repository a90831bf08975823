"""Prices change, the source dies, the server goes: the page follows, and says so."""

import urllib.request

from playwright.sync_api import expect


def test_prices_follow_the_source(live, source, serve, visit):
    live.run("watchlist", "add", "bitcoin", "ethereum", "-p", "live")
    server = serve()
    page = visit.open(server.url)
    expect(page.locator("#live")).to_have_text("live")
    row = page.locator("#coin-bitcoin")
    expect(row).to_contain_text("50,000.25")
    page.evaluate("""() => {
      window.flashed = [];
      document.addEventListener("animationstart", (event) => window.flashed.push(event.target.closest("tr").id));
      window.same = document.querySelector("#coin-ethereum");
    }""")
    page.get_by_role("button", name="Remove Ethereum").focus()
    source.coins["bitcoin"].price = "51234.56"
    expect(row).to_contain_text("51,234.56")
    # What has changed is shown so, what has not is left alone, and whoever was somewhere is there still.
    page.wait_for_function("window.flashed.length > 0")
    assert page.evaluate("window.flashed") == ["coin-bitcoin"]
    assert page.evaluate("window.same === document.querySelector('#coin-ethereum')")
    expect(page.get_by_role("button", name="Remove Ethereum")).to_be_focused()
    page.goto(server.url + "/coin/bitcoin")
    source.coins["bitcoin"].price = "60000.5"
    expect(page.locator(".hero .price")).to_contain_text("60,000.5")
    assert page.title().startswith("Bitcoin 60,000.5")


def test_sparklines_that_are_not_cached_come_after_the_page(live, source, serve, visit):
    live.run("watchlist", "add", "bitcoin", "-p", "live")
    server = serve()
    source.asked.clear()
    page = visit.open(server.url)
    assert [path.split("?")[0] for path in source.asked] == ["/quotes"]
    expect(page.locator("#coin-bitcoin svg.spark")).to_be_visible()
    # It is cached now, so that the next page has it at once.
    assert page.request.get(server.url).text().count('<svg class="spark"') == 1


def test_page_that_is_hidden_listens_no_more(live, serve, visit):
    live.run("watchlist", "add", "bitcoin", "-p", "live")
    server = serve()
    page = visit.open(server.url)
    expect(page.locator("#live")).to_have_text("live")

    def hide(hidden):
        page.evaluate("""(hidden) => {
          Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }""", hidden)

    hide(True)
    expect(page.locator("#live")).to_have_text("paused")
    assert page.evaluate("performance.getEntriesByType('resource').filter((e) => e.name.includes('/events')).length") <= 1
    hide(False)
    expect(page.locator("#live")).to_have_text("live")


def test_source_that_dies_makes_prices_stale_in_words_until_it_is_back(live, source, serve, visit):
    live.run("watchlist", "add", "bitcoin", "-p", "live")
    server = serve("--timeout", "2s")
    page = visit.open(server.url)
    expect(page.locator("#live")).to_have_text("live")
    source.is_dead = True
    badge = page.locator("#coin-bitcoin .badge")
    expect(badge).to_contain_text("stale, ", timeout=30_000)
    source.is_dead = False
    source.coins["bitcoin"].price = "52000.75"
    expect(page.locator("#coin-bitcoin")).to_contain_text("52,000.75", timeout=30_000)
    expect(badge).to_have_count(0)


def test_server_that_is_gone_is_told_and_comes_back_by_itself(live, source, visit):
    live.run("watchlist", "add", "bitcoin", "ethereum", "-p", "live")
    with live.serve("-p", "live") as server:
        page = visit.open(server.url, said_anyway=["ERR_"])
        expect(page.locator("#live")).to_have_text("live")
        before = page.get_by_role("button", name="Remove Ethereum").get_attribute("formaction")
    expect(page.get_by_role("status")).to_have_text("The server does not answer. Trying again…")
    expect(page.locator("#live")).to_have_text("not live")
    source.coins["bitcoin"].price = "53000.5"
    with live.serve("-p", "live", "--listen", server.url.removeprefix("http://")):
        expect(page.locator("#coin-bitcoin")).to_contain_text("53,000.5", timeout=30_000)
        expect(page.get_by_role("status")).to_be_hidden()
        # The buttons are those of the new start, and do something.
        button = page.get_by_role("button", name="Remove Ethereum")
        assert button.get_attribute("formaction") != before
        button.click()
        expect(page.locator("#coin-ethereum")).to_have_count(0)


def test_source_is_named_with_its_credit(live, serve, visit):
    live.run("watchlist", "add", "bitcoin", "-p", "live")
    server = serve()
    page = visit.open(server.url)
    expect(page.locator("#source")).to_contain_text("live · fetched ")
    expect(page.locator("#source")).to_contain_text("Prices made by a test")
    assert urllib.request.urlopen(server.url + "/healthz").read() == b"ok\n"
