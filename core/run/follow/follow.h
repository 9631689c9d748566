/* SPDX-License-Identifier: MIT
 *
 * A file of runs that other programs write at the same time: what they store is copied into a store
 * of this program as it is written, until no program has trained a run of the file for a minute.
 * Main thread; other threads do the work.  */
#pragma once

#include "core/run/store/store.h"

G_BEGIN_DECLS

typedef struct SlFollow SlFollow;

/* Nothing is trained in the file any more, or, with a sentence, it cannot be merged.  It may be freed here. */
typedef void (*SlFollowEnded) (gpointer owner, SlFollow *follow, const GError *error);

/* Merges the file into the store (a reference is taken) once a second, or less often where that takes long.  Free
 * with sl_follow_free(), at any time.  */
SlFollow *sl_follow_new (SlStore *store, const char *path, SlFollowEnded ended, gpointer owner);
void      sl_follow_free (SlFollow *follow);

const char *sl_follow_path (const SlFollow *follow);

G_END_DECLS
