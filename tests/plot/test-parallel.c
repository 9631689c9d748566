/* SPDX-License-Identifier: MIT
 *
 * Parallel coordinates with long names, on pages of any size: nothing is cut at the edge or lies on something else, and
 * axes are no finer than what they show.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "plot/export/export.h"
#include "plot/layout/parallel.h"
#include "tests/plot/svg-words.h"

/* The gates of a lab, and a longer one. */
static const SlChoice gates[] = {
  { "noisy", "Noisy top-k" },        { "strict", "Strictly balanced" },
  { "dense", "Dense mixture" },      { "soft", "Soft mixture" },
  { "base", "Balanced assignment" }, { "relu", "ReLU routing" },
  { "choice", "Expert choice" },     { "switch", "Switch" },
  { "bias", "Loss-free bias" },      { NULL, NULL },
};

static const struct
{
  const char *title, *unit;
  bool        named;
} axes[] = {
  { "Gate", "", true },    { "Experts per example k", "", false }, { "executed", "%", false },
  { "timed", "%", false }, { "test error", "%", false },
};

enum { LINES = 60, N = G_N_ELEMENTS (axes) };

/* Axes in an order that begins with any of them. */
static void
fill (SlParallel *parallel, unsigned turn)
{
  for (unsigned a = 0; a < N; a++)
    {
      unsigned from = (a + turn) % N;

      sl_parallel_axis (parallel, axes[from].title, axes[from].unit, false)->choices
        = axes[from].named ? gates : NULL;
    }
  for (unsigned i = 0; i < LINES; i++)
    {
      double line[N];

      for (unsigned a = 0; a < N; a++)
        line[a] = axes[(a + turn) % N].named ? 2 * (i % 5) : 10.0 + 37.3 * sin (i * (a + 1.7));
      g_assert_true (sl_parallel_line (parallel, line));
    }
  parallel->colour = N - 1;
}

static GBytes *
page_of (SlFigure *figure, double width, double height, double type)
{
  SlExportOptions options = sl_export_options (SL_PRESET_SCREEN, 1);
  GError         *error = NULL;
  GBytes         *page;

  options.width = width;
  options.height = height;
  options.type = type;
  page = sl_export_page (&figure, 1, &options, SL_EXPORT_SVG, &error);
  g_assert_no_error (error);
  return page;
}

/* The words of the axes that a page has whole. */
static unsigned
count_whole (GBytes *page, SlText *text, const SlChoice *choices)
{
  double   width, height;
  unsigned n = 0;
  GArray  *words = svg_words (page, text, &width, &height);

  for (; choices->id != NULL; choices++)
    for (guint i = 0; i < words->len; i++)
      n += g_str_equal (g_array_index (words, SvgWord, i).text, choices->title);
  g_array_unref (words);
  return n;
}

/* In the sizes of a paper's column and page all names are whole. */
static void
test_whole (void)
{
  static const double page[][3]
    = { { 84, 52, 7 }, { 84, 70, 7 }, { 160, 90, 9 }, { 160, 60, 8 }, { 254, 143, 14 } };
  SlText *text = sl_text_new (sl_theme_get (SL_THEME_LIGHT).family);

  for (unsigned turn = 0; turn < N; turn++)
    for (unsigned i = 0; i < G_N_ELEMENTS (page); i++)
      {
        SlParallel       parallel = { 0 };
        SlFigure         figure = { 0 };
        g_autofree char *what = g_strdup_printf ("turn %u, %g mm", turn, page[i][0]);
        g_autoptr (GBytes) svg = NULL;

        fill (&parallel, turn);
        sl_parallel_update (&parallel, &figure, "Runs");
        svg = page_of (&figure, page[i][0], page[i][1], page[i][2]);
        svg_check_words (svg, text, what);
        g_assert_cmpuint (count_whole (svg, text, gates), ==, G_N_ELEMENTS (gates) - 1);
        g_assert_null (strstr (g_bytes_get_data (svg, NULL), "…"));
        sl_figure_clear (&figure);
        sl_parallel_clear (&parallel);
      }
  sl_text_free (text);
}

/* Where there is too little room names are cut or left out, and still none lies on another. */
static void
test_narrow (void)
{
  SlText *text = sl_text_new (sl_theme_get (SL_THEME_LIGHT).family);

  for (double width = 50; width < 200; width *= 1.3)
    for (double height = 22; height < 90; height *= 1.4)
      {
        SlParallel       parallel = { 0 };
        SlFigure         figure = { 0 };
        g_autofree char *what = g_strdup_printf ("%.0f × %.0f mm", width, height);
        g_autoptr (GBytes) svg = NULL;

        fill (&parallel, 1);
        sl_parallel_update (&parallel, &figure, "Runs");
        svg = page_of (&figure, width, height, 8);
        svg_check_words (svg, text, what);
        sl_figure_clear (&figure);
        sl_parallel_clear (&parallel);
      }
  sl_text_free (text);
}

/* Of choices that have no room the ones that some run has are named. */
static void
test_chosen (void)
{
  SlText    *text = sl_text_new (sl_theme_get (SL_THEME_LIGHT).family);
  SlParallel parallel = { 0 };
  SlFigure   figure = { 0 };
  double     width, height;
  GArray    *words;
  g_autoptr (GBytes) svg = NULL;

  fill (&parallel, 0);
  sl_parallel_update (&parallel, &figure, "Runs");
  svg = page_of (&figure, 120, 26, 8);
  words = svg_words (svg, text, &width, &height);
  g_assert_cmpuint (count_whole (svg, text, gates), <, G_N_ELEMENTS (gates) - 1);
  for (unsigned i = 0; gates[i].id != NULL; i++)
    if (i % 2 == 1)
      g_assert_false (svg_has_word (words, gates[i].title));
  g_assert_true (svg_has_word (words, gates[0].title));
  g_array_unref (words);
  sl_figure_clear (&figure);
  sl_parallel_clear (&parallel);
  sl_text_free (text);
}

/* Values that differ by less than they would when measured again lie together; others fill the axis. */
static void
test_spread (void)
{
  static const struct
  {
    bool   measured;
    double spread, lo, hi;
  } cases[] = {
    { true, 1.0, 26.944, 26.948 },  { true, 0.0, 26.944, 26.948 }, { true, 1.0, 10.0, 80.0 },
    { false, 1.0, 26.944, 26.948 }, { true, 5.0, 0.5, 0.6 },
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SlParallel      parallel = { 0 };
      SlFigure        figure = { 0 };
      SlParallelAxis *axis = sl_parallel_axis (&parallel, "timed", "%", false);
      double          range, lo = cases[i].lo, hi = cases[i].hi, least;

      axis->measured = cases[i].measured;
      axis->spread = cases[i].spread;
      g_assert_true (sl_parallel_line (&parallel, &lo));
      g_assert_true (sl_parallel_line (&parallel, &hi));
      sl_parallel_update (&parallel, &figure, "Runs");
      axis = &parallel.axis[0];
      range = axis->scale.hi - axis->scale.lo;
      g_assert_cmpfloat (axis->scale.lo, <=, lo);
      g_assert_cmpfloat (axis->scale.hi, >=, hi);
      g_assert_cmpfloat (axis->scale.lo, >=, 0.0);
      least = cases[i].measured ? fmax (4.0 * cases[i].spread, 0.01 * hi) : 0.0;
      g_assert_cmpfloat_with_epsilon (range, fmax (hi - lo, least), 1e-9);
      sl_figure_clear (&figure);
      sl_parallel_clear (&parallel);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/parallel/whole", test_whole);
  g_test_add_func ("/parallel/narrow", test_narrow);
  g_test_add_func ("/parallel/chosen", test_chosen);
  g_test_add_func ("/parallel/spread", test_spread);
  return g_test_run ();
}
