/* SPDX-License-Identifier: MIT
 *
 * When the screen draws its static layer anew: after each change that it shows, and after no other.  An image
 * that has followed a change is the one that a new renderer makes.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "plot/canvas/canvas.h"
#include "plot/figure/panel.h"
#include "plot/screen/render.h"
#include "tests/plot/plot-sample.h"

/* All that an image is made of. */
typedef struct
{
  SlRecord record;
  SlFigure figure;
  SlTheme  theme;
  SlParts  parts;
  int      width, height;
  double   scale;
} Scene;

typedef struct
{
  const char *name;
  unsigned    panel;
  void (*change) (Scene *);
  bool kept; /* only what lies on top of the static layer changes */
} Change;

#define CHANGE(name, what)                                                                         \
  static void name (Scene *scene)                                                                  \
  {                                                                                                \
    what;                                                                                          \
  }

/* The same with a view that is set as the user does. */
#define LOOK(name, what)                                                                           \
  static void name (Scene *scene)                                                                  \
  {                                                                                                \
    SlView view = scene->figure.view;                                                              \
                                                                                                   \
    what;                                                                                          \
    sl_figure_set_view (&scene->figure, &view);                                                    \
  }

CHANGE (wider, scene->width += 3)
CHANGE (higher, scene->height += 3)
CHANGE (finer, scene->scale = 2.0)
CHANGE (other_theme, scene->theme = sl_theme_get (SL_THEME_LIGHT))
CHANGE (other_palette, sl_theme_set_palette (&scene->theme, SL_PALETTE_STRONG))
CHANGE (other_family, scene->theme.family = "monospace")
CHANGE (larger_type, sl_theme_fit (&scene->theme, 1.3 * scene->theme.type))
CHANGE (wider_lines, scene->theme.line *= 2.0)
CHANGE (wider_hair, scene->theme.hair *= 3.0)
CHANGE (no_title, scene->parts.title = false)
CHANGE (no_note, scene->parts.note = false)
CHANGE (no_flags, scene->parts.flags = false)
CHANGE (other_legend, scene->parts.legend = SL_LEGEND_RIGHT)
CHANGE (letter, scene->parts.letter = 2)
CHANGE (margin, scene->parts.left = 90.0)
CHANGE (headroom, scene->parts.top = 120.0)
CHANGE (other_title, scene->figure.title[0] = 'X')
CHANGE (other_note, g_strlcpy (scene->figure.note, "Another.", sizeof scene->figure.note))
CHANGE (other_label, scene->figure.x.label = "time")
CHANGE (other_unit, scene->figure.y.unit = "s")
CHANGE (other_name, scene->figure.curve[0].title[0] = 'X')
CHANGE (other_slot, scene->figure.curve[0].slot = 5)
CHANGE (other_style, scene->figure.curve[0].style = SL_THEORY)
CHANGE (hidden, sl_figure_hide (&scene->figure, 0, true))
CHANGE (pale, scene->figure.curve[0].ghost = true)
CHANGE (other_mark, scene->figure.mark += 1.0)
CHANGE (no_mark, scene->figure.mark = NAN)
CHANGE (picked, scene->figure.picks.picked = 3)
CHANGE (tint, scene->figure.z.hi = 0.5 + (scene->figure.z.lo = 0.25))
CHANGE (no_zero, scene->figure.colours.zero = NULL)
LOOK (zoomed, view.zoomed = true; view.x_lo = 100.0; view.x_hi = 900.0)
LOOK (locked, view.y_locked = true; view.y_lo = 80.0; view.y_hi = 90.0)
LOOK (window, view.window = 500.0)
LOOK (log_x, view.log_x = true)
LOOK (log_y, view.log_y = !view.log_y)
LOOK (smooth, view.smooth = view.smooth > 0.0 ? 0.0 : 0.05)
LOOK (sorted, view.sorted = true)

static void
change_marked (Scene *scene)
{
  g_assert_true (sl_record_mark (&scene->record, 3000.0, "theta 0 → 0.1"));
  sl_panel_update (&scene->figure, &scene->record, scene->figure.panel, NULL, 0);
}

static void
change_longer (Scene *scene)
{
  g_assert_true (sl_record_take (&scene->record, &(SlSample) { 9000, 40.0, 0, 1 }));
  sl_panel_update (&scene->figure, &scene->record, scene->figure.panel, NULL, 0);
}

static void
change_noted (Scene *scene)
{
  scene->figure.notes.n = 1;
  scene->figure.notes.at[0] = (SlNote) { .x = 2000.0, .y = 90.0, .text = "here" };
}

static void
change_categories (Scene *scene)
{
  static const char *const names[] = { "one", "two", "three", "four", "five", "six" };

  g_assert_cmpuint (scene->figure.categories.n, <=, G_N_ELEMENTS (names));
  scene->figure.categories.name = names;
}

static const Change changes[] = {
  { "width", SAMPLE_AGREEMENT, wider },
  { "height", SAMPLE_AGREEMENT, higher },
  { "scale", SAMPLE_AGREEMENT, finer },
  { "theme", SAMPLE_AGREEMENT, other_theme },
  { "palette", SAMPLE_AGREEMENT, other_palette },
  { "family", SAMPLE_AGREEMENT, other_family },
  { "type", SAMPLE_AGREEMENT, larger_type },
  { "lines", SAMPLE_AGREEMENT, wider_lines },
  { "hair", SAMPLE_AGREEMENT, wider_hair },
  { "no-title", SAMPLE_AGREEMENT, no_title },
  { "no-note", SAMPLE_SPREAD, no_note },
  { "no-flags", SAMPLE_AGREEMENT, no_flags },
  { "legend", SAMPLE_AGREEMENT, other_legend },
  { "letter", SAMPLE_AGREEMENT, letter },
  { "left", SAMPLE_AGREEMENT, margin },
  { "top", SAMPLE_AGREEMENT, headroom },
  { "title", SAMPLE_AGREEMENT, other_title },
  { "note", SAMPLE_USAGE, other_note },
  { "label", SAMPLE_AGREEMENT, other_label },
  { "unit", SAMPLE_LOSS, other_unit },
  { "name", SAMPLE_AGREEMENT, other_name },
  { "slot", SAMPLE_AGREEMENT, other_slot },
  { "style", SAMPLE_AGREEMENT, other_style },
  { "hidden", SAMPLE_AGREEMENT, hidden },
  { "ghost", SAMPLE_AGREEMENT, pale },
  { "mark", SAMPLE_SPREAD, other_mark },
  { "no-mark", SAMPLE_SPREAD, no_mark },
  { "picked", SAMPLE_USAGE, picked },
  { "picked-class", SAMPLE_CLASSES, picked },
  { "tint", SAMPLE_LOAD, tint },
  { "zero", SAMPLE_USAGE, no_zero },
  { "categories", SAMPLE_SPEED, change_categories },
  { "zoom", SAMPLE_AGREEMENT, zoomed },
  { "locked", SAMPLE_AGREEMENT, locked },
  { "window", SAMPLE_AGREEMENT, window },
  { "log-x", SAMPLE_LOSS, log_x },
  { "log-y", SAMPLE_LOSS, log_y },
  { "log-tint", SAMPLE_RATES, log_y },
  { "sorted", SAMPLE_USAGE, sorted },
  { "flag", SAMPLE_AGREEMENT, change_marked },
  { "longer", SAMPLE_AGREEMENT, change_longer },
  { "smooth", SAMPLE_AGREEMENT, smooth, .kept = true },
  { "user-note", SAMPLE_AGREEMENT, change_noted, .kept = true },
};

static cairo_surface_t *
draw (SlRender *render, Scene *scene)
{
  cairo_surface_t *image = sl_render_draw (render, &scene->figure, &scene->theme, &scene->parts,
                                           scene->width, scene->height, scene->scale, HUGE_VAL);

  g_assert_nonnull (image);
  cairo_surface_flush (image);
  return image;
}

static bool
is_alike (cairo_surface_t *a, cairo_surface_t *b)
{
  size_t size
    = (size_t) cairo_image_surface_get_stride (a) * (size_t) cairo_image_surface_get_height (a);

  return memcmp (cairo_image_surface_get_data (a), cairo_image_surface_get_data (b), size) == 0;
}

static void
test_change (gconstpointer data)
{
  const Change *change = data;
  SlRender     *render = sl_render_new (), *fresh = sl_render_new ();
  Scene         scene
    = { .theme = sl_theme_get (SL_THEME_DARK),
        .parts = { .title = true, .note = true, .legend = SL_LEGEND_ABOVE, .flags = true },
        .width = 420,
        .height = 320,
        .scale = 1.0 };

  sample_record (&scene.record, 500, 1);
  sl_panel_update (&scene.figure, &scene.record, change->panel, NULL, 0);
  draw (render, &scene);
  draw (render, &scene);
  g_assert_cmpuint (sl_render_static_draws (render), ==, 1);
  change->change (&scene);
  g_assert_true (is_alike (draw (render, &scene), draw (fresh, &scene)));
  g_assert_cmpuint (sl_render_static_draws (render), ==, change->kept ? 1 : 2);
  draw (render, &scene);
  g_assert_cmpuint (sl_render_static_draws (render), ==, change->kept ? 1 : 2);
  sl_render_free (render);
  sl_render_free (fresh);
  sl_figure_clear (&scene.figure);
  sl_record_clear (&scene.record);
}

/* One stroke after another, each a little unlike those before. */
static uint64_t
digest_of (unsigned which)
{
  SlCanvas        *canvas = sl_canvas_digest_new ();
  uint32_t         pixel[4] = { 1, 2, 3, which == 20 ? 5 : 4 };
  SlRgba           red = { 1.0f, 0.0f, 0.0f, 1.0f }, faint = { 1.0f, 0.0f, 0.0f, 0.5f };
  SlXY             corner[4] = { { 1, 2 }, { 3, 4 }, { 5, 6 }, { 7, 8 } };
  const double     dash[] = { 2, 3, 0 }, dots[] = { 2, 4, 0 };
  SlLettering      letters = { 9.0, false, false, SL_ANCHOR_START, red };
  cairo_surface_t *image = cairo_image_surface_create_for_data (
    (unsigned char *) pixel, CAIRO_FORMAT_ARGB32, which == 21 ? 4 : 2, which == 21 ? 1 : 2,
    which == 21 ? 16 : 8);

  switch (which)
    {
    case 0: break;
    case 1: canvas->begin (canvas, "a", NULL, 1.0); break;
    case 2: canvas->begin (canvas, "a", &(SlRect) { 0, 0, 0, 0 }, 1.0); break;
    case 3: canvas->begin (canvas, "a", NULL, 0.5); break;
    case 4: canvas->shift (canvas, "a", 1, 0); break;
    case 5: canvas->end (canvas); break;
    case 6: canvas->rect (canvas, &(SlRect) { 1, 2, 3, 4 }, red); break;
    case 7: canvas->rect (canvas, &(SlRect) { -1, 2, -3, 4 }, red); break;
    case 8: canvas->rect (canvas, &(SlRect) { 1, 2, 3, 4 }, faint); break;
    case 9: canvas->line (canvas, corner, 4, red, 1, NULL); break;
    case 10: canvas->line (canvas, corner, 3, red, 1, NULL); break;
    case 11: canvas->line (canvas, corner, 4, red, 1, dash); break;
    case 12: canvas->line (canvas, corner, 4, red, 1, dots); break;
    case 13: canvas->area (canvas, corner, 4, red); break;
    case 14: canvas->disc (canvas, 1, 2, 3, red, 0); break;
    case 15: canvas->disc (canvas, 1, 2, 3, red, 1); break;
    case 16: canvas->words (canvas, 1, 2, "12345678", &letters); break;
    case 17: canvas->words (canvas, 1, 2, "123456789", &letters); break;
    case 18:
      letters.bold = true;
      canvas->words (canvas, 1, 2, "12345678", &letters);
      break;
    case 19:
    case 20:
    case 21: canvas->image (canvas, &(SlRect) { 1, 2, 3, 4 }, image); break;
    case 22:
      letters.upwards = true;
      canvas->words (canvas, 1, 2, "12345678", &letters);
      break;
    default: letters.anchor = SL_ANCHOR_END; canvas->words (canvas, 1, 2, "12345678", &letters);
    }
  cairo_surface_destroy (image);
  return sl_canvas_digest_finish (canvas);
}

static void
test_digest (void)
{
  enum { STROKES = 24 };

  for (unsigned i = 0; i < STROKES; i++)
    for (unsigned k = 0; k < STROKES; k++)
      g_assert_true ((digest_of (i) == digest_of (k)) == (i == k));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (unsigned i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autofree char *path = g_strconcat ("/plot/anew/", changes[i].name, NULL);

      g_test_add_data_func (path, &changes[i], test_change);
    }
  g_test_add_func ("/plot/anew/digest", test_digest);
  return g_test_run ();
}
