"""Questions of the prompt kits of Python: `kit.py KIT KIND`."""
import sys

kit, kind = sys.argv[1:3]
if kit == "ptk":
    from prompt_toolkit import prompt
    from prompt_toolkit.shortcuts import input_dialog, radiolist_dialog, yes_no_dialog

    answer = {
        "text": lambda: prompt("Pick? "),
        "masked": lambda: prompt("Passphrase: ", is_password=True),
        "dialog": lambda: yes_no_dialog(title="Pick", text="Go on?").run(),
        "radio": lambda: radiolist_dialog(title="Pick", values=[(1, "one"), (2, "two")]).run(),
        "box": lambda: input_dialog(title="Pick", text="Name?").run(),
    }[kind]()
elif kit == "rich":
    from rich.prompt import Confirm, Prompt

    answer = Confirm.ask("Pick") if kind == "confirm" else Prompt.ask("Pick", choices=["one", "two"])
elif kit == "click":
    import click

    answer = {
        "text": lambda: click.prompt("Pick"),
        "confirm": lambda: click.confirm("Pick"),
        "password": lambda: click.prompt("Password", hide_input=True),
        "key": lambda: click.getchar(),
        "pause": lambda: click.pause(),
    }[kind]()
else:
    # A box that hides its echo by itself: the terminal is raw, and each key shows as nothing.
    import termios
    import tty

    before = termios.tcgetattr(0)
    tty.setcbreak(0)
    print("Token: ", end="", flush=True)
    answer = ""
    while (key := sys.stdin.read(1)) not in "\r\n":
        answer += key
        if kind == "masked":
            print("•", end="", flush=True)
    termios.tcsetattr(0, termios.TCSADRAIN, before)
print(f"\ngot:{answer}")
