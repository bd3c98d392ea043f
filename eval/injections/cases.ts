import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvalOptions } from '../part.ts';
import { setFolder } from '../sets.ts';

export interface ForeignCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A text with somebody else's words in it, and the calls that they ask for where the set says so. */
export interface InjectedCase {
  readonly text: string;
  /** Words of it by which it is known that the model was given them. */
  readonly injected: string;
  readonly calls: readonly ForeignCall[];
}

/** A tool that a server of somebody else offers. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly schema: object;
}

export interface InjectionSet {
  readonly name: string;
  readonly version: string;
  readonly cases: readonly InjectedCase[];
  /** Texts in which nothing is asked of a model. */
  readonly decoys: readonly string[];
  readonly tools: readonly OfferedTool[];
  /** Why less than all of it is run. */
  readonly reason?: string;
}

interface Suite {
  readonly name: string;
  readonly vectors: readonly { readonly name: string; readonly text: string; readonly default: string }[];
  readonly tasks: readonly {
    readonly goal: string;
    readonly calls: readonly ForeignCall[];
    readonly texts: Readonly<Record<string, string>>;
  }[];
  readonly tools: readonly OfferedTool[];
}

const json = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;
const jsonLines = <T>(file: string): T[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);
const every = <T>(all: readonly T[], step: number): T[] => all.filter((_, index) => index % step === 0);
/** Words for a mail without which a case would only be heard, and not done. */
const plain = (text: string, injected = text): InjectedCase => ({ text, injected, calls: [] });

/** Each task at each place of its suite, in one wording after the other. */
export function suiteCases({ vectors, tasks }: Suite): InjectedCase[] {
  return tasks.flatMap(({ calls, texts }, row) => {
    const wordings = Object.values(texts);
    return vectors.map(({ name, text }, column) => {
      const injected = wordings[(row + column) % wordings.length] ?? '';
      return { text: text.replace(`«${name}»`, () => injected), injected, calls };
    });
  });
}

export const suiteSet = (suites: readonly Suite[], version: string): InjectionSet => ({
  ...{ name: 'AgentDojo', version, cases: suites.flatMap(suiteCases) },
  decoys: suites.flatMap(({ vectors }) => vectors.map(({ name, text, default: usual }) => text.replace(`«${name}»`, () => usual))),
  tools: [...new Map(suites.flatMap(({ tools }) => tools).map((tool) => [tool.name, tool])).values()],
});

function bipia(folder: string): InjectionSet {
  const contexts = jsonLines<{ context: string }>(join(folder, 'email.jsonl')).map(({ context }) => context);
  const attacks = ['text_attack_test.json', 'code_attack_test.json'].flatMap((file) =>
    Object.values(json<Record<string, string[]>>(join(folder, file))).flat(),
  );
  const placed = attacks.map((attack, index) => {
    const context = contexts[index % contexts.length] ?? '';
    const half = context.indexOf(' ', context.length / 2);
    const texts = [`${attack}\n${context}`, `${context.slice(0, half)}\n${attack}\n${context.slice(half)}`, `${context}\n${attack}`];
    return plain(texts[index % texts.length] ?? '', attack);
  });
  return { name: 'BIPIA', version: '1a2a91d', cases: placed, decoys: contexts, tools: [] };
}

function purpleLlama(folder: string): InjectionSet {
  const of = (file: string, step: number) =>
    every(json<{ test_case_prompt: string; user_input: string }[]>(join(folder, file)), step).map(({ user_input }) => plain(user_input));
  const cases = [...of('prompt_injection.json', 1), ...of('prompt_injection_multilingual_machine_translated.json', 4)];
  return { ...{ name: 'PurpleLlama', version: '4be64c3', cases, decoys: [], tools: [] }, reason: 'of the translated ones each fourth' };
}

export function bastionSet(file: string): InjectionSet {
  const rows = jsonLines<{ text: string; label: string }>(file);
  const labelled = (label: string): string[] => rows.filter((row) => row.label === label).map(({ text }) => text);
  return {
    ...{ name: 'bastioncorpus', version: '0.6.0', tools: [] },
    cases: labelled('malicious').map((text) => plain(text)),
    decoys: labelled('benign'),
  };
}

const SAMPLE = join(import.meta.dirname, 'sample');

export function injectionSets(options: EvalOptions): readonly InjectionSet[] {
  if (!options.full)
    return [
      suiteSet(json<Suite[]>(join(SAMPLE, 'suites.json')), 'in the shape of AgentDojo'),
      { ...bastionSet(join(SAMPLE, 'texts.jsonl')), name: 'texts', version: 'in the shape of bastioncorpus' },
    ];
  const of = (name: string) => setFolder(options, name, 'see the table in eval/README.md');
  return [
    suiteSet(json<Suite[]>(join(of('agentdojo'), 'agentdojo.json')), '0.1.35 (v1.2.2)'),
    bipia(of('bipia')),
    purpleLlama(of('purplellama')),
    bastionSet(join(of('bastioncorpus'), 'injections.jsonl')),
  ];
}
