/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `gated-recurrence` that need a computation of their own: timed passes,
 * samples, gates over a text, runs of copies.  They use their own tapes, which training does not
 * see.  */
#include "core/labs/gated-recurrence/lab.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/lab/kit/clock.h"
#include "core/lab/kit/distance.h"
#include "core/nn/dense/batchnorm.h"

enum {
  WRITTEN = 40,       /* letters of a sample */
  PROMPT = 24,        /* validation letters before it */
  LONGEST = 64,       /* runs of copies: this long or longer */
  RUN_LETTERS = 8192, /* validation letters they are counted over */
  BINS = 60,          /* of the function of the gates, from -BINS_TO to BINS_TO */
  BINS_TO = 3,
  SHOWN = 64, /* blocks and texts of a picture of gates */
  DEEP = 4,   /* states of a reader that distances are measured between */
};

static size_t
valid_first (const SlRecurrenceLab *s)
{
  return sl_dataset_first (s->base.dataset, SL_VALID);
}

/* ---- speed ---- */

/* Letters that a side has read so far; both read the same text. */
typedef struct
{
  size_t dense, gated;
} Read;

static uint8_t
letter (const SlRecurrenceLab *s, size_t at)
{
  return s->base.dataset->bytes[valid_first (s) + at % s->base.dataset->n[SL_VALID]];
}

static void
one (SlRecurrenceLab *s, const SlGruNet *net, sl_real *state, size_t at)
{
  SlGruGates gates = sl_recurrence_given (s);

  sl_gru_net_one (net, &gates, state, letter (s, at), NULL, s->z, s->logits, s->work, s->rows);
}

static void
many (SlRecurrenceLab *s, const SlGruNet *net, SlGruRun *run, size_t at)
{
  SlGruGates gates = sl_recurrence_given (s);

  for (size_t e = 0; e < s->batch; e++)
    s->timed_symbol[e] = letter (s, at + e * (s->base.dataset->n[SL_VALID] / s->batch));
  sl_gru_net_forward (net, run, 1, s->timed_symbol, &gates);
  sl_gru_net_carry (net, run, 1);
}

/* A letter of one text, or of as many as are read in training. */
static size_t
clock_begin (SlPasses *passes)
{
  SlRecurrenceLab *s = sl_recurrence_lab (passes->probe.state);

  passes->own = sl_probe_room (&passes->probe, 1, sizeof (Read));
  sl_gru_net_pack (&s->twin);
  memset (s->state, 0, sl_gru_net_state (&s->net) * sizeof *s->state);
  memset (s->twin_state, 0, sl_gru_net_state (&s->twin) * sizeof *s->state);
  sl_gru_net_rest (&s->net, &s->timed, 0, s->batch);
  sl_gru_net_rest (&s->twin, &s->twin_timed, 0, s->batch);
  /* Gates of states that have read something. */
  for (size_t i = 0; i < PROMPT; i++)
    {
      one (s, &s->net, s->state, i);
      many (s, &s->net, &s->timed, i);
    }
  return s->batch;
}

static void
clock_dense (SlPasses *passes)
{
  SlRecurrenceLab *s = sl_recurrence_lab (passes->probe.state);
  Read            *read = passes->own;

  if (passes->batch == 1)
    one (s, &s->twin, s->twin_state, read->dense++);
  else
    many (s, &s->twin, &s->twin_timed, read->dense++);
}

static void
clock_conditional (SlPasses *passes)
{
  SlRecurrenceLab *s = sl_recurrence_lab (passes->probe.state);
  Read            *read = passes->own;

  if (passes->batch == 1)
    one (s, &s->net, s->state, read->gated++);
  else
    many (s, &s->net, &s->timed, read->gated++);
}

const SlClock sl_recurrence_passes = { .channel = "speed.speed-up",
                                       .speed_up = true,
                                       .begin = clock_begin,
                                       .dense = clock_dense,
                                       .conditional = clock_conditional };

/* What was published for 1024 units at the nearest s and g. */
static double
published (const SlRecurrenceLab *s, char *where, size_t size)
{
  static const double units[4][3]
    = { { 1.55, 1.38, 1.43 }, { 1.87, 1.67, 1.63 }, { 1.86, 1.66, 1.99 }, { 2.55, 2.18, 2.29 } };
  static const double blocks[4][3]
    = { { 1.20, 1.06, 0.73 }, { 1.68, 1.72, 1.88 }, { 1.68, 1.62, 1.72 }, { 1.95, 1.62, 1.57 } };
  double row = rint (fmin (fmax (sl_value_of (&s->base, P_OFFSET) / -0.25, 0), 3));
  double column = rint (fmin (fmax (log2 (sl_value_of (&s->base, P_GATES) / 16), 0), 2));
  bool   by_units = s->net.gru[0].gating == SL_GRU_UNITS;

  snprintf (where, size, "s = %g, g = %g", row > 0 ? -0.25 * row : 0.0, 16 * exp2 (column));
  return (by_units ? units : blocks)[(size_t) row][(size_t) column];
}

static void
probe_speed (SlProbe *p)
{
  SlRecurrenceLab *s = sl_recurrence_lab (p->state);
  size_t           letters = sl_examples (&s->base, SL_VALID, 512.0);
  Findings         found;
  char             where[48];
  SlMeasured       bars[4] = { sl_counted (NAN), sl_counted (NAN) };

  sl_recurrence_read (s, false, valid_first (s), letters < s->readers ? s->readers : letters,
                      &found, NULL, NULL);
  bars[2] = sl_counted (sl_gru_net_bound (&s->net, found.density));
  bars[3] = sl_counted (published (s, where, sizeof where));
  sl_probe_bars (p, 0, 4, bars);
  sl_probe_note (p, "Published for %s. Here kernel %s, %.0f %% of the gates on", where,
                 sl_probe_kernel (p), 100 * found.density[0]);
}

/* ---- samples ---- */

/* A symbol by its probability. */
static uint8_t
draw (const SlRecurrenceLab *s, SlRng *rng)
{
  size_t c = s->base.dataset->classes, symbol = 0;
  double heat = sl_value_of (&s->base, P_TEMPERATURE), top = (double) s->logits[0], sum = 0, left;

  for (size_t i = 1; i < c; i++)
    top = fmax (top, (double) s->logits[i]);
  for (size_t i = 0; i < c; i++)
    sum += exp (((double) s->logits[i] - top) / heat);
  left = sl_rng_uniform (rng) * sum;
  while (symbol + 1 < c && (left -= exp (((double) s->logits[symbol] - top) / heat)) > 0)
    symbol++;
  return (uint8_t) symbol;
}

static void
probe_sample (SlProbe *p)
{
  SlRecurrenceLab *s = sl_recurrence_lab (p->state);
  size_t           h = s->net.gru[0].units, layers = s->net.layers;
  uint8_t          symbol = letter (s, 0);
  double          *cells = sl_probe_matrix (p, 1, layers, WRITTEN);
  char             text[SL_SNAPSHOT_NOTE] = "";
  size_t           used = 0;
  SlRng            rng;

  if (cells == NULL)
    return;
  p->snapshot->lo = 0;
  p->snapshot->hi = 100;
  /* A stream of its own for every update: looking changes nothing. */
  sl_rng_init (&rng, s->seed + s->base.now.t, "sample");
  memset (s->state, 0, sl_gru_net_state (&s->net) * sizeof *s->state);
  for (size_t i = 0; i < PROMPT; i++)
    one (s, &s->net, s->state, i);
  for (size_t i = 0; i < WRITTEN; i++)
    {
      SlGruGates  gates = sl_recurrence_given (s);
      const char *title;

      symbol = draw (s, &rng);
      title = s->base.dataset->class_title[symbol];
      sl_probe_name (p, "%s\n", title);
      if (used < sizeof text)
        used += (size_t) snprintf (text + used, sizeof text - used, "%s", title);
      sl_gru_net_one (&s->net, &gates, s->state, symbol, NULL, s->z, s->logits, s->work, s->rows);
      for (size_t l = 0; l < layers; l++)
        {
          size_t on = 0;

          for (size_t j = 0; j < h; j++)
            on += s->z[l * h + j] != 0;
          cells[l * WRITTEN + i] = 100.0 * (double) on / (double) h;
        }
    }
  p->snapshot->note = sl_message_verbatim (text);
}

/* ---- runs of copies ---- */

typedef struct
{
  uint32_t *off;                          /* (layers, readers, columns): letters off so far */
  double    runs[SL_GRU_LAYERS][LONGEST]; /* that ended, by length */
} Runs;

static void
count_runs (SlRecurrenceLab *s, size_t steps, void *data)
{
  Runs  *runs = data;
  size_t c = s->net.gru[0].columns, n = s->readers * c;

  for (unsigned l = 0; l < s->net.layers; l++)
    for (size_t t = 0; t < steps; t++)
      for (size_t i = 0; i < n; i++)
        {
          uint32_t *off = &runs->off[l * n + i];

          if (!(s->read.tape[l].z[t * n + i] > 0))
            ++*off;
          else if (*off > 0)
            {
              runs->runs[l][*off < LONGEST ? *off - 1 : LONGEST - 1]++;
              *off = 0;
            }
        }
}

static void
probe_copies (SlProbe *p)
{
  SlRecurrenceLab *s = sl_recurrence_lab (p->state);
  size_t           n = s->readers * s->net.gru[0].columns;
  size_t           letters = sl_examples (&s->base, SL_VALID, RUN_LETTERS);
  Runs             runs = { .off = sl_probe_room (p, SL_GRU_LAYERS * n, sizeof *runs.off) };
  Findings         found;

  if (runs.off == NULL)
    return;
  letters = letters < s->readers ? s->readers : letters;
  sl_recurrence_read (s, false, valid_first (s), letters, &found, count_runs, &runs);
  for (unsigned l = 0; l < s->net.layers; l++)
    {
      double total = 0;

      for (size_t i = 0; i < LONGEST; i++)
        total += runs.runs[l][i];
      for (size_t i = 0; i < LONGEST; i++)
        runs.runs[l][i] = total > 0 ? 100.0 * runs.runs[l][i] / total : 0.0;
      sl_probe_values (p, 0, l, 1, LONGEST, runs.runs[l]);
    }
  sl_probe_note (p, "%zu validation letters; the last point is 64 letters or more", letters);
}

/* ---- products of blocks ---- */

/* The gates of the first layer at the last letter that the readers have read, a row for each block. */
static void
probe_products (SlProbe *p)
{
  SlRecurrenceLab *s = sl_recurrence_lab (p->state);
  size_t           blocks = s->net.gru[0].columns, texts = s->readers, on = 0;
  size_t           letters = sl_examples (&s->base, SL_VALID, (double) (PROMPT * texts));
  size_t           steps = letters / texts < STRETCH ? letters / texts : STRETCH;
  size_t           least = texts, most = 0;
  size_t           shown[2] = { blocks < SHOWN ? blocks : SHOWN, texts < SHOWN ? texts : SHOWN };
  double          *cells = sl_probe_matrix (p, 1, shown[0], shown[1]);
  const sl_real   *z;
  Findings         found;

  if (cells == NULL)
    return;
  sl_recurrence_read (s, false, valid_first (s), steps * texts, &found, NULL, NULL);
  z = s->read.tape[0].z + (steps - 1) * texts * blocks;
  p->snapshot->lo = 0;
  p->snapshot->hi = 1;
  for (size_t b = 0; b < blocks; b++)
    {
      size_t here = 0;

      for (size_t e = 0; e < texts; e++)
        {
          double gate = (double) z[e * blocks + b];

          here += gate > 0;
          if (b < shown[0] && e < shown[1])
            cells[b * shown[1] + e] = gate;
        }
      on += here;
      least = here < least ? here : least;
      most = here > most ? here : most;
    }
  sl_probe_note (p, "%zu products of %zu to %zu of %zu texts: %.0f %% of one product of all",
                 blocks, least, most, texts, 100.0 * (double) on / (double) (blocks * texts));
}

/* ---- the function of the gates ---- */

/* Adds the normalised gates of a layer in the first `rows` rows of the readers to their bins. */
static void
count_values (const SlGru *gru, const SlGruTape *tape, const sl_real *w, size_t rows, double *bin)
{
  for (size_t row = 0; row < rows; row++)
    for (size_t j = 0; j < gru->columns; j++)
      {
        double v = (double) tape->norm[row * gru->columns + j], at;

        if (gru->affine)
          v = (double) w[gru->at_gamma + j] * v + (double) w[gru->at_beta + j];
        at = (v + BINS_TO) * BINS / (2.0 * BINS_TO);
        if (at >= 0 && at < BINS)
          bin[(size_t) at]++;
      }
}

static void
probe_clipped (SlProbe *p)
{
  SlRecurrenceLab *s = sl_recurrence_lab (p->state);
  size_t           letters = sl_examples (&s->base, SL_VALID, (double) (STRETCH * s->readers));
  size_t           apart = letters / s->readers, steps = apart < STRETCH ? apart : STRETCH;
  sl_real  y[BINS], offset = (sl_real) sl_value_of (&s->base, P_OFFSET), z[BINS], slope[BINS];
  double   x[BINS], curve[BINS];
  Findings found;

  for (size_t i = 0; i < BINS; i++)
    {
      x[i] = ((double) i + 0.5) * 2 * BINS_TO / BINS - BINS_TO;
      y[i] = (sl_real) x[i];
      slope[i] = 1;
    }
  sl_clipped_tanh_forward (BINS, offset, y, z);
  sl_clipped_tanh_backward (BINS, z, slope, slope);
  for (size_t i = 0; i < BINS; i++)
    curve[i] = (double) z[i];
  sl_probe_points (p, T_CLIPPED, 0, BINS, x, curve);
  for (size_t i = 0; i < BINS; i++)
    curve[i] = (double) slope[i];
  sl_probe_points (p, T_SLOPE, 0, BINS, x, curve);
  /* The last stretch that was read stays in the readers' tapes. */
  sl_recurrence_read (s, false, valid_first (s), steps * s->readers, &found, NULL, NULL);
  for (unsigned l = 0; l < s->net.layers; l++)
    {
      double most = 0;

      memset (curve, 0, sizeof curve);
      count_values (&s->net.gru[l], &s->read.tape[l], s->net.weights + s->net.at[l],
                    steps * s->readers, curve);
      for (size_t i = 0; i < BINS; i++)
        most = fmax (most, curve[i]);
      for (size_t i = 0; i < BINS && most > 0; i++)
        curve[i] /= most;
      sl_probe_points (p, T_HERE, l, BINS, x, curve);
    }
  sl_probe_note (p, "%zu validation letters", steps * s->readers);
}

/* ---- distance of gated states ---- */

/* Reads the first validation letters of every reader's text and keeps the states after each of the
 * last DEEP of them, layer by layer, (readers, DEEP, h).  With `ones` all gates are those.  */

static void
keep_states (SlRecurrenceLab *s, const sl_real *ones, sl_real *const *kept)
{
  SlGruGates gates = sl_recurrence_given (s);
  size_t     h = s->net.gru[0].units, apart = s->base.dataset->n[SL_VALID] / s->readers;
  size_t     steps = apart < STRETCH ? apart : STRETCH;

  for (unsigned l = 0; l < s->net.layers && ones != NULL; l++)
    gates.z[l] = ones;
  sl_gru_net_pack (&s->net);
  sl_gru_net_rest (&s->net, &s->read, 0, s->read.batch);
  sl_recurrence_fetch (s, valid_first (s), apart, s->readers, steps, s->read_symbol);
  sl_gru_net_forward (&s->net, &s->read, steps, s->read_symbol, &gates);
  for (unsigned l = 0; l < s->net.layers; l++)
    for (size_t i = 0; i < DEEP * s->readers; i++)
      {
        const SlGru *gru = &s->net.gru[l];
        size_t       back = i % DEEP < steps ? i % DEEP : 0;
        size_t       at = (steps - back) * s->readers + i / DEEP;

        memcpy (kept[l] + i * h, s->read.tape[l].in + at * gru->stride + gru->wide - h,
                h * sizeof *kept[l]);
      }
}

/* States that gates have left alone here and there against those of the same weights with every gate
 * on.  Half of the readers are one sample, the others the second.  */
static void
probe_distance (SlProbe *p)
{
  SlRecurrenceLab *s = sl_recurrence_lab (p->state);
  size_t           h = s->net.gru[0].units, c = s->net.gru[0].columns, half = DEEP * s->readers / 2;
  size_t           gates = STRETCH * s->readers * (h > c ? h : c);
  sl_real         *kept[2][SL_GRU_LAYERS], *ones;
  SlDistance       distance[SL_GRU_LAYERS];

  if (sl_gru_is_dense (&s->net.gru[0]))
    {
      sl_probe_note (p, "The gates are never off.");
      return;
    }
  ones = sl_probe_room (p, gates, sizeof *ones);
  for (int side = 0; side < 2; side++)
    for (unsigned l = 0; l < s->net.layers; l++)
      kept[side][l] = sl_probe_room (p, DEEP * s->readers * h, sizeof *ones);
  if (!sl_ok (&p->status))
    return;
  for (size_t i = 0; i < gates; i++)
    ones[i] = 1;
  keep_states (s, ones, kept[0]);
  keep_states (s, NULL, kept[1]);
  for (unsigned l = 0; l < s->net.layers && !sl_probe_cancelled (p); l++)
    distance[l] = sl_distance (h, half, kept[0][l], kept[0][l] + half * h, kept[1][l] + half * h);
  sl_distance_show (p, s->net.layers, distance);
  sl_probe_note (p, "%zu states on either side; dense: the same weights, every gate on", half);
}

const SlProbePanel sl_recurrence_probes[N_PANELS] = {
  [V_ALIVE] = sl_recurrence_probe_alive,
  [V_SPEED] = probe_speed,
  [V_SAMPLE] = probe_sample,
  [V_COPIES] = probe_copies,
  [V_PRODUCTS] = probe_products,
  [V_CLIPPED] = probe_clipped,
  [V_DISTANCE] = probe_distance,
};
