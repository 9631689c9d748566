/* SPDX-License-Identifier: MIT */
#include "tests/e2e/hour/hour.h"

#include <string.h>

SlSession *
hour_session (const Hour *hour)
{
  return sl_window_get_session (hour->window);
}

enum { PATIENCE_S = 120 };

void
hour_wait (Hour *hour, const char *what, SlCondition condition, gpointer data)
{
  gint64 end = g_get_monotonic_time () + (gint64) PATIENCE_S * G_USEC_PER_SEC;

  while (!condition (data))
    {
      SlSession *session = hour_session (hour);

      if (g_get_monotonic_time () > end)
        g_error ("waited in vain for %s: state %d, loading %d, update %" G_GUINT64_FORMAT
                 ", to drain %d, visiting %d, kept %u, %s",
                 what, (int) sl_session_state (session), sl_session_is_loading (session),
                 sl_session_info (session)->step,
                 g_main_context_find_source_by_user_data (NULL, session) != NULL,
                 sl_session_is_visiting (session), sl_session_kept (session),
                 sl_session_error (session) != NULL ? sl_session_error (session)->message : "");
      if (!g_main_context_iteration (NULL, FALSE))
        g_usleep (500);
    }
}

static gboolean
is_loaded (gpointer hour)
{
  SlSession *session = hour_session (hour);

  return !sl_session_is_loading (session) && sl_session_lab (session) != NULL;
}

static gboolean
is_quiet (gpointer hour)
{
  SlSession *session = hour_session (hour);

  return is_loaded (hour) && sl_session_state (session) != SL_RUNNING
         && g_main_context_find_source_by_user_data (NULL, session) == NULL;
}

void
hour_wait_loaded (Hour *hour)
{
  hour_wait (hour, "a run", is_loaded, hour);
}

void
hour_wait_quiet (Hour *hour)
{
  hour_wait (hour, "rest", is_quiet, hour);
}

typedef struct
{
  Hour      *hour;
  SlSession *session; /* only compared */
  unsigned   generation, kept;
} Kept;

/* The run that a lab was left with may come back a moment after it was asked for. */
static gboolean
is_another (const Kept *kept)
{
  SlSession *session = hour_session (kept->hour);

  return session != kept->session || sl_session_generation (session) != kept->generation;
}

static gboolean
is_kept (gpointer data)
{
  const Kept *kept = data;

  return is_another (kept)
         || (sl_session_kept (hour_session (kept->hour)) > kept->kept && is_quiet (kept->hour));
}

static char *
sum_of_curves (const SlRecord *record)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_MD5);

  for (unsigned c = 0; c < record->layout.n; c++)
    {
      const SlSeries *series = &record->series[c];

      g_checksum_update (sum, (const guchar *) series->step,
                         (gssize) (series->n * sizeof *series->step));
      g_checksum_update (sum, (const guchar *) series->value,
                         (gssize) (series->n * sizeof *series->value));
    }
  return g_strdup (g_checksum_get_string (sum));
}

static char *
dup_settings (SlSession *session)
{
  const SlLab *lab = sl_session_lab (session);
  GString     *text = g_string_new (lab->id);
  char         value[256];

  for (unsigned p = 0; p < lab->n_params; p++)
    g_string_append_printf (text, " %s=%s", lab->params[p].id,
                            sl_param_format (&lab->params[p],
                                             &sl_session_settings (session)->value[p], value,
                                             sizeof value));
  return g_string_free (text, FALSE);
}

/* A lab's run that comes back goes on by itself. */
static gboolean
is_resting (gpointer hour)
{
  if (is_loaded (hour))
    sl_session_pause (hour_session (hour));
  return is_quiet (hour);
}

gboolean
hour_state_take (Hour *hour, HourState *state)
{
  SlSession  *session = hour_session (hour);
  Kept        kept = { .hour = hour, .session = session };
  SlStoredRun run;
  g_autoptr (GError) error = NULL;

  *state = (HourState) { 0 };
  if (sl_window_shows_overview (hour->window))
    return FALSE;
  hour_wait (hour, "a run at rest", is_resting, hour);
  if (sl_session_uuid (session) == NULL || sl_session_info (session)->step == 0
      || sl_session_is_visiting (session) || sl_session_state (session) == SL_DIVERGED)
    return FALSE;
  kept.generation = sl_session_generation (session);
  kept.kept = sl_session_kept (session);
  sl_session_keep_now (session);
  hour_wait (hour, "a checkpoint", is_kept, &kept);
  if (is_another (&kept))
    return hour_state_take (hour, state);
  sl_store_flush (hour->store, NULL);
  sl_store_load (hour->store, sl_session_uuid (session), TRUE, UINT64_MAX, &run, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (run.checkpoint.step, ==, sl_session_info (session)->step);
  g_strlcpy (state->uuid, sl_session_uuid (session), sizeof state->uuid);
  state->step = run.checkpoint.step;
  state->bytes = g_bytes_new (run.checkpoint.data, run.checkpoint.bytes);
  state->curves = sum_of_curves (sl_session_record (session));
  state->settings = dup_settings (session);
  state->recipe = sl_session_recipe (session);
  sl_stored_run_clear (&run);
  return TRUE;
}

void
hour_state_clear (HourState *state)
{
  g_clear_pointer (&state->bytes, g_bytes_unref);
  g_free (state->curves);
  g_free (state->settings);
  g_free (state->recipe);
  *state = (HourState) { 0 };
}

/* Where they differ, with the signature, which says what is there. */
static void
compare_bytes (GBytes *before, GBytes *now)
{
  gsize       size, size_now, i = 0, differ = 0, first = 0;
  const char *a = g_bytes_get_data (before, &size), *b = g_bytes_get_data (now, &size_now);

  g_assert_cmpuint (size, ==, size_now);
  for (i = size; i-- > 0;)
    if (a[i] != b[i])
      {
        differ++;
        first = i;
      }
  if (differ == 0)
    return;
  for (i = 0; i < 2000 && strncmp (a + i, "\ndata\n", 6) != 0; i++)
    ;
  g_error ("%zu bytes differ, the first is %zu behind the signature: %d, now %d\n%.*s", differ,
           first - i - 6, a[first], b[first], (int) i, a);
}

void
hour_state_compare (const HourState *before, const HourState *now, gboolean live)
{
  hour_say ("back at %s at %" G_GUINT64_FORMAT, now->uuid, now->step);
  g_assert_cmpstr (before->uuid, ==, now->uuid);
  g_assert_cmpuint (before->step, ==, now->step);
  if (strcmp (before->settings, now->settings) != 0)
    g_error ("the settings were\n%s\nof\n%s\nand are\n%s\nof\n%s", before->settings, before->recipe,
             now->settings, now->recipe);
  if (!live)
    compare_bytes (before->bytes, now->bytes);
  g_assert_cmpstr (before->curves, ==, now->curves);
}

/* Its run has made an update. */
static void
note_run (Hour *hour, SlSession *session)
{
  if (sl_session_uuid (session) != NULL && sl_session_present (session) > 0)
    g_hash_table_add (hour->runs, g_strdup (sl_session_uuid (session)));
}

static void
note_runs (Hour *hour)
{
  SlGroup *group = sl_overview_get_group (sl_window_get_overview (hour->window));

  note_run (hour, hour_session (hour));
  for (unsigned i = 0; group != NULL && i < sl_group_size (group); i++)
    note_run (hour, sl_group_session (group, i));
}

void
hour_check_runs (Hour *hour)
{
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GHashTable) there = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GString) ledger = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  GHashTableIter each;
  gpointer       uuid;

  note_runs (hour);
  g_assert_true (sl_store_flush (hour->store, &error));
  g_assert_no_error (error);
  runs = sl_store_list (hour->store, NULL, FALSE, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < runs->len; i++)
    g_hash_table_add (there, ((SlStoreRun *) g_ptr_array_index (runs, i))->uuid);
  g_hash_table_iter_init (&each, hour->runs);
  while (g_hash_table_iter_next (&each, &uuid, NULL))
    {
      if (!g_hash_table_contains (there, uuid))
        g_error ("the run %s is lost", (char *) uuid);
      g_string_append_printf (ledger, "%s\n", (char *) uuid);
    }
  g_file_set_contents (hour->ledger, ledger->str, -1, &error);
  g_assert_no_error (error);
}
