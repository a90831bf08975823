"""The recipes of docs/status-bars.md: the commands, addresses and rules of the page itself are run, against a server."""

import csv
import io
import json
import re
import shlex
import subprocess
import urllib.error
import urllib.request

import jinja2
import pytest
import yaml
from world import ROOT

PAGE = (ROOT / "docs/status-bars.md").read_text()
RECIPES = {
    title: re.findall(r"```(\w+)\n(.*?)```", text, re.DOTALL)
    for title, text in re.findall(r"(?m)^## (.*?)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL)
}


# Other tests put coins into the same portfolio.
PORTFOLIO = r"main [0-9,]+\.\d\d [+-]\d+\.\d\d%"


def block(title, language, place=0):
    return [text for found, text in RECIPES[title] if found == language][place]


def asked(fixture, address, **headers):
    """What the server of the tests says at an address of the page."""
    path = re.sub(r"^https?://[^/]*", "", address)
    with urllib.request.urlopen(urllib.request.Request(fixture.url + path, headers=headers)) as answer:
        return answer.read().decode(), answer.headers


def shown(world, command):
    """What a shell prints that runs a command of the page."""
    done = subprocess.run(["sh", "-c", command], env=world.environment, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout


@pytest.fixture(scope="module")
def bar(world):
    """A world that has a portfolio, and prices in its cache."""
    world.run("buy", "0.5", "bitcoin", "--price", "60000", "--date", "2025-01-10", "-p", "fixture")
    return world


def test_every_recipe_is_tested():
    assert list(RECIPES) == [
        "waybar", "polybar", "tmux", "i3blocks", "Prometheus", "Grafana", "Home Assistant", "LibreOffice and Excel",
        "Google Sheets", "What is yours"]


def test_waybar(bar):
    module = json.loads(block("waybar", "json"))["custom/bitcoin"]
    line = json.loads(shown(bar, module["exec"]))
    assert line["text"] == "BTC 96,841.33 ▲" and line["class"] == "up"
    assert f"#custom-bitcoin.{line['class']} " in block("waybar", "css")
    command = re.search(r"`(bitpal status --portfolio.*?)`", PAGE).group(1)
    assert re.fullmatch(PORTFOLIO, json.loads(shown(bar, command))["text"])


def test_polybar(bar):
    command = re.search(r"(?m)^exec = (.*)", block("polybar", "ini")).group(1)
    assert shown(bar, command) == (
        "%{F#8b949e}BTC%{F-} 96,841.33 +0.55%  %{F#8b949e}ETH%{F-} 3,214.47 +1.09%\n")


def test_tmux(bar, tmp_path):
    text = block("tmux", "sh")
    command = re.search(r"#\((.*)\)'", text).group(1)
    assert shown(bar, command) == "BTC 96,841.33 ▲  ETH 3,214.47 ▲\n"
    (tmp_path / "tmux.conf").write_text(text)
    # tmux itself takes the lines apart as a shell does.
    assert [shlex.split(line)[:2] for line in text.splitlines()] == [["set", "-g"]] * 2


def test_i3blocks(bar):
    command = re.search(r"(?m)^command=(.*)", block("i3blocks", "ini")).group(1)
    assert re.fullmatch(r"BTC 96,841\.33 \+0\.55%  " + PORTFOLIO + "\n", shown(bar, command))


def test_prometheus(fixture, tmp_path):
    config, rules = block("Prometheus", "yaml"), block("Prometheus", "yaml", 1)
    (tmp_path / "rules.yml").write_text(rules)
    (tmp_path / "prometheus.yml").write_text(config + "rule_files: [rules.yml]\n")
    subprocess.run(["promtool", "check", "config", tmp_path / "prometheus.yml"], check=True, capture_output=True)
    (job,) = yaml.safe_load(config)["scrape_configs"]
    query = "&".join(f"{name}={values[0]}" for name, values in job["params"].items())
    text, _ = asked(fixture, f"http://{job['static_configs'][0]['targets'][0]}/metrics?{query}")
    done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, timeout=30, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    samples = dict(line.rsplit(" ", 1) for line in text.splitlines() if line.startswith("bitpal_price"))
    label = '{coin="bitcoin",symbol="btc",currency="usd"}'
    assert samples["bitpal_price" + label] == fixture.prices["usd"]["bitcoin"]["price"]
    # The rules fire on series with the labels that are really there.
    series = lambda name, values: {"series": name + label, "values": values}
    (tmp_path / "test.yml").write_text(json.dumps({
        "rule_files": ["rules.yml"], "evaluation_interval": "1m",
        "tests": [
            {"interval": "1m", "input_series": [series("bitpal_price", "96841x20"), series("bitpal_price_stale", "0x20")],
             "alert_rule_test": [
                {"eval_time": "5m", "alertname": "BitcoinBelow", "exp_alerts": [{
                    "exp_labels": {"coin": "bitcoin", "symbol": "btc", "currency": "usd"},
                    "exp_annotations": {"summary": "Bitcoin is at 96841 USD"}}]},
                {"eval_time": "15m", "alertname": "BitcoinSilent", "exp_alerts": []}]},
            {"interval": "1m", "input_series": [series("bitpal_price", "96841x20"), series("bitpal_price_stale", "1x20")],
             "alert_rule_test": [
                {"eval_time": "5m", "alertname": "BitcoinBelow", "exp_alerts": []},
                {"eval_time": "15m", "alertname": "BitcoinSilent", "exp_alerts": [{
                    "exp_labels": {"coin": "bitcoin", "symbol": "btc", "currency": "usd"},
                    "exp_annotations": {"summary": "Bitcoin has had no new price for ten minutes"}}]}]},
        ]}))
    done = subprocess.run(["promtool", "test", "rules", tmp_path / "test.yml"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


def test_grafana(fixture):
    query = json.loads(block("Grafana", "json"))
    body, headers = asked(fixture, query["url"])
    assert headers["Content-Type"].startswith("application/json")
    rows = json.loads(body)[query["root_selector"]]
    time, price = (column["selector"] for column in query["columns"])
    assert [(row[time], row[price]) for row in rows] == [(row["time"], row["price"]) for row in fixture.week]


def test_home_assistant(fixture):
    (sensor,) = yaml.safe_load(block("Home Assistant", "yaml"))["rest"]
    (price,) = sensor["sensor"]
    body, _ = asked(fixture, sensor["resource"])

    def value(template, body):
        return jinja2.Template(template).render(value=body, value_json=json.loads(body))

    assert value(price["availability"], body) == "True"
    assert value(price["value_template"], body) == fixture.prices["eur"]["bitcoin"]["price"]
    with pytest.raises(urllib.error.HTTPError) as failed:
        asked(fixture, sensor["resource"].replace("btc,eth", "nope"))
    assert value(price["availability"], failed.value.read().decode()) == "False"


def test_sheets(fixture):
    cell, table = (text.strip() for _, text in RECIPES["LibreOffice and Excel"])
    body, headers = asked(fixture, re.search(r'"(http.*?)"', cell).group(1))
    # NUMBERVALUE takes nothing but the number.
    assert body == fixture.prices["eur"]["bitcoin"]["price"] and headers["Content-Type"] == "text/plain; charset=utf-8"
    body, headers = asked(fixture, table)
    assert headers["Content-Type"] == "text/csv; charset=utf-8; header=present"
    rows = list(csv.reader(io.StringIO(body)))
    assert [row[0] for row in rows[1:]] == ["bitcoin", "ethereum", "solana"] and rows[0][3] == "price"
    assert rows[1][3] == fixture.prices["eur"]["bitcoin"]["price"]


def test_google_sheets(fixture):
    address, delimiter, locale = re.findall(r'"(.*?)"', block("Google Sheets", "text"))
    # Google asks for anything, and takes what comes for CSV.
    body, _ = asked(fixture, address, Accept="*/*")
    rows = list(csv.reader(io.StringIO(body), delimiter=delimiter))
    assert locale == "en_US" and [row[0] for row in rows] == ["id", "bitcoin", "ethereum"]
    assert len({len(row) for row in rows}) == 1
