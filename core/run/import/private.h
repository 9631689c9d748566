/* SPDX-License-Identifier: MIT
 *
 * The parts of sl_import_look().  */
#pragma once

#include "core/data/set/dataset.h"
#include "core/data/source/source.h"
#include "core/run/import/import.h"

typedef struct
{
  const SlSource *source; /* NULL: a file */
  SlSettings      settings;
  SlSourceFiles   files;
} SlImportSpec;

/* The value of a parameter that is a choice, by its id; "" without such a parameter. */
const char *sl_import_choice (const SlImportSpec *spec, const char *id);

/* Columns and rows, or arrays, as far as the file can be read. */
void sl_import_show (SlImport *import, const SlImportSpec *spec);

/* What the data lead to. */
void sl_import_lead (SlImport *import, const SlDataset *dataset);

/* Adds a pair; takes `title`. */
void sl_import_add (GPtrArray *list, const char *id, char *title);
