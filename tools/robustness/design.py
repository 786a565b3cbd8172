"""The list of cases: a fixed, seeded design in which every value of every factor occurs often.

Each family has n cases. A number of the geometry or the flow is spread evenly: the n cases take one value from
each of n equal parts of its range, in an order that the seed shuffles (Latin hypercube). Mesh size, turbulence
model and precision take all their values equally often, shuffled, too. The order of the cases mixes the families in
proportion, so that the first N are a fair sample.
"""
import random

import airfoil
import cascade
import channel
import machine
import row
import stage

FAMILIES = {  # module, function that draws the numbers, cases
    "airfoil": (airfoil, airfoil.airfoil, 27),
    "turbine_cascade": (cascade, cascade.turbine, 15),
    "compressor_cascade": (cascade, cascade.compressor, 15),
    "fan": (row, row.fan, 15),
    "compressor": (row, row.compressor, 15),
    "turbine": (row, row.turbine, 15),
    "diffuser": (channel, channel.diffuser, 9),
    "annular_diffuser": (channel, channel.annular, 6),
    "bump": (channel, channel.bump, 6),
    "stage": (stage, stage.stage, 9),
    "machine": (machine, machine.machine, 6),
}
FACTORS = {"size": ("s", "m", "l"), "model": ("sa", "sst"), "precision": ("single", "double")}
SEED = 20


def spread_evenly(seed, family, name, n):
    rng = random.Random(f"{seed} {family} {name}")
    order = list(range(n))
    rng.shuffle(order)
    return [(k + rng.random()) / n for k in order]


def balanced(seed, family, name, values, n):
    rng = random.Random(f"{seed} {family} {name}")
    chosen = [values[k % len(values)] for k in range(n)]
    rng.shuffle(chosen)
    return chosen


def family_cases(family, seed):
    module, draw, n = FAMILIES[family]
    columns = {}

    def value(i, name):
        if name not in columns:
            columns[name] = spread_evenly(seed, family, name, n)
        return columns[name][i]

    factor = {name: balanced(seed, family, name, values, n) for name, values in FACTORS.items()}
    mark = "" if seed == SEED else f"_seed{seed}"
    cases = []
    for i in range(n):
        values = draw(lambda name, i=i: value(i, name))
        cases.append({"name": f"{family}_{i:02d}{mark}", "family": family, "label": module.label(values), "values": values,
                      **{name: factor[name][i] for name in FACTORS}})
    return cases


def cases(seed=SEED):
    """All cases in their order; each is a dictionary of numbers and words only. Another seed gives cases with other numbers
    and other names."""
    placed = []
    for f, family in enumerate(FAMILIES):
        own = family_cases(family, seed)
        placed += [((i + 0.5) / len(own), f, case) for i, case in enumerate(own)]
    return [case for _, _, case in sorted(placed, key=lambda p: p[:2])]


def seed_of(case):
    name, _, seed = case["name"].partition("_seed")
    return int(seed) if seed else SEED


# for a test: small meshes (size t) of every family, which settle in few iterations
TWELVE = ("airfoil_15", "airfoil_18", "turbine_cascade_14", "turbine_cascade_10", "compressor_cascade_08", "compressor_cascade_13",
          "bump_03", "annular_diffuser_00", "diffuser_02", "compressor_12", "fan_14", "turbine_14")


ROWS = {"compressor": 160, "fan": 160, "turbine": 160}  # iterations: mesh_row has no meshes on which rows settle within a test


def twelve():
    """The cases of TWELVE on tiny meshes; rows run as far as a test has time for, and have to say that they are not settled."""
    return [{**case, "size": "t", **({"iterations": ROWS[case["family"]]} if case["family"] in ROWS else {})}
            for case in cases() if case["name"] in TWELVE]


def build(case, folder):
    """Writes the input files of a case into a folder; returns the commands that make mesh.cgns there."""
    return FAMILIES[case["family"]][0].build(case, folder)
