/* SPDX-License-Identifier: MIT */
#include "core/data/read/recording/open.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/data/read/containers/container.h"
#include "core/data/read/recording/kind.h"
#include "core/data/read/recording/model.h"
#include "core/data/read/recording/private.h"
#include "core/data/read/recording/ranks.h"
#include "core/data/text/bytes.h"

enum {
  LOOK = 1 << 16,        /* bytes of a table */
  LOOK_EVENTS = 2 << 20, /* graphs and pictures may come first */
};

/* How many experts there are and how many are chosen, where the file says so beside its arrays. */
static SlStatus
read_facts (SlRecordingFile *file, int64_t *top)
{
  int64_t experts = sl_recording_scalar (file, SL_ROLE_EXPERTS);

  *top = sl_recording_scalar (file, SL_ROLE_TOP);
  if (experts > SL_ROUTING_EXPERTS)
    return sl_status_new (SL_EFORMAT, file->arrays.path,
                          sl_message ("num_experts: %lld", (long long) experts),
                          sl_message ("at most %d", SL_ROUTING_EXPERTS));
  if (*top > SL_ROUTING_SLOTS)
    return sl_status_new (SL_EFORMAT, file->arrays.path,
                          sl_message ("top_k %lld", (long long) *top),
                          sl_message ("at most %d", SL_ROUTING_SLOTS));
  if (experts > 0)
    file->draft->experts = (unsigned) experts;
  return SL_SUCCESS;
}

static SlStatus
read_meant (SlRecordingFile *file)
{
  SlRoutingDraft *draft = file->draft;
  int64_t         top;
  SlStatus        status = read_facts (file, &top);

  if (!sl_ok (&status))
    return status;
  if (sl_kind_are_trained (&file->meaning, file->said.as))
    status = sl_recording_training (file);
  else if (file->events)
    status = sl_status_new (SL_EFORMAT, file->arrays.path,
                            file->meaning.loads > 0
                              ? sl_message ("%u loads of experts among %u tags",
                                            file->meaning.loads, file->meaning.curves)
                              : sl_message ("curves without loads of experts"),
                            sl_message ("tags such as moe/layer_3_expert_7_load"));
  else if (sl_kind_are_rows (&file->meaning)
           || sl_kind_is_matrix (&file->meaning, sl_kind_are_even_sums (&file->meaning)
                                                   ? SL_ROLE_LOADS
                                                   : file->said.as))
    status = sl_recording_rows (file);
  else if (sl_kind_are_answers (&file->meaning))
    status = sl_recording_answers (file);
  else
    status = sl_recording_cubes (file);
  if (sl_ok (&status) && draft->kind == SL_ROUTING_COUNTS && draft->options.k == 0 && top > 0)
    draft->options.k = (unsigned) top;
  return status;
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

/* Fills the draft from arrays, which are cleared. */
static SlStatus
read_arrays (SlRoutingDraft *draft, SlArrays *arrays, bool events)
{
  SlRecordingFile file
    = { .arrays = *arrays, .draft = draft, .said = said_of (&draft->options), .events = events };
  SlStatus status = sl_meaning_init (&file.meaning, &file.arrays);

  if (sl_ok (&status) && sl_meaning_find (&file.meaning, SL_ROLE_LAYER) == NULL)
    sl_kind_name_pairs (&file.meaning);
  if (sl_ok (&status))
    {
      sl_kind_forget_order (&file.meaning);
      sl_kind_take_token_lines (&file.meaning);
    }
  /* A lone array is the recording, whatever it is called. */
  if (sl_ok (&status) && file.arrays.n == 1 && !file.arrays.columns
      && file.meaning.of[0].role == SL_ROLE_NONE)
    file.meaning.of[0].role = SL_ROLE_ANY;
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

/* What stands beside the files of ranks says how many experts there are and are chosen. */
static SlStatus
read_beside (SlRoutingDraft *draft)
{
  SlRecordingFile file = { .draft = draft };
  char           *path = NULL;
  int64_t         top = 0;
  SlStatus        status = SL_SUCCESS;

  if (asprintf (&path, "%s/meta_info.json", draft->path) < 0)
    return sl_status_no_memory (draft->path);
  sl_arrays_init (&file.arrays, path);
  if (access (path, R_OK) == 0)
    {
      status = sl_arrays_open (&file.arrays, path, SL_CONTAINER_JSON, NULL);
      if (sl_ok (&status))
        status = sl_meaning_init (&file.meaning, &file.arrays);
      if (sl_ok (&status))
        status = read_facts (&file, &top);
      if (sl_ok (&status) && draft->options.k == 0 && top > 0)
        draft->options.k = (unsigned) top;
    }
  sl_meaning_clear (&file.meaning);
  sl_arrays_clear (&file.arrays);
  free (path);
  return status;
}

/* Whatever a file, or a folder of event files, has. */
static SlStatus
read_container (SlRoutingDraft *draft, const char *path, SlContainer container)
{
  SlArrays arrays;
  SlStatus status = sl_arrays_open (&arrays, path, container, &draft->options.form);

  if (sl_ok (&status))
    return read_arrays (draft, &arrays, container == SL_CONTAINER_EVENTS);
  sl_arrays_clear (&arrays);
  return status;
}

static SlStatus
read_file (SlRoutingDraft *draft, const char *path)
{
  SlContainer container;
  SlStatus    status = sl_container_find (path, &container);

  if (sl_ok (&status) && container == SL_CONTAINER_NONE)
    return sl_status_new (SL_EFORMAT, path, sl_message ("no arrays"),
                          sl_message ("expert numbers or loads"));
  return sl_ok (&status) ? read_container (draft, path, container) : status;
}

static SlStatus
read_folder (SlRoutingDraft *draft, const char *path)
{
  unsigned experts;
  SlStatus status;

  if (!sl_ranks_likely (path))
    return read_container (draft, path, SL_CONTAINER_EVENTS);
  status = sl_ranks_read (draft, path, read_file);
  experts = draft->experts;
  if (sl_ok (&status))
    status = read_beside (draft);
  if (draft->kind == SL_ROUTING_COUNTS)
    draft->experts = experts; /* as many as the loads have */
  return status;
}

static bool
is_folder (const char *path)
{
  struct stat about;

  return stat (path, &about) == 0 && S_ISDIR (about.st_mode);
}

/* Makes a recording of a draft that `status` is of. */
static SlStatus
finish (SlRoutingDraft *draft, SlStatus status, SlRouting **routing)
{
  *routing = NULL;
  if (sl_ok (&status))
    status = sl_recording_model (draft);
  if (sl_ok (&status))
    return sl_routing_finish (draft, routing);
  sl_routing_draft_clear (draft);
  return status;
}

SlStatus
sl_routing_of_arrays (SlArrays *arrays, const SlRoutingOptions *options, SlRouting **routing)
{
  SlRoutingDraft draft;
  SlArrays       taken = *arrays;

  sl_routing_draft_init (&draft, arrays->path, options);
  draft.lent = arrays->lent;
  sl_arrays_init (arrays, arrays->path);
  return finish (&draft, read_arrays (&draft, &taken, false), routing);
}

SlStatus
sl_routing_open (const char *path, const SlRoutingOptions *options, SlRouting **routing)
{
  SlRoutingDraft draft;

  sl_routing_draft_init (&draft, path, options);
  return finish (&draft, is_folder (path) ? read_folder (&draft, path) : read_file (&draft, path),
                 routing);
}

/* {"0": [loads], "1": [loads], …}, or "layer_0" and so on: one list a layer. */
static bool
are_numbered (const SlMeaning *meaning)
{
  unsigned n = 0;

  for (unsigned i = 0; i < meaning->arrays->n; i++)
    n += meaning->of[i].role == SL_ROLE_ANY && meaning->of[i].numbers > 0
         && meaning->of[i].array->axes >= 2;
  return n >= 2 && meaning->arrays->rows == 1;
}

/* numpy.savez (f, X, y): examples and their classes, not two layers. */
static bool
are_examples (const SlMeaning *meaning)
{
  const SlArray *x = meaning->arrays->array, *y = x + 1;

  return meaning->arrays->n == 2 && x->axes >= 2 && y->axes == 1 && y->n == x->shape[0];
}

static bool
are_routing (SlMeaning *meaning)
{
  static const SlRole roles[]
    = { SL_ROLE_IDS, SL_ROLE_SCORES, SL_ROLE_MASK, SL_ROLE_LOADS, SL_ROLE_ANY };

  for (unsigned i = 0; i < meaning->arrays->n; i++)
    if (strncmp (meaning->arrays->array[i].name, "sluice-", strlen ("sluice-")) == 0)
      return false; /* a document of ours */
  if (meaning->arrays->columns)
    {
      const SlMeant *loads = sl_meaning_find (meaning, SL_ROLE_LOADS);

      if (meaning->curves > 0)
        return sl_kind_are_trained (meaning, SL_ROLE_NONE);
      return (sl_kind_are_rows (meaning) && sl_kind_have_experts (meaning))
             || sl_kind_are_answers (meaning) || sl_kind_is_matrix (meaning, SL_ROLE_NONE)
             || are_numbered (meaning) || sl_kind_are_even_sums (meaning)
             || (loads != NULL && loads->array->axes >= 2);
    }
  for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
    if (sl_meaning_find (meaning, roles[i]) != NULL)
      return roles[i] != SL_ROLE_ANY || !are_examples (meaning);
  return false;
}

/* Whether a damaged document says that it has routing. */
static bool
names_routing (const char *path)
{
  static const char *const names[] = { "\"routed_experts\"", "\"topk_ids\"", "\"top_indices\"" };
  uint8_t                 *head = malloc (LOOK + 1);
  size_t                   size = 0;
  bool                     found = false;
  SlStatus                 status
    = head != NULL ? sl_bytes_head (path, head, LOOK, &size) : sl_status_no_memory (path);

  if (sl_ok (&status))
    head[size] = '\0';
  for (size_t i = 0; i < sizeof names / sizeof *names && sl_ok (&status) && !found; i++)
    found = strstr ((const char *) head, names[i]) != NULL;
  free (head);
  return found;
}

/* What a file, or the event files of a folder, begins with. */
typedef struct
{
  SlArrays  arrays;
  SlMeaning meaning;
} Look;

/* To be ended also after a failure. */
static SlStatus
begin_look (Look *look, const char *path, SlContainer container)
{
  SlTableForm form = { .most = container == SL_CONTAINER_EVENTS ? LOOK_EVENTS : LOOK };
  SlStatus    status = sl_arrays_open (&look->arrays, path, container, &form);

  look->meaning = (SlMeaning) { .arrays = NULL };
  return sl_ok (&status) ? sl_meaning_init (&look->meaning, &look->arrays) : status;
}

static void
end_look (Look *look)
{
  sl_meaning_clear (&look->meaning);
  sl_arrays_clear (&look->arrays);
}

bool
sl_routing_arrays_likely (SlArrays *arrays)
{
  SlMeaning meaning;
  SlStatus  status = sl_meaning_init (&meaning, arrays);
  bool      likely = sl_ok (&status) && are_routing (&meaning);

  sl_meaning_clear (&meaning);
  return likely;
}

bool
sl_routing_likely (const char *path)
{
  SlContainer container = SL_CONTAINER_EVENTS;
  SlStatus    status = SL_SUCCESS;
  bool        likely;
  Look        look;

  if (is_folder (path) && sl_ranks_likely (path))
    return true;
  if (!is_folder (path))
    status = sl_container_find (path, &container);
  if (!sl_ok (&status) || container == SL_CONTAINER_NONE || container == SL_CONTAINER_IDX
      || container == SL_CONTAINER_CIFAR)
    return false;
  status = begin_look (&look, path, container);
  if (sl_ok (&status))
    sl_kind_take_token_lines (&look.meaning);
  likely = sl_ok (&status) && are_routing (&look.meaning);
  end_look (&look);
  if (sl_ok (&status) || container == SL_CONTAINER_TABLE || container == SL_CONTAINER_EVENTS)
    return likely;
  /* What is damaged is what its kind of file mostly is, and its reader says what is wrong. */
  return container != SL_CONTAINER_JSON || names_routing (path);
}

SlTraining
sl_training_look (const char *path)
{
  SlContainer container = SL_CONTAINER_EVENTS;
  SlStatus    status = is_folder (path) ? SL_SUCCESS : sl_container_find (path, &container);
  SlTraining  training = SL_TRAINING_NONE;
  Look        look;

  if (!sl_ok (&status)
      || (container != SL_CONTAINER_EVENTS && container != SL_CONTAINER_JSON
          && container != SL_CONTAINER_TABLE))
    return SL_TRAINING_NONE;
  status = begin_look (&look, path, container);
  if (sl_ok (&status) && look.meaning.loads > 0)
    training
      = sl_kind_are_trained (&look.meaning, SL_ROLE_NONE) ? SL_TRAINING_MOST : SL_TRAINING_SOME;
  end_look (&look);
  return training;
}
