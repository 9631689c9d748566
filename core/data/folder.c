/* SPDX-License-Identifier: MIT */
#include "core/data/folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* A new "folder/stem+suffix" when there is such a file, or NULL. */
static char *
existing (const char *folder, const char *stem, const char *suffix)
{
  char *path;

  if (asprintf (&path, "%s/%s%s", folder, stem, suffix) < 0)
    return NULL;
  if (access (path, F_OK) == 0)
    return path;
  free (path);
  return NULL;
}

static char *
existing_any (const char *folder, const char *stem)
{
  char *path = existing (folder, stem, "");

  return path != NULL ? path : existing (folder, stem, ".gz");
}

unsigned
sl_folder_four (const char *folder, char *path[4])
{
  static const char *const names[4][4] = {
    { "train-images-idx3-ubyte", "train-images.idx3-ubyte", "train-images.idx", NULL },
    { "train-labels-idx1-ubyte", "train-labels.idx1-ubyte", "train-labels.idx", NULL },
    { "t10k-images-idx3-ubyte", "t10k-images.idx3-ubyte", "t10k-images.idx", "test-images.idx" },
    { "t10k-labels-idx1-ubyte", "t10k-labels.idx1-ubyte", "t10k-labels.idx", "test-labels.idx" },
  };
  unsigned found = 0;

  for (int file = 0; file < 4; file++)
    {
      path[file] = NULL;
      for (int i = 0; i < 4 && path[file] == NULL; i++)
        if (names[file][i] != NULL)
          path[file] = existing_any (folder, names[file][i]);
      found += path[file] != NULL;
    }
  return found;
}

void
sl_folder_forget (char *path[4])
{
  for (int file = 0; file < 4; file++)
    free (path[file]);
}
