/* SPDX-License-Identifier: MIT
 *
 * Names of processes: which one a run, or a file that is being written, belongs to.  */
#pragma once

#include <glib.h>

/* Name of this process for `owner`, and whether the process of such a name is gone. */
char    *sl_store_owner (void);
gboolean sl_store_owner_gone (const char *owner);

/* TRUE for a process that is not this one and, as far as can be known, still at work; `touched` is when
 * it last wrote, in seconds since 1970.  */
gboolean sl_store_owner_at_work (const char *owner, double touched);

/* The same short, for names of files of this computer; the second one for what begins with such a
 * name and a dot.  FALSE for anything else.  */
char    *sl_store_maker (void);
gboolean sl_store_maker_gone (const char *name);
