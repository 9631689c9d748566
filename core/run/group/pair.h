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

#define SL_TYPE_PAIR (sl_pair_get_type ())
G_DECLARE_FINAL_TYPE (SlPair, sl_pair, SL, PAIR, GObject)

enum { SL_PAIR_RUNS = 2 };

/* Begins both at update 0 as `like` is set now, on its data and seed and into its store, with one
 * thread each, and lets them go if `run`.  `like` has a lab and stays as it is.  */
SlPair *sl_pair_new (SlSession *like, gboolean run);

/* One whose sessions have nothing to do yet: two runs of a pair are begun or resumed in them.  The first of
 * them that is there says what data and seed both have.  */
SlPair *sl_pair_new_empty (SlStore *store);

/* 0: A, 1: B; borrowed.  It may be told anything: another seed or other data reach both. */
SlSession *sl_pair_session (SlPair *pair, unsigned which);

void sl_pair_run (SlPair *pair);
void sl_pair_pause (SlPair *pair);
void sl_pair_step (SlPair *pair);   /* one update each, then pause */
void sl_pair_rewind (SlPair *pair); /* both from update 0, each with its settings of now */
void sl_pair_stop (SlPair *pair);   /* as sl_session_stop() */
void sl_pair_ask_to_stop (SlPair *pair);

G_END_DECLS
