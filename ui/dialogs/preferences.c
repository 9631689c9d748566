/* SPDX-License-Identifier: MIT */
#include "ui/dialogs/preferences.h"

#include <glib/gi18n.h>

#include "core/nn/kernels/mat.h"
#include "ui/dialogs/classroom.h"
#include "ui/kit/widget.h"

struct _SlPreferences
{
  AdwPreferencesWindow parent_instance;

  AdwComboRow   *scheme;
  AdwActionRow  *space;
  GtkSpinButton *rate, *threads, *type, *runs, *store;
  GtkSwitch     *resume, *labs, *unseen, *fresh;

  AdwExpanderRow *lessons, *class_labs;

  SlPrefs *prefs;
};

G_DEFINE_FINAL_TYPE (SlPreferences, sl_preferences, ADW_TYPE_PREFERENCES_WINDOW)

static const char *const schemes[] = { "system", "light", "dark" };

static void
on_scheme (SlPreferences *self)
{
  if (self->prefs != NULL)
    g_object_set (self->prefs, "colour-scheme", schemes[adw_combo_row_get_selected (self->scheme)],
                  NULL);
}

static void
sl_preferences_dispose (GObject *object)
{
  g_clear_object (&SL_PREFERENCES (object)->prefs);
  sl_widget_dispose (object);
}

static void
sl_preferences_class_init (SlPreferencesClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_preferences_dispose;
  sl_widget_class_set_template (widget, "dialogs/preferences.ui");
  sl_widget_class_bind_children (widget, SL_CHILD (SlPreferences, scheme),
                                 SL_CHILD (SlPreferences, rate), SL_CHILD (SlPreferences, threads),
                                 SL_CHILD (SlPreferences, type), SL_CHILD (SlPreferences, runs),
                                 SL_CHILD (SlPreferences, store), SL_CHILD (SlPreferences, space),
                                 SL_CHILD (SlPreferences, resume), SL_CHILD (SlPreferences, labs),
                                 SL_CHILD (SlPreferences, unseen), SL_CHILD (SlPreferences, fresh),
                                 SL_CHILD (SlPreferences, lessons),
                                 SL_CHILD (SlPreferences, class_labs), NULL);
  gtk_widget_class_bind_template_callback (widget, on_scheme);
}

static void
sl_preferences_init (SlPreferences *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

static void
show_space (SlPreferences *self, SlStore *store)
{
  static const char rule[] = N_ ("Beyond this, the oldest runs lose their weights, not their "
                                 "curves. Pinned runs keep both");
  SlStoreSizes      sizes;
  g_autofree char  *all = NULL, *states = NULL, *text = NULL;

  if (store == NULL || !sl_store_sizes (store, &sizes, NULL))
    {
      adw_action_row_set_subtitle (self->space, _ (rule));
      return;
    }
  all = g_format_size_full (sizes.all, G_FORMAT_SIZE_IEC_UNITS);
  states = g_format_size_full (sizes.states, G_FORMAT_SIZE_IEC_UNITS);
  if (sizes.runs == 0)
    text = g_strdup_printf (_ ("%s are used. %s"), all, _ (rule));
  else
    text = g_strdup_printf (_ ("%s used, %s of it for weights (runs: %u). %s"), all, states,
                            sizes.runs, _ (rule));
  adw_action_row_set_subtitle (self->space, text);
}

SlPreferences *
sl_preferences_new (GtkWindow *parent, SlPrefs *prefs, SlStore *store)
{
  g_return_val_if_fail (SL_IS_PREFS (prefs), NULL);

  SlPreferences      *self = g_object_new (SL_TYPE_PREFERENCES, "transient-for", parent, NULL);
  g_autofree char    *scheme = sl_prefs_get_string (prefs, "colour-scheme");
  const GBindingFlags both = G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL;

  for (unsigned i = 0; i < G_N_ELEMENTS (schemes); i++)
    if (g_str_equal (schemes[i], scheme))
      adw_combo_row_set_selected (self->scheme, i);
  gtk_adjustment_set_upper (gtk_spin_button_get_adjustment (self->threads), sl_blas_cores ());
  g_object_bind_property (prefs, "redraw-rate", self->rate, "value", both);
  g_object_bind_property (prefs, "type-size", self->type, "value", both);
  g_object_bind_property (prefs, "threads", self->threads, "value", both);
  g_object_bind_property (prefs, "keep-runs", self->runs, "value", both);
  g_object_bind_property (prefs, "keep-mebibytes", self->store, "value", both);
  g_object_bind_property (prefs, "resume", self->resume, "active", both);
  g_object_bind_property (prefs, "labs-go-on", self->labs, "active", both);
  g_object_bind_property (prefs, "labs-train-unseen", self->unseen, "active", both);
  g_object_bind_property (prefs, "classroom", self->fresh, "active", both);
  sl_classroom_fill_lessons (self->lessons, prefs);
  sl_classroom_fill_labs (self->class_labs, prefs);
  self->prefs = g_object_ref (prefs);
  show_space (self, store);
  return self;
}
