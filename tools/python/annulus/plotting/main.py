"""Command line: subcommands and exit codes (0 done, 2 the input cannot be used)."""
import argparse
import sys

from . import blade, contours, convergence, loading, map, mesh, profile, roofline, row, wall
from .style import InputError


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="plot", description="Pictures of runs, snapshots and meshes (PNG, or PDF by the name)."
    )
    commands = parser.add_subparsers(dest="command", metavar="SUBCOMMAND", required=True)
    for module in (convergence, blade, loading, wall, contours, mesh, roofline, row, map, profile):
        module.add_parser(commands)
    options = parser.parse_args(arguments)
    try:
        options.run(options)
    except (InputError, OSError) as error:
        print(f"plot {options.command}: error: {error}", file=sys.stderr)
        return 2
    return 0
