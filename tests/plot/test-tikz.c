/* SPDX-License-Identifier: MIT
 *
 * Figures as pictures of TikZ: what TeX would stumble over is not in them.  */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/resource.h>

#include "core/labs/registry.h"
#include "plot/base/tex.h"
#include "plot/canvas/canvas.h"
#include "plot/export/export.h"
#include "plot/figure/panel.h"
#include "tests/plot/plot-sample.h"

static unsigned
count (const char *text, const char *what)
{
  unsigned n = 0;

  for (; (text = strstr (text, what)) != NULL; text += strlen (what))
    n++;
  return n;
}

/* Braces and dollars in pairs, as TeX counts them; no comment and nothing but letters from outside
 * of ASCII.  */
static void
check_tex (const char *tex, const char *of)
{
  int depth = 0, dollars = 0;

  for (const char *p = tex; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (*p == '\\' && p[1] != '\0' && strchr ("{}$%#&_", p[1]) != NULL)
        {
          p++;
          continue;
        }
      depth += (*p == '{') - (*p == '}');
      dollars += *p == '$';
      if (depth < 0 || strchr ("%#&", *p) != NULL)
        g_error ("\"%s\" became \"%s\"", of, tex);
      if (c >= 128 && !(g_unichar_isalpha (c) && c < 0x180))
        g_error ("U+%04X of \"%s\" is not known to LaTeX", c, of);
    }
  if (depth != 0 || dollars % 2 != 0)
    g_error ("\"%s\" became \"%s\"", of, tex);
}

static void
test_labels (void)
{
  static const char *const rows[][2] = {
    { "wrong predictions (%)", "wrong predictions (\\%)" },
    { "a_b & {c} #1 \\ ~ ^ $", "a\\_b \\& \\{c\\} \\#1 \\textbackslash{} \\textasciitilde{} "
                               "\\textasciicircum{} \\$" },
    { "\317\203\302\262 \303\267 N", "$\\sigma ^{2}$ $\\div $ N" },
    { "10\342\201\273\302\263", "10$^{-3}$" },
    { "\342\200\226W \342\210\222 W\342\202\201\342\202\202\342\200\226",
      "$\\Vert $W $-$ W$_{12}\\Vert $" },
    { "s\314\204 \342\211\244 \302\275", "$\\bar{s}$ $\\leq $ $\\frac{1}{2}$" },
    { "\316\273\314\202", "$\\hat{\\lambda }$" },
    { "caf\303\251\n\001", "caf\303\251  " },
    { "bad \377", "bad ?" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GString *out = g_string_new (NULL);

      sl_tex_append (out, rows[i][0]);
      g_assert_cmpstr (out->str, ==, rows[i][1]);
      check_tex (out->str, rows[i][0]);
      g_string_free (out, TRUE);
    }
}

static void
check_label (const char *text)
{
  GString *out = g_string_new (NULL);

  if (text != NULL)
    {
      sl_tex_append (out, text);
      check_tex (out->str, text);
    }
  g_string_free (out, TRUE);
}

/* Whatever a lab can have written on a figure. */
static void
test_labs (void)
{
  for (unsigned l = 0; sl_labs[l] != NULL; l++)
    for (unsigned p = 0; p < sl_labs[l]->n_panels; p++)
      {
        const SlPanel *panel = &sl_labs[l]->panels[p];
        SlAxes         axes = sl_panel_axes (sl_labs[l], panel);

        check_label (sl_labs[l]->title);
        check_label (panel->title);
        check_label (axes.x.label);
        check_label (axes.x.unit);
        check_label (axes.y.label);
        check_label (axes.y.unit);
        for (unsigned t = 0; t < sl_panel_n_traces (panel); t++)
          check_label (panel->traces[t].title);
        for (unsigned c = 0; panel->categories != NULL && panel->categories[c] != NULL; c++)
          check_label (panel->categories[c]);
      }
}

static char *export(const SlRecord *record, unsigned first, unsigned n, const char *recipe)
{
  SlFigure        figure[SAMPLE_PANELS] = { 0 }, *list[SAMPLE_PANELS];
  SlExportOptions options = sl_export_options (SL_PRESET_COLUMNS, n);
  g_autoptr (GBytes) bytes = NULL;
  GError *error = NULL;

  for (unsigned i = 0; i < n; i++)
    {
      sl_panel_update (&figure[i], record, first + i, NULL, 0);
      list[i] = &figure[i];
    }
  options.recipe = recipe;
  options.caption = "100 % of {this} costs $5 & more";
  bytes = sl_export_page (list, n, &options, SL_EXPORT_TIKZ, &error);
  g_assert_no_error (error);
  for (unsigned i = 0; i < n; i++)
    sl_figure_clear (&figure[i]);
  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

/* One page with a panel of every kind. */
static void
test_structure (void)
{
  static const char *const expected[] = { "{(a) Sign agreement}};",
                                          "font=\\bfseries\\fontsize{",
                                          "ylabel={correct signs (\\%)}",
                                          "] table[x=",
                                          ", rotate=90] at (",
                                          "{100 \\% of \\{this\\} costs \\$5 \\& more}};",
                                          "% figure-1\n",
                                          "% caption\n",
                                          "dash pattern=on ",
                                          " circle[radius=",
                                          "\\clip (",
                                          "  \\definecolor{sluice1}{RGB}{" };
  SlRecord                 record;
  g_autofree char         *text = NULL;
  g_auto (GStrv) lines = NULL;
  int  depth = 0;
  bool table = false;

  sample_record (&record, 1500, 1);
  text = export(&record, 0, SAMPLE_PANELS, "{\"lab\": \"none\"}");
  sl_record_clear (&record);
  for (size_t i = 0; i < G_N_ELEMENTS (expected); i++)
    if (strstr (text, expected[i]) == NULL)
      g_error ("no \"%s\" in the picture", expected[i]);
  g_assert_cmpuint (count (text, "\\begin{tikzpicture}"), ==, 1);
  g_assert_true (g_str_has_suffix (
    text, "\\end{tikzpicture}%\n\\ifdefined\\pdfliteral\\pdfliteral page{EMC}\\fi%\n"));
  g_assert_cmpuint (count (text, "% sluice-recipe: "), ==, 1);
  /* 174 mm are 657.64 px. */
  g_assert_nonnull (strstr (text, "\\useasboundingbox (0,0) rectangle (657.64,"));

  g_assert_cmpuint (count (text, SL_TEX_TABLE_BEGIN), ==, 1);
  g_assert_cmpuint (count (text, "\\begin{axis}"), ==, count (text, "\\end{axis}"));
  g_assert_cmpuint (count (text, "\\begin{axis}"), >, 1);

  lines = g_strsplit (text, "\n", -1);
  for (unsigned i = 0; lines[i] != NULL; i++)
    {
      const char *line = g_strchug (lines[i]);

      table = table ? !g_str_has_prefix (line, "\\end{filecontents*}")
                        && !g_str_has_prefix (line, ">>> BDC}\\fi%")
                    : g_str_has_prefix (line, "\\begin{filecontents*}")
                        || g_str_has_prefix (line, "\\leavevmode");
      if (table || *line == '%' || g_str_has_prefix (line, "\\def")
          || g_str_has_prefix (line, "\\end{tikzpicture}"))
        continue;
      if (g_str_has_prefix (line, ">>> BDC}") || g_str_has_prefix (line, "\\ifdefined"))
        continue;
      check_tex (line, line);
      /* A node holds words; nothing else may hold what is no number. */
      if (!g_str_has_prefix (line, "\\node"))
        {
          g_assert_null (strstr (line, "nan"));
          g_assert_null (strstr (line, "inf"));
        }
      depth += g_str_has_prefix (line, "\\begin{scope}");
      depth -= g_str_has_prefix (line, "\\end{scope}");
      g_assert_cmpint (depth, >=, 0);
    }
  g_assert_cmpint (depth, ==, 0);
}

/* How many numbers stand in the table of a page. */
static unsigned
numbers_of (const char *text)
{
  const char *begin = strstr (text, SL_TEX_TABLE_BEGIN), *end = strstr (text, SL_TEX_TABLE_END);
  g_autofree char *table = NULL;

  g_assert_true (begin != NULL && end > begin);
  table = g_strndup (begin, (gsize) (end - begin));
  return count (table, " ") + count (table, "\n") - count (table, "nan");
}

/* Long curves are thinned to what TeX reads in seconds; their ends and extremes stay. */
static void
test_thinned (void)
{
  SlRecord         record;
  g_autofree char *text = NULL;

  sample_record (&record, 100000, 1);
  text = export(&record, 0, SAMPLE_PANELS, NULL);
  g_assert_cmpuint (numbers_of (text), >, 2000);
  g_assert_cmpuint (numbers_of (text), <, 2 * 12000);
  sl_record_clear (&record);
}

static char *
run_latex (const char *folder)
{
  const char *argv[]
    = { "pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex", NULL };
  char *said = NULL;
  int   status = -1;
  g_autoptr (GError) error = NULL;

  g_spawn_sync (folder, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &said, NULL, &status,
                &error);
  g_assert_no_error (error);
  if (!g_spawn_check_wait_status (status, NULL))
    g_error ("pdflatex: %s", said);
  return said;
}

static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_assert_cmpint (g_unlink (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* A page of a run of a million updates, all kinds of figures on it, saved as a paper would have it: the
 * table beside it, curves styled anew, TeX's memory as it comes.  */
static void
test_compiles (void)
{
  static const char paper[]
    = "\\documentclass{article}\n"
      "\\usepackage{pgfplots}\\pgfplotsset{compat=1.16}\\pdfcompresslevel0\n"
      "\\pgfplotsset{sluice curve 1/.style={red, thick}}\n"
      "\\begin{document}\\noindent\\input{A-page.tex}\\end{document}\n";
  g_autofree char *latex = g_find_program_in_path ("pdflatex"), *said = NULL, *table = NULL;
  g_autofree char *folder = g_dir_make_tmp ("sluice-latex-XXXXXX", NULL), *source = NULL;
  g_autofree char *path = g_build_filename (folder, "A-page.tex", NULL);
  g_autofree char *beside = g_build_filename (folder, "A-page.dat", NULL);
  g_autofree char *pdf_path = g_build_filename (folder, "paper.pdf", NULL), *pdf = NULL;
  gsize            pdf_size;
  g_autofree char *main_path = g_build_filename (folder, "paper.tex", NULL);
  SlFigure         figure[SAMPLE_PANELS] = { 0 }, *list[SAMPLE_PANELS];
  SlExportOptions  options = sl_export_options (SL_PRESET_COLUMNS, SAMPLE_PANELS);
  SlRecord         record;
  GError          *error = NULL;
  struct rusage    used;

  sample_record (&record, 1000000, 1);
  for (unsigned i = 0; i < SAMPLE_PANELS; i++)
    {
      sl_panel_update (&figure[i], &record, i, NULL, 0);
      list[i] = &figure[i];
    }
  g_assert_true (sl_export_save (list, SAMPLE_PANELS, &options, SL_EXPORT_TIKZ, path, &error));
  g_assert_no_error (error);
  for (unsigned i = 0; i < SAMPLE_PANELS; i++)
    sl_figure_clear (&figure[i]);
  sl_record_clear (&record);
  g_assert_true (g_file_get_contents (path, &source, NULL, NULL));
  g_assert_true (g_file_get_contents (beside, &table, NULL, NULL));
  g_assert_null (strstr (source, "filecontents"));
  g_assert_nonnull (strstr (source, "] {A-page.dat};\n"));
  g_assert_true (g_ascii_isalpha (table[0]));
  if (latex != NULL)
    {
      g_assert_true (g_file_set_contents (main_path, paper, -1, NULL));
      said = run_latex (folder);
      g_assert_nonnull (strstr (said, "Output written on paper.pdf"));
      g_assert_true (g_file_get_contents (pdf_path, &pdf, &pdf_size, NULL));
      g_assert_nonnull (memmem (pdf, pdf_size, "/Span <</Alt <FEFF", 18));
      g_assert_nonnull (memmem (pdf, pdf_size, "\nEMC", 4));
      g_assert_cmpint (getrusage (RUSAGE_CHILDREN, &used), ==, 0);
      g_test_message ("pdflatex took %ld s of processor time", (long) used.ru_utime.tv_sec);
    }
  remove_folder (folder);
  if (latex == NULL)
    g_test_skip ("pdflatex is not installed");
}

/* TeX keeps a picture in its memory, which is not large. */
static void
test_bounded (void)
{
  static const unsigned panels[] = { SAMPLE_USAGE, SAMPLE_RATES, SAMPLE_PICTURES, SAMPLE_FILTERS };
  SlRecord              record;
  g_autofree char      *all = NULL;

  sample_record (&record, 100000, 1);
  for (size_t i = 0; i < G_N_ELEMENTS (panels); i++)
    {
      g_autofree char *text = export(&record, panels[i], 1, NULL);

      g_assert_cmpuint (count (text, "\\fill["), >, 100);
      g_assert_cmpuint (count (text, "\\fill["), <, 8192 + 500);
    }
  all = export(&record, 0, SAMPLE_PANELS, NULL);
  g_assert_cmpuint (count (all, "\\fill["), <, 8192 + 4000);
  g_assert_cmpuint (strlen (all), <, 2000000);
  sl_record_clear (&record);
}

/* A triangle that points down is one that points up, turned round within the options of the mark: what is
 * appended to its style before them is lost.  */
static void
test_turned (void)
{
  static const SlXY points[] = { { 0, 0 }, { 1, 1 } };
  SlText           *words = sl_text_new ("any");
  SlCanvas         *canvas = sl_canvas_tikz_new (words, 100, 100, NULL, NULL, NULL);
  SlCanvasCurve     curve = { .id = "curve",
                              .points = points,
                              .n = G_N_ELEMENTS (points),
                              .opacity = 1,
                              .width = 1,
                              .dash = (double[]) { 0 },
                              .marker = SL_MARKER_UP,
                              .mark_size = 5,
                              .marked = true };
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *tex = NULL;

  canvas->curve (canvas, &curve);
  curve.marker = SL_MARKER_DOWN;
  canvas->curve (canvas, &curve);
  bytes = sl_canvas_tikz_finish (canvas);
  tex = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_assert_cmpuint (count (tex, "mark=triangle*, mark options={solid, draw="), ==, 1);
  g_assert_cmpuint (count (tex, "mark=triangle*, mark options={solid, rotate=180, draw="), ==, 1);
  sl_text_free (words);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/tikz/labels", test_labels);
  g_test_add_func ("/plot/tikz/labs", test_labs);
  g_test_add_func ("/plot/tikz/structure", test_structure);
  g_test_add_func ("/plot/tikz/turned", test_turned);
  g_test_add_func ("/plot/tikz/bounded", test_bounded);
  g_test_add_func ("/plot/tikz/thinned", test_thinned);
  g_test_add_func ("/plot/tikz/compiles", test_compiles);
  return g_test_run ();
}
