/* SPDX-License-Identifier: MIT
 *
 * The labels along the axes: numbers, rows, names.  */
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

double
sl_lay_cut_title (const SlLaying *job, const SlAxis *axis, char title[SL_FRAME_TEXT], double room)
{
  const char *unit = axis->unit != NULL ? axis->unit : "";
  const char *label = axis->label != NULL ? axis->label : "";
  double whole = sl_text_width (job->text, title, job->theme->type, false), lacks = whole - room;
  char   tail[48] = "", words[SL_FRAME_TEXT - sizeof tail];

  if (*title == '\0' || lacks <= 0.0)
    return 0.0;
  /* A word that is whole says more than one that is cut, and its unit. */
  if (strcmp (unit, "%") != 0 && sl_text_width (job->text, label, job->theme->type, false) <= room)
    unit = "";
  if (*unit != '\0')
    g_snprintf (tail, sizeof tail, " (%s)", unit);
  room -= sl_text_width (job->text, tail, job->theme->type, false);
  sl_text_ellipsise (job->text, label, job->theme->type, false, room, words, sizeof words);
  g_snprintf (title, SL_FRAME_TEXT, "%s%s", words, tail);
  return lacks;
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

/* Takes away the ticks at what cannot be; the range may reach there by what leaves room. */
static unsigned
drop_impossible (const SlAxis *axis, SlTick *ticks, unsigned n)
{
  double   least, most, rounding;
  unsigned kept = 0;

  sl_axis_bounds (axis, &least, &most);
  rounding = 1e-9 * fmax (fabs (least), fabs (most));
  if (!isfinite (rounding))
    rounding = 0.0;
  for (unsigned i = 0; i < n; i++)
    if (ticks[i].value >= least - rounding && ticks[i].value <= most + rounding)
      ticks[kept++] = ticks[i];
  return kept;
}

double
sl_lay_widest (const SlLaying *job, const SlTick *ticks, unsigned n)
{
  double width = 0.0;

  for (unsigned i = 0; i < n; i++)
    width = MAX (width, sl_text_width (job->text, ticks[i].label, job->theme->type, false));
  return width;
}

void
sl_lay_numbers (const SlLaying *job, SlFrame *frame, bool integers)
{
  const SlFigure *figure = job->figure;
  unsigned        wanted = (unsigned) CLAMP (frame->plot.w / (4.0 * job->theme->type), 1.0, 10.0);

  for (;; wanted--)
    {
      double right = -HUGE_VAL;
      bool   touch = false;

      frame->n_x_ticks = sl_scale_ticks (&frame->x, wanted, integers, frame->x_tick);
      frame->n_x_ticks = drop_impossible (&figure->x, frame->x_tick, frame->n_x_ticks);
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

/* Room for the names of rows: few columns of a matrix leave them more. */
static double
row_room (const SlFigure *figure, const SlFrame *frame)
{
  double share = sl_figure_kind (figure)->rows ? 0.0
                 : figure->categories.down     ? 0.4
                                               : 0.75 - 0.1 * figure->matrix.columns;

  return MAX (share, 0.25) * frame->width;
}

/* A label for every row where there is room, else for some.  Rows in their order have round
 * numbers, sorted ones the numbers that happen to be there, and of named ones the first has its
 * name.  */
static void
lay_row_ticks (const SlLaying *job, SlFrame *frame, double h)
{
  const SlFigure *figure = job->figure;
  bool            history = sl_figure_kind (figure)->rows;
  bool            named = figure->matrix.row_names != NULL && figure->matrix.row_names[0] != '\0';
  unsigned        n = history ? figure->rows.n : figure->matrix.rows;
  unsigned        every = round_step (1.05 * job->line * n / MAX (h, 1.0));
  char            name[SL_FRAME_TEXT];

  every = MAX (every, (n + SL_TICKS_MAX - 1) / SL_TICKS_MAX);
  for (unsigned r = 0; r < n && frame->n_y_ticks < SL_TICKS_MAX; r++)
    {
      unsigned number = history ? figure->rows.curve[r] + 1 : r + 1;
      bool     ordered = history ? !figure->view.sorted && figure->rows.counted : !named;
      SlTick  *tick = &frame->y_tick[frame->n_y_ticks];

      if ((ordered ? number : r) % every != 0)
        continue;
      tick->value = r + 1;
      if (history && !figure->rows.counted)
        g_strlcpy (name, sl_figure_name (figure, figure->rows.curve[r]), sizeof name);
      if ((history && !figure->rows.counted)
          || (!history && sl_figure_row_name (figure, r, name, sizeof name)))
        sl_text_ellipsise (job->text, name, job->theme->type, false, row_room (figure, frame),
                           tick->label, sizeof tick->label);
      else
        g_snprintf (tick->label, sizeof tick->label, "%u",
                    sl_figure_first_element (figure, number));
      frame->n_y_ticks++;
    }
}

/* Names along y, the first on top; where there is no room for all, some. */
static void
lay_named_ticks (const SlLaying *job, SlFrame *frame, double h)
{
  const SlCategories *names = &job->figure->categories;
  unsigned            every = MAX ((unsigned) ceil (1.05 * job->line * names->n / MAX (h, 1.0)), 1);

  for (unsigned i = 0; i < names->n && frame->n_y_ticks < SL_TICKS_MAX; i += every)
    {
      SlTick *tick = &frame->y_tick[frame->n_y_ticks++];

      tick->value = names->n - 1 - i;
      sl_text_ellipsise (job->text, sl_figure_label (job->figure, names->name[i]), job->theme->type,
                         false, row_room (job->figure, frame), tick->label, sizeof tick->label);
    }
}

/* About so many ticks along the axis. */
static void
place_y_ticks (const SlLaying *job, SlFrame *frame, unsigned wanted)
{
  const SlFigure *figure = job->figure;

  frame->n_y_ticks = sl_scale_ticks (&frame->y, wanted, figure->y.whole, frame->y_tick);
  frame->n_y_ticks = drop_impossible (&figure->y, frame->y_tick, frame->n_y_ticks);
  if (percent_ticks (&figure->y))
    add_percent (frame->y_tick, frame->n_y_ticks);
}

/* Whether no two numbers are nearer to each other than a part of the axis. */
static bool
stand_apart (const SlFrame *frame, double least)
{
  double before = -HUGE_VAL;

  for (unsigned i = 0; i < frame->n_y_ticks; i++)
    if (frame->y_tick[i].label[0] != '\0')
      {
        double at = sl_scale_map (&frame->y, frame->y_tick[i].value);

        if (!(at - before >= least))
          return false;
        before = at;
      }
  return true;
}

/* One number says nothing about a range: two do where they do not touch, though there be little air between
 * them.  */
void
sl_lay_y_ticks (const SlLaying *job, SlFrame *frame, double h)
{
  enum { MOST_Y_TICKS = 8 };
  const SlFigure *figure = job->figure;
  unsigned        wanted = (unsigned) CLAMP (h / (1.9 * job->line), 1.0, MOST_Y_TICKS);

  /* Rows are counted where y has no range. */
  if (sl_figure_kind (figure)->row_axis && !(figure->y.lo < figure->y.hi))
    {
      lay_row_ticks (job, frame, h);
      return;
    }
  if (figure->categories.down)
    {
      lay_named_ticks (job, frame, h);
      return;
    }
  place_y_ticks (job, frame, wanted);
  for (unsigned more = wanted + 1; frame->n_y_ticks < 2 && more <= MOST_Y_TICKS; more++)
    place_y_ticks (job, frame, more);
  if (!stand_apart (frame, job->line / h))
    place_y_ticks (job, frame, wanted);
}
