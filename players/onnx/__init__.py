"""ONNX as a file format for our own networks.

``encoder``  just enough of it (protocol buffers written by hand) to save a network as a model for any ONNX tool
``files``    the genome in such a file
"""
