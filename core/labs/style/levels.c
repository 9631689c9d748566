/* SPDX-License-Identifier: MIT
 *
 * Which activations of the network the lab `style` compares, and the memory for it, which is known
 * before any of it is taken.  */
#include "core/labs/style/lab.h"

#include <string.h>

static const double mebi = 1048576.0;

/* The taps of each resolution. */
typedef struct
{
  unsigned n, first[SL_FEATURE_VALUES], count[SL_FEATURE_VALUES];
} Taps;

static void
find_levels (const SlFeatureRun *run, Taps *taps)
{
  size_t before = 0;

  taps->n = 0;
  for (unsigned tap = 0; tap < run->taps; tap++)
    {
      size_t m = sl_features_positions (run, tap, NULL, NULL);

      if (tap == 0 || m < before)
        {
          taps->first[taps->n] = tap;
          taps->count[taps->n++] = 0;
        }
      taps->count[taps->n - 1]++;
      before = m;
    }
}

/* The taps that pictures of this size can reach. */
static SlStatus
reach (const SlStyleLab *s, size_t height, size_t width, unsigned *taps)
{
  SlStatus status = SL_SUCCESS;

  for (*taps = sl_features_taps (s->features); *taps > 0; --*taps)
    {
      status = sl_features_fit (s->features, height, width, *taps);
      if (sl_ok (&status))
        break;
    }
  return status;
}

/* Chooses taps for pictures of s->height by s->width. */
static SlStatus
choose (SlStyleLab *s)
{
  const SlValue *listed = &s->base.settings.value[P_LEVELS];
  bool           last = sl_value_of (&s->base, P_TAPS) == TAPS_LAST;
  SlArena        measure = { 0 };
  unsigned       reached, level, any = 0;
  Taps           taps;
  SlStatus       status = reach (s, s->height, s->width, &reached);

  if (!sl_ok (&status))
    return status;
  sl_features_carve (&s->run, s->features, s->height, s->width, reached, true, &measure);
  find_levels (&s->run, &taps);
  s->depth = taps.n;
  s->n_levels = listed->n < MOST_LEVELS ? listed->n : MOST_LEVELS;
  for (unsigned l = 0; l < s->n_levels; l++)
    {
      Level *at = &s->level[l];

      level = (unsigned) listed->v[l];
      at->used = level <= taps.n;
      if (!at->used)
        continue;
      any++;
      at->tap = taps.first[level - 1] + (last ? taps.count[level - 1] - 1 : 0);
      at->n = sl_features_tap_channels (s->features, at->tap);
      at->m = sl_features_positions (&s->run, at->tap, NULL, NULL);
    }
  if (any == 0)
    return sl_status_new (
      SL_EINVAL, "levels", sl_message ("level %.0f and no lower one", listed->v[0]),
      sl_message ("levels up to %u, as %s has", taps.n, sl_features_title (s->features).packed));
  /* The second of its level, as the paper's relu4_2 is.  Random filters are all as deep, and a
   * coarse level of them has no places.  */
  level = (unsigned) sl_value_of (&s->base, P_CONTENT_LEVEL);
  if (level == 0)
    level = s->base.dataset->pictures->net != NULL ? PUBLISHED_LEVEL : 1;
  level = level < taps.n ? level : taps.n;
  s->content_tap = taps.first[level - 1] + (taps.count[level - 1] > 1 ? 1 : 0);
  s->content_n = sl_features_tap_channels (s->features, s->content_tap)
                 * sl_features_positions (&s->run, s->content_tap, NULL, NULL);
  return SL_SUCCESS;
}

static void
cut_levels (SlStyleLab *s)
{
  size_t widest = 0, most = (size_t) sl_style_params[P_SAMPLE].hi;

  memset (s->slope, 0, sizeof s->slope);
  for (unsigned l = 0; l < s->n_levels; l++)
    {
      Level *level = &s->level[l];

      if (!level->used)
        continue;
      widest = level->n > widest ? level->n : widest;
      level->before = sl_arena_reals (&s->base.kept, 2 * level->n);
      sl_style_stats_carve (&level->now, level->n, &s->base.scratch);
      sl_style_stats_carve (&level->style, level->n, &s->base.scratch);
      sl_style_pairs_carve (&level->pairs, level->m, &s->base.scratch);
      level->features = sl_arena_reals (&s->base.scratch, level->n * level->m);
      if (s->slope[level->tap] == NULL)
        s->slope[level->tap] = sl_arena_reals (&s->base.scratch, level->n * level->m);
    }
  s->content = sl_arena_reals (&s->base.scratch, s->content_n);
  if (s->slope[s->content_tap] == NULL)
    s->slope[s->content_tap] = sl_arena_reals (&s->base.scratch, s->content_n);
  s->work = sl_arena_reals (&s->base.scratch, widest * widest);
  for (int side = 0; side < 2; side++)
    s->sample[side] = sl_arena_reals (&s->base.scratch, most * widest);
}

void
sl_style_carve (SlLabState *state)
{
  SlStyleLab *s = sl_style_lab (state);
  unsigned    taps = s->content_tap + 1;

  for (unsigned l = 0; l < s->n_levels; l++)
    if (s->level[l].used && s->level[l].tap >= taps)
      taps = s->level[l].tap + 1;
  s->now = sl_arena_carve (&state->kept, 1, sizeof *s->now);
  s->n = 3 * s->height * s->width;
  s->x = sl_arena_reals (&s->base.kept, s->n);
  s->m = s->v = s->gradient = NULL;
  if (sl_value_of (&s->base, P_OPTIMISER) == OPTIMISER_LBFGS)
    {
      sl_lbfgs_carve (&s->lbfgs, s->n, HISTORY, &s->base.kept, &s->base.scratch);
      s->gradient = s->lbfgs.gradient;
    }
  else
    {
      s->m = sl_arena_reals (&s->base.kept, s->n);
      s->v = sl_arena_reals (&s->base.kept, s->n);
      s->gradient = sl_arena_reals (&s->base.scratch, s->n);
    }
  s->apart = sl_arena_reals (&s->base.scratch, s->n);
  cut_levels (s);
  sl_features_carve (&s->run, s->features, s->height, s->width, taps, true, &s->base.scratch);
}

/* What the arenas would take, in MiB. */
static double
measure (SlStyleLab *s)
{
  s->base.kept.used = s->base.scratch.used = 0;
  sl_style_carve (&s->base);
  return ((double) s->base.kept.used + (double) s->base.scratch.used) / mebi;
}

SlStatus
sl_style_plan (SlStyleLab *s)
{
  size_t    height = s->height, width = s->width;
  double    budget = sl_value_of (&s->base, P_BUDGET), need;
  SlMessage expected;
  SlStatus  status = choose (s), smaller;

  if (!sl_ok (&status))
    return status;
  need = measure (s);
  if (need <= budget)
    return SL_SUCCESS;
  expected = sl_message ("at most %.0f MiB, as set: fewer levels, or a larger budget", budget);
  /* What would fit, by sizes of a tenth less each. */
  for (double by = 0.9; by > 0.05; by *= 0.9)
    {
      s->height = (size_t) (by * (double) height);
      s->width = (size_t) (by * (double) width);
      if (s->height == 0 || s->width == 0)
        break;
      smaller = choose (s);
      if (sl_ok (&smaller) && measure (s) <= budget)
        {
          expected = sl_message ("at most %.0f MiB, as set: %zu × %zu pixels", budget, s->width,
                                 s->height);
          break;
        }
    }
  return sl_status_new (SL_ENOMEM, "picture",
                        sl_message ("%zu × %zu pixels through %s: %.0f MiB", width, height,
                                    sl_features_title (s->features).packed, need),
                        expected);
}

/* What is compared with: made once, by the same run of the network. */
void
sl_style_learn (SlStyleLab *s)
{
  const SlPicturePair *pair = s->base.dataset->pictures;

  sl_style_features (s, pair->content);
  memcpy (s->content, sl_features_tap (&s->run, s->content_tap), s->content_n * sizeof *s->content);
  sl_style_features (s, pair->style);
  for (unsigned l = 0; l < s->n_levels; l++)
    {
      Level *level = &s->level[l];

      if (!level->used)
        continue;
      memcpy (level->features, sl_features_tap (&s->run, level->tap),
              level->n * level->m * sizeof *level->features);
      sl_style_moments (level->m, level->features, SL_STYLE_EPSILON, &level->style);
      sl_style_gram (level->m, level->features, &level->style);
      level->c = 0.0;
      for (size_t i = 0; i < level->n; i++)
        level->c += (double) level->style.gram[i * level->n + i];
    }
  sl_style_begin (s, s->x);
  sl_style_features (s, s->x);
  for (unsigned l = 0; l < s->n_levels; l++)
    {
      Level *level = &s->level[l];

      if (!level->used)
        continue;
      sl_style_moments (level->m, sl_features_tap (&s->run, level->tap), SL_STYLE_EPSILON,
                        &level->now);
      memcpy (level->before, level->now.mean, level->n * sizeof *level->before);
      memcpy (level->before + level->n, level->now.sd, level->n * sizeof *level->before);
    }
}
