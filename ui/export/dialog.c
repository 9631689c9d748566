/* SPDX-License-Identifier: MIT */
#include "ui/export/dialog.h"

#include "plot/export/style.h"
#include "ui/export/plots.h"
#include "ui/export/preview.h"
#include "ui/export/style-row.h"
#include "ui/export/switches.h"
#include "ui/kit/field.h"
#include "ui/kit/file-dialog.h"
#include "ui/kit/widget.h"
#include <glib/gi18n.h>

enum { SHOWN, ALL, CHOSEN, FIRST }; /* of what there is to choose: then come the plots */
enum { POLL_MS = 400, MOST_ACROSS = 6, PREVIEW_MS = 120 };

struct _SlExportDialog
{
  AdwWindow parent_instance;

  GtkWidget     *save;
  GtkStack      *preview;
  GtkPicture    *picture;
  GtkLabel      *text, *facts;
  AdwComboRow   *what, *format, *preset, *style, *theme, *palette, *legend;
  GtkSpinButton *width, *height, *dpi, *type, *line, *across;
  SlExportPlots *plots;

  SlExportSource source;
  SlPrefs       *prefs;
  struct
  {
    SlExportWritten call;
    gpointer        data;
  } written;
  GtkFileChooserNative *chooser;
  guint                 later; /* timeout of the next preview */
  guint                 poll;  /* timeout that looks for plots that have got data */
  unsigned              ready; /* how many had some */
  struct
  {
    double asked, fitted;
  } tall; /* mm: the height of the page, as chosen and as its plot needs it */
  gboolean filling;
};

G_DEFINE_FINAL_TYPE (SlExportDialog, sl_export_dialog, ADW_TYPE_WINDOW)

/* Themes in the order of their rows. */
static const SlThemeKind themes[] = { SL_THEME_LIGHT, SL_THEME_DARK, SL_THEME_GREY };

/* Rows that a table has no use for, and those that only plots over updates have. */
static const char *const page_rows[] = { "page", "titles_row", "notes_row", "caption_row" };
static const char *const update_rows[] = { "smooth_row", "flags_row" };

/* The first row is left out where all plots are shown. */
static guint
rows_left_out (SlExportDialog *self)
{
  return self->source.shown == NULL ? ALL : SHOWN;
}

static guint
what_of (SlExportDialog *self)
{
  return adw_combo_row_get_selected (self->what) + rows_left_out (self);
}

static SlExportPanels
panels_of (SlExportDialog *self)
{
  guint what = what_of (self);

  if (what == SHOWN)
    return self->source.shown (self->source.data);
  if (what == CHOSEN)
    return *sl_export_plots_get (self->plots);
  return sl_export_panels (what == ALL ? -1 : (int) what - FIRST);
}

static gboolean
nothing_chosen (SlExportDialog *self)
{
  return what_of (self) == CHOSEN && sl_export_plots_get (self->plots)->n == 0;
}

/* A child that has no field. */
static GObject *
child_of (SlExportDialog *self, const char *id)
{
  return gtk_widget_get_template_child (GTK_WIDGET (self), SL_TYPE_EXPORT_DIALOG, id);
}

static SlExportChoice
choice_of (SlExportDialog *self)
{
  SlExportChoice choice = {
    .format = (SlExportKind) adw_combo_row_get_selected (self->format),
    .preset = (SlExportPreset) adw_combo_row_get_selected (self->preset),
  };
  SlExportOptions *page = &choice.page;

  if (sl_style_row_get (self->style) != NULL)
    g_strlcpy (choice.style, sl_style_row_get (self->style), sizeof choice.style);
  *page = sl_export_options (choice.preset, 1);
  page->width = gtk_spin_button_get_value (self->width);
  page->height = gtk_spin_button_get_value (self->height);
  page->dpi = gtk_spin_button_get_value (self->dpi);
  page->type = gtk_spin_button_get_value (self->type);
  page->line = gtk_spin_button_get_value (self->line);
  page->across = (unsigned) gtk_spin_button_get_value_as_int (self->across);
  page->theme = themes[adw_combo_row_get_selected (self->theme)];
  page->palette = (SlPaletteKind) adw_combo_row_get_selected (self->palette);
  page->legend = (SlLegendPlace) adw_combo_row_get_selected (self->legend);
  sl_export_switches_read (GTK_WIDGET (self), &choice);
  return choice;
}

static void
show_preview (SlExportDialog *self)
{
  SlExportPreview preview = { self->preview, self->picture, self->text, self->facts };
  SlExportChoice  choice = choice_of (self);
  SlExportPanels  panels = panels_of (self);

  if (nothing_chosen (self))
    {
      gtk_widget_set_sensitive (self->save, FALSE);
      sl_export_preview_clear (&preview, _ ("Switch on the plots for the page"));
      return;
    }
  gtk_widget_set_sensitive (self->save,
                            sl_export_preview_show (&preview, &self->source, &panels, &choice));
}

static void
on_preview_due (SlExportDialog *self)
{
  self->later = 0;
  show_preview (self);
}

/* How many plots the page has. */
static unsigned
count (SlExportDialog *self)
{
  SlExportPanels panels = panels_of (self);

  return nothing_chosen (self) ? 0 : sl_export_source_count (&self->source, &panels);
}

static void
show_row (SlExportDialog *self, const char *id, gboolean shown)
{
  gtk_widget_set_visible (GTK_WIDGET (child_of (self, id)), shown);
}

/* Some figures need a page of another height than the preset has. */
static void
fit_height (SlExportDialog *self, SlExportChoice *choice)
{
  SlExportPanels panels = panels_of (self);

  self->tall.asked = choice->page.height;
  if (!nothing_chosen (self))
    self->source.fit (self->source.data, &panels, choice);
  self->tall.fitted = choice->page.height;
}

/* What else is on the page has changed: unless one has chosen a height, it is found anew. */
static void
fit_again (SlExportDialog *self)
{
  SlExportChoice choice = choice_of (self);

  if (choice.page.height != self->tall.fitted)
    return;
  choice.page.height = self->tall.asked;
  fit_height (self, &choice);
  self->filling = TRUE;
  gtk_spin_button_set_value (self->height, choice.page.height);
  self->filling = FALSE;
}

static void
on_changed (SlExportDialog *self)
{
  SlExportKind format = (SlExportKind) adw_combo_row_get_selected (self->format);
  gboolean     table = sl_export_is_table (format), recipe = !table || format == SL_KIND_JSON, view;
  SlExportPanels panels;

  if (self->filling)
    return;
  fit_again (self);
  panels = panels_of (self);
  view = table && format != SL_KIND_JSON && self->source.is_zoomed (self->source.data, &panels);
  gtk_widget_set_visible (GTK_WIDGET (self->plots), what_of (self) == CHOSEN);
  show_row (self, "across_row", count (self) > 1);
  gtk_widget_set_visible (GTK_WIDGET (self->legend), !table);
  for (unsigned i = 0; i < G_N_ELEMENTS (page_rows); i++)
    show_row (self, page_rows[i], !table);
  for (unsigned i = 0; i < G_N_ELEMENTS (update_rows); i++)
    show_row (self, update_rows[i], !table && self->source.updates);
  show_row (self, "same_colours_row", !table && count (self) > 1);
  show_row (self, "dpi_row", format == SL_KIND_PNG);
  show_row (self, "view_row", view);
  show_row (self, "recipe_row", recipe);
  show_row (self, "content", !table || view || recipe);
  if (self->later == 0)
    self->later = g_timeout_add_once (PREVIEW_MS, (GSourceOnceFunc) on_preview_due, self);
}

static void
show_sizes (SlExportDialog *self, const SlExportOptions *page)
{
  gtk_spin_button_set_value (self->across, page->across);
  gtk_spin_button_set_value (self->width, page->width);
  gtk_spin_button_set_value (self->height, page->height);
  gtk_spin_button_set_value (self->type, page->type);
  gtk_spin_button_set_value (self->line, page->line);
}

static void
fit_page (SlExportDialog *self, unsigned across)
{
  SlExportChoice choice;
  unsigned       n;

  if (self->filling)
    return;
  n = count (self);
  choice = choice_of (self);
  sl_export_choice_fit (&choice, n, MIN (across, n));
  fit_height (self, &choice);
  self->filling = TRUE;
  gtk_adjustment_set_upper (gtk_spin_button_get_adjustment (self->across),
                            CLAMP (n, 1, MOST_ACROSS));
  show_sizes (self, &choice.page);
  self->filling = FALSE;
  on_changed (self);
}

static void
show_looks (SlExportDialog *self, const SlExportChoice *choice)
{
  const SlExportOptions *page = &choice->page;

  for (unsigned i = 0; i < G_N_ELEMENTS (themes); i++)
    if (themes[i] == page->theme)
      adw_combo_row_set_selected (self->theme, i);
  adw_combo_row_set_selected (self->palette, page->palette);
  adw_combo_row_set_selected (self->legend, page->legend);
  sl_export_switches_show (GTK_WIDGET (self), choice);
}

/* Shows what a style sets in the rows, where it can still be changed. */
static void
on_style (SlExportDialog *self)
{
  g_autoptr (GError) error = NULL;
  SlExportChoice choice;
  SlExportStyle  style;

  if (self->filling)
    return;
  sl_style_row_show_font (self->style);
  if (sl_style_row_get (self->style) == NULL)
    {
      fit_page (self, 0);
      return;
    }
  choice = choice_of (self);
  if (!sl_export_style_find (sl_style_row_get (self->style), &style, &error))
    {
      gtk_label_set_label (self->facts, error->message);
      return;
    }
  sl_export_style_apply (&style, &choice.page, count (self));
  fit_height (self, &choice);
  self->filling = TRUE;
  show_sizes (self, &choice.page);
  show_looks (self, &choice);
  self->filling = FALSE;
  on_changed (self);
}

/* Another preset, or another number of plots: another page, on which a chosen style stays. */
static void
on_page (SlExportDialog *self)
{
  fit_page (self, 0);
  if (sl_style_row_get (self->style) != NULL)
    on_style (self);
}

static void
on_across (SlExportDialog *self)
{
  fit_page (self, (unsigned) gtk_spin_button_get_value_as_int (self->across));
}

/* Plots out of sight are measured only now. */
static gboolean
on_poll (gpointer data)
{
  SlExportDialog *self = data;
  unsigned        ready = sl_export_plots_refresh (self->plots);

  if (ready != self->ready)
    {
      if (self->source.renew != NULL)
        self->source.renew (self->source.data);
      if (what_of (self) < FIRST)
        on_page (self);
      else
        on_changed (self);
    }
  self->ready = ready;
  return G_SOURCE_CONTINUE;
}

gboolean
sl_export_dialog_save (SlExportDialog *self, const char *path, GError **error)
{
  SlExportChoice   choice, kept;
  SlExportPanels   panels;
  g_autofree char *base = NULL, *proposed = NULL;

  g_return_val_if_fail (SL_IS_EXPORT_DIALOG (self) && path != NULL, FALSE);
  if (sl_export_kind_for (path) < self->source.kinds)
    adw_combo_row_set_selected (self->format, sl_export_kind_for (path));
  choice = choice_of (self);
  panels = panels_of (self);
  if (!self->source.save (self->source.data, &panels, &choice, path, error))
    return FALSE;
  base = g_path_get_basename (path);
  proposed = self->source.name (self->source.data, &panels, &choice);
  kept = choice;
  if (choice.page.height == self->tall.fitted) /* what this plot alone needs */
    kept.page.height = self->tall.asked;
  sl_export_choice_store (&kept, self->prefs, count (self));
  self->written.call (self->written.data, &choice, &panels, path, !g_str_equal (base, proposed));
  return TRUE;
}

static void
on_refused (gpointer self, const char *sentence)
{
  gtk_label_set_label (SL_EXPORT_DIALOG (self)->facts, sentence);
}

static void
on_chosen (gpointer self, const char *path)
{
  g_autoptr (GError) error = NULL;

  if (sl_export_dialog_save (self, path, &error))
    gtk_window_close (self);
  else
    on_refused (self, error->message);
}

static void
on_save (SlExportDialog *self)
{
  SlExportChoice   choice = choice_of (self);
  SlExportPanels   panels = panels_of (self);
  g_autofree char *name = self->source.name (self->source.data, &panels, &choice);
  g_autofree char *pattern = sl_export_source_pattern (&self->source, choice.format);

  sl_file_dialog_open (
    &self->chooser, GTK_WINDOW (self),
    &(SlFileQuestion) {
      .title = _ ("Export"), .name = name, .kind = _ ("Figures and tables"), .pattern = pattern },
    on_chosen, on_refused, self);
}

static void
fill_what (SlExportDialog *self, int plot)
{
  const char *const pages[]
    = { _ ("Plots shown now"), _ ("All plots on one page"), _ ("Chosen plots on one page"), NULL };
  GtkStringList *titles = gtk_string_list_new (pages + rows_left_out (self));

  for (unsigned i = 0; i < self->source.n; i++)
    gtk_string_list_append (titles, self->source.title (self->source.data, i));
  adw_combo_row_set_model (self->what, G_LIST_MODEL (titles));
  g_object_unref (titles);
  gtk_widget_set_visible (GTK_WIDGET (self->what), self->source.n > 1);
  adw_combo_row_set_selected (self->what,
                              plot < 0 ? 0 : (guint) plot + FIRST - rows_left_out (self));
}

/* Leaves the formats that the source has. */
static void
fill_formats (SlExportDialog *self, SlExportKind chosen)
{
  GtkStringList *names = GTK_STRING_LIST (adw_combo_row_get_model (self->format));

  gtk_string_list_splice (names, self->source.kinds, SL_N_KINDS - self->source.kinds, NULL);
  adw_combo_row_set_selected (self->format, chosen < self->source.kinds ? chosen : SL_KIND_PNG);
}

static void
fill (SlExportDialog *self, int plot)
{
  SlExportChoice choice;
  unsigned       n;

  self->filling = TRUE;
  sl_export_plots_set_source (self->plots, &self->source);
  fill_what (self, plot);
  n = count (self);
  sl_export_choice_load (&choice, self->prefs, n);
  fit_height (self, &choice);
  fill_formats (self, choice.format);
  adw_combo_row_set_selected (self->preset, choice.preset);
  gtk_spin_button_set_value (self->dpi, choice.page.dpi);
  gtk_adjustment_set_upper (gtk_spin_button_get_adjustment (self->across), MOST_ACROSS);
  show_sizes (self, &choice.page);
  show_looks (self, &choice);
  sl_style_row_fill (self->style, choice.style);
  sl_style_row_show_font (self->style);
  self->filling = FALSE;
}

static void
sl_export_dialog_dispose (GObject *object)
{
  SlExportDialog *self = SL_EXPORT_DIALOG (object);

  g_clear_handle_id (&self->later, g_source_remove);
  g_clear_handle_id (&self->poll, g_source_remove);
  g_clear_pointer (&self->source.data, self->source.free);
  g_clear_object (&self->prefs);
  g_clear_object (&self->chooser);
  sl_widget_dispose (object);
}

static void
sl_export_dialog_class_init (SlExportDialogClass *klass)
{
  static const char *const rows[] = { "across_row", "dpi_row",          "view_row",   "recipe_row",
                                      "content",    "same_colours_row", "smooth_row", "flags_row" };
  GtkWidgetClass          *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_export_dialog_dispose;
  g_type_ensure (SL_TYPE_EXPORT_PLOTS);
  sl_widget_class_set_template (widget, "export/dialog.ui");
  for (unsigned i = 0; i < G_N_ELEMENTS (rows); i++)
    gtk_widget_class_bind_template_child_full (widget, rows[i], FALSE, 0);
  sl_export_switches_bind (widget);
  for (unsigned i = 0; i < G_N_ELEMENTS (page_rows); i++)
    gtk_widget_class_bind_template_child_full (widget, page_rows[i], FALSE, 0);
  sl_widget_class_bind_children (
    widget, SL_CHILD (SlExportDialog, save), SL_CHILD (SlExportDialog, preview),
    SL_CHILD (SlExportDialog, picture), SL_CHILD (SlExportDialog, text),
    SL_CHILD (SlExportDialog, facts), SL_CHILD (SlExportDialog, what),
    SL_CHILD (SlExportDialog, format), SL_CHILD (SlExportDialog, preset),
    SL_CHILD (SlExportDialog, theme), SL_CHILD (SlExportDialog, legend),
    SL_CHILD (SlExportDialog, style), SL_CHILD (SlExportDialog, palette),
    SL_CHILD (SlExportDialog, width), SL_CHILD (SlExportDialog, height),
    SL_CHILD (SlExportDialog, dpi), SL_CHILD (SlExportDialog, type),
    SL_CHILD (SlExportDialog, line), SL_CHILD (SlExportDialog, across),
    SL_CHILD (SlExportDialog, plots), NULL);
  sl_widget_class_bind_callbacks (widget, SL_CALLBACK (on_changed), SL_CALLBACK (on_page),
                                  SL_CALLBACK (on_style), SL_CALLBACK (on_across),
                                  SL_CALLBACK (on_save), NULL);
}

static void
sl_export_dialog_init (SlExportDialog *self)
{
  self->filling = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  self->filling = FALSE;
  sl_field_take_comma (self->type);
  sl_field_take_comma (self->line);
}

SlExportDialog *
sl_export_dialog_open (GtkWindow *parent, SlExportSource source, SlPrefs *prefs, int plot,
                       SlExportWritten written, gpointer data)
{
  SlExportDialog *self;

  g_return_val_if_fail (source.n > 0 && source.n <= SL_PANELS_MAX, NULL);
  g_return_val_if_fail (SL_IS_PREFS (prefs) && written != NULL, NULL);
  self = g_object_new (SL_TYPE_EXPORT_DIALOG, "transient-for", parent, NULL);
  self->source = source;
  self->prefs = g_object_ref (prefs);
  self->written.call = written;
  self->written.data = data;
  fill (self, plot);
  self->ready = sl_export_plots_refresh (self->plots);
  self->poll = g_timeout_add (POLL_MS, on_poll, self);
  on_changed (self);
  gtk_window_present (GTK_WINDOW (self));
  return self;
}
