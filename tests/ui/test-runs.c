/* SPDX-License-Identifier: MIT
 *
 * Comparing runs in widgets: charts that are read and picked from by pointer and key, and the page
 * with a real store and a real sweep of a small network.  */
#include <math.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/run/record/name.h"
#include "core/run/store/writer.h"
#include "core/run/sweep/store.h"
#include "tests/support/english.h"
#include "tests/support/folder.h"
#include "tests/ui/fixture.h"
#include "tests/ui/made-item.h"
#include "ui/charts/front-view.h"
#include "ui/charts/gap-view.h"
#include "ui/charts/parallel-view.h"
#include "ui/export/job.h"
#include "ui/kit/prefs.h"
#include "ui/plot-view/view.h"
#include "ui/runs/list/grouped.h"
#include "ui/runs/list/rows.h"
#include "ui/runs/page.h"
#include "ui/runs/set.h"
#include "ui/runs/table/group-chooser.h"
#include "ui/runs/table/many.h"
#include "ui/runs/table/table.h"
#include "ui/status/line.h"
#include "ui/sweep/bar.h"
#include "ui/sweep/values.h"

static void
on_pick (gpointer view, guint index, int *picked)
{
  *picked = (int) index;
}

static void
put_away (GtkWindow *window)
{
  gtk_window_destroy (window);
  sl_settle ();
}

static void
test_front_view (void)
{
  SlFrontView *view = g_object_new (SL_TYPE_FRONT_VIEW, NULL);
  SlFront     *front = sl_front_view_get_front (view);
  SlFigure    *figure = sl_chart_get_figure (SL_CHART (view));
  GtkWindow   *window = sl_show (GTK_WIDGET (view), 500, 300);
  int          picked = -1;
  gboolean     log_x;
  char         text[512];

  figure->x = (SlAxis) { .label = "cost", .unit = "%" };
  figure->y = (SlAxis) { .label = "error", .unit = "%" };
  front->frontier = true;
  for (unsigned i = 0; i < 4; i++)
    {
      SlFrontRun run = {
        .key = i, .x = 10.0 * (i + 1), .y = i == 2 ? 9.0 : 8.0 - i, .tone = i, .title = "rank"
      };

      sl_front_add (front, &run);
    }
  g_signal_connect (view, "pick", G_CALLBACK (on_pick), &picked);
  sl_front_view_update (view);
  gtk_widget_grab_focus (GTK_WIDGET (view));
  sl_wait_drawn (GTK_WIDGET (view), 500);
  g_assert_cmpstr (sl_readout (view), ==, "");

  /* Return without a point picks nothing; the arrows go along the cost. */
  g_assert_true (sl_press (GTK_WIDGET (view), GDK_KEY_Return, 0));
  g_assert_cmpint (picked, ==, -1);
  for (int i = 0; i < 4; i++)
    {
      g_assert_true (sl_press (GTK_WIDGET (view), GDK_KEY_Right, 0));
      sl_front_text (sl_front_view_get_front (view), sl_chart_get_figure (SL_CHART (view)),
                     (unsigned) i, text, sizeof text);
      g_assert_cmpstr (sl_readout (view), ==, text);
    }
  g_assert_cmpstr (sl_readout (view), ==, "rank: cost 40\302\240%, error 5\302\240%");
  g_assert_true (sl_press (GTK_WIDGET (view), GDK_KEY_Left, 0));
  g_assert_true (sl_press (GTK_WIDGET (view), GDK_KEY_Return, 0));
  g_assert_cmpint (picked, ==, 2);
  g_assert_true (sl_press (GTK_WIDGET (view), GDK_KEY_Escape, 0));
  g_assert_cmpstr (sl_readout (view), ==, "");
  g_assert_true (sl_press (GTK_WIDGET (view), GDK_KEY_l, GDK_SHIFT_MASK));
  g_object_get (view, "log-x", &log_x, NULL);
  g_assert_true (log_x);
  g_assert_true (figure->view.log_x);
  sl_assert_named (GTK_WIDGET (window));
  put_away (window);
}

/* How many lines lie in every brush. */
static size_t
selected (const SlParallel *parallel)
{
  size_t n = 0;

  for (size_t line = 0; line < parallel->n; line++)
    n += sl_parallel_selected (parallel, line);
  return n;
}

static void
test_parallel_view (void)
{
  SlParallelView *view = g_object_new (SL_TYPE_PARALLEL_VIEW, NULL);
  SlParallel     *parallel = sl_parallel_view_get_parallel (view);
  GtkWindow      *window = sl_show (GTK_WIDGET (view), 600, 300);
  const char     *readout;
  int             picked = -1;

  g_assert_nonnull (sl_parallel_axis (parallel, "Rank", "", true));
  g_assert_nonnull (sl_parallel_axis (parallel, "Error", "%", false));
  for (unsigned i = 0; i < 5; i++)
    g_assert_true (sl_parallel_line (parallel, (const double[]) { 1 << i, 20.0 - i }));
  parallel->colour = 1;
  g_signal_connect (view, "pick", G_CALLBACK (on_pick), &picked);
  sl_parallel_brush (parallel, 0, 2.0, 8.0);
  sl_parallel_view_update (view);
  sl_wait_drawn (GTK_WIDGET (view), 500);

  /* Up along the ranks that the brush leaves: 2, 4, 8, and no further. */
  for (unsigned i = 0; i < 5; i++)
    {
      g_assert_true (sl_press (GTK_WIDGET (view), GDK_KEY_Up, 0));
      g_assert_cmpuint (parallel->marked, ==, MIN (i + 2, 4));
    }
  readout = sl_readout (view);
  g_assert_cmpstr (readout, ==, "Rank: 8\nError: 17\302\240%");
  g_assert_true (sl_press (GTK_WIDGET (view), GDK_KEY_Right, 0));
  g_assert_true (sl_press (GTK_WIDGET (view), GDK_KEY_Up, 0));
  g_assert_cmpuint (parallel->marked, ==, 3); /* the next worse error */
  g_assert_true (sl_press (GTK_WIDGET (view), GDK_KEY_Return, 0));
  g_assert_cmpint (picked, ==, 2);
  gtk_widget_activate_action (GTK_WIDGET (view), "chart.unbrush", NULL);
  g_assert_cmpuint (selected (parallel), ==, 5);
  g_assert_true (sl_press (GTK_WIDGET (view), GDK_KEY_Escape, 0));
  g_assert_cmpuint (parallel->marked, ==, 0);
  sl_assert_named (GTK_WIDGET (window));
  put_away (window);
}

/* Charts are about the lab at hand, where some run is of it, else about that of the last. */
static void
test_at_hand (void)
{
  const SlLab *experts = sl_lab_find ("experts"), *tree = sl_lab_find ("prefix-tree");
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  SlRunSet set;

  g_ptr_array_add (items, made_item (experts->id, "k=2", 1, 10));
  g_ptr_array_add (items, made_item (experts->id, "k=1", 3, 10));
  g_ptr_array_add (items, made_item (tree->id, "", 4, 10));
  sl_run_set_init (&set, items, experts, NULL);
  g_assert_true (set.lab == experts);
  g_assert_cmpuint (set.items->len, ==, 2);
  for (guint i = 0; i < 2; i++)
    g_assert_true (sl_run_item_run (sl_run_set_item (&set, i))
                   == sl_trade_run (&set.trade, i)->run);
  sl_run_set_clear (&set);
  sl_run_set_init (&set, items, sl_lab_find ("style"), NULL);
  g_assert_true (set.lab == tree);
  sl_run_set_clear (&set);
  sl_run_set_init (&set, items, NULL, NULL);
  g_assert_true (set.lab == tree);
  sl_run_set_clear (&set);
}

/* Parallel coordinates of runs on several data sets have an axis that says which; the same numbers are the same data
 * wherever they lie.  */
static void
test_data_sets (void)
{
  const SlLab *lab = sl_lab_find ("experts");
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  SlParallel parallel = { 0 };
  SlRunSet   set;
  char       text[64];
  unsigned   data = 0;

  g_ptr_array_add (items, made_item_on ("moons:points=200,seed=1", lab->id, "k=1", 1, 10));
  g_ptr_array_add (items, made_item_on ("/here/letters.csv:valid=0.1", lab->id, "k=2", 2, 20));
  sl_run_set_init (&set, items, NULL, NULL);
  sl_run_set_parallel (&set, &parallel);
  while (data + 1 < parallel.n_axes && !g_str_equal (parallel.axis[data].title, "Data"))
    data++;
  g_assert_cmpuint (parallel.n_axes, ==, 5);
  g_assert_cmpuint (parallel.colour, ==, 4);
  g_assert_cmpuint (data, ==, 1);
  for (unsigned i = 0; i < 2; i++)
    {
      const double *line = parallel.value + i * parallel.n_axes;

      g_assert_cmpfloat (line[0], ==, i + 1);
      g_assert_cmpfloat (line[4], ==, 10 * (i + 1));
      g_assert_cmpstr (sl_parallel_text (&parallel, data, line[data], text, sizeof text), ==,
                       i == 0 ? "moons" : "letters.csv");
    }
  sl_run_set_clear (&set);

  g_ptr_array_add (items, made_item_on ("/there/letters.csv", lab->id, "k=2", 3, 20));
  for (guint i = 1; i < 3; i++)
    ((SlStoreRun *) sl_run_item_run (items->pdata[i]))->data_hash = 7;
  g_ptr_array_remove_index (items, 0);
  sl_run_set_init (&set, items, NULL, NULL);
  g_assert_cmpuint (sl_data_sets_count (&set.trade.data), ==, 1);
  sl_run_set_parallel (&set, &parallel);
  g_assert_cmpuint (parallel.n_axes, ==, 3);
  sl_run_set_clear (&set);
  sl_parallel_clear (&parallel);
}

/* What a list of rows has, a line for each group: its title, ":" and the numbers of its runs. */
static char *
written (GListModel *rows)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (GObject) row = g_list_model_get_item (rows, i);

      if (SL_IS_RUN_GROUP_ROW (row))
        g_string_append_printf (text, "%s%s:", i > 0 ? "\n" : "",
                                sl_run_group_row_title (SL_RUN_GROUP_ROW (row)));
      else
        g_string_append_printf (text, " %u", sl_run_item_number (SL_RUN_ITEM (row)));
    }
  return g_string_free (text, FALSE);
}

#define assert_rows(rows, expected)                                                                \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_autofree char *all = written (G_LIST_MODEL (rows));                                          \
                                                                                                   \
    g_assert_cmpstr (all, ==, expected);                                                           \
  }                                                                                                \
  G_STMT_END

/* Where rows changed last. */
typedef struct
{
  guint position, removed, added, n;
} Changed;

static void
on_rows_changed (Changed *changed, guint position, guint removed, guint added)
{
  *changed = (Changed) { position, removed, added, changed->n + 1 };
}

static SlRunGroupRow *
group_at (gpointer rows, guint i)
{
  g_autoptr (GObject) row = g_list_model_get_item (rows, i);

  return SL_RUN_GROUP_ROW (row);
}

/* Rows of groups above their runs, in the order of the list; what has no value comes last. */
static void
test_grouped (void)
{
  static const struct
  {
    const char *lab, *words;
  } runs[] = {
    { "experts", "k=4" }, { "sign-estimator", "" }, { "experts", "k=2" }, { "experts", "k=4" }
  };
  g_autoptr (GListStore) list = g_list_store_new (SL_TYPE_RUN_ITEM);
  g_autoptr (SlRunGrouped) rows = sl_run_grouped_new (G_LIST_MODEL (list), NULL);
  g_autoptr (SlRunItem) one = made_item ("experts", "k=2", 5, 30);
  Changed changed = { 0 };

  for (unsigned i = 0; i < G_N_ELEMENTS (runs); i++)
    {
      g_autoptr (SlRunItem) item = made_item (runs[i].lab, runs[i].words, i + 1, 10 * (i + 1));

      g_list_store_append (list, item);
    }
  g_signal_connect_swapped (rows, "items-changed", G_CALLBACK (on_rows_changed), &changed);
  assert_rows (rows, " 1 2 3 4");
  sl_run_grouped_set (rows, "k");
  assert_rows (rows, "k = 2: 3\nk = 4: 1 4\nno k: 2");
  g_assert_cmpfloat (sl_run_group_row_means (group_at (rows, 2))->error.mean, ==, 25);
  g_assert_cmpuint (sl_run_group_row_means (group_at (rows, 2))->error.n, ==, 2);

  /* One more run is one more row, beneath its group. */
  g_list_store_append (list, one);
  assert_rows (rows, "k = 2: 3 5\nk = 4: 1 4\nno k: 2");
  g_assert_cmpuint (changed.position, ==, 2);
  g_assert_cmpuint (changed.removed, ==, 0);
  g_assert_cmpuint (changed.added, ==, 1);
  g_assert_cmpfloat (sl_run_group_row_means (group_at (rows, 0))->error.mean, ==, 30);

  /* What is folded stays so, though all its runs go and come back. */
  sl_run_group_row_toggle (group_at (rows, 0));
  assert_rows (rows, "k = 2:\nk = 4: 1 4\nno k: 2");
  g_list_store_remove (list, 4);
  g_list_store_remove (list, 2);
  assert_rows (rows, "k = 4: 1 4\nno k: 2");
  g_list_store_append (list, one);
  assert_rows (rows, "k = 2:\nk = 4: 1 4\nno k: 2");
  sl_run_grouped_fold (rows, NULL, TRUE);
  assert_rows (rows, "k = 2:\nk = 4:\nno k:");
  sl_run_grouped_fold (rows, NULL, FALSE);

  /* By lab and state they are called as everywhere; labs that count in other units have no common mean. */
  sl_run_grouped_set (rows, "lab");
  assert_rows (rows, "Experts: 1 4 5\nSign estimator: 2");
  sl_run_grouped_set (rows, "status");
  assert_rows (rows, "running: 1 2 4 5");
  sl_run_grouped_set (rows, "no-such-name");
  assert_rows (rows, " 1 2 4 5");
  g_assert_null (sl_run_grouped_field (rows));
}

/* Every lab is offered values that a sweep takes. */
static void
test_values (void)
{
  for (unsigned l = 0; sl_labs[l] != NULL; l++)
    {
      const SlLab *lab = sl_labs[l];
      SlSettings   settings;
      int          first;

      sl_settings_default (&settings, lab->params, lab->n_params);
      sl_settings_settle (&settings, lab->params, lab->n_params);
      first = sl_sweep_first_param (lab, &settings);
      g_assert_cmpint (first, >=, 0);
      for (unsigned p = 0; p < sl_lab_n_settings (lab); p++)
        {
          g_autofree char *values = sl_sweep_values (&lab->params[p], &settings.value[p]);
          g_autofree char *text = g_strdup_printf ("%s=%s", lab->params[p].id, values);
          GError          *error = NULL;
          SlSweep          sweep;

          sl_sweep_init (&sweep, lab);
          sl_sweep_add_axis (&sweep, text, &error);
          g_assert_no_error (error);
          g_assert_cmpuint (sweep.axis[0].n, >=, (int) p == first ? 3 : 1);
          sl_sweep_clear (&sweep);
        }
    }
}

/* A page on a store of its own, set up for 2 × 2 short runs. */
typedef struct
{
  char       *folder, *path;
  SlStore    *store;
  SlRunsPage *page;
  GtkWindow  *window;
  SlRunTable *table;
  SlSweepBar *bar;
  unsigned    ended, opened;
  char       *said;
} Fixture;

static void
on_ended (Fixture *f)
{
  f->ended++;
}

static void
on_open (Fixture *f, SlRunItem *item)
{
  g_assert_true (SL_IS_RUN_ITEM (item));
  f->opened = sl_run_item_number (item);
}

static void
on_said (Fixture *f, const char *sentence)
{
  g_free (f->said);
  f->said = g_strdup (sentence);
}

/* The nth entry of the sweep bar: values, values, seeds. */
static GtkWidget *
entry_at (GtkWidget *root, unsigned *n)
{
  GtkWidget *found = NULL;

  if (GTK_IS_ENTRY (root) && (*n)-- == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = entry_at (child, n);
  return found;
}

static void
type (Fixture *f, unsigned entry, const char *text)
{
  GtkWidget *found = entry_at (GTK_WIDGET (f->bar), &entry);

  g_assert_nonnull (found);
  gtk_editable_set_text (GTK_EDITABLE (found), text);
}

static const char *
typed (Fixture *f, unsigned entry)
{
  return gtk_editable_get_text (GTK_EDITABLE (entry_at (GTK_WIDGET (f->bar), &entry)));
}

static void
set_up (Fixture *f, gconstpointer data)
{
  const SlLab *lab = sl_lab_find ("experts");
  SlSettings   settings;
  GError      *error = NULL;

  *f = (Fixture) { 0 };
  f->folder = g_dir_make_tmp ("sluice-XXXXXX", &error);
  g_assert_no_error (error);
  f->path = g_build_filename (f->folder, "runs.sluice", NULL);
  f->store = sl_store_open (f->path, &error);
  g_assert_no_error (error);
  f->page = g_object_new (SL_TYPE_RUNS_PAGE, NULL);
  f->window = sl_show (GTK_WIDGET (f->page), 1000, 700);
  f->table = SL_RUN_TABLE (sl_find (GTK_WIDGET (f->page), SL_TYPE_RUN_TABLE));
  f->bar = SL_SWEEP_BAR (sl_find (GTK_WIDGET (f->page), SL_TYPE_SWEEP_BAR));
  g_signal_connect_swapped (f->bar, "ended", G_CALLBACK (on_ended), f);
  g_signal_connect_swapped (f->page, "open", G_CALLBACK (on_open), f);
  g_signal_connect_swapped (f->page, "toast", G_CALLBACK (on_said), f);
  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_settings_settle (&settings, lab->params, lab->n_params);
  sl_runs_page_set_store (f->page, f->store);
  sl_runs_page_set_base (f->page, lab, &settings, "moons:points=200");
  /* A row for each run. */
  gtk_widget_activate_action (GTK_WIDGET (f->table), "table.group", "s", "");
  type (f, 0, "1,2");
  type (f, 2, "1-2");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (sl_child (f->bar, "steps")), 20);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  put_away (f->window);
  sl_wait (sl_is_alone, f->store);
  g_assert_finalize_object (f->store);
  sl_remove_all (f->folder);
  g_free (f->said);
  g_free (f->path);
  g_free (f->folder);
}

static unsigned
n_shown (Fixture *f)
{
  g_autoptr (GPtrArray) rows = sl_run_table_get_shown (f->table);

  return rows->len;
}

static gboolean
is_swept (gpointer data)
{
  Fixture *f = data;

  return f->ended > 0 && n_shown (f) == 4;
}

static void
sweep (Fixture *f)
{
  gtk_widget_activate_action (GTK_WIDGET (f->bar), "sweep.start", NULL);
  g_assert_true (sl_sweep_bar_is_busy (f->bar));
  sl_wait (is_swept, f);
  sl_runs_page_update (f->page);
}

static const SlFront *
front_of (Fixture *f)
{
  return sl_front_view_get_front (
    SL_FRONT_VIEW (sl_find (GTK_WIDGET (f->page), SL_TYPE_FRONT_VIEW)));
}

/* A run is in the table before its figures are: the store is read by a thread of its own. */
static gboolean
has_both_points (gpointer data)
{
  Fixture *f = data;

  sl_runs_page_update (f->page);
  return front_of (f)->n == 2 && front_of (f)->point[0].n == 2 && front_of (f)->point[1].n == 2;
}

static gboolean
is_three (gpointer f)
{
  return n_shown (f) == 3;
}

static gboolean
is_four (gpointer f)
{
  return n_shown (f) == 4;
}

static gboolean
has_ended_twice (gpointer data)
{
  return ((Fixture *) data)->ended >= 2;
}

/* From a click to points with error bars, which are in the store, and picked. */
static void
test_sweep (Fixture *f, gconstpointer data)
{
  SlFrontView *view = SL_FRONT_VIEW (sl_find (GTK_WIDGET (f->page), SL_TYPE_FRONT_VIEW));
  g_autoptr (GPtrArray) runs = NULL;

  sl_assert_named (GTK_WIDGET (f->page));
  sweep (f);
  sl_wait (has_both_points, f);
  for (unsigned i = 0; i < 2; i++)
    {
      g_assert_true (isfinite (front_of (f)->point[i].x) && isfinite (front_of (f)->point[i].y));
    }
  /* Twice as many experts an example cost more. */
  g_assert_cmpfloat (fabs (front_of (f)->point[0].x - front_of (f)->point[1].x), >, 1.0);
  runs = sl_store_list (f->store, NULL, FALSE, NULL);
  g_assert_cmpuint (runs->len, ==, 4);
  g_signal_emit_by_name (view, "pick", 1);
  g_assert_cmpuint (f->opened, >, 0);

  /* What is there is not made again; another seed is. */
  gtk_widget_activate_action (GTK_WIDGET (f->bar), "sweep.start", NULL);
  g_assert_false (sl_sweep_bar_is_busy (f->bar));
  type (f, 2, "1-3");
  gtk_widget_activate_action (GTK_WIDGET (f->bar), "sweep.start", NULL);
  g_assert_true (sl_sweep_bar_is_busy (f->bar));
  gtk_widget_activate_action (GTK_WIDGET (f->bar), "sweep.pause", NULL);
  gtk_widget_activate_action (GTK_WIDGET (f->bar), "sweep.cancel", NULL);
  sl_wait (has_ended_twice, f);
  g_assert_false (sl_sweep_bar_is_busy (f->bar));
  /* Nonsense is told, and starts nothing. */
  type (f, 0, "1,many");
  gtk_widget_activate_action (GTK_WIDGET (f->bar), "sweep.start", NULL);
  g_assert_false (sl_sweep_bar_is_busy (f->bar));
}

static gboolean
has_ended (gpointer data)
{
  return ((Fixture *) data)->ended > 0;
}

/* The sweep was chosen, not all runs. */
static gboolean
is_all_of_the_sweep (gpointer data)
{
  Fixture *f = data;

  return n_shown (f) == 4
         && gtk_drop_down_get_selected (GTK_DROP_DOWN (sl_child (f->page, "scope"))) == 1;
}

/* A sweep that is over before the list of runs was read even once is shown as any other. */
static void
test_short_sweep (Fixture *f, gconstpointer data)
{
  gtk_widget_set_visible (GTK_WIDGET (f->window), FALSE);
  gtk_widget_activate_action (GTK_WIDGET (f->bar), "sweep.start", NULL);
  sl_wait (has_ended, f);
  g_assert_cmpuint (n_shown (f), ==, 0);
  gtk_widget_set_visible (GTK_WIDGET (f->window), TRUE);
  sl_wait (is_all_of_the_sweep, f);
}

static gboolean
is_eight (gpointer f)
{
  return n_shown (f) == 8;
}

/* Who looks at all runs while a sweep is under way is not taken back to it by the runs that arrive. */
static void
test_scope_stays (Fixture *f, gconstpointer data)
{
  GtkDropDown *scope = GTK_DROP_DOWN (sl_child (f->page, "scope"));

  sweep (f);
  type (f, 2, "3-4");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (sl_child (f->bar, "steps")), 1000);
  gtk_widget_activate_action (GTK_WIDGET (f->bar), "sweep.start", NULL);
  gtk_drop_down_set_selected (scope, 0);
  sl_wait (has_ended_twice, f);
  sl_wait (is_eight, f);
  g_assert_cmpuint (gtk_drop_down_get_selected (scope), ==, 0);
}

/* Whether two of four points of the trade-off are on other data than those at hand, the first among them or not. */
static gboolean
are_apart (Fixture *f, gboolean first)
{
  const SlFront *front = front_of (f);
  unsigned       apart = 0;

  for (unsigned i = 0; i < front->n; i++)
    apart += front->point[i].apart;
  return front->n == 4 && apart == 2 && front->point[0].apart == first;
}

static gboolean
is_first_apart (gpointer f)
{
  return are_apart (f, TRUE);
}

static gboolean
is_last_apart (gpointer f)
{
  return are_apart (f, FALSE);
}

/* Whether the means of four settings are there, and each says which data its runs are on. */
static gboolean
say_their_data (gpointer view)
{
  const SlFigure *figure = sl_plot_view_get_figure (view);
  unsigned        last = 0;

  for (unsigned c = 0; c < figure->n_curves; c++)
    {
      last = MAX (last, figure->curve[c].group);
      if (strstr (figure->curve[c].group_title, ", moons:points=") == NULL)
        return FALSE;
    }
  return last == 4;
}

/* What the page is about decides what is compared, without anything else happening. */
static void
test_base (Fixture *f, gconstpointer data)
{
  const SlLab *lab = sl_lab_find ("experts");
  SlSettings   settings;

  sweep (f);
  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_settings_settle (&settings, lab->params, lab->n_params);
  sl_runs_page_set_base (f->page, lab, &settings, "moons:points=150");
  gtk_widget_activate_action (GTK_WIDGET (f->bar), "sweep.start", NULL);
  sl_wait (has_ended_twice, f);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (sl_child (f->page, "scope")), 0); /* all runs */
  sl_wait (is_first_apart, f);
  sl_runs_page_set_base (f->page, lab, &settings, "moons:points=200");
  sl_wait (is_last_apart, f);
  gtk_widget_activate_action (GTK_WIDGET (f->page), "runs.view", "s", "curves");
  sl_wait (say_their_data, sl_find (GTK_WIDGET (f->page), SL_TYPE_PLOT_VIEW));
}

enum { PLACES = 24 };

/* Where things stand that somebody may be pointing at: a chart's tools, the table, its columns. */
static unsigned
places (Fixture *f, graphene_rect_t place[PLACES])
{
  GtkWidget *columns = sl_find (GTK_WIDGET (f->table), GTK_TYPE_COLUMN_VIEW);
  GtkWidget *fixed[] = { sl_child (f->page, "scope"), GTK_WIDGET (f->table) };
  unsigned   n = 0;

  for (unsigned i = 0; i < G_N_ELEMENTS (fixed); i++)
    g_assert_true (gtk_widget_compute_bounds (fixed[i], GTK_WIDGET (f->page), &place[n++]));
  /* It is laid out when the first run is there. */
  for (GtkWidget *title = gtk_widget_get_first_child (gtk_widget_get_first_child (columns));
       gtk_widget_get_width (columns) > 100 && title != NULL && n < PLACES;
       title = gtk_widget_get_next_sibling (title))
    g_assert_true (gtk_widget_compute_bounds (title, GTK_WIDGET (f->page), &place[n++]));
  return n;
}

typedef struct
{
  Fixture        *fixture;
  graphene_rect_t before[PLACES];
  unsigned        n;
} Steady;

static gboolean
is_swept_steadily (gpointer data)
{
  Steady         *steady = data;
  graphene_rect_t now[PLACES];

  unsigned n = places (steady->fixture, now);

  for (; steady->n < n; steady->n++)
    steady->before[steady->n] = now[steady->n];
  g_assert_cmpuint (n, ==, steady->n);
  for (unsigned i = 0; i < steady->n; i++)
    if (!graphene_rect_equal (&now[i], &steady->before[i]))
      g_error ("place %u: x %g, y %g, %g × %g; was x %g, y %g, %g × %g", i, now[i].origin.x,
               now[i].origin.y, now[i].size.width, now[i].size.height, steady->before[i].origin.x,
               steady->before[i].origin.y, steady->before[i].size.width,
               steady->before[i].size.height);
  return is_swept (steady->fixture) && steady->n > 5;
}

/* The suggestions came last, and are in their places. */
static gboolean
is_laid_out (gpointer fixture)
{
  Fixture   *f = fixture;
  GtkWidget *last = gtk_widget_get_last_child (sl_child (f->bar, "suggestions"));

  return last != NULL && gtk_widget_get_height (last) > 0;
}

/* Nothing moves when a sweep begins, while its runs come, and when it ends. */
static void
test_steady (Fixture *f, gconstpointer data)
{
  Steady steady = { .fixture = f };

  sl_wait (is_laid_out, f);
  steady.n = places (f, steady.before);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (sl_child (f->bar, "steps")),
                             400); /* for many frames */
  gtk_widget_activate_action (GTK_WIDGET (f->bar), "sweep.start", NULL);
  sl_wait (is_swept_steadily, &steady);
  sl_settle ();
  g_assert_true (is_swept_steadily (&steady));
}

static gboolean
has_whole_titles (gpointer fixture)
{
  GtkWidget *view = sl_find (GTK_WIDGET (((Fixture *) fixture)->table), GTK_TYPE_COLUMN_VIEW);
  GtkWidget *title = gtk_widget_get_first_child (gtk_widget_get_first_child (view));
  unsigned   n = 0;

  for (; title != NULL; title = gtk_widget_get_next_sibling (title))
    if (gtk_widget_get_mapped (title))
      {
        GtkWidget      *label = sl_find (title, GTK_TYPE_LABEL);
        int             natural;
        graphene_rect_t bounds;

        gtk_widget_measure (label, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
        if (gtk_widget_get_width (label) < natural
            || !gtk_widget_compute_bounds (label, title, &bounds)
            || bounds.origin.x + bounds.size.width > (float) gtk_widget_get_width (title))
          return FALSE;
        n++;
      }
  return n > 5;
}

static gboolean
is_filled (gpointer fixture)
{
  GtkWidget *view = sl_find (GTK_WIDGET (((Fixture *) fixture)->table), GTK_TYPE_COLUMN_VIEW);
  GtkWidget *title = gtk_widget_get_first_child (gtk_widget_get_first_child (view));
  int        all = 0;

  for (; title != NULL; title = gtk_widget_get_next_sibling (title))
    if (gtk_widget_get_mapped (title))
      all += gtk_widget_get_allocated_width (title);
  return all > 0 && all == gtk_widget_get_width (view);
}

/* What the other columns leave is the settings', nothing that of tags, which are not shown. */
static void
test_filled (Fixture *f, gconstpointer data)
{
  sweep (f);
  sl_wait (is_filled, f);
}

/* Another language has longer titles. */
static void
test_titles (Fixture *f, gconstpointer data)
{
  GtkWidget  *view = sl_find (GTK_WIDGET (f->table), GTK_TYPE_COLUMN_VIEW);
  GListModel *all = gtk_column_view_get_columns (GTK_COLUMN_VIEW (view));

  sweep (f);
  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (all, i);

      gtk_column_view_column_set_title (column, "Ein langer Titel");
    }
  gtk_widget_set_visible (GTK_WIDGET (f->table), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (f->table), TRUE);
  sl_wait (has_whole_titles, f);
}

static gboolean
is_whole (gpointer label)
{
  return gtk_widget_get_mapped (label) && gtk_widget_get_width (label) > 0
         && !pango_layout_is_ellipsized (gtk_label_get_layout (label));
}

static void
check_problem (Fixture *f, const char *values)
{
  type (f, 0, values);
  sl_wait (is_whole, sl_child (f->bar, "problem"));
}

/* What is wrong with a value can be read whole, and moves nothing; the suggestions are there again when it is mended. */
static void
test_mistaken (Fixture *f, gconstpointer data)
{
  GtkWidget       *values = GTK_WIDGET (sl_child (f->bar, "values_1"));
  g_autofree char *before = g_strdup (gtk_editable_get_text (GTK_EDITABLE (values)));
  graphene_rect_t  place[PLACES], now[PLACES];
  unsigned         n;

  sl_wait (is_laid_out, f);
  n = places (f, place);
  check_problem (f, "1,two,3");
  check_problem (f, "0,1");
  g_assert_cmpuint (places (f, now), ==, n);
  for (unsigned i = 0; i < n; i++)
    g_assert_true (graphene_rect_equal (&place[i], &now[i]));
  gtk_editable_set_text (GTK_EDITABLE (values), before);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (sl_child (f->bar, "stages"))), ==,
                   "setting");
}

static gboolean
is_changed (gpointer item)
{
  return g_str_equal (sl_run_item_name (item), "the Knee") && sl_run_item_slot (item) == 2
         && sl_run_item_run (item)->pinned;
}

static GtkSelectionModel *
rows_of (Fixture *f)
{
  return gtk_column_view_get_model (
    GTK_COLUMN_VIEW (sl_find (GTK_WIDGET (f->table), GTK_TYPE_COLUMN_VIEW)));
}

static gboolean
has_changed_run (Fixture *f)
{
  g_autoptr (GPtrArray) rows = sl_run_table_get_shown (f->table);
  gboolean found = FALSE;

  for (guint i = 0; i < rows->len; i++)
    found = found || is_changed (rows->pdata[i]);
  return found;
}

static void
test_table (Fixture *f, gconstpointer data)
{
  GtkWidget *filter = sl_find (GTK_WIDGET (f->table), GTK_TYPE_SEARCH_ENTRY);
  g_autoptr (GPtrArray) rows = NULL, selected = NULL;
  SlRunItem *item;

  sweep (f);
  rows = sl_run_table_get_shown (f->table);
  item = g_ptr_array_index (rows, 1);
  gtk_selection_model_select_item (rows_of (f), 1, TRUE);
  selected = sl_run_table_get_selected (f->table);
  g_assert_cmpuint (selected->len, ==, 1);
  g_assert_true (g_ptr_array_index (selected, 0) == item);

  /* The charts show what is selected. */
  sl_runs_page_update (f->page);
  g_assert_cmpuint (front_of (f)->n, ==, 1);
  gtk_widget_activate_action (GTK_WIDGET (f->table), "table.open", NULL);
  g_assert_cmpuint (f->opened, ==, sl_run_item_number (item));

  sl_store_rename (f->store, sl_run_item_run (item)->uuid, "the Knee");
  gtk_widget_activate_action (GTK_WIDGET (f->table), "table.colour", "u", 3);
  gtk_widget_activate_action (GTK_WIDGET (f->table), "table.pin", NULL);
  sl_wait (is_changed, item);

  /* Deleted, and brought back with its name and colour. */
  g_assert_false (sl_runs_page_can_undelete (f->page));
  gtk_widget_activate_action (GTK_WIDGET (f->table), "table.delete", NULL);
  sl_wait (is_three, f);
  g_assert_true (sl_runs_page_can_undelete (f->page));
  sl_runs_page_undelete (f->page);
  sl_wait (is_four, f);
  g_assert_false (sl_runs_page_can_undelete (f->page));
  g_assert_true (has_changed_run (f));

  /* Words find titles, settings and states, whatever the case. */
  gtk_editable_set_text (GTK_EDITABLE (filter), "KNEE");
  g_signal_emit_by_name (filter, "search-changed");
  g_assert_cmpuint (n_shown (f), ==, 1);
  gtk_editable_set_text (GTK_EDITABLE (filter), "finished");
  g_signal_emit_by_name (filter, "search-changed");
  g_assert_cmpuint (n_shown (f), ==, 4);
  gtk_editable_set_text (GTK_EDITABLE (filter), "no such words");
  g_signal_emit_by_name (filter, "search-changed");
  g_assert_cmpuint (n_shown (f), ==, 0);
}

/* How many labels below a widget end with a text. */
static unsigned
n_labels (GtkWidget *widget, const char *end)
{
  unsigned n
    = GTK_IS_LABEL (widget) && g_str_has_suffix (gtk_label_get_label (GTK_LABEL (widget)), end);

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += n_labels (child, end);
  return n;
}

static gboolean
says_update (gpointer table)
{
  return n_labels (table, " at 7") == 1;
}

/* An error of an earlier update than its run's says so; those of the run's own do not. */
static void
test_error_cell (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) rows = NULL;
  GtkWidget *table = GTK_WIDGET (f->table);

  sweep (f);
  rows = sl_run_table_get_shown (f->table);
  g_assert_cmpuint (n_labels (table, " at 7"), ==, 0);
  sl_store_set_score (f->store, sl_run_item_run (g_ptr_array_index (rows, 0))->uuid, "scored.test",
                      7);
  sl_wait (says_update, table);
}

static gboolean
press_key (GtkWidget *widget, guint key)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);
  gboolean taken = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (controllers) && !taken; i++)
    {
      g_autoptr (GObject) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_KEY (controller))
        g_signal_emit_by_name (controller, "key-pressed", key, 0, 0, &taken);
    }
  return taken;
}

static unsigned
n_selected (Fixture *f)
{
  g_autoptr (GPtrArray) selected = sl_run_table_get_selected (f->table);

  return selected->len;
}

/* The cell that has the name of a run, or NULL. */
static GtkWidget *
cell_named (GtkWidget *root, const char *name)
{
  GtkWidget *found = NULL;

  if (GTK_IS_EDITABLE_LABEL (root)
      && g_str_equal (gtk_editable_get_text (GTK_EDITABLE (root)), name))
    return gtk_widget_get_parent (gtk_widget_get_parent (root));
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = cell_named (child, name);
  return found;
}

static gboolean
on_event (GtkEventControllerLegacy *controller, GdkEvent *event, gboolean *released)
{
  *released = *released || gdk_event_get_event_type (event) == GDK_BUTTON_RELEASE;
  return GDK_EVENT_PROPAGATE;
}

static gboolean
is_released (gpointer released)
{
  return *(gboolean *) released;
}

/* Clicks on a cell with the real pointer while Ctrl is pressed. */
static void
click_with_ctrl (Fixture *f, GtkWidget *cell)
{
  GtkEventController *events = gtk_event_controller_legacy_new ();
  gboolean            released = FALSE;
  graphene_point_t    at;
  double              left, top;
  g_autofree char    *command = NULL;
  GError             *error = NULL;

  gtk_event_controller_set_propagation_phase (events, GTK_PHASE_CAPTURE);
  g_signal_connect (events, "event", G_CALLBACK (on_event), &released);
  gtk_widget_add_controller (GTK_WIDGET (f->window), events);
  gtk_native_get_surface_transform (GTK_NATIVE (f->window), &left, &top);
  g_assert_true (
    gtk_widget_compute_point (cell, GTK_WIDGET (f->window), &GRAPHENE_POINT_INIT (20, 8), &at));
  command
    = g_strdup_printf ("xdotool mousemove %.0f %.0f keydown Control_L click 1 keyup Control_L",
                       left + (double) at.x, top + (double) at.y);
  g_spawn_command_line_sync (command, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  sl_wait (is_released, &released);
  gtk_widget_remove_controller (GTK_WIDGET (f->window), events);
}

/* While something slides in above or below a table, its rows move. */
static void
wait_until_still (Fixture *f, GtkWidget *cell)
{
  enum { STILL = 20 };
  graphene_point_t at, last = { -1, -1 };

  for (unsigned still = 0; still < STILL; last = at)
    {
      sl_settle ();
      g_assert_true (
        gtk_widget_compute_point (cell, GTK_WIDGET (f->window), &GRAPHENE_POINT_INIT (0, 0), &at));
      still = graphene_point_equal (&at, &last) ? still + 1 : 0;
    }
}

/* ---- very many runs ---- */

enum { LONG = SL_MANY_CHARTED + 300, GONE = 100 };

/* Runs that are over, without samples. */
static void
add_long (SlStore *store)
{
  const SlLab *lab = sl_lab_find ("experts");
  SlLayout    *layout = g_new0 (SlLayout, 1);
  SlSettings   settings;

  sl_settings_default (&settings, lab->params, lab->n_params);
  for (unsigned i = 0; i < LONG; i++)
    {
      SlRecipe  recipe;
      SlWriter *writer;

      sl_recipe_init (&recipe, lab, &settings, NULL, LONG - i);
      writer = sl_writer_new (store, NULL, &recipe, layout, NULL, 0);
      sl_writer_status (writer, SL_RUN_FINISHED, NULL);
      sl_writer_free (writer);
      sl_recipe_clear (&recipe);
    }
  g_free (layout);
  sl_store_flush (store, NULL);
}

/* Whether the view has so many rows, those that the table shows. */
static gboolean
has_all_rows (Fixture *f, guint n)
{
  g_autoptr (GPtrArray) shown = sl_run_table_get_shown (f->table);
  GListModel *rows = G_LIST_MODEL (rows_of (f));

  if (shown->len != n || g_list_model_get_n_items (rows) != n)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GObject) row = g_list_model_get_item (rows, i);

      if ((gpointer) row != g_ptr_array_index (shown, i))
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_long (gpointer f)
{
  return has_all_rows (f, LONG);
}

static gboolean
is_shorter (gpointer f)
{
  return has_all_rows (f, LONG - GONE);
}

static gboolean
is_found (gpointer f)
{
  return has_all_rows (f, 9);
}

/* By seed, which falls from row to row as they were made. */
static gboolean
is_sorted (gpointer f)
{
  g_autoptr (GPtrArray) shown = sl_run_table_get_shown (((Fixture *) f)->table);

  for (guint i = 1; i < shown->len; i++)
    if (sl_run_item_run (shown->pdata[i])->seed <= sl_run_item_run (shown->pdata[i - 1])->seed)
      return FALSE;
  return is_shorter (f);
}

/* Pages come, what is deleted goes, line and order are followed; charts have the newest. */
static void
test_long (Fixture *f, gconstpointer data)
{
  GtkWidget     *filter = sl_find (GTK_WIDGET (f->table), GTK_TYPE_SEARCH_ENTRY);
  GtkColumnView *view = GTK_COLUMN_VIEW (sl_find (GTK_WIDGET (f->table), GTK_TYPE_COLUMN_VIEW));
  g_autoptr (GPtrArray) rows = NULL, charted = NULL;
  g_autoptr (GtkColumnViewColumn) seed
    = g_list_model_get_item (gtk_column_view_get_columns (view), 3);
  unsigned number = 0;

  add_long (f->store);
  sl_wait (is_long, f);
  rows = sl_run_table_get_shown (f->table);
  for (guint i = 0; i < LONG; i++)
    g_assert_cmpuint (sl_run_item_run (rows->pdata[i])->seed, ==, LONG - i);
  for (guint i = 0; i < GONE; i++)
    sl_store_set_deleted (f->store, sl_run_item_run (rows->pdata[7 * i])->uuid, TRUE);
  sl_wait (is_shorter, f);
  charted = sl_run_table_get_shown (f->table);
  sl_many_keep_charted (charted);
  g_assert_cmpuint (charted->len, ==, SL_MANY_CHARTED);
  for (guint i = 0; i < charted->len; i++)
    {
      g_assert_cmpuint (sl_run_item_number (charted->pdata[i]), >, number);
      number = sl_run_item_number (charted->pdata[i]);
    }
  g_assert_true (charted->pdata[SL_MANY_CHARTED - 1] == rows->pdata[LONG - 1]);

  gtk_column_view_sort_by_column (view, seed, GTK_SORT_ASCENDING);
  sl_wait (is_sorted, f);
  gtk_editable_set_text (GTK_EDITABLE (filter), "seed < 10");
  sl_wait (is_found, f);
}

/* Two runs that are not neighbours can be compared by the pointer. */
static void
test_click (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) rows = NULL;

  sweep (f);
  sl_settle ();
  rows = sl_run_table_get_shown (f->table);
  for (unsigned i = 0; i < 4; i += 2)
    {
      GtkWidget *cell
        = cell_named (GTK_WIDGET (f->table), sl_run_item_name (g_ptr_array_index (rows, i)));

      g_assert_nonnull (cell);
      wait_until_still (f, cell); /* a choice may move the rows */
      click_with_ctrl (f, gtk_widget_get_next_sibling (cell));
      g_assert_cmpuint (n_selected (f), ==, 1 + i / 2);
      g_assert_true (gtk_selection_model_is_selected (rows_of (f), i));
    }
}

/* One choice for table and charts: rows of groups, which stand for their runs, and points and bands of groups. */
static void
test_groups (Fixture *f, gconstpointer data)
{
  GtkWidget     *view = sl_find (GTK_WIDGET (f->table), GTK_TYPE_COLUMN_VIEW);
  GtkWidget     *filter = sl_find (GTK_WIDGET (f->table), GTK_TYPE_SEARCH_ENTRY);
  const SlFront *front;
  SlRunGroupRow *group;

  sweep (f);
  sl_wait (has_both_points, f);
  gtk_widget_activate_action (GTK_WIDGET (f->table), "table.group", "s", "k");
  g_assert_cmpstr (sl_run_table_get_group (f->table), ==, "k");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (rows_of (f))), ==, 6);
  group = group_at (rows_of (f), 3);
  g_assert_cmpstr (sl_run_group_row_title (group), ==, "k = 2");
  g_assert_cmpuint (sl_run_group_row_items (group)->len, ==, 2);
  sl_assert_named (GTK_WIDGET (f->page));

  /* A selected group is its runs, for the charts and for what is done with them; a run beneath is not counted twice. */
  gtk_selection_model_select_item (rows_of (f), 3, TRUE);
  g_assert_cmpuint (n_selected (f), ==, 2);
  gtk_selection_model_select_item (rows_of (f), 4, FALSE);
  g_assert_cmpuint (n_selected (f), ==, 2);
  gtk_selection_model_select_item (rows_of (f), 3, TRUE);
  sl_runs_page_update (f->page);
  front = front_of (f);
  g_assert_cmpuint (front->n, ==, 1);
  g_assert_cmpuint (front->point[0].n, ==, 2);
  g_assert_cmpfloat (front->point[0].y, ==, sl_run_group_row_means (group)->error.mean);
  g_assert_cmpfloat (front->point[0].x, ==, sl_run_group_row_means (group)->executed.mean);
  gtk_widget_activate_action (GTK_WIDGET (f->table), "table.open", NULL);
  g_assert_cmpuint (f->opened, ==, 0);

  /* Keys and activation fold it; its runs are no rows, and still shown. */
  g_assert_true (press_key (view, GDK_KEY_Left));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (rows_of (f))), ==, 4);
  g_assert_cmpuint (n_selected (f), ==, 2);
  g_assert_cmpuint (n_shown (f), ==, 4);
  g_assert_true (press_key (view, GDK_KEY_Right));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (rows_of (f))), ==, 6);
  g_signal_emit_by_name (view, "activate", 0);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (rows_of (f))), ==, 4);
  gtk_selection_model_unselect_all (rows_of (f));
  g_assert_false (press_key (view, GDK_KEY_Left));
  gtk_selection_model_select_item (rows_of (f), 2, TRUE);
  g_assert_false (press_key (view, GDK_KEY_Left));
  g_assert_cmpuint (n_selected (f), ==, 1);
  gtk_widget_activate_action (GTK_WIDGET (f->table), "table.open", NULL);
  g_assert_cmpuint (f->opened, >, 0);
  gtk_selection_model_unselect_all (rows_of (f));

  gtk_editable_set_text (GTK_EDITABLE (filter), "k = 2");
  g_signal_emit_by_name (filter, "search-changed");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (rows_of (f))), ==, 3);
  gtk_editable_set_text (GTK_EDITABLE (filter), "");
  g_signal_emit_by_name (filter, "search-changed");

  /* By seed the charts have a point and a band of each seed. */
  gtk_widget_activate_action (GTK_WIDGET (f->table), "table.group", "s", "seed");
  sl_runs_page_update (f->page);
  g_assert_cmpuint (front->n, ==, 2);
  g_assert_cmpuint (front->point[0].n, ==, 2);
  g_assert_true (g_str_has_prefix (front->point[0].title, "seed = "));
  gtk_widget_activate_action (GTK_WIDGET (f->table), "table.group", "s", "");
  g_assert_null (sl_run_table_get_group (f->table));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (rows_of (f))), ==, 4);
  sl_runs_page_update (f->page);
  g_assert_true (g_str_has_prefix (front->point[0].title, "k "));
}

/* The place of a page has the groups. */
static void
test_group_kept (Fixture *f, gconstpointer data)
{
  SlRunsPage      *other = g_object_ref_sink (g_object_new (SL_TYPE_RUNS_PAGE, NULL));
  g_autofree char *text = NULL;
  SlJsonWriter     w;
  SlJson          *place;

  gtk_widget_activate_action (GTK_WIDGET (f->table), "table.group", "s", "learning-rate");
  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_LINES);
  sl_runs_page_write_place (f->page, &w);
  sl_json_close (&w);
  text = sl_json_writer_end (&w, TRUE);
  place = sl_json_parse_object (text, strlen (text), strlen (text), "a place", NULL);
  g_assert_nonnull (place);
  sl_runs_page_read_place (other, place);
  g_assert_cmpstr (
    sl_run_table_get_group (SL_RUN_TABLE (sl_find (GTK_WIDGET (other), SL_TYPE_RUN_TABLE))), ==,
    "learning-rate");
  sl_json_free (place);
  g_object_unref (other);
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

/* By its title, or by the name behind it. */
static GtkWidget *
row_called (GtkWidget *list, const char *text)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), i)) != NULL; i++)
    {
      GtkWidget *label = gtk_widget_get_last_child (gtk_list_box_row_get_child (row));

      if (*gtk_label_get_label (GTK_LABEL (label)) == '\0')
        label = gtk_widget_get_prev_sibling (label);

      if (g_str_equal (gtk_label_get_label (GTK_LABEL (label)), text))
        return GTK_WIDGET (row);
    }
  return NULL;
}

/* Whether a list of which no row is left says so. */
static gboolean
says_none (gpointer list)
{
  GtkWidget *row = gtk_widget_get_first_child (list);

  for (; row != NULL; row = gtk_widget_get_next_sibling (row))
    if (GTK_IS_LABEL (row) && gtk_widget_get_child_visible (row))
      return g_str_equal (gtk_label_get_label (GTK_LABEL (row)), "Nothing found");
  return FALSE;
}

/* Charts are of one lab, and the number of runs says so where there are others. */
static void
test_count (void)
{
  const SlLab     *lab = sl_lab_find ("sign-estimator");
  g_autofree char *mixed = sl_many_count_text (0, 10, 10, lab, 4);
  g_autofree char *chosen = sl_many_count_text (3, 10, 10, lab, 2);
  g_autofree char *alike = sl_many_count_text (0, 4, 10, NULL, 4);

  g_assert_cmpstr (mixed, ==, "10 runs; charts: 4 of Sign estimator");
  g_assert_cmpstr (chosen, ==, "3 of 10 runs selected; charts: 2 of Sign estimator");
  g_assert_cmpstr (alike, ==, "4 of 10 runs");
}

/* The list has what differs, and words search in it. */
static void
test_group_chooser (Fixture *f, gconstpointer data)
{
  GtkWidget *chooser = sl_find (GTK_WIDGET (f->table), SL_TYPE_RUN_GROUP_CHOOSER);
  GtkWidget *button = sl_child (chooser, "button"), *names = sl_child (chooser, "names");
  GtkWidget *search = sl_child (chooser, "search");

  sweep (f);
  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  sl_wait (is_mapped, names);
  g_assert_nonnull (row_called (names, "No groups"));
  g_assert_nonnull (row_called (names, "tag"));
  g_assert_nonnull (row_called (names, "learning-rate"));
  g_assert_cmpint (gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row_called (names, "setting"))),
                   ==, 1);
  /* Nothing but the number of experts and the seed was varied. */
  g_assert_cmpint (gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row_called (names, "k"))), ==, 2);
  g_assert_cmpint (gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row_called (names, "seed"))), ==,
                   3);
  gtk_editable_set_text (GTK_EDITABLE (search), "LEARNING RATE");
  g_signal_emit_by_name (search, "search-changed");
  g_assert_false (gtk_widget_get_child_visible (row_called (names, "k")));
  g_assert_true (gtk_widget_get_child_visible (row_called (names, "learning-rate")));
  gtk_editable_set_text (GTK_EDITABLE (search), "no such name");
  g_signal_emit_by_name (search, "search-changed");
  sl_wait (says_none, names);
  gtk_editable_set_text (GTK_EDITABLE (search), "k");
  g_signal_emit_by_name (search, "search-changed");
  g_assert_false (says_none (names));
  g_signal_emit_by_name (search, "activate");
  g_assert_cmpstr (sl_run_table_get_group (f->table), ==, "k");
  g_assert_cmpstr (sl_child_text (chooser, "chosen"), ==, "k");
  sl_wait (is_unmapped, names);
  /* Escape leaves the search and its list. */
  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  sl_wait (is_mapped, names);
  g_signal_emit_by_name (search, "stop-search");
  sl_wait (is_unmapped, names);
}

static unsigned
n_groups (const SlFigure *figure, gboolean *banded)
{
  g_autoptr (GHashTable) groups = g_hash_table_new (NULL, NULL);

  *banded = figure->n_curves > 0;
  for (unsigned c = 0; c < figure->n_curves; c++)
    {
      g_hash_table_add (groups, GUINT_TO_POINTER (figure->curve[c].group));
      *banded = *banded && figure->curve[c].low != NULL;
    }
  return g_hash_table_size (groups);
}

/* Curves come as the page hears of the runs, one after the other. */
static gboolean
has_four_groups (gpointer view)
{
  gboolean banded;

  return n_groups (sl_plot_view_get_figure (view), &banded) == 4;
}

static unsigned
n_pale (const SlFigure *figure)
{
  unsigned n = 0, group = 0;

  for (unsigned c = 0; c < figure->n_curves; c++)
    if (figure->curve[c].ghost && figure->curve[c].group != group)
      {
        group = figure->curve[c].group;
        n++;
      }
  return n;
}

/* The page of several charts obeys the choice of the legend. */
static void
check_legends (Fixture *f)
{
  static const char *const places[] = { "above", "none", "apart" };
  g_autoptr (SlPrefs) prefs = sl_prefs_new ();
  g_autofree char *before = sl_prefs_get_string (prefs, "export-legend");

  gtk_widget_activate_action (GTK_WIDGET (f->page), "runs.view", "s", "front");
  sl_wait (has_both_points, f);
  for (unsigned i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/page.svg", f->folder), *svg = NULL;
      g_autofree char *beside = g_strdup_printf ("%s/page-legend.svg", f->folder);

      g_object_set (prefs, "export-legend", places[i], NULL);
      gtk_widget_activate_action (GTK_WIDGET (f->page), "runs.export-to", "s", path);
      g_assert_true (g_file_get_contents (path, &svg, NULL, NULL));
      g_assert_cmpint (strstr (svg, ">Pareto front<") != NULL, ==, i == 0);
      g_assert_cmpint (g_file_test (beside, G_FILE_TEST_EXISTS), ==, i == 2);
    }
  g_object_set (prefs, "export-legend", before, NULL);
}

/* The first row, and another one of another setting. */
static void
select_two_settings (Fixture *f, GPtrArray *rows)
{
  guint64 first = sl_run_setting_key (sl_run_item_run (g_ptr_array_index (rows, 0)));
  guint   other = 1;

  while (sl_run_setting_key (sl_run_item_run (g_ptr_array_index (rows, other))) == first)
    other++;
  gtk_selection_model_select_item (rows_of (f), 0, TRUE);
  gtk_selection_model_select_item (rows_of (f), other, FALSE);
}

static double
k_of (gpointer item)
{
  const SlStoreRun *run = sl_run_item_run (item);

  return sl_store_run_value (run,
                             (unsigned) sl_param_find (run->lab->params, run->lab->n_params, "k"))
    .v[0];
}

/* A difference is the lower row minus the upper one, however the table is sorted. */
static void
test_difference (Fixture *f, gconstpointer data)
{
  enum { SETTINGS = 2 };
  GtkColumnView *view = GTK_COLUMN_VIEW (sl_find (GTK_WIDGET (f->table), GTK_TYPE_COLUMN_VIEW));
  SlGapView     *gaps = SL_GAP_VIEW (sl_find (GTK_WIDGET (f->page), SL_TYPE_GAP_VIEW));
  g_autoptr (GtkColumnViewColumn) column
    = g_list_model_get_item (gtk_column_view_get_columns (view), SETTINGS);
  double upper[2];

  sweep (f);
  for (unsigned turn = 0; turn < 4; turn++)
    {
      g_autofree char *expected = NULL;
      g_autoptr (GPtrArray) rows = NULL;

      gtk_column_view_sort_by_column (view, column,
                                      turn % 2 ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
      sl_settle ();
      rows = sl_run_table_get_shown (f->table);
      if (turn < 2)
        select_two_settings (f, rows);
      else /* nothing is: all rows are compared */
        gtk_selection_model_unselect_all (rows_of (f));
      sl_runs_page_update (f->page);
      gtk_widget_activate_action (GTK_WIDGET (f->page), "runs.view", "s", "gaps");
      sl_runs_page_update (f->page);
      upper[turn % 2] = k_of (rows->pdata[0]);
      expected
        = g_strdup_printf ("k %g minus k %g", k_of (rows->pdata[rows->len - 1]), upper[turn % 2]);
      g_assert_cmpstr (sl_english_text (sl_gap_view_get_figure (gaps)->title), ==, expected);
    }
  g_assert_cmpfloat (upper[0], !=, upper[1]);
}

/* Curves of all runs, bands of both settings, the difference of two runs; and files. */
static void
test_views (Fixture *f, gconstpointer data)
{
  static const char *const views[] = { "front", "curves", "each", "parallel" };
  static const char *const buttons[] = { "bands", "difference" };
  SlPlotView      *curves = SL_PLOT_VIEW (sl_find (GTK_WIDGET (f->page), SL_TYPE_PLOT_VIEW));
  GtkToggleButton *toggle[2];
  g_autoptr (GPtrArray) rows = NULL;
  gboolean banded;

  sweep (f);
  for (unsigned i = 0; i < 2; i++)
    toggle[i] = GTK_TOGGLE_BUTTON (
      gtk_widget_get_template_child (GTK_WIDGET (f->page), SL_TYPE_RUNS_PAGE, buttons[i]));
  g_assert_true (gtk_toggle_button_get_active (toggle[0]));
  gtk_toggle_button_set_active (toggle[0], FALSE);
  gtk_widget_activate_action (GTK_WIDGET (f->page), "runs.view", "s", "curves");
  /* Until a thread has read them, that is said. */
  sl_runs_page_update (f->page);
  g_assert_cmpuint (sl_plot_view_get_figure (curves)->n_curves, ==, 0);
  g_assert_cmpstr (sl_plot_view_get_figure (curves)->note, ==, "The curves are being read.");
  sl_wait (has_four_groups, curves);
  g_assert_cmpstr (sl_plot_view_get_figure (curves)->note, !=, "The curves are being read.");
  g_assert_cmpuint (n_groups (sl_plot_view_get_figure (curves), &banded), ==, 4);
  g_assert_false (banded);
  gtk_toggle_button_set_active (toggle[0], TRUE);
  sl_runs_page_update (f->page);
  g_assert_cmpuint (n_groups (sl_plot_view_get_figure (curves), &banded), ==, 2);
  g_assert_true (banded);
  {
    SlFigure  *figure = sl_plot_view_get_figure (curves);
    GtkWidget *range = GTK_WIDGET (
      gtk_widget_get_template_child (GTK_WIDGET (f->page), SL_TYPE_RUNS_PAGE, "range"));
    double interval = figure->curve[0].high->value[0] - figure->curve[0].low->value[0], whole;

    g_assert_true (gtk_widget_get_sensitive (range));
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (range), TRUE);
    sl_runs_page_update (f->page);
    g_assert_cmpuint (n_groups (figure, &banded), ==, 2);
    whole = figure->curve[0].high->value[0] - figure->curve[0].low->value[0];
    /* Of two runs that are d apart: ± t d / 2, with the t of one degree of freedom. */
    g_assert_cmpfloat (whole, >, 0.0);
    g_assert_cmpfloat_with_epsilon (interval / whole, 12.7062047361747, 1e-7);
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (range), FALSE);
  }

  /* A band for each group. */
  gtk_widget_activate_action (GTK_WIDGET (f->table), "table.group", "s", "data");
  sl_runs_page_update (f->page);
  g_assert_cmpuint (n_groups (sl_plot_view_get_figure (curves), &banded), ==, 1);
  gtk_widget_activate_action (GTK_WIDGET (f->table), "table.group", "s", "");

  /* One selected run lies before the others, which are pale. */
  gtk_toggle_button_set_active (toggle[0], FALSE);
  gtk_selection_model_select_item (rows_of (f), 0, TRUE);
  sl_runs_page_update (f->page);
  g_assert_cmpuint (n_groups (sl_plot_view_get_figure (curves), &banded), ==, 4);
  g_assert_cmpuint (n_pale (sl_plot_view_get_figure (curves)), ==, 3);
  gtk_toggle_button_set_active (toggle[0], TRUE);

  rows = sl_run_table_get_shown (f->table);
  select_two_settings (f, rows);
  sl_runs_page_update (f->page);
  g_assert_true (gtk_widget_get_sensitive (GTK_WIDGET (toggle[1])));
  gtk_toggle_button_set_active (toggle[1], TRUE);
  sl_runs_page_update (f->page);
  g_assert_cmpuint (n_groups (sl_plot_view_get_figure (curves), &banded), ==, 1);
  g_assert_nonnull (strstr (sl_plot_view_get_figure (curves)->curve[0].title, "−"));
  gtk_widget_activate_action (GTK_WIDGET (f->page), "runs.view", "s", "gaps");
  sl_runs_page_update (f->page);
  {
    SlGapView *gaps = SL_GAP_VIEW (sl_find (GTK_WIDGET (f->page), SL_TYPE_GAP_VIEW));

    g_assert_cmpuint (sl_gap_view_get_figure (gaps)->categories.n, >, 1);
    g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (gaps)));
  }

  gtk_toggle_button_set_active (toggle[1], FALSE);
  gtk_selection_model_unselect_all (rows_of (f));
  for (unsigned i = 0; i < G_N_ELEMENTS (views); i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/%s.svg", f->folder, views[i]);
      g_autofree char *recipe = NULL, *svg = NULL,
                      *expected = g_strdup_printf ("Saved %s.svg", views[i]);

      gtk_widget_activate_action (GTK_WIDGET (f->page), "runs.view", "s", views[i]);
      gtk_widget_activate_action (GTK_WIDGET (f->page), "runs.export-to", "s", path);
      g_assert_cmpstr (f->said, ==, expected);
      g_assert_true (g_file_get_contents (path, &svg, NULL, NULL));
      g_assert_nonnull (strstr (svg, "moons:points=200"));
      g_assert_nonnull (strstr (svg, "varied: k"));
      recipe = sl_recipe_find (path, NULL);
      g_assert_nonnull (recipe);
      g_assert_nonnull (strstr (recipe, "\"experts\""));
      g_unlink (path);
    }
  check_legends (f);
  gtk_widget_activate_action (GTK_WIDGET (f->page), "runs.copy", NULL);
  g_assert_cmpstr (f->said, ==, "Copied as PNG and SVG");
  gtk_widget_activate_action (GTK_WIDGET (f->page), "runs.export-to", "s", "/no/such/folder/a.png");
  g_assert_nonnull (strstr (f->said, "a.png"));
}

/* Other runs in the place of those that were compared, before the page is told to compare again. */
static void
renew_all (Fixture *f)
{
  g_autoptr (GPtrArray) rows = sl_run_table_get_shown (f->table);

  for (guint i = 0; i < rows->len; i++)
    {
      SlRunItem *item = g_ptr_array_index (rows, i);

      sl_run_item_renew (item, sl_store_find (f->store, sl_run_item_run (item)->uuid, NULL));
    }
}

static gboolean
on_turn (gpointer f)
{
  renew_all (f);
  return G_SOURCE_CONTINUE;
}

static gboolean
has_two_groups (gpointer view)
{
  gboolean banded;

  return n_groups (sl_plot_view_get_figure (view), &banded) == 2 && banded;
}

/* What is drawn, hovered and exported between a change of runs and the next comparison is of runs that are still there. */
static void
test_renewed (Fixture *f, gconstpointer data)
{
  static const char *const views[] = { "front", "curves", "each", "parallel", "gaps" };
  SlPlotView *curves = SL_PLOT_VIEW (sl_find (GTK_WIDGET (f->page), SL_TYPE_PLOT_VIEW));
  guint       turn;

  sweep (f);
  gtk_widget_activate_action (GTK_WIDGET (f->page), "runs.view", "s", "curves");
  sl_runs_page_update (f->page);
  /* Before idle sources, and so before the page compares again. */
  turn = g_idle_add_full (G_PRIORITY_DEFAULT, on_turn, f, NULL);
  sl_wait (has_two_groups, curves);
  g_source_remove (turn);
  gtk_widget_activate_action (GTK_WIDGET (f->table), "table.group", "s", "k");
  for (unsigned i = 0; i < G_N_ELEMENTS (views); i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/%s", f->folder, views[i]);
      g_autofree char *svg = g_strconcat (path, ".svg", NULL);
      g_autofree char *csv = g_strconcat (path, ".csv", NULL);

      gtk_widget_activate_action (GTK_WIDGET (f->page), "runs.view", "s", views[i]);
      sl_runs_page_update (f->page);
      renew_all (f);
      gtk_widget_activate_action (GTK_WIDGET (f->page), "runs.export-to", "s", svg);
      gtk_widget_activate_action (GTK_WIDGET (f->page), "runs.export-to", "s", csv);
      gtk_widget_activate_action (GTK_WIDGET (f->page), "runs.copy", NULL);
      g_assert_true (g_file_test (svg, G_FILE_TEST_EXISTS));
      sl_settle ();
      g_unlink (svg);
      g_unlink (csv);
    }
}

static gboolean
is_two (gpointer f)
{
  return n_shown (f) == 2;
}

static gboolean
has_said (gpointer f)
{
  return ((Fixture *) f)->said != NULL;
}

static unsigned
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  unsigned n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

/* The curves of two runs that are shown: a table with columns of each, and a folder for each. */
static void
check_curves (Fixture *f)
{
  g_autofree char *table = g_build_filename (f->folder, "curves.csv", NULL);
  g_autofree char *events = g_build_filename (f->folder, "events", NULL), *text = NULL;
  g_autoptr (GPtrArray) shown = sl_run_table_get_shown (f->table);

  g_clear_pointer (&f->said, g_free);
  gtk_widget_activate_action (GTK_WIDGET (f->page), "runs.export-curves-to", "s", table);
  sl_wait (has_said, f);
  g_assert_cmpstr (f->said, ==, "Saved curves.csv");
  g_assert_true (g_file_get_contents (table, &text, NULL, NULL));
  g_assert_true (g_str_has_prefix (text, "step,"));
  *strchr (text, '\n') = '\0';
  for (guint i = 0; i < shown->len; i++)
    {
      g_autofree char *column
        = g_strdup_printf (",%s/", sl_run_item_name (g_ptr_array_index (shown, i)));

      g_assert_nonnull (strstr (text, column));
    }
  g_clear_pointer (&f->said, g_free);
  gtk_widget_activate_action (GTK_WIDGET (f->page), "runs.export-events-to", "s", events);
  sl_wait (has_said, f);
  g_assert_cmpstr (f->said, ==, "Saved events");
  g_assert_cmpuint (count_files (events), ==, shown->len);

  /* Those that are selected, where some are. */
  g_clear_pointer (&f->said, g_free);
  g_clear_pointer (&text, g_free);
  gtk_selection_model_select_item (rows_of (f), 1, TRUE);
  gtk_widget_activate_action (GTK_WIDGET (f->page), "runs.export-curves-to", "s", table);
  sl_wait (has_said, f);
  gtk_selection_model_unselect_all (rows_of (f));
  g_assert_true (g_file_get_contents (table, &text, NULL, NULL));
  *strchr (text, '\n') = '\0';
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *column
        = g_strdup_printf (",%s/", sl_run_item_name (g_ptr_array_index (shown, i)));

      g_assert_cmpint (strstr (text, column) != NULL, ==, i == 1);
    }

  /* A folder that cannot be made is a sentence. */
  g_clear_pointer (&f->said, g_free);
  gtk_widget_activate_action (GTK_WIDGET (f->page), "runs.export-events-to", "s", table);
  sl_wait (has_said, f);
  g_assert_nonnull (strstr (f->said, "curves.csv"));
  g_assert_false (g_str_has_prefix (f->said, "Saved"));
}

/* A brush leaves two of four runs in table and charts, and all of them on the axes; the table is
 * written as it is shown.  */
static void
test_brush (Fixture *f, gconstpointer data)
{
  SlParallelView  *view = SL_PARALLEL_VIEW (sl_find (GTK_WIDGET (f->page), SL_TYPE_PARALLEL_VIEW));
  SlParallel      *parallel = sl_parallel_view_get_parallel (view);
  g_autofree char *path = g_build_filename (f->folder, "table.csv", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  const SlLab *experts = sl_lab_find ("experts");

  sweep (f);
  sl_wait (has_both_points, f);
  g_assert_cmpuint (parallel->n, ==, 0); /* not in view */
  gtk_widget_activate_action (GTK_WIDGET (f->page), "runs.view", "s", "parallel");
  sl_runs_page_update (f->page);
  g_assert_cmpuint (parallel->n, ==, 4);
  g_assert_cmpstr (parallel->axis[0].title, ==,
                   experts->params[sl_param_find (experts->params, experts->n_params, "k")].title);
  sl_parallel_brush (parallel, 0, 1.5, 2.5);
  g_signal_emit_by_name (view, "brushed");
  sl_wait (is_two, f);
  gtk_widget_activate_action (GTK_WIDGET (f->page), "runs.view", "s", "front");
  sl_runs_page_update (f->page);
  g_assert_cmpuint (parallel->n, ==, 4);
  g_assert_cmpuint (selected (parallel), ==, 2);
  g_assert_cmpuint (front_of (f)->n, ==, 1);
  gtk_widget_activate_action (GTK_WIDGET (f->page), "runs.export-to", "s", path);
  g_assert_cmpstr (f->said, ==, "Saved table.csv");
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 4);
  g_assert_true (g_str_has_prefix (lines[0], "id,name,lab,"));
  g_assert_nonnull (strstr (lines[0], "outcome.error"));
  g_unlink (path);
  check_curves (f);
  gtk_widget_activate_action (GTK_WIDGET (view), "chart.unbrush", NULL);
  sl_wait (is_four, f);
}

static gboolean
says_about (gpointer label)
{
  return g_str_has_prefix (gtk_label_get_label (label), "4 runs, about ");
}

/* How long it will take is said before it starts. */
static void
test_estimate (Fixture *f, gconstpointer data)
{
  GObject *label
    = gtk_widget_get_template_child (GTK_WIDGET (f->bar), SL_TYPE_SWEEP_BAR, "estimate");

  sl_wait (says_about, label);
}

/* Without a store the page says so and starts nothing. */
static void
test_nowhere (Fixture *f, gconstpointer data)
{
  sl_runs_page_set_store (f->page, NULL);
  sl_runs_page_update (f->page);
  gtk_widget_activate_action (GTK_WIDGET (f->bar), "sweep.start", NULL);
  g_assert_false (sl_sweep_bar_is_busy (f->bar));
  g_assert_cmpuint (n_shown (f), ==, 0);
}

static void
count (unsigned *n)
{
  ++*n;
}

/* The run that was begun last has its error in the file. */
static gboolean
has_rows (gpointer table)
{
  g_autoptr (GPtrArray) rows = sl_run_table_get_shown (table);

  return rows->len > 0;
}

static gboolean
has_no_rows (gpointer table)
{
  return !has_rows (table);
}

static gboolean
has_error (gpointer session)
{
  SlStoreRun *run;
  gboolean    has;

  g_assert_true (sl_store_flush (sl_session_store (session), NULL));
  run = sl_store_find (sl_session_store (session), sl_session_uuid (session), NULL);
  has = run != NULL && isfinite (sl_store_run_score (run, "test.error"));
  if (run != NULL)
    sl_store_run_free (run);
  return has;
}

static gboolean
is_deleted (SlSession *session)
{
  SlStoreRun *run;
  gboolean    deleted;

  g_assert_true (sl_store_flush (sl_session_store (session), NULL));
  run = sl_store_find (sl_session_store (session), sl_session_uuid (session), NULL);
  deleted = run->deleted;
  sl_store_run_free (run);
  return deleted;
}

static void
delete_all (GtkWidget *table)
{
  gtk_selection_model_select_all (
    gtk_column_view_get_model (GTK_COLUMN_VIEW (sl_find (table, GTK_TYPE_COLUMN_VIEW))));
  gtk_widget_activate_action (table, "table.delete", NULL);
}

static gboolean
is_row (gpointer table, SlRunStatus status)
{
  g_autoptr (GPtrArray) rows = sl_run_table_get_shown (table);

  return rows->len == 1 && sl_run_item_run (rows->pdata[0])->status == status;
}

static gboolean
is_paused_row (gpointer table)
{
  return is_row (table, SL_RUN_PAUSED);
}

static gboolean
is_running_row (gpointer table)
{
  return is_row (table, SL_RUN_RUNNING);
}

/* In the window: the page comes and goes, the run is measured while it is there, and waits while a
 * sweep is at work.  */
static void
test_window (SlFixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "runs.sluice", NULL), *file = NULL;
  g_autoptr (GString) rows = g_string_new ("x,y,label\n");
  GtkWidget *page, *table;
  unsigned   unmapped = 0;

  f->store = sl_store_open (path, NULL);
  g_assert_nonnull (f->store);
  sl_session_set_store (f->session, f->store);
  sl_fixture_open (f);
  sl_fixture_start (f, "experts", NULL, "moons:points=200", TRUE);
  sl_wait (sl_is_running, f->session);
  page = sl_find (GTK_WIDGET (f->window), SL_TYPE_RUNS_PAGE);
  g_assert_false (gtk_widget_get_mapped (page));
  sl_act (f, "runs", NULL);
  g_assert_true (gtk_widget_get_child_visible (page));
  sl_wait (is_mapped, page);
  /* It stays while the run goes on. */
  g_signal_connect_swapped (page, "unmap", G_CALLBACK (count), &unmapped);
  sl_wait_for_step (f->session, sl_session_info (f->session)->step + 20);
  g_assert_cmpuint (unmapped, ==, 0);
  sl_wait (has_rows, sl_find (page, SL_TYPE_RUN_TABLE));
  sl_wait (has_error, f->session);

  /* What is being trained stays. */
  table = sl_find (page, SL_TYPE_RUN_TABLE);
  delete_all (table);
  g_assert_false (is_deleted (f->session));
  g_signal_emit_by_name (page, "sweeping");
  g_assert_true (sl_session_state (f->session) != SL_RUNNING);

  /* Undo of the window brings runs back, wherever the focus is; so does going on. */
  sl_wait (is_paused_row, table);
  delete_all (table);
  sl_wait (has_no_rows, table);
  sl_session_run (f->session);
  sl_wait (is_running_row, table);
  sl_session_pause (f->session);
  sl_wait (is_paused_row, table);
  delete_all (table);
  sl_wait (has_no_rows, table);
  gtk_window_set_focus (GTK_WINDOW (f->window), NULL);
  sl_act (f, "undo", NULL);
  sl_wait (has_rows, table);
  sl_act (f, "runs", NULL);
  sl_wait (is_unmapped, page);

  /* What is dropped on it is what one wants to see. */
  sl_act (f, "runs", NULL);
  sl_wait (is_mapped, page);
  for (unsigned i = 0; i < 40; i++)
    g_string_append_printf (rows, "%u,%u,%c\n", i, i % 7, i % 2 ? 'a' : 'b');
  file = g_build_filename (f->folder, "rows.csv", NULL);
  g_assert_true (g_file_set_contents (file, rows->str, -1, NULL));
  sl_window_open_file (f->window, file);
  sl_wait (is_unmapped, page);
}

/* Stores a run of a sweep of this name, which has no checkpoint. */
static void
store_in_sweep (SlStore *store, const char *title, uint64_t steps)
{
  GError        *error = NULL;
  SlSweep        sweep;
  SlDataset     *dataset;
  SlStatus       status;
  SlSweepResult *result;
  g_autoptr (GArray) jobs = NULL;

  sl_sweep_init (&sweep, sl_lab_find ("experts"));
  g_free (sweep.data);
  sweep.data = g_strdup ("moons:points=200");
  sweep.budget.steps = steps;
  g_assert_true (sl_sweep_set_seeds (&sweep, "9", &error));
  jobs = sl_sweep_expand (&sweep);
  g_assert_cmpuint (jobs->len, ==, 1);
  status = sl_source_open (sweep.data, &dataset);
  g_assert_true (sl_ok (&status));
  result
    = sl_sweep_perform (&sweep, &g_array_index (jobs, SlSweepJob, 0), NULL, dataset, NULL, NULL);
  g_assert_nonnull (result);
  sl_sweep_store (store, title, result);
  sl_sweep_result_free (result);
  sl_dataset_free (dataset);
  sl_sweep_clear (&sweep);
  g_assert_true (sl_store_flush (store, NULL));
}

static void
store_sweep (SlStore *store, uint64_t steps)
{
  store_in_sweep (store, "a sweep", steps);
}

typedef struct
{
  SlSession *session;
  uint64_t   limit;
} Limit;

static gboolean
has_limit (gpointer data)
{
  const Limit *wanted = data;

  return sl_session_info (wanted->session)->limit == wanted->limit;
}

/* The run of a sweep that the page shows, or NULL; the window's own may be there too. */
static SlRunItem *
find_swept (GtkWidget *page)
{
  g_autoptr (GPtrArray) rows
    = sl_run_table_get_shown (SL_RUN_TABLE (sl_find (page, SL_TYPE_RUN_TABLE)));

  for (guint i = 0; i < rows->len; i++)
    if (sl_run_item_run (rows->pdata[i])->sweep[0] != '\0')
      return rows->pdata[i];
  return NULL;
}

static gboolean
has_swept (gpointer page)
{
  return find_swept (page) != NULL;
}

/* The two of a sweep, and no other run. */
static gboolean
has_only_swept (gpointer page)
{
  g_autoptr (GPtrArray) rows
    = sl_run_table_get_shown (SL_RUN_TABLE (sl_find (page, SL_TYPE_RUN_TABLE)));

  for (guint i = 0; i < rows->len; i++)
    if (sl_run_item_run (rows->pdata[i])->sweep[0] == '\0')
      return FALSE;
  return rows->len == 2;
}

/* Curves of a panel that are the run's own. */
static unsigned
n_own (SlFixture *f, const char *panel)
{
  SlPlotView *view = sl_plot_grid_get_view (
    sl_window_get_grid (f->window), (unsigned) sl_lab_panel (sl_session_lab (f->session), panel));
  const SlFigure *figure = sl_plot_view_get_figure (view);
  unsigned        n = 0;

  sl_plot_view_update (view);
  for (unsigned c = 0; c < figure->n_curves; c++)
    n += !figure->curve[c].ghost && figure->curve[c].series->n > 0;
  return n;
}

static gboolean
shows_stored (gpointer fixture)
{
  return n_own (fixture, "cv") > 0 && sl_n_ghosts (fixture, "cv") == 0;
}

static gboolean
shows_ghosts (gpointer fixture)
{
  return sl_n_ghosts (fixture, "cv") > 0;
}

/* What a network without its state would have to be asked for is not there, and says so; nor is it exported. */
static void
check_no_pictures (SlFixture *f)
{
  const SlLab *lab = sl_session_lab (f->session);
  SlPlotView  *view
    = sl_plot_grid_get_view (sl_window_get_grid (f->window), (unsigned) sl_lab_panel (lab, "map"));

  g_assert_true (sl_session_shows_stored (f->session));
  for (unsigned p = 0; p < lab->n_panels; p++)
    if (!sl_panel_is_series (lab->panels[p].kind))
      g_assert_false (sl_export_has_data (f->session, p));
  g_assert_true (sl_export_has_data (f->session, (unsigned) sl_lab_panel (lab, "usage")));
  sl_plot_view_update (view);
  g_assert_true (sl_figure_empty (sl_plot_view_get_figure (view)));
  g_assert_nonnull (strstr (sl_english_text (sl_plot_view_get_figure (view)->note), "Not stored"));
}

static gboolean
has_map (gpointer fixture)
{
  SlFixture *f = fixture;

  return sl_export_has_data (f->session,
                             (unsigned) sl_lab_panel (sl_session_lab (f->session), "map"));
}

/* A figure of a run that the store has. */
static void
test_figure (SlFixture *f, gconstpointer data)
{
  enum { STEPS = 30 };
  g_autofree char *path = g_build_filename (f->folder, "runs.sluice", NULL);
  g_autofree char *figure = g_build_filename (f->folder, "figure.svg", NULL);
  unsigned         generation;

  f->store = sl_store_open (path, NULL);
  g_assert_nonnull (f->store);
  sl_fixture_open (f);
  sl_window_set_store (f->window, f->store, NULL);
  sl_fixture_start (f, "experts", NULL, "moons:points=200", FALSE);
  sl_wait (sl_is_paused, f->session);
  sl_act (f, "limit", g_variant_new_uint64 (STEPS));
  sl_act (f, "run", NULL);
  sl_wait_for_step (f->session, STEPS);
  sl_act (f, "export-to", g_variant_new_string (figure));
  generation = sl_session_generation (f->session);
  sl_act (f, "reseed", NULL);
  sl_wait_for_run (f->session, generation);
  generation = sl_session_generation (f->session);
  sl_act (f, "restore", g_variant_new_string (figure));
  sl_wait_for_run (f->session, generation);
  sl_wait (shows_stored, f);
  g_assert_cmpuint (sl_session_seed (f->session), ==, 7);
  g_assert_cmpuint (sl_session_info (f->session)->step, ==, 0);
  g_assert_cmpint (sl_session_state (f->session), ==, SL_PAUSED);
}

static gboolean
shows_list (gpointer window)
{
  return sl_stage_shows_list (sl_window_stage (window));
}

static SlRunTable *
table_of (gpointer page)
{
  return SL_RUN_TABLE (sl_find (page, SL_TYPE_RUN_TABLE));
}

static guint
n_rows (gpointer page)
{
  g_autoptr (GPtrArray) rows = sl_run_table_get_shown (table_of (page));

  return rows->len;
}

static gboolean
has_four_rows (gpointer page)
{
  return n_rows (page) == 4;
}

static gboolean
has_two_rows (gpointer page)
{
  return n_rows (page) == 2;
}

/* Whether the rows are the runs of a file. */
static gboolean
are_of (gpointer page, const char *file)
{
  g_autoptr (SlStore) store = sl_store_open_to_read (file, NULL);
  g_autoptr (GPtrArray) rows = sl_run_table_get_shown (table_of (page));
  gboolean all = TRUE;

  for (guint i = 0; i < rows->len; i++)
    {
      g_autoptr (SlStoreRun) run
        = sl_store_find (store, sl_run_item_run (rows->pdata[i])->uuid, NULL);

      all = all && run != NULL;
    }
  return all;
}

static const char *
scope_named (GtkDropDown *scope, guint at)
{
  return gtk_string_list_get_string (GTK_STRING_LIST (gtk_drop_down_get_model (scope)), at);
}

/* A file of several runs opens as their list, those of all its sweeps and no other, and begins nothing. */
static void
test_file_of_runs (SlFixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "runs.sluice", NULL);
  g_autofree char *file = g_build_filename (f->folder, "many.sluice", NULL);
  g_autoptr (SlStore) many = sl_store_open (file, NULL);
  GtkDropDown *scope;
  GtkWidget   *page;
  unsigned     generation, n;

  f->store = sl_store_open (path, NULL);
  store_in_sweep (f->store, "one of the window's own", 10);
  store_in_sweep (f->store, "one of the window's own", 15);
  store_in_sweep (many, "a sweep", 20);
  store_in_sweep (many, "another sweep", 30);
  sl_fixture_open (f);
  sl_window_set_store (f->window, f->store, NULL);
  sl_fixture_start (f, "sign-estimator", NULL, "moons:points=200", FALSE);
  sl_wait (sl_is_paused, f->session);
  generation = sl_session_generation (f->session);
  g_clear_object (&many);
  sl_window_open_file (f->window, file);
  sl_wait (shows_list, f->window);
  page = sl_find (GTK_WIDGET (f->window), SL_TYPE_RUNS_PAGE);
  sl_wait (has_only_swept, page);
  g_assert_cmpuint (sl_session_generation (f->session), ==, generation);
  g_assert_true (sl_session_lab (f->session) == sl_lab_find ("sign-estimator"));

  scope = GTK_DROP_DOWN (sl_child (page, "scope"));
  n = g_list_model_get_n_items (gtk_drop_down_get_model (scope));
  g_assert_cmpstr (scope_named (scope, gtk_drop_down_get_selected (scope)), ==,
                   "many.sluice, 2 runs");
  g_assert_true (are_of (page, file));
  gtk_drop_down_set_selected (scope, 0);
  sl_wait (has_four_rows, page);
  /* A sweep has its own item still. */
  gtk_drop_down_set_selected (scope, n - 1);
  sl_wait (has_two_rows, page);
  g_assert_false (are_of (page, file));

  /* Opened again it has one item still, and runs that are there already count, too. */
  sl_window_open_file (f->window, file);
  sl_wait (has_only_swept, page);
  while (!are_of (page, file))
    sl_settle ();
  g_assert_cmpuint (g_list_model_get_n_items (gtk_drop_down_get_model (scope)), ==, n);
  g_assert_cmpstr (scope_named (scope, gtk_drop_down_get_selected (scope)), ==,
                   "many.sluice, 2 runs");
}

static gboolean
has_one_row (gpointer page)
{
  return n_rows (page) == 1;
}

static gboolean
says_thirty (gpointer line)
{
  return g_str_has_suffix (sl_child_text (line, "step"), " 30");
}

static gboolean
is_stored (gpointer session)
{
  return sl_session_shows_stored (session);
}

/* A file of one run without a state: the window says what was stored, its last scores and update, and the run that
 * could make it again is not among the runs.  */
static void
test_one_run (SlFixture *f, gconstpointer data)
{
  enum { STEPS = 30 };
  g_autofree char *path = g_build_filename (f->folder, "runs.sluice", NULL);
  g_autofree char *file = g_build_filename (f->folder, "one.sluice", NULL);
  g_autoptr (SlStore) one = sl_store_open (file, NULL);
  g_autoptr (GPtrArray) stored = NULL, rows = NULL;
  GtkWidget      *page;
  const SlSeries *valid;
  const SlRecord *record;
  SlStoreErrors   errors;

  f->store = sl_store_open (path, NULL);
  store_sweep (one, STEPS);
  stored = sl_store_list (one, NULL, FALSE, NULL);
  g_assert_cmpuint (stored->len, ==, 1);
  g_clear_object (&one);
  sl_fixture_open (f);
  sl_window_set_store (f->window, f->store, NULL);
  sl_fixture_start (f, "sign-estimator", NULL, "moons:points=200", FALSE);
  sl_wait (sl_is_paused, f->session);
  sl_window_open_file (f->window, file);
  sl_wait (is_stored, f->session);
  sl_wait (says_thirty, sl_find (GTK_WIDGET (f->window), SL_TYPE_STATUS_LINE));
  record = sl_session_record (f->session);
  valid = &record->series[sl_layout_find (&record->layout, record->lab->valid)];
  sl_store_run_errors (stored->pdata[0], &errors);
  g_assert_cmpuint ((unsigned) valid->step[valid->n - 1], ==, STEPS);
  g_assert_cmpfloat_with_epsilon (valid->value[valid->n - 1], errors.valid, 1e-4);

  /* The session has a run of its own in the store. */
  g_assert_cmpuint (sl_session_info (f->session)->step, ==, 0);
  g_assert_true (sl_store_flush (f->store, NULL));
  sl_act (f, "runs", NULL);
  page = sl_find (GTK_WIDGET (f->window), SL_TYPE_RUNS_PAGE);
  sl_wait (has_one_row, page);
  sl_settle ();
  rows = sl_run_table_get_shown (table_of (page));
  g_assert_cmpuint (rows->len, ==, 1);
  g_assert_cmpuint (sl_run_item_run (rows->pdata[0])->step, ==, STEPS);
}

/* A run that is made again ends where it ended; the limit from before is that of what comes after. */
static void
test_made_again (SlFixture *f, gconstpointer data)
{
  enum { STEPS = 30, LIMIT = 1000000 };
  g_autofree char *path = g_build_filename (f->folder, "runs.sluice", NULL);
  GtkWidget       *page;
  GObject         *banner;
  unsigned         generation;

  f->store = sl_store_open (path, NULL);
  g_assert_nonnull (f->store);
  store_sweep (f->store, STEPS);
  sl_fixture_open (f);
  sl_window_set_store (f->window, f->store, NULL);
  sl_fixture_start (f, "sign-estimator", NULL, "moons:points=200", FALSE);
  sl_wait (sl_is_paused, f->session);
  sl_act (f, "limit", g_variant_new_uint64 (LIMIT));
  sl_wait (has_limit, &(Limit) { f->session, LIMIT });
  sl_act (f, "runs", NULL);
  page = sl_find (GTK_WIDGET (f->window), SL_TYPE_RUNS_PAGE);
  sl_wait (has_swept, page);
  generation = sl_session_generation (f->session);
  g_signal_emit_by_name (page, "open", find_swept (page));
  sl_wait_for_run (f->session, generation);
  /* Its curves are there, and it trains when it is asked to. */
  sl_wait (shows_stored, f);
  g_assert_cmpint (sl_session_state (f->session), ==, SL_PAUSED);
  g_assert_cmpuint (sl_session_info (f->session)->step, ==, 0);
  check_no_pictures (f);
  banner = gtk_widget_get_template_child (GTK_WIDGET (f->window), SL_TYPE_WINDOW, "untrained");
  g_assert_nonnull (strstr (sl_child_text (banner, "text"), "30 updates"));
  g_signal_emit_by_name (sl_child (banner, "first"), "clicked");
  sl_wait_for_step (f->session, STEPS);
  sl_wait (has_limit, &(Limit) { f->session, LIMIT });
  g_assert_cmpuint (sl_session_info (f->session)->step, ==, STEPS);
  g_assert_cmpuint (sl_session_seed (f->session), ==, 9);
  g_assert_false (sl_session_shows_stored (f->session));
  sl_wait (shows_ghosts, f);
  sl_wait (has_map, f);

  sl_act (f, "run", NULL);
  sl_wait_for_step (f->session, STEPS + 10);
  generation = sl_session_generation (f->session);
  sl_act (f, "reseed", NULL);
  sl_wait_for_run (f->session, generation);
  sl_wait_for_step (f->session, STEPS + 10);
  g_assert_true (has_limit (&(Limit) { f->session, LIMIT }));
}

/* The button of a run that shows its stored curves. */
static void
train (SlFixture *f)
{
  GObject *banner;

  sl_wait (shows_stored, f);
  banner = gtk_widget_get_template_child (GTK_WIDGET (f->window), SL_TYPE_WINDOW, "untrained");
  g_signal_emit_by_name (sl_child (banner, "first"), "clicked");
}

/* A page and its parts, for the helpers above. */
static void
find_parts (Fixture *f, SlRunsPage *page)
{
  *f = (Fixture) { .page = page };
  f->table = SL_RUN_TABLE (sl_find (GTK_WIDGET (page), SL_TYPE_RUN_TABLE));
  f->bar = SL_SWEEP_BAR (sl_find (GTK_WIDGET (page), SL_TYPE_SWEEP_BAR));
}

/* As somebody does who wants to know what a parameter buys: the page, a sweep, a click on a point of
 * its front, the chart as files; and when the file is opened again everything is there.  */
static void
test_walk (SlFixture *f, gconstpointer data)
{
  static const char *const names[] = { "front.svg", "front.png" };
  g_autofree char         *path = g_build_filename (f->folder, "runs.sluice", NULL);
  g_autoptr (GPtrArray) runs = NULL;
  Fixture    walk, later;
  GtkWidget *view;
  SlStore   *again;
  GtkWindow *window;
  double     x[2], y[2];
  unsigned   generation;

  f->store = sl_store_open (path, NULL);
  g_assert_nonnull (f->store);
  sl_fixture_open (f);
  sl_window_set_store (f->window, f->store, NULL);
  sl_fixture_start (f, "experts", NULL, "moons:points=200", TRUE);
  sl_wait (sl_is_running, f->session);
  sl_act (f, "runs", NULL);
  find_parts (&walk, SL_RUNS_PAGE (sl_find (GTK_WIDGET (f->window), SL_TYPE_RUNS_PAGE)));
  sl_wait (is_mapped, walk.page);
  g_signal_connect_swapped (walk.bar, "ended", G_CALLBACK (on_ended), &walk);
  type (&walk, 0, "1,2");
  type (&walk, 2, "1-2");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (sl_child (walk.bar, "steps")), 20);
  gtk_widget_activate_action (GTK_WIDGET (walk.bar), "sweep.start", NULL);
  g_assert_true (sl_sweep_bar_is_busy (walk.bar));
  sl_wait (is_swept, &walk);
  sl_wait (has_both_points, &walk);
  for (unsigned i = 0; i < 2; i++)
    {
      x[i] = front_of (&walk)->point[i].x;
      y[i] = front_of (&walk)->point[i].y;
    }
  for (unsigned i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *file = g_build_filename (f->folder, names[i], NULL);

      gtk_widget_activate_action (GTK_WIDGET (walk.page), "runs.export-to", "s", file);
      g_assert_true (g_file_test (file, G_FILE_TEST_IS_REGULAR));
    }

  view = sl_find (GTK_WIDGET (walk.page), SL_TYPE_FRONT_VIEW);
  generation = sl_session_generation (f->session);
  g_assert_true (sl_press (view, GDK_KEY_Right, 0));
  g_assert_true (sl_press (view, GDK_KEY_Return, 0));
  sl_wait_for_run (f->session, generation);
  sl_wait (is_unmapped, walk.page);
  train (f);
  sl_wait_for_step (f->session, 20);
  /* The point stands for two runs; the first that was ready. */
  g_assert_cmpuint (sl_session_seed (f->session), >=, 1);
  g_assert_cmpuint (sl_session_seed (f->session), <=, 2);
  sl_store_flush (f->store, NULL);

  /* The window's own has its place among them, too: only the sweep is compared. */
  runs = sl_store_list (f->store, NULL, FALSE, NULL);
  for (guint i = 0; i < runs->len; i++)
    if (((SlStoreRun *) runs->pdata[i])->sweep[0] == '\0')
      sl_store_set_deleted (f->store, ((SlStoreRun *) runs->pdata[i])->uuid, TRUE);
  g_assert_true (sl_store_flush (f->store, NULL));

  again = sl_store_open (path, NULL);
  g_assert_nonnull (again);
  find_parts (&later, g_object_new (SL_TYPE_RUNS_PAGE, NULL));
  window = sl_show (GTK_WIDGET (later.page), 1000, 700);
  sl_runs_page_set_store (later.page, again);
  sl_wait (has_both_points, &later);
  for (unsigned i = 0; i < 2; i++)
    g_assert_true (front_of (&later)->point[i].x == x[i] && front_of (&later)->point[i].y == y[i]);
  put_away (window);
  sl_wait (sl_is_alone, again);
  g_assert_finalize_object (again);
}

/* The bar begins with the lab's own sweep; for another model with values around those of now. */
static void
test_begins (Fixture *f, gconstpointer data)
{
  static const char *const models[] = { NULL, "24-16" };

  for (unsigned i = 0; i < G_N_ELEMENTS (models); i++)
    {
      const SlLab     *lab = sl_lab_find ("sign-estimator"), *other = sl_lab_find ("experts");
      g_autofree char *axis = NULL;
      SlSettings       settings;

      sl_settings_default (&settings, lab->params, lab->n_params);
      if (models[i] != NULL)
        sl_settings_set (&settings, lab->params, lab->n_params, "hidden", models[i]);
      sl_settings_settle (&settings, lab->params, lab->n_params);
      sl_runs_page_set_base (f->page, lab, &settings, "moons:points=200");
      axis = g_strdup_printf ("rank=%s", typed (f, 0));
      g_assert_cmpint (strcmp (axis, lab->sweeps[0].axes) == 0, ==, models[i] == NULL);
      g_assert_true (strlen (typed (f, 0)) > 0);
      if (models[i] == NULL)
        g_assert_cmpstr (typed (f, 2), ==, lab->sweeps[0].seeds);
      sl_settings_default (&settings, other->params, other->n_params);
      sl_settings_settle (&settings, other->params, other->n_params);
      sl_runs_page_set_base (f->page, other, &settings, "moons:points=200");
    }
}

/* So many rows, from the first, are those of the list. */
static guint
common_rows (GListModel *rows, GListModel *list)
{
  guint i = 0, n = MIN (g_list_model_get_n_items (rows), g_list_model_get_n_items (list));

  for (gboolean same = TRUE; same && i < n; i += same)
    {
      g_autoptr (GObject) a = g_list_model_get_item (rows, i), b = g_list_model_get_item (list, i);

      same = a == b;
    }
  return i;
}

static gboolean
follows (gpointer data)
{
  GListModel **lists = data;
  guint        n = g_list_model_get_n_items (lists[1]);

  return g_list_model_get_n_items (lists[0]) == n && common_rows (lists[0], lists[1]) == n;
}

static void
replace (GListStore *list, guint at, guint removed, guint added, SlRunRows *rows, guint first)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < added; i++)
    g_ptr_array_add (items, gtk_string_object_new ("run"));
  g_list_store_splice (list, at, removed, items->pdata, added);
  sl_run_rows_follow (rows, G_LIST_MODEL (list), at, removed, added, first);
}

/* The first rows follow at once, the others by and by, whatever happens in between. */
static void
test_rows (void)
{
  g_autoptr (GListStore) list = g_list_store_new (GTK_TYPE_STRING_OBJECT);
  g_autoptr (SlRunRows) rows = sl_run_rows_new (GTK_TYPE_STRING_OBJECT);
  GListModel *both[] = { sl_run_rows_list (rows), G_LIST_MODEL (list) };

  replace (list, 0, 0, 1000, rows, 10);
  g_assert_cmpuint (g_list_model_get_n_items (both[0]), ==, 10);
  g_assert_cmpuint (common_rows (both[0], both[1]), ==, 10);
  sl_wait (follows, both);
  replace (list, 0, 1000, 300, rows, 20);
  g_assert_cmpuint (common_rows (both[0], both[1]), ==, 20);
  replace (list, 5, 1, 2, rows, 20); /* before the others are there */
  g_assert_cmpuint (common_rows (both[0], both[1]), ==, 20);
  sl_wait (follows, both);
  replace (list, 100, 3, 5, rows, 20);
  g_assert_true (follows (both));
  replace (list, 0, 303, 400, rows, G_MAXUINT);
  g_assert_true (follows (both));
  replace (list, 0, 400, 0, rows, 20);
  sl_wait (follows, both);
  g_assert_cmpuint (g_list_model_get_n_items (both[0]), ==, 0);
}

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
  g_test_add_func ("/runs/front-view", test_front_view);
  g_test_add_func ("/runs/parallel-view", test_parallel_view);
  g_test_add_func ("/runs/rows", test_rows);
  g_test_add_func ("/runs/at-hand", test_at_hand);
  g_test_add_func ("/runs/data-sets", test_data_sets);
  g_test_add_func ("/runs/grouped", test_grouped);
  g_test_add_func ("/runs/values", test_values);
  g_test_add_func ("/runs/count", test_count);
  g_test_add ("/runs/begins", Fixture, NULL, set_up, test_begins, tear_down);
  g_test_add ("/runs/estimate", Fixture, NULL, set_up, test_estimate, tear_down);
  g_test_add ("/runs/sweep", Fixture, NULL, set_up, test_sweep, tear_down);
  g_test_add ("/runs/short-sweep", Fixture, NULL, set_up, test_short_sweep, tear_down);
  g_test_add ("/runs/scope-stays", Fixture, NULL, set_up, test_scope_stays, tear_down);
  g_test_add ("/runs/base", Fixture, NULL, set_up, test_base, tear_down);
  g_test_add ("/runs/steady", Fixture, NULL, set_up, test_steady, tear_down);
  g_test_add ("/runs/mistaken", Fixture, NULL, set_up, test_mistaken, tear_down);
  g_test_add ("/runs/filled", Fixture, NULL, set_up, test_filled, tear_down);
  g_test_add ("/runs/titles", Fixture, NULL, set_up, test_titles, tear_down);
  g_test_add ("/runs/table", Fixture, NULL, set_up, test_table, tear_down);
  g_test_add ("/runs/error-cell", Fixture, NULL, set_up, test_error_cell, tear_down);
  g_test_add ("/runs/long", Fixture, NULL, set_up, test_long, tear_down);
  g_test_add ("/runs/click", Fixture, NULL, set_up, test_click, tear_down);
  g_test_add ("/runs/groups", Fixture, NULL, set_up, test_groups, tear_down);
  g_test_add ("/runs/group-kept", Fixture, NULL, set_up, test_group_kept, tear_down);
  g_test_add ("/runs/group-chooser", Fixture, NULL, set_up, test_group_chooser, tear_down);
  g_test_add ("/runs/views", Fixture, NULL, set_up, test_views, tear_down);
  g_test_add ("/runs/difference", Fixture, NULL, set_up, test_difference, tear_down);
  g_test_add ("/runs/renewed", Fixture, NULL, set_up, test_renewed, tear_down);
  g_test_add ("/runs/brush", Fixture, NULL, set_up, test_brush, tear_down);
  g_test_add ("/runs/nowhere", Fixture, NULL, set_up, test_nowhere, tear_down);
  g_test_add ("/runs/made-again", SlFixture, NULL, sl_fixture_begin, test_made_again,
              sl_fixture_end);
  g_test_add ("/runs/file-of-runs", SlFixture, NULL, sl_fixture_begin, test_file_of_runs,
              sl_fixture_end);
  g_test_add ("/runs/one-run", SlFixture, NULL, sl_fixture_begin, test_one_run, sl_fixture_end);
  g_test_add ("/runs/figure", SlFixture, NULL, sl_fixture_begin, test_figure, sl_fixture_end);
  g_test_add ("/runs/walk", SlFixture, NULL, sl_fixture_begin, test_walk, sl_fixture_end);
  g_test_add ("/runs/window", SlFixture, NULL, sl_fixture_begin, test_window, sl_fixture_end);
  return g_test_run ();
}
