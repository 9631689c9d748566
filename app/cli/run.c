/* SPDX-License-Identifier: MIT
 *
 * See run.h.  */
#include "app/cli/run.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "app/cli/show/meter.h"
#include "app/cli/stop.h"
#include "core/base/clock.h"
#include "core/data/source/source.h"
#include "core/nn/kernels/mat.h"
#include "core/run/base/language.h"
#include "core/run/sweep/command-line.h"

/* Brings the run to where it was when it was stored. */
static SlStatus
go_to (SlHeadlessRun *run, SlStoredRun *stored)
{
  run->record = stored->record;
  stored->record = (SlRecord) { 0 };
  if (stored->changes > 0)
    g_array_append_vals (run->changes, stored->recipe.changes->data, stored->changes);
  return stored->checkpoint.data != NULL ? sl_trainer_restore (run->trainer, &stored->checkpoint)
                                         : SL_SUCCESS;
}

/* Where to look at a run that cannot go on, and how to begin it anew. */
static void
offer (const SlPlan *plan)
{
  g_autofree char *store = sl_command_word (sl_store_path (plan->store));
  g_autofree char *command = sl_command_line_run (&plan->stored.recipe);

  sl_cli_say (_ ("this run cannot go on.  Its curves:\n"
                 "  sluice-cli runs %s export %.8s --csv -\n"
                 "Begun anew:\n"
                 "  %s --store %s"),
              store, plan->stored.uuid, command, store);
}

SlExit
sl_headless_open (SlHeadlessRun *run, SlPlan *plan)
{
  SlStatus status = SL_SUCCESS;

  memset (run, 0, sizeof *run);
  run->changes = g_array_new (FALSE, FALSE, sizeof (SlChange));
  run->threads = sl_blas_set_threads (plan->threads > 0 ? plan->threads : sl_blas_cores ());
  if (plan->data != NULL)
    status = sl_source_open (plan->data, &run->dataset);
  if (sl_ok (&status))
    status = sl_trainer_new (&run->trainer, plan->lab, &plan->settings, run->dataset, plan->seed);
  if (sl_ok (&status) && plan->stored.record.lab != NULL)
    {
      status = go_to (run, &plan->stored);
      if (!sl_ok (&status))
        {
          SlExit code = sl_cli_fail (&status);

          offer (plan);
          return code;
        }
    }
  else if (sl_ok (&status))
    status = sl_record_init (&run->record, plan->lab, &plan->settings, 1);
  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  sl_record_sink_init (&run->sink, &run->record);
  return SL_EXIT_FINE;
}

/* Makes the changes that are due and takes them out of `waiting`, in the order they were
 * given.  */
static SlExit
make_changes (SlHeadlessRun *run, const SlPlan *plan, GArray *waiting, const SlProgress *progress)
{
  uint64_t step = sl_trainer_steps (run->trainer);
  guint    before = waiting->len;

  for (guint i = 0; i < waiting->len;)
    {
      SlPlannedChange *planned = &g_array_index (waiting, SlPlannedChange, i);
      double           at = planned->by_epoch ? progress->epochs : (double) step;

      if (!(at >= planned->when))
        {
          i++;
          continue;
        }

      SlChange      change = { .step = step, .param = planned->param, .value = planned->value };
      const SlValue old = sl_trainer_settings (run->trainer)->value[change.param];
      SlStatus      status = sl_trainer_set (run->trainer, change.param, &change.value);
      char          text[SL_CHANGE_MARKER_TEXT];

      if (!sl_ok (&status))
        return sl_cli_fail (&status);
      sl_change_marker_text (&plan->lab->params[change.param], &old, &change.value, text);
      sl_record_mark (&run->record, (double) step + 1, text);
      g_array_append_val (run->changes, change);
      g_array_remove_index (waiting, i);
    }
  if (run->keep != NULL && waiting->len != before)
    sl_keep_changed (run->keep, waiting);
  return SL_EXIT_FINE;
}

SlExit
sl_headless_train (SlHeadlessRun *run, const SlPlan *plan)
{
  g_autoptr (GArray) waiting = g_array_copy (plan->changes);
  double  began = sl_clock_wall () - plan->stored.seconds, done;
  SlExit  code = SL_EXIT_FINE;
  SlMeter meter;

  run->keep = sl_keep_begin (run, plan);
  sl_meter_begin (&meter, plan->quiet);
  for (;;)
    {
      SlProgress progress;
      uint64_t   step = sl_trainer_steps (run->trainer);
      SlStatus   status;

      sl_trainer_progress (run->trainer, &progress);
      done = sl_budget_share (&plan->budget, step, &progress, sl_clock_wall () - began);
      if (sl_stop_asked ())
        code = SL_EXIT_STOPPED;
      else if (done < 1)
        code = make_changes (run, plan, waiting, &progress);
      if (sl_meter_due (&meter, done) || code != SL_EXIT_FINE || done >= 1)
        sl_meter_show (&meter, step, plan->budget.steps, done, &progress);
      if (code != SL_EXIT_FINE || done >= 1)
        break;

      status = sl_trainer_step (run->trainer, &run->sink.sink);
      if (run->sink.failed)
        status = sl_status_new (SL_ENOMEM, "the record of the run", NULL, NULL);
      if (!sl_ok (&status))
        {
          sl_meter_end (&meter);
          code = sl_cli_fail (&status);
          return sl_keep_end (g_steal_pointer (&run->keep), code, waiting,
                              sl_clock_wall () - began);
        }
      if (run->keep != NULL)
        sl_keep_up (run->keep, sl_clock_wall () - began);
    }
  sl_meter_end (&meter);
  if (code == SL_EXIT_STOPPED)
    sl_cli_report ("stopped at step %" PRIu64 "; writing what was measured so far",
                   sl_trainer_steps (run->trainer));
  else if (waiting->len > 0)
    sl_cli_report ("the run was over before %u of its changes were due", waiting->len);
  return sl_keep_end (g_steal_pointer (&run->keep), code, waiting, sl_clock_wall () - began);
}

SlExit
sl_headless_probe (SlHeadlessRun *run, unsigned panel)
{
  SlStatus status = sl_trainer_probe (run->trainer, panel, &run->sink.sink);

  if (sl_ok (&status))
    return SL_EXIT_FINE;
  sl_cli_report ("the panel %s stays as it was:", run->record.lab->panels[panel].id);
  return sl_cli_fail (&status);
}

SlExit
sl_headless_print_scores (SlHeadlessRun *run, FILE *stream)
{
  static const struct
  {
    SlSplit     split;
    const char *title;
  } columns[] = { { SL_TEST, N_ ("test") }, { SL_VALID, N_ ("validation") } };
  SlScore  score[G_N_ELEMENTS (columns)][SL_SCORES_MAX];
  unsigned n[G_N_ELEMENTS (columns)] = { 0 }, longest = 0;
  int      width = (int) strlen (run->record.lab->id);

  for (size_t c = 0; c < G_N_ELEMENTS (columns); c++)
    if (sl_dataset_scores (run->dataset, columns[c].split))
      {
        SlStatus status = sl_trainer_score (run->trainer, columns[c].split, score[c], &n[c]);

        if (!sl_ok (&status))
          return sl_cli_fail (&status);
        longest = n[c] > n[longest] ? (unsigned) c : longest;
      }
  for (unsigned i = 0; i < n[longest]; i++)
    width = MAX (width, (int) strlen (sl_words (score[longest][i].title)));
  if (n[longest] > 0)
    {
      fprintf (stream, "%-*s", width, run->record.lab->id);
      for (size_t c = 0; c < G_N_ELEMENTS (columns); c++)
        fprintf (stream, "%12s",
                 n[c] == 0                                    ? ""
                 : sl_dataset_scores (run->dataset, SL_VALID) ? gettext (columns[c].title)
                                                              : _ ("value"));
      fputc ('\n', stream);
    }
  for (unsigned i = 0; i < n[longest]; i++)
    {
      fprintf (stream, "%-*s", width, sl_words (score[longest][i].title));
      for (size_t c = 0; c < G_N_ELEMENTS (columns); c++)
        if (i < n[c])
          fprintf (stream, "%12.4f", score[c][i].value);
      fprintf (stream, " %s\n", sl_words (score[longest][i].unit));
    }
  return SL_EXIT_FINE;
}

char *
sl_headless_recipe (const SlHeadlessRun *run, const SlPlan *plan)
{
  SlRecipe recipe;

  sl_recipe_init (&recipe, plan->lab, &plan->settings, run->dataset, plan->seed);
  recipe.step = sl_trainer_steps (run->trainer);
  recipe.changes = run->changes; /* borrowed, so this recipe is not cleared */
  return sl_recipe_write (&recipe);
}

void
sl_headless_clear (SlHeadlessRun *run)
{
  if (run->record.lab != NULL)
    {
      sl_record_sink_clear (&run->sink);
      sl_record_clear (&run->record);
    }
  sl_trainer_free (run->trainer);
  sl_dataset_free (run->dataset);
  g_clear_pointer (&run->changes, g_array_unref);
}
