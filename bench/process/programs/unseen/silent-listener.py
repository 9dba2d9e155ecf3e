# Takes connections and never says a word: `ready PORT`.
import socket
import time

listener = socket.create_server(("127.0.0.1", 0))
print("ready", listener.getsockname()[1], flush=True)
taken = []
while True:
    taken.append(listener.accept())
    time.sleep(0.01)
