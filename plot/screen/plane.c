/* SPDX-License-Identifier: MIT
 *
 * The ground of a gating map; see plane.h.  */
#include "plot/screen/plane.h"

#include <glib.h>
#include <math.h>

#include "plot/screen/raster.h"

enum { MOST_PITCH = 96 };

/* Of stripes, in type: from line to line and how wide one is. */
#define PITCH 0.7
#define WIDTH 0.13

/* A ground to be filled with. */
typedef struct
{
  int      value;
  uint32_t colour, ink;
  unsigned stripes;
  int      pitch;               /* in pixels */
  uint16_t slanted[MOST_PITCH]; /* (pitch) how much of a pixel a line covers, of 256 */
  uint16_t straight[MOST_PITCH];
} Paint;

static uint16_t
covered (double away, double half)
{
  return (uint16_t) lround (256.0 * CLAMP (half - away + 0.5, 0.0, 1.0));
}

static Paint
paint_of (const SlGround *ground, int value, double type)
{
  Paint paint = { .value = value,
                  .colour = sl_packed (ground->colour),
                  .ink = sl_packed (ground->ink),
                  .stripes = ground->stripes,
                  .pitch = CLAMP ((int) lround (PITCH * type), 4, MOST_PITCH) };

  for (int i = 0; ground->stripes != 0 && i < paint.pitch; i++)
    {
      double away = MIN (i, paint.pitch - i);

      paint.slanted[i] = covered (away * M_SQRT1_2, 0.5 * WIDTH * type);
      paint.straight[i] = covered (away, 0.5 * WIDTH * type);
    }
  return paint;
}

/* A pixel at a place in the pattern. */
static uint32_t
paint_in (const Paint *paint, int x, int y)
{
  int      rising = x + y, falling = x + paint->pitch - y;
  uint16_t most = 0;

  if (paint->stripes & 1)
    most = paint->slanted[rising < paint->pitch ? rising : rising - paint->pitch];
  if (paint->stripes & 2)
    most = MAX (most, paint->slanted[falling < paint->pitch ? falling : falling - paint->pitch]);
  if (paint->stripes & 4)
    most = MAX (most, paint->straight[y]);
  if (paint->stripes & 8)
    most = MAX (most, paint->straight[x]);
  return most == 0 ? paint->colour : sl_blend (paint->colour, paint->ink, most);
}

static uint32_t
paint_at (const Paint *paint, int x, int y)
{
  return paint->stripes == 0 ? paint->colour : paint_in (paint, x % paint->pitch, y % paint->pitch);
}

static void
fill_span (const SlGroundPixels *pixels, const Paint *paint, int y, int from, int to)
{
  uint32_t *row = pixels->pixel + (size_t) y * (size_t) pixels->stride;
  int       n = MIN (from + paint->pitch, to);

  for (int x = from; x < to && paint->stripes == 0; x++)
    row[x] = paint->colour;
  if (paint->stripes == 0)
    return;
  /* The pattern once, then again and again. */
  for (int x = from; x < n; x++)
    row[x] = paint_at (paint, x, y);
  for (int x = n; x < to; x++)
    row[x] = row[x - paint->pitch];
}

/* A border on its way through the middle of a row of pixels. */
typedef struct
{
  int    y;
  double x, half; /* where, and over how much to each side it is inside this row */
  int    east;    /* the value behind it */
} Crossing;

static void
add_crossings (const SlGroundPixels *pixels, const SlXY *a, const SlXY *b, int east,
               GArray *crossings)
{
  double x0 = a->x * pixels->width, x1 = b->x * pixels->width;
  double y0 = a->y * pixels->height, y1 = b->y * pixels->height, slope = (x1 - x0) / (y1 - y0);
  double top = MAX (MIN (y0, y1), 0.0), bottom = MIN (MAX (y0, y1), (double) pixels->height);

  for (int y = (int) ceil (top - 0.5); y + 0.5 < bottom; y++)
    {
      Crossing crossing = { y, x0 + (y + 0.5 - y0) * slope, 0.5 * MAX (fabs (slope), 1.0), east };

      g_array_append_val (crossings, crossing);
    }
}

static int
compare_crossings (gconstpointer a, gconstpointer b)
{
  const Crossing *p = a, *q = b;

  if (p->y != q->y)
    return p->y - q->y;
  return (p->x > q->x) - (p->x < q->x);
}

/* From the top, and from left to right. */
static GArray *
cross_rows (const SlGroundPixels *pixels, const SlContours *contours)
{
  GArray *crossings = g_array_new (FALSE, FALSE, sizeof (Crossing));

  for (guint k = 0; k < contours->arcs->len; k++)
    {
      const SlArc *arc = &g_array_index (contours->arcs, SlArc, k);
      const SlXY  *at = &g_array_index (contours->points, SlXY, arc->first);

      for (guint i = 0; i + 1 < arc->n; i++)
        add_crossings (pixels, &at[i], &at[i + 1], at[i + 1].y > at[i].y ? arc->a : arc->b,
                       crossings);
    }
  g_array_sort (crossings, compare_crossings);
  return crossings;
}

/* The paint of a value, made when it is first wanted. */
static const Paint *
find_paint (GArray *paints, const SlFigure *figure, const SlTheme *theme, double scale, int value)
{
  SlGround ground;
  Paint    paint;

  for (guint i = 0; i < paints->len; i++)
    if (g_array_index (paints, Paint, i).value == value)
      return &g_array_index (paints, Paint, i);
  ground = sl_plane_ground (&figure->plane, theme, figure->view.plane, (unsigned) value);
  if (figure->view.alone > 0 && value != (int) figure->view.alone - 1)
    {
      ground.colour = sl_plane_pale (theme, ground.colour);
      ground.ink = sl_plane_pale (theme, ground.ink);
    }
  paint = paint_of (&ground, value, theme->type * scale);
  g_array_append_val (paints, paint);
  return &g_array_index (paints, Paint, paints->len - 1);
}

/* Pixels that a border passes through have some of both colours; as many as to the next border. */
static void
soften (const SlGroundPixels *pixels, const Paint *left, const Paint *right, const Crossing *at,
        double before, double behind)
{
  double    half = MIN (at->half, MIN (MAX (at->x - before, 1.0), MAX (behind - at->x, 1.0)) / 2.0);
  uint32_t *row = pixels->pixel + (size_t) at->y * (size_t) pixels->stride;
  int       from = MAX ((int) floor (at->x - half), 0);
  int       to = MIN ((int) ceil (at->x + half), pixels->width);

  half = MAX (half, 0.5);
  for (int x = from; x < to; x++)
    {
      double part = CLAMP ((x + 0.5 - at->x) / (2.0 * half) + 0.5, 0.0, 1.0);

      row[x] = sl_blend (paint_at (left, x, at->y), paint_at (right, x, at->y),
                         (uint32_t) lround (256.0 * part));
    }
}

/* One row after the other, from border to border. */
static void
fill_regions (const SlGroundPixels *pixels, const SlFigure *figure, const SlTheme *theme,
              SlEdges edges)
{
  SlContours contours;
  g_autoptr (GArray) crossings = NULL;
  g_autoptr (GArray) paints = g_array_new (FALSE, FALSE, sizeof (Paint));

  sl_plane_contours (&figure->plane, edges, &contours);
  crossings = cross_rows (pixels, &contours);
  sl_contours_clear (&contours);
  for (guint i = 0; i < crossings->len; i++)
    {
      const Crossing *at = &g_array_index (crossings, Crossing, i);
      const Crossing *next = i + 1 < crossings->len ? at + 1 : NULL;
      double          behind = next != NULL && next->y == at->y ? next->x : pixels->width;
      int             from = CLAMP ((int) floor (at->x), 0, pixels->width);

      if (at->east >= 0)
        fill_span (pixels, find_paint (paints, figure, theme, pixels->scale, at->east), at->y, from,
                   CLAMP ((int) ceil (behind), 0, pixels->width));
    }
  for (guint i = 1; i < crossings->len; i++)
    {
      const Crossing *at = &g_array_index (crossings, Crossing, i), *last = at - 1;
      const Crossing *next = i + 1 < crossings->len ? at + 1 : NULL;
      double          behind = next != NULL && next->y == at->y ? next->x : pixels->width;
      Paint           left;

      if (last->y != at->y || last->east < 0 || at->east < 0 || last->east == at->east)
        continue;
      left = *find_paint (paints, figure, theme, pixels->scale, last->east);
      soften (pixels, &left, find_paint (paints, figure, theme, pixels->scale, at->east), at,
              last->x, behind);
    }
}

/* Values that pass into each other. */
static void
fill_values (const SlGroundPixels *pixels, const SlFigure *figure, const SlTheme *theme)
{
  int                  side = (int) figure->plane.side;
  g_autofree uint32_t *cells = g_new (uint32_t, (size_t) side * (size_t) side);
  cairo_surface_t     *image, *target;
  cairo_t             *cr;

  sl_plane_fill (&figure->plane, theme, figure->view.plane, (int) figure->view.alone - 1, cells);
  image = cairo_image_surface_create_for_data ((unsigned char *) cells, CAIRO_FORMAT_RGB24, side,
                                               side, 4 * side);
  target = cairo_image_surface_create_for_data ((unsigned char *) pixels->pixel, CAIRO_FORMAT_RGB24,
                                                pixels->width, pixels->height, 4 * pixels->stride);
  cr = cairo_create (target);
  cairo_scale (cr, (double) pixels->width / side, (double) pixels->height / side);
  cairo_set_source_surface (cr, image, 0.0, 0.0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_BILINEAR);
  cairo_pattern_set_extend (cairo_get_source (cr), CAIRO_EXTEND_PAD);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_destroy (target);
  cairo_surface_destroy (image);
}

void
sl_ground_fill (const SlGroundPixels *pixels, const SlFigure *figure, const SlTheme *theme)
{
  SlPlaneMode mode = figure->view.plane;
  SlEdges     edges;

  if (sl_plane_regions (&figure->plane, mode, &edges)
      && (figure->view.alone == 0 || mode == SL_PLANE_PATTERN))
    fill_regions (pixels, figure, theme, edges);
  else
    fill_values (pixels, figure, theme);
}

void
sl_ground_fill_one (const SlGroundPixels *pixels, const SlGround *ground, const SlTheme *theme)
{
  Paint paint = paint_of (ground, 0, theme->type * pixels->scale);

  for (int y = 0; y < pixels->height; y++)
    fill_span (pixels, &paint, y, 0, pixels->width);
}
