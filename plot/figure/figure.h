/* SPDX-License-Identifier: MIT
 *
 * One panel as data: what there is to draw, how the user has set its view, and nothing about
 * pixels.  The screen, PNG, SVG and PDF all draw the same figure.  Plain C without GTK; a figure
 * belongs to one thread.
 *
 * The usual way:
 *
 *   SlFigure figure = { 0 };
 *   sl_panel_update (&figure, record, panel, NULL, 0);    panel.h: whenever data came
 *   sl_render_draw (...)                                 render.h: to the screen
 *   sl_export_page (...)                                  export.h: to a file
 *   sl_figure_clear (&figure);
 *
 * All data are borrowed: the record or the arrays must outlive the figure or its next update.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/lab/lab.h"
#include "core/run/record/record.h"
#include "plot/base/scale.h"
#include "plot/base/tint.h"
#include "plot/figure/kind.h"
#include "plot/figure/note.h"
#include "plot/figure/plane.h"

enum {
  SL_CURVES_MAX = 1024,
  SL_CURVE_TITLE = 256,
  SL_GROUP_TITLE = 96,
  SL_NOTE_MAX = 3 * SL_MESSAGE_SIZE /* several sentences */
};

/* Samples from first to last (inclusive) that are not finite. */
typedef struct
{
  size_t first, last;
} SlHole;

/* Smoothed values of a curve where its line has corners, and what they were made of. */
typedef struct
{
  double  *x, *y; /* (n) owned */
  size_t   n, capacity;
  double   share, lo, hi;
  uint64_t version;            /* of the series */
  bool     logarithmic, noisy; /* noisy: the line shows these values */
} SlSmoothed;

/* What is known of a point beside its place. */
typedef struct
{
  const char *title;      /* "rank 8"; borrowed */
  unsigned    n;          /* how many values it is the mean of: of one there is no interval */
  bool        best, knee; /* on the front, and its bend */
} SlCurvePoint;

/* One curve or, in a bar figure, one group of bars.  Data come from a series or from arrays,
 * whichever is not NULL.  */
typedef struct
{
  char     id[80]; /* of the channel; a ghost's is "ghost-1.signs.recall.2" */
  unsigned group;  /* curves of one run share this number, from 1, and a place in the
                                   * legend under this name; 0: has a place of its own, or
                                   * in a short legend that of its ghost */
  char     group_title[SL_GROUP_TITLE];
  char     title[SL_CURVE_TITLE]; /* "recall, layer 2"; may be packed, as may be title and note */
  char     unit[32];
  SlStyle  style;   /* dash, weight and marker */
  unsigned slot;    /* colour and marker; stays when other curves are hidden */
  bool     hidden;  /* switched off in the legend */
  bool     ghost;   /* of a pinned run: pale */
  bool     scatter; /* points without a line, x in any order */
  bool     bare;    /* never markers */
  bool     thin;    /* one of very many: half as wide; scatter: half as large */
  bool     around;  /* scatter: a ring around what is there rather than a marker */
  bool     aside;   /* last in the legend, which may have no room for it */

  const SlSeries *series;     /* borrowed */
  const SlSeries *low, *high; /* borrowed; edges of a band around `series`, at its steps, or NULL */

  const double *x, *y;    /* (n) borrowed; x increasing unless `scatter` */
  const double *spread;   /* (n) half width of the error bars, or NULL */
  const double *spread_x; /* (n) scatter: the same along x, or NULL */
  const double *tone; /* (n) scatter: values on the figure's colour scale, or NULL: the colour of
                         * the slot; not-a-number is neutral */
  const SlCurvePoint *point; /* (n) scatter: what the points are, or NULL; borrowed */
  size_t              n;

  SlSmoothed smooth; /* of a series that is measured and noisy; found by sl_figure_fit() */

  /* Kept by sl_figure_refresh() for series. */
  SlHole  *hole;
  size_t   n_holes, holes_capacity, scanned;
  uint64_t cuts; /* of the series at the last refresh */
} SlCurve;

/* How the user views it.  Plain data: a zoom history is a list of copies. */
typedef struct
{
  bool        zoomed;     /* x_lo..x_hi rules; false: follow the data */
  double      x_lo, x_hi; /* data units */
  double      window;     /* following: only the last so many steps; 0: all */
  bool        y_locked;   /* y_lo..y_hi rules; false: follow the data */
  double      y_lo, y_hi;
  bool        log_x, log_y; /* HISTORY, HEATMAP: log_y is that of the colours */
  bool        robust;       /* a free y range leaves single outliers outside */
  double      smooth;   /* share of the shown width that a point is the mean of; 0: raw values */
  bool        hide_raw; /* smoothing without the raw values behind */
  SlPlaneMode plane;    /* MAP: what its colours say */
  unsigned    alone;    /* MAP: 1 + the colour of the one pattern that is not pale; 0: all */
  bool        inset;    /* a part of the curves is drawn enlarged in the plot: */
  SlRange     inset_x, inset_y; /* that between these; y empty: as the curves need */
  bool     brief; /* ALIVE: without the input, which is beside the figure, and with few classes */
  bool     input; /* ALIVE: nothing but the input */
  bool     wordless; /* without the note, which is beside the figure */
  double   reached;  /* ALIVE: 1 + groups that a slow motion has passed, 0: all is lit */
  unsigned tint; /* 1 + the one colour of all curves, which differ by dashes and markers; 0: many */
  bool     sorted; /* HISTORY, SHARES: by the mean in view, largest first; false: by number */
} SlView;

/* BARS and PROFILE: what is along x. */
typedef struct
{
  const char *const *name; /* (n) borrowed, of 0, 1, …; NULL: numbers */
  unsigned           n;
  bool               stacked; /* BARS: the curves are parts of one bar per category */
  bool down; /* PROFILE: they are along y, the first on top at n - 1, as long names are */
} SlCategories;

/* HEATMAP, IMAGE, ALIVE.  Of a MAP only the sizes, of its plane. */
typedef struct
{
  const double *cell; /* (tiles, depth, rows, columns) borrowed, row 0 on top */
  unsigned      tiles, depth, rows, columns; /* depth 3: red, green and blue of an IMAGE */
  unsigned      across;    /* IMAGE: tiles side by side; 0: as makes them largest */
  bool          alike;     /* IMAGE: no tile leads the others, all have one size */
  const char   *names;     /* of the columns (IMAGE: tiles), each ended by '\n', or "";
                            * borrowed */
  const char   *row_names; /* HEATMAP: likewise */
} SlMatrix;

/* HISTORY, SHARES: the visible curves from the top; found by sl_figure_fit(). */
typedef struct
{
  unsigned n, curve[SL_CURVES_MAX];
  bool     counted; /* they are instances of one trace, numbered from 1 */
  double   ordered; /* when they were sorted last */
} SlRows;

/* Kinds that count their rows or nodes. */
typedef struct
{
  bool     possible; /* a click on a row chooses it */
  unsigned span;     /* elements that each row shows, at least 1 */
  unsigned picked;   /* number of the chosen element, from 1; 0: none */
} SlPicks;

/* Kinds whose colours are values on the z axis. */
typedef struct
{
  bool        toned;  /* PROFILE: points have tones, and z is their axis */
  const char *zero;   /* what exactly 0 is called and hatched as, or NULL; borrowed */
  double      centre; /* inside the range of the colours: their neutral value */
  double      lo, hi; /* wished values of the ends of the colour scale */
  SlTint      tint;   /* what sl_figure_fit() made of it */
  double      smaller_since;
} SlColouring;

/* Kinds over steps: changes during the run. */
typedef struct
{
  const SlChangeMarker *at; /* (n) borrowed */
  unsigned              n;
} SlFlags;

/* What every kind has, and then what only some have, each with its own. */
typedef struct SlFigure
{
  char        title[96];
  char        note[SL_NOTE_MAX]; /* a sentence under the title, or "" */
  unsigned    kind;              /* SlPanelKind or SL_PARALLEL */
  SlAxis      x, y, z;           /* texts borrowed; z: of the colours */
  bool        integer_x;         /* steps, ranks: no tick between whole numbers */
  double      mark;              /* a vertical line at this x; not-a-number: none */
  const char *mark_label;        /* BARS: what stands at the top of that line, or NULL; borrowed */
  bool        draggable;         /* it sets a parameter */
  SlNotes     notes;             /* of the user; they stay as long as the panel is the same */

  SlCurve *curve; /* (n_curves) owned, kept across updates by id */
  unsigned n_curves, curves_capacity;
  unsigned placed; /* of them, by sl_figure_curve() since sl_figure_begin() */

  SlCategories       categories;
  SlMatrix           matrix;
  SlRows             rows;
  SlPicks            picks;
  SlColouring        colours;
  SlFlags            flags;
  SlPlane            plane;    /* MAP: side 0 without cells; its arrays are borrowed */
  struct SlParallel *parallel; /* PARALLEL: borrowed (parallel.h) */

  SlView   view;
  bool     view_set;   /* the view has its first values from the panel's axes */
  bool     translated; /* shows the user's language, on the screen; exports never do */
  uint64_t version;    /* goes up whenever a redraw would look different */

  /* Results of sl_figure_fit(). */
  SlRange x_range, y_range;
  bool    x_zero;        /* x is logarithmic and shows zeros, at its foot */
  bool    y_zero;        /* the same of y */
  double  smaller_since; /* when the data began to need less of the y range */
  bool    fitted;

  /* What sl_panel_update() last saw. */
  const SlRecord *record;
  const SlLab    *lab;
  unsigned        panel, generation;
  uint64_t        stamp;
  double          coming; /* sl_record_next() of a panel without values */
} SlFigure;

/* Frees what the figure owns and zeroes it. */
void sl_figure_clear (SlFigure *figure);

/* The next curve, in drawing order: a new empty one, or the one that already has this id with what
 * it was (`hidden`, smoothing).  NULL when there are SL_CURVES_MAX.  Pointers to curves go stale.  */
SlCurve *sl_figure_curve (SlFigure *figure, const char *id);

/* Gives a curve its series (borrowed), or NULL and then arrays.  Another series than before begins
 * its upkeep anew.  */
void sl_figure_follow (SlCurve *curve, const SlSeries *series);

/* Gives a curve the points that it has in a snapshot (borrowed). */
void sl_figure_take_points (SlCurve *curve, const SlSnapshot *snapshot,
                            const SlSnapshotCurve *from);

/* Around naming all curves anew: those that were not named in between are gone afterwards. */
void sl_figure_begin (SlFigure *figure);
void sl_figure_end (SlFigure *figure);

/* Index of a curve, or -1. */
int sl_figure_find (const SlFigure *figure, const char *id);

/* Brings holes up to the series, costing only what is new.  sl_panel_update() and sl_figure_fit() call
 * it.  */
void sl_figure_refresh (SlFigure *figure);

/* Resolves view and data into x_range, y_range and smoothed curves.  `now` in seconds of any steady clock: a
 * free y range grows at once and shrinks after 2 s.  HUGE_VAL: shrink at once (exports).  */
void sl_figure_fit (SlFigure *figure, double now);

/* Changes of what the user sees: the version goes up and the ranges are found anew. */
void sl_figure_set_view (SlFigure *figure, const SlView *view);
/* All curves get the colour of this slot of the theme from the next update on, and differ by dashes and markers. */
void sl_figure_set_tint (SlFigure *figure, unsigned slot);
void sl_figure_hide (SlFigure *figure, unsigned curve, bool hidden); /* with its group */

/* Shows the zoomed range as an inset of the whole.  False where there is no zoom or no curve. */
bool sl_figure_zoom_to_inset (SlFigure *figure);
/* Zooms to the range of the inset.  False where there is no inset. */
bool sl_figure_inset_to_zoom (SlFigure *figure);

/* Replaces the messages (packed) in title, note and names of the curves by what they say, and the
 * words of the axes: in the user's language if the figure is `translated`, else in English.
 * sl_panel_update() calls it; frames (frame.h) call it for a copy of any figure.  */
void sl_figure_show_messages (SlFigure *figure);

/* The label of an axis, which may be a packed message, as this figure shows it; interned. */
const char *sl_figure_label (const SlFigure *figure, const char *label);

/* A text of the program as this figure shows it. */
const char *sl_figure_words (const SlFigure *figure, const char *text);

/* True when there is nothing to draw yet. */
bool sl_figure_empty (const SlFigure *figure);

/* The x axis as sl_figure_fit() found it, with a foot where it shows zeros. */
SlScale sl_figure_x (const SlFigure *figure);

/* The whole extent of the visible data along x; false when there is none. */
bool sl_figure_extent (const SlFigure *figure, double *lo, double *hi);

/* True when a curve is to carry markers: where its points are few, and where another visible curve
 * has the same dash.  A theory is a line, never points.  */
bool sl_figure_marked (const SlFigure *figure, unsigned curve);

/* One visible curve at an x. */
typedef struct
{
  unsigned curve;
  double   x;         /* of the nearest sample */
  double   value;     /* of the nearest sample; may be not-a-number */
  double   smooth;    /* smoothed value there; not-a-number without smoothing */
  double   lo, hi;    /* smallest and largest finite value within `width`; not-a-number: none */
  double   low, high; /* of the band at the nearest sample; not-a-number without one */
  double   spread; /* half width of the error bar of the nearest sample; not-a-number without one */
  size_t   n;      /* samples within `width` */
} SlReading;

/* Reads every visible curve with a sample within `width` of x, or the one sample nearest to x if
 * x lies inside the curve.  `width` is what one pixel covers: sl_frame_pixel() (frame.h).  Returns
 * how many readings were written.  */
unsigned sl_figure_read (const SlFigure *figure, double x, double width, SlReading *readings,
                         unsigned max);

/* The title of a curve without the beginning that all of them share up to a ", ": "layer 2". */
const char *sl_figure_name (const SlFigure *figure, unsigned curve);

/* The descriptor of its kind. */
static inline const SlFigureKind *
sl_figure_kind (const SlFigure *figure)
{
  return sl_figure_kinds[figure->kind];
}

/* True for a HISTORY whose y axis has a range: its rows are the bins of a histogram, from its lower
 * end upwards.  */
static inline bool
sl_figure_has_bins (const SlFigure *figure)
{
  const SlFigureKind *kind = sl_figure_kind (figure);

  return kind->rows && kind->row_axis && figure->y.lo < figure->y.hi;
}

/* Where the row of this number is from the top, from 1; 0 when it is not shown. */
unsigned sl_figure_row_of (const SlFigure *figure, unsigned number);

/* Number of the row at this place from the top, both from 1 on; 0 when there is none. */
unsigned sl_figure_row_number (const SlFigure *figure, unsigned row);

/* Number of the row that the chosen element is in, and of the first element of a row, from 1 on; 0 of
 * 0.  */
static inline unsigned
sl_figure_picked_row (const SlFigure *figure)
{
  return figure->picks.picked > 0 && figure->picks.span > 0
           ? (figure->picks.picked - 1) / figure->picks.span + 1
           : figure->picks.picked;
}

static inline unsigned
sl_figure_first_element (const SlFigure *figure, unsigned number)
{
  return number > 0 && figure->picks.span > 0 ? (number - 1) * figure->picks.span + 1 : number;
}

/* Line `i` of some lines that each end with a newline (NULL is fine), or NULL. */
const char *sl_figure_line (const char *lines, unsigned i, size_t *length);

/* Name number `i` of `names` or `row_names`, cut to what `out` holds; false when there is none.  */
bool sl_figure_column_name (const SlFigure *figure, unsigned i, char *out, size_t size);
bool sl_figure_row_name (const SlFigure *figure, unsigned i, char *out, size_t size);

/* Images in colour, which need no colour scale. */
static inline bool
sl_figure_coloured (const SlFigure *figure)
{
  return figure->matrix.depth == 3;
}

/* A number of a HEATMAP or IMAGE; `plane` is 0 but in colour. */
static inline double
sl_figure_cell (const SlFigure *figure, unsigned tile, unsigned plane, unsigned row,
                unsigned column)
{
  const SlMatrix *m = &figure->matrix;

  return m->cell[(((size_t) tile * m->depth + plane) * m->rows + row) * m->columns + column];
}

/* A row of the first tile, (columns). */
static inline const double *
sl_matrix_row (const SlMatrix *matrix, unsigned row)
{
  return matrix->cell + (size_t) row * matrix->columns;
}

/* Whether columns, tiles or nodes have names. */
static inline bool
sl_matrix_named (const SlMatrix *matrix)
{
  return matrix->names != NULL && matrix->names[0] != '\0';
}

/* "recall, layer 2: 97.1 %" or "…: 96.8 to 97.4 %" when a pixel covers several samples; with a band
 * "rank 8 (n = 5): 97.1 % (96.2 to 97.9)".  */
const char *sl_reading_text (const SlFigure *figure, const SlReading *reading, char *text,
                             size_t size);

/* For kinds with a matrix: true when it has no cell. */
bool sl_matrix_empty (const SlFigure *figure);
