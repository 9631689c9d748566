/* SPDX-License-Identifier: MIT
 *
 * The overview, which is the start page, in the window.  */
#include "ui/window/frame/frame.h"

#include <glib/gi18n.h>

#include "core/labs/registry.h"
#include "ui/form/rail.h"
#include "ui/kit/toast.h"

static void
hint_once (SlWindow *self)
{
  SlPrefs *prefs = sl_window_get_prefs (self);

  if (sl_prefs_get_boolean (prefs, "glance-seen"))
    return;
  g_object_set (prefs, "glance-seen", TRUE, NULL);
  sl_toast_add (sl_overview_get_hints (sl_window_get_overview (self)),
                _ ("Move s, r or k and watch the curves"), NULL, NULL);
}

static void
focus_first_card (SlOverview *overview)
{
  if (sl_overview_get_n_cards (overview) > 0)
    gtk_widget_grab_focus (
      GTK_WIDGET (sl_overview_card_get_view (sl_overview_get_card (overview, 0))));
}

/* A lab that is chosen is marked at once, and its data may be long in coming. */
static void
mark_place (SlWindow *self)
{
  sl_rail_set_shown (
    sl_window_child (self, "rail"),
    sl_window_shows_overview (self) ? NULL : sl_session_lab_to_come (sl_window_get_session (self)));
}

/* On the start page there is nothing to set but its sliders, and before the first run nothing at all. */
static void
show_place (SlWindow *self)
{
  const SlLab *lab = sl_session_lab (sl_window_get_session (self));
  gboolean     start = sl_window_shows_overview (self);

  mark_place (self);
  gtk_widget_set_visible (sl_window_child (self, "sidebar_button"), !start && lab != NULL);
  sl_window_enable (self, "sidebar", !start && lab != NULL);
  sl_window_fold (self);
}

static void
on_shown (SlWindow *self)
{
  SlOverview *overview = sl_window_get_overview (self);
  SlGroup    *group = sl_stage_shown_group (sl_window_stage (self));
  gboolean    shown = sl_window_shows_overview (self);

  if (group != sl_overview_get_group (overview))
    {
      sl_overview_set_group (overview, group);
      sl_overview_set_rate (overview,
                            sl_prefs_get_double (sl_window_get_prefs (self), "redraw-rate"));
    }
  show_place (self);
  if (shown)
    focus_first_card (overview);
}

void
sl_window_set_group (SlWindow *self, SlGroup *group)
{
  sl_stage_set_group (sl_window_stage (self), group);
  hint_once (self);
}

void
sl_window_show_overview (SlWindow *self)
{
  sl_stage_show_overview (sl_window_stage (self));
}

static void
on_overview (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_window_show_overview (data);
}

/* One that is not there yet has no plots. */
static void
on_closer (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlStage     *stage = sl_window_stage (data);
  SlGroup     *group = sl_stage_group (stage);
  const SlLab *lab = sl_lab_find (g_variant_get_string (parameter, NULL));

  for (unsigned i = 0; group != NULL && i < sl_group_size (group); i++)
    if (sl_group_lab (group, i) == lab && sl_session_lab (sl_group_session (group, i)) != NULL)
      sl_stage_show_closer (stage, lab);
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
      sl_group_set_headline (sl_stage_shown_group (sl_window_stage (data)), h, value);
}

void
sl_window_add_overview (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "glance", .activate = on_overview },
    { .name = "closer", .activate = on_closer, .parameter_type = "s" },
    { .name = "role", .activate = on_headline, .parameter_type = "(sd)" },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  sl_window_watch (self, "shown", on_shown);
  sl_window_watch (self, "restarted", show_place);
  sl_window_watch (self, "state", mark_place);
}
