/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `style` that need a computation of their own: the picture, channels,
 * the identity, what the comparisons cost.  They run the network on the picture as it is, which
 * every update does anew.  */
#include "core/labs/style/lab.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/lab/kit/common.h"
#include "core/nn/kernels/mat.h"
#include "core/nn/style/mmd.h"

enum { SHOWN = 512 }; /* pixels of the longer side in a panel */

/* The mean over squares of `by` pixels, cut to what can be shown. */
static void
paint (const SlLabState *s, const sl_real *picture, size_t by, size_t rows, size_t columns,
       double *to)
{
  for (size_t plane = 0; plane < 3; plane++)
    for (size_t r = 0; r < rows; r++)
      for (size_t c = 0; c < columns; c++)
        {
          double sum = 0;

          for (size_t i = 0; i < by; i++)
            for (size_t j = 0; j < by; j++)
              {
                double value
                  = (double) picture[(plane * s->height + r * by + i) * s->width + c * by + j];

                sum += value < 0 ? 0 : value > 1 ? 1 : value;
              }
          to[(plane * rows + r) * columns + c] = sum / (double) (by * by);
        }
}

/* A cut that keeps letters whole, and nothing that ends a name. */
static void
name_tile (SlSnapshot *snapshot, const char *kind, const char *title)
{
  size_t used = strlen (snapshot->names);

  snprintf (snapshot->names + used, sizeof snapshot->names - used, "%s%s%s\n", kind,
            title[0] != '\0' ? ": " : "", title);
}

static SlStatus
probe_picture (SlLabState *s, SlSnapshot *snapshot)
{
  const SlPicturePair *pair = s->dataset->pictures;
  const sl_real       *picture[3] = { s->x, pair->content, pair->style };
  size_t  longer = s->height > s->width ? s->height : s->width, by = (longer + SHOWN - 1) / SHOWN;
  size_t  rows = s->height / by, columns = s->width / by;
  double *tiles, mib = ((double) s->kept.capacity + (double) s->scratch.capacity) / 1048576.0;
  char    levels[96];

  if (rows == 0 || columns == 0)
    by = rows = columns = 1;
  tiles = sl_snapshot_pictures (snapshot, 3, (unsigned) rows, (unsigned) columns);
  if (tiles == NULL)
    return sl_probe_no_memory ();
  for (size_t i = 0; i < 3; i++)
    paint (s, picture[i], by, rows, columns, tiles + 3 * i * rows * columns);
  name_tile (snapshot, "Formed", "");
  name_tile (snapshot, "Content", pair->content_title);
  name_tile (snapshot, "Style", pair->style_title);
  sl_style_name_levels (s, levels, sizeof levels);
  snprintf (snapshot->note, sizeof snapshot->note, "%s: %s; %.0f MiB",
            sl_features_title (s->features), levels, mib);
  return SL_SUCCESS;
}

/* The level to look at: the one picked, or the deepest that the network has. */
static Level *
shown_level (SlLabState *s)
{
  unsigned l = (unsigned) value_of (s, P_SHOWN) - 1;

  if (l >= s->n_levels)
    l = s->n_levels - 1;
  while (l > 0 && !s->level[l].used)
    l--;
  while (!s->level[l].used)
    l++;
  return &s->level[l];
}

/* Dots, one for each channel.  They go from right to left, which is what makes them dots: figures
 * join what goes to the right.  */
static bool
add_dots (SlSnapshot *snapshot, uint32_t channel, size_t n, const sl_real *x, const sl_real *y)
{
  double *dots = sl_snapshot_curve (snapshot, channel, n, false);
  double  before = HUGE_VAL;

  for (size_t i = 0; dots != NULL && i < n; i++)
    {
      size_t next = 0;
      double most = -HUGE_VAL;
      size_t same = 0;

      /* The next smaller one; of equals all, one by one. */
      for (size_t j = 0; j < n; j++)
        if ((double) x[j] < before && (double) x[j] > most)
          {
            most = (double) x[j];
            next = j;
          }
      for (size_t j = next; j < n && i + same < n; j++)
        if ((double) x[j] == most)
          {
            dots[i + same] = most;
            dots[n + i + same++] = (double) y[j];
          }
      i += same > 0 ? same - 1 : 0;
      before = most;
    }
  return dots != NULL;
}

static SlStatus
probe_channels (SlLabState *s, unsigned panel, SlSink *sink, SlSnapshot *snapshot)
{
  Level         *level = shown_level (s);
  bool           means = panel == V_MEANS;
  uint16_t       first = sink->layout->first[panel][0];
  const sl_real *style = means ? level->style.mean : level->style.sd;
  const sl_real *now = means ? level->now.mean : level->now.sd;
  const sl_real *before = level->before + (means ? 0 : level->n);
  double         lo = HUGE_VAL, hi = -HUGE_VAL, apart[2] = { 0 }, *line;

  sl_style_features (s, s->x);
  sl_style_moments (level->m, sl_features_tap (&s->run, level->tap), SL_STYLE_EPSILON, &level->now);
  if (!add_dots (snapshot, first + T_BEFORE, level->n, style, before)
      || !add_dots (snapshot, first + T_AFTER, level->n, style, now))
    return sl_probe_no_memory ();
  for (size_t i = 0; i < level->n; i++)
    {
      lo = fmin (lo, (double) style[i]);
      hi = fmax (hi, (double) style[i]);
      apart[0] += fabs ((double) before[i] - (double) style[i]) / (double) level->n;
      apart[1] += fabs ((double) now[i] - (double) style[i]) / (double) level->n;
    }
  line = sl_snapshot_curve (snapshot, first + T_SAME, 2, false);
  if (line == NULL)
    return sl_probe_no_memory ();
  line[0] = line[2] = lo;
  line[1] = line[3] = hi;
  snprintf (snapshot->note, sizeof snapshot->note,
            "%zu channels of %s; mean distance from the style %.3g, at the start %.3g", level->n,
            sl_features_tap_name (s->features, level->tap), apart[1], apart[0]);
  return SL_SUCCESS;
}

/* Both sides of the identity on the same samples, level by level. */
static SlStatus
probe_identity (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  uint16_t first = sink->layout->first[V_IDENTITY][0];
  double   x[MOST_LEVELS], gram[MOST_LEVELS], direct[MOST_LEVELS], worst = 0.0, *curve;
  size_t   levels = 0, positions = 0;

  sl_style_features (s, s->x);
  for (unsigned l = 0; l < s->n_levels; l++)
    {
      Level   *level = &s->level[l];
      SlKernel kernel = { .kind = SL_KERNEL_POLY, .c = 0.0 };
      size_t   n = level->n, m;
      double   loss = 0;

      if (!level->used)
        continue;
      if (sl_sink_hurry (sink))
        return sl_probe_cancelled ();
      m = sl_style_sample (s, l);
      /* The Gram side: two products and their difference. */
      sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, n, n, m, 1 / (sl_real) m, s->sample[0], n, s->sample[0],
                  n, 0, s->work, n);
      sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, n, n, m, -1 / (sl_real) m, s->sample[1], n, s->sample[1],
                  n, 1, s->work, n);
      for (size_t i = 0; i < n * n; i++)
        loss += (double) s->work[i] * (double) s->work[i];
      x[levels] = (double) s->settings.value[P_LEVELS].v[l];
      gram[levels] = loss;
      direct[levels] = sl_mmd_biased (&kernel, n, m, s->sample[0], m, s->sample[1]);
      worst = fmax (worst, fabs (loss - direct[levels]) / fmax (fabs (direct[levels]), 1e-300));
      levels++;
      positions = positions > m ? positions : m;
    }
  for (int side = T_GRAM; side <= T_DIRECT; side++)
    {
      curve = sl_snapshot_curve (snapshot, first + (unsigned) side, levels, false);
      if (curve == NULL)
        return sl_probe_no_memory ();
      memcpy (curve, x, levels * sizeof *x);
      memcpy (curve + levels, side == T_GRAM ? gram : direct, levels * sizeof *x);
    }
  snprintf (snapshot->note, sizeof snapshot->note,
            "Largest relative difference %.1e, in numbers of %zu bits; up to %zu positions of each",
            worst, 8 * sizeof (sl_real), positions);
  return SL_SUCCESS;
}

/* One comparison with its gradient, as an update makes it, at all levels. */
typedef struct
{
  SlLabState   *s;
  SlStyleMethod method;
} Timing;

static void
run_method (SlLabState *s, SlStyleMethod method)
{
  for (unsigned l = 0; l < s->n_levels; l++)
    {
      Level         *level = &s->level[l];
      const sl_real *f;

      if (!level->used)
        continue;
      f = sl_features_tap (&s->run, level->tap);
      if (method == SL_STYLE_GAUSSIAN)
        {
          sl_style_gaussian (&level->pairs, level->n, level->m, f, level->m, level->features,
                             false);
          sl_style_gaussian_backward (&level->pairs, level->n, 1.0, level->m, f, level->m,
                                      level->features, s->slope[level->tap]);
          continue;
        }
      if (method == SL_STYLE_GRAM || method == SL_STYLE_POLY)
        sl_style_gram (level->m, f, &level->now);
      if (method != SL_STYLE_GRAM)
        sl_style_moments (level->m, f, SL_STYLE_EPSILON, &level->now);
      sl_style_loss (method, 1.0, &level->now, &level->style);
      sl_style_backward (method, 1.0, 1.0, &level->now, &level->style, f, s->work,
                         s->slope[level->tap]);
    }
}

static void
run_gram (void *data)
{
  run_method (((Timing *) data)->s, SL_STYLE_GRAM);
}

static void
run_timed (void *data)
{
  run_method (((Timing *) data)->s, ((Timing *) data)->method);
}

static SlStatus
probe_cost (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  uint16_t first = sink->layout->first[V_COST][0];
  double   counted[SL_N_STYLES] = { 0 }, timed[SL_N_STYLES], *bars;
  SlRng    pairs = s->now.pairs;

  sl_style_features (s, s->x);
  sl_style_draw (s);
  s->now.pairs = pairs;
  for (unsigned tap = 0; tap < s->run.taps; tap++)
    if (s->slope[tap] != NULL)
      memset (s->slope[tap], 0,
              sl_features_tap_channels (s->features, tap)
                * sl_features_positions (&s->run, tap, NULL, NULL) * sizeof *s->slope[tap]);
  for (unsigned method = 0; method < SL_N_STYLES; method++)
    {
      Timing timing = { s, (SlStyleMethod) method };

      for (unsigned l = 0; l < s->n_levels; l++)
        if (s->level[l].used)
          counted[method] += sl_style_macs (timing.method, s->level[l].n, s->level[l].m);
      timed[method]
        = method == SL_STYLE_GRAM ? 1.0 : 1.0 / sl_time_ratio (run_gram, run_timed, &timing, sink);
      if (!isfinite (timed[method]))
        return sl_probe_cancelled ();
    }
  for (unsigned side = T_COUNTED; side <= T_TIMED; side++)
    {
      bars = sl_snapshot_curve (snapshot, first + side, SL_N_STYLES, false);
      if (bars == NULL)
        return sl_probe_no_memory ();
      for (unsigned method = 0; method < SL_N_STYLES; method++)
        {
          bars[method] = method;
          bars[SL_N_STYLES + method]
            = 100.0 * (side == T_TIMED ? timed[method] : counted[method] / counted[SL_STYLE_GRAM]);
        }
    }
  snprintf (snapshot->note, sizeof snapshot->note,
            "Gram: %.0f million multiplications, the network %.0f; kernel %s, %u thread%s",
            counted[SL_STYLE_GRAM] / 1e6, 2.0 * s->run.products / 1e6, sl_blas_kernel (),
            sl_blas_threads (), sl_blas_threads () == 1 ? "" : "s");
  return SL_SUCCESS;
}

SlStatus
sl_style_probe (SlLabState *s, unsigned panel, SlSink *sink)
{
  SlStatus    status = SL_SUCCESS;
  SlSnapshot *snapshot = sink->open != NULL ? sink->open (sink, panel) : NULL;

  if (snapshot == NULL)
    return SL_SUCCESS;
  switch (panel)
    {
    case V_PICTURE: status = probe_picture (s, snapshot); break;
    case V_MEANS:
    case V_DEVIATIONS: status = probe_channels (s, panel, sink, snapshot); break;
    case V_IDENTITY: status = probe_identity (s, sink, snapshot); break;
    case V_COST: status = probe_cost (s, sink, snapshot); break;
    default: break;
    }
  if (status.code == SL_ECANCELLED)
    return status;
  /* A failed probe shows what it has, and says why. */
  if (!sl_ok (&status))
    sl_status_text (&status, snapshot->note, sizeof snapshot->note);
  sink->publish (sink, snapshot);
  return status;
}
