/* SPDX-License-Identifier: MIT
 *
 * Words on a gating map; see plane.h.  */
#include "plot/layout/plane.h"

#include <glib.h>
#include <math.h>

#include "core/run/base/language.h"

enum {
  NARROW = 24,
  WIDEST = 7,
  AXIS = 5
}; /* widths in type: of a plot that has room for names, of a name, and of what is left of the plot */

/* Shares of the plane from which on a region has a label, and a line beside the plot. */
#define LABELLED 0.02
#define LISTED 0.005

static const char *
shown (const SlLaying *job, const char *packed, char text[SL_TICK_LABEL])
{
  sl_message_show (packed, job->figure->translated ? sl_words : NULL, text, SL_TICK_LABEL);
  return text;
}

/* Puts a name into its region, in smaller type if it must. */
static bool
label_region (const SlLaying *job, SlFrame *frame, const SlPieces *pieces, const SlPlaneName *name,
              double w, double h)
{
  SlPlaneLabel *label = &frame->label[frame->n_labels];

  shown (job, name->name, label->text);
  label->value = name->value;
  for (double part = 1.0; part > 0.8; part -= 0.15)
    {
      double type = part * job->theme->type;
      double width = sl_text_width (job->text, label->text, type, false) + 0.8 * type;

      label->type = type;
      if (sl_pieces_place (pieces, name->value, width / w, 1.5 * type / h, &label->x, &label->y))
        {
          frame->n_labels++;
          return true;
        }
    }
  return false;
}

static void
add_line (const SlLaying *job, SlFrame *frame, const char *packed, unsigned value, bool symbol)
{
  SlSwatch *swatch = &frame->swatch[frame->n_swatches++];
  char      text[SL_TICK_LABEL];

  *swatch = (SlSwatch) { .value = value, .symbol = symbol };
  sl_text_ellipsise (job->text, shown (job, packed, text), job->theme->type, false,
                     WIDEST * job->theme->type, swatch->text, sizeof swatch->text);
}

static void
add_classes (const SlLaying *job, SlFrame *frame, unsigned most)
{
  const SlPlane *plane = &job->figure->plane;
  unsigned       n = plane->classes;

  for (unsigned c = 0; n <= most && c < n; c++)
    {
      char name[SL_TICK_LABEL];

      sl_plane_class_name (plane, c, name, sizeof name);
      add_line (job, frame, name, c, true);
    }
}

/* By number, so that lines stay where they are while regions grow and shrink. */
static uint64_t
order_of (const SlFigure *figure, const SlPlaneName *name)
{
  return figure->view.plane == SL_PLANE_PATTERN && name->value < SL_MAP_COLOURS
           ? figure->plane.set[name->value]
           : name->value;
}

static void
sort_names (const SlFigure *figure, SlPlaneName *name, unsigned n)
{
  for (unsigned i = 1; i < n; i++)
    for (unsigned k = i; k > 0 && order_of (figure, &name[k]) < order_of (figure, &name[k - 1]);
         k--)
      {
        SlPlaneName swap = name[k];

        name[k] = name[k - 1];
        name[k - 1] = swap;
      }
}

double
sl_lay_plane (const SlLaying *job, SlFrame *frame, double top, double bottom)
{
  const SlFigure *figure = job->figure;
  const SlPlane  *plane = &figure->plane;
  double          type = job->theme->type, row = 1.15 * job->line, widest = 0.0;
  double          ratio = (plane->right - plane->left) / (plane->top - plane->bottom), w, h;
  bool            beside = frame->width >= NARROW * type;
  SlPlaneName     name[SL_PLANE_NAMES];
  SlPieces        pieces;
  unsigned        n = sl_plane_names (plane, figure->view.plane, name), left = 0, rows = 0, names;

  w = frame->width - 2.0 * job->pad - (AXIS + (beside ? WIDEST + 2.1 : 0.0)) * type;
  h = MAX (MIN (bottom - top, w / ratio), 1.0);
  w = h * ratio;
  sl_pieces_find (&pieces, plane, figure->view.plane);
  for (unsigned i = 0; i < n; i++)
    if (!(name[i].area >= LABELLED && label_region (job, frame, &pieces, &name[i], w, h))
        && name[i].area >= LISTED)
      name[left++] = name[i];
  sl_pieces_clear (&pieces);
  if (beside)
    rows = MIN ((unsigned) MAX ((bottom - top) / row, 0.0), SL_PLANE_NAMES);
  names = MIN (left, plane->classes < rows ? rows - plane->classes : rows);
  sort_names (figure, name, names);
  for (unsigned i = 0; i < names; i++)
    add_line (job, frame, name[i].name, name[i].value, false);
  add_classes (job, frame, rows - names);
  for (unsigned i = 0; i < frame->n_swatches; i++)
    widest = MAX (widest, sl_text_width (job->text, frame->swatch[i].text, type, false));
  return frame->n_swatches > 0 ? widest + 2.1 * type : 0.0;
}

void
sl_lay_place_plane (const SlLaying *job, SlFrame *frame)
{
  const SlRect *plot = &frame->plot;
  double        type = job->theme->type, row = 1.15 * job->line;

  for (unsigned i = 0; i < frame->n_labels; i++)
    {
      frame->label[i].x = plot->x + frame->label[i].x * plot->w;
      frame->label[i].y = plot->y + frame->label[i].y * plot->h;
    }
  for (unsigned i = 0; i < frame->n_swatches; i++)
    {
      SlSwatch *swatch = &frame->swatch[i];

      swatch->baseline = plot->y + i * row + job->ascent;
      swatch->box = (SlRect) { frame->width - job->pad - frame->spare + 0.7 * type,
                               swatch->baseline - 0.8 * type, 0.9 * type, 0.9 * type };
    }
}
