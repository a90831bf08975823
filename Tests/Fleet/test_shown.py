"""What is said of a fleet: by doctor, `cache stats`, `cache clear`, `serve`, and where it is not wanted."""

import json
import re
import subprocess
import time
import unittest
import urllib.error
import urllib.request

from case import Case
from fleet import BITPAL


class Shown(Case):
    def stats(self, machine):
        ending = machine.done("cache", "stats", "--format", "json")
        return json.loads(ending.out)["fleet"]

    def test_cache_stats_say_what_there_is(self):
        redis = self.redis()
        fleet = self.fleet(redis)
        fleet.machines[0].done("price", "bitcoin", "ethereum")
        shown = self.stats(fleet.machines[1])
        self.assertEqual((shown["standing"], shown["answers"], shown["budgets"]), ("up", 2, 1))
        self.assertIn(str(redis.port), shown["address"])
        self.assertIn(str(redis.port), fleet.machines[1].done("cache", "stats").out)

    def test_and_that_it_is_not_there_and_why(self):
        redis = self.redis()
        fleet = self.fleet(redis)
        fleet.machines[0].price("bitcoin")
        redis.kill()
        for machine in fleet.machines[:2]:
            began = time.monotonic()
            shown = self.stats(machine)
            self.assertLess(time.monotonic() - began, 1)
            self.assertEqual(shown["standing"], "down")
            self.assertTrue(shown["reason"])

    def test_doctor_says_both(self):
        redis = self.redis()
        machine = self.fleet(redis).machines[0]
        self.assertIn(str(redis.port), machine.run("doctor").out)
        well = json.loads(machine.run("doctor", "--format", "json").out)
        redis.kill()
        ill = json.loads(machine.run("doctor", "--format", "json").out)

        def checks(document):
            return {json.dumps(check) for check in document["findings"] if re.search("fleet|redis", json.dumps(check), re.I)}
        self.assertTrue(checks(well))
        self.assertNotEqual(checks(well), checks(ill))

    def test_clearing_the_fleet_leaves_what_is_anybody_elses(self):
        redis = self.redis()
        fleet = self.fleet(redis)
        foreign = ["bitpal", "bitpalace:1:answer:x", "other", "bitpal-home:1:answer:x"]
        for key in foreign:
            redis.ask("SET", key, "somebody's")
        coins = [f"coin-{number}" for number in range(300)]
        fleet.machines[0].done("price", *coins, "--wait", "5s")
        self.assertGreaterEqual(len(redis.keys("bitpal:1:answer:*")), 300)
        # Only the fleet's own word clears it.
        fleet.machines[0].done("cache", "clear")
        self.assertGreaterEqual(len(redis.keys("bitpal:1:answer:*")), 300)
        fleet.machines[1].done("cache", "clear", "--fleet")
        self.assertEqual(redis.keys("bitpal:1:answer:*"), [])
        self.assertLessEqual(set(foreign), set(redis.keys()))

    def test_a_prefix_is_no_pattern(self):
        redis = self.redis()
        fleet = self.fleet(redis, fleet='  prefix: "{bitpal-h.me}"')
        redis.ask("SET", "{bitpal-hxme}:1:answer:x", "somebody's")
        redis.ask("SET", "{bitpal-home}:1:answer:x", "somebody's")
        fleet.machines[0].price("bitcoin")
        fleet.machines[0].done("cache", "clear", "--fleet")
        self.assertEqual(len(redis.keys("{bitpal-h[xo]me}:1:answer:x")), 2)

    def test_clearing_a_fleet_that_is_not_there_fails(self):
        redis = self.redis()
        fleet = self.fleet(redis)
        redis.kill()
        ending = fleet.machines[0].run("cache", "clear", "--fleet")
        self.assertNotEqual(ending.status, 0)
        self.assertLess(ending.took, 2)

    def test_settings_that_are_not_trusted_have_no_fleet(self):
        redis = self.redis()
        fleet = self.fleet(redis)
        machine = fleet.machines[0]
        text = fleet.settings.read_text().replace("provider: market", "provider: coingecko")
        (machine.folder / "config.yaml").write_text(text)
        del machine.environment["BITPAL_CONFIG"]
        machine.run("price", "bitcoin", "--offline")
        ending = machine.run("cache", "stats")
        self.assertIn("fleet", ending.errors)
        connections = [line for line in redis.ask("INFO", "stats").decode().splitlines() if "total_connections" in line]
        # That of the start and that of this question are ours.
        self.assertLessEqual(int(connections[0].split(":")[1]), 2)

    def test_without_a_fleet_nothing_of_it_is_said(self):
        fleet = self.fleet("unix:///nowhere")
        fleet.settings.write_text(fleet.settings.read_text().split("fleet:")[0])
        for words in [["price", "bitcoin", "-v"], ["cache", "stats"], ["cache", "stats", "--format", "json"]]:
            ending = fleet.machines[0].run(*words)
            self.assertEqual(ending.status, 0)
            self.assertFalse(re.search("redis", ending.out + ending.errors, re.I), ending.out + ending.errors)


class Served(Case):
    def setUp(self):
        super().setUp()
        self.server = self.redis()
        self.fleet_of_two = self.fleet(self.server, machines=2, rate="1000/1s")
        machine = self.fleet_of_two.machines[0]
        self.process = subprocess.Popen(
            [BITPAL, "serve", "--listen", "127.0.0.1:0"], cwd=machine.folder, env=machine.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end)
        self.url = self.process.stdout.readline().strip()

    def end(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.communicate(timeout=20)

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=20) as page:
            return page.read().decode()

    def metrics(self):
        found = re.findall(r"(?m)^bitpal_fleet_(\S+) (\S+)$", self.get("/metrics"))
        return {name: float(value) for name, value in found}

    def ask(self, count, name, refusal=None):
        for number in range(count):
            try:
                self.get(f"/v1/price?coins={name}-{number}&currency=usd")
            except urllib.error.HTTPError as error:
                self.assertEqual(error.code, refusal)

    def test_metrics_and_one_warning_an_opening(self):
        self.ask(3, "before")
        before = self.metrics()
        self.assertEqual((before["up"], before["breaker_openings_total"]), (1, 0), before)
        self.assertGreater(before['requests_total{outcome="ok"}'], 0)
        self.assertEqual(before['requests_total{outcome="failed"}'], 0)
        self.server.stop()
        began = time.monotonic()
        # The share of an outage begins used up.
        self.ask(20, "during", refusal=429)
        during = self.metrics()
        self.assertLess(time.monotonic() - began, 10)
        self.assertEqual(during["up"], 0)
        self.assertIn(during["breaker_openings_total"], [1, 2])
        self.assertGreaterEqual(during['requests_total{outcome="failed"}'], 1)
        self.server.go_on()
        end = time.monotonic() + 12
        while self.metrics()["up"] != 1 and time.monotonic() < end:
            self.ask(1, f"after-{time.monotonic()}", refusal=429)
            time.sleep(0.5)
        after = self.metrics()
        self.assertEqual(after["up"], 1)
        self.process.terminate()
        _, errors = self.process.communicate(timeout=20)
        told = [line for line in errors.splitlines() if "warning" in line]
        # That it is still away is no news.
        self.assertEqual(len(told), 1, errors)

    def test_what_a_server_was_told_a_command_elsewhere_knows(self):
        self.get("/v1/price?coins=bitcoin&currency=usd")
        self.assertEqual(self.fleet_of_two.machines[1].price("bitcoin")["price"], "1")
        self.assertEqual(len(self.upstream.requests), 1)


class Rights(Case):
    def test_doctor_names_the_commands_that_a_user_may_not_run(self):
        redis = self.redis()
        common = ["on", ">sesame", "~bitpal:*"]
        # The rights of docs/fleet.md, and a user without three of the commands.
        redis.ask("ACL", "SETUSER", "documented", *common, *"+@read +@write +@scripting +@transaction +@connection -@dangerous +time +info".split())
        redis.ask("ACL", "SETUSER", "limited", *common, "+@all", "-mget", "-evalsha", "-hgetall")
        for user, rights in [("documented", []), ("limited", ["may not run mget, hgetall, evalsha"])]:
            address = redis.address.replace("redis://", f"redis://{user}@")
            machine = self.fleet(address, machines=2, variables={"BITPAL_REDIS_PASSWORD": "sesame"}).machines[0]
            found = [line for line in machine.run("doctor").out.splitlines() if "may not run" in line]
            self.assertEqual(len(found), len(rights), found)
            for line, words in zip(found, rights):
                self.assertIn(words, line)


if __name__ == "__main__":
    unittest.main()
