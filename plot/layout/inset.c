/* SPDX-License-Identifier: MIT
 *
 * The place of the enlarged part of a figure: in that corner of the plot where it hides least.  */
#include <glib.h>

#include "plot/layout/private.h"

/* Of the plot, and of the size of type below which there is no room for one. */
#define WIDTH 0.42
#define HEIGHT 0.46
#define LEAST_TYPES 5.0

static bool
touch (const SlRect *a, const SlRect *b)
{
  return a->x < b->x + b->w && b->x < a->x + a->w && a->y < b->y + b->h && b->y < a->y + a->h;
}

/* A legend must not be covered; the part itself is covered where a curve of it is. */
static unsigned
hides (const SlLaying *job, const SlFrame *frame, const SlRect *box)
{
  unsigned hidden = sl_frame_hidden (frame, job->figure, box);

  return frame->plate.w > 0.0 && touch (box, &frame->plate) ? hidden + 400 : hidden;
}

void
sl_lay_inset (const SlLaying *job, SlFrame *frame)
{
  const SlView *view = &job->figure->view;
  const SlRect *plot = &frame->plot;
  double        w = WIDTH * plot->w, h = HEIGHT * plot->h, away = 0.6 * job->theme->type;
  unsigned      least = 0;

  if (!view->inset || !sl_figure_kind (job->figure)->lines || frame->empty
      || w < 2.0 * LEAST_TYPES * job->theme->type || h < LEAST_TYPES * job->theme->type)
    return;
  for (unsigned corner = 0; corner < 4; corner++)
    {
      SlRect box = { corner % 2 == 0 ? plot->x + plot->w - w - away : plot->x + away,
                     corner < 2 ? plot->y + away : plot->y + plot->h - h - away, w, h };
      unsigned hidden = hides (job, frame, &box);

      if (corner > 0 && hidden >= least)
        continue;
      least = hidden;
      frame->inset_box = box;
    }
}
