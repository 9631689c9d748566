/* SPDX-License-Identifier: MIT */
#include "ui/carry/dialog.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#include "core/run/again/kept.h"
#include "core/run/base/error.h"
#include "core/run/base/language.h"
#include "plot/page/page.h"
#include "ui/carry/job.h"
#include "ui/kit/file-dialog.h"
#include "ui/kit/number.h"
#include "ui/kit/widget.h"

enum { TICK_MS = 100, WIDTH = 500, MOST_HIGH = 640 };
enum { FRONT, SHOWN }; /* the plots of a page */

/* In the order of their rows. */
static const unsigned page_moments[] = { 0, 20, 60 }, film_moments[] = { 20, 60, 120 };
enum { USUAL_MOMENTS = 1 };

struct _SlCarryDialog
{
  AdwWindow parent_instance;

  GtkWidget      *header, *content, *save, *rows;
  GtkEditable    *name, *sentence;
  AdwComboRow    *plots, *plot, *format, *size, *moments;
  GtkSpinButton  *delay;
  GtkLabel       *note;
  GtkProgressBar *bar;

  gboolean              film;
  SlSession            *session;
  SlExportPanels        shown, films; /* the plots on the screen, and those that a film can be of */
  SlCarryHost           host;
  GtkFileChooserNative *chooser;

  SlCarryOrder *waiting;  /* for the window to rest, or NULL */
  SlCarryJob   *job;      /* at work, or NULL */
  gboolean      resting;  /* the window */
  gboolean      given_up; /* while it waits */
  guint         tick;     /* timeout while there is either */
};

G_DEFINE_FINAL_TYPE (SlCarryDialog, sl_carry_dialog, ADW_TYPE_WINDOW)

/* ---- what is chosen ---- */

static unsigned
moments_of (SlCarryDialog *self)
{
  return (self->film ? film_moments : page_moments)[adw_combo_row_get_selected (self->moments)];
}

static SlFilmFormat
format_of (SlCarryDialog *self)
{
  return (SlFilmFormat) adw_combo_row_get_selected (self->format);
}

/* NULL: as the lab has it. */
static char *
text_of (GtkEditable *row)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (row)));

  return *text != '\0' ? g_steal_pointer (&text) : NULL;
}

static void
order_plots (SlCarryDialog *self, SlCarryOrder *order)
{
  if (self->film)
    {
      order->panel[0] = self->films.panel[adw_combo_row_get_selected (self->plot)];
      order->n = 1;
    }
  else if (adw_combo_row_get_selected (self->plots) == FRONT)
    order->n = sl_page_front (order->recipe.lab, &order->recipe.settings,
                              sl_session_dataset (self->session), order->panel);
  else
    {
      order->n = self->shown.n;
      memcpy (order->panel, self->shown.panel, sizeof order->panel);
    }
}

static gboolean
fill_order (SlCarryDialog *self, SlCarryOrder *order, GError **error)
{
  g_autofree char *recipe = sl_session_recipe (self->session);

  *order = (SlCarryOrder) { .film = self->film, .moments = moments_of (self) };
  if (!sl_recipe_read (recipe, &order->recipe, error))
    return FALSE;
  if (order->moments == 0
      && !sl_record_copy (&order->record, sl_session_record (self->session),
                          sl_session_settings (self->session)))
    {
      SlStatus status = sl_status_no_memory ("run");

      sl_recipe_clear (&order->recipe);
      return sl_status_good (&status, error);
    }
  if (order->moments == 0)
    order->kept = sl_kept_frames (order->recipe.lab, sl_session_moments (self->session));
  order_plots (self, order);
  order->title = text_of (self->name);
  order->sentence = text_of (self->sentence);
  order->looks.format = format_of (self);
  order->looks.slide = adw_combo_row_get_selected (self->size) > 0;
  order->looks.delay = gtk_spin_button_get_value (self->delay);
  return TRUE;
}

/* ---- what is said ---- */

static void
say (SlCarryDialog *self, const char *sentence, gboolean wrong)
{
  gtk_label_set_label (self->note, sentence);
  if (wrong)
    gtk_widget_add_css_class (GTK_WIDGET (self->note), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->note), "error");
}

static void
say_what_it_takes (SlCarryDialog *self)
{
  double           seconds = sl_session_info (self->session)->seconds;
  g_autofree char *span = sl_span_text (seconds), *text = NULL;

  if (moments_of (self) == 0)
    text = g_strdup (
      _ ("Nothing is trained: the page has the current plots and the picture's moments."));
  else if (seconds > 0)
    /* Translators: %s is "1 min 40 s". */
    text = g_strdup_printf (_ ("Trains the run once more, about %s; your run waits."), span);
  else
    text = g_strdup (_ ("Trains the run once more; your run waits."));
  say (self, text, FALSE);
}

static void
show_work (SlCarryDialog *self)
{
  gboolean busy = sl_carry_dialog_is_busy (self);

  gtk_widget_set_sensitive (self->rows, !busy);
  gtk_widget_set_sensitive (self->save, !busy);
  gtk_widget_set_opacity (GTK_WIDGET (self->bar), busy ? 1 : 0); /* its place is kept */
  gtk_progress_bar_set_fraction (self->bar, self->job != NULL ? sl_carry_share (self->job) : 0);
}

static void
say_wrong (SlCarryDialog *self, const GError *error, gboolean untrained)
{
  g_autofree char *text = NULL;

  if (untrained && !self->film)
    /* Translators: %s is a sentence on what went wrong. */
    text = g_strdup_printf (_ ("%s\n"
                               "With the picture's moments alone, nothing is trained."),
                            error->message);
  say (self, text != NULL ? text : error->message, TRUE);
}

/* ---- at work ---- */

static void
let_go_on (SlCarryDialog *self)
{
  g_clear_handle_id (&self->tick, g_source_remove);
  if (self->resting)
    self->host.go_on (self->host.data);
  self->resting = FALSE;
}

static void
forget_order (SlCarryDialog *self)
{
  if (self->waiting != NULL)
    sl_carry_order_clear (self->waiting);
  g_clear_pointer (&self->waiting, g_free);
}

static void
on_done (gpointer owner, const SlCarryJob *job, const GError *error)
{
  SlCarryDialog *self = owner;

  self->job = NULL;
  let_go_on (self);
  show_work (self);
  if (error == NULL)
    {
      self->host.saved (self->host.data, sl_carry_order (job)->path);
      gtk_window_close (GTK_WINDOW (self));
    }
  else if (sl_carry_is_cancelled (job))
    say_what_it_takes (self);
  else
    say_wrong (self, error, sl_carry_could_not_train (job));
}

/* The window rests. */
static void
begin (SlCarryDialog *self)
{
  if (self->given_up)
    {
      forget_order (self);
      let_go_on (self);
      return;
    }
  self->job = sl_carry_begin (*self->waiting, on_done, self);
  g_clear_pointer (&self->waiting, g_free);
}

static gboolean
on_tick (gpointer data)
{
  SlCarryDialog *self = data;

  if (self->waiting != NULL && self->host.rest (self->host.data))
    begin (self);
  show_work (self);
  return self->tick != 0;
}

/* Said before a long training rather than behind it. */
static gboolean
can_write (const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);

  return g_access (folder, W_OK | X_OK) == 0
         || sl_fail (error, SL_EIO, folder, g_strerror (errno), NULL);
}

void
sl_carry_dialog_save (SlCarryDialog *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  SlCarryOrder order;

  g_return_if_fail (SL_IS_CARRY_DIALOG (self) && path != NULL && !sl_carry_dialog_is_busy (self));
  if (!can_write (path, &error) || !fill_order (self, &order, &error))
    {
      say_wrong (self, error, FALSE);
      return;
    }
  order.path = g_strdup (path);
  self->waiting = g_memdup2 (&order, sizeof order);
  self->resting = order.moments > 0;
  self->given_up = FALSE;
  say_what_it_takes (self);
  self->tick = g_timeout_add (TICK_MS, on_tick, self);
  if (!self->resting || self->host.rest (self->host.data))
    begin (self);
  show_work (self);
}

gboolean
sl_carry_dialog_is_busy (SlCarryDialog *self)
{
  return self->waiting != NULL || self->job != NULL;
}

/* While it is at work, what closes the dialog cancels that. */
static gboolean
on_close_request (SlCarryDialog *self)
{
  gboolean busy = sl_carry_dialog_is_busy (self);

  self->given_up = busy;
  if (self->job != NULL)
    sl_carry_cancel (self->job);
  return busy;
}

/* ---- the file ---- */

static void
on_chosen (gpointer self, const char *path)
{
  sl_carry_dialog_save (self, path);
}

static void
on_refused (gpointer self, const char *sentence)
{
  say (self, sentence, TRUE);
}

static void
on_save (SlCarryDialog *self)
{
  static const struct
  {
    const char *ending, *kind, *pattern;
  } files[] = { [SL_FILM_GIF] = { ".gif", N_ ("Animations"), "*.gif" },
                [SL_FILM_APNG] = { ".png", N_ ("Animations"), "*.png *.apng" },
                [SL_FILM_FRAMES] = { "", NULL, NULL },
                [SL_N_FILMS] = { ".html", N_ ("Web pages"), "*.html" } };
  unsigned    i = self->film ? format_of (self) : SL_N_FILMS;
  const char *kind = files[i].kind;

  g_autofree char *name
    = g_strdup_printf ("%s-seed%" G_GUINT64_FORMAT "%s", sl_session_lab (self->session)->id,
                       (guint64) sl_session_seed (self->session), files[i].ending);

  sl_file_dialog_open (&self->chooser, GTK_WINDOW (self),
                       &(SlFileQuestion) { .title = gtk_window_get_title (GTK_WINDOW (self)),
                                           .name = name,
                                           .kind = kind != NULL ? gettext (kind) : NULL,
                                           .pattern = files[i].pattern,
                                           .modal = TRUE },
                       on_chosen, on_refused, self);
}

/* ---- the dialog ---- */

static void
show_child (SlCarryDialog *self, const char *id, gboolean shown)
{
  GObject *child = gtk_widget_get_template_child (GTK_WIDGET (self), SL_TYPE_CARRY_DIALOG, id);

  gtk_widget_set_visible (GTK_WIDGET (child), shown);
}

/* The picture of the network, and what the window shows. */
static void
fill_films (SlCarryDialog *self)
{
  const SlLab   *lab = sl_session_lab (self->session);
  int            picture = sl_lab_picture (lab);
  GtkStringList *titles = gtk_string_list_new (NULL);

  if (picture >= 0)
    self->films.panel[self->films.n++] = (unsigned) picture;
  for (unsigned i = 0; i < self->shown.n; i++)
    if ((int) self->shown.panel[i] != picture)
      self->films.panel[self->films.n++] = self->shown.panel[i];
  for (unsigned i = 0; i < self->films.n; i++)
    gtk_string_list_append (titles, sl_words (lab->panels[self->films.panel[i]].title));
  adw_combo_row_set_model (self->plot, G_LIST_MODEL (titles));
  g_object_unref (titles);
}

static void
fill_moments (SlCarryDialog *self)
{
  const unsigned *counts = self->film ? film_moments : page_moments;
  GtkStringList  *texts = gtk_string_list_new (NULL);

  for (unsigned i = 0; i < G_N_ELEMENTS (page_moments); i++)
    {
      g_autofree char *text = g_strdup_printf ("%u", counts[i]);

      gtk_string_list_append (texts, counts[i] > 0 ? text : _ ("Only those of the picture"));
    }
  adw_combo_row_set_model (self->moments, G_LIST_MODEL (texts));
  adw_combo_row_set_selected (self->moments, USUAL_MOMENTS);
  g_object_unref (texts);
}

static void
fill (SlCarryDialog *self)
{
  static const char *const of_page[] = { "name", "sentence", "plots", "of_page" };
  static const char *const of_film[] = { "plot", "format", "size", "delay_row", "of_film" };
  const SlLab             *lab = sl_session_lab (self->session);

  gtk_window_set_title (GTK_WINDOW (self), self->film ? _ ("Animation") : _ ("Web page"));
  for (unsigned i = 0; i < G_N_ELEMENTS (of_page); i++)
    show_child (self, of_page[i], !self->film);
  for (unsigned i = 0; i < G_N_ELEMENTS (of_film); i++)
    show_child (self, of_film[i], self->film);
  /* In English, as all of the page. */
  gtk_editable_set_text (self->name, lab->title);
  gtk_editable_set_text (self->sentence, lab->summary);
  fill_films (self);
  fill_moments (self);
}

/* As high as all of it, and what may be said below, unless that is very high: a scrolled window does not know how labels
 * wrap.  */
static void
fit (SlCarryDialog *self)
{
  int height, header;

  gtk_widget_measure (self->content, GTK_ORIENTATION_VERTICAL, WIDTH, NULL, &height, NULL, NULL);
  gtk_widget_measure (self->header, GTK_ORIENTATION_VERTICAL, WIDTH, NULL, &header, NULL, NULL);
  gtk_window_set_default_size (GTK_WINDOW (self), WIDTH, MIN (header + height, MOST_HIGH));
}

static void
sl_carry_dialog_dispose (GObject *object)
{
  SlCarryDialog *self = SL_CARRY_DIALOG (object);

  if (self->job != NULL)
    sl_carry_leave (self->job);
  forget_order (self);
  g_clear_handle_id (&self->tick, g_source_remove);
  g_clear_object (&self->chooser);
  g_clear_object (&self->session);
  sl_widget_dispose (object);
}

static void
sl_carry_dialog_class_init (SlCarryDialogClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_carry_dialog_dispose;
  sl_widget_class_set_template (widget, "carry/dialog.ui");
  gtk_widget_class_bind_template_child_full (widget, "of_page", FALSE, 0);
  gtk_widget_class_bind_template_child_full (widget, "of_film", FALSE, 0);
  gtk_widget_class_bind_template_child_full (widget, "delay_row", FALSE, 0);
  sl_widget_class_bind_children (
    widget, SL_CHILD (SlCarryDialog, header), SL_CHILD (SlCarryDialog, content),
    SL_CHILD (SlCarryDialog, save), SL_CHILD (SlCarryDialog, rows), SL_CHILD (SlCarryDialog, name),
    SL_CHILD (SlCarryDialog, sentence), SL_CHILD (SlCarryDialog, plots),
    SL_CHILD (SlCarryDialog, plot), SL_CHILD (SlCarryDialog, format),
    SL_CHILD (SlCarryDialog, size), SL_CHILD (SlCarryDialog, moments),
    SL_CHILD (SlCarryDialog, delay), SL_CHILD (SlCarryDialog, note), SL_CHILD (SlCarryDialog, bar),
    NULL);
  sl_widget_class_bind_callbacks (widget, SL_CALLBACK (on_save), SL_CALLBACK (on_close_request),
                                  SL_CALLBACK (say_what_it_takes), NULL);
}

static void
sl_carry_dialog_init (SlCarryDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

SlCarryDialog *
sl_carry_dialog_open (GtkWindow *parent, SlSession *session, const SlExportPanels *shown,
                      gboolean film, SlCarryHost host)
{
  SlCarryDialog *self;

  g_return_val_if_fail (SL_IS_SESSION (session) && sl_session_info (session)->step > 0, NULL);
  self = g_object_new (SL_TYPE_CARRY_DIALOG, "transient-for", parent, NULL);
  self->session = g_object_ref (session);
  self->shown = *shown;
  self->film = film;
  self->host = host;
  fill (self);
  say_what_it_takes (self);
  fit (self);
  gtk_window_present (GTK_WINDOW (self));
  return self;
}
