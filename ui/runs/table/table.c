/* SPDX-License-Identifier: MIT */
#include "ui/runs/table/table.h"

#include <glib/gi18n.h>
#include <string.h>

#include "ui/kit/type-size.h"
#include "ui/kit/widget.h"
#include "ui/runs/table/column-width.h"
#include "ui/runs/table/columns.h"
#include "ui/runs/table/many.h"
#include "ui/runs/table/private.h"
#include "ui/runs/table/selection.h"

G_DEFINE_FINAL_TYPE (SlRunTable, sl_run_table, GTK_TYPE_WIDGET)

/* Whether a run is of the sweep or the file and passes the line. */
static gboolean
is_wanted (gpointer object, gpointer data)
{
  SlRunTable       *self = data;
  const SlStoreRun *run = sl_run_item_run (object);

  return (self->sweep == NULL || g_str_equal (run->sweep, self->sweep))
         && (self->scope == NULL || g_hash_table_contains (self->scope, run->uuid))
         && sl_run_filter_passes (self->filter, object);
}

static gboolean
is_shown (gpointer object, gpointer data)
{
  SlRunTable *self = data;

  return (self->meant == NULL
          || g_hash_table_contains (self->meant, sl_run_item_run (object)->uuid))
         && is_wanted (object, data);
}

/* Why there is no row, and whether that is for what was asked for. */
static const char *
why_empty (SlRunTable *self)
{
  if (self->list != NULL && !sl_run_list_is_loaded (self->list))
    return _ ("Loading runs…");
  if (sl_run_table_is_filtered (self))
    return _ ("No run passes this filter.");
  if (self->meant != NULL)
    return _ ("No run lies in the brushes.");
  if (self->list == NULL)
    return _ ("Runs are not stored.");
  return _ ("No runs are stored yet. Sweeps and training store theirs here.");
}

static void
show_count (SlRunTable *self)
{
  unsigned shown = g_list_model_get_n_items (G_LIST_MODEL (self->sorted));
  unsigned all = self->list != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->list)) : 0;
  g_autoptr (GPtrArray) selected = sl_run_table_get_selected (self);
  g_autoptr (SlRunItem) one = sl_run_selection_first (GTK_SELECTION_MODEL (self->selection));
  const char      *mistake = sl_run_filter_mistake (self->filter);
  g_autofree char *text = mistake != NULL ? g_strdup (mistake)
                                          : sl_many_count_text (selected->len, shown, all,
                                                                self->charted, self->n_charted);
  gboolean         filtered = all > 0 && sl_run_table_is_filtered (self);

  gtk_label_set_label (self->count, text);
  gtk_widget_set_visible (self->unselect, selected->len > 0);
  gtk_stack_set_visible_child_name (self->stack, shown > 0 ? "table" : "empty");
  if (shown == 0)
    gtk_label_set_label (self->empty, why_empty (self));
  gtk_widget_set_visible (gtk_widget_get_next_sibling (GTK_WIDGET (self->empty)), filtered);
  sl_run_table_allow_actions (self, selected->len, one != NULL);
}

/* How many rows have to be there at once: as many as there is room for.  All, where some are selected, or where it is
 * not the first that are in view.  */
static guint
rows_in_view (SlRunTable *self)
{
  enum { LEAST = 12, HEIGHT = 20 /* px, less than that of any row */ };
  GtkAdjustment *scrolled = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->view));
  g_autoptr (GtkBitset) selected
    = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));

  if (!gtk_bitset_is_empty (selected) || gtk_adjustment_get_value (scrolled) > 0)
    return G_MAXUINT;
  return LEAST + (guint) gtk_widget_get_height (GTK_WIDGET (self->view)) / HEIGHT;
}

static void
on_shown (SlRunTable *self)
{
  show_count (self);
  if (!sl_many_is_settling (self->filtered, self->sorted, self->list))
    g_signal_emit_by_name (self, "selected");
}

/* While runs are filtered or put into another order the rows stay as they were: each step would change most of them.
 * Further ones are added.  */
static void
on_rows (SlRunTable *self, guint position, guint removed, guint added)
{
  gboolean all = self->stale;
  guint    before = g_list_model_get_n_items (sl_run_rows_list (self->rows));
  guint    n = g_list_model_get_n_items (G_LIST_MODEL (self->grouped));

  sl_run_table_show_grouped (self->view, sl_run_grouped_has_groups (self->grouped));
  self->stale = sl_many_is_moving (self->filtered, self->sorted, all || removed > 0);
  if (!self->stale)
    sl_run_rows_follow (self->rows, G_LIST_MODEL (self->grouped), all ? 0 : position,
                        all ? before : removed, all ? n : added, rows_in_view (self));
  on_shown (self);
}

static void
adapt (SlRunTable *self)
{
  sl_many_adapt (self->filtered, self->sorted, self->list);
}

static void
on_settled (SlRunTable *self)
{
  self->settled = 0;
  if (sl_run_grouped_is_stale (self->grouped)
      && !sl_many_is_settling (self->filtered, self->sorted, self->list))
    sl_run_grouped_update (self->grouped);
  if (self->stale)
    on_rows (self, 0, 0, 0);
  else
    on_shown (self);
}

/* Told amid a change: what lies behind the model has not followed it yet. */
static void
on_pending (SlRunTable *self)
{
  if (self->settled == 0 && self->list != NULL)
    self->settled = g_idle_add_once ((GSourceOnceFunc) on_settled, self);
}

static void
update_differences (SlRunTable *self)
{
  g_autoptr (GPtrArray) shown = NULL;

  if (!gtk_toggle_button_get_active (self->differences))
    return;
  shown = sl_run_table_get_shown (self);
  sl_run_table_set_differences (self->view, shown);
}

static void
on_filter (SlRunTable *self)
{
  /* What is looked for begins at the top. */
  gtk_adjustment_set_value (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->view)), 0);
  gtk_filter_changed (GTK_FILTER (self->wanted), GTK_FILTER_CHANGE_DIFFERENT);
  show_count (self);
  update_differences (self);
}

static void
on_loaded (SlRunTable *self)
{
  sl_run_grouped_update (self->grouped);
  on_shown (self);
  sl_run_table_show_labs (self->view, sl_many_have_labs (G_LIST_MODEL (self->list)));
  sl_run_table_show_tags (self->view, sl_many_have_tags (G_LIST_MODEL (self->list)));
  update_differences (self);
}

static void
on_differences (SlRunTable *self)
{
  if (!gtk_toggle_button_get_active (self->differences))
    sl_run_table_set_differences (self->view, NULL);
  update_differences (self);
}

static void
on_activate (SlRunTable *self, guint row)
{
  g_autoptr (GObject) item = g_list_model_get_item (G_LIST_MODEL (self->selection), row);

  if (SL_IS_RUN_GROUP_ROW (item))
    sl_run_group_row_toggle (SL_RUN_GROUP_ROW (item));
  else if (item != NULL)
    g_signal_emit_by_name (self, "open", item);
}

GPtrArray *
sl_run_table_get_shown (SlRunTable *self)
{
  GPtrArray *out = g_ptr_array_new_with_free_func (g_object_unref);
  guint      n;

  g_return_val_if_fail (SL_IS_RUN_TABLE (self), out);
  n = g_list_model_get_n_items (G_LIST_MODEL (self->sorted));
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (out, g_list_model_get_item (G_LIST_MODEL (self->sorted), i));
  return out;
}

GPtrArray *
sl_run_table_get_selected (SlRunTable *self)
{
  g_return_val_if_fail (SL_IS_RUN_TABLE (self), NULL);
  return sl_run_selection_runs (GTK_SELECTION_MODEL (self->selection));
}

/* The place of what a row shows, 1 + that of its first run that has one; 0: of none. */
static guint
place_of_row (gpointer row, GHashTable *place)
{
  GPtrArray *items = SL_IS_RUN_GROUP_ROW (row) ? sl_run_group_row_items (row) : NULL;
  guint      at = GPOINTER_TO_UINT (g_hash_table_lookup (place, row));

  for (guint i = 0; at == 0 && items != NULL && i < items->len; i++)
    at = GPOINTER_TO_UINT (g_hash_table_lookup (place, g_ptr_array_index (items, i)));
  return at;
}

guint
sl_run_table_highest (SlRunTable *self, GPtrArray *items)
{
  g_autoptr (GHashTable) place = g_hash_table_new (NULL, NULL);
  guint n, at = 0;

  g_return_val_if_fail (SL_IS_RUN_TABLE (self), 0);
  n = g_list_model_get_n_items (G_LIST_MODEL (self->grouped));
  for (guint i = 0; i < items->len; i++)
    g_hash_table_insert (place, g_ptr_array_index (items, i), GUINT_TO_POINTER (i + 1));
  for (guint row = 0; row < n && at == 0; row++)
    {
      g_autoptr (GObject) shown = g_list_model_get_item (G_LIST_MODEL (self->grouped), row);

      at = place_of_row (shown, place);
    }
  return at > 0 ? at - 1 : 0;
}

gboolean
sl_run_table_unselect (SlRunTable *self)
{
  GtkSelectionModel *rows;
  g_autoptr (GtkBitset) selected = NULL;

  g_return_val_if_fail (SL_IS_RUN_TABLE (self), FALSE);
  rows = GTK_SELECTION_MODEL (self->selection);
  selected = gtk_selection_model_get_selection (rows);
  return !gtk_bitset_is_empty (selected) && gtk_selection_model_unselect_all (rows);
}

gboolean
sl_run_table_is_filtered (SlRunTable *self)
{
  g_return_val_if_fail (SL_IS_RUN_TABLE (self), FALSE);
  return sl_run_filter_is_set (self->filter);
}

GPtrArray *
sl_run_table_get_wanted (SlRunTable *self)
{
  GPtrArray *out = g_ptr_array_new_with_free_func (g_object_unref);
  guint      n;

  g_return_val_if_fail (SL_IS_RUN_TABLE (self), out);
  n = self->list != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->list)) : 0;
  for (guint i = 0; i < n; i++)
    {
      SlRunItem *item = g_list_model_get_item (G_LIST_MODEL (self->list), i);

      if (is_wanted (item, self))
        g_ptr_array_add (out, item);
      else
        g_object_unref (item);
    }
  return out;
}

/* ---- groups ---- */

const char *
sl_run_table_get_group (SlRunTable *self)
{
  g_return_val_if_fail (SL_IS_RUN_TABLE (self), NULL);
  return sl_run_group_chooser_get (self->group);
}

const SlField *
sl_run_table_get_field (SlRunTable *self)
{
  const SlField *field;

  g_return_val_if_fail (SL_IS_RUN_TABLE (self), NULL);
  field = sl_run_grouped_field (self->grouped);
  return field != NULL && !sl_field_is_setting (field) ? field : NULL;
}

GPtrArray *
sl_run_table_get_groups (SlRunTable *self)
{
  g_return_val_if_fail (SL_IS_RUN_TABLE (self), NULL);
  return sl_run_selection_groups (GTK_SELECTION_MODEL (self->selection));
}

static void
on_group (SlRunTable *self)
{
  sl_run_grouped_set (self->grouped, sl_run_table_get_group (self));
  sl_run_table_scroll_to_top (self->view);
  g_signal_emit_by_name (self, "grouped");
}

static void
on_fold (SlRunTable *self, gboolean folded)
{
  sl_run_grouped_fold (self->grouped, NULL, folded);
}

/* Left folds the selected groups, Right unfolds them. */
static gboolean
on_key (SlRunTable *self, guint key, guint code, GdkModifierType state)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));
  g_autoptr (GPtrArray) groups = NULL;

  if ((key != GDK_KEY_Left && key != GDK_KEY_Right) || GTK_IS_TEXT (focus)
      || (state & (GDK_SHIFT_MASK | GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return GDK_EVENT_PROPAGATE;
  groups = sl_run_selection_groups (GTK_SELECTION_MODEL (self->selection));
  if (groups->len == 0)
    return GDK_EVENT_PROPAGATE;
  sl_run_grouped_fold (self->grouped, groups, key == GDK_KEY_Left);
  return GDK_EVENT_STOP;
}

/* ---- what is shown ---- */

void
sl_run_table_set_scope (SlRunTable *self, const char *sweep, GHashTable *names)
{
  g_return_if_fail (SL_IS_RUN_TABLE (self));
  if (g_strcmp0 (self->sweep, sweep) == 0 && self->scope == names)
    return;
  g_free (self->sweep);
  self->sweep = g_strdup (sweep);
  g_clear_pointer (&self->scope, g_hash_table_unref);
  self->scope = names != NULL ? g_hash_table_ref (names) : NULL;
  gtk_filter_changed (GTK_FILTER (self->wanted), GTK_FILTER_CHANGE_DIFFERENT);
}

void
sl_run_table_set_charted (SlRunTable *self, const SlLab *lab, guint n)
{
  g_return_if_fail (SL_IS_RUN_TABLE (self));
  self->charted = lab;
  self->n_charted = n;
  show_count (self);
}

static gboolean
is_missing (gpointer name, gpointer value, gpointer names)
{
  return !g_hash_table_contains (names, name);
}

void
sl_run_table_set_meant (SlRunTable *self, GHashTable *names)
{
  g_return_if_fail (SL_IS_RUN_TABLE (self));
  if (names == self->meant
      || (names != NULL && self->meant != NULL
          && g_hash_table_size (names) == g_hash_table_size (self->meant)
          && g_hash_table_find (names, is_missing, self->meant) == NULL))
    return;
  g_clear_pointer (&self->meant, g_hash_table_unref);
  if (names != NULL)
    self->meant = g_hash_table_ref (names);
  gtk_filter_changed (GTK_FILTER (self->wanted), GTK_FILTER_CHANGE_DIFFERENT);
}

void
sl_run_table_set_list (SlRunTable *self, SlRunList *list)
{
  g_return_if_fail (SL_IS_RUN_TABLE (self));
  if (self->list != NULL)
    g_signal_handlers_disconnect_by_data (self->list, self);
  g_set_object (&self->list, list);
  sl_run_filter_set_list (self->filter, list);
  gtk_filter_list_model_set_model (self->filtered, G_LIST_MODEL (list));
  if (list != NULL)
    {
      g_signal_connect_swapped (list, "items-changed", G_CALLBACK (adapt), self);
      /* A run that went on may have another place in the order. */
      g_signal_connect_swapped (list, "loaded", G_CALLBACK (on_loaded), self);
      g_signal_connect_swapped (list, "failed", G_CALLBACK (on_shown), self);
    }
  on_shown (self);
}

static void
sl_run_table_dispose (GObject *object)
{
  SlRunTable *self = SL_RUN_TABLE (object);

  if (self->list != NULL)
    g_signal_handlers_disconnect_by_data (self->list, self);
  g_clear_handle_id (&self->settled, g_source_remove);
  g_clear_object (&self->list);
  /* The columns go, and with them the order. */
  if (self->grouped != NULL)
    g_signal_handlers_disconnect_by_data (self->grouped, self);
  sl_widget_dispose (object);
  g_clear_object (&self->selection);
  g_clear_object (&self->grouped);
  g_clear_object (&self->sorted);
  g_clear_object (&self->rows);
  g_clear_pointer (&self->sweep, g_free);
  g_clear_pointer (&self->scope, g_hash_table_unref);
  g_clear_pointer (&self->meant, g_hash_table_unref);
  g_clear_pointer (&self->deleted, g_strfreev);
}

static void
sl_run_table_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  SlRunTable *self = SL_RUN_TABLE (widget);
  double      room;

  GTK_WIDGET_CLASS (sl_run_table_parent_class)->css_changed (widget, change);
  room = sl_type_size_room (widget);
  sl_column_width_follow (self->view, self->room, room);
  self->room = room;
}

static void
sl_run_table_class_init (SlRunTableClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);
  GObjectClass   *object = G_OBJECT_CLASS (klass);

  object->dispose = sl_run_table_dispose;
  widget->css_changed = sl_run_table_css_changed;
  g_type_ensure (SL_TYPE_RUN_FILTER);
  g_type_ensure (SL_TYPE_RUN_GROUP_CHOOSER);
  sl_signal_new (SL_TYPE_RUN_TABLE, "open", 1, SL_TYPE_RUN_ITEM);
  sl_signal_new (SL_TYPE_RUN_TABLE, "deleted", 2, G_TYPE_UINT, G_TYPE_UINT);
  sl_signal_new (SL_TYPE_RUN_TABLE, "selected", 0);
  sl_signal_new (SL_TYPE_RUN_TABLE, "grouped", 0);
  sl_run_table_install_actions (widget);
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  sl_widget_class_set_template (widget, "runs/table/table.ui");
  sl_widget_class_bind_children (widget, SL_CHILD (SlRunTable, view), SL_CHILD (SlRunTable, filter),
                                 SL_CHILD (SlRunTable, count), SL_CHILD (SlRunTable, unselect),
                                 SL_CHILD (SlRunTable, stack), SL_CHILD (SlRunTable, empty),
                                 SL_CHILD (SlRunTable, differences), SL_CHILD (SlRunTable, group),
                                 NULL);
  gtk_widget_class_bind_template_callback (widget, on_filter);
  gtk_widget_class_bind_template_callback (widget, on_differences);
  gtk_widget_class_bind_template_callback (widget, on_group);
  gtk_widget_class_bind_template_callback (widget, on_fold);
  gtk_widget_class_bind_template_callback (widget, on_activate);
}

static void
sl_run_table_init (SlRunTable *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  sl_label_tell_when_cut (self->count);
  sl_widget_name_inner (GTK_WIDGET (self));
  self->room = sl_type_size_room (GTK_WIDGET (self->view));
  sl_run_table_add_columns (self->view, (SlRunRenamed) sl_run_table_renamed, self);
  sl_run_table_show_labs (self->view, FALSE);
  sl_run_table_show_tags (self->view, FALSE);
  self->wanted = gtk_custom_filter_new (is_shown, self, NULL);
  /* Each model takes over the one before. */
  self->filtered = gtk_filter_list_model_new (NULL, GTK_FILTER (self->wanted));
  self->sorted = gtk_sort_list_model_new (G_LIST_MODEL (self->filtered),
                                          g_object_ref (gtk_column_view_get_sorter (self->view)));
  g_signal_connect_object (self->filtered, "notify::pending", G_CALLBACK (on_pending), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->sorted, "notify::pending", G_CALLBACK (on_pending), self,
                           G_CONNECT_SWAPPED);
  self->grouped
    = sl_run_grouped_new (G_LIST_MODEL (self->sorted), gtk_column_view_get_sorter (self->view));
  sl_run_grouped_set (self->grouped, sl_run_table_get_group (self));
  sl_run_group_chooser_set_runs (self->group, G_LIST_MODEL (self->sorted));
  self->rows = sl_run_rows_new (G_TYPE_OBJECT);
  self->selection = gtk_multi_selection_new (g_object_ref (sl_run_rows_list (self->rows)));
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->selection));
  /* Before the list, which takes the arrow keys. */
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), keys);
  g_signal_connect_object (self->selection, "selection-changed", G_CALLBACK (on_shown), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->grouped, "items-changed", G_CALLBACK (on_rows), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "table.undelete", FALSE);
  show_count (self);
}
