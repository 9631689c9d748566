/* SPDX-License-Identifier: MIT
 *
 * What the lab `gated-recurrence` finds out by reading a text; see gated-recurrence.h.  */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/labs/gated-recurrence/lab.h"

double
sl_recurrence_gram_bits (const SlDataset *d, unsigned order)
{
  const size_t most = (size_t) 1 << 22;
  size_t       cells = 1, n = d->n[SL_TRAIN], code = 0;
  uint32_t    *count;
  double       bits = 0;

  for (unsigned i = 0; i < order; i++)
    cells *= d->classes;
  if (cells > most || n < order)
    return NAN;
  count = calloc (cells, sizeof *count);
  if (count == NULL)
    return NAN;
  for (size_t i = 0; i < n; i++)
    {
      code = (code * d->classes + d->bytes[i]) % cells;
      count[code] += i + 1 >= order;
    }
  for (size_t first = 0; first < cells; first += d->classes)
    {
      double sum = 0;

      for (size_t i = 0; i < d->classes; i++)
        sum += count[first + i];
      for (size_t i = 0; i < d->classes; i++)
        if (count[first + i] > 0)
          bits -= count[first + i] * log2 (count[first + i] / sum);
    }
  free (count);
  return bits / (double) (n - order + 1);
}

/* Added to the variance of a gate: one that never varies gets y = s. */
static const double EPSILON = 1e-5;

SlGruGates
sl_recurrence_given (const SlRecurrenceLab *s)
{
  return (SlGruGates) { .s = sl_value_of (&s->base, P_OFFSET), .epsilon = EPSILON, .given = true };
}

void
sl_recurrence_fetch (const SlRecurrenceLab *s, size_t first, size_t apart, size_t batch,
                     size_t steps, uint8_t *symbol)
{
  const SlDataset *d = s->base.dataset;

  for (size_t e = 0; e < batch; e++)
    for (size_t t = 0; t <= steps; t++)
      {
        size_t at = first + e * apart + t;

        symbol[t * batch + e] = t < steps ? d->bytes[at] : d->label[at - 1];
      }
}

void
sl_recurrence_densities (const SlGruNet *net, const SlGruRun *run, size_t steps, double *density,
                         double *executed)
{
  for (unsigned l = 0; l < net->layers; l++)
    {
      const SlGru *gru = &net->gru[l];
      size_t       n = steps * run->batch * gru->columns, on = 0;

      for (size_t i = 0; i < n; i++)
        on += run->tape[l].z[i] > 0;
      density[l] = (double) on / (double) n;
      executed[l] = (double) sl_gru_pairs (gru, &run->tape[l], steps)
                    / (double) (steps * run->batch * gru->units);
    }
}

double
sl_recurrence_cost (const SlRecurrenceLab *s, const double *executed)
{
  return 1.0 / sl_gru_net_bound (&s->net, executed);
}

/* Counts what a stretch of reading did. */
static void
count_stretch (SlRecurrenceLab *s, const SlGruNet *net, const SlGruRun *run, size_t steps,
               Findings *findings)
{
  double density[SL_GRU_LAYERS], executed[SL_GRU_LAYERS];

  sl_recurrence_densities (net, run, steps, density, executed);
  for (unsigned l = 0; l < net->layers; l++)
    {
      size_t    c = net->gru[l].columns;
      uint32_t *times = s->times_on + l * c;

      for (size_t row = 0; row < steps * run->batch; row++)
        for (size_t j = 0; j < c; j++)
          times[j] += run->tape[l].z[row * c + j] > 0;
      findings->density[l] += density[l] * (double) steps;
      findings->executed[l] += executed[l] * (double) steps;
    }
}

/* Turns sums over `steps` steps of the readers into what they are called. */
static void
conclude (const SlRecurrenceLab *s, size_t steps, Findings *findings)
{
  for (unsigned l = 0; l < s->net.layers; l++)
    {
      size_t c = s->net.gru[l].columns, total = steps * s->readers;

      findings->density[l] /= (double) steps;
      findings->executed[l] /= (double) steps;
      for (size_t j = 0; j < c; j++)
        {
          findings->stuck[l][T_OFF] += s->times_on[l * c + j] == 0;
          findings->stuck[l][T_ON] += s->times_on[l * c + j] == total;
        }
      findings->stuck[l][T_OFF] /= (double) c;
      findings->stuck[l][T_ON] /= (double) c;
    }
}

void
sl_recurrence_read (SlRecurrenceLab *s, bool twin, size_t first, size_t letters, Findings *findings,
                    SlRecurrenceEach each, void *data)
{
  SlGruNet  *net = twin ? &s->twin : &s->net;
  SlGruRun  *run = twin ? &s->twin_read : &s->read;
  SlGruGates gates = sl_recurrence_given (s);
  size_t     apart = letters / s->readers, c = s->net.gru[0].columns;

  *findings = (Findings) { 0 };
  memset (s->times_on, 0, SL_GRU_LAYERS * c * sizeof *s->times_on);
  sl_gru_net_pack (net);
  sl_gru_net_rest (net, run, 0, run->batch);
  for (size_t before = first < WARM_UP ? 0 : WARM_UP; before > 0; before -= STRETCH)
    {
      sl_recurrence_fetch (s, first - before, apart, s->readers, STRETCH, s->read_symbol);
      sl_gru_net_forward (net, run, STRETCH, s->read_symbol, &gates);
      sl_gru_net_carry (net, run, STRETCH);
    }
  for (size_t done = 0; done < apart;)
    {
      size_t steps = apart - done < STRETCH ? apart - done : STRETCH;

      sl_recurrence_fetch (s, first + done, apart, s->readers, steps, s->read_symbol);
      sl_gru_net_forward (net, run, steps, s->read_symbol, &gates);
      findings->bits += sl_gru_net_loss (net, run, steps, s->read_symbol + s->readers, false)
                        / M_LN2 * (double) steps;
      if (!twin)
        count_stretch (s, net, run, steps, findings);
      if (each != NULL)
        each (s, steps, data);
      sl_gru_net_carry (net, run, steps);
      done += steps;
    }
  findings->bits /= (double) apart;
  if (!twin)
    conclude (s, apart, findings);
}
