/* SPDX-License-Identifier: MIT
 *
 * One page of figures, drawn on whichever canvas the format asks for; see export.h.  */
#include "ui/plot/export.h"

#include <cairo-pdf.h>
#include <math.h>
#include <string.h>

#include "core/run/error.h"
#include "core/run/recipe.h"
#include "core/run/table.h"
#include "ui/plot/draw.h"
#include "ui/plot/image-file.h"

#define PX_PER_MM (96.0 / 25.4)
#define PX_PER_PT (96.0 / 72.0)

enum { CAPTION_LINES = 12, MOST_PIXELS = 120000000 };

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
  [SL_PRESET_COLUMNS] = { "columns", 174.0, 58.0, 600.0, 7.5, 1.0, 2, SL_THEME_LIGHT },
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
    .legend = true,
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

int
sl_export_format_for (const char *path)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  if (g_str_has_suffix (lower, ".png"))
    return SL_EXPORT_PNG;
  if (g_str_has_suffix (lower, ".svg"))
    return SL_EXPORT_SVG;
  return g_str_has_suffix (lower, ".pdf") ? (int) SL_EXPORT_PDF : -1;
}

char *
sl_export_caption (const char *recipe)
{
  static const char dot[] = " \302\267 ";
  SlRecipe read;
  SlSettings plain;
  GString *caption;

  if (recipe == NULL || !sl_recipe_read (recipe, &read, NULL))
    return NULL;
  caption = g_string_new (read.lab->title);
  sl_settings_default (&plain, read.lab->params, read.lab->n_params);
  sl_settings_settle (&plain, read.lab->params, read.lab->n_params);
  for (unsigned p = 0; p < read.lab->n_params; p++)
    {
      const SlParam *param = &read.lab->params[p];
      char now[128], usual[128];

      sl_param_format (param, &read.settings.value[p], now, sizeof now);
      sl_param_format (param, &plain.value[p], usual, sizeof usual);
      if (strcmp (now, usual) != 0
          && sl_param_matters (&read.settings, read.lab->params, read.lab->n_params, p))
        g_string_append_printf (caption, "%s%s %s", dot, param->id, now);
    }
  if (read.data[0] != '\0')
    g_string_append_printf (caption, "%s%s", dot, read.data);
  g_string_append_printf (caption, "%sseed %" G_GUINT64_FORMAT, dot, read.seed);
  if (read.step > 0)
    g_string_append_printf (caption, "%supdate %" G_GUINT64_FORMAT, dot, read.step);
  sl_recipe_clear (&read);
  return g_string_free (caption, FALSE);
}

/* One page under construction. */
typedef struct
{
  SlFigure *const       *figures;
  unsigned               n, across, down;
  const SlExportOptions *options;
  SlTheme                theme;
  SlText                *text;
  double                 width, height; /* px */
  double                 device;        /* device pixels per px, 0 for vectors */
  char                 **caption; /* (n_lines) */
  unsigned               n_lines;
  double                 line_height, caption_height;
} Page;

static SlTheme
theme_for (const SlExportOptions *options)
{
  SlTheme theme = sl_theme_get (options->theme);
  double type = options->type * PX_PER_PT, line = options->line * PX_PER_PT;

  theme.marker = MAX (0.45 * type, 2.8 * line);
  theme.hair = MAX (0.45 * line, 0.4);
  theme.type = type;
  theme.title = 1.15 * type;
  theme.line = line;
  return theme;
}

/* Breaks the caption into lines that fit the page. */
static void
wrap_caption (Page *page)
{
  double size = 0.92 * page->theme.type, room = page->width - 1.3 * page->theme.type;

  page->caption = sl_text_wrap (page->text, page->options->caption, size, room, CAPTION_LINES);
  page->n_lines = g_strv_length (page->caption);
  page->line_height = 1.35 * size;
  page->caption_height = page->n_lines * page->line_height + 0.9 * page->theme.type;
}

static SlParts
parts_of (const Page *page, unsigned i)
{
  return (SlParts) { .whole = true,
                     .title = page->options->titles,
                     .note = page->options->notes,
                     .legend = page->options->legend,
                     .flags = page->options->flags,
                     .letter = page->options->letters ? (char) ('a' + i % 26) : 0 };
}

/* Lays all figures out so that plots below each other share their left edge and those beside
 * each other their upper one.  */
static void
lay_page (const Page *page, SlFrame *frames)
{
  double w = page->width / page->across, h = (page->height - page->caption_height) / page->down;

  for (unsigned i = 0; i < page->n; i++)
    {
      SlParts parts = parts_of (page, i);

      sl_frame_layout (&frames[i], page->figures[i], &page->theme, &parts, page->text, w, h);
    }
  for (unsigned i = 0; i < page->n; i++)
    {
      SlParts parts = parts_of (page, i);

      if (page->n == 1 || frames[i].empty || !sl_frame_has_axes (&frames[i]))
        continue;
      for (unsigned k = 0; k < page->n; k++)
        {
          if (frames[k].empty || !sl_frame_has_axes (&frames[k]))
            continue;
          if (k % page->across == i % page->across)
            parts.left = MAX (parts.left, frames[k].plot.x);
          if (k / page->across == i / page->across)
            parts.top = MAX (parts.top, frames[k].plot.y);
        }
      sl_frame_layout (&frames[i], page->figures[i], &page->theme, &parts, page->text, w, h);
    }
}

static void
draw_page (const Page *page, const SlFrame *frames, SlCanvas *canvas)
{
  double w = page->width / page->across, h = (page->height - page->caption_height) / page->down;

  canvas->rect (canvas, &(SlRect) { 0.0, 0.0, page->width, page->height }, page->theme.paper);
  for (unsigned i = 0; i < page->n; i++)
    {
      g_autofree char *id = g_strdup_printf ("figure-%u", i + 1);
      SlDrawing drawing = { canvas, page->figures[i], &frames[i], &page->theme, page->device, id };
      double x = (i % page->across) * w, y = (i / page->across) * h;

      /* Hairlines are sharp only if figures begin on whole device pixels. */
      if (page->device > 0.0)
        {
          x = round (x * page->device) / page->device;
          y = round (y * page->device) / page->device;
        }
      canvas->shift (canvas, id, x, y);
      sl_draw_static (&drawing);
      sl_draw_data (&drawing);
      sl_draw_overlay (&drawing);
      canvas->end (canvas);
    }
  if (page->n_lines > 0)
    {
      SlLettering lettering = { .size = 0.92 * page->theme.type, .colour = page->theme.soft };
      double y = page->height - page->caption_height + 1.0 * page->line_height;

      canvas->begin (canvas, "caption", NULL, 1.0);
      for (unsigned i = 0; i < page->n_lines; i++)
        canvas->words (canvas, 0.65 * page->theme.type, y + i * page->line_height, page->caption[i],
                       &lettering);
      canvas->end (canvas);
    }
}

static const char *
title_of (const Page *page)
{
  return page->options->title != NULL ? page->options->title : page->figures[0]->title;
}

/* What the page shows, for somebody who cannot see it. */
static char *
describe (const Page *page)
{
  static const char *const kinds[] = { [SL_SERIES] = "curves", [SL_PROFILE] = "curves",
                                       [SL_BARS] = "bars", [SL_HEATMAP] = "a heat map",
                                       [SL_IMAGE] = "images",
                                       [SL_HISTORY] = "a history", [SL_SHARES] = "stacked shares",
                                       [SL_GRAPH] = "a graph",
                                       [SL_MAP] = "a map" };
  GString *out = g_string_new (NULL);

  for (unsigned i = 0; i < page->n; i++)
    {
      const SlFigure *figure = page->figures[i];
      const char *x = figure->x.label != NULL ? figure->x.label : "";
      const char *y = figure->y.label != NULL ? figure->y.label : "";

      g_string_append_printf (out, "%s%s: %s", i > 0 ? " " : "", figure->title,
                              kinds[figure->kind]);
      if (*y != '\0')
        g_string_append_printf (out, " of %s", y);
      if (*x != '\0')
        g_string_append_printf (out, " over %s", x);
      for (unsigned c = 0, shown = 0; c < figure->n_curves; c++)
        if (!figure->curve[c].hidden)
          g_string_append_printf (out, "%s%s", shown++ == 0 ? ": " : "; ", figure->curve[c].title);
      g_string_append_c (out, '.');
    }
  return g_string_free (out, FALSE);
}

static GBytes *
write_svg (const Page *page, const SlFrame *frames)
{
  g_autofree char *description = describe (page);
  SlCanvas *canvas
      = sl_canvas_svg_new (page->text, page->options->width, page->options->height, page->width,
                           page->height, page->theme.family, title_of (page), description,
                           page->options->recipe);

  draw_page (page, frames, canvas);
  return sl_canvas_svg_finish (canvas);
}

static void
draw_cairo (const Page *page, const SlFrame *frames, cairo_surface_t *surface, double scale)
{
  cairo_t *cr = cairo_create (surface);
  SlCanvas *canvas = sl_canvas_cairo_new (cr, page->text);

  cairo_scale (cr, scale, scale);
  draw_page (page, frames, canvas);
  sl_canvas_cairo_free (canvas);
  cairo_destroy (cr);
}

static cairo_status_t
collect (void *closure, const unsigned char *data, unsigned length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

static GBytes *
write_pdf (const Page *page, const SlFrame *frames, GError **error)
{
  GByteArray *out = g_byte_array_new ();
  cairo_surface_t *pdf = cairo_pdf_surface_create_for_stream (
      collect, out, page->width / PX_PER_PT, page->height / PX_PER_PT);
  g_autofree char *description = describe (page);
  cairo_status_t status;

  cairo_pdf_surface_set_metadata (pdf, CAIRO_PDF_METADATA_TITLE, title_of (page));
  cairo_pdf_surface_set_metadata (pdf, CAIRO_PDF_METADATA_SUBJECT, description);
  cairo_pdf_surface_set_metadata (pdf, CAIRO_PDF_METADATA_CREATOR, "Sluice " SL_VERSION);
  /* The time of export would make every file different. */
  cairo_pdf_surface_set_metadata (pdf, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
  if (page->options->recipe != NULL)
    {
      g_autofree char *base64 = g_base64_encode ((const guchar *) page->options->recipe,
                                                 strlen (page->options->recipe));
      g_autofree char *tagged = g_strconcat ("sluice-recipe:", base64, NULL);

      cairo_pdf_surface_set_metadata (pdf, CAIRO_PDF_METADATA_KEYWORDS, tagged);
    }
  draw_cairo (page, frames, pdf, 1.0 / PX_PER_PT);
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
write_png (const Page *page, const SlFrame *frames, GError **error)
{
  cairo_surface_t *image
      = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) lround (page->width * page->device),
                                    (int) lround (page->height * page->device));
  GBytes *bytes = NULL;

  if (cairo_surface_status (image) == CAIRO_STATUS_SUCCESS)
    {
      draw_cairo (page, frames, image, page->device);
      bytes = sl_png_write (image, page->options->dpi, title_of (page), page->options->recipe);
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
  g_snprintf (expected, sizeof expected, "%s to %s", least, most);
  return sl_fail (error, SL_EINVAL, subject, found, expected);
}

gboolean
sl_export_check (const SlExportOptions *options, unsigned n, SlExportFormat format,
                 GError **error)
{
  double pixels;

  if (n == 0)
    return sl_fail (error, SL_EINVAL, "figures", "none", "at least one");
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
  return sl_fail (error, SL_EINVAL, "PNG", "more than 120 million pixels",
                  "a lower DPI or a smaller size");
}

/* Ranges as on paper, found without disturbing what the screen shows. */
typedef struct
{
  SlRange x, y;
  double  since;
  bool    fitted;
} Saved;

GBytes *
sl_export_page (SlFigure *const *figures, unsigned n, const SlExportOptions *options,
                SlExportFormat format, GError **error)
{
  Page page = { .figures = figures, .n = n, .options = options };
  g_autofree SlFrame *frames = NULL;
  g_autofree Saved *saved = NULL;
  GBytes *bytes;

  if (!sl_export_check (options, n, format, error))
    return NULL;
  page.theme = theme_for (options);
  page.text = sl_text_new (page.theme.family);
  page.width = options->width * PX_PER_MM;
  page.height = options->height * PX_PER_MM;
  page.device = format == SL_EXPORT_PNG ? options->dpi / 96.0 : 0.0;
  page.across = options->across > 0 ? MIN (options->across, n)
                                    : CLAMP ((unsigned) lround (sqrt (n * page.width
                                                                      / (1.6 * page.height))),
                                             1, n);
  page.down = (n + page.across - 1) / page.across;
  if (options->caption != NULL && *options->caption != '\0')
    wrap_caption (&page);

  frames = g_new (SlFrame, n);
  saved = g_new (Saved, n);
  for (unsigned i = 0; i < n; i++)
    {
      SlFigure *figure = figures[i];

      saved[i] = (Saved){ figure->x_range, figure->y_range, figure->smaller_since, figure->fitted };
      sl_figure_fit (figure, HUGE_VAL);
    }
  lay_page (&page, frames);
  bytes = format == SL_EXPORT_SVG   ? write_svg (&page, frames)
          : format == SL_EXPORT_PDF ? write_pdf (&page, frames, error)
                                    : write_png (&page, frames, error);
  for (unsigned i = 0; i < n; i++)
    {
      SlFigure *figure = figures[i];

      figure->x_range = saved[i].x;
      figure->y_range = saved[i].y;
      figure->smaller_since = saved[i].since;
      figure->fitted = saved[i].fitted;
    }
  g_strfreev (page.caption);
  sl_text_free (page.text);
  return bytes;
}

gboolean
sl_export_save (SlFigure *const *figures, unsigned n, const SlExportOptions *options,
                SlExportFormat format, const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = sl_export_page (figures, n, options, format, error);

  return bytes != NULL
         && sl_table_save (path, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), error);
}
