"""Between nodes and cells."""


def middle(c):
    """Cell centres of node coordinates [k+1, j+1, i+1]."""
    c = 0.5 * (c[1:] + c[:-1])
    c = 0.5 * (c[:, 1:] + c[:, :-1])
    return 0.5 * (c[:, :, 1:] + c[:, :, :-1])
