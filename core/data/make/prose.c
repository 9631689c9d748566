/* SPDX-License-Identifier: MIT
 *
 * Sources of text: the King James Bible where Debian's package bible-kjv-text has put it, and
 * sentences made up by a small grammar, which need nothing.  */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/rng.h"
#include "core/data/read/stream.h"
#include "core/data/source/options.h"
#include "core/data/source/sources.h"

static const char bible_path[] = "/usr/lib/bible.data";

static const SlChoice alphabets[] = {
  { "letters", "a to z and space" }, { "own", "Letters of the text" }, { "bytes", "Bytes" }, { 0 }
};

#define OPTION_ALPHABET                                                                            \
  SL_OPTION ("alphabet", "Alphabet", "",                                                           \
             "a to z and space as in text8, the text's own letters with case and punctuation, "    \
             "or bytes.",                                                                          \
             "Davis 2016, §4.5.1: 27 symbols", .kind = SL_CHOICE, .fallback = SL_ALPHABET_LETTERS, \
             .choices = alphabets)

/* 95 % for training, as published; most of the other 5 % for validation. */
#define OPTION_VALID                                                                               \
  SL_OPTION_SHARE ("valid", "Validation share",                                                    \
                   "Share of the text for validation, after the training part.",                   \
                   "Davis 2016, §4.5.1: the last 5 %", 0.01, 0.04)

#define OPTION_TEST                                                                                \
  SL_OPTION_SHARE ("test", "Test share", "Share of the text, at its end, for the final score.",    \
                   "", 0.01, 0.01)

static SlSplitting
splitting_of (const SlSource *source, const SlSettings *settings)
{
  return (SlSplitting) { .valid = sl_source_option (source, settings, "valid"),
                         .test = sl_source_option (source, settings, "test") };
}

static bool
bible_available (void)
{
  return access (bible_path, R_OK) == 0;
}

static SlStatus
open_bible (const SlSource *source, const SlSettings *settings, const SlSourceFiles *files,
            SlDataset **dataset)
{
  SlAlphabet  alphabet = (SlAlphabet) sl_source_option (source, settings, "alphabet");
  SlSplitting splitting = splitting_of (source, settings);
  SlDraft     draft = { 0 };
  SlStatus    status;

  if (!bible_available ())
    return sl_status_new (SL_EIO, source->id, sl_message ("no such file"),
                          sl_message ("Debian's package bible-kjv-text"));
  status = sl_stream_open (bible_path, alphabet, &splitting, &draft);
  return sl_draft_deliver (&draft, status, source->title, dataset);
}

static const SlParam bible_params[] = { OPTION_ALPHABET, OPTION_VALID, OPTION_TEST };

const SlSource sl_source_bible = {
  .id = "bible",
  .title = "King James Bible",
  .help = "Four million letters of English of 1611, from Debian's package bible-kjv-text.",
  .yields = SL_NEEDS_TEXT,
  .params = bible_params,
  .n_params = sizeof bible_params / sizeof *bible_params,
  .available = bible_available,
  .open = open_bible,
};

/* The grammar.  Verbs agree with their subject, whose number has to be remembered across the words
 * between them, and what was opened is closed.  */
typedef struct
{
  char  *text;
  size_t size, used;
  SlRng  rng;
} Writer;

static void
write_word (Writer *writer, const char *word)
{
  size_t length = strlen (word);

  if (writer->used + length + 1 > writer->size)
    {
      writer->used = writer->size;
      return;
    }
  memcpy (writer->text + writer->used, word, length);
  writer->text[writer->used + length] = ' ';
  writer->used += length + 1;
}

static const char *
one_of (Writer *writer, const char *const *words, size_t n)
{
  return words[sl_rng_below (&writer->rng, n)];
}

#define ONE_OF(writer, words) one_of (writer, words, sizeof words / sizeof *words)

static bool
draw_chance (Writer *writer, double chance)
{
  return sl_rng_uniform (&writer->rng) < chance;
}

static void
write_noun (Writer *writer, bool plural, int depth)
{
  static const char *const adjectives[]
    = { "old", "quiet", "golden", "heavy", "distant", "small", "bright", "northern" };
  static const char *const nouns[] = { "river", "king",     "bird",   "stone",   "garden",
                                       "child", "mountain", "letter", "lantern", "horse" };
  static const char *const many[] = { "rivers",   "kings",     "birds",   "stones",   "gardens",
                                      "children", "mountains", "letters", "lanterns", "horses" };
  static const char *const places[] = { "near", "under", "beside", "behind", "above" };

  write_word (writer, plural                      ? draw_chance (writer, 0.5) ? "these" : "the"
                      : draw_chance (writer, 0.5) ? "a"
                                                  : "the");
  if (draw_chance (writer, 0.4))
    write_word (writer, ONE_OF (writer, adjectives));
  write_word (writer, plural ? ONE_OF (writer, many) : ONE_OF (writer, nouns));
  if (depth > 0 && draw_chance (writer, 0.3))
    {
      write_word (writer, ONE_OF (writer, places));
      write_noun (writer, draw_chance (writer, 0.5), depth - 1);
    }
}

static void
write_sentence (Writer *writer, int depth)
{
  static const char *const one[] = { "sees", "follows", "remembers", "carries", "loves", "finds" };
  static const char *const many[] = { "see", "follow", "remember", "carry", "love", "find" };
  static const char *const joints[] = { "and", "but", "while", "because" };
  bool                     plural = draw_chance (writer, 0.5), asks = draw_chance (writer, 0.15);

  if (asks)
    write_word (writer, "if");
  write_noun (writer, plural, 2);
  write_word (writer, plural ? ONE_OF (writer, many) : ONE_OF (writer, one));
  write_noun (writer, draw_chance (writer, 0.5), 1);
  if (asks)
    {
      write_word (writer, "then");
      write_sentence (writer, 0);
    }
  else if (depth > 0 && draw_chance (writer, 0.35))
    {
      write_word (writer, ONE_OF (writer, joints));
      write_sentence (writer, depth - 1);
    }
}

static SlStatus
open_grammar (const SlSource *source, const SlSettings *settings, const SlSourceFiles *files,
              SlDataset **dataset)
{
  size_t      size = (size_t) sl_source_option (source, settings, "length");
  SlSplitting splitting = splitting_of (source, settings);
  Writer      writer = { .text = malloc (size + 1), .size = size };
  SlDraft     draft = { 0 };
  SlStatus    status;

  if (writer.text == NULL)
    return sl_status_no_memory (source->id);
  memset (writer.text, ' ', size);
  sl_rng_init (&writer.rng, (uint64_t) sl_source_option (source, settings, "seed"), "text");
  while (writer.used < size)
    write_sentence (&writer, 1);
  status = sl_stream_make (&draft, source->id, (uint8_t *) writer.text, size, SL_ALPHABET_LETTERS,
                           &splitting);
  free (writer.text);
  return sl_draft_deliver (&draft, status, source->title, dataset);
}

static const SlParam grammar_params[] = {
  SL_OPTION ("length", "Length", "letters", "In all splits together.", "", .kind = SL_INTEGER,
             .lo = 1000, .hi = 1e8, .step = 100000, .fallback = 1000000, .logarithmic = true),
  OPTION_VALID,
  OPTION_TEST,
  SL_OPTION_SEED_OF ("Seed of the sentences."),
};

const SlSource sl_source_grammar = {
  .id = "grammar",
  .title = "Made-up sentences",
  .help
  = "Sentences of a small grammar: verbs agree with distant subjects, and every if has its then.",
  .yields = SL_NEEDS_TEXT,
  .params = grammar_params,
  .n_params = sizeof grammar_params / sizeof *grammar_params,
  .open = open_grammar,
};
