/* SPDX-License-Identifier: MIT
 *
 * Measuring and drawing text with Pango at sizes that do not depend on the device: metrics
 * unhinted, positions unrounded, so that screen, PNG, SVG and PDF agree.  */
#pragma once

#include <pango/pangocairo.h>
#include <stdbool.h>

typedef struct SlText SlText;

/* For one font family; one thread. */
SlText *sl_text_new (const char *family);
void    sl_text_free (SlText *text);

/* The family that text of a list of families, separated by commas, is drawn in; free with g_free(). */
char *sl_text_family (const char *families);

/* Width in px of `string` at `size` px; 0 where `text` is NULL. */
double sl_text_width (SlText *text, const char *string, double size, bool bold);

/* Height above and below the baseline of a line of this size. */
void sl_text_metrics (SlText *text, double size, double *ascent, double *descent);

/* Copies `string` into `out`, cut with "…" to at most `width` px.  Returns its width. */
double sl_text_ellipsise (SlText *text, const char *string, double size, bool bold, double width,
                          char *out, size_t out_size);

/* Breaks `string` between words into at most `lines` lines of `width` px, the last one cut with "…".
 * Ended by NULL; free with g_strfreev().  */
char **sl_text_wrap (SlText *text, const char *string, double size, double width, unsigned lines);

/* Draws with the baseline starting at the current point of `cr`, in its source colour. */
void sl_text_show (SlText *text, cairo_t *cr, const char *string, double size, bool bold);
