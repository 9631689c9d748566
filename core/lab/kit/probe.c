/* SPDX-License-Identifier: MIT */
#include "core/lab/kit/probe.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/lab/kit/state.h"
#include "core/nn/dense/dense.h"
#include "core/nn/kernels/mat.h"

enum { ALIGNMENT = 64 }; /* also the room for the link to the next */

bool
sl_probe_ok (SlProbe *p, SlStatus status)
{
  if (sl_ok (&p->status))
    p->status = status;
  return sl_ok (&p->status);
}

static double *
checked (SlProbe *p, double *room)
{
  if (room == NULL)
    sl_probe_ok (p, sl_status_no_memory ("survey"));
  return room;
}

void *
sl_probe_room (SlProbe *p, size_t count, size_t size)
{
  size_t bytes = (count * size + 2 * ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  void  *block = aligned_alloc (ALIGNMENT, bytes);

  if (block == NULL)
    return checked (p, NULL);
  memset (block, 0, bytes);
  *(void **) block = p->rooms;
  p->rooms = block;
  return (char *) block + ALIGNMENT;
}

void
sl_probe_free_rooms (SlProbe *p)
{
  while (p->rooms != NULL)
    {
      void *next = *(void **) p->rooms;

      free (p->rooms);
      p->rooms = next;
    }
}

bool
sl_probe_cancelled (SlProbe *p)
{
  if (sl_sink_hurry (p->sink))
    sl_probe_ok (p, sl_status_new (SL_ECANCELLED, "survey", SL_NO_MESSAGE, SL_NO_MESSAGE));
  return !sl_ok (&p->status);
}

/* After the panel's own note. */
static void
note_withheld (SlProbe *p)
{
  if (p->withheld > 0 && p->withheld == p->timings)
    sl_probe_note (p, "; too busy to measure");
  else if (p->withheld > 0)
    sl_probe_note (p, "; too busy to measure %u of %u", p->withheld, p->timings);
}

SlStatus
sl_probe_panel (SlLabState *state, unsigned panel, SlSink *sink)
{
  SlProbe p = { state, sink, sink->open != NULL ? sink->open (sink, panel) : NULL };

  if (p.snapshot == NULL)
    return SL_SUCCESS;
  if (state->lab->probes[panel] != NULL)
    state->lab->probes[panel](&p);
  note_withheld (&p);
  sl_probe_free_rooms (&p);
  sl_probe_ok (&p, sl_own_take (&state->own));
  if (p.status.code == SL_ECANCELLED || p.status.code == SL_EGATE)
    return p.status;
  if (!sl_ok (&p.status))
    p.snapshot->note = sl_status_message (&p.status);
  sink->publish (sink, p.snapshot);
  return p.status;
}

double *
sl_probe_curve (SlProbe *p, unsigned trace, unsigned instance, size_t n, bool with_spread)
{
  uint32_t channel = p->sink->layout->first[p->snapshot->panel][trace] + instance;

  return checked (p, sl_snapshot_curve (p->snapshot, channel, n, with_spread));
}

void
sl_probe_points (SlProbe *p, unsigned trace, unsigned instance, size_t n, const double *x,
                 const double *y)
{
  double *at = n > 0 ? sl_probe_curve (p, trace, instance, n, false) : NULL;

  if (at == NULL)
    return;
  memcpy (at, x, n * sizeof *x);
  memcpy (at + n, y, n * sizeof *y);
}

void
sl_probe_values (SlProbe *p, unsigned trace, unsigned instance, size_t from, size_t n,
                 const double *y)
{
  double *at = n > 0 ? sl_probe_curve (p, trace, instance, n, false) : NULL;

  for (size_t i = 0; at != NULL && i < n; i++)
    {
      at[i] = (double) (from + i);
      at[n + i] = y[i];
    }
}

void
sl_probe_bars (SlProbe *p, unsigned trace, size_t n, const SlMeasured *bar)
{
  double *at = n > 0 ? sl_probe_curve (p, trace, 0, n, true) : NULL;

  for (size_t i = 0; at != NULL && i < n; i++)
    {
      at[i] = (double) i;
      at[n + i] = bar[i].value;
      at[2 * n + i] = bar[i].spread;
    }
}

double *
sl_probe_matrix (SlProbe *p, size_t tiles, size_t rows, size_t columns)
{
  return checked (
    p, sl_snapshot_matrix (p->snapshot, (unsigned) tiles, (unsigned) rows, (unsigned) columns));
}

double *
sl_probe_pictures (SlProbe *p, size_t tiles, size_t rows, size_t columns)
{
  return checked (
    p, sl_snapshot_pictures (p->snapshot, (unsigned) tiles, (unsigned) rows, (unsigned) columns));
}

void
sl_probe_note (SlProbe *p, const char *format, ...)
{
  char   *note = p->snapshot->note.packed;
  size_t  used = strlen (note);
  va_list list;

  va_start (list, format);
  sl_message_vprint (note + used, sizeof p->snapshot->note.packed - used, format, list);
  va_end (list);
}

void
sl_probe_name (SlProbe *p, const char *format, ...)
{
  char   *names = p->snapshot->names;
  size_t  used = strlen (names), room = sizeof p->snapshot->names - used;
  va_list list;

  va_start (list, format);
  if ((size_t) vsnprintf (names + used, room, format, list) >= room)
    names[used] = '\0';
  va_end (list);
}

void
sl_probe_class_names (SlProbe *p, const SlDataset *data)
{
  size_t length = 0;
  char   number[16];

  for (size_t c = 0; c < data->classes; c++)
    length += (data->class_title != NULL ? strlen (data->class_title[c]) : sizeof number) + 1;
  /* Half of the names would be worse than none. */
  for (size_t c = 0; length < sizeof p->snapshot->names && c < data->classes; c++)
    {
      snprintf (number, sizeof number, "%zu", c);
      sl_probe_name (p, "%s\n", data->class_title != NULL ? data->class_title[c] : number);
    }
}

void
sl_probe_dense (size_t batch, size_t inputs, size_t units, const sl_real *x, const sl_real *w,
                const sl_real *b, sl_real *y)
{
  if (batch > 1)
    {
      sl_dense_forward (batch, inputs, units, x, w, b, y);
      return;
    }
  sl_mat_vec (units, inputs, w, inputs, x, y);
  for (size_t i = 0; i < units; i++)
    y[i] += b[i];
}

static bool
timing_cancelled (void *probe)
{
  return sl_probe_cancelled (probe);
}

SlMeasured
sl_probe_time_ratio (SlProbe *p, SlTimed reference, SlTimed timed, void *data)
{
  unsigned   threads = sl_blas_threads ();
  SlTiming   timing = { reference, timed, data, timing_cancelled, p };
  SlMeasured ratio;

  sl_blas_set_threads (1);
  ratio = sl_timing_ratio (&timing);
  sl_blas_set_threads (threads);
  p->timings++;
  p->withheld += isnan (ratio.value);
  return ratio;
}

const char *
sl_probe_kernel (SlProbe *p)
{
  sl_message_print (p->kernel, sizeof p->kernel, "%s, 1 thread", sl_blas_kernel ());
  return p->kernel;
}
