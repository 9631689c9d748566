/* SPDX-License-Identifier: MIT */
#include "core/run/files/table-alive.h"

#include "core/lab/alive.h"
#include "core/run/files/csv.h"

static void
add_line (GString *csv, const char *part, const char *name, double unit, const char *state,
          double value, double lost)
{
  sl_csv_text (csv, part);
  sl_csv_text (csv, name);
  sl_csv_number (csv, unit);
  sl_csv_text (csv, state);
  sl_csv_number (csv, value);
  sl_csv_number (csv, lost);
  sl_csv_end (csv);
}

static const double *
row (const double *first, unsigned i)
{
  return first + (size_t) i * SL_ALIVE_COLUMNS;
}

/* The units of a group, under their own names where they have some, and its links: the cell that one comes from, the one it
 * goes to, and 1 where something passes.  */
static void
add_group (GString *csv, const SlAliveGroup *group, const char *name, char **own)
{
  unsigned n_own = group->place != NULL ? g_strv_length (own) : 0;

  for (unsigned i = 0; i < group->n; i++)
    {
      const double *cell = row (group->cell, i);
      unsigned      at = group->first_name + i;

      add_line (csv, "unit", at < n_own ? own[at] : name, cell[4],
                sl_alive_word (sl_alive_state (cell)), cell[2], cell[3]);
    }
  for (unsigned i = 0; i < group->n_links; i++)
    {
      const double *link = row (group->link, i);
      char          to[16];

      g_snprintf (to, sizeof to, "%.0f", link[2] + 1.0);
      add_line (csv, "link", name, link[1] + 1.0, to, link[3], 0.0);
    }
}

static void
add_lines (GString *csv, const SlAlive *alive, char **name, char **own)
{
  unsigned n = g_strv_length (name);

  for (unsigned g = 0; g < alive->n_groups; g++)
    add_group (csv, &alive->group[g], g < n ? name[g] : "", own);
  for (unsigned i = 0; i < alive->n_edges; i++)
    {
      const double *edge = row (alive->edge, i);
      unsigned      g = (unsigned) edge[1];

      add_line (csv, "edge", g < n ? name[g] : "", edge[2] + 1.0, "", edge[3], 0.0);
    }
  for (unsigned i = 0; i < alive->n_classes; i++)
    {
      const double *class = row (alive->class, i);

      add_line (csv, "class", alive->n_groups + i < n ? name[alive->n_groups + i] : "", class[4],
                class[2] > 0.0 ? "true" : "", class[1], 0.0);
    }
}

/* Letters and words of a line, with the slots of their tints. */
static void
add_tokens (GString *csv, const SlAlive *alive, char **name)
{
  unsigned n = g_strv_length (name);

  for (unsigned i = 0; alive->input == SL_ALIVE_LINE && i < alive->n_points; i++)
    {
      const double *token = row (alive->pixel, i);

      add_line (csv, "token", i + 1 < n ? name[i + 1] : "", i + 1.0, token[2] > 0.0 ? "shown" : "",
                token[1], 0.0);
    }
}

char *
sl_table_alive_csv (const SlSnapshot *snapshot)
{
  GString *csv = g_string_new ("part,name,unit,state,value,lost\n");
  char     english[SL_SNAPSHOT_NAMES];
  g_auto (GStrv) name
    = g_strsplit (sl_message_show (snapshot->names, NULL, english, sizeof english), "\n", -1);
  char rows[SL_SNAPSHOT_NAMES];
  g_auto (GStrv) own
    = g_strsplit (sl_message_show (snapshot->row_names, NULL, rows, sizeof rows), "\n", -1);
  SlAlive alive;

  if (snapshot->rows * (size_t) snapshot->columns <= snapshot->n_data
      && sl_alive_read (&alive, snapshot->data, snapshot->rows, snapshot->columns))
    {
      add_tokens (csv, &alive, own);
      add_lines (csv, &alive, name, own);
    }
  return g_string_free (csv, FALSE);
}
