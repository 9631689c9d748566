/* SPDX-License-Identifier: MIT
 *
 * Stored runs that have no time of a forward pass: they are brought back, from their state or by making them again,
 * and timed as they were.  Nothing of their training is stored anew.  Any thread, one run at a time: two that are
 * timed at once take the machine from each other.  */
#pragma once

#include "core/run/headless/headless.h"

G_BEGIN_DECLS

/* Whether a run can be timed and has no time yet. */
gboolean sl_retime_is_due (const SlStoreRun *run);

/* Times one run and stores the time with its spread and batch.  A run without a state is trained again, to the last
 * bit on the same kernel, with `ask` (or NULL) before every update.  *outcome gets the time; where the machine is too
 * busy it is marked so, and nothing is stored.  FALSE with a sentence, SL_ECANCELLED where `ask` stopped it; *outcome
 * then has no figures.  */
gboolean sl_retime (SlStore *store, const char *uuid, SlHeadlessAsk ask, void *data,
                    SlOutcome *outcome, GError **error);

G_END_DECLS
