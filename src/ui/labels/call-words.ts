import type { ToolCallView } from '../../chat/view/view.ts';
import { own } from '../../tools/plan-words/own.ts';
import type { MessageKey, Translate } from '../ports/i18n.ts';
import { sentenceCase } from './format.ts';
import { argumentInShort, ID, titleRead, toolName } from './tool-labels.ts';
import { deletesNotes, isOver } from './work-labels.ts';

/** What a tool is about to do or does: the words before its object, and an object if its name is not known. */
const DOING: Readonly<Record<string, readonly [MessageKey, MessageKey?]>> = {
  read_doc: ['doing.read', 'work.aNote'],
  read_docs: ['doing.read', 'work.notes'],
  read_block: ['doing.read', 'work.aBlock'],
  get_outline: ['doing.outline', 'work.aNote'],
  block_info: ['doing.lookUp', 'work.aBlock'],
  export_doc: ['doing.export', 'work.aNote'],
  read_file: ['doing.read'],
  web_fetch: ['doing.read'],
  search_notes: ['doing.search'],
  grep_doc: ['doing.searchNote'],
  backlinks: ['doing.backlinks', 'work.aNote'],
  web_search: ['doing.searchWeb'],
  create_doc: ['doing.create', 'work.aNote'],
  edit_block: ['doing.change', 'work.aBlock'],
  insert_blocks: ['doing.add', 'work.aNote'],
  rewrite_doc: ['doing.rewrite', 'work.aNote'],
  move_blocks: ['doing.move'],
  delete_blocks: ['doing.deleteBlocks'],
  delete_doc: ['doing.delete', 'work.aNote'],
};

/** What a tool of several operations does: more than its own name says. */
const OPERATIONS: Readonly<Record<string, MessageKey>> = {
  'db_write add_rows': 'allowed.kind.addRows',
  'db_write set_cells': 'allowed.kind.cells',
  'flashcards create': 'allowed.kind.addCards',
  'flashcards remove': 'allowed.kind.removeCards',
  'attributes set': 'allowed.kind.attributes',
};

/** A call by what it does, or by its tool. */
export function operationName({ tool, args }: Pick<ToolCallView, 'tool' | 'args'>, t: Translate): string {
  const key = own(OPERATIONS, `${tool} ${String(args.op)}`);
  return key ? sentenceCase(t(key)) : toolName(tool, t);
}

/** "Reading", while a call runs, before that and while it waits; what it is called once it is over. */
export function callName(call: Pick<ToolCallView, 'tool' | 'args' | 'status'>, t: Translate): string {
  const [doing] = own(DOING, call.tool) ?? [];
  return doing && !isOver(call) ? t(doing) : operationName(call, t);
}

/** "a note": for a call whose object has no known name; '' if the label says everything. */
function unnamedObject(call: Pick<ToolCallView, 'tool' | 'status'>, t: Translate): string {
  const object = own(DOING, call.tool)?.[1];
  return object && !isOver(call) ? t(object) : '';
}

const NAMED = 3;

function idsOf({ id, anchor, target, ids, items }: ToolCallView['args']): readonly string[] {
  const ofItems = Array.isArray(items) ? items.map((item) => (item && typeof item === 'object' ? item.id : '')) : [];
  const listed = Array.isArray(ids) ? ids : ofItems;
  return [id, anchor, target, ...listed].filter((each): each is string => typeof each === 'string' && ID.test(each));
}

interface Names {
  readonly t: Translate;
  /** The title of a note by its id; '' if it is not known. */
  readonly titleOf: (id: string) => string;
  /** The note named by its approval. */
  readonly planned?: string | undefined;
}

/** The notes of a call, by title; '' if they are not known. */
function namedObject(call: Pick<ToolCallView, 'tool' | 'args' | 'preview' | 'wrote'>, { t, titleOf, planned }: Names): string {
  const known = call.wrote?.title || planned || titleRead(call);
  if (known) return known;
  const titles = [...new Set(idsOf(call.args).map(titleOf))].filter((title) => title !== '');
  return titles.length > NAMED ? `${titles.slice(0, NAMED).join(t('work.comma'))}…` : titles.join(t('work.comma'));
}

/** The subject of a call, on one line: never an id. */
export function callObject(call: Pick<ToolCallView, 'tool' | 'args' | 'preview' | 'wrote' | 'status'>, names: Names): string {
  // The approval shows in full what it would write.
  if (call.status === 'waiting' && names.planned) return names.planned;
  const argument = argumentInShort(call.tool, call.args);
  // The card shows what was written, and where: then the text distinguishes one change from the next.
  if (isOver(call)) return argument || (call.wrote && !deletesNotes(call) ? '' : namedObject(call, names));
  const unnamed = unnamedObject(call, names.t);
  return (unnamed === '' ? '' : namedObject(call, names)) || argument || unnamed;
}
