# Accepts one connection, reads nothing, and takes its own link down 1 s later.
import socket
import subprocess
import time

listener = socket.socket()
listener.bind(("10.9.0.2", 80))
listener.listen(5)
accepted = listener.accept()
time.sleep(1)
subprocess.run(["ip", "link", "set", "far", "down"], check=True)
time.sleep(1000)
