"""ONNX files: our own networks in them, and those of others.

``encoder``  just enough of the format (protocol buffers by hand) to save a network for any ONNX tool, and to read it
``genomes``  the header of a genome in a model, and back
``files``    which kind of network a file holds, and the genome in it
``runtime``  a model in onnxruntime, within limits, its failures in our words
"""
