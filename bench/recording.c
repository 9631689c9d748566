/* SPDX-License-Identifier: MIT
 *
 * How fast recordings of routing are opened: JSON lines against finding their ends alone, and ten
 * million routings as an array, with the memory that takes.  */
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "core/base/rng.h"
#include "core/data/read/containers/text/lines.h"
#include "core/data/read/recording/open.h"

enum {
  ROUNDS = 5,
  LINES = 400000,
  LAYERS = 61,
  EXPERTS = 256,
  SLOTS = 8,
  TOKENS = 20492,
};

/* k different experts, by a step that shares no factor with n. */
static void
draw (SlRng *rng, unsigned n, unsigned k, unsigned *ids)
{
  unsigned first = (unsigned) sl_rng_below (rng, n),
           step = 2 * (unsigned) sl_rng_below (rng, n / 2) + 1;

  for (unsigned s = 0; s < k; s++)
    ids[s] = (first + s * step) % n;
}

/* Lines as users of a server log them. */
static void
write_lines (const char *path)
{
  FILE    *file = g_fopen (path, "w");
  SlRng    rng;
  unsigned ids[4];

  sl_rng_init (&rng, 1, "lines");
  for (unsigned t = 0; file != NULL && t < LINES; t++)
    {
      draw (&rng, 64, 4, ids);
      fprintf (file,
               "{\"type\": \"route\", \"req_id\": \"request-%u\", \"token_idx\": %u, \"layer\": 8, "
               "\"topk_ids\": [%u, %u, %u, %u], \"topk_weights\": [0.0412597656, 0.0324707031, "
               "0.0306396484, 0.02954101%u]}\n",
               t / 200, t, ids[0], ids[1], ids[2], ids[3], t % 100);
    }
  if (file != NULL)
    fclose (file);
}

static void
write_array (const char *path)
{
  FILE    *file = g_fopen (path, "w");
  SlRng    rng;
  char     header[118];
  unsigned ids[SLOTS];

  sl_rng_init (&rng, 1, "array");
  memset (header, ' ', sizeof header);
  g_snprintf (header, sizeof header,
              "{'descr': '<u2', 'fortran_order': False, 'shape': (%d, %d, %d), }", TOKENS, LAYERS,
              SLOTS);
  header[strlen (header)] = ' ';
  header[sizeof header - 1] = '\n';
  if (file == NULL)
    return;
  fwrite ("\x93NUMPY\x01\x00\x76\x00", 1, 10, file);
  fwrite (header, 1, sizeof header, file);
  for (unsigned i = 0; i < TOKENS * LAYERS; i++)
    {
      draw (&rng, EXPERTS, SLOTS, ids);
      for (unsigned s = 0; s < SLOTS; s++)
        {
          fputc ((int) (ids[s] & 0xff), file);
          fputc ((int) (ids[s] >> 8), file);
        }
    }
  fclose (file);
}

/* Seconds of this thread to find the ends of all lines. */
static double
time_lines (const char *path)
{
  double   begin = sl_bench_process_seconds ();
  SlLines  lines;
  char    *line = NULL;
  size_t   n;
  SlStatus status = sl_lines_open (&lines, path);

  do
    status = sl_ok (&status) ? sl_lines_next (&lines, &line, &n) : status;
  while (sl_ok (&status) && line != NULL);
  sl_lines_close (&lines);
  return sl_bench_process_seconds () - begin;
}

static double
time_open (const char *path, SlStatus *status)
{
  double           begin = sl_bench_process_seconds ();
  SlRoutingOptions options = { 0 };
  SlRouting       *routing;

  *status = sl_routing_open (path, &options, &routing);
  sl_routing_free (routing);
  return sl_bench_process_seconds () - begin;
}

static int
by_size (const void *a, const void *b)
{
  const double *x = a, *y = b;

  return (*x > *y) - (*x < *y);
}

static double
median (double *values)
{
  qsort (values, ROUNDS, sizeof *values, by_size);
  return values[ROUNDS / 2];
}

/* The most memory that the process ever had, in MB; 0 where the system does not tell. */
static double
peak_memory (void)
{
  g_autofree char *text = NULL;
  const char      *at;

  if (!g_file_get_contents ("/proc/self/status", &text, NULL, NULL))
    return 0;
  at = strstr (text, "VmHWM:");
  return at != NULL ? g_ascii_strtod (at + 6, NULL) / 1024 : 0;
}

static SlExit
measure_array (SlBench *bench, const char *path)
{
  double   seconds[ROUNDS];
  SlStatus status;

  write_array (path);
  for (unsigned i = 0; i < ROUNDS; i++)
    {
      seconds[i] = time_open (path, &status);
      if (!sl_ok (&status))
        return sl_cli_fail (&status);
    }
  sl_bench_result (bench, "recording/array", median (seconds), "s", SL_BAR_MOST, 1,
                   "10^7 routings of 61 layers opened");
  sl_bench_result (bench, "recording/memory", peak_memory (), "MB", SL_BAR_MOST, 200,
                   "most memory of the program, with them open");
  return SL_EXIT_FINE;
}

static SlExit
measure_lines (SlBench *bench, const char *path)
{
  double   ends[ROUNDS], all[ROUNDS], size;
  GStatBuf about;
  SlStatus status;

  write_lines (path);
  size = g_stat (path, &about) == 0 ? 1e-6 * (double) about.st_size : 0;
  for (unsigned i = 0; i < ROUNDS; i++)
    {
      ends[i] = time_lines (path);
      all[i] = time_open (path, &status);
      if (!sl_ok (&status))
        return sl_cli_fail (&status);
    }
  sl_bench_result (bench, "recording/lines", size / median (all), "MB/s", SL_BAR_LEAST, 150,
                   "JSON lines, on one core");
  sl_bench_result (bench, "recording/ends", median (all) / median (ends), "x", SL_BAR_NONE, 0,
                   "the time of finding the ends of lines alone");
  return SL_EXIT_FINE;
}

static SlExit
run (SlBench *bench)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-bench-XXXXXX", NULL);
  g_autofree char *array = g_build_filename (folder, "ids.npy", NULL);
  g_autofree char *lines = g_build_filename (folder, "lines.jsonl", NULL);
  SlExit           code = measure_array (bench, array);

  if (code == SL_EXIT_FINE)
    code = measure_lines (bench, lines);
  g_remove (array);
  g_remove (lines);
  g_rmdir (folder);
  return code;
}

const SlBenchGroup sl_bench_recording
  = { "recording", "recordings of routing: JSON lines a second, ten million routings", false, run };
