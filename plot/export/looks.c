/* SPDX-License-Identifier: MIT
 *
 * See looks.h.  */
#include "plot/export/looks.h"

#include <glib/gi18n.h>

#include "core/run/base/error.h"

void
sl_looks_init (SlLooks *looks)
{
  *looks = (SlLooks) { .dpi = SL_LOOKS_OF_PAGE,
                       .type = SL_LOOKS_OF_PAGE,
                       .line = SL_LOOKS_OF_PAGE,
                       .across = SL_LOOKS_ACROSS_OF_PAGE };
}

void
sl_looks_clear (SlLooks *looks)
{
  char **const texts[] = { &looks->page,  &looks->size,  &looks->caption, &looks->legend,
                           &looks->theme, &looks->inset, &looks->palette, &looks->style };

  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++)
    g_clear_pointer (texts[i], g_free);
}

static gboolean refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
refuse (GError **error, const char *format, ...)
{
  va_list list;

  va_start (list, format);
  if (error != NULL)
    *error = g_error_new_valist (SL_ERROR, SL_EINVAL, format, list);
  va_end (list);
  return FALSE;
}

/* The page of that name, or -1. */
static int
preset_of (const SlLooks *looks)
{
  return looks->page != NULL ? sl_export_preset_find (looks->page) : SL_PRESET_SCREEN;
}

/* The style that was named, or nothing.  A page that was named keeps its width, and a slide its height. */
static gboolean
read_style (const SlLooks *looks, unsigned n, SlExportStyle *style, SlExportOptions *options,
            GError **error)
{
  if (looks->style == NULL)
    return TRUE;
  if (!sl_export_style_find (looks->style, style, error))
    return FALSE;
  if (looks->page != NULL)
    style->width = 0.0;
  if (preset_of (looks) == SL_PRESET_SLIDE)
    style->ratio = 0.0;
  sl_export_style_apply (style, options, n);
  return TRUE;
}

static gboolean
read_size (const char *text, SlExportOptions *options, GError **error)
{
  char *end;

  options->width = g_ascii_strtod (text, &end);
  options->height = *end == 'x' ? g_ascii_strtod (end + 1, &end) : 0;
  if (*end != '\0' || !(options->width > 0) || !(options->height > 0))
    return refuse (error, _ ("\"%s\" should be width and height in mm, as 160x90"), text);
  return TRUE;
}

/* Theme, palette and place of the legend. */
static gboolean
read_names (const SlLooks *looks, SlExportOptions *options, GError **error)
{
  int theme = looks->theme != NULL ? sl_export_theme_find (looks->theme) : (int) options->theme;
  int legend
    = looks->legend != NULL ? sl_export_legend_find (looks->legend) : (int) options->legend;
  int palette = looks->palette != NULL ? sl_palette_find (looks->palette) : (int) options->palette;

  if (theme < 0)
    return refuse (error, _ ("%s takes %s, not \"%s\""), "theme", _ ("light, dark or grey"),
                   looks->theme);
  if (legend < 0)
    return refuse (error, _ ("%s takes %s, not \"%s\""), "legend",
                   _ ("above, below, right, inside, apart or none"), looks->legend);
  if (palette < 0)
    return refuse (error, _ ("%s takes %s, not \"%s\""), "palette", _ ("bright, strong or deep"),
                   looks->palette);
  options->palette = (SlPaletteKind) palette;
  options->theme = (SlThemeKind) theme;
  options->legend = (SlLegendPlace) legend;
  return TRUE;
}

/* `style` and `colours`, which may be NULL, keep what the options borrow. */
static gboolean
read_looks (const SlLooks *looks, unsigned n, SlColours *colours, SlExportStyle *style,
            SlExportOptions *options, GError **error)
{
  int preset = preset_of (looks);

  if (preset < 0)
    return refuse (error, _ ("%s takes %s, not \"%s\""), "page", "screen, slide, column, columns",
                   looks->page);
  if (looks->across != SL_LOOKS_ACROSS_OF_PAGE && looks->across < 1)
    return refuse (error, _ ("across takes a number of panels, not %d"), looks->across);
  *options = sl_export_options ((SlExportPreset) preset, n);
  options->colours = colours;
  if (looks->across != SL_LOOKS_ACROSS_OF_PAGE)
    sl_export_across (options, (SlExportPreset) preset, n, (unsigned) looks->across);
  if (!read_style (looks, n, style, options, error)
      || (looks->size != NULL && !read_size (looks->size, options, error)))
    return FALSE;
  if (looks->dpi != SL_LOOKS_OF_PAGE)
    options->dpi = looks->dpi;
  if (looks->type != SL_LOOKS_OF_PAGE)
    options->type = looks->type;
  if (looks->line != SL_LOOKS_OF_PAGE)
    options->line = looks->line;
  if (looks->no_notes)
    options->notes = false;
  return read_names (looks, options, error);
}

gboolean
sl_looks_options (const SlLooks *looks, unsigned n, SlExportStyle *style, SlExportOptions *options,
                  GError **error)
{
  return read_looks (looks, n, looks->colours, style, options, error);
}

/* ---- an enlarged part ---- */

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

gboolean
sl_looks_add_insets (const SlLooks *looks, SlFigure *const *figures, unsigned n, char **note,
                     GError **error)
{
  SlRange x, y;
  bool    there = false;

  if (looks->inset == NULL)
    return TRUE;
  if (!read_inset (looks->inset, &x, &y))
    return refuse (error,
                   _ ("\"%s\" should be a range of x, perhaps with one of y: 100:200 or "
                      "100:200,0.1:0.3"),
                   looks->inset);
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
    *note = g_strdup_printf (
      _ ("the inset %s is left out: no curve is there; they go from %g to %g along x and %g to "
         "%g along y"),
      looks->inset, figures[0]->x_range.lo, figures[0]->x_range.hi, figures[0]->y_range.lo,
      figures[0]->y_range.hi);
  return TRUE;
}

/* ---- a page ---- */

gboolean
sl_looks_possible (const SlLooks *looks, unsigned n, SlExportFormat format, GError **error)
{
  SlExportOptions options;
  SlExportStyle   style;

  return read_looks (looks, n, NULL, &style, &options, error)
         && sl_looks_add_insets (looks, NULL, 0, NULL, error)
         && sl_export_check (&options, n, format, error);
}

/* What the options of a page borrow. */
typedef struct
{
  SlExportOptions options;
  SlExportStyle   style;
  SlColours      *own; /* or NULL */
  char           *settings;
} Page;

/* Adds a sentence to those that there are. */
static void
tell (char **note, char *sentence)
{
  char *before = *note;

  *note = before != NULL ? g_strdup_printf ("%s; %s", before, sentence) : g_strdup (sentence);
  g_free (before);
  g_free (sentence);
}

/* As the looks have it, but with fewer panels side by side where they would be too narrow on a page whose size was not
 * named.  A slide stays as it is.  */
static gboolean
read_wide (const SlLooks *looks, SlFigure *const *figures, unsigned n, SlColours *colours,
           Page *page, GError **error)
{
  SlLooks  fewer = *looks;
  gboolean fine = read_looks (looks, n, colours, &page->style, &page->options, error);
  gboolean fixed = looks->size != NULL || preset_of (looks) == SL_PRESET_SLIDE;

  while (fine && !fixed && page->options.across > 1
         && !sl_export_is_wide (&page->options, figures, n))
    {
      fewer.across = (int) page->options.across - 1;
      fine = read_looks (&fewer, n, colours, &page->style, &page->options, error);
    }
  return fine;
}

/* Gives the plots room, unless the size was named, and tells which wish that breaks. */
static void
fit_page (const SlLooks *looks, SlFigure *const *figures, unsigned n, SlExportOptions *options,
          char **note)
{
  if (looks->size == NULL)
    sl_export_fit (options, (SlExportPreset) preset_of (looks), figures, n);
  if (looks->across > (int) options->across && n > options->across)
    tell (note, g_strdup_printf (_ ("%d panels side by side would be too narrow; the page has %u"),
                                 MIN (looks->across, (int) n), options->across));
  if (!sl_export_has_room (options, figures, n))
    tell (note, g_strdup (_ ("the page is too small for its plots; a larger size, smaller type or "
                             "no legend gives them room")));
}

/* Which font the page has instead of a missing one; TeX and matplotlib have their own. */
static void
tell_font (const Page *page, SlExportFormat format, char **note)
{
  bool  drawn = format == SL_EXPORT_PNG || format == SL_EXPORT_SVG || format == SL_EXPORT_PDF;
  char *missing = drawn ? sl_export_style_font_note (&page->style) : NULL;

  if (missing != NULL)
    tell (note, missing);
}

static gboolean
begin_page (const SlLooks *looks, SlFigure *const *figures, unsigned n, const char *recipe,
            SlExportFormat format, Page *page, char **note, GError **error)
{
  SlColours *colours = looks->colours;

  *page = (Page) { .settings = recipe != NULL ? sl_export_caption (recipe) : NULL };
  *note = NULL;
  if (colours == NULL && looks->same_colours)
    colours = page->own = g_new0 (SlColours, 1);
  if (!read_wide (looks, figures, n, colours, page, error)
      || !sl_looks_add_insets (looks, figures, n, note, error))
    return FALSE;
  page->options.recipe = recipe;
  page->options.keep_same = looks->keep_same;
  page->options.only_ours = looks->only_ours;
  page->options.caption
    = g_strcmp0 (looks->caption, "settings") == 0 ? page->settings : looks->caption;
  fit_page (looks, figures, n, &page->options, note);
  tell_font (page, format, note);
  return TRUE;
}

static void
clear_page (Page *page)
{
  g_free (page->own);
  g_free (page->settings);
}

gboolean
sl_looks_save (const SlLooks *looks, SlFigure *const *figures, unsigned n, const char *recipe,
               const char *path, char **note, GError **error)
{
  SlExportFormat format = (SlExportFormat) sl_export_format_for (path);
  Page           page;
  gboolean       done = begin_page (looks, figures, n, recipe, format, &page, note, error)
                  && sl_export_save (figures, n, &page.options, format, path, error);

  clear_page (&page);
  return done;
}

GBytes *
sl_looks_bytes (const SlLooks *looks, SlFigure *const *figures, unsigned n, const char *recipe,
                SlExportFormat format, char **note, GError **error)
{
  Page    page;
  GBytes *bytes = NULL;

  if (begin_page (looks, figures, n, recipe, format, &page, note, error))
    bytes = sl_export_page (figures, n, &page.options, format, error);
  clear_page (&page);
  return bytes;
}
