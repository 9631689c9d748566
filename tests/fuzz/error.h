/* SPDX-License-Identifier: MIT
 *
 * What every refusal above the core has to be: one sentence that can be shown.  */
#pragma once

#include <glib.h>

#include "tests/fuzz/input.h"

static inline void
fuzz_check_error (const GError *error)
{
  fuzz_require (error != NULL && error->message[0] != '\0');
  fuzz_require (g_utf8_validate (error->message, -1, NULL));
}
