"""A Redis that is far away: how often it is spoken with, and what need not wait for it."""

import json
import statistics
import subprocess
import threading
import time
import unittest
import urllib.request

from case import Case
from distance import Distance
from fleet import BITPAL


class Serve:
    """`bitpal serve` on a machine of a fleet, for as long as a `with` lasts."""

    def __init__(self, machine, *words):
        self.machine, self.words = machine, words

    def __enter__(self):
        self.process = subprocess.Popen(
            [BITPAL, "serve", "--listen", "127.0.0.1:0", *self.words], cwd=self.machine.folder,
            env=self.machine.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = self.process.stdout.readline().strip()
        return self

    def __exit__(self, *_):
        self.process.terminate()
        assert self.process.wait(timeout=20) == 0
        self.process.stdout.close()

    def price(self, coin):
        began = time.monotonic()
        with urllib.request.urlopen(f"{self.url}/v1/price?coins={coin}", timeout=30) as answer:
            row = json.loads(answer.read())["prices"][0]
        return row, time.monotonic() - began


class Distances(Case):
    def test_a_missing_answer_waits_for_three_exchanges(self):
        with Distance(self.redis(), 0.01) as way, Serve(self.fleet(way.address, rate="1000/1s").machines[0]) as serve:
            serve.price("first")
            time.sleep(0.3)
            way.exchanges = 0
            for number in range(8):
                serve.price(f"coin-{number}")
            time.sleep(0.3)
            # Looking, locking, taking a token; storing and unlocking, which no caller waits for and which may be apart.
            self.assertLessEqual(way.exchanges, 8 * 5 + 4)

    def test_what_is_cached_waits_for_no_distance_and_what_is_missing_not_for_others(self):
        for distance in [0, 2, 10, 40]:
            with self.subTest(distance), Distance(self.redis(), distance / 1000) as way, \
                    Serve(self.fleet(way.address, rate="1000/1s").machines[0]) as serve:
                serve.price("cached")
                missing, cached, end = [], [], time.monotonic() + 2

                def ask(lane):
                    while time.monotonic() < end:
                        missing.append(serve.price(f"coin-{lane}-{len(missing)}")[1])
                lanes = [threading.Thread(target=ask, args=(lane,)) for lane in range(4)]
                for lane in lanes:
                    lane.start()
                while time.monotonic() < end:
                    cached.append(serve.price("cached")[1])
                    time.sleep(0.005)
                for lane in lanes:
                    lane.join()
                print(
                    f"\n  Redis {distance} ms away: {len(missing) / 2:.0f} misses/s, p50 "
                    f"{statistics.median(missing) * 1000:.0f} ms; cached p50 {statistics.median(cached) * 1000:.1f} ms, "
                    f"p99 {sorted(cached)[len(cached) * 99 // 100] * 1000:.1f} ms", end="")
                self.assertTrue(missing and cached)

    def test_a_fresh_answer_is_served_whoever_holds_the_flight(self):
        redis = self.redis()
        fleet = self.fleet(redis)
        self.upstream.answers(delay=1)
        asking = fleet.machines[0].start("price", "bitcoin", "--format", "json")
        while not (names := redis.keys("bitpal:1:flight:*")):
            time.sleep(0.01)
        asking.communicate()
        # Another machine takes the flight of an answer that is there.
        redis.ask("SET", names[0], "another", "PX", "60000")
        ending = fleet.machines[1].run("price", "bitcoin", "--format", "json", "--timeout", "40s")
        self.assert_quiet(ending)
        # A question that waits for the flight waits for half of its time.
        self.assertLess(ending.took, 10)
        self.assertEqual(len(self.upstream.requests), 1)
        print(f"\n  a fresh answer whose flight is held: {ending.took * 1000:.0f} ms, whole process", end="")


if __name__ == "__main__":
    unittest.main()
