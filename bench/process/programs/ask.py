# Asks a person: `input`, `getpass` on the terminal, `asyncio` on a pipe, `child`: leaves it to `cat`, `thread`: in a thread.
import asyncio
import getpass
import subprocess
import sys
import threading


async def read_line():
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    await reader.readline()


def in_thread():
    thread = threading.Thread(target=sys.stdin.readline)
    thread.start()
    thread.join()


{
    "input": lambda: input("Continue? [y/N] "),
    "getpass": getpass.getpass,
    "asyncio": lambda: asyncio.run(read_line()),
    "child": lambda: subprocess.run(["cat"]),
    "thread": in_thread,
}[sys.argv[1]]()
