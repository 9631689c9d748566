/* SPDX-License-Identifier: MIT */
#include "ui/grid/moments-bar.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/run/base/language.h"
#include "ui/kit/number.h"
#include "ui/kit/widget.h"

struct _SlMomentsBar
{
  GtkWidget parent_instance;

  GtkWidget     *box, *hint;
  GtkButton     *play;
  GtkLabel      *place;
  GtkScale      *scale;
  GtkAdjustment *range;

  SlSession *session;
  unsigned   panel;
  gboolean   following; /* the scale is being moved by this widget */
  guint      playing;   /* timeout, or 0 */

  gboolean   chosen; /* the record shows a moment: */
  SlRecord   record; /* its lab is NULL before the first one */
  SlSnapshot snapshot;
  unsigned   example; /* that was shown when it was chosen */
};

G_DEFINE_FINAL_TYPE (SlMomentsBar, sl_moments_bar, GTK_TYPE_WIDGET)

enum { LEAST = 2, FRAME_MS = 100, LINE = 80 };

static unsigned
count (SlMomentsBar *self)
{
  return self->session != NULL ? sl_moments_count (sl_session_moments (self->session)) : 0;
}

/* The number of the moment that is shown; where the run is followed, that of the newest. */
static unsigned
place_of (SlMomentsBar *self)
{
  unsigned n = count (self);

  if (!self->chosen || n == 0)
    return n > 0 ? n - 1 : 0;
  return sl_moments_find (sl_session_moments (self->session), self->snapshot.step);
}

static void
show_place (SlMomentsBar *self)
{
  char line[LINE];

  if (self->chosen)
    {
      g_autofree char *step = sl_grouped (self->snapshot.step);

      /* Translators: what a step is called, "update", and its number. */
      g_snprintf (line, sizeof line, _ ("%s %s"), sl_words (sl_lab_each_step (self->record.lab)),
                  step);
    }
  else
    g_strlcpy (line, _ ("now"), sizeof line);
  if (g_strcmp0 (gtk_label_get_label (self->place), line) != 0)
    {
      gtk_label_set_label (self->place, line);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->scale),
                                      GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, line, -1);
    }
  gtk_widget_set_visible (self->hint,
                          self->chosen && sl_session_subject (self->session)->n_own > 0);
}

static void
show (SlMomentsBar *self)
{
  unsigned n = count (self);

  gtk_widget_set_visible (GTK_WIDGET (self), n >= LEAST);
  if (n < LEAST)
    return;
  self->following = TRUE;
  gtk_adjustment_set_upper (self->range, n - 1.0);
  gtk_adjustment_set_value (self->range, place_of (self));
  self->following = FALSE;
  show_place (self);
}

/* What the button does. */
static void
show_play (SlMomentsBar *self)
{
  gboolean    plays = self->playing != 0;
  const char *says = plays ? _ ("Stop at this moment") : _ ("Play the moments of training");

  gtk_button_set_icon_name (self->play, plays ? "media-playback-pause-symbolic"
                                              : "media-playback-start-symbolic");
  sl_widget_tip (GTK_WIDGET (self->play), says);
  sl_widget_label (GTK_WIDGET (self->play), says);
}

static void
stop (SlMomentsBar *self)
{
  if (self->playing == 0)
    return;
  g_clear_handle_id (&self->playing, g_source_remove);
  show_play (self);
}

gboolean
sl_moments_bar_go_to_now (SlMomentsBar *self)
{
  g_return_val_if_fail (SL_IS_MOMENTS_BAR (self), FALSE);
  stop (self);
  if (!self->chosen)
    return FALSE;
  self->chosen = FALSE;
  show (self);
  g_signal_emit_by_name (self, "moment");
  return TRUE;
}

/* Makes the record show a moment; FALSE where that cannot be. */
static gboolean
restore (SlMomentsBar *self, unsigned i)
{
  const SlLab *lab = sl_session_lab (self->session);
  SlStatus     status = sl_moments_restore (sl_session_moments (self->session), i, &self->snapshot);

  if (sl_ok (&status) && self->record.lab == NULL)
    status = sl_record_init (&self->record, lab, sl_session_settings (self->session),
                             sl_session_generation (self->session));
  self->snapshot.panel = self->panel;
  self->snapshot.generation = self->record.generation;
  return sl_ok (&status) && sl_record_show (&self->record, &self->snapshot);
}

/* The last one is now. */
static void
choose (SlMomentsBar *self, unsigned i)
{
  if (i + 1 >= count (self) || !restore (self, i))
    {
      sl_moments_bar_go_to_now (self);
      return;
    }
  self->chosen = TRUE;
  self->example = sl_session_example (self->session);
  show (self);
  g_signal_emit_by_name (self, "moment");
}

static void
on_moved (SlMomentsBar *self)
{
  if (!self->following)
    choose (self, (unsigned) lround (gtk_adjustment_get_value (self->range)));
}

static gboolean
on_frame (gpointer data)
{
  SlMomentsBar *self = data;

  choose (self, place_of (self) + 1);
  return self->playing != 0;
}

static void
on_play (SlMomentsBar *self)
{
  if (self->playing != 0)
    {
      stop (self);
      return;
    }
  if (!self->chosen)
    choose (self, 0);
  self->playing = g_timeout_add (FRAME_MS, on_frame, self);
  show_play (self);
}

/* Another example is to be seen as it is now, and so is a run whose moments were taken back. */
static void
on_samples (SlMomentsBar *self)
{
  const SlMoments *moments = sl_session_moments (self->session);

  if (self->chosen
      && (self->example != sl_session_example (self->session)
          || self->snapshot.step > sl_moments_step (moments, count (self) - 1)))
    sl_moments_bar_go_to_now (self);
  else
    show (self);
}

void
sl_moments_bar_set_session (SlMomentsBar *self, SlSession *session, unsigned panel)
{
  g_return_if_fail (SL_IS_MOMENTS_BAR (self));
  stop (self);
  self->chosen = FALSE;
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_set_object (&self->session, session);
  self->panel = panel;
  if (self->record.lab != NULL)
    sl_record_clear (&self->record);
  if (session != NULL)
    g_signal_connect_swapped (session, "samples", G_CALLBACK (on_samples), self);
  show (self);
}

const SlRecord *
sl_moments_bar_get_record (SlMomentsBar *self)
{
  g_return_val_if_fail (SL_IS_MOMENTS_BAR (self), NULL);
  return self->chosen ? &self->record : NULL;
}

static void
sl_moments_bar_unmap (GtkWidget *widget)
{
  stop (SL_MOMENTS_BAR (widget));
  GTK_WIDGET_CLASS (sl_moments_bar_parent_class)->unmap (widget);
}

static void
sl_moments_bar_dispose (GObject *object)
{
  SlMomentsBar *self = SL_MOMENTS_BAR (object);

  g_clear_handle_id (&self->playing, g_source_remove);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_object (&self->session);
  sl_widget_dispose (object);
}

static void
sl_moments_bar_finalize (GObject *object)
{
  SlMomentsBar *self = SL_MOMENTS_BAR (object);

  if (self->record.lab != NULL)
    sl_record_clear (&self->record);
  sl_snapshot_clear (&self->snapshot);
  G_OBJECT_CLASS (sl_moments_bar_parent_class)->finalize (object);
}

static void
sl_moments_bar_class_init (SlMomentsBarClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_moments_bar_dispose;
  G_OBJECT_CLASS (klass)->finalize = sl_moments_bar_finalize;
  widget->unmap = sl_moments_bar_unmap;
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_GROUP);
  sl_signal_new (SL_TYPE_MOMENTS_BAR, "moment", 0);
  sl_widget_class_set_template (widget, "grid/moments-bar.ui");
  sl_widget_class_bind_children (widget, SL_CHILD (SlMomentsBar, box),
                                 SL_CHILD (SlMomentsBar, hint), SL_CHILD (SlMomentsBar, play),
                                 SL_CHILD (SlMomentsBar, place), SL_CHILD (SlMomentsBar, scale),
                                 SL_CHILD (SlMomentsBar, range), NULL);
  sl_widget_class_bind_callbacks (widget, SL_CALLBACK (on_moved), SL_CALLBACK (on_play), NULL);
}

static void
sl_moments_bar_init (SlMomentsBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  sl_widget_pass_scroll (GTK_WIDGET (self->scale));
  show_play (self);
}
