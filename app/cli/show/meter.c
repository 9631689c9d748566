/* SPDX-License-Identifier: MIT
 *
 * See meter.h.  */
#include "app/cli/show/meter.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "core/base/clock.h"

/* Seconds between two progress lines, on a terminal and in a file; and seconds at the start, in
 * which the first steps read and factor for the first time, that do not count for the remaining
 * time.  */
static const double terminal_every = 0.2, file_every = 5, warm_up = 1;

void
sl_meter_begin (SlMeter *meter, bool quiet)
{
  *meter = (SlMeter) {
    .quiet = quiet,
    .terminal = isatty (STDERR_FILENO) != 0,
    .began = sl_clock_wall (),
  };
  meter->shown = meter->began;
}

bool
sl_meter_due (SlMeter *meter, double done)
{
  double now = sl_clock_wall ();

  if (meter->warm_at == 0 && done > 0 && now - meter->began >= warm_up)
    {
      meter->warm = now;
      meter->warm_at = done;
    }
  return !meter->quiet && now - meter->shown >= (meter->terminal ? terminal_every : file_every);
}

static void
print_duration (double seconds)
{
  unsigned long s = (unsigned long) ceil (seconds);

  if (s >= 3600)
    fprintf (stderr, "%lu:%02lu:%02lu", s / 3600, s / 60 % 60, s % 60);
  else
    fprintf (stderr, "%lu:%02lu", s / 60, s % 60);
}

void
sl_meter_show (SlMeter *meter, uint64_t step, uint64_t limit, double done,
               const SlProgress *progress)
{
  double now = sl_clock_wall (), elapsed = now - meter->began;

  if (meter->quiet)
    return;
  meter->shown = now;
  fprintf (stderr, "%sstep %" PRIu64, meter->terminal ? "\r" : "", step);
  if (limit > 0)
    fprintf (stderr, "/%" PRIu64, limit);
  fprintf (stderr, "  epoch %.2f", progress->epochs);
  if (elapsed > 0)
    fprintf (stderr, "  %.4g steps/s  %.3g GFLOP/s", (double) step / elapsed,
             2e-9 * progress->multiplications / elapsed);
  if (meter->warm_at > 0 && done > meter->warm_at && done < 1)
    {
      fputs ("  ETA ", stderr);
      print_duration ((now - meter->warm) * (1 - done) / (done - meter->warm_at));
    }
  fputs (meter->terminal ? "\033[K" : "\n", stderr);
  fflush (stderr);
}

void
sl_meter_end (SlMeter *meter)
{
  if (!meter->quiet && meter->terminal)
    fputc ('\n', stderr);
}

void
sl_meter_clear (SlMeter *meter)
{
  if (!meter->quiet && meter->terminal)
    fputs ("\r\033[K", stderr);
}
