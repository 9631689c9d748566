/* SPDX-License-Identifier: MIT
 *
 * One Pango context with device-independent metrics and one layout that is used again for
 * every string; see text.h.  */
#include "plot/base/text.h"

#include <glib.h>
#include <string.h>

#include "plot/base/xml.h"

struct SlText
{
  PangoContext         *context;
  PangoLayout          *layout;
  PangoFontDescription *font;
};

SlText *
sl_text_new (const char *family)
{
  SlText               *text = g_new0 (SlText, 1);
  cairo_font_options_t *options = cairo_font_options_create ();

  text->context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options (text->context, options);
  cairo_font_options_destroy (options);
  pango_cairo_context_set_resolution (text->context, 96.0);
  pango_context_set_round_glyph_positions (text->context, FALSE);
  text->layout = pango_layout_new (text->context);
  pango_layout_set_single_paragraph_mode (text->layout, TRUE);
  text->font = pango_font_description_new ();
  pango_font_description_set_family (text->font, family);
  return text;
}

void
sl_text_free (SlText *text)
{
  if (text == NULL)
    return;
  pango_font_description_free (text->font);
  g_object_unref (text->layout);
  g_object_unref (text->context);
  g_free (text);
}

char *
sl_text_family (const char *families)
{
  SlText               *text = sl_text_new (families);
  PangoFont            *font = pango_context_load_font (text->context, text->font);
  PangoFontDescription *found = font != NULL ? pango_font_describe (font) : NULL;
  char *name = g_strdup (found != NULL ? pango_font_description_get_family (found) : "");

  g_clear_pointer (&found, pango_font_description_free);
  g_clear_object (&font);
  sl_text_free (text);
  return name;
}

static void
prepare (SlText *text, const char *string, double size, bool bold)
{
  /* Cairo refuses a whole page for one letter. */
  g_autofree char *holdable = sl_text_holdable (string);

  pango_font_description_set_absolute_size (text->font, size * PANGO_SCALE);
  pango_font_description_set_weight (text->font, bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  pango_layout_set_font_description (text->layout, text->font);
  pango_layout_set_text (text->layout, holdable, -1);
}

static double
width_of (PangoLayout *layout)
{
  PangoRectangle logical;

  pango_layout_line_get_extents (pango_layout_get_line_readonly (layout, 0), NULL, &logical);
  return (double) logical.width / PANGO_SCALE;
}

double
sl_text_width (SlText *text, const char *string, double size, bool bold)
{
  if (text == NULL || *string == '\0')
    return 0.0;
  prepare (text, string, size, bold);
  return width_of (text->layout);
}

void
sl_text_metrics (SlText *text, double size, double *ascent, double *descent)
{
  PangoFontMetrics *metrics;

  pango_font_description_set_absolute_size (text->font, size * PANGO_SCALE);
  pango_font_description_set_weight (text->font, PANGO_WEIGHT_NORMAL);
  metrics = pango_context_get_metrics (text->context, text->font, NULL);
  *ascent = (double) pango_font_metrics_get_ascent (metrics) / PANGO_SCALE;
  *descent = (double) pango_font_metrics_get_descent (metrics) / PANGO_SCALE;
  pango_font_metrics_unref (metrics);
}

double
sl_text_ellipsise (SlText *text, const char *string, double size, bool bold, double width,
                   char *out, size_t out_size)
{
  g_autofree char *valid = g_utf8_make_valid (string, -1);
  glong            low = 0, high;

  if (strlen (valid) < out_size)
    {
      double best = sl_text_width (text, valid, size, bold);

      g_strlcpy (out, valid, out_size);
      if (best <= width)
        return best;
    }

  /* The longest beginning that fits together with the dots. */
  high = g_utf8_strlen (valid, -1);
  while (low < high)
    {
      glong            middle = (low + high + 1) / 2;
      gsize            bytes = (gsize) (g_utf8_offset_to_pointer (valid, middle) - valid);
      g_autofree char *trial = g_strdup_printf ("%.*s\342\200\246", (int) bytes, valid);

      if (strlen (trial) < out_size && sl_text_width (text, trial, size, bold) <= width)
        low = middle;
      else
        high = middle - 1;
    }
  if (low == 0)
    {
      g_strlcpy (out, "", out_size);
      return 0.0;
    }
  {
    gsize bytes = (gsize) (g_utf8_offset_to_pointer (valid, low) - valid);

    while (bytes > 0 && valid[bytes - 1] == ' ')
      bytes--;
    g_snprintf (out, out_size, "%.*s\342\200\246", (int) bytes, valid);
  }
  return sl_text_width (text, out, size, bold);
}

/* The words of a line; a number and its percent sign are one. */
static char **
words_of (const char *string)
{
  char   **words = g_strsplit (string, " ", -1);
  unsigned n = 0;

  for (unsigned i = 0; words[i] != NULL; i++)
    if (n > 0 && words[i][0] == '%'
        && g_ascii_isdigit (words[n - 1][MAX (strlen (words[n - 1]), 1) - 1]))
      {
        char *whole = g_strconcat (words[n - 1], " ", words[i], NULL);

        g_free (words[n - 1]);
        g_free (words[i]);
        words[n - 1] = whole;
      }
    else
      words[n++] = words[i];
  words[n] = NULL;
  return words;
}

char **
sl_text_wrap (SlText *text, const char *string, double size, double width, unsigned lines)
{
  g_auto (GStrv) words = words_of (string);
  GString   *line = g_string_new (NULL);
  GPtrArray *out = g_ptr_array_new ();
  char       cut[1024];

  for (unsigned i = 0; words[i] != NULL; i++)
    {
      gsize before = line->len;

      if (before > 0)
        g_string_append_c (line, ' ');
      g_string_append (line, words[i]);
      if (before > 0 && out->len + 1 < lines
          && sl_text_width (text, line->str, size, false) > width)
        {
          g_string_truncate (line, before);
          sl_text_ellipsise (text, line->str, size, false, width, cut, sizeof cut);
          g_ptr_array_add (out, g_strdup (cut));
          g_string_assign (line, words[i]);
        }
    }
  if (line->len > 0)
    {
      sl_text_ellipsise (text, line->str, size, false, width, cut, sizeof cut);
      g_ptr_array_add (out, g_strdup (cut));
    }
  g_string_free (line, TRUE);
  g_ptr_array_add (out, NULL);
  return (char **) g_ptr_array_free (out, FALSE);
}

void
sl_text_show (SlText *text, cairo_t *cr, const char *string, double size, bool bold)
{
  PangoLayoutLine *line;

  if (*string == '\0')
    return;
  prepare (text, string, size, bold);
  line = pango_layout_get_line_readonly (text->layout, 0);
  if (cairo_surface_get_type (cairo_get_group_target (cr)) != CAIRO_SURFACE_TYPE_IMAGE)
    {
      pango_cairo_show_layout_line (cr, line);
      return;
    }
  /* Glyphs reach an image at whole pixels, which spaces small letters unevenly; outlines do
   * not.  */
  pango_cairo_layout_line_path (cr, line);
  cairo_fill (cr);
}
