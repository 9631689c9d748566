/* SPDX-License-Identifier: MIT
 *
 * How many runs a sweep comes to and how long they will take, before it starts.  */
#include <glib/gi18n.h>
#include <math.h>

#include "core/run/sweep/estimate.h"
#include "ui/kit/number.h"
#include "ui/sweep/private.h"

enum { ESTIMATE_MS = 700 };

static void
show_counts (SlSweepBar *self, unsigned runs, unsigned there, double seconds)
{
  g_autofree char *count = g_strdup_printf (ngettext ("%u run", "%u runs", runs), runs);
  g_autofree char *time = isfinite (seconds) ? sl_span_text (seconds) : NULL;
  g_autofree char *text = NULL;

  if (runs == 0)
    text = g_strdup (_ ("All of these runs are there already"));
  else if (time == NULL)
    /* Translators: %s is "24 runs". */
    text = g_strdup_printf (_ ("%s, timing…"), count);
  else if (there > 0)
    /* Translators: the first %s is "18 runs", the second "1 min 40 s". */
    text = g_strdup_printf (_ ("%s, about %s; %u are there already"), count, time, there);
  else
    text = g_strdup_printf (_ ("%s, about %s"), count, time);
  gtk_label_set_label (self->estimate, text);
  sl_sweep_bar_sum_up (self);
  gtk_stack_set_visible_child_name (self->stages, "setting");
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "sweep.start",
                                 runs > 0 && self->store != NULL && self->run == NULL);
}

void
sl_sweep_bar_show_problem (SlSweepBar *self, const char *sentence)
{
  gtk_label_set_label (self->estimate, "");
  gtk_label_set_label (self->problem, sentence);
  gtk_stack_set_visible_child_name (self->stages, "problem");
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "sweep.start", FALSE);
}

/* What an estimate is about. */
typedef struct
{
  SlSweepBar   *bar; /* a reference */
  GCancellable *asking;
  unsigned      runs, there;
} Question;

static void
on_estimated (gpointer data, const SlSweepEstimate *estimate, const GError *error)
{
  Question   *question = data;
  SlSweepBar *self = question->bar;

  self->questions--;
  /* An answer to an earlier question says nothing. */
  if (question->asking == self->asking)
    {
      g_clear_object (&self->asking);
      if (estimate != NULL)
        show_counts (self, question->runs, question->there, estimate->seconds);
      else
        sl_sweep_bar_show_problem (self, error->message);
    }
  g_object_unref (question->asking);
  g_object_unref (question->bar);
  g_free (question);
}

void
sl_sweep_bar_forget_estimate (SlSweepBar *self)
{
  g_clear_handle_id (&self->later, g_source_remove);
  if (self->asking != NULL)
    g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
}

static void
on_due (SlSweepBar *self)
{
  SlSweepPool pool;
  SlSweep     sweep;
  Question   *question;
  unsigned    there;
  g_autoptr (GArray) jobs = NULL;

  self->later = 0;
  if (!sl_sweep_bar_read (self, &sweep, NULL))
    return;
  jobs = sl_sweep_bar_jobs (self, &sweep, &there);
  if (jobs->len > 0)
    {
      self->asking = g_cancellable_new ();
      self->questions++;
      question = g_new (Question, 1);
      *question = (Question) { g_object_ref (self), g_object_ref (self->asking), jobs->len, there };
      pool = sl_sweep_bar_pool (self);
      sl_sweep_estimate_async (&sweep, jobs, &pool, self->asking, on_estimated, question);
    }
  sl_sweep_clear (&sweep);
}

void
sl_sweep_bar_stop (SlSweepBar *self)
{
  g_return_if_fail (SL_IS_SWEEP_BAR (self));
  sl_sweep_bar_forget_estimate (self);
  while (self->questions > 0)
    g_main_context_iteration (NULL, TRUE);
}

void
sl_sweep_bar_follow (SlSweepBar *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) jobs = NULL;
  unsigned there;
  SlSweep  sweep;

  if (self->filling || self->lab == NULL || self->run != NULL)
    return;
  sl_sweep_bar_forget_estimate (self);
  for (unsigned axis = 0; axis < SL_SWEEP_BAR_AXES; axis++)
    gtk_widget_set_sensitive (GTK_WIDGET (self->values[axis]),
                              sl_sweep_bar_chosen (self, axis) >= 0);
  if (!sl_sweep_bar_read (self, &sweep, &error))
    {
      sl_sweep_bar_show_problem (self, error->message);
      return;
    }
  jobs = sl_sweep_bar_jobs (self, &sweep, &there);
  self->counted = jobs->len;
  sl_sweep_clear (&sweep);
  show_counts (self, jobs->len, there, (double) NAN);
  if (jobs->len > 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    self->later = g_timeout_add_once (ESTIMATE_MS, (GSourceOnceFunc) on_due, self);
}

void
sl_sweep_bar_recount (SlSweepBar *self)
{
  g_autoptr (GArray) jobs = NULL;
  unsigned there;
  SlSweep  sweep;

  g_return_if_fail (SL_IS_SWEEP_BAR (self));
  if (self->lab == NULL || self->run != NULL || !sl_sweep_bar_read (self, &sweep, NULL))
    return;
  jobs = sl_sweep_bar_jobs (self, &sweep, &there);
  sl_sweep_clear (&sweep);
  if (jobs->len != self->counted)
    sl_sweep_bar_follow (self);
}
