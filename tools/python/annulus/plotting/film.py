"""tools/plot film: a picture of each snapshot of a run, as a film (GIF, or MP4 where ffmpeg is installed)."""
import argparse
import contextlib
import io
import os
import shutil
import subprocess
import tempfile

from ..errors import InputError
from ..run import Run

KINDS = ("b2b", "meridional", "contours", "cut", "unrolled")


def add_parser(commands):
    parser = commands.add_parser(
        "film", help="pictures of all snapshots of a run as a film",
        epilog="Options of the picture stand behind its name: plot film out b2b --range 0.9e5:1.1e5 --span 0.5",
    )
    parser.add_argument("folder", help="output folder of an unsteady run with several snapshots (output.every)")
    parser.add_argument("-o", "--output", help="GIF or MP4 (default: FOLDER/film.gif)")
    parser.add_argument("--rate", type=float, default=10, metavar="N", help="pictures in a second (default: 10)")
    parser.add_argument("picture", choices=KINDS, help="what is drawn")
    parser.add_argument("options", nargs=argparse.REMAINDER, help="options of the picture")
    parser.set_defaults(run=run)


def draw(parser_of, picture, snapshot, options, to):
    """One picture; what it prints is kept from the screen. parser_of: main's, of one subcommand."""
    with contextlib.redirect_stdout(io.StringIO()):
        parsed = parser_of(picture).parse_args([picture, snapshot, *options, "-o", to])
        parsed.run(parsed)


def joined(files):
    """Images of one size, as long and wide as the largest."""
    from PIL import Image

    images = [Image.open(f).convert("RGB") for f in files]
    size = tuple(2 * ((max(i.size[d] for i in images) + 1) // 2) for d in (0, 1))  # MP4 needs even numbers
    for image in images:
        page = Image.new("RGB", size, "white")
        page.paste(image, (0, 0))
        yield page


def run(options):
    snapshots = Run(options.folder).files("flow")
    if len(snapshots) < 2:
        raise InputError(f"{options.folder}: a film needs at least two snapshots; output.every and output.keep decide how "
                         "many stay")
    if not 0.1 <= options.rate <= 100:
        raise InputError("--rate must be from 0.1 to 100")
    output = options.output or os.path.join(options.folder, "film.gif")
    kind = os.path.splitext(output)[1].lower()
    if kind not in (".gif", ".mp4"):
        raise InputError(f"{output}: the name of a film ends with .gif or .mp4")
    if kind == ".mp4" and not shutil.which("ffmpeg"):
        raise InputError(f"{output}: an MP4 needs ffmpeg, which is not installed; a GIF does not")
    if "--range" not in options.options and not any(o.startswith("--range=") for o in options.options):
        print("each picture has its own range of colours; --range LO:HI behind the picture's name keeps it fixed")
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for n, snapshot in enumerate(snapshots):
            files.append(os.path.join(folder, f"{n:05d}.png"))
            draw(options.parser_of, options.picture, snapshot, options.options, files[-1])
            print(f"{n + 1} of {len(snapshots)}: {os.path.basename(snapshot)}", flush=True)
        pages = list(joined(files))
        if kind == ".gif":
            pages[0].save(output, save_all=True, append_images=pages[1:], duration=round(1000 / options.rate), loop=0)
        else:
            for page, file in zip(pages, files):
                page.save(file)
            done = subprocess.run(
                ["ffmpeg", "-y", "-loglevel", "error", "-framerate", str(options.rate), "-i", os.path.join(folder, "%05d.png"),
                 "-pix_fmt", "yuv420p", output], capture_output=True, text=True)
            if done.returncode:
                raise InputError(f"{output}: ffmpeg: {done.stderr.strip()[-500:]}")
    print(f"wrote {output}")
