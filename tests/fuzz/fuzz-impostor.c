/* SPDX-License-Identifier: MIT
 *
 * What is not the file it says, by its first bytes.  */
#include <string.h>

#include "core/data/text/impostor.h"
#include "tests/fuzz/input.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  SlStatus status = sl_impostor_refuse ("a.csv", data, size);
  char     text[1024];

  fuzz_require (status.code == SL_OK || status.code == SL_EFORMAT);
  sl_status_show (&status, NULL, text, sizeof text);
  for (unsigned i = 0; i < status.n_advice; i++)
    fuzz_require (strncmp (status.advice[i].line, "f=\"a.csv\"; ", 11) == 0);
  return 0;
}
