/* SPDX-License-Identifier: MIT */
#include "ui/window/controllers.h"

#include <glib/gi18n.h>

#include "core/run/base/language.h"
#include "ui/kit/field.h"
#include "ui/kit/toast.h"
#include "ui/status/timeline.h"

/* Key of the toast that leads back to the run before. */
#define OFFER "sl-offer-back"

/* The plot with the focus, if it has changes of notes to take back (or make again), or NULL. */
static SlPlotView *
noted_plot (SlWindow *self, gboolean again)
{
  SlPlotGrid *grid = sl_window_get_grid (self);
  int         focused = sl_plot_grid_get_focused (grid);
  SlPlotView *view = focused >= 0 ? sl_plot_grid_get_view (grid, (unsigned) focused) : NULL;

  return view != NULL && sl_plot_view_can_undo_note (view, again) ? view : NULL;
}

static gboolean
undo_note (SlWindow *self, gboolean again)
{
  SlPlotView *view = noted_plot (self, again);

  if (view == NULL || !sl_plot_view_undo_note (view, again))
    return FALSE;
  sl_window_toast (self, again ? _ ("Change of the note redone") : _ ("Change of the note undone"));
  return TRUE;
}

/* A change that began another run, which goes on where it was left. */
static gboolean
return_to (SlWindow *self, const char *uuid)
{
  if (uuid != NULL)
    sl_window_return (self, uuid);
  return uuid != NULL;
}

static void
undo (SlWindow *self, gboolean rewind)
{
  g_autofree char *sentence = NULL;
  char             text[SL_CHANGE_MARKER_TEXT], words[2 * SL_MESSAGE_SIZE];

  if (return_to (self, sl_session_undo_run (sl_window_get_session (self)))
      || !sl_session_undo (sl_window_get_session (self), rewind, text))
    return;
  sl_message_show (text, sl_words, words, sizeof words);
  sentence = rewind ? g_strdup_printf (_ ("Rewound to before: %s"), words)
                    : g_strdup_printf (_ ("Undone: %s"), words);
  sl_window_toast (self, sentence);
}

/* The form's field with the focus, in which something may be typed, or NULL. */
static GtkEditable *
field_of (SlWindow *self)
{
  return sl_field_with (gtk_window_get_focus (GTK_WINDOW (self)));
}

/* True while the user writes, when Ctrl+Z is for the text. */
static gboolean
is_writing (SlWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  return (GTK_IS_TEXT (focus) || GTK_IS_TEXT_VIEW (focus)) && field_of (self) == NULL;
}

static void
on_undo (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow *self = data;

  sl_window_history_stop (self);
  if (sl_window_can_undelete (self))
    {
      sl_window_undelete (self);
      return;
    }
  if (field_of (self) != NULL && sl_field_drop_typed (field_of (self)))
    return;
  /* A stroke is a new run, so the changes that the run has came after it. */
  if (undo_note (self, FALSE))
    return;
  if (sl_session_can_undo (sl_window_get_session (self)))
    undo (self, FALSE);
  else
    sl_window_repaint (self, FALSE);
}

static void
on_undo_rewind (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  undo (data, TRUE);
}

static void
on_redo (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow        *self = data;
  g_autofree char *sentence = NULL;
  char             text[SL_CHANGE_MARKER_TEXT], words[2 * SL_MESSAGE_SIZE];

  if (undo_note (self, TRUE)
      || return_to (self, sl_session_redo_run (sl_window_get_session (self))))
    return;
  if (!sl_session_redo (sl_window_get_session (self), text))
    {
      sl_window_repaint (self, TRUE);
      return;
    }
  sentence
    = g_strdup_printf (_ ("Redone: %s"), sl_message_show (text, sl_words, words, sizeof words));
  sl_window_toast (self, sentence);
}

static void
on_run_before (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_window_return (data, g_variant_get_string (parameter, NULL));
}

static void
on_timeline (GSimpleAction *action, GVariant *state, gpointer data)
{
  g_simple_action_set_state (action, state);
  sl_window_update_timeline (data);
}

static void
on_visit (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_session_visit (sl_window_get_session (data), g_variant_get_uint64 (parameter));
}

static void
on_present_state (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlSession *session = sl_window_get_session (data);

  if (sl_session_is_visiting (session))
    sl_session_visit (session, UINT64_MAX);
}

void
sl_window_update_timeline (SlWindow *self)
{
  SlSession *session = sl_window_get_session (self);
  GtkWidget *timeline = sl_window_child (self, "timeline");
  g_autoptr (GVariant) wanted = g_action_get_state (sl_window_action (self, "timeline"));
  gboolean plots = !sl_window_shows_overview (self) && !sl_window_shows_runs (self)
                   && sl_session_lab (session) != NULL;
  gboolean edits = plots && !is_writing (self), undoes = edits && sl_session_can_undo (session);
  gboolean shown = plots && (g_variant_get_boolean (wanted) || sl_session_is_visiting (session));

  sl_window_enable (self, "undo",
                    undoes || (sl_window_can_undelete (self) && !is_writing (self))
                      || (edits
                          && (field_of (self) != NULL || noted_plot (self, FALSE) != NULL
                              || sl_window_can_repaint (self, FALSE))));
  sl_window_enable (self, "undo-rewind", undoes);
  sl_window_enable (self, "redo",
                    edits
                      && (sl_session_can_redo (session) || noted_plot (self, TRUE) != NULL
                          || sl_window_can_repaint (self, TRUE)));
  sl_window_enable (self, "visit", plots);
  sl_window_history_changed (self);
  if (gtk_widget_get_visible (timeline) != shown)
    gtk_widget_set_visible (timeline, shown);
  sl_timeline_update (SL_TIMELINE (timeline));
}

/* Only for the newest run; a lesson begins runs of its own. */
void
sl_window_offer_back (SlWindow *self)
{
  SlSession         *session = sl_window_get_session (self);
  AdwToast          *before = g_object_get_data (G_OBJECT (self), OFFER);
  AdwToast          *offer;
  g_autofree char   *action = NULL, *sentence = NULL;
  unsigned long long step;

  /* One that only just came says what the new one would. */
  if (before != NULL && sl_toast_dismiss (before))
    before = NULL;
  if (sl_session_undo_run (session) == NULL || !sl_session_is_new (session)
      || sl_window_in_lesson (self))
    return;
  action = g_strdup_printf ("win.run-before('%s')", sl_session_undo_run (session));
  step = sl_session_present (session);
  sentence = step > 0 ? g_strdup_printf (_ ("New run from update %llu"), step) : NULL;
  if (sentence == NULL)
    sentence = g_strdup (_ ("New run"));
  if (before != NULL)
    {
      adw_toast_set_title (before, sentence);
      adw_toast_set_detailed_action_name (before, action);
      return;
    }
  offer = sl_window_toast_button (self, sentence, _ ("Back to the One Before"), action);
  g_object_set_data_full (G_OBJECT (self), OFFER, g_object_ref (offer), g_object_unref);
}

static void
on_focus (SlWindow *self)
{
  if (sl_window_get_session (self) != NULL)
    sl_window_update_timeline (self);
}

/* Notes are kept as soon as they are written. */
void
sl_window_noted (SlWindow *self)
{
  sl_window_keep_view (self);
  sl_window_update_timeline (self);
}

void
sl_window_add_undo (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "undo", .activate = on_undo },
    { .name = "undo-rewind", .activate = on_undo_rewind },
    { .name = "redo", .activate = on_redo },
    { .name = "run-before", .activate = on_run_before, .parameter_type = "s" },
    { .name = "timeline", .state = "false", .change_state = on_timeline },
    { .name = "visit", .activate = on_visit, .parameter_type = "t" },
    { .name = "present-state", .activate = on_present_state },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect (self, "notify::focus-widget", G_CALLBACK (on_focus), NULL);
}
