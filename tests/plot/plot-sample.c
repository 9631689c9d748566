/* SPDX-License-Identifier: MIT */
#include "tests/plot/plot-sample.h"

#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/lab/alive.h"
#include "plot/figure/panel.h"

static const SlParam params[] = {
  { .id = "hidden",
    .title = "Hidden layers",
    .unit = "units",
    .group = "Model",
    .help = "",
    .source = "",
    .kind = SL_LIST,
    .lo = 1,
    .hi = 4096,
    .step = 1,
    .effect = SL_RESTART,
    .list = "100-60-40",
    .one = "layer" },
  { .id = "experts",
    .title = "Experts",
    .unit = "",
    .group = "Model",
    .help = "",
    .source = "",
    .kind = SL_INTEGER,
    .lo = 1,
    .hi = 64,
    .step = 1,
    .fallback = 16,
    .effect = SL_RESTART,
    .one = "expert" },
  { .id = "look-at",
    .title = "Expert to look at",
    .unit = "",
    .group = "Model",
    .help = "",
    .source = "",
    .kind = SL_INTEGER,
    .lo = 1,
    .hi = 64,
    .step = 1,
    .fallback = 3 },
};

static const SlTrace agreement[] = {
  { "agreement", "agreement", "%", "", SL_MEASURED, "hidden" },
  { "all-off", "all off", "%", "", SL_REFERENCE, "hidden" },
  { 0 },
};
static const SlTrace loss[] = {
  { "train", "training loss", "nats", "", SL_MEASURED, NULL },
  { "valid", "validation", "nats", "", SL_MEASURED, NULL },
  { "goal", "goal", "nats", "", SL_TARGET, NULL },
  { 0 },
};
static const SlTrace gaps[] = { { "value", "value", "", "", SL_MEASURED, NULL }, { 0 } };
static const SlTrace spread[] = {
  { "simulated", "simulated", "", "", SL_MEASURED, NULL },
  { "theory", "√depth law", "", "", SL_THEORY, NULL },
  { "published", "Hochreiter 2001", "", "", SL_PUBLISHED, NULL },
  { 0 },
};
static const SlTrace spectrum[] = {
  { "sigma", "σ", "", "", SL_MEASURED, "hidden" },
  { "cut", "rank", "", "", SL_TARGET, "hidden" },
  { 0 },
};
static const SlTrace speed[]
  = { { "speed-up", "speed-up over dense", "×", "", SL_MEASURED, NULL }, { 0 } };
static const char *const speed_names[]
  = { "expected", "executed", "timed, batch 1", "timed, batch 64", NULL };
static const SlTrace groups[] = {
  { "load", "load", "", "", SL_MEASURED, NULL },
  { "importance", "importance", "", "", SL_MEASURED, NULL },
  { "fair", "fair share", "", "", SL_REFERENCE, NULL },
  { 0 },
};
static const SlTrace cells[] = { { "value", "value", "", "", SL_MEASURED, NULL }, { 0 } };
static const SlTrace usage[] = {
  { "load", "load", "", "", SL_MEASURED, "experts" },
  { "fair", "fair", "", "", SL_REFERENCE, NULL },
  { 0 },
};

#define TEXTS .help = "", .source = ""

/* clang-format off */
static const SlPanel panels[SAMPLE_PANELS] = {
  [SAMPLE_AGREEMENT]
  = { "agreement", "Sign agreement", TEXTS, .kind = SL_SERIES, .x = { "update", "" },
      .y = { "correct signs", "%" }, .traces = agreement },
  [SAMPLE_LOSS] = { "loss", "Loss", TEXTS, .kind = SL_SERIES, .x = { "update", "" },
                    .y = { "cross entropy", "nats", .logarithmic = true }, .traces = loss },
  [SAMPLE_GAPS] = { "gaps", "Values that are missing", TEXTS, .kind = SL_SERIES,
                    .x = { "update", "" }, .y = { "value", "" }, .traces = gaps },
  [SAMPLE_SPREAD] = { "spread", "Spread against depth", TEXTS, .kind = SL_PROFILE,
                      .x = { "depth", "" }, .y = { "spread σ", "positions" }, .traces = spread },
  [SAMPLE_SPECTRUM] = { "spectrum", "Singular values", TEXTS, .kind = SL_PROFILE,
                        .x = { "direction", "", .logarithmic = true },
                        .y = { "singular value", "", .logarithmic = true }, .traces = spectrum },
  [SAMPLE_SPEED]
  = { "speed", "Speed-up", TEXTS, .kind = SL_BARS, .x = { "", "" },
      .y = { "speed-up over dense", "×", 0, 1 }, .traces = speed, .categories = speed_names },
  [SAMPLE_GROUPS] = { "groups", "Expert load", TEXTS, .kind = SL_BARS, .x = { "expert", "" },
                      .y = { "share", "%" }, .traces = groups },
  [SAMPLE_LOAD] = { "load", "Expert usage", TEXTS, .kind = SL_HEATMAP,
                    .x = { "update", "", 0, 5000 }, .y = { "expert", "" }, .traces = cells },
  [SAMPLE_CONFUSION] = { "confusion", "Expert by class", TEXTS, .kind = SL_HEATMAP,
                         .x = { "class", "" }, .y = { "expert", "" }, .traces = cells },
  [SAMPLE_FILTERS] = { "filters", "First-layer filters", TEXTS, .kind = SL_IMAGE, .x = { "", "" },
                       .y = { "weight", "" }, .traces = cells },
  [SAMPLE_USAGE]
  = { "usage", "Expert usage over time", TEXTS, .kind = SL_HISTORY, .x = { "update", "" },
      .y = { "expert", "" }, .z = { "load ÷ ideal", "", 0, 3 }, .centre = 1, .zero = "dead",
      .picks = "look-at", .traces = usage },
  [SAMPLE_PARTS] = { "parts", "Share of each expert", TEXTS, .kind = SL_SHARES,
                     .x = { "update", "" }, .y = { "share", "%" }, .of = "usage",
                     .picks = "look-at" },
  [SAMPLE_LAYERS] = { "layers", "Share of each layer", TEXTS, .kind = SL_SHARES,
                      .x = { "update", "" }, .y = { "share", "" }, .of = "agreement" },
  [SAMPLE_RATES] = { "rates", "Rates over time", TEXTS, .kind = SL_HISTORY, .x = { "update", "" },
                     .y = { "rate", "%", 0, 80 },
                     .z = { "units", "", 0.01, 10, .logarithmic = true }, .of = "usage" },
  [SAMPLE_CLASSES]
  = { "classes", "Which expert takes which class", TEXTS, .kind = SL_HEATMAP, .x = { "class", "" },
      .y = { "expert", "" }, .z = { "share of the class", "%" }, .zero = "never", .traces = cells,
      .picks = "look-at" },
  [SAMPLE_PICTURES] = { "pictures", "The picture as it forms", TEXTS, .kind = SL_IMAGE,
                        .x = { "", "" }, .y = { "", "" }, .traces = cells },
  [SAMPLE_ALIVE] = { "alive", "One example on its way", TEXTS, .kind = SL_ALIVE },
  [SAMPLE_CHOICE] = { "choice", "Two of eight", TEXTS, .kind = SL_ALIVE },
  [SAMPLE_PATH] = { "path", "One path of sixteen", TEXTS, .kind = SL_ALIVE },
  [SAMPLE_NET] = { "net", "One way of two", TEXTS, .kind = SL_ALIVE },
  [SAMPLE_LIGHT] = { "light", "The light of one output", TEXTS, .kind = SL_ALIVE },
  [SAMPLE_GLOW] = { "glow", "The picture as it forms", TEXTS, .kind = SL_ALIVE },
  [SAMPLE_NOTHING] = { "nothing", "Drift since refresh", TEXTS, .kind = SL_SERIES,
                       .x = { "update", "" }, .y = { "drift", "%" }, .traces = gaps },
};

const SlLab sample_lab = { .id = "sample", .title = "Sample", .summary = "", .reference = "",
                           .params = params, .n_params = G_N_ELEMENTS (params),
                           .panels = panels, .n_panels = SAMPLE_PANELS };
/* clang-format on */

double
sample_noise (uint64_t k)
{
  k = (k + 1) * 0x9e3779b97f4a7c15U;
  k = (k ^ k >> 30) * 0xbf58476d1ce4e5b9U;
  k = (k ^ k >> 27) * 0x94d049bb133111ebU;
  return (double) ((k ^ k >> 31) >> 11) * 0x1p-53;
}

/* The last four experts starve one after the other, the third becomes a favourite, the sixth is
 * unknown for a while.  */
static void
fill_usage (SlSink *sink, size_t i, double t)
{
  unsigned n = (unsigned) sink->layout->n, first = sink->layout->first[SAMPLE_USAGE][0];

  for (unsigned e = 0; first + e < n && sink->layout->channel[first + e].panel == SAMPLE_USAGE
                       && sink->layout->channel[first + e].trace == 0;
       e++)
    {
      double load = fmax (1.0 + 0.3 * sin (2.0 * e + 5.0 * t), 0.05)
                    * (0.8 + 0.4 * sample_noise (64 * i + e));

      if (e == 2)
        load += 3.0 * t;
      if (e >= 12 && t > 0.3 + 0.1 * (e - 12))
        load = 0.0;
      if (e == 5 && t > 0.4 && t < 0.5)
        load = (double) NAN;
      sl_sink_value (sink, SAMPLE_USAGE, 0, e, load);
    }
  sl_sink_value (sink, SAMPLE_USAGE, 1, 0, 1.0);
}

static void
fill_series (SlRecord *record, size_t n)
{
  SlRecordSink sink;

  sl_record_sink_init (&sink, record);
  for (size_t i = 0; i < n; i++)
    {
      double t = (double) i / (double) MAX (n, 1), saw = (double) (i % 40) / 40.0;

      sink.sink.step = 10 * (i + 1);
      for (unsigned l = 0; l < 3; l++)
        {
          sl_sink_value (&sink.sink, SAMPLE_AGREEMENT, 0, l,
                         98.5 - 2.5 * l - 9.0 * exp (-6.0 * t) - 1.2 * (l + 1) * saw
                           + 0.9 * (sample_noise (7 * i + l) - 0.5));
          sl_sink_value (&sink.sink, SAMPLE_AGREEMENT, 1, l, 88.0 - 4.0 * l - 3.0 * t);
        }
      sl_sink_value (&sink.sink, SAMPLE_LOSS, 0, 0,
                     2.3 * exp (-5.0 * t) * (0.7 + 0.6 * sample_noise (3 * i)) + 0.02);
      if (i % 100 == 99)
        sl_sink_value (&sink.sink, SAMPLE_LOSS, 1, 0, 2.0 * exp (-4.2 * t) + 0.035);
      sl_sink_value (&sink.sink, SAMPLE_LOSS, 2, 0, 0.05);
      sl_sink_value (&sink.sink, SAMPLE_GAPS, 0, 0,
                     i % 97 == 50 || (i > n / 2 && i < n / 2 + n / 12)
                       ? (double) NAN
                       : sin (12.0 * t) + 0.1 * saw);
      fill_usage (&sink.sink, i, t);
    }
  sl_record_sink_clear (&sink);
}

static void
fill_spread (SlSink *sink)
{
  SlSnapshot *snapshot = sink->open (sink, SAMPLE_SPREAD);
  double     *at = sl_snapshot_curve (snapshot, sink->layout->first[SAMPLE_SPREAD][0], 12, true);

  for (unsigned i = 0; i < 12; i++)
    {
      at[i] = i + 1;
      at[12 + i] = 0.82 * sqrt (i + 1.0) + 0.25 * (sample_noise (i) - 0.5);
      at[24 + i] = 0.12 + 0.02 * i;
    }
  at = sl_snapshot_curve (snapshot, sink->layout->first[SAMPLE_SPREAD][1], 60, false);
  for (unsigned i = 0; i < 60; i++)
    {
      at[i] = 1.0 + 11.0 * i / 59.0;
      at[60 + i] = 0.82 * sqrt (at[i]);
    }
  at = sl_snapshot_curve (snapshot, sink->layout->first[SAMPLE_SPREAD][2], 3, false);
  for (unsigned i = 0; i < 3; i++)
    {
      at[i] = 3 + 4 * i;
      at[3 + i] = 0.86 * sqrt (at[i]);
    }
  snapshot->mark = 8.0;
  snapshot->note = sl_message ("%d walks, mean ± one standard deviation", 500);
  sink->publish (sink, snapshot);
}

static void
fill_spectrum (SlSink *sink)
{
  SlSnapshot *snapshot = sink->open (sink, SAMPLE_SPECTRUM);

  for (unsigned l = 0; l < 3; l++)
    {
      unsigned n = 400 >> l;
      double  *at
        = sl_snapshot_curve (snapshot, sink->layout->first[SAMPLE_SPECTRUM][0] + l, n, false);

      for (unsigned i = 0; i < n; i++)
        {
          at[i] = i + 1;
          at[n + i] = (12.0 - 3.0 * l) * pow (i + 1.0, -0.45) * exp (-pow ((i + 1.0) / n, 4.0));
        }
      at = sl_snapshot_curve (snapshot, sink->layout->first[SAMPLE_SPECTRUM][1] + l, 1, false);
      at[0] = 50 >> l;
      at[1] = (12.0 - 3.0 * l) * pow (at[0], -0.45);
    }
  sink->publish (sink, snapshot);
}

static void
fill_bars (SlSink *sink)
{
  static const double ups[] = { 4.84, 3.91, 2.06, 1.32 };
  SlSnapshot         *snapshot = sink->open (sink, SAMPLE_SPEED);
  double *at = sl_snapshot_curve (snapshot, sink->layout->first[SAMPLE_SPEED][0], 4, false);

  for (unsigned i = 0; i < 4; i++)
    {
      at[i] = i;
      at[4 + i] = ups[i];
    }
  sink->publish (sink, snapshot);

  snapshot = sink->open (sink, SAMPLE_GROUPS);
  for (unsigned t = 0; t < 3; t++)
    {
      at = sl_snapshot_curve (snapshot, sink->layout->first[SAMPLE_GROUPS][t], 8, t < 2);
      for (unsigned i = 0; i < 8; i++)
        {
          at[i] = i + 1;
          at[8 + i] = t == 2 ? 12.5 : 12.5 + 14.0 * (sample_noise (10 * t + i) - 0.5);
          if (t < 2)
            at[16 + i] = 1.0 + 2.0 * sample_noise (99 + i);
        }
    }
  sink->publish (sink, snapshot);
}

static void
fill_matrices (SlSink *sink)
{
  SlSnapshot *snapshot = sink->open (sink, SAMPLE_LOAD);
  double     *at = sl_snapshot_matrix (snapshot, 1, 16, 120);

  for (unsigned r = 0; r < 16; r++)
    for (unsigned c = 0; c < 120; c++)
      at[r * 120 + c] = 1.0 + sin (r * 1.7 + c * 0.04) * exp (c * -0.012)
                        + 0.2 * (sample_noise (r * 120 + c) - 0.5);
  at[5 * 120 + 60] = NAN;
  snapshot->lo = 0.0;
  snapshot->hi = 2.2;
  sink->publish (sink, snapshot);

  snapshot = sink->open (sink, SAMPLE_CONFUSION);
  at = sl_snapshot_matrix (snapshot, 1, 4, 6);
  for (unsigned i = 0; i < 24; i++)
    at[i] = sample_noise (i + 1000) - 0.4;
  snapshot->lo = -0.6;
  snapshot->hi = 0.6;
  sink->publish (sink, snapshot);

  snapshot = sink->open (sink, SAMPLE_FILTERS);
  at = sl_snapshot_matrix (snapshot, 24, 14, 14);
  for (unsigned t = 0; t < 24; t++)
    for (unsigned r = 0; r < 14; r++)
      for (unsigned c = 0; c < 14; c++)
        *at++ = cos (0.35 * (t % 6) * (r - 6.5) + 0.3 * (t / 6.0) * (c - 6.5))
                * exp (-((r - 6.5) * (r - 6.5) + (c - 6.5) * (c - 6.5)) / 22.0);
  snapshot->lo = -1.0;
  snapshot->hi = 1.0;
  sink->publish (sink, snapshot);

  snapshot = sink->open (sink, SAMPLE_CLASSES);
  at = sl_snapshot_matrix (snapshot, 1, 8, 10);
  for (unsigned i = 0; i < 80; i++)
    at[i] = i % 7 == 3 ? 0.0 : floor (100.0 * sample_noise (i + 77));
  snapshot->lo = 0.0;
  snapshot->hi = 90.0;
  snprintf (
    snapshot->names, sizeof snapshot->names,
    "T-shirt/top\nTrouser\nPullover\nDress\nCoat\nSandal\nShirt\nSneaker\nBag\nAnkle boot\n");
  snapshot->note = sl_message (
    "Expert 3 takes most of the trousers; a sentence about it may well be longer than the "
    "card is wide, and then it goes on below");
  sink->publish (sink, snapshot);
}

/* Three pictures; the second is wider than it is high. */
static void
fill_pictures (SlSink *sink)
{
  enum { SIDE = 96 };
  SlSnapshot *snapshot = sink->open (sink, SAMPLE_PICTURES);
  double     *at = sl_snapshot_pictures (snapshot, 3, SIDE, SIDE);

  for (unsigned tile = 0; tile < 3; tile++)
    for (unsigned plane = 0; plane < 3; plane++)
      for (unsigned r = 0; r < SIDE; r++)
        for (unsigned c = 0; c < SIDE; c++)
          {
            double x = (c - 47.5) / 48.0, y = (r - 47.5) / 48.0, turn = 1.0 + plane - tile;

            *at++
              = tile == 1 && fabs (y) > 0.6
                  ? (double) NAN
                  : 0.5
                      + 0.5 * sin (9.0 * x * (tile > 0) + 4.0 * y * y + 2.0 * turn) * cos (3.0 * x);
          }
  snprintf (snapshot->names, sizeof snapshot->names, "content\nstyle\nboth\n");
  sink->publish (sink, snapshot);
}

static double *
add_row (double *at, SlAliveRow what, double a, double b, double c, double d)
{
  const double row[SL_ALIVE_COLUMNS] = { what, a, b, c, d };

  memcpy (at, row, sizeof row);
  return at + SL_ALIVE_COLUMNS;
}

static void
cut (SlSink *sink, SlSnapshot *snapshot, const double *at)
{
  snapshot->n_data = (size_t) (at - snapshot->data);
  snapshot->rows = (unsigned) (snapshot->n_data / SL_ALIVE_COLUMNS);
  sink->publish (sink, snapshot);
}

/* The classes, of which the third is said and the fourth is true; and the end of the matrix. */
static void
end_alive (SlSink *sink, SlSnapshot *snapshot, double *at)
{
  for (unsigned i = 0; i < 6; i++)
    at = add_row (at, SL_ALIVE_ROW_CLASS, i == 2 ? 0.6 : i == 3 ? 0.3 : 0.025, i == 3, i == 2, i);
  cut (sink, snapshot, at);
}

static double *
add_field (double *at, unsigned units, unsigned salt)
{
  at = add_row (at, SL_ALIVE_ROW_GROUP, SL_ALIVE_NECK, 1, 0, 0);
  at = add_row (at, SL_ALIVE_ROW_CELL, SL_ALIVE_USED, 0.1, 0, 1);
  at = add_row (at, SL_ALIVE_ROW_GROUP, SL_ALIVE_MOSAIC, units, 0, 0);
  for (unsigned i = 0; i < units; i++)
    at = add_row (at, SL_ALIVE_ROW_CELL, (unsigned) (4.0 * sample_noise (salt + i)),
                  sample_noise (i), sample_noise (2 * i), i + 1);
  return at;
}

static void
fill_alive (SlSink *sink)
{
  SlSnapshot *snapshot = sink->open (sink, SAMPLE_ALIVE);
  double     *at = sl_snapshot_matrix (snapshot, 1, 400, SL_ALIVE_COLUMNS);

  at = add_row (at, SL_ALIVE_ROW_INPUT, SL_ALIVE_GREY, 8, 6, 15);
  for (unsigned i = 0; i < 48; i++)
    at = add_row (at, SL_ALIVE_ROW_PIXEL, i / 48.0, i / 48.0, i / 48.0, 0);
  at = add_field (at, 150, 7);
  at = add_field (at, 61, 700);
  snprintf (snapshot->names, sizeof snapshot->names,
            "rank 5\nlayer 1: 70 of 150\nrank 3\nlayer 2: 30 of 61\n"
            "T-shirt/top\nTrouser\nPullover\nDress\nCoat\nAnkle boot\n");
  snapshot->note = sl_message ("%d of %d units computed, %d missed: %d %% of the multiplications.",
                               100, 211, 50, 60);
  end_alive (sink, snapshot, at);
}

static void
fill_choice (SlSink *sink)
{
  SlSnapshot *snapshot = sink->open (sink, SAMPLE_CHOICE);
  double     *at = sl_snapshot_matrix (snapshot, 1, 100, SL_ALIVE_COLUMNS);

  at = add_row (at, SL_ALIVE_ROW_INPUT, SL_ALIVE_PLANE, 1, 1, 21);
  for (unsigned i = 0; i < 20; i++)
    at = add_row (at, SL_ALIVE_ROW_POINT, sample_noise (i), sample_noise (i + 50), i == 19, 0);
  for (unsigned group = 0; group < 2; group++)
    {
      at = add_row (at, SL_ALIVE_ROW_GROUP, group == 0 ? SL_ALIVE_SCORES : SL_ALIVE_BOXES, 8, 7, 0);
      for (unsigned i = 0; i < 8; i++)
        at = add_row (at, SL_ALIVE_ROW_CELL,
                      i == 1 || i == 6 ? SL_ALIVE_USED
                      : i == 3         ? SL_ALIVE_DEAD
                                       : SL_ALIVE_SKIPPED,
                      i == 1   ? 0.7
                      : i == 6 ? 0.3
                               : 0.25 * (1 - group),
                      0.1 * (1 - group), i + 1);
    }
  at = add_row (at, SL_ALIVE_ROW_GROUP, SL_ALIVE_SUM, 1, 7, 0);
  at = add_row (at, SL_ALIVE_ROW_CELL, SL_ALIVE_USED, 1, 0, 1);
  at = add_row (at, SL_ALIVE_ROW_EDGE, 1, 1, 0.7, 0);
  at = add_row (at, SL_ALIVE_ROW_EDGE, 1, 6, 0.3, 0);
  snprintf (snapshot->names, sizeof snapshot->names,
            "scores\nexperts\nsum\nred\nwhite\ngreen\nyellow\nblue\nbrown\n");
  snapshot->note
    = sl_message ("%d of %d experts computed: %d %% of the multiplications.", 2, 8, 27);
  end_alive (sink, snapshot, at);
}

static double *
add_point (double *at)
{
  at = add_row (at, SL_ALIVE_ROW_INPUT, SL_ALIVE_PLANE, 1, 1,
                1 << SL_ALIVE_USED | 1 << SL_ALIVE_SKIPPED);
  return add_row (at, SL_ALIVE_ROW_POINT, 0.3, 0.6, 1, 0);
}

/* The path of the bits 0110. */
static void
fill_path (SlSink *sink)
{
  SlSnapshot *snapshot = sink->open (sink, SAMPLE_PATH);
  double     *at = add_point (sl_snapshot_matrix (snapshot, 1, 60, SL_ALIVE_COLUMNS));

  at = add_row (at, SL_ALIVE_ROW_GROUP, SL_ALIVE_BITS, 4, 0, 0);
  for (unsigned i = 0; i < 4; i++)
    at = add_row (at, SL_ALIVE_ROW_CELL, SL_ALIVE_USED, i == 1 || i == 2 ? 0.9 : 0.2, 0, i + 1);
  at = add_row (at, SL_ALIVE_ROW_GROUP, SL_ALIVE_TREE, 31, 0, 0);
  for (unsigned level = 0; level < 5; level++)
    for (unsigned i = 0; i < 1U << level; i++)
      at
        = add_row (at, SL_ALIVE_ROW_CELL, i == 6U >> (4 - level) ? SL_ALIVE_USED : SL_ALIVE_SKIPPED,
                   sample_noise (i), 1.0 / (1U << level), (1U << level) + i);
  snprintf (
    snapshot->names, sizeof snapshot->names,
    "bits\ntree (darker: more visits): 5 of 31 nodes\nred\nwhite\ngreen\nyellow\nblue\nbrown\n");
  snapshot->note = sl_message ("%d of %d nodes computed.", 5, 31);
  end_alive (sink, snapshot, at);
}

/* Cells of which each has a name, and their places from x, y, width, height. */
static double *
add_placed (double *at, SlSnapshot *snapshot, SlAliveForm form, unsigned n, const double place[][4],
            const char *const *name)
{
  at = add_row (at, SL_ALIVE_ROW_GROUP, form, n, 0, 0);
  for (unsigned i = 0; i < n; i++)
    at = add_row (at, SL_ALIVE_ROW_CELL, i % 3 == 1 ? SL_ALIVE_SKIPPED : SL_ALIVE_USED,
                  sample_noise (i), 0, i + 1);
  for (unsigned i = 0; i < n; i++)
    {
      at = add_row (at, SL_ALIVE_ROW_PLACE, place[i][0], place[i][1], place[i][2], place[i][3]);
      sl_snapshot_row_name (snapshot, name[i]);
    }
  return at;
}

static void
fill_net (SlSink *sink)
{
  static const double option[][4] = { { 0, 0, 1, 0.4 }, { 0, 0.5, 1, 0.4 } };
  static const double box[][4]
    = { { 0.02, 0.43, 0.12, 0.14 }, { 0.22, 0.43, 0.12, 0.14 }, { 0.42, 0.43, 0.12, 0.14 },
        { 0.62, 0.18, 0.12, 0.14 }, { 0.62, 0.68, 0.12, 0.14 }, { 0.82, 0.43, 0.12, 0.14 } };
  static const double   part[][4] = { { 0, 0.8, 1, 0.2 }, { 0, 0.5, 1, 0.3 } };
  static const unsigned link[][4]
    = { { 0, 1, 1, 0 }, { 1, 2, 1, 0 }, { 2, 3, 1, 1 }, { 2, 4, 0, 1 }, { 3, 5, 1, 0 },
        { 4, 5, 0, 0 }, { 0, 5, 1, 0 }, { 1, 5, 0, 0 }, { 0, 4, 0, 0 } };
  static const char *const names[] = { "high", "low", "in", "N1", "Q", "high", "low", "out" };
  SlSnapshot              *snapshot = sink->open (sink, SAMPLE_NET);
  double                  *at = add_point (sl_snapshot_matrix (snapshot, 1, 60, SL_ALIVE_COLUMNS));

  sl_snapshot_row_name (snapshot, "example 1");
  at = add_placed (at, snapshot, SL_ALIVE_OPTIONS, 2, option, names);
  at = add_placed (at, snapshot, SL_ALIVE_GRAPH, 6, box, names + 2);
  for (unsigned i = 0; i < G_N_ELEMENTS (link); i++)
    at = add_row (at, SL_ALIVE_ROW_LINK, link[i][0], link[i][1], link[i][2], link[i][3]);
  at = add_placed (at, snapshot, SL_ALIVE_METER, 2, part, names + 3);
  snprintf (snapshot->names, sizeof snapshot->names,
            "scores\nnetwork\ncost: 50 %%\nred\nwhite\ngreen\nyellow\nblue\nbrown\n");
  snapshot->note = sl_message ("%d of %d nodes computed.", 4, 6);
  end_alive (sink, snapshot, at);
}

static void
fill_light (SlSink *sink)
{
  enum { LAYERS = 5, ROWS = 9 };
  SlSnapshot *snapshot = sink->open (sink, SAMPLE_LIGHT);
  double     *at = sl_snapshot_matrix (snapshot, 1, 60, SL_ALIVE_COLUMNS);

  sl_snapshot_row_name (snapshot, "network 1");
  at = add_row (at, SL_ALIVE_ROW_INPUT, SL_ALIVE_LAMP, 0, 0, 0);
  at = add_row (at, SL_ALIVE_ROW_GROUP, SL_ALIVE_LIGHT, LAYERS, 1, LAYERS);
  for (int i = 0; i < ROWS * LAYERS; i++)
    {
      double x = i / LAYERS - ROWS / 2, theory = exp (-x * x / (0.1 + i % LAYERS));

      at = add_row (at, SL_ALIVE_ROW_CELL, SL_ALIVE_USED, 0.9 * theory, theory, i + 1);
    }
  at = add_row (at, SL_ALIVE_ROW_GROUP, SL_ALIVE_PROFILE, ROWS, 1, 0);
  for (int i = 0; i < ROWS; i++)
    at = add_row (at, SL_ALIVE_ROW_CELL, SL_ALIVE_USED, 0.5, exp (-abs (i - ROWS / 2)), i + 1);
  snprintf (snapshot->names, sizeof snapshot->names, "4 layers\nat the input\n");
  snapshot->note = sl_message ("spread over %u pixels", 2);
  cut (sink, snapshot, at);
}

static double *
add_pixels (double *at, unsigned n, bool glows)
{
  for (unsigned i = 0; i < n; i++)
    at = add_row (at, SL_ALIVE_ROW_PIXEL, sample_noise (i), sample_noise (2 * i), 0.5,
                  glows ? sample_noise (3 * i) : 0.0);
  return at;
}

static void
fill_glow (SlSink *sink)
{
  SlSnapshot *snapshot = sink->open (sink, SAMPLE_GLOW);
  double     *at = sl_snapshot_matrix (snapshot, 1, 60, SL_ALIVE_COLUMNS);

  sl_snapshot_row_name (snapshot, "Content: hills");
  at = add_row (at, SL_ALIVE_ROW_INPUT, SL_ALIVE_COLOURED, 3, 2, 0);
  at = add_pixels (at, 3 * 2, false);
  at = add_row (at, SL_ALIVE_ROW_GROUP, SL_ALIVE_PICTURE, 3 * 2, 3, 3);
  at = add_row (at, SL_ALIVE_ROW_CELL, SL_ALIVE_USED, 0, 0, 1);
  at = add_pixels (at, 3 * 2, false);
  at = add_row (at, SL_ALIVE_ROW_GROUP, SL_ALIVE_PICTURE, 6 * 4, 3, 6);
  at = add_row (at, SL_ALIVE_ROW_CELL, SL_ALIVE_USED, 0.3, 0, 1);
  at = add_pixels (at, 6 * 4, true);
  snprintf (snapshot->names, sizeof snapshot->names, "Style: waves\nit glows\n");
  snapshot->note = sl_message ("The loss is %u.", 2);
  cut (sink, snapshot, at);
}

void
sample_record (SlRecord *record, size_t n, unsigned generation)
{
  SlSettings   settings;
  SlRecordSink sink;
  SlStatus     status;

  sl_settings_default (&settings, sample_lab.params, sample_lab.n_params);
  sl_settings_settle (&settings, sample_lab.params, sample_lab.n_params);
  status = sl_record_init (record, &sample_lab, &settings, generation);
  g_assert_true (sl_ok (&status));
  fill_series (record, n);
  sl_record_sink_init (&sink, record);
  sink.sink.step = 10 * n;
  fill_spread (&sink.sink);
  fill_spectrum (&sink.sink);
  fill_bars (&sink.sink);
  fill_matrices (&sink.sink);
  fill_pictures (&sink.sink);
  fill_alive (&sink.sink);
  fill_choice (&sink.sink);
  fill_path (&sink.sink);
  fill_net (&sink.sink);
  fill_light (&sink.sink);
  fill_glow (&sink.sink);
  g_assert_false (sink.failed);
  sl_record_sink_clear (&sink);
  if (n >= 10)
    {
      g_assert_true (sl_record_mark (record, 2.5 * (double) n, "rank 50-35-25 → 5-5-5"));
      g_assert_true (sl_record_mark (record, 6.0 * (double) n, "learning-rate 5e-4 → 1e-4"));
      g_assert_true (sl_record_mark (record, 6.05 * (double) n, "rank 5-5-5 → 50-35-25"));
    }
}

void
sample_figures_init (SampleFigures *figures, size_t n)
{
  memset (figures, 0, sizeof *figures);
  sample_record (&figures->record, n, 1);
  for (unsigned p = 0; p < SAMPLE_PANELS; p++)
    {
      sl_panel_update (&figures->figure[p], &figures->record, p, NULL, 0);
      figures->list[p] = &figures->figure[p];
    }
}

void
sample_figures_clear (SampleFigures *figures)
{
  for (unsigned p = 0; p < SAMPLE_PANELS; p++)
    sl_figure_clear (&figures->figure[p]);
  sl_record_clear (&figures->record);
}
