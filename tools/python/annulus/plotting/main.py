"""Command line: subcommands and exit codes (0 done, 2 the input cannot be used)."""
import argparse
import os
import sys

from . import blade, bladetoblade, contours, convergence, loading, map, meridional, mesh, profile, report
from . import roofline, row, spanwise, wall
from ..errors import InputError
from ..run import Run


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


def take_newest(options):
    """Replaces each output folder among the files of a command by the newest file in it that the command can draw."""
    def newest(path):
        return Run(path).newest(options.newest) if os.path.isdir(path) else path

    argument = "snapshot" if "snapshot" in options else "file"
    given = getattr(options, argument)
    setattr(options, argument, [newest(path) for path in given] if isinstance(given, list) else newest(given))


def main(arguments=None):
    options = parser_of().parse_args(arguments)
    try:
        if "newest" in options:
            take_newest(options)
        options.run(options)
    except (InputError, OSError) as error:
        print(f"plot {options.command}: error: {error}", file=sys.stderr)
        return 2
    return 0
