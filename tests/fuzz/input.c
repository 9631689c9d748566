/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/input.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/data/source/source.h"
#include "core/data/text/text.h"

enum { FILES_MAX = 8 };

/* The folder and its files, which the end of the process removes. */
static char folder[256];
static char written[FILES_MAX][64];

void
fuzz_require_that (int holds, const char *promise, const char *file, int line)
{
  if (holds)
    return;
  fprintf (stderr, "%s:%d: broken promise: %s (input in %s)\n", file, line, promise, folder);
  abort ();
}

void
fuzz_path (const char *name, char *path, size_t size)
{
  fuzz_require ((size_t) snprintf (path, size, "%s/%s", folder, name) < size);
}

static void
clean_up (void)
{
  char path[512];

  for (int i = 0; i < FILES_MAX && written[i][0] != '\0'; i++)
    {
      fuzz_path (written[i], path, sizeof path);
      unlink (path);
    }
  rmdir (folder);
}

static void
make_folder (void)
{
  const char *base = getenv ("TMPDIR");

  if (folder[0] != '\0')
    return;
  if (access ("/dev/shm", W_OK) == 0)
    base = "/dev/shm";
  else if (base == NULL)
    base = "/tmp";
  snprintf (folder, sizeof folder, "%s/sluice-fuzz-XXXXXX", base);
  fuzz_require (mkdtemp (folder) != NULL);
  atexit (clean_up);
}

static void
remember (const char *name)
{
  int i = 0;

  while (i < FILES_MAX && written[i][0] != '\0' && strcmp (written[i], name) != 0)
    i++;
  fuzz_require (i < FILES_MAX);
  snprintf (written[i], sizeof written[i], "%s", name);
}

void
fuzz_write (const char *name, const uint8_t *data, size_t size)
{
  char path[512];
  int  fd;

  make_folder ();
  remember (name);
  fuzz_path (name, path, sizeof path);
  fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  fuzz_require (fd >= 0);
  fuzz_require (write (fd, data, size) == (ssize_t) size);
  close (fd);
}

const uint8_t *
fuzz_part (const uint8_t **data, size_t *size, size_t *part)
{
  const uint8_t *start;

  *part = 0;
  if (*size >= 2)
    {
      *part = (size_t) (*data)[0] | (size_t) (*data)[1] << 8;
      *data += 2;
      *size -= 2;
    }
  if (*part > *size)
    *part = *size;
  start = *data;
  *data += *part;
  *size -= *part;
  return start;
}

static void
check_failure (const SlStatus *status, const SlDataset *dataset)
{
  char text[1024];

  fuzz_require (dataset == NULL);
  fuzz_require (status->code == SL_EFORMAT || status->code == SL_EIO || status->code == SL_ENOMEM
                || status->code == SL_EINVAL);
  fuzz_require (status->subject[0] != '\0');
  sl_status_text (status, text, sizeof text);
  fuzz_require (strlen (text) > 0 && sl_utf8_valid (text, strlen (text)));
}

/* Every number and label is one that a lab can work with. */
static void
check_examples (const SlDataset *dataset)
{
  size_t n = dataset->n[SL_TRAIN] + dataset->n[SL_VALID] + dataset->n[SL_TEST];
  size_t d = dataset->features;

  fuzz_require (dataset->n[SL_TRAIN] > 0 && dataset->n[SL_VALID] > 0 && dataset->n[SL_TEST] > 0);
  fuzz_require (d > 0 && dataset->classes >= 2 && dataset->classes <= 256);
  fuzz_require (dataset->width == 0
                || d == (size_t) dataset->width * dataset->height * dataset->channels);
  fuzz_require ((dataset->values == NULL) != (dataset->bytes == NULL));
  for (size_t i = 0; i < n; i++)
    fuzz_require (dataset->label[i] < dataset->classes);
  if (dataset->values != NULL)
    for (size_t i = 0; i < n * d; i++)
      fuzz_require (fabs ((double) dataset->values[i]) <= 1e6);
}

static void
check_texts (const SlDataset *dataset)
{
  fuzz_require (sl_utf8_valid (dataset->title, strlen (dataset->title)));
  fuzz_require (dataset->title[0] != '\0');
  if (dataset->class_title != NULL)
    for (unsigned i = 0; i < dataset->classes; i++)
      fuzz_require (sl_utf8_valid (dataset->class_title[i], strlen (dataset->class_title[i])));
}

void
fuzz_open (const char *name)
{
  char       path[512];
  SlDataset *dataset, *again;
  SlStatus   status;

  fuzz_path (name, path, sizeof path);
  status = sl_source_open (path, &dataset);
  if (!sl_ok (&status))
    {
      check_failure (&status, dataset);
      return;
    }
  check_examples (dataset);
  check_texts (dataset);
  status = sl_source_open (dataset->id, &again);
  fuzz_require (sl_ok (&status));
  fuzz_require (again->hash == dataset->hash);
  fuzz_require (strcmp (again->id, dataset->id) == 0);
  sl_dataset_free (again);
  sl_dataset_free (dataset);
}
