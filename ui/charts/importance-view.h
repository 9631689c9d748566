/* SPDX-License-Identifier: MIT
 *
 * Which of the settings that were varied between runs matter for error, executed cost and time: bars of the
 * share that each causes alone, with its spread over the trees of the forest (core/run/importance).  */
#pragma once

#include <gtk/gtk.h>

#include "core/lab/lab.h"
#include "plot/figure/figure.h"

#define SL_TYPE_RUN_IMPORTANCE (sl_run_importance_get_type ())
G_DECLARE_FINAL_TYPE (SlRunImportance, sl_run_importance, SL, RUN_IMPORTANCE, GtkWidget)

/* Shows `runs` (of SlStoreRun) of a lab, which are read before this returns; the bars follow when a thread has made the
 * forests.  */
void sl_run_importance_show (SlRunImportance *self, const GPtrArray *runs, const SlLab *lab);

SlFigure *sl_run_importance_figure (SlRunImportance *self);
