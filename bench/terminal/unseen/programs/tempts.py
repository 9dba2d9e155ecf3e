"""Programs that look ready and are not: `tempts.py KIND`. Each would print `over` after a minute."""
import os
import select
import sys
import termios
import threading
import time
import tty

kind = sys.argv[1]
say = lambda text: (sys.stdout.write(text), sys.stdout.flush())
prompt = "dev@box:~# "
say("now\n")
if kind == "raw":  # As a game does: the terminal is raw, nobody reads it.
    tty.setcbreak(0)
    say(prompt)
elif kind == "marks":  # A replayed log holds the marks of a shell's prompt.
    say("\x1b]133;D;0\x07\x1b]133;A\x07" + prompt + "\x1b]133;B\x07\x1b[?2004h")
elif kind == "marks vscode":
    say("\x1b]633;A\x07" + prompt + "\x1b]633;B\x07\x1b[?2004h")
elif kind == "line editor":  # The library that edits lines is loaded, and its history is filled.
    import readline

    readline.add_history("x")
    say(prompt)
elif kind == "echo off":
    settings = termios.tcgetattr(0)
    settings[3] &= ~termios.ECHO
    termios.tcsetattr(0, termios.TCSADRAIN, settings)
    say("Password: ")
elif kind == "ticks":  # Wakes ten times a second, asks whether a key waits, and takes none.
    tty.setcbreak(0)
    say(prompt)
    for _ in range(600):
        select.select([0], [], [], 0)
        time.sleep(0.1)
elif kind == "thread":  # A thread computes while the first sleeps.
    threading.Thread(target=lambda: [None for _ in iter(int, 1)], daemon=True).start()
    say(">>> ")
elif kind == "pipe":  # Waits for another program's answer.
    inner, outer = os.pipe()
    say("$ ")
    threading.Timer(60, lambda: os.write(outer, b"x")).start()
    os.read(inner, 1)
elif kind == "lock":
    import fcntl

    say("(lock) ")
    holder = open(sys.argv[2], "w")
    fcntl.flock(holder, fcntl.LOCK_EX)
elif kind == "child":
    say("> ")
    os.system("sleep 60")
elif kind == "pager":
    say("line 1\n(END)")
elif kind == "more":
    say("--More--(20%)")
elif kind == "question":
    say("Proceed? [Y/n] ")
elif kind == "clears":
    say("\x1b[2J\x1b[H" + prompt)
    say("\x1b[2;1Hnow")
    say("\x1b[1;12H")
elif kind == "drawn":  # A frame is drawn around an input box that nobody reads yet.
    say("╭──────╮\n│ >    │\n╰──────╯\x1b[1A\x1b[3G")
time.sleep(60)
say("over\n")
