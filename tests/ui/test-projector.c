/* SPDX-License-Identifier: MIT
 *
 * Every step of every lesson before an audience, on a projector of a given size, with type of 200 %, and with
 * -m slow of 170 % too: before and after its answer, no word of the lesson, its question, its sliders and the titles
 * above the plots is cut without a tooltip, none lies beyond the edge of the window, and two plots are seen whole.  Arguments: width, height,
 * and the lessons, else all.  With SLUICE_PICTURES, a folder, each step is drawn there as a PNG.  */
#include <stdlib.h>
#include <string.h>

#include "core/run/base/language.h"
#include "core/run/lesson/lesson.h"
#include "tests/ui/fixture.h"
#include "ui/kit/type-size.h"
#include "ui/lesson/bar.h"

enum { PATIENCE = 3000000 /* µs */ };

static int         projector_width, projector_height;
static const char *projector_where; /* lesson, step and type, for messages */

typedef struct
{
  const char *lesson;
  int         type; /* % */
} Case;

static void
set_up (SlFixture *f, gconstpointer data)
{
  const Case *c = data;

  sl_fixture_begin (f, data);
  sl_fixture_start (f, "experts", NULL, "moons:points=300", FALSE);
  sl_fixture_open (f);
  /* The projectors are low screens. */
  g_object_set (f->prefs, "type-size", (c->type * 100 + 144) / SL_TYPE_PRESENTED_LOW, NULL);
  sl_type_size_follow (gtk_widget_get_display (GTK_WIDGET (f->window)), f->prefs);
  sl_wait (sl_is_loaded, f->session);
}

/* Asked again each time and for another size, because a window first is as wide as what is in it. */
static gboolean
has_size (gpointer data)
{
  GtkWidget *window = GTK_WIDGET (((SlFixture *) data)->window);
  int        height = gtk_widget_get_height (window);
  enum {
    EDGE = 16 /* px that the frame of a window takes where no program draws it */
  };

  gtk_window_set_default_size (GTK_WINDOW (window), projector_width, projector_height - height % 2);
  return gtk_widget_get_width (window) > projector_width - EDGE
         && gtk_widget_get_width (window) <= projector_width && height > projector_height - EDGE
         && height <= projector_height;
}

/* Nothing needs more room than there is. */
static void
check_size (GtkWidget *window)
{
  int width = gtk_widget_get_width (window), height = gtk_widget_get_height (window);

  if (width <= projector_width && height <= projector_height)
    return;
  g_test_message ("%s: the window is %d x %d px", projector_where, width, height);
  g_test_fail ();
}

/* ---- what is cut ---- */

/* What scrolls may be elsewhere. */
static gboolean
scrolls (GtkWidget *widget)
{
  return gtk_widget_get_ancestor (widget, GTK_TYPE_SCROLLED_WINDOW) != NULL;
}

static const char *
wrong_with (GtkLabel *label, GtkWidget *window)
{
  GtkWidget      *widget = GTK_WIDGET (label);
  PangoLayout    *layout = gtk_label_get_layout (label);
  graphene_rect_t bounds;
  int             width, height;

  if (pango_layout_is_ellipsized (layout)) /* a title above a plot has a tooltip then */
    return gtk_widget_get_has_tooltip (widget) ? NULL : "is cut";
  pango_layout_get_pixel_size (layout, &width, &height);
  if (width > gtk_widget_get_width (widget) + 1 || height > gtk_widget_get_height (widget) + 1)
    return "is larger than its place";
  if (!gtk_widget_compute_bounds (widget, window, &bounds))
    return NULL;
  if (bounds.origin.x < -1 || bounds.origin.x + bounds.size.width > projector_width + 1)
    return "is beyond the side of the window";
  if (!scrolls (widget)
      && (bounds.origin.y < -1 || bounds.origin.y + bounds.size.height > projector_height + 1))
    return "is below the window";
  return NULL;
}

/* Toasts are the library's; what is below a pointer is in the plot's description too. */
static gboolean
is_exempt (GtkWidget *widget)
{
  return g_str_equal (G_OBJECT_TYPE_NAME (widget), "AdwToastWidget")
         || gtk_widget_has_css_class (widget, "readout");
}

/* What is wrong below a widget, as a sentence; NULL: nothing. */
static char *
find_wrong (GtkWidget *widget, GtkWidget *window)
{
  const char *wrong;
  char       *found = NULL;

  if (!gtk_widget_get_mapped (widget) || is_exempt (widget))
    return NULL;
  if (GTK_IS_LABEL (widget) && *gtk_label_get_text (GTK_LABEL (widget)) != '\0'
      && (wrong = wrong_with (GTK_LABEL (widget), window)) != NULL)
    return g_strdup_printf ("'%s' %s", gtk_label_get_text (GTK_LABEL (widget)), wrong);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_wrong (child, window);
  return found;
}

typedef struct
{
  GtkWidget *window;
  gint64     end;
  char      *wrong;
} Look;

/* What comes and goes is laid out some frames later. */
static gboolean
is_right (gpointer data)
{
  Look *at = data;

  g_free (at->wrong);
  at->wrong = find_wrong (at->window, at->window);
  return at->wrong == NULL || g_get_monotonic_time () > at->end;
}

static void
check_labels (GtkWidget *window)
{
  Look at = { window, g_get_monotonic_time () + PATIENCE, NULL };

  sl_wait (is_right, &at);
  if (at.wrong == NULL)
    return;
  g_test_message ("%s: %s", projector_where, at.wrong);
  g_test_fail ();
  g_free (at.wrong);
}

/* ---- pictures ---- */

static void
draw_picture (SlFixture *f, const char *name)
{
  const char      *folder = g_getenv ("SLUICE_PICTURES");
  g_autofree char *file = g_strconcat (name, ".png", NULL);
  g_autofree char *path = folder != NULL ? g_build_filename (folder, file, NULL) : NULL;
  GtkWidget       *window = GTK_WIDGET (f->window);
  g_autoptr (GdkPaintable) paintable = NULL;
  g_autoptr (GskRenderNode) node = NULL;

  if (path == NULL)
    return;
  paintable = gtk_widget_paintable_new (window);
  while (node == NULL) /* until the next frame is drawn */
    {
      GtkSnapshot *snapshot = gtk_snapshot_new ();

      g_main_context_iteration (NULL, FALSE);
      gdk_paintable_snapshot (paintable, snapshot, gtk_widget_get_width (window),
                              gtk_widget_get_height (window));
      node = gtk_snapshot_free_to_node (snapshot);
    }

  GskRenderer *renderer = gtk_native_get_renderer (GTK_NATIVE (window));
  g_autoptr (GdkTexture) texture = gsk_renderer_render_texture (renderer, node, NULL);

  gdk_texture_save_to_png (texture, path);
}

/* ---- the walk ---- */

static gboolean
is_there (gpointer data)
{
  SlFixture *f = data;
  SlSession *session = sl_window_get_session (f->window);

  return sl_window_shows_overview (f->window)
         || (sl_session_lab (session) != NULL && !sl_session_is_loading (session));
}

/* Two plots beside each other need no scrolling, which would hide their titles; with the largest type hardly any, but on
 * a small screen, where a long question in German takes their room.  */
static void
check_plots (SlPlotGrid *grid, int type)
{
  unsigned       n = 0;
  GtkWidget     *card = NULL;
  GtkAdjustment *height;

  for (unsigned i = 0; i < sl_plot_grid_get_n_cards (grid); i++)
    if (sl_plot_grid_has_card (grid, i)
        && gtk_widget_get_mapped (GTK_WIDGET (sl_plot_grid_get_card (grid, i))))
      {
        card = GTK_WIDGET (sl_plot_grid_get_card (grid, i));
        n += 1 + sl_plot_card_is_wide (SL_PLOT_CARD (card));
      }
  if (n == 0 || n > 2 || (type > 170 && projector_width < 1280))
    return;
  height = gtk_scrolled_window_get_vadjustment (
    GTK_SCROLLED_WINDOW (gtk_widget_get_ancestor (card, GTK_TYPE_SCROLLED_WINDOW)));
  if (gtk_adjustment_get_upper (height) * (type > 170 ? 0.88 : 1.0)
      <= gtk_adjustment_get_page_size (height))
    return;
  g_test_message ("%s: %g of %g px of the plots are seen", projector_where,
                  gtk_adjustment_get_page_size (height), gtk_adjustment_get_upper (height));
  g_test_fail ();
}

static void
look (SlFixture *f, const Case *c, unsigned step, const char *when)
{
  g_autofree char *where
    = g_strdup_printf ("%s-%u%s-%d-%dx%d-%s", c->lesson, step + 1, when, c->type, projector_width,
                       projector_height, g_getenv ("LANGUAGE"));

  sl_wait (is_there, f);
  sl_settle ();
  projector_where = where;
  check_size (GTK_WIDGET (f->window));
  check_labels (GTK_WIDGET (f->window));
  check_plots (sl_window_get_grid (f->window), c->type);
  draw_picture (f, where);
}

static void
answer (SlFixture *f, const SlQuestion *question)
{
  g_autofree char *text = question->kind == SL_ASK_CHOICE
                            ? g_strdup_printf ("%u", question->right == 1 ? 2 : 1)
                          : question->kind == SL_ASK_NUMBER ? g_strdup_printf ("%g", question->hi)
                                                            : g_strdup ("0 0");

  sl_act (f, "lesson-answer", g_variant_new_string (text));
}

/* Answers are wrong where that is known, which takes most room. */
static void
test_lesson (SlFixture *f, gconstpointer data)
{
  const Case *c = data;
  g_autoptr (GFile) file = sl_lesson_file (c->lesson);
  g_autoptr (SlLesson) lesson = sl_lesson_load (file, NULL);

  sl_wait (has_size, f); /* the display of tests has nothing that would fill the screen */
  sl_act (f, "present", NULL);
  sl_act (f, "lesson", g_variant_new_string (c->lesson));
  for (unsigned i = 0; i < lesson->steps->len; i++)
    {
      const SlQuestion *question = &sl_lesson_step (lesson, i)->question;

      look (f, c, i, "");
      if (question->kind != SL_ASK_NOTHING)
        {
          answer (f, question);
          look (f, c, i, "-answered");
        }
      g_action_group_change_action_state (G_ACTION_GROUP (f->window), "pace",
                                          g_variant_new_string ("0"));
      if (i + 1 < lesson->steps->len)
        sl_act (f, "lesson-next", NULL);
    }
  sl_act (f, "lesson-leave", NULL);
}

static void
tear_down (SlFixture *f, gconstpointer data)
{
  g_object_set (f->prefs, "type-size", SL_TYPE_USUAL, NULL);
  sl_fixture_end (f, data);
}

int
main (int argc, char **argv)
{
  static const int types[] = { 200, 170 };
  unsigned         n_types, n_names;
  g_auto (GStrv) names = NULL;
  g_autofree Case *cases = NULL; /* (types, names) */

  sl_language_start ();
  sl_ui_init (&argc, &argv);
  g_assert_cmpint (argc, >=, 3);
  projector_width = atoi (argv[1]);
  projector_height = atoi (argv[2]);
  names = argc > 3 ? g_strdupv (argv + 3) : sl_lesson_names ();
  n_types = g_test_slow () ? G_N_ELEMENTS (types) : 1;
  n_names = g_strv_length (names);
  cases = g_new (Case, n_types * n_names);
  for (unsigned t = 0; t < n_types; t++)
    for (unsigned i = 0; i < n_names; i++)
      {
        Case            *c = &cases[t * n_names + i];
        g_autofree char *path = g_strdup_printf ("/projector/%s/%d", names[i], types[t]);

        *c = (Case) { names[i], types[t] };
        g_test_add_vtable (path, sizeof (SlFixture), c, (GTestFixtureFunc) set_up,
                           (GTestFixtureFunc) test_lesson, (GTestFixtureFunc) tear_down);
      }
  return g_test_run ();
}
