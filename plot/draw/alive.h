/* SPDX-License-Identifier: MIT
 *
 * What the picture of a deciding network is drawn of: the states of units, told apart by shape alone, and the
 * larger parts (alive-parts.c).  */
#pragma once

#include "plot/draw/drawing.h"

/* The opacity of what the signal of a slow motion has not reached. */
static const double SL_ALIVE_PALE = 0.25;

/* One unit in a square of `pitch` px with its middle at x, y; value and loss 0 … 1. */
typedef struct
{
  SlAliveState state;
  double       x, y, pitch, value, lost;
  SlRgba       colour;
} SlAliveMark;

void sl_draw_alive_mark (const SlDrawing *d, const SlAliveMark *mark);

/* The same for a part that is a box. */
void sl_draw_alive_box (const SlDrawing *d, SlAliveState state, const SlRect *box, SlRgba colour);

/* The colour of what is skipped: at least 1.6:1 on the ground, and quiet. */
SlRgba sl_draw_alive_faint (const SlTheme *theme);

/* The colours of a group and of a numbered part, and the edge of a rectangle. */
SlRgba sl_draw_alive_part_colour (const SlDrawing *d, const double *cell);
SlRgba sl_draw_alive_colour (const SlDrawing *d, const SlAliveGroup *group);
void   sl_draw_alive_outline (const SlDrawing *d, const SlRect *rect, SlRgba colour, double width);

/* Rows of cells, a bar for each row of one, and the letters or words that are read (alive-line.c). */
void sl_draw_alive_field (const SlDrawing *d, const SlAliveGroup *group, const SlAlivePlace *place);
void sl_draw_alive_bars (const SlDrawing *d, const SlAlive *alive, unsigned group);
void sl_draw_alive_line (const SlDrawing *d, const SlAlive *alive);

/* Rows of numbered parts, and the way through the strongest of each (alive-way.c). */
void sl_draw_alive_way (const SlDrawing *d, const SlAlive *alive, unsigned group);

/* The parts, each from the frame's places; groups are without their names. */
void sl_draw_alive_input (const SlDrawing *d, const SlAlive *alive);
void sl_draw_alive_group (const SlDrawing *d, const SlAlive *alive, unsigned group);
void sl_draw_alive_edges (const SlDrawing *d, const SlAlive *alive);
void sl_draw_alive_output (const SlDrawing *d, const SlAlive *alive);

/* Forms of groups (alive-net.c). */
void sl_draw_alive_bits (const SlDrawing *d, const SlAliveGroup *group, const SlAlivePlace *place);
void sl_draw_alive_tree (const SlDrawing *d, const SlAliveGroup *group, const SlAlivePlace *place);
void sl_draw_alive_options (const SlDrawing *d, const SlAliveGroup *group,
                            const SlAlivePlace *place);
void sl_draw_alive_graph (const SlDrawing *d, const SlAliveGroup *group, const SlAlivePlace *place);
void sl_draw_alive_meter (const SlDrawing *d, const SlAliveGroup *group, const SlAlivePlace *place);

/* Light and where it arrives, and pictures that glow (alive-light.c). */
void sl_draw_alive_light (const SlDrawing *d, const SlAliveGroup *group, const SlAlivePlace *place);
void sl_draw_alive_profile (const SlDrawing *d, const SlAliveGroup *group,
                            const SlAlivePlace *place);
void sl_draw_alive_picture (const SlDrawing *d, const SlAliveGroup *group,
                            const SlAlivePlace *place);
void sl_draw_alive_lamp (const SlDrawing *d, const SlAlive *alive);
