/* SPDX-License-Identifier: MIT
 *
 * Recorded routing in the real window: what boxes, axes and clicks call a layer, an expert, a word or a request is what
 * the recording calls it, at random places of every panel.  Layers are 3, 8 and 12, experts are counted from 0.  */
#include <math.h>
#include <string.h>

#include "core/data/routing/routing.h"
#include "tests/ui/fixture.h"

enum { LAYERS = 3, TOKENS = 1200, K = 2, EXPERTS = 14, WINDOW = 100, WORDS = 6, PLACES = 25 };

static const int         numbers[LAYERS] = { 3, 8, 12 };
static const char *const words[WORDS] = { "def", "the", "of", "return", "(", "cache" };

/* What the file says, to count in. */
typedef struct
{
  SlFixture base;
  unsigned  ids[LAYERS][TOKENS][K];
  unsigned  word[TOKENS];
  GRand    *rand;
} Fixture;

static void
draw_tokens (Fixture *f)
{
  for (unsigned t = 0; t < TOKENS; t++)
    {
      f->word[t] = (unsigned) g_rand_int_range (f->rand, 0, WORDS);
      for (unsigned l = 0; l < LAYERS; l++)
        {
          double u = g_rand_double (f->rand);

          /* Experts 2 … 13, the lower ones more often; word w likes the expert w + 2. */
          f->ids[l][t][0]
            = g_rand_boolean (f->rand) ? f->word[t] + 2 : 2 + (unsigned) (u * u * (EXPERTS - 2));
          do
            f->ids[l][t][1] = (unsigned) g_rand_int_range (f->rand, 2, EXPERTS);
          while (f->ids[l][t][1] == f->ids[l][t][0]);
        }
    }
}

static void
write_file (Fixture *f)
{
  g_autoptr (GString) text
    = g_string_new ("{\"type\": \"meta\", \"top_k\": 2, \"num_experts\": 14}\n");

  for (unsigned t = 0; t < TOKENS; t++)
    for (unsigned l = 0; l < LAYERS; l++)
      g_string_append_printf (text,
                              "{\"req_id\": \"r%u\", \"token_idx\": %u, \"layer\": %d, "
                              "\"topk_ids\": [%u, %u], \"token\": \"%s\"}\n",
                              t / 400, t, numbers[l], f->ids[l][t][0], f->ids[l][t][1],
                              words[f->word[t]]);
  g_free (f->base.path);
  f->base.path = g_build_filename (f->base.folder, "recording.jsonl", NULL);
  g_assert_true (g_file_set_contents (f->base.path, text->str, -1, NULL));
}

static gboolean
has_ended (gpointer session)
{
  return sl_is_loaded (session) && sl_session_info (session)->step >= TOKENS / WINDOW;
}

static void
set_up (Fixture *f, gconstpointer data)
{
  static const char *const pairs[]
    = { "window", "100", "pace", "0", "layer", "1", "expert", "4", NULL };

  sl_fixture_begin (&f->base, data);
  f->rand = g_rand_new_with_seed (54);
  draw_tokens (f);
  write_file (f);
  sl_fixture_open (&f->base);
  sl_fixture_start (&f->base, "routing", pairs, f->base.path, TRUE);
  sl_wait (has_ended, f->base.session);
  sl_fixture_show_all (&f->base);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_rand_free (f->rand);
  sl_fixture_end (&f->base, data);
}

/* ---- a panel, alone in the window ---- */

typedef struct
{
  SlPlotView    *view;
  const SlFrame *frame;
} Panel;

static gboolean
is_drawn (gpointer data)
{
  const Panel *p = data;

  return sl_plot_view_get_frame (p->view)->plot.w > 0.0
         && (sl_plot_view_get_figure (p->view)->matrix.rows > 0
             || sl_plot_view_get_figure (p->view)->n_curves > 0);
}

static Panel
open_panel (Fixture *f, const char *id)
{
  Panel p = { 0 };

  g_test_message ("%s", id);

  sl_act (&f->base, "maximise", g_variant_new_string (id));
  sl_settle ();
  p.view = sl_plot_card_get_view (
    sl_plot_grid_get_card (sl_window_get_grid (f->base.window), sl_fixture_panel (&f->base, id)));
  sl_wait (is_drawn, &p);
  sl_drawn_pixels (GTK_WIDGET (p.view));
  p.frame = sl_plot_view_get_frame (p.view);
  return p;
}

static void
hover (const Panel *p, double x, double y)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (p->view));

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GObject) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_MOTION (controller))
        g_signal_emit_by_name (controller, "motion", x, y);
    }
}

typedef struct
{
  const Panel *panel;
  double       x, y;
} Place;

static gboolean
has_box (gpointer data)
{
  const Place *place = data;

  sl_drawn_pixels (GTK_WIDGET (place->panel->view));
  hover (place->panel, place->x, place->y);
  return *sl_readout (place->panel->view) != '\0';
}

/* What the box says at a place; the plot may be drawn anew before. */
static const char *
box_at (const Panel *p, double x, double y)
{
  Place place = { p, x, y };

  hover (p, x, y);
  if (*sl_readout (p->view) == '\0')
    sl_wait (has_box, &place);
  return sl_readout (p->view);
}

static void
click (const Panel *p, double x, double y)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (p->view));

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GObject) controller = g_list_model_get_item (controllers, i);

      if (!GTK_IS_GESTURE_CLICK (controller)
          || gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (controller)) != GDK_BUTTON_PRIMARY)
        continue;
      g_signal_emit_by_name (controller, "pressed", 1, x, y);
      g_signal_emit_by_name (controller, "released", 1, x, y);
    }
}

/* ---- what is true ---- */

static unsigned
count (const Fixture *f, unsigned layer, unsigned expert, unsigned first, unsigned end, int word)
{
  unsigned n = 0;

  for (unsigned t = first; t < end; t++)
    for (unsigned s = 0; s < K; s++)
      n += f->ids[layer][t][s] == expert && (word < 0 || (int) f->word[t] == word);
  return n;
}

static unsigned
find_word (const char *row)
{
  for (unsigned w = 0; w < WORDS; w++)
    if (g_str_has_prefix (row, words[w]) && row[strlen (words[w])] == ' ')
      return w;
  g_error ("no word: %s", row);
}

/* Load ÷ even share, or what a word's tokens are ÷ what is expected of them. */
static double
true_value (const Fixture *f, const char *id, unsigned layer, const char *row, unsigned column)
{
  if (strcmp (id, "layers") == 0)
    return count (f, layer, column, 0, TOKENS, -1) * (double) EXPERTS / (TOKENS * K);
  if (strcmp (id, "usage") == 0)
    return count (f, 1, layer, column * WINDOW, (column + 1) * WINDOW, -1) * (double) EXPERTS
           / (WINDOW * K);
  if (strcmp (id, "words") == 0)
    {
      unsigned w = find_word (row), of = 0;

      for (unsigned t = 0; t < TOKENS; t++)
        of += f->word[t] == w;
      return count (f, 1, column, 0, TOKENS, (int) w)
             / ((double) of * count (f, 1, column, 0, TOKENS, -1) / TOKENS);
    }
  return NAN;
}

/* The label of an axis at a row, "" where it has none. */
static const char *
label_at (const SlTick *ticks, unsigned n, double value)
{
  for (unsigned i = 0; i < n; i++)
    if (fabs (ticks[i].value - value) < 1e-9)
      return ticks[i].label;
  return "";
}

typedef struct
{
  const char *id, *row, *column; /* of the panel; what its axes count */
  unsigned    first_column;      /* number of the first column */
} Map;

/* Words first, as long as an expert is selected that has some. */
static const Map maps[] = { { "words", "word", "expert", 0 },
                            { "layers", "layer", "expert", 0 },
                            { "usage", "expert", "window or step", 1 },
                            { "together", "expert", "expert", 0 } };

/* The name of a row of a map. */
static char *
row_name (const Map *map, const SlFigure *figure, unsigned row)
{
  char name[SL_FRAME_TEXT];

  if (strcmp (map->id, "layers") == 0)
    return g_strdup_printf ("%d", numbers[row]);
  if (strcmp (map->id, "words") != 0)
    return g_strdup_printf ("%u", row);
  g_assert_true (sl_figure_row_name (figure, row, name, sizeof name));
  return g_strdup (name);
}

static void
check_cell (Fixture *f, const Map *map, const Panel *p, unsigned row, unsigned column)
{
  const SlFigure  *figure = sl_plot_view_get_figure (p->view);
  const SlRect    *plot = &p->frame->plot;
  double           x = plot->x + plot->w * (column + 0.5) / figure->matrix.columns;
  double           y = plot->y + plot->h * (row + 0.5) / figure->matrix.rows;
  g_autofree char *name = row_name (map, figure, row);
  g_autofree char *box
    = g_strdup_printf ("%s %s, %s %u: ", map->row, name, map->column, column + map->first_column);
  const char *label = label_at (p->frame->y_tick, p->frame->n_y_ticks, row + 1);
  double      value = true_value (f, map->id, row, name, column);

  if (!g_str_has_prefix (box_at (p, x, y), box))
    g_error ("%s: the box says \"%s\", not \"%s\"", map->id, sl_readout (p->view), box);
  if (*label != '\0' && strcmp (map->id, "words") != 0)
    g_assert_cmpstr (label, ==, name);
  label = label_at (p->frame->x_tick, p->frame->n_x_ticks, column + map->first_column);
  if (*label != '\0')
    g_assert_cmpuint (strtoul (label, NULL, 10), ==, column + map->first_column);
  if (!isnan (value))
    g_assert_cmpfloat_with_epsilon (sl_figure_cell (figure, 0, 0, row, column), value, 1e-9);
}

/* Whatever is chosen by a click has the name that the box promised. */
static void
check_click (Fixture *f, const Map *map, const Panel *p, unsigned row)
{
  const SlFigure  *figure = sl_plot_view_get_figure (p->view);
  const SlRect    *plot = &p->frame->plot;
  double           x = plot->x + plot->w * 0.4;
  double           y = plot->y + plot->h * (row + 0.5) / figure->matrix.rows;
  g_autofree char *name = row_name (map, figure, row);
  g_autofree char *promise = g_strdup_printf ("Click to select %s %s", map->row, name);

  if (strstr (box_at (p, x, y), "Click") == NULL) /* it is selected */
    return;
  g_assert_true (g_str_has_suffix (sl_readout (p->view), promise));
  click (p, x, y);
  sl_settle ();
  g_assert_cmpfloat (sl_value (&f->base, "expert")->v[0], ==, row);
}

static void
test_maps (Fixture *f, gconstpointer data)
{
  for (unsigned m = 0; m < G_N_ELEMENTS (maps); m++)
    {
      Panel           p = open_panel (f, maps[m].id);
      const SlFigure *figure = sl_plot_view_get_figure (p.view);

      for (unsigned i = 0; i < PLACES; i++)
        check_cell (f, &maps[m], &p,
                    (unsigned) g_rand_int_range (f->rand, 0, (int) figure->matrix.rows),
                    (unsigned) g_rand_int_range (f->rand, 0, (int) figure->matrix.columns));
      for (unsigned i = 0; i < 4 && strcmp (maps[m].row, "expert") == 0; i++)
        check_click (f, &maps[m], &p,
                     (unsigned) g_rand_int_range (f->rand, 0, (int) figure->matrix.rows));
      sl_act (&f->base, "maximise", g_variant_new_string (""));
    }
}

/* A click on a layer replays that layer: its number is in the sentence. */
static void
test_layer (Fixture *f, gconstpointer data)
{
  for (unsigned row = 0; row < LAYERS; row += 2)
    {
      Panel            p = open_panel (f, "layers");
      unsigned         generation = sl_session_generation (f->base.session);
      g_autofree char *box = g_strdup_printf ("Click to select layer %d", numbers[row]);
      g_autofree char *said = g_strdup_printf ("Layer %d: ", numbers[row]);
      const SlRect    *plot = &p.frame->plot;
      double           x = plot->x + plot->w / 2.0, y = plot->y + plot->h * (row + 0.5) / LAYERS;

      g_assert_true (g_str_has_suffix (box_at (&p, x, y), box));
      click (&p, x, y);
      sl_wait_for_run (f->base.session, generation);
      sl_wait (has_ended, f->base.session);
      g_assert_cmpfloat (sl_value (&f->base, "layer")->v[0], ==, row);
      sl_act (&f->base, "maximise", g_variant_new_string (""));
      p = open_panel (f, "usage");
      sl_settle ();
      g_assert_true (g_str_has_prefix (sl_plot_view_get_figure (p.view)->note, said));
      sl_act (&f->base, "maximise", g_variant_new_string (""));
    }
}

/* ---- curves ---- */

static double
spread_of (const Fixture *f, unsigned layer, unsigned first, unsigned end)
{
  double mean = (end - first) * (double) K / EXPERTS, squares = 0.0;

  for (unsigned e = 0; e < EXPERTS; e++)
    {
      double off = count (f, layer, e, first, end, -1) - mean;

      squares += off * off;
    }
  return sqrt (squares / EXPERTS) / mean;
}

/* At an x of the plot the box has this x and, of the first curve, this value. */
static void
check_point (const Panel *p, const char *axis, double at, const char *curve, double value)
{
  char             number[40];
  g_autofree char *place = g_strdup_printf ("%s %g\n", axis, at);
  g_autofree char *line = NULL;

  g_ascii_formatd (number, sizeof number, "%.4g", value);
  line = g_strdup_printf ("%s: %s", curve, number);
  box_at (p, sl_frame_x (p->frame, at), p->frame->plot.y + p->frame->plot.h / 2.0);
  if (!g_str_has_prefix (sl_readout (p->view), place)
      || strstr (sl_readout (p->view), line) == NULL)
    g_error ("the box says \"%s\", not \"%s\" and \"%s\"", sl_readout (p->view), place, line);
}

static void
test_curves (Fixture *f, gconstpointer data)
{
  Panel p = open_panel (f, "by-layer");

  for (unsigned l = 0; l < LAYERS; l++)
    check_point (&p, "layer", numbers[l], "CV", spread_of (f, l, 0, TOKENS));
  sl_act (&f->base, "maximise", g_variant_new_string (""));
  p = open_panel (f, "requests");
  for (unsigned r = 0; r < 3; r++)
    check_point (&p, "request", r + 1, "requests", spread_of (f, 1, 400 * r, 400 * (r + 1)));
  sl_act (&f->base, "maximise", g_variant_new_string (""));
  p = open_panel (f, "cv");
  for (unsigned i = 0; i < 5; i++)
    {
      unsigned w = (unsigned) g_rand_int_range (f->rand, 0, TOKENS / WINDOW - 1);

      check_point (&p, "window", w + 1, "this layer",
                   spread_of (f, 1, w * WINDOW, (w + 1) * WINDOW));
    }
}

#define ADD(path, test) g_test_add ("/routing/" path, Fixture, NULL, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
  ADD ("maps", test_maps);
  ADD ("layer", test_layer);
  ADD ("curves", test_curves);
  return g_test_run ();
}
