/* SPDX-License-Identifier: MIT
 *
 * A slider for one number of a parameter descriptor: logarithmic where the
 * descriptor says so, never moved by scrolling the page past it.  */
#pragma once

#include <gtk/gtk.h>

#include "core/base/param.h"

#define SL_TYPE_PARAM_SCALE (sl_param_scale_get_type ())
G_DECLARE_FINAL_TYPE (SlParamScale, sl_param_scale, SL, PARAM_SCALE, GtkScale)

/* A slider over [param->lo, param->hi]; `param` is borrowed for its life.  `label` is what an
 * assistive tool reads.
 *
 * Signal "moved" (double value, gboolean final): the user moved it.  A drag gives any number of
 * moves that are not final and one that is, on release; keys, clicks and assistive tools give the
 * final one when there was no move for half a second.  */
SlParamScale *sl_param_scale_new (const SlParam *param, const char *label);

/* Ends the slider at a value below that of the descriptor, beyond which nothing changes any
 * more.  */
void sl_param_scale_set_reach (SlParamScale *self, double hi);

/* Shows a value without a signal; one beyond the reach is shown at the end. */
void sl_param_scale_set_number (SlParamScale *self, double value);

/* Whether it was moved and the final signal is still to come. */
gboolean sl_param_scale_is_moving (SlParamScale *self);
