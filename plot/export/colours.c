/* SPDX-License-Identifier: MIT */
#include "plot/export/colours.h"

#include <glib.h>
#include <string.h>

#include "plot/base/theme.h"

enum { UNKNOWN = -1 };

static int
find (const SlColours *colours, const char *name)
{
  for (unsigned i = 0; i < colours->n; i++)
    if (strcmp (colours->colour[i].name, name) == 0)
      return (int) i;
  return UNKNOWN;
}

bool
sl_colours_set (SlColours *colours, const char *name, unsigned slot)
{
  int known = find (colours, name);

  if (known == UNKNOWN && colours->n == SL_COLOURS_MAX)
    return false;
  if (known == UNKNOWN)
    known = (int) colours->n++;
  g_strlcpy (colours->colour[known].name, name, SL_COLOUR_NAME);
  colours->colour[known].slot = slot;
  return true;
}

static bool
has_slot (const SlColours *colours, unsigned slot)
{
  for (unsigned i = 0; i < colours->n; i++)
    if (colours->colour[i].slot == slot)
      return true;
  return false;
}

/* Whether a curve among the first `n` that has its new slot already has this one. */
static bool
is_shown (const unsigned *slots, const bool *done, unsigned n, unsigned slot)
{
  for (unsigned c = 0; c < n; c++)
    if (done[c] && slots[c] == slot)
      return true;
  return false;
}

static unsigned
free_slot (const SlColours *colours, const unsigned *slots, const bool *done, unsigned n)
{
  for (unsigned slot = 0; slot < SL_THEME_COLOURS; slot++)
    if (!has_slot (colours, slot) && !is_shown (slots, done, n, slot))
      return slot;
  for (unsigned slot = 0; slot < n; slot++)
    if (!is_shown (slots, done, n, slot))
      return slot;
  return n;
}

/* The curve after which all that share the slot of curve `c` are named. */
static unsigned
leader (const SlFigure *figure, unsigned c)
{
  for (unsigned k = 0; k < figure->n_curves; k++)
    if (figure->curve[k].slot == figure->curve[c].slot && !figure->curve[k].ghost)
      return k;
  return c;
}

static const char *
name_of (const SlFigure *figure, unsigned c)
{
  const SlCurve *curve = &figure->curve[c];

  return curve->group > 0 ? curve->group_title : sl_figure_name (figure, c);
}

static void
give (const SlFigure *figure, unsigned leading, unsigned slot, unsigned *slots, bool *done)
{
  for (unsigned c = 0; c < figure->n_curves; c++)
    if (figure->curve[c].slot == figure->curve[leading].slot)
      {
        slots[c] = slot;
        done[c] = true;
      }
}

void
sl_colours_assign (SlColours *colours, const SlFigure *figure, unsigned *slots)
{
  SlFigure         spoken = *figure;
  g_autofree bool *done = g_new0 (bool, figure->n_curves);

  spoken.curve = g_memdup2 (figure->curve, figure->n_curves * sizeof *figure->curve);
  spoken.translated = false;
  sl_figure_show_messages (&spoken);
  for (unsigned c = 0; c < spoken.n_curves; c++)
    {
      unsigned leading = leader (&spoken, c);
      int      known = find (colours, name_of (&spoken, leading));

      if (!done[c] && known != UNKNOWN)
        give (&spoken, leading, colours->colour[known].slot, slots, done);
    }
  for (unsigned c = 0; c < spoken.n_curves; c++)
    if (!done[c])
      {
        unsigned leading = leader (&spoken, c);
        unsigned slot = free_slot (colours, slots, done, spoken.n_curves);

        sl_colours_set (colours, name_of (&spoken, leading), slot);
        give (&spoken, leading, slot, slots, done);
      }
  g_free (spoken.curve);
}
