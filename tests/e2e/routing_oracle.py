# SPDX-License-Identifier: MIT
"""An independent computation of every number of recorded routing, with NumPy: what the program says of a
recording is held against it.  It shares nothing with the program but the definitions of the numbers.

read() opens a .npz as the program writes it, look() gives the document of it, compare_ids() two of them.
Slow: caches and counts are loops over tokens as one would write them down first."""

import io
import math
import zipfile

import numpy as np

import recorded_oracle as recorded

NONE = -1
RUN_LEAST, RUN_CHANCE = 64, 1e-6
EVENNESS = ("cv", "gini", "peak", "effective", "dead")
MOST_EXPERTS, MOST_K = 4096, 64
DEFAULTS = dict(window=256, hot=10.0, decode=0, devices=8, extra=8, nodes=1, groups=1, replan=4, blocks=20,
                **recorded.DEFAULTS)

IDS = ("ids", "topk_ids", "top_indices", "routed_experts", "indices", "arr_0")
GATES = ("topk_weights", "weights", "gates")
SCORES = ("router_logits", "logits", "router_scores")


class Refused(Exception):
    """The file cannot be a recording; the text is for people."""


# ------------------------------------------------------------------------------------------------ recordings

class Recording:
    """ids[l]: (T_l, k) int32 in recorded order, NONE where there is no expert; or counts: (L, rows, n)."""

    def __init__(self):
        self.kind, self.layers, self.ids, self.gates, self.passes = "ids", [], [], [], []
        self.counts = self.scores = None
        self.n, self.n_from, self.k, self.notes, self.phase = 0, "", 0, [], None
        self.grouped = None                      # what groups() said before tokens were left out
        self.says_rank, self.top = False, None   # slots are ranked; largest number of an unsigned type
        self.mask = False                        # made of a mask of all experts, which has no order
        self.zeros = None                        # zeros[l]: (T_l) routings to numbers beyond those that were said
        self.words, self.word_order = None, {}   # words[l]: (T_l) texts or None; in which order they appear, layer after layer

    def groups(self):
        """Layers whose tokens are the same, because their passes have the same sizes, a warm-up counted."""
        if self.grouped is not None:
            return self.grouped
        out = []
        for l, p in enumerate(self.passes):
            same = [g for g in out if np.array_equal(self.passes[g[0]], p)]
            if same:
                same[0].append(l)
            else:
                out.append([l])
        return out


def pass_numbers(sizes):
    return np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)


def read_arrays(arrays, args):
    """npy, npz (2.1, 2.2): names win, else type and rank decide."""
    r = Recording()
    ids = counts = gates = scores = None
    names = {k: v for k, v in arrays.items() if v.ndim > 0}
    for name in IDS:
        if ids is None and name in names and names[name].dtype.kind in "iu":
            ids = names[name]
    if "topk_ids_of_layer" in names:
        ids = np.swapaxes(names["topk_ids_of_layer"], 0, 1)
    for name, a in names.items():
        if a.ndim == 3 and a.dtype.kind in "iu" and (name == "loads" or "count" in name):
            counts = a if name == "loads" else np.swapaxes(a, 0, 1)
    for name in GATES:
        gates = names.get(name, gates)
    for name in SCORES:
        scores = names.get(name, scores)
    maps = [a for name, a in names.items() if a.dtype.kind == "b" and name in ("", "routing_map") and a.ndim in (2, 3)]
    if maps and ids is None:
        on = maps[0][:, None, :] if maps[0].ndim == 2 else maps[0]      # a mask of all experts: [tokens, layers, experts]
        k = max(1, int(on.sum(-1).max(initial=0)))
        ids = np.argsort(~on, axis=-1, kind="stable")[..., :k]
        ids = np.where(np.take_along_axis(on, ids, -1), ids, NONE)
        r.n, r.n_from, r.mask = on.shape[-1], "file", True
    elif "" in names:
        a = names[""]
        if a.dtype.kind not in "iuf" or a.ndim not in (2, 3):
            raise Refused(f"an array of {a.ndim} axes of {a.dtype}")
        if a.dtype.kind == "f":
            scores = a
        elif args.kind == "counts" or (args.kind is None and a.ndim == 3 and not looks_like_ids(a)):
            counts = np.swapaxes(a, 0, 1)
        else:
            ids = a
    if "num_experts" in arrays:
        r.n, r.n_from = int(arrays["num_experts"]), "file"
    back = names.get("physical_to_logical_map")                # [layers, physical]: what is recorded are copies of experts
    if back is not None and ids is not None and ids.ndim == 3 and back.ndim == 2 and len(back) == ids.shape[1]:
        if ids.max() >= back.shape[1]:
            raise Refused(f"copy {int(ids.max())}, but there are {back.shape[1]}")
        ids = np.stack([np.where(ids[:, l] < 0, NONE, back[l][np.maximum(ids[:, l], 0).astype(np.int64)])
                        for l in range(len(back))], 1)
        r.n, r.n_from = r.n or int(back.max()) + 1, r.n_from or "file"
    if back is not None and counts is not None and back.ndim == 2 and len(back) == len(counts):
        n = int(back.max()) + 1
        counts = np.stack([np.stack([np.bincount(back[l], row, n) for row in counts[l]]) for l in range(len(back))]).astype(np.int64)
    layer = names.get("layer", names.get("layer_idx"))
    if ids is not None and ids.ndim == 2 and layer is not None and layer.shape == (len(ids),):
        for number in np.unique(layer):                       # a row for each token and layer
            rows = ids[layer == number]
            r.top = np.iinfo(ids.dtype).max if ids.dtype.kind == "u" else None
            r.layers.append(int(number))
            r.ids.append(rows.astype(np.int64))
            r.gates.append(None if gates is None else gates[layer == number].astype(np.float64))
            r.passes.append(np.zeros(len(rows), np.int64))
        return finish(r, args)
    if ids is not None:
        if ids.ndim not in (2, 3) or 0 in ids.shape:
            raise Refused(f"expert numbers of shape {ids.shape}")
        r.top = np.iinfo(ids.dtype).max if ids.dtype.kind == "u" else None
        ids = (ids[:, None, :] if ids.ndim == 2 else ids).astype(np.int64)
        r.ids = [ids[:, l, :] for l in range(ids.shape[1])]
        begins = names.get("pass")
        passes = np.zeros(len(ids), np.int64)
        if begins is not None and begins.shape == (len(ids),):
            passes = np.concatenate([[0], np.cumsum(begins[1:] != begins[:-1])])
        r.passes = [passes] * ids.shape[1]
        phase = names["forward_mode"] == 2 if "forward_mode" in names else names.get("phase")
        if phase is not None and phase.shape == (len(ids),):
            r.phase = [phase == 1] * ids.shape[1]
        gates = None if gates is None else (gates[:, None, :] if gates.ndim == 2 else gates).astype(np.float64)
        r.gates = [None if gates is None else gates[:, l, :] for l in range(ids.shape[1])]
    elif counts is not None:
        r.kind, r.counts = "counts", counts.astype(np.int64)
    elif scores is not None:
        if not args.k:
            raise Refused("scores of all experts: say how many are chosen (k)")
        s = (scores[:, None, :] if scores.ndim == 2 else scores).astype(np.float64)
        order = np.argsort(-s, axis=-1, kind="stable")[:, :, :args.k]
        r.ids = [order[:, l, :] for l in range(s.shape[1])]
        r.passes = [np.zeros(len(s), np.int64)] * s.shape[1]
        r.gates = [None] * s.shape[1]
        r.scores, r.n, r.n_from = s, s.shape[2], "file"
    else:
        raise Refused("no expert numbers or counts among " + ", ".join(sorted(names)))
    n_layers = len(r.ids) if r.kind == "ids" else len(r.counts)
    numbers = names.get("layer_numbers", names.get("layers"))
    r.layers = [int(x) for x in numbers] if numbers is not None and len(numbers) == n_layers else list(range(n_layers))
    return finish(r, args)


def looks_like_ids(a):
    """2.1, rule 4."""
    if a.shape[-1] > MOST_K or a.max(initial=0) >= MOST_EXPERTS:
        return False
    flat = a.reshape(-1, a.shape[-1]).astype(np.int64)
    zero = (flat == 0).all(1) if a.shape[-1] > 1 else np.zeros(len(flat), bool)
    flat = np.sort(flat[~zero], axis=1)
    if ((np.diff(flat, axis=1) == 0) & (flat[:, 1:] != NONE)).any():
        return False
    sums = flat.sum(1)
    return not (a.shape[-1] > 1 and len(sums) > 1 and (sums == sums[0]).all() and sums[0] > 0 and
                len(np.unique(flat, axis=0)) > 1)


def finish(r, args):
    """2.8 to 2.10: what is none, how many experts, which layers have routings, in which order slots are."""
    if r.kind == "counts":
        keep = r.counts.sum((0, 2)) > 0
        if not keep.all():
            r.notes.append(f"{int((~keep).sum())} of {len(keep)} rows are all zeros: left out")
            r.counts = r.counts[:, keep]
        empty = r.counts.sum((1, 2)) == 0
        r.layers = [l for l, e in zip(r.layers, empty) if not e]
        r.counts = r.counts[~empty]
        r.n, r.n_from, r.k = r.counts.shape[2], r.n_from or "file", args.k or 0
        return r
    for l, ids in enumerate(r.ids):
        if (ids < NONE).any():
            raise Refused(f"layer {r.layers[l]}: expert {int(ids.min())}")
        if r.top is not None and not (args.experts or r.n) > r.top and ((ids == r.top).sum(1) > 1).any():
            ids = np.where(ids == r.top, NONE, ids)
        if ids.shape[1] > 1:
            ids = np.where((ids == 0).all(1)[:, None], NONE, ids)
        r.ids[l] = ids
    for group in r.groups():
        together = np.concatenate([r.ids[l] for l in group], axis=1)
        filler = (together == np.concatenate([np.arange(r.ids[l].shape[1]) for l in group])).all(1)
        if filler.any() and together.shape[1] >= 8 and len(group) > 1:
            r.notes.append(f"{int(filler.sum())} tokens are padding (0, 1, … in every layer): none")
            for l in group:
                r.ids[l] = np.where(filler[:, None], NONE, r.ids[l])
    if args.experts:
        r.zeros = [(ids >= args.experts).sum(1) for ids in r.ids]
        r.ids = [np.where(ids >= args.experts, NONE, ids) for ids in r.ids]
    good = [l for l, ids in enumerate(r.ids) if (ids != NONE).any()]
    if len(good) < len(r.ids):
        r.notes.append(f"{len(r.ids) - len(good)} layers have no routings: left out")
    for name in ("ids", "gates", "passes", "layers"):
        setattr(r, name, [getattr(r, name)[l] for l in good])
    r.phase = None if r.phase is None else [r.phase[l] for l in good]
    r.words = None if r.words is None else [r.words[l] for l in good]
    r.zeros = None if r.zeros is None else [r.zeros[l] for l in good]
    if r.scores is not None:
        r.scores = r.scores[:, good]
    if not good:
        raise Refused("no routings")
    k = min(ids.shape[1] for ids in r.ids)
    if k > 1 and min(len(ids) for ids in r.ids) >= RUN_LEAST:
        end = np.concatenate([ids[:, -1] for ids in r.ids])
        rest = max(int(ids[:, :-1].max()) for ids in r.ids)
        if (end != NONE).all() and end.min() > rest:
            r.notes.append("left out: a shared expert in the last slot")
            r.ids = [ids[:, :-1] for ids in r.ids]
            r.gates = [None if g is None else g[:, :-1] for g in r.gates]
            if r.n and not args.experts:
                r.n = min(r.n, int(end.min()))
    most = max(int(ids.max()) for ids in r.ids)
    if args.experts:
        r.n, r.n_from = args.experts, "said"
    elif not r.n:
        r.n, r.n_from = most + 1, "largest"
    if most >= r.n:
        l = next(l for l, ids in enumerate(r.ids) if ids.max() >= r.n)
        t = int(np.flatnonzero((r.ids[l] >= r.n).any(1))[0])
        raise Refused(f"layer {r.layers[l]}, token {t}: expert {int(r.ids[l][t].max())}, expected one of 0 to {r.n - 1}")
    if r.n > MOST_EXPERTS or max(ids.shape[1] for ids in r.ids) > MOST_K:
        raise Refused(f"{r.n} experts, {max(ids.shape[1] for ids in r.ids)} of them a token: more than can be looked at")
    r.k = max(ids.shape[1] for ids in r.ids)
    for l, ids in enumerate(r.ids):
        s = np.sort(ids, axis=1)
        twice = ((np.diff(s, axis=1) == 0) & (s[:, 1:] != NONE)).any(1)
        if twice.any():
            raise Refused(f"layer {r.layers[l]}, token {int(np.flatnonzero(twice)[0])}: an expert twice")
        if r.gates[l] is not None and (np.diff(np.where(ids != NONE, r.gates[l], -np.finfo(np.float64).max), axis=1) > 0).any():
            order = np.argsort(-np.where(ids != NONE, r.gates[l], -np.inf), axis=1, kind="stable")
            r.ids[l] = np.take_along_axis(ids, order, 1)
            r.gates[l] = np.take_along_axis(r.gates[l], order, 1)
    return r


def order_of(r):
    """Ranked where gate values or the file say so, ascending where every token's experts are, else listed."""
    if r.scores is not None or r.says_rank or r.k == 1 or all(g is not None for g in r.gates):
        return "ranked"
    full = [ids[(ids != NONE).all(1)] for ids in r.ids]
    if r.mask or r.k > 1 and all(len(f) >= 32 and (np.diff(f, axis=1) > 0).all() for f in full):
        return "ascending"
    return "listed"


def read(path, args):
    with zipfile.ZipFile(path) as archive:
        if archive.testzip() is not None:
            raise Refused("a member's check sum is wrong")
        arrays = {name[:-4]: np.load(io.BytesIO(archive.read(name)), allow_pickle=False)
                  for name in archive.namelist() if name.endswith(".npy")}
    return read_arrays(arrays, args)


def read_rows(rows, args):
    """Rows in the order of the file: layer, token_idx, ids, and if there are such gates, decoded, word.  A pass of a layer
    begins where token_idx does not rise; args.decode: passes with so few tokens are decoding."""
    r, of_layer = Recording(), {}
    rows = [dict(row) for row in rows]
    for row in rows:
        of_layer.setdefault(row["layer"], []).append(row)
    r.layers, width = sorted(of_layer), max(len(row["ids"]) for row in rows)
    for mine in (of_layer[number] for number in r.layers):
        pad = lambda values, none: [list(v) + [none] * (width - len(v)) for v in values]
        r.ids.append(np.array(pad([row["ids"] for row in mine], NONE), np.int64))
        gates = [row.get("gates") for row in mine]
        r.gates.append(None if None in gates else np.array(pad(gates, 0.0), np.float64))
        index = np.array([row["token_idx"] for row in mine])
        r.passes.append(np.concatenate([[0], np.cumsum(index[1:] <= index[:-1])]))
    if any("decoded" in row for row in rows):
        r.phase = [np.array([row["decoded"] for row in of_layer[number]]) for number in r.layers]
    elif args.decode:
        r.phase = [np.isin(p, np.flatnonzero(np.bincount(p) <= args.decode)) for p in r.passes]
    if any(row.get("word") is not None for row in rows):
        r.words = [np.array([row.get("word") for row in of_layer[number]], object) for number in r.layers]
    finish(r, args)
    for word in (word for layer in r.words or () for word in layer if word is not None):
        r.word_order.setdefault(word, len(r.word_order))
    return r


# ------------------------------------------------------------------------------------------------ warm-up

def find_runs(keys, lengths_least=RUN_LEAST, chance=RUN_CHANCE):
    """keys: (T, …) sorted routes.  Returns [(first, tokens)] of runs that chance does not explain."""
    T = len(keys)
    if T == 0:
        return []
    change = np.flatnonzero((keys[1:] != keys[:-1]).any(1)) + 1
    first = np.concatenate([[0], change])
    length = np.diff(np.concatenate([first, [T]]))
    long = np.flatnonzero(length >= lengths_least)
    outside = np.ones(T, bool)
    for i in long:
        outside[first[i]:first[i] + length[i]] = False
    rest = keys[outside]
    if not (rest != NONE).any():        # no routing would be left
        return []
    found = []
    for i in long:
        q = (1 + int((rest == keys[first[i]]).all(1).sum())) / (1 + len(rest))
        if math.log(T) + length[i] * math.log(q) < math.log(chance):
            found.append((int(first[i]), int(length[i])))
    return found


def warm_up(r):
    """Runs of the layers that have the same tokens, found together; masks of tokens to keep."""
    sets = [np.sort(ids, axis=1) for ids in r.ids]
    all_runs = [None] * len(sets)
    for group in r.groups():
        runs = find_runs(np.concatenate([sets[l] for l in group], axis=1))
        for l in group:
            all_runs[l] = runs
    keep = []
    for s, runs in zip(sets, all_runs):
        mask = np.ones(len(s), bool)
        for f, n in runs:
            mask[f:f + n] = False
        keep.append(mask)
    return all_runs, keep


def take(r, masks):
    out = Recording()
    out.__dict__.update({k: v for k, v in r.__dict__.items()})
    out.grouped = r.groups()
    out.ids = [a[m] for a, m in zip(r.ids, masks)]
    out.gates = [None if g is None else g[m] for g, m in zip(r.gates, masks)]
    out.passes = [p[m] for p, m in zip(r.passes, masks)]
    if r.phase is not None:
        out.phase = [p[m] for p, m in zip(r.phase, masks)]
    if r.zeros is not None:
        out.zeros = [z[m] for z, m in zip(r.zeros, masks)]
    if r.words is not None:
        out.words = [w[m] for w, m in zip(r.words, masks)]
    if r.scores is not None:
        out.scores = r.scores[masks[0]]
    return out


# ------------------------------------------------------------------------------------------------ numbers (4)

def phi_inverse(p):
    """Quantile of the normal distribution by bisection of erfc: slow and sure."""
    lo, hi = -40.0, 40.0
    for _ in range(200):
        mid = (lo + hi) / 2
        if 0.5 * math.erfc(-mid / math.sqrt(2)) < p:
            lo = mid
        else:
            hi = mid
    return (lo + hi) / 2


def chance(n, routings, slack):
    """Chance: slack is Σ_t k_t² ÷ Σ_t k_t; k for a fixed k, 1 where tokens are not known."""
    if n < 2 or routings == 0:
        return dict(floor=0.0, floor_mean=0.0, floor_95=0.0, peak=1.0, effective=float(n))
    floor = math.sqrt(max(0.0, (n - slack) / routings))
    v = n - 1
    c4 = math.sqrt(2 / v) * math.exp(math.lgamma(n / 2) - math.lgamma(v / 2))
    h = 2 / (9 * v)
    return dict(floor=floor, floor_mean=c4 * floor,
                floor_95=floor * (1 - h + 1.6448536269514722 * math.sqrt(h)) ** 1.5,
                peak=1 + floor * math.sqrt(n / (n - 1)) * phi_inverse((n - 0.375) / (n + 0.25)),
                effective=n * math.exp(-(n - slack) / (2 * routings)))


def load_of(ids, n):
    return np.bincount(ids[ids != NONE], minlength=n)[:n]


def by_load(load):
    """Experts by falling load; ties: the lower number first."""
    return np.argsort(-load, kind="stable")


def cv(x):
    m = x.mean()
    return float(np.sqrt(((x - m) ** 2).mean()) / m) if m > 0 else 0.0


def dead_by_chance(ids, n):
    k = np.bincount((ids != NONE).sum(1), minlength=1)
    return float(n * math.exp(sum(c * math.log1p(-i / n) for i, c in enumerate(k) if c and i))) if len(k) <= n else 0.0


def balance(load, slack):
    n, R = len(load), int(load.sum())
    out = dict(routings=R, cv=cv(load), peak=float(load.max() * n / R) if R else 1.0)
    out["maxvio"] = out["peak"] - 1
    p = load[load > 0] / R if R else np.array([1.0])
    out["entropy_bits"] = float(-(p * np.log2(p)).sum())
    out["effective"] = float(np.exp(-(p * np.log(p)).sum())) if R else 0.0
    out["dead"] = int((load == 0).sum())
    c = chance(n, R, slack)
    out["chance"] = c
    out["gini"], c["gini"] = recorded.gini(load), recorded.gini_by_chance(c["floor"], n)
    out["cv_excess"] = math.sqrt(max(0.0, out["cv"] ** 2 - c["floor"] ** 2))
    order = by_load(load)
    cover = np.cumsum(load[order])
    out["coverage"] = [float(x) / R for x in cover] if R else []
    for share in (50, 80, 90):
        out[f"serve_{share}"] = int(np.searchsorted(cover * 100, share * R) + 1) if R else 0
    return out


def hot_count(n, percent):
    return max(1, math.ceil(n * percent / 100 - 1e-9))


def windows_of(ids, n, w):
    """Loads (windows, n) and tokens of each; the last one may be short."""
    T = len(ids)
    cuts = list(range(0, T, w)) + [T]
    loads = np.array([load_of(ids[a:b], n) for a, b in zip(cuts, cuts[1:])]).reshape(-1, n)
    return loads, np.diff(cuts)


def slack_of(ids):
    k = (ids != NONE).sum(1)
    return float((k.astype(float) ** 2).sum() / k.sum()) if k.sum() else 0.0


def hot_sets(loads, percent):
    n = loads.shape[1]
    m = hot_count(n, percent)
    hot = [set(by_load(x)[:m].tolist()) for x in loads]
    j = [len(a & b) / len(a | b) for a, b in zip(hot, hot[1:])]
    carry = [float(y[list(a)].sum() / y.sum()) for a, y in zip(hot, loads[1:])]
    inside = [float(y[list(a)].sum() / y.sum()) for a, y in zip(hot[1:], loads[1:])]
    return dict(m=m, jaccard=[float(x) for x in j], jaccard_mean=float(np.mean(j)) if j else None,
                jaccard_by_chance=m / (2 * n - m), carry_mean=float(np.mean(carry)) if carry else None,
                inside_mean=float(np.mean(inside)) if inside else None)


def coactivation(ids, n, k):
    T = len(ids)
    on = np.zeros((T, n))
    t, s = np.nonzero(ids != NONE)
    on[t, ids[t, s]] = 1
    both = (on.T @ on).astype(np.int64)
    load = both.diagonal().copy()
    i, j = np.triu_indices(n, 1)
    c = both[i, j]
    expected = load[i] * load[j] / T
    ok = expected >= 5
    chance_lift = n * (k - 1) / (k * (n - 1)) if k > 1 and n > 1 else None
    out = dict(pairs=int(c.sum()), never=int((c == 0).sum()), tested=int(ok.sum()), lift_by_chance=chance_lift)
    if ok.any() and chance_lift:
        lift = np.where(ok, c / np.where(expected > 0, expected, 1), np.nan)
        rank = np.lexsort((j[ok], i[ok], -lift[ok]))
        pick = lambda q: [int(i[ok][q]), int(j[ok][q]), int(c[ok][q]), float(lift[ok][q])]
        out["most"] = [pick(q) for q in rank[:8]]
        out["least"] = [pick(q) for q in rank[::-1][:4]]
        out["mean_log2_abs"] = float(np.abs(np.log2(np.maximum(lift[ok], 1 / 1024) / chance_lift)).mean())
    return out


def touched(ids, n, k):
    out, b = [], 1
    while b <= 4096 and b <= len(ids):
        whole = len(ids) // b
        d = [np.unique(x[x != NONE]).size for x in ids[:whole * b].reshape(whole, -1)]
        out.append([b, float(np.mean(d)), n * (1 - (1 - k / n) ** b)])
        b *= 2
    return out


def passes_touched(ids, passes):
    out = {}
    for p in np.unique(passes):
        x = ids[passes == p]
        out.setdefault(len(x), []).append(np.unique(x[x != NONE]).size)
    return [[b, len(v), float(np.mean(v))] for b, v in sorted(out.items())]


# ---------------------------------------------------------------------------------------------- caches

def lru_distances(ids, n):
    """Position in the stack, from 0, before the token; n for a first use.  Histogram (n + 1)."""
    stack, histogram = [], np.zeros(n + 1, np.int64)
    for row in ids.tolist():
        row = [e for e in row if e != NONE]
        for e in row:
            histogram[stack.index(e) if e in stack else n] += 1
        for e in row:
            if e in stack:
                stack.remove(e)
            stack.insert(0, e)
    return histogram


def lfu_hits(ids, n, size):
    count, last, cached, hits, now = [0] * n, [-1] * n, set(), 0, 0
    for row in ids.tolist():
        row = [e for e in row if e != NONE]
        hits += sum(e in cached for e in row)
        for e in row:
            count[e] += 1
            last[e] = now
            now += 1
        for e in row:
            if e in cached:
                continue
            if len(cached) == size:
                can = [c for c in cached if c not in row]
                if not can:
                    continue
                cached.discard(min(can, key=lambda c: (count[c], last[c])))
            cached.add(e)
    return hits


def best_hits(ids, n, size):
    """Belady: evicts what is needed again last; ties the higher number."""
    rows = [[e for e in row if e != NONE] for row in ids.tolist()]
    after, upcoming = [None] * len(rows), [len(rows)] * n
    for t in range(len(rows) - 1, -1, -1):
        after[t] = [upcoming[e] for e in rows[t]]
        for e in rows[t]:
            upcoming[e] = t
    cached, hits = {}, 0
    for t, row in enumerate(rows):
        hits += sum(e in cached for e in row)
        use = dict(zip(row, after[t]))
        for e in row:
            if e in cached:
                cached[e] = use[e]
        for e in row:
            if e in cached:
                continue
            if len(cached) == size:
                can = [c for c in cached if c not in use]
                if not can:
                    continue
                del cached[max(can, key=lambda c: (cached[c], c))]
            cached[e] = use[e]
    return hits


def cache_sizes(n, k):
    return sorted({min(n, max(1, s)) for s in (k, -(-n // 8), -(-n // 4), -(-n // 2), -(-3 * n // 4))})


def caches(ids, n, k, heavy=True):
    R = int((ids != NONE).sum())
    h = lru_distances(ids, n)
    lru = np.cumsum(h[:n]) / R
    half = len(ids) // 2
    pinned = by_load(load_of(ids[:half], n))
    later = load_of(ids[half:], n)
    out = dict(first_uses=int(h[n]), lru=[float(x) for x in lru], sizes=cache_sizes(n, k))
    out["held_out_static"] = [float(later[pinned[:c]].sum() / max(later.sum(), 1)) for c in out["sizes"]]
    if heavy:
        out["lfu"] = [lfu_hits(ids, n, c) / R for c in out["sizes"]]
        out["best"] = [best_hits(ids, n, c) / R for c in out["sizes"]]
    return out


# --------------------------------------------------------------------------------- capacity and placement

def capacity_of(factor, tokens, k, n):
    x = factor * tokens * k / n
    return math.ceil(x - 1e-9)


def dropped(loads, tokens, k, n, factor):
    lost = sum(int(np.maximum(x - capacity_of(factor, int(t), k, n), 0).sum()) for x, t in zip(loads, tokens))
    return lost / int(loads.sum())


def tokens_hurt(ids, n, k, w, factor):
    """First come, first served inside a window: tokens that lose an expert, that lose all."""
    some = all_ = 0
    for a in range(0, len(ids), w):
        part = ids[a:a + w].tolist()
        cap, used = capacity_of(factor, len(part), k, n), [0] * n
        for row in part:
            lost = 0
            row = [e for e in row if e != NONE]
            for e in row:
                used[e] += 1
                lost += used[e] > cap
            some += lost > 0
            all_ += lost == len(row) > 0
    return some / len(ids), all_ / len(ids)


def pack(weights, packs):
    """Items by falling weight (ties: lower number) to the lightest pack with room (ties: lower number)."""
    per = len(weights) // packs
    place = [0] * len(weights)
    if per == 1:
        return list(range(len(weights)))
    total, held = [0.0] * packs, [0] * packs
    for i in sorted(range(len(weights)), key=lambda i: (-weights[i], i)):
        p = min((p for p in range(packs) if held[p] < per), key=lambda p: (total[p], p))
        place[i] = p
        total[p] += weights[i]
        held[p] += 1
    return place


def replicate(weights, slots):
    """Logical number of each physical expert, and copies of each: one more of the busiest per copy."""
    copies, physical = [1] * len(weights), list(range(len(weights)))
    while len(physical) < slots:
        i = max(range(len(weights)), key=lambda i: (weights[i] / copies[i], -i))
        physical.append(i)
        copies[i] += 1
    return physical, copies


def place_balanced(load, g, extra, nodes=1, groups=1):
    """Slots as (logical, device), device by device, and copies of each logical expert."""
    n = len(load)
    slots = -(-(n + extra) // g) * g
    if extra == 0:
        slots = -(-n // g) * g
    weights = [float(x) for x in load]
    if groups % nodes or g % nodes or n % groups or slots % nodes:
        nodes = groups = 1
    if nodes == 1 or extra == 0:            # without spare places it is the greedy placement
        nodes = groups = 1
    if extra == 0 and slots > n:
        weights += [0.0] * (slots - n)      # empty places; they are not experts
    m = len(weights)
    size, per_node = m // groups, groups // nodes
    if nodes == 1:
        order = list(range(m))
    else:
        node = pack([sum(weights[q * size:(q + 1) * size]) for q in range(groups)], nodes)
        order = []
        for d in range(nodes):
            members = [q for q in range(groups) if node[q] == d]
            rank = sorted(members, key=lambda q: (-sum(weights[q * size:(q + 1) * size]), q))
            if per_node == 1:
                rank = members
            for q in rank:
                order += range(q * size, (q + 1) * size)
    in_node, local = m // nodes, slots // nodes
    placed, copies = [[] for _ in range(g)], [0] * m
    for d in range(nodes):
        mine = order[d * in_node:(d + 1) * in_node]
        physical, c = replicate([weights[e] for e in mine], local)
        for i, e in enumerate(mine):
            copies[e] = c[i]
        device = pack([weights[mine[i]] / c[i] for i in physical], g // nodes)
        for i in sorted(range(local), key=lambda i: (-weights[mine[physical[i]]] / c[physical[i]], i)):
            placed[d * (g // nodes) + device[i]].append(mine[physical[i]])
    return [[e for e in p if e < n] for p in placed], copies[:n]


def static_devices(n, g):
    sizes = [n // g + (d < n % g) for d in range(g)]
    ends = np.cumsum([0] + sizes)
    return [list(range(a, b)) for a, b in zip(ends, ends[1:])], [1] * n


def device_loads(load, placed, copies):
    return [sum(load[e] / copies[e] for e in p) for p in placed]


def balancedness(loads, placed, copies):
    """Σ mean ÷ Σ max over windows: what share of the devices' time is work."""
    d = np.array([device_loads(x, placed, copies) for x in loads])
    return float(d.mean(1).sum() / d.max(1).sum()) if d.max(1).sum() > 0 else 1.0


def even_device(n, g, k, tokens):
    """What choosing k of n at random would reach with the static placement, one window of so many tokens."""
    m = -(-n // g)
    h = n % g or g
    if g == 1 or tokens == 0 or m == n:
        return 1.0
    if k > n:                               # slots of experts that compute nothing: no k of n
        return None
    spread = math.sqrt(k * (m / n) * (1 - m / n) * (n - k) / (n - 1) * tokens) / (tokens * k * m / n)
    return n / (g * m) / (1 + spread * math.sqrt(n / (n - m)) * phi_inverse((h - 0.375) / (h + 0.25)))


def placements(loads, tokens, k, o):
    n = loads.shape[1]
    g, total = min(o["devices"], n), loads.sum(0)
    half = len(loads) // 2
    out = dict(devices=g, slots=-(-(n + o["extra"]) // g) * g)
    kinds = dict(static=lambda x: static_devices(n, g), greedy=lambda x: place_balanced(x, g, 0),
                 replicated=lambda x: place_balanced(x, g, o["extra"], o["nodes"], o["groups"]))
    for name, make in kinds.items():
        placed, copies = make(total)
        d = device_loads(total, placed, copies)
        e = dict(placed=[[int(x) for x in p] for p in placed], copies=[int(x) for x in copies],
                 load=[float(x) for x in d], whole=float(np.mean(d) / max(d)),
                 windows=balancedness(loads, placed, copies))
        if half:
            p, c = make(loads[:half].sum(0))
            e["held_out"] = balancedness(loads[half:], p, c)
            every, parts = o["replan"], []
            for w in range(every, len(loads)):
                if w % every == 0:
                    p, c = make(loads[w - every:w].sum(0))
                x = np.array(device_loads(loads[w], p, c))
                parts.append((x.mean(), x.max()))
            if parts:
                e["followed"] = float(sum(a for a, _ in parts) / sum(b for _, b in parts))
        out[name] = e
    out["even"] = even_device(n, g, k, int(np.median(tokens)))
    return out


# -------------------------------------------------------------------------------------- layer to layer

def information(x, y, n):
    both = np.zeros((n, n), np.int64)
    np.add.at(both, (x, y), 1)
    N = len(x)

    def h(c):
        p = c[c > 0] / N
        return float(-(p * np.log2(p)).sum()), int((c > 0).sum())

    hx, mx = h(both.sum(1))
    hy, my = h(both.sum(0))
    hxy, mxy = h(both.ravel())
    fix = 1 / (2 * N * math.log(2))
    return dict(plain=hx + hy - hxy, corrected=hx + hy - hxy + (mx + my - mxy - 1) * fix,
                h_next=hy + (my - 1) * fix)


def first_of(ids):
    """The first expert of tokens that have one."""
    return ids[np.arange(len(ids)), (ids != NONE).argmax(1)]


def next_layer(a, b, n, ranked):
    ok = ((a != NONE).any(1)) & ((b != NONE).any(1))
    a, b = a[ok], b[ok]
    N, half = len(a), len(a) // 2
    out = dict(tokens=N)
    if N < 4:
        return out
    if ranked:
        x, y = first_of(a), first_of(b)
        out["information"] = information(x, y, n)
        shifted = np.roll(y, -(N // 2))
        out["information_unrelated"] = information(x, shifted, n)["corrected"]
        both = np.zeros((n, n), np.int64)
        np.add.at(both, (x[:half], y[:half]), 1)
        best = int(both.sum(0).argmax())
        guess = np.where(both.sum(1) > 0, both.argmax(1), best)
        out["top1"] = float((guess[x[half:]] == y[half:]).mean())
        out["top1_always"] = float((y[half:] == best).mean())
    on_a = np.zeros((half, n))
    on_b = np.zeros((half, n))
    for on, ids in ((on_a, a[:half]), (on_b, b[:half])):
        t, s = np.nonzero(ids != NONE)
        on[t, ids[t, s]] = 1
    pair, times = (on_a.T @ on_b).astype(np.int64), on_a.sum(0).astype(np.int64)
    always = by_load(on_b.sum(0).astype(np.int64))
    hit = base = asked = 0
    for row_a, row_b in zip(a[half:].tolist(), b[half:].tolist()):
        row_a, row_b = sorted(e for e in row_a if e != NONE), [e for e in row_b if e != NONE]
        score = np.zeros(n)
        for e in row_a:
            if times[e]:
                score += pair[e] / times[e]
        guess = set(np.argsort(-score, kind="stable")[:len(row_b)].tolist())
        hit += len(guess & set(row_b))
        base += len(set(always[:len(row_b)].tolist()) & set(row_b))
        asked += len(row_b)
    out.update(recall=hit / asked, recall_always=base / asked, recall_by_chance=float((b != NONE).sum(1).mean() / n))
    return out


# ------------------------------------------------------------------------------------------------ bias

def replay_bias(scores, k, rate, w):
    """Loss-free bias on recorded scores (T, n): choose by s + b, after each window b += rate sign (mean − load)."""
    T, n = scores.shape
    bias, loads, moved, out = np.zeros(n), [], 0, []
    plain = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    for a in range(0, T, w):
        part = scores[a:a + w]
        chosen = np.argsort(-(part + bias), axis=1, kind="stable")[:, :k]
        load = np.bincount(chosen.ravel(), minlength=n)
        before = np.bincount(plain[a:a + w].ravel(), minlength=n)
        moved += sum(len(set(x) - set(y)) for x, y in zip(chosen.tolist(), plain[a:a + w].tolist()))
        out.append([float(before.max() * n / before.sum() - 1), float(load.max() * n / load.sum() - 1)])
        loads.append(load)
        bias += rate * np.sign(load.mean() - load)
    total = np.sum(loads, 0)
    return dict(maxvio=out, bias=[float(x) for x in bias], load=total.tolist(), moved=moved / (T * k))


# --------------------------------------------------------------------------------------------- comparison

T_38 = 2.0243941639119702   # 97.5 % of Student's t with 38 degrees of freedom


def block_errors(ids, n, blocks):
    """None where a block has no routings."""
    T = len(ids)
    cut = [b * T // blocks for b in range(blocks + 1)]
    x = np.array([load_of(ids[p:q], n) for p, q in zip(cut, cut[1:])], float)
    if not x.any(1).all():
        return None
    x = x * n / x.sum(1, keepdims=True)
    return ((x - x.mean(0)) ** 2).sum(0) / (blocks * (blocks - 1))


def compare_loads(la, lb, ka, kb):
    n = len(la)
    p, q = la / la.sum(), lb / lb.sum()
    m = (p + q) / 2
    js = 0.0
    for x in (p, q):
        ok = x > 0
        js += 0.5 * float((x[ok] * np.log2(x[ok] / m[ok])).sum())
    ta, tb = la.sum() / ka, lb.sum() / kb
    pool = (la + lb) / (ta + tb)
    k = (la.sum() + lb.sum()) / (ta + tb)
    sd = np.sqrt(np.maximum(pool * (1 - np.minimum(pool, 1)), 0) * (1 / ta + 1 / tb)) / k
    return dict(difference=[float(x) for x in n * (p - q)], total_variation=float(np.abs(p - q).sum() / 2),
                total_variation_by_chance=float(0.5 * math.sqrt(2 / math.pi) * sd.sum()), jensen_shannon_bits=js,
                binomial_half_width=[float(x) for x in 1.959963984540054 * n * sd])


def compare_ids(a, b, n, o, paired=False, ranked=True):
    la, lb = load_of(a, n), load_of(b, n)
    out = compare_loads(la.astype(float), lb.astype(float), slack_of(a), slack_of(b))
    errors = [block_errors(ids, n, o["blocks"]) if len(ids) >= 2 * o["blocks"] else None for ids in (a, b)]
    if errors[0] is not None and errors[1] is not None:
        half = T_38 * np.sqrt(errors[0] + errors[1])
        out["half_width"] = [float(x) for x in half]
        out["beyond"] = int((np.abs(np.array(out["difference"])) > half).sum())
    if paired and len(a) == len(b):
        same = total = exact = top = 0
        for x, y in zip(a.tolist(), b.tolist()):
            p, q = {e for e in x if e != NONE}, {e for e in y if e != NONE}
            same += len(p & q)
            total += max(len(p), len(q))
            exact += p == q
            top += x[0] == y[0]
        out.update(flip=1 - same / total, same_set=exact / len(a), top1_flip=1 - top / len(a) if ranked else None)
    return out


# ------------------------------------------------------------------------------------------------ the document

def layer_numbers(ids, gates, passes, n, k, o, heavy):
    load, slack = load_of(ids, n), slack_of(ids)
    T = len(ids)
    out = dict(tokens=T, load=load.tolist(), **balance(load, slack), dead_by_chance=dead_by_chance(ids, n))
    loads, tokens = windows_of(ids, n, o["window"])
    out["window_cv"] = [cv(x) for x in loads]
    out["window_floor"] = [chance(n, int(x.sum()), slack)["floor"] for x in loads]
    out["window_idle"] = [int((x == 0).sum()) for x in loads]
    whole = loads[tokens == o["window"]]
    out["hot"] = [int(x) for x in by_load(load)[:hot_count(n, o["hot"])]]
    out["hot_windows"] = hot_sets(whole, o["hot"])
    out["touched"] = touched(ids, n, k)
    out["coactivation"] = coactivation(ids, n, k) if k > 1 else None
    out["cache"] = caches(ids, n, k, heavy)
    out["capacity"] = [[f, dropped(loads, tokens, k, n, f), *tokens_hurt(ids, n, k, o["window"], f)]
                       for f in (1.0, 1.25, 1.5, 2.0, 4.0)]
    if len(whole) >= 1:
        out["placement"] = placements(whole, tokens[tokens == o["window"]], k, o)
    if gates is not None:
        g = np.where(ids != NONE, gates, 0.0)
        mass = np.zeros(n)
        np.add.at(mass, ids[ids != NONE], g[ids != NONE])
        total = g.sum(1)
        share = g / np.where(total > 0, total, 1)[:, None]
        ent = -(np.where(share > 0, share * np.log2(np.where(share > 0, share, 1)), 0)).sum(1)
        out["gates"] = dict(importance_cv=cv(mass), entropy_bits=float(ent.mean()), sum=float(total.mean()),
                            first=float(share[:, 0].mean()))
    if passes is not None and len(np.unique(passes)) > 1:
        out["passes_touched"] = passes_touched(ids, passes)[:40]
    return out


def zero_numbers(zeros, load):
    """Experts that compute nothing, where there are any."""
    if zeros is None or not zeros.any():
        return {}
    routings, real = int(zeros.sum()), int(load.sum())
    return dict(zero=dict(routings=routings, share=routings / (routings + real), mean_k=real / len(zeros)))


def over_layers(layers, n, percent):
    """Least, quartiles, greatest over the layers."""
    pick = dict(cv=lambda v: v["cv"], gini=lambda v: v["gini"], peak=lambda v: v["peak"], effective=lambda v: v["effective"] / n,
                dead=lambda v: v["dead"] / n, hot=lambda v: v["coverage"][hot_count(n, percent) - 1] if v["coverage"] else 0.0)
    return {name: [float(x) for x in np.percentile([f(v) for v in layers.values()], (0, 25, 50, 75, 100))]
            for name, f in pick.items()}


def document(r, o, heavy=True):
    doc = dict(kind=r.kind, layers=r.layers, experts=r.n, experts_from=r.n_from, k=r.k, notes=list(r.notes))
    if r.kind == "counts":
        doc["rows"] = int(r.counts.shape[1])
        doc["layer"] = {}
        k = r.k or 1
        for l, name in enumerate(r.layers):
            total = r.counts[l].sum(0)
            b = balance(total, k)
            b["load"] = total.tolist()
            b["row_cv"] = [cv(x) for x in r.counts[l]]
            b["row_floor"] = [chance(r.n, int(x.sum()), k)["floor"] for x in r.counts[l]]
            b["row_dead"] = [int((x == 0).sum()) for x in r.counts[l]]
            b["hot_windows"] = hot_sets(r.counts[l], o["hot"])
            b["placement"] = placements(r.counts[l], r.counts[l].sum(1) / k, k, o)
            b["capacity"] = [[f, dropped(r.counts[l], r.counts[l].sum(1) / k, k, r.n, f)] for f in (1.0, 1.25, 1.5, 2.0, 4.0)]
            b["first_to_last"] = compare_loads(r.counts[l, 0].astype(float), r.counts[l, -1].astype(float), k, k) \
                if r.counts.shape[1] > 1 else None
            doc["layer"][str(name)] = b
        doc["over_layers"] = over_layers(doc["layer"], r.n, o["hot"])
        return {**doc, **recorded.objects(r, o)}
    doc["order"] = order_of(r)
    groups = r.groups()
    doc["aligned"] = len(groups) == 1
    doc["tokens"] = [len(a) for a in r.ids]
    sizes = np.bincount(r.passes[0]) if len(r.passes[0]) else np.array([0])
    sizes = sizes[sizes > 0]
    doc["passes"] = dict(number=int(len(sizes)), first=[int(x) for x in sizes[:6]])
    doc["layer"] = {str(name): layer_numbers(r.ids[l], r.gates[l], r.passes[l], r.n, r.k, o, heavy)
                    for l, name in enumerate(r.layers)}
    for l, name in enumerate(r.layers):
        doc["layer"][str(name)].update(zero_numbers(r.zeros and r.zeros[l], load_of(r.ids[l], r.n)))
    doc["over_layers"] = over_layers(doc["layer"], r.n, o["hot"])
    together = [(l, l + 1) for l in range(len(r.ids) - 1) if any(l in g and l + 1 in g for g in groups)]
    doc["next"] = {f"{r.layers[a]}-{r.layers[b]}": next_layer(r.ids[a], r.ids[b], r.n, doc["order"] != "ascending")
                   for a, b in together}
    if r.scores is not None:
        doc["bias"] = {str(name): replay_bias(r.scores[:, l], r.k, 2.0 ** -6, o["window"])
                       for l, name in enumerate(r.layers)}
    halves = {}
    for l, name in enumerate(r.layers):
        half = len(r.ids[l]) // 2
        if half:
            halves[str(name)] = compare_ids(r.ids[l][:half], r.ids[l][half:], r.n, o)
    doc["first_half_to_second"] = halves
    phase = None
    if r.phase is not None:
        phase = r.phase
    elif o["decode"]:
        phase = [np.isin(p, np.flatnonzero(np.bincount(p) <= o["decode"])) for p in r.passes]
    if phase is not None:
        doc["phases"] = {}
        for l, name in enumerate(r.layers):
            a, b = r.ids[l][~phase[l]], r.ids[l][phase[l]]
            if len(a) and len(b):
                doc["phases"][str(name)] = dict(
                    prefill=dict(tokens=len(a), **{x: balance(load_of(a, r.n), slack_of(a))[x] for x in EVENNESS}),
                    decode=dict(tokens=len(b), **{x: balance(load_of(b, r.n), slack_of(b))[x] for x in EVENNESS}),
                    comparison=compare_ids(a, b, r.n, o))
    return {**doc, **recorded.objects(r, o, phase)}


def look(r, o, mode, heavy=True):
    """Documents with the warm-up left out, kept, or both."""
    if r.kind == "counts":
        return dict(document(r, o))
    runs, keep = warm_up(r)
    report = dict(runs=[[[f, n, *(e for e in np.sort(r.ids[l][f]).tolist() if e != NONE)] for f, n in rr] for l, rr in enumerate(runs)],
                  left_out=[int((~m).sum()) for m in keep], of=[len(m) for m in keep])
    out = dict(warm_up=report)
    if mode in ("drop", "both"):
        out["without"] = document(take(r, keep), o, heavy)
    if mode in ("keep", "both"):
        out["with"] = document(r, o, heavy)
    return out
