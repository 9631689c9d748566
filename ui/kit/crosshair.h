/* SPDX-License-Identifier: MIT
 *
 * The step under the pointer, shared by all plots of a window, so that they show their
 * values at the same moment.  */
#pragma once

#include <glib-object.h>

#define SL_TYPE_CROSSHAIR (sl_crosshair_get_type ())
G_DECLARE_FINAL_TYPE (SlCrosshair, sl_crosshair, SL, CROSSHAIR, GObject)

/* Signal "moved": the step is another one. */

/* Not-a-number takes it away. */
void   sl_crosshair_set_step (SlCrosshair *self, double step);
double sl_crosshair_get_step (SlCrosshair *self);
