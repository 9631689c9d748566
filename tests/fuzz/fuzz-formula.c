/* SPDX-License-Identifier: MIT
 *
 * Formulas, and texts with formulas in braces.  The first byte chooses.  */
#include "tests/fuzz/error.h"

#include "core/run/lesson/formula.h"

/* Names that begin with "a" exist, and have no value yet with "an". */
static gboolean
named (const char *name, double at, double *value, gpointer data)
{
  fuzz_require (name[0] != '\0');
  *value = g_str_has_prefix (name, "an") ? g_strtod ("nan", NULL) : (at == at ? at : 3.0);
  return name[0] == 'a';
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL, *filled = NULL;
  double           value = 0.0;

  if (size == 0)
    return 0;
  text = g_strndup ((const char *) data + 1, size - 1);
  if (data[0] % 2 == 0)
    {
      if (!sl_formula_value (text, named, NULL, &value, &error))
        fuzz_check_error (error);
      return 0;
    }
  filled = sl_formula_fill (text, named, NULL, &error);
  if (filled == NULL)
    fuzz_check_error (error);
  else if (g_utf8_validate (text, -1, NULL))
    fuzz_require (g_utf8_validate (filled, -1, NULL));
  return 0;
}
