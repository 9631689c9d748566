/* SPDX-License-Identifier: MIT
 *
 * What stands along the axes: numbers, rows, names.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "plot/layout/private.h"

void
sl_lay_axis_title (const SlAxis *axis, char *out, size_t size)
{
  const char *label = axis->label != NULL ? axis->label : "";
  const char *unit = axis->unit != NULL ? axis->unit : "";

  if (*label != '\0' && *unit != '\0')
    g_snprintf (out, size, "%s (%s)", label, unit);
  else if (*label != '\0' || strcmp (unit, "%") != 0)
    g_snprintf (out, size, "%s%s", label, unit);
  else
    g_strlcpy (out, "", size);
}

void
sl_lay_cut_title (const SlLaying *job, const SlAxis *axis, char title[SL_FRAME_TEXT], double room)
{
  const char *unit = axis->unit != NULL ? axis->unit : "";
  char        tail[48] = "", words[SL_FRAME_TEXT - sizeof tail];

  if (*title == '\0' || sl_text_width (job->text, title, job->theme->type, false) <= room)
    return;
  if (*unit != '\0')
    g_snprintf (tail, sizeof tail, " (%s)", unit);
  room -= sl_text_width (job->text, tail, job->theme->type, false);
  sl_text_ellipsise (job->text, axis->label != NULL ? axis->label : "", job->theme->type, false,
                     room, words, sizeof words);
  g_snprintf (title, SL_FRAME_TEXT, "%s%s", words, tail);
}

static bool
percent_ticks (const SlAxis *axis)
{
  return (axis->label == NULL || *axis->label == '\0') && axis->unit != NULL
         && strcmp (axis->unit, "%") == 0;
}

static void
add_percent (SlTick *ticks, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    if (ticks[i].label[0] != '\0')
      g_strlcat (ticks[i].label, "\302\240%", sizeof ticks[i].label);
}

double
sl_lay_widest (const SlLaying *job, const SlTick *ticks, unsigned n)
{
  double width = 0.0;

  for (unsigned i = 0; i < n; i++)
    width = MAX (width, sl_text_width (job->text, ticks[i].label, job->theme->type, false));
  return width;
}

/* What stands under a group of bars: its name, or its x. */
static const char *
category (const SlFigure *figure, unsigned i, char number[32])
{
  if (figure->categories != NULL)
    return sl_figure_words (figure, figure->categories[i]);
  return sl_number_text (figure->n_curves > 0 && i < figure->curve[0].n ? figure->curve[0].x[i] : i,
                         6, number, 32);
}

bool
sl_lay_categories_fit (const SlLaying *job, double width)
{
  const SlFigure *figure = job->figure;
  double          room = width / MAX (figure->n_categories, 1) - 0.4 * job->theme->type;
  char            number[32];

  for (unsigned i = 0; i < figure->n_categories; i++)
    if (sl_text_width (job->text, category (figure, i, number), job->theme->type, false) > room)
      return false;
  return true;
}

/* Splits a name at the space, or behind the hyphen, next to its middle. */
static void
split_name (const char *name, char first[64], char second[64])
{
  size_t length = strlen (name), at = 0;

  for (size_t i = 1; i < length; i++)
    if ((name[i] == ' ' || name[i - 1] == '-')
        && (at == 0 || MAX (i, length - i) < MAX (at, length - at)))
      at = i;
  g_snprintf (first, 64, "%.*s", (int) (at > 0 ? at : length), name);
  g_snprintf (second, 64, "%s", at > 0 ? name + at + (name[at] == ' ') : "");
}

/* Type of the names for which the widest of them fits, if a little smaller will do: four words that
 * are cut say less.  */
static double
category_type (const SlLaying *job, double room)
{
  double type = job->theme->type, widest = 1.0;
  char   number[32], first[64], second[64];

  for (unsigned i = 0; i < job->figure->n_categories; i++)
    {
      g_strlcpy (first, category (job->figure, i, number), sizeof first);
      second[0] = '\0';
      if (job->two_lines)
        split_name (category (job->figure, i, number), first, second);
      widest = MAX (widest, sl_text_width (job->text, first, type, false));
      widest = MAX (widest, sl_text_width (job->text, second, type, false));
    }
  return type * CLAMP (room / widest, 0.75, 1.0);
}

/* Category names under the bars, each no wider than its place. */
static void
lay_categories (const SlLaying *job, SlFrame *frame)
{
  const SlFigure *figure = job->figure;
  unsigned        n = figure->n_categories, every = 1;
  double          type = job->theme->type, widest_room = frame->bar - 0.4 * type;

  /* Where not even a short beginning of each fits, some stay unnamed. */
  if (!sl_lay_categories_fit (job, frame->plot.w) && widest_room < 2.2 * type)
    {
      every = (unsigned) ceil (2.6 * type / MAX (frame->bar, 0.1));
      widest_room = frame->bar * every - 0.4 * type;
    }
  frame->x_type = type = category_type (job, widest_room);
  for (unsigned i = 0; i < n && frame->n_x_ticks < SL_TICKS_MAX; i += every)
    {
      SlTick     *tick = &frame->x_tick[frame->n_x_ticks];
      char        number[32], first[64], second[64];
      const char *name;

      tick->value = i + 0.5;
      name = category (figure, i, number);
      if (job->two_lines)
        {
          split_name (name, first, second);
          sl_text_ellipsise (job->text, second, type, false, widest_room,
                             frame->x_second[frame->n_x_ticks], SL_TICK_LABEL);
          name = first;
        }
      sl_text_ellipsise (job->text, name, type, false, widest_room, tick->label,
                         sizeof tick->label);
      frame->x_at[frame->n_x_ticks++] = sl_frame_x (frame, tick->value);
    }
}

/* As many x ticks as fit without their labels touching. */
static void
lay_x_ticks (const SlLaying *job, SlFrame *frame)
{
  const SlFigure *figure = job->figure;
  bool            integers
    = figure->integer_x || (figure->kind == SL_HEATMAP && !(figure->x.lo < figure->x.hi));
  unsigned wanted = (unsigned) CLAMP (frame->plot.w / (4.0 * job->theme->type), 1.0, 10.0);

  for (;; wanted--)
    {
      double right = -HUGE_VAL;
      bool   touch = false;

      frame->n_x_ticks = sl_scale_ticks (&frame->x, wanted, integers, frame->x_tick);
      if (percent_ticks (&figure->x))
        add_percent (frame->x_tick, frame->n_x_ticks);
      for (unsigned i = 0; i < frame->n_x_ticks; i++)
        {
          double half
            = sl_text_width (job->text, frame->x_tick[i].label, job->theme->type, false) / 2.0;

          frame->x_at[i] = sl_frame_x (frame, frame->x_tick[i].value);
          if (half == 0.0)
            continue;
          touch = touch || frame->x_at[i] - half < right + 0.5 * job->theme->type;
          right = frame->x_at[i] + half;
        }
      if (!touch || wanted <= 1)
        return;
    }
}

/* Whether the rows of the figure are counted rather than measured. */
static bool
has_counted_rows (const SlFigure *figure)
{
  return (figure->kind == SL_HISTORY && !sl_figure_has_bins (figure))
         || (figure->kind == SL_HEATMAP && !(figure->y.lo < figure->y.hi));
}

/* The next of 1, 2, 5, 10, … that is not below `least`. */
static unsigned
round_step (double least)
{
  static const unsigned factor[] = { 2, 5, 10 };

  for (unsigned decade = 1;; decade *= 10)
    {
      if (decade >= least)
        return decade;
      for (unsigned i = 0; i < G_N_ELEMENTS (factor); i++)
        if (factor[i] * decade >= least)
          return factor[i] * decade;
    }
}

/* A label for every row where there is room, else for some.  Rows in their order have round
 * numbers, sorted ones the numbers that happen to be there.  */
static void
lay_row_ticks (const SlLaying *job, SlFrame *frame, double h)
{
  const SlFigure *figure = job->figure;
  bool            history = figure->kind == SL_HISTORY;
  unsigned        n = history ? figure->n_rows : figure->rows;
  unsigned        every = round_step (1.05 * job->line * n / MAX (h, 1.0));

  every = MAX (every, (n + SL_TICKS_MAX - 1) / SL_TICKS_MAX);
  for (unsigned r = 0; r < n && frame->n_y_ticks < SL_TICKS_MAX; r++)
    {
      unsigned number = history ? figure->row[r] + 1 : r + 1;
      bool     ordered = !history || (!figure->view.sorted && figure->counted);
      SlTick  *tick = &frame->y_tick[frame->n_y_ticks];

      if ((ordered ? number : r) % every != 0)
        continue;
      tick->value = r + 1;
      if (history && !figure->counted)
        sl_text_ellipsise (job->text, sl_figure_name (figure, figure->row[r]), job->theme->type,
                           false, 0.25 * frame->width, tick->label, sizeof tick->label);
      else
        g_snprintf (tick->label, sizeof tick->label, "%u", number);
      frame->n_y_ticks++;
    }
}

void
sl_lay_y_ticks (const SlLaying *job, SlFrame *frame, double h)
{
  const SlFigure *figure = job->figure;

  if (has_counted_rows (figure))
    {
      lay_row_ticks (job, frame, h);
      return;
    }
  frame->n_y_ticks = sl_scale_ticks (&frame->y, (unsigned) CLAMP (h / (1.9 * job->line), 1.0, 8.0),
                                     false, frame->y_tick);
  if (percent_ticks (&figure->y))
    add_percent (frame->y_tick, frame->n_y_ticks);
}

/* Type in which the columns of a text have their letters side by side, all of them, since a letter
 * says little without its neighbours; 0 where the names are no letters or could not be read.  */
static double
letter_type (const SlLaying *job, double pitch)
{
  double widest = 0.0, type = job->theme->type, fits;
  char   name[SL_FRAME_TEXT];

  for (unsigned i = 0; sl_figure_column_name (job->figure, i, name, sizeof name); i++)
    {
      if (g_utf8_strlen (name, -1) > 1)
        return 0.0;
      widest = MAX (widest, sl_text_width (job->text, name, type, false));
    }
  /* The widest may touch: most letters are narrower. */
  fits = 1.15 * pitch / MAX (widest, 1.0);
  return job->figure->columns <= SL_TICKS_MAX && fits >= 0.7 ? type * MIN (fits, 1.0) : 0.0;
}

double
sl_lay_tall_names (const SlLaying *job, double width, double height)
{
  const SlFigure *figure = job->figure;
  double          longest = 0.0, type = job->theme->type;
  char            name[SL_FRAME_TEXT];

  if (figure->kind != SL_HEATMAP)
    return 0.0;
  for (unsigned i = 0; sl_figure_column_name (figure, i, name, sizeof name); i++)
    longest = MAX (longest, sl_text_width (job->text, name, type, false));
  if (longest == 0.0 || longest <= width / MAX (figure->columns, 1) - 0.4 * type
      || letter_type (job, 0.93 * width / MAX (figure->columns, 1)) > 0.0)
    return 0.0;
  return MIN (longest, MAX (0.3 * height, 2.0 * type)) + 2.0;
}

/* Names under the columns of a heat map, lying or upright, none cut by its neighbour. */
static void
lay_names (const SlLaying *job, SlFrame *frame)
{
  const SlFigure *figure = job->figure;
  double          pitch = frame->plot.w / figure->columns, type = job->theme->type;
  unsigned every = job->tall > 0.0 ? (unsigned) ceil (1.05 * job->line / MAX (pitch, 0.1)) : 1;
  double   room = job->tall > 0.0 ? job->tall : pitch - 0.3 * type;
  double   letters = job->tall > 0.0 ? 0.0 : letter_type (job, pitch);
  char     name[SL_FRAME_TEXT];

  frame->upright = job->tall > 0.0;
  if (letters > 0.0)
    {
      frame->x_type = type = letters;
      room = HUGE_VAL;
    }
  every = MAX (every, (figure->columns + SL_TICKS_MAX - 1) / SL_TICKS_MAX);
  for (unsigned i = 0; i < figure->columns && frame->n_x_ticks < SL_TICKS_MAX; i += every)
    {
      SlTick *tick = &frame->x_tick[frame->n_x_ticks];

      if (!sl_figure_column_name (figure, i, name, sizeof name))
        return;
      sl_text_ellipsise (job->text, name, type, false, room, tick->label, sizeof tick->label);
      tick->value = i + 1;
      frame->x_at[frame->n_x_ticks++] = frame->plot.x + (i + 0.5) * pitch;
    }
}

/* The names of the numbers 0, 1, … along x. */
static void
lay_choices (const SlLaying *job, SlFrame *frame)
{
  const SlFigure *figure = job->figure;
  double          room = frame->plot.w / MAX (figure->n_categories, 1) - 0.3 * job->theme->type;

  for (unsigned i = 0; i < figure->n_categories && frame->n_x_ticks < SL_TICKS_MAX; i++)
    {
      SlTick *tick = &frame->x_tick[frame->n_x_ticks];
      double  at = sl_frame_x (frame, i);

      if (!(at >= frame->plot.x - 0.5 && at <= frame->plot.x + frame->plot.w + 0.5))
        continue;
      tick->value = i;
      sl_text_ellipsise (job->text, figure->categories[i], job->theme->type, false, room,
                         tick->label, sizeof tick->label);
      frame->x_at[frame->n_x_ticks++] = at;
    }
}

void
sl_lay_under (const SlLaying *job, SlFrame *frame)
{
  if (job->figure->kind == SL_BARS)
    {
      frame->bar = frame->plot.w / MAX (job->figure->n_categories, 1);
      lay_categories (job, frame);
    }
  else if (job->figure->kind == SL_HEATMAP && job->figure->names != NULL
           && job->figure->names[0] != '\0')
    lay_names (job, frame);
  else if (job->figure->kind == SL_PROFILE && job->figure->categories != NULL)
    lay_choices (job, frame);
  else
    lay_x_ticks (job, frame);
}
