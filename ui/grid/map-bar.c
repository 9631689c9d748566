/* SPDX-License-Identifier: MIT */
#include "ui/grid/map-bar.h"

#include "core/run/base/language.h"
#include "plot/figure/plane.h"
#include "ui/kit/widget.h"

struct _SlMapBar
{
  GtkWidget parent_instance;

  GtkDropDown     *modes, *classes;
  GtkToggleButton *paint;
  GtkWidget       *slice;
  GtkCheckButton  *components;
  GtkSpinButton   *across, *up, *through;
  unsigned         features, n_classes;
};

G_DEFINE_FINAL_TYPE (SlMapBar, sl_map_bar, GTK_TYPE_WIDGET)

enum { PROP_PLANE = 1, PROP_BRUSH, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

enum { SIDE = 96, EXAMPLES_MOST = 1000000 };

static int
brush (SlMapBar *self)
{
  return gtk_toggle_button_get_active (self->paint)
           ? (int) gtk_drop_down_get_selected (self->classes)
           : -1;
}

static void
on_mode (SlMapBar *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PLANE]);
}

static void
on_paint (SlMapBar *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->classes), brush (self) >= 0);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BRUSH]);
}

static void
on_slice (SlMapBar *self)
{
  gboolean axes = !gtk_check_button_get_active (self->components);

  gtk_widget_set_sensitive (GTK_WIDGET (self->across), axes);
  gtk_widget_set_sensitive (GTK_WIDGET (self->up), axes);
  gtk_widget_set_sensitive (GTK_WIDGET (self->through), axes);
  g_signal_emit_by_name (self, "look");
}

SlMapView
sl_map_bar_get_view (SlMapBar *self)
{
  g_return_val_if_fail (SL_IS_MAP_BAR (self), sl_map_view_usual ());
  return (SlMapView) {
    .side = SIDE,
    .slice = gtk_check_button_get_active (self->components) ? SL_SLICE_COMPONENTS : SL_SLICE_AXES,
    .axis = { (unsigned) gtk_spin_button_get_value_as_int (self->across) - 1,
              (unsigned) gtk_spin_button_get_value_as_int (self->up) - 1 },
    .through = (uint32_t) gtk_spin_button_get_value_as_int (self->through) - 1,
  };
}

SlMapView
sl_map_view_usual (void)
{
  return (SlMapView) { .side = SIDE, .slice = SL_SLICE_COMPONENTS, .axis = { 0, 1 } };
}

/* A class that is painted with stays the one where there still is such a class: a stroke may be
 * the first of a new class.  */
static void
set_classes (SlMapBar *self, unsigned classes)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint chosen = gtk_drop_down_get_selected (self->classes);

  for (unsigned c = 0; c < classes; c++)
    {
      g_autofree char *name = g_strdup_printf ("%u", c + 1);

      gtk_string_list_append (names, name);
    }
  gtk_drop_down_set_model (self->classes, G_LIST_MODEL (names));
  if (chosen < classes)
    gtk_drop_down_set_selected (self->classes, chosen);
}

void
sl_map_bar_set_data (SlMapBar *self, unsigned features, unsigned classes)
{
  gboolean plane = features == 2;

  g_return_if_fail (SL_IS_MAP_BAR (self));
  if (features == self->features && classes == self->n_classes)
    return;
  self->features = features;
  self->n_classes = classes;
  set_classes (self, classes);
  if (!plane)
    gtk_toggle_button_set_active (self->paint, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->paint), plane);
  gtk_widget_set_visible (self->slice, features > 2);
  gtk_spin_button_set_range (self->across, 1, MAX (features, 1));
  gtk_spin_button_set_range (self->up, 1, MAX (features, 1));
}

static void
sl_map_bar_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  SlMapBar *self = SL_MAP_BAR (object);

  switch (id)
    {
    case PROP_PLANE: g_value_set_uint (value, gtk_drop_down_get_selected (self->modes)); break;
    case PROP_BRUSH: g_value_set_int (value, brush (self)); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
sl_map_bar_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  if (id == PROP_PLANE)
    gtk_drop_down_set_selected (SL_MAP_BAR (object)->modes, g_value_get_uint (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

static void
sl_map_bar_class_init (SlMapBarClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);
  GObjectClass   *object = G_OBJECT_CLASS (klass);

  object->get_property = sl_map_bar_get_property;
  object->set_property = sl_map_bar_set_property;
  properties[PROP_PLANE]
    = g_param_spec_uint ("plane", NULL, NULL, 0, SL_PLANE_MODES - 1, SL_PLANE_PATTERN,
                         G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  properties[PROP_BRUSH] = g_param_spec_int ("brush", NULL, NULL, -1, G_MAXUINT8, -1,
                                             G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object, N_PROPERTIES, properties);
  sl_signal_new (SL_TYPE_MAP_BAR, "look", 0);
  sl_widget_class_set_template (widget, "grid/map-bar.ui");
  sl_widget_class_bind_children (widget, SL_CHILD (SlMapBar, modes), SL_CHILD (SlMapBar, classes),
                                 SL_CHILD (SlMapBar, paint), SL_CHILD (SlMapBar, slice),
                                 SL_CHILD (SlMapBar, components), SL_CHILD (SlMapBar, across),
                                 SL_CHILD (SlMapBar, up), SL_CHILD (SlMapBar, through), NULL);
  sl_widget_class_bind_callbacks (widget, SL_CALLBACK (on_mode), SL_CALLBACK (on_paint),
                                  SL_CALLBACK (on_slice), NULL);
}

static void
set_up (GtkSpinButton *spin, double most, double value)
{
  gtk_spin_button_set_increments (spin, 1, 10);
  gtk_spin_button_set_range (spin, 1, most);
  gtk_spin_button_set_value (spin, value);
  gtk_widget_set_sensitive (GTK_WIDGET (spin), FALSE);
}

static void
sl_map_bar_init (SlMapBar *self)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

  gtk_widget_init_template (GTK_WIDGET (self));
  sl_widget_name_inner (GTK_WIDGET (self));
  for (unsigned i = 0; i < SL_PLANE_MODES; i++)
    gtk_string_list_append (titles, sl_words (sl_plane_mode_title ((SlPlaneMode) i)));
  gtk_drop_down_set_model (self->modes, G_LIST_MODEL (titles));
  set_up (self->across, 2, 1);
  set_up (self->up, 2, 2);
  set_up (self->through, EXAMPLES_MOST, 1);
  gtk_widget_set_visible (GTK_WIDGET (self->paint), FALSE);
  gtk_widget_set_visible (self->slice, FALSE);
}
