/* SPDX-License-Identifier: MIT
 *
 * JSON of trainers.  */
#include "tests/fuzz/error.h"

#include "core/run/foreign/foreign.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_malloc0 (size + 1);
  g_autoptr (GError) error = NULL;
  SlForeign foreign;
  gsize     points = 0;

  /* As files are loaded: the bytes, and a zero byte behind them. */
  for (size_t i = 0; i < size; i++)
    text[i] = (char) data[i];
  (void) sl_foreign_is_log (text, size);
  sl_foreign_init (&foreign, "fuzz");
  if (!sl_foreign_read_log (&foreign, "fuzz", text, size, &error))
    fuzz_check_error (error);
  for (guint c = 0; c < foreign.curves->len; c++)
    {
      const SlForeignCurve *curve = g_ptr_array_index (foreign.curves, c);

      fuzz_require (g_utf8_validate (curve->name, -1, NULL));
      for (gsize i = 1; i < curve->series.n; i++)
        fuzz_require (curve->series.step[i] >= curve->series.step[i - 1]);
      points += curve->series.n;
    }
  fuzz_require (points == foreign.points);
  sl_foreign_clear (&foreign);
  return 0;
}
