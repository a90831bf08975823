"""One budget of a source for all machines."""

import os
import unittest

from case import Case
from fleet import JITTER, Load, fullest_window, warnings

# How long three machines ask in earnest; an hour of it must look no different.
SECONDS = int(os.environ.get("FLEET_SECONDS", "20"))


class Budget(Case):
    def test_three_machines_of_twenty_processes_keep_to_it_and_use_it(self):
        fleet = self.fleet(self.redis(), machines=3)
        with Load(fleet.machines, 20, timeout=5, wait=15) as load:
            load.is_over.wait(SECONDS)
        requests = [request for request in self.upstream.requests if load.began <= request.time < load.ended]
        asking = load.ended - load.began
        used = len(requests) / (10 * asking)
        print(f"\n  {len(requests)} requests in {asking:.1f} s: {used:.1%} of the budget, {fullest_window(requests)} in the fullest "
              f"second; {len(load.all_endings)} commands, the slowest took {max(e.took for e in load.all_endings):.1f} s")
        self.assertLessEqual(fullest_window(requests, 1 - JITTER), 10)
        # A minute on an idle machine uses 95 %; with a third of that the processes' own start counts for more.
        self.assertGreaterEqual(used, 0.95 if SECONDS >= 60 else 0.92)
        self.assertEqual({(ending.status, *warnings(ending)) for ending in load.all_endings}, {(0,)})
        # Nobody is served before the others.
        shares = [sum(request.coins[0].startswith(f"coin-{number}-") for request in requests) for number in range(3)]
        self.assertGreater(min(shares), sum(shares) / 6, shares)

    def test_what_one_machine_has_used_is_not_there_for_another(self):
        fleet = self.fleet(self.redis(), machines=3, rate="5/10m")
        endings = fleet.all_at_once(*[
            (machine, "price", f"coin-{number}-{slot}") for number, machine in enumerate(fleet.machines) for slot in range(4)])
        self.assertEqual(len(self.upstream.requests), 5)
        self.assertEqual(sorted(ending.status for ending in endings), [0] * 5 + [5] * 7)
        late = fleet.machines[0].run("price", "bitcoin")
        self.assertIn("5 of 5 requests to market in 10m are used; the next is free in ", late.errors)

    def test_all_budgets_of_a_list_hold(self):
        fleet = self.fleet(self.redis(), machines=2, rate="[3/1s, 5/10m]")
        endings = fleet.all_at_once(*[
            (fleet.machines[slot % 2], "price", f"coin-{slot}", "--wait", "3s") for slot in range(8)])
        requests = self.upstream.requests
        self.assertEqual(len(requests), 5)
        self.assertLessEqual(fullest_window(requests, 1 - JITTER), 3)
        self.assertEqual(sorted(ending.status for ending in endings), [0] * 5 + [5] * 3)

    def test_a_pause_that_one_machine_is_asked_for_holds_all(self):
        fleet = self.fleet(self.redis(), machines=3)
        self.upstream.answers(429, retry_after="4")
        self.assertEqual(fleet.machines[0].run("price", "bitcoin", "--timeout", "1s").status, 5)
        self.upstream.answers()
        held = fleet.all_at_once(*[(machine, "price", "ethereum", "--timeout", "1s") for machine in fleet.machines])
        self.assertEqual([ending.status for ending in held], [5] * 3)
        for ending in held:
            self.assertIn("the source asked for a pause (free again in ", ending.errors)
        self.assertEqual(len(self.upstream.requests), 1)
        # It ends for all.
        fleet.machines[2].done("price", "ethereum", "--wait", "10s")
        first, second = self.upstream.requests
        self.assertGreaterEqual(second.time - first.time, 4)

    def test_clocks_an_hour_off_change_nothing(self):
        fleet = self.fleet(self.redis(), machines=3)
        others = [self.with_wrong_clock(fleet, hours) for hours in [-1, 1]]
        with Load([fleet.machines[0], *others], 8, timeout=5, wait=10) as load:
            load.is_over.wait(8)
        requests = [request for request in self.upstream.requests if load.began <= request.time < load.ended]
        self.assertLessEqual(fullest_window(requests, 1 - JITTER), 10)
        self.assertGreaterEqual(len(requests), 0.8 * 10 * (load.ended - load.began))
        failed = [(ending.status, round(ending.took, 1), ending.errors) for ending in load.all_endings if ending.status]
        self.assertEqual(failed, [])
        self.assertEqual([warning for ending in load.all_endings for warning in warnings(ending)], [])


if __name__ == "__main__":
    unittest.main()
