/* SPDX-License-Identifier: MIT
 *
 * Words of tokens in recordings of routing, from every place where files have them; what the files of a model say; and
 * experts that compute nothing.  */
#include <glib/gstdio.h>
#include <string.h>

#include "core/data/read/recording/model.h"
#include "core/data/read/recording/open.h"
#include "core/data/routing/npz-write.h"
#include "core/data/routing/words.h"
#include "core/data/source/source.h"
#include "core/data/text/text.h"
#include "tests/support/close.h"
#include "tests/support/english.h"
#include "tests/support/folder.h"

static char *folder;

static char *
write_bytes (const char *name, const void *bytes, gsize size)
{
  char            *path = g_build_filename (folder, name, NULL);
  g_autofree char *dir = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (dir, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, bytes, (gssize) size, NULL));
  return path;
}

static char *
write_text (const char *name, const char *text)
{
  return write_bytes (name, text, strlen (text));
}

static SlRouting *
open_with (const char *path, const SlRoutingOptions *options)
{
  SlRouting *routing;
  SlStatus   status = sl_routing_open (path, options, &routing);
  char       text[1024];

  if (!sl_ok (&status))
    g_error ("%s", sl_status_text (&status, text, sizeof text));
  return routing;
}

static SlRouting *
open_text (const char *name, const char *text)
{
  g_autofree char *path = write_text (name, text);

  return open_with (path, &(SlRoutingOptions) { 0 });
}

/* "the|_cat|-": words of a layer, "-" where there is none. */
static char *
words_of (const SlRouting *routing, unsigned layer)
{
  const SlRoutingLayer *of = &routing->layer[layer];
  GString              *text = g_string_new (NULL);

  for (size_t t = 0; t < of->tokens; t++)
    g_string_append_printf (
      text, "%s%s", t > 0 ? "|" : "",
      of->token == NULL || of->token[t] == SL_ROUTING_NO_WORD ? "-" : routing->word[of->token[t]]);
  return g_string_free (text, FALSE);
}

/* In all layers, which share them; each word is there once, in order of appearance.  Frees the recording. */
static void
assert_words (SlRouting *routing, const char *expected)
{
  uint32_t next = 0;

  for (unsigned l = 0; l < routing->n_layers; l++)
    {
      g_autofree char *words = words_of (routing, l);

      g_assert_cmpstr (words, ==, expected);
      g_assert_true (routing->layer[l].token == routing->layer[0].token);
    }
  for (size_t t = 0; t < routing->layer[0].tokens; t++)
    {
      uint32_t word = routing->layer[0].token[t];

      g_assert_true (word <= next || word == SL_ROUTING_NO_WORD);
      next += word == next;
    }
  g_assert_cmpuint (next, ==, routing->n_words);
  sl_routing_free (routing);
}

static gboolean
has_note (const SlRouting *routing, const char *note)
{
  for (unsigned i = 0; i < routing->reading.n_notes; i++)
    if (strstr (sl_english (&routing->reading.note[i]), note) != NULL)
      return TRUE;
  return FALSE;
}

/* ---- texts ---- */

static void
columns (void)
{
  static const char *const names[] = { "token_str", "token", "piece", "word", "decoded_token" };

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *text
        = g_strdup_printf ("{\"layer\":0,\"%1$s\":\"the\",\"topk_ids\":[1,2]}\n"
                           "{\"layer\":1,\"%1$s\":\"the\",\"topk_ids\":[0,2]}\n"
                           "{\"layer\":0,\"%1$s\":\" cat\",\"topk_ids\":[3,2]}\n"
                           "{\"layer\":1,\"%1$s\":\" cat\",\"topk_ids\":[3,1]}\n"
                           "{\"layer\":0,\"%1$s\":\"the\",\"topk_ids\":[1,0]}\n"
                           "{\"layer\":1,\"%1$s\":\"the\",\"topk_ids\":[2,0]}\n",
                           names[i]);

      assert_words (open_text ("a.jsonl", text), "the| cat|the");
    }
  assert_words (open_text ("a.csv", "layer,token_idx,token_text,e0,e1\n0,0,the,1,2\n0,1,cat,3,2\n"
                                    "0,2,,0,1\n1,0,the,1,2\n1,1,cat,3,2\n1,2,,1,3\n"),
                "the|cat|-");
  assert_words (open_text ("a.tsv", "layer\ttoken_idx\tslot\texpert\tword\n0\t0\t0\t1\tin\n"
                                    "0\t0\t1\t2\tin\n0\t1\t0\t3\tout\n0\t1\t1\t0\tout\n"),
                "in|out");
  /* The token around its layers; the tokens of a pass in a list; rows whose lists have all layers. */
  assert_words (open_text ("b.jsonl", "{\"token\":\"a\",\"at\":[{\"layer\":0,\"experts\":[1]},"
                                      "{\"layer\":1,\"experts\":[2]}]}\n"
                                      "{\"token\":\"b\",\"at\":[{\"layer\":0,\"experts\":[0]},"
                                      "{\"layer\":1,\"experts\":[3]}]}\n"),
                "a|b");
  assert_words (open_text ("c.jsonl",
                           "{\"layer\":0,\"tokens\":[\"x\",\"y\"],\"topk_ids\":[[1,2],[2,3]]}\n"
                           "{\"layer\":1,\"tokens\":[\"x\",\"y\"],\"topk_ids\":[[3,2],[1,3]]}\n"
                           "{\"layer\":0,\"tokens\":[\"z\"],\"topk_ids\":[[0,1]]}\n"
                           "{\"layer\":1,\"tokens\":[\"z\"],\"topk_ids\":[[2,1]]}\n"),
                "x|y|z");
  assert_words (open_text ("d.jsonl", "{\"token\":\"p\",\"layers\":[[1,2],[2,3]]}\n"
                                      "{\"token\":\"q\",\"layers\":[[3,2],[1,0]]}\n"),
                "p|q");
}

static void
arrays (void)
{
  g_autofree char *path = NULL;

  assert_words (open_text ("a.json", "{\"tokens\": [\"one\", \" two\", \"one\"],\n"
                                     " \"routed\": 1, \"topk_ids\": [[[0,1],[2,3]],[[1,2],[3,0]],"
                                     "[[2,0],[1,3]]]}\n"),
                "one| two|one");
  assert_words (open_text ("b.json", "{\"input_ids\": [[7, 8, 7]], \"topk_ids\": "
                                     "[[[0,1],[2,3]],[[1,2],[3,0]],[[2,0],[1,3]]]}\n"),
                "#7|#8|#7");
  path = write_text ("c.json", "{\"tokens\": [5, 6, 5], \"topk_ids\": "
                               "[[[0,1],[2,3]],[[1,2],[3,0]],[[2,0],[1,3]]]}\n");
  assert_words (open_with (path, &(SlRoutingOptions) { .axes = "tlk" }), "#5|#6|#5");
  {
    /* As many as the person says that there are layers: named as left out. */
    g_autofree char *two = write_text ("d.json", "{\"words\": [\"one\", \"two\"], \"topk_ids\": "
                                                 "[[[0,1],[2,3]],[[1,2],[3,0]],[[2,0],[1,3]]]}\n");
    SlRouting       *routing = open_with (two, &(SlRoutingOptions) { .axes = "tlk" });

    g_assert_null (routing->layer[0].token);
    g_assert_null (routing->word);
    g_assert_true (has_note (routing, "left out: words"));
    sl_routing_free (routing);
  }
}

static void
safetensors (void)
{
  static const char header[]
    = "{\"input_ids\":{\"dtype\":\"I32\",\"shape\":[1,3],\"data_offsets\":[0,12]},"
      "\"topk_ids\":{\"dtype\":\"U8\",\"shape\":[3,2,2],\"data_offsets\":[12,24]}}";
  static const guint8 ids[] = { 0, 1, 2, 3, 1, 2, 3, 0, 2, 0, 1, 3 };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint64          size = GUINT64_TO_LE (sizeof header - 1);
  const gint32     token[] = { GINT32_TO_LE (9), GINT32_TO_LE (4), GINT32_TO_LE (9) };
  g_autofree char *path = NULL;

  g_byte_array_append (bytes, (const guint8 *) &size, sizeof size);
  g_byte_array_append (bytes, (const guint8 *) header, sizeof header - 1);
  g_byte_array_append (bytes, (const guint8 *) token, sizeof token);
  g_byte_array_append (bytes, ids, sizeof ids);
  path = write_bytes ("a.safetensors", bytes->data, bytes->len);
  assert_words (open_with (path, &(SlRoutingOptions) { 0 }), "#9|#4|#9");
}

/* What is written comes back, also where layers have other tokens. */
static void
written (void)
{
  static const char *const texts[]
    = { "{\"layer\":0,\"token\":\"a\\n\",\"experts\":[1]}\n"
        "{\"layer\":0,\"token\":\" \u00e9\u20ac\U0001f600\",\"experts\":[2]}\n"
        "{\"layer\":0,\"token\":\"a\\n\",\"experts\":[0]}\n"
        "{\"layer\":1,\"token\":\"a\\n\",\"experts\":[1]}\n"
        "{\"layer\":1,\"token\":\" \u00e9\u20ac\U0001f600\",\"experts\":[2]}\n"
        "{\"layer\":1,\"token\":\"a\\n\",\"experts\":[0]}\n",
        "{\"layer\":0,\"token\":\"a\",\"experts\":[1]}\n{\"layer\":0,\"experts\":[2]}\n"
        "{\"layer\":1,\"token\":\"b\",\"experts\":[1]}\n" };
  static const char *const first[] = { "a↵| é€😀|a↵", "a|-" }, *const second[]
                                                              = { "a↵| é€😀|a↵", "b" };

  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      SlRouting          *routing = open_text ("w.jsonl", texts[i]);
      g_autofree char    *path = g_build_filename (folder, "w.npz", NULL), *a = NULL, *b = NULL;
      g_autofree uint8_t *bytes = NULL;
      size_t              size;
      SlStatus            status = sl_routing_npz (routing, &bytes, &size);

      g_assert_true (sl_ok (&status));
      g_assert_true (g_file_set_contents (path, (const char *) bytes, (gssize) size, NULL));
      sl_routing_free (routing);
      routing = open_with (path, &(SlRoutingOptions) { 0 });
      a = words_of (routing, 0);
      b = words_of (routing, 1);
      g_assert_cmpstr (a, ==, first[i]);
      g_assert_cmpstr (b, ==, second[i]);
      sl_routing_free (routing);
    }
}

/* Words are fit to be shown, whatever they are. */
static void
signs (void)
{
  static const struct
  {
    const char *text, *word;
  } cases[] = {
    { "\n\t\r", "↵→␍" },
    { "a\x01\x7f", "a␁␡" },
    { "\xff\xc3", "��" },
    { "\u202eab", "�ab" },
    { "�", "�" },
    { "12345678901234567890123456789012345678901234567",
      "12345678901234567890123456789012345678901234567" },
    { "123456789012345678901234567890123456789012345678",
      "12345678901234567890123456789012345678901234…" },
    { "ééééééééééééééééééééééééé", "éééééééééééééééééééééé…" },
  };
  SlRoutingWords words = { .word = NULL };
  uint32_t       number, other;

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SlStatus status
        = sl_routing_words_add (&words, cases[i].text, strlen (cases[i].text), &number);

      g_assert_true (sl_ok (&status));
      g_assert_cmpstr (words.word[number], ==, cases[i].word);
      g_assert_cmpuint (strlen (words.word[number]), <, SL_ROUTING_WORD);
      g_assert_true (sl_utf8_valid (words.word[number], strlen (words.word[number])));
    }
  sl_routing_words_add (&words, "", 0, &number);
  g_assert_cmpuint (number, ==, SL_ROUTING_NO_WORD);
  /* Many: each keeps its number. */
  for (unsigned round = 0; round < 2; round++)
    for (unsigned i = 0; i < 5000; i++)
      {
        char text[16];

        g_snprintf (text, sizeof text, "w%u", i);
        sl_routing_words_add (&words, text, strlen (text), &number);
        g_assert_cmpstr (words.word[number], ==, text);
        sl_routing_words_add (&words, text, strlen (text), &other);
        g_assert_cmpuint (number, ==, other);
      }
  g_assert_cmpuint (words.n, ==, G_N_ELEMENTS (cases) + 5000);
  sl_routing_words_clear (&words);
}

/* A part has the words of its tokens, numbered anew; layers in another order have their own. */
static void
parts (void)
{
  g_autofree char *path = write_text ("p.jsonl", "{\"layer\":0,\"token\":\"a\",\"experts\":[1]}\n"
                                                 "{\"layer\":0,\"token\":\"b\",\"experts\":[2]}\n"
                                                 "{\"layer\":0,\"token\":\"c\",\"experts\":[0]}\n"
                                                 "{\"layer\":0,\"token\":\"b\",\"experts\":[2]}\n");
  g_autofree char *cube = write_text (
    "p.json", "{\"words\": [\"a\",\"b\",\"c\"], \"topk_ids\": [[[0],[1]],[[1],[0]],[[2],[1]]]}");
  SlRouting       *routing;
  g_autofree char *first = NULL, *second = NULL;

  assert_words (open_with (path, &(SlRoutingOptions) { .from = 1, .most = 2 }), "b|c");
  assert_words (open_with (cube, &(SlRoutingOptions) { .from = 1, .most = 1 }), "b");
  routing = open_text ("q.jsonl", "{\"layer\":0,\"token\":\"a\",\"experts\":[1]}\n"
                                  "{\"layer\":0,\"token\":\"b\",\"experts\":[2]}\n"
                                  "{\"layer\":1,\"token\":\"b\",\"experts\":[1]}\n"
                                  "{\"layer\":1,\"token\":\"a\",\"experts\":[2]}\n");
  first = words_of (routing, 0);
  second = words_of (routing, 1);
  g_assert_cmpstr (first, ==, "a|b");
  g_assert_cmpstr (second, ==, "b|a");
  g_assert_true (routing->layer[0].token != routing->layer[1].token);
  sl_routing_free (routing);
  routing = open_text ("r.jsonl", "{\"layer\":0,\"experts\":[1]}\n{\"layer\":0,\"experts\":[2]}\n");
  g_assert_null (routing->layer[0].token);
  g_assert_cmpuint (routing->n_words, ==, 0);
  sl_routing_free (routing);
}

/* ---- answers ---- */

static void
answers (void)
{
  /* vLLM: prompt and choices apart; the last token made has not been through the layers. */
  assert_words (
    open_text (
      "v.json",
      "[{\"prompt_token_ids\":[5,6],\"prompt_routed_experts\":[[[1,2],[0,3]],[[2,3],[1,0]]],"
      "\"choices\":[{\"token_ids\":[7,8],\"routed_experts\":[[[3,1],[2,0]]]},"
      "{\"token_ids\":[9],\"routed_experts\":[[[3,0],[2,1]]]}]},"
      "{\"prompt_token_ids\":[4],\"prompt_routed_experts\":[[[1,3],[0,2]]],"
      "\"choices\":[{\"token_ids\":[6,5,4],\"routed_experts\":[[[3,1],[2,0]],[[0,1],[2,3]]]}]}]"),
    "#5|#6|#7|#9|#4|#6|#5");
  /* Prompt and text in one, with both lists of ids; or only how long the prompt is. */
  assert_words (open_text ("s.json", "{\"input_ids\":[3,4],\"output_ids\":[5,6],\"meta_info\":"
                                     "{\"routed_experts\":[[[1,2]],[[0,3]],[[2,1]]]}}"),
                "#3|#4|#5");
  assert_words (open_text ("t.json", "{\"output_ids\":[5,6],\"meta_info\":{\"prompt_tokens\":2,"
                                     "\"routed_experts\":[[[1,2]],[[0,3]],[[2,1]]]}}"),
                "-|-|#5");
  assert_words (open_text ("l.json", "{\"choices\":[{\"logprobs\":{\"tokens\":[\" so\",\" it\"]},"
                                     "\"routed_experts\":[[[1,2]],[[0,3]]]}]}"),
                " so| it");
  {
    SlRouting *routing = open_text ("n.json", "{\"choices\":[{\"token_ids\":[1,2,3,4,5],"
                                              "\"routed_experts\":[[[1,2]],[[0,3]]]}]}");

    g_assert_null (routing->layer[0].token);
    g_assert_true (has_note (routing, "1 of 1 parts of answers have no words"));
    sl_routing_free (routing);
  }
}

/* ---- ids ---- */

/* Rows of one layer with so many values in a column. */
static char *
rows_of (const char *column, unsigned n, const unsigned *value)
{
  GString *text = g_string_new (NULL);

  for (unsigned i = 0; i < n; i++)
    g_string_append_printf (text, "{\"layer\":0,\"%s\":%u,\"topk_ids\":[%u,%u]}\n", column,
                            value[i], i % 5, 5 + i % 3);
  return g_string_free (text, FALSE);
}

/* Numbers under token_id are places where they look like these, and then begin passes; else they are words. */
static void
places (void)
{
  static const unsigned rising[] = { 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 5 },
                        pairs[] = { 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0 },
                        sampled[] = { 0, 16, 32, 48, 64, 80, 0, 16, 32, 48, 64 },
                        ids[] = { 50, 7, 912, 33, 50, 8, 700, 12, 50, 7, 40 };
  g_autofree char *a = rows_of ("token_id", 11, rising), *b = rows_of ("token_id", 11, pairs),
                  *c = rows_of ("token_id", 11, ids), *d = rows_of ("token_idx", 11, ids),
                  *e = rows_of ("token_id", 11, sampled);
  SlRouting *routing = open_text ("a.jsonl", a);

  g_assert_null (routing->layer[0].token);
  g_assert_cmpuint (routing->layer[0].n_passes, ==, 2);
  sl_routing_free (routing);
  routing = open_text ("a.jsonl", b);
  g_assert_null (routing->layer[0].token);
  g_assert_cmpuint (routing->layer[0].n_passes, ==, 6);
  sl_routing_free (routing);
  routing = open_text ("a.jsonl", e);
  g_assert_null (routing->layer[0].token);
  g_assert_cmpuint (routing->layer[0].n_passes, ==, 2);
  sl_routing_free (routing);
  routing = open_text ("a.jsonl", c);
  g_assert_cmpuint (routing->layer[0].n_passes, ==, 1);
  g_assert_true (has_note (routing, "Tokens have ids only"));
  assert_words (routing, "#50|#7|#912|#33|#50|#8|#700|#12|#50|#7|#40");
  routing = open_text ("a.jsonl", d);
  g_assert_null (routing->layer[0].token);
  sl_routing_free (routing);
  /* Beside places they are words. */
  assert_words (open_text ("b.jsonl",
                           "{\"layer\":0,\"token_idx\":0,\"token_id\":0,\"experts\":[1]}\n"
                           "{\"layer\":0,\"token_idx\":1,\"token_id\":1,\"experts\":[2]}\n"),
                "#0|#1");
}

/* Opens rows with these ids and a vocabulary that is named. */
static SlStatus
open_named (const char *tokenizer, unsigned n, const unsigned *ids, SlRouting **routing)
{
  g_autofree char *rows = rows_of ("input_ids", n, ids), *path = write_text ("rows/r.jsonl", rows);
  g_autofree char *model = write_text ("model/tokenizer.json", tokenizer);
  g_autofree char *dir = g_path_get_dirname (model);
  SlStatus         status = sl_routing_open (path, &(SlRoutingOptions) { .model = dir }, routing);

  g_assert_cmpint (g_remove (model), ==, 0);
  return status;
}

static void
assert_named (const char *tokenizer, unsigned n, const unsigned *ids, const char *words)
{
  SlRouting *routing;
  SlStatus   status = open_named (tokenizer, n, ids, &routing);
  char       text[1024];

  if (!sl_ok (&status))
    g_error ("%s", sl_status_text (&status, text, sizeof text));
  g_assert_true (has_note (routing, "Words from tokenizer.json of the model"));
  assert_words (routing, words);
}

static void
vocabularies (void)
{
  static const unsigned ids[] = { 0, 1, 2, 3, 4, 5, 9 };

  /* Bytes as GPT-2 writes them; an added token is its own text. */
  assert_named (
    "{\"version\":\"1.0\",\"truncation\":null,\"added_tokens\":[{\"id\":5,\"content\":"
    "\"<|Ġend|>\",\"special\":true}],\n\"model\":{\"type\":\"BPE\",\"merges\":[[\"a\",\"b\"]],"
    "\"vocab\":{\"the\":0,\"Ġcat\":1,\"\\u0120\\u0120\":2,\"Ċ\":3,\"cafÃ©\":4}}}",
    7, ids, "the| cat|  |↵|café|<|Ġend|>|#9");
  /* The last characters that mean bytes which cannot be printed, 0x7f, 0xa0, 0xad, and their neighbours, which mean none. */
  assert_named ("{\"model\":{\"vocab\":{\"ġ\":0,\"Âł\":1,\"ÂŃ\":2,\"ń\":3,\"Ġ~!\":4,\"ÂĢ\":5}}}", 7,
                ids, "␡|\u00a0|�|ń| ~!|�|#9");
  /* SentencePiece, with bytes where it has no letters. */
  assert_named ("{\"model\":{\"type\":\"BPE\",\"vocab\":{\"▁the\":0,\"\\u2581\":1,\"<0x0A>\":2,"
                "\"a▁b\":3,\"Ġ\":4,\"<0xZZ>\":5}}}",
                7, ids, " the| |↵|a b|Ġ|<0xZZ>|#9");
  assert_named (
    "{\"model\":{\"type\":\"Unigram\",\"unk_id\":0,\"vocab\":[[\"<unk>\",0.0],[\"▁a\",-1.5],"
    "[\"b\",-2e3],[\"▁c\",-3]]}}",
    7, ids, "<unk>| a|b| c|#4|#5|#9");
  assert_named (
    "{\"model\":{\"type\":\"WordPiece\",\"vocab\":{\"élan\":0,\"##ing\":1,\"\\\"\":2}}}", 7, ids,
    "élan|##ing|\"|#3|#4|#5|#9");
  /* Ids that no recording has, a name twice and one that comes again, a name that is empty. */
  assert_named (
    "{\"model\":{\"vocab\":{\"a\":0,\"b\":0,\"c\":1,\"c2\":-5,\"d\":4194304,\"\":2,"
    "\"b\":3}},\"added_tokens\":[{\"content\":\"no id\"},{\"id\":4},{\"id\":9,\"content\":\"b\"}]}",
    7, ids, "b|c|#2|b|#4|#5|b");
  assert_named ("{\"added_tokens\":[{\"id\":9,\"content\":\"x\"}],\"model\":null}", 7, ids,
                "#0|#1|#2|#3|#4|#5|x");
  {
    static const unsigned large[] = { 4194304, 4000000000u, 4194304, 4194303 };

    assert_named ("{\"model\":{\"vocab\":{\"last\":4194303,\"beyond\":4194304}}}", 4, large,
                  "#4194304|#4000000000|#4194304|last");
  }
}

static void
bad_vocabularies (void)
{
  static const char *const bad[]
    = { "{\"x\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
        "",
        "[]",
        "{",
        "{\"model\":{\"vocab\":{\"a\":\"b\"}}}",
        "{\"model\":{\"vocab\":{\"a\":1.5}}}",
        "{\"model\":{\"vocab\":{\"a\":1",
        "{\"model\":{\"vocab\":[[\"a\"]]}}",
        "{\"model\":{\"vocab\":[\"a\"]}}",
        "{\"model\":{\"vocab\":5}}",
        "{\"model\":{\"vocab\":{}}}",
        "{\"added_tokens\":[5]}",
        "{\"added_tokens\":[{\"id\":\"x\"}]}",
        "{\"model\":{\"vocab\":{\"a\":1}}} x" };
  static const unsigned ids[] = { 1, 2 };

  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      SlRouting       *routing;
      SlStatus         status = open_named (bad[i], 2, ids, &routing);
      g_autofree char *rows = rows_of ("input_ids", 2, ids), *path = NULL, *beside = NULL;

      g_assert_cmpint (status.code, ==, SL_EFORMAT);
      g_assert_null (routing);
      g_assert_nonnull (strstr (status.subject, "tokenizer.json"));
      /* Beside the recording it is left out, and this is said. */
      path = write_text ("beside/r.jsonl", rows);
      beside = write_text ("beside/tokenizer.json", bad[i]);
      routing = open_with (path, &(SlRoutingOptions) { 0 });
      g_assert_true (has_note (routing, "left out beside it: "));
      assert_words (routing, "#1|#2");
      g_remove (beside);
    }
}

/* ---- the model ---- */

static void
assert_config (const char *text, double bytes, const char *said)
{
  g_autofree char *path = write_text ("config/config.json", text);
  double           found;
  SlMessage        message;
  SlStatus         status = sl_config_expert (path, &found, &message);

  g_assert_true (sl_ok (&status));
  g_assert_cmpfloat (found, ==, bytes);
  g_assert_cmpstr (sl_english (&message), ==, said);
}

static void
configs (void)
{
  assert_config (
    "{\"hidden_size\": 2048,\n \"moe_intermediate_size\": 1024, \"intermediate_size\": 5632,\n"
    "\"torch_dtype\": \"bfloat16\"}",
    12582912, "An expert has 12 MiB by config.json: 3 × 2048 × 1024 weights of 16 bits");
  assert_config ("{\"hidden_size\":1,\"intermediate_size\":1,\"dtype\":\"float32\"}", 12,
                 "An expert has 0.0117 KiB by config.json: 3 × 1 × 1 weights of 32 bits");
  assert_config ("{\"hidden_size\":64,\"intermediate_size\":32,\"dtype\":\"float32\"}", 24576,
                 "An expert has 24 KiB by config.json: 3 × 64 × 32 weights of 32 bits");
  assert_config ("{\"text_config\":{\"hidden_size\":7168,\"moe_intermediate_size\":2048},"
                 "\"torch_dtype\":\"bfloat16\",\"quantization_config\":{\"quant_method\":\"fp8\"}}",
                 44040192,
                 "An expert has 42 MiB by config.json: 3 × 7168 × 2048 weights of 8 bits");
  assert_config ("{\"hidden_size\":2048,\"moe_intermediate_size\":768,\"torch_dtype\":\"float16\","
                 "\"quantization_config\":{\"bits\":4,\"quant_method\":\"gptq\"}}",
                 2359296,
                 "An expert has 2.25 MiB by config.json: 3 × 2048 × 768 weights of 4 bits");
  assert_config (
    "{\"hidden_size\":3,\"moe_intermediate_size\":[5,7],\"torch_dtype\":\"float8_e4m3fn\"}", 45,
    "An expert has 0.0439 KiB by config.json: 3 × 3 × 5 weights of 8 bits");
  /* What is missing or cannot be. */
  assert_config ("{\"hidden_size\":2048,\"intermediate_size\":768}", 0, "");
  assert_config ("{\"hidden_size\":2048,\"torch_dtype\":\"float16\"}", 0, "");
  assert_config ("{\"hidden_size\":-3,\"intermediate_size\":768,\"torch_dtype\":\"float16\"}", 0,
                 "");
  assert_config ("{\"hidden_size\":1.5,\"intermediate_size\":768,\"torch_dtype\":\"float16\"}", 0,
                 "");
  assert_config ("{\"hidden_size\":\"x\",\"intermediate_size\":true,\"torch_dtype\":7}", 0, "");
  assert_config ("{\"hidden_size\":4,\"intermediate_size\":4,\"torch_dtype\":\"complex64\"}", 0,
                 "");
}

static const char rows[] = "{\"layer\":0,\"input_ids\":1,\"topk_ids\":[0,1]}\n"
                           "{\"layer\":0,\"input_ids\":2,\"topk_ids\":[2,1]}\n";
static const char tokenizer[] = "{\"model\":{\"vocab\":{\"one\":1,\"two\":2}}}",
                  other[] = "{\"model\":{\"vocab\":{\"uno\":1,\"due\":2}}}",
                  config[]
                  = "{\"hidden_size\":4,\"intermediate_size\":4,\"torch_dtype\":\"float16\"}";

/* The folder of the recording is looked at for two names; a model that is named comes before. */
static void
models (void)
{
  g_autofree char *path = write_text ("m/r.jsonl", rows),
                  *a = write_text ("m/tokenizer.json", tokenizer),
                  *b G_GNUC_UNUSED = write_text ("m/config.json", config),
                  *c = write_text ("n/tokenizer.json", other), *n = g_path_get_dirname (c),
                  *none = g_path_get_dirname (n),
                  *spec = g_strdup_printf ("%s:model=%s,experts=8", path, n);
  SlRouting *routing = open_with (path, &(SlRoutingOptions) { 0 });
  SlDataset *dataset;
  SlStatus   status;

  g_assert_cmpfloat (routing->expert_bytes, ==, 96);
  g_assert_true (has_note (routing, "Words from tokenizer.json beside it"));
  g_assert_true (has_note (routing, "An expert has 0.0938 KiB by config.json"));
  assert_words (routing, "one|two");
  /* A folder; the file itself; and by a specification. */
  for (unsigned i = 0; i < 2; i++)
    {
      routing = open_with (path, &(SlRoutingOptions) { .model = i == 0 ? n : c });
      g_assert_cmpfloat (routing->expert_bytes, ==, 0);
      assert_words (routing, "uno|due");
    }
  status = sl_source_open (spec, &dataset);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (dataset->routing->experts, ==, 8);
  g_assert_cmpstr (dataset->routing->word[0], ==, "uno");
  g_assert_nonnull (strstr (dataset->facts, " words"));
  {
    /* The specification that it is known by opens the same. */
    g_autofree char *id = g_strdup (dataset->id);

    sl_dataset_free (dataset);
    status = sl_source_open (id, &dataset);
    g_assert_true (sl_ok (&status));
    g_assert_cmpstr (dataset->routing->word[1], ==, "due");
    sl_dataset_free (dataset);
  }
  status = sl_routing_open (path, &(SlRoutingOptions) { .model = none }, &routing);
  g_assert_cmpint (status.code, ==, SL_EIO);
  g_assert_null (routing);
  /* Without ids the tokenizer is not read, whatever it is. */
  g_free (g_steal_pointer (&a));
  a = write_text ("m/tokenizer.json", "no JSON");
  g_free (g_steal_pointer (&path));
  path = write_text ("m/p.jsonl",
                     "{\"layer\":0,\"topk_ids\":[0,1]}\n{\"layer\":0,\"topk_ids\":[2,1]}\n");
  routing = open_with (path, &(SlRoutingOptions) { 0 });
  g_assert_false (has_note (routing, "left out"));
  g_assert_cmpfloat (routing->expert_bytes, ==, 96);
  sl_routing_free (routing);
  /* The made-up router has a size of its own. */
  status = sl_source_open ("router:tokens=64", &dataset);
  g_assert_true (sl_ok (&status));
  g_assert_cmpfloat (dataset->routing->expert_bytes, ==, 134217728);
  sl_dataset_free (dataset);
}

/* ---- experts that compute nothing, and fewer than k ---- */

static void
zeros (void)
{
  g_autofree char *path = write_text ("z.jsonl", "{\"layer\":0,\"experts\":[1,4,2]}\n"
                                                 "{\"layer\":0,\"experts\":[5,4,0]}\n"
                                                 "{\"layer\":1,\"experts\":[1,0,2]}\n"
                                                 "{\"layer\":1,\"experts\":[3,6,0]}\n");
  g_autofree char *loads = write_text ("z.csv", "layer,expert,count\n0,0,5\n0,1,6\n0,2,7\n0,3,2\n"
                                                "1,0,1\n1,1,1\n1,2,0\n1,3,0\n");
  g_autofree char *only
    = write_text ("o.jsonl", "{\"layer\":0,\"experts\":[5,4]}\n{\"layer\":0,\"experts\":[1,0]}\n");
  g_autofree char *stated = write_text ("f.jsonl", "{\"num_experts\": 4}\n"
                                                   "{\"layer\":0,\"experts\":[1,4,2]}\n");
  SlRouting       *routing = open_with (path, &(SlRoutingOptions) { .experts = 4 });
  SlStatus         status;
  uint16_t         ids[6];

  g_assert_cmpuint (routing->experts, ==, 4);
  g_assert_cmpuint (routing->layer[0].zero, ==, 3);
  g_assert_cmpuint (routing->layer[1].zero, ==, 1);
  g_assert_cmpmem (routing->layer[0].zeros, 2, ((const guint8[]) { 1, 2 }), 2);
  g_assert_cmpmem (routing->layer[1].zeros, 2, ((const guint8[]) { 0, 1 }), 2);
  g_assert_cmpuint (sl_routing_zeros (routing, 0, false), ==, 3);
  sl_routing_read (routing, 0, true, 0, 2, ids, NULL);
  g_assert_cmpuint (ids[0], ==, 1);
  g_assert_cmpuint (ids[1], ==, SL_ROUTING_NONE);
  g_assert_cmpuint (ids[2], ==, 2);
  g_assert_cmpuint (ids[3], ==, SL_ROUTING_NONE);
  g_assert_true (has_note (routing, "33.3 % of the routings go to experts beyond number 3, which "
                                    "compute nothing; on average 2.0 of 3 experts compute"));
  g_assert_false (has_note (routing, "fewer")); /* they chose as many as the others */
  sl_routing_free (routing);
  /* Of a part alone. */
  routing = open_with (path, &(SlRoutingOptions) { .experts = 4, .from = 1 });
  g_assert_cmpuint (routing->layer[0].zero, ==, 2);
  g_assert_cmpuint (routing->layer[1].zero, ==, 1);
  sl_routing_free (routing);
  /* A token may have nothing else. */
  routing = open_with (only, &(SlRoutingOptions) { .experts = 4 });
  g_assert_true (has_note (routing, "50 % of the routings go to experts beyond number 3, which "
                                    "compute nothing; on average 1.0 of 2 experts compute"));
  sl_routing_free (routing);
  /* Nothing is beyond. */
  routing = open_with (path, &(SlRoutingOptions) { .experts = 7 });
  g_assert_cmpuint (routing->layer[0].zero, ==, 0);
  g_assert_null (routing->layer[0].zeros);
  sl_routing_free (routing);
  /* Loads. */
  routing = open_with (loads, &(SlRoutingOptions) { .experts = 2 });
  g_assert_cmpuint (routing->experts, ==, 2);
  g_assert_cmpint (routing->experts_from, ==, SL_ROUTING_SAID);
  g_assert_cmpmem (routing->layer[0].counts, 16, ((const guint64[]) { 5, 6 }), 16);
  g_assert_cmpmem (routing->layer[1].counts, 16, ((const guint64[]) { 1, 1 }), 16);
  g_assert_cmpuint (routing->layer[0].zero, ==, 9);
  g_assert_cmpuint (routing->layer[1].zero, ==, 0);
  g_assert_true (has_note (routing, "40.9 % of the routings go to experts beyond number 1"));
  sl_routing_free (routing);
  /* Where the file says how many, the person must. */
  status = sl_routing_open (stated, &(SlRoutingOptions) { 0 }, &routing);
  g_assert_cmpint (status.code, ==, SL_EFORMAT);
  g_assert_cmpuint (status.n_advice, ==, 1);
  g_assert_cmpstr (status.advice[0].option, ==, "experts");
  g_assert_cmpstr (status.advice[0].value, ==, "4");
  routing = open_with (stated, &(SlRoutingOptions) { .experts = 4 });
  g_assert_cmpuint (routing->layer[0].zero, ==, 1);
  sl_routing_free (routing);
}

/* Whole arrays of loads have more columns than experts are said. */
static void
zero_columns (void)
{
  g_autofree char *path = write_text ("zc.json", "{\"loads\": [[1,2,3,4,9],[4,3,2,1,8]]}");
  SlRouting       *routing = open_with (path, &(SlRoutingOptions) { .experts = 4 });

  g_assert_cmpuint (routing->experts, ==, 4);
  g_assert_cmpmem (routing->layer[1].counts, 32, ((const guint64[]) { 4, 3, 2, 1 }), 32);
  g_assert_cmpuint (routing->layer[0].zero, ==, 9);
  g_assert_cmpuint (routing->layer[1].zero, ==, 8);
  sl_routing_free (routing);
}

/* A table of one expert a line, cut anywhere in its last token, is noted; whole ones are not. */
static void
fewer (void)
{
  enum { TOKENS = 40, SLOTS = 4 };
  g_autoptr (GString) text = g_string_new ("token,layer,slot,expert\n");
  g_autofree char *path = NULL;
  gsize            end[2] = { 0 };
  unsigned         noted = 0;
  SlRouting       *routing;

  for (unsigned t = 0; t < TOKENS; t++)
    for (unsigned s = 0; s < SLOTS; s++)
      {
        end[0] = t + 1 == TOKENS && s == 0 ? text->len : end[0];
        g_string_append_printf (text, "%u,0,%u,%u\n", t, s, (t + 11 * s) % 44);
        end[1] = s == SLOTS - 2 ? text->len : end[1];
      }
  routing = open_text ("long.csv", text->str);
  g_assert_false (has_note (routing, "fewer"));
  sl_routing_free (routing);
  for (gsize at = end[0] + strlen ("39,0,0,3"); at <= end[1]; at++)
    {
      g_autofree char *cut = g_strndup (text->str, at), *file = write_text ("cut.csv", cut);
      SlStatus         status = sl_routing_open (file, &(SlRoutingOptions) { 0 }, &routing);

      if (!sl_ok (&status)) /* a line that is cut before its expert is refused */
        continue;
      g_assert_true (has_note (routing, "1 of 40 tokens has fewer than 4 experts"));
      noted++;
      sl_routing_free (routing);
    }
  g_assert_cmpuint (noted, >=, 8);
  routing = open_text ("lists.jsonl",
                       "{\"layer\":0,\"experts\":[1,2,3]}\n{\"layer\":0,\"experts\":[2]}\n"
                       "{\"layer\":0,\"experts\":[0,3]}\n{\"layer\":0,\"experts\":[]}\n"
                       "{\"layer\":1,\"experts\":[1,2,3]}\n{\"layer\":1,\"experts\":[2]}\n");
  g_assert_true (has_note (routing, "2 of 4 tokens have fewer than 3 experts"));
  sl_routing_free (routing);
  /* By design of the array. */
  path
    = write_text ("array.json", "{\"topk_ids\": [[[0,1],[2,-1]],[[1,2],[0,-1]],[[2,0],[1,-1]]]}");
  routing = open_with (path, &(SlRoutingOptions) { .axes = "tlk" });
  g_assert_false (has_note (routing, "fewer"));
  sl_routing_free (routing);
}

int
main (int argc, char **argv)
{
  int failed;

  g_test_init (&argc, &argv, NULL);
  sl_remember_only ();
  folder = g_dir_make_tmp ("sluice-words-XXXXXX", NULL);
  g_test_add_func ("/words/columns", columns);
  g_test_add_func ("/words/arrays", arrays);
  g_test_add_func ("/words/safetensors", safetensors);
  g_test_add_func ("/words/written", written);
  g_test_add_func ("/words/signs", signs);
  g_test_add_func ("/words/parts", parts);
  g_test_add_func ("/words/answers", answers);
  g_test_add_func ("/words/places", places);
  g_test_add_func ("/words/vocabularies", vocabularies);
  g_test_add_func ("/words/bad-vocabularies", bad_vocabularies);
  g_test_add_func ("/words/configs", configs);
  g_test_add_func ("/words/models", models);
  g_test_add_func ("/words/zeros", zeros);
  g_test_add_func ("/words/zero-columns", zero_columns);
  g_test_add_func ("/words/fewer", fewer);
  failed = g_test_run ();
  sl_remove_all (folder);
  g_free (folder);
  return failed;
}
