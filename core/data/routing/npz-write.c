/* SPDX-License-Identifier: MIT */
#include "core/data/routing/npz-write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MEMBERS = 8, HEADER = 128, NAME = 32, LOCAL = 30 };

static const size_t zip_most = UINT32_MAX;

typedef struct
{
  char     name[NAME];
  size_t   place, size; /* of the local header; of the array with its header */
  uint32_t crc;
} Member;

typedef struct
{
  const SlRouting *routing;
  uint8_t         *bytes;
  size_t           n, room;
  bool             failed; /* no memory, or more than a zip archive can have */
  Member           member[MEMBERS];
  unsigned         members;
} Archive;

/* Room for `n` more bytes, which are taken; NULL when there is none. */
static uint8_t *
take (Archive *a, size_t n)
{
  if (!a->failed && (a->n > zip_most || n > zip_most - a->n))
    a->failed = true;
  if (!a->failed && a->n + n > a->room)
    {
      size_t   room = 2 * (a->n + n);
      uint8_t *larger = realloc (a->bytes, room);

      a->failed = larger == NULL;
      if (larger != NULL)
        {
          a->bytes = larger;
          a->room = room;
        }
    }
  if (a->failed)
    return NULL;
  a->n += n;
  return a->bytes + a->n - n;
}

static void
put (Archive *a, uint64_t number, size_t size)
{
  uint8_t *to = take (a, size);

  for (size_t i = 0; to != NULL && i < size; i++)
    to[i] = (uint8_t) (number >> 8 * i);
}

static void
put_text (Archive *a, const char *text)
{
  uint8_t *to = take (a, strlen (text));

  if (to != NULL)
    memcpy (to, text, strlen (text));
}

/* From the flags to the length of the extra field, which both headers have. */
static void
put_facts (Archive *a, const Member *member)
{
  put (a, 0, 2);          /* flags */
  put (a, 0, 2);          /* stored */
  put (a, 0x00210000, 4); /* 1 January 1980, so that the same recording is the same bytes */
  put (a, member->crc, 4);
  put (a, member->size, 4);
  put (a, member->size, 4);
  put (a, strlen (member->name), 2);
  put (a, 0, 2);
}

/* Begins a member: its local header, of which size and sum are not known yet, and that of the array. */
static void
begin (Archive *a, const char *name, const char *type, const char *shape)
{
  Member *member = &a->member[a->members++];
  char    text[HEADER];
  int     n;

  snprintf (member->name, sizeof member->name, "%s.npy", name);
  member->place = a->n;
  put (a, 0x04034b50, 4);
  put (a, 20, 2);
  put_facts (a, member);
  put_text (a, member->name);
  n = snprintf (text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type,
                shape);
  memset (text + n, ' ', sizeof text - 10 - 1 - (size_t) n);
  text[sizeof text - 11] = '\n';
  text[sizeof text - 10] = '\0';
  put (a, 0x93, 1);
  put_text (a, "NUMPY");
  put (a, 1, 2);
  put (a, sizeof text - 10, 2);
  put_text (a, text);
}

/* Where the array of a member begins. */
static size_t
begin_of (const Member *member)
{
  return member->place + LOCAL + strlen (member->name);
}

static void
end (Archive *a)
{
  Member *member = &a->member[a->members - 1];
  size_t  here = a->n;

  if (a->failed)
    return;
  member->size = a->n - begin_of (member);
  member->crc = (uint32_t) crc32_z (0, a->bytes + begin_of (member), member->size);
  a->n = member->place + 6;
  put_facts (a, member);
  a->n = here;
}

static void
put_directory (Archive *a)
{
  size_t place = a->n, size;

  for (unsigned i = 0; i < a->members; i++)
    {
      put (a, 0x02014b50, 4);
      put (a, 20, 2);
      put (a, 20, 2);
      put_facts (a, &a->member[i]);
      put (a, 0, 2 + 2 + 2);
      put (a, 0, 4);
      put (a, a->member[i].place, 4);
      put_text (a, a->member[i].name);
    }
  size = a->n - place;
  put (a, 0x06054b50, 4);
  put (a, 0, 4);
  put (a, a->members, 2);
  put (a, a->members, 2);
  put (a, size, 4);
  put (a, place, 4);
  put (a, 0, 2);
}

/* ---- what a recording has ---- */

static bool
has_same_tokens (const SlRouting *r)
{
  for (unsigned l = 0; l < r->n_layers; l++)
    if (r->group[l] != 0)
      return false;
  return true;
}

static size_t
count_rows (const SlRouting *r)
{
  size_t rows = 0;

  for (unsigned l = 0; l < r->n_layers; l++)
    rows += r->layer[l].tokens;
  return rows;
}

/* The index of slot 0 of a token of a layer in an array of all slots. */
typedef struct
{
  size_t first, step;
} Place;

static Place
place_of (const SlRouting *r, unsigned layer)
{
  Place place = { 0, 1 };

  if (has_same_tokens (r))
    return (Place) { layer, r->n_layers };
  for (unsigned l = 0; l < layer; l++)
    place.first += r->layer[l].tokens;
  return place;
}

static const char *
shape_of_slots (const SlRouting *r, char *text, size_t size)
{
  if (has_same_tokens (r))
    snprintf (text, size, "(%zu, %u, %u)", r->layer[0].tokens, r->n_layers, r->k);
  else
    snprintf (text, size, "(%zu, %u)", count_rows (r), r->k);
  return text;
}

static void
write_bytes (uint8_t *to, uint32_t number, size_t size)
{
  for (size_t i = 0; i < size; i++)
    to[i] = (uint8_t) (number >> 8 * i);
}

/* Expert numbers as two bytes, -1 for none, or gates as singles. */
static void
put_slots (Archive *a, bool gates)
{
  const SlRouting *r = a->routing;
  size_t           size = gates ? 4 : 2, k = r->k;
  uint8_t         *to = take (a, count_rows (r) * k * size);
  uint16_t         ids[SL_ROUTING_SLOTS];
  float            gate[SL_ROUTING_SLOTS];

  for (unsigned l = 0; to != NULL && l < r->n_layers; l++)
    for (size_t t = 0; t < r->layer[l].tokens; t++)
      {
        Place    place = place_of (r, l);
        uint8_t *row = to + (place.first + t * place.step) * k * size;
        uint32_t bits;

        sl_routing_read (r, l, true, t, 1, ids, gates ? gate : NULL);
        for (unsigned s = 0; s < k; s++)
          {
            memcpy (&bits, &gate[s], sizeof bits);
            write_bytes (row + s * size, gates ? bits : ids[s], size);
          }
      }
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
      put (a, p, 4);
  end (a);
  if (layer->decode == NULL)
    return;
  begin (a, "phase", "|u1", shape);
  for (size_t t = 0; t < layer->tokens; t++)
    put (a, layer->decode[t], 1);
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
      put (a, (uint32_t) r->layer[l].number, 4);
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
      put (a, r->layer[l].counts[i], 8);
  end (a);
}

static void
put_numbers (Archive *a)
{
  const SlRouting *r = a->routing;
  char             shape[32];

  begin (a, "num_experts", "<i4", "()");
  put (a, r->experts, 4);
  end (a);
  snprintf (shape, sizeof shape, "(%u,)", r->n_layers);
  begin (a, "layer_numbers", "<i4", shape);
  for (unsigned l = 0; l < r->n_layers; l++)
    put (a, (uint32_t) r->layer[l].number, 4);
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
  put_numbers (&a);
  if (routing->kind == SL_ROUTING_COUNTS)
    put_loads (&a);
  else
    put_ids (&a);
  if (routing->kind == SL_ROUTING_IDS && has_same_tokens (routing))
    put_passes (&a);
  else if (routing->kind == SL_ROUTING_IDS)
    put_layer_of_rows (&a);
  put_directory (&a);
  if (a.failed)
    {
      free (a.bytes);
      return sl_status_no_memory (routing->name);
    }
  *bytes = a.bytes;
  *size = a.n;
  return SL_SUCCESS;
}
