import type { ToolCallView } from '../../chat/view/view.ts';
import type { ToolInfo, WorkKind } from '../../tools/contract/tool-info.ts';
import type { ToolArguments } from '../../tools/contract/types.ts';
import { TOOL_INFOS } from '../../tools/groups/tool-infos.ts';
import { own } from '../../tools/plan-words/own.ts';
import { plainWords } from '../../tools/util/plain-words.ts';
import type { IconName } from '../controls/icons.ts';
import type { MessageKey, Translate } from '../ports/i18n.ts';

type NamedTool = MessageKey extends infer Key ? (Key extends `tool.${infer Name}` ? Name : never) : never;

/** A tool without texts in the dictionaries, or with an unknown icon, is a compile error. */
const INFOS: readonly (ToolInfo & { readonly name: NamedTool; readonly icon: IconName })[] = TOOL_INFOS;
const TOOLS: Readonly<Record<string, (typeof INFOS)[number]>> = Object.fromEntries(INFOS.map((info) => [info.name, info]));

const GROUPS: Readonly<Record<string, MessageKey>> = {
  basic: 'group.basic',
  notebooks: 'group.notebooks',
  documents: 'group.documents',
  blocks: 'group.blocks',
  search: 'group.search',
  attributes: 'group.attributes',
  tags: 'group.tags',
  databases: 'group.databases',
  flashcards: 'group.flashcards',
  assets: 'group.assets',
  export: 'group.export',
  web: 'group.web',
  memory: 'group.memory',
  skills: 'group.skills',
  files: 'group.files',
  script: 'group.script',
  vars: 'group.vars',
  agents: 'group.agents',
  plan: 'group.plan',
};

/** "some_tool" or "someTool" of an unknown server, as words. */
function spelled(name: string): string {
  const spaced = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** A tool of a server: which it is of, and its own name. */
const OF_SERVER = /^mcp_([a-z][a-z0-9-]*)_(.+)$/i;

export function toolName(tool: string, t: Translate): string {
  const known = own(TOOLS, tool);
  if (known) return t(`tool.${known.name}`);
  const [, server, name = tool] = OF_SERVER.exec(tool) ?? [];
  return server === undefined ? spelled(name) : t('tool.ofServer', { tool: spelled(name), server });
}

export function groupName(group: string, t: Translate): string {
  const known = own(GROUPS, group);
  if (group.startsWith('mcp:')) return t('group.mcp', { name: group.slice(4) });
  if (group.startsWith('script:')) return t('group.customScript', { name: group.slice(7) });
  return known ? t(known) : spelled(group);
}

/** The meaning of its arguments is known here, and expressed in words. */
export const isKnownTool = (tool: string): boolean => own(TOOLS, tool) !== undefined;

export function toolIcon(tool: string): IconName {
  return own(TOOLS, tool)?.icon ?? 'iconMarginaliaTools';
}

/** Names of the skills that come with groups of tools, by their ids. */
const SKILLS: Readonly<Record<string, MessageKey>> = {
  'blocks/kramdown': 'skills.kramdown',
  'search/sql': 'skills.sql',
  'databases/databases': 'skills.databases',
  'flashcards/cards': 'skills.cards',
};
/** Their variables. */
const RULE = 'Rule/';

export function builtInSkill(id: string, t: Translate): string {
  const key = own(SKILLS, id);
  return key ? t(key) : id;
}

const isRule = ({ tool, args }: Pick<ToolCallView, 'tool' | 'args'>): boolean => tool === 'ReadVar' && String(args.name).startsWith(RULE);

export function skillName(call: Pick<ToolCallView, 'tool' | 'args'>, t: Translate): string {
  const name = String(call.args.name ?? '');
  return isRule(call) ? builtInSkill(name.slice(RULE.length), t) : name;
}

export function workKind({ tool, args }: Pick<ToolCallView, 'tool' | 'args'>): WorkKind {
  if (isRule({ tool, args })) return 'skill';
  const info = own(TOOLS, tool);
  return own(info?.kinds ?? {}, String(args.op ?? args.format)) ?? info?.kind ?? 'other';
}

export function argumentText(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value) ?? '';
}

/** An id means nothing to a person. */
export const ID = /^\d{14}-[0-9a-z]{7}$/;
/** Nor does a reference to a variable. */
const VARIABLE = /\$VAR_REF\{\{[^}]*\}\}/g;

/** Longer texts are not shown side by side. */
const SHORT_EDIT = 24;

/** The first of several edits: `16 → 18` if both texts are short, else what it writes. */
function firstEdit(value: unknown): string | undefined {
  const edit: unknown = Array.isArray(value) ? value[0] : undefined;
  if (typeof edit !== 'object' || edit === null || !('new' in edit)) return undefined;
  const written = argumentText(edit.new);
  const removed = 'old' in edit ? argumentText(edit.old) : '';
  const sideBySide = removed !== '' && [removed, written].every((text) => text.length <= SHORT_EDIT);
  return sideBySide ? `${removed} → ${written || '…'}` : written;
}

/** The note that a call read: from the header of its result, since the call itself often has only an id. */
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

/** The most telling argument, on one line of at most `limit` characters. */
export function argumentInShort(tool: string, args: ToolArguments, limit = 80): string {
  const says = (value: unknown): boolean =>
    value !== undefined && value !== '' && !(typeof value === 'string' && (ID.test(value) || value.replace(VARIABLE, '').trim() === ''));
  const subject = own(TOOLS, tool)?.subject?.find((name) => says(args[name]));
  // The name of a known tool already says what is done with it.
  const isOther = (name: string): boolean =>
    typeof args[name] === 'string' && name !== 'expectHash' && !(name === 'op' && isKnownTool(tool));
  const named = subject ?? Object.keys(args).find((name) => isOther(name) && says(args[name]));
  if (named === undefined) return '';
  const value = args[named];
  const whole = argumentText(firstEdit(value) ?? value);
  const titled = NOTE_PATHS.has(tool) && named === 'path' ? titleAt(whole) : whole;
  const text = named === 'url' ? shortAddress(whole) : titled;
  const line = (MARKDOWN.has(named) ? plainWords(text) : text).replace(VARIABLE, '…').replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : line;
}
