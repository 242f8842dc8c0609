"""meshway_read.py KIND FILE -- a graph in a file that Python's tools write, as text that Meshway reads.

The program starts this where it meets such a file (src/cli/run/foreign_source.c), and reads what it prints.
All become edge lists with titles, matrices with the comment above that Meshway writes itself. The last line on
stderr says what is wrong, with code 65, or what is missing here, with 69; with code 0 lines there are notes.

SPDX-License-Identifier: Apache-2.0
"""

import itertools
import os
import sys
import xml.etree.ElementTree as ElementTree

STRETCH = 1 << 18  # lines at a time
SYSTEM = "/usr/bin/python3"


class Wrong(Exception):
    """What the file has, or lacks."""


class Missing(Exception):
    """What this Python lacks."""


def numpy():
    try:
        import numpy as module
    except ImportError:
        raise Missing("needs NumPy, which python3 does not have; on Debian: apt-get install python3-numpy") from None
    return module


def put_rows(out, columns):
    """Arrays of one length, side by side, under titles."""
    out.write("source target weight\n" if len(columns) > 2 else "source target\n")
    line = " ".join(["%r"] * len(columns)) + "\n"
    for at in range(0, len(columns[0]), STRETCH):
        parts = [column[at : at + STRETCH].tolist() for column in columns]
        numbers = [number for row in zip(*parts) for number in row]
        out.write(line * len(parts[0]) % tuple(numbers))


def put_matrix(out, n, row, column, values):
    """Entries counted from 0; values None: a pattern."""
    if values is not None and values.dtype.kind == "b":
        values = None
    if values is not None and values.dtype.kind not in "iuf":
        raise Wrong(f"its values are of type {values.dtype}, expected numbers")
    if len(row) != len(column) or (values is not None and values.shape != (len(row),)):
        raise Wrong(f"{len(row)} and {len(column)} ends, and values of shape {getattr(values, 'shape', None)}")
    for ends in row, column:
        if len(ends) and not 0 <= ends.min() <= ends.max() < n:
            raise Wrong(f"an entry names a vertex that is not in 0..{n - 1}")
    out.write(f"# vertices {n} edges {len(row)} from 0\n")
    put_rows(out, [row, column] + ([] if values is None else [values]))


def put_compressed(out, n, offsets, columns, values, by_column=False):
    """Rows one behind the other; offsets has n + 1 of them."""
    np = numpy()
    lengths = np.diff(offsets)
    if len(offsets) != n + 1 or offsets[0] != 0 or offsets[-1] != len(columns) or (lengths < 0).any():
        raise Wrong("its offsets do not fit its entries")
    row = np.repeat(np.arange(n, dtype=np.int64), lengths)
    columns = columns.astype(np.int64)
    put_matrix(out, n, *((columns, row) if by_column else (row, columns)), values)


def put_pairs(out, pairs, weights=None):
    """An array of shape (m, 2) or (2, m)."""
    if pairs.ndim != 2 or 2 not in pairs.shape or pairs.dtype.kind not in "iu":
        raise Wrong(f"an array of shape {pairs.shape} and type {pairs.dtype}; expected whole numbers, (m, 2) or (2, m)")
    u, v = pairs.T if pairs.shape[1] == 2 else pairs
    if weights is not None and weights.shape != u.shape:
        raise Wrong(f"weights of shape {weights.shape} for {len(u)} edges")
    put_rows(out, [u, v] + ([] if weights is None else [weights]))


def read_npy(path, out):
    put_pairs(out, numpy().load(path, allow_pickle=False))


ENDS = (("row", "col"), ("src", "dst"), ("source", "target"), ("u", "v"))
TITLES = (  # as src/io/titles.c has them, in its order
    ("source src sourceid srcid sourcenode sourcenodeid", "target dst dest destination targetid targetnode targetnodeid"),
    ("src srcid sourceid sourcenode", "dstid destid destinationid destinationnode dstnode"),
    ("from fromnode fromid fromnodeid fromvertex", "to tonode toid tonodeid tovertex"),
    ("node1 nodeid1 node1id", "node2 nodeid2 node2id"), ("vertex1 v1", "vertex2 v2"), ("id1 numericid1", "id2 numericid2"),
    ("name1", "name2"), ("person1", "person2"), ("user1 userid1", "user2 userid2"), ("tail", "head"),
    ("start startid startnode", "end endid endnode"), ("row", "col column"), ("u", "v"), ("i", "j"))


def pair_of(titles):
    """Those two of a table's titles that name both ends of an edge; None: no two do."""
    plain = ["".join(c for c in str(title).lower() if c not in " _-:") for title in titles]
    for pair in TITLES:
        at = [next((i for i, title in enumerate(plain) if title in words.split()), None) for words in pair]
        if None not in at:
            return titles[at[0]], titles[at[1]]
    return None


def read_npz(path, out):
    np = numpy()
    with np.load(path, allow_pickle=False) as file:
        if "format" in file and "shape" in file:
            read_sparse(file, out)
            return
        weights = next((file[name] for name in ("weight", "weights", "data") if name in file), None)
        for ends in ENDS:
            if all(end in file for end in ends):
                put_pairs(out, np.stack([file[end] for end in ends], axis=1), weights)
                return
        for name in file.files:
            if file[name].ndim == 2 and 2 in file[name].shape:
                put_pairs(out, file[name], weights)
                return
    raise Wrong(f"arrays {', '.join(file.files)}; expected row and col, src and dst, or one of shape (m, 2)")


def read_sparse(file, out):
    """What scipy.sparse.save_npz() has written."""
    word = file["format"].item()
    word = word.decode() if isinstance(word, bytes) else word
    rows, columns = (int(n) for n in file["shape"])
    if rows != columns:
        raise Wrong(f"a matrix of {rows} rows and {columns} columns; a graph's is square")
    if word in ("csr", "csc"):
        put_compressed(out, rows, file["indptr"], file["indices"], file["data"], by_column=word == "csc")
    elif word == "coo":
        row, column = (file["row"], file["col"]) if "row" in file else file["coords"]
        put_matrix(out, rows, row.astype("int64"), column.astype("int64"), file["data"])
    else:
        raise Wrong(f"a sparse matrix of format {word}; save it as csr, csc or coo")


def read_adjacency(path, out):
    """PBBS' and GBBS' text: a word, n, m, n offsets, m neighbours, and m weights if the word says so."""
    np = numpy()
    with open(path, "rb") as file:
        word = file.readline().strip()
        numbers = np.fromfile(file, dtype=np.float64 if word.startswith(b"Weighted") else np.int64, sep=" ")
    weighted = word == b"WeightedAdjacencyGraph"
    if len(numbers) < 2:
        raise Wrong("ends before its numbers of vertices and edges")
    n, m = int(numbers[0]), int(numbers[1])
    expected = 2 + n + m * (2 if weighted else 1)
    if n < 0 or m < 0 or len(numbers) != expected:
        raise Wrong(f"{len(numbers)} numbers, but n = {n} and m = {m} ask for {expected}")
    rest = numbers[2:]
    offsets = np.append(rest[:n], m).astype(np.int64)
    weights = rest[n + m :] if weighted else None
    if weighted and (weights == np.floor(weights)).all():
        weights = weights.astype(np.int64)
    put_compressed(out, n, offsets, rest[n : n + m].astype(np.int64), weights)


def read_gbbs(path, out):
    """GBBS' binary: n, m, bytes of the file; n + 1 offsets; m neighbours of 32 bits."""
    np = numpy()
    with open(path, "rb") as file:
        n, m, _ = (int(x) for x in np.fromfile(file, dtype="<u8", count=3))
        offsets = np.fromfile(file, dtype="<u8", count=n + 1).astype(np.int64)
        put_compressed(out, n, offsets, np.fromfile(file, dtype="<u4", count=m), None)


def read_parquet(path, out):
    try:
        import pyarrow.csv
        import pyarrow.parquet
    except ImportError:
        raise Missing("a Parquet file needs pyarrow, which python3 does not have: pip install pyarrow") from None
    file = pyarrow.parquet.ParquetFile(path)
    if pair_of(file.schema_arrow.names) is None:
        raise Wrong(f"columns {', '.join(file.schema_arrow.names)}; expected source and target, or from and to")
    out.flush()
    with pyarrow.csv.CSVWriter(out.buffer, file.schema_arrow) as writer:
        for batch in file.iter_batches():
            writer.write_batch(batch)


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def tag(element):
    return element.tag.rpartition("}")[2]


def read_graphml(path, out):
    """Nodes without an edge become loops, for an edge list has no other place for them."""
    weight_key, default, directed, n_graphs = None, "1", None, 0
    unseen, lines = {}, []
    for event, element in ElementTree.iterparse(path, events=("start", "end")):
        word = tag(element)
        if event == "start":
            n_graphs += word == "graph"
            if word == "graph" and n_graphs > 1:
                raise Wrong("holds more than one graph")
            if word == "graph":
                directed = element.get("edgedefault") == "directed"
                out.write("# Directed graph\n" if directed else "# Undirected graph\n")
                out.write("source,target,weight\n" if weight_key else "source,target\n")
        elif word == "key" and element.get("for", "all") in ("edge", "all") and element.get("attr.name") == "weight":
            if directed is not None:
                raise Wrong("has its key of weights behind the beginning of the graph")
            weight_key = element.get("id")
            default = next((child.text for child in element if tag(child) == "default" and child.text), default)
        elif word == "hyperedge":
            raise Wrong("has hyperedges, which are no edges of a graph")
        elif word == "node":
            unseen.setdefault(element.get("id"), None)
            element.clear()
        elif word == "edge":
            if element.get("directed") not in (None, "true" if directed else "false"):
                raise Wrong("has edges with a direction and such without")
            ends = [element.get("source"), element.get("target")]
            if None in ends:
                raise Wrong("has an edge without a source or a target")
            row = [quoted(end) for end in ends]
            if weight_key:
                data = (child.text for child in element if tag(child) == "data" and child.get("key") == weight_key)
                row.append((next(data, default) or default).strip())
            lines.append(",".join(row))
            for end in ends:
                unseen[end] = False
            element.clear()
            if len(lines) == STRETCH:
                out.write("\n".join(lines) + "\n")
                lines = []
    if directed is None:
        raise Wrong("holds no graph")
    numbers = [name for name in unseen if name.isdecimal()]
    if len({int(name) for name in numbers}) < len(numbers):
        raise Wrong("two of its nodes are the same number")
    alone = [quoted(name) for name, seen in unseen.items() if seen is None]
    lines += [f"{name},{name}" + (",0" if weight_key else "") for name in alone]
    out.writelines(itertools.chain.from_iterable((line, "\n") for line in lines))
    return f"{len(alone)} of its nodes have no edge; each is read with a loop, which counts as an edge" if alone else None


# Each says what is to be noted, or nothing.
READERS = {"graphml": read_graphml, "npz": read_npz, "npy": read_npy, "parquet": read_parquet,
           "adjacency-graph": read_adjacency, "gbbs": read_gbbs}


def main(kind, path):
    sys.stdout.reconfigure(encoding="utf-8")
    try:
        note = READERS[kind](path, sys.stdout)
        sys.stdout.flush()
        if note is not None:
            print("note:", note, file=sys.stderr)
    except BrokenPipeError:  # the program has gone
        os._exit(1)
    except Missing as why:
        if os.access(SYSTEM, os.X_OK) and not os.path.samefile(sys.executable, SYSTEM):
            os.execv(SYSTEM, [SYSTEM, "-B", *sys.argv])  # a virtual environment seldom has them
        print(why, file=sys.stderr)
        return 69
    except Wrong as why:
        print(why, file=sys.stderr)
        return 65
    except Exception as why:  # of a library that reads
        print(f"cannot be read: {type(why).__name__}: {str(why).splitlines()[0] if str(why) else ''}", file=sys.stderr)
        return 65
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
