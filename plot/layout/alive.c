/* SPDX-License-Identifier: MIT */
#include "plot/layout/alive.h"

#include <glib.h>
#include <math.h>

#include "plot/layout/laying.h"

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
  double          gap[COLUMNS_MAX]; /* before each */
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

/* Whether the input has a column of its own. */
static bool
is_beside (const Columns *c)
{
  return c->alive->input != SL_ALIVE_LINE;
}

static bool
in_column (const SlAliveGroup *group)
{
  return group->form == SL_ALIVE_SCORES || group->form == SL_ALIVE_BITS
         || group->form == SL_ALIVE_OPTIONS
         || (group->form == SL_ALIVE_BOXES && group->n <= SL_ALIVE_COLUMN);
}

/* Takes what the others leave. */
static bool
is_wide (const SlAliveGroup *group)
{
  return group != NULL
         && (group->form == SL_ALIVE_TREE || group->form == SL_ALIVE_GRAPH
             || group->form == SL_ALIVE_LIGHT);
}

/* The last picture is the one that forms, and large. */
static bool
is_large (const SlAlive *alive, const SlAliveGroup *group)
{
  return group != NULL && group->form == SL_ALIVE_PICTURE
         && group == &alive->group[alive->n_groups - 1];
}

/* The others are as wide as the input. */
static bool
is_small (const SlAlive *alive, const SlAliveGroup *group)
{
  return group->form == SL_ALIVE_PICTURE && !is_large (alive, group);
}

/* The width of all but mosaics, which share what is left. */
static double
fixed_width (const Columns *c, const SlAliveGroup *group)
{
  switch (group->form)
    {
    case SL_ALIVE_NECK: return letters (c, 0.9, 3.0);
    case SL_ALIVE_SCORES: return letters (c, 2.5, is_beside (c) ? 12.0 : 20.0);
    case SL_ALIVE_BOXES: return in_column (group) ? letters (c, 3.0, 8.0) : 0.0;
    case SL_ALIVE_SUM: return letters (c, 1.2, 2.2);
    case SL_ALIVE_BITS: return letters (c, 2.5, 7.0);
    case SL_ALIVE_OPTIONS: return letters (c, 4.0, 11.0);
    case SL_ALIVE_METER: return letters (c, 0.8, 1.6);
    case SL_ALIVE_PROFILE: return letters (c, 4.0, 14.0);
    case SL_ALIVE_PICTURE:
    case SL_ALIVE_TREE:
    case SL_ALIVE_LIGHT:
    case SL_ALIVE_GRAPH: return letters (c, 10.0, 20.0);
    case SL_ALIVE_BARS: return letters (c, 2.5, group->across > 1 ? 18.0 : 8.0);
    case SL_ALIVE_FIELD:
      return group->across == 1 ? letters (c, 1.2, 2.0)
                                : MIN (2.0 * c->type * group->across, 0.6 * c->body.w);
    case SL_ALIVE_WAY: return MIN (2.5 * c->type * group->across, 0.74 * c->body.w);
    case SL_ALIVE_MOSAIC:
    case SL_ALIVE_CHANCES:
    case SL_N_ALIVE_FORMS: break;
    }
  return 0.0;
}

/* Room for curves behind boxes, little before the boxes of a score. */
static double
gap_before (const Columns *c, unsigned column)
{
  if ((column + 1 == c->n && c->alive->n_classes == 0)
      || (column == 1 && c->job->figure->view.brief))
    return 0.0;
  if (is_form (c, column, SL_ALIVE_BOXES) && is_form (c, column - 1, SL_ALIVE_SCORES))
    return 0.5;
  if (is_form (c, column, SL_ALIVE_SUM))
    return 3.0;
  if ((column == 1 && !is_beside (c)) || (column + 1 == c->n && c->alive->n_classes == 0))
    return 0.0;
  if (is_form (c, column, SL_ALIVE_NECK) || is_form (c, column - 1, SL_ALIVE_NECK))
    return 0.4;
  return 1.0;
}

/* The place of the input in its own proportions, in a part of the width that it would have. */
static SlRect
input_size (const Columns *c, double part)
{
  const SlAlive *a = c->alive;
  bool           square = a->input == SL_ALIVE_PLANE || a->width == 0 || a->height == 0;
  double         aspect = square ? 1.0 : (double) a->width / a->height;
  double         most = a->n_groups > 0 ? 0.24 * part : 1.0;
  double         w = MIN (most * c->body.w, c->body.h * aspect), h = w / aspect;

  if (c->job->figure->view.brief)
    return (SlRect) { c->body.x, c->body.y, 0.0, 0.0 };
  if (is_large (a, a->n_groups > 0 ? &a->group[a->n_groups - 1] : NULL))
    {
      w = MIN (w, 0.7 * c->body.h * aspect);
      h = w / aspect;
    }
  if (a->input == SL_ALIVE_LAMP)
    w = h = MIN (part * letters (c, 4.0, 6.5), c->body.h);
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

static bool
has_boxes (const Columns *c)
{
  for (unsigned i = 1; i + 1 < c->n; i++)
    if (is_form (c, i, SL_ALIVE_BOXES))
      return true;
  return false;
}

/* The largest size of a cell, in half px, that fits into this width; boxes have numbers to be read. */
static double
find_pitch (const Columns *c, double room)
{
  double pitch = 0.5 * floor (2.0 * (has_boxes (c) ? 2.4 : 1.5) * c->type);

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

/* The field before a group whose rows it has, or NULL. */
static const SlAlivePlace *
field_before (const Columns *c, unsigned column)
{
  const SlAliveGroup *group = group_of (c, column);

  for (unsigned i = column - 1; i > 0; i--)
    if ((is_form (c, i, SL_ALIVE_FIELD) || is_form (c, i, SL_ALIVE_WAY))
        && group_of (c, i)->n / group_of (c, i)->across == group->n / MAX (group->across, 1))
      return &c->frame->alive.group[i - 1];
  return NULL;
}

/* Cells that are not much higher than wide; in the rows of the field before it where there is one. */
static void
lay_field (const Columns *c, unsigned column)
{
  SlAlivePlace       *place = &c->frame->alive.group[column - 1];
  const SlAlivePlace *before = field_before (c, column);
  const SlAliveGroup *group = group_of (c, column);
  unsigned            across = MAX (group->across, 1), rows = group->n / across;
  double              margin = group->form == SL_ALIVE_WAY
                                 ? sl_lay_alive_margin (c->job, c->alive, column - 1, 0.25 * c->w[column])
                                 : 0.0;
  double w = (c->w[column] - margin) / across, h = c->body.h / rows, most = 2.0 * c->type;

  /* Between the rows of a way there is room for it. */
  if (group->form == SL_ALIVE_WAY)
    most = 7.0 * c->type;
  else if (across > 1)
    most = MIN (most, 1.7 * w);
  h = before != NULL ? before->h : MIN (h, most);
  *place = (SlAlivePlace) { .across = across, .w = w, .h = h, .margin = margin };
  place->area = (SlRect) { 0.0, c->body.y + (c->body.h - rows * h) / 2.0, w * across, rows * h };
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
  if (group->form == SL_ALIVE_LIGHT)
    *place = (SlAlivePlace) { .across = group->across,
                              .w = c->w[column] / group->across,
                              .h = h * group->across / group->n };
  if (group->form == SL_ALIVE_PICTURE)
    {
      double aspect = (double) group->across * group->across / group->units;
      double w = MIN (c->w[column], h * aspect);

      h = w / aspect;
      *place = (SlAlivePlace) { .across = 1, .w = w, .h = h };
      place->area = (SlRect) { 0.0, c->body.y + (c->body.h - h) / 2.0, w, h };
      return;
    }
  place->area = (SlRect) { 0.0, c->body.y + (c->body.h - h) / 2.0, c->w[column], h };
}

/* The widths of all but mosaics at their natural sizes, times `part`; returns what they need with a little for each
 * mosaic.  */
static double
measure (Columns *c, double part)
{
  SlAliveFrame *to = &c->frame->alive;
  double        share = c->job->figure->view.brief ? 0.4 : 0.3, need = 0.0;
  double        room = MIN (share * c->body.w, letters (c, 9.5, is_beside (c) ? 18.0 : 24.0));

  if (is_beside (c))
    to->input = input_size (c, part);
  for (unsigned i = 0; i < c->n; i++)
    {
      const SlAliveGroup *group = group_of (c, i);

      if (group != NULL)
        c->w[i] = is_small (c->alive, group) ? to->input.w : part * fixed_width (c, group);
      else
        c->w[i] = i == 0 ? is_beside (c) ? to->input.w : 0.0
                         : sl_lay_alive_output (c->job, c->alive, to, part * room, c->body.h);
      need += c->w[i] > 0.0 ? c->w[i] : group != NULL ? 1.5 * part * c->type : 0.0;
    }
  return need;
}

/* What gaps need in all; each has its part of them. */
static double
lay_gaps (Columns *c)
{
  double sum = 0.0;

  for (unsigned i = 1; i < c->n; i++)
    sum += c->gap[i] = gap_before (c, i);
  for (unsigned i = 1; i < c->n; i++)
    c->gap[i] /= MAX (sum, 1e-9);
  return sum * letters (c, 0.4, 1.6);
}

/* Widths, and the height of each part. */
static void
lay_widths (Columns *c)
{
  SlAliveFrame *to = &c->frame->alive;
  double        gaps = MIN (lay_gaps (c), 0.4 * c->body.w), left = c->body.w, pitch;
  double        need = measure (c, 1.0);

  if (need + gaps > left)
    measure (c, (left - gaps) / need);
  for (unsigned i = 0; i < c->n; i++)
    left -= c->w[i];
  for (unsigned i = 1; i + 1 < c->n; i++)
    if ((is_wide (group_of (c, i)) || is_large (c->alive, group_of (c, i))) && left > gaps)
      {
        c->w[i] += left - gaps;
        left = gaps;
      }
  pitch = find_pitch (c, left - gaps);
  for (unsigned i = 1; i + 1 < c->n; i++)
    if (is_form (c, i, SL_ALIVE_FIELD) || is_form (c, i, SL_ALIVE_WAY)
        || is_form (c, i, SL_ALIVE_BARS))
      lay_field (c, i);
    else if (c->w[i] > 0.0)
      {
        lay_column (c, i);
        left += c->w[i] - to->group[i - 1].area.w;
      }
    else
      {
        lay_mosaic (c, i, pitch);
        left -= to->group[i - 1].area.w;
      }
  for (unsigned i = 1; i + 1 < c->n; i++)
    c->w[i] = to->group[i - 1].area.w + to->group[i - 1].margin;
  for (unsigned i = 1; i < c->n; i++)
    c->gap[i] *= left;
}

/* Beside the row that its light begins in. */
static void
lay_lamp (Columns *c)
{
  SlRect             *to = &c->frame->alive.input;
  const SlAliveGroup *group = c->n > 2 ? group_of (c, 1) : NULL;
  const SlRect       *body = &c->body;
  double              y;

  if (c->alive->input != SL_ALIVE_LAMP || group == NULL)
    return;
  y = sl_alive_brightest (group, &c->frame->alive.group[0]) - to->h / 2.0;
  to->y = CLAMP (y, body->y, body->y + body->h - to->h);
}

static void
lay_places (Columns *c)
{
  SlAliveFrame *to = &c->frame->alive;
  double        x = c->body.x;

  for (unsigned i = 0; i < c->n; i++)
    {
      x += c->gap[i];
      if (i == 0 && is_beside (c))
        to->input.x = x;
      else if (group_of (c, i) != NULL)
        to->group[i - 1].area.x = x + to->group[i - 1].margin;
      x += c->w[i];
    }
  to->output.x = x - c->w[c->n - 1];
  to->output.w = c->w[c->n - 1];
  to->output.h = to->n_classes * to->pitch;
  to->output.y = c->body.y + (c->body.h - to->output.h) / 2.0;
  for (unsigned i = 0; i < to->n_classes; i++)
    to->class[i].y = to->output.y + (i + 0.5) * to->pitch;
}

static bool
has_neck (const SlAlive *alive)
{
  for (unsigned g = 0; g < alive->n_groups; g++)
    if (alive->group[g].form == SL_ALIVE_NECK)
      return true;
  return false;
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
  if (job->figure->view.input)
    alive.n_groups = alive.n_edges = alive.n_classes = alive.states = 0;
  frame->alive.top = sl_lay_alive_words (job, &alive, frame);
  /* Names above, below those of necks, and the legend; each as long as there is height for it. */
  head = frame->alive.top + (frame->plot.h > 6.0 * line ? line + 2.0 : 0.0)
         + (sl_alive_has_heads (&alive) ? 1.3 * line : 0.0);
  foot = frame->plot.h > 8.0 * line && has_neck (&alive) ? 2.4 * line
         : frame->plot.h > 4.0 * line                    ? 1.4 * line
                                                         : 0.0;
  c.body.y += head;
  c.body.h = MAX (c.body.h - head - foot, 1.0);
  c.n = alive.n_groups + 2;
  lay_widths (&c);
  lay_places (&c);
  lay_lamp (&c);
  sl_lay_alive_heads (job, &alive, frame);
  sl_lay_alive_names (job, &alive, frame);
  sl_lay_alive_front (job, &alive, frame);
}
