/* SPDX-License-Identifier: MIT
 *
 * The picture of the lab `style`: content, style and what is made of them, which glows where the loss pulls.  */
#include <math.h>

#include "core/lab/kit/alive.h"
#include "core/labs/style/lab.h"

enum { SLOT = 3, SMALL = 96 };

/* So many times the mean pull is the brightest glow. */
static const double BRIGHTEST = 3.0;

/* The loss of the picture as it is, its gradient and the part of the style; the next update finds everything as it
 * would be without.  */
static double
look (SlStyleLab *s, double *style)
{
  SlStyleMoving kept = *s->now;
  Parts         parts;
  double        total;

  if (!s->now->scaled)
    sl_style_scale (s);
  parts = sl_style_parts (s);
  if (compares (s, SL_STYLE_GAUSSIAN))
    sl_style_draw (s);
  sl_style_evaluate_image (s, s->x, sl_style_wanted (s), false);
  total = sl_style_sum (s, &parts);
  *style = sl_style_sum (s, &(Parts) { .style = { parts.style[0], parts.style[1] } });
  if (isfinite (total))
    sl_style_slope (s, s->x, &parts, s->gradient);
  *s->now = kept;
  return total;
}

/* How hard each pixel is pulled; returns the mean. */
static double
find_pull (const SlStyleLab *s, double *pull)
{
  size_t plane = s->height * s->width;
  double sum = 0.0;

  for (size_t i = 0; i < plane; i++)
    {
      double square = 0.0;

      for (size_t c = 0; c < 3; c++)
        square += (double) s->gradient[c * plane + i] * (double) s->gradient[c * plane + i];
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
  SlStyleLab   *s = sl_style_lab (p->state);
  size_t        plane = s->height * s->width;
  double       *pull = sl_probe_room (p, plane, sizeof *pull), total, style, mean, share;
  SlAliveWriter w;

  if (pull == NULL)
    return;
  total = look (s, &style);
  if (!isfinite (total) || !sl_alive_begin_pictures (&w, p, PIXELS))
    return;
  mean = find_pull (s, pull);
  share = mean > 0.0 ? share_of_half (pull, plane, mean) : 0.0;
  for (size_t i = 0; i < plane && mean > 0.0; i++)
    pull[i] = pow (fmin (pull[i] / (BRIGHTEST * mean), 1.0), 2.0);
  add_pictures (&w, s, pull, share);
  sl_probe_note (p,
                 "The loss is %.4g, %.0f %% of it from the style; half of its pull is on "
                 "%.0f %% of the pixels.",
                 total, total > 0.0 ? 100.0 * style / total : 0.0, 100.0 * share);
  sl_alive_end (&w);
}
