/* SPDX-License-Identifier: MIT
 *
 * SL_CLONES before a function compiles it for the instruction sets worth having and lets
 * the loader choose.  Off under the sanitizers, whose start-up runs after the loader's
 * choice.  Functions with an OpenMP loop inside are not cloned: clone what the loop
 * calls.  */
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) \
    && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SL_CLONED 1 /* for what depends on the processor all the same */
#define SL_CLONES __attribute__ ((target_clones ("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define SL_CLONES
#endif
