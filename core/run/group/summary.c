/* SPDX-License-Identifier: MIT
 *
 * See headline.h.  */
#include "core/run/group/summary.h"

#include <math.h>
#include <string.h>

#include <glib.h>

/* A place for a figure in the words: {id:decimals:mean}. */
typedef struct
{
  char     id[64];
  unsigned decimals, mean;
} Place;

SlStatus
sl_summary_settings (const SlLab *lab, SlSettings *settings)
{
  sl_settings_default (settings, lab->params, lab->n_params);
  return sl_settings_set_words (settings, lab->params, lab->n_params, lab->overview->settings);
}

/* Reads a place from its brace on; the text after it, or NULL when it is none. */
static const char *
read_place (const char *text, Place *place)
{
  const char *end = strchr (text, '}'), *colon = strchr (text, ':');
  const char *stop = colon != NULL && colon < end ? colon : end;
  size_t      length = end == NULL ? 0 : (size_t) (stop - text - 1);
  char       *rest;

  if (length == 0 || length >= sizeof place->id)
    return NULL;
  *place = (Place) { .mean = 1 };
  memcpy (place->id, text + 1, length);
  if (colon == NULL || colon > end)
    return end + 1;
  place->decimals = (unsigned) g_ascii_strtoull (colon + 1, &rest, 10);
  if (*rest == ':')
    place->mean = (unsigned) g_ascii_strtoull (rest + 1, &rest, 10);
  return rest == end && rest > colon + 1 && place->decimals <= 9 && place->mean > 0 ? end + 1
                                                                                    : NULL;
}

/* The channel of this id, or the first of its instances; -1: none.  `n`: how many there are. */
static int
find (const SlLayout *layout, const char *id, unsigned *n)
{
  int    channel = sl_layout_find (layout, id);
  size_t length = strlen (id);

  *n = 1;
  if (channel >= 0)
    return channel;
  for (unsigned c = 0; c < layout->n; c++)
    if (strncmp (layout->channel[c].id, id, length) == 0 && layout->channel[c].id[length] == '.')
      {
        unsigned last = c;

        while (last < layout->n && layout->channel[last].panel == layout->channel[c].panel
               && layout->channel[last].trace == layout->channel[c].trace)
          last++;
        *n = last - c;
        return (int) c;
      }
  return -1;
}

static double
mean_of_newest (const SlSeries *series, unsigned n)
{
  double mean;

  return sl_series_mean (series, series->n > n ? series->n - n : 0, series->n, &mean)
           ? mean
           : (double) NAN;
}

static double
value_at (const SlRecord *record, const Place *place)
{
  unsigned n;
  int      first = find (&record->layout, place->id, &n);
  double   sum = 0.0;

  if (first < 0)
    return (double) NAN;
  for (unsigned i = 0; i < n; i++)
    sum += mean_of_newest (&record->series[(unsigned) first + i], place->mean);
  return sum / n;
}

static void
append_value (GString *out, double value, unsigned decimals)
{
  char format[] = "%.0f", number[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (value))
    {
      g_string_append (out, "…");
      return;
    }
  format[2] = (char) ('0' + decimals);
  g_string_append (out, g_ascii_formatd (number, sizeof number, format, value));
}

const char *
sl_summary_text (const SlRecord *record, const char *words, char *text, size_t size)
{
  g_autoptr (GString) out = g_string_new (NULL);
  const char *end;

  while (*words != '\0')
    {
      Place       place;
      const char *after = *words == '{' ? read_place (words, &place) : NULL;

      if (after == NULL)
        {
          g_string_append_c (out, *words++);
          continue;
        }
      append_value (out, value_at (record, &place), place.decimals);
      words = after;
    }
  g_strlcpy (text, out->str, size);
  if (!g_utf8_validate (text, -1, &end))
    text[end - text] = '\0';
  return text;
}

double
sl_summary_value (const SlRecord *record, const char *id)
{
  int channel = id != NULL ? sl_layout_find (&record->layout, id) : -1;

  return channel >= 0 ? mean_of_newest (&record->series[channel], 1) : (double) NAN;
}

bool
sl_summary_shows (const SlLab *lab, const char *trace)
{
  const char *traces = lab->overview->traces;
  g_auto (GStrv) ids = g_strsplit (traces != NULL ? traces : "", " ", -1);

  return traces == NULL || g_strv_contains ((const char *const *) ids, trace);
}
