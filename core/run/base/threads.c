/* SPDX-License-Identifier: MIT */
#include "core/run/base/threads.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "core/nn/kernels/mat.h"
#include "core/run/base/kernel.h"

enum { FILE_MOST = 1 << 16, TRY_AGAIN = 24 * 3600, UNCHOSEN = -1 };

static _Atomic int chosen = UNCHOSEN;

void
sl_threads_choose (unsigned threads)
{
  atomic_store (&chosen, (int) MIN (threads, sl_blas_cores ()));
}

unsigned
sl_threads_for (const char *lab)
{
  int      choice = atomic_load (&chosen);
  unsigned measured = choice == 0 ? sl_threads_remembered (lab) : 0;

  if (choice > 0)
    return (unsigned) choice;
  return measured > 0 ? measured : sl_blas_threads ();
}

static char *
memory_path (void)
{
  return g_build_filename (g_get_user_cache_dir (), "sluice", "threads.json", NULL);
}

static gboolean
text_is (const SlJson *object, const char *key, const char *text)
{
  const SlJson *member = sl_json_member_of (object, key, SL_JSON_TEXT);

  return member != NULL && strcmp (member->text, text) == 0;
}

/* The file, where it is of this processor, library, kernel and number of cores; else NULL. */
static SlJson *
load (void)
{
  g_autofree char *path = memory_path (), *text = NULL, *processor = sl_kernel_processor ();
  g_autofree char *version = sl_kernel_library ();
  gsize            length;
  g_autoptr (SlJson) json = NULL;
  uint64_t cores;

  if (!g_file_get_contents (path, &text, &length, NULL)
      || (json = sl_json_parse_object (text, length, FILE_MOST, path, NULL)) == NULL
      || !text_is (json, "processor", processor) || !text_is (json, "library", version)
      || !text_is (json, "kernel", sl_blas_kernel ())
      || !sl_json_whole (sl_json_member (json, "cores"), UINT32_MAX, &cores)
      || cores != sl_blas_cores ())
    return NULL;
  return g_steal_pointer (&json);
}

unsigned
sl_threads_remembered (const char *lab)
{
  g_autoptr (SlJson) json = load ();
  const SlJson *labs = json != NULL ? sl_json_member_of (json, "labs", SL_JSON_OBJECT) : NULL;
  uint64_t      threads;

  return labs != NULL && sl_json_whole (sl_json_member (labs, lab), sl_blas_cores (), &threads)
           ? (unsigned) threads
           : 0;
}

gboolean
sl_threads_are_known (void)
{
  g_autoptr (SlJson) json = load ();
  const SlJson *quiet = json != NULL ? sl_json_member_of (json, "quiet", SL_JSON_TRUTH) : NULL;
  uint64_t      tried;

  if (quiet == NULL || !sl_json_whole (sl_json_member (json, "tried"), UINT64_MAX / 2, &tried))
    return FALSE;
  return quiet->number == 1
         || fabs ((double) g_get_real_time () / G_USEC_PER_SEC - (double) tried) < TRY_AGAIN;
}

void
sl_threads_remember (const char *kernel, const SlThreadChoice *choice, unsigned n, gboolean quiet)
{
  g_autofree char *path = memory_path ();
  SlJsonWriter     w;

  sl_kernel_begin_memory (&w, kernel);
  sl_json_add_whole (&w, "cores", sl_blas_cores ());
  sl_json_add_truth (&w, "quiet", quiet);
  sl_json_open (&w, "labs", '{', SL_JSON_LINES);
  for (unsigned i = 0; i < n; i++)
    sl_json_add_whole (&w, choice[i].lab, choice[i].threads);
  sl_json_close (&w);
  sl_kernel_end_memory (&w, path);
}
