/* SPDX-License-Identifier: MIT
 *
 * How far the signal has come in a slow motion of the picture of a deciding network: from left to right, through the rows of
 * a way from top to bottom.  */
#include <glib.h>
#include <math.h>

#include "plot/layout/alive.h"
#include "plot/layout/laying.h"

/* The x that the signal is at when it has passed so many stages. */
static double
end_of (const SlAlive *alive, const SlFrame *frame, unsigned stages)
{
  const SlAliveFrame *at = &frame->alive;
  const SlAlivePlace *last = stages > 0 ? &at->group[stages - 1] : NULL;

  if (stages >= sl_alive_stages (alive))
    return frame->plot.x + frame->plot.w;
  if (last == NULL)
    return alive->input == SL_ALIVE_LINE ? frame->plot.x
                                         : MAX (at->input.x + at->input.w, frame->plot.x);
  /* A neck reaches to what is behind it. */
  if (alive->group[stages - 1].form == SL_ALIVE_NECK)
    return stages < alive->n_groups ? at->group[stages].area.x : at->output.x;
  return last->area.x + last->area.w;
}

static SlRect
band (const SlFrame *frame, double from, double to)
{
  return (SlRect) { from, frame->plot.y, MAX (to - from, 0.0), frame->plot.h };
}

/* The part of a stage that the signal has passed. */
static void
lay_stage (const SlAlive *alive, SlFrame *frame, unsigned stage, double part)
{
  SlAliveFront *front = &frame->alive.front;
  double        from = end_of (alive, frame, stage), to = end_of (alive, frame, stage + 1);
  double        right = frame->plot.x + frame->plot.w;

  front->lit[front->n_lit++] = band (frame, frame->plot.x, from);
  front->pale = band (frame, from, right);
  if (!(part > 0.0))
    return;
  if (stage < alive->n_groups && alive->group[stage].form == SL_ALIVE_WAY)
    {
      const SlRect *area = &frame->alive.group[stage].area;
      SlRect        lit = band (frame, from, to);

      lit.h = area->y + part * area->h - lit.y;
      front->lit[front->n_lit++] = lit;
      return;
    }
  to = from + part * (to - from);
  front->lit[0] = band (frame, frame->plot.x, to);
  front->pale = band (frame, to, right);
}

void
sl_lay_alive_front (const SlLaying *job, const SlAlive *alive, SlFrame *frame)
{
  SlAliveFront *front = &frame->alive.front;
  unsigned      stages = sl_alive_stages (alive), stage;
  double        passed = job->figure->view.reached - 1.0;
  char          caption[SL_ALIVE_SENTENCE];

  if (!(passed >= 0.0) || stages == 0)
    return;
  front->on = true;
  passed = MIN (passed, stages);
  stage = passed > 0.0 ? (unsigned) ceil (passed) - 1 : 0;
  lay_stage (alive, frame, stage, passed - stage);
  front->n_groups = MIN ((unsigned) ceil (passed), alive->n_groups);
  if (passed > 0.0 && frame->plot.h > 4.0 * job->line)
    sl_text_ellipsise (
      job->text, sl_alive_caption (job->figure, alive, stage, caption, sizeof caption),
      job->theme->type, false, frame->plot.w, front->caption, sizeof front->caption);
}
