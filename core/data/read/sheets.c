/* SPDX-License-Identifier: MIT */
#include "core/data/read/sheets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/set/relabel.h"
#include "core/data/text/text.h"

typedef struct
{
  size_t width, height, channels;
  bool   channels_last;
} Sizes;

static bool
is_channels (uint64_t n)
{
  return n == 1 || n == 3 || n == 4;
}

/* How the axes of images lie; false if they are none. */
static bool
measure (const SlArray *x, Sizes *sizes)
{
  *sizes = (Sizes) { .channels = 1 };
  if (x->axes != 3 && x->axes != 4)
    return false;
  sizes->height = x->shape[1];
  sizes->width = x->shape[2];
  if (x->axes == 3)
    return true;
  if (is_channels (x->shape[1]))
    {
      sizes->channels = x->shape[1];
      sizes->height = x->shape[2];
      sizes->width = x->shape[3];
      return true;
    }
  sizes->channels = x->shape[3];
  sizes->channels_last = true;
  return is_channels (x->shape[3]);
}

bool
sl_sheets_likely (const SlArray *x)
{
  Sizes sizes;

  return (sl_array_whole (x) || sl_array_real (x)) && measure (x, &sizes);
}

static SlMessage
describe (const SlArray *x)
{
  SlMessage text = sl_message ("%llu images of", (unsigned long long) x->shape[0]);

  for (unsigned a = 1; a < x->axes; a++)
    sl_message_add (&text, a == 1 ? " %llu" : " x %llu", (unsigned long long) x->shape[a]);
  return text;
}

static SlStatus
check (const SlSheets *sheets)
{
  const SlArray *x = sheets->x;
  uint64_t       each = 1;
  Sizes          sizes;
  char           shown[80];

  if (!measure (x, &sizes))
    return sl_status_new (SL_EFORMAT, sheets->x_path, describe (x),
                          sl_message ("1, 3 or 4 channels, first or last"));
  for (unsigned a = 1; a < x->axes; a++)
    if (__builtin_mul_overflow (each, x->shape[a], &each))
      each = UINT64_MAX;
  if (x->n == 0)
    return sl_status_new (SL_EFORMAT, sheets->x_path, describe (x),
                          sl_message ("no dimension of 0"));
  if (each > SL_FEATURES_MAX || x->n > SL_DATA_BUDGET)
    return sl_status_new (SL_ENOMEM, sheets->x_path, describe (x),
                          sl_message ("at most %zu MiB of them and %d features each",
                                      SL_DATA_BUDGET >> 20, SL_FEATURES_MAX));
  if (sheets->y->axes == 1 && sheets->y->n == x->shape[0])
    return SL_SUCCESS;
  sl_text_printable (basename (sheets->x_path), strlen (basename (sheets->x_path)), shown,
                     sizeof shown);
  return sl_status_new (
    SL_EFORMAT, sheets->y_path, sl_message ("%llu labels", (unsigned long long) sheets->y->n),
    sl_message ("%llu, one for each image of %s", (unsigned long long) x->shape[0], shown));
}

/* Whether all numbers are bytes, or all from 0 to 1. */
static SlStatus
look (const SlSheets *sheets, bool *bytes, double *most)
{
  enum { BLOCK = 4096 };

  const SlArray *x = sheets->x;
  double         block[BLOCK];
  SlStatus       status = SL_SUCCESS;

  if (x->type == SL_ARRAY_NATURALS && x->size == 1)
    return SL_SUCCESS;
  for (uint64_t i = 0, n; i < x->n && sl_ok (&status); i += n)
    {
      n = x->n - i < BLOCK ? x->n - i : BLOCK;
      status = sl_array_reals (x, sheets->x_path, i, n, block);
      for (uint64_t j = 0; j < n; j++)
        {
          if (!(block[j] - block[j] == 0))
            return sl_status_new (SL_EFORMAT, sheets->x_path,
                                  sl_message ("a pixel that is no number"),
                                  sl_message ("finite numbers"));
          *bytes
            = *bytes && block[j] >= 0 && block[j] <= 255 && block[j] == (double) (int) block[j];
          *most = block[j] > *most ? block[j] : *most;
        }
    }
  return status;
}

/* Where pixel `i` of an image of the draft, channel after channel, lies in the array's image. */
static size_t
place_of (const Sizes *sizes, bool turned, size_t i)
{
  size_t area = sizes->width * sizes->height, channel = i / area, pixel = i % area;

  if (turned)
    pixel = pixel % sizes->height * sizes->width + pixel / sizes->height;
  return sizes->channels_last ? pixel * sizes->channels + channel : channel * area + pixel;
}

static SlStatus
put_pixels (const SlSheets *sheets, const SlSheetsOptions *options, size_t first, SlDraft *draft)
{
  size_t  each = draft->dataset->features, *place = malloc (each * sizeof *place);
  double *image = malloc (each * sizeof *image);
  Sizes   sizes;
  bool plain = sheets->x->type == SL_ARRAY_NATURALS && sheets->x->size == 1 && !sheets->x->strided;
  SlStatus status
    = place != NULL && image != NULL ? SL_SUCCESS : sl_status_no_memory (sheets->x_path);

  measure (sheets->x, &sizes);
  for (size_t i = 0; sl_ok (&status) && i < each; i++)
    place[i] = place_of (&sizes, options->turned, i);
  if (sl_ok (&status) && plain && draft->bytes != NULL && !options->turned
      && (!sizes.channels_last || sizes.channels == 1))
    memcpy (draft->bytes + first * each, sheets->x->bytes, sheets->x->n);
  else
    for (size_t n = 0; n < sheets->x->shape[0] && sl_ok (&status); n++)
      {
        status = sl_array_reals (sheets->x, sheets->x_path, n * each, each, image);
        for (size_t i = 0; i < each && sl_ok (&status); i++)
          if (draft->bytes != NULL)
            draft->bytes[(first + n) * each + i] = (uint8_t) image[place[i]];
          else
            draft->values[(first + n) * each + i] = (sl_real) image[place[i]];
      }
  free (place);
  free (image);
  return status;
}

/* ---- labels ---- */

static int
by_value (const void *a, const void *b)
{
  const int64_t *x = a, *y = b;

  return (*x > *y) - (*x < *y);
}

/* The labels of all sheets in one list: numbers, or codes of the first sheet's texts. */
static SlStatus
read_labels (const SlSheets *sheets, unsigned n, int64_t *label)
{
  size_t   at = 0;
  SlStatus status = SL_SUCCESS;

  for (unsigned s = 0; s < n && sl_ok (&status); at += sheets[s++].y->n)
    {
      const SlArray *y = sheets[s].y;

      status = sl_array_load (sheets[s].y_file, sheets[s].y);
      if (sl_ok (&status) && y->type == SL_ARRAY_TEXTS)
        for (size_t i = 0; i < y->n; i++)
          {
            const char *text = NULL;
            uint32_t    code;

            memcpy (&code, y->bytes + i * sizeof code, sizeof code);
            text = code < y->n_texts ? y->text[code] : "";
            label[at + i] = SL_CLASSES_MAX;
            for (uint32_t t = 0; t < sheets[0].y->n_texts && sheets[0].y->type == SL_ARRAY_TEXTS;
                 t++)
              if (strcmp (sheets[0].y->text[t], text) == 0)
                label[at + i] = t;
          }
      else if (sl_ok (&status) && sl_array_whole (y))
        status = sl_array_integers (y, sheets[s].y_path, 0, y->n, label + at);
      else if (sl_ok (&status))
        for (size_t i = 0; i < y->n && sl_ok (&status); i++)
          {
            double value;

            status = sl_array_reals (y, sheets[s].y_path, i, 1, &value);
            label[at + i] = (int64_t) value;
            if (sl_ok (&status) && value != (double) label[at + i])
              return sl_status_at (SL_EFORMAT, sheets[s].y_path, SL_RECORD, i,
                                   sl_message ("label %.6g", value),
                                   sl_message ("classes, which are whole numbers"));
          }
    }
  return status;
}

/* Numbers that no byte can be become their rank among those of training. */
static SlStatus
rank_labels (const SlSheets *sheets, size_t train, size_t n, int64_t *label, int64_t *kind,
             unsigned *kinds)
{
  size_t distinct = 0;

  memcpy (kind, label, train * sizeof *kind);
  qsort (kind, train, sizeof *kind, by_value);
  for (size_t i = 0; i < train; i++)
    if (i == 0 || kind[i] != kind[distinct - 1])
      kind[distinct++] = kind[i];
  if (distinct > SL_CLASSES_MAX)
    return sl_status_new (SL_EFORMAT, sheets->y_path, sl_message ("%zu different labels", distinct),
                          sl_message ("at most %d classes", SL_CLASSES_MAX));
  for (size_t i = 0; i < n; i++)
    {
      int64_t *found = bsearch (&label[i], kind, distinct, sizeof *kind, by_value);

      if (found == NULL)
        return sl_status_at (SL_EFORMAT, sheets->y_path, SL_RECORD, i,
                             sl_message ("label %lld", (long long) label[i]),
                             sl_message ("one that occurs in training"));
      label[i] = found - kind;
    }
  *kinds = (unsigned) distinct;
  return SL_SUCCESS;
}

static SlStatus
name_kinds (SlDraft *draft, const SlArray *y, const int64_t *kind, unsigned kinds)
{
  const char *title[SL_CLASSES_MAX];
  char        number[SL_CLASSES_MAX][24];

  for (unsigned i = 0; i < kinds; i++)
    {
      snprintf (number[i], sizeof number[i], "%lld", (long long) kind[i]);
      title[i] = y->type == SL_ARRAY_TEXTS ? y->text[kind[i]] : number[i];
    }
  return sl_draft_titles (draft, title, kinds);
}

static SlStatus
put_labels (const SlSheets *sheets, unsigned n, const SlSheetsOptions *options, size_t train,
            SlDraft *draft)
{
  int64_t    *label = malloc (draft->n * sizeof *label), *kind = malloc (draft->n * sizeof *kind);
  bool        bytes = sheets->y->type != SL_ARRAY_TEXTS;
  unsigned    kinds = 0;
  SlLabelling labelling = { .known = options->known,
                            .train_path = sheets[0].y_path,
                            .n_train = train,
                            .test_path = sheets[n - 1].y_path };
  SlStatus    status = label != NULL && kind != NULL ? read_labels (sheets, n, label)
                                                     : sl_status_no_memory (sheets->y_path);

  for (size_t i = 0; i < draft->n && bytes && sl_ok (&status); i++)
    bytes = label[i] >= 0 && label[i] < SL_CLASSES_MAX;
  if (sl_ok (&status) && !bytes)
    status = rank_labels (sheets, train, draft->n, label, kind, &kinds);
  for (size_t i = 0; i < draft->n && sl_ok (&status); i++)
    draft->label[i] = (uint8_t) label[i];
  if (sl_ok (&status))
    status = sl_relabel (draft, &labelling);
  if (sl_ok (&status) && !bytes)
    status = name_kinds (draft, sheets->y, kind, kinds);
  if (sl_ok (&status) && options->titles != NULL)
    status = sl_draft_titles (draft, options->titles, options->known);
  free (label);
  free (kind);
  return status;
}

/* ---- the whole ---- */

static SlStatus
begin (const SlSheets *sheets, unsigned n, SlDraft *draft)
{
  bool     bytes = true;
  double   most = 0;
  size_t   images = 0;
  Sizes    sizes, other;
  SlStatus status = SL_SUCCESS;

  for (unsigned s = 0; s < n && sl_ok (&status); s++)
    {
      status = check (&sheets[s]);
      if (sl_ok (&status))
        status = sl_array_load (sheets[s].x_file, sheets[s].x);
      if (sl_ok (&status))
        status = look (&sheets[s], &bytes, &most);
      images += sheets[s].x->shape[0];
    }
  if (!sl_ok (&status))
    return status;
  measure (sheets->x, &sizes);
  for (unsigned s = 1; s < n; s++)
    {
      measure (sheets[s].x, &other);
      if (other.width != sizes.width || other.height != sizes.height
          || other.channels != sizes.channels)
        return sl_status_new (SL_EFORMAT, sheets[s].x_path,
                              sl_message ("images of %zu x %zu in %zu channels", other.height,
                                          other.width, other.channels),
                              sl_message ("%zu x %zu in %zu as in the train images", sizes.height,
                                          sizes.width, sizes.channels));
    }
  status = sl_draft_init (draft, sheets->x_path, bytes ? SL_DRAFT_BYTES : SL_DRAFT_VALUES, images,
                          sizes.width * sizes.height * sizes.channels, false);
  if (!sl_ok (&status))
    return status;
  draft->dataset->width = (unsigned) sizes.width;
  draft->dataset->height = (unsigned) sizes.height;
  draft->dataset->channels = (unsigned) sizes.channels;
  return status;
}

static void
say (const SlSheetsOptions *options, SlDraft *draft)
{
  SlFileReading *reading = &draft->dataset->reading;

  if (draft->dataset->channels == 1)
    reading->said
      = sl_message ("%zu grey images of %u × %u pixels, %u classes", draft->n,
                    draft->dataset->width, draft->dataset->height, draft->dataset->classes);
  else
    reading->said
      = sl_message ("%zu images in colour of %u × %u pixels, %u classes", draft->n,
                    draft->dataset->width, draft->dataset->height, draft->dataset->classes);
  if (options->turned)
    sl_reading_note (reading, sl_message ("rows and columns are exchanged"));
  if (draft->bytes == NULL)
    sl_reading_note (reading, sl_message ("pixels are fractions"));
}

SlStatus
sl_sheets_join (const SlSheets *sheets, unsigned n, const SlSheetsOptions *options, SlDraft *draft)
{
  size_t   first = 0, train = 0;
  SlStatus status;

  *draft = (SlDraft) { 0 };
  status = begin (sheets, n, draft);
  if (!sl_ok (&status))
    return status;
  for (unsigned s = 0; s < n && sl_ok (&status); first += sheets[s++].x->shape[0])
    {
      train += s < options->train ? sheets[s].x->shape[0] : 0;
      status = put_pixels (&sheets[s], options, first, draft);
    }
  if (sl_ok (&status) && options->turned)
    {
      unsigned width = draft->dataset->width;

      draft->dataset->width = draft->dataset->height;
      draft->dataset->height = width;
    }
  if (sl_ok (&status))
    status = put_labels (sheets, n, options, train, draft);
  if (sl_ok (&status))
    say (options, draft);
  else
    sl_draft_clear (draft);
  return status;
}
