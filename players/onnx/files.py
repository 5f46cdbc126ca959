"""From an ONNX file to what it is: a genome of ours, or a network from elsewhere."""

from engine import limits
from engine.files import FileError, map_bytes
from players.genome import GenomeError
from players.kinds import UnknownKind, part
from players.onnx.encoder import OnnxError, read_metadata

FOREIGN = "onnx"  # the kind of a network that is not ours


def kind_of(path):
    """What the metadata of an ONNX file say it is, FOREIGN if they say nothing; GenomeError if it is no ONNX file."""
    try:
        return read_metadata(map_bytes(path, limits.MODEL_BYTES)).get("kind", FOREIGN)
    except FileError as error:
        raise GenomeError(str(error)) from None
    except OnnxError as error:
        raise GenomeError(f"{path} is not an ONNX model that can be used: {error}") from None


def load_genome(path):
    """The Genome in an ONNX file, or None if its metadata name no kind that has one; GenomeError if it is damaged."""
    try:
        model = part(kind_of(path), "model")
    except UnknownKind:
        return None
    return model.load(path)
