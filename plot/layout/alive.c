/* SPDX-License-Identifier: MIT */
#include "plot/layout/alive.h"

#include <glib.h>
#include <math.h>

#include "plot/layout/private.h"

enum { COLUMNS_MAX = SL_ALIVE_GROUPS + 2 };

/* Below these widths, in letters, bars and boxes are as short as they can be, and above those as long. */
static const double NARROW = 30.0, WIDE = 80.0;

/* The columns from the input to the classes. */
typedef struct
{
  const SlLaying *job;
  const SlAlive  *alive;
  SlFrame        *frame;
  SlRect          body; /* between names and legend */
  double          type; /* px of letters */
  unsigned        n;    /* columns */
  double          w[COLUMNS_MAX];
  double          gap[COLUMNS_MAX]; /* before each, in parts of what is left */
} Columns;

static const SlAliveGroup *
group_of (const Columns *c, unsigned column)
{
  return column > 0 && column + 1 < c->n ? &c->alive->group[column - 1] : NULL;
}

static bool
is_form (const Columns *c, unsigned column, SlAliveForm form)
{
  return group_of (c, column) != NULL && group_of (c, column)->form == form;
}

/* From `least` letters in a narrow picture to `most` in a wide one. */
static double
letters (const Columns *c, double least, double most)
{
  double part = (c->body.w / c->type - NARROW) / (WIDE - NARROW);

  return c->type * (least + (most - least) * CLAMP (part, 0.0, 1.0));
}

static bool
in_column (const SlAliveGroup *group)
{
  return group->form == SL_ALIVE_SCORES
         || (group->form == SL_ALIVE_BOXES && group->n <= SL_ALIVE_COLUMN);
}

/* The width of all but mosaics, which share what is left. */
static double
fixed_width (const Columns *c, const SlAliveGroup *group)
{
  switch (group->form)
    {
    case SL_ALIVE_NECK: return letters (c, 0.9, 3.0);
    case SL_ALIVE_SCORES: return letters (c, 2.5, 12.0);
    case SL_ALIVE_BOXES: return in_column (group) ? letters (c, 3.0, 8.0) : 0.0;
    case SL_ALIVE_SUM: return letters (c, 1.2, 2.2);
    case SL_ALIVE_MOSAIC:
    case SL_N_ALIVE_FORMS: break;
    }
  return 0.0;
}

/* Room for curves behind boxes, little before the boxes of a score. */
static double
gap_before (const Columns *c, unsigned column)
{
  if (is_form (c, column, SL_ALIVE_BOXES) && is_form (c, column - 1, SL_ALIVE_SCORES))
    return 0.5;
  if (is_form (c, column, SL_ALIVE_SUM))
    return 3.0;
  if (is_form (c, column, SL_ALIVE_NECK) || is_form (c, column - 1, SL_ALIVE_NECK))
    return 0.4;
  return 1.0;
}

/* The size of the input in its own proportions. */
static SlRect
input_size (const Columns *c)
{
  const SlAlive *a = c->alive;
  double         aspect = a->input == SL_ALIVE_PLANE || a->width == 0 || a->height == 0
                            ? 1.0
                            : (double) a->width / a->height;
  double         w = MIN (0.24 * c->body.w, c->body.h * aspect), h = w / aspect;

  return (SlRect) { c->body.x, c->body.y + (c->body.h - h) / 2.0, w, h };
}

static unsigned
rows_of (const Columns *c, double pitch)
{
  return (unsigned) MAX (floor (c->body.h / pitch), 1.0);
}

/* How wide the mosaics are together with cells of this size. */
static double
mosaics (const Columns *c, double pitch)
{
  double sum = 0.0;

  for (unsigned i = 1; i + 1 < c->n; i++)
    if (c->w[i] == 0.0)
      sum += pitch * ceil ((double) group_of (c, i)->n / rows_of (c, pitch));
  return sum;
}

/* The largest size of a cell, in half px, that fits into this width. */
static double
find_pitch (const Columns *c, double room)
{
  double pitch = 0.5 * floor (2.0 * 1.5 * c->type);

  while (pitch > 1.0 && mosaics (c, pitch) > room)
    pitch -= 0.5;
  while (pitch > 0.05 && mosaics (c, pitch) > room)
    pitch *= 0.8;
  return pitch;
}

/* Rows of cells from the middle of the body, filled from left to right. */
static void
lay_mosaic (const Columns *c, unsigned column, double pitch)
{
  SlAlivePlace *place = &c->frame->alive.group[column - 1];
  unsigned      n = group_of (c, column)->n;
  unsigned      across = (n + rows_of (c, pitch) - 1) / rows_of (c, pitch);
  unsigned      rows = (n + across - 1) / across;

  *place = (SlAlivePlace) { .across = across, .w = pitch, .h = pitch };
  place->area
    = (SlRect) { 0.0, c->body.y + (c->body.h - rows * pitch) / 2.0, across * pitch, rows * pitch };
}

static void
lay_column (const Columns *c, unsigned column)
{
  SlAlivePlace       *place = &c->frame->alive.group[column - 1];
  const SlAliveGroup *group = group_of (c, column);
  double              h = c->body.h;

  if (in_column (group))
    h = MIN (h, group->n * 2.2 * c->type);
  if (group->form == SL_ALIVE_SUM)
    h = MIN (h, c->w[column]);
  *place = (SlAlivePlace) { .across = 1, .w = c->w[column], .h = h / group->n };
  place->area = (SlRect) { 0.0, c->body.y + (c->body.h - h) / 2.0, c->w[column], h };
}

/* Widths, and the height of each part. */
static void
lay_widths (Columns *c)
{
  SlAliveFrame *to = &c->frame->alive;
  double        left = c->body.w, pitch, gaps = 0.0;

  to->input = input_size (c);
  c->w[0] = to->input.w;
  c->w[c->n - 1] = sl_lay_alive_output (c->job, c->alive, to,
                                        MIN (0.3 * left, letters (c, 9.5, 18.0)), c->body.h);
  for (unsigned i = 0; i < c->n; i++)
    {
      c->w[i] = group_of (c, i) != NULL ? fixed_width (c, group_of (c, i)) : c->w[i];
      c->gap[i] = i > 0 ? gap_before (c, i) : 0.0;
      gaps += c->gap[i];
      left -= c->w[i];
    }
  pitch = find_pitch (c, MAX (left - gaps * letters (c, 0.6, 1.6), 1.0));
  for (unsigned i = 1; i + 1 < c->n; i++)
    {
      if (c->w[i] > 0.0)
        lay_column (c, i);
      else
        lay_mosaic (c, i, pitch);
      left -= c->w[i] > 0.0 ? 0.0 : to->group[i - 1].area.w;
      c->w[i] = to->group[i - 1].area.w;
    }
  for (unsigned i = 0; i < c->n; i++)
    c->gap[i] *= MAX (left, 0.0) / gaps;
}

static void
lay_places (Columns *c)
{
  SlAliveFrame *to = &c->frame->alive;
  double        x = c->body.x;

  for (unsigned i = 0; i < c->n; i++)
    {
      x += c->gap[i];
      if (i == 0)
        to->input.x = x;
      else if (group_of (c, i) != NULL)
        to->group[i - 1].area.x = x;
      x += c->w[i];
    }
  to->output.x = x - c->w[c->n - 1];
  to->output.w = c->w[c->n - 1];
  to->output.h = to->n_classes * to->pitch;
  to->output.y = c->body.y + (c->body.h - to->output.h) / 2.0;
  for (unsigned i = 0; i < to->n_classes; i++)
    to->class[i].y = to->output.y + (i + 0.5) * to->pitch;
}

void
sl_lay_alive (const SlLaying *job, SlFrame *frame)
{
  const SlMatrix *m = &job->figure->matrix;
  SlAlive         alive;
  Columns         c = { job, &alive, frame, frame->plot, job->theme->type };
  double          head, foot, line = job->line;

  frame->alive = (SlAliveFrame) { .small = 0.9 * job->theme->type };
  if (!sl_alive_read (&alive, m->cell, m->rows, m->columns))
    return;
  /* Names above, below those of necks, and the legend; each as long as there is height for it. */
  head = frame->plot.h > 6.0 * line ? line + 2.0 : 0.0;
  foot = frame->plot.h > 8.0 * line ? 2.4 * line : frame->plot.h > 4.0 * line ? 1.2 * line : 0.0;
  c.body.y += head;
  c.body.h = MAX (c.body.h - head - foot, 1.0);
  c.n = alive.n_groups + 2;
  lay_widths (&c);
  lay_places (&c);
  sl_lay_alive_names (job, &alive, frame);
}

SlRect
sl_alive_cell_place (const SlAlivePlace *place, unsigned cell)
{
  unsigned across = MAX (place->across, 1);

  return (SlRect) { place->area.x + cell % across * place->w,
                    place->area.y + cell / across * place->h, place->w, place->h };
}

unsigned
sl_alive_at (const SlFrame *frame, const SlFigure *figure, double x, double y)
{
  const SlMatrix *m = &figure->matrix;
  SlAlive         alive;

  if (frame->empty || !sl_alive_read (&alive, m->cell, m->rows, m->columns))
    return 0;
  for (unsigned g = 0; g < alive.n_groups; g++)
    {
      const SlAlivePlace *place = &frame->alive.group[g];
      unsigned            cell;

      if (!sl_rect_contains (&place->area, x, y) || place->across == 0)
        continue;
      cell = (unsigned) ((y - place->area.y) / place->h) * place->across
             + (unsigned) ((x - place->area.x) / place->w);
      if (cell < alive.group[g].n)
        return alive.group[g].first + cell + 1;
    }
  return 0;
}

bool
sl_alive_find (const SlFrame *frame, const SlFigure *figure, unsigned row, SlRect *place)
{
  const SlMatrix *m = &figure->matrix;
  SlAlive         alive;

  if (frame->empty || !sl_alive_read (&alive, m->cell, m->rows, m->columns))
    return false;
  for (unsigned g = 0; g < alive.n_groups; g++)
    if (row > alive.group[g].first && row <= alive.group[g].first + alive.group[g].n)
      {
        *place = sl_alive_cell_place (&frame->alive.group[g], row - 1 - alive.group[g].first);
        return true;
      }
  return false;
}
