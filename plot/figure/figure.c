/* SPDX-License-Identifier: MIT
 *
 * The figure as data: its curves, their names and rows, and how it is looked at; see figure.h.
 * Holes are in refresh.c, smoothing in smooth.c, ranges in fit.c, readings in read.c.  */
#include "plot/figure/figure.h"

#include <assert.h>
#include <glib.h>
#include <string.h>

#include "core/run/base/language.h"
#include "plot/figure/reduce.h"

/* A curve of at most this many points carries markers. */
enum { FEW_POINTS = 100 };

static void
curve_clear (SlCurve *curve)
{
  g_free (curve->smooth.x);
  g_free (curve->smooth.y);
  curve->smooth = (SlSmoothed) { 0 };
  g_free (curve->hole);
  curve->hole = NULL;
  curve->n_holes = curve->holes_capacity = 0;
}

void
sl_figure_clear (SlFigure *figure)
{
  for (unsigned c = 0; c < figure->curves_capacity; c++)
    curve_clear (&figure->curve[c]);
  g_free (figure->curve);
  *figure = (SlFigure) { 0 };
}

int
sl_figure_find (const SlFigure *figure, const char *id)
{
  for (unsigned c = 0; c < figure->n_curves; c++)
    if (strcmp (figure->curve[c].id, id) == 0)
      return (int) c;
  return -1;
}

static void
grow (SlFigure *figure)
{
  unsigned capacity = MAX (2 * figure->curves_capacity, 8);

  figure->curve = g_renew (SlCurve, figure->curve, capacity);
  memset (figure->curve + figure->curves_capacity, 0,
          (capacity - figure->curves_capacity) * sizeof *figure->curve);
  figure->curves_capacity = capacity;
}

SlCurve *
sl_figure_curve (SlFigure *figure, const char *id)
{
  int      found = sl_figure_find (figure, id);
  SlCurve *place, swap;

  if (found >= 0 && (unsigned) found < figure->placed)
    return &figure->curve[found];
  if (found < 0)
    {
      if (figure->n_curves == SL_CURVES_MAX)
        return NULL;
      if (figure->n_curves == figure->curves_capacity)
        grow (figure);
      found = (int) figure->n_curves++;
      curve_clear (&figure->curve[found]);
      figure->curve[found] = (SlCurve) { 0 };
      g_strlcpy (figure->curve[found].id, id, sizeof figure->curve[found].id);
    }
  place = &figure->curve[figure->placed++];
  swap = *place;
  *place = figure->curve[found];
  figure->curve[found] = swap;
  return place;
}

void
sl_figure_begin (SlFigure *figure)
{
  figure->placed = 0;
}

void
sl_figure_end (SlFigure *figure)
{
  figure->n_curves = figure->placed;
}

void
sl_figure_set_view (SlFigure *figure, const SlView *view)
{
  figure->view = *view;
  figure->view_set = true;
  figure->fitted = false;
  figure->version++;
}

void
sl_figure_set_tint (SlFigure *figure, unsigned slot)
{
  figure->view.tint = 1 + slot;
  figure->stamp = 0; /* curves that are there are made anew */
}

void
sl_figure_hide (SlFigure *figure, unsigned curve, bool hidden)
{
  if (curve >= figure->n_curves || figure->curve[curve].hidden == hidden)
    return;
  for (unsigned c = 0, group = figure->curve[curve].group; c < figure->n_curves; c++)
    if (c == curve || (group > 0 && figure->curve[c].group == group))
      figure->curve[c].hidden = hidden;
  figure->fitted = false;
  figure->version++;
}

/* Length of the beginning that all curve titles share up to a ", ": "recall, layer 1",
 * "recall, layer 2".  */
static size_t
shared_prefix (const SlFigure *figure)
{
  const char *first = figure->n_curves > 0 ? figure->curve[0].title : "";
  const char *comma = strstr (first, ", ");
  size_t      length = comma != NULL ? (size_t) (comma - first) + 2 : 0;

  if (length == 0 || figure->n_curves < 2)
    return 0;
  for (unsigned c = 1; c < figure->n_curves; c++)
    if (strncmp (figure->curve[c].title, first, length) != 0)
      return 0;
  return length;
}

const char *
sl_figure_name (const SlFigure *figure, unsigned curve)
{
  assert (curve < figure->n_curves);
  return figure->curve[curve].title + shared_prefix (figure);
}

unsigned
sl_figure_row_number (const SlFigure *figure, unsigned row)
{
  const SlFigureKind *kind = sl_figure_kind (figure);

  if (row == 0 || kind->count == NULL || row > kind->count (figure))
    return 0;
  return kind->rows ? figure->rows.curve[row - 1] + 1 : row;
}

unsigned
sl_figure_row_of (const SlFigure *figure, unsigned number)
{
  unsigned row = 1, found;

  do
    found = sl_figure_row_number (figure, row++);
  while (found != 0 && found != number);
  return found != 0 ? row - 1 : 0;
}

const char *
sl_figure_line (const char *lines, unsigned i, size_t *length)
{
  const char *end = lines != NULL ? strchr (lines, '\n') : NULL;

  for (; i > 0 && end != NULL; i--)
    {
      lines = end + 1;
      end = strchr (lines, '\n');
    }
  *length = end != NULL ? (size_t) (end - lines) : 0;
  return end != NULL ? lines : NULL;
}

/* Line `i` of some names. */
static bool
name_line (const char *names, unsigned i, bool translated, char *out, size_t size)
{
  char        packed[2 * SL_MESSAGE_SIZE];
  size_t      length;
  const char *name = sl_figure_line (names, i, &length);

  if (name == NULL)
    return false;
  g_snprintf (packed, sizeof packed, "%.*s", (int) length, name);
  sl_message_show (packed, translated ? sl_words : NULL, out, size);
  return true;
}

bool
sl_figure_column_name (const SlFigure *figure, unsigned i, char *out, size_t size)
{
  return name_line (figure->matrix.names, i,
                    figure->translated && !sl_figure_kind (figure)->data_names, out, size);
}

bool
sl_figure_row_name (const SlFigure *figure, unsigned i, char *out, size_t size)
{
  return name_line (figure->matrix.row_names, i,
                    figure->translated && sl_figure_kind (figure)->row_words, out, size);
}

bool
sl_figure_zoom_to_inset (SlFigure *figure)
{
  SlView view = figure->view;

  if (!sl_figure_kind (figure)->lines || !(view.zoomed || view.y_locked))
    return false;
  view.inset = true;
  view.inset_x = view.zoomed ? (SlRange) { view.x_lo, view.x_hi } : figure->x_range;
  view.inset_y = view.y_locked ? (SlRange) { view.y_lo, view.y_hi } : (SlRange) { 0.0, 0.0 };
  view.zoomed = view.y_locked = false;
  sl_figure_set_view (figure, &view);
  return true;
}

bool
sl_figure_inset_to_zoom (SlFigure *figure)
{
  SlView view = figure->view;

  if (!view.inset)
    return false;
  view.inset = false;
  view.zoomed = true;
  view.x_lo = view.inset_x.lo;
  view.x_hi = view.inset_x.hi;
  view.y_locked = view.inset_y.lo < view.inset_y.hi;
  if (view.y_locked)
    {
      view.y_lo = view.inset_y.lo;
      view.y_hi = view.inset_y.hi;
    }
  sl_figure_set_view (figure, &view);
  return true;
}

bool
sl_figure_empty (const SlFigure *figure)
{
  if (sl_figure_kind (figure)->empty != NULL)
    return sl_figure_kind (figure)->empty (figure);
  for (unsigned c = 0; c < figure->n_curves; c++)
    if (sl_points_of_curve (&figure->curve[c]).n > 0)
      return false;
  return true;
}

bool
sl_figure_marked (const SlFigure *figure, unsigned curve)
{
  const SlCurve *self = &figure->curve[curve];

  assert (curve < figure->n_curves);
  if (self->bare || !sl_figure_kind (figure)->values
      || (self->ghost && !self->scatter && sl_points_of_curve (self).n != 1))
    return false;
  /* A line of one point is nothing but its marker. */
  if (self->scatter || sl_points_of_curve (self).n == 1
      || (self->style != SL_THEORY && sl_points_of_curve (self).n <= FEW_POINTS))
    return true;
  for (unsigned c = 0; c < figure->n_curves; c++)
    if (c != curve && !figure->curve[c].hidden && !figure->curve[c].ghost
        && figure->curve[c].style == self->style)
      return true;
  return false;
}

bool
sl_matrix_empty (const SlFigure *figure)
{
  return figure->matrix.cell == NULL || figure->matrix.tiles == 0 || figure->matrix.rows == 0
         || figure->matrix.columns == 0;
}

/* ---- in the user's language ---- */

const char *
sl_figure_label (const SlFigure *figure, const char *label)
{
  const char *plain = sl_figure_words (figure, label);
  char        shown[SL_MESSAGE_SIZE];

  if (label == NULL || *label == '\0')
    return label;
  sl_message_show (label, figure->translated ? sl_words : NULL, shown, sizeof shown);
  return strcmp (shown, plain) == 0 ? plain : g_intern_string (shown);
}

static void
show_axis (const SlFigure *figure, SlAxis *axis)
{
  axis->label = sl_figure_label (figure, axis->label);
  axis->unit = sl_figure_words (figure, axis->unit);
}

/* In place; what does not fit is cut. */
static void
say (const SlFigure *figure, char *text, size_t size)
{
  g_autofree char *packed = g_strdup (text);

  sl_message_show (packed, figure->translated ? sl_words : NULL, text, size);
}

void
sl_figure_show_messages (SlFigure *figure)
{
  say (figure, figure->title, sizeof figure->title);
  say (figure, figure->note, sizeof figure->note);
  for (unsigned c = 0; c < figure->n_curves; c++)
    {
      say (figure, figure->curve[c].group_title, sizeof figure->curve[c].group_title);
      say (figure, figure->curve[c].title, sizeof figure->curve[c].title);
      say (figure, figure->curve[c].unit, sizeof figure->curve[c].unit);
    }
  /* Axes of a map that are columns of the data have names that are in no catalogue. */
  if (figure->plane.axis[0][0] == '\0')
    {
      show_axis (figure, &figure->x);
      show_axis (figure, &figure->y);
    }
  show_axis (figure, &figure->z);
  figure->colours.zero = sl_figure_words (figure, figure->colours.zero);
}

const char *
sl_figure_words (const SlFigure *figure, const char *text)
{
  return figure->translated ? sl_words (text) : text;
}

void
sl_note_set_text (SlNote *note, const char *text)
{
  const char *end;

  g_strlcpy (note->text, text, sizeof note->text);
  g_utf8_validate (note->text, -1, &end);
  note->text[end - note->text] = '\0';
}
