/* SPDX-License-Identifier: MIT
 *
 * sluice-cli replay: makes a run again from the recipe that a figure or a JSON export
 * carries, with the changes that were made on the way.  */
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/commands/moments.h"
#include "app/cli/commands/perform.h"
#include "core/nn/kernels/mat.h"
#include "core/run/record/recipe.h"
#include "core/run/store/store.h"
#include "core/run/sweep/command-line.h"

static const char *const examples
  = N_ ("FILE is a figure (svg, png, pdf, tikz) or a JSON export that Sluice wrote.  On the\n"
        "same kernel and number of threads the tables are the same to the last digit.\n"
        "A RUN of a store is compared with what is stored, bit for bit.\n"
        "\n"
        "Examples:\n"
        "  sluice-cli replay runs.sluice 3f2a\n"
        "  sluice-cli replay run.json --data ~/moved/train-images.gz --plot all=page.pdf\n");

/* Tells what will make the last digits differ. */
static void
compare_machines (const SlRecipe *recipe, unsigned threads)
{
  if (strcmp (recipe->version, SL_VERSION) != 0)
    sl_cli_report ("the recipe is of version %s, this is %s", recipe->version, SL_VERSION);
  if (strcmp (recipe->kernel, sl_blas_kernel ()) != 0 || recipe->threads != threads)
    sl_cli_report ("made with kernel %s and %u threads, replayed with %s and %u: the last digits "
                   "may differ",
                   recipe->kernel, recipe->threads, sl_blas_kernel (), threads);
}

/* What to replay: from a store with what it published, from any other file only the recipe. */
typedef struct
{
  const char *path;
  SlStoredRun stored; /* all zero but for a store */
  SlRecipe    recipe; /* of the file, or borrowed from the stored run */
} Original;

static SlExit
open_original (const char *path, const char *word, Original *original)
{
  g_autoptr (SlStore) store = NULL;
  g_autofree char *json = NULL, *gone = NULL;
  GError          *error = NULL;

  *original = (Original) { .path = path };
  if (sl_store_is_store (path))
    {
      g_autoptr (SlStoreRun) run = NULL;

      if (word == NULL)
        {
          sl_cli_report ("no run of %s is given; see sluice-cli runs %s", path, path);
          return SL_EXIT_USAGE;
        }
      store = sl_store_open (path, &error);
      run = store != NULL ? sl_store_find (store, word, &error) : NULL;
      if (run == NULL
          || !sl_store_load (store, run->uuid, FALSE, G_MAXUINT64, &original->stored, &error))
        return sl_cli_fail_error (error);
      original->recipe = original->stored.recipe;
      original->recipe.step = run->step;
      return SL_EXIT_FINE;
    }
  json = sl_recipe_find (path, &error);
  if (json == NULL || !sl_recipe_read (json, &original->recipe, &error))
    return sl_cli_fail_error (error);
  gone = sl_recipe_gone_text (&original->recipe);
  if (gone != NULL)
    sl_cli_report ("%s", gone);
  return SL_EXIT_FINE;
}

static void
close_original (Original *original)
{
  if (original->stored.record.lab != NULL)
    sl_stored_run_clear (&original->stored);
  else
    sl_recipe_clear (&original->recipe);
}

static void
print_command (const SlRecipe *recipe)
{
  g_autofree char *text = sl_command_line_run (recipe);

  puts (text);
}

static SlExit
replay (const Original *original, char **data, const SlPerform *how)
{
  const SlRecipe *recipe = &original->recipe;
  SlPlan          plan;
  SlExit          code;

  sl_plan_init (&plan, recipe->lab);
  sl_plan_recipe (&plan, recipe, 0);
  plan.budget.steps = recipe->step;
  if (*data != NULL && plan.lab->data != SL_NEEDS_NOTHING)
    {
      g_free (plan.data);
      plan.data = g_steal_pointer (data);
    }
  compare_machines (recipe, sl_blas_set_threads (recipe->threads));
  if (plan.budget.steps == 0)
    {
      sl_cli_report ("%s: the run had not made a step", original->path);
      code = SL_EXIT_FAILED;
    }
  else
    {
      SlPerform perform = *how;

      perform.data_hash = recipe->data_hash;
      perform.expected = original->stored.record.lab != NULL ? &original->stored.record : NULL;
      code = sl_cli_perform (&plan, &perform);
    }
  sl_plan_clear (&plan);
  return code;
}

static SlExit
command (char **args)
{
  GOptionContext    *context = g_option_context_new ("FILE [RUN]");
  g_autofree char   *data = NULL;
  gboolean           quiet = FALSE, only_command = FALSE;
  SlOutputs          outputs = { 0 };
  SlFilmChoice       film;
  int                moments;
  const GOptionEntry entries[] = {
    { "data", 0, 0, G_OPTION_ARG_FILENAME, &data,
      N_ ("Where the same data are now; content is compared"), "SPEC" },
    { "command", 0, 0, G_OPTION_ARG_NONE, &only_command, N_ ("Only print the command of the run"),
      NULL },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, N_ ("No progress line"), NULL },
    { NULL },
  };
  g_auto (GStrv) rest = NULL;
  SlExit code;

  g_option_context_set_summary (context, sl_command_replay.summary);
  g_option_context_add_main_entries (context, entries, NULL);
  sl_outputs_add_options (&outputs, context);
  sl_film_choice_add_options (&film, context);
  sl_cli_moments_add_option (&moments, context);
  if (sl_cli_options (context, examples, args, &rest, &code))
    {
      code = SL_EXIT_USAGE;
      if (rest[0] == NULL)
        sl_cli_report ("no file is given; see %s --help", args[0]);
      else if (only_command && (data != NULL || film.path != NULL || sl_outputs_any (&outputs)))
        sl_cli_report ("--command only prints; leave out --data and files");
      else if (sl_cli_moments_check (moments)
               && sl_cli_at_most (args, rest, sl_store_is_store (rest[0]) ? 2 : 1))
        {
          Original original;

          code = open_original (rest[0], rest[1], &original);
          if (code == SL_EXIT_FINE)
            {
              if (only_command)
                print_command (&original.recipe);
              else
                code = replay (
                  &original, &data,
                  &(SlPerform) {
                    .outputs = &outputs, .quiet = quiet, .film = &film, .moments = moments });
              close_original (&original);
            }
        }
    }
  sl_film_choice_clear (&film);
  sl_outputs_clear (&outputs);
  return code;
}

const SlCliCommand sl_command_replay
  = { "replay", N_ ("Repeats a run from its figure or export."), command };
