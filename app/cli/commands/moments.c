/* SPDX-License-Identifier: MIT
 *
 * See moments.h.  */
#include "app/cli/commands/moments.h"

#include <glib/gi18n.h>

void
sl_cli_moments_add_option (int *most, GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "moments", 0, 0, G_OPTION_ARG_INT, most,
      N_ ("Most moments for --html (20) and --film (60), 2 to 240"), "N" },
    { NULL },
  };

  *most = 0;
  g_option_context_add_main_entries (context, entries, NULL);
}

bool
sl_cli_moments_check (int most)
{
  if (most == 0 || (most >= 2 && most <= SL_FRAMES_MAX))
    return true;
  sl_cli_report (_ ("--moments takes a number from 2 to %d, not %d"), SL_FRAMES_MAX, most);
  return false;
}

SlStatus
sl_cli_moments_begin (SlCliMoments *moments, const SlHeadlessRun *run, const bool *wanted,
                      unsigned most, unsigned examples)
{
  *moments = (SlCliMoments) { .status = SL_SUCCESS };
  moments->n_examples
    = MIN (sl_frames_choose (run->dataset, run->recipe.seed, moments->example), examples);
  moments->frames
    = sl_frames_new (run->record.lab, wanted, most, moments->example, moments->n_examples);
  if (moments->frames == NULL)
    moments->status = sl_status_no_memory (SL_MARK ("the moments of the run"));
  return moments->status;
}

/* The share of what was still to do at first: a run that is gone on with has its moments in its rest. */
static double
share (SlCliMoments *moments, double done)
{
  if (!moments->began)
    moments->from = done;
  moments->began = true;
  return moments->from < 1 ? (done - moments->from) / (1 - moments->from) : 1;
}

void
sl_cli_moments_offer (SlCliMoments *moments, const SlHeadlessRun *run, double done)
{
  if (moments->frames != NULL && sl_ok (&moments->status))
    moments->status = sl_frames_offer (moments->frames, run->trainer, share (moments, done));
}

SlStatus
sl_cli_moments_end (SlCliMoments *moments, const SlHeadlessRun *run)
{
  if (moments->frames != NULL && sl_ok (&moments->status))
    moments->status = sl_frames_end (moments->frames, run->trainer);
  return moments->status;
}

void
sl_cli_moments_clear (SlCliMoments *moments)
{
  g_clear_pointer (&moments->frames, sl_frames_free);
}
