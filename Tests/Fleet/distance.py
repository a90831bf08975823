"""A way to a Redis that is some milliseconds long, and counts the exchanges on it."""

import asyncio
import threading


class Distance:
    """Hands on what both sides say, later by half of a round trip, for as long as a `with` lasts."""

    def __init__(self, redis, round_trip):
        self.redis, self.delay, self.exchanges = redis, round_trip / 2, 0

    def __enter__(self):
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.server = asyncio.run_coroutine_threadsafe(
            asyncio.start_server(self.connected, "127.0.0.1", 0), self.loop).result()
        self.address = "redis://127.0.0.1:%d" % self.server.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    async def connected(self, reader, writer):
        near, far = await asyncio.open_connection("127.0.0.1", self.redis.port)
        # Who spoke last: a question after an answer is an exchange.
        state = {"last": None}
        await asyncio.gather(
            self.hand_on(reader, far, "question", state), self.hand_on(near, writer, "answer", state),
            return_exceptions=True)

    async def hand_on(self, source, target, kind, state):
        queue = asyncio.Queue()

        async def deliver():
            while (item := await queue.get()) is not None:
                due, data = item
                await asyncio.sleep(max(0, due - self.loop.time()))
                target.write(data)
            target.close()
        delivering = asyncio.ensure_future(deliver())
        while data := await source.read(65_536):
            if kind == "question" and state["last"] != "question":
                self.exchanges += 1
            state["last"] = kind
            await queue.put((self.loop.time() + self.delay, data))
        await queue.put(None)
        await delivering
