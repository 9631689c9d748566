/* SPDX-License-Identifier: MIT */
#include "ui/kit/open.h"

#include "core/data/source/source.h"
#include "core/run/record/recipe.h"

/* Answers of a server are JSON as well. */
static gboolean
is_recording (const char *path)
{
  const SlSource *source;
  SlSettings      settings;
  SlStatus        status = sl_source_parse (path, &source, &settings, NULL);

  return sl_ok (&status) && source != NULL && source->yields == SL_NEEDS_ROUTING;
}

gboolean
sl_open_is_figure (const char *path)
{
  static const char *const endings[] = { ".png", ".svg", ".pdf", ".tikz", ".tex", ".py", ".json" };
  g_autofree char         *lower = g_ascii_strdown (path, -1);

  for (unsigned i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (lower, endings[i]))
      return !is_recording (path);
  return FALSE;
}

gboolean
sl_open_has_recipe (const char *path)
{
  g_autofree char *text = sl_open_is_figure (path) ? sl_recipe_find (path, NULL) : NULL;

  return text != NULL;
}
