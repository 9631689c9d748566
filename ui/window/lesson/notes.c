/* SPDX-License-Identifier: MIT
 *
 * Teacher's notes: a window of its own, on another screen where there is one, and never over what an audience
 * sees.  */
#include <glib/gi18n.h>

#include "core/run/base/language.h"
#include "ui/lesson/paper.h"
#include "ui/window/lesson/private.h"

enum { WIDTH = 560, HEIGHT = 480, MARGIN = 24 };

static GtkWidget *
make_label (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0.0F);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  return label;
}

static GtkWidget *
make_page (const char *text)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, MARGIN / 2);
  GtkWidget *for_whom
    = make_label (_ ("For you alone: keep this window off the audience's screen."));
  GtkWidget *scroller = gtk_scrolled_window_new ();

  gtk_widget_add_css_class (for_whom, "dim-label");
  gtk_box_append (GTK_BOX (box), make_label (text));
  gtk_box_append (GTK_BOX (box), for_whom);
  gtk_widget_set_margin_top (box, MARGIN);
  gtk_widget_set_margin_bottom (box, MARGIN);
  gtk_widget_set_margin_start (box, MARGIN);
  gtk_widget_set_margin_end (box, MARGIN);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), box);
  gtk_widget_set_focusable (scroller,
                            TRUE); /* a label with the focus would have all its text selected */
  return scroller;
}

/* Not a dialog of the window, above which a desktop would keep it. */
static GtkWidget *
make_window (SlWindow *self, const SlLesson *lesson, const char *text)
{
  GtkWidget          *window = gtk_window_new (), *header = gtk_header_bar_new ();
  GtkWidget          *page = make_page (text);
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_window_set_title (GTK_WINDOW (window), _ ("Teacher's notes"));
  gtk_header_bar_set_title_widget (
    GTK_HEADER_BAR (header),
    adw_window_title_new (_ ("Teacher's notes"), sl_words (lesson->title)));
  gtk_window_set_titlebar (GTK_WINDOW (window), header);
  gtk_window_set_child (GTK_WINDOW (window), page);
  gtk_window_set_focus (GTK_WINDOW (window), page);
  gtk_shortcut_controller_add_shortcut (
    GTK_SHORTCUT_CONTROLLER (keys),
    gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                      gtk_shortcut_action_parse_string ("action(window.close)")));
  gtk_widget_add_controller (window, keys);
  gtk_window_set_default_size (GTK_WINDOW (window), WIDTH, HEIGHT);
  g_signal_connect_object (self, "destroy", G_CALLBACK (gtk_window_destroy), window,
                           G_CONNECT_SWAPPED);
  return window;
}

/* There is no other screen: the key has the notes on paper. */
static void
offer_key (SlWindow *self, const char *name)
{
  g_autoptr (GVariant) target = g_variant_ref_sink (g_variant_new_string (name));
  g_autofree char *action = g_action_print_detailed_name ("win.lesson-key", target);

  sl_window_toast_button (self, _ ("Notes would cover the audience's screen; the key has them"),
                          _ ("Save the key…"), action);
}

gboolean
sl_window_lesson_show_notes (SlWindow *self, const SlLesson *lesson, const char *name)
{
  Lesson          *state = sl_window_lesson (self);
  g_autofree char *text = sl_lesson_notes (lesson);
  g_autoptr (GdkMonitor) other = sl_window_dup_other_monitor (self);

  if (*text == '\0')
    return FALSE;
  if (other == NULL && sl_window_is_on (self, "present"))
    {
      offer_key (self, name);
      return TRUE;
    }
  if (state->notes != NULL)
    gtk_window_destroy (GTK_WINDOW (state->notes));
  g_set_weak_pointer (&state->notes, make_window (self, lesson, text));
  if (other != NULL)
    gtk_window_fullscreen_on_monitor (GTK_WINDOW (state->notes), other);
  gtk_window_present (GTK_WINDOW (state->notes));
  return TRUE;
}
