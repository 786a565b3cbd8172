"""Radial and mixed-flow members of the family of blade rows (tools/programs/mesh_row/family).

Hub and casing are Bezier curves that turn from the axis by 5 to 90 degrees, with a straight inlet and a
straight outlet. The blade's camber line has an angle from the meridional direction that runs from its value
at the leading edge to the backsweep at the trailing edge, such that all sections wrap around the axis by
about the same angle. An inflow turbine is an impeller with the flow turned round. Lengths in metres.
"""
import math
import os
import random

#         turn/degrees, radius ratio tip2/tip1, backsweep, leading edge angle at the tip, blades, thickness over blade length
KINDS = {
    "mixed": ((5, 70), (1.05, 1.6), (20, 60), (50, 70), (4, 14), (0.010, 0.04)),
    "impeller": ((70, 90), (1.4, 2.1), (0, 50), (50, 68), (7, 22), (0.005, 0.02)),
    "inflow": ((75, 90), (1.4, 2.0), (0, 8), (50, 68), (9, 16), (0.01, 0.03)),
}


def bezier(p, t):
    s = 1 - t
    w = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
    return tuple(sum(w[k] * p[k][c] for k in range(4)) for c in range(2))


class Member:
    def __init__(self, number, splitters=0):
        rng = random.Random(1000003 + number)
        between = lambda ends: rng.uniform(*ends)
        self.number, self.splitters = number, splitters
        kinds = [k for k in KINDS if not splitters or k != "inflow"]
        self.kind = kinds[number % len(kinds)]
        turn, ratio, back, lead, blades, thick = KINDS[self.kind]
        self.turn, self.back, self.lead = (between(e) for e in (turn, back, lead))
        self.blades = rng.randint(*blades)
        self.r_tip = 0.1  # casing at the leading edge
        self.r_hub = self.r_tip * between((0.3, 0.55))
        a = math.radians(self.turn)
        self.r_out = self.r_tip * (1 + (between(ratio) - 1) * min(1, math.sin(a) + 0.3))
        # the width at the trailing edge keeps about the area, or takes part of it
        area = self.r_tip ** 2 - self.r_hub ** 2
        self.width = between((0.5, 0.95) if self.kind != "inflow" else (0.35, 0.6)) * area / (2 * self.r_out)
        self.axial = between((0.55, 0.8)) * self.r_out if self.turn > 60 else between((0.5, 0.9)) * self.r_out
        if self.kind == "mixed" and self.turn < 30:
            self.axial = between((0.5, 0.8)) * (self.r_tip - self.r_hub) * 1.5
        out, across = (math.cos(a), math.sin(a)), (-math.sin(a), math.cos(a))
        # hub's and casing's ends at the trailing edge, about the mean radius r_out
        c = (self.axial, self.r_out)
        hub_end = tuple(c[k] - 0.5 * self.width * across[k] for k in range(2))
        cas_end = tuple(c[k] + 0.5 * self.width * across[k] for k in range(2))
        if hub_end[1] < self.r_hub:
            self.r_hub = hub_end[1]
        self.walls = []
        for start, end in (((0.0, self.r_hub), hub_end), ((0.0, self.r_tip), cas_end)):
            reach = math.hypot(end[0] - start[0], end[1] - start[1])
            k = 0.55 if self.turn > 45 else 0.35
            self.walls.append((start, (start[0] + k * max(end[0], 0.3 * reach), start[1]),
                               (end[0] - k * reach * out[0], end[1] - k * reach * out[1]), end))
        self.out = out
        self.ahead, self.behind = between((0.2, 0.8)), between((0.05, 0.5))
        self.thick, self.gap = between(thick), between((0.005, 0.04)) if rng.random() < 0.7 else 0
        self.hand = rng.choice((-1, 1))
        self.rake = math.radians(between((-20, 20)))  # lean of the trailing edge
        self.levels, self.walls_kind = (3, 4)[number // 3 % 2], ("resolved", "functions")[number // 6 % 2]
        rng = random.Random(2000003 + number)
        if splitters:
            self.blades = max(5, round(self.blades / (1 + 0.7 * splitters)))
        # share of the length ahead of each splitter, its slope along the span, and the place in the pitch
        self.cut = [(between((0.25, 0.6)), between((-0.08, 0.08)), (k + 1) / (splitters + 1) + between((-0.06, 0.06)))
                    for k in range(splitters)]
        self.mid = [self.point(t / 200, 0.5) for t in range(201)]
        self.length = sum(math.dist(self.mid[i], self.mid[i + 1]) for i in range(200))

    def wall(self, v, t):
        """Wall v (0 hub, 1 casing) at t: 0 to 1 the blade's part, straight beyond."""
        p = self.walls[v]
        if t < 0:
            return p[0][0] + t, p[0][1]
        if t > 1:
            return p[3][0] + (t - 1) * self.out[0], p[3][1] + (t - 1) * self.out[1]
        return bezier(p, t)

    def point(self, t, v):
        h, c = self.wall(0, t), self.wall(1, t)
        return tuple((1 - v) * h[k] + v * c[k] for k in range(2))

    def lead_at(self, v):
        """Blade angle at the leading edge: as in a flow without swirl."""
        r = self.r_hub + v * (self.r_tip - self.r_hub)
        return math.atan(math.tan(math.radians(self.lead)) * r / self.r_tip)

    def camber(self, v, power, steps=800):
        """(t, m', wrap, angle) along section v from its leading to its trailing edge."""
        a, b = self.lead_at(v), math.radians(self.back)
        rows, m, theta, dist, last = [], 0.0, 0.0, 0.0, None
        lengths = [0.0]
        pts = [self.point(0.02 + 0.97 * k / steps, v) for k in range(steps + 1)]
        for k in range(steps):
            lengths.append(lengths[-1] + math.dist(pts[k], pts[k + 1]))
        for k in range(steps + 1):
            f = lengths[k] / lengths[-1]
            angle = a + (b - a) * f ** power
            if k:
                dm = math.dist(pts[k - 1], pts[k]) * 2 / (pts[k - 1][1] + pts[k][1])
                m += dm
                theta += dm * math.tan(0.5 * (angle + last))
            last = angle
            rows.append((0.02 + 0.97 * k / steps, m, theta, angle, pts[k]))
        return rows, lengths[-1]

    def section(self, v, splitter=None, points=100):
        cut, slope, pitch = self.cut[splitter] if splitter is not None else (0, 0, 0)
        cut += slope * (v - 0.5)
        lo, hi = 0.25, 4.0
        wrap = lambda q: self.camber(v, q, 200)[0][-1][2]
        if v == 0.5:
            q = 1.0
        else:
            want = self.camber(0.5, 1.0, 200)[0][-1][2]
            rises = wrap(hi) > wrap(lo)
            for _ in range(25):
                q = math.sqrt(lo * hi)
                if (wrap(q) < want) == rises:
                    lo = q
                else:
                    hi = q
        line, length = self.camber(v, q)
        end = line[-1][2]
        arc = [0.0]
        for k in range(len(line) - 1):
            arc.append(arc[-1] + math.hypot(line[k + 1][1] - line[k][1], line[k + 1][2] - line[k][2]))
        full = sum(0.5 * (line[k][4][1] + line[k + 1][4][1]) * (arc[k + 1] - arc[k]) for k in range(len(line) - 1))
        thick = self.thick * full * (1.4 - 0.8 * v)
        loop = []
        real = [0.0]
        for k in range(len(line) - 1):
            real.append(real[-1] + 0.5 * (line[k][4][1] + line[k + 1][4][1]) * (arc[k + 1] - arc[k]))
        for side in (1, -1):
            k = 0
            for n in range(points):
                s = 0.5 * (1 - math.cos(math.pi * n / points))
                s = s if side > 0 else 1 - s
                at = (cut + (1 - cut) * s) * full
                k = max(j for j in range(0, len(real) - 1, 50) if real[j] <= at + 1e-12)
                while k < len(real) - 2 and real[k + 1] < at:
                    k += 1
                f = (at - real[k]) / (real[k + 1] - real[k])
                p = [line[k][c] + f * (line[k + 1][c] - line[k][c]) for c in range(4)]
                r = line[k][4][1] + f * (line[k + 1][4][1] - line[k][4][1])
                nose, tail = thick * 1.2, thick * 0.8  # elliptic edges of two to one
                half = 0.5 * thick
                ahead = at - cut * full
                if ahead < nose:
                    half *= math.sqrt(max(1 - (1 - ahead / nose) ** 2, 0))
                if full - at < tail:
                    half *= math.sqrt(max(1 - (1 - (full - at) / tail) ** 2, 0))
                # normal to the camber line in (m', theta)
                m = p[1] - side * half / r * math.sin(p[3])
                theta = p[2] + side * half / r * math.cos(p[3])
                loop.append((m, theta))
        grid = [(row[1], row[4]) for row in line]
        end -= pitch * 2 * math.pi / self.blades
        return [self.place(m, theta - end, grid, v) for m, theta in loop]

    def place(self, m, theta, grid, v):
        lo, hi = 0, len(grid) - 1
        while hi - lo > 1:
            mid = (lo + hi) // 2
            lo, hi = (mid, hi) if grid[mid][0] <= m else (lo, mid)
        f = (m - grid[lo][0]) / (grid[hi][0] - grid[lo][0])
        x, r = (grid[lo][1][c] + f * (grid[hi][1][c] - grid[lo][1][c]) for c in range(2))
        return x, r, self.hand * (theta + math.tan(self.rake) * (v - 0.5) * self.width / self.r_out)

    def write(self, folder, cells, levels=None, walls=None):
        os.makedirs(folder, exist_ok=True)
        inflow = self.kind == "inflow"
        flip = lambda p: (self.axial - p[0], p[1]) if inflow else p
        names = ["blade.dat"] + [f"splitter_{k + 1}.dat" for k in range(self.splitters)]
        for n, name in enumerate(names):
            with open(os.path.join(folder, name), "w") as f:
                for k in range(7):
                    f.write(f"section {k + 1}\n")
                    for x, r, theta in self.section(k / 6, n - 1 if n else None):
                        x, r = flip((x, r))
                        f.write(f"{x:.9f} {r:.9f} {theta:.9f}\n")
        # an inlet of some chords of the radius, an outlet of a vaneless diffuser
        ahead, behind = self.ahead * self.length, self.behind * self.length
        for name, v in (("hub", 0), ("casing", 1)):
            line = [self.wall(v, -ahead * (1 - k / 15)) for k in range(15)]
            line += [self.wall(v, k / 60) for k in range(60)]
            line += [self.wall(v, 1 + behind * k / 15) for k in range(16)]
            line = [flip(p) for p in (reversed(line) if inflow else line)]
            with open(os.path.join(folder, name + ".dat"), "w") as f:
                f.writelines(f"{x:.9f} {r:.9f}\n" for x, r in line)
        walls = walls or self.walls_kind
        first = (1.5e-5 if walls == "resolved" else 4e-4) * self.length
        with open(os.path.join(folder, "row.yaml"), "w") as f:
            f.write(f"row: radial member {self.number}, {self.kind}\nblades: {self.blades}\nsections: blade.dat\n"
                    "columns: [x, r, theta]\nhub: hub.dat\ncasing: casing.dat\n"
                    f"cells: {cells:g}\nlevels: {levels or self.levels}\nwalls: {walls}\nfirst_cell: {first:.3g}\n")
            if self.splitters:
                f.write("splitter: [" + ", ".join(f"{{sections: {name}}}" for name in names[1:]) + "]\n")
            if self.gap:
                f.write(f"tip_gap_fraction: {self.gap:.4f}\n")

    def words(self):
        return (f"{self.number:4d} {self.kind:9s} {self.blades:4d} {self.r_hub / self.r_tip:4.2f} {self.turn:4.0f} "
                f"{self.back:4.0f} {self.r_out / self.r_tip:4.2f} {100 * self.thick:4.1f} {math.degrees(self.rake):4.0f} "
                f"{self.lead:4.0f} {100 * self.gap:4.1f}")
