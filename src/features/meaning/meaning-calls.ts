import { sha256 } from '@noble/hashes/sha2.js';
import type { WorkerPort } from '../../chat/store/search/search-worker.ts';
import { describeThrown, ToolError } from '../../tools/contract/errors.ts';
import { hexOf } from '../../tools/util/hex.ts';
import { Encoder } from './model/encoder.ts';
import { readModelFile } from './model/npy.ts';
import { Tokenizer } from './model/tokenizer.ts';
import { type NearVectors, type VectorOf, Vectors } from './vectors.ts';

interface Shard {
  readonly shard: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What the model and the vectors are asked, in a worker. */
export interface MeaningCalls {
  /** Reads a model, and gives its SHA-256 in hexadecimal digits: vectors of two models cannot be compared. Rejects if it is none. */
  open(model: Uint8Array): string;
  load(shard: Shard): readonly (readonly [id: string, hash: string])[];
  set(blocks: readonly VectorOf[]): void;
  drop(ids: readonly string[]): void;
  takeChanged(): readonly Shard[];
  nearest(text: string, limit: number): NearVectors;
}

/** The same from outside. Each call rejects with ToolError. */
export type MeaningEngine = {
  readonly [Name in keyof MeaningCalls]: (...args: Parameters<MeaningCalls[Name]>) => Promise<ReturnType<MeaningCalls[Name]>>;
} & { end(): void };

/** `product`: the bytes of `multiply.wat`. */
export function createMeaningServer(product: Uint8Array<ArrayBuffer>): MeaningCalls {
  let vectorOf: (text: string) => Float32Array = () => new Float32Array();
  let vectors = new Vectors(0);
  return {
    open(model) {
      const file = readModelFile(model);
      const tokenizer = new Tokenizer(file.pieces);
      const encoder = new Encoder(file, product);
      vectorOf = (text) => encoder.encode(tokenizer.encode(text));
      vectors = new Vectors(vectorOf('').length);
      return hexOf(sha256(model));
    },
    load: ({ shard, bytes }) => vectors.load(shard, bytes),
    set(blocks) {
      for (const block of blocks) vectors.set(block, vectorOf(block.text));
    },
    drop: (ids) => vectors.drop(ids),
    takeChanged: () => vectors.takeChanged(),
    nearest: (text, limit) => vectors.nearest(text, vectorOf(text), limit),
  };
}

interface Question {
  readonly number: number;
  readonly name: keyof MeaningCalls;
  readonly args: readonly unknown[];
}

interface Reply {
  readonly number: number;
  readonly gives?: unknown;
  readonly failed?: string;
}

/** Answers a message of `engineOver`. */
export function answerWith(server: MeaningCalls, message: unknown): Reply {
  const { number, name, args } = message as Question;
  try {
    return { number, gives: Reflect.apply(server[name], server, args) };
  } catch (error) {
    return { number, failed: describeThrown(error) };
  }
}

const lost = (reason: string): ToolError =>
  new ToolError(
    'not_loaded',
    `the model on this device does not work: ${reason}`,
    'tell the user to choose it again in the settings',
    reason,
  );

/** Calls by messages to a worker. */
export function engineOver(port: WorkerPort): MeaningEngine {
  const waiting = new Map<number, { readonly take: (gives: never) => void; readonly fail: (error: ToolError) => void }>();
  let asked = 0;
  let gone: ToolError | undefined;
  const lose = (reason: string): void => {
    gone ??= lost(reason);
    port.end();
    for (const { fail } of waiting.values()) fail(gone);
    waiting.clear();
  };
  port.listen((message) => {
    const { number, gives, failed } = message as Reply;
    const call = waiting.get(number);
    waiting.delete(number);
    if (failed === undefined) call?.take(gives as never);
    else call?.fail(lost(failed));
  }, lose);
  const ask =
    (name: keyof MeaningCalls) =>
    (...args: readonly unknown[]): Promise<never> =>
      new Promise((take, fail) => {
        if (gone) return fail(gone);
        const number = ++asked;
        waiting.set(number, { take, fail });
        port.post({ number, name, args } satisfies Question);
      });
  return {
    ...{ open: ask('open'), load: ask('load'), set: ask('set') },
    ...{ drop: ask('drop'), takeChanged: ask('takeChanged'), nearest: ask('nearest') },
    end: () => lose('it was ended'),
  };
}
