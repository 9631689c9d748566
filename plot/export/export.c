/* SPDX-License-Identifier: MIT
 *
 * One page of figures, drawn on the canvas of the format; see export.h.  */
#include "plot/export/export.h"

#include <cairo-pdf.h>
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/run/base/error.h"
#include "core/run/base/language.h"
#include "core/run/record/recipe.h"
#include "plot/base/xml.h"
#include "plot/canvas/image-file.h"
#include "plot/canvas/script.h"
#include "plot/export/describe.h"
#include "plot/export/sheet.h"
#include "plot/export/values.h"

#define PT_PER_PX (72.0 / 96.0)

enum { MOST_PIXELS = 120000000 };

static const struct
{
  const char *id;
  double      width, row, dpi, type, line; /* mm and pt; `row` is the height of a row of figures */
  unsigned    across;                      /* with several figures */
  SlThemeKind theme;
} presets[SL_N_PRESETS] = {
  [SL_PRESET_SCREEN] = { "screen", 160.0, 90.0, 144.0, 8.6, 1.2, 2, SL_THEME_LIGHT },
  [SL_PRESET_SLIDE] = { "slide", 254.0, 142.875, 192.0, 15.0, 2.2, 2, SL_THEME_PROJECTOR },
  [SL_PRESET_COLUMN] = { "column", 84.0, 60.0, 600.0, 7.0, 1.0, 1, SL_THEME_LIGHT },
  [SL_PRESET_COLUMNS] = { "columns", 174.0, 60.0, 600.0, 8.0, 1.0, 2, SL_THEME_LIGHT },
};

SlExportOptions
sl_export_options (SlExportPreset preset, unsigned n)
{
  unsigned p = (unsigned) preset < SL_N_PRESETS ? preset : SL_PRESET_SCREEN;
  unsigned across = MIN (presets[p].across, MAX (n, 1)), rows = (MAX (n, 1) + across - 1) / across;
  SlExportOptions options = {
    .width = presets[p].width,
    .height = presets[p].row * rows,
    .dpi = presets[p].dpi,
    .theme = presets[p].theme,
    .type = presets[p].type,
    .line = presets[p].line,
    .legend = SL_LEGEND_ABOVE,
    .flags = true,
    .notes = true,
    .titles = true,
    .letters = n > 1,
    .across = across,
  };

  /* A slide stays a slide, so that more figures mean smaller type; and one figure across two
   * columns is not a strip.  */
  if (preset == SL_PRESET_SLIDE)
    {
      options.height = presets[p].row;
      options.across = n > 4 ? 3 : across;
      options.type /= 1.0 + 0.13 * (CLAMP (n, 1, 6) - 1.0);
      options.line /= 1.0 + 0.1 * (CLAMP (n, 1, 6) - 1.0);
    }
  else if (preset == SL_PRESET_COLUMNS && n <= 1)
    options.height = 87.0;
  return options;
}

void
sl_export_across (SlExportOptions *options, SlExportPreset preset, unsigned n, unsigned across)
{
  unsigned p = (unsigned) preset < SL_N_PRESETS ? preset : SL_PRESET_SCREEN;

  options->across = CLAMP (across, 1, MAX (n, 1));
  if (preset != SL_PRESET_SLIDE && n > 1)
    options->height = presets[p].row * ((n + options->across - 1) / options->across);
}

const char *
sl_export_preset_id (SlExportPreset preset)
{
  return (unsigned) preset < SL_N_PRESETS ? presets[preset].id : NULL;
}

int
sl_export_preset_find (const char *id)
{
  for (int p = 0; p < SL_N_PRESETS; p++)
    if (strcmp (presets[p].id, id) == 0)
      return p;
  return -1;
}

static const char *const places[SL_N_LEGENDS] = {
  [SL_LEGEND_NONE] = "none",   [SL_LEGEND_ABOVE] = "above",   [SL_LEGEND_BELOW] = "below",
  [SL_LEGEND_RIGHT] = "right", [SL_LEGEND_INSIDE] = "inside", [SL_LEGEND_APART] = "apart",
};

static const char *const themes[] = {
  [SL_THEME_LIGHT] = "light",
  [SL_THEME_DARK] = "dark",
  [SL_THEME_GREY] = "grey",
};

/* Index of a name among some that may be missing, or -1. */
static int
find_name (const char *const *names, size_t n, const char *name)
{
  for (size_t i = 0; i < n; i++)
    if (names[i] != NULL && strcmp (names[i], name) == 0)
      return (int) i;
  return -1;
}

const char *
sl_export_legend_id (SlLegendPlace place)
{
  return places[place];
}

int
sl_export_legend_find (const char *id)
{
  return find_name (places, G_N_ELEMENTS (places), id);
}

const char *
sl_export_theme_id (SlThemeKind theme)
{
  return theme < G_N_ELEMENTS (themes) ? themes[theme] : NULL;
}

int
sl_export_theme_find (const char *id)
{
  return find_name (themes, G_N_ELEMENTS (themes), id);
}

int
sl_export_format_for (const char *path)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  if (g_str_has_suffix (lower, ".png"))
    return SL_EXPORT_PNG;
  if (g_str_has_suffix (lower, ".svg"))
    return SL_EXPORT_SVG;
  if (g_str_has_suffix (lower, ".pdf"))
    return SL_EXPORT_PDF;
  if (g_str_has_suffix (lower, ".py"))
    return SL_EXPORT_MATPLOTLIB;
  if (g_str_has_suffix (lower, ".csv"))
    return SL_EXPORT_CSV;
  return g_str_has_suffix (lower, ".tikz") || g_str_has_suffix (lower, ".tex")
           ? (int) SL_EXPORT_TIKZ
           : -1;
}

static const char *
title_of (const SlPlotSheet *sheet)
{
  return sheet->options->title != NULL ? sheet->options->title : sheet->figures[0]->title;
}

/* A sheet in words: its figures, or the names of a legend. */
static char *
describe (const SlPlotSheet *sheet)
{
  GString *names;

  if (!sheet->legend)
    return sl_export_describe (sheet->figures, sheet->n);
  names = g_string_new ("Legend: ");
  for (unsigned i = 0; i < sheet->n; i++)
    for (unsigned k = 0; k < sheet->frame[i].n_chips; k++)
      g_string_append_printf (names, "%s%s", names->len > strlen ("Legend: ") ? ", " : "",
                              sheet->frame[i].chip[k].text);
  return g_string_free (g_string_append_c (names, '.'), FALSE);
}

static GBytes *
write_svg (const SlPlotSheet *sheet)
{
  g_autofree char *description = describe (sheet);
  SlCanvas *canvas = sl_canvas_svg_new (sheet->text, sheet->options->width, sheet->options->height,
                                        sheet->width, sheet->height, sheet->theme.family,
                                        title_of (sheet), description, sheet->options->recipe);

  sl_plot_sheet_draw (sheet, canvas);
  return sl_canvas_svg_finish (canvas);
}

static GBytes *
write_tikz (const SlPlotSheet *sheet)
{
  g_autofree char *description = describe (sheet);
  SlCanvas *canvas = sl_canvas_tikz_new (sheet->text, sheet->width, sheet->height, title_of (sheet),
                                         description, sheet->options->recipe);

  sl_plot_sheet_draw (sheet, canvas);
  return sl_canvas_tikz_finish (canvas);
}

static GBytes *
write_script (const SlPlotSheet *sheet)
{
  g_autofree char *description = describe (sheet);
  SlScriptPage     page = { .text = sheet->text,
                            .width_mm = sheet->options->width,
                            .height_mm = sheet->options->height,
                            .width = sheet->width,
                            .height = sheet->height,
                            .dpi = sheet->options->dpi,
                            .family = sheet->theme.family,
                            .title = title_of (sheet),
                            .description = description,
                            .recipe = sheet->options->recipe };
  SlCanvas        *canvas = sl_canvas_matplotlib_new (&page);

  sl_plot_sheet_draw (sheet, canvas);
  return sl_canvas_matplotlib_finish (canvas);
}

static cairo_status_t
collect (void *closure, const unsigned char *data, unsigned length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

static void
set_metadata (cairo_surface_t *pdf, cairo_pdf_metadata_t which, const char *text)
{
  g_autofree char *holdable = sl_text_holdable (text);

  cairo_pdf_surface_set_metadata (pdf, which, holdable);
}

static GBytes *
write_pdf (const SlPlotSheet *sheet, GError **error)
{
  GByteArray      *out = g_byte_array_new ();
  cairo_surface_t *pdf = cairo_pdf_surface_create_for_stream (
    collect, out, sheet->width * PT_PER_PX, sheet->height * PT_PER_PX);
  g_autofree char *description = describe (sheet);
  cairo_status_t   status;

  set_metadata (pdf, CAIRO_PDF_METADATA_TITLE, title_of (sheet));
  set_metadata (pdf, CAIRO_PDF_METADATA_SUBJECT, description);
  cairo_pdf_surface_set_metadata (pdf, CAIRO_PDF_METADATA_CREATOR, "Sluice " SL_VERSION);
  /* The time of export would make every file different. */
  cairo_pdf_surface_set_metadata (pdf, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
  if (sheet->options->recipe != NULL)
    {
      g_autofree char *base64 = g_base64_encode ((const guchar *) sheet->options->recipe,
                                                 strlen (sheet->options->recipe));
      g_autofree char *tagged = g_strconcat ("sluice-recipe:", base64, NULL);

      cairo_pdf_surface_set_metadata (pdf, CAIRO_PDF_METADATA_KEYWORDS, tagged);
    }
  sl_plot_sheet_paint (sheet, pdf, PT_PER_PX);
  cairo_surface_finish (pdf);
  status = cairo_surface_status (pdf);
  cairo_surface_destroy (pdf);
  if (status == CAIRO_STATUS_SUCCESS)
    return g_byte_array_free_to_bytes (out);
  g_byte_array_unref (out);
  sl_fail (error, SL_ENOMEM, "PDF", cairo_status_to_string (status), NULL);
  return NULL;
}

static GBytes *
write_png (const SlPlotSheet *sheet, GError **error)
{
  cairo_surface_t *image
    = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) lround (sheet->width * sheet->device),
                                  (int) lround (sheet->height * sheet->device));
  GBytes *bytes = NULL;

  if (cairo_surface_status (image) == CAIRO_STATUS_SUCCESS)
    {
      g_autofree char *description = describe (sheet);

      sl_plot_sheet_paint (sheet, image, sheet->device);
      bytes = sl_png_write (image, sheet->options->dpi, title_of (sheet), description,
                            sheet->options->recipe);
    }
  cairo_surface_destroy (image);
  if (bytes == NULL)
    sl_fail (error, SL_ENOMEM, "PNG", NULL, NULL);
  return bytes;
}

static gboolean
check_number (const char *subject, double value, double lo, double hi, GError **error)
{
  char found[48], least[48], most[48], expected[128];

  if (value >= lo && value <= hi)
    return TRUE;
  g_ascii_formatd (found, sizeof found, "%.6g", value);
  g_ascii_formatd (least, sizeof least, "%.6g", lo);
  g_ascii_formatd (most, sizeof most, "%.6g", hi);
  g_snprintf (expected, sizeof expected, _ ("%s to %s"), least, most);
  return sl_fail (error, SL_EINVAL, subject, found, expected);
}

gboolean
sl_export_check (const SlExportOptions *options, unsigned n, SlExportFormat format, GError **error)
{
  double pixels;

  if (n == 0)
    return sl_fail (error, SL_EINVAL, "figures", _ ("none"), _ ("at least one"));
  if (!check_number ("width in mm", options->width, 10.0, 2000.0, error)
      || !check_number ("height in mm", options->height, 10.0, 2000.0, error)
      || !check_number ("type size in pt", options->type, 2.0, 100.0, error)
      || !check_number ("line width in pt", options->line, 0.05, 20.0, error))
    return FALSE;
  if (format != SL_EXPORT_PNG)
    return TRUE;
  if (!check_number ("DPI", options->dpi, 20.0, 2400.0, error))
    return FALSE;
  pixels = options->width * options->height * options->dpi * options->dpi / (25.4 * 25.4);
  if (pixels <= MOST_PIXELS)
    return TRUE;
  return sl_fail (error, SL_EINVAL, "PNG", _ ("more than 120 million pixels"),
                  _ ("a lower DPI or a smaller size"));
}

static GBytes *
write_sheet (const SlPlotSheet *sheet, SlExportFormat format, GError **error)
{
  if (format == SL_EXPORT_SVG)
    return write_svg (sheet);
  if (format == SL_EXPORT_TIKZ)
    return write_tikz (sheet);
  if (format == SL_EXPORT_MATPLOTLIB)
    return write_script (sheet);
  return format == SL_EXPORT_PDF ? write_pdf (sheet, error) : write_png (sheet, error);
}

static double
device_of (const SlExportOptions *options, SlExportFormat format)
{
  return format == SL_EXPORT_PNG ? options->dpi / 96.0 : 0.0;
}

GBytes *
sl_export_legend (SlFigure *const *figures, unsigned n, const SlExportOptions *options,
                  SlExportFormat format, GError **error)
{
  SlExportOptions above = *options;
  SlPlotSheet     sheet;
  GBytes         *bytes = NULL;

  if (!sl_export_check (options, n, format, error))
    return NULL;
  above.legend = SL_LEGEND_ABOVE;
  above.caption = NULL;
  sl_plot_sheet_init (&sheet, figures, n, &above, device_of (options, format));
  if (sl_plot_sheet_keep_legend (&sheet))
    {
      above.width = sheet.width / SL_PX_PER_MM;
      above.height = sheet.height / SL_PX_PER_MM;
      bytes = write_sheet (&sheet, format, error);
    }
  sl_plot_sheet_clear (&sheet);
  return bytes;
}

static GBytes *
write_values (SlFigure *const *figures, unsigned n, const SlExportOptions *options, GError **error)
{
  char *csv = sl_export_values (figures, n, options->caption, options->in_view, error);

  return csv != NULL ? g_bytes_new_take (csv, strlen (csv)) : NULL;
}

GBytes *
sl_export_page (SlFigure *const *figures, unsigned n, const SlExportOptions *options,
                SlExportFormat format, GError **error)
{
  SlPlotSheet sheet;
  GBytes     *bytes;

  if (!sl_export_check (options, n, format, error))
    return NULL;
  if (format == SL_EXPORT_CSV)
    return write_values (figures, n, options, error);
  sl_plot_sheet_init (&sheet, figures, n, options, device_of (options, format));
  bytes = write_sheet (&sheet, format, error);
  sl_plot_sheet_clear (&sheet);
  return bytes;
}

cairo_surface_t *
sl_export_record (SlFigure *const *figures, unsigned n, const SlExportOptions *options)
{
  cairo_surface_t  *surface;
  cairo_rectangle_t page = { 0.0 };
  SlPlotSheet       sheet;

  sl_plot_sheet_init (&sheet, figures, n, options, 0.0);
  page.width = sheet.width;
  page.height = sheet.height;
  /* Cairo 1.16 loses a copy of one without bounds that is painted into a PDF. */
  surface = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, &page);
  sl_plot_sheet_paint (&sheet, surface, 1.0);
  sl_plot_sheet_clear (&sheet);
  return surface;
}
