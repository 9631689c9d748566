/* SPDX-License-Identifier: MIT */
#include "core/data/source/source.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/words.h"
#include "core/data/read/file.h"
#include "core/data/read/recording/open.h"
#include "core/data/set/hash.h"
#include "core/data/source/files.h"
#include "core/data/source/options.h"
#include "core/data/source/sources.h"
#include "core/data/text/bytes.h"

const SlSource *const sl_sources[] = {
  &sl_source_fashion_mnist, &sl_source_digits,  &sl_source_clutter,    &sl_source_xor,
  &sl_source_moons,         &sl_source_spirals, &sl_source_rings,      &sl_source_checkerboard,
  &sl_source_mixture,       &sl_source_letters, &sl_source_bible,      &sl_source_grammar,
  &sl_source_pictures,      &sl_source_router,  &sl_source_recordings, NULL,
};

/* In the order of SlTextMode. */
static const SlChoice text_choices[] = { { "auto", "Automatic" },
                                         { "letters", "a to z and space" },
                                         { "own", "Letters of the text" },
                                         { "bytes", "Bytes" },
                                         { 0 } };

const SlChoice sl_option_pixels[]
  = { { "range", "From −1 to 1" }, { "standardised", "Each standardised" }, { 0 } };

const SlChoice sl_option_separators[]
  = { { "auto", "Automatic" }, { "comma", "Comma" },  { "semicolon", "Semicolon" },
      { "tab", "Tab" },        { "blank", "Blanks" }, { 0 } };
const SlChoice sl_option_decimals[]
  = { { "auto", "Automatic" }, { "point", "Point" }, { "comma", "Comma" }, { 0 } };
const SlChoice sl_option_headers[]
  = { { "auto", "Automatic" }, { "yes", "Names of the columns" }, { "no", "Values" }, { 0 } };

/* In the order of SlMissing. */
static const SlChoice missing_choices[]
  = { { "refuse", "Ask" }, { "drop", "Leave the rows out" }, { 0 } };

static const SlChoice as_choices[]
  = { { "auto", "Automatic" }, { "examples", "Examples" }, { "text", "Text" }, { 0 } };

/* Options of files.  A share of 0 depends on the file, because shares that suit tables and images
 * leave a text with little to learn from.  */
const SlParam sl_file_params[] = {
  SL_OPTION_SHARE ("valid", "Validation share",
                   "Examples kept for validation. 0: a tenth, of a text 4 %.", "", 0, 0),
  SL_OPTION_SHARE ("test", "Test share",
                   "Examples kept for the final score. 0: a tenth, of a text 1 %.", "", 0, 0),
  SL_OPTION_SEED,
  SL_OPTION ("standardise", "Standardise", "",
             "Gives features mean 0 and standard deviation 1 over the training examples.", "",
             .kind = SL_BOOLEAN, .fallback = 1),
  SL_OPTION ("text", "As text", "",
             "What a symbol of a text is. Automatic: letters a to z and space, for .txt and what "
             "looks like prose.",
             "", .kind = SL_CHOICE, .fallback = SL_TEXT_AUTO, .choices = text_choices),
  SL_OPTION_PIXELS,
  SL_OPTION ("transpose", "Exchange rows and columns", "",
             "Turns images with rows and columns exchanged, as in EMNIST.", "", .kind = SL_BOOLEAN,
             .fallback = 0),
  SL_OPTION ("as", "Read as", "", "What a file is that can be several things.", "",
             .kind = SL_CHOICE, .choices = as_choices),
  SL_OPTION ("missing", "Missing values", "", "Rows that lack a value or the class.", "",
             .kind = SL_CHOICE, .choices = missing_choices),
  SL_OPTIONS_TABLE,
};
const unsigned sl_n_file_params = sizeof sl_file_params / sizeof *sl_file_params;

const SlFileOption sl_class_option = {
  .id = "class",
  .title = "Class",
  .help = "The column of the class: its name, number, first, last or none.",
};

const SlFileOption sl_network_option = {
  .id = "network-file",
  .title = "Network",
  .help
  = "A network of choices as JSON, with labelled examples of any source or file. Only Selective "
    "execution uses the network, in place of its architecture.",
  .patterns = "*.json",
};

enum { SPEC_MAX = sizeof ((SlDataset *) NULL)->id, NETWORK_BYTES = (1 << 16) - 1 };

const SlSource *
sl_source_find (const char *id)
{
  for (const SlSource *const *source = sl_sources; *source != NULL; source++)
    if (strcmp ((*source)->id, id) == 0)
      return *source;
  return NULL;
}

double
sl_source_value (const SlParam *params, unsigned n_params, const SlSettings *settings,
                 const char *id)
{
  int i = sl_param_find (params, n_params, id);

  assert (i >= 0);
  return settings->value[i].v[0];
}

double
sl_source_option (const SlSource *source, const SlSettings *settings, const char *id)
{
  return sl_source_value (source->params, source->n_params, settings, id);
}

SlSplitting
sl_source_splitting (const SlParam *params, unsigned n_params, const SlSettings *settings)
{
  return (SlSplitting) { .valid = sl_source_value (params, n_params, settings, "valid"),
                         .test = sl_source_value (params, n_params, settings, "test"),
                         .seed = (uint64_t) sl_source_value (params, n_params, settings, "seed") };
}

SlTableForm
sl_source_table_form (const SlParam *params, unsigned n_params, const SlSettings *settings)
{
  static const char separators[] = { 0, ',', ';', '\t', ' ' }, decimals[] = { 0, '.', ',' };
  static const int  headers[] = { 0, 1, -1 };

  return (SlTableForm) {
    .skip = (unsigned) sl_source_value (params, n_params, settings, "skip"),
    .separator = separators[(unsigned) sl_source_value (params, n_params, settings, "separator")],
    .decimal = decimals[(unsigned) sl_source_value (params, n_params, settings, "decimal")],
    .header = headers[(unsigned) sl_source_value (params, n_params, settings, "header")],
  };
}

/* Names what was probably meant, or everything there is when nothing is near. */
static SlStatus
unknown_source (const char *id)
{
  const SlSource *nearest = sl_sources[0];
  SlMessage       expected = sl_message ("a file");
  unsigned        far = 2 + (unsigned) strlen (id) / 4;

  for (const SlSource *const *source = sl_sources; *source != NULL; source++)
    {
      if (sl_word_distance (id, (*source)->id) < sl_word_distance (id, nearest->id))
        nearest = *source;
      if (source[1] != NULL)
        sl_message_add (&expected, ", %s", (*source)->id);
      else
        sl_message_add (&expected, " or %s", (*source)->id);
    }
  if (sl_word_distance (id, nearest->id) <= far)
    expected = sl_message ("a file or a source, perhaps %s", nearest->id);
  if (strcmp (id, SL_SOURCE_ARRAYS) == 0)
    return sl_status_new (SL_EUNSUPPORTED, id, sl_message ("data from the arrays of a program"),
                          sl_message ("the same arrays, which that program has to hand over"));
  return sl_status_new (SL_EINVAL, id, sl_message ("no data set or file of this name"), expected);
}

/* Reads "noise=0.1,points=400" into the settings and the files. */
static SlStatus
parse_options (char *options, const SlSource *source, SlSettings *settings, SlSourceFiles *files)
{
  const SlParam *params = source != NULL ? source->params : sl_file_params;
  unsigned       n_params = source != NULL ? source->n_params : sl_n_file_params;
  char          *rest = options;
  SlStatus       status = SL_SUCCESS;

  while (rest != NULL && sl_ok (&status))
    {
      char *option = strsep (&rest, ","), *equals = strchr (option, '=');
      int   file;

      if (equals == NULL)
        return sl_status_new (SL_EINVAL, option, sl_message ("no value"),
                              sl_message ("option=value"));
      *equals = '\0';
      file = sl_source_file (source, option);
      status = file >= 0 ? sl_source_path_read (option, equals + 1, files->path[file])
                         : sl_settings_set (settings, params, n_params, option, equals + 1);
    }
  return status;
}

/* The value of the option `as`, or NULL. */
static const char *
said_as (const char *options)
{
  const char *as = options != NULL ? strstr (options, "as=") : NULL;

  return as != NULL && (as == options || as[-1] == ',') ? as + strlen ("as=") : NULL;
}

/* Whether a file is a recording of routing, by what it is or by what its options say. */
static bool
is_recording (const char *path, const char *options)
{
  const char *as = said_as (options);

  return as != NULL ? strncmp (as, "examples", 8) != 0 && strncmp (as, "auto", 4) != 0
                        && strncmp (as, "text", 4) != 0
                    : sl_routing_likely (path);
}

/* A recording by its name alone is the first file of the source of recordings. */
static SlStatus
parse_recording (const char *path, char *options, const SlSource **source, SlSettings *settings,
                 SlSourceFiles *files)
{
  const SlSource *recordings = &sl_source_recordings;

  if (strlen (path) >= SL_SOURCE_PATH_MAX)
    return sl_status_new (SL_EINVAL, path, sl_message ("a very long path"),
                          sl_message ("at most %d letters", SL_SOURCE_PATH_MAX - 1));
  *source = recordings;
  strcpy (files->path[0], path);
  sl_settings_default (settings, recordings->params, recordings->n_params);
  return parse_options (options, recordings, settings, files);
}

/* Takes a specification apart: *source is NULL for a file, and `text` becomes its path.  With `recorded` every file
 * is a recording of routing.  */
static SlStatus
parse_spec (const char *spec, bool recorded, char text[SPEC_MAX], const SlSource **source,
            SlSettings *settings, SlSourceFiles *files)
{
  size_t id = strcspn (spec, ":");
  char  *options;

  *source = NULL;
  memset (files, 0, sizeof *files);
  if (strlen (spec) >= SPEC_MAX)
    return sl_status_new (SL_EINVAL, spec, sl_message ("a very long name"),
                          sl_message ("at most %d letters", SPEC_MAX - 1));
  strcpy (text, spec);
  text[id] = '\0';
  *source = sl_source_find (text);
  if (*source != NULL)
    {
      sl_settings_default (settings, (*source)->params, (*source)->n_params);
      options = spec[id] == ':' ? text + id + 1 : NULL;
      return parse_options (options, *source, settings, files);
    }

  text[id] = spec[id];
  options = sl_source_cut_options (text);
  if (strchr (text, '/') == NULL && access (text, F_OK) != 0)
    {
      text[strcspn (text, ":")] = '\0';
      return unknown_source (text);
    }
  if (recorded || is_recording (text, options))
    return parse_recording (text, options, source, settings, files);
  sl_settings_default (settings, sl_file_params, sl_n_file_params);
  return parse_options (options, NULL, settings, files);
}

SlStatus
sl_source_parse (const char *spec, const SlSource **source, SlSettings *settings,
                 SlSourceFiles *files)
{
  char          text[SPEC_MAX];
  SlSourceFiles unwanted;

  return parse_spec (spec, false, text, source, settings, files != NULL ? files : &unwanted);
}

bool
sl_source_is_late (const SlParam *param)
{
  static const char *const late[] = { "pixels",    "transpose", "as",     "missing", "skip",
                                      "separator", "decimal",   "header", "axes",    "layers" };

  for (size_t i = 0; i < sizeof late / sizeof *late; i++)
    if (strcmp (late[i], param->id) == 0)
      return true;
  return false;
}

bool
sl_source_append_options (const SlParam *params, unsigned n_params, const SlSettings *settings,
                          bool late, char *text, size_t size)
{
  size_t used = strlen (text);
  char   before = ':';

  for (unsigned i = 0; i < n_params && used < size; i++)
    {
      char value[128];

      if (sl_source_is_late (&params[i]) ? settings->value[i].v[0] == params[i].fallback : late)
        continue;
      sl_param_format (&params[i], &settings->value[i], value, sizeof value);
      used += (size_t) snprintf (text + used, size - used, "%c%s=%s", before, params[i].id, value);
      before = ',';
    }
  return before == ',';
}

const char *
sl_source_format (const SlSource *source, const SlSettings *settings, const SlSourceFiles *files,
                  char *text, size_t size)
{
  snprintf (text, size, "%s", source->id);
  sl_source_append_options (source->params, source->n_params, settings, false, text, size);
  if (files != NULL)
    sl_source_files_append (source, files, source->n_params == 0, text, size);
  return text;
}

const char *
sl_source_format_file (const char *path, const SlSettings *settings, const SlSourceFiles *files,
                       char *text, size_t size)
{
  snprintf (text, size, "%s", path);
  sl_source_append_options (sl_file_params, sl_n_file_params, settings, false, text, size);
  sl_source_files_append (NULL, files, false, text, size);
  return text;
}

/* Writes the specification of an opened source, unless it has become too long by its paths. */
static SlStatus
write_id (SlDataset *dataset, const SlSource *source, const SlSettings *settings,
          const SlSourceFiles *files)
{
  sl_source_format (source, settings, files, dataset->id, SPEC_MAX);
  if (strlen (dataset->id) < SPEC_MAX - 1)
    return SL_SUCCESS;
  return sl_status_new (SL_EINVAL, source->id, sl_message ("very long paths"),
                        sl_message ("at most %d letters with all options", SPEC_MAX - 2));
}

static SlStatus
open_source (const SlSource *source, const SlSettings *settings, const SlSourceFiles *files,
             SlDataset **dataset)
{
  SlStatus status = source->open (source, settings, files, dataset);

  if (sl_ok (&status))
    status = sl_source_scale_pixels (source->params, source->n_params, settings, *dataset);
  if (sl_ok (&status))
    status = write_id (*dataset, source, settings, files);
  return status;
}

/* The network of the data goes into their hash. */
static SlStatus
read_network (SlDataset *dataset, const char *path)
{
  SlDataNeeds kind = sl_dataset_kind (dataset);
  uint8_t    *bytes;
  size_t      length;
  SlStatus    status;

  if (!sl_data_serves (kind, SL_NEEDS_LABELS))
    return sl_status_new (SL_EUNSUPPORTED, sl_network_option.id,
                          sl_message_word (sl_data_title (kind)),
                          sl_message_word (sl_data_title (SL_NEEDS_LABELS)));
  status = sl_bytes_file (path, NETWORK_BYTES, &bytes, &length);
  if (!sl_ok (&status))
    return status;
  dataset->network = (char *) bytes;
  strncat (dataset->facts, " network", sizeof dataset->facts - strlen (dataset->facts) - 1);
  dataset->hash = sl_hash (bytes, length, dataset->hash);
  return SL_SUCCESS;
}

static SlStatus
open_spec (const char *spec, bool recorded, SlDataset **dataset)
{
  const SlSource *source;
  SlSettings      settings;
  SlSourceFiles   files;
  char            path[SPEC_MAX];
  SlStatus        status = parse_spec (spec, recorded, path, &source, &settings, &files);

  *dataset = NULL;
  if (!sl_ok (&status))
    return status;
  sl_source_files_resolve (source, &files);
  status = source != NULL ? open_source (source, &settings, &files, dataset)
                          : sl_source_open_file (path, &settings, &files, dataset);
  if (sl_ok (&status) && files.path[SL_SOURCE_NETWORK][0] != '\0')
    status = read_network (*dataset, files.path[SL_SOURCE_NETWORK]);
  if (!sl_ok (&status))
    {
      sl_dataset_free (*dataset);
      *dataset = NULL;
    }
  return status;
}

SlStatus
sl_source_open (const char *spec, SlDataset **dataset)
{
  return open_spec (spec, false, dataset);
}

SlStatus
sl_source_open_recording (const char *spec, SlDataset **dataset)
{
  return open_spec (spec, true, dataset);
}

const char *
sl_source_default (void)
{
  return sl_source_fashion_mnist.available () ? "fashion-mnist" : "digits";
}

const char *
sl_source_default_for (SlDataNeeds needs)
{
  if (needs == SL_NEEDS_PLANE)
    return sl_source_spirals.id;
  if (needs == SL_NEEDS_TEXT)
    return sl_source_bible.available () ? sl_source_bible.id : sl_source_grammar.id;
  if (needs == SL_NEEDS_ROUTING)
    return sl_source_router.id;
  return needs == SL_NEEDS_PICTURES ? sl_source_pictures.id : sl_source_default ();
}
