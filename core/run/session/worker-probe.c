/* SPDX-License-Identifier: MIT
 *
 * Pictures, made for panels that are watched and only with a small share of the time.  */
#include "core/run/session/worker-private.h"

#include <math.h>

/* One part in so many of the time may go into probes: 2.5 %, and more where what is shown is old, so that
 * no panel shows the first update beside curves of hundreds.  */
enum { SHARE = 40, SHARE_OLD = 10, SHARE_OLDEST = 3 };

/* How many times as many updates the run has made by now make a picture an old one. */
#define OLD 1.5
#define OLDEST 4.0

static bool
wants_probe (const SlWorker *worker, unsigned p)
{
  const SlLab *lab = worker->run->lab;

  /* The last picture before a run diverged is kept. */
  return worker->panel[p].watched && !worker->panel[p].failed
         && (lab->probes != NULL || lab->panels[p].kind == SL_MAP)
         && !sl_panel_is_series (lab->panels[p].kind) && worker->mode != SL_WORKER_DIVERGED;
}

void
sl_worker_expire (SlWorker *worker, SlPanelKind kind)
{
  for (unsigned p = 0; worker->run != NULL && p < worker->run->lab->n_panels; p++)
    if (worker->run->lab->panels[p].kind == kind)
      worker->panel[p].shown = 0;
}

static void
probe (SlWorker *worker, unsigned p, double now)
{
  SlWorkerPanel *panel = &worker->panel[p];
  SlStatus       status;
  double         end;

  worker->sink.idle = worker->mode != SL_WORKER_RUNNING;
  status = sl_trainer_probe (worker->run->trainer, p, &worker->sink);
  end = sl_clock_wall ();

  if (status.code != SL_ECANCELLED)
    {
      panel->failed = !sl_ok (&status);
      panel->shown = worker->version;
      panel->coarse = worker->run->lab->panels[p].kind == SL_MAP && !worker->sink.idle;
      panel->due = end + worker->run->lab->panels[p].probe_seconds;
    }
  worker->probe.first_free = end + fmax (end - now - worker->took, 0.0);
  worker->probe.last = end;
  worker->probe.cost = end - now;
  worker->mark = end;
}

/* Since when the share of time that probes may take has room for another one of a panel. */
static double
free_from (const SlWorker *worker, const SlWorkerPanel *panel)
{
  double   age = (double) worker->version / (double) panel->shown;
  unsigned share = age > OLDEST ? SHARE_OLDEST : age > OLD ? SHARE_OLD : SHARE;

  return worker->probe.last + (share - 1.0) * worker->probe.cost;
}

/* At most one probe, of the panel that shows the oldest update: while running, one that is due, within the share of time that all of
 * them may take (the first of each panel may come sooner); while pausing, one that
 * does not show the present.  True when one was made.  */
bool
sl_worker_probe_one (SlWorker *worker, double now)
{
  unsigned n = worker->run->lab->n_panels;
  bool     running = worker->mode == SL_WORKER_RUNNING;
  bool     busy = running && now < worker->probe.first_free;
  unsigned oldest = n;

  for (unsigned p = 0; p < n; p++)
    {
      const SlWorkerPanel *panel = &worker->panel[p];
      bool                 due = panel->shown != worker->version || (panel->coarse && !running);

      if (running && panel->shown > 0)
        due = now >= panel->due && now >= free_from (worker, panel);
      /* The picture of one example is small, and follows the hand that draws or moves a slider. */
      if (busy)
        due = panel->shown == 0 && worker->run->lab->panels[p].kind == SL_ALIVE;
      if (due && wants_probe (worker, p)
          && (oldest == n || panel->shown < worker->panel[oldest].shown))
        oldest = p;
    }
  if (oldest == n)
    return false;
  probe (worker, oldest, now);
  return true;
}

/* Probes of several panels between two updates: a user who scrolls to the plots of a run with slow
 * updates does not wait an update for each.  */
void
sl_worker_probe_some (SlWorker *worker)
{
  double begin = sl_clock_wall (), now = begin;

  while (sl_worker_probe_one (worker, now) && now - begin < worker->took
         && !sl_sink_hurry (&worker->sink))
    now = sl_clock_wall ();
}
