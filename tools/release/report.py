"""The result of a release as a table in Markdown and as JSON."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "robustness"))
import table  # noqa: E402

STATES = ("passed", "failed", "not run")


def shown(value):
    return "" if value is None else f"{value:.6g}"


def commit(what):
    """Commit and date; "by" before a commit that only bounds the age of a figure."""
    return ("by " if what.get("latest") else "") + f"{what['commit']}, {what['date']}" if what.get("commit") else ""


def rows(promise, result):
    """One line for each figure of a promise; one, where it has none or was not run."""
    age = result["age"]
    old = "**older than the code**" if age.get("older") else ""
    head = [promise["name"], f"[{promise['what']}]({promise['page']})"]
    tail = [commit(age.get("made", {})), commit(age.get("changed", {})), old]
    found = result["figures"] or [{"figure": "", "then": None, "now": None, "agrees": True}]
    for n, row in enumerate(found):
        state = result["state"] if n == 0 else ""
        if result["figures"] and not row["agrees"] and result["state"] != "not run":
            state = "failed"
        bold = f"**{state}**" if state == "failed" else state
        yield [*(head if n == 0 else ["", ""]), row["figure"], shown(row["then"]), shown(row["now"]), bold,
               result.get("reason", "") if n == 0 else row.get("missing", ""), *(tail if n == 0 else ["", "", ""])]


def totals(results):
    count = {state: sum(r["state"] == state for r in results) for state in STATES}
    old = sum(bool(r["age"].get("older")) for r in results)
    return ", ".join(f"{n} {state}" for state, n in count.items()) + f"; figures of {old} promises are older than the code"


def markdown(about, promises, results):
    said = f"Commit {about.get('commit', 'unknown')} of {about.get('date', 'an unknown date')}, run on {about['when']}: {about['machine']}."
    lines = ["# What still holds", "", said, "", totals(results) + ".", ""]
    lines += table.heading(["promise", "what", "figure", "then", "now", "", "reason", "figure made with", "code changed", ""])
    for promise, result in zip(promises, results):
        for cells in rows(promise, result):
            lines.append("| " + " | ".join(" ".join(str(c).split()).replace("|", "/") for c in cells) + " |")
    return "\n".join(lines) + "\n"


def write(base, about, promises, results):
    """base.md and base.json."""
    for name, text in ((base + ".md", markdown(about, promises, results)),
                       (base + ".json", json.dumps({"about": about, "results": results}, indent=1) + "\n")):
        with open(name + ".new", "w", encoding="utf-8") as f:
            f.write(text)
        os.replace(name + ".new", name)


def listing(promise, age, minutes, lacks):
    """A line of --list."""
    made, changed = commit(age.get("made", {})) or "no date", commit(age.get("changed", {})) or "unknown"
    old = {True: "OLDER than the code", False: "current", None: "age unknown"}[age.get("older")]
    time = "" if minutes is None else f"{minutes:g} min"
    lacks = f"  ({lacks})" if lacks else ""
    return f"{promise['name']:24s} {time:>8s}  {old:20s} made {made:24s} code {changed:20s} {promise['page']}{lacks}"
