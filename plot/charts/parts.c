/* SPDX-License-Identifier: MIT */
#include "plot/charts/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/base/fit.h"

static bool
is_part (const SlLab *lab, const char *id)
{
  return lab->parts != NULL && g_str_has_prefix (id, lab->parts->prefix);
}

static unsigned
find_bar (const SlPartBars *parts, guint setting)
{
  unsigned i = 0;

  while (i < parts->n_bars && parts->bar[i].setting != setting)
    i++;
  return i;
}

/* Bars are few, and stay in order as they come. */
static unsigned
insert_bar (SlPartBars *parts, const char *name, guint setting, double order)
{
  unsigned at = parts->n_bars++;

  for (; at > 0 && parts->bar[at - 1].order > order; at--)
    parts->bar[at] = parts->bar[at - 1];
  memset (&parts->bar[at], 0, sizeof parts->bar[at]);
  sl_fit (parts->bar[at].name, name, sizeof parts->bar[at].name);
  parts->bar[at].setting = setting;
  parts->bar[at].order = order;
  return at;
}

static unsigned
find_part (const SlPartBars *parts, const char *id)
{
  unsigned i = 0;

  while (i < parts->n_parts && strcmp (parts->id[i], id) != 0)
    i++;
  return i;
}

/* Bars are in the order of the first number that varies. */
static double
order_of (const SlTrade *trade, const SlStoreRun *run)
{
  for (unsigned i = 0; i < trade->n_varies; i++)
    {
      SlKind kind = trade->lab->params[trade->varies[i]].kind;

      if (kind == SL_REAL || kind == SL_INTEGER)
        return sl_store_run_value (run, trade->varies[i]).v[0];
    }
  return 0.0;
}

/* The bar of a run's setting, by the order of the first number that varies; without room for it SL_PART_BARS_MOST. */
static unsigned
bar_of (SlPartBars *parts, const SlTrade *trade, guint at)
{
  const SlTradeRun *run = sl_trade_run (trade, at);
  unsigned          bar = find_bar (parts, run->setting);
  g_autofree char  *name = NULL;

  if (bar < parts->n_bars || bar == SL_PART_BARS_MOST)
    return bar;
  name = sl_trade_setting (trade, at, false);
  return insert_bar (parts, name, run->setting, order_of (trade, run->run));
}

/* What there is no room for is left out. */
static void
add_part (SlPartBars *parts, const SlTrade *trade, guint at, const char *id, double value)
{
  unsigned part = find_part (parts, id), bar;

  if (!isfinite (value) || part == SL_PART_BARS_PARTS)
    return;
  bar = bar_of (parts, trade, at);
  if (bar == SL_PART_BARS_MOST)
    return;
  if (part == parts->n_parts)
    g_strlcpy (parts->id[parts->n_parts++], id, sizeof parts->id[0]);
  parts->bar[bar].sum[part] += value;
  parts->bar[bar].n[part] += 1.0;
}

/* "way-3" → "3" behind the word for one of them. */
static void
add_curve (SlPartBars *parts, const SlLab *lab, unsigned part, SlFigure *figure)
{
  SlCurve *curve = sl_figure_curve (figure, parts->id[part]);

  if (curve == NULL)
    return;
  for (unsigned b = 0; b < parts->n_bars; b++)
    parts->y[part][b]
      = parts->bar[b].n[part] > 0.0 ? parts->bar[b].sum[part] / parts->bar[b].n[part] : 0.0;
  sl_figure_follow (curve, NULL);
  sl_message_print (curve->title, sizeof curve->title, "%s %s",
                    sl_message_word (lab->parts->one).packed,
                    parts->id[part] + strlen (lab->parts->prefix));
  g_strlcpy (curve->unit, "%", sizeof curve->unit);
  curve->slot = part;
  curve->x = parts->x;
  curve->y = parts->y[part];
  curve->n = parts->n_bars;
}

/* As in the means of other charts. */
static void
add_run (SlPartBars *parts, const SlTrade *trade, guint at)
{
  static const char test[] = "test.";
  const SlStoreRun *run = sl_trade_run (trade, at)->run;

  if (!sl_trade_counts (sl_trade_run (trade, at)))
    return;
  for (unsigned f = 0; f < run->n_figures; f++)
    if (g_str_has_prefix (run->figure[f].name, test)
        && is_part (trade->lab, run->figure[f].name + strlen (test)))
      add_part (parts, trade, at, run->figure[f].name + strlen (test), run->figure[f].value);
}

/* The titles of what varies. */
static void
name_axis (SlPartBars *parts, const SlTrade *trade)
{
  SlMessage axis = SL_NO_MESSAGE;

  for (unsigned i = 0; i < trade->n_varies; i++)
    sl_message_add (&axis, i > 0 ? ", %s" : "%s",
                    sl_message_word (trade->lab->params[trade->varies[i]].title).packed);
  g_strlcpy (parts->axis, axis.packed, sizeof parts->axis);
}

bool
sl_part_bars_update (SlPartBars *parts, const SlTrade *trade, SlFigure *figure)
{
  const SlLab *lab = trade->lab;

  memset (parts, 0, sizeof *parts);
  for (guint i = 0; i < trade->runs->len; i++)
    add_run (parts, trade, i);
  name_axis (parts, trade);
  for (unsigned b = 0; b < parts->n_bars; b++)
    {
      parts->x[b] = b;
      parts->names[b] = parts->bar[b].name;
    }
  figure->kind = SL_BARS;
  figure->categories.stacked = true;
  figure->mark = NAN;
  figure->categories.name = parts->names;
  figure->categories.n = parts->n_bars;
  figure->x = (SlAxis) { .label = parts->axis, .unit = "" };
  figure->y = (SlAxis) { .label = lab->parts->label, .unit = "%", .lo = 0, .hi = 100 };
  g_strlcpy (figure->title, lab->parts->title, sizeof figure->title);
  sl_figure_begin (figure);
  for (unsigned p = 0; p < parts->n_parts; p++)
    add_curve (parts, lab, p, figure);
  sl_figure_end (figure);
  figure->version++;
  return parts->n_bars > 0 && parts->n_parts > 0;
}
