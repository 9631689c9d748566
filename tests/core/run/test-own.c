/* SPDX-License-Identifier: MIT
 *
 * Inputs of one's own on sessions, what networks say to examples, and the few that are chosen by it.  */
#include "core/run/own/own.h"

#include <math.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/lab/alive.h"
#include "core/labs/registry.h"
#include "core/run/own/strip.h"
#include "tests/support/close.h"

static void
wait_idle (SlSession *session)
{
  while (g_main_context_find_source_by_user_data (NULL, session) != NULL)
    g_main_context_iteration (NULL, TRUE);
}

static SlSession *
begin (const char *id, const char *data)
{
  const SlLab *lab = sl_lab_find (id);
  SlSession   *session = sl_session_new ();
  SlSettings   settings;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_session_start (session, lab, &settings, data, 1, FALSE);
  wait_idle (session);
  g_assert_no_error (sl_session_error (session));
  return session;
}

static const SlSubject *
subject (SlSession *session)
{
  return sl_session_subject (session);
}

static double
mass (SlSession *session, double *x)
{
  double sum = 0.0;

  *x = 0.0;
  for (unsigned i = 0; i < subject (session)->n_own; i++)
    {
      sum += (double) subject (session)->own[i];
      *x += (double) subject (session)->own[i] * (i % 28);
    }
  *x /= sum;
  return sum;
}

static void
stroke (SlOwn *own, double x0, double y0, double x1, double y1, SlPen pen)
{
  sl_own_hand (own, SL_HAND_BEGINS, x0, y0, pen);
  for (int i = 1; i <= 10; i++)
    sl_own_hand (own, SL_HAND_MOVES, x0 + (x1 - x0) * i / 10, y0 + (y1 - y0) * i / 10, pen);
  sl_own_hand (own, SL_HAND_ENDS, x1, y1, pen);
}

static void
count (SlOwn *own, unsigned *n)
{
  ++*n;
}

/* Both sessions show what is drawn, when it is sent, and the example again when it is cleared. */
static void
test_draws (void)
{
  SlSession *session[2]
    = { begin ("experts", "digits:images=300"), begin ("sign-estimator", "digits:images=300") };
  SlOwn   *own = sl_own_new ();
  unsigned changes = 0;
  double   before, x, moved, size;
  float    picture[784];

  sl_session_set_example (session[0], 5);
  sl_own_set_sessions (own, session, 2);
  g_signal_connect (own, "changed", G_CALLBACK (count), &changes);
  g_assert_true (sl_own_can (own));
  g_assert_cmpuint (sl_own_example (own), ==, 5);
  g_assert_cmpuint (sl_session_example (session[1]), ==, 5);
  g_assert_false (sl_own_send (own));

  stroke (own, 0.1, 0.1, 0.1, 0.4, SL_PEN_NEW);
  g_assert_cmpuint (changes, >=, 11);
  g_assert_cmpuint (subject (session[0])->n_own, ==, 0);
  g_assert_true (sl_own_send (own));
  g_assert_false (sl_own_send (own));
  for (int i = 0; i < 2; i++)
    {
      g_assert_cmpuint (subject (session[i])->n_own, ==, 784);
      g_assert_cmpuint (subject (session[i])->example, ==, 5);
      mass (session[i], &x);
      /* Centred, but not where it is seen. */
      sl_assert_near (x, 13.5, 0.0, 0.1);
    }
  g_assert_true (sl_own_picture (own, picture));
  g_assert_cmpfloat (picture[7 * 28 + 2], >, 0.5f);

  /* By keys it goes a pixel at a time, and stays where it was put. */
  before = x;
  size = mass (session[0], &x);
  sl_own_shift (own, 2, 0);
  g_assert_true (sl_own_send (own));
  sl_assert_near (mass (session[1], &moved), size, 1e-3, 0.0);
  sl_assert_near (moved, before + 2.0, 0.0, 0.05);
  stroke (own, 0.0, 0.5, 1.0, 0.5, SL_PEN_ERASES);
  g_assert_true (sl_own_send (own));
  g_assert_cmpfloat (mass (session[0], &x), <, 0.95 * size);

  sl_own_clear (own);
  g_assert_false (sl_own_is_shown (own));
  for (int i = 0; i < 2; i++)
    {
      g_assert_cmpuint (subject (session[i])->n_own, ==, 0);
      g_assert_cmpuint (subject (session[i])->example, ==, 5);
    }
  /* Places that are none are nothing. */
  sl_own_hand (own, SL_HAND_BEGINS, (double) NAN, 0.5, SL_PEN_NEW);
  sl_own_hand (own, SL_HAND_MOVES, 0.5, 0.5, SL_PEN_NEW);
  g_assert_false (sl_own_send (own));
  g_assert_finalize_object (own);
  g_assert_finalize_object (session[0]);
  g_assert_finalize_object (session[1]);
}

/* The pen and the eraser on an example begin with its ink; units that are switched off stay so. */
static void
test_draws_onto (void)
{
  SlSession *session = begin ("experts", "digits:images=300");
  SlOwn     *own = sl_own_new ();
  float      example[784], picture[784];

  sl_own_set_sessions (own, &session, 1);
  sl_session_switch_off (session, 0, 1);
  g_assert_true (sl_own_picture (own, example));
  stroke (own, 0.02, 0.02, 0.02, 0.1, SL_PEN_ONTO);
  g_assert_true (sl_own_send (own));
  for (int i = 0; i < 784; i++)
    if (i % 28 > 4)
      sl_assert_near (subject (session)->own[i], example[i], 0.0, 1e-5);
  g_assert_cmpfloat (subject (session)->own[28], >, 0.8f);
  g_assert_cmpuint (subject (session)->n_closed, ==, 1);
  sl_own_show_example (own, 3);
  g_assert_true (sl_own_picture (own, example));
  for (int i = 0; i <= 20; i++)
    stroke (own, 0.0, i / 20.0, 1.0, i / 20.0, SL_PEN_ERASES);
  g_assert_true (sl_own_picture (own, picture));
  for (int i = 0; i < 784; i++)
    g_assert_cmpfloat (picture[i], <=, 0.1f * example[i] + 0.01f);
  g_assert_finalize_object (own);
  g_assert_finalize_object (session);
}

/* The point is where the hand is, within the plane; other data forget it. */
static void
test_plane (void)
{
  SlSession *session = begin ("experts", "moons");
  SlOwn     *own = sl_own_new ();
  SlOwnPlane plane;
  double     x, y, other;

  sl_own_set_sessions (own, &session, 1);
  g_assert_true (sl_own_plane (own, &plane));
  g_assert_false (sl_own_picture (own, NULL));
  sl_own_hand (own, SL_HAND_BEGINS, 0.25, 0.75, SL_PEN_NEW);
  g_assert_true (sl_own_send (own));
  g_assert_cmpuint (subject (session)->n_own, ==, 2);
  sl_own_point (own, &plane, &x, &y);
  sl_assert_near (x, 0.25, 0.0, 1e-5);
  sl_assert_near (y, 0.75, 0.0, 1e-5);
  /* Upwards is more, on the screen less. */
  sl_assert_near ((double) subject (session)->own[1],
                  plane.lo[1] + (0.25 - 0.06) / 0.88 * (plane.hi[1] - plane.lo[1]), 0.0, 1e-4);
  sl_own_shift (own, 1, -1);
  sl_own_point (own, &plane, &other, &y);
  sl_assert_near (other, 0.275, 0.0, 1e-5);
  sl_assert_near (y, 0.725, 0.0, 1e-5);
  sl_own_hand (own, SL_HAND_MOVES, -7.0, 9.0, SL_PEN_NEW);
  g_assert_true (sl_own_send (own));
  sl_assert_near ((double) subject (session)->own[0], plane.lo[0], 0.0, 1e-4);
  sl_assert_near ((double) subject (session)->own[1], plane.lo[1], 0.0, 1e-4);

  sl_session_restart (session, NULL, 2, FALSE);
  wait_idle (session);
  g_assert_true (sl_own_is_shown (own));
  sl_session_restart (session, "digits:images=300", 2, FALSE);
  wait_idle (session);
  g_assert_false (sl_own_is_shown (own));
  g_assert_false (sl_own_send (own));
  g_assert_finalize_object (own);
  g_assert_finalize_object (session);
}

/* An input that was kept is shown with its data; one that they cannot have, or of other data, is not. */
static void
test_kept (void)
{
  SlSession *session = begin ("experts", "digits:images=300");
  SlOwn     *own = sl_own_new (), *other = sl_own_new ();
  SlOwnKept  kept, bad;

  sl_own_set_sessions (own, &session, 1);
  g_assert_false (sl_own_get_kept (own, &kept));
  stroke (own, 0.3, 0.2, 0.5, 0.8, SL_PEN_NEW);
  g_assert_true (sl_own_send (own));
  g_assert_true (sl_own_get_kept (own, &kept));
  sl_own_clear (own);
  g_assert_false (sl_own_get_kept (own, &bad));

  for (unsigned i = 0; i < 4; i++)
    {
      bad = kept;
      bad.data += i == 0;
      bad.n -= i == 1;
      bad.number[7] = i == 2 ? 7.0f : i == 3 ? (float) NAN : bad.number[7];
      sl_own_set_kept (own, &bad);
      g_assert_false (sl_own_is_shown (own));
      g_assert_false (sl_own_get_kept (own, &bad));
    }
  sl_own_set_kept (other, &kept);
  g_assert_true (sl_own_get_kept (other, &bad));
  g_assert_false (sl_own_is_shown (other));
  sl_own_set_sessions (other, &session, 1);
  g_assert_true (sl_own_is_shown (other));
  g_assert_cmpuint (subject (session)->n_own, ==, kept.n);
  for (unsigned i = 0; i < kept.n; i++)
    sl_assert_near ((double) subject (session)->own[i], (double) kept.number[i], 0.0, 1e-5);
  g_assert_finalize_object (own);
  g_assert_finalize_object (other);
  g_assert_finalize_object (session);
}

static gboolean
becomes_far (SlOwn *own)
{
  gint64 end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  while (!sl_own_is_far (own) && g_get_monotonic_time () < end)
    {
      g_main_context_iteration (NULL, TRUE);
      sl_own_send (own);
    }
  return sl_own_is_far (own);
}

/* A filled sheet is like nothing that was trained on; an example that is hardly touched is. */
static void
test_far (void)
{
  SlSession *session = begin ("experts", "digits:images=2000");
  SlOwn     *own = sl_own_new ();

  sl_own_set_sessions (own, &session, 1);
  for (int i = 0; i <= 20; i++)
    stroke (own, 0.0, i / 20.0, 1.0, i / 20.0, SL_PEN_NEW);
  g_assert_true (becomes_far (own));
  sl_own_clear (own);
  g_assert_false (sl_own_is_far (own));
  stroke (own, 0.5, 0.2, 0.5, 0.8, SL_PEN_NEW);
  g_assert_true (sl_own_send (own));
  g_assert_false (sl_own_is_far (own));
  g_assert_finalize_object (own);
  g_assert_finalize_object (session);
}

/* Another view may go on to another example. */
static void
test_follows (void)
{
  SlSession *session = begin ("experts", "digits:images=300");
  SlOwn     *own = sl_own_new ();

  sl_session_watch (session, (unsigned) sl_lab_panel (sl_session_lab (session), "alive"), TRUE);
  sl_own_set_sessions (own, &session, 1);
  stroke (own, 0.5, 0.2, 0.5, 0.8, SL_PEN_NEW);
  sl_own_send (own);
  wait_idle (session);
  g_assert_true (sl_own_is_shown (own));
  sl_session_set_example (session, 9);
  wait_idle (session);
  g_assert_false (sl_own_is_shown (own));
  g_assert_cmpuint (sl_own_example (own), ==, 9);
  g_assert_finalize_object (own);
  g_assert_finalize_object (session);
}

/* What the network says to an example is what its picture says. */
static void
test_predicts (void)
{
  SlSession           *session = begin ("sign-estimator", "digits:images=600");
  unsigned             panel = (unsigned) sl_lab_panel (sl_session_lab (session), "alive");
  const SlPredictions *said;

  sl_session_set_limit (session, 60);
  sl_session_run (session);
  wait_idle (session);
  sl_session_watch (session, panel, TRUE);
  g_assert_null (sl_session_predictions (session));
  sl_session_ask_predictions (session);
  wait_idle (session);
  said = sl_session_predictions (session);
  g_assert_nonnull (said);
  g_assert_cmpuint (said->n, ==,
                    MIN (sl_session_dataset (session)->n[SL_VALID], (size_t) SL_PREDICTIONS));
  for (unsigned example = 0; example < 20; example++)
    {
      const SlSnapshot *shown;
      SlAlive           alive;
      unsigned          best = 0;

      sl_session_set_example (session, example);
      wait_idle (session);
      shown = &sl_session_record (session)->snapshot[panel];
      g_assert_true (sl_alive_read (&alive, shown->data, shown->rows, shown->columns));
      for (unsigned c = 1; c < alive.n_classes; c++)
        if (alive.class[c * SL_ALIVE_COLUMNS + 1] > alive.class[best * SL_ALIVE_COLUMNS + 1])
          best = c;
      g_assert_cmpuint (said->of[example].label, ==,
                        (unsigned) alive.class[best * SL_ALIVE_COLUMNS + 4]);
    }
  sl_session_restart (session, NULL, 2, FALSE);
  wait_idle (session);
  g_assert_null (sl_session_predictions (session));
  g_assert_finalize_object (session);
}

/* Two a case, each once; of all classes where nothing is known. */
static void
test_strip (void)
{
  SlPredictions  said = { .n = 100 };
  SlDataset     *data;
  SlStripExample strip[SL_STRIP], other[SL_STRIP];
  const uint8_t *label;
  unsigned       different = 0, wrong = 0, classes = 0, seen = 0;
  SlStatus       status = sl_source_open ("digits:images=1000", &data);

  g_assert_true (sl_ok (&status));
  label = data->label + sl_dataset_first (data, SL_VALID);
  for (unsigned i = 0; i < said.n; i++)
    said.of[i] = (SlPrediction) { (uint8_t) (i < 2 ? (label[i] + 1) % 10 : label[i]),
                                  (float) (i * 37 % 100) / 100.0f };
  for (uint64_t seed = 1; seed < 30; seed++)
    {
      g_assert_cmpuint (sl_strip_choose (data, &said, seed, strip), ==, SL_STRIP);
      for (unsigned i = 0; i < SL_STRIP; i++)
        {
          const SlPrediction *of = &said.of[strip[i].example];

          g_assert_cmpuint (strip[i].example, <, said.n);
          g_assert_cmpint (strip[i].why, ==, SL_CASE_SURE + (int) i / 2);
          g_assert_true (strip[i].why != SL_CASE_SURE || of->margin >= 0.74f);
          g_assert_true (strip[i].why != SL_CASE_UNSURE || of->margin <= 0.26f);
          wrong += strip[i].why == SL_CASE_WRONG && strip[i].example < 2;
          g_assert_true (strip[i].why != SL_CASE_RIGHT || strip[i].example >= 2);
          for (unsigned j = 0; j < i; j++)
            g_assert_cmpuint (strip[i].example, !=, strip[j].example);
        }
      different += seed > 1 && memcmp (strip, other, sizeof strip) != 0;
      memcpy (other, strip, sizeof other);
    }
  g_assert_cmpuint (wrong, ==, 2 * 29);
  g_assert_cmpuint (different, ==, 28);
  g_assert_cmpuint (sl_strip_choose (data, NULL, 1, strip), ==, SL_STRIP);
  for (unsigned i = 0; i < SL_STRIP; i++)
    {
      classes += !(seen & 1u << label[strip[i].example]);
      seen |= 1u << label[strip[i].example];
      g_assert_cmpint (strip[i].why, ==, SL_CASE_PLAIN);
    }
  g_assert_cmpuint (classes, ==, SL_STRIP);
  sl_dataset_free (data);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/own/draws", test_draws);
  g_test_add_func ("/own/draws-onto", test_draws_onto);
  g_test_add_func ("/own/plane", test_plane);
  g_test_add_func ("/own/kept", test_kept);
  g_test_add_func ("/own/far", test_far);
  g_test_add_func ("/own/follows", test_follows);
  g_test_add_func ("/own/predicts", test_predicts);
  g_test_add_func ("/own/strip", test_strip);
  return g_test_run ();
}
