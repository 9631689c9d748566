/* SPDX-License-Identifier: MIT
 *
 * Lines that choose runs: what can be read chooses, what cannot is refused with a sentence, and everything can
 * be completed.  */
#include "tests/fuzz/error.h"

#include <stdlib.h>

#include "core/base/packed.h"
#include "core/labs/registry.h"
#include "core/run/query/query.h"

static SlStoreRun
make_run (void)
{
  SlSettings settings;
  SlStoreRun run = { .lab = sl_labs[0],
                     .name = (char *) "name",
                     .lab_id = (char *) sl_labs[0]->id,
                     .data = (char *) "moons",
                     .kernel = (char *) "",
                     .version = (char *) "",
                     .problem = (char *) "",
                     .sweep = (char *) "",
                     .tags = (char *) "a,b" };

  sl_settings_default (&settings, run.lab->params, run.lab->n_params);
  run.settings = sl_settings_pack (&settings, run.lab->params, run.lab->n_params);
  return run;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *line = g_strndup ((const char *) data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (SlQuery) query = sl_query_new (line, NULL, &error);
  SlStoreRun run = make_run ();
  size_t     length = strlen (line), from;

  if (query == NULL)
    fuzz_check_error (error);
  else
    sl_query_passes (query, &run);
  if (length <= SL_QUERY_BYTES && g_utf8_validate (line, -1, NULL))
    {
      g_autoptr (GPtrArray) found = sl_query_complete (line, length, NULL, 5, &from);

      fuzz_require (found->len <= 5 && from <= length);
    }
  free (run.settings);
  return 0;
}
