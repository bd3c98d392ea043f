import { expect } from 'vitest';
import type { ChangePlan } from '../../src/tools/contract/plans.ts';
import type { WriteReport } from '../../src/tools/contract/ports.ts';
import { origin, signal, steady, type TestBench } from './support.ts';

let counter = 0;
/** A message of its own for each write, so that it is undone alone. */
export const freshNode = (): string => {
  counter += 1;
  // A real kernel keeps the journals of other runs.
  return `blocks-${process.pid}-${Date.now().toString(36)}-${counter}`;
};

/** What must be the same again after an undo. */
export const looks = async (bench: TestBench, documents: readonly string[]): Promise<string[]> =>
  Promise.all(documents.map(async (id) => steady(await bench.dom(id))));

/**
 * Applies, undoes, writes again and undoes once more, each after a restart, and expects every document to be as it was then.
 * Returns the Markdown that stood between.
 */
export async function thereAndBack(bench: TestBench, plan: ChangePlan, documents: readonly string[]): Promise<string[][]> {
  const before = await looks(bench, documents);
  const nodeId = freshNode();
  await bench.apply(plan, undefined, { ...origin, nodeId });
  const between = await Promise.all(documents.map((id) => bench.markdown(id)));
  const written = await looks(bench, documents);
  for (const [name, looking] of [
    ['undo', before],
    ['redo', written],
    ['undo', before],
  ] as const) {
    const report = await bench.reopen().history[name](origin.sessionId, nodeId, signal);
    expect(report.conflicts, name).toEqual([]);
    expect(await looks(bench, documents), name).toEqual(looking);
  }
  return between;
}

export const applyAs = (bench: TestBench, plan: ChangePlan, nodeId: string, accepted?: readonly string[]): Promise<WriteReport> =>
  bench.apply(plan, accepted, { ...origin, nodeId });

export const paragraph = (id: string, text: string): string =>
  `<div data-node-id="${id}" data-type="NodeParagraph" class="p"><div contenteditable="true" spellcheck="false">${text}</div><div class="protyle-attr" contenteditable="false">\u200b</div></div>`;
