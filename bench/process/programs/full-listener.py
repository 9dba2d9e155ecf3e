# Listens with a backlog of nothing, and fills it: whoever connects now gets no answer. Says its port.
import socket
import time

listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(0)
port = listener.getsockname()[1]
waiting = []
for _ in range(3):
    client = socket.socket()
    client.setblocking(False)
    try:
        client.connect(("127.0.0.1", port))
    except BlockingIOError:
        pass
    waiting.append(client)
time.sleep(0.3)
print("ready", port, flush=True)
time.sleep(1000)
