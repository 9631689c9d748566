/* SPDX-License-Identifier: MIT */
#include "plot/charts/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool
sl_part_bars_has (const SlLab *lab, const char *id)
{
  return lab->parts != NULL && g_str_has_prefix (id, lab->parts->prefix);
}

static unsigned
find_bar (const SlPartBars *parts, const char *name, double order)
{
  unsigned i = 0;

  while (i < parts->n_bars
         && (parts->bar[i].order != order || strcmp (parts->bar[i].name, name) != 0))
    i++;
  return i;
}

/* Bars are few, and stay in order as they come. */
static unsigned
insert_bar (SlPartBars *parts, const char *name, double order)
{
  unsigned at = parts->n_bars++;

  for (; at > 0 && parts->bar[at - 1].order > order; at--)
    parts->bar[at] = parts->bar[at - 1];
  memset (&parts->bar[at], 0, sizeof parts->bar[at]);
  g_strlcpy (parts->bar[at].name, name, sizeof parts->bar[at].name);
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

void
sl_part_bars_add (SlPartBars *parts, const char *name, double order, const char *id, double value)
{
  unsigned bar, part = find_part (parts, id);
  char     cut[sizeof parts->bar[0].name];

  g_strlcpy (cut, name, sizeof cut);
  bar = find_bar (parts, cut, order);
  if (!isfinite (value) || part == SL_PART_BARS_PARTS
      || (bar == parts->n_bars && bar == SL_PART_BARS_MOST))
    return;
  if (bar == parts->n_bars)
    bar = insert_bar (parts, cut, order);
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

bool
sl_part_bars_update (SlPartBars *parts, const SlLab *lab, const char *x, SlFigure *figure)
{
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
  g_strlcpy (parts->axis, x, sizeof parts->axis);
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
