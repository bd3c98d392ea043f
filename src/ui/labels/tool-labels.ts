import type { ToolCallView } from '../../chat/view/view.ts';
import type { ToolArguments } from '../../tools/contract/types.ts';
import { plainWords } from '../../tools/util/plain-words.ts';
import type { IconName } from '../controls/icons.ts';
import type { MessageKey, Translate } from '../ports/i18n.ts';
import { own } from './own.ts';

/** What a tool does to the notes, as the line of work counts it. */
export type WorkKind = 'read' | 'search' | 'list' | 'write' | 'web-search' | 'web-page' | 'memory' | 'agent' | 'other';

interface ToolWords {
  readonly name: MessageKey;
  readonly kind: WorkKind;
  readonly icon: IconName;
  /** Arguments to show in short, the first that is there. */
  readonly subject: readonly string[];
}

const words = (name: MessageKey, kind: WorkKind, icon: IconName, ...subject: string[]): ToolWords => ({ name, kind, icon, subject });

const TOOLS: Readonly<Record<string, ToolWords>> = {
  list_notebooks: words('tool.list_notebooks', 'list', 'iconMarginaliaNotebook'),
  manage_notebook: words('tool.manage_notebook', 'write', 'iconMarginaliaNotebook', 'name', 'op'),
  list_docs: words('tool.list_docs', 'list', 'iconMarginaliaChats', 'parent'),
  recent_docs: words('tool.recent_docs', 'list', 'iconMarginaliaChats'),
  read_doc: words('tool.read_doc', 'read', 'iconFile', 'path', 'id'),
  read_docs: words('tool.read_docs', 'read', 'iconFile'),
  read_block: words('tool.read_block', 'read', 'iconFile', 'id'),
  get_outline: words('tool.get_outline', 'read', 'iconFile', 'id'),
  block_info: words('tool.block_info', 'read', 'iconFile'),
  create_doc: words('tool.create_doc', 'write', 'iconAdd', 'path'),
  organize_doc: words('tool.organize_doc', 'write', 'iconFile', 'target', 'op'),
  delete_doc: words('tool.delete_doc', 'write', 'iconTrashcan'),
  daily_note: words('tool.daily_note', 'read', 'iconFile', 'markdown', 'date'),
  edit_block: words('tool.edit_block', 'write', 'iconEdit', 'markdown', 'edits'),
  insert_blocks: words('tool.insert_blocks', 'write', 'iconAdd', 'markdown'),
  move_blocks: words('tool.move_blocks', 'write', 'iconEdit'),
  delete_blocks: words('tool.delete_blocks', 'write', 'iconTrashcan'),
  rewrite_doc: words('tool.rewrite_doc', 'write', 'iconEdit', 'id'),
  search_notes: words('tool.search_notes', 'search', 'iconSearch', 'query'),
  grep_doc: words('tool.grep_doc', 'search', 'iconSearch', 'pattern'),
  backlinks: words('tool.backlinks', 'search', 'iconSearch', 'id'),
  related_notes: words('tool.related_notes', 'search', 'iconSearch', 'id'),
  query_sql: words('tool.query_sql', 'search', 'iconSearch', 'stmt'),
  attributes: words('tool.attributes', 'list', 'iconMarginaliaBlock', 'attrs', 'op'),
  tags: words('tool.tags', 'list', 'iconMarginaliaTag', 'label'),
  export_doc: words('tool.export_doc', 'read', 'iconMarginaliaExport', 'format'),
  read_file: words('tool.read_file', 'read', 'iconFile', 'path', 'paths'),
  list_files: words('tool.list_files', 'list', 'iconFile', 'path', 'pattern'),
  write_file: words('tool.write_file', 'write', 'iconEdit', 'path'),
  exec: words('tool.exec', 'other', 'iconMarginaliaTools', 'command'),
  run_script: words('tool.run_script', 'other', 'iconMarginaliaTools', 'code'),
  datetime: words('tool.datetime', 'other', 'iconMarginaliaWait', 'date'),
  calculate: words('tool.calculate', 'other', 'iconMarginaliaTools', 'expression'),
  ask_user: words('tool.ask_user', 'other', 'iconMarginaliaAsk', 'question'),
  todo: words('tool.todo', 'other', 'iconSelect', 'op'),
  spawn: words('tool.spawn', 'agent', 'iconMarginaliaBranch', 'label', 'task'),
  memory: words('tool.memory', 'memory', 'iconMarginaliaThinks', 'text', 'query', 'op'),
  web_search: words('tool.web_search', 'web-search', 'iconMarginaliaWeb', 'query'),
  web_fetch: words('tool.web_fetch', 'web-page', 'iconMarginaliaWeb', 'url'),
  ListVars: words('tool.ListVars', 'other', 'iconMarginaliaVariable', 'filter'),
  ReadVar: words('tool.ReadVar', 'other', 'iconMarginaliaVariable', 'name'),
  WriteVar: words('tool.WriteVar', 'other', 'iconMarginaliaVariable', 'name'),
  RemoveVars: words('tool.RemoveVars', 'other', 'iconMarginaliaVariable', 'names'),
};

/** Groups by name, for the page of tools. */
const GROUPS: Readonly<Record<string, MessageKey>> = {
  basic: 'group.basic',
  notebooks: 'group.notebooks',
  documents: 'group.documents',
  blocks: 'group.blocks',
  search: 'group.search',
  attributes: 'group.attributes',
  tags: 'group.tags',
  export: 'group.export',
  web: 'group.web',
  memory: 'group.memory',
  files: 'group.files',
  script: 'group.script',
  vars: 'group.vars',
  agents: 'group.agents',
};

/** "some_tool" or "someTool" of a server that nobody here knows, as words. */
function spelled(name: string): string {
  const spaced = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

export function toolName(tool: string, t: Translate): string {
  const known = own(TOOLS, tool);
  return known ? t(known.name) : spelled(tool);
}

export function groupName(group: string, t: Translate): string {
  const known = own(GROUPS, group);
  if (group.startsWith('mcp:')) return t('group.mcp', { name: group.slice(4) });
  if (group.startsWith('script:')) return t('group.customScript', { name: group.slice(7) });
  return known ? t(known) : spelled(group);
}

/** What its arguments mean is known here, and told in words. */
export const isKnownTool = (tool: string): boolean => own(TOOLS, tool) !== undefined;

export function toolIcon(tool: string): IconName {
  return own(TOOLS, tool)?.icon ?? 'iconMarginaliaTools';
}

/** Tools whose operations differ: `tool op` → what it does. */
const BY_OPERATION: Readonly<Record<string, WorkKind>> = {
  'daily_note append': 'write',
  'daily_note list': 'list',
  'memory save': 'write',
  'memory forget': 'write',
  'attributes set': 'write',
  'tags rename': 'write',
  'tags remove': 'write',
  'export_doc file': 'write',
};

export function workKind({ tool, args }: Pick<ToolCallView, 'tool' | 'args'>): WorkKind {
  return own(BY_OPERATION, `${tool} ${String(args.op ?? args.format)}`) ?? own(TOOLS, tool)?.kind ?? 'other';
}

/** A value of an argument as one line. */
export function argumentText(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value) ?? '';
}

/** An id says nothing to a person. */
export const ID = /^\d{14}-[0-9a-z]{7}$/;
/** Nor does the reference to a variable. */
const VARIABLE = /\$VAR_REF\{\{[^}]*\}\}/g;

/** Longer texts are not told side by side. */
const SHORT_EDIT = 24;

/** The first of several edits: `16 → 18` where both texts are short, else what it writes. */
function firstEdit(value: unknown): string | undefined {
  const edit: unknown = Array.isArray(value) ? value[0] : undefined;
  if (typeof edit !== 'object' || edit === null || !('new' in edit)) return undefined;
  const written = argumentText(edit.new);
  const removed = 'old' in edit ? argumentText(edit.old) : '';
  const sideBySide = removed !== '' && [removed, written].every((text) => text.length <= SHORT_EDIT);
  return sideBySide ? `${removed} → ${written || '…'}` : written;
}

/** The note that a call read: the head of what it gave says it, the call itself often only has an id. */
export function noteRead(call: Pick<ToolCallView, 'tool' | 'preview'>): { readonly id: string; readonly title: string } | undefined {
  if (workKind({ tool: call.tool, args: {} }) !== 'read') return undefined;
  const [, title, id] = /^# (.+?) \[(\d{14}-[0-9a-z]{7})\]/.exec(call.preview ?? '') ?? [];
  return title === undefined || id === undefined ? undefined : { id, title };
}

export const titleRead = (call: Pick<ToolCallView, 'tool' | 'preview'>): string => noteRead(call)?.title ?? '';

/** An address as people say it. */
const shortAddress = (address: string): string => address.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '');

/** Tools whose `path` is that of a note: its last part is the title. */
const NOTE_PATHS: ReadonlySet<string> = new Set(['read_doc', 'create_doc']);
const titleAt = (path: string): string => path.split('/').findLast((part) => part.trim() !== '') ?? path;

/** Arguments whose text is Markdown; in all others its signs mean something else. */
const MARKDOWN: ReadonlySet<string> = new Set(['markdown', 'edits', 'instruction', 'task', 'text', 'note']);

/** The argument that says most, on one line of at most `limit` characters. */
export function argumentInShort(tool: string, args: ToolArguments, limit = 80): string {
  const says = (value: unknown): boolean =>
    value !== undefined && value !== '' && !(typeof value === 'string' && (ID.test(value) || value.replace(VARIABLE, '').trim() === ''));
  const subject = own(TOOLS, tool)?.subject.find((name) => says(args[name]));
  // What one does with it is in the name of a known tool.
  const isOther = (name: string): boolean => typeof args[name] === 'string' && !(name === 'op' && isKnownTool(tool));
  const named = subject ?? Object.keys(args).find((name) => isOther(name) && says(args[name]));
  if (named === undefined) return '';
  const value = args[named];
  const whole = argumentText(firstEdit(value) ?? value);
  const text = named === 'url' ? shortAddress(whole) : NOTE_PATHS.has(tool) && named === 'path' ? titleAt(whole) : whole;
  const line = (MARKDOWN.has(named) ? plainWords(text) : text).replace(VARIABLE, '…').replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : line;
}
