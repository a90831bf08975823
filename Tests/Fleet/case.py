"""What the tests have in common: a folder, a source, and whatever they open is closed at their end."""

import atexit
import functools
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from fleet import Fleet, Machine, warnings
from redis_server import Redis
from upstream import Upstream


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="bitpal-fleet-")))
        self.upstream = self.enterContext(Upstream())
        self.fleets = 0

    def redis(self, *words, **more):
        return self.enterContext(Redis(*words, **more))

    def fleet(self, redis, **more):
        """A fleet on a Redis, or on whatever is at an address."""
        self.fleets += 1
        return Fleet(self.folder / f"fleet-{self.fleets}", self.upstream, getattr(redis, "address", redis), **more)

    def with_wrong_clock(self, fleet, hours):
        """A machine more, whose wall clock is so many hours ahead."""
        variables = {"LD_PRELOAD": str(wrong_clock()), "WRONG_CLOCK": str(hours * 3600)}
        return Machine(self.folder / f"machine-ahead-{hours}", fleet.settings, variables)

    def assert_quiet(self, ending):
        self.assertEqual((ending.status, ending.errors), (0, ""))

    def assert_one_warning(self, ending, *words):
        """It was answered, and said once what is wrong with the fleet."""
        told = warnings(ending)
        self.assertEqual((ending.status, len(told)), (0, 1), ending.errors)
        for word in words:
            self.assertIn(word, told[0])


@functools.cache
def wrong_clock():
    """Built by the compiler that comes with Swift's, or the system's."""
    compiler = shutil.which("clang") or shutil.which("cc")
    folder = tempfile.TemporaryDirectory(prefix="bitpal-fleet-clock-")
    library = pathlib.Path(folder.name) / "wrong_clock.so"
    source = pathlib.Path(__file__).with_name("wrong_clock.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", source, "-o", library], check=True)
    atexit.register(folder.cleanup)
    return library
