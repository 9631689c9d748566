/* SPDX-License-Identifier: MIT
 *
 * The parts of a figure, drawn one after the other; see draw.h.  */
#include "ui/plot/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/plot/draw-private.h"
#include "ui/plot/rows.h"

SlPen
sl_pen (const SlTheme *theme, unsigned slot, SlStyle style, bool ghost)
{
  SlPen pen
      = { sl_theme_curve (theme, slot, style), theme->line, sl_theme_dash (theme, slot, style) };

  if (style != SL_MEASURED)
    pen.width *= 0.9;
  if (ghost)
    {
      pen.colour = sl_mix (pen.colour, theme->plot, 0.5);
      pen.width *= 0.75;
    }
  return pen;
}

unsigned
sl_draw_order (const SlFigure *figure, unsigned order[SL_CURVES_MAX])
{
  unsigned n = 0;

  for (unsigned layer = 0; layer < 3; layer++)
    for (unsigned c = 0; c < figure->n_curves; c++)
      {
        const SlCurve *curve = &figure->curve[c];

        if (!curve->hidden
            && (curve->ghost ? 0U : curve->style == SL_MEASURED ? 1U : 2U) == layer)
          order[n++] = c;
      }
  return n;
}

SlPoints
sl_draw_points (const SlFigure *figure, const SlCurve *curve, SlPoints *raw)
{
  SlPoints points = sl_points_of_curve (curve);

  *raw = (SlPoints) { 0 };
  if (curve->series == NULL || curve->smooth.n == 0)
    return points;
  if (!figure->view.hide_raw)
    *raw = points;
  return sl_points_of_series (&curve->smooth);
}

double
sl_draw_sharp (const SlDrawing *d, double at)
{
  return d->device > 0.0 ? (floor (at * d->device) + 0.5) / d->device : at;
}

double
sl_draw_hair (const SlDrawing *d)
{
  return d->device > 0.0 ? MAX (round (d->theme->hair * d->device), 1.0) / d->device
                         : d->theme->hair * 0.8;
}

void
sl_draw_group (const SlDrawing *d, const char *name, const SlRect *clip, double opacity)
{
  g_autofree char *id = g_strdup_printf ("%s-%s", d->id, name);

  d->canvas->begin (d->canvas, id, clip, opacity);
}

void
sl_draw_end (const SlDrawing *d)
{
  d->canvas->end (d->canvas);
}

void
sl_draw_segment (const SlDrawing *d, double x0, double y0, double x1, double y1, SlRgba colour,
         double width, const double *dash)
{
  SlXY points[2] = { { x0, y0 }, { x1, y1 } };

  d->canvas->line (d->canvas, points, 2, colour, width, dash);
}

void
sl_draw_words (const SlDrawing *d, double x, double y, const char *string, double size, bool bold,
       SlAnchor anchor, SlRgba colour)
{
  SlLettering lettering = { .size = size, .bold = bold, .anchor = anchor, .colour = colour };

  if (*string != '\0')
    d->canvas->words (d->canvas, x, y, string, &lettering);
}

/* A dash in multiples of the width as one in px; `out` has room for 8. */
static const double *
dash_px (const SlPen *pen, double out[8])
{
  unsigned i = 0;

  for (; i < 7 && pen->dash[i] > 0.0; i++)
    out[i] = pen->dash[i] * pen->width;
  out[i] = 0.0;
  return out;
}

static void
draw_grid (const SlDrawing *d)
{
  const SlFrame *f = d->frame;
  const SlRect *p = &f->plot;
  double width = sl_draw_hair (d);

  if (f->kind == SL_HEATMAP || f->kind == SL_HISTORY)
    return;
  sl_draw_group (d, "grid", NULL, 1.0);
  for (unsigned i = 0; i < f->n_y_ticks; i++)
    if (!f->y_tick[i].minor)
      {
        double at = sl_draw_sharp (d, f->y_at[i]);

        sl_draw_segment (d, p->x, at, p->x + p->w, at, d->theme->grid, width, NULL);
      }
  for (unsigned i = 0; i < f->n_x_ticks && f->kind != SL_BARS; i++)
    if (!f->x_tick[i].minor)
      {
        double at = sl_draw_sharp (d, f->x_at[i]);

        sl_draw_segment (d, at, p->y, at, p->y + p->h, d->theme->grid, width, NULL);
      }
  sl_draw_end (d);
}

/* The badges above the plot or, when there was no room, those inside it. */
static void
draw_badges (const SlDrawing *d, bool inside)
{
  const SlTheme *t = d->theme;
  double size = 0.85 * t->type;

  for (unsigned i = 0; i < d->frame->n_flags; i++)
    {
      const SlFrameFlag *flag = &d->frame->flag[i];
      const SlRect *badge = &flag->badge;
      char label[32];

      if (badge->w == 0.0 || (badge->y > d->frame->plot.y) != inside)
        continue;
      if (flag->first == flag->last)
        g_snprintf (label, sizeof label, "%u", flag->first);
      else
        g_snprintf (label, sizeof label, "%u\342\200\223%u", flag->first, flag->last);
      d->canvas->rect (d->canvas, badge, t->flag);
      sl_draw_words (d, badge->x + badge->w / 2.0, badge->y + badge->h / 2.0 + 0.36 * size, label,
                     size, true, SL_ANCHOR_MIDDLE, t->plot);
    }
}

/* The dashed line of a flag, on a clear line `halo` times as wide where it crosses colours. */
static void
draw_flag_line (const SlDrawing *d, double x, double halo)
{
  const SlRect *p = &d->frame->plot;
  double width = sl_draw_hair (d), at = sl_draw_sharp (d, x);
  double dash[3] = { 3.0 * width, 3.0 * width, 0.0 };

  if (halo > 0.0)
    sl_draw_segment (d, at, p->y, at, p->y + p->h, d->theme->plot, halo * width, NULL);
  sl_draw_segment (d, at, p->y, at, p->y + p->h, d->theme->flag, width, dash);
}

static void
draw_flags (const SlDrawing *d)
{
  const SlFrame *f = d->frame;
  double width = sl_draw_hair (d), dash[3] = { 3.0 * width, 3.0 * width, 0.0 };

  if (f->n_flags > 0)
    {
      sl_draw_group (d, "flags", NULL, 1.0);
      for (unsigned i = 0; i < f->n_flags; i++)
        draw_flag_line (d, f->flag[i].x, 0.0);
      draw_badges (d, false);
      sl_draw_end (d);
    }
  if (isfinite (f->mark))
    {
      double at = sl_draw_sharp (d, f->mark);

      sl_draw_group (d, "mark", NULL, 1.0);
      sl_draw_segment (d, at, f->plot.y, at, f->plot.y + f->plot.h, d->theme->ink, 1.3 * width,
                       dash);
      sl_draw_end (d);
    }
}

static void
draw_axes (const SlDrawing *d)
{
  const SlFrame *f = d->frame;
  const SlTheme *t = d->theme;
  const SlRect *p = &f->plot;
  double width = sl_draw_hair (d), half = 0.5 * f->width;
  double left = sl_draw_sharp (d, p->x - 0.5), bottom = sl_draw_sharp (d, p->y + p->h);

  sl_draw_group (d, "axes", NULL, 1.0);
  sl_draw_segment (d, left, bottom, p->x + p->w, bottom, t->axis, width, NULL);
  sl_draw_segment (d, left, p->y, left, bottom, t->axis, width, NULL);
  for (unsigned i = 0; i < f->n_y_ticks; i++)
    {
      double at = sl_draw_sharp (d, f->y_at[i]);

      sl_draw_segment (d, left - (f->y_tick[i].minor ? 2.0 : 3.5), at, left, at, t->axis, width,
                       NULL);
      sl_draw_words (d, p->x - 6.0, f->y_at[i] + 0.35 * t->type, f->y_tick[i].label, t->type, false,
                     SL_ANCHOR_END, t->soft);
    }
  if (f->picked > 0)
    {
      double at = sl_frame_y (f, f->picked), size = 0.4 * t->type;
      SlXY corner[3] = { { left, at }, { left - size, at - 0.7 * size },
                         { left - size, at + 0.7 * size } };

      d->canvas->area (d->canvas, corner, 3, t->ink);
    }
  for (unsigned i = 0; i < f->n_x_ticks; i++)
    {
      double at = sl_draw_sharp (d, f->x_at[i]);
      double width_of = sl_text_width (d->canvas->text, f->x_tick[i].label, t->type, false) / 2.0;

      if (f->kind != SL_BARS)
        sl_draw_segment (d, at, bottom, at, bottom + (f->x_tick[i].minor ? 2.0 : 3.5), t->axis,
                         width, NULL);
      if (f->upright)
        {
          SlLettering lettering = { .size = t->type, .upwards = true, .anchor = SL_ANCHOR_END,
                                    .colour = t->soft };

          d->canvas->words (d->canvas, f->x_at[i] + 0.35 * t->type, bottom + 5.0,
                            f->x_tick[i].label, &lettering);
          continue;
        }
      /* A label at the very end moves inwards rather than being cut. */
      sl_draw_words (d, CLAMP (f->x_at[i], width_of + 1.0, f->width - width_of - 1.0), f->x_ticks_y,
                     f->x_tick[i].label, t->type, false, SL_ANCHOR_MIDDLE, t->soft);
      sl_draw_words (d, f->x_at[i], f->x_ticks_y + 1.3 * t->type, f->x_second[i], t->type, false,
                     SL_ANCHOR_MIDDLE, t->soft);
    }
  if (f->x_label[0] != '\0')
    {
      half = sl_text_width (d->canvas->text, f->x_label, t->type, false) / 2.0 + f->pad;
      sl_draw_words (d, CLAMP (p->x + p->w / 2.0, half, MAX (half, f->width - half)), f->x_label_y,
                     f->x_label, t->type, false, SL_ANCHOR_MIDDLE, t->ink);
    }
  if (f->y_label[0] != '\0')
    {
      SlLettering lettering = { .size = t->type, .upwards = true, .anchor = SL_ANCHOR_MIDDLE,
                                .colour = t->ink };

      half = sl_text_width (d->canvas->text, f->y_label, t->type, false) / 2.0;
      d->canvas->words (d->canvas, f->y_label_x,
                        CLAMP (p->y + p->h / 2.0, p->y + half, MAX (p->y + half, f->height - half)),
                        f->y_label,
                        &lettering);
    }
  sl_draw_end (d);
}

static void
draw_head (const SlDrawing *d)
{
  const SlFrame *f = d->frame;
  const SlTheme *t = d->theme;

  sl_draw_words (d, f->pad, f->title_y, f->title, t->title, true, SL_ANCHOR_START, t->ink);
  for (unsigned i = 0; i < f->n_notes; i++)
    if (f->empty)
      sl_draw_words (d, f->width / 2.0, f->note_y + i * f->note_step, f->note[i], t->type, false,
                     SL_ANCHOR_MIDDLE, t->soft);
    else
      sl_draw_words (d, f->pad, f->note_y + i * f->note_step, f->note[i], 0.92 * t->type, false,
                     SL_ANCHOR_START, t->soft);
}

static SlRgba
bar_colour (const SlDrawing *d, const SlPen *pen, SlStyle style)
{
  return style == SL_MEASURED ? pen->colour : sl_mix (pen->colour, d->theme->plot, 0.45);
}

static void
draw_legend (const SlDrawing *d)
{
  const SlFrame *f = d->frame;
  const SlTheme *t = d->theme;
  char more[16];

  if (f->n_chips == 0)
    return;
  sl_draw_group (d, "legend", NULL, 1.0);
  for (unsigned i = 0; i < f->n_chips; i++)
    {
      const SlChip *chip = &f->chip[i];
      SlPen pen = sl_pen (t, chip->slot, chip->style, chip->ghost);
      double dash[8], y = chip->baseline - 0.34 * t->type, w = 2.2 * t->type;
      SlRgba ink = chip->hidden ? sl_mix (t->soft, t->paper, 0.55) : t->ink;

      if (chip->hidden)
        pen.colour = sl_mix (pen.colour, t->paper, 0.7);
      if (f->kind == SL_BARS || f->kind == SL_SHARES)
        d->canvas->rect (d->canvas, &(SlRect) { chip->rect.x, y - 0.45 * t->type, 0.9 * t->type,
                                                0.9 * t->type }, bar_colour (d, &pen, chip->style));
      else
        {
          if (chip->line)
            sl_draw_segment (d, chip->rect.x, y, chip->rect.x + w, y, pen.colour, pen.width,
                             dash_px (&pen, dash));
          if (chip->marker)
            sl_canvas_marker (d->canvas, sl_theme_marker (chip->slot, chip->style),
                              chip->rect.x + w / 2.0, y, t->marker, pen.colour, t->paper);
        }
      sl_draw_words (d, chip->text_x, chip->baseline, chip->text, t->type, false, SL_ANCHOR_START,
                     ink);
    }
  if (f->n_more > 0)
    {
      g_snprintf (more, sizeof more, "+\302\240%u", f->n_more);
      sl_draw_words (d, f->more_x, f->more_y, more, t->type, false, SL_ANCHOR_START, t->soft);
    }
  sl_draw_end (d);
}

void
sl_draw_static (const SlDrawing *d)
{
  const SlFrame *f = d->frame;

  d->canvas->rect (d->canvas, &(SlRect) { 0.0, 0.0, f->width, f->height }, d->theme->paper);
  sl_draw_group (d, "head", NULL, 1.0);
  draw_head (d);
  sl_draw_end (d);
  if (f->empty)
    return;
  draw_legend (d);
  if (sl_frame_has_axes (f))
    {
      draw_grid (d);
      draw_flags (d);
      draw_axes (d);
    }
  sl_draw_key (d);
}

/* Points of a polyline in px.  Exact where there are few samples, two per half px where
 * there are many.  */
static GArray *
path_of (const SlDrawing *d, const SlPoints *points)
{
  const SlFrame *f = d->frame;
  unsigned columns = (unsigned) MAX (2.0 * f->plot.w, 1.0);
  double top = f->plot.y - 2.0 * f->plot.h, bottom = f->plot.y + 3.0 * f->plot.h;
  GArray *path = g_array_new (FALSE, FALSE, sizeof (SlXY));
  size_t first, last;

  sl_points_visible (points, &f->x, &first, &last);
  if (last - first <= 2 * (size_t) columns)
    {
      first -= first > 0;
      last += last < points->n;
      for (size_t i = first; i < last; i++)
        {
          SlXY at = { sl_frame_x (f, points->x[i]), NAN };

          if (isfinite (points->y[i]))
            at.y = CLAMP (sl_frame_y (f, points->y[i]), top, bottom);
          if (isfinite (at.x))
            g_array_append_val (path, at);
        }
    }
  else
    {
      g_autofree SlColumn *column = g_new (SlColumn, columns);
      double before = NAN;

      sl_reduce (points, &f->x, columns, column);
      for (unsigned c = 0; c < columns; c++)
        {
          SlXY at = { f->plot.x + (c + 0.5) * f->plot.w / columns, NAN };
          double low, high;

          if (column[c].n == 0)
            continue;
          if (!(column[c].lo <= column[c].hi))
            {
              g_array_append_val (path, at);
              before = NAN;
              continue;
            }
          low = CLAMP (sl_frame_y (f, column[c].lo), top, bottom);
          high = CLAMP (sl_frame_y (f, column[c].hi), top, bottom);
          /* The nearer end first, so that the line does not cross the column twice. */
          at.y = fabs (before - high) < fabs (before - low) ? high : low;
          g_array_append_val (path, at);
          if (fabs (high - low) > 0.1)
            {
              at.y = at.y == low ? high : low;
              g_array_append_val (path, at);
            }
          before = at.y;
        }
    }
  return path;
}

static void
draw_path (const SlDrawing *d, const SlPoints *points, const SlPen *pen)
{
  GArray *path = path_of (d, points);
  double dash[8];

  if (path->len > 0)
    d->canvas->line (d->canvas, (SlXY *) (void *) path->data, path->len, pen->colour, pen->width,
                     dash_px (pen, dash));
  g_array_unref (path);
}

void
sl_draw_data (const SlDrawing *d)
{
  unsigned order[SL_CURVES_MAX], n;

  if (d->frame->empty)
    return;
  switch (d->frame->kind)
    {
    case SL_HEATMAP:
    case SL_IMAGE:
    case SL_HISTORY: sl_draw_cells (d); return;
    case SL_SHARES: sl_draw_shares (d); return;
    case SL_MAP: sl_draw_plane (d); return;
    case SL_SERIES:
    case SL_PROFILE: break;
    default: return;
    }
  n = sl_draw_order (d->figure, order);
  sl_draw_group (d, "curves", &d->frame->plot, 1.0);
  for (unsigned i = 0; i < n; i++)
    {
      const SlCurve *curve = &d->figure->curve[order[i]];
      SlPen pen = sl_pen (d->theme, curve->slot, curve->style, curve->ghost);
      SlPoints raw, points = sl_draw_points (d->figure, curve, &raw);

      if (curve->scatter)
        continue;
      sl_draw_group (d, curve->id, NULL, 1.0);
      if (raw.n > 0)
        {
          g_autofree char *name = g_strdup_printf ("%s-raw", curve->id);

          sl_draw_group (d, name, NULL, SL_RAW_OPACITY);
          draw_path (d, &raw, &pen);
          sl_draw_end (d);
        }
      draw_path (d, &points, &pen);
      sl_draw_end (d);
    }
  sl_draw_end (d);
}

/* Where the line of a curve runs near x: the value itself, or the mean of a few around it where
 * samples are dense, so that a marker does not dance with the noise.  */
static double
level_at (const SlDrawing *d, const SlPoints *points, double px)
{
  enum { TAKEN = 9 };
  double lo = sl_frame_value_x (d->frame, px - 2.5), hi = sl_frame_value_x (d->frame, px + 2.5);
  size_t first = sl_points_find (points, lo, 0), last = sl_points_find (points, hi, first);
  double sum = 0.0;
  unsigned n = 0;

  if (last - first < 2)
    {
      /* On the straight line between the neighbours. */
      double x = sl_frame_value_x (d->frame, px), t;
      size_t after = sl_points_find (points, x, first);

      if (after == 0 || after == points->n)
        return NAN;
      t = (sl_frame_x (d->frame, x) - sl_frame_x (d->frame, points->x[after - 1]))
          / (sl_frame_x (d->frame, points->x[after]) - sl_frame_x (d->frame, points->x[after - 1]));
      return sl_frame_y (d->frame, points->y[after - 1])
             + t
                   * (sl_frame_y (d->frame, points->y[after])
                      - sl_frame_y (d->frame, points->y[after - 1]));
    }
  for (unsigned k = 0; k < TAKEN; k++)
    {
      double y = sl_frame_y (d->frame, points->y[first + (last - 1 - first) * k / (TAKEN - 1)]);

      if (isfinite (y))
        {
          sum += y;
          n++;
        }
    }
  return n > 0 ? sum / n : (double) NAN;
}

static void
put_marker (const SlDrawing *d, const SlCurve *curve, const SlPen *pen, double x, double y,
            double size)
{
  const SlRect *p = &d->frame->plot;

  if (x >= p->x - 0.5 && x <= p->x + p->w + 0.5 && y >= p->y && y <= p->y + p->h)
    sl_canvas_marker (d->canvas, sl_theme_marker (curve->slot, curve->style), x, y, size,
                      pen->colour, d->theme->plot);
}

/* Every point of a sparse curve; a few along a dense one, at other places for each, so
 * that curves can be told apart without colour.  */
static void
draw_markers (const SlDrawing *d, const SlCurve *curve)
{
  const SlFrame *f = d->frame;
  SlPen pen = sl_pen (d->theme, curve->slot, curve->style, curve->ghost);
  SlPoints raw, points = sl_draw_points (d->figure, curve, &raw);
  double size = d->theme->marker, spacing = MAX (f->plot.w / 5.0, 12.0 * size);
  size_t first = 0, last = points.n;

  if (points.n == 0)
    return;
  if (!curve->scatter)
    sl_points_visible (&points, &f->x, &first, &last);
  if (curve->scatter || (double) (last - first) * 2.5 * size <= f->plot.w)
    {
      if (points.n == 1)
        size *= 1.35;
      for (size_t i = first; i < last; i++)
        put_marker (d, curve, &pen, sl_frame_x (f, points.x[i]), sl_frame_y (f, points.y[i]), size);
    }
  else
    {
      double offset
          = fmod (0.5 + 0.618034 * curve->slot + 0.31 * (curve->style != SL_MEASURED), 1.0);

      for (double x = f->plot.x + offset * spacing; x < f->plot.x + f->plot.w - size; x += spacing)
        put_marker (d, curve, &pen, x, level_at (d, &points, x), size);
    }
}

/* A red tick on the lower edge wherever a value was not finite. */
static void
draw_holes (const SlDrawing *d, const SlCurve *curve)
{
  const SlFrame *f = d->frame;
  SlPoints points = sl_points_of_curve (curve);
  double height = 0.6 * d->theme->type, done = -HUGE_VAL;

  for (size_t h = 0; h < (curve->series != NULL ? curve->n_holes : points.n); h++)
    {
      SlHole hole = curve->series != NULL ? curve->hole[h] : (SlHole) { h, h };
      double x0, x1;

      if (hole.last >= points.n || isfinite (points.y[hole.first]))
        continue;
      x0 = f->kind == SL_BARS ? f->plot.x + f->bar * ((double) h + 0.5)
                              : sl_frame_x (f, points.x[hole.first]);
      x1 = f->kind == SL_BARS ? x0 : sl_frame_x (f, points.x[hole.last]);
      x0 = MAX (MAX (x0 - 1.0, f->plot.x), done);
      x1 = MIN (x1 + 1.0, f->plot.x + f->plot.w);
      if (x1 - x0 < 0.5)
        continue;
      d->canvas->rect (d->canvas, &(SlRect) { x0, f->plot.y + f->plot.h - height, x1 - x0, height },
                       d->theme->alarm);
      done = x1;
    }
}

/* Half widths as bars with caps where points are few, as a band where they are many. */
static void
draw_spread (const SlDrawing *d, const SlCurve *curve)
{
  const SlFrame *f = d->frame;
  SlPen pen = sl_pen (d->theme, curve->slot, curve->style, curve->ghost);
  double cap = 0.45 * d->theme->marker;

  if (curve->n > 40 && !curve->scatter)
    {
      g_autofree SlXY *outline = g_new (SlXY, 2 * curve->n);
      size_t n = 0;

      for (size_t k = 0; k < 2 * curve->n; k++)
        {
          size_t i = k < curve->n ? k : 2 * curve->n - 1 - k;
          double y = curve->y[i] + (k < curve->n ? 1.0 : -1.0) * curve->spread[i];
          SlXY at = { sl_frame_x (f, curve->x[i]), sl_frame_y (f, y) };

          at.y = at.y > 1e6 ? 1e6 : at.y;
          if (isfinite (at.x) && isfinite (at.y))
            outline[n++] = at;
        }
      pen.colour.a = 0.2F;
      d->canvas->area (d->canvas, outline, n, pen.colour);
      return;
    }
  for (size_t i = 0; i < curve->n; i++)
    {
      double x = sl_frame_x (f, curve->x[i]);
      double up = sl_frame_y (f, curve->y[i] + curve->spread[i]);
      double down
          = MIN (sl_frame_y (f, curve->y[i] - curve->spread[i]), f->plot.y + 2.0 * f->plot.h);

      if (!isfinite (x) || !isfinite (up) || !isfinite (down))
        continue;
      sl_draw_segment (d, x, up, x, down, pen.colour, 0.7 * pen.width, NULL);
      sl_draw_segment (d, x - cap, up, x + cap, up, pen.colour, 0.7 * pen.width, NULL);
      sl_draw_segment (d, x - cap, down, x + cap, down, pen.colour, 0.7 * pen.width, NULL);
    }
}

static void
draw_bar (const SlDrawing *d, const SlCurve *curve, size_t i, double x, double w, bool labelled)
{
  const SlFrame *f = d->frame;
  const SlRect *p = &f->plot;
  SlPen pen = sl_pen (d->theme, curve->slot, curve->style, curve->ghost);
  double zero = f->y.logarithmic ? p->y + p->h : sl_frame_y (f, CLAMP (0.0, f->y.lo, f->y.hi));
  double y = sl_frame_y (f, curve->y[i]), size = 0.92 * d->theme->type, top;
  char label[32];

  if (!isfinite (curve->y[i]) || !isfinite (y))
    return;
  y = CLAMP (y, p->y, p->y + p->h);
  d->canvas->rect (d->canvas, &(SlRect) { x, MIN (y, zero), w, MAX (fabs (zero - y), 0.5) },
                   bar_colour (d, &pen, curve->style));
  top = MIN (y, zero);
  if (curve->spread != NULL && isfinite (curve->spread[i]))
    {
      double up = sl_frame_y (f, curve->y[i] + curve->spread[i]);
      double down = MIN (sl_frame_y (f, curve->y[i] - curve->spread[i]), zero);
      double middle = x + w / 2.0, cap = MIN (0.2 * w, 6.0);

      sl_draw_segment (d, middle, up, middle, down, d->theme->ink, sl_draw_hair (d), NULL);
      sl_draw_segment (d, middle - cap, up, middle + cap, up, d->theme->ink, sl_draw_hair (d),
                       NULL);
      sl_draw_segment (d, middle - cap, down, middle + cap, down, d->theme->ink, sl_draw_hair (d),
                       NULL);
      top = MIN (top, up);
    }
  sl_number_text (curve->y[i], 3, label, sizeof label);
  if (!labelled)
    return;
  if (top - 1.3 * size > p->y)
    sl_draw_words (d, x + w / 2.0, top - 0.3 * size, label, size, false, SL_ANCHOR_MIDDLE,
                   d->theme->ink);
  else if (zero - top > 1.6 * size)
    sl_draw_words (d, x + w / 2.0, top + 1.1 * size, label, size, false, SL_ANCHOR_MIDDLE,
                   d->theme->plot);
}

/* All numbers are shown or none, so that a missing one means nothing. */
static bool
labels_fit (const SlDrawing *d, double width)
{
  char label[32];

  for (unsigned c = 0; c < d->figure->n_curves; c++)
    for (size_t i = 0; i < d->figure->curve[c].n && !d->figure->curve[c].hidden; i++)
      {
        sl_number_text (d->figure->curve[c].y[i], 3, label, sizeof label);
        if (isfinite (d->figure->curve[c].y[i])
            && sl_text_width (d->canvas->text, label, 0.92 * d->theme->type, false) > width)
          return false;
      }
  return true;
}

static void
draw_bars (const SlDrawing *d)
{
  const SlFrame *f = d->frame;
  unsigned visible = 0, at = 0;
  bool labelled;
  double w;

  for (unsigned c = 0; c < d->figure->n_curves; c++)
    visible += !d->figure->curve[c].hidden;
  w = MIN (0.74 * f->bar / MAX (visible, 1), 9.0 * d->theme->type);
  labelled = labels_fit (d, 1.1 * w);
  for (unsigned c = 0; c < d->figure->n_curves; c++)
    {
      const SlCurve *curve = &d->figure->curve[c];

      if (curve->hidden)
        continue;
      sl_draw_group (d, curve->id, NULL, 1.0);
      for (size_t i = 0; i < curve->n && i < d->figure->n_categories; i++)
        draw_bar (d, curve, i, f->plot.x + f->bar * ((double) i + 0.5) + (at - 0.5 * visible) * w,
                  w * (visible > 1 ? 0.94 : 1.0), labelled);
      draw_holes (d, curve);
      sl_draw_end (d);
      at++;
    }
}

/* What cells and bands would hide: numbers, the chosen row, the lines of the flags. */
static void
draw_over_cells (const SlDrawing *d)
{
  const SlFrame *f = d->frame;

  if (f->kind == SL_GRAPH)
    sl_draw_graph (d);
  if (f->kind == SL_MAP)
    sl_draw_plane_over (d);
  if (f->kind == SL_HEATMAP)
    sl_draw_numbers (d);
  if (f->n_flags > 0)
    {
      sl_draw_group (d, "flag-lines", &f->plot, 1.0);
      for (unsigned i = 0; i < f->n_flags; i++)
        draw_flag_line (d, f->flag[i].x, 2.0);
      draw_badges (d, true);
      sl_draw_end (d);
    }
  if (f->kind == SL_HEATMAP || f->kind == SL_HISTORY)
    sl_draw_picked (d);
}

void
sl_draw_overlay (const SlDrawing *d)
{
  const SlFrame *f = d->frame;
  double reach = 0.7 * d->theme->marker;
  SlRect clip = { f->plot.x - reach, f->plot.y - reach, f->plot.w + 2.0 * reach,
                  f->plot.h + 2.0 * reach };
  unsigned order[SL_CURVES_MAX], n;

  if (f->empty)
    return;
  if (!sl_figure_has_values (d->figure))
    {
      draw_over_cells (d);
      return;
    }
  sl_draw_group (d, f->kind == SL_BARS ? "bars" : "markers", &clip, 1.0);
  if (f->kind == SL_BARS)
    draw_bars (d);
  else
    {
      n = sl_draw_order (d->figure, order);
      for (unsigned i = 0; i < n; i++)
        {
          const SlCurve *curve = &d->figure->curve[order[i]];

          if (curve->spread != NULL && curve->series == NULL)
            draw_spread (d, curve);
          if (sl_figure_marked (d->figure, order[i]))
            draw_markers (d, curve);
          draw_holes (d, curve);
        }
      draw_badges (d, true);
    }
  sl_draw_end (d);
}
