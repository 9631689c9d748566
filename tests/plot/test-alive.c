/* SPDX-License-Identifier: MIT
 *
 * The picture of a network that decides about one example: matrices that are none, places at all sizes, and what
 * units look like.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "plot/draw/alive.h"
#include "plot/figure/panel.h"
#include "tests/plot/plot-sample.h"

/* ---- reading ---- */

/* Cells, places and links of a picture that was read are in their ranges. */
static void
check_group (const SlAliveGroup *group)
{
  for (unsigned c = 0; c < group->n; c++)
    {
      const double *cell = group->cell + (size_t) SL_ALIVE_COLUMNS * c;
      const double *place
        = group->place != NULL ? group->place + (size_t) SL_ALIVE_COLUMNS * c : NULL;

      g_assert_true (cell[2] >= 0.0 && cell[2] <= 1.0
                     && sl_alive_word (sl_alive_state (cell)) != NULL);
      g_assert_true (place == NULL
                     || (place[1] >= 0.0 && place[2] >= 0.0 && place[3] >= 0.0 && place[4] >= 0.0
                         && place[1] + place[3] < 1.01 && place[2] + place[4] < 1.01));
    }
  for (unsigned l = 0; l < group->n_links; l++)
    {
      const double *link = group->link + (size_t) SL_ALIVE_COLUMNS * l;

      g_assert_true (link[1] >= 0.0 && link[1] < group->n && link[2] >= 0.0 && link[2] < group->n);
    }
  g_assert_true (group->form != SL_ALIVE_TREE || (group->n & (group->n + 1)) == 0);
}

/* Any number in place of any other: it is read as a picture whose numbers are in their ranges, or not at all. */
static void
test_read (void)
{
  static const double odd[] = { -1, 0, 1, 2, 3, 4, 5, 6, 7, 0.5, 1e300, -1e300, 4096 };
  SampleFigures       f;
  unsigned            refused = 0;

  sample_figures_init (&f, 12);
  for (unsigned p = SAMPLE_ALIVE; p <= SAMPLE_GLOW; p++)
    {
      const SlMatrix    *m = &f.figure[p].matrix;
      size_t             n = (size_t) m->rows * m->columns;
      g_autofree double *cell = g_memdup2 (m->cell, n * sizeof *cell);

      for (unsigned i = 0; i < 20000; i++)
        {
          size_t  at = (size_t) g_test_rand_int_range (0, (gint32) n);
          double  before = cell[at];
          int     which = g_test_rand_int_range (0, (gint32) G_N_ELEMENTS (odd) + 1);
          SlAlive alive;

          cell[at] = which == G_N_ELEMENTS (odd) ? (double) NAN : odd[which];
          if (sl_alive_read (&alive, cell, m->rows, m->columns))
            for (unsigned g = 0; g < alive.n_groups; g++)
              check_group (&alive.group[g]);
          else
            refused++;
          cell[at] = before;
        }
      for (unsigned rows = 0; rows < (p <= SAMPLE_CHOICE ? 12U : 3U); rows++)
        {
          SlAlive alive;

          g_assert_false (sl_alive_read (&alive, cell, rows, m->columns));
          g_assert_false (sl_alive_read (&alive, cell, m->rows - rows, m->columns + 1));
        }
    }
  g_assert_cmpuint (refused, >, 5000);
  sample_figures_clear (&f);
}

/* ---- places ---- */

static void
assert_inside (const SlRect *part, const SlRect *whole)
{
  g_assert_true (part->w > 0.0 && part->h > 0.0);
  g_assert_cmpfloat (part->x, >=, whole->x - 0.01);
  g_assert_cmpfloat (part->y, >=, whole->y - 0.01);
  g_assert_cmpfloat (part->x + part->w, <=, whole->x + whole->w + 0.01);
  g_assert_cmpfloat (part->y + part->h, <=, whole->y + whole->h + 0.01);
}

static bool
is_inside (const SlRect *box, double x, double y)
{
  return x > box->x + 0.01 && x < box->x + box->w - 0.01 && y > box->y && y < box->y + box->h;
}

/* Links lead from box to box and through no other one, in any part of the bend between two turns. */
static void
check_links (const SlAliveGroup *group, const SlAlivePlace *place)
{
  for (unsigned i = 0; i < group->n_links; i++)
    {
      SlXY     way[SL_ALIVE_TURNS];
      unsigned n = sl_alive_link_way (group, place, i, way);

      g_assert_cmpuint (n, >=, 2);
      for (unsigned k = 0; k + 1 < n; k++)
        for (unsigned t = 0; t <= 20; t++)
          for (unsigned b = 0; b < group->n; b++)
            {
              SlRect box = sl_alive_cell_place (group, place, b);
              double s = t / 20.0, bend = s * s * (3.0 - 2.0 * s);

              g_assert_cmpfloat (way[k + 1].x, >=, way[k].x);
              g_assert_false (is_inside (&box, way[k].x + s * (way[k + 1].x - way[k].x),
                                         way[k].y + bend * (way[k + 1].y - way[k].y)));
            }
    }
}

/* A lamp is beside the row that is brightest at first. */
static void
check_lamp (const SlAlive *alive, const SlFrame *frame)
{
  const SlRect *lamp = &frame->alive.input;
  SlRect        row;

  if (alive->input != SL_ALIVE_LAMP)
    return;
  row
    = sl_alive_cell_place (&alive->group[0], &frame->alive.group[0],
                           alive->group[0].n / alive->group[0].across / 2 * alive->group[0].across);
  g_assert_cmpfloat (fabs (lamp->y + lamp->h / 2.0 - row.y - row.h / 2.0), <, 0.01);
}

/* Pictures have their proportions, and the one that forms is the largest. */
static void
check_pictures (const SlAlive *alive, const SlFrame *frame)
{
  for (unsigned g = 0; g < alive->n_groups; g++)
    {
      const SlAliveGroup *group = &alive->group[g];
      const SlRect       *area = &frame->alive.group[g].area;

      if (group->form != SL_ALIVE_PICTURE)
        continue;
      g_assert_cmpfloat (
        fabs (area->w / area->h * group->units / group->across / group->across - 1.0), <, 1e-6);
      if (g + 1 == alive->n_groups)
        g_assert_cmpfloat (area->w, >=, frame->alive.group[0].area.w);
    }
}

/* From left to right, none touches the next; each cell is where the pointer finds it. */
static void
check_places (const SlFigure *figure, const SlFrame *frame)
{
  const SlAliveFrame *at = &frame->alive;
  SlAlive             alive;
  const SlRect       *before = &at->input;

  g_assert_true (
    sl_alive_read (&alive, figure->matrix.cell, figure->matrix.rows, figure->matrix.columns));
  assert_inside (&at->input, &frame->plot);
  check_lamp (&alive, frame);
  check_pictures (&alive, frame);
  for (unsigned g = 0; g < alive.n_groups; g++)
    {
      const SlRect *area = &at->group[g].area;

      assert_inside (area, &frame->plot);
      g_assert_cmpfloat (area->x, >, before->x + before->w);
      before = area;
      check_links (&alive.group[g], &at->group[g]);
      for (unsigned i = 0; i < alive.group[g].n; i++)
        {
          SlRect   cell = sl_alive_cell_place (&alive.group[g], &at->group[g], i), found;
          unsigned row = sl_alive_at (frame, figure, cell.x + cell.w / 2.0, cell.y + cell.h / 2.0);

          assert_inside (&cell, area);
          g_assert_cmpuint (row, ==, alive.group[g].first + i + 1);
          g_assert_true (sl_alive_find (frame, figure, row, &found));
          g_assert_cmpmem (&found, sizeof found, &cell, sizeof cell);
        }
    }
  g_assert_true ((at->n_classes > 0) == (alive.n_classes > 0));
  if (at->n_classes == 0)
    return;
  assert_inside (&at->output, &frame->plot);
  g_assert_cmpfloat (at->output.x, >, before->x + before->w);
}

/* The true class and the one that is said are always there. */
static void
check_classes (const SlFrame *frame)
{
  bool said = false, right = false;

  for (unsigned i = 0; i < frame->alive.n_classes; i++)
    {
      said |= frame->alive.class[i].row == 2;
      right |= frame->alive.class[i].row == 3;
    }
  g_assert_true (right || frame->alive.n_classes < 2);
  g_assert_true (said || frame->alive.n_classes < 2);
}

/* Short names are the whole of what stands behind a colon. */
static void
check_names (const SlFrame *frame)
{
  for (unsigned g = 0; g < SL_ALIVE_GROUPS; g++)
    {
      const char *name = frame->alive.group[g].name;

      g_assert_true (strchr (name, ')') == NULL || strchr (name, '(') != NULL);
    }
}

/* Where a legend has no room for all, its first are those that nothing else explains. */
static void
check_keys (const SlFigure *figure, const SlFrame *frame)
{
  SlAlive alive;
  bool    missed = false;

  g_assert_true (
    sl_alive_read (&alive, figure->matrix.cell, figure->matrix.rows, figure->matrix.columns));
  for (unsigned i = 0; i < frame->alive.n_keys; i++)
    {
      missed |= frame->alive.key[i].state == SL_ALIVE_MISSED;
      g_assert_true (i == 0 || frame->alive.key[i].x > frame->alive.key[i - 1].text_x);
    }
  if (frame->alive.n_keys > 0)
    g_assert_true (missed == ((alive.states & 1U << SL_ALIVE_MISSED) != 0));
}

static void
test_places (void)
{
  static const int size[][2] = { { 360, 240 },  { 360, 640 },  { 460, 290 },  { 800, 400 },
                                 { 1024, 768 }, { 1600, 500 }, { 1600, 240 }, { 240, 180 } };
  const unsigned   keys[] = { 4, 3, 2, 2, 0, 0 }, classes[] = { 6, 6, 6, 6, 0, 0 };
  const SlParts    parts = { .title = true, .note = true };
  SampleFigures    f;

  sample_figures_init (&f, 12);
  for (unsigned kind = 0; kind < SL_N_THEMES; kind++)
    {
      SlTheme theme = sl_theme_get ((SlThemeKind) kind);
      SlText *text = sl_text_new (theme.family);

      for (unsigned i = 0; i < G_N_ELEMENTS (size); i++)
        for (unsigned p = SAMPLE_ALIVE; p <= SAMPLE_GLOW; p++)
          {
            SlFrame frame;

            sl_figure_fit (&f.figure[p], HUGE_VAL);
            sl_frame_layout (&frame, &f.figure[p], &theme, &parts, text, size[i][0], size[i][1]);
            check_places (&f.figure[p], &frame);
            check_classes (&frame);
            check_names (&frame);
            check_keys (&f.figure[p], &frame);
            if (size[i][0] >= 460 && kind == SL_THEME_LIGHT)
              g_assert_cmpuint (frame.alive.n_keys, ==, keys[p - SAMPLE_ALIVE]);
            if (size[i][0] >= 800 && size[i][1] >= 400 && kind == SL_THEME_LIGHT)
              g_assert_cmpuint (frame.alive.n_classes, ==, classes[p - SAMPLE_ALIVE]);
          }
      sl_text_free (text);
    }
  sample_figures_clear (&f);
}

/* ---- looks ---- */

enum { SIDE = 6 };

/* A unit in a square of 6 px, in grey: how much ink each pixel has, 0 … 1. */
static void
draw_unit (const SlTheme *theme, SlAliveState state, double ink[SIDE * SIDE])
{
  cairo_surface_t *image = cairo_image_surface_create (CAIRO_FORMAT_RGB24, SIDE, SIDE);
  cairo_t         *cr = cairo_create (image);
  SlCanvas        *canvas = sl_canvas_cairo_new (cr, NULL);
  SlDrawing        d = { .canvas = canvas, .theme = theme, .device = 1.0 };
  double           ground = 0.0;

  canvas->rect (canvas, &(SlRect) { 0, 0, SIDE, SIDE }, theme->plot);
  sl_draw_alive_mark (&d, &(SlAliveMark) { state, SIDE / 2.0, SIDE / 2.0, SIDE, 0.0, 0.0,
                                           sl_theme_curve (theme, 0, SL_MEASURED) });
  cairo_surface_flush (image);
  for (int i = 0; i < SIDE * SIDE; i++)
    {
      const unsigned char *pixel = cairo_image_surface_get_data (image)
                                   + (i / SIDE) * cairo_image_surface_get_stride (image)
                                   + 4 * (i % SIDE);

      ground = 255.0
               * (0.11 * (double) theme->plot.b + 0.59 * (double) theme->plot.g
                  + 0.3 * (double) theme->plot.r);
      ink[i] = fabs (0.11 * pixel[0] + 0.59 * pixel[1] + 0.3 * pixel[2] - ground) / 255.0;
    }
  sl_canvas_cairo_free (canvas);
  cairo_destroy (cr);
  cairo_surface_destroy (image);
}

/* Also with the same amount of ink, by where it is: the palest unit that is used, the smallest cross. */
static void
test_looks (void)
{
  for (unsigned kind = 0; kind < SL_N_THEMES; kind++)
    {
      SlTheme theme = sl_theme_get ((SlThemeKind) kind);
      double  ink[SL_ALIVE_DEAD][SIDE * SIDE], sum[SL_ALIVE_DEAD] = { 0 };

      for (unsigned s = 0; s < SL_ALIVE_DEAD; s++)
        {
          draw_unit (&theme, (SlAliveState) s, ink[s]);
          for (unsigned i = 0; i < SIDE * SIDE; i++)
            sum[s] += ink[s][i];
          g_assert_cmpfloat (sum[s], >, 0.1);
        }
      for (unsigned a = 0; a < SL_ALIVE_DEAD; a++)
        for (unsigned b = 0; b < a; b++)
          {
            double differ = 0.0;

            for (unsigned i = 0; i < SIDE * SIDE; i++)
              differ += fabs (ink[a][i] / sum[a] - ink[b][i] / sum[b]);
            g_assert_cmpfloat (differ, >, 0.35); /* of 2: nothing in common */
          }
      g_assert_cmpfloat (sl_contrast (sl_draw_alive_faint (&theme), theme.plot), >=, 1.6);
      g_assert_cmpfloat (sl_contrast (theme.soft, theme.plot), >=, 4.5);
      g_assert_cmpfloat (sl_contrast (theme.alarm, theme.plot), >=, 3.0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/alive/read", test_read);
  g_test_add_func ("/alive/places", test_places);
  g_test_add_func ("/alive/looks", test_looks);
  return g_test_run ();
}
