/* SPDX-License-Identifier: MIT */
#include "ui/runs/table/annotate.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

#include "core/run/store/about/annotation.h"
#include "ui/kit/widget.h"
#include "ui/runs/list/item.h"

enum { NOTE_HEIGHT = 110, WIDTH = 360 };

typedef struct
{
  SlStore       *store;
  GPtrArray     *items; /* of SlRunItem, references */
  GtkEditable   *tags;
  GtkTextBuffer *note;   /* NULL: of several runs */
  char          *before; /* tags that all had */
} Asked;

static void
free_asked (gpointer data, GClosure *closure)
{
  Asked *asked = data;

  g_object_unref (asked->store);
  g_ptr_array_unref (asked->items);
  g_free (asked->before);
  g_free (asked);
}

/* Tags that all runs have. */
static char *
common_tags (const GPtrArray *items)
{
  const SlStoreRun *first = sl_run_item_run (g_ptr_array_index (items, 0));
  g_auto (GStrv) tags = g_strsplit (sl_given (first->tags), ",", -1);
  GString *common = g_string_new (NULL);

  for (char **tag = tags; *tag != NULL; tag++)
    {
      gboolean all = (*tag)[0] != '\0';

      for (guint i = 1; i < items->len && all; i++)
        {
          g_auto (GStrv) others
            = g_strsplit (sl_given (sl_run_item_run (g_ptr_array_index (items, i))->tags), ",", -1);

          all = g_strv_contains ((const char *const *) others, *tag);
        }
      if (all)
        g_string_append_printf (common, "%s%s", common->len > 0 ? ", " : "", *tag);
    }
  return g_string_free (common, FALSE);
}

/* The run's tags without those that the user removed, and with those that were added. */
static char *
new_tags (const char *tags, const char *before, const char *after)
{
  g_auto (GStrv) gone = g_strsplit (before, ",", -1);
  g_auto (GStrv) come = g_strsplit (after, ",", -1);
  char *now = sl_tags_tidy (sl_given (tags));

  for (int added = 0; added <= 1; added++)
    for (char **tag = added ? come : gone; *tag != NULL; tag++)
      {
        char *next = sl_tags_with (now, *tag, added);

        g_free (now);
        now = next;
      }
  return now;
}

static void
on_response (AdwMessageDialog *dialog, const char *response, Asked *asked)
{
  const char *after = gtk_editable_get_text (asked->tags);

  if (!g_str_equal (response, "keep"))
    return;
  for (guint i = 0; i < asked->items->len; i++)
    {
      const SlStoreRun *run = sl_run_item_run (g_ptr_array_index (asked->items, i));
      g_autofree char  *tags = new_tags (run->tags, asked->before, after);

      sl_store_set_tags (asked->store, run->uuid, tags);
    }
  if (asked->note != NULL)
    {
      GtkTextIter      from, to;
      g_autofree char *text = NULL;

      gtk_text_buffer_get_bounds (asked->note, &from, &to);
      text = gtk_text_buffer_get_text (asked->note, &from, &to, FALSE);
      sl_store_set_note (asked->store, sl_run_item_run (g_ptr_array_index (asked->items, 0))->uuid,
                         text);
    }
}

static GtkWidget *
label (const char *text)
{
  GtkWidget *widget = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (widget), 0.0f);
  return widget;
}

static GtkWidget *
form (Asked *asked)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *tags = gtk_entry_new ();

  asked->tags = GTK_EDITABLE (tags);
  gtk_editable_set_text (asked->tags, asked->before);
  gtk_entry_set_activates_default (GTK_ENTRY (tags), TRUE);
  sl_widget_label (tags, _ ("Tags, with commas between"));
  gtk_box_append (GTK_BOX (box), label (_ ("Tags, with commas between")));
  gtk_box_append (GTK_BOX (box), tags);
  if (asked->items->len == 1)
    {
      GtkWidget *scroll = gtk_scrolled_window_new (), *view = gtk_text_view_new ();

      asked->note = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
      gtk_text_buffer_set_text (
        asked->note, sl_given (sl_run_item_run (g_ptr_array_index (asked->items, 0))->note), -1);
      gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR);
      gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
      sl_widget_label (view, _ ("Note"));
      gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroll), view);
      gtk_widget_set_size_request (scroll, WIDTH, NOTE_HEIGHT);
      gtk_widget_add_css_class (scroll, "card");
      gtk_box_append (GTK_BOX (box), label (_ ("Note")));
      gtk_box_append (GTK_BOX (box), scroll);
    }
  return box;
}

void
sl_run_annotate (GtkWidget *parent, SlStore *store, const GPtrArray *items)
{
  Asked            *asked = g_new0 (Asked, 1);
  GtkWindow        *window = GTK_WINDOW (gtk_widget_get_root (parent));
  g_autofree char  *title = NULL;
  AdwMessageDialog *dialog;

  asked->store = g_object_ref (store);
  asked->items = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < items->len; i++)
    g_ptr_array_add (asked->items, g_object_ref (g_ptr_array_index (items, i)));
  asked->before = common_tags (items);
  title
    = items->len == 1
        ? g_strdup (sl_run_item_name (g_ptr_array_index (items, 0)))
        : g_strdup_printf (ngettext ("Tags of %u run", "Tags of %u runs", items->len), items->len);
  dialog = ADW_MESSAGE_DIALOG (adw_message_dialog_new (window, title, NULL));
  adw_message_dialog_set_extra_child (dialog, form (asked));
  adw_message_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "keep", _ ("_Keep"), NULL);
  adw_message_dialog_set_default_response (dialog, "keep");
  adw_message_dialog_set_close_response (dialog, "cancel");
  adw_message_dialog_set_response_appearance (dialog, "keep", ADW_RESPONSE_SUGGESTED);
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_response), asked, free_asked, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}
