/* SPDX-License-Identifier: MIT
 *
 * Circles joined by lines: size and width say how much passes, colour says a value.  */
#include <glib.h>
#include <math.h>

#include "plot/draw/drawing.h"
#include "plot/figure/panel.h"
#include "plot/kinds/kinds.h"
#include "plot/layout/graph.h"

static bool
empty (const SlFigure *figure)
{
  return sl_figure_nodes (figure) == 0;
}

/* Names that found a place. */
typedef struct
{
  const SlDrawing *d;
  const SlNode    *node;
  unsigned         n;
  bool             directed;
  GArray          *taken; /* of SlRect */
} Labels;

typedef enum {
  RIGHT,
  BELOW,
  LEFT,
  ABOVE,
} Side;

static bool
apart (const SlRect *a, const SlRect *b)
{
  return a->x >= b->x + b->w || b->x >= a->x + a->w || a->y >= b->y + b->h || b->y >= a->y + a->h;
}

/* A line with a head, both of one colour so that they are one. */
static void
draw_arrow (const SlDrawing *d, const SlEdge *edge, SlRgba colour, double width)
{
  double length = hypot (edge->x1 - edge->x0, edge->y1 - edge->y0);
  double half = MAX (0.95 * width, 0.32 * d->theme->type), head = MIN (1.9 * half, length);
  double dx = (edge->x1 - edge->x0) / length, dy = (edge->y1 - edge->y0) / length;
  double x = edge->x1 - head * dx, y = edge->y1 - head * dy, w = width / 2.0;
  double dash[] = { 0.5 * d->theme->type, 0.4 * d->theme->type, 0.0 };

  if (!(length > 0.0))
    return;
  /* Corners, because the round ends of a stroke would stick out of a thin head. */
  if (edge->dashed)
    sl_draw_segment (d, edge->x0, edge->y0, x, y, colour, width, dash);
  else
    d->canvas->area (d->canvas,
                     (SlXY[]) { { edge->x0 - w * dy, edge->y0 + w * dx },
                                { edge->x0 + w * dy, edge->y0 - w * dx },
                                { x + 0.5 * dx + w * dy, y + 0.5 * dy - w * dx },
                                { x + 0.5 * dx - w * dy, y + 0.5 * dy + w * dx } },
                     4, colour);
  d->canvas->area (d->canvas,
                   (SlXY[]) { { edge->x1, edge->y1 },
                              { x - half * dy, y + half * dx },
                              { x + half * dy, y - half * dx } },
                   3, colour);
}

static void
draw_edges (const SlDrawing *d)
{
  const SlFigure *figure = d->figure;
  SlEdge          edge;

  for (unsigned row = sl_figure_nodes (figure); row < figure->matrix.rows; row++)
    {
      SlRgba colour;
      double width;

      if (!sl_graph_edge (d->frame, figure, row, &edge))
        continue;
      /* What nothing passes is still there. */
      colour = edge.share > 0.0 ? sl_mix (
                 sl_tint_colour (d->theme, &figure->colours.tint, edge.value), d->theme->soft, 0.3)
                                : d->theme->axis;
      width = MAX (edge.width, (edge.arrow ? 1.0 : 0.6) * sl_draw_hair (d));
      if (edge.arrow)
        draw_arrow (d, &edge, colour, width);
      else
        sl_draw_segment (d, edge.x0, edge.y0, edge.x1, edge.y1, colour, width, NULL);
    }
}

static void
draw_nodes (const SlDrawing *d, const SlNode *node, unsigned n)
{
  double rim = sl_draw_hair (d);

  for (unsigned i = 0; i < n; i++)
    {
      double size = sl_matrix_row (&d->figure->matrix, i)[3];

      if (isnan (node[i].x))
        continue;
      if (size > 0.0)
        d->canvas->disc (d->canvas, node[i].x, node[i].y, node[i].radius,
                         sl_tint_colour (d->theme, &d->figure->colours.tint, node[i].value), 0.0);
      else
        d->canvas->disc (d->canvas, node[i].x, node[i].y, node[i].radius, d->theme->plot, 0.0);
      d->canvas->disc (d->canvas, node[i].x, node[i].y, node[i].radius, d->theme->axis, rim);
      if (d->figure->picks.picked == i + 1)
        d->canvas->disc (d->canvas, node[i].x, node[i].y, node[i].radius + 2.5 * rim, d->theme->ink,
                         2.0 * rim);
    }
}

/* True when a label fits there: on the page, on no other label and no circle but `own`. */
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
      SlRect        around = { node->x - node->radius, node->y - node->radius, 2.0 * node->radius,
                               2.0 * node->radius };

      if (i != own && !isnan (node->x) && !apart (place, &around))
        return false;
    }
  return true;
}

/* The place of a name of this size next to a circle. */
static SlRect
beside (const SlNode *node, Side side, double w, double h)
{
  double away = node->radius + 2.0;

  return (SlRect) { side == RIGHT  ? node->x + away
                    : side == LEFT ? node->x - away - w
                                   : node->x - w / 2.0,
                    side == BELOW   ? node->y + away
                    : side == ABOVE ? node->y - away - h
                                    : node->y - h / 2.0,
                    w, h };
}

/* Takes what is behind a name back a little: arrows run everywhere. */
static void
draw_ground (const SlDrawing *d, const SlRect *place)
{
  SlRgba ground = d->theme->plot;
  double right = place->x + place->w, bottom = place->y + place->h;

  ground.a *= 0.8;
  d->canvas->area (
    d->canvas,
    (SlXY[]) {
      { place->x, place->y }, { right, place->y }, { right, bottom }, { place->x, bottom } },
    4, ground);
}

/* In its circle if that is large enough, else beside it; where arrows run, on the side that looks away
 * from the middle.  */
static void
put_name (Labels *labels, unsigned i, const char *name)
{
  static const Side trees[] = { RIGHT, BELOW, LEFT };
  static const Side low[] = { BELOW, ABOVE, RIGHT, LEFT }, high[] = { ABOVE, BELOW, RIGHT, LEFT };
  const Side       *sides
    = !labels->directed                                                                ? trees
      : labels->node[i].y < labels->d->frame->plot.y + 0.45 * labels->d->frame->plot.h ? high
                                                                                       : low;
  unsigned         n_sides = labels->directed ? G_N_ELEMENTS (low) : G_N_ELEMENTS (trees);
  const SlDrawing *d = labels->d;
  const SlNode    *node = &labels->node[i];
  double           size = 0.9 * d->theme->type, ascent, descent;
  double           gap = 0.35 * size; /* a name is not to read on in the next one */
  double           w = sl_text_width (d->canvas->text, name, size, false), h;
  SlRgba           cell = sl_tint_colour (d->theme, &d->figure->colours.tint, node->value);

  if (isnan (node->x) || w == 0.0)
    return;
  sl_text_metrics (d->canvas->text, size, &ascent, &descent);
  h = 0.85 * (ascent + descent);
  if (hypot (w, 0.6 * h) <= 2.0 * node->radius)
    {
      sl_draw_words (d, node->x, node->y + 0.36 * size, name, size, false, SL_ANCHOR_MIDDLE,
                     sl_ink_on (cell));
      return;
    }
  for (unsigned k = 0; k < n_sides; k++)
    {
      SlRect place = beside (node, sides[k], w, h), taken;

      if (!is_free (labels, &place, i))
        continue;
      taken = (SlRect) { place.x - gap, place.y, place.w + 2.0 * gap, place.h };
      g_array_append_val (labels->taken, taken);
      if (labels->directed)
        draw_ground (d, &place);
      sl_draw_words (d, place.x, place.y + 0.5 * h + 0.36 * size, name, size, false,
                     SL_ANCHOR_START, d->theme->ink);
      return;
    }
}

static void
draw_over (const SlDrawing *d)
{
  unsigned           n = sl_figure_nodes (d->figure);
  g_autofree SlNode *node = g_new (SlNode, MAX (n, 1));
  Labels             labels
    = { d, node, n, sl_graph_directed (d->figure), g_array_new (FALSE, FALSE, sizeof (SlRect)) };
  char name[SL_FRAME_TEXT];

  for (unsigned i = 0; i < n; i++)
    node[i] = sl_graph_node (d->frame, d->figure, i);
  sl_draw_group (d, "edges", &d->frame->plot, 1.0);
  draw_edges (d);
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

/* clang-format off */
const SlFigureKind sl_kind_graph = {
  .words = "a graph",
  .tinted = true, .log_tint = true, .stride = SL_GRAPH_COLUMNS,
  .count = sl_figure_nodes, .empty = empty, .take = sl_panel_take_matrix,
 
  .draw_over = draw_over,
};
/* clang-format on */
