/* SPDX-License-Identifier: MIT
 *
 * Runs without a time of a forward pass: how many there are, and a button that times them, one after the other in a
 * thread.
 *
 * Signal "said" (sentence): what came of it.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/store/store.h"

#define SL_TYPE_UNTIMED_BAR (sl_untimed_bar_get_type ())
G_DECLARE_FINAL_TYPE (SlUntimedBar, sl_untimed_bar, SL, UNTIMED_BAR, GtkWidget)

/* Those of these runs (of SlStoreRun) of the store that can be timed, of so many that are compared; out of sight where there
 * are none, unless it is at work.  `store` NULL: none.  */
void sl_untimed_bar_show (SlUntimedBar *self, SlStore *store, const GPtrArray *runs,
                          guint compared);

/* Has it stop after the update that it is at. */
void sl_untimed_bar_stop (SlUntimedBar *self);
