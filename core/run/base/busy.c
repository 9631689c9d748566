/* SPDX-License-Identifier: MIT */
#include "core/run/base/busy.h"

#include <glib.h>
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static double
seconds_of (int who)
{
  struct rusage used;

  if (getrusage (who, &used) != 0)
    return NAN;
  return (double) (used.ru_utime.tv_sec + used.ru_stime.tv_sec)
         + 1e-6 * (double) (used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

double
sl_busy_all (void)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) words = NULL;
  double ticks = 0;

  if (!g_file_get_contents ("/proc/stat", &text, NULL, NULL) || !g_str_has_prefix (text, "cpu  "))
    return NAN;
  text[strcspn (text, "\n")] = '\0';
  words = g_strsplit (text, " ", -1);
  /* "cpu", "", user, nice, system, idle, waiting for disks, interrupts of two sorts, and what others took. */
  for (unsigned i = 2; words[i] != NULL && i < 10; i++)
    if (i != 5 && i != 6)
      ticks += g_ascii_strtod (words[i], NULL);
  return ticks / (double) sysconf (_SC_CLK_TCK);
}

double
sl_busy_others (void)
{
  return sl_busy_all () - seconds_of (RUSAGE_SELF) - seconds_of (RUSAGE_CHILDREN);
}
