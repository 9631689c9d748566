/* SPDX-License-Identifier: MIT */
#include "ui/help/help.h"

#include "core/run/manual/manual.h"
#include "ui/kit/widget.h"

struct _SlHelp
{
  AdwWindow parent_instance;

  GtkSearchEntry *search;
  GtkListBox     *list;
  GtkTextView    *view;

  const char **pages;  /* ids by row */
  GPtrArray   *folded; /* what each page says, for searching */
  const char  *page;
  GHashTable  *places; /* of descriptor to where the page tells of it, in characters */
};

G_DEFINE_FINAL_TYPE (SlHelp, sl_help, ADW_TYPE_WINDOW)

static void
make_tags (GtkTextBuffer *buffer)
{
  gtk_text_buffer_create_tag (buffer, "title", "scale", 1.7, "weight", PANGO_WEIGHT_BOLD,
                              "pixels-below-lines", 6, NULL);
  gtk_text_buffer_create_tag (buffer, "heading", "scale", 1.3, "weight", PANGO_WEIGHT_BOLD,
                              "pixels-above-lines", 20, "pixels-below-lines", 4, NULL);
  gtk_text_buffer_create_tag (buffer, "item", "weight", PANGO_WEIGHT_BOLD, "pixels-above-lines", 16,
                              NULL);
  gtk_text_buffer_create_tag (buffer, "id", "family", "monospace", "scale", 0.9, NULL);
  gtk_text_buffer_create_tag (buffer, "facts", "scale", 0.9, "style", PANGO_STYLE_ITALIC, NULL);
  gtk_text_buffer_create_tag (buffer, "text", "pixels-above-lines", 3, "pixels-below-lines", 3,
                              NULL);
  gtk_text_buffer_create_tag (buffer, "point", "left-margin", 44, "indent", -14,
                              "pixels-above-lines", 2, "pixels-below-lines", 2, NULL);
  gtk_text_buffer_create_tag (buffer, "term", "weight", PANGO_WEIGHT_BOLD, NULL);
  gtk_text_buffer_create_tag (buffer, "formula", "left-margin", 44, "pixels-above-lines", 3,
                              "pixels-below-lines", 3, "family", "serif", "scale", 1.08, NULL);
  gtk_text_buffer_create_tag (buffer, "source", "scale", 0.9, "pixels-below-lines", 3, NULL);
  gtk_text_buffer_create_tag (buffer, "found", "background", "#ffd24a", "foreground", "#000000",
                              NULL);
}

static const char *
tag_of (SlManualKind kind)
{
  static const char *const names[] = {
    [SL_MANUAL_TITLE] = "title",     [SL_MANUAL_HEADING] = "heading", [SL_MANUAL_ITEM] = "item",
    [SL_MANUAL_FACTS] = "facts",     [SL_MANUAL_TEXT] = "text",       [SL_MANUAL_POINT] = "point",
    [SL_MANUAL_FORMULA] = "formula", [SL_MANUAL_SOURCE] = "source",
  };

  return names[kind];
}

static void
insert_part (SlHelp *self, GtkTextBuffer *buffer, const SlManualPart *part)
{
  const char *tag = tag_of (part->kind);
  GtkTextIter end;

  gtk_text_buffer_get_end_iter (buffer, &end);
  if (part->about != NULL)
    g_hash_table_insert (self->places, (gpointer) part->about,
                         GINT_TO_POINTER (gtk_text_iter_get_offset (&end)));
  if (part->kind == SL_MANUAL_POINT)
    gtk_text_buffer_insert_with_tags_by_name (buffer, &end, "•  ", -1, tag, NULL);
  if (part->kind == SL_MANUAL_POINT && part->term != NULL)
    {
      gtk_text_buffer_insert_with_tags_by_name (buffer, &end, part->term, -1, tag, "term", NULL);
      gtk_text_buffer_insert_with_tags_by_name (buffer, &end, "  ", -1, tag, NULL);
    }
  gtk_text_buffer_insert_with_tags_by_name (buffer, &end, part->text, -1, tag, NULL);
  if (part->about != NULL && part->term != NULL && part->kind != SL_MANUAL_TITLE)
    {
      gtk_text_buffer_insert_with_tags_by_name (buffer, &end, "   ", -1, tag, NULL);
      gtk_text_buffer_insert_with_tags_by_name (buffer, &end, part->term, -1, "id", NULL);
    }
  gtk_text_buffer_insert_with_tags_by_name (buffer, &end, "\n", -1, tag, NULL);
}

/* Marks every place that has the words; FALSE when there is none. */
static gboolean
mark_found (SlHelp *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->view);
  const char    *words = gtk_editable_get_text (GTK_EDITABLE (self->search));
  GtkTextIter    start, end, from, to;
  gboolean       any = FALSE;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  gtk_text_buffer_remove_tag_by_name (buffer, "found", &start, &end);
  while (*words != '\0'
         && gtk_text_iter_forward_search (&start, words, GTK_TEXT_SEARCH_CASE_INSENSITIVE, &from,
                                          &to, NULL))
    {
      any = TRUE;
      gtk_text_buffer_apply_tag_by_name (buffer, "found", &from, &to);
      start = to;
    }
  return any;
}

/* The next place that has the words, from the cursor on and then from the top. */
static void
on_next (SlHelp *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->view);
  const char    *words = gtk_editable_get_text (GTK_EDITABLE (self->search));
  GtkTextIter    at, from, to;

  if (*words == '\0')
    return;
  gtk_text_buffer_get_selection_bounds (buffer, NULL, &at);
  if (!gtk_text_iter_forward_search (&at, words, GTK_TEXT_SEARCH_CASE_INSENSITIVE, &from, &to,
                                     NULL))
    {
      gtk_text_buffer_get_start_iter (buffer, &at);
      if (!gtk_text_iter_forward_search (&at, words, GTK_TEXT_SEARCH_CASE_INSENSITIVE, &from, &to,
                                         NULL))
        return;
    }
  gtk_text_buffer_select_range (buffer, &from, &to);
  gtk_text_view_scroll_to_mark (self->view, gtk_text_buffer_get_insert (buffer), 0.0, TRUE, 0.0,
                                0.3);
}

static void
show_page (SlHelp *self, const char *page)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->view);
  g_autoptr (GPtrArray) parts = sl_manual_parts (page, TRUE);
  GtkTextIter start;

  self->page = page;
  g_hash_table_remove_all (self->places);
  gtk_text_buffer_set_text (buffer, "", 0);
  for (unsigned i = 0; i < parts->len; i++)
    insert_part (self, buffer, g_ptr_array_index (parts, i));
  gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_buffer_place_cursor (buffer, &start);
  gtk_adjustment_set_value (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->view)), 0.0);
  sl_widget_label (GTK_WIDGET (self->view), sl_manual_title (page));
  if (mark_found (self))
    on_next (self);
}

static void
on_row (SlHelp *self, GtkListBoxRow *row)
{
  if (row != NULL && self->pages[gtk_list_box_row_get_index (row)] != self->page)
    show_page (self, self->pages[gtk_list_box_row_get_index (row)]);
}

static void
select_page (SlHelp *self, const char *page)
{
  int row = 0;

  for (int i = 0; self->pages[i] != NULL; i++)
    if (g_str_equal (self->pages[i], page))
      row = i;
  gtk_list_box_select_row (self->list, gtk_list_box_get_row_at_index (self->list, row));
}

static gboolean
is_listed (GtkListBoxRow *row, gpointer data)
{
  SlHelp          *self = data;
  g_autofree char *words
    = g_utf8_casefold (gtk_editable_get_text (GTK_EDITABLE (self->search)), -1);

  return strstr (g_ptr_array_index (self->folded, gtk_list_box_row_get_index (row)), words) != NULL;
}

/* The list shrinks to the pages that have the words; the first of them comes up when the one that
 * is shown has not.  */
static void
on_search (SlHelp *self)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->list);

  gtk_list_box_invalidate_filter (self->list);
  for (int i = 0; row != NULL && !is_listed (row, self); i++)
    {
      row = gtk_list_box_get_row_at_index (self->list, i);
      if (row != NULL && is_listed (row, self))
        gtk_list_box_select_row (self->list, row);
    }
  if (mark_found (self))
    on_next (self);
}

/* Escape first empties the search. */
static void
on_stop (SlHelp *self)
{
  if (*gtk_editable_get_text (GTK_EDITABLE (self->search)) != '\0')
    gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  else
    gtk_window_close (GTK_WINDOW (self));
}

static void
on_find (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gtk_widget_grab_focus (GTK_WIDGET (SL_HELP (widget)->search));
}

static char *
fold_page (const char *page)
{
  g_autoptr (GPtrArray) parts = sl_manual_parts (page, TRUE);
  g_autoptr (GString) all = g_string_new (NULL);

  for (unsigned i = 0; i < parts->len; i++)
    {
      const SlManualPart *part = g_ptr_array_index (parts, i);

      g_string_append_printf (all, "%s %s\n", part->text, part->term != NULL ? part->term : "");
    }
  return g_utf8_casefold (all->str, -1);
}

static void
fill_list (SlHelp *self)
{
  for (const char **page = self->pages; *page != NULL; page++)
    {
      GtkWidget *label = gtk_label_new (sl_manual_title (*page));
      GtkWidget *row = gtk_list_box_row_new ();

      g_ptr_array_add (self->folded, fold_page (*page));
      gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), label);
      sl_widget_label (GTK_WIDGET (row), sl_manual_title (*page));
      gtk_list_box_append (self->list, row);
    }
  gtk_list_box_set_filter_func (self->list, is_listed, self, NULL);
}

static void
sl_help_dispose (GObject *object)
{
  SlHelp *self = SL_HELP (object);

  if (self->list != NULL)
    gtk_list_box_set_filter_func (self->list, NULL, NULL, NULL);
  sl_widget_dispose (object);
  g_clear_pointer (&self->pages, g_free);
  g_clear_pointer (&self->folded, g_ptr_array_unref);
  g_clear_pointer (&self->places, g_hash_table_unref);
}

static void
sl_help_class_init (SlHelpClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_help_dispose;
  sl_widget_class_set_template (widget, "help/help.ui");
  sl_widget_class_bind_children (widget, SL_CHILD (SlHelp, search), SL_CHILD (SlHelp, list),
                                 SL_CHILD (SlHelp, view), NULL);
  sl_widget_class_bind_callbacks (widget, SL_CALLBACK (on_search), SL_CALLBACK (on_next),
                                  SL_CALLBACK (on_stop), SL_CALLBACK (on_row), NULL);
  gtk_widget_class_install_action (widget, "help.find", NULL, on_find);
}

static void
sl_help_init (SlHelp *self)
{
  self->pages = sl_manual_pages ();
  self->folded = g_ptr_array_new_with_free_func (g_free);
  self->places = g_hash_table_new (NULL, NULL);
  gtk_widget_init_template (GTK_WIDGET (self));
  make_tags (gtk_text_view_get_buffer (self->view));
  fill_list (self);
  gtk_search_entry_set_key_capture_widget (self->search, GTK_WIDGET (self->view));
}

/* The help that belongs to a window, or NULL. */
static SlHelp *
find (GtkWindow *parent)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (SL_IS_HELP (window) && gtk_window_get_transient_for (window) == parent)
        return SL_HELP (window);
    }
  return NULL;
}

SlHelp *
sl_help_open (GtkWindow *parent, const char *page)
{
  g_return_val_if_fail (GTK_IS_WINDOW (parent), NULL);

  SlHelp *self = find (parent);

  if (self == NULL)
    self = g_object_new (SL_TYPE_HELP, "transient-for", parent, NULL);
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  gtk_list_box_invalidate_filter (self->list);
  select_page (self, page);
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
  gtk_window_present (GTK_WINDOW (self));
  return self;
}

SlHelp *
sl_help_open_about (GtkWindow *parent, gconstpointer descriptor)
{
  g_return_val_if_fail (GTK_IS_WINDOW (parent), NULL);

  const char    *page = sl_manual_page_about (descriptor);
  SlHelp        *self = sl_help_open (parent, page != NULL ? page : "");
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->view);
  GtkTextIter    at;

  gtk_text_buffer_get_iter_at_offset (
    buffer, &at, GPOINTER_TO_INT (g_hash_table_lookup (self->places, descriptor)));
  gtk_text_buffer_place_cursor (buffer, &at);
  gtk_text_view_scroll_to_mark (self->view, gtk_text_buffer_get_insert (buffer), 0.0, TRUE, 0.0,
                                0.0);
  return self;
}
