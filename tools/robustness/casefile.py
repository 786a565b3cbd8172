"""Case files with default settings: geometry, boundary values, a turbulence model and the end of the run."""
import math

GAMMA, R = 1.4, 287.0
CP = GAMMA * R / (GAMMA - 1)
ITERATIONS = 1000


def viscosity(temperature):
    """Sutherland's law with the constants that the program takes for air, Pa s."""
    return 1.716e-5 * (temperature / 273.15) ** 1.5 * (273.15 + 110.4) / (temperature + 110.4)


def static_ratio(mach):
    """Static over total pressure."""
    return (1 + 0.5 * (GAMMA - 1) * mach**2) ** (-GAMMA / (GAMMA - 1))


def first_cell(speed, length, density, temperature, yplus):
    """Height of a first cell whose centre lies at y+, m; friction of a turbulent flat plate at half of the
    length (Prandtl's 0.058 Re^-0.2)."""
    mu = viscosity(temperature)
    friction = 0.058 * max(density * speed * 0.5 * length / mu, 1e3) ** -0.2
    return 2 * yplus * mu / (density * speed * math.sqrt(0.5 * friction))


def end_rules(case, turning, flows):
    """Stop rules, where the program has rules on the figures of the case: a part that the residual falls to, and
    what the figures may move by over 100 iterations. Without such a rule the run ends by itself or at the last
    iteration. `case["force"]`: the program knows the key stop.force."""
    stop = {"window": 100}
    if flows:
        stop.update(mass_flow=1e-3, pressure_ratio=1e-3)
    if turning:
        stop["efficiency"] = 1e-3
    if case.get("force"):
        stop["force"] = 1e-3
    if len(stop) == 1:
        return {}, {}
    return {"residual_drop": 1e-4 if case["precision"] == "double" else 1e-3}, stop


def number(v):
    if isinstance(v, float):
        return f"{v:.9g}"
    return f'"{v}"' if "*" in str(v) else str(v)


def flow_map(values):
    """A YAML map on one line."""
    parts = []
    for key, v in values.items():
        text = "[" + ", ".join(number(x) for x in v) + "]" if isinstance(v, (list, tuple)) else number(v)
        parts.append(f"{key}: {text}")
    return "{" + ", ".join(parts) + "}"


def text(title, mesh, case, initial, boundaries, rows=None, turning=False, flows=True):
    """The case file. `case` has model and precision; `turning` adds a rule on the efficiency, `flows` rules
    on what passes the inlet and the outlet."""
    residual, stop = end_rules(case, turning, flows)
    lines = [f"case: {title}", f"mesh: {mesh}", f"precision: {case['precision']}",
             f"gas: {{gamma: {GAMMA}, R: {R}, viscosity: sutherland}}",
             f"turbulence: {{model: {case['model']}}}"]
    if rows:
        lines.append("rows:")
        lines += [f"  {name}: " + flow_map(values) for name, values in rows.items()]
    lines.append("march: " + flow_map({"iterations": case.get("iterations", ITERATIONS), **residual}))
    if stop:
        lines.append("stop: " + flow_map(stop))
    if initial:
        lines.append("initial: " + flow_map(initial))
    lines.append("boundaries:")
    lines += [f"  {name}: " + flow_map(values) for name, values in boundaries.items()]
    lines.append("output: {folder: out, every: 0, history_every: 10}")
    return "\n".join(lines) + "\n"
