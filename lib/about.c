/* SPDX-License-Identifier: MIT
 *
 * What there is: labs, and what a run is made of; see sluice.h.  */
#include <string.h>

#include "core/base/words.h"
#include "core/labs/registry.h"
#include "core/nn/kernels/mat.h"
#include "core/run/base/cpu.h"
#include "core/run/base/json.h"
#include "core/run/manual/labs-json.h"
#include "lib/run-private.h"

const char *
sluice_kernel (void)
{
  return sl_blas_kernel ();
}

const char *
sluice_kernel_wanted (void)
{
  return sl_cpu_kernel_wanted ();
}

/* ---- names ---- */

/* Keeps the name most like `word`. */
static void
take_nearer (const char *word, const char *name, const char **nearest)
{
  if (*nearest == NULL || sl_word_distance (word, name) < sl_word_distance (word, *nearest))
    *nearest = name;
}

const SlLab *
sl_lib_lab (const char *id)
{
  const SlLab *lab = id != NULL ? sl_lab_find (id) : NULL;
  const char  *nearest = NULL;

  if (lab != NULL)
    return lab;
  for (const SlLab *const *l = sl_labs; *l != NULL; l++)
    take_nearer (id != NULL ? id : "", (*l)->id, &nearest);
  sl_lib_refuse (SLUICE_INVALID, "there is no lab “%.60s”; perhaps %s?", id != NULL ? id : "",
                 nearest);
  return NULL;
}

SluiceCode
sl_lib_panel (const SluiceRun *run, const char *id, unsigned *panel)
{
  const SlLab *lab = run->plan.lab;
  int          found = sl_lab_panel (lab, id);
  const char  *nearest = NULL;

  *panel = (unsigned) found;
  for (unsigned p = 0; found < 0 && p < lab->n_panels; p++)
    take_nearer (id, lab->panels[p].id, &nearest);
  return found >= 0 ? SLUICE_FINE
                    : sl_lib_refuse (SLUICE_INVALID, "%s has no panel “%.60s”; perhaps %s?",
                                     lab->id, id, nearest);
}

SluiceCode
sl_lib_channel (const SluiceRun *run, const char *id, unsigned *channel)
{
  const SlLayout *layout = &run->run.record.layout;
  int             found = sl_layout_find (layout, id);
  const char     *nearest = NULL;

  *channel = (unsigned) found;
  for (unsigned c = 0; found < 0 && c < layout->n; c++)
    take_nearer (id, layout->channel[c].id, &nearest);
  return found >= 0 ? SLUICE_FINE
                    : sl_lib_refuse (SLUICE_INVALID, "there is no curve “%.60s”; perhaps %s?", id,
                                     sl_given (nearest));
}

/* ---- labs ---- */

SluiceCode
sluice_labs (const char *lab, char **json)
{
  *json = NULL;
  SL_LIB_ENTER ();
  if (lab != NULL)
    {
      const SlLab *only[] = { sl_lib_lab (lab), NULL };

      *json = only[0] != NULL ? sl_labs_json (only) : NULL;
    }
  else
    *json = sl_labs_json (sl_labs);
  return *json != NULL ? SLUICE_FINE : SLUICE_INVALID;
}

/* ---- a run ---- */

SlSettings
sl_lib_settings (const SluiceRun *run)
{
  return run->run.trainer != NULL ? *sl_trainer_settings (run->run.trainer)
                                  : sl_recipe_settings (&run->run.recipe, UINT_MAX);
}

static void
add_settings (SlJsonWriter *w, const SluiceRun *run)
{
  const SlLab *lab = run->plan.lab;
  SlSettings   settings = sl_lib_settings (run);
  char         text[512];

  sl_json_open (w, "settings", '{', SL_JSON_LINES);
  for (unsigned p = 0; p < lab->n_params; p++)
    sl_json_add_text (w, lab->params[p].id,
                      sl_param_format (&lab->params[p], &settings.value[p], text, sizeof text));
  sl_json_close (w);
}

static void
add_changes (SlJsonWriter *w, const SluiceRun *run)
{
  char text[SL_CHANGE_MARKER_TEXT];

  sl_json_open (w, "changes", '[', SL_JSON_LINES);
  for (unsigned i = 0; i < run->run.record.n_flags; i++)
    {
      const SlChangeMarker *flag = &run->run.record.flag[i];

      sl_json_open (w, NULL, '{', SL_JSON_TIGHT);
      sl_json_add_number (w, "update", flag->step);
      sl_json_add_text (w, "text", sl_message_show (flag->text, NULL, text, sizeof text));
      sl_json_close (w);
    }
  sl_json_close (w);
}

static void
add_channels (SlJsonWriter *w, const SluiceRun *run)
{
  const SlLab    *lab = run->plan.lab;
  const SlLayout *layout = &run->run.record.layout;

  sl_json_open (w, "series", '[', SL_JSON_LINES);
  for (unsigned c = 0; c < layout->n; c++)
    {
      const SlChannel *channel = &layout->channel[c];
      const SlPanel   *panel = &lab->panels[channel->panel];
      SlMessage        title = sl_channel_title (lab, channel);
      const char      *unit = panel->traces[channel->trace].unit;
      SlAxes           axes = sl_panel_axes (lab, panel);
      char             text[SL_MESSAGE_SIZE];

      if (!channel->series)
        continue;
      sl_json_open (w, NULL, '{', SL_JSON_TIGHT);
      sl_json_add_text (w, "id", channel->id);
      sl_json_add_text (w, "panel", panel->id);
      sl_json_add_text (w, "title", sl_message_show (title.packed, NULL, text, sizeof text));
      sl_json_add_text (w, "unit", unit != NULL ? unit : axes.y.unit);
      sl_json_close (w);
    }
  sl_json_close (w);
}

static void
add_panels (SlJsonWriter *w, const SluiceRun *run)
{
  const SlLab *lab = run->plan.lab;
  SlSettings   settings = sl_lib_settings (run);

  sl_json_open (w, "panels", '[', SL_JSON_LINES);
  for (unsigned p = 0; p < lab->n_panels; p++)
    {
      const SlPanel *panel = &lab->panels[p];

      if (!sl_needs_hold (&settings, lab->params, lab->n_params, panel->needs)
          || !sl_dataset_has (run->run.dataset, panel->needs))
        continue;
      sl_json_open (w, NULL, '{', SL_JSON_TIGHT);
      sl_json_add_text (w, "id", panel->id);
      sl_json_add_text (w, "title", panel->title);
      sl_json_add_truth (w, "series", sl_panel_is_series (panel->kind));
      sl_json_close (w);
    }
  sl_json_close (w);
}

SluiceCode
sluice_run_about (const SluiceRun *run, char **json)
{
  const SlRecipe *recipe = &run->run.recipe;
  SlProgress      progress = { 0 };
  SlMessage       why = SL_NO_MESSAGE;
  SlJsonWriter    w;
  char            text[SL_MESSAGE_SIZE];

  *json = NULL;
  SL_LIB_ENTER ();
  if (run->run.trainer != NULL)
    {
      sl_trainer_progress (run->run.trainer, &progress);
      sl_trainer_ended (run->run.trainer, &why);
    }
  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_LINES);
  sl_json_add_text (&w, "lab", run->plan.lab->id);
  sl_json_add_text (&w, "title", run->plan.lab->title);
  sl_json_add_text (&w, "data", recipe->data);
  sl_json_add_whole (&w, "seed", recipe->seed);
  sl_json_add_whole (&w, "threads", recipe->threads);
  sl_json_add_text (&w, "kernel", recipe->kernel);
  sl_json_add_whole (&w, "update", sluice_run_updates (run));
  sl_json_add_number (&w, "epochs", progress.epochs);
  sl_json_add_number (&w, "seconds", run->run.seconds);
  sl_json_add_text (&w, "ended", sl_message_show (why.packed, NULL, text, sizeof text));
  sl_json_add_text (&w, "past", run->past);
  add_settings (&w, run);
  add_changes (&w, run);
  add_channels (&w, run);
  add_panels (&w, run);
  *json = sl_json_writer_end (&w, FALSE);
  return SLUICE_FINE;
}

SluiceCode
sluice_run_recipe (const SluiceRun *run, char **json)
{
  SlRecipe recipe = run->run.recipe;

  *json = NULL;
  SL_LIB_ENTER ();
  recipe.step = sluice_run_updates (run);
  *json = sl_recipe_write (&recipe);
  return SLUICE_FINE;
}
