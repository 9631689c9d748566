/* SPDX-License-Identifier: MIT
 *
 * Names of processes: which one a run belongs to.  */
#pragma once

#include <glib.h>

/* Name of this process for `owner`, and whether the process of such a name is gone. */
char    *sl_store_owner (void);
gboolean sl_store_owner_gone (const char *owner);

/* The name of one that trains the run in another file, from which it was copied: with a tab behind.  Free with
 * g_free().  */
char *sl_store_owner_away (const char *owner);

/* The computer in such a name; NULL when it is none.  Free with g_free(). */
char *sl_store_owner_host (const char *owner);

/* TRUE for a process that is not this one and, as far as can be known, still at work; `touched` is when
 * it last wrote, in seconds since 1970.  */
gboolean sl_store_owner_at_work (const char *owner, double touched);
