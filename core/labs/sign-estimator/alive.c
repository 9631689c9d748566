/* SPDX-License-Identifier: MIT
 *
 * The picture of the lab `sign-estimator`: which units are computed for one example, and which of the
 * others would have fired.  */
#include "core/labs/sign-estimator/lab.h"

#include <math.h>

#include "core/lab/kit/alive.h"

enum { SLOT = 0 }; /* colour of the units */

/* One example on the tape. */
typedef struct
{
  SlSignLab     *s;
  SlProbe       *probe;
  SlEstimateMode mode;
  size_t         stride, on, missed, units; /* in all hidden layers */
  double         density[MOST_HIDDEN];
  SlAliveWriter  w;
} Picture;

static SlAliveState
state_of (const Picture *v, unsigned layer, size_t i)
{
  const SlTape *tape = &v->s->tape;
  bool          gates = sl_sign_has_gates (v->s);
  bool          fires = (gates ? tape->est : tape->pre)[layer][i] > 0;

  if (sl_alive_closes (v->probe, layer, i))
    return SL_ALIVE_CLOSED;
  if (v->mode == SL_ESTIMATE_OFF)
    return fires || !sl_activation_has_sign (v->s->net.activation) ? SL_ALIVE_USED
                                                                   : SL_ALIVE_IN_VAIN;
  if (tape->est[layer][i] > 0)
    return fires ? SL_ALIVE_USED : SL_ALIVE_IN_VAIN;
  return fires ? SL_ALIVE_MISSED : SL_ALIVE_SKIPPED;
}

static void
count (Picture *v)
{
  for (unsigned l = 0; l < v->s->hidden; l++)
    {
      size_t units = v->s->net.width[l + 1], on = 0;

      for (size_t i = 0; i < units; i++)
        {
          SlAliveState state = state_of (v, l, i);

          on += state <= SL_ALIVE_IN_VAIN;
          v->missed += state == SL_ALIVE_MISSED;
        }
      v->density[l] = (double) on / (double) units;
      v->on += on;
      v->units += units;
    }
  v->stride = sl_alive_stride (v->units);
}

/* The passage through which the estimate of a layer sees its inputs. */
static void
add_neck (Picture *v, unsigned layer)
{
  const SlPredictor *predictor = &v->s->predictor[layer];
  double             most = (double) predictor->svd.most;
  SlPredictorKind    kind = sl_sign_kind (v->s);
  size_t rank = sl_predictor_is_trained (kind) ? predictor->learned.rank : predictor->svd.rank;

  if (kind == SL_PREDICTOR_MAGNITUDE)
    {
      sl_alive_group (&v->w, SL_ALIVE_NECK, 1, SLOT, sl_message ("gates"));
      sl_alive_cell (&v->w, SL_ALIVE_USED, 1.0, 0.0, layer);
      return;
    }
  if (kind == SL_PREDICTOR_BITS || kind == SL_PREDICTOR_ORACLE)
    {
      sl_alive_group (&v->w, SL_ALIVE_NECK, 1, SLOT,
                      kind == SL_PREDICTOR_BITS ? sl_message ("signs") : sl_message ("oracle"));
      rank = predictor->svd.most;
    }
  else
    sl_alive_group (&v->w, SL_ALIVE_NECK, 1, SLOT, sl_message ("rank %zu", rank));
  sl_alive_cell (&v->w, SL_ALIVE_USED, most > 0.0 ? (double) rank / most : 0.0, 0.0, layer);
}

static double
largest (size_t n, const sl_real *x)
{
  double most = 0.0;

  for (size_t i = 0; i < n; i++)
    most = fmax (most, fabs ((double) x[i]));
  return most > 0.0 ? most : 1.0;
}

static void
add_layer (Picture *v, unsigned layer)
{
  const SlTape  *tape = &v->s->tape;
  size_t         units = v->s->net.width[layer + 1];
  const sl_real *value = tape->x[layer + 1], *lost = tape->pre[layer];
  double         most = largest (units, value), worst = largest (units, lost);

  sl_alive_group (
    &v->w, SL_ALIVE_MOSAIC, units, SLOT,
    sl_message ("layer %u: %.0f of %zu", layer + 1, v->density[layer] * (double) units, units));
  for (size_t i = 0; i < units; i += v->stride)
    {
      SlAliveState state = state_of (v, layer, i);

      sl_alive_cell (&v->w, state, fabs ((double) value[i]) / most,
                     state == SL_ALIVE_MISSED ? (double) lost[i] / worst : 0.0, i);
    }
}

static void
add_sentence (const Picture *v, SlProbe *p)
{
  double share = 100.0 * sl_sign_executed (v->s, v->density);

  if (v->mode == SL_ESTIMATE_OFF && v->on == v->units)
    sl_probe_note (p, "All %zu units computed: nothing estimates their signs.", v->units);
  else if (v->mode == SL_ESTIMATE_OFF)
    sl_probe_note (p, "%zu of %zu units computed, the others are switched off.", v->on, v->units);
  else if (v->mode == SL_ESTIMATE_WATCH)
    sl_probe_note (
      p, "%zu of %zu units would be computed, %zu missed: %.0f %% of the multiplications.", v->on,
      v->units, v->missed, share);
  else if (sl_sign_has_gates (v->s))
    sl_probe_note (p,
                   "%zu of %zu units computed, the others skipped: %.0f %% of the multiplications.",
                   v->on, v->units, share);
  else
    sl_probe_note (p, "%zu of %zu units computed, %zu missed: %.0f %% of the multiplications.",
                   v->on, v->units, v->missed, share);
}

/* A unit without weights and bias gives 0. */
static void
forward (SlSignLab *s, SlProbe *p, const SlEstimate *estimate)
{
  SlAliveAside aside[2 * SL_SUBJECT_CLOSED];
  unsigned     n = 0, n_closed = p->sink->subject != NULL ? p->sink->subject->n_closed : 0;

  for (unsigned i = 0; i < n_closed; i++)
    {
      const SlChosenUnit *unit = &p->sink->subject->closed[i];
      size_t              inputs;

      if (unit->field < s->net.convolutions || unit->field >= s->hidden
          || unit->unit >= s->net.width[unit->field + 1])
        continue;
      inputs = s->net.width[unit->field];
      n += sl_alive_set_aside (
        &aside[n], p, s->net.weights + s->net.at[unit->field] + unit->unit * inputs, inputs, 1, 0);
      n += sl_alive_set_aside (&aside[n], p, sl_net_bias (&s->net, unit->field) + unit->unit, 1, 1,
                               0);
    }
  sl_net_forward (&s->net, &s->tape, 1, NULL, estimate);
  while (n > 0)
    sl_alive_put_back (&aside[--n]);
}

void
sl_sign_probe_alive (SlProbe *p)
{
  SlSignLab *s = sl_sign_lab (p->state);
  SlEstimate estimate = sl_sign_estimate (s);
  Picture    v = { .s = s, .probe = p, .mode = estimate.mode };
  unsigned   layers = s->hidden < SL_ALIVE_GROUPS ? s->hidden : SL_ALIVE_GROUPS;
  unsigned   computed = 1U << SL_ALIVE_USED | 1U << SL_ALIVE_IN_VAIN;
  unsigned   skipped = 1U << SL_ALIVE_SKIPPED | 1U << SL_ALIVE_MISSED;
  bool       gates = estimate.mode != SL_ESTIMATE_OFF;

  sl_alive_take (p, s->tape.x[0], s->label);
  forward (s, p, &estimate);
  count (&v);
  if (!sl_alive_begin (&v.w, p))
    return;
  if (sl_sign_has_gates (s))
    {
      computed = 1U << SL_ALIVE_USED;
      skipped = 1U << SL_ALIVE_SKIPPED;
    }
  sl_alive_input (&v.w, s->tape.x[0], gates ? computed | skipped : computed);
  for (unsigned l = 0; l < layers; l++)
    {
      if (gates && 2 * layers <= SL_ALIVE_GROUPS)
        add_neck (&v, l);
      add_layer (&v, l);
    }
  add_sentence (&v, p);
  sl_alive_output (&v.w, s->net.width[s->net.layers], s->tape.x[s->net.layers], s->label[0]);
  sl_alive_end (&v.w);
}
