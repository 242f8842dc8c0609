/* touch.h -- MW_TOUCH(table, byte): an element reads or writes byte `byte` of a table in place. Nothing, unless
 * the skeleton, which is included first, says what it is (cpe/meter.h). MW_COUNTS: whether it is anything.
 *
 * C99: slave compilers see it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_TOUCH
#define MW_TOUCH(table, byte) ((void)(table), (void)(byte))
#define MW_COUNTS             0
#endif
