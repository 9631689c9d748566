/* SPDX-License-Identifier: MIT */
#include "core/data/read/containers/text/base64.h"
static int
digit_of (char c)
{
  return c >= 'A' && c <= 'Z'   ? c - 'A'
         : c >= 'a' && c <= 'z' ? c - 'a' + 26
         : c >= '0' && c <= '9' ? c - '0' + 52
         : c == '+'             ? 62
         : c == '/'             ? 63
                                : -1;
}

size_t
sl_base64_decode (const char *text, size_t n, uint8_t *to)
{
  uint32_t bits = 0;
  unsigned held = 0;
  size_t   size = 0, at = 0;
  for (; at < n && text[at] != '='; at++)
    {
      int digit = digit_of (text[at]);
      if (text[at] == '\\' && at + 1 < n && text[at + 1] == '/')
        continue;
      if (digit < 0)
        return SIZE_MAX;
      bits = bits << 6 | (uint32_t) digit;
      held += 6;
      if (held < 8)
        continue;
      held -= 8;
      to[size++] = (uint8_t) (bits >> held);
    }
  return n - at <= 2 ? size : SIZE_MAX;
}
