/* SPDX-License-Identifier: MIT */
#include "ui/export/job.h"
#include "ui/kit/clipboard.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/run/base/save.h"
#include "core/run/files/table-npy.h"
#include "core/run/files/table.h"
#include "plot/figure/panel.h"
#include "ui/export/drawn.h"

struct SlExportMoment
{
  SlRecord    record;
  gboolean    copied;
  char       *recipe;
  uint64_t    seed, step;
  SlPlotGrid *grid; /* borrowed */
};

SlExportMoment *
sl_export_moment_new (SlSession *session, SlPlotGrid *grid)
{
  SlExportMoment *moment = g_new0 (SlExportMoment, 1);

  moment->copied
    = sl_record_copy (&moment->record, sl_session_record (session), sl_session_settings (session));
  moment->recipe = sl_session_recipe (session);
  moment->seed = sl_session_seed (session);
  moment->step = sl_session_info (session)->step;
  moment->grid = grid;
  return moment;
}

void
sl_export_moment_free (SlExportMoment *moment)
{
  if (moment->copied)
    sl_record_clear (&moment->record);
  g_free (moment->recipe);
  g_free (moment);
}

static gboolean
refuse_memory (GError **error)
{
  g_set_error_literal (error, SL_ERROR, SL_ENOMEM,
                       _ ("There is not enough memory for this export"));
  return FALSE;
}

static GBytes *
take_text (char *text, GError **error)
{
  if (text != NULL)
    return g_bytes_new_take (text, strlen (text));
  refuse_memory (error);
  return NULL;
}

SlExportPanels
sl_export_shown (SlPlotGrid *grid)
{
  SlExportPanels panels = { 0 };

  panels.n = sl_plot_grid_get_shown (grid, panels.panel);
  return panels;
}

/* How many plots that is, with data or without, and which one is number i of them. */
static unsigned
asked_for (const SlExportPanels *panels, SlPlotGrid *grid)
{
  return panels->n > 0 ? panels->n : sl_plot_grid_get_n_cards (grid);
}

static const SlFigure *
figure_at (SlPlotGrid *grid, unsigned panel)
{
  return sl_plot_view_get_figure (sl_plot_grid_get_view (grid, panel));
}

static unsigned
panel_at (const SlExportPanels *panels, unsigned i)
{
  return panels->n > 0 ? panels->panel[i] : i;
}

gboolean
sl_export_view (const SlExportPanels *panels, SlPlotGrid *grid, double *first, double *last)
{
  for (unsigned i = 0; i < asked_for (panels, grid); i++)
    {
      const SlFigure *figure = figure_at (grid, panel_at (panels, i));

      if (!sl_panel_is_series (figure->kind) || !figure->view.zoomed)
        continue;
      *first = figure->view.x_lo;
      *last = figure->view.x_hi;
      return TRUE;
    }
  return FALSE;
}

static GBytes *
make_npy (const SlRecord *record, const SlExportPanels *panels, double first, double last,
          GError **error)
{
  if (panels->n != 1)
    return sl_table_npy (record, first, last);
  if (sl_table_has_npy (record->lab->panels[panels->panel[0]].kind))
    return sl_table_panel_npy (record, panels->panel[0], first, last);
  g_set_error_literal (error, SL_ERROR, SL_EINVAL,
                       _ ("This plot is no table of numbers; use CSV or JSON"));
  return NULL;
}

static GBytes *
make_table (const SlExportChoice *choice, const SlExportMoment *moment,
            const SlExportPanels *panels, GError **error)
{
  const SlRecord *record = &moment->record;
  double          first = -HUGE_VAL, last = HUGE_VAL;

  if (choice->format == SL_KIND_JSON)
    return take_text (sl_table_json (record, choice->recipe ? moment->recipe : NULL), error);
  if (choice->in_view)
    sl_export_view (panels, moment->grid, &first, &last);
  if (choice->format == SL_KIND_NPY)
    return make_npy (record, panels, first, last, error);
  if (panels->n == 1)
    return take_text (sl_table_panel_csv (record, panels->panel[0], first, last), error);
  return take_text (sl_table_csv (record, first, last), error);
}

gboolean
sl_export_has_data (SlSession *session, unsigned panel)
{
  SlFigure figure = { 0 };
  gboolean any;

  sl_panel_update (&figure, sl_session_record (session), panel, NULL, 0);
  any = !sl_figure_empty (&figure);
  sl_figure_clear (&figure);
  return any;
}

unsigned
sl_export_count (const SlExportPanels *panels, SlSession *session)
{
  unsigned n = 0, asked = panels->n > 0 ? panels->n : sl_session_lab (session)->n_panels;

  for (unsigned i = 0; i < asked; i++)
    n += sl_export_has_data (session, panel_at (panels, i));
  return n;
}

/* A figure of its own, so that the one on the screen keeps its state. */
static gboolean
copy_figure (SlFigure *figure, const SlExportChoice *choice, const SlExportMoment *moment,
             unsigned panel)
{
  const SlFigure *shown = figure_at (moment->grid, panel);

  *figure = (SlFigure) { 0 };
  sl_panel_update (figure, &moment->record, panel, NULL, 0);
  if (shown->view_set)
    figure->view = shown->view;
  figure->view.reached = 0.0;
  figure->notes = shown->notes;
  figure->picks.picked = shown->picks.picked;
  if (!choice->smooth)
    figure->view.smooth = 0.0;
  for (unsigned i = 0; i < figure->n_curves; i++)
    {
      int same = sl_figure_find (shown, figure->curve[i].id);

      if (same >= 0)
        figure->curve[i].hidden = shown->curve[same].hidden;
    }
  return !sl_figure_empty (figure);
}

/* The figures of a page with what is told about them. */
typedef struct
{
  unsigned      asked;
  SlFigure     *figure; /* (asked) owned */
  SlFigure     *page[SL_PANELS_MAX];
  char         *caption;
  SlExportDrawn drawn;
} Page;

static void
page_free (Page *page)
{
  for (unsigned i = 0; i < page->asked; i++)
    sl_figure_clear (&page->figure[i]);
  g_free (page->figure);
  g_free (page->caption);
  g_free (page);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Page, page_free)

static Page *
page_new (const SlExportChoice *choice, const SlExportMoment *moment, const SlExportPanels *panels)
{
  Page *page = g_new0 (Page, 1);

  page->asked = asked_for (panels, moment->grid);
  page->figure = g_new0 (SlFigure, page->asked);
  for (unsigned i = 0; i < page->asked; i++)
    if (copy_figure (&page->figure[i], choice, moment, panel_at (panels, i)))
      page->page[page->drawn.n++] = &page->figure[i];
  page->caption = moment->recipe != NULL ? sl_export_caption (moment->recipe) : NULL;
  page->drawn.figures = page->page;
  page->drawn.caption = page->caption;
  page->drawn.recipe = moment->recipe;
  return page;
}

GBytes *
sl_export_make (const SlExportChoice *choice, const SlExportMoment *moment,
                const SlExportPanels *panels, GError **error)
{
  g_autoptr (Page) page = NULL;

  if (!moment->copied)
    {
      refuse_memory (error);
      return NULL;
    }
  if (sl_export_is_table (choice->format))
    return make_table (choice, moment, panels, error);
  page = page_new (choice, moment, panels);
  return sl_export_drawn_make (&page->drawn, choice, error);
}

void
sl_export_fit_page (SlExportChoice *choice, const SlExportMoment *moment,
                    const SlExportPanels *panels)
{
  g_autoptr (Page) page = NULL;

  if (!moment->copied)
    return;
  page = page_new (choice, moment, panels);
  choice->page.caption = choice->caption ? page->caption : NULL;
  sl_export_fit (&choice->page, choice->preset, page->page, page->drawn.n);
  choice->page.caption = NULL;
}

static cairo_surface_t *
record_page (SlFigure *const *figures, unsigned n, gboolean alone, const char *caption)
{
  SlExportOptions options = sl_export_options (SL_PRESET_COLUMNS, n);

  options.width = SL_PRINT_WIDTH;
  options.height = alone ? SL_PRINT_HEIGHT / 2.0 : SL_PRINT_HEIGHT;
  options.across = alone ? 1 : 2;
  options.caption = caption;
  if (!alone && n < SL_PRINT_PLOTS) /* a page that is not full keeps the size of its plots */
    options.height *= (double) ((n + 1) / 2) / (SL_PRINT_PLOTS / 2.0);
  return sl_export_record (figures, n, &options);
}

GPtrArray *
sl_export_print (SlSession *session, SlPlotGrid *grid, const SlExportPanels *panels, GError **error)
{
  static const SlExportChoice as_seen = { .smooth = TRUE };
  g_autoptr (SlExportMoment) moment = sl_export_moment_new (session, grid);
  g_autofree char     *caption = moment->recipe != NULL ? sl_export_heading (moment->recipe) : NULL;
  unsigned             asked = asked_for (panels, grid), n = 0;
  g_autofree SlFigure *figure = g_new0 (SlFigure, asked);
  SlFigure            *page[SL_PANELS_MAX];
  GPtrArray *pages = g_ptr_array_new_with_free_func ((GDestroyNotify) cairo_surface_destroy);

  for (unsigned i = 0; i < asked && moment->copied; i++)
    if (copy_figure (&figure[i], &as_seen, moment, panel_at (panels, i)))
      page[n++] = &figure[i];
  for (unsigned i = 0; i < n; i += SL_PRINT_PLOTS)
    g_ptr_array_add (pages, record_page (page + i, MIN (n - i, SL_PRINT_PLOTS), n == 1, caption));
  for (unsigned i = 0; i < asked; i++)
    sl_figure_clear (&figure[i]);
  if (n > 0)
    return pages;
  g_ptr_array_unref (pages);
  g_set_error_literal (error, SL_ERROR, SL_EINVAL, _ ("There is nothing to print yet"));
  return NULL;
}

gboolean
sl_export_write (const SlExportChoice *choice, const SlExportMoment *moment,
                 const SlExportPanels *panels, const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (Page) page = NULL;
  gsize       length;
  const void *data;

  if (!moment->copied)
    return refuse_memory (error);
  if (!sl_export_is_table (choice->format))
    {
      page = page_new (choice, moment, panels);
      return sl_export_drawn_save (&page->drawn, choice, path, error);
    }
  bytes = make_table (choice, moment, panels, error);
  if (bytes == NULL)
    return FALSE;
  data = g_bytes_get_data (bytes, &length);
  return sl_save (path, data, length, error);
}

/* A file in a list of one. */
static GdkContentProvider *
offer_file (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  GdkFileList        *list = gdk_file_list_new_from_array (&file, 1);
  GdkContentProvider *offer = gdk_content_provider_new_typed (GDK_TYPE_FILE_LIST, list);

  g_boxed_free (GDK_TYPE_FILE_LIST, list);
  return offer;
}

GdkContentProvider *
sl_export_offer (SlSession *session, SlPlotGrid *grid, int panel, const char *folder,
                 GError **error)
{
  static const struct
  {
    SlExportKind kind;
    const char  *type;
  } offers[] = { { SL_KIND_PNG, "image/png" },
                 { SL_KIND_SVG, "image/svg+xml" },
                 { SL_KIND_CSV, "text/csv" } };
  SlClipboardForm form[G_N_ELEMENTS (offers)];
  SlExportChoice  choice = { .preset = SL_PRESET_SCREEN,
                             .page = sl_export_options (SL_PRESET_SCREEN, 1),
                             .caption = TRUE,
                             .recipe = TRUE,
                             .smooth = TRUE };
  SlExportPanels  panels = sl_export_panels (panel);
  g_autoptr (SlExportMoment) moment = sl_export_moment_new (session, grid);
  GdkContentProvider *all = NULL;
  unsigned            n = 0;

  choice.page.dpi = 192;
  for (; n < G_N_ELEMENTS (offers); n++)
    {
      choice.format = offers[n].kind;
      form[n].type = offers[n].type;
      form[n].bytes = sl_export_make (&choice, moment, &panels, error);
      if (form[n].bytes == NULL)
        break;
    }
  if (n == G_N_ELEMENTS (offers))
    all = sl_clipboard_offer (form, n);
  if (all != NULL && folder != NULL)
    {
      g_autofree char *name = NULL, *path = NULL;
      gsize            length;
      const void      *data = g_bytes_get_data (form[0].bytes, &length);

      choice.format = SL_KIND_PNG;
      name = sl_export_name (&choice, moment, &panels);
      path = g_build_filename (folder, name, NULL);
      if (sl_save (path, data, length, error))
        all
          = gdk_content_provider_new_union ((GdkContentProvider *[]) { offer_file (path), all }, 2);
      else
        g_clear_object (&all);
    }
  while (n > 0)
    g_bytes_unref (form[--n].bytes);
  return all;
}

char *
sl_export_name (const SlExportChoice *choice, const SlExportMoment *moment,
                const SlExportPanels *panels)
{
  const SlLab     *lab = moment->record.lab;
  g_autofree char *several = g_strdup_printf ("%u-plots", panels->n);

  return g_strdup_printf ("%s-%s-seed%" G_GUINT64_FORMAT "-step%" G_GUINT64_FORMAT ".%s", lab->id,
                          panels->n == 0   ? "all"
                          : panels->n == 1 ? lab->panels[panels->panel[0]].id
                                           : several,
                          moment->seed, moment->step, sl_export_kind_id (choice->format));
}
