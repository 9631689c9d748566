/* SPDX-License-Identifier: MIT */
#include "ui/runs/table-columns.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

#include "core/run/base/language.h"
#include "core/run/query/group.h"
#include "plot/base/scale.h"
#include "plot/base/theme.h"
#include "ui/kit/number.h"
#include "ui/kit/widget.h"

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

enum { FIELDS_AT = 2, FIELDS_MOST = 16, FIELD_WIDTH = 96 };

static const struct
{
  const char *title;
  int         width; /* 0: as its content needs, at least */
  gboolean    number, wide;
} columns[N_COLUMNS] = {
  [NAME] = { N_ ("Name"), 112, FALSE, FALSE },       [LAB] = { N_ ("Lab"), 108, FALSE, FALSE },
  [SETTINGS] = { N_ ("Settings"), 0, FALSE, TRUE },  [SEED] = { N_ ("Seed"), 60, TRUE, FALSE },
  [STEP] = { N_ ("Updates"), 76, TRUE, FALSE },      [WRONG] = { N_ ("Error"), 96, TRUE, FALSE },
  [EXECUTED] = { N_ ("Executed"), 84, TRUE, FALSE }, [TIMED] = { N_ ("Timed"), 104, TRUE, FALSE },
  [SECONDS] = { N_ ("Seconds"), 76, TRUE, FALSE },   [STATE] = { N_ ("State"), 80, FALSE, FALSE },
  [TAGS] = { N_ ("Tags"), 84, FALSE, TRUE },
};

static const char *const states[SL_N_RUN_STATUSES] = {
  [SL_RUN_RUNNING] = N_ ("running"),     [SL_RUN_PAUSED] = N_ ("paused"),
  [SL_RUN_FINISHED] = N_ ("finished"),   [SL_RUN_DIVERGED] = N_ ("diverged"),
  [SL_RUN_CUT_OFF] = N_ ("interrupted"), [SL_RUN_FAILED] = N_ ("failed"),
  [SL_RUN_PRUNED] = N_ ("pruned"),
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

/* Costs are in % of dense, unless the lab counts them in a unit of its own. */
static bool
is_percent (const SlLab *lab)
{
  const char *unit = lab != NULL && lab->costs != NULL ? lab->costs->unit : NULL;

  return unit == NULL || unit[0] == '%';
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
    case STATE: return g_strdup (_ (states[run->status]));
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
  if (column == WRONG && sl_run_item_outcome (item)->validation)
    /* Translators: an error on validation examples, in a narrow column. */
    return g_strdup_printf (_ ("%s (val.)"), sl_number_text (number, 4, text, sizeof text));
  if (column == TIMED)
    return g_strdup_printf ("%s %%", sl_percent_text (number, text, sizeof text));
  return g_strdup_printf (column == EXECUTED && is_percent (run->lab) ? "%s %%" : "%s",
                          sl_number_text (number, 4, text, sizeof text));
}

/* Rising; what has no number comes last. */
static int
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  Column     column = GPOINTER_TO_UINT (data);
  SlRunItem *p = SL_RUN_ITEM ((gpointer) a), *q = SL_RUN_ITEM ((gpointer) b);
  double     x, y;

  if (column == NAME)
    {
      g_autofree char *s = g_utf8_collate_key_for_filename (sl_run_item_title (p), -1);
      g_autofree char *t = g_utf8_collate_key_for_filename (sl_run_item_title (q), -1);

      return strcmp (s, t);
    }
  if (!columns[column].number)
    {
      g_autofree char *s = text_of (p, column), *t = text_of (q, column);

      return g_utf8_collate (s, t);
    }
  x = number_of (p, column);
  y = number_of (q, column);
  if (isnan (x) || isnan (y))
    return (int) isnan (x) - (int) isnan (y);
  return (x > y) - (x < y);
}

static gboolean
has_tooltips (Column column)
{
  return column == TAGS || column == WRONG || columns[column].wide;
}

static const char *
tooltip_of (SlRunItem *item, Column column, const char *text)
{
  if (column == TAGS)
    return sl_given (sl_run_item_run (item)->note)[0] != '\0' ? sl_run_item_run (item)->note : text;
  if (column != WRONG)
    return columns[column].wide ? text : NULL;
  if (isnan (sl_run_item_outcome (item)->error))
    return NULL;
  return sl_run_item_outcome (item)->validation ? _ (
           "Of validation examples, as it was last evaluated in training. The test examples are "
           "evaluated when the run finishes, and when Runs and Trade-Offs is opened from it.")
                                                : _ ("Of all test examples.");
}

static void
show_label (GtkListItem *cell)
{
  SlRunItem       *item = gtk_list_item_get_item (cell);
  GtkWidget       *label = gtk_list_item_get_child (cell);
  Column           column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (label), "column"));
  g_autofree char *text = text_of (item, column);

  gtk_label_set_label (GTK_LABEL (label), text);
}

/* Hundreds of cells are bound at once, and the pointer is over one. */
static gboolean
on_tooltip (GtkWidget *label, int x, int y, gboolean keyboard, GtkTooltip *tooltip,
            GtkListItem *cell)
{
  SlRunItem  *item = gtk_list_item_get_item (cell);
  Column      column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (label), "column"));
  const char *text
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
  gtk_list_item_set_child (cell, label);
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

/* The colour of the run's curves. */
static void
draw_swatch (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  unsigned slot = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (area), "slot"));
  SlTheme  theme = sl_theme_get (dark ? SL_THEME_DARK : SL_THEME_LIGHT);
  SlRgba   colour = sl_theme_curve (&theme, slot, SL_MEASURED);

  cairo_set_source_rgb (cr, (double) colour.r, (double) colour.g, (double) colour.b);
  cairo_arc (cr, width / 2.0, height / 2.0, 5.0, 0.0, 2.0 * G_PI);
  cairo_fill (cr);
}

static void
show_name (GtkListItem *cell)
{
  SlRunItem *item = gtk_list_item_get_item (cell);
  GtkWidget *box = gtk_list_item_get_child (cell);
  GtkWidget *swatch = gtk_widget_get_first_child (box);
  GtkWidget *name = gtk_widget_get_next_sibling (swatch);

  g_object_set_data (G_OBJECT (swatch), "slot", GUINT_TO_POINTER (sl_run_item_slot (item)));
  gtk_widget_queue_draw (swatch);
  if (!gtk_editable_label_get_editing (GTK_EDITABLE_LABEL (name)))
    gtk_editable_set_text (GTK_EDITABLE (name), sl_run_item_title (item));
  gtk_widget_set_visible (gtk_widget_get_last_child (box), sl_run_item_run (item)->pinned);
}

/* Who listens for names. */
typedef struct
{
  SlRunRenamed renamed;
  gpointer     data;
} Names;

static void
on_editing (GtkEditableLabel *name, GParamSpec *spec, GtkListItem *cell)
{
  SlRunItem  *item = gtk_list_item_get_item (cell);
  Names      *names = g_object_get_data (G_OBJECT (name), "names");
  const char *text = gtk_editable_get_text (GTK_EDITABLE (name));

  if (item == NULL || gtk_editable_label_get_editing (name)
      || g_str_equal (text, sl_run_item_title (item)))
    return;
  names->renamed (names->data, item, text);
}

static void
on_setup_name (GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer names)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *swatch = gtk_drawing_area_new ();
  GtkWidget *name = gtk_editable_label_new (""), *pinned;

  pinned = gtk_image_new_from_icon_name ("view-pin-symbolic");
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (swatch), 12);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (swatch), 12);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (swatch), draw_swatch, NULL, NULL);
  gtk_widget_set_valign (swatch, GTK_ALIGN_CENTER);
  gtk_widget_set_hexpand (name, TRUE);
  sl_widget_label (name, _ ("Name of the run"));
  sl_widget_label (pinned, _ ("Pinned"));
  gtk_box_append (GTK_BOX (box), swatch);
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), pinned);
  g_object_set_data (G_OBJECT (name), "names", names);
  g_signal_connect_object (name, "notify::editing", G_CALLBACK (on_editing), cell, 0);
  gtk_list_item_set_child (cell, box);
}

static void
on_edit (GtkListItem *cell)
{
  GtkWidget *swatch = gtk_widget_get_first_child (gtk_list_item_get_child (cell));
  GtkWidget *name = gtk_widget_get_next_sibling (swatch);

  gtk_widget_grab_focus (name);
  gtk_editable_label_start_editing (GTK_EDITABLE_LABEL (name));
}

static void
on_bind_name (GtkSignalListItemFactory *factory, GtkListItem *cell)
{
  SlRunItem *item = gtk_list_item_get_item (cell);

  show_name (cell);
  g_signal_connect_object (item, "changed", G_CALLBACK (show_name), cell, G_CONNECT_SWAPPED);
  g_signal_connect_object (item, "edit", G_CALLBACK (on_edit), cell, G_CONNECT_SWAPPED);
}

void
sl_run_table_add_columns (GtkColumnView *view, SlRunRenamed renamed, gpointer data)
{
  Names *names = g_new (Names, 1);

  *names = (Names) { renamed, data };
  g_object_set_data_full (G_OBJECT (view), "names", names, g_free);
  for (Column c = 0; c < N_COLUMNS; c++)
    {
      GtkListItemFactory  *factory = gtk_signal_list_item_factory_new ();
      GtkColumnViewColumn *column;
      g_autoptr (GtkSorter) sorter
        = GTK_SORTER (gtk_custom_sorter_new (compare, GUINT_TO_POINTER (c), NULL));

      g_signal_connect (factory, "setup",
                        c == NAME ? G_CALLBACK (on_setup_name) : G_CALLBACK (on_setup_label),
                        c == NAME ? (gpointer) names : GUINT_TO_POINTER (c));
      g_signal_connect (factory, "bind",
                        c == NAME ? G_CALLBACK (on_bind_name) : G_CALLBACK (on_bind_label), NULL);
      g_signal_connect (factory, "unbind", G_CALLBACK (on_unbind), NULL);
      column = gtk_column_view_column_new (_ (columns[c].title), factory);
      gtk_column_view_column_set_sorter (column, sorter);
      gtk_column_view_column_set_resizable (column, TRUE);
      gtk_column_view_column_set_expand (column, c == SETTINGS);
      if (columns[c].width > 0)
        gtk_column_view_column_set_fixed_width (column, columns[c].width);
      gtk_column_view_append_column (view, column);
      g_object_unref (column);
    }
}

void
sl_run_table_show_tags (GtkColumnView *view, gboolean shown)
{
  GListModel *all = gtk_column_view_get_columns (view);
  g_autoptr (GtkColumnViewColumn) tags
    = g_list_model_get_item (all, g_list_model_get_n_items (all) - 1);

  gtk_column_view_column_set_visible (tags, shown);
}

/* ---- a column for each setting that differs ---- */

static void
show_field (GtkListItem *cell)
{
  SlRunItem     *item = gtk_list_item_get_item (cell);
  GtkWidget     *label = gtk_list_item_get_child (cell);
  const SlField *field = g_object_get_data (G_OBJECT (label), "field");
  SlFieldValue   value;
  char           text[SL_FIELD_TEXT_SIZE];

  sl_field_read (field, sl_run_item_run (item), &value);
  gtk_label_set_label (GTK_LABEL (label),
                       value.kind == SL_FIELD_NOTHING ? "–" : sl_field_text (&value, text));
}

static void
on_setup_field (GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer field)
{
  GtkWidget *label = gtk_label_new (NULL);

  g_object_set_data_full (G_OBJECT (label), "field", g_memdup2 (field, sizeof (SlField)), g_free);
  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (cell, label);
}

static void
on_bind_field (GtkSignalListItemFactory *factory, GtkListItem *cell)
{
  show_field (cell);
  g_signal_connect_object (gtk_list_item_get_item (cell), "changed", G_CALLBACK (show_field), cell,
                           G_CONNECT_SWAPPED);
}

static int
compare_field (gconstpointer a, gconstpointer b, gpointer field)
{
  SlFieldValue x, y;

  sl_field_read (field, sl_run_item_run (SL_RUN_ITEM ((gpointer) a)), &x);
  sl_field_read (field, sl_run_item_run (SL_RUN_ITEM ((gpointer) b)), &y);
  return sl_field_compare (&x, &y);
}

static GtkColumnViewColumn *
field_column (const char *name)
{
  GtkListItemFactory  *factory = gtk_signal_list_item_factory_new ();
  SlField             *field = g_new (SlField, 1);
  GtkColumnViewColumn *column;
  g_autoptr (GtkSorter) sorter = NULL;

  sl_field_find (name, NULL, field);
  sorter
    = GTK_SORTER (gtk_custom_sorter_new (compare_field, g_memdup2 (field, sizeof *field), g_free));
  g_signal_connect_data (factory, "setup", G_CALLBACK (on_setup_field), field,
                         (GClosureNotify) (void (*) (void)) g_free, 0);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind_field), NULL);
  g_signal_connect (factory, "unbind", G_CALLBACK (on_unbind), NULL);
  column = gtk_column_view_column_new (name, factory);
  gtk_column_view_column_set_sorter (column, sorter);
  gtk_column_view_column_set_resizable (column, TRUE);
  gtk_column_view_column_set_fixed_width (column, FIELD_WIDTH);
  return column;
}

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
      g_autoptr (GtkColumnViewColumn) column = field_column (names[i]);

      gtk_column_view_insert_column (view, FIELDS_AT + i, column);
    }
  n = g_strv_length (names);
  for (Column c = SETTINGS; c <= SEED; c++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (all, n + c);

      gtk_column_view_column_set_visible (column, items == NULL);
    }
  g_object_set_data_full (G_OBJECT (view), key, items != NULL ? g_steal_pointer (&names) : NULL,
                          (GDestroyNotify) g_strfreev);
}
