#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""sluice-cli from outside: commands, files, exit codes, signals.  Arguments: the program."""

import ast
import json
import os
import pty
import random
import re
import shlex
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import zlib

from common import PATIENCE, read, rows, run_tests, runner

PROGRAM = os.path.abspath(sys.argv[1])
COMMANDS = ("run", "sweep", "runs", "labs", "data", "trace", "plot", "replay", "info", "validate", "worksheet", "answers",
            "figures", "capacity")
# Small and quick, also where every access is checked.
SMALL = ["--data", "moons", "--set", "hidden=12-8", "--set", "batch=10", "--threads", "1"]
cli = runner(PROGRAM)


def test_help():
    overview = cli("--help").stdout
    for command in COMMANDS:
        assert command in overview, command
        text = cli(command, "--help").stdout
        assert text.startswith(f"Usage:\n  sluice-cli {command}"), text
        assert command == "info" or "Example" in text, command
        assert max(map(len, text.splitlines())) <= 100, command
    assert "sluice-cli" in cli("--version").stdout
    assert "Usage" in cli(code=2).stderr


def test_usage():
    for words, hint in (
            ("rums", "runs"),
            ("run --step 5", "--steps"),
            ("run sign-estimate", "sign-estimator"),
            ("run a b", "not expected"),
            ("run --set ranks=3", "rank"),
            ("run --set rank", "id=value"),
            ("run experts --preset colapse", "collapse"),
            ("run --set theta=9", "from -2 to 2"),
            ("run --steps -1", "must be above 0"),
            ("run --steps 0", "must be above 0"),
            ("run --epochs 0", "must be above 0"),
            ("run --seconds nan", "must be above 0"),
            ("sweep experts --axis k=1,2 --steps 0", "must be above 0"),
            ("run --data moons --data spirals --steps 1", "only a sweep"),
            ("run --threads -1", "at least 0"),
            ("run --at 5:hidden=3", "new weights"),
            ("run --at 5,rank=3", "STEP:id=value"),
            ("run --plot eror=x.svg", "error"),
            ("run --plot error=x.jpg", ".svg"),
            ("run --plot error", "PANEL=FILE"),
            ("run --data moonz", "moons"),
            ("run --page colum --plot error=x.svg", "column"),
            ("run --csv - --json -", "standard output"),
            ("run selective-execution --steps 1 --network - --csv -", "--network can go"),
            ("run style --steps 1 --picture -", "need a file"),
            ("run experts --steps 1 --recording -", "need a file"),
            ("data routing --recording -", "needs a file"),
            ("run --csv=", "a name"),
            ("run --plot error=x.svg --size 1x1", "10 to 2000"),
            ("run --plot error=x.png --dpi 1e9", "20 to 2400"),
            ("run --plot error=x.png --dpi -3", "20 to 2400"),
            ("run --plot error=x.png --dpi nan", "20 to 2400"),
            ("run --steps 1 --plot error=x.png --dpi 0", "20 to 2400"),
            ("run --steps 1 --plot error=x.svg --type 0", "2 to 100"),
            ("run --steps 1 --plot error=x.svg --line 0", "0.05 to 20"),
            ("run --out x --size 2000x2000 --dpi 2400", "million pixels"),
            ("plot", "no file is given"),
            ("replay", "no file is given")):
        complaint = cli(*words.split(), code=2).stderr
        assert hint in complaint, (words, complaint)


def test_files_that_fail():
    for words in (["run", *SMALL, "--csv", "no/such/folder.csv"], ["replay", "nothing.svg"],
                  ["plot", "nothing.json", "error=e.svg"]):
        assert "no" in cli(*words, code=1).stderr, words
    with open("/dev/full", "w", encoding="utf-8") as full:
        run = subprocess.run([PROGRAM, "labs"], stdout=full, stderr=subprocess.PIPE, text=True,
                             timeout=PATIENCE, check=False)
    assert run.returncode == 1 and "could not be written" in run.stderr, run


def test_device_in_closed_folder():
    """Writing through it needs no right to make files beside it."""
    os.mkdir("closed")
    os.symlink("/dev/null", "closed/null")
    os.chmod("closed", 0o555)
    # The superuser may write everywhere unless this right is taken away.
    less = ["setpriv", "--bounding-set=-dac_override"] if os.geteuid() == 0 else []
    for name, code in (("null", 0), ("table.csv", 1)):
        run = subprocess.run([*less, PROGRAM, "run", *SMALL, "--steps", "2", "--csv",
                              f"closed/{name}"], capture_output=True, text=True,
                             timeout=PATIENCE, check=False)
        assert run.returncode == code, (name, run.returncode, run.stderr)
    os.chmod("closed", 0o755)


def test_replaced_file():
    """What replaces a file stays as private, and where a link leads to."""
    os.mkdir("kept")
    with open("kept/private.csv", "w", encoding="utf-8") as old:
        old.write("old")
    os.chmod("kept/private.csv", 0o600)
    os.symlink("kept/private.csv", "link.csv")
    cli("run", *SMALL, "--steps", "2", "--csv", "link.csv")
    assert os.path.islink("link.csv")
    assert rows(read("kept/private.csv").decode())
    assert os.stat("kept/private.csv").st_mode & 0o777 == 0o600


def test_table():
    run = cli("run", *SMALL, "--steps", "50", "--set", "report-every=5", "--csv", "-")
    table = rows(run.stdout)
    assert [int(row["step"]) for row in table] == [1, *range(5, 51, 5)], table
    assert "validation" in run.stderr and "validation" not in run.stdout
    losses = [float(row["loss.train"]) for row in table]
    assert all(0 < loss < 100 for loss in losses), losses
    assert "validation" in cli("run", *SMALL, "--steps", "5").stdout


def test_network_alone():
    """A network on the standard output has it for itself."""
    run = cli("run", "selective-execution", "--steps", "2", "-q", "--network", "-")
    assert json.loads(run.stdout) and "test" in run.stderr, run


def test_scores_in_columns():
    """Also of titles with other letters than those of ASCII."""
    lines = cli("run", "experts", "--data", "moons", "--steps", "2", "-q").stdout.splitlines()
    ends = {re.match(r".* +\d+\.\d{4} +\d+\.\d{4}(?= )", line).end() for line in lines[1:]}
    assert ends == {len(lines[0])} and any("\u00f7" in line for line in lines), lines


def test_repeats():
    words = ["run", *SMALL, "--steps", "200", "--csv", "-"]
    first = cli(*words).stdout
    assert cli(*words).stdout == first
    assert cli(*words, env=dict(os.environ, LC_ALL="de_DE.UTF-8")).stdout == first
    assert cli(*words, "--seed", "2").stdout != first
    cli(*words[:-1], "whole.csv")
    assert read("whole.csv").decode() == first


def test_limits():
    # 800 training examples in batches of 10: 80 updates an epoch.
    words = ["run", *SMALL, "--set", "report-every=1", "--csv", "-"]
    table = rows(cli(*words, "--epochs", "1.5").stdout)
    assert int(table[-1]["step"]) == 120, table[-1]
    table = rows(cli(*words, "--epochs", "2", "--steps", "7").stdout)
    assert int(table[-1]["step"]) == 7, table[-1]
    assert "before 1 of its changes" in cli(*words, "--steps", "7", "--at", "7:rank=1").stderr
    cli("run", *SMALL, "--seconds", "0.2")


def test_batch_beyond_the_data():
    """Told once, and only where an update repeats examples."""
    few = ["run", "experts", "--data", "moons:points=60", "--steps", "4", "--set"]
    told = cli(*few, "batch=61").stderr
    found = re.findall(r"batch is 61, but there are (\d+) examples", told)
    assert len(found) == 1 and 0 < int(found[0]) < 61, told
    for batch in (found[0], str(int(found[0]) - 1)):
        assert "batch is" not in cli(*few, f"batch={batch}").stderr, batch
    assert f"batch is {int(found[0]) + 1}" in cli(*few, f"batch={int(found[0]) + 1}").stderr
    assert "batch is" not in cli(*few, "batch=61", "-q").stderr


def test_changes_and_replay():
    cli("run", *SMALL, "--steps", "300", "--set", "report-every=10", "--at", "100:rank=1",
        "--at", "2.5e:rank=4-3", "--csv", "a.csv", "--json", "a.json", "--plot", "error=a.svg",
        "--plot", "rank-used,error=a.png", "--plot", "all=a.pdf", "--plot", "rank-used=panel.csv")
    ranks = {int(row["step"]): (row["rank-used.rank.1"], row["rank-used.rank.2"])
             for row in rows(read("a.csv").decode())}
    assert ranks[100] != ("1", "1") and ranks[110] == ("1", "1"), ranks
    assert ranks[200] == ("1", "1") and ranks[210] == ("2", "3"), ranks
    document = json.loads(read("a.json"))
    changes = document["recipe"]["changes"]
    assert [change["step"] for change in changes] == [100, 200], changes
    assert len(document["flags"]) == 2, document["flags"]
    assert {int(row["step"]) for row in rows(read("panel.csv").decode())} == set(ranks)
    for name in ("a.json", "a.svg", "a.png", "a.pdf"):
        cli("replay", name, "--csv", "b.csv", "-q")
        assert read("b.csv") == read("a.csv"), name
        recipe = json.loads(cli("plot", name, "--recipe").stdout)
        assert recipe["lab"] == "sign-estimator" and recipe["step"] == 300, recipe
    assert "hash" in cli("replay", "a.svg", "--data", "moons:seed=2", code=1).stderr


def test_plot():
    cli("run", *SMALL, "--steps", "60", "--json", "p.json", "--plot", "error,density=p.svg",
        "--plot", "spectrum=s.svg", "--page", "column")
    cli("plot", "p.json", "error,density=q.svg", "spectrum=t.svg", "spectrum=t.csv", "all=all.png",
        "--page", "column")
    assert read("p.svg") == read("q.svg") and read("s.svg") == read("t.svg")
    assert b"<text" in read("p.svg")
    assert read("all.png").startswith(b"\x89PNG")
    assert len(rows(read("t.csv").decode())) >= 2
    cli("plot", "p.json", "error=wide.svg", "--size", "200x50")
    assert re.search(rb'width="200(\.0*)?mm" height="50(\.0*)?mm"', read("wide.svg"))
    assert "error" in cli("plot", "p.json", "eror=x.svg", code=2).stderr


def test_curves_of_others():
    """Runs out of a store as event files and as one table, and these drawn with a table of another program."""
    cli("run", *SMALL, "--steps", "60", "--store", "curves.sluice", "--json", "c.json", "--csv", "c.csv")
    cli("runs", "curves.sluice", "export", "--wide", "wide.csv", "--events", "events")
    (folder,) = os.listdir("events")
    (name,) = os.listdir(os.path.join("events", folder))
    event_file = os.path.join("events", folder, name)
    wide = rows(read("wide.csv").decode())
    assert [{name.split("/", 1)[-1]: cell for name, cell in row.items()} for row in wide] == rows(read("c.csv").decode())
    with open("other.csv", "w") as file:
        file.write("epoch;eval/error\r\n1;60\r\n50;\r\n60;40\r\n")
    cli("plot", "c.json", "error.train,eval/error=curves.svg", "--with", event_file, "--with", "other.csv")
    for words in (folder, "other.csv", "c.json"):
        assert words.encode() in read("curves.svg")
    cli("plot", event_file, "error.train=one.svg")
    assert "error/train" in cli("plot", event_file, "eror=x.svg", code=2).stderr
    assert "is a store" in cli("plot", "c.json", "error.train=x.svg", "--with", "curves.sluice", code=2).stderr
    said = cli("plot", "events", "error.train=folder.svg", "--with", "other.csv").stderr
    assert folder in said and "over “epoch”" in said, said
    assert folder.encode() in read("folder.svg")
    with open("log.jsonl", "w") as file:
        file.write('{"step": 1, "loss": 2, "phase": "a"}\n{"step": 2, "loss": NaN}\n{"step": 3, "loss": 1}\n')
    assert "phase" in cli("plot", "log.jsonl", "loss=log.svg").stderr
    assert "log of a trainer, 1 curve over “step”" in cli("validate", "log.jsonl").stdout
    os.mkdir("nothing")
    assert "no event file" in cli("plot", "nothing", "a=x.svg", code=1).stderr
    whole = read(event_file)
    with open("cut.tfevents.1", "wb") as file:
        file.write(whole[:-5])
    assert "incomplete" in cli("plot", "cut.tfevents.1", "error.train=one.svg").stderr
    with open("wrong.tfevents.1", "wb") as file:
        file.write(whole[:-5] + b"\0" + whole[-4:])
    assert "check sum" in cli("plot", "wrong.tfevents.1", "error.train=one.svg", code=1).stderr


def test_capacity_of_a_table():
    """Features that say the same share what one has; a constant one has nothing; a model of two parameters has two."""
    with tempfile.TemporaryDirectory() as folder:
        table, model = os.path.join(folder, "t.csv"), os.path.join(folder, "m.csv")
        draw = random.Random(4)
        with open(table, "w", encoding="utf-8") as file:
            file.write("a,twice,other,still,class\n")
            for i in range(200):
                a = draw.gauss(0, 1)
                file.write(f"{a},{2 * a},{draw.gauss(0, 9)},3.3,{'xy'[i % 2]}\n")
        with open(model, "w", encoding="utf-8") as file:
            file.write("1,0\n0,0\n0,1\n0,0\n")
        spec = table + ":class=class"
        free = json.loads(cli("capacity", spec, "--json").stdout)
        shares = {feature["feature"]: feature["capacity"] for feature in free["features"]}
        assert free["independent"] == 2 and abs(free["total"] - 2) < 1e-9, free
        assert abs(shares["a"] - 0.5) < 1e-6 and abs(shares["twice"] - 0.5) < 1e-6 and shares["still"] == 0, shares
        raw = json.loads(cli("capacity", spec + ",standardise=no", "--json").stdout)
        assert raw["independent"] == 2 and raw["features"][3]["capacity"] == 0, raw
        ridge = json.loads(cli("capacity", spec, "--ridge", "1", "--json").stdout)
        assert 0 < ridge["total"] < 2 and ridge["metric"] == "whitened", ridge
        own = json.loads(cli("capacity", spec, "--model", model, "--json").stdout)
        assert own["parameters"] == 2 and abs(own["total"] - 2) < 1e-9, own
        for slope, hint in (("1e300", "at most 1e+100"), ("nan", "missing number")):
            with open(model, "w", encoding="utf-8") as file:
                file.write(f"1\n{slope}\n0\n0\n")
            assert hint in cli("capacity", spec, "--model", model, code=1).stderr, slope
        assert "effective degrees of freedom" in cli("capacity", spec, "--ridge", "1").stdout
        for words, hint in ((["--model", table], "one for each feature"), (["--ridge", "nan"], "ridge"),
                            (["--metric", "euclid"], "whitened"), (["--ridge", "1", "--metric", "weights"], "whitening")):
            assert hint in cli("capacity", spec, *words, code=1 if words[0] == "--model" else 2).stderr, words
        assert "at most 64" in cli("capacity", "digits:images=200", code=1).stderr


def test_cost_of_a_tree_on_the_input():
    """One matrix on the input costs what a dense layer does, a table of many as much, in counted and expected work."""
    for settings in (["k=0"], ["k=3", "weights=flat"], ["k=0", "bits=sampled", "gating-hidden=5"]):
        words = [word for setting in settings for word in ("--set", setting)]
        table = rows(cli("run", "prefix-tree", "--data", "digits:images=300", "--set", "on-input=yes", "--set", "units=8",
                         "--set", "report-every=5", *words, "--steps", "5", "-q", "--csv", "-").stdout)
        assert abs(float(table[-1]["cost.executed"]) - 100) < 1e-6, (settings, table[-1]["cost.executed"])
        assert abs(float(table[-1]["cost.expected"]) - 100) < 1e-6, (settings, table[-1]["cost.expected"])


def test_sweep_on_several_data():
    """Every setting is run on each of the data, and the table tells them apart."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["sweep", "prefix-tree", "--data", "moons:points=100", "--data", "spirals:points=100", "--axis", "k=1,2",
                 "--steps", "2", "--set", "hidden=4", "--set", "units=4", "-q", "--store", os.path.join(folder, "runs.sluice")]
        *table, said, front = cli(*words).stdout.splitlines()
        assert [sum(data in line for line in table) for data in ("moons:", "spirals:")] == [2, 2], table
        assert "front of moons:" in front, front
        printed = json.loads(cli(*words, "--json").stdout)
        for rows in (printed["runs"], printed["points"]):
            assert sorted(row["data"].split(":")[0] for row in rows) == 2 * ["moons"] + 2 * ["spirals"], rows
        with sqlite3.connect(os.path.join(folder, "runs.sluice")) as reader:
            data = [row[0].split(":")[0] for row in reader.execute("SELECT data FROM run")]
        assert sorted(data) == 2 * ["moons"] + 2 * ["spirals"], data


def test_sweeps_of_others():
    """A table of Optuna is a list and a trade-off; other columns can be its error and cost."""
    with open("optuna.csv", "w") as file:
        file.write("number,value,duration,params_k,state\n0,0.5,0 days 00:01:00,2,COMPLETE\n"
                   "1,0.25,0 days 00:02:00,4,COMPLETE\n2,,,8,FAIL\n")
    assert "column “value”" in cli("validate", "optuna.csv").stdout
    assert cli("runs", "optuna.csv").stdout.splitlines() == [
        "0  k 2: duration 60 s, value 0.5", "1  k 4: duration 120 s, value 0.25"]
    assert "1 unfinished" in cli("plot", "optuna.csv", "trade=trade.svg").stderr
    assert b"duration (s)" in read("trade.svg")
    cli("plot", "optuna.csv", "trade=trade.svg", "--x", "params_k")
    assert b"params_k" in read("trade.svg")
    assert "none" in cli("plot", "optuna.csv", "trade=x.svg", "--y", "none", code=1).stderr
    assert "trade=FILE" in cli("plot", "optuna.csv", "error=x.svg", code=2).stderr
    with open("other.csv", "w") as file:
        file.write("step,a\n0,1\n1,2\n")
    assert "not a store of runs" in cli("plot", "other.csv", "a=x.svg", "--y", "b", code=2).stderr


def test_resume():
    """What a run began with cannot be typed again; limits and changes from there on can."""
    small = ["--data", "moons", "--set", "report-every=1", "--threads", "1", "-q"]
    cli("run", "experts", *small, "--steps", "20", "--store", "resume.sluice")
    again = ["run", "--store", "resume.sluice", "--resume", "last", "--steps", "40", "-q"]
    for option, value in (("--set", "k=4"), ("--preset", "collapse"), ("--seed", "1"), ("--data", "xor"), ("--threads", "1")):
        refused = cli(*again, option, value, code=2).stderr
        assert f"{option} does not go with --resume" in refused, refused
    assert "one of experts, not of style" in cli(again[0], "style", *again[1:], code=2).stderr
    assert "from update 20" in cli(*again, "--at", "19:k=1", code=2).stderr
    assert "new weights" in cli(*again, "--at", "30:experts=8", code=2).stderr
    cli(again[0], "experts", *again[1:], "--at", "30:k=1", "--csv", "resumed.csv")
    cli("run", "experts", *small, "--steps", "40", "--at", "30:k=1", "--csv", "straight.csv")
    assert read("resumed.csv") == read("straight.csv")
    forgets = cli("run", "experts", *small, "--steps", "5", "--at", "4e:k=1", "--at", "9:k=1", "--store", "resume.sluice")
    assert "the change of k at epoch 4 is not stored" in forgets.stderr, forgets.stderr
    assert forgets.stderr.count("is not stored") == 1, forgets.stderr
    assert "no store" in cli("run", "--store", "none.sluice", "--resume", "last", code=1).stderr
    assert not os.path.exists("none.sluice")


def test_preset():
    """What is typed goes before what the preset says, and the rest is of the preset."""
    cli("run", "--preset", "quick", "--set", "hidden=9-7", "--data", "moons", "--steps", "3",
        "--json", "preset.json")
    settings = json.loads(read("preset.json"))["recipe"]["settings"]
    assert settings["hidden"] == [9, 7] and settings["refresh"] == 20, settings
    assert "collapse" in cli("info").stdout
    for lab in json.loads(cli("labs", "--json").stdout):
        assert lab["presets"], lab["id"]


def test_folder():
    cli("run", *SMALL, "--steps", "20", "--out", "deep/folder")
    panels = [panel["id"] for panel in json.loads(cli("labs", "--json").stdout)[0]["panels"]]
    wanted = {"run.csv", "run.json"} | {f"{panel}.{ending}" for panel in panels
                                        for ending in ("svg", "png")}
    assert set(os.listdir("deep/folder")) == wanted


def test_picture():
    # The picture that a run makes is content for the next one, whatever it is called, and brings
    # its own run back.
    small = ["--steps", "2", "--threads", "1", "-q"]
    cli("run", "style", "--data", "pictures:size=24,style=mosaic", *small, "--picture", "a, b=1.png")
    told = cli("data", "pictures:size=20,content-file=a%2C b=1.png").stdout
    assert "a, b=1.png" in told and "20 × 15 pixels" in told, told
    cli("run", "style", "--data", "pictures:content-file=a%2C b=1.png,size=24", *small,
        "--out", "formed")
    assert read("formed/formed.png").startswith(b"\x89PNG")
    cli("replay", "formed/formed.png", "-q", "--picture", "again.png")
    assert read("again.png") == read("formed/formed.png")
    recipe = json.loads(read("formed/run.json"))["recipe"]
    assert "a%2C b=1.png" in recipe["data"], recipe
    with open("cut.png", "wb") as cut:
        cut.write(read("again.png")[:200])
    told = cli("data", "pictures:style-file=cut.png", code=1).stderr
    assert "cut.png, byte 200" in told, told
    assert "--picture does not go with" in cli("run", *SMALL, "--picture", "x.png", code=2).stderr
    assert "pictures:content-file=" in cli("run", "--data", "again.png", code=1).stderr


def test_divergence():
    # A weight decay of 1 at a rate of 10 multiplies every weight by -9 in each update.
    run = cli("run", *SMALL, "--set", "optimiser=sgd", "--set", "learning-rate=10", "--set",
              "weight-decay=1", "--set", "report-every=1", "--csv", "d.csv", "--json", "d.json",
              "--plot", "error=d.svg", code=3)
    assert re.search(r"step \d+", run.stderr), run.stderr
    table = rows(read("d.csv").decode())
    assert table and json.loads(read("d.json"))["recipe"]["step"] >= len(table)
    cli("replay", "d.svg", "--csv", "e.csv", code=3)
    assert read("e.csv") == read("d.csv")
    # Here the weights are no numbers either, and panels that need them say which they are.
    run = cli("run", *SMALL, "--set", "hidden=6", "--set", "optimiser=momentum", "--set",
              "learning-rate=10", "--set", "weight-decay=1", "--json", "w.json", code=3)
    assert "the panel spectrum" in run.stderr, run.stderr


def start(*words):
    """A run with a terminal for its progress, which is under way when this returns."""
    terminal, other = pty.openpty()
    run = subprocess.Popen([PROGRAM, "run", *SMALL, "--steps", "1000000000", *words],
                           stdout=subprocess.PIPE, stderr=other, text=True)
    os.close(other)
    text = b""
    # The first sample comes after ten updates.
    while not re.search(rb"step ([2-9]\d|\d{3,})/", text):
        text += os.read(terminal, 4096)
    return run, terminal, text


def test_stop():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        run, terminal, text = start("--csv", "stopped.csv", "--plot", "error=stopped.svg", "--plot",
                                    "spectrum=probed.svg")
        run.send_signal(number)
        printed = run.communicate(timeout=PATIENCE)[0]
        assert run.returncode == 130, run.returncode
        # A person waits for the scores and for panels that are measured at the end.
        assert ("test" in printed) == (number == signal.SIGINT), printed
        assert text.startswith(b"\r"), text
        os.close(terminal)
        assert rows(read("stopped.csv").decode())
        recipe = json.loads(cli("plot", "stopped.svg", "--recipe").stdout)
        assert recipe["step"] > 0
        os.remove("stopped.csv")


def test_nohup():
    """A hangup that is ignored stays ignored."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    run, terminal, _ = start()
    signal.signal(signal.SIGHUP, before)
    run.send_signal(signal.SIGHUP)
    text = b""
    while text.count(b"step") < 3:
        text += os.read(terminal, 4096)
    assert run.poll() is None, run.returncode
    run.send_signal(signal.SIGTERM)
    run.communicate(timeout=PATIENCE)
    assert run.returncode == 130, run.returncode
    os.close(terminal)


def test_kill():
    """A file that was there before is whole after any death."""
    dice = random.Random(1)
    cli("run", *SMALL, "--steps", "20", "--csv", "kept.csv", "--plot", "error=kept.svg")
    before = read("kept.csv"), read("kept.svg")
    for _ in range(6):
        run = subprocess.Popen([PROGRAM, "run", *SMALL, "--steps", "4000", "-q", "--csv",
                                "kept.csv", "--plot", "error=kept.svg"],
                               stdout=subprocess.DEVNULL)
        try:
            run.wait(dice.uniform(0.0, 0.6))
        except subprocess.TimeoutExpired:
            run.kill()
        run.wait()
        table = rows(read("kept.csv").decode())
        assert read("kept.csv") == before[0] or int(table[-1]["step"]) == 4000, table[-1]
        assert read("kept.svg") == before[1] or read("kept.svg").endswith(b"</svg>\n")


def test_network_of_data():
    """A network is a part of the data: kept by the run, noticed when it is edited, and never waited for."""
    data = "digits:images=200,network-file=my net.json"
    words = ["run", "selective-execution", "--steps", "2", "-q"]
    cli(*words, "--data", "digits:images=200", "--network", "my net.json")
    cli(*words, "--data", data, "--json", "own.json", "--store", "network.sluice")
    recipe = json.loads(read("own.json"))["recipe"]
    assert recipe["data"].endswith(f",network-file={os.path.realpath('my net.json')}"), recipe
    cli("replay", "own.json", "-q")
    with open("my net.json", "a", encoding="utf-8") as file:
        file.write(" ")
    run = cli("replay", "own.json", "-q", code=1)
    assert "is not what the recipe was made with" in run.stderr, run.stderr
    refused = cli("run", "gated-recurrence", "--data", "grammar:network-file=my net.json", "--steps", "1", code=2)
    assert "network-file" in refused.stderr, refused.stderr
    os.mkfifo("pipe")
    run = cli(*words, "--data", "digits:network-file=pipe", code=1)
    assert "a pipe or device" in run.stderr, run.stderr


def test_garbage():
    """Damaged files get a sentence, never a crash."""
    dice = random.Random(2)
    cli("run", *SMALL, "--steps", "20", "--json", "g.json", "--plot", "error=g.svg", "--plot",
        "error=g.png", "--plot", "error=g.pdf")
    for name in ("g.json", "g.svg", "g.png", "g.pdf"):
        whole = read(name)
        for _ in range(8):
            damaged = bytearray(whole[:dice.randrange(len(whole))])
            for _ in range(3 if damaged else 0):
                damaged[dice.randrange(len(damaged))] = dice.randrange(256)
            with open("damaged", "wb") as file:
                file.write(damaged)
            for words in (["plot", "damaged", "--recipe"], ["plot", "damaged", "error=x.svg"]):
                run = subprocess.run([PROGRAM, *words], capture_output=True, timeout=PATIENCE,
                                     check=False)
                assert run.returncode in (0, 1, 2), (name, words, run)
                assert run.returncode == 0 or run.stderr.startswith(b"sluice-cli: "), run.stderr


def test_labs():
    assert "sign-estimator" in cli("labs").stdout
    lab = json.loads(cli("labs", "sign-estimator", "--json").stdout)[0]
    page = cli("labs", "sign-estimator", "--markdown").stdout
    words = cli("labs", "sign-estimator", "--all").stdout
    assert len(lab["parameters"]) > 10 and len(lab["panels"]) > 5
    for item in lab["parameters"] + lab["panels"]:
        assert f"`{item['id']}`" in page, item["id"]
        assert item["id"] in words, item["id"]
    assert page.startswith("# Sign estimator `sign-estimator`\n"), page[:60]
    assert "\n    γ = 2 d h ÷ (k (2 d + 2 h − 1) + 2 α d h)" in page, "no formula of the speed-up"
    assert "Source: Davis 2016, eqs. 3.8 and 3.9\n" in page
    german = dict(os.environ, LC_ALL="de_DE.UTF-8", LANGUAGE="de")
    assert page == cli("labs", "sign-estimator", "--markdown", env=german).stdout


def test_data():
    listed = cli("data").stdout
    for source in ("digits", "moons", "spirals"):
        assert f"\n{source} " in listed, source
    told = cli("data", "moons:points=200,noise=0.1").stdout
    assert "160 examples" in told and "noise=0.1" in told, told
    assert "content-file=FILE" in listed, listed


def test_row_numbers():
    """A column that only numbers the rows is named where the data are."""
    with open("numbered.csv", "w") as file:
        file.write("id,a,label\n" + "".join(f"{i},{i * 7 % 5},{'xy'[i % 2]}\n" for i in range(40)))
    for said in (cli("validate", "numbered.csv").stdout,
                 cli("run", "sign-estimator", "--data", "numbered.csv", "--steps", "1").stderr):
        assert 'numbers the rows: "id"' in said, said
    with open("missing.csv", "w") as file:
        file.write("a,label\n" + "".join(f"{i % 7},{'xy?'[i % 3]}\n" for i in range(40)))
    assert "missing=drop" in cli("validate", "missing.csv", code=1).stdout


def test_npy():
    """The array has the names and numbers of the table."""
    words = ["run", *SMALL, "--steps", "50", "--set", "report-every=5"]
    cli(*words, "--csv", "s.csv", "--npy", "s.npy", "--plot", "loss=l.npy")
    table = rows(read("s.csv").decode())
    for name, columns in (("s.npy", list(table[0])),
                          ("l.npy", [key for key in table[0] if key.split(".")[0] == "loss"])):
        columns = list(dict.fromkeys(["step", *columns]))
        array = read(name)
        assert array[:8] == b"\x93NUMPY\1\0", array[:8]
        length = 10 + int.from_bytes(array[8:10], "little")
        header = ast.literal_eval(array[10:length].decode())
        assert header["descr"] == [(column, "<f8") for column in columns], header
        assert header["fortran_order"] is False
        lines = [row for row in table if any(row[column] for column in columns[1:])]
        assert header["shape"] == (len(lines),) and length % 64 == 0, header
        numbers = struct.unpack(f"<{len(lines) * len(columns)}d", array[length:])
        for line, row in enumerate(lines):
            for place, column in enumerate(columns):
                number = numbers[line * len(columns) + place]
                assert number == float(row[column]) if row[column] else number != number
    assert "csv" in cli("run", *SMALL, "--plot", "speed=s.npy", code=2).stderr


def test_tikz():
    cli("run", *SMALL, "--steps", "20", "--plot", "error=e.tikz", "--json", "e.json")
    picture = read("e.tikz").decode()
    assert picture.count("\\begin{scope}") == picture.count("\\end{scope}") > 1
    assert picture.count("{e.dat};") == picture.count("\\addplot[") == 3
    assert read("e.dat").decode().split()[:2] == ["error-train-x", "error-train"]
    assert json.loads(cli("plot", "e.tikz", "--recipe").stdout)["step"] == 20
    for wrong in ("-4", "0"):
        assert f"not {wrong}" in cli("plot", "--across", wrong, "e.json", "error=no.svg", code=2).stderr
    cli("plot", "e.json", "error=whole.svg")
    whole = read("whole.svg")
    for outside in ("100:200", "5:10,700:900"):
        assert "no curve is there" in cli("plot", "--inset", outside, "e.json", "error=no.svg").stderr
        assert read("no.svg") == whole
    assert cli("plot", "--inset", "5:10", "e.json", "error=inset.svg").stderr == ""
    assert read("inset.svg") != whole
    cli("plot", "e.json", "error=again.tikz", env=dict(os.environ, LC_ALL="de_DE.UTF-8"))
    assert read("again.tikz").decode().replace("again.dat", "e.dat") == picture
    assert read("again.dat") == read("e.dat")


def test_all_curves_on_a_page():
    """Many panels make a wide page, not one too high to be drawn."""
    names = [f"loss/{i}" for i in range(64)]
    with open("many.csv", "w") as file:
        file.write("step," + ",".join(names) + "\n")
        for step in range(3):
            file.write(",".join(str(step + i) for i in range(65)) + "\n")
    for page in ("screen", "column", "slide"):
        cli("plot", "many.csv", "all=many.svg", "--page", page)
        drawn = read("many.svg")
        assert all(name.encode() in drawn for name in names)
        sizes = re.search(rb'width="([0-9.]+)mm" height="([0-9.]+)mm"', drawn).groups()
        assert all(84 <= float(size) <= 1000 for size in sizes), sizes


def test_plot_refuses():
    """What a file does not have is named, and what is typed for stores is not passed over."""
    cli("run", *SMALL, "--steps", "20", "--json", "r.json", "--csv", "r.csv", "--store", "r.sluice",
        "--plot", "error=r.svg", "--plot", "error=r.py")
    for words, code, hint in (
            ("r.json error=x.svg --lab experts", 2, '"lab"'),
            ("r.json error=x.svg --run 5", 2, '"run"'),
            ("r.json error=x.svg --bands", 2, '"bands"'),
            ("r.csv error.train=x.svg --cost timed", 2, '"x"'),
            ("r.json error.train=x.svg --with r.csv --filter lab=experts", 2, '"filter"'),
            ("r.sluice error=x.svg --run nix", 2, 'no run "nix"'),
            ("r.sluice error=x.svg --filter seed=77", 1, 'passes "seed=77"'),
            ("r.sluice error=x.svg --lab nix", 2, 'no lab "nix"; perhaps'),
            ("r.sluice error=x.svg --lab capacity", 1, "no run of capacity"),
            ("r.sluice trade=x.svg --x foo", 1, "they have executed"),
            ("r.sluice trade=x.svg --cost parameters", 1, "they have executed"),
            ("r.sluice error=x.png --dpi 99999", 2, "20 to 2400"),
            ("r.json error=x.png --dpi 99999", 2, "20 to 2400"),
            ("r.csv error.train=x.png --dpi 99999", 2, "20 to 2400"),
            ("r.csv error.train=x.jpg", 2, ".svg"),
            ("r.csv error.train,eval/error=x.svg", 2, 'no curve "eval/error"; there are'),
            ("r.svg error=x.svg", 2, "only its recipe"),
            ("r.py error=x.svg", 2, "only its recipe")):
        complaint = cli("plot", *words.split(), code=code).stderr
        assert hint in complaint and complaint.count("\n") == 1, (words, complaint)
    with open("paper.json", "w") as file:
        json.dump({"sluice-figures": 1, "from": "r.json", "lab": "sign-estimator",
                   "figures": [{"file": "x.svg", "panel": "error", "bands": True},
                               {"file": "good.svg", "panel": "error"},
                               {"file": "x.svg", "panel": "error", "from": "r.sluice", "lab": "nix"}]}, file)
    complaint = cli("figures", "paper.json", code=2).stderr
    assert '"bands"' in complaint and 'no lab "nix"' in complaint and "figure 2" not in complaint, complaint
    assert not any(name.startswith("x.") for name in os.listdir("."))


def test_options_without_effect():
    """What would not be written, read or limited is refused, as wrong usage."""
    cli("run", *SMALL, "--steps", "5", "--json", "without.json", "--store", "without.sluice")
    for words, hint in (
            ("replay without.json --command --csv none.csv", "only prints"),
            ("replay without.json --command --out none", "only prints"),
            ("worksheet -o none.pdf", "no lesson is given"),
            ("worksheet --key", "no lesson is given"),
            ("worksheet 1-gate -o none.svg", "a worksheet is a .pdf"),
            ("worksheet 1-gate --questions none.json", "questions are .xml"),
            ("worksheet 1-gate --questions none.xml -o none.pdf", "leave out -o"),
            ("worksheet 1-gate --questions none.xml --key", "only one of"),
            ("worksheet --questions none.xml", "no lesson is given"),
            ("worksheet 1-gate --html none.pdf", "a web page is a .html"),
            ("worksheet 1-gate --html none.html -o none.pdf", "leave out -o"),
            ("worksheet 1-gate --html none.html --key", "only one of"),
            ("worksheet --html none.html", "no lesson is given"),
            ("worksheet 1-gate --cheat-sheet", "about no lesson"),
            ("worksheet --cheat-sheet --key", "no lesson is given"),
            ("worksheet nix", "no lesson")):
        complaint = cli(*words.split(), code=2).stderr
        assert hint in complaint, (words, complaint)
    assert not any(name.startswith("none") for name in os.listdir("."))
    assert cli("replay", "without.json", "--command").stdout.startswith("sluice-cli run")


def test_figures():
    """A paper's list: what is the same stays as it is, what is refused stops no other."""
    cli("run", *SMALL, "--steps", "20", "--json", "paper-run.json", "--store", "paper.sluice")
    with open("mine.json", "w") as file:
        json.dump({"sluice-style": 1, "width": 100, "font": "DejaVu Sans", "palette": "deep"}, file)
    figures = [{"file": "fig/e.pdf", "panel": "error"}, {"file": "fig/e.py", "panel": "error"},
               {"file": "fig/no.svg", "panel": "nothing"}, {"file": "fig/no.svg", "panel": 3},
               {"panel": "error"}, {"file": "fig/no.svg", "panel": "error", "sise": "1x1"},
               {"file": "fig/e.svg", "panel": "error", "style": "./mine.json", "legend": "right"},
               {"file": "fig/s.png", "panel": "error", "from": "paper.sluice", "bands": True},
               {"file": "fig/p.html", "panel": "error"},
               {"file": "fig/t.html", "panel": "trade", "from": "paper.sluice"}]
    paper = {"sluice-figures": 1, "style": "icml", "from": "paper-run.json", "figures": figures}
    with open("paper.json", "w") as file:
        json.dump(paper, file)
    refused = cli("figures", "paper.json", code=2).stderr
    for number in (3, 4, 5, 6):
        assert f"figure {number} (" in refused, refused
    assert "size" in refused, refused
    names = sorted(os.listdir("fig"))
    assert names == ["e-data.csv", "e.pdf", "e.py", "e.svg", "p.html", "s.png", "t.html"], names
    assert b'width="100mm"' in read("fig/e.svg")
    before = [(os.stat(f"fig/{name}").st_mtime_ns, read(f"fig/{name}")) for name in names]
    paper["figures"] = figures[:2] + figures[6:]
    with open("paper.json", "w") as file:
        json.dump(paper, file)
    cli("figures", "paper.json")
    assert before == [(os.stat(f"fig/{name}").st_mtime_ns, read(f"fig/{name}")) for name in names]
    rules = cli("figures", "paper.json", "--depends").stdout.splitlines()
    assert rules[0] == "fig/e.pdf: paper.json paper-run.json", rules
    assert rules[2] == "fig/e.svg: paper.json paper-run.json ./mine.json", rules
    drawn = {}
    for colours in (None, "same", {"validation": 8}):
        paper = {"sluice-figures": 1, "from": "paper-run.json", "legend": "apart",
                 "figures": [{"file": "fig/c.svg", "panel": "error"}]}
        if colours is not None:
            paper["colours"] = colours
        with open("paper.json", "w") as file:
            json.dump(paper, file)
        cli("figures", "paper.json")
        drawn[str(colours)] = read("fig/c.svg"), read("fig/c-legend.svg")
    assert b">validation<" not in drawn["None"][0] and b">validation<" in drawn["None"][1]
    assert drawn["None"] == drawn["same"]  # one figure: its curves are counted as they are
    assert all(a != b for a, b in zip(drawn["None"], drawn["{'validation': 8}"]))
    paper["colours"] = "blue"
    with open("paper.json", "w") as file:
        json.dump(paper, file)
    assert "same" in cli("figures", "paper.json", code=1).stderr
    with open("paper.json", "w") as file:
        file.write('{"sluice-figures": 1}')
    assert "figures" in cli("figures", "paper.json", code=1).stderr
    assert "neurips" in cli("plot", "paper-run.json", "error=no.svg", "--style", "x", code=2).stderr


def test_figures_stay():
    """A list writes below its folder, and over nothing that is not of Sluice."""
    os.makedirs("list/fig", exist_ok=True)
    os.makedirs("other", exist_ok=True)
    cli("run", *SMALL, "--steps", "20", "--json", "list/run.json")
    for name in ("other/thesis.pdf", "list/fig/thesis.pdf", "list/fig/t.py", "list/fig/t.csv", "list/fig/a-data.csv"):
        with open(name, "w") as file:
            file.write("precious\n")
    with open("list/fig/t.tex", "w") as file:  # a paper that has a figure of Sluice inside
        file.write("\\documentclass{article}\n% To be read with \\input; the preamble needs \\usepackage{tikz}\n")
    os.symlink("../other", "list/out")
    os.symlink("../other/thesis.pdf", "list/link.pdf")
    os.symlink("../other/nothing.pdf", "list/dangling.pdf")
    outside = [os.path.abspath("other/new.svg"), "../other/new.svg", "fig/../../other/new.svg", "out/new.svg",
               "out/folder/new.svg", "link.pdf", "dangling.pdf", "fig/x=new.svg"]
    precious = ["fig/thesis.pdf", "fig/t.py", "fig/t.csv", "fig/t.tex", "fig/a.py"]

    def draw(names, *words, code, panel="error"):
        with open("list/l.json", "w") as file:
            json.dump({"sluice-figures": 1, "from": "run.json",
                       "figures": [{"file": name, "panel": panel} for name in names]}, file)
        return cli("figures", "list/l.json", *words, code=code).stderr

    for name in outside:
        for words in ([], ["--force"], ["--depends"]):
            assert "file" in draw([name], *words, code=1), name
        assert "found" in cli("validate", "list/l.json", code=1).stdout, name
    assert "panel" in draw(["new.svg"], panel="error=../other/x", code=1)
    assert os.listdir("other") == ["thesis.pdf"] and read("other/thesis.pdf") == b"precious\n"
    assert sorted(os.listdir("list")) == ["dangling.pdf", "fig", "l.json", "link.pdf", "out", "run.json"]
    for name in precious:
        assert "--force" in draw([name], code=1), name
    assert read("list/fig/thesis.pdf") == read("list/fig/t.py") == read("list/fig/t.csv") == b"precious\n"
    assert read("list/fig/a-data.csv") == b"precious\n" and not os.path.exists("list/fig/a.py")
    draw(precious, "--force", code=0)
    assert b"precious" not in read("list/fig/thesis.pdf") + read("list/fig/a-data.csv")
    # Figures and tables of ours, with a recipe or without, are drawn again when the run has changed.
    drawn = precious + ["fig/o.svg", "fig/o.png", "fig/o.tikz", "fig/o.npy"]
    draw(drawn, code=0)
    before = [read(f"list/{name}") for name in drawn]
    cli("run", *SMALL, "--steps", "40", "--json", "list/run.json")
    draw(drawn, code=0)
    assert all(read(f"list/{name}") != bytes for name, bytes in zip(drawn, before))
    with open("list/run.json", "w") as file:
        file.write("step,a,b\n1,2,3\n2,3,4\n3,2,6\n")
    drawn = ["fig/f.svg", "fig/f.png", "fig/f.tikz", "fig/f.pdf", "fig/f.py"]
    for panel in ("a", "b"):
        draw(drawn, panel=panel, code=0)


def test_no_line_break_in_a_job():
    for kind in ("slurm", "parallel"):
        refused = cli("sweep", "experts", "--axis", "k=1,2", "--print-jobs", kind, "--store",
                      "a\ntouch HIT\n.sluice", code=2)
        assert "line break" in refused.stderr and refused.stdout == "", refused


def test_names():
    """A run is found by its name, which stays, and can be given another and get its first one back."""
    def listed():
        (row,) = rows(cli("runs", "named.sluice", "list", "--csv", "-").stdout)
        return row

    cli("run", *SMALL, "--steps", "20", "--store", "named.sluice", "-q")
    name, uuid = listed()["name"], listed()["id"]
    assert re.fullmatch("[a-z]+ [a-z]+ [0-9]+", name), name
    line = cli("runs", "named.sluice").stdout
    assert line.startswith(f"{uuid[:8]}  {name} "), line
    cli("runs", "named.sluice", "rename", name.replace(" ", "-"), "the", "knee")
    assert listed()["name"] == "the knee"
    assert uuid in cli("runs", "named.sluice", "show", "the knee").stdout
    cli("runs", "named.sluice", "rename", uuid[:6])
    assert listed()["name"] == name
    cli("plot", "named.sluice", "error=named.svg", "--run", name)
    assert "no run" in cli("runs", "named.sluice", "show", "the knee", code=1).stderr


def test_names_of_runs_are_uuids():
    """The name of a run becomes that of a folder."""
    cli("run", *SMALL, "--steps", "20", "--store", "up.sluice")
    store = sqlite3.connect("up.sluice")
    store.execute("UPDATE run SET uuid = '../..'")
    store.commit()
    store.close()
    os.makedirs("above/a/b")
    for words in (("runs", "up.sluice"), ("validate", "up.sluice"),
                  ("runs", "up.sluice", "export", "--events", "above/a/b"),
                  ("runs", "fresh.sluice", "merge", "up.sluice")):
        refused = cli(*words, code=1)
        assert "UUID" in refused.stdout + refused.stderr, words
    assert [found[2] for found in os.walk("above")] == [[], [], []]


def test_validate():
    os.mkdir("files")
    cli("run", *SMALL, "--steps", "20", "--json", "files/run.json", "--store", "files/s.sluice",
        "--plot", "error=files/e.svg", "--plot", "error=files/e.png",
        "--plot", "error=files/e.pdf", "--plot", "error=files/e.tikz")
    lesson = {"sluice-lesson": 1, "title": "One", "summary": "",
              "steps": [{"title": "A", "text": "b", "lab": "capacity"}]}
    store = read("files/s.sluice")
    cli("plot", "files/run.json", "error=files/e.py", "error=files/panel.csv")
    cli("run", *SMALL, "--steps", "20", "--csv", "files/run.csv")
    cli("runs", "files/s.sluice", "export", "--events", "files/events")
    (folder,) = os.listdir("files/events")
    (events,) = os.listdir(f"files/events/{folder}")
    shutil.copy(f"files/events/{folder}/{events}", "files/ev.sluice")
    shutil.copy("files/ev.sluice", "files/ev.bin")
    with open("files/cut.sluice", "wb") as file:
        file.write(read("files/ev.sluice")[:-5])
    sweep = json.loads(cli("sweep", *SMALL[:-2], "--steps", "2", "--seeds", "1-2", "--json", "-q").stdout)["sweep"]
    cli("run", "selective-execution", "--data", "digits:images=200", "--steps", "1", "--network", "files/network.json")
    figures = {"sluice-figures": 1, "from": "run.json", "figures": [{"file": "x.svg", "panel": "error"}]}
    for name, content in (
            ("style.json", json.dumps({"sluice-style": 1, "width": 100})),
            ("bad-style.json", json.dumps({"sluice-style": 1, "width": "wide"})),
            ("one.csv", "step,error.train,error.valid\n1,50,\n"), ("list.json", json.dumps(figures)), ("sweep.json", json.dumps(sweep)),
            ("bad-network.json", '{"sluice-network": 1,\n "nodes": 3}'),
            ("bad-list.json", json.dumps({**figures, "figures": figures["figures"] + [{"panel": "error"}]})),
            ("l.lesson", json.dumps(lesson, indent=1)), ("d.csv", "1,2,a\n3,4,b\n" * 20),
            ("bad.lesson", json.dumps(dict(lesson, titel=""), indent=1)),
            ("bad.csv", "1,2,a\n3,x\n4,5,b\n"), ("bad.json", read("files/run.json")[:500]),
            ("bad.svg", "<svg/>"), ("bad.png", b"\x89PNG\r\n\x1a\nxx"), ("bad.sluice", store[:900]),
            ("bad.tikz", "% nothing\n"), ("torn.sluice", store[:8192 * 3] + b"\xff" * 8192
                                          + store[8192 * 4:])):
        with open(f"files/{name}", "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
    for name, says in (("run.json", "run of sign-estimator"), ("s.sluice", "store, 1 run"),
                       ("e.svg", "recipe of sign-estimator, seed 1, update 20"),
                       ("e.png", "recipe of"), ("e.pdf", "recipe of"), ("e.tikz", "recipe of"),
                       ("l.lesson", "lesson, 1 step"), ("d.csv", "data, "),
                       ("e.py", "recipe of"), ("ev.sluice", "event file, "),
                       ("ev.bin", "event file, "), ("cut.sluice", "event file, "), ("run.csv", "table, "),
                       ("panel.csv", "table, "), ("one.csv", "table, "),
                       ("style.json", "style of figures"), ("list.json", "list of 1 figure"),
                       ("network.json", "network of choices, for --data digits:network-file=network.json"),
                       ("sweep.json", "sweep of sign-estimator, 2 runs")):
        told = cli("validate", f"files/{name}").stdout
        assert told.startswith(f"files/{name}: {says}") and told.count("\n") == 1, told
    for name, says in (("bad.lesson", "line "), ("bad.csv", "line 2"), ("bad.json", "line "),
                       ("bad.svg", "recipe"), ("bad.png", ""), ("bad.sluice", ""),
                       ("bad-style.json", "width"), ("bad-list.json", "figure 2: "), ("bad-network.json", "line "),
                       ("bad.tikz", "recipe"), ("torn.sluice", "age"), ("no.csv", "file")):
        told = cli("validate", "files/l.lesson", f"files/{name}", code=1).stdout.splitlines()
        assert told[0] == "files/l.lesson: lesson, 1 step" and len(told) == 2, told
        assert told[1].startswith(f"files/{name}: ") and says in told[1], told
    assert "no file is given" in cli("validate", code=2).stderr


def test_newer_versions():
    """A file of a newer version of Sluice is told from one that is damaged."""
    os.mkdir("newer")
    for name in ("answers", "figures", "lesson", "network", "recipe", "run", "style", "sweep"):
        path = f"newer/{name}.lesson" if name == "lesson" else f"newer/{name}.json"
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'{{"sluice-{name}": 2}}')
        told = cli("validate", path, code=1).stdout
        assert told.endswith(f'line 1: found "sluice-{name}" with 2, expected version 1, '
                             "the newest that this program reads\n"), told
    with sqlite3.connect("newer/runs.sluice") as store:
        store.executescript("PRAGMA application_id = 0x536c7563; PRAGMA user_version = 3; CREATE TABLE run (id)")
    told = cli("validate", "newer/runs.sluice", code=1).stdout
    assert told.endswith("found a store of version 3, expected version 2, the newest that this program reads\n"), told


def test_formats_of_1_0():
    """A file of each format as 1.0 wrote it is read (docs/file-formats.md)."""
    shutil.copytree(os.path.join(os.environ["SLUICE_SOURCE"], "tests/fixtures/formats"), "formats")
    names = sorted(os.listdir("formats"))
    told = cli("validate", *(f"formats/{name}" for name in names)).stdout
    assert len(names) == 9 and told.count("\n") == 9, told
    cli("figures", "formats/figures.json")
    assert b"sluice-recipe" in read("formats/drawn.svg")
    assert cli("sweep", "--from", "formats/sweep.json", "-n").stderr.startswith("2 runs")
    assert "of 3" in cli("answers", "merge", "formats/answers.json").stdout
    cli("replay", "formats/error.svg", "-q", "--csv", "formats/again.csv")
    cli("run", "selective-execution", "--data", "digits:images=200,network-file=formats/network.json", "--steps", "1", "-q")
    cli("worksheet", "formats/formats.lesson", "-o", "formats/sheet.pdf")


def other_version(path, run, lab):
    """The newest checkpoint of a run as another version would have written it."""
    database = sqlite3.connect(path)
    (number,) = database.execute(
        "SELECT c.id FROM checkpoint AS c JOIN run ON run.id = c.run WHERE uuid LIKE ?"
        " ORDER BY c.step DESC", (run + "%",)).fetchone()
    block = f"Sluice checkpoint\n{lab}, state 999\ndata\n".encode()
    database.execute("UPDATE checkpoint SET data = ?, sum = ? WHERE id = ?",
                     (block, zlib.crc32(block), number))
    database.commit()
    database.close()


def assert_refused(name, lab, found):
    """A run that cannot go on says why, shows its curves, and names the command that begins it anew."""
    refused = cli("run", "--store", "old.sluice", "--resume", name, "--steps", "50", "-q",
                  code=1).stderr
    assert re.search(f"found {found}, expected {lab}, state \\d", refused), refused
    assert f"runs old.sluice export {name} --csv -" in refused, refused
    assert "cannot be continued: " in cli("runs", "old.sluice", "show", name).stdout
    steps = [int(row["step"])
             for row in rows(cli("runs", "old.sluice", "export", name, "--csv", "-").stdout)]
    assert steps[0] == 1 and 1 < steps[-1] <= 40, (lab, steps)
    anew = shlex.split(refused.splitlines()[-1])
    assert anew[:3] == ["sluice-cli", "run", lab] and anew[-2:] == ["--store", "old.sluice"]
    return anew[1:]


def test_unsigned_store():
    """Runs of the time before checkpoints had a signature, and those of another version, do not go
    on; there is a way to look at them and a way to begin them anew."""
    shutil.copy(os.path.join(os.environ["SLUICE_SOURCE"], "tests/fixtures/unsigned.sluice"),
                "old.sluice")
    told = cli("validate", "old.sluice").stdout
    assert told.startswith("old.sluice: store, 8 runs; 8 cannot be continued, for example: "), told
    known = set()
    for row in rows(cli("runs", "old.sluice", "list", "--csv", "-").stdout):
        name, lab = row["id"][:8], row["lab"]
        known.add(name)
        cli(*assert_refused(name, lab, "no signature"), "--steps", "40", "-q")
    for row in rows(cli("runs", "old.sluice", "list", "--csv", "-").stdout):
        name, lab = row["id"][:8], row["lab"]
        if name not in known:
            assert "cannot be continued" not in cli("runs", "old.sluice", "show", name).stdout
            other_version("old.sluice", name, lab)
            assert_refused(name, lab, f"{lab}, state 999")


def test_curves_only():
    """A run that lost its states stays as it is; resuming it begins another one."""
    cli("run", *SMALL, "--steps", "60", "--store", "worn.sluice", "-q")
    database = sqlite3.connect("worn.sluice")
    database.execute("DELETE FROM checkpoint")
    database.commit()
    database.close()
    (old,) = names_of_runs("worn.sluice")
    before = cli("runs", "worn.sluice", "export", old, "--csv", "-").stdout
    assert "curves only" in cli("runs", "worn.sluice").stdout
    told = cli("run", "--store", "worn.sluice", "--resume", "last", "--steps", "20").stderr
    assert "only its curves" in told, told
    assert len(names_of_runs("worn.sluice")) == 2
    assert cli("runs", "worn.sluice", "export", old, "--csv", "-").stdout == before


def names_of_runs(store):
    return sorted(line.split()[0] for line in cli("runs", store).stdout.splitlines())


def test_no_store_is_written_over():
    """Runs are exported neither into the file that they are in nor over other runs."""
    for seed in ("1", "2", "3"):
        cli("run", *SMALL, "--steps", "5", "--seed", seed, "--store", "kept.sluice", "-q")
    names = names_of_runs("kept.sluice")
    os.link("kept.sluice", "hard.sluice")
    os.symlink("kept.sluice", "soft.sluice")
    for own in ("kept.sluice", "./kept.sluice", "hard.sluice", "soft.sluice"):
        refused = cli("runs", "kept.sluice", "export", names[0], "--to", own, code=1).stderr
        assert "found the store that the runs are in, expected another file" in refused, refused
    os.remove("hard.sluice")
    cli("runs", "kept.sluice", "export", names[0], "--to", "own.sluice")
    refused = cli("runs", "kept.sluice", "export", names[1], "--to", "own.sluice", code=1).stderr
    assert "would lose its runs (1)" in refused and "sluice-cli runs own.sluice merge kept.sluice" in refused, refused
    assert names_of_runs("own.sluice") == names[:1]
    cli("runs", "own.sluice", "delete", names[0])
    cli("runs", "kept.sluice", "export", *names[1:], "--to", "own.sluice")
    assert names_of_runs("own.sluice") == names[1:] and names_of_runs("kept.sluice") == names


def test_refused_of_a_store():
    """What would be ignored, or write two things into the standard output, is wrong usage."""
    cli("run", *SMALL, "--steps", "5", "--store", "asked.sluice", "-q")
    (name,) = names_of_runs("asked.sluice")
    for words, hint in (
            ("list --csv - --json -", "only one of --csv, --json"),
            ("list --differences --csv -", "only one of --csv, --json"),
            ("list --group rank --csv -", "only one of --csv, --json"),
            ("list --group rank --differences", "only one of --csv, --json"),
            ("list --npy x", "list takes no --npy"),
            ("list --plot error=x.svg", "list takes no --plot"),
            ("list --out x", "list takes no --out"),
            ("list --to x", "list takes no --to"),
            ("list --wide x", "list takes no --wide"),
            ("list --events x", "list takes no --events"),
            ("list more", '"more" is not expected'),
            ("--lab nolab", 'no lab "nolab"'),
            ("export --lab nolab --to x", 'no lab "nolab"'),
            (f"show {name} --csv x", "show takes no --csv"),
            (f"note {name} --filter step", "note takes no --filter"),
            (f"export {name} --group rank", "export takes no --group"),
            (f"export {name} --to x --csv x", "--csv and --to"),
            (f"export {name} --wide x --csv x", "--csv and --wide"),
            (f"export {name} --wide x --to x", "--to and --wide"),
            (f"export {name} --lab sign-estimator --csv x", "do not go with names"),
            (f"export {name}", "no file to write is given"),
            (f"export {name} --page column", "no file to write is given"),
            ("export", "export one run")):
        refused = cli("runs", "asked.sluice", *words.split(), code=2)
        assert hint in refused.stderr and refused.stdout == "", (words, refused.stderr)
        assert not os.path.exists("x"), words
    failed = cli("runs", "asked.sluice", "list", "--group", "rank", "--csv", "no/such/x.csv", code=1)
    assert failed.stdout == "" and "no/such" in failed.stderr
    assert "missing.sluice" in cli("runs", "unmade.sluice", "merge", "missing.sluice", code=1).stderr
    assert not os.path.exists("unmade.sluice")
    # One that turns out to be damaged leaves no empty store either; what came before it stays.
    with open("asked.sluice", "rb") as whole, open("damaged.sluice", "wb") as damaged:
        data = bytearray(whole.read())
        data[4096:] = bytes(b ^ 0x5a for b in data[4096:])
        damaged.write(data)
    assert "damaged" in cli("runs", "unmade.sluice", "merge", "damaged.sluice", code=1).stderr
    assert not os.path.exists("unmade.sluice")
    cli("runs", "made.sluice", "merge", "asked.sluice", "damaged.sluice", code=1)
    assert len(rows(cli("runs", "made.sluice", "list", "--csv", "-").stdout)) > 0


def test_scores_in_a_store():
    """The scores that a run prints are kept with it, and again when it goes on."""
    def stored():
        (row,) = rows(cli("runs", "scores.sluice", "list", "--csv", "-").stdout)
        return row

    def printed(done):
        return re.search(r"^error +([0-9.]+) +([0-9.]+) ", done.stdout, re.M).groups()

    test, valid = printed(cli("run", *SMALL, "--steps", "60", "--store", "scores.sluice", "-q"))
    row = stored()
    assert f"{float(row['test.error']):.4f}" == test and f"{float(row['valid.error']):.4f}" == valid, row
    listed = cli("runs", "scores.sluice", "--filter", "test.error > 0").stdout
    assert f"error {float(test):.4g}  " in listed and "validation" not in listed, listed
    test, valid = printed(cli("run", "--store", "scores.sluice", "--resume", "last", "--steps", "300", "-q"))
    row = stored()
    assert f"{float(row['test.error']):.4f}" == test and f"{float(row['valid.error']):.4f}" == valid, row


def test_what_a_store_does_not_keep():
    """Files of a run that a store cannot give are refused with the command that computes them."""
    cli("run", "style", "--set", "scales=1", "--data", "pictures:size=16", "--steps", "1", "--store", "parts.sluice", "-q")
    cli("run", "experts", "--steps", "2", "--threads", "1", "--store", "parts.sluice", "-q")
    cli("run", "selective-execution", "--steps", "1", "--data", "digits:images=200", "--set", "static-nets=no",
        "--threads", "1", "--store", "parts.sluice", "-q")
    for lab, option, path in (("style", "--picture", "formed.png"), ("experts", "--recording", "routed.npz"),
                              ("experts", "--plot", "why=why.svg"), ("selective-execution", "--network", "network.json")):
        name = cli("runs", "parts.sluice", "--lab", lab).stdout.split()[0]
        refused = cli("runs", "parts.sluice", "export", name, option, path, code=1).stderr
        assert not os.path.exists(path.split("=")[-1])
        command = refused[refused.index("replay parts.sluice"):].split()
        assert command == ["replay", "parts.sluice", name, option, path], refused
        cli(*command, "-q")
        assert os.path.getsize(path.split("=")[-1]) > 0
    name = cli("runs", "parts.sluice", "--lab", "style").stdout.split()[0]
    refused = cli("runs", "parts.sluice", "export", name, "--out", "parts", code=1).stderr
    assert "--picture parts/formed.png" in refused and os.path.exists("parts/run.csv"), refused
    cli("sweep", "style", "--axis", "gamma=1", "--set", "scales=1", "--data", "pictures:size=16", "--steps", "1",
        "--store", "kept-pictures.sluice")
    name = cli("runs", "kept-pictures.sluice").stdout.split()[0]
    cli("runs", "kept-pictures.sluice", "export", name, "--out", "kept", "--picture", "kept.png")
    assert read("kept.png").startswith(b"\x89PNG") and read("kept.png") == read("kept/formed.png")


def test_messages_for_debugging():
    """On the error stream when they are asked for, and nowhere otherwise."""
    debug = dict(os.environ, G_MESSAGES_DEBUG="sluice")
    words = ["run", *SMALL, "--steps", "20", "--quiet", "--csv", "-", "--store"]
    quiet = cli(*words, "quiet.sluice", env=dict(os.environ, G_MESSAGES_DEBUG=""))
    asked = cli(*words, "asked.sluice", env=debug)
    assert asked.stdout == quiet.stdout
    assert "sluice-DEBUG" not in quiet.stderr
    for message in ("kernels: OpenBLAS", "data: moons", "store: asked.sluice, version "):
        assert message in asked.stderr, (message, asked.stderr)
    again = cli("run", "--store", "asked.sluice", "--resume", "last", "--steps", "30", env=debug)
    assert "sign-estimator, goes on from step 20, a checkpoint of " in again.stderr, again.stderr


def test_info():
    told = cli("info").stdout
    for word in ("kernel", "threads", "digits"):
        assert word in told, told
    with tempfile.TemporaryDirectory() as cache:
        told = cli("info", "--measure", env=dict(os.environ, XDG_CACHE_HOME=cache)).stdout
    assert "GFLOP/s" in told and "128×1000×784" in told, told
    told = cli("info", "--kernel", "haswell").stdout
    assert re.search(r"kernel +Haswell", told), told
    refused = cli("info", "--kernel", "Fortran", code=2)
    assert "Fortran" in refused.stderr, refused.stderr
    with tempfile.TemporaryDirectory() as nothing:  # no kernel that was measured before
        told = cli("info", env=dict(os.environ, OPENBLAS_CORETYPE="Haswell", XDG_CACHE_HOME=nothing)).stdout
    assert re.search(r"kernel +Haswell, as requested", told), told


def test_threads():
    """A run has the threads that were measured for its lab, unless a number is typed."""
    env = dict(os.environ, XDG_CACHE_HOME=os.path.abspath("cache"))
    told = cli("info", env=env).stdout
    facts = {name: re.search(rf"^{name} +(.*)$", told, re.M).group(1) for name in ("processor", "OpenBLAS", "kernel")}
    kernel, cores = facts["kernel"].split(",")[0], int(re.search(r"of (\d+) cores", told).group(1))
    os.makedirs("cache/sluice", exist_ok=True)
    memory = {"processor": facts["processor"].removesuffix(", AVX-512"),
              "library": facts["OpenBLAS"].replace(kernel, "", 1), "kernel": kernel, "cores": cores,
              "quiet": True, "tried": 1, "labs": {"capacity": 1}}
    with open("cache/sluice/threads.json", "w", encoding="utf-8") as file:
        json.dump(memory, file)
    assert "measured to be the quickest for runs of capacity 1" in cli("info", env=env).stdout

    def threads(*words):
        cli("run", *words, "--steps", "1", "--store", "threads.sluice", "--quiet", env=env)
        with sqlite3.connect("threads.sluice") as store:
            return store.execute("SELECT threads FROM run ORDER BY rowid DESC").fetchone()[0]

    assert threads("capacity") == 1
    assert threads("capacity", "--threads", str(cores)) == cores
    assert threads("capacity", "--threads", "0") == cores
    assert threads("experts") == cores


def test_kernels():
    """What was measured is used, a damaged memory of it is not, and a name that is typed goes first."""
    env = {name: value for name, value in os.environ.items() if name != "OPENBLAS_CORETYPE"}
    env["XDG_CACHE_HOME"] = os.path.abspath("cache")
    told = cli("info", "--measure", env=env).stdout
    assert ("GFLOP/s" in told and "1.00" in told) or "busy" in told, told
    # With time for all labs: Routing, whose updates fail once its recording is at its end, is not among them.
    timed = cli("--measure-threads", "30", env=env).stdout
    assert "style " in timed and "nan" not in timed, timed
    own = re.search(r"kernel +(\w+)", told).group(1)
    os.makedirs("cache/sluice", exist_ok=True)
    memory = "cache/sluice/kernel.json"
    if not os.path.exists(memory):
        assert "busy" in told, told
        return
    with open(memory, encoding="utf-8") as file:
        text = file.read()
    kernel = re.search(r'"kernel": "(\w+)"', text).group(1)
    told = cli("info", env=env).stdout
    assert re.search(rf"kernel +{kernel}, the fastest measured", told), told
    with open(memory, "w", encoding="utf-8") as file:
        file.write(text.replace(f'"kernel": "{kernel}"', '"kernel": "Prescott"'))
    assert re.search(r"kernel +Prescott, the fastest measured", cli("info", env=env).stdout)
    assert re.search(r"kernel +Haswell, as requested", cli("info", "--kernel", "haswell", env=env).stdout)
    with open(memory, "w", encoding="utf-8") as file:
        file.write(text[:40])
    told = cli("info", env=env).stdout
    assert re.search(rf"kernel +{own}, (the library|chosen for this processor)", told), told
    wrong = cli("info", "--kernel=nonesuch", env=env, code=2)
    assert 'no kernel "nonesuch"; there are Haswell' in wrong.stderr, wrong.stderr
    foreign = "Prescott" if os.uname().machine == "aarch64" else "armv8"
    refused = cli("run", "experts", "--steps", "3", "--kernel", foreign, env=env, code=2).stderr
    assert f"this processor cannot run the kernel {foreign}" in refused, refused


sys.exit(run_tests(globals()))
