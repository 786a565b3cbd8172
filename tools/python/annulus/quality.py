"""Quality of a mesh: angles between the edges of cells, ratios of volumes, aspect ratios, folded cells."""
import numpy as np


def edges_of(zone):
    """Mean edges of the cells along i, j and k, [3, k, j, i, xyz], in m."""
    nodes = np.stack(zone.nodes(), -1)
    found = []
    for axis in (2, 1, 0):
        d = np.diff(nodes, axis=axis)
        for other in {0, 1, 2} - {axis}:
            low, high = [slice(None)] * 4, [slice(None)] * 4
            low[other], high[other] = slice(None, -1), slice(1, None)
            d = 0.5 * (d[tuple(low)] + d[tuple(high)])
        found.append(d)
    return np.stack(found)


def of_zone(zone):
    """least_angle, largest_angle: deg, between the mean edges of cells; growth: the largest ratio of the volumes of
    neighbours; aspect: of the longest to the shortest edge; folded: cells whose volume has another sign than most."""
    e = edges_of(zone)
    length = np.linalg.norm(e, axis=-1)
    volume = np.einsum("kjia,kjia->kji", e[0], np.cross(e[1], e[2]))
    angles = []
    for a, b in ((0, 1), (1, 2), (0, 2)):
        cosine = (e[a] * e[b]).sum(-1) / np.maximum(length[a] * length[b], 1e-300)
        angles.append(np.degrees(np.arccos(np.clip(cosine, -1, 1))))
    sign = 1.0 if np.median(volume) > 0 else -1.0
    size, growth = np.maximum(np.abs(volume), 1e-300), 1.0
    for axis in range(3):
        if size.shape[axis] > 1:
            growth = max(growth, float(np.exp(np.abs(np.diff(np.log(size), axis=axis)).max())))
    return {"least_angle": float(np.min(angles)), "largest_angle": float(np.max(angles)), "growth": growth,
            "aspect": float((length.max(0) / np.maximum(length.min(0), 1e-300)).max()), "folded": int((sign * volume <= 0).sum())}
