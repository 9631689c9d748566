/* SPDX-License-Identifier: MIT */
#include "ui/sl-sweep-bar.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/run/language.h"
#include "core/run/sweep-estimate.h"
#include "core/run/sweep-store.h"
#include "ui/sl-sweep-values.h"
#include "ui/sl-widget.h"

enum { AXES = 2, ESTIMATE_MS = 700 };

struct _SlSweepBar
{
  GtkWidget parent_instance;

  GtkWidget     *setup, *going, *suggested, *suggestions;
  GtkLabel      *with;
  GtkDropDown   *param[AXES];
  GtkEntry      *values[AXES], *seeds;
  GtkSpinButton *steps;
  GtkLabel      *estimate, *progress_text;
  GtkProgressBar *progress;
  GtkToggleButton *pause;

  const SlLab *lab;
  SlSettings   settings;
  const SlSweepHint *hint; /* that was taken up, or NULL */
  char        *data;
  SlRunList   *list;
  SlSweepRun  *run;   /* while one is at work */
  char         title[SL_SWEEP_ID];
  GCancellable *asking; /* the estimate under way */
  unsigned     questions; /* that have no answer yet, given up or not */
  guint        later; /* timeout until the next one */
  unsigned     counted; /* runs that the setup as shown comes to */
  gboolean     filling;
};

G_DEFINE_FINAL_TYPE (SlSweepBar, sl_sweep_bar, GTK_TYPE_WIDGET)

enum { STARTED, ENDED, TROUBLE, N_SIGNALS };
static guint signals[N_SIGNALS];

static const SlSweepCrew polite = { .polite = true };

gboolean
sl_sweep_bar_is_busy (SlSweepBar *self)
{
  return self->run != NULL;
}

/* Index of the parameter that an axis varies, or -1. */
static int
chosen (SlSweepBar *self, unsigned axis)
{
  guint at = gtk_drop_down_get_selected (self->param[axis]);

  return at == GTK_INVALID_LIST_POSITION ? -1 : (int) at - 1;
}

/* The sweep as it is set up; to be cleared.  FALSE with a sentence. */
static gboolean
read_setup (SlSweepBar *self, SlSweep *sweep, GError **error)
{
  gboolean fine = TRUE;

  sl_sweep_init (sweep, self->lab);
  sweep->settings = self->settings;
  if (self->hint != NULL && !sl_sweep_hint_settings (self->hint, self->lab, &sweep->settings, error))
    fine = FALSE;
  g_free (sweep->data);
  sweep->data = self->lab->data == SL_NEEDS_NOTHING ? NULL : g_strdup (self->data);
  sweep->budget = (SlBudget) { .steps = (uint64_t) gtk_spin_button_get_value (self->steps) };
  for (unsigned axis = 0; axis < AXES && fine; axis++)
    if (chosen (self, axis) >= 0)
      {
        g_autofree char *text
          = g_strdup_printf ("%s=%s", self->lab->params[chosen (self, axis)].id,
                             gtk_editable_get_text (GTK_EDITABLE (self->values[axis])));

        fine = sl_sweep_add_axis (sweep, text, error);
      }
  fine = fine
         && sl_sweep_set_seeds (sweep, gtk_editable_get_text (GTK_EDITABLE (self->seeds)), error)
         && sl_sweep_check (sweep, error);
  if (!fine)
    sl_sweep_clear (sweep);
  return fine;
}

/* The runs that are not in the store yet; *there counts the others. */
static GArray *
jobs_of (SlSweepBar *self, const SlSweep *sweep, unsigned *there)
{
  GArray  *jobs = sl_sweep_expand (sweep);
  unsigned kept = 0;

  for (guint i = 0; i < jobs->len; i++)
    {
      SlRunItem *item = self->list != NULL
                          ? sl_run_list_find (self->list, g_array_index (jobs, SlSweepJob, i).id)
                          : NULL;
      SlRunStatus status = item != NULL ? sl_run_item_run (item)->status : SL_RUN_FAILED;

      if (status != SL_RUN_FINISHED && status != SL_RUN_DIVERGED)
        g_array_index (jobs, SlSweepJob, kept++) = g_array_index (jobs, SlSweepJob, i);
    }
  *there = jobs->len - kept;
  g_array_set_size (jobs, kept);
  return jobs;
}

/* "1 min 40 s" */
static char *
span (double seconds)
{
  guint whole = (guint) ceil (CLAMP (seconds, 1.0, 8.64e8));

  if (whole < 60)
    return g_strdup_printf (_("%u s"), whole);
  if (whole < 3600)
    return g_strdup_printf (_("%u min %u s"), whole / 60, whole % 60);
  return g_strdup_printf (_("%u h %u min"), whole / 3600, whole / 60 % 60);
}

static void
show_counts (SlSweepBar *self, unsigned runs, unsigned there, double seconds)
{
  g_autofree char *count = g_strdup_printf (ngettext ("%u run", "%u runs", runs), runs);
  g_autofree char *time = isfinite (seconds) ? span (seconds) : NULL;
  g_autofree char *text = NULL;

  if (runs == 0)
    text = g_strdup (_("All of these runs are there already"));
  else if (time == NULL)
    /* Translators: %s is "24 runs". */
    text = g_strdup_printf (_("%s, timing…"), count);
  else if (there > 0)
    /* Translators: the first %s is "18 runs", the second "1 min 40 s". */
    text = g_strdup_printf (_("%s, about %s; %u are there already"), count, time, there);
  else
    text = g_strdup_printf (_("%s, about %s"), count, time);
  gtk_label_set_label (self->estimate, text);
  gtk_widget_remove_css_class (GTK_WIDGET (self->estimate), "error");
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "sweep.start",
                                 runs > 0 && self->list != NULL && self->run == NULL);
}

static void
show_problem (SlSweepBar *self, const char *sentence)
{
  gtk_label_set_label (self->estimate, sentence);
  gtk_widget_add_css_class (GTK_WIDGET (self->estimate), "error");
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "sweep.start", FALSE);
}

/* What an estimate is about. */
typedef struct
{
  SlSweepBar *bar; /* a reference */
  GCancellable *asking;
  unsigned    runs, there;
} Question;

static void
on_estimated (GObject *source, GAsyncResult *result, gpointer data)
{
  Question *question = data;
  SlSweepBar *self = question->bar;
  g_autoptr (GError) error = NULL;
  SlSweepEstimate estimate;
  gboolean fine = sl_sweep_estimate_finish (result, &estimate, &error);

  self->questions--;
  /* An answer to an earlier question says nothing. */
  if (question->asking == self->asking)
    {
      g_clear_object (&self->asking);
      if (fine)
        show_counts (self, question->runs, question->there, estimate.seconds);
      else
        show_problem (self, error->message);
    }
  g_object_unref (question->asking);
  g_object_unref (question->bar);
  g_free (question);
}

static void
forget_estimate (SlSweepBar *self)
{
  g_clear_handle_id (&self->later, g_source_remove);
  if (self->asking != NULL)
    g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
}

static gboolean
on_due (gpointer data)
{
  SlSweepBar *self = data;
  SlSweep     sweep;
  Question   *question;
  unsigned    there;
  g_autoptr (GArray) jobs = NULL;

  self->later = 0;
  if (!read_setup (self, &sweep, NULL))
    return G_SOURCE_REMOVE;
  jobs = jobs_of (self, &sweep, &there);
  if (jobs->len > 0)
    {
      self->asking = g_cancellable_new ();
      self->questions++;
      question = g_new (Question, 1);
      *question = (Question) { g_object_ref (self), g_object_ref (self->asking), jobs->len, there };
      sl_sweep_estimate_async (&sweep, jobs, &polite, self->asking, on_estimated, question);
    }
  sl_sweep_clear (&sweep);
  return G_SOURCE_REMOVE;
}

void
sl_sweep_bar_stop (SlSweepBar *self)
{
  forget_estimate (self);
  while (self->questions > 0)
    g_main_context_iteration (NULL, TRUE);
}

/* Counts at once; times when nothing was typed for a moment. */
static void
on_setup (SlSweepBar *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) jobs = NULL;
  unsigned there;
  SlSweep  sweep;

  if (self->filling || self->lab == NULL || self->run != NULL)
    return;
  forget_estimate (self);
  for (unsigned axis = 0; axis < AXES; axis++)
    gtk_widget_set_sensitive (GTK_WIDGET (self->values[axis]), chosen (self, axis) >= 0);
  if (!read_setup (self, &sweep, &error))
    {
      show_problem (self, error->message);
      return;
    }
  jobs = jobs_of (self, &sweep, &there);
  self->counted = jobs->len;
  sl_sweep_clear (&sweep);
  show_counts (self, jobs->len, there, (double) NAN);
  if (jobs->len > 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    self->later = g_timeout_add (ESTIMATE_MS, on_due, self);
}

/* Runs came or went: there may be fewer or more left to make. */
static void
on_loaded (SlSweepBar *self)
{
  g_autoptr (GArray) jobs = NULL;
  unsigned there;
  SlSweep  sweep;

  if (self->lab == NULL || self->run != NULL || !read_setup (self, &sweep, NULL))
    return;
  jobs = jobs_of (self, &sweep, &there);
  sl_sweep_clear (&sweep);
  if (jobs->len != self->counted)
    on_setup (self);
}

/* What a suggestion sets beside its axes is not hidden. */
static void
take_hint (SlSweepBar *self, const SlSweepHint *hint)
{
  gboolean sets = hint != NULL && hint->settings != NULL;
  /* Translators: settings of all runs of a sweep, as they are typed: "with method=gram". */
  g_autofree char *text = sets ? g_strdup_printf (_ ("with %s"), hint->settings) : NULL;

  self->hint = hint;
  gtk_label_set_label (self->with, sets ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->with), sets);
}

static void
on_param (SlSweepBar *self, GParamSpec *spec, GtkDropDown *which)
{
  if (self->filling || self->lab == NULL)
    return;
  take_hint (self, NULL);
  for (unsigned axis = 0; axis < AXES; axis++)
    if (which == self->param[axis] && chosen (self, axis) >= 0)
      {
        g_autofree char *values
          = sl_sweep_values (&self->lab->params[chosen (self, axis)],
                             &self->settings.value[chosen (self, axis)]);

        self->filling = TRUE;
        gtk_editable_set_text (GTK_EDITABLE (self->values[axis]), values);
        self->filling = FALSE;
      }
  on_setup (self);
}

gboolean
sl_sweep_bar_suggest (SlSweepBar *self, const char *id)
{
  const SlSweepHint *hint = self->lab != NULL ? sl_sweep_hint (self->lab, id) : NULL;
  g_auto (GStrv) axes = NULL;

  if (hint == NULL || self->run != NULL)
    return FALSE;
  axes = g_strsplit (hint->axes, " ", AXES);
  self->filling = TRUE;
  for (unsigned axis = 0, n = g_strv_length (axes); axis < AXES; axis++)
    {
      char *equals = axis < n ? strchr (axes[axis], '=') : NULL;
      int   param = -1;

      if (equals != NULL)
        {
          *equals = '\0';
          param = sl_param_find (self->lab->params, self->lab->n_params, axes[axis]);
        }
      gtk_drop_down_set_selected (self->param[axis], (guint) (param + 1));
      gtk_editable_set_text (GTK_EDITABLE (self->values[axis]), param >= 0 ? equals + 1 : "");
    }
  gtk_editable_set_text (GTK_EDITABLE (self->seeds), hint->seeds);
  gtk_spin_button_set_value (self->steps, (double) hint->steps);
  self->filling = FALSE;
  take_hint (self, hint);
  on_setup (self);
  return TRUE;
}

/* A button for each suggestion of the lab. */
static void
list_suggestions (SlSweepBar *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->suggestions)) != NULL)
    gtk_box_remove (GTK_BOX (self->suggestions), child);
  gtk_widget_set_visible (self->suggested, self->run == NULL && self->lab->n_sweeps > 0);
  for (unsigned i = 0; i < self->lab->n_sweeps; i++)
    {
      const SlSweepHint *hint = &self->lab->sweeps[i];
      GtkWidget *button = gtk_button_new_with_label (sl_words (hint->title));

      gtk_widget_set_tooltip_text (button, sl_words (hint->help));
      gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", hint->id);
      gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "sweep.suggest");
      gtk_box_append (GTK_BOX (self->suggestions), button);
    }
}

static void
fill (SlSweepBar *self)
{
  int first = sl_sweep_first_param (self->lab, &self->settings);

  list_suggestions (self);
  self->filling = TRUE;
  for (unsigned axis = 0; axis < AXES; axis++)
    {
      g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

      gtk_string_list_append (names, axis == 0 ? _("Nothing") : _("Nothing else"));
      for (unsigned p = 0; p < self->lab->n_params; p++)
        gtk_string_list_append (names, sl_words (self->lab->params[p].title));
      gtk_drop_down_set_model (self->param[axis], G_LIST_MODEL (names));
      gtk_drop_down_set_selected (self->param[axis], axis == 0 ? (guint) (first + 1) : 0);
      gtk_editable_set_text (GTK_EDITABLE (self->values[axis]), "");
    }
  self->filling = FALSE;
  on_param (self, NULL, self->param[0]);
}

void
sl_sweep_bar_set_base (SlSweepBar *self, const SlLab *lab, const SlSettings *settings,
                       const char *data)
{
  gboolean other = lab != self->lab;

  if (lab == NULL || (!other && memcmp (settings, &self->settings, sizeof *settings) == 0
                      && g_strcmp0 (data, self->data) == 0))
    return;
  self->lab = lab;
  self->settings = *settings;
  g_free (self->data);
  self->data = g_strdup (data);
  if (other)
    fill (self);
  else
    on_setup (self);
}

void
sl_sweep_bar_set_list (SlSweepBar *self, SlRunList *list)
{
  if (self->list != NULL)
    g_signal_handlers_disconnect_by_data (self->list, self);
  if (list != NULL)
    g_signal_connect_swapped (list, "loaded", G_CALLBACK (on_loaded), self);
  if (g_set_object (&self->list, list))
    on_setup (self);
}

static void
show_going (SlSweepBar *self)
{
  gboolean going = self->run != NULL;

  gtk_widget_set_visible (self->setup, !going);
  gtk_widget_set_visible (self->suggested, !going && self->lab != NULL && self->lab->n_sweeps > 0);
  gtk_widget_set_visible (self->going, going);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "sweep.pause", going);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "sweep.cancel", going);
}

static void
show_progress (SlSweepBar *self)
{
  SlSweepProgress progress;
  g_autofree char *left = NULL, *text = NULL;
  gboolean paused = sl_sweep_run_state (self->run) == SL_SWEEP_PAUSED;

  sl_sweep_run_progress (self->run, &progress);
  left = isfinite (progress.remaining) ? span (progress.remaining) : NULL;
  gtk_progress_bar_set_fraction (self->progress, CLAMP (progress.share, 0.0, 1.0));
  if (paused)
    text = g_strdup_printf (_("%u of %u runs, paused"), progress.over, progress.runs);
  else if (left != NULL)
    text = g_strdup_printf (_("%u of %u runs, about %s left"), progress.over, progress.runs, left);
  else
    text = g_strdup_printf (_("%u of %u runs"), progress.over, progress.runs);
  gtk_label_set_label (self->progress_text, text);
  if (gtk_toggle_button_get_active (self->pause) != paused)
    gtk_toggle_button_set_active (self->pause, paused);
}

static void
on_arrived (SlSweepBar *self, const SlSweepResult *result)
{
  g_autofree char *sentence = NULL;

  if (self->list != NULL)
    sl_sweep_store (sl_run_list_store (self->list), self->title, result);
  if (sl_ok (&result->status) || result->status.code == SL_EDIVERGED)
    return;
  sentence = sl_status_sentence (&result->status);
  g_signal_emit (self, signals[TROUBLE], 0, sentence);
}

static void
on_ended (SlSweepBar *self)
{
  const GError *error = sl_sweep_run_error (self->run);

  if (error != NULL)
    g_signal_emit (self, signals[TROUBLE], 0, error->message);
  g_signal_handlers_disconnect_by_data (self->run, self);
  g_clear_object (&self->run);
  show_going (self);
  on_setup (self);
  g_signal_emit (self, signals[ENDED], 0, self->title);
}

static void
start (SlSweepBar *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) jobs = NULL;
  unsigned there;
  SlSweep  sweep;

  if (self->run != NULL || self->lab == NULL || self->list == NULL)
    return;
  if (!read_setup (self, &sweep, &error))
    {
      show_problem (self, error->message);
      return;
    }
  jobs = jobs_of (self, &sweep, &there);
  if (jobs->len > 0)
    {
      forget_estimate (self);
      sl_sweep_title (&sweep, self->title);
      self->run = sl_sweep_run_new (&sweep, jobs, &polite);
      g_signal_connect_swapped (self->run, "arrived", G_CALLBACK (on_arrived), self);
      g_signal_connect_swapped (self->run, "changed", G_CALLBACK (show_progress), self);
      g_signal_connect_swapped (self->run, "ended", G_CALLBACK (on_ended), self);
      g_signal_emit (self, signals[STARTED], 0, self->title);
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
  on_setup (SL_SWEEP_BAR (widget));
}

/* Nobody reads an estimate that is not on the screen. */
static void
sl_sweep_bar_unmap (GtkWidget *widget)
{
  forget_estimate (SL_SWEEP_BAR (widget));
  GTK_WIDGET_CLASS (sl_sweep_bar_parent_class)->unmap (widget);
}

static void
sl_sweep_bar_dispose (GObject *object)
{
  SlSweepBar *self = SL_SWEEP_BAR (object);

  self->lab = NULL;
  forget_estimate (self);
  if (self->run != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->run, self);
      sl_sweep_run_cancel (self->run);
      g_clear_object (&self->run);
    }
  sl_sweep_bar_set_list (self, NULL);
  sl_widget_drop_template (GTK_WIDGET (self), SL_TYPE_SWEEP_BAR);
  G_OBJECT_CLASS (sl_sweep_bar_parent_class)->dispose (object);
}

static void
sl_sweep_bar_finalize (GObject *object)
{
  g_free (SL_SWEEP_BAR (object)->data);
  G_OBJECT_CLASS (sl_sweep_bar_parent_class)->finalize (object);
}

static void
sl_sweep_bar_class_init (SlSweepBarClass *klass)
{
  static const char *const names[] = { "sweep.start", "sweep.pause", "sweep.cancel" };
  static const char *const signal_names[N_SIGNALS] = { "started", "ended", "trouble" };
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);
  GObjectClass   *object = G_OBJECT_CLASS (klass);

  object->dispose = sl_sweep_bar_dispose;
  object->finalize = sl_sweep_bar_finalize;
  widget->map = sl_sweep_bar_map;
  widget->unmap = sl_sweep_bar_unmap;
  for (unsigned i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (signal_names[i], SL_TYPE_SWEEP_BAR, G_SIGNAL_RUN_LAST, 0, NULL,
                               NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  for (unsigned i = 0; i < G_N_ELEMENTS (names); i++)
    gtk_widget_class_install_action (widget, names[i], NULL, on_action);
  gtk_widget_class_install_action (widget, "sweep.suggest", "s", on_action);
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget, "/org/sluice/Sluice/ui/sl-sweep-bar.ui");
  gtk_widget_class_bind_template_child (widget, SlSweepBar, setup);
  gtk_widget_class_bind_template_child (widget, SlSweepBar, going);
  gtk_widget_class_bind_template_child (widget, SlSweepBar, suggested);
  gtk_widget_class_bind_template_child (widget, SlSweepBar, suggestions);
  gtk_widget_class_bind_template_child (widget, SlSweepBar, with);
  gtk_widget_class_bind_template_child_full (widget, "param_1", FALSE,
                                             G_STRUCT_OFFSET (SlSweepBar, param[0]));
  gtk_widget_class_bind_template_child_full (widget, "param_2", FALSE,
                                             G_STRUCT_OFFSET (SlSweepBar, param[1]));
  gtk_widget_class_bind_template_child_full (widget, "values_1", FALSE,
                                             G_STRUCT_OFFSET (SlSweepBar, values[0]));
  gtk_widget_class_bind_template_child_full (widget, "values_2", FALSE,
                                             G_STRUCT_OFFSET (SlSweepBar, values[1]));
  gtk_widget_class_bind_template_child (widget, SlSweepBar, seeds);
  gtk_widget_class_bind_template_child (widget, SlSweepBar, steps);
  gtk_widget_class_bind_template_child (widget, SlSweepBar, estimate);
  gtk_widget_class_bind_template_child (widget, SlSweepBar, progress);
  gtk_widget_class_bind_template_child (widget, SlSweepBar, progress_text);
  gtk_widget_class_bind_template_child (widget, SlSweepBar, pause);
  gtk_widget_class_bind_template_callback (widget, on_setup);
  gtk_widget_class_bind_template_callback (widget, on_param);
  gtk_widget_class_bind_template_callback (widget, on_pause);
}

static void
sl_sweep_bar_init (SlSweepBar *self)
{
  self->filling = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  sl_widget_name_inner (GTK_WIDGET (self));
  self->filling = FALSE;
  show_going (self);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "sweep.start", FALSE);
}

SlSweepBar *
sl_sweep_bar_new (void)
{
  return g_object_new (SL_TYPE_SWEEP_BAR, NULL);
}
