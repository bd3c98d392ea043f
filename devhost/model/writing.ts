import type { Exchange } from './conversation.ts';
import { headerId, readSearch, titleOf } from './tool-results.ts';
import { blockIdPattern, exchangesOf, findDocument, offers, pickNotebook, type Turn, takesArgument } from './turn.ts';
import type { WantedCall, WriteTarget } from './types.ts';

/** State of a write that a question asked for. */
export type WriteState =
  | { readonly kind: 'missing-tool'; readonly tool: string }
  | { readonly kind: 'no-document'; readonly name: string }
  | { readonly kind: 'call'; readonly call: WantedCall }
  | { readonly kind: 'written'; readonly place: string };

const toolFor: Record<WriteTarget['kind'], string> = { today: 'daily_note', document: 'insert_blocks', 'new-document': 'create_doc' };

export function writeTool(target: WriteTarget): string {
  return toolFor[target.kind];
}

function lookupsOf(turn: Turn, target: WriteTarget): WantedCall[] {
  if (target.kind === 'document') {
    return blockIdPattern.test(target.name) ? [] : [{ name: 'search_notes', args: { query: titleOf(target.name) } }];
  }
  if (!takesArgument(turn, writeTool(target), 'notebook') || !offers(turn, 'list_notebooks')) return [];
  const notebooks: WantedCall = { name: 'list_notebooks', args: {} };
  return target.kind === 'today' ? [notebooks, { name: 'daily_note', args: { op: 'list' } }] : [notebooks];
}

/** Reads that the write needs before it can be planned, made in the first round beside the search. */
export function writeLookups(turn: Turn, target: WriteTarget | null): WantedCall[] {
  if (!target || !offers(turn, writeTool(target))) return [];
  return lookupsOf(turn, target).filter(
    (call) => exchangesOf(turn, call.name, (args) => Object.entries(call.args).every(([name, value]) => args[name] === value)).length === 0,
  );
}

function writeExchange(turn: Turn, target: WriteTarget): Exchange | undefined {
  return exchangesOf(turn, writeTool(target), (args) => target.kind !== 'today' || args.op === 'append').at(-1);
}

function intoDocument(turn: Turn, name: string, markdown: string): WriteState {
  const anchored = (anchor: string): WriteState => ({
    kind: 'call',
    call: { name: 'insert_blocks', args: { anchor, position: 'append', markdown } },
  });
  const direct = blockIdPattern.exec(name)?.[0];
  if (direct !== undefined) return anchored(direct);
  const search = exchangesOf(turn, 'search_notes', (args) => args.query === titleOf(name)).at(-1);
  const document = search ? findDocument(readSearch(search.result), name) : null;
  if (!document) return { kind: 'no-document', name };
  if (document.id !== undefined) return anchored(document.id);
  const read = exchangesOf(turn, 'read_doc', (args) => args.path === document.path).at(-1);
  if (!read) return { kind: 'call', call: { name: 'read_doc', args: { path: document.path, showIds: true } } };
  const id = headerId(read.result);
  return id === undefined ? { kind: 'no-document', name } : anchored(id);
}

/** The next call of a write, or how it stands. Failures were handled before (every problem ends the turn). */
export function writeState(turn: Turn, target: WriteTarget, markdown: string): WriteState {
  const tool = writeTool(target);
  if (!offers(turn, tool)) return { kind: 'missing-tool', tool };
  if (writeExchange(turn, target)) return { kind: 'written', place: target.kind === 'today' ? turn.say.today : `**${target.name}**` };
  if (target.kind === 'document') return intoDocument(turn, target.name, markdown);
  const notebook = pickNotebook(turn, target.kind === 'today');
  const where = notebook === undefined ? {} : { notebook };
  if (target.kind === 'today') return { kind: 'call', call: { name: tool, args: { op: 'append', ...where, markdown } } };
  const path = target.name.startsWith('/') ? target.name : `/${target.name}`;
  return { kind: 'call', call: { name: tool, args: { ...where, path, markdown, ifExists: 'error' } } };
}
