/* SPDX-License-Identifier: MIT */
#include "core/run/base/background.h"

/* How often a task was passed from thread to thread.  GTask orders what it hands over by locks that the
 * thread sanitizer cannot see; this says the same in words that it understands.  A counter within each
 * task would itself be seen as a race between the thread that makes it and the one that first counts.  */
static gint passed;

typedef struct
{
  SlBackgroundWork work;
  SlBackgroundDone done;
  gpointer         owner, data;
  GDestroyNotify   free_data;
} Task;

static void
free_task (gpointer data)
{
  Task *task = data;

  g_atomic_int_inc (&passed);
  if (task->free_data != NULL)
    task->free_data (task->data);
  g_free (task);
}

static void
run_task (GTask *handle, gpointer source, gpointer data, GCancellable *cancellable)
{
  Task    *task = data;
  GError  *error = NULL;
  gboolean good;

  g_atomic_int_inc (&passed);
  good = task->work (task->data, &error);
  g_atomic_int_inc (&passed);
  if (good)
    g_task_return_boolean (handle, TRUE);
  else
    g_task_return_error (handle, error);
}

static void
end_task (GObject *source, GAsyncResult *result, gpointer data)
{
  Task         *task = data;
  GCancellable *cancellable = g_task_get_cancellable (G_TASK (result));
  g_autoptr (GError) error = NULL;

  g_atomic_int_inc (&passed);
  g_task_propagate_boolean (G_TASK (result), &error);
  if (cancellable == NULL || !g_cancellable_is_cancelled (cancellable))
    task->done (task->owner, task->data, error);
  g_atomic_int_inc (&passed); /* the work's thread may hold the last reference, and free */
}

void
sl_background_run (SlBackgroundWork work, SlBackgroundDone done, gpointer owner,
                   GCancellable *cancellable, gpointer data, GDestroyNotify free_data)
{
  g_autoptr (GTask) handle = NULL;
  Task *task = g_new (Task, 1);

  *task
    = (Task) { .work = work, .done = done, .owner = owner, .data = data, .free_data = free_data };
  handle = g_task_new (NULL, cancellable, end_task, task);
  g_task_set_task_data (handle, task, free_task);
  g_atomic_int_inc (&passed);
  g_task_run_in_thread (handle, run_task);
}
