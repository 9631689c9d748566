/* SPDX-License-Identifier: MIT
 *
 * A GRAPH on its frame: where the circles are, which one is at a point and which is next.  */
#pragma once

#include "ui/plot/frame.h"

typedef struct
{
  double x, y, radius; /* px; not-a-number where the snapshot has none */
  double value;        /* for the colour */
} SlNode;

/* Nodes are the first rows of the matrix, up to the first edge. */
unsigned sl_graph_nodes (const SlFigure *figure);

SlNode sl_graph_node (const SlFrame *frame, const SlFigure *figure, unsigned i);

/* The smallest circle at a point or the one next to it, from 1; 0 when none is near. */
unsigned sl_graph_at (const SlFrame *frame, const SlFigure *figure, double x, double y);

/* The nearest node in a direction (−1, 0, 1 each) from node i; i itself when there is none. */
unsigned sl_graph_next (const SlFrame *frame, const SlFigure *figure, unsigned i, int dx, int dy);
