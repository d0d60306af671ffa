"""Writes golden.json: what scikit-learn says of data that golden_test.go makes
from the same integers. Run once, by hand:

    python3 golden.py > golden.json
"""
import json
import sys

import numpy as np
import sklearn
from scipy.linalg import eigh
from scipy.stats import beta
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import balanced_accuracy_score, f1_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

MASK = (1 << 64) - 1


class Random:
    """SplitMix64; uniform numbers are multiples of 2^-53."""

    def __init__(self, seed):
        self.state = seed

    def uniform(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return ((z ^ (z >> 31)) >> 11) * 2.0**-53

    def bell(self):
        return self.uniform() + self.uniform() + self.uniform() + self.uniform() - 2.0


def blobs(seed, classes, columns, apart, n, share):
    """Rows around class centres; class c is drawn with weight 1 + c*share."""
    r = Random(seed)
    centres = [[apart * r.bell() for _ in range(columns)] for _ in range(classes)]
    weights = [1.0 + c * share for c in range(classes)]
    x, y = [], []
    for _ in range(n):
        u = r.uniform() * sum(weights)
        c = 0
        while c < classes - 1 and u >= weights[c]:
            u -= weights[c]
            c += 1
        row = [centres[c][j] + r.bell() for j in range(columns)]
        if share > 0:  # columns of very different scales, one of them constant
            row = [v * 1000.0 if j % 2 == 0 else v / 1000.0 for j, v in enumerate(row)] + [7.0]
        x.append(row)
        y.append(c * 3 - 1)  # labels need not be 0, 1, 2
    return np.array(x), np.array(y)


def rings(seed, n):
    """Two classes, by the distance from the origin, blurred."""
    r = Random(seed)
    x, y = [], []
    for _ in range(n):
        a, b, e = 2 * r.bell(), 2 * r.bell(), 0.6 * r.bell()
        x.append([a, b])
        y.append(1 if a * a + b * b + e > 1.6 else 0)
    return np.array(x), np.array(y)


SETS = {
    "blobs": (blobs(1, 4, 6, 1.0, 1000, 0), 600),
    "people": (blobs(2, 20, 52, 0.45, 1500, 0), 1000),
    "skew": (blobs(3, 3, 5, 1.2, 700, 0.7), 400),
    "rings": (rings(4, 800), 400),
}


def accuracies(make, train, y, test, truth, runs):
    a = [float(np.mean(make(s).fit(train, y).predict(test) == truth)) for s in range(runs)]
    return {"mean": round(float(np.mean(a)), 4), "sd": round(float(np.std(a)), 4)}


def discriminants(x, y, dimensions, shrinkage=0.1):
    """Fisher's axes. (scikit-learn's own shrink the scatter between classes too.)"""
    mean, p = x.mean(axis=0), x.shape[1]
    within, between = np.zeros((p, p)), np.zeros((p, p))
    for c in set(y):
        rows = x[y == c]
        d = rows.mean(axis=0) - mean
        between += len(rows) / len(x) * np.outer(d, d)
        within += (rows - rows.mean(axis=0)).T @ (rows - rows.mean(axis=0)) / len(x)
    within = (1 - shrinkage) * within + shrinkage * np.trace(within) / p * np.eye(p)
    _, vectors = eigh(between, within)
    return vectors[:, ::-1][:, :dimensions]


def golden(x, y, n):
    scale = StandardScaler().fit(x[:n])
    train, test, yt, truth = scale.transform(x[:n]), scale.transform(x[n:]), y[:n], y[n:]
    votes = np.rint(11 * KNeighborsClassifier(11, algorithm="brute").fit(train, yt).predict_proba(test)).astype(int)
    svm = SVC(break_ties=True).fit(train, yt)
    said = svm.predict(test)
    axes = discriminants(train, yt, min(2, len(set(yt)) - 1))
    near = KNeighborsClassifier(1, algorithm="brute").fit(train @ axes, yt)
    out = {
        "checksum": float(np.sum(x, dtype=np.float64)),
        "knn_votes": ["".join("0123456789ab"[v] for v in row) for row in votes],
        "svm": said.tolist(),
        "svm_support": int(svm.n_support_.sum()),
        "svm_accuracy": float(np.mean(said == truth)),
        "svm_balanced": float(balanced_accuracy_score(truth, said)),
        "svm_f1": float(f1_score(truth, said, average="macro")),
        "lda_nearest": near.predict(test @ axes).tolist(),
        "tree": accuracies(lambda s: DecisionTreeClassifier(random_state=s), train, yt, test, truth, 20),
        "forest": accuracies(lambda s: RandomForestClassifier(10, random_state=s), train, yt, test, truth, 40),
    }
    if len(set(yt)) == 2:
        out["svm_decision"] = [round(float(d), 6) for d in svm.decision_function(test)]
    return out


def limits():
    rows = []
    for k, n, level in [(0, 10, 0.95), (10, 24, 0.9), (8, 24, 0.9), (24, 24, 0.95), (500, 1000, 0.99), (3, 7, 0.5)]:
        b = (1 - level) / 2
        lo = 0.0 if k == 0 else float(beta.ppf(b, k, n - k + 1))
        hi = 1.0 if k == n else float(beta.ppf(1 - b, k + 1, n - k))
        rows.append({"k": k, "n": n, "confidence": level, "lower": lo, "upper": hi})
    return rows


result = {"made_by": "scikit-learn " + sklearn.__version__, "clopper_pearson": limits(),
          "sets": {name: golden(x, y, n) for name, ((x, y), n) in SETS.items()}}
json.dump(result, sys.stdout, separators=(",", ":"))
print()
