/* test_layout.c -- the layout language: what it says, what it refuses and with which words,
 * and which flows it means.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layout_text.h"

/* ---- values -------------------------------------------------------------------------- */

START_TEST(a_file_may_leave_all_but_mesh_and_flows_to_defaults)
{
    struct mw_layout *l = good("mesh 1 2\nflow 0,0 0,1");
    MUST(l->rows == 1 && l->cols == 2 && l->n_flows == 1 && l->longest == 2);
    MUST(l->fifo[MW_ROW] == 4 && l->fifo[MW_COLUMN] == 4 && l->send == 0);
    MUST(l->sources == letter('P') && l->sinks == letter('K') && !l->transpose);
    MUST(l->n_buckets == 1 && l->bucket_owner == 0 && !l->bucket_blocks);
    MUST(l->spm_bytes == 64 << 10 && l->spm_reserve == 32 << 10);
    MUST(l->batch_bytes == 256 && l->batch_buffers == 2);
    for (uint32_t i = 0; i < MW_N_LETTERS; i++)
        MUST(l->cost[i] == (i == 'P' - 'A' ? 60U : i == 'K' - 'A' ? 30U : 32U));
    MUST(l->message_bytes == 32 && l->payload_bytes == 32 && l->dma_saturation == 16);
    MUST(l->clock_hz == 1.45e9 && l->dma_bytes_per_s == 28.9e9 && l->name[0] == '\0');
    mw_layout_free(l);
}
END_TEST

START_TEST(every_statement_is_understood_in_any_order)
{
    struct mw_layout *l = good("dma 1.5M sat 4\n"
                               "msg 16 payload 8\n"
                               "flow 0,0 1,0 bucket 5\n"
                               "clock 2K\n"
                               "cost A 1,B 2\n"
                               "spm 1M buffers 3, batch 128 reserve 2K\n"
                               "buckets 12 owner=B block\n"
                               "route A: any->B by sink , down->A|B|C by row\n"
                               "route B: col-to-row\n"
                               "sink B A\nsource A\nroles AB\nroles .B\n"
                               "fifo send 6 row 0 col 1024\n"
                               "name four-cores\nmesh 2 2\n");
    MUST(strcmp(l->name, "four-cores") == 0);
    MUST(l->fifo[MW_ROW] == 0 && l->fifo[MW_COLUMN] == 1024 && l->send == 6);
    MUST(memcmp(l->role, "AB.B", 4) == 0 && l->has_roles);
    MUST(l->sources == letter('A') && l->sinks == (letter('B') | letter('A')));
    MUST(l->n_buckets == 12 && l->bucket_owner == 'B' && l->bucket_blocks);
    MUST(l->spm_bytes == 1 << 20 && l->spm_reserve == 2048);
    MUST(l->batch_bytes == 128 && l->batch_buffers == 3);
    MUST(l->cost[0] == 1 && l->cost[1] == 2 && l->cost[2] == 32);
    MUST(l->message_bytes == 16 && l->payload_bytes == 8);
    MUST(l->clock_hz == 2000 && l->dma_bytes_per_s == 1.5e6 && l->dma_saturation == 4);
    MUST(l->listed_bucket[0] == 5 && l->listed_line[0] == 3 && l->n_listed == 1);
    mw_layout_free(l);
}
END_TEST

START_TEST(clauses_keep_their_words)
{
    struct mw_layout *l = good("mesh 1 3\nroles PTK\nflow 0,0 0,1 0,2\n"
                               "route P:any->T by sink\n"
                               "route T : same->K|T by row, col-to-row ring row-to-col "
                               "step,then K|P\n");
    const struct mw_route *t = &l->route['T' - 'A'];
    MUST(l->route['P' - 'A'].n_clauses == 1 && t->n_clauses == 4 && t->line == 5);
    MUST(l->route['P' - 'A'].clause[0].column == 9);
    MUST(t->clause[0].kind == MW_WHEN_SAME && t->clause[0].by == MW_BY_ROW);
    MUST(t->clause[0].n_targets == 2 && memcmp(t->clause[0].target, "KT", 2) == 0);
    MUST(t->clause[1].kind == MW_COL_TO_ROW && t->clause[1].hop == MW_HOP_RING);
    MUST(t->clause[2].kind == MW_ROW_TO_COL && t->clause[2].hop == MW_HOP_STEP);
    MUST(t->clause[3].kind == MW_THEN && t->clause[3].n_targets == 2);
    MUST(t->clause[0].column == 11 && t->clause[3].column == 61);
    mw_layout_free(l);
}
END_TEST

/* Each is the same layout of one flow. */
static const char *const spellings[] = {
    "mesh 2 2\nflow 0,0 0,1\n",
    "mesh 2 2\nflow 0,0 0,1",
    "mesh 2 2\r\nflow 0,0 0,1\r\n",
    "\xEF\xBB\xBFmesh 2 2\nflow 0,0 0,1\n",
    "\n\n  # mesh 3 3\n\tmesh\t2  2#all\n\nflow 0,0\v0,1\f#x",
    "flow 0,0 , 0,1\n mesh, 2, 2,,",
    "flow 0,0, 0,1,\n,mesh 2 ,2",
    "mesh 0002 2\nflow 0,00 0,01 #\x80\xFF",
};

START_TEST(blanks_and_comments_do_not_matter)
{
    struct mw_layout *l = good(spellings[_i]);
    MUST(l->rows == 2 && l->cols == 2 && l->n_listed == 1 && l->longest == 2);
    MUST(l->listed_core[0] == 0 && l->listed_core[1] == 1);
    mw_layout_free(l);
}
END_TEST

START_TEST(a_zero_byte_is_no_end)
{
    static const char text[] = "mesh 1 2 #\0\nflow 0,0 0,1\n", bad[] = "mesh 1 2\n\0x\n";
    struct mw_diagnostics d;
    struct mw_layout *l;
    MUST(parse(text, sizeof text - 1, &l, &d) == MW_OK && l->n_flows == 1);
    mw_layout_free(l);
    MUST(parse(bad, sizeof bad - 1, &l, &d) == MW_ERR_DATA && l == NULL);
    MUST(strstr(said(&d), "x.layout:2:1: error: unknown statement '?x'\n") != NULL);
}
END_TEST

/* ---- messages ------------------------------------------------------------------------ */

#define PAPER "route P: down->D up->U same->D\nroute D: col-to-row, then K\n"
#define WHOLE PAPER "route U: col-to-row, then K\n"
#define E     "x.layout:"

static const struct {
    const char *text, *said;
} messages[] = {
    /* The list of the language's description, line by line. */
    {"mesh 1 2\nflow 0,0 0,1\nrolez PK\n",
     E "3:1: error: unknown statement 'rolez'; did you mean 'roles'?\n"},
    {"flow 0,0 0,1\n", E "1:1: error: no mesh statement\n"},
    {"\nmesh 1 2\nflow 0,0 0,1\nmesh 1 2\n",
     E "4:1: error: duplicate statement 'mesh'\n"},
    {"mesh 8 8\n\n\nroles PPPPDUK\n" WHOLE,
     E "4:7: error: role row has 7 letters, the mesh has 8 columns\n"},
    {"mesh 8 8\n\nroles PPPPDUKK\nroles PPPPDUKK\nroles PPPPDUKK\n" WHOLE,
     E "5:1: error: 3 roles lines, expected 1 or 8\n"},
    {"mesh 1 2\nfifo row x\nflow 0,0 0,1\n",
     E "2:10: error: expected an integer 0..1024, got 'x'\n"},
    {"mesh 4 4\nroles PDUK\nroles PDUK\nroles PTUK\nroles PDUK\n"
     "route P: down->D up->U same->U\nroute D: col-to-row, then K\n"
     "route U: col-to-row, then K\nroute T: then K\n",
     E "6:10: error: role D has no column in row 2\n"},
    {"mesh 2 4\nroles PDUK\n\n\nroute P: any->D\nroute D: then K\n",
     E "6:1: error: unroutable: P 0,0 -> K 1,3 stops at D 0,1; no clause of route D "
       "applies there, 'col-to-row' would\n"},
    {"mesh 2 4\nroles PDUK\n\n\nroute P: any->D\nroute D: then K, any->D\n",
     E "6:1: error: routing loop: P 0,0 -> K 1,3 returns to 0,1\n"},
    {"mesh 2 2\n\n\n\n\n\nflow 0,0 1,1\n",
     E "7:10: error: illegal hop 0,0 -> 1,1 (not in one row or column)\n"},
    {"mesh 2 2\n\n\n\n\n\nflow 0,1 0,1\n", E "7:10: error: self hop 0,1\n"},
    {"mesh 8 8\n\n\n\n\n\nflow 0,9 0,1\n",
     E "7:6: error: core 0,9 is outside the 8x8 mesh\n"},
    {"mesh 8 8\n\n\n\n\n\n\nflow 0,0 0,6 bucket 7\nflow 1,0 1,6 bucket 7\n",
     E "9:1: warning: bucket 7 has 2 writers: 0,6 1,6\n"},
    {"mesh 3 8\nroles PPPDDUUK\nroles PPPDDUUK\nroles PPPDD.RK\n"
     "route P: any->D by sink\nroute D: col-to-row, then K\n",
     E "2:7: warning: router 0,4 is used by no flow\n" E
       "2:7: warning: router 0,5 is used by no flow\n" E
       "2:7: warning: router 0,6 is used by no flow\n" E
       "3:7: warning: router 1,4 is used by no flow\n" E
       "3:7: warning: router 1,5 is used by no flow\n" E
       "3:7: warning: router 1,6 is used by no flow\n" E
       "4:7: warning: router 2,4 is used by no flow\n" E
       "4:7: warning: router 2,6 is used by no flow\n"},
    /* Numbers. */
    {"mesh 1000000000 1000000000\n",
     E "1:6: error: expected an integer 1..64, got '1000000000'\n"},
    {"mesh 8 99999999999999999999999\n",
     E "1:8: error: expected an integer 1..64, got '99999999999999999999999'\n"},
    {"mesh 8 18446744073709551617\nflow 7,7 7,6\n",
     E "1:8: error: expected an integer 1..64, got '18446744073709551617'\n"},
    {"mesh 0 8\n", E "1:6: error: expected an integer 1..64, got '0'\n"},
    {"mesh 1,2\n",
     E "1:6: error: expected rows and columns, got '1,2'; write 'mesh 1 2'\n"},
    {"mesh 8x8\nflow 0,9 0,1\n",
     E "1:6: error: expected rows and columns, got '8x8'; write 'mesh 8 8'\n"},
    {"mesh -1 2\n", E "1:6: error: expected an integer 1..64, got '-1'\n"},
    {"mesh 8 # 8\n", E "1:7: error: expected an integer 1..64, got end of line\n"},
    {"mesh 1 2 3\nflow 0,0 0,1\n", E "1:10: error: unexpected '3'\n"},
    {"mesh 1 2\nflow 0,0 0,1\nfifo row 1025\n",
     E "3:10: error: expected an integer 0..1024, got '1025'\n"},
    {"mesh 1 2\nflow 0,0 0,1\nfifo col 1 deep 3\n",
     E "3:12: error: expected row, col or send, got 'deep'\n"},
    {"mesh 1 2\nflow 0,0 0,1\nfifo rwo 1\n",
     E "3:6: error: expected row, col or send, got 'rwo'; did you mean 'row'?\n"},
    {"mesh 1 2\nflow 0,0 0,1\nfifo col 1 col 1\n", E "3:12: error: repeated 'col'\n"},
    {"mesh 1 2\nflow 0,0 0,1\nbuckets 0\n",
     E "3:9: error: expected an integer 1..16777216, got '0'\n"},
    {"mesh 1 2\nflow 0,0 0,1\nbuckets 3 owner=\n",
     E "3:11: error: expected owner=LETTER, roundrobin or block, got 'owner='\n"},
    {"mesh 1 2\nflow 0,0 0,1\nbuckets 3 owner=K fair\n",
     E "3:19: error: expected roundrobin or block, got 'fair'\n"},
    {"mesh 1 2\nflow 0,0 0,1\nspm 4096M\n",
     E "3:5: error: expected a size 1..4294967295, got '4096M'\n"},
    {"mesh 1 2\nflow 0,0 0,1\nspm 64k\n",
     E "3:5: error: expected a size 1..4294967295, got '64k'\n"},
    {"mesh 1 2\nflow 0,0 0,1\nspm 8K reserve 16K\n",
     E "3:16: error: reserve of 16384 bytes in a store of 8192\n"},
    {"mesh 1 2\nflow 0,0 0,1\nspm 8K\n",
     E "3:5: error: reserve of 32768 bytes in a store of 8192\n"},
    {"mesh 1 2\nflow 0,0 0,1\nmsg 33\n",
     E "3:5: error: expected a size 1..32, got '33'\n"},
    {"mesh 1 2\nflow 0,0 0,1\nmsg 16 payload 17\n",
     E "3:16: error: expected a size 1..16, got '17'\n"},
    {"mesh 1 2\nflow 0,0 0,1\nclock fast\n",
     E "3:7: error: expected a rate 1..1000000G, got 'fast'\n"},
    {"mesh 1 2\nflow 0,0 0,1\nclock 1.G\n",
     E "3:7: error: expected a rate 1..1000000G, got '1.G'\n"},
    {"mesh 1 2\nflow 0,0 0,1\nclock 1e9\n",
     E "3:7: error: expected a rate 1..1000000G, got '1e9'\n"},
    {"mesh 1 2\nflow 0,0 0,1\nclock 0.5 dma 1\n",
     E "3:7: error: expected a rate 1..1000000G, got '0.5'\n"},
    {"mesh 1 2\nflow 0,0 0,1\nclock 1G dma 1G\ndma 2G\n",
     E "4:1: error: duplicate statement 'dma'\n"},
    {"mesh 1 2\nflow 0,0 0,1\ndma 1G sat 0\n",
     E "3:12: error: expected an integer 1..65536, got '0'\n"},
    {"mesh 1 2\nflow 0,0 0,1\ncost PK 3\n",
     E "3:6: error: expected a role letter A-Z, got 'PK'\n"},
    {"mesh 1 2\nflow 0,0 0,1\ncost P\n",
     E "3:7: error: expected an integer 0..1000000, got end of line\n"},
    {"mesh 1 2\nflow 0,0 0,1\ncost P 3 P 4\n", E "3:10: error: repeated 'P'\n"},
    {"mesh 1 2\nflow 0,0 0,1\ntranspose now\n", E "3:11: error: unexpected 'now'\n"},
    {"mesh 1 2\nflow 0,0 0,1\nname\n",
     E "3:5: error: expected a name, got end of line\n"},
    {"mesh 1 2\nflow 0,0 0,1\nname a b\n", E "3:8: error: unexpected 'b'\n"},
    {"mesh 1 2\nflow 0,0 0,1\n  name a\n\tname b\n",
     E "4:2: error: duplicate statement 'name'\n"},
    /* Roles, sources, sinks. */
    {"mesh 2 2\nroles Pk\nroute P: any->K\nroute K: col-to-row\n",
     E "2:7: error: expected a row of role letters A-Z or ., got 'Pk'\n"},
    {"mesh 2 3\ntranspose\nroles PTK\nroute P: any->K\n",
     E "3:7: error: role row has 3 letters, the transposed mesh has 2 columns\n"},
    {"mesh 1 2\nroles PK\nroles PK\nroute P: then K\n",
     E "3:1: error: 2 roles lines, expected 1\n"},
    {"mesh 1 2\nroles PK\nsource\nroute P: then K\n",
     E "3:7: error: expected role letters A-Z, got end of line\n"},
    {"mesh 1 2\nroles PK\nroute P: then K\nsource AX\n",
     E "4:1: error: no source: no core has role AX\n"},
    {"mesh 1 2\nroles PA\nroute P: then K\n",
     E "2:7: error: no sink: no core has role K\n"},
    {"mesh 1 2\nroles PK\nroute P: then K\nbuckets 4 owner=C\n",
     E "4:11: error: no bucket owner: no core has role C\n"},
    {"mesh 1 2\nroles PK\nroute P: then K\nbuckets 4 owner=P\n",
     E "4:11: error: owner=P is no sink\n"},
    {"mesh 1 2\nflow 0,0 0,1\nsource A\nsink B\nbuckets 4 owner=C\n",
     E "3:1: error: no source: no core has role A\n" E
       "4:1: error: no sink: no core has role B\n" E
       "5:11: error: no bucket owner: no core has role C\n"},
    {"mesh 1 2\nflow 0,0 0,1\nfifo\ncost\n",
     E "3:5: error: expected row, col or send, got end of line\n" E
       "4:5: error: expected a role letter A-Z, got end of line\n"},
    {"mesh 1 2\nflow 0,0 0,1 bucket 4\nbuckets 4\n",
     E "2:21: error: expected an integer 0..3, got '4'\n"},
    /* C1 control characters, alone and as UTF-8; what is not UTF-8; letters stay. */
    {"mesh 1 2\nflow 0,0 0,1\na\x9B\x31\xC2\x9B\xC3\x84\xE2\x82\xAC\xC3\n",
     E "3:1: error: unknown statement 'a?1??\xC3\x84\xE2\x82\xAC?'\n"},
    {"mesh 1 2\nflow 0,0 0,1\nname a\xC2\x9B\n",
     E "3:6: error: expected a name of printable characters, got 'a?\?'\n"},
    {"mesh 1 2\nflow 0,0 0,1\nname a\xF9\x80\x80\x80\n",
     E "3:6: error: expected a name of printable characters, got 'a?\?\?\?'\n"},
    {"mesh 1 2\n",
     E "1:1: error: no flows: expected flow lines, or roles with route lines\n"},
    {"mesh 1 2\nroles PK\n",
     E "1:1: error: no flows: expected flow lines, or roles with route lines, such as "
       "'route P: then K'\n"},
    {"", E "1:1: error: no mesh statement\n"},
    {"mesh 1 1\nroles A\nsource A\nsink A\nroute A: any->A\n",
     E "1:1: error: no flows: the only source is the only sink\n"},
    {"mesh 1 2\nroute P: then K\nflow 0,0 0,1\n",
     E "2:1: error: a route, but no roles\n"},
    /* Routes. */
    {"mesh 1 2\nroles PK\nroute P: then K\n route P: then K\n",
     E "4:2: error: duplicate statement 'route P'\n"},
    {"mesh 1 2\nroles PK\nroute P: sideways->K\n",
     E "3:10: error: unknown clause 'sideways->K'\n"},
    {"mesh 1 2\nroles PK\nroute P: down -> K\n",
     E "3:10: error: a clause is one word: write 'down->K'\n"},
    {"mesh 1 2\nroles PK\nroute P: any-> K\n",
     E "3:10: error: a clause is one word: write 'any->K'\n"},
    {"mesh 1 2\nroles PK\nroute P: any ->K\n",
     E "3:10: error: a clause is one word: write 'any->K'\n"},
    {"mesh 1 2\nroles PK\nroute P: any\n",
     E "3:10: error: unknown clause 'any'; did you mean 'any->'?\n"},
    {"mesh 1 2\nroles PK\nroute P: thn K\n",
     E "3:10: error: unknown clause 'thn'; did you mean 'then'?\n"},
    {"mesh 1 2\nroles PK\nroute P:any->\n",
     E "3:9: error: expected a role such as K or D|U, got 'any->'\n"},
    {"mesh 1 2\nroles PK\nroute P: any->K|\n",
     E "3:10: error: expected a role such as K or D|U, got 'any->K|'\n"},
    {"mesh 1 2\nroles PK\nroute P: any->K by heart\n",
     E "3:20: error: expected col, row or sink, got 'heart'\n"},
    {"mesh 1 2\nroles PK\nroute P: then\n",
     E "3:14: error: expected a role such as K or D|U, got end of line\n"},
    {"mesh 1 2\nroles PK\nroute P then K\n",
     E "3:9: error: expected a colon, got 'then'\n"},
    {"mesh 1 2\nroles PK\nroute PK: then K\n",
     E "3:7: error: expected a role letter and a colon, got 'PK:'\n"},
    {"mesh 1 2\nroles PK\nroute P:\n",
     E "3:9: error: expected a clause such as down->D, got end of line\n"},
    {"mesh 1 2\nroles PK\nroute Q: then K\n",
     E "2:7: error: unroutable: P 0,0 -> K 0,1 stops at P 0,0; role P has no route: "
       "write 'route P: then K'\n"},
    {"mesh 2 2\nroles PK\nroute P: same->K\n",
     E "3:1: error: unroutable: P 0,0 -> K 1,1 stops at P 0,0; no clause of route P "
       "applies there, 'col-to-row' would\n"},
    {"mesh 1 2\nroles PK\nroute P: down->K\n",
     E "3:1: error: unroutable: P 0,0 -> K 0,1 stops at P 0,0; no clause of route P "
       "applies there, 'then K' would\n"},
    {"mesh 1 3\nroles PTK\nroute P: any->T\n",
     E "3:1: error: unroutable: P 0,0 -> K 0,2 stops at T 0,1; role T has no route: "
       "write 'route T: then K'\n"},
    {"mesh 2 2\nroles PK\nroles .K\nroute P: any->K\n",
     E "4:1: error: unroutable: P 0,0 -> K 1,1 stops at K 0,1; role K has no route: "
       "write 'route K: col-to-row, then K'\n"},
    {"mesh 2 2\nroles PK\nroles .K\nroute P: col-to-row then K\n",
     E "4:1: error: unroutable: P 0,0 -> K 1,1 stops at . 1,0, a core without a role\n"},
    {"mesh 1 3\nroles PTK\nroute P: any->T\nroute T: any->P\n",
     E "3:1: error: routing loop: P 0,0 -> K 0,2 returns to 0,0\n"},
    {"mesh 2 4\ntranspose\nroles PD\nroles PD\nroles PD\nroles DK\nroute P: any->E\n",
     E "7:10: error: role E has no column in row 0\n" E
       "7:10: error: role E has no column in row 1\n" E
       "7:10: error: role E has no column in row 2\n"},
    /* Flows. */
    {"mesh 2 2\nflow 0,0\n", E "2:1: error: a flow needs at least two cores\n"},
    {"mesh 2 2\nflow 0,0 bucket 3\n", E "2:1: error: a flow needs at least two cores\n"},
    {"mesh 2 2\nflow 0,0 0\n", E "2:10: error: expected a core such as 0,1, got '0'\n"},
    {"mesh 2 2\nflow 0,0 0,*\n",
     E "2:10: error: expected a core such as 0,1, got '0,*'; a flow lists its cores one "
       "by one, roles and routes make many\n"},
    {"mesh 2 2\nflow 0,0 0,1,\n0,0\n", E "3:1: error: unknown statement '0,0'\n"},
    {"mesh 2 2\nflow 0,0,0,1\n",
     E "2:6: error: expected a core such as 0,1, got '0,0,0,1'\n"},
    {"mesh 2 2\nflow 0,0 0,1 bucket 16777216\n",
     E "2:21: error: expected an integer 0..16777215, got '16777216'\n"},
    {"mesh 2 2\nflow 0,0 0,1 bucket\n",
     E "2:20: error: expected an integer 0..16777215, got end of line\n"},
    {"mesh 2 2\nflow 0,0 99999999999999999999,0 0,1\n",
     E "2:10: error: core 99999999999999999999,0 is outside the 2x2 mesh\n"},
    {"mesh 2 2\nflow 0,0 4294967296,1 0,0\n",
     E "2:10: error: core 4294967296,1 is outside the 2x2 mesh\n"},
    /* What does nothing. */
    {"mesh 1 2\nroles PK\nroute P: then K\ncost P 3 Q 5\n route X: then K\nsink KL\n"
     "source PM\n",
     E "4:10: warning: cost Q has no effect: no core has role Q\n" E
       "5:2: warning: route X has no effect: no core has role X\n" E
       "6:1: warning: sink L has no effect: no core has role L\n" E
       "7:1: warning: source M has no effect: no core has role M\n"},
    {"mesh 1 2\nflow 0,0 0,1\ncost P 3\ntranspose\n",
     E "3:6: warning: cost P has no effect: no core has role P\n" E
       "4:1: warning: transpose has no effect: there are no roles, and flows are of the "
       "mesh as it is\n"},
    /* All that is wrong, in the order of the text. */
    {"roles P\nfloe\nmesh 2 2\nflow 0,0 1,1 1,1 2,0\nroles PKK\nfifo row\n",
     E "1:7: error: role row has 1 letters, the mesh has 2 columns\n" E
       "2:1: error: unknown statement 'floe'; did you mean 'flow'?\n" E
       "4:10: error: illegal hop 0,0 -> 1,1 (not in one row or column)\n" E
       "4:14: error: self hop 1,1\n" E "4:18: error: core 2,0 is outside the 2x2 mesh\n" E
       "5:7: error: role row has 3 letters, the mesh has 2 columns\n" E
       "6:9: error: expected an integer 0..1024, got end of line\n"},
    {"flow 5,5 6,6\nroles PPP\nmesh 70 1\nmesh 4 4\n",
     E "3:6: error: expected an integer 1..64, got '70'\n" E
       "4:1: error: duplicate statement 'mesh'\n"},
};

START_TEST(what_is_wrong_is_said_at_its_word)
{
    const char *text = refusal(messages[_i].text);
    if (strcmp(text, messages[_i].said) != 0)
        ck_abort_msg("%s\nsaid:\n%sexpected:\n%s", messages[_i].text, text,
                     messages[_i].said);
}
END_TEST

static const char *shown(const char *text)
{
    static char out[4096];
    struct mw_diagnostics d;
    struct mw_layout *l;
    FILE *f = fmemopen(out, sizeof out, "w");
    MUST(f != NULL && parse(text, strlen(text), &l, &d) == MW_ERR_DATA);
    mw_diagnostics_show(&d, "x", text, strlen(text), f);
    fclose(f);
    return out;
}

START_TEST(the_line_is_shown_with_a_caret)
{
    ck_assert_str_eq(shown("mesh 1 2\n\tflow 0,0\x01 0,1\n\xEF"),
                     "x:2:7: error: expected a core such as 0,1, got '0,0?'\n"
                     "    2 |  flow 0,0? 0,1\n"
                     "      |       ^\n"
                     "x:3:1: error: unknown statement '?'\n"
                     "    3 | ?\n"
                     "      | ^\n");
    ck_assert_str_eq(shown(""), "x:1:1: error: no mesh statement\n");
    ck_assert_str_eq(
        shown("\xC3\xA4 \xC3\xA4 # \xC3\xA4\nmesh 1 2\nname a b\nflow 0,0 0,1"),
        "x:1:1: error: unknown statement '\xC3\xA4'\n"
        "    1 | \xC3\xA4 \xC3\xA4 # \xC3\xA4\n"
        "      | ^\n"
        "x:3:8: error: unexpected 'b'\n"
        "    3 | name a b\n"
        "      |        ^\n");
}
END_TEST

START_TEST(of_a_long_line_a_piece_is_shown)
{
    char text[2000] = "mesh 1 2\nname ";
    memset(text + strlen(text), '\xC3', 900);
    strcat(text, " b");
    const char *out = shown(text);
    ck_assert_ptr_nonnull(strstr(out, "\n    2 | name ???"));
    ck_assert_ptr_nonnull(strstr(out, "?...\n      |      ^\n"));
    MUST(strlen(out) < 400);
}
END_TEST

START_TEST(long_and_strange_words_are_cut)
{
    char text[400] = "mesh 1 2\n\x1B[1m";
    for (int i = 0; i < 60; i++)
        strcat(text, "\xC3\xA4");
    const char *shown = strstr(refusal(text), "unknown statement '?[1m\xC3\xA4");
    MUST(shown != NULL && strstr(shown, "\xC3\xA4...'\n") != NULL && strlen(shown) < 80);
    strcpy(text, "mesh 1 2\nname ");
    memset(text + 14, 'n', 64);
    text[14 + 64] = '\0';
    MUST(strstr(refusal(text), "2:6: error: the name has 64 bytes, at most 63\n") !=
         NULL);
}
END_TEST

START_TEST(more_clauses_or_roles_than_fit_are_refused)
{
    char text[1000] = "mesh 1 2\nroles PK\nroute P:";
    for (int i = 0; i <= MW_CLAUSES_MAX; i++)
        strcat(text, " any->K");
    MUST(strstr(refusal(text), "3:234: error: more than 32 clauses\n") != NULL);
    strcpy(text, "mesh 1 2\nroles PK\nroute P: then K");
    for (int i = 0; i < MW_N_LETTERS; i++)
        strcat(text, "|K");
    MUST(strstr(refusal(text), "3:15: error: more than 26 roles in a target\n") != NULL);
}
END_TEST

START_TEST(twenty_errors_are_kept_and_all_are_counted)
{
    char text[400] = "";
    for (int i = 0; i < 100; i++)
        strcat(text, "x\n");
    const char *all = refusal(text); /* and no mesh */
    MUST(strncmp(all, "x.layout:1:1: error: unknown statement 'x'\n", 43) == 0);
    MUST(strstr(all, "x.layout:20:1: ") != NULL && strstr(all, ":21:") == NULL);
    MUST(strstr(all, "x.layout: 81 more errors\n") != NULL);
}
END_TEST

/* 16 million pairs, all of them unroutable, one message; nor does a bucket's say 4096. */
START_TEST(a_message_comes_once_however_many_flows_it_is_about)
{
    char row[65] = "", text[8000];
    memset(row, 'A', 64);
    snprintf(text, sizeof text,
             "mesh 64 64\nroles %s\nsource A\nsink A\nroute A: then B\n", row);
    MUST(strcmp(refusal(text),
                E "5:1: error: unroutable: A 0,0 -> A 0,1 stops at A 0,0; no clause of "
                  "route A applies there, 'then A' would\n") == 0);
    strcpy(text, "mesh 2 64\n");
    for (int i = 0; i < 64; i++)
        snprintf(text + strlen(text), 64, "flow 0,%d 1,%d bucket 0\n", i, i);
    MUST(strcmp(refusal(text),
                E "3:1: warning: bucket 0 has 64 writers: 1,0 1,1 1,2 1,3 1,4 "
                  "1,5 1,6 1,7 1,8 1,9 1,10 1,11 ...\n") == 0);
}
END_TEST

/* ---- hostile files ------------------------------------------------------------------- */

static const struct {
    const char *head, *again, *said;
} floods[] = {
    {"mesh 8 8\n", "roles PPPPDUKK\n", "1000000 roles lines, expected 1 or 8\n"},
    {"mesh 8 8\n", "mesh 8 8\n", "999980 more errors\n"},
    {"", "x\n", "999981 more errors\n"},
    {"", "\n", "no mesh statement\n"},
    {"mesh 8 8 ", "a", "1:10: error: unexpected 'aaaaaaaaaaaaaaaa"},
    {"mesh 8 8", ",", "no flows: "},
    {"mesh 8 8\nroute P: ", "then K ", "2:234: error: more than 32 clauses\n"},
    {"mesh 8 8\nflow 0,0", " 0,9", "4076 more errors\n"},
    {"mesh 8 8\nsource ", "P", "no flows: "},
};

START_TEST(a_million_of_anything_is_refused_in_bounded_memory)
{
    enum { N = 1000000 };
    const size_t head = strlen(floods[_i].head), more = strlen(floods[_i].again);
    char *text = malloc(head + N * more + 1);
    MUST(text != NULL);
    strcpy(text, floods[_i].head);
    for (size_t i = 0; i < N; i++)
        memcpy(text + head + i * more, floods[_i].again, more + 1);
    const char *all = refusal(text);
    if (strstr(all, floods[_i].said) == NULL)
        ck_abort_msg("%s", all);
    free(text);
}
END_TEST

START_TEST(a_million_flows_are_listed)
{
    enum { N = 1000000 };
    static const char line[] = "flow 0,0 0,1 1,1 bucket 3\n";
    const size_t each = sizeof line - 1;
    char *text = malloc(9 + N * each + 1);
    MUST(text != NULL);
    strcpy(text, "mesh 8 8\n");
    for (size_t i = 0; i < N; i++)
        memcpy(text + 9 + i * each, line, each + 1);
    struct mw_layout *l = good(text);
    MUST(l->n_flows == N && l->listed_first[N] == 3 * N &&
         l->listed_line[N - 1] == N + 1);
    mw_layout_free(l);
    free(text);
}
END_TEST

START_TEST(a_flow_has_a_greatest_length)
{
    char *text = malloc(9 + 4 * 4098 + 8);
    MUST(text != NULL);
    strcpy(text, "mesh 1 2\nflow");
    size_t at = strlen(text);
    for (int i = 0; i < 4096; i++)
        at += (size_t)sprintf(text + at, " 0,%d", i % 2);
    struct mw_layout *l = good(text);
    ck_assert_uint_eq(l->longest, 4096);
    mw_layout_free(l);
    sprintf(text + at, " 0,0");
    ck_assert_str_eq(refusal(text), E "2:16390: error: a flow of more than 4096 cores\n");
    free(text);
}
END_TEST

START_TEST(a_long_path_is_told_in_short)
{
    mw_core core[40];
    char text[200];
    struct mw_layout *l = good("mesh 1 2\nflow 0,0 0,1\n");
    for (int i = 0; i < 40; i++)
        core[i] = (mw_core)(i % 2);
    FILE *f = fmemopen(text, sizeof text, "w");
    MUST(f != NULL);
    mw_path_print(l, core, 2, f);
    fputc('\n', f);
    mw_path_print(l, core, 40, f);
    fclose(f);
    ck_assert_str_eq(text,
                     "0,0 > 0,1\n0,0 > 0,1 > 0,0 > 0,1 > 0,0 > 0,1 > 0,0 > 0,1 > 0,0 "
                     "> 0,1 > 0,0 > 0,1 > 0,0 > 0,1 > 0,0 > 0,1 > ... (40 cores)");
    mw_layout_free(l);
}
END_TEST

START_TEST(a_failed_allocation_is_an_error_and_loses_nothing)
{
    static const char text[] =
        "mesh 2 4\nroles PDUK\n" WHOLE "flow 0,0 0,1 bucket 1\nflow 0,0 0,2 bucket 2\n";
    struct mw_diagnostics d;
    struct mw_layout *l;
    uint64_t n = 1;
    for (;; n++) {
        mw_mem_fail_at(n);
        if (parse(text, sizeof text - 1, &l, &d) == MW_OK)
            break;
        MUST(l == NULL && mw_mem_in_use() == 0 && d.n_errors == 0);
    }
    mw_mem_fail_at(0);
    MUST(n > 8);
    mw_layout_free(l);
    MUST(mw_mem_in_use() == 0);
}
END_TEST

START_TEST(files_that_cannot_be_read_are_another_error)
{
    struct mw_diagnostics d = {0};
    struct mw_layout *l;
    MUST(mw_layout_read("/nowhere/x.layout", &l, &d) == MW_ERR_NOINPUT && l == NULL);
    MUST(strstr(mw_error_text(), "/nowhere/x.layout") != NULL);
    MUST(mw_layout_read("/", &l, &d) == MW_ERR_NOINPUT && l == NULL && d.n_errors == 0);
    MUST(mw_layout_read("/dev/zero", &l, &d) == MW_ERR_NOINPUT && l == NULL);
    MUST(strstr(mw_error_text(), "/dev/zero: is a device") != NULL);
    MUST(mw_mem_in_use() == 0);
}
END_TEST

#define LOOP(tc, test, list) tcase_add_loop_test(tc, test, 0, sizeof list / sizeof *list)

int main(void)
{
    Suite *s = suite_create("layout");
    TCase *values = tcase_create("values"), *errors = tcase_create("messages");
    TCase *hostile = tcase_create("hostile");
    tcase_add_test(values, a_file_may_leave_all_but_mesh_and_flows_to_defaults);
    tcase_add_test(values, every_statement_is_understood_in_any_order);
    tcase_add_test(values, clauses_keep_their_words);
    LOOP(values, blanks_and_comments_do_not_matter, spellings);
    tcase_add_test(values, a_zero_byte_is_no_end);
    LOOP(errors, what_is_wrong_is_said_at_its_word, messages);
    tcase_add_test(errors, long_and_strange_words_are_cut);
    tcase_add_test(errors, the_line_is_shown_with_a_caret);
    tcase_add_test(errors, of_a_long_line_a_piece_is_shown);
    tcase_add_test(errors, more_clauses_or_roles_than_fit_are_refused);
    tcase_add_test(errors, twenty_errors_are_kept_and_all_are_counted);
    tcase_add_test(errors, a_message_comes_once_however_many_flows_it_is_about);
    LOOP(hostile, a_million_of_anything_is_refused_in_bounded_memory, floods);
    tcase_add_test(hostile, a_million_flows_are_listed);
    tcase_add_test(hostile, a_flow_has_a_greatest_length);
    tcase_add_test(hostile, a_long_path_is_told_in_short);
    tcase_add_test(hostile, a_failed_allocation_is_an_error_and_loses_nothing);
    tcase_add_test(hostile, files_that_cannot_be_read_are_another_error);
    suite_add_tcase(s, values);
    suite_add_tcase(s, errors);
    suite_add_tcase(s, hostile);
    return run_suite(s);
}
