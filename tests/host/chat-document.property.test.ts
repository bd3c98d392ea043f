import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProjectedMessage } from '../../src/chat/ports/chat-document.ts';
import { CHAT_ATTRIBUTES } from '../../src/host/chat-document/attributes.ts';
import { noteLabels as labels, signal, startBench, steady, type TestBench } from './support.ts';

let bench: TestBench;
beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'write');
});
afterAll(() => bench.close());

const message = (index: number): ProjectedMessage => ({
  nodeId: `n${index}`,
  parentId: index === 0 ? null : `n${index - 1}`,
  role: index % 2 ? 'assistant' : 'user',
  markdown: `Message ${index} with *words*.\n\n- one\n- two`,
  message: { content: `raw ${index}` },
});
const freshId = (): string => `20260101000000-${Math.random().toString(36).slice(2, 9).padEnd(7, '0')}`;

/** What a person does in the document between two turns. */
const edit = fc.record({ kind: fc.constantFrom('write', 'delete', 'add', 'copy', 'move'), pick: fc.nat() });

async function apply(documentId: string, { kind, pick }: { kind: string; pick: number }): Promise<void> {
  const ids = await bench.blocks(documentId);
  const id = ids[pick % Math.max(1, ids.length)];
  if (id === undefined) return;
  if (kind === 'delete') await bench.transact([{ action: 'delete', id }]);
  else if (kind === 'add') await bench.transact([{ action: 'insert', id: freshId(), data: paragraph('My own words.'), previousID: id }]);
  else if (kind === 'move') await bench.transact([{ action: 'move', id, previousID: ids[(pick + 1) % ids.length] }]);
  else {
    const dom = await bench.dom(id);
    if (kind === 'write') await bench.transact([{ action: 'update', id, data: dom.replace('words', 'other words') }]);
    else {
      const copy = dom.replaceAll(/data-node-id="[^"]*"/g, () => `data-node-id="${freshId()}"`);
      await bench.transact([{ action: 'insert', id: /data-node-id="([^"]*)"/.exec(copy)?.[1], data: copy, previousID: id }]);
    }
  }
}
const paragraph = (text: string): string =>
  `<div data-node-id="${freshId()}" data-type="NodeParagraph" class="p"><div contenteditable="true" spellcheck="false">${text}</div></div>`;

const state = async (documentId: string) =>
  Promise.all((await bench.blocks(documentId)).map(async (id) => [id, steady(await bench.dom(id))] as const));
const nodeIn = (dom: string): string | undefined => new RegExp(`${CHAT_ATTRIBUTES.node}="([^"]*)"`).exec(dom)?.[1];

describe('a chat kept in a document that its user edits', () => {
  it('property: a save leaves every block as the user left it, and appends what follows the last message that stands', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(edit, { maxLength: 3 }), { minLength: 1, maxLength: 3 }), async (turns) => {
        const sessionId = `p${++run}`;
        const save = (target: { documentId: string } | { notebook: string; path: string }, count: number) =>
          bench.host.chatDocument.save(
            { target, sessionId, messages: Array.from({ length: count }, (_none, index) => message(index)), labels },
            signal,
          );
        let count = 3;
        const { documentId } = await save({ notebook: bench.notebook, path: `/Chats/Property ${run}` }, count);
        for (const edits of turns) {
          for (const one of edits) await apply(documentId, one);
          const before = await state(documentId);
          const standing = new Set(before.map(([, dom]) => nodeIn(dom)));
          count += 2;
          const wanted = Array.from({ length: count }, (_none, index) => `n${index}`);
          const last = wanted.findLastIndex((id) => standing.has(id));
          const { appended } = await save({ documentId }, count);
          expect(appended).toEqual(wanted.slice(last + 1));
          const after = await state(documentId);
          expect(after.slice(0, before.length)).toEqual(before);
          expect(after.slice(before.length).map(([, dom]) => nodeIn(dom))).toEqual(appended);
        }
      }),
      { numRuns: 8 },
    );
  });
});
