/* SPDX-License-Identifier: MIT
 *
 * Figures as files: PNG, SVG, PDF, LaTeX and scripts of a true size in mm, each with the recipe that makes
 * the run again, and their values as CSV.  The same figures and options give the same bytes, in any locale.  Curves are
 * reduced to a few points per px, so that a file's size does not grow with the run.  */
#pragma once

#include <cairo.h>
#include <glib.h>

#include "plot/base/theme.h"
#include "plot/export/colours.h"
#include "plot/figure/figure.h"
#include "plot/layout/frame.h"

typedef enum {
  SL_EXPORT_PNG,
  SL_EXPORT_SVG,
  SL_EXPORT_PDF,
  SL_EXPORT_TIKZ,               /* for \input in LaTeX, with curves by pgfplots */
  SL_EXPORT_MATPLOTLIB,         /* a script that draws the figure again */
  SL_N_EXPORTS,                 /* that are drawn */
  SL_EXPORT_CSV = SL_N_EXPORTS, /* the values of the figures (values.h) */
} SlExportFormat;

typedef enum {
  SL_PRESET_SCREEN,  /* 160 × 90 mm, type as on the screen */
  SL_PRESET_SLIDE,   /* 254 × 143 mm, 16:9, large type and thick lines */
  SL_PRESET_COLUMN,  /* 84 mm wide, 7 pt */
  SL_PRESET_COLUMNS, /* 174 mm wide, 8 pt */
  SL_N_PRESETS,
} SlExportPreset;

/* Of a plot on its part of the page, in px. */
typedef struct
{
  double left, top, right;
} SlMargins;

typedef struct
{
  double        width, height; /* mm, of the whole page */
  double        dpi;           /* PNG */
  SlThemeKind   theme;
  SlPaletteKind palette;
  const char   *font; /* a CSS list; NULL: that of the theme.  Borrowed */
  double        type; /* pt of tick labels and legends */
  double        line; /* pt of a measured curve */
  SlLegendPlace legend;
  bool          flags;
  bool          notes; /* and marks of what is chosen */
  bool          titles;
  bool          letters;   /* (a), (b), … when there are several figures */
  unsigned      across;    /* figures side by side; 0: as suits the page */
  const char   *caption;   /* below everything, wrapped; NULL: none.  Borrowed */
  const char   *recipe;    /* JSON of recipe.h; NULL: none.  Borrowed */
  bool          in_view;   /* CSV: only the values that a zoomed figure shows */
  bool          keep_same; /* a file is left alone that has the same bytes already */
  bool          only_ours; /* it replaces no file that Sluice did not write (ours.h) */
  const char   *title;     /* of the document, for its metadata; NULL: that of the first figure */
  const SlMargins *
    margins; /* (n) that plots have at least, as those of a film's frames; borrowed; NULL: as needed */
  SlColours *colours; /* of the document, which learns new names; borrowed; NULL: each figure
                          * counts its own curves */
} SlExportOptions;

/* Sensible options of a preset for `n` figures. */
SlExportOptions sl_export_options (SlExportPreset preset, unsigned n);

/* Puts so many of `n` figures side by side on a page of a preset, which is then as high as their
 * rows need; a slide stays one.  */
void sl_export_across (SlExportOptions *options, SlExportPreset preset, unsigned n,
                       unsigned across);

/* Makes a page as high as its figures need at its width: for a table of pictures of one size, or where legends of many
 * names and long notes would leave a plot too little.  A slide stays one.  */
void sl_export_fit (SlExportOptions *options, SlExportPreset preset, SlFigure *const *figures,
                    unsigned n);

/* Whether every plot on the page is wide enough, and large enough to be read at all. */
bool sl_export_is_wide (const SlExportOptions *options, SlFigure *const *figures, unsigned n);
bool sl_export_has_room (const SlExportOptions *options, SlFigure *const *figures, unsigned n);

/* "slide", "column", …; static. */
const char *sl_export_preset_id (SlExportPreset preset);
/* The preset of such a name, -1 for an unknown one. */
int sl_export_preset_find (const char *id);

/* "above", "right", …; static. */
const char *sl_export_legend_id (SlLegendPlace place);
/* The place of such a name, -1 for an unknown one. */
int sl_export_legend_find (const char *id);

/* "light", "dark" and "grey", the themes for files; NULL for any other. */
const char *sl_export_theme_id (SlThemeKind theme);
/* The theme of such a name, -1 for an unknown one. */
int sl_export_theme_find (const char *id);

/* The format of a path's ending; -1 for an unknown one. */
int sl_export_format_for (const char *path);

/* The settings that differ from the defaults, data and seed as one line for a caption: "Sign
 * estimator · rank 5-5-5 · s 0.1 → 0.2 (update 900) · fashion-mnist · seed 7 · update 4210".  Files are named without
 * their folders.  `recipe` as in recipe.h; free with
 * g_free(); NULL when the recipe cannot be read.  */
char *sl_export_caption (const char *recipe);

/* The same without the update, of which a film has many. */
char *sl_export_film_caption (const char *recipe);

/* All of it in the user's language, for paper: files are the same in every language. */
char *sl_export_heading (const char *recipe);

/* Whether a page of `n` figures can be drawn with these options; FALSE with a sentence when a size
 * is out of range.  Call it before a long training.  */
gboolean sl_export_check (const SlExportOptions *options, unsigned n, SlExportFormat format,
                          GError **error);

/* Draws the figures, as they are viewed now, in a grid on one page.  Several figures share type
 * size and, column by column, their left axis.  NULL with a sentence when
 * sl_export_check() has one or memory ran out.  */
GBytes *sl_export_page (SlFigure *const *figures, unsigned n, const SlExportOptions *options,
                        SlExportFormat format, GError **error);

/* The same as vectors in memory, in px, to be drawn on a printer's page or another document; the caller
 * destroys it.  The options must have passed sl_export_check().  */
cairo_surface_t *sl_export_record (SlFigure *const *figures, unsigned n,
                                   const SlExportOptions *options);

/* The names of the curves of all these figures, each once, on a page of its own that is as wide as the
 * options say at most.  NULL without an error where no figure has a legend.  */
GBytes *sl_export_legend (SlFigure *const *figures, unsigned n, const SlExportOptions *options,
                          SlExportFormat format, GError **error);

/* Writes a page into a file, whole or not at all.  The values of a LaTeX page go into a file
 * beside it that has the same name and the ending .dat, those of a script into NAME-data.csv; where `path` is no regular file, they stay inside.  */
gboolean sl_export_save_page (GBytes *page, SlExportFormat format, const char *path,
                              GError **error);

/* Writes a file whole or not at all, unless by `keep_same` and `only_ours` of the options it is to stay. */
gboolean sl_export_save_bytes (const void *data, gsize n, const SlExportOptions *options,
                               const char *path, GError **error);

/* Draws the figures into a file and, where the legend is to be apart, that into NAME-legend with the same
 * ending beside it.  */
gboolean sl_export_save (SlFigure *const *figures, unsigned n, const SlExportOptions *options,
                         SlExportFormat format, const char *path, GError **error);
