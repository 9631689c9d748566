/* SPDX-License-Identifier: MIT
 *
 * The web page of a run: that it has what the run has, is the run again, and is safe whatever names there are.  What it does
 * in a browser is in tests/page.  */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/run/files/kind/kind.h"
#include "core/run/headless/headless.h"
#include "plot/export/ours.h"
#include "plot/page/page.h"
#include "tests/plot/page-text.h"
#include "tests/plot/plot-sample.h"
#include "tests/support/folder.h"

enum { UPDATES = 4, MOMENTS = 3, EXAMPLES = 2 };

static GBytes *
make (const SlPageRun *run)
{
  GError *error = NULL;
  GBytes *bytes = sl_page_run (run, &error);

  g_assert_no_error (error);
  g_assert_nonnull (bytes);
  return bytes;
}

/* ---- of labs ---- */

typedef struct
{
  SlPlan        plan;
  SlHeadlessRun run;
  SlFrames     *frames;
  unsigned      panel[1 + SL_FRONT_PLOTS], n;
} Made;

static bool
offer (void *data, const SlHeadlessRun *run, const SlProgress *progress, double done)
{
  SlStatus status = sl_frames_offer (((Made *) data)->frames, run->trainer, done);

  g_assert_true (sl_ok (&status));
  return true;
}

static void
begin (Made *made, const SlLab *lab)
{
  static const unsigned examples[EXAMPLES] = { 0, 5 };
  g_autofree bool      *wanted = g_new0 (bool, lab->n_panels);
  SlStatus              status;

  sl_plan_init (&made->plan, lab);
  made->plan.budget.steps = UPDATES;
  made->plan.data = g_strdup (sl_source_default_for (lab->data));
  status = sl_headless_open (&made->run, &made->plan, NULL);
  g_assert_true (sl_ok (&status));
  made->n = sl_page_front (lab, &made->plan.settings, made->run.dataset, made->panel);
  for (unsigned i = 0; i < made->n; i++)
    wanted[made->panel[i]] = lab->panels[made->panel[i]].kind == SL_ALIVE;
  made->frames = sl_frames_new (lab, wanted, MOMENTS, examples, EXAMPLES);
  status = sl_headless_train (&made->run, offer, made);
  g_assert_true (sl_ok (&status));
  status = sl_frames_end (made->frames, made->run.trainer);
  g_assert_true (sl_ok (&status));
}

static void
end (Made *made)
{
  sl_frames_free (made->frames);
  sl_headless_clear (&made->run);
  sl_plan_clear (&made->plan);
}

static SlPageRun
page_of (const Made *made)
{
  return (SlPageRun) { .record = &made->run.record,
                       .recipe = &made->run.recipe,
                       .frames = made->frames,
                       .panel = made->panel,
                       .n_panels = made->n };
}

/* The samples of a curve to six digits, which is what a page says. */
static void
assert_values (const SlSeries *series, const SlJson *y)
{
  const SlJson *value = y->first;

  g_assert_cmpuint (series->n, ==, y->n);
  for (size_t i = 0; i < series->n; i++, value = value->next)
    if (isnan (series->value[i]))
      g_assert_cmpint (value->kind, ==, SL_JSON_NULL);
    else if (isfinite (series->value[i]))
      g_assert_cmpfloat (fabs (value->number - series->value[i]), <=,
                         5e-6 * fabs (series->value[i]) + 1e-300);
    else
      g_assert_true (value->number == series->value[i]);
}

/* Returns how many curves there were. */
static unsigned
assert_curves (const SlRecord *record, const SlJson *panel, const SlJson *columns)
{
  const SlJson *curves = sl_json_member_of (panel, "curves", SL_JSON_ARRAY);
  unsigned      n = 0;

  for (const SlJson *curve = curves != NULL ? curves->first : NULL; curve != NULL;
       curve = curve->next)
    {
      int           channel = sl_layout_find (&record->layout, page_text_words (curve, "id"));
      const SlJson *x = page_text_at (columns, (unsigned) page_text_number (curve, "x"));
      const SlJson *y = sl_json_member_of (curve, "y", SL_JSON_ARRAY);

      g_assert_cmpuint (x->n, ==, y->n);
      if (channel >= 0 && record->series[channel].n > 0)
        assert_values (&record->series[channel], y);
      n++;
    }
  return n;
}

static void
test_lab (gconstpointer lab)
{
  Made     made = { 0 };
  PageText page;
  unsigned curves = 0, views = 0;
  bool     series = false;

  begin (&made, lab);
  {
    SlPageRun run = page_of (&made);
    g_autoptr (GBytes) bytes = make (&run), again = make (&run);
    const SlJson *panels, *columns, *moments;

    g_assert_true (g_bytes_equal (bytes, again));
    page_text_read (&page, bytes);
    page_text_assert_safe (&page);
    panels = sl_json_member_of (page.data, "panels", SL_JSON_ARRAY);
    columns = sl_json_member_of (page.data, "columns", SL_JSON_ARRAY);
    moments = sl_json_member_of (page.data, "moments", SL_JSON_ARRAY);
    g_assert_cmpuint (panels->n, >, 0);
    for (const SlJson *panel = panels->first; panel != NULL; panel = panel->next)
      {
        const SlJson *of = sl_json_member_of (panel, "views", SL_JSON_ARRAY);
        const SlJson *shots = sl_json_member_of (panel, "shots", SL_JSON_ARRAY);

        curves += assert_curves (&made.run.record, panel, columns);
        views += of != NULL;
        g_assert_cmpuint (shots->n, ==, of != NULL ? of->n * moments->n : 1);
      }
    g_assert_cmpuint (views, ==, sl_lab_picture (lab) >= 0 ? 1 : 0);
    for (unsigned i = 0; i < made.n; i++)
      series |= made.run.record.lab->panels[made.panel[i]].kind == SL_SERIES;
    g_assert_true (curves > 0 || !series);
    page_text_clear (&page);
  }
  end (&made);
}

/* ---- of all kinds of panels ---- */

static GBytes *
make_sample (const SlRecord *record, const char *title)
{
  SlSettings settings;
  SlRecipe   recipe;
  unsigned   panel[SAMPLE_PANELS];
  GBytes    *bytes;

  for (unsigned i = 0; i < SAMPLE_PANELS; i++)
    panel[i] = i;
  sl_settings_default (&settings, sample_lab.params, sample_lab.n_params);
  sl_recipe_init (&recipe, &sample_lab, &settings, NULL, 1);
  if (title != NULL)
    g_strlcpy (recipe.data, title, sizeof recipe.data);
  bytes = make (&(SlPageRun) { .record = record,
                               .recipe = &recipe,
                               .panel = panel,
                               .n_panels = SAMPLE_PANELS,
                               .title = title,
                               .sentence = title });
  sl_recipe_clear (&recipe);
  return bytes;
}

static void
test_kinds (void)
{
  SampleFigures sample;
  PageText      page;

  sample_figures_init (&sample, 300);
  {
    g_autoptr (GBytes) bytes = make_sample (&sample.record, NULL);
    const SlJson *panels;

    page_text_read (&page, bytes);
    page_text_assert_safe (&page);
    panels = sl_json_member_of (page.data, "panels", SL_JSON_ARRAY);
    /* One has nothing to show. */
    g_assert_cmpuint (panels->n, ==, SAMPLE_PANELS - 1);
    for (const SlJson *panel = panels->first; panel != NULL; panel = panel->next)
      assert_curves (&sample.record, panel,
                     sl_json_member_of (page.data, "columns", SL_JSON_ARRAY));
    page_text_clear (&page);
  }
  sample_figures_clear (&sample);
}

/* Names of others are texts wherever they come. */
static void
test_hostile (void)
{
  static const char *const names[]
    = { "</script><script>alert(1)</script>", "<!--<script>",
        "\"'><img src=x onerror=alert(1)>",   "]]>&lt;&amp;\\u003c/script>",
        "\001\002\033[31m\xff\xfe",           "\360\237\246\206 \342\200\256" };
  g_autofree char *long_name = g_strnfill (10000, 'W');
  SampleFigures    sample;

  sample_figures_init (&sample, 50);
  for (unsigned i = 0; i <= G_N_ELEMENTS (names); i++)
    {
      const char *name = i < G_N_ELEMENTS (names) ? names[i] : long_name;
      PageText    page;

      g_assert_true (sl_record_mark (&sample.record, 10.0 * (i + 1), name));
      {
        g_autoptr (GBytes) bytes = make_sample (&sample.record, name);

        page_text_read (&page, bytes);
        page_text_assert_safe (&page);
        if (g_utf8_validate (name, -1, NULL))
          g_assert_cmpstr (page_text_words (page.data, "title"), ==, name);
        page_text_clear (&page);
      }
    }
  sample_figures_clear (&sample);
}

/* Not more of a long run than a page can hold. */
static void
test_long (void)
{
  SampleFigures sample;
  PageText      page;

  sample_figures_init (&sample, 40000);
  {
    g_autoptr (GBytes) bytes = make_sample (&sample.record, NULL);
    const SlJson *curves, *y;

    page_text_read (&page, bytes);
    curves = sl_json_member (page_text_at (sl_json_member (page.data, "panels"), SAMPLE_AGREEMENT),
                             "curves");
    y = sl_json_member (page_text_at (curves, 0), "y");
    g_assert_cmpuint (y->n, <=, 6001);
    g_assert_cmpuint (y->n, >=, 3000);
    g_assert_cmpfloat (page_text_number (page_text_at (curves, 0), "every"), ==, 7);
    {
      int channel
        = sl_layout_find (&sample.record.layout, page_text_words (page_text_at (curves, 0), "id"));
      const SlSeries *whole = &sample.record.series[channel];

      /* The first, the second that is kept, and the end. */
      g_assert_cmpfloat (fabs (page_text_at (y, 0)->number - whole->value[0]), <, 1e-3);
      g_assert_cmpfloat (fabs (page_text_at (y, 1)->number - whole->value[7]), <, 1e-3);
      g_assert_cmpfloat (fabs (page_text_at (y, y->n - 1)->number - whole->value[whole->n - 1]), <,
                         1e-3);
    }
    page_text_clear (&page);
  }
  sample_figures_clear (&sample);
}

/* ---- the run again ---- */

static void
test_recipe (void)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-page-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "run.html", NULL);
  Made             made = { 0 };
  GError          *error = NULL;

  begin (&made, sl_labs[0]);
  {
    SlPageRun run = page_of (&made);
    g_autoptr (GBytes) bytes = make (&run);
    g_autofree char *found = NULL, *wanted = sl_recipe_write (&made.run.recipe);

    g_assert_true (g_file_set_contents (path, g_bytes_get_data (bytes, NULL),
                                        (gssize) g_bytes_get_size (bytes), &error));
    found = sl_recipe_find (path, &error);
    g_assert_no_error (error);
    g_assert_cmpstr (found, ==, wanted);
    g_assert_true (sl_export_is_ours (path));
    g_assert_cmpint (sl_file_kind (path), ==, SL_FILE_FIGURE);
    g_assert_true (sl_file_has_recipe (path));
  }
  end (&made);
  /* Pages of others have none. */
  g_assert_true (g_file_set_contents (path, "<!DOCTYPE html>\n<title>A</title>", -1, &error));
  g_assert_null (sl_recipe_find (path, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_false (sl_export_is_ours (path));
  /* They are replaced by no list of figures, though both begin with the same line. */
  g_assert_false (sl_export_may_replace (path, "<!DOCTYPE html>\nB", 17, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  sl_remove_all (folder);
}

static void
test_nothing (void)
{
  SlRecord   record;
  SlSettings settings;
  SlRecipe   recipe;
  unsigned   panel = SAMPLE_LOSS;
  GError    *error = NULL;
  SlStatus   status;

  sl_settings_default (&settings, sample_lab.params, sample_lab.n_params);
  status = sl_record_init (&record, &sample_lab, &settings, 1);
  g_assert_true (sl_ok (&status));
  sl_recipe_init (&recipe, &sample_lab, &settings, NULL, 1);
  g_assert_null (sl_page_run (
    &(SlPageRun) { .record = &record, .recipe = &recipe, .panel = &panel, .n_panels = 1 }, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  sl_recipe_clear (&recipe);
  sl_record_clear (&record);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    {
      g_autofree char *path = g_strdup_printf ("/page/lab/%s", sl_labs[i]->id);

      g_test_add_data_func (path, sl_labs[i], test_lab);
    }
  g_test_add_func ("/page/kinds", test_kinds);
  g_test_add_func ("/page/hostile", test_hostile);
  g_test_add_func ("/page/long", test_long);
  g_test_add_func ("/page/recipe", test_recipe);
  g_test_add_func ("/page/nothing", test_nothing);
  return g_test_run ();
}
