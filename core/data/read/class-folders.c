/* SPDX-License-Identifier: MIT
 *
 * Folders of pictures, one for each class.  */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "core/data/image/bitmap.h"
#include "core/data/read/collection.h"
#include "core/data/text/grow.h"
#include "core/data/text/text.h"

/* Pictures of different sizes, or larger ones, are brought to SIDE by SIDE. */
enum { SIDE = 64, LARGEST = 128, PICTURES = 1 << 20 };

typedef struct
{
  char *path;
  unsigned class;
  SlSplit split;
} Picture;

typedef struct
{
  const char *folder;
  Picture    *picture; /* (n) */
  size_t      n, room;
  char       *title[SL_CLASSES_MAX]; /* (classes) in order */
  unsigned    classes;
  unsigned    width, height;
  bool        grey, resized;
  size_t      others; /* files of classes that are no pictures by their names */
} Folders;

static const struct
{
  const char *name;
  SlSplit     split;
} splits[] = { { "train", SL_TRAIN }, { "training", SL_TRAIN },   { "val", SL_VALID },
               { "valid", SL_VALID }, { "validation", SL_VALID }, { "test", SL_TEST },
               { "testing", SL_TEST } };

static char *
join (const char *folder, const char *name)
{
  char *path;

  return asprintf (&path, "%s/%s", folder, name) >= 0 ? path : NULL;
}

static bool
is_folder (const char *folder, const struct dirent *entry)
{
  char       *path = join (folder, entry->d_name);
  struct stat about;
  bool        is = path != NULL && entry->d_name[0] != '.' && stat (path, &about) == 0
            && S_ISDIR (about.st_mode);

  free (path);
  return is;
}

static bool
is_picture (const char *name)
{
  static const char *const endings[] = { ".png", ".jpg", ".jpeg" };
  size_t                   length = strlen (name);

  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (name[0] != '.' && length > strlen (endings[i])
        && strcasecmp (name + length - strlen (endings[i]), endings[i]) == 0)
      return true;
  return false;
}

static int
not_hidden (const struct dirent *entry)
{
  return entry->d_name[0] != '.';
}

static void
forget (struct dirent **entry, int n)
{
  for (int i = 0; i < n; i++)
    free (entry[i]);
  if (n >= 0)
    free (entry);
}

/* The number of a class, new ones in the order of the names. */
static SlStatus
find_class (Folders *f, const char *name, unsigned *class)
{
  for (*class = 0; *class < f->classes; ++*class)
    if (strcmp (f->title[*class], name) == 0)
      return SL_SUCCESS;
  if (f->classes == SL_CLASSES_MAX)
    return sl_status_new (SL_EFORMAT, f->folder,
                          sl_message ("more than %d folders", SL_CLASSES_MAX),
                          sl_message ("at most %d classes", SL_CLASSES_MAX));
  f->title[f->classes] = strdup (name);
  if (f->title[f->classes] == NULL)
    return sl_status_no_memory (f->folder);
  f->classes++;
  return SL_SUCCESS;
}

static SlStatus
add_picture (Folders *f, char *path, unsigned class, SlSplit split)
{
  if (path == NULL || f->n == PICTURES
      || !sl_grow (&f->picture, &f->room, f->n + 1, sizeof *f->picture))
    {
      free (path);
      return sl_status_no_memory (f->folder);
    }
  f->picture[f->n++] = (Picture) { path, class, split };
  return SL_SUCCESS;
}

/* The pictures of one class. */
static SlStatus
list_class (Folders *f, const char *folder, const char *name, SlSplit split)
{
  char           *path = join (folder, name);
  struct dirent **entry = NULL;
  int             n = path != NULL ? scandir (path, &entry, not_hidden, versionsort) : -1;
  unsigned class = 0;
  bool     any = false;
  SlStatus status = SL_SUCCESS;

  for (int i = 0; i < n && sl_ok (&status); i++)
    if (is_picture (entry[i]->d_name))
      {
        if (!any)
          status = find_class (f, name, &class);
        any = true;
        if (sl_ok (&status))
          status = add_picture (f, join (path, entry[i]->d_name), class, split);
      }
    else
      f->others++;
  forget (entry, n);
  free (path);
  return status;
}

static SlStatus
list_classes (Folders *f, const char *folder, SlSplit split)
{
  struct dirent **entry = NULL;
  int             n = scandir (folder, &entry, not_hidden, versionsort);
  SlStatus        status = SL_SUCCESS;

  for (int i = 0; i < n && sl_ok (&status); i++)
    if (is_folder (folder, entry[i]))
      status = list_class (f, folder, entry[i]->d_name, split);
  forget (entry, n);
  return status;
}

/* Classes within folders of splits, or, where there are none of those, classes alone. */
static SlStatus
list (Folders *f, bool *apart)
{
  SlStatus status = SL_SUCCESS;

  for (size_t i = 0; i < sizeof splits / sizeof *splits && sl_ok (&status); i++)
    {
      char *path = join (f->folder, splits[i].name);

      status
        = path != NULL ? list_classes (f, path, splits[i].split) : sl_status_no_memory (f->folder);
      free (path);
    }
  *apart = f->n > 0;
  return sl_ok (&status) && f->n == 0 ? list_classes (f, f->folder, SL_TRAIN) : status;
}

/* Sizes and colours of all pictures, of which each is decoded once here and once to be kept. */
static SlStatus
look (Folders *f)
{
  SlStatus status = SL_SUCCESS;

  f->grey = true;
  for (size_t i = 0; i < f->n && sl_ok (&status); i++)
    {
      SlBitmap bitmap;

      status = sl_bitmap_read (f->picture[i].path, &bitmap);
      if (!sl_ok (&status))
        break;
      if (i == 0)
        {
          f->width = bitmap.width;
          f->height = bitmap.height;
        }
      f->resized = f->resized || bitmap.width != f->width || bitmap.height != f->height;
      for (size_t p = 0; p < (size_t) bitmap.width * bitmap.height && f->grey; p++)
        f->grey = bitmap.rgb[3 * p] == bitmap.rgb[3 * p + 1]
                  && bitmap.rgb[3 * p] == bitmap.rgb[3 * p + 2];
      sl_bitmap_clear (&bitmap);
    }
  if (f->resized || f->width > LARGEST || f->height > LARGEST)
    {
      f->resized = true;
      f->width = f->height = SIDE;
    }
  return status;
}

static SlStatus
put_picture (const Folders *f, const Picture *picture, uint8_t *to)
{
  size_t   area = (size_t) f->width * f->height;
  SlBitmap bitmap, fitted;
  SlStatus status = sl_bitmap_read (picture->path, &bitmap);

  if (!sl_ok (&status))
    return status;
  if (f->resized)
    {
      status = sl_bitmap_cover (&bitmap, f->width, f->height, &fitted);
      sl_bitmap_clear (&bitmap);
      if (!sl_ok (&status))
        return status;
      bitmap = fitted;
    }
  if (bitmap.width != f->width || bitmap.height != f->height)
    status = sl_status_new (SL_EFORMAT, picture->path, sl_message ("a changed picture"),
                            sl_message ("%u × %u pixels", f->width, f->height));
  for (unsigned c = 0; c < (f->grey ? 1 : 3) && sl_ok (&status); c++)
    for (size_t p = 0; p < area; p++)
      to[c * area + p] = bitmap.rgb[3 * p + c];
  sl_bitmap_clear (&bitmap);
  return status;
}

static SlStatus
fill (const Folders *f, SlDraft *draft)
{
  size_t   channels = f->grey ? 1 : 3, each = (size_t) f->width * f->height * channels;
  SlStatus status = sl_draft_init (draft, f->folder, SL_DRAFT_BYTES, f->n, each, false);

  if (!sl_ok (&status))
    return status;
  draft->dataset->width = f->width;
  draft->dataset->height = f->height;
  draft->dataset->channels = (unsigned) channels;
  draft->dataset->classes = f->classes;
  for (size_t i = 0; i < f->n && sl_ok (&status); i++)
    {
      draft->label[i] = (uint8_t) f->picture[i].class;
      status = put_picture (f, &f->picture[i], draft->bytes + i * each);
    }
  if (sl_ok (&status))
    status = sl_draft_titles (draft, (const char *const *) f->title, f->classes);
  if (!sl_ok (&status))
    sl_draft_clear (draft);
  return status;
}

/* Training examples in random order, as those of one class lie together; those that are for validation come last. */
static SlStatus
mix_training (Folders *f, size_t train, const SlSplitting *splitting)
{
  uint32_t *order = sl_split_order (splitting, train);
  Picture  *mixed = malloc (train * sizeof *mixed + 1);

  if (order == NULL || mixed == NULL)
    {
      free (order);
      free (mixed);
      return sl_status_no_memory (f->folder);
    }
  for (size_t i = 0; i < train; i++)
    mixed[i] = f->picture[order[i]];
  memcpy (f->picture, mixed, train * sizeof *mixed);
  free (order);
  free (mixed);
  return SL_SUCCESS;
}

static void
say (const Folders *f, SlDraft *draft)
{
  SlFileReading *reading = &draft->dataset->reading;

  if (f->grey)
    reading->said = sl_message ("%zu grey images of %u × %u pixels, %u classes", f->n, f->width,
                                f->height, f->classes);
  else
    reading->said = sl_message ("%zu images in colour of %u × %u pixels, %u classes", f->n,
                                f->width, f->height, f->classes);
  if (f->others > 0)
    sl_reading_note (reading,
                     sl_message ("left out: %zu files not named as PNG or JPEG", f->others));
  if (f->resized)
    sl_reading_note (
      reading, sl_message ("pictures were cut and scaled to %u × %u pixels", f->width, f->height));
}

/* Folders of splits say what is what; without one for the test that for validation is it. */
static SlStatus
open_apart (Folders *f, const SlCollectionOptions *options, SlDraft *draft)
{
  size_t   n[SL_N_SPLITS] = { 0 };
  SlStatus status;

  for (size_t i = 0; i < f->n; i++)
    n[f->picture[i].split]++;
  if (n[SL_TRAIN] == 0 || n[SL_VALID] + n[SL_TEST] == 0)
    return sl_status_new (SL_EFORMAT, f->folder, sl_message ("one of the folders of splits alone"),
                          sl_message ("train and val or test"));
  status = mix_training (f, n[SL_TRAIN], &options->splitting);
  if (sl_ok (&status))
    status = fill (f, draft);
  if (!sl_ok (&status))
    return status;
  if (n[SL_VALID] == 0 || n[SL_TEST] == 0)
    return sl_collection_split_off (draft, n[SL_VALID] + n[SL_TEST], f->folder);
  memcpy (draft->dataset->n, n, sizeof n);
  return SL_SUCCESS;
}

SlStatus
sl_class_folders_open (const char *folder, const SlCollectionOptions *options, bool *found,
                       bool *split, SlDraft *draft)
{
  Folders *f = calloc (1, sizeof *f);
  bool     apart = false;
  SlStatus status;

  *found = *split = false;
  if (f == NULL)
    return sl_status_no_memory (folder);
  f->folder = folder;
  status = list (f, &apart);
  *found = f->n > 0;
  if (*found && sl_ok (&status) && f->classes < 2)
    status
      = sl_status_new (SL_EFORMAT, folder, sl_message ("pictures of one class, %.60s", f->title[0]),
                       sl_message ("a folder for each class"));
  if (*found && sl_ok (&status))
    status = look (f);
  if (*found && sl_ok (&status))
    status = apart ? open_apart (f, options, draft) : fill (f, draft);
  if (*found && sl_ok (&status))
    say (f, draft);
  if (*found && sl_ok (&status) && !apart)
    {
      *split = true;
      status = sl_collection_split (draft, &options->splitting, folder);
    }
  for (size_t i = 0; i < f->n; i++)
    free (f->picture[i].path);
  for (unsigned c = 0; c < f->classes; c++)
    free (f->title[c]);
  free (f->picture);
  free (f);
  return status;
}
