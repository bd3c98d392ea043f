import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type QuestionSet, setsIn } from '../../bench/finding/questions.ts';
import type { EvalOptions } from '../part.ts';
import { setFolder } from '../sets.ts';

export interface RecallSet extends QuestionSet {
  readonly version: string;
  /** Least shares of questions with the right note first, and among ten; of those `byBlocks` the right block first, and among five. */
  readonly wanted?: readonly [first: number, among: number];
  readonly byBlocks?: true;
}

const QUESTIONS = 150;
const KNOWN: Readonly<Record<string, Omit<RecallSet, keyof QuestionSet>>> = {
  cranfield: { version: 'ir.dcs.gla.ac.uk, corrected judgements', wanted: [0.38, 0.88] },
  locomo: { version: '10 conversations', wanted: [0.74, 0.96] },
  'finding-en': { version: 'XQuAD 1.0, English', wanted: [0.93, 0.98], byBlocks: true },
  'finding-zh': { version: 'XQuAD 1.0, Chinese', wanted: [0.93, 0.98], byBlocks: true },
};

interface BankingTask {
  readonly user_scenario: { readonly instructions: string };
  readonly required_documents?: readonly string[];
}

const all = <T>(folder: string): T[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as T);

/** What a customer comes with: the instructions of who plays them, without the sentence that says so. */
const askedIn = (instructions: string): string => instructions.split('.').slice(1).join('.').replaceAll(/\s+/g, ' ').trim().slice(0, 400);

function banking(folder: string): RecallSet {
  const documents = all<{ id: string; title: string; content: string }>(join(folder, 'documents'));
  const titles = new Map(documents.map(({ id, title }) => [id, `${title.replaceAll('/', ' ')} ${id.slice(-24)}`]));
  const tasks = all<BankingTask>(join(folder, 'tasks')).filter(({ required_documents: needed = [] }) => needed.length > 0);
  return {
    ...{ name: 'tau2-bench banking_knowledge', version: 'a2c0247' },
    notes: documents.map(({ id, content }) => ({ title: titles.get(id) ?? id, paragraphs: content.split(/\n\n+/) })),
    questions: tasks.map(({ user_scenario: { instructions }, required_documents: needed = [] }) => {
      const evidence = needed.map((id) => titles.get(id) ?? id);
      return { question: askedIn(instructions), note: evidence[0] ?? '', evidence };
    }),
  };
}

/** Of each set at most so many questions, evenly. */
export function recallSets(options: EvalOptions): readonly RecallSet[] {
  if (!options.full) return setsIn(join(import.meta.dirname, 'sample')).map((set) => ({ ...set, version: 'ours', wanted: [0.8, 1] }));
  const how = 'see the table in eval/README.md';
  const known = setsIn(setFolder(options, 'recall', how)).map((set) => ({ ...set, ...(KNOWN[set.name] ?? { version: 'unknown' }) }));
  return [...known, banking(setFolder(options, 'tau2', how))];
}

export function someOf<T>(questions: readonly T[]): readonly T[] {
  const step = Math.max(1, questions.length / QUESTIONS);
  return Array.from({ length: Math.min(QUESTIONS, questions.length) }, (_, index) => questions[Math.floor(index * step)]).filter(
    (each) => each !== undefined,
  );
}
