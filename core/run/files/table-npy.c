/* SPDX-License-Identifier: MIT
 *
 * Records as files of NumPy, format 1.0 (numpy.lib.format): a header in Python's words, padded to
 * 64 bytes, then numbers of 64 bits, the lowest byte first.  */
#include "core/run/files/table-npy.h"

#include <string.h>

#include "core/run/files/table-rows.h"

enum { ALIGNMENT = 64, BEFORE_HEADER = 10 };

/* The length of a header is a number of 16 bits, which 256 names of 64 bytes cannot reach. */
G_STATIC_ASSERT (SL_CHANNELS_MAX *(sizeof ((SlChannel *) NULL)->id + 16) + 256 < G_MAXUINT16);

static void
append_double (GByteArray *to, double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  bits = GUINT64_TO_LE (bits);
  g_byte_array_append (to, (const guint8 *) &bits, sizeof bits);
}

/* `type` and `shape` as Python writes them. */
static GBytes *
finish (const char *type, const char *shape, const GByteArray *numbers)
{
  GByteArray *file = g_byte_array_new ();
  g_autoptr (GString) header = g_string_new (NULL);
  guint8 start[BEFORE_HEADER] = { 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0 };

  g_string_printf (header, "{'descr': %s, 'fortran_order': False, 'shape': %s, }", type, shape);
  while ((BEFORE_HEADER + header->len + 1) % ALIGNMENT != 0)
    g_string_append_c (header, ' ');
  g_string_append_c (header, '\n');
  start[8] = (guint8) (header->len & 255);
  start[9] = (guint8) (header->len >> 8);
  g_byte_array_append (file, start, sizeof start);
  g_byte_array_append (file, (const guint8 *) header->str, (guint) header->len);
  g_byte_array_append (file, numbers->data, numbers->len);
  return g_byte_array_free_to_bytes (file);
}

/* A field for each column; the names of channels are letters, digits, dots and dashes. */
static GBytes *
series_npy (const SlRecord *record, int panel, double first, double last)
{
  g_autoptr (GByteArray) numbers = g_byte_array_new ();
  g_autoptr (GString) type = g_string_new ("[('step', '<f8')");
  g_autofree char *shape = NULL;
  SlTableRows      rows;
  guint64          n = 0;

  sl_table_rows_init (&rows, record, panel, first, last);
  for (unsigned c = 0; c < rows.n; c++)
    g_string_append_printf (type, ", ('%s', '<f8')", record->layout.channel[rows.channel[c]].id);
  g_string_append_c (type, ']');
  for (; sl_table_rows_next (&rows); n++)
    {
      append_double (numbers, rows.step);
      for (unsigned c = 0; c < rows.n; c++)
        append_double (numbers, rows.value[c]);
    }
  shape = g_strdup_printf ("(%" G_GUINT64_FORMAT ",)", n);
  return finish (type->str, shape, numbers);
}

static GBytes *
matrix_npy (const SlSnapshot *snapshot)
{
  g_autoptr (GByteArray) numbers = g_byte_array_new ();
  g_autofree char *shape = NULL;

  if (snapshot->depth > 1)
    shape = g_strdup_printf ("(%u, %u, %u, %u)", snapshot->tiles, snapshot->depth, snapshot->rows,
                             snapshot->columns);
  else
    shape = g_strdup_printf ("(%u, %u, %u)", snapshot->tiles, snapshot->rows, snapshot->columns);
  for (size_t i = 0; snapshot->tiles > 0 && i < sl_snapshot_cells (snapshot); i++)
    append_double (numbers, snapshot->data[i]);
  return finish ("'<f8'", shape, numbers);
}

GBytes *
sl_table_npy (const SlRecord *record, double first, double last)
{
  return series_npy (record, -1, first, last);
}

gboolean
sl_table_has_npy (SlPanelKind kind)
{
  return sl_panel_is_series (kind) || kind == SL_HEATMAP || kind == SL_IMAGE || kind == SL_MAP;
}

GBytes *
sl_table_panel_npy (const SlRecord *record, unsigned panel, double first, double last)
{
  SlPanelKind kind = record->lab->panels[panel].kind;

  if (!sl_table_has_npy (kind))
    return NULL;
  if (sl_panel_is_series (kind))
    return series_npy (record, (int) sl_lab_panel_source (record->lab, panel), first, last);
  return matrix_npy (&record->snapshot[panel]);
}
