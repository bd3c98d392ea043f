import { ToolError } from '../../tools/contract/errors.ts';
import type { NotePlanner } from '../../tools/contract/note-planner.ts';
import {
  type Change,
  type ChangePlan,
  deletes,
  NEW_NOTES_ONLY,
  type PlanOperation,
  type PlanPosition,
} from '../../tools/contract/plans.ts';
import type { NotebookInfo, NotesPort } from '../../tools/contract/ports.ts';
import type { Access } from '../access/access.ts';
import { knownReferences } from '../access/known-references.ts';
import { isVisible } from '../access/notebook-list.ts';
import type { ReadableBlocks } from '../access/readable-blocks.ts';
import {
  type BlockElement,
  blockType,
  childBlocks,
  isBlockId,
  parseBlock,
  parseBlocks,
  serializeBlock,
  withoutZwsp,
} from '../blocks/block-dom.ts';
import { blockHtml } from '../blocks/block-html.ts';
import type { MarkdownEngine } from '../blocks/markdown-engine.ts';
import { type ContentFilter, createContentFilter, type FilteredContent } from '../content/content-filter.ts';
import { assertPlainName, hasControl, keptName } from '../content/plain-name.ts';
import { showDailyPath } from '../documents/daily-path.ts';
import { findPath } from '../documents/document-target.ts';
import { askedOnce } from '../kernel/asked-once.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { createBlockViewer } from '../reading/block-view.ts';
import { checkDay } from '../reading/notes-reader.ts';
import { openPlace } from '../reading/readable-place.ts';
import { type OrderedLists, readOrderedLists } from '../transactions/list-order.ts';
import { chooseAnchor } from '../transactions/plan-anchor.ts';
import { isUnseen, type PreparedOperation } from '../transactions/prepared-plan.ts';
import { vanishingBlocks } from '../transactions/vanishing.ts';
import { planAssetRename } from './asset-planner.ts';
import { planDeleteBlocks } from './delete-planner.ts';
import { createEditPlanner, type EditPlannerDeps, type EditRequest } from './edit-planner.ts';
import { itemAround } from './list-around.ts';
import { numberedLists, numberingNotices, withItems } from './list-numbering.ts';
import { planMoveBlocks } from './move-planner.ts';
import { planNewCards } from './new-cards-planner.ts';
import type { ChangePlannerDeps, PlanDraft } from './plan-draft.ts';
import { anchorPosition } from './plan-position.ts';
import { planRewrite } from './rewrite-planner.ts';
import { counted, hiddenAtPath, neededRight, stepsOf } from './structure-plan.ts';
import { planTag } from './tag-planner.ts';

function sidesOf({ action }: PlanOperation, { dom, before }: PreparedOperation): Change<string> {
  if (action === 'delete') return { before: before?.dom ?? null, after: null };
  return { before: before?.dom ?? null, after: dom };
}

/** Adds previews of the current and the future DOM, the only ones for all tools, without guarded blocks and hidden words. */
async function withDrawings(
  deps: { readonly engine: MarkdownEngine; readonly access: ReadableBlocks },
  shown: readonly PlanOperation[],
  prepared: readonly PreparedOperation[],
  signal: AbortSignal,
): Promise<readonly PlanOperation[]> {
  const preparedById = new Map(prepared.map((each) => [each.id, each]));
  const sides = shown.map((operation) => {
    const change = preparedById.get(operation.id);
    return change ? sidesOf(operation, change) : { before: null, after: null };
  });
  const doms = [...new Set(sides.flatMap(({ before, after }) => [before ?? [], after ?? []].flat()))];
  const views = await createBlockViewer({ engine: deps.engine, readable: deps.access }).view(doms, signal);
  const drawings = new Map(doms.map((dom, index) => [dom, views[index] && blockHtml(views[index].element, deps.engine)]));
  return shown.map((operation, index) => {
    const { before = null, after = null } = sides[index] ?? {};
    const [old, fresh] = [before, after].map((dom) => (dom === null ? null : drawings.get(dom)));
    if (old === undefined || fresh === undefined || (old === null && fresh === null)) return operation;
    return { ...operation, drawn: { before: old, after: fresh } };
  });
}

type BlockPlanner = Pick<
  NotePlanner,
  'planMoveBlocks' | 'planDeleteBlocks' | 'planRewrite' | 'planTag' | 'planNewCards' | 'planAssetRename'
>;

function createBlockPlanner(deps: EditPlannerDeps): BlockPlanner {
  return {
    planMoveBlocks: (request, tool, signal) => planMoveBlocks(deps, request, tool, signal),
    planDeleteBlocks: (request, tool, signal) => planDeleteBlocks(deps, request, tool, signal),
    planAssetRename: (request, tool, signal) => planAssetRename(deps, request, tool, signal),
    planTag: (...request) => planTag(deps, ...request),
    planNewCards: (request, tool, signal) => planNewCards(deps, request, tool, signal),
    planRewrite: (request, tool, signal) => planRewrite(deps, request, tool, signal),
  };
}

export interface ChangePlanner extends Pick<NotesPort, 'planCreateDocument' | 'planInsert' | 'planEdit' | 'planDailyAppend'> {
  readonly blocks: BlockPlanner;
}

function checkPath(path: string): { path: string; title: string } {
  const written = path.split('/').map((part) => part.trim());
  const parts = written.map(keptName);
  if (parts[0] === '') parts.shift();
  const title = parts.at(-1) ?? '';
  if (
    parts.length === 0 ||
    parts.some((part) => part === '' || part === '.' || part === '..' || part.length > 500) ||
    written.some(hasControl)
  ) {
    throw new ToolError('bad_path', `"${path}" is not a document path`, 'write it in words, like /Projects/Apollo');
  }
  assertPlainName(path, 'path');
  return { path: `/${parts.join('/')}`, title };
}

function anchorOf(draft: PlanDraft): string | null {
  if (draft.anchor?.kind === 'section-end') return draft.anchor.heading;
  if (draft.anchor && 'parent' in draft.anchor) return draft.anchor.parent;
  return draft.prepared[0]?.action === 'update' ? draft.prepared[0].blockId : null;
}

/** Operations with what they remove without being deletions; containers that moves leave empty are removed with the last of them. */
function withRemovals({ shown, prepared, emptied = [] }: PlanDraft): readonly PlanOperation[] {
  const vanishing = vanishingBlocks(prepared);
  const last = prepared.findLast(({ action }) => action === 'move')?.id;
  return shown.map((operation) => {
    if (deletes([operation])) return operation;
    const removes = (vanishing.get(operation.id)?.length ?? 0) + (operation.id === last ? emptied.length : 0);
    return removes > 0 ? { ...operation, removes } : operation;
  });
}

type NextId = EditPlannerDeps['nextId'];

interface Rights {
  readonly accessOver: (routes: KernelRoutes) => Access;
}

class KernelChangePlanner implements ChangePlanner {
  private readonly deps: ChangePlannerDeps;
  private readonly filter: ContentFilter;
  private readonly edits: Pick<NotesPort, 'planEdit'>;
  readonly blocks: BlockPlanner;
  private readonly nextId: NextId;

  constructor(deps: ChangePlannerDeps, nextId: NextId) {
    this.deps = deps;
    this.nextId = nextId;
    this.filter = createContentFilter(deps);
    const parts: EditPlannerDeps = {
      ...deps,
      filter: this.filter,
      finish: (draft) => this.finish(draft),
      nextId,
    };
    this.edits = createEditPlanner(parts);
    this.blocks = createBlockPlanner(parts);
  }

  async planCreateDocument(
    request: Parameters<NotesPort['planCreateDocument']>[0],
    tool: string,
    signal: AbortSignal,
  ): Promise<ChangePlan> {
    const pushPosition = this.deps.pushes.position();
    const { access } = this.deps;
    const isSeenAt = (await access.notebooks(signal)).find(({ id }) => id === request.notebook)?.right !== 'create';
    const notebook = await access.requireNotebook(request.notebook, isSeenAt ? 'read' : 'create', signal);
    const { path, title } = checkPath(request.path);
    const draft = { tool, notebook, pushPosition, signal };
    if (!isSeenAt)
      return this.planNew(draft, { path, title, hidden: 0, markdown: request.markdown }, { kind: 'create', path, unseen: true });
    const { existing, hidden } = await findPath(access, { notebook: notebook.id, path }, signal);
    if (existing.length > 0) {
      throw new ToolError('path_exists', `"${path}" already exists`, `write into it (id ${existing[0]}) or choose another path`);
    }
    return this.planNew(draft, { path, title, hidden, markdown: request.markdown }, { kind: 'create', path });
  }

  /** A document at `path` with `markdown` as its content. */
  private async planNew(
    draft: Pick<PlanDraft, 'tool' | 'notebook' | 'pushPosition' | 'signal'>,
    made: { readonly path: string; readonly title: string; readonly hidden: number; readonly markdown: string },
    target: { readonly kind: 'create'; readonly path: string; readonly unseen?: true } | { readonly kind: 'daily'; readonly date: string },
  ): Promise<ChangePlan> {
    const { path, title, hidden } = made;
    const content = await this.filtered(made.markdown, draft.signal);
    const create = this.documentOperation(path);
    const { shown, prepared } = this.inserts(content.blocks, [create.id]);
    return this.finish({
      ...draft,
      document: { id: null, title, path },
      target: { ...target, operationId: create.id, hidden },
      anchor: null,
      shown: [create, ...shown],
      prepared,
      notices: [...content.notices, ...hiddenAtPath(hidden), ...(isUnseen(target) ? [{ code: NEW_NOTES_ONLY, count: 1 }] : [])],
    });
  }

  async planInsert(request: Parameters<NotesPort['planInsert']>[0], tool: string, signal: AbortSignal): Promise<ChangePlan> {
    const pushPosition = this.deps.pushes.position();
    const where = await this.deps.access.locate(request.anchor, 'read', signal);
    const notebook = await this.deps.access.requireNotebook(where.notebook.id, 'read', signal);
    const place = await openPlace(this.deps, where, signal);
    const { anchor, listId } = chooseAnchor(where.id, where.documentId, place, request.position);
    if (withoutZwsp(request.markdown).trim() === '')
      throw new ToolError('empty_text', 'there is no text to write', 'give the Markdown to write');
    const content = listId === null ? await this.filtered(request.markdown, signal) : await this.asItems(listId, request.markdown, signal);
    const path = await this.deps.routes.pathOf(where.documentId, signal);
    const numbering = await this.numbering(listId, signal);
    const beside = place === null ? undefined : parseBlock(await this.deps.routes.dom(where.id, signal));
    return this.finish({
      tool,
      notebook,
      document: { id: where.documentId, title: where.documentTitle, path },
      target: { kind: 'existing', documentId: where.documentId },
      anchor,
      ...this.inserts(content.blocks, [], anchorPosition(where.documentTitle, anchor, beside)),
      ...numberedLists(numbering),
      notices: [
        ...content.notices,
        ...numberingNotices(numbering, () => withItems([...numbering.items.keys()], anchor, content.blocks.length)),
      ],
      pushPosition,
      signal,
    });
  }

  private numbering(listId: string | null, signal: AbortSignal): Promise<OrderedLists> {
    return readOrderedLists(this.deps.routes, listId === null ? [] : [listId], signal);
  }

  async planEdit(request: EditRequest, tool: string, signal: AbortSignal): Promise<ChangePlan> {
    if (!isBlockId(request.id)) throw new ToolError('bad_id', `"${request.id}" is not a block id`, 'use an id that a read gave');
    return this.edits.planEdit(request, tool, signal);
  }

  async planDailyAppend(request: Parameters<NotesPort['planDailyAppend']>[0], tool: string, signal: AbortSignal): Promise<ChangePlan> {
    checkDay(request.date);
    const notebook = await this.dailyNotebook(request.notebook, signal);
    const found = await this.deps.reader.dailyNotes({ from: request.date, to: request.date, notebook: notebook.id }, signal);
    const note = found[0];
    if (note) return this.planInsert({ anchor: note.id, position: 'append', markdown: request.markdown }, tool, signal);
    if (request.date !== this.deps.clock.today()) {
      throw new ToolError('not_found', `there is no note for ${request.date}`, "only today's note can be made; choose a day that has one");
    }
    const pushPosition = this.deps.pushes.position();
    const path = showDailyPath((await this.deps.routes.notebookConf(notebook.id, signal)).dailyNoteSavePath, this.deps.clock.now());
    const { existing, hidden } = await findPath(this.deps.access, { notebook: notebook.id, path }, signal);
    const [atPath] = existing;
    if (atPath !== undefined) return this.planInsert({ anchor: atPath, position: 'append', markdown: request.markdown }, tool, signal);
    const made = { path, title: path.slice(path.lastIndexOf('/') + 1), hidden, markdown: request.markdown };
    return this.planNew({ tool, notebook, pushPosition, signal }, made, { kind: 'daily', date: request.date });
  }

  private async dailyNotebook(id: string | undefined, signal: AbortSignal): Promise<NotebookInfo> {
    if (id !== undefined) return this.deps.access.requireNotebook(id, 'read', signal);
    const open = (await this.deps.access.notebooks(signal)).filter(isVisible);
    const [only] = open;
    if (only && open.length === 1) return only;
    const latest = (await this.deps.reader.dailyNotes({ from: '2000-01-01', to: this.deps.clock.today() }, signal))[0];
    const used = open.find((each) => each.id === latest?.notebook.id);
    if (used) return used;
    const names = open.map((each) => `${each.name} (${each.id})`).join(', ');
    throw new ToolError('not_found', 'it is not clear which notebook the diary is in', `give a notebook id: ${names}`);
  }

  private filtered(markdown: string, signal: AbortSignal): Promise<FilteredContent> {
    return this.filter.filter({ markdown, knownReferences: knownReferences(this.deps.access, signal) });
  }

  /** New items in the list's own style. SiYuan turns a list that begins with a task into a task list, and never back. */
  private async asItems(listId: string, markdown: string, signal: AbortSignal): Promise<FilteredContent> {
    const list = parseBlock(await this.deps.routes.dom(listId, signal));
    const style = list?.attribs['data-subtype'] ?? 'u';
    const text = /^\s*\[[^\]]\]\s/u.test(markdown) ? `- ${markdown.trim()}` : markdown;
    const content = await this.filtered(text, signal);
    const blocks = content.blocks.flatMap(parseBlocks);
    const isList = blocks.every((block) => blockType(block) === 'l');
    const items: BlockElement[] = [];
    const make = (line: string) => this.filtered(line, signal);
    for (const item of isList ? blocks.flatMap(childBlocks) : [undefined]) {
      const isOfStyle = item?.attribs['data-subtype'] === style;
      items.push(item && isOfStyle ? item : await itemAround(make, style, item ? childBlocks(item) : blocks));
    }
    return { blocks: items.map(serializeBlock), notices: content.notices };
  }

  private documentOperation(path: string): PlanOperation {
    return {
      id: this.nextId('op'),
      action: 'create-document',
      blockId: '',
      blockType: 'd',
      before: null,
      after: path,
      path: { before: null, after: stepsOf(path) },
      requires: [],
    };
  }

  private inserts(blocks: readonly string[], requires: readonly string[], position?: PlanPosition): Pick<PlanDraft, 'shown' | 'prepared'> {
    const operations = blocks.map((dom) => {
      const block = parseBlock(dom);
      if (!block) throw new Error('the filter made something that is not one block');
      const [id, blockId] = [this.nextId('op'), block.attribs['data-node-id'] ?? ''];
      const shown: PlanOperation = {
        id,
        action: 'insert',
        blockId,
        blockType: blockType(block),
        before: null,
        after: this.deps.engine.toMarkdown(dom),
        requires,
        position: position ? { after: position } : undefined,
      };
      const prepared: PreparedOperation = { id, action: 'insert', blockId, dom, before: null };
      return { shown, prepared };
    });
    return { shown: operations.map((each) => each.shown), prepared: operations.map((each) => each.prepared) };
  }

  private async finish(draft: PlanDraft): Promise<ChangePlan> {
    const operations = await withDrawings(this.deps, withRemovals(draft), draft.prepared, draft.signal);
    const removed = operations.reduce((sum, { removes = 0 }) => sum + removes, 0);
    const plan: ChangePlan = Object.freeze<ChangePlan>({
      id: this.nextId('plan'),
      tool: draft.tool,
      notebook: { id: draft.notebook.id, name: draft.notebook.name },
      document: draft.document,
      operations,
      anchorId: draft.anchor && 'id' in draft.anchor ? draft.anchor.id : anchorOf(draft),
      undo: draft.undo ?? { kind: 'exact' },
      ...neededRight(draft.notebook.right, operations, isUnseen(draft.target) ? 'create' : 'write'),
      notices: [...draft.notices, ...counted([{ code: 'blocks-removed', count: removed }])],
    });
    const { target, anchor, prepared, pushPosition, numbered, copies } = draft;
    this.deps.plans.put(plan, { target, anchor, operations: prepared, pushPosition, numbered, copies });
    return plan;
  }
}

/** Each plan asks the kernel once for what its parts need, and reuses nothing of the plan before. */
export function createChangePlanner(deps: Omit<ChangePlannerDeps, 'access'> & Rights): ChangePlanner {
  let count = 0;
  const nextId: NextId = (kind) => {
    count += 1;
    return `${kind}-${deps.clock.now().toString(36)}-${count}`;
  };
  const now = (): ChangePlanner => {
    const routes = askedOnce(deps.routes);
    return new KernelChangePlanner({ ...deps, routes, access: deps.accessOver(routes) }, nextId);
  };
  return {
    planCreateDocument: (...request) => now().planCreateDocument(...request),
    planInsert: (...request) => now().planInsert(...request),
    planEdit: (...request) => now().planEdit(...request),
    planDailyAppend: (...request) => now().planDailyAppend(...request),
    blocks: {
      planMoveBlocks: (...request) => now().blocks.planMoveBlocks(...request),
      planDeleteBlocks: (...request) => now().blocks.planDeleteBlocks(...request),
      planRewrite: (...request) => now().blocks.planRewrite(...request),
      planTag: (...request) => now().blocks.planTag(...request),
      planAssetRename: (...request) => now().blocks.planAssetRename(...request),
      planNewCards: (...request) => now().blocks.planNewCards(...request),
    },
  };
}
