/* SPDX-License-Identifier: MIT
 *
 * The sweep of another program in the place of stored runs: an item of the list of sweeps, and a trade-off.  */
#include "plot/charts/trials.h"

#include <glib/gi18n.h>

#include "core/run/base/background.h"
#include "ui/runs/private.h"

/* What a thread reads. */
typedef struct
{
  char     *path;
  SlTrials *trials; /* NULL: not read */
} Task;

void
sl_runs_page_drop_trials (SlTrials *trials)
{
  sl_trials_clear (trials);
  g_free (trials);
}

static void
free_task (gpointer data)
{
  Task *task = data;

  g_clear_pointer (&task->trials, sl_runs_page_drop_trials);
  g_free (task->path);
  g_free (task);
}

static gboolean
read_trials (gpointer data, GError **error)
{
  Task     *task = data;
  SlTrials *trials = g_new0 (SlTrials, 1);

  if (!sl_trials_open (trials, task->path, NULL, NULL, error))
    {
      g_free (trials);
      return FALSE;
    }
  task->trials = trials;
  return TRUE;
}

guint
sl_runs_page_trials_place (SlRunsPage *self)
{
  return sl_runs_page_first_sweep (self) + self->sweeps->len;
}

gboolean
sl_runs_page_shows_trials (SlRunsPage *self)
{
  return self->trials != NULL
         && gtk_drop_down_get_selected (self->scope) == sl_runs_page_trials_place (self);
}

void
sl_runs_page_draw_trials (SlRunsPage *self)
{
  sl_trials_figure (self->trials, sl_front_view_get_front (self->front),
                    sl_chart_get_figure (SL_CHART (self->front)));
  sl_front_view_update (self->front);
}

/* The figure borrows from those that were there before until it is drawn anew. */
static void
on_read (gpointer owner, gpointer data, const GError *error)
{
  SlRunsPage      *self = owner;
  Task            *task = data;
  SlTrials        *before = self->trials;
  g_autofree char *said = NULL, *sentence = NULL;

  if (error != NULL)
    {
      sl_runs_page_notify (self, error->message);
      return;
    }
  self->trials = g_steal_pointer (&task->trials);
  sl_runs_page_fill_scopes (self);
  gtk_drop_down_set_selected (self->scope, sl_runs_page_trials_place (self));
  gtk_stack_set_visible_child_name (self->views, "front");
  sl_runs_page_update (self);
  g_clear_pointer (&before, sl_runs_page_drop_trials);
  said = sl_trials_said (self->trials);
  sentence = g_strdup_printf ("%s: %s", self->trials->title, said);
  sl_runs_page_notify (self, sentence);
}

void
sl_runs_page_open_trials (SlRunsPage *self, const char *path)
{
  Task *task;

  g_return_if_fail (SL_IS_RUNS_PAGE (self) && path != NULL);
  task = g_new0 (Task, 1);
  task->path = g_strdup (path);
  sl_background_run (read_trials, on_read, self, self->closing, task, free_task);
}
