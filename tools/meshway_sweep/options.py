"""options.py -- the command line, by the option tables of the program itself (`meshway --options`), so
that help, man pages, completions and what is accepted here cannot disagree.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import difflib
import re
import subprocess
from dataclasses import dataclass, field, replace
from typing import Any, Iterable

from .campaign import UNAVAILABLE, USAGE, SweepError

TIME = re.compile(r"([0-9]+(?:\.[0-9]+)?)([smh]?)")
SIZE = re.compile(r"([0-9]+)(?:([KMGTPkmgtp])(i?))?")
EXPECTED = {"count": "a whole number", "bytes": "a size, such as 64Mi", "real": "a number", "word": "a word",
            "text": "a text"}  # by kind
KEYS = " --tune"  # what the table of a command's keys is called
MOST_VALUES = 10000  # of one list; a range is a short word for many


@dataclass(frozen=True)
class Option:
    name: str
    letter: str
    kind: str  # flag, count, bytes, real, word, text
    value: str  # what --help calls it: "FILE"
    fallback: str
    words: tuple[str, ...]
    several: str  # "lists": a run takes a comma list of words; "repeats": given again, it adds
    minimum: int
    maximum: int  # 0: none said
    place: int  # among the operands; -1: none
    n_required: int
    help: str = ""
    command: str = ""  # whose option it is, and a line that shows it
    example: str = ""
    tuned: bool = False  # a key of --tune, not an option of its own

    @property
    def meaning(self) -> str:
        """As a part of a sentence."""
        return self.help[:1].lower() + self.help[1:]


Table = dict[str, Option]


def tables(program: str) -> dict[str, Table]:
    """By command: "run", "plan", "sweep weak". The keys of --tune stand among a command's options, behind it."""
    try:
        text = subprocess.run([program, "--options"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as e:
        raise SweepError(UNAVAILABLE, f"{program}: does not tell its options: {e}") from None
    found: dict[str, Table] = {}
    for line in text.splitlines():
        c, name, letter, kind, value, fallback, words, several, low, high, place, required, meaning, example = line.split("\t")
        found.setdefault(c, {})[name] = Option(name, letter.strip(), kind, value, fallback,
                                               tuple(filter(None, words.split("|"))), several, int(low),
                                               int(high), int(place), int(required), meaning, c, example)
    keys = {c.removesuffix(KEYS): found.pop(c) for c in list(found) if c.endswith(KEYS)}
    return {c: with_keys(table, keys.get(c, {})) for c, table in found.items()}


def with_keys(table: Table, keys: Table) -> Table:
    merged: Table = {}
    for name, option in table.items():
        merged[name] = option
        if name == "tune":
            merged.update({k: replace(o, tuned=True) for k, o in keys.items() if k not in table})
    return merged


def keys_of(texts: Iterable[str], run: Table, who: str) -> dict[str, list[Any]]:
    """The values of each key of "batch=16Ki+64Ki,span=level"."""
    found: dict[str, list[Any]] = {}
    for piece in ",".join(texts).split(","):
        key, equals, text = piece.partition("=")
        option = run.get(key)
        if option is None or not (option.tuned or option.kind == "word"):
            near = difflib.get_close_matches(key, [o.name for o in run.values() if o.tuned], 1)
            raise wrong(f"{who}: {shown(key)} is no key" + (f"; did you mean {near[0]}?" if near else
                                                          "; 'meshway run --tune help' lists them"))
        if not equals:
            raise wrong(f"{who}: {key} needs a value, as in {key}={option.value}")
        found.setdefault(key, []).extend(value_of(option, one, f"{who}: {key}") for one in text.split("+"))
    return found


def plural(n: int, word: str) -> str:
    return f"{n} {word}" if n == 1 else f"{n} {word}{'es' if word.endswith('ch') else 's'}"


def wrong(text: str) -> SweepError:
    return SweepError(USAGE, text)


def value_of(option: Option, given: Any, who: str) -> Any:
    """One value, checked as the program would; `given` is a word of a command line or a TOML value."""
    if option.kind == "flag":
        if not isinstance(given, bool):
            raise wrong(f"{who}: {shown(given)} is neither true nor false")
        return given
    if isinstance(given, bool) or not isinstance(given, (str, int, float)):
        raise wrong(f"{who}: {shown(given)} is no value of this option; expected {EXPECTED[option.kind]}")
    text = str(given)
    if "\0" in text:
        raise wrong(f"{who}: a value has no zero bytes")
    if option.kind == "count":
        return count_of(option, text, who)
    if option.kind == "real":
        if option.value == "TIME":
            text = seconds_of(text, who)
        try:
            number = float(text)
        except ValueError:
            raise wrong(f"{who}: {shown(given)} is not a number") from None
        if not (option.maximum == 0 or option.minimum <= number <= option.maximum):
            raise wrong(f"{who}: {text} is out of range; expected {option.minimum}..{option.maximum}")
        return number
    if option.kind == "bytes":
        check_size(option, text, who)
    if option.kind == "word" and text not in option.words:
        raise wrong(f"{who}: {shown(given)} is none of {', '.join(option.words)}")
    return text


def seconds_of(text: str, who: str) -> str:
    match = TIME.fullmatch(text)
    if match is None:
        raise wrong(f"{who}: {shown(text)} is no time; expected seconds, or such as 90s, 30m or 2h")
    return str(float(match[1]) * {"m": 60, "h": 3600}.get(match[2], 1))


def check_size(option: Option, text: str, who: str) -> None:
    if SIZE.fullmatch(text) is None:
        raise wrong(f"{who}: {shown(text)} is not a size, such as 4096, 64M or 1Gi")
    if not option.minimum <= bytes_of(text) <= (option.maximum or 1 << 63):
        raise wrong(f"{who}: {text} is out of range; expected {option.minimum}..{option.maximum} bytes")


def bytes_of(text: str) -> int:
    """64M is 64 x 1000 x 1000, 64Mi is 64 x 1024 x 1024, as the program has it."""
    number, letter, binary = SIZE.fullmatch(text).groups()  # type: ignore[union-attr]
    return int(number) * (1024 if binary else 1000) ** " KMGTP".index(letter.upper() if letter else " ")


def count_of(option: Option, text: str, who: str) -> int:
    limit = f"{option.minimum}..{option.maximum}" if option.maximum > 0 else f"{option.minimum} or more"
    if re.fullmatch(r"-?[0-9]{1,20}", text) is None:
        raise wrong(f"{who}: {shown(text)} is not an integer; expected {limit}")
    number = int(text)
    if number < option.minimum or (option.maximum > 0 and number > option.maximum):
        raise wrong(f"{who}: {number} is out of range; expected {limit}")
    return number


def shown(value: Any) -> str:
    """For messages: printable and short, whatever a file says."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def split(option: Option, text: str, who: str) -> list[Any]:
    """The values of a word of the command line: a list where commas cannot be part of a value."""
    if option.kind == "text":
        return [value_of(option, text, who)]
    values: list[Any] = []
    for part in text.split(","):
        values += spread(option, part, who)
    return values


def spread(option: Option, text: str, who: str) -> list[Any]:
    """`a..b`, `a..b+step` and `a..b*factor` of whole numbers, else the value alone."""
    match = re.fullmatch(r"([0-9]{1,20})\.\.([0-9]{1,20})(?:([+*])([0-9]{1,20}))?", text)
    if option.kind != "count" or match is None:
        return [value_of(option, text, who)]
    at, last, step = int(match[1]), int(match[2]), int(match[4] or 1)
    if last < at or step < (2 if match[3] == "*" else 1) or (match[3] == "*" and at == 0):
        raise wrong(f"{who}: '{text}' is no range that ends; write 1..8, 10..16+2 or 1..64*2")
    values: list[Any] = []
    while at <= last:
        if len(values) == MOST_VALUES:
            raise wrong(f"{who}: '{text}' has more than {MOST_VALUES} values")
        values.append(value_of(option, str(at), who))
        at = at * step if match[3] == "*" else at + step
    return values


@dataclass
class Given:
    """A command line: options by name, each with the words it was given."""

    own: dict[str, list[Any]] = field(default_factory=dict)  # of the command itself
    run: dict[str, list[Any]] = field(default_factory=dict)  # of `meshway run`, for its points


def parse(words: list[str], own: Table, run: Table | None = None) -> Given:
    """Options in full, `--name value` or `--name=value`; what is not `own` may belong to `run`."""
    given = Given()
    operands: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word == "--":
            operands += words[at:]
            break
        if not word.startswith("-") or word == "-":
            operands.append(word)
            continue
        name, equals, text = word.partition("=")
        option, into = find(name, own, run, given)
        if option.kind == "flag":
            if equals:
                raise wrong(f"--{option.name}: takes no value")
            into[option.name] = [True]
            continue
        if not equals:
            if at == len(words):
                raise wrong(f"--{option.name}: needs a value, {option.value}: {option.meaning}")
            text = words[at]
            at += 1
        into.setdefault(option.name, []).append(text)
    place_operands(operands, own, given)
    return given


def find(word: str, own: Table, run: Table | None, given: Given) -> tuple[Option, dict[str, list[Any]]]:
    for table, into in ((own, given.own), (run or {}, given.run)):
        for option in table.values():
            if word == "--" + option.name and option.tuned:
                raise wrong(f"{word}: now --tune {option.name}={option.value}")
            if word == "--" + option.name or (option.letter and word == "-" + option.letter):
                return option, into
    near = difflib.get_close_matches(word.lstrip("-"), [*own, *(run or {})], 1)
    raise wrong(f"{word}: unknown option; " + (f"did you mean --{near[0]}?" if near else
                                               f"'meshway {any_of(own).command} --help' lists them"))


def any_of(own: Table) -> Option:
    """One that knows the command."""
    return next(iter(own.values()))


def place_operands(operands: list[str], own: Table, given: Given) -> None:
    places = sorted((o for o in own.values() if o.place >= 0), key=lambda o: o.place)
    if places and places[-1].several == "repeats":
        places += places[-1:] * (len(operands) - len(places))
    for option, text in zip(places, operands):
        given.own.setdefault(option.name, []).append(text)
    command, example = any_of(own).command, any_of(own).example
    if len(operands) > len(places):
        raise wrong(f"{command}: {shown(operands[len(places)])} is one operand too many; as in '{example}'")
    for option in places[:places[0].n_required if places else 0]:
        if option.name not in given.own:
            raise wrong(f"{command}: {option.value} is missing: {option.meaning}; as in '{example}'")


def settings(given: Given, own: Table, environment: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Checked values of the command's own options: what was given, else MESHWAY_NAME, else the default."""
    variables = dict(environment)
    values: dict[str, Any] = {}
    for option in own.values():
        texts = given.own.get(option.name)
        variable = "MESHWAY_" + option.name.upper().replace("-", "_")
        if texts is None and option.kind != "flag" and variables.get(variable):
            texts = [variables[variable]]
        if texts is None:
            texts = [option.fallback] if option.fallback else []
        checked = [value_of(option, t, f"--{option.name}") for t in texts]
        if option.several == "repeats":
            values[option.name] = checked
        else:
            values[option.name] = checked[-1] if checked else (False if option.kind == "flag" else None)
    return values
