/* SPDX-License-Identifier: MIT
 *
 * The figures of Li et al. 2017: pictures, side by side as published, and the distance of each from
 * its style.  Random filters and painted pictures replace VGG-19 and the paintings.  */
#include <math.h>
#include <string.h>

#include "reproduce/reproduce.h"

enum { DISTANCE, CONTENT, COLUMNS };
enum { LEVELS = 5, GAMMAS = 5, METHODS = 4, SHARES = 5, STEPS = 100, QUICK_STEPS = 20 };

/* Sides of the pictures in pixels. */
#define SIZE "size=128"
#define QUICK_SIZE "size=64"

static const SlTableColumn columns[COLUMNS] = {
  [DISTANCE] = { "distance from the style", "% of noise", SL_SAME_SHAPE },
  [CONTENT] = { "distance from the content", "% of noise", SL_SAME_SHAPE },
};

static void
read_run (SlReproduction *r, unsigned row, const SlSweepResult *result)
{
  sl_reproduction_ours (r, row, DISTANCE, sl_reproduction_score (result, "mmd"));
  sl_reproduction_ours (r, row, CONTENT, sl_reproduction_score (result, "content"));
  if (result->job.seed == 1)
    sl_reproduction_picture (r, row, result->picture);
}

/* The rows that have words, on a pair of pictures: "content=…,style=…,", or "" for the usual ones. */
static SlExit
run_pair (SlReproduction *r, const char *pair, const char *settings, const char *const *words,
          void (*read) (SlReproduction *, unsigned, const SlSweepResult *))
{
  g_autofree char *data = g_strconcat ("pictures:", pair, r->quick ? QUICK_SIZE : SIZE, NULL);
  SlTableRuns      runs = { .lab = "style",
                            .data = data,
                            .settings = settings,
                            .rows = words,
                            .budget = { .steps = r->quick ? QUICK_STEPS : STEPS },
                            .read = read };

  return sl_reproduction_runs (r, &runs);
}

static SlExit
run_rows (SlReproduction *r, const char *settings, const char *const *words,
          void (*read) (SlReproduction *, unsigned, const SlSweepResult *))
{
  return run_pair (r, "", settings, words, read);
}

/* That all pictures are nearer to their style than half of noise, which shows what the words say. */
static void
claim_near (SlReproduction *r, const char *words)
{
  unsigned near = 0;

  for (unsigned row = 0; row < r->n_rows; row++)
    near += sl_reproduction_mean (r, row, DISTANCE) < 50;
  sl_reproduction_claim (r, near == r->n_rows,
                         "%s: %u of %u pictures are nearer to it than half of noise", words, near,
                         r->n_rows);
}

/* For how many of the lines of `across` rows the column at the last row is above (or below) that at the
 * first.  */
static unsigned
lines_that_rise (const SlReproduction *r, unsigned across, unsigned column, double sign)
{
  unsigned n = 0;

  for (unsigned row = 0; row < r->n_rows; row += across)
    n += sign
           * (sl_reproduction_mean (r, row + across - 1, column)
              - sl_reproduction_mean (r, row, column))
         > 0;
  return n;
}

/* ---- figure 1 ---- */

#define LINE(name)                                                                                 \
  name ", level 1", name ", levels 1 to 2", name ", levels 1 to 3", name ", levels 1 to 4",        \
    name ", levels 1 to 5"
#define LINE_WORDS(method)                                                                         \
  method " levels=1", method " levels=1-2", method " levels=1-2-3", method " levels=1-2-3-4",      \
    method " levels=1-2-3-4-5"

#define LINEAR "method=linear"
#define POLY "method=poly"
#define GAUSSIAN "method=gaussian"
#define MOMENTS "method=moments"

static const char *const rows_1[]
  = { LINE ("linear"), LINE ("poly"), LINE ("Gaussian"), LINE ("BN"), NULL };
static const char *const words_1[]
  = { LINE_WORDS (LINEAR), LINE_WORDS (POLY), LINE_WORDS (GAUSSIAN), LINE_WORDS (MOMENTS) };

static SlExit
run_1 (SlReproduction *r)
{
  SlExit code = run_rows (r, "goal=style", words_1, read_run);

  if (code == SL_EXIT_FINE)
    claim_near (r, "every method alone forms the style");
  return code;
}

/* ---- figure 2 ---- */

#define GAMMA(name) name ", γ 0.1", name ", γ 0.2", name ", γ 1", name ", γ 5", name ", γ 10"
#define GAMMA_WORDS(method)                                                                        \
  method " gamma=0.1", method " gamma=0.2", method " gamma=1", method " gamma=5", method " gamma=10"

static const char *const rows_2[]
  = { GAMMA ("linear"), GAMMA ("poly"), GAMMA ("Gaussian"), GAMMA ("BN"), NULL };
static const char *const words_2[]
  = { GAMMA_WORDS (LINEAR), GAMMA_WORDS (POLY), GAMMA_WORDS (GAUSSIAN), GAMMA_WORDS (MOMENTS) };

static SlExit
run_2 (SlReproduction *r)
{
  SlExit   code = run_rows (r, "start=content", words_2, read_run);
  unsigned content, style;

  if (code != SL_EXIT_FINE)
    return code;
  content = lines_that_rise (r, GAMMAS, CONTENT, 1);
  style = lines_that_rise (r, GAMMAS, DISTANCE, -1);
  sl_reproduction_claim (
    r, content == 4, "a small γ keeps more of the content (§4.2): with %u of 4 methods", content);
  sl_reproduction_claim (r, style == 4,
                         "a large γ is nearer to the style (§4.2): with %u of 4 methods", style);
  return SL_EXIT_FINE;
}

/* ---- figure 3 ---- */

#define PAIR(name) name ", linear", name ", poly", name ", Gaussian", name ", BN"

static const char *const rows_3[] = { PAIR ("hills, swirls"),
                                      PAIR ("balls, mosaic"),
                                      PAIR ("canal, marble"),
                                      PAIR ("hills, weave"),
                                      PAIR ("balls, dots"),
                                      PAIR ("canal, waves"),
                                      NULL };
static const char *const words_3[METHODS] = { LINEAR, POLY, GAUSSIAN, MOMENTS };

/* Each style once and each content twice, with the published γ. */
static const struct
{
  const char *pictures, *settings;
} pairs[] = {
  { "content=hills,style=swirls,", "start=content gamma=2" },
  { "content=balls,style=mosaic,", "start=content gamma=2" },
  { "content=canal,style=marble,", "start=content gamma=2" },
  { "content=hills,style=weave,", "start=content gamma=5" },
  { "content=balls,style=dots,", "start=content gamma=5" },
  { "content=canal,style=waves,", "start=content gamma=5" },
};

static SlExit
run_3 (SlReproduction *r)
{
  SlExit code = SL_EXIT_FINE;

  for (unsigned p = 0; p < G_N_ELEMENTS (pairs) && code == SL_EXIT_FINE; p++)
    {
      const char *words[SL_TABLE_ROWS] = { NULL };

      memcpy (words + p * METHODS, words_3, sizeof words_3);
      sl_reproduction_note (r, "pair %u of %zu", p + 1, G_N_ELEMENTS (pairs));
      code = run_pair (r, pairs[p].pictures, pairs[p].settings, words, read_run);
    }
  if (code == SL_EXIT_FINE)
    claim_near (r, "every method gives a picture the style of another");
  return code;
}

/* ---- figure 4 ---- */

#define FUSION(name)                                                                               \
  name " (0.9, 0.1)", name " (0.7, 0.3)", name " (0.5, 0.5)", name " (0.3, 0.7)", name " (0.1, 0.9)"
#define FUSION_WORDS(methods)                                                                      \
  methods " fusion=0.9", methods " fusion=0.7", methods " fusion=0.5", methods " fusion=0.3",      \
    methods " fusion=0.1"

static const char *const rows_4[] = { FUSION ("BN + poly"), FUSION ("linear + Gaussian"), NULL };
static const char *const words_4[]
  = { FUSION_WORDS (MOMENTS " second=poly"), FUSION_WORDS (LINEAR " second=gaussian") };

/* The scores that are the distances by the two methods of a fusion. */
static const char *const fused[][2] = { { "moments", "poly" }, { "linear", "gaussian" } };

static const SlTableColumn columns_4[COLUMNS] = {
  { "distance by the first method", "% of noise", SL_SAME_SHAPE },
  { "distance by the second method", "% of noise", SL_SAME_SHAPE },
};

static void
read_fusion (SlReproduction *r, unsigned row, const SlSweepResult *result)
{
  for (unsigned c = 0; c < COLUMNS; c++)
    sl_reproduction_ours (r, row, c, sl_reproduction_score (result, fused[row / SHARES][c]));
  if (result->job.seed == 1)
    sl_reproduction_picture (r, row, result->picture);
}

static SlExit
run_4 (SlReproduction *r)
{
  SlExit   code = run_rows (r, "gamma=5 start=content", words_4, read_fusion);
  unsigned first, second;

  if (code != SL_EXIT_FINE)
    return code;
  first = lines_that_rise (r, SHARES, 0, 1);
  second = lines_that_rise (r, SHARES, 1, -1);
  sl_reproduction_claim (
    r, first == 2, "(0.9, 0.1) emphasises the first method (§4.2): in %u of 2 fusions", first);
  sl_reproduction_claim (r, second == 2,
                         "(0.1, 0.9) emphasises the second one (§4.2): in %u of 2 fusions", second);
  return SL_EXIT_FINE;
}

#define CONDITIONS                                                                                 \
  "Published: pictures, no numbers, with VGG-19 and paintings. Here: painted pictures of 128 "     \
  "pixels and five scales of random filters, 100 updates of L-BFGS; no likeness to the published " \
  "pictures is claimed. The sweeps of the lab make the same with given pictures and weights."

/* clang-format off */
const SlPaperTable sl_table_li_1 = {
  .id = "li-1", .title = "style alone, by method and levels",
  .source = "Li et al. 2017, figure 1",
  .time = "3 min", .quick_time = "25 s", .conditions = CONDITIONS,
  .needs = SL_NEEDS_NO_FILE, .usual_seeds = 1, .across = LEVELS,
  .rows = rows_1, .columns = columns, .n_columns = 1, .run = run_1,
};

const SlPaperTable sl_table_li_2 = {
  .id = "li-2", .title = "four methods by the balance of content and style",
  .source = "Li et al. 2017, figure 2",
  .time = "3 min", .quick_time = "25 s", .conditions = CONDITIONS,
  .needs = SL_NEEDS_NO_FILE, .usual_seeds = 1, .across = GAMMAS,
  .rows = rows_2, .columns = columns, .n_columns = COLUMNS, .run = run_2,
};

const SlPaperTable sl_table_li_3 = {
  .id = "li-3", .title = "six pairs of pictures by four methods",
  .source = "Li et al. 2017, figure 3",
  .time = "4 min", .quick_time = "15 s", .conditions = CONDITIONS,
  .needs = SL_NEEDS_NO_FILE, .usual_seeds = 1, .across = METHODS,
  .rows = rows_3, .columns = columns, .n_columns = COLUMNS, .run = run_3,
};

const SlPaperTable sl_table_li_4 = {
  .id = "li-4", .title = "two fusions of two methods",
  .source = "Li et al. 2017, figure 4",
  .time = "2 min", .quick_time = "15 s", .conditions = CONDITIONS,
  .needs = SL_NEEDS_NO_FILE, .usual_seeds = 1, .across = SHARES,
  .rows = rows_4, .columns = columns_4, .n_columns = COLUMNS, .run = run_4,
};
/* clang-format on */
