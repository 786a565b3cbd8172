"""The results as JSON, as tables in Markdown, and compared with those of another day."""
import json
import math

import gradients
import judge

SIZES = {"t": "tiny", "s": "small", "m": "medium", "l": "large"}


def short(outcome):
    return outcome.replace("_", " ")


def number(v, form="{:.2g}"):
    return form.format(v) if isinstance(v, (int, float)) and math.isfinite(v) else "-"


def row(result):
    case = result["case"]
    message = " ".join(result.get("message", "").split()).replace("|", "/")
    cells = [case["name"], case["label"], f"{SIZES[case['size']]}, {number(result.get('cells'), '{:d}')}",
             f"{case['model']}, {case['precision']}", short(result["outcome"]), str(result.get("cycles", 0)),
             number(result.get("steady_from"), "{:d}"), number(result.get("drop")),
             f"{result.get('moves', '')} {number(result.get('moved'))}", number(result.get("later")),
             number(result.get("seconds"), "{:.0f}"), message[:160]]
    return "| " + " | ".join(cells) + " |"


HEAD = ["case", "what", "mesh, cells", "model", "outcome", "cycles", "within 0.1 % from", "residual", "moves", "later", "s",
        "message"]


def heading(names):
    return ["| " + " | ".join(names) + " |", "|" + "---|" * len(names)]


def totals(results, key):
    """One line for each value of key(case), one column for each outcome that occurs."""
    used = [o for o in judge.OUTCOMES if any(r["outcome"] == o for r in results)]
    groups = list(dict.fromkeys(key(r["case"]) for r in results))
    lines = heading(["", "cases", *map(short, used), "settled, unsteady or stalls"])
    for group in [*groups, None]:
        own = [r for r in results if group is None or key(r["case"]) == group]
        good = sum(r["outcome"] in judge.GOOD for r in own)
        counts = [str(sum(r["outcome"] == o for r in own) or "") for o in used]
        name = "**all**" if group is None else str(group)
        lines.append("| " + " | ".join([name, str(len(own)), *counts, f"{good} ({100 * good / len(own):.0f} %)"]) + " |")
    return lines


def with_gradients(results):
    return [r for r in results if "adjoint" in r]


def adjoint_share(results):
    """Per cent of the adjoints that converge; nan without any."""
    own = with_gradients(results)
    return 100 * sum(r["adjoint"]["outcome"] == "converged" for r in own) / len(own) if own else math.nan


def adjoint_line(result):
    """What became of the adjoint of a case, for its line on the screen."""
    a = result.get("adjoint")
    if not a:
        return ""
    if a["outcome"] != "converged":
        return f"; adjoint: {a['outcome']}, {a['seconds']:.0f} s: {a['message'][:120]}"
    return (f"; adjoint: {a['iterations']} iterations, {a['newton']} Newton steps, {a['seconds']:.0f} s, check {number(a['check'])}"
            + (" (kink)" if a["kink"] else ""))


def adjoint_totals(results, key):
    """One line for each value of key(case): what became of the adjoints of the settled cases."""
    own = with_gradients(results)
    used = [o for o in gradients.OUTCOMES if o == "converged" or any(r["adjoint"]["outcome"] == o for r in own)]
    lines = heading(["", "settled", *map(short, used), "of these at a kink", "share"])
    for group in [*dict.fromkeys(key(r["case"]) for r in own), None]:
        these = [r for r in own if group is None or key(r["case"]) == group]
        counts = [str(sum(r["adjoint"]["outcome"] == o for r in these) or "") for o in used]
        kinks = str(sum(bool(r["adjoint"].get("kink")) for r in these) or "")
        share = f"{adjoint_share(these):.0f} %" if these else "-"
        lines.append("| " + " | ".join(["**all**" if group is None else str(group), str(len(these)), *counts, kinks, share]) + " |")
    return lines


ADJOINT_HEAD = ["case", "cells, model", "figures", "outcome", "residual", "Newton steps", "iterations of GMRES", "matrix", "s", "message"]


def adjoint_row(result):
    case, a = result["case"], result["adjoint"]
    residual = f"{number(a.get('residual'))} to {number(a.get('settled'))}" if a.get("newton") else number(a.get("residual"))
    cells = [case["name"], f"{number(result.get('cells'), '{:d}')}, {case['model']}", ", ".join(gradients.wanted(case)[0]),
             short(a["outcome"]), residual, number(a.get("newton"), "{:d}"), number(a.get("iterations"), "{:d}"), number(a.get("check")),
             number(a.get("seconds"), "{:.0f}"), " ".join(a.get("message", "").split()).replace("|", "/")[:200]]
    return "| " + " | ".join(cells) + " |"


def adjoint_markdown(results):
    """The part on gradients; empty without any."""
    own = sorted(with_gradients(results), key=lambda r: (r["adjoint"]["outcome"] == "converged", r["case"]["name"]))
    if not own:
        return []
    out = ["", "## Gradients of the settled cases", ""] + adjoint_totals(results, lambda case: case["family"])
    for name, key in factors(own):
        out += ["", f"By {name}:", ""] + adjoint_totals(results, key)
    out += ["", f"{sum(r['adjoint'].get('seconds', 0) for r in own):.0f} s of adjoints. "
            f"Outcomes: " + "; ".join(f"*{short(k)}*: {v}" for k, v in gradients.OUTCOMES.items()) +
            f". At a kink the linearised residual differs from a difference of the residual by more than {gradients.KINK:g}, and the program "
            "warns; column *matrix*.", ""]
    return out + heading(ADJOINT_HEAD) + [adjoint_row(r) for r in own]


def factors(results):
    for name in ("size", "model", "precision"):
        yield name, lambda case, name=name: case[name]
    points = [r for r in results if "point" in r["case"]["values"]]
    if points:
        yield "back pressure (0 near choke, 4 near stall)", lambda case: case["values"].get("point", "-")


def markdown(results, seconds):
    out = ["# Robustness", "", "## Families", ""] + totals(results, lambda case: case["family"])
    for name, key in factors(results):
        out += ["", f"## By {name}", ""] + totals(results, key)
    out += ["", f"{sum(r.get('seconds', 0) for r in results):.0f} s of runs, {seconds:.0f} s of wall clock. "
            f"Outcomes: " + "; ".join(f"*{short(k)}*: {v}" for k, v in judge.OUTCOMES.items()) + "."]
    out += adjoint_markdown(results) + ["", "## Cases", ""]
    out += heading(HEAD) + [row(r) for r in sorted(results, key=lambda r: r["case"]["name"])]
    return "\n".join(out) + "\n"


def save(path, results, seconds, about):
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"about": about, "seconds": seconds, "results": results}, f, indent=1)


def load(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)["results"]


def compare(old, new):
    """Totals side by side and every case whose outcome differs, for the cases that both have."""
    before, after = ({r["case"]["name"]: r for r in rs} for rs in (old, new))
    both = [name for name in after if name in before and before[name]["case"] == after[name]["case"]]
    out = ["# Before and after", "", f"{len(both)} cases are the same in both.", ""] + heading(["outcome", "before", "after"])
    for outcome in judge.OUTCOMES:
        counts = [sum(t[name]["outcome"] == outcome for name in both) for t in (before, after)]
        if any(counts):
            out.append(f"| {short(outcome)} | {counts[0]} | {counts[1]} |")
    settled = [n for n in both if before[n]["outcome"] == after[n]["outcome"] == "settled"]
    if settled:
        for what in ("cycles", "seconds"):
            ratio = [math.log(after[n][what] / before[n][what]) for n in settled if after[n][what] and before[n][what]]
            if ratio:
                out += ["", f"{what} after over before, geometric mean of the {len(ratio)} cases settled in both: "
                        f"{math.exp(sum(ratio) / len(ratio)):.2f}"]
    both_adjoints = [n for n in both if "adjoint" in before[n] and "adjoint" in after[n]]
    for n in both_adjoints:
        b, a = (r[n]["adjoint"]["outcome"] for r in (before, after))
        if b != a:
            out += ["", f"The adjoint of {n}: {short(b)} before, {short(a)} after."]
    if both_adjoints:
        out += ["", f"{len(both_adjoints)} cases have an adjoint in both; converged: "
                f"{' before, '.join(str(sum(r[n]['adjoint']['outcome'] == 'converged' for n in both_adjoints)) for r in (before, after))} after."]
    changed = [n for n in both if before[n]["outcome"] != after[n]["outcome"]]
    out += ["", "## Cases whose outcome differs", ""] + heading(["case", "what", "before", "after", "cycles", "message"])
    for n in sorted(changed):
        b, a = before[n], after[n]
        out.append(f"| {n} | {a['case']['label']} | {short(b['outcome'])} | {short(a['outcome'])} | "
                   f"{b.get('cycles')} to {a.get('cycles')} | {' '.join(a.get('message', '').split())[:160]} |")
    return "\n".join(out) + "\n"
