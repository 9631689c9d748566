/* SPDX-License-Identifier: MIT */
#include "plot/export/ours.h"

#include <glib/gi18n.h>
#include <stdbool.h>
#include <string.h>

#include "core/run/base/error.h"
#include "core/run/base/load.h"
#include "plot/canvas/canvas.h"
#include "plot/canvas/script.h"
#include "plot/export/export.h"

enum { MOST = 1 << 28 /* bytes; no figure is as large */ };

static bool
begins (const char *text, const char *with)
{
  return strncmp (text, with, strlen (with)) == 0;
}

static const char *
next_line (const char *text)
{
  const char *end = strchr (text, '\n');

  return end != NULL ? end + 1 : text + strlen (text);
}

/* The comment lines that a file begins with have one that begins so. */
static bool
says_on_top (const char *text, const char *comment, const char *mark)
{
  for (; begins (text, comment); text = next_line (text))
    if (begins (text + strlen (comment), mark))
      return true;
  return false;
}

static bool
has (const char *bytes, gsize n, const char *what, gsize n_what)
{
  return memmem (bytes, n, what, n_what) != NULL;
}

gboolean
sl_export_is_ours (const char *path)
{
  static const char software[] = "iTXt" SL_PNG_SOFTWARE "\0\0\0\0\0Sluice";
  static const char recipe[] = "iTXtsluice-recipe";
  static const char gif[] = "!\xfe\6" SL_GIF_SOFTWARE;
  gsize             n;
  g_autofree char  *text = sl_load (path, MOST, &n, NULL);

  if (text == NULL)
    return FALSE;
  if (begins (text, "\x89PNG"))
    return has (text, n, software, sizeof software - 1) || has (text, n, recipe, sizeof recipe - 1);
  if (begins (text, "GIF89a"))
    return has (text, n, gif, sizeof gif - 1);
  if (begins (text, "%PDF"))
    return has (text, n, "/Creator (Sluice ", strlen ("/Creator (Sluice "));
  return begins (text, SL_SVG_BEGIN) || begins (text, SL_PAGE_BEGIN)
         || says_on_top (text, "% ", SL_TEX_MARK) || says_on_top (text, "#", SL_SCRIPT_MARK);
}

/* The heading of a table, which names its columns: bytes. */
static gsize
heading_of (const char *bytes, gsize n)
{
  const char *end = begins (bytes, "\x93NUMPY") ? memmem (bytes, n, "'shape'", strlen ("'shape'"))
                                                : memchr (bytes, '\n', n);

  return end != NULL ? (gsize) (end - bytes) : n;
}

static bool
same_heading (const char *path, const char *bytes, gsize n)
{
  gsize            n_old, heading = heading_of (bytes, n);
  g_autofree char *old = sl_load (path, MOST, &n_old, NULL);

  return old != NULL && heading > 0 && heading <= n_old && memcmp (old, bytes, heading) == 0;
}

static bool
is_table (const char *path)
{
  int              format = sl_export_format_for (path);
  g_autofree char *lower = g_ascii_strdown (path, -1);

  return format == SL_EXPORT_CSV || (format < 0 && !g_str_has_suffix (lower, ".html"));
}

gboolean
sl_export_may_replace (const char *path, const void *bytes, gsize n, GError **error)
{
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR) || sl_export_is_ours (path)
      || (is_table (path) && same_heading (path, bytes, n)))
    return TRUE;
  return sl_fail (error, SL_EINVAL, path, _ ("a file that Sluice did not write"),
                  _ ("another name, or --force to replace it"));
}
