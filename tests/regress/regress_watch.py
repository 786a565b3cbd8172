"""`annulus watch` against a running job: in the terminal, and as a page in headless Chromium.

The page shows the residuals, mass flows and figures, follows the run without being loaded again, shows the
picture of a snapshot that its button asked for, and its other button ends the run. It answers nobody who has
not the token, and without --control it changes nothing. Without a browser all but its own eyes is tested.
"""
import atexit
import re
import urllib.error
import urllib.request

from regress import *

try:
    import matplotlib  # noqa: F401
    import yaml  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)
from browser import Browser  # noqa: E402

sys.path.insert(0, os.path.join(SOURCE, "tools", "python"))
from annulus.watch_text import screen, sparkline  # noqa: E402
from annulus.watching import Watched, ask, is_alive  # noqa: E402

top = folder("watch")
out = os.path.join(top, "out")
case = write_case(top)
os.makedirs(os.path.join(top, "bin"))
os.symlink(os.path.join(SOURCE, "tools", "plot"), os.path.join(top, "bin", "annulus-plot"))
os.environ["PATH"] = os.pathsep.join([os.path.join(top, "bin"), os.path.dirname(sys.executable), os.environ["PATH"]])
os.environ["MPLCONFIGDIR"] = os.path.join(top, "matplotlib")


def until(test, seconds, pause=0.05):
    end = time.time() + seconds
    while time.time() < end:
        if test():
            return True
        time.sleep(pause)
    return False


def get(url, method="GET", host=None):
    """Status and text."""
    request = urllib.request.Request(url, method=method, headers={"Host": host} if host else {})
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read().decode(errors="replace")
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode(errors="replace")


def serve(*more):
    """`annulus watch --live`, and its address."""
    p = subprocess.Popen([ANNULUS, "watch", out, "--live", *more], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True, env=environment())
    atexit.register(p.kill)
    line = p.stdout.readline().strip()
    check(re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=\S{16,}", line), f"the address is '{line}'")
    return p, line


def terminal():
    """A few widths: no line is longer, and no run of numbers overflows."""
    check(sparkline([1, 2, 3, None], 4) == "▁▅█ ", f"sparkline: '{sparkline([1, 2, 3, None], 4)}'")
    check(sparkline([5, 5], 9) == "▅▅" and sparkline([None], 9) == "", "sparklines of a constant and of nothing")
    check(len(sparkline(list(range(1000)), 30)) == 30, "a sparkline of a long history")
    state = Watched(out).state()
    for width in (40, 80, 200):
        lines = screen(state, width)
        check(max(map(len, lines)) <= width, f"a line is longer than {width}: {lines}")
    check(any("mass in" in line and "█" in line for line in screen(state, 80)), f"no sparkline: {screen(state, 80)}")
    r = annulus("watch", out, "--once")
    check(r.code == DONE and "running, iteration" in r.out and "tiny LS89" in r.out, f"--once: {r}")
    r = annulus("watch", os.path.join(top, "nowhere"), "--once")
    check(r.code == INPUT and "no such folder" in r.err, f"a folder that is not there: {r}")
    r = annulus("run", case, "--live")
    check(r.code == INPUT and "go with `annulus watch`" in r.err, f"--live of another command: {r}")


def guards(url):
    """Read-only, and for those who have the token."""
    bare, token = url.split("?token=")
    for address, host, what in ((bare, None, "no token"), (bare + "?token=" + "x" * len(token), None, "another token"),
                                (bare + "events?token=", None, "events without a token"), (url, "evil.example", "another host")):
        check(get(address, host=host)[0] == 403, f"{what} is answered with {get(address, host=host)[0]}")
    for name in ("..%2frun.json", "run.json", "%2fetc%2fpasswd"):
        check(get(f"{bare}picture/{name}?token={token}")[0] == 404, f"picture/{name} is given away")
    code, text = get(f"{bare}stop?token={token}", "POST")
    check(code == 403 and "--control" in text, f"a page that only shows: {code} {text}")
    time.sleep(0.1)
    check(is_alive(out) and not os.path.exists(out + "/STOP"), "a page that only shows has stopped the run")
    return bare, token


def pages_of(url):
    """Looks at the page, presses its buttons."""
    browser = Browser(top)
    browser.open(url)
    check(browser.until("document.getElementById('status').textContent === 'running'"), "the page does not say 'running'")
    check(browser.value("document.querySelectorAll('#residuals path').length") >= 4, "residuals are not drawn")
    check(browser.value("document.querySelectorAll('#mass path').length") == 2, "mass flows are not drawn")
    check(browser.value("document.querySelectorAll('#figures tr').length") > 3, "no table of figures")
    before = browser.value("document.getElementById('progress').textContent")
    check(browser.until(f"document.getElementById('progress').textContent !== {json.dumps(before)}"),
          f"the page stays at '{before}'")
    browser.value("document.getElementById('snapshot').click()")
    check(browser.until("[...document.images].some(i => i.complete && i.naturalWidth > 300)"), "no picture of the snapshot")
    check("writes a snapshot" in browser.value("document.getElementById('said').textContent"), "the button says nothing")
    path = os.path.join(top, "page.png")
    browser.picture(path, 1240, 1400)
    image = matplotlib.image.imread(path)[:, :, :3]
    for n, part in enumerate(numpy.array_split(image, 3)):
        ink = float((part.min(axis=2) < 0.7).mean())
        check(ink > 0.005, f"third {n + 1} of the page is empty: {100 * ink:.2f} % is not white")
    browser.value("window.confirm = () => true; document.getElementById('stop').click()")
    check(browser.until("document.getElementById('status').textContent === 'stopped'"), "the page does not say 'stopped'")
    check(browser.value("document.getElementById('stop').disabled"), "a run that has ended can be stopped")
    browser.close()


# not into a pipe, which would fill and hold up the run
screen_file = open(os.path.join(top, "screen"), "w+")
job = subprocess.Popen(command_line(["run", case], options=["march.iterations=2000000000", "output.history_every=20",
                                                            f"output.folder={out}"]),
                       stdout=screen_file, stderr=subprocess.STDOUT, env=environment())
atexit.register(job.kill)  # an exception must not leave a run without end
check(until(lambda: Watched(out).state()["iteration"] > 10 if os.path.isdir(out) else False, 30), "the run does not start")
terminal()
shows, url = serve()
bare, token = guards(url)
shows.terminate()
shows.wait()
controls, url = serve("--control")
bare, token = url.split("?token=")
for address, host in ((bare + "stop", None), (bare + "stop?token=" + "x" * len(token), None),
                      (f"{bare}stop?token={token}", "evil.example")):
    check(get(address, "POST", host)[0] == 403, f"a request for the end is obeyed: {address}, host {host}")
import matplotlib.image  # noqa: E402

if Browser.find():
    pages_of(url)
else:
    print("no browser: the page was not looked at")
    bare, token = url.split("?token=")
    check(get(f"{bare}snapshot?token={token}", "POST")[0] == 200, "a snapshot is refused")
    check(until(lambda: Watched(out).state()["snapshots"], 20), "no snapshot")
    check(get(f"{bare}stop?token={token}", "POST")[0] == 200, "the end is refused")
code = job.wait(30)
with open(os.path.join(top, "screen")) as text:
    check(code == STOPPED and "stopped by the STOP file" in text.read(), f"the run ended with {code}")
left = [f for f in os.listdir(out) if f in ("STOP", "SNAPSHOT")]
check(not left, f"left in the folder: {left}")
written = [f for f in os.listdir(out) if f.startswith("flow_")]
check(len(written) == 2, f"one snapshot was asked for, and one is the last: {written}")
bare, token = url.split("?token=")
code, text = get(f"{bare}stop?token={token}", "POST")
check(code == 409 and "no run works" in text, f"a run that has ended: {code} {text}")
try:
    ask(out, "snapshot")
except Exception as error:
    check("no run works in this folder" in str(error), f"{error}")
else:
    check(False, "a run that has ended was asked for a snapshot")
controls.terminate()
controls.wait()
finish()
