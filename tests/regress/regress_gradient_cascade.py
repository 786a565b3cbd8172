"""cases/gradient_cascade/improve.py in short: along the direction in which the loss falls while the flow angle stays, both figures
change as the gradients say. The shift of the nodes hardly changes the areas of cells, and keeps the distances of periodic copies.
"""
from regress import *

try:
    import yaml  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)
top = folder("gradient_cascade")
os.environ.update(environment())
os.environ["PATH"] = BIN + os.pathsep + os.environ["PATH"]
sys.path.insert(0, os.path.join(SOURCE, "cases", "gradient_cascade"))
import improve  # noqa: E402

cascade = improve.Cascade(top)
start = numpy.zeros(len(improve.CENTRES))
first = cascade.figures(start)
by_loss, by_angle = cascade.gradients(start)
direction = by_angle * (by_loss @ by_angle) / (by_angle @ by_angle) - by_loss
direction /= abs(direction).max()

# a short step, whose terms of second order are 0.5 % of the change
length = 0.01
change = cascade.figures(length * direction) - first
predicted = length * numpy.array([by_loss @ direction, by_angle @ direction])
scale = length * abs(by_angle) @ abs(direction)
print(f"loss {first[0]:.6f}, changed by {change[0]:.4e}, predicted {predicted[0]:.4e}; angle {first[1]:.4f} deg, changed by {change[1]:.2e}, "
      f"predicted {predicted[1]:.2e}, parts {scale:.2e}", flush=True)
check(change[0] < 0 and abs(change[0] / predicted[0] - 1) < 0.01, "the loss falls by what the gradient says")
check(abs(change[1] - predicted[1]) < 5e-3 * scale, "the angle stays")


def areas(path):
    found = {}
    for zone, nodes in improve.annulus.mesh_nodes(path).items():
        x, y = nodes[:2, 0]
        a, b = (x[1:, 1:] - x[:-1, :-1], y[1:, 1:] - y[:-1, :-1]), (x[1:, :-1] - x[:-1, 1:], y[1:, :-1] - y[:-1, 1:])
        found[zone] = 0.5 * (a[0] * b[1] - a[1] * b[0]), y
    return found


moved = os.path.join(top, "moved.cgns")
cascade.moved_mesh(direction, moved)
was, now = areas(cascade.mesh), areas(moved)
for zone, (area, y) in was.items():
    # the shift keeps the area of a cell across which it is linear
    check(abs(now[zone][0] / area - 1).max() < 0.05, f"areas of {zone}: {abs(now[zone][0] / area - 1).max()}")
    if zone in ("inlet_h", "outlet_h"):
        pitch = [q[-1] - q[0] for q in (y, now[zone][1])]
        check(abs(pitch[1] - pitch[0]).max() < 1e-12, f"periodic copies of {zone}: {pitch}")
finish()
