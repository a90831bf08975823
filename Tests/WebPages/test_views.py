"""Each page, in every width, light and dark: it fits, can be read, and has a name for whatever is on it."""

import pytest
from browsing import WIDTHS, low_contrast, nameless, overflow

PAGES = {
    "watchlist": "/", "coin": "/coin/bitcoin", "candles": "/coin/ethereum?type=candle&range=1W",
    "compared": "/coin/bitcoin?with=ethereum&range=1M", "search": "/search?query=doge", "portfolio": "/portfolio",
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", PAGES)
def test_page_is_in_order(followed, visit, name, width, scheme):
    page = visit.open(followed.url + PAGES[name], width, scheme)
    assert page.locator("h1").count() == 1
    assert overflow(page) == []
    assert low_contrast(page) == []
    assert nameless(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("path", "heading"), [("/nothing", "This page does not exist"), ("/coin/no-such-coin", "Not found")])
def test_failure_is_a_page_too(market, visit, path, heading, scheme):
    page = visit.open(market.url + path, "phone", scheme, said_anyway=["status of 404"])
    assert page.locator("h1").inner_text() == heading
    assert overflow(page) == [] and low_contrast(page) == [] and nameless(page) == []


def test_chart_says_its_numbers_to_screen_readers(market, visit):
    page = visit.open(market.url + "/coin/bitcoin?range=1W")
    picture = page.get_by_role("img", name="Bitcoin · one week · line · USD")
    assert picture.count() == 1
    assert picture.locator("desc").text_content().startswith("open ")
    table = page.get_by_role("table", name="The chart in numbers")
    assert table.get_by_role("row").count() == 5


def normal(path):
    """The points of a line, from 0 to 1 both ways."""
    points = [tuple(map(float, point.split(","))) for point in path[1:].split("L")]
    spans = [(min(values), max(values)) for values in zip(*points, strict=True)]
    return [tuple((value - low) / (high - low) for value, (low, high) in zip(point, spans, strict=True)) for point in points]


def test_picture_is_that_of_the_command_line(market, visit):
    """Drawn by the same code: the same line, point by point, on the smaller ground of the plot alone."""
    page = visit.open(market.url + "/coin/bitcoin?range=1W")
    printed = market.world.run("chart", "bitcoin", "--range", "1W", "--svg", "-", "-p", "fixture")
    shown = normal(page.locator(".plot .wide path.stroke").get_attribute("d"))
    drawn = normal(printed.split('class="stroke rise" d="')[1].split('"')[0])
    assert len(shown) == len(drawn) > 100
    for here, there in zip(shown, drawn, strict=True):
        assert here == pytest.approx(there, abs=0.002)
