/* SPDX-License-Identifier: MIT */
#include "ui/plot/graph.h"

#include <glib.h>
#include <math.h>

unsigned
sl_graph_nodes (const SlFigure *figure)
{
  unsigned n = 0;

  while (figure->matrix != NULL && figure->columns >= SL_GRAPH_COLUMNS && n < figure->rows
         && figure->matrix[(size_t) n * figure->columns] < 0.0)
    n++;
  return n;
}

/* px of a circle of size 1. */
static double
largest (const SlFrame *frame)
{
  return CLAMP (0.06 * MIN (frame->plot.w, frame->plot.h), 0.5 * frame->type, 1.7 * frame->type);
}

SlNode
sl_graph_node (const SlFrame *frame, const SlFigure *figure, unsigned i)
{
  const double *row = figure->matrix + (size_t) i * figure->columns;
  double radius = largest (frame), margin = radius + 2.0;
  /* Names may stand under the lowest circles. */
  double below = margin + (figure->names != NULL && figure->names[0] != '\0' ? frame->type : 0.0);
  SlNode node = {
    .x = frame->plot.x + margin + row[1] * MAX (frame->plot.w - 2.0 * margin, 0.0),
    .y = frame->plot.y + margin + row[2] * MAX (frame->plot.h - margin - below, 0.0),
    .radius = MAX (radius * CLAMP (row[3], 0.0, 1.0), 0.11 * frame->type),
    .value = row[4],
  };

  if (!isfinite (node.x) || !isfinite (node.y) || !isfinite (node.radius))
    node.x = node.y = node.radius = NAN;
  return node;
}

unsigned
sl_graph_at (const SlFrame *frame, const SlFigure *figure, double x, double y)
{
  unsigned n = frame->empty ? 0 : sl_graph_nodes (figure), found = 0;
  double least = HUGE_VAL, reach = 0.7 * frame->type;

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
  return found;
}

unsigned
sl_graph_next (const SlFrame *frame, const SlFigure *figure, unsigned i, int dx, int dy)
{
  unsigned n = sl_graph_nodes (figure), found = i;
  double least = HUGE_VAL;
  SlNode from;

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
