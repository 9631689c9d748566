/* SPDX-License-Identifier: MIT
 *
 * What a class is offered, as the preferences say: labs and lessons, and the button that begins again.  Actions and
 * files that lead elsewhere are refused by the stage and by the lessons.  */
#include "ui/window/frame/frame.h"

#include <glib/gi18n.h>

#include "core/run/lesson/own.h"
#include "ui/form/rail.h"

#define LABS "classroom-labs"
#define LESSONS "classroom-lessons"

static gboolean
offers_lab (const SlLab *lab, gpointer window)
{
  return sl_prefs_offers (sl_window_get_prefs (window), LABS, lab->id);
}

static gboolean
offers_lessons (SlPrefs *prefs)
{
  g_auto (GStrv) names = sl_all_lessons ();

  for (char **name = names; *name != NULL; name++)
    if (sl_prefs_offers (prefs, LESSONS, *name))
      return TRUE;
  return FALSE;
}

static void
show_offered (SlWindow *self)
{
  SlPrefs *prefs = sl_window_get_prefs (self);
  gboolean lessons = offers_lessons (prefs);

  sl_rail_set_offered (sl_window_child (self, "rail"), offers_lab, self, lessons);
  sl_window_enable (self, "lessons", lessons);
  gtk_widget_set_visible (sl_window_child (self, "begin_again"),
                          sl_prefs_get_private (prefs) != NULL
                            || sl_prefs_get_boolean (prefs, "classroom"));
}

static void
on_locked (SlWindow *self)
{
  sl_window_toast (self, _ ("This lab is not among those for the class"));
}

void
sl_window_follow_classroom (SlWindow *self)
{
  static const char *const changes[] = { "notify::classroom", "notify::" LABS, "notify::" LESSONS };

  for (unsigned i = 0; i < G_N_ELEMENTS (changes); i++)
    g_signal_connect_swapped (sl_window_get_prefs (self), changes[i], G_CALLBACK (show_offered),
                              self);
  sl_stage_set_offers (sl_window_stage (self), offers_lab, self);
  sl_window_watch (self, "locked", on_locked);
  show_offered (self);
}
