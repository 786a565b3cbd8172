"""annulus-plot map-together: `annulus map --together`, which starts this program."""
import sys

from ..batch import ListError
from ..batch_map import TogetherMap


def add_parser(commands):
    parser = commands.add_parser("map-together", help="run the lines of a map side by side: `annulus map --together` starts this")
    parser.add_argument("case", help="case file with a section `map`")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a value of the case file")
    parser.add_argument("--device", help="auto, cpu or cuda, in place of that of the case file")
    parser.add_argument("--program", help="the program (default: annulus on the PATH)")
    parser.set_defaults(run=run)


def run(options):
    def tell(text):
        print(text, flush=True)

    made = TogetherMap(options.case, options.set, options.program, options.device, tell)
    try:
        code = made.run()
    except ListError as error:
        if made.first:
            print(error, file=sys.stderr)
        code = 2
    except KeyboardInterrupt:  # before anything runs
        code = 4
    sys.exit(code)
