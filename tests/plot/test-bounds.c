/* SPDX-License-Identifier: MIT
 *
 * What every figure has to keep to, whatever it looks like: no text is cut at the edge of its page or covers
 * another, the names of all curves are there, ticks stand where their numbers are, and nothing is outside of
 * its frame.  Letters have made-up widths, as in test-golden.c.  */
#include "tests/plot/made-up-text.h"

#include <math.h>

#include "plot/export/export.h"
#include "plot/layout/frame.h"
#include "tests/plot/plot-sample.h"
#include "tests/plot/svg-words.h"

/* ---- texts of pages ---- */

static GBytes *
page_of (SlFigure *const *figures, unsigned n, const SlExportOptions *options)
{
  GError *error = NULL;
  GBytes *page = sl_export_page (figures, n, options, SL_EXPORT_SVG, &error);

  g_assert_no_error (error);
  return page;
}

/* What a person did to the figure, another thing each way. */
static void
change (SlFigure *figure, unsigned way)
{
  SlView view = figure->view;

  if (way == 1 && figure->n_curves > 1)
    sl_figure_hide (figure, 1, true);
  figure->picks.picked = way == 2 ? 3 : 0;
  view.log_y = way == 3;
  view.log_x = way == 4;
  view.sorted = way >= 4;
  view.hide_raw = way == 1;
  view.smooth = way == 1 ? 0.1 : 0.0;
  sl_figure_set_view (figure, &view);
}

/* Every curve that is drawn has its name on the page, or in the number of those left out. */
static void
check_names (const SlFigure *figure, GBytes *svg, SlText *text)
{
  double  width, height;
  GArray *words = svg_words (svg, text, &width, &height);

  if (sl_figure_kind (figure)->lines && figure->n_curves > 1 && !svg_has_word (words, "+"))
    for (unsigned c = 0; c < figure->n_curves; c++)
      if (!figure->curve[c].hidden && figure->curve[c].title[0] != '\0')
        {
          g_autofree char *beginning = g_strndup (figure->curve[c].title, 5);

          if (!svg_has_word (words, beginning))
            g_test_message ("no name of “%s”", figure->curve[c].title);
          g_assert_true (svg_has_word (words, beginning));
        }
  g_array_unref (words);
}

static void
test_texts (gconstpointer data)
{
  unsigned p = GPOINTER_TO_UINT (data);
  SlText  *text = sl_text_new ("any");

  for (unsigned way = 0; way < 5; way++)
    for (unsigned preset = 0; preset < SL_N_PRESETS; preset++)
      {
        SlExportOptions  options = sl_export_options ((SlExportPreset) preset, 1);
        g_autofree char *what
          = g_strdup_printf ("%s, way %u, preset %u", sample_lab.panels[p].id, way, preset);
        g_autoptr (GBytes) page = NULL;
        SampleFigures f;

        options.legend = (SlLegendPlace) (SL_LEGEND_ABOVE + (way + preset) % 3);
        sample_figures_init (&f, way == 3 ? 12 : 220);
        change (&f.figure[p], way);
        page = page_of (f.list + p, 1, &options);
        svg_check_words (page, text, what);
        check_names (&f.figure[p], page, text);
        sample_figures_clear (&f);
      }
  sl_text_free (text);
}

/* Figures on one page do not reach into each other, with letters, titles, flags and a caption. */
static void
test_pages (void)
{
  SlText       *text = sl_text_new ("any");
  SampleFigures f;

  sample_figures_init (&f, 220);
  for (unsigned i = 0; i < 4; i++)
    {
      SlExportOptions  options = sl_export_options ((SlExportPreset) (i % SL_N_PRESETS), 6);
      unsigned         first = MIN (4 * i, SAMPLE_PANELS - 6);
      g_autofree char *what = g_strdup_printf ("page %u", i);
      g_autoptr (GBytes) page = NULL;

      options.legend = (SlLegendPlace) (SL_LEGEND_BELOW + i % 2);
      options.flags = true;
      options.letters = i != 1;
      options.titles = i != 2;
      options.caption
        = "A caption of some words that goes around the end of a line or two, as they do";
      page = page_of (f.list + first, 6, &options);
      svg_check_words (page, text, what);
    }
  sample_figures_clear (&f);
  sl_text_free (text);
}

/* ---- frames ---- */

static void
check_inside (const SlFrame *f, const SlRect *r, const char *what)
{
  if (r->w == 0.0)
    return;
  if (!(r->x >= -0.5 && r->y >= -0.5 && r->w > 0.0 && r->h >= 0.0 && r->x + r->w <= f->width + 0.5
        && r->y + r->h <= f->height + 0.5))
    {
      g_test_message ("%s of %.0f x %.0f: %.1f %.1f %.1f %.1f", what, f->width, f->height, r->x,
                      r->y, r->w, r->h);
      g_test_fail ();
    }
}

static void
check_ticks (const SlFrame *f)
{
  for (unsigned i = 0; i < f->n_x_ticks && f->n_x_ticks > 0 && sl_frame_kind (f)->lines; i++)
    g_assert_true (fabs (f->x_at[i] - sl_frame_x (f, f->x_tick[i].value)) <= 0.01
                   && f->x_at[i] >= f->plot.x - 0.5 && f->x_at[i] <= f->plot.x + f->plot.w + 0.5);
  for (unsigned i = 0; i < f->n_y_ticks && sl_frame_kind (f)->lines; i++)
    g_assert_true (fabs (f->y_at[i] - sl_frame_y (f, f->y_tick[i].value)) <= 0.01
                   && f->y_at[i] >= f->plot.y - 0.5 && f->y_at[i] <= f->plot.y + f->plot.h + 0.5);
}

/* Boxes are in the frame, and a value that is read off a place is the value drawn there. */
static void
check_frame (const SlFrame *f, unsigned tiles)
{
  check_inside (f, &f->plot, "plot");
  check_inside (f, &f->plate, "plate");
  check_inside (f, &f->inset_box, "inset");
  check_inside (f, &f->key, "key");
  check_inside (f, &f->key_zero, "key of zero");
  for (unsigned i = 0; i < f->n_chips; i++)
    check_inside (f, &f->chip[i].rect, f->chip[i].text);
  for (unsigned i = 0; i < f->n_flags; i++)
    check_inside (f, &f->flag[i].badge, "flag");
  for (unsigned i = 0; i < f->n_user_notes; i++)
    check_inside (f, &f->user_note[i].box, "note");
  for (unsigned i = 0; i < f->n_swatches; i++)
    check_inside (f, &f->swatch[i].box, f->swatch[i].text);
  for (unsigned i = 0; i < tiles && f->tiles.across > 0; i++)
    {
      SlRect tile = sl_frame_tile (f, i);

      check_inside (f, &tile, "tile");
    }
  if (f->empty)
    return;
  check_ticks (f);
  for (double at = 0.1; at < 1.0 && sl_frame_kind (f)->lines; at += 0.2)
    {
      double x = f->plot.x + at * f->plot.w, y = f->plot.y + at * f->plot.h;

      g_assert_true (fabs (sl_frame_x (f, sl_frame_value_x (f, x)) - x) <= 0.01);
      g_assert_true (fabs (sl_frame_y (f, sl_frame_value_y (f, y)) - y) <= 0.01);
    }
}

static const struct
{
  double      width, height;
  SlThemeKind theme;
  SlParts     parts;
} sizes[] = {
  { 640, 420, SL_THEME_LIGHT, { SL_LEGEND_BELOW, true, true, true, true } },
  { 470, 220, SL_THEME_PROJECTOR, { SL_LEGEND_ABOVE, true, true, true, true } },
  { 330, 240, SL_THEME_LIGHT, { SL_LEGEND_RIGHT, true, .letter = 28, .left = 90, .top = 50 } },
  { 300, 170, SL_THEME_DARK, { SL_LEGEND_INSIDE, .letter = 3 } },
  { 210, 150, SL_THEME_LIGHT, { SL_LEGEND_BELOW, true, true, true } },
  { 110, 70, SL_THEME_LIGHT, { SL_LEGEND_ABOVE, true, true, true } },
};

static void
test_frames (gconstpointer data)
{
  unsigned p = GPOINTER_TO_UINT (data);
  SlText  *text = sl_text_new ("any");
  SlFrame *frame = g_new0 (SlFrame, 1);

  for (unsigned i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      SlTheme       theme = sl_theme_get (sizes[i].theme);
      SampleFigures f;

      sample_figures_init (&f, i == 5 ? 12 : 220);
      change (&f.figure[p], i % 5);
      f.figure[p].view.inset = i % 2 == 0;
      f.figure[p].view.inset_x = (SlRange) { 500.0, 800.0 };
      f.figure[p].notes.n = 1;
      f.figure[p].notes.at[0] = (SlNote) { .x = 900.0, .y = 0.2 };
      sl_note_set_text (&f.figure[p].notes.at[0], "Here it begins to be better than without it");
      sl_figure_fit (&f.figure[p], HUGE_VAL);
      sl_frame_layout (frame, &f.figure[p], &theme, &sizes[i].parts, text, sizes[i].width,
                       sizes[i].height);
      check_frame (frame, f.figure[p].matrix.tiles);
      sample_figures_clear (&f);
    }
  g_free (frame);
  sl_text_free (text);
}

/* Tables of pictures of any number: each in the frame, none on another. */
static void
test_tables (void)
{
  SlTheme       theme = sl_theme_get (SL_THEME_LIGHT);
  SlText       *text = sl_text_new ("any");
  SlFrame      *frame = g_new0 (SlFrame, 1);
  SampleFigures f;

  sample_figures_init (&f, 5);
  for (unsigned s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (unsigned tiles = 1; tiles <= 24; tiles += tiles < 9 ? 1 : 5)
      for (unsigned across = 0; across < 6; across++)
        {
          SlFigure *figure = &f.figure[SAMPLE_FILTERS];

          figure->matrix.tiles = tiles;
          figure->matrix.across = across == 1 ? 12 : across;
          figure->matrix.names = tiles % 2 > 0 ? "first: of all\nsecond\n" : "";
          sl_figure_fit (figure, HUGE_VAL);
          sl_frame_layout (frame, figure, &theme, &(SlParts) { .title = true }, text,
                           sizes[s].width, sizes[s].height);
          check_frame (frame, tiles);
          for (unsigned i = 1; i < tiles && frame->tiles.across > 0; i++)
            {
              SlRect one = sl_frame_tile (frame, i - 1), next = sl_frame_tile (frame, i);

              g_assert_true (next.x >= one.x + one.w || next.y >= one.y + one.h);
            }
        }
  sample_figures_clear (&f);
  g_free (frame);
  sl_text_free (text);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (unsigned p = 0; p < SAMPLE_PANELS; p++)
    {
      g_autofree char *texts = g_strconcat ("/bounds/texts/", sample_lab.panels[p].id, NULL);
      g_autofree char *frames = g_strconcat ("/bounds/frames/", sample_lab.panels[p].id, NULL);

      g_test_add_data_func (texts, GUINT_TO_POINTER (p), test_texts);
      g_test_add_data_func (frames, GUINT_TO_POINTER (p), test_frames);
    }
  g_test_add_func ("/bounds/pages", test_pages);
  g_test_add_func ("/bounds/tables", test_tables);
  return g_test_run ();
}
