/* SPDX-License-Identifier: MIT
 *
 * sluice-cli figures: a list of figures, as a paper has them, drawn in one go.  docs/file-formats.md has the
 * form of the list.  */
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli/commands/figures.h"
#include "app/cli/plot/file.h"
#include "core/run/base/error.h"
#include "core/run/base/json.h"
#include "core/run/base/load.h"
#include "core/run/store/store.h"
#include "plot/export/style.h"

#define KEY "sluice-figures"

enum { LIST_BYTES = 1 << 20 };

static const char *const examples
  = N_ ("LIST is a JSON file of figures with \"file\", \"panel\" and \"from\" (a store or the\n"
        "JSON export of a run) and looks named as the options of plot.  Files are relative to\n"
        "its folder.\n"
        "\n"
        "Example:\n"
        "  sluice-cli figures paper.json --depends\n");

/* One figure: its own members, else those beside the list. */
typedef struct
{
  const SlJson *list, *entry; /* objects */
  SlColours    *colours;      /* of all figures, or NULL */
  gboolean      force;        /* files that Sluice did not write are replaced, too */
} Place;

static const char *const known[]
  = { "file",  "panel",  "from",   "lab",     "run",     "runs",   "bands", "difference", "cost",
      "x",     "y",      "group",  "page",    "style",   "size",   "dpi",   "type",       "line",
      "theme", "legend", "across", "caption", "palette", "filter", "inset", NULL };

static const SlJson *
member (const Place *place, const char *key)
{
  const SlJson *own = sl_json_member (place->entry, key);

  return own != NULL ? own : sl_json_member (place->list, key);
}

static gboolean
refuse (const SlJson *json, const char *expected, GError **error)
{
  return sl_fail (error, SL_EFORMAT, json->key, sl_json_kind_text (json), expected);
}

/* A text of its own, or NULL where there is none. */
static gboolean
take_text (const Place *place, const char *key, char **to, GError **error)
{
  const SlJson *json = member (place, key);

  if (json == NULL)
    return TRUE;
  if (json->kind != SL_JSON_TEXT)
    return refuse (json, _ ("a text"), error);
  *to = g_strdup (json->text);
  return TRUE;
}

static gboolean
take_number (const Place *place, const char *key, double *to, GError **error)
{
  const SlJson *json = member (place, key);

  if (json == NULL)
    return TRUE;
  if (json->kind != SL_JSON_NUMBER)
    return refuse (json, _ ("a number"), error);
  *to = json->number;
  return TRUE;
}

static gboolean
take_looks (const Place *place, SlLooks *looks, GError **error)
{
  const SlJson *across = member (place, "across");
  uint64_t      number = 0;

  sl_looks_init (looks);
  if (across != NULL)
    {
      if (!sl_json_whole (across, 64, &number) || number == 0)
        return refuse (across, _ ("a whole number"), error);
      looks->across = (int) number;
    }
  looks->keep_same = true;
  looks->only_ours = !place->force;
  looks->colours = place->colours;
  return take_text (place, "page", &looks->page, error)
         && take_text (place, "style", &looks->style, error)
         && take_text (place, "size", &looks->size, error)
         && take_text (place, "theme", &looks->theme, error)
         && take_text (place, "palette", &looks->palette, error)
         && take_text (place, "legend", &looks->legend, error)
         && take_text (place, "inset", &looks->inset, error)
         && take_text (place, "caption", &looks->caption, error)
         && take_number (place, "dpi", &looks->dpi, error)
         && take_number (place, "type", &looks->type, error)
         && take_number (place, "line", &looks->line, error);
}

/* "run" is one and "runs" are some; NULL for all. */
static gboolean
take_runs (const Place *place, char ***to, GError **error)
{
  const SlJson *run = member (place, "run"), *runs = member (place, "runs");
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();

  if (run == NULL && runs == NULL)
    return TRUE;
  if (run != NULL && run->kind != SL_JSON_TEXT)
    return refuse (run, _ ("a text"), error);
  if (run != NULL)
    g_strv_builder_add (ids, run->text);
  if (runs != NULL && runs->kind != SL_JSON_ARRAY)
    return refuse (runs, _ ("an array"), error);
  for (const SlJson *id = runs != NULL ? runs->first : NULL; id != NULL; id = id->next)
    {
      if (id->kind != SL_JSON_TEXT)
        return refuse (runs, _ ("an array of texts"), error);
      g_strv_builder_add (ids, id->text);
    }
  *to = g_strv_builder_end (ids);
  return TRUE;
}

static gboolean
check_members (const SlJson *object, gboolean top, GError **error)
{
  static const char *const of_list[] = { KEY, "figures", "colours", NULL };

  for (const SlJson *at = object->first; at != NULL; at = at->next)
    if (!g_strv_contains (known, at->key) && !(top && g_strv_contains (of_list, at->key)))
      return sl_fail (error, SL_EFORMAT, at->key, _ ("unknown"), sl_cli_nearest (at->key, known));
  return TRUE;
}

/* A file as the list means it. */
static char *
beside (const char *folder, const char *name)
{
  if (g_path_is_absolute (name) || strcmp (folder, ".") == 0)
    return g_strdup (name);
  return g_build_filename (folder, name, NULL);
}

/* What one figure is made of, read from the list. */
typedef struct
{
  SlOutputs    outputs;
  SlPlotChoice choice;
  char        *file, *panel, *from, *lab, *x, *y, *group, *filter;
} Figure;

/* Whether a path leads to a place below a folder once all links are followed, as far as it is there. */
static gboolean
stays_below (const char *folder, const char *path)
{
  g_autofree char *root = realpath (folder, NULL), *at = g_strdup (path), *real = NULL;

  while ((real = realpath (at, NULL)) == NULL)
    {
      char *up = g_path_get_dirname (at);
      /* A link to nothing would be written through. */
      gboolean stuck = g_file_test (at, G_FILE_TEST_IS_SYMLINK) || strcmp (up, at) == 0;

      g_free (at);
      at = up;
      if (stuck)
        return FALSE;
    }
  if (root == NULL || !g_str_has_prefix (real, root))
    return FALSE;
  return real[strlen (root)] == '/' || real[strlen (root)] == '\0' || strcmp (root, "/") == 0;
}

/* A list comes from others, too: it names files of its own folder and of those below.  An equals sign would begin
 * another name where panel and file are joined.  */
static gboolean
check_file (const char *folder, const char *path, const Figure *figure, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (figure->file, "/", -1);

  if (g_path_is_absolute (figure->file) || g_strv_contains ((const char *const *) parts, "..")
      || !stays_below (folder, path))
    return sl_fail (error, SL_EINVAL, "file", figure->file,
                    _ ("a name in the list's folder or below it"));
  if (strchr (figure->file, '=') != NULL)
    return sl_fail (error, SL_EINVAL, "file", figure->file, _ ("a name without \"=\""));
  return strchr (figure->panel, '=') == NULL
         || sl_fail (error, SL_EINVAL, "panel", figure->panel, _ ("a name without \"=\""));
}

static void
figure_clear (Figure *figure)
{
  sl_outputs_clear (&figure->outputs);
  g_strfreev (figure->choice.runs);
  g_free (figure->file);
  g_free (figure->panel);
  g_free (figure->from);
  g_free (figure->lab);
  g_free (figure->x);
  g_free (figure->y);
  g_free (figure->group);
  g_free (figure->filter);
}

/* FALSE with a sentence where it is there and no truth. */
static gboolean
take_truth (const Place *place, const char *key, gboolean *truth, GError **error)
{
  const SlJson *json = member (place, key);

  if (json != NULL && json->kind != SL_JSON_TRUTH)
    return refuse (json, _ ("true or false"), error);
  *truth = json != NULL && json->number != 0.0;
  return TRUE;
}

/* Which runs of a store: the options beside the list are for the figures of stores.  "cost" is an earlier name of "x". */
static gboolean
take_choice (const Place *place, Figure *figure, GError **error)
{
  const Place own
    = { .list = sl_store_is_store (figure->from) ? place->list : NULL, .entry = place->entry };
  gboolean bands = FALSE, difference = FALSE;

  if (!take_truth (&own, "bands", &bands, error)
      || !take_truth (&own, "difference", &difference, error)
      || !take_text (&own, "lab", &figure->lab, error) || !take_text (&own, "x", &figure->x, error)
      || (figure->x == NULL && !take_text (&own, "cost", &figure->x, error))
      || !take_text (&own, "y", &figure->y, error)
      || !take_text (&own, "group", &figure->group, error)
      || !take_text (&own, "filter", &figure->filter, error)
      || !take_runs (&own, &figure->choice.runs, error))
    return FALSE;
  figure->choice.lab = figure->lab;
  figure->choice.x = figure->x;
  figure->choice.y = figure->y;
  figure->choice.group = figure->group;
  figure->choice.filter = figure->filter;
  figure->choice.curves = difference ? SL_RUNS_DIFFERENCE : bands ? SL_RUNS_INTERVAL : SL_RUNS_EACH;
  return TRUE;
}

static gboolean
figure_read (const Place *place, const char *folder, Figure *figure, GError **error)
{
  char *style = NULL, *whole;

  *figure = (Figure) { 0 };
  if (place->entry->kind != SL_JSON_OBJECT)
    return sl_fail (error, SL_EFORMAT, "figures", sl_json_kind_text (place->entry),
                    _ ("an array of objects"));
  if (!check_members (place->entry, FALSE, error)
      || !take_text (place, "file", &figure->file, error)
      || !take_text (place, "panel", &figure->panel, error)
      || !take_text (place, "from", &figure->from, error)
      || !take_looks (place, &figure->outputs.looks, error))
    return FALSE;
  if (figure->file == NULL || figure->panel == NULL || figure->from == NULL)
    return sl_fail (error, SL_EFORMAT,
                    figure->file == NULL    ? "file"
                    : figure->panel == NULL ? "panel"
                                            : "from",
                    _ ("nothing"), _ ("a text"));
  style = figure->outputs.looks.style;
  if (style != NULL && (strchr (style, '/') != NULL || g_str_has_suffix (style, ".json")))
    {
      figure->outputs.looks.style = beside (folder, style);
      g_free (style);
    }
  whole = beside (folder, figure->file);
  if (!check_file (folder, whole, figure, error))
    {
      g_free (whole);
      return FALSE;
    }
  g_free (figure->file);
  figure->file = whole;
  whole = beside (folder, figure->from);
  g_free (figure->from);
  figure->from = whole;
  return take_choice (place, figure, error);
}

static SlExit
figure_draw (Figure *figure)
{
  g_autofree char *plot = g_strconcat (figure->panel, "=", figure->file, NULL);
  g_autofree char *folder = g_path_get_dirname (figure->file);
  char            *plots[] = { plot, NULL };

  g_mkdir_with_parents (folder, 0777);
  return sl_plot_file (figure->from, plots, &figure->choice, &figure->outputs);
}

/* A file in a rule of make, in which a space separates. */
static void
print_file (const char *name)
{
  for (; *name != '\0'; name++)
    {
      if (*name == ' ' || *name == '#' || *name == '\\')
        putchar ('\\');
      if (*name == '$')
        putchar ('$');
      putchar (*name);
    }
}

static SlExit
figure_depends (const Figure *figure, const char *list)
{
  print_file (figure->file);
  fputs (": ", stdout);
  print_file (list);
  putchar (' ');
  print_file (figure->from);
  if (figure->outputs.looks.style != NULL && strchr (figure->outputs.looks.style, '/') != NULL)
    {
      putchar (' ');
      print_file (figure->outputs.looks.style);
    }
  putchar ('\n');
  return SL_EXIT_FINE;
}

static SlExit
run_entry (const Place *place, const char *list, const char *folder, unsigned number, bool depends)
{
  Figure  figure;
  GError *error = NULL;
  SlExit  code;

  if (!figure_read (place, folder, &figure, &error))
    code = sl_cli_fail_error (error);
  else
    code = depends ? figure_depends (&figure, list) : figure_draw (&figure);
  if (code != SL_EXIT_FINE)
    sl_cli_report (_ ("%s: figure %u (%s) was not drawn"), list, number,
                   figure.file != NULL ? figure.file : _ ("no file"));
  figure_clear (&figure);
  return code;
}

/* "same", or the colours of names: either way what has one name has one colour in all figures. */
static gboolean
take_colours (const SlJson *list, SlColours *colours, gboolean *taken, GError **error)
{
  const SlJson *json = sl_json_member (list, "colours");

  *taken = json != NULL;
  if (json == NULL || (json->kind == SL_JSON_TEXT && strcmp (json->text, "same") == 0))
    return TRUE;
  if (json->kind == SL_JSON_OBJECT)
    return sl_export_colours_read (json, colours, error);
  return refuse (json, _ ("\"same\" or names with numbers of colours"), error);
}

/* The list, of which the members beside the figures are good; NULL with a sentence. */
static SlJson *
load_list (const char *path, SlColours *colours, gboolean *coloured, GError **error)
{
  gsize            length;
  g_autofree char *text = sl_load (path, LIST_BYTES, &length, error);
  g_autoptr (SlJson) list = NULL;
  SlStatus version;

  if (text != NULL)
    list = sl_json_parse_object (text, length, LIST_BYTES, path, error);
  if (list == NULL)
    return NULL;
  version = sl_json_version (list, KEY, path);
  if (!sl_status_good (&version, error))
    return NULL;
  if (sl_json_member_of (list, "figures", SL_JSON_ARRAY) == NULL)
    {
      sl_fail (error, SL_EFORMAT, path, _ ("something else"),
               "{ \"" KEY "\": 1, \"figures\": [ … ] }");
      return NULL;
    }
  if (!check_members (list, TRUE, error) || !take_colours (list, colours, coloured, error))
    return NULL;
  return g_steal_pointer (&list);
}

char *
sl_figures_describe (const char *path, GError **error)
{
  g_autofree SlColours *colours = g_new0 (SlColours, 1);
  gboolean              coloured = FALSE;
  g_autoptr (SlJson) list = load_list (path, colours, &coloured, error);
  g_autofree char *folder = g_path_get_dirname (path);
  unsigned         number = 0;

  if (list == NULL)
    return NULL;
  for (const SlJson *entry = sl_json_member (list, "figures")->first; entry != NULL;
       entry = entry->next)
    {
      Figure   figure;
      gboolean good = figure_read (&(Place) { list, entry, NULL, FALSE }, folder, &figure, error);

      number++;
      figure_clear (&figure);
      if (!good)
        {
          g_prefix_error (error, _ ("figure %u: "), number);
          return NULL;
        }
    }
  return g_strdup_printf (ngettext ("list of %u figure", "list of %u figures", number), number);
}

/* All figures, also after one that was refused; the first failure is what the command ends with. */
static SlExit
run_list (const char *path, bool depends, gboolean force)
{
  GError               *error = NULL;
  g_autofree char      *folder = g_path_get_dirname (path);
  g_autofree SlColours *colours = g_new0 (SlColours, 1);
  gboolean              coloured = FALSE;
  g_autoptr (SlJson) list = load_list (path, colours, &coloured, &error);
  unsigned number = 0;
  SlExit   code = SL_EXIT_FINE;

  if (list == NULL)
    return sl_cli_fail_error (error);
  for (const SlJson *entry = sl_json_member (list, "figures")->first; entry != NULL;
       entry = entry->next)
    {
      SlExit one = run_entry (&(Place) { list, entry, coloured ? colours : NULL, force }, path,
                              folder, ++number, depends);

      code = code == SL_EXIT_FINE ? one : code;
    }
  return code;
}

static SlExit
command (char **args)
{
  GOptionContext    *context = g_option_context_new ("LIST");
  gboolean           depends = FALSE, force = FALSE;
  const GOptionEntry entries[] = {
    { "depends", 0, 0, G_OPTION_ARG_NONE, &depends,
      N_ ("Print the sources of each figure as make rules; draw nothing"), NULL },
    { "force", 0, 0, G_OPTION_ARG_NONE, &force, N_ ("Also replace files that Sluice did not write"),
      NULL },
    { NULL },
  };
  g_auto (GStrv) rest = NULL;
  SlExit code;

  g_option_context_set_summary (context, sl_command_figures.summary);
  g_option_context_add_main_entries (context, entries, NULL);
  if (!sl_cli_options (context, examples, args, &rest, &code))
    return code;
  if (rest[0] == NULL)
    {
      sl_cli_report ("no file is given; see %s --help", args[0]);
      return SL_EXIT_USAGE;
    }
  return sl_cli_at_most (args, rest, 1) ? run_list (rest[0], depends, force) : SL_EXIT_USAGE;
}

const SlCliCommand sl_command_figures
  = { "figures", N_ ("Draws a list of figures, where something changed."), command };
