/* SPDX-License-Identifier: MIT */
#include "core/data/routing/hash.h"

#include "core/data/set/hash.h"

enum { CHUNK = 512 };

/* Numbers as little-endian bytes, whatever the machine. */
static uint64_t
hash_numbers (uint64_t hash, const uint64_t *numbers, size_t n)
{
  uint8_t bytes[8 * CHUNK];

  for (size_t first = 0; first < n; first += CHUNK)
    {
      size_t count = n - first < CHUNK ? n - first : CHUNK;

      for (size_t i = 0; i < 8 * count; i++)
        bytes[i] = (uint8_t) (numbers[first + i / 8] >> 8 * (i % 8));
      hash = sl_hash (bytes, 8 * count, hash);
    }
  return hash;
}

uint64_t
sl_routing_hash_ids (uint64_t hash, const uint16_t *ids, size_t n)
{
  uint8_t bytes[8 * CHUNK];

  for (size_t first = 0; first < n; first += 4 * CHUNK)
    {
      size_t count = n - first < 4 * CHUNK ? n - first : 4 * CHUNK;

      for (size_t i = 0; i < count; i++)
        {
          bytes[2 * i] = (uint8_t) ids[first + i];
          bytes[2 * i + 1] = (uint8_t) (ids[first + i] >> 8);
        }
      hash = sl_hash (bytes, 2 * count, hash);
    }
  return hash;
}

uint64_t
sl_routing_hash (const SlRouting *routing, const uint64_t *layers)
{
  uint64_t sizes[] = { routing->experts, routing->k, routing->n_layers, routing->rows };
  uint64_t hash = 0;

  for (unsigned l = 0; l < routing->n_layers; l++)
    {
      uint64_t number[] = { (uint64_t) (int64_t) routing->layer[l].number,
                            (uint64_t) (int64_t) routing->layer[l].mtp };

      hash = hash_numbers (hash, number, 2);
    }
  hash = hash_numbers (hash, sizes, 4);
  if (layers != NULL)
    return hash_numbers (hash, layers, routing->n_layers);
  for (unsigned l = 0; l < routing->n_layers; l++)
    hash = hash_numbers (hash, routing->layer[l].counts, routing->rows * routing->experts);
  return hash;
}
