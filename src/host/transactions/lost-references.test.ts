import { expect, it } from 'vitest';
import { NEVER } from '../../tools/util/abort.ts';
import { unknownReferences } from './lost-references.ts';

const TARGET = '20260101000000-target0';
const dom =
  '<div data-node-id="20260101000000-source0" data-type="NodeParagraph" class="p"><div contenteditable="true">' +
  `see <span data-type="block-ref" data-id="${TARGET}" data-subtype="s">it</span></div></div>`;

it('does not take a block for one that is there because the index still has it', async () => {
  let index = [{ id: TARGET }];
  const routes = {
    flushIndex: async () => {
      index = [];
    },
    sql: async () => index,
    exists: async () => false,
  };
  expect([...(await unknownReferences(routes, [dom], NEVER))]).toEqual([TARGET]);
});
