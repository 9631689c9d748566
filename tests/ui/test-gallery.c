/* SPDX-License-Identifier: MIT
 *
 * Pictures of several runs side by side: as a figure, and on the page of runs with a real store and
 * runs of a real, very small sweep.  */
#include <math.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/run/sweep/store.h"
#include "plot/charts/gallery.h"
#include "plot/screen/render.h"
#include "tests/support/folder.h"
#include "tests/ui/ui.h"
#include "ui/plot-view/view.h"
#include "ui/runs/page.h"
#include "ui/runs/table/table.h"

static void
paint (SlBitmap *bitmap, unsigned width, unsigned height, uint8_t red, uint8_t blue)
{
  SlStatus status = sl_bitmap_init (bitmap, "test", width, height);

  g_assert_cmpint (status.code, ==, SL_OK);
  for (size_t i = 0; i < (size_t) width * height; i++)
    {
      bitmap->rgb[3 * i] = red;
      bitmap->rgb[3 * i + 1] = 0;
      bitmap->rgb[3 * i + 2] = blue;
    }
}

/* Each in its place and its colour. */
static void
check_tiles (const SlFrame *frame, cairo_surface_t *image)
{
  for (unsigned i = 0; i < 6; i++)
    {
      SlRect          tile = sl_frame_tile (frame, i);
      int             x = (int) (tile.x + tile.w / 2), y = (int) (tile.y + tile.h / 2);
      const uint32_t *row
        = (const uint32_t *) (const void *) (cairo_image_surface_get_data (image)
                                             + y * cairo_image_surface_get_stride (image));

      /* Brought to another size a colour is rounded once more. */
      g_assert_cmpint (ABS ((int) (row[x] >> 16 & 0xff) - (int) (40 * i)), <=, 1);
      g_assert_cmpint (ABS ((int) (row[x] & 0xff) - (int) (250 - 40 * i)), <=, 1);
    }
}

/* Six of different sizes, three in a row; on a page of another shape the rows are columns. */
static void
test_figure (void)
{
  static const SlParts parts = { .title = true, .note = true };
  SlGallery            gallery = { .across = 3 };
  SlFigure             figure = { 0 };
  SlTheme              theme = sl_theme_get (SL_THEME_LIGHT);
  SlRender            *picture = sl_render_new ();

  for (unsigned i = 0; i < 6; i++)
    {
      SlBitmap bitmap;
      SlStatus status;

      paint (&bitmap, i == 4 ? 60 : 20, i == 4 ? 30 : 20, (uint8_t) (40 * i),
             (uint8_t) (250 - 40 * i));
      status = sl_gallery_add (&gallery, i == 5 ? "last" : "one", &bitmap);
      g_assert_cmpint (status.code, ==, SL_OK);
      sl_bitmap_clear (&bitmap);
    }
  sl_gallery_update (&gallery, &figure);
  for (unsigned tall = 0; tall < 2; tall++)
    {
      cairo_surface_t *image = sl_render_draw (picture, &figure, &theme, &parts, tall ? 300 : 900,
                                               tall ? 900 : 500, 1.0, HUGE_VAL);
      const SlFrame   *frame = sl_render_frame (picture);
      SlRect           first = sl_frame_tile (frame, 0), second = sl_frame_tile (frame, 1);

      g_assert_nonnull (image);
      cairo_surface_flush (image);
      g_assert_cmpuint (frame->tiles.across, ==, tall ? 2 : 3);
      g_assert_cmpuint (frame->tiles.down, ==, tall ? 3 : 2);
      g_assert_true (tall ? second.x == first.x && second.y > first.y
                          : second.y == first.y && second.x > first.x);
      check_tiles (frame, image);
    }
  sl_render_free (picture);
  sl_figure_clear (&figure);
  sl_gallery_clear (&gallery);
  g_assert_cmpuint (gallery.n, ==, 0);
}

/* Names that are wider than a picture take two lines: no word is cut, nothing leaves the page. */
static void
test_names (void)
{
  static const SlParts     parts = { .title = true, .note = true };
  static const char *const names[] = { "gram, 5", "means and deviations, 25" };
  SlGallery                gallery = { .across = 4 };
  SlFigure                 figure = { 0 };
  SlTheme                  theme = sl_theme_get (SL_THEME_LIGHT);
  SlRender                *picture = sl_render_new ();
  SlBitmap                 bitmap;
  const SlFrame           *frame;
  SlRect                   last;

  paint (&bitmap, 40, 40, 200, 100);
  for (unsigned i = 0; i < 16; i++)
    {
      SlStatus status = sl_gallery_add (&gallery, names[i % 2], &bitmap);

      g_assert_cmpint (status.code, ==, SL_OK);
    }
  sl_gallery_update (&gallery, &figure);
  g_assert_nonnull (sl_render_draw (picture, &figure, &theme, &parts, 480, 500, 1.0, HUGE_VAL));
  frame = sl_render_frame (picture);
  g_assert_cmpuint (frame->tiles.caption_lines, ==, 2);
  last = sl_frame_tile (frame, 15);
  g_assert_cmpfloat (last.y + last.h + frame->tiles.caption, <=, 500);
  g_assert_cmpfloat (frame->tiles.h + frame->tiles.caption + frame->tiles.gap, <=,
                     sl_frame_tile (frame, 4).y - sl_frame_tile (frame, 0).y + 1e-9);

  /* With room for them in one line that is what they take. */
  g_assert_nonnull (sl_render_draw (picture, &figure, &theme, &parts, 1400, 1500, 1.0, HUGE_VAL));
  g_assert_cmpuint (sl_render_frame (picture)->tiles.caption_lines, ==, 1);
  sl_render_free (picture);
  sl_figure_clear (&figure);
  sl_gallery_clear (&gallery);
  sl_bitmap_clear (&bitmap);
}

/* More than fit are refused, and those before stay. */
static void
test_limit (void)
{
  SlGallery gallery = { 0 };
  SlBitmap  bitmap;
  SlStatus  status = SL_SUCCESS;

  paint (&bitmap, 2, 2, 1, 1);
  for (unsigned i = 0; i < SL_GALLERY_MOST; i++)
    {
      status = sl_gallery_add (&gallery, "one", &bitmap);
      g_assert_cmpint (status.code, ==, SL_OK);
    }
  status = sl_gallery_add (&gallery, "too many", &bitmap);
  g_assert_cmpint (status.code, ==, SL_EINVAL);
  g_assert_cmpuint (gallery.n, ==, SL_GALLERY_MOST);
  sl_gallery_clear (&gallery);
  sl_bitmap_clear (&bitmap);
}

/* Runs of a lab into a store; all of its sweep. */
static void
make_runs (SlStore *store, const char *lab, const char *data, const char *const *axes, unsigned n)
{
  SlDataset *dataset;
  SlSweep    sweep;
  GError    *error = NULL;
  SlStatus   status = sl_source_open (data, &dataset);

  g_assert_cmpint (status.code, ==, SL_OK);
  sl_sweep_init (&sweep, sl_lab_find (lab));
  g_free (sweep.data);
  sweep.data = g_strdup (data);
  sweep.budget = (SlBudget) { .steps = 2 };
  for (unsigned i = 0; i < n; i++)
    sl_sweep_add_axis (&sweep, axes[i], &error);
  g_assert_no_error (error);

  g_autoptr (GArray) jobs = sl_sweep_expand (&sweep);

  for (guint i = 0; i < jobs->len; i++)
    {
      SlSweepResult *result = sl_sweep_perform (&sweep, &g_array_index (jobs, SlSweepJob, i), NULL,
                                                dataset, NULL, NULL);

      g_assert_cmpint (result->status.code, ==, SL_OK);
      sl_sweep_store (store, "a sweep", result);
      sl_sweep_result_free (result);
    }
  sl_store_flush (store, &error);
  g_assert_no_error (error);
  sl_dataset_free (dataset);
  sl_sweep_clear (&sweep);
}

typedef struct
{
  char       *folder, *path;
  SlStore    *store;
  SlRunsPage *page;
  GtkWindow  *window;
  GtkStack   *views;
  char       *said;
} Fixture;

static void
on_said (Fixture *f, const char *sentence)
{
  g_free (f->said);
  f->said = g_strdup (sentence);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  GError *error = NULL;

  *f = (Fixture) { 0 };
  f->folder = g_dir_make_tmp ("sluice-XXXXXX", &error);
  g_assert_no_error (error);
  f->path = g_build_filename (f->folder, "runs.sluice", NULL);
  f->store = sl_store_open (f->path, &error);
  g_assert_no_error (error);
  f->page = g_object_new (SL_TYPE_RUNS_PAGE, NULL);
  f->window = sl_show (GTK_WIDGET (f->page), 1000, 700);
  f->views = gtk_stack_switcher_get_stack (
    GTK_STACK_SWITCHER (sl_find (GTK_WIDGET (f->page), GTK_TYPE_STACK_SWITCHER)));
  g_signal_connect_swapped (f->page, "toast", G_CALLBACK (on_said), f);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  gtk_window_destroy (f->window);
  sl_settle ();
  sl_wait (sl_is_alone, f->store);
  g_assert_finalize_object (f->store);
  sl_remove_all (f->folder);
  g_free (f->said);
  g_free (f->path);
  g_free (f->folder);
}

static GtkWidget *
view_of (Fixture *f, const char *name)
{
  return gtk_stack_get_child_by_name (f->views, name);
}

static gboolean
shows_six (gpointer data)
{
  Fixture *f = data;

  return sl_plot_view_get_figure (SL_PLOT_VIEW (view_of (f, "pictures")))->matrix.tiles == 6;
}

/* Pictures are offered by themselves, as a table in the order of the sweep, and can be exported. */
static void
test_page (Fixture *f, gconstpointer data)
{
  static const char *const axes[] = { "method=gram,moments", "gamma=1,5,25" };
  g_autofree char         *grid = g_build_filename (f->folder, "grid.svg", NULL), *text = NULL;
  const SlFigure          *figure;
  GError                  *error = NULL;

  make_runs (f->store, "style", "pictures:size=16", axes, 2);
  sl_runs_page_set_store (f->page, f->store);
  sl_wait (shows_six, f);
  figure = sl_plot_view_get_figure (SL_PLOT_VIEW (view_of (f, "pictures")));
  g_assert_cmpstr (gtk_stack_get_visible_child_name (f->views), ==, "pictures");
  g_assert_cmpuint (figure->matrix.across, ==, 3);
  g_assert_cmpstr (figure->matrix.names, ==,
                   "gram, 1\ngram, 5\ngram, 25\nmoments, 1\nmoments, 5\nmoments, 25\n");
  sl_wait_drawn (view_of (f, "pictures"), 500);
  sl_assert_named (GTK_WIDGET (f->window));

  gtk_widget_activate_action (GTK_WIDGET (f->page), "runs.export-to", "s", grid);
  g_assert_nonnull (f->said);
  g_file_get_contents (grid, &text, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (text, "moments, 25"));
  g_unlink (grid);
}

static gboolean
has_runs (gpointer data)
{
  Fixture *f = data;
  g_autoptr (GPtrArray) rows
    = sl_run_table_get_shown (SL_RUN_TABLE (sl_find (GTK_WIDGET (f->page), SL_TYPE_RUN_TABLE)));

  sl_runs_page_update (f->page);
  return rows->len == 2;
}

/* A lab that makes none has no page for them. */
static void
test_others (Fixture *f, gconstpointer data)
{
  static const char *const axes[] = { "k=1,2" };

  make_runs (f->store, "experts", "moons:points=60", axes, 1);
  sl_runs_page_set_store (f->page, f->store);
  sl_wait (has_runs, f);
  g_assert_false (
    gtk_stack_page_get_visible (gtk_stack_get_page (f->views, view_of (f, "pictures"))));
  g_assert_cmpstr (gtk_stack_get_visible_child_name (f->views), ==, "front");
}

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
  g_test_add_func ("/gallery/figure", test_figure);
  g_test_add_func ("/gallery/names", test_names);
  g_test_add_func ("/gallery/limit", test_limit);
  g_test_add ("/gallery/page", Fixture, NULL, set_up, test_page, tear_down);
  g_test_add ("/gallery/others", Fixture, NULL, set_up, test_others, tear_down);
  return g_test_run ();
}
