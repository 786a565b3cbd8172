"""Opens a run in ParaView: Mach number on hub and blades, a cut from blade to blade, and the loading of the blades.

    cd RUN_FOLDER && paraview --script=/path/to/tools/paraview_run.py

The folder is the present one, or that of the variable ANNULUS_RUN, or its folder `out`. ANNULUS_RADIUS is the radius of the cut in m; by
default it is that of the middle of the walls. A cascade in the plane of x and y is cut at the middle of its depth. Needs ParaView 5.11.
"""
import glob
import os

from paraview import simple as pv


def newest(pattern):
    """The newest file of the run, by its number."""
    top = os.environ.get("ANNULUS_RUN", ".")
    found = sorted(glob.glob(os.path.join(top, pattern))) or sorted(glob.glob(os.path.join(top, "out", pattern)))
    return found[-1] if found else None


def read(path, wanted):
    """A reader with the fields that the file has of those wanted."""
    reader = pv.OpenDataFile(path)
    reader.UpdatePipelineInformation()
    fields = list(reader.CellArrayStatus.GetAvailable())
    reader.CellArrayStatus = [name for name in wanted if name in fields] or fields
    reader.UpdatePipeline()
    return reader


def is_plane(bounds):
    """Does the mesh of these bounds (x, y, z) lie beside the axis in one thin layer of z, as a cascade does?"""
    return bounds[5] - bounds[4] < 0.25 * min(bounds[1] - bounds[0], bounds[3] - bounds[2])


def look(view, bounds):
    """Shows what was cut from above: a cascade along z, the cut of a row along the radius in the middle of the sector, x to the right."""
    pv.ResetCamera(view)
    middle = [0.5 * (bounds[2 * a] + bounds[2 * a + 1]) for a in range(3)]
    y, z = (0, 1) if is_plane(bounds) else middle[1:]
    length = (y * y + z * z) ** 0.5
    if length < 0.05 * max(abs(v) for v in bounds[2:]):  # a whole annulus
        y, z, length = 0, 1, 1
    far = 2 * max(bounds[2 * a + 1] - bounds[2 * a] for a in range(3))
    view.CameraFocalPoint = middle
    view.CameraPosition = [middle[0], middle[1] + far * y / length, middle[2] + far * z / length]
    view.CameraViewUp = [0, z / length, -y / length]
    pv.ResetCamera(view)


def cut(source, bounds, name):
    """The source on a cylinder around x, or in the middle of a cascade."""
    piece = pv.Slice(registrationName=name, Input=source)
    if is_plane(bounds):
        piece.SliceType = "Plane"
        piece.SliceType.Origin = [0, 0, 0.5 * (bounds[4] + bounds[5])]
        piece.SliceType.Normal = [0, 0, 1]
        return piece
    # of a sector the largest |y| and |z| lie at the casing; the middle of the box lies near the middle of the span
    far = max(abs(v) for v in bounds[2:])
    near = ((0.5 * (bounds[2] + bounds[3])) ** 2 + (0.5 * (bounds[4] + bounds[5])) ** 2) ** 0.5
    piece.SliceType = "Cylinder"
    piece.SliceType.Center = [0, 0, 0]
    piece.SliceType.Axis = [1, 0, 0]
    piece.SliceType.Radius = float(os.environ.get("ANNULUS_RADIUS", near if near > 0.05 * far else 0.75 * far))
    return piece


def coloured(source, view, names):
    """Shows the source, coloured by the first field of these names that it has."""
    shown = pv.Show(source, view)
    shown.Representation = "Surface"
    have = [source.CellData.GetArray(n).Name for n in range(source.CellData.GetNumberOfArrays())]
    field = next((name for name in names if name in have), have[0] if have else None)
    if field:
        pv.ColorBy(shown, ("CELLS", field))
        shown.RescaleTransferFunctionToDataRange(True, False)
        shown.SetScalarBarVisibility(view, True)
    return field


def main():
    flow_file, wall_file = newest("flow_*.cgns"), newest("wall_*.cgns")
    if not flow_file:
        raise SystemExit("paraview_run: no flow_NNNNNNNN.cgns in this folder, in its folder out, or in ANNULUS_RUN")
    flow = read(flow_file, ["Mach", "MachRelative", "Pressure", "Density", "Entropy"])
    bounds = flow.GetDataInformation().GetBounds()
    layout = pv.CreateLayout(name="Annulus")
    whole, blades = pv.CreateView("RenderView"), pv.CreateView("RenderView")
    pv.AssignViewToLayout(view=whole, layout=layout, hint=0)
    pv.AssignViewToLayout(view=blades, layout=layout, hint=layout.SplitHorizontal(0, 0.5))
    coloured(cut(flow, bounds, "blade to blade"), blades, ["MachRelative", "Mach", "Pressure"])
    look(blades, bounds)
    if not wall_file:
        coloured(flow, whole, ["Mach", "Pressure"])
        pv.ResetCamera(whole)
        return
    walls = read(wall_file, ["Pressure", "SkinFrictionMagnitude", "YPlus"])
    coloured(walls, whole, ["Pressure"])
    coloured(cut(flow, bounds, "cut"), whole, ["Mach", "Pressure"])
    pv.ResetCamera(whole)
    # merged: of the blocks of several zones the chart would have a series each, whose names end with that of the zone
    sections = pv.MergeBlocks(Input=pv.CellDatatoPointData(Input=cut(walls, bounds, "blade sections")))
    loading = pv.PlotData(registrationName="blade loading", Input=sections)
    chart = pv.CreateView("XYChartView")
    pv.AssignViewToLayout(view=chart, layout=layout, hint=layout.SplitVertical(2, 0.5))
    line = pv.Show(loading, chart)
    line.UseIndexForXAxis = 0
    line.XArrayName = "Points_X"
    line.SeriesVisibility = ["Pressure"]
    line.SeriesLineStyle, line.SeriesMarkerStyle = ["Pressure", "0"], ["Pressure", "4"]  # points: they come in no order along the blade
    chart.BottomAxisTitle, chart.LeftAxisTitle = "x, m", "pressure, Pa"


main()
