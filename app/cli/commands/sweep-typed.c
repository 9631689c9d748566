/* SPDX-License-Identifier: MIT
 *
 * See sweep-typed.h.  */
#include "app/cli/commands/sweep-typed.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cli/plot/store.h"

void
sl_sweep_typed_add_options (SlSweepTyped *typed, GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "axis", 'a', 0, G_OPTION_ARG_STRING_ARRAY, &typed->axes,
      N_ ("A parameter and its values, lo:hi:n or lo:hi:nlog"), "ID=VALUES" },
    { "sample", 0, 0, G_OPTION_ARG_INT, &typed->sample,
      N_ ("Draw N points from the axes, not every combination"), "N" },
    { "how", 0, 0, G_OPTION_ARG_STRING, &typed->how,
      N_ ("How to draw: random (default) or latin (Latin hypercube)"), "WAY" },
    { "sample-seed", 0, 0, G_OPTION_ARG_INT64, &typed->draw, N_ ("Seed of the draws (default 1)"),
      "N" },
    { "suggested", 0, 0, G_OPTION_ARG_STRING, &typed->suggested,
      N_ ("A sweep that the lab suggests; \"labs LAB\" lists them"), "ID" },
    { "seeds", 0, 0, G_OPTION_ARG_STRING, &typed->seeds, N_ ("1-5, or 1,2,10 (default 1)"),
      "LIST" },
    /* Of an earlier version: job lines that have it still make their runs. */
    { "prune", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_INT, &typed->prune, NULL, NULL },
    { "store", 0, 0, G_OPTION_ARG_FILENAME, &typed->store, N_ ("Where to keep the runs"), "FILE" },
    { "shard", 0, 0, G_OPTION_ARG_STRING, &typed->shard, N_ ("Make the i-th of n parts"), "i/n" },
    { "jobs", 'j', 0, G_OPTION_ARG_INT, &typed->jobs, N_ ("Runs at a time; 0 is one per core"),
      "N" },
    { "threads", 0, 0, G_OPTION_ARG_INT, &typed->threads, N_ ("Threads of each run (default 1)"),
      "N" },
    { "cost", 0, 0, G_OPTION_ARG_STRING, &typed->cost,
      N_ ("Cost of the front: executed, expected, timed or parameters"), "NAME" },
    { "html", 0, 0, G_OPTION_ARG_FILENAME, &typed->html,
      N_ ("A web page of the sweep's stored runs"), "FILE" },
    { "from", 0, 0, G_OPTION_ARG_FILENAME, &typed->from,
      N_ ("A sweep as JSON, instead of LAB and options"), "FILE" },
    { "dry-run", 'n', 0, G_OPTION_ARG_NONE, &typed->dry, N_ ("Only print the runs and their time"),
      NULL },
    { "print-jobs", 0, 0, G_OPTION_ARG_STRING, &typed->print,
      N_ ("Print a job for a scheduler: slurm or parallel"), "KIND" },
    { "shards", 0, 0, G_OPTION_ARG_INT, &typed->shards, N_ ("Parts of a printed job (default 4)"),
      "N" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &typed->json, N_ ("JSON instead of a table"), NULL },
    { NULL },
  };

  *typed = (SlSweepTyped) { .shards = SL_SWEEP_NOT_TYPED, .draw = G_MININT64 };
  g_option_context_add_main_entries (context, entries, NULL);
  sl_plan_options_add (&typed->plan, context);
  typed->plan.several = TRUE;
}

/* A file has the whole sweep. */
static bool
check_file (const SlSweepTyped *typed)
{
  const SlCliOption given[] = { { "--axis", typed->axes != NULL },
                                { "--sample", typed->sample != 0 },
                                { "--how", typed->how != NULL },
                                { "--sample-seed", typed->draw != G_MININT64 },
                                { "--suggested", typed->suggested != NULL },
                                { "--seeds", typed->seeds != NULL },
                                { "--prune", typed->prune != 0 },
                                { "--data", typed->plan.data != NULL },
                                { "--preset", typed->plan.preset != NULL },
                                { "--set", typed->plan.set != NULL } };
  const char       *name = sl_cli_first_typed (given, G_N_ELEMENTS (given));

  if (name == NULL)
    name = sl_plan_options_limit (&typed->plan);
  if (typed->from == NULL || name == NULL)
    return true;
  sl_cli_report ("%s does not go with %s", name, "--from");
  return false;
}

static bool
check_sample (const SlSweepTyped *typed)
{
  const SlCliOption given[]
    = { { "--how", typed->how != NULL }, { "--sample-seed", typed->draw != G_MININT64 } };
  const char *name = sl_cli_first_typed (given, G_N_ELEMENTS (given));

  if (typed->sample != 0 || name == NULL)
    return true;
  sl_cli_report ("%s goes with --sample N, the number of points to draw", name);
  return false;
}

/* A job that is printed makes runs; tables are made once their stores are together. */
static bool
check_print (const SlSweepTyped *typed)
{
  const SlCliOption given[] = { { "--shard", typed->shard != NULL },
                                { "--cost", typed->cost != NULL },
                                { "--json", typed->json },
                                { "--html", typed->html != NULL },
                                { "--dry-run", typed->dry } };
  const char       *name = sl_cli_first_typed (given, G_N_ELEMENTS (given));

  if (typed->print == NULL && typed->shards != SL_SWEEP_NOT_TYPED)
    {
      sl_cli_report ("--shards goes with --print-jobs; --shard i/n makes one of n parts");
      return false;
    }
  if (typed->print == NULL || name == NULL)
    return true;
  sl_cli_report ("%s does not go with %s", name, "--print-jobs");
  return false;
}

/* The curves of the runs are those of the store. */
static bool
check_page (const SlSweepTyped *typed)
{
  if (typed->html == NULL)
    return true;
  if (typed->store != NULL)
    return sl_plot_page_check (typed->html);
  sl_cli_report ("--html needs --store, which keeps the curves of the runs");
  return false;
}

static bool
check_axes (const SlSweepTyped *typed)
{
  for (char **axis = typed->axes; axis != NULL && *axis != NULL; axis++)
    for (char **other = typed->axes; other < axis; other++)
      {
        size_t length = strcspn (*axis, "=");

        if (length != strcspn (*other, "=") || strncmp (*axis, *other, length) != 0)
          continue;
        sl_cli_report ("%.*s has two axes, --axis %s and --axis %s", (int) length, *axis, *other,
                       *axis);
        return false;
      }
  return true;
}

bool
sl_sweep_typed_check (const SlSweepTyped *typed)
{
  return check_file (typed) && check_sample (typed) && check_print (typed) && check_page (typed)
         && check_axes (typed);
}

uint64_t
sl_sweep_typed_draw (const SlSweepTyped *typed)
{
  return typed->draw != G_MININT64 ? (uint64_t) typed->draw : 1;
}

void
sl_sweep_typed_clear (SlSweepTyped *typed)
{
  sl_plan_options_clear (&typed->plan);
  g_strfreev (typed->axes);
  g_free (typed->how);
  g_free (typed->suggested);
  g_free (typed->seeds);
  g_free (typed->store);
  g_free (typed->shard);
  g_free (typed->print);
  g_free (typed->cost);
  g_free (typed->from);
  g_free (typed->html);
}
