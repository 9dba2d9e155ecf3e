# Runs a command with a stdin that is held open and never written, and says its pid.
import subprocess
import sys
import time

child = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE)
print("ready", child.pid, flush=True)
time.sleep(1000)
