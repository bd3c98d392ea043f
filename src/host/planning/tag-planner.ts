import { type ChildNode, isTag, Text } from 'domhandler';
import { ToolError } from '../../tools/contract/errors.ts';
import type { NotePlanner } from '../../tools/contract/note-planner.ts';
import type { DocumentRef } from '../../tools/contract/note-readings.ts';
import { isSeen } from '../../tools/contract/notebook-right.ts';
import type { ChangePlan, PlanNotice, PlanOperation, Progress } from '../../tools/contract/plans.ts';
import type { NotebookInfo } from '../../tools/contract/ports.ts';
import { evenForm } from '../../tools/equal-text/equal-text.ts';
import { isVisible } from '../access/notebook-list.ts';
import { type IndexedBlock, IS_TAG } from '../access/readable-blocks.ts';
import {
  type BlockElement,
  blockId,
  blockType,
  isBlockElement,
  parseBlock,
  textOf,
  timestamp,
  withoutZwsp,
  writableDom,
} from '../blocks/block-dom.ts';
import { hashOfBlock } from '../blocks/block-hash.ts';
import { assertPlainName } from '../content/plain-name.ts';
import { shownMarkdown } from '../reading/block-view.ts';
import { batchesOf, quoted, quotedList } from '../sql/sql-text.ts';
import { writtenForms } from '../sql/written-forms.ts';
import { currentDoms } from '../transactions/current-doms.ts';
import { refersToAny, unknownReferences } from '../transactions/lost-references.ts';
import type { PreparedOperation } from '../transactions/prepared-plan.ts';
import type { EditPlannerDeps } from './edit-planner.ts';

const MAX_BLOCKS = 1000;
const BATCH = 100;

interface TagChange {
  readonly label: string;
  /** Null removes the tag and keeps its words. */
  readonly to: string | null;
}

function checkLabel(text: string): string {
  const label = withoutZwsp(text).trim().replace(/^#|#$/g, '').trim();
  const isLabel = label !== '' && label.length <= 256 && !/[#\n]/.test(label) && label.split('/').every((part) => part.trim() !== '');
  if (!isLabel)
    throw new ToolError('bad_label', `"${text}" is not a tag`, 'write it without #, like project/moon; tags list gives those that exist');
  assertPlainName(label, 'tag');
  return label;
}

/** The new words of a tag; undefined if the change does not apply to it. Nested tags keep their tails. */
function renamed(words: string, { label, to }: TagChange): string | null | undefined {
  const [own, asked] = [words.split('/'), label.split('/')];
  const isIt = asked.every((part, at) => evenForm(own[at] ?? '', 'same', true) === evenForm(part, 'same', true));
  if (!isIt || (to === null && own.length > asked.length)) return undefined;
  return to === null ? null : [to, ...own.slice(asked.length)].join('/');
}

function replaceNodes(span: BlockElement, nodes: readonly ChildNode[]): void {
  const siblings = span.parent?.children;
  if (!siblings) return;
  for (const node of nodes) node.parent = span.parent;
  siblings.splice(siblings.indexOf(span), 1, ...nodes);
}

function changeSpan(span: BlockElement, change: TagChange): boolean {
  const types = (span.attribs['data-type'] ?? '').split(' ').filter((type) => type !== '');
  // The text of a reference belongs to another block.
  if (!types.includes('tag') || types.includes('block-ref')) return false;
  const to = renamed(withoutZwsp(textOf(span)), change);
  if (to === undefined) return false;
  if (to !== null) {
    const text = new Text(to);
    text.parent = span;
    span.children = [text];
    return true;
  }
  const rest = types.filter((type) => type !== 'tag');
  span.attribs['data-type'] = rest.join(' ');
  if (rest.length === 0) replaceNodes(span, span.children);
  return true;
}

function changeTags(block: BlockElement, change: TagChange): number {
  let count = 0;
  const visit = (node: ChildNode): void => {
    if (!isTag(node) || isBlockElement(node)) return;
    if (node.name === 'span' && changeSpan(node, change)) count += 1;
    else for (const child of [...node.children]) visit(child);
  };
  for (const child of [...block.children]) visit(child);
  return count;
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

interface Tagged {
  readonly readable: readonly IndexedBlock[];
  /** Blocks with the tag that are hidden from the model, in notebooks that are not. */
  readonly hidden: number;
}

async function findTagged(deps: EditPlannerDeps, { label, to }: TagChange, signal: AbortSignal): Promise<Tagged> {
  await deps.routes.flushIndex(signal);
  // Labels in the index have the form in the document's file: escaped in some versions.
  const forms = [...new Set(writtenForms(label).flatMap((form) => [form, escapeHtml(form)]))];
  // No LIKE: SiYuan's own SQL parser reads a backslash in ESCAPE differently from SQLite.
  const below = to === null ? [] : forms.map((form) => `substr(content, 1, ${[...form].length + 1}) = ${quoted(`${form}/`)}`);
  const condition = [...forms.map((form) => `content = ${quoted(form)}`), ...below].join(' OR ');
  const rows = await deps.routes.sql(
    `SELECT DISTINCT block_id, box, path FROM spans WHERE ${IS_TAG} AND (${condition}) ORDER BY box, path, block_id LIMIT 1000000`,
    signal,
  );
  const ids = rows.map((row) => String(row.block_id));
  const places = await deps.access.look(ids, signal, 'flushed');
  const known = ids.flatMap((id) => places.get(id) ?? []);
  const readable = known.filter((place) => place.readable);
  if (readable.length > MAX_BLOCKS)
    throw new ToolError('too_large', `more than ${MAX_BLOCKS} blocks have this tag`, "ask the user to change it in SiYuan's tag panel");
  const visible = new Set((await deps.access.notebooks(signal)).filter((each) => isSeen(each.right)).map((each) => each.id));
  return { readable, hidden: known.filter((place) => !place.readable && visible.has(place.notebook)).length };
}

/** The notebooks of the plan: all at write, or the first at read, whose right the approval offers to raise. */
export function chooseNotebooks(notebooks: readonly NotebookInfo[], tagged: readonly IndexedBlock[]): readonly NotebookInfo[] {
  const used = notebooks.filter((each) => isVisible(each) && tagged.some((block) => block.notebook === each.id));
  const writable = used.filter((each) => each.right !== 'read');
  return writable.length > 0 ? writable : used.slice(0, 1);
}

/** Updates of readable blocks in several documents. */
export class BlocksPlan {
  readonly shown: PlanOperation[] = [];
  readonly prepared: PreparedOperation[] = [];
  /** Documents among them, whose text is elsewhere. */
  documents = 0;
  /** Blocks with a reference that SiYuan would remove if they were written. */
  referring = 0;
  private readonly deps: EditPlannerDeps;
  /** Changes a block in place; 0 if there was nothing to change. */
  private readonly change: (block: BlockElement) => number;

  constructor(deps: EditPlannerDeps, change: (block: BlockElement) => number) {
    this.deps = deps;
    this.change = change;
  }

  async addBlocks(blocks: readonly IndexedBlock[], signal: AbortSignal): Promise<void> {
    const { routes } = this.deps;
    this.documents += blocks.filter(({ id, documentId }) => id === documentId).length;
    const open = blocks.filter(({ id, documentId }) => id !== documentId);
    const homes = new Map<string, string[]>();
    for (const { id, documentId } of open) homes.set(documentId, [...(homes.get(documentId) ?? []), id]);
    const documents = await this.documentsOf([...homes.keys()], signal);
    const doms = await currentDoms(routes, homes, () => true, signal);
    const unknown = await unknownReferences(routes, Object.values(doms), signal);
    for (const { id, documentId } of open) {
      const [document, dom] = [documents.get(documentId), doms[id] ?? ''];
      if (refersToAny(dom, unknown)) this.referring += 1;
      else if (document) await this.addBlock(document, dom, signal);
    }
  }

  private async documentsOf(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, DocumentRef>> {
    if (ids.length === 0) return new Map();
    const stmt = `SELECT id, content, hpath FROM blocks WHERE type = 'd' AND id IN (${quotedList(ids)}) LIMIT ${ids.length}`;
    const rows = await this.deps.routes.sql(stmt, signal);
    return new Map(rows.map((row) => [String(row.id), { id: String(row.id), title: String(row.content), path: String(row.hpath) }]));
  }

  private async addBlock(document: DocumentRef, dom: string, signal: AbortSignal): Promise<void> {
    const block = parseBlock(dom);
    if (!block || this.change(block) === 0) return;
    const after = writableDom(block, timestamp(this.deps.clock));
    const [shownBefore = '', shownAfter = ''] = await shownMarkdown(this.deps, [dom, after], signal);
    const facts = { id: this.deps.nextId('op'), action: 'update' as const, blockId: blockId(block) };
    this.shown.push({ ...facts, blockType: blockType(block), before: shownBefore, after: shownAfter, requires: [], document });
    this.prepared.push({ ...facts, dom: after, before: { dom, hash: hashOfBlock(dom) }, documentId: document.id });
  }
}

/** Renames or removes a tag in the text of every writable block, in several notebooks if several are at write. */
export async function planTag(
  deps: EditPlannerDeps,
  request: Parameters<NotePlanner['planTag']>[0],
  tool: string,
  signal: AbortSignal,
  progress?: Progress,
): Promise<ChangePlan> {
  const pushPosition = deps.pushes.position();
  const change: TagChange = { label: checkLabel(request.label), to: request.to === undefined ? null : checkLabel(request.to) };
  if (change.to === change.label) throw new ToolError('no_change', 'both names are the same', 'give another name');
  const { readable: tagged, hidden } = await findTagged(deps, change, signal);
  const all = await deps.access.notebooks(signal);
  const chosen = chooseNotebooks(all, tagged);
  const [notebook] = chosen;
  const plan = new BlocksPlan(deps, (block) => changeTags(block, change));
  const open = chosen.flatMap((book) => tagged.filter((block) => block.notebook === book.id));
  for (const [index, batch] of batchesOf(open, BATCH).entries()) {
    if (signal.aborted) throw new ToolError('aborted', 'the call was stopped', 'ask the user whether to go on; nothing was written');
    await plan.addBlocks(batch, signal);
    progress?.(Math.min(open.length, (index + 1) * BATCH), open.length);
  }
  const readOnly = tagged.filter((block) => !chosen.some((book) => book.id === block.notebook)).length;
  const notices: PlanNotice[] = [
    { code: 'hidden-tags-kept', count: hidden, personOnly: true },
    { code: 'read-only-kept', count: readOnly },
    { code: 'document-tags-kept', count: plan.documents },
    { code: 'referring-kept', count: plan.referring },
  ];
  const first = plan.shown[0]?.document;
  if (!notebook || !first) throw nothingToChange(change, plan);
  return deps.finish({
    tool,
    notebook,
    document: first,
    target: { kind: 'existing', documentId: first.id ?? '' },
    anchor: null,
    shown: plan.shown,
    prepared: plan.prepared,
    notices: notices.filter((notice) => notice.count > 0),
    pushPosition,
    signal,
  });
}

function nothingToChange({ label }: TagChange, { documents: documentTags, referring }: BlocksPlan): ToolError {
  if (referring > 0) {
    const what = `#${label}# is only in ${referring} blocks with a reference that SiYuan cannot follow now and would remove`;
    return new ToolError('bad_target', what, 'ask the user to open the notebook that it leads to, or to remove the reference');
  }
  if (documentTags > 0) {
    const next = 'change the tags attribute of those documents with the attributes tool';
    return new ToolError('not_found', `#${label}# is in no text, only among the tags of ${documentTags} documents`, next);
  }
  return new ToolError('not_found', `no block that you may read has #${label}#`, 'call tags with op=list for the tags that exist');
}
