import { describe, expect, it } from 'vitest';
import { list, matrix, modelFile, npy, pieceFile, product } from '../testing/tiny-model.ts';
import { Encoder } from './encoder.ts';
import { readModelFile, readNpy } from './npy.ts';
import { Tokenizer } from './tokenizer.ts';

describe('an array of NumPy', () => {
  it('is read with its kind and its sides', () => {
    const read = readNpy(npy(matrix(2, 3, (row, column) => row * 3 + column)));
    expect(read).toEqual({ shape: [2, 3], values: Float32Array.from([0, 1, 2, 3, 4, 5]) });
    expect(readNpy(npy({ shape: [], values: [1e-12] }, '<f8'))).toEqual({ shape: [], values: Float64Array.from([1e-12]) });
    expect(readNpy(npy(list(7, 255), '|u1')).values).toEqual(Uint8Array.from([7, 255]));
  });

  it('is refused in another form', () => {
    const whole = npy(list(1));
    for (const [from, to] of [
      ['False', 'True_'],
      ["'<f4'", "'>f4'"],
      ['NUMPY', 'NUMPI'],
    ] as const) {
      const changed = Buffer.from(whole);
      changed.write(to, changed.indexOf(from));
      expect(() => readNpy(changed)).toThrow('not an array');
    }
  });
});

describe('the tokenizer', () => {
  const pieces = [
    ['▁new', -1],
    ['▁', -3],
    ['ne', -2],
    ['w', -2],
    ['york', -1.5],
    ['▁newyork', -4],
    ['雪', -1],
  ] as const;
  const tokenizer = new Tokenizer(pieceFile(pieces));
  const BEGIN = 1;
  const END = 2;
  const textOf = (ids: readonly number[]) => ids.map((id) => pieces[id - 3]?.[0] ?? id);

  it('takes the pieces whose scores are the greatest together, not the longest', () => {
    expect(textOf(tokenizer.encode('newyork'))).toEqual([BEGIN, '▁new', 'york', END]);
  });

  it('joins runs of spaces, and leaves those at the ends away', () => {
    expect(textOf(tokenizer.encode('  new   new '))).toEqual([BEGIN, '▁new', '▁new', END]);
  });

  it('has one unknown piece for each sign that no piece holds, also for one of two code units', () => {
    expect(textOf(tokenizer.encode('new😀雪'))).toEqual([BEGIN, '▁new', 0, '雪', END]);
    expect(tokenizer.encode(' ')).toEqual([BEGIN, 0, END]);
  });

  it('replaces signs by the longest rule', () => {
    // A trie of `A`, which becomes `w`, and of `AB`, which becomes a space. A child is at the node's offset, xor its byte; a value at byte 0.
    const units = new Uint32Array(512);
    const unit = (label: number, offset: number, hasLeaf: boolean) => (label | (hasLeaf ? 256 : 0) | (offset << 10)) >>> 0;
    units[0] = unit(0, 128, false);
    units[128 ^ 65] = unit(65, 128 ^ 65 ^ 256, true);
    units[256] = 0x80_00_00_00;
    units[256 ^ 66] = unit(66, 256 ^ 66 ^ 400, true);
    units[400] = 0x80_00_00_02;
    const size = new Uint8Array(new Uint32Array([units.byteLength]).buffer);
    const rules = [...size, ...new Uint8Array(units.buffer), ...Buffer.from('w\0 \0')];
    const replacing = new Tokenizer(pieceFile(pieces, rules));
    expect(textOf(replacing.encode('neA'))).toEqual([BEGIN, '▁new', END]);
    expect(textOf(replacing.encode('newABnew'))).toEqual([BEGIN, '▁new', '▁new', END]);
  });
});

/** Small numbers that look random and are the same each time. */
function numbers(): () => number {
  let state = 7;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  };
}

const [D, W, H] = [16, 8, 8];
const SIZES = [2, 3, 5] as const;
const F = D + 3 * W;

function randomWeights() {
  const next = numbers();
  const made = (rows: number, columns: number) => matrix(rows, columns, next);
  const row = (length: number) => list(...Array.from({ length }, next));
  const windows = SIZES.flatMap((size) =>
    [
      ...Object.entries({ proj: made(D, W), proj_b: row(W), ln_g: row(W), ln_b: row(W), b1_: row(W), b2_: row(W) }),
      ...Object.entries({ w1_: made(size * W, W), w2_: made(size * W, W) }),
    ].map(([name, values]) => [`${name}${size}`, values] as const),
  );
  return {
    ...Object.fromEntries(windows),
    ...{ lo: list(-0.7), scale: list(0.01), eps: list(1e-6), ln_g: row(F), ln_b: row(F), cnn_W: made(F, D), cnn_b: row(D) },
    ...{ d0: made(D, H), d1: made(H, 2 * D), d2: made(2 * D, H), d3: made(H, D), p1: made(D, 2 * D), p3: made(2 * D, D) },
  };
}

type Rows = number[][];
const times = (rows: Rows, { shape: [inputs = 0, outputs = 0], values }: ReturnType<typeof matrix>, bias: readonly number[] = []): Rows =>
  rows.map((row) =>
    Array.from({ length: outputs }, (_, column) =>
      Array.from({ length: inputs }, (_, at) => (row[at] ?? 0) * (values[at * outputs + column] ?? 0)).reduce(
        (sum, value) => sum + value,
        bias[column] ?? 0,
      ),
    ),
  );
const plus = (one: Rows, other: Rows): Rows => one.map((row, at) => row.map((value, column) => value + (other[at]?.[column] ?? 0)));
const cut = (rows: Rows): Rows => rows.map((row) => row.map((value) => Math.max(0, value)));

/** The same by the equations, as plainly as they can be written. */
function plainVector(ids: readonly number[], table: ReturnType<typeof matrix>, weights: ReturnType<typeof randomWeights>): number[] {
  const of = (name: string) => (weights as Record<string, ReturnType<typeof matrix>>)[name] ?? list();
  const norm = (rows: Rows, scale: readonly number[], shift: readonly number[]): Rows =>
    rows.map((row) => {
      const mean = row.reduce((sum, value) => sum + value, 0) / row.length;
      const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / row.length;
      return row.map((value, at) => ((value - mean) / Math.sqrt(variance + 1e-6)) * (scale[at] ?? 0) + (shift[at] ?? 0));
    });
  const embedded: Rows = ids.map((id) => Array.from({ length: D }, (_, at) => (table.values[id * D + at] ?? 0) * 0.01 - 0.7));
  const joined = (name: string) => SIZES.flatMap((size) => [...of(`${name}${size}`).values]);
  const tokens = SIZES.map((size) => times(embedded, of(`proj${size}`), of(`proj_b${size}`).values));
  const all = norm(
    embedded.map((_, at) => tokens.flatMap((rows) => rows[at] ?? [])),
    joined('ln_g'),
    joined('ln_b'),
  );
  const branches = SIZES.map((size, number) => {
    const own = all.map((row) => row.slice(number * W, (number + 1) * W));
    const windows = (rows: Rows): Rows =>
      rows.map((_, at) => Array.from({ length: size }, (_, step) => rows[at + step - number] ?? Array<number>(W).fill(0)).flat());
    const hidden = plus(cut(times(windows(own), of(`w1_${size}`), of(`b1_${size}`).values)), own);
    return plus(cut(times(windows(hidden), of(`w2_${size}`), of(`b2_${size}`).values)), hidden);
  });
  const features = norm(
    embedded.map((row, at) => [...row, ...branches.flatMap((rows) => rows[at] ?? [])]),
    of('ln_g').values,
    of('ln_b').values,
  );
  const projected = times(features, of('cnn_W'), of('cnn_b').values);
  const mean = [
    projected[0]?.map((_, column) => projected.reduce((sum, row) => sum + (row[column] ?? 0), 0) / Math.sqrt(ids.length)) ?? [],
  ];
  const y0 = cut(times(mean, of('d0')));
  const y1 = cut(plus(times(mean, of('p1')), times(y0, of('d1'))));
  const end = plus(times(y1, of('p3')), times(cut(times(y1, of('d2'))), of('d3')))[0]?.map(Math.tanh) ?? [];
  const length = Math.hypot(...end);
  return end.map((value) => value / length);
}

describe('the encoder', () => {
  it('gives what the equations give, for texts of any length, one after the other', async () => {
    const next = numbers();
    const table = matrix(40, D, () => Math.floor((next() + 0.5) * 256));
    const weights = randomWeights();
    const encoder = new Encoder(readModelFile(modelFile(pieceFile([]), table, weights)), await product());
    for (const length of [9, 1, 2, 4, 37]) {
      const ids = Array.from({ length }, () => Math.floor((next() + 0.5) * 40));
      const expected = plainVector(ids, table, weights);
      for (const [at, value] of encoder.encode(ids).entries()) expect(value).toBeCloseTo(expected[at] ?? 2, 4);
    }
  });

  it('knows a very long text by its beginning, and refuses a file without its weights', async () => {
    const weights = randomWeights();
    const file = modelFile(
      pieceFile([]),
      matrix(4, D, (row) => row),
      weights,
    );
    const encoder = new Encoder(readModelFile(file), await product());
    const long = Array.from({ length: 600 }, (_, at) => at % 3);
    expect(encoder.encode(long)).toEqual(encoder.encode(long.slice(0, 512)));
    const { d3: _missing, ...rest } = weights;
    const bytes = await product();
    expect(() => new Encoder(readModelFile(modelFile(pieceFile([]), matrix(4, D), rest)), bytes)).toThrow('no d3');
    expect(() => readModelFile(modelFile(pieceFile([]), matrix(4, D), weights).subarray(0, 200))).toThrow();
  });
});
