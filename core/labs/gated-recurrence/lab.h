/* SPDX-License-Identifier: MIT
 *
 * What the files of the lab `gated-recurrence` share; nobody else includes this.  */
#pragma once

#include "core/base/rng.h"
#include "core/lab/lab.h"
#include "core/nn/gru/net.h"

/* The order is that of the form and of the plots. */
enum {
  P_OFFSET,
  P_GATING,
  P_GATES,
  P_BOTTLENECK,
  P_FOLLOW,
  P_EPSILON,
  P_TWIN,
  P_RATE,
  P_CLIP,
  P_BATCH,
  P_LENGTH,
  P_RESET,
  P_LAYERS,
  P_UNITS,
  P_REPORT,
  P_EVALUATE,
  P_LETTERS,
  P_TEMPERATURE,
  N_PARAMS,
};

enum {
  V_DENSITY,
  V_BITS,
  V_SPEED,
  V_SAMPLE,
  V_COST,
  V_GATES,
  V_COPIES,
  V_STRENGTH,
  V_STUCK,
  V_DISTANCE,
  N_PANELS,
};

/* The traces of the panels with several. */
enum { T_TRAIN, T_VALID, T_NORMAL, T_RECTIFIED };
enum { T_BITS_TRAIN, T_BITS_VALID, T_BITS_TWIN, T_UNIFORM, T_ONE, T_TWO, T_THREE };
enum { T_EXECUTED, T_DENSE };
enum { T_OFF, T_ON };

enum { N_TRIALS = 6 };

extern const SlParam     sl_recurrence_params[N_PARAMS];
extern const SlPanel     sl_recurrence_panels[N_PANELS];
extern const char *const sl_recurrence_readings[];
extern const SlTrial     sl_recurrence_trials[N_TRIALS];
extern const SlSweepHint sl_recurrence_sweeps[1];

enum {
  READERS = 32,          /* streams that evaluation cuts a text into, at most */
  STRETCH = 16,          /* letters of a pass of theirs */
  WARM_UP = 3 * STRETCH, /* letters before each that they read first, where there are any */
  TIMED = 64,            /* the larger batch of the timings */
  ORDERS = 3,            /* of the n-gram lines */
};

/* The small things that change from step to step, in one piece for checkpoints. */
typedef struct
{
  uint64_t t;        /* updates done */
  uint64_t position; /* letters of every stream read so far in this pass over the text */
  uint64_t letters;  /* training letters seen */
  double   macs;     /* multiply-adds of the steps so far */
  bool     followed; /* the statistics are of this network */
  bool     look;     /* something was changed: report on the next step */
  double   loss, twin_loss, seen; /* sums since the last report */
} Moving;

/* What a pass over a text found out, layer by layer. */
typedef struct
{
  double bits;                    /* per letter */
  double density[SL_GRU_LAYERS];  /* share of the gates that are on */
  double executed[SL_GRU_LAYERS]; /* share of the units that were computed */
  double strength[SL_GRU_LAYERS]; /* mean gate of those that are on */
  double stuck[SL_GRU_LAYERS][2]; /* share of the gates never on, and always */
} Findings;

struct SlLabState
{
  const SlDataset *dataset;
  SlSettings       settings;
  uint64_t         seed;
  bool             has_twin; /* the dense twin is trained too; to time, there always is one */
  size_t           batch, length, readers;
  SlArena          kept, scratch;
  SlGruNet         net, twin;
  SlGruRun         train, twin_train, read, twin_read, timed, twin_timed;
  uint8_t         *symbol;       /* (length + 1, batch) */
  uint8_t         *read_symbol;  /* (STRETCH + 1, readers) */
  uint8_t         *timed_symbol; /* (TIMED) */
  uint32_t        *times_on;     /* (layers, columns) by a pass over a text */
  sl_real         *state, *twin_state, *z, *logits, *work; /* of one stream */
  uint32_t        *rows;
  double line[ORDERS]; /* bits per letter of the training text's n-grams; or not-a-number */
  Moving now;
  bool   frozen;
};

/* The scalar value of a parameter. */
static inline double
value_of (const SlLabState *s, unsigned param)
{
  return s->settings.value[param].v[0];
}

/* How the gates of a deployed network go. */
SlGruGates sl_recurrence_given (const SlLabState *s);

/* Fills `symbol` (steps + 1, batch) from `first` on of the data, streams `apart` letters apart:
 * row t + 1 is what follows row t.  */
void sl_recurrence_fetch (const SlLabState *s, size_t first, size_t apart, size_t batch,
                          size_t steps, uint8_t *symbol);

/* Reads `letters` letters from `first` on, as many streams as there are readers, by the followed
 * statistics; what comes before them is read too, but not judged.  `each`, unless NULL, is
 * called after every stretch.  */
typedef void (*SlGatedEach) (SlLabState *s, size_t steps, void *data);
void sl_recurrence_read (SlLabState *s, bool twin, size_t first, size_t letters, Findings *findings,
                         SlGatedEach each, void *data);

/* Bits per letter, given the `order` - 1 before it, of the frequencies of the training text; or
 * not-a-number.  */
double sl_recurrence_gram_bits (const SlDataset *dataset, unsigned order);

/* Shares of the gates that were on in a pass over `steps` letters, and of the units computed. */
void sl_recurrence_densities (const SlGruNet *net, const SlGruRun *run, size_t steps,
                              double *density /* (layers) */, double *executed /* (layers) */);

/* What one example costs: share of the dense network's multiplications when these shares of the
 * units are computed.  */
double sl_recurrence_cost (const SlLabState *s, const double *executed /* (layers) */);

/* The costly panels. */
SlStatus sl_recurrence_probe (SlLabState *s, unsigned panel, SlSink *sink);
