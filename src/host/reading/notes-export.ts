import { ToolError } from '../../tools/contract/errors.ts';
import type { NoteQueries } from '../../tools/contract/note-queries.ts';
import type { Progress } from '../../tools/contract/plans.ts';
import { allBlocks, type BlockElement, blockType, childBlocks } from '../blocks/block-dom.ts';
import { unwrapReferences } from '../blocks/block-references.ts';
import { batchesOf } from '../sql/sql-text.ts';
import type { OpenDocument } from './document-blocks.ts';
import { guardedAmong } from './document-facts.ts';
import { type DocumentTexts, type TextRow, unlessUnreadable } from './document-texts.ts';
import type { NotesReader, NotesReaderDeps } from './notes-reader.ts';
import { requireReadable } from './readable-place.ts';
import { type ReadingSteps, readingSteps } from './yield-to-window.ts';

export interface NotesExportDeps extends NotesReaderDeps {
  readonly reader: NotesReader;
  readonly texts: DocumentTexts;
  readonly now: () => number;
}

interface Exported {
  readonly parts: readonly string[];
  readonly hidden: number;
}

const ALL = 1_000_000;
const BY_ID = 50;

/** Super blocks are only layout: outside SiYuan their content is enough (tests/contract/recorded/markdown-kinds.json). */
const withoutSuperBlocks = (block: BlockElement): readonly BlockElement[] =>
  blockType(block) === 's' ? childBlocks(block).flatMap(withoutSuperBlocks) : [block];

/** References that can be replaced without parsing the Markdown around them. */
const PLAIN_REFERENCE = /\(\(\d{14}-[0-9a-z]{7} "([\p{L}\p{N} .,;:()/-]*)"\)\)/gu;

/** Markdown for export, built here: the kernel's own writes out embeds and references whatever their rights. */
class MarkdownExport implements Pick<NoteQueries, 'exportMarkdown'> {
  private readonly deps: NotesExportDeps;

  constructor(deps: NotesExportDeps) {
    this.deps = deps;
  }

  async exportMarkdown(address: Parameters<NoteQueries['exportMarkdown']>[0], signal: AbortSignal, progress?: Progress) {
    const { blocks, reader } = this.deps;
    const id = 'block' in address ? address.block : await reader.resolve(address, signal);
    const document = await blocks.open(id, signal);
    const { parts, hidden } =
      ('block' in address ? await this.byId(id, document, signal) : undefined) ??
      (await unlessUnreadable(this.byTexts(document, readingSteps(signal, progress, this.deps.now), signal))) ??
      (await this.byBlocks(document, signal));
    const { place, path } = document;
    return {
      document: { id: place.documentId, title: place.documentTitle, path },
      notebook: place.notebook,
      markdown: parts.filter((part) => part !== '').join('\n\n'),
      hidden,
    };
  }

  /** Undefined if the id is that of the document. */
  private async byId(id: string, { place }: OpenDocument, signal: AbortSignal): Promise<Exported | undefined> {
    if (id === place.documentId) return undefined;
    await requireReadable(this.deps, { ...place, id }, signal);
    const parts = new Map<string, string>();
    const hidden = await this.readExceptional([id], parts, signal);
    return { parts: [...parts.values()], hidden };
  }

  private async byBlocks(document: OpenDocument, signal: AbortSignal): Promise<Exported> {
    const { views, hidden } = await this.deps.blocks.window(document, 0, ALL, signal);
    return { parts: views.map(({ view }) => this.written([view.element])), hidden };
  }

  private written(blocks: readonly BlockElement[]): string {
    const parts = blocks.flatMap((block) => {
      for (const each of allBlocks(block)) unwrapReferences(each);
      return withoutSuperBlocks(block).map((each) => this.deps.viewer.exported(each));
    });
    return parts.filter((part) => part !== '').join('\n\n');
  }

  /** Undefined if the index does not have the current document. */
  private async byTexts({ place, facts }: OpenDocument, steps: ReadingSteps, signal: AbortSignal): Promise<Exported | undefined> {
    if (!facts) return undefined;
    const { routes, texts } = this.deps;
    const exceptions = await texts.exceptions(place.documentId, signal);
    const parts = new Map<string, string>();
    const exceptional: string[] = [];
    for await (const { rows, total } of texts.top(place.documentId, signal)) {
      steps.page(total);
      const plain = rows.filter(({ id }) => !exceptions.has(id));
      exceptional.push(...rows.filter(({ id }) => exceptions.has(id)).map(({ id }) => id));
      for (const [id, part] of await this.partsOf(plain, steps, signal)) parts.set(id, part);
    }
    const ids = [...parts.keys(), ...exceptional];
    const indexes = await routes.blockIndexes(ids, signal);
    if (ids.some((id) => !indexes[id])) return undefined;
    const guarded = facts.guarded ? await guardedAmong(routes, place.documentId, ids, signal) : new Set<string>();
    const open = exceptional.filter((id) => !guarded.has(id));
    const hiddenInside = await this.readExceptional(open, parts, signal);
    const order = ids.filter((id) => !guarded.has(id)).sort((one, other) => (indexes[one] ?? 0) - (indexes[other] ?? 0));
    return { parts: order.map((id) => parts.get(id) ?? ''), hidden: guarded.size + hiddenInside };
  }

  private async partsOf(
    rows: readonly TextRow[],
    steps: ReadingSteps,
    signal: AbortSignal,
  ): Promise<readonly (readonly [string, string])[]> {
    const simple = rows.map((row) => (row.type === 'c' ? row : { ...row, markdown: withPlainReferences(row.markdown) }));
    const parsed = new Map<string, readonly BlockElement[]>();
    for (const row of simple) {
      await steps.step();
      const elements = this.deps.texts.parsed(row, true);
      if (elements) parsed.set(row.id, elements);
    }
    await this.deps.texts.mask([...parsed.values()].flat(), signal);
    const parts: (readonly [string, string])[] = [];
    for (const { id, markdown } of simple) {
      await steps.step();
      const elements = parsed.get(id);
      parts.push([id, elements ? this.written(elements) : markdown]);
    }
    return parts;
  }

  /** Returns the number of blocks kept back in them. */
  private async readExceptional(ids: readonly string[], parts: Map<string, string>, signal: AbortSignal): Promise<number> {
    let hidden = 0;
    for (const batch of batchesOf(ids, BY_ID)) {
      if (signal.aborted) throw new ToolError('aborted', 'the call was stopped', 'ask the user whether to go on');
      const doms = await this.deps.routes.doms(batch, signal);
      const views = await this.deps.viewer.view(
        batch.map((id) => doms[id] ?? ''),
        signal,
      );
      for (const [index, id] of batch.entries()) {
        const view = views[index];
        if (doms[id]) hidden += view ? view.hidden : 1;
        if (view) parts.set(id, this.written([view.element]));
      }
    }
    return hidden;
  }
}

/** For Markdown in which nothing else could be read as code or a formula. */
const withPlainReferences = (markdown: string): string =>
  /[`$]/.test(markdown) ? markdown : markdown.replaceAll(PLAIN_REFERENCE, (_whole, words: string) => words);

export function createNotesExport(deps: NotesExportDeps): Pick<NoteQueries, 'exportMarkdown'> {
  const made = new MarkdownExport(deps);
  return { exportMarkdown: (address, signal, progress) => made.exportMarkdown(address, signal, progress) };
}
