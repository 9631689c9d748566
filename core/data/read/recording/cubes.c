/* SPDX-License-Identifier: MIT
 *
 * Which of the arrays of a file is the recording.  */
#include <stdlib.h>
#include <string.h>

#include "core/data/read/recording/private.h"

static bool
is_recording (SlRole role)
{
  return role == SL_ROLE_IDS || role == SL_ROLE_MASK || role == SL_ROLE_LOADS
         || role == SL_ROLE_SCORES;
}

/* Arrays that say too little by their names are settled first. */
static SlStatus
settle_all (SlRecordingFile *file)
{
  SlFileReading unread = { .n_notes = 0 };
  bool          first = true;
  SlStatus      status = SL_SUCCESS;

  for (unsigned i = 0; i < file->arrays.n && sl_ok (&status); i++)
    if (file->meaning.of[i].role == SL_ROLE_ANY)
      {
        status = sl_meaning_settle (&file->meaning, &file->meaning.of[i], &file->said,
                                    first ? &file->draft->reading : &unread);
        first = false;
      }
  return status;
}

/* Whether two arrays can be the same of two layers. */
static bool
are_alike (const SlArray *a, const SlArray *b)
{
  return a != b && sl_array_whole (a) == sl_array_whole (b)
         && sl_array_real (a) == sl_array_real (b) && a->axes == b->axes && a->axes >= 2
         && a->shape[a->axes - 1] == b->shape[b->axes - 1];
}

/* Of several arrays one alone would be a part of the recording. */
static SlStatus
check_alone (const SlRecordingFile *file, const SlMeant *meant)
{
  for (unsigned i = 0; i < file->arrays.n; i++)
    {
      const SlMeant *other = &file->meaning.of[i];

      if ((other->role == meant->role || other->role == SL_ROLE_NONE)
          && sl_array_whole (meant->array) && are_alike (meant->array, other->array))
        return sl_status_line (sl_status_new (SL_EFORMAT, file->arrays.path,
                                              sl_message ("expert numbers twice: %s and %s",
                                                          meant->array->name, other->array->name),
                                              sl_message ("tokens × layers × k")),
                               "np.savez (\"trace.npz\", topk_ids=np.stack (arrays, axis=1))");
    }
  return SL_SUCCESS;
}

static int
by_layer (const void *a, const void *b)
{
  const SlMeant *x = *(SlMeant *const *) a, *y = *(SlMeant *const *) b;
  uint64_t       p = x->number[x->numbers - 1], q = y->number[y->numbers - 1];

  if (p != q)
    return p < q ? -1 : 1;
  return (x->number[0] > y->number[0]) - (x->number[0] < y->number[0]);
}

/* The arrays of the recording: the first of the role that is there by the order of the rules, with all of its rule if
 * that is for one layer.  */
static SlStatus
find_set (SlRecordingFile *file, SlRole role, SlMeant **meant, unsigned *n)
{
  SlMeant *first = NULL;

  *n = 0;
  for (unsigned i = 0; i < file->arrays.n; i++)
    {
      SlMeant *one = &file->meaning.of[i];

      if (one->role == role && (first == NULL || (one->rule != NULL && one->rule < first->rule)))
        first = one;
    }
  if (first == NULL)
    return SL_SUCCESS;
  if (first->numbers == 0)
    {
      meant[(*n)++] = first;
      return check_alone (file, first);
    }
  for (unsigned i = 0; i < file->arrays.n; i++)
    if (file->meaning.of[i].role == role && file->meaning.of[i].rule == first->rule)
      meant[(*n)++] = &file->meaning.of[i];
  qsort (meant, *n, sizeof (SlMeant *), by_layer);
  return SL_SUCCESS;
}

/* Arrays of the recording that are not read are named. */
static void
leave_others (SlRecordingFile *file, SlMeant *const *meant, unsigned n)
{
  for (unsigned i = 0; i < file->arrays.n; i++)
    {
      SlMeant *one = &file->meaning.of[i];
      bool     read = false;

      for (unsigned j = 0; j < n && !read; j++)
        read = meant[j] == one;
      if (!read && is_recording (one->role))
        one->role = SL_ROLE_NONE;
    }
}

static SlStatus
read_set (SlRecordingFile *file, SlMeant **meant, unsigned n)
{
  SlFileReading unread = { .n_notes = 0 };
  SlStatus      status = SL_SUCCESS;

  for (unsigned i = 0; i < n && sl_ok (&status); i++)
    if (meant[i]->axes[0] == '\0')
      status = sl_meaning_settle (&file->meaning, meant[i], &file->said,
                                  i == 0 ? &file->draft->reading : &unread);
  if (!sl_ok (&status))
    return status;
  leave_others (file, meant, n);
  return meant[0]->role == SL_ROLE_LOADS ? sl_recording_loads (file, meant, n)
                                         : sl_recording_tokens (file, meant, n);
}

static SlStatus
refuse (const SlRecordingFile *file)
{
  uint64_t number[2];
  unsigned n;

  for (unsigned i = 0; i < file->arrays.n; i++)
    if (sl_rule_matches ("routed_experts", file->arrays.array[i].name, number, &n))
      return sl_status_new (SL_EFORMAT, file->arrays.path,
                            sl_message ("no routed_experts with tokens"),
                            sl_message ("answers of a server with --enable-return-routed-experts"));
  return sl_status_new (SL_EFORMAT, file->arrays.path, sl_message ("no expert numbers or counts"),
                        sl_message ("one named topk_ids, loads, logical_count or router_logits"));
}

SlStatus
sl_recording_cubes (SlRecordingFile *file)
{
  static const SlRole order[] = { SL_ROLE_IDS, SL_ROLE_MASK, SL_ROLE_LOADS, SL_ROLE_SCORES };
  SlMeant           **meant = calloc (file->arrays.n + 1, sizeof *meant);
  unsigned            n = 0;
  SlStatus status = meant != NULL ? settle_all (file) : sl_status_no_memory (file->arrays.path);

  for (unsigned i = 0; i < sizeof order / sizeof *order && n == 0 && sl_ok (&status); i++)
    status = find_set (file, order[i], meant, &n);
  if (sl_ok (&status))
    status = n > 0 ? read_set (file, meant, n) : refuse (file);
  free (meant);
  return status;
}
