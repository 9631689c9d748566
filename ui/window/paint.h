/* SPDX-License-Identifier: MIT
 *
 * Painted examples become the data: each stroke ends in a new run on what is then there, with the
 * same lab, settings and seed.  */
#pragma once

#include "ui/window/window.h"

void sl_window_add_paint (SlWindow *self);
void sl_window_drop_paint (SlWindow *self);

/* An example is painted (label -1: examples around are erased); the stroke ends. */
void sl_window_paint_dab (SlWindow *self, double x, double y, int label, double radius_x,
                          double radius_y);
void sl_window_paint_stroke (SlWindow *self);

/* Another run is there, or on its way. */
void sl_window_paint_restarted (SlWindow *self);

/* Takes a stroke back, or makes it again; FALSE when there is none. */
gboolean sl_window_can_repaint (SlWindow *self, gboolean again);
gboolean sl_window_repaint (SlWindow *self, gboolean again);
