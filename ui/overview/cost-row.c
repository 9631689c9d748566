/* SPDX-License-Identifier: MIT */
#include "ui/overview/cost-row.h"

#include <glib/gi18n.h>
#include <math.h>

#include "plot/base/scale.h"

enum { SHOWN_MOST = 999 };

void
sl_strip_row_set (SlStripRow *row, const SlCostRow *from)
{
  const SlOutcome *outcome = &from->outcome;

  g_free (row->name);
  *row = (SlStripRow) {
    .name = g_strdup (from->name),
    .cost = { outcome->expected, outcome->executed, outcome->timed },
    .spread = outcome->timed_spread,
    .error = outcome->error,
    .dense = from->dense,
    .busy = outcome->busy,
    .paired = from->paired,
  };
}

const char *
sl_strip_title (unsigned which)
{
  static const char *const titles[SL_STRIP_COSTS]
    = { N_ ("expected"), N_ ("executed"), N_ ("timed") };

  return _ (titles[which]);
}

static char *
percent (double value)
{
  char text[32];

  return g_strdup (isfinite (value) ? sl_percent_text (value, text, sizeof text) : "…");
}

/* A cost as it is written: the timed one with its spread if asked, or that there is none to be had. */
char *
sl_strip_cost_text (const SlStripRow *row, unsigned which, gboolean spread)
{
  double value = row->cost[which];
  char   text[48];

  if (which == SL_STRIP_TIMED && row->busy)
    return g_strdup (C_ ("timed cost", "busy"));
  if (which == SL_STRIP_TIMED && spread && value < SHOWN_MOST)
    return g_strdup (sl_spread_text (value, row->spread, 3, text, sizeof text));
  return percent (value);
}

char *
sl_strip_error_text (double error)
{
  return isfinite (error) ? g_strdup_printf ("%.1f", error) : g_strdup ("…");
}

void
sl_strip_describe (const SlStripRow *row, GString *text)
{
  g_autofree char *error = sl_strip_error_text (row->error);
  g_autofree char *dense = sl_strip_error_text (row->dense);
  g_autofree char *expected = percent (row->cost[0]);
  g_autofree char *executed = percent (row->cost[1]);
  g_autofree char *timed = sl_strip_cost_text (row, SL_STRIP_TIMED, TRUE);

  if (row->paired)
    g_string_append_printf (
      text,
      _ ("%s: error %s %%, dense %s %%; expected %s %%, executed %s %%, timed %s %% of dense"),
      row->name, error, dense, expected, executed, timed);
  else
    g_string_append_printf (
      text, _ ("%s: error %s %%; expected %s %%, executed %s %%, timed %s %% of dense"), row->name,
      error, expected, executed, timed);
}
