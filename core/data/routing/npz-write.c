/* SPDX-License-Identifier: MIT */
#include "core/data/routing/npz-write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "core/base/utf8.h"
#include "core/data/read/containers/npy-header.h"
#include "core/data/routing/words.h"

enum { HEADER = 128, NAME = 32 };

static const size_t zip_most = UINT32_MAX;

/* A stored zip archive in memory: an array is closed before the next begins. */
typedef struct
{
  const SlRouting *routing;
  FILE            *archive, *directory, *array;
  char            *bytes, *listed, *data; /* of each of them */
  size_t           n, n_listed, n_data;
  char             name[NAME];
  unsigned         members;
  bool             failed; /* no memory */
} Archive;

/* Nothing goes into a stream for which there was no memory. */
static void
put (FILE *to, uint64_t number, unsigned size)
{
  for (unsigned i = 0; to != NULL && i < size; i++)
    putc ((int) (number >> 8 * i & 0xff), to);
}

static void
put_bytes (FILE *to, const void *bytes, size_t n)
{
  if (to != NULL)
    fwrite (bytes, 1, n, to);
}

static bool
close_stream (FILE *stream)
{
  bool whole = stream != NULL && !ferror (stream);

  return stream != NULL && fclose (stream) == 0 && whole;
}

/* What the header of a member and its place in the directory have alike. */
static void
put_facts (FILE *to, const Archive *a)
{
  put (to, 20, 2);         /* version */
  put (to, 0, 2);          /* flags */
  put (to, 0, 2);          /* stored */
  put (to, 0x00210000, 4); /* 1 January 1980, so that the same recording is the same bytes */
  put (to, a->failed ? 0 : crc32_z (0, (const Bytef *) a->data, a->n_data), 4);
  put (to, a->n_data, 4);
  put (to, a->n_data, 4);
  put (to, strlen (a->name), 2);
  put (to, 0, 2); /* extra */
}

static void
begin (Archive *a, const char *name, const char *type, const char *shape)
{
  char text[HEADER];

  snprintf (a->name, sizeof a->name, "%s.npy", name);
  a->array = open_memstream (&a->data, &a->n_data);
  put_bytes (a->array, "\x93NUMPY\1", 8);
  put (a->array, HEADER - 10, 2);
  snprintf (text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type,
            shape);
  if (a->array != NULL)
    fprintf (a->array, "%-*s\n", HEADER - 11, text);
}

static void
end (Archive *a)
{
  uint64_t place = a->archive != NULL ? (uint64_t) ftello (a->archive) : 0;

  a->failed |= !close_stream (a->array);
  put (a->archive, 0x04034b50, 4);
  put_facts (a->archive, a);
  put_bytes (a->archive, a->name, strlen (a->name));
  if (!a->failed)
    put_bytes (a->archive, a->data, a->n_data);
  put (a->directory, 0x02014b50, 4);
  put (a->directory, 20, 2);
  put_facts (a->directory, a);
  put (a->directory, 0, 2 + 2 + 2); /* comment, disk, attributes */
  put (a->directory, 0, 4);
  put (a->directory, place, 4);
  put_bytes (a->directory, a->name, strlen (a->name));
  a->members++;
  free (a->data);
  a->data = NULL;
}

/* The directory, and the record behind it. */
static void
finish (Archive *a)
{
  uint64_t place = a->archive != NULL ? (uint64_t) ftello (a->archive) : 0;

  a->failed |= !close_stream (a->directory);
  if (!a->failed)
    put_bytes (a->archive, a->listed, a->n_listed);
  put (a->archive, 0x06054b50, 4);
  put (a->archive, 0, 4);
  put (a->archive, a->members, 2);
  put (a->archive, a->members, 2);
  put (a->archive, a->n_listed, 4);
  put (a->archive, place, 4);
  put (a->archive, 0, 2);
  a->failed |= !close_stream (a->archive) || a->n > zip_most;
  free (a->listed);
}

/* ---- what a recording has ---- */

/* Whether tokens and layers can be axes of one array: all layers have the same tokens, and not as many as there are
 * layers, which could be read either way.  */
static bool
is_cube (const SlRouting *r)
{
  for (unsigned l = 0; l < r->n_layers; l++)
    if (r->group[l] != 0)
      return false;
  return r->n_layers == 1 || r->layer[0].tokens != r->n_layers;
}

static size_t
count_rows (const SlRouting *r)
{
  size_t rows = 0;

  for (unsigned l = 0; l < r->n_layers; l++)
    rows += r->layer[l].tokens;
  return rows;
}

static const char *
shape_of_slots (const SlRouting *r, char *text, size_t size)
{
  if (is_cube (r))
    snprintf (text, size, "(%zu, %u, %u)", r->layer[0].tokens, r->n_layers, r->k);
  else
    snprintf (text, size, "(%zu, %u)", count_rows (r), r->k);
  return text;
}

/* Expert numbers of a token as two bytes, -1 for none, or gates as singles.  Experts that compute nothing are numbered
 * from n on again: which of them it was is not kept.  */
static void
put_token (Archive *a, unsigned layer, size_t token, bool gates)
{
  const SlRouting *r = a->routing;
  const uint8_t   *zeros = r->layer[layer].zeros;
  uint16_t         ids[SL_ROUTING_SLOTS];
  float            gate[SL_ROUTING_SLOTS];

  sl_routing_read (r, layer, true, token, 1, ids, gates ? gate : NULL);
  for (unsigned s = 0, zero = 0; s < r->k; s++)
    {
      uint32_t bits;

      if (ids[s] == SL_ROUTING_NONE && zeros != NULL && zero < zeros[token])
        ids[s] = (uint16_t) (r->experts + zero++);
      memcpy (&bits, &gate[s], sizeof bits);
      put (a->array, gates ? bits : ids[s], gates ? 4 : 2);
    }
}

/* Token by token where all layers have them, else layer by layer. */
static void
put_slots (Archive *a, bool gates)
{
  const SlRouting *r = a->routing;
  unsigned         together = is_cube (r) ? r->n_layers : 1;

  for (unsigned l = 0; l < r->n_layers; l += together)
    for (size_t t = 0; t < r->layer[l].tokens; t++)
      for (unsigned i = 0; i < together; i++)
        put_token (a, l + i, t, gates);
}

static void
put_ids (Archive *a)
{
  char shape[64];

  begin (a, "topk_ids", "<i2", shape_of_slots (a->routing, shape, sizeof shape));
  put_slots (a, false);
  end (a);
  if (a->routing->layer[0].gates == NULL)
    return;
  begin (a, "topk_weights", "<f4", shape);
  put_slots (a, true);
  end (a);
}

/* Passes and phases of tokens that all layers have. */
static void
put_passes (Archive *a)
{
  const SlRoutingLayer *layer = &a->routing->layer[0];
  char                  shape[32];

  snprintf (shape, sizeof shape, "(%zu,)", layer->tokens);
  begin (a, "pass", "<i4", shape);
  for (size_t p = 0; p < layer->n_passes; p++)
    for (size_t t = 0; t < layer->pass[p]; t++)
      put (a->array, p, 4);
  end (a);
  if (layer->decode == NULL)
    return;
  begin (a, "phase", "|u1", shape);
  for (size_t t = 0; t < layer->tokens; t++)
    put (a->array, layer->decode[t], 1);
  end (a);
}

/* The layer of each row. */
static void
put_layer_of_rows (Archive *a)
{
  const SlRouting *r = a->routing;
  char             shape[32];

  snprintf (shape, sizeof shape, "(%zu,)", count_rows (r));
  begin (a, "layer", "<i4", shape);
  for (unsigned l = 0; l < r->n_layers; l++)
    for (size_t t = 0; t < r->layer[l].tokens; t++)
      put (a->array, (uint32_t) r->layer[l].number, 4);
  end (a);
}

/* Letters of a word as numbers of four bytes. */
static unsigned
letters_of (const char *word, uint32_t *letter)
{
  size_t   left = strlen (word), bytes;
  unsigned n = 0;

  for (; left > 0 && (bytes = sl_utf8_length (word, left)) > 0; word += bytes, left -= bytes)
    letter[n++] = sl_utf8_code (word, bytes);
  return n;
}

/* The words of all tokens, row by row of the layers from the first on; nothing where a reader would not take so many.  */
static void
put_words (Archive *a, unsigned layers)
{
  const SlRouting *r = a->routing;
  uint32_t         letter[SL_ROUTING_WORD];
  unsigned         longest = 1;
  size_t           rows = 0;
  char             type[16], shape[32];

  for (uint32_t i = 0; i < r->n_words; i++)
    {
      unsigned n = letters_of (r->word[i], letter);

      longest = n > longest ? n : longest;
    }
  for (unsigned l = 0; l < layers; l++)
    rows += r->layer[l].token != NULL ? r->layer[l].tokens : SL_NPY_TEXTS_MAX;
  if (r->n_words == 0 || rows > SL_NPY_TEXTS_MAX / (4 * longest))
    return;
  snprintf (type, sizeof type, "<U%u", longest);
  snprintf (shape, sizeof shape, "(%zu,)", rows);
  begin (a, "tokens", type, shape);
  for (unsigned l = 0; l < layers; l++)
    for (size_t t = 0; t < r->layer[l].tokens; t++)
      {
        uint32_t word = r->layer[l].token[t];
        unsigned n = word != SL_ROUTING_NO_WORD ? letters_of (r->word[word], letter) : 0;

        for (unsigned i = 0; i < longest; i++)
          put (a->array, i < n ? letter[i] : 0, 4);
      }
  end (a);
}

static void
put_loads (Archive *a)
{
  const SlRouting *r = a->routing;
  char             shape[64];

  snprintf (shape, sizeof shape, "(%u, %zu, %u)", r->n_layers, r->rows, r->experts);
  begin (a, "loads", "<i8", shape);
  for (unsigned l = 0; l < r->n_layers; l++)
    for (size_t i = 0; i < r->rows * r->experts; i++)
      put (a->array, r->layer[l].counts[i], 8);
  end (a);
}

/* The training step of each row of loads. */
static void
put_steps (Archive *a)
{
  const SlRouting *r = a->routing;
  char             shape[32];

  snprintf (shape, sizeof shape, "(%zu,)", r->rows);
  begin (a, "step", "<f8", shape);
  for (size_t row = 0; row < r->rows; row++)
    {
      uint64_t bits;

      memcpy (&bits, &r->step[row], sizeof bits);
      put (a->array, bits, 8);
    }
  end (a);
}

static void
put_numbers (Archive *a)
{
  const SlRouting *r = a->routing;
  char             shape[32];

  begin (a, "num_experts", "<i4", "()");
  put (a->array, r->experts, 4);
  end (a);
  snprintf (shape, sizeof shape, "(%u,)", r->n_layers);
  begin (a, "layer_numbers", "<i4", shape);
  for (unsigned l = 0; l < r->n_layers; l++)
    put (a->array, (uint32_t) r->layer[l].number, 4);
  end (a);
}

SlStatus
sl_routing_npz (const SlRouting *routing, uint8_t **bytes, size_t *size)
{
  Archive a = { .routing = routing };

  *bytes = NULL;
  for (unsigned l = 0; l < routing->n_layers; l++)
    if (routing->layer[l].mtp >= 0)
      return sl_status_new (SL_EUNSUPPORTED, routing->name,
                            sl_message ("layers of multi-token prediction"),
                            sl_message ("decoder layers only"));
  a.archive = open_memstream (&a.bytes, &a.n);
  a.directory = open_memstream (&a.listed, &a.n_listed);
  put_numbers (&a);
  if (routing->kind == SL_ROUTING_COUNTS)
    put_loads (&a);
  else
    put_ids (&a);
  if (routing->step != NULL)
    put_steps (&a);
  if (routing->kind == SL_ROUTING_IDS && is_cube (routing))
    put_passes (&a);
  else if (routing->kind == SL_ROUTING_IDS)
    put_layer_of_rows (&a);
  if (routing->kind == SL_ROUTING_IDS)
    put_words (&a, is_cube (routing) ? 1 : routing->n_layers);
  finish (&a);
  if (a.failed)
    {
      free (a.bytes);
      return sl_status_no_memory (routing->name);
    }
  *bytes = (uint8_t *) a.bytes;
  *size = a.n;
  return SL_SUCCESS;
}
