/* SPDX-License-Identifier: MIT
 *
 * See class-window.h.  */
#include "ui/charts/class-window.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/run/base/language.h"
#include "core/run/base/save.h"
#include "plot/export/export.h"
#include "ui/charts/class-view.h"
#include "ui/kit/file-dialog.h"
#include "ui/kit/toast.h"

enum { WIDTH = 760, HEIGHT = 700, PLOT_HEIGHT = 300 };

/* One such window. */
typedef struct
{
  SlClass *class;
  GPtrArray            *views; /* of SlClassView, borrowed */
  GtkFileChooserNative *chooser;
  AdwToastOverlay      *toasts;
} Page;

static void
free_page (Page *page)
{
  sl_class_free (page->class);
  g_ptr_array_unref (page->views);
  g_clear_object (&page->chooser);
  g_free (page);
}

static void
say (gpointer page, const char *sentence)
{
  sl_toast_add (((Page *) page)->toasts, sentence, NULL, NULL);
}

/* ---- exports ---- */

static gboolean
save_figure (Page *page, const char *path, GError **error)
{
  unsigned        n = MIN (page->views->len, SL_LESSON_STEPS);
  SlFigure       *figures[SL_LESSON_STEPS];
  int             format = sl_export_format_for (path);
  SlExportOptions options = sl_export_options (SL_PRESET_COLUMNS, n);

  for (unsigned i = 0; i < n; i++)
    figures[i] = sl_chart_get_figure (g_ptr_array_index (page->views, i));
  sl_export_across (&options, SL_PRESET_COLUMNS, n, sl_class_chart_across (n));
  return sl_export_save (figures, n, &options, (SlExportFormat) MAX (format, 0), path, error);
}

static void
on_chosen (gpointer data, const char *path)
{
  Page            *page = data;
  g_autofree char *csv = sl_class_csv (page->class), *name = g_path_get_basename (path);
  g_autofree char *saved = g_strdup_printf (_ ("Saved %s"), name);
  g_autoptr (GError) error = NULL;
  gboolean good = g_str_has_suffix (path, ".csv") ? sl_save (path, csv, strlen (csv), &error)
                                                  : save_figure (page, path, &error);

  say (page, good ? saved : error->message);
}

static void
ask_export (GtkWidget *button, const char *title, const char *name, const char *kind,
            const char *pattern)
{
  GtkWindow     *window = GTK_WINDOW (gtk_widget_get_root (button));
  Page          *page = g_object_get_data (G_OBJECT (window), "page");
  SlFileQuestion question
    = { .title = title, .name = name, .kind = kind, .pattern = pattern, .accept = _ ("_Save") };

  sl_file_dialog_open (&page->chooser, window, &question, on_chosen, say, page);
}

static void
on_table (GtkWidget *button)
{
  ask_export (button, _ ("Save all answers as a table"), _ ("Class.csv"), "CSV", "*.csv");
}

static void
on_figure (GtkWidget *button)
{
  ask_export (button, _ ("Save the plots"), _ ("Class.pdf"), _ ("Figures"), "*.pdf *.png *.svg");
}

/* ---- the window ---- */

static GtkWidget *
make_plots (Page *page)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12),
            *scroller = gtk_scrolled_window_new ();
  unsigned steps[SL_LESSON_STEPS + 1];

  sl_class_steps (page->class, steps);
  for (unsigned *step = steps; *step != 0; step++)
    {
      SlClassView *view = sl_class_view_new (page->class, *step);
      GtkWidget   *title = gtk_label_new (sl_words (sl_chart_get_figure (SL_CHART (view))->title));

      gtk_label_set_wrap (GTK_LABEL (title), TRUE);
      gtk_label_set_xalign (GTK_LABEL (title), 0.0f);
      gtk_widget_add_css_class (title, "heading");
      gtk_widget_set_margin_top (title, 12);
      gtk_box_append (GTK_BOX (box), title);
      gtk_widget_set_size_request (GTK_WIDGET (view), -1, PLOT_HEIGHT);
      gtk_widget_set_hexpand (GTK_WIDGET (view), TRUE);
      gtk_box_append (GTK_BOX (box), GTK_WIDGET (view));
      g_ptr_array_add (page->views, view);
    }
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_margin_bottom (box, 12);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), box);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand (scroller, TRUE);
  return scroller;
}

static GtkWidget *
make_header (Page *page)
{
  const SlAnswers *first = g_ptr_array_index (page->class->people, 0);
  GtkWidget       *header = adw_header_bar_new ();
  GtkWidget       *table = gtk_button_new_with_mnemonic (_ ("_Table…"));
  GtkWidget       *figure = gtk_button_new_with_mnemonic (_ ("_Figure…"));
  g_autofree char *people = g_strdup_printf (
    ngettext ("%u person", "%u people", page->class->people->len), page->class->people->len);

  adw_header_bar_set_title_widget (ADW_HEADER_BAR (header),
                                   adw_window_title_new (sl_words (first->lesson), people));
  g_signal_connect (table, "clicked", G_CALLBACK (on_table), NULL);
  g_signal_connect (figure, "clicked", G_CALLBACK (on_figure), NULL);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), table);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), figure);
  return header;
}

static void
show_class (GtkWindow *parent, SlClass *class)
{
  GtkWidget *window = adw_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  Page      *page = g_new0 (Page, 1);

  page->class = class;
  page->views = g_ptr_array_new ();
  page->toasts = ADW_TOAST_OVERLAY (adw_toast_overlay_new ());
  g_object_set_data_full (G_OBJECT (window), "page", page, (GDestroyNotify) free_page);
  gtk_box_append (GTK_BOX (box), make_header (page));
  adw_toast_overlay_set_child (page->toasts, make_plots (page));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (page->toasts));
  adw_window_set_content (ADW_WINDOW (window), box);
  gtk_window_set_title (GTK_WINDOW (window), _ ("Answers of a class"));
  gtk_window_set_default_size (GTK_WINDOW (window), WIDTH, HEIGHT);
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  gtk_window_present (GTK_WINDOW (window));
}

void
sl_class_window_open (GtkWindow *parent, const char *const *paths, SlClassRefused refuse)
{
  SlClass *class = sl_class_new ();
  g_autoptr (GString) refused = g_string_new (NULL);

  for (; *paths != NULL; paths++)
    {
      g_autoptr (GError) error = NULL;

      if (!sl_class_load (class, *paths, &error))
        g_string_append_printf (refused, "%s%s", refused->len > 0 ? "\n" : "", error->message);
    }
  refuse (parent, refused->len > 0 ? refused->str : NULL);
  if (class->people->len > 0)
    show_class (parent, class);
  else
    sl_class_free (class);
}

static void
on_response (GtkFileChooserNative *chooser, int response, gpointer refuse)
{
  g_autoptr (GListModel) files = response == GTK_RESPONSE_ACCEPT
                                   ? gtk_file_chooser_get_files (GTK_FILE_CHOOSER (chooser))
                                   : NULL;
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; files != NULL && i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);
      char *path = g_file_get_path (file);

      if (path != NULL)
        g_ptr_array_add (paths, path);
    }
  g_ptr_array_add (paths, NULL);
  if (paths->len > 1)
    sl_class_window_open (gtk_native_dialog_get_transient_for (GTK_NATIVE_DIALOG (chooser)),
                          (const char *const *) paths->pdata, (SlClassRefused) refuse);
  g_object_unref (chooser);
}

void
sl_class_window_ask (GtkWindow *parent, SlClassRefused refuse)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (
    _ ("Answers of a class"), parent, GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);

  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (chooser), TRUE);
  g_signal_connect (chooser, "response", G_CALLBACK (on_response), refuse);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}
