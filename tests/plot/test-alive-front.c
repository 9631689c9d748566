/* SPDX-License-Identifier: MIT
 *
 * The slow motion of the picture of a deciding network: what is lit and what is pale at each stage, and what its
 * sentences count.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "plot/draw/alive.h"
#include "plot/screen/render.h"
#include "tests/plot/plot-sample.h"

enum { WIDTH = 900, HEIGHT = 360 };

typedef struct
{
  SampleFigures samples;
  SlRender     *render;
  SlTheme       theme;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  sample_figures_init (&f->samples, 12);
  f->render = sl_render_new ();
  f->theme = sl_theme_get (*(const SlThemeKind *) data);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  sl_render_free (f->render);
  sample_figures_clear (&f->samples);
}

static void
read_alive (SlAlive *alive, const SlFigure *figure)
{
  const SlMatrix *m = &figure->matrix;

  g_assert_true (sl_alive_read (alive, m->cell, m->rows, m->columns));
}

/* The picture at a moment. */
static cairo_surface_t *
draw (Fixture *f, SlFigure *figure, double reached)
{
  static const SlParts parts = { .title = true, .note = true };
  cairo_surface_t     *image;

  figure->view.reached = reached;
  figure->version++;
  image = sl_render_draw (f->render, figure, &f->theme, &parts, WIDTH, HEIGHT, 1.0, 0.0);
  g_assert_nonnull (image);
  cairo_surface_flush (image);
  return image;
}

/* How much ink there is in a rectangle. */
static double
ink (const Fixture *f, cairo_surface_t *image, const SlRect *rect)
{
  uint32_t ground = sl_packed (f->theme.plot);
  double   sum = 0.0;

  for (int y = (int) ceil (rect->y); y < (int) floor (rect->y + rect->h); y++)
    for (int x = (int) ceil (rect->x); x < (int) floor (rect->x + rect->w); x++)
      {
        const unsigned char *row
          = cairo_image_surface_get_data (image) + y * cairo_image_surface_get_stride (image);
        uint32_t pixel;

        memcpy (&pixel, row + 4 * x, sizeof pixel);
        for (unsigned shift = 0; shift < 24; shift += 8)
          sum += fabs ((double) (pixel >> shift & 255) - (double) (ground >> shift & 255));
      }
  return sum;
}

/* The places of the groups, and behind them that of the classes; returns how many. */
static unsigned
find_parts (const Fixture *f, const SlAlive *alive, SlRect part[SL_ALIVE_GROUPS + 1])
{
  const SlAliveFrame *at = &sl_render_frame (f->render)->alive;

  for (unsigned g = 0; g < alive->n_groups; g++)
    part[g] = at->group[g].area;
  part[alive->n_groups] = at->output;
  return sl_alive_stages (alive);
}

static void
measure (Fixture *f, SlFigure *figure, double reached, unsigned n, const SlRect *part, double *inks)
{
  cairo_surface_t *image = draw (f, figure, reached);

  for (unsigned i = 0; i < n; i++)
    inks[i] = ink (f, image, &part[i]);
}

/* As many parts as the signal has passed are as they are without it, and all others are pale. */
static void
check_stages (Fixture *f, SlFigure *figure)
{
  SlRect   part[SL_ALIVE_GROUPS + 1], input;
  double   whole[SL_ALIVE_GROUPS + 1], now[SL_ALIVE_GROUPS + 1], seen;
  SlAlive  alive;
  unsigned n;

  read_alive (&alive, figure);
  draw (f, figure, 0.0);
  n = find_parts (f, &alive, part);
  input = sl_render_frame (f->render)->alive.input;
  measure (f, figure, 0.0, n, part, whole);
  seen = ink (f, draw (f, figure, 0.0), &input);
  for (unsigned stage = 0; stage <= n; stage++)
    {
      unsigned lit = 0, pale = 0;

      measure (f, figure, 1.0 + stage, n, part, now);
      for (unsigned i = 0; i < n; i++)
        {
          g_assert_cmpfloat (whole[i], >, 0.0);
          lit += i == lit && now[i] > 0.97 * whole[i];
          pale += now[i] < 0.6 * whole[i] && now[i] > 0.05 * whole[i];
        }
      g_assert_cmpuint (lit, ==, stage);
      g_assert_cmpuint (pale, ==, n - stage);
      g_assert_cmpfloat (ink (f, draw (f, figure, 1.0 + stage), &input), >, 0.99 * seen);
    }
}

/* Between two stages only the part in front changes, and it becomes no paler. */
static void
check_between (Fixture *f, SlFigure *figure)
{
  SlRect   part[SL_ALIVE_GROUPS + 1];
  double   before[SL_ALIVE_GROUPS + 1], now[SL_ALIVE_GROUPS + 1];
  SlAlive  alive;
  unsigned n;

  read_alive (&alive, figure);
  draw (f, figure, 1.0);
  n = find_parts (f, &alive, part);
  measure (f, figure, 1.0, n, part, before);
  for (unsigned step = 1; step <= 8 * n; step++)
    {
      unsigned front = (step - 1) / 8;

      measure (f, figure, 1.0 + step / 8.0, n, part, now);
      for (unsigned i = 0; i < n; i++)
        {
          bool is_neck = front < alive.n_groups && alive.group[front].form == SL_ALIVE_NECK;

          g_assert_cmpfloat (now[i], >=, 0.99 * before[i]);
          /* A neck reaches into the edge of what is behind it. */
          if (i != front && !(is_neck && i == front + 1))
            g_assert_cmpfloat (now[i], <=, 1.01 * before[i]);
        }
      memcpy (before, now, sizeof now);
    }
}

/* A neck that is passed is lit up to the units behind it. */
static void
check_necks (Fixture *f, SlFigure *figure)
{
  SlRect  part[SL_ALIVE_GROUPS + 1];
  SlAlive alive;

  read_alive (&alive, figure);
  draw (f, figure, 0.0);
  find_parts (f, &alive, part);
  for (unsigned g = 0; g < alive.n_groups; g++)
    {
      double right = part[g].x + part[g].w, whole, passed;
      SlRect behind = { right, part[g].y, part[g + 1].x - right, part[g].h };

      if (alive.group[g].form != SL_ALIVE_NECK)
        continue;
      whole = ink (f, draw (f, figure, 0.0), &behind);
      passed = ink (f, draw (f, figure, 2.0 + g), &behind);
      g_assert_cmpfloat (whole, >, 0.0);
      g_assert_cmpfloat (passed, >, 0.97 * whole);
    }
}

static void
test_light (Fixture *f, gconstpointer data)
{
  for (unsigned p = SAMPLE_ALIVE; p <= SAMPLE_GLOW; p++)
    {
      check_stages (f, &f->samples.figure[p]);
      check_between (f, &f->samples.figure[p]);
      check_necks (f, &f->samples.figure[p]);
    }
}

/* Without a signal, and with a number that is none, the picture is what it was; behind the end all is lit. */
static void
test_off (Fixture *f, gconstpointer data)
{
  static const double off[] = { 0.0, 0.5, -1.0, (double) NAN, -HUGE_VAL };
  const SlRect        all = { 0, 0, WIDTH, HEIGHT };

  for (unsigned p = SAMPLE_ALIVE; p <= SAMPLE_GLOW; p++)
    {
      SlFigure *figure = &f->samples.figure[p];
      double    whole = ink (f, draw (f, figure, 0.0), &all), paper;

      for (unsigned i = 0; i < G_N_ELEMENTS (off); i++)
        {
          g_assert_cmpfloat (ink (f, draw (f, figure, off[i]), &all), ==, whole);
          g_assert_cmpstr (sl_render_frame (f->render)->alive.front.caption, ==, "");
        }
      paper = ink (f, draw (f, figure, 1.0), &all);
      g_assert_cmpfloat (paper, <, whole);
      g_assert_cmpfloat (ink (f, draw (f, figure, HUGE_VAL), &all), >, paper);
      g_assert_cmpuint (sl_render_frame (f->render)->alive.front.pale.w, ==, 0);
    }
}

/* ---- sentences ---- */

static void
count_states (const SlAliveGroup *group, unsigned state[SL_N_ALIVE_STATES])
{
  memset (state, 0, SL_N_ALIVE_STATES * sizeof *state);
  for (unsigned i = 0; i < group->n; i++)
    state[(unsigned) group->cell[(size_t) i * SL_ALIVE_COLUMNS + 1]]++;
}

static void
assert_starts (const char *text, const char *with)
{
  if (!g_str_has_prefix (text, with))
    g_error ("\"%s\" does not begin with \"%s\"", text, with);
}

static void
check_units (const SlAliveGroup *group, const char *caption)
{
  unsigned         state[SL_N_ALIVE_STATES];
  g_autofree char *computed = NULL, *missed = NULL, *in_vain = NULL;

  count_states (group, state);
  computed = g_strdup_printf ("%u of ", state[SL_ALIVE_USED] + state[SL_ALIVE_IN_VAIN]);
  in_vain = g_strdup_printf (", %u of them", state[SL_ALIVE_IN_VAIN]);
  missed = g_strdup_printf (", %u missed", state[SL_ALIVE_MISSED]);
  assert_starts (caption, computed);
  g_assert_true ((strstr (caption, in_vain) != NULL) == (state[SL_ALIVE_IN_VAIN] > 0));
  g_assert_true ((strstr (caption, missed) != NULL) == (state[SL_ALIVE_MISSED] > 0));
}

/* Each stage has a sentence; of units it has their numbers, of an estimate those of the units behind it. */
static void
test_captions (Fixture *f, gconstpointer data)
{
  unsigned fields = 0;

  for (unsigned p = SAMPLE_ALIVE; p <= SAMPLE_GLOW; p++)
    {
      SlFigure *figure = &f->samples.figure[p];
      SlAlive   alive;

      read_alive (&alive, figure);
      for (unsigned stage = 0; stage < sl_alive_stages (&alive); stage++)
        {
          char                caption[SL_ALIVE_SENTENCE], next[SL_ALIVE_SENTENCE];
          const SlAliveGroup *group = &alive.group[stage];

          g_assert_cmpuint (
            strlen (sl_alive_caption (figure, &alive, stage, caption, sizeof caption)), >, 3);
          draw (f, figure, 1.5 + stage);
          assert_starts (caption, sl_render_frame (f->render)->alive.front.caption);
          if (stage == alive.n_groups)
            continue;
          if (group->form == SL_ALIVE_MOSAIC || group->form == SL_ALIVE_BOXES
              || group->form == SL_ALIVE_TREE)
            {
              check_units (group, caption);
              fields++;
            }
          if (group->form == SL_ALIVE_NECK)
            {
              sl_alive_caption (figure, &alive, stage + 1, next, sizeof next);
              *strstr (next, " of ") = '\0';
              g_assert_nonnull (strstr (caption, next));
            }
        }
    }
  g_assert_cmpuint (fields, >=, 4);
}

/* A cell that changes changes the sentence. */
static void
test_counts (Fixture *f, gconstpointer data)
{
  SlFigure *figure = &f->samples.figure[SAMPLE_ALIVE];
  SlAlive   alive;
  unsigned  g = 0;
  char      before[SL_ALIVE_SENTENCE], after[SL_ALIVE_SENTENCE];

  read_alive (&alive, figure);
  while (alive.group[g].form != SL_ALIVE_MOSAIC)
    g++;
  for (unsigned i = 0; i < alive.group[g].n; i++)
    {
      double *state = (double *) &alive.group[g].cell[(size_t) i * SL_ALIVE_COLUMNS + 1];
      double  was = *state;

      sl_alive_caption (figure, &alive, g, before, sizeof before);
      *state = was == SL_ALIVE_MISSED ? SL_ALIVE_USED : SL_ALIVE_MISSED;
      sl_alive_caption (figure, &alive, g, after, sizeof after);
      g_assert_cmpstr (before, !=, after);
      *state = was;
    }
}

int
main (int argc, char **argv)
{
  static const SlThemeKind light = SL_THEME_LIGHT, dark = SL_THEME_DARK;

  g_test_init (&argc, &argv, NULL);
#define ADD(name, theme, test)                                                                     \
  g_test_add ("/alive-front/" name, Fixture, &theme, set_up, test, tear_down)
  ADD ("light", light, test_light);
  ADD ("dark", dark, test_light);
  ADD ("off", light, test_off);
  ADD ("captions", light, test_captions);
  ADD ("counts", light, test_counts);
  return g_test_run ();
}
