#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The module of Python beside the command line and NumPy's own sums.  Arguments: the program, the folder of the module;
SLUICE_LIBRARY names the library."""

import contextlib
import ctypes
import copy
import importlib.util
import io
import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading

PROGRAM = os.path.abspath(sys.argv[1])
MODULE = os.path.abspath(sys.argv[2])
sys.path.insert(0, MODULE)
os.environ["PYTHONPATH"] = MODULE

import sluice  # noqa: E402, before NumPy, as it says

import numpy as np  # noqa: E402

from common import run_tests, runner  # noqa: E402

cli = runner(PROGRAM)
SMALL = {"experts": 6, "hidden": 8, "batch": 40}
DIGITS = "digits:images=600"


def small(**more):
    return sluice.Run("experts", DIGITS, threads=1, **{**SMALL, **more})


def raises(kind, work, *words):
    """The exception of this kind, whose sentence has these words."""
    try:
        work()
    except kind as problem:
        assert all(word in str(problem) for word in words), problem
        return problem
    raise AssertionError(f"no {kind.__name__}")


def columns_of(csv):
    lines = open(csv, encoding="utf-8").read().splitlines()
    names = lines[0].split(",")
    cells = [line.split(",") for line in lines[1:]]
    return {name: [(float(row[0]), float(row[i])) for row in cells if row[i]] for i, name in enumerate(names)}


def test_same_bytes():
    """A run from Python, changed on the way, has the numbers of the command line, bit for bit."""
    sets = [word for name, value in SMALL.items() for word in ("--set", f"{name}={value}")]
    cli("run", "experts", "--data", DIGITS, *sets, "--set", "k=2", "--at", "50:k=3", "--steps", "120", "--seed", "5",
        "--threads", "1", "--csv", "a.csv", "-q")
    run = small(k=2, seed=5).train(50).set(k=3).train(70)
    table = columns_of("a.csv")
    assert set(run.series()) == set(table) - {"step"}, (run.series(), list(table))
    for name in run:
        series = run[name]
        pairs = [(x, y) for x, y in zip(series.x, series.y) if not np.isnan(y)]
        assert pairs == table[name], name
    assert run.updates == 120 and run.get("k") == "3"


def test_again():
    """A recipe, a figure and a page bring the run back to the same weights."""
    run = small(seed=2).train(30).set(learning_rate=0.01).train(30)
    run.figure("error").save("error.svg")
    run.page("run.html", "alive error")
    for source in (run.recipe, "error.svg", "./run.html"):
        assert (sluice.Run(source).train().weights == run.weights).all(), source
    raises(sluice.InvalidError, lambda: sluice.Run("error.svg", k=2), "recipe")
    raises(sluice.SluiceError, lambda: sluice.Run("./nothing.svg"), "nothing.svg")


def test_store():
    """A run goes through a store and on, by Python and by the command line, and nothing is written before save()."""
    run = small(seed=3).train(40)
    name = run.save("a.sluice")
    stored = sluice.open("a.sluice")[name]
    assert (stored.weights == run.weights).all() and (stored["error.train"].y == run["error.train"].y).all()
    before = os.path.getsize("a.sluice")
    stored.train(20)
    assert (stored.weights == run.train(20).weights).all() and os.path.getsize("a.sluice") == before
    assert run.save("a.sluice") == name and len(sluice.open("a.sluice")) == 1
    assert sluice.open("a.sluice").runs("step = 60 and lab = experts")[0]["step"] == 60
    cli("run", "--store", "a.sluice", "--resume", name[:8], "--steps", "80", "-q")
    assert (sluice.open("a.sluice")[name].weights == run.train(20).weights).all()
    raises(sluice.FileError, lambda: sluice.open("none.sluice"), "none.sluice")
    assert not os.path.exists("none.sluice")
    open("text.sluice", "w").write("no store")
    raises(sluice.SluiceError, lambda: sluice.open("text.sluice"))


def test_looking():
    """Panels, maps, pictures of one example and scores agree with one another."""
    run = small(k=2, seed=4).train(200)
    for name in run.panels():
        try:
            panel = run.panel(name)
        except sluice.UnsupportedError:
            continue
        assert panel.curves or panel.matrix is not None, name
        assert all(len(curve.x) == len(curve.y) for curve in panel.curves), name
    classes = run.panel("classes")
    assert classes.matrix.shape == (SMALL["experts"], 10) and len(classes.columns) == 10
    with np.load(arrays("digits")) as file:
        images = file["X"]
    cells = run.map(images[:50])
    assert (cells["active"] == 2).all() and (cells["label"] < 10).all() and (cells["cost"] > 0).all()
    bits = np.array([bin(int(pattern)).count("1") for pattern in cells["pattern"]])
    assert (bits == cells["active"]).all()
    alive = run.alive(example=3)
    experts = [group for group in alive.groups if len(group.unit) == SMALL["experts"]]
    assert experts and abs(alive.classes.sum() - 1) < 1e-5 and alive.label == alive.classes.argmax()
    assert run.alive(np.zeros((28, 28))).truth is None
    raises(sluice.InvalidError, lambda: run.alive(np.zeros(5)), "784")
    raises(sluice.InvalidError, lambda: run.map(np.zeros((2, 3))), "784")
    scores = run.scores()
    assert set(scores) == {"test", "validation"} and 0 <= scores["test"]["error"] <= 100


def arrays(name):
    """Made data as a file of arrays."""
    rng = np.random.default_rng(7)
    X = rng.integers(0, 256, (200, 28 * 28)).astype(np.float32)
    np.savez(name + ".npz", X=X, y=rng.integers(0, 10, 200))
    return name + ".npz"


def test_arrays():
    """Arrays are read as a file with them is: the same data set, and so the same run."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 5))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    for name, given in (("rows", X), ("single", X.astype("f4")), ("turned", np.asfortranarray(X)), ("back", X[::-1])):
        np.savez(name + ".npz", X=given, y=y)
        ours, theirs = sluice.Data((given, y)), sluice.Data(name + ".npz")
        assert ours.about["hash"] == theirs.about["hash"], name
        assert "300 examples" in ours.note
    run = sluice.Run("experts", (X, y), experts=3, threads=1).train(50)
    assert (run.weights == sluice.Run("experts", "rows.npz", experts=3, threads=1).train(50).weights).all()
    far = 1000 * X + 50                        # a table is standardised, and so are points like its own
    learned = sluice.Run("experts", (far, y), experts=3, threads=1).train(400)
    assert (learned.map(far)["label"] == y).mean() > 0.9
    named = np.array(["no", "yes"])[y]
    for texts in (named, named.astype(object), named.tolist(), named.astype(">U9"), np.stack([named, named], 1)[:, 0]):
        told = sluice.Data((X, texts)).about
        assert told["classes"] == ["no", "yes"] and told["hash"] == sluice.Data((X, y)).about["hash"]
    raises(sluice.FormatError, lambda: sluice.Data((X.astype(str), y)))
    raises(sluice.FormatError, lambda: sluice.Data((np.where(X == X[17, 2], np.nan, X), y)), "example 17", '"x3"', 'missing="drop"')
    raises(sluice.FormatError, lambda: sluice.Data((X, y[:10])))
    raises(sluice.InvalidError, lambda: sluice.Data((X.astype(object), y)))
    raises(sluice.InvalidError, lambda: sluice.Data((np.ma.masked_array(X, X > 1), y)), "masked")
    raises(sluice.InvalidError, lambda: sluice.Data((X, y, y)), "(X, y)")
    assert sluice.Data(pathlib.Path("rows.npz")).about["hash"] == sluice.Data((X, y)).about["hash"]
    moved = np.frombuffer(b"-" + X.tobytes(), X.dtype, offset=1).reshape(X.shape)
    assert sluice.Data((moved, y > 0)).about["hash"] == sluice.Data((X, y)).about["hash"]
    shares = sluice.Data({"X": X, "y": y}, valid=0.2, test=0.3).about["examples"]
    assert (shares["valid"], shares["test"]) == (60, 90), shares
    kept = sluice.Data((X, y), standardise=False)
    assert not kept.about["standardised"] and sluice.Data((X, y)).about["standardised"]
    run = sluice.Run("experts", kept, experts=3, threads=1).train(200)
    assert run.map(X)["label"].shape == (300,) and (run.map(X)["label"] != y).mean() < 0.4


def test_routing():
    """routing() says what `trace --json` says of a file with the same arrays."""
    rng = np.random.default_rng(1)
    logits = rng.normal(size=(2, 500, 8)).astype("f4")
    ids = np.argsort(-logits, axis=-1)[..., :2]
    np.savez("a.npz", router_logits=logits)
    np.savez("b.npz", topk_ids=ids.astype("i4"))
    for given, file, option in ((logits, "a.npz", "k=2"), (ids.astype("i4"), "b.npz", "experts=8")):
        name, value = option.split("=")
        order = "ltn" if file == "a.npz" else "ltk"
        raises(sluice.FormatError, lambda: sluice.routing(given, **{name: int(value)}), f'axes="{order}"')  # even routing
        ours = sluice.routing(given, axes=order, **{name: int(value)})
        theirs = json.loads(cli("trace", f"{file}:{option},axes={order}", "--json").stdout)
        for key, value in ours.report.items():
            assert key == "file" or json.dumps(value) == json.dumps(theirs[key]), (file, key)
    load = np.array([np.bincount(layer.ravel(), minlength=8) for layer in ids])
    assert (ours.load == load).all()
    assert np.allclose(ours.cv, load.std(axis=1) / load.mean(axis=1), rtol=1e-12)
    assert (sluice.routing([ids[0], ids[1]], experts=8).load == load).all()
    assert (sluice.routing(ids[0].tolist(), experts=8).load == load[:1]).all()
    raises(sluice.InvalidError, lambda: sluice.routing(logits > 0), "truths")
    batch = ids[:, :480].reshape(2, 4, 120, 2).transpose(1, 2, 0, 3)               # sequences, tokens, layers, k
    raises(sluice.FormatError, lambda: sluice.routing(batch), 'axes="lbtk" or axes="btlk"', "4 sequences × 120 tokens × 2 layers")
    for given, order in ((batch, "btlk"), (batch.transpose(2, 0, 1, 3), "lbtk"), (ids[:, :480], "ltk")):
        told = sluice.routing(given, axes=order, experts=8)
        assert (told.load == [np.bincount(layer[:480].ravel(), minlength=8) for layer in ids]).all(), order
        assert (told.report["layer"]["1"]["cache"]["lru"] == sluice.routing(ids[:, :480], axes="ltk", experts=8)
                .report["layer"]["1"]["cache"]["lru"]), order
    raises(sluice.FormatError, lambda: sluice.routing({"chosen": ids}), 'as_="ids"')
    caches = ours.caches
    assert caches["places"][-1] == 16 and caches["lru"][-1] == 1 - 16 / caches["lookups"], caches
    assert np.isfinite(ours.chance).all() and (ours.dead == (load == 0).sum(axis=1)).all()
    assert ours.figure().bytes("png").startswith(b"\x89PNG")
    raises(sluice.InvalidError, lambda: sluice.routing([ids, logits]))


def test_gate():
    """A gate that is top-k in Python trains as the built-in one; what it raises comes out, and the run goes on."""
    calls = []

    def top2(logits, training):
        calls.append(training)
        return np.argsort(-logits, axis=1, kind="stable")[:, :2]

    def brought(rule):
        return sluice.Run("experts", DIGITS, threads=1, gate=sluice.gate(rule), seed=6, **SMALL)

    own = brought(top2).train(50)
    built_in = small(seed=6, gate="switch", k=2, capacity=0, w_balance=0, w_z=0, values="sum").train(50)
    assert np.allclose(own["error.train"].y, built_in["error.train"].y, atol=1e-4)
    assert True in calls

    def failing(logits):
        if len(calls) > 60:
            raise KeyError("mine")
        calls.append(0)
        return top2(logits, True)

    calls.clear()
    run = brought(failing)
    raises(KeyError, lambda: run.train(500), "mine")
    done = run.updates
    calls.clear()
    assert 0 < done < 500 and run.train(5).updates == done + 5
    raises(sluice.InvalidError, lambda: sluice.Run("experts", DIGITS, gate=top2), "sluice.gate")


def test_gate_fails():
    """What a gate raises comes out of all that looks at the network, and what is kept of a batch stays."""
    fails, kept = [], []

    def top2(logits):
        kept.append(logits)
        return 1 / 0 if fails else np.argsort(-logits, axis=1, kind="stable")[:, :2]

    run = sluice.Run("experts", DIGITS, threads=1, gate=sluice.gate(top2), **SMALL).train(20)
    fails.append(1)
    for look in (lambda: run.map(np.zeros((2, 784))), run.scores, run.time, lambda: run.panel("classes"), run.alive,
                 lambda: run.figure("classes"), lambda: run.page("a.html"), lambda: run.save("gate.sluice")):
        raises(ZeroDivisionError, look)
    raises(sluice.InvalidError, lambda: run.panel("clases"), "classes")
    fails.clear()
    assert run.train(1).updates == 21
    run.close()
    assert all(np.isfinite(logits).all() for logits in kept)


def test_gate_in_threads():
    """A gate with weights of its own in several threads at a time gives each its own slopes."""

    def soft(logits):
        mask = np.zeros(logits.shape, bool)
        np.put_along_axis(mask, np.argsort(-logits, axis=1, kind="stable")[:, :2], True, 1)
        shares = np.where(mask, np.exp(logits - logits.max(axis=1, keepdims=True)), 0)
        shares /= shares.sum(axis=1, keepdims=True)
        return mask, shares, lambda slopes: shares * (slopes - (slopes * shares).sum(axis=1, keepdims=True))

    one, three = (sluice.sweep("experts", DIGITS, gate=sluice.gate(soft), seeds=range(6), updates=40, at_once=n,
                               **SMALL).table()["test.loss"] for n in (1, 3))
    assert one == three and np.isfinite(one).all()


def test_interrupt():
    """Ctrl+C ends training between two updates, and the run goes on."""
    run = small(seed=7)
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    raises(KeyboardInterrupt, lambda: run.train(seconds=30))
    done = run.updates
    assert done > 0 and run.train(10).updates == done + 10
    raises(ZeroDivisionError, lambda: run.train(1000, progress=lambda update, share: 1 / 0))


def test_threads():
    """Two runs in two threads have the bytes of each alone."""
    made = {}

    def make(seed):
        made[seed] = sluice.Run("experts", DIGITS, threads=2, seed=seed, **SMALL).train(60).weights

    workers = [threading.Thread(target=make, args=(seed,)) for seed in (1, 2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    both = dict(made)
    for seed in (1, 2):
        make(seed)
        assert (both[seed] == made[seed]).all(), seed


def test_one_thread():
    """A run of another thread is refused, and so is what its own progress cannot do; the run goes on."""
    run = small()
    refused = []

    def progress(update, share):
        if refused:
            return
        worker = threading.Thread(target=lambda: refused.append(raises(sluice.InvalidError, run.scores, "another thread")))
        worker.start()
        worker.join()
        refused.append(raises(sluice.InvalidError, run.close))
        refused.append(raises(sluice.InvalidError, lambda: run.train(1), "training"))
        refused.append(raises(sluice.InvalidError, lambda: run.set(experts=3), "experts"))
        run.set(k=1)

    assert run.train(5, progress=progress).updates == 5 and len(refused) == 4 and run.get("k") == "1"
    assert run.train(1).updates == 6


def test_closed():
    """What is closed is refused, and objects are neither copied nor pickled."""
    run = small().train(5)
    figure, series = run.figure("error"), run["error.train"]
    for each in (run, figure, sluice.Data(DIGITS)):
        raises(TypeError, lambda: copy.copy(each))
        raises(TypeError, lambda: pickle.dumps(each), "copied")
    run.close()
    run.close()
    for use in (lambda: run.train(1), lambda: run.updates, lambda: run["error.train"], run.scores, series._repr_svg_):
        raises(sluice.InvalidError, use, "closed")
    assert "closed" in repr(run) and figure.bytes("svg") and len(series) > 0


def test_exit():
    """A program may end while a daemon thread trains."""
    program = f"""import sluice, threading, time
run = sluice.Run("experts", {DIGITS!r}, threads=1, experts=6, hidden=8)
threading.Thread(target=lambda: run.train(seconds=60), daemon=True).start()
time.sleep(0.3)"""
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        assert done.returncode == 0 and not done.stderr, (done.returncode, done.stderr)


def test_threads_of_others():
    """A call leaves the caller's number of threads, which NumPy's products go by, as it was."""
    openmp = ctypes.CDLL("libgomp.so.1")
    before = openmp.omp_get_max_threads()
    try:
        openmp.omp_set_num_threads(1)
        sluice.Run("experts", DIGITS, threads=os.cpu_count(), **SMALL).train(5).scores()
        assert openmp.omp_get_max_threads() == 1
    finally:
        openmp.omp_set_num_threads(before)


def test_fork():
    """The child of a fork is refused, the parent goes on."""
    run = small()
    child = os.fork()
    if child == 0:
        try:
            run.train(1)
        except sluice.ForkedError:
            os._exit(0)
        os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    run.train(1)


def test_sweep():
    """A sweep has a row for each setting and seed, and a store gives back what it has."""
    sweep = sluice.sweep("experts", DIGITS, k=[1, 2], seeds=range(2), updates=40, store="s.sluice", **SMALL)
    table = sweep.table()
    assert table["k"] == [1, 2, 1, 2] and table["seed"] == [0, 0, 1, 1] and set(table["status"]) == {"finished"}
    one = sluice.Run("experts", DIGITS, threads=1, k=2, seed=1, **SMALL).train(40)
    assert one.scores()["test"]["error"] == table["test.error"][3]
    again = sluice.sweep("experts", DIGITS, k=[1, 2], seeds=range(2), updates=40, store="s.sluice", **SMALL).table()
    assert again["test.error"] == table["test.error"] and len(sluice.open("s.sluice")) == 4
    lists = sluice.sweep("sign-estimator", "moons", hidden=[12, 8], rank=[[2, 2], [3, 3]], updates=5).table()
    assert lists["rank"] == ["2-2", "3-3"], lists
    steps = []
    sluice.sweep("experts", DIGITS, k=[1, 2], updates=2, progress=lambda over, share: steps.append((over, share)), **SMALL)
    assert steps[-1] == (2, 1), steps
    for wrong in ({"k": ["1,2"]}, {"k": []}, {"seeds": [1.5]}, {"at_once": -1}):
        raises(sluice.InvalidError, lambda: sluice.sweep("experts", DIGITS, **{**SMALL, "updates": 1, **wrong}))


def test_log():
    """A log of one's own training is curves to the program."""
    with sluice.log("mine.jsonl") as log:
        for step in range(5):
            log(step, loss=1 / (step + 1), load=np.arange(3) + step, none=None, gap=float("nan"), deep=np.ones((1, 2)))
    cli("plot", "mine.jsonl", "loss=loss.csv")
    lines = open("loss.csv", encoding="utf-8").read().splitlines()
    first = json.loads(open("mine.jsonl", encoding="utf-8").readline())
    assert first["none"] is None and first["gap"] is None and first["deep/0/1"] == 1
    values = [float(line.split(",")[1]) for line in lines if line[0].isdigit()]
    assert np.allclose(values, 1 / np.arange(1, 6)), values


def test_words():
    """Wrong words are refused with the nearest right one, and more experts than there are."""
    for work in (lambda: small(k=7), lambda: small().set(k=7), lambda: small().train(1).set(k=7), lambda: small(k=4).set(experts=3),
                 lambda: sluice.sweep("experts", DIGITS, **{**SMALL, "k": [1, 7], "updates": 1})):
        raises(sluice.InvalidError, work, "k: found", "(experts)")
    assert small(experts=1).get("k") == "2" and small(experts=9, k=7).get("k") == "7"
    raises(sluice.InvalidError, lambda: sluice.Run("expert"), "experts")
    raises(ValueError, lambda: small(learning_rat=1), "learning-rate")
    run = small()
    raises(sluice.InvalidError, lambda: run["cv.har"], "cv.hard")
    raises(TypeError, lambda: run[None], "None")
    raises(sluice.InvalidError, lambda: run.panel("clases"), "classes")
    raises(sluice.InvalidError, lambda: run.figure("error", styl="icml"), "style")
    raises(sluice.InvalidError, lambda: run.figure("error", style="no\nthing"))
    raises(sluice.UnsupportedError, lambda: run.figure("error"), "train")
    raises(sluice.InvalidError, lambda: run.train(0))
    raises(sluice.InvalidError, lambda: run.train(1).set(experts=3), "experts")
    assert run.get("experts") == "6"
    raises(sluice.InvalidError, lambda: small(k="2\nlearning-rate=1"), "break")
    raises(sluice.InvalidError, lambda: small(k=None), "None")
    for seed in (-1, 1 << 64, 1.5, None):
        raises(sluice.InvalidError, lambda: small(seed=seed), "seed")
    assert small(seed=np.int64(3), k=np.float32(1)).get("k") == "1"
    raises(sluice.InvalidError, lambda: run.alive(example=-1), "example")


def test_types():
    """Type checkers know the module, and its documentation reads."""
    help_text = subprocess.run([sys.executable, "-m", "pydoc", "sluice"], capture_output=True, text=True, check=True).stdout
    assert "sluice.Run(" in help_text and "router" in help_text
    if os.path.exists("/usr/bin/mypy"):
        done = subprocess.run(["/usr/bin/mypy", "--strict", os.path.join(MODULE, "sluice")], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


def test_notebook():
    """The cells of the tour run one after the other, and what they end with can be shown."""
    path = os.path.join(os.path.dirname(MODULE), "docs", "python.ipynb")
    names = {}
    shown = io.StringIO()
    for cell in json.load(open(path, encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            with contextlib.redirect_stdout(shown):
                exec(compile("".join(cell["source"]), path, "exec"), names)
    assert "which is" in shown.getvalue()
    assert names["run"].figure("alive error cost", across=3)._repr_svg_().startswith("<")
    assert names["routing"].cv[1] > 3 * names["routing"].chance[1]
    if importlib.util.find_spec("nbconvert") is not None:
        subprocess.run([sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--output-dir", ".", path],
                       check=True, capture_output=True)


if __name__ == "__main__":
    run_tests(globals())
