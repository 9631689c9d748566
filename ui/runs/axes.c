/* SPDX-License-Identifier: MIT
 *
 * What lies along the axes of the trade-off: two lists of all numbers that the runs have.  */
#include "core/run/base/language.h"
#include "ui/kit/widget.h"
#include "ui/runs/private.h"

#define NAMES "sl-measures" /* of the items, on their list */
#define WANTED                                                                                     \
  "sl-measure" /* interned, on the list: what was chosen, which other runs may not have */

enum { AXIS_CHARS = 18 };

void
sl_runs_page_want_axis (GtkDropDown *axis, const char *id)
{
  g_object_set_data (G_OBJECT (axis), WANTED, (gpointer) g_intern_string (id));
}

const char *
sl_runs_page_wanted_axis (GtkDropDown *axis)
{
  return g_object_get_data (G_OBJECT (axis), WANTED);
}

void
sl_runs_page_chose_axis (SlRunsPage *self, GParamSpec *property, GtkDropDown *axis)
{
  GPtrArray *names = g_object_get_data (G_OBJECT (axis), NAMES);
  guint      at = gtk_drop_down_get_selected (axis);

  if (self->filling || names == NULL || at >= names->len)
    return;
  sl_runs_page_want_axis (axis, g_ptr_array_index (names, at));
  sl_runs_page_update_soon (self);
  g_signal_emit_by_name (self, "moved");
}

static gboolean
is_same (const GPtrArray *a, const GPtrArray *b)
{
  if (a == NULL || a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    if (g_ptr_array_index (a, i) != g_ptr_array_index (b, i)) /* interned */
      return FALSE;
  return TRUE;
}

/* Titles in the user's language. */
static GtkStringList *
titles_of (const SlRunSet *set, const GPtrArray *runs, const GPtrArray *names)
{
  GtkStringList *titles = gtk_string_list_new (NULL);

  for (guint i = 0; i < names->len; i++)
    {
      SlMeasure measure;
      char      label[SL_MEASURE_LABEL];

      sl_measure_find (&measure, g_ptr_array_index (names, i), set->lab, runs);
      gtk_string_list_append (titles,
                              sl_message_show (measure.label, sl_words, label, sizeof label));
    }
  return titles;
}

/* Chooses the name among the items, or none. */
static void
show_axis (GtkDropDown *axis, const SlRunSet *set, const GPtrArray *runs, GPtrArray *names,
           const char *id)
{
  guint at;

  if (!is_same (g_object_get_data (G_OBJECT (axis), NAMES), names))
    {
      g_autoptr (GtkStringList) titles = titles_of (set, runs, names);

      g_object_set_data_full (G_OBJECT (axis), NAMES, g_ptr_array_ref (names),
                              (GDestroyNotify) g_ptr_array_unref);
      gtk_drop_down_set_model (axis, G_LIST_MODEL (titles));
    }
  if (!g_ptr_array_find (names, g_intern_string (id), &at))
    at = GTK_INVALID_LIST_POSITION;
  gtk_drop_down_set_selected (axis, at);
}

/* What was wanted, if the runs have it; else the first that they have. */
static const char *
choose (const GPtrArray *names, const char *wanted, const char *usual)
{
  if (wanted != NULL && g_ptr_array_find ((GPtrArray *) names, g_intern_string (wanted), NULL))
    return wanted;
  return usual;
}

void
sl_runs_page_settle_axes (SlRunsPage *self, const SlTradeView *view)
{
  SlTrade    *trade = &self->set.trade;
  SlTradeView chosen = *view;
  g_autoptr (GPtrArray) runs = g_ptr_array_new (), names = NULL;

  if (self->set.lab == NULL)
    return;
  for (guint i = 0; i < trade->runs->len; i++)
    g_ptr_array_add (runs, (gpointer) sl_trade_run (trade, i)->run);
  names = sl_measures (self->set.lab, runs, trade->varies, trade->n_varies);
  chosen.x = choose (names, view->x, sl_cost_id (SL_COST_EXECUTED));
  chosen.y = choose (names, view->y, "error");
  if (!g_str_equal (chosen.x, trade->x.id) || !g_str_equal (chosen.y, trade->y.id))
    sl_trade_settle (trade, &chosen);
  self->filling = TRUE;
  show_axis (self->x_axis, &self->set, runs, names, chosen.x);
  show_axis (self->y_axis, &self->set, runs, names, chosen.y);
  self->filling = FALSE;
}

void
sl_runs_page_add_axes (SlRunsPage *self)
{
  sl_drop_down_shorten (self->x_axis, AXIS_CHARS);
  sl_drop_down_shorten (self->y_axis, AXIS_CHARS);
}
