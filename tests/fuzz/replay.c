/* SPDX-License-Identifier: MIT
 *
 * A fuzzer without libFuzzer: replay FOLDER N runs every file of the folder through the
 * fuzzer that it is linked with, and then N inputs made from them by a fixed sequence of
 * edits, the same in each run.  TAP on stdout.  */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "tests/fuzz/input.h"

enum { SEEDS_MAX = 256, INPUT_MAX = 1 << 16 };

typedef struct
{
  uint8_t *data;
  size_t   size;
} Seed;

static void
load (const char *path, Seed *seed)
{
  FILE *file = fopen (path, "rb");

  fuzz_require (file != NULL);
  seed->data = malloc (INPUT_MAX);
  fuzz_require (seed->data != NULL);
  seed->size = fread (seed->data, 1, INPUT_MAX, file);
  fclose (file);
}

static int
no_dots (const struct dirent *entry)
{
  return entry->d_name[0] != '.';
}

static unsigned
load_all (const char *folder, Seed seeds[SEEDS_MAX])
{
  struct dirent **entries;
  int             n = scandir (folder, &entries, no_dots, alphasort);

  fuzz_require (n > 0 && n <= SEEDS_MAX);
  for (int i = 0; i < n; i++)
    {
      char path[1024];

      snprintf (path, sizeof path, "%s/%s", folder, entries[i]->d_name);
      load (path, &seeds[i]);
      free (entries[i]);
    }
  free (entries);
  return (unsigned) n;
}

/* Numbers that readers trip over. */
static void
put_number (SlRng *rng, uint8_t *at, size_t room)
{
  static const uint32_t numbers[]
    = { 0,      1,      0x7f,    0x80,       0xff,       0x100,     0x7fff,
        0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff };
  uint32_t number = numbers[sl_rng_below (rng, sizeof numbers / sizeof *numbers)];
  size_t   bytes = (size_t) 1 << sl_rng_below (rng, 3);

  for (size_t i = 0; i < bytes && i < room; i++)
    at[i] = (uint8_t) (number >> (8 * (bytes - 1 - i)));
}

static void
put_text (SlRng *rng, uint8_t *at, size_t room)
{
  static const char *const texts[]
    = { ",",    ";",     "\t",    "\n", "\r\n", "\"",    "\"\"",         "nan",
        "-inf", "1e999", "0x1p4", "-",  ".",    "label", "\xef\xbb\xbf", "\xff",
        ":",    "=",     "seed=", "%",  "%2C",  ",net=", "\x1f\x8b\x08" };
  const char *text = texts[sl_rng_below (rng, sizeof texts / sizeof *texts)];
  size_t      size = strlen (text);

  memcpy (at, text, size < room ? size : room);
}

/* One edit of `size` bytes in a block of INPUT_MAX; returns the new size. */
static size_t
edit (SlRng *rng, uint8_t *data, size_t size, const Seed *other)
{
  size_t at = sl_rng_below (rng, size + 1), length = 1 + sl_rng_below (rng, 32);

  switch (sl_rng_below (rng, 7))
    {
    case 0: /* flip a bit */
      if (at < size)
        data[at] ^= (uint8_t) (1u << sl_rng_below (rng, 8));
      return size;
    case 1: put_number (rng, data + at, size - at); return size;
    case 2: put_text (rng, data + at, size - at); return size;
    case 3: /* cut the end off */ return at;
    case 4: /* take some bytes out */
      if (length > size - at)
        length = size - at;
      memmove (data + at, data + at + length, size - at - length);
      return size - length;
    case 5: /* put random bytes in */
      if (length > INPUT_MAX - size)
        length = INPUT_MAX - size;
      memmove (data + at + length, data + at, size - at);
      for (size_t i = 0; i < length; i++)
        data[at + i] = (uint8_t) sl_rng_next (rng);
      return size + length;
    default: /* go on with another seed */
      length = other->size > at ? other->size - at : 0;
      memcpy (data + at, other->data + (other->size - length), length);
      return at + length;
    }
}

static void
mutate (const Seed *seeds, unsigned n_seeds, unsigned long rounds)
{
  uint8_t *data = malloc (INPUT_MAX);
  SlRng    rng;

  fuzz_require (data != NULL);
  sl_rng_init (&rng, 1, "mutations");
  for (unsigned long round = 0; round < rounds; round++)
    {
      const Seed *seed = &seeds[sl_rng_below (&rng, n_seeds)];
      size_t      size = seed->size;
      unsigned    edits = 1 + (unsigned) sl_rng_below (&rng, 5);
      uint8_t    *exact;

      memcpy (data, seed->data, size);
      for (unsigned i = 0; i < edits; i++)
        size = edit (&rng, data, size, &seeds[sl_rng_below (&rng, n_seeds)]);
      /* A block of its own lets the sanitizers see a read beyond the end. */
      exact = malloc (size > 0 ? size : 1);
      fuzz_require (exact != NULL);
      memcpy (exact, data, size);
      LLVMFuzzerTestOneInput (exact, size);
      free (exact);
    }
  free (data);
}

int
main (int argc, char *argv[])
{
  Seed          seeds[SEEDS_MAX];
  unsigned      n;
  unsigned long rounds;

  if (argc != 3)
    {
      fprintf (stderr, "usage: %s FOLDER MUTATIONS\n", argv[0]);
      return 2;
    }
  rounds = strtoul (argv[2], NULL, 10);
  n = load_all (argv[1], seeds);
  printf ("1..2\n");
  for (unsigned i = 0; i < n; i++)
    LLVMFuzzerTestOneInput (seeds[i].data, seeds[i].size);
  printf ("ok 1 %u files\n", n);
  mutate (seeds, n, rounds);
  printf ("ok 2 %lu mutations\n", rounds);
  for (unsigned i = 0; i < n; i++)
    free (seeds[i].data);
  return 0;
}
