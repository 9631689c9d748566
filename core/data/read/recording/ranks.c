/* SPDX-License-Identifier: MIT */
#include "core/data/read/recording/ranks.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/text/text.h"

enum { RANKS_MAX = 4096 };

/* Names of files before and behind the number of a rank. */
static const struct
{
  const char *before, *behind;
} kinds[] = {
  { "router_trace_rank", ".jsonl" },    /* Megatron-LM */
  { "router_trace_rank", ".jsonl.gz" }, /* the same */
  { "mcore_ep_loads_rank", ".npz" },    /* the same */
  { "rank", ".safetensors" },           /* TensorRT-LLM, expert statistics */
};

/* The part of a name after the rank, which all dumps of one moment share; NULL: it is no such name. */
static const char *
moment_of (const char *name)
{
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    {
      size_t n = strlen (kinds[i].before), length = strlen (name), tail = strlen (kinds[i].behind);
      const char *rest = name + n;

      if (strncmp (name, kinds[i].before, n) == 0 && *rest >= '0' && *rest <= '9'
          && length >= n + tail && strcmp (name + length - tail, kinds[i].behind) == 0)
        return rest + strspn (rest, "0123456789");
    }
  return NULL;
}

static int
is_rank (const struct dirent *entry)
{
  return moment_of (entry->d_name) != NULL;
}

static void
forget (struct dirent **entry, int n)
{
  for (int i = 0; i < n; i++)
    free (entry[i]);
  if (n >= 0)
    free (entry);
}

/* The files in the order of their ranks; how many there are. */
static int
list (const char *folder, struct dirent ***entry)
{
  int n = scandir (folder, entry, is_rank, versionsort);

  if (n <= 0)
    forget (*entry, n);
  return n > 0 ? n : 0;
}

bool
sl_ranks_likely (const char *folder)
{
  struct dirent **entry;
  int             n = list (folder, &entry);

  if (n > 0)
    forget (entry, n);
  return n > 0;
}

static SlStatus
refuse_different (const SlRoutingDraft *draft, const char *a, const char *b)
{
  char first[96], second[96];

  return sl_status_new (SL_EFORMAT, draft->path,
                        sl_message ("%s and %s, which differ",
                                    sl_text_printable (a, strlen (a), first, sizeof first),
                                    sl_text_printable (b, strlen (b), second, sizeof second)),
                        sl_message ("ranks of one recording"));
}

static bool
same_shape (const SlRoutingDraft *a, const SlRoutingDraft *b)
{
  if (a->kind != b->kind || a->n_layers != b->n_layers || a->rows != b->rows
      || (a->kind == SL_ROUTING_COUNTS && a->experts != b->experts))
    return false;
  for (unsigned l = 0; l < a->n_layers; l++)
    if (a->layer[l].number != b->layer[l].number || a->layer[l].mtp != b->layer[l].mtp
        || a->layer[l].n_passes != b->layer[l].n_passes)
      return false;
  return true;
}

/* Whether two drafts of the same shape have the same numbers. */
static bool
same_content (const SlRoutingDraft *a, const SlRoutingDraft *b)
{
  size_t cells = a->rows * a->experts;

  if (a->k != b->k)
    return false;
  for (unsigned l = 0; l < a->n_layers; l++)
    {
      const SlRoutingDraftLayer *x = &a->layer[l], *y = &b->layer[l];

      if (a->kind == SL_ROUTING_COUNTS)
        {
          if (memcmp (x->counts, y->counts, cells * sizeof *x->counts) != 0)
            return false;
          continue;
        }
      if (x->tokens != y->tokens || memcmp (x->pass, y->pass, x->n_passes * sizeof *x->pass) != 0
          || memcmp (x->ids, y->ids, x->tokens * a->k * sizeof *x->ids) != 0)
        return false;
    }
  return true;
}

static void
add_counts (SlRoutingDraft *draft, const SlRoutingDraft *rank)
{
  for (unsigned l = 0; l < draft->n_layers; l++)
    for (size_t i = 0; i < draft->rows * draft->experts; i++)
      draft->layer[l].counts[i] += rank->layer[l].counts[i];
}

/* Appends tokens first … first + n - 1 of a rank's layer. */
static SlStatus
append (SlRoutingDraft *draft, SlRoutingDraftLayer *to, const SlRoutingDraft *rank,
        const SlRoutingDraftLayer *from, size_t first, size_t n, bool begins)
{
  SlStatus status = sl_routing_draft_room (draft, to, n);

  for (size_t t = first; t < first + n && sl_ok (&status); t++)
    {
      int64_t ids[SL_ROUTING_SLOTS];

      for (unsigned s = 0; s < rank->k; s++)
        {
          uint16_t id = from->ids[t * rank->k + s];

          ids[s] = id == SL_RAW_NONE ? -1 : id;
        }
      status = sl_routing_draft_token (draft, to, ids, NULL, rank->k, begins && t == first);
    }
  return status;
}

/* One layer of all ranks (n): each pass has the tokens of each rank in turn. */
static SlStatus
join_layer (SlRoutingDraft *draft, const SlRoutingDraft *rank, unsigned n, unsigned l,
            size_t *place)
{
  SlRoutingDraftLayer *to;
  SlStatus             status
    = sl_routing_draft_layer (draft, rank[0].layer[l].number, rank[0].layer[l].mtp, &to);

  memset (place, 0, n * sizeof *place);
  for (size_t p = 0; p < rank[0].layer[l].n_passes && sl_ok (&status); p++)
    for (unsigned r = 0; r < n && sl_ok (&status); r++)
      {
        const SlRoutingDraftLayer *from = &rank[r].layer[l];

        status = append (draft, to, &rank[r], from, place[r], from->pass[p], r == 0);
        place[r] += from->pass[p];
      }
  return status;
}

static SlStatus
join (SlRoutingDraft *draft, SlRoutingDraft *rank, unsigned n)
{
  size_t  *place = malloc (n * sizeof *place);
  SlStatus status = place != NULL ? SL_SUCCESS : sl_status_no_memory (draft->path);

  draft->kind = rank[0].kind;
  draft->experts = rank[0].experts;
  draft->experts_from = rank[0].experts_from;
  draft->reading.said = rank[0].reading.said;
  if (draft->kind == SL_ROUTING_COUNTS)
    {
      SlFileReading reading = draft->reading;

      *draft = rank[0];
      for (unsigned i = 0; i < reading.n_notes; i++)
        sl_reading_note (&draft->reading, reading.note[i]);
      rank[0] = (SlRoutingDraft) { .n_layers = 0 };
      for (unsigned r = 1; r < n; r++)
        add_counts (draft, &rank[r]);
    }
  else
    for (unsigned l = 0; l < rank[0].n_layers && sl_ok (&status); l++)
      status = join_layer (draft, rank, n, l, place);
  free (place);
  return status;
}

/* Reads the next rank behind those that differ (*n of them). */
static SlStatus
read_rank (SlRoutingDraft *draft, SlRoutingDraft *rank, unsigned *n, const char *const *name,
           unsigned i, SlRankRead *read)
{
  SlRoutingDraft *new = &rank[*n];
  size_t   size = strlen (draft->path) + strlen (name[i]) + 2;
  char    *path = malloc (size);
  SlStatus status;

  if (path == NULL)
    return sl_status_no_memory (draft->path);
  snprintf (path, size, "%s/%s", draft->path, name[i]);
  sl_routing_draft_init (new, path, &draft->options);
  new->used = *n > 0 ? rank[*n - 1].used : 0; /* all ranks together stay below the budget */
  status = read (new, path);
  new->path = draft->path;
  free (path);
  ++*n;
  if (sl_ok (&status) && i > 0 && !same_shape (&rank[0], new))
    return refuse_different (draft, name[0], name[i]);
  for (unsigned r = 0; r + 1 < *n && sl_ok (&status); r++)
    if (same_content (&rank[r], new))
      {
        sl_routing_draft_clear (new);
        --*n;
        sl_reading_note (&draft->reading,
                         sl_message ("left out: %s, the same as another rank's", name[i]));
        break;
      }
  return status;
}

SlStatus
sl_ranks_read (SlRoutingDraft *draft, const char *folder, SlRankRead *read)
{
  struct dirent **entry;
  int             files = list (folder, &entry);
  SlRoutingDraft *rank = files > 0 ? calloc ((size_t) files, sizeof *rank) : NULL;
  const char    **name = files > 0 ? calloc ((size_t) files, sizeof *name) : NULL;
  unsigned        n = 0;
  SlStatus        status = rank != NULL && name != NULL && files <= RANKS_MAX
                             ? SL_SUCCESS
                             : sl_status_new (SL_EIO, folder, sl_message ("no recordings of ranks"),
                                              sl_message ("router_trace_rank0.jsonl and so on"));

  for (int i = 0; i < files && sl_ok (&status); i++)
    {
      name[i] = entry[i]->d_name;
      status = strcmp (moment_of (name[0]), moment_of (name[i])) != 0
                 ? refuse_different (draft, name[0], name[i])
                 : read_rank (draft, rank, &n, name, (unsigned) i, read);
    }
  if (sl_ok (&status))
    status = join (draft, rank, n);
  for (unsigned r = 0; r < n; r++)
    sl_routing_draft_clear (&rank[r]);
  free (rank);
  free (name);
  if (files > 0)
    forget (entry, files);
  return status;
}
