/* SPDX-License-Identifier: MIT
 *
 * sluice-starts-bench: how soon the window stands, from the start of the process to its first frame, the least of
 * five: on a new home, on the same home again, and an empty window of the toolkit between them.  Each is a process of
 * its own.  */
#include <ftw.h>
#include <gio/gio.h>
#include <math.h>
#include <stdio.h>

#include "bench/window/tools.h"

enum { ROUNDS = 5, OPEN_FOLDERS = 16 };

/* Nothing of the user's is read, and nothing is left out as tests do. */
static char **
environment_of (const char *home)
{
  static const char *const folders[]
    = { "HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME" };
  char **env = g_environ_unsetenv (g_get_environ (), "SLUICE_UNMEASURED");

  for (size_t i = 0; i < G_N_ELEMENTS (folders); i++)
    env = g_environ_setenv (env, folders[i], home, TRUE);
  return g_environ_setenv (env, SL_BENCH_FIRST_FRAME, "1", TRUE);
}

/* Seconds until its first frame, which the process prints; not-a-number where it does not. */
static double
start (const char *program, const char *home)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = g_path_get_dirname (self != NULL ? self : ".");
  g_autofree char *path = g_build_filename (folder, program, NULL), *out = NULL;
  g_auto (GStrv) env = environment_of (home);
  char  *args[] = { path, NULL };
  int    status;
  double seconds;

  if (!g_spawn_sync (NULL, args, env, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &out, NULL, &status,
                     NULL)
      || !g_spawn_check_wait_status (status, NULL))
    return (double) NAN;
  seconds = g_ascii_strtod (out, NULL);
  return seconds > 0.0 ? seconds : (double) NAN;
}

/* Not-a-number stays. */
static double
lesser (double a, double b)
{
  return isnan (a) || a < b ? a : b;
}

static int
remove_one (const char *path, const struct stat *about, int type, struct FTW *place)
{
  return remove (path);
}

int
main (void)
{
  double first = INFINITY, second = INFINITY, empty = INFINITY;

  for (unsigned i = 0; i < ROUNDS; i++)
    {
      g_autofree char *home = g_dir_make_tmp ("sluice-XXXXXX", NULL);

      if (home == NULL)
        return 1;
      first = lesser (first, start ("sluice-window-bench", home));
      empty = lesser (empty, start ("sluice-empty-bench", home));
      second = lesser (second, start ("sluice-window-bench", home));
      nftw (home, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
    }
  sl_bench_print ("first-start", first, "s");
  sl_bench_print ("first-start-ratio", first / empty, "×");
  sl_bench_print ("second-start", second, "s");
  return 0;
}
