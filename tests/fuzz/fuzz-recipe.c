/* SPDX-License-Identifier: MIT
 *
 * Recipes inside figures: PNG, SVG, PDF, TikZ, JSON.  The file is called alike whatever it is: what
 * it is has to be found out from its bytes.  */
#include "tests/fuzz/error.h"

#include "core/run/record/recipe.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL, refused = NULL;
  g_autofree char *found = NULL;
  char             path[512];
  SlRecipe         recipe;

  fuzz_write ("figure", data, size);
  fuzz_path ("figure", path, sizeof path);
  found = sl_recipe_find (path, &error);
  if (found == NULL)
    {
      fuzz_check_error (error);
      return 0;
    }
  if (sl_recipe_read (found, &recipe, &refused))
    sl_recipe_clear (&recipe);
  else
    fuzz_check_error (refused);
  return 0;
}
