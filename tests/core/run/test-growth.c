/* SPDX-License-Identifier: MIT
 *
 * A recording over training that grows while it is replayed: the run goes on with what comes, as if it had been there from
 * the beginning.  */
#include "core/run/stage/stage.h"

#include "core/data/routing/routing.h"
#include "core/labs/registry.h"
#include "tests/core/run/event-file.h"
#include "tests/support/store-place.h"
#include "tests/support/wait.h"

enum { LAYERS = 2, EXPERTS = 4 };

typedef struct
{
  Place       place;
  GByteArray *bytes;
  char       *run, *path;
  SlStage    *stage;
  SlSession  *own;
  guint       restarted;
} Fixture;

/* ---- the file ---- */

static void
add_steps (Fixture *f, guint first, guint n, guint experts)
{
  for (guint step = first; step < first + n; step++)
    {
      g_autoptr (GPtrArray) tags = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (float));

      for (guint i = 0; i < LAYERS * experts; i++)
        {
          float value = (float) (1 + (i * i + 3 * step) % 11);

          g_ptr_array_add (
            tags, g_strdup_printf ("moe/layer_%u_expert_%u_load", i / experts, i % experts));
          g_array_append_val (values, value);
        }
      event_file_add (f->bytes, 1, 10 * step, (const char *const *) tags->pdata,
                      (const float *) (const void *) values->data, tags->len);
    }
}

/* As a trainer writes it: at the end of what is there. */
static void
write_file (Fixture *f)
{
  FILE *file = g_fopen (f->path, "ab");

  g_assert_nonnull (file);
  g_assert_cmpuint (fwrite (f->bytes->data, 1, f->bytes->len, file), ==, f->bytes->len);
  g_assert_cmpint (fclose (file), ==, 0);
  g_byte_array_set_size (f->bytes, 0);
}

/* ---- the run ---- */

static void
on_restarted (Fixture *f)
{
  f->restarted++;
}

static gsize
rows (Fixture *f)
{
  const SlDataset *data = sl_session_dataset (f->own);

  return data != NULL ? data->routing->rows : 0;
}

static gboolean
has_ended (Fixture *f, guint64 step)
{
  return sl_session_state (f->own) == SL_FINISHED && sl_session_info (f->own)->step == step;
}

static void
start (SlSession *session, const char *spec, gboolean run)
{
  const SlLab *lab = sl_lab_find ("routing");
  SlSettings   settings;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_settings_set (&settings, lab->params, lab->n_params, "pace", "0");
  sl_session_start (session, lab, &settings, spec, 1, run);
}

static void
set_up (Fixture *f, gconstpointer folder)
{
  *f = (Fixture) { .bytes = g_byte_array_new () };
  set_up_place (&f->place, NULL);
  f->run = g_build_filename (f->place.folder, "logs", NULL);
  g_mkdir (f->run, 0700);
  f->path = g_build_filename (f->run, "a.tfevents.b", NULL);
  add_steps (f, 0, 6, EXPERTS);
  write_file (f);
  f->own = sl_session_new ();
  f->stage = sl_stage_new ();
  sl_stage_set_own (f->stage, f->own);
  sl_stage_set_store (f->stage, f->place.store);
  g_signal_connect_swapped (f->own, "restarted", G_CALLBACK (on_restarted), f);
  start (f->own, folder != NULL ? f->run : f->path, TRUE);
  WAIT (has_ended (f, 6));
  g_assert_cmpuint (f->restarted, ==, 1);
}

static void
tear_down (Fixture *f, gconstpointer unused)
{
  g_signal_handlers_disconnect_by_data (f->own, f);
  g_assert_finalize_object (f->stage);
  g_assert_finalize_object (f->own);
  WAIT (G_OBJECT (f->place.store)->ref_count == 1);
  tear_down_place (&f->place, NULL);
  g_byte_array_unref (f->bytes);
  g_free (f->run);
  g_free (f->path);
}

/* The curves are those of a run on the whole file. */
static void
check_curves (Fixture *f)
{
  g_autoptr (SlSession) fresh = sl_session_new ();
  const SlRecord *a = sl_session_record (f->own), *b = sl_session_record (fresh);
  guint           points = 0;

  start (fresh, f->path, TRUE);
  WAIT (sl_session_state (fresh) == SL_FINISHED);
  g_assert_cmpuint (a->layout.n, ==, b->layout.n);
  for (unsigned c = 0; c < a->layout.n; c++)
    {
      g_assert_cmpuint (a->series[c].n, ==, b->series[c].n);
      for (gsize i = 0; i < a->series[c].n; i++)
        g_assert_true (a->series[c].step[i] == b->series[c].step[i]
                       && a->series[c].value[i] == b->series[c].value[i]);
      points += a->series[c].n > 0;
    }
  g_assert_cmpuint (points, >, 5);
}

/* Once and once more, in the same run; also as the store has it. */
static void
test_grows (Fixture *f, gconstpointer folder)
{
  guint            generation = sl_session_generation (f->own);
  g_autofree char *uuid = g_strdup (sl_session_uuid (f->own));
  SlStoredRun      stored;

  for (guint more = 10; more <= 14; more += 4)
    {
      add_steps (f, more - 4, 4, EXPERTS);
      write_file (f);
      WAIT (rows (f) == more && has_ended (f, more));
      check_curves (f);
    }
  g_assert_cmpuint (f->restarted, ==, 1);
  g_assert_cmpuint (sl_session_generation (f->own), ==, generation);
  g_assert_cmpstr (sl_session_uuid (f->own), ==, uuid);
  sl_session_stop (f->own);
  g_assert_true (sl_store_flush (f->place.store, NULL));
  g_assert_true (sl_store_load (f->place.store, uuid, TRUE, UINT64_MAX, &stored, NULL));
  g_assert_cmpuint (stored.checkpoint.step, ==, 14);
  g_assert_cmphex (stored.recipe.data_hash, ==, sl_session_dataset (f->own)->hash);
  sl_stored_run_clear (&stored);
}

/* What was set stays, and a run that looks at its past or was paused does not go on by itself. */
static void
test_paused (Fixture *f, gconstpointer folder)
{
  const SlLab *lab = sl_lab_find ("routing");
  int          capacity = sl_param_find (lab->params, lab->n_params, "capacity");
  SlValue      value = { .n = 1, .v = { 2.0 } };

  g_assert_true (sl_session_set (f->own, "capacity", &value, NULL));
  WAIT (sl_session_record (f->own)->n_flags == 1);
  g_assert_true (sl_session_visit (f->own, 0));
  WAIT (sl_session_is_visiting (f->own));
  add_steps (f, 6, 3, EXPERTS);
  write_file (f);
  WAIT (rows (f) == 9);
  g_assert_true (sl_session_is_visiting (f->own));
  g_assert_cmpint (sl_session_state (f->own), ==, SL_PAUSED);
  g_assert_cmpuint (sl_session_info (f->own)->step, ==, 0);
  g_assert_cmpuint (sl_session_present (f->own), ==, 6);
  g_assert_true (sl_session_visit (f->own, UINT64_MAX));
  WAIT (!sl_session_is_visiting (f->own));
  sl_session_run (f->own);
  WAIT (has_ended (f, 9));
  g_assert_true (sl_session_settings (f->own)->value[capacity].v[0] == 2.0);
  g_assert_cmpuint (f->restarted, ==, 1);
}

/* More experts than there were make another run.  That stays as it is without the file. */
static void
test_other (Fixture *f, gconstpointer folder)
{
  add_steps (f, 6, 2, EXPERTS + 1);
  write_file (f);
  WAIT (f->restarted == 2 && has_ended (f, 8));
  g_assert_cmpuint (rows (f), ==, 8);
  check_curves (f);
  g_assert_cmpint (g_remove (f->path), ==, 0);
  sl_session_renew (f->own);
  WAIT (!sl_session_is_renewing (f->own));
  g_assert_cmpuint (rows (f), ==, 8);
  g_assert_cmpuint (f->restarted, ==, 2);
  g_assert_null (sl_session_error (f->own));
}

/* The session ends while its data are read again. */
static void
test_end (Fixture *f, gconstpointer folder)
{
  add_steps (f, 6, 2, EXPERTS);
  write_file (f);
  sl_session_renew (f->own);
  g_assert_true (sl_session_is_renewing (f->own));
  sl_session_stop (f->own);
  g_assert_false (sl_session_is_renewing (f->own));
}

int
main (int argc, char **argv)
{
  sl_remember_only ();
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/growth/file", Fixture, NULL, set_up, test_grows, tear_down);
  g_test_add ("/growth/folder", Fixture, "folder", set_up, test_grows, tear_down);
  g_test_add ("/growth/paused", Fixture, NULL, set_up, test_paused, tear_down);
  g_test_add ("/growth/other", Fixture, NULL, set_up, test_other, tear_down);
  g_test_add ("/growth/end", Fixture, NULL, set_up, test_end, tear_down);
  return g_test_run ();
}
