"""Networks in ONNX files: a small writer and reader of the format, and a player for networks trained elsewhere.

``encoder``  just enough of ONNX (protocol buffers written by hand) to save a network of ours as a model for any ONNX tool
``files``    the genome in a model file of ours
``planes``   the inputs that a network trained elsewhere may expect
``player``   a policy or value network with such inputs as a player
"""
