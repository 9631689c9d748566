/* SPDX-License-Identifier: MIT
 *
 * Drawings: pen and eraser, where they come to lie, what is filled, and what is like nothing known.
 *
 * test-ink DRAWN-DIGITS.TXT  */
#include <math.h>
#include <string.h>

#include "core/data/ink/likeness.h"
#include "core/data/source/source.h"
#include "tests/support/close.h"
#include "tests/support/drawn-digits.h"

enum { SIDE = SL_SHEET_SIDE, PIXELS = SL_SHEET_PIXELS };

static const char *golden;

typedef struct
{
  double mass, x, y;     /* of the ink; its centre in pixels */
  int    x0, x1, y0, y1; /* pixels with ink */
} Shape;

static Shape
shape_of (const float *picture)
{
  Shape s = { .x0 = SIDE, .x1 = -1, .y0 = SIDE, .y1 = -1 };

  for (int i = 0; i < PIXELS; i++)
    {
      g_assert_cmpfloat (picture[i], >=, 0.0f);
      g_assert_cmpfloat (picture[i], <=, 1.0f);
      s.mass += picture[i];
      s.x += picture[i] * (i % SIDE);
      s.y += picture[i] * (i / SIDE);
      if (picture[i] < 0.1f)
        continue;
      s.x0 = MIN (s.x0, i % SIDE);
      s.x1 = MAX (s.x1, i % SIDE);
      s.y0 = MIN (s.y0, i / SIDE);
      s.y1 = MAX (s.y1, i / SIDE);
    }
  s.x /= s.mass;
  s.y /= s.mass;
  return s;
}

static Shape
drawn_shape (const SlInk *ink)
{
  float picture[PIXELS];

  sl_ink_render (ink, SIDE, SIDE, picture);
  return shape_of (picture);
}

static void
draw_line (SlInk *ink, double x0, double y0, double x1, double y1, bool erases)
{
  g_assert_true (sl_ink_press (ink, x0, y0, erases));
  for (int i = 1; i <= 20; i++)
    g_assert_true (sl_ink_move (ink, x0 + (x1 - x0) * i / 20, y0 + (y1 - y0) * i / 20));
}

static void
draw_box (SlInk *ink, double x0, double y0, double x1, double y1)
{
  draw_line (ink, x0, y0, x1, y0, false);
  draw_line (ink, x1, y0, x1, y1, false);
  draw_line (ink, x1, y1, x0, y1, false);
  draw_line (ink, x0, y1, x0, y0, false);
}

static void
test_pen (void)
{
  float picture[PIXELS];
  SlInk ink;
  Shape s;

  sl_ink_begin (&ink, SL_INK_WEIGHED);
  g_assert_true (sl_ink_is_empty (&ink));
  draw_line (&ink, 0.5, 0.2, 0.5, 0.8, false);
  g_assert_false (sl_ink_is_empty (&ink));
  sl_ink_render (&ink, SIDE, SIDE, picture);
  s = shape_of (picture);
  /* Two to three pixels wide, and soft: more than black and white. */
  g_assert_cmpfloat (s.mass / (0.6 * SIDE + 2.5), >, 2.0);
  g_assert_cmpfloat (s.mass / (0.6 * SIDE), <, 3.0);
  g_assert_cmpfloat (picture[14 * SIDE + 12], >, 0.0f);
  g_assert_cmpfloat (picture[14 * SIDE + 12], <, 1.0f);
  sl_assert_near (s.x, 13.5, 0.0, 0.01);

  /* As much ink on average at any size. */
  for (unsigned side = 8; side <= 64; side += 7)
    {
      static float other[64 * 64];
      double       mass = 0.0;

      sl_ink_render (&ink, side, side, other);
      for (unsigned i = 0; i < side * side; i++)
        mass += other[i];
      sl_assert_near (mass / (side * side), s.mass / PIXELS, 0.0, 1e-4);
    }
}

/* Box, size and centre of what is drawn small and in a corner. */
static void
test_settles (void)
{
  SlInk ink;
  Shape s;

  sl_ink_begin (&ink, SL_INK_BOXED);
  draw_line (&ink, 0.05, 0.1, 0.05, 0.3, false);
  draw_line (&ink, 0.05, 0.1, 0.15, 0.1, false);
  sl_ink_settle (&ink);
  s = drawn_shape (&ink);
  g_assert_cmpint (s.y1 - s.y0 + 1, >=, 20);
  g_assert_cmpint (s.y1 - s.y0 + 1, <=, 22);
  sl_assert_near ((s.x0 + s.x1) / 2.0, 13.5, 0.0, 0.51);
  sl_assert_near ((s.y0 + s.y1) / 2.0, 13.5, 0.0, 0.51);

  /* By weight it lies elsewhere; once more, and it stays. */
  ink.style = SL_INK_WEIGHED;
  for (int i = 0; i < 2; i++)
    {
      sl_ink_settle (&ink);
      s = drawn_shape (&ink);
      sl_assert_near (s.x, 13.5, 0.0, 0.2);
      sl_assert_near (s.y, 13.5, 0.0, 0.2);
    }

  /* A dot does not become a blot. */
  sl_ink_begin (&ink, SL_INK_WEIGHED);
  g_assert_true (sl_ink_press (&ink, 0.1, 0.9, false));
  sl_ink_settle (&ink);
  s = drawn_shape (&ink);
  g_assert_cmpint (s.x1 - s.x0, <=, 3);
  sl_assert_near (s.x, 13.5, 0.0, 0.1);
}

static void
test_erases (void)
{
  SlInk  ink;
  double mass;
  float  picture[PIXELS];

  sl_ink_begin (&ink, SL_INK_WEIGHED);
  draw_line (&ink, 0.1, 0.5, 0.9, 0.5, false);
  mass = drawn_shape (&ink).mass;
  draw_line (&ink, 0.5, 0.4, 0.5, 0.6, true);
  sl_ink_render (&ink, SIDE, SIDE, picture);
  g_assert_cmpfloat (shape_of (picture).mass, <, 0.95 * mass);
  g_assert_cmpfloat (shape_of (picture).mass, >, 0.6 * mass);
  g_assert_cmpfloat (picture[13 * SIDE + 14], <, 0.05f);
  g_assert_cmpfloat (picture[13 * SIDE + 6], >, 0.5f);
  /* What is drawn there later is there. */
  draw_line (&ink, 0.1, 0.5, 0.9, 0.5, false);
  sl_assert_near (drawn_shape (&ink).mass, mass, 0.01, 0.0);
  /* What was erased does not hold the drawing back: the right half becomes as large as the sheet has it. */
  sl_ink_begin (&ink, SL_INK_BOXED);
  draw_line (&ink, 0.1, 0.5, 0.9, 0.5, false);
  draw_line (&ink, 0.05, 0.5, 0.5, 0.5, true);
  sl_ink_settle (&ink);
  g_assert_cmpint (drawn_shape (&ink).x0, <=, 6);
  draw_line (&ink, 0.0, 0.5, 1.0, 0.5, true);
  g_assert_true (sl_ink_is_empty (&ink));
}

static void
test_shifts (void)
{
  float picture[PIXELS] = { 0 }, moved[PIXELS];
  SlInk ink;
  Shape before, after;

  sl_ink_begin (&ink, SL_INK_WEIGHED);
  draw_line (&ink, 0.4, 0.4, 0.6, 0.6, false);
  before = drawn_shape (&ink);
  sl_ink_shift (&ink, 3, -2);
  after = drawn_shape (&ink);
  sl_assert_near (after.x, before.x + 3.0, 0.0, 1e-3);
  sl_assert_near (after.y, before.y - 2.0, 0.0, 1e-3);
  sl_assert_near (after.mass, before.mass, 1e-3, 0.0);

  /* The same of a picture below, which is never centred. */
  picture[5 * SIDE + 20] = 0.75f;
  sl_ink_begin_on (&ink, SL_INK_WEIGHED, SIDE, SIDE, picture);
  sl_ink_settle (&ink);
  sl_ink_render (&ink, SIDE, SIDE, moved);
  g_assert_cmpmem (moved, sizeof moved, picture, sizeof picture);
  sl_ink_shift (&ink, -4, 1);
  sl_ink_render (&ink, SIDE, SIDE, moved);
  sl_assert_near (moved[6 * SIDE + 16], 0.75, 0.0, 1e-6);
  sl_assert_near (shape_of (moved).mass, 0.75, 0.0, 1e-6);
  sl_ink_shift (&ink, SIDE, 0);
  g_assert_true (sl_ink_is_empty (&ink));
}

/* An outline that is closed, or nearly, is filled where the data have things; an open one is not. */
static void
test_fills (void)
{
  float picture[PIXELS];
  SlInk ink;
  Shape s;

  for (unsigned filled = 0; filled < 2; filled++)
    {
      sl_ink_begin (&ink, filled ? SL_INK_FILLED : SL_INK_WEIGHED);
      draw_box (&ink, 0.3, 0.2, 0.7, 0.8);
      sl_ink_render (&ink, SIDE, SIDE, picture);
      g_assert_true ((picture[14 * SIDE + 14] > 0.3f) == (filled == 1));
      g_assert_cmpfloat (picture[14 * SIDE + 2], ==, 0.0f);
    }
  sl_ink_settle (&ink);
  s = drawn_shape (&ink);
  g_assert_cmpint (s.y1 - s.y0 + 1, >=, 27);
  sl_ink_begin (&ink, SL_INK_FILLED);
  draw_line (&ink, 0.2, 0.2, 0.2, 0.8, false);
  draw_line (&ink, 0.2, 0.8, 0.8, 0.8, false);
  sl_ink_render (&ink, SIDE, SIDE, picture);
  g_assert_cmpfloat (picture[10 * SIDE + 18], ==, 0.0f);
  /* One stroke that ends near its begin. */
  sl_ink_begin (&ink, SL_INK_FILLED);
  g_assert_true (sl_ink_press (&ink, 0.5, 0.2, false));
  for (int i = 1; i <= 37; i++)
    g_assert_true (
      sl_ink_move (&ink, 0.5 + 0.3 * sin (i * G_PI / 20), 0.5 - 0.3 * cos (i * G_PI / 20)));
  sl_ink_render (&ink, SIDE, SIDE, picture);
  g_assert_cmpfloat (picture[14 * SIDE + 14], >, 0.3f);
  /* A hole may be cut. */
  draw_line (&ink, 0.45, 0.5, 0.55, 0.5, true);
  sl_ink_render (&ink, SIDE, SIDE, picture);
  g_assert_cmpfloat (picture[14 * SIDE + 14], <, 0.1f);
}

/* No point is too far, and none too many. */
static void
test_takes_anything (void)
{
  SlInk    ink;
  unsigned points = 0, strokes = 0;

  sl_ink_begin (&ink, SL_INK_BOXED);
  g_assert_false (sl_ink_move (&ink, 0.5, 0.5));
  g_assert_false (sl_ink_press (&ink, (double) NAN, 0.5, false));
  g_assert_false (sl_ink_press (&ink, 0.5, HUGE_VAL, false));
  g_assert_cmpuint (ink.n_strokes, ==, 0);
  g_assert_true (sl_ink_press (&ink, 1e300, -1e300, false));
  g_assert_true (sl_ink_is_empty (&ink));
  sl_ink_settle (&ink);
  sl_ink_begin (&ink, SL_INK_FILLED);
  while (sl_ink_press (&ink, 0.5, 0.5, strokes % 3 == 2))
    strokes++;
  g_assert_cmpuint (strokes, ==, SL_INK_STROKES);
  points = strokes;
  while (sl_ink_move (&ink, points % 2, 0.5))
    points++;
  g_assert_cmpuint (points, ==, SL_INK_POINTS);
  g_assert_cmpuint (ink.n_points, ==, SL_INK_POINTS);
  sl_ink_settle (&ink);
  sl_ink_shift (&ink, -SIDE, SIDE);
}

static SlDataset *
open_data (const char *spec)
{
  SlDataset *dataset;
  SlStatus   status = sl_source_open (spec, &dataset);

  g_assert_true (sl_ok (&status));
  return dataset;
}

static void
test_styles (void)
{
  SlDataset *digits = open_data ("digits:images=300"), *moons = open_data ("moons");

  g_assert_cmpint (sl_ink_style (digits), ==, SL_INK_BOXED);
  g_assert_cmpint (sl_ink_style (moons), ==, SL_INK_WEIGHED);
  strcpy (digits->facts, "filled");
  g_assert_cmpint (sl_ink_style (digits), ==, SL_INK_FILLED);
  sl_dataset_free (digits);
  sl_dataset_free (moons);
}

/* Drawn digits are like drawn digits; noise, blots and points far away are not. */
static void
test_likeness (void)
{
  SlDataset          *digits = open_data ("digits"), *moons = open_data ("moons");
  SlLikeness         *likeness = sl_likeness_new (digits);
  const SlDrawnDigit *drawn = sl_drawn_digits (golden);
  GRand              *rand = g_rand_new_with_seed (7);
  float               picture[PIXELS];
  unsigned            near = 0;
  SlInk               ink;

  sl_likeness_measure (likeness);
  for (unsigned i = 0; i < SL_DRAWN_DIGITS; i++)
    {
      sl_ink_begin (&ink, sl_ink_style (digits));
      sl_drawn_digit_play (&drawn[i], sl_drawn_put_ink, &ink);
      sl_ink_settle (&ink);
      sl_ink_render (&ink, SIDE, SIDE, picture);
      near += !sl_likeness_is_far (likeness, picture);
    }
  g_test_message ("%u of %d drawings are like the data", near, SL_DRAWN_DIGITS);
  g_assert_cmpuint (near, >=, 36);
  for (unsigned i = 0; i < 3 * PIXELS; i++)
    {
      picture[i % PIXELS] = (float) g_rand_double (rand);
      if (i % PIXELS == PIXELS - 1)
        g_assert_true (sl_likeness_is_far (likeness, picture));
    }
  /* A square and a zigzag, which are no digits. */
  for (int n = 0; n < 2; n++)
    {
      sl_ink_begin (&ink, sl_ink_style (digits));
      if (n == 0)
        draw_box (&ink, 0.1, 0.1, 0.9, 0.9);
      for (int i = 0; i < 8 && n == 1; i++)
        draw_line (&ink, i % 2 ? 0.9 : 0.1, 0.1 + 0.1 * i, i % 2 ? 0.1 : 0.9, 0.2 + 0.1 * i, false);
      sl_ink_settle (&ink);
      sl_ink_render (&ink, SIDE, SIDE, picture);
      g_assert_true (sl_likeness_is_far (likeness, picture));
    }
  for (unsigned i = 0; i < PIXELS; i++)
    picture[i] = 1.0f;
  g_assert_true (sl_likeness_is_far (likeness, picture));
  sl_likeness_free (likeness);

  likeness = sl_likeness_new (moons);
  sl_likeness_measure (likeness);
  g_assert_false (sl_likeness_is_far (
    likeness, (float[]) { (float) moons->values[0], (float) moons->values[1] }));
  g_assert_true (sl_likeness_is_far (likeness, (float[]) { 9.0f, -9.0f }));
  sl_likeness_free (likeness);
  sl_likeness_free (NULL);
  sl_dataset_free (digits);
  sl_dataset_free (moons);
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  golden = argv[1];
  g_test_add_func ("/ink/pen", test_pen);
  g_test_add_func ("/ink/settles", test_settles);
  g_test_add_func ("/ink/erases", test_erases);
  g_test_add_func ("/ink/shifts", test_shifts);
  g_test_add_func ("/ink/fills", test_fills);
  g_test_add_func ("/ink/takes-anything", test_takes_anything);
  g_test_add_func ("/ink/styles", test_styles);
  g_test_add_func ("/ink/likeness", test_likeness);
  return g_test_run ();
}
