import * as v from 'valibot';
import { type ChatFile, type HeldChat, SearchCorpus } from './search-corpus.ts';
import type { ChatTitle, FoundChat } from './search-text.ts';

export interface SearchCalls {
  load: { readonly takes: string; readonly gives: readonly HeldChat[] };
  read: { readonly takes: ChatFile; readonly gives: null };
  setTitles: { readonly takes: readonly ChatTitle[]; readonly gives: null };
  drop: { readonly takes: readonly string[]; readonly gives: null };
  shardText: { readonly takes: number; readonly gives: string };
  search: { readonly takes: { readonly query: string; readonly limit: number }; readonly gives: readonly FoundChat[] };
}
export type SearchCall = keyof SearchCalls;

/** A corpus in the page or in a worker. Rejects with EngineLost if it is gone with everything in it. */
export interface SearchEngine {
  ask<K extends SearchCall>(call: K, takes: SearchCalls[K]['takes']): Promise<SearchCalls[K]['gives']>;
  end(): void;
}

export class EngineLost extends Error {
  override readonly name = 'EngineLost';
}

type Check<T> = (value: unknown) => T;
const check =
  <T>(format: v.GenericSchema<unknown, T>): Check<T> =>
  (value) =>
    v.parse(format, value);
const text = v.string();
const nothing = check<null>(v.null());
const snippet = v.object({ before: text, match: text, after: text });

const TAKES: { readonly [K in SearchCall]: Check<SearchCalls[K]['takes']> } = {
  load: check(text),
  read: check(v.object({ id: text, modified: v.number(), text: v.nullable(text) })),
  setTitles: check(v.array(v.object({ id: text, title: text, tags: v.optional(v.array(text)), updated: v.number() }))),
  drop: check(v.array(text)),
  shardText: check(v.number()),
  search: check(v.object({ query: text, limit: v.number() })),
};
const GIVES: { readonly [K in SearchCall]: Check<SearchCalls[K]['gives']> } = {
  load: check(v.array(v.tuple([text, v.number()]))),
  read: nothing,
  setTitles: nothing,
  drop: nothing,
  shardText: check(text),
  search: check(v.array(v.object({ id: text, nodeId: v.optional(text), snippet: v.optional(snippet) }))),
};
const RUN: { readonly [K in SearchCall]: (corpus: SearchCorpus, takes: SearchCalls[K]['takes']) => SearchCalls[K]['gives'] } = {
  load: (corpus, shard) => corpus.load(shard),
  read(corpus, file) {
    corpus.read(file);
    return null;
  },
  setTitles(corpus, titles) {
    corpus.setTitles(titles);
    return null;
  },
  drop(corpus, ids) {
    corpus.drop(ids);
    return null;
  },
  shardText: (corpus, shard) => corpus.shardText(shard),
  search: (corpus, { query, limit }) => corpus.search(query, limit),
};

const isCall = (value: unknown): value is SearchCall => typeof value === 'string' && Object.hasOwn(RUN, value);
const question = v.object({ id: v.number(), call: v.custom<SearchCall>(isCall, 'no such call'), takes: v.unknown() });
const reply = v.object({ id: v.number(), gives: v.unknown() });

/** A corpus in the page, which replaces a worker. */
export function engineInPage(): SearchEngine {
  const corpus = new SearchCorpus();
  return { ask: async (call, takes) => RUN[call](corpus, takes), end: () => undefined };
}

/** The worker's side: answers messages of `toQuestion`. Throws for any other, which the page receives as a failure of the worker. */
export function createSearchServer(): (message: unknown) => unknown {
  const corpus = new SearchCorpus();
  const run = <K extends SearchCall>(call: K, takes: unknown): unknown => RUN[call](corpus, TAKES[call](takes));
  return (message) => {
    const { id, call, takes } = v.parse(question, message);
    return { id, gives: run(call, takes) };
  };
}

export const toQuestion = <K extends SearchCall>(id: number, call: K, takes: SearchCalls[K]['takes']): unknown => ({ id, call, takes });

export const readReply: Check<{ readonly id: number; readonly gives: unknown }> = check(reply);

/** Throws if the result has the wrong shape for that call. */
export const readGiven = <K extends SearchCall>(call: K, gives: unknown): SearchCalls[K]['gives'] => GIVES[call](gives);
