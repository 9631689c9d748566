/* SPDX-License-Identifier: MIT
 *
 * What a figure is drawn on: a handful of operations with back ends for Cairo (screen, PNG, PDF), our
 * own SVG, LaTeX with TikZ and pgfplots, scripts for matplotlib (script.h), and to compare drawings.
 * Lengths are px of 1/96 inch, y downwards.  */
#pragma once

#include <cairo.h>
#include <glib.h>

#include "plot/base/geometry.h"
#include "plot/base/scale.h"
#include "plot/base/text.h"
#include "plot/base/theme.h"
#include "plot/base/tint.h"

typedef enum {
  SL_ANCHOR_START,
  SL_ANCHOR_MIDDLE,
  SL_ANCHOR_END,
} SlAnchor;

typedef struct
{
  double   size; /* px */
  bool     bold;
  bool     upwards; /* a quarter turn to the left */
  SlAnchor anchor;
  SlRgba   colour;
} SlLettering;

/* Axes of values with their ticks, in units of the data. */
typedef struct
{
  SlRect        plot; /* px */
  SlScale       x, y; /* the values of its edges; without a foot.  y.lo > y.hi: downwards */
  const SlTick *x_tick, *y_tick;
  const char *x_second; /* (n_x_ticks, SL_TICK_LABEL) second lines of the labels, each may be "" */
  const double *x_at, *y_at; /* px of the ticks */
  unsigned      n_x_ticks, n_y_ticks;
  const char   *x_label, *y_label;    /* "" for none */
  double        x_label_y, y_label_x; /* px, baselines */
  double        type, x_type, hair;   /* px of the labels, of those along x, and of the lines */
  bool          upright;              /* labels along x are upright */
  bool          categories;           /* x has names without tick lines */
  bool          bare;                 /* no grid */
  SlRgba        axis, grid, soft, ink;
} SlCanvasAxes;

/* How far points may be off, as bars with strokes across their ends. */
typedef struct
{
  const double *along_x,
    *along_y; /* (n) half lengths in units of the axes, not-a-number for none; or NULL */
  SlRgba colour;
  double width, cap; /* px: of the lines, of half a stroke */
} SlCanvasErrors;

/* Values of points that give each its colour. */
typedef struct
{
  const double  *value; /* (n) */
  const SlTint  *tint;
  const SlTheme *theme;
  double         pale; /* how much of the plot's colour is in them, 0 … 1 */
} SlCanvasTones;

/* A curve by its values, in units of the axes. */
typedef struct
{
  const char   *id;
  const SlXY   *points; /* (n) in units of the axes; not-a-number lifts the pen */
  size_t        n;
  SlRgba        colour, rim;
  double        opacity;
  double        width; /* px; 0: markers without a line */
  const double *dash;  /* px, ended by 0 */
  SlMarker      marker;
  double        mark_size; /* px */
  bool          marked;    /* a marker at each point */
  double
                        ring; /* px: with a circle of this line around each point, twice `mark_size` wide, in place of a marker; 0: not */
  const SlCanvasErrors *errors; /* or NULL */
  const SlCanvasTones  *tones;  /* of the markers, or NULL: all have `colour` */
} SlCanvasCurve;

/* The area between two curves, in units of the axes. */
typedef struct
{
  const char   *id;
  const double *x, *low, *high; /* (n) not-a-number: a gap */
  size_t        n;
  SlRgba        colour;
} SlCanvasBand;

/* Bars of one colour, in units of the axes. */
typedef struct
{
  const char   *id;
  const double *x, *low,
    *high; /* (n) middles, and from where to where; no bar where one is no number */
  size_t n;
  double width;
  SlRgba colour;
} SlCanvasBars;

/* A matrix of values that covers the whole plot. */
typedef struct
{
  const char    *id;
  const double  *value; /* (rows, columns), row 0 on top */
  unsigned       rows, columns;
  const SlTint  *tint;
  const SlTheme *theme;
  SlRgba         missing; /* where a value is no number */
} SlCanvasCells;

typedef struct SlCanvas SlCanvas;

struct SlCanvas
{
  SlText *text; /* borrowed; measures; NULL: every width is 0 */
  double
    pixels; /* that a px of a picture has which can be made as fine as one likes; 0: as look well in print */
  unsigned
    shades; /* from none to all of a value in many small cells, as the eye tells them apart; 0: any */
  unsigned
    style; /* number, from 1, of the curve that is being drawn, for canvases that keep it; 0: none */

  /* A group with a name that is the same each time; `clip` (may be NULL) holds its content
   * inside a rectangle, `opacity` fades it as a whole.  */
  void (*begin) (SlCanvas *canvas, const char *id, const SlRect *clip, double opacity);

  /* A group whose origin lies at x, y of the one around. */
  void (*shift) (SlCanvas *canvas, const char *id, double x, double y);
  void (*end) (SlCanvas *canvas);

  void (*rect) (SlCanvas *canvas, const SlRect *rect, SlRgba colour);

  /* A polyline; a point that is not a number lifts the pen.  `dash` in px, ended by 0. */
  void (*line) (SlCanvas *canvas, const SlXY *points, size_t n, SlRgba colour, double width,
                const double *dash);

  /* A filled polygon. */
  void (*area) (SlCanvas *canvas, const SlXY *points, size_t n, SlRgba colour);

  /* A disc; with `width` > 0 only its outline. */
  void (*disc) (SlCanvas *canvas, double x, double y, double radius, SlRgba colour, double width);

  /* A marker of a curve; NULL where it is drawn by the shapes above. */
  void (*marker) (SlCanvas *canvas, SlMarker marker, double x, double y, double size, SlRgba colour,
                  SlRgba rim);

  /* One line of text, y its baseline. */
  void (*words) (SlCanvas *canvas, double x, double y, const char *string,
                 const SlLettering *lettering);

  /* An ARGB32 image stretched over the rectangle, smoothed only where it has more pixels than there
   * is room for.  */
  void (*image) (SlCanvas *canvas, const SlRect *rect, cairo_surface_t *image);

  /* Axes, then bands and curves, bars or cells by their values, then the end; all NULL where everything is drawn
   * as shapes, and NULL what is drawn as shapes, as are points with tones unless it `takes_tones`.  A page may have
   * about `points_max` points, and so many of a curve in a px of width.  */
  void (*axes) (SlCanvas *canvas, const SlCanvasAxes *axes);
  void (*band) (SlCanvas *canvas, const SlCanvasBand *band);
  void (*curve) (SlCanvas *canvas, const SlCanvasCurve *curve);
  void (*bars) (SlCanvas *canvas, const SlCanvasBars *bars);
  void (*cells) (SlCanvas *canvas, const SlCanvasCells *cells);
  void (*end_axes) (SlCanvas *canvas);
  unsigned points_max, points_px;
  bool     takes_tones;
};

/* Straight lines that are one px wide on the device stay sharp when `sharp`. */
SlCanvas *sl_canvas_cairo_new (cairo_t *cr, SlText *text);
void      sl_canvas_cairo_free (SlCanvas *canvas);

/* An SVG document of a size in mm whose drawing is `width` × `height` px.  Title and
 * description are for screen readers; the recipe goes into <metadata>.  Any of the three may be
 * NULL.  `family` is a CSS list of fonts.  */
SlCanvas *sl_canvas_svg_new (SlText *text, double width_mm, double height_mm, double width,
                             double height, const char *family, const char *title,
                             const char *description, const char *recipe);

/* For a screen: pictures have no more pixels than it shows, and a viewer that leaves them square. */
void sl_canvas_svg_for_screen (SlCanvas *canvas);

/* Ends the document, frees the canvas and returns the text. */
GBytes *sl_canvas_svg_finish (SlCanvas *canvas);

/* What only a figure of Sluice begins with: an SVG, the first words of a comment on top of a picture of TikZ, and
 * the key of a PNG's text "Sluice".  */
#define SL_SVG_BEGIN                                                                               \
  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg"                                               \
  " xmlns=\"http://www.w3.org/2000/svg\""                                                          \
  " xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\""
#define SL_TEX_MARK "To be read with \\input; the preamble needs \\usepackage{"
#define SL_PNG_SOFTWARE "Software"
#define SL_GIF_SOFTWARE "Sluice"

/* Where the page has a table of values, it is between these two lines, and curves read it by this
 * name; sl_export_save_page() (export.h) makes it a file beside.  */
#define SL_TEX_TABLE_NAME "sluice-table.dat"
#define SL_TEX_TABLE_BEGIN "\\begin{filecontents*}[overwrite]{" SL_TEX_TABLE_NAME "}\n"
#define SL_TEX_TABLE_END "\\end{filecontents*}\n"

/* A picture of TikZ, width × height px, which a paper takes in with \input; axes with curves are of
 * pgfplots.  Title and description are comments, the
 * latter the alternative text of pdfTeX as well; the recipe goes into lines "% sluice-recipe: BASE64".
 * Any of the three may be NULL.  Images are drawn as rectangles, of which there are not many:
 * tikz.c.  */
SlCanvas *sl_canvas_tikz_new (SlText *text, double width, double height, const char *title,
                              const char *description, const char *recipe);

/* Ends the picture, frees the canvas and returns the text. */
GBytes *sl_canvas_tikz_finish (SlCanvas *canvas);

/* Appends a text in which the next number, a double, replaces each @: of at most two decimals,
 * without zeros at the end, in the C locale.  */
void sl_canvas_put (GString *out, const char *text, ...);

/* Lines of a comment: a text on one line, whatever signs it has, and a recipe, as BASE64. */
void sl_canvas_comment (GString *out, const char *begin, const char *text);
void sl_canvas_recipe (GString *out, const char *begin, const char *recipe);

/* Draws nothing and makes a number of what it is given: the same for the same drawing, and another, but by
 * a chance of 2⁻⁶⁴, for any other.  It does not measure: how wide words are follows from the words. */
SlCanvas *sl_canvas_digest_new (void);

/* Frees the canvas and returns the number. */
uint64_t sl_canvas_digest_finish (SlCanvas *canvas);

/* A marker of a curve, filled, with a thin rim of `rim` so that it stands off its curve. */
void sl_canvas_marker (SlCanvas *canvas, SlMarker marker, double x, double y, double size,
                       SlRgba colour, SlRgba rim);
