/* SPDX-License-Identifier: MIT
 *
 * Pages as files, with the table or the legend in a file beside some; see export.h.  */
#include <string.h>

#include "core/run/base/save.h"
#include "plot/canvas/script.h"
#include "plot/canvas/tikz.h"
#include "plot/export/export.h"
#include "plot/export/ours.h"

/* A name beside `path` that LaTeX reads as it is, on any system. */
static char *
name_beside (const char *path, const char *ending)
{
  g_autofree char *name = g_path_get_basename (path);
  char            *dot = strrchr (name, '.');

  if (dot != NULL)
    *dot = '\0';
  g_strcanon (name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-.", '-');
  return g_strconcat (name, ending, NULL);
}

static char *
replace (const char *text, const char *from, const char *to)
{
  g_auto (GStrv) parts = g_strsplit (text, from, -1);

  return g_strjoinv (to, parts);
}

/* The lines around a table inside a page, and the one that replaces the table when it is a file. */
static const struct
{
  const char *begin, *end, *instead;
} tables[SL_N_EXPORTS] = {
  [SL_EXPORT_TIKZ] = { SL_TEX_TABLE_BEGIN, SL_TEX_TABLE_END, "" },
  [SL_EXPORT_MATPLOTLIB] = { SL_MATPLOTLIB_BEGIN, SL_MATPLOTLIB_END,
                             "DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "
                             "\"" SL_TEX_TABLE_NAME "\")\n" },
};

gboolean
sl_export_save_bytes (const void *data, gsize n, const SlExportOptions *options, const char *path,
                      GError **error)
{
  g_autofree char *before = NULL;
  gsize            n_before;

  if (options->only_ours && !sl_export_may_replace (path, data, n, error))
    return FALSE;
  if (options->keep_same && g_file_test (path, G_FILE_TEST_IS_REGULAR)
      && g_file_get_contents (path, &before, &n_before, NULL) && n_before == n
      && memcmp (before, data, n) == 0)
    return TRUE;
  return sl_save (path, data, n, error);
}

/* A page whose table is a file of its own.  The table is written first: a page without it would be none. */
static gboolean
save_apart (const char *source, SlExportFormat format, const char *path,
            const SlExportOptions *options, GError **error)
{
  SlExportOptions  of_table = *options;
  g_autofree char *folder = g_path_get_dirname (path),
                  *name = name_beside (path, format == SL_EXPORT_TIKZ ? ".dat" : "-data.csv");
  g_autofree char *beside = g_build_filename (folder, name, NULL);
  g_autofree char *out = name_beside (path, ".pdf"), *head = NULL, *page = NULL, *named = NULL;
  g_autofree char *whole = NULL;
  const char      *begin = strstr (source, tables[format].begin), *end = NULL;

  if (options->only_ours && !sl_export_may_replace (path, source, strlen (source), error))
    return FALSE;
  /* The table beside a figure of Sluice is one of Sluice, too, whatever its heading was. */
  of_table.only_ours = options->only_ours && !sl_export_is_ours (path);
  if (begin != NULL)
    end = strstr (begin, tables[format].end);
  if (end != NULL)
    {
      const char *table = begin + strlen (tables[format].begin);

      if (!sl_export_save_bytes (table, (gsize) (end - table), &of_table, beside, error))
        return FALSE;
      head = g_strndup (source, (gsize) (begin - source));
      page = g_strconcat (head, tables[format].instead, end + strlen (tables[format].end), NULL);
      named = replace (page, SL_TEX_TABLE_NAME, name);
    }
  whole = replace (named != NULL ? named : source, SL_SCRIPT_OUT, out);
  return sl_export_save_bytes (whole, strlen (whole), options, path, error);
}

static gboolean
save_page (GBytes *page, SlExportFormat format, const char *path, const SlExportOptions *options,
           GError **error)
{
  gsize       n;
  const char *data = g_bytes_get_data (page, &n);

  if (format < SL_N_EXPORTS && tables[format].begin != NULL
      && (!g_file_test (path, G_FILE_TEST_EXISTS) || g_file_test (path, G_FILE_TEST_IS_REGULAR)))
    {
      g_autofree char *source = g_strndup (data, n);

      return save_apart (source, format, path, options, error);
    }
  return sl_export_save_bytes (data, n, options, path, error);
}

gboolean
sl_export_save_page (GBytes *page, SlExportFormat format, const char *path, GError **error)
{
  return save_page (page, format, path, &(SlExportOptions) { 0 }, error);
}

/* "figure-legend.svg" for "figure.svg". */
static char *
legend_beside (const char *path)
{
  const char      *dot = strrchr (path, '.'), *slash = strrchr (path, '/');
  gsize            length = dot != NULL && dot > slash ? (gsize) (dot - path) : strlen (path);
  g_autofree char *stem = g_strndup (path, length);

  return g_strconcat (stem, "-legend", path + length, NULL);
}

static gboolean
save_legend (SlFigure *const *figures, unsigned n, const SlExportOptions *options,
             SlExportFormat format, const char *path, GError **error)
{
  GError          *failed = NULL;
  g_autofree char *beside = legend_beside (path);
  g_autoptr (GBytes) bytes = sl_export_legend (figures, n, options, format, &failed);

  if (failed != NULL)
    g_propagate_error (error, failed);
  return bytes != NULL ? save_page (bytes, format, beside, options, error) : failed == NULL;
}

gboolean
sl_export_save (SlFigure *const *figures, unsigned n, const SlExportOptions *options,
                SlExportFormat format, const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = sl_export_page (figures, n, options, format, error);

  return bytes != NULL && save_page (bytes, format, path, options, error)
         && (options->legend != SL_LEGEND_APART || format == SL_EXPORT_CSV
             || save_legend (figures, n, options, format, path, error));
}
