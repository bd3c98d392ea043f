import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AssetStore } from '../../src/chat/ports/assets.ts';
import { createAssetStore } from '../../src/host/kernel/assets.ts';
import { signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
let assets: AssetStore;

beforeAll(async () => {
  bench = await startBench();
  assets = createAssetStore(bench.client);
});
afterAll(() => bench.close());

describe('assets', () => {
  it('come back byte for byte, by any name', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    for (const name of ['picture.png', 'a (b) [c] #d %e? 中文 &+.PNG', '100% "quoted".txt']) {
      const path = await assets.save(name, bytes, 'image/png', signal);
      expect(path).toMatch(/^assets\/.*-\d{14}-[0-9a-z]{7}\.(png|txt)$/);
      expect(await assets.read(path, signal)).toEqual(bytes);
    }
  });

  it('that are gone are named', async () => {
    await expect(assets.read('assets/none-20260101000000-abcdefg.png', signal)).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each(['assets/../conf/conf.json', 'conf/conf.json', 'assets/', 'assets', '/assets/x.png', 'assets//x.png', 'http://x/assets/y'])(
    'are all that is read: %s is refused here',
    async (path) => {
      await expect(assets.read(path, signal)).rejects.toMatchObject({ code: 'bad_path' });
    },
  );

  it('that SiYuan did not save are a refusal', async () => {
    const unsaved = createAssetStore({
      ...bench.client,
      upload: async (_path, _form, parse) => parse({ errFiles: ['x.png'], succMap: {} }),
    });
    await expect(unsaved.save('x.png', new Uint8Array(1), 'image/png', signal)).rejects.toMatchObject({ code: 'kernel_refused' });
  });
});
