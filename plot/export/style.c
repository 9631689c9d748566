/* SPDX-License-Identifier: MIT */
#include "plot/export/style.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/run/base/error.h"
#include "core/run/base/json.h"
#include "core/run/base/load.h"
#include "core/run/base/save.h"
#include "plot/base/text.h"
#include "plot/canvas/script.h"

#define KEY "sluice-style"
#define OWN "/org/sluice/Sluice/styles/"
#define ENDING ".json"

extern GResource *sl_figures_get_resource (void);

static gboolean
read_number (const SlJson *member, double lo, double hi, double *to, GError **error)
{
  g_autofree char *expected = NULL;

  if (member->kind == SL_JSON_NUMBER && member->number >= lo && member->number <= hi)
    {
      *to = member->number;
      return TRUE;
    }
  expected = g_strdup_printf (_ ("a number from %g to %g"), lo, hi);
  return sl_fail (error, SL_EFORMAT, member->key, sl_json_kind_text (member), expected);
}

/* A line of words without control characters. */
static gboolean
read_text (const SlJson *member, char *to, size_t size, GError **error)
{
  const char *text = member->kind == SL_JSON_TEXT ? member->text : NULL;

  for (const char *p = text; p != NULL && *p != '\0'; p++)
    if (g_ascii_iscntrl (*p))
      text = NULL;
  if (text != NULL && *text != '\0' && g_strlcpy (to, text, size) < size)
    return TRUE;
  to[0] = '\0';
  return sl_fail (error, SL_EFORMAT, member->key, sl_json_kind_text (member),
                  _ ("a short line of text"));
}

static gboolean
read_name (const SlJson *member, int (*find) (const char *), const char *expected, int *to,
           GError **error)
{
  *to = member->kind == SL_JSON_TEXT ? find (member->text) : -1;
  return *to >= 0
         || sl_fail (error, SL_EFORMAT, member->key,
                     member->kind == SL_JSON_TEXT ? member->text : sl_json_kind_text (member),
                     expected);
}

static gboolean
read_truth (const SlJson *member, int *to, GError **error)
{
  *to = member->number != 0.0;
  return member->kind == SL_JSON_TRUTH
         || sl_fail (error, SL_EFORMAT, member->key, sl_json_kind_text (member),
                     _ ("true or false"));
}

gboolean
sl_export_colours_read (const SlJson *member, SlColours *colours, GError **error)
{
  static const char expected[]
    = N_ ("names of curves with numbers of colours from 1 to 8, at most 64");

  if (member->kind != SL_JSON_OBJECT)
    return sl_fail (error, SL_EFORMAT, member->key, sl_json_kind_text (member), _ (expected));
  for (const SlJson *at = member->first; at != NULL; at = at->next)
    {
      uint64_t number = 0;

      if (!sl_json_whole (at, SL_THEME_COLOURS, &number) || number == 0
          || !sl_colours_set (colours, at->key, (unsigned) number - 1))
        return sl_fail (error, SL_EFORMAT, at->key, sl_json_kind_text (at), _ (expected));
    }
  return TRUE;
}

static gboolean
read_member (const SlJson *member, SlExportStyle *style, GError **error)
{
  const char *key = member->key;

  if (strcmp (key, "name") == 0)
    return read_text (member, style->name, sizeof style->name, error);
  if (strcmp (key, "font") == 0)
    return read_text (member, style->font, sizeof style->font, error);
  if (strcmp (key, "width") == 0)
    return read_number (member, 10.0, 2000.0, &style->width, error);
  if (strcmp (key, "ratio") == 0)
    return read_number (member, 0.1, 5.0, &style->ratio, error);
  if (strcmp (key, "type") == 0)
    return read_number (member, 2.0, 100.0, &style->type, error);
  if (strcmp (key, "line") == 0)
    return read_number (member, 0.05, 20.0, &style->line, error);
  if (strcmp (key, "palette") == 0)
    return read_name (member, sl_palette_find, _ ("bright, strong or deep"), &style->palette,
                      error);
  if (strcmp (key, "theme") == 0)
    return read_name (member, sl_export_theme_find, _ ("light, dark or grey"), &style->theme,
                      error);
  if (strcmp (key, "legend") == 0)
    return read_name (member, sl_export_legend_find,
                      _ ("above, below, right, inside, apart or none"), &style->legend, error);
  if (strcmp (key, "colours") == 0)
    return sl_export_colours_read (member, &style->colours, error);
  if (strcmp (key, "titles") == 0)
    return read_truth (member, &style->titles, error);
  if (strcmp (key, "notes") == 0)
    return read_truth (member, &style->notes, error);
  return sl_fail (
    error, SL_EFORMAT, key, _ ("unknown"),
    "name, width, ratio, type, line, font, palette, theme, legend, titles, notes, colours");
}

gboolean
sl_export_style_read (const char *text, gsize length, const char *subject, SlExportStyle *style,
                      GError **error)
{
  g_autoptr (SlJson) json = sl_json_parse_object (text, length, SL_STYLE_BYTES, subject, error);
  SlStatus version;

  *style = (SlExportStyle) { .palette = -1, .theme = -1, .legend = -1, .titles = -1, .notes = -1 };
  if (json == NULL)
    return FALSE;
  version = sl_json_version (json, KEY, subject);
  if (!sl_status_good (&version, error))
    return FALSE;
  for (const SlJson *member = json->first; member != NULL; member = member->next)
    if (strcmp (member->key, KEY) != 0 && !read_member (member, style, error))
      {
        g_prefix_error (error, "%s: ", subject);
        return FALSE;
      }
  return TRUE;
}

static gboolean
read_file (const char *path, SlExportStyle *style, GError **error)
{
  gsize            length;
  g_autofree char *text = sl_load (path, SL_STYLE_BYTES, &length, error);

  return text != NULL && sl_export_style_read (text, length, path, style, error);
}

static char *
folder (void)
{
  return g_build_filename (g_get_user_config_dir (), "sluice", "styles", NULL);
}

/* A name that is no way to another folder. */
static gboolean
plain (const char *name)
{
  return *name != '\0' && *name != '.' && strchr (name, '/') == NULL;
}

static char *
file_of (const char *name)
{
  g_autofree char *in = folder (), *file = g_strconcat (name, ENDING, NULL);

  return g_build_filename (in, file, NULL);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

char **
sl_export_style_names (void)
{
  GPtrArray       *names = g_ptr_array_new ();
  g_autofree char *in = folder ();
  g_auto (GStrv) own = g_resource_enumerate_children (sl_figures_get_resource (), OWN, 0, NULL);
  g_autoptr (GDir) dir = g_dir_open (in, 0, NULL);
  const char *name;
  guint       first;

  for (char **file = own; file != NULL && *file != NULL; file++)
    g_ptr_array_add (names, g_strndup (*file, strlen (*file) - strlen (ENDING)));
  g_ptr_array_sort (names, compare);
  first = names->len;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (plain (name) && g_str_has_suffix (name, ENDING) && g_utf8_validate (name, -1, NULL))
      g_ptr_array_add (names, g_strndup (name, strlen (name) - strlen (ENDING)));
  if (names->len > first)
    qsort (names->pdata + first, names->len - first, sizeof (gpointer), compare);
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

gboolean
sl_export_style_find (const char *name, SlExportStyle *style, GError **error)
{
  g_autofree char *inside = g_strconcat (OWN, name, ENDING, NULL), *file = NULL;
  g_autoptr (GBytes) own = NULL;
  g_auto (GStrv) names = NULL;
  g_autofree char *known = NULL;

  if (strchr (name, '/') != NULL || g_str_has_suffix (name, ENDING))
    return read_file (name, style, error);
  own = g_resource_lookup_data (sl_figures_get_resource (), inside, 0, NULL);
  if (own != NULL)
    return sl_export_style_read (g_bytes_get_data (own, NULL), g_bytes_get_size (own), name, style,
                                 error);
  file = file_of (name);
  if (plain (name) && g_file_test (file, G_FILE_TEST_EXISTS))
    return read_file (file, style, error);
  names = sl_export_style_names ();
  known = g_strjoinv (", ", names);
  return sl_fail (error, SL_EINVAL, "style", name, known);
}

char *
sl_export_style_keep (const char *path, GError **error)
{
  gsize            length;
  g_autofree char *text = sl_load (path, SL_STYLE_BYTES, &length, error), *in = folder ();
  g_autofree char *base = g_path_get_basename (path), *name = NULL, *file = NULL;
  SlExportStyle    style;

  if (text == NULL || !sl_export_style_read (text, length, path, &style, error))
    return NULL;
  if (g_str_has_suffix (base, ENDING))
    base[strlen (base) - strlen (ENDING)] = '\0';
  name = g_utf8_make_valid (base, -1);
  if (!plain (name))
    {
      sl_fail (error, SL_EINVAL, path, _ ("a hidden file"), _ ("a file with a name"));
      return NULL;
    }
  file = file_of (name);
  g_mkdir_with_parents (in, 0777);
  return sl_save (file, text, length, error) ? g_steal_pointer (&name) : NULL;
}

void
sl_export_style_colour (SlExportStyle *style, SlExportOptions *options)
{
  if (style->colours.n == 0)
    return;
  if (options->colours == NULL)
    options->colours = &style->colours;
  for (unsigned i = 0; i < style->colours.n && options->colours != &style->colours; i++)
    sl_colours_set (options->colours, style->colours.colour[i].name, style->colours.colour[i].slot);
}

char *
sl_export_style_font_note (const SlExportStyle *style)
{
  static const char *const general[] = { "serif", "sans-serif", "sans", "monospace", NULL };
  g_auto (GStrv) wanted = sl_script_families (style->font);
  g_autofree char *used = NULL;

  if (wanted[0] == NULL || g_strv_contains (general, wanted[0]))
    return NULL;
  used = sl_text_family (style->font);
  return g_ascii_strcasecmp (used, wanted[0]) != 0
           ? g_strdup_printf (_ ("the font %s is not installed; %s is used"), wanted[0], used)
           : NULL;
}

void
sl_export_style_apply (SlExportStyle *style, SlExportOptions *options, unsigned n)
{
  unsigned across = CLAMP (options->across, 1, MAX (n, 1));

  if (style->width > 0.0)
    options->width = style->width;
  if (style->ratio > 0.0)
    options->height = options->width / across * style->ratio * ((MAX (n, 1) + across - 1) / across);
  if (style->type > 0.0)
    options->type = style->type;
  if (style->line > 0.0)
    options->line = style->line;
  if (style->font[0] != '\0')
    options->font = style->font;
  if (style->palette >= 0)
    options->palette = (SlPaletteKind) style->palette;
  if (style->theme >= 0)
    options->theme = (SlThemeKind) style->theme;
  if (style->legend >= 0)
    options->legend = (SlLegendPlace) style->legend;
  if (style->titles >= 0)
    options->titles = style->titles;
  if (style->notes >= 0)
    options->notes = style->notes;
  sl_export_style_colour (style, options);
}
