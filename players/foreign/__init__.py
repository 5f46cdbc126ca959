"""Networks of other people as players: ``player`` runs an ONNX file, ``planes`` are the inputs it may expect."""
