/* SPDX-License-Identifier: MIT
 *
 * Recordings over training that a trainer is still writing: the run of a session goes on with what comes.  Main thread;
 * other threads look at the files.  */
#pragma once

#include "core/run/session/session.h"

G_BEGIN_DECLS

typedef struct SlGrowth SlGrowth;

/* Looks at the files of whatever recording the session replays every two seconds, or less often where reading them takes
 * long, and renews its data when they have grown.  The session is borrowed and outlives it.  */
SlGrowth *sl_growth_new (SlSession *session);
void      sl_growth_free (SlGrowth *growth);

G_END_DECLS
