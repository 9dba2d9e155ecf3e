# What somebody outside of the tree does, 28 s after a program has told its pid: `outsider.py DEED FOLDER [MORE]`.
# What has to be there before is made first, and said by `ready VALUE`.
import ctypes
import fcntl
import mmap
import os
import pty
import signal
import socket
import struct
import subprocess
import sys
import time

deed, folder, more = sys.argv[1], sys.argv[2], sys.argv[3:]
libc = ctypes.CDLL(None, use_errno=True)
futex, process_vm_writev = 202, 311


def file(name):
    return os.path.join(folder, name)


def write(path, text):
    with open(path, "w") as one:
        one.write(str(text))


def prepare():
    """What is there from the start on, and the word to be said of it."""
    global held
    held, said = None, ""
    if deed in ("fifo", "hold-fifo"):
        os.mkfifo(file("fifo"))
        held = os.open(file("fifo"), os.O_RDWR) if deed == "hold-fifo" else None
    elif deed in ("accept", "accept-late", "answer"):
        held = socket.socket(socket.AF_UNIX)
        held.bind(file("socket"))
        held.listen()
    elif deed == "robust":
        held = robust_mutex()
    elif deed == "modify":
        write(file("watched"), "")
    elif deed in ("use-memory", "join-group"):
        kind = "memory" if deed == "use-memory" else "unified"
        held = f"/sys/fs/cgroup/{kind}/lull-bench-{os.getpid()}"
        os.mkdir(held)
        write(file("group"), held)
    elif deed == "exit":
        said = os.getpid()
    elif deed == "terminal":
        held, other = pty.openpty()
        said = os.ttyname(other)
        os.close(other)
    elif deed in ("unlock", "unlock-description", "unlock-inherited"):
        held = open(file("lock"), "w")
        if deed == "unlock-description":
            fcntl.fcntl(held, 37, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0))
        elif deed == "unlock":
            fcntl.flock(held, fcntl.LOCK_EX)
        elif os.fork() == 0:
            # Whom /proc/locks names is gone; the lock is the description's.
            fcntl.flock(held, fcntl.LOCK_EX)
            os._exit(0)
        else:
            os.wait()
    elif deed == "file-system":
        os.mkdir(file("mount"))
        held = os.open("/dev/fuse", os.O_RDWR)
        options = f"fd={held},rootmode=40000,user_id=0,group_id=0".encode()
        if libc.mount(b"late", file("mount").encode(), b"fuse.late", 0, options):
            raise OSError(ctypes.get_errno(), "mount")
        said = os.getpid()
    print("ready", said, flush=True)


def robust_mutex():
    memory = shared(os.open(file("shared"), os.O_RDWR | os.O_CREAT), 4096)
    threads = ctypes.CDLL("libpthread.so.0")
    how = ctypes.create_string_buffer(64)
    threads.pthread_mutexattr_init(how)
    threads.pthread_mutexattr_setpshared(how, 1)
    threads.pthread_mutexattr_setrobust(how, 1)
    mutex = ctypes.byref(ctypes.c_char.from_buffer(memory))
    threads.pthread_mutex_init(mutex, how)
    threads.pthread_mutex_lock(mutex)
    return memory


def shared(fd, size):
    os.ftruncate(fd, size)
    return mmap.mmap(fd, size)


def wake(fd):
    memory = shared(fd, 4096)
    memory[0:4] = struct.pack("I", 1)
    libc.syscall(futex, ctypes.byref(ctypes.c_char.from_buffer(memory)), 1, 1, None, None, 0)


def at_once(pid):
    """What happens as soon as the program runs."""
    global held
    if deed == "accept":
        held = held.accept()[0]
        held = receive(held)
    elif deed == "answer":
        held = held.accept()[0]
    elif deed in ("thaw", "thaw-v1"):
        held = f"/sys/fs/cgroup/{'unified' if deed == 'thaw' else 'freezer'}/lull-bench-{os.getpid()}"
        os.mkdir(held)
        write(f"{held}/cgroup.procs", pid)
        freeze(True)
    elif deed in ("detach", "poke"):
        # PTRACE_ATTACH stops it, PTRACE_SEIZE lets it run.
        trace(16 if deed == "detach" else 0x4206, pid)


def freeze(is_frozen):
    if deed == "thaw":
        write(f"{held}/cgroup.freeze", int(is_frozen))
    else:
        write(f"{held}/freezer.state", "FROZEN" if is_frozen else "THAWED")


def trace(request, pid, address=0, data=0):
    libc.ptrace.argtypes = [ctypes.c_long] * 4
    if libc.ptrace(request, pid, address, data):
        raise OSError(ctypes.get_errno(), "ptrace")


def receive(connection):
    """The descriptor that was handed over, and the bytes before it."""
    before = connection.recv(8) if more == ["page"] else b""
    _, fds, _, _ = socket.recv_fds(connection, 1, 1)
    return fds[0], before


def use(fd, before):
    kind = more[0]
    if kind == "number":
        os.write(fd, struct.pack("Q", 1))
    elif kind == "unlock":
        fcntl.flock(fd, fcntl.LOCK_UN)
    elif kind == "memory":
        wake(fd)
    elif kind == "page":
        fcntl.ioctl(fd, 0xC020AA04, struct.pack("QQQq", struct.unpack("Q", before)[0], 4096, 0, 0))
    elif kind == "call":
        asked = bytearray(80)
        fcntl.ioctl(fd, 0xC0502100, asked)
        fcntl.ioctl(fd, 0xC0182101, struct.pack("QqiI", struct.unpack_from("Q", asked)[0], 7, 0, 0))


def later(pid):
    if deed == "signal":
        os.kill(pid, int(more[0]))
    elif deed in ("fifo", "hold-fifo"):
        fd = os.open(file("fifo"), os.O_WRONLY) if held is None else held
        os.write(fd, b"x")
        time.sleep(2)
    elif deed == "accept":
        use(*held)
    elif deed == "accept-late":
        use(*receive(held.accept()[0]))
    elif deed == "answer":
        held.send(b"x")
    elif deed == "word":
        wake(os.open(file("shared"), os.O_RDWR))
    elif deed == "memory":
        fds = [f"/proc/{pid}/fd/{fd}" for fd in os.listdir(f"/proc/{pid}/fd")]
        wake(os.open(next(fd for fd in fds if "memfd:shared" in os.readlink(fd)), os.O_RDWR))
    elif deed == "semaphore":
        libc.sem_open.restype = ctypes.c_void_p
        libc.sem_post(ctypes.c_void_p(libc.sem_open(f"/lull-bench-{pid}".encode(), 0)))
    elif deed == "message":
        libc.mq_send(libc.mq_open(f"/lull-bench-{pid}".encode(), os.O_WRONLY), b"x", 1, 0)
    elif deed == "sysv-message":
        libc.msgsnd(libc.msgget(pid, 0), struct.pack("q8s", 1, b"x"), 1, 0)
    elif deed == "sysv-up":
        libc.semop(libc.semget(pid, 1, 0), struct.pack("Hhh", 0, 1, 0), 1)
    elif deed == "datagram":
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"x", f"\0lull-bench-{pid}")
    elif deed == "create":
        write(file("created"), "")
    elif deed == "modify":
        write(file("watched"), "x")
    elif deed == "open":
        try:
            os.open(file("leased"), os.O_WRONLY | os.O_NONBLOCK)
        except BlockingIOError:
            pass
    elif deed == "netlink":
        try:
            socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 2).sendto(b"x", (0, 1 << 7))
        except ConnectionRefusedError:
            pass  # It reached the group; port 0 is the kernel, which listens to nobody.
    elif deed in ("use-memory", "join-group"):
        use_up = f"echo $$ > {held}/cgroup.procs; exec python3 -c 'import time; x = b\"x\" * 33554432; time.sleep(1)'"
        subprocess.run(["sh", "-c", use_up])
        os.rmdir(held)
    elif deed == "mount":
        os.mkdir(file("mount"))
        subprocess.run(["mount", "-t", "tmpfs", "lull-bench", file("mount")], check=True)
        subprocess.run(["umount", file("mount")], check=True)
    elif deed == "log":
        write("/dev/kmsg", "lull-bench: a line for whoever waits for one\n")
    elif deed == "terminal":
        os.write(held, b"x\n")
        time.sleep(2)
    elif deed == "unlock-description":
        fcntl.fcntl(held, 37, struct.pack("hhqqi4x", fcntl.F_UNLCK, 0, 0, 0, 0))
    elif deed in ("unlock", "unlock-inherited"):
        fcntl.flock(held, fcntl.LOCK_UN)
    elif deed in ("thaw", "thaw-v1"):
        freeze(False)
        write(f"/sys/fs/cgroup/{'unified' if deed == 'thaw' else 'freezer'}/cgroup.procs", pid)
        os.rmdir(held)
    elif deed == "detach":
        os.waitpid(pid, 0)
        trace(17, pid)
    elif deed == "poke":
        trace(0x4207, pid)
        os.waitpid(pid, 0)
        trace(5, pid, int(open(file("word")).read()), 1)
        trace(17, pid)
    elif deed == "write-memory":
        one = ctypes.c_uint64(1)
        here = struct.pack("QQ", ctypes.addressof(one), 4)
        there = struct.pack("QQ", int(open(file("word")).read()), 4)
        libc.syscall(process_vm_writev, pid, here, 1, there, 1, 0)
        # Whoever is stopped and continued looks at its word anew.
        os.kill(pid, signal.SIGSTOP)
        time.sleep(0.1)
        os.kill(pid, signal.SIGCONT)
    elif deed == "file-system":
        os.close(held)
        libc.umount2(file("mount").encode(), 2)


prepare()
while not os.path.exists(file("pid")):
    time.sleep(0.05)
pid = int(open(file("pid")).read())
at_once(pid)
time.sleep(28)
later(pid)
# `exit` and `robust` are over by ending, at once: Python would unmap the mutex before the kernel has told of its owner.
os._exit(0)
