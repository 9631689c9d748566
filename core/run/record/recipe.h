/* SPDX-License-Identifier: MIT
 *
 * What is needed to make a run again: lab, settings, data set and its hash, seed, the changes made
 * on the way, kernel, threads and version, as one JSON object.  Every exported figure carries one;
 * dropping the figure on the window brings the run back.  Numbers are written in the C locale and
 * read back to the same bit.  */
#pragma once

#include <glib.h>

#include "core/lab/lab.h"
#include "core/run/record/record.h"
#include "core/train/trainer.h"

/* A live parameter set when `step` updates had been done; part of the recipe, because
 * replaying the run means replaying these too.  */
typedef struct
{
  uint64_t step;
  unsigned param;
  SlValue  value;
} SlChange;

typedef struct
{
  const SlLab *lab;
  SlSettings   settings;                              /* at step 0 */
  char         data[sizeof ((SlDataset *) NULL)->id]; /* the specification */
  uint64_t     data_hash;
  uint64_t     seed;
  uint64_t     step; /* how far the run was */
  char         kernel[32];
  unsigned     threads;
  char         version[32];
  GArray      *changes; /* of SlChange, by step; may be NULL when there are none */
  char        *gone; /* ids of settings that it names and this version has not, "a, b"; or NULL */
} SlRecipe;

/* The recipe of a run from step 0 on this machine, without changes.  `dataset` may be NULL
 * for a lab that needs none.  */
void sl_recipe_init (SlRecipe *recipe, const SlLab *lab, const SlSettings *settings,
                     const SlDataset *dataset, uint64_t seed);
void sl_recipe_clear (SlRecipe *recipe);

/* The settings after the first `n` changes, or all there are. */
SlSettings sl_recipe_settings (const SlRecipe *recipe, unsigned n);

/* Stores keep markers in English: gives those of changes in the recipe their messages again, so that they
 * can be shown in another language.  Others stay as they are.  */
void sl_recipe_name_markers (const SlRecipe *recipe, SlRecord *record);

/* The JSON text; free with g_free(). */
char *sl_recipe_write (const SlRecipe *recipe);

/* Reads it back; clear it afterwards.  Parameters that it does not name get their
 * defaults; those of an earlier version that are gone are left out and named in `gone`.  FALSE with a sentence (key, found, expected) for bad JSON, an unknown lab or
 * parameter, or a value out of range; *recipe then needs no clearing.  */
gboolean sl_recipe_read (const char *json, SlRecipe *recipe, GError **error);

/* A sentence on the settings that were left out, or NULL; free with g_free(). */
char *sl_recipe_gone_text (const SlRecipe *recipe);

/* Finds the recipe inside a file: a PNG (iTXt "sluice-recipe"), an SVG (<metadata>), a
 * PDF (document information), a picture of TikZ (comments), a web page, a JSON export, or a bare
 * recipe.  Returns its JSON text; free with g_free().  NULL with a sentence.  */
char *sl_recipe_find (const char *path, GError **error);
