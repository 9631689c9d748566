/* SPDX-License-Identifier: MIT */
#include "core/data/read/recording/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/data/read/recording/vocabulary.h"
#include "core/data/text/text.h"

#define TOKENIZER "tokenizer.json"
#define CONFIG "config.json"

typedef struct
{
  SlRoutingDraft *draft;
  bool            asked;              /* the person names the model */
  char           *tokenizer, *config; /* paths, or NULL: not there */
} Model;

static bool
is_folder (const char *path)
{
  struct stat about;

  return stat (path, &about) == 0 && S_ISDIR (about.st_mode);
}

/* The path of a file of a folder where there is such a file; NULL also without memory. */
static char *
find_in (const char *folder, size_t length, const char *name)
{
  char *path = NULL;

  if (asprintf (&path, "%.*s%s", (int) length, folder, name) < 0)
    return NULL;
  if (access (path, F_OK) == 0)
    return path;
  free (path);
  return NULL;
}

/* The folder of a file, or the folder itself, with its last slash. */
static SlStatus
find_files (Model *m)
{
  const char *named = m->asked ? m->draft->options.model : m->draft->path;
  char       *folder = NULL;
  const char *slash;

  if (m->draft->lent && !m->asked)
    return SL_SUCCESS; /* nothing lies beside a program's arrays */
  if (asprintf (&folder, is_folder (named) ? "%s/" : "%s", named) < 0)
    return sl_status_no_memory (m->draft->path);
  slash = strrchr (folder, '/');
  m->tokenizer = find_in (folder, slash != NULL ? (size_t) (slash + 1 - folder) : 0, TOKENIZER);
  m->config = find_in (folder, slash != NULL ? (size_t) (slash + 1 - folder) : 0, CONFIG);
  if (m->asked && m->tokenizer == NULL && m->config == NULL)
    {
      SlStatus status = sl_status_new (SL_EIO, named, sl_message ("no model"),
                                       sl_message ("a folder with tokenizer.json or config.json"));

      free (folder);
      return status;
    }
  free (folder);
  return SL_SUCCESS;
}

/* A file that only lies beside the recording is left out; one that was asked for fails. */
static SlStatus
leave_out (Model *m, SlStatus status)
{
  SlMessage failure = sl_status_message (&status);

  if (m->asked || status.code == SL_ENOMEM)
    return status;
  sl_reading_note (&m->draft->reading, sl_message ("left out beside it: %s", failure.packed));
  return SL_SUCCESS;
}

static void
say_words (Model *m, size_t words, size_t unnamed)
{
  SlMessage said = m->asked ? sl_message ("Words from tokenizer.json of the model")
                            : sl_message ("Words from tokenizer.json beside it");

  if (words == 0)
    return;
  if (m->tokenizer == NULL)
    said = sl_message ("Tokens have ids only: model= names a folder with tokenizer.json");
  else if (unnamed > 0)
    sl_message_add (&said, "; without a name there: %zu of %zu", unnamed, words);
  sl_reading_note (&m->draft->reading, said);
}

static SlStatus
read_words (Model *m)
{
  SlVocabulary vocabulary = { .text = NULL };
  size_t       words = 0, unnamed = 0;
  SlStatus     status = SL_SUCCESS;

  if (!m->draft->token_ids)
    return SL_SUCCESS;
  if (m->tokenizer != NULL)
    {
      status = sl_vocabulary_read (&vocabulary, m->tokenizer);
      if (!sl_ok (&status))
        {
          status = leave_out (m, status);
          sl_vocabulary_clear (&vocabulary);
          free (m->tokenizer);
          m->tokenizer = NULL;
        }
    }
  if (sl_ok (&status))
    status = sl_routing_draft_name (m->draft, sl_vocabulary_name, &vocabulary, &words, &unnamed);
  sl_vocabulary_clear (&vocabulary);
  if (sl_ok (&status))
    say_words (m, words, unnamed);
  return status;
}

static SlStatus
read_config (Model *m)
{
  SlMessage said;
  SlStatus  status;

  if (m->config == NULL)
    return SL_SUCCESS;
  status = sl_config_expert (m->config, &m->draft->expert_bytes, &said);
  if (!sl_ok (&status))
    return leave_out (m, status);
  if (said.packed[0] != '\0')
    sl_reading_note (&m->draft->reading, said);
  else if (m->asked)
    sl_reading_note (&m->draft->reading,
                     sl_message ("config.json does not say how large an expert is"));
  return SL_SUCCESS;
}

SlStatus
sl_recording_model (SlRoutingDraft *draft)
{
  Model m
    = { .draft = draft, .asked = draft->options.model != NULL && draft->options.model[0] != '\0' };
  SlStatus status = find_files (&m);

  if (sl_ok (&status))
    status = read_words (&m);
  if (sl_ok (&status))
    status = read_config (&m);
  free (m.tokenizer);
  free (m.config);
  return status;
}
