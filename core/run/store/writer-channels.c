/* SPDX-License-Identifier: MIT
 *
 * Numbers of channels in the file.  A version may add, drop or move channels, so what an earlier one
 * wrote is known by the names, and is renumbered before this one goes on with it.  */
#include "core/labs/registry.h"
#include "core/run/store/writer-private.h"

typedef struct
{
  gint64 number;
  int    channel; /* of the layout, or -1 */
} Stored;

static GArray *
read_stored (gint64 run, const SlLayout *layout, SlStore *store, GError **error)
{
  static const char SQL[] = "SELECT number, channel.name, run.lab FROM channel"
                            " JOIN run ON run.id = channel.run WHERE run.id = ?";
  g_autoptr (sqlite3_stmt) row = sl_store_prepare (&store->writer, error, SQL, "i", run);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Stored));
  int more = -1;

  while (row != NULL && (more = sl_store_step (&store->writer, row, error)) > 0)
    {
      const SlLab *lab = sl_lab_find (sl_store_text (row, 2));
      Stored       stored = { .number = sqlite3_column_int64 (row, 0), .channel = -1 };

      if (lab != NULL)
        stored.channel = sl_layout_find_stored (layout, lab, sl_store_text (row, 1));
      g_array_append_val (all, stored);
    }
  return more == 0 ? g_steal_pointer (&all) : NULL;
}

/* This program never writes two channels of one name; the second stays in its place. */
static gboolean
move (gint64 run, gint64 from, gint64 to, SlStore *store, GError **error)
{
  return sl_store_do (&store->writer, error,
                      "UPDATE OR IGNORE block SET channel = ? WHERE run = ? AND channel = ?", "iii",
                      to, run, from)
         && sl_store_do (&store->writer, error,
                         "UPDATE OR IGNORE channel SET number = ? WHERE run = ? AND number = ?",
                         "iii", to, run, from);
}

/* Below all numbers that are in use; what stays there belongs to no channel of this version. */
static gboolean
move_away (gint64 run, GArray *all, SlStore *store, GError **error)
{
  gint64 least = 0;

  for (guint i = 0; i < all->len; i++)
    least = MIN (least, g_array_index (all, Stored, i).number);
  for (guint i = 0; i < all->len; i++)
    {
      Stored *stored = &g_array_index (all, Stored, i);

      if (stored->number == stored->channel || stored->number < 0)
        continue;
      if (!move (run, stored->number, --least, store, error))
        return FALSE;
      stored->number = least;
    }
  return TRUE;
}

static gboolean
move_back (gint64 run, const GArray *all, const SlLayout *layout, SlStore *store, GError **error)
{
  for (guint i = 0; i < all->len; i++)
    {
      const Stored *stored = &g_array_index (all, Stored, i);

      if (stored->channel < 0 || stored->number == stored->channel)
        continue;
      if (!move (run, stored->number, stored->channel, store, error)
          || !sl_store_do (&store->writer, error,
                           "UPDATE channel SET name = ? WHERE run = ? AND number = ?", "sii",
                           layout->channel[stored->channel].id, run, (gint64) stored->channel))
        return FALSE;
    }
  return TRUE;
}

gboolean
sl_writer_renumber (gint64 run, const SlLayout *layout, SlStore *store, GError **error)
{
  g_autoptr (GArray) all = read_stored (run, layout, store, error);

  if (all == NULL || !move_away (run, all, store, error)
      || !move_back (run, all, layout, store, error))
    return FALSE;
  for (unsigned c = 0; c < layout->n; c++)
    if (layout->channel[c].series
        && !sl_store_do (&store->writer, error,
                         "INSERT OR IGNORE INTO channel (run, number, name) VALUES (?, ?, ?)",
                         "iis", run, (gint64) c, layout->channel[c].id))
      return FALSE;
  return TRUE;
}
