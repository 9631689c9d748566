/* SPDX-License-Identifier: MIT */
#include "ui/window/plots/plots.h"

#include "ui/carry/dialog.h"
#include "ui/export/job.h"

typedef struct SlWindowCarry
{
  gboolean resting; /* all sessions, while a run is carried out */
  gboolean ran;     /* what is shown, before */
} Carry;

/* One that loads is waited for. */
static void
rest (SlSession *session, gpointer all)
{
  if (sl_session_is_loading (session))
    {
      *(gboolean *) all = FALSE;
      return;
    }
  sl_session_ask_to_stop (session);
  if (sl_session_has_stopped (session))
    sl_session_stop (session);
  else
    *(gboolean *) all = FALSE;
}

static gboolean
rest_all (gpointer window)
{
  Carry   *carry = sl_window_parts (window)->carry;
  SlStage *stage = sl_window_stage (window);
  gboolean all = TRUE;

  if (!carry->resting)
    {
      carry->ran = sl_stage_is_running (stage);
      carry->resting = TRUE;
      sl_stage_pause (stage);
      sl_stage_rest_unseen (stage);
    }
  sl_stage_each (stage, rest, &all);
  return all;
}

static void
go_on (gpointer window)
{
  Carry   *carry = sl_window_parts (window)->carry;
  SlStage *stage = sl_window_stage (window);

  sl_stage_follow_unseen (stage);
  if (carry->ran)
    sl_stage_run (stage);
  carry->resting = FALSE;
}

static void
tell_saved (gpointer window, const char *path)
{
  sl_window_tell_saved (window, path);
}

static void
on_carry (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  SlExportPanels shown = sl_export_shown (sl_window_get_grid (window));
  gboolean       film = g_str_equal (g_action_get_name (G_ACTION (action)), "export-film");

  sl_carry_dialog_open (window, sl_window_get_session (window), &shown, film,
                        (SlCarryHost) { window, rest_all, go_on, tell_saved });
}

/* There is nothing to carry before the first update; a stored run that is only shown has its changes elsewhere. */
static void
update (SlWindow *self)
{
  SlSession *session = sl_window_get_session (self);
  gboolean   any = sl_session_lab (session) != NULL && !sl_window_shows_overview (self)
                 && !sl_session_is_loading (session) && sl_session_info (session)->step > 0;

  sl_window_enable (self, "export-page", any);
  sl_window_enable (self, "export-film", any);
}

void
sl_window_add_carry (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "export-page", .activate = on_carry },
    { .name = "export-film", .activate = on_carry },
  };

  sl_window_parts (self)->carry = g_new0 (Carry, 1);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  sl_window_watch (self, "progress", update);
}

void
sl_window_drop_carry (SlWindow *self)
{
  g_clear_pointer (&sl_window_parts (self)->carry, g_free);
}
