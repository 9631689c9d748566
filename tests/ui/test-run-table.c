/* SPDX-License-Identifier: MIT
 *
 * Runs of one setting as rows of the table, and what the page says where there is nothing to show, on made runs in a
 * store.  */
#include <math.h>

#include "core/labs/registry.h"
#include "core/run/query/setting.h"
#include "core/run/store/writer.h"
#include "tests/support/folder.h"
#include "tests/ui/made-item.h"
#include "tests/ui/ui.h"
#include "ui/charts/front-view.h"
#include "ui/kit/type-size.h"
#include "ui/runs/list/grouped.h"
#include "ui/runs/page.h"
#include "ui/runs/set.h"
#include "ui/runs/table/table.h"
#include "ui/sweep/bar.h"

/* ---- rows ---- */

enum { FEW = 15, MANY = 40, TURNS = 12 };

static GListStore *
random_list (unsigned n, int values)
{
  static const char *const sweeps[] = { "", "one", "other" };
  GListStore              *list = g_list_store_new (SL_TYPE_RUN_ITEM);

  for (unsigned i = 0; i < n; i++)
    {
      g_autofree char *words = g_strdup_printf ("k=%d gate=%s", g_test_rand_int_range (1, values),
                                                g_test_rand_bit () ? "bias" : "noisy");
      g_autoptr (SlRunItem) item
        = made_item_on (g_test_rand_bit () ? "moons" : "spirals", "experts", words, i + 1,
                        g_test_rand_double_range (1, 90));

      ((SlStoreRun *) sl_run_item_run (item))->seed = i + 1;
      ((SlStoreRun *) sl_run_item_run (item))->sweep = sweeps[g_test_rand_int_range (0, 3)];
      ((SlStoreRun *) sl_run_item_run (item))->cell = (unsigned) g_test_rand_int_range (0, 9);
      g_list_store_append (list, item);
    }
  return list;
}

/* A set of all runs of a list, as the charts have it. */
static void
set_of (GListModel *list, SlRunSet *set)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    g_ptr_array_add (items, g_list_model_get_item (list, i));
  sl_run_set_init (set, items, NULL, NULL);
}

/* The point of charts that a run belongs to. */
static guint
point_of (const SlRunSet *set, SlRunItem *item)
{
  for (guint i = 0; i < set->trade.runs->len; i++)
    if (sl_run_set_item (set, i) == item)
      return sl_trade_run (&set->trade, i)->point;
  g_assert_not_reached ();
}

/* Each run is one row, beneath the row of its group where the charts have another run of the same key, else by itself;
 * groups are where the first run of their sweep is, in the order of the sweep.  */
static void
check_place (GHashTable *sweeps, SlRunItem *first, SlRunItem **before)
{
  const SlStoreRun *run = sl_run_item_run (first), *last;

  if (*before != NULL)
    {
      last = sl_run_item_run (*before);
      if (run->sweep[0] != '\0' && g_str_equal (run->sweep, last->sweep))
        g_assert_true (last->cell < run->cell
                       || (last->cell == run->cell
                           && sl_run_item_number (*before) < sl_run_item_number (first)));
      else
        g_assert_true (run->sweep[0] == '\0' || g_hash_table_add (sweeps, (gpointer) run->sweep));
    }
  else if (run->sweep[0] != '\0')
    g_hash_table_add (sweeps, (gpointer) run->sweep);
  *before = first;
}

static void
check_rows (GListModel *list, GListModel *rows)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  SlRunGroupRow *group = NULL;
  guint          left = 0;
  SlRunItem     *before = NULL;
  g_autoptr (GHashTable) sweeps = g_hash_table_new (g_str_hash, g_str_equal);
  SlRunSet set;

  set_of (list, &set);
  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (GObject) row = g_list_model_get_item (rows, i);
      guint alike = 0;

      if (SL_IS_RUN_GROUP_ROW (row))
        {
          g_assert_cmpuint (left, ==, 0);
          group = SL_RUN_GROUP_ROW (row);
          left = sl_run_group_row_items (group)->len;
          g_assert_cmpuint (left, >=, 2);
          continue;
        }
      g_assert_true (g_hash_table_add (seen, row));
      for (guint k = 0; k < set.items->len; k++)
        alike += sl_trade_run (&set.trade, k)->point == point_of (&set, SL_RUN_ITEM (row));
      if (sl_run_grouped_has_groups (SL_RUN_GROUPED (rows))
          && (left == 0 || left == sl_run_group_row_items (group)->len))
        check_place (sweeps, SL_RUN_ITEM (row), &before);
      if (left == 0)
        {
          g_assert_cmpuint (alike, ==, 1);
          continue;
        }
      g_assert_cmpuint (alike, ==, sl_run_group_row_items (group)->len);
      g_assert_true (g_ptr_array_find (sl_run_group_row_items (group), row, NULL));
      left--;
    }
  g_assert_cmpuint (left, ==, 0);
  g_assert_cmpuint (g_hash_table_size (seen), ==, g_list_model_get_n_items (list));
  sl_run_set_clear (&set);
}

static void
test_settings (void)
{
  for (unsigned turn = 0; turn < TURNS; turn++)
    {
      g_autoptr (GListStore) list
        = random_list ((unsigned) g_test_rand_int_range (1, MANY), g_test_rand_int_range (2, 40));
      g_autoptr (SlRunGrouped) rows = sl_run_grouped_new (G_LIST_MODEL (list), NULL);

      sl_run_grouped_set (rows, SL_FIELD_SETTING);
      sl_run_grouped_fold (rows, NULL, FALSE);
      check_rows (G_LIST_MODEL (list), G_LIST_MODEL (rows));
      /* As runs go, some are left alone. */
      while (g_list_model_get_n_items (G_LIST_MODEL (list)) > 0)
        {
          g_list_store_remove (list, (guint) g_test_rand_int_range (
                                       0, (int) g_list_model_get_n_items (G_LIST_MODEL (list))));
          check_rows (G_LIST_MODEL (list), G_LIST_MODEL (rows));
        }
      g_assert_false (sl_run_grouped_has_groups (rows));
    }
}

/* Many runs are folded at first, few are not, whatever groups them; what stands alone is as without groups. */
static void
test_folds (void)
{
  for (unsigned turn = 0; turn < 3; turn++)
    {
      g_autoptr (GListStore) all = g_list_store_new (SL_TYPE_RUN_ITEM);
      g_autoptr (SlRunGrouped) rows = NULL;
      unsigned n = turn == 1 ? FEW + 1 : FEW;

      for (unsigned i = 0; i < n; i++)
        {
          g_autofree char *words = g_strdup_printf ("k=%u", turn == 2 ? i + 1 : 1);
          g_autoptr (SlRunItem) item = made_item ("experts", words, i + 1, 10);

          g_list_store_append (all, item);
        }
      rows = sl_run_grouped_new (G_LIST_MODEL (all), NULL);
      sl_run_grouped_set (rows, SL_FIELD_SETTING);
      g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (rows)), ==,
                        turn == 0   ? FEW + 1
                        : turn == 1 ? 1
                                    : FEW);
      g_assert_cmpint (sl_run_grouped_has_groups (rows), ==, turn < 2);
      sl_run_grouped_set (rows, "k");
      g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (rows)), ==,
                        turn == 0   ? FEW + 1
                        : turn == 1 ? 1
                                    : 2 * FEW);
    }
}

/* ---- the page ---- */

enum { GATES = 2, KS = 3, SEEDS = 2, RUNS = GATES * KS * SEEDS };

typedef struct
{
  char       *folder, *path;
  SlStore    *store;
  SlRunsPage *page;
  GtkWindow  *window;
  SlRunTable *table;
} Fixture;

static void
set_base (SlRunsPage *page, const SlLab *lab, const char *data)
{
  SlSettings settings;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_settings_settle (&settings, lab->params, lab->n_params);
  sl_runs_page_set_base (page, lab, &settings, data);
}

/* One sweep over gates and k; the errors fall with k and are spread over the seeds. */
static void
add_runs (SlStore *store, const char *sweep)
{
  static const char *const gates[GATES] = { "noisy", "bias" };
  const SlLab             *lab = sl_lab_find ("experts");
  SlLayout                *layout = g_new0 (SlLayout, 1);

  for (unsigned i = 0; i < RUNS; i++)
    {
      unsigned         seed = i % SEEDS, k = i / SEEDS % KS, gate = i / SEEDS / KS;
      g_autofree char *words = g_strdup_printf ("gate=%s k=%u", gates[gate], 1 << k);
      SlSettings       settings;
      SlRecipe         recipe;
      SlWriter        *writer;

      sl_settings_default (&settings, lab->params, lab->n_params);
      g_assert_cmpint (sl_settings_set_words (&settings, lab->params, lab->n_params, words).code,
                       ==, SL_OK);
      sl_recipe_init (&recipe, lab, &settings, NULL, seed + 1);
      writer = sl_writer_new (store, NULL, &recipe, layout, sweep, i);
      sl_store_set_score (store, sl_writer_uuid (writer), "outcome.error",
                          40.0 - 10.0 * k + 3.0 * seed - gate);
      sl_store_set_score (store, sl_writer_uuid (writer), "outcome.executed", 10.0 + 20.0 * k);
      sl_writer_status (writer, SL_RUN_FINISHED, NULL);
      sl_writer_free (writer);
      sl_recipe_clear (&recipe);
    }
  g_free (layout);
  g_assert_true (sl_store_flush (store, NULL));
}

static unsigned
n_shown (Fixture *f)
{
  g_autoptr (GPtrArray) shown = sl_run_table_get_shown (f->table);

  return shown->len;
}

static void
open_page (Fixture *f, int width, int height)
{
  f->page = g_object_new (SL_TYPE_RUNS_PAGE, NULL);
  f->window = sl_show (GTK_WIDGET (f->page), width, height);
  f->table = SL_RUN_TABLE (sl_find (GTK_WIDGET (f->page), SL_TYPE_RUN_TABLE));
}

static void
set_up (Fixture *f, gconstpointer data)
{
  GError *error = NULL;

  f->folder = g_dir_make_tmp ("sluice-XXXXXX", &error);
  g_assert_no_error (error);
  f->path = g_build_filename (f->folder, "runs.sluice", NULL);
  f->store = sl_store_open (f->path, &error);
  g_assert_no_error (error);
  open_page (f, 1000, 700);
  set_base (f->page, sl_lab_find ("experts"), "moons");
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  gtk_window_destroy (f->window);
  sl_settle ();
  sl_wait (sl_is_alone, f->store);
  g_assert_finalize_object (f->store);
  sl_remove_all (f->folder);
  g_free (f->path);
  g_free (f->folder);
}

static GtkColumnView *
view_of (Fixture *f)
{
  return GTK_COLUMN_VIEW (sl_find (GTK_WIDGET (f->table), GTK_TYPE_COLUMN_VIEW));
}

static GtkSelectionModel *
rows_of (Fixture *f)
{
  return gtk_column_view_get_model (view_of (f));
}

static unsigned
n_rows (Fixture *f)
{
  return g_list_model_get_n_items (G_LIST_MODEL (rows_of (f)));
}

/* The last rows come in idle moments: those of all groups and runs. */
static gboolean
is_loaded (gpointer f)
{
  return n_shown (f) == RUNS && n_rows (f) == GATES * KS * (1 + SEEDS);
}

/* A page on a store of runs. */
static void
load (Fixture *f)
{
  add_runs (f->store, "s");
  sl_runs_page_set_store (f->page, f->store);
  sl_wait (is_loaded, f);
  sl_runs_page_update (f->page);
}

static const char *
hint_of (Fixture *f)
{
  GtkWidget *hint = sl_child (f->page, "hint");

  return gtk_widget_get_visible (gtk_widget_get_parent (hint))
           ? gtk_label_get_label (GTK_LABEL (hint))
           : "";
}

/* The button of a sentence, or NULL. */
static GtkWidget *
offer_of (GtkWidget *label)
{
  GtkWidget *button = gtk_widget_get_next_sibling (label);

  return gtk_widget_get_visible (button) ? button : NULL;
}

static void
type_filter (Fixture *f, const char *line)
{
  GtkWidget *entry = sl_find (GTK_WIDGET (f->table), GTK_TYPE_SEARCH_ENTRY);

  gtk_editable_set_text (GTK_EDITABLE (entry), line);
  g_signal_emit_by_name (entry, "search-changed");
  sl_runs_page_update (f->page);
}

static const SlFront *
front_of (Fixture *f)
{
  return sl_front_view_get_front (
    SL_FRONT_VIEW (sl_find (GTK_WIDGET (f->page), SL_TYPE_FRONT_VIEW)));
}

/* Runs of one setting are a group without being asked, in the table as in the charts; means are those of the runs. */
static void
test_default (Fixture *f, gconstpointer data)
{
  load (f);
  g_assert_cmpstr (sl_run_table_get_group (f->table), ==, SL_FIELD_SETTING);
  g_assert_null (sl_run_table_get_field (f->table));
  g_assert_cmpuint (n_rows (f), ==, GATES * KS * (1 + SEEDS));
  g_assert_cmpuint (front_of (f)->n, ==, GATES * KS);
  for (guint i = 0; i < n_rows (f); i += 1 + SEEDS)
    {
      g_autoptr (SlRunGroupRow) group = g_list_model_get_item (G_LIST_MODEL (rows_of (f)), i);
      GPtrArray *items = sl_run_group_row_items (group);
      double     sum = 0.0;

      g_assert_cmpuint (items->len, ==, SEEDS);
      for (guint k = 0; k < items->len; k++)
        {
          sum += sl_run_item_outcome (items->pdata[k])->error;
          /* The sweep's choice is said also where it is the default. */
          g_assert_true (g_str_has_prefix (sl_run_item_settings (items->pdata[k]), "gate "));
        }
      g_assert_cmpfloat_with_epsilon (sl_run_group_row_means (group)->error.mean, sum / SEEDS,
                                      1e-9);
    }
  gtk_widget_activate_action (GTK_WIDGET (f->table), "table.group", "s", "");
  g_assert_cmpuint (n_rows (f), ==, RUNS);
}

/* Mean errors of the groups rise, or fall, from row to row, and the errors of the runs beneath each. */
static void
check_sorted (Fixture *f, double sign)
{
  double group_before = -HUGE_VAL, run_before = -HUGE_VAL;

  for (guint i = 0; i < n_rows (f); i++)
    {
      g_autoptr (GObject) row = g_list_model_get_item (G_LIST_MODEL (rows_of (f)), i);
      gboolean group = SL_IS_RUN_GROUP_ROW (row);
      double   error = sign
                     * (group ? sl_run_group_row_means (SL_RUN_GROUP_ROW (row))->error.mean
                              : sl_run_item_outcome (SL_RUN_ITEM (row))->error);

      g_assert_cmpfloat (error, >=, group ? group_before : run_before);
      group_before = group ? error : group_before;
      run_before = group ? -HUGE_VAL : error;
    }
}

static void
test_sorted (Fixture *f, gconstpointer data)
{
  enum { ERROR_COLUMN = 5 };
  g_autoptr (GtkColumnViewColumn) column = NULL;

  load (f);
  column = g_list_model_get_item (gtk_column_view_get_columns (view_of (f)), ERROR_COLUMN);
  gtk_column_view_sort_by_column (view_of (f), column, GTK_SORT_ASCENDING);
  sl_settle ();
  check_sorted (f, 1.0);
  gtk_column_view_sort_by_column (view_of (f), column, GTK_SORT_DESCENDING);
  sl_settle ();
  check_sorted (f, -1.0);
}

/* Selected groups come in the order of the table, and Escape lets go of all. */
static void
test_selection (Fixture *f, gconstpointer data)
{
  GtkWidget *chart = sl_find (GTK_WIDGET (f->page), SL_TYPE_FRONT_VIEW);
  GtkWidget *unselect = sl_child (f->table, "unselect");
  g_autoptr (GPtrArray) groups = NULL, runs = NULL, none = NULL;

  load (f);
  g_assert_false (gtk_widget_get_visible (unselect));
  g_assert_false (sl_press (GTK_WIDGET (f->page), GDK_KEY_Escape, 0));
  gtk_selection_model_select_item (rows_of (f), 2 * (1 + SEEDS), FALSE);
  gtk_selection_model_select_item (rows_of (f), 0, FALSE);
  gtk_selection_model_select_item (rows_of (f), 2 + 1 + SEEDS, FALSE); /* a run */
  groups = sl_run_table_get_groups (f->table);
  g_assert_cmpuint (groups->len, ==, 2);
  for (guint g = 0; g < groups->len; g++)
    {
      g_autoptr (GObject) row
        = g_list_model_get_item (G_LIST_MODEL (rows_of (f)), g == 0 ? 0 : 2 * (1 + SEEDS));

      g_assert_true (groups->pdata[g] == (gpointer) row);
    }
  runs = sl_run_table_get_selected (f->table);
  g_assert_cmpuint (runs->len, ==, 2 * SEEDS + 1);
  g_assert_true (gtk_widget_get_visible (unselect));
  /* The chart reads nothing, and leaves the key to the page. */
  g_assert_false (sl_press (chart, GDK_KEY_Escape, 0));
  g_assert_true (sl_press (GTK_WIDGET (f->page), GDK_KEY_Escape, 0));
  none = sl_run_table_get_selected (f->table);
  g_assert_cmpuint (none->len, ==, 0);
  g_assert_false (gtk_widget_get_visible (unselect));
}

/* A line that no run passes is said in chart and table, each with a way out. */
static void
test_no_match (Fixture *f, gconstpointer data)
{
  GtkWidget *hint = sl_child (f->page, "hint"), *empty = sl_child (f->table, "empty");

  load (f);
  for (unsigned i = 0; i < 2; i++)
    {
      GtkWidget *label = i == 0 ? hint : empty;

      g_assert_cmpstr (hint_of (f), ==, "");
      type_filter (f, "error < 1");
      g_assert_cmpuint (n_shown (f), ==, 0);
      g_assert_cmpstr (hint_of (f), ==, gtk_label_get_label (GTK_LABEL (empty)));
      g_assert_true (gtk_widget_get_mapped (empty));
      g_assert_nonnull (offer_of (label));
      sl_assert_named (GTK_WIDGET (f->page));
      g_signal_emit_by_name (offer_of (label), "clicked");
      sl_runs_page_update (f->page);
      g_assert_cmpuint (n_shown (f), ==, RUNS);
      g_assert_false (gtk_widget_get_mapped (empty));
    }
}

/* What is selected, and has nothing to show, is let go of by a button. */
static void
test_nothing_selected (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) selected = NULL;

  load (f);
  gtk_widget_activate_action (GTK_WIDGET (f->page), "runs.view", "s", "each");
  gtk_selection_model_select_item (rows_of (f), 0, TRUE);
  sl_runs_page_update (f->page);
  g_assert_cmpstr (hint_of (f), !=, "");
  g_assert_nonnull (offer_of (sl_child (f->page, "hint")));
  g_signal_emit_by_name (offer_of (sl_child (f->page, "hint")), "clicked");
  sl_runs_page_update (f->page);
  selected = sl_run_table_get_selected (f->table);
  g_assert_cmpuint (selected->len, ==, 0);
  g_assert_cmpstr (hint_of (f), ==, "");
}

static gboolean
is_read (gpointer hint)
{
  Fixture *f = hint;

  sl_runs_page_update (f->page);
  return !g_str_has_prefix (gtk_label_get_label (GTK_LABEL (sl_child (f->table, "empty"))),
                            "Loading")
         && !g_str_has_prefix (hint_of (f), "Loading");
}

/* Until the store is read, nothing is said of what it has. */
static void
test_loading (Fixture *f, gconstpointer data)
{
  sl_runs_page_set_store (f->page, f->store);
  sl_runs_page_update (f->page);
  g_assert_true (g_str_has_prefix (hint_of (f), "Loading"));
  g_assert_cmpstr (gtk_label_get_label (GTK_LABEL (sl_child (f->table, "empty"))), ==, hint_of (f));
  sl_wait (is_read, f);
  g_assert_cmpstr (hint_of (f), !=, "");
}

static gboolean
shows_sweep (Fixture *f)
{
  sl_runs_page_update (f->page);
  return gtk_widget_get_visible (sl_find (GTK_WIDGET (f->page), SL_TYPE_SWEEP_BAR));
}

/* The sweep is set up just where it could start. */
static void
test_sweep_shown (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  SlStore *read_only;

  g_assert_false (shows_sweep (f));
  load (f);
  for (unsigned l = 0; sl_labs[l] != NULL; l++)
    {
      const char *source = sl_labs[l]->data == SL_NEEDS_NOTHING ? NULL : "moons";

      set_base (f->page, sl_labs[l], source);
      g_assert_cmpint (shows_sweep (f), ==, sl_lab_trains (sl_labs[l]));
      set_base (f->page, sl_labs[l], NULL);
      g_assert_cmpint (shows_sweep (f), ==, sl_lab_trains (sl_labs[l]) && source == NULL);
    }
  set_base (f->page, sl_lab_find ("experts"), "moons");
  g_assert_true (shows_sweep (f));
  read_only = sl_store_open_to_read (f->path, &error);
  g_assert_no_error (error);
  sl_runs_page_set_store (f->page, read_only);
  g_assert_false (shows_sweep (f));
  sl_runs_page_set_store (f->page, NULL);
  g_assert_false (shows_sweep (f));
  sl_wait (sl_is_alone, read_only);
  g_object_unref (read_only);
}

/* Rows of the table that are wholly in view. */
static unsigned
rows_in_view (Fixture *f)
{
  GtkWidget *view = GTK_WIDGET (view_of (f)), *list = gtk_widget_get_last_child (view);
  unsigned   n = 0;

  for (GtkWidget *row = gtk_widget_get_first_child (list); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    {
      graphene_rect_t bounds;

      if (gtk_widget_get_mapped (row)
          && gtk_widget_compute_bounds (row, gtk_widget_get_parent (view), &bounds)
          && gtk_widget_get_height (row) > 10)
        n += bounds.origin.y + bounds.size.height
             <= (float) gtk_widget_get_height (gtk_widget_get_parent (view));
    }
  return n;
}

static gboolean
has_room (gpointer data)
{
  Fixture       *f = data;
  GtkWidget     *chart = sl_find (GTK_WIDGET (f->page), SL_TYPE_FRONT_VIEW);
  GtkWidget     *scrolled = gtk_widget_get_first_child (GTK_WIDGET (f->page));
  GtkAdjustment *down = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));

  return rows_in_view (f) >= 4 && gtk_widget_get_height (chart) >= 150
         && gtk_adjustment_get_upper (down) <= gtk_adjustment_get_page_size (down);
}

/* In what a window of 800 × 600 leaves, chart and table are in view, and the sweep can be opened and started. */
static void
test_low (Fixture *f, gconstpointer data)
{
  GtkWidget *opened, *fields;

  gtk_window_destroy (f->window);
  open_page (f, 770, 521);
  set_base (f->page, sl_lab_find ("experts"), "moons");
  load (f);
  sl_wait (has_room, f);
  opened = sl_child (sl_find (GTK_WIDGET (f->page), SL_TYPE_SWEEP_BAR), "opened");
  fields = sl_child (sl_find (GTK_WIDGET (f->page), SL_TYPE_SWEEP_BAR), "values_1");
  g_assert_true (gtk_widget_get_mapped (opened));
  g_assert_false (gtk_widget_get_mapped (fields));
  sl_assert_named (GTK_WIDGET (f->page));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (opened), TRUE);
  g_assert_true (gtk_widget_get_mapped (fields));
}

/* A high window without runs has the fields, without a button; runs take their room. */
static void
test_high (Fixture *f, gconstpointer data)
{
  GtkWidget *bar = sl_find (GTK_WIDGET (f->page), SL_TYPE_SWEEP_BAR);

  sl_runs_page_set_store (f->page, f->store);
  sl_settle ();
  g_assert_true (gtk_widget_get_mapped (sl_child (bar, "values_1")));
  g_assert_false (gtk_widget_get_mapped (sl_child (bar, "opened")));
  load (f);
  sl_settle ();
  g_assert_false (gtk_widget_get_mapped (sl_child (bar, "values_1")));
  g_assert_true (gtk_widget_get_mapped (sl_child (bar, "summary")));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (sl_child (bar, "opened")), TRUE);
  g_assert_true (gtk_widget_get_mapped (sl_child (bar, "values_1")));
}

static gboolean
has_two_sweeps (gpointer f)
{
  return n_shown (f) == 2 * RUNS;
}

/* Sweeps are titled by what they vary and how many runs they have, no two alike. */
static void
test_titles (Fixture *f, gconstpointer data)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GListModel *names;

  load (f);
  add_runs (f->store, "t");
  sl_wait (has_two_sweeps, f);
  sl_settle ();
  names = gtk_drop_down_get_model (GTK_DROP_DOWN (sl_child (f->page, "scope")));
  g_assert_cmpuint (g_list_model_get_n_items (names), ==, 3);
  for (guint i = 1; i < 3; i++)
    {
      g_autoptr (GtkStringObject) name = g_list_model_get_item (names, i);
      const char *text = gtk_string_object_get_string (name);

      g_assert_nonnull (strstr (text, "gate × k, 12 runs"));
      g_assert_true (g_hash_table_add (seen, g_strdup (text)));
    }
}

typedef struct
{
  GtkColumnViewColumn *column;
  int                  width;
} Width;

static gboolean
has_width (gpointer data)
{
  const Width *wanted = data;

  return gtk_column_view_column_get_fixed_width (wanted->column) == wanted->width;
}

/* Columns grow with the letters, and are as they were when the letters are. */
static void
test_widths (Fixture *f, gconstpointer data)
{
  GtkWidget *view = sl_find (GTK_WIDGET (f->page), GTK_TYPE_COLUMN_VIEW);
  g_autoptr (GtkColumnViewColumn) name
    = g_list_model_get_item (gtk_column_view_get_columns (GTK_COLUMN_VIEW (view)), 0);
  g_autoptr (GtkCssProvider) large = gtk_css_provider_new ();
  GdkDisplay *display = gtk_widget_get_display (view);
  int         usual = gtk_column_view_column_get_fixed_width (name);
  double      size = sl_type_size_room (view);

  gtk_css_provider_load_from_data (large, "window { font-size: 200%; }", -1);
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (large),
                                              GTK_STYLE_PROVIDER_PRIORITY_USER);
  sl_settle ();
  g_assert_cmpfloat (sl_type_size_room (view), >, size);
  sl_wait (has_width, &(Width) { name, (int) lround (usual * sl_type_size_room (view) / size) });
  gtk_style_context_remove_provider_for_display (display, GTK_STYLE_PROVIDER (large));
  sl_wait (has_width, &(Width) { name, usual });
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*test) (Fixture *f, gconstpointer data);
  } tests[] = { { "default", test_default },
                { "sorted", test_sorted },
                { "selection", test_selection },
                { "no-match", test_no_match },
                { "nothing-selected", test_nothing_selected },
                { "loading", test_loading },
                { "sweep-shown", test_sweep_shown },
                { "low", test_low },
                { "high", test_high },
                { "titles", test_titles },
                { "widths", test_widths } };

  sl_ui_init (&argc, &argv);
  g_test_add_func ("/run-table/settings", test_settings);
  g_test_add_func ("/run-table/folds", test_folds);
  for (unsigned i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strdup_printf ("/run-table/%s", tests[i].path);

      g_test_add (path, Fixture, NULL, set_up, tests[i].test, tear_down);
    }
  return g_test_run ();
}
