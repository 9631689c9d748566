/* SPDX-License-Identifier: MIT
 *
 * Where everything of a figure goes at a given size: the plot rectangle, ticks, legend
 * chips, texts, measured with Pango so that nothing is cut off.  Plain data without pointers.  Also what
 * hit tests need.
 *
 * All lengths are px of 1/96 inch from the top left corner, before any device scale.  */
#pragma once

#include "plot/base/geometry.h"
#include "plot/base/text.h"
#include "plot/base/theme.h"
#include "plot/figure/parallel.h"
#include "plot/layout/alive.h"

/* The place of the names of the curves. */
typedef enum {
  SL_LEGEND_NONE,
  SL_LEGEND_ABOVE, /* between title and plot */
  SL_LEGEND_BELOW, /* under the plot and the labels along its axis */
  SL_LEGEND_RIGHT, /* beside the plot, one under the other; above one that has a colour bar there */
  SL_LEGEND_INSIDE, /* the same on a plate in that corner of the plot where it hides least */
  SL_LEGEND_APART,  /* in a file of their own, beside that of the figure (export.h) */
  SL_N_LEGENDS,
} SlLegendPlace;

/* Which parts are wanted; all false: the bare plot with its axes. */
typedef struct
{
  SlLegendPlace legend;
  bool          title, note, flags;
  bool          handle; /* a knob on a mark that can be dragged */
  bool     whole; /* leave nothing out however small the plot becomes, and no curve of the legend */
  bool     translated; /* in the user's language, on the screen; files never are */
  unsigned letter;     /* 1: "(a)" before the title, 2: "(b)" …; 0: none */
  double   left, top,
    right; /* px that these margins have at least, to line figures up; 0: as needed */
} SlParts;

enum { SL_FRAME_LETTERS = 16 };

/* What the plots of a page are called: "(a)" … "(z)", "(aa)" … for 1, 2 … */
void sl_frame_letters (unsigned number, char text[SL_FRAME_LETTERS]);

enum {
  SL_CHIPS_MAX = 64,
  SL_FRAME_MARKERS = 64,
  SL_FRAME_TEXT = 160,
  SL_NOTE_LINES = 12,
  SL_FRAME_NOTE_LINES = 4,
  SL_FRAME_NOTE_TEXT = SL_NOTE_TEXT + 4 * SL_FRAME_NOTE_LINES /* with a "…" and an end for each */
};

typedef struct
{
  SlRect   rect; /* to be clicked */
  double   baseline;
  unsigned curve; /* index into the figure, of the first where there are several */
  unsigned n;     /* how many curves in a row it names */
  unsigned slot;
  SlStyle  style;
  bool     hidden, ghost;
  bool     line, marker; /* of which the sample before the text is made; bars: neither */
  bool     toned;        /* the colours of its points say something else */
  double   text_x;
  char     text[SL_CURVE_TITLE];
} SlChip;

/* What something on a map is called: beside it, or in the region itself. */
typedef struct
{
  SlRect   box;
  double   baseline;
  unsigned value;  /* as sl_plane_ground() takes it, or */
  bool     symbol; /* a class, which has no colour */
  char     text[SL_TICK_LABEL];
} SlSwatch;

typedef struct
{
  double   x, y; /* px of its middle */
  double   type;
  unsigned value;
  char     text[SL_TICK_LABEL];
} SlPlaneLabel;

typedef struct
{
  double   x;           /* px; the place of the line */
  unsigned first, last; /* flag numbers that share this badge */
  SlRect   badge;       /* empty when the flag lies under the next badge */
} SlFrameMarker;

/* A note of the user. */
typedef struct
{
  double   x, y; /* px of the place it is about */
  SlRect   box;
  unsigned number; /* from 1, among those of the figure */
  unsigned n_lines;
  double   pad, first,
    step; /* px: text from the left of the box, first baseline, from line to line */
  char line[SL_FRAME_NOTE_TEXT]; /* (n_lines) each ended by '\0' */
} SlFrameNote;

/* The tiles of an IMAGE; they start at the corner of the plot. */
typedef struct
{
  unsigned across, down;
  bool     turned;         /* they follow each other downwards */
  double   w, h, gap;      /* px */
  double   caption;        /* px under each tile for its name; 0: none */
  unsigned caption_lines;  /* that a name may take there */
  double   side_w, side_h; /* px of all but the first, in a column at its right; 0: all are alike */
} SlFrameTiles;

/* The axes of PARALLEL, from the left. */
typedef struct
{
  double   x[SL_PARALLEL_AXES];     /* px */
  double   room[SL_PARALLEL_AXES];  /* px left of an axis for its labels */
  double   title[SL_PARALLEL_AXES]; /* px across for its title */
  unsigned title_lines;
} SlFrameParallel;

typedef struct SlFrame
{
  unsigned kind; /* of the figure */
  double   width, height, pad;
  SlRect   plot;             /* inside the axes; curves never leave it */
  double   left, top, right; /* px that are needed beside and above it, as SlParts has them */
  SlScale  x, y;
  double   inset;  /* px kept free inside the upper and lower edge for the width of the lines */
  bool     flip_y; /* HEATMAP, HISTORY: y runs downwards */
  double   bar;    /* BARS: px of one category */
  double   spare;  /* px at the right of the plot and its colour bar, but for the pad */

  unsigned n_x_ticks, n_y_ticks;
  SlTick   x_tick[SL_TICKS_MAX], y_tick[SL_TICKS_MAX];
  double   x_at[SL_TICKS_MAX], y_at[SL_TICKS_MAX]; /* px */
  char     x_second[SL_TICKS_MAX][SL_TICK_LABEL];  /* BARS: a second line under a category */
  double   x_type;                                 /* px of the labels along x */

  bool     upright; /* HEATMAP: the names of the columns are upright */
  unsigned picked;  /* HISTORY, HEATMAP: the marked row from the top, from 1; 0: none */

  char     title[SL_FRAME_TEXT], x_label[SL_FRAME_TEXT], y_label[SL_FRAME_TEXT];
  char     note[SL_NOTE_LINES][SL_NOTE_MAX]; /* (n_notes) lines */
  unsigned n_notes;
  double   note_step; /* from one of their baselines to the next */
  double   title_y, note_y, x_ticks_y, x_label_y, y_label_x; /* baselines */
  double   y_label_cut; /* px that the whole title of y lacks; 0: it is there */

  unsigned n_chips;
  SlChip   chip[SL_CHIPS_MAX];
  unsigned n_more;         /* curves that no way of writing has room for: "+ 3" at the end */
  double   more_x, more_y; /* baseline */
  SlRect   plate;          /* under a legend inside the plot, w = 0: there is none */

  unsigned      n_flags;
  SlFrameMarker flag[SL_FRAME_MARKERS];

  SlRect inset_box; /* where a part of the curves is drawn enlarged; w = 0: nowhere */

  unsigned    n_user_notes; /* those in view */
  SlFrameNote user_note[SL_NOTES_MAX];

  double mark;   /* px, or not-a-number */
  bool   handle; /* the axis has a knob under it */

  unsigned     n_swatches; /* MAP: in a column beside the plot what has no label, and the classes */
  SlSwatch     swatch[SL_PLANE_NAMES];
  unsigned     n_labels; /* MAP: in the regions */
  SlPlaneLabel label[SL_PLANE_NAMES];

  SlRect   key; /* HISTORY, HEATMAP, IMAGE: the colour bar; w = 0: none */
  SlTint   tint;
  unsigned n_key_ticks;
  SlTick   key_tick[SL_TICKS_MAX];
  double   key_at[SL_TICKS_MAX];
  char     key_title[SL_FRAME_TEXT]; /* upright beside the bar, at key_title_x */
  double   key_title_x;
  SlRect   key_zero; /* a hatched field under the bar, w = 0: none, and what it means */
  char     key_zero_text[SL_TICK_LABEL];

  SlFrameTiles    tiles; /* IMAGE */
  SlAliveFrame    alive; /* ALIVE */
  SlFrameParallel parallel;

  bool   translated; /* as the parts say, for words that are drawn without a place in here */
  bool   empty;      /* `note` in the middle instead of axes */
  double type;       /* of the theme */
} SlFrame;

/* Lays a figure out; sl_figure_fit() must have run.  `text` measures (text.h). */
void sl_frame_layout (SlFrame *frame, const SlFigure *figure, const SlTheme *theme,
                      const SlParts *parts, SlText *text, double width, double height);

/* Data to px and back; for all kinds but IMAGE. */
double sl_frame_x (const SlFrame *frame, double value);
double sl_frame_y (const SlFrame *frame, double value);
double sl_frame_value_x (const SlFrame *frame, double px);

/* Along y, for axes of values. */
double sl_frame_value_y (const SlFrame *frame, double px);

/* How much x one px covers at this value. */
double sl_frame_pixel (const SlFrame *frame, double value);

/* The descriptor of the figure's kind. */
static inline const SlFigureKind *
sl_frame_kind (const SlFrame *frame)
{
  return sl_figure_kinds[frame->kind];
}

/* Where a tile of an IMAGE is, without its caption; there must be some across. */
static inline SlRect
sl_frame_tile (const SlFrame *frame, unsigned tile)
{
  const SlFrameTiles *t = &frame->tiles;
  unsigned            line = t->turned ? t->down : t->across;
  unsigned            column = t->turned ? tile / line : tile % line;
  unsigned            row = t->turned ? tile % line : tile / line;

  if (t->side_w > 0.0 && tile > 0)
    return (SlRect) { frame->plot.x + t->w + t->gap,
                      frame->plot.y + (tile - 1) * (t->side_h + t->caption + t->gap), t->side_w,
                      t->side_h };
  return (SlRect) { frame->plot.x + column * (t->w + t->gap),
                    frame->plot.y + row * (t->h + t->caption + t->gap), t->w, t->h };
}

/* Index of the chip at a point, or -1. */
int sl_frame_chip (const SlFrame *frame, double x, double y);

/* Number of the flag at a point (badge or line), or 0. */
unsigned sl_frame_marker (const SlFrame *frame, double x, double y);

/* Number of the note whose box is at a point, from 1, or 0. */
unsigned sl_frame_note (const SlFrame *frame, double x, double y);
/* The x and y of a note on the place at a point of the plot. */
void sl_frame_place (const SlFrame *frame, double px, double py, double *x, double *y);

/* The place of a note in px; false when it is not in view. */
bool sl_frame_find (const SlFrame *frame, const SlNote *note, double *px, double *py);

/* The size of that knob, and whether a point is on it or on its line. */
double sl_frame_handle_radius (const SlFrame *frame);
bool   sl_frame_on_handle (const SlFrame *frame, double x, double y);

/* The cell of a heat map or image at a point; false between tiles and outside.  *value is that of
 * the first plane.  */
bool sl_frame_cell (const SlFrame *frame, const SlFigure *figure, double x, double y,
                    unsigned *tile, unsigned *row, unsigned *column, double *value);

/* How much of the curves, points and bars a rectangle would hide, in places of about equal size. */
unsigned sl_frame_hidden (const SlFrame *frame, const SlFigure *figure, const SlRect *rect);

/* The row of a HISTORY or HEATMAP or the band of SHARES at a point, from the top, from 1; 0 where
 * there is none.  */
unsigned sl_frame_row (const SlFrame *frame, const SlFigure *figure, double x, double y);

/* Changes of the view by pointer or key, in px of this frame.  The x range never leaves the
 * data by more than half its width.  */
void sl_frame_zoom (const SlFrame *frame, SlFigure *figure, double x, double y, double factor_x,
                    double factor_y); /* factor < 1: closer; 1: that axis stays as it is */
void sl_frame_zoom_to (const SlFrame *frame, SlFigure *figure, const SlRect *box);
void sl_frame_pan (const SlFrame *frame, SlFigure *figure, double dx, double dy);
