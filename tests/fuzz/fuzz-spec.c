/* SPDX-License-Identifier: MIT
 *
 * The text that names a data set: what can be read is written and read again the same.  */
#include "tests/fuzz/input.h"

#include <string.h>

#include "core/data/source.h"

static void
check_round_trip (const SlSource *source, const SlSettings *settings)
{
  const SlSource *again;
  SlSettings      settings_again;
  char            text[1024], text_again[1024];
  SlStatus        status;

  sl_source_format (source, settings, text, sizeof text);
  status = sl_source_parse (text, &again, &settings_again);
  fuzz_require (sl_ok (&status));
  fuzz_require (again == source);
  sl_source_format (again, &settings_again, text_again, sizeof text_again);
  fuzz_require (strcmp (text, text_again) == 0);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  char            text[2048];
  const SlSource *source;
  SlSettings      settings;
  SlStatus        status;

  if (size >= sizeof text)
    size = sizeof text - 1;
  memcpy (text, data, size);
  text[size] = '\0';
  status = sl_source_parse (text, &source, &settings);
  if (sl_ok (&status) && source != NULL)
    check_round_trip (source, &settings);
  else
    fuzz_require (sl_ok (&status) || status.code == SL_EINVAL);
  return 0;
}
