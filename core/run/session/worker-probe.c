/* SPDX-License-Identifier: MIT
 *
 * Pictures, made for panels that are watched and only with a small share of the time.  */
#include "core/run/session/worker-private.h"

#include <math.h>

enum { PROBE_SHARE = 40 }; /* one part in so many of the time may go into probes: 2.5 % */

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
  worker->probe.free = end + (PROBE_SHARE - 1) * (end - now);
  worker->probe.next = p + 1;
  worker->mark = end;
}

/* At most one probe: while running, one that is due, within the share of time that all of
 * them may take (the first of each panel may come sooner); while pausing, one that
 * does not show the present.  True when one was made.  */
bool
sl_worker_probe_one (SlWorker *worker, double now)
{
  unsigned n = worker->run->lab->n_panels;
  bool     running = worker->mode == SL_WORKER_RUNNING;
  bool     busy = running && now < worker->probe.first_free;

  for (unsigned i = 0; i < n; i++)
    {
      unsigned             p = (worker->probe.next + i) % n;
      const SlWorkerPanel *panel = &worker->panel[p];
      bool                 due = panel->shown != worker->version || (panel->coarse && !running);

      if (running && panel->shown > 0)
        due = now >= panel->due && now >= worker->probe.free;
      /* The picture of one example is small, and follows the hand that draws or moves a slider. */
      if (busy)
        due = panel->shown == 0 && worker->run->lab->panels[p].kind == SL_ALIVE;
      if (due && wants_probe (worker, p))
        {
          probe (worker, p, now);
          return true;
        }
    }
  return false;
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
