/* SPDX-License-Identifier: MIT */
#include "ui/kit/widget.h"

#include <adwaita.h>

void
sl_widget_pass_scroll (GtkWidget *widget)
{
  GListModel *controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      GtkEventController *controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
        gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_NONE);
      g_object_unref (controller);
    }
  g_object_unref (controllers);
}

void
sl_widget_class_set_template (GtkWidgetClass *klass, const char *name)
{
  GObjectClass    *object = G_OBJECT_CLASS (klass);
  g_autofree char *path = g_strconcat ("/org/sluice/Sluice/ui/", name, NULL);

  if (object->dispose == G_OBJECT_CLASS (g_type_class_peek_parent (klass))->dispose)
    object->dispose = sl_widget_dispose;
  gtk_widget_class_set_template_from_resource (klass, path);
}

void
sl_widget_class_bind_children (GtkWidgetClass *klass, const char *name, ...)
{
  va_list rest;

  va_start (rest, name);
  for (; name != NULL; name = va_arg (rest, const char *))
    gtk_widget_class_bind_template_child_full (klass, name, FALSE, va_arg (rest, glong));
  va_end (rest);
}

void
sl_widget_class_bind_callbacks (GtkWidgetClass *klass, const char *name, ...)
{
  va_list rest;

  va_start (rest, name);
  for (; name != NULL; name = va_arg (rest, const char *))
    gtk_widget_class_bind_template_callback_full (klass, name, va_arg (rest, GCallback));
  va_end (rest);
}

void
sl_widget_dispose (GObject *object)
{
  GtkWidget *widget = GTK_WIDGET (object), *child;
  GType      type = G_OBJECT_TYPE (object);

  while (g_type_parent (type) == GTK_TYPE_WIDGET
         && (child = gtk_widget_get_first_child (widget)) != NULL)
    gtk_widget_unparent (child);
  gtk_widget_dispose_template (widget, type);
  G_OBJECT_CLASS (g_type_class_peek_parent (G_OBJECT_GET_CLASS (object)))->dispose (object);
}

void
sl_box_clear (GtkBox *box)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (box))) != NULL)
    gtk_box_remove (box, child);
}

GtkWidget *
sl_button_for (const char *title, const char *help, const char *action, const char *target)
{
  GtkWidget *button = gtk_button_new_with_label (title);

  gtk_widget_set_tooltip_text (button, help);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", target);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  return button;
}

/* The lines of all labels inside; returns whether one of them is cut. */
static gboolean
add_lines (GtkWidget *widget, GString *lines)
{
  gboolean cut = FALSE;

  if (GTK_IS_LABEL (widget) && gtk_widget_get_visible (widget))
    {
      g_string_append_printf (lines, "%s%s", lines->len > 0 ? "\n" : "",
                              gtk_label_get_text (GTK_LABEL (widget)));
      return pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (widget)));
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    cut = add_lines (child, lines) || cut;
  return cut;
}

static gboolean
on_query_cut (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  g_autoptr (GString) lines = g_string_new (NULL);

  if (!add_lines (widget, lines))
    return FALSE;
  gtk_tooltip_set_text (tooltip, lines->str);
  return TRUE;
}

void
sl_widget_tell_when_cut (GtkWidget *widget)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));
  gtk_widget_set_has_tooltip (widget, TRUE);
  g_signal_connect (widget, "query-tooltip", G_CALLBACK (on_query_cut), NULL);
}

void
sl_widget_tip (GtkWidget *widget, const char *text)
{
  if (g_strcmp0 (text, gtk_widget_get_tooltip_text (widget)) != 0)
    gtk_widget_set_tooltip_text (widget, text);
}

void
sl_label_tell_when_cut (GtkLabel *label)
{
  g_return_if_fail (GTK_IS_LABEL (label));
  sl_widget_tell_when_cut (GTK_WIDGET (label));
}

static void
on_setup_short (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer chars)
{
  GtkWidget *label = gtk_label_new (NULL);
  int        width = GPOINTER_TO_INT (chars) > 0 ? GPOINTER_TO_INT (chars) : -1;

  gtk_label_set_width_chars (GTK_LABEL (label), width);
  gtk_label_set_max_width_chars (GTK_LABEL (label), width);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  sl_label_tell_when_cut (GTK_LABEL (label));
  gtk_list_item_set_child (item, label);
}

static void
on_bind_short (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget  *label = gtk_list_item_get_child (item);
  const char *text = gtk_string_object_get_string (gtk_list_item_get_item (item));

  gtk_label_set_label (GTK_LABEL (label), text);
}

void
sl_drop_down_shorten (GtkDropDown *drop_down, int chars)
{
  g_return_if_fail (GTK_IS_DROP_DOWN (drop_down));

  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (on_setup_short), GINT_TO_POINTER (chars));
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind_short), NULL);
  gtk_drop_down_set_list_factory (drop_down, gtk_drop_down_get_factory (drop_down));
  gtk_drop_down_set_factory (drop_down, factory);
}

void
sl_widget_class_bind_arrows (GtkWidgetClass *klass, GdkModifierType modifiers,
                             GtkShortcutFunc callback)
{
  static const struct
  {
    guint key;
    int   columns, rows;
  } arrows[] = {
    { GDK_KEY_Left, -1, 0 },
    { GDK_KEY_Right, 1, 0 },
    { GDK_KEY_Up, 0, -1 },
    { GDK_KEY_Down, 0, 1 },
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (arrows); i++)
    gtk_widget_class_add_binding (klass, arrows[i].key, modifiers, callback, "(ii)",
                                  arrows[i].columns, arrows[i].rows);
}

void
sl_signal_new (GType type, const char *name, unsigned n, ...)
{
  va_list types;

  va_start (types, n);
  g_signal_new_valist (name, type, G_SIGNAL_RUN_LAST, NULL, NULL, NULL, NULL, G_TYPE_NONE, n,
                       types);
  va_end (types);
}

char *
sl_dup_breakable (const char *text)
{
  enum { LONGEST = 22, NOTHING_WIDE = 0x200b };
  GString *breakable = g_string_new (NULL);

  for (unsigned n = 1; *text != '\0'; text = g_utf8_next_char (text), n++)
    {
      gunichar letter = g_utf8_get_char (text);

      g_string_append_unichar (breakable, letter);
      n = g_unichar_isspace (letter) ? 0 : n;
      if (n == LONGEST)
        {
          g_string_append_unichar (breakable, NOTHING_WIDE);
          n = 0;
        }
    }
  return g_string_free (breakable, FALSE);
}

void
sl_widget_label (GtkWidget *widget, const char *label)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
}

void
sl_widget_name_inner (GtkWidget *root)
{
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      if ((GTK_IS_DROP_DOWN (root) && GTK_IS_TOGGLE_BUTTON (child))
          || (GTK_IS_COLUMN_VIEW (root) && GTK_IS_LIST_VIEW (child)))
        gtk_accessible_update_relation (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                        root, NULL, -1);
      sl_widget_name_inner (child);
    }
}

char *
sl_widget_menu_label (const char *text)
{
  enum { CHARS = 40 };
  g_autofree char *start = g_utf8_substring (text, 0, MIN (CHARS, g_utf8_strlen (text, -1)));
  g_autofree char *brief
    = g_utf8_strlen (text, -1) > CHARS ? g_strconcat (start, "…", NULL) : g_strdup (text);
  g_auto (GStrv) parts = g_strsplit (brief, "_", -1);

  return g_strjoinv ("__", parts);
}

int
sl_widget_natural_width (GtkWidget *widget)
{
  int natural;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  return natural;
}

void
sl_column_cell_set_child (GtkListItem *cell, GtkWidget *child)
{
  gtk_list_item_set_selectable (cell, FALSE);
  gtk_list_item_set_child (cell, child);
}

void
sl_expander_name (GtkWidget *row, const char *name)
{
  if (GTK_IS_LIST_BOX (row) || ADW_IS_EXPANDER_ROW (row))
    sl_widget_label (row, name);
  for (GtkWidget *child = gtk_widget_get_first_child (row); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    sl_expander_name (child, name);
}
