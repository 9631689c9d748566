/* SPDX-License-Identifier: MIT */
#include "core/data/text/folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "core/data/text/text.h"

/* A new "folder/stem+suffix" when there is such a file, or NULL. */
static char *
existing_path (const char *folder, const char *stem, const char *suffix)
{
  size_t length = strlen (folder);
  bool   slash = length > 0 && folder[length - 1] == '/';
  char  *path;

  if (asprintf (&path, "%s%s%s%s", folder, slash ? "" : "/", stem, suffix) < 0)
    return NULL;
  if (access (path, F_OK) == 0)
    return path;
  free (path);
  return NULL;
}

char *
sl_folder_file (const char *folder, const char *name)
{
  char *path = existing_path (folder, name, "");

  return path != NULL ? path : existing_path (folder, name, ".gz");
}

/* Files of EMNIST, which have the name of their part before them: "emnist-letters-train-images-idx3-ubyte".  None where
 * there are several parts.  */
static unsigned
find_prefixed (const char *folder, char *path[4])
{
  static const char *const names[] = { "train-images-idx3-ubyte", "train-labels-idx1-ubyte",
                                       "test-images-idx3-ubyte", "test-labels-idx1-ubyte" };
  DIR                     *dir = opendir (folder);
  char                     prefix[64] = "", name[128];
  unsigned                 parts = 0, found = 0;

  for (struct dirent *entry = dir != NULL ? readdir (dir) : NULL; entry != NULL;
       entry = readdir (dir))
    {
      const char *at = strstr (entry->d_name, names[0]);
      size_t      n = at != NULL ? (size_t) (at - entry->d_name) : 0;

      if (n == 0 || n >= sizeof prefix
          || (n == strlen (prefix) && strncmp (entry->d_name, prefix, n) == 0))
        continue;
      parts++;
      memcpy (prefix, entry->d_name, n);
      prefix[n] = '\0';
    }
  if (dir != NULL)
    closedir (dir);
  for (int file = 0; file < 4 && parts == 1; file++)
    {
      snprintf (name, sizeof name, "%s%s", prefix, names[file]);
      path[file] = sl_folder_file (folder, name);
      found += path[file] != NULL;
    }
  return found;
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
          path[file] = sl_folder_file (folder, names[file][i]);
      found += path[file] != NULL;
    }
  return found > 0 ? found : find_prefixed (folder, path);
}

void
sl_folder_forget (char *path[4])
{
  for (int file = 0; file < 4; file++)
    free (path[file]);
}

/* Replaces the last `from` in `name` by `to`, which is as long. */
static void
replace_suffix (char *name, const char *from, const char *to)
{
  char *at = NULL;

  for (char *next = strstr (name, from); next != NULL; next = strstr (next + 1, from))
    at = next;
  if (at != NULL)
    memcpy (at, to, strlen (to));
}

static bool
is_labels_name (const char *name)
{
  return strcasestr (name, "label") != NULL || strstr (name, "idx1") != NULL;
}

char *
sl_folder_images (const char *folder)
{
  DIR  *dir = opendir (folder);
  char *found = NULL;
  bool  single = true;

  if (dir == NULL)
    return NULL;
  for (struct dirent *entry = readdir (dir); entry != NULL; entry = readdir (dir))
    if (strstr (entry->d_name, "idx3") != NULL)
      {
        single = found == NULL;
        free (found);
        found = existing_path (folder, entry->d_name, "");
      }
  closedir (dir);
  if (single)
    return found;
  free (found);
  return NULL;
}

static size_t
common_prefix (const char *a, const char *b)
{
  size_t n = 0;

  while (a[n] != '\0' && a[n] == b[n])
    n++;
  return n;
}

/* The labels file in `folder` whose name begins most like `name`; NULL when none or several
 * do.  */
static char *
most_alike (const char *folder, const char *name)
{
  DIR   *dir = opendir (folder);
  char  *best = NULL;
  size_t most = 0;
  bool   single = false;

  if (dir == NULL)
    return NULL;
  for (struct dirent *entry = readdir (dir); entry != NULL; entry = readdir (dir))
    {
      size_t alike = common_prefix (entry->d_name, name);

      if (!is_labels_name (entry->d_name) || strcmp (entry->d_name, name) == 0 || alike < most)
        continue;
      single = alike > most;
      most = alike;
      free (best);
      best = existing_path (folder, entry->d_name, "");
    }
  closedir (dir);
  if (single)
    return best;
  free (best);
  return NULL;
}

SlStatus
sl_folder_labels (const char *images, char **labels)
{
  const char *name = basename (images);
  char       *folder = name > images ? strndup (images, (size_t) (name - images)) : strdup (".");
  char       *stem = strdup (name), shown[100];
  SlStatus    status = SL_SUCCESS;
  size_t      length;

  *labels = NULL;
  if (folder == NULL || stem == NULL)
    {
      free (folder);
      free (stem);
      return sl_status_no_memory (images);
    }
  length = strlen (stem);
  if (length > 3 && strcmp (stem + length - 3, ".gz") == 0)
    stem[length - 3] = '\0';
  replace_suffix (stem, "images", "labels");
  replace_suffix (stem, "idx3", "idx1");
  replace_suffix (stem, "idx4", "idx1");
  if (strncmp (stem, name, strlen (stem)) != 0)
    *labels = sl_folder_file (folder, stem);
  if (*labels == NULL)
    *labels = most_alike (folder, name);
  if (*labels == NULL && is_labels_name (name))
    status = sl_status_new (SL_EIO, images, sl_message ("labels without their images"),
                            sl_message ("the file of the images, which finds its labels itself"));
  else if (*labels == NULL)
    {
      sl_text_printable (stem, strlen (stem), shown, sizeof shown);
      status
        = sl_status_new (SL_EIO, images, sl_message ("no labels file beside it"),
                         is_labels_name (stem)
                           ? sl_message ("%s in the same folder", shown)
                           : sl_message ("a file with \"labels\" in its name in the same folder"));
    }
  free (folder);
  free (stem);
  return status;
}
