"""Command line: subcommands and exit codes (0 done, 2 the input cannot be used)."""
import argparse
import sys

from . import blade, bladetoblade, contours, convergence, loading, map, meridional, mesh, profile, report
from . import roofline, row, spanwise, wall
from ..errors import InputError


def parser_of():
    parser = argparse.ArgumentParser(
        prog="plot", description="Pictures of runs, snapshots and meshes (PNG, or PDF by the name)."
    )
    commands = parser.add_subparsers(dest="command", metavar="SUBCOMMAND", required=True)
    for module in (
        report, convergence, blade, loading, wall, contours, bladetoblade, meridional, spanwise, mesh, roofline, row, map,
        profile,
    ):
        module.add_parser(commands)
    return parser


def main(arguments=None):
    options = parser_of().parse_args(arguments)
    try:
        options.run(options)
    except (InputError, OSError) as error:
        print(f"plot {options.command}: error: {error}", file=sys.stderr)
        return 2
    return 0
