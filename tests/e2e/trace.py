#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""sluice-cli trace from outside.  Arguments: the program, the golden numbers, the sources."""

import json
import os
import re
import struct
import sys
import zipfile

from common import differences, rows, run_tests, runner

PROGRAM, GOLDEN, SOURCE = map(os.path.abspath, sys.argv[1:4])
RECORDINGS = os.path.join(os.environ.get("SLUICE_SHARED_DATA",
                                         os.path.join(SOURCE, "..", "shared", "data")), "routing")
TOKENS, LAYERS, K, EXPERTS = 600, 2, 2, 8
cli = runner(PROGRAM)


def experts(token, layer):
    return [(3 * token + token // 7 + layer) % EXPERTS, (3 * token + token // 7 + layer + 1) % EXPERTS]


def skewed(token, layer):
    """Some experts are rare, more of them in layer 1."""
    rare = token % 10 == 0 if layer == 0 else token % 20 < 4
    pair = [token // 3 % 4 if token % 3 == 0 else 0, 6 + token // 30 % 2 if rare else 4 + token // 2 % 2]
    return pair[::-1] if token % 2 else pair


def write_npy(name, route, tokens=TOKENS, last=0):
    """Expert numbers as NumPy writes them, `last` bytes short."""
    head = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({tokens}, {LAYERS}, {K}), }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    body = bytes(e for t in range(tokens) for layer in range(LAYERS) for e in route(t, layer))
    with open(name, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode()
                   + body[:len(body) - last])


def write_lines(name):
    with open(name, "w", encoding="utf-8") as file:
        file.write(json.dumps({"type": "meta", "top_k": K, "num_experts": EXPERTS}) + "\n")
        for token in range(TOKENS):
            file.write(json.dumps({"layer": 8, "token_idx": token, "topk_ids": experts(token, 0),
                                   "topk_weights": [0.75, 0.25]}) + "\n")


def write_counts(name):
    with open(name, "w", encoding="utf-8") as file:
        file.write("layer,expert,count\n" + "".join(f"0,{e},{e + 1}\n" for e in range(8)))


def document(*words):
    return json.loads(cli("trace", *words, "--json").stdout)


def test_nodes_that_do_not_fit():
    """What is asked for and not done is said, once for each file."""
    write_npy("nodes.npy", experts)
    told = cli("trace", "nodes.npy", "--set", "nodes=3 groups=3 devices=4 extra=4").stderr
    assert "one node" in told and told.count("\n") == 1, told
    assert cli("trace", "nodes.npy", "--set", "nodes=2 groups=2 devices=4 extra=4").stderr == ""
    assert cli("trace", "nodes.npy").stderr == ""


def test_names():
    """Every whole array that is known by its name is in the document; a lone one is read under any name."""
    with open(os.path.join(SOURCE, "core/data/read/meaning/rules.c"), encoding="utf-8") as file:
        rules = re.findall(r'"([\w*]+)", *[A-Z_ |]+, SL_ROLE_(?:IDS|SCORES|MASK|LOADS),', file.read())
    with open(os.path.join(SOURCE, "docs/file-formats.md"), encoding="utf-8") as file:
        document_of = file.read()
    assert len(rules) > 20 and [name for name in rules if f"`{name}`" not in document_of] == []
    write_npy("chosen.npy", skewed)
    with zipfile.ZipFile("chosen.npz", "w") as file:
        file.write("chosen.npy")
    assert cli("trace", "chosen.npz").stdout.splitlines()[1:] == cli("trace", "chosen.npy").stdout.splitlines()[1:]
    refused = cli("data", "chosen.npz", code=1).stderr
    assert "try as=ids" in refused and "topk_ids" in refused, refused
    with open("unknown.csv", "w", encoding="utf-8") as file:
        file.write("tok,block,e\n" + "".join(f"{t},0,{t % 7}\n" for t in range(40)))
    assert "a column expert" in cli("trace", "unknown.csv", code=1).stderr


def test_document():
    write_npy("a.npy", experts)
    whole = document("a.npy")
    assert whole["file"] == "a.npy" and whole["warm_up_left_out"]
    assert whole["experts"] == EXPERTS and whole["experts_from"] == "largest" and whole["k"] == K
    assert whole["layers"] == [0, 1] and whole["tokens"] == [TOKENS, TOKENS]
    load = [0] * EXPERTS
    for token in range(TOKENS):
        for expert in experts(token, 1):
            load[expert] += 1
    assert whole["layer"]["1"]["load"] == load
    assert whole["layer"]["1"]["peak"] == EXPERTS * max(load) / (TOKENS * K)
    assert whole["next"]["0-1"]["tokens"] == TOKENS
    only = document("a.npy", "--layer", "1")
    assert only["layer"] == {"1": whole["layer"]["1"]} and only["layers"] == [1]
    said = document("a.npy:experts=16", "--set", "window=100", "--set", "devices=4")
    assert said["experts"] == 16 and said["experts_from"] == "said"
    assert len(said["layer"]["0"]["window_cv"]) == TOKENS // 100
    assert said["layer"]["0"]["placement"]["devices"] == 4


def test_files_and_table():
    write_lines("log.jsonl")
    both = cli("trace", "a.npy", "log.jsonl").stdout
    assert "a.npy: 2 layers, 8 experts (7 is the largest number" in both, both
    assert "log.jsonl: 1 layer, 8 experts, 2 per token, strongest first" in both, both
    line = next(row.split() for row in both.splitlines() if row.split()[:1] == ["8"] and "GiB" not in row)
    assert line[1] == str(TOKENS), line
    logged = document("log.jsonl")["layer"]["8"]
    assert line[2] == f"{logged['cv']:.3f}" and line[5] == f"{logged['gini']:.3f}" and line[6] == f"{logged['peak']:.2f}", line
    assert abs(logged["gates"]["first"] - 0.75) < 1e-6
    assert "LRU 3" in cli("trace", "log.jsonl", "--set", "cache=3").stdout
    two = cli("trace", "a.npy", "log.jsonl", "--json").stdout
    first, end = json.JSONDecoder().raw_decode(two)
    assert first["file"] == "a.npy" and json.loads(two[end:])["file"] == "log.jsonl"


def test_use():
    """What is said behind the table is what the document has."""
    write_npy("skewed.npy", skewed)
    write_counts("counts.csv")
    found = document("skewed.npy", "--set", "memory=0.09")
    text = cli("trace", "skewed.npy", "--set", "memory=0.09").stdout
    memory = found["memory"]
    place = memory["places"].index(7)
    assert memory["size_from"] == "assumed" and "0.09 GiB hold 7 of 16 experts of 2 layers" in text, text
    assert f"LRU hits {100 * memory['lru'][place]:.1f} %" in text, text
    fastest = float(f"{memory['phases']['all']['tokens_per_second'][place]:.3g}")
    assert fastest > 1000 and f"at most {fastest:.0f} tokens a second at 25 GB/s" in text, text
    equal, free = found["keep"]["equal"], found["keep"]["free"]
    assert 0.2 < memory["lru"][place] < 0.9 and equal["per_layer"] < 8 and free["experts"] % LAYERS, found["keep"]
    assert (f"serve 95 % of the routings: {equal['per_layer']} of 8 experts in every layer, or "
            f"{free['experts'] / LAYERS:.1f} on average if free; judged on the second half "
            f"{100 * equal['judged']:.1f} % and {100 * free['judged']:.1f} %.") in text, text
    assert text.count("The hot set, ") == 1 and f" of {LAYERS} layers." in text, text
    write_npy("single.npy", skewed, 1)
    assert "even share of 12 % in 0 of" in cli("trace", "single.npy:axes=tlk,experts=8").stdout, "by chance"
    small = cli("trace", "skewed.npy", "--set", "memory=0.01").stdout
    assert "0.01 GiB hold no expert of 12 MiB." in small and "tokens a second" not in small, small
    by_pass = cli("trace", "skewed.npy", "--set", "memory=0.09", "--set", "by=pass").stdout
    assert "nothing is loaded" not in by_pass, by_pass
    of_counts = cli("trace", "counts.csv").stdout
    assert "GiB" not in of_counts and "on average if free.\n" in of_counts, of_counts


def test_keep_and_caches():
    """Each alone on the standard output, and the same as in the document."""
    write_npy("a.npy", experts)
    write_counts("counts.csv")
    whole = document("a.npy")
    keep = json.loads(cli("trace", "a.npy", "--keep", "95").stdout)
    assert keep == {"file": "a.npy", **whole["keep"]}, keep
    assert json.loads(cli("trace", "a.npy", "--keep", "95%").stdout) == keep
    assert json.loads(cli("trace", "a.npy", "--keep", "1e-3").stdout)["equal"]["per_layer"] == K
    assert json.loads(cli("trace", "a.npy", "--keep", "95", "--layer", "1").stdout)["layers"] == [1]
    table = rows(cli("trace", "a.npy", "--caches").stdout)
    memory = whole["memory"]
    for i, row in enumerate(table):
        cells = [float(cell or "inf") for cell in row.values()]
        steady = memory["phases"]["all"]["steady"]
        speed = memory["phases"]["all"]["tokens_per_second"][i]
        want = [memory["places"][i], memory["gib"][i], memory["any"][i], memory["lru"][i], memory["lfu"][i],
                memory["best"][i], memory["pinned"][i], steady["lru"][i], steady["lfu"][i], steady["best"][i],
                float("inf") if speed is None else speed]
        assert len(cells) == len(want) and all(a == b or abs(a - b) <= 1e-8 * b for a, b in zip(cells, want)), row
    assert len(table) == len(memory["places"])
    assert "only counts" in cli("trace", "counts.csv", "--caches", code=1).stderr
    for words in (["--keep", "0"], ["--keep", "101"], ["--keep", "x"], ["--keep", "95", "--json"], ["--caches", "--json"],
                  ["--caches", "--compare", "a.npy"], ["--set", "by=layer"]):
        assert cli("trace", "a.npy", *words, code=2).stdout == "", words


def test_expect():
    """Exit codes, and a sentence for each expectation that fails."""
    write_npy("a.npy", experts)
    write_counts("counts.csv")
    layers = document("a.npy")["layer"]
    worst = max(layers, key=lambda name: layers[name]["cv"])
    text = cli("trace", "a.npy").stdout
    held = cli("trace", "a.npy", "--expect", "cv<1, dead=0, tokens >= 600", "--expect", "recall>0, effective>50%")
    assert held.stdout == text and held.stderr == ""
    failed = cli("trace", "a.npy", "--expect", "cv<0,dead=0,gini>=1,lru<=100%", code=4)
    assert failed.stdout == text and failed.stderr.count("\n") == 2, failed.stderr
    assert f"layer {worst}: cv" in failed.stderr and "in 2 of 2 layers" in failed.stderr, failed.stderr
    only = cli("trace", "a.npy", "--expect", "cv<0", "--layer", "0", code=4).stderr
    assert "layer 0: cv" in only and " of " not in only, only
    cli("trace", "a.npy", "--expect", "recall>0", "--layer", "1")      # from layer 0
    assert "no layer has the figure recall" in cli("trace", "a.npy", "--layer", "0", "--expect", "recall>=0", code=4).stderr
    assert "no layer has the figure lru" in cli("trace", "counts.csv", "--expect", "lru>0", code=4).stderr
    for more in (["--json"], ["--keep", "95"], ["--caches"]):
        plain = cli("trace", "a.npy", *more).stdout
        assert cli("trace", "a.npy", *more, "--expect", "cv<0", code=4).stdout == plain
    for words in ("", "cvs<1", "cv<", "cv<1%", "cv<nan", "cv<1,", "dead"):
        wrong = cli("trace", "a.npy", "--expect", words, code=2)
        assert wrong.stdout == "" and "--expect" in wrong.stderr, (words, wrong.stderr)
    assert "excess" in cli("trace", "a.npy", "--expect", "cvs<1", code=2).stderr
    assert cli("trace", "nothing.npy", "--expect", "cv<1", code=2).stdout == ""
    write_npy("cut.npy", experts, last=3)
    cli("trace", "cut.npy", "--expect", "cv<1", code=1)


def test_warm_up():
    write_npy("warm.npy", lambda token, layer: [5, 2] if token < 200 else experts(token, layer))
    left = document("warm.npy")
    assert left["warm_up"] == {"runs": [[[0, 200, 2, 5]]] * LAYERS, "left_out": [200] * LAYERS,
                               "of": [TOKENS] * LAYERS}, left["warm_up"]
    assert left["tokens"] == [TOKENS - 200] * LAYERS
    kept = document("warm.npy", "--keep-warm-up")
    assert kept["tokens"] == [TOKENS] * LAYERS and not kept["warm_up_left_out"]
    text = cli("trace", "warm.npy").stdout
    assert "200 of 600 tokens left out" in text and "went to 2, 5" in text, text
    assert "are counted" in cli("trace", "warm.npy", "--keep-warm-up").stdout


def test_recording():
    """What a run of experts writes is the recording that the scores of the run are of."""
    done = cli("run", "experts", "--data", "moons:points=900", "--set", "experts=8", "--set", "k=2", "--steps", "20",
               "--quiet", "--recording", "toy.npz")
    column = next(line.split() for line in done.stdout.splitlines() if line.startswith("CV of load"))
    toy = document("toy.npz", "--keep-warm-up")
    assert toy["experts"] == 8 and toy["experts_from"] == "file" and toy["k"] == 2 and toy["order"] == "ranked"
    assert f"{toy['layer']['0']['cv']:.4f}" in column, (toy["layer"]["0"]["cv"], column)
    assert "toy.npz: recorded routing, 1 layer, 8 experts, 2 a token" in cli("validate", "toy.npz").stdout
    assert "--picture does not go with" in cli("run", "sign-estimator", "--recording", "a.npz", "--picture", "a.png", code=2).stderr
    assert "--recording does not go with sign-estimator" in cli("run", "sign-estimator", "--recording", "x.npz", code=2).stderr


def test_export():
    """Recordings of any file as .npz are the same recordings, but for the size of an expert."""
    write_lines("log.jsonl")
    write_npy("a.npy", experts)
    for name in ("log.jsonl", "a.npy", "router:tokens=700,experts=12,warm-up=100",
                 "router:tokens=3,layers=3,warm-up=0"):
        cli("data", name, "--recording", "again.npz")
        got, want = (json.loads(cli("trace", each, "--json", "--keep-warm-up", "--set", "expert-size=1").stdout)
                     for each in ("again.npz", name))
        for each in (got, want):
            del each["file"], each["notes"], each["experts_from"]
        assert not list(differences(name, got, want)), list(differences(name, got, want))[:5]
    with open("table.csv", "w", encoding="utf-8") as file:
        file.write("1.5,2.5,0\n0.5,1.5,1\n" * 20)
    assert "not recorded routing" in cli("data", "table.csv", "--recording", "x.npz", code=2).stderr
    assert not os.path.exists("x.npz")
    assert "SPEC" in cli("data", "--recording", "x.npz", code=2).stderr
    write_npy("cut.npy", experts, last=3)
    assert "cut.npy: " in cli("validate", "cut.npy", code=1).stdout


def test_scores():
    """What the bias is added to is a setting: it moves the small numbers of a softmax further."""
    head = b"{'descr': '<f4', 'fortran_order': False, 'shape': (600, 8), }"
    scores = struct.pack("<4800f", *(float(e == 0) + ((7 * t + 3 * e) % 10) / 4 for t in range(600) for e in range(8)))
    with open("scores.npy", "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head) + 1) + head + b"\n" + scores)
    plain, soft = (document("scores.npy:k=2", "--set", "bias-rate=0.02", "--set", "window=50", "--set", f"score={each}")
                   for each in ("recorded", "softmax"))
    assert plain["layer"] == soft["layer"] and plain["bias"] != soft["bias"]
    assert "sigmoid" in cli("trace", "scores.npy:k=2", "--set", "score=none", code=2).stderr


def test_comparison():
    write_npy("b.npy", lambda token, layer: experts(token + token % 2, layer))
    write_npy("short.npy", experts, TOKENS - 1)
    compared = document("a.npy", "--compare", "b.npy", "--paired")
    assert compared["compared_with"] == "b.npy"
    same = sum(sorted(experts(t, 0)) == sorted(experts(t + t % 2, 0)) for t in range(TOKENS)) / TOKENS
    assert abs(compared["comparison"]["0"]["same_set"] - same) < 1e-9
    assert document("a.npy", "--compare", "a.npy")["comparison"]["1"]["total_variation"] == 0
    text = cli("trace", "a.npy", "--compare", "b.npy", "--paired").stdout
    assert "Compared with b.npy" in text and "top flip" in text, text
    line = text.splitlines()[-2].split()
    assert line[0] == "0" and f"{100 * same:.1f}" in line, (line, same)
    assert "top flip" not in cli("trace", "a.npy", "--compare", "b.npy").stdout
    for words, hint in ((["a.npy", "--compare", "short.npy", "--paired"], "599 tokens"),
                        (["a.npy", "--compare", "b.npy:experts=9"], "9 experts"),
                        (["a.npy", "--compare", "log.jsonl"], "other layers")):
        assert hint in cli("trace", *words, "--json", code=1).stderr, words
        assert "Compared with" not in cli("trace", *words, code=1).stdout, words


def test_several_arrays():
    """np.savez (f, *layers) is read as all layers, and two arrays of whole recordings not as the first."""
    write_npy("a.npy", experts)
    with open("a.npy", "rb") as file:
        array = file.read()
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        for names, code in ((["arr_0", "arr_1"], 0), (["topk_ids", "indices"], 1), (["arr_0"], 0)):
            with zipfile.ZipFile("layers.npz", "w", method) as archive:
                for name in names:
                    archive.writestr(f"{name}.npy", array)
            told = cli("trace", "layers.npz", code=code)
            assert code == 0 or all(word in told.stderr for word in (*names, "np.stack")), told.stderr


def test_refusals():
    write_npy("cut.npy", experts, last=3)
    with open("table.csv", "w", encoding="utf-8") as file:
        file.write("1.5,2.5,0\n0.5,1.5,1\n" * 20)
    for words in (["cut.npy"], ["table.csv"], ["cut.npy", "a.npy"]):
        result = cli("trace", *words, code=1)
        assert words[0].split(":")[0] in result.stderr, (words, result.stderr)
        assert ("a.npy: 2 layers" in result.stdout) == (words[-1] == "a.npy"), words
    for words, hint in (([], "no file"), (["a.npy", "--jsn"], "--json"), (["nothing.npy"], "no data set or file"),
                        (["a.npy", "--set", "windows=3"], "window"),
                        (["a.npy", "--set", "window=0"], "from 1 to"),
                        (["a.npy", "--paired"], "--compare"), (["a.npy", "--layer", "7"], "layer 7")):
        assert hint in cli("trace", *words, code=2).stderr, words


def without_new(tree):
    """Without the numbers that oracle.py has and the golden file has not."""
    if isinstance(tree, dict):
        return {key: without_new(value) for key, value in tree.items() if key not in ("gini", "memory", "keep", "words")}
    return tree


def compare(name, entry, which):
    options = ",".join(f"{key}={value}" for key, value in entry["settings"].items())
    spec = os.path.join(RECORDINGS, name) + (":" + options if options else "")
    got = without_new(document(spec, *(["--keep-warm-up"] if which == "with" else [])))
    want = dict(entry[which], warm_up=entry["warm_up"]) if which else dict(entry)
    want.pop("settings", None)
    assert got.pop("file") == name
    assert got.pop("warm_up_left_out") == (which != "with")
    if not which:
        assert got.pop("warm_up")["left_out"] == [0] * len(got["layers"])
    found = list(differences(name, got, want))
    assert not found, found[:5]


def masked(data):
    """CRC-32 with Castagnoli's polynomial, as TFRecord files have it."""
    crc = 0xffffffff
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    crc ^= 0xffffffff
    return ((crc >> 15 | crc << 17) + 0xa282ead8) & 0xffffffff


def varint(number):
    low = number & 0x7f
    return bytes([low]) if number == low else bytes([low | 0x80]) + varint(number >> 7)


def event(step, values):
    """A record of TensorBoard with these values by their tags."""
    summary = b""
    for tag, value in values.items():
        one = b"\x0a" + varint(len(tag)) + tag.encode() + b"\x15" + struct.pack("<f", value)
        summary += b"\x0a" + varint(len(one)) + one
    data = b"\x10" + varint(step) + b"\x2a" + varint(len(summary)) + summary
    length = struct.pack("<Q", len(data))
    return length + struct.pack("<I", masked(length)) + data + struct.pack("<I", masked(data))


def test_training():
    """A folder of TensorBoard with a load for each expert, and the same as a table."""
    tags = [f"moe/layer_{layer}_expert_{expert}_load" for layer in (1, 3) for expert in range(EXPERTS)]
    loads = [[(11 * step + 5 * i * i) % 17 for i in range(len(tags))] for step in range(1, 21)]
    os.makedirs("logs/run")
    with open("logs/run/events.out.tfevents.1.host", "wb") as file:
        for step, row in enumerate(loads, 1):
            file.write(event(50 * step, {"train/loss": 1 / step, **dict(zip(tags, row))}))
    with open("wide.csv", "w", encoding="utf-8") as file:
        print("step", "train/loss", *tags, sep=",", file=file)
        for step, row in enumerate(loads, 1):
            print(50 * step, 1 / step, *row, sep=",", file=file)
    for name in "logs", "logs/run", "wide.csv":
        whole = document(name)
        assert whole["kind"] == "counts" and whole["layers"] == [1, 3] and whole["experts"] == EXPERTS
        assert whole["steps"] == [50 * step for step in range(1, 21)]
        assert whole["notes"] == ["left out: train/loss"]
        for place, layer in enumerate(("1", "3")):
            mine = [row[place * EXPERTS:(place + 1) * EXPERTS] for row in loads]
            assert whole["layer"][layer]["load"] == [sum(column) for column in zip(*mine)]
            for row, cv in zip(mine, whole["layer"][layer]["row_cv"]):
                mean = sum(row) / EXPERTS
                assert abs(cv - (sum((x - mean) ** 2 for x in row) / EXPERTS) ** 0.5 / mean) < 1e-12
        for command in ("data",), ("validate",), ("run", "routing", "--steps", "3", "--data"):
            told = cli(*command, name)
            assert "loads of 2 layers × 8 experts at 20 steps, 50 to 1000" in told.stdout + told.stderr
    assert "left out" in cli("trace", "logs:from=5,most=10").stdout
    assert "10 rows" in cli("trace", "logs:from=5,most=10").stdout


def test_recordings():
    with open(GOLDEN, encoding="utf-8") as file:
        fixtures = json.load(file)["fixtures"]
    assert len(fixtures) == 6
    if not os.path.isdir(RECORDINGS):
        print("# the folder of real data is not here")
        return
    for name, entry in fixtures.items():
        for which in ("without", "with") if "with" in entry else ("",):
            compare(name, entry, which)


sys.exit(run_tests(globals()))
