/* SPDX-License-Identifier: MIT
 *
 * What happens in each group of the picture of a deciding network, in numbers that are counted from its cells.  */
#include <glib.h>

#include "core/run/base/language.h"
#include "plot/figure/figure.h"
#include "plot/layout/alive.h"

/* Cells of a group by their states; of a graph those that cost something. */
typedef struct
{
  unsigned all, state[SL_N_ALIVE_STATES];
} Counts;

static Counts
count (const SlAliveGroup *group)
{
  Counts counts = { 0 };

  for (unsigned i = 0; i < group->n; i++)
    {
      const double *cell = group->cell + (size_t) i * SL_ALIVE_COLUMNS;

      if (group->form == SL_ALIVE_GRAPH && !(sl_alive_value (cell) > 0.0))
        continue;
      counts.all++;
      counts.state[sl_alive_state (cell)]++;
    }
  return counts;
}

static unsigned
computed (const Counts *counts)
{
  return counts->state[SL_ALIVE_USED] + counts->state[SL_ALIVE_IN_VAIN];
}

/* "61 of 400 computed, 8 of them in vain, 3 missed" */
static SlMessage
say_computed (const SlAliveGroup *group)
{
  Counts   counts = count (group);
  unsigned in_vain = counts.state[SL_ALIVE_IN_VAIN], missed = counts.state[SL_ALIVE_MISSED],
           closed = counts.state[SL_ALIVE_CLOSED];
  bool      some = group->n < group->units && group->across <= 1;
  SlMessage text = some ? sl_message ("%u of the %u shown computed", computed (&counts), counts.all)
                        : sl_message ("%u of %u computed", computed (&counts), counts.all);

  if (in_vain > 0)
    sl_message_add (&text, ", %u of them in vain", in_vain);
  if (missed > 0)
    sl_message_add (&text, ", %u missed", missed);
  if (closed > 0)
    sl_message_add (&text, ", %u switched off", closed);
  return text;
}

/* What the estimate before a group of units lets through. */
static SlMessage
say_estimated (const SlAlive *alive, unsigned group)
{
  Counts counts;

  if (group + 1 >= alive->n_groups || alive->group[group + 1].form != SL_ALIVE_MOSAIC)
    return SL_NO_MESSAGE;
  counts = count (&alive->group[group + 1]);
  return sl_message ("The estimate says that %u of %u will fire", computed (&counts), counts.all);
}

/* How many outputs meet in a group. */
static SlMessage
say_added (const SlAlive *alive, unsigned group)
{
  unsigned n = 0;

  for (unsigned i = 0; i < alive->n_edges; i++)
    n += (unsigned) alive->edge[(size_t) i * SL_ALIVE_COLUMNS + 1] + 1 == group;
  return n == 1 ? sl_message ("One output goes on, by its weight")
                : sl_message ("%u outputs are added, by their weights", n);
}

/* A way whose cells are single experts. */
static SlMessage
say_ways (const SlAliveGroup *group)
{
  Counts counts = count (group);

  if (group->across < group->units)
    return SL_NO_MESSAGE;
  return sl_message ("Layer by layer: %u of %u experts computed", computed (&counts), counts.all);
}

/* Of all letters that are shown, or the state behind them. */
static SlMessage
say_field (const SlAlive *alive, const SlAliveGroup *group)
{
  SlMessage text = say_computed (group);

  if (group->across <= 1)
    return sl_message ("This is the new state");
  return group == alive->group && sl_alive_has_heads (alive)
           ? sl_message ("Over %u letters: %s", group->across, text.packed)
           : text;
}

/* SL_NO_MESSAGE: nothing that its name does not say. */
static SlMessage
say_group (const SlAlive *alive, unsigned g)
{
  const SlAliveGroup *group = &alive->group[g];
  Counts              counts = count (group);

  switch (group->form)
    {
    case SL_ALIVE_NECK: return say_estimated (alive, g);
    case SL_ALIVE_SCORES:
      return sl_message ("The gate chooses %u of %u experts", computed (&counts), counts.all);
    case SL_ALIVE_CHANCES:
      return sl_message ("Gates open: %u of %u", computed (&counts), counts.all);
    case SL_ALIVE_BITS: return sl_message ("Bits that choose the path: %u", group->units);
    case SL_ALIVE_OPTIONS:
      return sl_message ("Choices taken: %u of %u", computed (&counts), counts.all);
    case SL_ALIVE_SUM: return say_added (alive, g);
    case SL_ALIVE_WAY: return say_ways (group);
    case SL_ALIVE_BARS:
      if (g > 0 && alive->group[g - 1].form == SL_ALIVE_WAY)
        return sl_message ("These are the gate values of the experts");
      return say_computed (group);
    case SL_ALIVE_FIELD: return say_field (alive, group);
    case SL_ALIVE_PROFILE: return sl_message ("This arrives; the line shows theory");
    case SL_ALIVE_MOSAIC:
    case SL_ALIVE_BOXES:
    case SL_ALIVE_TREE:
    case SL_ALIVE_GRAPH: return say_computed (group);
    case SL_ALIVE_METER:
    case SL_ALIVE_LIGHT:
    case SL_ALIVE_PICTURE:
    case SL_N_ALIVE_FORMS: break;
    }
  return SL_NO_MESSAGE;
}

/* `right` "": nothing is known to be right. */
static SlMessage
say_this (const char *said, const char *right, bool same)
{
  if (*right == '\0')
    return sl_message ("It says %s", said);
  return same ? sl_message ("It says %s, which is right", said)
              : sl_message ("It says %s; %s is right", said, right);
}

/* The same of the letter or word that comes next. */
static SlMessage
say_next (const char *said, const char *right, bool same)
{
  if (*right == '\0')
    return sl_message ("It expects “%s”", said);
  return same ? sl_message ("It expects “%s”, which is right", said)
              : sl_message ("It expects “%s”; “%s” is right", said, right);
}

/* The class that is decided for, and the true one where it is another; an input of one's own has none. */
static SlMessage
say_class (const SlFigure *figure, const SlAlive *alive)
{
  char     said[SL_ALIVE_TEXT] = "", right[SL_ALIVE_TEXT] = "";
  unsigned true_one = alive->n_classes, decided = alive->n_classes;

  for (unsigned i = 0; i < alive->n_classes; i++)
    {
      const double *class = alive->class + (size_t) i * SL_ALIVE_COLUMNS;

      true_one = class[2] > 0.0 ? i : true_one;
      decided = class[3] > 0.0 ? i : decided;
    }
  if (decided == alive->n_classes)
    return SL_NO_MESSAGE;
  sl_figure_column_name (figure, alive->n_groups + decided, said, sizeof said);
  if (true_one < alive->n_classes)
    sl_figure_column_name (figure, alive->n_groups + true_one, right, sizeof right);
  return alive->input == SL_ALIVE_LINE ? say_next (said, right, true_one == decided)
                                       : say_this (said, right, true_one == decided);
}

const char *
sl_alive_caption (const SlFigure *figure, const SlAlive *alive, unsigned stage, char *text,
                  size_t size)
{
  SlMessage said = stage < alive->n_groups ? say_group (alive, stage) : say_class (figure, alive);

  *text = '\0';
  if (said.packed[0] != '\0')
    return sl_message_show (said.packed, figure->translated ? sl_words : NULL, text, size);
  if (stage < alive->n_groups)
    sl_figure_column_name (figure, stage, text, size);
  return text;
}
