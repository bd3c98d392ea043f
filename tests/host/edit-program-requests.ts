// What the assistant asks for: random requests, mostly sensible ones.

import type { BlockTarget } from '../../src/tools/contract/note-planner.ts';
import type { ChangePlan } from '../../src/tools/contract/plans.ts';
import type { NotesPort } from '../../src/tools/contract/ports.ts';
import type { Picture } from './edit-program-checks.ts';
import { type Choices, randomMarkdown, randomText } from './edit-program-documents.ts';
import { signal } from './support.ts';

export type RequestKind = 'insert' | 'edit' | 'move' | 'delete' | 'rewrite';

export class Requests {
  private readonly notes: NotesPort;
  private readonly documents: readonly string[];

  constructor(notes: NotesPort, documents: readonly string[]) {
    this.notes = notes;
    this.documents = documents;
  }

  async plan(kind: RequestKind, now: Picture, choices: Choices): Promise<ChangePlan> {
    const { notes } = this;
    const ids = [...now.blocks.keys()].filter((id) => !this.documents.includes(id));
    const document = choices.pick(this.documents) ?? '';
    const any = (): string => (choices.chance(20) ? document : (choices.pick(ids) ?? document));
    switch (kind) {
      case 'insert': {
        const position = choices.pick(['before', 'after', 'prepend', 'append'] as const) ?? 'append';
        return notes.planInsert({ anchor: any(), position, markdown: randomText(choices, choices.chance(10) ? 40 : 3) }, 't', signal);
      }
      case 'edit':
        return this.planEdit(choices);
      case 'move': {
        const moved = this.group(now, ids, choices);
        return notes.planMoveBlocks({ ids: moved, target: this.target(now, moved, ids, choices) }, 't', signal);
      }
      case 'delete':
        return notes.planDeleteBlocks({ ids: this.group(now, ids, choices) }, 't', signal);
      case 'rewrite':
        return this.planRewrite(document, choices);
    }
  }

  /** Blocks that a request names: any, some of one parent, or all of one parent, which is left empty then. */
  private group(now: Picture, ids: readonly string[], choices: Choices): string[] {
    const parent = now.blocks.get(choices.pick(ids) ?? '')?.parent;
    const siblings = ids.filter((id) => now.blocks.get(id)?.parent === parent);
    const how = choices.below(10);
    if (how < 3) return siblings;
    return choices.some(how < 7 ? siblings : ids, 4);
  }

  /** Mostly a place where the blocks fit. */
  private target(now: Picture, moved: readonly string[], ids: readonly string[], choices: Choices): BlockTarget {
    const isItem = now.blocks.get(moved[0] ?? '')?.type === 'NodeListItem';
    const others = ids.filter((id) => !moved.includes(id));
    const items = others.filter((id) => now.blocks.get(id)?.type === 'NodeListItem');
    const outside = others.filter((id) => this.documents.includes(now.blocks.get(id)?.parent ?? ''));
    const after = choices.pick(choices.chance(80) ? (isItem ? items : outside) : others);
    if (after !== undefined && choices.chance(70)) return { after };
    const containers = others.filter((id) => /Item|quote|Heading|Super/.test(now.blocks.get(id)?.type ?? ''));
    return { parent: choices.pick(choices.chance(40) ? this.documents : containers) ?? '' };
  }

  private async planEdit(choices: Choices): Promise<ChangePlan> {
    const { notes } = this;
    const reading = await notes.document({ id: choices.pick(this.documents) ?? '' }, { start: 0, blocks: 999 }, signal);
    const block = choices.pick(reading.blocks);
    const items = block?.items ?? [];
    const chosen = items.length > 0 && choices.chance(40) ? choices.pick(items) : block;
    if (!chosen) return notes.planEdit({ id: '', expectHash: '', markdown: '' }, 't', signal);
    const word = /[\p{L}\p{N}]{3,}/u.exec(chosen.markdown)?.[0];
    const edits = word ? [{ old: word, new: `edited${choices.below(99)}` }] : undefined;
    const change = edits && choices.chance(60) ? { edits } : { markdown: randomMarkdown(choices) };
    return notes.planEdit({ id: chosen.id, expectHash: chosen.hash, ...change }, 't', signal);
  }

  private async planRewrite(document: string, choices: Choices): Promise<ChangePlan> {
    const { notes } = this;
    const { blocks } = await notes.document({ id: document }, { start: 0, blocks: 999 }, signal);
    const texts = blocks.map((block) => block.markdown).filter((text) => text !== '');
    for (let count = choices.chance(10) ? 0 : 1 + choices.below(4); count > 0; count -= 1) {
      const at = choices.below(texts.length + 1);
      const what = choices.below(4);
      if (what === 0) texts.splice(at, 0, randomMarkdown(choices));
      else if (what === 1) texts.splice(at, 1);
      else if (what === 2) texts.splice(at, 0, ...texts.splice(choices.below(texts.length), 1));
      else if (texts[at] !== undefined) texts[at] = `${texts[at]} more`;
    }
    return notes.planRewrite({ id: document, markdown: texts.join('\n\n') }, 't', signal);
  }
}
