# SPDX-License-Identifier: MIT
"""What a file of runs holds, by another reader than ours, and what must not have been lost from it;
for the tests that kill programs."""
import hashlib
import os
import sqlite3
from typing import NamedTuple


class Row(NamedTuple):
    status: str
    step: int
    sweep: str
    content: str  # of a run that is finished, all its samples in brief; "" of others


def content(database, run):
    """All samples of a run in brief."""
    brief = hashlib.sha256()
    for row in database.execute(
            "SELECT c.name, b.position, b.n, b.first, b.stride, b.data FROM block AS b"
            " JOIN channel AS c ON c.run = b.run AND c.number = b.channel WHERE b.run = ?"
            " ORDER BY c.name, b.position", (run,)):
        brief.update(repr(row[:-1]).encode() + row[-1])
    return brief.hexdigest()


def rows(path):
    """uuid -> Row; empty before the file is there and has its tables."""
    if not os.path.exists(path):
        return {}
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=60)
    try:
        if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'run'").fetchone():
            return {}
        return {uuid: Row(status, step, sweep,
                          content(database, run) if status == "finished" else "")
                for run, uuid, status, step, sweep in database.execute(
                    "SELECT id, uuid, status, step, sweep FROM run").fetchall()}
    finally:
        database.close()


def remove(path):
    """A file of runs with what readers leave beside it."""
    for end in ("", "-wal", "-shm", "-journal"):
        if os.path.exists(path + end):
            os.remove(path + end)


def losses(path, before):
    """What is wrong with a file after a kill, and what it had before and has no more, in words."""
    if not os.path.exists(path):
        return [f"{path}: gone"] if before else []
    database = sqlite3.connect(path, timeout=60)
    try:
        whole = database.execute("PRAGMA integrity_check").fetchone()[0]
    except sqlite3.Error as error:
        whole = str(error)
    finally:
        database.close()
    if whole != "ok":
        return [f"{path}: not whole: {whole}"]
    now = rows(path)
    wrong = []
    for uuid, row in before.items():
        if uuid not in now:
            wrong.append(f"{uuid}: not there any more")
        elif row.status == "finished" and now[uuid] != row:
            wrong.append(f"{uuid}: {row} became {now[uuid]}")
    return wrong
