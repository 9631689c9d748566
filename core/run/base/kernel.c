/* SPDX-License-Identifier: MIT */
#include "core/run/base/kernel.h"

#include <gio/gio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/nn/kernels/mat.h"
#include "core/run/base/save.h"

enum { CALLS = 5, CHILD_SECONDS = 2, FILE_MOST = 1 << 16, TRY_AGAIN = 24 * 3600 };

/* Kernels whose times, as logarithms, are apart by less are the same; and advantages that differ more than
 * this from round to round say nothing.  */
static const double same = 0.02, unsteady = 0.25;

/* Products of the labs: a layer forward, its gradient, what goes down, a small one, a single example. */
static const struct
{
  SlOrder     a, b;
  size_t      m, n, k;
  const char *title;
} shapes[SL_KERNEL_SHAPES] = {
  { SL_PLAIN, SL_TRANSPOSED, 128, 1000, 784, "128×1000×784" },
  { SL_TRANSPOSED, SL_PLAIN, 1000, 784, 128, "1000×784×128" },
  { SL_PLAIN, SL_PLAIN, 64, 1024, 1024, "64×1024×1024" },
  { SL_PLAIN, SL_TRANSPOSED, 32, 512, 512, "32×512×512" },
  { SL_PLAIN, SL_PLAIN, 1, 1024, 1024, "1×1024×1024" },
};

/* Numbers of the largest factor. */
enum { NUMBERS = 1024 * 1024 };

static void
multiply (unsigned shape, const sl_real *a, const sl_real *b, sl_real *c)
{
  size_t m = shapes[shape].m, n = shapes[shape].n, k = shapes[shape].k;

  if (m == 1)
    sl_mat_vec (n, k, b, k, a, c);
  else
    sl_mat_mul (shapes[shape].a, shapes[shape].b, m, n, k, 1, a,
                shapes[shape].a == SL_PLAIN ? k : m, b, shapes[shape].b == SL_PLAIN ? n : k, 0, c,
                n);
}

int
sl_kernel_child (void)
{
  sl_real *a = g_new (sl_real, NUMBERS), *b = g_new (sl_real, NUMBERS);
  sl_real *c = g_new0 (sl_real, NUMBERS);

  alarm (CHILD_SECONDS); /* a kernel that hangs ends here */
  for (int i = 0; i < NUMBERS; i++)
    {
      a[i] = (sl_real) (i % 7) - 3;
      b[i] = (sl_real) (i % 5) - 2;
    }
  sl_blas_set_threads (1);
  printf ("%s", sl_blas_kernel ());
  for (unsigned shape = 0; shape < SL_KERNEL_SHAPES; shape++)
    {
      double seconds[CALLS];
      char   number[G_ASCII_DTOSTR_BUF_SIZE];

      multiply (shape, a, b, c);
      for (int i = 0; i < CALLS; i++)
        {
          double begin = sl_clock_thread ();

          multiply (shape, a, b, c);
          seconds[i] = sl_clock_thread () - begin;
        }
      printf (" %s", g_ascii_dtostr (number, sizeof number, sl_median (seconds, CALLS)));
    }
  putchar ('\n');
  g_free (a);
  g_free (b);
  g_free (c);
  return fflush (stdout) == 0 ? 0 : 1;
}

/* Runs the child under this kernel.  FALSE where the processor ends it or the library took another one. */
static gboolean
run_child (const char *kernel, double seconds[SL_KERNEL_SHAPES], GError **error)
{
  g_auto (GStrv) env = g_environ_setenv (g_get_environ (), "OPENBLAS_CORETYPE", kernel, TRUE);
  g_autofree char *self = g_file_read_link ("/proc/self/exe", error), *out = NULL;
  char            *args[] = { self, (char *) SL_KERNEL_CHILD, NULL };
  g_auto (GStrv) words = NULL;
  int status;

  if (self == NULL
      || !g_spawn_sync (NULL, args, env, SL_KERNEL_SPAWN, NULL, NULL, &out, NULL, &status, error)
      || !g_spawn_check_wait_status (status, error))
    return FALSE;
  words = g_strsplit (g_strchomp (out), " ", -1);
  if (g_strv_length (words) != SL_KERNEL_SHAPES + 1 || g_ascii_strcasecmp (words[0], kernel) != 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "the library has no kernel %s", kernel);
      return FALSE;
    }
  for (unsigned i = 0; i < SL_KERNEL_SHAPES; i++)
    if (!((seconds[i] = g_ascii_strtod (words[i + 1], NULL)) > 0))
      {
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "kernel %s took no time", kernel);
        return FALSE;
      }
  return TRUE;
}

const char *const *
sl_kernel_names (void)
{
  static const char *const names[]
    = { "Haswell",    "Zen",         "SkylakeX",     "Cooperlake", "Sapphirerapids", "Sandybridge",
        "Nehalem",    "Prescott",    "Core2",        "Penryn",     "Dunnington",     "Atom",
        "Nano",       "Opteron",     "Opteron_SSE3", "Barcelona",  "Bobcat",         "Bulldozer",
        "Piledriver", "Steamroller", "Excavator",    "armv8",      "cortexa53",      "cortexa57",
        "cortexa72",  "cortexa73",   "neoversen1",   NULL };

  return names;
}

const char *
sl_kernel_named (const char *name)
{
  for (const char *const *known = sl_kernel_names (); *known != NULL; known++)
    if (g_ascii_strcasecmp (*known, name) == 0)
      return *known;
  return NULL;
}

/* Adds a kernel that is not among the candidates yet. */
static void
add_candidate (SlKernelTrial *trial, const char *name)
{
  for (unsigned i = 0; i < trial->n; i++)
    if (g_ascii_strcasecmp (trial->kernel[i].name, name) == 0)
      return;
  if (trial->n < SL_KERNELS_MAX)
    g_strlcpy (trial->kernel[trial->n++].name, name, SL_KERNEL_NAME);
}

static void
remove_candidate (SlKernelTrial *trial, unsigned at)
{
  trial->n--;
  for (unsigned i = at; i < trial->n; i++)
    trial->kernel[i] = trial->kernel[i + 1];
}

gboolean
sl_kernel_try (SlKernelTrial *trial, const char *usual, double seconds, GError **error)
{
  SlCpuFeatures features = sl_cpu_features ();
  double        begin = sl_clock_wall (), slowest = 0;

  memset (trial, 0, sizeof *trial);
  add_candidate (trial, usual);
  add_candidate (trial, sl_blas_kernel ());
  if (features.avx2)
    add_candidate (trial, "Haswell");
  if (features.avx512)
    add_candidate (trial, "SkylakeX");
  if (features.bf16)
    {
      add_candidate (trial, "Cooperlake");
      add_candidate (trial, "Sapphirerapids");
    }
  for (unsigned round = 0; round < SL_KERNEL_ROUNDS; round++)
    {
      for (unsigned i = 0; i < trial->n;)
        {
          double began = sl_clock_wall ();
          g_autoptr (GError) missing = NULL;

          if (began - begin + slowest > seconds)
            goto end;
          if (run_child (trial->kernel[i].name, trial->kernel[i].seconds[round], &missing))
            i++;
          else if (i == 0)
            {
              g_propagate_error (error, g_steal_pointer (&missing));
              return FALSE;
            }
          else
            remove_candidate (trial, i);
          slowest = fmax (slowest, sl_clock_wall () - began);
        }
      trial->rounds = round + 1;
    }
end:
  trial->wall = sl_clock_wall () - begin;
  return TRUE;
}

static int
find_kernel (const SlKernelTrial *trial, const char *name)
{
  for (unsigned i = 0; i < trial->n; i++)
    if (g_ascii_strcasecmp (trial->kernel[i].name, name) == 0)
      return (int) i;
  return -1;
}

/* By how much kernel `i` is quicker than kernel `than` in each round, as a logarithm: the mean over all
 * shapes, in rising order.  What disturbs a round disturbs both.  */
static void
advantages (const SlKernelTrial *trial, unsigned i, unsigned than, double of[SL_KERNEL_ROUNDS])
{
  for (unsigned round = 0; round < trial->rounds; round++)
    {
      of[round] = 0;
      for (unsigned shape = 0; shape < SL_KERNEL_SHAPES; shape++)
        of[round] += log (trial->kernel[than].seconds[round][shape]
                          / trial->kernel[i].seconds[round][shape])
                     / SL_KERNEL_SHAPES;
    }
  sl_median (of, trial->rounds);
}

SlKernelVerdict
sl_kernel_verdict (const SlKernelTrial *trial, const char *usual, int *best)
{
  int    at = find_kernel (trial, usual);
  double most = same;
  bool   certain = true;

  *best = -1;
  if (at < 0 || trial->rounds < 2)
    return SL_KERNEL_UNSTEADY;
  for (unsigned i = 0; i < trial->n; i++)
    {
      double of[SL_KERNEL_ROUNDS], middle;

      advantages (trial, i, (unsigned) at, of);
      middle = sl_median (of, trial->rounds);
      if (!(of[trial->rounds - 1] - of[0] <= unsteady))
        return SL_KERNEL_UNSTEADY;
      if (!(middle > most))
        continue;
      most = middle;
      *best = (int) i;
      certain = of[0] > same;
    }
  if (*best >= 0 && !certain)
    {
      *best = -1;
      return SL_KERNEL_UNSTEADY;
    }
  if (*best >= 0)
    return SL_KERNEL_FASTER;
  *best = at;
  return SL_KERNEL_USUAL;
}

double
sl_kernel_speed_up (const SlKernelTrial *trial, const char *usual, unsigned i)
{
  int    at = find_kernel (trial, usual);
  double of[SL_KERNEL_ROUNDS];

  if (at < 0 || trial->rounds == 0)
    return NAN;
  advantages (trial, i, (unsigned) at, of);
  return exp (sl_median (of, trial->rounds));
}

double
sl_kernel_gflops (const SlKernelTrial *trial, unsigned i, unsigned shape)
{
  double seconds[SL_KERNEL_ROUNDS];

  if (trial->rounds == 0)
    return NAN;
  for (unsigned round = 0; round < trial->rounds; round++)
    seconds[round] = trial->kernel[i].seconds[round][shape];
  return 2e-9 * (double) (shapes[shape].m * shapes[shape].n * shapes[shape].k)
         / sl_median (seconds, trial->rounds);
}

const char *
sl_kernel_shape (unsigned shape)
{
  return shapes[shape].title;
}

char *
sl_kernel_processor (void)
{
  g_autofree char *text = NULL;
  const char      *line;

  if (g_file_get_contents ("/proc/cpuinfo", &text, NULL, NULL)
      && (line = strstr (text, "model name")) != NULL && (line = strchr (line, ':')) != NULL)
    return g_strstrip (g_strndup (line + 1, strcspn (line + 1, "\n")));
  return g_strdup ("unknown");
}

char *
sl_kernel_library (void)
{
  g_auto (GStrv) parts = g_strsplit (sl_blas_version (), sl_blas_kernel (), 2);

  return g_strjoinv ("", parts);
}

static char *
memory_path (void)
{
  return g_build_filename (g_get_user_cache_dir (), "sluice", "kernel.json", NULL);
}

/* The text of a member; NULL where it is none. */
static const char *
text_of (const SlJson *object, const char *key)
{
  const SlJson *member = sl_json_member_of (object, key, SL_JSON_TEXT);

  return member != NULL ? member->text : NULL;
}

char *
sl_kernel_remembered (void)
{
  g_autofree char *path = memory_path (), *text = NULL, *processor = sl_kernel_processor ();
  g_autofree char *version = sl_kernel_library ();
  gsize            length;
  g_autoptr (SlJson) json = NULL;
  const char *kernel;
  uint64_t    tried;

  if (!g_file_get_contents (path, &text, &length, NULL)
      || (json = sl_json_parse_object (text, length, FILE_MOST, path, NULL)) == NULL
      || g_strcmp0 (text_of (json, "processor"), processor) != 0
      || g_strcmp0 (text_of (json, "library"), version) != 0
      || (kernel = text_of (json, "kernel")) == NULL)
    return NULL;
  if (kernel[0] != '\0')
    return g_strdup (sl_kernel_named (kernel));
  if (!sl_json_whole (sl_json_member (json, "tried"), UINT64_MAX / 2, &tried))
    return NULL;
  return fabs ((double) g_get_real_time () / G_USEC_PER_SEC - (double) tried) < TRY_AGAIN
           ? g_strdup ("")
           : NULL;
}

void
sl_kernel_begin_memory (SlJsonWriter *w, const char *kernel)
{
  g_autofree char *processor = sl_kernel_processor (), *version = sl_kernel_library ();

  sl_json_writer_init (w);
  sl_json_open (w, NULL, '{', SL_JSON_LINES);
  sl_json_add_text (w, "processor", processor);
  sl_json_add_text (w, "library", version);
  sl_json_add_text (w, "kernel", kernel);
  sl_json_add_whole (w, "tried", (uint64_t) (g_get_real_time () / G_USEC_PER_SEC));
}

void
sl_kernel_end_memory (SlJsonWriter *w, const char *path)
{
  g_autofree char *text = sl_json_writer_end (w, TRUE), *folder = g_path_get_dirname (path);

  /* A cache that cannot be written is measured again the next time. */
  if (g_mkdir_with_parents (folder, 0700) == 0)
    sl_save (path, text, strlen (text), NULL);
}

void
sl_kernel_remember (const char *name)
{
  g_autofree char *path = memory_path ();
  SlJsonWriter     w;

  sl_kernel_begin_memory (&w, name);
  sl_kernel_end_memory (&w, path);
}
