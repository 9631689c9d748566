/* SPDX-License-Identifier: MIT
 *
 * Fashion-MNIST (Xiao, Rasul, Vollgraf 2017), 70 000 grey 28x28 pictures of clothes, where
 * it is installed: in the user's or the system's data folders as sluice/fashion-mnist, or by
 * Debian's package dataset-fashion-mnist.  */
#include "core/data/source/options.h"
#include "core/data/source/sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/read/collection.h"
#include "core/data/text/folder.h"

static const char *const titles[] = { "T-shirt/top", "Trouser", "Pullover", "Dress", "Coat",
                                      "Sandal",      "Shirt",   "Sneaker",  "Bag",   "Ankle boot" };

enum { CLASSES = sizeof titles / sizeof *titles };

static bool
try_data_folder (const char *base, size_t length, const char *below, char *path[4])
{
  char folder[4096];
  int  n
    = snprintf (folder, sizeof folder, "%.*s%s/sluice/fashion-mnist", (int) length, base, below);

  /* The XDG specification ignores relative folders. */
  return length > 0 && base[0] == '/' && n < (int) sizeof folder
         && sl_folder_four (folder, path) == 4;
}

/* The four files in the first folder that has them all; the user's own come first. */
static bool
find_files (char *path[4])
{
  const char *home = getenv ("XDG_DATA_HOME"), *dirs = getenv ("XDG_DATA_DIRS");
  const char *user = getenv ("HOME");

  if (home != NULL && home[0] != '\0')
    {
      if (try_data_folder (home, strlen (home), "", path))
        return true;
    }
  else if (user != NULL && try_data_folder (user, strlen (user), "/.local/share", path))
    return true;

  if (dirs == NULL || dirs[0] == '\0')
    dirs = "/usr/local/share:/usr/share";
  while (*dirs != '\0')
    {
      size_t length = strcspn (dirs, ":");

      if (try_data_folder (dirs, length, "", path))
        return true;
      dirs += length + (dirs[length] == ':');
    }
  return sl_folder_four ("/usr/share/datasets/fashion-mnist", path) == 4;
}

static bool
files_available (void)
{
  char *path[4];
  bool  found = find_files (path);

  sl_folder_forget (path);
  return found;
}

static SlStatus
open_files (const SlSource *source, const SlSettings *settings, const SlSourceFiles *files,
            SlDataset **dataset)
{
  char    *path[4];
  SlDraft  draft = { 0 };
  SlStatus status
    = find_files (path)
        ? sl_collection_four (path, CLASSES, false, &draft)
        : sl_status_new (SL_EIO, source->id, sl_message ("no such files in the data folders"),
                         sl_message ("Debian's package dataset-fashion-mnist"));

  sl_folder_forget (path);
  if (sl_ok (&status))
    {
      strcpy (draft.dataset->facts, "filled");
      draft.dataset->reading
        = (SlFileReading) { .n_notes = 0 }; /* the help of the source says it */
      status = sl_draft_titles (&draft, titles, CLASSES);
    }
  return sl_draft_deliver (&draft, status, source->title, dataset);
}

static const SlParam params[] = { SL_OPTION_PIXELS };

const SlSource sl_source_fashion_mnist = {
  .id = "fashion-mnist",
  .title = "Fashion-MNIST",
  .yields = SL_NEEDS_IMAGES,
  .help = "70 000 grey pictures of clothes in ten classes, 28 by 28 pixels: 50 000 to train, "
          "10 000 each to validate and test.",
  .params = params,
  .n_params = sizeof params / sizeof *params,
  .available = files_available,
  .open = open_files,
};
