/* SPDX-License-Identifier: MIT
 *
 * What the numbers of an array look like.  */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/read/meaning/meaning.h"

enum { BLOCK = 1 << 15, SLOTS = 64, EXPERTS = 4096, ROWS = 1 << 20 };

static const double COLLAPSED = 0.9;

/* ------------------------------------------------------------- whether they are expert numbers */

typedef struct
{
  int64_t  first_sum;
  uint16_t first[SLOTS]; /* the first row, sorted; of each number one more, so that 0 is none */
  bool     any, same_sums, same_rows;
} Look;

static void
sort_few (uint16_t *row, unsigned k)
{
  for (unsigned s = 1; s < k; s++)
    {
      uint16_t one = row[s];
      unsigned at = s;

      for (; at > 0 && row[at - 1] > one; at--)
        row[at] = row[at - 1];
      row[at] = one;
    }
}

/* The largest number of a type without a sign may stand for none. */
static void
empty_tops (const SlArray *array, int64_t *row, uint64_t n)
{
  int64_t top = array->size == 8 ? -2 : (int64_t) (((uint64_t) 1 << 8 * array->size) - 1);

  for (uint64_t i = 0; i < n && array->type == SL_ARRAY_NATURALS; i++)
    row[i] = row[i] == top ? -1 : row[i];
}

/* False if this row cannot be expert numbers. */
static bool
look_at_row (Look *look, const int64_t *row, unsigned k)
{
  uint16_t sorted[SLOTS];
  int64_t  sum = 0;
  bool     zeros = k > 1;

  for (unsigned s = 0; s < k; s++)
    {
      if (row[s] >= EXPERTS || row[s] < -1)
        return false;
      zeros = zeros && row[s] == 0;
      sum += row[s];
      sorted[s] = (uint16_t) (row[s] + 1);
    }
  if (zeros)
    return true;
  sort_few (sorted, k);
  for (unsigned s = 1; s < k; s++)
    if (sorted[s] == sorted[s - 1] && sorted[s] != 0)
      return false;
  if (!look->any)
    {
      memcpy (look->first, sorted, k * sizeof *sorted);
      look->first_sum = sum;
      look->any = look->same_sums = look->same_rows = true;
    }
  look->same_sums = look->same_sums && sum == look->first_sum;
  look->same_rows = look->same_rows && memcmp (look->first, sorted, k * sizeof *sorted) == 0;
  return true;
}

SlStatus
sl_look_like_ids (SlArrays *arrays, SlArray *array, bool *likely)
{
  uint64_t width = array->axes > 0 ? array->shape[array->axes - 1] : 0;
  unsigned k = width <= SLOTS ? (unsigned) width : 0;
  uint64_t rows = k > 0 ? array->n / k : 0;
  int64_t *block = malloc (BLOCK * sizeof *block);
  Look     look = { .any = false };
  SlStatus status = block != NULL ? SL_SUCCESS : sl_status_no_memory (arrays->path);

  if (sl_ok (&status) && array->bytes == NULL && (array->packed > 0 || array->strided))
    status = sl_array_load (arrays, array);
  *likely = k > 0 || array->n == 0;
  rows = rows < ROWS ? rows : ROWS;
  for (uint64_t row = 0, n; row < rows && *likely && sl_ok (&status); row += n)
    {
      n = rows - row < BLOCK / k ? rows - row : BLOCK / k;
      status = sl_array_integers (array, arrays->path, row * k, n * k, block);
      empty_tops (array, block, n * k);
      for (uint64_t i = 0; i < n && *likely && sl_ok (&status); i++)
        *likely = look_at_row (&look, block + i * k, k);
    }
  free (block);
  /* Loads of as many tokens each have one sum; so have expert numbers only by accident. */
  if (k > 1 && look.any && look.same_sums && look.first_sum > 0 && !look.same_rows)
    *likely = false;
  return status;
}

/* ------------------------------------------------------------------ how far they are off chance */

typedef struct
{
  const SlMeant *meant;
  unsigned       width, n; /* numbers of a row; experts */
  bool           scores;   /* the k largest of a row are chosen */
  unsigned       k;
  uint64_t      *count; /* (layers, n) */
  uint64_t      *rows;  /* (layers) */
} Chance;

static void
count_row (Chance *c, double *row, uint64_t layer)
{
  uint64_t *count = c->count + layer * c->n;

  c->rows[layer]++;
  if (!c->scores)
    for (unsigned s = 0; s < c->width; s++)
      count[row[s] >= 0 && row[s] < c->n ? (unsigned) row[s] : 0] += row[s] >= 0;
  for (unsigned chosen = 0; c->scores && chosen < c->k; chosen++)
    {
      unsigned best = 0;

      for (unsigned s = 1; s < c->width; s++)
        if (row[s] > row[best])
          best = s;
      count[best]++;
      row[best] = -INFINITY;
    }
}

/* The sum of squares that even routing of k of n different experts is expected to have is n - k. */
static double
off_chance (const Chance *c, uint64_t layer)
{
  double k = c->scores ? c->k : c->width, n = c->n, even = (double) c->rows[layer] * k / n, sum = 0;

  for (unsigned i = 0; i < c->n; i++)
    {
      double off = (double) c->count[layer * c->n + i] - even;

      sum += off * off / even;
    }
  return k < n && even > 0 ? (sum - (n - k)) / ((1 - k / n) * sqrt (2 * (n - 1))) : 0;
}

/* The same where every row has the same experts. */
static double
off_collapsed (const Chance *c, uint64_t layer)
{
  double k = c->scores ? c->k : c->width, n = c->n;

  return k < n ? n * ((double) c->rows[layer] - 1) / sqrt (2 * (n - 1)) : 0;
}

static SlStatus
largest (SlArrays *arrays, const SlArray *array, double *block, unsigned *n)
{
  double   most = 0;
  SlStatus status = SL_SUCCESS;

  for (uint64_t i = 0, part; i < array->n && sl_ok (&status); i += part)
    {
      part = array->n - i < BLOCK ? array->n - i : BLOCK;
      status = sl_array_reals (array, arrays->path, i, part, block);
      for (uint64_t j = 0; j < part; j++)
        most = block[j] > most && block[j] < EXPERTS ? block[j] : most;
    }
  *n = (unsigned) most + 1;
  return status;
}

static SlStatus
count_rows (Chance *c, SlArrays *arrays, const SlArray *array, double *block)
{
  uint64_t rows = array->n / c->width, most = BLOCK / c->width;
  uint64_t layers = sl_meant_length (c->meant, 'l'), stride = sl_meant_stride (c->meant, 'l');
  SlStatus status = SL_SUCCESS;

  for (uint64_t row = 0, n; row < rows && sl_ok (&status); row += n)
    {
      n = rows - row < most ? rows - row : most;
      status = sl_array_reals (array, arrays->path, row * c->width, n * c->width, block);
      for (uint64_t i = 0; i < n && sl_ok (&status); i++)
        count_row (c, block + i * c->width, stride > 0 ? (row + i) / stride % layers : 0);
    }
  return status;
}

SlStatus
sl_look_off_chance (SlArrays *arrays, SlArray *array, const char *axes, unsigned k, SlOff *off)
{
  SlMeant  meant = { .array = array };
  double  *block = malloc (BLOCK * sizeof *block);
  Chance   c = { .meant = &meant, .width = (unsigned) array->shape[array->axes - 1] };
  uint64_t layers;
  SlStatus status = sl_array_load (arrays, array);

  strcpy (meant.axes, axes);
  layers = sl_meant_length (&meant, 'l');
  c.scores = strchr (axes, 'n') != NULL;
  c.n = c.width;
  c.k = k < c.width ? k : c.width;
  *off = (SlOff) { .least = INFINITY, .most = -INFINITY, .collapsed = true };
  if (block == NULL)
    return sl_status_no_memory (arrays->path);
  if (sl_ok (&status) && !c.scores)
    status = largest (arrays, array, block, &c.n);
  c.count = calloc (layers * c.n + 1, sizeof *c.count);
  c.rows = calloc (layers + 1, sizeof *c.rows);
  if (sl_ok (&status) && (c.count == NULL || c.rows == NULL))
    status = sl_status_no_memory (arrays->path);
  if (sl_ok (&status) && array->n > 0)
    status = count_rows (&c, arrays, array, block);
  for (uint64_t l = 0; l < layers && sl_ok (&status); l++)
    {
      double one = off_chance (&c, l);

      off->least = fmin (off->least, one);
      off->most = fmax (off->most, one);
      off->all += one / sqrt ((double) layers);
      off->collapsed = off->collapsed && one > COLLAPSED * off_collapsed (&c, l);
    }
  free (c.count);
  free (c.rows);
  free (block);
  return status;
}
