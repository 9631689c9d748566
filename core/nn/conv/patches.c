/* SPDX-License-Identifier: MIT */
#include "core/nn/conv/patches.h"

#include <string.h>

#include "core/nn/kernels/threads.h"

/* Numbers from which a copy is shared among threads. */
static const size_t shared_from = 1 << 18;

bool
sl_patches_valid (const SlPatches *patches)
{
  return patches->channels > 0 && patches->side > 0 && patches->stride > 0
         && patches->side <= patches->height && patches->side <= patches->width;
}

/* Unused where OpenMP is left out. */
__attribute__ ((unused)) static int
threads_for (size_t batch, size_t numbers)
{
  size_t most = (size_t) omp_get_max_threads ();

  if (batch * numbers < shared_from || batch == 0)
    return 1;
  return (int) (most < batch ? most : batch);
}

static size_t
picture_of (const SlPatches *patches)
{
  return patches->channels * patches->height * patches->width;
}

static size_t
rows_of (const SlPatches *patches)
{
  return sl_patches_down (patches) * sl_patches_across (patches) * sl_patches_inputs (patches);
}

/* Where the patch of place (p, q) begins in a picture. */
static size_t
start_of (const SlPatches *patches, size_t p, size_t q)
{
  return patches->stride * (p * patches->width + q) * patches->channels;
}

static void
gather_one (const SlPatches *patches, const sl_real *x, sl_real *rows)
{
  size_t run = patches->side * patches->channels, line = patches->width * patches->channels;

  for (size_t p = 0; p < sl_patches_down (patches); p++)
    for (size_t q = 0; q < sl_patches_across (patches); q++)
      for (size_t r = 0; r < patches->side; r++, rows += run)
        memcpy (rows, x + start_of (patches, p, q) + r * line, run * sizeof *rows);
}

static void
add_one (const SlPatches *patches, const sl_real *rows, sl_real *x)
{
  size_t run = patches->side * patches->channels, line = patches->width * patches->channels;

  memset (x, 0, picture_of (patches) * sizeof *x);
  for (size_t p = 0; p < sl_patches_down (patches); p++)
    for (size_t q = 0; q < sl_patches_across (patches); q++)
      for (size_t r = 0; r < patches->side; r++, rows += run)
        {
          sl_real *to = x + start_of (patches, p, q) + r * line;

          for (size_t i = 0; i < run; i++)
            to[i] += rows[i];
        }
}

void
sl_patches_turn (size_t batch, size_t channels, size_t places, const sl_real *x, sl_real *y)
{
  for (size_t e = 0; e < batch; e++, x += channels * places)
    for (size_t i = 0; i < places; i++)
      for (size_t c = 0; c < channels; c++)
        *y++ = x[c * places + i];
}

void
sl_patches_gather (const SlPatches *patches, size_t batch, const sl_real *x, sl_real *rows)
{
#pragma omp parallel for schedule(static) num_threads(threads_for(batch, rows_of(patches)))
  for (size_t e = 0; e < batch; e++)
    gather_one (patches, x + e * picture_of (patches), rows + e * rows_of (patches));
}

void
sl_patches_add (const SlPatches *patches, size_t batch, const sl_real *rows, sl_real *x)
{
#pragma omp parallel for schedule(static) num_threads(threads_for(batch, rows_of(patches)))
  for (size_t e = 0; e < batch; e++)
    add_one (patches, rows + e * rows_of (patches), x + e * picture_of (patches));
}
