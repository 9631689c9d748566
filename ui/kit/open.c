/* SPDX-License-Identifier: MIT */
#include "ui/kit/open.h"

/* By ending: a picture without a recipe is no data set either, and should say so. */
static gboolean
may_carry_recipe (const char *path)
{
  static const char *const endings[] = { ".png", ".svg", ".pdf", ".tikz", ".tex", ".json" };
  g_autofree char         *lower = g_ascii_strdown (path, -1);

  for (unsigned i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (lower, endings[i]))
      return TRUE;
  return FALSE;
}

gboolean
sl_open_has_recipe (const char *path)
{
  g_autofree char *text = may_carry_recipe (path) ? sl_recipe_find (path, NULL) : NULL;

  return text != NULL;
}

static gboolean
replay (SlSession *session, const char *path, gboolean run, GError **error)
{
  g_autofree char *text = sl_recipe_find (path, error);
  SlRecipe         recipe = { 0 };
  gboolean         good = text != NULL && sl_recipe_read (text, &recipe, error);

  if (good)
    sl_session_replay (session, &recipe, run);
  sl_recipe_clear (&recipe);
  return good;
}

SlOpened
sl_open_file (SlSession *session, const char *path, const SlRecipe *plan, gboolean run,
              GError **error)
{
  g_return_val_if_fail (SL_IS_SESSION (session), 0);

  const SlLab *lab = sl_session_lab (session);
  SlSettings   settings;

  if (may_carry_recipe (path))
    return replay (session, path, run, error) ? SL_OPENED_RUN : SL_OPENED_NOTHING;
  settings = lab != NULL ? *sl_session_settings (session) : plan->settings;
  sl_session_start (session, lab != NULL ? lab : plan->lab, &settings, path,
                    lab != NULL ? sl_session_seed (session) : plan->seed, run);
  return SL_OPENED_DATA;
}
