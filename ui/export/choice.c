/* SPDX-License-Identifier: MIT */
#include "ui/export/choice.h"

#include <string.h>

static const char *const kind_ids[SL_N_KINDS]
  = { "png", "svg", "pdf", "tikz", "py", "csv", "npy", "json" };

/* The formats of pages come first, in their own order. */
G_STATIC_ASSERT ((int) SL_KIND_CSV == (int) SL_EXPORT_CSV);

const char *
sl_export_kind_id (SlExportKind kind)
{
  return kind_ids[kind];
}

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
  choice->page.notes = sl_prefs_get_boolean (prefs, "export-notes");
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
                choice->style, "export-flags", choice->page.flags, "export-notes",
                choice->page.notes, "export-recipe", choice->recipe, "export-same-colours",
                choice->same_colours, NULL);
  if (n == 1)
    g_object_set (prefs, "export-width", choice->page.width, "export-height", choice->page.height,
                  "export-type", choice->page.type, "export-line", choice->page.line, NULL);
}

SlExportPanels
sl_export_panels (int panel)
{
  return (SlExportPanels) { .n = panel >= 0, .panel = { (unsigned) MAX (panel, 0) } };
}
