/* SPDX-License-Identifier: MIT
 *
 * A GRAPH on its frame: where circles and lines are, which one is at a point and which circle is
 * next.  Rows of the matrix are nodes up to the first edge; an edge is known by its row, too.  */
#pragma once

#include "plot/layout/frame.h"

typedef struct
{
  double x, y, radius; /* px; not-a-number where the snapshot has none */
  double value;        /* for the colour */
} SlNode;

typedef struct
{
  unsigned from, to; /* nodes */
  double   x0, y0, x1, y1,
    width;             /* px, from rim to rim where it is an arrow, else between the middles */
  double share, value; /* 0 … 1, and for the colour */
  bool   arrow, dashed;
} SlEdge;

SlNode sl_graph_node (const SlFrame *frame, const SlFigure *figure, unsigned i);

/* The edge in a row of the matrix; false where that is none or has no place. */
bool sl_graph_edge (const SlFrame *frame, const SlFigure *figure, unsigned row, SlEdge *edge);

/* Whether edges have a direction to be read. */
bool sl_graph_directed (const SlFigure *figure);

/* The smallest circle at a point or the one next to it, else the line that runs there, by its row from
 * 1; 0 when nothing is near.  */
unsigned sl_graph_at (const SlFrame *frame, const SlFigure *figure, double x, double y);

/* The nearest node in a direction (−1, 0, 1 each) from node i; i itself when there is none. */
unsigned sl_graph_next (const SlFrame *frame, const SlFigure *figure, unsigned i, int dx, int dy);
