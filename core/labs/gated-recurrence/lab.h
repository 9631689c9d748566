/* SPDX-License-Identifier: MIT
 *
 * What the files of the lab `gated-recurrence` share; nobody else includes this.  */
#pragma once

#include "core/lab/kit/state.h"
#include "core/labs/gated-recurrence/math/net.h"
#include "core/labs/gated-recurrence/tables.h"

/* What changes from step to step. */
typedef struct
{
  uint64_t position;  /* letters of every stream read so far in this pass over the text */
  bool     followed;  /* the statistics are of this network */
  double   twin_loss; /* sum since the last report */
} SlRecurrenceMoving;

/* What a pass over a text found out, layer by layer. */
typedef struct
{
  double bits;                    /* per letter */
  double density[SL_GRU_LAYERS];  /* share of the gates that are on */
  double executed[SL_GRU_LAYERS]; /* share of the units that were computed */
  double stuck[SL_GRU_LAYERS][2]; /* share of the gates never on, and always */
} Findings;

typedef struct
{
  SlLabState base;
  uint64_t   seed;
  bool       has_twin; /* the dense twin is trained too; to time, there always is one */
  size_t     batch, length, readers;
  SlGruNet   net, twin;
  SlGruRun   train, twin_train, read, twin_read, timed, twin_timed;
  uint8_t   *symbol;                                 /* (length + 1, batch) */
  uint8_t   *read_symbol;                            /* (STRETCH + 1, readers) */
  uint8_t   *timed_symbol;                           /* (batch) */
  uint32_t  *times_on;                               /* (layers, columns) by a pass over a text */
  sl_real   *state, *twin_state, *z, *logits, *work; /* of one stream */
  uint32_t  *rows;
  double     line[ORDERS]; /* bits per letter of the training text's n-grams; or not-a-number */
  SlRecurrenceMoving *now;
} SlRecurrenceLab;

static inline SlRecurrenceLab *
sl_recurrence_lab (SlLabState *state)
{
  return (SlRecurrenceLab *) state;
}

/* How the gates of a deployed network go. */
SlGruGates sl_recurrence_given (const SlRecurrenceLab *s);

/* Fills `symbol` (steps + 1, batch) from `first` on of the data, streams `apart` letters apart:
 * row t + 1 is what follows row t.  */
void sl_recurrence_fetch (const SlRecurrenceLab *s, size_t first, size_t apart, size_t batch,
                          size_t steps, uint8_t *symbol);

/* Reads `letters` letters from `first` on, as many streams as there are readers, by the followed
 * statistics; what comes before them is read too, but not judged.  `each`, unless NULL, is
 * called after every stretch.  */
typedef void (*SlRecurrenceEach) (SlRecurrenceLab *s, size_t steps, void *data);
void sl_recurrence_read (SlRecurrenceLab *s, bool twin, size_t first, size_t letters,
                         Findings *findings, SlRecurrenceEach each, void *data);

/* Bits per letter, given the `order` - 1 before it, of the frequencies of the training text; or
 * not-a-number.  */
double sl_recurrence_gram_bits (const SlDataset *dataset, unsigned order);

/* Shares of the gates that were on in a pass over `steps` letters, and of the units computed. */
void sl_recurrence_densities (const SlGruNet *net, const SlGruRun *run, size_t steps,
                              double *density /* (layers) */, double *executed /* (layers) */);

/* What one example costs: share of the dense network's multiplications when these shares of the
 * units are computed.  */
double sl_recurrence_cost (const SlRecurrenceLab *s, const double *executed /* (layers) */);

/* The costly panels. */
extern const SlProbePanel sl_recurrence_probes[N_PANELS];
extern const SlClock      sl_recurrence_passes;
void                      sl_recurrence_probe_alive (SlProbe *p);
