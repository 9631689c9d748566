/* SPDX-License-Identifier: MIT
 *
 * Background tasks: work in a thread of its own, and its end where it was begun.  */
#pragma once

#include <gio/gio.h>

/* In a thread, on data that no other thread uses meanwhile.  FALSE with an error. */
typedef gboolean (*SlBackgroundWork) (gpointer data, GError **error);

/* In the main context of the caller; `error` is NULL where the work succeeded. */
typedef void (*SlBackgroundDone) (gpointer owner, gpointer data, const GError *error);

/* Begins `work` on `data`; then comes `done`, and `data` is freed with `free_data`.  `owner` is only
 * handed to `done`: an owner that may end before the work does cancels `cancellable` (NULL: none),
 * and `done` is then left out.  The work itself is not interrupted.  */
void sl_background_run (SlBackgroundWork work, SlBackgroundDone done, gpointer owner,
                        GCancellable *cancellable, gpointer data, GDestroyNotify free_data);
