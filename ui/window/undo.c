/* SPDX-License-Identifier: MIT
 *
 * Going back in the window: changes and strokes of the brush taken back and made again, and the
 * timeline.  */
#include <glib/gi18n.h>

#include "ui/window/private.h"

/* The plot with the focus, if it has changes of notes to take back (or make again), or NULL. */
static SlPlotView *
noted_plot (SlWindow *self, gboolean again)
{
  int         focused = sl_plot_grid_get_focused (self->grid);
  SlPlotView *view
    = focused >= 0 ? sl_plot_card_get_view (sl_plot_grid_get_card (self->grid, (unsigned) focused))
                   : NULL;

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

static void
undo (SlWindow *self, gboolean rewind)
{
  g_autofree char *sentence = NULL;
  char             text[SL_CHANGE_MARKER_TEXT];

  if (!sl_session_undo (self->session, rewind, text))
    return;
  sentence = rewind ? g_strdup_printf (_ ("Rewound to before: %s"), text)
                    : g_strdup_printf (_ ("Undone: %s"), text);
  sl_window_toast (self, sentence);
}

static void
on_undo (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow *self = data;

  /* A stroke is a new run, so the changes that the run has came after it. */
  if (undo_note (self, FALSE))
    return;
  if (sl_session_can_undo (self->session))
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
  char             text[SL_CHANGE_MARKER_TEXT];

  if (undo_note (self, TRUE))
    return;
  if (!sl_session_redo (self->session, text))
    {
      sl_window_repaint (self, TRUE);
      return;
    }
  sentence = g_strdup_printf (_ ("Redone: %s"), text);
  sl_window_toast (self, sentence);
}

static void
on_timeline (GSimpleAction *action, GVariant *state, gpointer data)
{
  SlWindow *self = data;

  g_simple_action_set_state (action, state);
  sl_window_update_timeline (self);
}

static void
on_visit (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_session_visit (SL_WINDOW (data)->session, g_variant_get_uint64 (parameter));
}

static void
on_present_state (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow *self = data;

  if (sl_session_is_visiting (self->session))
    sl_session_visit (self->session, UINT64_MAX);
}

static void
enable (SlWindow *self, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  if (g_action_get_enabled (action) != enabled)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

/* Somebody writes, and Ctrl+Z is for the text. */
static gboolean
is_writing (SlWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  return GTK_IS_TEXT (focus) || GTK_IS_TEXT_VIEW (focus);
}

void
sl_window_update_timeline (SlWindow *self)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "timeline");
  g_autoptr (GVariant) wanted = g_action_get_state (action);
  gboolean plots = !self->in_overview && !self->comparing && sl_session_lab (self->session) != NULL;
  gboolean edits = plots && !is_writing (self);
  gboolean shown
    = plots && (g_variant_get_boolean (wanted) || sl_session_is_visiting (self->session));

  enable (self, "undo",
          edits
            && (sl_session_can_undo (self->session) || noted_plot (self, FALSE) != NULL
                || sl_window_can_repaint (self, FALSE)));
  enable (self, "undo-rewind", edits && sl_session_can_undo (self->session));
  enable (self, "redo",
          edits
            && (sl_session_can_redo (self->session) || noted_plot (self, TRUE) != NULL
                || sl_window_can_repaint (self, TRUE)));
  enable (self, "visit", plots);
  if (gtk_widget_get_visible (GTK_WIDGET (self->timeline)) != shown)
    gtk_widget_set_visible (GTK_WIDGET (self->timeline), shown);
  sl_timeline_update (self->timeline);
}

static void
on_focus (SlWindow *self)
{
  if (self->session != NULL)
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
    { .name = "timeline", .state = "false", .change_state = on_timeline },
    { .name = "visit", .activate = on_visit, .parameter_type = "t" },
    { .name = "present-state", .activate = on_present_state },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect (self, "notify::focus-widget", G_CALLBACK (on_focus), NULL);
}
