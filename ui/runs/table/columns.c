/* SPDX-License-Identifier: MIT */
#include "ui/runs/table/columns.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/run/base/language.h"
#include "core/run/query/group.h"
#include "plot/base/scale.h"
#include "ui/kit/number.h"
#include "ui/kit/widget.h"
#include "ui/runs/list/group-row.h"
#include "ui/runs/table/column-width.h"
#include "ui/runs/table/field-column.h"

typedef enum {
  NAME,
  LAB,
  SETTINGS,
  SEED,
  STEP,
  WRONG,
  EXECUTED,
  TIMED,
  SECONDS,
  STATE,
  TAGS,
  N_COLUMNS,
} Column;

/* Of more runs it is not looked up what they have in common. */
enum { IN_COMMON = 64 };

enum { FIELDS_AT = 2, FIELDS_MOST = 16, FIELD_WIDTH = 96 };

static const struct
{
  const char *title;
  int         width; /* 0: as its content needs, at least */
  gboolean    number, wide;
} columns[N_COLUMNS] = {
  [NAME] = { N_ ("Name"), 168, FALSE, FALSE },        [LAB] = { N_ ("Lab"), 108, FALSE, FALSE },
  [SETTINGS] = { N_ ("Settings"), 144, FALSE, TRUE }, [SEED] = { N_ ("Seed"), 56, TRUE, FALSE },
  [STEP] = { N_ ("Updates"), 76, TRUE, FALSE },       [WRONG] = { N_ ("Error"), 148, TRUE, FALSE },
  [EXECUTED] = { N_ ("Executed"), 124, TRUE, FALSE }, [TIMED] = { N_ ("Timed"), 108, TRUE, FALSE },
  [SECONDS] = { N_ ("Seconds"), 72, TRUE, FALSE },    [STATE] = { N_ ("State"), 80, FALSE, FALSE },
  [TAGS] = { N_ ("Tags"), 84, FALSE, TRUE },
};

static double
number_of (SlRunItem *item, Column column)
{
  const SlStoreRun *run = sl_run_item_run (item);
  const SlOutcome  *outcome = sl_run_item_outcome (item);

  switch (column)
    {
    case SEED: return (double) run->seed;
    case STEP: return (double) run->step;
    case WRONG: return outcome->error;
    case EXECUTED: return outcome->executed;
    case TIMED: return outcome->timed;
    case SECONDS: return run->seconds;
    default: return NAN;
    }
}

static gboolean
is_percent (SlRunItem *item)
{
  return sl_run_item_cost_unit (item)[0] == '%';
}

/* An error on examples, in a narrow column. */
static char *
examples_text (double error, gboolean validation)
{
  char text[48];

  /* Translators: an error on validation examples, in a narrow column. */
  return g_strdup_printf (validation ? _ ("%s (val.)") : "%s",
                          sl_number_text (error, 4, text, sizeof text));
}

/* With the update that it is of, unless that is the run's. */
static char *
error_text (const SlStoreRun *run, const SlOutcome *outcome)
{
  g_autofree char *error = examples_text (outcome->error, outcome->validation), *at = NULL;

  if (outcome->at == (double) run->step)
    return g_steal_pointer (&error);
  if (isnan (outcome->at))
    return g_strconcat (error, " *", NULL);
  at = sl_grouped ((guint64) outcome->at);
  /* Translators: an error and the update that it was measured at, in a narrow column. */
  return g_strdup_printf (_ ("%s at %s"), error, at);
}

static char *
text_of (SlRunItem *item, Column column)
{
  const SlStoreRun *run = sl_run_item_run (item);
  double            number = number_of (item, column);
  char              text[48];

  switch (column)
    {
    case LAB: return g_strdup (run->lab != NULL ? sl_words (run->lab->title) : run->lab_id);
    case SETTINGS: return g_strdup (sl_run_item_settings (item));
    case STATE:
      return g_strdup_printf (sl_store_run_is_curves_only (run) ? _ ("%s, curves only") : "%s",
                              sl_run_status_title (run->status));
    case TAGS: return g_strdelimit (g_strdup (sl_given (run->tags)), ",", ' ');
    case STEP: return sl_grouped (run->step);
    case SEED: return g_strdup_printf ("%" G_GUINT64_FORMAT, run->seed);
    default: break;
    }
  if (!isfinite (number))
    return g_strdup ("–");
  if (column == TIMED && number < 999.5)
    return g_strdup_printf (
      "%s %%",
      sl_spread_text (number, sl_run_item_outcome (item)->timed_spread, 3, text, sizeof text));
  if (column == WRONG)
    return error_text (run, sl_run_item_outcome (item));
  if (column == TIMED)
    return g_strdup_printf ("%s %%", sl_percent_text (number, text, sizeof text));
  return g_strdup_printf (column == EXECUTED && is_percent (item) ? "%s %%" : "%s",
                          sl_number_text (number, 4, text, sizeof text));
}

static char *
mean_text (const SlMean *mean, int digits, const char *unit)
{
  char text[48];

  if (mean->n == 0)
    return g_strdup ("–");
  return g_strconcat (sl_interval_text (mean->mean, mean->half, digits, text, sizeof text), unit,
                      NULL);
}

/* What all runs of a group say, or "". */
static char *
common_text (GPtrArray *items, Column column)
{
  char *text = items->len > 0 && items->len <= IN_COMMON
                 ? text_of (g_ptr_array_index (items, 0), column)
                 : g_strdup ("");

  for (guint i = 1; i < items->len && *text != '\0'; i++)
    {
      g_autofree char *other = text_of (g_ptr_array_index (items, i), column);

      if (!g_str_equal (text, other))
        *text = '\0';
    }
  return text;
}

/* The text of a group's row: how many runs it has, their means, and what they have in common. */
static char *
group_text (SlRunGroupRow *group, Column column)
{
  GPtrArray        *items = sl_run_group_row_items (group);
  const SlRunGroup *means = sl_run_group_row_means (group);

  if (column == SETTINGS && sl_run_group_row_is_setting (group))
    return common_text (items, column);
  switch (column)
    {
    case SETTINGS: return g_strdup_printf (ngettext ("%u run", "%u runs", items->len), items->len);
    case WRONG: return mean_text (&means->error, 4, means->validation ? _ (" (val.)") : "");
    case EXECUTED:
      return mean_text (&means->executed, 4,
                        items->len > 0 && is_percent (g_ptr_array_index (items, 0)) ? " %" : "");
    case TIMED: return mean_text (&means->timed, 3, " %");
    default: return common_text (items, column);
    }
}

static double
mean_of (const SlMean *mean)
{
  return mean->n > 0 ? mean->mean : (double) NAN;
}

/* By what a row is sorted, a run or a group. */
static double
number_of_row (gpointer row, Column column)
{
  GPtrArray *items = SL_IS_RUN_GROUP_ROW (row) ? sl_run_group_row_items (row) : NULL;
  double     sum = 0.0;

  if (items == NULL)
    return number_of (row, column);
  if (column == WRONG)
    return mean_of (&sl_run_group_row_means (row)->error);
  if (column == EXECUTED)
    return mean_of (&sl_run_group_row_means (row)->executed);
  if (column == TIMED)
    return mean_of (&sl_run_group_row_means (row)->timed);
  for (guint i = 0; i < items->len; i++)
    sum += number_of (g_ptr_array_index (items, i), column);
  return sum / items->len;
}

static char *
text_of_row (gpointer row, Column column)
{
  if (SL_IS_RUN_GROUP_ROW (row))
    return column == NAME ? g_strdup (sl_run_group_row_title (row)) : group_text (row, column);
  return column == NAME ? g_strdup (sl_run_item_name (row)) : text_of (row, column);
}

/* Rising; what has no number comes last. */
static int
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  Column   column = GPOINTER_TO_UINT (data);
  gpointer p = (gpointer) a, q = (gpointer) b;
  double   x, y;

  if (!columns[column].number)
    {
      g_autofree char *s = text_of_row (p, column), *t = text_of_row (q, column);
      g_autofree char *name_s = column == NAME ? g_utf8_collate_key_for_filename (s, -1) : NULL;
      g_autofree char *name_t = column == NAME ? g_utf8_collate_key_for_filename (t, -1) : NULL;

      return column == NAME ? strcmp (name_s, name_t) : g_utf8_collate (s, t);
    }
  x = number_of_row (p, column);
  y = number_of_row (q, column);
  if (isnan (x) || isnan (y))
    return (int) isnan (x) - (int) isnan (y);
  return (x > y) - (x < y);
}

static gboolean
has_tooltips (Column column)
{
  return column == TAGS || column == WRONG || columns[column].wide;
}

/* What a mean error is of. */
static char *
group_tooltip (const SlRunGroup *means)
{
  const char *mean
    = means->validation
        ? /* xgettext:no-c-format */ _ ("Mean ± 95 % interval, of validation examples.")
        : /* xgettext:no-c-format */ _ ("Mean ± 95 % interval, of all test examples.");

  if (means->error.n == 0 || means->left_out == 0)
    return g_strdup (mean);
  return g_strdup_printf (_ ("%s Runs without such an error: %u."), mean, means->left_out);
}

/* What an error is of, and when it was measured. */
static char *
error_tooltip (const SlStoreRun *run, const SlOutcome *outcome)
{
  const char *what
    = outcome->validation
        ? _ ("Validation examples, as last evaluated in training. Test examples are evaluated "
             "when the run ends or this page is opened from it.")
        : _ ("Of all test examples.");
  g_autofree char *at = NULL;

  if (isnan (outcome->error))
    return NULL;
  if (outcome->at == (double) run->step)
    return g_strdup (what);
  if (isnan (outcome->at))
    return g_strdup_printf (_ ("%s Perhaps of an earlier update: which is not stored."), what);
  at = sl_grouped ((guint64) outcome->at);
  return g_strdup_printf (_ ("%s Measured at update %s."), what, at);
}

static char *
tooltip_of (gpointer item, Column column, const char *text)
{
  if (SL_IS_RUN_GROUP_ROW (item))
    return column == WRONG      ? group_tooltip (sl_run_group_row_means (item))
           : column == SETTINGS ? g_strdup (text)
                                : NULL;
  if (column == WRONG)
    return error_tooltip (sl_run_item_run (item), sl_run_item_outcome (item));
  if (column == TAGS && sl_given (sl_run_item_run (item)->note)[0] != '\0')
    return g_strdup (sl_run_item_run (item)->note);
  return columns[column].wide ? g_strdup (text) : NULL;
}

static void
show_label (GtkListItem *cell)
{
  gpointer         item = gtk_list_item_get_item (cell);
  GtkWidget       *label = gtk_list_item_get_child (cell);
  Column           column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (label), "column"));
  g_autofree char *text = text_of_row (item, column);

  gtk_label_set_label (GTK_LABEL (label), text);
}

/* Hundreds of cells are bound at once, and the pointer is over one. */
static gboolean
on_tooltip (GtkWidget *label, int x, int y, gboolean keyboard, GtkTooltip *tooltip,
            GtkListItem *cell)
{
  gpointer         item = gtk_list_item_get_item (cell);
  Column           column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (label), "column"));
  g_autofree char *text
    = item != NULL ? tooltip_of (item, column, gtk_label_get_label (GTK_LABEL (label))) : NULL;

  gtk_tooltip_set_text (tooltip, text);
  return text != NULL;
}

static void
on_setup_label (GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer column)
{
  GtkWidget *label = gtk_label_new (NULL);

  g_object_set_data (G_OBJECT (label), "column", column);
  gtk_label_set_xalign (GTK_LABEL (label), columns[GPOINTER_TO_UINT (column)].number ? 1.0f : 0.0f);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  if (columns[GPOINTER_TO_UINT (column)].number)
    gtk_widget_add_css_class (label, "numeric");
  if (has_tooltips (GPOINTER_TO_UINT (column)))
    {
      gtk_widget_set_has_tooltip (label, TRUE);
      g_signal_connect_object (label, "query-tooltip", G_CALLBACK (on_tooltip), cell, 0);
    }
  else
    sl_label_tell_when_cut (GTK_LABEL (label));
  sl_column_cell_set_child (cell, label);
}

static void
on_bind_label (GtkSignalListItemFactory *factory, GtkListItem *cell)
{
  show_label (cell);
  g_signal_connect_object (gtk_list_item_get_item (cell), "changed", G_CALLBACK (show_label), cell,
                           G_CONNECT_SWAPPED);
}

static void
on_unbind (GtkSignalListItemFactory *factory, GtkListItem *cell)
{
  g_signal_handlers_disconnect_by_data (gtk_list_item_get_item (cell), cell);
}

static GtkListItemFactory *
label_factory (Column column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (on_setup_label), GUINT_TO_POINTER (column));
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind_label), NULL);
  g_signal_connect (factory, "unbind", G_CALLBACK (on_unbind), NULL);
  return factory;
}

void
sl_run_table_add_columns (GtkColumnView *view, SlRunRenamed renamed, gpointer data)
{
  for (Column c = 0; c < N_COLUMNS; c++)
    {
      GtkListItemFactory *factory
        = c == NAME ? sl_name_cell_factory (renamed, data) : label_factory (c);
      GtkColumnViewColumn *column = gtk_column_view_column_new (_ (columns[c].title), factory);
      g_autoptr (GtkSorter) sorter
        = GTK_SORTER (gtk_custom_sorter_new (compare, GUINT_TO_POINTER (c), NULL));

      gtk_column_view_column_set_sorter (column, sorter);
      gtk_column_view_column_set_resizable (column, TRUE);
      gtk_column_view_column_set_expand (column, c == SETTINGS);
      if (columns[c].width > 0)
        sl_column_width_set (view, column, columns[c].width);
      gtk_column_view_append_column (view, column);
      g_object_unref (column);
    }
  g_signal_connect (view, "map", G_CALLBACK (sl_column_width_fit_titles), NULL);
}

void
sl_run_table_show_grouped (GtkColumnView *view, gboolean grouped)
{
  if (grouped)
    gtk_widget_add_css_class (GTK_WIDGET (view), "grouped");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (view), "grouped");
}

/* GTK 4.8 leaves its width to a column that is not shown, and the settings have less. */
static void
show_column (GtkColumnView *view, guint at, Column which, gboolean shown)
{
  g_autoptr (GtkColumnViewColumn) column
    = g_list_model_get_item (gtk_column_view_get_columns (view), at);

  if (shown == gtk_column_view_column_get_visible (column))
    return;
  gtk_column_view_column_set_visible (column, shown);
  sl_column_width_set (view, column, shown ? columns[which].width : 0);
  sl_column_width_fit_titles (view);
}

void
sl_run_table_show_labs (GtkColumnView *view, gboolean shown)
{
  show_column (view, LAB, LAB, shown);
}

void
sl_run_table_show_tags (GtkColumnView *view, gboolean shown)
{
  show_column (view, g_list_model_get_n_items (gtk_column_view_get_columns (view)) - 1, TAGS,
               shown);
}

/* The list would keep the row that was the first in its place. */
void
sl_run_table_scroll_to_top (GtkColumnView *view)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (view)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LIST_VIEW (child))
      gtk_widget_activate_action (child, "list.scroll-to-item", "u", 0);
}

/* ---- a column for each setting that differs ---- */

/* Names that differ, without what has a column anyway. */
static char **
differing (const GPtrArray *items)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new (), names = NULL;
  g_autoptr (GStrvBuilder) out = g_strv_builder_new ();

  for (guint i = 0; items != NULL && i < items->len; i++)
    g_ptr_array_add (runs, (gpointer) sl_run_item_run (g_ptr_array_index (items, i)));
  names = sl_run_differences (runs);
  for (guint i = 0; i < names->len && i < FIELDS_MOST; i++)
    if (!g_str_equal (g_ptr_array_index (names, i), "lab"))
      g_strv_builder_add (out, g_ptr_array_index (names, i));
  return g_strv_builder_end (out);
}

void
sl_run_table_set_differences (GtkColumnView *view, const GPtrArray *items)
{
  static const char key[] = "differences";
  GListModel       *all = gtk_column_view_get_columns (view);
  char            **before = g_object_get_data (G_OBJECT (view), key);
  g_auto (GStrv) names = differing (items);
  guint n = before != NULL ? g_strv_length (before) : 0;

  if ((before == NULL && items == NULL)
      || (before != NULL && items != NULL
          && g_strv_equal ((const char *const *) before, (const char *const *) names)))
    return;
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (all, FIELDS_AT);

      gtk_column_view_remove_column (view, column);
    }
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GtkColumnViewColumn) column = sl_field_column_new (names[i]);

      sl_column_width_set (view, column, FIELD_WIDTH);
      gtk_column_view_insert_column (view, FIELDS_AT + i, column);
    }
  n = g_strv_length (names);
  for (Column c = SETTINGS; c <= SEED; c++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (all, n + c);

      gtk_column_view_column_set_visible (column, items == NULL);
    }
  sl_column_width_fit_titles (view);
  g_object_set_data_full (G_OBJECT (view), key, items != NULL ? g_steal_pointer (&names) : NULL,
                          (GDestroyNotify) g_strfreev);
}
