/* SPDX-License-Identifier: MIT
 *
 * The picture of one example where that is a letter or a word of a text: the line it stands in, and what comes
 * next.  */
#include <math.h>

#include "core/data/text/shown.h"
#include "core/lab/kit/alive.h"

enum { LIKELIEST = 6 };

void
sl_alive_line (SlAliveWriter *w, SlMessage name, unsigned states)
{
  sl_alive_add (w, SL_ALIVE_ROW_INPUT, SL_ALIVE_LINE, 1.0, 1.0, states);
  sl_snapshot_row_name (w->probe->snapshot, name.packed);
}

/* A word of a text is the same in every language. */
static SlMessage
word_of (const char *text)
{
  char shown[SL_TEXT_SHOWN];

  return sl_message_verbatim (sl_text_shown (text, shown));
}

void
sl_alive_token (SlAliveWriter *w, const char *text, unsigned tint, int by)
{
  sl_alive_add (w, SL_ALIVE_ROW_TOKEN, tint, by == 0, by, 0.0);
  sl_snapshot_row_name (w->probe->snapshot, word_of (text).packed);
}

void
sl_alive_shaded (SlAliveWriter *w, const char *text, unsigned tint, double strength, int by)
{
  const double least = 1e-3; /* 0 is as usual */

  sl_alive_add (w, SL_ALIVE_ROW_TOKEN, tint, by == 0, by, fmin (fmax (strength, least), 1.0));
  sl_snapshot_row_name (w->probe->snapshot, word_of (text).packed);
}

void
sl_alive_row (SlAliveWriter *w, SlMessage name)
{
  sl_snapshot_row_name (w->probe->snapshot, name.packed);
}

/* The likeliest of the kinds, falling, of equal ones the first; returns how many. */
static unsigned
find_likeliest (size_t kinds, const sl_real *logits, size_t best[LIKELIEST])
{
  unsigned n = 0;

  for (size_t i = 0; i < kinds; i++)
    {
      unsigned at;

      if (n == LIKELIEST && !(logits[i] > logits[best[n - 1]]))
        continue;
      n += n < LIKELIEST;
      for (at = n - 1; at > 0 && logits[i] > logits[best[at - 1]]; at--)
        best[at] = best[at - 1];
      best[at] = i;
    }
  return n;
}

static void
say_next (SlAliveWriter *w, SlMessage expected, SlMessage right, bool same)
{
  if (same)
    sl_probe_note (w->probe, " It expects “%s”, which is right.", expected.packed);
  else
    sl_probe_note (w->probe, " It expects “%s”; “%s” is right.", expected.packed, right.packed);
}

void
sl_alive_next (SlAliveWriter *w, size_t kinds, const sl_real *logits, size_t right,
               const char *const *title)
{
  size_t   best[LIKELIEST] = { 0 };
  unsigned n = find_likeliest (kinds, logits, best);
  bool     found = false;
  double   sum = 0.0;

  for (unsigned i = 0; i < n; i++)
    found |= best[i] == right;
  if (!found)
    best[n - 1] = right;
  for (size_t i = 0; i < kinds; i++)
    sum += exp ((double) logits[i] - (double) logits[best[0]]);
  for (unsigned i = 0; i < n; i++)
    sl_alive_class (w, exp ((double) logits[best[i]] - (double) logits[best[0]]) / sum,
                    best[i] == right, i == 0, best[i], word_of (title[best[i]]));
  say_next (w, word_of (title[best[0]]), word_of (title[right]), best[0] == right);
}
