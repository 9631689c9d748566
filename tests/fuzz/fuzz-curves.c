/* SPDX-License-Identifier: MIT
 *
 * Tables of curves of other programs.  */
#include "tests/fuzz/error.h"

#include "core/run/foreign/foreign.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_malloc (size + 1);
  g_autoptr (GError) error = NULL;
  SlForeign foreign;

  for (size_t i = 0; i < size; i++)
    text[i] = (char) data[i];
  text[size] = '\0';
  sl_foreign_init (&foreign, "fuzz");
  {
    char *begin = g_memdup2 (text, size + 1);

    (void) sl_foreign_is_table (begin, size);
    g_free (begin);
  }
  if (!sl_foreign_read_table (&foreign, "fuzz", text, size, &error))
    fuzz_check_error (error);
  for (guint c = 0; c < foreign.curves->len; c++)
    {
      const SlForeignCurve *curve = g_ptr_array_index (foreign.curves, c);

      for (gsize i = 1; i < curve->series.n; i++)
        fuzz_require (curve->series.step[i] >= curve->series.step[i - 1]);
    }
  sl_foreign_clear (&foreign);
  return 0;
}
