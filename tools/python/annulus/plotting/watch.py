"""annulus-plot watch: a run as it goes on, in the terminal or as a page that browsers of this machine show."""
from ..errors import InputError
from ..watch_text import watch


def add_parser(commands):
    parser = commands.add_parser("watch", help="a run as it goes on, in the terminal or in a browser")
    parser.add_argument("folder", help="output folder of the run")
    parser.add_argument("--live", action="store_true", help="serve a page on 127.0.0.1 and print its address")
    parser.add_argument("--control", action="store_true", help="with --live: buttons for a snapshot and for the run's end")
    parser.add_argument("--once", action="store_true", help="print the present state and end")
    parser.add_argument("--port", type=int, help="with --live: port of the page (default: a free one)")
    parser.add_argument("--every", type=float, default=1.0, help="seconds between looks at the folder (default: 1)")
    parser.set_defaults(run=run)


def run(options):
    if not options.live and (options.control or options.port is not None):
        raise InputError("--control and --port go with --live")
    if options.live and options.once:
        raise InputError("--once prints in the terminal; it does not go with --live")
    try:
        if not options.live:
            watch(options.folder, options.once, options.every)
            return
        from ..watch_page import Server

        server = Server(options.folder, options.control, options.port or 0, options.every)
        print(f"{server.url}\nThis page {'can control' if options.control else 'shows'} the run; Ctrl-C ends it.", flush=True)
        server.serve()
    except KeyboardInterrupt:
        print()
