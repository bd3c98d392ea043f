import type { NotesPort } from '../../contract/ports.ts';
import type { ToolGroup } from '../../contract/types.ts';
import { skillText } from '../skill-texts/load-text.ts';
import { createDeleteBlocks, createMoveBlocks, createRewriteDoc, DELETE_BLOCKS, MOVE_BLOCKS, REWRITE_DOC } from './change-blocks.ts';
import { createEditBlock, createInsertBlocks, EDIT_BLOCK, INSERT_BLOCKS } from './edit-block.ts';
import { BLOCK_INFO, createBlockInfo, createReadBlock, READ_BLOCK } from './read-block.ts';

const EDITING = ['edit_block', 'insert_blocks', 'move_blocks', 'delete_blocks', 'rewrite_doc'];

export const BLOCKS_TOOLS = [READ_BLOCK, BLOCK_INFO, EDIT_BLOCK, INSERT_BLOCKS, MOVE_BLOCKS, DELETE_BLOCKS, REWRITE_DOC];

export function createBlocksGroup(notes: NotesPort): ToolGroup {
  return {
    name: 'blocks',
    rulePrompt: (names) =>
      [
        ...(EDITING.some((name) => names.includes(name)) ? ['Read a document just before you change it; change as little as needed.'] : []),
        ...(names.includes('edit_block')
          ? [
              'As expectHash, edit_block takes what follows # in the text; when it answers `stale`, read again. Prefer edits [{old,new}] to the whole block.',
            ]
          : []),
        ...(names.includes('rewrite_doc') ? ['Use rewrite_doc only when most of a document changes.'] : []),
      ].join('\n'),
    declareSkillRules: {
      kramdown: {
        desc: "SiYuan's Markdown: references, callouts, embeds, limits",
        when: 'to write these',
        prompt: skillText('KRAMDOWN_RULE'),
      },
    },
    tools: [
      createReadBlock(notes),
      createBlockInfo(notes),
      createEditBlock(notes),
      createInsertBlocks(notes),
      createMoveBlocks(notes),
      createDeleteBlocks(notes),
      createRewriteDoc(notes),
    ],
  };
}
