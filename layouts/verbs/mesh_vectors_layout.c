/* mesh_vectors_layout.c -- a layout of a vector file, and what must be said about it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/verbs/mesh_vectors_read.h"

#include "cli/json_field.h"

#include "base/mem.h"

#include <stdio.h>
#include <string.h>

const char *const mw_vector_models[MW_N_MODELS + 1] = {"M1", "M2", "M3", NULL};

/* [model, depth], with k also [model, depth, k]. */
static int read_case(const json_t *j, const char *key, size_t i, bool with_k,
                     struct mw_vector_case *out)
{
    const json_t *depth = json_array_get(j, 1), *k = json_array_get(j, 2);
    const int model = mw_json_word(json_array_get(j, 0), mw_vector_models);
    if (json_array_size(j) != (with_k ? 3 : 2))
        return mw_json_wrong(j, with_k ? "[model, depth, k]" : "[model, depth]",
                             "%s[%zu]", key, i);
    if (model < 0)
        return mw_json_wrong(json_array_get(j, 0), "\"M1\", \"M2\" or \"M3\"",
                             "%s[%zu]: model", key, i);
    MW_NEED(
        mw_json_integer(depth, 0, MW_FIFO_MAX, &out->depth, "%s[%zu]: depth", key, i));
    if (with_k)
        MW_NEED(mw_json_integer(k, 1, UINT32_MAX, &out->k, "%s[%zu]: k", key, i));
    out->model = (enum mw_mesh_model)model;
    return MW_OK;
}

static int read_cases(const json_t *vector, const char *key, bool with_k, uint32_t *n,
                      struct mw_vector_case **out)
{
    size_t i;
    json_t *j;
    const json_t *list = json_object_get(vector, key);
    MW_NEED(mw_json_optional_array(vector, key));
    MW_NEED_NEW(*out, "vector", json_array_size(list));
    json_array_foreach(list, i, j) MW_NEED(read_case(j, key, i, with_k, &(*out)[(*n)++]));
    return MW_OK;
}

static int read_expect(json_t *expect, struct mw_vector *v)
{
    static const char *const words[] = {"pass", "deadlock", NULL};
    MW_NEED(mw_json_check_object(expect, mw_vector_models, "expect"));
    for (int m = 0; m < MW_N_MODELS; m++) {
        const json_t *j = json_object_get(expect, mw_vector_models[m]);
        const int word = mw_json_word(j, words);
        if (word < 0)
            return mw_json_wrong(j, "\"pass\" or \"deadlock\"", "expect: %s",
                                 mw_vector_models[m]);
        v->expect_free[m] = word == 0;
    }
    return MW_OK;
}

/* A node, written as we would write it. */
static int read_node(const struct mw_layout *l, enum mw_mesh_model m, const json_t *j,
                     size_t i, mw_mesh_node *out)
{
    const char *text = json_string_value(j);
    char name[MW_NODE_NAME];
    if (text == NULL || mw_node_parse(l, m, text, out) < MW_OK ||
        strcmp(mw_node_name(l, m, *out, name), text) != 0)
        return mw_json_wrong(j,
                             m == MW_COUPLED ? "a core of the mesh such as \"0,1\""
                             : m == MW_DECOUPLED
                                 ? "a FIFO of the mesh such as \"0,1.R\""
                                 : "a link of the mesh such as \"0,1>0,2\"",
                             "witness: %s[%zu]", mw_vector_models[m], i);
    return MW_OK;
}

static int read_cycle(const json_t *list, enum mw_mesh_model m, struct mw_vector *v)
{
    size_t i;
    json_t *j;
    if (list == NULL)
        return MW_OK;
    if (json_array_size(list) < 2)
        return mw_json_wrong(list, "an array of two nodes or more", "witness: %s",
                             mw_vector_models[m]);
    if (v->expect_free[m])
        return mw_fail(MW_ERR_DATA, "witness: %s: a cycle, but it is expected to pass",
                       mw_vector_models[m]);
    MW_NEED_NEW(v->witness[m], "vector", json_array_size(list));
    json_array_foreach(list, i, j)
        MW_NEED(read_node(v->layout, m, j, v->n_witness[m]++, &v->witness[m][i]));
    return MW_OK;
}

static int read_witness(json_t *witness, struct mw_vector *v)
{
    if (witness == NULL)
        return MW_OK;
    MW_NEED(mw_json_check_object(witness, mw_vector_models, "witness"));
    for (int m = 0; m < MW_N_MODELS; m++)
        MW_NEED(read_cycle(json_object_get(witness, mw_vector_models[m]),
                           (enum mw_mesh_model)m, v));
    return MW_OK;
}

static int read_expectations(const json_t *j, struct mw_vector *v)
{
    v->has_single_writer = json_object_get(j, "single_writer") != NULL;
    MW_NEED(mw_json_optional_flag(j, "single_writer", &v->single_writer));
    if (v->has_single_writer && json_object_get(j, "buckets") == NULL)
        return mw_fail(MW_ERR_DATA, "single_writer: without buckets");
    v->has_rma = json_object_get(j, "rma") != NULL;
    if (v->has_rma)
        MW_NEED(mw_json_integer(json_object_get(j, "rma"), 0, MW_MESH_CORES_MAX,
                                &v->rma_circle, "rma"));
    MW_NEED(read_expect(json_object_get(j, "expect"), v));
    MW_NEED(read_witness(json_object_get(j, "witness"), v));
    MW_NEED(read_cases(j, "exhaust", false, &v->n_exhaust, &v->exhaust));
    return read_cases(j, "min_inflight", true, &v->n_inflight, &v->inflight);
}

static int expand(struct mw_layout *l)
{
    struct mw_diagnostics d = {0};
    const int rc = mw_layout_expand(l, &d);
    return rc == MW_ERR_DATA && d.n_kept > 0 ? mw_fail(rc, "flows: %s", d.kept[0].text)
                                             : rc;
}

int mw_vector_layout(json_t *j, struct mw_vectors_file *f, struct mw_vector *v)
{
    static const char *const known[] = {
        "name",    "note",    "expect",       "flows",   "gen",
        "witness", "exhaust", "min_inflight", "buckets", "single_writer",
        "classes", "text",    "rma",          NULL};
    MW_NEED(mw_json_check_object(j, known, "layout"));
    MW_NEED(mw_vector_flows(j, &v->layout));
    f->n_cores += v->layout->listed_first[v->layout->n_listed];
    if (f->n_cores > MW_LISTED_HOPS_MAX)
        return mw_fail(MW_ERR_DATA, "the flows of the file list more than %d cores",
                       MW_LISTED_HOPS_MAX);
    snprintf(v->layout->name, sizeof v->layout->name, "%.*s",
             mw_json_bytes_shown(v->name, sizeof v->layout->name - 1), v->name);
    if (json_object_get(j, "text") == NULL) /* which is expanded */
        MW_NEED(expand(v->layout));
    return read_expectations(j, v);
}
