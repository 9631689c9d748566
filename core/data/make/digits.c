/* SPDX-License-Identifier: MIT
 *
 * Handwriting without a file: digits drawn as pen strokes, each a little different, and
 * each with a known difficulty that sets how much its shape, place, ink and background are
 * disturbed.  */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/image/pen.h"
#include "core/data/make/digits.h"
#include "core/data/make/glyphs.h"
#include "core/data/source/options.h"
#include "core/data/source/sources.h"

enum {
  PIECES = 4, /* straight pieces between two points of a spline */
  LINE_MAX_POINTS = SL_GLYPH_POINTS * PIECES,
};

/* One image's hand: where a point of the unit square comes to lie on the sheet. */
typedef struct
{
  float wave[2], rate[2][2], phase[2]; /* a smooth bend of the paper, per axis */
  float turn[2][2], place[2];          /* then rotation, slant and size, then position */
} Hand;

static double
uniform_spread (SlRng *rng, double width)
{
  return width * (2.0 * sl_rng_uniform (rng) - 1.0);
}

/* Every disturbance has a natural part, which makes two easy digits differ, and a part that
 * grows with the difficulty.  */
static void
draw_hand (Hand *hand, SlRng *rng, double difficulty)
{
  double angle = uniform_spread (rng, 0.07 + 0.40 * difficulty);
  double slant = 0.12 + uniform_spread (rng, 0.14 + 0.40 * difficulty);
  double height = 19.0 * (1.0 + uniform_spread (rng, 0.05 + 0.22 * difficulty));
  double width = 13.5 * (1.0 + uniform_spread (rng, 0.12 + 0.25 * difficulty));
  double c = cos (angle), s = sin (angle);

  for (int axis = 0; axis < 2; axis++)
    {
      hand->wave[axis] = (float) ((0.02 + 0.075 * difficulty) * (0.5 + sl_rng_uniform (rng)));
      hand->rate[axis][0] = (float) uniform_spread (rng, 7.0);
      hand->rate[axis][1] = (float) uniform_spread (rng, 7.0);
      hand->phase[axis] = (float) uniform_spread (rng, M_PI);
      hand->place[axis]
        = (float) ((SL_SHEET_SIDE - 1) / 2.0 + uniform_spread (rng, 0.7 + 2.3 * difficulty));
    }
  hand->turn[0][0] = (float) (c * width);
  hand->turn[0][1] = (float) (-(c * slant + s) * height);
  hand->turn[1][0] = (float) (s * width);
  hand->turn[1][1] = (float) ((c - s * slant) * height);
}

static void
apply_hand (const Hand *hand, const float from[2], float to[2])
{
  float bent[2];

  for (int axis = 0; axis < 2; axis++)
    bent[axis] = from[axis] - 0.5f
                 + hand->wave[axis]
                     * sinf (hand->rate[axis][0] * from[0] + hand->rate[axis][1] * from[1]
                             + hand->phase[axis]);
  for (int axis = 0; axis < 2; axis++)
    to[axis] = hand->place[axis] + hand->turn[axis][0] * bent[0] + hand->turn[axis][1] * bent[1];
}

/* A Catmull-Rom spline between its second and third point. */
static float
spline (float a, float b, float c, float d, float t)
{
  return b
         + 0.5f * t
             * (c - a + t * (2.0f * a - 5.0f * b + 4.0f * c - d + t * (3.0f * (b - c) + d - a)));
}

static void
draw_stroke (SlSheet *sheet, const SlStroke *stroke, const Hand *hand)
{
  const float (*at)[2] = stroke->at;
  unsigned last = stroke->n - 1;
  float    from[2], to[2];

  apply_hand (hand, at[0], from);
  for (unsigned i = 0; i < last; i++)
    {
      const float *a = at[i > 0 ? i - 1 : 0], *b = at[i], *c = at[i + 1];
      const float *d = at[i + 2 <= last ? i + 2 : last];

      for (int piece = 1; piece <= PIECES; piece++)
        {
          float t = (float) piece / PIECES;
          float point[2]
            = { spline (a[0], b[0], c[0], d[0], t), spline (a[1], b[1], c[1], d[1], t) };

          apply_hand (hand, point, to);
          sl_sheet_line (sheet, from, to);
          from[0] = to[0];
          from[1] = to[1];
        }
    }
}

/* A stray line of another pen across the picture. */
static void
draw_stray (float *ink, SlRng *rng, double difficulty)
{
  SlSheet sheet;
  float   a[2], b[2], line[SL_SHEET_PIXELS];

  for (int axis = 0; axis < 2; axis++)
    {
      a[axis] = (float) (SL_SHEET_SIDE * sl_rng_uniform (rng));
      b[axis] = a[axis] + (float) uniform_spread (rng, 4.0 + 14.0 * difficulty);
    }
  sl_sheet_clear (&sheet);
  sl_sheet_line (&sheet, a, b);
  sl_sheet_ink (&sheet, (float) (0.3 + 0.7 * difficulty), line);
  for (int i = 0; i < SL_SHEET_PIXELS; i++)
    ink[i] = ink[i] > line[i] ? ink[i] : line[i];
}

/* A round spot without ink. */
static void
rub_out (float *ink, SlRng *rng, double difficulty)
{
  float x = (float) (6.0 + 16.0 * sl_rng_uniform (rng));
  float y = (float) (6.0 + 16.0 * sl_rng_uniform (rng));
  float radius = (float) (1.0 + 3.0 * difficulty);

  for (int row = 0; row < SL_SHEET_SIDE; row++)
    for (int column = 0; column < SL_SHEET_SIDE; column++)
      {
        float dx = (float) column - x, dy = (float) row - y;

        if (dx * dx + dy * dy < radius * radius)
          ink[row * SL_SHEET_SIDE + column] = 0.0f;
      }
}

/* Ink to bytes, with grain: the difference of two uniform bytes for each pixel. */
static void
ink_to_bytes (const float *ink, SlRng *rng, float contrast, float grain, uint8_t *pixels)
{
  uint8_t noise[2 * SL_SHEET_PIXELS];

  for (int i = 0; i < 2 * SL_SHEET_PIXELS; i += 8)
    {
      uint64_t draw = sl_rng_next (rng);

      for (int j = 0; j < 8; j++)
        noise[i + j] = (uint8_t) (draw >> (8 * j));
    }
  for (int i = 0; i < SL_SHEET_PIXELS; i++)
    {
      int   two = noise[i] - noise[i + SL_SHEET_PIXELS];
      float value = contrast * ink[i] + grain * (float) two + 0.5f;

      value = value < 0.0f ? 0.0f : value;
      value = value > 255.0f ? 255.0f : value;
      pixels[i] = (uint8_t) (int) value;
    }
}

void
sl_digit_draw (uint64_t seed, unsigned digit, double difficulty, uint8_t *pixels)
{
  const SlGlyphs *ways = &sl_digit_glyphs[digit];
  const SlGlyph  *glyph;
  SlSheet         sheet;
  Hand            hand;
  SlRng           rng;
  float           ink[SL_SHEET_PIXELS], radius;

  sl_rng_init (&rng, seed, "digit");
  glyph = &ways->glyph[sl_rng_below (&rng, ways->n)];
  draw_hand (&hand, &rng, difficulty);
  radius = (float) (1.25 + uniform_spread (&rng, 0.25 + 0.45 * difficulty));

  sl_sheet_clear (&sheet);
  for (unsigned i = 0; i < glyph->n; i++)
    draw_stroke (&sheet, &glyph->stroke[i], &hand);
  sl_sheet_ink (&sheet, radius, ink);
  if (sl_rng_uniform (&rng) < difficulty)
    rub_out (ink, &rng, difficulty);
  if (sl_rng_uniform (&rng) < difficulty)
    draw_stray (ink, &rng, difficulty);
  ink_to_bytes (ink, &rng, (float) (255.0 - 140.0 * difficulty * sl_rng_uniform (&rng)),
                (float) (0.40 * difficulty), pixels);
}

/* Each image has its own seed, so the threads may draw them in any order. */
static void
draw_all (SlDraft *draft, const uint64_t *seeds)
{
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < draft->n; i++)
    sl_digit_draw (seeds[i], draft->label[i], (double) draft->difficulty[i],
                   draft->bytes + i * SL_SHEET_PIXELS);
}

SlStatus
sl_digits_plan (SlDraft *draft, uint64_t *seeds, const SlSplitting *splitting, const char *subject,
                double easiest, double hardest)
{
  uint32_t *order = sl_split_order (splitting, draft->n);
  SlRng     rng;

  if (order == NULL)
    return sl_status_no_memory (subject);
  for (size_t i = 0; i < draft->n; i++)
    draft->label[i] = (uint8_t) (order[i] % 10);
  free (order);

  sl_rng_init (&rng, splitting->seed, "points");
  for (size_t i = 0; i < draft->n; i++)
    seeds[i] = sl_rng_next (&rng);
  sl_rng_init (&rng, splitting->seed, "difficulty");
  for (size_t i = 0; i < draft->n; i++)
    draft->difficulty[i]
      = (sl_real) (float) (easiest + (hardest - easiest) * sl_rng_uniform (&rng));
  return sl_split_sizes (splitting, subject, draft->n, draft->dataset->n);
}

static SlStatus
open_digits (const SlSource *source, const SlSettings *settings, const SlSourceFiles *files,
             SlDataset **dataset)
{
  size_t      n = (size_t) sl_source_option (source, settings, "images");
  double      easiest = sl_source_option (source, settings, "easiest");
  double      hardest = sl_source_option (source, settings, "hardest");
  SlSplitting splitting = sl_source_splitting (source->params, source->n_params, settings);
  uint64_t   *seeds;
  SlDraft     draft;
  SlStatus    status;

  if (!(easiest <= hardest))
    return sl_status_new (SL_EINVAL, "easiest", sl_message ("more than hardest"),
                          sl_message ("at most hardest"));
  status = sl_draft_init (&draft, source->id, SL_DRAFT_BYTES, n, SL_SHEET_PIXELS, true);
  if (!sl_ok (&status))
    return status;
  seeds = malloc (n * sizeof *seeds);
  status = seeds != NULL ? sl_digits_plan (&draft, seeds, &splitting, source->id, easiest, hardest)
                         : sl_status_no_memory (source->id);
  if (sl_ok (&status))
    draw_all (&draft, seeds);
  free (seeds);
  draft.dataset->classes = 10;
  draft.dataset->width = draft.dataset->height = SL_SHEET_SIDE;
  draft.dataset->channels = 1;
  strcpy (draft.dataset->facts, "boxed");
  return sl_draft_deliver (&draft, status, source->title, dataset);
}

static const SlParam params[] = {
  SL_OPTION ("images", "Images", "", "In all splits together.", "", .kind = SL_INTEGER, .lo = 100,
             .hi = 200000, .step = 1000, .fallback = 20000, .logarithmic = true),
  SL_OPTION ("easiest", "Easiest", "",
             "Difficulty 0 has only the natural variation of handwriting.", "", .kind = SL_REAL,
             .lo = 0, .hi = 1, .step = 0.05, .fallback = 0),
  SL_OPTION ("hardest", "Hardest", "",
             "Difficulty is uniform between the two. Difficult images are bent, turned, moved, "
             "pale, partly erased and speckled.",
             "", .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.05, .fallback = 1),
  SL_OPTION_VALID,
  SL_OPTION_TEST,
  SL_OPTION_SEED,
  SL_OPTION_PIXELS,
};

const SlSource sl_source_digits = {
  .id = "digits",
  .title = "Drawn digits",
  .yields = SL_NEEDS_IMAGES,
  .help = "Generated handwritten digits, 28 by 28 pixels, with a known difficulty from 0 to 1.",
  .params = params,
  .n_params = sizeof params / sizeof *params,
  .open = open_digits,
};
