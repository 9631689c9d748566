/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `routing` on how loads are spread: over windows, layers and experts.  */
#include <math.h>

#include "core/labs/routing/probes.h"

enum { COLUMNS = 256 };

/* Load ÷ even share of so many experts together, of n; one every `stride` cells.  Returns the largest. */
static double
fill_shares (unsigned n, unsigned span, const uint64_t *load, double *cell, size_t stride)
{
  double sum = (double) sl_load_sum (n, load), most = 0.0;

  for (unsigned i = 0; i < n && sum > 0.0; i += span)
    {
      unsigned here = i + span < n ? span : n - i;

      cell[i / span * stride] = (double) sl_load_sum (here, load + i) * n / (sum * here);
      most = fmax (most, cell[i / span * stride]);
    }
  return most;
}

/* Colours from none to the largest share in whole numbers, so that they mean the same for a while. */
static void
set_colours (SlProbe *p, double most)
{
  p->snapshot->lo = 0.0;
  p->snapshot->hi = fmax (2.0, ceil (most));
}

/* The range of x for columns of `columned` windows from the first on, of which the last column may have fewer: training
 * steps, where their rows stand at even distances or nearly, else their numbers.  */
static void
place_windows (SlProbe *p, const SlRoutingLab *s, size_t columned)
{
  const double *step = s->recording->step;
  size_t        all = s->windows;
  double apart = step != NULL && all > 1 ? (step[all - 1] - step[0]) / (double) (all - 1) : 0.0;

  for (size_t w = 0; w < all && apart > 0.0; w++)
    if (fabs (step[w] - step[0] - apart * (double) w) > apart)
      apart = 0.0;
  p->snapshot->left = apart > 0.0 ? step[0] - 0.5 * apart : 0.5;
  p->snapshot->right = p->snapshot->left + (apart > 0.0 ? apart : 1.0) * (double) columned;
}

void
sl_routing_probe_usage (SlProbe *p)
{
  SlRoutingLab *s = sl_routing_lab (p->state);
  size_t        done = (size_t) p->state->now.t, merged = (done + COLUMNS - 1) / COLUMNS;
  size_t        columns = merged > 0 ? (done + merged - 1) / merged : 0;
  unsigned      span = sl_routing_span (s);
  double       *cells, most = 0.0;

  sl_routing_say_cv (p, s);
  sl_routing_say_warm_up (p, s);
  cells = columns > 0 ? sl_probe_matrix (p, 1, (s->n + span - 1) / span, columns) : NULL;
  for (size_t c = 0; cells != NULL && c < columns; c++)
    {
      for (unsigned i = 0; i < s->n; i++)
        {
          s->sum[i] = 0;
          for (size_t w = c * merged; w < (c + 1) * merged && w < done; w++)
            s->sum[i] += sl_routing_window_load (s, w)[i];
        }
      most = fmax (most, fill_shares (s->n, span, s->sum, cells + c, columns));
    }
  set_colours (p, most);
  sl_routing_name_experts (p, s);
  place_windows (p, s, columns * merged);
}

/* The row of counts that was replayed last; before the first one, that is it. */
static size_t
last_row (const SlProbe *p)
{
  return p->state->now.t > 0 ? (size_t) p->state->now.t - 1 : 0;
}

static void
name_layers (SlProbe *p, const SlRoutingLab *s)
{
  char name[64];

  for (unsigned l = 0; l < s->layers; l++)
    sl_snapshot_row_name (p->snapshot,
                          sl_routing_layer_name (&s->recording->layer[l], name, sizeof name));
}

static void
say_what (SlProbe *p, const SlRoutingLab *s, unsigned dead)
{
  if (s->recording->step != NULL)
    sl_probe_note (p, "At training step %.15g. ", s->recording->step[last_row (p)]);
  if (dead > 0 && s->recording->step != NULL)
    sl_probe_note (p, "Dead at this step: %u. ", dead);
  else if (dead > 0)
    sl_probe_note (p, "Dead experts in all layers: %u. ", dead);
  else
    sl_probe_note (p, "Every expert is used. ");
  if (s->layers == 1)
    sl_probe_note (p, "One layer of %u experts", s->n);
  else
    sl_probe_note (p, "%u layers of %u experts", s->layers, s->n);
  if (s->recording->k > 0)
    sl_probe_note (p, ", %u per token. ", s->k);
  else
    sl_probe_note (p, ". ");
  if (s->recording->experts_from == SL_ROUTING_LARGEST)
    sl_probe_note (p, "Dead experts beyond %u are unknown.", s->n - 1);
}

/* The loads of a layer: of the whole recording, or of one over training where it is now. */
static const uint64_t *
layer_loads (const SlProbe *p, const SlRoutingLab *s, unsigned layer)
{
  return s->recording->step != NULL ? s->recording->layer[layer].counts + last_row (p) * s->n
                                    : s->layer_load + (size_t) layer * s->n;
}

void
sl_routing_probe_layers (SlProbe *p)
{
  SlRoutingLab *s = sl_routing_lab (p->state);
  double       *cells = sl_probe_matrix (p, 1, s->layers, s->n), most = 0.0;
  unsigned      dead = 0;

  for (unsigned l = 0; cells != NULL && l < s->layers; l++)
    {
      const uint64_t *load = layer_loads (p, s, l);

      most = fmax (most, fill_shares (s->n, 1, load, cells + (size_t) l * s->n, 1));
      for (unsigned i = 0; i < s->n; i++)
        dead += load[i] == 0;
    }
  set_colours (p, most);
  name_layers (p, s);
  sl_routing_number_columns (p, 0.0, s->n);
  say_what (p, s, dead);
}

/* Layers stand at the model's own numbers where these rise. */
static bool
has_rising_numbers (const SlRouting *recording)
{
  for (unsigned l = 0; l < recording->n_layers; l++)
    if (recording->layer[l].mtp >= 0
        || (l > 0 && recording->layer[l].number <= recording->layer[l - 1].number))
      return false;
  return true;
}

void
sl_routing_probe_by_layer (SlProbe *p)
{
  SlRoutingLab *s = sl_routing_lab (p->state);
  bool          numbers = has_rising_numbers (s->recording);
  double       *curve = sl_probe_room (p, 5 * (size_t) s->layers, sizeof *curve);
  unsigned      uneven = 0;

  if (curve == NULL)
    return;
  for (unsigned l = 0; l < s->layers; l++)
    {
      SlRoutesBalance b = sl_routing_balance (s, l, NULL);
      double          of[] = { b.cv, b.chance.floor, b.chance.floor_95, b.gini };

      uneven += b.cv > b.chance.floor_95;
      curve[l] = numbers ? s->recording->layer[l].number : l + 1.0;
      for (unsigned t = T_LAYER_CV; t <= T_LAYER_GINI; t++)
        curve[(t + 1) * s->layers + l] = of[t];
    }
  for (unsigned t = T_LAYER_CV; t <= T_LAYER_GINI; t++)
    sl_probe_points (p, t, 0, isnan (curve[(t + 1) * s->layers]) ? 0 : s->layers, curve,
                     curve + (t + 1) * s->layers);
  p->snapshot->mark = curve[s->layer];
  if (!s->recording->shares)
    sl_probe_note (p, "%u of %u layers are more uneven than chance. ", uneven, s->layers);
  sl_routing_say_cv (p, s);
}
