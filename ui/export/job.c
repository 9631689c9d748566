/* SPDX-License-Identifier: MIT */
#include "ui/export/job.h"
#include "ui/kit/clipboard.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/run/base/save.h"
#include "core/run/files/table-npy.h"
#include "core/run/files/table.h"
#include "plot/export/style.h"
#include "plot/figure/panel.h"

static const char *const kind_ids[SL_N_KINDS]
  = { "png", "svg", "pdf", "tikz", "py", "csv", "npy", "json" };

/* The formats of pages come first, in their own order. */
G_STATIC_ASSERT ((int) SL_KIND_CSV == (int) SL_EXPORT_CSV);

static SlExportKind
find_kind (const char *id)
{
  for (unsigned i = 0; i < SL_N_KINDS; i++)
    if (g_ascii_strcasecmp (kind_ids[i], id) == 0)
      return (SlExportKind) i;
  return SL_KIND_PNG;
}

SlExportKind
sl_export_kind_for (const char *path)
{
  const char *dot = strrchr (path, '.');
  int         format = sl_export_format_for (path);

  if (format >= 0)
    return (SlExportKind) format;
  return dot != NULL ? find_kind (dot + 1) : SL_KIND_PNG;
}

gboolean
sl_export_is_table (SlExportKind kind)
{
  return kind >= SL_KIND_CSV;
}

void
sl_export_choice_fit (SlExportChoice *choice, unsigned n, unsigned across)
{
  SlExportOptions options = sl_export_options (choice->preset, n);

  if (across > 0)
    sl_export_across (&options, choice->preset, n, across);
  choice->page.across = options.across;
  choice->page.width = options.width;
  choice->page.height = options.height;
  choice->page.type = options.type;
  choice->page.line = options.line;
}

void
sl_export_choice_load (SlExportChoice *choice, SlPrefs *prefs, unsigned n)
{
  g_autofree char *format = sl_prefs_get_string (prefs, "export-format");
  g_autofree char *preset = sl_prefs_get_string (prefs, "export-preset");
  g_autofree char *theme = sl_prefs_get_string (prefs, "export-theme");
  g_autofree char *legend = sl_prefs_get_string (prefs, "export-legend");
  g_autofree char *palette = sl_prefs_get_string (prefs, "export-palette");
  g_autofree char *style = sl_prefs_get_string (prefs, "export-style");

  *choice = (SlExportChoice) {
    .format = find_kind (format),
    .preset = (SlExportPreset) MAX (0, sl_export_preset_find (preset)),
    .caption = sl_prefs_get_boolean (prefs, "export-caption"),
    .smooth = sl_prefs_get_boolean (prefs, "export-smooth"),
    .recipe = sl_prefs_get_boolean (prefs, "export-recipe"),
    .same_colours = sl_prefs_get_boolean (prefs, "export-same-colours"),
  };
  choice->page = sl_export_options (choice->preset, 1);
  choice->page.width = sl_prefs_get_double (prefs, "export-width");
  choice->page.height = sl_prefs_get_double (prefs, "export-height");
  choice->page.dpi = sl_prefs_get_double (prefs, "export-dpi");
  choice->page.type = sl_prefs_get_double (prefs, "export-type");
  choice->page.line = sl_prefs_get_double (prefs, "export-line");
  choice->page.theme = (SlThemeKind) MAX (sl_export_theme_find (theme), 0);
  choice->page.palette = (SlPaletteKind) MAX (sl_palette_find (palette), 0);
  g_strlcpy (choice->style, style, sizeof choice->style);
  choice->page.legend = (SlLegendPlace) MAX (sl_export_legend_find (legend), 0);
  choice->page.titles = sl_prefs_get_boolean (prefs, "export-titles");
  choice->page.flags = sl_prefs_get_boolean (prefs, "export-flags");
  choice->page.across = 1;
  if (n > 1)
    sl_export_choice_fit (choice, n, 0);
}

void
sl_export_choice_store (const SlExportChoice *choice, SlPrefs *prefs, unsigned n)
{
  g_object_set (prefs, "export-format", kind_ids[choice->format], "export-preset",
                sl_export_preset_id (choice->preset), "export-dpi", choice->page.dpi,
                "export-theme", sl_export_theme_id (choice->page.theme), "export-legend",
                sl_export_legend_id (choice->page.legend), "export-titles", choice->page.titles,
                "export-caption", choice->caption, "export-smooth", choice->smooth,
                "export-palette", sl_palette_id (choice->page.palette), "export-style",
                choice->style, "export-flags", choice->page.flags, "export-recipe", choice->recipe,
                "export-same-colours", choice->same_colours, NULL);
  if (n == 1)
    g_object_set (prefs, "export-width", choice->page.width, "export-height", choice->page.height,
                  "export-type", choice->page.type, "export-line", choice->page.line, NULL);
}

static GBytes *
take_text (char *text, GError **error)
{
  if (text != NULL)
    return g_bytes_new_take (text, strlen (text));
  g_set_error_literal (error, SL_ERROR, SL_ENOMEM,
                       _ ("There is not enough memory for this export"));
  return NULL;
}

SlExportPanels
sl_export_panels (int panel)
{
  return (SlExportPanels) { .n = panel >= 0, .panel = { (unsigned) MAX (panel, 0) } };
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
                       _ ("This plot is no table of numbers; CSV or JSON can hold it"));
  return NULL;
}

static GBytes *
make_table (const SlExportChoice *choice, SlSession *session, SlPlotGrid *grid,
            const SlExportPanels *panels, GError **error)
{
  const SlRecord  *record = sl_session_record (session);
  g_autofree char *recipe = choice->recipe ? sl_session_recipe (session) : NULL;
  double           first = -HUGE_VAL, last = HUGE_VAL;

  if (choice->format == SL_KIND_JSON)
    return take_text (sl_table_json (record, recipe), error);
  if (choice->in_view)
    sl_export_view (panels, grid, &first, &last);
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
copy_figure (SlFigure *figure, const SlExportChoice *choice, SlSession *session, SlPlotGrid *grid,
             unsigned panel)
{
  const SlFigure *shown = figure_at (grid, panel);

  *figure = (SlFigure) { 0 };
  sl_panel_update (figure, sl_session_record (session), panel, NULL, 0);
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

/* The figures of a page and how it looks. */
typedef struct
{
  unsigned        asked, n;
  SlFigure       *figure; /* (asked) owned */
  SlFigure       *page[SL_PANELS_MAX];
  SlExportOptions options;
  SlExportStyle   style;
  SlColours       colours;
  char           *recipe, *caption;
} Page;

static void
page_free (Page *page)
{
  for (unsigned i = 0; i < page->asked; i++)
    sl_figure_clear (&page->figure[i]);
  g_free (page->figure);
  g_free (page->recipe);
  g_free (page->caption);
  g_free (page);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Page, page_free)

/* Sets the looks of a page, which holds what the options borrow. */
static void
choose_looks (Page *page, const SlExportChoice *choice, SlSession *session)
{
  page->options = choice->page;
  page->recipe = sl_session_recipe (session);
  page->caption = page->recipe != NULL ? sl_export_caption (page->recipe) : NULL;
  if (choice->same_colours)
    page->options.colours = &page->colours;
  if (choice->style[0] != '\0' && sl_export_style_find (choice->style, &page->style, NULL))
    {
      if (page->style.font[0] != '\0')
        page->options.font = page->style.font;
      sl_export_style_colour (&page->style, &page->options);
    }
  page->options.letters = page->n > 1;
  page->options.caption = choice->caption ? page->caption : NULL;
  page->options.recipe = choice->recipe ? page->recipe : NULL;
}

/* NULL with a sentence when there is nothing to show. */
static Page *
page_new (const SlExportChoice *choice, SlSession *session, SlPlotGrid *grid,
          const SlExportPanels *panels, GError **error)
{
  g_autoptr (Page) page = g_new0 (Page, 1);

  page->asked = asked_for (panels, grid);
  page->figure = g_new0 (SlFigure, page->asked);
  for (unsigned i = 0; i < page->asked; i++)
    if (copy_figure (&page->figure[i], choice, session, grid, panel_at (panels, i)))
      page->page[page->n++] = &page->figure[i];
  if (page->n == 0)
    {
      g_set_error_literal (error, SL_ERROR, SL_EINVAL, _ ("There is nothing to export yet"));
      return NULL;
    }
  choose_looks (page, choice, session);
  return g_steal_pointer (&page);
}

static GBytes *
make_page (const SlExportChoice *choice, SlSession *session, SlPlotGrid *grid,
           const SlExportPanels *panels, GError **error)
{
  g_autoptr (Page) page = page_new (choice, session, grid, panels, error);

  return page != NULL ? sl_export_page (page->page, page->n, &page->options,
                                        (SlExportFormat) choice->format, error)
                      : NULL;
}

GBytes *
sl_export_make (const SlExportChoice *choice, SlSession *session, SlPlotGrid *grid,
                const SlExportPanels *panels, GError **error)
{
  if (sl_export_is_table (choice->format))
    return make_table (choice, session, grid, panels, error);
  return make_page (choice, session, grid, panels, error);
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
  g_autofree char            *recipe = sl_session_recipe (session);
  g_autofree char            *caption = recipe != NULL ? sl_export_heading (recipe) : NULL;
  unsigned                    asked = asked_for (panels, grid), n = 0;
  g_autofree SlFigure        *figure = g_new0 (SlFigure, asked);
  SlFigure                   *page[SL_PANELS_MAX];
  GPtrArray *pages = g_ptr_array_new_with_free_func ((GDestroyNotify) cairo_surface_destroy);

  for (unsigned i = 0; i < asked; i++)
    if (copy_figure (&figure[i], &as_seen, session, grid, panel_at (panels, i)))
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

static gboolean
write_page (const SlExportChoice *choice, SlSession *session, SlPlotGrid *grid,
            const SlExportPanels *panels, const char *path, GError **error)
{
  g_autoptr (Page) page = page_new (choice, session, grid, panels, error);

  return page != NULL
         && sl_export_save (page->page, page->n, &page->options, (SlExportFormat) choice->format,
                            path, error);
}

gboolean
sl_export_write (const SlExportChoice *choice, SlSession *session, SlPlotGrid *grid,
                 const SlExportPanels *panels, const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;
  gsize       length;
  const void *data;

  if (!sl_export_is_table (choice->format))
    return write_page (choice, session, grid, panels, path, error);
  bytes = make_table (choice, session, grid, panels, error);
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
  SlClipboardForm     form[G_N_ELEMENTS (offers)];
  SlExportChoice      choice = { .preset = SL_PRESET_SCREEN,
                                 .page = sl_export_options (SL_PRESET_SCREEN, 1),
                                 .caption = TRUE,
                                 .recipe = TRUE,
                                 .smooth = TRUE };
  SlExportPanels      panels = sl_export_panels (panel);
  GdkContentProvider *all = NULL;
  unsigned            n = 0;

  choice.page.dpi = 192;
  for (; n < G_N_ELEMENTS (offers); n++)
    {
      choice.format = offers[n].kind;
      form[n].type = offers[n].type;
      form[n].bytes = sl_export_make (&choice, session, grid, &panels, error);
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
      name = sl_export_name (&choice, session, &panels);
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
sl_export_name (const SlExportChoice *choice, SlSession *session, const SlExportPanels *panels)
{
  const SlLab     *lab = sl_session_lab (session);
  g_autofree char *several = g_strdup_printf ("%u-plots", panels->n);

  return g_strdup_printf ("%s-%s-seed%" G_GUINT64_FORMAT "-step%" G_GUINT64_FORMAT ".%s", lab->id,
                          panels->n == 0   ? "all"
                          : panels->n == 1 ? lab->panels[panels->panel[0]].id
                                           : several,
                          sl_session_seed (session), sl_session_info (session)->step,
                          kind_ids[choice->format]);
}
