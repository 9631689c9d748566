/* SPDX-License-Identifier: MIT
 *
 * Files that belong together, found by their usual names.  */
#pragma once

#include "core/base/status.h"

/* A new path, free()d by the caller, when `folder` has the file, compressed or not; else NULL. */
char *sl_folder_file (const char *folder, const char *name);

/* Looks in `folder` for train images, train labels, test images and test labels under the
 * names that MNIST is spread under, compressed or not.  Fills `path` (NULL where there is
 * none; sl_folder_forget() them) and returns how many there are.  */
unsigned sl_folder_four (const char *folder, char *path[4]);

/* Frees what sl_folder_four() found. */
void sl_folder_forget (char *path[4]);

/* The only file in `folder` that is named as IDX images are, free()d by the caller; NULL when there
 * is none, or several.  */
char *sl_folder_images (const char *folder);

/* The labels file beside an images file, by its name: "images" becomes "labels" and "idx3"
 * "idx1", with or without ".gz"; else the one labels file whose name begins most alike.
 * *labels is free()d by the caller.  SL_EIO when there is none, or when these are labels
 * themselves; SL_ENOMEM.  */
SlStatus sl_folder_labels (const char *images, char **labels);
