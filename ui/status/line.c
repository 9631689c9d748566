/* SPDX-License-Identifier: MIT */
#include "ui/status/line.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/run/base/language.h"
#include "plot/base/scale.h"
#include "ui/kit/number.h"
#include "ui/kit/widget.h"

struct _SlStatusLine
{
  GtkWidget parent_instance;

  GtkLabel *state, *waits, *step, *speed, *work, *epoch, *best, *eta, *seed, *next;

  /* The smallest validation value so far, found by looking at each sample once. */
  const SlRecord *of; /* whose it is, only compared */
  unsigned        generation;
  int             channel;
  gboolean        hidden; /* the best */
  size_t          seen;
  double          lowest, lowest_step;
};

G_DEFINE_FINAL_TYPE (SlStatusLine, sl_status_line, GTK_TYPE_WIDGET)

static void
set (GtkLabel *label, const char *text)
{
  /* A label that keeps its text keeps its layout too. */
  if (strcmp (gtk_label_get_label (label), text) != 0)
    gtk_label_set_label (label, text);
  gtk_widget_set_visible (GTK_WIDGET (label), *text != '\0');
}

static void G_GNUC_PRINTF (2, 3) setf (GtkLabel *label, const char *format, ...)
{
  va_list          arguments;
  g_autofree char *text = NULL;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  set (label, text);
}

static const char *
state_text (SlSessionState state)
{
  switch (state)
    {
    case SL_LOADING: return _ ("loading");
    case SL_PAUSED: return _ ("paused");
    case SL_RUNNING: return _ ("running");
    case SL_DIVERGED: return _ ("diverged");
    case SL_FINISHED: return _ ("finished");
    case SL_FAILED: break;
    }
  return _ ("failed");
}

/* Large values as whole numbers in groups of three: "69 400", "7.2 %". */
static char *
with_unit (double value, const char *unit)
{
  char             text[32];
  g_autofree char *large
    = value >= 1000.0 && value < 1e9 ? sl_grouped ((guint64) (value + 0.5)) : NULL;
  const char *number = large != NULL ? large : sl_number_text (value, 4, text, sizeof text);

  return *unit != '\0' ? g_strdup_printf ("%s %s", number, unit) : g_strdup (number);
}

static void
show_best (SlStatusLine *self, const SlRecord *record)
{
  const SlSeries  *series;
  const SlPanel   *panel;
  const char      *unit;
  g_autofree char *best = NULL, *step = NULL;

  if (record->lab == NULL || self->hidden)
    {
      set (self->best, "");
      return;
    }
  if (record != self->of || record->generation != self->generation || self->seen == 0)
    {
      self->of = record;
      self->generation = record->generation;
      self->channel
        = record->lab->best != NULL ? sl_layout_find (&record->layout, record->lab->best) : -1;
      self->seen = 0;
      self->lowest = HUGE_VAL;
    }
  series = self->channel >= 0 ? &record->series[self->channel] : NULL;
  if (series != NULL && series->n < self->seen)
    {
      /* Taken back to a checkpoint. */
      self->seen = 0;
      self->lowest = HUGE_VAL;
    }
  for (; series != NULL && self->seen < series->n; self->seen++)
    if (series->value[self->seen] < self->lowest)
      {
        self->lowest = series->value[self->seen];
        self->lowest_step = series->step[self->seen];
      }
  if (series == NULL || !isfinite (self->lowest))
    {
      set (self->best, "");
      return;
    }
  panel = &record->lab->panels[record->layout.channel[self->channel].panel];
  unit = panel->traces[record->layout.channel[self->channel].trace].unit;
  step = sl_grouped ((guint64) self->lowest_step);
  best = with_unit (self->lowest, sl_words (unit));
  /* Translators: "Error: best 7.2 % at update 600". */
  setf (self->best, _ ("%s: best %s at update %s"), sl_words (panel->title), best, step);
}

/* Updates a second: never more than the pace that the run is held to. */
static double
speed_of (SlSession *session)
{
  const SlLab *lab = sl_session_lab (session);
  double speed = sl_session_info (session)->steps_per_second, pace = sl_session_pace (session);
  int    param
    = lab != NULL && lab->pace != NULL ? sl_param_find (lab->params, lab->n_params, lab->pace) : -1;

  if (param >= 0)
    pace = sl_session_settings (session)->value[param].v[0];
  return pace > 0.0 ? fmin (speed, pace) : speed;
}

static void
show_eta (SlStatusLine *self, const SlSessionInfo *info, double speed)
{
  double seconds;

  if (info->limit <= info->step || !(speed > 0.0))
    {
      set (self->eta, "");
      return;
    }
  seconds = ceil ((double) (info->limit - info->step) / speed);
  if (seconds < 3600.0)
    setf (self->eta, _ ("%d:%02d left"), (int) seconds / 60, (int) seconds % 60);
  else
    setf (self->eta, _ ("%.0f h %02d min left"), floor (seconds / 3600.0),
          (int) fmod (seconds / 60.0, 60.0));
}

/* A lab without examples has no epochs. */
static void
show_epoch (SlStatusLine *self, SlSession *session)
{
  const SlDataset *dataset = sl_session_dataset (session);

  if (dataset != NULL && dataset->n[SL_TRAIN] > 0)
    setf (self->epoch, _ ("epoch %.1f"), sl_session_info (session)->progress.epochs);
  else
    set (self->epoch, "");
}

void
sl_status_line_update (SlStatusLine *self, SlSession *session)
{
  const SlSessionInfo *info = sl_session_info (session);
  SlSessionState       state = sl_session_state (session);
  gboolean             running = state == SL_RUNNING;
  gboolean             stored = sl_session_shows_stored (session);
  g_autofree char     *step = sl_grouped (stored ? sl_session_stored_step (session) : info->step);
  double               fast = speed_of (session);
  char                 speed[32], ended[SL_MESSAGE_SIZE];

  g_return_if_fail (SL_IS_STATUS_LINE (self));
  if (state == SL_FINISHED && info->ended.packed[0] != '\0')
    set (self->state, sl_message_show (info->ended.packed, sl_words, ended, sizeof ended));
  else if (stored)
    set (self->state, _ ("stored run"));
  else
    set (self->state, state_text (state));
  gtk_widget_set_visible (GTK_WIDGET (self->waits), sl_session_waits (session));
  if (sl_session_lab (session) != NULL)
    {
      setf (self->step, "%s %s", sl_words (sl_lab_each_step (sl_session_lab (session))), step);
      setf (self->seed, _ ("seed %llu"), (unsigned long long) sl_session_seed (session));
    }
  else
    {
      set (self->step, "");
      set (self->seed, "");
    }
  if (running && fast > 0.0)
    setf (self->speed, _ ("%s updates/s"), sl_number_text (fast, 3, speed, sizeof speed));
  else
    set (self->speed, "");
  if (running && info->gflops >= 0.1)
    setf (self->work, _ ("%s GFLOP/s"), sl_number_text (info->gflops, 3, speed, sizeof speed));
  else
    set (self->work, "");
  if (stored)
    set (self->epoch, "");
  else
    show_epoch (self, session);
  show_best (self, sl_session_record (session));
  show_eta (self, info, fast);
  /* In the place at the right end: nothing else moves. */
  set (self->next, sl_session_lab (session) != NULL && sl_session_is_loading (session)
                     ? _ ("loading another run")
                     : "");
}

void
sl_status_line_sum_up (SlStatusLine *self, SlGroup *group)
{
  guint64          steps = 0;
  unsigned         n = sl_group_size (group), begun = 0;
  gboolean         waits = FALSE;
  g_autofree char *updates = NULL;

  g_return_if_fail (SL_IS_STATUS_LINE (self));
  for (unsigned i = 0; i < n; i++)
    {
      begun += sl_session_lab (sl_group_session (group, i)) != NULL;
      steps += sl_session_info (sl_group_session (group, i))->step;
      waits = waits || sl_session_waits (sl_group_session (group, i));
    }
  updates = sl_grouped (steps);
  set (self->state, state_text (begun == 0                    ? SL_LOADING
                                : sl_group_is_running (group) ? SL_RUNNING
                                                              : SL_PAUSED));
  gtk_widget_set_visible (GTK_WIDGET (self->waits), waits);
  setf (self->step, ngettext ("%u run side by side", "%u runs side by side", n), n);
  setf (self->speed, _ ("%s updates"), updates);
  set (self->work, "");
  set (self->epoch, "");
  set (self->best, "");
  set (self->eta, "");
  setf (self->seed, _ ("seed %llu"), (unsigned long long) sl_group_seed (group));
  set (self->next, "");
}

void
sl_status_line_hide_best (SlStatusLine *self, gboolean hidden)
{
  g_return_if_fail (SL_IS_STATUS_LINE (self));
  self->hidden = hidden;
  if (hidden)
    set (self->best, "");
}

/* ---- room ---- */

/* px between two facts, and the facts that are always there. */
enum { GAP = 14, ALWAYS = 2, N_FACTS = 10 };

static void
facts_of (SlStatusLine *self, GtkWidget *fact[N_FACTS])
{
  GtkLabel *const label[N_FACTS]
    = { self->state, self->step,  self->waits, self->best, self->speed,
        self->eta,   self->epoch, self->seed,  self->work, self->next };

  for (unsigned i = 0; i < N_FACTS; i++)
    fact[i] = GTK_WIDGET (label[i]);
}

static int
wished (GtkWidget *widget, GtkOrientation orientation)
{
  int natural;

  gtk_widget_measure (widget, orientation, -1, NULL, &natural, NULL, NULL);
  return natural;
}

static void
sl_status_line_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                        int *natural, int *minimum_baseline, int *natural_baseline)
{
  GtkWidget *fact[N_FACTS];
  gboolean   across = orientation == GTK_ORIENTATION_HORIZONTAL;

  *minimum = *natural = 0;
  facts_of (SL_STATUS_LINE (widget), fact);
  for (unsigned i = 0; i < N_FACTS; i++)
    if (gtk_widget_get_visible (fact[i]))
      {
        int wish = wished (fact[i], orientation);

        *natural = across ? *natural + wish + (*natural > 0 ? GAP : 0) : MAX (*natural, wish);
        if (!across || i < ALWAYS)
          *minimum = *natural;
      }
}

/* The most important facts are placed first; facts for which there is no room are hidden. */
static void
sl_status_line_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GtkWidget *fact[N_FACTS], *next = GTK_WIDGET (SL_STATUS_LINE (widget)->next);
  int        used = 0, x = 0;

  facts_of (SL_STATUS_LINE (widget), fact);
  for (unsigned i = 0; i < N_FACTS; i++)
    {
      int wish
        = gtk_widget_get_visible (fact[i]) ? wished (fact[i], GTK_ORIENTATION_HORIZONTAL) : 0;
      gboolean fits = i < ALWAYS || used + wish <= width;

      gtk_widget_set_child_visible (fact[i], fits);
      if (fits && wish > 0)
        used += wish + GAP;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_get_visible (child) && gtk_widget_get_child_visible (child))
      {
        int wish = wished (child, GTK_ORIENTATION_HORIZONTAL);

        gtk_widget_size_allocate (
          child, &(GtkAllocation) { child == next ? MAX (x, width - wish) : x, 0, wish, height },
          -1);
        x += wish + GAP;
      }
}

static void
sl_status_line_class_init (SlStatusLineClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  widget->measure = sl_status_line_measure;
  widget->size_allocate = sl_status_line_size_allocate;
  sl_widget_class_set_template (widget, "status/line.ui");
  sl_widget_class_bind_children (
    widget, SL_CHILD (SlStatusLine, state), SL_CHILD (SlStatusLine, waits),
    SL_CHILD (SlStatusLine, step), SL_CHILD (SlStatusLine, speed), SL_CHILD (SlStatusLine, work),
    SL_CHILD (SlStatusLine, epoch), SL_CHILD (SlStatusLine, best), SL_CHILD (SlStatusLine, eta),
    SL_CHILD (SlStatusLine, seed), SL_CHILD (SlStatusLine, next), NULL);
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_STATUS);
}

static void
sl_status_line_init (SlStatusLine *self)
{
  self->channel = -1;
  self->lowest = HUGE_VAL;
  gtk_widget_init_template (GTK_WIDGET (self));
  sl_widget_label (GTK_WIDGET (self), _ ("Status"));
}
