"""One cache and one flight for all machines."""

import time
import unittest
from datetime import UTC, datetime

from case import Case
from fleet import row, warnings
from redis_server import Redis


class Answers(Case):
    def test_sixty_cold_processes_ask_once(self):
        fleet = self.fleet(self.redis(), machines=3)
        self.upstream.answers(delay=0.5)
        endings = fleet.all_at_once(*[
            (machine, "price", "bitcoin", "--format", "json") for machine in fleet.machines for _ in range(20)])
        self.assertEqual({(ending.status, ending.errors) for ending in endings}, {(0, "")})
        self.assertEqual({row(ending)["price"] for ending in endings}, {"1"})
        self.assertEqual(len(self.upstream.requests), 1)

    def test_what_one_machine_was_told_another_knows(self):
        fleet = self.fleet(self.redis())
        first = fleet.machines[0].price("bitcoin")
        second = fleet.machines[1].price("bitcoin")
        self.assertEqual(first, second)
        self.assertEqual(len(self.upstream.requests), 1)
        # From now on it has it for itself.
        self.assertEqual(fleet.machines[1].price("bitcoin", "--offline")["price"], "1")

    def test_several_coins_are_asked_for_only_where_nobody_has_them(self):
        fleet = self.fleet(self.redis())
        fleet.machines[0].done("price", "bitcoin", "ethereum")
        fleet.machines[1].done("price", "bitcoin", "ethereum", "solana")
        self.assertEqual([request.coins for request in self.upstream.requests], [["bitcoin", "ethereum"], ["solana"]])

    def test_a_refresh_goes_to_the_source_and_what_it_brings_is_for_all(self):
        fleet = self.fleet(self.redis())
        fleet.machines[0].price("bitcoin")
        self.assertEqual(fleet.machines[1].price("bitcoin", "--refresh")["price"], "2")
        self.assertEqual(fleet.machines[2].price("bitcoin")["price"], "2")
        self.assertEqual(len(self.upstream.requests), 2)

    def test_an_old_answer_of_another_machine_stands_in_marked_when_the_source_is_dead(self):
        fleet = self.fleet(self.redis(), settings="cache: { ttl: { quotes: 1s } }")
        fetched = fleet.machines[0].price("bitcoin")
        time.sleep(1.2)
        self.upstream.answers(status=503)
        ending = fleet.machines[1].run("price", "bitcoin", "--format", "json", "--timeout", "2s")
        self.assertEqual(ending.status, 0, ending.errors)
        answer = row(ending)
        self.assertEqual((answer["price"], answer["stale"], answer["fetched_at"]), ("1", True, fetched["fetched_at"]))
        self.assertTrue(answer["stale_reason"])

    def test_a_value_that_is_too_long_is_a_miss_that_is_written_over(self):
        redis = self.redis()
        fleet = self.fleet(redis)
        fleet.machines[0].done("price", "bitcoin", "ethereum")
        key = next(key for key in redis.keys("bitpal:1:answer:quote:*") if "bitcoin" in key)
        whole = redis.ask("GET", key)
        redis.ask("SET", key, "x" * (9 << 20))
        self.assert_quiet(fleet.machines[1].run("price", "ethereum", "bitcoin", "-q"))
        # The other one was of use, and this one is whole again.
        self.assertEqual([request.coins for request in self.upstream.requests], [["bitcoin", "ethereum"], ["bitcoin"]])
        end = time.monotonic() + 5
        while len(redis.ask("GET", key)) > 2 * len(whole) and time.monotonic() < end:
            time.sleep(0.02)
        self.assertLess(len(redis.ask("GET", key)), 2 * len(whole))
        self.assert_quiet(fleet.machines[2].run("price", "bitcoin", "-q"))
        self.assertEqual(len(self.upstream.requests), 2)

    def test_without_the_network_nobody_is_asked(self):
        redis = self.redis()
        fleet = self.fleet(redis)
        fleet.machines[0].price("bitcoin")
        asked = redis.ask("INFO", "stats")
        self.assertEqual(fleet.machines[0].price("bitcoin", "--offline")["price"], "1")
        connections = [line for line in asked.decode().splitlines() if line.startswith("total_connections_received")]
        later = [line for line in redis.ask("INFO", "stats").decode().splitlines() if line.startswith("total_connections_received")]
        # The second question is our own.
        self.assertEqual(int(later[0].split(":")[1]) - int(connections[0].split(":")[1]), 1)

    def test_answers_are_kept_as_long_as_they_may_stand_in_and_budgets_for_ever(self):
        redis = self.redis()
        fleet = self.fleet(redis, settings="cache: { ttl: { quotes: 60s }, max_stale: 1h }")
        fleet.machines[0].price("bitcoin")
        (answer,) = redis.keys("bitpal:1:answer:*")
        self.assertTrue(3_650_000 < redis.ask("PTTL", answer) <= 3_660_000, redis.ask("PTTL", answer))
        (budget,) = redis.keys("bitpal:1:budget:*")
        self.assertEqual(redis.ask("PTTL", budget), -1)
        self.assertEqual(redis.keys("bitpal:1:flight:*"), [])
        self.assertEqual([key for key in redis.keys() if not key.startswith("bitpal:1:")], [])

    def test_a_machine_that_dies_while_it_asks_holds_nobody_for_long(self):
        fleet = self.fleet(self.redis())
        self.upstream.answers(delay=30)
        dying = fleet.machines[0].start("price", "bitcoin", "--timeout", "3s")
        while not self.upstream.requests:
            time.sleep(0.02)
        dying.kill()
        dying.communicate()
        self.upstream.answers()
        ending = fleet.machines[1].run("price", "bitcoin", "--timeout", "10s")
        self.assertEqual(ending.status, 0, ending.errors)
        self.assertLess(ending.took, 10.3)

    def test_an_answer_by_a_clock_that_is_off_is_as_old_as_it_is(self):
        fleet = self.fleet(self.redis(), machines=3, settings="cache: { ttl: { quotes: 3s } }")
        right, others = fleet.machines[0], fleet.machines[1:]
        for number, hours in enumerate([-1, 1]):
            with self.subTest(hours):
                wrong = self.with_wrong_clock(fleet, hours)
                coin = f"coin-{number}"
                told = wrong.price(coin)
                known = right.price(coin)
                self.assertEqual((known["price"], known["stale"]), (told["price"], False))
                apart = abs((instant(known["fetched_at"]) - datetime.now(UTC)).total_seconds())
                self.assertLess(apart, 5)
                # A machine of a fleet has times to live that are up to a tenth longer.
                time.sleep(3.4)
                # Old for everybody, by whatever clock.
                again = others[number].price(coin)
                self.assertNotEqual(again["price"], told["price"])
                self.assertEqual(wrong.price(coin)["price"], again["price"])

    def test_a_command_that_sets_its_clock_misleads_nobody(self):
        fleet = self.fleet(self.redis())
        for number, now in enumerate(["2035-01-01T00:00:00Z", "2020-01-01T00:00:00Z"]):
            with self.subTest(now):
                fleet.machines[0].run("price", f"coin-{number}", "--now", now)
                count = len(self.upstream.requests)
                answer = fleet.machines[1].price(f"coin-{number}")
                self.assertFalse(answer["stale"])
                self.assertLess(abs((instant(answer["fetched_at"]) - datetime.now(UTC)).total_seconds()), 5)
                self.assertEqual(fleet.machines[2].price(f"coin-{number}"), answer)
                self.assertEqual(len(self.upstream.requests), count + 1)


def instant(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


class ForeignValues(Case):
    """Under an answer's key there is something that this version has not written."""

    def setUp(self):
        super().setUp()
        self.server: Redis = self.redis()
        self.machines = self.fleet(self.server).machines
        self.machines[0].price("bitcoin")
        (self.key,) = self.server.keys("bitpal:1:answer:*")
        self.value = self.server.ask("GET", self.key)

    def test_what_is_no_answer_of_ours_is_none(self):
        half, bit = len(self.value) // 2, bytes([self.value[-3] ^ 0x10])
        for value in [b"", b"nonsense", b"\x00" * 64, bytes(range(256)), b"{}", b"[]", self.value[:half], self.value[half:],
                      self.value + b"{}", b"2" + self.value[1:], b"9" * 1_000_000]:
            with self.subTest(value[:20]):
                self.server.ask("SET", self.key, value)
                self.upstream.forget()
                machine = self.machines[1]
                machine.done("cache", "clear")
                ending = machine.run("price", "bitcoin", "--wait", "3s")
                self.assert_quiet(ending)
                self.assertEqual(len(self.upstream.requests), 1)
                # What is told now takes its place.
                self.assertNotEqual(self.server.ask("GET", self.key), value)

    def test_whatever_is_written_there_nothing_breaks(self):
        head, payload = self.value.split(b"\n", 1)
        mark, version, fetched, offset, source = head.split(b" ")
        most, far = b"253402300799999", str((1 << 50) - 1).encode()
        values = [b"\n".join([b" ".join([mark, version, *words]), payload]) for words in [
            (most, b"-" + far, source), (b"0", far, source), (b"-1", offset, source), (fetched, offset, b"\x1b[31m\x07"),
            (fetched, offset, b""), (fetched, offset, b"\xff\xfe"), (fetched, offset, b"x" * 100_000), (b"9" * 30, offset, source)]]
        values += [head + b"\n" + text for text in [
            b"null", b"[]", b"[[]]", b"{}", b'["' + b"\x1b[2J" + b'"]', b"[" * 5000, b"[1" + b",1" * 5000 + b"]",
            payload.replace(b"bitcoin", b"bit\\u001b[2J"), payload.replace(b'"1"', b'"-1"'), payload.replace(b'"1"', b'"1e400"'),
            payload.replace(b'"1"', b'"NaN"')]]
        for value in values:
            with self.subTest(value[:60]):
                self.server.ask("SET", self.key, value)
                self.machines[1].done("cache", "clear")
                for words in [["--wait", "3s"], ["--offline"], ["--format", "json"]]:
                    ending = self.machines[1].run("price", "bitcoin", *words)
                    self.assertIn(ending.status, [0, 1, 4], ending.errors)
                    said = ending.out + ending.errors
                    self.assertFalse([character for character in said if ord(character) < 32 and character != "\n"], said)

    def test_another_kind_of_value_is_no_answer(self):
        self.server.ask("DEL", self.key)
        self.server.ask("RPUSH", self.key, "somebody's", "list")
        ending = self.machines[1].run("price", "bitcoin", "--wait", "3s")
        self.assertEqual((ending.status, len(self.upstream.requests)), (0, 2), ending.errors)
        self.assertLessEqual(len(warnings(ending)), 1)

    def test_another_kind_of_value_where_requests_are_counted_is_replaced(self):
        (budget,) = self.server.keys("bitpal:1:budget:*")
        self.server.ask("DEL", budget)
        self.server.ask("SADD", budget, "somebody's")
        for coin in ["ethereum", "solana"]:
            self.assert_quiet(self.machines[1].run("price", coin, "--wait", "3s"))
        self.assertEqual(self.server.ask("TYPE", budget), "hash")


if __name__ == "__main__":
    unittest.main()
