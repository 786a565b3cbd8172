"""tools/plot report: the page of a run of known content is complete, needs no network, and a browser shows it.

The run is that of test_python.py, whose folder is the argument."""
import base64
import io
import json
import os
import re
import shutil
import subprocess
import sys

try:
    import h5py  # noqa: F401
    import matplotlib.image
    import numpy as np
    import yaml  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

from checks import check, finish

SOURCE = os.environ["AN_SOURCE"]
folder = sys.argv[1]


def plot(*arguments):
    environment = dict(os.environ, MPLCONFIGDIR=os.path.abspath("matplotlib"))
    return subprocess.run([sys.executable, os.path.join(SOURCE, "tools", "plot"), *arguments], capture_output=True, text=True,
                          env=environment)


HISTORY = """iteration,residual_density,residual_momentum_x,residual_momentum_y,residual_momentum_z,residual_energy,\
mass_in_kg_s,mass_out_kg_s,imbalance,pressure_ratio
0,1,1,1,1,1,1.5,1.2,0.2,1.1
10,0.1,0.1,0.1,0.1,0.1,1.5,1.4,0.07,1.15
20,0.05,0.05,0.05,0.05,0.05,1.5,1.45,0.03,1.2
"""
INFO = {
    "title": "A <b>sector</b>", "status": "stopped", "message": "stopped by SIGTERM", "cells": 6560, "precision": "double",
    "iteration": 20, "seconds": 3.5, "warnings": ["the pressure is 1.5 times <the> highest"], "state": "creeps", "last": {"residual_drop": 0.05, "imbalance": 0.03},
    "walls": [{"name": "blade", "area": 0.01, "force": [1, 2, 3], "torque_x": 0.5, "heat": 0, "yplus_max": 500}],
    "solids": [{"solid": "vane", "T_min_K": 542.1, "T_mean_K": 600.2, "T_max_K": 727.3, "heat_W": 0.07},
               {"solid": "vane", "surface": "hole_2", "area_m2": 0.0015, "T_min_K": 545, "T_mean_K": 567.5, "T_max_K": 590, "heat_W": -275.1,
                "h_W_m2_K": 1069, "coolant_in_K": 396.8, "coolant_out_K": 397.9},
               {"solid": "vane", "surface": "blade<1>", "area_m2": 0.02, "T_min_K": 591, "T_mean_K": 651.4, "T_max_K": 727.3, "heat_W": 2616.9}],
    "rows": [{"name": "rotor", "mass_in_kg_s": 30.0, "efficiency": 1.25, "reaction": None}],
}


def page_is_complete(text):
    check("A &lt;b&gt;sector&lt;/b&gt;" in text and "<b>sector" not in text, "the title is escaped")
    for sentence in (
        "fell by less than two orders", "differ by 3 %", "an efficiency of 1.25", "y+ reaches 500 on blade", "still changes",
        "ended as &#x27;stopped&#x27;", "The pressure is 1.5 times &lt;the&gt; highest.", "creeps",
    ):
        check(sentence in text, f"no warning with '{sentence}'")
    for heading in ("Rows", "Convergence", "Blade to blade surfaces", "Meridional plane", "Walls", "Metal", "Case", "Machine from inlet to outlet", "Spanwise profiles", "Mesh"):
        check(f"<h2>{heading}</h2>" in text, f"no section {heading}")
    metal = [text.find(word) for word in ("<td>hole_2</td>", "545, 567.5, 590", "-275.1", "396.8, 397.9", "<td>blade&lt;1&gt;</td>")]
    check(-1 not in metal and metal == sorted(metal), f"surfaces of the metal in the order of run.json: {metal}")
    check(text.count("data:image/png;base64,") == 10, f"{text.count('data:image')} pictures, not 10")
    check("Not drawn" not in text, "a picture is missing: " + "".join(re.findall("Not drawn[^<]*", text)))
    for n, data in enumerate(re.findall(r"data:image/png;base64,([^\"]+)", text)):
        image = matplotlib.image.imread(io.BytesIO(base64.b64decode(data)))[:, :, :3]
        ink = float((image.min(axis=2) < 0.9).mean())
        check(ink > 0.03, f"picture {n} is empty: {100 * ink:.1f} % of it is not white")
    check(not re.search(r"(src|href)=[\"']?(https?:|//|[a-z]+\.)", text), "the page needs another file")


def browser_shows_it():
    """Each third of the page above its end has pictures or text, and colours of pictures are there."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if not browser:
        print("no browser: the page was not looked at")
        return
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1240,3000",
               "--host-resolver-rules=MAP * ~NOTFOUND", "--user-data-dir=" + os.path.abspath("browser"),
               "--screenshot=" + os.path.abspath("report.png"), "file://" + os.path.abspath("report.html")]
    subprocess.run(command, capture_output=True, timeout=200)
    image = matplotlib.image.imread("report.png")[:, :, :3]
    check(image.shape[:2] == (3000, 1240), f"the screenshot is {image.shape}")
    for n, part in enumerate(np.array_split(image, 3)):
        ink = float((part.min(axis=2) < 0.7).mean())
        check(ink > 0.01, f"third {n + 1} of the page is empty: {100 * ink:.2f} % of it is not white")
    coloured = float((np.ptp(image, axis=2) > 0.15).mean())
    check(coloured > 0.05, f"no pictures: {100 * coloured:.2f} % of the page is coloured")


def watched():
    """The screen of an unsteady run around a body has its time, its coefficients and no mass flows of the far field; an
    empty folder is called so."""
    sys.path.insert(0, os.path.join(SOURCE, "tools", "python"))
    from annulus.watch_text import screen
    from annulus.watching import Watched

    os.makedirs("body", exist_ok=True)
    with open("body/effective.yaml", "w") as out:
        out.write("march: {mode: unsteady, iterations: 2147483647, end_time: 3}\n")
    with open("body/run.json", "w") as out:
        json.dump({"title": "body", "status": "finished"}, out)
    with open("body/history.csv", "w") as out:
        out.write("iteration,time_s,residual_density,mass_in_kg_s,mass_out_kg_s,pressure_ratio,lift,drag,side_force,moment\n")
        out.writelines(f"{n},{0.25 * n},{2.0 ** -n},43,0,1,0.5,1.5,0,0.125\n" for n in range(5))
    text = " ".join(" ".join(screen(Watched("body").state(), 80)).split())
    for wanted in ("iteration 4, 1 s of 3 s", "lift coefficient – 0.5 ", "drag coefficient – 1.5 ", "moment coefficient – 0.125"):
        check(wanted in text, f"'{wanted}' is not in: {text}")
    check("mass" not in text and "2147483647" not in text and "p0 ratio" not in text, f"what a body has no use for: {text}")

    with open("body/run.json", "w") as out:
        json.dump({"status": "finished", "settled": False}, out)
    check("finished, not settled" in "\n".join(screen(Watched("body").state(), 80)), "a run that has not settled is called so")
    os.makedirs("bare", exist_ok=True)
    for command in (["watch", "bare"], ["watch", "bare", "--once"], ["report", "bare"]):
        done = plot(*command)
        check(done.returncode == 2 and "no run has written into this folder" in done.stderr, f"{command}: {done}")


def sentences():
    """What is said of a steady run and not of an unsteady one; sides of a body; a window around it."""
    sys.path.insert(0, os.path.join(SOURCE, "tools", "python"))
    from annulus.plotting.contours import around_walls
    from annulus.plotting.report_text import findings, percent, run_table
    from annulus.plotting.wall import sides
    from annulus.run import Run

    check([percent(v) for v in (-1.0137, 0.031, 2.179, 4e-7)] == ["101 %", "3.1 %", "218 %", "4e-05 %"], "percent")
    info = {"status": "finished", "last": {"residual_drop": 0.5, "imbalance": 2.0}, "warnings": ["w"]}
    for mode, count in (("steady", 6), ("unsteady", 1)):
        with open("effective.yaml", "w") as out:
            out.write(f"march: {{mode: {mode}}}\n")
        found = findings(Run("."), info)
        check(len(found) == count and found[0] == "W.", f"{mode}: {found}")
    check("<th>Time</th><td>0.5 s</td>" in run_table({"last": {"time_s": 0.5}}) and "Time<" not in run_table({"last": {"time_s": 0.0}}),
          "the time of an unsteady run")
    os.remove("effective.yaml")

    around = np.cos(np.linspace(0, 2 * np.pi, 40) + 0.03)  # trailing edge, leading edge, trailing edge; no two are equal
    check([len(part) for part in sides(around)] == [20, 20], f"sides of a body: {sides(around)}")
    check(len(sides(np.arange(9.0))) == 1 and len(sides(np.tile([0.0, 1.0], 9))) == 1, "sides of a plate, of a zigzag")

    class Zone:
        def __init__(self, x, y):
            self.xy = np.array(x), np.array(y)

        def nodes(self):
            return self.xy

        def family(self):
            return "wall"

    class Body:
        def __init__(self, far):
            self.zones = [Zone([-far, far], [-far, far])]

        @staticmethod
        def periodics():
            return []

    class Walls:
        zones = [Zone([0.0, 1.0], [-0.1, 0.1])]

    import annulus.plotting.contours as module

    class Files:
        @staticmethod
        def files(kind):
            return ["wall"]

    real, module.File = module.File, lambda path, dimensions: Walls
    check(around_walls(Body(20), Files) == "-600:1900,-800:800", f"{around_walls(Body(20), Files)}")
    check(around_walls(Body(2), Files) is None, "a window in a mesh that ends near the walls")
    module.File = real


os.chdir(folder)
with open("history.csv", "w") as out:
    out.write(HISTORY)
with open("run.json", "w") as out:
    json.dump(INFO, out)
done = plot("report", ".")
check(done.returncode == 0 and "10 pictures" in done.stdout, f"report: {done.stdout}{done.stderr}")
with open("report.html") as page:
    page_is_complete(page.read())
browser_shows_it()
sentences()
watched()
done = plot("report", ".", "--spans", "0.5", "-o", "report.pdf")
if shutil.which("chromium") or shutil.which("google-chrome"):
    with open("report.pdf", "rb") as pdf:
        data = pdf.read()
    check(done.returncode == 0 and data[:5] == b"%PDF-" and len(data) > 50000, f"PDF: {done} {len(data)}")
else:
    check(done.returncode == 2 and "needs Chromium" in done.stderr, f"PDF without a browser: {done}")
done = plot("report", "nowhere")
check(done.returncode == 2 and "no such folder" in done.stderr, f"no folder: {done.stderr}")
os.remove("run.json")
done = plot("report", ".")
check(done.returncode == 2 and "run.json: no such file" in done.stderr, f"no run.json: {done.stderr}")
# a browser that does not answer is given up
sys.path.insert(0, os.path.join(SOURCE, "tools", "python"))
from annulus.plotting import report  # noqa: E402

os.makedirs("slow", exist_ok=True)
with open("slow/chromium", "w") as f:
    f.write("#!/bin/sh\nexec sleep 60\n")
os.chmod("slow/chromium", 0o755)
path, os.environ["PATH"] = os.environ["PATH"], os.path.abspath("slow") + ":" + os.environ["PATH"]
try:
    report.as_pdf("<html></html>", "slow.pdf", limit=0.2)
    said = "nothing"
except report.InputError as error:
    said = str(error)
os.environ["PATH"] = path
check("slow.pdf: chromium did not print it within 0.2 s" in said, f"a browser that hangs: {said}")
finish()
