/* SPDX-License-Identifier: MIT */
#include "ui/kit/toast.h"

#include <glib/gi18n.h>

#include "ui/kit/widget.h"

#define GOING "sl-going" /* set on a toast that was dismissed, by whatever */
#define WHERE "sl-where" /* set on a toast: its overlay, borrowed */
#define MOVED "sl-moved" /* set on an overlay: when a toast came or went, in milliseconds */

/* Set on an overlay: its toasts, the shown one first.  Only that one is given to the overlay, as libadwaita 1.2
 * shows what was dismissed while it waited.  */
#define LISTED "sl-listed"

enum { COMING_MS = 1000 }; /* longer than a toast takes to appear */

/* libadwaita 1.2 gives the button that closes a toast no name. */
static void
name_button (GtkWidget *widget)
{
  if (GTK_IS_BUTTON (widget))
    sl_widget_label (widget, _ ("Close"));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    name_button (child);
}

static void
name_toasts (AdwToastOverlay *toasts)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (toasts)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (child != adw_toast_overlay_get_child (toasts))
      name_button (child);
}

static gint64
now_ms (void)
{
  return g_get_monotonic_time () / 1000;
}

static void
note_move (AdwToastOverlay *where)
{
  g_object_set_data (G_OBJECT (where), MOVED, GSIZE_TO_POINTER (now_ms ()));
}

static GPtrArray *
list_of (AdwToastOverlay *where)
{
  GPtrArray *list = g_object_get_data (G_OBJECT (where), LISTED);

  if (list == NULL)
    {
      list = g_ptr_array_new_with_free_func (g_object_unref);
      g_object_set_data_full (G_OBJECT (where), LISTED, list, (GDestroyNotify) g_ptr_array_unref);
    }
  return list;
}

static gboolean
is_shown (AdwToastOverlay *where, AdwToast *toast)
{
  GPtrArray *list = list_of (where);

  return list->len > 0 && g_ptr_array_index (list, 0) == toast;
}

static void
show_first (AdwToastOverlay *where)
{
  GPtrArray *list = list_of (where);

  if (list->len > 0)
    adw_toast_overlay_add_toast (where, g_object_ref (g_ptr_array_index (list, 0)));
  note_move (where);
  name_toasts (where);
}

/* The next toast that waits appears now, unless the overlay is being destroyed. */
static void
on_dismissed (AdwToast *toast, AdwToastOverlay *where)
{
  g_object_set_data (G_OBJECT (toast), GOING, toast);
  g_ptr_array_remove (list_of (where), toast);
  if (gtk_widget_get_root (GTK_WIDGET (where)) != NULL)
    show_first (where);
}

static void
take_away (AdwToastOverlay *where, AdwToast *toast)
{
  if (is_shown (where, toast))
    adw_toast_dismiss (toast);
  else
    g_ptr_array_remove (list_of (where), toast);
}

gboolean
sl_toast_dismiss (AdwToast *toast)
{
  AdwToastOverlay *where = g_object_get_data (G_OBJECT (toast), WHERE);

  if (g_object_get_data (G_OBJECT (toast), GOING) != NULL)
    return TRUE;
  if (now_ms () - (gint64) GPOINTER_TO_SIZE (g_object_get_data (G_OBJECT (where), MOVED))
      < COMING_MS)
    return FALSE;
  take_away (where, toast);
  return TRUE;
}

static gboolean
gives_way (AdwToast *toast, const char *label)
{
  const char *own = adw_toast_get_button_label (toast);

  return own == NULL || g_strcmp0 (own, label) == 0;
}

/* An old message would only keep a new one waiting. */
static void
make_way (AdwToastOverlay *where, const char *label)
{
  GPtrArray *list = list_of (where);

  for (guint i = list->len; i-- > 1;)
    if (gives_way (g_ptr_array_index (list, i), label))
      take_away (where, g_ptr_array_index (list, i));
  if (list->len == 1 && gives_way (g_ptr_array_index (list, 0), label))
    sl_toast_dismiss (g_ptr_array_index (list, 0));
}

AdwToast *
sl_toast_add (AdwToastOverlay *where, const char *sentence, const char *label, const char *action)
{
  /* Titles are markup in libadwaita 1.2. */
  g_autofree char *escaped = g_markup_escape_text (sentence, -1);
  AdwToast        *toast = adw_toast_new (escaped);

  adw_toast_set_button_label (toast, label);
  if (action != NULL)
    adw_toast_set_detailed_action_name (toast, action);
  make_way (where, label);
  g_object_set_data (G_OBJECT (toast), WHERE, where);
  g_signal_connect_object (toast, "dismissed", G_CALLBACK (on_dismissed), where, 0);
  g_ptr_array_add (list_of (where), toast);
  if (is_shown (where, toast))
    show_first (where);
  return toast;
}
