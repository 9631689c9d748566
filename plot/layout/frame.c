/* SPDX-License-Identifier: MIT
 *
 * The layout of a figure; see frame.h.  From the outside inwards: the parts above and below give
 * the height of the plot, that gives the y ticks, their widths give the left margin, and that the x
 * ticks.  */

#include <glib.h>
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "plot/layout/private.h"

/* Heights of text below which a figure is low; lines of a note on the screen, and in the middle of an empty plot. */
enum { LOW = 14, SCREEN_NOTE = 2, EMPTY_NOTE = 3 };

/* Updates that the axis of a plot without values goes over. */
enum { EMPTY_STEPS = 10 };

/* What is left out, one after the other, when the plot would become too low. */
enum { KEEP_ALL, SHORT_NOTE, NO_NOTE, NO_FLAGS, NO_LABELS, NO_LEGEND, NO_TITLE, N_SACRIFICES };

/* Around a plot that is low for its type, there is less. */
static double
pad_around (const SlTheme *theme, double height)
{
  return MAX (4.0, (height < LOW * theme->type ? 0.3 : 0.65) * theme->type);
}

static bool
flag_visible (const SlFigure *figure, const SlChangeMarker *flag)
{
  SlScale x = sl_figure_x (figure);

  return flag->step >= sl_scale_least (&x) && flag->step <= x.hi;
}

static bool
any_flag (const SlFigure *figure)
{
  for (unsigned i = 0; i < figure->flags.n; i++)
    if (flag_visible (figure, &figure->flags.at[i]))
      return true;
  return false;
}

/* Badges of neighbouring flags that would overlap become one, "3–5". */
static void
lay_flags (const SlLaying *job, SlFrame *frame)
{
  const SlFigure *figure = job->figure;
  double          height = job->line, size = 0.85 * job->theme->type;
  int             last = -1; /* frame flag with the last badge */

  for (unsigned i = 0; i < figure->flags.n; i++)
    {
      const SlChangeMarker *flag = &figure->flags.at[i];
      SlFrameMarker        *at;
      char                  label[32];
      double                width;

      if (!flag_visible (figure, flag))
        continue;
      if (frame->n_flags == SL_FRAME_MARKERS)
        {
          /* Too many to show one by one: the oldest are dropped. */
          memmove (frame->flag, frame->flag + 1, (SL_FRAME_MARKERS - 1) * sizeof *frame->flag);
          frame->n_flags--;
          last--;
        }
      at = &frame->flag[frame->n_flags++];
      *at = (SlFrameMarker) { .x = sl_frame_x (frame, flag->step),
                              .first = flag->number,
                              .last = flag->number };
      for (;;)
        {
          if (at->first == at->last)
            g_snprintf (label, sizeof label, "%u", at->first);
          else
            g_snprintf (label, sizeof label, "%u\342\200\223%u", at->first, at->last);
          width = MAX (height, sl_text_width (job->text, label, size, true) + 0.7 * size);
          at->badge
            = (SlRect) { CLAMP (at->x - width / 2.0, 0.0, frame->width - width),
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

static bool
has_key (const SlFigure *figure)
{
  const SlFigureKind *kind = sl_figure_kind (figure);

  return figure->colours.toned
         || (kind->tinted && !sl_figure_coloured (figure)
             && (!kind->named_tint || *figure->z.label != '\0'));
}

/* Breaks a note into at most so many lines of `room` px. */
static void
lay_note (const SlLaying *job, SlFrame *frame, const char *words, double size, double room,
          unsigned lines)
{
  g_auto (GStrv) line = sl_text_wrap (job->text, words, size, room, lines);

  for (frame->n_notes = 0; line[frame->n_notes] != NULL; frame->n_notes++)
    g_strlcpy (frame->note[frame->n_notes], line[frame->n_notes], sizeof *frame->note);
}

/* On the screen a note is short.  In a file, where it says what bars and bands are, it is whole, unless it would take
 * half of the figure.  */
static unsigned
note_lines (const SlLaying *job, const SlFrame *frame, int sacrifice)
{
  double most = floor (0.5 * frame->height / job->line);

  if (job->parts->whole)
    return (unsigned) CLAMP (most, SCREEN_NOTE, SL_NOTE_LINES);
  return sacrifice < SHORT_NOTE ? SCREEN_NOTE : 1;
}

void
sl_frame_letters (unsigned number, char text[SL_FRAME_LETTERS])
{
  char letters[SL_FRAME_LETTERS - 3] = "";

  for (; number > 0; number = (number - 1) / 26)
    {
      memmove (letters + 1, letters, sizeof letters - 1);
      letters[0] = (char) ('a' + (number - 1) % 26);
    }
  g_snprintf (text, SL_FRAME_LETTERS, "(%s)", letters);
}

/* Title, note, legend and flag strip from the top; returns where the plot may begin. */
static double
lay_head (SlLaying *job, SlFrame *frame, int sacrifice)
{
  const SlFigure *figure = job->figure;
  const SlTheme  *theme = job->theme;
  double          y = job->pad, ascent, descent, room = frame->width - 2.0 * job->pad;
  char            title[SL_FRAME_TEXT], letters[SL_FRAME_LETTERS];

  frame->n_chips = frame->n_more = 0;
  frame->title[0] = '\0';
  frame->n_notes = 0;
  if ((job->parts->title || job->parts->letter != 0) && sacrifice < NO_TITLE)
    {
      const char *words = job->parts->title ? figure->title : "";

      if (job->parts->letter != 0)
        {
          sl_frame_letters (job->parts->letter, letters);
          g_snprintf (title, sizeof title, "%s%s%s", letters, *words != '\0' ? " " : "", words);
        }
      else
        g_strlcpy (title, words, sizeof title);
      sl_text_metrics (job->text, theme->title, &ascent, &descent);
      sl_text_ellipsise (job->text, title, theme->title, true, room, frame->title,
                         sizeof frame->title);
      frame->title_y = y + ascent;
      y += ascent + descent + 0.25 * theme->type;
    }
  if (job->parts->note && !figure->view.wordless && figure->note[0] != '\0' && sacrifice < NO_NOTE
      && !frame->empty)
    {
      lay_note (job, frame, figure->note, 0.92 * theme->type, room,
                note_lines (job, frame, sacrifice));
      frame->note_y = y + job->ascent;
      frame->note_step = job->line;
      y += frame->n_notes * job->line + 0.25 * theme->type;
    }
  if (job->legend == SL_LEGEND_ABOVE && sacrifice < NO_LEGEND)
    y += sl_lay_legend (job, frame, y);
  job->strip = job->parts->flags && sacrifice < NO_FLAGS && !frame->empty && any_flag (figure);
  if (job->strip)
    y += job->line + 2.0;
  else
    y += 0.3 * theme->type;
  return sacrifice == KEEP_ALL ? MAX (y, job->parts->top) : y;
}

/* Labels, ticks and legend from the bottom; returns where the plot may end. */
static double
lay_foot (const SlLaying *job, SlFrame *frame, int sacrifice)
{
  double bottom = frame->height - job->pad;

  if (job->legend == SL_LEGEND_BELOW && sacrifice < NO_LEGEND)
    bottom -= sl_lay_legend_below (job, frame);
  if (!sl_frame_kind (frame)->axes)
    return bottom;
  frame->x_label_y = bottom - job->descent;
  if (frame->x_label[0] != '\0' && sacrifice < NO_LABELS)
    bottom -= job->line + 1.0;
  frame->x_ticks_y = bottom - job->descent;
  if (job->two_lines)
    {
      frame->x_ticks_y -= job->line;
      bottom -= job->line;
    }
  return bottom - ((job->tall > 0.0 ? job->tall : job->line) + 5.0);
}

/* What is above and below the plot, as much of it as leaves the plot its height. */
static void
lay_height (SlLaying *job, SlFrame *frame, double *top, double *bottom)
{
  const double line = job->line, height = frame->height;
  bool         labels = true;

  sl_lay_axis_title (&job->figure->x, frame->x_label, sizeof frame->x_label);
  sl_lay_axis_title (&job->figure->y, frame->y_label, sizeof frame->y_label);
  for (int sacrifice = KEEP_ALL; sacrifice < (job->parts->whole ? SHORT_NOTE : N_SACRIFICES);
       sacrifice++)
    {
      *top = lay_head (job, frame, sacrifice);
      *bottom = lay_foot (job, frame, sacrifice);
      labels = sacrifice < NO_LABELS;
      /* Curves without names are worse than low ones. */
      if (*bottom - *top
          >= (labels ? MAX (3.6 * line, 0.36 * height) : MAX (2.4 * line, 0.3 * height)))
        break;
    }
  if (!labels || !sl_frame_kind (frame)->axes)
    frame->x_label[0] = frame->y_label[0] = '\0';
}

/* The part before a logarithmic axis of this length, with room for the zero's label. */
static double
foot_for (const SlLaying *job, double length)
{
  return CLAMP (1.5 * job->line / length, 0.05, 0.3);
}

/* Label and ticks along y from the left; returns where the plot may begin. */
static double
lay_left (const SlLaying *job, SlFrame *frame, double height)
{
  double left = job->pad;

  if (!sl_frame_kind (frame)->axes)
    return left;
  /* Without values, an axis has numbers only where the panel gives its range. */
  if (!frame->empty || job->figure->y.lo < job->figure->y.hi)
    sl_lay_y_ticks (job, frame, height);
  if (frame->y_label[0] != '\0')
    {
      frame->y_label_x = left + job->ascent - 1.0;
      left += job->line + 1.0;
    }
  left += sl_lay_widest (job, frame->y_tick, frame->n_y_ticks) + 6.0;
  return MAX (left, job->parts->left);
}

/* What is beside the plot from the right; returns its width. */
static double
lay_right (const SlLaying *job, SlFrame *frame, double top, double bottom)
{
  const SlFigureKind *kind = sl_frame_kind (frame);
  double              right = job->pad;

  if (frame->empty)
    return MAX (right, 1.2 * job->theme->type);
  if (job->key)
    right += sl_lay_key (job, frame, bottom - top);
  if (kind->lay_side != NULL)
    frame->spare = kind->lay_side (job, frame, top, bottom);
  right += frame->spare;
  if (job->legend == SL_LEGEND_RIGHT)
    right += sl_lay_legend_right (job, frame, top, bottom);
  right = kind->axes ? MAX (right, 1.2 * job->theme->type) : right;
  return MAX (right, job->parts->right);
}

/* The part of the room in which a unit is as long across as upwards; what is around the plot moves with
 * it.  Less height may need less room at the left.  */
static SlRect
equal_units (const SlLaying *job, SlFrame *frame, SlRect room)
{
  double ratio = (frame->x.hi - frame->x.lo) / (frame->y.hi - frame->y.lo), left = room.x, spare;

  if (room.w < ratio * room.h)
    {
      left = lay_left (job, frame, room.w / ratio);
      room.w += room.x - left;
      room.x = left;
    }
  spare = MAX (room.h - room.w / ratio, 0.0);
  room.h -= spare;
  room.y += 0.5 * spare;
  frame->x_label_y -= 0.5 * spare;
  frame->x_ticks_y -= 0.5 * spare;
  spare = MAX (room.w - room.h * ratio, 0.0);
  room.w -= spare;
  room.x += 0.5 * spare;
  frame->y_label_x += 0.5 * spare;
  frame->spare += 0.5 * spare;
  return (SlRect) { round (room.x), round (room.y), MAX (round (room.w), 1.0),
                    MAX (round (room.h), 1.0) };
}

/* Scales, and the place of the plot between what is around it. */
static void
lay_plot (const SlLaying *job, SlFrame *frame, double top, double bottom)
{
  const SlFigure *figure = job->figure;
  double          left, right;

  frame->x = sl_figure_x (figure);
  frame->y = sl_scale_new (figure->y_range.lo, figure->y_range.hi,
                           figure->view.log_y && sl_frame_kind (frame)->values);
  if (figure->y_zero && frame->y.logarithmic)
    frame->y.foot = foot_for (job, bottom - top);
  right = lay_right (job, frame, top, bottom);
  left = lay_left (job, frame, bottom - top);
  frame->left = left;
  frame->top = top;
  frame->right = right;
  frame->plot
    = (SlRect) { ceil (left), ceil (top), MAX (floor (frame->width - right - ceil (left)), 1.0),
                 MAX (floor (bottom - ceil (top)), 1.0) };
  if (sl_frame_kind (frame)->equal)
    frame->plot = equal_units (job, frame, frame->plot);
  if (figure->x_zero)
    frame->x.foot = foot_for (job, frame->plot.w);
}

/* What is along the axes and in the plot. */
static void
lay_axes (const SlLaying *job, SlFrame *frame)
{
  const SlFigure     *figure = job->figure;
  const SlFigureKind *kind = sl_figure_kind (figure);

  if (job->legend == SL_LEGEND_INSIDE)
    sl_lay_legend_inside (job, frame);
  sl_lay_inset (job, frame);
  if (!kind->values)
    frame->inset = 0.0;
  /* Texts along the axes are cut to the axes' lengths. */
  sl_lay_cut_title (job, &figure->x, frame->x_label, frame->width - 2.0 * job->pad);
  frame->y_label_cut
    = sl_lay_cut_title (job, &figure->y, frame->y_label, frame->height - 2.0 - frame->plot.y);
  for (unsigned i = 0; i < frame->n_y_ticks; i++)
    frame->y_at[i] = sl_frame_y (frame, frame->y_tick[i].value);
  if (kind->lay_x != NULL)
    kind->lay_x (job, frame);
  else
    sl_lay_numbers (job, frame, figure->integer_x);
  if (frame->flip_y)
    frame->picked = sl_figure_row_of (figure, sl_figure_picked_row (figure));
  if (job->parts->flags)
    lay_flags (job, frame);
  if (isfinite (figure->mark) && figure->mark >= sl_scale_least (&frame->x)
      && figure->mark <= frame->x.hi)
    frame->mark = sl_frame_x (frame, figure->mark);
  frame->handle = job->parts->handle && figure->draggable && isfinite (frame->mark);
}

/* Axes without data, and a sentence in the middle. */
static void
lay_empty (SlLaying *job, SlFrame *frame, double top, double bottom)
{
  const SlFigure     *figure = job->figure;
  const SlFigureKind *kind = sl_figure_kind (figure);
  const char         *words
    = figure->note[0] != '\0' ? figure->note : sl_figure_words (figure, N_ ("No values yet."));
  double room;

  lay_plot (job, frame, top, bottom);
  if (kind->axes)
    {
      if (kind->steps)
        frame->x = sl_scale_new (0.0, EMPTY_STEPS, false);
      sl_lay_cut_title (job, &figure->x, frame->x_label, frame->width - 2.0 * job->pad);
      sl_lay_cut_title (job, &figure->y, frame->y_label, frame->height - 2.0 - frame->plot.y);
      for (unsigned i = 0; i < frame->n_y_ticks; i++)
        frame->y_at[i] = sl_frame_y (frame, frame->y_tick[i].value);
      if (kind->steps || (kind->lines && figure->x.lo < figure->x.hi))
        sl_lay_numbers (job, frame, figure->integer_x);
    }
  room = MAX (frame->plot.w - 2.0 * job->pad, 1.0);
  lay_note (job, frame, words, job->theme->type, room, EMPTY_NOTE);
  frame->note_step = 1.15 * job->line;
  frame->note_y = (2.0 * frame->plot.y + frame->plot.h + job->ascent - job->descent
                   - (MAX (frame->n_notes, 1) - 1.0) * frame->note_step)
                  / 2.0;
}

static void
lay_out (SlLaying *job, SlFrame *frame)
{
  const SlFigureKind *kind = sl_figure_kind (job->figure);
  double              top, bottom;

  if (kind->prepare_layout != NULL)
    kind->prepare_layout (job, frame->width, frame->height);
  lay_height (job, frame, &top, &bottom);
  if (frame->empty)
    {
      lay_empty (job, frame, top, MAX (bottom, top + 1.0));
      return;
    }
  lay_plot (job, frame, top, MAX (bottom, top + 1.0));
  if (kind->axes)
    lay_axes (job, frame);
  else if (kind->lay_plot != NULL)
    kind->lay_plot (job, frame);
  if (job->key)
    sl_lay_place_key (job, frame);
}

/* A layout that is about to begin, and the frame as it then is. */
static SlLaying
begin (SlFrame *frame, const SlFigure *figure, const SlTheme *theme, const SlParts *parts,
       SlText *text, double width, double height)
{
  SlLaying job = { .figure = figure,
                   .theme = theme,
                   .parts = parts,
                   .text = text,
                   .pad = pad_around (theme, height),
                   .key = has_key (figure) };

  sl_text_metrics (text, theme->type, &job.ascent, &job.descent);
  job.line = job.ascent + job.descent;
  job.legend = sl_lay_legend_place (&job);
  *frame = (SlFrame) {
    .kind = figure->kind,
    .width = width,
    .height = height,
    .pad = job.pad,
    .type = theme->type,
    .x_type = theme->type,
    .mark = NAN,
    .inset = theme->line + 1.0,
    .translated = parts->translated,
    .empty = sl_figure_empty (figure),
    .flip_y = sl_figure_kind (figure)->row_axis && !sl_figure_has_bins (figure),
  };
  return job;
}

/* The words of the figure itself stay those of the descriptors, for the files made of it. */
void
sl_frame_layout (SlFrame *frame, const SlFigure *figure, const SlTheme *theme, const SlParts *parts,
                 SlText *text, double width, double height)
{
  SlFigure spoken = *figure;
  SlLaying job;

  spoken.curve = g_memdup2 (figure->curve, figure->n_curves * sizeof *figure->curve);
  spoken.translated = parts->translated;
  sl_figure_show_messages (&spoken);
  job = begin (frame, &spoken, theme, parts, text, width, height);
  lay_out (&job, frame);
  sl_lay_notes (frame, figure, text);
  g_free (spoken.curve);
}
