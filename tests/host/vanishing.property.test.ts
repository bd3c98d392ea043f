import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idsIn } from '../../src/host/blocks/emptied-container.ts';
import { ToolError } from '../../src/tools/contract/errors.ts';
import { approvePlan, type ChangePlan } from '../../src/tools/contract/plans.ts';
import { freshNode, looks } from './block-support.ts';
import { codeOf, origin, signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
let counter = 0;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());

const word = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const items = fc.array(word, { minLength: 1, maxLength: 5 });
const blockText = fc.oneof(
  word,
  word.map((text) => `# ${text}`),
  items.map((texts) => texts.map((text) => `- ${text}`).join('\n')),
  items.map((texts) => texts.map((text, index) => `${'  '.repeat(index % 2)}- ${text}`).join('\n')),
  items.map((texts) => texts.map((text) => `> ${text}`).join('\n>\n')),
  word.map((text) => `| ${text} | x |\n| --- | --- |\n| y | z |`),
);
const text = fc.array(blockText, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('\n\n'));
const program = fc.record({
  text,
  tool: fc.constantFrom('edit', 'rewrite', 'move', 'delete', 'insert', 'attributes'),
  given: text,
  picks: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
  target: fc.nat(),
  after: fc.boolean(),
});
type Program = typeof program extends fc.Arbitrary<infer Value> ? Value : never;

/** Ids of every block of a document but its own. */
const blocksOf = async (document: string): Promise<string[]> => {
  const doms = await Promise.all((await bench.blocks(document)).map((id) => bench.dom(id)));
  return doms.flatMap(idsIn);
};

async function planOf(document: string, { text: old, tool, given, picks, target, after }: Program): Promise<ChangePlan> {
  const ids = await blocksOf(document);
  const pick = (index: number): string => ids[index % ids.length] ?? '';
  const chosen = [...new Set(picks.map(pick))];
  const { notes } = bench.host;
  switch (tool) {
    case 'edit': {
      const [id = ''] = chosen;
      const { blocks } = await notes.blocks({ id, range: 'self', limit: 1 }, signal);
      return notes.planEdit({ id, expectHash: blocks[0]?.hash ?? '', markdown: given }, 'edit_block', signal);
    }
    case 'rewrite':
      return notes.planRewrite({ id: document, markdown: after ? `${old}\n\n${given}` : given }, 'rewrite_doc', signal);
    case 'move':
      return notes.planMoveBlocks(
        { ids: chosen, target: after ? { after: pick(target) } : { parent: pick(target) } },
        'move_blocks',
        signal,
      );
    case 'delete':
      return notes.planDeleteBlocks({ ids: chosen }, 'delete_blocks', signal);
    case 'insert':
      return notes.planInsert({ anchor: pick(target), position: after ? 'after' : 'before', markdown: given }, 'insert_blocks', signal);
    case 'attributes':
      return notes.planAttributes({ ids: chosen, attrs: { memo: given } }, 'attributes', signal);
  }
}

describe('the right that a plan takes', () => {
  it('is that to delete if and only if a block vanishes by it, whatever the tool', { timeout: 240_000 }, async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(program, async (each) => {
        counter += 1;
        bench.policy.setRight(bench.notebook, 'write');
        const document = await bench.document(`/Vanishing ${counter}`, each.text);
        const before = await blocksOf(document);
        const plan = await planOf(document, each).catch((error: unknown) => {
          if (error instanceof ToolError) return null;
          throw error;
        });
        if (plan === null) return;
        const from = { ...origin, nodeId: freshNode() };
        if (plan.needsRight === 'delete') {
          const stood = await looks(bench, [document]);
          expect(await codeOf(bench.host.notes.apply(approvePlan(plan), from, signal))).toBe('no_right');
          expect(await looks(bench, [document])).toEqual(stood);
          bench.policy.setRight(bench.notebook, 'delete');
          await bench.host.notes.apply(approvePlan(await planOf(document, each)), from, signal);
        } else await bench.host.notes.apply(approvePlan(plan), from, signal);
        const left = new Set(await blocksOf(document));
        expect(before.some((id) => !left.has(id))).toBe(plan.needsRight === 'delete');
        const key = `${each.tool} ${plan.needsRight ?? 'write'}`;
        seen.set(key, (seen.get(key) ?? 0) + 1);
      }),
      { numRuns: 120, seed: 1, endOnFailure: true },
    );
    for (const key of ['edit write', 'edit delete', 'rewrite write', 'rewrite delete', 'move write', 'move delete', 'delete delete'])
      expect([key, seen.get(key) ?? 0]).not.toEqual([key, 0]);
  });
});
