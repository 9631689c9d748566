/* SPDX-License-Identifier: MIT
 *
 * Labs side by side: what their headlines name is there, the words are filled in, and one slider
 * reaches every run that has its role.  */
#include "core/run/group/group.h"
#include "core/run/group/summary.h"

#include <math.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "tests/support/folder.h"

/* ---- headlines ---- */

static bool
is_curve (const SlLayout *layout, const char *id)
{
  int channel = id != NULL ? sl_layout_find (layout, id) : -1;

  return id == NULL || (channel >= 0 && layout->channel[channel].series);
}

static bool
has_traces (const SlPanel *panel, const char *traces)
{
  g_auto (GStrv) ids = g_strsplit (traces != NULL ? traces : "", " ", -1);
  unsigned found = 0;

  for (unsigned t = 0; t < sl_panel_n_traces (panel); t++)
    found += g_strv_contains ((const char *const *) ids, panel->traces[t].id);
  return found == g_strv_length (ids);
}

/* The member of a headline that names what is not there, or NULL.  Every place of the words has a
 * value once each curve has one.  */
static const char *
mistake_of (const SlLab *lab)
{
  const SlSummary *summary = lab->overview;
  int              panel = sl_lab_panel (lab, summary->panel);
  SlSettings       settings;
  SlStatus         status = sl_summary_settings (lab, &settings);
  SlRecord         record;
  char             text[400];
  bool             costs, errors;

  if (!sl_ok (&status))
    return "settings";
  if (panel < 0)
    return "panel";
  if (!has_traces (&lab->panels[panel], summary->traces))
    return "traces";
  status = sl_record_init (&record, lab, &settings, 1);
  g_assert_true (sl_ok (&status));
  for (unsigned c = 0; c < record.layout.n; c++)
    if (record.layout.channel[c].series)
      sl_series_append (&record.series[c], 0.0, 1.0);
  sl_summary_text (&record, summary->words, text, sizeof text);
  costs
    = is_curve (&record.layout, summary->expected) && is_curve (&record.layout, summary->executed);
  errors = is_curve (&record.layout, summary->error) && is_curve (&record.layout, summary->dense)
           && (summary->error == NULL) == (summary->executed == NULL)
           && isnan (sl_summary_value (&record, summary->error)) == (summary->error == NULL);
  sl_record_clear (&record);
  if (!errors)
    return "errors";
  return strchr (text, '{') != NULL || strstr (text, "…") != NULL ? "words"
         : costs                                                  ? NULL
                                                                  : "costs";
}

/* Another count of the lab, or one of its data. */
static void
assert_bound (const SlLab *lab, const char *most)
{
  int bound = most != NULL ? sl_param_find (lab->params, lab->n_params, most) : -1;

  if (most == NULL || (g_str_has_prefix (most, "data.") && lab->data != SL_NEEDS_NOTHING))
    return;
  g_assert_cmpint (bound, >=, 0);
  g_assert_cmpint (lab->params[bound].kind, ==, SL_INTEGER);
}

static void
test_descriptors (void)
{
  unsigned n = 0;

  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    {
      const SlLab *lab = sl_labs[i];
      const char  *wrong;

      for (unsigned p = 0; p < lab->n_params; p++)
        assert_bound (lab, lab->params[p].most);
      if (lab->overview == NULL)
        continue;
      n++;
      wrong = mistake_of (lab);
      g_assert_cmpstr (wrong, ==, NULL);
    }
  g_assert_cmpuint (n, ==, 4);
}

static void
test_unknown (void)
{
  static const char *const words[] = { "{density.nobody:1}",  "{density.valid", "{density.valid:x}",
                                       "{density.valid:1:0}", "{speed.with:1}", "{}" };
  SlSummary                summary = *sl_lab_find ("stochastic-gates")->overview;
  SlLab                    lab = *sl_lab_find ("stochastic-gates");

  lab.overview = &summary;
  g_assert_cmpstr (mistake_of (&lab), ==, NULL);
  for (unsigned i = 0; i < G_N_ELEMENTS (words); i++)
    {
      summary.words = words[i];
      g_assert_cmpstr (mistake_of (&lab), ==, "words");
    }
  summary = *sl_lab_find ("stochastic-gates")->overview;
  summary.panel = "nowhere";
  g_assert_cmpstr (mistake_of (&lab), ==, "panel");
  summary = *sl_lab_find ("stochastic-gates")->overview;
  summary.traces = "target nobody";
  g_assert_true (sl_summary_shows (&lab, "target"));
  g_assert_false (sl_summary_shows (&lab, "valid"));
  g_assert_cmpstr (mistake_of (&lab), ==, "traces");
  summary.traces = NULL;
  g_assert_true (sl_summary_shows (&lab, "valid"));
  summary.expected = "cost.nobody";
  g_assert_cmpstr (mistake_of (&lab), ==, "costs");
  summary = *sl_lab_find ("stochastic-gates")->overview;
  summary.settings = "experts=many";
  g_assert_cmpstr (mistake_of (&lab), ==, "settings");
}

static void
take (SlRecord *record, const char *id, double step, double value)
{
  int      channel = sl_layout_find (&record->layout, id);
  SlSample sample = { .step = (uint64_t) step, .value = value, .generation = record->generation };

  g_assert_cmpint (channel, >=, 0);
  sample.channel = (uint32_t) channel;
  g_assert_true (sl_record_take (record, &sample));
}

static void
test_words (void)
{
  const SlLab *lab = sl_lab_find ("sign-estimator");
  SlSettings   settings;
  SlRecord     record;
  SlStatus     status = sl_summary_settings (lab, &settings);
  char         text[80], small[8];

  g_assert_true (sl_ok (&status));
  status = sl_record_init (&record, lab, &settings, 1);
  g_assert_true (sl_ok (&status));
  g_assert_cmpstr (sl_summary_text (&record, "{rank-used.rank}", text, sizeof text), ==, "…");
  take (&record, "agreement.agreement.1", 1, 90.0);
  take (&record, "agreement.agreement.1", 2, 96.0);
  take (&record, "agreement.agreement.2", 2, 98.0);
  /* One instance; all of them; a mean over time; what is not there; and no place at all. */
  g_assert_cmpstr (sl_summary_text (&record, "{agreement.agreement.1:1}", text, sizeof text), ==,
                   "96.0");
  g_assert_cmpstr (sl_summary_text (&record, "a {agreement.agreement} % b", text, sizeof text), ==,
                   "a 97 % b");
  g_assert_cmpstr (sl_summary_text (&record, "{agreement.agreement.1:2:5}", text, sizeof text), ==,
                   "93.00");
  g_assert_cmpstr (sl_summary_text (&record, "{no.such:2}", text, sizeof text), ==, "…");
  g_assert_cmpstr (sl_summary_text (&record, "{open", text, sizeof text), ==, "{open");
  g_assert_cmpstr (sl_summary_text (&record, "123456{no.such}", small, sizeof small), ==, "123456");
  sl_record_clear (&record);
}

/* ---- the group ---- */

static SlSession *
session_of (SlGroup *group, const char *lab)
{
  for (unsigned i = 0; i < sl_group_size (group); i++)
    if (strcmp (sl_group_lab (group, i)->id, lab) == 0)
      return sl_group_session (group, i);
  g_assert_not_reached ();
}

static void
wait_for_steps (SlGroup *group, uint64_t steps)
{
  for (unsigned i = 0; i < sl_group_size (group); i++)
    while (sl_session_info (sl_group_session (group, i))->step < steps)
      g_main_context_iteration (NULL, TRUE);
}

static SlGroup *
new_group (gboolean run)
{
  SlGroup *group = sl_group_new ();

  sl_group_start (group, "digits:images=600", 3, run);
  return group;
}

static const SlValue *
value_of (SlGroup *group, const char *lab, const char *id)
{
  SlSession   *session = session_of (group, lab);
  const SlLab *of = sl_session_lab (session);

  return &sl_session_settings (session)->value[sl_param_find (of->params, of->n_params, id)];
}

static void
test_side_by_side (void)
{
  SlGroup         *group = new_group (TRUE);
  const SlDataset *data = NULL;

  wait_for_steps (group, 10);
  g_assert_true (sl_group_is_running (group));
  g_assert_null (sl_group_error (group));
  /* One data set and one seed. */
  for (unsigned i = 0; i < sl_group_size (group); i++)
    {
      const SlDataset *its = sl_session_dataset (sl_group_session (group, i));

      g_assert_cmpuint (sl_session_seed (sl_group_session (group, i)), ==, 3);
      if (its != NULL && data != NULL)
        g_assert_true (its == data);
      data = its != NULL ? its : data;
    }
  g_assert_nonnull (data);
  sl_group_pause (group);
  g_assert_false (sl_group_is_running (group));
  sl_group_restart (group, 4);
  for (unsigned i = 0; i < sl_group_size (group); i++)
    while (sl_session_is_loading (sl_group_session (group, i)))
      g_main_context_iteration (NULL, TRUE);
  g_assert_false (sl_group_is_running (group));
  g_assert_cmpuint (sl_session_seed (sl_group_session (group, 0)), ==, 4);
  sl_group_step (group);
  wait_for_steps (group, 1);
  sl_group_leave (group, G_MAXINT64);
  for (unsigned i = 0; i < sl_group_size (group); i++)
    g_assert_cmpuint (sl_session_info (sl_group_session (group, i))->step, ==, 1);
  g_object_unref (group);
}

/* A run that is slowed down waits for its next update, and is set free at once; the others go on as they were. */
static void
test_pace (void)
{
  SlGroup   *group = sl_group_new ();
  SlSession *slow = session_of (group, "experts"), *fast = session_of (group, "sign-estimator");

  sl_session_set_pace (slow, 1e-4); /* an update in ten thousand seconds */
  g_assert_cmpfloat (sl_session_pace (slow), ==, 1e-4);
  sl_group_start (group, "digits:images=600", 3, TRUE);
  wait_for_steps (group, 1);
  while (sl_session_info (fast)->step < 50)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (sl_session_info (slow)->step, <=, 2);
  g_assert_cmpint (sl_session_state (slow), ==, SL_RUNNING);
  sl_session_set_pace (slow, 0.0);
  wait_for_steps (group, 50);
  g_object_unref (group);
}

/* Each run is stored; none of them is the one to go on with until somebody has done so. */
static void
test_stored (void)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-group-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "runs.sluice", NULL);
  GError          *error = NULL;
  SlStore         *store = sl_store_open (path, &error);
  SlGroup         *group = sl_group_new ();
  unsigned         n = sl_group_size (group);
  char             uuid[SL_UUID], *last;
  uint64_t         stored;
  SlStoredRun      run;
  SlSession       *session;

  g_assert_no_error (error);
  sl_group_set_store (group, store);
  sl_group_start (group, "digits:images=600", 3, TRUE);
  wait_for_steps (group, 10);
  sl_group_leave (group, G_MAXINT64);
  g_object_unref (group);
  g_assert_true (sl_store_flush (store, NULL));
  {
    g_autoptr (GPtrArray) runs = sl_store_list (store, NULL, FALSE, NULL);
    unsigned places = 0;

    g_assert_cmpuint (runs->len, ==, n);
    for (guint i = 0; i < runs->len; i++)
      {
        const SlStoreRun *row = g_ptr_array_index (runs, i);

        g_assert_cmpint (row->status, ==, SL_RUN_PAUSED);
        g_assert_cmpuint (row->step, >=, 10);
        g_assert_true (row->resumable);
        places |= 1u << row->cell;
      }
    g_assert_cmpuint (places, ==, ((1u << n) - 1) << 1);
    g_strlcpy (uuid, ((SlStoreRun *) g_ptr_array_index (runs, 1))->uuid, sizeof uuid);
  }
  g_assert_null (sl_store_last_open (store));
  g_assert_true (sl_store_load (store, uuid, TRUE, UINT64_MAX, &run, &error));
  stored = run.checkpoint.step;
  session = sl_session_new ();
  sl_session_set_store (session, store);
  sl_session_resume (session, &run, TRUE);
  while (sl_session_info (session)->step < stored + 2)
    g_main_context_iteration (NULL, TRUE);
  sl_session_stop (session);
  g_object_unref (session);
  sl_stored_run_clear (&run);
  g_assert_true (sl_store_flush (store, NULL));
  last = sl_store_last_open (store);
  g_assert_cmpstr (last, ==, uuid);
  g_free (last);
  g_object_unref (store);
  sl_remove_all (folder);
}

static void
test_headlines (void)
{
  SlGroup        *group = new_group (TRUE);
  SlHeadlineRange range;

  wait_for_steps (group, 2);
  g_assert_true (sl_group_headline (group, SL_HEADLINE_SPARSITY, &range));
  g_assert_true (range.logarithmic && !range.whole);
  sl_group_set_headline (group, SL_HEADLINE_SPARSITY, 0.4);
  g_assert_cmpfloat (value_of (group, "stochastic-gates", "target-density")->v[0], ==, 0.4);

  /* The rank of each layer, as far as that goes. */
  g_assert_true (sl_group_headline (group, SL_HEADLINE_RANK, &range));
  g_assert_cmpfloat (range.lo, ==, 1.0);
  g_assert_cmpfloat (range.hi, ==, value_of (group, "sign-estimator", "hidden")->v[0]);
  sl_group_set_headline (group, SL_HEADLINE_RANK, range.hi);
  for (unsigned e = 0; e < value_of (group, "sign-estimator", "hidden")->n; e++)
    g_assert_cmpfloat (value_of (group, "sign-estimator", "rank")->v[e], ==,
                       value_of (group, "sign-estimator", "hidden")->v[e]);

  /* k of two labs with different ranges. */
  g_assert_true (sl_group_headline (group, SL_HEADLINE_ACTIVE, &range));
  g_assert_cmpfloat (range.hi, ==, value_of (group, "experts", "experts")->v[0]);
  sl_group_set_headline (group, SL_HEADLINE_ACTIVE, range.hi);
  g_assert_cmpfloat (value_of (group, "experts", "k")->v[0], ==, range.hi);
  g_assert_cmpfloat (value_of (group, "capacity", "radius")->v[0], ==, 8.0);
  g_assert_true (sl_group_headline (group, SL_HEADLINE_ACTIVE, &range));
  g_assert_cmpfloat (range.value, ==, range.hi);

  /* A flag on every curve that was moved. */
  while (sl_session_record (session_of (group, "stochastic-gates"))->n_flags < 1
         || sl_session_record (session_of (group, "sign-estimator"))->n_flags < 1
         || sl_session_record (session_of (group, "experts"))->n_flags < 1
         || sl_session_record (session_of (group, "capacity"))->n_flags < 1)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (sl_session_record (session_of (group, "stochastic-gates"))->n_flags, ==, 1);
  g_assert_null (sl_group_error (group));
  g_object_unref (group);
}

static void
test_focus (void)
{
  SlGroup   *group = new_group (TRUE);
  SlSession *experts = session_of (group, "experts");
  SlSession *gates = session_of (group, "stochastic-gates");

  wait_for_steps (group, 2);
  sl_group_focus (group, experts);
  g_assert_cmpint (sl_session_state (experts), ==, SL_RUNNING);
  g_assert_cmpint (sl_session_state (gates), ==, SL_PAUSED);
  sl_group_focus (group, gates);
  g_assert_cmpint (sl_session_state (experts), ==, SL_PAUSED);
  g_assert_cmpint (sl_session_state (gates), ==, SL_RUNNING);
  sl_session_pause (gates);
  sl_group_focus (group, NULL);
  g_assert_cmpint (sl_session_state (experts), ==, SL_RUNNING);
  g_assert_cmpint (sl_session_state (gates), ==, SL_PAUSED);
  g_object_unref (group);
}

static void
wait_until_loaded (SlGroup *group)
{
  for (unsigned i = 0; i < sl_group_size (group); i++)
    while (sl_session_lab (sl_group_session (group, i)) == NULL
           || sl_session_is_loading (sl_group_session (group, i)))
      g_main_context_iteration (NULL, TRUE);
}

/* What is said while the runs are loaded holds for them when they are there. */
static void
test_loading (void)
{
  SlGroup        *group = new_group (TRUE);
  SlHeadlineRange range;

  sl_group_set_headline (group, SL_HEADLINE_SPARSITY, 0.4);
  sl_group_set_headline (group, SL_HEADLINE_RANK, 7.0);
  sl_group_restart (group, 4);
  sl_group_focus (group, session_of (group, "experts"));
  g_assert_null (sl_session_lab (session_of (group, "stochastic-gates")));
  g_assert_true (sl_group_headline (group, SL_HEADLINE_SPARSITY, &range));
  g_assert_cmpfloat (range.value, ==, 0.4);
  wait_until_loaded (group);
  g_assert_cmpfloat (value_of (group, "stochastic-gates", "target-density")->v[0], ==, 0.4);
  g_assert_cmpfloat (value_of (group, "sign-estimator", "rank")->v[0], ==, 7.0);
  for (unsigned i = 0; i < sl_group_size (group); i++)
    {
      SlSession *session = sl_group_session (group, i);

      g_assert_cmpuint (sl_session_seed (session), ==, 4);
      g_assert_true (sl_group_goes (group, i));
      g_assert_cmpint (sl_session_state (session), ==,
                       session == session_of (group, "experts") ? SL_RUNNING : SL_PAUSED);
    }
  sl_group_set_headline (group, SL_HEADLINE_SPARSITY, 0.2);
  sl_group_restart (group, 5);
  wait_until_loaded (group);
  g_assert_cmpfloat (value_of (group, "stochastic-gates", "target-density")->v[0], ==, 0.2);
  g_object_unref (group);
}

/* Data that cannot be had are one sentence, and the run that needs none goes on. */
static void
test_no_data (void)
{
  SlGroup *group = sl_group_new ();

  sl_group_start (group, "/no/such/file.csv", 1, TRUE);
  while (sl_group_error (group) == NULL
         || sl_session_info (session_of (group, "capacity"))->step < 3)
    g_main_context_iteration (NULL, TRUE);
  sl_group_clear_errors (group);
  g_assert_null (sl_group_error (group));
  g_object_unref (group);
}

/* Begun with what is stored: as it was where it has a name, and anew by its recipe where it has none. */
static void
test_resumed (void)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-group-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "runs.sluice", NULL);
  SlStore         *store = sl_store_open (path, NULL);
  SlGroup         *group = sl_group_new ();
  unsigned         n = sl_group_size (group);
  uint64_t         steps[8];

  g_assert_nonnull (store);
  g_assert_cmpuint (n, <=, G_N_ELEMENTS (steps));
  sl_group_set_store (group, store);
  sl_group_start (group, "digits:images=600", 3, TRUE);
  wait_for_steps (group, 5);
  sl_group_leave (group, G_MAXINT64);
  g_object_unref (group);
  g_assert_true (sl_store_flush (store, NULL));

  g_autoptr (GPtrArray) runs = sl_store_list (store, NULL, FALSE, NULL);

  group = sl_group_new ();
  g_assert_cmpuint (runs->len, ==, n);
  for (guint r = 0; r < n; r++)
    {
      const SlStoreRun *row = g_ptr_array_index (runs, r);
      unsigned          i = row->cell - 1;
      SlStoredRun       run;

      g_assert_true (row->lab == sl_group_lab (group, i));
      g_assert_true (sl_store_load (store, row->uuid, TRUE, UINT64_MAX, &run, NULL));
      steps[i] = run.checkpoint.step;
      if (i == 0)
        {
          run.uuid[0] = '\0';
          steps[i] = 0;
        }
      sl_group_set_stored (group, i, &run, FALSE);
      g_assert_null (run.recipe.lab); /* taken over */
    }
  sl_group_start (group, "digits:images=600", 99, TRUE);
  g_assert_cmpuint (sl_group_seed (group), ==, 99);
  for (unsigned i = 0; i < n; i++)
    {
      SlSession *session = sl_group_session (group, i);

      while (sl_session_lab (session) == NULL || sl_session_is_loading (session))
        g_main_context_iteration (NULL, TRUE);
      g_assert_cmpuint (sl_session_seed (session), ==, 3);
      g_assert_cmpuint (sl_session_info (session)->step, ==, steps[i]);
      g_assert_false (sl_group_goes (group, i));
    }
  g_assert_null (sl_group_error (group));
  sl_group_run (group);
  for (unsigned i = 0; i < n; i++)
    while (sl_session_info (sl_group_session (group, i))->step < steps[i] + 2)
      g_main_context_iteration (NULL, TRUE);
  sl_group_leave (group, G_MAXINT64);
  g_object_unref (group);
  g_object_unref (store);
  sl_remove_all (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/headline/descriptors", test_descriptors);
  g_test_add_func ("/headline/unknown", test_unknown);
  g_test_add_func ("/headline/words", test_words);
  g_test_add_func ("/group/side-by-side", test_side_by_side);
  g_test_add_func ("/group/pace", test_pace);
  g_test_add_func ("/group/stored", test_stored);
  g_test_add_func ("/group/roles", test_headlines);
  g_test_add_func ("/group/focus", test_focus);
  g_test_add_func ("/group/loading", test_loading);
  g_test_add_func ("/group/no-data", test_no_data);
  g_test_add_func ("/group/resumed", test_resumed);
  return g_test_run ();
}
