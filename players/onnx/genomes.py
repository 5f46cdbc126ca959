"""Genomes as ONNX models: the header of a genome (see ``players.genome``) as metadata, sealed by a digest.

The metadata are JSON texts by name. The last of them is a digest over all bytes before it, so that a damaged or edited file
is noticed."""

import json

from engine import limits
from engine.files import FileError, read_bytes
from players.genome import GenomeError, check_version, from_header, plain, write_atomically
from players.onnx.encoder import OnnxError, is_sealed, sealed
from players.schema import SchemaError, parse_json

_HEADER = ("sizes", "generation", "config", "results", "history")


def save(genome, path, version, encode, told=()):
    """Write a genome as the model that ``encode(metadata)`` gives; ``told`` are parts of its body that are metadata too."""
    header = plain(
        {
            "sizes": sorted(genome.sizes),
            "generation": genome.generation,
            "config": genome.config,
            "results": [result.to_json() for result in genome.results],
            "history": genome.history,
        }
    )
    metadata = {"evogo": "genome", "kind": genome.kind, "version": str(version)}
    metadata |= {name: json.dumps(header[name]) for name in _HEADER}
    metadata |= {name: json.dumps(genome.body[name]) for name in told}
    write_atomically(path, sealed(encode(metadata)))


def load(path, kind, newest, decode, told=(), perhaps_told=(), unsealed=0):
    """The Genome of ``kind`` in a model file; GenomeError if it holds none.

    ``decode(content)`` gives the parameters and the metadata in the bytes of a model, OnnxError if there are none.
    ``told`` are parts of the body that are metadata, ``perhaps_told`` those that may be missing there. ``newest`` is the
    largest version that is known, and up to version ``unsealed`` files have no digest."""
    try:
        content = read_bytes(path, limits.GENOME_BYTES)
    except FileError as error:
        raise GenomeError(str(error)) from None
    try:
        parameters, metadata = decode(content)
    except OnnxError as error:
        raise GenomeError(f"{path} cannot be used: {error}") from None
    if metadata.get("kind") != kind:
        raise GenomeError(f"{path} is not a network of kind {kind}")
    version = metadata.get("version", "")
    version = int(version) if version.isascii() and version.isdigit() and len(version) < 10 else None
    check_version(version, newest, path)
    if version > unsealed and not is_sealed(content):
        raise GenomeError(f"{path} is damaged or was edited: its digest does not match its content")
    told = (*told, *(name for name in perhaps_told if name in metadata))
    header = {"kind": kind} | {name: _read(metadata, name, path) for name in (*_HEADER, *told)}
    body = {"parameters": parameters.tolist()} | {name: header.pop(name) for name in told}
    return from_header(header, body, path)


def _read(metadata, name, path):
    """The data in one of the metadata."""
    try:
        return parse_json(metadata.get(name, ""))
    except SchemaError as error:
        raise GenomeError(f"{path} cannot be used: {name}: {error}") from None
