/* SPDX-License-Identifier: MIT */
#include "ui/status/timeline.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/run/base/language.h"
#include "core/run/record/history.h"
#include "ui/kit/widget.h"

struct _SlTimeline
{
  GtkWidget parent_instance;

  GtkWidget     *box, *back, *on;
  GtkLabel      *place;
  GtkScale      *scale;
  GtkAdjustment *range;

  SlSession *session;
  uint64_t   stop[SL_HISTORY_MAX]; /* (n_stops) as they are marked on the scale */
  unsigned   n_stops, n_changes;
  gboolean   following; /* the scale is being moved by the session */
};

G_DEFINE_FINAL_TYPE (SlTimeline, sl_timeline, GTK_TYPE_WIDGET)

/* Checkpoints below, changes and where the run branched off above. */
static void
mark_stops (SlTimeline *self)
{
  const SlRecord *record = sl_session_record (self->session);
  const uint64_t *stop;
  unsigned        n;

  stop = sl_session_checkpoints (self->session, &n);
  if (n == self->n_stops && memcmp (stop, self->stop, n * sizeof *stop) == 0
      && record->n_flags == self->n_changes)
    return;
  gtk_scale_clear_marks (self->scale);
  for (unsigned i = 0; i < record->n_flags; i++)
    gtk_scale_add_mark (self->scale, record->flag[i].step - 1.0, GTK_POS_TOP, NULL);
  self->n_changes = record->n_flags;
  for (unsigned i = 0; i < n; i++)
    {
      self->stop[i] = stop[i];
      gtk_scale_add_mark (self->scale, (double) stop[i], GTK_POS_BOTTOM, NULL);
    }
  self->n_stops = n;
}

void
sl_timeline_update (SlTimeline *self)
{
  const SlSessionInfo *info;
  g_autofree char     *place = NULL;
  const char          *step;
  gboolean             visiting;
  double               present;

  g_return_if_fail (SL_IS_TIMELINE (self));
  if (self->session == NULL || !gtk_widget_get_visible (GTK_WIDGET (self)))
    return;
  info = sl_session_info (self->session);
  visiting = sl_session_is_visiting (self->session);
  present = (double) sl_session_present (self->session);
  self->following = TRUE;
  gtk_adjustment_set_upper (self->range, MAX (present, 1.0));
  gtk_adjustment_set_step_increment (self->range, MAX (present / 100.0, 1.0));
  gtk_adjustment_set_page_increment (self->range, MAX (present / 10.0, 1.0));
  gtk_adjustment_set_value (self->range, (double) info->step);
  self->following = FALSE;
  mark_stops (self);
  step = sl_session_lab (self->session) != NULL
           ? sl_words (sl_lab_each_step (sl_session_lab (self->session)))
           : "";
  /* Translators: what a step is called, "update", and its number. */
  place = visiting ? g_strdup_printf (_ ("%s %llu of %llu"), step, (unsigned long long) info->step,
                                      (unsigned long long) present)
                   : g_strdup_printf (_ ("now, %s %llu"), step, (unsigned long long) info->step);
  gtk_label_set_label (self->place, place);
  gtk_widget_set_sensitive (GTK_WIDGET (self->scale),
                            self->n_stops > 0 && sl_session_state (self->session) != SL_DIVERGED);
  gtk_widget_set_visible (self->back, visiting);
  gtk_widget_set_visible (self->on, visiting);
}

/* The session answers with where it went, and the scale follows. */
static void
on_moved (SlTimeline *self)
{
  double value = gtk_adjustment_get_value (self->range);

  if (self->following || self->session == NULL)
    return;
  if (value >= gtk_adjustment_get_upper (self->range))
    sl_session_visit (self->session, UINT64_MAX);
  else
    sl_session_visit (self->session, (uint64_t) MAX (value, 0.0));
}

/* Arrow keys go from checkpoint to checkpoint. */
static gboolean
on_scroll (SlTimeline *self, GtkScrollType scroll, double value, GtkRange *range)
{
  uint64_t at = sl_session_info (self->session)->step;
  gboolean down = scroll == GTK_SCROLL_STEP_BACKWARD || scroll == GTK_SCROLL_STEP_LEFT
                  || scroll == GTK_SCROLL_STEP_DOWN;
  gboolean up = scroll == GTK_SCROLL_STEP_FORWARD || scroll == GTK_SCROLL_STEP_RIGHT
                || scroll == GTK_SCROLL_STEP_UP;
  uint64_t to = up ? UINT64_MAX : 0;

  if (!up && !down)
    return FALSE;
  for (unsigned i = 0; i < self->n_stops; i++)
    {
      if (down && self->stop[i] < at)
        to = self->stop[i];
      if (up && self->stop[i] > at && to == UINT64_MAX)
        to = self->stop[i];
    }
  sl_session_visit (self->session, to);
  return TRUE;
}

void
sl_timeline_set_session (SlTimeline *self, SlSession *session)
{
  g_return_if_fail (SL_IS_TIMELINE (self));
  g_set_object (&self->session, session);
  self->n_stops = self->n_changes = 0;
  gtk_scale_clear_marks (self->scale);
  sl_timeline_update (self);
}

static void
sl_timeline_dispose (GObject *object)
{
  SlTimeline *self = SL_TIMELINE (object);

  g_clear_object (&self->session);
  sl_widget_dispose (object);
}

static void
sl_timeline_class_init (SlTimelineClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_timeline_dispose;
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  sl_widget_class_set_template (widget, "status/timeline.ui");
  sl_widget_class_bind_children (widget, SL_CHILD (SlTimeline, box), SL_CHILD (SlTimeline, back),
                                 SL_CHILD (SlTimeline, on), SL_CHILD (SlTimeline, place),
                                 SL_CHILD (SlTimeline, scale), SL_CHILD (SlTimeline, range), NULL);
  gtk_widget_class_bind_template_callback (widget, on_moved);
}

static void
sl_timeline_init (SlTimeline *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_swapped (self->scale, "change-value", G_CALLBACK (on_scroll), self);
  g_signal_connect (self, "notify::visible", G_CALLBACK (sl_timeline_update), NULL);
}
