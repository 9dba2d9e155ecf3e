# A client: `connect` HOST PORT only; `get` URL reads all that comes; `udp` waits for a datagram; against a peer that vanishes
# 1 s after the connection: `late` sends after that, `keepalive` probes, `silent` does neither, `full` fills its window.
import socket
import sys
import time
import urllib.request

way, *rest = sys.argv[1:]


def connected():
    return socket.create_connection((rest[0], int(rest[1])))


if way == "connect":
    connected()
elif way == "get":
    answer = urllib.request.urlopen(rest[0])
    while answer.read1(65536):
        pass
elif way == "udp":
    waiting = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    waiting.bind(("127.0.0.1", 0))
    waiting.recv(100)
elif way == "late":
    peer = connected()
    time.sleep(2)
    peer.sendall(b"GET /slow\r\n")
    peer.recv(10)
elif way == "keepalive":
    peer = connected()
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 1)
    peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 1)
    peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 60)
    peer.sendall(b"GET /slow\r\n")
    peer.recv(10)
elif way == "silent":
    peer = connected()
    peer.sendall(b"GET /slow\r\n")
    peer.recv(10)
elif way == "full":
    peer = connected()
    while True:
        peer.sendall(b"x" * 100000)
