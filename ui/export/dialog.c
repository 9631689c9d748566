/* SPDX-License-Identifier: MIT */
#include "ui/export/dialog.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/run/base/language.h"
#include "plot/export/style.h"
#include "ui/export/plots.h"
#include "ui/kit/field.h"
#include "ui/kit/file-dialog.h"
#include "ui/kit/widget.h"

enum { SHOWN, ALL, CHOSEN, FIRST }; /* of what there is to choose: then come the panels */
enum { POLL_MS = 400, MOST_ACROSS = 6 };
enum { PREVIEW_MS = 120, PREVIEW_PX = 900, PREVIEW_LINES = 24, PREVIEW_COLUMNS = 88 };

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
  GtkSwitch     *titles, *caption, *smooth, *flags, *in_view, *recipe;

  SlSession  *session;
  SlPlotGrid *grid; /* weak */
  SlPrefs    *prefs;
  struct
  {
    SlExportWritten call;
    gpointer        data;
  } written;
  GtkFileChooserNative *chooser;
  guint                 later; /* timeout of the next preview */
  guint                 poll;  /* timeout that looks for panels that have got data */
  unsigned              ready; /* how many had some */
  gboolean              filling;
};

G_DEFINE_FINAL_TYPE (SlExportDialog, sl_export_dialog, ADW_TYPE_WINDOW)

/* Themes in the order of their rows. */
static const SlThemeKind themes[] = { SL_THEME_LIGHT, SL_THEME_DARK, SL_THEME_GREY };

/* Rows that a table has no use for. */
static const char *const page_rows[]
  = { "page", "titles_row", "caption_row", "smooth_row", "flags_row" };

static SlExportPanels
panels_of (SlExportDialog *self)
{
  guint what = adw_combo_row_get_selected (self->what);

  if (what == SHOWN)
    return sl_export_shown (self->grid);
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

/* A child that has no field. */
static GObject *
child_of (SlExportDialog *self, const char *id)
{
  return gtk_widget_get_template_child (GTK_WIDGET (self), SL_TYPE_EXPORT_DIALOG, id);
}

#define STYLES "sl-styles" /* names of the styles, kept by their row, from its second line on */

/* The name of the style in the row, or NULL. */
static const char *
style_of (SlExportDialog *self)
{
  char **names = g_object_get_data (G_OBJECT (self->style), STYLES);
  guint  row = adw_combo_row_get_selected (self->style);

  return names != NULL && row > 0 && row != GTK_INVALID_LIST_POSITION ? names[row - 1] : NULL;
}

static SlExportChoice
choice_of (SlExportDialog *self)
{
  SlExportChoice choice = {
    .format = (SlExportKind) adw_combo_row_get_selected (self->format),
    .preset = (SlExportPreset) adw_combo_row_get_selected (self->preset),
    .caption = gtk_switch_get_active (self->caption),
    .recipe = gtk_switch_get_active (self->recipe),
    .smooth = gtk_switch_get_active (self->smooth),
    .same_colours = gtk_switch_get_active (GTK_SWITCH (child_of (self, "same_colours"))),
    .in_view = gtk_switch_get_active (self->in_view),
  };
  SlExportOptions *page = &choice.page;

  if (style_of (self) != NULL)
    g_strlcpy (choice.style, style_of (self), sizeof choice.style);
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
  page->titles = gtk_switch_get_active (self->titles);
  page->flags = gtk_switch_get_active (self->flags);
  return choice;
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
  text = sl_export_make (&choice, self->session, self->grid, panels, NULL);
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
    facts
      = g_strdup_printf (choice->in_view ? _ ("%s, visible part") : _ ("%s, every sample"), size);
  else if (choice->format == SL_KIND_PNG)
    facts
      = g_strdup_printf (_ ("%.0f × %.0f mm, %.0f × %.0f pixels"), choice->page.width,
                         choice->page.height, rint (choice->page.width / 25.4 * choice->page.dpi),
                         rint (choice->page.height / 25.4 * choice->page.dpi));
  else
    facts = g_strdup_printf (_ ("%.0f × %.0f mm"), choice->page.width, choice->page.height);
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
      seen.page.dpi
        = CLAMP (PREVIEW_PX / (fmax (choice.page.width, choice.page.height) / 25.4), 24.0, 400.0);
      seen.recipe = FALSE;
    }
  bytes = sl_export_make (&seen, self->session, self->grid, &panels, &error);
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

  if (nothing_chosen (self))
    return 0;
  return sl_export_count (&panels, self->session);
}

static void
show_row (SlExportDialog *self, const char *id, gboolean shown)
{
  gtk_widget_set_visible (GTK_WIDGET (child_of (self, id)), shown);
}

static void
on_changed (SlExportDialog *self)
{
  SlExportKind   format = (SlExportKind) adw_combo_row_get_selected (self->format);
  gboolean       table = sl_export_is_table (format);
  SlExportPanels panels;
  double         first, last;

  if (self->filling)
    return;
  panels = panels_of (self);
  gtk_widget_set_visible (GTK_WIDGET (self->plots),
                          adw_combo_row_get_selected (self->what) == CHOSEN);
  show_row (self, "across_row", count (self) > 1);
  gtk_widget_set_visible (GTK_WIDGET (self->legend), !table);
  for (unsigned i = 0; i < G_N_ELEMENTS (page_rows); i++)
    show_row (self, page_rows[i], !table);
  show_row (self, "same_colours_row", !table && count (self) > 1);
  show_row (self, "dpi_row", format == SL_KIND_PNG);
  show_row (self, "view_row",
            table && format != SL_KIND_JSON && sl_export_view (&panels, self->grid, &first, &last));
  show_row (self, "recipe_row", !table || format == SL_KIND_JSON);
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
  unsigned       n = count (self);

  if (self->filling)
    return;
  choice = choice_of (self);
  sl_export_choice_fit (&choice, n, MIN (across, n));
  self->filling = TRUE;
  gtk_adjustment_set_upper (gtk_spin_button_get_adjustment (self->across),
                            CLAMP (n, 1, MOST_ACROSS));
  show_sizes (self, &choice.page);
  self->filling = FALSE;
  on_changed (self);
}

static void
show_looks (SlExportDialog *self, const SlExportOptions *page)
{
  for (unsigned i = 0; i < G_N_ELEMENTS (themes); i++)
    if (themes[i] == page->theme)
      adw_combo_row_set_selected (self->theme, i);
  adw_combo_row_set_selected (self->palette, page->palette);
  adw_combo_row_set_selected (self->legend, page->legend);
  gtk_switch_set_active (self->titles, page->titles);
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
  if (style_of (self) == NULL)
    {
      fit_page (self, 0);
      return;
    }
  choice = choice_of (self);
  if (!sl_export_style_find (style_of (self), &style, &error))
    {
      gtk_label_set_label (self->facts, error->message);
      return;
    }
  sl_export_style_apply (&style, &choice.page, count (self));
  self->filling = TRUE;
  show_sizes (self, &choice.page);
  show_looks (self, &choice.page);
  self->filling = FALSE;
  on_changed (self);
}

/* Names of the styles, and the row of one of them. */
static guint
fill_styles (SlExportDialog *self, const char *chosen)
{
  GtkStringList *names = gtk_string_list_new (NULL);
  char         **styles = sl_export_style_names ();
  guint          row = 0;

  gtk_string_list_append (names, _ ("None"));
  for (guint i = 0; styles[i] != NULL; i++)
    {
      SlExportStyle style;

      if (strcmp (styles[i], chosen) == 0)
        row = i + 1;
      gtk_string_list_append (
        names, sl_export_style_find (styles[i], &style, NULL) && style.name[0] != '\0' ? style.name
                                                                                       : styles[i]);
    }
  adw_combo_row_set_model (self->style, G_LIST_MODEL (names));
  g_object_unref (names);
  g_object_set_data_full (G_OBJECT (self->style), STYLES, styles, (GDestroyNotify) g_strfreev);
  return row;
}

/* Another preset, or another number of plots: another page, on which a chosen style stays. */
static void
on_page (SlExportDialog *self)
{
  fit_page (self, 0);
  if (style_of (self) != NULL)
    on_style (self);
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

gboolean
sl_export_dialog_save (SlExportDialog *self, const char *path, GError **error)
{
  SlExportChoice choice;
  SlExportPanels panels;

  g_return_val_if_fail (SL_IS_EXPORT_DIALOG (self) && path != NULL, FALSE);
  adw_combo_row_set_selected (self->format, sl_export_kind_for (path));
  choice = choice_of (self);
  panels = panels_of (self);
  if (!sl_export_write (&choice, self->session, self->grid, &panels, path, error))
    return FALSE;
  sl_export_choice_store (&choice, self->prefs, count (self));
  self->written.call (self->written.data, &choice, &panels, path);
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
  g_autofree char *name = sl_export_name (&choice, self->session, &panels);
  /* The one that was chosen is first; a name with the ending of another one is of that one. */
  g_autofree char *pattern = g_strdup_printf (
    "*%s *.png *.svg *.pdf *.tikz *.tex *.py *.csv *.npy *.json", strrchr (name, '.'));

  sl_file_dialog_open (
    &self->chooser, GTK_WINDOW (self),
    &(SlFileQuestion) {
      .title = _ ("Export"), .name = name, .kind = _ ("Figures and tables"), .pattern = pattern },
    on_chosen, on_refused, self);
}

static void
fill (SlExportDialog *self, int panel)
{
  const SlLab   *lab = sl_session_lab (self->session);
  GtkStringList *titles = gtk_string_list_new (NULL);
  SlExportChoice choice;

  self->filling = TRUE;
  sl_export_plots_set_session (self->plots, self->session);
  gtk_string_list_append (titles, _ ("Plots shown now"));
  gtk_string_list_append (titles, _ ("All plots on one page"));
  gtk_string_list_append (titles, _ ("Chosen plots on one page"));
  for (unsigned i = 0; i < lab->n_panels; i++)
    gtk_string_list_append (titles, sl_words (lab->panels[i].title));
  adw_combo_row_set_model (self->what, G_LIST_MODEL (titles));
  g_object_unref (titles);
  adw_combo_row_set_selected (self->what, panel < 0 ? SHOWN : (guint) panel + FIRST);
  sl_export_choice_load (&choice, self->prefs, count (self));
  adw_combo_row_set_selected (self->format, choice.format);
  adw_combo_row_set_selected (self->preset, choice.preset);
  gtk_spin_button_set_value (self->dpi, choice.page.dpi);
  gtk_adjustment_set_upper (gtk_spin_button_get_adjustment (self->across), MOST_ACROSS);
  show_sizes (self, &choice.page);
  show_looks (self, &choice.page);
  adw_combo_row_set_selected (self->style, fill_styles (self, choice.style));
  gtk_switch_set_active (self->caption, choice.caption);
  gtk_switch_set_active (self->smooth, choice.smooth);
  gtk_switch_set_active (GTK_SWITCH (child_of (self, "same_colours")), choice.same_colours);
  gtk_switch_set_active (self->flags, choice.page.flags);
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
  if (self->grid != NULL)
    sl_plot_grid_sharpen (self->grid, FALSE);
  g_clear_weak_pointer (&self->grid);
  g_clear_object (&self->session);
  g_clear_object (&self->prefs);
  g_clear_object (&self->chooser);
  sl_widget_dispose (object);
}

static void
sl_export_dialog_class_init (SlExportDialogClass *klass)
{
  static const char *const rows[]
    = { "across_row", "dpi_row", "view_row", "recipe_row", "same_colours_row", "same_colours" };
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_export_dialog_dispose;
  g_type_ensure (SL_TYPE_EXPORT_PLOTS);
  sl_widget_class_set_template (widget, "export/dialog.ui");
  for (unsigned i = 0; i < G_N_ELEMENTS (rows); i++)
    gtk_widget_class_bind_template_child_full (widget, rows[i], FALSE, 0);
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
    SL_CHILD (SlExportDialog, plots), SL_CHILD (SlExportDialog, titles),
    SL_CHILD (SlExportDialog, caption), SL_CHILD (SlExportDialog, smooth),
    SL_CHILD (SlExportDialog, flags), SL_CHILD (SlExportDialog, in_view),
    SL_CHILD (SlExportDialog, recipe), NULL);
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
sl_export_dialog_open (GtkWindow *parent, SlSession *session, SlPlotGrid *grid, SlPrefs *prefs,
                       int panel, SlExportWritten written, gpointer data)
{
  SlExportDialog *self;

  g_return_val_if_fail (SL_IS_SESSION (session) && SL_IS_PLOT_GRID (grid), NULL);
  g_return_val_if_fail (SL_IS_PREFS (prefs) && written != NULL, NULL);
  self = g_object_new (SL_TYPE_EXPORT_DIALOG, "transient-for", parent, NULL);
  self->session = g_object_ref (session);
  g_set_weak_pointer (&self->grid, grid);
  self->prefs = g_object_ref (prefs);
  self->written.call = written;
  self->written.data = data;
  sl_plot_grid_sharpen (grid, TRUE);
  fill (self, panel);
  self->ready = sl_export_plots_refresh (self->plots);
  self->poll = g_timeout_add (POLL_MS, on_poll, self);
  on_changed (self);
  gtk_window_present (GTK_WINDOW (self));
  return self;
}
