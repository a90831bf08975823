"""What can be done on the pages: by clicks, by keys, and without a script."""

import pytest
from browsing import FOLLOWED, overflow
from playwright.sync_api import expect


def rows(page):
    return page.locator("table.watchlist tbody tr th bdi").all_inner_texts()


def test_coin_is_found_as_one_types_and_added(followed, visit):
    page = visit.open(followed.url)
    page.get_by_role("searchbox").press_sequentially("carda")
    page.locator("#found").get_by_role("button", name="Add Cardano").click()
    expect(page.locator("#coin-cardano")).to_be_visible()
    assert rows(page)[-1] == "Cardano"
    page.get_by_role("button", name="Remove Cardano").click()
    expect(page.locator("#coin-cardano")).to_have_count(0)
    assert len(rows(page)) == 5


def test_search_asks_once_typing_pauses_and_one_thing_at_a_time(followed, visit):
    page = visit.open(followed.url)
    held, asked = [], []

    def hold(route):
        asked.append(route.request.url.split("query=")[1])
        held.append(route)

    def request():
        while not held:
            page.wait_for_timeout(20)
        return held.pop()

    page.route("**/search?query=*", hold)
    box = page.get_by_role("searchbox")
    box.fill("c")
    first = request()
    box.press_sequentially("ardano", delay=100)
    # Long after the pause nothing else is asked: the first has no answer yet.
    page.wait_for_timeout(1000)
    assert asked == ["c"]
    first.continue_()
    request().continue_()
    expect(page.locator("#found").get_by_role("button", name="Add Cardano")).to_be_visible()
    assert asked == ["c", "cardano"]


def test_list_of_the_search_goes_when_one_looks_elsewhere(followed, visit):
    page = visit.open(followed.url)
    box = page.get_by_role("searchbox")
    box.press_sequentially("doge")
    expect(page.locator("#found")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#found")).to_be_hidden()
    expect(box).to_be_focused()
    box.fill("nothing is called so")
    expect(page.locator("#found")).to_contain_text("No coin is called")
    page.locator("h1").click()
    expect(page.locator("#found")).to_be_hidden()


def test_coin_is_added_and_removed_on_its_page(followed, visit):
    page = visit.open(followed.url + "/coin/cardano")
    page.get_by_role("button", name="Add to the watchlist").click()
    page.get_by_role("button", name="Remove from the watchlist").click()
    expect(page.get_by_role("button", name="Add to the watchlist")).to_be_visible()
    assert page.url == followed.url + "/coin/cardano"


@pytest.mark.parametrize("width", ["desk", "phone"])
def test_watchlist_is_sorted_by_its_columns(followed, visit, width):
    page = visit.open(followed.url, width)
    page.get_by_role("link", name="Price USD").click()
    assert rows(page)[0] == "Bitcoin" and rows(page)[-1] == "Shiba Inu"
    assert page.locator("th[aria-sort]").get_attribute("aria-sort") == "descending"
    page.get_by_role("link", name="Price USD").click()
    assert rows(page)[0] == "Shiba Inu"
    page.get_by_role("link", name="Coin", exact=True).click()
    assert rows(page) == sorted(rows(page))
    page.get_by_role("link", name="24h").click()
    page.get_by_role("link", name="Age").click()
    # What is removed leaves the order as it is.
    page.get_by_role("button", name="Remove Solana").click()
    assert page.url.endswith("?sort=age") and "Solana" not in rows(page)


def test_a_row_leads_to_its_coin_wherever_it_is_clicked(followed, visit):
    page = visit.open(followed.url)
    box = page.locator("#coin-ethereum td").nth(1).bounding_box()
    page.mouse.click(box["x"] + 5, box["y"] + 5)
    expect(page.locator("h1")).to_have_text("Ethereum ETH")


def test_range_kind_and_comparison_by_clicks(followed, visit):
    page = visit.open(followed.url + "/coin/bitcoin")
    ranges = page.get_by_role("navigation", name="Range")
    for name in ranges.get_by_role("link").all_inner_texts():
        ranges.get_by_text(name, exact=True).click()
        expect(ranges.locator("[aria-current]")).to_have_text(name)
        assert page.locator(".plot .wide path").count() > 2 or page.locator(".note.warning").count() == 1
    ranges.get_by_role("link", name="1W, one week", exact=True).click()
    page.get_by_role("link", name="Candles").click()
    expect(page.locator(".plot .wide path.up").first).to_be_visible()
    expect(ranges.locator("[aria-current]")).to_have_text("1W")
    page.get_by_label("Compare with another coin").fill("eth")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator(".plot .wide")).to_contain_text("Ethereum")
    expect(page.locator(".plot .wide path.s1").first).to_be_visible()
    page.get_by_role("link", name="Remove the comparison", exact=True).click()
    expect(page.locator(".plot .wide path.s1")).to_have_count(0)


def test_keys_do_what_clicks_do(followed, visit):
    page = visit.open(followed.url + "/coin/bitcoin?range=1D")
    current = page.get_by_role("navigation", name="Range").locator("[aria-current]")
    page.keyboard.press("ArrowRight")
    expect(current).to_have_text("1W")
    page.keyboard.press("ArrowLeft")
    expect(current).to_have_text("1D")
    page.keyboard.press("c")
    expect(page.get_by_role("navigation", name="Kind of chart").locator("[aria-current]")).to_have_text("Candles")
    page.keyboard.press("c")
    expect(page.get_by_role("navigation", name="Kind of chart").locator("[aria-current]")).to_have_text("Line")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    # What is typed into a field is no key.
    page.keyboard.type("c")
    expect(page.get_by_role("searchbox")).to_have_value("c")
    expect(page.locator("#found")).to_be_visible()
    page.keyboard.type("ardan")
    expect(page.locator("#found")).to_contain_text("Cardano")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Cardano ADA")


def test_everything_is_reached_by_tab_and_shows_it(followed, visit):
    page = visit.open(followed.url + "/coin/bitcoin")
    wanted = page.locator("a:visible, button:visible, input:visible, figure").count()
    seen = set()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "To the content"
    for _ in range(wanted + 5):
        at = page.evaluate("""() => {
          const at = document.activeElement, style = getComputedStyle(at);
          return at === document.body ? null : [[...document.querySelectorAll("*")].indexOf(at), style.outlineStyle];
        }""")
        if at is None:
            break
        seen.add(at[0])
        assert at[1] != "none"
        page.keyboard.press("Tab")
    assert len(seen) >= wanted


def test_coin_is_added_and_removed_by_keys_alone(followed, visit):
    page = visit.open(followed.url)
    page.keyboard.press("/")
    page.keyboard.type("cardano")
    expect(page.locator("#found").get_by_role("link").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#coin-cardano")).to_be_visible()
    page.get_by_role("button", name="Remove Cardano").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#coin-cardano")).to_have_count(0)


@pytest.mark.parametrize("width", ["desk", "phone"])
@pytest.mark.parametrize("query", ["range=1W", "range=1W&type=candle", "range=1W&with=ethereum"])
def test_pointer_reads_time_and_price(followed, visit, width, query):
    page = visit.open(f"{followed.url}/coin/bitcoin?{query}", width)
    plot = page.locator(".plot > div:visible")
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    tip = page.locator(".plot .tip")
    expect(tip).to_be_hidden()
    texts = []
    for part in (0.0, 0.25, 0.5, 0.99):
        page.mouse.move(box["x"] + part * box["width"], box["y"] + box["height"] / 2)
        expect(tip).to_be_visible()
        texts.append(tip.inner_text())
        assert overflow(page) == []
    assert len(set(texts)) == 4 and all("2025-01-" in text for text in texts)
    # At the right end it is the last point: the one that the chart is tagged with.
    if query == "range=1W":
        assert texts[-1].split("\n")[0] == page.locator(".plot text.tag").first.text_content()
    page.mouse.move(5, 5)
    expect(tip).to_be_hidden()


def test_points_are_read_by_keys_too(followed, visit):
    page = visit.open(followed.url + "/coin/bitcoin")
    page.locator(".plot").focus()
    page.keyboard.press("Shift+ArrowLeft")
    last = page.locator(".tip").inner_text()
    page.keyboard.press("Shift+ArrowLeft")
    assert page.locator(".tip").inner_text() != last
    page.keyboard.press("Shift+ArrowRight")
    assert page.locator(".tip").inner_text() == last
    assert "range" not in page.url


@pytest.mark.parametrize(("form", "words"), [("SVG", ["--svg", "-"]), ("CSV", ["--format", "csv"]), ("JSON", ["--format", "json"])])
@pytest.mark.parametrize("by", ["click", "key"])
def test_chart_is_downloaded_as_the_command_line_writes_it(followed, visit, form, words, by):
    page = visit.open(followed.url + "/coin/bitcoin?range=1W")
    link = page.get_by_role("navigation", name="Download").get_by_role("link", name=form)
    with page.expect_download() as download:
        if by == "click":
            link.click()
        else:
            link.focus()
            page.keyboard.press("Enter")
    assert download.value.suggested_filename == f"bitcoin-1W-line.{form.lower()}"
    written = download.value.path().read_text()
    assert written == followed.world.run("chart", "bitcoin", "--range", "1W", "-p", "fixture", *words)


def test_all_of_it_works_without_a_script(followed, visit):
    page = visit.open(followed.url, java_script_enabled=False)
    page.get_by_role("link", name="Price USD").click()
    assert rows(page)[0] == "Bitcoin"
    page.get_by_role("searchbox").fill("cardano")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("button", name="Add Cardano", exact=True).click()
    assert "Cardano" in rows(page)
    page.get_by_role("button", name="Remove Cardano").click()
    assert "Cardano" not in rows(page)
    page.get_by_role("link", name="Bitcoin").click()
    page.get_by_role("link", name="1W, one week", exact=True).click()
    page.get_by_role("link", name="Candles").click()
    assert page.locator(".plot .wide path.up").count() > 5
    page.get_by_label("Compare with another coin").fill("ethereum")
    page.get_by_role("button", name="Compare").click()
    assert page.locator(".plot .wide path.s1").count() == 2
    page.get_by_role("link", name="Portfolio").click()
    assert page.get_by_role("table", name="Holdings").get_by_role("row").count() > 3
    expect(page.get_by_role("button", name="Hide amounts")).to_have_count(0)


def test_watchlist_that_is_empty_begins_with_what_everybody_knows(followed, visit):
    followed.world.run("watchlist", "remove", *FOLLOWED)
    page = visit.open(followed.url, "phone")
    expect(page.locator(".note")).to_contain_text("The watchlist is empty.")
    page.get_by_role("button", name="Add Ethereum").click()
    assert rows(page) == ["Ethereum"] and page.locator(".note").count() == 0
