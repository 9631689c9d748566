/* SPDX-License-Identifier: MIT */
#include "plot/export/sheet.h"

#include <assert.h>
#include <glib.h>
#include <math.h>
#include <string.h>

#include "plot/draw/draw.h"

#define PX_PER_PT (96.0 / 72.0)

enum { CAPTION_LINES = 12 };

static SlTheme
theme_for (const SlExportOptions *options)
{
  SlTheme theme = sl_theme_get (options->theme);
  double  type = options->type * PX_PER_PT, line = options->line * PX_PER_PT;

  sl_theme_set_palette (&theme, options->palette);
  if (options->font != NULL)
    theme.family = options->font;
  theme.marker = MAX (0.45 * type, 2.8 * line);
  theme.hair = MAX (0.45 * line, 0.4);
  theme.type = type;
  theme.title = 1.15 * type;
  theme.line = line;
  return theme;
}

/* Breaks the caption into lines that fit the page. */
static void
wrap_caption (SlPlotSheet *sheet)
{
  double size = 0.92 * sheet->theme.type, room = sheet->width - 1.3 * sheet->theme.type;

  sheet->caption = sl_text_wrap (sheet->text, sheet->options->caption, size, room, CAPTION_LINES);
  sheet->n_lines = g_strv_length (sheet->caption);
  sheet->line_height = 1.35 * size;
  sheet->caption_height = sheet->n_lines * sheet->line_height + 0.9 * sheet->theme.type;
}

static SlParts
parts_of (const SlPlotSheet *sheet, unsigned i)
{
  const SlMargins *least = sheet->options->margins;

  return (SlParts) { .whole = true,
                     .title = sheet->options->titles,
                     .note = sheet->options->notes,
                     .legend = sheet->options->legend,
                     .flags = sheet->options->flags,
                     .letter = sheet->options->letters ? i + 1 : 0,
                     .left = least != NULL ? least[i].left : 0.0,
                     .top = least != NULL ? least[i].top : 0.0,
                     .right = least != NULL ? least[i].right : 0.0 };
}

static double
cell_width (const SlPlotSheet *sheet)
{
  return sheet->width / sheet->across;
}

static double
cell_height (const SlPlotSheet *sheet)
{
  return (sheet->height - sheet->caption_height) / sheet->down;
}

static bool
lines_up (const SlFrame *frame)
{
  return !frame->empty && sl_frame_kind (frame)->axes;
}

/* Lays all figures out so that plots below each other share their left edge and those beside
 * each other their upper one.  */
static void
lay_out (SlPlotSheet *sheet)
{
  double w = cell_width (sheet), h = cell_height (sheet);

  for (unsigned i = 0; i < sheet->n; i++)
    {
      SlParts parts = parts_of (sheet, i);

      sl_frame_layout (&sheet->frame[i], sheet->figures[i], &sheet->theme, &parts, sheet->text, w,
                       h);
    }
  for (unsigned i = 0; i < sheet->n; i++)
    {
      SlParts parts = parts_of (sheet, i);

      if (sheet->n == 1 || !lines_up (&sheet->frame[i]))
        continue;
      for (unsigned k = 0; k < sheet->n; k++)
        {
          if (!lines_up (&sheet->frame[k]))
            continue;
          if (k % sheet->across == i % sheet->across)
            parts.left = MAX (parts.left, sheet->frame[k].left);
          if (k / sheet->across == i / sheet->across)
            parts.top = MAX (parts.top, sheet->frame[k].top);
        }
      sl_frame_layout (&sheet->frame[i], sheet->figures[i], &sheet->theme, &parts, sheet->text, w,
                       h);
    }
  for (unsigned i = 0; i < sheet->n && !sheet->options->notes; i++)
    {
      sheet->frame[i].mark = (double) NAN;
      sheet->frame[i].picked = 0;
    }
}

/* Gives the curves the colours of their names; the slots that they had. */
static unsigned *
recolour (SlFigure *figure, SlColours *colours)
{
  unsigned *before = g_new (unsigned, figure->n_curves);
  unsigned *slots = g_new (unsigned, figure->n_curves);

  sl_colours_assign (colours, figure, slots);
  for (unsigned c = 0; c < figure->n_curves; c++)
    {
      before[c] = figure->curve[c].slot;
      figure->curve[c].slot = slots[c];
    }
  g_free (slots);
  return before;
}

void
sl_plot_sheet_init (SlPlotSheet *sheet, SlFigure *const *figures, unsigned n,
                    const SlExportOptions *options, double device)
{
  double as_suits;

  assert (n > 0);
  *sheet = (SlPlotSheet) { .figures = figures,
                           .n = n,
                           .options = options,
                           .device = device,
                           .theme = theme_for (options),
                           .width = options->width * SL_PX_PER_MM,
                           .height = options->height * SL_PX_PER_MM };
  as_suits = sqrt (n * sheet->width / (1.6 * sheet->height));
  sheet->across = options->across > 0 ? options->across : (unsigned) lround (as_suits);
  sheet->across = CLAMP (sheet->across, 1, n);
  sheet->down = (n + sheet->across - 1) / sheet->across;
  sheet->text = sl_text_new (sheet->theme.family);
  if (options->caption != NULL && *options->caption != '\0')
    wrap_caption (sheet);

  sheet->frame = g_new (SlFrame, n);
  sheet->before = g_new (SlPlotSheetRanges, n);
  for (unsigned i = 0; i < n; i++)
    {
      SlFigure *figure = figures[i];

      sheet->before[i] = (SlPlotSheetRanges) { figure->x_range, figure->y_range,
                                               figure->smaller_since, figure->fitted, NULL };
      if (options->colours != NULL)
        sheet->before[i].slots = recolour (figure, options->colours);
      sl_figure_fit (figure, HUGE_VAL);
    }
  lay_out (sheet);
}

static bool
same_chip (const SlChip *a, const SlChip *b)
{
  return strcmp (a->text, b->text) == 0 && a->slot == b->slot && a->style == b->style
         && a->ghost == b->ghost && a->line == b->line && a->marker == b->marker;
}

static bool
is_named (const SlPlotSheet *sheet, unsigned figures, const SlChip *chip)
{
  for (unsigned i = 0; i < figures; i++)
    for (unsigned k = 0; k < sheet->frame[i].n_chips; k++)
      if (same_chip (&sheet->frame[i].chip[k], chip))
        return true;
  return false;
}

/* Keeps the names of a figure that no figure before it has. */
static void
keep_new_chips (const SlPlotSheet *sheet, unsigned i)
{
  SlFrame *frame = &sheet->frame[i];
  unsigned n = 0;

  for (unsigned k = 0; k < frame->n_chips; k++)
    if (!frame->chip[k].hidden && !is_named (sheet, i, &frame->chip[k]))
      frame->chip[n++] = frame->chip[k];
  frame->n_chips = n;
  frame->n_more = 0;
}

static void
move_chip (SlChip *chip, double x, double y)
{
  chip->text_x += x - chip->rect.x;
  chip->baseline += y - chip->rect.y;
  chip->rect.x = x;
  chip->rect.y = y;
}

bool
sl_plot_sheet_keep_legend (SlPlotSheet *sheet)
{
  double pad = 0.65 * sheet->theme.type, apart = 1.1 * sheet->theme.type, x = pad, y = pad;
  double right = 0.0, row = 0.0;

  for (unsigned i = 0; i < sheet->n; i++)
    {
      keep_new_chips (sheet, i);
      for (unsigned k = 0; k < sheet->frame[i].n_chips; k++)
        {
          SlChip *chip = &sheet->frame[i].chip[k];

          row = chip->rect.h;
          if (x > pad && x + chip->rect.w + pad > sheet->width)
            {
              x = pad;
              y += row;
            }
          move_chip (chip, x, y);
          x += chip->rect.w + apart;
          right = MAX (right, x - apart);
        }
    }
  sheet->legend = true;
  sheet->width = ceil (right + pad);
  sheet->height = ceil (y + row + pad);
  return row > 0.0;
}

static void
draw_figure (const SlPlotSheet *sheet, unsigned i, SlCanvas *canvas)
{
  g_autofree char *id = g_strdup_printf ("figure-%u", i + 1);
  SlDrawing        drawing
    = { canvas, sheet->figures[i], &sheet->frame[i], &sheet->theme, sheet->device, id, sheet->n };
  double x = (i % sheet->across) * cell_width (sheet);
  double y = (i / sheet->across) * cell_height (sheet);

  /* Hairlines are sharp only if figures begin on whole device pixels. */
  if (sheet->device > 0.0)
    {
      x = round (x * sheet->device) / sheet->device;
      y = round (y * sheet->device) / sheet->device;
    }
  if (sheet->legend)
    {
      sl_draw_legend (&drawing);
      return;
    }
  canvas->shift (canvas, id, x, y);
  sl_draw_static (&drawing);
  sl_draw_data (&drawing);
  sl_draw_overlay (&drawing);
  canvas->end (canvas);
}

static void
draw_caption (const SlPlotSheet *sheet, SlCanvas *canvas)
{
  SlLettering lettering = { .size = 0.92 * sheet->theme.type, .colour = sheet->theme.soft };
  double      y = sheet->height - sheet->caption_height + sheet->line_height;

  canvas->begin (canvas, "caption", NULL, 1.0);
  for (unsigned i = 0; i < sheet->n_lines; i++)
    canvas->words (canvas, 0.65 * sheet->theme.type, y + i * sheet->line_height, sheet->caption[i],
                   &lettering);
  canvas->end (canvas);
}

void
sl_plot_sheet_draw (const SlPlotSheet *sheet, SlCanvas *canvas)
{
  double more = sheet->device > 0.0 ? 1.0 : 0.0; /* the last row of pixels may be a part of one */

  canvas->rect (canvas, &(SlRect) { 0.0, 0.0, sheet->width + more, sheet->height + more },
                sheet->theme.paper);
  for (unsigned i = 0; i < sheet->n; i++)
    draw_figure (sheet, i, canvas);
  if (sheet->n_lines > 0 && !sheet->legend)
    draw_caption (sheet, canvas);
}

void
sl_plot_sheet_paint (const SlPlotSheet *sheet, cairo_surface_t *surface, double scale)
{
  cairo_t  *cr = cairo_create (surface);
  SlCanvas *canvas = sl_canvas_cairo_new (cr, sheet->text);

  cairo_scale (cr, scale, scale);
  sl_plot_sheet_draw (sheet, canvas);
  sl_canvas_cairo_free (canvas);
  cairo_destroy (cr);
}

void
sl_plot_sheet_clear (SlPlotSheet *sheet)
{
  for (unsigned i = 0; i < sheet->n; i++)
    {
      SlFigure *figure = sheet->figures[i];

      figure->x_range = sheet->before[i].x;
      figure->y_range = sheet->before[i].y;
      figure->smaller_since = sheet->before[i].since;
      figure->fitted = sheet->before[i].fitted;
      for (unsigned c = 0; sheet->before[i].slots != NULL && c < figure->n_curves; c++)
        figure->curve[c].slot = sheet->before[i].slots[c];
      g_free (sheet->before[i].slots);
    }
  g_free (sheet->frame);
  g_free (sheet->before);
  g_strfreev (sheet->caption);
  sl_text_free (sheet->text);
}
