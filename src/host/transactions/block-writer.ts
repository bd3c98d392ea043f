import { ToolError } from '../../tools/contract/errors.ts';
import { NEVER } from '../../tools/util/abort.ts';
import { blockId, childBlocks, parseBlock, parseBlocks, withoutZwsp, writableDom } from '../blocks/block-dom.ts';
import { hashOfBlock, KEPT_ATTRIBUTE } from '../blocks/block-hash.ts';
import { referencesIn } from '../blocks/block-references.ts';
import { withDrawnAttributes } from '../blocks/drawn-attributes.ts';
import type { MarkdownEngine } from '../blocks/markdown-engine.ts';
import { forKernel } from '../content/marked-text.ts';
import type { KernelOperation, KernelRoutes } from '../kernel/kernel-routes.ts';

/** SiYuan drops operations of a transaction with 32 or more (docs/kernel.md#writing-blocks). */
export const MAX_OPERATIONS = 31;

export interface BlockWriterDeps {
  readonly routes: KernelRoutes;
  /** App and session of our transactions: not an editor's, so that every editor redraws. */
  readonly app: string;
  readonly session: string;
  readonly engine: Pick<MarkdownEngine, 'stored'>;
}

/** One write to one block; `inverse` is what the editor's Ctrl+Z will do. */
export interface BlockWrite {
  readonly operation: KernelOperation;
  readonly inverse: KernelOperation;
}

type BlockResult = 'applied' | 'different' | 'absent';

export interface BlockState {
  readonly result: BlockResult;
  readonly dom: string;
  readonly hash: string;
}

/** Ids, types, attributes, references and text: what must agree even if two versions of Lute render a block differently. */
function essence(dom: string): string {
  const lines: string[] = [];
  for (const block of parseBlocks(dom)) {
    const visit = (each: typeof block): void => {
      const kept = Object.entries(each.attribs).filter(([name, value]) => KEPT_ATTRIBUTE.test(name) && name !== 'av-names' && value !== '');
      const content = each.attribs['data-content'] ?? '';
      lines.push(JSON.stringify([blockId(each), each.attribs['data-type'], content, kept.sort()]));
      childBlocks(each).forEach(visit);
    };
    visit(block);
    lines.push(
      referencesIn(block)
        .map(({ id }) => id)
        .join(' '),
    );
    // Lute separates ``` inside a code block with a joiner.
    lines.push(serializedText(block).replace(/\s+|\u200d(?=```)/g, ''));
  }
  return lines.join('\n');
}

function serializedText(node: { readonly children: readonly object[] }): string {
  return node.children
    .map((child) => {
      if ('data' in child && typeof child.data === 'string') return withoutZwsp(child.data);
      if ('attribs' in child && 'children' in child) {
        const element = child as { attribs: Record<string, string>; children: object[] };
        return /protyle-(attr|action)/.test(element.attribs.class ?? '') ? '' : serializedText(element);
      }
      return '';
    })
    .join('');
}

/** True if `found` is the stored form of `written`: equal hashes, or the same ids, types, attributes and text rendered differently. */
export function isSameBlock(written: string, found: string): boolean {
  return hashOfBlock(written) === hashOfBlock(found) || essence(written) === essence(found);
}

/** Tells if `found` is the form in which SiYuan's engine stores `written`, such as an escaped bar in a cell. */
function isItsSpelling(engine: BlockWriterDeps['engine'], written: string, found: string): boolean {
  try {
    return isSameBlock(engine.stored(forKernel(written)), found);
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}

type ReadDoms = (ids: readonly string[]) => Promise<Readonly<Record<string, string>>>;

export interface BlockWriter {
  /** Sends one transaction; `undoTail` follows the inverses in Ctrl+Z, `references` counts references to blocks. Never aborted. */
  send(writes: readonly BlockWrite[], undoTail?: readonly KernelOperation[], references?: ReadonlyMap<string, number>): Promise<void>;
  /** Sends operations that the editor's Ctrl+Z does not undo, at most 31 per request. */
  amend(operations: readonly KernelOperation[]): Promise<void>;
  /** Compares the current blocks with what was written (null: deleted). `read`: how to read them, if not by ids. */
  check(expected: ReadonlyMap<string, string | null>, read?: ReadDoms): Promise<ReadonlyMap<string, BlockState>>;
}

const NO_REFERENCES: ReadonlyMap<string, number> = new Map();

const sent = (operation: KernelOperation, references: ReadonlyMap<string, number>): KernelOperation =>
  operation.data === undefined || operation.action === 'setAttrs'
    ? operation
    : { ...operation, data: forKernel(withDrawnAttributes(operation.data, references)) };

export function createBlockWriter(deps: BlockWriterDeps): BlockWriter {
  const { routes } = deps;
  let requests = 0;

  async function send(
    writes: readonly (Pick<BlockWrite, 'operation'> & Partial<BlockWrite>)[],
    undoTail: readonly KernelOperation[] = [],
    references = NO_REFERENCES,
  ): Promise<void> {
    if (writes.length > MAX_OPERATIONS) throw new Error(`${writes.length} operations in one transaction`);
    if (writes.length === 0) return;
    requests += 1;
    const { app, session } = deps;
    const drawn = (operations: readonly KernelOperation[]) => operations.map((each) => sent(each, references));
    const doOperations = drawn(writes.map(({ operation }) => operation));
    const undoOperations = drawn([...writes.flatMap(({ inverse }) => inverse ?? []).reverse(), ...undoTail]);
    await routes.transact({ app, session, reqId: requests, doOperations, undoOperations }, NEVER);
  }

  async function amend(operations: readonly KernelOperation[]): Promise<void> {
    const writes = operations.map((operation) => ({ operation }));
    for (let start = 0; start < writes.length; start += MAX_OPERATIONS) await send(writes.slice(start, start + MAX_OPERATIONS));
  }

  function judge(dom: string, expected: string | null): BlockResult {
    if (expected === null) return dom === '' ? 'applied' : 'different';
    if (dom === '') return 'absent';
    return isSameBlock(expected, dom) || isItsSpelling(deps.engine, expected, dom) ? 'applied' : 'different';
  }

  const byIds: ReadDoms = (ids) => routes.doms(ids, NEVER);

  async function check(expected: ReadonlyMap<string, string | null>, read = byIds): Promise<ReadonlyMap<string, BlockState>> {
    const doms = await read([...expected.keys()]);
    return new Map(
      [...expected].map(([id, dom]) => {
        const now = doms[id] ?? '';
        return [id, { result: judge(now, dom), dom: now, hash: now === '' ? '' : hashOfBlock(now) }];
      }),
    );
  }

  return { send, amend, check };
}

export function deleteWrite(
  id: string,
  before: string,
  place: { readonly previousID: string } | { readonly parentID: string },
): BlockWrite {
  return { operation: { action: 'delete', id }, inverse: { action: 'insert', id, data: asWritable(before), ...place } };
}

/** A block from getBlockDOM, made fit for writing back. */
export function asWritable(dom: string, updated?: string): string {
  const block = parseBlock(dom);
  if (!block) throw new ToolError('kernel_refused', 'SiYuan returned a block in an unknown format', 'tell the user; nothing was written');
  return writableDom(block, updated);
}
