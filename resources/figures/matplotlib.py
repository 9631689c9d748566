
import io
import logging
import os
import sys

import matplotlib
import numpy as np
from matplotlib.colors import LinearSegmentedColormap, LogNorm, Normalize
from matplotlib.figure import Figure
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Polygon, Rectangle
from matplotlib.transforms import Affine2D

logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)  # not each font is everywhere
matplotlib.rcParams.update({"font.family": FONTS, "text.parse_math": False,
                            "pdf.fonttype": 42, "svg.fonttype": "none", "svg.hashsalt": "sluice",
                            "path.simplify": False})
OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.splitext(os.path.abspath(__file__))[0] + ".pdf"
KIND = os.path.splitext(OUT)[1][1:].lower()
size = [side / 25.4 for side in (WIDTH, HEIGHT)]
if KIND == "png":  # whole pixels
    size = [(round(side * DPI) + 0.01) / DPI for side in size]
figure = Figure(figsize=size, dpi=DPI)
canvas = FigureCanvasAgg(figure)
PAGE = Affine2D().scale(1 / UNITS[0], -1 / UNITS[1]).translate(0, 1) + figure.transFigure
GAP = (np.nan, np.nan)
order = 0


def read(data, table):
    """The columns of the table by their names, and the matrices behind it."""
    text = data.read() if hasattr(data, "read") else open(data, encoding="utf-8").read()
    blocks = text.split("\n\n\n")
    columns = {}
    if table:
        names, rows = blocks.pop(0).split("\n", 1)
        columns = dict(zip(names.split(","), np.loadtxt(io.StringIO(rows), delimiter=",", ndmin=2).T))
    return columns, [np.loadtxt(io.StringIO(block), delimiter=",", ndmin=2) for block in blocks]


def above():
    """What is drawn later lies on what was drawn before."""
    global order
    order += 1
    return order


def add(artist):
    artist.set_zorder(above())
    figure.add_artist(artist)
    artist.set_clip_on(False)
    return artist


def pen(color, linewidth, linestyle="-"):
    return dict(color=color, linewidth=linewidth, linestyle=linestyle)


def line_of(look):
    caps = dict(solid_capstyle="round", dash_capstyle="butt", solid_joinstyle="round")
    return {**{key: look[key] for key in ("color", "linewidth", "linestyle") if key in look}, **caps}


def marker_of(look, times=1):
    marker = {key: look[key] for key in look if key.startswith("mark")}
    for key in ("markersize", "markeredgewidth"):
        if key in marker:
            marker[key] *= times
    return marker


def rect(x, y, w, h, color, alpha=1):
    add(Rectangle((x, y), w, h, color=color, alpha=alpha, linewidth=0, transform=PAGE))


def line(points, look, alpha=1):
    add(Line2D(*zip(*points), transform=PAGE, alpha=alpha, **line_of(look)))


def area(points, color, alpha=1):
    add(Polygon(points, closed=True, color=color, alpha=alpha, linewidth=0, transform=PAGE))


def disc(x, y, radius, color, alpha=1):
    add(Circle((x, y), radius, color=color, alpha=alpha, linewidth=0, transform=PAGE))


def ring(x, y, radius, look, alpha=1):
    add(Circle((x, y), radius, fill=False, edgecolor=look["color"], alpha=alpha,
               linewidth=look["linewidth"], transform=PAGE))


def mark(x, y, look, times=1):
    add(Line2D([x], [y], color=look["color"], linestyle="none", transform=PAGE,
               **marker_of(look, times)))


def words(x, y, text, size, color, align, room=None, **more):
    """A line of text, which is set smaller where a font is wider than the figure has room for."""
    made = figure.text(x, y, text, fontsize=size, color=color, ha=align, va="baseline",
                       rotation_mode="anchor", transform=PAGE, zorder=above(), **more)
    if room is not None:
        box = made.get_window_extent(canvas.get_renderer())
        needs = max(box.width, box.height) * UNITS[0] / figure.bbox.width
        if needs > 1.05 * room > 0 and needs > 2 * size:
            made.set_fontsize(size * 1.05 * room / needs)


def image(x, y, w, h, pixels, columns):
    """A picture with a row of red, green, blue and opacity for each pixel."""
    rgba = pixels.reshape(-1, columns, 4)
    ax = figure.add_axes([x / UNITS[0], 1 - (y + h) / UNITS[1], w / UNITS[0], h / UNITS[1]],
                         zorder=above(), frameon=False)
    ax.set_axis_off()
    ax.imshow(rgba.astype(np.uint8), aspect="auto", interpolation="nearest")


def axes(x, y, w, h, color, grid, text, linewidth, which):
    ax = figure.add_axes([x / UNITS[0], 1 - (y + h) / UNITS[1], w / UNITS[0], h / UNITS[1]],
                         zorder=above(), frameon=True)
    ax.patch.set_visible(False)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set(color=color, linewidth=linewidth)
    ax.tick_params(which="both", color=color, labelcolor=text, width=linewidth, length=2.6, pad=2)
    ax.tick_params(which="minor", length=1.5)
    if grid != "none":
        ax.grid(axis=which, color=grid, linewidth=linewidth)
    return ax


def ticks(axis, major, minor, size, rotation=0, length=None):
    axis.set_ticks([value for value, label in major], [label for value, label in major],
                   fontsize=size, rotation=rotation)
    axis.set_ticks(minor, minor=True)
    axis.set_minor_formatter(matplotlib.ticker.NullFormatter())
    if length is not None:
        axis.set_tick_params(which="both", length=length)


def inside(ax, x, y):
    """Whole markers at the edges, too, and none beyond."""
    (left, right), (low, high) = sorted(ax.get_xlim()), sorted(ax.get_ylim())
    return (x >= left) & (x <= right) & (y >= low) & (y <= high)


def curve(ax, look, x, y, marks=False, line=True, alpha=1, times=1):
    if line:
        ax.plot(x, y, alpha=alpha, zorder=2 + above() / 1e6, **line_of(look))
    if marks:
        seen = inside(ax, x, y)
        ax.plot(x[seen], y[seen], alpha=alpha, zorder=2 + above() / 1e6, clip_on=False,
                color=look["color"], linestyle="none", **marker_of(look, times))


def points(ax, look, x, y, tone, low, high, norm, colors, rim, times=1):
    """Markers whose colours are values."""
    seen = inside(ax, x, y)
    ax.scatter(x[seen], y[seen], s=(look["markersize"] * times) ** 2, c=tone[seen],
               cmap=LinearSegmentedColormap.from_list("sluice", colors, N=512),
               norm=norm(low, high, clip=True), marker=look["marker"], edgecolors=rim,
               linewidths=look["markeredgewidth"] * times, zorder=2 + above() / 1e6, clip_on=False)


def rings(ax, x, y, color, size, linewidth):
    seen = inside(ax, x, y)
    ax.plot(x[seen], y[seen], "o", markersize=size, markerfacecolor="none", markeredgecolor=color,
            markeredgewidth=linewidth, zorder=2 + above() / 1e6, clip_on=False)


def errors(ax, x, y, along_x, along_y, linewidth, cap, color, alpha=1):
    """Half lengths of bars around points; where one is no number, there is no bar."""
    ax.errorbar(x, y, xerr=along_x, yerr=along_y, fmt="none", ecolor=color, elinewidth=linewidth,
                capsize=cap, capthick=linewidth, alpha=alpha, zorder=2 + above() / 1e6)


def band(ax, x, low, high, color, alpha=1):
    ax.fill_between(x, low, high, color=color, alpha=alpha, linewidth=0,
                    zorder=2 + above() / 1e6)


def bars(ax, x, low, high, width, color, alpha=1):
    ax.bar(x, high - low, width, low, color=color, alpha=alpha, zorder=2 + above() / 1e6)


def cells(ax, matrix, low, high, norm, colors, missing):
    colormap = LinearSegmentedColormap.from_list("sluice", colors, N=512)
    colormap.set_bad(missing)
    ax.imshow(np.ma.masked_invalid(matrix), cmap=colormap, norm=norm(low, high, clip=True),
              extent=(0, 1, 0, 1), transform=ax.transAxes, aspect="auto",
              interpolation="nearest", zorder=2)


def save(title):
    dates = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}
    figure.savefig(OUT, dpi=DPI, metadata={"Title": title, **dates.get(KIND, {})})
