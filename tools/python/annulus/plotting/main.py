"""Command line: subcommands and exit codes (0 done, 2 the input cannot be used)."""
import argparse
import importlib
import os
import sys

from ..errors import program
from ..run import Run

# subcommand -> its module
MODULES = {
    "batch": "batch", "map-together": "together", "report": "report", "watch": "watch", "convergence": "convergence", "blade": "blade",
    "loading": "loading", "wall": "wall", "contours": "contours", "b2b": "bladetoblade", "meridional": "meridional", "spanwise": "spanwise", "mesh": "mesh",
    "boundaries": "boundaries",
    "roofline": "roofline", "row": "row", "map": "map", "profile": "profile", "cut": "cut", "unrolled": "unrolled", "table": "table",
    "stages": "stages", "planes": "planes", "signals": "signals", "film": "film", "surfaces": "surfaces", "export": "export",
}


def parser_of(command=None):
    """Of one subcommand, so that the others need not be loaded, or of all."""
    parser = argparse.ArgumentParser(
        prog="plot", description="Pictures of runs, snapshots and meshes (PNG, or PDF by the name)."
    )
    commands = parser.add_subparsers(dest="command", metavar="SUBCOMMAND", required=True)
    for name in [command] if command in MODULES else MODULES:
        importlib.import_module("." + MODULES[name], __package__).add_parser(commands)
    return parser


def first_file(options):
    given = getattr(options, "snapshot" if "snapshot" in options else "file")
    return given[0] if isinstance(given, list) else given


def take_newest(options):
    """Replaces each output folder among the files of a command by the newest file in it that the command can draw."""
    def newest(path):
        return Run(path).newest(options.newest) if os.path.isdir(path) else path

    argument = "snapshot" if "snapshot" in options else "file"
    given = getattr(options, argument)
    setattr(options, argument, [newest(path) for path in given] if isinstance(given, list) else newest(given))


def main(arguments=None):
    arguments = sys.argv[1:] if arguments is None else arguments
    options = parser_of(arguments[0] if arguments else None).parse_args(arguments)
    with program(f"plot {options.command}"):
        if "newest" in options:
            take_newest(options)
        if "own_name" in options and options.output is None:
            options.output = os.path.join(os.path.dirname(first_file(options)), options.own_name)
        options.parser_of = parser_of  # for subcommands that draw by others: film and report
        options.run(options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
