/* SPDX-License-Identifier: MIT
 *
 * The ground of a gating map as pixels: every region has its colour, and its edges both.  */
#include <glib.h>
#include <math.h>

#include "plot/screen/plane.h"

enum { SIDE = 48, WIDTH = 530, HEIGHT = 411 };

static SlSnapshot snapshot;

/* Twelve sectors around a disc, a unit each. */
static void
make (SlFigure *figure)
{
  double *values;

  sl_snapshot_reset (&snapshot);
  values = sl_snapshot_matrix (&snapshot, SL_MAP_PLANES, SIDE, SIDE);
  for (unsigned i = 0; i < SIDE * SIDE; i++)
    {
      double x = (i % SIDE + 0.5) / SIDE - 0.5, y = (double) (i / SIDE + 0.5) / SIDE - 0.5;
      double turn = (atan2 (y, x) + G_PI) / (2.0 * G_PI);

      values[i] = hypot (x, y) < 0.2 ? 12.0 : floor (11.999 * turn);
    }
  snapshot.left = snapshot.bottom = 0.0;
  snapshot.right = snapshot.top = 1.0;
  for (unsigned k = 0; k < SL_MAP_COLOURS; k++)
    {
      char name[16] = "";

      if (k <= 12)
        g_snprintf (name, sizeof name, "#%x", 1U << k);
      sl_snapshot_name (&snapshot, name);
    }
  *figure = (SlFigure) { .kind = SL_MAP, .mark = NAN };
  g_assert_true (sl_plane_of (&figure->plane, &snapshot));
}

static uint32_t
expected (const SlFigure *figure, const SlTheme *theme, unsigned value)
{
  SlRgba colour = sl_plane_ground (&figure->plane, theme, SL_PLANE_PATTERN, value).colour;

  if (figure->view.alone > 0 && value + 1 != figure->view.alone)
    colour = sl_plane_pale (theme, colour);
  return sl_packed (colour);
}

/* Whether all cells around one have its value. */
static bool
surrounded (const double *value, unsigned row, unsigned column)
{
  if (row == 0 || column == 0 || row + 1 == SIDE || column + 1 == SIDE)
    return false;
  for (int r = -1; r <= 1; r++)
    for (int c = -1; c <= 1; c++)
      if (value[((int) row + r) * SIDE + (int) column + c] != value[row * SIDE + column])
        return false;
  return true;
}

static void
test_colours (gconstpointer alone)
{
  SlTheme              theme = sl_theme_get (SL_THEME_LIGHT);
  g_autofree uint32_t *pixel = g_new0 (uint32_t, WIDTH * HEIGHT);
  unsigned             inside = 0, seen = 0;
  SlFigure             figure;

  make (&figure);
  figure.view.alone = GPOINTER_TO_UINT (alone);
  sl_ground_fill (&(SlGroundPixels) { pixel, WIDTH, HEIGHT, WIDTH, 1.0 }, &figure, &theme);
  for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
    {
      unsigned row = i / WIDTH * SIDE / HEIGHT, column = i % WIDTH * SIDE / WIDTH;
      unsigned value = (unsigned) figure.plane.plane[SL_MAP_PATTERN][row * SIDE + column];

      g_assert_cmphex (pixel[i] >> 24, ==, 0xff);
      if (!surrounded (figure.plane.plane[SL_MAP_PATTERN], row, column))
        continue;
      inside++;
      seen |= 1U << value;
      /* Those with stripes have others between their lines. */
      if (sl_plane_ground (&figure.plane, &theme, SL_PLANE_PATTERN, value).stripes == 0)
        g_assert_cmphex (pixel[i], ==, expected (&figure, &theme, value));
    }
  g_assert_cmpuint (inside, >, WIDTH * HEIGHT / 2);
  g_assert_cmphex (seen, ==, 0x1fff);
  sl_figure_clear (&figure);
}

/* Units 1 and 9 have one colour, of which only the second has lines over a part. */
static void
test_stripes (void)
{
  enum { SIZE = 60 };
  SlTheme theme = sl_theme_get (SL_THEME_LIGHT);

  for (unsigned unit = 0; unit < 40; unit++)
    {
      SlGround ground = sl_plane_units (&theme, (uint64_t) 1 << unit);
      uint32_t pixel[SIZE * SIZE];
      unsigned plain = 0;

      sl_ground_fill_one (&(SlGroundPixels) { pixel, SIZE, SIZE, SIZE, 1.0 }, &ground, &theme);
      for (unsigned i = 0; i < SIZE * SIZE; i++)
        plain += pixel[i] == sl_packed (ground.colour);
      if (unit < SL_THEME_COLOURS)
        g_assert_cmpuint (plain, ==, SIZE * SIZE);
      else
        g_assert_true (plain > SIZE * SIZE / 3 && plain < SIZE * SIZE * 9 / 10);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/ground/all", GUINT_TO_POINTER (0), test_colours);
  g_test_add_data_func ("/ground/alone", GUINT_TO_POINTER (3), test_colours);
  g_test_add_func ("/ground/stripes", test_stripes);
  status = g_test_run ();
  sl_snapshot_clear (&snapshot);
  return status;
}
