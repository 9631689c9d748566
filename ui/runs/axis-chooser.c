/* SPDX-License-Identifier: MIT */
#include "ui/runs/axis-chooser.h"

#include "core/run/base/language.h"
#include "ui/kit/widget.h"

enum { CHARS = 18 };

struct _SlAxisChooser
{
  GtkWidget parent_instance;

  GtkDropDown *list;
  GPtrArray   *names;  /* of its items, interned; NULL: none yet */
  const char  *wanted; /* interned, or NULL */
  gboolean     filling;
};

G_DEFINE_FINAL_TYPE (SlAxisChooser, sl_axis_chooser, GTK_TYPE_WIDGET)

void
sl_axis_chooser_want (SlAxisChooser *self, const char *id)
{
  g_return_if_fail (SL_IS_AXIS_CHOOSER (self));
  self->wanted = g_intern_string (id);
}

const char *
sl_axis_chooser_wanted (SlAxisChooser *self)
{
  g_return_val_if_fail (SL_IS_AXIS_CHOOSER (self), NULL);
  return self->wanted;
}

const char *
sl_axis_chooser_among (SlAxisChooser *self, const GPtrArray *names, const char *usual)
{
  g_return_val_if_fail (SL_IS_AXIS_CHOOSER (self), usual);
  return self->wanted != NULL && g_ptr_array_find ((GPtrArray *) names, self->wanted, NULL)
           ? self->wanted
           : usual;
}

static void
on_selected (SlAxisChooser *self)
{
  guint at = gtk_drop_down_get_selected (self->list);

  if (self->filling || self->names == NULL || at >= self->names->len)
    return;
  self->wanted = g_ptr_array_index (self->names, at);
  g_signal_emit_by_name (self, "chosen");
}

static gboolean
is_same (const GPtrArray *a, const GPtrArray *b)
{
  if (a == NULL || a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    if (g_ptr_array_index (a, i) != g_ptr_array_index (b, i)) /* interned */
      return FALSE;
  return TRUE;
}

/* Titles in the user's language. */
static void
fill (SlAxisChooser *self, const SlLab *lab, const GPtrArray *runs, GPtrArray *names)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

  for (guint i = 0; i < names->len; i++)
    {
      SlMeasure measure;
      char      label[SL_MEASURE_LABEL];

      sl_measure_find (&measure, g_ptr_array_index (names, i), lab, runs);
      gtk_string_list_append (titles,
                              sl_message_show (measure.label, sl_words, label, sizeof label));
    }
  gtk_drop_down_set_model (self->list, G_LIST_MODEL (titles));
  g_clear_pointer (&self->names, g_ptr_array_unref);
  self->names = g_ptr_array_ref (names);
}

void
sl_axis_chooser_show (SlAxisChooser *self, const SlLab *lab, const GPtrArray *runs,
                      GPtrArray *names, const char *id)
{
  guint at;

  g_return_if_fail (SL_IS_AXIS_CHOOSER (self));
  self->filling = TRUE;
  if (!is_same (self->names, names))
    fill (self, lab, runs, names);
  if (!g_ptr_array_find (names, g_intern_string (id), &at))
    at = GTK_INVALID_LIST_POSITION;
  gtk_drop_down_set_selected (self->list, at);
  self->filling = FALSE;
}

static void
sl_axis_chooser_dispose (GObject *object)
{
  SlAxisChooser *self = SL_AXIS_CHOOSER (object);

  if (self->list != NULL)
    gtk_widget_unparent (GTK_WIDGET (g_steal_pointer (&self->list)));
  g_clear_pointer (&self->names, g_ptr_array_unref);
  G_OBJECT_CLASS (sl_axis_chooser_parent_class)->dispose (object);
}

static void
sl_axis_chooser_class_init (SlAxisChooserClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = sl_axis_chooser_dispose;
  sl_signal_new (SL_TYPE_AXIS_CHOOSER, "chosen", 0);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
sl_axis_chooser_init (SlAxisChooser *self)
{
  GtkExpression *string = gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string");

  self->list = GTK_DROP_DOWN (gtk_drop_down_new (NULL, string));
  gtk_drop_down_set_enable_search (self->list, TRUE);
  sl_drop_down_shorten (self->list, CHARS);
  gtk_widget_set_parent (GTK_WIDGET (self->list), GTK_WIDGET (self));
  g_signal_connect_swapped (self->list, "notify::selected", G_CALLBACK (on_selected), self);
}
