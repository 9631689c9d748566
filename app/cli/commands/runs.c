/* SPDX-License-Identifier: MIT
 *
 * sluice-cli runs: what a store holds, out of it, into it and away from it.  */
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/commands/runs-export.h"
#include "app/cli/commands/runs-time.h"
#include "app/cli/plot/trials.h"
#include "app/cli/show/list.h"
#include "app/cli/show/outputs.h"
#include "app/cli/show/print-groups.h"
#include "core/run/files/kind/kind.h"
#include "core/run/query/setting.h"
#include "core/run/query/table.h"
#include "core/run/record/name.h"
#include "core/run/store/about/annotation.h"
#include "core/run/store/store.h"
#include "core/run/sweep/command-line.h"
#include "plot/base/scale.h"

static const char *const examples = N_ (
  "STORE is a file of \"sluice-cli sweep --store\" or the window.  RUN is a name\n"
  "(quiet-heron-7) or the beginning of an id.\n"
  "\n"
  "  list              every run; --filter, --lab, --group, --csv and --json\n"
  "  show RUN…         settings, scores and the command that repeats it\n"
  "  export RUN        one run; --csv, --npy, --json, --plot and --out as for run\n"
  "  export [RUN…]     those runs, or all: --to a store, --wide one table, --events a folder\n"
  "                    of TensorBoard event files\n"
  "  time [RUN…]       times a forward pass of those runs, or of all without a time; trains\n"
  "                    those without a state again\n"
  "  merge STORE…      adds the runs of other stores\n"
  "  delete RUN…       for good\n"
  "  rename RUN [NAME…]  without a name: its first one\n"
  "  note RUN [TEXT…]  sets or removes the note\n"
  "  tag RUN [TAG…]    replaces the tags\n"
  "\n"
  "A filter has names of settings (k), scores (test.error) and facts (name, lab, data, status,\n"
  "step, seed, seconds, created, sweep, pinned, note, tag, error, executed, timed), the signs\n"
  "= != < <= > >= contains, \"and\", \"or\", \"not\" and parentheses; without these signs it is "
  "a\n"
  "text to find.  NAME = \"\" finds runs without it.\n"
  "\n"
  "Examples:\n"
  "  sluice-cli runs runs.sluice --filter 'lab = experts and k <= 4 and error < 12'\n"
  "  sluice-cli runs runs.sluice export quiet-heron-7 --csv - --plot error=error.svg\n");

typedef SlExit (*Action) (SlStore *store, char **words, SlRunsTyped *typed);

enum { WIDEST = 19 /* letters of a name that was not typed */ };

/* `all` are those of the store: what a sweep varied is said of a part of it too. */
static void
print_runs (const GPtrArray *runs, const GPtrArray *all)
{
  g_autoptr (SlVaried) varied = sl_varied_new ();

  for (guint i = 0; i < all->len; i++)
    sl_varied_add (varied, g_ptr_array_index (all, i));
  for (guint i = 0; i < runs->len; i++)
    {
      const SlStoreRun *run = g_ptr_array_index (runs, i);
      g_autofree char  *settings = sl_run_settings_text (run, varied, " ", "=");
      SlOutcome         outcome;
      char              text[48];

      sl_store_run_outcome (run, &outcome);
      printf ("%.*s  %s%*s  %-17s %-8s seed %-4" PRIu64 " step %-7" PRIu64, SL_RUN_ID_SHOWN,
              run->uuid, run->name, (int) MAX (WIDEST - g_utf8_strlen (run->name, -1), 0), "",
              run->lab_id, sl_run_status_text (run->status), run->seed, run->step);
      if (sl_store_run_is_curves_only (run))
        printf ("  curves only");
      if (isfinite (outcome.error))
        sl_print_error ("  error ", run, &outcome);
      if (isfinite (outcome.executed))
        printf ("  executed %.4g %%", outcome.executed);
      if (isfinite (outcome.timed_spread))
        printf ("  timed %s %%",
                sl_interval_text (outcome.timed, outcome.timed_spread, 4, text, sizeof text));
      printf ("  %s%s%s", run->data, settings[0] != '\0' ? "  " : "", settings);
      printf (sl_given (run->tags)[0] != '\0' ? "  [%s]\n" : "%s\n", sl_given (run->tags));
    }
}

static SlExit
list (SlStore *store, char **words, SlRunsTyped *typed)
{
  SlExit code;
  g_autoptr (GPtrArray) runs = sl_cli_list_runs (store, typed->lab, typed->filter, &code);
  const SlOutputs *outputs = &typed->outputs;
  bool             done = true;

  if (runs == NULL)
    return code;
  if ((g_strcmp0 (outputs->csv, "-") == 0) + (g_strcmp0 (outputs->json, "-") == 0)
        + (typed->group != NULL) + typed->differences
      > 1)
    {
      sl_cli_report ("only one of %s can go to standard output",
                     "--csv, --json, --group, --differences");
      return SL_EXIT_USAGE;
    }
  if (outputs->csv != NULL)
    done = sl_outputs_save_text (sl_store_table_csv (runs), outputs->csv);
  if (outputs->json != NULL && done)
    {
      GError *error = NULL;
      char   *json = sl_store_table_json (store, runs, &error);

      if (json == NULL)
        return sl_cli_fail_error (error);
      done = sl_outputs_save_text (json, outputs->json);
    }
  if (!done)
    return SL_EXIT_FAILED;
  if (typed->group != NULL)
    return sl_print_groups (runs, typed->group);
  if (typed->differences)
    sl_print_differences (runs);
  else if (outputs->csv == NULL && outputs->json == NULL)
    {
      g_autoptr (GPtrArray) all
        = typed->filter != NULL ? sl_store_list (store, NULL, FALSE, NULL) : NULL;

      print_runs (runs, all != NULL ? all : runs);
    }
  return SL_EXIT_FINE;
}

static SlExit
show_one (SlStore *store, const char *word)
{
  GError *error = NULL;
  g_autoptr (SlStoreRun) run = sl_store_find (store, word, &error);
  g_autofree char *command = NULL, *json = NULL;
  SlRecipe         recipe;

  if (run != NULL)
    json = sl_store_recipe (store, run->uuid, &error);
  if (json == NULL)
    return sl_cli_fail_error (error);
  printf ("%s  %s\n%s, %s%s, step %" G_GUINT64_FORMAT ", %s, %u threads, version %s\n", run->uuid,
          run->name, run->lab_id, sl_run_status_text (run->status),
          sl_store_run_is_curves_only (run) ? ", curves only" : "", (guint64) run->step,
          run->kernel, run->threads, run->version);
  if (run->problem[0] != '\0')
    printf ("%s\n", run->problem);
  if (sl_given (run->tags)[0] != '\0')
    printf ("[%s]\n", run->tags);
  if (sl_given (run->note)[0] != '\0')
    printf ("%s\n", run->note);
  if (sl_recipe_read (json, &recipe, NULL))
    {
      g_autofree char *gone = sl_recipe_gone_text (&recipe);

      if (gone != NULL)
        printf ("%s\n", gone);
      recipe.step = run->step;
      command = sl_command_line_run (&recipe);
      printf ("%s\n", command);
      sl_recipe_clear (&recipe);
    }
  if (!sl_store_goes_on (store, run->uuid, &error))
    printf (_ ("It cannot be continued: %s\n"), error->message);
  g_clear_error (&error);
  for (unsigned f = 0; f < run->n_figures; f++)
    printf ("  %-32s %12.6g\n", run->figure[f].name, run->figure[f].value);
  return SL_EXIT_FINE;
}

static SlExit
show (SlStore *store, char **words, SlRunsTyped *typed)
{
  SlExit code = SL_EXIT_FINE;

  for (; *words != NULL && code == SL_EXIT_FINE; words++)
    code = show_one (store, *words);
  return code;
}

static SlExit
merge (SlStore *store, char **words, SlRunsTyped *typed)
{
  for (; *words != NULL; words++)
    {
      GError  *error = NULL;
      unsigned added;

      if (!sl_store_merge (store, *words, &added, &error))
        return sl_cli_fail_error (error);
      fprintf (stderr, ngettext ("%s: %u run added\n", "%s: %u runs added\n", added), *words,
               added);
    }
  return SL_EXIT_FINE;
}

static SlExit
delete_runs (SlStore *store, char **words, SlRunsTyped *typed)
{
  g_auto (GStrv) names = sl_runs_named (store, words);
  GError *error = NULL;

  if (names == NULL)
    return SL_EXIT_FAILED;
  for (char **name = names; *name != NULL; name++)
    if (!sl_store_is_free (store, *name, &error))
      return sl_cli_fail_error (error);
  for (char **name = names; *name != NULL; name++)
    sl_store_set_deleted (store, *name, TRUE);
  /* No limit on number or size: only what was deleted goes. */
  sl_store_prune (store, G_MAXUINT);
  if (!sl_store_settle (store, &error))
    return sl_cli_fail_error (error);
  return SL_EXIT_FINE;
}

/* The first word's run gets the others, joined, as its name, note or tags. */
static SlExit
annotate (SlStore *store, char **words, const char *between,
          void (*set) (SlStore *store, const char *uuid, const char *text))
{
  GError *error = NULL;
  g_autoptr (SlStoreRun) run = sl_store_find (store, words[0], &error);
  g_autofree char *text = g_strjoinv (between, words + 1);

  if (run == NULL)
    return sl_cli_fail_error (error);
  set (store, run->uuid, text);
  return sl_store_settle (store, &error) ? SL_EXIT_FINE : sl_cli_fail_error (error);
}

static SlExit
rename_run (SlStore *store, char **words, SlRunsTyped *typed)
{
  return annotate (store, words, " ", sl_store_rename);
}

static SlExit
note (SlStore *store, char **words, SlRunsTyped *typed)
{
  return annotate (store, words, " ", sl_store_set_note);
}

static SlExit
tag (SlStore *store, char **words, SlRunsTyped *typed)
{
  return annotate (store, words, ",", sl_store_set_tags);
}

static const struct
{
  const char *name;
  Action      run;
  bool        needs_word; /* a run or a store behind it */
  bool        makes;      /* the store may be a new one */
} actions[] = {
  { "list", list, false, false },
  { "show", show, true, false },
  { "export", sl_runs_export, false, false },
  { "time", sl_runs_time, false, false },
  { "merge", merge, true, true },
  { "delete", delete_runs, true, false },
  { "rename", rename_run, true, false },
  { "note", note, true, false },
  { "tag", tag, true, false },
};

/* What an option has an export write; those of two kinds do not go together. */
typedef enum { NEVER, ANY, STORE_OF_RUNS, CURVES, FILES } Exported;

/* Complains about options that the action would ignore. */
static bool
check_options (Action action, const char *name, const SlRunsTyped *typed)
{
  const SlOutputs *outputs = &typed->outputs;
  const struct
  {
    const char *name;
    bool        given, lists;
    Exported    exports;
  } options[] = {
    { "--lab", typed->lab != NULL, true, ANY },
    { "--filter", typed->filter != NULL, true, ANY },
    { "--group", typed->group != NULL, true, NEVER },
    { "--differences", typed->differences, true, NEVER },
    { "--csv", outputs->csv != NULL, true, FILES },
    { "--json", outputs->json != NULL, true, FILES },
    { "--to", typed->to != NULL, false, STORE_OF_RUNS },
    { "--wide", typed->wide != NULL, false, CURVES },
    { "--events", typed->events != NULL, false, CURVES },
    { "--npy", outputs->npy != NULL, false, FILES },
    { "--plot", outputs->plots != NULL, false, FILES },
    { "--picture", outputs->picture != NULL, false, FILES },
    { "--recording", outputs->recording != NULL, false, FILES },
    { "--network", outputs->network != NULL, false, FILES },
    { "--out", outputs->folder != NULL, false, FILES },
  };
  size_t first = G_N_ELEMENTS (options); /* that says what is exported */

  for (size_t i = 0; i < G_N_ELEMENTS (options); i++)
    {
      if (!options[i].given)
        continue;
      if (!(action == list             ? options[i].lists
            : action == sl_runs_export ? options[i].exports != NEVER
                                       : action == sl_runs_time && options[i].exports == ANY))
        {
          sl_cli_report ("%s takes no %s; see sluice-cli runs --help", name, options[i].name);
          return false;
        }
      if (action == list || options[i].exports == ANY)
        continue;
      if (first < i && options[first].exports != options[i].exports)
        {
          sl_cli_report ("%s and %s are two exports; leave one of them out", options[first].name,
                         options[i].name);
          return false;
        }
      first = MIN (first, i);
    }
  return true;
}

/* A merge that cannot read what it is to add should not make a store. */
static SlExit
check_stores (char **paths)
{
  for (; *paths != NULL; paths++)
    {
      GError                   *error = NULL;
      g_autoptr (SlStore) store G_GNUC_UNUSED
        = sl_store_is_store (*paths) ? NULL : sl_store_open_to_read (*paths, &error);

      if (error != NULL)
        return sl_cli_fail_error (error);
    }
  return SL_EXIT_FINE;
}

/* Runs the action.  A new store that an action which failed left empty is removed. */
static SlExit
act_on (SlStore *store, const char *path, bool made, Action run, char **rest, SlRunsTyped *typed)
{
  SlExit code = run (store, rest, typed);
  g_autoptr (GPtrArray) runs = NULL;

  if (made && code != SL_EXIT_FINE)
    runs = sl_store_list (store, NULL, TRUE, NULL);
  g_object_unref (store);
  if (runs != NULL && runs->len == 0)
    g_unlink (path);
  return code;
}

static SlExit
act (const char *path, const char *word, char **rest, SlRunsTyped *typed)
{
  const char *names[G_N_ELEMENTS (actions) + 1] = { NULL };
  bool        made = !g_file_test (path, G_FILE_TEST_EXISTS);
  SlStore    *store;
  GError     *error = NULL;
  size_t      a;

  for (a = 0; a < G_N_ELEMENTS (actions); a++)
    names[a] = actions[a].name;
  if (made && g_strv_contains (names, path))
    {
      sl_cli_report ("the store comes first: sluice-cli runs STORE %s", path);
      return SL_EXIT_USAGE;
    }
  for (a = 0; a < G_N_ELEMENTS (actions) && strcmp (word, actions[a].name) != 0; a++)
    ;
  if (a == G_N_ELEMENTS (actions))
    {
      sl_cli_report ("runs cannot \"%s\"; perhaps %s?", word, sl_cli_nearest (word, names));
      return SL_EXIT_USAGE;
    }
  if (actions[a].needs_word && rest[0] == NULL)
    {
      sl_cli_report ("nothing to %s; see sluice-cli runs --help", word);
      return SL_EXIT_USAGE;
    }
  if (!check_options (actions[a].run, word, typed))
    return SL_EXIT_USAGE;
  if (actions[a].run == list && rest[0] != NULL)
    {
      sl_cli_report ("\"%s\" is not expected here; see %s --help", rest[0], "sluice-cli runs");
      return SL_EXIT_USAGE;
    }
  if (actions[a].makes && check_stores (rest) != SL_EXIT_FINE)
    return SL_EXIT_FAILED;
  /* Asking for what is in a file should not make one. */
  if (!actions[a].makes && made)
    {
      sl_cli_report ("there is no store %s", path);
      return SL_EXIT_FAILED;
    }
  /* Nor should it change a file that is none. */
  store = actions[a].makes || sl_store_is_store (path) ? sl_store_open (path, &error)
                                                       : sl_store_open_to_read (path, &error);
  return store != NULL ? act_on (store, path, made, actions[a].run, rest, typed)
                       : sl_cli_fail_error (error);
}

static SlExit
command (char **args)
{
  GOptionContext    *context = g_option_context_new ("STORE [ACTION [WORD…]]");
  SlRunsTyped        typed = { 0 };
  const GOptionEntry entries[] = {
    { "lab", 0, 0, G_OPTION_ARG_STRING, &typed.lab, N_ ("Only runs of this lab"), "LAB" },
    { "filter", 0, 0, G_OPTION_ARG_STRING, &typed.filter,
      N_ ("Only matching runs, for example 'k <= 4 and error < 12'"), "LINE" },
    { "group", 0, 0, G_OPTION_ARG_STRING, &typed.group,
      N_ ("List the values of this setting, score or fact, with means"), "NAME" },
    { "differences", 0, 0, G_OPTION_ARG_NONE, &typed.differences,
      N_ ("List only what differs, a column each"), NULL },
    { "to", 0, 0, G_OPTION_ARG_FILENAME, &typed.to, N_ ("Export into a store"), "FILE" },
    { "wide", 0, 0, G_OPTION_ARG_FILENAME, &typed.wide,
      N_ ("Export the curves of several runs as one CSV"), "FILE" },
    { "events", 0, 0, G_OPTION_ARG_FILENAME, &typed.events,
      N_ ("Export each run as a TensorBoard event file"), "FOLDER" },
    { NULL },
  };
  g_auto (GStrv) rest = NULL;
  SlExit code;

  g_option_context_set_summary (context, sl_command_runs.summary);
  g_option_context_add_main_entries (context, entries, NULL);
  sl_outputs_add_options (&typed.outputs, context);
  if (sl_cli_options (context, examples, args, &rest, &code))
    {
      code = SL_EXIT_USAGE;
      if (rest[0] == NULL)
        sl_cli_report ("no store is given; see %s --help", args[0]);
      else if (rest[1] == NULL && sl_file_kind (rest[0]) == SL_FILE_TRIALS)
        code = sl_print_trials (rest[0]);
      else if (rest[1] == NULL)
        code = act (rest[0], "list", rest + 1, &typed);
      else
        code = act (rest[0], rest[1], rest + 2, &typed);
    }
  sl_outputs_clear (&typed.outputs);
  g_free (typed.lab);
  g_free (typed.to);
  g_free (typed.filter);
  g_free (typed.group);
  g_free (typed.wide);
  g_free (typed.events);
  return code;
}

const SlCliCommand sl_command_runs
  = { "runs", N_ ("Lists, exports, times, merges, names and deletes runs of a store."), command };
