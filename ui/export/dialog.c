/* SPDX-License-Identifier: MIT */
#include "ui/export/dialog.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/run/base/language.h"
#include "ui/export/job.h"
#include "ui/export/plots.h"

enum { ALL, CHOSEN, FIRST }; /* of what there is to choose: then come the panels */
enum { POLL_MS = 400, MOST_ACROSS = 6 };
enum { PREVIEW_MS = 120, PREVIEW_PX = 900, PREVIEW_LINES = 24, PREVIEW_COLUMNS = 88 };

struct _SlExportDialog
{
  AdwWindow parent_instance;

  GtkWidget     *save;
  GtkStack      *preview;
  GtkPicture    *picture;
  GtkLabel      *text, *facts;
  AdwComboRow   *what, *format, *preset, *theme, *legend;
  GtkSpinButton *width, *height, *dpi, *type, *line, *across;
  SlExportPlots *plots;
  GtkWidget     *page, *across_row, *dpi_row, *titles_row, *caption_row, *smooth_row, *flags_row,
    *view_row, *recipe_row;
  GtkSwitch *titles, *caption, *smooth, *flags, *in_view, *recipe;

  SlWindow             *window; /* its parent, which destroys it */
  SlPrefs              *prefs;
  GtkFileChooserNative *chooser;
  guint                 later; /* timeout of the next preview */
  guint                 poll;  /* timeout that looks for panels that have got data */
  unsigned              ready; /* how many had some */
  gboolean              filling;
};

G_DEFINE_FINAL_TYPE (SlExportDialog, sl_export_dialog, ADW_TYPE_WINDOW)

/* As their rows have them. */
static const SlThemeKind themes[] = { SL_THEME_LIGHT, SL_THEME_DARK, SL_THEME_GREY };

static SlExportPanels
panels_of (SlExportDialog *self)
{
  guint what = adw_combo_row_get_selected (self->what);

  if (what == CHOSEN)
    return *sl_export_plots_get (self->plots);
  return sl_export_panels (what == ALL ? -1 : (int) what - FIRST);
}

static gboolean
nothing_chosen (SlExportDialog *self)
{
  return adw_combo_row_get_selected (self->what) == CHOSEN
         && sl_export_plots_get (self->plots)->n == 0;
}

static SlExportChoice
choice_of (SlExportDialog *self)
{
  return (SlExportChoice) {
    .format = (SlExportKind) adw_combo_row_get_selected (self->format),
    .preset = (SlExportPreset) adw_combo_row_get_selected (self->preset),
    .width = gtk_spin_button_get_value (self->width),
    .height = gtk_spin_button_get_value (self->height),
    .dpi = gtk_spin_button_get_value (self->dpi),
    .type = gtk_spin_button_get_value (self->type),
    .line = gtk_spin_button_get_value (self->line),
    .across = (unsigned) gtk_spin_button_get_value_as_int (self->across),
    .theme = themes[adw_combo_row_get_selected (self->theme)],
    .legend = (SlLegendPlace) adw_combo_row_get_selected (self->legend),
    .titles = gtk_switch_get_active (self->titles),
    .caption = gtk_switch_get_active (self->caption),
    .in_view = gtk_switch_get_active (self->in_view),
    .smooth = gtk_switch_get_active (self->smooth),
    .flags = gtk_switch_get_active (self->flags),
    .recipe = gtk_switch_get_active (self->recipe),
  };
}

static void
show_text (SlExportDialog *self, GBytes *bytes)
{
  gsize            length;
  const char      *data = g_bytes_get_data (bytes, &length);
  g_autofree char *head = g_strndup (data, MIN (length, 16384));
  g_auto (GStrv) lines = g_strsplit (head, "\n", PREVIEW_LINES + 1);
  g_autoptr (GString) text = g_string_new (NULL);

  for (unsigned i = 0; lines[i] != NULL && i < PREVIEW_LINES; i++)
    g_string_append_printf (text, "%.*s\n", PREVIEW_COLUMNS, lines[i]);
  gtk_label_set_label (self->text, text->str);
  gtk_stack_set_visible_child_name (self->preview, "text");
}

/* The same numbers as text. */
static void
show_array (SlExportDialog *self, SlExportChoice choice, const SlExportPanels *panels)
{
  g_autoptr (GBytes) text = NULL;

  choice.format = SL_KIND_CSV;
  text = sl_export_make (&choice, sl_window_get_session (self->window),
                         sl_window_get_grid (self->window), panels, NULL);
  if (text != NULL)
    show_text (self, text);
}

static void
show_picture (SlExportDialog *self, GBytes *bytes)
{
  g_autoptr (GdkTexture) texture = gdk_texture_new_from_bytes (bytes, NULL);

  gtk_picture_set_paintable (self->picture, GDK_PAINTABLE (texture));
  gtk_stack_set_visible_child_name (self->preview, "picture");
}

static void
show_facts (SlExportDialog *self, const SlExportChoice *choice, GBytes *bytes)
{
  g_autofree char *size = g_format_size (g_bytes_get_size (bytes));
  g_autofree char *facts = NULL;

  if (sl_export_is_table (choice->format))
    facts = g_strdup_printf (choice->in_view ? _ ("%s, what is in view") : _ ("%s, every sample"),
                             size);
  else if (choice->format == SL_KIND_PNG)
    facts = g_strdup_printf (_ ("%.0f × %.0f mm, %.0f × %.0f pixels"), choice->width,
                             choice->height, rint (choice->width / 25.4 * choice->dpi),
                             rint (choice->height / 25.4 * choice->dpi));
  else
    facts = g_strdup_printf (_ ("%.0f × %.0f mm"), choice->width, choice->height);
  gtk_label_set_label (self->facts, facts);
}

static void
show_preview (SlExportDialog *self)
{
  SlExportChoice choice = choice_of (self), seen = choice;
  SlExportPanels panels = panels_of (self);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;

  if (nothing_chosen (self))
    {
      gtk_widget_set_sensitive (self->save, FALSE);
      gtk_picture_set_paintable (self->picture, NULL);
      gtk_stack_set_visible_child_name (self->preview, "picture");
      gtk_label_set_label (self->facts, _ ("Switch on the plots that go on the page"));
      return;
    }
  /* All page formats draw the same page, so a small PNG shows any of them. */
  if (!sl_export_is_table (choice.format))
    {
      seen.format = SL_KIND_PNG;
      seen.dpi = CLAMP (PREVIEW_PX / (fmax (choice.width, choice.height) / 25.4), 24.0, 400.0);
      seen.recipe = FALSE;
    }
  bytes = sl_export_make (&seen, sl_window_get_session (self->window),
                          sl_window_get_grid (self->window), &panels, &error);
  gtk_widget_set_sensitive (self->save, bytes != NULL);
  if (bytes == NULL)
    {
      gtk_label_set_label (self->facts, error->message);
      return;
    }
  if (choice.format == SL_KIND_NPY)
    show_array (self, choice, &panels);
  else if (sl_export_is_table (choice.format))
    show_text (self, bytes);
  else
    show_picture (self, bytes);
  show_facts (self, &choice, bytes);
}

static gboolean
on_preview_due (gpointer data)
{
  SlExportDialog *self = data;

  self->later = 0;
  show_preview (self);
  return G_SOURCE_REMOVE;
}

/* How many plots the page has. */
static unsigned
count (SlExportDialog *self)
{
  SlExportPanels panels = panels_of (self);

  if (nothing_chosen (self))
    return 0;
  return sl_export_count (&panels, sl_window_get_session (self->window));
}

static void
on_changed (SlExportDialog *self)
{
  SlExportChoice choice;
  SlExportPanels panels;
  double         first, last;
  gboolean       table;

  if (self->filling)
    return;
  choice = choice_of (self);
  panels = panels_of (self);
  table = sl_export_is_table (choice.format);
  gtk_widget_set_visible (GTK_WIDGET (self->plots),
                          adw_combo_row_get_selected (self->what) == CHOSEN);
  gtk_widget_set_visible (self->across_row, count (self) > 1);
  gtk_widget_set_visible (self->page, !table);
  gtk_widget_set_visible (self->dpi_row, choice.format == SL_KIND_PNG);
  gtk_widget_set_visible (GTK_WIDGET (self->legend), !table);
  gtk_widget_set_visible (self->titles_row, !table);
  gtk_widget_set_visible (self->caption_row, !table);
  gtk_widget_set_visible (self->smooth_row, !table);
  gtk_widget_set_visible (self->flags_row, !table);
  gtk_widget_set_visible (
    self->view_row,
    table && choice.format != SL_KIND_JSON
      && sl_export_view (&panels, sl_window_get_grid (self->window), &first, &last));
  gtk_widget_set_visible (self->recipe_row, !table || choice.format == SL_KIND_JSON);
  if (self->later == 0)
    self->later = g_timeout_add (PREVIEW_MS, on_preview_due, self);
}

static void
fit_page (SlExportDialog *self, unsigned across)
{
  SlExportChoice choice;
  unsigned       n = count (self);

  if (self->filling)
    return;
  choice = choice_of (self);
  sl_export_choice_fit (&choice, n, MIN (across, n));
  self->filling = TRUE;
  gtk_adjustment_set_upper (gtk_spin_button_get_adjustment (self->across),
                            CLAMP (n, 1, MOST_ACROSS));
  gtk_spin_button_set_value (self->across, choice.across);
  gtk_spin_button_set_value (self->width, choice.width);
  gtk_spin_button_set_value (self->height, choice.height);
  gtk_spin_button_set_value (self->type, choice.type);
  gtk_spin_button_set_value (self->line, choice.line);
  self->filling = FALSE;
  on_changed (self);
}

/* Another preset, or another number of plots: another page. */
static void
on_page (SlExportDialog *self)
{
  fit_page (self, 0);
}

static void
on_across (SlExportDialog *self)
{
  fit_page (self, (unsigned) gtk_spin_button_get_value_as_int (self->across));
}

/* Panels out of sight are probed only now. */
static gboolean
on_poll (gpointer data)
{
  SlExportDialog *self = data;
  unsigned        ready = sl_export_plots_refresh (self->plots);

  if (ready != self->ready && adw_combo_row_get_selected (self->what) < FIRST)
    on_page (self);
  self->ready = ready;
  return G_SOURCE_CONTINUE;
}

void
sl_export_dialog_choose (SlExportDialog *self, const SlExportPanels *panels)
{
  adw_combo_row_set_selected (self->what, CHOSEN);
  for (unsigned i = 0; i < panels->n; i++)
    sl_export_plots_choose (self->plots, panels->panel[i], TRUE);
}

gboolean
sl_export_dialog_save (SlExportDialog *self, const char *path, GError **error)
{
  SlExportChoice choice = choice_of (self);
  SlExportPanels panels = panels_of (self);

  if (!sl_export_write (&choice, sl_window_get_session (self->window),
                        sl_window_get_grid (self->window), &panels, path, error))
    return FALSE;
  sl_export_choice_store (&choice, self->prefs, count (self));
  sl_window_exported (self->window, &choice, &panels, path);
  return TRUE;
}

static void
on_chosen (GtkNativeDialog *dialog, int response, SlExportDialog *self)
{
  g_autoptr (GFile) file = NULL;
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    {
      file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
      path = g_file_get_path (file);
    }
  g_clear_object (&self->chooser);
  if (response != GTK_RESPONSE_ACCEPT)
    return;
  if (path == NULL)
    sl_window_toast (self->window, _ ("Only files on this computer can be written"));
  else if (sl_export_dialog_save (self, path, &error))
    gtk_window_close (GTK_WINDOW (self));
  else
    gtk_label_set_label (self->facts, error->message);
}

static void
on_save (SlExportDialog *self)
{
  SlExportChoice   choice = choice_of (self);
  SlExportPanels   panels = panels_of (self);
  g_autofree char *name = sl_export_name (&choice, sl_window_get_session (self->window), &panels);

  if (self->chooser != NULL)
    return;
  self->chooser = gtk_file_chooser_native_new (
    _ ("Export"), GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), _ ("_Cancel"));
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (self->chooser), name);
  g_signal_connect (self->chooser, "response", G_CALLBACK (on_chosen), self);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

static void
fill (SlExportDialog *self, int panel)
{
  const SlLab   *lab = sl_session_lab (sl_window_get_session (self->window));
  GtkStringList *titles = gtk_string_list_new (NULL);
  SlExportChoice choice;

  self->filling = TRUE;
  sl_export_plots_set_session (self->plots, sl_window_get_session (self->window));
  gtk_string_list_append (titles, _ ("All plots on one page"));
  gtk_string_list_append (titles, _ ("Chosen plots on one page"));
  for (unsigned i = 0; i < lab->n_panels; i++)
    gtk_string_list_append (titles, sl_words (lab->panels[i].title));
  adw_combo_row_set_model (self->what, G_LIST_MODEL (titles));
  g_object_unref (titles);
  adw_combo_row_set_selected (self->what, panel < 0 ? ALL : (guint) panel + FIRST);
  sl_export_choice_load (&choice, self->prefs, count (self));
  adw_combo_row_set_selected (self->format, choice.format);
  adw_combo_row_set_selected (self->preset, choice.preset);
  gtk_spin_button_set_value (self->width, choice.width);
  gtk_spin_button_set_value (self->height, choice.height);
  gtk_spin_button_set_value (self->dpi, choice.dpi);
  gtk_spin_button_set_value (self->type, choice.type);
  gtk_spin_button_set_value (self->line, choice.line);
  gtk_adjustment_set_upper (gtk_spin_button_get_adjustment (self->across), MOST_ACROSS);
  gtk_spin_button_set_value (self->across, choice.across);
  for (unsigned i = 0; i < G_N_ELEMENTS (themes); i++)
    if (themes[i] == choice.theme)
      adw_combo_row_set_selected (self->theme, i);
  adw_combo_row_set_selected (self->legend, choice.legend);
  gtk_switch_set_active (self->titles, choice.titles);
  gtk_switch_set_active (self->caption, choice.caption);
  gtk_switch_set_active (self->smooth, choice.smooth);
  gtk_switch_set_active (self->flags, choice.flags);
  gtk_switch_set_active (self->recipe, choice.recipe);
  self->filling = FALSE;
}

static void
sl_export_dialog_dispose (GObject *object)
{
  SlExportDialog *self = SL_EXPORT_DIALOG (object);

  g_clear_handle_id (&self->later, g_source_remove);
  g_clear_handle_id (&self->poll, g_source_remove);
  /* A window that is going has no plots any more. */
  if (self->window != NULL && sl_window_get_grid (self->window) != NULL)
    sl_plot_grid_sharpen (sl_window_get_grid (self->window), FALSE);
  self->window = NULL;
  g_clear_object (&self->prefs);
  g_clear_object (&self->chooser);
  gtk_widget_dispose_template (GTK_WIDGET (self), SL_TYPE_EXPORT_DIALOG);
  G_OBJECT_CLASS (sl_export_dialog_parent_class)->dispose (object);
}

static void
sl_export_dialog_class_init (SlExportDialogClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_export_dialog_dispose;
  g_type_ensure (SL_TYPE_EXPORT_PLOTS);
  gtk_widget_class_set_template_from_resource (widget, "/org/sluice/Sluice/ui/export/dialog.ui");
  gtk_widget_class_bind_template_child (widget, SlExportDialog, save);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, preview);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, picture);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, text);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, facts);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, what);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, format);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, preset);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, theme);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, legend);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, width);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, height);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, dpi);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, type);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, line);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, across);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, across_row);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, plots);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, page);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, dpi_row);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, titles_row);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, caption_row);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, smooth_row);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, flags_row);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, view_row);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, recipe_row);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, titles);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, caption);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, smooth);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, flags);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, in_view);
  gtk_widget_class_bind_template_child (widget, SlExportDialog, recipe);
  gtk_widget_class_bind_template_callback (widget, on_changed);
  gtk_widget_class_bind_template_callback (widget, on_page);
  gtk_widget_class_bind_template_callback (widget, on_across);
  gtk_widget_class_bind_template_callback (widget, on_save);
}

static void
sl_export_dialog_init (SlExportDialog *self)
{
  self->filling = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  self->filling = FALSE;
}

SlExportDialog *
sl_export_dialog_open (SlWindow *window, SlPrefs *prefs, int panel)
{
  SlExportDialog *self = g_object_new (SL_TYPE_EXPORT_DIALOG, "transient-for", window, NULL);

  self->window = window;
  self->prefs = g_object_ref (prefs);
  sl_plot_grid_sharpen (sl_window_get_grid (window), TRUE);
  fill (self, panel);
  self->ready = sl_export_plots_refresh (self->plots);
  self->poll = g_timeout_add (POLL_MS, on_poll, self);
  on_changed (self);
  gtk_window_present (GTK_WINDOW (self));
  return self;
}
