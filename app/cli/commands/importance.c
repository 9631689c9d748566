/* SPDX-License-Identifier: MIT
 *
 * sluice-cli importance: which of the settings that were varied matter, for each outcome.  */
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/show/list.h"
#include "app/cli/show/outputs.h"
#include "core/labs/registry.h"
#include "core/run/base/json.h"
#include "core/run/importance/importance.h"

static const char *const examples = N_ (
  "For each outcome a line for every setting that differs among the runs of one lab, with the\n"
  "share of the variation that it causes alone, and the standard deviation of that share over\n"
  "the trees: functional ANOVA over 64 regression trees (Hutter, Hoos and Leyton-Brown 2014),\n"
  "always with the same seed.  At least 8 runs need to\n"
  "have the outcome; of more than 1000, every n-th counts.\n"
  "\n"
  "Examples:\n"
  "  sluice-cli importance runs.sluice\n"
  "  sluice-cli importance runs.sluice --filter 'lab = experts' --objective test.error\n"
  "  sluice-cli importance runs.sluice --objective error --table table.csv\n");

static const char *const usual[] = { "error", "executed", "timed", NULL };

typedef struct
{
  char    *lab, *filter, *table;
  char   **objectives;
  gboolean json;
} Typed;

/* The lab of --lab, or that of the most runs. */
static const SlLab *
choose_lab (const GPtrArray *runs, const char *id)
{
  const SlLab *best = NULL;
  unsigned     most = 0;

  for (int l = 0; sl_labs[l] != NULL; l++)
    {
      unsigned n = 0;

      if (id != NULL && strcmp (sl_labs[l]->id, id) != 0)
        continue;
      for (guint i = 0; i < runs->len; i++)
        n += ((SlStoreRun *) g_ptr_array_index (runs, i))->lab == sl_labs[l];
      if (n > most)
        best = sl_labs[l];
      most = MAX (n, most);
    }
  return best;
}

static void
print_text (const char *objective, const SlImportance *importance)
{
  printf (ngettext ("%s, %u run:\n", "%s, %u runs:\n", importance->runs), objective,
          importance->runs);
  for (unsigned i = 0; i < importance->n; i++)
    printf ("  %-24s %5.1f ± %.1f %%\n", importance->part[i].id, 100 * importance->part[i].share,
            100 * importance->part[i].spread);
}

static void
add_json (SlJsonWriter *w, const char *objective, const SlImportance *importance)
{
  sl_json_open (w, NULL, '{', SL_JSON_TIGHT);
  sl_json_add_text (w, "objective", objective);
  sl_json_add_whole (w, "runs", importance->runs);
  sl_json_open (w, "shares", '{', SL_JSON_TIGHT);
  for (unsigned i = 0; i < importance->n; i++)
    sl_json_add_number (w, importance->part[i].id, importance->part[i].share);
  sl_json_close (w);
  sl_json_open (w, "spreads", '{', SL_JSON_TIGHT);
  for (unsigned i = 0; i < importance->n; i++)
    sl_json_add_number (w, importance->part[i].id, importance->part[i].spread);
  sl_json_close (w);
  sl_json_close (w);
}

/* One outcome; *shown counts those that were there. */
static SlExit
show (const GPtrArray *runs, const SlLab *lab, const char *objective, const Typed *typed,
      SlJsonWriter *w, unsigned *shown)
{
  SlImportance importance;
  SlField      field;

  if (!sl_field_find (objective, runs, &field) || field.kind != SL_FIELD_NUMBER)
    {
      sl_cli_report ("no run has a score or cost \"%s\"", objective);
      return SL_EXIT_USAGE;
    }
  if (typed->table != NULL)
    {
      *shown += 1;
      return sl_outputs_save_text (sl_importance_csv (runs, lab, &field), typed->table)
               ? SL_EXIT_FINE
               : SL_EXIT_FAILED;
    }
  sl_importance_of (runs, lab, &field, &importance);
  if (importance.n == 0)
    return SL_EXIT_FINE;
  *shown += 1;
  if (typed->json)
    add_json (w, objective, &importance);
  else
    print_text (objective, &importance);
  return SL_EXIT_FINE;
}

static SlExit
show_all (const GPtrArray *runs, const Typed *typed)
{
  const SlLab       *lab = choose_lab (runs, typed->lab);
  const char *const *objective
    = typed->objectives != NULL ? (const char *const *) typed->objectives : usual;
  g_autofree char *text = NULL;
  SlJsonWriter     w;
  unsigned         shown = 0;
  SlExit           code = SL_EXIT_FINE;

  if (lab == NULL)
    {
      sl_cli_report ("there are no such runs");
      return SL_EXIT_FAILED;
    }
  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '[', SL_JSON_LINES);
  for (; *objective != NULL && code == SL_EXIT_FINE; objective++)
    code = show (runs, lab, *objective, typed, &w, &shown);
  text = sl_json_writer_end (&w, TRUE);
  if (code == SL_EXIT_FINE && typed->json)
    fputs (text, stdout);
  if (code == SL_EXIT_FINE && shown == 0)
    {
      sl_cli_report ("fewer than 8 of these runs of %s have an outcome, or nothing was varied",
                     lab->id);
      return SL_EXIT_FAILED;
    }
  return code;
}

static SlExit
read_store (const char *path, const Typed *typed)
{
  GError *error = NULL;
  g_autoptr (SlStore) store = sl_store_open_to_read (path, &error);
  g_autoptr (GPtrArray) runs = NULL;
  SlExit code;

  if (store == NULL)
    return sl_cli_fail_error (error);
  runs = sl_cli_list_runs (store, NULL, typed->filter, &code);
  return runs != NULL ? show_all (runs, typed) : code;
}

static SlExit
command (char **args)
{
  GOptionContext    *context = g_option_context_new ("STORE");
  Typed              typed = { 0 };
  const GOptionEntry entries[] = {
    { "objective", 0, 0, G_OPTION_ARG_STRING_ARRAY, &typed.objectives,
      N_ ("An outcome: error, executed, timed or any score; those three if not given"), "NAME" },
    { "lab", 0, 0, G_OPTION_ARG_STRING, &typed.lab,
      N_ ("The runs of this lab; that of most runs if not given"), "LAB" },
    { "filter", 0, 0, G_OPTION_ARG_STRING, &typed.filter,
      N_ ("Only runs that pass, see \"sluice-cli runs --help\""), "LINE" },
    { "table", 0, 0, G_OPTION_ARG_FILENAME, &typed.table,
      N_ ("Instead, write what is compared as CSV, for other programs"), "FILE" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &typed.json, N_ ("One JSON document instead of text"),
      NULL },
    { NULL },
  };
  g_auto (GStrv) rest = NULL;
  SlExit code;

  g_option_context_set_summary (context, N_ ("Says which settings matter for what runs came to."));
  g_option_context_add_main_entries (context, entries, NULL);
  if (sl_cli_options (context, examples, args, &rest, &code))
    {
      code = SL_EXIT_USAGE;
      if (rest[0] == NULL)
        sl_cli_report ("no store is given; see %s --help", args[0]);
      else if (typed.json && typed.table != NULL)
        sl_cli_report ("--json does not go with --table, which writes a table instead");
      else if (sl_cli_at_most (args, rest, 1))
        code = read_store (rest[0], &typed);
    }
  g_free (typed.lab);
  g_free (typed.filter);
  g_free (typed.table);
  g_strfreev (typed.objectives);
  return code;
}

const SlCliCommand sl_command_importance
  = { "importance", N_ ("which settings matter for the runs of a store"), command };
