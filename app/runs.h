/* SPDX-License-Identifier: MIT
 *
 * The program's own store of runs: opening it, and keeping it within bounds.  */
#pragma once

#include "core/run/store/store.h"
#include "ui/kit/prefs.h"

/* Opens it, with room made for new runs as the preferences say and painted data gone that no run
 * has.  A damaged one is put aside and another one begun, which *error then says.  NULL with a
 * sentence.  */
SlStore *sl_runs_open (SlPrefs *prefs, GError **error);

/* Removes for good what was deleted and what is beyond the preferences, in the background; NULL is fine. */
void sl_runs_tidy (SlStore *store, SlPrefs *prefs);
