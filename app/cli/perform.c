/* SPDX-License-Identifier: MIT
 *
 * See perform.h.  */
#include "app/cli/perform.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/run.h"
#include "app/cli/stop.h"

/* The worse of two: what already went wrong is what the caller of this program hears of. */
static SlExit
first_failure (SlExit a, SlExit b)
{
  return a != SL_EXIT_FINE ? a : b;
}

static bool
is_data (const SlHeadlessRun *run, uint64_t hash)
{
  if (hash == 0 || run->dataset->hash == hash)
    return true;
  sl_cli_report ("%s is not what the recipe was made with: its hash is %016" PRIx64
                 ", expected %016" PRIx64,
                 run->dataset->id, run->dataset->hash, hash);
  return false;
}

/* The first sample of two series that is not the same bits, or their length. */
static size_t
first_difference (const SlSeries *a, const SlSeries *b)
{
  size_t n = MIN (a->n, b->n), i = 0;

  while (i < n && memcmp (&a->step[i], &b->step[i], sizeof *a->step) == 0
         && memcmp (&a->value[i], &b->value[i], sizeof *a->value) == 0)
    i++;
  return i;
}

static SlExit
compare (const SlRecord *record, const SlRecord *expected)
{
  size_t samples = 0;

  for (unsigned c = 0; c < record->layout.n; c++)
    {
      const SlSeries *ours = &record->series[c], *theirs = &expected->series[c];
      size_t          same = first_difference (ours, theirs);

      if (same < MAX (ours->n, theirs->n))
        {
          sl_cli_report ("%s differs from what is stored, from its sample %zu on",
                         record->layout.channel[c].id, same + 1);
          return SL_EXIT_FAILED;
        }
      samples += same;
    }
  fprintf (stderr,
           ngettext ("%zu sample, the same to the last bit\n",
                     "%zu samples, all the same to the last bit\n", samples),
           samples);
  return SL_EXIT_FINE;
}

static SlExit
write_picture (SlHeadlessRun *run, const SlOutputs *outputs, const char *recipe)
{
  SlBitmap    picture;
  SlStatus    status = sl_trainer_picture (run->trainer, &picture);
  const char *title = run->dataset != NULL ? run->dataset->title : run->record.lab->title;
  SlExit      code;

  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  code = sl_outputs_write_picture (outputs, &picture, title, recipe);
  sl_bitmap_clear (&picture);
  return code;
}

static SlExit
train_and_write (SlHeadlessRun *run, const SlPlan *plan, const SlOutputs *outputs,
                 const SlRecord *expected)
{
  SlExit           code = sl_headless_train (run, plan);
  g_autofree char *recipe = sl_headless_recipe (run, plan);

  if (expected != NULL && (code == SL_EXIT_FINE || code == SL_EXIT_DIVERGED))
    code = first_failure (code, compare (&run->record, expected));
  for (unsigned p = 0; p < plan->lab->n_panels; p++)
    if (!sl_panel_is_series (plan->lab->panels[p].kind) && sl_outputs_wants (outputs, p))
      code = first_failure (code, sl_headless_probe (run, p));
  code = first_failure (code, sl_outputs_write (outputs, &run->record, recipe));
  if (code != SL_EXIT_DIVERGED && sl_outputs_wants_picture (outputs, plan->lab))
    code = first_failure (code, write_picture (run, outputs, recipe));
  /* A net that diverged has no score worth a table. */
  if (code != SL_EXIT_DIVERGED)
    code = first_failure (
      code, sl_headless_print_scores (run, sl_outputs_on_stdout (outputs) ? stderr : stdout));
  return code;
}

SlExit
sl_cli_perform (SlPlan *plan, SlOutputs *outputs, uint64_t data_hash, const SlRecord *expected)
{
  SlHeadlessRun run;
  SlExit        code = sl_outputs_check (outputs, plan->lab);

  if (code != SL_EXIT_FINE)
    return code;
  sl_stop_watch ();
  code = sl_headless_open (&run, plan);
  if (code == SL_EXIT_FINE && !is_data (&run, data_hash))
    code = SL_EXIT_FAILED;
  if (code == SL_EXIT_FINE)
    code = train_and_write (&run, plan, outputs, expected);
  sl_headless_clear (&run);
  return code;
}
