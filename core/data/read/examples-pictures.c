/* SPDX-License-Identifier: MIT */
#include "core/data/read/examples-parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

enum { SMALLEST_SIDE = 8 };

unsigned
sl_examples_side (unsigned n, unsigned *channels)
{
  for (*channels = 1; *channels <= 3; *channels += 2)
    {
      unsigned side = (unsigned) lrint (sqrt ((double) n / *channels));

      if (side >= SMALLEST_SIDE && side * side * *channels == n)
        return side;
    }
  return 0;
}

/* Whether a heading is of a pixel: "pixel0", "px_1", "28x28". */
static bool
is_pixel (const char *name)
{
  size_t digits = strspn (name, "0123456789");

  return strncasecmp (name, "pix", 3) == 0 || strncasecmp (name, "px", 2) == 0
         || (digits > 0 && name[digits] == 'x');
}

SlStatus
sl_examples_find_pixels (const SlExamples *e, SlExamplePixels *pixels)
{
  bool     named = true, plain = true, positive = true;
  SlStatus status = SL_SUCCESS;

  *pixels = (SlExamplePixels) { .bytes = true };
  pixels->side = sl_examples_side (sl_examples_count (e), &pixels->channels);
  pixels->column = calloc (e->columns, sizeof *pixels->column);
  if (pixels->column == NULL)
    return sl_examples_no_memory (e);
  for (unsigned j = 0; j < e->columns && pixels->side > 0 && positive && sl_ok (&status); j++)
    {
      const SlArray *array = &e->arrays->array[j];

      if (e->role[j] == SL_EXAMPLE_WORDS)
        positive = false;
      if (e->role[j] != SL_EXAMPLE_FEATURE)
        continue;
      pixels->column[pixels->n++] = j;
      named = named && is_pixel (array->name);
      plain = plain && array->name[strspn (array->name, "0123456789")] == '\0';
      pixels->bytes = pixels->bytes && array->size == 1 && array->type == SL_ARRAY_NATURALS;
      positive = named || (plain && pixels->bytes);
      if (positive)
        status = sl_examples_load (e, j);
      for (size_t i = 0; i < e->n && positive && sl_ok (&status); i++)
        {
          positive = e->number[e->row[i]] >= 0.0;
          pixels->largest = fmax (pixels->largest, e->number[e->row[i]]);
        }
    }
  pixels->bytes = pixels->bytes && pixels->largest > INT8_MAX;
  if (!positive || !(pixels->largest > 0.0 && pixels->largest <= (double) FLT_MAX)
      || (!named && !pixels->bytes))
    pixels->side = 0;
  return status;
}

/* Whether neighbours are the colours of one pixel: they then differ more than what is three apart. */
static bool
is_interleaved (const SlExamples *e, const SlExamplePixels *pixels)
{
  enum { LOOKED_AT = 100 };
  double near = 0.0, far = 0.0;

  for (size_t i = 0; i < e->n && i < LOOKED_AT; i++)
    for (unsigned f = 3; f < pixels->n; f++)
      {
        double value[4];

        for (unsigned k = 0; k < 4; k++)
          sl_array_reals (&e->arrays->array[pixels->column[f - 3 + k]], e->arrays->path, e->row[i],
                          1, &value[k]);
        near += fabs (value[0] - value[1]);
        far += fabs (value[0] - value[3]);
      }
  return far < near;
}

/* Bytes are as they are; other numbers from 0 up fill the same range. */
SlStatus
sl_examples_put_pictures (SlExamples *e, const SlExamplePixels *pixels, const uint32_t *order,
                          SlDraft *draft)
{
  unsigned plane = pixels->side * pixels->side, channels = pixels->channels;
  bool     mixed = channels > 1 && is_interleaved (e, pixels);
  SlStatus status = SL_SUCCESS;

  for (unsigned f = 0; f < pixels->n && sl_ok (&status); f++)
    {
      const SlArray *array = &e->arrays->array[pixels->column[f]];
      size_t         to = mixed ? f % channels * plane + f / channels : f;

      if (!pixels->bytes)
        status = sl_examples_load (e, pixels->column[f]);
      for (size_t i = 0; i < e->n; i++, to += pixels->n)
        if (pixels->bytes)
          draft->bytes[to] = array->bytes[e->row[order[i]]];
        else
          draft->values[to]
            = (sl_real) (float) (e->number[e->row[order[i]]] * 2.0 / pixels->largest - 1.0);
    }
  draft->dataset->width = draft->dataset->height = pixels->side;
  draft->dataset->channels = channels;
  if (channels > 1)
    sl_reading_note (&e->reading,
                     mixed ? sl_message ("columns: the colours of one pixel, then the next")
                           : sl_message ("columns: the pixels of one colour, then the next"));
  if (!pixels->bytes)
    sl_reading_note (&e->reading, sl_message ("white is %g, the largest", pixels->largest));
  return status;
}
