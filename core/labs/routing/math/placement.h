/* SPDX-License-Identifier: MIT
 *
 * Which of g devices holds which experts, and some of them more than once.
 *
 *   STATIC      consecutive experts, the first n mod g devices one more (as vLLM's "linear")
 *   GREEDY      by falling load to the device with the least load that has room for ⌈n/g⌉
 *   REPLICATED  as DeepSeek's EPLB: P = ⌈(n + extra)/g⌉ g places; the expert with the largest load
 *               per copy gets one more, P - n times; packed as GREEDY with exactly P/g a device;
 *               with nodes > 1 first groups of experts to nodes, then each node by itself
 *
 * Items of equal weight go by number, as do devices.  Where one item a device is left, item i goes to
 * device i.  EPLB computes in single precision, so that it can differ beyond loads of 2^24.  */
#pragma once

#include <stdbool.h>

#include "core/labs/routing/math/routes.h"

typedef enum {
  SL_PLACE_STATIC,
  SL_PLACE_GREEDY,
  SL_PLACE_REPLICATED,
  SL_N_PLACEMENTS,
} SlPlacementKind;

enum { SL_PLACES_MAX = 4 * SL_ROUTES_EXPERTS };

typedef struct
{
  unsigned devices; /* g; more than n are n */
  unsigned extra;   /* places beside one for each expert, at most SL_ROUTES_EXPERTS; 0: as GREEDY */
  unsigned nodes; /* groups must divide n, and nodes groups, devices and places; else both are 1 */
  unsigned groups;
} SlPlacementSetting;

/* The experts of device d are expert[first[d]] … expert[first[d + 1] - 1]. */
typedef struct
{
  unsigned n, devices;
  unsigned first[SL_ROUTES_EXPERTS + 1];
  uint16_t expert[SL_PLACES_MAX];
  uint16_t copies[SL_ROUTES_EXPERTS]; /* (n) */
} SlPlacement;

/* Places n experts by these loads.  Allocates nothing; a placement is 65 kB. */
void sl_placement_make (SlPlacementKind kind, const SlPlacementSetting *setting, unsigned n,
                        const uint64_t *load, SlPlacement *placement);

/* Whether groups and nodes divide what they have to, so that nodes are not one. */
bool sl_placement_fits (const SlPlacementSetting *setting, unsigned n);

/* How many places REPLICATED fills. */
unsigned sl_placement_places (const SlPlacementSetting *setting, unsigned n);

/* Loads of the devices (devices): each copy of an expert takes its share. */
void sl_placement_loads (const SlPlacement *placement, const uint64_t *load, double *devices);

/* Mean and largest load of the devices, added up over windows. */
typedef struct
{
  double mean, most;
} SlDeviceTime;

void sl_placement_add_time (const SlPlacement *placement, const uint64_t *load, SlDeviceTime *time);

/* Balancedness, mean ÷ most: which share of the devices' time is work if all wait for the slowest
 * one at each window.  1 without routings.  */
double sl_device_time_share (SlDeviceTime time);

/* How good a kind of placement is, four ways; windows (windows, n) are complete ones. */
typedef struct
{
  double whole;   /* planned from all, judged on one window of everything, which flatters */
  double windows; /* planned from all, judged window by window */
  double
    held_out; /* planned from the first half, judged on the second; NaN: fewer than 2 windows */
  double hindsight; /* planned from the second half itself, judged on it; NaN likewise */
  double followed; /* planned every `replan` windows from the last `replan`; NaN: too few windows */
} SlPlacementScores;

/* `placement` is that of all windows when it is done. */
SlPlacementScores sl_placement_score (SlPlacementKind kind, const SlPlacementSetting *setting,
                                      unsigned n, size_t windows, const uint64_t *loads,
                                      size_t replan, SlPlacement *placement);

/* What a router without preference would reach with STATIC in windows of so many tokens, about. */
double sl_placement_even (unsigned n, unsigned devices, double k, size_t tokens);
