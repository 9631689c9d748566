/* SPDX-License-Identifier: MIT
 *
 * The window's own figures: runs sluice-starts-bench and sluice-window-bench, or sluice-runs-bench, beside this
 * program, which print a JSON object per line, {"name": "window.frames", "value": 58.1, "unit": "1/s"}.  Without a
 * display, on a private one with a private bus.  */
#include <gio/gio.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "core/run/base/json.h"

/* A name that ends in a dot is that of all that begin with it. */
static const struct
{
  const char *name, *note;
  SlBarKind   kind;
  double      bar;
} bars[] = {
  { "window.first-start", "to the first frame on a new home, least of five", SL_BAR_MOST, 1.2 },
  { "window.first-start-ratio", "of an empty window's start", SL_BAR_MOST, 4 },
  { "window.second-start", "the same on a home that has runs, least of five", SL_BAR_MOST, 0.5 },
  { "window.turn-first.", "longest turn of the main loop at the first visit, processor time",
    SL_BAR_MOST, 0.1 },
  { "window.turn-return.", "the same when coming back", SL_BAR_MOST, 0.1 },
  { "window.turn-open.", "the same for a page or dialog", SL_BAR_MOST, 0.1 },
  { "window.turn-switch.", "the same for what is switched on and off in a lab", SL_BAR_MOST, 0.1 },
  { "window.turn-lesson.", "the same for the steps of a lesson", SL_BAR_MOST, 0.1 },
  { "window.frames", "six plots of a million samples each, following live", SL_BAR_LEAST, 30 },
  { "window.drawing", "core used for drawing at the default rate", SL_BAR_MOST, 0.35 },
  { "window.throughput", "of the headless rate, one training thread", SL_BAR_LEAST, 0.97 },
  { "window.first-point", "from launch to the first curve on the screen", SL_BAR_MOST, 1.0 },
  { "window.four-moving", "from launch to four moving curves", SL_BAR_MOST, 2.0 },
  { "window.bend-s", "from the slider s to a visibly bent curve", SL_BAR_MOST, 5.0 },
  { "window.bend-r", "from the slider r to a visibly bent curve", SL_BAR_MOST, 5.0 },
  { "window.bend-k", "from the slider k to a visibly bent curve", SL_BAR_MOST, 5.0 },
  { "window.lab-first", "from choosing a lab to its first run on the screen", SL_BAR_MOST, 2.0 },
  { "window.lab-return", "from choosing a lab to the run that it had", SL_BAR_MOST, 0.3 },
  { "window.runs.table", "10,000 stored runs, until table and trade-off are drawn", SL_BAR_MOST,
    1000 },
  { "window.runs.filter", "of them, until the rows of another line are drawn", SL_BAR_MOST, 100 },
  { "window.runs.group", "of 10,000 by a setting, until their rows are drawn", SL_BAR_MOST, 300 },
  { "window.runs.group-filter", "of grouped ones, until the rows of another line are drawn",
    SL_BAR_MOST, 100 },
  { "window.runs.overlay", "the curves of 200 of them, read and drawn", SL_BAR_MOST, 300 },
  { "window.slider", "from slider to the step that uses it, at full speed", SL_BAR_MOST, 0.050 },
};

static bool
is_named (const char *name, const char *bar)
{
  return g_str_has_suffix (bar, ".") ? g_str_has_prefix (name, bar) : strcmp (name, bar) == 0;
}

static void
report (SlBench *bench, const char *name, double value, const char *unit)
{
  for (size_t i = 0; i < G_N_ELEMENTS (bars); i++)
    if (is_named (name, bars[i].name))
      {
        sl_bench_result (bench, name, value, unit, bars[i].kind, bars[i].bar, bars[i].note);
        return;
      }
  sl_bench_result (bench, name, value, unit, SL_BAR_NONE, 0, "");
}

/* True when the line was a figure. */
static bool
read_line (SlBench *bench, const char *line)
{
  g_autoptr (SlJson) json = sl_json_parse (line, strlen (line), 1 << 16, "figure", NULL);
  const SlJson *name = sl_json_member_of (json, "name", SL_JSON_TEXT);
  const SlJson *value = sl_json_member_of (json, "value", SL_JSON_NUMBER);
  const SlJson *unit = sl_json_member_of (json, "unit", SL_JSON_TEXT);

  if (name == NULL || value == NULL)
    return false;
  report (bench, name->text, value->number, unit != NULL ? unit->text : "");
  return true;
}

static GPtrArray *
command_line (const char *window)
{
  static const char *const display[] = {
    "xvfb-run",         "-a", "-s", "-screen 0 1280x800x24 -noreset -nolisten tcp -dpi 96",
    "dbus-run-session", "--",
  };
  GPtrArray *words = g_ptr_array_new ();
  bool       shown = g_getenv ("DISPLAY") != NULL || g_getenv ("WAYLAND_DISPLAY") != NULL;

  for (size_t i = 0; i < G_N_ELEMENTS (display) && !shown; i++)
    g_ptr_array_add (words, (gpointer) display[i]);
  g_ptr_array_add (words, (gpointer) window);
  g_ptr_array_add (words, NULL);
  return words;
}

/* The environment of the child: settings that are not the user's, and the schema of a build
 * folder.  */
static char **
environment (const char *folder)
{
  g_autofree char *schemas = g_build_filename (folder, "..", "resources", NULL);
  g_autofree char *compiled = g_build_filename (schemas, "gschemas.compiled", NULL);
  char           **env = g_environ_setenv (g_get_environ (), "GSETTINGS_BACKEND", "memory", TRUE);

  if (g_file_test (compiled, G_FILE_TEST_EXISTS))
    env = g_environ_setenv (env, "GSETTINGS_SCHEMA_DIR", schemas, FALSE);
  return env;
}

/* False, and says why, when the window cannot be measured here. */
static bool
can_show (const char *window)
{
  g_autofree char *xvfb = g_find_program_in_path ("xvfb-run");
  g_autofree char *bus = g_find_program_in_path ("dbus-run-session");

  if (!g_file_test (window, G_FILE_TEST_IS_EXECUTABLE))
    sl_cli_report ("the window is not measured: there is no %s", window);
  else if (g_getenv ("DISPLAY") == NULL && g_getenv ("WAYLAND_DISPLAY") == NULL
           && (xvfb == NULL || bus == NULL))
    sl_cli_report ("the window is not measured: there is no display, and xvfb-run and "
                   "dbus-run-session are not both installed");
  else
    return true;
  return false;
}

static SlExit
run_child (SlBench *bench, const char *program)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = self != NULL ? g_path_get_dirname (self) : g_strdup (".");
  g_autofree char *window = g_build_filename (folder, program, NULL), *out = NULL, *err = NULL;
  g_autoptr (GPtrArray) words = command_line (window);
  g_auto (GStrv) env = environment (folder);
  GError *error = NULL;
  int     status, figures = 0;

  if (!can_show (window))
    return SL_EXIT_FAILED;
  /* Servers and buses are talkative; what they say only matters when something fails. */
  if (!g_spawn_sync (NULL, (char **) words->pdata, env, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, &err,
                     &status, &error)
      || !g_spawn_check_wait_status (status, &error))
    {
      fputs (err != NULL ? err : "", stderr);
      g_prefix_error (&error, "%s: ", window);
      return sl_cli_fail_error (error);
    }

  g_auto (GStrv) lines = g_strsplit (out, "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    figures += read_line (bench, *line);
  if (figures == 0)
    {
      sl_cli_report ("%s printed no figure", window);
      return SL_EXIT_FAILED;
    }
  return SL_EXIT_FINE;
}

static SlExit
bench_window (SlBench *bench)
{
  SlExit starts = run_child (bench, "sluice-starts-bench");
  SlExit window = run_child (bench, "sluice-window-bench");

  return starts != SL_EXIT_FINE ? starts : window;
}

static SlExit
bench_runs (SlBench *bench)
{
  return run_child (bench, "sluice-runs-bench");
}

const SlBenchGroup sl_bench_runs
  = { "runs", "the page of runs with a store of 10,000", true, bench_runs };
const SlBenchGroup sl_bench_window
  = { "window", "starts, turns, frames, drawing, throughput and latency of the window", false,
      bench_window };
