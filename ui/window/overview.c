/* SPDX-License-Identifier: MIT
 *
 * The start page in the window: which of its sessions the window shows.  There is one of its own,
 * which the sidebar's labs and opened files run in, and those of the group, one of which a click
 * on the start page brings to the front with all its panels.  Only what is shown trains.  */
#include <glib/gi18n.h>

#include "core/run/base/language.h"
#include "ui/window/private.h"

enum { FIRST_SEED = 1 };

guint64
sl_window_seed (SlWindow *self)
{
  if (sl_session_lab (self->session) != NULL)
    return sl_session_seed (self->session);
  return self->group != NULL ? sl_group_seed (self->group) : FIRST_SEED;
}

/* ---- what it shows ---- */

static void
show_title (SlWindow *self)
{
  const char *data = "";

  for (unsigned i = 0; i < sl_group_size (self->group); i++)
    {
      const SlDataset *set = sl_session_dataset (sl_group_session (self->group, i));

      if (set != NULL)
        data = sl_words (set->title);
    }
  adw_window_title_set_title (self->title, _ ("At a glance"));
  adw_window_title_set_subtitle (self->title, data);
}

void
sl_window_overview_changed (SlWindow *self)
{
  const GError *error = sl_group_error (self->group);

  show_title (self);
  sl_banner_show (self->diverged, NULL);
  sl_window_show_trouble (self, error != NULL ? error->message : self->complaint, FALSE);
  sl_window_show_running (self, sl_group_is_running (self->group));
  sl_window_show_status (self);
  sl_window_update_actions (self);
}

static void
on_group (SlWindow *self)
{
  if (self->in_overview)
    sl_window_overview_changed (self);
}

/* ---- coming and going ---- */

static void
take_group (SlWindow *self, SlGroup *group)
{
  self->group = g_object_ref (group);
  g_signal_connect_swapped (group, "changed", G_CALLBACK (on_group), self);
  sl_overview_set_rate (self->overview, sl_prefs_get_double (self->prefs, "redraw-rate"));
  sl_overview_set_group (self->overview, group);
}

static void
hint_once (SlWindow *self)
{
  if (sl_prefs_get_boolean (self->prefs, "glance-seen"))
    return;
  g_object_set (self->prefs, "glance-seen", TRUE, NULL);
  sl_window_hint (self, _ ("Move s, r or k and watch the curves"));
}

void
sl_window_show_overview (SlWindow *self)
{
  if (self->in_overview)
    return;
  if (self->group == NULL)
    {
      g_autoptr (SlGroup) group = sl_group_new ();

      sl_group_set_store (group, self->store);
      sl_group_start (group, NULL, sl_window_seed (self), TRUE);
      take_group (self, group);
    }
  gtk_widget_activate_action (GTK_WIDGET (self), "win.lesson-leave", NULL);
  sl_window_keep_view (self);
  sl_window_pair_left (self, NULL);
  sl_window_leave_runs (self);
  self->in_overview = TRUE;
  if (sl_session_state (self->own) == SL_RUNNING)
    {
      self->own_held = TRUE;
      sl_session_pause (self->own);
    }
  sl_group_focus (self->group, NULL);
  sl_sidebar_set_overview (self->sidebar, TRUE);
  gtk_stack_set_visible_child_name (self->pages, "glance");
  sl_window_overview_changed (self);
  if (sl_overview_get_n_cards (self->overview) > 0)
    gtk_widget_grab_focus (
      GTK_WIDGET (sl_overview_card_get_view (sl_overview_get_card (self->overview, 0))));
}

static void
leave_for (SlWindow *self, SlSession *session)
{
  self->in_overview = FALSE;
  if (self->group != NULL)
    sl_group_focus (self->group, session);
  sl_sidebar_set_overview (self->sidebar, FALSE);
  sl_window_set_session (self, session);
}

/* Its first run need not read data that are there already. */
static void
share_data (SlWindow *self)
{
  for (unsigned i = 0; self->group != NULL && i < sl_group_size (self->group); i++)
    if (sl_session_lab (self->own) == NULL && !sl_session_is_loading (self->own))
      sl_session_share_data (self->own, sl_group_session (self->group, i));
}

void
sl_window_show_own (SlWindow *self)
{
  if (!self->in_overview && self->session == self->own)
    return;
  share_data (self);
  leave_for (self, self->own);
  if (self->own_held)
    sl_session_run (self->own);
  self->own_held = FALSE;
}

void
sl_window_set_group (SlWindow *self, SlGroup *group)
{
  take_group (self, group);
  sl_window_show_overview (self);
  hint_once (self);
}

SlOverview *
sl_window_get_overview (SlWindow *self)
{
  return self->overview;
}

gboolean
sl_window_shows_overview (SlWindow *self)
{
  return self->in_overview;
}

gboolean
sl_window_is_closer (SlWindow *self)
{
  for (unsigned i = 0; !self->in_overview && self->group != NULL && i < sl_group_size (self->group);
       i++)
    if (sl_group_session (self->group, i) == self->session)
      return TRUE;
  return FALSE;
}

/* ---- what it does ---- */

static void
on_overview (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_window_show_overview (data);
}

static void
on_closer (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow   *self = data;
  const char *id = g_variant_get_string (parameter, NULL);

  for (unsigned i = 0; self->group != NULL && i < sl_group_size (self->group); i++)
    if (g_str_equal (sl_group_lab (self->group, i)->id, id)
        && sl_session_lab (sl_group_session (self->group, i)) != NULL)
      {
        leave_for (self, sl_group_session (self->group, i));
        return;
      }
}

static void
on_role (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow   *self = data;
  const char *symbol;
  double      value;

  g_variant_get (parameter, "(&sd)", &symbol, &value);
  for (SlHeadline r = SL_HEADLINE_NONE + 1; self->in_overview && r < SL_N_HEADLINES; r++)
    if (g_str_equal (sl_headline_symbol (r), symbol))
      sl_group_set_headline (self->group, r, value);
}

void
sl_window_add_overview (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "glance", .activate = on_overview },
    { .name = "closer", .activate = on_closer, .parameter_type = "s" },
    { .name = "role", .activate = on_role, .parameter_type = "(sd)" },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

gboolean
sl_window_overview_does (SlWindow *self, const char *name)
{
  if (!self->in_overview)
    return FALSE;
  if (g_str_equal (name, "run"))
    sl_group_run (self->group);
  else if (g_str_equal (name, "pause"))
    sl_group_pause (self->group);
  else if (g_str_equal (name, "toggle"))
    (sl_group_is_running (self->group) ? sl_group_pause : sl_group_run) (self->group);
  else if (g_str_equal (name, "step"))
    sl_group_step (self->group);
  else if (g_str_equal (name, "rewind"))
    sl_group_restart (self->group, sl_group_seed (self->group));
  else if (g_str_equal (name, "reseed"))
    sl_group_restart (self->group, (guint64) g_random_int_range (1, 1000000));
  return TRUE;
}

void
sl_window_stop_group (SlWindow *self)
{
  if (self->group != NULL)
    sl_group_stop (self->group);
}

void
sl_window_drop_group (SlWindow *self)
{
  if (self->group != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->group, self);
      sl_overview_set_group (self->overview, NULL);
    }
  g_clear_object (&self->group);
  g_clear_object (&self->own);
}
