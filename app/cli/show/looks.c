/* SPDX-License-Identifier: MIT
 *
 * See looks.h.  */
#include "app/cli/show/looks.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/cli/cli.h"

void
sl_looks_init (SlLooks *looks)
{
  *looks = (SlLooks) { .dpi = SL_LOOKS_OF_PAGE,
                       .type = SL_LOOKS_OF_PAGE,
                       .line = SL_LOOKS_OF_PAGE,
                       .across = SL_LOOKS_ACROSS_OF_PAGE };
}

void
sl_looks_add_options (SlLooks *looks, GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "page", 0, 0, G_OPTION_ARG_STRING, &looks->page,
      N_ ("Use of figures: screen, slide, column or columns"), "NAME" },
    { "style", 0, 0, G_OPTION_ARG_STRING, &looks->style,
      N_ ("Looks of figures: neurips, icml, nature, beamer, your own or a file"), "NAME" },
    { "size", 0, 0, G_OPTION_ARG_STRING, &looks->size, N_ ("Size of figures in mm"), "WxH" },
    { "dpi", 0, 0, G_OPTION_ARG_DOUBLE, &looks->dpi, N_ ("Dots per inch of png figures"), "N" },
    { "type", 0, 0, G_OPTION_ARG_DOUBLE, &looks->type, N_ ("Size of the letters in pt"), "PT" },
    { "line", 0, 0, G_OPTION_ARG_DOUBLE, &looks->line, N_ ("Width of the curves in pt"), "PT" },
    { "theme", 0, 0, G_OPTION_ARG_STRING, &looks->theme,
      N_ ("Colours of figures: light, dark or grey"), "NAME" },
    { "palette", 0, 0, G_OPTION_ARG_STRING, &looks->palette,
      N_ ("Colours of the curves: bright, strong or deep"), "NAME" },
    { "legend", 0, 0, G_OPTION_ARG_STRING, &looks->legend,
      N_ ("Legend: above, below, right, inside, apart or none"), "PLACE" },
    { "across", 0, 0, G_OPTION_ARG_INT, &looks->across,
      N_ ("Panels side by side on a page of several"), "N" },
    { "inset", 0, 0, G_OPTION_ARG_STRING, &looks->inset,
      N_ ("Enlarged part of the curves, by x and perhaps y"), "X:X[,Y:Y]" },
    { "same-colours", 0, 0, G_OPTION_ARG_NONE, &looks->same_colours,
      N_ ("One colour for curves of one name in all panels of a page"), NULL },
    { "caption", 0, 0, G_OPTION_ARG_STRING, &looks->caption,
      N_ ("Caption of the page; \"settings\": the changed settings"), "TEXT" },
    { NULL },
  };

  sl_looks_init (looks);
  g_option_context_add_main_entries (context, entries, NULL);
}

/* That of the command line, or -1. */
static int
preset_of (const SlLooks *looks)
{
  return looks->page != NULL ? sl_export_preset_find (looks->page) : SL_PRESET_SCREEN;
}

/* The style that was typed, or nothing. */
static bool
read_style (const SlLooks *looks, unsigned n, SlExportStyle *style, SlExportOptions *options)
{
  g_autoptr (GError) error = NULL;

  if (looks->style == NULL)
    return true;
  if (!sl_export_style_find (looks->style, style, &error))
    {
      sl_cli_report ("%s", error->message);
      return false;
    }
  sl_export_style_apply (style, options, n);
  return true;
}

/* `style` and `colours`, which may be NULL, keep what the options borrow. */
static bool
read_looks (const SlLooks *looks, unsigned n, SlColours *colours, SlExportStyle *style,
            SlExportOptions *options)
{
  static const char *const presets[] = { "screen", "slide", "column", "columns", NULL };
  int                      preset = preset_of (looks), theme, legend, palette;

  if (preset < 0)
    {
      sl_cli_report ("there is no page \"%s\"; perhaps %s?", looks->page,
                     sl_cli_nearest (looks->page, presets));
      return false;
    }
  if (looks->across != SL_LOOKS_ACROSS_OF_PAGE && looks->across < 1)
    {
      sl_cli_report ("--across takes a number of panels, not %d", looks->across);
      return false;
    }
  *options = sl_export_options ((SlExportPreset) preset, n);
  options->colours = colours;
  if (looks->across != SL_LOOKS_ACROSS_OF_PAGE)
    sl_export_across (options, (SlExportPreset) preset, n, (unsigned) looks->across);
  if (!read_style (looks, n, style, options))
    return false;
  if (looks->size != NULL)
    {
      char *end;

      options->width = g_ascii_strtod (looks->size, &end);
      options->height = *end == 'x' ? g_ascii_strtod (end + 1, &end) : 0;
      if (*end != '\0' || !(options->width > 0) || !(options->height > 0))
        {
          sl_cli_report ("\"%s\" should be a width and a height in mm, for example 160x90",
                         looks->size);
          return false;
        }
    }
  if (looks->dpi != SL_LOOKS_OF_PAGE)
    options->dpi = looks->dpi;
  if (looks->type != SL_LOOKS_OF_PAGE)
    options->type = looks->type;
  if (looks->line != SL_LOOKS_OF_PAGE)
    options->line = looks->line;
  theme = looks->theme != NULL ? sl_export_theme_find (looks->theme) : (int) options->theme;
  if (theme < 0)
    {
      sl_cli_report ("there is no theme \"%s\"; there are light, dark and grey", looks->theme);
      return false;
    }
  legend = looks->legend != NULL ? sl_export_legend_find (looks->legend) : (int) options->legend;
  if (legend < 0)
    {
      sl_cli_report ("a legend is above, below, right, inside, apart or none, not \"%s\"",
                     looks->legend);
      return false;
    }
  palette = looks->palette != NULL ? sl_palette_find (looks->palette) : (int) options->palette;
  if (palette < 0)
    {
      sl_cli_report ("there is no palette \"%s\"; there are bright, strong and deep",
                     looks->palette);
      return false;
    }
  options->palette = (SlPaletteKind) palette;
  options->theme = (SlThemeKind) theme;
  options->legend = (SlLegendPlace) legend;
  return true;
}

bool
sl_looks_options (const SlLooks *looks, unsigned n, SlExportStyle *style, SlExportOptions *options)
{
  return read_looks (looks, n, looks->colours, style, options);
}

/* "100:200" or "100:200,0.1:0.3". */
static bool
read_inset (const char *text, SlRange *x, SlRange *y)
{
  SlRange *ranges[] = { x, y };
  char    *at = (char *) text;

  *y = (SlRange) { 0.0, 0.0 };
  for (unsigned i = 0; i < 2; i++)
    {
      ranges[i]->lo = g_ascii_strtod (at, &at);
      if (*at != ':')
        return false;
      ranges[i]->hi = g_ascii_strtod (at + 1, &at);
      if (!isfinite (ranges[i]->lo) || !isfinite (ranges[i]->hi)
          || !(ranges[i]->lo < ranges[i]->hi))
        return false;
      if (*at != ',' || i == 1)
        return *at == '\0';
      at++;
    }
  return false;
}

static bool
overlap (const SlRange *a, const SlRange *b)
{
  return a->lo < b->hi && b->lo < a->hi;
}

/* Whether a figure, whose ranges are known, has something of a part; an empty y is all of it. */
static bool
has_part (const SlFigure *figure, const SlRange *x, const SlRange *y)
{
  return overlap (x, &figure->x_range) && (!(y->lo < y->hi) || overlap (y, &figure->y_range));
}

/* Enlarges the part in all figures that have it.  One that none has is left out with a complaint, as a figure may
 * be the only thing that is left of hours of training.  */
static bool
add_insets (const SlLooks *looks, SlFigure *const *figures, unsigned n)
{
  SlRange x, y;
  bool    there = false;

  if (looks->inset == NULL)
    return true;
  if (!read_inset (looks->inset, &x, &y))
    {
      sl_cli_report ("\"%s\" should be a range of x and perhaps one of y, for example 100:200 or "
                     "100:200,0.1:0.3",
                     looks->inset);
      return false;
    }
  for (unsigned i = 0; i < n; i++)
    {
      SlView view = figures[i]->view;

      sl_figure_fit (figures[i], HUGE_VAL);
      if (!has_part (figures[i], &x, &y))
        continue;
      there = true;
      view.inset = true;
      view.inset_x = x;
      view.inset_y = y;
      sl_figure_set_view (figures[i], &view);
    }
  if (!there && n > 0)
    sl_cli_report ("--inset %s is left out: it has no curve, which go from %g to %g along x and "
                   "from %g to %g along y",
                   looks->inset, figures[0]->x_range.lo, figures[0]->x_range.hi,
                   figures[0]->y_range.lo, figures[0]->y_range.hi);
  return true;
}

bool
sl_looks_check (const SlLooks *looks, unsigned n, SlExportFormat format)
{
  g_autoptr (GError) error = NULL;
  SlExportOptions options;
  SlExportStyle   style;

  if (!read_looks (looks, n, NULL, &style, &options) || !add_insets (looks, NULL, 0))
    return false;
  if (sl_export_check (&options, n, format, &error))
    return true;
  sl_cli_report ("%s", error->message);
  return false;
}

bool
sl_looks_page (const SlLooks *looks, SlFigure *const *figures, unsigned n, const char *recipe,
               const char *path)
{
  g_autofree char *settings = recipe != NULL ? sl_export_caption (recipe) : NULL;
  g_autoptr (GError) error = NULL;
  SlExportOptions       options;
  SlExportStyle         style;
  SlColours            *colours = looks->colours;
  g_autofree SlColours *own = NULL;

  if (colours == NULL && looks->same_colours)
    colours = own = g_new0 (SlColours, 1);
  if (!read_looks (looks, n, colours, &style, &options))
    return false;
  if (!add_insets (looks, figures, n))
    return false;
  options.recipe = recipe;
  options.keep_same = looks->keep_same;
  options.only_ours = looks->only_ours;
  options.caption = g_strcmp0 (looks->caption, "settings") == 0 ? settings : looks->caption;
  if (n == 1 && looks->size == NULL && looks->style == NULL)
    sl_export_fit (&options, (SlExportPreset) preset_of (looks), figures[0]);
  if (sl_export_save (figures, n, &options, (SlExportFormat) sl_export_format_for (path), path,
                      &error))
    return true;
  sl_cli_report ("%s", error->message);
  return false;
}

void
sl_looks_clear (SlLooks *looks)
{
  char **const texts[] = { &looks->page,  &looks->size,  &looks->caption, &looks->legend,
                           &looks->theme, &looks->inset, &looks->palette, &looks->style };

  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++)
    g_clear_pointer (texts[i], g_free);
}
