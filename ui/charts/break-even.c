/* SPDX-License-Identifier: MIT */
#include "ui/charts/break-even.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/run/base/language.h"
#include "plot/charts/break-even.h"
#include "plot/export/export.h"
#include "ui/kit/clipboard.h"
#include "ui/kit/file-dialog.h"
#include "ui/kit/toast.h"
#include "ui/kit/widget.h"
#include "ui/plot-view/view.h"

enum { WIDTH = 760, HEIGHT = 520 };

struct _SlBreakEvenWindow
{
  AdwWindow parent_instance;

  const SlLab          *lab;
  SlBreakEven           chart;
  SlPlotView           *view;
  AdwHeaderBar         *bar;
  AdwToastOverlay      *toasts;
  GtkFileChooserNative *dialog; /* while it is open */
};

G_DEFINE_FINAL_TYPE (SlBreakEvenWindow, sl_break_even_window, ADW_TYPE_WINDOW)

static void
toast (SlBreakEvenWindow *self, const char *sentence)
{
  sl_toast_add (self->toasts, sentence, NULL, NULL);
}

SlFigure *
sl_break_even_window_get_figure (SlBreakEvenWindow *self)
{
  g_return_val_if_fail (SL_IS_BREAK_EVEN_WINDOW (self), NULL);
  return sl_plot_view_get_figure (self->view);
}

static GBytes *
make (SlBreakEvenWindow *self, SlExportFormat format, GError **error)
{
  SlFigure       *figure = sl_plot_view_get_figure (self->view);
  SlExportOptions options = sl_export_options (SL_PRESET_SCREEN, 1);

  options.caption = self->lab->title;
  return sl_export_page (&figure, 1, &options, format, error);
}

static GBytes *
make_table (SlBreakEvenWindow *self)
{
  char *text = sl_cost_map_csv (&self->chart.map);

  return g_bytes_new_take (text, strlen (text));
}

void
sl_break_even_window_export_to (SlBreakEvenWindow *self, const char *path)
{
  int format = sl_export_format_for (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *name = g_path_get_basename (path), *sentence = NULL;

  g_return_if_fail (SL_IS_BREAK_EVEN_WINDOW (self));
  bytes = g_str_has_suffix (path, ".csv")
            ? make_table (self)
            : make (self, format >= 0 ? (SlExportFormat) format : SL_EXPORT_PNG, &error);
  if (bytes != NULL
      && sl_export_save_page (bytes, format >= 0 ? (SlExportFormat) format : SL_EXPORT_PNG, path,
                              &error))
    sentence = g_strdup_printf (_ ("Saved %s"), name);
  toast (self, sentence != NULL ? sentence : error->message);
}

static void
on_export (SlBreakEvenWindow *self)
{
  g_autofree char *name = g_strdup_printf ("%s-break-even.svg", self->lab->id);

  sl_file_dialog_open (
    &self->dialog, GTK_WINDOW (self),
    &(SlFileQuestion) {
      .title = _ ("Export map: the ending of the name sets the format, svg, png, pdf, tikz or csv"),
      .name = name,
      .kind = _ ("Figures"),
      .pattern = "*.svg *.png *.pdf *.tikz *.tex *.csv" },
    (SlFileChosen) sl_break_even_window_export_to, (SlFileChosen) toast, self);
}

static void
on_copy (SlBreakEvenWindow *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) png = make (self, SL_EXPORT_PNG, &error);
  g_autoptr (GBytes) table = make_table (self);

  if (png == NULL)
    {
      toast (self, error->message);
      return;
    }
  sl_clipboard_set (gtk_widget_get_clipboard (GTK_WIDGET (self)),
                    (SlClipboardForm[]) { { "image/png", png }, { "text/csv", table } }, 2);
  toast (self, _ ("Copied as PNG and CSV"));
}

static void
on_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  if (g_str_equal (name, "even.export"))
    on_export (SL_BREAK_EVEN_WINDOW (widget));
  else
    on_copy (SL_BREAK_EVEN_WINDOW (widget));
}

static void
add_button (AdwHeaderBar *bar, const char *icon, const char *action, const char *words)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_tooltip_text (button, words);
  sl_widget_label (button, words);
  adw_header_bar_pack_end (bar, button);
}

static void
sl_break_even_window_dispose (GObject *object)
{
  g_clear_object (&SL_BREAK_EVEN_WINDOW (object)->dialog);
  G_OBJECT_CLASS (sl_break_even_window_parent_class)->dispose (object);
}

static void
sl_break_even_window_finalize (GObject *object)
{
  sl_break_even_clear (&SL_BREAK_EVEN_WINDOW (object)->chart);
  G_OBJECT_CLASS (sl_break_even_window_parent_class)->finalize (object);
}

static void
sl_break_even_window_class_init (SlBreakEvenWindowClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_break_even_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = sl_break_even_window_finalize;
  gtk_widget_class_install_action (widget, "even.export", NULL, on_action);
  gtk_widget_class_install_action (widget, "even.copy", NULL, on_action);
  gtk_widget_class_add_binding_action (widget, GDK_KEY_e, GDK_CONTROL_MASK, "even.export", NULL);
  gtk_widget_class_add_binding_action (widget, GDK_KEY_c, GDK_CONTROL_MASK, "even.copy", NULL);
  gtk_widget_class_add_binding_action (widget, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
sl_break_even_window_init (SlBreakEvenWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->bar = ADW_HEADER_BAR (adw_header_bar_new ());
  self->view = g_object_new (SL_TYPE_PLOT_VIEW, "hexpand", TRUE, "vexpand", TRUE, NULL);
  self->toasts = ADW_TOAST_OVERLAY (adw_toast_overlay_new ());
  sl_widget_label (GTK_WIDGET (self->view), _ ("Where skipping pays"));
  adw_toast_overlay_set_child (self->toasts, GTK_WIDGET (self->view));
  add_button (self->bar, "document-save-as-symbolic", "even.export",
              _ ("Export this map (Ctrl+E)"));
  add_button (self->bar, "edit-copy-symbolic", "even.copy", _ ("Copy this map (Ctrl+C)"));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->bar));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->toasts));
  adw_window_set_content (ADW_WINDOW (self), box);
  gtk_window_set_default_size (GTK_WINDOW (self), WIDTH, HEIGHT);
  g_signal_connect_swapped (self->view, "export", G_CALLBACK (on_export), self);
  g_signal_connect_swapped (self->view, "copy", G_CALLBACK (on_copy), self);
}

SlBreakEvenWindow *
sl_break_even_window_open (GtkWindow *parent, const SlLab *lab, const SlCostMap *map)
{
  SlBreakEvenWindow *self = g_object_new (SL_TYPE_BREAK_EVEN_WINDOW, "transient-for", parent,
                                          "title", _ ("Where Skipping Pays"), NULL);
  SlFigure          *figure = sl_plot_view_get_figure (self->view);

  self->lab = lab;
  adw_header_bar_set_title_widget (
    self->bar, adw_window_title_new (_ ("Where Skipping Pays"), sl_words (lab->title)));
  figure->translated = true;
  sl_break_even_update (&self->chart, map, figure);
  sl_plot_view_touch (self->view);
  gtk_window_present (GTK_WINDOW (self));
  return self;
}
