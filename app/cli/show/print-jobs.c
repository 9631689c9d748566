/* SPDX-License-Identifier: MIT
 *
 * See print-jobs.h.  Each part is one job, of one run with one thread if nothing else is asked for; the scheduler knows
 * how many jobs go on at a time.  */
#include "app/cli/show/print-jobs.h"

#include <stdio.h>
#include <string.h>

#include "core/run/sweep/command-line.h"

/* The store's name before and after the number of a part, quoted for a shell. */
static void
cut_store (const char *store, char **before, char **after)
{
  const char      *dot = strrchr (store, '.');
  g_autofree char *stem = dot != NULL && strchr (dot, '/') == NULL
                            ? g_strndup (store, (gsize) (dot - store))
                            : g_strdup (store);
  g_autofree char *first = g_strconcat (stem, "-", NULL);

  *before = sl_command_word (first);
  *after = store[strlen (stem)] != '\0' ? sl_command_word (store + strlen (stem)) : g_strdup ("");
}

/* The sweep's command with the place of this program: a job does not have the path of the program
 * that prints it.  */
static char *
placed_command (const SlSweep *sweep, char **program)
{
  g_autofree char *command = sl_command_line_sweep (sweep);
  g_autofree char *place = g_file_read_link ("/proc/self/exe", NULL);

  *program = place != NULL ? sl_command_word (place) : g_strdup ("sluice-cli");
  return g_strconcat (*program, command + strlen ("sluice-cli"), NULL);
}

SlExit
sl_print_jobs (const SlSweep *sweep, const SlJobs *jobs)
{
  unsigned         shards = jobs->shards, cores = jobs->at_once * jobs->threads;
  g_autofree char *share = cores > 1 ? g_strdup_printf ("-j %u%% ", MAX (100 / cores, 1)) : NULL;
  g_autofree char *threads
    = jobs->threads > 1 ? g_strdup_printf (" --threads %u", jobs->threads) : NULL;
  g_autofree char *program = NULL, *before = NULL, *after = NULL;
  g_autofree char *command = placed_command (sweep, &program);
  g_autofree char *whole = sl_command_word (jobs->store);

  /* A line break would end a comment of the job, and the text after it would be a line for the
   * shell.  */
  if (strpbrk (jobs->store, "\n\r") != NULL || strpbrk (program, "\n\r") != NULL)
    {
      sl_cli_report ("--print-jobs: rename the store or this program, whose path has a line break");
      return SL_EXIT_USAGE;
    }
  cut_store (jobs->store, &before, &after);
  if (strcmp (jobs->kind, "slurm") == 0)
    printf ("#!/bin/sh\n"
            "#SBATCH --job-name=sluice-sweep\n"
            "#SBATCH --array=1-%u\n"
            "#SBATCH --cpus-per-task=%u\n"
            "# Of each part: a guess, for you to fit to the sweep.\n"
            "#SBATCH --time=24:00:00\n"
            "#SBATCH --mem=2G\n"
            "# Afterwards, once: %s runs %s merge %s*%s\n"
            "exec %s --jobs %u%s --quiet \\\n"
            "  --shard \"$SLURM_ARRAY_TASK_ID/%u\" \\\n"
            "  --store %s\"$SLURM_ARRAY_TASK_ID\"%s\n",
            shards, cores, program, whole, before, after, command, jobs->at_once,
            threads != NULL ? threads : "", shards, before, after);
  else if (strcmp (jobs->kind, "parallel") == 0)
    printf ("# Afterwards, once: %s runs %s merge %s*%s\n"
            "seq %u | parallel %s-q %s --jobs %u%s --quiet --shard {}/%u --store %s{}%s\n",
            program, whole, before, after, shards, share != NULL ? share : "", command,
            jobs->at_once, threads != NULL ? threads : "", shards, before, after);
  else
    {
      sl_cli_report ("%s takes %s, not \"%s\"", "--print-jobs", "slurm, parallel", jobs->kind);
      return SL_EXIT_USAGE;
    }
  return SL_EXIT_FINE;
}
