/* SPDX-License-Identifier: MIT */
#include "tests/ui/ui.h"

#include <stdlib.h>

enum { PATIENCE_S = 240, SETTLING_S = 5 };

void
sl_wait_named (const char *name, const char *place, SlCondition condition, gpointer data)
{
  gint64 end = g_get_monotonic_time () + (gint64) PATIENCE_S * G_USEC_PER_SEC;

  while (!condition (data))
    {
      if (g_get_monotonic_time () >= end)
        g_error ("%s: %s did not come within %d s, %s", g_test_get_path (), name, PATIENCE_S,
                 place);
      if (!g_main_context_iteration (NULL, FALSE))
        g_usleep (500);
    }
}

void
sl_settle (void)
{
  gint64 end = g_get_monotonic_time () + (gint64) SETTLING_S * G_USEC_PER_SEC;

  while (g_main_context_iteration (NULL, FALSE) && g_get_monotonic_time () < end)
    ;
}

gboolean
sl_is_alone (gpointer object)
{
  return g_atomic_int_get (&G_OBJECT (object)->ref_count) == 1;
}

static gboolean
matches (GtkShortcut *shortcut, guint key, GdkModifierType modifiers)
{
  GtkShortcutTrigger *trigger = gtk_shortcut_get_trigger (shortcut);

  return GTK_IS_KEYVAL_TRIGGER (trigger)
         && gtk_keyval_trigger_get_keyval (GTK_KEYVAL_TRIGGER (trigger))
              == gdk_keyval_to_lower (key)
         && gtk_keyval_trigger_get_modifiers (GTK_KEYVAL_TRIGGER (trigger)) == modifiers;
}

gboolean
sl_press (GtkWidget *widget, guint key, GdkModifierType modifiers)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      for (guint j = 0; GTK_IS_SHORTCUT_CONTROLLER (controller)
                        && j < g_list_model_get_n_items (G_LIST_MODEL (controller));
           j++)
        {
          g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), j);

          if (matches (shortcut, key, modifiers)
              && gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut),
                                               GTK_SHORTCUT_ACTION_EXCLUSIVE, widget,
                                               gtk_shortcut_get_arguments (shortcut)))
            return TRUE;
        }
    }
  return FALSE;
}

static void
on_after_paint (GdkFrameClock *clock, gpointer data)
{
  *(gboolean *) data = TRUE;
}

static gboolean
is_true (gpointer data)
{
  return *(gboolean *) data;
}

static void
wait_for_frame (GtkWidget *widget)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (widget);
  gboolean       painted = FALSE;
  gulong         id;

  id = g_signal_connect (clock, "after-paint", G_CALLBACK (on_after_paint), &painted);
  gtk_widget_queue_draw (widget);
  sl_wait (is_true, &painted);
  g_signal_handler_disconnect (clock, id);
}

GtkGesture *
sl_drag_of (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkGesture) gesture = g_list_model_get_item (controllers, i);

      if (GTK_IS_GESTURE_DRAG (gesture)
          && gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (gesture)) == GDK_BUTTON_PRIMARY)
        return gesture;
    }
  g_assert_not_reached ();
}

GtkWindow *
sl_show (GtkWidget *widget, int width, int height)
{
  GtkWidget *window = gtk_window_new ();

  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  gtk_window_set_child (GTK_WINDOW (window), widget);
  gtk_window_present (GTK_WINDOW (window));
  wait_for_frame (window);
  return GTK_WINDOW (window);
}

gpointer
sl_window_of (GType type)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      if (g_type_is_a (G_OBJECT_TYPE (window), type))
        return window;
    }
  return NULL;
}

GtkWidget *
sl_find (GtkWidget *root, GType type)
{
  GtkWidget *found = NULL;

  if (g_type_is_a (G_OBJECT_TYPE (root), type))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = sl_find (child, type);
  return found;
}

GtkWidget *
sl_child (gpointer widget, const char *id)
{
  GObject *child = gtk_widget_get_template_child (widget, G_OBJECT_TYPE (widget), id);

  g_assert_nonnull (child);
  return GTK_WIDGET (child);
}

const char *
sl_child_text (gpointer widget, const char *id)
{
  return gtk_label_get_text (GTK_LABEL (sl_child (widget, id)));
}

const char *
sl_readout (gpointer widget)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_has_css_class (child, "readout"))
      return gtk_widget_get_visible (child) ? gtk_label_get_text (GTK_LABEL (child)) : "";
  g_assert_not_reached ();
}

GtkWidget *
sl_control (gpointer row)
{
  return gtk_widget_get_first_child (sl_child (row, "slot"));
}

char *
sl_description (gpointer widget)
{
  /* It hands the value out when it is another one. */
  return gtk_test_accessible_check_property (widget, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "\1");
}

/* A control that takes its name from its own text needs no label. */
static gboolean
has_text (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget))
    return *gtk_label_get_text (GTK_LABEL (widget)) != '\0';
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (has_text (child))
      return TRUE;
  return FALSE;
}

static gboolean
is_control (GtkWidget *widget)
{
  return GTK_IS_BUTTON (widget) || GTK_IS_MENU_BUTTON (widget) || GTK_IS_RANGE (widget)
         || GTK_IS_SPIN_BUTTON (widget) || GTK_IS_ENTRY (widget) || GTK_IS_SWITCH (widget)
         || GTK_IS_DROP_DOWN (widget) || GTK_IS_LIST_BOX_ROW (widget)
         || gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (widget)) == GTK_ACCESSIBLE_ROLE_IMG;
}

void
sl_assert_named (GtkWidget *root)
{
  /* The parts of a spin button, menu button, drop-down or title bar are GTK's own affair. */
  gboolean whole = GTK_IS_SPIN_BUTTON (root) || GTK_IS_MENU_BUTTON (root) || GTK_IS_DROP_DOWN (root)
                   || GTK_IS_WINDOW_CONTROLS (root) || GTK_IS_SCROLLBAR (root);

  if (!gtk_widget_get_visible (root) || !gtk_widget_get_child_visible (root))
    return;
  if (is_control (root) && !GTK_IS_IMAGE (root) && !GTK_IS_SCROLLBAR (root)
      && !gtk_test_accessible_has_property (GTK_ACCESSIBLE (root), GTK_ACCESSIBLE_PROPERTY_LABEL)
      && !has_text (root))
    g_error ("%s in %s has no name", G_OBJECT_TYPE_NAME (root),
             G_OBJECT_TYPE_NAME (gtk_widget_get_parent (root)));
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && !whole;
       child = gtk_widget_get_next_sibling (child))
    sl_assert_named (child);
}

/* A widget's render node exists only between its paint and its next change, so it is taken in
 * the frame clock's after-paint.  */
typedef struct
{
  GtkWidget     *widget;
  GskRenderNode *node;
  int            width, height;
} Shot;

static void
on_shot (GdkFrameClock *clock, gpointer data)
{
  Shot         *shot = data;
  GdkPaintable *paintable = gtk_widget_paintable_new (shot->widget);
  GtkSnapshot  *snapshot = gtk_snapshot_new ();

  g_clear_pointer (&shot->node, gsk_render_node_unref);
  shot->width = gdk_paintable_get_intrinsic_width (paintable);
  shot->height = gdk_paintable_get_intrinsic_height (paintable);
  gdk_paintable_snapshot (paintable, GDK_SNAPSHOT (snapshot), shot->width, shot->height);
  shot->node = gtk_snapshot_free_to_node (snapshot);
  if (shot->node == NULL)
    gtk_widget_queue_draw (shot->widget);
  g_object_unref (paintable);
}

static gboolean
is_shot (gpointer data)
{
  return ((Shot *) data)->node != NULL;
}

guchar *
sl_draw (GtkWidget *widget, int *width, int *height)
{
  Shot           shot = { .widget = widget };
  GdkFrameClock *clock = gtk_widget_get_frame_clock (widget);
  gulong         id = g_signal_connect (clock, "after-paint", G_CALLBACK (on_shot), &shot);
  g_autoptr (GdkTexture) texture = NULL;
  g_autofree guchar *pixels = NULL;

  gtk_widget_queue_draw (widget);
  sl_wait (is_shot, &shot);
  g_signal_handler_disconnect (clock, id);
  texture = gsk_renderer_render_texture (
    gtk_native_get_renderer (gtk_widget_get_native (widget)), shot.node,
    &GRAPHENE_RECT_INIT (0, 0, (float) shot.width, (float) shot.height));
  gsk_render_node_unref (shot.node);
  pixels = g_malloc ((gsize) shot.width * (gsize) shot.height * 4);
  gdk_texture_download (texture, pixels, (gsize) shot.width * 4);
  *width = shot.width;
  *height = shot.height;
  return g_steal_pointer (&pixels);
}

unsigned
sl_drawn_pixels (GtkWidget *widget)
{
  int                width, height;
  g_autofree guchar *pixels = sl_draw (widget, &width, &height);
  unsigned           different = 0;

  for (gsize i = 4; i < (gsize) width * (gsize) height * 4; i += 4)
    different += abs (pixels[i] - pixels[0]) + abs (pixels[i + 1] - pixels[1])
                   + abs (pixels[i + 2] - pixels[2])
                 > 24;
  return different;
}

typedef struct
{
  GtkWidget *widget;
  unsigned   pixels;
} Drawn;

static gboolean
is_drawn (gpointer data)
{
  Drawn *drawn = data;

  return sl_drawn_pixels (drawn->widget) > drawn->pixels;
}

void
sl_wait_drawn (GtkWidget *widget, unsigned pixels)
{
  sl_wait (is_drawn, &(Drawn) { widget, pixels });
}

/* What the application takes from its resources by itself. */
static void
add_style (void)
{
  g_autoptr (GtkCssProvider) style = gtk_css_provider_new ();

  gtk_css_provider_load_from_resource (style, "/org/sluice/Sluice/style.css");
  gtk_style_context_add_provider_for_display (gdk_display_get_default (),
                                              GTK_STYLE_PROVIDER (style),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

void
sl_ui_init (int *argc, char ***argv)
{
  gtk_test_init (argc, argv, NULL);
  adw_init ();
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  add_style ();
}

/* The values where the pointer happens to be over a plot are also the plot's description. */
static gboolean
says_it_whole (GtkWidget *widget)
{
  if (gtk_widget_has_css_class (widget, "readout"))
    return TRUE;
  for (; widget != NULL && !GTK_IS_WINDOW (widget); widget = gtk_widget_get_parent (widget))
    if (gtk_widget_get_has_tooltip (widget))
      return TRUE;
  return FALSE;
}

const char *
sl_cut_in (GtkWidget *widget)
{
  const char *cut = NULL;

  /* Toasts are the library's. */
  if (!gtk_widget_get_mapped (widget)
      || g_str_equal (G_OBJECT_TYPE_NAME (widget), "AdwToastWidget"))
    return NULL;
  if (GTK_IS_LABEL (widget)
      && pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (widget)))
      && !says_it_whole (widget))
    return gtk_label_get_label (GTK_LABEL (widget));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && cut == NULL;
       child = gtk_widget_get_next_sibling (child))
    cut = sl_cut_in (child);
  return cut;
}
