import type { Clock } from '../../tools/contract/ports.ts';
import type { ChangedSource, SavedAnswers } from '../../tools/contract/saved-answers.ts';
import { preview } from '../../tools/util/graphemes.ts';
import { Listeners } from '../../tools/util/notify.ts';
import { Turns } from '../../tools/util/turns.ts';
import type { Access } from '../access/access.ts';
import { isVisible } from '../access/notebook-list.ts';
import { allBlocks, blockId, parseBlocks } from '../blocks/block-dom.ts';
import type { MarkdownEngine } from '../blocks/markdown-engine.ts';
import { CITES_ATTRIBUTE } from '../blocks/source-attributes.ts';
import { askedOnce } from '../kernel/asked-once.ts';
import type { Attributes, KernelRoutes } from '../kernel/kernel-routes.ts';
import type { PushSource, TransactionsPush } from '../kernel/transaction-log.ts';
import { quoted } from '../sql/sql-text.ts';
import { type CitedSource, MOST_WORDS, readCites, writeCites } from './cited-sources.ts';
import { citedSource, readSources, type SourceDeps, type SourceState } from './source-states.ts';

const PORTION = 10_000;
const MOST_ROWS = 1_000_000;
/** Blocks whose content is other blocks: a change of one of those is a change of theirs. */
const CONTAINERS = "'l', 'i', 'b', 's', 'callout'";
const INSIDE = 'inside';
const LAST = 'last';

/** A citation: block, source, hash, and the state of the source: changed in any way, or missing. */
interface CiteRow {
  readonly at: string;
  readonly source: string;
  readonly hash: string;
  readonly touched: boolean;
}

interface CitesInIndex {
  readonly cites: readonly CiteRow[];
  /** Blocks in a cited container, with its id. */
  readonly inside: readonly (readonly [id: string, source: string])[];
}

// Somebody may have written anything into the attribute, and a wrong value must not end the statement.
const statement = (after: string): string =>
  'WITH RECURSIVE kept(at, value) AS MATERIALIZED (SELECT block_id, value FROM attributes ' +
  `WHERE name = ${quoted(CITES_ATTRIBUTE)} AND block_id > ${quoted(after)} ORDER BY block_id LIMIT ${PORTION}), ` +
  "cites(at, source, hash, time) AS (SELECT at, json_extract(cite.value, '$[0]'), json_extract(cite.value, '$[1]'), " +
  "json_extract(cite.value, '$[2]') FROM kept, json_each(CASE WHEN json_valid(kept.value) THEN kept.value ELSE '[]' END) AS cite " +
  "WHERE cite.type = 'array'), " +
  'inside(id, source) AS (SELECT id, id FROM blocks WHERE id IN (SELECT source FROM cites) ' +
  'UNION SELECT blocks.id, inside.source FROM inside CROSS JOIN blocks AS holder ON holder.id = inside.id ' +
  `CROSS JOIN blocks ON blocks.parent_id = inside.id WHERE holder.type IN (${CONTAINERS})) ` +
  "SELECT at AS id, group_concat(cites.source || ' ' || cites.hash || ' ' || (blocks.updated IS NOT cites.time)) AS parts FROM cites " +
  'LEFT JOIN blocks ON blocks.id = cites.source GROUP BY at ' +
  `UNION ALL SELECT '${INSIDE}', id || ' ' || source FROM inside WHERE id <> source ` +
  `UNION ALL SELECT '${LAST}', max(at) || ' ' || count(*) FROM kept LIMIT ${MOST_ROWS}`;

const CITE = /^(\d{14}-[0-9a-z]{7}) ([0-9a-f]{8}) ([01])$/;

/** All citations in the index, in one request for every 10,000 blocks that cite. */
async function citesInIndex(routes: Pick<KernelRoutes, 'sql'>, signal: AbortSignal): Promise<CitesInIndex> {
  const cites: CiteRow[] = [];
  const inside: (readonly [string, string])[] = [];
  for (let after: string | undefined = ''; after !== undefined; ) {
    let next: string | undefined;
    for (const row of await routes.sql(statement(after), signal)) {
      const [at, parts] = [String(row.id), String(row.parts ?? '')];
      const [one = '', other = ''] = parts.split(' ');
      if (at === INSIDE) inside.push([one, other]);
      else if (at === LAST) next = Number(other) < PORTION ? undefined : one;
      else
        for (const each of parts.split(',')) {
          const [, source, hash, touched] = CITE.exec(each) ?? [];
          if (source !== undefined && hash !== undefined) cites.push({ at, source, hash, touched: touched === '1' });
        }
    }
    after = next;
  }
  return { cites, inside };
}

type Operation = NonNullable<TransactionsPush['operations']>[number];

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const known = map.get(key);
  if (known) known.add(value);
  else map.set(key, new Set([value]));
}

/** The blocks that cite others, and the changed sources, held between requests, so that a change asks only for itself. */
class CitationMap {
  private readonly cites = new Map<string, Map<string, string>>();
  private readonly bySource = new Map<string, Set<string>>();
  private readonly inside = new Map<string, Set<string>>();
  private readonly changed = new Map<string, Set<string>>();
  private readonly touched = new Set<string>();
  private isOpen = false;
  private hasNews = false;

  outdated(): ReadonlySet<string> {
    return new Set(this.changed.keys());
  }

  /** The whole map may be out of date. */
  openAgain(): void {
    this.isOpen = false;
  }

  mustOpen(): boolean {
    return !this.isOpen;
  }

  fill({ cites, inside }: CitesInIndex): void {
    const before = this.outdated();
    for (const each of [this.cites, this.bySource, this.inside, this.changed]) each.clear();
    for (const { at, source, hash, touched } of cites) {
      this.set(at, source, hash);
      if (touched) this.touched.add(source);
    }
    for (const [id, source] of inside) add(this.inside, id, source);
    this.isOpen = true;
    this.hasNews ||= before.size > 0;
  }

  takeTouched(): readonly string[] {
    const touched = [...this.touched].filter((id) => this.bySource.has(id));
    this.touched.clear();
    return touched;
  }

  takeNews(): boolean {
    const had = this.hasNews;
    this.hasNews = false;
    return had;
  }

  citing(sources: readonly string[]): readonly string[] {
    return [...new Set(sources.flatMap((source) => [...(this.bySource.get(source) ?? [])]))];
  }

  hashOf(at: string, source: string): string | undefined {
    return this.cites.get(at)?.get(source);
  }

  settle(at: string, source: string, isChanged: boolean): void {
    const known = this.changed.get(at);
    if (isChanged === (known?.has(source) ?? false)) return;
    this.hasNews = true;
    if (isChanged) add(this.changed, at, source);
    else known?.delete(source);
    if (known?.size === 0) this.changed.delete(at);
  }

  /** The current citations of a block; sources with another hash than before are looked up. */
  put(at: string, now: readonly Pick<CitedSource, 'id' | 'hash'>[]): void {
    const before = this.cites.get(at);
    const kept = new Set(now.map(({ id }) => id));
    for (const source of before?.keys() ?? []) {
      if (kept.has(source)) continue;
      this.settle(at, source, false);
      before?.delete(source);
      const others = this.bySource.get(source);
      others?.delete(at);
      if (others?.size === 0) this.bySource.delete(source);
    }
    for (const { id, hash } of now) {
      if (before?.get(id) === hash) continue;
      this.set(at, id, hash);
      this.touched.add(id);
    }
    if (now.length === 0) this.cites.delete(at);
  }

  /** Takes in a push; true if something is to be looked up. */
  heard({ operations = [], blockIds }: TransactionsPush): boolean {
    for (const operation of operations) this.take(operation);
    for (const id of blockIds) this.touch(id);
    return this.touched.size > 0 || (!this.isOpen && this.cites.size > 0) || this.hasNews;
  }

  private take(operation: Operation): void {
    const { action, id, data, attributes, parentID } = operation;
    if (action === 'updateAttrs') {
      if (attributes) this.put(id, readCites(attributes[CITES_ATTRIBUTE]));
      // A guard may have been put on, or taken off.
      if (this.cites.size > 0) this.openAgain();
    }
    // It takes along unnamed blocks in it, or moves under a guard.
    if ((action === 'delete' || action === 'move') && this.cites.size > 0) this.openAgain();
    if (action !== 'insert' && action !== 'update') return;
    for (const source of [...(this.inside.get(parentID) ?? []), ...(this.bySource.has(parentID) ? [parentID] : [])])
      add(this.inside, id, source);
    if (this.cites.size === 0 && !data.includes(CITES_ATTRIBUTE)) return;
    for (const block of parseBlocks(data).flatMap(allBlocks)) {
      const at = blockId(block);
      this.touch(at);
      const value = block.attribs[CITES_ATTRIBUTE];
      if (value !== undefined || this.cites.has(at)) this.put(at, readCites(value));
    }
  }

  private touch(id: string): void {
    if (this.bySource.has(id)) this.touched.add(id);
    for (const source of this.inside.get(id) ?? []) this.touched.add(source);
  }

  private set(at: string, source: string, hash: string): void {
    const own = this.cites.get(at) ?? new Map<string, string>();
    this.cites.set(at, own.set(source, hash));
    add(this.bySource, source, at);
  }
}

export interface SavedAnswersDeps {
  readonly routes: KernelRoutes;
  readonly accessOver: (routes: KernelRoutes) => Access;
  readonly engine: MarkdownEngine;
  readonly clock: Clock;
  readonly pushes?: PushSource | undefined;
  /** Calls back when rights of notebooks have changed. */
  readonly onRights: (listener: () => void) => () => void;
  /** Does it a moment later, so that typing is looked up once. */
  readonly later: (work: () => void) => void;
}

/** Pushes after which notes, notebooks or rights may be others; '' if pushes were missed. */
const ELSEWHERE = new Set(['', 'removeDoc', 'moveDoc', 'mount', 'unmount', 'syncMergeResult', 'reloaddoc']);

type Reading = SourceDeps & { readonly access: Access };

export class KernelSavedAnswers implements SavedAnswers {
  private readonly deps: SavedAnswersDeps;
  private readonly map = new CitationMap();
  private readonly listeners = new Listeners();
  private readonly turns = new Turns(1);
  private stop: (() => void) | undefined;
  private isDue = false;
  private isKnown = false;

  constructor(deps: SavedAnswersDeps) {
    this.deps = deps;
  }

  outdated(): ReadonlySet<string> {
    return this.map.outdated();
  }

  subscribe(listener: () => void): () => void {
    return this.listeners.add(listener);
  }

  open(signal: AbortSignal): Promise<void> {
    this.stop ??= this.listen(signal);
    this.map.openAgain();
    return this.lookUp(signal);
  }

  close(): void {
    this.stop?.();
    this.stop = undefined;
  }

  /** Looks up what pushes touched since the last time. */
  lookUp(signal: AbortSignal): Promise<void> {
    return this.turns.take(async () => {
      const reading = this.reading();
      if (this.map.mustOpen()) {
        // When SiYuan starts, its index is that of its files.
        if (this.isKnown) await reading.routes.flushIndex(signal);
        this.isKnown = true;
        const found = await citesInIndex(reading.routes, signal);
        this.map.fill(found);
      }
      const sources = this.map.takeTouched();
      if (sources.length > 0) await this.check(reading, sources, signal);
      if (this.map.takeNews()) this.listeners.call();
    });
  }

  async changes(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, readonly ChangedSource[]>> {
    const reading = this.reading();
    const kept = citesIn(await reading.routes.attributesOf(ids, signal));
    const { states, gone } = await this.statesOf(reading, [...kept.values()].flat(), signal);
    const changes = new Map<string, readonly ChangedSource[]>();
    for (const [at, cites] of kept) {
      const changed = cites.flatMap((cite): ChangedSource[] => {
        const state = states.get(cite.id);
        if (!state) return gone(cite) ? [{ id: cite.id, before: cite.words, now: null }] : [];
        return state.hash === cite.hash ? [] : [changedSource(cite, state)];
      });
      if (changed.length > 0) changes.set(at, changed);
    }
    return changes;
  }

  async renew(ids: readonly string[], signal: AbortSignal): Promise<void> {
    const reading = this.reading();
    const kept = citesIn(await reading.routes.attributesOf(ids, signal));
    const { states, gone } = await this.statesOf(reading, [...kept.values()].flat(), signal);
    for (const [at, cites] of kept) {
      const now = cites.flatMap((cite): CitedSource[] => {
        const state = states.get(cite.id);
        if (state) return [citedSource(cite.id, state, this.deps.clock)];
        return gone(cite) ? [] : [cite];
      });
      await reading.routes.setAttributes(at, { [CITES_ATTRIBUTE]: writeCites(now) }, signal);
      this.map.put(at, now);
      for (const { id } of now) this.map.settle(at, id, false);
    }
    if (this.map.takeNews()) this.listeners.call();
  }

  private reading(): Reading {
    const routes = askedOnce(this.deps.routes);
    return { routes, access: this.deps.accessOver(routes), engine: this.deps.engine };
  }

  private listen(signal: AbortSignal): () => void {
    const { pushes } = this.deps;
    const soon = (): void => {
      if (this.isDue) return;
      this.isDue = true;
      this.deps.later(() => {
        this.isDue = false;
        // A failed look-up is repeated with the next change, or when SiYuan starts.
        if (!signal.aborted) void this.lookUp(signal).catch(() => this.map.openAgain());
      });
    };
    const again = (): void => {
      this.map.openAgain();
      soon();
    };
    const stops = [
      this.deps.onRights(again),
      pushes?.onTransactions((push) => this.map.heard(push) && soon()),
      pushes?.onCommand?.((command) => ELSEWHERE.has(command) && again()),
    ];
    return () => {
      for (const stop of stops) stop?.();
    };
  }

  private async check(reading: Reading, sources: readonly string[], signal: AbortSignal): Promise<void> {
    // Anything that could hide them meanwhile has reopened everything, with a current index.
    const { states, absent } = await readSources(reading, sources, signal, 'flushed');
    const citing = this.map.citing([...absent]);
    const kept =
      citing.length === 0 ? new Map<string, readonly CitedSource[]>() : citesIn(await reading.routes.attributesOf(citing, signal));
    const gone = await this.goneAmong(reading, [...kept.values()].flat(), absent, signal);
    for (const source of sources)
      for (const at of this.map.citing([source])) {
        const state = states.get(source);
        const cite = kept.get(at)?.find(({ id }) => id === source);
        const isChanged = state ? state.hash !== this.map.hashOf(at, source) : cite !== undefined && gone(cite);
        this.map.settle(at, source, isChanged);
      }
  }

  private async statesOf(
    reading: Reading,
    cites: readonly CitedSource[],
    signal: AbortSignal,
  ): Promise<{ readonly states: ReadonlyMap<string, SourceState>; readonly gone: (cite: CitedSource) => boolean }> {
    const { states, absent } = await readSources(reading, [...new Set(cites.map(({ id }) => id))], signal);
    return { states, gone: await this.goneAmong(reading, cites, absent, signal) };
  }

  /** An absent source is gone only if its notebook is open and its note was not hidden; else nothing is reported. */
  private async goneAmong(
    { access }: Reading,
    cites: readonly CitedSource[],
    absent: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<(cite: CitedSource) => boolean> {
    const missing = cites.filter(({ id }) => absent.has(id));
    if (missing.length === 0) return () => false;
    const notes = await access.look([...new Set(missing.map(({ documentId }) => documentId))], signal);
    const open = new Set((await access.notebooks(signal)).filter(isVisible).map(({ id }) => id));
    return ({ id, documentId, notebook }) => absent.has(id) && open.has(notebook) && notes.get(documentId)?.readable !== false;
  }
}

function citesIn(attributes: Readonly<Record<string, Attributes>>): ReadonlyMap<string, readonly CitedSource[]> {
  return new Map(
    Object.entries(attributes).flatMap(([at, own]): [string, readonly CitedSource[]][] => {
      const cites = readCites(own[CITES_ATTRIBUTE]);
      return cites.length === 0 ? [] : [[at, cites]];
    }),
  );
}

function changedSource({ id, words }: CitedSource, state: SourceState): ChangedSource {
  // Of two texts that are cut, as much is compared.
  const now = preview(state.words, words.endsWith('…') ? words.length : MOST_WORDS);
  // Words of then may be among what is hidden now.
  return { id, before: state.hides ? '' : words, now };
}
