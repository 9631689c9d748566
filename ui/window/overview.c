/* SPDX-License-Identifier: MIT
 *
 * The overview in the window: which session the window shows.  There is one of its own, which the
 * sidebar's labs and opened files run in, that of lessons (lesson/session.c), and those of the group, one of
 * which a click on the overview brings to the front with all its panels.  A lesson shows a group of its own
 * there, and the other one waits.  Only what is shown trains.  */
#include "ui/window/controllers.h"

#include <glib/gi18n.h>

enum { FIRST_SEED = 1 };

typedef struct SlWindowOverview
{
  SlGroup *group; /* or NULL */
  SlGroup *lent;  /* by a lesson, as long as it is shown in place of the group; or NULL */
  gboolean shown;
  gboolean own_held; /* the window's own session was running before */
} Overview;

static Overview *
overview_of (SlWindow *self)
{
  return sl_window_parts (self)->overview;
}

SlGroup *
sl_window_get_group (SlWindow *self)
{
  Overview *overview = overview_of (self);

  return overview->lent != NULL ? overview->lent : overview->group;
}

SlGroup *
sl_window_get_own_group (SlWindow *self)
{
  return overview_of (self)->group;
}

gboolean
sl_window_shows_overview (SlWindow *self)
{
  g_return_val_if_fail (SL_IS_WINDOW (self), FALSE);
  return overview_of (self)->shown;
}

guint64
sl_window_seed (SlWindow *self)
{
  SlGroup   *group = sl_window_get_own_group (self);
  SlSession *session = sl_window_get_session (self);

  if (session == sl_window_get_lesson_session (self))
    session = sl_window_get_own (self);
  if (sl_session_lab (session) != NULL)
    return sl_session_seed (session);
  return group != NULL ? sl_group_seed (group) : FIRST_SEED;
}

void
sl_window_hold_own (SlWindow *self, gboolean held)
{
  overview_of (self)->own_held = held;
}

gboolean
sl_window_own_is_going (SlWindow *self)
{
  return overview_of (self)->own_held || sl_session_state (sl_window_get_own (self)) == SL_RUNNING;
}

/* Pauses the window's own run, which goes on when it is shown again. */
static void
rest_own (SlWindow *self)
{
  SlSession *own = sl_window_get_own (self);

  if (!sl_session_goes (own))
    return;
  sl_window_hold_own (self, TRUE);
  sl_session_pause (own);
}

/* ---- what it shows ---- */

static void
on_group (SlWindow *self)
{
  if (overview_of (self)->shown)
    sl_window_changed (self);
}

/* ---- coming and going ---- */

static void
connect_group (SlWindow *self, SlGroup *group)
{
  g_signal_connect_swapped (group, "changed", G_CALLBACK (on_group), self);
  sl_overview_set_group (sl_window_get_overview (self), group);
}

static void
take_group (SlWindow *self, SlGroup *group)
{
  overview_of (self)->group = g_object_ref (group);
  sl_overview_set_rate (sl_window_get_overview (self),
                        sl_prefs_get_double (sl_window_get_prefs (self), "redraw-rate"));
  connect_group (self, group);
}

/* The lesson is elsewhere, or over: the group is there as it was. */
static void
give_back (SlWindow *self)
{
  Overview *overview = overview_of (self);
  g_autoptr (SlGroup) lent = g_steal_pointer (&overview->lent);

  if (lent == NULL)
    return;
  g_signal_handlers_disconnect_by_data (lent, self);
  sl_overview_set_group (sl_window_get_overview (self), overview->group);
}

static void
begin_group (SlWindow *self)
{
  g_autoptr (SlGroup) group = NULL;

  if (overview_of (self)->group != NULL)
    return;
  group = sl_group_new ();
  sl_group_set_store (group, sl_window_get_store (self));
  if (!sl_window_restore_group (self, group))
    sl_group_start (group, NULL, sl_window_seed (self), TRUE);
  take_group (self, group);
}

static void
hint_once (SlWindow *self)
{
  SlPrefs *prefs = sl_window_get_prefs (self);

  if (sl_prefs_get_boolean (prefs, "glance-seen"))
    return;
  g_object_set (prefs, "glance-seen", TRUE, NULL);
  sl_window_hint (self, _ ("Move s, r or k and watch the curves"));
}

static void
focus_first_card (SlOverview *overview)
{
  if (sl_overview_get_n_cards (overview) > 0)
    gtk_widget_grab_focus (
      GTK_WIDGET (sl_overview_card_get_view (sl_overview_get_card (overview, 0))));
}

void
sl_window_show_overview (SlWindow *self)
{
  Overview *overview;

  g_return_if_fail (SL_IS_WINDOW (self));
  overview = overview_of (self);
  if (overview->shown)
    return;
  begin_group (self);
  sl_window_leave_lesson_for (self, NULL);
  sl_window_keep_view (self);
  sl_window_pair_left (self, NULL);
  sl_window_leave_runs (self);
  overview->shown = TRUE;
  rest_own (self);
  sl_group_focus (sl_window_get_group (self), NULL);
  sl_sidebar_set_overview (sl_window_get_sidebar (self), TRUE);
  sl_window_changed (self);
  focus_first_card (sl_window_get_overview (self));
}

void
sl_window_show_lent (SlWindow *self, SlGroup *group)
{
  Overview *overview = overview_of (self);

  if (overview->lent != group)
    {
      begin_group (self);
      give_back (self);
      sl_group_focus (overview->group, sl_group_session (group, 0));
      overview->lent = g_object_ref (group);
      connect_group (self, group);
    }
  if (overview->shown)
    sl_window_changed (self);
  sl_window_show_overview (self);
}

void
sl_window_end_lent (SlWindow *self)
{
  Overview *overview = overview_of (self);

  if (overview->lent == NULL)
    return;
  give_back (self);
  if (!overview->shown)
    return;
  sl_group_focus (overview->group, NULL);
  sl_window_changed (self);
}

static void
leave_for (SlWindow *self, SlSession *session)
{
  Overview *overview = overview_of (self);

  if (overview->lent != NULL)
    sl_group_focus (overview->lent, session);
  give_back (self);
  sl_window_leave_lesson_for (self, session);
  if (session != sl_window_get_own (self))
    rest_own (self);
  overview->shown = FALSE;
  if (overview->group != NULL)
    sl_group_focus (overview->group, session);
  sl_sidebar_set_overview (sl_window_get_sidebar (self), FALSE);
  sl_window_set_session (self, session);
}

/* The first run of the own session uses data that the overview has already. */
static void
share_data (SlSession *own, SlGroup *group)
{
  for (unsigned i = 0; group != NULL && i < sl_group_size (group); i++)
    if (sl_session_lab (own) == NULL && !sl_session_is_loading (own))
      sl_session_share_data (own, sl_group_session (group, i));
}

void
sl_window_show_own (SlWindow *self)
{
  Overview  *overview = overview_of (self);
  SlSession *own = sl_window_get_own (self);

  if (!overview->shown && sl_window_get_session (self) == own)
    return;
  share_data (own, overview->group);
  leave_for (self, own);
  if (overview->own_held)
    sl_session_run (own);
  overview->own_held = FALSE;
}

void
sl_window_show_other (SlWindow *self, SlSession *session)
{
  if (overview_of (self)->shown || sl_window_get_session (self) != session)
    leave_for (self, session);
}

gboolean
sl_window_show_closer (SlWindow *self, const char *lab)
{
  SlGroup *group;

  begin_group (self);
  group = sl_window_get_own_group (self);
  for (unsigned i = 0; i < sl_group_size (group); i++)
    if (g_str_equal (sl_group_lab (group, i)->id, lab))
      {
        leave_for (self, sl_group_session (group, i));
        return TRUE;
      }
  return FALSE;
}

void
sl_window_set_group (SlWindow *self, SlGroup *group)
{
  g_return_if_fail (SL_IS_WINDOW (self) && SL_IS_GROUP (group));
  take_group (self, group);
  sl_window_show_overview (self);
  hint_once (self);
}

gboolean
sl_window_has_closer (SlWindow *self, SlSession *session)
{
  SlGroup *group = sl_window_get_own_group (self);

  for (unsigned i = 0; group != NULL && i < sl_group_size (group); i++)
    if (sl_group_session (group, i) == session)
      return TRUE;
  return FALSE;
}

gboolean
sl_window_is_closer (SlWindow *self)
{
  return !sl_window_shows_overview (self)
         && sl_window_has_closer (self, sl_window_get_session (self));
}

/* ---- actions ---- */

static void
on_overview (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_window_show_overview (data);
}

static void
on_closer (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlGroup    *group = sl_window_get_own_group (data);
  const char *id = g_variant_get_string (parameter, NULL);

  for (unsigned i = 0; group != NULL && i < sl_group_size (group); i++)
    if (g_str_equal (sl_group_lab (group, i)->id, id)
        && sl_session_lab (sl_group_session (group, i)) != NULL)
      sl_window_show_closer (data, id);
}

static void
on_headline (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *symbol;
  double      value;

  g_variant_get (parameter, "(&sd)", &symbol, &value);
  for (SlHeadline h = SL_HEADLINE_NONE + 1; sl_window_shows_overview (data) && h < SL_N_HEADLINES;
       h++)
    if (g_str_equal (sl_headline_symbol (h), symbol))
      sl_group_set_headline (sl_window_get_group (data), h, value);
}

void
sl_window_add_overview (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "glance", .activate = on_overview },
    { .name = "closer", .activate = on_closer, .parameter_type = "s" },
    { .name = "role", .activate = on_headline, .parameter_type = "(sd)" },
  };

  sl_window_parts (self)->overview = g_new0 (Overview, 1);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
sl_window_drop_overview (SlWindow *self)
{
  Overview *overview = overview_of (self);

  give_back (self);
  if (overview->group != NULL)
    {
      g_signal_handlers_disconnect_by_data (overview->group, self);
      sl_overview_set_group (sl_window_get_overview (self), NULL);
    }
  g_clear_object (&overview->group);
  g_clear_pointer (&sl_window_parts (self)->overview, g_free);
}
