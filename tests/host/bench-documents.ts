import type { BlockReading } from '../../src/tools/contract/note-readings.ts';
import { signal, type TestBench } from './support.ts';

export interface OpenDocument {
  readonly id: string;
  readonly notebook: string;
  readonly path: string;
  readonly blocks: readonly BlockReading[];
}

/** `((/Apollo#2 "the crew"))` refers to the third block of a document that is there. */
const REFERENCE = /\(\((?<path>\/[^#]+)#(?<index>\d+) /gu;

/** The documents of a bench by path, as they were last read. */
export class BenchDocuments {
  private readonly bench: TestBench;
  private documents: OpenDocument[];

  constructor(bench: TestBench, documents: readonly OpenDocument[] = []) {
    this.bench = bench;
    this.documents = [...documents];
  }

  all(): readonly OpenDocument[] {
    return this.documents;
  }

  document(path: string): OpenDocument {
    const document = this.documents.find((entry) => entry.path === path);
    if (document === undefined) throw new Error(`no document ${path}`);
    return document;
  }

  block(path: string, index: number): BlockReading {
    const block = this.document(path).blocks[index];
    if (block === undefined) throw new Error(`no block ${index} in ${path}`);
    return block;
  }

  async add(notebook: string, path: string, markdown: string): Promise<OpenDocument> {
    const whole = markdown.replaceAll(REFERENCE, (_all, at: string, index: string) => `((${this.block(at, Number(index)).id} `);
    const id = await this.bench.api<string>('/api/filetree/createDocWithMd', { notebook, path, markdown: whole });
    const added = await this.read(id, path, notebook);
    this.documents.push(added);
    return added;
  }

  async setAttributes(id: string, attrs: Readonly<Record<string, string>>): Promise<void> {
    await this.bench.api('/api/attr/setBlockAttrs', { id, attrs });
    await this.flush();
  }

  /** Reads all of them again. What the tools may not read is left out. */
  async refresh(): Promise<void> {
    await this.flush();
    const stmt = "SELECT id, box, hpath FROM blocks WHERE type = 'd' AND id != box LIMIT 999";
    const rows = await this.bench.api<{ id: string; box: string; hpath: string }[]>('/api/query/sql', { stmt });
    const readings = await Promise.allSettled(rows.map(({ id, box, hpath }) => this.read(id, hpath, box)));
    this.documents = readings.flatMap((reading) => (reading.status === 'fulfilled' ? [reading.value] : []));
  }

  /** Until SQL has what was written. */
  async flush(): Promise<void> {
    await this.bench.api('/api/sqlite/flushTransaction', {});
  }

  private async read(id: string, path: string, notebook: string): Promise<OpenDocument> {
    const { blocks } = await this.bench.host.notes.document({ id }, { start: 0, blocks: 999 }, signal);
    return { id, path, notebook, blocks };
  }
}
