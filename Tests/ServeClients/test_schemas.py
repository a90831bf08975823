"""Every answer is as its JSON Schema has it, and has no key that the schema does not have."""

import json
import urllib.request

import pytest
from conftest import documents
from jsonschema import Draft202012Validator
from world import ROOT

LINES = map(json.loads, (ROOT / "docs/schemas.jsonl").read_text().splitlines())
SCHEMAS = {schema["title"].removeprefix("bitpal.").removesuffix("/1"): schema for schema in LINES}


def closed(schema):
    """The same without room for new keys: one that comes belongs into the schema first."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    same = {key: closed(part) for key, part in schema.items()}
    return {"additionalProperties": False, **same} if isinstance(same.get("properties"), dict) and "type" in same else same


def hold(document):
    name = document["schema"].removeprefix("bitpal.").removesuffix("/1")
    validator = Draft202012Validator(closed(SCHEMAS[name]), format_checker=Draft202012Validator.FORMAT_CHECKER)
    assert [f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)] == []
    return name


# What prints the shapes that no page and no session shows whole.
COMMANDS = [
    "providers find btc", "providers check --all",
    "coin bitcoin ethereum", "coin dogecoin", "config show", "config path", "config check", "providers show kraken",
    "providers list", "providers check kraken", "imports list", "watchlist add bitcoin ethereum", "watchlist move ethereum 1", "watchlist list",
    "buy 1 bitcoin --price 64000", "portfolio", "portfolio backup copy.db", "portfolio restore copy.db",
    f"portfolio import {ROOT}/Fixtures/portfolio.csv", "widget write", "widget show", "trust .", "trust remove .", "doctor", "cache stats",
    "chart bitcoin --range 1W --type candle", "chart bitcoin ethereum", "price bitcoin -c sek --offline", "cache clear",
]

PATHS = [
    "price?coins=btc,eth", "price?coins=btc,nope", "price?coins=nope", "price", "coin/btc", "coin/nope", "chart/btc?range=1W",
    "chart/btc?range=1W&type=candle", "history/btc?from=2025-01-10", "search?query=doge", "search?query=qqqq", "providers",
    "schemas", "nothing", "chart/btc?range=2W", "history/btc?on=2025-01-15",
]


def test_schemas_are_schemas():
    for schema in SCHEMAS.values():
        Draft202012Validator.check_schema(schema)
        assert Draft202012Validator(schema).is_valid({}) is False


def test_what_the_command_line_prints(world, fixture):
    pages = [*(ROOT / "Tests/EndToEndTests/Golden").glob("*.txt"), ROOT / "docs/output.md"]
    seen = {hold(document) for page in pages for document in documents(page.read_text())}
    for command in COMMANDS:
        printed = documents(world.attempt(*command.split(), "--format", "json"))
        assert len(printed) == 1, command
        seen.add(hold(printed[0]))
    # A fresh folder, for there are settings here.
    (world.folder / "fresh").mkdir()
    seen.update(hold(document) for document in documents(world.attempt("config", "init", "--format", "json", cwd="fresh")))
    seen.add(hold(json.load(urllib.request.urlopen(fixture.url + "/v1/schemas"))))
    assert set(SCHEMAS) - seen == set()


@pytest.mark.parametrize("path", PATHS)
def test_what_is_served(source, path):
    try:
        answer = urllib.request.urlopen(f"{source.url}/v1/{path}")
    except urllib.error.HTTPError as error:
        answer = error
    hold(json.load(answer))


def test_served_schemas_are_those_of_the_folder(fixture):
    index = json.load(urllib.request.urlopen(fixture.url + "/v1/schemas"))["schemas"]
    assert {entry["schema"] for entry in index} == {schema["title"] for schema in SCHEMAS.values()}
    for entry in index:
        assert json.load(urllib.request.urlopen(fixture.url + entry["path"]))["title"] == entry["schema"]
