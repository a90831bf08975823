"""The server loses budgets while machines use them: the sum stays within the budget, and all of them are answered again."""

import threading
import time
import unittest

from case import Case
from fleet import fullest_window


def flush(redis):
    redis.ask("FLUSHALL")


def delete(redis):
    for key in redis.keys("bitpal:1:budget:*"):
        redis.ask("DEL", key)


def garble(redis):
    for key in redis.keys("bitpal:1:budget:*"):
        redis.ask("HSET", key, "state", "garbage")


def replace(redis):
    for key in redis.keys("bitpal:1:budget:*"):
        redis.ask("SET", key, "of another type")


def restart(redis):
    redis.kill()
    redis.start()


class LongWindow(Case):
    """A budget of `[50/1s, 100/10m]`, of which one machine has used most."""

    def use(self, machine, count, name):
        """Sends so many requests, a few processes at a time."""
        numbers, lock = iter(range(count)), threading.Lock()

        def work():
            while True:
                with lock:
                    number = next(numbers, None)
                if number is None:
                    return
                machine.run("price", f"{name}-{number}", "--wait", "3s")
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def check(self, lose, uses):
        redis = self.redis()
        fleet = self.fleet(redis, machines=3, rate="[50/1s, 100/10m]")
        for number, (machine, count) in enumerate(zip(fleet.machines, uses)):
            self.use(machine, count, f"before-{number}")
        self.assertEqual(len(self.upstream.requests), sum(uses))
        lose(redis)
        lost = time.monotonic()
        asking = [threading.Thread(target=self.use, args=(machine, 40, f"after-{number}"))
                  for number, machine in enumerate(fleet.machines)]
        for thread in asking:
            thread.start()
        for thread in asking:
            thread.join()
        # Every machine is answered, if the budget has room.
        end = time.monotonic() + 20
        while len(self.upstream.requests) < 97 and time.monotonic() < end:
            for number, machine in enumerate(fleet.machines):
                machine.run("price", f"late-{number}-{time.monotonic()}", "--wait", "10s")
        requests = self.upstream.requests
        first = next((request.time - lost for request in requests if request.time > lost), None)
        print(f"\n  {lose.__name__} after {uses}: {len(requests)} of 100 requests, the first again after {first} s")
        self.assertLessEqual(len(requests), 100)
        # A process that ends between its token and its request has used the token.
        self.assertGreaterEqual(len(requests), 95)
        self.assertLessEqual(fullest_window(requests, 0.9), 50)
        self.assertLess(first, 10)

    def test_flushed_after_uneven_use(self):
        self.check(flush, [80, 1, 1])

    def test_a_running_server_reports_what_its_machine_used_without_being_asked(self):
        redis = self.redis()
        fleet = self.fleet(redis, machines=3, rate="[50/1s, 100/10m]")
        first, *others = fleet.machines
        server = first.start("serve", "--listen", "127.0.0.1:0")
        self.addCleanup(server.communicate)
        self.addCleanup(server.terminate)
        server.stdout.readline()
        # The server knows the budget when it has asked once; the rest is used by commands beside it.
        for machine, count in zip(fleet.machines, [80, 1, 1]):
            self.use(machine, count, machine.folder.name)
        flush(redis)
        end = time.monotonic() + 10
        while not redis.keys("bitpal:1:budget:*") and time.monotonic() < end:
            time.sleep(0.05)
        self.assertTrue(redis.keys("bitpal:1:budget:*"))
        for number, machine in enumerate(others):
            self.use(machine, 30, f"after-{number}")
        self.assertLessEqual(len(self.upstream.requests), 100)

    def test_flushed_after_even_use(self):
        self.check(flush, [27, 27, 27])

    def test_deleted(self):
        self.check(delete, [80, 1, 1])

    def test_garbled(self):
        self.check(garble, [60, 20, 1])

    def test_replaced(self):
        self.check(replace, [1, 1, 80])

    def test_restarted(self):
        self.check(restart, [80, 1, 1])


class ShortWindow(Case):
    def test_a_server_of_ours_is_answered_again_as_commands_are(self):
        redis = self.redis()
        fleet = self.fleet(redis, machines=2, rate="4/4s")
        for number in range(4):
            fleet.machines[number // 3].done("price", f"coin-{number}")
        for lose in [delete, garble, replace, flush]:
            lose(redis)
            began = time.monotonic()
            fleet.machines[1].done("price", lose.__name__, "--wait", "6s")
            self.assertLess(time.monotonic() - began, 5)
        self.assertLessEqual(fullest_window(self.upstream.requests, 3.9), 4)


if __name__ == "__main__":
    unittest.main()
