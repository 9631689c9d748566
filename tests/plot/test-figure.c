/* SPDX-License-Identifier: MIT
 *
 * Figures as data: built from a record, followed as it grows, read and zoomed.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/labs/registry.h"
#include "plot/figure/panel.h"
#include "plot/layout/frame.h"
#include "tests/plot/plot-sample.h"

/* clang-format off */
static const SlParts all_parts
  = { .title = true, .note = true, .legend = SL_LEGEND_ABOVE, .flags = true };
/* clang-format on */

static void
lay_parts (SlFigure *figure, SlFrame *frame, const SlParts *parts, double width, double height)
{
  SlTheme theme = sl_theme_get (SL_THEME_LIGHT);
  SlText *text = sl_text_new (theme.family);

  sl_figure_fit (figure, HUGE_VAL);
  sl_frame_layout (frame, figure, &theme, parts, text, width, height);
  sl_text_free (text);
}

static void
lay (SlFigure *figure, SlFrame *frame, double width, double height)
{
  lay_parts (figure, frame, &all_parts, width, height);
}

static void
append (SlRecord *record, const char *id, uint64_t step, double value)
{
  int c = sl_layout_find (&record->layout, id);

  g_assert_cmpint (c, >=, 0);
  g_assert_true (
    sl_record_take (record, &(SlSample) { step, value, (uint32_t) c, record->generation }));
}

static void
test_panel (void)
{
  SlFigure figure = { 0 };
  SlRecord record;
  uint64_t version;
  int      c;

  sample_record (&record, 100, 1);
  g_assert_true (sl_panel_update (&figure, &record, SAMPLE_AGREEMENT, NULL, 0));
  g_assert_cmpuint (figure.n_curves, ==, 6);
  g_assert_cmpuint (figure.flags.n, ==, 3);
  g_assert_cmpstr (figure.title, ==, "Sign agreement");
  /* The reference of a layer has the colour of the layer. */
  for (unsigned l = 0; l < 3; l++)
    {
      char id[32];

      g_snprintf (id, sizeof id, "agreement.all-off.%u", l + 1);
      c = sl_figure_find (&figure, id);
      g_assert_cmpint (c, >=, 0);
      g_assert_cmpuint (figure.curve[c].slot, ==, l);
      g_assert_cmpint (figure.curve[c].style, ==, SL_REFERENCE);
      g_assert_true (figure.curve[l].slot == l && figure.curve[l].style == SL_MEASURED);
      g_assert_true (figure.curve[l].series == &record.series[l]); /* not a copy */
    }

  /* Nothing new: no redraw.  A sample, a flag, a hidden curve: a redraw. */
  version = figure.version;
  g_assert_false (sl_panel_update (&figure, &record, SAMPLE_AGREEMENT, NULL, 0));
  g_assert_cmpuint (figure.version, ==, version);
  append (&record, "loss.train", 99999, 1.0); /* another panel */
  g_assert_false (sl_panel_update (&figure, &record, SAMPLE_AGREEMENT, NULL, 0));
  append (&record, "agreement.agreement.1", 99999, 1.0);
  g_assert_true (sl_panel_update (&figure, &record, SAMPLE_AGREEMENT, NULL, 0));
  g_assert_true (sl_record_mark (&record, 200.0, "something"));
  g_assert_true (sl_panel_update (&figure, &record, SAMPLE_AGREEMENT, NULL, 0));
  version = figure.version;
  sl_figure_hide (&figure, 1, true);
  g_assert_cmpuint (figure.version, >, version);

  /* One colour for all, also of curves that no sample comes to any more, as of a run that rests. */
  sl_figure_set_tint (&figure, 2);
  g_assert_true (sl_panel_update (&figure, &record, SAMPLE_AGREEMENT, NULL, 0));
  for (unsigned i = 0; i < figure.n_curves; i++)
    g_assert_cmpuint (figure.curve[i].slot, ==, sl_theme_slot (2, i % 3));

  /* What is hidden stays hidden when a new run takes the place of the old one. */
  sl_record_clear (&record);
  sample_record (&record, 50, 2);
  g_assert_true (sl_panel_update (&figure, &record, SAMPLE_AGREEMENT, NULL, 0));
  g_assert_true (figure.curve[1].hidden && !figure.curve[0].hidden);

  g_assert_true (sl_panel_update (&figure, NULL, 0, NULL, 0));
  g_assert_true (sl_figure_empty (&figure));
  sl_figure_clear (&figure);
  sl_record_clear (&record);
}

static void
test_kinds (void)
{
  SlFigure figure = { 0 };
  SlRecord record;

  sample_record (&record, 20, 1);
  for (unsigned round = 0; round < 2; round++)
    for (unsigned p = 0; p < SAMPLE_PANELS; p++)
      {
        g_assert_true (sl_panel_update (&figure, &record, p, NULL, 0));
        g_assert_cmpint (figure.kind, ==, sample_lab.panels[p].kind);
        g_assert_true (
          figure.view.log_y
          == (sample_lab.panels[p].y.logarithmic || sample_lab.panels[p].z.logarithmic));
        g_assert_true (sl_figure_empty (&figure) == (p == SAMPLE_NOTHING));
        g_assert_true (
          (figure.matrix.cell != NULL)
          == (figure.kind == SL_HEATMAP || figure.kind == SL_IMAGE || figure.kind == SL_ALIVE));
      }
  g_assert_true (sl_panel_update (&figure, &record, SAMPLE_SPREAD, NULL, 0));
  g_assert_cmpfloat (figure.mark, ==, 8.0);
  g_assert_nonnull (figure.curve[0].spread);
  g_assert_null (figure.curve[1].spread);
  g_assert_true (g_str_has_prefix (figure.note, "500 walks"));

  /* What is true of all figures of a run is in the notes of all. */
  record.caption = sl_message ("All counted.");
  g_assert_true (sl_panel_update (&figure, &record, SAMPLE_LOSS, NULL, 0));
  g_assert_cmpstr (figure.note, ==, "All counted.");
  g_assert_true (sl_panel_update (&figure, &record, SAMPLE_SPREAD, NULL, 0));
  g_assert_true (g_str_has_prefix (figure.note, "All counted. 500 walks"));
  sl_figure_clear (&figure);
  sl_record_clear (&record);
}

static void
test_ghosts (void)
{
  SlFigure figure = { 0 };
  SlRecord record, old;
  SlGhost  ghost = { &old, "seed 8" };

  sample_record (&record, 300, 1);
  sample_record (&old, 600, 1);
  sl_panel_update (&figure, &record, SAMPLE_LOSS, &ghost, 1);
  g_assert_cmpuint (figure.n_curves, ==, 5); /* the measured two, not the goal */
  g_assert_true (figure.curve[3].ghost);
  g_assert_cmpstr (figure.curve[3].title, ==, "training loss (seed 8)");
  g_assert_cmpuint (figure.curve[3].slot, ==, figure.curve[0].slot);
  sl_figure_fit (&figure, HUGE_VAL);
  g_assert_cmpfloat (figure.x_range.hi, ==, 6000.0);
  g_assert_true (sl_panel_update (&figure, &record, SAMPLE_LOSS, NULL, 0));
  g_assert_cmpuint (figure.n_curves, ==, 3);

  /* Not over other data; where data are not known, nothing speaks against it. */
  for (unsigned i = 0; i < 4; i++)
    {
      record.data = 7;
      old.data = (uint64_t[]) { 7, 8, 0, 7 }[i];
      sl_panel_update (&figure, &record, SAMPLE_LOSS, NULL, 0);
      sl_panel_update (&figure, &record, SAMPLE_LOSS, &ghost, 1);
      g_assert_cmpuint (figure.n_curves, ==, i == 1 ? 3 : 5);
    }
  /* Nor where they would lie under the same curves of this run. */
  {
    SlSnapshot *same = &old.snapshot[SAMPLE_SPREAD];
    SlStatus    status = sl_snapshot_copy (same, &record.snapshot[SAMPLE_SPREAD]);
    unsigned    alone;

    g_assert_true (sl_ok (&status));
    sl_panel_update (&figure, &record, SAMPLE_SPREAD, NULL, 0);
    alone = figure.n_curves;
    sl_panel_update (&figure, &record, SAMPLE_SPREAD, &ghost, 1);
    g_assert_cmpuint (figure.n_curves, ==, alone);
    same->data[same->curve[0].n] += 1.0;
    old.snapshot_version[SAMPLE_SPREAD]++;
    sl_panel_update (&figure, &record, SAMPLE_SPREAD, &ghost, 1);
    g_assert_cmpuint (figure.n_curves, >, alone);
  }
  /* Nor alone, as if they were values of this run. */
  sl_panel_update (&figure, &record, SAMPLE_SPREAD, &ghost, 1);
  g_assert_false (sl_figure_empty (&figure));
  sl_snapshot_reset (&record.snapshot[SAMPLE_SPREAD]);
  record.snapshot_version[SAMPLE_SPREAD]++;
  sl_panel_update (&figure, &record, SAMPLE_SPREAD, &ghost, 1);
  g_assert_true (sl_figure_empty (&figure));
  sl_figure_clear (&figure);
  sl_record_clear (&record);
  sl_record_clear (&old);
}

/* Under the columns of a text stand all of its letters, side by side, where they can be read. */
static void
test_letters (void)
{
  enum { LETTERS = 48 };
  double   cells[LETTERS] = { 0 };
  char     names[2 * LETTERS + 1] = "";
  SlFigure figure = { .kind = SL_HEATMAP,
                      .matrix.cell = cells,
                      .matrix.tiles = 1,
                      .matrix.rows = 1,
                      .matrix.columns = LETTERS,
                      .colours.lo = 0.0,
                      .colours.hi = 1.0,
                      .matrix.names = names };
  SlFrame *frame = g_new (SlFrame, 1);

  for (unsigned i = 0; i < LETTERS; i++)
    {
      names[2 * i] = (char) (i % 6 == 5 ? ' ' : 'a' + i % 26);
      names[2 * i + 1] = '\n';
    }
  lay (&figure, frame, 460, 300);
  g_assert_false (frame->upright);
  g_assert_cmpuint (frame->n_x_ticks, ==, LETTERS);
  for (unsigned i = 0; i < LETTERS; i++)
    {
      g_assert_cmpuint (strlen (frame->x_tick[i].label), ==, 1);
      g_assert_cmpint (frame->x_tick[i].label[0], ==, names[2 * i]);
    }
  g_assert_cmpfloat (frame->x_type, <=, frame->type);
  g_assert_cmpfloat (frame->x_type, >=, 0.7 * frame->type);
  /* Too narrow: some of them, upright. */
  lay (&figure, frame, 200, 300);
  g_assert_true (frame->upright);
  g_assert_cmpuint (frame->n_x_ticks, <, LETTERS);
  g_free (frame);
}

/* A plot that was drawn before its first values came shows these as large as it can. */
static void
test_fit_first (void)
{
  SlFigure figure = { 0 };
  SlRecord record;

  sample_record (&record, 0, 1);
  sl_panel_update (&figure, &record, SAMPLE_GAPS, NULL, 0);
  sl_figure_fit (&figure, 10.0);
  append (&record, "gaps.value", 1, -0.011);
  append (&record, "gaps.value", 2, 0.14);
  sl_panel_update (&figure, &record, SAMPLE_GAPS, NULL, 0);
  sl_figure_fit (&figure, 10.1);
  g_assert_cmpfloat (figure.y_range.lo, <, 0.0);
  g_assert_cmpfloat (figure.y_range.hi, <, 0.5);
  sl_figure_clear (&figure);
  sl_record_clear (&record);
}

/* A long name under a bar goes on below rather than being cut, also where only a hyphen parts it. */
static void
test_categories (void)
{
  static const char *const names[] = { "REINFORCE", "straight-through", "straight-through × σ′" };
  static const char *const ranges[] = { "170000–180000", "180000–190000", "190000–200000" };
  double                   x[] = { 0.0, 1.0, 2.0 }, y[] = { 1.0, 2.0, 3.0 };
  SlFigure figure = { .kind = SL_BARS, .categories.name = names, .categories.n = 3 };
  SlCurve *curve = sl_figure_curve (&figure, "bars");
  SlFrame *frame = g_new (SlFrame, 1);
  SlRect   rect;

  curve->x = x;
  curve->y = y;
  curve->n = 3;
  lay (&figure, frame, 300, 240);
  g_assert_cmpstr (frame->x_tick[1].label, ==, "straight-");
  g_assert_cmpstr (frame->x_second[1], ==, "through");
  g_assert_cmpstr (frame->x_tick[2].label, ==, "straight-");
  g_assert_cmpstr (frame->x_second[2], ==, "through × σ′");
  g_assert_cmpstr (frame->x_tick[0].label, ==, "REINFORCE");
  g_assert_cmpstr (frame->x_second[0], ==, "");
  figure.categories.name = ranges;
  lay (&figure, frame, 200, 240);
  g_assert_cmpstr (frame->x_tick[2].label, ==, "190000–");
  g_assert_cmpstr (frame->x_second[2], ==, "200000");
  figure.categories.name = names;
  lay (&figure, frame, 300, 240);
  /* A rectangle hides the bars that it meets, each once. */
  rect = frame->plot;
  g_assert_cmpuint (sl_frame_hidden (frame, &figure, &rect), ==, 3);
  rect.x += 1.5 * frame->bar;
  g_assert_cmpuint (sl_frame_hidden (frame, &figure, &rect), ==, 2);
  rect.h = sl_frame_y (frame, 2.5) - rect.y;
  g_assert_cmpuint (sl_frame_hidden (frame, &figure, &rect), ==, 1);
  curve->hidden = true;
  g_assert_cmpuint (sl_frame_hidden (frame, &figure, &rect), ==, 0);
  sl_figure_clear (&figure);
  g_free (frame);
}

/* What rounding puts below bars that begin at 0 does not open half a plot there. */
static void
test_fit_bars (void)
{
  double   x[] = { 0.0, 1.0 }, y[] = { 1.0, -1e-9 }, spread[] = { 0.0, 0.002 };
  SlFigure figure
    = { .kind = SL_BARS, .y = { "cosine", "", .lo = 0.0, .hi = 1.0 }, .categories.n = 2 };
  SlCurve *curve = sl_figure_curve (&figure, "bars");

  curve->x = x;
  curve->y = y;
  curve->spread = spread;
  curve->n = 2;
  sl_figure_fit (&figure, HUGE_VAL);
  g_assert_cmpfloat (figure.y_range.lo, ==, 0.0);
  y[1] = -0.4;
  sl_figure_fit (&figure, HUGE_VAL);
  g_assert_cmpfloat (figure.y_range.lo, <=, -0.4);
  sl_figure_clear (&figure);
}

/* Parts make a whole of 100 % where they can; what is above it is not cut off. */
static void
test_fit_parts (void)
{
  double   x[] = { 0, 1 }, first[] = { 60, 80 }, second[] = { 40, 20 };
  SlFigure figure = { .kind = SL_BARS,
                      .categories.stacked = true,
                      .y = { "share", "%", .lo = 0.0, .hi = 100.0, .most = HUGE_VAL },
                      .categories.n = 2 };
  double  *parts[] = { first, second };

  for (unsigned c = 0; c < 2; c++)
    {
      SlCurve *curve = sl_figure_curve (&figure, c == 0 ? "input" : "biases");

      curve->x = x;
      curve->y = parts[c];
      curve->n = 2;
    }
  sl_figure_fit (&figure, HUGE_VAL);
  g_assert_cmpfloat (figure.y_range.lo, ==, 0.0);
  g_assert_cmpfloat (figure.y_range.hi, ==, 100.0);
  second[1] = 50;
  sl_figure_fit (&figure, HUGE_VAL);
  g_assert_cmpfloat (figure.y_range.lo, ==, 0.0);
  g_assert_cmpfloat (figure.y_range.hi, >=, 130.0);
  sl_figure_clear (&figure);
}

/* The y range grows at once and shrinks after two seconds. */
static void
test_fit (void)
{
  SlFigure figure = { 0 };
  SlRecord record;
  SlRange  before;

  sample_record (&record, 0, 1);
  for (unsigned i = 1; i <= 100; i++)
    append (&record, "gaps.value", i, i == 50 ? 9.7 : 1.0 + 0.01 * i);
  sl_panel_update (&figure, &record, SAMPLE_GAPS, NULL, 0);
  sl_figure_fit (&figure, 10.0);
  g_assert_cmpfloat (figure.y_range.lo, <=, 1.0);
  g_assert_cmpfloat (figure.y_range.hi, ==, 10.0);
  g_assert_cmpfloat (figure.x_range.hi, ==, 100.0);
  append (&record, "gaps.value", 101, 30.0);
  sl_panel_update (&figure, &record, SAMPLE_GAPS, NULL, 0);
  sl_figure_fit (&figure, 10.1);
  g_assert_cmpfloat (figure.y_range.hi, ==, 30.0);
  before = figure.y_range;
  sl_record_truncate (&record, 49.0);
  sl_panel_update (&figure, &record, SAMPLE_GAPS, NULL, 0);
  sl_figure_fit (&figure, 11.0);
  g_assert_cmpfloat (figure.y_range.hi, ==, before.hi);
  sl_figure_fit (&figure, 12.05);
  g_assert_cmpfloat (figure.y_range.hi, ==, before.hi);
  sl_figure_fit (&figure, 13.5);
  g_assert_cmpfloat (figure.y_range.hi, <, 2.0);

  /* A single outlier does not rule a robust axis; a locked or zoomed view stands still. */
  for (unsigned i = 50; i <= 400; i++)
    append (&record, "gaps.value", i, i == 200 ? 1e6 : 1.0 + 0.4 * sample_noise (i));
  {
    SlView view = figure.view;

    view.robust = true;
    sl_figure_set_view (&figure, &view);
    sl_figure_fit (&figure, 14.0);
    g_assert_cmpfloat (figure.y_range.hi, <, 10.0);
    view.robust = false;
    view.zoomed = view.y_locked = true;
    view.x_lo = 10.0;
    view.x_hi = 30.0;
    view.y_lo = -1.0;
    view.y_hi = 3.0;
    sl_figure_set_view (&figure, &view);
    append (&record, "gaps.value", 5000, 77.0);
    sl_panel_update (&figure, &record, SAMPLE_GAPS, NULL, 0);
    sl_figure_fit (&figure, 15.0);
    g_assert_cmpfloat (figure.x_range.lo, ==, 10.0);
    g_assert_cmpfloat (figure.x_range.hi, ==, 30.0);
    g_assert_cmpfloat (figure.y_range.lo, ==, -1.0);
    g_assert_cmpfloat (figure.y_range.hi, ==, 3.0);
    view = (SlView) { .window = 100.0 };
    sl_figure_set_view (&figure, &view);
    sl_figure_fit (&figure, 16.0);
    g_assert_cmpfloat (figure.x_range.lo, ==, 4900.0);
    g_assert_cmpfloat (figure.x_range.hi, ==, 5000.0);
  }
  sl_figure_clear (&figure);
  sl_record_clear (&record);
}

static void
test_holes_and_smoothing (void)
{
  SlFigure       figure = { 0 };
  SlRecord       record;
  const SlCurve *curve;

  sample_record (&record, 0, 1);
  for (unsigned i = 1; i <= 60; i++)
    append (&record, "gaps.value", i,
            i == 20 || (i >= 40 && i < 45) ? (i % 2 == 0 ? (double) NAN : HUGE_VAL) : 3.0);
  sl_panel_update (&figure, &record, SAMPLE_GAPS, NULL, 0);
  curve = &figure.curve[0];
  g_assert_cmpuint (curve->n_holes, ==, 2);
  g_assert_true (curve->hole[0].first == 19 && curve->hole[0].last == 19);
  g_assert_true (curve->hole[1].first == 39 && curve->hole[1].last == 43);

  /* A rewind that is followed by other values leaves nothing of the old ones. */
  sl_record_truncate (&record, 30.0);
  for (unsigned i = 31; i <= 60; i++)
    append (&record, "gaps.value", i, i == 50 ? (double) NAN : 5.0);
  sl_panel_update (&figure, &record, SAMPLE_GAPS, NULL, 0);
  curve = &figure.curve[0];
  g_assert_cmpuint (curve->n_holes, ==, 2);
  g_assert_true (curve->hole[1].first == 49 && curve->hole[1].last == 49);
  sl_figure_clear (&figure);
  sl_record_clear (&record);
}

static void
test_reading (void)
{
  SlFigure  figure = { 0 };
  SlRecord  record;
  SlReading readings[8];
  char      text[128];

  sample_record (&record, 0, 1);
  for (unsigned i = 0; i <= 1000; i++)
    {
      append (&record, "loss.train", i, i == 502 ? 9.0 : 0.001 * i);
      if (i % 100 == 0 && i <= 500)
        append (&record, "loss.valid", i, 2.0 + 0.01 * i);
    }
  sl_panel_update (&figure, &record, SAMPLE_LOSS, NULL, 0);
  g_assert_cmpuint (sl_figure_read (&figure, 500.2, 0.0, readings, 8), ==, 1);
  g_assert_cmpuint (sl_figure_read (&figure, 499.8, 0.5, readings, 8), ==, 2);
  g_assert_cmpfloat (readings[0].x, ==, 500.0);
  g_assert_cmpfloat (readings[0].value, ==, 0.5);
  g_assert_cmpuint (readings[0].n, ==, 1);
  g_assert_cmpstr (sl_reading_text (&figure, &readings[0], text, sizeof text), ==,
                   "training loss: 0.5\302\240nats");

  /* A pixel over ten samples shows its extremes, the spike among them. */
  g_assert_cmpuint (sl_figure_read (&figure, 501.0, 10.0, readings, 8), ==, 2);
  g_assert_cmpuint (readings[0].n, ==, 10);
  g_assert_cmpfloat (readings[0].hi, ==, 9.0);
  g_assert_cmpfloat (readings[0].lo, ==, 0.496);
  g_assert_cmpstr (sl_reading_text (&figure, &readings[0], text, sizeof text), ==,
                   "training loss: 0.496 to 9\302\240nats");

  /* What is no number has no unit. */
  readings[0].n = 1;
  readings[0].value = (double) NAN;
  g_assert_cmpstr (sl_reading_text (&figure, &readings[0], text, sizeof text), ==,
                   "training loss: not a number");

  /* Between two reports the nearer one is read, outside of a curve none. */
  g_assert_cmpuint (sl_figure_read (&figure, 160.0, 1.0, readings, 8), ==, 2);
  g_assert_cmpfloat (readings[1].x, ==, 200.0);
  g_assert_cmpuint (sl_figure_read (&figure, 900.0, 1.0, readings, 8), ==, 1);
  sl_figure_hide (&figure, 0, true);
  g_assert_cmpuint (sl_figure_read (&figure, 900.0, 1.0, readings, 8), ==, 0);

  sl_panel_update (&figure, &record, SAMPLE_SPEED, NULL, 0);
  g_assert_cmpuint (sl_figure_read (&figure, 2.7, 0.01, readings, 8), ==, 1);
  g_assert_cmpfloat (readings[0].value, ==, 2.06);
  g_assert_cmpuint (sl_figure_read (&figure, 4.0, 0.01, readings, 8), ==, 0);
  g_assert_cmpuint (sl_figure_read (&figure, -0.1, 0.01, readings, 8), ==, 0);
  sl_figure_clear (&figure);
  sl_record_clear (&record);
}

static bool
inside (const SlRect *r, double width, double height)
{
  return r->x >= 0.0 && r->y >= 0.0 && r->x + r->w <= width + 0.01 && r->y + r->h <= height + 0.01;
}

/* At any size everything stays on the page, and ticks inside the plot. */
static void
test_layout (void)
{
  static const double sizes[][2] = { { 1, 1 },     { 30, 20 },   { 120, 80 },   { 200, 400 },
                                     { 300, 180 }, { 600, 300 }, { 1900, 1000 } };
  g_autofree SlFrame *frame = g_new (SlFrame, 1);
  SlFigure            figure = { 0 };
  SlRecord            record;

  sample_record (&record, 200, 1);
  for (unsigned p = 0; p < SAMPLE_PANELS; p++)
    for (unsigned s = 0; s < G_N_ELEMENTS (sizes); s++)
      {
        double w = sizes[s][0], h = sizes[s][1];

        sl_panel_update (&figure, &record, p, NULL, 0);
        lay (&figure, frame, w, h);
        g_assert_true (frame->plot.w > 0.0 && frame->plot.h > 0.0);
        if (w < 100.0)
          continue;
        g_assert_true (inside (&frame->plot, w, h));
        g_assert_true (inside (&frame->key, w, h));
        g_assert_true (inside (&frame->key_zero, w, h));
        g_assert_cmpfloat (frame->key_title_x, <, w);
        for (unsigned i = 0; i < frame->n_chips; i++)
          {
            g_assert_true (inside (&frame->chip[i].rect, w, h));
            g_assert_cmpfloat (frame->chip[i].rect.y + frame->chip[i].rect.h, <=,
                               frame->plot.y + 0.5);
          }
        for (unsigned i = 0; i < frame->n_flags; i++)
          g_assert_true (inside (&frame->flag[i].badge, w, h));
        for (unsigned i = 0; i < frame->n_y_ticks; i++)
          g_assert_true (frame->y_at[i] >= frame->plot.y - 0.01
                         && frame->y_at[i] <= frame->plot.y + frame->plot.h + 0.01);
        for (unsigned i = 0; i < frame->n_x_ticks; i++)
          g_assert_true (frame->x_at[i] >= frame->plot.x - 0.01
                         && frame->x_at[i] <= frame->plot.x + frame->plot.w + 0.01);
        if (w >= 300.0 && h >= 180.0 && !frame->empty)
          {
            g_assert_cmpfloat (frame->plot.w, >, 0.4 * w);
            g_assert_cmpfloat (frame->plot.h, >, 0.3 * h);
            g_assert_cmpstr (frame->title, !=, "");
          }
      }
  sl_figure_clear (&figure);
  sl_record_clear (&record);
}

static void
test_hits (void)
{
  g_autofree SlFrame *frame = g_new (SlFrame, 1);
  SlFigure            figure = { 0 };
  SlRecord            record;
  unsigned            tile, row, column;
  double              value;

  sample_record (&record, 200, 1);
  sl_panel_update (&figure, &record, SAMPLE_AGREEMENT, NULL, 0);
  lay (&figure, frame, 600, 300);
  g_assert_cmpuint (frame->n_chips, ==, 6);
  for (unsigned i = 0; i < 6; i++)
    g_assert_cmpint (
      sl_frame_chip (frame, frame->chip[i].rect.x + 2.0, frame->chip[i].rect.y + 2.0), ==, (int) i);
  g_assert_cmpint (sl_frame_chip (frame, frame->plot.x + 5, frame->plot.y + 5), ==, -1);
  /* Two flags so close together share a badge, which stands for the later one. */
  g_assert_cmpuint (frame->n_flags, ==, 3);
  g_assert_cmpfloat (frame->flag[1].badge.w, ==, 0.0);
  g_assert_true (frame->flag[2].first == 2 && frame->flag[2].last == 3);
  g_assert_cmpuint (sl_frame_marker (frame, frame->flag[2].badge.x + 1, frame->flag[2].badge.y + 1),
                    ==, 3);
  g_assert_cmpuint (sl_frame_marker (frame, frame->flag[0].x + 1, frame->plot.y + 20), ==, 1);
  g_assert_cmpuint (sl_frame_marker (frame, frame->flag[0].x + 30, frame->plot.y + 20), ==, 0);
  for (double x = 100.0; x < 1900.0; x += 171.0)
    g_assert_cmpfloat_with_epsilon (sl_frame_value_x (frame, sl_frame_x (frame, x)), x, 1e-6);
  /* The middle of the y axis is in the middle of the plot. */
  g_assert_cmpfloat_with_epsilon (sl_frame_y (frame, 0.5 * (frame->y.lo + frame->y.hi)),
                                  frame->plot.y + 0.5 * frame->plot.h, 1e-9);
  g_assert_cmpfloat_with_epsilon (sl_frame_pixel (frame, 500.0), 2000.0 / frame->plot.w, 1e-6);

  sl_panel_update (&figure, &record, SAMPLE_CONFUSION, NULL, 0);
  lay (&figure, frame, 600, 300);
  g_assert_true (sl_frame_cell (frame, &figure, frame->plot.x + 1, frame->plot.y + 1, &tile, &row,
                                &column, &value));
  g_assert_true (tile == 0 && row == 0 && column == 0 && value == figure.matrix.cell[0]);
  g_assert_true (sl_frame_cell (frame, &figure, frame->plot.x + frame->plot.w - 1,
                                frame->plot.y + frame->plot.h - 1, &tile, &row, &column, &value));
  g_assert_true (row == 3 && column == 5 && value == figure.matrix.cell[23]);
  g_assert_cmpfloat (sl_frame_y (frame, 0.0), <, sl_frame_y (frame, 3.0)); /* row 0 on top */

  sl_panel_update (&figure, &record, SAMPLE_FILTERS, NULL, 0);
  lay (&figure, frame, 600, 300);
  g_assert_true (sl_frame_cell (frame, &figure,
                                frame->plot.x + frame->tiles.w + frame->tiles.gap + 1,
                                frame->plot.y + 1, &tile, &row, &column, &value));
  g_assert_true (tile == 1 && row == 0 && column == 0);
  g_assert_false (sl_frame_cell (frame, &figure, frame->plot.x + frame->tiles.w + 0.5,
                                 frame->plot.y + 1, &tile, &row, &column, &value));
  sl_figure_clear (&figure);
  sl_record_clear (&record);
}

static void
test_zoom (void)
{
  g_autofree SlFrame *frame = g_new (SlFrame, 1);
  SlFigure            figure = { 0 };
  SlRecord            record;
  double              middle, value;

  sample_record (&record, 200, 1);
  sl_panel_update (&figure, &record, SAMPLE_AGREEMENT, NULL, 0);
  lay (&figure, frame, 600, 300);
  middle = frame->plot.x + 0.25 * frame->plot.w;
  value = sl_frame_value_x (frame, middle);
  sl_frame_zoom (frame, &figure, middle, 0.0, 0.5, 1.0);
  g_assert_true (figure.view.zoomed && !figure.view.y_locked);
  lay (&figure, frame, 600, 300);
  /* What was under the pointer stays there. */
  g_assert_cmpfloat_with_epsilon (sl_frame_value_x (frame, middle), value, 1.0);
  g_assert_cmpfloat_with_epsilon (frame->x.hi - frame->x.lo, 1000.0, 1e-6);

  sl_frame_zoom_to (frame, &figure, &(SlRect) { frame->plot.x + 10, frame->plot.y + 10, 100, 50 });
  g_assert_true (figure.view.y_locked);
  value = figure.view.x_lo;
  lay (&figure, frame, 600, 300);
  sl_frame_pan (frame, &figure, 0.1 * frame->plot.w, 0.0);
  g_assert_cmpfloat (figure.view.x_lo, <, value);

  /* The data cannot be lost out of sight. */
  for (unsigned i = 0; i < 60; i++)
    {
      lay (&figure, frame, 600, 300);
      sl_frame_pan (frame, &figure, 0.9 * frame->plot.w, 0.0);
    }
  g_assert_cmpfloat (figure.view.x_hi, >, 10.0);
  for (unsigned i = 0; i < 200; i++)
    {
      lay (&figure, frame, 600, 300);
      sl_frame_zoom (frame, &figure, middle, 100, 0.5, 0.5);
    }
  g_assert_true (figure.view.x_lo < figure.view.x_hi && figure.view.y_lo < figure.view.y_hi);

  sl_panel_update (&figure, &record, SAMPLE_SPECTRUM, NULL, 0);
  lay (&figure, frame, 600, 300);
  sl_frame_zoom (frame, &figure, middle, 100, 2.0, 0.5);
  lay (&figure, frame, 600, 300);
  g_assert_true (frame->x.logarithmic && frame->x.lo > 0.0 && frame->x.lo < 1.0);
  sl_figure_clear (&figure);
  sl_record_clear (&record);
}

/* Wherever the legend stands: every name is there and on the page, on no other and not on the plot, but
 * for the one inside, which lies on its plate.  */
static void
check_legend (const SlFrame *frame, SlLegendPlace place, unsigned names)
{
  const SlRect *plot = &frame->plot;

  g_assert_cmpuint (frame->n_chips, ==, names);
  g_assert_true ((frame->plate.w > 0.0) == (place == SL_LEGEND_INSIDE));
  for (unsigned i = 0; i < frame->n_chips; i++)
    {
      const SlRect *at = &frame->chip[i].rect;

      g_assert_cmpfloat (at->x, >=, 0.0);
      g_assert_cmpfloat (at->y, >=, 0.0);
      g_assert_cmpfloat (at->x + at->w, <=, frame->width);
      g_assert_cmpfloat (at->y + at->h, <=, frame->height);
      g_assert_true (place == SL_LEGEND_ABOVE   ? at->y + at->h <= plot->y
                     : place == SL_LEGEND_BELOW ? at->y >= frame->x_label_y
                     : place == SL_LEGEND_RIGHT
                       ? at->x >= plot->x + plot->w
                       : sl_rect_contains (&frame->plate, at->x, at->y)
                           && at->x + at->w <= frame->plate.x + frame->plate.w
                           && sl_rect_contains (plot, at->x + at->w, at->y + at->h));
      for (unsigned k = 0; k < i; k++)
        {
          const SlRect *other = &frame->chip[k].rect;

          g_assert_true (at->y >= other->y + other->h || at->x >= other->x + other->w);
        }
    }
}

static void
test_legend (void)
{
  static const unsigned panels[] = { SAMPLE_AGREEMENT, SAMPLE_GROUPS, SAMPLE_LAYERS };
  SlFigure              figure = { 0 };
  SlRecord              record;
  SlFrame               frame;

  sample_record (&record, 100, 1);
  for (size_t i = 0; i < G_N_ELEMENTS (panels); i++)
    for (unsigned place = 0; place < SL_N_LEGENDS; place++)
      {
        SlParts parts = { .title = true, .whole = true, .legend = (SlLegendPlace) place };

        sl_panel_update (&figure, &record, panels[i], NULL, 0);
        lay_parts (&figure, &frame, &parts, 700, 320);
        check_legend (&frame, parts.legend,
                      place == SL_LEGEND_NONE || place == SL_LEGEND_APART ? 0 : figure.n_curves);
        sl_figure_clear (&figure);
        figure = (SlFigure) { 0 };
      }
  sl_record_clear (&record);
}

/* Where a falling curve leaves room, and where a rising one does. */
static void
test_legend_corner (void)
{
  static const double rising[] = { 0, 1, 2, 3, 4, 5, 6, 7 }, falling[] = { 7, 6, 5, 4, 3, 2, 1, 0 };
  const SlParts       parts = { .legend = SL_LEGEND_INSIDE };
  SlFrame             frame;

  for (int down = 0; down < 2; down++)
    {
      SlCurve  curve[2] = { 0 };
      SlFigure figure = { .kind = SL_PROFILE,
                          .title = "",
                          .n_curves = 2,
                          .curve = curve,
                          .x = { .label = "" },
                          .y = { .label = "" },
                          .mark = NAN };

      for (int c = 0; c < 2; c++)
        {
          curve[c] = (SlCurve) { .n = 8, .x = rising, .y = down ? falling : rising, .slot = c };
          g_strlcpy (curve[c].title, c == 0 ? "one" : "two", sizeof curve[c].title);
        }
      lay_parts (&figure, &frame, &parts, 400, 300);
      check_legend (&frame, SL_LEGEND_INSIDE, 2);
      g_assert_cmpint (frame.plate.x > frame.plot.x + 0.5 * frame.plot.w, ==, down);
      g_assert_cmpfloat (frame.plate.y, <, frame.plot.y + 0.5 * frame.plot.h);
    }
}

/* The labels of an axis, one after the other. */
static char *
labels_of (const SlTick *ticks, unsigned n)
{
  GString *out = g_string_new (NULL);

  for (unsigned i = 0; i < n; i++)
    if (!ticks[i].minor)
      g_string_append_printf (out, "%s%s", out->len > 0 ? "|" : "", ticks[i].label);
  return g_string_free (out, FALSE);
}

/* An axis has only what can be: a share ends at 0 and 100 %, a ratio does not, and between things that
 * are counted there is nothing.  */
static void
test_possible (void)
{
  static const double x[] = { 1, 2, 3 };
  static const struct
  {
    SlAxis      y;
    unsigned    kind;
    double      value[3];
    const char *x, *expected;
  } rows[] = {
    { { "right", "%" }, SL_PROFILE, { 100, 100, 100 }, "1|2|3", "90|92|94|96|98|100" },
    { { "off", "%" }, SL_PROFILE, { 0, 0, 0 }, "1|2|3", "0|0.2|0.4|0.6|0.8|1.0" },
    { { "right", "%" }, SL_PROFILE, { 96.1, 98, 99.9 }, "1|2|3", "96|97|98|99|100" },
    { { "right", "%" }, SL_BARS, { 40, 80, 99 }, NULL, "0|20|40|60|80|100" },
    { { "cost", "% of dense" }, SL_PROFILE, { 90, 100, 140 }, "1|2|3", "90|100|110|120|130|140" },
    { { "drift", "%", .least = 0, .most = HUGE_VAL },
      SL_PROFILE,
      { 0, 90, 140 },
      "1|2|3",
      "0|50|100|150" },
    { { "share", "%", .lo = 0, .hi = 100, .least = 0, .most = 200 },
      SL_PROFILE,
      { 0, 90, 102.5 },
      "1|2|3",
      "0|20|40|60|80|100" },
    { { "cosine", .lo = 0, .hi = 1, .least = -1, .most = 1 },
      SL_BARS,
      { 0.2, 0.5, 1 },
      NULL,
      "0|0.2|0.4|0.6|0.8|1.0" },
    { { "experts", .whole = true }, SL_PROFILE, { 15.1, 15.8, 16 }, "1|2|3", "15|16" },
    { { "rank", .whole = true }, SL_PROFILE, { 5, 5, 5 }, "1|2|3", "4|5|6" },
    { { "dead", .whole = true }, SL_PROFILE, { 0, 0, 0 }, "1|2|3", "0|1" },
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      SlCurve          curve = { .title = "curve", .n = 3, .x = x, .y = rows[i].value };
      SlFigure         figure = { .kind = rows[i].kind,
                                  .n_curves = 1,
                                  .curve = &curve,
                                  .x = { .label = "layer", .unit = "" },
                                  .y = rows[i].y,
                                  .integer_x = true,
                                  .categories.n = 3,
                                  .mark = NAN };
      SlFrame          frame;
      g_autofree char *along = NULL, *up = NULL;

      lay (&figure, &frame, 400, 240);
      along = labels_of (frame.x_tick, frame.n_x_ticks);
      up = labels_of (frame.y_tick, frame.n_y_ticks);
      g_assert_cmpstr (up, ==, rows[i].expected);
      if (rows[i].x != NULL)
        g_assert_cmpstr (along, ==, rows[i].x);
      for (unsigned k = 0; k < 3; k++)
        g_assert_true (sl_frame_y (&frame, rows[i].value[k]) >= frame.plot.y - 1e-9
                       && sl_frame_y (&frame, rows[i].value[k])
                            <= frame.plot.y + frame.plot.h + 1e-9);
    }
}

/* What is exactly 0 is at the foot of a logarithmic axis, below a break; without zeros there is none. */
static void
test_zero_on_logarithmic (void)
{
  static const double x[] = { 1, 2, 3, 4 }, with[] = { 10, 0, 0.1, 1 },
                      without[] = { 10, 5, 0.1, 1 };

  for (unsigned zero = 0; zero < 2; zero++)
    {
      SlCurve  curve = { .title = "curve", .n = 4, .x = x, .y = zero ? with : without };
      SlFigure figure = { .kind = SL_PROFILE,
                          .n_curves = 1,
                          .curve = &curve,
                          .x = { .label = "x", .unit = "" },
                          .y = { .label = "lost", .unit = "%" },
                          .view = { .log_y = true },
                          .mark = NAN };
      SlFrame  frame;
      double   foot;

      lay (&figure, &frame, 400, 240);
      foot = frame.plot.y + frame.plot.h - frame.inset;
      g_assert_cmpint (figure.y_zero, ==, zero);
      g_assert_cmpint (strcmp (frame.y_tick[0].label, "0") == 0, ==, zero);
      g_assert_cmpint (sl_frame_y (&frame, 0.0) == foot, ==, zero);
      g_assert_cmpint (foot - sl_frame_y (&frame, 0.1) > 10.0, ==, zero);
      /* Hidden curves have no zero. */
      curve.hidden = true;
      lay (&figure, &frame, 400, 240);
      g_assert_false (figure.y_zero);
    }
}

/* Above the break of a range from few to many decades, in any room, no two numbers are printed over each other. */
static void
test_numbers_apart (void)
{
  static const double x[] = { 1, 2, 3, 4 };

  for (unsigned i = 0; i < 40; i++)
    {
      double   y[] = { 0, 0.02 * pow (1.2, i), 20, 48 };
      SlCurve  curve = { .title = "curve", .n = 4, .x = x, .y = y };
      SlFigure figure = { .kind = SL_PROFILE,
                          .n_curves = 1,
                          .curve = &curve,
                          .x = { .label = "x", .unit = "" },
                          .y = { .label = "wrong", .unit = "%" },
                          .view = { .log_y = true },
                          .mark = NAN };
      SlFrame  frame;
      double   last = HUGE_VAL;

      lay (&figure, &frame, 400, 120 + i);
      for (unsigned t = 0; t < frame.n_y_ticks; t++)
        if (frame.y_tick[t].label[0] != '\0')
          {
            g_assert_cmpfloat (last - frame.y_at[t], >=, 9.0);
            last = frame.y_at[t];
          }
    }
}

/* The same of x: the point is on the axis and its value is read there, the person's own range has no
 * foot, and what is typed or dragged goes by the axis itself.  */
static void
test_zero_on_logarithmic_x (void)
{
  static const double y[] = { 1, 2, 3, 4 }, with[] = { 0, 1, 10, 100 },
                      without[] = { 0.1, 1, 10, 100 };

  for (unsigned zero = 0; zero < 2; zero++)
    for (unsigned scatter = 0; scatter < 2; scatter++)
      {
        SlCurve curve = {
          .title = "curve", .n = 4, .x = zero ? with : without, .y = y, .scatter = scatter != 0
        };
        SlFigure figure = { .kind = SL_PROFILE,
                            .n_curves = 1,
                            .curve = &curve,
                            .x = { .label = "tried", .unit = "" },
                            .y = { .label = "error", .unit = "%" },
                            .view = { .log_x = true },
                            .mark = NAN };
        SlFrame  frame;

        lay (&figure, &frame, 400, 240);
        g_assert_cmpint (figure.x_zero, ==, zero);
        g_assert_cmpint (strcmp (frame.x_tick[0].label, "0") == 0, ==, zero);
        g_assert_cmpint (sl_frame_x (&frame, 0.0) == frame.plot.x, ==, zero);
        g_assert_cmpint (sl_frame_value_x (&frame, frame.plot.x) == 0.0, ==, zero);
        g_assert_cmpfloat (figure.x_range.lo, >, 0.0);
        /* The value at 0 is one of those that y goes over. */
        g_assert_cmpfloat (figure.y_range.lo, <=, 1.0);
        if (!zero)
          continue;
        g_assert_cmpfloat (sl_frame_x (&frame, 1.0) - frame.plot.x, >, 10.0);
        sl_frame_zoom (&frame, &figure, frame.plot.x + frame.plot.w, 0.0, 0.5, 1.0);
        lay (&figure, &frame, 400, 240);
        g_assert_false (figure.x_zero);
        g_assert_cmpfloat (figure.x_range.lo, >, 1.0);
        figure.view.zoomed = false;
        curve.hidden = true;
        lay (&figure, &frame, 400, 240);
        g_assert_false (figure.x_zero);
      }
}

/* A box is laid on what it hides least of. */
static void
test_hidden (void)
{
  static const double x[] = { 0, 10 }, y[] = { 0, 10 };
  SlCurve             curve = { .title = "curve", .n = 2, .x = x, .y = y };
  SlFigure            figure = { .kind = SL_PROFILE,
                                 .n_curves = 1,
                                 .curve = &curve,
                                 .x = { .label = "x", .unit = "" },
                                 .y = { .label = "y", .unit = "" },
                                 .mark = NAN };
  SlFrame             frame;
  SlRect              low, high;

  lay (&figure, &frame, 400, 240);
  low = (SlRect) { frame.plot.x, frame.plot.y + 0.6 * frame.plot.h, 0.4 * frame.plot.w,
                   0.4 * frame.plot.h };
  high = (SlRect) { frame.plot.x, frame.plot.y, 0.4 * frame.plot.w, 0.4 * frame.plot.h };
  g_assert_cmpuint (sl_frame_hidden (&frame, &figure, &low), >, 20);
  g_assert_cmpuint (sl_frame_hidden (&frame, &figure, &high), ==, 0);
  curve.hidden = true;
  g_assert_cmpuint (sl_frame_hidden (&frame, &figure, &low), ==, 0);
}

/* Plots of one page are called differently, however many there are. */
static void
test_page_letters (void)
{
  static const struct
  {
    unsigned    number;
    const char *text;
  } cases[] = { { 1, "(a)" },   { 26, "(z)" },  { 27, "(aa)" },
                { 52, "(az)" }, { 53, "(ba)" }, { 703, "(aaa)" } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      char text[SL_FRAME_LETTERS];

      sl_frame_letters (cases[i].number, text);
      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

/* A plot without values has its axes, and says when they come: after the first update, at the next
 * evaluation, never; it says so anew as the run goes on.  */
static void
test_coming (void)
{
  const SlLab *lab = sl_lab_find ("experts");
  unsigned     panel = (unsigned) sl_lab_panel (lab, "flips"), bars;
  SlFigure     figure = { 0 };
  SlFrame     *frame = g_new (SlFrame, 1);
  SlSettings   settings;
  SlRecord     record;
  SlStatus     status;
  char         before[SL_NOTE_MAX] = "";
  int          loss;

  sl_settings_default (&settings, lab->params, lab->n_params);
  status = sl_record_init (&record, lab, &settings, 1);
  g_assert_true (sl_ok (&status));
  loss = sl_layout_find (&record.layout, "loss.train");
  if (loss < 0)
    loss = (int) record.layout.first[sl_lab_panel (lab, "loss")][0];
  for (unsigned i = 0; i < 5; i++)
    {
      static const double step[] = { 0.0, 10.0, 120.0, 130.0, 500.0 };
      static const bool   news[] = { true, true, true, false, true };

      if (step[i] > 0.0)
        g_assert_true (
          sl_record_take (&record, &(SlSample) { (uint64_t) step[i], 1.0, (uint32_t) loss, 1 }));
      g_assert_cmpint (sl_panel_update (&figure, &record, panel, NULL, 0), ==, news[i]);
      g_assert_true (sl_figure_empty (&figure));
      g_assert_cmpint (strcmp (before, figure.note) != 0, ==, news[i]);
      g_strlcpy (before, figure.note, sizeof before);
      lay (&figure, frame, 420.0, 250.0);
      g_assert_cmpuint (frame->n_notes, >, 0);
      g_assert_cmpstr (frame->x_label, !=, "");
      g_assert_cmpuint (frame->n_x_ticks, >, 1);
      g_assert_cmpfloat (frame->plot.w, >, 200.0);
      if (i == 2)
        g_assert_nonnull (strstr (figure.note, "200"));
    }
  /* What was said before the first update is not said beyond it. */
  bars = (unsigned) sl_lab_panel (lab, "classes");
  g_assert_true (sl_record_show (
    &record, &(SlSnapshot) {
               .panel = bars, .generation = 1, .step = 0, .note = sl_message ("Nothing yet.") }));
  sl_panel_update (&figure, &record, bars, NULL, 0);
  g_assert_cmpstr (figure.note, !=, "");
  g_assert_null (strstr (figure.note, "Nothing yet."));
  g_free (frame);
  sl_figure_clear (&figure);
  sl_record_clear (&record);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/figure/page-letters", test_page_letters);
  g_test_add_func ("/plot/figure/panel", test_panel);
  g_test_add_func ("/plot/figure/kinds", test_kinds);
  g_test_add_func ("/plot/figure/ghosts", test_ghosts);
  g_test_add_func ("/plot/figure/fit", test_fit);
  g_test_add_func ("/plot/figure/fit-first", test_fit_first);
  g_test_add_func ("/plot/figure/fit-bars", test_fit_bars);
  g_test_add_func ("/plot/figure/fit-parts", test_fit_parts);
  g_test_add_func ("/plot/figure/letters", test_letters);
  g_test_add_func ("/plot/figure/categories", test_categories);
  g_test_add_func ("/plot/figure/holes-and-smoothing", test_holes_and_smoothing);
  g_test_add_func ("/plot/figure/reading", test_reading);
  g_test_add_func ("/plot/figure/possible", test_possible);
  g_test_add_func ("/plot/figure/zero-on-logarithmic", test_zero_on_logarithmic);
  g_test_add_func ("/plot/figure/numbers-apart", test_numbers_apart);
  g_test_add_func ("/plot/figure/zero-on-logarithmic-x", test_zero_on_logarithmic_x);
  g_test_add_func ("/plot/frame/hidden", test_hidden);
  g_test_add_func ("/plot/frame/layout", test_layout);
  g_test_add_func ("/plot/frame/legend", test_legend);
  g_test_add_func ("/plot/frame/legend-corner", test_legend_corner);
  g_test_add_func ("/plot/frame/hits", test_hits);
  g_test_add_func ("/plot/frame/zoom", test_zoom);
  g_test_add_func ("/plot/figure/coming", test_coming);
  return g_test_run ();
}
