/* SPDX-License-Identifier: MIT
 *
 * The picture of the lab `stochastic-gates`, of its uppermost layer: how likely the gater wants each expert for
 * one example, and which ones are drawn.  The same uniform numbers each time, so that a gate changes only where its
 * probability does.  */
#include "core/labs/stochastic-gates/lab.h"

#include <math.h>

#include "core/lab/kit/alive.h"

enum { SLOT = 0 }; /* colour of the experts */

/* How likely each gate is not 0, into s->mean (N); how far open the one that always is.  The layers below
 * have run.  */
static void
find_chances (SlGatesLab *s)
{
  SlGaterUnit  unit = sl_gates_unit (s);
  double       scale;
  SlGaterNoise noise = sl_gates_noise (s, &scale);

  sl_gater_logits (&s->top->gater, 0, &s->top->tape, 1);
  for (size_t i = 0; i < s->top->gater.units; i++)
    {
      double a = (double) s->top->tape.z[i];

      s->mean[i]
        = (sl_real) (unit.kind == SL_GATER_SIGMOID ? sl_gater_sigmoid (a)
                                                   : sl_gater_active (&unit, noise, scale, a));
    }
}

static double
output_of (const SlGatesLab *s, size_t i)
{
  return fabs ((double) (s->top->tape.h[i] * s->top->tape.e[i]));
}

static bool
is_on (const SlGatesLab *s, size_t i)
{
  return s->top->tape.h[i] != 0;
}

static SlAliveState
state_of (const SlGatesLab *s, const SlProbe *p, size_t i)
{
  return sl_alive_closes (p, 0, i) ? SL_ALIVE_CLOSED
         : is_on (s, i)            ? SL_ALIVE_USED
                                   : SL_ALIVE_SKIPPED;
}

/* An expert without weights and bias gives 0, drawn or not. */
static void
run (SlGatesLab *s, SlProbe *p, SlGatesDraws *draws)
{
  size_t       inputs = s->top->gater.inputs;
  sl_real     *weight = sl_gater_weight (&s->top->gater, SL_GATER_EXPERTS);
  sl_real     *bias = sl_gater_bias (&s->top->gater, SL_GATER_EXPERTS);
  SlAliveAside aside[2 * SL_SUBJECT_CLOSED];
  unsigned     n = 0;

  for (size_t i = 0; i < s->top->gater.units && n < 2 * SL_SUBJECT_CLOSED - 1; i++)
    if (sl_alive_closes (p, 0, i))
      {
        n += sl_alive_set_aside (&aside[n], p, weight + i * inputs, inputs, 1, 0);
        n += sl_alive_set_aside (&aside[n], p, bias + i, 1, 1, 0);
      }
  sl_gates_run_tapes (s, USE_SAMPLED, 0, 1, draws);
  while (n > 0)
    sl_alive_put_back (&aside[--n]);
}

static void
add_groups (SlAliveWriter *w, const SlGatesLab *s, size_t on)
{
  size_t units = s->top->gater.units, stride = sl_alive_stride (2 * units);
  double largest = 0.0;

  for (size_t i = 0; i < units; i++)
    largest = is_on (s, i) ? fmax (largest, output_of (s, i)) : largest;
  sl_alive_group (w, SL_ALIVE_CHANCES, units, SLOT, sl_message ("gate chances"));
  for (size_t i = 0; i < units; i += stride)
    sl_alive_cell (w, state_of (s, w->probe, i), (double) s->mean[i], 0.0, i);
  sl_alive_group (w, SL_ALIVE_MOSAIC, units, SLOT, sl_message ("experts: %zu of %zu", on, units));
  for (size_t i = 0; i < units; i += stride)
    sl_alive_cell (w, state_of (s, w->probe, i),
                   is_on (s, i) && largest > 0.0 ? output_of (s, i) / largest : 0.0, 0.0, i);
}

void
sl_gates_probe_alive (SlProbe *p)
{
  SlGatesLab   *s = sl_gates_lab (p->state);
  size_t        example = sl_alive_example (p), units = s->top->gater.units, on = 0;
  double        density[MOST_LAYERS];
  SlAliveWriter w;
  SlGatesDraws  draws;

  sl_rng_init (&draws.shift, example, "picture");
  sl_rng_init (&draws.uniform, example, "picture-draws");
  if (!sl_alive_begin (&w, p))
    return;
  sl_alive_take (p, s->layer[0].tape.x, s->label);
  sl_alive_input (&w, s->layer[0].tape.x, 1U << SL_ALIVE_USED | 1U << SL_ALIVE_SKIPPED);
  sl_gates_rescale (s, 1);
  run (s, p, &draws);
  find_chances (s);
  sl_probe_dense (1, s->top->gater.inputs, units, s->top->tape.x,
                  sl_gater_weight (&s->top->gater, SL_GATER_EXPERTS),
                  sl_gater_bias (&s->top->gater, SL_GATER_EXPERTS), s->top->tape.e);
  for (size_t i = 0; i < units; i++)
    on += is_on (s, i) && !sl_alive_closes (p, 0, i);
  add_groups (&w, s, on);
  sl_gates_densities (s, 0, density);
  density[s->layers - 1] = (double) on / (double) units;
  sl_gates_note_layer (s, p);
  sl_probe_note (p, "%zu of %zu gates on: %.0f %% of the multiplications.", on, units,
                 sl_gates_cost (s, density, true));
  sl_alive_output (&w, s->top->gater.outputs, s->top->tape.o, s->label[0]);
  sl_alive_end (&w);
}
