"""Names that would be scripts, pages of others, tokens, and a portfolio that is nobody else's business."""

import contextlib
import http.client
import http.server
import json
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from urllib.parse import quote, urlsplit

import pytest
from browsing import FOLLOWED, low_contrast, nameless, overflow
from playwright.sync_api import expect
from source import PROVIDER, Coin, Source
from world import World

HOSTILE = {
    "one": Coin("<script>window.hacked = 1; alert(1)</script>", "<b>x</b>", "0.00000000000000012345", "-99.99"),
    "two": Coin("\" onmouseover=\"window.hacked = 2\" x=\"'", "'><img src=x onerror=alert(2)>", "98765432109876543210987654321.5", "123456789.12"),
    "three": Coin("W" * 300, "M" * 60, "0.00000000000000001", "0"),
    "four": Coin("\u202egnirts\u202c مرحبا بالعالم", "\u05e9\u05dc\u05d5\u05dd", "12345678901234567890", "-0.01"),
    "five": Coin("javascript:window.hacked=5", "</title><svg onload=alert(5)>", "1", "5"),
    "six": Coin("&lt;i&gt; {{7*7}} ${7*7} %3Cscript%3E", "&amp;", "2.5", "5"),
    "s\"><script>alert(7)</script>": Coin("An id", "id", "7", "7"),
}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A recording of a source whose names are whatever one must not believe."""
    source, world = Source(HOSTILE), World(tmp_path_factory.mktemp("hostile"))
    (world.folder / "providers/live.yaml").write_text(PROVIDER % source.url)
    names = [f"id:{coin}" for coin in HOSTILE]
    with world.serve("-p", "live", "--record", "hostile") as server:
        for path in ["/v1/price?coins=" + ",".join(map(quote, names)), "/v1/search?query=s"] + [
            f"/{kind}/{quote(name, safe='')}{query}" for name in names
            for kind, query in (("v1/coin", ""), ("v1/chart", "?range=1W"), ("v1/chart", "?range=1W&type=candle"), ("spark", ""))
        ]:
            urllib.request.urlopen(server.url + path).read()
    source.close()
    world.run("watchlist", "add", *names, "-p", "recording:hostile")
    with world.serve("-p", "recording:hostile") as server:
        yield server


@pytest.mark.parametrize("width", ["phone", "desk"])
def test_hostile_names_are_text_and_fit(hostile, visit, width):
    page = visit.open(hostile.url, width)
    names = page.locator("table.watchlist bdi").all_inner_texts()
    assert "<script>window.hacked = 1; alert(1)</script>" in names and "&lt;i&gt; {{7*7}} ${7*7} %3Cscript%3E" in names
    assert not any("\u202e" in name for name in names)

    def check():
        assert overflow(page) == [] and nameless(page) == [] and low_contrast(page) == []
        assert page.evaluate("typeof window.hacked") == "undefined"
        assert page.locator("main script, main img, main [onmouseover], main [onload], main [onerror]").count() == 0

    check()
    page.get_by_role("link", name="Price").click()
    check()
    links = page.locator("table.watchlist tbody th a").evaluate_all("(links) => links.map((link) => link.href)")
    assert len(links) == len(HOSTILE)
    for link in links:
        for query in ("range=1W&type=candle", "range=1W&with=%3Cscript%3E", "range=1W&with=one"):
            page.goto(f"{link}?{query}")
            assert "/coin/" in page.url and page.locator("h1").count() == 1
            check()
        page.locator(".plot, .note").first.hover()
    page.get_by_role("searchbox").press_sequentially("s")
    expect(page.locator("#found li").first).to_be_visible()
    check()
    page.goto(hostile.url + "/search?query=%3Cscript%3Ealert(1)%3C/script%3E")
    check()


@contextlib.contextmanager
def page_of_somebody_else(html):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


READ = "(url) => fetch(url).then((answer) => answer.text(), () => null)"

# What a page can have loaded without being able to read it.
LOAD = """(url) => new Promise((done) => {
  fetch(url, { mode: "no-cors" }).finally(() => { const image = new Image(); image.onload = image.onerror = done; image.src = url; });
})"""


def test_page_of_another_origin_reads_and_changes_nothing_and_spends_no_request(live, serve, source, chromium):
    """The other origin is another port of this machine, which is the same site: cookies are sent there."""
    live.run("watchlist", "add", "bitcoin", "-p", "live")
    server = serve("--portfolio")
    context = chromium.new_context()
    page = context.new_page()
    page.goto(server.owner_address())
    expect(page.locator("h1")).to_contain_text("Watchlist")
    proof = page.content().split("/unwatch/bitcoin?t=")[1].split('"')[0]
    with page_of_somebody_else("<title>evil</title>") as evil:
        page = context.new_page()
        page.goto(evil)
        for path in ("/", "/portfolio", "/v1/price?coins=ethereum", "/api/v3/simple/price?ids=solana&vs_currencies=usd", "/coin/ethereum"):
            assert page.evaluate(READ, server.url + path) is None
            page.evaluate(LOAD, server.url + path)
        page.evaluate("""(url) => {
          const form = document.createElement("form");
          form.method = "post";
          form.action = url;
          document.body.append(form);
          form.submit();
        }""", f"{server.url}/unwatch/bitcoin?t={proof}")
        expect(page.locator("body")).to_contain_text("only a page of this server changes anything")
        # Nor is it shown in a frame.
        page.goto(evil)
        page.evaluate("(url) => { const frame = document.createElement('iframe'); frame.src = url; document.body.append(frame) }", server.url)
        page.wait_for_timeout(300)
        assert all("Watchlist" not in (frame.title() or "") for frame in page.frames)
        # A link that a person follows leads to one of our own, and asks nothing until that is followed.
        page.goto(evil)
        page.evaluate("(url) => { const link = document.createElement('a'); link.href = url; link.textContent = 'prices'; document.body.append(link) }",
                      server.url + "/coin/ethereum?range=1W")
        page.get_by_role("link", name="prices").click()
        assert not any("ethereum" in path or "solana" in path for path in source.asked)
        page.get_by_role("link", name="Open it").click()
        assert page.url == server.url + "/coin/ethereum?range=1W"
        expect(page.locator("h1")).to_contain_text("Ethereum")
    context.close()
    items = json.loads(live.run("watchlist", "list", "--format", "json"))["items"]
    assert [item["id"] for item in items] == ["bitcoin"]


def test_page_of_an_allowed_origin_reads_prices_and_nothing_more(live, serve, chromium):
    live.run("watchlist", "add", "bitcoin", "-p", "live")
    context = chromium.new_context()
    with page_of_somebody_else("<title>friend</title>") as friend:
        server = serve("--portfolio", "--allow-origin", friend.rstrip("/"))
        page = context.new_page()
        page.goto(server.owner_address())
        page.goto(friend)
        assert "bitcoin" in page.evaluate(READ, server.url + "/v1/price?coins=bitcoin")
        for path in ("/", "/portfolio", "/coin/bitcoin"):
            text = page.evaluate(READ, server.url + path)
            assert text is None or "shown to their owner only" in text
    context.close()


def test_owner_is_who_opened_the_address_with_the_secret(followed, chromium):
    market = followed
    address = market.owner_address()
    context = chromium.new_context()
    page = context.new_page()
    page.goto(market.url)
    expect(page.locator("main")).to_contain_text("Watchlist and portfolio are shown to their owner only", ignore_case=True)
    assert page.get_by_role("link", name="Portfolio").count() == 0 and page.get_by_role("button", name="Remove Bitcoin").count() == 0
    assert "shown to their owner only" in page.goto(market.url + "/portfolio").text()
    page.goto(address)
    assert page.url == market.url + "/" and page.get_by_role("button", name="Remove Bitcoin").count() == 1
    page.get_by_role("link", name="Portfolio").click()
    expect(page.get_by_role("table", name="Holdings")).to_be_visible()
    assert page.evaluate("document.cookie") == ""
    context.close()
    # The address works once, and another browser is told how to get a code, which is typed as it is read.
    other = chromium.new_context()
    page = other.new_page()
    assert page.goto(address).status == 403
    assert page.get_by_role("link", name="Portfolio").count() == 0
    expect(page.locator("main")).to_contain_text("bitpal serve link")
    code = market.owner_address().split("=")[1]
    page.goto(market.url)
    page.get_by_label("Code").fill(code.upper().replace("-", " "))
    page.get_by_role("button", name="Sign in").click()
    assert page.url == market.url + "/" and page.get_by_role("link", name="Portfolio").count() == 1
    other.close()


def test_owner_stays_signed_in_over_a_restart(live, chromium):
    live.run("watchlist", "add", "bitcoin", "-p", "live")
    context = chromium.new_context()
    page = context.new_page()
    with live.serve("-p", "live", "--portfolio") as server:
        address = server.url.removeprefix("http://")
        page.goto(server.owner_address())
        assert page.get_by_role("button", name="Remove Bitcoin").count() == 1
    with live.serve("-p", "live", "--portfolio", "--listen", address) as server:
        page.goto(server.url + "/portfolio")
        assert page.get_by_role("link", name="Portfolio").count() == 1
        assert page.goto(server.url).status == 200 and page.get_by_role("button", name="Remove Bitcoin").count() == 1
    context.close()


def test_no_secret_is_an_argument_of_the_browser(live):
    """What `--open` starts is seen by every user of the machine."""
    seen = live.folder / "seen"
    browser = live.folder / "browser"
    browser.write_text(f'#!/bin/sh\necho "$@" >> {seen}\n')
    browser.chmod(0o755)
    live.environment["BROWSER"] = str(browser)
    with live.serve("-p", "live", "--open") as server:
        live.run("serve", "link", "--open")
        for _ in range(1000):
            if seen.exists() and seen.read_text().count("\n") == 2:
                break
            time.sleep(0.01)
        assert seen.read_text() == f"{server.url}/\n" * 2


@pytest.mark.parametrize("width", ["phone", "desk"])
def test_refusals_are_pages(live, serve, chromium, visit, width):
    """The name of another server, a missing token, a used code: each says what to do, and fits."""
    server = serve()
    port = urlsplit(server.url).port
    page = visit.open(server.url + "/?secret=used", width, said_anyway=["403"], is_owner=False)
    expect(page.locator("h1")).to_have_text("That code is not good")
    assert overflow(page) == [] and nameless(page) == [] and low_contrast(page) == []
    visit.asked.clear()
    page = visit.open(f"http://prices.localhost:{port}/", width, said_anyway=["421", "favicon"])
    expect(page.locator("main, body").last).to_contain_text("bitpal serve --host prices.localhost")
    assert overflow(page) == [] and low_contrast(page) == []


@pytest.fixture
def nginx(tmp_path):
    """Debian's nginx before a server, with `proxy_pass` and nothing else said; it serves at every address."""
    with contextlib.ExitStack() as stack:
        def start(url, extra=""):
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                port = probe.getsockname()[1]
            settings = tmp_path / "nginx.conf"
            settings.write_text(f"""
                daemon off; pid {tmp_path}/nginx.pid; error_log {tmp_path}/nginx.log; worker_processes 1;
                events {{}}
                http {{
                  access_log off; client_body_temp_path {tmp_path}/b; proxy_temp_path {tmp_path}/p; fastcgi_temp_path {tmp_path}/f;
                  uwsgi_temp_path {tmp_path}/u; scgi_temp_path {tmp_path}/s;
                  server {{ listen 127.0.0.1:{port}; location / {{ {extra} proxy_pass {url}; }} }}
                }}""")
            process = subprocess.Popen(["/usr/sbin/nginx", "-c", str(settings), "-p", str(tmp_path), "-e", str(tmp_path / "nginx.log")])
            stack.callback(process.wait)
            stack.callback(process.terminate)
            for _ in range(1000):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        return f"127.0.0.1:{port}"
                time.sleep(0.01)
            raise AssertionError((tmp_path / "nginx.log").read_text())
        yield start


def asked(netloc, path, method="GET", **headers):
    connection = http.client.HTTPConnection(netloc)
    connection.request(method, path, headers={"Accept": "text/html", **headers})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def test_nothing_of_the_user_goes_through_a_proxy(followed, nginx):
    netloc = nginx(followed.url)
    name, value = followed.cookie()
    proof = asked(urlsplit(followed.url).netloc, "/", Cookie=f"{name}={value}")[1].split("/unwatch/bitcoin?t=")[1].split('"')[0]
    host = urlsplit(followed.url).netloc
    for headers in ({}, {"Host": host}, {"Host": "localhost", "Origin": f"http://{host}"}, {"Origin": "http://localhost"}):
        status, text = asked(netloc, "/", **headers)
        assert status in (200, 403, 421) and "dogecoin" not in text.lower().replace("/coin/dogecoin?", "") or "owner only" in text
        assert asked(netloc, "/portfolio", **headers)[0] in (403, 421)
        assert asked(netloc, f"/unwatch/bitcoin?t={proof}", "POST", **headers)[0] in (403, 405, 421)
    # Prices are for those whom the proxy lets in.
    assert asked(netloc, "/v1/price?coins=btc")[0] == 200
    items = json.loads(followed.world.run("watchlist", "list", "--format", "json"))["items"]
    assert [item["id"] for item in items] == FOLLOWED


def test_a_proxy_that_says_so_is_foreign_even_with_the_cookie(followed, nginx):
    netloc = nginx(followed.url, "proxy_set_header Host $proxy_host; proxy_set_header X-Forwarded-For $remote_addr;")
    name, value = followed.cookie()
    assert asked(netloc, "/portfolio", Cookie=f"{name}={value}")[0] == 403
    assert "owner only" in asked(netloc, "/", Cookie=f"{name}={value}")[1]


def test_portfolio_is_kept_by_nobody_and_masked_by_a_key(market, visit):
    page = visit.open(market.url + "/portfolio")
    answer = page.request.get(market.url + "/portfolio")
    assert answer.headers["cache-control"] == "no-store, private"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert "access-control-allow-origin" not in answer.headers
    for name in ("Holdings", "Closed positions", "Gains by year, average", "The portfolio in numbers, in USD"):
        assert page.get_by_role("table", name=name).count() == 1
    amount = page.locator(".price .money")
    assert amount.evaluate("(e) => e.getBoundingClientRect().width") > 100
    shown = page.locator(".money").first
    size = "(e) => getComputedStyle(e).fontSize"
    page.keyboard.press("h")
    assert {element.evaluate(size) for element in page.locator(".money").all()} == {"0px"}
    expect(page.get_by_role("button", name="Hide amounts")).to_have_attribute("aria-pressed", "true")
    assert overflow(page) == [] and low_contrast(page) == []
    # It is so before anything is painted again.
    page.reload(wait_until="commit")
    assert shown.evaluate(size) == "0px"
    page.get_by_role("button", name="Hide amounts").click()
    assert shown.evaluate(size) != "0px"


def test_portfolio_is_only_where_it_was_asked_for(serve, visit):
    page = visit.open(serve().url + "/portfolio", said_anyway=["404"])
    expect(page.locator("main")).to_contain_text("not started with --portfolio")
    assert page.get_by_role("link", name="Portfolio").count() == 0


def test_token_is_a_password_to_a_browser(live, serve, visit):
    token = live.folder / "token"
    token.write_text("0123456789abcdef01234567\n")
    token.chmod(0o600)
    live.run("watchlist", "add", "bitcoin", "-p", "live")
    url = serve("--listen", "0.0.0.0:0", "--token-file", str(token)).url.replace("0.0.0.0", "127.0.0.1")
    with pytest.raises(urllib.error.HTTPError, match="401"):
        urllib.request.urlopen(urllib.request.Request(url, headers={"Accept": "text/html"}))
    page = visit.open(url, http_credentials={"username": "me", "password": "0123456789abcdef01234567"})
    expect(page.locator("#live")).to_have_text("live")
    page.get_by_role("button", name="Remove Bitcoin").click()
    expect(page.locator(".note")).to_contain_text("The watchlist is empty.")
