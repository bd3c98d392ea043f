import type { ParsedToolRequest } from '../../../protocol/contract.ts';
import { PROTOCOLS } from '../../../protocol/protocols.ts';
import type { ToolChainEvent } from '../../../tools/contract/events.ts';
import { estimateTokens } from '../../../tools/util/estimate-tokens.ts';
import { statusIcon, statusName } from '../../../ui/labels/status-labels.ts';
import { groupName, toolName } from '../../../ui/labels/tool-labels.ts';
import type { MessageKey, Translate } from '../../../ui/ports/i18n.ts';
import type { ToolGroupSetting, ToolSetting } from '../../../ui/ports/settings-port.ts';
import type { TesterRun, ToolTester } from '../tool-tester.ts';

export const ORDERS = ['group', 'name', 'size'] as const;
export type Order = (typeof ORDERS)[number];

/** Tools under a heading; without one where they are in no groups. */
interface FoundGroup {
  readonly group?: ToolGroupSetting;
  readonly label: string;
  readonly tools: readonly { readonly groupEnabled: boolean; readonly tool: ToolSetting; readonly label: string }[];
}

interface Looking {
  readonly words: string;
  readonly order: Order;
  readonly tester: Pick<ToolTester, 'describe'>;
  readonly t: Translate;
}

/** The tools in whose name, group, description or arguments all of the words are. */
export function findTools(groups: readonly ToolGroupSetting[], { words, order, tester, t }: Looking): readonly FoundGroup[] {
  const wanted = words.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const found = groups.map((group) => {
    const label = groupName(group.group, t);
    const tools = group.tools.flatMap((tool) => {
      const name = toolName(tool.name, t);
      const { description = '', parameters = {} } = tester.describe(tool.name)?.definition.function ?? {};
      const text = [tool.name, name, group.group, label, description, JSON.stringify(parameters)].join('\n').toLocaleLowerCase();
      return wanted.every((word) => text.includes(word)) ? [{ groupEnabled: group.enabled, tool, label: name }] : [];
    });
    return { group, label, tools };
  });
  const left = found.filter(({ tools }) => tools.length > 0);
  const byLabel = (one: { label: string }, other: { label: string }): number => one.label.localeCompare(other.label, t('language.tag'));
  if (order === 'group') return left.sort(byLabel);
  if (order === 'size') return left.sort((one, other) => other.group.tools.length - one.group.tools.length || byLabel(one, other));
  return left.length === 0 ? [] : [{ label: '', tools: left.flatMap(({ tools }) => tools).sort(byLabel) }];
}

export function runLabel({ status, result }: TesterRun, t: Translate) {
  if (status === 'planned') return { words: t('tester.planned'), icon: 'iconMarginaliaSeen', tone: undefined } as const;
  const failed = result ? 'bad' : undefined;
  return { words: statusName(status, t), icon: statusIcon(status), tone: status === 'success' ? 'good' : failed };
}

/** One line of the log: an event, or streamed pieces that came one after another. */
export interface LoggedEvent {
  readonly number: number;
  readonly type: ToolChainEvent['type'];
  readonly time: number;
  readonly callId: string;
  readonly tool: string;
  readonly isInner: boolean;
  readonly count: number;
  /** The event as JSON, or the streamed text; cut. */
  readonly details: string;
}

export const KINDS = ['all', 'turns', 'text', 'calls', 'approvals', 'errors'] as const;
export type EventKind = (typeof KINDS)[number];

export const MAX_LINES = 500;
const MAX_DETAILS = 4000;

/** The log with one more event; the oldest lines go. Pieces of one stream are one line. */
export function withEvent(log: readonly LoggedEvent[], event: ToolChainEvent): readonly LoggedEvent[] {
  const last = log.at(-1);
  const { type, time } = event;
  const isInner = event.parentCallId !== undefined;
  const callId = 'callId' in event && typeof event.callId === 'string' ? event.callId : '';
  const ownTool = 'tool' in event && typeof event.tool === 'string' ? event.tool : '';
  const text = type === 'text-delta' || type === 'reasoning-delta' ? event.text : undefined;
  const cut = (whole: string): string => (whole.length > MAX_DETAILS ? `${whole.slice(0, MAX_DETAILS)}…` : whole);
  const isPiece = text !== undefined || type === 'tool-writing';
  if (last && isPiece && last.type === type && last.isInner === isInner && last.callId === callId) {
    const details = cut(text === undefined ? JSON.stringify(event, null, 2) : last.details + text);
    return [...log.slice(0, -1), { ...last, tool: ownTool, count: last.count + 1, details }];
  }
  // The end of a call says only which call it was.
  const tool = ownTool || (callId && log.findLast((line) => line.callId === callId && line.tool !== '')?.tool) || '';
  const details = cut(text ?? JSON.stringify(event, null, 2));
  return [...log.slice(1 - MAX_LINES), { number: (last?.number ?? 0) + 1, type, time, callId, isInner, count: 1, tool, details }];
}

function kindOf(type: ToolChainEvent['type']): EventKind {
  if (type === 'error' || type === 'retry') return 'errors';
  if (type.startsWith('text') || type.startsWith('reasoning')) return 'text';
  if (type.startsWith('approval')) return 'approvals';
  return type.startsWith('tool') || type === 'write' ? 'calls' : 'turns';
}

/** Failed calls are errors as well. */
export function filterEvents(log: readonly LoggedEvent[], kind: EventKind, words: string): readonly LoggedEvent[] {
  const wanted = words.trim().toLocaleLowerCase();
  return log.filter(({ type, tool, callId, details }) => {
    const hasFailed = kind === 'errors' && type === 'tool-end' && !details.includes('"status": "success"');
    const fits = kind === 'all' || kindOf(type) === kind || hasFailed;
    return fits && `${type} ${tool} ${callId} ${details}`.toLocaleLowerCase().includes(wanted);
  });
}

export function eventTime(time: number): string {
  const date = new Date(time);
  return new Date(time - date.getTimezoneOffset() * 60_000).toISOString().slice(11, 23);
}

export const eventsText = (lines: readonly LoggedEvent[]): string =>
  lines
    .map(({ time, type, tool, callId, count, details }) =>
      [eventTime(time), type, tool, callId, count > 1 ? `×${count}` : '', details].filter(Boolean).join(' '),
    )
    .join('\n');

/** The system prompt with the rules of the tools set apart; in one piece where they are not found in it. */
export function systemParts(system: string, rules: string): readonly { key: MessageKey; text: string; tokens: number }[] {
  const wanted = rules.trim();
  const at = wanted === '' ? -1 : system.indexOf(wanted);
  const end = at + wanted.length;
  const parts: readonly (readonly [MessageKey, string])[] =
    at < 0
      ? [['tester.prompt.system', system]]
      : [
          ['tester.prompt.system', system.slice(0, at).trim()],
          ['tester.prompt.rules', wanted],
          ['tester.prompt.rest', system.slice(end).trim()],
        ];
  return parts.flatMap(([key, text]) => (text === '' ? [] : [{ key, text, tokens: estimateTokens(text) }]));
}

/** How definitions are sent: `native`, or the id of a protocol. */
export const FORMS = ['native', ...PROTOCOLS.map(({ id }) => id)];

/** Native definitions are counted as they are sent, without the indentation that they are shown with. */
export function definitionsIn(form: string, { definitions, described }: ReturnType<ToolTester['instructions']>) {
  const protocol = PROTOCOLS.find(({ id }) => id === form);
  const native = definitions.length === 0 ? '' : JSON.stringify(definitions, null, 2);
  const text = protocol ? protocol.generateToolDefinitions(described) : native;
  return { text, tokens: estimateTokens(protocol ? text : definitions.map((each) => JSON.stringify(each)).join('\n')) };
}

/** A piece of a text; the pieces of a text one after another are the text. */
export interface SourcePiece {
  readonly kind: 'text' | 'marker' | 'name' | 'key' | 'value';
  readonly text: string;
}

/** The parser gives the places of values; the names of the tool and its arguments are found before them. */
function marksOf(text: string, { span, argumentSpans, toolName: name }: ParsedToolRequest) {
  const values = Object.entries(argumentSpans)
    .map(([key, value]) => ({ key, ...value }))
    .filter(({ start, end }) => start >= span.start && end <= span.end && start <= end)
    .sort((one, other) => one.start - other.start);
  const marks: { readonly kind: SourcePiece['kind']; readonly start: number; readonly end: number }[] = [];
  let from = span.start;
  for (const { key, start, end } of values) {
    if (start < from) continue;
    const at = text.lastIndexOf(key, start - key.length);
    if (key !== '' && at >= from) marks.push({ kind: 'key', start: at, end: at + key.length });
    marks.push({ kind: 'value', start, end });
    from = end;
  }
  for (let at = text.indexOf(name, span.start); name && at >= 0 && at + name.length <= span.end; at = text.indexOf(name, at + 1)) {
    const end = at + name.length;
    if (marks.some((mark) => mark.end > at && mark.start < end)) continue;
    marks.push({ kind: 'name', start: at, end });
    break;
  }
  return marks.sort((one, other) => one.start - other.start);
}

/** The text with what the parser found in it: of a request everything that is no name, key or value is its markers. */
export function sourcePieces(text: string, requests: readonly ParsedToolRequest[]): readonly SourcePiece[] {
  const pieces: SourcePiece[] = [];
  let from = 0;
  const add = (kind: SourcePiece['kind'], end: number): void => {
    if (end > from) pieces.push({ kind, text: text.slice(from, end) });
    from = Math.max(from, end);
  };
  for (const request of requests.toSorted((one, other) => one.span.start - other.span.start)) {
    if (request.span.start < from) continue;
    add('text', request.span.start);
    for (const { kind, start, end } of marksOf(text, request)) {
      add('marker', start);
      add(kind, end);
    }
    add('marker', request.span.end);
  }
  add('text', text.length);
  return pieces;
}
