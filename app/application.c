/* SPDX-License-Identifier: MIT */
#include "app/application-private.h"

#include <glib-unix.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/fresh.h"
#include "app/renderer.h"
#include "app/runs.h"
#include "core/run/base/cpu.h"
#include "core/run/base/language.h"
#include "core/run/base/threads.h"
#include "core/run/headless/thread-trial.h"
#include "ui/dialogs/about.h"
#include "ui/dialogs/preferences.h"
#include "ui/kit/accels.h"
#include "ui/kit/type-size.h"
#include "ui/window/window.h"

G_DEFINE_FINAL_TYPE (SlApplication, sl_application, ADW_TYPE_APPLICATION)

static int
sl_application_handle_local_options (GApplication *application, GVariantDict *options)
{
  SlApplication   *self = SL_APPLICATION (application);
  g_autofree char *folder = g_get_current_dir ();
  g_autoptr (GError) error = NULL;

  if (g_variant_dict_contains (options, "version"))
    {
      g_print ("Sluice %s\n", SL_VERSION);
      return 0;
    }
  if (!sl_launch_read (&self->launch, options, folder, &error))
    {
      g_printerr ("sluice: %s\n", error->message);
      return 2;
    }
  /* It has settings and a store of its own: another start is not for it. */
  if (self->launch.fresh)
    g_application_set_flags (application,
                             g_application_get_flags (application) | G_APPLICATION_NON_UNIQUE);
  return -1;
}

static void
set_threads (SlApplication *self)
{
  unsigned threads = self->launch.threads, possible;

  if (threads == 0)
    threads = (unsigned) sl_prefs_get_int (self->prefs, "threads");
  possible = sl_cpu_use_threads (threads);
  sl_threads_choose (threads > 0 ? possible : 0);
}

static void
stop (SlSession *session, gpointer running)
{
  sl_session_settle (session);
  if (sl_session_state (session) == SL_RUNNING)
    g_ptr_array_add (running, g_object_ref (session));
  sl_session_stop (session);
}

/* The number of threads of the command line holds until the preference changes.  OpenBLAS frees the
 * buffers of threads beyond a lower number, so no product may run meanwhile.  */
static void
on_threads (SlApplication *self)
{
  g_autoptr (GPtrArray) running = g_ptr_array_new_with_free_func (g_object_unref);

  self->launch.threads = 0;
  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (self)); l != NULL; l = l->next)
    if (SL_IS_WINDOW (l->data))
      sl_window_each_session (l->data, stop, running);
  set_threads (self);
  for (unsigned i = 0; i < running->len; i++)
    sl_session_run (g_ptr_array_index (running, i));
}

static void
on_scheme (SlApplication *self)
{
  g_autofree char *scheme = sl_prefs_get_string (self->prefs, "colour-scheme");

  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      g_str_equal (scheme, "light")  ? ADW_COLOR_SCHEME_FORCE_LIGHT
                                      : g_str_equal (scheme, "dark") ? ADW_COLOR_SCHEME_FORCE_DARK
                                                                     : ADW_COLOR_SCHEME_DEFAULT);
}

static gboolean
on_signal (gpointer data)
{
  g_action_group_activate_action (G_ACTION_GROUP (data), "quit", NULL);
  return G_SOURCE_CONTINUE;
}

static void
on_space (SlApplication *self)
{
  if (self->store != NULL)
    sl_store_set_budget (self->store, (guint64) sl_prefs_get_int (self->prefs, "keep-mebibytes")
                                        << 20);
}

/* The window that a dialog belongs to, not another dialog. */
static SlWindow *
main_window (SlApplication *self)
{
  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (self)); l != NULL; l = l->next)
    if (SL_IS_WINDOW (l->data))
      return l->data;
  return NULL;
}

/* ---- preferences ---- */

/* Preferences that keep nothing, with a private folder for all that would be kept. */
static void
be_fresh (SlApplication *self)
{
  g_autofree char *folder = sl_fresh_folder ();

  if (self->prefs != NULL)
    g_signal_handlers_disconnect_by_data (self->prefs, self);
  g_clear_object (&self->prefs);
  self->prefs = sl_prefs_new_fresh (folder);
}

static void
begin_prefs (SlApplication *self)
{
  self->prefs = sl_prefs_new ();
  if (self->launch.fresh || sl_prefs_get_boolean (self->prefs, "classroom"))
    be_fresh (self);
}

static void
follow_prefs (SlApplication *self)
{
  sl_type_size_follow (gdk_display_get_default (), self->prefs);
  on_scheme (self);
  g_signal_connect_swapped (self->prefs, "notify::threads", G_CALLBACK (on_threads), self);
  g_signal_connect_swapped (self->prefs, "notify::colour-scheme", G_CALLBACK (on_scheme), self);
  g_signal_connect_swapped (self->prefs, "notify::keep-mebibytes", G_CALLBACK (on_space), self);
}

/* ---- its life ---- */

/* The worker reads data and makes weights while the toolkit starts. */
static void
sl_application_startup (GApplication *application)
{
  SlApplication   *self = SL_APPLICATION (application);
  struct sigaction hangup;

  begin_prefs (self);
  set_threads (self);
  sl_application_prepare_first (self);
  G_APPLICATION_CLASS (sl_application_parent_class)->startup (application);
  sl_renderer_choose (gdk_display_get_default ());
  follow_prefs (self);
  gtk_window_set_default_icon_name ("org.sluice.Sluice");
  sl_accels_set (GTK_APPLICATION (application));
  /* A bench runs loops of its own, which a polite end would have to wait for. */
  if (self->driver.bench)
    return;
  self->interrupt = g_unix_signal_add (SIGINT, on_signal, self);
  self->terminate = g_unix_signal_add (SIGTERM, on_signal, self);
  /* The terminal that it was started in closes; nohup means that the program stays. */
  sigaction (SIGHUP, NULL, &hangup);
  if (hangup.sa_handler != SIG_IGN)
    self->hangup = g_unix_signal_add (SIGHUP, on_signal, self);
}

static int
sl_application_command_line (GApplication *application, GApplicationCommandLine *line)
{
  SlApplication *self = SL_APPLICATION (application);
  const char    *folder = g_application_command_line_get_cwd (line);
  SlLaunch       launch;
  g_autoptr (GError) error = NULL;

  if (self->first != NULL)
    {
      sl_application_open_first (self);
      return 0;
    }
  if (!sl_launch_read (&launch, g_application_command_line_get_options_dict (line),
                       folder != NULL ? folder : "/", &error))
    {
      g_application_command_line_printerr (line, "sluice: %s\n", error->message);
      sl_launch_clear (&launch);
      return 2;
    }
  if (launch.asked || main_window (self) == NULL)
    sl_application_open_another (self, &launch);
  else
    sl_application_present (main_window (self), &launch);
  sl_launch_clear (&launch);
  return 0;
}

static void
sl_application_activate (GApplication *application)
{
  SlApplication *self = SL_APPLICATION (application);
  GtkWindow     *window = gtk_application_get_active_window (GTK_APPLICATION (self));

  if (self->first != NULL)
    sl_application_open_first (self);
  else if (window != NULL)
    gtk_window_present (window);
  else
    sl_application_open_another (self, &self->launch);
}

static void
on_new_window (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlLaunch launch = { .plan = { .seed = 1 } };

  sl_application_open_another (data, &launch);
}

/* Closing a window is what stops its runs; what they wrote goes with their store. */
static void
close_windows (GList *windows)
{
  for (GList *l = windows; l != NULL; l = l->next)
    if (SL_IS_WINDOW (l->data))
      gtk_window_close (l->data);
}

/* The next class: everything ends, and the first screen is there as at the start. */
static void
on_begin_again (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlApplication *self = data;
  g_autoptr (GList) windows = g_list_copy (gtk_application_get_windows (GTK_APPLICATION (self)));
  g_autoptr (SlStore) before = g_steal_pointer (&self->store);

  if (before != NULL && sl_prefs_get_private (self->prefs) != NULL)
    sl_fresh_remove_after (G_OBJECT (before), sl_prefs_get_private (self->prefs));
  g_clear_pointer (&self->workspace, g_free);
  be_fresh (self);
  follow_prefs (self);
  sl_application_prepare_first (self);
  sl_application_open_first (self);
  close_windows (windows);
}

static void
on_preferences (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlApplication *self = data;

  gtk_window_present (
    GTK_WINDOW (sl_preferences_new (GTK_WINDOW (main_window (self)), self->prefs, self->store)));
}

static void
on_about (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow *window = main_window (data);

  sl_about_show (GTK_WINDOW (window), window != NULL ? sl_window_get_session (window) : NULL);
}

/* Closing is what stops a run cleanly. */
static void
on_quit (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkApplication *application = data;
  g_autoptr (GList) windows = g_list_copy (gtk_application_get_windows (application));

  close_windows (windows);
  g_application_quit (G_APPLICATION (application));
}

static void
sl_application_shutdown (GApplication *application)
{
  SlApplication *self = SL_APPLICATION (application);

  g_clear_handle_id (&self->interrupt, g_source_remove);
  g_clear_handle_id (&self->terminate, g_source_remove);
  g_clear_handle_id (&self->hangup, g_source_remove);
  g_clear_handle_id (&self->unpainted, g_source_remove);
  if (self->prefs != NULL)
    g_signal_handlers_disconnect_by_data (self->prefs, self);
  g_clear_object (&self->first);
  g_clear_object (&self->group);
  G_APPLICATION_CLASS (sl_application_parent_class)->shutdown (application);
  self->left = sl_session_close_left ();
  sl_runs_tidy (self->store, self->prefs);
}

static void
sl_application_finalize (GObject *object)
{
  SlApplication *self = SL_APPLICATION (object);

  g_clear_object (&self->prefs);
  g_clear_object (&self->store);
  g_clear_error (&self->no_store);
  g_free (self->workspace);
  sl_launch_clear (&self->launch);
  G_OBJECT_CLASS (sl_application_parent_class)->finalize (object);
}

static void
sl_application_class_init (SlApplicationClass *klass)
{
  GApplicationClass *application = G_APPLICATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = sl_application_finalize;
  application->handle_local_options = sl_application_handle_local_options;
  application->startup = sl_application_startup;
  application->command_line = sl_application_command_line;
  application->activate = sl_application_activate;
  application->shutdown = sl_application_shutdown;
}

static void
sl_application_init (SlApplication *self)
{
  static const GActionEntry entries[] = {
    { .name = "new-window", .activate = on_new_window },
    { .name = "preferences", .activate = on_preferences },
    { .name = "about", .activate = on_about },
    { .name = "begin-again", .activate = on_begin_again },
    { .name = "quit", .activate = on_quit },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  sl_launch_add_options (G_APPLICATION (self));
}

/* Frames allocate and free megabytes; without the thresholds, each of them is a fresh mapping whose pages
 * must all be faulted in again.  One heap for all threads: what a loader allocates and a trainer frees
 * would leave holes in a heap per thread, and every run begun anew adds to them.  Updates allocate nothing,
 * so threads seldom meet there.  */
static void
keep_memory (void)
{
  mallopt (M_ARENA_MAX, 1);
  mallopt (M_MMAP_THRESHOLD, 64 << 20);
  mallopt (M_TRIM_THRESHOLD, 256 << 20);
  mallopt (M_TOP_PAD, 16 << 20);
}

static SlApplication *
make_application (const SlDriver *driver)
{
  /* The driver must operate this process, not one that runs already. */
  GApplicationFlags flags
    = G_APPLICATION_HANDLES_COMMAND_LINE | (driver != NULL ? G_APPLICATION_NON_UNIQUE : 0);
  SlApplication *self
    = g_object_new (SL_TYPE_APPLICATION, "application-id", "org.sluice.Sluice", "flags", flags,
                    "resource-base-path", "/org/sluice/Sluice", NULL);

  if (driver != NULL)
    self->driver = *driver;
  return self;
}

int
sl_application_main (int argc, char **argv, const SlDriver *driver)
{
  SlApplication *application;
  GError        *error = NULL;
  unsigned       left;
  int            code;

  g_log_writer_default_set_use_stderr (TRUE);
  if (!sl_cpu_prepare (argv, &error))
    {
      g_printerr ("sluice: %s\n", error->message);
      g_error_free (error);
      return 2;
    }
  sl_thread_child (argv);
  keep_memory ();
  sl_renderer_prepare ();
  sl_language_start ();
  gtk_disable_setlocale (); /* it would bring decimal commas back */
  application = make_application (driver);
  code = g_application_run (G_APPLICATION (application), argc, argv);
  left = application->left;
  g_object_unref (application); /* the store is written to its end */
  sl_fresh_end ();
  if (left == 0)
    return code;
  g_settings_sync ();
  fflush (NULL);
  _exit (code);
}
