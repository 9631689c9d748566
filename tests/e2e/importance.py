#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""importance.py SLUICE-CLI [few | STORE…]: importance of settings, beside python3-optuna's.

Makes 20 small sweeps (four with "few", as the suite does; or takes those stores), asks "sluice-cli importance" and optuna's functional ANOVA for the same
tables, and prints both.  Spearman's correlation over all shares has to be at least 0.95; of few, Pearson's, because two
small shares that are nearly equal change the ranks of a dozen as much as two programs do that disagree.  Skipped where
optuna or scikit-learn is not installed.
"""
import csv
import json
import os
import subprocess
import sys
import tempfile

CLI = os.path.abspath(sys.argv[1])
LEAST = 0.95
SWEEPS = [
    (axes, draw)
    for draw in range(1, 6)
    for axes in (["rank=1:12", "learning-rate=0.01:0.5:log", "hidden=8:64"],
                 ["learning-rate=0.001:1:log", "batch=10:100"],
                 ["rank=1:12", "batch=10:100", "l1=0:0.01:lin"],
                 ["hidden=4:64", "learning-rate=0.01:0.5:log", "batch=10:100", "rank=1:4"])]


def cli(*words):
    return subprocess.run([CLI, *words], check=True, capture_output=True, text=True).stdout


def skip(why):
    print(f"1..0 # SKIP {why}")
    sys.exit(0)


def make(folder, sweeps):
    for number, (axes, draw) in enumerate(sweeps):
        store = os.path.join(folder, f"{number}.sluice")
        words = [word for axis in axes for word in ("--axis", axis)]
        cli("sweep", "sign-estimator", "--data", "moons:points=300", "--set", "hidden=32", "--how", "latin", "--sample", "24",
            "--sample-seed", str(draw), "--steps", "60", "--store", store, "-q", *words)
        yield store


def theirs(table):
    import optuna
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    rows = list(csv.reader(table))
    names, rows = rows[0][:-1], rows[1:]
    spaces = {}
    for i, name in enumerate(names):
        values = [row[i] for row in rows]
        try:
            numbers = [float(value) for value in values]
            spaces[name] = optuna.distributions.FloatDistribution(min(numbers), max(numbers))
        except ValueError:
            spaces[name] = optuna.distributions.CategoricalDistribution(sorted(set(values)))
    study = optuna.create_study()
    for row in rows:
        params = {name: float(row[i]) if hasattr(spaces[name], "low") else row[i] for i, name in enumerate(names)}
        study.add_trial(optuna.trial.create_trial(params=params, distributions=spaces, value=float(row[-1])))
    return optuna.importance.get_param_importances(study, evaluator=optuna.importance.FanovaImportanceEvaluator(seed=1))


def main():
    try:
        import optuna  # noqa: F401
        import sklearn  # noqa: F401
        from scipy.stats import pearsonr, spearmanr
    except ImportError as error:
        skip(f"{error.name} is not installed")
    ours_all, theirs_all = [], []
    few = sys.argv[2:] == ["few"]
    with tempfile.TemporaryDirectory() as folder:
        stores = [] if few else sys.argv[2:]
        for store in stores or make(folder, SWEEPS[:4] if few else SWEEPS):
            ours = json.loads(cli("importance", store, "--objective", "error", "--json"))
            table = cli("importance", store, "--objective", "error", "--table", "-").splitlines()
            if not ours:
                continue
            ours, other = ours[0]["shares"], theirs(table)
            for name in sorted(ours):
                print(f"# {os.path.basename(store):12} {name:16} {ours[name]:6.3f}  optuna {other[name]:6.3f}")
                ours_all.append(ours[name])
                theirs_all.append(other[name])
    found = (pearsonr if few else spearmanr)(ours_all, theirs_all)[0]
    print("1..1")
    print("ok" if found >= LEAST else "not ok",
          f"1 {'Pearson' if few else 'Spearman'} {found:.3f} over {len(ours_all)} shares, at least {LEAST}")
    return 0 if found >= LEAST else 1


sys.exit(main())
