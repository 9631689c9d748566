/* SPDX-License-Identifier: MIT
 *
 * Finding things in the window: presets, groups of panels, the search for parameters, the menu.  */
#include <string.h>

#include "tests/ui/fixture.h"
#include "ui/grid/chooser.h"
#include "ui/grid/heading.h"

static void
set_up (SlFixture *f, gconstpointer data)
{
  static const char *const few[] = { "experts", "4", "hidden", "6", NULL };
  g_autofree char         *store = NULL;
  g_autoptr (GError) error = NULL;

  sl_fixture_begin (f, data);
  store = g_build_filename (f->folder, "runs.sluice", NULL);
  f->store = sl_store_open (store, &error);
  g_assert_no_error (error);
  sl_fixture_open (f);
  sl_window_set_store (f->window, f->store, NULL);
  sl_fixture_start (f, "experts", few, "moons", TRUE);
  sl_wait (sl_is_running, f->session);
  sl_fixture_show_all (f);
}

/* ---- presets ---- */

static GtkWidget *
preset_row (SlFixture *f)
{
  return sl_child (sl_window_get_sidebar (f->window), "presets");
}

/* A preset begins a run of its settings, all of them, and is taken back as one change. */
static void
test_preset (SlFixture *f, gconstpointer data)
{
  const SlLab *lab = sl_session_lab (f->session);
  GtkListBox  *list = GTK_LIST_BOX (sl_child (preset_row (f), "list"));
  unsigned     generation = sl_session_generation (f->session);
  SlSettings   quick;
  SlStatus     status = sl_preset_settings (lab, sl_lab_preset (lab, "quick"), &quick);

  sl_act (f, "all-settings", NULL);
  sl_settle ();
  g_assert_true (sl_ok (&status));
  g_assert_cmpstr (sl_child_text (preset_row (f), "name"), ==, "Own values");
  for (int i = 0; i <= (int) sl_lab_n_presets (lab); i++)
    g_assert_nonnull (gtk_list_box_get_row_at_index (list, i));
  sl_wait_for_step (f->session, 20);
  sl_act (f, "preset", g_variant_new_string ("quick"));
  sl_wait_for_run (f->session, generation);
  g_assert_true (sl_settings_same (sl_session_settings (f->session), &quick, lab->n_params));
  g_assert_cmpstr (sl_child_text (preset_row (f), "name"), ==, "Quick");
  generation = sl_session_generation (f->session);
  sl_act (f, "undo", NULL);
  sl_wait_for_run (f->session, generation);
  g_assert_cmpfloat (sl_value (f, "experts")->v[0], ==, 4.0);
  g_assert_cmpfloat (sl_value (f, "hidden")->v[0], ==, 6.0);
  g_assert_cmpfloat (sl_value (f, "batch")->v[0], !=, 100.0);
  g_assert_cmpstr (sl_child_text (preset_row (f), "name"), ==, "Own values");
}

/* ---- panels ---- */

static SlPlotGrid *
grid_of (SlFixture *f)
{
  return sl_window_get_grid (f->window);
}

static SlPlotCard *
card_of (SlFixture *f, const char *id)
{
  return sl_plot_grid_get_card (grid_of (f), sl_fixture_panel (f, id));
}

static gboolean
shows (SlFixture *f, const char *id)
{
  return gtk_widget_get_visible (GTK_WIDGET (card_of (f, id)));
}

/* The visible heading, or card, that stands before a card; NULL for the first. */
static GtkWidget *
before (SlPlotCard *card)
{
  GtkWidget *widget = GTK_WIDGET (card);

  do
    widget = gtk_widget_get_prev_sibling (widget);
  while (widget != NULL && !gtk_widget_get_visible (widget));
  return widget;
}

static SlGroupHeading *
heading_over (SlFixture *f, const char *first)
{
  GtkWidget *widget = before (card_of (f, first));

  g_assert_true (SL_IS_GROUP_HEADING (widget));
  return SL_GROUP_HEADING (widget);
}

/* Groups have headings that fold them, and each lab keeps that; before an audience there are none. */
static void
test_groups (SlFixture *f, gconstpointer data)
{
  unsigned        generation = sl_session_generation (f->session);
  SlGroupHeading *well = heading_over (f, "error");

  g_assert_cmpstr (sl_child_text (heading_over (f, "alive"), "title"), ==, "Behaviour");
  g_assert_cmpstr (sl_child_text (well, "title"), ==, "Error");
  g_assert_cmpstr (sl_child_text (well, "count"), ==, "3");
  g_assert_true (shows (f, "error") && shows (f, "usage"));
  g_signal_emit_by_name (sl_child (well, "button"), "clicked");
  g_assert_true (!shows (f, "error") && !shows (f, "loss") && shows (f, "usage"));
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (well)));
  sl_plot_grid_set_bare (grid_of (f), TRUE);
  g_assert_true (shows (f, "error"));
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (well)));
  sl_plot_grid_set_bare (grid_of (f), FALSE);
  g_assert_false (shows (f, "error"));

  sl_act (f, "lab", g_variant_new_string ("capacity"));
  sl_wait_for_run (f->session, generation);
  sl_fixture_show_all (f);
  g_assert_true (shows (f, "transfer"));
  generation = sl_session_generation (f->session);
  sl_act (f, "lab", g_variant_new_string ("experts"));
  sl_wait_for_run (f->session, generation);
  g_assert_false (shows (f, "error"));
  sl_plot_grid_reveal (grid_of (f), (unsigned) sl_lab_panel (sl_session_lab (f->session), "loss"));
  g_assert_true (shows (f, "error") && shows (f, "loss"));
}

/* A capacity run has nothing inside a gate: there is no heading for it. */
static void
test_no_group (SlFixture *f, gconstpointer data)
{
  unsigned generation = sl_session_generation (f->session), headings = 0;

  sl_act (f, "lab", g_variant_new_string ("capacity"));
  sl_wait_for_run (f->session, generation);
  for (GtkWidget *child
       = gtk_widget_get_first_child (gtk_widget_get_parent (GTK_WIDGET (card_of (f, "spread"))));
       child != NULL; child = gtk_widget_get_next_sibling (child))
    headings += SL_IS_GROUP_HEADING (child) && gtk_widget_get_visible (child);
  g_assert_cmpuint (headings, ==, 2);
}

static void
do_with (SlFixture *f, const char *id, const char *action)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (sl_plot_card_get_view (card_of (f, id))),
                                             action, NULL));
}

/* From the menu of a panel: it goes, moves, is pinned to the top, and all of it is kept. */
static void
test_arrange (SlFixture *f, gconstpointer data)
{
  unsigned         generation = sl_session_generation (f->session);
  g_autofree char *kept = NULL;

  do_with (f, "cv", "panel.hide");
  g_assert_false (shows (f, "cv"));
  do_with (f, "alive", "panel.hide"); /* the first, before those that move */
  do_with (f, "map", "panel.up");
  g_assert_true (before (card_of (f, "usage")) == GTK_WIDGET (card_of (f, "map")));
  do_with (f, "map", "panel.up"); /* is the first: nothing happens */
  do_with (f, "map", "panel.down");
  g_assert_true (before (card_of (f, "map")) == GTK_WIDGET (card_of (f, "usage")));
  do_with (f, "map", "panel.up");
  do_with (f, "loss", "panel.pin");
  g_assert_cmpstr (sl_child_text (heading_over (f, "loss"), "title"), ==, "Pinned");
  g_assert_null (before ((SlPlotCard *) heading_over (f, "loss")));

  /* In another run, and after a look at another lab. */
  sl_act (f, "rewind", NULL);
  sl_wait_for_run (f->session, generation);
  g_assert_false (shows (f, "cv"));
  generation = sl_session_generation (f->session);
  sl_act (f, "lab", g_variant_new_string ("capacity"));
  sl_wait_for_run (f->session, generation);
  generation = sl_session_generation (f->session);
  sl_act (f, "lab", g_variant_new_string ("experts"));
  sl_wait_for_run (f->session, generation);
  g_assert_false (shows (f, "cv"));
  g_assert_true (before (card_of (f, "usage")) == GTK_WIDGET (card_of (f, "map")));
  g_assert_cmpstr (sl_child_text (heading_over (f, "loss"), "title"), ==, "Pinned");

  sl_plot_grid_arrange_as_first (grid_of (f));
  g_assert_true (shows (f, "cv"));
  g_assert_true (before (card_of (f, "map")) == GTK_WIDGET (card_of (f, "usage")));
  kept = sl_prefs_get_string (f->prefs, "panels");
  g_assert_null (strstr (kept, "experts"));
}

static gboolean
is_long (gpointer adjustment)
{
  return gtk_adjustment_get_upper (adjustment) > gtk_adjustment_get_page_size (adjustment) + 200;
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

/* Keys in the list of presets do not scroll the form around it. */
static void
test_preset_place (SlFixture *f, gconstpointer data)
{
  GtkWidget *button = sl_child (preset_row (f), "button"),
            *list = sl_child (preset_row (f), "list");
  GtkWidget      *scroller = gtk_widget_get_ancestor (button, GTK_TYPE_SCROLLED_WINDOW), *row;
  GtkAdjustment  *place = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));
  graphene_rect_t at;
  double          before;

  sl_wait (is_long, place);
  g_assert_true (gtk_widget_compute_bounds (button, scroller, &at));
  gtk_adjustment_set_value (place, gtk_adjustment_get_value (place) + at.origin.y - 100);
  sl_settle ();
  before = gtk_adjustment_get_value (place);
  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  sl_wait (is_mapped, list);
  row = gtk_widget_get_last_child (list);
  g_assert_true (gtk_widget_grab_focus (row));
  sl_settle ();
  g_assert_cmpfloat (gtk_adjustment_get_value (place), ==, before);
  g_signal_emit_by_name (list, "row-activated", row);
  sl_wait (is_unmapped, list);
  sl_settle ();
  g_assert_cmpfloat (gtk_adjustment_get_value (place), ==, before);
}

/* A preset pins the panels that tell it: those that say something under its settings, in its order. */
static void
test_preset_panels (SlFixture *f, gconstpointer data)
{
  unsigned generation = sl_session_generation (f->session);

  do_with (f, "violation", "panel.hide");
  sl_act (f, "preset", g_variant_new_string ("mend-loss"));
  sl_wait_for_run (f->session, generation);
  g_assert_cmpstr (sl_child_text (heading_over (f, "violation"), "title"), ==, "Pinned");
  g_assert_true (before (card_of (f, "error")) == GTK_WIDGET (card_of (f, "violation")));
  g_assert_true (before (card_of (f, "usage")) == GTK_WIDGET (card_of (f, "error")));
  g_assert_true (before (card_of (f, "dropped")) == GTK_WIDGET (card_of (f, "usage")));
  g_assert_false (shows (f, "bias"));

  /* What was taken off the top stays off until such a preset is chosen again. */
  do_with (f, "usage", "panel.pin");
  generation = sl_session_generation (f->session);
  sl_act (f, "preset", g_variant_new_string ("quick"));
  sl_wait_for_run (f->session, generation);
  g_assert_cmpstr (sl_child_text (heading_over (f, "violation"), "title"), ==, "Pinned");
  g_assert_cmpstr (sl_child_text (heading_over (f, "alive"), "title"), ==, "Behaviour");
}

static unsigned
count_found (GtkWidget *list)
{
  unsigned found = 0;

  for (GtkWidget *row = gtk_widget_get_first_child (list); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    found += GTK_IS_LIST_BOX_ROW (row) && gtk_widget_get_child_visible (row);
  return found;
}

static gboolean
is_one_found (gpointer list)
{
  return count_found (list) == 1;
}

/* The list of panels: searched in any words of theirs, switched, and the way to one that is hidden. */
static void
test_chooser (SlFixture *f, gconstpointer data)
{
  const SlLab    *lab = sl_session_lab (f->session);
  SlPanelChooser *chooser = sl_panel_chooser_new (GTK_WINDOW (f->window), grid_of (f), lab);
  GtkWidget      *list = sl_child (chooser, "list"), *first;

  gtk_window_present (GTK_WINDOW (chooser));
  sl_settle ();
  sl_assert_named (GTK_WIDGET (chooser));
  g_assert_cmpuint (count_found (list), ==, lab->n_panels);
  gtk_editable_set_text (GTK_EDITABLE (sl_child (chooser, "search")), "SIGMOID nothing");
  sl_settle ();
  gtk_editable_set_text (GTK_EDITABLE (sl_child (chooser, "search")), "WEIGHT penalty");
  sl_wait (is_one_found, list);
  gtk_editable_set_text (GTK_EDITABLE (sl_child (chooser, "search")), "");
  first = gtk_widget_get_first_child (list);
  while (!GTK_IS_LIST_BOX_ROW (first))
    first = gtk_widget_get_next_sibling (first);
  gtk_switch_set_active (GTK_SWITCH (sl_find (first, GTK_TYPE_SWITCH)), FALSE);
  g_assert_false (shows (f, "alive"));
  g_signal_emit_by_name (list, "row-activated", first);
  sl_settle ();
  g_assert_true (shows (f, "alive"));
}

/* ---- settings, menu and icons ---- */

/* The search for settings leaves the rows that have its words; Escape brings all of them back. */
static void
test_search (SlFixture *f, gconstpointer data)
{
  SlSidebar *sidebar = sl_window_get_sidebar (f->window);
  GtkWidget *search = sl_child (sidebar, "search");

  gtk_editable_set_text (GTK_EDITABLE (search), "LOSS weight");
  g_signal_emit_by_name (search, "search-changed");
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (sl_row (f, "w-load"))));
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (sl_row (f, "w-importance"))));
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (sl_row (f, "batch"))));
  gtk_editable_set_text (GTK_EDITABLE (search), "no such words");
  g_signal_emit_by_name (search, "search-changed");
  g_assert_true (gtk_widget_get_visible (sl_child (sidebar, "nothing")));
  g_signal_emit_by_name (search, "stop-search");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (search)), ==, "");
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (sl_row (f, "batch"))));
  g_assert_false (gtk_widget_get_visible (sl_child (sidebar, "nothing")));
}

enum { ITEM_HEIGHT = 32, SECTION_HEIGHT = 13, LOW_SCREEN = 768, HEADER = 47 };

static void
add_icons (GtkWidget *widget, GHashTable *icons)
{
  GtkIconTheme *theme = gtk_icon_theme_get_for_display (gtk_widget_get_display (widget));
  const char   *icon = GTK_IS_BUTTON (widget) ? gtk_button_get_icon_name (GTK_BUTTON (widget))
                       : GTK_IS_MENU_BUTTON (widget)
                         ? gtk_menu_button_get_icon_name (GTK_MENU_BUTTON (widget))
                         : NULL;

  if (icon != NULL)
    {
      g_assert_true (gtk_icon_theme_has_icon (theme, icon));
      g_assert_true (g_hash_table_add (icons, g_strdup (icon)));
      return;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (!GTK_IS_WINDOW_CONTROLS (child))
      add_icons (child, icons);
}

/* The buttons of the header look each like no other, and the menu has room on a low screen. */
static void
test_header (SlFixture *f, gconstpointer data)
{
  g_autoptr (GHashTable) icons = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GtkMenuButton *button = GTK_MENU_BUTTON (
    gtk_widget_get_template_child (GTK_WIDGET (f->window), SL_TYPE_WINDOW, "menu"));
  GMenuModel *menu = gtk_menu_button_get_menu_model (button);
  int         height = 0;

  add_icons (sl_find (GTK_WIDGET (f->window), ADW_TYPE_HEADER_BAR), icons);
  g_assert_cmpuint (g_hash_table_size (icons), >=, 7);
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);

      height += SECTION_HEIGHT + ITEM_HEIGHT * g_menu_model_get_n_items (section);
    }
  g_assert_cmpint (height, <, LOW_SCREEN - HEADER);
}

static gboolean
has_recent (gpointer data)
{
  SlFixture  *f = data;
  GMenuModel *menu = G_MENU_MODEL (
    gtk_widget_get_template_child (GTK_WIDGET (f->window), SL_TYPE_WINDOW, "recent"));

  return g_menu_model_get_n_items (menu) > 0;
}

/* A file that was opened is in the menu. */
static void
test_recent (SlFixture *f, gconstpointer data)
{
  f->path = g_build_filename (f->folder, "a_table.csv", NULL);
  g_assert_true (g_file_set_contents (f->path, "x,y,label\n1,2,0\n2,1,1\n", -1, NULL));
  sl_window_open_file (f->window, f->path);
  sl_wait (has_recent, f);
}

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
#define ADD(name, run) g_test_add ("/find/" name, SlFixture, NULL, set_up, run, sl_fixture_end)
  ADD ("preset", test_preset);
  ADD ("groups", test_groups);
  ADD ("no-group", test_no_group);
  ADD ("arrange", test_arrange);
  ADD ("preset-place", test_preset_place);
  ADD ("preset-panels", test_preset_panels);
  ADD ("chooser", test_chooser);
  ADD ("search", test_search);
  ADD ("header", test_header);
  ADD ("recent", test_recent);
#undef ADD
  return g_test_run ();
}
