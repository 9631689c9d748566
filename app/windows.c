/* SPDX-License-Identifier: MIT
 *
 * What the windows of the program begin with.  */
#include "app/application-private.h"
#include "app/runs.h"
#include "core/run/headless/timing.h"
#include "core/run/lesson/own.h"
#include "core/run/store/workspace.h"

/* How long the first frame is waited for, ms. */
enum { UNPAINTED = 500 };

/* ---- what is there before the window ---- */

/* A bench must not measure the disk, nor leave anything on it. */
static void
open_store (SlApplication *self)
{
  if (self->driver.bench)
    return;
  self->store = sl_runs_open (self->prefs, &self->no_store);
  if (self->store == NULL)
    return;
  sl_session_set_store (self->first, self->store);
  if (sl_prefs_get_boolean (self->prefs, "resume"))
    self->workspace = sl_store_workspace (self->store);
}

/* The four runs of the start page. */
static SlGroup *
make_group (SlApplication *self)
{
  SlGroup *group = sl_group_new ();

  sl_group_set_store (group, self->store);
  return group;
}

/* The lesson that the command line asks for or the class begins with; NULL: none. */
static char *
first_lesson (SlApplication *self, const SlLaunch *launch)
{
  g_auto (GStrv) names = sl_all_lessons ();

  if (launch->lesson != NULL || launch->asked
      || !sl_prefs_chooses (self->prefs, "classroom-lessons"))
    return g_strdup (launch->lesson);
  for (char **name = names; *name != NULL; name++)
    if (sl_prefs_offers (self->prefs, "classroom-lessons", *name))
      return g_strdup (*name);
  return NULL;
}

void
sl_application_prepare_first (SlApplication *self)
{
  g_autofree char *lesson = first_lesson (self, &self->launch);

  g_clear_handle_id (&self->unpainted, g_source_remove);
  g_clear_object (&self->group);
  g_clear_error (&self->no_store);
  self->first = sl_session_new ();
  open_store (self);
  if (self->launch.asked)
    sl_launch_start (&self->launch, self->first);
  else if (self->workspace == NULL && lesson == NULL)
    self->group = make_group (self);
}

/* ---- windows ---- */

static SlWindow *
open_window (SlApplication *self, SlSession *session, SlGroup *group)
{
  SlWindow *window = sl_window_new (GTK_APPLICATION (self), session, self->prefs);

  if (!self->driver.bench)
    sl_window_set_store (window, self->store, self->no_store);
  if (group != NULL)
    sl_window_set_group (window, group);
  gtk_window_present (GTK_WINDOW (window));
  return window;
}

static void
begin_group (SlApplication *self)
{
  g_clear_handle_id (&self->unpainted, g_source_remove);
  if (self->group != NULL)
    sl_group_start (self->group, NULL, self->launch.plan.seed, !self->launch.paused);
  g_clear_object (&self->group);
}

static void
on_painted (GdkFrameClock *clock, SlApplication *self)
{
  g_signal_handlers_disconnect_by_func (clock, on_painted, self);
  begin_group (self);
}

static gboolean
on_unpainted (gpointer data)
{
  SlApplication *self = data;

  self->unpainted = 0;
  begin_group (self);
  return G_SOURCE_REMOVE;
}

/* Four runs that begin would take the cores that the first frame needs. A frame that is not seen is not waited for. */
static void
begin_when_painted (SlApplication *self, GtkWidget *window)
{
  if (self->group == NULL)
    return;
  g_signal_connect_object (gtk_widget_get_frame_clock (window), "after-paint",
                           G_CALLBACK (on_painted), self, 0);
  self->unpainted = g_timeout_add (UNPAINTED, on_unpainted, self);
}

void
sl_application_present (SlWindow *window, const SlLaunch *launch)
{
  gtk_window_present (GTK_WINDOW (window));
  if (launch->present)
    g_action_group_change_action_state (G_ACTION_GROUP (window), "present",
                                        g_variant_new_boolean (TRUE));
}

/* What the command line says; data were opened by the session that was started. */
static void
show_launch (SlWindow *window, const SlLaunch *launch, const char *lesson)
{
  g_autoptr (GError) error = NULL;

  if (sl_launch_is_for_window (launch))
    sl_window_open_file (window, launch->file);
  else if (launch->file != NULL)
    sl_window_began_on (window, launch->file);
  sl_window_open_beside (window, (const char *const *) launch->beside);
  if (lesson != NULL && !sl_window_open_lesson (window, lesson, &error))
    sl_window_report (window, error->message);
  sl_application_present (window, launch);
}

/* The first window, with the session that was started ahead. */
void
sl_application_open_first (SlApplication *self)
{
  g_autoptr (SlSession) session = g_steal_pointer (&self->first);
  g_autofree char *lesson = first_lesson (self, &self->launch);
  SlWindow        *window = open_window (self, session, self->group);

  /* A file leads away from the start page, whose runs are paused then. */
  if (self->launch.file != NULL)
    begin_group (self);
  begin_when_painted (self, GTK_WIDGET (window));
  if (!sl_window_restore (window, self->workspace, !self->launch.asked, self->launch.paused)
      && self->workspace != NULL && !self->launch.asked)
    sl_window_show_overview (window);
  show_launch (window, &self->launch, lesson);
  if (self->store != NULL)
    g_clear_error (&self->no_store);
  if (self->driver.begin != NULL)
    self->driver.begin (G_APPLICATION (self), window);
  if (!self->driver.bench && sl_prefs_get_private (self->prefs) == NULL
      && g_getenv ("SLUICE_UNMEASURED") == NULL)
    sl_timing_begin ();
}

void
sl_application_open_another (SlApplication *self, const SlLaunch *launch)
{
  g_autoptr (SlSession) session = sl_session_new ();
  g_autoptr (SlGroup) group = launch->asked ? NULL : make_group (self);
  SlWindow *window;

  if (group != NULL)
    sl_group_start (group, NULL, launch->plan.seed, !launch->paused);

  if (self->store != NULL)
    sl_session_set_store (session, self->store);
  if (launch->asked)
    sl_launch_start (launch, session);
  window = open_window (self, session, group);
  show_launch (window, launch, launch->lesson);
}
