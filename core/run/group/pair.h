/* SPDX-License-Identifier: MIT
 *
 * Two runs, A and B, of one lab on the same data and seed, at the same update: what is changed in
 * one of them is all that there is between them.  One that is begun again, because its network is
 * another one now, catches up while the other one waits.  For the main thread.
 *
 * Signal "changed": one of the sessions changed.  */
#pragma once

#include <glib-object.h>

#include "core/run/session/session.h"

G_BEGIN_DECLS

#define SL_TYPE_TWIN (sl_twin_get_type ())
G_DECLARE_FINAL_TYPE (SlTwin, sl_twin, SL, TWIN, GObject)

enum { SL_TWINS = 2 };

/* Begins both at update 0 as `like` is set now, on its data and seed and into its store, with one
 * thread each, and lets them go if `run`.  `like` has a lab and stays as it is.  */
SlTwin *sl_twin_new (SlSession *like, gboolean run);

/* 0: A, 1: B; borrowed.  It may be told anything: another seed or other data reach both. */
SlSession *sl_twin_session (SlTwin *twin, unsigned which);

void sl_twin_run (SlTwin *twin);
void sl_twin_pause (SlTwin *twin);
void sl_twin_step (SlTwin *twin);   /* one update each, then pause */
void sl_twin_rewind (SlTwin *twin); /* both from update 0, each with its settings of now */
void sl_twin_stop (SlTwin *twin);   /* as sl_session_stop() */

G_END_DECLS
