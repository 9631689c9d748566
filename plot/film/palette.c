/* SPDX-License-Identifier: MIT */
#include "plot/film/palette.h"

#include <math.h>
#include <stdlib.h>

enum { ROOM = 1 << 12, NO_COLOUR = 0xff << 24, RGB = 0xffffff };

/* Pixels in a row or column of one colour that no edge has; and a colour covers much where one pixel of so many has it. */
enum { LINE = 3, MUCH = 4096 };

/* What a square of a distance counts at edges, of what it does elsewhere. */
static const float at_edges = 0.5F;

/* Distances of colours. */
static const float hardly_seen = 1.0F, seen = 2.8F;

typedef struct
{
  uint32_t colour; /* NO_COLOUR: a free place */
  uint8_t  number; /* of its nearest colour in the palette */
  bool     flat;   /* of a line, a letter or an area, and not only of the edge of one */
  uint64_t count;
} Entry;

struct SlFilmPalette
{
  Entry   *entry; /* (room), a table of hashes */
  size_t   room, n;
  uint32_t chosen[SL_FILM_COLOURS];
  unsigned n_chosen;
};

/* The counted colours while some of them are chosen. */
typedef struct
{
  Entry  **entry; /* (n) the most frequent first */
  float   *at;    /* (3, n) places of the colours */
  float   *apart; /* (n) from the nearest chosen one, squared */
  uint8_t *nearest;
  size_t   n;
  uint64_t pixels;
} Choice;

static Entry *
make_room (size_t room)
{
  Entry *entry = malloc (room * sizeof *entry);

  for (size_t i = 0; entry != NULL && i < room; i++)
    entry[i] = (Entry) { .colour = (uint32_t) NO_COLOUR };
  return entry;
}

SlFilmPalette *
sl_film_palette_new (void)
{
  SlFilmPalette *self = calloc (1, sizeof *self);

  if (self == NULL)
    return NULL;
  self->room = ROOM;
  self->entry = make_room (self->room);
  if (self->entry != NULL)
    return self;
  free (self);
  return NULL;
}

void
sl_film_palette_free (SlFilmPalette *palette)
{
  if (palette != NULL)
    free (palette->entry);
  free (palette);
}

/* The place of a colour, or where it would be. */
static Entry *
find (const SlFilmPalette *self, uint32_t colour)
{
  size_t at = (colour * 0x9e3779b1U >> 8) & (self->room - 1);

  while (self->entry[at].colour != colour && self->entry[at].colour != (uint32_t) NO_COLOUR)
    at = (at + 1) & (self->room - 1);
  return &self->entry[at];
}

static bool
grow (SlFilmPalette *self)
{
  SlFilmPalette larger = { .room = 2 * self->room };

  larger.entry = make_room (larger.room);
  if (larger.entry == NULL)
    return false;
  for (size_t i = 0; i < self->room; i++)
    if (self->entry[i].colour != (uint32_t) NO_COLOUR)
      *find (&larger, self->entry[i].colour) = self->entry[i];
  free (self->entry);
  self->entry = larger.entry;
  self->room = larger.room;
  return true;
}

/* How many pixels in a row have the colour of the first. */
static size_t
alike (const uint32_t *pixels, size_t n)
{
  size_t i = 1;

  while (i < n && (pixels[i] & RGB) == (pixels[0] & RGB))
    i++;
  return i;
}

static bool
count_row (SlFilmPalette *self, const uint32_t *pixels, size_t n)
{
  while (n > 0)
    {
      size_t run = alike (pixels, n);
      Entry *entry = find (self, pixels[0] & RGB);

      if (entry->colour == (uint32_t) NO_COLOUR)
        {
          *entry = (Entry) { .colour = pixels[0] & RGB };
          self->n++;
        }
      entry->count += run;
      entry->flat = entry->flat || run >= LINE;
      if (2 * self->n > self->room && !grow (self))
        return false;
      pixels += run;
      n -= run;
    }
  return true;
}

/* Upright lines that end in a row; what has a neighbour of its colour was looked at along the row. */
static void
find_upright (SlFilmPalette *self, const uint32_t *row, size_t stride, size_t n)
{
  for (size_t x = 1; x < n; x++)
    {
      const uint32_t *at = row + x, colour = *at & RGB;

      if (colour == (*(at - stride) & RGB) && colour == (*(at - 2 * stride) & RGB)
          && colour != (at[-1] & RGB))
        find (self, colour)->flat = true;
    }
}

bool
sl_film_palette_count (SlFilmPalette *palette, const uint32_t *pixels, size_t stride,
                       unsigned width, unsigned height)
{
  for (unsigned y = 0; y < height; y++)
    {
      if (!count_row (palette, pixels + y * stride, width))
        return false;
      if (y + 1 >= LINE)
        find_upright (palette, pixels + y * stride, stride, width);
    }
  return true;
}

static float
linear (uint32_t byte)
{
  float c = (float) (byte & 255) / 255.0F;

  return c <= 0.04045F ? c / 12.92F : powf ((c + 0.055F) / 1.055F, 2.4F);
}

static float
lightness (float t)
{
  return t > 0.008856452F ? cbrtf (t) : t / 0.1284185F + 4.0F / 29.0F;
}

/* Where a colour is among others as the eye has them apart: CIELAB under D65, in which strong colours are closer together
 * and pale reds and greens farther apart, as in CIEDE2000.  */
static void
place (uint32_t colour, float at[3])
{
  static const float closer = 0.045F, pale = 25.0F;
  float              r = linear (colour >> 16), g = linear (colour >> 8), b = linear (colour);
  float              x = lightness ((0.4124564F * r + 0.3575761F * g + 0.1804375F * b) / 0.95047F);
  float              y = lightness (0.2126729F * r + 0.7151522F * g + 0.0721750F * b);
  float              z = lightness ((0.0193339F * r + 0.1191920F * g + 0.9503041F * b) / 1.08883F);
  float              red = 500.0F * (x - y), yellow = 200.0F * (y - z);
  float              strong = powf (hypotf (red, yellow) / pale, 7.0F), chroma, part;

  red *= 1.5F - 0.5F * sqrtf (strong / (strong + 1.0F));
  chroma = hypotf (red, yellow);
  part = chroma > 0.01F ? log1pf (closer * chroma) / (closer * chroma) : 1.0F;
  at[0] = 116.0F * y - 16.0F;
  at[1] = part * red;
  at[2] = part * yellow;
}

static int
compare (const void *a, const void *b)
{
  const Entry *x = *(Entry *const *) a, *y = *(Entry *const *) b;

  if (x->count != y->count)
    return x->count > y->count ? -1 : 1;
  return (x->colour > y->colour) - (x->colour < y->colour);
}

static bool
begin_choice (Choice *c, const SlFilmPalette *self)
{
  float at[3];

  *c = (Choice) { .entry = malloc ((self->n + 1) * sizeof *c->entry),
                  .at = malloc ((3 * self->n + 1) * sizeof *c->at),
                  .apart = malloc ((self->n + 1) * sizeof *c->apart),
                  .nearest = malloc (self->n + 1) };
  if (c->entry == NULL || c->at == NULL || c->apart == NULL || c->nearest == NULL)
    return false;
  for (size_t i = 0; i < self->room; i++)
    if (self->entry[i].colour != (uint32_t) NO_COLOUR)
      c->entry[c->n++] = &self->entry[i];
  qsort (c->entry, c->n, sizeof (Entry *), compare);
  for (size_t i = 0; i < c->n; i++)
    {
      place (c->entry[i]->colour, at);
      for (size_t k = 0; k < 3; k++)
        c->at[k * c->n + i] = at[k];
      c->apart[i] = HUGE_VALF;
      c->pixels += c->entry[i]->count;
    }
  return true;
}

static void
end_choice (Choice *c)
{
  free (c->entry);
  free (c->at);
  free (c->apart);
  free (c->nearest);
}

/* Takes a colour into the palette, as the nearest one of all to which it is nearer than those before. */
static void
take (SlFilmPalette *self, Choice *c, size_t which)
{
  const float *l = c->at, *a = l + c->n, *b = a + c->n;
  float        at_l = l[which], at_a = a[which], at_b = b[which];

  for (size_t i = 0; i < c->n; i++)
    {
      float dl = l[i] - at_l, da = a[i] - at_a, db = b[i] - at_b;
      float apart = dl * dl + da * da + db * db;

      if (apart < c->apart[i])
        {
          c->apart[i] = apart;
          c->nearest[i] = (uint8_t) self->n_chosen;
        }
    }
  self->chosen[self->n_chosen++] = c->entry[which]->colour;
}

/* How badly a colour needs a nearer one in the palette. */
static float
need (const Choice *c, size_t i)
{
  return c->entry[i]->flat ? c->apart[i] : at_edges * c->apart[i];
}

static size_t
neediest (const Choice *c)
{
  size_t worst = 0;

  for (size_t i = 1; i < c->n; i++)
    if (need (c, i) > need (c, worst))
      worst = i;
  return worst;
}

static float
squared (const Choice *c, size_t i, const float at[3])
{
  float l = c->at[i] - at[0], a = c->at[c->n + i] - at[1], b = c->at[2 * c->n + i] - at[2];

  return l * l + a * a + b * b;
}

/* The colour in the middle of those around one that have nothing near, which is near to more of them; or that one
 * itself.  */
static size_t
middle (const Choice *c, size_t of)
{
  const float here[] = { c->at[of], c->at[c->n + of], c->at[2 * c->n + of] };
  float       mean[3] = { 0.0F };
  size_t      n = 0, best = of;

  for (size_t i = 0; i < c->n; i++)
    if (c->apart[i] > seen * seen && squared (c, i, here) < seen * seen)
      {
        for (size_t k = 0; k < 3; k++)
          mean[k] += c->at[k * c->n + i];
        n++;
      }
  for (size_t k = 0; k < 3 && n > 0; k++)
    mean[k] /= (float) n;
  for (size_t i = 0; i < c->n && n > 0; i++)
    if (squared (c, i, mean) < squared (c, best, mean))
      best = i;
  return squared (c, best, here) < seen * seen ? best : of;
}

/* Those that cover most and are not like one before; but so many that the others have as many left. */
static void
take_much (SlFilmPalette *self, Choice *c)
{
  for (size_t i = 0; i < c->n && self->n_chosen < SL_FILM_COLOURS / 2; i++)
    if (c->entry[i]->count * MUCH >= c->pixels && c->apart[i] > hardly_seen * hardly_seen)
      take (self, c, i);
}

bool
sl_film_palette_choose (SlFilmPalette *palette)
{
  Choice c;
  bool   good = begin_choice (&c, palette);

  palette->n_chosen = 0;
  if (good)
    {
      take_much (palette, &c);
      while (palette->n_chosen < SL_FILM_COLOURS && c.n > 0 && need (&c, neediest (&c)) > 0.0F)
        take (palette, &c, middle (&c, neediest (&c)));
      for (size_t i = 0; i < c.n; i++)
        c.entry[i]->number = c.nearest[i];
    }
  end_choice (&c);
  return good;
}

unsigned
sl_film_palette_colours (const SlFilmPalette *palette, uint32_t colours[SL_FILM_COLOURS])
{
  for (unsigned i = 0; i < palette->n_chosen; i++)
    colours[i] = palette->chosen[i];
  return palette->n_chosen;
}

void
sl_film_palette_find (const SlFilmPalette *palette, const uint32_t *pixels, size_t n, uint8_t *to)
{
  while (n > 0)
    {
      size_t  run = alike (pixels, n);
      uint8_t number = find (palette, pixels[0] & RGB)->number;

      for (size_t i = 0; i < run; i++)
        to[i] = number;
      pixels += run;
      to += run;
      n -= run;
    }
}
