/* SPDX-License-Identifier: MIT */
#include "core/run/files/kind/kind.h"

#include <stdbool.h>
#include <string.h>

#include "core/data/image/bitmap.h"
#include "core/data/read/recording/open.h"
#include "core/data/read/weights.h"
#include "core/data/text/bytes.h"
#include "core/run/base/json.h"
#include "core/run/base/load.h"
#include "core/run/files/table.h"
#include "core/run/foreign/folder.h"
#include "core/run/foreign/foreign.h"
#include "core/run/record/recipe.h"
#include "core/run/store/store.h"

enum { LOOK = 512 };

static SlFileKind
folder_kind (const char *path)
{
  g_autoptr (GPtrArray) runs = sl_foreign_runs_in (path, NULL);

  if (runs->len == 1 && sl_training_look (path) == SL_TRAINING_MOST)
    return SL_FILE_RECORDING;
  return runs->len > 0 ? SL_FILE_EVENTS_FOLDER : SL_FILE_DATA;
}

/* What a document is by a member of it. */
static const struct
{
  const char *key;
  SlFileKind  kind;
} documents[] = { { "sluice-style", SL_FILE_STYLE },     { "sluice-figures", SL_FILE_FIGURES },
                  { "sluice-sweep", SL_FILE_SWEEP },     { "sluice-answers", SL_FILE_ANSWERS },
                  { "sluice-network", SL_FILE_NETWORK }, { "sluice-plan", SL_FILE_NETWORK } };

/* One that is damaged is what it names anywhere. */
static SlFileKind
document_kind (const char *path)
{
  gsize            length;
  g_autofree char *text = sl_load (path, SL_RUN_BYTES, &length, NULL);
  g_autoptr (SlJson) json = NULL;

  if (text == NULL)
    return SL_FILE_FIGURE;
  if (strstr (text, "\"sluice-run\"") != NULL)
    return SL_FILE_RUN;
  json = sl_json_parse_object (text, length, SL_RUN_BYTES, path, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (documents); i++)
    {
      g_autofree char *named = g_strdup_printf ("\"%s\"", documents[i].key);

      if (json != NULL ? sl_json_member (json, documents[i].key) != NULL
                       : strstr (text, named) != NULL)
        return documents[i].kind;
    }
  return SL_FILE_FIGURE;
}

/* How a file begins, uncompressed; nothing of one that cannot be read, which is for its reader to say. */
typedef struct
{
  char   text[LOOK + 1];
  size_t n;
} Head;

static void
read_head (const char *path, Head *head)
{
  SlStatus status = sl_bytes_head (path, head->text, LOOK, &head->n);

  (void) status; /* what cannot be read has no bytes */
  head->text[head->n] = '\0';
}

static bool
ends (const char *path, const char *const *endings)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  for (; *endings != NULL; endings++)
    if (g_str_has_suffix (lower, *endings))
      return true;
  return false;
}

/* A figure as a script begins with a comment that says so. */
static bool
is_figure (const char *path, const Head *head)
{
  static const char *const endings[]
    = { ".png", ".apng", ".gif", ".svg", ".pdf", ".tikz", ".tex", ".py", ".html", NULL };

  return ends (path, endings) || g_str_has_prefix (head->text, "%PDF-")
         || strstr (head->text, "# A figure of Sluice for ") != NULL;
}

/* A table of Sluice may have one row, which says nothing about rising steps. */
static bool
is_table (SlForeignLook look, const Head *head)
{
  const char *row = strchr (head->text, '\n'), *next = row != NULL ? strchr (row + 1, '\n') : NULL;

  return look == SL_FOREIGN_TABLE
         || (g_str_has_prefix (head->text, "step,") && (next == NULL || next[1] == '\0'));
}

static SlFileKind
regular_kind (const char *path, SlForeignLook look)
{
  static const char *const json[] = { ".json", NULL }, *const weights[] = { ".safetensors", NULL };
  Head head;

  read_head (path, &head);
  if (strstr (head.text, "\"sluice-network\"") != NULL
      || strstr (head.text, "\"sluice-plan\"") != NULL)
    return SL_FILE_NETWORK;
  if (sl_routing_likely (path))
    return SL_FILE_RECORDING;
  if (ends (path, json))
    return document_kind (path);
  if (is_figure (path, &head))
    return SL_FILE_FIGURE;
  if (sl_bitmap_likely ((const uint8_t *) head.text, head.n))
    return SL_FILE_PICTURE;
  if (ends (path, weights) || sl_safetensors_likely ((const uint8_t *) head.text, head.n)
      || sl_weights_likely (path, sl_tensor_is_image_layer))
    return SL_FILE_WEIGHTS;
  return is_table (look, &head) ? SL_FILE_TABLE : SL_FILE_DATA;
}

SlFileKind
sl_file_kind (const char *path)
{
  SlForeignLook look;

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    return folder_kind (path);
  /* Nothing is read from a pipe or a device; its reader refuses it. */
  if (g_file_test (path, G_FILE_TEST_EXISTS) && !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return SL_FILE_DATA;
  if (g_str_has_suffix (path, ".lesson"))
    return SL_FILE_LESSON;
  look = sl_foreign_look (path);
  /* An event file of ours ends as runs do. */
  if (look == SL_FOREIGN_EVENTS || look == SL_FOREIGN_LOG)
    return sl_training_look (path) == SL_TRAINING_MOST ? SL_FILE_RECORDING
           : look == SL_FOREIGN_EVENTS                 ? SL_FILE_EVENTS
                                                       : SL_FILE_LOG;
  if (look == SL_FOREIGN_TRIALS)
    return SL_FILE_TRIALS;
  if (g_str_has_suffix (path, ".sluice") || sl_store_is_store (path))
    return SL_FILE_STORE;
  return regular_kind (path, look);
}

gboolean
sl_file_is_curves (SlFileKind kind)
{
  return kind >= SL_FILE_EVENTS && kind <= SL_FILE_TABLE;
}

gboolean
sl_file_is_data (SlFileKind kind)
{
  return kind <= SL_FILE_WEIGHTS;
}

gboolean
sl_file_has_loads (const char *path)
{
  return sl_training_look (path) != SL_TRAINING_NONE;
}

gboolean
sl_file_has_recipe (const char *path)
{
  SlFileKind       kind = sl_file_kind (path);
  g_autofree char *text
    = kind == SL_FILE_FIGURE || kind == SL_FILE_RUN ? sl_recipe_find (path, NULL) : NULL;

  return text != NULL;
}
