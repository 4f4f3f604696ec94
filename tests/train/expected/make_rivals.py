#!/usr/bin/env python3
"""Expected values of the rival methods, computed in float64 NumPy straight from the published formulas, pair by pair in
plain loops. Nothing of the C++ is involved. Six unit vectors of two dimensions in three classes, without ties.

    python make_rivals.py > rivals.json
"""
import json

import numpy as np

X = np.array([(.96, .28), (.8432, .5376), (-.5376, .8432), (.6, .8), (-.352, .936), (.5376, .8432)])
STRONG = np.array([(1, 0), (.8, .6), (-.6, .8), (.28, .96), (-.28, .96), (.6, .8)], float)
Y = np.array([0, 0, 1, 1, 2, 2])
WEIGHTS = np.array([(2, 0), (0, .5), (-3, 4)], float)
CENTRES = np.array([(1, 0), (.6, .8), (0, 1), (-.8, .6), (-.6, .8), (.28, .96)], float)  # two of each class
PROXIES = np.array([(0, .5), (2, 0), (-3, 4)], float)
B = len(Y)


def unit(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def log_sum(values):
    top = max(values)
    return top + np.log(sum(np.exp(v - top) for v in values))


def softmax(values):
    e = np.exp(np.asarray(values) - np.max(values))
    return e / e.sum()


def cross_entropy(logits, labels):
    return [float(log_sum(list(row)) - row[label]) for row, label in zip(logits, labels)]


def positives(i):
    return [j for j in range(B) if j != i and Y[j] == Y[i]]


def negatives(i):
    return [j for j in range(B) if Y[j] != Y[i]]


def cosine(i, j):
    return float(X[i] @ X[j])


def distance(i, j):
    return float(np.linalg.norm(X[i] - X[j]))


PAIRS = sum(len(positives(i)) for i in range(B))


def triplet_all(margin):
    terms = [(a, margin - (distance(a, n) - distance(a, p)))
             for a in range(B) for p in positives(a) for n in negatives(a)
             if 0 < distance(a, n) - distance(a, p) <= margin]
    counted = sum(1 for _, value in terms if value > 0)
    return [sum(value for a, value in terms if a == i) * B / counted for i in range(B)]


def triplet_facenet(margin):
    out = [0.0] * B
    for a in range(B):
        for p in positives(a):
            own = distance(a, p) ** 2
            others = [distance(a, n) ** 2 for n in negatives(a)]
            beyond = [d for d in others if d > own]
            out[a] += max(0, margin + own - (min(beyond) if beyond else max(others))) * B / PAIRS
    return out


def lifted_original(margin):
    out = [0.0] * B
    for i in range(B):
        for j in positives(i):
            pushed = [margin - distance(i, k) for k in negatives(i)] + [margin - distance(j, k) for k in negatives(j)]
            out[i] += max(0, log_sum(pushed) + distance(i, j)) ** 2 / 2 * B / PAIRS
    return out


def lifted_generalised(margin):
    return [max(0, log_sum([distance(i, j) for j in positives(i)]) +
                log_sum([margin - distance(i, k) for k in negatives(i)])) for i in range(B)]


def fastap(bins):
    out = []
    for i in range(B):
        own, all_of = np.zeros(bins + 1), np.zeros(bins + 1)
        for j in range(B):
            if j == i:
                continue
            for b in range(bins + 1):
                pulse = max(0, 1 - abs(distance(i, j) ** 2 - 4 * b / bins) * bins / 4)
                all_of[b] += pulse
                if Y[j] == Y[i]:
                    own[b] += pulse
        value = 0.0
        for b in range(bins + 1):
            if all_of[:b + 1].sum() > 0:
                value += own[b] * own[:b + 1].sum() / all_of[:b + 1].sum()
        out.append(1 - value / len(positives(i)))
    return out


def soft_triple(scale, gamma, margin):
    out = []
    for i in range(B):
        logits = []
        for c in range(3):
            s = CENTRES[2 * c:2 * c + 2] @ X[i]
            logits.append(scale * (float(softmax(s / gamma) @ s) - (margin if c == Y[i] else 0)))
        out.append(log_sum(logits) - logits[Y[i]])
    return out


def soft_triple_penalty(tau):
    total = sum(np.sqrt(2 + 1e-5 - 2 * CENTRES[2 * c] @ CENTRES[2 * c + 1]) for c in range(3))
    return float(tau * total / (3 * 2 * 1))


def circle_terms(i, m, gamma):
    pull = [-gamma * max(1 + m - cosine(i, j), 0) * (cosine(i, j) - 1 + m) for j in positives(i)]
    push = [gamma * max(cosine(i, k) + m, 0) * (cosine(i, k) - m) for k in negatives(i)]
    return pull, push


def circle(m, gamma):
    out = []
    for i in range(B):
        pull, push = circle_terms(i, m, gamma)
        out.append(float(np.logaddexp(0, log_sum(pull) + log_sum(push))))
    return out


def circle_pooled(m, gamma):
    pull, push = [], []
    for i in range(B):
        for j in range(i + 1, B):
            s = cosine(i, j)
            if Y[i] == Y[j]:
                pull.append(-gamma * max(1 + m - s, 0) * (s - 1 + m))
            else:
                push.append(gamma * max(s + m, 0) * (s - m))
    return float(np.logaddexp(0, log_sum(pull) + log_sum(push)))


def proxy_anchor(alpha, delta):
    s = X @ unit(PROXIES).T
    out = np.zeros(B)
    seen = sum(1 for p in range(3) if (Y == p).any())
    for p in range(3):
        for mine, divisor in ((True, seen), (False, 3)):
            exponentials = {i: np.exp(-alpha * (s[i, p] - delta)) if mine else np.exp(alpha * (s[i, p] + delta))
                            for i in range(B) if (Y[i] == p) == mine}
            total = sum(exponentials.values())
            for i, e in exponentials.items():
                out[i] += B * np.log(1 + total) * e / total / divisor
    return out.tolist()


def arcface(scale, degrees):
    margin = np.radians(degrees)
    out = []
    for i in range(B):
        logits = [float(max(CENTRES[2 * c:2 * c + 2] @ X[i])) for c in range(3)]
        theta = np.arccos(np.clip(logits[Y[i]], -1, 1))
        logits[Y[i]] = np.cos(theta + margin) if theta <= np.pi - margin else np.cos(theta) - margin * np.sin(margin)
        logits = [scale * value for value in logits]
        out.append(log_sum(logits) - logits[Y[i]])
    return out


def contrastive():
    plus = {(i, j): distance(i, j) for i in range(B) for j in positives(i) if distance(i, j) > 0}
    minus = {(i, k): 1 - distance(i, k) for i in range(B) for k in negatives(i) if distance(i, k) < 1}
    return [B * (sum(v for (a, _), v in plus.items() if a == i) / len(plus) +
                 sum(v for (a, _), v in minus.items() if a == i) / len(minus)) for i in range(B)]


def memory_rows(x, y, memory, labels, skip=None):
    """Σ (1 − s) over the same label and Σ s over others above 0.5; `skip[i]` is i's own place."""
    out = []
    for i in range(len(y)):
        value = 0.0
        for j in range(len(labels)):
            s = float(x[i] @ memory[j])
            if skip is not None and skip[i] == j:
                continue
            if y[i] == labels[j]:
                value += 1 - s
            elif s > .5:
                value += s
        out.append(value)
    return out


def mcl():
    old, labels = np.array([(1, 0), (0, 1), (-.6, .8)], float), np.array([0, 1, 2])
    batch = memory_rows(X, Y, X, Y, range(B))
    memory = memory_rows(X, Y, np.vstack([old, X]), np.r_[labels, Y], [3 + i for i in range(B)])
    return {"memory": old.tolist(), "memory_labels": labels.tolist(), "batch_rows": batch, "memory_rows": memory,
            "values": [a + b for a, b in zip(batch, memory)]}


def prism():
    memory = np.array([(1, 0), (.8, .6), (0, 1), (.28, .96), (-1, 0)], float)
    labels, classes = np.array([0, 0, 1, 1, 3]), 4
    x = np.array([(.96, .28), (-.6, .8), (.6, .8), (-.8, .6), (.8, -.6), (.28, .96)])
    y = np.array([0, 0, 1, 3, 1, 2])
    centres = np.array([memory[labels == k].mean(0) if (labels == k).any() else (0, 0) for k in range(classes)])
    p = [1.0 if not (labels == y[i]).any() else float(softmax(centres @ x[i])[y[i]]) for i in range(6)]
    window, count = [.20, .26], int(.5 * 6 + 1e-9)
    q = sorted(p)[count - 1]
    threshold = float(np.mean(window + [q]))
    keep = [value > threshold for value in p]
    rows = memory_rows(x, y, memory, labels)
    kept = [i for i in range(6) if keep[i]]
    among = memory_rows(x[kept], y[kept], x[kept], y[kept], range(len(kept)))
    values = [0.0] * 6
    for place, i in enumerate(kept):
        values[i] = 6 / len(kept) * among[place] + rows[i]
    return {"memory": memory.tolist(), "memory_labels": labels.tolist(), "classes": classes, "embeddings": x.tolist(),
            "labels": y.tolist(), "rate": .5, "window": window, "probability": p, "quantile": q,
            "threshold": threshold, "keep": [int(v) for v in keep], "values": values}


def distillation():
    out = []
    for i in range(B):
        teacher, student = softmax(STRONG @ STRONG[i]), softmax(X @ X[i])
        out.append(float((teacher * (np.log(teacher) - np.log(student))).sum()))
    return {"teacher": STRONG.tolist(), "kl": out, "penalty": float(np.mean(out) * 50 * 30 / 150)}


def two_networks():
    z1 = np.array([[2, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 3]], float)
    z2 = np.array([[1, 0, 0], [2, 0, 0], [0, 0, 2], [0, .5, 1.5]], float)
    labels = [0, 1, 2, 2]
    l1, l2 = cross_entropy(z1, labels), cross_entropy(z2, labels)

    def smallest(losses, among, count):
        return sorted(among, key=lambda i: losses[i])[:count]

    one, two = smallest(l1, range(4), 2), smallest(l2, range(4), 2)
    apart = [i for i in range(4) if z1[i].argmax() != z2[i].argmax()]
    plus_one, plus_two = smallest(l1, apart, 1), smallest(l2, apart, 1)
    p = np.array([softmax(row) for row in z1])
    noise = np.full((3, 3), .1) + .7 * np.eye(3)
    return {"logits": [z1.tolist(), z2.tolist()], "labels": labels, "losses": [l1, l2],
            "chosen": [one, two], "objective": [float(np.mean([l1[i] for i in two])), float(np.mean([l2[i] for i in one]))],
            "apart": apart, "chosen_apart": [plus_one, plus_two],
            "objective_apart": [float(np.mean([l1[i] for i in plus_two])), float(np.mean([l2[i] for i in plus_one]))],
            "schedule": [.5 * t / 9 for t in range(10)],
            "f_correction": [float(-np.log(sum(p[i, c] * noise[c, labels[i]] for c in range(3)))) for i in range(4)]}


def adaptive_hierarchy():
    def mapped(s):
        return .1 * (1 + s)

    inside = [cosine(0, 1), cosine(2, 3), cosine(4, 5)]
    near = [.5 + mapped(s) for s in inside]

    def apart(a, b):
        return .5 - mapped(np.mean([cosine(i, j) for i in range(B) for j in range(B) if Y[i] == a and Y[j] == b]))

    ms, triplet, lifted = [], [], []
    for i in range(B):
        view, own, mp = float(X[i] @ STRONG[i]), inside[Y[i]], near[Y[i]]
        mn = {k: apart(Y[i], Y[k]) for k in negatives(i)}
        ms.append(np.log(1 + np.exp(-2 * (view - own))) / 2 +
                  np.log(1 + sum(np.exp(-2 * (cosine(i, j) - mp)) for j in positives(i))) / 2 +
                  np.log(1 + sum(np.exp(40 * (cosine(i, k) - mn[k])) for k in negatives(i))) / 40)
        triplet.append(np.mean([max(0, cosine(i, k) - cosine(i, j) + mp - mn[k]) for j in positives(i) for k in mn]) +
                       np.mean([max(0, cosine(i, k) - view + own - mn[k]) for k in mn]))
        lifted.append(max(0, log_sum([mp - cosine(i, j) for j in positives(i)] + [own - view]) +
                          log_sum([cosine(i, k) - mn[k] for k in mn])))
    return {"strong": STRONG.tolist(), "ms": ms, "triplet": triplet, "lifted": lifted}


def prototypes():
    q = np.array([.96, .28])
    supports = np.array([(1, 0), (.8, .6), (.6, .8), (0, 1)], float)
    others = np.array([(-.6, .8), (.28, .96), (.936, -.352)])
    attention = softmax([(sum(f @ g for f in supports) - 1) / 4 for g in supports])
    prototype = sum(a * f for a, f in zip(attention, supports))
    own = float(q @ prototype / np.linalg.norm(prototype)) - .1
    logits = [50 * own] + [50 * float(q @ n) for n in others]
    return {"query": q.tolist(), "supports": supports.tolist(), "negatives": others.tolist(),
            "attention": attention.tolist(), "prototype": prototype.tolist(), "value": float(log_sum(logits) - logits[0])}


def main():
    result = {
        "embeddings": X.tolist(), "labels": Y.tolist(), "weights": WEIGHTS.tolist(), "centres": CENTRES.tolist(),
        "proxies": PROXIES.tolist(),
        "triplet": {"all": triplet_all(.2), "facenet": triplet_facenet(.2)},
        "lifted": {"original": lifted_original(1), "generalised": lifted_generalised(1)},
        "fastap": fastap(10),
        "nsoftmax": cross_entropy(X @ unit(WEIGHTS).T / .05, Y),
        "soft_triple": {"values": soft_triple(20, .1, .01), "penalty": soft_triple_penalty(.2)},
        "circle": {"retrieval": circle(.4, 80), "faces": circle(.25, 256), "pooled": circle_pooled(.25, 256)},
        "proxy_anchor": proxy_anchor(32, .1),
        "subcentre_arcface": arcface(64, 28.6),
        "contrastive": contrastive(),
        "proxy_nca_scale_3": cross_entropy(2 * 3 * X @ unit(PROXIES).T, Y),
        "mcl": mcl(), "prism": prism(), "lsd": distillation(), "two_networks": two_networks(),
        "ahs": adaptive_hierarchy(), "sgps": prototypes(),
    }
    print(json.dumps(result, indent=1))


main()
