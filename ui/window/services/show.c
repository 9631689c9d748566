/* SPDX-License-Identifier: MIT
 *
 * What the window says of its run: title, page, banners, toasts, and the line of its state.  */
#include <glib/gi18n.h>

#include "core/run/base/language.h"
#include "ui/kit/widget.h"
#include "ui/window/services/inside.h"

enum { STATUS_MS = 200 };

/* The title of the data of the overview, none before they are read, or of the session. */
static SlMessage
data_title (SlWindow *self)
{
  SlGroup         *group = sl_stage_shown_group (self->stage);
  gboolean         overview = sl_window_shows_overview (self);
  const SlDataset *data = overview ? NULL : sl_session_dataset (sl_window_get_session (self));

  for (unsigned i = 0; overview && i < sl_group_size (group); i++)
    if (sl_session_dataset (sl_group_session (group, i)) != NULL)
      data = sl_session_dataset (sl_group_session (group, i));
  return data != NULL ? sl_dataset_message (data) : SL_NO_MESSAGE;
}

static void
show_title (SlWindow *self)
{
  const SlLab *lab = sl_session_lab (sl_window_get_session (self));
  char         data[2 * SL_MESSAGE_SIZE];

  sl_message_show (data_title (self).packed, sl_words, data, sizeof data);
  if (sl_window_shows_overview (self))
    adw_window_title_set_title (self->title, _ ("Overview"));
  else if (sl_stage_shows_list (self->stage))
    adw_window_title_set_title (self->title, _ ("Runs and trade-offs"));
  else
    adw_window_title_set_title (self->title, lab != NULL ? sl_words (lab->title) : "Sluice");
  adw_window_title_set_subtitle (self->title, sl_stage_shows_list (self->stage) ? "" : data);
}

/* Why there is no run to show, or NULL: its data, or the file that was to be opened. */
static const char *
refusal (SlWindow *self)
{
  SlSession    *session = sl_window_get_session (self);
  const GError *error = sl_session_error (session);

  if (sl_session_lab (session) != NULL || sl_session_is_loading (session))
    return NULL;
  if (sl_session_state (session) == SL_FAILED && error != NULL)
    return error->message;
  return self->complaint;
}

/* There is nothing to say of a run on the page of a file that is none, nor on that of stored runs where
 * no lab was chosen yet.  */
static gboolean
has_status (SlWindow *self, const char *page)
{
  if (sl_window_is_on (self, "present") || g_str_equal (page, "failed"))
    return FALSE;
  return !g_str_equal (page, "runs") || sl_session_lab (sl_window_get_session (self)) != NULL;
}

/* What a session says of a file that it could not read, while its run goes on. */
static void
forget_refused (SlSession *session)
{
  if (sl_session_lab (session) != NULL && sl_session_state (session) != SL_FAILED
      && !sl_session_can_begin_anew (session))
    sl_session_clear_error (session);
}

void
sl_window_go_on (SlWindow *self)
{
  self->gone_on = TRUE;
  forget_refused (sl_window_get_session (self));
  forget_refused (sl_stage_own (self->stage));
}

/* What was wrong with a file is no news any more on another page or in another lab.  A page that is still
 * loading becomes another one by itself.  */
static void
note_place (SlWindow *self)
{
  const char  *before = self->page;
  const SlLab *lab_before = self->lab, *lab = sl_session_lab (sl_window_get_session (self));
  const char  *page = gtk_stack_get_visible_child_name (self->pages);

  if (g_strcmp0 (page, "loading") == 0)
    return;
  self->page = page;
  self->lab = lab;
  if (before != NULL && (g_strcmp0 (page, before) != 0 || lab != lab_before))
    sl_window_go_on (self);
}

static void
show_page (SlWindow *self)
{
  const char *refused = refusal (self);
  const char *page = sl_window_shows_overview (self)                         ? "glance"
                     : sl_stage_shows_list (self->stage)                     ? "runs"
                     : sl_session_lab (sl_window_get_session (self)) != NULL ? "plots"
                     : refused != NULL                                       ? "failed"
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
  SlSession    *session = sl_window_get_session (self);
  gboolean      overview = sl_window_shows_overview (self);
  const GError *error
    = overview ? sl_group_error (sl_stage_shown_group (self->stage)) : sl_session_error (session);

  if (!overview && sl_session_can_begin_anew (session))
    return g_strdup_printf (
      _ ("The stored run cannot be continued: %s. Its curves are on the page of runs."),
      error->message);
  if (error != NULL && (overview || sl_session_lab (session) != NULL))
    return g_strdup (error->message);
  if (self->gone_on || (!overview && refusal (self) == self->complaint))
    return NULL;
  return g_strdup (self->complaint);
}

static void
show_banners (SlWindow *self)
{
  SlSession       *session = sl_window_get_session (self);
  gboolean         overview = sl_window_shows_overview (self);
  gboolean         diverged = !overview && sl_session_state (session) == SL_DIVERGED;
  gboolean         anew = !overview && sl_session_can_begin_anew (session);
  g_autofree char *loss = NULL, *trouble = diverged ? NULL : dup_trouble (self);

  if (diverged)
    loss = g_strdup_printf (_ ("The loss is no longer finite since update %llu."),
                            (unsigned long long) sl_session_info (session)->step);
  sl_banner_show (self->diverged, loss);
  g_object_set (self->trouble, "first-label", anew ? _ ("Start again") : NULL, NULL);
  sl_banner_show (self->trouble, trouble);
}

static void
show_running (SlWindow *self)
{
  gboolean running = sl_stage_is_running (self->stage);

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
    sl_status_line_sum_up (self->status, sl_stage_shown_group (self->stage));
  else
    sl_status_line_update (self->status, sl_window_get_session (self));
}

/* Numbers that change thirty times a second cannot be read and cost layout. */
static void
show_status (SlWindow *self)
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
  show_page (self);
  self->gone_on = FALSE;
  show_banners (self);
}

static void
on_state (SlWindow *self)
{
  show_page (self);
  show_title (self);
  show_banners (self);
  show_running (self);
}

/* The line of another run is up to date at once. */
static void
on_restarted (SlWindow *self)
{
  self->stated = 0;
}

void
sl_window_add_show (SlWindow *self)
{
  sl_window_watch (self, "shown", on_restarted);
  sl_window_watch (self, "restarted", on_restarted);
  sl_window_watch (self, "state", on_state);
  sl_window_watch (self, "progress", show_status);
}
