/* SPDX-License-Identifier: MIT
 *
 * Styles of figures: the program's own, a person's, and files that are none.  */
#include <glib/gstdio.h>
#include <string.h>

#include "core/run/files/kind/kind.h"
#include "plot/export/style.h"

static void
test_own (void)
{
  g_auto (GStrv) names = sl_export_style_names ();
  static const char *const expected[] = { "beamer", "icml", "nature", "neurips" };

  for (size_t i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      SlExportOptions options = sl_export_options (SL_PRESET_COLUMN, 1);
      SlExportStyle   style;
      GError         *error = NULL;

      g_assert_cmpstr (names[i], ==, expected[i]);
      g_assert_true (sl_export_style_find (expected[i], &style, &error));
      g_assert_no_error (error);
      g_assert_true (style.name[0] != '\0' && style.font[0] != '\0');
      sl_export_style_apply (&style, &options, 1);
      g_assert_cmpfloat (options.width, ==, style.width);
      g_assert_cmpfloat_with_epsilon (options.height, style.width * style.ratio, 1e-9);
      g_assert_true (options.font == style.font);
      g_assert_true (sl_export_check (&options, 1, SL_EXPORT_PDF, &error));
      options = sl_export_options (SL_PRESET_COLUMNS, 4);
      sl_export_style_apply (&style, &options, 4);
      g_assert_cmpfloat_with_epsilon (options.height, style.width * style.ratio, 1e-9);
    }
}

static void
test_refused (void)
{
  static const struct
  {
    const char *text, *says;
  } rows[] = {
    { "", "style" },
    { "[]", "style" },
    { "{\"sluice-style\": 2}", "sluice-style" },
    { "{\"width\": 80}", "sluice-style" },
    { "{\"sluice-style\": 1, \"width\": -1}", "width" },
    { "{\"sluice-style\": 1, \"width\": 1e999}", "width" },
    { "{\"sluice-style\": 1, \"ratio\": \"half\"}", "ratio" },
    { "{\"sluice-style\": 1, \"type\": null}", "type" },
    { "{\"sluice-style\": 1, \"font\": \"a\\nb\"}", "font" },
    { "{\"sluice-style\": 1, \"font\": \"\"}", "font" },
    { "{\"sluice-style\": 1, \"palette\": \"rainbow\"}", "palette" },
    { "{\"sluice-style\": 1, \"titles\": 1}", "titles" },
    { "{\"sluice-style\": 1, \"colour\": \"red\"}", "colour" },
    { "{\"sluice-style\": 1, \"colours\": \"red\"}", "colours" },
    { "{\"sluice-style\": 1, \"colours\": {\"a\": 0}}", "1 to 8" },
    { "{\"sluice-style\": 1, \"colours\": {\"a\": 9}}", "1 to 8" },
    { "{\"sluice-style\": 1, \"colours\": {\"a\": \"b\"}}", "1 to 8" },
  };
  g_autofree char *many = g_strnfill (2 * SL_STYLE_BYTES, ' ');
  SlExportStyle    style;
  GError          *error = NULL;

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_assert_false (
        sl_export_style_read (rows[i].text, strlen (rows[i].text), "style", &style, &error));
      g_assert_nonnull (error);
      if (strstr (error->message, rows[i].says) == NULL)
        g_error ("%s: %s", rows[i].text, error->message);
      g_clear_error (&error);
    }
  g_assert_false (sl_export_style_read (many, strlen (many), "style", &style, &error));
  g_clear_error (&error);
  g_assert_false (sl_export_style_find ("../../etc/passwd", &style, &error));
  g_clear_error (&error);
  g_assert_false (sl_export_style_find ("no such style", &style, &error));
  g_assert_nonnull (strstr (error->message, "neurips"));
  g_clear_error (&error);
}

/* Colours of a style go to a document that has some, else the page takes the style's. */
static void
test_colours (void)
{
  static const char text[] = "{\"sluice-style\": 1, \"colours\": {\"MoE-64\": 3, \"MoE-4\": 8}}";
  SlExportOptions   options = sl_export_options (SL_PRESET_COLUMN, 1);
  SlColours         document = { 0 };
  SlExportStyle     style;

  g_assert_true (sl_export_style_read (text, strlen (text), "style", &style, NULL));
  g_assert_cmpuint (style.colours.n, ==, 2);
  sl_export_style_apply (&style, &options, 1);
  g_assert_true (options.colours == &style.colours);
  options.colours = &document;
  sl_export_style_apply (&style, &options, 1);
  g_assert_true (options.colours == &document);
  g_assert_cmpuint (document.n, ==, 2);
  g_assert_cmpstr (document.colour[0].name, ==, "MoE-64");
  g_assert_cmpuint (document.colour[0].slot, ==, 2);
  g_assert_cmpuint (document.colour[1].slot, ==, 7);
}

/* What a style says rules, though it is the first of its kind; what it does not say stays. */
static void
test_applied (void)
{
  static const char first[]
    = "{\"sluice-style\": 1, \"legend\": \"none\", \"theme\": \"light\", \"palette\": "
      "\"bright\", \"titles\": false, \"type\": 9, \"line\": 2, \"ratio\": 0.5}";
  SlExportOptions options = sl_export_options (SL_PRESET_COLUMNS, 3), before = options;
  SlExportStyle   style;

  g_assert_true (sl_export_style_read (first, strlen (first), "style", &style, NULL));
  before.theme = options.theme = SL_THEME_DARK;
  before.palette = options.palette = SL_PALETTE_DEEP;
  sl_export_style_apply (&style, &options, 3);
  g_assert_cmpint (options.legend, ==, SL_LEGEND_NONE);
  g_assert_cmpint (options.theme, ==, SL_THEME_LIGHT);
  g_assert_cmpint (options.palette, ==, SL_PALETTE_BRIGHT);
  g_assert_false (options.titles);
  g_assert_cmpfloat (options.type, ==, 9.0);
  g_assert_cmpfloat (options.line, ==, 2.0);
  g_assert_cmpfloat (options.width, ==, before.width);
  /* Two rows of two, each half as high as wide. */
  g_assert_cmpfloat_with_epsilon (options.height, 0.5 * before.width, 1e-9);
  g_assert_true (options.font == before.font);
  g_assert_true (sl_export_style_read ("{\"sluice-style\": 1}", 19, "style", &style, NULL));
  options = before;
  sl_export_style_apply (&style, &options, 3);
  g_assert_cmpmem (&options, sizeof options, &before, sizeof before);
}

/* Which font is used instead of one that is missing is said, and nothing is said of one that is there. */
static void
test_fonts (void)
{
  const struct
  {
    const char *font;
    bool        said;
  } cases[] = { { "No Such Family 77, DejaVu Sans", true },
                { "DejaVu Sans, No Such Family 77", false },
                { "dejavu sans", false },
                { "sans-serif", false },
                { "", false } };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SlExportStyle    style = { .name = "" };
      g_autofree char *note = NULL;

      g_strlcpy (style.font, cases[i].font, sizeof style.font);
      note = sl_export_style_font_note (&style);
      g_assert_true ((note != NULL) == cases[i].said);
      if (note != NULL)
        {
          g_assert_nonnull (strstr (note, "No Such Family 77"));
          g_assert_nonnull (strstr (note, "DejaVu Sans"));
        }
    }
}

/* A file that was opened is a style from then on. */
static void
test_kept (void)
{
  static const char text[] = "{\"sluice-style\": 1, \"name\": \"Ours\", \"width\": 77}";
  g_autofree char  *folder = g_dir_make_tmp ("sluice-style-XXXXXX", NULL);
  g_autofree char  *path = g_build_filename (folder, "ours.json", NULL);
  g_autofree char  *hidden = g_build_filename (folder, ".json", NULL);
  g_autofree char  *name = NULL;
  g_auto (GStrv) names = NULL;
  SlExportStyle style;
  GError       *error = NULL;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_true (g_file_set_contents (hidden, text, -1, NULL));
  g_assert_true (sl_file_kind (path) == SL_FILE_STYLE);
  name = sl_export_style_keep (path, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (name, ==, "ours");
  names = sl_export_style_names ();
  g_assert_true (g_strv_contains ((const char *const *) names, "ours"));
  g_assert_true (sl_export_style_find ("ours", &style, &error));
  g_assert_cmpfloat (style.width, ==, 77.0);
  g_assert_null (sl_export_style_keep (hidden, &error));
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (path, "{\"sluice-style\": 1, \"width\": 1}", -1, NULL));
  g_assert_true (sl_file_kind (path) == SL_FILE_STYLE);
  g_assert_null (sl_export_style_keep (path, &error));
  g_clear_error (&error);
  g_unlink (path);
  g_unlink (hidden);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_autofree char *config = g_dir_make_tmp ("sluice-config-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (config, "sluice", "styles", NULL);
  g_autofree char *kept = g_build_filename (folder, "ours.json", NULL);
  g_autofree char *parent = g_path_get_dirname (folder);
  int              failed;

  /* Before anything asks for the folders. */
  g_setenv ("XDG_CONFIG_HOME", config, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/style/own", test_own);
  g_test_add_func ("/plot/style/colours", test_colours);
  g_test_add_func ("/plot/style/applied", test_applied);
  g_test_add_func ("/plot/style/fonts", test_fonts);
  g_test_add_func ("/plot/style/refused", test_refused);
  g_test_add_func ("/plot/style/kept", test_kept);
  failed = g_test_run ();
  g_unlink (kept);
  g_rmdir (folder);
  g_rmdir (parent);
  g_rmdir (config);
  return failed;
}
