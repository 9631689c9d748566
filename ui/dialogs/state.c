/* SPDX-License-Identifier: MIT */
#include "ui/dialogs/state.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "core/run/state/state.h"
#include "ui/kit/widget.h"

typedef struct
{
  GtkWindow   *window; /* for which the dialog is transient */
  GtkEditable *line;
  GtkLabel    *trouble;
} Asking;

/* Shows below the line what is wrong with it, while it is typed. */
static void
on_line (GtkEditable *line, AdwMessageDialog *dialog)
{
  Asking     *asking = g_object_get_data (G_OBJECT (dialog), "asking");
  const char *text = gtk_editable_get_text (line);
  SlState     state;
  g_autoptr (GError) error = NULL;
  gboolean good = sl_state_read (text, &state, &error);

  adw_message_dialog_set_response_enabled (dialog, "begin", good);
  gtk_label_set_label (asking->trouble, good || *text == '\0' ? "" : error->message);
}

static void
on_response (AdwMessageDialog *dialog, const char *response, Asking *asking)
{
  if (g_str_equal (response, "begin"))
    gtk_widget_activate_action (GTK_WIDGET (asking->window), "win.state", "s",
                                gtk_editable_get_text (asking->line));
}

static GtkWidget *
make_fields (Asking *asking)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);

  asking->line = GTK_EDITABLE (gtk_entry_new ());
  asking->trouble = GTK_LABEL (gtk_label_new (""));
  gtk_entry_set_placeholder_text (GTK_ENTRY (asking->line), "experts k=2 data=moons #…");
  gtk_entry_set_activates_default (GTK_ENTRY (asking->line), TRUE);
  gtk_editable_set_width_chars (asking->line, 40);
  sl_widget_label (GTK_WIDGET (asking->line), _ ("State"));
  gtk_label_set_wrap (asking->trouble, TRUE);
  gtk_label_set_xalign (asking->trouble, 0.0F);
  gtk_label_set_width_chars (asking->trouble, 40);
  gtk_label_set_max_width_chars (asking->trouble, 40);
  gtk_label_set_lines (asking->trouble, 3);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (asking->line));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (asking->trouble));
  return box;
}

void
sl_state_dialog_show (GtkWindow *window)
{
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (
    adw_message_dialog_new (window, _ ("Begin from a state"),
                            _ ("Type or paste the line from a board, worksheet or window.")));
  Asking *asking = g_new0 (Asking, 1);

  asking->window = window;
  adw_message_dialog_set_extra_child (dialog, make_fields (asking));
  adw_message_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "begin", _ ("_Begin"), NULL);
  adw_message_dialog_set_response_appearance (dialog, "begin", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (dialog, "begin");
  adw_message_dialog_set_close_response (dialog, "cancel");
  g_object_set_data_full (G_OBJECT (dialog), "asking", asking, g_free);
  g_signal_connect (asking->line, "changed", G_CALLBACK (on_line), dialog);
  g_signal_connect (dialog, "response", G_CALLBACK (on_response), asking);
  on_line (asking->line, dialog);
  gtk_window_present (GTK_WINDOW (dialog));
}
