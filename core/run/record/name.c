/* SPDX-License-Identifier: MIT */
#include "core/run/record/name.h"

#include <string.h>

/* Words of a list differ in their first three letters. */
static const char *const first[] = {
  "amber",  "brave",   "brisk",  "broad",   "calm",   "candid", "careful", "cheery",
  "civil",  "clear",   "crisp",  "curious", "dapper", "daring", "eager",   "early",
  "fair",   "fresh",   "gentle", "glad",    "golden", "happy",  "hardy",   "honest",
  "humble", "jolly",   "keen",   "kind",    "lively", "loyal",  "lucky",   "mellow",
  "merry",  "mild",    "modest", "neat",    "nimble", "noble",  "patient", "plain",
  "polite", "proud",   "quiet",  "ready",   "rosy",   "round",  "sharp",   "silver",
  "sleek",  "smooth",  "snug",   "solid",   "steady", "sunny",  "swift",   "tender",
  "tidy",   "upright", "vivid",  "warm",    "wise",   "witty",  "young",   "zesty",
};

static const char *const second[] = {
  "badger",  "beaver",  "bison",    "camel",  "canary", "cedar",  "clover", "crane",
  "cricket", "deer",    "dolphin",  "dove",   "eagle",  "falcon", "fern",   "finch",
  "fox",     "gazelle", "goose",    "hare",   "hawk",   "hazel",  "heron",  "kestrel",
  "koala",   "lemur",   "lily",     "lynx",   "magpie", "maple",  "moose",  "oak",
  "olive",   "orchid",  "osprey",   "otter",  "owl",    "panda",  "parrot", "pelican",
  "penguin", "pine",    "puffin",   "quail",  "rabbit", "raven",  "robin",  "salmon",
  "seal",    "sparrow", "squirrel", "stork",  "swan",   "thrush", "tiger",  "toucan",
  "trout",   "tulip",   "turtle",   "walnut", "willow", "wren",   "yak",    "zebra",
};

/* Bits that differ in many places where the texts differ in one: the hash of Fowler, Noll and Vo, then the last step
 * of Appleby's MurmurHash3.  */
static guint64
mix (const char *uuid)
{
  guint64 bits = 0xcbf29ce484222325U;

  for (; *uuid != '\0'; uuid++)
    bits = (bits ^ (guint8) *uuid) * 0x100000001b3U;
  bits = (bits ^ bits >> 33) * 0xff51afd7ed558ccdU;
  bits = (bits ^ bits >> 33) * 0xc4ceb9fe1a85ec53U;
  return bits ^ bits >> 33;
}

char *
sl_run_words (const char *uuid)
{
  guint64 bits = mix (uuid);

  return g_strconcat (first[bits % G_N_ELEMENTS (first)], " ",
                      second[(bits >> 8) % G_N_ELEMENTS (second)], NULL);
}

unsigned
sl_run_number (const char *uuid)
{
  return 1 + (unsigned) ((mix (uuid) >> 16) % SL_RUN_NUMBERS);
}

unsigned
sl_run_colour (const char *uuid)
{
  return 1 + (unsigned) ((mix (uuid) >> 48) % SL_RUN_COLOURS);
}

char *
sl_run_name (const char *uuid)
{
  g_autofree char *words = sl_run_words (uuid);

  return g_strdup_printf ("%s %u", words, sl_run_number (uuid));
}

gboolean
sl_run_name_is_own (const char *uuid, const char *name)
{
  g_autofree char *words = sl_run_words (uuid);
  size_t           n = strlen (words);

  return strncmp (name, words, n) == 0 && name[n] == ' '
         && g_ascii_string_to_unsigned (name + n + 1, 10, 1, G_MAXUINT, NULL, NULL);
}
