/* SPDX-License-Identifier: MIT
 *
 * Figures as files, read back by other means than they were written with.  */
#include <glib.h>
#include <glib/gstdio.h>
#include <locale.h>
#include <math.h>
#include <png.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/record/recipe.h"
#include "plot/charts/overlay.h"
#include "plot/export/describe.h"
#include "plot/export/export.h"
#include "plot/export/looks.h"
#include "plot/export/sheet.h"
#include "plot/figure/panel.h"
#include "tests/plot/plot-sample.h"

static const char recipe_text[] = "{\"lab\": \"<sample> & \\\"Söhne\\\"\", \"seed\": 7}";

static GBytes *export(SampleFigures *sheet, unsigned first, unsigned n, SlExportPreset preset,
                      SlExportFormat format)
{
  SlExportOptions options = sl_export_options (preset, n);
  GError         *error = NULL;
  GBytes         *bytes;

  options.recipe = recipe_text;
  options.caption
    = "Sample · rank 5-5-5 · seed 7 · a caption that is longer than a narrow column is "
      "wide, so that it has to be broken into lines";
  options.dpi = MIN (options.dpi, 200.0);
  bytes = sl_export_page (sheet->list + first, n, &options, format, &error);
  g_assert_no_error (error);
  g_assert_nonnull (bytes);
  return bytes;
}

/* What an SVG holds. */
typedef struct
{
  GString    *texts; /* each with a line end */
  unsigned    n_texts, paths, images;
  GHashTable *seen; /* names */
  GString    *recipe, *title, *description;
  GString    *open; /* which of these takes what is between the tags, or NULL */
  char       *width;
} Found;

static void
start_element (GMarkupParseContext *context, const char *element, const char **names,
               const char **values, gpointer data, GError **error)
{
  Found *found = data;

  for (unsigned i = 0; names[i] != NULL; i++)
    {
      /* A name stands for one thing. */
      if (strcmp (names[i], "id") == 0)
        g_assert_true (g_hash_table_add (found->seen, g_strdup (values[i])));
      /* No "nan", no exponent, no comma. */
      if (strcmp (names[i], "d") == 0)
        g_assert_cmpuint (strspn (values[i], "MLhZ0123456789.- "), ==, strlen (values[i]));
      if (strcmp (names[i], "width") == 0 && found->width == NULL)
        found->width = g_strdup (values[i]);
    }
  found->n_texts += strcmp (element, "text") == 0;
  found->paths += strcmp (element, "path") == 0;
  found->images += strcmp (element, "image") == 0;
  found->open = strcmp (element, "text") == 0       ? found->texts
                : strcmp (element, "metadata") == 0 ? found->recipe
                : strcmp (element, "title") == 0    ? found->title
                : strcmp (element, "desc") == 0     ? found->description
                                                    : NULL;
}

static void
end_element (GMarkupParseContext *context, const char *element, gpointer data, GError **error)
{
  Found *found = data;

  if (strcmp (element, "text") == 0)
    g_string_append_c (found->texts, '\n');
  found->open = NULL;
}

static void
between (GMarkupParseContext *context, const char *text, gsize length, gpointer data,
         GError **error)
{
  Found *found = data;

  if (found->open != NULL)
    g_string_append_len (found->open, text, (gssize) length);
}

static void
read_svg (GBytes *bytes, Found *found)
{
  static const GMarkupParser parser = { start_element, end_element, between, NULL, NULL };
  GMarkupParseContext       *context = g_markup_parse_context_new (&parser, 0, found, NULL);
  GError                    *error = NULL;
  gsize                      size;
  const char                *data = g_bytes_get_data (bytes, &size);

  *found = (Found) { .texts = g_string_new (NULL),
                     .recipe = g_string_new (NULL),
                     .title = g_string_new (NULL),
                     .description = g_string_new (NULL),
                     .seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL) };
  g_assert_true (g_markup_parse_context_parse (context, data, (gssize) size, &error));
  g_assert_true (g_markup_parse_context_end_parse (context, &error));
  g_assert_no_error (error);
  g_markup_parse_context_free (context);
}

static void
found_clear (Found *found)
{
  g_string_free (found->texts, TRUE);
  g_hash_table_unref (found->seen);
  g_string_free (found->recipe, TRUE);
  g_string_free (found->title, TRUE);
  g_string_free (found->description, TRUE);
  g_free (found->width);
}

static void
test_svg (void)
{
  static const char *const expected[] = { "(a) Sign agreement\n",
                                          "(b) Loss\n",
                                          "update\n",
                                          "correct signs (%)\n",
                                          "all off, layer 3\n",
                                          "2–3\n",
                                          "cross entropy (nats)\n",
                                          "batch 64\n",
                                          "4.84\n",
                                          "First values after ",
                                          "0.46\n",
                                          "500 walks, mean ± one standard deviation\n",
                                          "≥\302\2403\n",
                                          "dead\n",
                                          "load ÷ ideal\n",
                                          "Ankle boot\n",
                                          "both\n" };
  SampleFigures            sheet;
  g_autoptr (GBytes) bytes = NULL;
  Found found;

  sample_figures_init (&sheet, 1500);
  bytes = export(&sheet, 0, SAMPLE_PANELS, SL_PRESET_COLUMNS, SL_EXPORT_SVG);
  read_svg (bytes, &found);
  for (unsigned i = 0; i < G_N_ELEMENTS (expected); i++)
    if (strstr (found.texts->str, expected[i]) == NULL)
      g_error ("no text \"%s\" in the SVG", expected[i]);
  g_assert_cmpuint (found.n_texts, >, 120);
  g_assert_cmpuint (found.paths, >, 60);
  /* Three heat maps and two histories, tiles, pictures, eight colour bars, the inputs of three pictures of networks. */
  g_assert_cmpuint (found.images, ==, 5 + 24 + 3 + 8 + 3);
  g_assert_cmpstr (found.recipe->str, ==, recipe_text);
  g_assert_cmpstr (found.title->str, ==, "Sign agreement");
  g_assert_nonnull (strstr (found.description->str, "curves of correct signs over update"));
  g_assert_cmpstr (found.width, ==, "174mm");
  found_clear (&found);
  sample_figures_clear (&sheet);
}

/* Twice the same bytes, also with a comma for the decimal point. */
static void
test_repeat (void)
{
  g_autofree char *before = g_strdup (setlocale (LC_NUMERIC, NULL));

  for (int format = SL_EXPORT_PNG; format < SL_N_EXPORTS; format++)
    {
      g_autoptr (GBytes) first = NULL, second = NULL;
      SampleFigures sheet;

      setlocale (LC_NUMERIC, "C");
      sample_figures_init (&sheet, 700);
      first = export(&sheet, 0, SAMPLE_PANELS, SL_PRESET_COLUMNS, (SlExportFormat) format);
      sample_figures_clear (&sheet);
      if (setlocale (LC_NUMERIC, "de_DE.UTF-8") == NULL
          && setlocale (LC_NUMERIC, "fr_FR.UTF-8") == NULL)
        g_test_message ("no locale with a comma is installed");
      sample_figures_init (&sheet, 700);
      second = export(&sheet, 0, SAMPLE_PANELS, SL_PRESET_COLUMNS, (SlExportFormat) format);
      sample_figures_clear (&sheet);
      g_assert_true (g_bytes_equal (first, second));
    }
  setlocale (LC_NUMERIC, before);
}

/* Exporting does not touch what the screen shows. */
static void
test_undisturbed (void)
{
  SampleFigures sheet;
  SlRange       before;
  uint64_t      version;

  sample_figures_init (&sheet, 300);
  sl_figure_fit (&sheet.figure[0], 0.0);
  sheet.figure[0].y_range.hi = before.hi = 150.0; /* as if it had not shrunk yet */
  before.lo = sheet.figure[0].y_range.lo;
  version = sheet.figure[0].version;
  g_bytes_unref (export(&sheet, 0, 1, SL_PRESET_SCREEN, SL_EXPORT_SVG));
  g_assert_cmpfloat (sheet.figure[0].y_range.hi, ==, before.hi);
  g_assert_cmpfloat (sheet.figure[0].y_range.lo, ==, before.lo);
  g_assert_cmpuint (sheet.figure[0].version, ==, version);
  sample_figures_clear (&sheet);
}

typedef struct
{
  const unsigned char *data;
  gsize                left;
} Reader;

static void
read_bytes (png_structp png, png_bytep to, png_size_t n)
{
  Reader *reader = png_get_io_ptr (png);

  g_assert_cmpuint (reader->left, >=, n);
  memcpy (to, reader->data, n);
  reader->data += n;
  reader->left -= n;
}

static void
test_png (void)
{
  SampleFigures sheet;
  g_autoptr (GBytes) bytes = NULL;
  Reader      reader;
  png_structp png;
  png_infop   info;
  png_textp   texts;
  png_uint_32 across, down;
  int         n_texts, unit;

  sample_figures_init (&sheet, 300);
  bytes = export(&sheet, 0, 1, SL_PRESET_COLUMN, SL_EXPORT_PNG);
  reader.data = g_bytes_get_data (bytes, &reader.left);
  png = png_create_read_struct (PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  info = png_create_info_struct (png);
  if (setjmp (png_jmpbuf (png)) != 0)
    g_error ("libpng does not accept the file");
  png_set_read_fn (png, &reader, read_bytes);
  png_read_png (png, info, PNG_TRANSFORM_IDENTITY, NULL);
  g_assert_cmpuint (png_get_image_width (png, info), ==, (unsigned) lround (84.0 / 25.4 * 200.0));
  g_assert_cmpuint (png_get_image_height (png, info), ==, (unsigned) lround (60.0 / 25.4 * 200.0));
  g_assert_cmpint (png_get_color_type (png, info), ==, PNG_COLOR_TYPE_RGB);
  g_assert_true (png_get_pHYs (png, info, &across, &down, &unit) != 0);
  g_assert_cmpuint (across, ==, 7874); /* 200 dpi in pixels per metre */
  g_assert_cmpuint (down, ==, 7874);
  g_assert_cmpint (unit, ==, PNG_RESOLUTION_METER);
  g_assert_cmpint (png_get_text (png, info, &texts, &n_texts), ==, 4);
  g_assert_cmpstr (texts[0].key, ==, "Title");
  g_assert_cmpstr (texts[1].key, ==, "Description");
  g_assert_nonnull (strstr (texts[1].text, "; lowest "));
  g_assert_cmpstr (texts[2].key, ==, "sluice-recipe");
  g_assert_cmpstr (texts[2].text, ==, recipe_text);
  g_assert_cmpint (texts[2].compression, ==, PNG_ITXT_COMPRESSION_NONE);
  g_assert_cmpstr (texts[3].key, ==, "Software");
  png_destroy_read_struct (&png, &info, NULL);
  sample_figures_clear (&sheet);
}

/* A curve, a gap in it, a hidden one, a zoom and changes in words. */
static void
test_words (void)
{
  static const double x[] = { 0.0, 10.0, 20.0, 30.0, 40.0 };
  static const double y[] = { 8.0, NAN, 12.5, 3.0, 4.0 };
  SlChangeMarker      flag[] = { { .step = 20.0, .number = 1 }, { .step = 900.0, .number = 2 } };
  SlFigure            figure = { .title = "Error",
                                 .kind = SL_SERIES,
                                 .x = { .label = "update" },
                                 .y = { .label = "wrong predictions", .unit = "%" },
                                 .flags.at = flag,
                                 .flags.n = 2 };
  SlFigure           *list[] = { &figure };
  SlCurve            *curve;

  g_strlcpy (flag[0].text, "Rank 5 \342\206\222 8", sizeof flag[0].text);
  for (unsigned c = 0; c < 2; c++)
    {
      curve = sl_figure_curve (&figure, c == 0 ? "train" : "valid");
      g_strlcpy (curve->title, c == 0 ? "train" : "valid", sizeof curve->title);
      g_strlcpy (curve->unit, "%", sizeof curve->unit);
      curve->x = x;
      curve->y = y;
      curve->n = G_N_ELEMENTS (x);
      curve->hidden = c == 1;
    }
  for (unsigned zoomed = 0; zoomed < 2; zoomed++)
    {
      g_autofree char *words = NULL;

      figure.view.zoomed = zoomed == 1;
      figure.view.x_lo = 15.0;
      figure.view.x_hi = 40.0;
      sl_figure_fit (&figure, HUGE_VAL);
      words = sl_export_describe (list, 1);
      g_assert_cmpstr (
        words, ==,
        zoomed == 1 ? "Error: curves of wrong predictions over update. train: 12.5\302\240% at "
                      "update 20, ends with 4\302\240% at update 40; lowest 3\302\240% at update "
                      "30, highest 12.5\302\240% at update 20. Changes: 1 at update 20, Rank 5 "
                      "\342\206\222 8."
                    : "Error: curves of wrong predictions over update. train: 8\302\240% at "
                      "update 0, ends with 4\302\240% at update 40; lowest 3\302\240% at update "
                      "30, highest 12.5\302\240% at update 20. Changes: 1 at update 20, Rank 5 "
                      "\342\206\222 8.");
    }
  sl_figure_clear (&figure);
}

static void
test_pdf (void)
{
  g_autofree char *program = g_find_program_in_path ("pdftotext");
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "sluice-test-figure.pdf", NULL);
  g_autofree char *out = NULL;
  SlExportOptions  options = sl_export_options (SL_PRESET_COLUMNS, 4);
  GError          *error = NULL;
  SampleFigures    sheet;
  char            *argv[] = { program, path, (char *) "-", NULL };
  int              status;

  sample_figures_init (&sheet, 300);
  options.recipe = recipe_text;
  g_assert_true (sl_export_save (sheet.list, 4, &options, SL_EXPORT_PDF, path, &error));
  g_assert_no_error (error);
  sample_figures_clear (&sheet);
  if (program == NULL)
    {
      g_test_skip ("pdftotext is not installed");
      return;
    }
  g_assert_true (
    g_spawn_sync (NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, NULL, &status, &error));
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  g_assert_nonnull (strstr (out, "(a) Sign agreement"));
  g_assert_nonnull (strstr (out, "training loss"));
  g_assert_nonnull (strstr (out, "mean ± one standard deviation"));
  g_assert_cmpint (g_unlink (path), ==, 0);
}

/* The recipe of a real lab comes back out of every kind of file. */
static void
test_recipe (void)
{
  static const char *const names[] = { "sluice-test.png", "sluice-test.svg", "sluice-test.pdf",
                                       "sluice-test.tikz", "sluice-test.py" };
  const SlLab             *lab = sl_labs[0];
  g_autofree char         *text = NULL, *caption = NULL, *usual = NULL;
  SlExportOptions          options = sl_export_options (SL_PRESET_SLIDE, 1);
  SlSettings               settings;
  SlRecipe                 recipe;
  SampleFigures            sheet;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_settings_settle (&settings, lab->params, lab->n_params);
  sl_recipe_init (&recipe, lab, &settings, NULL, 7);
  text = sl_recipe_write (&recipe);
  caption = sl_export_caption (text);
  g_assert_nonnull (caption);
  usual = g_strdup_printf ("%s \302\267 seed 7", lab->title);
  g_assert_cmpstr (caption, ==, usual); /* nothing of what is as always */
  g_assert_null (sl_export_caption ("{\"lab\": \"no such lab\"}"));
  sl_recipe_clear (&recipe);

  options.recipe = text;
  options.caption = caption;
  sample_figures_init (&sheet, 50);
  for (unsigned i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (g_get_tmp_dir (), names[i], NULL);
      g_autofree char *back = NULL;
      GError          *error = NULL;
      int              format = sl_export_format_for (path);

      g_assert_cmpint (format, ==, (int) i);
      g_assert_true (
        sl_export_save (sheet.list, 1, &options, (SlExportFormat) format, path, &error));
      g_assert_no_error (error);
      back = sl_recipe_find (path, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (back, ==, text);
      g_assert_cmpint (g_unlink (path), ==, 0);
    }
  sample_figures_clear (&sheet);
}

/* A hundred times the samples, about the same file. */
static void
test_size (void)
{
  for (int format = SL_EXPORT_SVG; format <= SL_EXPORT_TIKZ; format++)
    {
      g_autoptr (GBytes) few = NULL, many = NULL;
      SampleFigures sheet;

      sample_figures_init (&sheet, 4000);
      few = export(&sheet, SAMPLE_AGREEMENT, 1, SL_PRESET_COLUMNS, (SlExportFormat) format);
      sample_figures_clear (&sheet);
      sample_figures_init (&sheet, 400000);
      many = export(&sheet, SAMPLE_AGREEMENT, 1, SL_PRESET_COLUMNS, (SlExportFormat) format);
      sample_figures_clear (&sheet);
      g_assert_cmpuint (g_bytes_get_size (many), <, 500000);
      g_assert_cmpuint (g_bytes_get_size (many), <, 4 * g_bytes_get_size (few));
    }
}

static void
test_options (void)
{
  static const struct
  {
    double      width, height, dpi, type, line;
    const char *says;
  } rows[] = {
    { 5, 60, 200, 8, 1, "width in mm" },    { NAN, 60, 200, 8, 1, "width in mm" },
    { 80, 1e9, 200, 8, 1, "height in mm" }, { 80, 60, 5, 8, 1, "DPI" },
    { 80, 60, 200, 0, 1, "type size" },     { 80, 60, 200, 8, -1, "line width" },
    { 1900, 1900, 2400, 8, 1, "pixels" },
  };
  SlExportOptions options;
  GError         *error = NULL;
  SampleFigures   sheet;

  sample_figures_init (&sheet, 20);
  for (unsigned i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      options = sl_export_options (SL_PRESET_SCREEN, 1);
      options.width = rows[i].width;
      options.height = rows[i].height;
      options.dpi = rows[i].dpi;
      options.type = rows[i].type;
      options.line = rows[i].line;
      g_assert_null (sl_export_page (sheet.list, 1, &options, SL_EXPORT_PNG, &error));
      g_assert_nonnull (error);
      g_assert_nonnull (strstr (error->message, rows[i].says));
      g_clear_error (&error);
    }
  options = sl_export_options (SL_PRESET_SCREEN, 1);
  g_assert_null (sl_export_page (sheet.list, 0, &options, SL_EXPORT_PNG, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_false (
    sl_export_save (sheet.list, 1, &options, SL_EXPORT_PNG, "/nowhere/at/all.png", &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  for (int p = 0; p < SL_N_PRESETS; p++)
    g_assert_cmpint (sl_export_preset_find (sl_export_preset_id ((SlExportPreset) p)), ==, p);
  g_assert_cmpint (sl_export_preset_find ("poster"), ==, -1);
  g_assert_cmpint (sl_export_format_for ("a.b/FIG.SVG"), ==, SL_EXPORT_SVG);
  g_assert_cmpint (sl_export_format_for ("figure.tex"), ==, SL_EXPORT_TIKZ);
  g_assert_cmpint (sl_export_format_for ("figure.jpeg"), ==, -1);
  /* Names lead back to what they name, and others nowhere. */
  for (int i = 0; i < SL_N_LEGENDS; i++)
    g_assert_cmpint (sl_export_legend_find (sl_export_legend_id ((SlLegendPlace) i)), ==, i);
  for (int i = SL_THEME_LIGHT; i <= SL_THEME_GREY; i++)
    if (sl_export_theme_id ((SlThemeKind) i) != NULL)
      g_assert_cmpint (sl_export_theme_find (sl_export_theme_id ((SlThemeKind) i)), ==, i);
  g_assert_null (sl_export_preset_id (SL_N_PRESETS));
  g_assert_cmpint (sl_export_legend_find ("nothing"), ==, -1);
  g_assert_cmpint (sl_export_theme_find ("nothing"), ==, -1);
  sample_figures_clear (&sheet);
}

/* Text that XML would take for itself, or cannot hold at all, still makes a good document. */
static void
test_hostile_text (void)
{
  SlExportOptions options = sl_export_options (SL_PRESET_SCREEN, 1);
  g_autoptr (GBytes) bytes = NULL;
  Found         found;
  SampleFigures sheet;

  sample_figures_init (&sheet, 20);
  g_strlcpy (sheet.figure[0].title, "a < b && \"c\" \001\002 \xff\xfe",
             sizeof sheet.figure[0].title);
  options.caption = "</text><script>x</script>\b";
  options.recipe = "]]> <!-- &lt; \001";
  bytes = sl_export_page (sheet.list, 1, &options, SL_EXPORT_SVG, NULL);
  g_assert_nonnull (bytes);
  read_svg (bytes, &found);
  g_assert_nonnull (strstr (found.texts->str, "a < b && \"c\""));
  g_assert_nonnull (strstr (found.texts->str, "</text><script>x</script>"));
  g_assert_true (g_str_has_prefix (found.recipe->str, "]]> <!-- &lt; "));
  found_clear (&found);
  sample_figures_clear (&sheet);
}

/* Many curves with a place each in the legend. */
static void
make_many (SlFigure *figure, SlSeries *series, unsigned n)
{
  *figure = (SlFigure) { 0 };
  sl_overlay_begin_curves (figure, "error", "step");
  for (unsigned i = 0; i < n; i++)
    {
      g_autofree char *title = g_strdup_printf ("quiet heron %u", i);

      g_assert_true (
        sl_overlay_series (figure, &(SlOverlayRun) { .title = title, .number = i + 1, .slot = i },
                           &(SlOverlayTrace) { .id = "error", .unit = "%" }, series));
    }
  sl_overlay_end (figure);
}

static double
plot_height (SlFigure *figure, const SlExportOptions *options)
{
  SlPlotSheet sheet;
  double      height;

  sl_plot_sheet_init (&sheet, &figure, 1, options, 0.0);
  height = sheet.frame[0].plot.h / SL_PX_PER_MM;
  sl_plot_sheet_clear (&sheet);
  return height;
}

/* A page grows by what its plot lacks; one that has enough, and a slide, stay as they are. */
static void
test_fit (void)
{
  SlSeries series = { 0 };

  for (unsigned i = 0; i < 20; i++)
    sl_series_append (&series, i, 20.0 / (1 + i));
  for (unsigned n = 1; n <= 61; n += 15)
    for (SlExportPreset preset = SL_PRESET_SCREEN; preset < SL_N_PRESETS; preset++)
      {
        SlExportOptions options = sl_export_options (preset, 1), before = options;
        SlFigure        figure;
        double          enough = 0.36 * before.height, had;

        make_many (&figure, &series, n);
        had = plot_height (&figure, &before);
        sl_export_fit (&options, preset, (SlFigure *[]) { &figure }, 1);
        g_assert_true (preset != SL_PRESET_COLUMN || n < 61 || had < enough);
        if (preset == SL_PRESET_SLIDE || had >= enough)
          g_assert_cmpfloat (options.height, ==, before.height);
        else
          {
            g_assert_cmpfloat (plot_height (&figure, &options), >=, enough - 0.5);
            g_assert_cmpfloat (plot_height (&figure, &options), <, enough + 2.0);
          }
        g_assert_cmpfloat (options.width, ==, before.width);
        sl_figure_clear (&figure);
      }
  sl_series_clear (&series);
}

/* A page grows until the title of y is whole, but not for one that is longer than the plot is wide. */
static void
test_fit_title (void)
{
  static const struct
  {
    const char *label;
    bool        grows;
  } cases[] = { { "y", false },
                { "wrong predictions among all of them", true },
                { "a title of y that is far too long to be whole beside any plot of this width, "
                  "which is that of one column of a journal with two",
                  false } };
  SlSeries series = { 0 };

  for (unsigned i = 0; i < 20; i++)
    sl_series_append (&series, i, 20.0 / (1 + i));
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SlExportOptions options = sl_export_options (SL_PRESET_COLUMN, 1), before;
      SlFigure        figure;

      options.height = 30.0;
      before = options;
      make_many (&figure, &series, 1);
      figure.y.label = cases[i].label;
      sl_export_fit (&options, SL_PRESET_COLUMN, (SlFigure *[]) { &figure }, 1);
      g_assert_true ((options.height > before.height) == cases[i].grows);
      g_assert_cmpfloat (options.height, <, 60.0);
      if (cases[i].grows)
        {
          g_autoptr (GBytes) svg
            = sl_export_page ((SlFigure *[]) { &figure }, 1, &options, SL_EXPORT_SVG, NULL);

          g_assert_nonnull (g_strstr_len (g_bytes_get_data (svg, NULL),
                                          (gssize) g_bytes_get_size (svg), cases[i].label));
        }
      sl_figure_clear (&figure);
    }
  sl_series_clear (&series);
}

/* Every style gives four figures room, however many are to be side by side; where fewer are, that is said.  A page that
 * was named keeps its width.  */
static void
test_styled (void)
{
  g_auto (GStrv) names = sl_export_style_names ();
  SlSeries series = { 0 };
  SlFigure figure[4], *page[4];

  for (unsigned i = 0; i < 20; i++)
    sl_series_append (&series, i, 20.0 / (1 + i));
  for (unsigned i = 0; i < 4; i++)
    {
      make_many (&figure[i], &series, 5);
      page[i] = &figure[i];
    }
  for (unsigned i = 0; names[i] != NULL; i++)
    for (int across = 1; across <= 4; across++)
      {
        g_autofree char *note = NULL;
        g_autoptr (GBytes) svg = NULL;
        SlExportOptions options;
        SlExportStyle   style;
        SlLooks         looks;
        bool            fewer;

        sl_looks_init (&looks);
        looks.style = names[i];
        looks.across = across;
        svg = sl_looks_bytes (&looks, page, 4, NULL, SL_EXPORT_SVG, &note, NULL);
        g_assert_nonnull (svg);
        fewer = note != NULL && strstr (note, "side by side") != NULL;
        g_assert_true (note == NULL || fewer || strstr (note, "not installed") != NULL);
        g_assert_true (note == NULL || strstr (note, "too small") == NULL);
        g_assert_true (across < 3 || strcmp (names[i], "icml") != 0 || fewer);
        looks.page = (char *) "column";
        g_assert_true (sl_looks_options (&looks, 4, &style, &options, NULL));
        g_assert_cmpfloat (options.width, ==, 84.0);
      }
  for (unsigned i = 0; i < 4; i++)
    sl_figure_clear (&figure[i]);
  sl_series_clear (&series);
}

/* A caption has the name of a file, options that are not as usual, and what a setting was when. */
static void
test_caption (void)
{
  const SlLab     *lab = sl_lab_find ("experts");
  SlSettings       settings;
  SlRecipe         recipe;
  SlChange         change[] = { { 100, 0, { .n = 1 } }, { 250, 0, { .n = 1 } } };
  g_autofree char *text = NULL, *caption = NULL;
  int              k = sl_param_find (lab->params, lab->n_params, "k");

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_settings_settle (&settings, lab->params, lab->n_params);
  sl_recipe_init (&recipe, lab, &settings, NULL, 7);
  g_strlcpy (recipe.data, "/home/someone/mine.csv:valid=0.3,seed=1", sizeof recipe.data);
  recipe.changes = g_array_new (FALSE, FALSE, sizeof (SlChange));
  for (unsigned i = 0; i < 2; i++)
    {
      change[i].param = (unsigned) k;
      change[i].value = settings.value[k];
      change[i].value.v[0] = i + 1;
      g_array_append_val (recipe.changes, change[i]);
    }
  recipe.step = 300;
  text = sl_recipe_write (&recipe);
  caption = sl_export_caption (text);
  g_assert_nonnull (strstr (caption, " \342\206\222 1 (update 100) \342\206\222 2 (update 250)"));
  g_assert_nonnull (strstr (caption, "mine.csv:valid=0.3 "));
  g_assert_null (strstr (caption, "someone"));
  sl_recipe_clear (&recipe);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/export/svg", test_svg);
  g_test_add_func ("/plot/export/repeat", test_repeat);
  g_test_add_func ("/plot/export/undisturbed", test_undisturbed);
  g_test_add_func ("/plot/export/png", test_png);
  g_test_add_func ("/plot/export/pdf", test_pdf);
  g_test_add_func ("/plot/export/words", test_words);
  g_test_add_func ("/plot/export/recipe", test_recipe);
  g_test_add_func ("/plot/export/styled", test_styled);
  g_test_add_func ("/plot/export/caption", test_caption);
  g_test_add_func ("/plot/export/size", test_size);
  g_test_add_func ("/plot/export/options", test_options);
  g_test_add_func ("/plot/export/fit", test_fit);
  g_test_add_func ("/plot/export/fit-title", test_fit_title);
  g_test_add_func ("/plot/export/hostile-text", test_hostile_text);
  return g_test_run ();
}
