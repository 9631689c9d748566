/* SPDX-License-Identifier: MIT */
#include "app/application.h"

#include <glib-unix.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/launch.h"
#include "app/renderer.h"
#include "app/runs.h"
#include "core/run/base/cpu.h"
#include "core/run/base/language.h"
#include "core/run/base/threads.h"
#include "core/run/headless/thread-trial.h"
#include "core/run/headless/timing.h"
#include "core/run/store/workspace.h"
#include "ui/dialogs/about.h"
#include "ui/dialogs/preferences.h"
#include "ui/kit/accels.h"
#include "ui/kit/type-size.h"
#include "ui/window/window.h"

/* How long the first frame is waited for, ms. */
enum { UNPAINTED = 500 };

struct _SlApplication
{
  AdwApplication parent_instance;

  SlPrefs   *prefs;
  SlLaunch   launch;
  SlSession *first; /* started before the toolkit was, until a window takes it */
  SlGroup
    *group; /* of the start page, where the command line chose no other page, until it begins */
  SlStore *store;     /* of all runs, or NULL */
  GError  *no_store;  /* why not, or what happened to it */
  char    *workspace; /* what the last window showed, or NULL */
  SlDriver driver;    /* drives the program instead of the user; none where `begin` is NULL */
  guint    interrupt, terminate, hangup; /* sources of signals; 0: not watched */
  guint    unpainted;                    /* source, while the first frame is waited for */
  unsigned left; /* sessions with threads that are still at work at the end */
};

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

static void
on_space (SlApplication *self)
{
  if (self->store != NULL)
    sl_store_set_budget (self->store, (guint64) sl_prefs_get_int (self->prefs, "keep-mebibytes")
                                        << 20);
}

/* The four runs of the start page. */
static SlGroup *
make_group (SlApplication *self)
{
  SlGroup *group = sl_group_new ();

  sl_group_set_store (group, self->store);
  return group;
}

/* The worker reads data and makes weights while the toolkit starts. */
static void
sl_application_startup (GApplication *application)
{
  SlApplication   *self = SL_APPLICATION (application);
  struct sigaction hangup;

  self->prefs = sl_prefs_new ();
  set_threads (self);
  self->first = sl_session_new ();
  open_store (self);
  if (self->launch.asked)
    sl_launch_start (&self->launch, self->first);
  else if (self->workspace == NULL)
    self->group = make_group (self);
  G_APPLICATION_CLASS (sl_application_parent_class)->startup (application);
  sl_renderer_choose (gdk_display_get_default ());
  sl_type_size_follow (gdk_display_get_default (), self->prefs);
  on_scheme (self);
  g_signal_connect_swapped (self->prefs, "notify::threads", G_CALLBACK (on_threads), self);
  g_signal_connect_swapped (self->prefs, "notify::colour-scheme", G_CALLBACK (on_scheme), self);
  g_signal_connect_swapped (self->prefs, "notify::keep-mebibytes", G_CALLBACK (on_space), self);
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

/* Data were opened by the session that was started. */
static void
open_file (SlWindow *window, const SlLaunch *launch)
{
  if (sl_launch_is_for_window (launch))
    sl_window_open_file (window, launch->file);
  else if (launch->file != NULL)
    sl_window_began_on (window, launch->file);
}

/* The first window, with the session that was started ahead. */
static void
open_first (SlApplication *self)
{
  g_autoptr (SlSession) session = g_steal_pointer (&self->first);
  SlWindow *window = open_window (self, session, self->group);

  /* A file leads away from the start page, whose runs are paused then. */
  if (self->launch.file != NULL)
    begin_group (self);
  begin_when_painted (self, GTK_WIDGET (window));
  if (!sl_window_restore (window, self->workspace, !self->launch.asked, self->launch.paused)
      && self->workspace != NULL && !self->launch.asked)
    sl_window_show_overview (window);
  open_file (window, &self->launch);
  sl_window_open_beside (window, (const char *const *) self->launch.beside);
  if (self->store != NULL)
    g_clear_error (&self->no_store);
  if (self->driver.begin != NULL)
    self->driver.begin (G_APPLICATION (self), window);
  if (!self->driver.bench && g_getenv ("SLUICE_UNMEASURED") == NULL)
    sl_timing_begin ();
}

static void
open_another (SlApplication *self, const SlLaunch *launch)
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
  open_file (window, launch);
  sl_window_open_beside (window, (const char *const *) launch->beside);
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
      open_first (self);
      return 0;
    }
  if (!sl_launch_read (&launch, g_application_command_line_get_options_dict (line),
                       folder != NULL ? folder : "/", &error))
    {
      g_application_command_line_printerr (line, "sluice: %s\n", error->message);
      sl_launch_clear (&launch);
      return 2;
    }
  if (launch.asked || gtk_application_get_active_window (GTK_APPLICATION (self)) == NULL)
    open_another (self, &launch);
  else
    gtk_window_present (gtk_application_get_active_window (GTK_APPLICATION (self)));
  sl_launch_clear (&launch);
  return 0;
}

static void
sl_application_activate (GApplication *application)
{
  SlApplication *self = SL_APPLICATION (application);
  GtkWindow     *window = gtk_application_get_active_window (GTK_APPLICATION (self));

  if (self->first != NULL)
    open_first (self);
  else if (window != NULL)
    gtk_window_present (window);
  else
    open_another (self, &self->launch);
}

static void
on_new_window (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlLaunch launch = { .plan = { .seed = 1 } };

  open_another (data, &launch);
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

  for (GList *l = windows; l != NULL; l = l->next)
    if (SL_IS_WINDOW (l->data))
      gtk_window_close (l->data);
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
  if (left == 0)
    return code;
  g_settings_sync ();
  fflush (NULL);
  _exit (code);
}
