/* SPDX-License-Identifier: MIT
 *
 * Drawings on a page.  A figure is drawn on a light and on a dark ground; the two differ in their colours, which become
 * numbers, and in their pictures, which are both kept.  A drawing is a list of lines of SVG; moments of one
 * figure share most of them.  */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/canvas/canvas.h"
#include "plot/export/sheet.h"
#include "plot/page/private.h"

enum { LONG_PATH = 200 /* bytes, from which on a path is worth writing in small steps */ };

struct SlPageShots
{
  GHashTable *numbers; /* number + 1 of each line */
  GPtrArray  *lines;
  GString    *shots; /* a list of lists of numbers, JSON */
  GPtrArray  *notes; /* of each, in words; or NULL */
  unsigned    n;
  double      width, height;
};

SlPageShots *
sl_page_shots_new (void)
{
  SlPageShots *shots = g_new0 (SlPageShots, 1);

  shots->numbers = g_hash_table_new (g_str_hash, g_str_equal);
  shots->lines = g_ptr_array_new_with_free_func (g_free);
  shots->shots = g_string_new ("[");
  shots->notes = g_ptr_array_new_with_free_func (g_free);
  return shots;
}

/* The lines of a drawing, without those around it; free with g_strfreev(). */
static char **
draw (SlPageShots *shots, SlFigure *figure, SlThemeKind theme)
{
  SlExportOptions options = sl_page_options (figure);
  SlPlotSheet     sheet;
  SlCanvas       *canvas;
  g_autoptr (GBytes) svg = NULL;
  const char *text, *begin;
  gsize       n;

  options.theme = theme;
  sl_plot_sheet_init (&sheet, &figure, 1, &options, 0.0);
  shots->width = sheet.width;
  shots->height = sheet.height;
  canvas = sl_canvas_svg_new (sheet.text, options.width, options.height, sheet.width, sheet.height,
                              sheet.theme.family, NULL, NULL, NULL);
  sl_canvas_svg_for_screen (canvas);
  sl_plot_sheet_draw (&sheet, canvas);
  sl_plot_sheet_clear (&sheet);
  svg = sl_canvas_svg_finish (canvas);
  text = g_bytes_get_data (svg, &n);
  begin = g_strstr_len (text, (gssize) n, "</desc>\n");
  begin = begin != NULL ? begin + strlen ("</desc>\n") : text;
  {
    g_autofree char *inner = g_strndup (begin, n - (gsize) (begin - text) - strlen ("</svg>\n"));

    return g_strsplit (g_strchomp (inner), "\n", -1);
  }
}

/* ---- paths in small steps ---- */

/* Appends a number of tenths: "-.5", "12.3". */
static void
put_tenths (GString *out, long tenths)
{
  if (tenths < 0)
    g_string_append_c (out, '-');
  tenths = labs (tenths);
  if (tenths >= 10 || tenths == 0)
    g_string_append_printf (out, "%ld", tenths / 10);
  if (tenths % 10 != 0)
    g_string_append_printf (out, ".%ld", tenths % 10);
}

static void
put_step (GString *out, char command, const long at[2], long from[2])
{
  g_string_append_c (out, command);
  put_tenths (out, at[0] - from[0]);
  if (at[1] >= from[1])
    g_string_append_c (out, ' ');
  put_tenths (out, at[1] - from[1]);
  memcpy (from, at, 2 * sizeof *from);
}

/* Appends a path of the commands M, L and h0, perhaps with Z at its end, by its steps, each point to a tenth; up to its
 * closing quotation mark, which is returned.  */
static const char *
put_path (GString *out, const char *path)
{
  long at[2], from[2] = { 0, 0 };

  while (*path != '"' && *path != '\0')
    {
      char  command = *path++;
      char *end;

      if (command == 'M' || command == 'L')
        {
          for (unsigned i = 0; i < 2; i++, path = end)
            at[i] = lround (10.0 * g_ascii_strtod (path, &end));
          put_step (out, command == 'M' ? 'm' : 'l', at, from);
        }
      else
        g_string_append_c (out, command);
    }
  return path;
}

/* ---- lines ---- */

static bool
is_colour (const char *text)
{
  return strlen (text) >= 8 && text[0] == '"' && text[1] == '#'
         && strspn (text + 2, "0123456789abcdef") == 6;
}

/* Whether two lines differ in nothing but their colours. */
static bool
is_pair (const char *light, const char *dark)
{
  while (*light != '\0' && *dark != '\0')
    if (is_colour (light) && is_colour (dark))
      {
        light += 8;
        dark += 8;
      }
    else if (*light++ != *dark++)
      return false;
  return *light == *dark;
}

/* A line of such a pair, whose colours are numbers. */
static char *
pair_line (SlPage *page, const char *light, const char *dark)
{
  GString *out = g_string_new (NULL);

  while (*light != '\0')
    {
      size_t before = strlen (light);

      if (is_colour (light))
        {
          g_string_append_printf (out, "\"var(--c%u)", sl_page_colour (page, light + 1, dark + 1));
          light += 8;
        }
      else if (before > LONG_PATH && g_str_has_prefix (light, " d=\"M"))
        {
          g_string_append (out, " d=\"");
          light = put_path (out, light + strlen (" d=\""));
        }
      else
        g_string_append_c (out, *light++);
      dark += before - strlen (light);
    }
  return g_string_free (out, FALSE);
}

/* A line with a class behind the name of its element.  How a picture is drawn is a class too: a page takes no style from an
 * attribute.  */
static char *
class_line (const char *line, const char *ground)
{
  static const char sharp[] = " style=\"image-rendering:pixelated\"";
  g_auto (GStrv) parts = g_strsplit (line, sharp, 2);
  size_t   name = strcspn (line, " ");
  GString *out = g_string_new_len (line, (gssize) name);

  g_string_append_printf (out, " class=\"%s%s\"", ground, parts[1] != NULL ? " pixels" : "");
  g_string_append (out, parts[0] + name);
  g_string_append (out, parts[1] != NULL ? parts[1] : "");
  return g_string_free (out, FALSE);
}

/* Takes the line. */
static void
add_line (SlPageShots *shots, char *line)
{
  unsigned number = GPOINTER_TO_UINT (g_hash_table_lookup (shots->numbers, line));

  if (number == 0)
    {
      g_ptr_array_add (shots->lines, line);
      number = shots->lines->len;
      g_hash_table_insert (shots->numbers, line, GUINT_TO_POINTER (number));
    }
  else
    g_free (line);
  g_string_append_printf (shots->shots, "%s%u",
                          g_str_has_suffix (shots->shots->str, "[") ? "" : ",", number - 1);
}

static void
add_lines (SlPageShots *shots, SlPage *page, const char *light, const char *dark)
{
  light += strspn (light, " ");
  dark += strspn (dark, " ");
  if (g_str_has_prefix (light, "<image") && strcmp (light, dark) == 0)
    add_line (shots, class_line (light, "both"));
  else if (is_pair (light, dark))
    add_line (shots, pair_line (page, light, dark));
  else
    {
      add_line (shots, class_line (light, "light"));
      add_line (shots, class_line (dark, "dark"));
    }
}

static char *
note_of (const SlFigure *figure)
{
  char text[SL_NOTE_MAX];

  return g_strdup (sl_message_show (figure->note, NULL, text, sizeof text));
}

void
sl_page_shots_add (SlPageShots *shots, SlPage *page, SlFigure *figure)
{
  g_auto (GStrv) light = NULL;
  g_auto (GStrv) dark = NULL;

  if (shots->n++ > 0)
    g_string_append_c (shots->shots, ',');
  g_ptr_array_add (shots->notes, figure != NULL ? note_of (figure) : NULL);
  if (figure == NULL)
    {
      g_string_append (shots->shots, "null");
      return;
    }
  light = draw (shots, figure, SL_THEME_LIGHT);
  dark = draw (shots, figure, SL_THEME_DARK);
  g_string_append_c (shots->shots, '[');
  for (size_t i = 0; light[i] != NULL && dark[i] != NULL; i++)
    add_lines (shots, page, light[i], dark[i]);
  g_string_append_c (shots->shots, ']');
}

void
sl_page_shots_end (SlPageShots *shots, SlPage *page)
{
  sl_page_number (page, "width", shots->width);
  sl_page_number (page, "height", shots->height);
  sl_page_open (page, "lines", '[');
  for (guint i = 0; i < shots->lines->len; i++)
    sl_page_text (page, NULL, g_ptr_array_index (shots->lines, i));
  sl_page_close (page);
  sl_page_open (page, "notes", '[');
  for (guint i = 0; i < shots->notes->len; i++)
    sl_page_text (page, NULL, g_ptr_array_index (shots->notes, i));
  sl_page_close (page);
  g_string_append_c (shots->shots, ']');
  sl_json_add_json (&page->json, "shots", shots->shots->str);
  g_hash_table_unref (shots->numbers);
  g_ptr_array_unref (shots->lines);
  g_ptr_array_unref (shots->notes);
  g_string_free (shots->shots, TRUE);
  g_free (shots);
}
