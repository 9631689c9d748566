/* SPDX-License-Identifier: MIT */
#include "ui/export/plots.h"

#include <string.h>

#include "plot/layout/frame.h"
#include "ui/kit/widget.h"

struct _SlExportPlots
{
  AdwPreferencesGroup parent_instance;

  const SlExportSource *source;
  SlExportPanels        chosen;
  unsigned              n;
  GtkWidget            *row[SL_PANELS_MAX], *check[SL_PANELS_MAX];
};

G_DEFINE_FINAL_TYPE (SlExportPlots, sl_export_plots, ADW_TYPE_PREFERENCES_GROUP)

/* "(b)" under the title of what is on. */
static void
show_letters (SlExportPlots *self)
{
  for (unsigned i = 0; i < self->n; i++)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (self->row[i]), "");
  for (unsigned k = 0; k < self->chosen.n; k++)
    {
      char letters[SL_FRAME_LETTERS];

      sl_frame_letters (k + 1, letters);
      adw_action_row_set_subtitle (ADW_ACTION_ROW (self->row[self->chosen.panel[k]]), letters);
    }
}

static void
on_toggled (GtkCheckButton *check, SlExportPlots *self)
{
  SlExportPanels *chosen = &self->chosen;
  unsigned        panel = 0, at = 0;

  while (panel + 1 < self->n && self->check[panel] != GTK_WIDGET (check))
    panel++;
  while (at < chosen->n && chosen->panel[at] != panel)
    at++;
  if (gtk_check_button_get_active (check) && at == chosen->n)
    chosen->panel[chosen->n++] = panel;
  else if (!gtk_check_button_get_active (check) && at < chosen->n)
    {
      chosen->n--;
      memmove (chosen->panel + at, chosen->panel + at + 1,
               (chosen->n - at) * sizeof *chosen->panel);
    }
  show_letters (self);
  g_signal_emit_by_name (self, "chosen");
}

static void
add_row (SlExportPlots *self, const char *title)
{
  GtkWidget *row = adw_action_row_new (), *check = gtk_check_button_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  gtk_widget_set_valign (check, GTK_ALIGN_CENTER);
  sl_widget_label (check, title);
  g_signal_connect (check, "toggled", G_CALLBACK (on_toggled), self);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), check);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), check);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), row);
  self->row[self->n] = row;
  self->check[self->n++] = check;
}

void
sl_export_plots_set_source (SlExportPlots *self, const SlExportSource *source)
{
  g_return_if_fail (SL_IS_EXPORT_PLOTS (self) && source != NULL);
  self->source = source;
  for (unsigned i = 0; i < source->n; i++)
    add_row (self, source->title (source->data, i));
  sl_export_plots_refresh (self);
}

unsigned
sl_export_plots_refresh (SlExportPlots *self)
{
  unsigned ready = 0;

  g_return_val_if_fail (SL_IS_EXPORT_PLOTS (self), 0);
  for (unsigned i = 0; i < self->n; i++)
    {
      gboolean any = self->source->has_data (self->source->data, i);
      gboolean on = gtk_check_button_get_active (GTK_CHECK_BUTTON (self->check[i]));

      gtk_widget_set_visible (self->row[i], any || on);
      ready += any != FALSE;
    }
  return ready;
}

const SlExportPanels *
sl_export_plots_get (SlExportPlots *self)
{
  g_return_val_if_fail (SL_IS_EXPORT_PLOTS (self), NULL);
  return &self->chosen;
}

static void
sl_export_plots_class_init (SlExportPlotsClass *klass)
{
  sl_signal_new (SL_TYPE_EXPORT_PLOTS, "chosen", 0);
}

static void
sl_export_plots_init (SlExportPlots *self)
{
}
