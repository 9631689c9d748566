/* SPDX-License-Identifier: MIT
 *
 * The error of runs against each parameter that was varied, a small chart for each.
 *
 * Signal "pick" (guint i): run number i of the set was picked.  */
#pragma once

#include <gtk/gtk.h>

#include "plot/charts/trade.h"
#include "ui/runs/set.h"

/* Charts that fit a page. */
enum { SL_MULTIPLES_MAX = 6 };

#define SL_TYPE_RUN_MULTIPLES (sl_run_multiples_get_type ())
G_DECLARE_FINAL_TYPE (SlRunMultiples, sl_run_multiples, SL, RUN_MULTIPLES, GtkWidget)

/* Shows the runs of a set, which is read before this returns; NULL: none. */
void sl_run_multiples_show (SlRunMultiples *self, const SlRunSet *set);

/* The figures that are shown; returns how many. */
unsigned sl_run_multiples_figures (SlRunMultiples *self, SlFigure *figures[SL_MULTIPLES_MAX]);
