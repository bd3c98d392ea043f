/** A block whose vector is near that of a text. */
interface NearVector {
  readonly id: string;
  /** Cosine of the angle; of a block with little text less. */
  readonly similarity: number;
}

/** The nearest blocks of each script, nearest first. */
export interface NearVectors {
  readonly own: readonly NearVector[];
  readonly other: readonly NearVector[];
}

/** What the text of a vector was: its block, and SiYuan's hash of that. */
export interface VectorOf {
  readonly id: string;
  readonly hash: string;
  readonly text: string;
}

interface Row {
  readonly id: string;
  readonly hash: string;
  readonly isHan: boolean;
  readonly isShort: boolean;
}

/** Rows of a shard, which is a file. */
const SHARD = 1024;
const ID = 22;
const HASH = 8;
/** An id, a hash, a byte for script and length. */
const HEAD = ID + HASH + 1;
const GREATEST = 127;
/** A short text says little, and is near to many questions. */
const SHORT = 24;
const SHORT_LESS = 0.1;

const isHan = (text: string): boolean => /\p{Script=Han}/u.test(text);

/** Vectors in 8 bits each, by block. Rows are used again, so that a shard changes only where one of its blocks did. */
export class Vectors {
  private readonly dimensions: number;
  private readonly rows: (Row | undefined)[] = [];
  private readonly byId = new Map<string, number>();
  private readonly free: number[] = [];
  private readonly changed = new Set<number>();
  private values = new Int8Array(0);

  constructor(dimensions: number) {
    this.dimensions = dimensions;
  }

  set({ id, hash, text }: VectorOf, vector: Float32Array): void {
    const greatest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9);
    const isShort = text.length < SHORT;
    this.place(
      { id, hash, isHan: isHan(text), isShort },
      vector.map((value) => Math.round((value / greatest) * GREATEST)),
    );
  }

  private place(row: Row, vector: ArrayLike<number>, at = this.byId.get(row.id) ?? this.free.pop() ?? this.rows.length): void {
    const end = (at + 1) * this.dimensions;
    if (end > this.values.length) {
      const more = new Int8Array(Math.max(end, this.values.length * 2, SHARD * this.dimensions));
      more.set(this.values);
      this.values = more;
    }
    this.rows[at] = row;
    this.byId.set(row.id, at);
    this.values.set(vector, at * this.dimensions);
    this.changed.add(Math.floor(at / SHARD));
  }

  drop(ids: readonly string[]): void {
    for (const id of ids) {
      const at = this.byId.get(id);
      if (at === undefined) continue;
      this.byId.delete(id);
      this.rows[at] = undefined;
      this.values.fill(0, at * this.dimensions, (at + 1) * this.dimensions);
      this.free.push(at);
      this.changed.add(Math.floor(at / SHARD));
    }
  }

  /** The shards that changed since they were taken last. */
  takeChanged(): readonly { readonly shard: number; readonly bytes: Uint8Array<ArrayBuffer> }[] {
    const taken = [...this.changed].map((shard) => ({ shard, bytes: this.bytesOf(shard) }));
    this.changed.clear();
    return taken;
  }

  private bytesOf(shard: number): Uint8Array<ArrayBuffer> {
    const rows = this.rows.slice(shard * SHARD, (shard + 1) * SHARD);
    const step = HEAD + this.dimensions;
    const bytes = new Uint8Array(rows.length * step);
    const encoder = new TextEncoder();
    for (const [number, row] of rows.entries()) {
      if (!row) continue;
      const at = number * step;
      encoder.encodeInto(row.id.padEnd(ID).slice(0, ID) + row.hash.padEnd(HASH).slice(0, HASH), bytes.subarray(at));
      bytes[at + HEAD - 1] = 1 + (row.isHan ? 2 : 0) + (row.isShort ? 4 : 0);
      const start = (shard * SHARD + number) * this.dimensions;
      bytes.set(new Uint8Array(this.values.slice(start, start + this.dimensions).buffer), at + HEAD);
    }
    return bytes;
  }

  /** What `takeChanged` gave once, and which blocks are in it. Of one that was cut off, its whole rows. */
  load(shard: number, bytes: Uint8Array): (readonly [id: string, hash: string])[] {
    const held: (readonly [string, string])[] = [];
    const step = HEAD + this.dimensions;
    const decoder = new TextDecoder();
    for (let number = 0; number < SHARD; number += 1) {
      const row = bytes.subarray(number * step, (number + 1) * step);
      const at = shard * SHARD + number;
      const marks = row.length < step ? 0 : (row[HEAD - 1] ?? 0);
      const id = decoder.decode(row.subarray(0, ID)).trim();
      // Two windows may have kept the same block in different rows.
      if (marks === 0 || this.byId.has(id)) {
        if (row.length > 0) this.free.push(at);
        continue;
      }
      const hash = decoder.decode(row.subarray(ID, ID + HASH)).trim();
      this.place({ id, hash, isHan: (marks & 2) > 0, isShort: (marks & 4) > 0 }, new Int8Array(row.slice(HEAD).buffer), at);
      held.push([id, hash]);
    }
    this.changed.delete(shard);
    return held;
  }

  /** The nearest to a text, at most so many of each script. */
  nearest(text: string, vector: Float32Array, limit: number): NearVectors {
    const own: NearVector[] = [];
    const other: NearVector[] = [];
    const script = isHan(text);
    for (const [number, row] of this.rows.entries()) {
      if (!row) continue;
      const similarity = this.cosine(number * this.dimensions, vector) - (row.isShort ? SHORT_LESS : 0);
      (row.isHan === script ? own : other).push({ id: row.id, similarity });
    }
    const best = (all: NearVector[]): readonly NearVector[] =>
      all.sort((one, next) => next.similarity - one.similarity || (one.id < next.id ? -1 : 1)).slice(0, limit);
    return { own: best(own), other: best(other) };
  }

  private cosine(start: number, vector: Float32Array): number {
    const { values, dimensions } = this;
    let product = 0;
    let square = 0;
    for (let at = 0; at < dimensions; at += 1) {
      const value = values[start + at] ?? 0;
      product += value * (vector[at] ?? 0);
      square += value * value;
    }
    return square === 0 ? 0 : product / Math.sqrt(square);
  }
}
