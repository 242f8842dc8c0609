/* mesh_vectors_script.c -- a script of a vector file: a program per core, and whether the whole
 * deadlocks. What its puts may reach is checked here.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/verbs/mesh_vectors_read.h"

#include "cli/json_field.h"

#include "base/mem.h"

static const char *const operations[] = {"putR", "putC", "getR", "getC", "getany", NULL};
#define AN_INSTRUCTION                                                                   \
    "[\"putR\" or \"putC\", core], [\"getR\", \"getC\" or \"getany\"], or "              \
    "[\"rep\", n, ...]"

static bool is_rep(const json_t *j)
{
    static const char *const rep[] = {"rep", NULL};
    return mw_json_word(json_array_get(j, 0), rep) == 0;
}

/* The target of a put, in a row or column with `from`. */
static int read_target(const struct mw_layout *mesh, const char *key, size_t i,
                       mw_core from, const json_t *j, struct mw_instruction *out)
{
    uint32_t to[2];
    const int class = out->kind == MW_PUT_ROW ? MW_ROW : MW_COLUMN;
    if (!mw_vector_core(json_string_value(j), to))
        return mw_json_wrong(j, MW_A_CORE, "programs: %s[%zu]", key, i);
    out->to = mw_core_at(mesh, to[MW_AT_ROW], to[MW_AT_COL]);
    if (!mw_hop_legal(mesh, from, out->to) ||
        (int)mw_hop_class(mesh, from, out->to) != class)
        return mw_json_wrong(
            j, class == MW_ROW ? "another core of its row" : "another core of its column",
            "programs: %s[%zu]", key, i);
    return MW_OK;
}

/* Instruction i of a program, and how often. */
static int read_instruction(const struct mw_layout *mesh, const char *key, size_t i,
                            mw_core from, const json_t *j, struct mw_instruction *out,
                            uint32_t *times)
{
    const size_t at = is_rep(j) ? 2 : 0;
    const json_t *n = json_array_get(j, 1);
    const int op = mw_json_word(json_array_get(j, at), operations);
    const bool puts = op == MW_PUT_ROW || op == MW_PUT_COLUMN;
    if (op < 0 || json_array_size(j) != at + (puts ? 2 : 1))
        return mw_json_wrong(j, AN_INSTRUCTION, "programs: %s[%zu]", key, i);
    *times = 1;
    if (at > 0)
        MW_NEED(mw_json_integer(n, 0, MW_PROGRAM_MAX, times, "programs: %s[%zu]: rep",
                                key, i));
    *out = (struct mw_instruction){.kind = (uint8_t)op};
    return puts ? read_target(mesh, key, i, from, json_array_get(j, at + 1), out) : MW_OK;
}

/* Reads the program twice: once for its length, then into place. */
static int read_program(const struct mw_layout *mesh, const char *key, const json_t *list,
                        struct mw_program *out)
{
    size_t i;
    json_t *j;
    uint32_t core[2];
    if (!mw_vector_core(key, core))
        return mw_json_wrong_key(key, MW_A_CORE, "programs");
    if (!json_is_array(list))
        return mw_json_wrong(list, "an array of instructions", "programs: %s", key);
    out->core = mw_core_at(mesh, core[MW_AT_ROW], core[MW_AT_COL]);
    for (int round = 0; round < 2; round++) {
        uint64_t n = 0;
        json_array_foreach(list, i, j)
        {
            struct mw_instruction one;
            uint32_t times = 0;
            MW_NEED(read_instruction(mesh, key, i, out->core, j, &one, &times));
            if (n + times > MW_PROGRAM_MAX)
                return mw_fail(MW_ERR_DATA, "programs: %s: more than %d instructions",
                               key, MW_PROGRAM_MAX);
            for (uint32_t k = 0; round > 0 && k < times; k++)
                out->instruction[n + k] = one;
            n += times;
        }
        out->n_instructions = (uint32_t)n;
        if (round == 0)
            MW_NEED_NEW(out->instruction, "script", n);
    }
    return MW_OK;
}

/* The shape that holds every core a script names; what is none is found later. */
static void script_shape(json_t *programs, uint32_t shape[2])
{
    const char *key;
    json_t *list, *j;
    size_t i;
    json_object_foreach(programs, key, list)
    {
        mw_vector_cover(key, shape);
        json_array_foreach(list, i, j) mw_vector_cover(
            json_string_value(json_array_get(j, json_array_size(j) - 1)), shape);
    }
}

static int read_programs(json_t *programs, struct mw_vectors_file *f, struct mw_vector *v)
{
    const char *key;
    json_t *list;
    uint32_t shape[2] = {1, 1};
    if (!json_is_object(programs))
        return mw_json_wrong(programs, "an object", "programs");
    script_shape(programs, shape);
    MW_NEED(mw_layout_new(shape[MW_AT_ROW], shape[MW_AT_COL], &v->layout));
    v->script.mesh = v->layout;
    MW_NEED_NEW(v->script.program, "script", json_object_size(programs));
    json_object_foreach(programs, key, list)
    {
        struct mw_program *p = &v->script.program[v->script.n_programs++];
        MW_NEED(read_program(v->layout, key, list, p));
        f->n_instructions += p->n_instructions;
        if (f->n_instructions > MW_VECTOR_INSTRUCTIONS_MAX)
            return mw_fail(MW_ERR_DATA, "programs: more than %d instructions in the file",
                           MW_VECTOR_INSTRUCTIONS_MAX);
    }
    return MW_OK;
}

int mw_vector_script(json_t *j, struct mw_vectors_file *f, struct mw_vector *v)
{
    static const char *const known[] = {"name", "note",     "expect", "cap",
                                        "send", "programs", NULL};
    static const char *const words[] = {"free", "deadlock", NULL};
    const json_t *expect = json_object_get(j, "expect"),
                 *send = json_object_get(j, "send");
    v->is_script = true;
    MW_NEED(mw_json_check_object(j, known, "script"));
    if (mw_json_word(expect, words) < 0)
        return mw_json_wrong(expect, "\"free\" or \"deadlock\"", "expect");
    v->expect_deadlock = mw_json_word(expect, words) == 1;
    MW_NEED(mw_json_integer(json_object_get(j, "cap"), 0, MW_FIFO_MAX,
                            &v->script.capacity, "cap"));
    if (send != NULL)
        MW_NEED(mw_json_integer(send, 0, MW_FIFO_MAX, &v->script.send, "send"));
    return read_programs(json_object_get(j, "programs"), f, v);
}
