/* SPDX-License-Identifier: MIT
 *
 * Tables of sweeps of other programs.  */
#include <math.h>
#include <string.h>

#include "tests/fuzz/error.h"

#include "core/run/foreign/trials.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_malloc0 (size + 1), *said = NULL;
  g_autoptr (GError) error = NULL;
  char     path[256];
  SlTrials trials;

  memcpy (text, data, size);
  (void) sl_trials_are (text, size);
  fuzz_write ("sweep.csv", data, size);
  fuzz_path ("sweep.csv", path, sizeof path);
  if (!sl_trials_open (&trials, path, NULL, NULL, &error))
    {
      fuzz_check_error (error);
      return 0;
    }
  for (guint i = 0; i < trials.trials->len; i++)
    {
      const SlForeignTrial *trial = g_ptr_array_index (trials.trials, i);

      fuzz_require (g_strv_length (trial->value) == trials.settings->len);
      fuzz_require (trial->title != NULL && g_utf8_validate (trial->title, -1, NULL));
    }
  fuzz_require (trials.tone < (int) trials.settings->len);
  said = sl_trials_said (&trials);
  fuzz_require (g_utf8_validate (said, -1, NULL));
  sl_trials_clear (&trials);
  return 0;
}
