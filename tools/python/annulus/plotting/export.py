"""tools/plot export: the faces of walls, or a table of the program, as CSV or Parquet with units in the names of the columns."""
import os

from ..cgns import File
from ..exchange import wall_table, write_table
from ..run import Table


def add_parser(commands):
    parser = commands.add_parser("export", help="the faces of walls, or a table, as CSV or Parquet")
    parser.add_argument("file", help="wall_NNNNNNNN.cgns, a CSV file of the program, or an output folder for its newest walls")
    parser.add_argument("-o", "--output", metavar="FILE", help="file to write, .csv or .parquet (default: beside the walls, .csv)")
    parser.set_defaults(run=run, newest="wall")


def run(options):
    given = options.file
    columns = dict(Table(given)) if given.endswith(".csv") else wall_table(File(given, (2,)))
    output = options.output or os.path.splitext(given)[0] + (".parquet" if given.endswith(".csv") else ".csv")
    write_table(columns, output)
    print(f"{output}: {len(next(iter(columns.values())))} lines, {', '.join(columns)}")
