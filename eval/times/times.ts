// What the reader of schedules makes of phrases whose meaning a public set knows, and what a tool makes of them as a day.
import { nextRuns, problemOfTimes } from '../../src/features/orders/next-run.ts';
import type { Schedule } from '../../src/features/orders/order.ts';
import { readWhen } from '../../src/features/orders/schedule-words.ts';
import { createBasicGroup, HeadlessApprovalAdapter, toolExecutorFactory, VariableSystem } from '../../src/tools/index.ts';
import type { EvalOptions, EvalPart, EvalRow } from '../part.ts';
import { type OpenSet, openSet } from '../sets.ts';
import { chronoMoments, ducklingMoments, type Moment, type Recurrence, recognizersMoments, recognizersSets, rruleTexts } from './cases.ts';
import { breaks } from './rule.ts';

/** A Wednesday. */
const FROM = Date.parse('2026-11-04T00:30:00Z');
const RUNS = 60;
const DAY = 86_400_000;

interface Outcomes {
  understood: number;
  readonly refused: string[];
  readonly misread: string[];
}

const outcomes = (): Outcomes => ({ understood: 0, refused: [], misread: [] });

/** As the line of an order is read. */
function scheduleOf(phrase: string): Schedule | null {
  const schedule = readWhen(phrase);
  return schedule && problemOfTimes(schedule, FROM, 'UTC') === null ? schedule : null;
}

function tryRecurrences(cases: readonly Recurrence[]): Outcomes {
  const all = outcomes();
  for (const { phrase, rule } of cases) {
    const schedule = scheduleOf(phrase);
    if (!schedule) {
      all.refused.push(phrase);
      continue;
    }
    const runs = nextRuns(schedule, FROM, RUNS, 'UTC');
    const wrong = rule === null ? 'it ends' : rule === undefined ? null : breaks(runs, rule);
    if (wrong === null) all.understood++;
    else all.misread.push(`${phrase}: ${wrong}`);
  }
  return all;
}

/** Whether a moment is one that the schedule runs at, which a phrase without “every” may mean as well. */
const includes = (schedule: Schedule, { spans }: Moment): boolean =>
  spans.some(([start, end]) => nextRuns(schedule, start - 1, 1, 'UTC').some((run) => run < end));

function tryMoments(cases: readonly (readonly Moment[])[]): Outcomes {
  const all = outcomes();
  for (const phrases of cases) {
    const read = phrases.flatMap((moment) => {
      const schedule = scheduleOf(moment.phrase);
      return schedule ? [{ moment, schedule }] : [];
    });
    const wrong = read.filter(({ moment, schedule }) => schedule.kind === 'tag' || !includes(schedule, moment));
    if (wrong.length > 0) all.misread.push(...wrong.map(({ moment }) => moment.phrase));
    else if (read.length > 0) all.understood++;
    else all.refused.push(phrases[0]?.phrase ?? '');
  }
  return all;
}

/** Given to the tool `datetime` as its day: taken as another, or refused without saying what to give. */
async function tryDays(moments: readonly Moment[]): Promise<Outcomes> {
  const all = outcomes();
  for (const { phrase, from, spans } of moments) {
    const clock = { now: () => from, today: () => new Date(from).toISOString().slice(0, 10) };
    const group = createBasicGroup({ clock, timeZone: 'UTC', variables: new VariableSystem({ clock }) });
    const approvalAdapter = new HeadlessApprovalAdapter(() => ({ approved: false }));
    const tools = toolExecutorFactory({ approvalAdapter, clock, groups: [group], groupDefaults: { basic: true } });
    const options = { callId: 'c1', sessionId: 'eval', nodeId: 'n1', signal: new AbortController().signal };
    const { status, finalText = '' } = await tools.execute('datetime', { date: phrase }, options);
    if (status !== 'success') {
      if (/^bad_(?:date|arguments): .* → /su.test(finalText)) all.refused.push(phrase);
      else all.misread.push(`${phrase}: ${finalText.slice(0, 80)}`);
      continue;
    }
    const day = Date.parse(finalText.slice(0, 10));
    if (spans.some(([start, end]) => day < end && day + DAY > start)) all.understood++;
    else all.misread.push(`${phrase}: ${finalText.slice(0, 40)}`);
  }
  return all;
}

interface Described {
  readonly set: string;
  readonly version: string;
  readonly measured: string;
  /** How many are to be understood; the others are to be refused. */
  readonly least?: number;
}

function rowOf({ set, version, measured, least }: Described, { understood, refused, misread }: Outcomes): EvalRow {
  const shown = least === undefined ? [] : refused.map((phrase) => `refused: ${phrase}`);
  return {
    ...{ set, version, measured, cases: understood + refused.length + misread.length },
    ours: `${understood} understood, ${refused.length} refused, ${misread.length} misread`,
    wanted: `${least === undefined ? '' : `at least ${least} understood, `}0 misread`,
    holds: misread.length === 0 && understood >= (least ?? 0),
    failed: [...misread.map((phrase) => `misread: ${phrase}`), ...shown],
  };
}

async function run(options: EvalOptions): Promise<readonly EvalRow[]> {
  const open = (name: string, repository: string): OpenSet => openSet(options, 'times', name, repository);
  const recognizers = open('recognizers-text', 'microsoft/Recognizers-Text');
  const duckling = open('duckling', 'facebook/duckling');
  const chrono = open('chrono', 'wanasit/chrono');
  const rrule = open('rrule', 'jkbrzt/rrule');
  const english = recognizersMoments(recognizers.folder, 'English');
  const rows: EvalRow[] = [];
  const recurrences = (set: string, { version }: OpenSet, cases: readonly Recurrence[], least: number, short = least): void => {
    rows.push(rowOf({ set, version, measured: 'recurrences', least: options.full ? least : short }, tryRecurrences(cases)));
  };
  const moments = (set: string, { version }: OpenSet, cases: readonly (readonly Moment[])[]): void => {
    rows.push(rowOf({ set, version, measured: 'moments and spans, read as a recurrence' }, tryMoments(cases)));
  };
  recurrences('Recognizers-Text, English', recognizers, recognizersSets(recognizers.folder, 'English'), 60, 33);
  recurrences('Recognizers-Text, Chinese', recognizers, recognizersSets(recognizers.folder, 'Chinese'), 8);
  recurrences('rrule.js', rrule, rruleTexts(rrule.folder), 20);
  moments('Recognizers-Text, English', recognizers, english);
  moments('Recognizers-Text, Chinese', recognizers, recognizersMoments(recognizers.folder, 'Chinese'));
  for (const [language, folder] of [['English', 'EN'] as const, ['Chinese', 'ZH'] as const])
    moments(`Duckling, ${language}`, duckling, ducklingMoments(duckling.folder, folder));
  for (const [language, folder] of [['English', 'en'] as const, ['Chinese', 'zh'] as const])
    moments(`chrono, ${language}`, chrono, chronoMoments(chrono.folder, folder));
  const days = await tryDays(english.flat());
  rows.push(rowOf({ set: 'Recognizers-Text, English', version: recognizers.version, measured: 'moments as the day of a tool' }, days));
  return rows;
}

export const part: EvalPart = { name: 'times', title: 'Times and schedules: a phrase is understood as its set says, or refused', run };
