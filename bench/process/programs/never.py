# Waits that its own process can never end: `abba` locks, an empty `queue`, an asyncio `future`, a pool `nested` in itself,
# `popen`: a child whose output nobody takes while it is waited for.
import asyncio
import concurrent.futures
import queue
import subprocess
import sys
import threading
import time


def abba():
    first, second = threading.Lock(), threading.Lock()

    def take(one, other):
        with one:
            time.sleep(0.1)
            with other:
                pass

    threads = [threading.Thread(target=take, args=pair) for pair in ((first, second), (second, first))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


async def future():
    await asyncio.Future()


def nested():
    pool = concurrent.futures.ThreadPoolExecutor(1)
    pool.submit(lambda: pool.submit(int).result()).result()


def popen():
    subprocess.Popen(["head", "-c", "1M", "/dev/zero"], stdout=subprocess.PIPE).wait()


{
    "abba": abba,
    "queue": lambda: queue.Queue().get(),
    "future": lambda: asyncio.run(future()),
    "nested": nested,
    "popen": popen,
}[sys.argv[1]]()
