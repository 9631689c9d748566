/* SPDX-License-Identifier: MIT */
#include "core/run/import/import.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/data/read/recording/open.h"
#include "core/data/source/files.h"
#include "core/run/base/language.h"
#include "core/run/import/private.h"
#include "core/run/record/data.h"

enum { SPEC_MAX = sizeof ((SlDataset *) NULL)->id };

static const char recordings[] = "recordings";

/* ---- memory ---- */

static void
free_column (gpointer data)
{
  SlImportColumn *column = data;

  g_free (column->name);
  g_free (column->role);
  for (unsigned i = 0; i < SL_IMPORT_ROWS; i++)
    g_free (column->cell[i]);
  g_free (column);
}

static void
free_array (gpointer data)
{
  SlImportArray *array = data;

  g_free (array->name);
  g_free (array->facts);
  g_free (array);
}

static void
free_words (gpointer data)
{
  SlImportWords *words = data;

  g_free (words->id);
  g_free (words->title);
  g_free (words);
}

void
sl_import_add (GPtrArray *list, const char *id, char *title)
{
  SlImportWords *words = g_new (SlImportWords, 1);

  *words = (SlImportWords) { g_strdup (id), title };
  g_ptr_array_add (list, words);
}

void
sl_import_free (SlImport *import)
{
  g_free (import->path);
  g_hash_table_unref (import->options);
  g_free (import->said);
  g_free (import->found);
  g_free (import->needed);
  g_free (import->line);
  g_ptr_array_unref (import->columns);
  g_ptr_array_unref (import->arrays);
  g_ptr_array_unref (import->orders);
  g_ptr_array_unref (import->ways);
  g_ptr_array_unref (import->facts);
  g_free (import);
}

/* ---- options ---- */

static const SlParam *
params_of (const SlSource *source, unsigned *n)
{
  *n = source != NULL ? source->n_params : sl_n_file_params;
  return source != NULL ? source->params : sl_file_params;
}

static const SlParam *
param_of (const SlSource *source, const char *id)
{
  unsigned       n;
  const SlParam *params = params_of (source, &n);
  int            i = sl_param_find (params, n, id);

  return i >= 0 ? &params[i] : NULL;
}

const char *
sl_import_choice (const SlImportSpec *spec, const char *id)
{
  unsigned       n;
  const SlParam *params = params_of (spec->source, &n);
  int            i = sl_param_find (params, n, id);

  return i >= 0 && params[i].kind == SL_CHOICE
           ? params[i].choices[(unsigned) spec->settings.value[i].v[0]].id
           : "";
}

/* Keeps what a specification says beyond the defaults. */
static void
take_options (SlImport *import, const SlImportSpec *spec)
{
  unsigned       n;
  const SlParam *params = params_of (spec->source, &n);
  SlSettings     usual;

  sl_settings_default (&usual, params, n);
  for (unsigned i = 0; i < n; i++)
    {
      char text[128];

      if (spec->settings.value[i].v[0] == usual.value[i].v[0])
        continue;
      sl_param_format (&params[i], &spec->settings.value[i], text, sizeof text);
      g_hash_table_insert (import->options, g_strdup (params[i].id), g_strdup (text));
    }
  for (unsigned i = spec->source != NULL ? 1 : 0; i < SL_SOURCE_FILES_MAX; i++)
    if (spec->files.path[i][0] != '\0')
      g_hash_table_insert (import->options, g_strdup (sl_source_file_option (spec->source, i)->id),
                           g_strdup (spec->files.path[i]));
}

static gboolean
means_recording (GHashTable *options, gboolean likely)
{
  const char *as = g_hash_table_lookup (options, "as");

  return as == NULL || g_str_equal (as, "auto") ? likely : !g_str_equal (as, "examples");
}

char *
sl_import_spec (const char *path, GHashTable *options, gboolean likely)
{
  const SlSource *source = means_recording (options, likely) ? sl_source_find (recordings) : NULL;
  g_autofree SlSourceFiles *files = g_new0 (SlSourceFiles, 1);
  unsigned                  n;
  const SlParam            *params = params_of (source, &n);
  GString                  *spec = g_string_new (path);
  char                      rest[SPEC_MAX] = "", before = ':';
  GHashTableIter            iter;
  gpointer                  id, value;

  for (unsigned i = 0; i < n; i++)
    {
      const char *text = g_hash_table_lookup (options, params[i].id);

      if (text == NULL)
        continue;
      g_string_append_printf (spec, "%c%s=%s", before, params[i].id, text);
      before = ',';
    }
  g_hash_table_iter_init (&iter, options);
  while (g_hash_table_iter_next (&iter, &id, &value))
    {
      int file = sl_source_file (source, id);

      if (file >= 0)
        g_strlcpy (files->path[file], value, SL_SOURCE_PATH_MAX);
    }
  sl_source_files_append (source, files, before == ':', rest, sizeof rest);
  g_string_append (spec, rest);
  return g_string_free (spec, FALSE);
}

const char *const *
sl_import_asked (const SlImport *import, unsigned *often)
{
  static const char *const table[]
    = { "class", "missing", "header", "separator", "decimal", "skip", "as", NULL };
  static const char *const routes_table[]
    = { "k",    "layers", "experts", "separator", "decimal", "header",
        "skip", "as",     "decode",  "from",      "most",    NULL };
  static const char *const json[] = { "class", "missing", "as", NULL };
  static const char *const routes_json[]
    = { "k", "layers", "experts", "as", "decode", "from", "most", NULL };
  static const char *const routes[]
    = { "axes", "k", "layers", "experts", "as", "decode", "from", "most", NULL };
  static const char *const arrays[] = { "transpose", "as", NULL };
  static const char *const images[] = { "transpose", NULL };
  static const char *const text[] = { "text", NULL }, *const none[] = { NULL };

  *often = import->kind <= SL_IMPORT_JSON && import->recording ? 1 : 2;
  switch (import->kind)
    {
    case SL_IMPORT_TABLE: return import->recording ? routes_table : table;
    case SL_IMPORT_JSON: return import->recording ? routes_json : json;
    case SL_IMPORT_ARRAYS_OF_FILE:
      /* An array that is not known has no axes to choose among. */
      return !import->recording ? arrays : import->orders->len > 0 ? routes : routes + 1;
    case SL_IMPORT_IMAGES: return import->recording ? none : images;
    default: return text;
    }
}

gboolean
sl_import_option (const SlImport *import, const char *id, const char **title, const char **help,
                  double *most)
{
  const SlSource *source = import->recording ? sl_source_find (recordings) : NULL;
  const SlParam  *param = param_of (source, id);
  int             file = sl_source_file (source, id);

  if (g_str_equal (id, "as"))
    param = param_of (NULL, id);
  *title = sl_words (param != NULL ? param->title
                     : file >= 0   ? sl_source_file_option (source, (unsigned) file)->title
                                   : id);
  *help = sl_words (param != NULL ? param->help
                    : file >= 0   ? sl_source_file_option (source, (unsigned) file)->help
                                  : "");
  *most = param != NULL ? param->hi : 0.0;
  return param != NULL && param->kind == SL_INTEGER;
}

static void
add_choices (GPtrArray *values, const SlParam *param, const char *const *left_out)
{
  for (const SlChoice *choice = param->choices; choice->id != NULL; choice++)
    if (left_out == NULL || !g_strv_contains (left_out, choice->id))
      sl_import_add (values, choice->id, g_strdup (sl_words (choice->title)));
}

/* What an array can be, of both kinds of data; two words of the reader are said by others here. */
static void
add_meanings (GPtrArray *values)
{
  static const char *const twice[] = { "auto", "counts", "scores", NULL };

  add_choices (values, param_of (NULL, "as"), NULL);
  add_choices (values, param_of (sl_source_find (recordings), "as"), twice);
}

static void
add_columns (const SlImport *import, GPtrArray *values)
{
  sl_import_add (values, "", g_strdup (_ ("Automatic")));
  for (unsigned i = 0; i < import->columns->len; i++)
    {
      const SlImportColumn *column = g_ptr_array_index (import->columns, i);
      g_autofree char      *number = g_strdup_printf ("%u", i + 1);

      sl_import_add (values, number, g_strdup (column->name));
    }
}

GPtrArray *
sl_import_values (const SlImport *import, const char *id)
{
  const SlSource *source = import->recording ? sl_source_find (recordings) : NULL;
  const SlParam  *param = param_of (source, id);
  GPtrArray      *values = g_ptr_array_new_with_free_func (free_words);

  if (g_str_equal (id, "as"))
    add_meanings (values);
  else if (g_str_equal (id, "class"))
    add_columns (import, values);
  else if (g_str_equal (id, "axes"))
    {
      sl_import_add (values, "auto", g_strdup (_ ("Automatic")));
      for (unsigned i = 0; i < import->orders->len; i++)
        {
          const SlImportWords *order = g_ptr_array_index (import->orders, i);

          sl_import_add (values, order->id, g_strdup (order->title));
        }
    }
  else if (param != NULL && param->kind == SL_CHOICE)
    add_choices (values, param, NULL);
  else if (param != NULL && param->kind == SL_BOOLEAN)
    {
      sl_import_add (values, "no", g_strdup (_ ("No")));
      sl_import_add (values, "yes", g_strdup (_ ("Yes")));
    }
  return values;
}

/* ---- the look ---- */

static char *
dup_message (const SlMessage *message)
{
  char text[SL_MESSAGE_SIZE * 2];

  return message->packed[0] == '\0'
           ? NULL
           : g_strdup (sl_message_show (message->packed, sl_words, text, sizeof text));
}

/* What was found, with the name of the file where that is another one: of a folder one in it. */
static char *
dup_found (const SlImport *import)
{
  const SlStatus  *status = &import->status;
  char            *found = dup_message (&status->found);
  g_autofree char *name = g_path_get_basename (status->subject);
  g_autofree char *own = g_path_get_basename (import->path);
  g_autofree char *shown = NULL, *text = NULL;

  if (found == NULL || strchr (status->subject, '/') == NULL || g_str_equal (name, own))
    return found;
  shown = g_filename_display_name (name);
  text = found;
  /* Translators: a file in a folder, and what is wrong with it. */
  return g_strdup_printf (_ ("%s: %s"), shown, text);
}

static void
ask (SlImport *import)
{
  const SlStatus  *status = &import->status;
  g_autofree char *found = dup_found (import);

  import->needed = dup_message (&status->expected);
  if (found == NULL)
    import->found = sl_status_sentence (status);
  else if (status->place == SL_LINE)
    /* Translators: what is wrong with a file, and in which line. */
    import->found
      = g_strdup_printf (_ ("%s, in line %llu"), found, (unsigned long long) status->position);
  else
    import->found = g_steal_pointer (&found);
  for (unsigned i = 0; i < status->n_advice; i++)
    {
      const SlAdvice *advice = &status->advice[i];

      if (advice->option[0] != '\0')
        sl_import_add (import->ways, advice->option, g_strdup (advice->value));
      else if (import->line == NULL)
        import->line = g_strdup (advice->line);
    }
}

static void
open_data (SlImport *import, const char *spec)
{
  SlDataset *dataset;

  import->status = sl_open_data (spec, &dataset);
  if (!sl_ok (&import->status))
    {
      ask (import);
      return;
    }
  for (unsigned i = 0; i < dataset->reading.n_others; i++)
    sl_import_add (import->ways, dataset->reading.other[i].option,
                   g_strdup (dataset->reading.other[i].value));
  dataset->reading.n_others = 0;
  import->yields = sl_dataset_kind (dataset);
  import->said = sl_data_reading (&dataset->reading, "\n");
  sl_import_lead (import, dataset);
  sl_dataset_free (dataset);
}

/* The path of a specification: of a recording its first file. */
static char *
path_of (const char *spec, const SlImportSpec *parsed)
{
  g_autofree char *path = g_strdup (spec);

  if (parsed->files.path[0][0] != '\0' && parsed->source != NULL)
    return g_strdup (parsed->files.path[0]);
  sl_source_cut_options (path);
  return g_steal_pointer (&path);
}

SlImport *
sl_import_look (const char *spec)
{
  SlImport                *import = g_new0 (SlImport, 1);
  g_autofree SlImportSpec *parsed = g_new0 (SlImportSpec, 1);
  SlStatus status = sl_source_parse (spec, &parsed->source, &parsed->settings, &parsed->files);

  import->options = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  import->columns = g_ptr_array_new_with_free_func (free_column);
  import->arrays = g_ptr_array_new_with_free_func (free_array);
  import->orders = g_ptr_array_new_with_free_func (free_words);
  import->ways = g_ptr_array_new_with_free_func (free_words);
  import->facts = g_ptr_array_new_with_free_func (free_words);
  import->path = path_of (spec, parsed);
  import->likely = sl_routing_likely (import->path);
  import->recording = import->likely;
  if (sl_ok (&status))
    {
      take_options (import, parsed);
      import->recording = parsed->source != NULL;
    }
  sl_import_show (import, parsed);
  open_data (import, spec);
  return import;
}
