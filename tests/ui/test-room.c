/* SPDX-License-Identifier: MIT
 *
 * For a room and for all eyes: the help, a presentation, the size of type.  */
#include <math.h>
#include <string.h>

#include "core/run/manual/manual.h"
#include "tests/ui/fixture.h"
#include "ui/help/help.h"
#include "ui/help/popover.h"
#include "ui/kit/type-size.h"

enum { LOW = 470 }; /* px: what the words of a lesson leave of a usual screen */

static void
set_up (SlFixture *f, gconstpointer data)
{
  sl_fixture_begin (f, data);
  sl_fixture_start (f, "sign-estimator", NULL, "moons:points=300", FALSE);
  sl_fixture_open (f);
  sl_type_size_follow (gtk_widget_get_display (GTK_WIDGET (f->window)), f->prefs);
  sl_wait (sl_is_loaded, f->session);
  sl_settle ();
}

static void
tear_down (SlFixture *f, gconstpointer data)
{
  g_object_set (f->prefs, "type-size", SL_TYPE_USUAL, NULL);
  sl_fixture_end (f, data);
}

static SlHelp *
help_of (SlFixture *f)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (SL_IS_HELP (window))
        return SL_HELP (window);
    }
  return NULL;
}

static void
assert_says (SlHelp *help, const char *words)
{
  GtkTextBuffer   *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (sl_child (help, "view")));
  GtkTextIter      start, end;
  g_autofree char *text = NULL;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  text = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
  if (strstr (text, words) == NULL)
    g_error ("the help does not say \"%s\" but: %s", words, text);
}

static void
assert_page (SlHelp *help, const char *page)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (GTK_LIST_BOX (sl_child (help, "list")));

  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (gtk_list_box_row_get_child (row))), ==,
                   sl_manual_title (page));
}

/* F1 shows the page of the lab; words that are looked for lead to pages that have them. */
static void
test_help (SlFixture *f, gconstpointer data)
{
  const SlLab *lab = sl_session_lab (f->session);
  SlHelp      *help;
  GtkWidget   *search;

  g_assert_null (help_of (f));
  sl_act (f, "help", NULL);
  sl_settle ();
  help = help_of (f);
  g_assert_nonnull (help);
  assert_page (help, "sign-estimator");
  for (unsigned i = 0; i < lab->n_params; i++)
    assert_says (help, lab->params[i].help);
  for (unsigned i = 0; i < lab->n_panels; i++)
    if (lab->panels[i].formula != NULL)
      assert_says (help, lab->panels[i].formula);
  sl_assert_named (GTK_WIDGET (help));

  g_action_group_activate_action (G_ACTION_GROUP (f->window), "help-page",
                                  g_variant_new_string ("costs"));
  g_assert_true (help_of (f) == help);
  assert_page (help, "costs");
  search = sl_find (GTK_WIDGET (help), GTK_TYPE_SEARCH_ENTRY);
  gtk_editable_set_text (GTK_EDITABLE (search), "Coefficient λ");
  g_signal_emit_by_name (search, "search-changed");
  assert_page (help, "prefix-tree");
  gtk_editable_set_text (GTK_EDITABLE (search), "no page has this");
  g_signal_emit_by_name (search, "search-changed");
  assert_page (help, "prefix-tree");
  g_signal_emit_by_name (search, "stop-search");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (search)), ==, "");
  g_signal_emit_by_name (search, "stop-search");
  sl_settle ();
  g_assert_null (help_of (f));
}

/* What opens behind the i of a row or a card in sight, where there was nothing before. */
static SlHelpPopover *
open_help (gpointer of)
{
  g_assert_null (sl_find (of, SL_TYPE_HELP_POPOVER));
  gtk_menu_button_popup (GTK_MENU_BUTTON (sl_child (of, "help")));
  return SL_HELP_POPOVER (sl_find (of, SL_TYPE_HELP_POPOVER));
}

static gboolean
is_mapped (gpointer widget)
{
  return gtk_widget_get_mapped (widget);
}

static gboolean
is_in_sight (GtkWidget *widget)
{
  GtkWidget      *window = GTK_WIDGET (gtk_widget_get_root (widget));
  graphene_rect_t bounds;

  return gtk_widget_get_mapped (widget) && gtk_widget_compute_bounds (widget, window, &bounds)
         && bounds.size.height > 0.0f && bounds.origin.y > 0.0f
         && bounds.origin.y + bounds.size.height < (float) gtk_widget_get_height (window);
}

/* Behind every i there are the sentences, the formula and the way to the help. */
static void
test_popovers (SlFixture *f, gconstpointer data)
{
  const SlLab *lab = sl_session_lab (f->session);
  SlParamForm *form = sl_sidebar_get_form (sl_window_get_sidebar (f->window));
  unsigned     opened = 0;

  sl_act (f, "all-settings", NULL);
  sl_wait (is_mapped, form);
  sl_settle ();
  for (unsigned i = 0; i < lab->n_params; i++)
    {
      SlParamRow    *row = sl_param_form_row (form, lab->params[i].id);
      SlHelpPopover *popover;

      if (!is_in_sight (GTK_WIDGET (row)))
        continue;
      popover = open_help (row);
      g_assert_cmpstr (sl_child_text (popover, "text"), ==, lab->params[i].help);
      g_assert_cmpstr (sl_child_text (popover, "formula"), ==,
                       lab->params[i].formula != NULL ? lab->params[i].formula : "");
      gtk_popover_popdown (GTK_POPOVER (popover));
      opened++;
    }
  sl_fixture_show_all (f);
  for (unsigned i = 0; i < lab->n_panels; i++)
    {
      SlPlotCard    *card = sl_plot_grid_get_card (sl_window_get_grid (f->window), i);
      SlHelpPopover *popover;

      if (!is_in_sight (GTK_WIDGET (card)))
        continue;
      popover = open_help (card);
      g_assert_true (g_str_has_prefix (sl_child_text (popover, "text"), lab->panels[i].help));
      gtk_popover_popdown (GTK_POPOVER (popover));
      opened++;
    }
  g_assert_cmpuint (opened, >, 3);
  sl_help_open_about (GTK_WINDOW (f->window), &lab->panels[0]);
  assert_page (help_of (f), "sign-estimator");
  sl_help_open_about (GTK_WINDOW (f->window), sl_source_find ("moons"));
  assert_page (help_of (f), "data");
  gtk_window_close (GTK_WINDOW (help_of (f)));
  sl_settle ();
}

static const SlTheme *
theme_of (SlFixture *f)
{
  SlPlotCard *card = sl_plot_grid_get_card (sl_window_get_grid (f->window), 0);

  return sl_plot_canvas_get_theme (sl_plot_view_get_canvas (sl_plot_card_get_view (card)));
}

static gboolean
row_shown (SlFixture *f, const char *id)
{
  SlParamForm *form = sl_sidebar_get_form (sl_window_get_sidebar (f->window));

  return gtk_widget_get_visible (GTK_WIDGET (sl_param_form_row (form, id)));
}

typedef struct
{
  SlFixture *f;
  double     type; /* px that labels of plots should have */
} Expected;

static gboolean
has_type (gpointer data)
{
  Expected *expected = data;

  return fabs (theme_of (expected->f)->type - expected->type) < 0.02 * expected->type;
}

typedef struct
{
  SlFixture *f;
  double     rate;
} Rate;

static gboolean
is_rate_shown (gpointer data)
{
  return row_shown (data, "learning-rate");
}

static gboolean
all_in_sight (gpointer fixture)
{
  SlPlotGrid    *grid = sl_window_get_grid (((SlFixture *) fixture)->window);
  GtkAdjustment *range
    = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (sl_child (grid, "scroller")));

  return gtk_widget_get_height (GTK_WIDGET (grid)) < LOW
         && gtk_adjustment_get_upper (range) <= gtk_adjustment_get_page_size (range);
}

/* Plots that a step of a lesson shows are in sight above its words without scrolling. */
static void
test_few (SlFixture *f, gconstpointer data)
{
  static const char *const shown[] = { "alive", "agreement", "recall", NULL };

  sl_plot_grid_set_shown (sl_window_get_grid (f->window), shown);
  gtk_window_set_default_size (GTK_WINDOW (f->window), 1280, 530);
  sl_wait (all_in_sight, f);
}

/* The session has the rate that was set. */
static gboolean
has_rate (gpointer data)
{
  Rate        *expected = data;
  SlFixture   *f = expected->f;
  const SlLab *lab = sl_session_lab (f->session);
  int          rate = sl_param_find (lab->params, lab->n_params, "learning-rate");

  return sl_session_settings (f->session)->value[rate].v[0] == expected->rate;
}

/* How much larger type is before an audience; a low window has less room for it. */
static double
presented (SlFixture *f)
{
  gboolean low = gtk_widget_has_css_class (GTK_WIDGET (f->window), "low");

  return (low ? SL_TYPE_PRESENTED_LOW : SL_TYPE_PRESENTED) / 100.0;
}

/* Large type, lines twice as thick, the projector's palette, the rows that matter; and all of it
 * back again.  */
static void
test_present (SlFixture *f, gconstpointer data)
{
  SlTheme           before = *theme_of (f);
  double            text = sl_type_size_of (GTK_WIDGET (f->window));
  const char *const spoken_of[] = { "batch", NULL };
  SlParamForm      *form = sl_sidebar_get_form (sl_window_get_sidebar (f->window));

  g_action_group_activate_action (G_ACTION_GROUP (f->window), "set",
                                  g_variant_new ("(ss)", "learning-rate", "0.001"));
  sl_wait (has_rate, &(Rate) { f, 0.001 });
  sl_act (f, "present", NULL);
  sl_wait (has_type, &(Expected) { f, presented (f) * before.type });
  g_assert_true (gtk_widget_has_css_class (GTK_WIDGET (f->window), "present"));
  g_assert_cmpfloat_with_epsilon (sl_type_size_of (GTK_WIDGET (f->window)), presented (f) * text,
                                  0.02);
  g_assert_cmpint (theme_of (f)->kind, ==,
                   before.dark ? SL_THEME_PROJECTOR_DARK : SL_THEME_PROJECTOR);
  g_assert_cmpfloat (theme_of (f)->line, >=, 1.15 * presented (f) * before.line);
  g_assert_true (row_shown (f, "rank")); /* the lab's idea */
  sl_wait (is_rate_shown, f);            /* changed */
  g_assert_false (row_shown (f, "batch"));
  sl_param_form_set_named (form, spoken_of);
  g_assert_true (row_shown (f, "batch"));
  sl_param_form_set_named (form, NULL);
  g_assert_false (row_shown (f, "batch"));
  /* Taken back, it stays under the hand. */
  g_action_group_activate_action (G_ACTION_GROUP (f->window), "set",
                                  g_variant_new ("(ss)", "learning-rate", "5e-4"));
  sl_wait (has_rate, &(Rate) { f, 5e-4 });
  g_assert_true (row_shown (f, "learning-rate"));
  sl_assert_named (GTK_WIDGET (f->window));

  sl_act (f, "restore-size", NULL);
  sl_wait (has_type, &(Expected) { f, before.type });
  g_assert_false (gtk_widget_has_css_class (GTK_WIDGET (f->window), "present"));
  g_assert_cmpint (theme_of (f)->kind, ==, before.kind);
  g_assert_true (row_shown (f, "batch"));
}

/* Ctrl+plus and its sisters, their ends, and a presentation on top of them. */
static void
test_type (SlFixture *f, gconstpointer data)
{
  SlTheme before = *theme_of (f);
  int     size, last = 0;

  sl_act (f, "type-larger", NULL);
  size = sl_prefs_get_int (f->prefs, "type-size");
  g_assert_cmpint (size, >, SL_TYPE_USUAL);
  sl_wait (has_type, &(Expected) { f, before.type * size / 100.0 });
  g_assert_cmpfloat_with_epsilon (theme_of (f)->line, before.line * size / 100.0,
                                  0.03 * before.line);
  for (unsigned i = 0; i < 40 && size != last; i++)
    {
      last = size;
      sl_act (f, "type-larger", NULL);
      size = sl_prefs_get_int (f->prefs, "type-size");
      g_assert_cmpint (size, >=, last);
    }
  g_assert_cmpint (size, ==, SL_TYPE_LARGEST);
  sl_wait (has_type, &(Expected) { f, 3.0 * before.type });
  sl_act (f, "type-usual", NULL);
  g_assert_cmpint (sl_prefs_get_int (f->prefs, "type-size"), ==, SL_TYPE_USUAL);
  for (unsigned i = 0; i < 40; i++)
    sl_act (f, "type-smaller", NULL);
  g_assert_cmpint (sl_prefs_get_int (f->prefs, "type-size"), ==, SL_TYPE_SMALLEST);
  sl_wait (has_type, &(Expected) { f, 0.5 * before.type });
  /* A size between two of the list goes on from there. */
  g_object_set (f->prefs, "type-size", 115, NULL);
  sl_act (f, "type-larger", NULL);
  g_assert_cmpint (sl_prefs_get_int (f->prefs, "type-size"), ==, 120);
  sl_act (f, "present", NULL);
  sl_wait (has_type, &(Expected) { f, 1.2 * presented (f) * before.type });
  sl_act (f, "present", NULL);
  sl_act (f, "type-usual", NULL);
  sl_wait (has_type, &(Expected) { f, before.type });
}

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
  g_test_add ("/ui/room/help", SlFixture, NULL, set_up, test_help, tear_down);
  g_test_add ("/ui/room/popovers", SlFixture, NULL, set_up, test_popovers, tear_down);
  g_test_add ("/ui/room/few", SlFixture, NULL, set_up, test_few, tear_down);
  g_test_add ("/ui/room/present", SlFixture, NULL, set_up, test_present, tear_down);
  g_test_add ("/ui/room/type", SlFixture, NULL, set_up, test_type, tear_down);
  return g_test_run ();
}
