/* SPDX-License-Identifier: MIT
 *
 * How fast large files are read: a recording of bytes that does not fit into memory, which is counted in one pass, and
 * a table of pictures, with the memory that takes.  */
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "bench/bench.h"
#include "core/base/rng.h"
#include "core/data/read/recording/open.h"
#include "core/data/source/source.h"

enum {
  ROUNDS = 3,
  LAYERS = 40,
  SLOTS = 8,
  EXPERTS = 64,
  BLOCK = 4096, /* tokens that are drawn; the file repeats them */
  BLOCKS = 420,
  PICTURES = 42000,
  PIXELS = 784,
};

static void
write_recording (const char *path)
{
  FILE              *file = g_fopen (path, "w");
  char               header[118];
  g_autofree guint8 *block = g_malloc ((gsize) BLOCK * LAYERS * SLOTS);
  SlRng              rng;

  sl_rng_init (&rng, 1, "bytes");
  for (unsigned row = 0; row < BLOCK * LAYERS; row++)
    {
      unsigned first = (unsigned) sl_rng_below (&rng, EXPERTS),
               step = 2 * (unsigned) sl_rng_below (&rng, EXPERTS / 2) + 1;

      for (unsigned s = 0; s < SLOTS; s++)
        block[row * SLOTS + s] = (guint8) ((first + s * step) % EXPERTS);
    }
  memset (header, ' ', sizeof header);
  g_snprintf (header, sizeof header,
              "{'descr': '|u1', 'fortran_order': False, 'shape': (%d, %d, %d), }", BLOCK * BLOCKS,
              LAYERS, SLOTS);
  header[strlen (header)] = ' ';
  header[sizeof header - 1] = '\n';
  if (file == NULL)
    return;
  fwrite ("\x93NUMPY\x01\x00\x76\x00", 1, 10, file);
  fwrite (header, 1, sizeof header, file);
  for (unsigned i = 0; i < BLOCKS; i++)
    fwrite (block, 1, (gsize) BLOCK * LAYERS * SLOTS, file);
  fclose (file);
}

static void
write_table (const char *path)
{
  FILE *file = g_fopen (path, "w");
  SlRng rng;

  sl_rng_init (&rng, 1, "table");
  if (file == NULL)
    return;
  fputs ("label", file);
  for (unsigned i = 0; i < PIXELS; i++)
    fprintf (file, ",pixel%u", i);
  for (unsigned n = 0; n < PICTURES; n++)
    {
      fprintf (file, "\n%u", n % 10);
      for (unsigned i = 0; i < PIXELS; i++)
        fprintf (file, ",%u", 100 + (unsigned) sl_rng_below (&rng, 156));
    }
  fputc ('\n', file);
  fclose (file);
}

static double
size_of (const char *path)
{
  GStatBuf about;

  return g_stat (path, &about) == 0 ? (double) about.st_size : 0;
}

static int
by_size (const void *a, const void *b)
{
  const double *x = a, *y = b;

  return (*x > *y) - (*x < *y);
}

static SlExit
measure_recording (SlBench *bench, const char *path)
{
  double seconds[ROUNDS];

  write_recording (path);
  for (unsigned i = 0; i < ROUNDS; i++)
    {
      double           begin = sl_bench_process_seconds ();
      SlRoutingOptions options = { 0 };
      SlRouting       *routing;
      SlStatus         status = sl_routing_open (path, &options, &routing);

      if (!sl_ok (&status))
        return sl_cli_fail (&status);
      sl_routing_free (routing);
      seconds[i] = sl_bench_process_seconds () - begin;
    }
  qsort (seconds, ROUNDS, sizeof *seconds, by_size);
  sl_bench_result (bench, "recording-many", 1e-9 * size_of (path) / seconds[ROUNDS / 2], "GB/s",
                   SL_BAR_LEAST, 1, "a recording of bytes, on one core");
  return SL_EXIT_FINE;
}

static double
peak_bytes (void)
{
  struct rusage usage;

  return getrusage (RUSAGE_SELF, &usage) == 0 ? 1024.0 * (double) usage.ru_maxrss : 0;
}

static SlExit
measure_table (SlBench *bench, const char *path)
{
  double     begin, seconds, before, size;
  SlDataset *data;
  SlStatus   status;

  write_table (path);
  size = size_of (path);
  before = peak_bytes ();
  begin = sl_bench_process_seconds ();
  status = sl_source_open (path, &data);
  seconds = sl_bench_process_seconds () - begin;
  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  sl_dataset_free (data);
  sl_bench_result (bench, "table-seconds", seconds, "s", SL_BAR_MOST, 3,
                   "42,000 pictures as a table opened");
  sl_bench_result (bench, "table-memory", (peak_bytes () - before) / size, "x", SL_BAR_MOST, 1.5,
                   "the most memory that took, beside the size of the file");
  return SL_EXIT_FINE;
}

static SlExit
run (SlBench *bench)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-bench-XXXXXX", NULL);
  g_autofree char *bytes = g_build_filename (folder, "many.npy", NULL);
  g_autofree char *table = g_build_filename (folder, "table.csv", NULL);
  SlExit           code = measure_table (bench, table);

  if (code == SL_EXIT_FINE)
    code = measure_recording (bench, bytes);
  g_remove (bytes);
  g_remove (table);
  g_rmdir (folder);
  return code;
}

const SlBenchGroup sl_bench_read
  = { "read", "large files: a recording of bytes, a table of pictures", true, run };
