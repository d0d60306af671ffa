"""Prints the seconds that scikit-learn needs to fit and predict, for bench_test.go."""
import json
import time

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

r = np.random.default_rng(1)
y = np.arange(5000) % 20
x = 0.35 * r.normal(size=(20, 52))[y] + r.normal(size=(5000, 52))
out = {}
for name, make in [("k-nn", lambda: KNeighborsClassifier(11)), ("svm", SVC), ("tree", DecisionTreeClassifier),
                   ("forest", lambda: RandomForestClassifier(10, n_jobs=-1))]:
    times = []
    for _ in range(3):
        start = time.perf_counter()
        make().fit(x, y).predict(x)
        times.append(time.perf_counter() - start)
    out[name] = min(times)
print(json.dumps(out))
