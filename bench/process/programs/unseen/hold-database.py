# Holds a database exclusively: `hold-database.py FILE`.
import sqlite3
import sys
import time

database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("create table notes (note)")
database.execute("begin exclusive")
print("ready", flush=True)
time.sleep(1000)
