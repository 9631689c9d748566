/* SPDX-License-Identifier: MIT
 *
 * Runs as JSON documents: what can be read is written and read again the same.  */
#include "tests/fuzz/error.h"

#include "core/run/files/table.h"
#include "core/run/record/recipe.h"

static void
check_recipe (const char *json)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *once = NULL, *twice = NULL;
  SlRecipe         recipe;

  if (!sl_recipe_read (json, &recipe, &error))
    {
      fuzz_check_error (error);
      return;
    }
  once = sl_recipe_write (&recipe);
  sl_recipe_clear (&recipe);
  fuzz_require (sl_recipe_read (once, &recipe, NULL));
  twice = sl_recipe_write (&recipe);
  fuzz_require (strcmp (once, twice) == 0);
  sl_recipe_clear (&recipe);
}

static void
check_round_trip (const SlRecord *record, const char *recipe)
{
  g_autofree char *once = sl_table_json (record, recipe), *twice = NULL, *found = NULL;
  g_autofree char *csv = sl_table_csv (record, 0.0, 1e300);
  g_autoptr (GError) error = NULL;
  SlRecord again;

  fuzz_require (g_str_has_prefix (csv, "step"));
  fuzz_require (sl_table_read_json (once, &again, &found, &error));
  twice = sl_table_json (&again, found);
  fuzz_require (strcmp (once, twice) == 0);
  sl_record_clear (&again);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_strndup ((const char *) data, size), *recipe = NULL;
  g_autoptr (GError) error = NULL;
  SlRecord record;

  check_recipe (text);
  if (!sl_table_read_json (text, &record, &recipe, &error))
    {
      fuzz_check_error (error);
      return 0;
    }
  check_round_trip (&record, recipe);
  if (recipe != NULL)
    check_recipe (recipe);
  sl_record_clear (&record);
  return 0;
}
