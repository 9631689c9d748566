/* SPDX-License-Identifier: MIT
 *
 * The menu of what can be taken back: a change is chosen, and it and all that came after it are
 * taken back, one after another, because each may lead to another run, which is read from the
 * store.  */
#include "ui/window/controllers.h"

#include <glib/gi18n.h>

#include "core/run/base/language.h"
#include "ui/kit/widget.h"

enum { LISTED = 15 };

typedef struct SlWindowHistory
{
  char      *listed;     /* what the menu has, a line each */
  SlSession *session;    /* of the changes that are being taken back, only compared */
  unsigned   left;       /* how many there still are */
  unsigned   generation; /* of the run that one of them has to end first; 0: none */
  gboolean   busy;
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
    add_item (menu, _ ("Nothing to Undo"), 0); /* which is no number of changes, and disabled */
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
        sl_window_return (self, uuid);
      else if (!sl_session_undo (session, FALSE, text))
        history->left = 0;
      else if (!sl_session_is_loading (session))
        history->generation = 0;
    }
}

void
sl_window_history_changed (SlWindow *self)
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

static void
on_undo_to (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  History *history = history_of (data);

  history->session = sl_window_get_session (data);
  history->left = g_variant_get_uint32 (parameter);
  history->generation = 0;
  sl_window_history_changed (data);
}

void
sl_window_history_stop (SlWindow *self)
{
  history_of (self)->left = 0;
}

void
sl_window_add_history (SlWindow *self)
{
  static const GActionEntry entries[]
    = { { .name = "undo-to", .activate = on_undo_to, .parameter_type = "u" } };

  sl_window_parts (self)->history = g_new0 (History, 1);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
sl_window_drop_history (SlWindow *self)
{
  History *history = g_steal_pointer (&sl_window_parts (self)->history);

  g_free (history->listed);
  g_free (history);
}
