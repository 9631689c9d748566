/* SPDX-License-Identifier: MIT
 *
 * See validate-json.h.  */
#include "app/cli/commands/validate-json.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/answers/answers.h"
#include "core/run/base/error.h"
#include "core/run/base/load.h"
#include "core/run/files/table.h"
#include "core/run/record/recipe-json.h"
#include "core/run/record/recipe.h"
#include "core/run/sweep/sweep.h"
#include "plot/export/style.h"

char *
sl_validate_recipe (const char *path, GError **error)
{
  g_autofree char *text = sl_recipe_find (path, error);
  SlRecipe         recipe;
  char            *found;

  if (text == NULL || !sl_recipe_read (text, &recipe, error))
    return NULL;
  found = g_strdup_printf (_ ("recipe of %s, seed %llu, update %llu"), recipe.lab->id,
                           (unsigned long long) recipe.seed, (unsigned long long) recipe.step);
  sl_recipe_clear (&recipe);
  return found;
}

char *
sl_validate_run (const char *path, GError **error)
{
  gsize            length;
  g_autofree char *text = sl_load (path, SL_RUN_BYTES, &length, error);
  SlRecord         record;
  char            *found;

  if (text == NULL || !sl_table_read_json (text, &record, NULL, error))
    return NULL;
  found = g_strdup_printf (
    ngettext ("run of %s, %u channel", "run of %s, %u channels", record.layout.n), record.lab->id,
    record.layout.n);
  sl_record_clear (&record);
  return found;
}

char *
sl_validate_style (const char *path, GError **error)
{
  gsize            length;
  g_autofree char *text = sl_load (path, SL_STYLE_BYTES, &length, error);
  SlExportStyle    style;

  if (text == NULL || !sl_export_style_read (text, length, path, &style, error))
    return NULL;
  return g_strdup (_ ("style of figures"));
}

char *
sl_validate_sweep (const char *path, GError **error)
{
  gsize            length;
  g_autofree char *text = sl_load (path, SL_RECIPE_BYTES, &length, error);
  g_autoptr (GArray) jobs = NULL;
  SlSweep sweep;
  char   *found;

  if (text == NULL || !sl_sweep_read (text, &sweep, error))
    return NULL;
  jobs = sl_sweep_expand (&sweep);
  found = g_strdup_printf (ngettext ("sweep of %s, %u run", "sweep of %s, %u runs", jobs->len),
                           sweep.lab->id, jobs->len);
  if (sweep.note != NULL)
    {
      char *noted = g_strconcat (found, "; ", _ (sweep.note), NULL);

      g_free (found);
      found = noted;
    }
  sl_sweep_clear (&sweep);
  return found;
}

char *
sl_validate_answers (const char *path, GError **error)
{
  SlAnswers *answers = sl_answers_load (path, error);
  char      *found;

  if (answers == NULL)
    return NULL;
  found = g_strdup_printf (ngettext ("%u answer to the lesson \"%s\"",
                                     "%u answers to the lesson \"%s\"", answers->answers->len),
                           answers->answers->len, answers->lesson);
  sl_answers_free (answers);
  return found;
}

char *
sl_validate_network (const char *path, GError **error)
{
  gsize            length;
  g_autofree char *text = sl_load (path, SL_RECIPE_BYTES, &length, error);
  g_autofree char *name = g_path_get_basename (path);
  SlStatus         status = SL_SUCCESS;

  if (text == NULL)
    return NULL;
  for (const SlLab *const *lab = sl_labs; *lab != NULL && sl_ok (&status); lab++)
    if ((*lab)->check_network != NULL)
      status = (*lab)->check_network (text, length);
  if (!sl_status_good (&status, error))
    return NULL;
  return g_strdup_printf (_ ("network of choices, for --data digits:network-file=%s"), name);
}
