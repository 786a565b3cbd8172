"""annulus-plot batch: `annulus batch`, which starts this program."""
import sys

from ..batch import Batch, ListError


def add_parser(commands):
    parser = commands.add_parser("batch", help="run many cases: `annulus batch` starts this")
    parser.add_argument("list", help="cases, as YAML or CSV")
    parser.add_argument("-o", "--output", help="folder of the results (default: LIST without its ending)")
    parser.add_argument("--device", help="auto, cpu or cuda, in place of that of the case files")
    parser.add_argument("--keep-going", action="store_true", help="go on with other cases when one fails")
    parser.add_argument("--program", help="the program (default: annulus on the PATH)")
    parser.set_defaults(run=run)


def run(options):
    def tell(text):
        print(text, flush=True)

    made = Batch(options.list, options.output, options.program, options.device, options.keep_going, tell)
    try:
        code = made.run()
    except ListError:
        if made.first:
            raise
        code = 2
    except KeyboardInterrupt:  # before anything runs
        code = 4
    sys.exit(code)
