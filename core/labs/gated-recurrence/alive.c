/* SPDX-License-Identifier: MIT
 *
 * The picture of the lab `gated-recurrence`: for each of the last letters which blocks of units were computed and
 * which copied their state, and what the network expects to come next.  Where every unit has a gate of its own, a
 * block is a unit.  */
#include <math.h>
#include <string.h>

#include "core/lab/kit/alive.h"
#include "core/labs/gated-recurrence/lab.h"

enum {
  LETTERS = 40,     /* shown, the last one is looked at */
  BEFORE = WARM_UP, /* read before them, as evaluation does */
  ROWS = 32,        /* blocks of all layers */
  SLOT = 0,         /* colour of the blocks */
};

/* A copy is missed when its units differ from what would have been computed, in the root mean square, by more than
 * this part of the norm of their layer's state.  */
static const double MATTERS = 0.1;

/* What became of a block at a letter. */
typedef struct
{
  SlAliveState state;
  double       gate, lost;
} Block;

typedef struct
{
  SlRecurrenceLab *s;
  SlGruGates       gates;
  size_t   blocks, units, stride; /* of a layer; units of a block; every how many-th is shown */
  size_t   at, letters;           /* the letter that is looked at; those shown */
  sl_real *full, *ones, *unread;  /* [x H] of the last layer with all gates 1; those, no gates */
  sl_real *changed;               /* (symbols) logits with a block computed */
  Block   *block;                 /* (letters, layers, blocks) */
  SlAliveWriter w;
} Picture;

static Block *
block_of (const Picture *v, size_t letter, unsigned layer, size_t block)
{
  return v->block + (letter * v->s->net.layers + layer) * v->blocks + block;
}

static bool
is_group_on (const SlGru *gru, const sl_real *z, size_t group)
{
  size_t n = sl_gru_group_units (gru, group);

  for (size_t i = 0; i < n; i++)
    if (z[group * gru->group + i] > 0)
      return true;
  return false;
}

/* The blocks of a layer by its gates, z. */
static void
judge (const Picture *v, size_t letter, unsigned layer)
{
  const SlGru   *gru = &v->s->net.gru[layer];
  const sl_real *z = v->s->z + layer * gru->units;

  for (size_t b = 0; b < v->blocks; b++)
    {
      Block *block = block_of (v, letter, layer, b);

      for (size_t i = 0; i < v->units; i++)
        block->gate = fmax (block->gate, (double) z[b * v->units + i]);
      block->state = block->gate > 0.0                                 ? SL_ALIVE_USED
                     : is_group_on (gru, z, b * v->units / gru->group) ? SL_ALIVE_IN_VAIN
                                                                       : SL_ALIVE_SKIPPED;
    }
}

static double
length (size_t n, const sl_real *x)
{
  double square = 0.0;

  for (size_t i = 0; i < n; i++)
    square += (double) x[i] * (double) x[i];
  return sqrt (square);
}

/* The root mean square of the differences. */
static double
apart (size_t n, const sl_real *x, const sl_real *y)
{
  double square = 0.0;

  for (size_t i = 0; i < n; i++)
    square += ((double) x[i] - (double) y[i]) * ((double) x[i] - (double) y[i]);
  return sqrt (square / (double) n);
}

/* Which of a layer's copies are far from what would have been computed, of its state and the full one (h). */
static void
find_missed (const Picture *v, size_t letter, unsigned layer, const sl_real *state,
             const sl_real *full)
{
  double norm = length (v->units * v->blocks, state);

  for (size_t b = 0; b < v->blocks; b++)
    {
      Block *block = block_of (v, letter, layer, b);
      double away = apart (v->units, state + b * v->units, full + b * v->units);

      if (block->state != SL_ALIVE_SKIPPED || !(away > MATTERS * norm))
        continue;
      block->state = SL_ALIVE_MISSED;
      block->lost = norm > 0.0 ? away / norm : 1.0;
    }
}

static void
read_letter (const Picture *v, uint8_t symbol)
{
  SlRecurrenceLab *s = v->s;

  sl_gru_net_one (&s->net, &v->gates, s->state, symbol, NULL, s->z, s->logits, s->work, s->rows);
}

/* The same of a letter that is shown, with what would have been computed where states were copied. */
static void
look_at_letter (const Picture *v, size_t letter, uint8_t symbol)
{
  SlRecurrenceLab *s = v->s;
  sl_real         *in = s->state, *full = v->full;

  memcpy (full, in, sl_gru_net_state (&s->net) * sizeof *in);
  read_letter (v, symbol);
  for (unsigned l = 0; l < s->net.layers; l++)
    judge (v, letter, l);
  for (unsigned l = 0; l < s->net.layers; in += s->net.gru[l].wide, full += s->net.gru[l].wide, l++)
    {
      size_t d = s->net.gru[l].wide - s->net.gru[l].units;

      memcpy (full, in, d * sizeof *in); /* what came from below with this letter */
      sl_gru_net_full (&s->net, l, &v->gates, full, symbol, v->ones, v->unread, s->work, s->rows);
      find_missed (v, letter, l, in + d, full + d);
    }
}

static void
read_text (const Picture *v)
{
  SlRecurrenceLab *s = v->s;
  const uint8_t   *text = s->base.dataset->bytes;
  size_t           first = v->at + 1 - v->letters;

  memset (s->state, 0, sl_gru_net_state (&s->net) * sizeof *s->state);
  for (size_t i = first < BEFORE ? 0 : first - BEFORE; i < first; i++)
    read_letter (v, text[i]);
  for (size_t i = 0; i < v->letters; i++)
    look_at_letter (v, i, text[first + i]);
}

static void
add_letters (Picture *v)
{
  const SlDataset *data = v->s->base.dataset;
  size_t           first = v->at + 1 - v->letters;
  unsigned         states = 1U << SL_ALIVE_USED | 1U << SL_ALIVE_SKIPPED | 1U << SL_ALIVE_MISSED;

  if (v->s->net.gru[0].gating == SL_GRU_UNITS)
    states |= 1U << SL_ALIVE_IN_VAIN;
  sl_alive_line (&v->w, sl_message ("letter %zu", v->at + 1 - sl_dataset_first (data, SL_VALID)),
                 states);
  for (size_t i = 0; i < v->letters; i++)
    sl_alive_token (&v->w, data->class_title[data->bytes[first + i]], 0,
                    (int) i + 1 - (int) v->letters);
}

static void
add_block (Picture *v, size_t letter, size_t row)
{
  size_t       of_layer = (v->blocks + v->stride - 1) / v->stride;
  unsigned     layer = (unsigned) (row / of_layer);
  size_t       number = row % of_layer * v->stride;
  const Block *block = block_of (v, letter, layer, number);

  sl_alive_cell (&v->w, block->state, block->gate,
                 block->state == SL_ALIVE_MISSED ? block->lost : 0.0, layer * v->blocks + number);
}

/* How large the state of each shown block is, in parts of the largest. */
static void
add_state (Picture *v)
{
  const SlGruNet *net = &v->s->net;
  const sl_real  *layer = v->s->state;
  double          size[ROWS], largest = 0.0;
  unsigned        rows = 0, row = 0;

  for (unsigned l = 0; l < net->layers; layer += net->gru[l++].wide)
    for (size_t b = 0; b < v->blocks; b += v->stride, rows++)
      {
        size[rows] = length (v->units, layer + net->gru[l].wide - net->gru[l].units + b * v->units);
        largest = fmax (largest, size[rows]);
      }
  sl_alive_grid (&v->w, SL_ALIVE_FIELD, rows, 1, SLOT, sl_message ("state"));
  for (unsigned l = 0; l < net->layers; l++)
    for (size_t b = 0; b < v->blocks; b += v->stride, row++)
      sl_alive_cell (&v->w, SL_ALIVE_USED, largest > 0.0 ? size[row] / largest : 0.0, 0.0,
                     l * v->blocks + b);
}

static void
add_groups (Picture *v)
{
  unsigned layers = v->s->net.layers;
  size_t   rows = layers * ((v->blocks + v->stride - 1) / v->stride);
  bool     units = v->s->net.gru[0].gating == SL_GRU_UNITS;

  sl_alive_grid (&v->w, SL_ALIVE_FIELD, rows, v->letters, SLOT,
                 layers > 1 ? units ? sl_message ("units, layer 1 above layer 2")
                                    : sl_message ("blocks, layer 1 above layer 2")
                 : units ? sl_message ("units")
                            : sl_message ("blocks"));
  for (size_t row = 0; row < rows; row++)
    for (size_t i = 0; i < v->letters; i++)
      add_block (v, i, row);
  sl_alive_grid (&v->w, SL_ALIVE_BARS, rows, 1, SLOT, sl_message ("gates"));
  for (size_t row = 0; row < rows; row++)
    add_block (v, v->letters - 1, row);
  add_state (v);
}

/* What the letter that is looked at cost. */
static void
count (Picture *v)
{
  const SlGruNet *net = &v->s->net;
  size_t          computed = 0, missed = 0, all = net->layers * v->blocks;
  double          executed[SL_GRU_LAYERS] = { 0 }, cost;

  for (unsigned l = 0; l < net->layers; l++)
    for (size_t b = 0; b < v->blocks; b++)
      {
        SlAliveState state = block_of (v, v->letters - 1, l, b)->state;
        bool         on = state == SL_ALIVE_USED || state == SL_ALIVE_IN_VAIN;

        computed += on;
        missed += state == SL_ALIVE_MISSED;
        executed[l] += on ? 1.0 / (double) v->blocks : 0.0;
      }
  cost = 100.0 * sl_recurrence_cost (v->s, executed);
  if (net->gru[0].gating == SL_GRU_UNITS)
    sl_probe_note (v->w.probe,
                   "%zu of %zu units computed, %zu missed: %.0f %% of the multiplications.",
                   computed, all, missed, cost);
  else
    sl_probe_note (v->w.probe,
                   "%zu of %zu blocks computed, %zu missed: %.0f %% of the multiplications.",
                   computed, all, missed, cost);
}

/* Room for what lies between a letter and the next, and for the blocks. */
static bool
begin (Picture *v)
{
  const SlGruNet *net = &v->s->net;
  size_t          h = net->gru[0].units;
  SlProbe        *p = v->w.probe;

  v->full = sl_probe_room (p, sl_gru_net_state (net), sizeof *v->full);
  v->ones = sl_probe_room (p, h, sizeof *v->ones);
  v->unread = sl_probe_room (p, h, sizeof *v->unread);
  v->block = sl_probe_room (p, v->letters * net->layers * v->blocks, sizeof *v->block);
  for (size_t i = 0; sl_ok (&p->status) && i < h; i++)
    v->ones[i] = 1;
  return sl_ok (&p->status);
}

void
sl_recurrence_probe_alive (SlProbe *p)
{
  SlRecurrenceLab *s = sl_recurrence_lab (p->state);
  Picture          v = { .s = s, .gates = sl_recurrence_given (s), .at = sl_alive_example (p) };

  v.blocks = s->net.gru[0].columns;
  v.units = s->net.gru[0].units / v.blocks;
  v.stride = (v.blocks * s->net.layers + ROWS - 1) / ROWS;
  v.letters = v.at + 1 < LETTERS ? v.at + 1 : LETTERS;
  if (!sl_alive_begin (&v.w, p) || !begin (&v))
    return;
  read_text (&v);
  add_letters (&v);
  add_groups (&v);
  count (&v);
  sl_alive_next (&v.w, s->net.symbols, s->logits, s->base.dataset->label[v.at],
                 s->base.dataset->class_title);
  sl_alive_end (&v.w);
}
