// The worker's program: bundled separately, and contained as text in a chunk of the panel.
import { answerWith, createMeaningServer } from './meaning-calls.ts';
import product from './model/multiply.wat';

const server = createMeaningServer(product);
self.addEventListener('message', ({ data }: MessageEvent<unknown>) => self.postMessage(answerWith(server, data)));
