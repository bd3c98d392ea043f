import type { Limit } from '../../model/budget/budgeted-model.ts';
import type { BlockReading } from '../../tools/contract/note-readings.ts';
import { isForeign, ownBlock } from '../../tools/markdown/own-words.ts';
import { targetOf, usualPace } from './event-words.ts';
import { problemOfTimes } from './next-run.ts';
import type { Order, OrderProblem, Schedule } from './order.ts';
import { readWhen } from './schedule-words.ts';

type Setting = 'when' | 'notes' | 'project' | 'model' | 'budget' | 'tools' | 'quiet' | 'limit';

const SETTINGS: Readonly<Record<string, Setting>> = {
  ...{
    when: 'when',
    notes: 'notes',
    notebooks: 'notes',
    project: 'project',
    model: 'model',
    budget: 'budget',
    tools: 'tools',
    quiet: 'quiet',
    limit: 'limit',
  },
  ...{
    时间: 'when',
    何时: 'when',
    笔记: 'notes',
    笔记本: 'notes',
    项目: 'project',
    模型: 'model',
    预算: 'budget',
    工具: 'tools',
    静候: 'quiet',
    每日上限: 'limit',
  },
  ...{ 時間: 'when', 何時: 'when', 筆記: 'notes', 筆記本: 'notes', 專案: 'project', 預算: 'budget', 靜候: 'quiet' },
};

/** Characters of a request. */
const MAX_TEXT = 8000;

const lineOf = (markdown: string): string => markdown.replaceAll(/\s+/gu, ' ').trim();

/** A setting and its value; null for any other line. */
export function settingOf(markdown: string): { readonly name: Setting; readonly value: string } | null {
  const [, name = '', value = ''] = /^[*_\s]*([\p{L} ]{2,12})[*_\s]*[:：][*_\s]*(.*)$/su.exec(lineOf(markdown)) ?? [];
  const known = SETTINGS[name.trim().toLowerCase()];
  return known ? { name: known, value: value.trim() } : null;
}

/** Tokens or US dollars; null if it is neither. */
function readBudget(text: string): Limit | null {
  const [, dollars = ''] =
    /^(?:\$|US\$|USD) ?(\d+(?:\.\d+)?)$/iu.exec(text) ?? /^(\d+(?:\.\d+)?) ?(?:\$|dollars?|USD|美元)$/iu.exec(text) ?? [];
  if (Number(dollars) > 0) return { dollars: Number(dollars) };
  const [, count = '', unit = ''] = /^([\d,]+(?:\.\d+)?) ?(k|万|萬)? ?(?:tokens?|词元|令牌)?$/iu.exec(text) ?? [];
  const times = unit === '' ? 1 : { k: 1000, 万: 10_000, 萬: 10_000 }[unit.toLowerCase()];
  const tokens = Number(count.replaceAll(',', '')) * (times ?? 1);
  return tokens > 0 ? { tokens: Math.round(tokens) } : null;
}

const MOST_QUIET = 24 * 60;
/** As many runs of an order as are remembered. */
const MOST_A_DAY = 30;

/** Minutes; null for none. */
function readQuiet(text: string): number | null {
  const [, count = '', hours] = /^(\d{1,4}) ?(?:m|min|minutes?|分钟|分鐘|(h|hours?|小时|小時))?$/iu.exec(text) ?? [];
  const minutes = Number(count) * (hours === undefined ? 1 : 60);
  return count !== '' && minutes <= MOST_QUIET ? minutes : null;
}

/** Runs a day; null for none. */
function readLimit(text: string): number | null {
  const [, count] = /^(?:每天 ?)?(\d{1,2}) ?(?:runs?|次)?(?: ?(?:a|per) day)?$/iu.exec(text) ?? [];
  return Number(count) >= 1 && Number(count) <= MOST_A_DAY ? Number(count) : null;
}

const listOf = (text: string): readonly string[] =>
  text
    .split(/[,，、;；]/u)
    .map((part) => part.trim().replaceAll(/^[`“"']|[`”"']$/gu, ''))
    .filter((part) => part !== '');

type OrderSettings = Pick<Order, 'when' | 'schedule' | 'notebooks' | 'project' | 'model' | 'budget' | 'tools' | 'quiet' | 'limit'>;

/** What is said of events, which no other order has. */
function readPace(
  values: ReadonlyMap<Setting, string>,
  schedule: Schedule | null,
  problems: OrderProblem[],
): Pick<Order, 'quiet' | 'limit'> {
  const [quiet, limit] = [values.get('quiet'), values.get('limit')];
  const usual = usualPace(schedule);
  const pace = {
    quiet: quiet === undefined ? usual.quiet : readQuiet(quiet),
    limit: limit === undefined ? usual.limit : readLimit(limit),
  };
  if (schedule && schedule.kind !== 'event')
    problems.push(...[quiet, limit].flatMap((line): OrderProblem[] => (line === undefined ? [] : [{ code: 'bad_pace', line }])));
  if (pace.quiet === null) problems.push({ code: 'bad_quiet', line: quiet ?? '' });
  if (pace.limit === null) problems.push({ code: 'bad_limit', line: limit ?? '' });
  return { quiet: pace.quiet ?? usual.quiet, limit: pace.limit ?? usual.limit };
}

/** The list of settings of an order. */
function readSettings(list: BlockReading | undefined, now: number, timezone: string, problems: OrderProblem[]): OrderSettings {
  const values = new Map<Setting, string>();
  for (const { markdown, depth } of list?.items ?? []) {
    const setting = depth === 0 ? settingOf(markdown) : null;
    if (!setting || setting.value === '' || values.has(setting.name)) problems.push({ code: 'bad_line', line: lineOf(markdown) });
    else values.set(setting.name, setting.value);
  }
  const when = values.get('when') ?? '';
  const schedule = when === '' ? null : readWhen(when);
  const badTimes = schedule ? problemOfTimes(schedule, now, timezone) : 'bad_when';
  if (when === '') problems.push({ code: 'no_when', line: '' });
  else if (badTimes) problems.push({ code: badTimes, line: when });
  const limit = values.get('budget');
  const budget = limit === undefined ? null : readBudget(limit);
  if (limit !== undefined && !budget) problems.push({ code: 'bad_budget', line: limit });
  return {
    when,
    schedule: badTimes ? null : schedule,
    budget,
    ...readPace(values, schedule, problems),
    notebooks: listOf(values.get('notes') ?? ''),
    project: targetOf(values.get('project')),
    model: values.get('model') ?? '',
    tools: listOf(values.get('tools') ?? ''),
  };
}

export const isSettings = ({ type, items = [] }: BlockReading): boolean =>
  type === 'l' && items.some(({ markdown }) => settingOf(markdown));

function readOrder(heading: BlockReading, section: readonly BlockReading[], now: number, timezone: string): Order {
  const problems: OrderProblem[] = [];
  const list = section.find(isSettings);
  const settings = readSettings(list, now, timezone, problems);
  const rest = section.filter((block) => block !== list);
  const foreign = rest.find(isForeign);
  if (foreign) problems.push({ code: 'foreign_text', line: lineOf(foreign.markdown).slice(0, 80) });
  const text = rest
    .map(({ markdown }) => markdown.trim())
    .filter((part) => part !== '')
    .join('\n\n');
  if (text === '') problems.push({ code: 'no_text', line: '' });
  const name = lineOf(heading.markdown.replace(/^#+\s*/u, '')).slice(0, 80);
  return { id: heading.id, name, text: text.slice(0, MAX_TEXT), ...settings, problems };
}

/** The headings of the level of the first one, each with what is below it. */
export function sectionsOf(blocks: readonly BlockReading[]) {
  const level = blocks.find(({ type }) => type === 'h')?.subtype;
  const sections: { readonly heading: BlockReading; readonly section: BlockReading[] }[] = [];
  for (const block of blocks) {
    if (block.type === 'h' && block.subtype === level) sections.push({ heading: block, section: [] });
    else sections.at(-1)?.section.push(block);
  }
  return sections;
}

/**
 * The orders of a note: its sections, each with a list of settings and the request below it. What is not understood is a problem of its
 * order, which then does not run. Words of other notes are in none of it: not in a name, a setting or a request.
 */
export function readOrders(blocks: readonly BlockReading[], now: number, timezone: string): readonly Order[] {
  return sectionsOf(blocks.map(ownBlock)).map(({ heading, section }) => readOrder(heading, section, now, timezone));
}
