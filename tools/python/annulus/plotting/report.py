"""tools/plot report: one HTML page about a run, which needs no other file and no network; with Chromium also as
PDF."""
import base64
import contextlib
import html
import io
import os
import shutil
import subprocess
import tempfile

from ..case import Case
from ..cgns import File
from ..errors import InputError
from ..run import NO_RUN, Run, unit_of
from ..station import machine_table
from . import batch_report
from .contours import around_walls
from .style import plt
from .report_text import STYLE, coefficients_table, findings, machine_html, mesh_table, rows_table, run_table, walls_table


def add_parser(commands):
    parser = commands.add_parser("report", help="one HTML page about a run: tables, warnings and pictures")
    parser.add_argument("folder", help="output folder of the run")
    parser.add_argument("--spans", type=float, nargs="+", default=[0.1, 0.5, 0.9], help="of surfaces and loading")
    parser.add_argument("--measured", metavar="CSV", help="measured spanwise profiles (see `plot profile`)")
    parser.add_argument("--measured-map", metavar="CSV", help="measured speed line (see `plot map`)")
    parser.add_argument("--measured-blade", metavar="CSV", help="measured Mach numbers on a blade (see `plot blade`)")
    parser.add_argument("--x", metavar="COLUMN", help="of a batch: column of batch.csv along the axis of the picture")
    parser.add_argument("--y", metavar="COLUMN", help="of a batch: column upwards")
    parser.add_argument("-o", "--output", help="page, as HTML or, by the name, as PDF (default: FOLDER/report.html)")
    parser.set_defaults(run=run)


class Pictures:
    """Figures of the page, made by the other subcommands in a folder that is thrown away. parser_of: main's, of one
    subcommand."""

    def __init__(self, folder, parser_of):
        self.folder, self.parser_of, self.made, self.missing = folder, parser_of, [], []

    def add(self, section, title, *arguments):
        """Draws `plot ARGUMENTS`; what cannot be drawn is noted with the reason."""
        path = os.path.join(self.folder, f"{len(self.made)}.png")
        said = io.StringIO()

        def draw():
            options = self.parser_of(arguments[0]).parse_args([*(str(a) for a in arguments), "-o", path])
            with contextlib.redirect_stdout(said):
                options.run(options)
            return True

        if not self.attempt(title, draw):
            plt.close("all")
            return
        lines = [line.strip() for line in said.getvalue().splitlines() if not line.startswith("wrote ")]
        with open(path, "rb") as picture:
            data = base64.b64encode(picture.read()).decode("ascii")
        self.made.append((section, title, " · ".join(lines), data))

    def attempt(self, title, make, *arguments):
        """What `make` gives. Whatever fails costs its own part of the page only: the page says what and why."""
        try:
            return make(*arguments)
        except (InputError, OSError) as error:
            self.missing.append((title, str(error)))
        except (Exception, SystemExit) as error:  # noqa: BLE001
            self.missing.append((title, f"{type(error).__name__}: {error}"))
        return None

    def of(self, section):
        return [p[1:] for p in self.made if p[0] == section]


def is_annular(flow):
    return any(row.pitch for row in flow.rows)


def draw_flow(pictures, run_, flow, spans):
    path = flow.file.path
    if not is_annular(flow):
        zoom = around_walls(flow, run_)
        place = "around the walls" if zoom else "middle layer of cells"
        for field in ("Mach", "Pressure"):
            pictures.add("surfaces", f"{flow.label(field)}, {place}", "contours", path, "--field", field, *([f"--zoom={zoom}"] if zoom else []))
        return
    turning = any(row.omega for row in flow.rows)
    for span in spans:
        field = "MachRelative" if turning else "Mach"
        title = f"{flow.label(field)} at {100 * span:g} % span"
        pictures.add("surfaces", title, "b2b", path, "--span", span, "--field", field)
    for field in ("PressureStagnation", "Entropy", "VelocityMeridional"):
        pictures.add("meridional", f"{flow.label(field)}, mean over the pitch", "meridional", path, "--field", field)


def draw_profiles(pictures, run_, measured, flow):
    files = run_.files("profile")
    if files:
        extra = ["--measured", measured] if measured else []
        pictures.add("profiles", "Spanwise profiles at the last station", "profile", files[-1], *extra)
    elif flow is not None and is_annular(flow):
        x = [flow.nodes(zone)[0] for zone in flow.zones]
        low, high = min(c.min() for c in x), max(c.max() for c in x)
        where = ["--m", 0.02, 0.98] if flow.channel.turns else ["--x", *(f"{low + p * (high - low):.9f}" for p in (0.02, 0.98))]
        pictures.add("profiles", "Spanwise profiles near the inlet and the outlet", "spanwise", run_.newest("flow"), *where)


def draw_walls(pictures, run_, spans, flow, measured):
    files = run_.files("wall")
    # walls without friction are in no file of walls: their pressure follows from the flow
    families = File(files[-1], (2,)).families() if files else flow.file.families() if flow is not None else []
    blades = ("blade", "splitter", "splitter_2")
    families = [f for f in families if f in blades or f.endswith(tuple("_" + name for name in blades))]
    if flow is None or not is_annular(flow):
        if families and flow is not None and flow.gas.coefficients is None:
            known = ["--p0", flow.reference[0], "--gamma", flow.gas.gamma]
            known += ["--measured", measured] if measured else []
            for family in families:
                title = f"Isentropic Mach number on {family}"
                pictures.add("loading", title, "blade", files[-1] if files else flow.file.path, "--family", family, *known)
        elif files:
            pictures.add("loading", "Pressure along the walls", "wall", files[-1], "--field", "Pressure")
        return
    for family in families if files else ():
        title = f"Pressure on {family}"
        pictures.add("loading", title, "loading", files[-1], "--family", family, "--span", *spans)
        pictures.add("loading", title + ", unrolled", "unrolled", files[-1], "--family", family)


def figure_html(title, caption, data):
    return (
        f'<figure><figcaption><b>{html.escape(title)}</b></figcaption><img alt="{html.escape(title)}" '
        f'src="data:image/png;base64,{data}"><p class="caption">{html.escape(caption)}</p></figure>'
    )


SECTIONS = (
    ("convergence", "Convergence"), ("map", "Speed line"), ("surfaces", "Blade to blade surfaces"), ("meridional", "Meridional plane"),
    ("profiles", "Spanwise profiles"), ("loading", "Loading"), ("mesh", "Mesh"),
)


def draw_mesh(pictures, flow):
    """The mesh of an annular row; its hub, mid-span and meridional layers."""
    if flow is None or not is_annular(flow):
        return
    for cut, title in (("mid", "Layer of cells at mid-span"), ("meridional", "Meridional plane of the mesh")):
        pictures.add("mesh", title, "row", flow.file.path, "--cut", cut)


def tables_of(pictures, info, flow):
    """Heading of the page -> table as HTML, or None where it cannot be made."""
    made = {}
    if info.get("rows"):
        made["Rows"] = pictures.attempt("Rows", rows_table, info["rows"], unit_of)
    if info.get("coefficients"):
        made["Coefficients"] = pictures.attempt("Coefficients", coefficients_table, info["coefficients"])
    if info.get("walls"):
        made["Walls"] = pictures.attempt("Walls", walls_table, info["walls"])
    if flow is not None and is_annular(flow):
        machine = "Machine from inlet to outlet"
        made[machine] = pictures.attempt(machine, lambda: machine_html(machine_table(flow), flow.channel.turns))
    if flow is not None:
        made["Mesh"] = pictures.attempt("Mesh", mesh_table, flow)
    return made


def page(run_, info, pictures, flow):
    title = html.escape(str(info.get("title") or os.path.basename(os.path.abspath(run_.folder))))
    out = [f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>']
    out.append(f'<meta name="viewport" content="width=device-width">{STYLE}</head><body><h1>{title}</h1>')
    out.append(run_table(info))
    tables = tables_of(pictures, info, flow)  # first, because what fails is one of the warnings
    found = pictures.attempt("Warnings", findings, run_, info) or []
    found += [f"Not drawn: {t}: {reason}" for t, reason in pictures.missing]
    out.append("<h2>Warnings</h2>")
    out.append("<ul>" + "".join(f"<li>{html.escape(f)}</li>" for f in found) + "</ul>" if found else "<p>None.</p>")
    for heading in ("Rows", "Coefficients", "Machine from inlet to outlet"):
        if tables.get(heading):
            out.append(f"<h2>{heading}</h2>{tables[heading]}")
    for name, heading in SECTIONS:
        drawn = pictures.of(name)
        if name == "surfaces" and not (flow is not None and is_annular(flow)):
            heading = "Flow"
        table = tables.get(heading) or ""
        if drawn or table:
            out.append(f"<h2>{heading}</h2>{table}<div class='pictures'>" + "".join(figure_html(*p) for p in drawn) + "</div>")
    if tables.get("Walls"):
        out.append("<h2>Walls</h2>" + tables["Walls"])
    case = run_.path("effective.yaml")
    if os.path.exists(case):
        with open(case, errors="replace") as text:
            out.append(f"<h2>Case</h2><details><summary>Every key with its value</summary><pre>{html.escape(text.read())}</pre></details>")
    return "\n".join(out) + "</body></html>\n"


def as_pdf(text, path, limit=300):
    """Prints the page; InputError without a browser."""
    browser = next(filter(None, map(shutil.which, ("chromium", "google-chrome", "chromium-browser"))), None)
    if not browser:
        raise InputError("a report as PDF needs Chromium; write it as HTML and print it from a browser")
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "report.html")
        with open(source, "w") as out:
            out.write(text)
        try:
            done = subprocess.run(
                [browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", "--user-data-dir=" + folder,
                 "--print-to-pdf=" + os.path.abspath(path), "file://" + source], capture_output=True, text=True, timeout=limit)
        except subprocess.TimeoutExpired:
            raise InputError(f"{path}: {os.path.basename(browser)} did not print it within {limit:g} s") from None
    if done.returncode or not os.path.exists(path):
        raise InputError(f"{path}: {os.path.basename(browser)} did not print it: {done.stderr.strip()[-300:]}")


def write_page(text, options, words=""):
    output = options.output or os.path.join(options.folder, "report.html")
    if output.endswith(".pdf"):
        as_pdf(text, output)
    else:
        with open(output, "w") as out:
            out.write(text)
    print(f"wrote {output}: {words}{len(text) / 2**20:.1f} MiB")


def run(options):
    run_ = Run(options.folder)
    if os.path.exists(run_.path("batch.csv")) and not os.path.exists(run_.path("run.json")):
        write_page(batch_report.page(options.folder, (options.x, options.y)), options)
        return
    if not any(os.path.exists(run_.path(name)) for name in ("run.json", "history.csv")):
        raise InputError(f"{options.folder}: {NO_RUN}")
    info = run_.info

    with tempfile.TemporaryDirectory() as folder:
        pictures = Pictures(folder, options.parser_of)
        case = Case()
        if os.path.exists(run_.path("effective.yaml")):
            case = pictures.attempt("What follows from the case", lambda: run_.case) or case

        def measured(given, key):  # of the command line, else of the case
            return given or case.value("output." + key)

        pictures.add("convergence", "Residuals and mass flows", "convergence", options.folder)
        if os.path.exists(run_.path("map.csv")):
            points = measured(options.measured_map, "measured_map")
            extra = ["--measured", points] if points else []
            pictures.add("map", "Pressure ratio and efficiency", "map", options.folder, *extra)
        flow = None
        if run_.files("flow"):
            flow = pictures.attempt("What follows from the snapshot", run_.flow)
        if flow is not None:
            pictures.attempt("Surfaces", draw_flow, pictures, run_, flow, options.spans)
        pictures.attempt("Spanwise profiles", draw_profiles, pictures, run_, measured(options.measured, "measured_profiles"), flow)
        pictures.attempt("Loading", draw_walls, pictures, run_, options.spans, flow, measured(options.measured_blade, "measured_blade"))
        pictures.attempt("Mesh", draw_mesh, pictures, flow)
        text = page(run_, info, pictures, flow)
    write_page(text, options, f"{len(pictures.made)} pictures, ")
    for title, reason in pictures.missing:
        print(f"not drawn: {title}: {reason}")
