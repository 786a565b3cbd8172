"""Coolant holes of the family of blade rows (tools/programs/mesh_row/family).

Three to twelve holes stand along the camber line, some of them two abreast. They keep their places in the sections from hub to
casing, and their diameters are shares of the thickness there. Holes of even members are straight where a straight line
keeps within a tenth of the thickness of these places; all others are bent, through five points. Numbers come from Python's generator with the seed 20000 + n.
"""
import math
import random

STATIONS = (0, 0.25, 0.5, 0.75, 1)


def places(rng, half):
    """(share of the camber line, offset and radius over half of the thickness there) of each hole; half(s): over the chord"""
    wanted, found, at = rng.randint(3, 12), [], 0.04
    while len(found) < wanted and at < 0.9:
        two = len(found) % 3 == 2 and len(found) + 2 <= wanted
        size = rng.uniform(0.15, 0.25) if two else rng.uniform(0.3, 0.6)
        found += [(at, off, size) for off in ((-0.45, 0.45) if two else (0,))]
        at += (2 * size + rng.uniform(0.6, 1.5)) * half(at)
    return found


def straight(points, v):
    """The point at share v of the way from the first to the last of the points (x, r, theta), as x and (y, z)"""
    (xa, ra, ta), (xb, rb, tb) = points[0], points[-1]
    ends = ((xa, ra * math.cos(ta), ra * math.sin(ta)), (xb, rb * math.cos(tb), rb * math.sin(tb)))
    return tuple((1 - v) * a + v * b for a, b in zip(*ends))


def apart(points, v, point):
    x, y, z = straight(points, v)
    return math.dist((x, y, z), (point[0], point[1] * math.cos(point[2]), point[1] * math.sin(point[2])))


def lines(member):
    """The key `holes` of the member's input file"""
    rng = random.Random(20000 + member.number)
    text = "holes:\n"
    for s, off, size in places(rng, member.half):
        points, thick = [], []
        for v in STATIONS:
            x, y, half = member.place(v, s, off)
            points.append(member.wrap([(x, y)], v)[0])
            thick.append(half)
        off_line = max(apart(points, v, p) for v, p in zip(STATIONS, points))
        word = lambda *numbers: "[" + ", ".join(f"{n:.9g}" for n in numbers) + "]"
        if member.number % 2 == 0 and off_line < 0.1 * min(thick):
            where = ", ".join(f"{name}: {word(p[0], math.degrees(p[2]))}" for name, p in (("hub", points[0]), ("casing", points[-1])))
        else:
            where = "points: [" + ", ".join(word(x, r, math.degrees(t)) for x, r, t in points) + "]"
        text += f"  - {{{where}, diameter: {word(2 * size * thick[0], 2 * size * thick[-1])}}}\n"
    return text
