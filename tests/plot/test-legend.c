/* SPDX-License-Identifier: MIT
 *
 * Legends as files of their own, and colours that belong to names.  */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "core/labs/registry.h"
#include "plot/export/export.h"
#include "plot/figure/panel.h"
#include "tests/plot/plot-sample.h"

static void
set_up (SampleFigures *f, gconstpointer data)
{
  sample_figures_init (f, 200);
}

static void
tear_down (SampleFigures *f, gconstpointer data)
{
  sample_figures_clear (f);
}

static unsigned
count (const char *text, const char *word)
{
  unsigned n = 0;

  for (const char *at = strstr (text, word); at != NULL; at = strstr (at + 1, word))
    n++;
  return n;
}

static char *
svg_of (GBytes *bytes)
{
  gsize       n;
  const char *data;

  g_assert_nonnull (bytes);
  data = g_bytes_get_data (bytes, &n);
  return g_strndup (data, n);
}

/* The page has no name of a curve, the file beside it each once, also of two figures with the same. */
static void
test_apart (SampleFigures *f, gconstpointer data)
{
  SlExportOptions options = sl_export_options (SL_PRESET_COLUMNS, 2);
  SlFigure       *twice[] = { f->list[SAMPLE_AGREEMENT], f->list[SAMPLE_AGREEMENT] };
  GError         *error = NULL;
  g_autoptr (GBytes) page = NULL, legend = NULL;
  g_autofree char *page_text = NULL, *legend_text = NULL;

  options.legend = SL_LEGEND_APART;
  page = sl_export_page (twice, 2, &options, SL_EXPORT_SVG, &error);
  g_assert_no_error (error);
  page_text = svg_of (page);
  g_assert_cmpuint (count (page_text, ">layer 2<"), ==, 0);
  legend = sl_export_legend (twice, 2, &options, SL_EXPORT_SVG, &error);
  g_assert_no_error (error);
  legend_text = svg_of (legend);
  for (unsigned c = 0; c < f->figure[SAMPLE_AGREEMENT].n_curves; c++)
    {
      g_autofree char *name
        = g_strdup_printf (">%s<", sl_figure_name (&f->figure[SAMPLE_AGREEMENT], c));

      g_assert_cmpuint (count (legend_text, name), ==, 1);
    }
  g_assert_cmpuint (count (legend_text, "update"), ==, 0);
  g_assert_nonnull (strstr (legend_text, "Legend: "));
}

/* Narrow pages break it into rows, none of which is wider than the page. */
static void
test_rows (SampleFigures *f, gconstpointer data)
{
  SlExportOptions options = sl_export_options (SL_PRESET_COLUMNS, 1);
  double          height[2], width[2];

  for (unsigned i = 0; i < 2; i++)
    {
      g_autoptr (GBytes) bytes = NULL;
      g_autofree char *text = NULL;
      const char      *at;

      options.width = i == 0 ? 174.0 : 50.0;
      bytes = sl_export_legend (&f->list[SAMPLE_AGREEMENT], 1, &options, SL_EXPORT_SVG, NULL);
      text = svg_of (bytes);
      at = strstr (text, "width=\"");
      g_assert_nonnull (at);
      width[i] = g_ascii_strtod (at + strlen ("width=\""), NULL);
      at = strstr (text, "height=\"");
      height[i] = g_ascii_strtod (at + strlen ("height=\""), NULL);
      g_assert_cmpfloat (width[i], >, 10.0);
      g_assert_cmpfloat (width[i], <=, options.width + 0.5);
    }
  g_assert_cmpfloat (height[1], >, 1.5 * height[0]);
}

static void
test_saved (SampleFigures *f, gconstpointer data)
{
  static const char *const files[] = { "a.b.svg", "a.b-legend.svg", "map.svg" };
  g_autofree char         *folder = g_dir_make_tmp ("sluice-legend-XXXXXX", NULL);
  g_autofree char         *one = g_build_filename (folder, files[0], NULL);
  g_autofree char         *other = g_build_filename (folder, files[2], NULL);
  SlExportOptions          options = sl_export_options (SL_PRESET_COLUMN, 1);
  GError                  *error = NULL;

  options.legend = SL_LEGEND_APART;
  g_assert_true (
    sl_export_save (&f->list[SAMPLE_AGREEMENT], 1, &options, SL_EXPORT_SVG, one, &error));
  /* A figure without a legend has no file for it. */
  g_assert_true (sl_export_save (&f->list[SAMPLE_LOAD], 1, &options, SL_EXPORT_SVG, other, &error));
  g_assert_no_error (error);
  for (unsigned i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (folder, files[i], NULL);

      g_assert_cmpint (g_unlink (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0); /* nothing else was written */
}

/* Every format has one. */
static void
test_formats (SampleFigures *f, gconstpointer data)
{
  SlExportOptions options = sl_export_options (SL_PRESET_COLUMN, 1);

  for (int format = SL_EXPORT_PNG; format < SL_N_EXPORTS; format++)
    {
      GError *error = NULL;
      g_autoptr (GBytes) legend
        = sl_export_legend (&f->list[SAMPLE_LOSS], 1, &options, format, &error);
      g_autoptr (GBytes) again
        = sl_export_legend (&f->list[SAMPLE_LOSS], 1, &options, format, &error);

      g_assert_no_error (error);
      g_assert_nonnull (legend);
      g_assert_true (g_bytes_equal (legend, again));
      g_assert_null (sl_export_legend (&f->list[SAMPLE_LOAD], 1, &options, format, &error));
      g_assert_no_error (error);
    }
}

static SlFigure
figure_of (const char *const *names, unsigned n)
{
  SlFigure figure = { 0 };

  for (unsigned i = 0; i < n; i++)
    {
      SlCurve *curve = sl_figure_curve (&figure, names[i]);

      g_strlcpy (curve->title, names[i], sizeof curve->title);
      curve->slot = i;
    }
  return figure;
}

/* A name keeps its colour when it comes second, and a new one takes none that has a name. */
static void
test_names (void)
{
  static const char *const first[] = { "MoE-4", "MoE-64" }, *const second[] = { "LSTM", "MoE-64" },
                           *const third[] = { "given", "MoE-4" };
  SlColours                       colours = { 0 };
  SlFigure a = figure_of (first, 2), b = figure_of (second, 2), c = figure_of (third, 2);
  unsigned slots[2];

  sl_colours_assign (&colours, &a, slots);
  g_assert_cmpuint (slots[0], ==, 0);
  g_assert_cmpuint (slots[1], ==, 1);
  sl_colours_assign (&colours, &b, slots);
  g_assert_cmpuint (slots[1], ==, 1);
  g_assert_cmpuint (slots[0], ==, 2);
  g_assert_true (sl_colours_set (&colours, "given", 6));
  sl_colours_assign (&colours, &c, slots);
  g_assert_cmpuint (slots[0], ==, 6);
  g_assert_cmpuint (slots[1], ==, 0);
  g_assert_cmpuint (colours.n, ==, 4);
  sl_figure_clear (&a);
  sl_figure_clear (&b);
  sl_figure_clear (&c);
}

/* More names than colours: those that are new in a figure are not alike. */
static void
test_many (void)
{
  SlColours colours = { 0 };

  for (unsigned round = 0; round < 20; round++)
    {
      char        name[6][16];
      const char *names[6];
      SlFigure    figure;
      unsigned    slots[6];

      for (unsigned i = 0; i < 6; i++)
        {
          g_snprintf (name[i], sizeof name[i], "%u", 5 * round + i);
          names[i] = name[i];
        }
      figure = figure_of (names, 6);
      sl_colours_assign (&colours, &figure, slots);
      for (unsigned i = 0; i < 6; i++)
        for (unsigned k = 0; k < i; k++)
          if (!(round > 0 && (i == 0 || k == 0))) /* the first was named by the round before */
            g_assert_cmpuint (slots[i], !=, slots[k]);
      sl_figure_clear (&figure);
    }
  g_assert_cmpuint (colours.n, ==, SL_COLOURS_MAX);
}

/* The page has the colours, and the figure on the screen keeps its colours. */
static void
test_page (SampleFigures *f, gconstpointer data)
{
  SlColours       colours = { 0 };
  SlExportOptions options = sl_export_options (SL_PRESET_COLUMN, 1);
  SlFigure       *figure = f->list[SAMPLE_LOSS];
  unsigned        before[2] = { figure->curve[0].slot, figure->curve[1].slot };
  g_autoptr (GBytes) plain = NULL, coloured = NULL;

  g_assert_true (sl_colours_set (&colours, sl_figure_name (figure, 0), 5));
  plain = sl_export_page (&figure, 1, &options, SL_EXPORT_SVG, NULL);
  options.colours = &colours;
  coloured = sl_export_page (&figure, 1, &options, SL_EXPORT_SVG, NULL);
  g_assert_false (g_bytes_equal (plain, coloured));
  g_assert_cmpuint (figure->curve[0].slot, ==, before[0]);
  g_assert_cmpuint (figure->curve[1].slot, ==, before[1]);
}

static const struct
{
  double width, height;
} sizes[] = { { 420.0, 250.0 }, { 300.0, 200.0 }, { 900.0, 360.0 }, { 260.0, 420.0 } };

/* Every curve has one place in the legend, in which its own number can be read. */
static void
check_all_named (SlFigure *figure, double width, double height)
{
  SlTheme             theme = sl_theme_get (SL_THEME_LIGHT);
  SlText             *text = sl_text_new (theme.family);
  SlParts             parts = { .title = true, .note = true, .legend = SL_LEGEND_ABOVE };
  g_autofree SlFrame *frame = g_new (SlFrame, 1);

  sl_figure_fit (figure, HUGE_VAL);
  sl_frame_layout (frame, figure, &theme, &parts, text, width, height);
  g_assert_cmpuint (frame->n_more, ==, 0);
  g_assert_cmpuint (frame->n_chips, >, 0);
  for (unsigned c = 0; c < figure->n_curves; c++)
    {
      unsigned places = 0;

      for (unsigned i = 0; i < frame->n_chips; i++)
        places += c >= frame->chip[i].curve && c < frame->chip[i].curve + frame->chip[i].n;
      g_assert_cmpuint (places, ==, 1);
    }
  sl_text_free (text);
}

/* No curve of any lab is left without a name: "+ 2" names nothing. */
static void
test_labs (void)
{
  unsigned n = 0;

  for (unsigned l = 0; sl_labs[l] != NULL; l++)
    {
      const SlLab *lab = sl_labs[l];
      SlSettings   settings;
      SlRecord     record;
      SlStatus     status;

      sl_settings_default (&settings, lab->params, lab->n_params);
      status = sl_record_init (&record, lab, &settings, 1);
      g_assert_true (sl_ok (&status));
      for (unsigned c = 0; c < record.layout.n; c++)
        for (unsigned i = 0; i < 3; i++)
          g_assert_true (sl_record_take (&record, &(SlSample) { i, 1.0 + c + i, c, 1 }));
      for (unsigned p = 0; p < lab->n_panels; p++)
        {
          SlFigure figure = { 0 };

          sl_panel_update (&figure, &record, p, NULL, 0);
          if (figure.kind == SL_SERIES && figure.n_curves > 1)
            for (unsigned i = 0; i < G_N_ELEMENTS (sizes); i++)
              {
                check_all_named (&figure, sizes[i].width, sizes[i].height);
                n++;
              }
          sl_figure_clear (&figure);
        }
      sl_record_clear (&record);
    }
  g_assert_cmpuint (n, >, 100);
}

/* Where room is short, the curves of a run behind share its name before any name is cut. */
static void
test_ghosts (void)
{
  enum { OWN = 3, ALL = 6 };
  static const double      x[2] = { 0.0, 1.0 };
  static const char *const ids[ALL]
    = { "importance", "smooth load", "load", "ghost-1.a", "ghost-1.b", "ghost-1.c" };
  SlTheme             theme = sl_theme_get (SL_THEME_LIGHT);
  SlText             *text = sl_text_new (theme.family);
  SlParts             parts = { .title = true, .legend = SL_LEGEND_ABOVE };
  SlFigure            figure = figure_of (ids, ALL);
  g_autofree SlFrame *frame = g_new (SlFrame, 1);

  for (unsigned i = 0; i < ALL; i++)
    {
      figure.curve[i].x = figure.curve[i].y = x;
      figure.curve[i].n = 2;
      figure.curve[i].ghost = i >= OWN;
      g_strlcpy (figure.curve[i].group_title, i >= OWN ? "run before" : "", SL_GROUP_TITLE);
      if (i >= OWN)
        g_snprintf (figure.curve[i].title, SL_CURVE_TITLE, "%s (run before)", ids[i - OWN]);
    }
  figure.kind = SL_SERIES;
  sl_figure_end (&figure);
  figure.n_curves = ALL;
  check_all_named (&figure, 270.0, 190.0);
  sl_frame_layout (frame, &figure, &theme, &parts, text, 270.0, 190.0);
  g_assert_cmpuint (frame->n_chips, ==, OWN + 1);
  for (unsigned i = 0; i < OWN; i++)
    g_assert_cmpstr (frame->chip[i].text, ==, ids[i]);
  g_assert_cmpstr (frame->chip[OWN].text, ==, "run before");
  sl_frame_layout (frame, &figure, &theme, &parts, text, 1200.0, 400.0);
  g_assert_cmpuint (frame->n_chips, ==, ALL);
  sl_text_free (text);
  sl_figure_clear (&figure);
}

/* Many layers become a range, of which the first and the last are named. */
static void
test_range (void)
{
  enum { LAYERS = 24 };
  static const double x[2] = { 0.0, 1.0 };
  const char         *names[LAYERS];
  char                name[LAYERS][16];
  SlTheme             theme = sl_theme_get (SL_THEME_LIGHT);
  SlText             *text = sl_text_new (theme.family);
  SlParts             parts = { .title = true, .legend = SL_LEGEND_ABOVE };
  SlFigure            figure;
  g_autofree SlFrame *frame = g_new (SlFrame, 1);

  for (unsigned i = 0; i < LAYERS; i++)
    {
      g_snprintf (name[i], sizeof name[i], "layer %u", i + 1);
      names[i] = name[i];
    }
  figure = figure_of (names, LAYERS);
  for (unsigned i = 0; i < LAYERS; i++)
    {
      figure.curve[i].x = figure.curve[i].y = x;
      figure.curve[i].n = 2;
    }
  figure.kind = SL_SERIES;
  sl_figure_end (&figure);
  figure.n_curves = LAYERS;
  check_all_named (&figure, 300.0, 200.0);
  sl_frame_layout (frame, &figure, &theme, &parts, text, 300.0, 200.0);
  g_assert_cmpuint (frame->n_chips, ==, 1);
  g_assert_cmpuint (frame->chip[0].n, ==, LAYERS);
  g_assert_cmpstr (frame->chip[0].text, ==, "layer 1\342\200\22324");
  /* With more room, the name once and then numbers. */
  sl_frame_layout (frame, &figure, &theme, &parts, text, 640.0, 300.0);
  g_assert_cmpuint (frame->n_chips, ==, LAYERS);
  g_assert_cmpstr (frame->chip[0].text, ==, "layer 1");
  g_assert_cmpstr (frame->chip[LAYERS - 1].text, ==, "24");

  /* Where room is short, what is not in the plot goes before names are cut. */
  for (unsigned i = 0; i < LAYERS; i++)
    {
      g_snprintf (figure.curve[i].title, sizeof figure.curve[i].title, "some name %c", 'a' + i);
      figure.curve[i].hidden = i >= 3;
    }
  sl_frame_layout (frame, &figure, &theme, &parts, text, 240.0, 160.0);
  g_assert_cmpuint (frame->n_chips, ==, 3);
  g_assert_cmpuint (frame->n_more, ==, 0);
  for (unsigned i = 0; i < 3; i++)
    g_assert_cmpstr (frame->chip[i].text, ==, figure.curve[i].title);
  for (unsigned i = 0; i < LAYERS; i++)
    figure.curve[i].hidden = true;
  sl_frame_layout (frame, &figure, &theme, &parts, text, 240.0, 160.0);
  g_assert_cmpuint (frame->n_chips, >, 0);
  sl_text_free (text);
  sl_figure_clear (&figure);
}

/* No name is cut beside room that its row has left. */
static void
test_room (void)
{
  enum { ALL = 5 };
  static const double      x[2] = { 0.0, 1.0 };
  static const char *const names[ALL]
    = { "importance", "smooth load", "load", "chance", "full collapse" };
  SlTheme             theme = sl_theme_get (SL_THEME_LIGHT);
  SlText             *text = sl_text_new (theme.family);
  SlParts             parts = { .legend = SL_LEGEND_ABOVE };
  SlFigure            figure = figure_of (names, ALL);
  g_autofree SlFrame *frame = g_new (SlFrame, 1);
  unsigned            cut = 0;

  for (unsigned i = 0; i < ALL; i++)
    {
      figure.curve[i].x = figure.curve[i].y = x;
      figure.curve[i].n = 2;
    }
  figure.kind = SL_SERIES;
  sl_figure_end (&figure);
  figure.n_curves = ALL;
  for (double width = 120.0; width < 320.0; width += 4.0)
    {
      sl_frame_layout (frame, &figure, &theme, &parts, text, width, 200.0);
      for (unsigned c = 0; c < frame->n_chips && frame->n_more == 0; c++)
        {
          const SlChip *chip = &frame->chip[c], *last = chip;

          if (!g_str_has_suffix (chip->text, "\342\200\246"))
            continue;
          while (last + 1 < frame->chip + frame->n_chips && last[1].rect.y == chip->rect.y)
            last++;
          g_assert_cmpfloat (last->rect.x + last->rect.w, >=, width - 3.0 * theme.type);
          g_assert_cmpfloat (last->rect.x + last->rect.w, <=, width);
          cut++;
        }
    }
  g_assert_cmpuint (cut, >, 0);
  sl_text_free (text);
  sl_figure_clear (&figure);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/plot/legend/apart", SampleFigures, NULL, set_up, test_apart, tear_down);
  g_test_add ("/plot/legend/rows", SampleFigures, NULL, set_up, test_rows, tear_down);
  g_test_add ("/plot/legend/saved", SampleFigures, NULL, set_up, test_saved, tear_down);
  g_test_add ("/plot/legend/formats", SampleFigures, NULL, set_up, test_formats, tear_down);
  g_test_add_func ("/plot/legend/labs", test_labs);
  g_test_add_func ("/plot/legend/range", test_range);
  g_test_add_func ("/plot/legend/ghosts", test_ghosts);
  g_test_add_func ("/plot/legend/room", test_room);
  g_test_add_func ("/plot/colours/names", test_names);
  g_test_add_func ("/plot/colours/many", test_many);
  g_test_add ("/plot/colours/page", SampleFigures, NULL, set_up, test_page, tear_down);
  return g_test_run ();
}
