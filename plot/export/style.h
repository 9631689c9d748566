/* SPDX-License-Identifier: MIT
 *
 * Named looks of figures as small files that people can share: how wide a page is, how high its
 * figures, type, lines, colours.  The program has some of its own (resources/styles); the user's
 * are JSON files in the folder sluice/styles of the configuration.  docs/file-formats.md has the
 * keys.  */
#pragma once

#include <glib.h>

#include "core/run/base/json.h"
#include "plot/export/export.h"

/* What a style does not say leaves the page as it was: 0, "" or -1. */
typedef struct
{
  char      name[64];
  double    width;     /* mm, of the page */
  double    ratio;     /* height of a figure ÷ its width */
  double    type;      /* pt */
  double    line;      /* pt */
  char      font[160]; /* names, separated by commas, the first that is installed */
  int       palette, theme, legend, titles, notes;
  SlColours colours; /* of curves with these names */
} SlExportStyle;

enum { SL_STYLE_BYTES = 1 << 14 };

/* Reads a style from JSON; FALSE with a sentence that names the member and what is expected. */
gboolean sl_export_style_read (const char *text, gsize length, const char *subject,
                               SlExportStyle *style, GError **error);

/* Reads the colours of names, {"MoE-64": 1, …}, into some; FALSE with a sentence. */
gboolean sl_export_colours_read (const SlJson *member, SlColours *colours, GError **error);

/* Finds a style: by the name of one of the program's own or of the user's styles, or as a file,
 * which has a "/" or ends in ".json".  FALSE with a sentence, for an unknown name one that has the
 * known ones.  */
gboolean sl_export_style_find (const char *name, SlExportStyle *style, GError **error);

/* Names for sl_export_style_find(), the program's own first; free with g_strfreev(). */
char **sl_export_style_names (void);

/* Copies the file of a style into the user's folder, where it is found by the file's name without
 * its ending, which is returned; NULL with a sentence.  Free with g_free().  */
char *sl_export_style_keep (const char *path, GError **error);

/* Puts a style onto a page of `n` figures, whose `across` stays.  The style must outlive the options.  */
void sl_export_style_apply (SlExportStyle *style, SlExportOptions *options, unsigned n);

/* A sentence when the first of its fonts is not installed, with the one that is used; NULL: it is, or the style has none.
 * Free with g_free().  */
char *sl_export_style_font_note (const SlExportStyle *style);

/* Its colours alone: they go to those of the options where there are some, else the page has the style's. */
void sl_export_style_colour (SlExportStyle *style, SlExportOptions *options);
