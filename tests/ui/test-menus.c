/* SPDX-License-Identifier: MIT
 *
 * Menus are short and written in one case, in all of them; a plot's menu has what acts on its kind; and no tooltip says
 * again what can be read.  */
#include <string.h>

#include "core/labs/registry.h"
#include "tests/ui/fixture.h"

#define UI "/org/sluice/Sluice/ui/"

enum { SECTIONS = 3, ENTRIES = 6 };

/* ---- the files that have them ---- */

typedef struct
{
  const char *file;
  GArray     *sections, *entries; /* of the menus and sections that are open */
  gboolean    own;                /* the text is a label, */
  gboolean    named;              /* or another text that a control shows */
  unsigned    n_menus, n_texts;
} Reader;

static unsigned *
innermost (GArray *counts)
{
  return &g_array_index (counts, unsigned, counts->len - 1);
}

/* What is written as a name may begin a word with a capital, and so may a sentence. */
static gboolean
is_sentence_case (const char *text)
{
  static const char *const names[]
    = { "CSV", "TensorBoard", "Sluice", "Tab", "Enter", "Escape", "PNG",
        "SVG", "PDF",         "Ctrl",   "I",   "A",     "B",      "FLOP" };
  g_auto (GStrv) words = g_strsplit_set (text, " -+,", -1);

  for (unsigned i = 1; words[i] != NULL; i++)
    {
      gboolean named
        = words[i - 1][0] == '\0' || strchr (".:!?", words[i - 1][strlen (words[i - 1]) - 1]);

      for (unsigned k = 0; k < G_N_ELEMENTS (names); k++)
        named = named
                || (strlen (names[k]) == 1 ? g_str_equal (words[i], names[k])
                                           : g_str_has_prefix (words[i], names[k]));
      if (!named && g_ascii_isupper (words[i][0]))
        return FALSE;
    }
  return TRUE;
}

static void
on_start (GMarkupParseContext *context, const char *element, const char **keys, const char **values,
          gpointer data, GError **error)
{
  Reader     *reader = data;
  unsigned    none = 0;
  const char *name = NULL;

  for (unsigned i = 0; keys[i] != NULL; i++)
    if (g_str_equal (keys[i], "name"))
      name = values[i];
  reader->named = g_strcmp0 (name, "label") == 0 || g_strcmp0 (name, "title") == 0
                  || g_strcmp0 (name, "heading") == 0;
  if (reader->entries->len > 0
      && (g_str_equal (element, "item") || g_str_equal (element, "submenu")))
    ++*innermost (reader->entries);
  if (g_str_equal (element, "menu") || g_str_equal (element, "submenu"))
    {
      g_array_append_val (reader->sections, none);
      reader->n_menus++;
    }
  if (g_str_equal (element, "section"))
    {
      ++*innermost (reader->sections);
      g_array_append_val (reader->entries, none);
    }
  /* Where some hide, how many are shown is seen in a window. */
  if (g_strcmp0 (name, "hidden-when") == 0)
    --*innermost (reader->entries);
}

static void
on_end (GMarkupParseContext *context, const char *element, gpointer data, GError **error)
{
  Reader *reader = data;

  if (g_str_equal (element, "section"))
    {
      if (*innermost (reader->entries) > ENTRIES)
        g_error ("%s: a section has %u entries", reader->file, *innermost (reader->entries));
      g_array_set_size (reader->entries, reader->entries->len - 1);
    }
  if (g_str_equal (element, "menu") || g_str_equal (element, "submenu"))
    {
      if (*innermost (reader->sections) > SECTIONS)
        g_error ("%s: a menu has %u sections", reader->file, *innermost (reader->sections));
      g_array_set_size (reader->sections, reader->sections->len - 1);
    }
  reader->named = FALSE;
}

static void
on_text (GMarkupParseContext *context, const char *text, gsize length, gpointer data,
         GError **error)
{
  Reader *reader = data;

  if (!reader->named)
    return;
  reader->n_texts++;
  if (!is_sentence_case (text))
    g_error ("%s: “%s” is not in sentence case", reader->file, text);
}

static void
read_file (const char *path, Reader *totals)
{
  static const GMarkupParser parser = { on_start, on_end, on_text };
  g_autoptr (GBytes) bytes = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_autoptr (GArray) sections = g_array_new (FALSE, FALSE, sizeof (unsigned));
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (unsigned));
  Reader reader = { .file = path, .sections = sections, .entries = entries };
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, &reader, NULL);

  g_assert_nonnull (bytes);
  g_assert_true (g_markup_parse_context_parse (context, g_bytes_get_data (bytes, NULL),
                                               (gssize) g_bytes_get_size (bytes), NULL));
  totals->n_menus += reader.n_menus;
  totals->n_texts += reader.n_texts;
}

static void
read_folder (const char *folder, Reader *totals)
{
  g_auto (GStrv) names
    = g_resources_enumerate_children (folder, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  for (unsigned i = 0; names != NULL && names[i] != NULL; i++)
    {
      g_autofree char *path = g_strconcat (folder, names[i], NULL);

      if (g_str_has_suffix (path, "/"))
        read_folder (path, totals);
      else if (g_str_has_suffix (path, ".ui"))
        read_file (path, totals);
    }
}

static void
test_files (void)
{
  Reader totals = { 0 };

  g_assert_true (is_sentence_case ("Table as CSV…"));
  g_assert_true (is_sentence_case ("Two words: One"));
  g_assert_false (is_sentence_case ("Recent Files"));
  g_assert_false (is_sentence_case ("Trade-Offs"));
  read_folder (UI, &totals);
  g_assert_cmpuint (totals.n_menus, >=, 10);
  g_assert_cmpuint (totals.n_texts, >=, 100);
}

/* ---- the menu of a plot ---- */

typedef struct
{
  unsigned sections, most, smooths, resets;
} Shown;

static gboolean
is_a (GtkWidget *widget, const char *type)
{
  return g_str_equal (G_OBJECT_TYPE_NAME (widget), type);
}

static unsigned
count_entries (GtkWidget *box, Shown *shown)
{
  unsigned n = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (box); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (is_a (child, "GtkModelButton") && gtk_widget_get_visible (child))
      {
        g_autofree char *text = NULL;

        g_object_get (child, "text", &text, NULL);
        n++;
        shown->smooths += g_str_equal (text, "Smoother") || g_str_equal (text, "Less smooth");
        shown->resets += g_str_equal (text, "Reset view");
      }
    else if (GTK_IS_BOX (child) && !is_a (child, "GtkMenuSectionBox"))
      n += count_entries (child, shown);
  return n;
}

/* The sections of a menu, but for those of menus inside of it. */
static void
count_sections (GtkWidget *widget, Shown *shown)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      if (is_a (child, "GtkMenuSectionBox"))
        {
          unsigned n = count_entries (child, shown);

          shown->sections += n > 0;
          shown->most = MAX (shown->most, n);
        }
      count_sections (child, shown);
    }
}

static Shown
shown_in_menu (SlPlotView *view)
{
  Shown      shown = { 0 };
  GtkWidget *menu, *stack;

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (view), "plot.menu", NULL));
  menu = sl_find (GTK_WIDGET (view), GTK_TYPE_POPOVER_MENU);
  g_assert_nonnull (menu);
  stack = sl_find (menu, GTK_TYPE_STACK);
  g_assert_nonnull (stack);
  count_sections (gtk_stack_get_child_by_name (GTK_STACK (stack), "main"), &shown);
  sl_settle ();
  gtk_popover_popdown (GTK_POPOVER (menu));
  sl_settle ();
  return shown;
}

/* Of every kind; only what is drawn along an axis is reset, and only curves are smoothed. */
static void
check_plot (SlPlotView *view, const SlPanel *panel)
{
  SlPanelKind kind = panel->kind;
  Shown       shown = shown_in_menu (view);

  g_test_message ("%s: %u sections of up to %u", panel->id, shown.sections, shown.most);
  g_assert_cmpuint (shown.sections, >=, 2);
  g_assert_cmpuint (shown.sections, <=, SECTIONS);
  g_assert_cmpuint (shown.most, >=, 3);
  g_assert_cmpuint (shown.most, <=, ENTRIES);
  g_assert_cmpuint (shown.smooths, <=, kind == SL_SERIES ? 2 : 0);
  if (kind == SL_SERIES || kind == SL_HISTORY)
    g_assert_cmpuint (shown.resets, ==, 1);
  if (kind == SL_ALIVE || kind == SL_IMAGE || kind == SL_HEATMAP || kind == SL_MAP)
    g_assert_cmpuint (shown.resets, ==, 0);
}

static void
test_plots (void)
{
  SlPlotView *view = g_object_new (SL_TYPE_PLOT_VIEW, NULL);
  GtkWindow  *window = sl_show (GTK_WIDGET (view), 480, 300);
  bool        seen[SL_N_FIGURE_KINDS] = { false };

  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    {
      const SlLab *lab = sl_labs[i];
      SlSettings   settings;
      SlRecord     record;
      SlStatus     status;

      sl_settings_default (&settings, lab->params, lab->n_params);
      status = sl_record_init (&record, lab, &settings, 1);
      g_assert_true (sl_ok (&status));
      for (unsigned p = 0; p < lab->n_panels; p++)
        {
          if (seen[lab->panels[p].kind])
            continue;
          seen[lab->panels[p].kind] = true;
          sl_plot_view_set_panel (view, &record, p);
          check_plot (view, &lab->panels[p]);
        }
      sl_plot_view_set_panel (view, NULL, 0);
      sl_record_clear (&record);
    }
  g_assert_true (seen[SL_SERIES] && seen[SL_HEATMAP] && seen[SL_HISTORY] && seen[SL_MAP]
                 && seen[SL_ALIVE]);
  gtk_window_destroy (window);
}

/* ---- the window ---- */

static GMenuModel *
main_menu (SlFixture *f)
{
  return gtk_menu_button_get_menu_model (sl_window_child (f->window, "menu"));
}

/* As it is on every page: with lists of files and changes. */
static unsigned
count_menu (GMenuModel *menu)
{
  unsigned n = 0;

  g_assert_cmpint (g_menu_model_get_n_items (menu), <=, SECTIONS);
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);

      g_assert_nonnull (section);
      g_assert_cmpint (g_menu_model_get_n_items (section), <=, ENTRIES);
      for (int k = 0; k < g_menu_model_get_n_items (section); k++, n++)
        {
          g_autoptr (GMenuModel) inner
            = g_menu_model_get_item_link (section, k, G_MENU_LINK_SUBMENU);

          if (inner != NULL)
            n += count_menu (inner);
        }
    }
  return n;
}

static gboolean
has_edits (gpointer data)
{
  return sl_session_edits (data)->undo->len > 8;
}

static void
test_main (SlFixture *f, gconstpointer data)
{
  sl_fixture_start (f, "sign-estimator", NULL, "moons:points=300", FALSE);
  sl_fixture_open (f);
  sl_wait (sl_is_loaded, f->session);
  for (unsigned i = 0; i < 10; i++)
    {
      g_autofree char *rate = g_strdup_printf ("0.%02u", i + 1);

      sl_act (f, "set",
              g_variant_new ("(ss)", i % 2 == 0 ? "learning-rate" : "weight-decay", rate));
      sl_settle ();
    }
  sl_wait (has_edits, f->session);
  sl_settle ();
  g_assert_cmpuint (count_menu (main_menu (f)), >, 30);
}

/* ---- tooltips ---- */

/* A label inside that says, in full, what the tooltip begins with; NULL: none. */
static const char *
repeated_in (GtkWidget *widget, const char *tip)
{
  const char *said = NULL;

  if (!gtk_widget_get_mapped (widget))
    return NULL;
  if (GTK_IS_LABEL (widget)
      && !pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (widget))))
    {
      const char *text = gtk_label_get_text (GTK_LABEL (widget));
      gsize       length = strlen (text);

      if (length > 1 && strncmp (tip, text, length) == 0
          && (tip[length] == '\0' || tip[length] == '\n'))
        return text;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && said == NULL;
       child = gtk_widget_get_next_sibling (child))
    said = repeated_in (child, tip);
  return said;
}

static void
assert_tips (GtkWidget *widget)
{
  const char *tip = gtk_widget_get_tooltip_text (widget);

  if (tip != NULL && repeated_in (widget, tip) != NULL)
    g_error ("the tooltip of a %s repeats “%s”", G_OBJECT_TYPE_NAME (widget),
             repeated_in (widget, tip));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    assert_tips (child);
}

static void
test_tips (SlFixture *f, gconstpointer data)
{
  sl_fixture_start (f, "experts", NULL, "spirals:points=300", FALSE);
  sl_fixture_open (f);
  sl_wait (sl_is_loaded, f->session);
  sl_settle ();
  assert_tips (GTK_WIDGET (f->window));
  sl_fixture_show_all (f);
  sl_settle ();
  assert_tips (GTK_WIDGET (f->window));
  sl_act (f, "glance", NULL);
  sl_settle ();
  assert_tips (GTK_WIDGET (f->window));
  sl_act (f, "lesson", g_variant_new_string ("1-gate"));
  sl_settle ();
  assert_tips (GTK_WIDGET (f->window));
  sl_act (f, "lessons", NULL);
  sl_settle ();
  for (guint i = 0; i < g_list_model_get_n_items (gtk_window_get_toplevels ()); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (gtk_window_get_toplevels (), i);

      assert_tips (window);
    }
}

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
  g_test_add_func ("/ui/menus/files", test_files);
  g_test_add_func ("/ui/menus/plots", test_plots);
  g_test_add ("/ui/menus/main", SlFixture, NULL, sl_fixture_begin, test_main, sl_fixture_end);
  g_test_add ("/ui/menus/tips", SlFixture, NULL, sl_fixture_begin, test_tips, sl_fixture_end);
  return g_test_run ();
}
