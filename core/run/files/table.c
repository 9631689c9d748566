/* SPDX-License-Identifier: MIT
 *
 * Records as CSV and JSON, and files that are never half written.  Reading JSON back is
 * in table-read.c.  */
#include "core/run/files/table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/run/base/error.h"
#include "core/run/base/number.h"
#include "core/run/files/table-rows.h"

static void
append_number (GString *text, double value)
{
  char number[SL_NUMBER_SIZE];

  if (!isnan (value))
    g_string_append (text, sl_number_format (value, number));
}

/* The series channels of one panel, or of all with -1, side by side. */
static char *
series_csv (const SlRecord *record, int panel, double first, double last)
{
  GString    *csv = g_string_new ("step");
  SlTableRows rows;

  sl_table_rows_init (&rows, record, panel, first, last);
  for (unsigned c = 0; c < rows.n; c++)
    g_string_append_printf (csv, ",%s", record->layout.channel[rows.channel[c]].id);
  g_string_append_c (csv, '\n');
  while (sl_table_rows_next (&rows))
    {
      append_number (csv, rows.step);
      for (unsigned c = 0; c < rows.n; c++)
        {
          g_string_append_c (csv, ',');
          append_number (csv, rows.value[c]);
        }
      g_string_append_c (csv, '\n');
    }
  return g_string_free (csv, FALSE);
}

char *
sl_table_csv (const SlRecord *record, double first, double last)
{
  return series_csv (record, -1, first, last);
}

/* A cell of text, quoted where it has to be. */
static void
append_cell (GString *csv, const char *text)
{
  if (strpbrk (text, ",\"\r\n") == NULL)
    {
      g_string_append (csv, text);
      return;
    }
  g_string_append_c (csv, '"');
  for (; *text != '\0'; text++)
    g_string_append_printf (csv, *text == '"' ? "\"%c" : "%c", *text);
  g_string_append_c (csv, '"');
}

static const char *
category_at (const SlPanel *panel, double x)
{
  for (unsigned i = 0; panel->categories != NULL && panel->categories[i] != NULL; i++)
    if (x == i)
      return panel->categories[i];
  return "";
}

static char *
curves_csv (const SlRecord *record, const SlPanel *panel, const SlSnapshot *snapshot)
{
  bool     bars = panel->kind == SL_BARS;
  GString *csv = g_string_new (bars ? "curve,category,x,y,spread\n" : "curve,x,y,spread\n");

  for (unsigned k = 0; k < snapshot->n_curves; k++)
    {
      const SlSnapshotCurve *curve = &snapshot->curve[k];
      const double          *x = snapshot->data + curve->offset, *y = x + curve->n;

      for (size_t i = 0; i < curve->n; i++)
        {
          append_cell (csv, record->layout.channel[curve->channel].id);
          g_string_append_c (csv, ',');
          if (bars)
            {
              append_cell (csv, category_at (panel, x[i]));
              g_string_append_c (csv, ',');
            }
          append_number (csv, x[i]);
          g_string_append_c (csv, ',');
          append_number (csv, y[i]);
          g_string_append_c (csv, ',');
          if (curve->has_spread)
            append_number (csv, y[curve->n + i]);
          g_string_append_c (csv, '\n');
        }
    }
  return g_string_free (csv, FALSE);
}

/* The columns of a heat map by their names, all others by their numbers.  Tiles with captions have
 * them in a column, those in colour a row for each colour.  */
static char *
matrix_csv (const SlSnapshot *snapshot, SlPanelKind kind)
{
  static const char *const colours[] = { "red", "green", "blue" };
  GString                 *csv = g_string_new ("tile");
  const double            *value = snapshot->data;
  bool                     coloured = kind == SL_IMAGE && snapshot->depth == G_N_ELEMENTS (colours);
  bool                     captions = kind == SL_IMAGE && snapshot->names[0] != '\0';
  char   **name = g_strsplit (kind == SL_HEATMAP || captions ? snapshot->names : "", "\n", -1);
  unsigned n = g_strv_length (name);

  g_string_append (csv, captions ? ",caption" : "");
  g_string_append (csv, coloured ? ",colour,row" : ",row");
  for (unsigned c = 0; c < snapshot->columns; c++)
    {
      g_string_append_c (csv, ',');
      if (!captions && c + 1 < n)
        append_cell (csv, name[c]);
      else
        g_string_append_printf (csv, "%u", c);
    }
  g_string_append_c (csv, '\n');
  for (unsigned line = 0; line < snapshot->tiles * snapshot->depth * snapshot->rows; line++)
    {
      unsigned plane = line / snapshot->rows, tile = plane / snapshot->depth;

      g_string_append_printf (csv, "%u,", tile);
      if (captions)
        {
          append_cell (csv, tile + 1 < n ? name[tile] : "");
          g_string_append_c (csv, ',');
        }
      if (coloured)
        g_string_append_printf (csv, "%s,", colours[plane % snapshot->depth]);
      g_string_append_printf (csv, "%u", line % snapshot->rows);
      for (unsigned c = 0; c < snapshot->columns; c++)
        {
          g_string_append_c (csv, ',');
          append_number (csv, *value++);
        }
      g_string_append_c (csv, '\n');
    }
  g_strfreev (name);
  return g_string_free (csv, FALSE);
}

/* A node or an edge in each row; edges say where from and where to. */
static char *
graph_csv (const SlSnapshot *snapshot)
{
  GString *csv = g_string_new ("node,name,text,x,y,from,to,size,value\n");
  char   **name = g_strsplit (snapshot->names, "\n", -1);
  unsigned n = g_strv_length (name);

  for (unsigned r = 0; r < snapshot->rows; r++)
    {
      const double *at = snapshot->data + (size_t) r * snapshot->columns;
      bool          node = at[0] < 0.0;
      char        **part = g_strsplit (node && r + 1 < n ? name[r] : "", "\t", 2);

      if (node)
        g_string_append_printf (csv, "%u", r);
      g_string_append_c (csv, ',');
      append_cell (csv, part[0] != NULL ? part[0] : "");
      g_string_append_c (csv, ',');
      append_cell (csv, part[0] != NULL && part[1] != NULL ? part[1] : "");
      g_string_append (csv, node ? "," : ",,,");
      append_number (csv, node ? at[1] : at[0]);
      g_string_append_c (csv, ',');
      append_number (csv, node ? at[2] : at[1]);
      g_string_append (csv, node ? ",,," : ",");
      append_number (csv, at[3]);
      g_string_append_c (csv, ',');
      append_number (csv, at[4]);
      g_string_append_c (csv, '\n');
      g_strfreev (part);
    }
  g_strfreev (name);
  return g_string_free (csv, FALSE);
}

char *
sl_table_panel_csv (const SlRecord *record, unsigned panel, double first, double last)
{
  const SlPanel *what = &record->lab->panels[panel];

  switch (what->kind)
    {
    case SL_SERIES:
    case SL_HISTORY:
    case SL_SHARES:
      return series_csv (record, (int) sl_lab_panel_source (record->lab, panel), first, last);
    case SL_PROFILE:
    case SL_BARS: return curves_csv (record, what, &record->snapshot[panel]);
    case SL_GRAPH: return graph_csv (&record->snapshot[panel]);
    case SL_HEATMAP:
    case SL_IMAGE:
    case SL_MAP: return matrix_csv (&record->snapshot[panel], what->kind);
    case SL_N_PANEL_KINDS: break;
    }
  return g_strdup ("");
}

static void
append_numbers (GString *json, const char *key, const double *value, size_t n)
{
  g_string_append_printf (json, ", \"%s\": [", key);
  for (size_t i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append_c (json, ',');
      sl_json_number (json, value[i]);
    }
  g_string_append_c (json, ']');
}

static void
append_channel (GString *json, const SlRecord *record, unsigned c)
{
  const SlChannel *channel = &record->layout.channel[c];
  const SlPanel   *panel = &record->lab->panels[channel->panel];

  g_string_append_printf (json, "{ \"id\": \"%s\", \"title\": ", channel->id);
  sl_json_string (json, channel->title);
  g_string_append_printf (json, ", \"panel\": \"%s\", \"trace\": \"%s\", \"instance\": %u",
                          panel->id, panel->traces[channel->trace].id, channel->instance);
  if (channel->series)
    {
      append_numbers (json, "step", record->series[c].step, record->series[c].n);
      append_numbers (json, "value", record->series[c].value, record->series[c].n);
    }
  g_string_append (json, " }");
}

/* Names as an array of strings, and the rectangle of a plane. */
static void
append_places (GString *json, const SlSnapshot *snapshot)
{
  const char *name = snapshot->names, *end;
  double      plane[4] = { snapshot->left, snapshot->right, snapshot->bottom, snapshot->top };

  if (*name != '\0')
    {
      g_string_append (json, ", \"names\": [");
      for (; (end = strchr (name, '\n')) != NULL; name = end + 1)
        {
          char *one = g_strndup (name, (gsize) (end - name));

          if (name != snapshot->names)
            g_string_append_c (json, ',');
          sl_json_string (json, one);
          g_free (one);
        }
      g_string_append_c (json, ']');
    }
  if (snapshot->left < snapshot->right)
    append_numbers (json, "plane", plane, 4);
}

static void
append_snapshot (GString *json, const SlRecord *record, const SlSnapshot *snapshot)
{
  g_string_append_printf (
    json, "{ \"panel\": \"%s\", \"step\": ", record->lab->panels[snapshot->panel].id);
  sl_json_number (json, (double) snapshot->step);
  g_string_append (json, ", \"mark\": ");
  sl_json_number (json, snapshot->mark);
  g_string_append (json, ", \"note\": ");
  sl_json_string (json, snapshot->note);
  g_string_append (json, ", \"curves\": [");
  for (unsigned k = 0; k < snapshot->n_curves; k++)
    {
      const SlSnapshotCurve *curve = &snapshot->curve[k];
      const double          *x = snapshot->data + curve->offset;

      g_string_append_printf (json, "%s\n      { \"channel\": \"%s\"", k > 0 ? "," : "",
                              record->layout.channel[curve->channel].id);
      append_numbers (json, "x", x, curve->n);
      append_numbers (json, "y", x + curve->n, curve->n);
      if (curve->has_spread)
        append_numbers (json, "spread", x + 2 * curve->n, curve->n);
      g_string_append (json, " }");
    }
  g_string_append (json, "]");
  if (snapshot->tiles > 0)
    {
      g_string_append_printf (json, ", \"tiles\": %u, \"rows\": %u, \"columns\": %u, \"lo\": ",
                              snapshot->tiles, snapshot->rows, snapshot->columns);
      sl_json_number (json, snapshot->lo);
      g_string_append (json, ", \"hi\": ");
      sl_json_number (json, snapshot->hi);
      if (snapshot->depth != 1)
        g_string_append_printf (json, ", \"depth\": %u", snapshot->depth);
      append_places (json, snapshot);
      append_numbers (json, "values", snapshot->data, sl_snapshot_cells (snapshot));
    }
  g_string_append (json, " }");
}

char *
sl_table_json (const SlRecord *record, const char *recipe)
{
  GString    *json = g_string_new ("{\n  \"sluice-run\": 1,\n  \"lab\": ");
  const char *comma = "";

  sl_json_string (json, record->lab != NULL ? record->lab->id : "");
  g_string_append_printf (json, ",\n  \"recipe\": %s,\n  \"channels\": [",
                          recipe != NULL ? recipe : "null");
  for (unsigned c = 0; c < record->layout.n; c++)
    {
      g_string_append (json, c > 0 ? ",\n    " : "\n    ");
      append_channel (json, record, c);
    }
  g_string_append (json, "\n  ],\n  \"snapshots\": [");
  for (unsigned p = 0; record->lab != NULL && p < record->lab->n_panels; p++)
    if (record->has_snapshot[p])
      {
        g_string_append_printf (json, "%s\n    ", comma);
        append_snapshot (json, record, &record->snapshot[p]);
        comma = ",";
      }
  g_string_append (json, "\n  ],\n  \"flags\": [");
  for (unsigned f = 0; f < record->n_flags; f++)
    {
      g_string_append (json, f > 0 ? ",\n    { \"step\": " : "\n    { \"step\": ");
      sl_json_number (json, record->flag[f].step);
      g_string_append (json, ", \"text\": ");
      sl_json_string (json, record->flag[f].text);
      g_string_append (json, " }");
    }
  g_string_append (json, "\n  ]\n}\n");
  return g_string_free (json, FALSE);
}

/* Into something that is there and is no regular file. */
static gboolean
write_through (const char *path, const void *bytes, gsize length, GError **error)
{
  FILE    *file = fopen (path, "w");
  gboolean good = file != NULL && fwrite (bytes, 1, length, file) == length;
  int      reason = errno;

  if (file != NULL && fclose (file) != 0 && good)
    {
      reason = errno;
      good = FALSE;
    }
  if (!good)
    sl_fail (error, SL_EIO, path, g_strerror (reason), NULL);
  return good;
}

gboolean
sl_table_save (const char *path, const void *bytes, gsize length, GError **error)
{
  struct stat there;
  gboolean    exists = stat (path, &there) == 0, good;
  char       *behind; /* the links, which a renaming would replace */
  GError     *reason = NULL;

  /* Renaming over /dev/stdout would replace the device. */
  if (exists && !S_ISREG (there.st_mode) && !S_ISDIR (there.st_mode))
    return write_through (path, bytes, length, error);
  behind = exists ? realpath (path, NULL) : NULL;
  /* Nobody may read the new file who could not read the old one. */
  good = g_file_set_contents_full (behind != NULL ? behind : path, bytes, (gssize) length,
                                   G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE,
                                   exists ? there.st_mode & 0666 : 0666, &reason);
  free (behind);
  if (good)
    return TRUE;
  sl_fail (error, SL_EIO, path, reason->message, NULL);
  g_error_free (reason);
  return FALSE;
}
