import type { ModelFile } from './npy.ts';

/** Longer texts are known by their beginning. */
const MOST_TOKENS = 512;
/** Widths of the windows over tokens, with how many tokens in them are before the one that they are of. */
const WINDOWS = [
  { size: 2, before: 0 },
  { size: 3, before: 1 },
  { size: 5, before: 2 },
] as const;
/** Rows of zeros around a text, for windows that reach beyond it. */
const MARGIN = 2;
const FLOAT = 4;
const PAGE = 65_536;

interface Layer {
  /** Addresses. */
  readonly weights: number;
  readonly bias: number;
  readonly inputs: number;
  readonly outputs: number;
}

interface Norm {
  readonly scale: ArrayLike<number>;
  readonly shift: ArrayLike<number>;
}

/** Scales rows to the mean 0 and the variance 1, then by the norm; in place. */
function normalize(rows: Float32Array, { scale, shift }: Norm, epsilon: number): void {
  const width = scale.length;
  for (let start = 0; start < rows.length; start += width) {
    const row = rows.subarray(start, start + width);
    let mean = 0;
    for (const value of row) mean += value;
    mean /= width;
    let variance = 0;
    for (const value of row) variance += (value - mean) ** 2;
    const factor = 1 / Math.sqrt(variance / width + epsilon);
    for (let at = 0; at < width; at += 1) row[at] = ((row[at] ?? 0) - mean) * factor * (scale[at] ?? 0) + (shift[at] ?? 0);
  }
}

/** Layers in the memory of `multiply.wat`. It grows only while they are put there: views of it stay good afterwards. */
class Layers {
  private readonly memory = new WebAssembly.Memory({ initial: 1 });
  private readonly multiply: (...numbers: readonly number[]) => void;
  private end = 64;

  constructor(product: Uint8Array<ArrayBuffer>) {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(product), { model: { memory: this.memory } });
    this.multiply = exports.multiply as Layers['multiply'];
  }

  /** The address of so many numbers, which are 0. */
  room(length: number): number {
    const at = this.end;
    this.end += Math.ceil((length * FLOAT) / 64) * 64;
    const missing = Math.ceil((this.end - this.memory.buffer.byteLength) / PAGE);
    if (missing > 0) this.memory.grow(missing);
    return at;
  }

  at(address: number, length: number): Float32Array {
    return new Float32Array(this.memory.buffer, address, length);
  }

  /** Puts the columns in panels of eight, as `multiply.wat` reads them. `matrices` are side by side. */
  layer(matrices: readonly ArrayLike<number>[], inputs: number, biases: readonly ArrayLike<number>[] = []): Layer {
    const widths = matrices.map(({ length }) => length / inputs);
    const outputs = widths.reduce((sum, width) => sum + width, 0);
    const layer = { weights: this.room(inputs * outputs), bias: this.room(outputs), inputs, outputs };
    const panels = this.at(layer.weights, inputs * outputs);
    let at = 0;
    for (const [number, matrix] of matrices.entries()) {
      const width = widths[number] ?? 0;
      for (let column = 0; column < width; column += 8)
        for (let row = 0; row < inputs; row += 1)
          for (let each = 0; each < 8; each += 1) panels[at++] = matrix[row * width + column + each] ?? 0;
    }
    const bias = this.at(layer.bias, outputs);
    let start = 0;
    for (const each of biases) {
      bias.set(each, start);
      start += each.length;
    }
    return layer;
  }

  /** Writes the layer's outputs of each row of `from`, whose rows begin `step` numbers after each other, to `to`. */
  run(layer: Layer, from: number, to: number, rows = 1, { step = layer.inputs, bias = layer.bias, cut = false } = {}): void {
    const { weights, inputs, outputs } = layer;
    const least = cut ? 0 : Number.NEGATIVE_INFINITY;
    this.multiply(from, step * FLOAT, weights, bias, to, outputs * FLOAT, rows, inputs, outputs, least);
  }
}

/** The weights by name, and the matrices as layers. */
function readLayers({ weights }: ModelFile, layers: Layers) {
  const of = (name: string): ArrayLike<number> => {
    const values = weights.get(name)?.values;
    if (!values) throw new Error(`the model has no ${name}`);
    return values;
  };
  const each = (name: string): readonly ArrayLike<number>[] => WINDOWS.map(({ size }) => of(`${name}${size}`));
  const inputs = (name: string): number => weights.get(name)?.shape[0] ?? 1;
  const layer = (name: string, bias?: string): Layer => layers.layer([of(name)], inputs(name), bias ? [of(bias)] : []);
  const joined = (name: string): Float32Array => Float32Array.from(each(name).flatMap((part) => Array.from(part)));
  return {
    tables: Array.from({ length: of('lo').length }, (_, at) => of(`q${at + 1}`)),
    ...{ low: of('lo'), scale: of('scale'), epsilon: of('eps')[0] ?? 0 },
    tokens: { scale: joined('ln_g'), shift: joined('ln_b') },
    features: { scale: of('ln_g'), shift: of('ln_b') },
    project: layers.layer(each('proj'), inputs('proj2'), each('proj_b')),
    windows: WINDOWS.map(({ size, before }) => ({
      before,
      first: layer(`w1_${size}`, `b1_${size}`),
      second: layer(`w2_${size}`, `b2_${size}`),
    })),
    out: layer('cnn_W'),
    outBias: of('cnn_b'),
    ...{ d0: layer('d0'), d1: layer('d1'), d2: layer('d2'), d3: layer('d3'), p1: layer('p1'), p3: layer('p3') },
  };
}

type Model = ReturnType<typeof readLayers>;

/** Tokens as they are embedded, each at the begin of its row of features. Tables hold every so many-th token. */
function embed(
  ids: readonly number[],
  { tables, low, scale }: Model,
  features: Float32Array,
  sizes: { dimensions: number; all: number },
): void {
  for (const [row, id] of ids.entries()) {
    const number = id % tables.length;
    const start = Math.floor(id / tables.length) * sizes.dimensions;
    const [factor, least, table] = [scale[number] ?? 0, low[number] ?? 0, tables[number] ?? []];
    for (let at = 0; at < sizes.dimensions; at += 1) features[row * sizes.all + at] = (table[start + at] ?? 0) * factor + least;
  }
}

/** Numbers in the memory that the layers work in. */
class Room {
  readonly at: number;
  private readonly layers: Layers;
  private readonly length: number;

  constructor(layers: Layers, rows: number, columns: number) {
    this.layers = layers;
    this.length = rows * columns;
    this.at = layers.room(this.length);
  }

  get values(): Float32Array {
    return this.layers.at(this.at, this.length);
  }
}

/**
 * The multilingual Universal Sentence Encoder: embedded tokens and two convolutions over windows of each width make the features, whose sum goes
 * through four layers.
 */
export class Encoder {
  private readonly layers: Layers;
  private readonly model: Model;
  private readonly width: number;
  private readonly sizes: { readonly dimensions: number; readonly all: number };
  private readonly rooms: Readonly<Record<'features' | 'tokens' | 'before' | 'hidden' | 'result' | 'sum', Room>>;
  private readonly ends: Readonly<Record<'mean' | 'y0' | 'y1' | 'y2' | 'end', Room>>;

  /** `product`: the bytes of `multiply.wat`. Throws for another model, and where the program cannot run them. */
  constructor(file: ModelFile, product: Uint8Array<ArrayBuffer>) {
    const layers = new Layers(product);
    const model = readLayers(file, layers);
    const { project, out, d0, p1, d2, p3 } = model;
    this.layers = layers;
    this.model = model;
    this.width = project.outputs / WINDOWS.length;
    this.sizes = { dimensions: project.inputs, all: out.inputs };
    this.rooms = {
      features: new Room(layers, MOST_TOKENS, out.inputs),
      tokens: new Room(layers, MOST_TOKENS, project.outputs),
      before: new Room(layers, MOST_TOKENS + 2 * MARGIN, this.width),
      hidden: new Room(layers, MOST_TOKENS + 2 * MARGIN, this.width),
      result: new Room(layers, MOST_TOKENS, this.width),
      sum: new Room(layers, 1, out.inputs),
    };
    const end = ({ outputs }: Layer): Room => new Room(layers, 1, outputs);
    this.ends = { mean: end(out), y0: end(d0), y1: end(p1), y2: end(d2), end: end(p3) };
  }

  /** The vector of tokens, of the length 1. */
  encode(ids: readonly number[]): Float32Array {
    const { rooms, model, layers, sizes } = this;
    const rows = Math.min(ids.length, MOST_TOKENS);
    const [features, tokens] = [rooms.features.values, rooms.tokens.values];
    embed(ids.slice(0, rows), model, features, sizes);
    layers.run(model.project, rooms.features.at, rooms.tokens.at, rows, { step: sizes.all });
    normalize(tokens.subarray(0, rows * model.project.outputs), model.tokens, model.epsilon);
    for (const [number, window] of model.windows.entries()) this.convolve(window, number, rows);
    normalize(features.subarray(0, rows * sizes.all), model.features, model.epsilon);
    return this.vectorOf(rows);
  }

  /** Adds the features of one width to those of the tokens. */
  private convolve({ before: behind, first, second }: Model['windows'][number], number: number, rows: number): void {
    const { rooms, layers, width, sizes } = this;
    const [tokens, features] = [rooms.tokens.values, rooms.features.values];
    const [before, hidden, result] = [rooms.before.values, rooms.hidden.values, rooms.result.values];
    const [start, from] = [MARGIN * width, (MARGIN - behind) * width * FLOAT];
    const step = this.model.project.outputs;
    for (let row = 0; row < rows; row += 1)
      before.set(tokens.subarray(row * step + number * width, row * step + (number + 1) * width), start + row * width);
    before.fill(0, start + rows * width);
    layers.run(first, rooms.before.at + from, rooms.hidden.at + start * FLOAT, rows, { step: width, cut: true });
    for (let at = start; at < start + rows * width; at += 1) hidden[at] = (hidden[at] ?? 0) + (before[at] ?? 0);
    hidden.fill(0, start + rows * width);
    layers.run(second, rooms.hidden.at + from, rooms.result.at, rows, { step: width, cut: true });
    for (let row = 0; row < rows; row += 1) {
      const to = row * sizes.all + sizes.dimensions + number * width;
      for (let at = 0; at < width; at += 1) features[to + at] = (result[row * width + at] ?? 0) + (hidden[start + row * width + at] ?? 0);
    }
  }

  /** The sum of the features, scaled by the root of their number, through the last layers. */
  private vectorOf(rows: number): Float32Array {
    const { layers, rooms, sizes } = this;
    const { out, outBias, d0, d1, d2, d3, p1, p3 } = this.model;
    const { mean, y0, y1, y2, end } = this.ends;
    const total = rooms.sum.values.fill(0);
    const features = rooms.features.values;
    for (let at = 0; at < rows * sizes.all; at += 1) total[at % sizes.all] = (total[at % sizes.all] ?? 0) + (features[at] ?? 0);
    layers.run(out, rooms.sum.at, mean.at);
    const values = mean.values;
    for (let at = 0; at < values.length; at += 1) values[at] = ((values[at] ?? 0) + rows * (outBias[at] ?? 0)) / Math.sqrt(rows);
    layers.run(d0, mean.at, y0.at, 1, { cut: true });
    layers.run(p1, mean.at, y1.at);
    layers.run(d1, y0.at, y1.at, 1, { bias: y1.at, cut: true });
    layers.run(d2, y1.at, y2.at, 1, { cut: true });
    layers.run(p3, y1.at, end.at);
    layers.run(d3, y2.at, end.at, 1, { bias: end.at });
    const vector = end.values.map(Math.tanh);
    const length = Math.hypot(...vector) || 1;
    return vector.map((value) => value / length);
  }
}
