import { describe, expect, it } from 'vitest';
import { blockId } from '../blocks/block-dom.ts';
import type { PreparedOperation } from './prepared-plan.ts';
import { vanishingBlocks } from './vanishing.ts';

const id = (name: string): string => `20260101000000-${name.padEnd(7, '0')}`;
const paragraph = (name: string): string =>
  `<div data-node-id="${id(name)}" data-type="NodeParagraph"><div contenteditable="true">x</div></div>`;
const quote = (name: string, ...inside: string[]): string =>
  `<div data-node-id="${id(name)}" data-type="NodeBlockquote">${inside.join('')}</div>`;

const facts = (name: string, dom: string) => ({ id: `${name}-op`, blockId: id(name), before: { dom, hash: '' } });
const remove = (name: string, dom = paragraph(name)): PreparedOperation => ({ ...facts(name, dom), action: 'delete', dom: '' });
const update = (name: string, before: string, dom: string): PreparedOperation => ({ ...facts(name, before), action: 'update', dom });
const move = (name: string, dom = paragraph(name)): PreparedOperation => ({ ...facts(name, dom), action: 'move', dom });
const insert = (name: string, dom = paragraph(name)): PreparedOperation => ({
  ...{ id: `${name}-op`, blockId: id(name), before: null },
  ...{ action: 'insert', dom },
});

const names = (operations: readonly PreparedOperation[]): Record<string, string[]> =>
  Object.fromEntries([...vanishingBlocks(operations)].map(([key, blocks]) => [key, blocks.map((block) => blockId(block).slice(15, 16))]));

const full = quote('q', paragraph('a'), quote('r', paragraph('b')));

describe('what vanishes by a plan', () => {
  it.each([
    ['nothing by an insert', [insert('a')], {}],
    ['nothing by a move', [move('q', full)], {}],
    ['nothing by another text in the same blocks', [update('q', full, full.replaceAll('>x<', '>y<'))], {}],
    ['nothing of a block whose text goes', [update('a', paragraph('a'), paragraph('a').replace('>x<', '><'))], {}],
    ['what is deleted, once with what is in it', [remove('q', full)], { 'q-op': ['q'] }],
    ['what a container does not contain any more', [update('q', full, quote('q', paragraph('a')))], { 'q-op': ['r'] }],
    ['all of a container that becomes a paragraph', [update('q', full, paragraph('q'))], { 'q-op': ['a', 'r'] }],
    ['what goes to the trash document', [{ ...move('a'), place: 'trash' }], { 'a-op': ['a'] }],
    ['nothing that moves out of what is replaced', [move('b'), update('q', full, quote('q', paragraph('a')))], { 'q-op': ['r'] }],
    [
      'nothing that another block takes in',
      [update('q', full, quote('q', quote('r', paragraph('b')))), update('s', quote('s'), quote('s', paragraph('a')))],
      {},
    ],
    [
      'what goes from a block that moves along with another',
      [move('q', full), update('r', quote('r', paragraph('b')), paragraph('r'))],
      { 'r-op': ['b'] },
    ],
    ['what is deleted in a block that moves', [move('q', full), remove('b')], { 'b-op': ['b'] }],
  ] as const)('is %s', (_what, operations, expected) => {
    expect(names(operations)).toEqual(expected);
  });
});
