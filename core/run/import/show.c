/* SPDX-License-Identifier: MIT
 *
 * What a file has: rows and columns of a table, or arrays with their axes.  */
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/data/read/containers/container.h"
#include "core/data/read/examples.h"
#include "core/data/read/meaning/meaning.h"
#include "core/data/read/recording/open.h"
#include "core/data/routing/routing.h"
#include "core/data/source/sources.h"
#include "core/run/base/language.h"
#include "core/run/import/private.h"

enum { LOOK = 1 << 20 };

/* ---- words ---- */

static const char *
role_words (SlRole role)
{
  switch (role)
    {
    case SL_ROLE_IDS: return _ ("expert numbers");
    case SL_ROLE_SCORES: return _ ("scores of all experts");
    case SL_ROLE_MASK: return _ ("which experts are on");
    case SL_ROLE_LOADS: return _ ("loads");
    case SL_ROLE_GATES: return _ ("gate values");
    case SL_ROLE_LAYER: return _ ("layer");
    case SL_ROLE_EXPERT: return _ ("expert");
    case SL_ROLE_COUNT: return _ ("count");
    case SL_ROLE_WIDE: return _ ("one expert");
    case SL_ROLE_TOKEN: return _ ("token");
    case SL_ROLE_WORD: return _ ("text of the token");
    case SL_ROLE_WORD_ID: return _ ("number of the token in the vocabulary");
    case SL_ROLE_STEPS: return _ ("training step");
    case SL_ROLE_TRAINED: return _ ("load of one expert");
    case SL_ROLE_NONE:
    case SL_ROLE_BESIDE: return _ ("left out");
    default: return _ ("about the recording");
    }
}

static const char *
example_words (SlExampleRole role)
{
  switch (role)
    {
    case SL_EXAMPLE_CLASS: return _ ("class");
    case SL_EXAMPLE_FEATURE:
    case SL_EXAMPLE_WORDS: return _ ("feature");
    case SL_EXAMPLE_ROW_NUMBERS: return _ ("left out: row numbers");
    case SL_EXAMPLE_MANY_WORDS: return _ ("left out: many words");
    case SL_EXAMPLE_NO_VALUES: return _ ("left out: empty");
    default: return _ ("left out");
    }
}

/* "200 tokens" */
static char *
axis_words (char axis, uint64_t n)
{
  unsigned long count = (unsigned long) n;

  switch (axis)
    {
    case 'l': return g_strdup_printf (ngettext ("%lu layer", "%lu layers", count), count);
    case 't': return g_strdup_printf (ngettext ("%lu token", "%lu tokens", count), count);
    case 'n': return g_strdup_printf (ngettext ("%lu expert", "%lu experts", count), count);
    case 'b': return g_strdup_printf (ngettext ("%lu sequence", "%lu sequences", count), count);
    case 'r': return g_strdup_printf (ngettext ("%lu row", "%lu rows", count), count);
    /* Translators: so many experts of each token. */
    case 'k': return g_strdup_printf (_ ("%lu each"), count);
    default: return g_strdup_printf ("%lu", count);
    }
}

/* "6 layers × 200 tokens × 16 experts"; `axes` may be "". */
static char *
shape_words (const SlArray *array, const char *axes)
{
  GString *text = g_string_new (NULL);

  for (unsigned i = 0; i < array->axes; i++)
    {
      g_autofree char *axis
        = axis_words (strlen (axes) == array->axes ? axes[i] : ' ', array->shape[i]);

      g_string_append_printf (text, "%s%s", i > 0 ? " × " : "", axis);
    }
  return g_string_free (text, FALSE);
}

static char *
type_words (const SlArray *array)
{
  switch (array->type)
    {
    case SL_ARRAY_INTEGERS: return g_strdup_printf ("int%u", array->size * 8);
    case SL_ARRAY_NATURALS: return g_strdup_printf ("uint%u", array->size * 8);
    case SL_ARRAY_REALS: return g_strdup_printf ("float%u", array->size * 8);
    case SL_ARRAY_BRAIN: return g_strdup ("bfloat16");
    case SL_ARRAY_TRUTHS: return g_strdup (_ ("yes or no"));
    case SL_ARRAY_TEXTS: return g_strdup (_ ("texts"));
    default: return g_strdup (_ ("no numbers"));
    }
}

/* ---- tables ---- */

/* Where a column has the value of a row, of which some may have none. */
static uint64_t
place_of (const SlArray *array, uint64_t row)
{
  uint64_t place = 0;

  if (array->pieces == 0)
    return row;
  while (place < array->pieces && array->record[place] < row)
    place++;
  return place < array->pieces && array->record[place] == row ? place : UINT64_MAX;
}

static char *
dup_cell (const SlArrays *arrays, const SlArray *array, uint64_t row)
{
  double   real = NAN;
  uint32_t code;

  if (array->axes == 1)
    row = place_of (array, row);
  if (row == UINT64_MAX)
    return g_strdup ("");
  if (array->axes != 1 || row >= array->n)
    return g_strdup ("…");
  if (array->type == SL_ARRAY_TEXTS)
    {
      memcpy (&code, array->bytes + row * sizeof code, sizeof code);
      return code < array->n_texts ? g_utf8_make_valid (array->text[code], -1) : g_strdup ("");
    }
  if (array->type == SL_ARRAY_OTHER || array->type == SL_ARRAY_OBJECTS)
    return g_strdup ("…");
  {
    SlStatus status = sl_array_reals (array, arrays->path, row, 1, &real);

    return sl_ok (&status) && !isnan (real) ? g_strdup_printf ("%.7g", real) : g_strdup ("");
  }
}

static void
add_column (SlImport *import, const SlArrays *arrays, unsigned place, const char *role,
            gboolean chosen)
{
  const SlArray  *array = &arrays->array[place];
  SlImportColumn *column = g_new0 (SlImportColumn, 1);

  /* Translators: a column without a heading. */
  column->name = array->name[0] != '\0' ? g_strdup (array->name)
                                        : g_strdup_printf (_ ("column %u"), place + 1);
  column->role = g_strdup (role);
  column->chosen = chosen;
  for (unsigned row = 0; row < SL_IMPORT_ROWS && row < arrays->rows; row++)
    column->cell[row] = dup_cell (arrays, array, row);
  g_ptr_array_add (import->columns, column);
}

/* Columns by what examples make of them, or by what they say of routing. */
static void
show_columns (SlImport *import, const SlImportSpec *spec, SlArrays *arrays)
{
  g_autofree SlExampleRole *role = g_new0 (SlExampleRole, arrays->n + 1);
  SlExampleOptions          options = { .class_column = spec->files.path[SL_SOURCE_CLASS] };
  SlMeaning                 meaning = { NULL, NULL };
  SlStatus                  status = import->recording ? sl_meaning_init (&meaning, arrays)
                                                       : sl_examples_roles (arrays, &options, role);

  /* Of a member of JSON only what stands in rows is a column. */
  for (unsigned i = 0; i < arrays->n && import->columns->len < SL_IMPORT_COLUMNS; i++)
    if (arrays->array[i].axes > 0)
      add_column (import, arrays, i,
                  import->recording ? sl_ok (&status) ? role_words (meaning.of[i].role) : ""
                                    : example_words (role[i]),
                  !import->recording && role[i] == SL_EXAMPLE_CLASS);
  import->left_off = arrays->n > import->columns->len ? arrays->n - import->columns->len : 0;
  sl_meaning_clear (&meaning);
}

/* ---- arrays ---- */

/* How the axes of an array may lie, of the ids of the choices. */
static void
list_orders (SlImport *import, const SlArray *array)
{
  const SlSource *source = sl_source_find ("recordings");
  int             axes = sl_param_find (source->params, source->n_params, "axes");

  for (const SlChoice *order = source->params[axes].choices + 1; order->id != NULL; order++)
    {
      char     last = order->id[strlen (order->id) - 1];
      gboolean fits = strlen (order->id) == array->axes && (last == 'n' || !sl_array_real (array));

      for (unsigned i = 0; i < array->axes && fits; i++)
        fits = order->id[i] == 'k'   ? array->shape[i] <= SL_ROUTING_SLOTS
               : order->id[i] == 'n' ? array->shape[i] <= SL_ROUTING_EXPERTS
               : order->id[i] == 'l' ? array->shape[i] <= SL_ROUTING_LAYERS
                                     : TRUE;
      if (fits)
        sl_import_add (import->orders, order->id, shape_words (array, order->id));
    }
}

static SlSaid
said_of (const SlImportSpec *spec)
{
  const char *as = sl_import_choice (spec, "as"), *axes = sl_import_choice (spec, "axes");
  SlSaid      said = { .as = g_str_equal (as, "ids")                                   ? SL_ROLE_IDS
                             : g_str_equal (as, "loads") || g_str_equal (as, "counts") ? SL_ROLE_LOADS
                             : g_str_equal (as, "logits") || g_str_equal (as, "scores") ? SL_ROLE_SCORES
                                                                                        : SL_ROLE_NONE };

  if (!g_str_equal (axes, "auto"))
    g_strlcpy (said.axes, axes, sizeof said.axes);
  if (spec->source != NULL)
    said.k = (unsigned) sl_source_option (spec->source, &spec->settings, "k");
  return said;
}

static void
add_array (SlImport *import, SlMeaning *meaning, SlMeant *meant, const SlSaid *said)
{
  SlImportArray   *array = g_new (SlImportArray, 1);
  SlFileReading    reading = { 0 };
  g_autofree char *type = type_words (meant->array), *shape = NULL;
  gboolean         main = meant->role >= SL_ROLE_IDS && meant->role <= SL_ROLE_ANY;

  if (main && import->orders->len == 0)
    list_orders (import, meant->array);
  if (import->recording && main)
    sl_meaning_settle (meaning, meant, said, &reading);
  shape = shape_words (meant->array, import->recording ? meant->axes : "");
  array->name = g_strdup (meant->array->name[0] != '\0' ? meant->array->name : _ ("array"));
  array->facts = import->recording
                   ? g_strdup_printf ("%s, %s: %s", type, shape, role_words (meant->role))
                   : g_strdup_printf ("%s, %s", type, shape);
  g_ptr_array_add (import->arrays, array);
}

static void
show_arrays (SlImport *import, const SlImportSpec *spec, SlArrays *arrays)
{
  SlSaid    said = said_of (spec);
  SlMeaning meaning;
  SlStatus  status = sl_meaning_init (&meaning, arrays);

  for (unsigned i = 0; i < arrays->n && i < SL_IMPORT_ARRAYS && sl_ok (&status); i++)
    add_array (import, &meaning, &meaning.of[i], &said);
  import->left_off = arrays->n > import->arrays->len ? arrays->n - import->arrays->len : 0;
  sl_meaning_clear (&meaning);
}

/* ---- files ---- */

void
sl_import_show (SlImport *import, const SlImportSpec *spec)
{
  gboolean       logs = import->recording && sl_training_look (import->path) != SL_TRAINING_NONE;
  gboolean       folder = g_file_test (import->path, G_FILE_TEST_IS_DIR);
  SlContainer    container = logs && folder ? SL_CONTAINER_EVENTS : SL_CONTAINER_NONE;
  const char    *text = sl_import_choice (spec, "text");
  unsigned       n = spec->source != NULL ? spec->source->n_params : sl_n_file_params;
  const SlParam *params = spec->source != NULL ? spec->source->params : sl_file_params;
  SlTableForm    form = sl_source_table_form (params, n, &spec->settings);
  SlArrays       arrays;
  SlStatus       status;

  /* What cannot be read is of no kind. */
  if (!folder)
    status = sl_container_find (import->path, &container);
  import->kind
    = (folder && !logs) || container == SL_CONTAINER_IDX || container == SL_CONTAINER_CIFAR
        ? SL_IMPORT_IMAGES
      : container == SL_CONTAINER_TABLE                                    ? SL_IMPORT_TABLE
      : container == SL_CONTAINER_JSON || container == SL_CONTAINER_EVENTS ? SL_IMPORT_JSON
      : container == SL_CONTAINER_NONE                                     ? SL_IMPORT_TEXT
                                       : SL_IMPORT_ARRAYS_OF_FILE;
  if (import->kind == SL_IMPORT_IMAGES || import->kind == SL_IMPORT_TEXT)
    return;
  if (*text != '\0' && !g_str_equal (text, "auto"))
    {
      import->kind = SL_IMPORT_TEXT;
      return;
    }
  form.most = LOOK;
  sl_arrays_init (&arrays, import->path);
  status = sl_arrays_open (&arrays, import->path, container, &form);
  if (sl_ok (&status) && arrays.columns)
    show_columns (import, spec, &arrays);
  else if (sl_ok (&status))
    show_arrays (import, spec, &arrays);
  sl_arrays_clear (&arrays);
}
