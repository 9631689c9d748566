/* SPDX-License-Identifier: MIT
 *
 * Pictures of a run as it learned: which are kept, what they are when they come back, and that a session keeps them.  */
#include <math.h>
#include <string.h>
#include <zlib.h>

#include "core/lab/alive.h"
#include "core/run/base/frame.h"
#include "core/run/session/kept-moments.h"
#include "core/run/session/session.h"
#include "tests/core/labs/lab-run.h"
#include "tests/support/folder.h"

enum { UPDATES = 30, DAMAGES = 3000 };

/* What draws the same: rows of the same kinds and counts, shares within half of 1/255, the same names. */
static void
assert_same (const SlSnapshot *is, const SlSnapshot *was)
{
  SlAlive alive;

  g_assert_cmpuint (is->step, ==, was->step);
  g_assert_cmpuint (is->rows, ==, was->rows);
  g_assert_cmpuint (is->columns, ==, was->columns);
  g_assert_cmpuint (is->tiles, ==, was->tiles);
  g_assert_cmpuint (is->depth, ==, was->depth);
  g_assert_cmpuint (is->n_data, ==, was->n_data);
  g_assert_cmpstr (is->note.packed, ==, was->note.packed);
  g_assert_cmpstr (is->names, ==, was->names);
  g_assert_cmpstr (is->row_names, ==, was->row_names);
  for (size_t i = 0; i < is->n_data; i++)
    {
      g_assert_cmpfloat (fabs (is->data[i] - was->data[i]), <=, 0.5 / 255.0 + 1e-9);
      if (was->data[i] > 1.0 || was->data[i] < 0.0)
        g_assert_cmpfloat (is->data[i], ==, was->data[i]);
    }
  g_assert_true (sl_alive_read (&alive, is->data, is->rows, is->columns));
}

/* ---- pictures of labs ---- */

static void
open_lab (Run *run, const SlLab *lab)
{
  assert_ok (lab_run_try (run, lab->id, sl_source_default_for (lab->data), ""));
  /* What is replayed ends, and learns nothing. */
  run_steps (run, lab->ended != NULL ? 1 : UPDATES);
  run_probe (run, "alive");
}

static void
test_lab (gconstpointer lab)
{
  Run         run;
  SlSnapshot *back = g_new0 (SlSnapshot, 1);

  open_lab (&run, lab);
  for (unsigned example = 0; example < 8; example++)
    {
      void  *bytes;
      size_t n;

      run.subject.example = example * 5;
      run.sink.subject = &run.subject;
      run_probe (&run, "alive");
      run.snapshot.step = G_MAXUINT64 - example;
      assert_ok (sl_moment_pack (&run.snapshot, &bytes, &n));
      g_assert_cmpuint (n, >, 0);
      g_assert_cmpuint (n, <=, SL_MOMENT_BYTES);
      assert_ok (sl_moment_unpack (bytes, n, back));
      assert_same (back, &run.snapshot);
      free (bytes);
    }
  sl_snapshot_clear (back);
  g_free (back);
  run_clear (&run);
}

/* A picture of one group with so many cells that have places. */
static SlSnapshot *
make (unsigned cells, double x, double width)
{
  SlSnapshot *made = g_new0 (SlSnapshot, 1);
  double     *row;

  sl_snapshot_reset (made);
  row = sl_snapshot_matrix (made, 1, 2 + 2 * cells, SL_ALIVE_COLUMNS);
  memcpy (row, (double[]) { SL_ALIVE_ROW_INPUT, SL_ALIVE_LAMP, 0, 0, 1 }, 5 * sizeof *row);
  memcpy (row + 5, (double[]) { SL_ALIVE_ROW_GROUP, SL_ALIVE_METER, cells, 0, 0 }, 5 * sizeof *row);
  for (unsigned i = 0; i < cells; i++)
    {
      memcpy (row + 10 + (size_t) i * 5, (double[]) { SL_ALIVE_ROW_CELL, 0, 0.3, 0, i + 1 },
              5 * sizeof *row);
      memcpy (row + 10 + (size_t) (cells + i) * 5,
              (double[]) { SL_ALIVE_ROW_PLACE, x, x, width, width }, 5 * sizeof *row);
    }
  sl_snapshot_name (made, "Meter");
  made->note = sl_message ("%u of %u", cells, cells);
  return made;
}

static void
drop (SlSnapshot *made)
{
  sl_snapshot_clear (made);
  g_free (made);
}

/* However the parts of a place are rounded, it stays in its room. */
static void
test_places (void)
{
  SlSnapshot *back = g_new0 (SlSnapshot, 1);

  for (unsigned i = 0; i <= 1000; i++)
    {
      SlSnapshot *made = make (1, i / 1000.0, 1.0 - i / 1000.0);
      void       *bytes;
      size_t      n;

      assert_ok (sl_moment_pack (made, &bytes, &n));
      assert_ok (sl_moment_unpack (bytes, n, back));
      assert_same (back, made);
      free (bytes);
      drop (made);
    }
  drop (back);
}

static void
test_refused (void)
{
  SlSnapshot *made = make (3, 0.0, 0.5);
  SlMoments  *moments = sl_moments_new ();
  double      right = made->data[2 * SL_ALIVE_COLUMNS + 4];

  for (unsigned i = 0; i < 4; i++)
    {
      const double wrong[] = { 0.5, (double) NAN, -1.0, HUGE_VAL };
      SlStatus     status;

      made->data[2 * SL_ALIVE_COLUMNS + 4] = wrong[i]; /* the number of a unit */
      status = sl_moments_add (moments, made);
      g_assert_cmpint (status.code, ==, SL_EINVAL);
      g_assert_cmpuint (sl_moments_count (moments), ==, 0);
    }
  made->data[2 * SL_ALIVE_COLUMNS + 4] = right;
  assert_ok (sl_moments_add (moments, made));
  g_assert_cmpint (sl_moments_restore (moments, 1, made).code, ==, SL_EINVAL);
  sl_moments_free (moments);
  drop (made);
}

/* What was damaged or cut is refused, or is another picture that can be drawn. */
static void
test_damaged (void)
{
  SlSnapshot *made = make (40, 0.1, 0.2), *back = g_new0 (SlSnapshot, 1);
  void       *bytes;
  size_t      n;
  unsigned    refused = 0;

  assert_ok (sl_moment_pack (made, &bytes, &n));
  for (size_t cut = 0; cut < n; cut++)
    {
      SlStatus status = sl_moment_unpack (bytes, cut, back);

      g_assert_cmpint (status.code, ==, SL_EFORMAT);
      g_assert_cmpuint (back->rows, ==, 0);
    }
  for (unsigned i = 0; i < DAMAGES; i++)
    {
      g_autofree guint8 *bad = g_memdup2 (bytes, n);
      SlStatus           status;
      SlAlive            alive;

      for (int times = g_test_rand_int_range (1, 4); times > 0; times--)
        bad[g_test_rand_int_range (0, (gint32) n)] = (guint8) g_test_rand_int_range (0, 256);
      status = sl_moment_unpack (bad, n, back);
      if (sl_ok (&status))
        g_assert_true (sl_alive_read (&alive, back->data, back->rows, back->columns));
      else
        g_assert_cmpint (status.code, ==, SL_EFORMAT);
      refused += !sl_ok (&status);
    }
  g_assert_cmpuint (refused, >, 0);
  free (bytes);
  drop (made);
  drop (back);
}

/* So is a whole frame with less or more in it. */
static void
test_length (void)
{
  SlSnapshot *made = make (40, 0.1, 0.2), *back = g_new0 (SlSnapshot, 1);
  void       *bytes;
  guint8     *inside;
  size_t      n, length;

  assert_ok (sl_moment_pack (made, &bytes, &n));
  inside = sl_frame_open (bytes, n, G_MAXINT32, &length);
  inside = realloc (inside, length + 1);
  inside[length] = 0;
  for (size_t i = 1; i <= length + 1; i++)
    {
      size_t size;
      void  *frame = sl_frame_pack (inside, i, &size);

      g_assert_cmpint (sl_moment_unpack (frame, size, back).code, ==,
                       i == length ? SL_OK : SL_EFORMAT);
      free (frame);
    }
  g_assert_null (sl_frame_open (bytes, n, length - 1, &length));
  free (inside);
  free (bytes);
  drop (made);
  drop (back);
}

/* ---- which are kept ---- */

/* The first of each span, and the newest. */
static void
assert_thinned (const SlMoments *moments, const GArray *offered)
{
  uint64_t span = sl_moments_span (moments), newest = 0;
  unsigned at = 0;

  g_assert_cmpuint (sl_moments_count (moments), <=, SL_MOMENTS_MAX);
  g_assert_cmpuint (span & (span - 1), ==, 0);
  for (guint i = 0; i < offered->len; i++)
    {
      uint64_t step = g_array_index (offered, uint64_t, i);

      if (i == 0 || step / span != newest / span || i + 1 == offered->len)
        g_assert_cmpuint (sl_moments_step (moments, at++), ==, step);
      newest = step;
    }
  g_assert_cmpuint (at, ==, sl_moments_count (moments));
  /* No more were dropped than had to be. */
  if (span > 1)
    {
      g_autoptr (GHashTable) spans = g_hash_table_new (NULL, NULL);

      for (guint i = 0; i < offered->len; i++)
        g_hash_table_add (spans,
                          GSIZE_TO_POINTER (g_array_index (offered, uint64_t, i) / (span / 2)));
      g_assert_cmpuint (g_hash_table_size (spans) + 1, >, SL_MOMENTS_MAX);
    }
}

static void
check_thinning (unsigned first, unsigned stride)
{
  SlMoments  *moments = sl_moments_new ();
  SlSnapshot *made = make (2, 0.0, 0.5), *back = g_new0 (SlSnapshot, 1);
  g_autoptr (GArray) offered = g_array_new (FALSE, FALSE, sizeof (uint64_t));

  made->step = first;
  for (unsigned i = 0; i < 1000; i++)
    {
      made->step += i == 0 ? 0 : (uint64_t) g_test_rand_int_range (1, (gint32) stride + 1);
      made->data[2 * SL_ALIVE_COLUMNS + 4] = (double) made->step;
      assert_ok (sl_moments_add (moments, made));
      assert_ok (sl_moments_add (moments, made)); /* the same again: nothing */
      g_array_append_val (offered, made->step);
      assert_thinned (moments, offered);
    }
  for (unsigned i = 0; i < sl_moments_count (moments); i++)
    {
      uint64_t step = sl_moments_step (moments, i);

      assert_ok (sl_moments_restore (moments, i, back));
      g_assert_cmpuint (back->step, ==, step);
      g_assert_cmpfloat (back->data[2 * SL_ALIVE_COLUMNS + 4], ==, (double) step);
      g_assert_cmpuint (sl_moments_find (moments, step), ==, i);
      if (i > 0)
        g_assert_cmpuint (sl_moments_find (moments, step - 1), ==, i - 1);
    }
  drop (made);
  drop (back);
  sl_moments_free (moments);
}

/* From an odd update on, the newest is the second of its span when that becomes longer. */
static void
test_thinning (gconstpointer stride)
{
  check_thinning (0, GPOINTER_TO_UINT (stride));
  check_thinning (1, GPOINTER_TO_UINT (stride));
}

static void
test_rewind (void)
{
  SlMoments  *moments = sl_moments_new ();
  SlSnapshot *made = make (2, 0.0, 0.5);
  uint64_t    version;

  for (made->step = 0; made->step < 100; made->step += 5)
    assert_ok (sl_moments_add (moments, made));
  version = sl_moments_version (moments);
  sl_moments_truncate (moments, 50);
  g_assert_cmpuint (sl_moments_version (moments), >, version);
  g_assert_cmpuint (sl_moments_count (moments), ==, 11);
  g_assert_cmpuint (sl_moments_step (moments, 10), ==, 50);
  made->step = 52;
  assert_ok (sl_moments_add (moments, made));
  g_assert_cmpuint (sl_moments_count (moments), ==, 12);
  sl_moments_clear (moments);
  g_assert_cmpuint (sl_moments_count (moments), ==, 0);
  g_assert_cmpuint (sl_moments_find (moments, 7), ==, 0);
  g_assert_cmpuint (sl_moments_bytes (moments), ==, 0);
  sl_moments_free (moments);
  drop (made);
}

/* Files have them all, or are refused. */
static void
test_file (void)
{
  SlMoments  *moments = sl_moments_new (), *back = sl_moments_new ();
  SlSnapshot *made = make (2, 0.0, 0.5);
  g_autoptr (GBytes) bytes = NULL;
  const guint8 *data;
  size_t        n;

  g_assert_null (sl_moments_save (moments));
  for (unsigned i = 0; i < 200; i++, made->step += 3)
    assert_ok (sl_moments_add (moments, made));
  bytes = sl_moments_save (moments);
  assert_ok (sl_moments_load (back, bytes));
  g_assert_cmpuint (sl_moments_count (back), ==, sl_moments_count (moments));
  g_assert_cmpuint (sl_moments_span (back), ==, sl_moments_span (moments));
  for (unsigned i = 0; i < sl_moments_count (moments); i++)
    {
      g_assert_cmpuint (sl_moments_step (back, i), ==, sl_moments_step (moments, i));
      assert_ok (sl_moments_restore (back, i, made));
      g_assert_cmpuint (made->step, ==, sl_moments_step (back, i));
    }
  data = g_bytes_get_data (bytes, &n);
  for (size_t i = 0; i < n; i++)
    {
      guint8 *copy = g_memdup2 (data, n);
      g_autoptr (GBytes) cut = g_bytes_new (data, i);
      g_autoptr (GBytes) bad = NULL;

      copy[i] ^= (guint8) g_test_rand_int_range (1, 256);
      bad = g_bytes_new_take (copy, n);
      g_assert_cmpint (sl_moments_load (back, cut).code, ==, SL_EFORMAT);
      g_assert_cmpint (sl_moments_load (back, bad).code, ==, SL_EFORMAT);
      g_assert_cmpuint (sl_moments_count (back), ==, 0);
    }
  sl_moments_free (moments);
  sl_moments_free (back);
  drop (made);
}

/* What has the right sum and is yet wrong: in every byte, also of the head. */
static void
test_wrong_file (void)
{
  SlMoments  *moments = sl_moments_new ();
  SlSnapshot *made = make (2, 0.0, 0.5);
  g_autoptr (GBytes) bytes = NULL;
  const guint8 *data;
  size_t        n;

  for (; made->step < 5; made->step++)
    assert_ok (sl_moments_add (moments, made));
  bytes = sl_moments_save (moments);
  data = g_bytes_get_data (bytes, &n);
  for (size_t i = 4; i < n; i++)
    {
      guint8 *copy = g_memdup2 (data, n);
      guint32 sum;
      g_autoptr (GBytes) bad = NULL;
      SlStatus status;

      copy[i] ^= (guint8) g_test_rand_int_range (1, 256);
      sum = GUINT32_TO_LE ((guint32) crc32_z (0, copy + 4, n - 4));
      memcpy (copy, &sum, 4);
      bad = g_bytes_new_take (copy, n);
      status = sl_moments_load (moments, bad);
      g_assert_true (sl_ok (&status) || sl_moments_count (moments) == 0);
      g_assert_cmpuint (sl_moments_count (moments), <=, SL_MOMENTS_MAX);
      for (unsigned k = 0; k < sl_moments_count (moments); k++)
        {
          g_assert_true (k == 0 || sl_moments_step (moments, k) > sl_moments_step (moments, k - 1));
          status = sl_moments_restore (moments, k, made);
          g_assert_true (sl_ok (&status) || status.code == SL_EFORMAT);
        }
      made->step = G_MAXUINT64;
      if (made->rows > 0)
        assert_ok (sl_moments_add (moments, made));
    }
  sl_moments_free (moments);
  drop (made);
}

/* A run that goes on from an earlier state has no later moments. */
static void
test_earlier (void)
{
  SlKeptMoments kept = { .of = sl_moments_new () };
  SlStoredRun  *stored = g_new0 (SlStoredRun, 1);
  SlSnapshot   *made = make (2, 0.0, 0.5);

  for (made->step = 0; made->step < 100; made->step += 10)
    assert_ok (sl_moments_add (kept.of, made));
  stored->moments = sl_moments_save (kept.of);
  stored->checkpoint.step = 55;
  sl_kept_moments_begin (&kept, stored);
  g_assert_cmpuint (sl_moments_count (kept.of), ==, 6);
  g_assert_cmpuint (sl_moments_step (kept.of, 5), ==, 50);
  sl_kept_moments_begin (&kept, NULL);
  g_assert_cmpuint (sl_moments_count (kept.of), ==, 0);
  sl_moments_free (kept.of);
  g_bytes_unref (stored->moments);
  g_free (stored);
  drop (made);
}

/* ---- a session ---- */

static void
wait_for_moments (SlSession *session, unsigned n)
{
  gint64 end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  while (sl_moments_count (sl_session_moments (session)) < n)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      g_main_context_iteration (NULL, TRUE);
    }
}

static void
wait_for_step (SlSession *session, uint64_t step)
{
  gint64 end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  while (sl_session_info (session)->step < step)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      g_main_context_iteration (NULL, TRUE);
    }
}

static SlSession *
start (unsigned *panel)
{
  const SlLab *lab = sl_lab_find ("experts");
  SlSession   *session = sl_session_new ();
  SlSettings   settings;

  sl_settings_default (&settings, lab->params, lab->n_params);
  *panel = (unsigned) sl_lab_panel (lab, "alive");
  sl_session_start (session, lab, &settings, "moons", 1, TRUE);
  sl_session_settle (session);
  return session;
}

static void
test_session (void)
{
  unsigned         panel;
  SlSession       *session = start (&panel);
  const SlMoments *moments = sl_session_moments (session);
  SlSnapshot      *back = g_new0 (SlSnapshot, 1);
  uint64_t         newest = 0;

  /* Nothing while no picture is watched. */
  wait_for_step (session, 100);
  g_assert_cmpuint (sl_moments_count (moments), ==, 0);
  sl_session_watch (session, panel, TRUE);
  wait_for_moments (session, 5);
  for (unsigned i = 0; i < sl_moments_count (moments); i++)
    {
      assert_ok (sl_moments_restore (moments, i, back));
      g_assert_cmpuint (back->step, ==, sl_moments_step (moments, i));
      if (i > 0)
        g_assert_cmpuint (back->step, >, newest);
      newest = back->step;
    }
  g_assert_cmpuint (newest, <=, sl_session_info (session)->step);
  /* Another run begins with none. */
  sl_session_restart (session, NULL, 2, FALSE);
  sl_session_settle (session);
  g_assert_cmpuint (sl_moments_count (moments), ==, 0);
  g_object_unref (session);
  drop (back);
}

/* What the person did to the picture is no moment of the run. */
static void
test_touched (void)
{
  unsigned         panel;
  SlSession       *session = start (&panel);
  const SlMoments *moments = sl_session_moments (session);
  SlSnapshot      *back = g_new0 (SlSnapshot, 1);
  SlSubject        own = { .n_own = 2, .own = { 9.0F, 9.0F } };
  uint64_t         step;
  SlAlive          alive;

  sl_session_watch (session, panel, TRUE);
  wait_for_moments (session, 2);
  sl_session_set_subject (session, &own);
  wait_for_step (session, sl_session_info (session)->step + 2000);
  step = sl_session_info (session)->step;
  sl_session_set_example (session, 0);
  wait_for_step (session, step + 2000);
  sl_session_stop (session);
  for (unsigned i = 0; i < sl_moments_count (moments); i++)
    {
      bool right = false;

      assert_ok (sl_moments_restore (moments, i, back));
      g_assert_true (sl_alive_read (&alive, back->data, back->rows, back->columns));
      for (unsigned c = 0; c < alive.n_classes; c++)
        right |= alive.class[(size_t) c * SL_ALIVE_COLUMNS + 2] == 1.0;
      g_assert_true (right); /* an input of one's own has no true class */
    }
  g_object_unref (session);
  drop (back);
}

/* A rescue takes what came after with it. */
static void
test_rescue (void)
{
  unsigned         panel, n;
  SlSession       *session = start (&panel);
  const SlMoments *moments = sl_session_moments (session);
  uint64_t         back;

  sl_session_watch (session, panel, TRUE);
  wait_for_moments (session, 8);
  sl_session_stop (session);
  g_assert_cmpuint (sl_session_checkpoints (session, &n)[0], <, sl_session_info (session)->step);
  back = sl_session_checkpoints (session, &n)[0];
  g_assert_true (sl_session_rescue (session, back));
  while (sl_session_info (session)->step != back)
    g_main_context_iteration (NULL, TRUE);
  for (unsigned i = 0; i < sl_moments_count (moments); i++)
    g_assert_cmpuint (sl_moments_step (moments, i), <=, back);
  g_object_unref (session);
}

static void
assert_fine (gboolean fine, GError **error)
{
  g_assert_no_error (*error);
  g_assert_true (fine);
}

/* The store has them when the run stops, gives them back where it goes on, and gives them up first. */
static void
test_store (void)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-moments-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "runs.sluice", NULL);
  g_autofree char *uuid = NULL;
  g_autoptr (GError) error = NULL;
  SlStore         *store = sl_store_open (path, &error);
  unsigned         panel;
  SlSession       *session = start (&panel), *again;
  const SlMoments *moments = sl_session_moments (session);
  SlStoredRun      run;
  SlStoreSizes     sizes;
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (uint64_t));

  assert_fine (store != NULL, &error);
  sl_session_set_store (session, store);
  sl_session_watch (session, panel, TRUE);
  wait_for_moments (session, 6);
  sl_session_stop (session);
  uuid = g_strdup (sl_session_uuid (session));
  for (unsigned i = 0; i < sl_moments_count (moments); i++)
    g_array_append_vals (steps, &(uint64_t) { sl_moments_step (moments, i) }, 1);
  g_object_unref (session);
  assert_fine (sl_store_flush (store, &error), &error);

  assert_fine (sl_store_load (store, uuid, TRUE, UINT64_MAX, &run, &error), &error);
  g_assert_nonnull (run.moments);
  again = sl_session_new ();
  sl_session_set_store (again, store);
  sl_session_resume (again, &run, FALSE);
  sl_stored_run_clear (&run);
  sl_session_settle (again);
  moments = sl_session_moments (again);
  g_assert_cmpuint (sl_moments_count (moments), ==, steps->len);
  for (unsigned i = 0; i < steps->len; i++)
    g_assert_cmpuint (sl_moments_step (moments, i), ==, g_array_index (steps, uint64_t, i));

  /* Another run is trained last, and there is no room. */
  sl_session_restart (again, NULL, 9, TRUE);
  sl_session_settle (again);
  wait_for_step (again, 500);
  sl_session_stop (again);
  g_object_unref (again);
  assert_fine (sl_store_flush (store, &error), &error);
  assert_fine (sl_store_sizes (store, &sizes, &error), &error);
  sl_store_set_budget (store, sizes.all - 1);
  sl_store_prune (store, 100);
  assert_fine (sl_store_flush (store, &error), &error);
  assert_fine (sl_store_load (store, uuid, TRUE, UINT64_MAX, &run, &error), &error);
  g_assert_null (run.moments);
  g_assert_nonnull (run.checkpoint.data);
  sl_stored_run_clear (&run);
  g_object_unref (store);
  sl_remove_all (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    if (sl_lab_panel (sl_labs[i], "alive") >= 0)
      {
        g_autofree char *path = g_strdup_printf ("/moments/lab/%s", sl_labs[i]->id);

        g_test_add_data_func (path, sl_labs[i], test_lab);
      }
  g_test_add_func ("/moments/places", test_places);
  g_test_add_func ("/moments/refused", test_refused);
  g_test_add_func ("/moments/damaged", test_damaged);
  g_test_add_func ("/moments/length", test_length);
  g_test_add_data_func ("/moments/thinning/one", GUINT_TO_POINTER (1), test_thinning);
  g_test_add_data_func ("/moments/thinning/seven", GUINT_TO_POINTER (7), test_thinning);
  g_test_add_data_func ("/moments/thinning/thousands", GUINT_TO_POINTER (5000), test_thinning);
  g_test_add_func ("/moments/rewind", test_rewind);
  g_test_add_func ("/moments/file", test_file);
  g_test_add_func ("/moments/wrong-file", test_wrong_file);
  g_test_add_func ("/moments/earlier", test_earlier);
  g_test_add_func ("/moments/session", test_session);
  g_test_add_func ("/moments/store", test_store);
  g_test_add_func ("/moments/touched", test_touched);
  g_test_add_func ("/moments/rescue", test_rescue);
  return g_test_run ();
}
