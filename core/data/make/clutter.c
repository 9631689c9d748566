/* SPDX-License-Identifier: MIT
 *
 * A drawn digit somewhere on a larger sheet among pieces of other digits, after the cluttered MNIST that Liu and Deng 2017
 * use (Mnih, Heess, Graves and Kavukcuoglu 2014, 1406.6247): a network that looks everywhere does most of its work
 * on nothing.  */
#include <stdlib.h>
#include <string.h>

#include "core/data/image/pen.h"
#include "core/data/make/digits.h"
#include "core/data/source/options.h"
#include "core/data/source/sources.h"

enum {
  PIECE = 8,  /* pixels a side, as published */
  MARGIN = 6, /* of a digit's sheet, mostly empty: no piece is from there */
};

/* Lays a part of a digit's sheet onto the picture where both have room; the darker ink stays. */
static void
lay (const uint8_t *digit, unsigned left, unsigned top, unsigned size, uint8_t *picture,
     unsigned side, unsigned x, unsigned y)
{
  for (unsigned row = 0; row < size; row++)
    for (unsigned column = 0; column < size; column++)
      {
        uint8_t  ink = digit[(top + row) * SL_SHEET_SIDE + left + column];
        uint8_t *at = picture + (size_t) (y + row) * side + x + column;

        *at = *at > ink ? *at : ink;
      }
}

/* `difficulty`: which share of `most` pieces there are. */
static void
draw_picture (uint64_t seed, unsigned label, double difficulty, unsigned most, unsigned side,
              uint8_t *picture)
{
  const unsigned room = SL_SHEET_SIDE - 2 * MARGIN - PIECE + 1;
  unsigned       pieces = (unsigned) (difficulty * (most + 1));
  uint8_t        digit[SL_SHEET_PIXELS];
  SlRng          rng;

  sl_rng_init (&rng, seed, "clutter");
  memset (picture, 0, (size_t) side * side);
  for (unsigned i = 0; i < (pieces < most ? pieces : most); i++)
    {
      unsigned other = (unsigned) sl_rng_below (&rng, 10);
      unsigned left, top, x, y;

      sl_digit_draw (sl_rng_next (&rng), other, 0.0, digit);
      left = MARGIN + (unsigned) sl_rng_below (&rng, room);
      top = MARGIN + (unsigned) sl_rng_below (&rng, room);
      x = (unsigned) sl_rng_below (&rng, side - PIECE + 1);
      y = (unsigned) sl_rng_below (&rng, side - PIECE + 1);
      lay (digit, left, top, PIECE, picture, side, x, y);
    }
  sl_digit_draw (sl_rng_next (&rng), label, 0.0, digit);
  lay (digit, 0, 0, SL_SHEET_SIDE, picture, side,
       (unsigned) sl_rng_below (&rng, side - SL_SHEET_SIDE + 1),
       (unsigned) sl_rng_below (&rng, side - SL_SHEET_SIDE + 1));
}

static SlStatus
open_clutter (const SlSource *source, const SlSettings *settings, const SlSourceFiles *files,
              SlDataset **dataset)
{
  size_t      n = (size_t) sl_source_option (source, settings, "images");
  unsigned    side = (unsigned) sl_source_option (source, settings, "side");
  unsigned    most = (unsigned) sl_source_option (source, settings, "pieces");
  SlSplitting splitting = sl_source_splitting (source->params, source->n_params, settings);
  size_t      pixels = (size_t) side * side;
  uint64_t   *seeds;
  SlDraft     draft;
  SlStatus    status = sl_draft_init (&draft, source->id, SL_DRAFT_BYTES, n, pixels, true);

  if (!sl_ok (&status))
    return status;
  seeds = malloc (n * sizeof *seeds);
  status = seeds != NULL ? sl_digits_plan (&draft, seeds, &splitting, source->id, 0.0, 1.0)
                         : sl_status_no_memory (source->id);
  if (sl_ok (&status))
    {
      /* Each picture has its own seed, so the threads may draw them in any order. */
#pragma omp parallel for schedule(static)
      for (size_t i = 0; i < n; i++)
        draw_picture (seeds[i], draft.label[i], (double) draft.difficulty[i], most, side,
                      draft.bytes + i * pixels);
    }
  free (seeds);
  draft.dataset->classes = 10;
  draft.dataset->width = draft.dataset->height = side;
  draft.dataset->channels = 1;
  return sl_draft_deliver (&draft, status, source->title, dataset);
}

static const SlParam params[] = {
  SL_OPTION ("images", "Images", "", "In all splits together.", "", .kind = SL_INTEGER, .lo = 100,
             .hi = 50000, .step = 1000, .fallback = 10000, .logarithmic = true),
  SL_OPTION ("side", "Side", "pixels", "Width and height of a picture; the digit keeps its size.",
             "Mnih et al. 2014: 60 and 100", .kind = SL_INTEGER, .lo = SL_SHEET_SIDE, .hi = 100,
             .step = 4, .fallback = 60),
  SL_OPTION (
    "pieces", "Pieces", "",
    "Most pieces of other digits, 8 by 8 pixels; a picture's number of them is its difficulty.",
    "Mnih et al. 2014: 4 and 8", .kind = SL_INTEGER, .lo = 0, .hi = 40, .step = 1, .fallback = 8),
  SL_OPTION_VALID,
  SL_OPTION_TEST,
  SL_OPTION_SEED,
  SL_OPTION_PIXELS,
};

const SlSource sl_source_clutter = {
  .id = "clutter",
  .title = "Cluttered digits",
  .yields = SL_NEEDS_IMAGES,
  .help = "A generated digit on a larger sheet, among pieces of others.",
  .params = params,
  .n_params = sizeof params / sizeof *params,
  .open = open_clutter,
};
