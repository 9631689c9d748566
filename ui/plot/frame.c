/* SPDX-License-Identifier: MIT
 *
 * The layout of a figure; see frame.h.  From the outside inwards: what stands above and below
 * gives the height of the plot, that gives the y ticks, their widths give the left margin, and that
 * the x ticks.  */
#include "ui/plot/frame.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "ui/plot/reduce.h"

/* What is left out, one after the other, when the plot would become too low. */
enum { KEEP_ALL, NO_NOTE, NO_FLAGS, NO_LABELS, NO_LEGEND, NO_TITLE, N_SACRIFICES };

typedef struct
{
  const SlFigure *figure;
  const SlTheme  *theme;
  const SlParts  *parts;
  SlText         *text;
  double          pad, ascent, line; /* of tick-size type: px above the baseline, px of a row */
  bool            two_lines;         /* category names take two */
  bool            strip;             /* flags have a strip of their own above the plot */
} Job;

bool
sl_rect_contains (const SlRect *rect, double x, double y)
{
  return x >= rect->x && x < rect->x + rect->w && y >= rect->y && y < rect->y + rect->h;
}

static bool
has_axes (const SlFigure *figure)
{
  return figure->kind != SL_IMAGE;
}

/* "cost (% of dense)"; nothing when a lone per cent sign goes to the ticks. */
static void
axis_title (const SlAxis *axis, char *out, size_t size)
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

/* Shortens the words of an axis title, not its unit. */
static void
cut_axis_title (const Job *job, const SlAxis *axis, char title[SL_FRAME_TEXT], double room)
{
  const char *unit = axis->unit != NULL ? axis->unit : "";
  char tail[48] = "", words[SL_FRAME_TEXT - sizeof tail];

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

static double
widest (const Job *job, const SlTick *ticks, unsigned n)
{
  double width = 0.0;

  for (unsigned i = 0; i < n; i++)
    width = MAX (width, sl_text_width (job->text, ticks[i].label, job->theme->type, false));
  return width;
}

/* Length of the beginning that all curve titles share up to a ", ", which the legend then
 * leaves out: "recall, layer 1", "recall, layer 2".  */
static size_t
shared_prefix (const SlFigure *figure)
{
  const char *first = figure->n_curves > 0 ? figure->curve[0].title : "";
  const char *comma = strstr (first, ", ");
  size_t length = comma != NULL ? (size_t) (comma - first) + 2 : 0;

  if (length == 0 || figure->n_curves < 2)
    return 0;
  for (unsigned c = 1; c < figure->n_curves; c++)
    if (strncmp (figure->curve[c].title, first, length) != 0)
      return 0;
  return length;
}

/* Flows the legend from `top`; returns its height. */
static double
lay_legend (const Job *job, SlFrame *frame, double top)
{
  const SlFigure *figure = job->figure;
  double type = job->theme->type, row = job->line + 0.25 * type;
  double left = job->pad, right = frame->width - job->pad, x = left, y = top;
  double swatch = (figure->kind == SL_BARS ? 1.0 : 2.2) * type, gap = 0.45 * type,
         apart = 1.1 * type;
  double reserve = sl_text_width (job->text, "+\302\24099", type, false);
  unsigned rows = 1, most = frame->height >= 18.0 * row ? 3 : frame->height >= 11.0 * row ? 2 : 1;
  size_t skip = shared_prefix (figure);

  if (job->parts->whole)
    most = SL_CHIPS_MAX;
  if (figure->n_curves < 2)
    return 0.0;
  for (unsigned c = 0; c < figure->n_curves && frame->n_chips < SL_CHIPS_MAX; c++)
    {
      const SlCurve *curve = &figure->curve[c];
      SlChip *chip = &frame->chip[frame->n_chips];
      double room = right - left - swatch - gap, width;

      width = sl_text_ellipsise (job->text, curve->title + skip, type, false, room, chip->text,
                                 sizeof chip->text);
      width += swatch + gap;
      if (x > left
          && x + width > right - (rows == most && c + 1 < figure->n_curves ? reserve : 0.0))
        {
          if (rows == most)
            {
              *chip = (SlChip) { 0 };
              frame->n_more = figure->n_curves - c;
              frame->more_x = x;
              frame->more_y = y + job->ascent + 0.12 * type;
              break;
            }
          rows++;
          x = left;
          y += row;
        }
      chip->rect = (SlRect) { x, y, width, row };
      chip->baseline = y + job->ascent + 0.12 * type;
      chip->curve = c;
      chip->slot = curve->slot;
      chip->style = curve->style;
      chip->hidden = curve->hidden;
      chip->ghost = curve->ghost;
      chip->line = figure->kind != SL_BARS && !curve->scatter && sl_points_of_curve (curve).n != 1;
      chip->marker = figure->kind != SL_BARS && sl_figure_marked (figure, c);
      chip->text_x = x + swatch + gap;
      frame->n_chips++;
      x += width + apart;
    }
  return rows * row + 0.2 * type;
}

static bool
flag_visible (const SlFigure *figure, const SlFlag *flag)
{
  return flag->step >= figure->x_range.lo && flag->step <= figure->x_range.hi
         && !(figure->view.log_x && flag->step <= 0.0);
}

static bool
any_flag (const SlFigure *figure)
{
  for (unsigned i = 0; i < figure->n_flags; i++)
    if (flag_visible (figure, &figure->flag[i]))
      return true;
  return false;
}

/* Badges of neighbouring flags that would overlap become one, "3–5". */
static void
lay_flags (const Job *job, SlFrame *frame)
{
  const SlFigure *figure = job->figure;
  double height = job->line, size = 0.85 * job->theme->type;
  int last = -1; /* frame flag with the last badge */

  for (unsigned i = 0; i < figure->n_flags; i++)
    {
      const SlFlag *flag = &figure->flag[i];
      SlFrameFlag *at;
      char label[32];
      double width;

      if (!flag_visible (figure, flag))
        continue;
      if (frame->n_flags == SL_FRAME_FLAGS)
        {
          /* Too many to show one by one: the oldest give way. */
          memmove (frame->flag, frame->flag + 1, (SL_FRAME_FLAGS - 1) * sizeof *frame->flag);
          frame->n_flags--;
          last--;
        }
      at = &frame->flag[frame->n_flags++];
      *at = (SlFrameFlag) { .x = sl_frame_x (frame, flag->step),
                            .first = flag->number,
                            .last = flag->number };
      for (;;)
        {
          if (at->first == at->last)
            g_snprintf (label, sizeof label, "%u", at->first);
          else
            g_snprintf (label, sizeof label, "%u\342\200\223%u", at->first, at->last);
          width = MAX (height, sl_text_width (job->text, label, size, true) + 0.7 * size);
          at->badge = (SlRect){ CLAMP (at->x - width / 2.0, 0.0, frame->width - width),
                                frame->plot.y + (job->strip ? -height - 1.0 : 1.0), width, height };
          if (last < 0
              || frame->flag[last].badge.x + frame->flag[last].badge.w + 1.0 <= at->badge.x)
            break;
          at->first = frame->flag[last].first;
          frame->flag[last].badge = (SlRect) { 0 };
          for (last--; last >= 0 && frame->flag[last].badge.w == 0.0; last--)
            ;
        }
      last = (int) frame->n_flags - 1;
    }
}

/* What stands under a group of bars: its name, or its x. */
static const char *
category (const SlFigure *figure, unsigned i, char number[32])
{
  if (figure->categories != NULL)
    return figure->categories[i];
  return sl_number_text (figure->n_curves > 0 && i < figure->curve[0].n ? figure->curve[0].x[i] : i,
                         6, number, 32);
}

/* False when a category's name is wider than its place on an axis of `width` px. */
static bool
categories_fit (const Job *job, double width)
{
  const SlFigure *figure = job->figure;
  double room = width / MAX (figure->n_categories, 1) - 0.4 * job->theme->type;
  char number[32];

  for (unsigned i = 0; i < figure->n_categories; i++)
    if (sl_text_width (job->text, category (figure, i, number), job->theme->type, false) > room)
      return false;
  return true;
}

/* Splits a name at the space next to its middle. */
static void
split_name (const char *name, char first[64], char second[64])
{
  size_t length = strlen (name), at = 0;

  for (size_t i = 1; i < length; i++)
    if (name[i] == ' '
        && (at == 0 || MAX (i, length - i) < MAX (at, length - at)))
      at = i;
  g_snprintf (first, 64, "%.*s", (int) (at > 0 ? at : length), name);
  g_snprintf (second, 64, "%s", at > 0 ? name + at + 1 : "");
}

/* Category names under the bars, each no wider than its place. */
static void
lay_categories (const Job *job, SlFrame *frame)
{
  const SlFigure *figure = job->figure;
  unsigned n = figure->n_categories, every = 1;
  double type = job->theme->type, widest_room = frame->bar - 0.4 * type;

  /* Where not even a short beginning of each fits, some stay unnamed. */
  if (!categories_fit (job, frame->plot.w) && widest_room < 2.2 * type)
    {
      every = (unsigned) ceil (2.6 * type / MAX (frame->bar, 0.1));
      widest_room = frame->bar * every - 0.4 * type;
    }
  for (unsigned i = 0; i < n && frame->n_x_ticks < SL_TICKS_MAX; i += every)
    {
      SlTick *tick = &frame->x_tick[frame->n_x_ticks];
      char number[32], first[64], second[64];
      const char *name;

      tick->value = i + 0.5;
      name = category (figure, i, number);
      if (job->two_lines)
        {
          split_name (name, first, second);
          sl_text_ellipsise (job->text, second, job->theme->type, false, widest_room,
                             frame->x_second[frame->n_x_ticks], SL_TICK_LABEL);
          name = first;
        }
      sl_text_ellipsise (job->text, name, job->theme->type, false, widest_room, tick->label,
                         sizeof tick->label);
      frame->x_at[frame->n_x_ticks++] = sl_frame_x (frame, tick->value);
    }
}

/* As many x ticks as fit without their labels touching. */
static void
lay_x_ticks (const Job *job, SlFrame *frame)
{
  const SlFigure *figure = job->figure;
  bool integers = figure->integer_x || figure->kind == SL_HEATMAP;
  unsigned wanted = (unsigned) CLAMP (frame->plot.w / (4.0 * job->theme->type), 1.0, 10.0);

  for (;; wanted--)
    {
      double right = -HUGE_VAL;
      bool touch = false;

      frame->n_x_ticks = sl_scale_ticks (&frame->x, wanted, integers, frame->x_tick);
      if (percent_ticks (&figure->x))
        add_percent (frame->x_tick, frame->n_x_ticks);
      for (unsigned i = 0; i < frame->n_x_ticks; i++)
        {
          double half = sl_text_width (job->text, frame->x_tick[i].label, job->theme->type, false)
                        / 2.0;

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

/* px of a cell when so many tiles stand side by side. */
static double
cell_size (const SlFigure *figure, const SlRect *area, double gap, unsigned across)
{
  unsigned down = (figure->tiles + across - 1) / across;

  return MIN ((area->w - gap * (across - 1)) / ((double) across * figure->columns),
              (area->h - gap * (down - 1)) / ((double) down * figure->rows));
}

/* The arrangement that makes the tiles largest or, where it costs little, one that leaves fewer
 * places of the last row empty.  */
static void
lay_tiles (const Job *job, SlFrame *frame)
{
  const SlFigure *figure = job->figure;
  double largest = 0.0, best = 0.0, gap = MAX (2.0, 0.2 * job->theme->type);
  unsigned fewest = G_MAXUINT;
  SlRect *area = &frame->plot;

  frame->tile_gap = gap;
  for (unsigned across = 1; across <= figure->tiles; across++)
    largest = MAX (largest, cell_size (figure, area, gap, across));
  for (unsigned across = 1; across <= figure->tiles; across++)
    {
      unsigned down = (figure->tiles + across - 1) / across, empty = across * down - figure->tiles;
      double cell = cell_size (figure, area, gap, across);

      if (!(cell >= 0.88 * largest) || !(cell > 0.0) || empty > fewest
          || (empty == fewest && cell <= best))
        continue;
      fewest = empty;
      best = cell;
      frame->tiles_across = across;
      frame->tiles_down = down;
    }
  if (!(best > 0.0))
    return;
  /* Whole pixels per cell look even, where they do not cost too much size. */
  if (best >= 5.0)
    best = floor (best);
  frame->tile_w = best * figure->columns;
  frame->tile_h = best * figure->rows;
  {
    double w = frame->tiles_across * (frame->tile_w + gap) - gap;
    double h = frame->tiles_down * (frame->tile_h + gap) - gap;

    area->x = floor (area->x + (area->w - w) / 2.0);
    area->y = floor (area->y + MIN ((area->h - h) / 2.0, 2.0 * job->theme->type));
    area->w = w;
    area->h = h;
  }
}

/* Room for the colour bar and its labels, at the right edge of a plot of height `h`. */
static double
lay_key (const Job *job, SlFrame *frame, double h)
{
  SlScale scale = sl_scale_new (job->figure->lo, job->figure->hi, false);
  double type = job->theme->type;

  frame->key_lo = job->figure->lo;
  frame->key_hi = job->figure->hi;
  frame->n_key_ticks = sl_scale_ticks (&scale, (unsigned) CLAMP (h / (4.0 * type), 1.0, 5.0), false,
                                       frame->key_tick);
  frame->key.w = 0.9 * type;
  return frame->key.w + 0.8 * type + 4.0 + widest (job, frame->key_tick, frame->n_key_ticks);
}

static void
place_key (const Job *job, SlFrame *frame)
{
  SlScale scale = sl_scale_new (frame->key_lo, frame->key_hi, false);

  frame->key.x = frame->plot.x + frame->plot.w + 0.8 * job->theme->type;
  frame->key.y = frame->plot.y;
  frame->key.h = frame->plot.h;
  for (unsigned i = 0; i < frame->n_key_ticks; i++)
    frame->key_at[i] = frame->key.y
                       + frame->key.h * (1.0 - sl_scale_map (&scale, frame->key_tick[i].value));
}

/* Title, note, legend and flag strip from the top; returns where the plot may begin. */
static double
lay_head (Job *job, SlFrame *frame, int sacrifice)
{
  const SlFigure *figure = job->figure;
  const SlTheme *theme = job->theme;
  double y = job->pad, ascent, descent, room = frame->width - 2.0 * job->pad;
  char title[SL_FRAME_TEXT];

  frame->n_chips = frame->n_more = 0;
  frame->title[0] = frame->note[0] = '\0';
  if ((job->parts->title || job->parts->letter != 0) && sacrifice < NO_TITLE)
    {
      const char *words = job->parts->title ? figure->title : "";

      if (job->parts->letter != 0)
        g_snprintf (title, sizeof title, "(%c)%s%s", job->parts->letter, *words != '\0' ? " " : "",
                    words);
      else
        g_strlcpy (title, words, sizeof title);
      sl_text_metrics (job->text, theme->title, &ascent, &descent);
      sl_text_ellipsise (job->text, title, theme->title, true, room, frame->title,
                         sizeof frame->title);
      frame->title_y = y + ascent;
      y += ascent + descent + 0.25 * theme->type;
    }
  if (job->parts->note && figure->note[0] != '\0' && sacrifice < NO_NOTE && !frame->empty)
    {
      sl_text_ellipsise (job->text, figure->note, 0.92 * theme->type, false, room, frame->note,
                         sizeof frame->note);
      frame->note_y = y + job->ascent;
      y += job->line + 0.25 * theme->type;
    }
  if (job->parts->legend && sacrifice < NO_LEGEND && !frame->empty && has_axes (figure)
      && figure->kind != SL_HEATMAP)
    y += lay_legend (job, frame, y);
  job->strip = job->parts->flags && sacrifice < NO_FLAGS && !frame->empty && any_flag (figure);
  if (job->strip)
    y += job->line + 2.0;
  else
    y += 0.3 * theme->type;
  return sacrifice == KEEP_ALL ? MAX (y, job->parts->top) : y;
}

void
sl_frame_layout (SlFrame *frame, const SlFigure *figure, const SlTheme *theme, const SlParts *parts,
                 SlText *text, double width, double height)
{
  Job job = { figure, theme, parts, text, MAX (4.0, 0.65 * theme->type), 0.0, 0.0, false, false };
  double top = 0.0, bottom = height, left, right, descent;
  bool labels = true;

  memset (frame, 0, sizeof *frame);
  sl_text_metrics (text, theme->type, &job.ascent, &descent);
  job.line = job.ascent + descent;
  frame->kind = figure->kind;
  frame->width = width;
  frame->height = height;
  frame->pad = job.pad;
  frame->theme = theme->kind;
  frame->type = theme->type;
  frame->line = theme->line;
  frame->mark = NAN;
  frame->inset = theme->line + 1.0;
  frame->empty = sl_figure_empty (figure);
  frame->flip_y = figure->kind == SL_HEATMAP;

  job.two_lines = figure->kind == SL_BARS && figure->categories != NULL
                  && !categories_fit (&job, width - 5.0 * theme->type);

  axis_title (&figure->x, frame->x_label, sizeof frame->x_label);
  axis_title (&figure->y, frame->y_label, sizeof frame->y_label);
  for (int sacrifice = KEEP_ALL; sacrifice < (parts->whole ? NO_NOTE : N_SACRIFICES); sacrifice++)
    {
      top = lay_head (&job, frame, sacrifice);
      labels = sacrifice < NO_LABELS;
      bottom = height - job.pad;
      if (has_axes (figure) && !frame->empty)
        {
          frame->x_label_y = bottom - descent;
          if (frame->x_label[0] != '\0' && labels)
            bottom -= job.line + 1.0;
          frame->x_ticks_y = bottom - descent;
          if (job.two_lines)
            {
              frame->x_ticks_y -= job.line;
              bottom -= job.line;
            }
          bottom -= job.line + 5.0;
        }
      if (bottom - top >= MAX (3.6 * job.line, 0.36 * height))
        break;
    }
  if (!labels)
    frame->x_label[0] = frame->y_label[0] = '\0';
  if (frame->empty)
    {
      const char *words = figure->note[0] != '\0'     ? figure->note
                          : figure->kind == SL_SERIES ? "No samples yet"
                                                      : "Nothing measured yet";

      frame->x_label[0] = frame->y_label[0] = '\0';
      sl_text_ellipsise (text, words, theme->type, false, width - 2.0 * job.pad, frame->note,
                         sizeof frame->note);
      frame->note_y = (top + bottom + job.ascent - descent) / 2.0;
      frame->plot = (SlRect) { job.pad, top, MAX (width - 2.0 * job.pad, 1.0),
                               MAX (bottom - top, 1.0) };
      frame->x = sl_scale_new (0.0, 1.0, false);
      frame->y = frame->x;
      return;
    }

  bottom = MAX (bottom, top + 1.0);
  frame->x = sl_scale_new (figure->x_range.lo, figure->x_range.hi,
                           figure->view.log_x && figure->kind != SL_BARS);
  frame->y = sl_scale_new (figure->y_range.lo, figure->y_range.hi, figure->view.log_y);
  left = right = job.pad;
  if (figure->kind == SL_HEATMAP || figure->kind == SL_IMAGE)
    right += lay_key (&job, frame, bottom - top);
  if (has_axes (figure))
    {
      frame->n_y_ticks = sl_scale_ticks (
          &frame->y, (unsigned)CLAMP ((bottom - top) / (1.9 * job.line), 1.0, 8.0),
          figure->kind == SL_HEATMAP, frame->y_tick);
      if (percent_ticks (&figure->y))
        add_percent (frame->y_tick, frame->n_y_ticks);
      if (frame->y_label[0] != '\0')
        {
          frame->y_label_x = left + job.ascent - 1.0;
          left += job.line + 1.0;
        }
      left += widest (&job, frame->y_tick, frame->n_y_ticks) + 6.0;
      left = MAX (left, parts->left);
      right = MAX (right, 1.2 * theme->type);
    }
  frame->plot = (SlRect) { ceil (left), ceil (top), MAX (floor (width - right - ceil (left)), 1.0),
                           MAX (floor (bottom - ceil (top)), 1.0) };
  if (figure->kind == SL_IMAGE)
    {
      frame->x_label[0] = frame->y_label[0] = '\0';
      lay_tiles (&job, frame);
      place_key (&job, frame);
      return;
    }
  if (figure->kind == SL_HEATMAP)
    {
      frame->inset = 0.0;
      place_key (&job, frame);
    }

  /* Texts along the axes are cut to the axes' lengths. */
  cut_axis_title (&job, &figure->x, frame->x_label, width - 2.0 * job.pad);
  cut_axis_title (&job, &figure->y, frame->y_label, height - 2.0 - frame->plot.y);
  for (unsigned i = 0; i < frame->n_y_ticks; i++)
    frame->y_at[i] = sl_frame_y (frame, frame->y_tick[i].value);
  if (figure->kind == SL_BARS)
    {
      frame->bar = frame->plot.w / MAX (figure->n_categories, 1);
      lay_categories (&job, frame);
    }
  else
    lay_x_ticks (&job, frame);
  if (parts->flags)
    lay_flags (&job, frame);
  if (isfinite (figure->mark) && figure->mark >= frame->x.lo && figure->mark <= frame->x.hi)
    frame->mark = sl_frame_x (frame, figure->mark);
}

double
sl_frame_x (const SlFrame *frame, double value)
{
  return frame->plot.x + frame->plot.w * sl_scale_map (&frame->x, value);
}

double
sl_frame_y (const SlFrame *frame, double value)
{
  double at = sl_scale_map (&frame->y, value);

  return frame->plot.y + frame->inset
         + (frame->plot.h - 2.0 * frame->inset) * (frame->flip_y ? at : 1.0 - at);
}

double
sl_frame_value_x (const SlFrame *frame, double px)
{
  return sl_scale_unmap (&frame->x, (px - frame->plot.x) / MAX (frame->plot.w, 1.0));
}

double
sl_frame_pixel (const SlFrame *frame, double value)
{
  double at = sl_frame_x (frame, value);

  return fabs (sl_frame_value_x (frame, at + 0.5) - sl_frame_value_x (frame, at - 0.5));
}

int
sl_frame_chip (const SlFrame *frame, double x, double y)
{
  for (unsigned i = 0; i < frame->n_chips; i++)
    if (sl_rect_contains (&frame->chip[i].rect, x, y))
      return (int) i;
  return -1;
}

unsigned
sl_frame_flag (const SlFrame *frame, double x, double y)
{
  unsigned nearest = 0;
  double distance = 4.0;

  for (unsigned i = 0; i < frame->n_flags; i++)
    {
      if (sl_rect_contains (&frame->flag[i].badge, x, y))
        return frame->flag[i].last;
      if (sl_rect_contains (&frame->plot, x, y) && fabs (frame->flag[i].x - x) < distance)
        {
          distance = fabs (frame->flag[i].x - x);
          nearest = frame->flag[i].badge.w > 0.0 || i + 1 == frame->n_flags
                        ? frame->flag[i].last
                        : frame->flag[i].first;
        }
    }
  return nearest;
}

bool
sl_frame_cell (const SlFrame *frame, const SlFigure *figure, double x, double y, unsigned *tile,
               unsigned *row, unsigned *column, double *value)
{
  double px = x - frame->plot.x, py = y - frame->plot.y;
  double w = frame->plot.w, h = frame->plot.h;

  if (frame->empty || (figure->kind != SL_HEATMAP && figure->kind != SL_IMAGE)
      || !sl_rect_contains (&frame->plot, x, y))
    return false;
  *tile = 0;
  if (figure->kind == SL_IMAGE)
    {
      unsigned i, j;

      w = frame->tile_w;
      h = frame->tile_h;
      if (!(w > 0.0) || !(h > 0.0))
        return false;
      i = (unsigned) (px / (w + frame->tile_gap));
      j = (unsigned) (py / (h + frame->tile_gap));
      *tile = j * frame->tiles_across + i;
      px -= i * (w + frame->tile_gap);
      py -= j * (h + frame->tile_gap);
      if (*tile >= figure->tiles || px >= w || py >= h)
        return false;
    }
  *row = MIN ((unsigned) (py / h * figure->rows), figure->rows - 1);
  *column = MIN ((unsigned) (px / w * figure->columns), figure->columns - 1);
  *value = figure->matrix[((size_t) *tile * figure->rows + *row) * figure->columns + *column];
  return true;
}

/* A new x range by positions on the shown one, kept near the data. */
static void
view_x (const SlFrame *frame, const SlFigure *figure, SlView *view, double from, double to)
{
  double lo = sl_scale_unmap (&frame->x, from), hi = sl_scale_unmap (&frame->x, to), least, most;

  if (sl_figure_extent (figure, &least, &most) && !view->log_x)
    {
      double reach = 0.5 * (hi - lo), shift;

      shift = lo > most + reach - (hi - lo) ? most + reach - (hi - lo) - lo
              : hi < least - reach + (hi - lo) ? least - reach + (hi - lo) - hi
                                               : 0.0;
      lo += shift;
      hi += shift;
    }
  if (!isfinite (lo) || !isfinite (hi) || !(hi - lo > 1e-9 * MAX (fabs (lo), fabs (hi))))
    return;
  view->zoomed = true;
  view->x_lo = lo;
  view->x_hi = hi;
}

static void
view_y (const SlFrame *frame, SlView *view, double from, double to)
{
  double lo = sl_scale_unmap (&frame->y, from), hi = sl_scale_unmap (&frame->y, to);

  if (!isfinite (lo) || !isfinite (hi) || !(hi - lo > 1e-9 * MAX (fabs (lo), fabs (hi))))
    return;
  view->y_locked = true;
  view->y_lo = lo;
  view->y_hi = hi;
}

static bool
zoomable (const SlFrame *frame, const SlFigure *figure)
{
  return !frame->empty && (figure->kind == SL_SERIES || figure->kind == SL_PROFILE);
}

/* Positions on the axes of a point in px. */
static double
at_x (const SlFrame *frame, double px)
{
  return (px - frame->plot.x) / MAX (frame->plot.w, 1.0);
}

static double
at_y (const SlFrame *frame, double px)
{
  return 1.0 - (px - frame->plot.y - frame->inset) / MAX (frame->plot.h - 2.0 * frame->inset, 1.0);
}

void
sl_frame_zoom (const SlFrame *frame, SlFigure *figure, double x, double y, double factor_x,
               double factor_y)
{
  SlView view = figure->view;
  double cx = CLAMP (at_x (frame, x), 0.0, 1.0), cy = CLAMP (at_y (frame, y), 0.0, 1.0);

  if (!zoomable (frame, figure))
    return;
  if (factor_x != 1.0)
    view_x (frame, figure, &view, cx - cx * factor_x, cx + (1.0 - cx) * factor_x);
  if (factor_y != 1.0)
    view_y (frame, &view, cy - cy * factor_y, cy + (1.0 - cy) * factor_y);
  sl_figure_look (figure, &view);
}

void
sl_frame_zoom_to (const SlFrame *frame, SlFigure *figure, const SlRect *box)
{
  SlView view = figure->view;

  if (!zoomable (frame, figure) || !(box->w > 0.0) || !(box->h > 0.0))
    return;
  view_x (frame, figure, &view, CLAMP (at_x (frame, box->x), 0.0, 1.0),
          CLAMP (at_x (frame, box->x + box->w), 0.0, 1.0));
  view_y (frame, &view, at_y (frame, box->y + box->h), at_y (frame, box->y));
  sl_figure_look (figure, &view);
}

void
sl_frame_pan (const SlFrame *frame, SlFigure *figure, double dx, double dy)
{
  SlView view = figure->view;
  double x = dx / MAX (frame->plot.w, 1.0), y = dy / MAX (frame->plot.h - 2.0 * frame->inset, 1.0);

  if (!zoomable (frame, figure))
    return;
  if (dx != 0.0)
    view_x (frame, figure, &view, -x, 1.0 - x);
  if (dy != 0.0)
    view_y (frame, &view, y, 1.0 + y);
  sl_figure_look (figure, &view);
}
