/* SPDX-License-Identifier: MIT
 *
 * The picture of the lab `style`: content, style and what is made of them, which glows where the loss pulls.  */
#include <math.h>
#include <string.h>

#include "core/data/set/hash.h"
#include "core/lab/kit/alive.h"
#include "core/labs/style/lab.h"

enum { SLOT = 3, SMALL = 96 };

/* So many times the mean pull is the brightest glow. */
static const double BRIGHTEST = 3.0;

/* Whether L-BFGS has the loss and the gradient of this picture, which then need not be found again. */
static bool
is_known (const SlStyleLab *s)
{
  return sl_value_of (&s->base, P_OPTIMISER) == OPTIMISER_LBFGS && s->lbfgs.memory->begun
         && !compares (s, SL_STYLE_GAUSSIAN) && s->there == sl_hash (s->x, s->n * sizeof *s->x, 0);
}

/* The loss of the picture as it is, and its gradient (3, H, W); the next update finds everything as it would be
 * without.  */
static double
look (SlStyleLab *s, SlProbe *p, const sl_real **gradient)
{
  SlStyleMoving kept = *s->now;
  sl_real      *kept_gradient;
  Parts         parts;
  double        total;

  *gradient = s->lbfgs.gradient;
  if (is_known (s))
    return s->lbfgs.memory->loss;
  kept_gradient = sl_probe_room (p, s->n, sizeof *kept_gradient);
  if (kept_gradient == NULL)
    return (double) NAN;
  memcpy (kept_gradient, s->gradient, s->n * sizeof *kept_gradient);
  if (!s->now->scaled)
    sl_style_scale (s);
  parts = sl_style_parts (s);
  if (compares (s, SL_STYLE_GAUSSIAN))
    sl_style_draw (s);
  sl_style_evaluate_image (s, s->x, sl_style_wanted (s), false);
  total = sl_style_sum (s, &parts);
  if (isfinite (total))
    sl_style_slope (s, s->x, &parts, s->apart);
  *gradient = s->apart;
  memcpy (s->gradient, kept_gradient, s->n * sizeof *kept_gradient);
  *s->now = kept;
  return total;
}

/* How hard each pixel is pulled; returns the mean. */
static double
find_pull (const SlStyleLab *s, const sl_real *gradient, double *pull)
{
  size_t plane = s->height * s->width;
  double sum = 0.0;

  for (size_t i = 0; i < plane; i++)
    {
      double square = 0.0;

      for (size_t c = 0; c < 3; c++)
        square += (double) gradient[c * plane + i] * (double) gradient[c * plane + i];
      pull[i] = sqrt (square);
      sum += pull[i];
    }
  return sum / (double) plane;
}

/* The share of the pixels that are pulled most, and together feel half of it. */
static double
share_of_half (const double *pull, size_t n, double mean)
{
  double lo = 0.0, hi = 0.0, half = 0.5 * mean * (double) n;
  size_t above = 0;

  for (size_t i = 0; i < n; i++)
    hi = fmax (hi, pull[i]);
  for (unsigned turn = 0; turn < 30; turn++)
    {
      double least = 0.5 * (lo + hi), sum = 0.0;

      for (size_t i = 0; i < n; i++)
        sum += pull[i] >= least ? pull[i] : 0.0;
      if (sum >= half)
        lo = least;
      else
        hi = least;
    }
  for (size_t i = 0; i < n; i++)
    above += pull[i] >= lo;
  return (double) above / (double) n;
}

static void
add_pictures (SlAliveWriter *w, const SlStyleLab *s, const double *glow, double share)
{
  const SlPicturePair *pair = s->base.dataset->pictures;
  double               goal = sl_value_of (&s->base, P_GOAL);
  SlAlivePicture       content = { pair->content, s->width, s->height, SMALL, NULL };
  SlAlivePicture       style = { pair->style, s->width, s->height, SMALL, NULL };
  SlAlivePicture       now = { s->x, s->width, s->height, SL_ALIVE_PICTURE_SIDE, glow };

  SlMessage style_name = sl_message ("Style: %s", sl_message_word (pair->style_title).packed);

  if (goal == GOAL_STYLE)
    sl_alive_picture_input (w, style, style_name);
  else
    sl_alive_picture_input (
      w, content, sl_message ("Content: %s", sl_message_word (pair->content_title).packed));
  if (goal == GOAL_BOTH)
    sl_alive_picture (w, &style, SLOT, 0.0, style_name);
  sl_alive_picture (w, &now, SLOT, share, sl_message ("it glows where it changes most"));
}

void
sl_style_probe_alive (SlProbe *p)
{
  enum { PIXELS = SL_ALIVE_PICTURE_SIDE * SL_ALIVE_PICTURE_SIDE + SMALL * SMALL };
  SlStyleLab    *s = sl_style_lab (p->state);
  size_t         plane = s->height * s->width;
  double        *pull = sl_probe_room (p, plane, sizeof *pull), loss, mean, share;
  const sl_real *gradient;
  SlAliveWriter  w;

  if (pull == NULL)
    return;
  loss = look (s, p, &gradient);
  if (!isfinite (loss) || !sl_alive_begin_pictures (&w, p, PIXELS))
    return;
  mean = find_pull (s, gradient, pull);
  share = mean > 0.0 ? share_of_half (pull, plane, mean) : 0.0;
  for (size_t i = 0; i < plane && mean > 0.0; i++)
    pull[i] = pow (fmin (pull[i] / (BRIGHTEST * mean), 1.0), 2.0);
  add_pictures (&w, s, pull, share);
  sl_probe_note (p, "The loss is %.6g; half of its pull is on %.0f %% of the pixels.", loss,
                 100.0 * share);
  sl_alive_end (&w);
}
