/* SPDX-License-Identifier: MIT */
#include "ui/runs/table/filter.h"

#include <glib/gi18n.h>
#include <string.h>

#include "ui/kit/prefs.h"
#include "ui/kit/widget.h"

enum { SHOWN = 8, KEPT = 20, WIDTH = 12 };

struct _SlRunFilter
{
  GtkWidget parent_instance;

  GtkWidget  *entry, *kept;
  GtkPopover *popover; /* of completions */
  GtkListBox *found;
  SlRunList  *list;
  SlQuery    *query; /* NULL: all pass */
  char       *mistake;
  size_t      from; /* byte at which the completed word begins */
  gboolean    completing;
};

G_DEFINE_FINAL_TYPE (SlRunFilter, sl_run_filter, GTK_TYPE_WIDGET)

/* The runs as the query knows them; borrowed from the items. */
static GPtrArray *
runs_of (SlRunFilter *self)
{
  GPtrArray *runs = g_ptr_array_new ();
  guint      n = self->list != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->list)) : 0;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (SlRunItem) item = g_list_model_get_item (G_LIST_MODEL (self->list), i);

      g_ptr_array_add (runs, (gpointer) sl_run_item_run (item));
    }
  return runs;
}

static const char *
line_of (SlRunFilter *self)
{
  return gtk_editable_get_text (GTK_EDITABLE (self->entry));
}

static void
read_line (SlRunFilter *self)
{
  g_autoptr (GPtrArray) runs = runs_of (self);
  g_autoptr (GError) error = NULL;
  SlQuery *query = sl_query_new (line_of (self), runs, &error);

  g_clear_pointer (&self->mistake, g_free);
  if (query != NULL)
    {
      sl_query_free (self->query);
      self->query = query;
      gtk_widget_remove_css_class (self->entry, "error");
    }
  else
    {
      self->mistake = g_strdup (error->message);
      gtk_widget_add_css_class (self->entry, "error");
    }
  gtk_widget_set_tooltip_text (self->entry,
                               self->mistake != NULL
                                 ? self->mistake
                                 : _ ("Words, or conditions on settings, scores, tags and dates"));
  g_signal_emit_by_name (self, "changed");
}

gboolean
sl_run_filter_passes (SlRunFilter *self, SlRunItem *item)
{
  const char *words;

  g_return_val_if_fail (SL_IS_RUN_FILTER (self), TRUE);
  if (self->query == NULL || sl_query_passes (self->query, sl_run_item_run (item)))
    return TRUE;
  words = sl_query_words (self->query);
  if (words != NULL)
    {
      /* Runs without a name are called by their number. */
      g_autofree char *title = g_utf8_casefold (sl_run_item_name (item), -1);
      g_autofree char *settings = g_utf8_casefold (sl_run_item_settings (item), -1);

      return strstr (title, words) != NULL || strstr (settings, words) != NULL;
    }
  return FALSE;
}

gboolean
sl_run_filter_is_set (SlRunFilter *self)
{
  g_return_val_if_fail (SL_IS_RUN_FILTER (self), FALSE);
  return line_of (self)[0] != '\0';
}

void
sl_run_filter_clear (SlRunFilter *self)
{
  g_return_if_fail (SL_IS_RUN_FILTER (self));
  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
}

const char *
sl_run_filter_mistake (SlRunFilter *self)
{
  g_return_val_if_fail (SL_IS_RUN_FILTER (self), NULL);
  return self->mistake;
}

/* ---- completion ---- */

static void
take (SlRunFilter *self, GtkListBoxRow *row)
{
  const char  *word = gtk_label_get_label (GTK_LABEL (gtk_list_box_row_get_child (row)));
  GtkEditable *entry = GTK_EDITABLE (self->entry);
  const char  *line = line_of (self);
  size_t at = (size_t) (g_utf8_offset_to_pointer (line, gtk_editable_get_position (entry)) - line);
  g_autofree char *begin = g_strndup (line, MIN (self->from, at));
  g_autofree char *whole = g_strconcat (begin, word, " ", line + at, NULL);

  self->completing = TRUE;
  gtk_editable_set_text (entry, whole);
  gtk_editable_set_position (entry,
                             (int) (g_utf8_strlen (begin, -1) + g_utf8_strlen (word, -1) + 1));
  self->completing = FALSE;
  gtk_popover_popdown (self->popover);
  read_line (self);
}

static void
clear_found (SlRunFilter *self)
{
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->found))) != NULL)
    gtk_list_box_remove (self->found, row);
}

/* Lists what the word at the cursor may become. */
static void
complete (SlRunFilter *self)
{
  GtkWidget  *text = GTK_WIDGET (gtk_editable_get_delegate (GTK_EDITABLE (self->entry)));
  const char *line = line_of (self);
  const char *at
    = g_utf8_offset_to_pointer (line, gtk_editable_get_position (GTK_EDITABLE (self->entry)));
  g_autoptr (GPtrArray) runs = NULL, words = NULL;

  clear_found (self);
  /* A line that has just begun is words as likely as a condition. */
  if (line[0] == '\0' || !gtk_widget_has_focus (text))
    {
      gtk_popover_popdown (self->popover);
      return;
    }
  runs = runs_of (self);
  words = sl_query_complete (line, (size_t) (at - line), runs, SHOWN, &self->from);
  for (guint i = 0; i < words->len; i++)
    {
      GtkWidget *label = gtk_label_new (g_ptr_array_index (words, i));

      gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
      gtk_list_box_append (self->found, label);
    }
  if (words->len > 0)
    gtk_popover_popup (self->popover);
  else
    gtk_popover_popdown (self->popover);
}

static void
on_typed (SlRunFilter *self)
{
  if (!self->completing)
    complete (self);
}

/* Moves the choice among the completions. */
static void
move (SlRunFilter *self, int by)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->found);
  int            at = row != NULL ? gtk_list_box_row_get_index (row) + by : by > 0 ? 0 : -1;

  row = at >= 0 ? gtk_list_box_get_row_at_index (self->found, at) : NULL;
  gtk_list_box_select_row (self->found, row);
}

static gboolean
on_key (SlRunFilter *self, guint key, guint code, GdkModifierType state)
{
  gboolean       open = gtk_widget_get_visible (GTK_WIDGET (self->popover));
  GtkListBoxRow *row = open ? gtk_list_box_get_selected_row (self->found) : NULL;

  if (!open || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return GDK_EVENT_PROPAGATE;
  if (key == GDK_KEY_Down || key == GDK_KEY_Up)
    move (self, key == GDK_KEY_Down ? 1 : -1);
  else if (key == GDK_KEY_Escape)
    gtk_popover_popdown (self->popover);
  else if (row != NULL && (key == GDK_KEY_Tab || key == GDK_KEY_Return || key == GDK_KEY_KP_Enter))
    take (self, row);
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

static void
on_focus (SlRunFilter *self)
{
  gtk_popover_popdown (self->popover);
}

static void
on_row (SlRunFilter *self, GtkListBoxRow *row)
{
  take (self, row);
}

static void
add_popover (SlRunFilter *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  self->popover = GTK_POPOVER (gtk_popover_new ());
  self->found = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_popover_set_autohide (self->popover, FALSE);
  gtk_popover_set_has_arrow (self->popover, FALSE);
  gtk_popover_set_position (self->popover, GTK_POS_BOTTOM);
  gtk_widget_set_halign (GTK_WIDGET (self->popover), GTK_ALIGN_START);
  gtk_widget_set_can_focus (GTK_WIDGET (self->popover), FALSE);
  gtk_popover_set_child (self->popover, GTK_WIDGET (self->found));
  gtk_widget_set_parent (GTK_WIDGET (self->popover), self->entry);
  sl_widget_label (GTK_WIDGET (self->found), _ ("Completions"));
  g_signal_connect_swapped (self->found, "row-activated", G_CALLBACK (on_row), self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (self->entry, keys);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (on_focus), self);
  gtk_widget_add_controller (self->entry, focus);
}

/* ---- lines that are kept ---- */

static char **
kept_lines (void)
{
  g_autoptr (SlPrefs) prefs = sl_prefs_new ();
  g_autofree char *text = sl_prefs_get_string (prefs, "run-filters");

  return g_strsplit (text, "\n", KEPT + 1);
}

static void
keep_lines (char **lines)
{
  g_autoptr (SlPrefs) prefs = sl_prefs_new ();
  g_autofree char *text = g_strjoinv ("\n", lines);

  g_object_set (prefs, "run-filters", text, NULL);
}

static void
fill_kept (SlRunFilter *self)
{
  g_auto (GStrv) lines = kept_lines ();
  g_autoptr (GMenu) menu = g_menu_new (), section = g_menu_new (), own = g_menu_new ();

  for (char **line = lines; *line != NULL; line++)
    if ((*line)[0] != '\0')
      {
        g_autoptr (GMenuItem) item = NULL;
        g_autofree char *label = sl_widget_menu_label (*line);

        item = g_menu_item_new (label, NULL);
        g_menu_item_set_action_and_target (item, "filter.use", "s", *line);
        g_menu_append_item (section, item);
      }
  g_menu_append (own, _ ("Keep this filter"), "filter.keep");
  g_menu_append (own, _ ("Forget this filter"), "filter.forget");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (own));
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->kept), G_MENU_MODEL (menu));
}

/* The kept lines without this one, and with it at the top where it is to be kept. */
static void
keep (SlRunFilter *self, const char *line, gboolean there)
{
  g_auto (GStrv) lines = kept_lines ();
  g_autoptr (GPtrArray) out = g_ptr_array_new ();

  if (there && line[0] != '\0')
    g_ptr_array_add (out, (gpointer) line);
  for (char **one = lines; *one != NULL && out->len < KEPT; one++)
    if ((*one)[0] != '\0' && !g_str_equal (*one, line))
      g_ptr_array_add (out, *one);
  g_ptr_array_add (out, NULL);
  keep_lines ((char **) out->pdata);
  fill_kept (self);
}

static void
on_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  SlRunFilter     *self = SL_RUN_FILTER (widget);
  g_autofree char *line = g_strstrip (g_strdup (line_of (self)));

  if (g_str_equal (name, "filter.use"))
    {
      self->completing = TRUE;
      gtk_editable_set_text (GTK_EDITABLE (self->entry), g_variant_get_string (parameter, NULL));
      self->completing = FALSE;
      read_line (self);
    }
  else
    keep (self, line, g_str_equal (name, "filter.keep"));
}

/* ---- the widget ---- */

void
sl_run_filter_set_list (SlRunFilter *self, SlRunList *list)
{
  g_return_if_fail (SL_IS_RUN_FILTER (self));
  g_set_object (&self->list, list);
}

static gboolean
sl_run_filter_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (SL_RUN_FILTER (widget)->entry);
}

static void
sl_run_filter_dispose (GObject *object)
{
  SlRunFilter *self = SL_RUN_FILTER (object);

  if (self->popover != NULL)
    gtk_widget_unparent (GTK_WIDGET (g_steal_pointer (&self->popover)));
  g_clear_pointer (&self->entry, gtk_widget_unparent);
  g_clear_pointer (&self->kept, gtk_widget_unparent);
  g_clear_object (&self->list);
  g_clear_pointer (&self->query, sl_query_free);
  g_clear_pointer (&self->mistake, g_free);
  G_OBJECT_CLASS (sl_run_filter_parent_class)->dispose (object);
}

static void
sl_run_filter_class_init (SlRunFilterClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_run_filter_dispose;
  widget->grab_focus = sl_run_filter_grab_focus;
  sl_signal_new (SL_TYPE_RUN_FILTER, "changed", 0);
  gtk_widget_class_install_action (widget, "filter.use", "s", on_action);
  gtk_widget_class_install_action (widget, "filter.keep", NULL, on_action);
  gtk_widget_class_install_action (widget, "filter.forget", NULL, on_action);
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BOX_LAYOUT);
}

static void
sl_run_filter_init (SlRunFilter *self)
{
  self->entry = gtk_search_entry_new ();
  self->kept = gtk_menu_button_new ();
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self))),
                              6);
  g_object_set (self->entry, "placeholder-text", _ ("Filter: k <= 4 and error < 12"), NULL);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->entry), WIDTH);
  gtk_widget_set_hexpand (self->entry, TRUE);
  sl_widget_label (self->entry, _ ("Filter runs by words or conditions"));
  /* What a letter costs is little: it is not waited for the next one. */
  gtk_search_entry_set_search_delay (GTK_SEARCH_ENTRY (self->entry), 0);
  g_signal_connect_swapped (self->entry, "search-changed", G_CALLBACK (read_line), self);
  g_signal_connect_swapped (self->entry, "changed", G_CALLBACK (on_typed), self);
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (self->kept), "pan-down-symbolic");
  gtk_widget_set_tooltip_text (self->kept, _ ("Filters that were kept"));
  gtk_widget_add_css_class (self->kept, "flat");
  sl_widget_label (self->kept, _ ("Filters that were kept"));
  gtk_widget_set_parent (self->entry, GTK_WIDGET (self));
  gtk_widget_set_parent (self->kept, GTK_WIDGET (self));
  add_popover (self);
  fill_kept (self);
  gtk_widget_set_tooltip_text (self->entry,
                               _ ("Words, or conditions on settings, scores, tags and dates"));
}
