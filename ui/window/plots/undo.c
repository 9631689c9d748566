/* SPDX-License-Identifier: MIT
 *
 * Going back: changes, notes and strokes of the brush taken back and made again, a run gone back to, the
 * timeline.  In the menu of what can be taken back a change is chosen, and it and all that came after it are
 * taken back, one after another, because each may lead to another run, which is read from the store.  */
#include <glib/gi18n.h>

#include "core/run/base/language.h"
#include "ui/kit/field.h"
#include "ui/kit/toast.h"
#include "ui/kit/widget.h"
#include "ui/runs/page.h"
#include "ui/status/timeline.h"
#include "ui/window/plots/plots.h"

enum { LISTED = 6 };

typedef struct SlWindowHistory
{
  char      *listed;     /* what the menu has, a line each */
  SlSession *session;    /* of the changes that are being taken back, only compared */
  unsigned   left;       /* how many there still are */
  unsigned   generation; /* of the run that one of them has to end first; 0: none */
  gboolean   busy;
  AdwToast  *offer; /* the last one that leads back to the run before, or NULL */
} History;

static History *
history_of (SlWindow *self)
{
  return sl_window_parts (self)->history;
}

/* ---- the menu ---- */

static void
add_item (GMenu *menu, const char *text, unsigned steps)
{
  g_autofree char *label = sl_widget_menu_label (text);
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target (item, "win.undo-to", "u", steps);
  g_menu_append_item (menu, item);
}

/* The newest first, a line each. */
static char *
dup_list (SlSession *session)
{
  const SlEdits *edits = sl_session_edits (session);
  GString       *text = g_string_new (NULL);
  char           packed[SL_CHANGE_MARKER_TEXT], words[2 * SL_CHANGE_MARKER_TEXT];

  for (guint i = edits->undo->len; i-- > 0 && edits->undo->len - i <= LISTED;)
    {
      sl_edit_text (&g_array_index (edits->undo, SlEdit, i), sl_session_lab (session), packed);
      g_string_append_printf (text, "%s\n",
                              sl_message_show (packed, sl_words, words, sizeof words));
    }
  return g_string_free (text, FALSE);
}

static void
fill_menu (SlWindow *self, const char *list)
{
  GMenu *menu = G_MENU (sl_window_child (self, "history"));
  g_auto (GStrv) lines = g_strsplit (list, "\n", -1);

  g_menu_remove_all (menu);
  for (unsigned i = 0; lines[i] != NULL && lines[i][0] != '\0'; i++)
    add_item (menu, lines[i], i + 1);
  if (list[0] == '\0')
    add_item (menu, _ ("Nothing to undo"), 0); /* which is no number of changes, and disabled */
}

/* ---- taking back ---- */

static gboolean
is_waiting (History *history, SlSession *session)
{
  return history->generation == sl_session_generation (session) || !sl_session_can_undo (session);
}

/* The next one, as soon as the run is there that it belongs to. */
static void
take_back (SlWindow *self)
{
  History   *history = history_of (self);
  SlSession *session = sl_window_get_session (self);
  char       text[SL_CHANGE_MARKER_TEXT];

  if (session != history->session || sl_session_edits (session)->undo->len == 0)
    history->left = 0;
  while (history->left > 0 && !is_waiting (history, session))
    {
      const char *uuid = sl_session_undo_run (session);

      history->left--;
      history->generation = sl_session_generation (session);
      if (uuid != NULL)
        sl_stage_return (sl_window_stage (self), uuid);
      else if (!sl_session_undo (session, FALSE, text))
        history->left = 0;
      else if (!sl_session_is_loading (session))
        history->generation = 0;
    }
}

static void
follow_menu (SlWindow *self)
{
  History         *history = history_of (self);
  SlSession       *session = sl_window_get_session (self);
  g_autofree char *list = NULL;

  if (history->busy)
    return;
  history->busy = TRUE;
  if (history->left > 0)
    take_back (self);
  history->busy = FALSE;
  list = sl_session_lab (session) != NULL && !sl_window_shows_overview (self) ? dup_list (session)
                                                                              : g_strdup ("");
  sl_window_enable (self, "undo-to", list[0] != '\0');
  if (g_strcmp0 (list, history->listed) == 0)
    return;
  fill_menu (self, list);
  g_free (history->listed);
  history->listed = g_steal_pointer (&list);
}

/* ---- one change ---- */

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
    sl_stage_return (sl_window_stage (self), uuid);
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

/* The list of runs is shown, and some were deleted on it. */
static gboolean
can_undelete (SlWindow *self)
{
  return sl_stage_shows_list (sl_window_stage (self))
         && sl_runs_page_can_undelete (sl_window_child (self, "runs"));
}

static void
update (SlWindow *self)
{
  SlSession *session = sl_window_get_session (self);
  GtkWidget *timeline = sl_window_child (self, "timeline");
  gboolean plots = !sl_window_shows_overview (self) && !sl_stage_shows_list (sl_window_stage (self))
                   && sl_session_lab (session) != NULL;
  gboolean edits = plots && !is_writing (self), undoes = edits && sl_session_can_undo (session);
  gboolean shown
    = plots && (sl_window_is_on (self, "timeline") || sl_session_is_visiting (session));

  sl_window_enable (self, "undo",
                    undoes || (can_undelete (self) && !is_writing (self))
                      || (edits
                          && (field_of (self) != NULL || noted_plot (self, FALSE) != NULL
                              || sl_window_can_repaint (self, FALSE))));
  sl_window_enable (self, "undo-rewind", undoes);
  sl_window_enable (self, "redo",
                    edits
                      && (sl_session_can_redo (session) || noted_plot (self, TRUE) != NULL
                          || sl_window_can_repaint (self, TRUE)));
  sl_window_enable (self, "visit", plots);
  follow_menu (self);
  if (gtk_widget_get_visible (timeline) != shown)
    gtk_widget_set_visible (timeline, shown);
  sl_timeline_update (SL_TIMELINE (timeline));
}

static void
on_undo (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow *self = data;

  history_of (self)->left = 0;
  if (can_undelete (self))
    {
      g_action_group_activate_action (data, "undelete", NULL);
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
  sl_stage_return (sl_window_stage (data), g_variant_get_string (parameter, NULL));
}

static void
on_timeline (GSimpleAction *action, GVariant *state, gpointer data)
{
  g_simple_action_set_state (action, state);
  update (data);
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

/* A new run took the place of another one: a toast leads back to it.  Only for the newest run; a lesson
 * begins runs of its own.  */
static void
offer_back (SlWindow *self)
{
  SlSession         *session = sl_window_get_session (self);
  AdwToast         **offer = &history_of (self)->offer;
  g_autofree char   *action = NULL, *sentence = NULL;
  unsigned long long step;

  /* One that only just came says what the new one would. */
  if (*offer != NULL && sl_toast_dismiss (*offer))
    g_clear_object (offer);
  if (sl_session_undo_run (session) == NULL || !sl_session_is_new (session)
      || sl_window_in_lesson (self))
    return;
  action = g_strdup_printf ("win.run-before('%s')", sl_session_undo_run (session));
  step = sl_session_present (session);
  sentence = step > 0 ? g_strdup_printf (_ ("New run started from update %llu"), step)
                      : g_strdup (_ ("New run started"));
  if (*offer == NULL)
    {
      *offer = g_object_ref (sl_window_toast_button (self, sentence, _ ("Undo"), action));
      return;
    }
  adw_toast_set_title (*offer, sentence);
  adw_toast_set_detailed_action_name (*offer, action);
}

static void
on_focus (SlWindow *self)
{
  if (sl_window_get_session (self) != NULL)
    update (self);
}

/* Notes are kept as soon as they are written. */
void
sl_window_noted (SlWindow *self)
{
  sl_window_keep_view (self);
  update (self);
}

static void
on_undo_to (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  History *history = history_of (data);

  history->session = sl_window_get_session (data);
  history->left = g_variant_get_uint32 (parameter);
  history->generation = 0;
  follow_menu (data);
}

void
sl_window_add_undo (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "undo", .activate = on_undo },
    { .name = "undo-to", .activate = on_undo_to, .parameter_type = "u" },
    { .name = "undo-rewind", .activate = on_undo_rewind },
    { .name = "redo", .activate = on_redo },
    { .name = "run-before", .activate = on_run_before, .parameter_type = "s" },
    { .name = "timeline", .state = "false", .change_state = on_timeline },
    { .name = "visit", .activate = on_visit, .parameter_type = "t" },
    { .name = "present-state", .activate = on_present_state },
  };

  sl_window_parts (self)->history = g_new0 (History, 1);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect (self, "notify::focus-widget", G_CALLBACK (on_focus), NULL);
  sl_window_watch (self, "restarted", offer_back);
  sl_window_watch (self, "progress", update);
}

void
sl_window_drop_undo (SlWindow *self)
{
  History *history = g_steal_pointer (&sl_window_parts (self)->history);

  g_clear_object (&history->offer);
  g_free (history->listed);
  g_free (history);
}
