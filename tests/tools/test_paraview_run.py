"""tools/paraview_run.py with a stand-in for paraview.simple: what it reads exists, and the calls are those of ParaView 5.11."""
import os
import runpy
import sys
import types

from checks import check, finish

folder = os.path.abspath(sys.argv[1])
SCRIPT = os.path.join(os.environ["AN_SOURCE"], "tools", "paraview_run.py")
os.makedirs(folder, exist_ok=True)
# proxy -> properties that it has in ParaView 5.11
KNOWN = {
    "CGNSSeriesReader": {"FileNames", "CellArrayStatus"}, "Slice": {"Input", "SliceType"}, "PlotData": {"Input"},
    "CellDatatoPointData": {"Input"}, "MergeBlocks": {"Input"}, "XYChartView": {"BottomAxisTitle", "LeftAxisTitle"}, "Layout": set(),
    "RenderView": {"CameraFocalPoint", "CameraPosition", "CameraViewUp"},
    "Shown": {"Representation", "UseIndexForXAxis", "XArrayName", "SeriesVisibility", "SeriesLineStyle", "SeriesMarkerStyle"},
    "Cylinder": {"Center", "Axis", "Radius"}, "Plane": {"Origin", "Normal"},
}
made = []


class Proxy:
    def __init__(self, kind, fields=(), bounds=None, **given):
        given.pop("registrationName", None)
        self.__dict__.update(kind=kind, fields=list(fields), bounds=bounds, said={})
        for name, value in given.items():
            setattr(self, name, value)
        made.append(self)

    def __setattr__(self, name, value):
        check(name in KNOWN[self.kind], f"{self.kind} has no property {name}")
        if name == "SliceType":
            value = Proxy(value)
        if name == "FileNames":
            check(all(os.path.exists(path) for path in value), f"{value} does not exist")
        if name == "CellArrayStatus":
            check(set(value) <= set(self.fields), f"{value} are not in {self.fields}")
        if name == "Input":
            self.__dict__.update(fields=value.fields, bounds=value.bounds)
        self.said[name] = value

    def __getattr__(self, name):
        if name in self.said:
            return self.said[name]
        if name == "CellArrayStatus":
            return types.SimpleNamespace(GetAvailable=lambda: self.fields)
        if name == "CellData":
            return types.SimpleNamespace(GetNumberOfArrays=lambda: len(self.fields),
                                         GetArray=lambda n: types.SimpleNamespace(Name=self.fields[n]))
        if name == "GetDataInformation":
            return lambda: types.SimpleNamespace(GetBounds=lambda: self.bounds)
        if name.startswith("Split"):
            return lambda *_: 1
        check(name in ("UpdatePipelineInformation", "UpdatePipeline", "RescaleTransferFunctionToDataRange", "SetScalarBarVisibility"),
              f"{self.kind} has no method {name}")
        return lambda *_: None


def opened(bounds, walls):
    """The proxies that the script makes in a folder with a snapshot of these bounds."""
    made.clear()
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
    for name in ["flow_00000010.cgns", "flow_00000200.cgns"] + (["wall_00000200.cgns"] if walls else []):
        open(os.path.join(folder, name), "w").close()
    pv = types.ModuleType("paraview.simple")
    pv.OpenDataFile = lambda path: Proxy("CGNSSeriesReader", ["Pressure", "YPlus"] if "wall_" in path else ["Density", "Mach", "Pressure"],
                                         bounds, FileNames=[path])
    for kind in ("Slice", "PlotData", "CellDatatoPointData", "MergeBlocks"):
        setattr(pv, kind, lambda kind=kind, **given: Proxy(kind, **given))
    pv.CreateLayout = lambda name: Proxy("Layout")
    pv.CreateView = Proxy
    pv.AssignViewToLayout = lambda view, layout, hint: None
    pv.Show = lambda source, view: Proxy("Shown")
    pv.ColorBy = lambda shown, what: check(what[0] == "CELLS", f"{what}")
    pv.ResetCamera = lambda view: None
    top = types.ModuleType("paraview")
    top.simple = pv
    sys.modules.update({"paraview": top, "paraview.simple": pv})
    os.environ["ANNULUS_RUN"] = folder
    runpy.run_path(SCRIPT)
    return list(made)


found = opened((0, 0.2, -0.05, 0.05, 0.28, 0.32), True)
readers = [p for p in found if p.kind == "CGNSSeriesReader"]
check([os.path.basename(p.FileNames[0]) for p in readers] == ["flow_00000200.cgns", "wall_00000200.cgns"], "not the newest files")
cylinders = [p for p in found if p.kind == "Cylinder"]
check(len(cylinders) == 3 and all(abs(p.Radius - 0.3) < 0.001 for p in cylinders), f"radius: {[p.Radius for p in cylinders]}")
check(any(p.kind == "PlotData" for p in found) and any(p.kind == "XYChartView" for p in found), "no loading")
# the series of PlotData have the names of the fields for a source without blocks only; ParaView shows nothing otherwise
check(all(p.Input.kind == "MergeBlocks" for p in found if p.kind == "PlotData"), "the loading has a series for each zone")


def direction(view):
    """From where to where the camera of a view looks, of length 1."""
    d = [b - a for a, b in zip(view.CameraPosition, view.CameraFocalPoint)]
    return [round(v / sum(w * w for w in d) ** 0.5, 3) + 0.0 for v in d]


# the blade-to-blade view looks along the radius of the sector, with x to the right
view = [p for p in found if p.kind == "RenderView"][1]
check(direction(view) == [0, 0, -1] and view.CameraViewUp == [0, 1, 0], f"the cut is seen from {view.said}")
os.environ["ANNULUS_RADIUS"] = "0.25"
check(all(p.Radius == 0.25 for p in opened((0, 0.2, -0.3, 0.3, -0.3, 0.3), True) if p.kind == "Cylinder"), "ANNULUS_RADIUS does nothing")
planes = [p for p in opened((-1, 2, -0.4, 0.8, 0, 0.1), False) if p.kind == "Plane"]
check(planes and all(p.Origin[2] == 0.05 for p in planes), "a cascade is not cut in its middle")
view = [p for p in made if p.kind == "RenderView"][1]
check(direction(view) == [0, 0, -1] and view.CameraViewUp == [0, 1, 0], f"the cascade is seen from {view.said}")
check(all(p.Representation == "Surface" for p in made if p.kind == "Shown"), "only the outline of the flow is shown")
finish()
