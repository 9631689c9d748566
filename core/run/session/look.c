/* SPDX-License-Identifier: MIT */
#include "core/run/session/look.h"

#include "core/data/source/source.h"

static gboolean
are_defaults (const SlSettings *settings, const SlParam *params, unsigned n)
{
  SlSettings defaults;

  sl_settings_default (&defaults, params, n);
  return sl_settings_same (&defaults, settings, n);
}

/* Data that Sluice has itself, with all options as they are at first. */
static gboolean
is_own_data (const char *spec)
{
  const SlSource *source;
  SlSettings      settings;
  SlSourceFiles   files;
  SlStatus        status;

  if (spec[0] == '\0')
    return TRUE;
  status = sl_source_parse (spec, &source, &settings, &files);
  return sl_ok (&status) && source != NULL && !sl_source_has_files (&files)
         && are_defaults (&settings, source->params, source->n_params);
}

gboolean
sl_recipe_is_as_it_comes (const SlRecipe *recipe)
{
  return are_defaults (&recipe->settings, recipe->lab->params, recipe->lab->n_params)
         && is_own_data (recipe->data);
}
