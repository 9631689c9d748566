#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The lines of Python that the help has for recordings, run as they stand there and opened afterwards, and what it
says opens without them.
Those that NumPy alone can do are run; the others need PyTorch, and a stand-in that has the few methods
they call sees to it that they are Python and make the shapes that are read.  Arguments: the program, and
one that prints the help's part on recordings."""

import base64
import io
import json
import os
import subprocess
import sys

from common import run_tests, runner

try:
    import numpy as np
except ImportError:
    print("1..0 # SKIP python3-numpy is not there")
    sys.exit(0)

PROGRAM, PRINT = map(os.path.abspath, sys.argv[1:3])
TOKENS, LAYERS, K, EXPERTS = 40, 3, 8, 16
cli = runner(PROGRAM)
lines = dict(line.split("\t", 1) for line in
             subprocess.run([PRINT], capture_output=True, text=True, check=True).stdout.splitlines())
generator = np.random.default_rng(1)


def routes(*shape):
    """Different experts in each row."""
    rows = [generator.permutation(EXPERTS)[:K] for _ in range(int(np.prod(shape)))]
    return np.array(rows, dtype="int32").reshape(*shape, K)


def code_of(title):
    """What is Python of a line: the longest beginning that ends with a bracket."""
    text = lines[title]
    for end in range(len(text), 0, -1):
        if text[end - 1] == ")":
            try:
                return compile(text[:end], title, "exec")
            except SyntaxError:
                continue
    raise AssertionError(f"no Python in {text!r}")


def run(title, **names):
    exec(code_of(title), {"np": np, "base64": base64, "open": open, **names})


def document(*words):
    return json.loads(cli("trace", *words, "--json").stdout)


def assert_routes(name, ids, **options):
    """The recording in a file has these loads; routes of nobody are even, so that the order of axes is said."""
    options = {"axes": "tlk", **options} if name.endswith(".npy") else options
    words = name + (":" + ",".join(f"{key}={value}" for key, value in options.items()) if options else "")
    got = document(words)
    for layer in range(ids.shape[1]):
        load = np.bincount(ids[:, layer].ravel(), minlength=got["experts"])
        assert got["layer"][str(layer)]["load"] == load.tolist(), (name, layer)
    os.remove(name)


class Tensor:
    """What the lines call of PyTorch, by NumPy."""

    def __init__(self, array):
        self.array = array

    def topk(self, k, axis):
        order = np.argsort(-self.array, axis=axis, kind="stable")[..., :k]
        return type("", (), {"indices": Tensor(order)})()

    def short(self):
        return Tensor(self.array.astype("int16"))

    def half(self):
        return Tensor(self.array.astype("float16"))

    def cpu(self):
        return self

    def numpy(self):
        return self.array


class Torch:
    stack = staticmethod(lambda parts, axis: Tensor(np.stack([part.array for part in parts], axis)))
    cat = staticmethod(lambda parts: Tensor(np.concatenate([part.array for part in parts])))


def logits():
    return [Tensor(generator.normal(size=(TOKENS, EXPERTS)).astype("float32")) for _ in range(LAYERS)]


def test_vllm():
    ids = routes(TOKENS, LAYERS)
    file = io.BytesIO()
    np.save(file, ids.astype("int16"))
    text = base64.b64encode(file.getvalue()).decode()
    with open("answer.json", "w", encoding="utf-8") as out:
        json.dump({"id": "x", "choices": [{"index": 0, "text": "…", "routed_experts": text}]}, out, indent=1)
    assert_routes("answer.json", ids)


def test_sglang():
    ids = routes(TOKENS, LAYERS)
    text = base64.b64encode(ids.astype("<i4").tobytes()).decode()
    with open("answer.json", "w", encoding="utf-8") as out:
        json.dump({"text": "…", "meta_info": {"id": "x", "routed_experts": text}}, out)
    assert "layers=" in cli("data", "answer.json", code=1).stderr
    assert_routes("answer.json", ids, layers=LAYERS, k=K)


def test_columns_first():
    ids = routes(TOKENS, LAYERS).astype("int16")
    np.save("trace.npy", np.asfortranarray(ids))
    assert_routes("trace.npy", ids)


def test_hugging_face():
    out = type("", (), {"router_logits": logits()})()
    chosen = np.stack([np.argsort(-layer.array, axis=-1, kind="stable")[:, :K] for layer in out.router_logits], 1)
    run("Hugging Face, experts", torch=Torch, out=out)
    assert_routes("trace.npy", chosen)
    run("Hugging Face, all scores", torch=Torch, out=out)
    assert "bias" in document(f"trace.npz:k={K},axes=tln")
    os.remove("trace.npz")


def test_own_model():
    before, after = lines["Your own model"].split("; afterwards ")
    hooks = []
    names = {"np": np, "torch": Torch,
             "router": type("", (), {"register_forward_hook": staticmethod(hooks.append)})}
    exec(before, names)
    outputs = logits()
    for output in outputs:
        hooks[0](None, None, output)
    exec(after[:after.rindex(")") + 1], names)
    chosen = np.concatenate([np.argsort(-each.array, axis=-1, kind="stable")[:, :K] for each in outputs])
    assert_routes("trace.npy", chosen[:, None, :], axes="tk", **{"as": "ids"})  # so few could be loads


def test_every_line():
    """No line of the help is left out here."""
    assert set(lines) == {"Hugging Face, experts", "Hugging Face, all scores", "Your own model"}, set(lines)


sys.exit(run_tests(dict(globals())))
