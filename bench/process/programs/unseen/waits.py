# Waits of Python programs: `waits.py WAY FOLDER`. Those that end do so after a quarter of an hour.
import asyncio
import fcntl
import multiprocessing
import os
import subprocess
import sys
import threading
import time

way = sys.argv[1]
folder = sys.argv[2] if len(sys.argv) > 2 else "."


def echo():
    """Writes more than fits to a program that writes it all back, before anything is read."""
    cat = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    cat.stdin.write(b"x" * 1_000_000)


def fill(queue):
    queue.put("x" * 1_000_000)


def joined():
    """The child can't end before its queue is read, and is joined first."""
    queue = multiprocessing.Queue()
    child = multiprocessing.Process(target=fill, args=(queue,))
    child.start()
    child.join()


def take(lock):
    lock.acquire()


def held():
    """The child waits for a lock that its parent holds while it waits for the child."""
    lock = multiprocessing.Lock()
    lock.acquire()
    child = multiprocessing.Process(target=take, args=(lock,))
    child.start()
    child.join()


async def unread():
    """A child's pipe is full, and only its end is awaited."""
    child = await asyncio.create_subprocess_exec("head", "-c", "8M", "/dev/zero", stdout=subprocess.PIPE)
    await child.wait()


def forked():
    """A fork copies a lock that another thread holds: in the child nobody is left to open it."""
    lock = threading.Lock()
    lock.acquire()
    child = os.fork()
    if child == 0:
        lock.acquire()
    os.waitpid(child, 0)


def condition():
    """Workers wait for a condition that nobody notifies, and are joined."""
    never = threading.Condition()

    def work():
        with never:
            never.wait()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def event():
    """An event with a limit of a quarter of an hour."""
    threading.Event().wait(900)


async def both():
    """Reads stdin, and a timer of a quarter of an hour runs."""
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(asyncio.Protocol, sys.stdin)
    await asyncio.sleep(900)


def shared():
    """A lock of a file that the parent holds while it waits for its child, who wants it."""
    mine = open(f"{folder}/lock", "w")
    fcntl.flock(mine, fcntl.LOCK_EX)
    child = os.fork()
    if child == 0:
        fcntl.flock(open(f"{folder}/lock", "w"), fcntl.LOCK_EX)
    os.waitpid(child, 0)


def backoff():
    """Tries again, and waits longer each time."""
    import socket

    pause = 0.1
    while True:
        try:
            socket.create_connection(("127.0.0.1", 1))
        except OSError:
            time.sleep(pause)
            pause = min(pause * 1.5, 2)


def crunch(_):
    total = 0
    while True:
        total += 1


def pool():
    """A pool computes while the parent waits for it without a limit."""
    with multiprocessing.Pool(1) as workers:
        workers.map(crunch, [0])


chosen = {one.__name__: one for one in (echo, joined, held, unread, forked, condition, event, both, shared, backoff, pool)}
done = chosen[way]()
if asyncio.iscoroutine(done):
    asyncio.run(done)
