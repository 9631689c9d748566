/* SPDX-License-Identifier: MIT
 *
 * The base layer: random numbers, arena, queues between two threads, status sentences.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/rng.h"
#include "core/base/spsc.h"
#include "core/base/status.h"
#include "core/run/session/latest.h"
#include "tests/support/close.h"

/* The first outputs of the authors' xoshiro256plusplus.c from the state 1, 2, 3, 4. */
static void
test_rng_reference (void)
{
  static const uint64_t want[] = {
    41943041u,
    58720359u,
    3588806011781223u,
    3591011842654386u,
    9228616714210784205u,
    9973669472204895162u,
    14011001112246962877u,
    12406186145184390807u,
    15849039046786891736u,
    10450023813501588000u,
  };
  SlRng rng = { { 1, 2, 3, 4 } };

  for (size_t i = 0; i < G_N_ELEMENTS (want); i++)
    g_assert_cmpuint (sl_rng_next (&rng), ==, want[i]);
}

static void
test_rng_streams (void)
{
  SlRng a, again, other_name, other_seed;
  int   same = 0;

  sl_rng_init (&a, 7, "init");
  sl_rng_init (&again, 7, "init");
  sl_rng_init (&other_name, 7, "shuffle");
  sl_rng_init (&other_seed, 8, "init");
  for (int i = 0; i < 1000; i++)
    {
      uint64_t draw = sl_rng_next (&a);

      g_assert_cmpuint (sl_rng_next (&again), ==, draw);
      same += sl_rng_next (&other_name) == draw;
      same += sl_rng_next (&other_seed) == draw;
    }
  g_assert_cmpint (same, ==, 0);
}

static void
test_rng_distributions (void)
{
  enum { N = 200000 };
  SlRng  rng;
  double mean = 0, square = 0, normal = 0, normal_square = 0, fourth = 0;
  int    count[7] = { 0 };

  sl_rng_init (&rng, 1, "test");
  for (int i = 0; i < N; i++)
    {
      double u = sl_rng_uniform (&rng), z = sl_rng_normal (&rng);

      g_assert_true (u >= 0.0 && u < 1.0);
      mean += u / N;
      square += u * u / N;
      normal += z / N;
      normal_square += z * z / N;
      fourth += z * z * z * z / N;
      count[sl_rng_below (&rng, 7)]++;
    }
  /* Five standard errors of each. */
  sl_assert_near (mean, 0.5, 0, 5 * sqrt (1.0 / 12 / N));
  sl_assert_near (square, 1.0 / 3, 0, 5 * sqrt (4.0 / 45 / N));
  sl_assert_near (normal, 0, 0, 5 * sqrt (1.0 / N));
  sl_assert_near (normal_square, 1, 0, 5 * sqrt (2.0 / N));
  sl_assert_near (fourth, 3, 0, 5 * sqrt (96.0 / N));
  for (int i = 0; i < 7; i++)
    sl_assert_near (count[i], N / 7.0, 0, 5 * sqrt (N * 6.0 / 49));
  g_assert_cmpuint (sl_rng_below (&rng, 1), ==, 0);
}

/* Every order of three is equally likely, and nothing is lost from a long list. */
static void
test_rng_shuffle (void)
{
  enum { N = 60000, LONG = 1000 };
  SlRng    rng;
  int      count[27] = { 0 };
  uint32_t index[LONG];
  bool     seen[LONG] = { false };

  sl_rng_init (&rng, 3, "shuffle");
  for (int i = 0; i < N; i++)
    {
      uint32_t three[3] = { 0, 1, 2 };

      sl_rng_shuffle (&rng, three, 3);
      count[three[0] * 9 + three[1] * 3 + three[2]]++;
    }
  for (int i = 0; i < 27; i++)
    {
      int  a = i / 9, b = i / 3 % 3, c = i % 3;
      bool order = a != b && b != c && a != c;

      sl_assert_near (count[i], order ? N / 6.0 : 0, 0, order ? 5 * sqrt (N * 5.0 / 36) : 0);
    }
  for (uint32_t i = 0; i < LONG; i++)
    index[i] = i;
  sl_rng_shuffle (&rng, index, LONG);
  for (int i = 0; i < LONG; i++)
    {
      g_assert_cmpuint (index[i], <, LONG);
      g_assert_false (seen[index[i]]);
      seen[index[i]] = true;
    }
  sl_rng_shuffle (&rng, index, 0);
  sl_rng_shuffle (&rng, index, 1);
}

/* A state that no seed makes, but a damaged file can: draws that are thrown away come to an end. */
static void
test_rng_zeros (void)
{
  SlRng rng = { { 0 } };

  g_assert_cmpuint (sl_rng_below (&rng, 3), <, 3);
  rng = (SlRng) { { 0 } };
  g_assert_true (isfinite (sl_rng_normal (&rng)));
}

static void
test_arena (void)
{
  SlArena        arena = { 0 };
  SlStatus       status;
  unsigned char *first, *second, *third;
  size_t         measured;

  g_assert_null (sl_arena_carve (&arena, 3, 5));
  g_assert_null (sl_arena_carve (&arena, 0, 8));
  g_assert_null (sl_arena_reals (&arena, 17));
  measured = arena.used;
  g_assert_cmpuint (measured, >=, 15 + 17 * sizeof (sl_real));

  status = sl_arena_init (&arena, measured);
  g_assert_true (sl_ok (&status));
  first = sl_arena_carve (&arena, 3, 5);
  second = sl_arena_carve (&arena, 0, 8);
  third = (unsigned char *) sl_arena_reals (&arena, 17);
  g_assert_cmpuint (arena.used, ==, measured);
  g_assert_cmpuint (GPOINTER_TO_SIZE (first) % 64, ==, 0);
  g_assert_cmpuint (GPOINTER_TO_SIZE (third) % 64, ==, 0);
  g_assert_true (second >= first + 15);
  g_assert_true (third >= second);
  for (size_t i = 0; i < 17 * sizeof (sl_real); i++)
    g_assert_cmpuint (third[i], ==, 0);
  memset (first, 0xff, 15);
  g_assert_cmpuint (third[0], ==, 0);
  sl_arena_clear (&arena);
  g_assert_null (arena.block);

  status = sl_arena_init (&arena, SIZE_MAX / 2 - 4096);
  g_assert_cmpint (status.code, ==, SL_ENOMEM);
  g_assert_null (arena.block);
  sl_arena_clear (&arena);
}

enum { RECORDS = 200000 };

typedef struct
{
  uint64_t number;
  uint64_t copies[4]; /* of `number`, so that a torn record shows */
} Record;

static Record
record (uint64_t number)
{
  return (Record) { number, { number, number, number, number } };
}

static bool
whole (const Record *r)
{
  return r->copies[0] == r->number && r->copies[1] == r->number && r->copies[2] == r->number
         && r->copies[3] == r->number;
}

static gpointer
produce (gpointer data)
{
  SlSpsc *ring = data;

  for (uint64_t i = 0; i < RECORDS;)
    {
      Record r = record (i);

      if (sl_spsc_push (ring, &r))
        i++;
      else
        g_thread_yield ();
    }
  return NULL;
}

static void
test_spsc_threads (void)
{
  static SlSpsc ring; /* on a line of the cache, which a stack of the sanitizer is not */
  SlStatus      status = sl_spsc_init (&ring, 100, sizeof (Record));
  GThread      *producer;
  Record        r;

  g_assert_true (sl_ok (&status));
  producer = g_thread_new ("producer", produce, &ring);
  for (uint64_t i = 0; i < RECORDS;)
    if (sl_spsc_pop (&ring, &r))
      {
        g_assert_cmpuint (r.number, ==, i);
        g_assert_true (whole (&r));
        i++;
      }
    else
      g_thread_yield ();
  g_thread_join (producer);
  g_assert_false (sl_spsc_pop (&ring, &r));
  g_assert_cmpuint (sl_spsc_fill (&ring), ==, 0);
  sl_spsc_clear (&ring);
}

static void
test_spsc_bounds (void)
{
  static SlSpsc ring;
  SlStatus      status = sl_spsc_init (&ring, 5, sizeof (int));
  int           value, out = -1;

  g_assert_true (sl_ok (&status));
  g_assert_false (sl_spsc_pop (&ring, &out));
  g_assert_cmpint (out, ==, -1);
  /* Room for at least five; the indices go round several times. */
  for (int round = 0; round < 10; round++)
    {
      int pushed = 0;

      for (value = 0; sl_spsc_push (&ring, &value); value++)
        pushed++;
      g_assert_cmpint (pushed, >=, 5);
      g_assert_cmpuint (sl_spsc_fill (&ring), ==, pushed);
      for (int i = 0; i < pushed; i++)
        {
          g_assert_true (sl_spsc_pop (&ring, &out));
          g_assert_cmpint (out, ==, i);
        }
      g_assert_false (sl_spsc_pop (&ring, &out));
    }
  sl_spsc_clear (&ring);
}

typedef struct
{
  SlLatest latest;
  Record   value[3];
} Board;

static gpointer
publish (gpointer data)
{
  Board *board = data;

  for (uint64_t i = 1; i <= RECORDS; i++)
    {
      board->value[board->latest.back] = record (i);
      sl_latest_publish (&board->latest);
      if (i % 1024 == 0)
        g_thread_yield ();
    }
  return NULL;
}

/* The reader never sees a torn value nor an older one, and in the end sees the last. */
static void
test_latest_threads (void)
{
  Board    board = { 0 };
  GThread *writer;
  uint64_t last = 0;

  sl_latest_init (&board.latest);
  g_assert_false (sl_latest_take (&board.latest));
  writer = g_thread_new ("writer", publish, &board);
  while (last < RECORDS)
    if (sl_latest_take (&board.latest))
      {
        const Record *r = &board.value[board.latest.front];

        g_assert_true (whole (r));
        g_assert_cmpuint (r->number, >, last);
        last = r->number;
      }
    else
      g_thread_yield ();
  g_thread_join (writer);
  g_assert_false (sl_latest_take (&board.latest));
}

static void
test_status_sentences (void)
{
  char     text[512], shorter[24], subject[400];
  SlStatus status;

  status = SL_SUCCESS;
  g_assert_true (sl_ok (&status));
  status = sl_status_at (SL_EFORMAT, "train-labels.gz", SL_BYTE, 4, sl_message ("60001 labels"),
                         sl_message ("60000"));
  g_assert_false (sl_ok (&status));
  g_assert_cmpstr (sl_status_text (&status, text, sizeof text), ==,
                   "train-labels.gz, byte 4: found 60001 labels, expected 60000");
  g_assert_cmpstr (sl_status_text (&status, shorter, sizeof shorter), ==,
                   "train-labels.gz, byte 4");
  status = sl_status_new (SL_EINVAL, "rank", SL_NO_MESSAGE, sl_message ("0 to 784"));
  g_assert_cmpstr (sl_status_text (&status, text, sizeof text), ==, "rank: expected 0 to 784");
  status = sl_status_no_memory ("queue");
  g_assert_cmpstr (sl_status_text (&status, text, sizeof text), ==, "queue: not enough memory");
  status
    = sl_status_at (SL_EDIVERGED, NULL, SL_STEP, 12, sl_message ("not a number"), SL_NO_MESSAGE);
  g_assert_cmpstr (sl_status_text (&status, text, sizeof text), ==, "step 12: not a number");

  /* A long path keeps its end, the file's name. */
  memset (subject, 'a', sizeof subject);
  memcpy (subject + sizeof subject - sizeof "/name.csv", "/name.csv", sizeof "/name.csv");
  status = sl_status_new (SL_EIO, subject, SL_NO_MESSAGE, SL_NO_MESSAGE);
  g_assert_true (g_str_has_prefix (status.subject, "..."));
  g_assert_true (g_str_has_suffix (status.subject, "/name.csv"));
  g_assert_cmpuint (strlen (status.subject), ==, sizeof status.subject - 1);

  for (int code = SL_OK; code <= SL_EUNSUPPORTED; code++)
    g_assert_cmpstr (sl_code_text ((SlCode) code), !=, "unknown error");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/rng/reference", test_rng_reference);
  g_test_add_func ("/base/rng/streams", test_rng_streams);
  g_test_add_func ("/base/rng/distributions", test_rng_distributions);
  g_test_add_func ("/base/rng/shuffle", test_rng_shuffle);
  g_test_add_func ("/base/rng/zeros", test_rng_zeros);
  g_test_add_func ("/base/arena", test_arena);
  g_test_add_func ("/base/spsc/threads", test_spsc_threads);
  g_test_add_func ("/base/spsc/bounds", test_spsc_bounds);
  g_test_add_func ("/base/latest", test_latest_threads);
  g_test_add_func ("/base/status", test_status_sentences);
  return g_test_run ();
}
