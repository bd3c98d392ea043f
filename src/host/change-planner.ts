import { ToolError } from '../tools/errors.ts';
import type { ChangePlan, PlanOperation } from '../tools/plans.ts';
import type { NotebookInfo, NotesPort } from '../tools/ports.ts';
import { blockType, childBlocks, isBlockId, parseBlock, parseBlocks, serializeBlock, withoutZwsp } from './block-dom.ts';
import { type ContentFilter, createContentFilter, type FilteredContent } from './content-filter.ts';
import { showDailyPath } from './daily-path.ts';
import { assertOpen, findPlace } from './document-tree.ts';
import { createEditPlanner, type EditRequest } from './edit-planner.ts';
import { knownReferences } from './known-references.ts';
import { checkDay } from './notes-reader.ts';
import { chooseAnchor } from './plan-anchor.ts';
import type { ChangePlannerDeps, PlanDraft } from './plan-draft.ts';
import type { PreparedOperation } from './prepared-plan.ts';

export type ChangePlanner = Pick<NotesPort, 'planCreateDocument' | 'planInsert' | 'planEdit' | 'planDailyAppend'>;

function checkPath(path: string): { path: string; title: string } {
  const parts = path.split('/').map((part) => part.trim());
  if (parts[0] === '') parts.shift();
  const title = parts.at(-1) ?? '';
  if (parts.length === 0 || parts.some((part) => part === '' || part === '.' || part === '..' || part.length > 500 || hasControl(part))) {
    throw new ToolError('bad_path', `"${path}" is no document path`, 'write it in words, like /Projects/Apollo');
  }
  return { path: `/${parts.join('/')}`, title };
}

const hasControl = (text: string): boolean => [...text].some((char) => char < ' ' || char === '\u007f');

export function createChangePlanner(deps: ChangePlannerDeps): ChangePlanner {
  const { routes, access, engine, clock } = deps;
  const filter: ContentFilter = createContentFilter(deps);
  let planCount = 0;
  const nextId = (kind: string): string => {
    planCount += 1;
    return `${kind}-${clock.now().toString(36)}-${planCount}`;
  };

  function finish(draft: PlanDraft): ChangePlan {
    const plan: ChangePlan = Object.freeze({
      id: nextId('plan'),
      tool: draft.tool,
      notebook: { id: draft.notebook.id, name: draft.notebook.name },
      document: draft.document,
      operations: draft.shown,
      anchorId: draft.anchor && 'id' in draft.anchor ? draft.anchor.id : anchorOf(draft),
      undo: { kind: 'exact' as const },
      ...(draft.notebook.right === 'read' ? { needsRight: 'write' as const } : {}),
      notices: draft.notices,
    });
    deps.plans.put(plan, { target: draft.target, anchor: draft.anchor, operations: draft.prepared, pushPosition: draft.pushPosition });
    return plan;
  }

  function anchorOf(draft: PlanDraft): string | null {
    if (draft.anchor?.kind === 'section-end') return draft.anchor.heading;
    if (draft.anchor && 'parent' in draft.anchor) return draft.anchor.parent;
    return draft.prepared[0]?.action === 'update' ? draft.prepared[0].blockId : null;
  }

  function inserts(blocks: readonly string[], requires: readonly string[]): Pick<PlanDraft, 'shown' | 'prepared'> {
    const operations = blocks.map((dom) => {
      const block = parseBlock(dom);
      if (!block) throw new Error('the filter made something that is not one block');
      const [id, blockId] = [nextId('op'), block.attribs['data-node-id'] ?? ''];
      const shown: PlanOperation = {
        id,
        action: 'insert',
        blockId,
        blockType: blockType(block),
        before: null,
        after: engine.toMarkdown(dom),
        requires,
      };
      const prepared: PreparedOperation = { id, action: 'insert', blockId, dom, before: null };
      return { shown, prepared };
    });
    return { shown: operations.map((each) => each.shown), prepared: operations.map((each) => each.prepared) };
  }

  const filtered = (markdown: string, signal: AbortSignal): Promise<FilteredContent> =>
    filter.filter({ markdown, knownReferences: knownReferences(access, signal) });

  /** New items for a list: lists give their items, anything else becomes one item in the list's own style. */
  async function asItems(listId: string, markdown: string, signal: AbortSignal): Promise<FilteredContent> {
    const list = parseBlock(await routes.dom(listId, signal));
    const first = list ? childBlocks(list)[0] : undefined;
    const style = first?.attribs['data-subtype'] ?? 'u';
    const isList = parseBlocks(engine.toDom(markdown)).every((block) => blockType(block) === 'l');
    const marker = style === 'o' ? '1. ' : style === 't' ? '- [ ] ' : '- ';
    const indent = ' '.repeat(style === 'o' ? 3 : 2);
    const text = isList ? markdown : `${marker}${markdown.trim().split('\n').join(`\n${indent}`)}`;
    const content = await filtered(text, signal);
    const items = content.blocks.flatMap((dom) => parseBlocks(dom).flatMap(childBlocks));
    return { blocks: items.map(serializeBlock), notices: content.notices };
  }

  async function planInsert(request: Parameters<NotesPort['planInsert']>[0], tool: string, signal: AbortSignal): Promise<ChangePlan> {
    const pushPosition = deps.pushes.position();
    const where = await access.locate(request.anchor, 'read', signal);
    const notebook = await access.requireNotebook(where.notebook.id, 'read', signal);
    const place = where.id === where.documentId ? null : await findPlace(routes, where.documentId, where.id, signal);
    if (place) assertOpen(place);
    const { anchor, listId } = chooseAnchor(where.id, where.documentId, place, request.position);
    if (withoutZwsp(request.markdown).trim() === '')
      throw new ToolError('empty_text', 'there is no text to write', 'give the Markdown to write');
    const content = listId === null ? await filtered(request.markdown, signal) : await asItems(listId, request.markdown, signal);
    const path = await routes.pathOf(where.documentId, signal);
    return finish({
      tool,
      notebook,
      document: { id: where.documentId, title: where.documentTitle, path },
      target: { kind: 'existing', documentId: where.documentId },
      anchor,
      ...inserts(content.blocks, []),
      notices: content.notices,
      pushPosition,
    });
  }

  async function planCreateDocument(
    request: Parameters<NotesPort['planCreateDocument']>[0],
    tool: string,
    signal: AbortSignal,
  ): Promise<ChangePlan> {
    const pushPosition = deps.pushes.position();
    const notebook = await access.requireNotebook(request.notebook, 'read', signal);
    const { path, title } = checkPath(request.path);
    const existing = await routes.idsByPath(notebook.id, path, signal);
    if (existing.length > 0) {
      throw new ToolError('path_exists', `"${path}" is there already`, `write into it (id ${existing[0]}) or choose another path`);
    }
    const content = await filtered(request.markdown, signal);
    const create: PlanOperation = {
      id: nextId('op'),
      action: 'create-document',
      blockId: '',
      blockType: 'd',
      before: null,
      after: path,
      requires: [],
    };
    const { shown, prepared } = inserts(content.blocks, [create.id]);
    return finish({
      tool,
      notebook,
      document: { id: null, title, path },
      target: { kind: 'create', path, operationId: create.id },
      anchor: null,
      shown: [create, ...shown],
      prepared,
      notices: content.notices,
      pushPosition,
    });
  }

  async function dailyNotebook(id: string | undefined, signal: AbortSignal): Promise<NotebookInfo> {
    if (id !== undefined) return access.requireNotebook(id, 'read', signal);
    const open = (await access.notebooks(signal)).filter((each) => each.open && each.right !== 'none');
    const [only] = open;
    if (only && open.length === 1) return only;
    const latest = (await deps.reader.dailyNotes({ from: '2000-01-01', to: clock.today() }, signal))[0];
    const used = open.find((each) => each.id === latest?.notebook.id);
    if (used) return used;
    const names = open.map((each) => `${each.name} (${each.id})`).join(', ');
    throw new ToolError('not_found', 'it is not clear in which notebook the diary is', `give a notebook id: ${names}`);
  }

  async function planDailyAppend(
    request: Parameters<NotesPort['planDailyAppend']>[0],
    tool: string,
    signal: AbortSignal,
  ): Promise<ChangePlan> {
    checkDay(request.date);
    const notebook = await dailyNotebook(request.notebook, signal);
    const found = await deps.reader.dailyNotes({ from: request.date, to: request.date, notebook: notebook.id }, signal);
    const note = found[0];
    if (note) return planInsert({ anchor: note.id, position: 'append', markdown: request.markdown }, tool, signal);
    if (request.date !== clock.today()) {
      throw new ToolError('not_found', `there is no note for ${request.date}`, "only today's note can be made; choose a day that has one");
    }
    const pushPosition = deps.pushes.position();
    const content = await filtered(request.markdown, signal);
    const path = showDailyPath((await routes.notebookConf(notebook.id, signal)).dailyNoteSavePath, clock.now());
    const create: PlanOperation = {
      id: nextId('op'),
      action: 'create-document',
      blockId: '',
      blockType: 'd',
      before: null,
      after: path,
      requires: [],
    };
    const { shown, prepared } = inserts(content.blocks, [create.id]);
    return finish({
      tool,
      notebook,
      document: { id: null, title: path.slice(path.lastIndexOf('/') + 1), path },
      target: { kind: 'daily', date: request.date, operationId: create.id },
      anchor: null,
      shown: [create, ...shown],
      prepared,
      notices: content.notices,
      pushPosition,
    });
  }

  const edits = createEditPlanner({ ...deps, filter, finish, nextId });
  const planEdit = (request: EditRequest, tool: string, signal: AbortSignal): Promise<ChangePlan> => {
    if (!isBlockId(request.id)) throw new ToolError('bad_id', `"${request.id}" is no block id`, 'use an id that a read gave');
    return edits.planEdit(request, tool, signal);
  };

  return { planCreateDocument, planInsert, planEdit, planDailyAppend };
}
