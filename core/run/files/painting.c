/* SPDX-License-Identifier: MIT
 *
 * Painted points; see painting.h.  */
#include "core/run/files/painting.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <stdbool.h>
#include <string.h>

#include "core/run/base/error.h"
#include "core/run/base/save.h"

void
sl_painting_init (SlPainting *painting, const SlDataset *dataset)
{
  size_t n = 0;

  painting->points = g_array_new (FALSE, FALSE, sizeof (SlPaintedPoint));
  for (int s = 0; s < SL_N_SPLITS; s++)
    n += dataset->n[s];
  for (size_t i = 0; dataset->features == 2 && i < n; i++)
    {
      sl_real at[2];
      uint8_t label;

      sl_dataset_range (dataset, i, 1, at, &label);
      sl_painting_add (painting, (double) at[0], (double) at[1], label);
    }
}

void
sl_painting_clear (SlPainting *painting)
{
  g_clear_pointer (&painting->points, g_array_unref);
}

bool
sl_painting_add (SlPainting *painting, double x, double y, unsigned label)
{
  SlPaintedPoint point = { x, y, (uint8_t) label };

  if (painting->points->len >= SL_PAINTING_MOST)
    return false;
  g_array_append_val (painting->points, point);
  return true;
}

unsigned
sl_painting_erase (SlPainting *painting, double x, double y, double radius_x, double radius_y)
{
  unsigned removed = 0;

  for (guint i = painting->points->len; i-- > 0;)
    {
      const SlPaintedPoint *p = &g_array_index (painting->points, SlPaintedPoint, i);
      double                dx = (p->x - x) / radius_x, dy = (p->y - y) / radius_y;

      if (dx * dx + dy * dy > 1.0)
        continue;
      g_array_remove_index (painting->points, i);
      removed++;
    }
  return removed;
}

/* One row per point.  Classes are numbered from 1, as everywhere on the screen. */
static char *
as_table (const SlPainting *painting)
{
  GString *csv = g_string_new ("x1,x2,class\n");

  for (guint i = 0; i < painting->points->len; i++)
    {
      const SlPaintedPoint *p = &g_array_index (painting->points, SlPaintedPoint, i);
      char                  x[G_ASCII_DTOSTR_BUF_SIZE], y[G_ASCII_DTOSTR_BUF_SIZE];

      g_ascii_formatd (x, sizeof x, "%.9g", p->x);
      g_ascii_formatd (y, sizeof y, "%.9g", p->y);
      g_string_append_printf (csv, "%s,%s,%u\n", x, y, p->label + 1U);
    }
  return g_string_free (csv, FALSE);
}

static bool
enough (const SlPainting *painting)
{
  const GArray *points = painting->points;

  for (guint i = 1; points->len >= 3 && i < points->len; i++)
    if (g_array_index (points, SlPaintedPoint, i).label
        != g_array_index (points, SlPaintedPoint, 0).label)
      return true;
  return false;
}

char *
sl_painting_save (const SlPainting *painting, const char *folder, GError **error)
{
  g_autofree char *csv = NULL, *sum = NULL, *name = NULL, *path = NULL;

  if (!enough (painting))
    {
      sl_fail (error, SL_EINVAL, _ ("painted points"), _ ("points of one class only"),
               _ ("at least three points of two classes"));
      return NULL;
    }
  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      sl_fail (error, SL_EIO, folder, g_strerror (errno), NULL);
      return NULL;
    }
  csv = as_table (painting);
  sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, csv, -1);
  name = g_strdup_printf ("painted %u points %.12s.csv", painting->points->len, sum);
  path = g_build_filename (folder, name, NULL);
  if (!g_file_test (path, G_FILE_TEST_EXISTS) && !sl_save (path, csv, strlen (csv), error))
    return NULL;
  return g_strconcat (path, ":standardise=no", NULL);
}
