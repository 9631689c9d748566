/* SPDX-License-Identifier: MIT
 *
 * What a class answered to one question, as a plot.  */
#pragma once

#include "plot/charts/class.h"
#include "ui/charts/chart.h"

#define SL_TYPE_CLASS_VIEW (sl_class_view_get_type ())
G_DECLARE_FINAL_TYPE (SlClassView, sl_class_view, SL, CLASS_VIEW, SlChart)

/* `class` is borrowed and must outlive the view; `step` is one of sl_class_steps(). */
SlClassView *sl_class_view_new (const SlClass *class, unsigned step);
