// What the assistant asks for: random calls of all tools that write notes, mostly sensible ones.

import type { NotesPort } from '../../src/tools/contract/ports.ts';
import { randomMarkdown, randomText } from './edit-program-blocks.ts';
import type { Picture } from './edit-program-checks.ts';
import type { Choices, ProgramDocuments } from './edit-program-documents.ts';
import { signal } from './support.ts';

export type RequestKind = 'insert' | 'edit' | 'move' | 'delete' | 'rewrite' | 'create' | 'daily' | 'attributes' | 'tags' | 'organize';

export interface ToolRequest {
  readonly tool: string;
  readonly args: object;
}

interface RequestScene {
  readonly notes: NotesPort;
  readonly notebook: string;
  readonly home: ProgramDocuments;
  readonly documents: readonly string[];
}

export class Requests {
  private readonly scene: RequestScene;

  constructor(scene: RequestScene) {
    this.scene = scene;
  }

  /** Undefined where there is nothing that it could be about. */
  async make(kind: RequestKind, now: Picture, choices: Choices): Promise<ToolRequest | undefined> {
    const { documents, home, notebook } = this.scene;
    const ids = [...now.blocks.keys()].filter((id) => !documents.includes(id));
    const document = choices.pick(documents) ?? '';
    const any = (): string => (choices.chance(20) ? document : (choices.pick(ids) ?? document));
    switch (kind) {
      case 'insert': {
        const position = choices.pick(['before', 'after', 'prepend', 'append'] as const) ?? 'append';
        const markdown = randomText(choices, home.world, choices.chance(10) ? 40 : 3);
        return { tool: 'insert_blocks', args: { anchor: any(), position, markdown } };
      }
      case 'edit':
        return this.edit(choices);
      case 'move': {
        const moved = this.group(now, ids, choices);
        return { tool: 'move_blocks', args: { ids: moved, ...this.target(now, moved, ids, choices) } };
      }
      case 'delete':
        return { tool: 'delete_blocks', args: { ids: this.group(now, ids, choices) } };
      case 'rewrite':
        return this.rewrite(document, choices);
      case 'create':
        return {
          tool: 'create_doc',
          args: { notebook, path: `${home.path}/new ${choices.below(3)}`, markdown: randomText(choices, home.world, 5) },
        };
      case 'daily':
        return { tool: 'daily_note', args: { op: 'append', notebook, markdown: randomText(choices, home.world, 3) } };
      case 'attributes':
        return {
          tool: 'attributes',
          args: { op: 'set', ids: choices.chance(20) ? [document] : choices.some(ids, 3), attrs: attributesOf(choices) },
        };
      case 'tags': {
        const { tag } = home.world;
        const to = `${tag}${choices.pick(['x', '/sub', ' 新'])}`;
        return { tool: 'tags', args: choices.chance(70) ? { op: 'rename', label: tag, to } : { op: 'remove', label: tag } };
      }
      case 'organize':
        return { tool: 'organize_doc', args: this.organize(document, choices) };
    }
  }

  private organize(document: string, choices: Choices): object {
    const { documents, home } = this.scene;
    switch (choices.below(3)) {
      case 0:
        return { op: 'rename', ids: [document], target: `renamed ${choices.below(99)} ${choices.pick(['&', '<b>', '"q"', '标题'])}` };
      case 1:
        return { op: 'move', ids: [document], target: choices.chance(70) ? (choices.pick(documents) ?? '') : home.folder };
      default:
        return { op: 'duplicate', ids: [document] };
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
  private target(now: Picture, moved: readonly string[], ids: readonly string[], choices: Choices): object {
    const { documents } = this.scene;
    const isItem = now.blocks.get(moved[0] ?? '')?.type === 'NodeListItem';
    const others = ids.filter((id) => !moved.includes(id));
    const items = others.filter((id) => now.blocks.get(id)?.type === 'NodeListItem');
    const outside = others.filter((id) => documents.includes(now.blocks.get(id)?.parent ?? ''));
    const after = choices.pick(choices.chance(80) ? (isItem ? items : outside) : others);
    if (after !== undefined && choices.chance(70)) return { after };
    const containers = others.filter((id) => /Item|quote|Heading|Super|Callout/.test(now.blocks.get(id)?.type ?? ''));
    return { parent: choices.pick(choices.chance(40) ? documents : containers) ?? '' };
  }

  private async edit(choices: Choices): Promise<ToolRequest | undefined> {
    const { notes, documents, home } = this.scene;
    const reading = await notes.document({ id: choices.pick(documents) ?? '' }, { start: 0, blocks: 999 }, signal);
    const block = choices.pick(reading.blocks);
    const items = block?.items ?? [];
    const chosen = items.length > 0 && choices.chance(40) ? choices.pick(items) : block;
    if (!chosen) return undefined;
    const { id, hash: expectHash, markdown } = chosen;
    const found = [...markdown.matchAll(/[\p{L}\p{N}]{2,}|[^\p{L}\p{N}\s]{1,2}/gu)].map(([text]) => text);
    const alone = found.filter((text) => markdown.split(text).length === 2);
    const edits = choices.some(alone, 2).map((old) => ({ old, new: edited(choices, old) }));
    const change = edits.length > 0 && choices.chance(60) ? { edits } : { markdown: this.wholeOf(markdown, choices, home) };
    return { tool: 'edit_block', args: { id, expectHash, ...change } };
  }

  /** A block's whole new text: mostly its own with something more. */
  private wholeOf(markdown: string, choices: Choices, home: ProgramDocuments): string {
    if (choices.chance(40)) return randomMarkdown(choices, home.world);
    const lines = markdown.split('\n');
    const at = choices.below(lines.length);
    if (choices.chance(50)) lines.splice(at, 0, lines[at] ?? '');
    else lines[at] = `${lines[at] ?? ''} more`;
    return lines.join('\n');
  }

  private async rewrite(document: string, choices: Choices): Promise<ToolRequest> {
    const { notes, home } = this.scene;
    const { blocks } = await notes.document({ id: document }, { start: 0, blocks: 999 }, signal);
    const texts = blocks.map((block) => block.markdown).filter((text) => text !== '');
    for (let count = choices.chance(10) ? 0 : 1 + choices.below(4); count > 0; count -= 1) {
      const at = choices.below(texts.length + 1);
      const what = choices.below(5);
      if (what === 0) texts.splice(at, 0, randomMarkdown(choices, home.world));
      else if (what === 1) texts.splice(at, 1);
      else if (what === 2) texts.splice(at, 0, ...texts.splice(choices.below(texts.length), 1));
      else if (texts[at] !== undefined) texts[at] = what === 3 ? `${texts[at]} more` : this.wholeOf(texts[at] ?? '', choices, home);
    }
    return { tool: 'rewrite_doc', args: { id: document, markdown: texts.join('\n\n') } };
  }
}

const edited = (choices: Choices, old: string): string =>
  choices.pick([
    `edited${choices.below(99)}`,
    `${old}|`,
    `**${old}**`,
    `${old}：`,
    `\`${old}\``,
    `${old} $5 and $6`,
    '',
    `${old}\nnext line`,
  ]) ?? '';

function attributesOf(choices: Choices): Record<string, string> {
  const all = {
    'custom-kept': choices.pick(['', 'new "q" <b>', 'two\nlines']) ?? '',
    memo: choices.pick(['', 'a memo & more']) ?? '',
    bookmark: choices.pick(['', 'later']) ?? '',
    alias: choices.pick(['', 'three, four']) ?? '',
    name: choices.pick(['', `name${choices.below(1e6)}`]) ?? '',
  };
  return Object.fromEntries(choices.some(Object.entries(all), 3));
}
