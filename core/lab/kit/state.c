/* SPDX-License-Identifier: MIT */
#include "core/lab/kit/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/lab/kit/schedule.h"

enum { EVALUATIONS_APART = 10 };

/* Lays out both arenas: once to measure and once for real. */
static SlStatus
carve (SlLabState *s)
{
  SlStatus status;

  s->kept.used = s->scratch.used = 0;
  s->lab->carve (s);
  status = sl_arena_init (&s->kept, s->kept.used);
  if (sl_ok (&status))
    status = sl_arena_init (&s->scratch, s->scratch.used);
  if (sl_ok (&status))
    s->lab->carve (s);
  return status;
}

SlStatus
sl_state_new (SlLabState **state, const SlLab *lab, const SlSettings *settings,
              const SlDataset *dataset, uint64_t seed, const SlOwnGate *own)
{
  SlLabState *s = calloc (1, lab->state_bytes);
  SlStatus    status;

  *state = NULL;
  if (s == NULL)
    return sl_status_no_memory ("lab");
  s->lab = lab;
  s->dataset = dataset;
  s->settings = *settings;
  s->own.gate = own;
  status = lab->shape (s);
  if (sl_ok (&status) && own != NULL && !s->own.used)
    status = sl_status_new (SL_EINVAL, lab->id,
                            sl_message ("a program's gate, which these settings do not use"),
                            sl_message ("a lab that has one, with gate=own"));
  if (sl_ok (&status))
    status = carve (s);
  if (sl_ok (&status) && s->batches.order != NULL)
    sl_batches_begin (&s->batches, seed);
  if (sl_ok (&status))
    status = lab->init (s, seed);
  if (sl_ok (&status))
    *state = s;
  else
    sl_state_free (s);
  return status;
}

void
sl_state_free (SlLabState *s)
{
  if (s == NULL)
    return;
  if (s->lab->clear != NULL)
    s->lab->clear (s);
  sl_arena_clear (&s->kept);
  sl_arena_clear (&s->scratch);
  free (s);
}

SlStatus
sl_state_set (SlLabState *s, unsigned param, const SlValue *value)
{
  SlValue  before = s->settings.value[param];
  SlStatus status;

  s->settings.value[param] = *value;
  status = s->lab->set (s, param, &before);
  if (!sl_ok (&status))
    s->settings.value[param] = before;
  return status;
}

SlStatus
sl_state_map (SlLabState *s, const sl_real *points, size_t n, SlCell *cells)
{
  memset (cells, 0, n * sizeof *cells);
  for (size_t done = 0; done < n; done += SL_MAP_BATCH)
    s->lab->map (s, points + done * s->dataset->features,
                 n - done < SL_MAP_BATCH ? n - done : SL_MAP_BATCH, cells + done);
  return sl_own_take (&s->own);
}

void
sl_state_freeze (SlLabState *s, bool frozen)
{
  s->frozen = false;
  if (!sl_lab_trains (s->lab))
    return;
  if (frozen)
    s->lab->freeze (s);
  s->frozen = frozen;
}

SlStatus
sl_state_objective (SlLabState *s, double *loss, sl_real *gradient)
{
  if (!sl_lab_trains (s->lab))
    return sl_status_new (SL_EUNSUPPORTED, s->lab->id, sl_message ("a lab that trains nothing"),
                          SL_NO_MESSAGE);
  if (!s->frozen)
    return sl_status_new (SL_EINVAL, "objective", sl_message ("no frozen batch"),
                          sl_message ("one frozen before"));
  *loss = s->lab->objective (s, gradient);
  if (!sl_ok (&s->own.failure))
    return sl_own_take (&s->own);
  return isfinite (*loss) ? SL_SUCCESS : sl_diverged (*loss);
}

unsigned
sl_state_blobs (SlLabState *s, SlBlob *blobs)
{
  blobs[0] = (SlBlob) { "counters", &s->now, sizeof s->now };
  blobs[1] = (SlBlob) { "weights and what follows them", s->kept.block, s->kept.used };
  return 2 + (s->lab->blobs != NULL ? s->lab->blobs (s, blobs + 2) : 0);
}

bool
sl_is_truth (const bool *truth)
{
  unsigned char byte;

  memcpy (&byte, truth, 1);
  return byte <= 1;
}

SlStatus
sl_state_restored (SlLabState *s, const SlSettings *settings)
{
  s->settings = *settings;
  if (!sl_is_truth (&s->now.report) || !sl_is_truth (&s->now.evaluate)
      || !sl_batches_check (&s->batches))
    return sl_out_of_range ();
  return s->lab->restored != NULL ? s->lab->restored (s) : SL_SUCCESS;
}

void
sl_state_progress (const SlLabState *s, SlProgress *progress)
{
  size_t n = s->pass > 0 ? s->pass : s->dataset != NULL ? s->dataset->n[SL_TRAIN] : 0;
  double examples = (double) s->now.examples;

  *progress = (SlProgress) { examples, n > 0 ? examples / (double) n : 0.0, s->now.macs };
}

unsigned
sl_widths_of (const SlLabState *s, unsigned hidden, size_t *widths)
{
  const SlValue *list = &s->settings.value[hidden];

  widths[0] = s->dataset->features;
  for (unsigned l = 0; l < list->n; l++)
    widths[l + 1] = (size_t) list->v[l];
  return list->n;
}

bool
sl_due (uint64_t t, double every)
{
  return t == 1 || t % (uint64_t) every == 0;
}

SlStatus
sl_diverged (double loss)
{
  return sl_status_new (SL_EDIVERGED, "training",
                        isnan (loss) ? sl_message ("a loss that is not a number")
                                     : sl_message ("an infinite loss"),
                        sl_message ("a finite number"));
}

SlStatus
sl_out_of_range (void)
{
  return sl_status_new (SL_EFORMAT, "checkpoint", sl_message ("an index or a count out of range"),
                        SL_NO_MESSAGE);
}

void
sl_cell_add (SlCell *cell, size_t i)
{
  cell->active++;
  if (i < SL_CELL_HASH)
    cell->pattern |= (uint64_t) 1 << i;
  /* Beyond that many units a pattern is a hash of their numbers. */
  else
    cell->pattern = (cell->pattern ^ i) * 0x9e3779b97f4a7c15U;
}

void
sl_cell_finish (SlCell *cell, size_t units)
{
  if (units >= SL_CELL_HASH)
    cell->pattern |= (uint64_t) 1 << SL_CELL_HASH;
}

double
sl_scheduled (const SlLabState *s, unsigned schedule, unsigned epochs)
{
  return sl_schedule ((SlSchedule) sl_value_of (s, schedule), sl_value_of (s, epochs),
                      (double) s->now.examples / (double) s->batches.n);
}

bool
sl_report_due (const SlLabState *s, unsigned every)
{
  return s->now.report || sl_due (s->now.t + 1, sl_value_of (s, every));
}

bool
sl_evaluation_due (SlLabState *s, unsigned every)
{
  SlCounters *now = &s->now;

  if (!sl_due (now->t, sl_value_of (s, every))
      && !(now->evaluate && now->t - now->evaluated >= EVALUATIONS_APART))
    return false;
  now->evaluate = false;
  now->evaluated = now->t;
  return true;
}

void
sl_count_batch (SlLabState *s, size_t batch, double loss, size_t errors, double macs)
{
  s->now.examples += batch;
  s->now.macs += macs;
  s->now.loss += loss * (double) batch;
  s->now.errors += (double) errors;
  s->now.seen += (double) batch;
}

size_t
sl_examples (const SlLabState *s, SlSplit split, double most)
{
  size_t n = s->dataset->n[split];

  return (double) n > most ? (size_t) most : n;
}

size_t
sl_watched (const SlLabState *s, double most, size_t *first)
{
  SlSplit split = s->dataset->n[SL_VALID] > 0 ? SL_VALID : SL_TRAIN;

  *first = sl_dataset_first (s->dataset, split);
  return sl_examples (s, split, most);
}

SlEvaluation
sl_evaluate (SlLabState *s, size_t first, size_t n, size_t most, SlPass pass, void *data)
{
  double loss = 0.0, wrong = 0.0;

  for (size_t done = 0; done < n;)
    {
      size_t take = n - done < most ? n - done : most, errors = 0;

      loss += pass (s, first + done, take, &errors, data) * (double) take;
      wrong += (double) errors;
      done += take;
    }
  return (SlEvaluation) { loss / (double) n, 100.0 * wrong / (double) n };
}
