/* SPDX-License-Identifier: MIT
 *
 * The ground of a gating map; see plane.h.  It is always an image, which all canvases take, of so many
 * pixels that no cell is seen.  */
#include "plot/draw/plane.h"

#include <math.h>

#include "plot/draw/cells.h"

enum { PIXELS = 1024 }; /* along the longer edge, in files */

static void
set_colour (cairo_t *cr, SlRgba colour)
{
  cairo_set_source_rgb (cr, (double) colour.r, (double) colour.g, (double) colour.b);
}

/* Lines over all that the clip leaves of a rectangle. */
static void
add_stripes (cairo_t *cr, unsigned direction, double pitch, double w, double h)
{
  static const double across[SL_PLANE_STRIPES] = { 1, 1, 0, 1 };
  static const double down[SL_PLANE_STRIPES] = { 1, -1, 1, 0 };
  double              step = pitch * hypot (across[direction], down[direction]);

  for (double k = -ceil (h / step) * step; k < w + h; k += step)
    {
      double x = across[direction] != 0.0 ? k : 0.0, y = across[direction] != 0.0 ? 0.0 : k;

      if (direction == 0)
        cairo_move_to (cr, x, 0.0), cairo_line_to (cr, x - h, h);
      else if (direction == 1)
        cairo_move_to (cr, x, 0.0), cairo_line_to (cr, x + h, h);
      else if (direction == 2)
        cairo_move_to (cr, 0.0, y), cairo_line_to (cr, w, y);
      else
        cairo_move_to (cr, x, 0.0), cairo_line_to (cr, x, h);
    }
}

/* Fills the path that there is. */
static void
fill_ground (cairo_t *cr, const SlGround *ground, double type, double w, double h)
{
  set_colour (cr, ground->colour);
  if (ground->stripes == 0)
    {
      cairo_fill (cr);
      return;
    }
  cairo_fill_preserve (cr);
  cairo_save (cr);
  cairo_clip (cr);
  for (unsigned i = 0; i < SL_PLANE_STRIPES; i++)
    if (ground->stripes >> i & 1)
      add_stripes (cr, i, 0.7 * type, w, h);
  set_colour (cr, ground->ink);
  cairo_set_line_width (cr, 0.13 * type);
  cairo_stroke (cr);
  cairo_restore (cr);
}

/* The arcs at each joint, as lists of ends: 2 · arc for where it begins, + 1 for where it ends. */
typedef struct
{
  cairo_t          *cr;
  const SlContours *contours;
  double            w, h;
  guint            *first, *next; /* 1 + end; 0: none */
  int              *done;         /* the region that each arc was last a part of */
} Tracing;

static const SlArc *
arc_at (const Tracing *t, guint arc)
{
  return &g_array_index (t->contours->arcs, SlArc, arc);
}

static bool
borders (const Tracing *t, guint arc, int value)
{
  return (arc_at (t, arc)->a == value || arc_at (t, arc)->b == value) && t->done[arc] != value;
}

/* Adds an arc to the path, from its end to its beginning if `backwards`. */
static void
add_arc (const Tracing *t, guint number, bool backwards)
{
  const SlArc *arc = arc_at (t, number);

  for (guint i = 0; i < arc->n; i++)
    {
      const SlXY *at
        = &g_array_index (t->contours->points, SlXY, arc->first + (backwards ? arc->n - 1 - i : i));

      cairo_line_to (t->cr, at->x * t->w, at->y * t->h);
    }
}

/* Goes around a region from one of its arcs until no other goes on. */
static void
trace (const Tracing *t, guint arc, int value)
{
  guint end = 2 * arc;

  cairo_new_sub_path (t->cr);
  for (;;)
    {
      const SlArc *at = arc_at (t, end / 2);
      guint        go = t->first[end % 2 == 0 ? at->to : at->from];

      t->done[end / 2] = value;
      add_arc (t, end / 2, end % 2 == 1);
      while (go != 0 && !borders (t, (go - 1) / 2, value))
        go = t->next[go - 1];
      if (go == 0)
        break;
      end = go - 1;
    }
  cairo_close_path (t->cr);
}

static void
join_ends (Tracing *t)
{
  for (guint i = 0; i < t->contours->arcs->len; i++)
    for (guint end = 2 * i; end <= 2 * i + 1; end++)
      {
        guint *first = &t->first[end % 2 == 0 ? arc_at (t, i)->from : arc_at (t, i)->to];

        t->next[end] = *first;
        *first = end + 1;
      }
}

static SlGround
ground_of (const SlFigure *figure, const SlTheme *theme, int value)
{
  SlGround ground
    = sl_plane_ground (&figure->plane, theme, figure->view.plane, (unsigned) MAX (value, 0));

  if (figure->view.alone > 0 && value != (int) figure->view.alone - 1)
    {
      ground.colour = sl_plane_pale (theme, ground.colour);
      ground.ink = sl_plane_pale (theme, ground.ink);
    }
  return ground;
}

/* One region after the other, each as one path. */
static void
paint_regions (cairo_t *cr, const SlFigure *figure, const SlTheme *theme, SlEdges edges, double w,
               double h)
{
  SlContours contours;

  sl_plane_contours (&figure->plane, edges, &contours);
  {
    guint             n = contours.arcs->len;
    g_autofree guint *first = g_new0 (guint, contours.joints + 1);
    g_autofree guint *next = g_new0 (guint, 2 * n + 1);
    g_autofree int   *done = g_new (int, n + 1);
    Tracing           t = { cr, &contours, w, h, first, next, done };

    for (guint i = 0; i <= n; i++)
      done[i] = -1;
    join_ends (&t);
    cairo_set_fill_rule (cr, CAIRO_FILL_RULE_EVEN_ODD);
    for (guint i = 0; i < 2 * n; i++)
      {
        int      value = i % 2 == 0 ? arc_at (&t, i / 2)->a : arc_at (&t, i / 2)->b;
        SlGround ground;

        if (value < 0 || !borders (&t, i / 2, value))
          continue;
        for (guint k = 0; k < n; k++)
          if (borders (&t, k, value))
            trace (&t, k, value);
        ground = ground_of (figure, theme, value);
        fill_ground (cr, &ground, theme->type, w, h);
      }
  }
  sl_contours_clear (&contours);
}

/* Values that pass into each other. */
static void
paint_values (cairo_t *cr, const SlFigure *figure, const SlTheme *theme, double w, double h)
{
  int                  side = (int) figure->plane.side;
  g_autofree uint32_t *cells = g_new (uint32_t, (size_t) side * (size_t) side);
  cairo_surface_t     *image;

  sl_plane_fill (&figure->plane, theme, figure->view.plane, (int) figure->view.alone - 1, cells);
  image = cairo_image_surface_create_for_data ((unsigned char *) cells, CAIRO_FORMAT_RGB24, side,
                                               side, 4 * side);
  cairo_scale (cr, w / side, h / side);
  cairo_set_source_surface (cr, image, 0.0, 0.0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_BILINEAR);
  cairo_pattern_set_extend (cairo_get_source (cr), CAIRO_EXTEND_PAD);
  cairo_paint (cr);
  cairo_surface_destroy (image);
}

void
sl_paint_plane (cairo_t *cr, const SlFigure *figure, const SlTheme *theme, double w, double h)
{
  SlPlaneMode mode = figure->view.plane;
  SlEdges     edges;

  cairo_save (cr);
  cairo_rectangle (cr, 0.0, 0.0, w, h);
  cairo_clip (cr);
  if (sl_plane_regions (&figure->plane, mode, &edges)
      && (figure->view.alone == 0 || mode == SL_PLANE_PATTERN))
    paint_regions (cr, figure, theme, edges, w, h);
  else
    paint_values (cr, figure, theme, w, h);
  cairo_restore (cr);
}

void
sl_draw_plane (const SlDrawing *d)
{
  const SlRect    *plot = &d->frame->plot;
  double           scale = PIXELS / MAX (plot->w, plot->h);
  int              w = (int) ceil (scale * plot->w), h = (int) ceil (scale * plot->h);
  cairo_surface_t *image = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, w, h);
  cairo_t         *cr = cairo_create (image);

  cairo_scale (cr, w / plot->w, h / plot->h);
  sl_paint_plane (cr, d->figure, d->theme, plot->w, plot->h);
  cairo_destroy (cr);
  d->canvas->image (d->canvas, plot, image);
  cairo_surface_destroy (image);
}

void
sl_draw_ground (const SlDrawing *d, const SlRect *box, const SlGround *ground)
{
  enum { SIZE = 48 };
  cairo_surface_t *image;
  cairo_t         *cr;

  if (ground->stripes == 0)
    {
      d->canvas->rect (d->canvas, box, ground->colour);
      return;
    }
  image = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, SIZE, SIZE);
  cr = cairo_create (image);
  cairo_scale (cr, SIZE / box->w, SIZE / box->h);
  cairo_rectangle (cr, 0.0, 0.0, box->w, box->h);
  fill_ground (cr, ground, d->theme->type, box->w, box->h);
  cairo_destroy (cr);
  d->canvas->image (d->canvas, box, image);
  cairo_surface_destroy (image);
}
