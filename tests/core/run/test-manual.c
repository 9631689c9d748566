/* SPDX-License-Identifier: MIT
 *
 * The help: every page, every parameter and panel in it, and formulas that name their origin.  */
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/manual/manual.h"

static const SlManualPart *
part_about (GPtrArray *parts, gconstpointer about)
{
  for (unsigned i = 0; i < parts->len; i++)
    {
      const SlManualPart *part = g_ptr_array_index (parts, i);

      if (part->about == about)
        return part;
    }
  return NULL;
}

static gboolean
has_text (GPtrArray *parts, SlManualKind kind, const char *text)
{
  for (unsigned i = 0; i < parts->len; i++)
    {
      const SlManualPart *part = g_ptr_array_index (parts, i);

      if (part->kind == kind && strcmp (part->text, text) == 0)
        return TRUE;
    }
  return FALSE;
}

/* All pages have a title and something to say, in valid UTF-8. */
static void
test_pages (void)
{
  g_autofree const char **pages = sl_manual_pages ();
  unsigned                n = 0;

  for (const char **page = pages; *page != NULL; page++, n++)
    {
      g_autoptr (GPtrArray) parts = sl_manual_parts (*page, TRUE);

      g_assert_nonnull (sl_manual_title (*page));
      g_assert_nonnull (parts);
      g_assert_cmpuint (parts->len, >, 3);
      for (unsigned i = 0; i < parts->len; i++)
        {
          const SlManualPart *part = g_ptr_array_index (parts, i);

          g_assert_true ((part->kind == SL_MANUAL_TITLE) == (i == 0));
          g_assert_cmpstr (part->text, !=, "");
          g_assert_true (g_utf8_validate (part->text, -1, NULL));
        }
    }
  g_assert_cmpuint (n, >, 8);
  g_assert_null (sl_manual_title ("nowhere"));
  g_assert_null (sl_manual_parts ("nowhere", FALSE));
  g_assert_null (sl_manual_markdown ("nowhere"));
  g_assert_null (sl_manual_page_about (&n));
}

/* Nothing of a descriptor is missing on its page. */
static void
test_labs (void)
{
  for (const SlLab *const *at = sl_labs; *at != NULL; at++)
    {
      const SlLab *lab = *at;
      g_autoptr (GPtrArray) parts = sl_manual_parts (lab->id, FALSE);
      g_autofree char *markdown = sl_manual_markdown (lab->id);
      unsigned         formulas = 0;

      g_assert_true (has_text (parts, SL_MANUAL_SOURCE, lab->reference));
      for (unsigned i = 0; i < lab->n_params; i++)
        {
          const SlParam   *param = &lab->params[i];
          g_autofree char *id = g_strdup_printf ("`%s`", param->id);

          g_assert_cmpstr (sl_manual_page_about (param), ==, lab->id);
          g_assert_cmpstr (part_about (parts, param)->text, ==, param->title);
          g_assert_true (has_text (parts, SL_MANUAL_TEXT, param->help));
          g_assert_nonnull (strstr (markdown, id));
          if (param->formula == NULL)
            continue;
          formulas++;
          g_assert_true (has_text (parts, SL_MANUAL_FORMULA, param->formula));
          g_assert_nonnull (strstr (markdown, param->formula));
        }
      for (unsigned i = 0; i < lab->n_panels; i++)
        {
          const SlPanel *panel = &lab->panels[i];

          g_assert_cmpstr (sl_manual_page_about (panel), ==, lab->id);
          g_assert_cmpstr (part_about (parts, panel)->term, ==, panel->id);
          g_assert_true (has_text (parts, SL_MANUAL_TEXT, panel->help));
          if (panel->formula == NULL)
            continue;
          formulas++;
          g_assert_true (has_text (parts, SL_MANUAL_FORMULA, panel->formula));
        }
      g_assert_cmpuint (formulas, >=, 8);
      /* What a paper leaves open is said, and what was done about it. */
      g_assert_nonnull (lab->readings);
      for (const char *const *reading = lab->readings; *reading != NULL; reading++)
        {
          g_assert_true (has_text (parts, SL_MANUAL_POINT, *reading));
          g_assert_true (
            g_str_has_prefix (*reading, "Reading: ") || g_str_has_prefix (*reading, "Convention: ")
            || g_str_has_prefix (*reading, "Ours: ") || g_str_has_prefix (*reading, "Open: "));
        }
    }
}

/* The part behind the one about a descriptor. */
static const SlManualPart *
part_behind (GPtrArray *parts, gconstpointer about)
{
  guint i = 0;

  while (((SlManualPart *) g_ptr_array_index (parts, i))->about != about)
    i++;
  return g_ptr_array_index (parts, i + 1);
}

/* Under each parameter stand its default, unit, range, effect and what it needs. */
static void
test_facts (void)
{
  for (const SlLab *const *lab = sl_labs; *lab != NULL; lab++)
    {
      g_autoptr (GPtrArray) parts = sl_manual_parts ((*lab)->id, FALSE);
      SlSettings settings;

      sl_settings_default (&settings, (*lab)->params, (*lab)->n_params);
      for (unsigned i = 0; i < (*lab)->n_params; i++)
        {
          const SlParam      *param = &(*lab)->params[i];
          const SlManualPart *facts = part_behind (parts, param);
          char                value[160];
          g_autofree char    *begins = NULL, *ends = NULL;

          sl_param_format (param, &settings.value[i], value, sizeof value);
          begins = g_strdup_printf ("default %s%s%s; ", value, param->unit != NULL ? " " : "",
                                    param->unit != NULL ? param->unit : "");
          ends = g_strdup_printf (
            "; %s%s%s", param->effect == SL_LIVE ? "acts at the next step" : "restarts the run",
            param->needs != NULL ? "; only with " : "", param->needs != NULL ? param->needs : "");
          g_assert_cmpint (facts->kind, ==, SL_MANUAL_FACTS);
          g_assert_true (g_str_has_prefix (facts->text, begins));
          g_assert_true (g_str_has_suffix (facts->text, ends));
        }
    }
}

/* Parameters stand under the title of their group, which comes once, in the order of their first. */
static void
test_groups (void)
{
  for (const SlLab *const *lab = sl_labs; *lab != NULL; lab++)
    {
      g_autoptr (GPtrArray) parts = sl_manual_parts ((*lab)->id, FALSE);
      g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
      const char *heading = "";
      unsigned    params = 0;

      for (guint i = 0; i < parts->len; i++)
        {
          const SlManualPart *part = g_ptr_array_index (parts, i);
          const SlParam      *param = part->about;

          if (part->kind == SL_MANUAL_HEADING)
            {
              heading = part->text;
              g_assert_true (g_hash_table_add (seen, (gpointer) heading));
            }
          if (param < (*lab)->params || param >= (*lab)->params + (*lab)->n_params)
            continue;
          params++;
          g_assert_true (g_str_has_prefix (heading, "Parameters: "));
          g_assert_cmpstr (heading + strlen ("Parameters: "), ==, param->group);
        }
      g_assert_cmpuint (params, ==, (*lab)->n_params);
      g_assert_cmpint (g_hash_table_contains (seen, "Presets"), ==, sl_lab_n_presets (*lab) > 0);
      g_assert_true (g_hash_table_contains (seen, "Plots"));
    }
}

/* Each curve of a panel has a line with its style and unit, and what there is one of for each. */
static void
test_traces (void)
{
  static const char *const styles[] = { "measured", "target", "theory", "reference", "published" };

  for (const SlLab *const *lab = sl_labs; *lab != NULL; lab++)
    {
      g_autoptr (GPtrArray) parts = sl_manual_parts ((*lab)->id, FALSE);

      for (unsigned p = 0; p < (*lab)->n_panels; p++)
        {
          const SlPanel *panel = &(*lab)->panels[p];
          guint          at = 0, t = 0;

          while (((SlManualPart *) g_ptr_array_index (parts, at))->about != panel)
            at++;
          for (at++; at < parts->len && ((SlManualPart *) parts->pdata[at])->about == NULL; at++)
            {
              const SlManualPart *part = g_ptr_array_index (parts, at);
              const SlTrace      *trace = &panel->traces[t];
              g_autofree char    *begins = NULL;

              if (part->kind != SL_MANUAL_POINT || t == sl_panel_n_traces (panel))
                continue;
              begins = g_strdup_printf ("%s%s%s", styles[trace->style],
                                        *trace->unit != '\0' ? ", " : "", trace->unit);
              g_assert_cmpstr (part->term, ==, trace->title);
              g_assert_true (g_str_has_prefix (part->text, begins));
              g_assert_cmpint (strstr (part->text, ", one for each ") != NULL, ==,
                               trace->each != NULL);
              t++;
            }
          g_assert_cmpuint (t, ==, sl_panel_n_traces (panel));
        }
    }
}

/* Signs of Markdown's own are escaped, but for those of formulas. */
static void
test_markdown (void)
{
  g_autofree char *costs = sl_manual_markdown ("costs"), *data = sl_manual_markdown ("data");
  g_autofree char *files = sl_manual_markdown ("recordings");

  g_assert_true (g_str_has_prefix (costs, "# Three costs\n\nCosts are"));
  g_assert_nonnull (strstr (costs, "\n- **Expected** from the"));
  g_assert_nonnull (strstr (costs, "\n    speed-up = time"));
  g_assert_nonnull (strstr (files, "router\\_trace\\_rank\\*.jsonl"));
  g_assert_nonnull (strstr (data, "\n## Files\n"));
  g_assert_nonnull (strstr (data, "\n*default "));
  g_assert_nonnull (strstr (data, "*\n"));
}

/* No formula of the capacity lab passes for an equation of the paper, whose equations could not be
 * read.  */
static void
test_origins (void)
{
  const SlLab *capacity = sl_lab_find ("capacity");

  for (unsigned i = 0; i < capacity->n_params; i++)
    g_assert_true (capacity->params[i].formula == NULL
                   || strstr (capacity->params[i].formula, "eq.") == NULL);
  for (unsigned i = 0; i < capacity->n_panels; i++)
    g_assert_true (capacity->panels[i].formula == NULL
                   || strstr (capacity->panels[i].formula, "eq.") == NULL);
}

static void
test_data (void)
{
  g_autoptr (GPtrArray) parts = sl_manual_parts ("data", FALSE);

  for (const SlSource *const *source = sl_sources; *source != NULL; source++)
    {
      g_assert_cmpstr (sl_manual_page_about (*source), ==, "data");
      g_assert_nonnull (part_about (parts, *source));
      for (unsigned i = 0; i < (*source)->n_params; i++)
        g_assert_nonnull (part_about (parts, &(*source)->params[i]));
      for (unsigned i = 0; i < (*source)->n_files; i++)
        {
          g_assert_nonnull (part_about (parts, &(*source)->files[i]));
          g_assert_cmpstr (sl_manual_page_about (&(*source)->files[i]), ==, "data");
        }
    }
  g_assert_cmpstr (sl_manual_page_about (&sl_file_params[0]), ==, "data");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/manual/pages", test_pages);
  g_test_add_func ("/manual/labs", test_labs);
  g_test_add_func ("/manual/facts", test_facts);
  g_test_add_func ("/manual/groups", test_groups);
  g_test_add_func ("/manual/traces", test_traces);
  g_test_add_func ("/manual/markdown", test_markdown);
  g_test_add_func ("/manual/origins", test_origins);
  g_test_add_func ("/manual/data", test_data);
  return g_test_run ();
}
