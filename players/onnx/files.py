"""From an ONNX file to the genome in it, if it is one of ours."""

from pathlib import Path

from players.genome import GenomeError
from players.kinds import UnknownKind, part
from players.onnx.encoder import OnnxError, decode_model


def load_genome(path):
    """The Genome in an ONNX file, or None if its metadata name no kind that has one; GenomeError if it is damaged."""
    try:
        _, metadata = decode_model(Path(path).read_bytes())
    except OSError as error:
        raise GenomeError(f"cannot read {path}: {error.strerror}") from None
    except OnnxError as error:
        raise GenomeError(f"{path} cannot be read: {error}") from None
    try:
        model = part(metadata.get("kind", "onnx"), "model")
    except UnknownKind:
        return None
    return model.load(path)
