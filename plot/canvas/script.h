/* SPDX-License-Identifier: MIT
 *
 * A canvas that writes a script for matplotlib, which draws the page again from a CSV file beside
 * it.  Axes, curves, bars and cells are given by their values, which the user can restyle;
 * everything else by its place on the page.  matplotlib.c writes the script; script.c keeps track
 * of groups, which cut what leaves them, of the looks of the curves under a key each, and of the
 * data.  */
#pragma once

#include "plot/canvas/canvas.h"
#include "plot/canvas/table.h"

#define SL_SCRIPT_PT_PER_PX (72.0 / 96.0)

/* The page; texts are borrowed. */
typedef struct
{
  SlText     *text;
  double      width_mm, height_mm, width, height; /* the latter two in px */
  double      dpi;                          /* of a picture that the script writes as pixels */
  const char *family;                       /* a CSS list of fonts */
  const char *title, *description, *recipe; /* each may be NULL */
} SlScriptPage;

/* A page as a script that writes it as PDF, SVG or PNG.  Its data are inside it, between two lines
 * that sl_export_save_page() (export.h) replaces when it makes them a file beside.  */
SlCanvas *sl_canvas_matplotlib_new (const SlScriptPage *page);

/* Ends the script, frees the canvas and returns the text. */
GBytes *sl_canvas_matplotlib_finish (SlCanvas *canvas);

/* What the first comment of a script begins with. */
#define SL_SCRIPT_MARK " A figure of Sluice for "

/* The file that a script writes, and the lines around data that are inside a script. */
#define SL_SCRIPT_OUT "sluice-figure.pdf"
#define SL_MATPLOTLIB_BEGIN "DATA = io.StringIO(\"\"\"\\\n"
#define SL_MATPLOTLIB_END "\"\"\")\n"

/* How many values a page may have, and a curve on a px of its width: what is four times as wide still has
 * all that can be seen.  */
enum { SL_SCRIPT_POINTS = 200000, SL_SCRIPT_POINTS_PX = 16 };

/* How a curve looks in its line, its markers and the legend: the first that is known of each. */
typedef struct
{
  unsigned key; /* 100 × the figure's number + the curve's */
  char     id[80];
  SlRgba   colour, rim;
  double   width; /* px; 0: not known */
  double   dash[8];
  bool     has_colour, has_marker;
  SlMarker marker;
  double   mark_size; /* px */
} SlScriptLook;

typedef struct
{
  SlXY   origin;
  SlRect clip; /* px of the page; w < 0: none */
  double opacity;
} SlScriptGroup;

typedef struct
{
  SlCanvas     canvas; /* first */
  SlScriptPage page;
  GString     *out;
  GArray      *looks;  /* of SlScriptLook */
  GArray      *groups; /* of SlScriptGroup, the innermost last */
  SlValueTable table;
  GString     *blocks; /* matrices, one behind the other */
  unsigned     n_blocks;
  unsigned     figure; /* number of the one that is being drawn, from 1 */
  SlCanvasAxes axes;   /* those that are open, in px of the page */
  unsigned     n_axes;
} SlScript;

void sl_script_init (SlScript *self, const SlScriptPage *page);
void sl_script_clear (SlScript *self);

/* The operations of SlCanvas that only keep track. */
void sl_script_begin (SlCanvas *canvas, const char *id, const SlRect *clip, double opacity);
void sl_script_shift (SlCanvas *canvas, const char *id, double x, double y);
void sl_script_end (SlCanvas *canvas);

/* Where a place is on the page. */
SlXY sl_script_place (const SlScript *self, double x, double y);
/* A rectangle as far as its group shows it; false for nothing of it. */
bool sl_script_rect (const SlScript *self, const SlRect *rect, SlRect *out);

/* A polyline and a polygon on the page as far as the group shows them; free with g_array_unref(). */
GArray *sl_script_cut_line (const SlScript *self, const SlXY *points, size_t n);
GArray *sl_script_cut_area (const SlScript *self, const SlXY *points, size_t n);

/* What a colour covers in its group. */
double sl_script_alpha (const SlScript *self, SlRgba colour);

/* "#0072b2". */
const char *sl_script_colour (SlRgba colour, char out[8]);

/* The looks of the curve that is being drawn, NULL outside of one; what was not known yet is taken from
 * what is given.  */
SlScriptLook *sl_script_look (SlScript *self);
void sl_script_look_line (SlScriptLook *look, SlRgba colour, double width, const double *dash);
void sl_script_look_marker (SlScriptLook *look, SlMarker marker, double size, SlRgba colour,
                            SlRgba rim);

/* Keeps a matrix as the next block and returns its number behind the table.  An image has a row for
 * each pixel: red, green, blue and opacity, 0 … 255.  */
unsigned sl_script_matrix (SlScript *self, const double *value, unsigned rows, unsigned columns);
unsigned sl_script_pixels (SlScript *self, cairo_surface_t *pixels);

/* A curve as two columns of the table: their names, and how it looks; NULL outside of one. */
SlScriptLook *sl_script_curve (SlScript *self, const SlCanvasCurve *curve, const char *name[2]);

/* Half lengths of error bars as a column of the table: its name, or NULL where there are none. */
const char *sl_script_errors (SlScript *self, const char *id, bool of_y, const double *length,
                              size_t n);

/* A band as three columns of the table, x, low and high: their names. */
void sl_script_band (SlScript *self, const SlCanvasBand *band, const char *name[3]);

/* Bars as three columns of the table: their names. */
void sl_script_bars (SlScript *self, const SlCanvasBars *bars, const char *name[3]);

/* Table and blocks as one text, "" without any; free with g_free(). */
char *sl_script_data (const SlScript *self);

/* The value under a tick. */
double sl_script_tick (const SlCanvasAxes *axes, bool of_y, unsigned i);
/* The label of a tick as one or two lines; free with g_free(). */
char *sl_script_tick_label (const SlCanvasAxes *axes, bool of_y, unsigned i);

/* Appends the part that all scripts have, a file of resources/figures. */
void sl_script_helpers (GString *out);

/* Appends a number of px as pt. */
void sl_script_pt (GString *out, double px);

/* The names of a CSS list of fonts; free with g_strfreev(). */
char **sl_script_families (const char *family);
