/* SPDX-License-Identifier: MIT */
#include "ui/kit/banner.h"

#include "ui/kit/banner-layout.h"
#include "ui/kit/widget.h"

struct _SlBanner
{
  GtkWidget parent_instance;

  GtkWidget *line;
  GtkLabel  *text;
  GtkButton *first, *second;
};

G_DEFINE_FINAL_TYPE (SlBanner, sl_banner, GTK_TYPE_WIDGET)

enum {
  PROP_FIRST_LABEL = 1,
  PROP_FIRST_ACTION,
  PROP_SECOND_LABEL,
  PROP_SECOND_ACTION,
  N_PROPERTIES,
};
static GParamSpec *properties[N_PROPERTIES];

void
sl_banner_show (SlBanner *self, const char *sentence)
{
  g_return_if_fail (SL_IS_BANNER (self));
  if (sentence != NULL)
    gtk_label_set_label (self->text, sentence);
  gtk_widget_set_visible (self->line, sentence != NULL);
}

static void
on_close (SlBanner *self)
{
  sl_banner_show (self, NULL);
  g_signal_emit_by_name (self, "closed");
}

static void
sl_banner_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  SlBanner   *self = SL_BANNER (object);
  GtkButton  *button = id <= PROP_FIRST_ACTION ? self->first : self->second;
  const char *text = g_value_get_string (value);

  if (id == PROP_FIRST_LABEL || id == PROP_SECOND_LABEL)
    {
      gtk_button_set_label (button, text);
      gtk_widget_set_visible (GTK_WIDGET (button), text != NULL);
    }
  else
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), text);
}

static void
sl_banner_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  SlBanner  *self = SL_BANNER (object);
  GtkButton *button = id <= PROP_FIRST_ACTION ? self->first : self->second;

  if (id == PROP_FIRST_LABEL || id == PROP_SECOND_LABEL)
    g_value_set_string (value, gtk_button_get_label (button));
  else
    g_value_set_string (value, gtk_actionable_get_action_name (GTK_ACTIONABLE (button)));
}

static void
sl_banner_class_init (SlBannerClass *klass)
{
  static const char *const names[]
    = { NULL, "first-label", "first-action", "second-label", "second-action" };
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);
  GObjectClass   *object = G_OBJECT_CLASS (klass);

  object->set_property = sl_banner_set_property;
  object->get_property = sl_banner_get_property;
  for (unsigned i = 1; i < N_PROPERTIES; i++)
    properties[i] = g_param_spec_string (names[i], NULL, NULL, NULL,
                                         G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object, N_PROPERTIES, properties);
  g_type_ensure (SL_TYPE_BANNER_LAYOUT);
  sl_signal_new (SL_TYPE_BANNER, "closed", 0);
  sl_widget_class_set_template (widget, "kit/banner.ui");
  sl_widget_class_bind_children (widget, SL_CHILD (SlBanner, line), SL_CHILD (SlBanner, text),
                                 SL_CHILD (SlBanner, first), SL_CHILD (SlBanner, second), NULL);
  gtk_widget_class_bind_template_callback (widget, on_close);
}

static void
sl_banner_init (SlBanner *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
