/* SPDX-License-Identifier: MIT
 *
 * SL_CLONES before a function compiles it for the instruction sets worth having and lets
 * the loader choose.  Off under the sanitizers, whose start-up runs after the loader's
 * choice, and with SL_NO_CLONES, where lines and branches are counted.  Functions with an
 * OpenMP loop inside are not cloned: clone what the loop calls.  */
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)                                \
  && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(SL_NO_CLONES)
#define SL_CLONES __attribute__ ((target_clones ("arch=x86-64-v4", "arch=x86-64-v3", "default")))
/* For a function that is written anew for 32 registers of 64 bytes (AVX-512), and for the other one;
 * the caller asks which of them can be called.  */
#define SL_WIDE __attribute__ ((target ("arch=x86-64-v4")))
#define SL_NARROW_CLONES __attribute__ ((target_clones ("arch=x86-64-v3", "default")))
#define SL_HAS_WIDE() __builtin_cpu_supports ("x86-64-v4")
#else
#define SL_CLONES
#define SL_NARROW_CLONES
#endif
