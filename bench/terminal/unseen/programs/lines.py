"""REPLs of nobody in Python: `lines.py KIND PROMPT CONTINUATION`. Plain lines, cmd.Cmd, or prompt_toolkit."""
import cmd
import re
import sys
import time

kind, prompt, more = sys.argv[1:4]


def read_more():
    while read(more) != "end":
        pass


def obey(line):
    found = re.match(r"(\d+)\*(\d+)", line)
    if found:
        print(int(found[1]) * int(found[2]))
    elif line in ("run", "fake"):
        print("now", prompt if line == "fake" else "", sep="\n", end="", flush=True)
        time.sleep(60)
        print("over")
    elif line in ("ask", "same"):
        print("Name? " if line == "ask" else prompt, end="", flush=True)
        print("got:" + sys.stdin.readline(), end="")
    elif line == "more":
        read_more()
        print(5183)


if kind == "plain":

    def read(text):
        print(text, end="", flush=True)
        return sys.stdin.readline().rstrip("\n")

    while True:
        obey(read(prompt))
elif kind == "cmd":
    read = input

    class Shop(cmd.Cmd):
        def default(self, line):
            obey(line)

    Shop.prompt = prompt
    Shop().cmdloop()
else:
    from prompt_toolkit import PromptSession

    session = PromptSession()
    read = session.prompt
    while True:
        obey(session.prompt(prompt))
