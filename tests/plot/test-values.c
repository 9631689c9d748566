/* SPDX-License-Identifier: MIT
 *
 * Figures as tables: every number that is drawn is read back from the CSV as the same number, with its interval, and
 * likewise from the data of scripts and LaTeX figures; what a note says is on every page whole.  */
#include <math.h>
#include <string.h>

#include "plot/canvas/script.h"
#include "plot/charts/front.h"
#include "plot/charts/gallery.h"
#include "plot/charts/overlay.h"
#include "plot/export/export.h"
#include "plot/export/values.h"
#include "plot/figure/parallel.h"
#include "tests/plot/plot-sample.h"
#include "tests/plot/svg-words.h"
#include "tests/support/close.h"

/* ---- reading ---- */

/* A table: its comments, and its rows as cells, the first of which are the headings. */
typedef struct
{
  GPtrArray *comments; /* char * */
  GPtrArray *rows;     /* GPtrArray of char * */
} Table;

static const char *
read_cell (const char *at, GPtrArray *row)
{
  GString *cell = g_string_new (NULL);
  bool     quoted = *at == '"';

  for (at += quoted; *at != '\0'; at++)
    {
      if (quoted ? *at == '"' && at[1] != '"' : *at == ',' || *at == '\n')
        break;
      g_string_append_c (cell, *at);
      at += quoted && *at == '"';
    }
  g_ptr_array_add (row, g_string_free (cell, FALSE));
  at += quoted;
  g_assert_true (*at == ',' || *at == '\n');
  return at;
}

static void
read_table (Table *table, const char *csv)
{
  table->comments = g_ptr_array_new_with_free_func (g_free);
  table->rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  while (*csv != '\0' && *csv != '\n')
    {
      const char *end = strchr (csv, '\n');
      GPtrArray  *row;

      g_assert_nonnull (end);
      if (*csv == '#')
        {
          g_ptr_array_add (table->comments, g_strndup (csv, (gsize) (end - csv)));
          csv = end + 1;
          continue;
        }
      row = g_ptr_array_new_with_free_func (g_free);
      do
        csv = read_cell (csv, row);
      while (*csv++ == ',');
      g_ptr_array_add (table->rows, row);
    }
}

static void
table_clear (Table *table)
{
  g_ptr_array_unref (table->comments);
  g_ptr_array_unref (table->rows);
}

static const char *
cell (const Table *table, guint row, guint column)
{
  const GPtrArray *cells = g_ptr_array_index (table->rows, row);
  const GPtrArray *head = g_ptr_array_index (table->rows, 0);

  g_assert_cmpuint (cells->len, ==, head->len);
  return g_ptr_array_index (cells, column);
}

static guint
column_of (const Table *table, const char *heading)
{
  const GPtrArray *head = g_ptr_array_index (table->rows, 0);

  for (guint c = 0; c < head->len; c++)
    if (g_str_equal (g_ptr_array_index (head, c), heading))
      return c;
  g_error ("no column \"%s\"", heading);
  return 0;
}

/* The row whose first cell says so. */
static guint
row_of (const Table *table, const char *name)
{
  for (guint r = 1; r < table->rows->len; r++)
    if (g_str_equal (cell (table, r, 0), name))
      return r;
  return 0;
}

static double
number (const Table *table, guint row, const char *heading)
{
  const char *text = cell (table, row, column_of (table, heading));
  char       *end;
  double      value = g_ascii_strtod (text, &end);

  g_assert_true (end != text && *end == '\0');
  return value;
}

/* Exactly this number, or for not-a-number nothing. */
static void
check (const Table *table, guint row, const char *heading, double value)
{
  if (isnan (value))
    g_assert_cmpstr (cell (table, row, column_of (table, heading)), ==, "");
  else
    g_assert_cmpfloat (number (table, row, heading), ==, value);
}

static char *
values (SlFigure *figure, bool in_view)
{
  GError *error = NULL;
  char   *csv = sl_export_values (&figure, 1, "lab · 7 runs", in_view, &error);

  g_assert_no_error (error);
  return csv;
}

/* ---- a trade-off ---- */

enum { SETTINGS = 9, SEEDS = 3 };

static const char note_text[]
  = "Points are means, bars the 95 % interval of the mean over n = 3 seeds by Student's t; a point "
    "without bars is one "
    "run, and pale ones are dominated: another setting costs less and errs less";

/* One to three runs of each setting, the last on other data; names with what CSV has to quote. */
static void
make_front (SlFront *front, SlFigure *figure, bool toned)
{
  *front = (SlFront) { .frontier = true, .shape_title = { "one", "other" } };
  *figure = (SlFigure) { .x = { .label = "cost", .unit = "% of dense" },
                         .y = { .label = "error", .unit = "%" },
                         .z = { .label = "Experts per example k", .unit = "" } };
  g_strlcpy (figure->title, "Error against cost", sizeof figure->title);
  g_strlcpy (figure->note, note_text, sizeof figure->note);
  for (unsigned s = 0; s < SETTINGS; s++)
    for (unsigned seed = 0; seed <= s % SEEDS; seed++)
      {
        SlFrontRun run = { .key = s,
                           .x = 10.0 + 7.0 * s + sample_noise (17 * s + seed) / 3.0,
                           .y = 30.0 / (1.0 + s) + (s % 4 == 1 ? 12.0 : 0.0)
                                + 2.0 * sample_noise (99 * s + seed),
                           .tone = toned && s != 5 ? 1 << s : (double) NAN,
                           .shape = s % 2,
                           .apart = s == SETTINGS - 1 };

        g_snprintf (run.title, sizeof run.title, "k %u, \"gate\"", s);
        sl_front_add (front, &run);
      }
  g_assert_true (sl_front_update (front, figure));
}

static void
clear_front (SlFront *front, SlFigure *figure)
{
  sl_figure_clear (figure);
  sl_front_clear (front);
}

/* Nothing else costs less and errs less, of the points on this data. */
static bool
is_unbeaten (const SlFront *front, unsigned i)
{
  for (unsigned k = 0; k < front->n; k++)
    if (k != i && !front->point[k].apart && front->point[k].x <= front->point[i].x
        && front->point[k].y <= front->point[i].y)
      return false;
  return !front->point[i].apart;
}

static void
check_point (const Table *table, const SlFront *front, unsigned i, bool toned)
{
  const SlFrontPoint *point = &front->point[i];
  guint               row = row_of (table, point->title);
  bool                single = point->n == 1;

  g_assert_cmpuint (row, >, 0);
  check (table, row, "n", i % SEEDS + 1);
  check (table, row, "cost (% of dense)", point->x);
  check (table, row, "cost ± (% of dense)", single ? (double) NAN : point->x_half);
  check (table, row, "error (%)", point->y);
  check (table, row, "error ± (%)", single ? (double) NAN : point->y_half);
  check (table, row, "on the front", is_unbeaten (front, i));
  check (table, row, "knee", point->knee);
  if (toned)
    check (table, row, "Experts per example k", point->tone);
}

/* Rows of a table of points: one for each that is drawn, but for the ring around one. */
static guint
count_points (const SlFigure *figure)
{
  guint n = 0;

  for (unsigned c = 0; c < figure->n_curves; c++)
    if (figure->curve[c].scatter && !figure->curve[c].around && !figure->curve[c].hidden)
      n += (guint) figure->curve[c].n;
  return n;
}

/* The single runs behind means follow them, without words. */
static void
check_runs (const Table *table, const SlFigure *figure)
{
  int            c = sl_figure_find (figure, "runs");
  const SlCurve *runs = &figure->curve[MAX (c, 0)];
  guint          row = 1;

  g_assert_cmpint (c, >=, 0);
  while (!g_str_equal (cell (table, row, column_of (table, "curve")), runs->title))
    row++;
  g_assert_cmpuint (row, >, SETTINGS);
  for (size_t i = 0; i < runs->n; i++, row++)
    {
      g_assert_cmpstr (cell (table, row, 0), ==, "");
      check (table, row, "cost (% of dense)", runs->x[i]);
      check (table, row, "error (%)", runs->y[i]);
      check (table, row, "error ± (%)", NAN);
      check (table, row, "on the front", NAN);
    }
}

static void
test_points (void)
{
  for (unsigned toned = 0; toned < 2; toned++)
    {
      SlFront          front;
      SlFigure         figure;
      Table            table;
      g_autofree char *csv = NULL;
      double           knees = 0.0;

      make_front (&front, &figure, toned);
      csv = values (&figure, false);
      read_table (&table, csv);
      g_assert_cmpuint (table.comments->len, ==, 3);
      g_assert_cmpstr (g_ptr_array_index (table.comments, 0), ==, "# lab · 7 runs");
      g_assert_cmpstr (g_ptr_array_index (table.comments, 1), ==, "# Error against cost");
      g_assert_true (g_str_has_suffix (g_ptr_array_index (table.comments, 2), note_text));
      g_assert_cmpuint (table.rows->len, ==, 1 + count_points (&figure));
      for (unsigned i = 0; i < front.n; i++)
        {
          check_point (&table, &front, i, toned);
          knees += number (&table, i + 1, "knee");
        }
      g_assert_cmpfloat (knees, ==, 1.0);
      check_runs (&table, &figure);
      table_clear (&table);
      clear_front (&front, &figure);
    }
}

/* Against a parameter there is no front. */
static void
test_without_front (void)
{
  SlFront          front;
  SlFigure         figure;
  g_autofree char *csv = NULL;

  make_front (&front, &figure, false);
  front.frontier = false;
  g_assert_true (sl_front_update (&front, &figure));
  csv = values (&figure, false);
  g_assert_null (strstr (csv, "on the front"));
  g_assert_null (strstr (csv, "knee"));
  clear_front (&front, &figure);
}

/* What the legend switched off is left out, and what is not in view if that is wanted. */
static void
test_left_out (void)
{
  SlFront          front;
  SlFigure         figure;
  Table            table;
  g_autofree char *csv = NULL, *seen = NULL;
  int              curve;
  unsigned         n = 0;

  make_front (&front, &figure, false);
  curve = sl_figure_find (&figure, "points-1");
  g_assert_cmpint (curve, >=, 0);
  sl_figure_hide (&figure, (unsigned) curve, true);
  csv = values (&figure, false);
  read_table (&table, csv);
  for (size_t i = 0; i < figure.curve[curve].n; i++)
    g_assert_cmpuint (row_of (&table, figure.curve[curve].point[i].title), ==, 0);
  g_assert_cmpuint (table.rows->len, ==, 1 + count_points (&figure));
  table_clear (&table);

  sl_figure_hide (&figure, (unsigned) curve, false);
  figure.view.zoomed = true;
  figure.view.x_lo = 20.0;
  figure.view.x_hi = 45.0;
  seen = values (&figure, true);
  read_table (&table, seen);
  for (unsigned i = 0; i < front.n; i++)
    {
      bool there = front.point[i].x >= 20.0 && front.point[i].x <= 45.0;

      g_assert_cmpint (row_of (&table, front.point[i].title) > 0, ==, there);
      n += there;
    }
  g_assert_cmpuint (n, >, 0);
  for (guint row = 1; row < table.rows->len; row++)
    g_assert_true (number (&table, row, "cost (% of dense)") >= 20.0
                   && number (&table, row, "cost (% of dense)") <= 45.0);
  table_clear (&table);
  clear_front (&front, &figure);
}

/* ---- curves and bars ---- */

static double
value_at (const SlSeries *series, double step)
{
  for (size_t i = 0; i < series->n; i++)
    if (series->step[i] == step)
      return series->value[i];
  return NAN;
}

static void
make_bands (SlFigure *figure, SlBand band[2])
{
  static const SlOverlayTrace trace = { .id = "error", .title = NULL, .unit = "%" };

  for (unsigned b = 0; b < 2; b++)
    {
      SlSeries        run[SEEDS] = { 0 };
      const SlSeries *runs[SEEDS];

      for (unsigned r = 0; r < SEEDS; r++)
        {
          for (unsigned i = 0; i < 30 + 7 * b; i++)
            sl_series_append (&run[r], 10.0 * (i + b / 2.0),
                              i == 11 && b == 0
                                ? (double) NAN
                                : 40.0 / (1 + i) + sample_noise (41 * i + 3 * r + b));
          runs[r] = &run[r];
        }
      band[b] = (SlBand) { 0 };
      g_assert_true (sl_band_make (&band[b], runs, SEEDS, SL_BAND_INTERVAL));
      for (unsigned r = 0; r < SEEDS; r++)
        sl_series_clear (&run[r]);
    }
  *figure = (SlFigure) { 0 };
  sl_overlay_begin_curves (figure, "error", "step");
  for (unsigned b = 0; b < 2; b++)
    g_assert_true (sl_overlay_band (
      figure,
      &(SlOverlayRun) { .title = b == 0 ? "k 1" : "k 2, \"b\"", .number = b + 1, .slot = b },
      &trace, &band[b]));
  sl_overlay_end (figure);
}

static void
test_bands (void)
{
  static const char *const titles[] = { "k 1", "k 2, \"b\"" };
  SlFigure                 figure;
  SlBand                   band[2];
  Table                    table;
  g_autofree char         *csv = NULL;
  guint                    steps = 0;

  make_bands (&figure, band);
  csv = values (&figure, false);
  read_table (&table, csv);
  for (guint row = 1; row < table.rows->len; row++)
    {
      double step = number (&table, row, "step");

      g_assert_true (row == 1 || step > number (&table, row - 1, "step"));
      for (unsigned b = 0; b < 2; b++)
        {
          g_autofree char *mean = g_strdup_printf ("%s, mean (%%)", titles[b]);
          g_autofree char *low = g_strdup_printf ("%s, low (%%)", titles[b]);
          g_autofree char *high = g_strdup_printf ("%s, high (%%)", titles[b]);

          check (&table, row, mean, value_at (&band[b].mean, step));
          check (&table, row, low, value_at (&band[b].low, step));
          check (&table, row, high, value_at (&band[b].high, step));
        }
    }
  for (unsigned b = 0; b < 2; b++)
    steps += band[b].mean.n;
  g_assert_cmpuint (table.rows->len, ==, 1 + steps); /* they share no step */
  table_clear (&table);
  sl_figure_clear (&figure);
  for (unsigned b = 0; b < 2; b++)
    sl_band_clear (&band[b]);
}

/* Every panel of curves or bars that are arrays: each point in its row, with its half width. */
static void
test_arrays (void)
{
  static const unsigned panels[] = { SAMPLE_SPREAD, SAMPLE_SPECTRUM, SAMPLE_SPEED, SAMPLE_GROUPS };
  SampleFigures         sheet;

  sample_figures_init (&sheet, 50);
  for (unsigned p = 0; p < G_N_ELEMENTS (panels); p++)
    {
      SlFigure        *figure = &sheet.figure[panels[p]];
      g_autofree char *csv = values (figure, false);
      Table            table;
      guint            column = 1;

      read_table (&table, csv);
      for (unsigned c = 0; c < figure->n_curves; c++)
        {
          const SlCurve *curve = &figure->curve[c];

          for (size_t i = 0; i < curve->n; i++)
            {
              const char *name = figure->categories.name != NULL
                                   ? figure->categories.name[(unsigned) curve->x[i]]
                                   : NULL;
              guint       row = 1;

              while (name != NULL ? !g_str_equal (cell (&table, row, 0), name)
                                  : g_ascii_strtod (cell (&table, row, 0), NULL) != curve->x[i])
                row++;
              g_assert_cmpfloat (g_ascii_strtod (cell (&table, row, column), NULL), ==,
                                 curve->y[i]);
              if (curve->spread != NULL)
                g_assert_cmpfloat (g_ascii_strtod (cell (&table, row, column + 1), NULL), ==,
                                   curve->spread[i]);
            }
          column += curve->spread != NULL ? 2 : 1;
        }
      g_assert_cmpuint (((GPtrArray *) g_ptr_array_index (table.rows, 0))->len, ==, column);
      table_clear (&table);
    }
  sample_figures_clear (&sheet);
}

/* ---- lines, cells, pages ---- */

static void
test_lines (void)
{
  static const SlChoice choices[] = { { "noisy", "Noisy" }, { "relu", "ReLU" }, { 0 } };
  SlParallel            lines = { 0 };
  SlFigure              figure = { 0 };
  Table                 table;
  g_autofree char      *all = NULL, *some = NULL;

  sl_parallel_axis (&lines, "Gate", "", false)->choices = choices;
  sl_parallel_axis (&lines, "error", "%", false);
  for (unsigned i = 0; i < 4; i++)
    g_assert_true (
      sl_parallel_line (&lines, (const double[]) { i % 2, i == 3 ? (double) NAN : 9.1 - i }));
  sl_parallel_update (&lines, &figure, "Runs");
  all = values (&figure, false);
  read_table (&table, all);
  g_assert_cmpuint (table.rows->len, ==, 5);
  g_assert_cmpuint (((GPtrArray *) g_ptr_array_index (table.rows, 0))->len, ==, 2);
  for (unsigned i = 0; i < 4; i++)
    {
      g_assert_cmpstr (cell (&table, i + 1, column_of (&table, "Gate")), ==, choices[i % 2].id);
      check (&table, i + 1, "error (%)", i == 3 ? (double) NAN : 9.1 - i);
    }
  table_clear (&table);

  sl_parallel_brush (&lines, 1, 8.0, 8.5);
  sl_parallel_update (&lines, &figure, "Runs");
  some = values (&figure, false);
  read_table (&table, some);
  for (unsigned i = 0; i < 4; i++)
    check (&table, i + 1, "selected", i == 1);
  table_clear (&table);
  sl_figure_clear (&figure);
  sl_parallel_clear (&lines);
}

/* Names along y, the first on top, and bars along x: a row for each name. */
static void
test_names (void)
{
  static const char *const names[] = { "error", "loss, \"test\"", "time" };
  static const double      x[] = { -3.5, 7.25, 0.125 }, y[] = { 2.0, 1.0, 0.0 };
  static const double      half[] = { 1.5, 0.0, 2.25 };
  SlFigure                 figure = { .kind = SL_PROFILE,
                                      .x = { .label = "difference", .unit = "%" },
                                      .y = { .label = "", .unit = "" },
                                      .categories = { .name = names, .n = 3, .down = true } };
  SlCurve                 *curve = sl_figure_curve (&figure, "gaps");
  Table                    table;
  g_autofree char         *csv = NULL;

  curve->scatter = true;
  curve->x = x;
  curve->y = y;
  curve->spread_x = half;
  curve->n = 3;
  csv = values (&figure, false);
  read_table (&table, csv);
  g_assert_cmpuint (table.rows->len, ==, 4);
  for (unsigned i = 0; i < 3; i++)
    {
      check (&table, row_of (&table, names[i]), "difference (%)", x[i]);
      check (&table, row_of (&table, names[i]), "difference ± (%)",
             half[i] > 0.0 ? half[i] : (double) NAN);
    }
  table_clear (&table);
  sl_figure_clear (&figure);
}

static void
test_cells (void)
{
  SampleFigures    sheet;
  Table            table;
  g_autofree char *csv = NULL;
  const double    *cells;

  sample_figures_init (&sheet, 50);
  cells = sheet.figure[SAMPLE_CLASSES].matrix.cell;
  csv = values (&sheet.figure[SAMPLE_CLASSES], false);
  read_table (&table, csv);
  g_assert_cmpuint (table.rows->len, ==, 9);
  for (unsigned row = 0; row < 8; row++)
    {
      check (&table, row + 1, "T-shirt/top", cells[10 * row]);
      check (&table, row + 1, "Ankle boot", cells[10 * row + 9]);
    }
  table_clear (&table);
  sample_figures_clear (&sheet);
}

/* Several figures are tables one below the other; a picture is none. */
static void
test_pages (void)
{
  SampleFigures   sheet;
  SlExportOptions options = sl_export_options (SL_PRESET_COLUMN, 2);
  GError         *error = NULL;

  sample_figures_init (&sheet, 50);
  for (unsigned second = SAMPLE_SPREAD; second <= SAMPLE_SPECTRUM; second++)
    {
      SlFigure *page[] = { &sheet.figure[SAMPLE_AGREEMENT], &sheet.figure[second] };
      g_autoptr (GBytes) bytes = sl_export_page (page, 2, &options, SL_EXPORT_CSV, &error);
      g_autofree char *text = NULL;
      const char      *next;

      g_assert_no_error (error);
      text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
      next = strstr (text, "\n\n# (b) ");
      g_assert_nonnull (next);
      g_assert_true (g_str_has_prefix (text, "# (a) "));
      g_assert_true (g_str_has_prefix (next + strlen ("\n\n# (b) "), page[1]->title));
      g_assert_null (strstr (next + 1, "\n\n"));
    }
  g_assert_false (sl_export_has_values (&sheet.figure[SAMPLE_PICTURES]));
  g_assert_null (sl_export_page (&sheet.list[SAMPLE_PICTURES], 1, &options, SL_EXPORT_CSV, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  for (unsigned p = 0; p < SAMPLE_PANELS; p++)
    {
      g_autofree char *csv = sl_export_values (&sheet.list[p], 1, NULL, false, NULL);

      g_assert_cmpint (csv != NULL, ==, sl_export_has_values (&sheet.figure[p]));
    }
  sample_figures_clear (&sheet);
}

/* What a stranger wrote into a name stays in its cell or its comment. */
static void
test_hostile (void)
{
  SlFront          front = { 0 };
  SlFigure         figure = { 0 };
  SlFrontRun       run = { .x = 1.0, .y = 2.0, .tone = NAN, .title = "a\",\nb,=1\r\n#c" };
  Table            table;
  g_autofree char *csv = NULL;

  g_strlcpy (figure.title, "one\ntwo,three", sizeof figure.title);
  g_strlcpy (figure.note, "\n# \r\n", sizeof figure.note);
  sl_front_add (&front, &run);
  g_assert_true (sl_front_update (&front, &figure));
  csv = values (&figure, false);
  read_table (&table, csv);
  g_assert_cmpuint (table.comments->len, ==, 3);
  g_assert_cmpstr (g_ptr_array_index (table.comments, 1), ==, "# one two,three");
  g_assert_cmpuint (table.rows->len, ==, 2);
  g_assert_cmpuint (row_of (&table, run.title), ==, 1);
  table_clear (&table);
  sl_figure_clear (&figure);
  sl_front_clear (&front);
}

/* ---- the data of scripts ---- */

/* The table inside a script or a LaTeX figure, its names in the first row. */
static void
read_data (SlFigure *figure, SlExportFormat format, Table *table)
{
  const char     *begin = format == SL_EXPORT_TIKZ ? SL_TEX_TABLE_BEGIN : SL_MATPLOTLIB_BEGIN;
  const char     *end = format == SL_EXPORT_TIKZ ? SL_TEX_TABLE_END : "\n\n";
  SlExportOptions options = sl_export_options (SL_PRESET_COLUMN, 1);
  GError         *error = NULL;
  g_autoptr (GBytes) bytes = sl_export_page (&figure, 1, &options, format, &error);
  g_autofree char *text = NULL;
  char            *data, *stop;

  g_assert_no_error (error);
  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  data = strstr (text, begin);
  g_assert_nonnull (data);
  data += strlen (begin);
  stop = strstr (data, end);
  if (stop == NULL
      || (strstr (data, SL_MATPLOTLIB_END) != NULL && stop > strstr (data, SL_MATPLOTLIB_END)))
    stop = strstr (data, SL_MATPLOTLIB_END);
  g_assert_nonnull (stop);
  *stop = '\0';
  if (format == SL_EXPORT_TIKZ)
    g_strdelimit (data, " ", ',');
  {
    g_autofree char *whole
      = g_str_has_suffix (data, "\n") ? g_strdup (data) : g_strconcat (data, "\n", NULL);

    read_table (table, whole);
  }
}

/* The points of a curve are rows of its columns, with the half widths that it has. */
static void
check_data (const Table *table, const SlCurve *curve, double none)
{
  g_autofree char *x = g_strconcat (curve->id, "-x", NULL);
  g_autofree char *x_error = g_strconcat (curve->id, "-x-error", NULL);
  g_autofree char *error = g_strconcat (curve->id, "-error", NULL);

  for (size_t i = 0; i < curve->n; i++)
    {
      guint row = 1;

      while (!(fabs (number (table, row, x) - curve->x[i]) <= 1e-6 * curve->x[i]
               && fabs (number (table, row, curve->id) - curve->y[i]) <= 1e-6 * curve->y[i]))
        row++;
      for (unsigned axis = 0; axis < 2; axis++)
        {
          const double *spread = axis == 0 ? curve->spread_x : curve->spread;
          double        want = spread == NULL || spread[i] > 0.0 ? 0.0 : none, got;

          if (spread == NULL)
            continue;
          got = g_ascii_strtod (cell (table, row, column_of (table, axis == 0 ? x_error : error)),
                                NULL);
          if (spread[i] > 0.0)
            sl_assert_near (got, spread[i], 1e-6, 0.0);
          else
            g_assert_true (isnan (want) ? isnan (got) : got == want);
        }
    }
}

static void
test_data_of_points (void)
{
  for (unsigned toned = 0; toned < 2; toned++)
    {
      SlFront  front;
      SlFigure figure;

      make_front (&front, &figure, toned);
      for (SlExportFormat format = SL_EXPORT_TIKZ; format <= SL_EXPORT_MATPLOTLIB; format++)
        {
          Table table;

          /* Points in colours of their own are no numbers for pgfplots. */
          if (format == SL_EXPORT_TIKZ && toned)
            continue;
          read_data (&figure, format, &table);
          for (unsigned c = 0; c < figure.n_curves; c++)
            if (figure.curve[c].point != NULL && !toned)
              check_data (&table, &figure.curve[c], format == SL_EXPORT_TIKZ ? 0.0 : (double) NAN);
          if (toned)
            g_assert_cmpfloat (number (&table, 1, "points-1-tone"), ==, 1.0);
          table_clear (&table);
        }
      clear_front (&front, &figure);
    }
}

static void
test_data_of_bands (void)
{
  SlFigure figure;
  SlBand   band[2];
  Table    table;
  unsigned there = 0;

  make_bands (&figure, band);
  read_data (&figure, SL_EXPORT_MATPLOTLIB, &table);
  for (unsigned b = 0; b < 2; b++)
    {
      g_autofree char *x = g_strdup_printf ("%s-band-x", figure.curve[b].id);
      g_autofree char *low = g_strdup_printf ("%s-band-low", figure.curve[b].id);
      g_autofree char *high = g_strdup_printf ("%s-band-high", figure.curve[b].id);

      g_strdelimit (x, ".", '-');
      g_strdelimit (low, ".", '-');
      g_strdelimit (high, ".", '-');
      for (guint row = 1; row < table.rows->len; row++)
        {
          double step = number (&table, row, x), least = value_at (&band[b].low, step);

          if (isnan (least))
            {
              g_assert_true (isnan (number (&table, row, low)));
              continue;
            }
          sl_assert_near (number (&table, row, low), least, 1e-6, 0.0);
          sl_assert_near (number (&table, row, high), value_at (&band[b].high, step), 1e-6, 0.0);
          there++;
        }
    }
  g_assert_cmpuint (there, ==, 30 - 1 + 37);
  table_clear (&table);
  sl_figure_clear (&figure);
  for (unsigned b = 0; b < 2; b++)
    sl_band_clear (&band[b]);
}

/* ---- the note ---- */

/* All words of the note are on the page in their order, each text on the page and none over another. */
static void
check_note (SlFigure *figure, double width, double height, SlLegendPlace legend)
{
  SlExportOptions  options = sl_export_options (SL_PRESET_COLUMN, 1);
  SlText          *text = sl_text_new (sl_theme_get (SL_THEME_LIGHT).family);
  GError          *error = NULL;
  g_autofree char *what
    = g_strdup_printf ("%g x %g mm, %s", width, height, sl_export_legend_id (legend));
  g_autoptr (GString) said = g_string_new (NULL);
  g_autoptr (GBytes) svg = NULL;
  GArray *words;
  double  w, h;

  options.width = width;
  options.height = height;
  options.legend = legend;
  options.caption = "Experts · fashion-mnist · 60 runs · varied: gate, k";
  svg = sl_export_page (&figure, 1, &options, SL_EXPORT_SVG, &error);
  g_assert_no_error (error);
  svg_check_words (svg, text, what);
  words = svg_words (svg, text, &w, &h);
  for (guint i = 0; i < words->len; i++)
    g_string_append_printf (said, "%s ", g_array_index (words, SvgWord, i).text);
  g_assert_nonnull (strstr (said->str, note_text));
  if (legend <= SL_LEGEND_BELOW && height >= 60.0 && width >= 84.0)
    g_assert_true (svg_has_word (words, "Experts per example k"));
  sl_assert_near (w, width * 96.0 / 25.4, 0.0, 1.0);
  g_array_unref (words);
  sl_text_free (text);
}

static void
test_note (void)
{
  static const double pages[][2]
    = { { 84.0, 60.0 }, { 84.0, 50.0 }, { 60.0, 60.0 }, { 174.0, 87.0 }, { 160.0, 90.0 } };
  SlFront  front;
  SlFigure figure;

  make_front (&front, &figure, true);
  for (unsigned p = 0; p < G_N_ELEMENTS (pages); p++)
    for (SlLegendPlace legend = SL_LEGEND_NONE; legend <= SL_LEGEND_INSIDE; legend++)
      check_note (&figure, pages[p][0], pages[p][1], legend);
  clear_front (&front, &figure);
}

/* The words for assistive tools say what bars are, too. */
static void
test_described (void)
{
  SlExportOptions options = sl_export_options (SL_PRESET_COLUMN, 1);
  SlFront         front;
  SlFigure        figure, *page = &figure;

  make_front (&front, &figure, true);
  options.notes = false;
  for (SlExportFormat format = SL_EXPORT_SVG; format <= SL_EXPORT_MATPLOTLIB; format++)
    {
      g_autoptr (GBytes) bytes = sl_export_page (&page, 1, &options, format, NULL);

      if (format == SL_EXPORT_SVG || format == SL_EXPORT_MATPLOTLIB)
        g_assert_nonnull (g_strstr_len (g_bytes_get_data (bytes, NULL),
                                        (gssize) g_bytes_get_size (bytes),
                                        "Points are means, bars"));
    }
  clear_front (&front, &figure);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/values/points", test_points);
  g_test_add_func ("/plot/values/without-front", test_without_front);
  g_test_add_func ("/plot/values/left-out", test_left_out);
  g_test_add_func ("/plot/values/bands", test_bands);
  g_test_add_func ("/plot/values/arrays", test_arrays);
  g_test_add_func ("/plot/values/lines", test_lines);
  g_test_add_func ("/plot/values/names", test_names);
  g_test_add_func ("/plot/values/cells", test_cells);
  g_test_add_func ("/plot/values/pages", test_pages);
  g_test_add_func ("/plot/values/hostile", test_hostile);
  g_test_add_func ("/plot/values/data-of-points", test_data_of_points);
  g_test_add_func ("/plot/values/data-of-bands", test_data_of_bands);
  g_test_add_func ("/plot/values/note", test_note);
  g_test_add_func ("/plot/values/described", test_described);
  return g_test_run ();
}
