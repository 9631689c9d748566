/* SPDX-License-Identifier: MIT
 *
 * See film.h.  */
#include "app/cli/show/film.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli/show/outputs.h"
#include "app/cli/stop.h"

enum { WIDTH = 800, SLIDE_WIDTH = 1280, SLIDE_HEIGHT = 720 };

static const double delay = 0.15, hold = 2.0;

void
sl_film_choice_add_options (SlFilmChoice *choice, GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "film", 0, 0, G_OPTION_ARG_FILENAME, &choice->path,
      N_ ("A film of the training: gif, animated png, or a folder/ of frames"), "FILE" },
    { "film-panel", 0, 0, G_OPTION_ARG_STRING, &choice->panels,
      N_ ("Panels of the film (alive,error; default: the network's picture)"), "PANEL" },
    { "film-size", 0, 0, G_OPTION_ARG_STRING, &choice->size,
      N_ ("Size of the film in px, or slide (default: 800 wide)"), "WxH" },
    { "film-delay", 0, 0, G_OPTION_ARG_DOUBLE, &choice->delay,
      N_ ("Seconds that each moment is shown (default 0.15)"), "SECONDS" },
    { NULL },
  };

  *choice = (SlFilmChoice) { .delay = delay };
  g_option_context_add_main_entries (context, entries, NULL);
}

static bool
is_slide (const SlFilmChoice *choice)
{
  return g_strcmp0 (choice->size, "slide") == 0;
}

/* "800x450", "800" or "slide"; a height of 0: as the page has it. */
static bool
read_size (const SlFilmChoice *choice, unsigned *width, unsigned *height)
{
  unsigned long w = WIDTH, h = 0;
  char          nothing[] = "", *end = nothing;

  if (is_slide (choice))
    {
      w = SLIDE_WIDTH;
      h = SLIDE_HEIGHT;
    }
  else if (choice->size != NULL)
    {
      w = strtoul (choice->size, &end, 10);
      if (*end == 'x')
        h = strtoul (end + 1, &end, 10);
    }
  *width = (unsigned) MIN (w, 10 * SL_FILM_MOST);
  *height = (unsigned) MIN (h, 10 * SL_FILM_MOST);
  if (*end == '\0' && w > 0
      && (choice->size == NULL || strchr (choice->size, 'x') == NULL || h > 0))
    return true;
  sl_cli_report (_ ("\"%s\" should be width and height in px, as 800x450, or slide"), choice->size);
  return false;
}

/* All of the film but the run; `style` keeps what its page borrows. */
static bool
read_film (const SlFilmChoice *choice, const SlLooks *looks, SlExportStyle *style, SlFilm *film)
{
  g_autoptr (GError) error = NULL;
  char     slide[] = "slide";
  SlLooks  mine = *looks;
  unsigned width, height;

  if (is_slide (choice) && mine.style == NULL)
    mine.page = slide;
  *film = (SlFilm) { .n = MAX (choice->n, 1),
                     .format = (SlFilmFormat) sl_film_format_for (choice->path),
                     .delay = choice->delay,
                     .hold = hold };
  memcpy (film->panel, choice->panel, sizeof film->panel);
  if (!read_size (choice, &width, &height))
    return false;
  if (!sl_looks_options (&mine, film->n, style, &film->page, &error))
    {
      sl_cli_report ("%s", error->message);
      return false;
    }
  sl_film_scale (&film->page, width, height);
  return true;
}

static bool
read_panels (SlFilmChoice *choice, const SlLab *lab)
{
  g_auto (GStrv) names = g_strsplit (choice->panels != NULL ? choice->panels : "", ",", -1);

  for (char **name = names; *name != NULL; name++)
    {
      int panel = sl_outputs_panel (lab, *name);

      if (panel < 0)
        return false;
      if (choice->n == SL_FILM_PANELS)
        {
          sl_cli_report (_ ("a film shows at most %d panels"), SL_FILM_PANELS);
          return false;
        }
      choice->panel[choice->n++] = (unsigned) panel;
    }
  return true;
}

/* The only thing that was typed without a film. */
static const char *
typed_in_vain (const SlFilmChoice *choice)
{
  const SlCliOption typed[] = { { "film-panel", choice->panels != NULL },
                                { "film-size", choice->size != NULL },
                                { "film-delay", choice->delay != delay } };

  return sl_cli_first_typed (typed, G_N_ELEMENTS (typed));
}

/* Whether the folder of frames can be made; one that was made for this is taken back: the film makes it. */
static SlExit
check_folder (const char *path)
{
  bool there = g_file_test (path, G_FILE_TEST_EXISTS);

  if (g_mkdir_with_parents (path, 0777) != 0)
    {
      sl_cli_report ("%s cannot be made: %s", path, g_strerror (errno));
      return SL_EXIT_FAILED;
    }
  if (!there)
    g_rmdir (path);
  return SL_EXIT_FINE;
}

SlExit
sl_film_choice_check (SlFilmChoice *choice, const SlLooks *looks, const SlLab *lab)
{
  const char   *vain = typed_in_vain (choice);
  GError       *error = NULL;
  SlExportStyle style;
  SlFilm        film;

  if (choice->path == NULL && vain != NULL)
    {
      sl_cli_report (_ ("--%s needs --film"), vain);
      return SL_EXIT_USAGE;
    }
  if (choice->path == NULL)
    return SL_EXIT_FINE;
  if (sl_film_format_for (choice->path) < 0)
    {
      sl_cli_report (_ ("\"%s\" should end in %s"), choice->path, ".gif, .png, /");
      return SL_EXIT_USAGE;
    }
  if (!read_panels (choice, lab) || !read_film (choice, looks, &style, &film))
    return SL_EXIT_USAGE;
  if (!sl_film_check (&film, &error))
    {
      sl_cli_fail_error (error);
      return SL_EXIT_USAGE;
    }
  return film.format == SL_FILM_FRAMES ? check_folder (choice->path)
                                       : sl_outputs_check_file (choice->path);
}

static bool
shows (const SlLab *lab, unsigned panel, const SlSettings *settings, const SlDataset *dataset)
{
  const char *needs = lab->panels[panel].needs;

  return sl_needs_hold (settings, lab->params, lab->n_params, needs)
         && sl_dataset_has (dataset, needs);
}

static unsigned
usual_panel (const SlLab *lab, const SlSettings *settings, const SlDataset *dataset)
{
  unsigned plots[SL_FRONT_PLOTS];
  int      picture = sl_lab_picture (lab);

  if (picture >= 0 && shows (lab, (unsigned) picture, settings, dataset))
    return (unsigned) picture;
  return sl_lab_front_plots (lab, settings, dataset, plots) > 0 ? plots[0] : 0;
}

bool
sl_film_choice_mark (SlFilmChoice *choice, const SlLab *lab, const SlSettings *settings,
                     const SlDataset *dataset, bool *wanted)
{
  if (choice->path == NULL)
    return false;
  if (choice->n == 0)
    choice->panel[choice->n++] = usual_panel (lab, settings, dataset);
  for (unsigned i = 0; i < choice->n; i++)
    wanted[choice->panel[i]] = true;
  return true;
}

/* The caption behind the update, as it is typed for figures. */
static char *
caption_of (const SlLooks *looks, const char *recipe)
{
  return g_strcmp0 (looks->caption, "settings") == 0 ? sl_export_film_caption (recipe)
                                                     : g_strdup (looks->caption);
}

/* A signal that comes while a film is drawn; the one that ended the training does not end its film. */
typedef struct
{
  GCancellable *cancellable;
  bool          stopped;
} Watch;

static void
on_progress (gpointer data, double done)
{
  Watch *watch = data;

  if (sl_stop_asked () && !watch->stopped)
    g_cancellable_cancel (watch->cancellable);
}

static GPtrArray *
draw (const SlFilm *film, bool stopped, GError **error)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Watch watch = { cancellable, stopped };

  return sl_film_make (film, cancellable, on_progress, &watch, error);
}

SlExit
sl_film_choice_write (const SlFilmChoice *choice, const SlLooks *looks, const SlRecord *record,
                      const SlSettings *settings, const SlFrames *frames, const char *recipe,
                      bool stopped)
{
  g_autoptr (GPtrArray) files = NULL;
  g_autofree char *caption = NULL;
  GError          *error = NULL;
  SlExportStyle    style;
  SlFilm           film;

  if (choice->path == NULL || sl_frames_count (frames) == 0)
    return SL_EXIT_FINE;
  if (!read_film (choice, looks, &style, &film))
    return SL_EXIT_USAGE;
  caption = caption_of (looks, recipe);
  film.record = record;
  film.settings = settings;
  film.moments = sl_film_moments (frames);
  film.page.recipe = recipe;
  film.page.caption = caption;
  if (choice->size == NULL && looks->size == NULL && looks->style == NULL)
    sl_film_fit (&film, SL_PRESET_SCREEN);
  files = draw (&film, stopped, &error);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_error_free (error);
      sl_cli_report (_ ("stopped; no film was written"));
      return SL_EXIT_STOPPED;
    }
  if (files == NULL || !sl_film_save (files, film.format, choice->path, record->lab->id, &error))
    return sl_cli_fail_error (error);
  return SL_EXIT_FINE;
}

void
sl_film_choice_clear (SlFilmChoice *choice)
{
  g_clear_pointer (&choice->path, g_free);
  g_clear_pointer (&choice->panels, g_free);
  g_clear_pointer (&choice->size, g_free);
}
