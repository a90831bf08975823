"""What every tier, every store of budgets and every lock keeps to, held against the real server by the tests of the library."""

import os
import subprocess
import unittest

from case import Case


class Suites(Case):
    def test_redis_passes_what_memory_and_sqlite_pass(self):
        redis = self.redis()
        ending = subprocess.run(
            [os.environ.get("SWIFT", "swift"), "test", "--skip-build", "--filter", "BitpalFleetTests|BitpalCacheTests|BitpalRateLimitTests"],
            cwd=os.environ["BITPAL_SOURCES"], env={**os.environ, "BITPAL_TEST_REDIS": redis.address}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(ending.returncode, 0, ending.stdout[-5000:])
        # They were not passed over.
        self.assertIn("A budget on the server", ending.stdout)
        self.assertGreater(redis.keys(), [])


if __name__ == "__main__":
    unittest.main()
