/* SPDX-License-Identifier: MIT
 *
 * A background task: something that takes a while, in a thread of its own.  */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Reads what it needs from `data` and writes into it what came out; nobody else touches `data` before
 * it has returned.  FALSE with a sentence.  */
typedef gboolean (*SlTaskWork) (gpointer data, GCancellable *cancellable, GError **error);

/* Calls `work` in another thread, and then `done` in this one's main context with `source` (a
 * GObject, kept until then; or NULL) and `user`.  `data` is freed with `free_data` afterwards.  */
void sl_task_start (gpointer source, GCancellable *cancellable, SlTaskWork work, gpointer data,
                    GDestroyNotify free_data, GAsyncReadyCallback done, gpointer user);

/* In `done`: the task's data, which stay its own, whatever came of the work; FALSE with the error. */
gboolean sl_task_finish (GAsyncResult *result, gpointer *data, GError **error);

G_END_DECLS
