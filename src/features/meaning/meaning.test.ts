import { describe, expect, it } from 'vitest';
import { answerWith, createMeaningServer, engineOver } from './meaning-calls.ts';
import { product, tinyModel } from './testing/tiny-model.ts';
import { Vectors } from './vectors.ts';

const MEANINGS = { cat: 1, 猫: 1, garden: 2, 花园: 2, tax: 3 };
const block = (id: string, text: string, hash = 'h') => ({ id: id.padStart(22, '0'), hash, text });
const ids = (near: readonly { readonly id: string }[]) => near.map(({ id }) => id.replace(/^0+/u, ''));

async function opened() {
  const server = createMeaningServer(await product());
  server.open(tinyModel(MEANINGS));
  server.set([
    block('cat', 'The cat is on the roof of the neighbour'),
    block('tax', 'The tax is due in the month of the harvest'),
    block('mao', '邻居的屋顶上有一只猫，它每天早上都在那里晒太阳，看着街上的人'),
    block('hua', '花园里的苹果树今年开了很多白色的花，蜜蜂从早到晚都在忙着采蜜'),
  ]);
  return server;
}

describe('vectors of blocks', () => {
  it('are found by a question, those of its script and the others apart', async () => {
    const server = await opened();
    const { own, other } = server.nearest('a cat', 10);
    expect([ids(own), ids(other)]).toEqual([
      ['cat', 'tax'],
      ['mao', 'hua'],
    ]);
    expect(other[0]?.similarity).toBeGreaterThan(0.5);
    expect(server.nearest('猫', 1).own).toHaveLength(1);
    expect(ids(server.nearest('花园', 1).own)).toEqual(['hua']);
  });

  it('of little text are farther', async () => {
    const server = await opened();
    const similarity = (): number => server.nearest('a cat', 1).own[0]?.similarity ?? 0;
    expect(similarity()).toBeCloseTo(1, 1);
    server.set([block('cat', 'a cat')]);
    expect(similarity()).toBeCloseTo(0.9, 1);
  });

  it('are the same after they were kept in files, also where rows became free', async () => {
    const server = await opened();
    server.drop([block('tax', '').id]);
    const [file] = server.takeChanged();
    expect(server.takeChanged()).toEqual([]);
    const again = createMeaningServer(await product());
    again.open(tinyModel(MEANINGS));
    expect(again.load(file!).map(([id]) => id.replace(/^0+/u, ''))).toEqual(['cat', 'mao', 'hua']);
    expect(again.nearest('a cat', 10)).toEqual(server.nearest('a cat', 10));
    // The free row is used first.
    again.set([block('new', 'A cat again')]);
    expect(again.takeChanged()).toEqual([{ shard: 0, bytes: expect.objectContaining({ length: file!.bytes.length }) }]);
  });

  it('of a block that is in two files, or cut off with a file, are read once', () => {
    const vectors = new Vectors(8);
    vectors.set(block('a', 'first'), new Float32Array(8).fill(0.5));
    const [file] = vectors.takeChanged();
    const other = new Vectors(8);
    expect(other.load(0, file!.bytes)).toEqual([[block('a', '').id, 'h']]);
    expect([other.load(1, file!.bytes), other.load(2, file!.bytes.subarray(0, 12))]).toEqual([[], []]);
    expect(other.nearest('a', new Float32Array(8).fill(1), 9).own).toHaveLength(1);
  });
});

describe('the worker', () => {
  it('answers each call, and says why one failed', async () => {
    const server = createMeaningServer(await product());
    let listener: (message: unknown) => void = () => undefined;
    let end = false;
    const engine = engineOver({
      post: (message) => queueMicrotask(() => listener(answerWith(server, structuredClone(message)))),
      listen: (onMessage) => {
        listener = onMessage;
      },
      end: () => {
        end = true;
      },
    });
    await expect(engine.open(new Uint8Array([1, 2, 3]))).rejects.toMatchObject({ code: 'not_loaded' });
    const name = await engine.open(tinyModel(MEANINGS));
    expect(name).not.toBe(await engine.open(tinyModel({ ...MEANINGS, dog: 1 })));
    await engine.set([block('a', 'cat')]);
    expect((await engine.nearest('cat', 1)).own).toHaveLength(1);
    engine.end();
    expect(end).toBe(true);
    await expect(engine.nearest('cat', 1)).rejects.toMatchObject({ code: 'not_loaded' });
  });
});
