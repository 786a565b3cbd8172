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

from ..average import pitch_average
from ..blading import row_table
from ..case import Case
from ..cgns import File
from ..errors import InputError
from ..run import NO_RUN, Run, unit_of
from ..station import machine_table
from . import batch_report
from .contours import around_walls
from .style import plt
from .report_rows import blading_html, designs, in_flow_order, mesh_table, walls_of_rows
from .report_text import STYLE, coefficients_table, findings, machine_html, metal_table, rows_table, run_table, walls_table

MANY = 2  # rows: a machine of more has one picture for all its blades, and one surface from blade to blade
SPANS = (0.1, 0.5, 0.9)


def add_parser(commands):
    parser = commands.add_parser("report", help="one HTML page about a run: tables, warnings and pictures")
    parser.add_argument("folder", help="output folder of the run")
    parser.add_argument("--spans", type=float, nargs="+", help="of surfaces and loading (default: 0.1 0.5 0.9; surfaces of more than two rows: 0.5)")
    parser.add_argument("--measured", metavar="CSV", help="measured spanwise profiles (see `plot profile`; with a column plane: `plot planes`)")
    parser.add_argument("--design", metavar="CSV", help="the designer's figures of the rows: a column row, and columns as in stages.csv")
    parser.add_argument("--measured-map", metavar="CSV", help="measured speed line (see `plot map`)")
    parser.add_argument("--measured-blade", metavar="CSV", help="measured Mach numbers on a blade (see `plot blade`)")
    parser.add_argument("--x", metavar="COLUMN", help="of a batch: column of batch.csv along the axis of the picture")
    parser.add_argument("--y", metavar="COLUMN", help="of a batch: column upwards")
    parser.add_argument("-o", "--output", help="page, as HTML or, by the name, as PDF (default: FOLDER/report.html)")
    parser.set_defaults(run=run)


MOST_SAID = 6  # lines of a caption


class Pictures:
    """Figures of the page, made by the other subcommands in a folder that is thrown away. parser_of: main's, of one
    subcommand."""

    def __init__(self, folder, parser_of):
        self.folder, self.parser_of, self.made, self.missing = folder, parser_of, [], []
        self.open = {}  # path -> File or Flow, which all pictures share

    def shared(self, options):
        """The options of a subcommand with open files in the place of their paths."""
        for name in ("snapshot", "file"):
            path = getattr(options, name, None)  # several, of some subcommands
            found = self.open.get(path) if isinstance(path, str) else None
            if found is not None:
                setattr(options, name, found if name == "snapshot" or isinstance(found, File) else found.file)
        return options

    def add(self, section, title, *arguments, wide=False):
        """Draws `plot ARGUMENTS`; what cannot be drawn is noted with the reason. wide: over the whole width of the page."""
        path = os.path.join(self.folder, f"{len(self.made)}.png")
        said = io.StringIO()

        def draw():
            options = self.parser_of(arguments[0]).parse_args([*(str(a) for a in arguments), "-o", path])
            with contextlib.redirect_stdout(said):
                options.run(self.shared(options))
            return True

        if not self.attempt(title, draw):
            plt.close("all")
            return
        lines = [line.strip() for line in said.getvalue().splitlines() if not line.startswith("wrote ")]
        with open(path, "rb") as picture:
            data = base64.b64encode(picture.read()).decode("ascii")
        self.made.append((section, title, " · ".join(lines) if len(lines) <= MOST_SAID else "", data, wide))

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
    wide = len(flow.rows) > MANY
    for span in spans or ((0.5,) if wide else SPANS):
        field = "MachRelative" if turning else "Mach"
        title = f"{flow.label(field)} at {100 * span:g} % span"
        pictures.add("surfaces", title, "b2b", path, "--span", span, "--field", field, wide=wide)
    fields = ("PressureStagnation", "Entropy", "VelocityMeridional")
    flow.mean = pitch_average(flow, fields)  # of which `plot meridional` takes what it draws
    for field in fields:
        pictures.add("meridional", f"{flow.label(field)}, mean over the pitch", "meridional", path, "--field", field)
    if len(flow.rows) > 1:
        pictures.add("stages", "Means ahead of the blades of each row and behind them", "stages", path, wide=True)


def has_planes(path):
    """Does a file of measured profiles say by a column `plane` where each of them was measured?"""
    try:
        with open(path, errors="replace") as text:
            header = next((line for line in text if not line.startswith("#")), "")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    return "plane" in [name.strip() for name in header.split(",")]


def draw_profiles(pictures, run_, measured, flow):
    """Profiles of the last station if the case has stations, and of all planes between the rows."""
    files, planes = run_.files("profile"), bool(measured) and has_planes(measured)
    extra = ["--measured", measured] if measured else []
    if files:
        pictures.add("profiles", "Spanwise profiles at the last station", "profile", files[-1], *([] if planes else extra))
    if flow is not None and is_annular(flow):
        title = "Spanwise profiles behind each row" if len(flow.rows) > 1 else "Spanwise profiles ahead of the row and behind it"
        pictures.add("profiles", title, "planes", flow.file.path, *(extra if planes else []), wide=len(flow.rows) > 1)


def draw_walls(pictures, run_, spans, flow, measured):
    files = run_.files("wall")
    if files:
        pictures.open[files[-1]] = walls = File(files[-1], (2,))
        walls.flow = flow
    # walls without friction are in no file of walls: their pressure follows from the flow
    families = walls.families() if files else flow.file.families() if flow is not None else []
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
    families = walls_of_rows(flow, families)
    if files and len(families) > MANY:
        pictures.add("loading", "Pressure on the blades", "loading", files[-1], "--family", *families, "--span", *(spans or SPANS), wide=True)
        return
    for family in families if files else ():
        title = f"Pressure on {family}"
        pictures.add("loading", title, "loading", files[-1], "--family", family, "--span", *(spans or SPANS))
        pictures.add("loading", title + ", unrolled", "unrolled", files[-1], "--family", family)


def figure_html(title, caption, data, wide):
    return (
        f'<figure{" class=wide" if wide else ""}><figcaption><b>{html.escape(title)}</b></figcaption><img alt="{html.escape(title)}" '
        f'src="data:image/png;base64,{data}"><p class="caption">{html.escape(caption)}</p></figure>'
    )


SECTIONS = (
    ("stages", "From row to row"), ("convergence", "Convergence"), ("map", "Speed line"), ("surfaces", "Blade to blade surfaces"), ("meridional", "Meridional plane"),
    ("profiles", "Spanwise profiles"), ("loading", "Loading"), ("mesh", "Mesh"),
)


def draw_mesh(pictures, flow):
    """The mesh of an annular row; its hub, mid-span and meridional layers."""
    if flow is None or not is_annular(flow):
        return
    for cut, title in (("mid", "Layer of cells at mid-span"), ("meridional", "Meridional plane of the mesh")):
        pictures.add("mesh", title, "row", flow.file.path, "--cut", cut, wide=len(flow.rows) > MANY)


ROWS, BALANCES, MACHINE = "Rows", "Flows through the rows", "Machine from inlet to outlet"


def tables_of(pictures, info, flow, design=None):
    """Heading of the page -> table as HTML, or None where it cannot be made. design: a CSV of the designer's figures."""
    made = {}
    annular = flow is not None and is_annular(flow)
    if annular:
        made[ROWS] = pictures.attempt(ROWS, lambda: blading_html(row_table(flow), designs(design)))
    if info.get("rows"):
        made[BALANCES] = pictures.attempt(BALANCES, lambda: rows_table(in_flow_order(info["rows"], flow), unit_of))
    if info.get("coefficients"):
        made["Coefficients"] = pictures.attempt("Coefficients", coefficients_table, info["coefficients"])
    if info.get("walls"):
        made["Walls"] = pictures.attempt("Walls", lambda: walls_table(in_flow_order(info["walls"], flow, walls=True)))
    if info.get("solids"):
        made["Metal"] = pictures.attempt("Metal", metal_table, info["solids"])
    if annular:
        made[MACHINE] = pictures.attempt(MACHINE, lambda: machine_html(machine_table(flow)))
    if flow is not None:
        made["Mesh"] = pictures.attempt("Mesh", mesh_table, flow)
    return made


def page(run_, info, pictures, flow, design=None):
    title = html.escape(str(info.get("title") or os.path.basename(os.path.abspath(run_.folder))))
    out = [f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>']
    out.append(f'<meta name="viewport" content="width=device-width">{STYLE}</head><body><h1>{title}</h1>')
    out.append(run_table(info))
    tables = tables_of(pictures, info, flow, design)  # first, because what fails is one of the warnings
    found = pictures.attempt("Warnings", findings, run_, info) or []
    found += [f"Not drawn: {t}: {reason}" for t, reason in pictures.missing]
    out.append("<h2>Warnings</h2>")
    out.append("<ul>" + "".join(f"<li>{html.escape(f)}</li>" for f in found) + "</ul>" if found else "<p>None.</p>")
    for heading in (ROWS, BALANCES, "Coefficients", MACHINE):
        if tables.get(heading):
            out.append(f"<h2>{heading}</h2>{tables[heading]}")
    for name, heading in SECTIONS:
        drawn = pictures.of(name)
        if name == "surfaces" and not (flow is not None and is_annular(flow)):
            heading = "Flow"
        table = tables.get(heading) or ""
        if drawn or table:
            out.append(f"<h2>{heading}</h2>{table}<div class='pictures'>" + "".join(figure_html(*p) for p in drawn) + "</div>")
    for heading in ("Walls", "Metal"):
        if tables.get(heading):
            out.append(f"<h2>{heading}</h2>{tables[heading]}")
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
            pictures.open[flow.file.path] = flow
            pictures.attempt("Surfaces", draw_flow, pictures, run_, flow, options.spans)
        pictures.attempt("Spanwise profiles", draw_profiles, pictures, run_, measured(options.measured, "measured_profiles"), flow)
        pictures.attempt("Loading", draw_walls, pictures, run_, options.spans, flow, measured(options.measured_blade, "measured_blade"))
        pictures.attempt("Mesh", draw_mesh, pictures, flow)
        text = page(run_, info, pictures, flow, measured(options.design, "design_rows"))
    write_page(text, options, f"{len(pictures.made)} pictures, ")
    for title, reason in pictures.missing:
        print(f"not drawn: {title}: {reason}")
