/* SPDX-License-Identifier: MIT
 *
 * Circles joined by lines: size and width say how much passes, colour says a value.  */
#include <math.h>

#include "ui/plot/draw-private.h"
#include "ui/plot/graph.h"

/* Names that found a place. */
typedef struct
{
  const SlDrawing *d;
  const SlNode    *node;
  unsigned         n;
  GArray          *taken; /* of SlRect */
} Labels;

static bool
apart (const SlRect *a, const SlRect *b)
{
  return a->x >= b->x + b->w || b->x >= a->x + a->w || a->y >= b->y + b->h || b->y >= a->y + a->h;
}

static void
draw_edges (const SlDrawing *d, const SlNode *node, unsigned n)
{
  const SlFigure *figure = d->figure;
  double widest = 0.9 * d->theme->type;

  for (unsigned r = n; r < figure->rows; r++)
    {
      const double *row = figure->matrix + (size_t) r * figure->columns;
      SlRgba colour = sl_mix (sl_tint_colour (d->theme, &figure->tint, row[4]), d->theme->soft,
                              0.3);
      const SlNode *from, *to;

      if (!(row[0] >= 0.0 && row[0] < n && row[1] >= 0.0 && row[1] < n))
        continue;
      from = &node[(unsigned) row[0]];
      to = &node[(unsigned) row[1]];
      if (isnan (from->x) || isnan (to->x) || !isfinite (row[3]))
        continue;
      /* What nothing passes is still there. */
      if (!(row[3] > 0.0))
        colour = d->theme->axis;
      sl_draw_segment (d, from->x, from->y, to->x, to->y, colour,
                       MAX (widest * CLAMP (row[3], 0.0, 1.0), 0.6 * sl_draw_hair (d)), NULL);
    }
}

static void
draw_nodes (const SlDrawing *d, const SlNode *node, unsigned n)
{
  double rim = sl_draw_hair (d);

  for (unsigned i = 0; i < n; i++)
    {
      double size = d->figure->matrix[(size_t) i * d->figure->columns + 3];

      if (isnan (node[i].x))
        continue;
      if (size > 0.0)
        d->canvas->disc (d->canvas, node[i].x, node[i].y, node[i].radius,
                         sl_tint_colour (d->theme, &d->figure->tint, node[i].value), 0.0);
      else
        d->canvas->disc (d->canvas, node[i].x, node[i].y, node[i].radius, d->theme->plot, 0.0);
      d->canvas->disc (d->canvas, node[i].x, node[i].y, node[i].radius, d->theme->axis, rim);
      if (d->figure->picked == i + 1)
        d->canvas->disc (d->canvas, node[i].x, node[i].y, node[i].radius + 2.5 * rim,
                         d->theme->ink, 2.0 * rim);
    }
}

/* True when a label may stand there: on the page, on no other label and no circle but `own`. */
static bool
is_free (const Labels *labels, const SlRect *place, unsigned own)
{
  const SlRect *plot = &labels->d->frame->plot;

  if (place->x < plot->x || place->y < plot->y || place->x + place->w > plot->x + plot->w
      || place->y + place->h > plot->y + plot->h)
    return false;
  for (unsigned i = 0; i < labels->taken->len; i++)
    if (!apart (place, &g_array_index (labels->taken, SlRect, i)))
      return false;
  for (unsigned i = 0; i < labels->n; i++)
    {
      const SlNode *node = &labels->node[i];
      SlRect around = { node->x - node->radius, node->y - node->radius, 2.0 * node->radius,
                        2.0 * node->radius };

      if (i != own && !isnan (node->x) && !apart (place, &around))
        return false;
    }
  return true;
}

/* In its circle if that is large enough, else to the right, below or to the left of it. */
static void
put_name (Labels *labels, unsigned i, const char *name)
{
  const SlDrawing *d = labels->d;
  const SlNode *node = &labels->node[i];
  double size = 0.9 * d->theme->type, ascent, descent, gap = 2.0;
  double w = sl_text_width (d->canvas->text, name, size, false), h;
  SlRgba cell = sl_tint_colour (d->theme, &d->figure->tint, node->value);
  SlRgba black = { 0, 0, 0, 1 }, white = { 1, 1, 1, 1 };

  if (isnan (node->x) || w == 0.0)
    return;
  sl_text_metrics (d->canvas->text, size, &ascent, &descent);
  h = 0.85 * (ascent + descent);
  if (hypot (w, 0.6 * h) <= 2.0 * node->radius)
    {
      sl_draw_words (d, node->x, node->y + 0.36 * size, name, size, false, SL_ANCHOR_MIDDLE,
                     sl_contrast (cell, black) > sl_contrast (cell, white) ? black : white);
      return;
    }
  for (unsigned side = 0; side < 3; side++)
    {
      double away = node->radius + gap;
      SlRect place = { side == 0   ? node->x + away
                       : side == 2 ? node->x - away - w
                                   : node->x - w / 2.0,
                       side == 1 ? node->y + away : node->y - h / 2.0,
                       w, h };

      if (!is_free (labels, &place, i))
        continue;
      g_array_append_val (labels->taken, place);
      sl_draw_words (d, place.x, place.y + 0.5 * h + 0.36 * size, name, size, false,
                     SL_ANCHOR_START, d->theme->ink);
      return;
    }
}

void
sl_draw_graph (const SlDrawing *d)
{
  unsigned n = sl_graph_nodes (d->figure);
  g_autofree SlNode *node = g_new (SlNode, MAX (n, 1));
  Labels labels = { d, node, n, g_array_new (FALSE, FALSE, sizeof (SlRect)) };
  char name[SL_FRAME_TEXT];

  for (unsigned i = 0; i < n; i++)
    node[i] = sl_graph_node (d->frame, d->figure, i);
  sl_draw_group (d, "edges", &d->frame->plot, 1.0);
  draw_edges (d, node, n);
  sl_draw_end (d);
  sl_draw_group (d, "nodes", &d->frame->plot, 1.0);
  draw_nodes (d, node, n);
  sl_draw_end (d);
  sl_draw_group (d, "names", &d->frame->plot, 1.0);
  for (unsigned i = 0; i < n && sl_figure_column_name (d->figure, i, name, sizeof name); i++)
    put_name (&labels, i, name);
  sl_draw_end (d);
  g_array_unref (labels.taken);
}
