# packages: program:pvpython program:xvfb-run h5py PyYAML numpy
"""tools/paraview_run.py in ParaView, without a screen: its views are made into a picture, and the loading of the blade has points."""
import os
import subprocess
import sys

import vane

path, _ = vane.computed()
script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "paraview_run.py")
with open("shot.py", "w") as out:
    out.write(f"""
exec(compile(open({script!r}).read(), {script!r}, "exec"))
loading = next(source for (name, _), source in pv.GetSources().items() if name == "blade loading")
loading.UpdatePipeline()
assert loading.GetDataInformation().GetNumberOfPoints() > 20
pv.SaveScreenshot("paraview.png", pv.GetLayout(), ImageResolution=[1600, 900])
""")
if os.path.exists("paraview.png"):
    os.remove("paraview.png")
made = subprocess.run(["xvfb-run", "-a", "pvpython", "--force-offscreen-rendering", "shot.py"], timeout=300,
                      env={**os.environ, "ANNULUS_RUN": os.path.dirname(path)})
sys.exit(made.returncode or not os.path.getsize("paraview.png") > 20000)
