"""k-means with many replicates at once, and the share of points that it groups as told.

Lloyd's iterations from k-means++ centres, all replicates in one array; a cluster that loses all its points takes the point
that lies farthest from its own centre. scipy's kmeans2 runs a fixed number of iterations and may return fewer clusters; its
kmeans chooses by mean distance instead of the sum of squares.
"""
import numpy as np
from scipy.optimize import linear_sum_assignment


def squares(points, centres):
    """Squared distances, replicates x points x clusters."""
    cross = np.einsum("nd,rkd->rnk", points, centres, optimize=True)
    return np.maximum((points**2).sum(1)[None, :, None] + (centres**2).sum(2)[:, None, :] - 2 * cross, 0)


def first_centres(points, clusters, replicates, generator):
    """k-means++: each centre a point, chosen with odds by its squared distance to the centres so far."""
    number = len(points)
    chosen = generator.integers(number, size=replicates)
    centres = points[chosen][:, None, :]
    nearest = squares(points, centres)[:, :, 0]
    for _ in range(1, clusters):
        odds = np.cumsum(nearest + 1e-300, axis=1)
        at = generator.random(replicates) * odds[:, -1]
        chosen = np.minimum((odds < at[:, None]).sum(1), number - 1)
        centre = points[chosen][:, None, :]
        centres = np.concatenate([centres, centre], axis=1)
        nearest = np.minimum(nearest, squares(points, centre)[:, :, 0])
    return centres


def kmeans(points, clusters, replicates=500, seed=1, most=200):
    """Labels of the replicate with the least sum of squares, and that sum."""
    points = np.asarray(points, dtype=float)
    if len(points) < clusters:
        raise ValueError(f"{len(points)} points cannot make {clusters} clusters")
    points = points - points.mean(0)
    generator = np.random.default_rng(seed)
    centres = first_centres(points, clusters, replicates, generator)
    labels = None
    for _ in range(most):
        apart = squares(points, centres)
        found = apart.argmin(2)
        member = (found[:, :, None] == np.arange(clusters)).astype(float)
        counts = member.sum(1)
        for r, k in zip(*np.nonzero(counts == 0)):
            own = apart[r, np.arange(len(points)), found[r]]
            own = np.where(counts[r, found[r]] > 1, own, -1)  # leave no other cluster empty
            far = own.argmax()
            counts[r, found[r, far]] -= 1
            found[r, far], counts[r, k], apart[r, far, k] = k, 1, 0
            member[r, far] = np.arange(clusters) == k
        centres = np.einsum("rnk,nd->rkd", member, points, optimize=True) / counts[:, :, None]
        if labels is not None and (found == labels).all():
            break
        labels = found
    sums = ((points[None] - np.take_along_axis(centres, labels[:, :, None], 1)) ** 2).sum((1, 2))
    best = int(sums.argmin())
    return labels[best], float(sums[best])


def accuracy(labels, classes):
    """The share of points in the right class when clusters are given to classes in the best way, one to one."""
    labels, classes = np.asarray(labels), np.asarray(classes)
    kinds = max(labels.max(), classes.max()) + 1
    table = np.zeros((kinds, kinds))
    np.add.at(table, (labels, classes), 1)
    rows, columns = linear_sum_assignment(-table)
    return float(table[rows, columns].sum() / len(labels))
