/* SPDX-License-Identifier: MIT
 *
 * Runs that go on training while another lab is shown.  The store hands them over: a run that is left goes on
 * from there in a session of its own, and the session that left it takes it from there again.  So there are
 * never more than there are labs.  For the main thread.  */
#pragma once

#include "core/run/session/session.h"

typedef struct SlUnseen SlUnseen;

/* What is done with each of a few sessions. */
typedef void (*SlForSession) (SlSession *session, gpointer data);

/* The runs that `own` leaves for those of other labs; it is kept alive. */
SlUnseen *sl_unseen_new (SlSession *own);
void      sl_unseen_free (SlUnseen *unseen);

/* `own` may have another run, or what is wanted changed: begins and ends what is to train unseen.  With
 * `wanted`, `own` has a store; without, all of it ends.  */
void sl_unseen_follow (SlUnseen *unseen, gboolean wanted);

/* Lets go of a run, which is wanted elsewhere.  TRUE: it takes a moment, ask again. */
gboolean sl_unseen_holds (SlUnseen *unseen, const char *uuid);

void sl_unseen_each (SlUnseen *unseen, SlForSession what, gpointer data);
