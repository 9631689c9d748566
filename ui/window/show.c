/* SPDX-License-Identifier: MIT
 *
 * What the window says of its run: title, page, banners, toasts, and the line of its state.  */
#include <glib/gi18n.h>

#include "core/run/base/language.h"
#include "ui/kit/toast.h"
#include "ui/kit/widget.h"
#include "ui/window/controllers.h"
#include "ui/window/private.h"

enum { STATUS_MS = 200 };

AdwToast *
sl_window_toast_button (SlWindow *self, const char *sentence, const char *label, const char *action)
{
  return sl_toast_add (self->toasts, sentence, label, action);
}

void
sl_window_hint (SlWindow *self, const char *sentence)
{
  sl_toast_add (sl_overview_get_hints (self->overview), sentence, NULL, NULL);
}

void
sl_window_toast (SlWindow *self, const char *sentence)
{
  g_return_if_fail (SL_IS_WINDOW (self) && sentence != NULL);
  sl_window_toast_button (self, sentence, NULL, NULL);
}

/* The title of the data of the overview, or of the session. */
static SlMessage
data_title (SlWindow *self)
{
  SlGroup         *group = sl_window_get_group (self);
  const SlDataset *data = sl_session_dataset (self->session);

  for (unsigned i = 0; sl_window_shows_overview (self) && i < sl_group_size (group); i++)
    if (sl_session_dataset (sl_group_session (group, i)) != NULL)
      data = sl_session_dataset (sl_group_session (group, i));
  return data != NULL ? sl_dataset_message (data) : SL_NO_MESSAGE;
}

void
sl_window_show_title (SlWindow *self)
{
  const SlLab *lab = sl_session_lab (self->session);
  char         data[2 * SL_MESSAGE_SIZE];

  sl_message_show (data_title (self).packed, sl_words, data, sizeof data);
  if (sl_window_shows_overview (self))
    adw_window_title_set_title (self->title, _ ("Overview"));
  else if (sl_window_shows_runs (self))
    adw_window_title_set_title (self->title, _ ("Runs and trade-offs"));
  else
    adw_window_title_set_title (self->title, lab != NULL ? sl_words (lab->title) : "Sluice");
  adw_window_title_set_subtitle (self->title, sl_window_shows_runs (self) ? "" : data);
}

/* Why there is no run to show, or NULL: its data, or the file that was to be opened. */
static const char *
refusal (SlWindow *self)
{
  const GError *error = sl_session_error (self->session);

  if (sl_session_lab (self->session) != NULL || sl_session_is_loading (self->session))
    return NULL;
  if (sl_session_state (self->session) == SL_FAILED && error != NULL)
    return error->message;
  return self->complaint;
}

/* There is nothing to say of a run on the page of a file that is none, nor on that of stored runs where
 * no lab was chosen yet.  */
static gboolean
has_status (SlWindow *self, const char *page)
{
  if (sl_window_is_presenting (self) || g_str_equal (page, "failed"))
    return FALSE;
  return !g_str_equal (page, "runs") || sl_session_lab (self->session) != NULL;
}

/* What a session says of a file that it could not read, while its run goes on. */
static void
forget_refused (SlSession *session)
{
  if (session != NULL && sl_session_lab (session) != NULL && sl_session_state (session) != SL_FAILED
      && !sl_session_can_begin_anew (session))
    sl_session_clear_error (session);
}

void
sl_window_go_on (SlWindow *self)
{
  self->gone_on = TRUE;
  forget_refused (self->session);
  if (self->own != self->session)
    forget_refused (self->own);
}

/* What was wrong with a file is no news any more on another page or in another lab.  A page that is still
 * loading becomes another one by itself.  */
static void
note_place (SlWindow *self)
{
  const char  *before = self->page;
  const SlLab *lab_before = self->lab, *lab = sl_session_lab (self->session);
  const char  *page = gtk_stack_get_visible_child_name (self->pages);

  if (g_strcmp0 (page, "loading") == 0)
    return;
  self->page = page;
  self->lab = lab;
  if (before != NULL && (g_strcmp0 (page, before) != 0 || lab != lab_before))
    sl_window_go_on (self);
}

void
sl_window_show_page (SlWindow *self)
{
  const char *refused = refusal (self);
  const char *page = sl_window_shows_overview (self)          ? "glance"
                     : sl_window_shows_runs (self)            ? "runs"
                     : sl_session_lab (self->session) != NULL ? "plots"
                     : refused != NULL                        ? "failed"
                                                              : "loading";

  gtk_stack_set_visible_child_name (self->pages, page);
  gtk_spinner_set_spinning (self->spinner, g_strcmp0 (page, "loading") == 0);
  gtk_widget_set_visible (GTK_WIDGET (self->status), has_status (self, page));
  if (refused != NULL)
    {
      g_autofree char *escaped = g_markup_escape_text (refused, -1);

      adw_status_page_set_description (self->failed, escaped);
    }
  note_place (self);
}

/* The failure in words that the caller frees; or NULL. */
static char *
dup_trouble (SlWindow *self)
{
  gboolean      overview = sl_window_shows_overview (self);
  const GError *error
    = overview ? sl_group_error (sl_window_get_group (self)) : sl_session_error (self->session);

  if (!overview && sl_session_can_begin_anew (self->session))
    return g_strdup_printf (
      _ ("The stored run cannot be continued: %s. Its curves are on the page of runs."),
      error->message);
  if (error != NULL && (overview || sl_session_lab (self->session) != NULL))
    return g_strdup (error->message);
  if (self->gone_on || (!overview && refusal (self) == self->complaint))
    return NULL;
  return g_strdup (self->complaint);
}

void
sl_window_show_banners (SlWindow *self)
{
  gboolean         overview = sl_window_shows_overview (self);
  gboolean         diverged = !overview && sl_session_state (self->session) == SL_DIVERGED;
  gboolean         anew = !overview && sl_session_can_begin_anew (self->session);
  g_autofree char *loss = NULL, *trouble = diverged ? NULL : dup_trouble (self);

  if (diverged)
    loss = g_strdup_printf (_ ("Loss became non-finite at step %llu."),
                            (unsigned long long) sl_session_info (self->session)->step);
  sl_banner_show (self->diverged, loss);
  g_object_set (self->trouble, "first-label", anew ? _ ("Start again") : NULL, NULL);
  sl_banner_show (self->trouble, trouble);
}

void
sl_window_show_running (SlWindow *self)
{
  gboolean running = sl_window_is_running (self);

  gtk_button_set_icon_name (self->toggle, running ? "media-playback-pause-symbolic"
                                                  : "media-playback-start-symbolic");
  sl_widget_label (GTK_WIDGET (self->toggle), running ? _ ("Pause") : _ ("Run"));
}

static void
on_status_due (SlWindow *self)
{
  self->later = 0;
  self->stated = g_get_monotonic_time ();
  if (sl_window_shows_overview (self))
    sl_status_line_sum_up (self->status, sl_window_get_group (self));
  else
    sl_status_line_update (self->status, self->session);
}

/* Numbers that change thirty times a second cannot be read and cost layout. */
void
sl_window_show_status (SlWindow *self)
{
  if (self->later != 0)
    return;
  if (g_get_monotonic_time () - self->stated >= STATUS_MS * 1000)
    on_status_due (self);
  else
    self->later = g_timeout_add_once (STATUS_MS, (GSourceOnceFunc) on_status_due, self);
}

void
sl_window_report (SlWindow *self, const char *sentence)
{
  g_free (self->complaint);
  self->complaint = g_strdup (sentence);
  sl_window_show_page (self);
  self->gone_on = FALSE;
  sl_window_show_banners (self);
}
