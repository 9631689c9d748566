/* SPDX-License-Identifier: MIT
 *
 * See validate-json.h.  */
#include "app/cli/commands/validate-json.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cli/commands/figures.h"
#include "core/nn/dag/file.h"
#include "core/run/answers/answers.h"
#include "core/run/base/error.h"
#include "core/run/base/json.h"
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

static char *
describe_run (const char *text, GError **error)
{
  SlRecord record;
  char    *found;

  if (!sl_table_read_json (text, &record, NULL, error))
    return NULL;
  found = g_strdup_printf (
    ngettext ("run of %s, %u channel", "run of %s, %u channels", record.layout.n), record.lab->id,
    record.layout.n);
  sl_record_clear (&record);
  return found;
}

static char *
read_style (const char *path, GError **error)
{
  gsize            length;
  g_autofree char *text = sl_load (path, SL_STYLE_BYTES, &length, error);
  SlExportStyle    style;

  if (text == NULL || !sl_export_style_read (text, length, path, &style, error))
    return NULL;
  return g_strdup (_ ("style of figures"));
}

static char *
read_sweep (const char *path, GError **error)
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

static char *
read_answers (const char *path, GError **error)
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

static char *
read_plan (const char *path, GError **error)
{
  gsize            length;
  g_autofree char *text = sl_load (path, SL_RECIPE_BYTES, &length, error);
  SlStatus         status = text != NULL ? sl_dag_accepts (text, length) : SL_SUCCESS;

  if (text == NULL || !sl_status_good (&status, error))
    return NULL;
  return g_strdup (_ ("network of choices"));
}

/* What a document is by a member of it. */
static const struct
{
  const char *key;
  char *(*read) (const char *path, GError **error);
} documents[] = { { "sluice-style", read_style },
                  { "sluice-figures", sl_figures_describe },
                  { "sluice-sweep", read_sweep },
                  { "sluice-answers", read_answers },
                  { "sluice-plan", read_plan } };

char *
sl_validate_json (const char *path, GError **error)
{
  gsize            length;
  g_autofree char *text = sl_load (path, SL_RUN_BYTES, &length, error);
  g_autoptr (SlJson) json = NULL;

  if (text == NULL)
    return NULL;
  if (strstr (text, "\"sluice-run\"") != NULL)
    return describe_run (text, error);
  json = sl_json_parse_object (text, length, SL_RUN_BYTES, path, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (documents); i++)
    if (sl_json_member (json, documents[i].key) != NULL)
      return documents[i].read (path, error);
  return sl_validate_recipe (path, error);
}
