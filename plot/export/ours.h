/* SPDX-License-Identifier: MIT
 *
 * Which files a list of figures may replace without asking: those that Sluice wrote.  */
#pragma once

#include <glib.h>

/* How a web page of Sluice begins. */
#define SL_PAGE_BEGIN "<!DOCTYPE html>\n<!-- A page of Sluice -->\n"

/* Whether a file is a figure of Sluice, by what its format has where only Sluice puts it: the head of an SVG, a
 * script or a picture for LaTeX, a text of a PNG, the creator of a PDF.  */
gboolean sl_export_is_ours (const char *path);

/* Whether `path` may get these `n` bytes: it is free, or no regular file, or a figure of Sluice, or a table with
 * the heading of the new one.  FALSE with a sentence.  */
gboolean sl_export_may_replace (const char *path, const void *bytes, gsize n, GError **error);
