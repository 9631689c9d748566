/* SPDX-License-Identifier: MIT
 *
 * The gating map: planes through the input space, numbers that stay with their patterns, and the
 * whole picture from a lab made for it.  */
#include <glib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core/data/source/source.h"
#include "core/lab/kit/state.h"
#include "core/lab/map/palette.h"
#include "core/lab/map/slice.h"
#include "tests/support/close.h"
#include "tests/support/english.h"

/* Good until the next call but one. */
static const char *
slice_english (const SlSlice *slice)
{
  SlMessage text = sl_slice_text (slice);

  return sl_english (&text);
}

static void
assert_ok (SlStatus status)
{
  char text[512];

  if (!sl_ok (&status))
    g_error ("%s", sl_status_text (&status, text, sizeof text));
}

static SlDataset *
open_data (const char *spec)
{
  SlDataset *dataset;

  assert_ok (sl_source_open (spec, &dataset));
  return dataset;
}

/* Two features: cells are the input space, row 0 on top, and all data are inside. */
static void
test_plane (void)
{
  SlDataset *data = open_data ("moons:points=200");
  SlSlice    slice;
  sl_real    x[16 * 16 * 2];

  assert_ok (sl_slice_init (&slice, data));
  sl_slice_points (&slice, 16, 0, 256, x);
  g_assert_cmpfloat (x[0], <, x[2]);
  g_assert_cmpfloat (x[1], >, x[16 * 2 + 1]);
  sl_assert_near ((double) x[0], slice.left + (slice.right - slice.left) / 32, 1e-6, 0);
  sl_assert_near ((double) x[1], slice.top - (slice.top - slice.bottom) / 32, 1e-6, 0);
  for (size_t e = 0; e < data->n[SL_TRAIN]; e++)
    {
      sl_real input[2];
      uint8_t label;
      double  u, v;

      sl_dataset_range (data, e, 1, input, &label);
      sl_slice_place (&slice, input, &u, &v);
      sl_assert_near (u, (double) input[0], 1e-6, 1e-6);
      sl_assert_near (v, (double) input[1], 1e-6, 1e-6);
      g_assert_true (u > slice.left && u < slice.right && v > slice.bottom && v < slice.top);
    }
  g_assert_cmpstr (slice_english (&slice), ==, "");
  sl_slice_clear (&slice);
  sl_dataset_free (data);
}

/* One feature: it runs across, and upwards nothing changes. */
static void
test_line (void)
{
  SlDataset       *data;
  SlSlice          slice;
  sl_real          x[16];
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "sluice-line-XXXXXX.csv", NULL);
  GString         *csv = g_string_new (NULL);
  int              file = g_mkstemp (path);

  for (int i = 0; i < 60; i++)
    g_string_append_printf (csv, "%d,%d\n", i, i % 2);
  g_assert_cmpint (write (file, csv->str, csv->len), ==, (ssize_t) csv->len);
  close (file);
  data = open_data (path);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpuint (data->features, ==, 1);
  assert_ok (sl_slice_init (&slice, data));
  sl_slice_points (&slice, 4, 0, 16, x);
  for (unsigned c = 0; c < 4; c++)
    {
      double across = slice.left + (c + 0.5) / 4 * (slice.right - slice.left);

      for (unsigned r = 0; r < 4; r++)
        sl_assert_near ((double) x[4 * r + c], across, 1e-6, 1e-6);
    }
  for (size_t e = 0; e < data->n[SL_TRAIN]; e++)
    {
      sl_real input;
      uint8_t label;
      double  u, v;

      sl_dataset_range (data, e, 1, &input, &label);
      sl_slice_place (&slice, &input, &u, &v);
      sl_assert_near (u, (double) input, 1e-6, 1e-6);
      sl_assert_near (v, 0.0, 0, 0);
    }
  g_string_free (csv, TRUE);
  sl_slice_clear (&slice);
  sl_dataset_free (data);
}

/* Images: the components have length 1, are at right angles, and no other direction has more
 * variance; two axes change nothing but their two features.  */
static void
test_slices (void)
{
  SlDataset          *data = open_data ("digits:images=600");
  size_t              d = data->features;
  SlSlice             slice;
  g_autofree sl_real *x = g_new (sl_real, 9 * d), *through = g_new (sl_real, d);
  double              dot[3] = { 0, 0, 0 };
  uint8_t             label;

  assert_ok (sl_slice_init (&slice, data));
  for (size_t i = 0; i < d; i++)
    {
      double a = (double) slice.direction[0][i], b = (double) slice.direction[1][i];

      dot[0] += a * a;
      dot[1] += b * b;
      dot[2] += a * b;
    }
  sl_assert_near (dot[0], 1.0, 1e-4, 0);
  sl_assert_near (dot[1], 1.0, 1e-4, 0);
  sl_assert_near (dot[2], 0.0, 0, 1e-4);
  /* Two of so many directions would carry 2/d by chance. */
  g_assert_true (slice.share > 10.0 * 2.0 / (double) d && slice.share < 1.0);
  g_assert_nonnull (strstr (slice_english (&slice), "principal components"));

  sl_slice_set_view (&slice,
                     &(SlMapView) { .slice = SL_SLICE_AXES, .axis = { 100, 200 }, .through = 3 });
  sl_slice_points (&slice, 3, 0, 9, x);
  sl_dataset_range (data, 3, 1, through, &label);
  for (size_t k = 0; k < 9; k++)
    for (size_t i = 0; i < d; i++)
      if (i != 100 && i != 200)
        g_assert_true (x[k * d + i] == through[i]);
  g_assert_true (x[100] != x[d + 100] && x[200] != x[3 * d + 200]);
  /* Views that do not fit are brought to ones that do. */
  sl_slice_set_view (
    &slice,
    &(SlMapView) { .slice = SL_SLICE_AXES, .axis = { 99999, 99999 }, .through = 4000000000U });
  g_assert_cmpuint (slice.axis[0], <, d);
  g_assert_cmpuint (slice.axis[0], !=, slice.axis[1]);
  sl_slice_clear (&slice);
  sl_dataset_free (data);
}

enum { SIDE = 20 };

/* Stripes of patterns, `shift` columns to the right. */
static void
stripes (SlCell *cells, unsigned width, unsigned shift, uint64_t base)
{
  for (unsigned r = 0; r < SIDE; r++)
    for (unsigned c = 0; c < SIDE; c++)
      cells[r * SIDE + c] = (SlCell) { .pattern = base + (c + shift) / width };
}

/* The pattern that a cell is known by; a number that no pattern has for all the others. */
static uint64_t
known (const SlPalette *palette, const uint8_t *number, unsigned cell)
{
  return number[cell] < SL_MAP_COLOURS ? palette->pattern[number[cell]] : 0x7777;
}

/* A pattern that stays keeps its number, by which it may have been chosen. */
static void
test_numbers_stay (void)
{
  static SlCell  cells[SIDE * SIDE];
  SlPalette      palette = { 0 };
  uint8_t        first[SIDE * SIDE];
  const uint8_t *number;

  stripes (cells, 5, 0, 100);
  assert_ok (sl_palette_match (&palette, SIDE, cells, &number));
  memcpy (first, number, sizeof first);
  for (int stripe = 1; stripe < 4; stripe++)
    g_assert_cmpuint (number[stripe * 5], !=, number[(stripe - 1) * 5]);

  /* The same patterns, elsewhere, although others are there now. */
  stripes (cells, 5, 5, 99);
  assert_ok (sl_palette_match (&palette, SIDE, cells, &number));
  g_assert_cmpuint (number[0], ==, first[0]);
  g_assert_cmpuint (number[10], ==, first[10]);
  sl_palette_clear (&palette);
}

/* What is told apart follows from the picture alone, not from those before it. */
static void
test_without_memory (void)
{
  static SlCell  cells[SIDE * SIDE], before[SIDE * SIDE];
  SlPalette      fresh = { 0 }, used = { 0 };
  const uint8_t *of_fresh, *of_used;

  for (unsigned i = 0; i < SIDE * SIDE; i++)
    {
      cells[i].pattern = (uint64_t) 1 << i * 40 / (SIDE * SIDE);
      before[i].pattern = (uint64_t) 1 << (39 - i * 31 / (SIDE * SIDE));
    }
  assert_ok (sl_palette_match (&used, SIDE, before, &of_used));
  assert_ok (sl_palette_match (&used, SIDE, cells, &of_used));
  assert_ok (sl_palette_match (&fresh, SIDE, cells, &of_fresh));
  for (unsigned i = 0; i < SIDE * SIDE; i++)
    {
      g_assert_cmphex (known (&fresh, of_fresh, i), ==, known (&used, of_used, i));
      g_assert_true (of_fresh[i] == SL_MAP_COLOURS
                     || known (&fresh, of_fresh, i) == cells[i].pattern);
    }
  sl_palette_clear (&fresh);
  sl_palette_clear (&used);
}

/* More patterns than numbers: the largest are told apart, the rest is "other"; and a picture of
 * another size still knows them.  */
static void
test_numbers_run_out (void)
{
  static SlCell  cells[SIDE * SIDE], fine[4 * SIDE * SIDE];
  SlPalette      palette = { 0 };
  bool           seen[SL_MAP_COLOURS + 1] = { false };
  uint8_t        first[SIDE * SIDE];
  const uint8_t *number;
  SlSnapshot    *snapshot = g_new0 (SlSnapshot, 1);
  unsigned       lines = 0;

  /* Pattern p has p + 1 cells, the last one has what is left. */
  for (unsigned i = 0, p = 0, left = 1; i < SIDE * SIDE; i++)
    {
      cells[i].pattern = p;
      if (--left == 0)
        left = ++p + 1;
    }
  assert_ok (sl_palette_match (&palette, SIDE, cells, &number));
  memcpy (first, number, sizeof first);
  for (unsigned i = 0; i < SIDE * SIDE; i++)
    {
      seen[number[i]] = true;
      g_assert_true ((number[i] == SL_MAP_COLOURS) == (cells[i].pattern < 28 - SL_MAP_COLOURS));
    }
  for (unsigned c = 0; c <= SL_MAP_COLOURS; c++)
    g_assert_true (seen[c]);
  sl_palette_names (&palette, snapshot);
  for (const char *at = snapshot->names; *at != '\0'; at++)
    lines += *at == '\n';
  g_assert_cmpuint (lines, ==, SL_MAP_COLOURS);
  g_free (snapshot);

  for (unsigned r = 0; r < 2 * SIDE; r++)
    for (unsigned c = 0; c < 2 * SIDE; c++)
      fine[r * 2 * SIDE + c].pattern = cells[r / 2 * SIDE + c / 2].pattern;
  assert_ok (sl_palette_match (&palette, 2 * SIDE, fine, &number));
  for (unsigned r = 0; r < SIDE; r++)
    for (unsigned c = 0; c < SIDE; c++)
      g_assert_cmpuint (number[2 * r * 2 * SIDE + 2 * c], ==, first[r * SIDE + c]);
  sl_palette_clear (&palette);
}

static void
test_names (void)
{
  static const char *const expected[] = { "#14", "#0", "#fff", "#8000000000000005" };
  static const unsigned    at[] = { 0, 200, 300, 350 }; /* a cell of each */
  g_auto (GStrv) lines = NULL;
  static SlCell  cells[SIDE * SIDE];
  SlPalette      palette = { 0 };
  const uint8_t *number;
  SlSnapshot    *snapshot = g_new0 (SlSnapshot, 1);

  for (unsigned i = 0; i < SIDE * SIDE; i++)
    cells[i].pattern = i < 200 ? 0x14 : i < 300 ? 0 : i < 350 ? 0xfff : (uint64_t) 1 << 63 | 5;
  assert_ok (sl_palette_match (&palette, SIDE, cells, &number));
  sl_palette_names (&palette, snapshot);
  lines = g_strsplit (snapshot->names, "\n", -1);
  for (unsigned i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpstr (lines[number[at[i]]], ==, expected[i]);
  sl_palette_clear (&palette);
  g_free (snapshot);
}

typedef struct
{
  SlLabState base;
  size_t     calls; /* points that were looked at */
} Counting;

/* A lab that says of each input just where it lies. */
static void
where (SlLabState *state, const sl_real *points, size_t n, SlCell *cells)
{
  ((Counting *) state)->calls += n;
  for (size_t i = 0; i < n; i++)
    cells[i] = (SlCell) { .pattern = points[2 * i] > 0, .cost = points[2 * i + 1], .margin = 1 };
}

static SlSnapshot snapshot;
static bool       hurried;

static SlSnapshot *
open_snapshot (SlSink *sink, unsigned panel)
{
  sl_snapshot_reset (&snapshot);
  return &snapshot;
}

static void
publish (SlSink *sink, SlSnapshot *published)
{
}

static bool
hurry (SlSink *sink)
{
  return hurried;
}

static void
test_picture (void)
{
  static const SlPanel panel = { .id = "map", .kind = SL_MAP };
  SlLab                lab = { .panels = &panel, .n_panels = 1, .map = where };
  SlDataset           *data = open_data ("moons:points=200");
  size_t               n = 96 * 96;
  Counting            *counting = g_new0 (Counting, 1);
  SlLayout             layout = { 0 };
  SlSink   sink = { .layout = &layout, .open = open_snapshot, .publish = publish, .hurry = hurry };
  SlMap   *map;
  SlStatus status;

  assert_ok (sl_map_new (&map, &lab, data));
  assert_ok (sl_map_probe (map, &counting->base, 0, &sink));
  g_assert_cmpuint (counting->calls, ==, n);
  g_assert_cmpuint (snapshot.tiles, ==, SL_MAP_PLANES);
  g_assert_cmpuint (snapshot.rows, ==, 96);
  g_assert_true (snapshot.data[0] != snapshot.data[95]);
  g_assert_true (snapshot.data[SL_MAP_COST * n] > snapshot.data[SL_MAP_COST * n + 95 * 96]);
  g_assert_cmpuint (snapshot.n_curves, ==, 1);
  g_assert_cmpuint (snapshot.curve[0].n, ==, MIN (data->n[SL_TRAIN], SL_MAP_POINTS));
  g_assert_true (snapshot.left < snapshot.right && snapshot.bottom < snapshot.top);
  g_assert_cmpstr (snapshot.row_names, ==, "");

  data->feature_title = (const char *const[]) { "age", "income" };
  assert_ok (sl_map_probe (map, &counting->base, 0, &sink));
  g_assert_cmpstr (snapshot.row_names, ==, "age\nincome\n");
  data->standardised = true;
  assert_ok (sl_map_probe (map, &counting->base, 0, &sink));
  g_assert_cmpstr (snapshot.row_names, ==, "age (z)\nincome (z)\n");
  data->feature_title = NULL;

  /* Nobody trains: finer.  As asked, and no larger than there may be. */
  sink.idle = true;
  sl_map_set_view (map, &(SlMapView) { .side = 50 });
  assert_ok (sl_map_probe (map, &counting->base, 0, &sink));
  g_assert_cmpuint (snapshot.rows, ==, 100);
  sl_map_set_view (map, &(SlMapView) { .side = 100000 });
  assert_ok (sl_map_probe (map, &counting->base, 0, &sink));
  g_assert_cmpuint (snapshot.rows, ==, SL_MAP_SIDE);

  hurried = true;
  status = sl_map_probe (map, &counting->base, 0, &sink);
  g_assert_cmpint (status.code, ==, SL_ECANCELLED);
  hurried = false;
  sl_map_free (map);
  g_free (counting);
  sl_snapshot_clear (&snapshot);
  sl_dataset_free (data);
}

/* Takes some microseconds for each point. */
static void
slow (SlLabState *state, const sl_real *points, size_t n, SlCell *cells)
{
  volatile double sum = 0.0;

  for (size_t i = 0; i < n * 4000; i++)
    sum = sum + 1.0;
  where (state, points, n, cells);
}

/* While somebody trains, a slow lab gets a coarser picture, unless the view is patient. */
static void
test_patience (void)
{
  static const SlPanel panel = { .id = "map", .kind = SL_MAP };
  SlLab                lab = { .panels = &panel, .n_panels = 1, .map = slow };
  SlDataset           *data = open_data ("moons:points=200");
  Counting            *counting = g_new0 (Counting, 1);
  SlLayout             layout = { 0 };
  SlSink               sink = { .layout = &layout, .open = open_snapshot, .publish = publish };
  SlMap               *map;

  assert_ok (sl_map_new (&map, &lab, data));
  sl_map_set_view (map, &(SlMapView) { .side = 64 });
  for (int i = 0; i < 2; i++)
    assert_ok (sl_map_probe (map, &counting->base, 0, &sink));
  g_assert_cmpuint (snapshot.rows, <, 64);
  sl_map_set_view (map, &(SlMapView) { .side = 64, .patient = true });
  assert_ok (sl_map_probe (map, &counting->base, 0, &sink));
  g_assert_cmpuint (snapshot.rows, ==, 64);
  sl_map_free (map);
  g_free (counting);
  sl_snapshot_clear (&snapshot);
  sl_dataset_free (data);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/map/plane", test_plane);
  g_test_add_func ("/map/line", test_line);
  g_test_add_func ("/map/slices", test_slices);
  g_test_add_func ("/map/numbers-stay", test_numbers_stay);
  g_test_add_func ("/map/without-memory", test_without_memory);
  g_test_add_func ("/map/numbers-run-out", test_numbers_run_out);
  g_test_add_func ("/map/names", test_names);
  g_test_add_func ("/map/picture", test_picture);
  g_test_add_func ("/map/patience", test_patience);
  return g_test_run ();
}
