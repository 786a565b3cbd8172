"""A run as a live page: a server for browsers of this machine, which sends the state by server-sent events.

What it guards against: other machines (it listens on 127.0.0.1 only), other users and other pages of the
same browser (each address needs the token of this start, and requests must name this server as their host),
and slips (without --control it refuses all requests that would change something).
"""
import contextlib
import hmac
import http.server
import json
import os
import secrets
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

from .errors import InputError
from .watching import Watched, ask

HERE = os.path.dirname(os.path.abspath(__file__))
ANSWERS = {
    "snapshot": "The run writes a snapshot after this iteration.",
    "stop": "The run writes a snapshot and ends.",
}


class Painter:
    """Pictures of the newest snapshot, drawn one after the other by a process of its own, beside those that
    stand in the output folder."""

    def __init__(self, folder):
        self.folder, self.made = folder, []
        self.room = tempfile.TemporaryDirectory(prefix="annulus-watch-")
        self.of = None

    def paint(self, snapshot):
        """Draws a snapshot, unless it was the last to be drawn."""
        if snapshot == self.of:
            return
        self.of = snapshot
        made, old = [], self.made
        for command, title, *options in (
            ("b2b", "relative Mach number, blade to blade, half of the span", "--field", "MachRelative"),
            ("contours", "Mach number, middle layer of cells", "--field", "Mach", "--zoom", "walls"),
        ):
            name = f"{command}_{os.path.splitext(snapshot)[0]}.png"
            done = subprocess.run(
                [sys.executable, "-m", "annulus.plotting.main", command, os.path.join(self.folder, snapshot), *options,
                 "-o", os.path.join(self.room.name, name)],
                capture_output=True, env=dict(os.environ, PYTHONPATH=os.path.dirname(HERE), MPLBACKEND="Agg"),
            )
            if done.returncode == 0:
                made = [[name, time.time(), f"{snapshot}: {title}"]]
                break
        self.made = made
        for name, *_ in old:
            with contextlib.suppress(OSError):
                os.remove(os.path.join(self.room.name, name))

    def find(self, name):
        """The path of a picture that the page may show; None for other names."""
        if any(name == m[0] for m in self.made):
            return os.path.join(self.room.name, name)
        return None


class Server(http.server.ThreadingHTTPServer):
    """One for each `annulus watch --live`; the threads of requests share the last state."""

    daemon_threads = True

    def __init__(self, folder, control=False, port=0, every=1.0):
        self.watched = Watched(folder)
        self.folder, self.control, self.every = folder, control, every
        self.token = secrets.token_urlsafe(16)
        self.painter, self.news = Painter(folder), threading.Condition()
        self.state, self.ended = b"{}", False
        try:
            super().__init__(("127.0.0.1", port), Handler)
        except (OSError, OverflowError) as error:
            raise InputError(f"port {port}: {error}") from None
        self.look()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}/?token={self.token}"

    def look(self):
        """Reads the folder; tells the pages if something is new."""
        state = self.watched.state()
        state["control"] = self.control
        own = [[name, changed, name] for name, changed in state.pop("pictures")]
        state["shown"] = [*self.painter.made, *own]
        text = json.dumps(state).encode()
        with self.news:
            if text != self.state:
                self.state = text
                self.news.notify_all()
        return state

    def repeat(self, what):
        """Until the server ends. A look that fails, because a file goes away or the disk does not answer, is said once
        and does not end the page."""
        said = None
        while not self.ended:
            begun = time.time()
            try:
                what()
            except Exception as error:  # noqa: BLE001
                if str(error) != said and not self.ended:
                    print(f"annulus watch: {error!r}", file=sys.stderr)
                said = str(error)
            # a long history takes its time to read: the run may need the same cores
            time.sleep(max(self.every, min(4 * (time.time() - begun), 10)))

    def draw(self):
        """Draws the newest snapshot when it is complete; of a large one this takes minutes, while the page goes on."""
        snapshots = self.watched.run.files("flow")
        if snapshots:
            self.painter.paint(os.path.basename(snapshots[-1]))

    def serve(self):
        for what in (self.look, self.draw):
            threading.Thread(target=self.repeat, args=(what,), daemon=True).start()
        try:
            self.serve_forever()
        finally:
            self.ended = True
            self.server_close()
            self.painter.room.cleanup()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60  # s: connections that say nothing keep no thread

    def log_message(self, *arguments):
        pass

    def answer(self, code, body, kind="text/plain; charset=utf-8"):
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Content-Security-Policy",
                         "default-src 'self'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; frame-ancestors 'none'")
        self.end_headers()
        self.wfile.write(body)

    def admitted(self):
        """The path without its token; None where the request is refused, which is answered then."""
        place = urllib.parse.urlsplit(self.path)
        given = urllib.parse.parse_qs(place.query).get("token", [""])[0]
        port = self.server.server_address[1]
        if self.headers.get("Host") not in (f"127.0.0.1:{port}", f"localhost:{port}"):
            self.answer(403, b"This server answers on 127.0.0.1 only.\n")
        elif not hmac.compare_digest(given.encode(), self.server.token.encode()):
            self.answer(403, b"The address lacks the token that `annulus watch` printed.\n")
        else:
            return urllib.parse.unquote(place.path)
        return None

    def do_GET(self):
        path = self.admitted()
        if path is None:
            return
        if path == "/":
            with open(os.path.join(HERE, "live.html"), "rb") as page:
                # the page shows the present state at once, before the first event
                first = self.server.state.replace(b"<", b"\\u003c")
                self.answer(200, page.read().replace(b">{}</script>", b">" + first + b"</script>"), "text/html; charset=utf-8")
        elif path == "/events":
            self.send_events()
        elif path == "/state":
            self.answer(200, self.server.state, "application/json")
        elif path.startswith("/picture/"):
            self.send_picture(path[len("/picture/"):])
        else:
            self.answer(404, b"There is no such page.\n")

    def send_events(self):
        """The state now and whenever it changes; a comment every 15 s finds browsers that have left."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        sent = None
        try:
            while not self.server.ended:
                with self.server.news:
                    if self.server.state is sent:
                        self.server.news.wait(15)
                    state = self.server.state
                self.wfile.write(b": still here\n\n" if state is sent else b"data: " + state + b"\n\n")
                self.wfile.flush()
                sent = state
        except OSError:
            return

    def send_picture(self, name):
        known = [p[0] for p in self.server.watched.pictures()]
        path = self.server.painter.find(name)
        if path is None and name in known:
            path = os.path.join(self.server.folder, name)
        try:
            with open(path or "", "rb") as picture:
                data = picture.read()
        except OSError:
            self.answer(404, b"There is no such picture.\n")
            return
        self.answer(200, data, "image/svg+xml" if name.endswith(".svg") else "image/png")

    def do_POST(self):
        path = self.admitted()
        if path is None:
            return
        what = path.strip("/")
        if what not in ANSWERS:
            self.answer(404, b"There is no such request.\n")
        elif not self.server.control:
            self.answer(403, b"This page only shows the run. `annulus watch --live --control` allows requests.\n")
        else:
            try:
                ask(self.server.folder, what)
                self.answer(200, ANSWERS[what].encode() + b"\n")
            except (InputError, OSError) as error:
                self.answer(409, f"{error}\n".encode())
