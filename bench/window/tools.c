/* SPDX-License-Identifier: MIT */
#include "bench/window/tools.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

double
sl_bench_now (clockid_t clock)
{
  struct timespec time;

  clock_gettime (clock, &time);
  return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

double
sl_bench_age (void)
{
  g_autofree char *text = NULL;
  char            *field;
  double           ticks = 0.0;

  if (!g_file_get_contents ("/proc/self/stat", &text, NULL, NULL))
    return (double) NAN;
  field = strrchr (text, ')'); /* ends field 2; the start time is field 22 */
  for (int i = 2; i < 22 && field != NULL; i++)
    field = strchr (field + 1, ' ');
  if (field != NULL)
    ticks = g_ascii_strtod (field, NULL);
  return sl_bench_now (CLOCK_BOOTTIME) - ticks / (double) sysconf (_SC_CLK_TCK);
}

void
sl_bench_print (const char *name, double value, const char *unit)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (number, sizeof number, "%.6g", value);
  printf ("{\"name\": \"window.%s\", \"value\": %s, \"unit\": \"%s\"}\n", name,
          isfinite (value) ? number : "null", unit);
  fflush (stdout);
}

gboolean
sl_bench_alarm (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

void
sl_bench_run_for (double seconds)
{
  gboolean over = FALSE;

  g_timeout_add ((guint) (seconds * 1000.0), sl_bench_alarm, &over);
  while (!over)
    g_main_context_iteration (NULL, TRUE);
}
