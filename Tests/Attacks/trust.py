"""Attacks on the trust in a folder and on the sandbox of plugins, with the built tool.

Run with BITPAL=.build/debug/bitpal python3 Tests/Attacks/trust.py; it needs no network. Every attack prints one line, and the
exit status is 1 when one succeeded.
"""

import contextlib
import http.server
import json
import os
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest

BITPAL = os.path.abspath(os.environ.get("BITPAL", ".build/debug/bitpal"))
PYTHON = "/usr/bin/python3"
HAS_SANDBOX = subprocess.run(
    ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"], capture_output=True).returncode == 0 \
    if shutil.which("bwrap") else False

PLUGIN = r'''
import json, sys
PRICE = "1111"
def attack():
    return "nothing"
for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        answer = {"bitpal": 1, "answers": ["quotes"], "currencies": ["usd"]}
    elif "plan" in message:
        answer = {"requests": [{"url": "URL"}]}
    else:
        answer = {"rows": [{"id": "bitcoin", "price": PRICE}]}
    if "plan" in message:
        print(attack(), file=sys.stderr, flush=True)
    print(json.dumps(answer), flush=True)
'''


class Source(http.server.BaseHTTPRequestHandler):
    """A source on this machine; `wait` seconds before the coin list."""

    asked = []

    def do_GET(self):
        type(self).asked.append(self.path)
        gate = self.server.gate
        if gate is not None:
            self.server.reached.set()
            gate.wait(20)
        body = b'{"p": "5"}' if "list" not in self.path else b'[{"id": "nc", "symbol": "nc", "name": "NC"}]'
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *arguments):
        pass


@contextlib.contextmanager
def source(gate=None):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Source)
    server.gate, server.reached = gate, threading.Event()
    Source.asked = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server, f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


class World:
    """A home and a working folder with settings that name a folder of provider files."""

    def __init__(self, settings="bitpal: 1\nproviders_dir: providers\nprovider: mine\n"):
        self.root = tempfile.mkdtemp(prefix="bitpal-attack-")
        os.chmod(self.root, 0o755)
        self.home, self.work = self.root + "/home", self.root + "/work"
        os.makedirs(self.home)
        os.makedirs(self.work + "/providers")
        self.write("config.yaml", settings)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        shutil.rmtree(self.root, ignore_errors=True)

    def write(self, name, text, mode=0o644):
        path = os.path.join(self.work, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".new", "w") as file:
            file.write(text)
        os.chmod(path + ".new", mode)
        os.rename(path + ".new", path)
        return path

    def plugin(self, text=PLUGIN, hosts="plugin.example", command="[python3, -I, mine.py]", url=None):
        self.write("providers/mine.py", text.replace("URL", url or "https://unnamed.example/"))
        self.write(
            "providers/mine.yaml",
            f"id: mine\nname: Mine\nkind: plugin\ncommand: {command}\nhosts: [{hosts}]\nrate_limit: 100000/1s\n"
            "symbols: { bitcoin: BTC }\n")

    def environment(self, **more):
        return {"PATH": "/usr/bin:/bin", "HOME": self.home, "LANG": "C.UTF-8", **more}

    def run(self, *words, folder=None, user=None, **variables):
        return subprocess.run(
            [BITPAL, *words], cwd=folder or self.work, env=self.environment(**variables), capture_output=True,
            text=True, timeout=60, user=user)

    @contextlib.contextmanager
    def swapping(self, name, texts):
        """Writes each of the texts to a file in turn, again and again."""
        stop = threading.Event()

        def swap():
            while not stop.is_set():
                for text in texts:
                    self.write(name, text)

        thread = threading.Thread(target=swap)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()

    def start(self, *words, folder=None):
        return subprocess.Popen(
            [BITPAL, *words], cwd=folder or self.work, env=self.environment(), stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)


class Trust(unittest.TestCase):
    def trusted(self, world):
        result = world.run("trust")
        self.assertEqual(result.returncode, 0, result)
        return result

    def test_twenty_at_once_are_twenty(self):
        with World() as world:
            folders = [f"{world.root}/f{number}" for number in range(20)]
            for folder in folders:
                os.makedirs(folder)
                with open(folder + "/config.yaml", "w") as file:
                    file.write("bitpal: 1\n")
            for process in [world.start("trust", folder=folder) for folder in folders]:
                process.communicate()
                self.assertEqual(process.returncode, 0)
            kept = json.loads(world.run("trust", "list", "--format", "json").stdout)["folders"]
            self.assertEqual(sorted(f["folder"] for f in kept), sorted(folders))
            adding = [world.start("trust", folder=folder) for folder in folders[:10]]
            removing = [world.start("trust", "remove", folder=folder) for folder in folders[10:]]
            for process in adding + removing:
                process.communicate()
                self.assertEqual(process.returncode, 0)
            kept = json.loads(world.run("trust", "list", "--format", "json").stdout)["folders"]
            self.assertEqual(sorted(f["folder"] for f in kept), sorted(folders[:10]))

    def test_an_alias_does_not_renew_trust_in_what_changed_meanwhile(self):
        gate = threading.Event()
        with World() as world, source(gate) as (server, url):
            world.plugin()
            world.write(
                "providers/slow.yaml",
                f"id: slow\nname: Slow\nkind: http\nbase_url: {url}\nrate_limit: 1000/1s\n"
                "coin_list: { get: /list, select: \"SELECT value ->> 'id' AS id, value ->> 'symbol' AS symbol, "
                "value ->> 'name' AS name FROM json_each(:body)\" }\n"
                "quotes: { get: '/q/{id}', fields: { price: $.p } }\n")
            world.write("config.yaml", "bitpal: 1\nproviders_dir: providers\nprovider: slow\n")
            self.trusted(world)
            alias = world.start("config", "alias", "zz9", "nc")
            self.assertTrue(server.reached.wait(20))
            world.write("providers/mine.py", f"open({world.root + '/stolen'!r}, 'w')\n")
            gate.set()
            _, errors = alias.communicate(timeout=30)
            self.assertEqual(alias.returncode, 0, errors)
            self.assertIn("providers/mine.py has changed meanwhile", errors)
            result = world.run("price", "bitcoin", "-p", "mine")
            self.assertIn("has changed since it was trusted", result.stderr)
            self.assertFalse(os.path.exists(world.root + "/stolen"))

    def test_an_alias_keeps_a_folder_trusted_that_nobody_else_changed(self):
        with World("bitpal: 1\nproviders_dir: providers\n") as world:
            world.plugin()
            self.trusted(world)
            result = world.run("config", "alias", "zz9", "id:bitcoin")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn('"trusted"', world.run("trust", "list", "--format", "json").stdout)
            for words in [("providers", "new", "luna", "--plugin", "python"), ("imports", "new", "mine", "t.csv")]:
                world.write("t.csv", "Date,Type,Coin,Amount,Price\n2024-01-02,buy,BTC,1,42000\n")
                result = world.run(*words)
                self.assertNotIn("trust", result.stderr, result)
                self.assertIn('"trusted"', world.run("trust", "list", "--format", "json").stdout, words)

    def test_what_decides_money_is_covered(self):
        with World("bitpal: 1\nproviders_dir: providers\nprovider: own\n") as world:
            world.write("providers/own.yaml", "id: own\nname: Own\nkind: file\nfile: ../prices.db\n")
            world.write("prices.db", "P 2024-01-01 BTC 96000 USD\n")
            world.write("imports/mine.yaml", "id: mine\n")
            world.write("tape/recording.har", "{}")
            world.write("providers/tape.yaml", "id: tape\nname: Tape\nkind: recorded\nof: coingecko\nrecording: ../tape\n")
            shown = self.trusted(world).stdout
            self.assertIn("prices.db", shown)
            for name in ["prices.db", "imports/mine.yaml", "tape/recording.har", "imports/new.yaml"]:
                self.trusted(world)
                world.write(name, "P 2024-01-01 BTC 1 USD\n")
                result = world.run("portfolio")
                self.assertIn("has changed since it was trusted", result.stderr, name)

    def test_code_in_a_command_is_shown_and_refused(self):
        with World() as world:
            world.write("providers/decoy.txt", "harmless")
            for command in ['[python3, -c, "exec(open(\'moon.py\').read())", decoy.txt]', "[python3, -Im, moon]",
                            '[env, perl, -we, "print 1"]', "[sh, -ec, ls]", "[jq, ., decoy.txt]"]:
                world.plugin(command=command)
                shown = world.run("trust", "--dry-run")
                self.assertIn("code in the command line", shown.stdout, command)
                result = world.run("trust")
                self.assertEqual(result.returncode, 2, command)
                self.assertIn("--allow-code", result.stderr)
            self.assertEqual(world.run("trust", "--allow-code").returncode, 0)

    def test_files_and_folders_that_others_write_are_refused(self):
        for name, mode, fix in [
            ("providers/mine.py", 0o666, "o-w"), ("providers/mine.yaml", 0o646, "o-w"), ("config.yaml", 0o666, "o-w"),
            ("providers", 0o777, "o-w"), ("", 0o777, "o-w"), ("providers/mine.py", 0o664, "g-w"),
        ]:
            with World() as world:
                world.plugin()
                self.trusted(world)
                path = os.path.normpath(os.path.join(world.work, name))
                if fix == "g-w":
                    if os.geteuid() != 0:
                        continue
                    os.chown(path, 0, 4711)
                os.chmod(path, mode)
                expected = "go-w" if mode & 0o022 == 0o022 and os.stat(path).st_gid != 0 else fix
                result = world.run("trust")
                self.assertEqual(result.returncode, 3, (name, result))
                self.assertIn(f"chmod {expected} {path}", result.stderr)
                self.assertIn("has changed since it was trusted", world.run("price", "bitcoin").stderr)
                os.chmod(path, stat.S_IMODE(os.stat(path).st_mode) & ~0o022)
                self.trusted(world)

    def swap(self, **variables):
        """Replaces the program again and again while it is started; the marks of those that ran."""
        with World() as world:
            world.plugin(PLUGIN.replace('"nothing"', '"ran the trusted one"'))
            self.trusted(world)
            with open(world.work + "/providers/mine.py") as file:
                trusted = file.read()
            other = trusted.replace("ran the trusted one", "ran the swapped one")
            seen = set()
            with world.swapping("providers/mine.py", [other, trusted]):
                for _ in range(15):
                    errors = world.run("price", "bitcoin", **variables).stderr
                    for mark in ["ran the trusted one", "ran the swapped one", "has changed since"]:
                        if mark in errors:
                            seen.add(mark)
            return seen

    def test_a_program_that_is_swapped_before_its_start_is_not_started(self):
        for variables in [{}, {"PATH": self.without_bwrap()}]:
            seen = self.swap(**variables)
            self.assertNotIn("ran the swapped one", seen)
            self.assertTrue(seen)

    def test_an_import_file_that_is_swapped_after_the_look_is_not_used(self):
        imported = (
            "id: kk\nname: KK\nheader: [When, Coin, Qty, Total]\nselect: |\n"
            "  SELECT line, \"When\" AS date, 'buy' AS type, \"Coin\" AS coin, \"Qty\"AMOUNT AS amount,\n"
            "    \"Total\" AS total, 'USD' AS currency FROM rows ORDER BY line\n"
            "movements: |\n  SELECT line, \"Coin\" AS coin, \"Qty\"AMOUNT AS change, '0' AS within FROM rows\n"
            "  UNION ALL SELECT line, 'USD', '-' || \"Total\", '0' FROM rows\n")
        with World("bitpal: 1\n") as world:
            trusted, other = imported.replace("AMOUNT", ""), imported.replace("AMOUNT", " || '000'")
            world.write("imports/kk.yaml", trusted)
            self.trusted(world)
            world.write("k.csv", "When,Coin,Qty,Total\n2024-01-15,bitcoin,1,40000\n")
            amounts = []
            with world.swapping("imports/kk.yaml", [other, trusted]):
                for _ in range(40):
                    result = world.run("portfolio", "import", "k.csv", "--dry-run", "--offline", "--format", "json")
                    if result.returncode == 0:
                        amounts += [row["amount"] for row in json.loads(result.stdout)["transactions"]]
                    else:
                        self.assertIn("has changed since", result.stderr)
            self.assertEqual(set(amounts), {"1"})

    def test_a_link_in_the_folder_of_a_plugin_is_named_when_it_is_trusted(self):
        with World() as world:
            world.plugin()
            os.symlink("/", world.work + "/providers/all")
            result = world.run("trust")
            self.assertIn("providers/all", result.stdout + result.stderr)

    def without_bwrap(self):
        folder = tempfile.mkdtemp(prefix="bitpal-path-")
        self.addCleanup(shutil.rmtree, folder)
        for name in ["setpriv", "prlimit", "true", "sh", "env", "python3"]:
            if path := shutil.which(name, path="/usr/bin:/bin"):
                os.symlink(path, f"{folder}/{name}")
        return folder

    def test_a_program_finds_its_neighbours_and_its_own_name(self):
        for path in ["/usr/bin:/bin", self.without_bwrap()]:
            with World() as world:
                world.plugin(
                    "import neighbour, os\n"
                    + PLUGIN.replace('"nothing"', 'neighbour.word + " " + os.path.basename(__file__) + " "'
                                     ' + open(os.path.dirname(__file__) + "/data.txt").read()'),
                    command="[python3, mine.py]")
                world.write("providers/neighbour.py", "word = 'imported'\n")
                world.write("providers/data.txt", "its data")
                self.trusted(world)
                self.assertIn("imported mine.py its data", world.run("price", "bitcoin", PATH=path).stderr)
                self.assertEqual([n for n in os.listdir("/tmp") if n.startswith("bitpal-plugin-")], [])


@unittest.skipUnless(HAS_SANDBOX, "bwrap is not installed, or may not make namespaces")
class Sandbox(unittest.TestCase):
    def attack(self, code, user=None, links=None, **more):
        """What a plugin that runs `code` (the body of a function) says of it, with links in its folder."""
        with World() as world:
            for name, target in (links or {}).items():
                os.symlink(target, f"{world.work}/providers/{name}")
            body = "\n".join("    " + line for line in code.replace("HOME", world.home).splitlines())
            world.plugin(PLUGIN.replace('    return "nothing"', body), **more)
            os.makedirs(world.home + "/.ssh")
            with open(world.home + "/.ssh/id", "w") as file:
                file.write("canary")
            os.mkfifo(world.home + "/fifo")
            with socket.socket(socket.AF_UNIX) as server:
                server.bind(world.home + "/socket")
                server.listen()
                if user:
                    for folder, folders, files in os.walk(world.root):
                        for name in [""] + folders + files:
                            os.chown(os.path.join(folder, name), user, user)
                trusted = world.run("trust", user=user)
                self.assertEqual(trusted.returncode, 0, trusted)
                return world.run("price", "bitcoin", user=user).stderr

    def test_a_link_in_its_folder_leads_nowhere(self):
        said = self.attack(
            "import os\nsaid = []\n"
            "os_path = os.path.dirname(os.path.abspath(__file__))\n"
            "for name in ['all' + 'HOME/.ssh/id', 'ssh/id']:\n"
            "    try:\n        said.append(open(os_path + '/' + name).read())\n"
            "    except OSError as error:\n        said.append(type(error).__name__)\n"
            "return 'TRIED ' + ' '.join(said)\n", links={"all": "/", "ssh": "../../../home/.ssh"})
        self.assertIn("TRIED", said)
        self.assertNotIn("canary", said)

    def test_sockets_pipes_and_files_of_the_user_are_out_of_reach(self):
        said = self.attack(
            "import os, socket\nsaid = []\n"
            "def tried(name, body):\n"
            "    try:\n        body()\n        said.append(name + ' REACHED')\n"
            "    except OSError as error:\n        said.append(name + ' ' + type(error).__name__)\n"
            "tried('socket', lambda: socket.socket(socket.AF_UNIX).connect('HOME/socket'))\n"
            "tried('fifo', lambda: os.open('HOME/fifo', os.O_RDWR))\n"
            "tried('key', lambda: open('HOME/.ssh/id'))\n"
            "tried('home', lambda: os.listdir('HOME'))\n"
            "tried('shadow', lambda: open('/etc/shadow'))\n"
            "tried('write', lambda: open('note', 'w'))\n"
            "tried('tmp', lambda: open('/tmp/note', 'w'))\n"
            "tried('network', lambda: socket.create_connection(('127.0.0.1', 22), 1))\n"
            "return ', '.join(said)")
        self.assertIn("socket FileNotFoundError, fifo FileNotFoundError, key FileNotFoundError", said)
        self.assertNotIn("REACHED", said)

    def test_memory_is_bounded(self):
        said = self.attack(
            "try:\n    block = bytearray(2 << 30)\n    return 'memory REACHED'\n"
            "except MemoryError:\n    return 'no memory'")
        self.assertIn("no memory", said)

    @unittest.skipUnless(os.geteuid() == 0, "becomes another user, because root is not held to a number of processes")
    def test_processes_are_bounded(self):
        said = self.attack(
            "import os, signal\nchildren = []\ntry:\n    for number in range(1000):\n        child = os.fork()\n"
            "        if child == 0:\n            signal.pause()\n        children.append(child)\n"
            "except OSError:\n    pass\n"
            "for child in children:\n    os.kill(child, 9)\nreturn f'forked {len(children)} times'", user=4711)
        self.assertIn("forked ", said)
        count = int(said.split("forked ")[1].split()[0])
        self.assertLess(count, 64)


class Hosts(unittest.TestCase):
    def test_no_request_goes_to_this_machine_for_a_found_file(self):
        with source() as (server, url):
            port = server.server_address[1]
            for host in ["127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "[::1]"]:
                with World() as world:
                    world.plugin(hosts=f'"{host}"', url=f"http://{host}:{port}/")
                    self.assertEqual(world.run("trust").returncode, 0)
                    result = world.run("price", "bitcoin")
                    self.assertNotEqual(result.returncode, 0, host)
                    self.assertEqual(Source.asked, [], host)

    def test_a_file_of_the_users_own_may_name_it(self):
        with source() as (server, url), World() as world:
            world.plugin(hosts="127.0.0.1", url=url + "/")
            result = world.run("-c", world.work + "/config.yaml", "price", "bitcoin")
            self.assertEqual((result.returncode, Source.asked), (0, ["/"]), result)
            world.write("config.yaml", "bitpal: 1\nprovider: mine\nproviders: { mine: { hosts: [127.0.0.1, localhost] } }\n")
            own = world.home + "/.local/share/bitpal"
            os.makedirs(own)
            shutil.move(world.work + "/providers", own + "/providers")
            self.assertEqual(world.run("trust").returncode, 0)
            result = world.run("price", "bitcoin")
            self.assertIn("only a provider file of your own", result.stderr)
            self.assertEqual(Source.asked, ["/"])

    def test_hosts_are_shown_and_no_other_is_asked(self):
        with World() as world:
            world.plugin(hosts="plugin.example, b.example", url="https://c.example/")
            self.assertIn("mine asks:  plugin.example, b.example", world.run("trust").stdout)
            self.assertIn("a plugin that asks plugin.example, b.example", world.run("doctor", "--offline").stdout)
            self.assertIn("does not name under hosts", world.run("price", "bitcoin").stderr)
            world.plugin(hosts="plugin.example, c.example", url="https://c.example/")
            self.assertIn("has changed since it was trusted", world.run("price", "bitcoin").stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
