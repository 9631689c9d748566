/* SPDX-License-Identifier: MIT
 *
 * sluice-cli runs: what a store holds, out of it, into it and away from it.  */
#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/show/outputs.h"
#include "core/run/store/store.h"
#include "core/run/store/table.h"
#include "core/run/sweep/command-line.h"
#include "core/run/sweep/store.h"

static const char *const examples = N_ (
  "STORE is a file that \"sluice-cli sweep --store\" or the window wrote.  A run is named by\n"
  "its id or the beginning of it.\n"
  "\n"
  "  list              every run; --lab, --csv and --json\n"
  "  show RUN…         settings, scores and the command that makes it again\n"
  "  export RUN        one run as run --csv, --npy, --json, --plot and --out write it\n"
  "  export [RUN…]     with --to: those runs, or all, into a store of their own\n"
  "  merge STORE…      adds the runs of other stores\n"
  "  delete RUN…       for good\n"
  "\n"
  "Examples:\n"
  "  sluice-cli runs runs.sluice\n"
  "  sluice-cli runs runs.sluice list --lab experts --csv runs.csv\n"
  "  sluice-cli runs runs.sluice export 3f2a --csv - --plot error=error.svg\n"
  "  sluice-cli runs runs.sluice merge runs-1.sluice runs-2.sluice\n");

typedef struct
{
  char     *lab, *to;
  SlOutputs outputs;
} Typed;

typedef SlExit (*Action) (SlStore *store, char **words, Typed *typed);

/* The runs of one lab, or all. */
static GPtrArray *
list_of (SlStore *store, const char *lab, GError **error)
{
  GPtrArray *runs = sl_store_list (store, NULL, FALSE, error);

  for (guint i = runs != NULL ? runs->len : 0; lab != NULL && i > 0; i--)
    if (strcmp (((SlStoreRun *) g_ptr_array_index (runs, i - 1))->lab_id, lab) != 0)
      g_ptr_array_remove_index (runs, i - 1);
  return runs;
}

enum { SHOWN = 8 /* letters of a run's name that a person is shown */ };

/* What is not as by default, "rank=5-5 s=0.1"; free with g_free(). */
static char *
settings_text (const SlStoreRun *run)
{
  GString   *text = g_string_new (NULL);
  SlSettings usual;
  char       value[512];

  if (run->lab == NULL)
    return g_string_free (text, FALSE);
  sl_settings_default (&usual, run->lab->params, run->lab->n_params);
  for (unsigned p = 0; p < run->lab->n_params; p++)
    if (!sl_value_same (&run->settings.value[p], &usual.value[p]))
      g_string_append_printf (
        text, "%s%s=%s", text->len > 0 ? " " : "", run->lab->params[p].id,
        sl_param_format (&run->lab->params[p], &run->settings.value[p], value, sizeof value));
  return g_string_free (text, FALSE);
}

static void
print_runs (const GPtrArray *runs)
{
  for (guint i = 0; i < runs->len; i++)
    {
      const SlStoreRun *run = g_ptr_array_index (runs, i);
      g_autofree char  *settings = settings_text (run);
      SlOutcome         outcome;

      sl_store_run_outcome (run, &outcome);
      printf ("%.*s  %-17s %-8s seed %-4" PRIu64 " step %-7" PRIu64, SHOWN, run->uuid, run->lab_id,
              sl_run_status_text (run->status), run->seed, run->step);
      if (isfinite (outcome.error))
        printf ("  error %.4g%s", outcome.error, outcome.validation ? " (validation)" : "");
      if (isfinite (outcome.executed))
        printf ("  executed %.4g %%", outcome.executed);
      if (isfinite (outcome.timed_spread))
        printf ("  timed %.4g ± %.2g %%", outcome.timed, outcome.timed_spread);
      printf ("  %s%s%s%s%s\n", run->data, settings[0] != '\0' ? "  " : "", settings,
              run->name[0] != '\0' ? "  # " : "", run->name);
    }
}

static SlExit
list (SlStore *store, char **words, Typed *typed)
{
  GError *error = NULL;
  g_autoptr (GPtrArray) runs = list_of (store, typed->lab, &error);
  const SlOutputs *outputs = &typed->outputs;
  bool             done = true;

  if (runs == NULL)
    return sl_cli_fail_error (error);
  if (outputs->csv != NULL)
    done = sl_outputs_save_text (sl_store_table_csv (runs), outputs->csv);
  if (outputs->json != NULL && done)
    done = sl_outputs_save_text (sl_store_table_json (runs), outputs->json);
  if (outputs->csv == NULL && outputs->json == NULL)
    print_runs (runs);
  return done ? SL_EXIT_FINE : SL_EXIT_FAILED;
}

static SlExit
show_one (SlStore *store, const char *word)
{
  GError *error = NULL;
  g_autoptr (SlStoreRun) run = sl_store_find (store, word, &error);
  g_autofree char *command = NULL;
  SlRecipe         recipe;

  if (run == NULL)
    return sl_cli_fail_error (error);
  printf ("%s%s%s\n%s, %s, step %" G_GUINT64_FORMAT ", %s, %u threads, version %s\n", run->uuid,
          run->name[0] != '\0' ? "  " : "", run->name, run->lab_id,
          sl_run_status_text (run->status), (guint64) run->step, run->kernel, run->threads,
          run->version);
  if (run->problem[0] != '\0')
    printf ("%s\n", run->problem);
  if (sl_recipe_read (run->recipe, &recipe, NULL))
    {
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
show (SlStore *store, char **words, Typed *typed)
{
  SlExit code = SL_EXIT_FINE;

  for (; *words != NULL && code == SL_EXIT_FINE; words++)
    code = show_one (store, *words);
  return code;
}

/* Full names for beginnings of names, ended by NULL; NULL after a complaint. */
static char **
names_of (SlStore *store, char **words)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (; *words != NULL; words++)
    {
      GError *error = NULL;
      g_autoptr (SlStoreRun) run = sl_store_find (store, *words, &error);

      if (run == NULL)
        {
          sl_cli_fail_error (error);
          return NULL;
        }
      g_ptr_array_add (names, g_strdup (run->uuid));
    }
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_steal (names, NULL);
}

static SlExit
export_store (SlStore *store, char **words, const char *to)
{
  g_auto (GStrv) names = names_of (store, words);
  GError *error = NULL;

  if (names == NULL)
    return SL_EXIT_FAILED;
  if (!sl_store_export (store, words[0] != NULL ? (const char *const *) names : NULL, to, &error))
    return sl_cli_fail_error (error);
  return SL_EXIT_FINE;
}

static SlExit export(SlStore *store, char **words, Typed *typed)
{
  g_autofree char *recipe = NULL;
  g_auto (GStrv) names = NULL;
  SlStoredRun run;
  GError     *error = NULL;
  SlExit      code;

  if (typed->to != NULL)
    return export_store (store, words, typed->to);
  if (words[0] == NULL || words[1] != NULL)
    {
      sl_cli_report ("export one run into tables and figures, or several with --to FILE");
      return SL_EXIT_USAGE;
    }
  names = names_of (store, words);
  if (names == NULL)
    return SL_EXIT_FAILED;
  if (!sl_store_load (store, names[0], FALSE, G_MAXUINT64, &run, &error))
    return sl_cli_fail_error (error);
  code = sl_outputs_check (&typed->outputs, run.record.lab);
  if (code == SL_EXIT_FINE)
    {
      recipe = sl_recipe_write (&run.recipe);
      code = sl_outputs_write (&typed->outputs, &run.record, recipe);
    }
  sl_stored_run_clear (&run);
  return code;
}

static SlExit
merge (SlStore *store, char **words, Typed *typed)
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
delete_runs (SlStore *store, char **words, Typed *typed)
{
  g_auto (GStrv) names = names_of (store, words);
  GError *error = NULL;

  if (names == NULL)
    return SL_EXIT_FAILED;
  for (char **name = names; *name != NULL; name++)
    if (!sl_store_is_free (store, *name, &error))
      return sl_cli_fail_error (error);
  for (char **name = names; *name != NULL; name++)
    sl_store_set_deleted (store, *name, TRUE);
  /* No limit on number or size: only what was deleted goes. */
  sl_store_prune (store, G_MAXUINT, 0);
  if (!sl_store_flush (store, &error))
    return sl_cli_fail_error (error);
  return SL_EXIT_FINE;
}

static const struct
{
  const char *name;
  Action      run;
  bool        needs_word; /* a run or a store behind it */
  bool        makes;      /* the store may be a new one */
} actions[] = {
  { "list", list, false, false },         { "show", show, true, false },
  { "export", export, false, false },     { "merge", merge, true, true },
  { "delete", delete_runs, true, false },
};

static SlExit
act (const char *path, const char *word, char **rest, Typed *typed)
{
  const char *names[G_N_ELEMENTS (actions) + 1] = { NULL };
  g_autoptr (SlStore) store = NULL;
  GError *error = NULL;
  size_t  a;

  for (a = 0; a < G_N_ELEMENTS (actions); a++)
    names[a] = actions[a].name;
  for (a = 0; a < G_N_ELEMENTS (actions) && strcmp (word, actions[a].name) != 0; a++)
    ;
  if (a == G_N_ELEMENTS (actions))
    {
      sl_cli_report ("runs cannot \"%s\"; perhaps %s?", word, sl_cli_nearest (word, names));
      return SL_EXIT_USAGE;
    }
  if (actions[a].needs_word && rest[0] == NULL)
    {
      sl_cli_report ("%s what? see sluice-cli runs --help", word);
      return SL_EXIT_USAGE;
    }
  /* Asking for what is in a file should not make one. */
  if (!actions[a].makes && !g_file_test (path, G_FILE_TEST_EXISTS))
    {
      sl_cli_report ("there is no store %s", path);
      return SL_EXIT_FAILED;
    }
  /* Nor should it change a file that is none. */
  store = actions[a].makes || sl_store_is_store (path) ? sl_store_open (path, &error)
                                                       : sl_store_open_to_read (path, &error);
  return store != NULL ? actions[a].run (store, rest, typed) : sl_cli_fail_error (error);
}

static SlExit
command (char **args)
{
  GOptionContext    *context = g_option_context_new ("STORE [ACTION [WORD…]]");
  Typed              typed = { 0 };
  const GOptionEntry entries[] = {
    { "lab", 0, 0, G_OPTION_ARG_STRING, &typed.lab, N_ ("List only the runs of this lab"), "LAB" },
    { "to", 0, 0, G_OPTION_ARG_FILENAME, &typed.to, N_ ("Export into a store of their own"),
      "FILE" },
    { NULL },
  };
  g_auto (GStrv) rest = NULL;
  SlExit code;

  g_option_context_set_summary (context, _ ("Lists, exports, merges and deletes the runs of a "
                                            "store."));
  g_option_context_add_main_entries (context, entries, NULL);
  sl_outputs_add_options (&typed.outputs, context);
  if (sl_cli_options (context, examples, args, &rest, &code))
    {
      code = SL_EXIT_USAGE;
      if (rest[0] == NULL)
        sl_cli_report ("no store is given; see %s --help", args[0]);
      else if (rest[1] == NULL)
        code = act (rest[0], "list", rest + 1, &typed);
      else
        code = act (rest[0], rest[1], rest + 2, &typed);
    }
  sl_outputs_clear (&typed.outputs);
  g_free (typed.lab);
  g_free (typed.to);
  return code;
}

const SlCliCommand sl_command_runs
  = { "runs", N_ ("list, export, merge and delete the runs of a store"), command };
