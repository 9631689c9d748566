/* SPDX-License-Identifier: MIT */
#include "plot/layout/graph.h"

#include <glib.h>
#include <math.h>

/* px between the two nodes that are closest to each other. */
static double
closest (const SlFrame *frame, const SlFigure *figure)
{
  unsigned n = sl_figure_nodes (figure);
  double   least = HUGE_VAL;

  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < i; j++)
      {
        const double *a = sl_matrix_row (&figure->matrix, i);
        const double *b = sl_matrix_row (&figure->matrix, j);

        least = fmin (least, hypot ((a[1] - b[1]) * frame->plot.w, (a[2] - b[2]) * frame->plot.h));
      }
  return least;
}

/* px of a circle of size 1; a few have more room than the nodes of a tree.  An arrow needs room
 * between two of them.  */
static double
largest (const SlFrame *frame, const SlFigure *figure)
{
  enum { FEW = 20 };
  bool   few = sl_figure_nodes (figure) <= FEW;
  double radius = (few ? 0.085 : 0.06) * MIN (frame->plot.w, frame->plot.h);

  if (sl_graph_directed (figure))
    radius = fmin (radius, 0.33 * closest (frame, figure));
  return CLAMP (radius, 0.5 * frame->type, (few ? 2.4 : 1.7) * frame->type);
}

SlNode
sl_graph_node (const SlFrame *frame, const SlFigure *figure, unsigned i)
{
  const double *row = sl_matrix_row (&figure->matrix, i);
  double        radius = largest (frame, figure), margin = radius + 2.0;
  /* Names may be under the lowest circles and, where arrows leave no other room, over the
   * highest.  */
  double name = sl_matrix_named (&figure->matrix) ? frame->type : 0.0;
  double below = margin + name, above = margin + (sl_graph_directed (figure) ? name : 0.0);
  SlNode node = {
    .x = frame->plot.x + margin + row[1] * MAX (frame->plot.w - 2.0 * margin, 0.0),
    .y = frame->plot.y + above + row[2] * MAX (frame->plot.h - above - below, 0.0),
    .radius = MAX (radius * CLAMP (row[3], 0.0, 1.0), 0.11 * frame->type),
    .value = row[4],
  };

  if (!isfinite (node.x) || !isfinite (node.y) || !isfinite (node.radius))
    node.x = node.y = node.radius = NAN;
  return node;
}

bool
sl_graph_directed (const SlFigure *figure)
{
  for (unsigned row = sl_figure_nodes (figure); row > 0 && row < figure->matrix.rows; row++)
    if (sl_matrix_row (&figure->matrix, row)[2] > 0.0)
      return true;
  return false;
}

bool
sl_graph_edge (const SlFrame *frame, const SlFigure *figure, unsigned row, SlEdge *edge)
{
  unsigned      n = sl_figure_nodes (figure);
  const double *at = sl_matrix_row (&figure->matrix, row);
  SlNode        from, to;
  double        length;

  if (row < n || row >= figure->matrix.rows
      || !(at[0] >= 0.0 && at[0] < n && at[1] >= 0.0 && at[1] < n))
    return false;
  *edge = (SlEdge) { .from = (unsigned) at[0],
                     .to = (unsigned) at[1],
                     .share = at[3],
                     .value = at[4],
                     .arrow = at[2] > 0.0,
                     .dashed = at[2] > 1.0 };
  /* Arrows need room for their heads. */
  edge->width = (edge->arrow ? 0.6 : 0.9) * frame->type * CLAMP (at[3], 0.0, 1.0);
  from = sl_graph_node (frame, figure, edge->from);
  to = sl_graph_node (frame, figure, edge->to);
  edge->x0 = from.x;
  edge->y0 = from.y;
  edge->x1 = to.x;
  edge->y1 = to.y;
  length = hypot (to.x - from.x, to.y - from.y);
  if (edge->arrow && length > from.radius + to.radius)
    {
      double dx = (to.x - from.x) / length, dy = (to.y - from.y) / length;

      edge->x0 += dx * from.radius;
      edge->y0 += dy * from.radius;
      edge->x1 -= dx * (to.radius + 1.5);
      edge->y1 -= dy * (to.radius + 1.5);
    }
  return isfinite (length) && isfinite (at[3]);
}

static unsigned
edge_at (const SlFrame *frame, const SlFigure *figure, double x, double y)
{
  double   least = HUGE_VAL;
  unsigned found = 0;
  SlEdge   edge;

  for (unsigned row = sl_figure_nodes (figure); row < figure->matrix.rows; row++)
    if (sl_graph_edge (frame, figure, row, &edge))
      {
        double apart
          = sl_segment_distance ((SlXY) { edge.x0, edge.y0 }, (SlXY) { edge.x1, edge.y1 }, x, y)
            - edge.width / 2.0;

        if (apart <= 0.35 * frame->type && apart < least)
          {
            least = apart;
            found = row + 1;
          }
      }
  return found;
}

unsigned
sl_graph_at (const SlFrame *frame, const SlFigure *figure, double x, double y)
{
  unsigned n = frame->empty ? 0 : sl_figure_nodes (figure), found = 0;
  double   least = HUGE_VAL, reach = 0.7 * frame->type;

  for (unsigned i = 0; i < n; i++)
    {
      SlNode node = sl_graph_node (frame, figure, i);
      double apart = hypot (x - node.x, y - node.y);

      /* Inside of several, the smallest; outside, the nearest. */
      double measure = apart <= node.radius ? node.radius - 1e6 : apart - node.radius;

      if (apart - node.radius <= reach && measure < least)
        {
          least = measure;
          found = i + 1;
        }
    }
  return found > 0 || n == 0 ? found : edge_at (frame, figure, x, y);
}

unsigned
sl_graph_next (const SlFrame *frame, const SlFigure *figure, unsigned i, int dx, int dy)
{
  unsigned n = sl_figure_nodes (figure), found = i;
  double   least = HUGE_VAL;
  SlNode   from;

  if (i >= n)
    return 0;
  from = sl_graph_node (frame, figure, i);
  for (unsigned k = 0; k < n; k++)
    {
      SlNode node = sl_graph_node (frame, figure, k);
      double along = (node.x - from.x) * dx + (node.y - from.y) * dy;
      double aside = fabs ((node.x - from.x) * dy) + fabs ((node.y - from.y) * dx);

      /* Sideways counts more, so that arrows follow rows and columns. */
      if (k != i && along > 0.5 && along + 3.0 * aside < least)
        {
          least = along + 3.0 * aside;
          found = k;
        }
    }
  return found;
}
