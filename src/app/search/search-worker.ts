// The worker's program: bundled separately, and contained as text in the panel's chunk.
import { createSearchServer } from '../../chat/store/search/search-calls.ts';

const answer = createSearchServer();
self.addEventListener('message', ({ data }: MessageEvent<unknown>) => self.postMessage(answer(data)));
