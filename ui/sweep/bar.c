/* SPDX-License-Identifier: MIT */
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/run/base/language.h"
#include "core/run/sweep/store.h"
#include "ui/kit/number.h"
#include "ui/kit/widget.h"
#include "ui/sweep/private.h"

G_DEFINE_FINAL_TYPE (SlSweepBar, sl_sweep_bar, GTK_TYPE_WIDGET)

SlSweepPool
sl_sweep_bar_pool (SlSweepBar *self)
{
  return (SlSweepPool) { .polite = true, .store = self->store };
}

gboolean
sl_sweep_bar_is_busy (SlSweepBar *self)
{
  g_return_val_if_fail (SL_IS_SWEEP_BAR (self), FALSE);
  return self->run != NULL;
}

void
sl_sweep_bar_set_base (SlSweepBar *self, const SlLab *lab, const SlSettings *settings,
                       const char *data)
{
  gboolean other;

  g_return_if_fail (SL_IS_SWEEP_BAR (self));
  other = lab != self->lab;
  if (lab == NULL
      || (!other && memcmp (settings, &self->settings, sizeof *settings) == 0
          && g_strcmp0 (data, self->data) == 0))
    return;
  self->lab = lab;
  self->settings = *settings;
  g_free (self->data);
  self->data = g_strdup (data);
  sl_sweep_bar_show_subject (self);
  if (other)
    sl_sweep_bar_fill (self);
  else
    sl_sweep_bar_follow (self);
}

const SlLab *
sl_sweep_bar_get_lab (SlSweepBar *self)
{
  g_return_val_if_fail (SL_IS_SWEEP_BAR (self), NULL);
  return self->lab;
}

const char *
sl_sweep_bar_get_data (SlSweepBar *self)
{
  g_return_val_if_fail (SL_IS_SWEEP_BAR (self), NULL);
  return self->data;
}

void
sl_sweep_bar_set_store (SlSweepBar *self, SlStore *store, SlSweepIsMade is_made, gpointer data)
{
  g_return_if_fail (SL_IS_SWEEP_BAR (self) && (store == NULL || is_made != NULL));
  self->is_made = is_made;
  self->made_data = data;
  if (g_set_object (&self->store, store))
    sl_sweep_bar_follow (self);
}

/* The first line, above the fields. */
static GtkWidget *
line_of (SlSweepBar *self)
{
  return gtk_widget_get_parent (GTK_WIDGET (self->stages));
}

static void
show_going (SlSweepBar *self)
{
  gboolean going = self->run != NULL;

  gtk_stack_set_visible_child_name (self->stages, going ? "going" : "setting");
  /* What is swept is shown below. */
  gtk_widget_set_sensitive (gtk_widget_get_next_sibling (line_of (self)), !going);
  if (going)
    gtk_label_set_label (self->estimate, "");
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "sweep.pause", going);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "sweep.cancel", going);
}

void
sl_sweep_bar_set_folded (SlSweepBar *self, gboolean folded)
{
  g_return_if_fail (SL_IS_SWEEP_BAR (self));
  if (gtk_widget_get_visible (GTK_WIDGET (self->opened)) == folded)
    return;
  gtk_widget_set_visible (GTK_WIDGET (self->opened), folded);
  gtk_toggle_button_set_active (self->opened, !folded);
}

static void
show_progress (SlSweepBar *self)
{
  SlSweepProgress  progress;
  g_autofree char *left = NULL, *text = NULL;
  gboolean         paused = sl_sweep_run_state (self->run) == SL_SWEEP_PAUSED;

  sl_sweep_run_progress (self->run, &progress);
  left = isfinite (progress.remaining) ? sl_span_text (progress.remaining) : NULL;
  gtk_progress_bar_set_fraction (self->progress, CLAMP (progress.share, 0.0, 1.0));
  if (paused)
    text = g_strdup_printf (_ ("%u of %u runs, paused"), progress.over, progress.runs);
  else if (left != NULL)
    /* Translators: %s is "1 min 40 s". */
    text = g_strdup_printf (_ ("%u of %u runs, about %s left"), progress.over, progress.runs, left);
  else
    text = g_strdup_printf (_ ("%u of %u runs"), progress.over, progress.runs);
  gtk_label_set_label (self->progress_text, text);
  if (gtk_toggle_button_get_active (self->pause) != paused)
    gtk_toggle_button_set_active (self->pause, paused);
}

static void
on_arrived (SlSweepBar *self, const SlSweepResult *result)
{
  g_autofree char *sentence = NULL;

  if (self->store != NULL)
    sl_sweep_store (self->store, self->title, result);
  if (sl_ok (&result->status) || result->status.code == SL_EDIVERGED)
    return;
  sentence = sl_status_sentence (&result->status);
  g_signal_emit_by_name (self, "trouble", sentence);
}

static void
on_ended (SlSweepBar *self)
{
  const GError *error = sl_sweep_run_error (self->run);

  if (error != NULL)
    g_signal_emit_by_name (self, "trouble", error->message);
  g_signal_handlers_disconnect_by_data (self->run, self);
  g_clear_object (&self->run);
  show_going (self);
  sl_sweep_bar_follow (self);
  g_signal_emit_by_name (self, "ended", self->title);
}

static void
start (SlSweepBar *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) jobs = NULL;
  SlSweepPool pool;
  unsigned    there;
  SlSweep     sweep;

  if (self->run != NULL || self->lab == NULL || self->store == NULL)
    return;
  if (!sl_sweep_bar_read (self, &sweep, &error))
    {
      sl_sweep_bar_show_problem (self, error->message);
      return;
    }
  jobs = sl_sweep_bar_jobs (self, &sweep, &there);
  if (jobs->len > 0)
    {
      g_autofree char *words = sl_sweep_bar_words (&sweep);
      g_autofree char *text
        = g_strdup_printf ("%s: %s", gtk_label_get_label (self->subject), words);

      gtk_label_set_label (self->at_work, text);
      sl_sweep_bar_forget_estimate (self);
      sl_sweep_title (&sweep, self->title);
      pool = sl_sweep_bar_pool (self);
      self->run = sl_sweep_run_new (&sweep, jobs, &pool);
      g_signal_connect_swapped (self->run, "arrived", G_CALLBACK (on_arrived), self);
      g_signal_connect_swapped (self->run, "changed", G_CALLBACK (show_progress), self);
      g_signal_connect_swapped (self->run, "ended", G_CALLBACK (on_ended), self);
      g_signal_emit_by_name (self, "started", self->title);
      sl_sweep_run_start (self->run);
      show_going (self);
      show_progress (self);
    }
  sl_sweep_clear (&sweep);
}

static void
on_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  SlSweepBar *self = SL_SWEEP_BAR (widget);

  if (g_str_equal (name, "sweep.suggest"))
    sl_sweep_bar_suggest (self, g_variant_get_string (parameter, NULL));
  else if (g_str_equal (name, "sweep.start"))
    start (self);
  else if (self->run == NULL)
    return;
  else if (g_str_equal (name, "sweep.cancel"))
    sl_sweep_run_cancel (self->run);
  else if (sl_sweep_run_state (self->run) == SL_SWEEP_PAUSED)
    sl_sweep_run_resume (self->run);
  else
    sl_sweep_run_pause (self->run);
}

static void
on_pause (SlSweepBar *self)
{
  gboolean paused = self->run != NULL && sl_sweep_run_state (self->run) == SL_SWEEP_PAUSED;

  if (self->run != NULL && gtk_toggle_button_get_active (self->pause) != paused)
    gtk_widget_activate_action (GTK_WIDGET (self), "sweep.pause", NULL);
}

static void
sl_sweep_bar_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (sl_sweep_bar_parent_class)->map (widget);
  sl_sweep_bar_follow (SL_SWEEP_BAR (widget));
}

/* An estimate that is not on the screen is not made. */
static void
sl_sweep_bar_unmap (GtkWidget *widget)
{
  sl_sweep_bar_forget_estimate (SL_SWEEP_BAR (widget));
  GTK_WIDGET_CLASS (sl_sweep_bar_parent_class)->unmap (widget);
}

static void
sl_sweep_bar_dispose (GObject *object)
{
  SlSweepBar *self = SL_SWEEP_BAR (object);

  self->lab = NULL;
  sl_sweep_bar_forget_estimate (self);
  if (self->run != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->run, self);
      sl_sweep_run_cancel (self->run);
      g_clear_object (&self->run);
    }
  sl_sweep_bar_set_store (self, NULL, NULL, NULL);
  g_clear_pointer (&self->data, g_free);
  sl_sweep_bar_forget_place (self);
  sl_widget_dispose (object);
}

static void
sl_sweep_bar_class_init (SlSweepBarClass *klass)
{
  static const char *const names[] = { "sweep.start", "sweep.pause", "sweep.cancel" };
  static const char *const signal_names[] = { "started", "ended", "trouble" };
  GtkWidgetClass          *widget = GTK_WIDGET_CLASS (klass);
  GObjectClass            *object = G_OBJECT_CLASS (klass);

  object->dispose = sl_sweep_bar_dispose;
  widget->map = sl_sweep_bar_map;
  widget->unmap = sl_sweep_bar_unmap;
  for (unsigned i = 0; i < G_N_ELEMENTS (signal_names); i++)
    sl_signal_new (SL_TYPE_SWEEP_BAR, signal_names[i], 1, G_TYPE_STRING);
  for (unsigned i = 0; i < G_N_ELEMENTS (names); i++)
    gtk_widget_class_install_action (widget, names[i], NULL, on_action);
  gtk_widget_class_install_action (widget, "sweep.suggest", "s", on_action);
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  sl_widget_class_set_template (widget, "sweep/bar.ui");
  sl_widget_class_bind_children (
    widget, SL_CHILD (SlSweepBar, stages), SL_CHILD (SlSweepBar, subject),
    SL_CHILD (SlSweepBar, suggested_word), SL_CHILD (SlSweepBar, suggestions),
    SL_CHILD (SlSweepBar, problem), SL_CHILD (SlSweepBar, with), SL_CHILD (SlSweepBar, summary),
    SL_CHILD (SlSweepBar, opened), NULL);
  gtk_widget_class_bind_template_child_full (widget, "param_1", FALSE,
                                             G_STRUCT_OFFSET (SlSweepBar, param[0]));
  gtk_widget_class_bind_template_child_full (widget, "param_2", FALSE,
                                             G_STRUCT_OFFSET (SlSweepBar, param[1]));
  gtk_widget_class_bind_template_child_full (widget, "values_1", FALSE,
                                             G_STRUCT_OFFSET (SlSweepBar, values[0]));
  gtk_widget_class_bind_template_child_full (widget, "values_2", FALSE,
                                             G_STRUCT_OFFSET (SlSweepBar, values[1]));
  sl_widget_class_bind_children (
    widget, SL_CHILD (SlSweepBar, seeds), SL_CHILD (SlSweepBar, steps),
    SL_CHILD (SlSweepBar, points), SL_CHILD (SlSweepBar, how), SL_CHILD (SlSweepBar, at_work),
    SL_CHILD (SlSweepBar, estimate), SL_CHILD (SlSweepBar, progress),
    SL_CHILD (SlSweepBar, progress_text), SL_CHILD (SlSweepBar, pause), NULL);
  sl_widget_class_bind_callbacks (
    widget, SL_CALLBACK (sl_sweep_bar_follow), SL_CALLBACK (sl_sweep_bar_choose),
    SL_CALLBACK (sl_sweep_bar_choose_how), SL_CALLBACK (on_pause), NULL);
}

static void
sl_sweep_bar_init (SlSweepBar *self)
{
  self->filling = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  sl_widget_name_inner (GTK_WIDGET (self));
  for (unsigned axis = 0; axis < SL_SWEEP_BAR_AXES; axis++)
    sl_drop_down_shorten (self->param[axis], 0);
  sl_label_tell_when_cut (self->subject);
  sl_label_tell_when_cut (self->summary);
  sl_label_tell_when_cut (self->estimate);
  sl_label_tell_when_cut (self->problem);
  sl_label_tell_when_cut (self->at_work);
  sl_label_tell_when_cut (self->progress_text);
  self->filling = FALSE;
  show_going (self);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "sweep.start", FALSE);
}
