/* SPDX-License-Identifier: MIT
 *
 * Timing in a process of its own, so that neither threads nor a run of this one are in its way: this
 * program again, at nice 10, which leaves the model where sl_cost_model_load() finds it.  */
#pragma once

#include <gio/gio.h>

/* The word that makes this program such a child. */
#define SL_COST_CHILD "--measure-costs"

/* The child: returns its exit code, 0 when the model was kept. */
int sl_cost_child (void);

/* Begins one; NULL with `error`. */
GSubprocess *sl_cost_start_child (GError **error);
