/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `style` that need a computation of their own: the picture, channels, the
 * identity, what the comparisons cost.  They run the network on the picture as it is, which every
 * update does anew.  */
#include "core/labs/style/lab.h"

#include <math.h>
#include <string.h>

#include "core/lab/kit/probe.h"
#include "core/nn/distance/mmd.h"
#include "core/nn/kernels/mat.h"

enum { SHOWN = 512 }; /* pixels of the longer side in a panel */

/* The mean over squares of `by` pixels, cut to what can be shown. */
static void
paint (const SlStyleLab *s, const sl_real *picture, size_t by, size_t rows, size_t columns,
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

static void
probe_picture (SlProbe *p)
{
  SlStyleLab          *s = sl_style_lab (p->state);
  const SlPicturePair *pair = s->base.dataset->pictures;
  const sl_real       *picture[3] = { s->x, pair->content, pair->style };
  size_t  longer = s->height > s->width ? s->height : s->width, by = (longer + SHOWN - 1) / SHOWN;
  size_t  rows = s->height / by, columns = s->width / by;
  double *tiles,
    mib = ((double) s->base.kept.capacity + (double) s->base.scratch.capacity) / 1048576.0;

  if (rows == 0 || columns == 0)
    by = rows = columns = 1;
  tiles = sl_probe_pictures (p, 3, rows, columns);
  if (tiles == NULL)
    return;
  for (size_t i = 0; i < 3; i++)
    paint (s, picture[i], by, rows, columns, tiles + 3 * i * rows * columns);
  sl_probe_name (p, "%s\n", sl_message ("Result").packed);
  sl_probe_name (p, "%s\n",
                 sl_message ("Content: %s", sl_message_word (pair->content_title).packed).packed);
  sl_probe_name (p, "%s\n",
                 sl_message ("Style: %s", sl_message_word (pair->style_title).packed).packed);
  sl_probe_note (p, "%s, %.0f MiB", sl_features_title (s->features).packed, mib);
  if (s->now->stop > 0.0)
    sl_probe_note (p, "; the paper's rule stops at update %.0f", s->now->stop);
}

/* The level to look at: the one picked, or the deepest that the network has. */
static Level *
shown_level (SlStyleLab *s)
{
  unsigned l = (unsigned) sl_value_of (&s->base, P_SHOWN) - 1;

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
static void
add_dots (SlProbe *p, unsigned trace, size_t n, const sl_real *x, const sl_real *y)
{
  double *dots = sl_probe_curve (p, trace, 0, n, false);
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
}

static void
probe_channels (SlProbe *p)
{
  SlStyleLab    *s = sl_style_lab (p->state);
  unsigned       panel = p->snapshot->panel;
  Level         *level = shown_level (s);
  bool           means = panel == V_MEANS;
  const sl_real *style = means ? level->style.mean : level->style.sd;
  const sl_real *now = means ? level->now.mean : level->now.sd;
  const sl_real *before = level->before + (means ? 0 : level->n);
  double         lo = HUGE_VAL, hi = -HUGE_VAL, apart[2] = { 0 };

  sl_style_features (s, s->x);
  sl_style_moments (level->m, sl_features_tap (&s->run, level->tap), SL_STYLE_EPSILON, &level->now);
  add_dots (p, T_BEFORE, level->n, style, before);
  add_dots (p, T_AFTER, level->n, style, now);
  for (size_t i = 0; i < level->n; i++)
    {
      lo = fmin (lo, (double) style[i]);
      hi = fmax (hi, (double) style[i]);
      apart[0] += fabs ((double) before[i] - (double) style[i]) / (double) level->n;
      apart[1] += fabs ((double) now[i] - (double) style[i]) / (double) level->n;
    }
  sl_probe_points (p, T_SAME, 0, 2, (double[]) { lo, hi }, (double[]) { lo, hi });
  sl_probe_note (p, "%zu channels of %s; mean distance from the style %.3g (%.3g at the start)",
                 level->n, sl_features_tap_name (s->features, level->tap), apart[1], apart[0]);
}

/* Both sides of the identity on the same samples, level by level. */
static void
probe_identity (SlProbe *p)
{
  SlStyleLab *s = sl_style_lab (p->state);
  double      x[MOST_LEVELS], gram[MOST_LEVELS], direct[MOST_LEVELS], worst = 0.0;
  size_t      levels = 0, positions = 0;

  sl_style_features (s, s->x);
  for (unsigned l = 0; l < s->n_levels; l++)
    {
      Level   *level = &s->level[l];
      SlKernel kernel = { .kind = SL_KERNEL_POLY, .c = 0.0 };
      size_t   n = level->n, m;
      double   loss = 0;

      if (!level->used)
        continue;
      if (sl_probe_cancelled (p))
        return;
      m = sl_style_sample (s, l);
      /* The Gram side: two products and their difference. */
      sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, n, n, m, 1 / (sl_real) m, s->sample[0], n, s->sample[0],
                  n, 0, s->work, n);
      sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, n, n, m, -1 / (sl_real) m, s->sample[1], n, s->sample[1],
                  n, 1, s->work, n);
      for (size_t i = 0; i < n * n; i++)
        loss += (double) s->work[i] * (double) s->work[i];
      x[levels] = (double) s->base.settings.value[P_LEVELS].v[l];
      gram[levels] = loss;
      direct[levels] = sl_mmd_biased (&kernel, n, m, s->sample[0], m, s->sample[1]);
      worst = fmax (worst, fabs (loss - direct[levels]) / fmax (fabs (direct[levels]), 1e-300));
      levels++;
      positions = positions > m ? positions : m;
    }
  sl_probe_points (p, T_GRAM, 0, levels, x, gram);
  sl_probe_points (p, T_DIRECT, 0, levels, x, direct);
  sl_probe_note (p, "Largest relative difference %.1e, in numbers of %zu bits; up to %zu positions",
                 worst, 8 * sizeof (sl_real), positions);
}

/* One comparison with its gradient, as an update makes it, at all levels. */
typedef struct
{
  SlStyleLab   *s;
  SlStyleMethod method;
} Timing;

static void
run_method (SlStyleLab *s, SlStyleMethod method)
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

static void
probe_cost (SlProbe *p)
{
  SlStyleLab *s = sl_style_lab (p->state);
  double      counted[SL_N_STYLES] = { 0 }, share[SL_N_STYLES];
  SlMeasured  timed[SL_N_STYLES];
  SlRng       pairs = s->now->pairs;

  sl_style_features (s, s->x);
  sl_style_draw (s);
  s->now->pairs = pairs;
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
        = method == SL_STYLE_GRAM
            ? sl_counted (100.0)
            : sl_measured_inverse (sl_probe_time_ratio (p, run_gram, run_timed, &timing), 100.0);
    }
  for (unsigned method = 0; method < SL_N_STYLES; method++)
    share[method] = 100.0 * (counted[method] / counted[SL_STYLE_GRAM]);
  sl_probe_values (p, T_COUNTED, 0, 0, SL_N_STYLES, share);
  sl_probe_bars (p, T_TIMED, SL_N_STYLES, timed);
  sl_probe_note (p, "Gram: %.0f million multiplications, the network %.0f; kernel %s",
                 counted[SL_STYLE_GRAM] / 1e6, 2.0 * s->run.products / 1e6, sl_probe_kernel (p));
}

const SlProbePanel sl_style_probes[N_PANELS] = {
  [V_ALIVE] = sl_style_probe_alive, [V_PICTURE] = probe_picture,   [V_MEANS] = probe_channels,
  [V_DEVIATIONS] = probe_channels,  [V_IDENTITY] = probe_identity, [V_COST] = probe_cost,
};
