/* SPDX-License-Identifier: MIT
 *
 * Training steps of rectifier networks against PyTorch and scikit-learn, where they are installed
 * (bench/peers/network.py), and against what the processor can multiply at all.  All sides make a few
 * steps in turn.  */
#include <math.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/peak.h"
#include "core/base/clock.h"
#include "core/nn/dense/net.h"
#include "core/nn/kernels/mat.h"

enum {
  ROUNDS = 7,
  ROUND_MS = 10,    /* that a side computes in a round, at least */
  MOST_STEPS = 200, /* in a round */
  WIDE = 512,       /* from which on layers are held to the peak of the processor */
  MOST_LAYERS = 4,
};

static const char *const shapes[] = {
  "32-64-10",       "64-64-64-10",      "100-100-2",       "200-400-100-10",
  "256-256-10",     "512-512-10",       "512-512-512-10",  "784-32-10",
  "784-100-10",     "784-256-128-10",   "784-400-10",      "784-1000-10",
  "784-800-800-10", "784-2000-10",      "1024-1024-10",    "1000-100-1000-10",
  "2048-512-100",   "3072-1024-512-10", "256-2048-256-10", "784-1000-600-400-10",
};

static const size_t batches[] = { 1, 32, 128, 1024 };

enum { TORCH, SKLEARN, PEERS };

static const struct
{
  const char *name, *title, *package;
} peers[PEERS] = {
  { "torch", "PyTorch", "python3-torch" },
  { "sklearn", "MLPClassifier", "python3-sklearn" },
};

typedef struct
{
  SlArena  arena;
  SlNet    net;
  SlTape   tape;
  uint8_t *label;
  size_t   batch, narrowest;
  uint64_t steps;
} Model;

static void
model_carve (Model *m)
{
  sl_net_carve (&m->net, &m->arena, &m->arena);
  sl_tape_carve (&m->tape, &m->net, m->batch, &m->arena);
  m->label = sl_arena_carve (&m->arena, m->batch, 1);
}

static SlStatus
model_init (Model *m, const char *shape, size_t batch)
{
  g_auto (GStrv) words = g_strsplit (shape, "-", -1);
  unsigned layers = g_strv_length (words) - 1;
  size_t   widths[MOST_LAYERS + 1];
  SlStatus status;
  SlRng    rng;

  *m = (Model) { .batch = batch, .narrowest = SIZE_MAX };
  for (unsigned l = 0; l <= layers; l++)
    {
      widths[l] = (size_t) g_ascii_strtoull (words[l], NULL, 10);
      if (l < layers)
        m->narrowest = MIN (m->narrowest, widths[l]);
    }
  sl_net_shape (&m->net, SL_RECTIFIER, widths, layers);
  model_carve (m);
  status = sl_arena_init (&m->arena, m->arena.used);
  if (!sl_ok (&status))
    return status;
  model_carve (m);
  sl_rng_init (&rng, 1, "bench");
  sl_net_init (&m->net, &rng);
  for (size_t i = 0; i < batch * widths[0]; i++)
    m->tape.x[0][i] = (sl_real) sl_rng_normal (&rng);
  for (size_t e = 0; e < batch; e++)
    m->label[e] = (uint8_t) sl_rng_below (&rng, widths[layers]);
  return SL_SUCCESS;
}

static void
train (Model *m)
{
  SlEstimate     none = { .mode = SL_ESTIMATE_OFF };
  SlDropout      dropout = { 0, 0 };
  SlOptimSetting adam = sl_optim_default ();
  size_t         errors;

  sl_net_forward (&m->net, &m->tape, m->batch, &dropout, &none);
  sl_net_loss (&m->net, &m->tape, m->batch, m->label, true, &errors);
  sl_net_backward (&m->net, &m->tape, m->batch, &dropout, &adam, ++m->steps);
}

/* Milliseconds of a step, the mean of a few: computed by the only thread, or passed while several
 * compute.  */
static double
time_steps (Model *m, unsigned threads, unsigned steps)
{
  double begin = threads == 1 ? sl_clock_thread () : sl_clock_wall ();

  for (unsigned i = 0; i < steps; i++)
    train (m);
  return 1e3 * ((threads == 1 ? sl_clock_thread () : sl_clock_wall ()) - begin) / steps;
}

/* How many steps make a round. */
static unsigned
steps_of (double ms)
{
  return (unsigned) fmin (fmax (ROUND_MS / ms, 1), MOST_STEPS);
}

/* Multiplications and additions of a step. */
static double
flops (const Model *m)
{
  return 2.0 * (double) m->batch
         * (3.0 * sl_net_macs (&m->net) - (double) m->net.width[0] * (double) m->net.width[1]);
}

/* What the processor can do at all: bars where layers are wide, for one thread. */
static void
report_peak (SlBench *bench, const Model *m, const char *cell, unsigned threads, double peak,
             double ms)
{
  g_autofree char *name = g_strdup_printf ("%s.of-peak", cell);
  g_autofree char *note = g_strdup_printf ("%.3f ms a step, of %.0f GFLOP/s", ms, peak * threads);
  bool             held = m->narrowest >= WIDE && m->batch >= 32;

  sl_bench_result (bench, name, 1e-6 * flops (m) / ms / (peak * threads), "of peak", SL_BAR_SHARE,
                   !held             ? 0.0
                   : m->batch >= 128 ? 0.8
                                     : 0.6,
                   note);
}

typedef struct
{
  SlBenchPeer *peer[PEERS];
  double       peak;
  unsigned     threads, cells[PEERS], slower[PEERS];
} Sitting;

/* Half of what is between the quartiles of ratios that are in order. */
static double
spread (const double *ratio)
{
  return (ratio[ROUNDS - 1 - ROUNDS / 4] - ratio[ROUNDS / 4]) / 2;
}

static void
report_ratio (SlBench *bench, Sitting *s, int p, const char *cell, double ms, double theirs,
              double *ratio)
{
  g_autofree char *name = g_strdup_printf ("%s.%s", cell, peers[p].name), *note = NULL;
  double           middle = sl_median (ratio, ROUNDS);

  note = g_strdup_printf ("%.3f ms, %s %.3f ms, spread %.2f", ms, peers[p].title, theirs,
                          spread (ratio));
  s->cells[p]++;
  s->slower[p] += !(middle >= 1);
  sl_bench_result (bench, name, middle, "x as fast", SL_BAR_LEAST, 1, note);
}

static SlExit
bench_cell (SlBench *bench, Sitting *s, const char *shape, size_t batch)
{
  g_autofree char *cell = g_strdup_printf ("%s.%zu.%u-thread", shape, batch, s->threads);
  g_autofree char *network = g_strdup_printf ("%s %zu", shape, batch);
  double           ours[ROUNDS], theirs[PEERS][ROUNDS], ratio[PEERS][ROUNDS], ms;
  Model            m;
  SlStatus         status = model_init (&m, shape, batch);
  unsigned         steps;

  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  time_steps (&m, s->threads, 2);
  steps = steps_of (time_steps (&m, s->threads, 2));
  for (int p = 0; p < PEERS; p++)
    if (s->peer[p] != NULL)
      sl_bench_peer_ask (s->peer[p], network);
  for (int round = 0; round < ROUNDS; round++)
    {
      /* Twice: threads of the one before that have nothing to do still keep the cores for a moment. */
      time_steps (&m, s->threads, steps);
      ours[round] = time_steps (&m, s->threads, steps);
      for (int p = 0; p < PEERS; p++)
        if (s->peer[p] != NULL)
          {
            g_autofree char *question = g_strdup_printf ("%u", steps);

            sl_bench_peer_ask (s->peer[p], question);
            theirs[p][round] = sl_bench_peer_ask (s->peer[p], question);
            ratio[p][round] = theirs[p][round] / ours[round];
          }
    }
  ms = sl_median (ours, ROUNDS);
  for (int p = 0; p < PEERS; p++)
    if (s->peer[p] != NULL)
      report_ratio (bench, s, p, cell, ms, sl_median (theirs[p], ROUNDS), ratio[p]);
  report_peak (bench, &m, cell, s->threads, s->peak, ms);
  sl_arena_clear (&m.arena);
  return SL_EXIT_FINE;
}

/* Starts a peer, or says that it is not there. */
static SlBenchPeer *
open_peer (SlBench *bench, int p, unsigned threads)
{
  g_autofree char *words = g_strdup_printf ("%s %u", peers[p].name, threads);
  SlBenchPeer     *peer = sl_bench_peer_open ("network.py", words);

  if (peer != NULL && sl_bench_peer_ask (peer, "2-2-2 1") == 0)
    return peer;
  sl_bench_peer_close (peer);
  sl_bench_note (bench, "%s is left out: %s is not installed.", peers[p].title, peers[p].package);
  return NULL;
}

static SlExit
bench_threads (SlBench *bench, unsigned threads, double peak)
{
  Sitting s = { .threads = sl_blas_set_threads (threads), .peak = peak };
  SlExit  code = SL_EXIT_FINE;

  sl_bench_note (bench, "threads: %u", s.threads);
  for (int p = 0; p < PEERS; p++)
    s.peer[p] = open_peer (bench, p, s.threads);
  for (size_t i = 0; i < G_N_ELEMENTS (shapes); i++)
    for (size_t b = 0; b < G_N_ELEMENTS (batches) && code == SL_EXIT_FINE; b++)
      code = bench_cell (bench, &s, shapes[i], batches[b]);
  for (int p = 0; p < PEERS; p++)
    {
      if (s.peer[p] != NULL)
        sl_bench_note (bench, "%s on %u threads: slower than it in %u of %u cells.", peers[p].title,
                       s.threads, s.slower[p], s.cells[p]);
      sl_bench_peer_close (s.peer[p]);
    }
  return code;
}

static SlExit
bench_peers (SlBench *bench)
{
  double peak = sl_bench_peak ();
  SlExit code;

  sl_bench_result (bench, "peers.peak", peak, "GFLOP/s", SL_BAR_NONE, 0,
                   "multiply and add of one core, in registers");
  code = bench_threads (bench, 1, peak);
  if (code == SL_EXIT_FINE && sl_blas_cores () > 1)
    code = bench_threads (bench, sl_blas_cores (), peak);
  return code;
}

const SlBenchGroup sl_bench_peers
  = { "peers", "training steps against PyTorch and scikit-learn", true, bench_peers };
