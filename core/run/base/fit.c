/* SPDX-License-Identifier: MIT */
#include "core/run/base/fit.h"

#include <glib.h>

char *
sl_fit (char *to, const char *text, size_t size)
{
  const char *end;

  if (g_strlcpy (to, text, size) >= size && !g_utf8_validate (to, -1, &end))
    to[end - to] = '\0';
  return to;
}
