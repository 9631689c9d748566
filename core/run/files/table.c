/* SPDX-License-Identifier: MIT
 *
 * Records as CSV and JSON.  Reading JSON back is in table-read.c.  */
#include "core/run/files/table.h"

#include <math.h>

#include "core/run/base/json.h"
#include "core/run/files/csv.h"
#include "core/run/files/table-alive.h"
#include "core/run/files/table-rows.h"

/* The series channels of one panel, or of all with -1, side by side. */
static char *
series_csv (const SlRecord *record, int panel, double first, double last)
{
  GString    *csv = g_string_new ("step,");
  SlTableRows rows;

  sl_table_rows_init (&rows, record, panel, first, last);
  for (unsigned c = 0; c < rows.n; c++)
    sl_csv_text (csv, record->layout.channel[rows.channel[c]].id);
  sl_csv_end (csv);
  while (sl_table_rows_next (&rows))
    {
      sl_csv_number (csv, rows.step);
      for (unsigned c = 0; c < rows.n; c++)
        sl_csv_number (csv, rows.value[c]);
      sl_csv_end (csv);
    }
  return g_string_free (csv, FALSE);
}

char *
sl_table_csv (const SlRecord *record, double first, double last)
{
  return series_csv (record, -1, first, last);
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
          sl_csv_text (csv, record->layout.channel[curve->channel].id);
          if (bars)
            sl_csv_text (csv, category_at (panel, x[i]));
          sl_csv_number (csv, x[i]);
          sl_csv_number (csv, y[i]);
          sl_csv_number (csv, curve->has_spread ? y[curve->n + i] : (double) NAN);
          sl_csv_end (csv);
        }
    }
  return g_string_free (csv, FALSE);
}

/* Bytes that files have of the title of a channel. */
enum { TITLE = 64 };

/* The names of a snapshot in English. */
static char **
split_names (const char *names)
{
  char english[SL_SNAPSHOT_NAMES];

  return g_strsplit (sl_message_show (names, NULL, english, sizeof english), "\n", -1);
}

/* The columns and rows of a heat map by their names, all others by their numbers.  Tiles with captions have
 * them in a column, those in colour a row for each colour.  */
static char *
matrix_csv (const SlSnapshot *snapshot, SlPanelKind kind)
{
  static const char *const colours[] = { "red", "green", "blue" };
  GString                 *csv = g_string_new ("tile,");
  const double            *value = snapshot->data;
  bool                     coloured = kind == SL_IMAGE && snapshot->depth == G_N_ELEMENTS (colours);
  bool                     captions = kind == SL_IMAGE && snapshot->names[0] != '\0';
  g_auto (GStrv) name = split_names (kind == SL_HEATMAP || captions ? snapshot->names : "");
  g_auto (GStrv) row = split_names (kind == SL_HEATMAP ? snapshot->row_names : "");
  unsigned n = g_strv_length (name), n_rows = g_strv_length (row);

  g_string_append (csv, captions ? "caption," : "");
  g_string_append (csv, coloured ? "colour,row," : "row,");
  for (unsigned c = 0; c < snapshot->columns; c++)
    if (!captions && c + 1 < n)
      sl_csv_text (csv, name[c]);
    else
      sl_csv_whole (csv, c);
  sl_csv_end (csv);
  for (unsigned line = 0; line < snapshot->tiles * snapshot->depth * snapshot->rows; line++)
    {
      unsigned plane = line / snapshot->rows, tile = plane / snapshot->depth;

      sl_csv_whole (csv, tile);
      if (captions)
        sl_csv_text (csv, tile + 1 < n ? name[tile] : "");
      if (coloured)
        sl_csv_text (csv, colours[plane % snapshot->depth]);
      if (line % snapshot->rows + 1 < n_rows)
        sl_csv_text (csv, row[line % snapshot->rows]);
      else
        sl_csv_whole (csv, line % snapshot->rows);
      for (unsigned c = 0; c < snapshot->columns; c++)
        sl_csv_number (csv, *value++);
      sl_csv_end (csv);
    }
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
    case SL_HEATMAP:
    case SL_IMAGE:
    case SL_MAP: return matrix_csv (&record->snapshot[panel], what->kind);
    case SL_ALIVE: return sl_table_alive_csv (&record->snapshot[panel]);
    case SL_N_PANEL_KINDS: break;
    }
  return g_strdup ("");
}

/* As much of a message in English as files have of it. */
static void
write_message (SlJsonWriter *w, const char *key, const char *packed, size_t most)
{
  char text[SL_MESSAGE_SIZE];

  sl_json_add_text (w, key, sl_message_show (packed, NULL, text, most));
}

static void
write_channel (SlJsonWriter *w, const SlRecord *record, unsigned c)
{
  const SlChannel *channel = &record->layout.channel[c];
  const SlPanel   *panel = &record->lab->panels[channel->panel];
  const SlSeries  *series = &record->series[c];

  sl_json_open (w, NULL, '{', SL_JSON_LOOSE);
  sl_json_add_text (w, "id", channel->id);
  write_message (w, "title", sl_channel_title (record->lab, channel).packed, TITLE);
  sl_json_add_text (w, "panel", panel->id);
  sl_json_add_text (w, "trace", panel->traces[channel->trace].id);
  sl_json_add_whole (w, "instance", channel->instance);
  if (channel->from < channel->to)
    {
      sl_json_add_whole (w, "from", channel->from);
      sl_json_add_whole (w, "to", channel->to);
    }
  if (channel->series)
    {
      sl_json_add_numbers (w, "step", series->step, series->n, SL_JSON_PACKED);
      sl_json_add_numbers (w, "value", series->value, series->n, SL_JSON_PACKED);
    }
  sl_json_close (w);
}

/* Names as an array of strings, if there are any. */
static void
write_names (SlJsonWriter *w, const char *key, const char *packed)
{
  g_auto (GStrv) names = split_names (packed);

  if (names[0] == NULL)
    return;
  sl_json_open (w, key, '[', SL_JSON_PACKED);
  for (char **name = names; name[1] != NULL; name++)
    sl_json_add_text (w, NULL, *name);
  sl_json_close (w);
}

/* Names, and the rectangle of a plane. */
static void
write_places (SlJsonWriter *w, const SlSnapshot *snapshot)
{
  double plane[4] = { snapshot->left, snapshot->right, snapshot->bottom, snapshot->top };

  write_names (w, "names", snapshot->names);
  write_names (w, "row-names", snapshot->row_names);
  if (snapshot->left < snapshot->right)
    sl_json_add_numbers (w, "plane", plane, 4, SL_JSON_PACKED);
}

static void
write_snapshot (SlJsonWriter *w, const SlRecord *record, const SlSnapshot *snapshot)
{
  sl_json_open (w, NULL, '{', SL_JSON_LOOSE);
  sl_json_add_text (w, "panel", record->lab->panels[snapshot->panel].id);
  sl_json_add_number (w, "step", (double) snapshot->step);
  sl_json_add_number (w, "mark", snapshot->mark);
  write_message (w, "note", snapshot->note.packed, SL_MESSAGE_SIZE);
  sl_json_open (w, "curves", '[', SL_JSON_ROWS);
  for (unsigned k = 0; k < snapshot->n_curves; k++)
    {
      const SlSnapshotCurve *curve = &snapshot->curve[k];
      const double          *x = snapshot->data + curve->offset;

      sl_json_open (w, NULL, '{', SL_JSON_LOOSE);
      sl_json_add_text (w, "channel", record->layout.channel[curve->channel].id);
      sl_json_add_numbers (w, "x", x, curve->n, SL_JSON_PACKED);
      sl_json_add_numbers (w, "y", x + curve->n, curve->n, SL_JSON_PACKED);
      if (curve->has_spread)
        sl_json_add_numbers (w, "spread", x + 2 * curve->n, curve->n, SL_JSON_PACKED);
      sl_json_close (w);
    }
  sl_json_close (w);
  if (snapshot->tiles > 0)
    {
      sl_json_add_whole (w, "tiles", snapshot->tiles);
      sl_json_add_whole (w, "rows", snapshot->rows);
      sl_json_add_whole (w, "columns", snapshot->columns);
      sl_json_add_number (w, "lo", snapshot->lo);
      sl_json_add_number (w, "hi", snapshot->hi);
      if (snapshot->depth != 1)
        sl_json_add_whole (w, "depth", snapshot->depth);
      write_places (w, snapshot);
      sl_json_add_numbers (w, "values", snapshot->data, sl_snapshot_cells (snapshot),
                           SL_JSON_PACKED);
    }
  sl_json_close (w);
}

char *
sl_table_json (const SlRecord *record, const char *recipe)
{
  SlJsonWriter w;

  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_LINES);
  sl_json_add_whole (&w, "sluice-run", 1);
  sl_json_add_text (&w, "lab", record->lab != NULL ? record->lab->id : "");
  sl_json_add_json (&w, "recipe", recipe != NULL ? recipe : "null");
  sl_json_open (&w, "channels", '[', SL_JSON_LINES);
  for (unsigned c = 0; c < record->layout.n; c++)
    write_channel (&w, record, c);
  sl_json_close (&w);
  sl_json_open (&w, "snapshots", '[', SL_JSON_LINES);
  for (unsigned p = 0; record->lab != NULL && p < record->lab->n_panels; p++)
    if (record->has_snapshot[p])
      write_snapshot (&w, record, &record->snapshot[p]);
  sl_json_close (&w);
  sl_json_open (&w, "flags", '[', SL_JSON_LINES);
  for (unsigned m = 0; m < record->n_flags; m++)
    {
      sl_json_open (&w, NULL, '{', SL_JSON_LOOSE);
      sl_json_add_number (&w, "step", record->flag[m].step);
      write_message (&w, "text", record->flag[m].text, SL_CHANGE_MARKER_ENGLISH);
      sl_json_close (&w);
    }
  return sl_json_writer_end (&w, TRUE);
}
