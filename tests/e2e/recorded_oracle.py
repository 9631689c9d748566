#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""An independent computation of what caches over layers, a list of experts to keep and words tell of recorded
routing.  It was written from the definitions of the numbers before the program was, and shares nothing with it.

Slow and obvious: lists, sets and dictionaries, a loop for everything.  recorded_oracle.py --self-test holds it
against small cases by hand."""

import math
import sys

MOST_LOOKUPS = 2 ** 24
MEBI, GIBI = 2.0 ** 20, 2.0 ** 30
TYPICAL = 20
DEFAULTS = {"memory": 8.0, "expert-size": 0.0, "bandwidth": 25.0, "by": "token"}
POLICIES = ("lru", "lfu", "best")


class Tokens:
    """The tokens of a layer that count, in order: experts of each (lists, empty slots skipped), number of its pass,
    whether it was decoded (None: the recording has no phases), its word (None: it has none)."""

    def __init__(self, experts, passes=None, decode=None, words=None):
        self.experts = experts
        self.passes = [0] * len(experts) if passes is None else passes
        self.decode = decode
        self.words = [None] * len(experts) if words is None else words


# ------------------------------------------------------------------------------------------------ Gini

def gini(load):
    x = sorted(int(value) for value in load)
    n, total = len(x), sum(x)
    if total == 0:
        return 0.0
    return sum((2 * i - n - 1) * value for i, value in enumerate(x, 1)) / (n * total)


def gini_by_chance(floor, n):
    if n == 1:
        return 0.0
    if floor is None:
        return None
    return floor * math.sqrt((n - 1) / n) / math.sqrt(math.pi)


# ------------------------------------------------------------------------------------------------ caches over layers

class Turn:
    def __init__(self, group, phase, items):
        self.group, self.phase, self.items = group, phase, items


def groups_of(tokens, by):
    """Groups as lists of places of tokens."""
    if by == "token":
        return [[t] for t in range(len(tokens.experts))]
    groups = []
    for t, number in enumerate(tokens.passes):
        if t == 0 or number != tokens.passes[t - 1]:
            groups.append([])
        groups[-1].append(t)
    return groups


def turns_of(layers, n, groups, number):
    """The turns of a group."""
    first = groups[number][0]
    phase = "decode" if layers[0].decode is not None and layers[0].decode[first] else "prefill"
    turns = []
    for place, layer in enumerate(layers):
        items = []
        for t in groups[number]:
            for expert in layer.experts[t]:
                if place * n + expert not in items:
                    items.append(place * n + expert)
        if items:
            turns.append(Turn(number, phase, items))
    return turns


def run_lru(turns, size):
    """Hits of each turn."""
    recent, hits = [], []                           # the most recent item first
    for turn in turns:
        cache = set(recent[:size])
        hits.append(sum(item in cache for item in turn.items))
        for item in turn.items:
            if item in recent:
                recent.remove(item)
            recent.insert(0, item)
    return hits


def run_lfu(turns, size):
    rank, cache, hits, lookups = {}, set(), [], 0   # rank: (count, time) of the items that were looked up
    for turn in turns:
        hits.append(sum(item in cache for item in turn.items))
        for item in turn.items:
            rank[item] = (rank[item][0] + 1 if item in rank else 1, lookups)
            lookups += 1
        let_in(cache, turn, size, lambda can: min(can, key=rank.__getitem__))
    return hits


def run_best(turns, size):
    uses = {}                                       # of each item the numbers of its turns
    for number, turn in enumerate(turns):
        for item in turn.items:
            uses.setdefault(item, []).append(number)
    after = {}                                      # of each item its next turn after the present one
    cache, hits = set(), []
    for turn in turns:
        hits.append(sum(item in cache for item in turn.items))
        for item in turn.items:
            uses[item].pop(0)
            after[item] = (uses[item][0] if uses[item] else math.inf, item)
        let_in(cache, turn, size, lambda can: max(can, key=after.__getitem__))
    return hits


def let_in(cache, turn, size, who_goes):
    """The missing items of a turn, for which others go."""
    for item in turn.items:
        if item in cache:
            continue
        if len(cache) == size:
            can = cache.difference(turn.items)
            if not can:
                continue
            cache.remove(who_goes(can))
        cache.add(item)


RUN = {"lru": run_lru, "lfu": run_lfu, "best": run_best}


def pinned(turns, n_groups, items, sizes):
    """Shares of a fixed set, or None."""
    half = n_groups // 2
    early, late = [0] * items, [0] * items
    for turn in turns:
        for item in turn.items:
            if turn.group < half:
                early[item] += 1
            else:
                late[item] += 1
    if sum(late) == 0:
        return None
    order = sorted(range(items), key=lambda item: (-early[item], item))
    return [sum(late[item] for item in order[:size]) / sum(late) for size in sizes]


def first_uses_of(turns):
    """Of each turn, how many of its items were never looked up before."""
    known, first = set(), []
    for turn in turns:
        first.append(sum(item not in known for item in turn.items))
        known.update(turn.items)
    return first


def phase_numbers(turns, tokens, first, hits, sizes, o, expert_bytes, name):
    """hits: of each policy, of each size, of each turn."""
    mine = [i for i, turn in enumerate(turns) if name in ("all", turn.phase)]
    lookups = sum(len(turns[i].items) for i in mine)
    firsts = sum(first[i] for i in mine)
    hit = {policy: [sum(each[i] for i in mine) for each in hits[policy]] for policy in POLICIES}
    out = {"tokens": tokens, "lookups": lookups, "first_uses": firsts}
    if lookups > firsts:
        out["steady"] = {policy: [h / (lookups - firsts) for h in hit[policy]] for policy in POLICIES}
    if tokens > 0:
        load = [(lookups - firsts - h) * expert_bytes / tokens for h in hit["lru"]]
        out["bytes_per_token"] = load
        out["tokens_per_second"] = [o["bandwidth"] * 1e9 / each if each > 0 else None for each in load]
    assert len(sizes) == len(hit["lru"])
    return out


def memory(names, layers, left_out, n, settings, recorded_bytes=0, most=MOST_LOOKUPS):
    """layers: Tokens of the layers that have the same tokens; names: theirs; left_out: those of the others."""
    o = {**DEFAULTS, **settings}
    if o["expert-size"] > 0:
        expert_bytes, size_from = o["expert-size"] * MEBI, "set"
    elif recorded_bytes:
        expert_bytes, size_from = recorded_bytes, "recording"
    else:
        expert_bytes, size_from = 12 * MEBI, "assumed"
    items = len(layers) * n
    places = min(items, max(1, math.floor(o["memory"] * GIBI / expert_bytes)))
    sizes = sorted({-(-items * i // 16) for i in (1, 2, 4, 8, 12, 16)} | {places})
    groups, turns, cut = groups_of(layers[0], o["by"]), [], False
    used = 0
    for number in range(len(groups)):
        more = turns_of(layers, n, groups, number)
        if sum(len(turn.items) for turn in turns + more) > most:
            cut = True
            break
        turns += more
        used = number + 1
    groups = groups[:used]
    lookups, first = sum(len(turn.items) for turn in turns), first_uses_of(turns)
    hits = {policy: [RUN[policy](turns, size) for size in sizes] for policy in POLICIES}
    out = {"by": o["by"], "layers": names, "left_out": left_out, "experts": items, "expert_bytes": expert_bytes,
           "size_from": size_from, "groups": len(groups), "lookups": lookups, "first_uses": sum(first),
           "places": sizes, "gib": [size * expert_bytes / GIBI for size in sizes],
           "any": [size / items for size in sizes]}
    if cut:
        out["cut"] = True
    if lookups:
        for policy in POLICIES:
            out[policy] = [sum(each) / lookups for each in hits[policy]]
    shares = pinned(turns, len(groups), items, sizes)
    if shares is not None:
        out["pinned"] = shares
    out["phases"] = {}
    for name in ("all", "prefill", "decode") if layers[0].decode is not None else ("all",):
        tokens = sum(len(group) for group in groups if name in ("all", phase_of(layers[0], group)))
        out["phases"][name] = phase_numbers(turns, tokens, first, hits, sizes, o, expert_bytes, name)
    return out


def phase_of(tokens, group):
    return "decode" if tokens.decode is not None and tokens.decode[group[0]] else "prefill"


# ------------------------------------------------------------------------------------------------ keep-list

def load_of(tokens, n):
    load = [0] * n
    for row in tokens:
        for expert in row:
            load[expert] += 1
    return load


def add_rows(rows, n):
    return [sum(int(row[e]) for row in rows) for e in range(n)]


def parts_of(layers, n, counts):
    """Loads of the first part and of the second of each layer, and whether there is a second."""
    rows = [layer if counts else layer.experts for layer in layers]
    add = add_rows if counts else load_of
    halves = [len(each) // 2 for each in rows]
    if not any(halves):
        return [add(each, n) for each in rows], None
    return ([add(each[:half], n) for each, half in zip(rows, halves)],
            [add(each[half:], n) for each, half in zip(rows, halves)])


def share(load, experts):
    return sum(load[e] for e in experts) / sum(load)


def mean_of(shares):
    total = 0.0
    for each in shares:
        total += each
    return total / len(shares) if shares else None


def coverage(loads, kept):
    return mean_of([share(load, experts) for load, experts in zip(loads, kept) if sum(load) > 0])


def keep_part(names, first, second, kept):
    out = {"experts": sum(len(experts) for experts in kept), "coverage": coverage(first, kept),
           "keep": {str(name): sorted(experts) for name, experts in zip(names, kept)}}
    if second is not None:
        judged = [share(later, experts) for load, later, experts in zip(first, second, kept)
                  if sum(load) > 0 and sum(later) > 0]
        out["judged"] = mean_of(judged)
        out["judged_least"] = min(judged) if judged else None
    return {key: value for key, value in out.items() if value is not None}


def keep_equal(orders, first, n, least, target):
    for m in range(least, n + 1):
        kept = [order[:m] if sum(load) > 0 else order for order, load in zip(orders, first)]
        reached = coverage(first, kept)
        if reached is not None and reached >= target:
            return m, kept
    return n, orders


def keep_free(orders, first, least, target):
    kept = [order[:least] if sum(load) > 0 else order[:] for order, load in zip(orders, first)]
    rest = [(-load[expert] / sum(load), l, place, expert) for l, (order, load) in enumerate(zip(orders, first))
            if sum(load) > 0 for place, expert in enumerate(order) if place >= least]
    for _, l, _, expert in sorted(rest):
        if coverage(first, kept) >= target:
            break
        kept[l].append(expert)
    return kept


def keep(names, layers, n, k, target, by_chance, counts=False):
    """layers: Tokens, or rows of counts; by_chance: how many experts chance leaves unused in each layer."""
    first, second = parts_of(layers, n, counts)
    least = min(n, max(1, k))
    orders = [sorted(range(n), key=lambda expert, load=load: (-load[expert], expert)) for load in first]
    m, equal = keep_equal(orders, first, n, least, target)
    free = keep_free(orders, first, least, target)
    whole = first if second is None else [[a + b for a, b in zip(x, y)] for x, y in zip(first, second)]
    never = {}
    for name, load, expected in zip(names, whole, by_chance):
        never[str(name)] = {"experts": [e for e in range(n) if load[e] == 0]}
        if expected is not None:
            never[str(name)]["by_chance"] = expected
    return {"target": target, "learned": "everything" if second is None else "first half", "experts": n,
            "layers": names, "equal": {"per_layer": m, **keep_part(names, first, second, equal)},
            "free": keep_part(names, first, second, free), "never_used": never}


def dead_by_chance(tokens, n):
    """Experts without a token if every token draws its own at random."""
    left = 1.0
    for row in tokens.experts:
        left *= 1 - len(row) / n
    return n * left


# ------------------------------------------------------------------------------------------------ words

def normal_quantile(p):
    low, high = -40.0, 40.0
    for _ in range(200):
        middle = (low + high) / 2
        if 0.5 * math.erfc(-middle / math.sqrt(2)) < p:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def times_log(a, b):
    return a * math.log(a / b) if a > 0 else 0.0


def words_of_layer(tokens, order):
    """order: the index of every word; None where no token has one."""
    pairs = [(word, set(row)) for word, row in zip(tokens.words, tokens.experts) if word is not None]
    if not pairs:
        return None
    total, c, load, both = len(pairs), {}, {}, {}
    for word, row in pairs:
        c[word] = c.get(word, 0) + 1
        for expert in row:
            load[expert] = load.get(expert, 0) + 1
            both[word, expert] = both.get((word, expert), 0) + 1
    bound = normal_quantile(1 - 0.05 / len(c)) ** 2
    typical = {}
    for (word, expert), count in both.items():
        expected = c[word] * load[expert] / total
        if count > expected:
            g2 = 2 * (times_log(count, expected) + times_log(c[word] - count, c[word] - expected))
            if g2 > bound:
                typical.setdefault(expert, []).append([word, count, c[word], expected, count / expected, g2])
    return {"tokens": total, "different": len(c), "bound": bound,
            "expert": {str(expert): sorted(rows, key=lambda row: (-row[5], order[row[0]]))[:TYPICAL]
                       for expert, rows in typical.items()}}


def words(names, layers, order):
    found = {str(name): words_of_layer(layer, order) for name, layer in zip(names, layers)}
    return {name: each for name, each in found.items() if each is not None}


# ------------------------------------------------------------------------------------------------ a recording

def tokens_of(recording, phase):
    """Layers of a Recording of routing_oracle: what is not an expert is negative."""
    out = []
    for l, ids in enumerate(recording.ids):
        rows = [[e for e in row if e >= 0] for row in ids.tolist()]
        out.append(Tokens(rows, [int(p) for p in recording.passes[l]],
                          None if phase is None else [bool(mark) for mark in phase[l]],
                          None if recording.words is None else list(recording.words[l])))
    return out


def keep_of(recording, target):
    """The keep-list of either kind of recording."""
    r = recording
    if r.kind != "counts":
        layers = tokens_of(r, None)
        return keep(r.layers, layers, r.n, r.k, target, [dead_by_chance(layer, r.n) for layer in layers])
    rows, k = [layer.tolist() for layer in r.counts], r.k or 1
    expected = [r.n * (1 - k / r.n) ** (sum(map(sum, layer)) / k) if k < r.n else 0.0 for layer in rows]
    return keep(r.layers, rows, r.n, r.k, target, expected, counts=True)


def objects(recording, settings, phase=None):
    """The members that are no part of a layer; settings by their names, `phase` as far as it was found later."""
    r = recording
    if r.kind == "counts":
        return {"keep": keep_of(r, 0.95)}
    layers = tokens_of(r, phase)
    group = next(each for each in r.groups() if 0 in each)
    out = {"memory": memory([r.layers[l] for l in group], [layers[l] for l in group],
                            [name for l, name in enumerate(r.layers) if l not in group], r.n, settings),
           "keep": keep_of(r, 0.95)}
    if r.words is not None:
        out["words"] = words(r.layers, layers, r.word_order)
    return out


# ------------------------------------------------------------------------------------------------ by hand

def test_gini():
    assert gini([5, 5, 5]) == 0 and gini([0, 0]) == 0 and gini([7]) == 0
    assert gini([0, 0, 0, 8]) == 3 / 4              # one has all: (n - 1) / n
    assert gini([3, 1]) == gini([1, 3]) == 1 / 4    # |3 - 1| twice, by 2 n S
    assert gini_by_chance(0.5, 1) == 0 and gini_by_chance(None, 4) is None
    assert abs(gini_by_chance(1.0, 2) - math.sqrt(0.5 / math.pi)) < 1e-15


def test_caches():
    """One layer; the turns are a, b, a, c, a."""
    a, b, c = [0], [1], [2]
    turns = [Turn(i, "prefill", items) for i, items in enumerate((a, b, a, c, b))]
    assert run_lru(turns, 2) == [0, 0, 1, 0, 0]     # c takes the place of b
    assert run_lfu(turns, 2) == [0, 0, 1, 0, 0]     # a was there twice
    assert run_best(turns, 2) == [0, 0, 1, 0, 1]    # a is never used again
    assert run_lru(turns, 3) == run_lfu(turns, 3) == run_best(turns, 3) == [0, 0, 1, 0, 1]
    assert run_lru(turns, 1) == [0, 0, 0, 0, 0]
    assert first_uses_of(turns) == [1, 1, 0, 1, 0]
    assert pinned(turns, 5, 3, [1, 2, 3]) == [1 / 3, 2 / 3, 1]     # first two: a, b; then a, c, b
    assert pinned(turns[:1], 1, 3, [1]) == [1] and pinned([], 0, 3, [1]) is None


def test_turns_wider_than_the_cache():
    """All lookups of a turn are made before anything is loaded, and nothing of the turn goes."""
    turns = [Turn(i, "prefill", items) for i, items in enumerate(([0, 1, 2], [0, 1, 2], [2, 3], [3]))]
    assert run_lru(turns, 2) == [0, 2, 1, 1]        # 2 1, 2 1, 3 2
    assert run_lfu(turns, 2) == [0, 2, 0, 1]        # 0 1 stay; then both go
    assert run_best(turns, 2) == [0, 2, 0, 1]
    ties = [Turn(i, "prefill", items) for i, items in enumerate(([0], [1], [2], [0], [1]))]
    assert run_best(ties, 2) == [0, 0, 0, 1, 0]     # 2 pushes 1 out, for 1 comes later than 0
    never = [Turn(i, "prefill", items) for i, items in enumerate(([0], [1], [2], [0]))]
    assert run_best(never, 2) == [0, 0, 0, 1]


def test_memory():
    """Two layers of two experts, three tokens in two passes."""
    layers = [Tokens([[0], [1], [0]], [0, 0, 1], [False, False, True]),
              Tokens([[1, 0], [], [0]], [0, 0, 1], [False, False, True])]
    got = memory([4, 7], layers, [9], 2, {"by": "token", "expert-size": 1024.0, "memory": 2.0, "bandwidth": 1.0})
    assert got["experts"] == 4 and got["places"] == [1, 2, 3, 4] and got["gib"] == [1, 2, 3, 4]
    assert (got["groups"], got["lookups"], got["first_uses"]) == (3, 6, 4)
    # 0 | 3 2 | 1 | 0 | 2
    assert got["lru"] == [0, 0, 1 / 6, 2 / 6] and got["any"] == [0.25, 0.5, 0.75, 1]
    assert got["pinned"] == [1 / 3, 2 / 3, 2 / 3, 1]     # 0, 2, 3 once, then 1; judged on 1, 0, 2
    decode = got["phases"]["decode"]
    assert (decode["tokens"], decode["lookups"], decode["first_uses"]) == (1, 2, 0)
    assert decode["steady"]["lru"] == [0, 0, 0.5, 1]
    assert decode["bytes_per_token"] == [2 * GIBI, 2 * GIBI, GIBI, 0]
    assert decode["tokens_per_second"] == [1e9 / 2 / GIBI, 1e9 / 2 / GIBI, 1e9 / GIBI, None]
    assert "steady" not in got["phases"]["prefill"]
    by_pass = memory([4, 7], layers, [9], 2, {"by": "pass", "memory": 1e-6})
    assert by_pass["groups"] == 2 and by_pass["lookups"] == 6 and by_pass["phases"]["prefill"]["tokens"] == 2
    assert by_pass["size_from"] == "assumed" and by_pass["expert_bytes"] == 12 * MEBI
    few = memory([4, 7], layers, [], 2, {}, most=4)
    assert few["cut"] and few["groups"] == 2 and few["lookups"] == 4


def test_keep():
    """Loads 4 2 0 0 and 3 1 1 1 of the first half."""
    one = Tokens([[0], [0], [0], [0], [1], [1], [0], [0], [0], [2], [1], [1]])
    two = Tokens([[0], [0], [0], [1], [2], [3]] + [[3]] * 6)
    got = keep([1, 2], [one, two], 4, 1, 0.75, [0.5, None])
    # one: 2/3, 1, 1, 1; two: 1/2, 4/6, 5/6, 1; means .583, .833
    assert got["equal"]["per_layer"] == 2 and got["equal"]["experts"] == 4
    assert abs(got["equal"]["coverage"] - 5 / 6) < 1e-15
    assert got["equal"]["keep"] == {"1": [0, 1], "2": [0, 1]}
    assert abs(got["equal"]["judged"] - 5 / 12) < 1e-15 and got["equal"]["judged_least"] == 0
    # free: both 0, then 1 of the first layer (1/3): .75
    assert got["free"]["keep"] == {"1": [0, 1], "2": [0]} and got["free"]["experts"] == 3
    assert got["never_used"] == {"1": {"experts": [3], "by_chance": 0.5}, "2": {"experts": []}}
    counts = keep([5], [[[1, 2]]], 2, 0, 0.6, [None], counts=True)
    assert counts["learned"] == "everything" and "judged" not in counts["free"]
    assert counts["equal"]["keep"] == {"5": [1]} and counts["equal"]["coverage"] == 2 / 3
    nothing = keep([5, 6], [Tokens([[], [0]]), Tokens([[1], [0]])], 2, 1, 0.9, [None, None])
    assert nothing["equal"]["keep"] == {"5": [0, 1], "6": [1]} and nothing["free"]["coverage"] == 1
    assert nothing["equal"]["judged"] == 0 == nothing["free"]["judged_least"]
    assert dead_by_chance(Tokens([[0], [1, 2]]), 4) == 4 * 0.75 * 0.5


def test_words():
    """Word x goes to expert 0 nine times of ten, y to 1."""
    rows = [("x", [0])] * 9 + [("x", [1])] + [("y", [1])] * 10 + [(None, [0])]
    got = words([3], [Tokens([r for _, r in rows], words=[w for w, _ in rows])], {"x": 0, "y": 1})["3"]
    assert got["tokens"] == 20 and got["different"] == 2 and abs(got["bound"] - 1.959963984540054 ** 2) < 1e-9
    word, both, c, expected, lift, g2 = got["expert"]["0"][0]
    assert (word, both, c, expected, lift) == ("x", 9, 10, 4.5, 2)
    assert abs(g2 - 2 * (9 * math.log(2) + math.log(1 / 5.5))) < 1e-12
    assert [row[0] for row in got["expert"]["1"]] == ["y"]
    assert words([3], [Tokens([[0]])], {}) == {}


def self_test():
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()


if __name__ == "__main__":
    if sys.argv[1:] != ["--self-test"]:
        sys.exit("recorded_oracle.py --self-test")
    self_test()
