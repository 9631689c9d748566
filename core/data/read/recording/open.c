/* SPDX-License-Identifier: MIT */
#include "core/data/read/recording/open.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/data/read/containers/container.h"
#include "core/data/read/recording/private.h"
#include "core/data/read/recording/ranks.h"

enum { LOOK = 1 << 16 /* bytes of a table */ };

/* Two columns without a heading are the layer and the expert of a routing each, once the person says so. */
static void
name_pairs (SlMeaning *meaning)
{
  if (meaning->arrays->columns && !meaning->arrays->headed && meaning->arrays->n == 2)
    {
      meaning->of[0].role = SL_ROLE_LAYER;
      meaning->of[1].role = SL_ROLE_EXPERT;
    }
}

/* Whether arrays of expert numbers come with the answers of a server. */
static bool
are_answers (const SlMeaning *meaning)
{
  for (unsigned i = 0; i < meaning->arrays->n; i++)
    {
      const SlMeant *meant = &meaning->of[i];

      if (meant->role == SL_ROLE_IDS
          && (meant->array->type == SL_ARRAY_TEXTS
              || (meant->array->piece != NULL && strcmp (meant->rule->axes, "tlk") == 0)))
        return true;
    }
  return false;
}

/* Rows that say which layer they are of. */
static bool
are_rows (const SlMeaning *meaning)
{
  const SlMeant *layer = sl_meaning_find (meaning, SL_ROLE_LAYER);
  const SlMeant *ids = sl_meaning_find (meaning, SL_ROLE_IDS);

  if (layer == NULL || layer->array->axes != 1)
    return false;
  return meaning->arrays->columns
         || (ids != NULL && ids->array->axes == 2 && ids->array->shape[0] == layer->array->n);
}

/* Whether the columns of rows have what makes them routing. */
static bool
have_experts (const SlMeaning *meaning)
{
  static const SlRole roles[] = { SL_ROLE_EXPERT, SL_ROLE_IDS, SL_ROLE_WIDE, SL_ROLE_LOADS };

  for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
    if (sl_meaning_find (meaning, roles[i]) != NULL)
      return true;
  return false;
}

static SlStatus
read_meant (SlRecordingFile *file)
{
  int64_t experts = sl_recording_scalar (file, SL_ROLE_EXPERTS);
  int64_t top = sl_recording_scalar (file, SL_ROLE_TOP);

  if (experts > SL_ROUTING_EXPERTS)
    return sl_status_new (SL_EFORMAT, file->arrays.path,
                          sl_message ("num_experts: %lld", (long long) experts),
                          sl_message ("at most %d", SL_ROUTING_EXPERTS));
  if (top > SL_ROUTING_SLOTS)
    return sl_status_new (SL_EFORMAT, file->arrays.path, sl_message ("top_k %lld", (long long) top),
                          sl_message ("at most %d", SL_ROUTING_SLOTS));
  if (experts > 0)
    file->draft->experts = (unsigned) experts;
  if (are_rows (&file->meaning))
    return sl_recording_rows (file);
  return are_answers (&file->meaning) ? sl_recording_answers (file) : sl_recording_cubes (file);
}

static SlSaid
said_of (const SlRoutingOptions *options)
{
  SlSaid said = { .k = options->k,
                  .as = options->as == SL_ROUTING_AS_IDS      ? SL_ROLE_IDS
                        : options->as == SL_ROUTING_AS_COUNTS ? SL_ROLE_LOADS
                        : options->as == SL_ROUTING_AS_SCORES ? SL_ROLE_SCORES
                                                              : SL_ROLE_NONE };

  memcpy (said.axes, options->axes, sizeof said.axes);
  return said;
}

static SlStatus
read_arrays (SlRoutingDraft *draft, const char *path, SlContainer container)
{
  SlRecordingFile file = { .draft = draft, .said = said_of (&draft->options) };
  SlStatus        status;

  sl_arrays_init (&file.arrays, path);
  status = sl_arrays_open (&file.arrays, path, container, &draft->options.form);
  if (sl_ok (&status))
    status = sl_meaning_init (&file.meaning, &file.arrays);
  if (sl_ok (&status) && sl_meaning_find (&file.meaning, SL_ROLE_LAYER) == NULL)
    name_pairs (&file.meaning);
  if (sl_ok (&status))
    status = read_meant (&file);
  if (sl_ok (&status))
    {
      for (unsigned i = 0; i < file.arrays.n_notes; i++)
        sl_reading_note (&draft->reading, file.arrays.note[i]);
      sl_meaning_note_rest (&file.meaning, &draft->reading);
    }
  sl_meaning_clear (&file.meaning);
  sl_arrays_clear (&file.arrays);
  return status;
}

static SlStatus
read_file (SlRoutingDraft *draft, const char *path)
{
  SlContainer container;
  SlStatus    status = sl_container_find (path, &container);

  if (sl_ok (&status) && container == SL_CONTAINER_NONE)
    return sl_status_new (SL_EFORMAT, path, sl_message ("no arrays, no table and no JSON"),
                          sl_message ("expert numbers or loads"));
  return sl_ok (&status) ? read_arrays (draft, path, container) : status;
}

static bool
is_folder (const char *path)
{
  struct stat about;

  return stat (path, &about) == 0 && S_ISDIR (about.st_mode);
}

SlStatus
sl_routing_open (const char *path, const SlRoutingOptions *options, SlRouting **routing)
{
  SlRoutingDraft draft;
  SlStatus       status;

  *routing = NULL;
  sl_routing_draft_init (&draft, path, options);
  status = is_folder (path) ? sl_ranks_read (&draft, path, read_file) : read_file (&draft, path);
  if (sl_ok (&status))
    return sl_routing_finish (&draft, routing);
  sl_routing_draft_clear (&draft);
  return status;
}

/* numpy.savez (f, X, y): examples and their classes, not two layers. */
static bool
are_examples (const SlMeaning *meaning)
{
  const SlArray *x = meaning->arrays->array, *y = x + 1;

  return meaning->arrays->n == 2 && x->axes >= 2 && y->axes == 1 && y->n == x->shape[0];
}

static bool
are_routing (const SlMeaning *meaning)
{
  static const SlRole roles[]
    = { SL_ROLE_IDS, SL_ROLE_SCORES, SL_ROLE_MASK, SL_ROLE_LOADS, SL_ROLE_ANY };

  if (meaning->arrays->columns)
    {
      const SlMeant *loads = sl_meaning_find (meaning, SL_ROLE_LOADS);

      return (are_rows (meaning) && have_experts (meaning)) || are_answers (meaning)
             || (loads != NULL && loads->array->axes >= 2);
    }
  for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
    if (sl_meaning_find (meaning, roles[i]) != NULL)
      return roles[i] != SL_ROLE_ANY || !are_examples (meaning);
  return false;
}

bool
sl_routing_likely (const char *path)
{
  SlTableForm form = { .most = LOOK };
  SlArrays    arrays;
  SlMeaning   meaning = { NULL, NULL };
  SlContainer container;
  SlStatus    status;
  bool        likely = false;

  if (is_folder (path))
    return sl_ranks_likely (path);
  status = sl_container_find (path, &container);
  if (!sl_ok (&status) || container == SL_CONTAINER_NONE || container == SL_CONTAINER_IDX
      || container == SL_CONTAINER_CIFAR)
    return false;
  sl_arrays_init (&arrays, path);
  status = sl_arrays_open (&arrays, path, container, &form);
  if (sl_ok (&status))
    status = sl_meaning_init (&meaning, &arrays);
  /* What is damaged is what its kind of file mostly is, and its reader says what is wrong. */
  likely = sl_ok (&status) ? are_routing (&meaning)
                           : container != SL_CONTAINER_TABLE && container != SL_CONTAINER_JSON;
  sl_meaning_clear (&meaning);
  sl_arrays_clear (&arrays);
  return likely;
}
