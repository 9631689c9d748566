/* SPDX-License-Identifier: MIT
 *
 * The words of the picture of a deciding network: classes beside their bars, names of groups, a legend of the
 * states that there can be.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "plot/layout/alive.h"
#include "plot/layout/laying.h"

/* Whether the class in a row comes before another when only a few have room: the true one, the one that is
 * said, then by probability.  */
static bool
comes_first (const double *a, const double *b)
{
  if (a[2] + a[3] != b[2] + b[3])
    return a[2] + a[3] > b[2] + b[3];
  return a[1] > b[1];
}

/* As many classes as fit, in their own order. */
static void
choose_classes (const SlAlive *alive, unsigned most, SlAliveFrame *to)
{
  to->n_classes = 0;
  for (unsigned i = 0; i < alive->n_classes; i++)
    {
      unsigned before = 0;

      for (unsigned j = 0; j < alive->n_classes; j++)
        before += j != i
                  && (comes_first (alive->class + j * SL_ALIVE_COLUMNS,
                                   alive->class + i * SL_ALIVE_COLUMNS)
                      || (j < i
                          && !comes_first (alive->class + i * SL_ALIVE_COLUMNS,
                                           alive->class + j * SL_ALIVE_COLUMNS)));
      if (before < most)
        to->class[to->n_classes++].row = i;
    }
}

/* Bars, names and a tick within `room` px; returns how wide they are. */
double
sl_lay_alive_output (const SlLaying *job, const SlAlive *alive, SlAliveFrame *to, double room,
                     double height)
{
  double type = job->theme->type, pitch = 1.25 * job->line, widest = 0.0, tick = 1.2 * type;
  double most = MAX (floor (height / pitch), 1.0);

  to->n_classes = 0;
  if (alive->n_classes == 0)
    return 0.0;
  /* Narrow: the two that matter. */
  if (room < 9.0 * type)
    most = MIN (most, 2.0);
  else if (job->figure->view.brief)
    most = MIN (most, 4.0);
  choose_classes (alive, (unsigned) most, to);
  to->pitch = MIN (MIN (height / MAX (to->n_classes, 1), 1.5 * pitch), height);
  to->bar = (room < 9.0 * type ? 0.18 : 0.3) * room;
  for (unsigned i = 0; i < to->n_classes; i++)
    {
      SlAliveClassPlace *class = &to->class[i];
      char name[SL_FRAME_TEXT] = "";

      sl_figure_column_name (job->figure, alive->n_groups + class->row, name, sizeof name);
      widest = fmax (widest, sl_text_ellipsise (job->text, name, to->small, true,
                                                MAX (room - to->bar - tick - 0.5 * type, 0.0),
                                                class->name, sizeof class->name));
    }
  return to->bar + 0.5 * type + widest + tick;
}

/* How far the middle of a name is from that of the next name in its line, or from the edge of the plot.  Names of
 * pictures are as wide as these, beside the input's.  */
static double
room_around (const SlAlive *alive, const SlFrame *frame, unsigned group)
{
  const SlAlivePlace *place = &frame->alive.group[group];
  bool                low = alive->group[group].form == SL_ALIVE_NECK;
  double x = place->name_x, room = 2.0 * MIN (x - frame->plot.x, frame->plot.x + frame->plot.w - x);

  for (unsigned g = 0; g < alive->n_groups; g++)
    if (g != group && (alive->group[g].form == SL_ALIVE_NECK) == low)
      room = MIN (room, fabs (frame->alive.group[g].name_x - x) - 0.6 * frame->type);
  if (alive->group[group].form == SL_ALIVE_PICTURE)
    room = MIN (room, place->area.w - 0.6 * frame->type);
  return MAX (room, 0.0);
}

/* "layer 1: 61 of 400", or what stands behind the last colon where there is little room. */
static void
lay_name (const SlLaying *job, const SlAlive *alive, SlFrame *frame, unsigned group)
{
  SlAlivePlace *place = &frame->alive.group[group];
  double        room = room_around (alive, frame, group), size = frame->alive.small;
  char          name[SL_FRAME_TEXT] = "";
  const char   *words = name, *rest;

  sl_figure_column_name (job->figure, group, name, sizeof name);
  rest = g_strrstr (name, ": ");
  if (sl_text_width (job->text, name, size, false) > room && rest != NULL)
    words = rest + 2;
  if (sl_text_width (job->text, words, size, false) <= room || room > 4.0 * size)
    sl_text_ellipsise (job->text, words, size, false, room, place->name, sizeof place->name);
}

/* The sample of a state with its word, in heights of the type: what is before the word, and behind it at most and
 * where all would not fit else.  */
static const double SAMPLE = 1.3, BEHIND = 1.5, CLOSE_BEHIND = 0.8;

static const char *
key_words (const SlLaying *job, SlAliveState state)
{
  return sl_figure_words (job->figure, sl_alive_word (state));
}

/* Which states have room in a legend so wide: first those that say least by themselves. */
static unsigned
choose_keys (const SlLaying *job, unsigned states, double size, double behind, double room)
{
  static const SlAliveState first[SL_N_ALIVE_STATES] = {
    SL_ALIVE_MISSED,  SL_ALIVE_CLOSED, SL_ALIVE_DEAD,
    SL_ALIVE_IN_VAIN, SL_ALIVE_USED,   SL_ALIVE_SKIPPED,
  };
  unsigned chosen = 0;

  for (unsigned i = 0; i < SL_N_ALIVE_STATES; i++)
    {
      double w = SAMPLE * size + sl_text_width (job->text, key_words (job, first[i]), size, false);

      if ((states & 1U << first[i]) == 0 || w > room)
        continue;
      chosen |= 1U << first[i];
      room -= w + behind;
    }
  return chosen;
}

/* Samples and words from the left, as many as fit. */
static void
lay_keys (const SlLaying *job, const SlAlive *alive, SlFrame *frame)
{
  SlAliveFrame *to = &frame->alive;
  double        x = frame->plot.x, size = to->small, behind = BEHIND * size;
  unsigned      chosen = choose_keys (job, alive->states, size, behind, frame->plot.w);

  if (chosen != alive->states)
    {
      behind = CLOSE_BEHIND * size;
      chosen = choose_keys (job, alive->states, size, behind, frame->plot.w);
    }
  for (unsigned state = 0; state < SL_N_ALIVE_STATES; state++)
    {
      SlAliveKey *key = &to->key[to->n_keys];

      if ((chosen & 1U << state) == 0)
        continue;
      *key = (SlAliveKey) { .state = (SlAliveState) state, .x = x, .text_x = x + SAMPLE * size };
      g_strlcpy (key->text, key_words (job, (SlAliveState) state), sizeof key->text);
      to->n_keys++;
      x = key->text_x + sl_text_width (job->text, key->text, size, false) + behind;
    }
}

/* Below the input, where it is not as high as its neighbours. */
static void
lay_caption (const SlLaying *job, SlFrame *frame)
{
  SlAliveFrame *to = &frame->alive;
  char          name[SL_FRAME_TEXT] = "";
  double        foot = frame->plot.y + frame->plot.h - 1.2 * job->line;

  sl_figure_row_name (job->figure, 0, name, sizeof name);
  if (to->input.w > 0.0 && to->input.y + to->input.h + 1.3 * job->line <= foot)
    sl_text_ellipsise (job->text, name, to->small, false, to->input.w, to->caption,
                       sizeof to->caption);
}

void
sl_lay_alive_names (const SlLaying *job, const SlAlive *alive, SlFrame *frame)
{
  SlAliveFrame *to = &frame->alive;
  double        top = frame->plot.y + to->top + job->ascent;
  double        bottom = frame->plot.y + frame->plot.h;

  /* Names of a low field stand right above it, or its letters. */
  if (sl_alive_has_heads (alive))
    top = MAX (top, to->input.y - job->descent - 2.0);
  else if (alive->group[0].form == SL_ALIVE_WAY)
    top = MAX (top, to->group[0].area.y - job->descent - 2.0);
  to->key_y = bottom - job->descent;
  if (frame->plot.h > 4.0 * job->line)
    lay_keys (job, alive, frame);
  if (alive->input != SL_ALIVE_LINE)
    lay_caption (job, frame);
  for (unsigned g = 0; g < alive->n_groups; g++)
    {
      SlAlivePlace *place = &to->group[g];
      bool          neck = alive->group[g].form == SL_ALIVE_NECK;

      place->name_x = place->area.x + place->area.w / 2.0;
      place->name_y = neck ? bottom - 1.2 * job->line - job->descent : top;
      if (alive->group[g].form == SL_ALIVE_PICTURE
          && place->area.y + place->area.h + 1.3 * job->line <= bottom - 1.2 * job->line)
        place->name_y = place->area.y + place->area.h + 1.25 * to->small;
    }
  for (unsigned g = 0; g < alive->n_groups; g++)
    if (frame->plot.h > (alive->group[g].form == SL_ALIVE_NECK ? 8.0 : 6.0) * job->line)
      lay_name (job, alive, frame, g);
}
