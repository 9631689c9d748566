/* SPDX-License-Identifier: MIT
 *
 * A look at a data file for the person: what it has, how it is read under the options of its specification, which
 * options there are, and what the reading leads to; or the question that has to be answered first.  Texts are in the
 * user's language.  */
#pragma once

#include <glib.h>

#include "core/base/status.h"
#include "core/data/set/dataset.h"

G_BEGIN_DECLS

enum {
  SL_IMPORT_ROWS = 12,      /* of a table, as text */
  SL_IMPORT_COLUMNS = 1000, /* most that are listed */
  SL_IMPORT_ARRAYS = 12,
};

typedef enum {
  SL_IMPORT_TABLE,
  SL_IMPORT_JSON,           /* as columns */
  SL_IMPORT_ARRAYS_OF_FILE, /* named, with axes */
  SL_IMPORT_IMAGES,         /* a folder, or a file that has nothing else */
  SL_IMPORT_TEXT,
} SlImportKind;

typedef struct
{
  char    *name;                 /* "species", "column 3" */
  char    *role;                 /* "class", "feature", "left out: numbers the rows" */
  gboolean chosen;               /* it is the class */
  char    *cell[SL_IMPORT_ROWS]; /* "" where there is no value, NULL after the last row */
} SlImportColumn;

typedef struct
{
  char *name;  /* "logits" */
  char *facts; /* "float32, 6 layers × 200 tokens × 16 experts: scores of all experts" */
} SlImportArray;

/* A pair of words: a value of an option and how it is shown, or a heading and what it says. */
typedef struct
{
  char *id, *title;
} SlImportWords;

typedef struct
{
  char        *path;
  GHashTable  *options;   /* of texts by their id: those that are not as by default */
  gboolean     likely;    /* it is a recording of routing if nothing else is said */
  gboolean     recording; /* and it is one under these options */
  SlImportKind kind;
  SlStatus     status;                /* whether it can be opened */
  SlDataNeeds  yields;                /* what it was opened as, else SL_NEEDS_NOTHING */
  char        *said;                  /* how it is read, with notes in further lines; or NULL */
  char        *found, *needed, *line; /* why not, and the line of Python that helps; or NULL */
  GPtrArray   *columns;               /* of SlImportColumn */
  unsigned     left_off;              /* columns that are not among them */
  GPtrArray   *arrays;                /* of SlImportArray */
  GPtrArray   *orders; /* of SlImportWords: how the axes of the first array may lie, "ltn" */
  GPtrArray
    *ways; /* of SlImportWords: options with values that answer, or that read it in another way */
  GPtrArray *facts; /* of SlImportWords: what it leads to */
} SlImport;

/* Opens a file or folder as a run would.  Blocks; any thread.  Never NULL; free it. */
SlImport *sl_import_look (const char *spec);
void      sl_import_free (SlImport *import);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SlImport, sl_import_free)

/* The specification of a path with options; those that such data do not have are left out.  `likely` as above. */
char *sl_import_spec (const char *path, GHashTable *options, gboolean likely);

/* The options that people answer or correct for such a file, ended by NULL; the first *often of them are asked often. */
const char *const *sl_import_asked (const SlImport *import, unsigned *often);

/* Title and help of an option.  TRUE: it is a whole number of at most *most. */
gboolean sl_import_option (const SlImport *import, const char *id, const char **title,
                           const char **help, double *most);

/* The values of another option, of SlImportWords, the usual one first; free it with g_ptr_array_unref(). */
GPtrArray *sl_import_values (const SlImport *import, const char *id);

G_END_DECLS
