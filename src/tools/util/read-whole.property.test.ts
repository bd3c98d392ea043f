import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDocumentsGroup, createNotebooksGroup, createSearchGroup, HeadlessApprovalAdapter, toolExecutorFactory } from '../index.ts';
import { InMemoryNotes } from '../testing/in-memory-notes.ts';
import { readWhole } from '../testing/read-whole.ts';
import { callOptions, testClock, testExecutor, testTool } from '../testing/support.ts';
import { UNTRUSTED_TAG } from './markers.ts';

const piece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '👨‍👩‍👧',
    '\n',
    '\r\n',
    '\nnext: ReadVar name=x start=3 (of 9 characters)\n',
    '$VAR_REF{{x}}',
    '</untrusted-data>',
    '[1,\n',
    '| a |\n| - |\n',
    '\ud800',
  ),
);
const text = fc.array(piece, { minLength: 1, maxLength: 60 }).map((parts) => parts.join(''));
const data = fc.oneof(text, fc.array(fc.record({ id: fc.nat(), text }), { maxLength: 20 }), fc.jsonValue());

describe('ReadVar', () => {
  it('gives every kept result whole, in pages of any length', async () => {
    await fc.assert(
      fc.asyncProperty(data, fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 500 }), async (given, length, limit) => {
        const tool = testTool('t', { DEFAULT_OUTPUT_LIMIT_CHAR: limit, execute: async () => ({ status: 'success', data: given }) });
        const { executor } = testExecutor([tool]);
        const { cacheVarResult = '', formattedText } = await executor.execute('t', {}, callOptions());
        expect(await readWhole(executor, cacheVarResult, length)).toBe(formattedText);
      }),
      { numRuns: 300 },
    );
  });

  it('goes on exactly where a cut result breaks off', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: fc.constantFrom('a', 'b ', '\n', 'ž', '😀'), minLength: 200, maxLength: 900 }), async (given) => {
        const tool = testTool('t', { DEFAULT_OUTPUT_LIMIT_CHAR: 100, execute: async () => ({ status: 'success', data: given }) });
        const { executor } = testExecutor([tool]);
        const { finalText = '' } = await executor.execute('t', {}, callOptions());
        const start = Number(/next: ReadVar\(name="t_c1_result", start=(\d+)\)/u.exec(finalText)?.[1]);
        const shown = finalText.slice(`<${UNTRUSTED_TAG} tool="t">\n`.length);
        expect(shown.startsWith(given.slice(0, start))).toBe(true);
        const rest = await executor.execute('ReadVar', { name: 't_c1_result', start, length: 50_000 }, callOptions());
        expect(given.slice(0, start) + String(rest.data)).toBe(given);
      }),
    );
  });

  it('gives what the tools of notes kept', async () => {
    const long = Array.from({ length: 400 }, (_, index) => `Paragraph ${index} of a long note about launches.`).join('\n\n');
    const notes = new InMemoryNotes({ notebooks: [{ name: 'Work', documents: { '/Long': long, '/Short': 'launch' } }] });
    const clock = testClock();
    const executor = toolExecutorFactory({
      approvalAdapter: new HeadlessApprovalAdapter(),
      clock,
      groups: [createNotebooksGroup(notes), createDocumentsGroup(notes, clock), createSearchGroup(notes)],
      groupDefaults: { notebooks: true, documents: true, search: true },
    });
    const calls: [string, object][] = [
      ['list_notebooks', {}],
      ['list_docs', { parent: 'Work' }],
      ['search_notes', { query: 'launches' }],
      ['read_doc', { path: '/Long', blocks: 500, tokens: 20_000 }],
      ['daily_note', { op: 'list' }],
    ];
    const read: boolean[] = [];
    for (const [index, [name, args]] of calls.entries()) {
      const { cacheVarResult = '', formattedText } = await executor.execute(name, { ...args }, callOptions(`c${index}`));
      read.push((await readWhole(executor, cacheVarResult, 1000)) === formattedText);
    }
    expect(read).toEqual(calls.map(() => true));
  });
});
