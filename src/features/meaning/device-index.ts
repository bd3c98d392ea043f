import type { Access } from '../../host/access/access.ts';
import { findMaskedBlocks, visibleNotebooks } from '../../host/access/masked-blocks.ts';
import type { ByteFiles } from '../../host/kernel/byte-files.ts';
import type { KernelRoutes } from '../../host/kernel/kernel-routes.ts';
import type { PluginStorage } from '../../host/kernel/storage.ts';
import type { PushSource } from '../../host/kernel/transaction-log.ts';
import { batchesOf, quotedList } from '../../host/sql/sql-text.ts';
import { type ToolError, toToolError } from '../../tools/contract/errors.ts';
import type { MeaningEngine } from './meaning-calls.ts';
import type { IndexProgress } from './meaning-port.ts';
import type { NearVectors } from './vectors.ts';

/** Blocks with a text of their own. */
const HAS_TEXT = "type IN ('p', 'h', 't', 'c') AND length(content) > 1";
/** A model reads no more of a block. */
const MOST_CHARS = 4000;
const ROWS = 1000;
/** Blocks that the worker gets at once: a search waits for them. */
const AT_ONCE = 8;
/** Vectors that may be lost if the page ends. */
const UNSAVED = 400;
const NEAREST = 2000;
/** Pushes after which blocks or rights may be others; '' if pushes were missed. */
const ELSEWHERE = new Set(['', 'removeDoc', 'moveDoc', 'mount', 'unmount', 'syncMergeResult', 'reloaddoc', 'create']);

export interface DeviceIndexDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly engine: MeaningEngine;
  readonly files: Pick<PluginStorage, 'list'> & ByteFiles;
  /** Folder of the vectors of this model. */
  readonly folder: string;
  readonly pushes: PushSource;
  readonly onRights: (listener: () => void) => () => void;
  /** Resolves when the page has nothing else to do. */
  readonly idle: () => Promise<void>;
  /** Calls back when somebody who types pauses. */
  readonly later: (work: () => void) => void;
  readonly now: () => number;
  readonly onChange: () => void;
  readonly signal: AbortSignal;
}

/** The vectors of all readable blocks, made in the background and kept in files of this device. What may not be read has none. */
export class DeviceIndex {
  private readonly deps: DeviceIndexDeps;
  /** SiYuan's hashes of blocks that have a vector, and of those that wait for one. */
  private readonly held = new Map<string, string>();
  private readonly waiting = new Map<string, string>();
  private readonly changed = new Set<string>();
  private mustScan = true;
  private isReading = true;
  private isPaused = false;
  private unsaved = 0;
  private perBlock = 0;
  private problem: ToolError | undefined;
  private wake: () => void = () => undefined;

  constructor(deps: DeviceIndexDeps, isPaused: boolean) {
    this.deps = deps;
    this.isPaused = isPaused;
    const soon = (note: () => void): void => deps.later(() => this.note(note));
    const scan = (): void => {
      this.mustScan = true;
    };
    const stops = [
      deps.onRights(() => this.note(scan)),
      deps.pushes.onCommand?.((command) => void (ELSEWHERE.has(command) && soon(scan))),
      deps.pushes.onTransactions(({ blockIds, operations = [] }) => {
        // An attribute may guard what is inside the block too.
        if (operations.some(({ action }) => action === 'updateAttrs' || action === 'delete')) return soon(scan);
        for (const id of blockIds) this.changed.add(id);
        soon(() => undefined);
      }),
    ];
    deps.signal.addEventListener('abort', () => {
      for (const stop of stops) stop?.();
      this.wake();
    });
  }

  get progress(): IndexProgress {
    const { held, waiting, isPaused, perBlock, isReading, problem } = this;
    const minutes = perBlock === 0 ? undefined : Math.ceil((waiting.size * perBlock) / 60_000);
    return { done: held.size, total: held.size + waiting.size, isPaused, minutes, isReading, problem };
  }

  pause(isPaused: boolean): void {
    this.note(() => {
      this.isPaused = isPaused;
    });
  }

  nearest = (text: string): Promise<NearVectors> => this.deps.engine.nearest(text, NEAREST);

  private note(change: () => void): void {
    change();
    this.wake();
    this.deps.onChange();
  }

  /** Goes on until the signal; a failure is kept in `problem` until the next change. */
  async run(): Promise<void> {
    const { signal } = this.deps;
    await this.attempt(() => this.load());
    while (!signal.aborted) {
      const failed = await this.attempt(() => this.step());
      if (failed !== 'idle') continue;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      this.wake = () => undefined;
    }
  }

  private async attempt(work: () => Promise<'idle' | undefined>): Promise<'idle' | undefined> {
    try {
      const outcome = await work();
      this.problem = undefined;
      return outcome;
    } catch (error) {
      this.problem = toToolError(error);
      return 'idle';
    } finally {
      this.deps.onChange();
    }
  }

  private async step(): Promise<'idle' | undefined> {
    if (this.mustScan) await this.scan();
    else if (this.changed.size > 0) await this.follow();
    else if (this.waiting.size > 0 && !this.isPaused) await this.embedNext();
    else {
      await this.save();
      return 'idle';
    }
    return undefined;
  }

  private async load(): Promise<undefined> {
    const { files, folder, engine } = this.deps;
    for (const { name, isDir } of await files.list(folder)) {
      const bytes = isDir || !/^\d+$/u.test(name) ? null : await files.readBytes(`${folder}/${name}`);
      if (bytes) for (const [id, hash] of await engine.load({ shard: Number(name), bytes })) this.held.set(id, hash);
    }
  }

  private async save(): Promise<void> {
    const { files, folder, engine } = this.deps;
    this.unsaved = 0;
    for (const { shard, bytes } of await engine.takeChanged()) await files.writeBytes(`${folder}/${shard}`, bytes);
  }

  /** Compares all blocks that may be read with those that have a vector. */
  private async scan(): Promise<void> {
    const { routes, access, signal } = this.deps;
    this.mustScan = false;
    this.isReading = true;
    this.changed.clear();
    await routes.flushIndex(signal);
    const { ids: notebooks } = await visibleNotebooks(access, signal);
    const masked = await findMaskedBlocks({ routes, access }, notebooks, 'leaves', signal);
    const left = new Set(this.held.keys());
    this.waiting.clear();
    for (let last = '', isMore = notebooks.length > 0; isMore && !this.mustScan; ) {
      const rows = await this.rows(`box IN (${quotedList(notebooks)}) AND id > '${last}'`);
      const places = await access.look([...rows.keys()], signal, 'flushed');
      for (const [id, hash] of rows) {
        if (!places.get(id)?.readable || masked.has(id)) continue;
        left.delete(id);
        this.want(id, hash);
      }
      last = [...rows.keys()].at(-1) ?? '';
      isMore = rows.size === ROWS;
    }
    if (this.mustScan) return;
    await this.drop([...left]);
    this.isReading = false;
  }

  private want(id: string, hash: string): void {
    if (this.held.get(id) !== hash) this.waiting.set(id, hash);
  }

  /** Reads again the notes that blocks changed in. What was deleted goes with the next scan. */
  private async follow(): Promise<void> {
    const { routes, access, signal } = this.deps;
    const changed = [...this.changed];
    this.changed.clear();
    await routes.flushIndex(signal);
    const fresh = new Map<string, string>();
    for (const batch of batchesOf(changed)) {
      const inNotes = `root_id IN (SELECT root_id FROM blocks WHERE id IN (${quotedList(batch)}))`;
      for (let last = '', isMore = true; isMore; ) {
        const rows = await this.rows(`${inNotes} AND id > '${last}'`);
        for (const [id, hash] of rows) if (this.held.get(id) !== hash) fresh.set(id, hash);
        last = [...rows.keys()].at(-1) ?? '';
        isMore = rows.size === ROWS;
      }
    }
    const places = await access.look([...fresh.keys()], signal, 'flushed');
    const readable = [...fresh.keys()].filter((id) => places.get(id)?.readable);
    const hidden = await access.drawnFromHidden(readable, signal);
    const open = new Set(readable.filter((id) => !hidden.has(id)));
    for (const id of open) this.want(id, fresh.get(id) ?? '');
    await this.drop([...fresh.keys()].filter((id) => !open.has(id)));
  }

  private async rows(condition: string): Promise<ReadonlyMap<string, string>> {
    const stmt = `SELECT DISTINCT id, hash FROM blocks WHERE ${HAS_TEXT} AND ${condition} ORDER BY id LIMIT ${ROWS}`;
    return new Map((await this.deps.routes.sql(stmt, this.deps.signal)).map(({ id, hash }) => [String(id), String(hash)]));
  }

  private async drop(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.waiting.delete(id);
    const gone = ids.filter((id) => this.held.delete(id));
    if (gone.length > 0) await this.deps.engine.drop(gone);
  }

  private async embedNext(): Promise<void> {
    const { routes, engine, idle, now, signal } = this.deps;
    await idle();
    const next = [...this.waiting.keys()].slice(0, AT_ONCE);
    const stmt =
      `SELECT id, hash, substr(content, 1, ${MOST_CHARS}) AS text FROM blocks WHERE id IN (${quotedList(next)}) ` +
      `ORDER BY id LIMIT ${ROWS}`;
    const begun = now();
    const rows = (await routes.sql(stmt, signal)).map(({ id, hash, text }) => ({ id: String(id), hash: String(hash), text: String(text) }));
    const blocks = [...new Map(rows.map((row) => [row.id, row])).values()];
    if (this.mustScan) return;
    await engine.set(blocks);
    for (const { id, hash } of blocks) this.held.set(id, hash);
    for (const id of next) this.waiting.delete(id);
    const each = (now() - begun) / next.length;
    this.perBlock = this.perBlock === 0 ? each : this.perBlock * 0.95 + each * 0.05;
    this.unsaved += next.length;
    if (this.unsaved >= UNSAVED) await this.save();
  }
}
