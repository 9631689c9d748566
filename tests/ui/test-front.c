/* SPDX-License-Identifier: MIT
 *
 * The front page of every lab in the real window: what is on it, that nothing is empty or cut, and the way to all.  */
#include "core/labs/registry.h"
#include "tests/ui/fixture.h"
#include "ui/kit/banner.h"

enum { PATIENCE = 60 * G_USEC_PER_SEC, EDGE = 24 };

static const struct
{
  int width, height;
} sizes[] = { { 1280, 720 }, { 1024, 768 }, { 1920, 1080 } };

static SlPlotGrid *
grid_of (SlFixture *f)
{
  return sl_window_get_grid (f->window);
}

static void
set_up (SlFixture *f, gconstpointer lab)
{
  sl_fixture_begin (f, lab);
  sl_fixture_open (f);
  sl_act (f, "lab", g_variant_new_string (((const SlLab *) lab)->id));
  sl_wait (sl_is_running, f->session);
}

/* A panel that is empty, or -1. */
static int
empty_of (SlFixture *f)
{
  unsigned panels[SL_PANELS_MAX], n = sl_plot_grid_get_shown (grid_of (f), panels);

  for (unsigned i = 0; i < n; i++)
    if (sl_figure_empty (sl_plot_view_get_figure (sl_plot_grid_get_view (grid_of (f), panels[i]))))
      return (int) panels[i];
  return -1;
}

typedef struct
{
  SlFixture *fixture;
  gint64     end;
} Filling;

static gboolean
is_filled (gpointer data)
{
  const Filling *filling = data;
  int            panel = empty_of (filling->fixture);

  if (panel >= 0 && g_get_monotonic_time () > filling->end)
    g_error ("%s is empty", sl_session_lab (filling->fixture->session)->panels[panel].id);
  return panel < 0;
}

static unsigned
count_mapped (GtkWidget *widget, GType type)
{
  unsigned n = G_TYPE_CHECK_INSTANCE_TYPE (widget, type) && gtk_widget_get_mapped (widget);

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += count_mapped (child, type);
  return n;
}

/* One picture, at most four plots, five settings and three bars. */
static void
assert_numbers (SlFixture *f)
{
  const SlLab *lab = sl_session_lab (f->session);
  unsigned     panels[SL_PANELS_MAX], n = sl_plot_grid_get_shown (grid_of (f), panels);
  SlBar        bars[SL_FRONT_BARS];
  unsigned     n_bars = sl_outcome_bars (sl_session_record (f->session), bars);

  g_assert_cmpuint (n, >, 1);
  g_assert_cmpuint (n, <=, 1 + SL_FRONT_PLOTS);
  g_assert_cmpint (lab->panels[panels[0]].kind, ==, SL_ALIVE);
  g_assert_cmpuint (count_mapped (GTK_WIDGET (grid_of (f)), SL_TYPE_PLOT_CARD), ==, n);
  g_assert_cmpuint (count_mapped (GTK_WIDGET (f->window), SL_TYPE_PARAM_ROW), >, 0);
  g_assert_cmpuint (count_mapped (GTK_WIDGET (f->window), SL_TYPE_PARAM_ROW), <=, SL_FRONT_KNOBS);
  g_assert_cmpuint (n_bars, ==, SL_FRONT_BARS);
  for (unsigned b = 0; b < n_bars; b++)
    g_assert_true (bars[b].title != NULL && !(bars[b].full < bars[b].mark));
}

typedef struct
{
  GtkWidget *window;
  int        width, height;
} Size;

/* Wished for again each time, a pixel lower or not: a window first is as large as what is in it.  Its own edge is part
 * of the size.  */
static gboolean
is_sized (gpointer data)
{
  const Size *size = data;
  int         w = gtk_widget_get_width (size->window), h = gtk_widget_get_height (size->window);

  gtk_window_set_default_size (GTK_WINDOW (size->window), size->width, size->height - h % 2);
  return w <= size->width && w > size->width - EDGE && h <= size->height && h > size->height - EDGE;
}

static GtkAdjustment *
scrolling_of (SlFixture *f)
{
  return gtk_scrolled_window_get_vadjustment (
    GTK_SCROLLED_WINDOW (sl_child (grid_of (f), "scroller")));
}

/* Where nothing is announced above it, the page is seen whole. */
static void
assert_room (SlFixture *f)
{
  if (count_mapped (GTK_WIDGET (f->window), SL_TYPE_BANNER) == 0)
    g_assert_cmpfloat (gtk_adjustment_get_upper (scrolling_of (f)), <=,
                       gtk_adjustment_get_page_size (scrolling_of (f)));
}

/* A widget that came just now is cut until it has its place. */
static gboolean
is_whole (gpointer data)
{
  const Filling *filling = data;
  GtkWidget     *window = GTK_WIDGET (filling->fixture->window);
  const char    *cut = sl_cut_in (window);

  if (cut != NULL && g_get_monotonic_time () > filling->end)
    g_error ("'%s' is cut at %d × %d", cut, gtk_widget_get_width (window),
             gtk_widget_get_height (window));
  return cut == NULL;
}

/* The shortest slider of a setting that is seen. */
static int
shortest_in (GtkWidget *widget)
{
  int least = G_MAXINT;

  if (!gtk_widget_get_mapped (widget))
    return least;
  if (GTK_IS_SCALE (widget) && !gtk_widget_has_css_class (widget, "moments"))
    least = gtk_widget_get_width (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    least = MIN (least, shortest_in (child));
  return least;
}

static gboolean
is_laid_out (gpointer window)
{
  return shortest_in (window) > 0;
}

/* A slider is no knob alone: it can be moved by a touch of its track. */
static void
assert_tracks (GtkWidget *window)
{
  enum { TRACK = 80 };

  sl_wait (is_laid_out, window);
  g_assert_cmpint (shortest_in (window), >=, TRACK);
}

/* The start page has three sliders beside the figures, in every language and size. */
static void
test_start (SlFixture *f, gconstpointer data)
{
  sl_act (f, "glance", NULL);
  for (unsigned i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      sl_wait (is_sized, &(Size) { GTK_WIDGET (f->window), sizes[i].width, sizes[i].height });
      sl_settle ();
      assert_tracks (GTK_WIDGET (f->window));
    }
}

static void
test_page (SlFixture *f, gconstpointer data)
{
  sl_wait (is_filled, &(Filling) { f, g_get_monotonic_time () + PATIENCE });
  assert_numbers (f);
  for (unsigned i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      sl_wait (is_sized, &(Size) { GTK_WIDGET (f->window), sizes[i].width, sizes[i].height });
      sl_settle ();
      sl_wait (is_whole, &(Filling) { f, g_get_monotonic_time () + PATIENCE });
      assert_room (f);
    }
}

static gboolean
has_all (gpointer data)
{
  SlFixture *f = data;
  unsigned   panels[SL_PANELS_MAX], n = sl_plot_grid_get_shown (grid_of (f), panels);

  return count_mapped (GTK_WIDGET (grid_of (f)), SL_TYPE_PLOT_CARD) == n;
}

/* All plots and back; a pinned plot is on the front page. */
static void
test_all (SlFixture *f, gconstpointer data)
{
  unsigned panels[SL_PANELS_MAX], n = sl_plot_grid_get_shown (grid_of (f), panels);
  unsigned loss = sl_fixture_panel (f, "loss");

  sl_act (f, "all-plots", NULL);
  sl_wait (has_all, f);
  g_assert_cmpuint (sl_plot_grid_get_shown (grid_of (f), panels), >, n);
  sl_act (f, "pin-panels", g_variant_new_string ("loss"));
  sl_act (f, "all-plots", NULL);
  sl_settle ();
  g_assert_cmpuint (sl_plot_grid_get_shown (grid_of (f), panels), ==, n);
  g_assert_cmpuint (panels[1], ==, loss);
  g_assert_cmpuint (count_mapped (GTK_WIDGET (grid_of (f)), SL_TYPE_PLOT_CARD), ==, n);
}

static gboolean
has_knobs (gpointer data)
{
  SlFixture *f = data;

  return count_mapped (GTK_WIDGET (f->window), SL_TYPE_PARAM_ROW) == SL_FRONT_KNOBS;
}

/* A setting without an effect gives its place to the next one. */
static void
test_knobs (SlFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  SlValue      relu = { .n = 1 };
  unsigned     generation;
  const SlLab *lab = sl_session_lab (f->session);
  int          gate = sl_param_find (lab->params, lab->n_params, "gate");
  SlStatus     status = sl_param_parse (&lab->params[gate], "relu", &relu);

  g_assert_true (sl_ok (&status));
  sl_wait (has_knobs, f);
  generation = sl_session_generation (f->session);
  g_assert_true (sl_session_set (f->session, "gate", &relu, &error));
  sl_wait_for_run (f->session, generation);
  sl_settle ();
  g_assert_cmpuint (count_mapped (GTK_WIDGET (f->window), SL_TYPE_PARAM_ROW), <=, SL_FRONT_KNOBS);
  g_assert_cmpuint (count_mapped (GTK_WIDGET (f->window), SL_TYPE_PARAM_ROW), >, 1);
}

static SlParamForm *
form_of (SlFixture *f)
{
  return sl_sidebar_get_form (sl_window_get_sidebar (f->window));
}

static unsigned
count_rows (SlFixture *f)
{
  const SlLab *lab = sl_session_lab (f->session);
  unsigned     n = 0;

  for (unsigned i = 0; i < lab->n_params; i++)
    n += sl_param_form_has_row (form_of (f), lab->params[i].id);
  return n;
}

/* Every setting that has an effect is there and in sight. */
static gboolean
has_all_rows (gpointer data)
{
  SlFixture   *f = data;
  const SlLab *lab = sl_session_lab (f->session);

  for (unsigned i = 0; i < lab->n_params; i++)
    if (sl_param_matters (sl_session_settings (f->session), lab->params, lab->n_params, i)
        && !(sl_param_form_has_row (form_of (f), lab->params[i].id)
             && gtk_widget_get_mapped (GTK_WIDGET (sl_row (f, lab->params[i].id)))))
      return FALSE;
  return TRUE;
}

/* Groups are not mixed, and each is in the order of the lab, whenever its rows were made. */
static void
assert_order (SlFixture *f)
{
  const SlLab   *lab = sl_session_lab (f->session);
  const SlParam *last = NULL;
  gboolean       left[SL_PARAMS_MAX] = { FALSE }; /* the group of this parameter */

  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (form_of (f))); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      const SlParam *param
        = SL_IS_PARAM_ROW (child) ? sl_param_row_get_param (SL_PARAM_ROW (child)) : NULL;
      gboolean same = param != NULL && last != NULL && g_str_equal (param->group, last->group);

      if (param == NULL)
        continue;
      g_assert_false (left[param - lab->params]);
      g_assert_true (!same || param > last);
      for (unsigned i = 0; !same && last != NULL && i < lab->n_params; i++)
        left[i] = left[i] || g_str_equal (lab->params[i].group, last->group);
      last = param;
    }
}

static gboolean
is_mapped (gpointer widget)
{
  return gtk_widget_get_mapped (widget);
}

static gboolean
is_unmapped (gpointer widget)
{
  return !gtk_widget_get_mapped (widget);
}

/* Rows of all settings are made when they are shown, or asked for. */
static void
test_settings (SlFixture *f, gconstpointer data)
{
  SlParamForm *form = form_of (f);
  GtkWidget   *place = gtk_widget_get_parent (GTK_WIDGET (form));

  g_assert_cmpuint (count_rows (f), ==, 0);
  g_assert_null (sl_param_form_row (form, "no such setting"));
  g_assert_nonnull (sl_row (f, "batch"));
  g_assert_cmpuint (count_rows (f), ==, 1);
  sl_settle ();
  g_assert_cmpuint (count_rows (f), ==, 1);
  sl_act (f, "all-settings", NULL);
  sl_wait (has_all_rows, f);
  assert_order (f);
  sl_act (f, "sidebar", NULL);
  sl_wait (is_unmapped, form);

  /* Before an audience there are a few, and behind it the same form is in its place. */
  sl_act (f, "present", NULL);
  sl_wait (is_mapped, form);
  sl_settle ();
  g_assert_cmpuint (count_rows (f), >, 0);
  g_assert_false (has_all_rows (f));
  sl_act (f, "present", NULL);
  sl_wait (is_unmapped, form);
  g_assert_true (form_of (f) == form && gtk_widget_get_parent (GTK_WIDGET (form)) == place);
  sl_settle ();
  g_assert_cmpuint (count_rows (f), ==, 0);
}

/* Bars are made for the cards that need them, and not where a card is small. */
static void
test_bars (SlFixture *f, gconstpointer data)
{
  const SlLab *lab = sl_session_lab (f->session);

  g_assert_null (sl_find (GTK_WIDGET (grid_of (f)), SL_TYPE_MAP_BAR));
  sl_act (f, "all-plots", NULL);
  sl_wait (has_all, f);
  for (unsigned i = 0; i < lab->n_panels; i++)
    if (sl_plot_grid_has_card (grid_of (f), i))
      {
        GtkWidget *card = GTK_WIDGET (sl_plot_grid_get_card (grid_of (f), i));

        g_assert_true ((sl_find (card, SL_TYPE_MAP_BAR) != NULL)
                       == (lab->panels[i].kind == SL_MAP));
        g_assert_true ((sl_find (card, SL_TYPE_MOMENTS_BAR) != NULL)
                       == (lab->panels[i].kind == SL_ALIVE));
      }
  sl_act (f, "all-plots", NULL);
}

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    {
      g_autofree char *path = g_strdup_printf ("/front/page/%s", sl_labs[i]->id);

      g_test_add (path, SlFixture, sl_labs[i], set_up, test_page, sl_fixture_end);
    }
  g_test_add ("/front/all", SlFixture, sl_lab_find ("experts"), set_up, test_all, sl_fixture_end);
  g_test_add ("/front/start", SlFixture, sl_lab_find ("experts"), set_up, test_start,
              sl_fixture_end);
  g_test_add ("/front/knobs", SlFixture, sl_lab_find ("experts"), set_up, test_knobs,
              sl_fixture_end);
  g_test_add ("/front/settings", SlFixture, sl_lab_find ("experts"), set_up, test_settings,
              sl_fixture_end);
  g_test_add ("/front/bars", SlFixture, sl_lab_find ("experts"), set_up, test_bars, sl_fixture_end);
  return g_test_run ();
}
