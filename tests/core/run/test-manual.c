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
  g_test_add_func ("/manual/origins", test_origins);
  g_test_add_func ("/manual/data", test_data);
  return g_test_run ();
}
