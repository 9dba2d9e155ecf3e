# asyncio with a handler of a signal, and nothing else: `handler.py NUMBER FOLDER`.
import asyncio
import os
import sys


async def main():
    told = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(int(sys.argv[1]), told.set)
    with open(f"{sys.argv[2]}/pid.new", "w") as file:
        file.write(str(os.getpid()))
    os.rename(f"{sys.argv[2]}/pid.new", f"{sys.argv[2]}/pid")
    await told.wait()


asyncio.run(main())
print("went on", flush=True)
