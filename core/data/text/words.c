/* SPDX-License-Identifier: MIT */
#include "core/data/text/words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/set/hash.h"

static const char unknown_title[] = "‹unk›"; /* as the field writes it */

/* The role of a letter in a word. */
typedef enum {
  BLANK,
  PART,
  MARK, /* a word by itself */
} Role;

/* A different word of the training text. */
typedef struct
{
  size_t   first, length; /* where it occurs first, in letters */
  size_t   count;
  uint32_t symbol; /* in the vocabulary; 0: not in it */
} Word;

typedef struct
{
  const SlDataset *text;
  Role             role[256];
  Word            *word; /* (n) in the order of their first places */
  size_t           n, room;
  uint32_t        *slot; /* (slots) 1 + index of a word, 0: empty */
  size_t           slots;
} Reader;

/* Titles of unprintable letters are escapes: "\x0a".  */
static Role
role_of (const char *title)
{
  static const char escape[] = "\\x";
  unsigned char     first = (unsigned char) title[0];

  if (strcmp (title, " ") == 0 || strcmp (title, "⏎") == 0)
    return BLANK;
  if (strncmp (title, escape, strlen (escape)) == 0 && title[2] != '\0')
    return strtoul (title + 2, NULL, 16) < 0x80 ? BLANK : PART;
  return first < 0x80 && !isalnum (first) && first != '\'' ? MARK : PART;
}

/* The next word from *at on, before `end`: its length, 0 where there is none. */
static size_t
next_word (const Reader *r, size_t *at, size_t end)
{
  const uint8_t *letter = r->text->bytes;
  size_t         length = 1;

  while (*at < end && r->role[letter[*at]] == BLANK)
    ++*at;
  if (*at >= end)
    return 0;
  if (r->role[letter[*at]] == MARK)
    return 1;
  while (*at + length < end && r->role[letter[*at + length]] == PART)
    length++;
  return length;
}

/* The place in `slot` of a word, or where it would go. */
static uint32_t *
find_slot (const Reader *r, size_t at, size_t length)
{
  const uint8_t *letter = r->text->bytes;

  for (size_t i = sl_hash (letter + at, length, 0);; i++)
    {
      uint32_t   *slot = &r->slot[i & (r->slots - 1)];
      const Word *word = *slot == 0 ? NULL : &r->word[*slot - 1];

      if (word == NULL
          || (word->length == length && memcmp (letter + word->first, letter + at, length) == 0))
        return slot;
    }
}

/* Twice the room for words, and slots that are at most half full. */
static bool
grow (Reader *r)
{
  size_t    room = r->room > 0 ? 2 * r->room : 1024, slots = 2 * room;
  Word     *word = realloc (r->word, room * sizeof *word);
  uint32_t *slot = word != NULL ? calloc (slots, sizeof *slot) : NULL;

  if (word != NULL)
    r->word = word;
  if (slot == NULL)
    return false;
  free (r->slot);
  r->slot = slot;
  r->slots = slots;
  r->room = room;
  for (size_t i = 0; i < r->n; i++)
    *find_slot (r, word[i].first, word[i].length) = (uint32_t) i + 1;
  return true;
}

static bool
count_word (Reader *r, size_t at, size_t length)
{
  uint32_t *slot;

  if (r->n == r->room && !grow (r))
    return false;
  slot = find_slot (r, at, length);
  if (*slot == 0)
    {
      r->word[r->n++] = (Word) { .first = at, .length = length };
      *slot = (uint32_t) r->n;
    }
  r->word[*slot - 1].count++;
  return true;
}

static bool
count_words (Reader *r)
{
  size_t at = 0, length;

  while ((length = next_word (r, &at, r->text->n[SL_TRAIN])) > 0)
    {
      if (!count_word (r, at, length))
        return false;
      at += length;
    }
  return true;
}

/* The more frequent first, of equal ones the earlier. */
static int
compare_words (const void *a, const void *b)
{
  const Word *x = *(Word *const *) a, *y = *(Word *const *) b;

  if (x->count != y->count)
    return x->count > y->count ? -1 : 1;
  return x->first < y->first ? -1 : 1;
}

/* Copies the titles of a word's letters behind each other; returns the byte behind its end. */
static char *
write_title (const Reader *r, const Word *word, char *to)
{
  for (size_t i = 0; i < word->length; i++)
    {
      const char *letter = r->text->class_title[r->text->bytes[word->first + i]];

      memcpy (to, letter, strlen (letter));
      to += strlen (letter);
    }
  *to = '\0';
  return to + 1;
}

static size_t
title_size (const Reader *r, const Word *word)
{
  size_t size = 1;

  for (size_t i = 0; i < word->length; i++)
    size += strlen (r->text->class_title[r->text->bytes[word->first + i]]);
  return size;
}

/* Numbers the `kinds` - 1 most frequent words from 1 on, and titles them. */
static bool
choose (Reader *r, SlWords *words, size_t most)
{
  Word **order = malloc ((r->n + 1) * sizeof *order);
  size_t size = sizeof unknown_title;
  char  *to;

  if (order == NULL)
    return false;
  for (size_t i = 0; i < r->n; i++)
    order[i] = &r->word[i];
  qsort (order, r->n, sizeof *order, compare_words);
  words->kinds = r->n + 1 < most ? r->n + 1 : most;
  for (size_t i = 1; i < words->kinds; i++)
    size += title_size (r, order[i - 1]);
  words->title = malloc (words->kinds * sizeof *words->title);
  words->titles = to = malloc (size);
  if (words->title != NULL && to != NULL)
    {
      words->title[0] = to;
      memcpy (to, unknown_title, sizeof unknown_title);
      to += sizeof unknown_title;
      for (size_t i = 1; i < words->kinds; i++)
        {
          words->title[i] = to;
          order[i - 1]->symbol = (uint32_t) i;
          to = write_title (r, order[i - 1], to);
        }
    }
  free (order);
  return words->title != NULL && words->titles != NULL;
}

/* Writes the words of a split to `to` unless it is NULL; returns how many. */
static size_t
number_words (const Reader *r, SlSplit split, uint16_t *to, size_t *unknown)
{
  size_t at = sl_dataset_first (r->text, split), end = at + r->text->n[split], n = 0, length;

  for (; (length = next_word (r, &at, end)) > 0; at += length, n++)
    if (to != NULL)
      {
        uint32_t slot = *find_slot (r, at, length);

        to[n] = (uint16_t) (slot == 0 ? 0 : r->word[slot - 1].symbol);
        *unknown += to[n] == 0;
      }
  return n;
}

/* That every part of the text has a symbol and one that follows. */
static SlStatus
check_parts (const SlWords *words, const SlDataset *dataset)
{
  for (int split = 0; split < SL_N_SPLITS; split++)
    if (words->n[split] < 2)
      return sl_status_new (SL_EUNSUPPORTED, dataset->title, sl_message ("too short a text"),
                            sl_message ("at least two words or letters each to train, validate "
                                        "and test"));
  return SL_SUCCESS;
}

static SlStatus
number_text (const Reader *r, SlWords *words)
{
  size_t   total = 0;
  SlStatus status;

  for (int split = 0; split < SL_N_SPLITS; split++)
    {
      words->n[split] = number_words (r, (SlSplit) split, NULL, NULL);
      words->letters[split] = r->text->n[split];
      total += words->n[split];
    }
  status = check_parts (words, r->text);
  if (!sl_ok (&status))
    return status;
  words->symbol = malloc (total * sizeof *words->symbol);
  if (words->symbol == NULL)
    return sl_status_no_memory (r->text->title);
  for (int split = 0; split < SL_N_SPLITS; split++)
    number_words (r, (SlSplit) split, words->symbol + sl_words_first (words, (SlSplit) split),
                  &words->unknown[split]);
  return SL_SUCCESS;
}

SlStatus
sl_words_read (SlWords *words, const SlDataset *dataset, size_t most)
{
  Reader   reader = { .text = dataset };
  SlStatus status = SL_SUCCESS;

  *words = (SlWords) { 0 };
  for (size_t c = 0; c < dataset->classes; c++)
    reader.role[c] = role_of (dataset->class_title[c]);
  if (!grow (&reader) || !count_words (&reader) || !choose (&reader, words, most))
    status = sl_status_no_memory (dataset->title);
  if (sl_ok (&status))
    status = number_text (&reader, words);
  free (reader.word);
  free (reader.slot);
  if (!sl_ok (&status))
    sl_words_clear (words);
  return status;
}

SlStatus
sl_words_letters (SlWords *words, const SlDataset *dataset)
{
  size_t   total = dataset->n[SL_TRAIN] + dataset->n[SL_VALID] + dataset->n[SL_TEST];
  SlStatus status;

  *words = (SlWords) { .kinds = dataset->classes };
  for (int split = 0; split < SL_N_SPLITS; split++)
    words->n[split] = words->letters[split] = dataset->n[split];
  status = check_parts (words, dataset);
  if (!sl_ok (&status))
    return status;
  words->symbol = malloc (total * sizeof *words->symbol);
  words->title = malloc (words->kinds * sizeof *words->title);
  if (words->symbol == NULL || words->title == NULL)
    {
      sl_words_clear (words);
      return sl_status_no_memory (dataset->title);
    }
  for (size_t i = 0; i < total; i++)
    words->symbol[i] = dataset->bytes[i];
  for (size_t i = 0; i < words->kinds; i++)
    words->title[i] = dataset->class_title[i];
  return SL_SUCCESS;
}

void
sl_words_clear (SlWords *words)
{
  free (words->symbol);
  free (words->title);
  free (words->titles);
  *words = (SlWords) { 0 };
}
