/* SPDX-License-Identifier: MIT
 *
 * Plots and worksheets on paper, through the desktop's dialog.  Pages are drawn as vectors before it
 * opens, so that a run may go on meanwhile.  */
#include "ui/export/print.h"

#include "core/run/base/language.h"
#include "core/run/state/state.h"
#include "plot/worksheet/worksheet.h"
#include "ui/export/job.h"

enum { SHEET_WIDTH = 210, SHEET_HEIGHT = 297 }; /* mm of a worksheet, margins included */
enum { HEAD = 8 };                              /* mm above plots */

#define PX_PER_MM (96.0 / 25.4)

typedef struct
{
  GPtrArray     *pages; /* of cairo_surface_t, in px */
  double         width, height;
  char          *head; /* above each page, with its number; NULL: none */
  SlPrintRefused refused;
} Job;

static void
free_job (Job *job)
{
  g_ptr_array_unref (job->pages);
  g_free (job->head);
  g_free (job);
}

/* One line as wide as the page: what the run began from, and which page it is.  */
static void
draw_head (GtkPrintContext *context, const Job *job, int number)
{
  cairo_t *cr = gtk_print_context_get_cairo_context (context);
  g_autoptr (PangoLayout) layout = gtk_print_context_create_pango_layout (context);
  g_autoptr (PangoFontDescription) type = pango_font_description_from_string ("Sans 8");
  g_autofree char *page = g_strdup_printf ("%d/%u", number + 1, job->pages->len);
  int              width, whole = (int) gtk_print_context_get_width (context);

  pango_layout_set_font_description (layout, type);
  pango_layout_set_text (layout, page, -1);
  pango_layout_get_pixel_size (layout, &width, NULL);
  cairo_move_to (cr, whole - width, 0.0);
  pango_cairo_show_layout (cr, layout);
  pango_layout_set_text (layout, job->head, -1);
  pango_layout_set_width (layout, PANGO_SCALE * MAX (whole - 2 * width, 0));
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  cairo_move_to (cr, 0.0, 0.0);
  pango_cairo_show_layout (cr, layout);
}

static void
on_page (GtkPrintOperation *operation, GtkPrintContext *context, int number, Job *job)
{
  cairo_t *cr = gtk_print_context_get_cairo_context (context);
  double   head = job->head != NULL ? gtk_print_context_get_dpi_y (context) * HEAD / 25.4 : 0.0;
  double   across = gtk_print_context_get_width (context) / job->width;
  double   down = (gtk_print_context_get_height (context) - head) / job->height;
  double   scale = MIN (across, down);

  if (job->head != NULL)
    draw_head (context, job, number);
  cairo_translate (cr, (gtk_print_context_get_width (context) - scale * job->width) / 2.0, head);
  cairo_scale (cr, scale, scale);
  cairo_set_source_surface (cr, g_ptr_array_index (job->pages, number), 0.0, 0.0);
  cairo_paint (cr);
}

static void
on_done (GtkPrintOperation *operation, GtkPrintOperationResult result, GtkWindow *window)
{
  const Job *job = g_object_get_data (G_OBJECT (operation), "job");
  g_autoptr (GError) error = NULL;

  if (result != GTK_PRINT_OPERATION_RESULT_ERROR)
    return;
  gtk_print_operation_get_error (operation, &error);
  job->refused (window, error->message);
}

/* The dialog has no main loop of its own, so that the program can end while it is open.  Takes `pages` and
 * `head` over.  `path`: into that file (PDF) instead of asking. */
static void
print_pages (GtkWindow *window, GPtrArray *pages, gboolean sheet, char *head, const char *title,
             const char *path, SlPrintRefused refused)
{
  g_autoptr (GtkPrintOperation) operation = gtk_print_operation_new ();
  g_autoptr (GtkPrintSettings) settings = gtk_print_settings_new ();
  Job *job = g_new0 (Job, 1);

  job->pages = pages;
  job->head = head;
  job->refused = refused;
  job->width = (sheet ? SHEET_WIDTH : SL_PRINT_WIDTH) * PX_PER_MM;
  job->height = (sheet ? SHEET_HEIGHT : SL_PRINT_HEIGHT) * PX_PER_MM;
  gtk_print_operation_set_n_pages (operation, (int) pages->len);
  gtk_print_operation_set_use_full_page (operation, sheet);
  gtk_print_operation_set_embed_page_setup (operation, TRUE);
  gtk_print_operation_set_job_name (operation, title);
  gtk_print_settings_set (settings, GTK_PRINT_SETTINGS_OUTPUT_BASENAME, title);
  gtk_print_operation_set_print_settings (operation, settings);
  if (path != NULL)
    gtk_print_operation_set_export_filename (operation, path);
  g_object_set_data_full (G_OBJECT (operation), "job", job, (GDestroyNotify) free_job);
  g_signal_connect (operation, "draw-page", G_CALLBACK (on_page), job);
  g_signal_connect_object (operation, "done", G_CALLBACK (on_done), window, 0);
  gtk_print_operation_set_allow_async (operation, path == NULL);
  gtk_print_operation_run (operation,
                           path != NULL ? GTK_PRINT_OPERATION_ACTION_EXPORT
                                        : GTK_PRINT_OPERATION_ACTION_PRINT_DIALOG,
                           window, NULL);
}

char *
sl_export_state (SlSession *session, int panel, GError **error)
{
  SlState state = { .lab = sl_session_lab (session),
                    .settings = *sl_session_settings (session),
                    .seed = sl_session_seed (session),
                    .panel = panel };

  if (state.lab->data != SL_NEEDS_NOTHING)
    g_strlcpy (state.data, sl_session_spec (session), sizeof state.data);
  return sl_state_write (&state, error);
}

/* The line that begins the run again, or its lab and data where no line of text can. */
static char *
dup_head (SlSession *session, int maximised)
{
  const char *spec = sl_session_spec (session);
  char       *line = sl_export_state (session, maximised, NULL);

  return line != NULL ? line
                      : g_strdup_printf ("%s · %s", sl_words (sl_session_lab (session)->title),
                                         spec != NULL ? spec : "");
}

void
sl_print_page (GtkWindow *window, cairo_surface_t *page, const char *path, SlPrintRefused refused)
{
  GPtrArray *pages = g_ptr_array_new_with_free_func ((GDestroyNotify) cairo_surface_destroy);

  g_ptr_array_add (pages, page);
  print_pages (window, pages, FALSE, NULL, "Sluice", path, refused);
}

gboolean
sl_print_plots (GtkWindow *window, SlSession *session, SlPlotGrid *grid, const char *path,
                SlPrintRefused refused, GError **error)
{
  int            panel = sl_plot_grid_get_maximised (grid);
  SlExportPanels panels = sl_export_shown (grid);
  GPtrArray     *pages = sl_export_print (session, grid, &panels, error);

  if (pages != NULL)
    print_pages (window, pages, FALSE, dup_head (session, panel),
                 sl_words (sl_session_lab (session)->title), path, refused);
  return pages != NULL;
}

void
sl_print_lesson (GtkWindow *window, const SlLesson *lesson, SlPrintRefused refused)
{
  GPtrArray *pages = g_ptr_array_new_with_free_func ((GDestroyNotify) cairo_surface_destroy);
  unsigned   n = sl_worksheet_draw (lesson, NULL, 0);
  /* A4 in px; Cairo 1.16 loses a copy of a page without bounds. */
  const cairo_rectangle_t paper = { 0.0, 0.0, 210.0 * 96.0 / 25.4, 297.0 * 96.0 / 25.4 };

  for (unsigned page = 0; page < n; page++)
    {
      cairo_surface_t *surface = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, &paper);
      cairo_t         *cr = cairo_create (surface);

      cairo_scale (cr, 96.0 / 72.0, 96.0 / 72.0);
      sl_worksheet_draw (lesson, cr, page);
      cairo_destroy (cr);
      g_ptr_array_add (pages, surface);
    }
  print_pages (window, pages, TRUE, NULL, sl_words (lesson->title), NULL, refused);
}
