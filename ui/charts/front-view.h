/* SPDX-License-Identifier: MIT
 *
 * A trade-off that can be read and picked from: hovering or the arrow keys read a point, a click or
 * Return picks its run.  */
#pragma once

#include "plot/charts/front.h"
#include "ui/charts/chart.h"

#define SL_TYPE_FRONT_VIEW (sl_front_view_get_type ())
G_DECLARE_FINAL_TYPE (SlFrontView, sl_front_view, SL, FRONT_VIEW, SlChart)

/* Signal "pick" (guint point): a point was picked, by its index. */

/* The points, to be changed in place and shown by sl_front_view_update().  Titles and axes are
 * those of sl_chart_get_figure().  */
SlFront *sl_front_view_get_front (SlFrontView *self);
void     sl_front_view_update (SlFrontView *self);
