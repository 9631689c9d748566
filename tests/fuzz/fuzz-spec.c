/* SPDX-License-Identifier: MIT
 *
 * The text that names a data set: what can be read is written and read again the same.  */
#include "tests/fuzz/input.h"

#include <string.h>

#include "core/data/source/source.h"
#include "core/data/text/text.h"

static void
check_round_trip (const SlSource *source, const SlSettings *settings, const SlSourceFiles *files)
{
  const SlSource *again;
  SlSettings      settings_again;
  SlSourceFiles   files_again;
  char            text[sizeof ((SlDataset *) NULL)->id], text_again[sizeof text];
  SlStatus        status;

  sl_source_format (source, settings, files, text, sizeof text);
  fuzz_require (sl_utf8_valid (text, strlen (text)));
  if (strlen (text) == sizeof text - 1) /* cut off; sl_source_open() refuses that */
    return;
  status = sl_source_parse (text, &again, &settings_again, &files_again);
  fuzz_require (sl_ok (&status));
  fuzz_require (again == source);
  for (unsigned i = 0; i < SL_SOURCE_FILES_MAX; i++)
    fuzz_require (strcmp (files->path[i], files_again.path[i]) == 0);
  sl_source_format (again, &settings_again, &files_again, text_again, sizeof text_again);
  fuzz_require (strcmp (text, text_again) == 0);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  char            text[2048];
  const SlSource *source;
  SlSettings      settings;
  SlSourceFiles   files;
  SlStatus        status;

  if (size >= sizeof text)
    size = sizeof text - 1;
  memcpy (text, data, size);
  text[size] = '\0';
  status = sl_source_parse (text, &source, &settings, &files);
  if (sl_ok (&status) && source != NULL)
    check_round_trip (source, &settings, &files);
  else
    fuzz_require (sl_ok (&status) || status.code == SL_EINVAL);
  return 0;
}
