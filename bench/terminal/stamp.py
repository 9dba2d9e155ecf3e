# Sleeps so many ms, and writes as its last act when it ended: the clock of performance.now(), ns.
import os, sys, time

file = os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT, 0o666)
time.sleep(int(sys.argv[1]) / 1000)
os.write(file, str(time.monotonic_ns()).encode())
os._exit(0)
