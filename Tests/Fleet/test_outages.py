"""Redis stops, dies, forgets, refuses: never a hang, never a flood, and one warning."""

import math
import time
import unittest

from case import Case
from fleet import BREAKER, JITTER, SLACK, WINDOW, Load, fullest_window, warnings


class UnderLoad(Case):
    """Something happens to Redis while three machines ask for all that they may."""

    OUTAGE = 4

    def check(self, begin, end, *words, is_an_outage=True, until_whole=True):
        redis = self.redis(*words)
        fleet = self.fleet(redis)
        with Load(fleet.machines, 5) as load:
            load.is_over.wait(3)
            broke = time.monotonic()
            begin(redis)
            load.is_over.wait(self.OUTAGE)
            mended = time.monotonic()
            end(redis)
            # The breaker opens once more at most, and then everybody keeps to his share for a while.
            load.is_over.wait(BREAKER + BREAKER + WINDOW + 3 if until_whole else BREAKER + 1)
            whole = time.monotonic()
            load.is_over.wait(4 if until_whole else 0)
        requests, endings = self.upstream.requests, load.all_endings
        told = [warning for ending in endings for warning in warnings(ending)]

        def pace(begin, end):
            return sum(begin <= request.time < end for request in requests) / max(end - begin, 0.001)
        print(f"\n  a second before, during, after and when it is whole: {pace(load.began, broke):.1f}, {pace(broke, mended):.1f}, "
              f"{pace(mended, whole):.1f}, {pace(whole, load.ended):.1f}; {fullest_window(requests)} in the fullest; the slowest "
              f"command took {max(ending.took for ending in endings):.1f} s; {len(told)} warnings: {sorted(set(told))}")
        self.assertLessEqual(fullest_window(requests, 1 - JITTER), 10)
        self.assertLessEqual(max(ending.took for ending in endings), load.most + SLACK)
        self.assertLessEqual({ending.status for ending in endings}, {0, 5})
        self.assertLessEqual(max(len(warnings(ending)) for ending in endings), 1)
        # One a machine for each time that its breaker opened.
        openings = math.ceil((self.OUTAGE + BREAKER) / BREAKER)
        self.assertLessEqual(len(told), len(fleet.machines) * openings)
        if is_an_outage:
            self.assertGreaterEqual(len(told), len(fleet.machines))
        # Neither open nor closed, but less: three of ten for each of three machines, once a window is over.
        self.assertGreater(pace(broke + WINDOW + 1, whole), 5)
        if until_whole:
            # They go ten at a time, so that a part of a window more or less counts.
            self.assertGreater(pace(whole, load.ended), 7)
        return told

    def test_stopped(self):
        self.check(lambda redis: redis.stop(), lambda redis: redis.go_on())

    def test_killed_and_started_without_what_it_had(self):
        self.check(lambda redis: redis.kill(), lambda redis: redis.start())

    def test_emptied(self):
        self.check(lambda redis: redis.ask("FLUSHALL"), lambda redis: redis.ask("FLUSHALL"), is_an_outage=False)

    def test_a_budget_is_evicted(self):
        def evict(redis):
            for key in redis.keys("bitpal:1:budget:*"):
                redis.ask("DEL", key)
        self.check(evict, evict, is_an_outage=False, until_whole=False)

    def test_made_a_replica_that_may_only_be_read(self):
        # Of a server that is not there: it keeps what it has.
        told = self.check(
            lambda redis: redis.ask("REPLICAOF", "127.0.0.1", "1"), lambda redis: redis.ask("REPLICAOF", "NO", "ONE"), until_whole=False)
        self.assertTrue(all("READONLY" in warning or "MASTERDOWN" in warning for warning in told), told)

    def test_full(self):
        told = self.check(
            lambda redis: redis.ask("CONFIG", "SET", "maxmemory", "1"),
            lambda redis: redis.ask("CONFIG", "SET", "maxmemory", "0"), "--maxmemory-policy", "noeviction", until_whole=False)
        self.assertTrue(all("OOM" in warning for warning in told), told)


class AtOnce(Case):
    """Nothing more is there than what a command itself finds."""

    def test_no_command_waits_for_it_beyond_its_deadline(self):
        redis = self.redis()
        fleet = self.fleet(redis)
        redis.stop()
        for machine, limit in zip(fleet.machines, ["100ms", "1s", "5s"]):
            ending = machine.run("price", "bitcoin", "--timeout", limit, "--wait", "1500ms")
            seconds = float(limit.removesuffix("ms")) / 1000 if limit.endswith("ms") else float(limit.removesuffix("s"))
            self.assertLessEqual(ending.took, seconds + 1.5 + SLACK, ending.errors)
            self.assertIn(ending.status, [0, 4, 5], ending.errors)
        redis.go_on()

    def test_what_is_cached_on_the_machine_needs_no_redis(self):
        redis = self.redis()
        fleet = self.fleet(redis)
        fleet.machines[0].price("bitcoin")
        redis.stop()
        ending = fleet.machines[0].run("price", "bitcoin")
        self.assert_quiet(ending)
        self.assertLess(ending.took, 0.2)
        redis.go_on()

    def test_a_command_of_many_requests_warns_once(self):
        redis = self.redis()
        fleet = self.fleet(redis, machines=2, rate="100/1s")
        redis.kill()
        coins = [f"coin-{number}" for number in range(600)]
        self.assert_one_warning(fleet.machines[0].run("price", *coins, "--wait", "5s"), "Redis")
        self.assertGreater(len(self.upstream.requests), 1)

    def test_a_share_is_one_at_least(self):
        redis = self.redis()
        fleet = self.fleet(redis, machines=3, rate="2/2s")
        redis.kill()
        ending = fleet.machines[0].run("price", "bitcoin", "--wait", "10s")
        self.assert_one_warning(ending)
        self.assertEqual(len(self.upstream.requests), 1)

    def test_a_budget_that_was_forgotten_begins_used_up(self):
        redis = self.redis()
        fleet = self.fleet(redis, machines=2, rate="4/4s")
        began = time.monotonic()
        for number in range(4):
            fleet.machines[number // 3].done("price", f"coin-{number}")
        redis.ask("FLUSHALL")
        ending = fleet.machines[1].run("price", "bitcoin")
        if ending.status == 0:
            self.assertGreater(self.upstream.requests[-1].time - began, 4)
        self.assertEqual(ending.status, 5, ending.errors)
        fleet.machines[1].done("price", "bitcoin", "--wait", "15s")
        self.assertLessEqual(fullest_window(self.upstream.requests, 4 - JITTER), 4)


if __name__ == "__main__":
    unittest.main()
