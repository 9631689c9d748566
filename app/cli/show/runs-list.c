/* SPDX-License-Identifier: MIT
 *
 * See runs-list.h.  */
#include "app/cli/show/runs-list.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/run/sweep/store.h"

enum { SHOWN = 8 /* letters of a run's name that a person is shown */ };

static const SlStoreRun *
run_at (const GPtrArray *runs, guint i)
{
  return g_ptr_array_index (runs, i);
}

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

void
sl_runs_print (const GPtrArray *runs, FILE *stream)
{
  for (guint i = 0; i < runs->len; i++)
    {
      const SlStoreRun *run = run_at (runs, i);
      g_autofree char  *settings = settings_text (run);
      SlOutcome         outcome;

      sl_sweep_outcome (run, &outcome);
      fprintf (stream, "%.*s  %-17s %-8s seed %-4" PRIu64 " step %-7" PRIu64, SHOWN, run->uuid,
               run->lab_id, sl_run_status_text (run->status), run->seed, run->step);
      if (isfinite (outcome.error))
        fprintf (stream, "  error %.4g", outcome.error);
      if (isfinite (outcome.executed))
        fprintf (stream, "  executed %.4g %%", outcome.executed);
      fprintf (stream, "  %s%s%s%s%s\n", run->data, settings[0] != '\0' ? "  " : "", settings,
               run->name[0] != '\0' ? "  # " : "", run->name);
    }
}
