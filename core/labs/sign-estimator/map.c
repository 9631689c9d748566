/* SPDX-License-Identifier: MIT
 *
 * What a network with sign estimates does at a point, for the gating map.  */
#include "core/labs/sign-estimator/lab.h"

#include <string.h>
#include <tgmath.h>

#include "core/nn/dense/loss.h"

/* Adds the units of one hidden layer, number `first` and on, to what is known of a cell. */
static void
add_layer (SlCell *cell, size_t first, size_t units, const sl_real *gate, const sl_real *truth,
           const sl_real *output, sl_real *largest)
{
  for (size_t i = 0; i < units; i++)
    {
      bool on = gate[i] > 0;

      cell->confidence += isfinite (gate[i]) ? fabs (gate[i]) / (fabs (gate[i]) + 1) : 1;
      cell->misjudged += on != (truth[i] > 0);
      if (on)
        sl_cell_add (cell, first + i);
      if (output[i] > *largest)
        {
          *largest = output[i];
          cell->top = (uint32_t) (first + i);
        }
    }
}

void
sl_sign_map (SlLabState *state, const sl_real *points, size_t n, SlCell *cells)
{
  SlSignLab   *s = sl_sign_lab (state);
  const SlNet *net = &s->net;
  SlEstimate   estimate = sl_sign_estimate (s);
  size_t       all = 0, outputs = net->width[net->layers];

  for (unsigned l = 0; l < s->hidden; l++)
    all += net->width[l + 1];
  memcpy (s->tape.x[0], points, n * net->width[0] * sizeof *points);
  sl_net_forward (net, &s->tape, n, NULL, &estimate);
  for (size_t e = 0; e < n; e++)
    {
      SlCell *cell = &cells[e];
      size_t  first = 0;
      sl_real largest = 0;

      cell->cost = (sl_real) sl_net_macs (net);
      for (unsigned l = 0; l < s->hidden; l++)
        {
          size_t         units = net->width[l + 1], at = e * units;
          const sl_real *pre = s->tape.pre[l] + at;
          const sl_real *gate = estimate.mode == SL_ESTIMATE_OFF ? pre : s->tape.est[l] + at;
          const sl_real *truth = sl_sign_has_gates (s) ? gate : pre;
          uint32_t       before = cell->active;

          add_layer (cell, first, units, gate, truth, s->tape.x[l + 1] + at, &largest);
          if (estimate.mode != SL_ESTIMATE_OFF)
            {
              double density = (double) (cell->active - before) / (double) units;

              cell->cost
                += (sl_real) (sl_sign_layer_macs (s, l, density) - sl_net_layer_macs (net, l));
            }
          first += units;
        }
      sl_cell_finish (cell, all);
      cell->confidence /= (sl_real) (all > 0 ? all : 1);
      cell->misjudged /= (sl_real) (all > 0 ? all : 1);
      cell->label = sl_decide (outputs, s->tape.x[net->layers] + e * outputs, &cell->margin);
    }
}
