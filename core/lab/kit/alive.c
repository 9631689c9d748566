/* SPDX-License-Identifier: MIT */
#include "core/lab/kit/alive.h"

#include <math.h>
#include <string.h>

#include "core/data/text/shown.h"
#include "core/lab/kit/state.h"
#include "core/nn/dense/loss.h"

enum {
  ROWS_MAX = 1 + SL_ALIVE_PIXELS + SL_ALIVE_GROUPS + SL_ALIVE_CELLS + SL_ALIVE_PLACES
             + SL_ALIVE_LINKS + SL_ALIVE_EDGES + SL_ALIVE_CLASSES,
  LABELS = 256, /* that a byte can have */
};

size_t
sl_alive_turn (const SlProbe *p, size_t n)
{
  return n > 0 && p->sink->subject != NULL ? p->sink->subject->example % n : 0;
}

size_t
sl_alive_example (const SlProbe *p)
{
  size_t first, n = sl_watched (p->state, HUGE_VAL, &first);

  return first + sl_alive_turn (p, n);
}

bool
sl_alive_is_own (const SlProbe *p)
{
  const SlSubject *subject = p->sink->subject;

  return subject != NULL && subject->n_own > 0 && sl_dataset_takes_own (p->state->dataset)
         && subject->n_own == p->state->dataset->features;
}

/* Ink in the numbers of the data set; a plane has its own. */
static void
take_own (const SlDataset *data, const SlSubject *subject, sl_real *x)
{
  for (unsigned i = 0; i < subject->n_own; i++)
    x[i] = data->bytes != NULL ? (sl_real) subject->own[i] * 255 * data->scale + data->offset
                               : (sl_real) subject->own[i];
}

void
sl_alive_take (const SlProbe *p, sl_real *x, uint8_t *label)
{
  sl_dataset_range (p->state->dataset, sl_alive_example (p), 1, x, label);
  if (sl_alive_is_own (p))
    take_own (p->state->dataset, p->sink->subject, x);
}

bool
sl_alive_closes (const SlProbe *p, unsigned field, size_t unit)
{
  return p->sink->subject != NULL && sl_subject_closes (p->sink->subject, field, (unsigned) unit);
}

bool
sl_alive_set_aside (SlAliveAside *aside, SlProbe *p, sl_real *at, size_t n, size_t stride,
                    sl_real value)
{
  *aside = (SlAliveAside) { at, n, stride, sl_probe_room (p, n, sizeof (sl_real)) };
  if (aside->kept == NULL)
    return false;
  for (size_t i = 0; i < n; i++)
    {
      aside->kept[i] = at[i * stride];
      at[i * stride] = value;
    }
  return true;
}

void
sl_alive_put_back (const SlAliveAside *aside)
{
  for (size_t i = 0; i < aside->n; i++)
    aside->at[i * aside->stride] = aside->kept[i];
}

bool
sl_alive_begin (SlAliveWriter *w, SlProbe *p)
{
  return sl_alive_begin_pictures (w, p, 0);
}

bool
sl_alive_begin_pictures (SlAliveWriter *w, SlProbe *p, size_t pixels)
{
  *w = (SlAliveWriter) { .probe = p, .left = ROWS_MAX + pixels };
  w->row = sl_probe_matrix (p, 1, w->left, SL_ALIVE_COLUMNS);
  return w->row != NULL;
}

void
sl_alive_add (SlAliveWriter *w, SlAliveRow what, double a, double b, double c, double d)
{
  const double row[SL_ALIVE_COLUMNS] = { what, a, b, c, d };

  if (w->left == 0)
    return;
  for (unsigned i = 0; i < SL_ALIVE_COLUMNS; i++)
    *w->row++ = row[i];
  w->left--;
}

/* Cut to 0 … 1; what is no number is nothing. */
static double
share (double value)
{
  return value > 0.0 ? fmin (value, 1.0) : 0.0;
}

/* How a number of the example becomes 0 … 1. */
typedef struct
{
  double lo, span;
} Range;

static Range
range_of (const SlDataset *data, const sl_real *x)
{
  double lo = HUGE_VAL, hi = -HUGE_VAL;

  if (data->bytes != NULL)
    return (Range) { (double) data->offset, 255.0 * (double) data->scale };
  for (unsigned i = 0; i < data->features; i++)
    {
      lo = fmin (lo, (double) x[i]);
      hi = fmax (hi, (double) x[i]);
    }
  return (Range) { lo, hi - lo };
}

static double
level (const Range *range, sl_real value)
{
  return range->span > 0.0 ? share (((double) value - range->lo) / range->span) : 0.0;
}

/* Every so many-th row and column of a large image.  Numbers that are no image fill a square. */
static void
add_pixels (SlAliveWriter *w, const SlDataset *data, const sl_real *x, unsigned states)
{
  bool     image = data->width > 0, coloured = image && data->channels == 3;
  unsigned across = image ? data->width : (unsigned) ceil (sqrt ((double) data->features));
  unsigned down = image ? data->height : (data->features + across - 1) / across, step = 1;
  size_t   plane = (size_t) across * down;
  Range    range = range_of (data, x);

  while (((across + step - 1) / step) * ((down + step - 1) / step) > SL_ALIVE_PIXELS)
    step++;
  sl_alive_add (w, SL_ALIVE_ROW_INPUT, coloured ? SL_ALIVE_COLOURED : SL_ALIVE_GREY,
                (across + step - 1) / step, (down + step - 1) / step, states);
  for (unsigned i = 0; i < down; i += step)
    for (unsigned j = 0; j < across; j += step)
      {
        size_t at = (size_t) i * across + j;
        double red = at < data->features ? level (&range, x[at]) : 0.0;

        sl_alive_add (w, SL_ALIVE_ROW_PIXEL, red, coloured ? level (&range, x[at + plane]) : red,
                      coloured ? level (&range, x[at + 2 * plane]) : red, 0.0);
      }
}

/* The point among the first of the split that it is of. */
static void
add_plane (SlAliveWriter *w, const SlDataset *data, const sl_real *x, unsigned states)
{
  sl_real point[2 * SL_ALIVE_POINTS];
  uint8_t label[SL_ALIVE_POINTS];
  size_t  first, n = sl_watched (w->probe->state, SL_ALIVE_POINTS - 1, &first);
  Range   range[2];

  sl_dataset_range (data, first, n, point, label);
  point[2 * n] = x[0];
  point[2 * n + 1] = x[1];
  for (unsigned axis = 0; axis < 2; axis++)
    {
      double lo = HUGE_VAL, hi = -HUGE_VAL;

      for (size_t i = 0; i <= n; i++)
        {
          lo = fmin (lo, (double) point[2 * i + axis]);
          hi = fmax (hi, (double) point[2 * i + axis]);
        }
      range[axis] = (Range) { lo, hi - lo };
    }
  sl_alive_add (w, SL_ALIVE_ROW_INPUT, SL_ALIVE_PLANE, 1.0, 1.0, states);
  for (size_t i = 0; i <= n; i++)
    sl_alive_add (w, SL_ALIVE_ROW_POINT, level (&range[0], point[2 * i]),
                  level (&range[1], point[2 * i + 1]), i == n, 0.0);
}

void
sl_alive_input (SlAliveWriter *w, const sl_real *x, unsigned states)
{
  const SlDataset *data = w->probe->state->dataset;
  SlProbe         *p = w->probe;
  size_t           first;

  sl_watched (p->state, HUGE_VAL, &first);
  sl_snapshot_row_name (p->snapshot,
                        sl_alive_is_own (p)
                          ? sl_message ("your own").packed
                          : sl_message ("example %zu", sl_alive_example (p) - first + 1).packed);
  w->states = w->row + SL_ALIVE_COLUMNS - 1;
  if (data->width == 0 && data->features == 2)
    add_plane (w, data, x, states);
  else
    add_pixels (w, data, x, states);
}

static void
add_group (SlAliveWriter *w, SlAliveForm form, size_t units, unsigned slot, size_t columns,
           SlMessage name)
{
  if (w->groups == SL_ALIVE_GROUPS)
    return;
  w->groups++;
  sl_alive_add (w, SL_ALIVE_ROW_GROUP, form, (double) units, slot, (double) columns);
  sl_probe_name (w->probe, "%s\n", name.packed);
}

void
sl_alive_group (SlAliveWriter *w, SlAliveForm form, size_t units, unsigned slot, SlMessage name)
{
  add_group (w, form, units, slot, 0, name);
}

void
sl_alive_grid (SlAliveWriter *w, SlAliveForm form, size_t units, size_t columns, unsigned slot,
               SlMessage name)
{
  add_group (w, form, units, slot, columns, name);
}

void
sl_alive_lamp (SlAliveWriter *w, SlMessage name)
{
  sl_snapshot_row_name (w->probe->snapshot, name.packed);
  sl_alive_add (w, SL_ALIVE_ROW_INPUT, SL_ALIVE_LAMP, 0.0, 0.0, 0.0);
}

size_t
sl_alive_stride (size_t units)
{
  enum { ROOM = SL_ALIVE_CELLS - SL_ALIVE_GROUPS }; /* each group may round up */

  return units > ROOM ? (units + ROOM - 1) / ROOM : 1;
}

void
sl_alive_cell (SlAliveWriter *w, SlAliveState state, double value, double lost, size_t unit)
{
  if (w->cells == SL_ALIVE_CELLS)
    return;
  w->cells++;
  if (state == SL_ALIVE_CLOSED && w->states != NULL)
    *w->states = (unsigned) *w->states | 1U << SL_ALIVE_CLOSED;
  sl_alive_add (w, SL_ALIVE_ROW_CELL, state, share (value), share (lost), (double) (unit + 1));
}

void
sl_alive_place (SlAliveWriter *w, double x, double y, double width, double height, SlMessage name)
{
  if (w->places == SL_ALIVE_PLACES)
    return;
  w->places++;
  sl_alive_add (w, SL_ALIVE_ROW_PLACE, share (x), share (y), share (width), share (height));
  sl_snapshot_row_name (w->probe->snapshot, name.packed);
}

void
sl_alive_link (SlAliveWriter *w, unsigned from, unsigned to, bool passes, bool decides)
{
  if (w->links == SL_ALIVE_LINKS)
    return;
  w->links++;
  sl_alive_add (w, SL_ALIVE_ROW_LINK, from, to, passes, decides);
}

void
sl_alive_edge (SlAliveWriter *w, unsigned group, unsigned cell, double width)
{
  if (w->edges == SL_ALIVE_EDGES)
    return;
  w->edges++;
  sl_alive_add (w, SL_ALIVE_ROW_EDGE, group, cell, share (width), 0.0);
}

/* Probabilities (classes) of logits. */
static void
probabilities (size_t classes, size_t outputs, const sl_real *logits, double *p)
{
  double most = -HUGE_VAL, sum = 0.0;

  if (outputs == 1)
    {
      p[1] = 1.0 / (1.0 + exp (-(double) logits[0]));
      p[0] = 1.0 - p[1];
      return;
    }
  for (size_t c = 0; c < classes; c++)
    most = fmax (most, (double) logits[c]);
  for (size_t c = 0; c < classes; c++)
    sum += p[c] = exp ((double) logits[c] - most);
  for (size_t c = 0; c < classes; c++)
    p[c] /= sum;
}

/* Which classes are shown: all, or the true one and the most probable. */
static void
choose_classes (size_t classes, const double *p, unsigned label, bool *shown)
{
  size_t left = classes < SL_ALIVE_CLASSES ? classes : SL_ALIVE_CLASSES;

  for (size_t c = 0; c < classes; c++)
    shown[c] = c == label;
  for (left--; left > 0; left--)
    {
      size_t best = classes;

      for (size_t c = 0; c < classes; c++)
        if (!shown[c] && (best == classes || p[c] > p[best]))
          best = c;
      shown[best] = true;
    }
}

/* A title that can be shown as it is may be in a catalogue. */
static SlMessage
class_name (const SlDataset *data, size_t class)
{
  const char *title = data->class_title != NULL ? data->class_title[class] : NULL;
  char        shown[SL_TEXT_SHOWN];

  if (title == NULL)
    return sl_message ("class %zu", class);
  return strcmp (sl_text_shown (title, shown), title) == 0 ? sl_message_word (title)
                                                           : sl_message_verbatim (shown);
}

void
sl_alive_class (SlAliveWriter *w, double probability, bool right, bool said, size_t number,
                SlMessage name)
{
  sl_alive_add (w, SL_ALIVE_ROW_CLASS, share (probability), right, said, (double) number);
  sl_probe_name (w->probe, "%s\n", name.packed);
}

/* The name of an answer: a class, or with `one` ≥ 0 that class against the rest. */
static SlMessage
answer_name (const SlDataset *data, int one, size_t answer)
{
  if (one < 0)
    return class_name (data, answer);
  return answer == 1 ? class_name (data, (size_t) one) : sl_message ("other classes");
}

/* Bars of the answers, and what is said about them. */
static void
add_answers (SlAliveWriter *w, size_t answers, size_t outputs, const sl_real *logits,
             unsigned label, int one)
{
  const SlDataset *data = w->probe->state->dataset;
  unsigned         said = sl_decide (outputs, logits, &(sl_real) { 0 });
  double           p[LABELS];
  bool             shown[LABELS];
  bool             own = sl_alive_is_own (w->probe);
  SlMessage        name = answer_name (data, one, said);

  probabilities (answers, outputs, logits, p);
  choose_classes (answers, p, label, shown);
  for (size_t c = 0; c < answers; c++)
    if (shown[c])
      sl_alive_class (w, p[c], !own && c == label, c == said, c, answer_name (data, one, c));
  if (own)
    sl_probe_note (w->probe, " It says %s.", name.packed);
  else if (said == label)
    sl_probe_note (w->probe, " It says %s, which is right.", name.packed);
  else
    sl_probe_note (w->probe, " It says %s; %s is right.", name.packed,
                   answer_name (data, one, label).packed);
}

void
sl_alive_output (SlAliveWriter *w, size_t outputs, const sl_real *logits, unsigned label)
{
  size_t classes = w->probe->state->dataset->classes;

  add_answers (w, classes < LABELS ? classes : LABELS, outputs, logits, label, -1);
}

void
sl_alive_one_class (SlAliveWriter *w, const sl_real *logits, unsigned label, unsigned class)
{
  add_answers (w, 2, 2, logits, label, (int) class);
}

void
sl_alive_end (SlAliveWriter *w)
{
  SlSnapshot *snapshot = w->probe->snapshot;

  snapshot->rows -= (unsigned) w->left;
  snapshot->n_data -= w->left * SL_ALIVE_COLUMNS;
}
