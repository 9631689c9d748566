/* SPDX-License-Identifier: MIT
 *
 * See task.h.  GTask orders what it hands over by locks that the thread sanitizer cannot see; `passed`
 * says the same in words that it understands.  */
#include "core/run/base/task.h"

typedef struct
{
  gint           passed; /* from thread to thread, so many times */
  SlTaskWork     work;
  gpointer       data;
  GDestroyNotify free_data;
} Parcel;

static void
free_parcel (gpointer data)
{
  Parcel *parcel = data;

  g_atomic_int_inc (&parcel->passed);
  if (parcel->free_data != NULL)
    parcel->free_data (parcel->data);
  g_free (parcel);
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Parcel  *parcel = data;
  GError  *error = NULL;
  gboolean good;

  g_atomic_int_inc (&parcel->passed);
  good = parcel->work (parcel->data, cancellable, &error);
  g_atomic_int_inc (&parcel->passed);
  if (good)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
sl_task_start (gpointer source, GCancellable *cancellable, SlTaskWork work, gpointer data,
               GDestroyNotify free_data, GAsyncReadyCallback done, gpointer user)
{
  GTask  *task = g_task_new (source, cancellable, done, user);
  Parcel *parcel = g_new0 (Parcel, 1);

  *parcel = (Parcel) { .work = work, .data = data, .free_data = free_data };
  g_task_set_task_data (task, parcel, free_parcel);
  g_atomic_int_inc (&parcel->passed);
  g_task_run_in_thread (task, run);
  g_object_unref (task);
}

gboolean
sl_task_finish (GAsyncResult *result, gpointer *data, GError **error)
{
  Parcel *parcel = g_task_get_task_data (G_TASK (result));

  g_atomic_int_inc (&parcel->passed);
  *data = parcel->data;
  return g_task_propagate_boolean (G_TASK (result), error);
}
