/* SPDX-License-Identifier: MIT
 *
 * Keys and what they do: all of them are in the overview, and nothing else is; every action can be
 * reached without a command line.  */
#include <string.h>

#include "tests/ui/fixture.h"
#include "ui/form/rail.h"
#include "ui/kit/accels.h"

static void
set_up (SlFixture *f, gconstpointer data)
{
  sl_fixture_begin (f, data);
  sl_fixture_start (f, "sign-estimator", NULL, "moons:points=300", FALSE);
  sl_fixture_open (f);
  sl_wait (sl_is_loaded, f->session);
  sl_settle ();
}

/* A key as text, with its twins (on the number block, with and without Shift) as one. */
static char *
key_name (guint key, GdkModifierType modifiers)
{
  static const guint twins[][2] = {
    { GDK_KEY_KP_Add, GDK_KEY_plus },       { GDK_KEY_equal, GDK_KEY_plus },
    { GDK_KEY_KP_Subtract, GDK_KEY_minus }, { GDK_KEY_underscore, GDK_KEY_minus },
    { GDK_KEY_KP_Enter, GDK_KEY_Return },   { GDK_KEY_KP_0, GDK_KEY_0 },
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (twins); i++)
    if (key == twins[i][0])
      key = twins[i][1];
  return gtk_accelerator_name (gdk_keyval_to_lower (key), modifiers);
}

static void
add_accelerator (GHashTable *keys, const char *accelerator)
{
  guint           key;
  GdkModifierType modifiers;

  g_assert_true (gtk_accelerator_parse (accelerator, &key, &modifiers));
  g_hash_table_add (keys, key_name (key, modifiers));
}

/* "l <Shift>l" are two, "0...9" are ten. */
static void
add_shown (GHashTable *keys, const char *accelerators)
{
  g_auto (GStrv) words = g_strsplit (accelerators, " ", -1);

  for (char **word = words; *word != NULL; word++)
    if (strlen (*word) == 5 && strstr (*word, "...") != NULL)
      for (char c = (*word)[0]; c <= (*word)[4]; c++)
        add_accelerator (keys, (char[2]) { c, '\0' });
    else
      add_accelerator (keys, *word);
}

static GHashTable *
shown_keys (void)
{
  g_autoptr (GtkBuilder) builder
    = gtk_builder_new_from_resource ("/org/sluice/Sluice/ui/kit/shortcuts.ui");
  g_autoptr (GSList) objects = gtk_builder_get_objects (builder);
  GHashTable *keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GtkWindow  *overlay = NULL;

  for (GSList *l = objects; l != NULL; l = l->next)
    if (GTK_IS_SHORTCUTS_SHORTCUT (l->data))
      {
        g_autofree char *accelerator = NULL, *title = NULL;

        g_object_get (l->data, "accelerator", &accelerator, "title", &title, NULL);
        g_assert_nonnull (accelerator);
        g_assert_cmpstr (title, !=, "");
        add_shown (keys, accelerator);
      }
    else if (GTK_IS_SHORTCUTS_WINDOW (l->data))
      overlay = l->data;
  gtk_window_destroy (overlay);
  return keys;
}

static void
add_trigger (GHashTable *keys, GtkShortcutTrigger *trigger)
{
  if (GTK_IS_ALTERNATIVE_TRIGGER (trigger))
    {
      GtkAlternativeTrigger *both = GTK_ALTERNATIVE_TRIGGER (trigger);

      add_trigger (keys, gtk_alternative_trigger_get_first (both));
      add_trigger (keys, gtk_alternative_trigger_get_second (both));
    }
  else if (GTK_IS_KEYVAL_TRIGGER (trigger))
    g_hash_table_add (keys,
                      key_name (gtk_keyval_trigger_get_keyval (GTK_KEYVAL_TRIGGER (trigger)),
                                gtk_keyval_trigger_get_modifiers (GTK_KEYVAL_TRIGGER (trigger))));
}

/* The keys of our own widgets below a widget; those of the toolkit are everybody's. */
static void
add_bound (GHashTable *keys, GHashTable *actions, GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);
  gboolean ours = g_str_has_prefix (G_OBJECT_TYPE_NAME (widget), "Sl");

  for (guint i = 0; ours && i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      for (guint j = 0; GTK_IS_SHORTCUT_CONTROLLER (controller)
                        && j < g_list_model_get_n_items (G_LIST_MODEL (controller));
           j++)
        {
          g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), j);
          GtkShortcutAction *action = gtk_shortcut_get_action (shortcut);

          /* Tab, F10 and the like come with every window. */
          if (GTK_IS_SIGNAL_ACTION (action) || GTK_IS_NOTHING_ACTION (action))
            continue;
          if (GTK_IS_NAMED_ACTION (action))
            g_hash_table_add (
              actions, g_strdup (gtk_named_action_get_action_name (GTK_NAMED_ACTION (action))));
          else if (GTK_IS_WINDOW (widget))
            continue;
          add_trigger (keys, gtk_shortcut_get_trigger (shortcut));
        }
    }
  if (GTK_IS_ACTIONABLE (widget)
      && gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)) != NULL)
    g_hash_table_add (actions, g_strdup (gtk_actionable_get_action_name (GTK_ACTIONABLE (widget))));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    add_bound (keys, actions, child);
}

static void
add_application (GHashTable *keys, GHashTable *actions)
{
  g_autoptr (GtkApplication) application = gtk_application_new (NULL, G_APPLICATION_NON_UNIQUE);
  g_auto (GStrv) names = NULL;

  sl_accels_set (application);
  names = gtk_application_list_action_descriptions (application);
  for (char **name = names; *name != NULL; name++)
    {
      g_auto (GStrv) accels = gtk_application_get_accels_for_action (application, *name);

      g_hash_table_add (actions, g_strdup (*name));
      for (char **accel = accels; *accel != NULL; accel++)
        add_accelerator (keys, *accel);
    }
}

static char *
missing (GHashTable *from, GHashTable *in)
{
  GString       *text = g_string_new (NULL);
  GHashTableIter iter;
  gpointer       key;

  g_hash_table_iter_init (&iter, from);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (!g_hash_table_contains (in, key))
      g_string_append_printf (text, " %s", (char *) key);
  return g_string_free (text, FALSE);
}

static void
test_overview (SlFixture *f, gconstpointer data)
{
  g_autoptr (GHashTable) shown = shown_keys ();
  g_autoptr (GHashTable) bound = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) actions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *hidden = NULL, *idle = NULL;

  add_bound (bound, actions, GTK_WIDGET (f->window));
  add_application (bound, actions);
  g_assert_cmpuint (g_hash_table_size (bound), >, 40);
  hidden = missing (bound, shown);
  g_assert_cmpstr (hidden, ==, "");
  add_accelerator (bound, "F10"); /* the toolkit's */
  idle = missing (shown, bound);
  g_assert_cmpstr (idle, ==, "");
}

static void
add_menu (GHashTable *actions, GMenuModel *menu)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autofree char *action = NULL;

      if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_ACTION, "s", &action))
        g_hash_table_add (actions, g_steal_pointer (&action));
      for (const char *const *link
           = (const char *const[]) { G_MENU_LINK_SECTION, G_MENU_LINK_SUBMENU, NULL };
           *link != NULL; link++)
        {
          g_autoptr (GMenuModel) inner = g_menu_model_get_item_link (menu, i, *link);

          if (inner != NULL)
            add_menu (actions, inner);
        }
    }
}

static void
add_menus (GHashTable *actions, GtkWidget *widget)
{
  if (GTK_IS_MENU_BUTTON (widget)
      && gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (widget)) != NULL)
    add_menu (actions, gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    add_menus (actions, child);
}

/* Every action without a parameter is behind a key, a button or a menu; those with one are for
 * scripts, and for rows and sliders.  What keys, buttons and menus name is there.  */
static void
test_actions (SlFixture *f, gconstpointer data)
{
  g_autoptr (GHashTable) keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) actions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_auto (GStrv) names = g_action_group_list_actions (G_ACTION_GROUP (f->window));
  g_autoptr (GString) unreachable = g_string_new (NULL), absent = g_string_new (NULL);
  /* Halves of win.toggle; what a plot's own key, the first row of the sidebar, toasts, the menu of the list
   * of lessons and the banner of a store in trouble do.  */
  static const char *const otherwise[] = { "win.run",
                                           "win.pause",
                                           "win.copy",
                                           "win.glance",
                                           "win.undelete",
                                           "win.lesson-resume",
                                           "win.lesson-cheat-sheet",
                                           "win.class",
                                           "win.store-retry",
                                           "win.store-elsewhere" };
  GHashTableIter           iter;
  gpointer                 action;

  add_bound (keys, actions, GTK_WIDGET (f->window));
  add_application (keys, actions);
  add_menus (actions, GTK_WIDGET (f->window));
  for (unsigned i = 0; i < G_N_ELEMENTS (otherwise); i++)
    g_hash_table_add (actions, g_strdup (otherwise[i]));
  for (char **name = names; *name != NULL; name++)
    {
      g_autofree char *full = g_strconcat ("win.", *name, NULL);

      if (g_action_group_get_action_parameter_type (G_ACTION_GROUP (f->window), *name) == NULL
          && !g_hash_table_contains (actions, full))
        g_string_append_printf (unreachable, " %s", full);
    }
  g_assert_cmpstr (unreachable->str, ==, "");
  g_hash_table_iter_init (&iter, actions);
  while (g_hash_table_iter_next (&iter, &action, NULL))
    {
      g_autofree char *bare = NULL;
      g_autoptr (GVariant) target = NULL;

      if (!g_str_has_prefix (action, "win."))
        continue;
      g_assert_true (g_action_parse_detailed_name (action, &bare, &target, NULL));
      if (!g_action_group_has_action (G_ACTION_GROUP (f->window), bare + strlen ("win.")))
        g_string_append_printf (absent, " %s", bare);
    }
  g_assert_cmpstr (absent->str, ==, "");
}

/* Tab goes once into the rail, to the place that is shown, and the next one out of it. */
static void
test_rail (SlFixture *f, gconstpointer data)
{
  GtkWidget     *rail = sl_child (f->window, "rail");
  GtkListBoxRow *shown = gtk_list_box_get_selected_row (sl_rail_get_list (SL_RAIL (rail)));

  for (GtkDirectionType way = GTK_DIR_TAB_FORWARD; way <= GTK_DIR_TAB_BACKWARD; way++)
    {
      gtk_window_set_focus (GTK_WINDOW (f->window), NULL);
      g_assert_true (gtk_widget_child_focus (rail, way));
      g_assert_true (gtk_window_get_focus (GTK_WINDOW (f->window)) == GTK_WIDGET (shown));
      g_assert_false (gtk_widget_child_focus (rail, way));
    }
}

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
  g_test_add ("/ui/keys/overview", SlFixture, NULL, set_up, test_overview, sl_fixture_end);
  g_test_add ("/ui/keys/actions", SlFixture, NULL, set_up, test_actions, sl_fixture_end);
  g_test_add ("/ui/keys/rail", SlFixture, NULL, set_up, test_rail, sl_fixture_end);
  return g_test_run ();
}
