/* SPDX-License-Identifier: MIT
 *
 * Data of the library: arrays in memory are the same data as those arrays in a file, whatever their type and strides.  */
#include <glib.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <locale.h>
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/sluice.h"
#include "tests/lib/npz.h"

enum { N = 60, D = 4, L = 3, T = 200, E = 8, K = 2, SIDE = 28 };

/* Numbers from 0 to 255 that look like chance. */
static unsigned
number (unsigned i)
{
  return i * 2654435761u >> 24;
}

static SluiceArray
array_of (const char *name, char type, unsigned size, unsigned axes, const uint64_t *shape,
          const void *numbers)
{
  return (SluiceArray) { name, type, size, axes, shape, NULL, numbers };
}

static SluiceData *
made (const SluiceArray *arrays, unsigned n, const char *options)
{
  SluiceData *data;
  SluiceCode  code = sluice_data_arrays (arrays, n, options, &data);

  g_assert_cmpstr (sluice_error (), ==, "");
  g_assert_cmpint (code, ==, SLUICE_FINE);
  return data;
}

static SluiceData *
opened (const char *specification)
{
  SluiceData *data;
  SluiceCode  code = sluice_data_open (specification, &data);

  g_assert_cmpstr (sluice_error (), ==, "");
  g_assert_cmpint (code, ==, SLUICE_FINE);
  return data;
}

/* What the data say of themselves, without their names; frees them. */
static char *
said_of (SluiceData *data)
{
  char      *json;
  SluiceCode code = sluice_data_about (data, &json);
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *object;
  gboolean    parsed;

  g_assert_cmpint (code, ==, SLUICE_FINE);
  parsed = json_parser_load_from_data (parser, json, -1, NULL);
  g_assert_true (parsed);
  sluice_free (json);
  sluice_data_free (data);
  root = json_parser_steal_root (parser);
  object = json_node_get_object (root);
  g_assert_cmpuint (strlen (json_object_get_string_member (object, "hash")), ==, 16);
  json_object_remove_member (object, "id");
  json_object_remove_member (object, "title");
  return json_to_string (root, TRUE);
}

static void
assert_same (SluiceData *a, SluiceData *b)
{
  g_autofree char *first = said_of (a), *second = said_of (b);

  g_assert_cmpstr (first, ==, second);
}

static char *
temporary (const char *name)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-lib-XXXXXX", NULL);

  return g_build_filename (folder, name, NULL);
}

static void
forget (char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);

  g_remove (path);
  g_rmdir (folder);
  g_free (path);
}

/* ---- examples ---- */

static const uint64_t rows[] = { N, D }, classes[] = { N };

static void
fill_labels (int64_t *label)
{
  for (unsigned i = 0; i < N; i++)
    label[i] = (int64_t) (number (i) % 3);
}

/* The same numbers as doubles, floats and bytes. */
static void
examples_are_those_of_a_file (void)
{
  static const struct
  {
    char     type;
    unsigned size;
  } types[] = { { 'f', 8 }, { 'f', 4 }, { 'u', 1 } };
  double  eight[N * D] = { 0 };
  float   four[N * D] = { 0 };
  uint8_t one[N * D] = { 0 };
  int64_t label[N] = { 0 };

  fill_labels (label);
  for (unsigned i = 0; i < N * D; i++)
    eight[i] = four[i] = one[i] = (uint8_t) number (i + 1000);
  for (size_t i = 0; i < G_N_ELEMENTS (types); i++)
    {
      const void      *numbers = types[i].size == 8   ? (const void *) eight
                                 : types[i].size == 4 ? (const void *) four
                                                      : (const void *) one;
      SluiceArray      arrays[] = { array_of ("X", types[i].type, types[i].size, 2, rows, numbers),
                                    array_of ("y", 'i', 8, 1, classes, label) };
      char            *path = temporary ("examples.npz");
      g_autofree char *spec = g_strconcat (path, ":valid=0.2,test=0.25,seed=3", NULL);

      npz_write (path, arrays, 2);
      assert_same (made (arrays, 2, "valid=0.2 test=0.25 seed=3"), opened (spec));
      assert_same (made (arrays, 2, NULL), opened (path));
      forget (path);
    }
}

static void
strided_views (void)
{
  float         plain[N * D] = { 0 }, turned[D * N] = { 0 }, sparse[2 * N * D] = { 0 };
  int64_t       label[N] = { 0 };
  int32_t       pairs[N * 2] = { 0 };
  const int64_t by_column[] = { sizeof (float), N * sizeof (float) };
  const int64_t every_second[] = { 2 * D * sizeof (float), sizeof (float) };
  const int64_t of_pairs[] = { 2 * sizeof (int32_t) };
  SluiceArray   whole[]
    = { array_of ("X", 'f', 4, 2, rows, plain), array_of ("y", 'i', 8, 1, classes, label) };
  SluiceArray view[] = { whole[0], array_of ("y", 'i', 4, 1, classes, pairs) };

  fill_labels (label);
  memset (sparse, 0xff, sizeof sparse);
  for (unsigned i = 0; i < N; i++)
    {
      pairs[2 * i] = (int32_t) label[i];
      pairs[2 * i + 1] = -9;
      for (unsigned j = 0; j < D; j++)
        plain[i * D + j] = turned[j * N + i] = sparse[2 * i * D + j]
          = (float) number (i * D + j) / 7;
    }
  view[1].strides = of_pairs;
  view[0].numbers = turned;
  view[0].strides = by_column;
  assert_same (made (view, 2, "standardise=no"), made (whole, 2, "standardise=no"));
  view[0].numbers = sparse;
  view[0].strides = every_second;
  assert_same (made (view, 2, NULL), made (whole, 2, NULL));
}

static void
images (void)
{
  const uint64_t      sheets[] = { N, SIDE, SIDE };
  const int64_t       turned[] = { 1, N, N * SIDE };
  g_autofree uint8_t *pixel = g_new (uint8_t, N * SIDE * SIDE);
  g_autofree uint8_t *last = g_new (uint8_t, N * SIDE * SIDE); /* the same, the examples fastest */
  int64_t             label[N] = { 0 };
  SluiceArray         arrays[] = { array_of ("images", 'u', 1, 3, sheets, pixel),
                                   array_of ("labels", 'i', 8, 1, classes, label) };
  char               *path = temporary ("images.npz");
  g_autofree char    *about = NULL;

  fill_labels (label);
  for (unsigned i = 0; i < N; i++)
    for (unsigned y = 0; y < SIDE; y++)
      for (unsigned x = 0; x < SIDE; x++)
        {
          unsigned at = (i * SIDE + y) * SIDE + x;

          pixel[at] = last[(x * SIDE + y) * N + i] = (uint8_t) number (at);
        }
  npz_write (path, arrays, 2);
  assert_same (made (arrays, 2, NULL), opened (path));
  forget (path);
  about = said_of (made (arrays, 2, NULL));
  g_assert_nonnull (strstr (about, "\"features\" : 784"));
  arrays[0].numbers = last;
  arrays[0].strides = turned;
  {
    g_autofree char *again = said_of (made (arrays, 2, NULL));

    g_assert_cmpstr (again, ==, about);
  }
}

/* Rows with NaN among features or classes are left out where that is said. */
static void
missing_values (void)
{
  float       x[N * D] = { 0 };
  double      label[N] = { 0 };
  SluiceArray arrays[]
    = { array_of ("X", 'f', 4, 2, rows, x), array_of ("y", 'f', 8, 1, classes, label) };
  g_autofree char *about = NULL;

  for (unsigned i = 0; i < N * D; i++)
    x[i] = i % 41 == 0 ? NAN : (float) number (i);
  for (unsigned i = 0; i < N; i++)
    label[i] = i == 5 ? NAN : i % 2;
  about = said_of (made (arrays, 2, "missing=drop"));
  g_test_message ("%s", about);
  g_assert_nonnull (strstr (about, "7 rows with missing values"));
}

/* A program's decimal comma is neither read nor written, and is there afterwards. */
static void
decimal_commas (void)
{
  g_autofree char *before = g_strdup (setlocale (LC_ALL, NULL));
  float            x[N * D] = { 0 };
  int64_t          label[N] = { 0 };
  SluiceArray      arrays[]
    = { array_of ("X", 'f', 4, 2, rows, x), array_of ("y", 'i', 8, 1, classes, label) };
  g_autofree char *usual = NULL, *german = NULL;

  fill_labels (label);
  for (unsigned i = 0; i < N * D; i++)
    x[i] = (float) number (i) / 7;
  usual = said_of (made (arrays, 2, "valid=0.3"));
  if (setlocale (LC_ALL, "de_DE.UTF-8") == NULL)
    {
      g_test_skip ("there is no locale with decimal commas");
      return;
    }
  german = said_of (made (arrays, 2, "valid=0.3"));
  g_assert_cmpstr (localeconv ()->decimal_point, ==, ",");
  setlocale (LC_ALL, before);
  g_assert_cmpstr (german, ==, usual);
}

/* ---- recordings ---- */

static const uint64_t cube[] = { L, T, E }, flat[] = { T, E }, chosen[] = { T, L, K };

static char *
report_of (SluiceData *data, const char *options)
{
  char      *json;
  SluiceCode code = sluice_data_report (data, options, &json);

  g_assert_cmpstr (sluice_error (), ==, "");
  g_assert_cmpint (code, ==, SLUICE_FINE);
  sluice_data_free (data);
  return json;
}

static char *
printed_of (const char *specification, const char *const *set)
{
  g_autofree char *cli = g_build_filename (g_getenv ("SLUICE_BUILD"), "app", "sluice-cli", NULL);
  const char      *words[16] = { cli, "trace", specification, "--json" };
  unsigned         n = 4;
  char            *text;
  int              status;
  gboolean         spawned;

  for (; *set != NULL; set++)
    {
      words[n++] = "--set";
      words[n++] = *set;
    }
  spawned = g_spawn_sync (NULL, (char **) words, NULL, G_SPAWN_DEFAULT, NULL, NULL, &text, NULL,
                          &status, NULL);
  g_assert_true (spawned);
  g_assert_cmpint (status, ==, 0);
  return text;
}

/* The library's report of arrays is what the command prints of the same arrays in a file of the same name. */
static void
compare_report (const SluiceArray *arrays, unsigned n, const char *options)
{
  static const char *const set[] = { "window=64", "cache=3", "bias-rate=0.01", NULL };
  char                    *path = temporary ("arrays");
  g_autofree char         *rest = g_strdelimit (g_strdup (options), " ", ',');
  g_autofree char         *spec = g_strconcat (path, ":", rest, NULL);
  g_autofree char         *printed = NULL;
  char *report = report_of (made (arrays, n, options), "window=64 cache=3 bias-rate=0.01");

  npz_write (path, arrays, n);
  printed = printed_of (spec, set);
  g_assert_cmpstr (report, ==, printed);
  sluice_free (report);
  forget (path);
}

static void
fill_logits (float *logit)
{
  for (unsigned i = 0; i < L * T * E; i++)
    logit[i] = ((float) number (i) - 128) / 32 + (float) (i % E == 1);
}

static void
recordings_are_those_of_a_file (void)
{
  g_autofree float   *logit = g_new (float, L *T *E);
  g_autofree double  *twice = g_new (double, L *T *E);
  g_autofree int32_t *id = g_new (int32_t, T * L * K);
  SluiceArray         layers = array_of ("router_logits", 'f', 4, 3, cube, logit);
  SluiceArray         one = array_of ("router_logits", 'f', 4, 2, flat, logit);
  SluiceArray         doubles = array_of ("router_logits", 'f', 8, 3, cube, twice);
  SluiceArray         ids = array_of ("topk_ids", 'i', 4, 3, chosen, id);

  fill_logits (logit);
  for (unsigned i = 0; i < L * T * E; i++)
    twice[i] = (double) logit[i];
  for (unsigned i = 0; i < T * L * K; i += K)
    {
      id[i] = (int32_t) number (i) % E;
      id[i + 1] = (id[i] + 1 + (int32_t) number (i + 1) % (E - 1)) % E;
    }
  compare_report (&layers, 1, "k=2");
  compare_report (&layers, 1, "k=2 from=20 most=100");
  compare_report (&one, 1, "k=3 decode=4");
  compare_report (&doubles, 1, "k=2");
  compare_report (&ids, 1, "experts=8 axes=tlk");
}

/* (T, L, n) seen as (L, T, n), and scores of (T, L, n) as they lie. */
static void
strided_scores (void)
{
  g_autofree float *logit = g_new (float, L *T *E);
  g_autofree float *mixed = g_new (float, L *T *E);
  const uint64_t    by_token[] = { T, L, E };
  const int64_t     view[] = { E * sizeof (float), L * E * sizeof (float), sizeof (float) };
  SluiceArray       whole = array_of ("router_logits", 'f', 4, 3, cube, logit);
  SluiceArray       turned = { "router_logits", 'f', 4, 3, cube, view, mixed };
  SluiceArray       lying = array_of ("router_logits", 'f', 4, 3, by_token, mixed);
  char             *expected, *report;

  fill_logits (logit);
  for (unsigned l = 0; l < L; l++)
    for (unsigned t = 0; t < T; t++)
      memcpy (mixed + (t * L + l) * E, logit + (l * T + t) * E, E * sizeof *mixed);
  expected = report_of (made (&whole, 1, "k=2"), NULL);
  report = report_of (made (&turned, 1, "k=2"), NULL);
  g_assert_cmpstr (report, ==, expected);
  sluice_free (report);
  compare_report (&lying, 1, "k=2 axes=tln");
  sluice_free (expected);
}

/* ---- what is refused ---- */

static void
refuse (const SluiceArray *arrays, unsigned n, const char *options, SluiceCode expected,
        const char *word)
{
  SluiceData *data = (SluiceData *) "";
  SluiceCode  code = sluice_data_arrays (arrays, n, options, &data);

  g_test_message ("%s", sluice_error ());
  g_assert_null (data);
  g_assert_cmpint (code, ==, expected);
  g_assert_nonnull (strstr (sluice_error (), word));
}

static void
wrong_arrays (void)
{
  const uint64_t huge[] = { 1000000000000, 4 }, many[] = { 1000000000000 }, few[] = { N - 1 },
                 nine[9] = { N, D, 1, 1, 1, 1, 1, 1, 1 }, none[] = { 0, D }, no[] = { 0 },
                 overflow[] = { UINT64_MAX, UINT64_MAX };
  const int64_t backwards[] = { -D * (int) sizeof (float), sizeof (float) };
  const int64_t between[] = { D * sizeof (float) + 1, sizeof (float) };
  float         x[N * D] = { 0 };
  double        real[N] = { 0 };
  int64_t       label[N] = { 0 };
  SluiceArray X = array_of ("X", 'f', 4, 2, rows, x), y = array_of ("y", 'i', 8, 1, classes, label);
  SluiceArray logits = array_of ("router_logits", 'f', 4, 2, rows, x);

  fill_labels (label);
  for (unsigned i = 0; i < N * D; i++)
    x[i] = (float) number (i);
  for (unsigned i = 0; i < N; i++)
    real[i] = i % 2 == 0 ? NAN : 1;
#define REFUSE(options, code, word, ...)                                                           \
  do                                                                                               \
    {                                                                                              \
      SluiceArray arrays[] = { __VA_ARGS__ };                                                      \
      refuse (arrays, G_N_ELEMENTS (arrays), options, code, word);                                 \
    }                                                                                              \
  while (0)
#define WITH(a, member, value)                                                                     \
  ({                                                                                               \
    SluiceArray with = a;                                                                          \
    with.member = value;                                                                           \
    with;                                                                                          \
  })
  refuse (NULL, 0, NULL, SLUICE_FORMAT, "X and y");
  REFUSE (NULL, SLUICE_FORMAT, "X and y", WITH (X, name, "weights"));
  REFUSE (NULL, SLUICE_FORMAT, "X and y", X);
  REFUSE (NULL, SLUICE_FORMAT, "X (60)", WITH (X, axes, 1), y);
  REFUSE (NULL, SLUICE_FORMAT, "y (59)", X, WITH (y, shape, few));
  REFUSE (NULL, SLUICE_FORMAT, "twice", X, X, y);
  REFUSE (NULL, SLUICE_FORMAT, "9 axes", array_of ("X", 'f', 4, 9, nine, x), y);
  REFUSE (NULL, SLUICE_FORMAT, "too many", WITH (X, shape, huge), WITH (y, shape, many));
  REFUSE (NULL, SLUICE_FORMAT, "too many", WITH (X, shape, overflow), y);
  REFUSE ("k=2", SLUICE_FORMAT, "too many", WITH (logits, shape, huge));
  REFUSE (NULL, SLUICE_FORMAT, "axis 0", WITH (X, strides, backwards), y);
  REFUSE (NULL, SLUICE_FORMAT, "axis 0", WITH (X, strides, between), y);
  REFUSE (NULL, SLUICE_FORMAT, "3 bytes", WITH (X, size, 3), y);
  REFUSE (NULL, SLUICE_FORMAT, "bytes", WITH (X, type, 'c'), y);
  REFUSE (NULL, SLUICE_FORMAT, "bytes", X, array_of ("y", 'U', 6, 1, classes, label));
  REFUSE (NULL, SLUICE_FORMAT, "gaps", X,
          ((SluiceArray) { "y", 'U', 4, 1, classes, (const int64_t[]) { 8 }, label }));
  REFUSE (NULL, SLUICE_INVALID, "no shape", WITH (X, shape, NULL), y);
  REFUSE (NULL, SLUICE_FORMAT, "no memory", WITH (X, numbers, NULL), y);
  REFUSE (NULL, SLUICE_FORMAT, "examples", WITH (X, shape, none), WITH (y, shape, no));
  REFUSE (NULL, SLUICE_FORMAT, "missing=drop", X, array_of ("y", 'f', 8, 1, classes, real));
  REFUSE ("valid=0.2 colour=red", SLUICE_INVALID, "colour", X, y);
  REFUSE ("valid=2", SLUICE_INVALID, "valid", X, y);
  REFUSE ("valid", SLUICE_INVALID, "valid", X, y);
  REFUSE ("as=text", SLUICE_INVALID, "text", X, y);
  REFUSE (NULL, SLUICE_FORMAT, "k=2", logits);
  REFUSE ("k=5", SLUICE_FORMAT, "4 experts", logits);
  REFUSE ("k=2 experts=64", SLUICE_FORMAT, "experts=", logits);
  x[7] = NAN;
  REFUSE (NULL, SLUICE_FORMAT, "x4", X, y);
  x[7] = INFINITY;
  REFUSE (NULL, SLUICE_FORMAT, "x4", X, y);
  x[7] = NAN;
  REFUSE ("k=2", SLUICE_FORMAT, "finite", logits);
#undef REFUSE
#undef WITH
}

static void
wrong_calls (void)
{
  SluiceData *data = (SluiceData *) "";
  char       *json = (char *) "";
  SluiceCode  code = sluice_data_open ("arrays", &data);

  g_assert_cmpint (code, ==, SLUICE_UNSUPPORTED);
  g_assert_null (data);
  g_assert_nonnull (strstr (sluice_error (), "program"));
  code = sluice_data_open ("no-such-thing", &data);
  g_assert_cmpint (code, ==, SLUICE_INVALID);
  code = sluice_data_open (NULL, &data);
  g_assert_cmpint (code, ==, SLUICE_INVALID);
  data = opened ("moons");
  code = sluice_data_report (data, NULL, &json);
  g_assert_cmpint (code, ==, SLUICE_UNSUPPORTED);
  g_assert_null (json);
  sluice_data_free (data);
  data = opened ("router");
  code = sluice_data_report (data, "windows=3", &json);
  g_assert_cmpint (code, ==, SLUICE_INVALID);
  g_assert_nonnull (strstr (sluice_error (), "window"));
  g_assert_null (json);
  sluice_data_free (data);
  sluice_data_free (NULL);
  sluice_free (NULL);
}

static gpointer
fail_elsewhere (gpointer unused)
{
  SluiceData *data;

  g_assert_cmpstr (sluice_error (), ==, "");
  sluice_data_open ("nothing-here", &data);
  return g_strdup (sluice_error ());
}

static void
sentences_are_of_threads (void)
{
  SluiceData      *data;
  g_autofree char *here = NULL, *there = NULL;

  sluice_data_open ("nothing-there", &data);
  here = g_strdup (sluice_error ());
  there = g_thread_join (g_thread_new ("other", fail_elsewhere, NULL));
  g_assert_cmpstr (sluice_error (), ==, here);
  g_assert_nonnull (strstr (there, "nothing-here"));
}

/* ---- forks ---- */

/* The code of an opening in a fork. */
static int
code_in_fork (void)
{
  int   status;
  pid_t child = fork ();

  if (child == 0)
    {
      SluiceData *data = (SluiceData *) "";
      SluiceCode  code = sluice_data_open ("moons", &data);

      _exit ((code == SLUICE_FINE) == (data != NULL) ? (int) code : -1);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFEXITED (status));
  return WEXITSTATUS (status);
}

static void
forks (void)
{
  if (g_test_subprocess ())
    {
      g_assert_cmpint (code_in_fork (), ==, SLUICE_FINE);
      sluice_data_free (opened ("moons"));
      g_assert_cmpint (code_in_fork (), ==, SLUICE_FORKED);
      sluice_data_free (opened ("moons"));
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lib/data/examples-are-those-of-a-file", examples_are_those_of_a_file);
  g_test_add_func ("/lib/data/strided-views", strided_views);
  g_test_add_func ("/lib/data/images", images);
  g_test_add_func ("/lib/data/missing-values", missing_values);
  g_test_add_func ("/lib/data/decimal-commas", decimal_commas);
  g_test_add_func ("/lib/data/recordings-are-those-of-a-file", recordings_are_those_of_a_file);
  g_test_add_func ("/lib/data/strided-scores", strided_scores);
  g_test_add_func ("/lib/data/wrong-arrays", wrong_arrays);
  g_test_add_func ("/lib/data/wrong-calls", wrong_calls);
  g_test_add_func ("/lib/data/sentences-are-of-threads", sentences_are_of_threads);
  g_test_add_func ("/lib/data/forks", forks);
  return g_test_run ();
}
