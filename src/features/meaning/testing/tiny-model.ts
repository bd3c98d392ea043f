import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import openWabt from 'wabt';

/** The bytes of `multiply.wat`. */
export async function product(): Promise<Uint8Array<ArrayBuffer>> {
  const file = join(import.meta.dirname, '../model/multiply.wat');
  const parsed = (await openWabt()).parseWat(file, readFileSync(file, 'utf8'));
  return new Uint8Array(parsed.toBinary({}).buffer);
}

type Matrix = { readonly shape: readonly number[]; readonly values: readonly number[] };
export const matrix = (rows: number, columns: number, of: (row: number, column: number) => number = () => 0): Matrix => ({
  shape: [rows, columns],
  values: Array.from({ length: rows * columns }, (_, at) => of(Math.floor(at / columns), at % columns)),
});
export const list = (...values: readonly number[]): Matrix => ({ shape: [values.length], values });

export function npy({ shape, values }: Matrix, kind: '<f4' | '|u1' | '<f8' = '<f4'): Uint8Array {
  const head = `{'descr': '${kind}', 'fortran_order': False, 'shape': (${shape.join(', ')}${shape.length === 1 ? ',' : ''}), }\n`;
  const Kind = { '<f4': Float32Array, '|u1': Uint8Array, '<f8': Float64Array }[kind];
  const body = new Uint8Array(new Kind(values).buffer);
  return Uint8Array.from([0x93, ...Buffer.from('NUMPY'), 1, 0, head.length, 0, ...Buffer.from(head), ...body]);
}

const field = (number: number, bytes: readonly number[]): number[] => [
  number * 8 + 2,
  ...(bytes.length < 128 ? [bytes.length] : [(bytes.length & 127) | 128, bytes.length >> 7]),
  ...bytes,
];
const piece = (text: string, score: number): number[] =>
  field(1, [...field(1, [...Buffer.from(text)]), 2 * 8 + 5, ...new Uint8Array(new Float32Array([score]).buffer)]);

/** A program for the tokenizer with these pieces, whose numbers begin at 3. */
export const pieceFile = (pieces: readonly (readonly [text: string, score: number])[], rules: readonly number[] = []): Uint8Array =>
  Uint8Array.from([
    ...[['<unk>', 0] as const, ['<s>', 0] as const, ['</s>', 0] as const, ...pieces].flatMap(([text, score]) => piece(text, score)),
    ...field(3, field(2, rules)),
  ]);

/** The file of a model. `table`: the embedded tokens, a row for each piece. */
export const modelFile = (pieces: Uint8Array, table: Matrix, weights: Readonly<Record<string, Matrix>>): Uint8Array<ArrayBuffer> => {
  const arrays = Object.entries(weights).map(([name, values]) => [`${name}.npy`, npy(values, name === 'eps' ? '<f8' : '<f4')]);
  const npz = zipSync({ ...Object.fromEntries(arrays), 'q1.npy': npy(table, '|u1') });
  return new Uint8Array(zipSync({ 'tiny/resources/sp.model': pieces, 'tiny/resources/weights.npz': npz }));
};

const DIMENSIONS = 16;
const WIDTH = 8;
const FEATURES = DIMENSIONS + 3 * WIDTH;
const ones = (length: number): Matrix => list(...Array.from({ length }, () => 1));
const zeros = (length: number): Matrix => list(...Array.from({ length }, () => 0));

/** A model that knows some words, each by the number of what it means (at most 15); a text is the sum of its words. */
export function tinyModel(meanings: Readonly<Record<string, number>>): Uint8Array<ArrayBuffer> {
  const words = Object.entries(meanings).flatMap(([word, meaning]) => [[`▁${word}`, meaning] as const, [word, meaning] as const]);
  const table = matrix(words.length + 3, DIMENSIONS, (row, column) => (words[row - 3]?.[1] === column ? 100 : 0));
  const windows = [2, 3, 5].flatMap((size) => [
    ...[
      [`proj${size}`, matrix(DIMENSIONS, WIDTH)],
      [`proj_b${size}`, zeros(WIDTH)],
      [`ln_g${size}`, ones(WIDTH)],
      [`ln_b${size}`, zeros(WIDTH)],
    ],
    ...[
      [`w1_${size}`, matrix(size * WIDTH, WIDTH)],
      [`b1_${size}`, zeros(WIDTH)],
      [`w2_${size}`, matrix(size * WIDTH, WIDTH)],
      [`b2_${size}`, zeros(WIDTH)],
    ],
  ]);
  return modelFile(pieceFile(words.map(([word]) => [word, -1])), table, {
    ...Object.fromEntries(windows),
    ...{ lo: list(0), scale: list(1), eps: list(1e-12), ln_g: ones(FEATURES), ln_b: zeros(FEATURES) },
    cnn_W: matrix(FEATURES, DIMENSIONS, (row, column) => (row === column ? 1 : 0)),
    cnn_b: zeros(DIMENSIONS),
    ...{
      d0: matrix(DIMENSIONS, WIDTH),
      d1: matrix(WIDTH, 2 * DIMENSIONS),
      d2: matrix(2 * DIMENSIONS, WIDTH),
      d3: matrix(WIDTH, DIMENSIONS),
    },
    p1: matrix(DIMENSIONS, 2 * DIMENSIONS, (row, column) => Number(column === row) - Number(column - DIMENSIONS === row)),
    p3: matrix(2 * DIMENSIONS, DIMENSIONS, (row, column) => Number(row === column) - Number(row - DIMENSIONS === column)),
  });
}
