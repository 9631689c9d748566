/* SPDX-License-Identifier: MIT
 *
 * A kind of figure as one const descriptor: the facts that code shared by all kinds reads, and
 * functions for what only this kind does.  Each kind is one file in plot/kinds/ and one line in its
 * registry; what core knows of a kind of panel is in core/lab/lab.h.  */
#pragma once

#include "core/lab/lab.h"
#include "core/run/record/record.h"

struct SlFigure;
struct SlFrame;
struct SlLaying;
struct SlDrawing;
struct SlScreen;

/* Kinds of figures that are no kinds of panels. */
enum {
  SL_PARALLEL = SL_N_PANEL_KINDS, /* parallel coordinates */
  SL_N_FIGURE_KINDS
};

typedef struct
{
  double lo, hi;
} SlRange;

/* A function that is NULL does nothing; a fact left out is false or 0. */
typedef struct
{
  const char *words;  /* "a heat map": in descriptions for assistive tools */
  bool        steps;  /* values come with the updates of a run, which x counts */
  bool        axes;   /* has an x and a y axis */
  bool        equal;  /* a unit of x is as long as one of y */
  bool        values; /* y is an axis of values, which the curves have */
  bool        lines;  /* the curves are lines or points; y can be zoomed */
  bool        bars;   /* x goes over categories, which have no numbers */
  bool        rows;   /* the curves are rows or bands, the first on top */
  bool row_axis;   /* y goes over rows of equal height, the first on top; exact zeros are hatched */
  bool linear_x;   /* x is never logarithmic */
  bool cells;      /* there is a value under the pointer: sl_frame_cell() */
  bool tinted;     /* colours are values on the figure's tint */
  bool log_tint;   /* the view's log_y is about these colours */
  bool named_tint; /* there is a colour bar only if z has a label */
  bool swatches;   /* boxes in the legend rather than lines */
  bool data_names; /* names are those of the data, which are not translated */
  bool row_words;  /* names of rows are words of the program, which are */
  unsigned    legend_from; /* a legend needs so many entries; 0: there is never one */
  unsigned    legend_to;   /* no legend for more curves than this; 0: for any number */
  const char *unit;        /* of y where the panel has none; NULL: none */

  /* Data (figure.h).  How many rows or nodes there are that have a number. */
  unsigned (*count) (const struct SlFigure *figure);

  /* Nothing to draw yet; NULL: as long as no curve has a point. */
  bool (*empty) (const struct SlFigure *figure);

  /* Takes from a snapshot of a panel what there is beside its note. */
  void (*take) (struct SlFigure *figure, const SlRecord *record, const SlSnapshot *snapshot);

  /* Called before the ranges are found. */
  void (*prepare_fit) (struct SlFigure *figure);
  /* The range of the x axis; false: as the view and the curves say. */
  bool (*fit_x) (const struct SlFigure *figure, SlRange *range);
  /* The range of the y axis, likewise. */
  bool (*fit_y) (const struct SlFigure *figure, SlRange *range);

  /* Layout (laying.h). */
  /* Sets the room below the axis on a page of this size. */
  void (*prepare_layout) (struct SlLaying *job, double width, double height);
  /* Lays what is along the x axis; NULL: numbers. */
  void (*lay_x) (const struct SlLaying *job, struct SlFrame *frame);
  /* Lays what is at the right edge, and returns its width. */
  double (*lay_side) (const struct SlLaying *job, struct SlFrame *frame, double top, double bottom);
  /* Lays what a figure without axes puts into the plot. */
  void (*lay_plot) (const struct SlLaying *job, struct SlFrame *frame);
  /* The row or band at a point, from 1. */
  unsigned (*row_at) (const struct SlFrame *frame, const struct SlFigure *figure, double x,
                      double y);

  /* Drawing (drawing.h): data, and what lies on top of them.  The same data as pixels (raster.h). */
  void (*draw) (const struct SlDrawing *drawing);
  void (*draw_over) (const struct SlDrawing *drawing);
  void (*raster) (const struct SlScreen *screen);
} SlFigureKind;

/* By SlPanelKind and the kinds above. */
extern const SlFigureKind *const sl_figure_kinds[SL_N_FIGURE_KINDS];
