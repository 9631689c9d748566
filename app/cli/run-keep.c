/* SPDX-License-Identifier: MIT
 *
 * See run-keep.h.  */
#include "app/cli/run-keep.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cli/run.h"
#include "core/nn/kernels/mat.h"

struct SlKeep
{
  SlHeadlessRun *run;
  const SlPlan  *plan;
  SlWriter      *writer;
  void (*take) (SlSink *sink, const SlSample *sample); /* into the record */
  double   due; /* of the next checkpoint, in seconds of training */
  uint64_t kept_step;
};

void
sl_keep_options_add (SlKeepOptions *options, GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "store", 0, 0, G_OPTION_ARG_FILENAME, &options->store,
      N_ ("Keep the run in a store while it goes on"), "FILE" },
    { "resume", 0, 0, G_OPTION_ARG_STRING, &options->resume,
      N_ ("Go on with a run of the store: how its name begins, or \"last\""), "RUN" },
    { NULL },
  };

  g_option_context_add_main_entries (context, entries, NULL);
}

void
sl_keep_options_clear (SlKeepOptions *options)
{
  g_clear_pointer (&options->store, g_free);
  g_clear_pointer (&options->resume, g_free);
}

/* The changes that the run had still to come, as planned ones. */
static void
plan_changes (SlPlan *plan)
{
  const GArray *changes = plan->stored.recipe.changes;

  g_array_set_size (plan->changes, 0);
  for (guint i = plan->stored.changes; changes != NULL && i < changes->len; i++)
    {
      const SlChange *change = &g_array_index (changes, SlChange, i);
      SlPlannedChange planned
        = { .when = (double) change->step, .param = change->param, .value = change->value };

      g_array_append_val (plan->changes, planned);
    }
}

static SlExit
find_run (SlPlan *plan, const char *name)
{
  GError          *error = NULL;
  g_autofree char *last = strcmp (name, "last") == 0 ? sl_store_last_open (plan->store) : NULL;
  SlStoreRun      *row;
  gboolean         fine;

  row = sl_store_find (plan->store, last != NULL ? last : name, &error);
  if (row == NULL)
    return sl_cli_fail_error (error);
  fine = sl_store_load (plan->store, row->uuid, TRUE, UINT64_MAX, &plan->stored, &error);
  sl_store_run_free (row);
  return fine ? SL_EXIT_FINE : sl_cli_fail_error (error);
}

SlExit
sl_keep_options_read (const SlKeepOptions *options, SlPlan *plan)
{
  const SlRecipe *recipe = &plan->stored.recipe;
  GError         *error = NULL;
  SlExit          code = SL_EXIT_FINE;

  if (options->store == NULL)
    {
      if (options->resume == NULL)
        return SL_EXIT_FINE;
      sl_cli_report (_ ("--resume needs --store, which says where the run is"));
      return SL_EXIT_USAGE;
    }
  plan->store = sl_store_open (options->store, &error);
  if (plan->store == NULL)
    return sl_cli_fail_error (error);
  if (sl_store_error (plan->store) != NULL)
    return sl_cli_fail_error (g_error_copy (sl_store_error (plan->store)));
  if (options->resume == NULL)
    return SL_EXIT_FINE;
  code = find_run (plan, options->resume);
  if (code != SL_EXIT_FINE)
    return code;
  plan->lab = recipe->lab;
  plan->settings = recipe->settings;
  plan->seed = recipe->seed;
  plan->threads = recipe->threads;
  g_free (plan->data);
  plan->data = recipe->data[0] != '\0' ? g_strdup (recipe->data) : NULL;
  plan_changes (plan);
  if (strcmp (recipe->kernel, sl_blas_kernel ()) != 0)
    sl_cli_report (_ ("this run began on the kernel %s; with %s its last digits go on differently"),
                   recipe->kernel, sl_blas_kernel ());
  return SL_EXIT_FINE;
}

/* With the changes made and, behind them, those that wait for a step. */
static void
make_recipe (const SlKeep *keep, const GArray *waiting, SlRecipe *recipe)
{
  const SlHeadlessRun *run = keep->run;

  sl_recipe_init (recipe, keep->plan->lab, &keep->plan->settings, run->dataset, keep->plan->seed);
  recipe->step = sl_trainer_steps (run->trainer);
  recipe->changes = g_array_copy (run->changes);
  for (guint i = 0; i < waiting->len; i++)
    {
      const SlPlannedChange *planned = &g_array_index (waiting, SlPlannedChange, i);
      SlChange               change
        = { .step = (uint64_t) planned->when, .param = planned->param, .value = planned->value };

      if (!planned->by_epoch)
        g_array_append_val (recipe->changes, change);
    }
}

static void
write_recipe (SlKeep *keep, const GArray *waiting)
{
  SlRecipe recipe;

  make_recipe (keep, waiting, &recipe);
  sl_writer_recipe (keep->writer, &recipe);
  sl_recipe_clear (&recipe);
}

static void
take (SlSink *sink, const SlSample *sample)
{
  SlHeadlessRun *run = (SlHeadlessRun *) ((char *) sink - G_STRUCT_OFFSET (SlHeadlessRun, sink));

  run->keep->take (sink, sample);
  sl_writer_sample (run->keep->writer, sample);
}

SlKeep *
sl_keep_begin (SlHeadlessRun *run, const SlPlan *plan)
{
  const SlStoredRun *stored = &plan->stored;
  SlKeep            *keep;
  SlRecipe           recipe;

  if (plan->store == NULL)
    return NULL;
  keep = g_new0 (SlKeep, 1);
  keep->run = run;
  keep->plan = plan;
  if (stored->uuid[0] != '\0')
    keep->writer = sl_writer_resume (plan->store, stored->uuid, &run->record,
                                     stored->checkpoint.step, stored->seconds);
  else
    {
      make_recipe (keep, plan->changes, &recipe);
      keep->writer = sl_writer_new (plan->store, NULL, &recipe, &run->record.layout, NULL, 0);
      sl_recipe_clear (&recipe);
    }
  keep->take = run->sink.sink.take;
  run->sink.sink.take = take;
  keep->due = stored->seconds + sl_writer_checkpoint_seconds (0);
  keep->kept_step = stored->checkpoint.step;
  if (!plan->quiet)
    sl_cli_report (_ ("this run is %s"), sl_writer_uuid (keep->writer));
  return keep;
}

void
sl_keep_changed (SlKeep *keep, const GArray *waiting)
{
  sl_writer_markers (keep->writer, &keep->run->record);
  write_recipe (keep, waiting);
}

static void
keep_checkpoint (SlKeep *keep, double seconds)
{
  SlHeadlessRun *run = keep->run;
  SlCheckpoint   checkpoint = { 0 };
  SlStatus       status = sl_trainer_save (run->trainer, &checkpoint);

  /* Without memory for one, the run goes on from an earlier one some day. */
  if (!sl_ok (&status))
    return;
  keep->kept_step = checkpoint.step;
  keep->due = seconds + sl_writer_checkpoint_seconds (checkpoint.bytes);
  sl_writer_checkpoint (keep->writer, &checkpoint, run->changes->len, run->record.n_flags, seconds);
}

void
sl_keep_up (SlKeep *keep, double seconds)
{
  sl_writer_tick (keep->writer, sl_trainer_steps (keep->run->trainer), seconds);
  if (seconds >= keep->due)
    keep_checkpoint (keep, seconds);
}

SlExit
sl_keep_end (SlKeep *keep, SlExit code, const GArray *waiting, double seconds)
{
  GError *error = NULL;
  SlExit  result = code;

  if (keep == NULL)
    return code;
  sl_keep_changed (keep, waiting);
  sl_writer_tick (keep->writer, sl_trainer_steps (keep->run->trainer), seconds);
  if (code != SL_EXIT_DIVERGED && sl_trainer_steps (keep->run->trainer) != keep->kept_step)
    keep_checkpoint (keep, seconds);
  sl_writer_status (keep->writer,
                    code == SL_EXIT_FINE       ? SL_RUN_FINISHED
                    : code == SL_EXIT_DIVERGED ? SL_RUN_DIVERGED
                                               : SL_RUN_PAUSED,
                    NULL);
  keep->run->sink.sink.take = keep->take;
  sl_writer_free (keep->writer);
  if (!sl_store_flush (keep->plan->store, &error))
    result = MAX (sl_cli_fail_error (error), code);
  g_free (keep);
  return result;
}
