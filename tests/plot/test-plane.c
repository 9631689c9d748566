/* SPDX-License-Identifier: MIT
 *
 * The picture of a gating map: what is read from it, its colours, and the lines between its
 * regions.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/run/base/language.h"
#include "plot/canvas/canvas.h"
#include "plot/figure/figure.h"
#include "plot/figure/plane.h"
#include "plot/layout/frame.h"
#include "tests/support/close.h"

enum { SIDE = 64 };

static SlSnapshot snapshot;
static SlPlane    plane;

/* A disc of radius 0.7 (pattern 1, class 1) in a square from -1 to 1 (pattern 0, class 0); the
 * margin grows with the distance from the rim.  A quarter has the pattern 2.  */
static void
make (void)
{
  double *at[SL_MAP_PLANES], *values, *points;
  size_t  n = SIDE * SIDE;

  sl_snapshot_reset (&snapshot);
  values = sl_snapshot_matrix (&snapshot, SL_MAP_PLANES, SIDE, SIDE);
  for (unsigned p = 0; p < SL_MAP_PLANES; p++)
    at[p] = values + p * n;
  for (unsigned r = 0; r < SIDE; r++)
    for (unsigned c = 0; c < SIDE; c++)
      {
        double x = -1.0 + (c + 0.5) / (SIDE / 2), y = 1.0 - (r + 0.5) / (SIDE / 2);
        double radius = hypot (x, y);
        size_t i = (size_t) r * SIDE + c;

        at[SL_MAP_LABEL][i] = radius < 0.7;
        at[SL_MAP_MARGIN][i] = fmin (1.0, fabs (radius - 0.7));
        at[SL_MAP_PATTERN][i] = radius < 0.7 ? 1 : x > 0 && y > 0 ? 2 : 0;
        at[SL_MAP_TOP][i] = x > 0;
        at[SL_MAP_ACTIVE][i] = 1 + (x > 0);
        at[SL_MAP_COST][i] = 100.0 + 50.0 * (x > 0);
      }
  points = sl_snapshot_curve (&snapshot, 0, 4, true);
  memcpy (points, (double[]) { 0, 0.1, 0.9, -0.9, 0, 0.1, 0.9, -0.9, 1, 0, 0, 0 },
          12 * sizeof *points);
  snapshot.left = snapshot.bottom = -1.0;
  snapshot.right = snapshot.top = 1.0;
  g_strlcpy (snapshot.names, "#0\n#1\n#2\n", sizeof snapshot.names);
  for (int i = 3; i < SL_MAP_COLOURS; i++)
    g_strlcat (snapshot.names, "\n", sizeof snapshot.names);
  g_strlcat (snapshot.names, "outside\ninside\n", sizeof snapshot.names);
  g_assert_true (sl_plane_of (&plane, &snapshot));
}

static void
test_reading (void)
{
  char   text[256];
  size_t cell;

  make ();
  g_assert_true (sl_plane_at (&plane, 0.01, 0.01, &cell));
  g_assert_cmpuint (cell, ==, (SIDE / 2 - 1) * SIDE + SIDE / 2);
  sl_message_show (sl_plane_text (&plane, cell).packed, NULL, text, sizeof text);
  g_assert_cmpstr (text, ==, "on: 1 · strongest 2 · inside, by 0.68 · 150 multiplications");
  g_assert_false (sl_plane_at (&plane, 1.01, 0.0, &cell));
  g_assert_false (sl_plane_at (&plane, 0.0, -1.01, &cell));
  g_assert_false (sl_plane_at (&plane, NAN, 0.0, &cell));

  snapshot.rows = SIDE / 2;
  g_assert_false (sl_plane_of (&plane, &snapshot));
}

static void
test_regions (void)
{
  SlRegion region;
  char     text[256];

  make ();
  region = sl_plane_region (&plane, 1);
  sl_assert_near (region.area, 0.49 * G_PI / 4, 0.02, 0);
  sl_assert_near (region.examples, 0.5, 0, 0);
  sl_assert_near (region.right, 0.5, 0, 0);
  sl_assert_near (region.cost, 125.0, 0, 1e-9);
  g_assert_true (isnan (sl_plane_region (&plane, 7).right));
  sl_message_show (sl_plane_region_text (&plane, 1).packed, NULL, text, sizeof text);
  g_assert_cmpstr (text, ==,
                   "1: 38.3 % of the area, 50.0 % of the examples, 50 % of them right, "
                   "125 multiplications");
}

/* How far a pixel is from the paper. */
static int
colour_distance (uint32_t pixel, uint32_t paper)
{
  return ABS ((int) (pixel >> 8 & 255) - (int) (paper >> 8 & 255));
}

/* The surer a decision, the stronger its colour, up to that of the key. */
static void
test_certainty (void)
{
  SlTheme              theme = sl_theme_get (SL_THEME_LIGHT);
  uint32_t             paper = sl_packed (theme.plot);
  g_autofree uint32_t *pixels = g_new (uint32_t, SIDE * SIDE);
  int                  before = 0;

  make ();
  sl_plane_fill (&plane, &theme, SL_PLANE_DECISION, -1, pixels);
  /* From the rim of the disc to its middle. */
  for (unsigned c = SIDE / 2 + 20; c > SIDE / 2; c -= 5)
    {
      int now = colour_distance (pixels[SIDE / 2 * SIDE + c], paper);

      g_assert_cmpint (now, >, before);
      before = now;
    }
  g_assert_cmpint (
    before, <,
    colour_distance (sl_packed (sl_plane_ground (&plane, &theme, SL_PLANE_DECISION, 1).colour),
                     paper));
}

/* Every mode has a title, a key or none, and colours of which those of one pattern can be kept alone. */
static void
test_modes (void)
{
  SlTheme theme = sl_theme_get (SL_THEME_LIGHT);
  double  lo, hi;

  make ();
  for (unsigned mode = 0; mode < SL_PLANE_MODES; mode++)
    {
      g_autofree uint32_t *pixels = g_new (uint32_t, SIDE * SIDE);
      g_autofree uint32_t *pale = g_new (uint32_t, SIDE * SIDE);

      g_assert_cmpuint (strlen (sl_plane_mode_title ((SlPlaneMode) mode)), >, 0);
      g_assert_true (sl_plane_range (&plane, (SlPlaneMode) mode, &lo, &hi)
                     == (sl_plane_mode_key ((SlPlaneMode) mode)[0] != '\0'));
      sl_plane_fill (&plane, &theme, (SlPlaneMode) mode, -1, pixels);
      sl_plane_fill (&plane, &theme, (SlPlaneMode) mode, 1, pale);
      /* The one pattern keeps its colours, all others are nearer to the paper. */
      for (size_t i = 0; i < SIDE * SIDE; i += 37)
        g_assert_true (
          (pixels[i] == pale[i])
          == (plane.plane[SL_MAP_PATTERN][i] == 1.0 || pixels[i] == sl_packed (theme.plot)));
      g_assert_cmphex (pixels[SIDE / 2 * SIDE + SIDE / 2], ==, pale[SIDE / 2 * SIDE + SIDE / 2]);
    }
  g_assert_true (sl_plane_range (&plane, SL_PLANE_COST, &lo, &hi));
  sl_assert_near (lo, 100, 0, 0);
  sl_assert_near (hi, 150, 0, 0);
}

/* The edge of the decision is one closed circle where the margins are 0. */
static void
test_decision_edge (void)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (SlXY));
  unsigned lines = 0;
  double   length = 0.0;

  make ();
  sl_plane_edges (&plane, SL_EDGES_DECISION, points);
  for (guint i = 0; i < points->len; i++)
    {
      SlXY   at = g_array_index (points, SlXY, i);
      double x = 2.0 * at.x - 1.0, y = 1.0 - 2.0 * at.y;

      lines += isnan (at.x);
      if (isnan (at.x))
        continue;
      sl_assert_near (hypot (x, y), 0.7, 0, 0.004);
      if (i > 0 && !isnan (g_array_index (points, SlXY, i - 1).x))
        length += 2.0
                  * hypot (at.x - g_array_index (points, SlXY, i - 1).x,
                           at.y - g_array_index (points, SlXY, i - 1).y);
    }
  g_assert_cmpuint (lines, ==, 1);
  sl_assert_near (length, 2.0 * G_PI * 0.7, 0.01, 0);
}

/* Three regions meet: every piece of border is drawn once, and each differs on its two sides. */
static void
test_pattern_edges (void)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (SlXY));
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  make ();
  sl_plane_edges (&plane, SL_EDGES_PATTERN, points);
  for (guint i = 1; i < points->len; i++)
    {
      SlXY             a = g_array_index (points, SlXY, i - 1), b = g_array_index (points, SlXY, i);
      g_autofree char *forth = g_strdup_printf ("%.6f %.6f %.6f %.6f", a.x, a.y, b.x, b.y);
      g_autofree char *back = g_strdup_printf ("%.6f %.6f %.6f %.6f", b.x, b.y, a.x, a.y);

      if (isnan (a.x) || isnan (b.x))
        continue;
      g_assert_cmpfloat (hypot (a.x - b.x, a.y - b.y), <, 1.5 / SIDE);
      g_assert_false (g_hash_table_contains (seen, forth));
      g_assert_false (g_hash_table_contains (seen, back));
      g_hash_table_add (seen, g_steal_pointer (&forth));
    }
  /* The circle and two straight pieces from it to the rim of the picture. */
  g_assert_cmpuint (g_hash_table_size (seen), >, 150);

  /* One region has no borders. */
  for (size_t i = 0; i < SIDE * SIDE; i++)
    snapshot.data[SL_MAP_PATTERN * SIDE * SIDE + i] = 3;
  g_array_set_size (points, 0);
  sl_plane_edges (&plane, SL_EDGES_PATTERN, points);
  g_assert_cmpuint (points->len, ==, 0);
}

/* How far two colours are from each other in Oklab. */
static double
distance (SlRgba a, SlRgba b)
{
  double p[3], q[3];

  sl_to_oklab (a, p);
  sl_to_oklab (b, q);
  return sqrt ((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1])
               + (p[2] - q[2]) * (p[2] - q[2]));
}

/* A colour is that of its unit, several units have the mean of theirs, and those beyond the last colour
 * have stripes.  */
static void
test_colours (void)
{
  for (unsigned kind = 0; kind < SL_N_THEMES; kind++)
    {
      SlTheme theme = sl_theme_get ((SlThemeKind) kind);

      for (unsigned a = 0; a < SL_THEME_COLOURS; a++)
        for (unsigned b = 0; b < a; b++)
          {
            SlRgba one = sl_plane_units (&theme, 1UL << a).colour;
            SlRgba two = sl_plane_units (&theme, 1UL << b).colour;
            SlRgba both = sl_plane_units (&theme, 1UL << a | 1UL << b).colour;
            double apart = distance (one, two);

            g_assert_cmpfloat (apart, >, 0.01);
            sl_assert_near (distance (one, both), apart / 2.0, 0.05, 1e-3);
            sl_assert_near (distance (two, both), apart / 2.0, 0.05, 1e-3);
          }
      for (unsigned a = 0; a < SL_THEME_COLOURS; a++)
        {
          SlGround own = sl_plane_units (&theme, 1UL << a);
          SlGround next = sl_plane_units (&theme, 1UL << (a + SL_THEME_COLOURS));
          SlGround after = sl_plane_units (&theme, 1UL << (a + 2 * SL_THEME_COLOURS));

          g_assert_cmpuint (own.stripes, ==, 0);
          g_assert_cmphex (sl_packed (own.colour), ==, sl_packed (next.colour));
          g_assert_cmpuint (next.stripes, !=, 0);
          g_assert_cmpuint (next.stripes, !=, after.stripes);
          g_assert_cmphex (sl_packed (own.colour), ==,
                           sl_packed (sl_plane_ground (&plane, &theme, SL_PLANE_TOP, a).colour));
        }
      /* Words on any of them can be read. */
      for (uint64_t set = 0; set < 1 << 10; set++)
        {
          SlRgba ground = sl_plane_units (&theme, set).colour;

          g_assert_cmpfloat (sl_contrast (ground, sl_ink_on (ground)), >=, 4.5);
        }
    }
}

/* Other numbers for the same patterns, as another start may have them: the same picture. */
static void
test_same_in_all_starts (void)
{
  SlTheme              theme = sl_theme_get (SL_THEME_DARK);
  g_autofree uint32_t *first = g_new (uint32_t, SIDE * SIDE);
  g_autofree uint32_t *second = g_new (uint32_t, SIDE * SIDE);
  double              *pattern;

  make ();
  sl_plane_fill (&plane, &theme, SL_PLANE_PATTERN, -1, first);
  pattern = snapshot.data + SL_MAP_PATTERN * SIDE * SIDE;
  for (size_t i = 0; i < SIDE * SIDE; i++)
    pattern[i] = pattern[i] == 0.0 ? 2.0 : pattern[i] - 1.0;
  g_assert_true (g_str_has_prefix (snapshot.names, "#0\n#1\n#2\n"));
  memcpy (snapshot.names, "#1\n#2\n#0\n", strlen ("#1\n#2\n#0\n"));
  g_assert_true (sl_plane_of (&plane, &snapshot));
  sl_plane_fill (&plane, &theme, SL_PLANE_PATTERN, -1, second);
  g_assert_cmpmem (first, SIDE * SIDE * sizeof *first, second, SIDE * SIDE * sizeof *second);
}

/* Patterns of files of earlier versions, and those that those do not tell. */
static void
test_earlier_files (void)
{
  make ();
  g_strlcpy (snapshot.names, "none\n3, 5\n12 on\n64\n#8000000000000001\n", sizeof snapshot.names);
  g_assert_true (sl_plane_of (&plane, &snapshot));
  g_assert_true (plane.known[0] && plane.known[1] && plane.known[4]);
  g_assert_false (plane.known[2] || plane.known[3] || plane.known[5]);
  g_assert_cmphex (plane.set[0], ==, 0);
  g_assert_cmphex (plane.set[1], ==, 0x14);
  g_assert_cmphex (plane.set[4], ==, 0x8000000000000001);
}

/* The largest first, no name twice. */
static void
test_names (void)
{
  SlPlaneName name[SL_PLANE_NAMES];
  char        text[64];

  make ();
  g_assert_cmpuint (sl_plane_names (&plane, SL_PLANE_PATTERN, name), ==, 3);
  for (unsigned i = 0; i < 3; i++)
    g_assert_cmpuint (name[i].value, ==, i);
  g_assert_cmpstr (sl_message_show (name[2].name, NULL, text, sizeof text), ==, "2");
  g_assert_cmpuint (sl_plane_names (&plane, SL_PLANE_DECISION, name), ==, 2);
  g_assert_cmpstr (name[1].name, ==, "inside");
  g_assert_cmpuint (sl_plane_names (&plane, SL_PLANE_TOP, name), ==, 2);
  g_assert_cmpuint (sl_plane_names (&plane, SL_PLANE_COST, name), ==, 0);
  g_assert_cmpuint (plane.classes, ==, 2);

  /* Two of four units each: both are called "4 on", and that is said once. */
  plane.set[0] = 0xf;
  plane.set[1] = 0xf0;
  plane.set[2] = 0x21;
  g_assert_cmpuint (sl_plane_names (&plane, SL_PLANE_PATTERN, name), ==, 2);
  g_assert_cmpstr (sl_message_show (name[0].name, NULL, text, sizeof text), ==, "4 on");
  g_assert_cmpstr (sl_message_show (name[1].name, NULL, text, sizeof text), ==, "1+6");
}

/* The border of the disc is a circle and not a staircase, and as large as before. */
static void
test_smooth (void)
{
  SlContours contours;
  bool       found = false;

  make ();
  for (size_t i = 0; i < SIDE * SIDE; i++)
    snapshot.data[SL_MAP_PATTERN * SIDE * SIDE + i] = plane.plane[SL_MAP_LABEL][i];
  sl_plane_contours (&plane, SL_EDGES_PATTERN, &contours);
  for (guint k = 0; k < contours.arcs->len; k++)
    {
      const SlArc *arc = &g_array_index (contours.arcs, SlArc, k);
      const SlXY  *at = &g_array_index (contours.points, SlXY, arc->first);
      double       area = 0.0;
      unsigned     on_grid = 0;

      if (arc->a < 0 || arc->b < 0)
        continue;
      g_assert_false (found);
      found = true;
      g_assert_cmpuint (arc->from, ==, arc->to);
      for (guint i = 0; i + 1 < arc->n; i++)
        {
          const SlXY *next = &at[i + 2 < arc->n ? i + 2 : 1];
          double      turn = atan2 (next->y - at[i + 1].y, next->x - at[i + 1].x)
                        - atan2 (at[i + 1].y - at[i].y, at[i + 1].x - at[i].x);

          g_assert_cmpfloat (fabs (remainder (turn, 2.0 * G_PI)), <, 0.3);
          area += 0.5 * (at[i].x * at[i + 1].y - at[i + 1].x * at[i].y);
          on_grid += fabs (remainder (at[i].x * SIDE, 0.5)) < 1e-3
                     && fabs (remainder (at[i].y * SIDE, 0.5)) < 1e-3;
        }
      g_assert_cmpuint (on_grid, <, arc->n / 10);
      sl_assert_near (4.0 * fabs (area), G_PI * 0.49, 0.02, 0);
    }
  g_assert_true (found);
  sl_contours_clear (&contours);
}

/* Whether all cells under a label have its value. */
static void
assert_inside (const SlFrame *frame, const SlPlaneLabel *label, SlText *text)
{
  double half = 0.5 * sl_text_width (text, label->text, label->type, false);

  for (int i = -4; i <= 4; i++)
    for (int k = -2; k <= 2; k++)
      {
        double across = (label->x + half * i / 4.0 - frame->plot.x) / frame->plot.w;
        double down = (label->y + 0.5 * label->type * k / 2.0 - frame->plot.y) / frame->plot.h;
        size_t row = (size_t) (down * SIDE), column = (size_t) (across * SIDE);

        g_assert_true (across > 0.0 && across < 1.0 && down > 0.0 && down < 1.0);
        g_assert_cmpuint ((unsigned) plane.plane[SL_MAP_PATTERN][row * SIDE + column], ==,
                          label->value);
      }
}

/* At any size a unit is as long both ways, words lie in their regions, and nothing is said twice. */
static void
test_layout (void)
{
  static const double size[][2] = { { 420, 250 }, { 900, 500 }, { 300, 700 }, { 240, 200 } };
  SlTheme             theme = sl_theme_get (SL_THEME_LIGHT);
  SlText             *text = sl_text_new (theme.family);
  g_autofree SlFrame *frame = g_new0 (SlFrame, 1);

  make ();
  plane.right = 2.0; /* half as wide again as high */
  for (unsigned i = 0; i < G_N_ELEMENTS (size); i++)
    {
      SlFigure figure = { .kind = SL_MAP, .mark = NAN, .plane = plane };

      sl_figure_fit (&figure, HUGE_VAL);
      sl_frame_layout (frame, &figure, &theme, &(SlParts) { .title = true, .note = true }, text,
                       size[i][0], size[i][1]);
      sl_assert_near (frame->plot.w, 1.5 * frame->plot.h, 0, 1.5);
      g_assert_true (frame->plot.x >= 0.0 && frame->plot.x + frame->plot.w <= size[i][0]);
      g_assert_true (frame->plot.y >= 0.0 && frame->plot.y + frame->plot.h <= size[i][1]);
      g_assert_cmpuint (frame->n_labels, ==, 3);
      for (unsigned k = 0; k < frame->n_labels; k++)
        {
          assert_inside (frame, &frame->label[k], text);
          for (unsigned l = 0; l < frame->n_swatches; l++)
            g_assert_cmpstr (frame->label[k].text, !=, frame->swatch[l].text);
        }
      /* The classes alone, beside the plot. */
      g_assert_cmpuint (frame->n_swatches, ==, size[i][0] < 280.0 ? 0 : 2);
      for (unsigned k = 0; k < frame->n_swatches; k++)
        {
          g_assert_true (frame->swatch[k].symbol);
          g_assert_cmpfloat (frame->swatch[k].box.x, >, frame->plot.x + frame->plot.w);
        }
      sl_figure_clear (&figure);
    }
  sl_text_free (text);
}

/* Classes differ without a hue. */
static void
test_classes (void)
{
  for (unsigned a = 0; a < 10; a++)
    {
      SlRgba fill = sl_plane_class (a);

      g_assert_true (fill.r == fill.g && fill.g == fill.b);
      for (unsigned b = 0; b < a; b++)
        g_assert_true (sl_plane_class_marker (a) != sl_plane_class_marker (b)
                       || sl_packed (fill) != sl_packed (sl_plane_class (b)));
    }
}

/* A column that happens to be called like a word of ours is not translated; the words of an axis are. */
static void
test_own_axes (void)
{
  SlFigure figure = { .translated = true, .x.label = "error", .z.label = "error" };

  make ();
  figure.kind = SL_MAP;
  figure.plane = plane;
  g_strlcpy (figure.plane.axis[0], "error", sizeof figure.plane.axis[0]);
  g_strlcpy (figure.plane.axis[1], "step", sizeof figure.plane.axis[1]);
  sl_figure_fit (&figure, HUGE_VAL);
  sl_figure_show_messages (&figure);
  g_assert_cmpstr (figure.x.label, ==, "error");
  g_assert_cmpstr (figure.y.label, ==, "step");
  g_assert_cmpstr (figure.z.label, ==, sl_words (sl_plane_mode_key (figure.view.plane)));

  figure.plane.axis[0][0] = '\0';
  figure.x.label = "error";
  sl_figure_fit (&figure, HUGE_VAL);
  sl_figure_show_messages (&figure);
  g_assert_cmpstr (figure.x.label, ==, sl_words ("error"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  sl_language_start ();
  g_test_add_func ("/plane/reading", test_reading);
  g_test_add_func ("/plane/regions", test_regions);
  g_test_add_func ("/plane/colours", test_colours);
  g_test_add_func ("/plane/certainty", test_certainty);
  g_test_add_func ("/plane/modes", test_modes);
  g_test_add_func ("/plane/same-in-all-starts", test_same_in_all_starts);
  g_test_add_func ("/plane/names", test_names);
  g_test_add_func ("/plane/earlier-files", test_earlier_files);
  g_test_add_func ("/plane/smooth", test_smooth);
  g_test_add_func ("/plane/layout", test_layout);
  g_test_add_func ("/plane/classes", test_classes);
  g_test_add_func ("/plane/decision-edge", test_decision_edge);
  g_test_add_func ("/plane/pattern-edges", test_pattern_edges);
  g_test_add_func ("/plane/own-axes", test_own_axes);
  return g_test_run ();
}
