"""Where Redis is, who may speak to it, and what is there in its place."""

import pathlib
import resource
import socket
import tempfile
import unittest

from case import Case
from fleet import SLACK, Fleet, warnings
from impostor import MANNERS, Impostor, through
from redis_server import Certificates, Redis
from upstream import Upstream


class Addresses(Case):
    def assert_shared(self, redis, **more):
        """Two machines at an address have one cache, and say nothing."""
        fleet = self.fleet(redis, machines=2, **more)
        self.upstream.forget()
        for machine in fleet.machines:
            self.assert_quiet(machine.run("price", "bitcoin"))
        self.assertEqual(len(self.upstream.requests), 1)
        return fleet

    def assert_apart(self, redis, *words, **more):
        """It is refused: the machine goes on by itself, and says why."""
        fleet = self.fleet(redis, machines=2, **more)
        ending = fleet.machines[0].run("price", "bitcoin", "--wait", "3s")
        self.assert_one_warning(ending, *words)
        return ending

    def test_a_port_and_a_host_by_name(self):
        redis = self.redis()
        self.assert_shared(redis)
        redis.ask("FLUSHALL")
        self.assert_shared(f"redis://localhost:{redis.port}")

    def test_a_socket_as_a_path_and_as_an_address(self):
        redis = self.redis(on_socket=True)
        self.assert_shared(redis)
        redis.ask("FLUSHALL")
        self.assert_shared(str(redis.socket))

    def test_a_database_and_a_prefix_of_their_own(self):
        redis = self.redis()
        self.assert_shared(f"{redis.address}/3")
        self.assertEqual(redis.keys(), [])
        self.assertEqual(len(redis.keys("bitpal:1:answer:*", database=3)), 1)
        self.assert_shared(redis, fleet='  prefix: "{bitpal-home}"')
        self.assertEqual(len(redis.keys("{bitpal-home}:1:answer:*")), 1)
        self.assertEqual([key for key in redis.keys() if not key.startswith("{bitpal-home}:1:")], [])

    def test_a_database_that_is_not_there(self):
        redis = self.redis()
        self.assert_apart(f"{redis.address}/99", "DB index")

    def test_a_password_that_cannot_be_read_sends_no_request_that_nobody_counts(self):
        fleet = self.fleet(self.redis(), machines=1, variables={"BITPAL_REDIS_PASSWORD_FILE": "/none"})
        for words in [("price", "bitcoin"), ("record", "tape", "--", "price", "bitcoin"), ("price", "bitcoin", "--now", "2030-01-01")]:
            ending = fleet.machines[0].run(*words)
            self.assertEqual(ending.status, 3, words)
            self.assertIn("BITPAL_REDIS_PASSWORD_FILE", ending.errors)
        self.assertEqual(self.upstream.requests, [])

    def test_tls_by_an_authority_of_ones_own(self):
        right = Certificates(self.folder)
        redis = self.redis(tls=right)
        self.assert_shared(redis, fleet=f"  ca: {right.authority}")

    def test_tls_by_an_authority_that_nobody_knows_is_refused(self):
        folders = [self.folder / "right", self.folder / "wrong"]
        for folder in folders:
            folder.mkdir()
        right, wrong = map(Certificates, folders)
        redis = self.redis(tls=right)
        self.assert_apart(redis)
        self.assert_apart(redis, fleet=f"  ca: {wrong.authority}")
        self.assertEqual(redis.keys(), [])

    def test_tls_in_another_name_is_refused(self):
        other = Certificates(self.folder, name="somebody.example")
        redis = self.redis(tls=other)
        self.assert_apart(redis, fleet=f"  ca: {other.authority}")
        self.assertEqual(redis.keys(), [])

    def test_tls_where_there_is_none_and_none_where_there_is_tls(self):
        right = Certificates(self.folder)
        self.assert_apart(self.redis().address.replace("redis:", "rediss:"), fleet=f"  ca: {right.authority}")
        self.assert_apart(self.redis(tls=right).address.replace("rediss:", "redis:"))

    def test_a_password_from_the_environment_and_from_a_file(self):
        redis = self.redis(password="it's a 'secret' – \"here\"")
        self.assert_shared(redis, variables={"BITPAL_REDIS_PASSWORD": redis.password})
        redis.ask("FLUSHALL")
        file = self.folder / "password"
        file.write_text(redis.password + "\n")
        file.chmod(0o600)
        self.assert_shared(redis, variables={"BITPAL_REDIS_PASSWORD_FILE": str(file)})

    def test_a_password_that_is_wrong_missing_or_not_wanted(self):
        redis = self.redis(password="right")
        wrong = self.assert_apart(redis, "WRONGPASS", variables={"BITPAL_REDIS_PASSWORD": "wrong-4711"})
        self.assertNotIn("4711", wrong.errors)
        self.assert_apart(redis, "NOAUTH")
        # A server without passwords says that it has none: it is not the one that was meant.
        ending = self.fleet(self.redis(), machines=2, variables={"BITPAL_REDIS_PASSWORD": "planted-4711"}).machines[0].run(
            "price", "bitcoin", "--wait", "3s", "-v")
        self.assertEqual(ending.status, 0)
        self.assertNotIn("4711", ending.errors)

    def test_a_password_is_nowhere_to_be_seen(self):
        redis = self.redis(password="planted-4711")
        fleet = self.fleet(redis, variables={"BITPAL_REDIS_PASSWORD": redis.password})
        machine = fleet.machines[0]
        for words in [["price", "bitcoin", "-v"], ["doctor"], ["doctor", "--format", "json"], ["cache", "stats"], ["config", "show"],
                      ["price", "bitcoin", "--refresh", "-v"]]:
            ending = machine.run(*words)
            self.assertNotIn("4711", ending.out + ending.errors, words)
        redis.kill()
        ending = machine.run("price", "ethereum", "-v", "--wait", "3s")
        self.assertNotIn("4711", ending.out + ending.errors)
        for file in fleet.settings.parent.rglob("*"):
            if file.is_file():
                self.assertNotIn(b"4711", file.read_bytes(), file)

    def test_an_address_with_a_password_is_refused(self):
        fleet = self.fleet("redis://:planted-4711@127.0.0.1:6379")
        ending = fleet.machines[0].run("price", "bitcoin")
        self.assertEqual(ending.status, 3)
        self.assertIn("BITPAL_REDIS_PASSWORD", ending.errors)

    def test_nobody_is_there(self):
        for address in ["redis://127.0.0.1:1", "unix:///nowhere/redis.sock", "redis://nowhere.invalid", str(self.folder)]:
            with self.subTest(address):
                ending = self.assert_apart(address)
                self.assertLess(ending.took, 3)

    def test_somebody_who_takes_no_more_connections(self):
        # Nobody accepts, and the queue is full: a connection is neither made nor refused.
        with socket.create_server(("127.0.0.1", 0), backlog=0) as listener:
            address = listener.getsockname()
            waiting = []
            for _ in range(4):
                knock = self.enterContext(socket.socket())
                knock.setblocking(False)
                knock.connect_ex(address)
                waiting.append(knock)
            ending = self.assert_apart(f"redis://127.0.0.1:{address[1]}")
            self.assertLess(ending.took, 2)


class Impostors(unittest.TestCase):
    """One machine a manner, all at once: none learns of another's."""

    def test_what_is_no_redis_is_left_alone(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="bitpal-fleet-")))
        upstream = self.enterContext(Upstream())
        for number, (name, manner) in enumerate(MANNERS.items()):
            with self.subTest(name):
                impostor = self.enterContext(Impostor(manner))
                machine = Fleet(folder / f"fleet-{number}", upstream, impostor.address, machines=1, rate="100/1s").machines[0]
                first = machine.run("price", "bitcoin", "--timeout", "3s", "--wait", "2s")
                self.assertEqual((first.status, len(warnings(first))), (0, 1), first.errors)
                self.assertLessEqual(first.took, 5 + SLACK)
                self.assertFalse([character for character in first.errors if ord(character) < 32 and character != "\n"], first.errors)
                connections = impostor.connections
                second = machine.run("price", "ethereum", "--timeout", "3s", "--wait", "2s")
                self.assertEqual((second.status, second.errors), (0, ""))
                # The breaker is open for all processes of the machine.
                self.assertEqual(impostor.connections, connections)

        # Nobody who sends without an end fills the memory: of all who were waited for, the largest.
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 200 << 10)

    def test_a_connection_may_break_at_any_byte(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="bitpal-fleet-")))
        upstream, redis = self.enterContext(Upstream()), self.enterContext(Redis())
        # Half a reply of the greeting, of a look-up, of a lock, of a count.
        for number, most in enumerate([1, 5, 20, 40, 100, 500, 1000, 1500, 1600, *range(1700, 2300, 50)]):
            with self.subTest(most):
                impostor = self.enterContext(Impostor(through(redis, most)))
                machine = Fleet(folder / f"fleet-{number}", upstream, impostor.address, machines=1, rate="100/1s").machines[0]
                ending = machine.run("price", f"coin-{number}", "--timeout", "3s", "--wait", "2s")
                self.assertEqual(ending.status, 0, ending.errors)
                self.assertLessEqual(len(warnings(ending)), 1)
                self.assertLessEqual(ending.took, 5 + SLACK)


if __name__ == "__main__":
    unittest.main()
