# packages: program:hdf2adf program:cgns_to_plot3d program:plot3d_to_cgns
"""cgnstools.cgns or plot3d files that the commands of the CGNS library make of a duct of mesh_duct. Argument: adf (the file in its older
form), plot3d (cgns_to_plot3d, with iblank), bare (plot3d_to_cgns of that)."""
import subprocess
import sys


def call(*words):
    subprocess.run(words, check=True, stdout=sys.stderr)


form = sys.argv[1]
call("mesh_duct", "-n", "20,4,6", "-s", "18", "-u", "0.2", "-c", "0.3", "-l", "0.4", "-o", "cgnstools_duct.cgns")
if form == "adf":
    call("hdf2adf", "cgnstools_duct.cgns", "cgnstools.cgns")
elif form == "plot3d":
    call("cgns_to_plot3d", "-u", "-d", "cgnstools_duct.cgns", "cgnstools.xyz")
else:
    call("cgns_to_plot3d", "-u", "-d", "-n", "cgnstools_duct.cgns", "cgnstools.xyz")
    call("plot3d_to_cgns", "-u", "-d", "cgnstools.xyz", "cgnstools.cgns")
