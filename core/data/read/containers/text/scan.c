/* SPDX-License-Identifier: MIT */
#include "core/data/read/containers/text/scan.h"

#include <string.h>

enum { DEPTH_MAX = 64, DIGITS_MAX = 18 };

static inline void
skip_blanks (SlScan *scan)
{
  while (*scan->at == ' ' || *scan->at == '\t' || *scan->at == '\r')
    scan->at++;
}

bool
sl_scan_take (SlScan *scan, char c)
{
  skip_blanks (scan);
  if (*scan->at != c || c == '\0')
    return false;
  scan->at++;
  return true;
}

bool
sl_scan_end (SlScan *scan)
{
  skip_blanks (scan);
  return *scan->at == '\0';
}

bool
sl_scan_text (SlScan *scan, const char **text, size_t *n)
{
  const char *at;

  if (!sl_scan_take (scan, '"'))
    return false;
  *text = at = scan->at;
  for (;;)
    {
      while (*at != '"' && *at != '\\' && *at != '\0')
        at++;
      if (*at == '"')
        break;
      if (*at == '\0' || at[1] == '\0')
        return false;
      at += 2;
    }
  *n = (size_t) (at - *text);
  scan->at = at + 1;
  return true;
}

static inline bool
is_digit (char c)
{
  return c >= '0' && c <= '9';
}

bool
sl_scan_whole (SlScan *scan, int64_t *whole)
{
  const char *at, *from;
  bool        minus;

  skip_blanks (scan);
  at = scan->at;
  minus = *at == '-';
  at += minus;
  from = at;
  for (*whole = 0; is_digit (*at) && at - from < DIGITS_MAX; at++)
    *whole = 10 * *whole + (*at - '0');
  if (at == from || is_digit (*at) || *at == '.' || *at == 'e' || *at == 'E')
    return false;
  if (minus)
    *whole = -*whole;
  scan->at = at;
  return true;
}

/* Letters, as in null, true, NaN. */
static bool
take_word (SlScan *scan)
{
  const char *from = scan->at;

  while ((*scan->at | 0x20) >= 'a' && (*scan->at | 0x20) <= 'z')
    scan->at++;
  return scan->at > from;
}

/* A text, a number or a word. */
static bool
skip_plain (SlScan *scan)
{
  const char *text;
  size_t      n;

  skip_blanks (scan);
  if (*scan->at == '"')
    return sl_scan_text (scan, &text, &n);
  if (*scan->at == '-' || is_digit (*scan->at))
    {
      n = strspn (scan->at, "0123456789+-.eE");
      scan->at += n;
      return is_digit (scan->at[-1]) || take_word (scan); /* -Infinity */
    }
  return take_word (scan);
}

static bool
skip_key (SlScan *scan)
{
  const char *text;
  size_t      n;

  return sl_scan_text (scan, &text, &n) && sl_scan_take (scan, ':');
}

bool
sl_scan_skip (SlScan *scan)
{
  char     close[DEPTH_MAX]; /* what ends each of the values that are open */
  unsigned depth = 0;

  for (;;)
    {
      skip_blanks (scan);
      if (*scan->at == '[' || *scan->at == '{')
        {
          if (depth == DEPTH_MAX)
            return false;
          close[depth++] = *scan->at == '[' ? ']' : '}';
          scan->at++;
          if (!sl_scan_take (scan, close[depth - 1]))
            {
              if (close[depth - 1] == '}' && !skip_key (scan))
                return false;
              continue;
            }
          depth--;
        }
      else if (!skip_plain (scan))
        return false;
      while (depth > 0 && sl_scan_take (scan, close[depth - 1]))
        depth--;
      if (depth == 0)
        return true;
      if (!sl_scan_take (scan, ',') || (close[depth - 1] == '}' && !skip_key (scan)))
        return false;
    }
}

bool
sl_scan_member (SlScan *scan, bool *first, bool *ended, const char **key, size_t *n)
{
  *ended = sl_scan_take (scan, '}');
  if (*ended || (!*first && !sl_scan_take (scan, ',')))
    return false;
  *first = false;
  return sl_scan_text (scan, key, n) && sl_scan_take (scan, ':');
}
