/* SPDX-License-Identifier: MIT */
#include "core/data/set/dataset.h"

#include <stdlib.h>
#include <string.h>

const char *
sl_data_title (SlDataNeeds kind)
{
  static const char *const titles[] = {
    [SL_NEEDS_NOTHING] = "none",
    [SL_NEEDS_LABELS] = "labelled examples",
    [SL_NEEDS_PLANE] = "labelled points of the plane",
    [SL_NEEDS_IMAGES] = "labelled images",
    [SL_NEEDS_TEXT] = "text",
    [SL_NEEDS_PICTURES] = "two pictures",
    [SL_NEEDS_ROUTING] = "recorded routing",
  };

  return titles[kind];
}

/* The number of a fact of `length` letters: as it says, 1 where it says none, 0 where it is not there. */
static double
fact_number (const char *facts, const char *fact, size_t length)
{
  for (; *facts != '\0'; facts += strcspn (facts, " "), facts += strspn (facts, " "))
    if (strncmp (facts, fact, length) == 0 && strchr (" =", facts[length]) != NULL)
      return facts[length] == '=' ? strtod (facts + length + 1, NULL) : 1.0;
  return 0.0;
}

static const char data[] = "data.";

double
sl_dataset_fact (const SlDataset *dataset, const char *fact)
{
  return dataset != NULL && fact != NULL && strncmp (fact, data, strlen (data)) == 0
           ? fact_number (dataset->facts, fact + strlen (data), strlen (fact) - strlen (data))
           : 0.0;
}

bool
sl_dataset_has (const SlDataset *dataset, const char *needs)
{

  for (; dataset != NULL && needs != NULL && *needs != '\0'; needs += strspn (needs, " "))
    {
      size_t length = strcspn (needs, " "), fact = strcspn (needs, " >=");
      double wanted = fact < length ? strtod (needs + fact + 1, NULL) : 0.0, is;

      if (strncmp (needs, data, strlen (data)) == 0)
        {
          is = fact_number (dataset->facts, needs + strlen (data), fact - strlen (data));
          if (!(needs[fact] == '=' ? is == wanted : is > wanted))
            return false;
        }
      needs += length;
    }
  return true;
}

SlMessage
sl_dataset_message (const SlDataset *dataset)
{
  const SlPicturePair *pair = dataset->pictures;

  return pair == NULL ? sl_message_word (dataset->title)
                      : sl_message ("%s, %s", sl_message_word (pair->content_title).packed,
                                    sl_message_word (pair->style_title).packed);
}

void
sl_dataset_free (SlDataset *dataset)
{
  if (dataset == NULL)
    return;
  if (dataset->pictures != NULL)
    sl_tensors_free (dataset->pictures->net);
  free (dataset->pictures);
  if (dataset->routing_free != NULL)
    {
      dataset->routing_free (dataset->routing);
      dataset->routing_free (dataset->routing_other);
    }
  free (dataset->network);
  free (dataset->titles);
  free (dataset->feature_titles);
  free (dataset->units);
  free (dataset->storage);
  free (dataset);
}

static void
bytes_to_real (const uint8_t *restrict from, size_t n, sl_real scale, sl_real offset,
               sl_real *restrict to)
{
  for (size_t i = 0; i < n; i++)
    to[i] = (sl_real) from[i] * scale + offset;
}

static void
copy_row (const SlDataset *dataset, size_t row, sl_real *x)
{
  size_t d = dataset->features;

  if (dataset->bytes != NULL)
    bytes_to_real (dataset->bytes + row * d, d, dataset->scale, dataset->offset, x);
  else
    memcpy (x, dataset->values + row * d, d * sizeof *x);
}

/* Prefetches a row that is used soon: rows are drawn at random from more than the caches hold, and
 * the processor cannot predict the next one.  */
static void
fetch_row (const SlDataset *dataset, size_t row)
{
  size_t      size = dataset->features * (dataset->bytes != NULL ? 1 : sizeof (sl_real));
  const char *from
    = dataset->bytes != NULL ? (const char *) dataset->bytes : (const char *) dataset->values;

  for (size_t at = 0; at < size && at < 1024; at += 64)
    __builtin_prefetch (from + row * size + at);
}

/* Points of the plane are copied one by one where they are: calling memcpy for eight bytes
 * would cost more than the copy.  */
static void
gather_plane (const SlDataset *dataset, const uint32_t *index, size_t n, sl_real *x)
{
  const sl_real *values = dataset->values;

  for (size_t i = 0; i < n; i++)
    {
      x[2 * i] = values[2 * (size_t) index[i]];
      x[2 * i + 1] = values[2 * (size_t) index[i] + 1];
    }
}

void
sl_dataset_gather (const SlDataset *dataset, const uint32_t *index, size_t n, sl_real *x,
                   uint8_t *label)
{
  if (dataset->features == 2 && dataset->values != NULL)
    gather_plane (dataset, index, n, x);
  else
    for (size_t i = 0; i < n; i++)
      {
        if (i + 2 < n)
          fetch_row (dataset, index[i + 2]);
        copy_row (dataset, index[i], x + i * dataset->features);
      }
  if (label != NULL)
    for (size_t i = 0; i < n; i++)
      label[i] = dataset->label[index[i]];
}

void
sl_dataset_range (const SlDataset *dataset, size_t first, size_t n, sl_real *x, uint8_t *label)
{
  size_t d = dataset->features;

  if (dataset->bytes != NULL)
    bytes_to_real (dataset->bytes + first * d, n * d, dataset->scale, dataset->offset, x);
  else
    memcpy (x, dataset->values + first * d, n * d * sizeof *x);
  if (label != NULL)
    memcpy (label, dataset->label + first, n);
}

void
sl_dataset_convert (const SlDataset *dataset, const float *x, size_t n, sl_real *to)
{
  size_t width = dataset->features;

  for (size_t i = 0; i < n * width; i++)
    {
      const double *units = dataset->units != NULL ? dataset->units + 2 * (i % width) : NULL;

      if (units == NULL)
        to[i] = dataset->bytes != NULL ? (sl_real) x[i] * dataset->scale + dataset->offset
                                       : (sl_real) x[i];
      else
        to[i] = (sl_real) sl_dataset_standard (x[i], units[0], units[1]);
    }
}
