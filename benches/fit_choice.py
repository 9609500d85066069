#!/usr/bin/env python3
"""Fits what a preparation and a count cost to what `cargo bench --bench gpu -- regret --json FILE` measured.

Nothing is fitted to the graphs that are held out. Prints, for both parts of the bed:

1. what `auto` lost, and where: at the facts that it asks for, the method, the sort or the order;
2. the coefficients of the order of vertices where degrees differ little (host/plan/preparation/order.rs has them), and
   what the choice by them loses;
3. a cost model of every counting method, and what the choice by it loses beside the rules of host/plan/counting.

Times are milliseconds, coefficients picoseconds an entry. Needs nothing but Python.

    python3 benches/fit_choice.py FILE...
"""

import itertools
import json
import math
import sys

METHODS = ["merge", "segments", "filters", "narrow filters", "groups", "groups and matrix"]

# Of a sort other than by both ranks, what `auto` prints, and its time.
SORTS = {
    "sort by the larger rank": "prepare_tails",
    "bins of rows": "prepare_bins",
    "bins of rows, after a sort by the highest bits of the larger rank": "prepare_sorted_bins",
}

# What `auto` prints for each method, by the start of the name.
PRINTED = [
    ("a matrix of bits", ["matrix by popcount", "matrix by tensor cores"]),
    ("merge in place", ["merge"]),
    ("segments", ["segments"]),
    ("tables", ["tables"]),
    ("groups by head and", ["groups and matrix"]),
    ("groups by head", ["groups"]),
    ("filters of few", ["narrow filters", "narrow filters, a bit each"]),
    ("filters of 64", ["filters"]),
]


def mean(ratios):
    """The geometric mean."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")


def nonnegative(rows, times, rounds=2000):
    """The least squares whose coefficients are not negative, by coordinate descent."""
    n = len(rows[0])
    squares = [[sum(row[i] * row[j] for row in rows) for j in range(n)] for i in range(n)]
    products = [sum(row[i] * time for row, time in zip(rows, times)) for i in range(n)]
    found = [0.0] * n
    for _ in range(rounds):
        for j in range(n):
            if squares[j][j] > 0:
                rest = products[j] - sum(squares[j][k] * found[k] for k in range(n))
                found[j] = max(0.0, found[j] + rest / squares[j][j])
    return found


def prepare(order):
    # Entries that stay as they are have one time, and a file of before there were bins has none of them.
    return min(order[sort] for sort in ["prepare_whole", *SORTS.values()] if order.get(sort))


def lines(order):
    return {line["method"]: line["build"] + line["count"] for line in order["lines"]}


def whole(order):
    return prepare(order) + min(lines(order).values())


def named(graph, name):
    return next((order for order in graph["orders"] if order["order"] == name), None)


def losses(graph):
    """What `auto` took over the best, what its choice alone did, and that by method, sort and order."""
    auto = graph["auto"]
    order, _, sort = auto["order"].removeprefix("auto: ").partition(", ")
    order = named(graph, order)
    took = order.get(SORTS.get(sort)) or order["prepare_whole"]
    methods = next(methods for start, methods in PRINTED if auto["method"].startswith(start))
    by_method = lines(order)
    method, best_method = min(by_method[m] for m in methods if m in by_method), min(by_method.values())
    best = min(map(whole, graph["orders"]))
    measured = auto["prepare"] + auto["build"] + auto["count"]
    return (
        measured / best,
        (took + method) / best,
        (took + method) / (took + best_method),
        (took + best_method) / whole(order),
        whole(order) / best,
    )


def regret(graphs):
    found = sorted(((losses(graph), graph["name"]) for graph in graphs), reverse=True)
    parts = list(zip(*(loss for loss, _ in found)))
    above = [sum(ratio > 1.1 for ratio in part) for part in parts[:2]]
    print(
        f"   auto over the best: {mean(parts[0]):.3f}, {above[0]} of {len(found)} above 1.1; its choice alone "
        f"{mean(parts[1]):.3f}, {above[1]} above 1.1: by method {mean(parts[2]):.3f}, sort {mean(parts[3]):.3f}, "
        f"order {mean(parts[4]):.3f}"
    )
    worst = sorted(found, key=lambda loss: -loss[0][1])[:8]
    for loss, name in worst:
        print("      {:.2f} {:.2f} = {:.2f} {:.2f} {:.2f}  {}".format(*loss, name))


def is_flat(graph):
    """Whether degrees differ little, by the borders of the plan."""
    facts = graph["facts"]
    few = facts["wedges"] <= 200 * facts["entries"] and facts["max_degree"] <= 1024
    even = facts["max_degree"] <= 2.25 * 2 * facts["entries"] / facts["vertices"]
    return (few or even) and facts["entries"] >= 1 << 22


class Flat:
    """The figures of such a graph, for an entry."""

    def __init__(self, graph):
        facts = graph["facts"]
        self.entries = facts["entries"]
        self.vertices = facts["vertices"] / self.entries
        self.wedges = facts["wedges"] / self.entries
        wedges, closed = (sum(of_class[sum_of] for of_class in facts["landmarks"]) for sum_of in (1, 2))
        in_both = closed / max(wedges, 1) * self.wedges + 2
        # How often ends have one label, as host/plan/facts.rs foresees it.
        self.alike = in_both / (2 * (self.wedges + 2) - in_both)
        self.near = facts["near"][1] / facts["near"][0]
        self.beyond = min(max(self.entries / 16e6, 1), 3)
        self.differ = max(0, self.wedges - 2 / self.vertices)

    def saved_by_labels(self, save, save_long, alike_long):
        """Long rows are looked up in tables, and labels save what segments do."""
        alike = self.alike * self.beyond
        if self.wedges < 48:
            return save * self.wedges * alike
        return save_long * self.wedges * max(0, alike - alike_long)

    def picoseconds(self, milliseconds):
        return 1e9 * milliseconds / self.entries


def fit_orders(graphs):
    """Of degrees: an entry, a vertex, and what a wedge saves, by least squares. Of labels: an entry, a vertex, what a wedge
    saves in short rows and in long ones, and beyond which share; those of a grid that lose least, and of equals those that
    ask for the largest share."""
    flat = [(graph, Flat(graph)) for graph in graphs if is_flat(graph)]
    flat = [(graph, of) for graph, of in flat if of.near < 0.5]
    costs, saves = [], []
    for graph, of in flat:
        ids, other = named(graph, "Ids"), named(graph, "Degrees")
        costs.append(of.picoseconds(prepare(other) - prepare(ids)))
        count = min(lines(ids).values()) - min(lines(other).values())
        saves.append(of.picoseconds(count))
    entry, vertex = nonnegative([[1, of.vertices] for _, of in flat], costs)
    (save,) = nonnegative([[of.differ] for _, of in flat], saves)
    degrees = (entry, vertex, save)
    print(f"   degrees: {entry:.1f} an entry, {vertex:.0f} a vertex, saves {save:.2f} a wedge")
    considered = [
        (of, {name: whole(named(graph, name)) for name in ("Ids", "Degrees", "MinHash")})
        for graph, of in flat
    ]
    found = []
    for labels in itertools.product(
        [6, 8, 10], [50, 80, 120], [0.45, 0.55, 0.65, 0.75], [0.5, 0.7, 0.9, 1.1, 1.3], [0.12, 0.16, 0.2, 0.24, 0.28]
    ):
        lost = [times[order_by((degrees, labels), of)] / min(times.values()) for of, times in considered]
        found.append((round(mean(lost), 5), -labels[-1], labels))
    equals = [labels for lost, share, labels in found if (lost, share) == min(found)[:2]]
    labels = equals[len(equals) // 2]
    print(f"   labels: {labels} lose {min(found)[0]:.4f}, of {len(equals)} equals")
    return degrees, labels


def order_by(coefficients, of):
    """The order that they choose of a graph that is not sorted."""
    if of.near >= 0.5 or of.vertices > 0.25:
        return "Ids"
    (entry, vertex, save), (label_entry, label_vertex, *saved) = coefficients
    gains = {
        "Ids": 0,
        "Degrees": save * of.differ - entry - vertex * of.vertices,
        "MinHash": of.saved_by_labels(*saved) - label_entry - label_vertex * of.vertices,
    }
    return max(gains, key=gains.get)


def check_orders(coefficients, graphs):
    found = []
    for graph in graphs:
        if is_flat(graph):
            considered = [named(graph, name) for name in ("Ids", "Degrees", "MinHash")]
            choice = order_by(coefficients, Flat(graph))
            ratio = whole(named(graph, choice)) / min(map(whole, considered))
            always = [whole(order) / min(map(whole, considered)) for order in considered]
            found.append((ratio, graph["name"], choice, always))
    ratios = [ratio for ratio, *_ in found]
    always = [mean([always[k] for *_, always in found]) for k in range(3)]
    print(
        f"   chosen of ids, degrees and MinHash: {mean(ratios):.3f}, {max(ratios):.2f} at most, of {len(found)}; "
        "always ids {:.3f}, degrees {:.3f}, MinHash {:.3f}".format(*always)
    )
    for ratio, name, choice, _ in sorted(found, reverse=True)[:3]:
        print(f"      {ratio:.2f} {name}: {choice}")


def features(order, method):
    """What the time of a method may be a sum of, in units of a million."""
    sample = order["sample"]
    edges, ranks, hubs = sample["edges"] / 1e6, order["ranks"] / 1e6, sample["hub_edges"] / 1e6
    sampled, sampled_wedges = sample["sampled"], max(1, sample["sampled_wedges"])
    wedges = sample["wedges"] / 1e6
    unequal = wedges * (2 * sample["wedges"] * sample["rows"] / sample["edges"] ** 2)
    apart = 1 - sample["joined_wedges"] / sampled_wedges
    beyond = min(max(4 * edges / 50 - 0.5, 0), 2)
    triangles, high = (edges * sample[name] / sampled for name in ("triangles", "high_triangles"))
    far = edges * beyond * (1 - sample["near"] / sampled)
    if method == "merge" or method.startswith("narrow filters"):
        return [1, edges, ranks, wedges, unequal, wedges * apart, wedges * apart * beyond, far, triangles]
    if method == "segments":
        return [1, edges, wedges, unequal, wedges * apart, wedges * apart * beyond, edges * apart, far]
    if method == "filters":
        return [1, edges, ranks, wedges, unequal, wedges * apart, triangles, far]
    if method == "groups":
        return [1, edges, ranks, wedges, high, triangles, edges * apart, edges * beyond]
    return [1, edges, ranks, wedges - hubs * wedges / edges, high, triangles, hubs, edges * beyond]


def fit_counting(orders):
    found = {}
    for method in METHODS:
        rows, times = [], []
        for order in orders:
            by_method = lines(order)
            if method in by_method:
                time = by_method[method]
                # Relative errors count, and less where the method is far from the best.
                weight = 1 / time * min(1, 1.5 * min(by_method.values()) / time) ** 0.25
                rows.append([feature * weight for feature in features(order, method)])
                times.append(time * weight)
        found[method] = nonnegative(rows, times)
        print(f"   {method}: " + " ".join(f"{1e3 * coefficient:.2f}" for coefficient in found[method]))
    return found


def check_counting(coefficients, orders):
    model, rules = [], []
    for name, order in orders:
        by_method = {method: time for method, time in lines(order).items() if method in coefficients}
        costs = {
            method: sum(c * f for c, f in zip(coefficients[method], features(order, method)))
            for method in by_method
        }
        best = prepare(order) + min(by_method.values())
        model.append(((prepare(order) + by_method[min(costs, key=costs.get)]) / best, name))
        chosen = order.get("chosen")
        if chosen in by_method:
            rules.append(((prepare(order) + by_method[chosen]) / best, name))
    for which, ratios in [("model", model), ("rules", rules)]:
        if ratios:
            of = [ratio for ratio, _ in ratios]
            print(
                f"   methods by the {which}: {mean(of):.3f}, {sum(ratio > 1.05 for ratio in of)} of {len(of)} above "
                f"1.05; worst {max(ratios)[0]:.2f} ({max(ratios)[1]})"
            )


def main(files):
    graphs = {}
    for file in files:
        with open(file) as lines_of_file:
            for line in lines_of_file:
                graph = json.loads(line)
                graphs[graph["name"]] = graph
    graphs = list(graphs.values())
    parts = {
        "to choose by": [graph for graph in graphs if not graph["held_out"]],
        "held out": [graph for graph in graphs if graph["held_out"]],
    }
    for part, of_part in parts.items():
        print(f"{len(of_part)} graphs {part}: whole, choice alone = method, sort, order")
        regret(of_part)
    fitted = parts["to choose by"]
    print("orders where degrees differ little, ps an entry beside ids:")
    coefficients = fit_orders(fitted)
    for part, of_part in parts.items():
        print(f"   {part}")
        check_orders(coefficients, of_part)
    print("methods, us for a million of: see features()")

    def all_orders(of_part):
        return [(f"{graph['name']}, {order['order']}", order) for graph in of_part for order in graph["orders"]]

    def taken(of_part):
        names = [(graph, graph["auto"]["order"].removeprefix("auto: ").partition(", ")[0]) for graph in of_part]
        return [(graph["name"], named(graph, name)) for graph, name in names]

    model = fit_counting([order for _, order in all_orders(fitted)])
    for part, of_part in parts.items():
        print(f"   {part}, every order:")
        check_counting(model, all_orders(of_part))
        print(f"   {part}, in the orders that were taken:")
        check_counting(model, taken(of_part))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("name the files of JSON lines that the bench wrote")
    main(sys.argv[1:])
