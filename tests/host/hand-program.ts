// What a person does in SiYuan's editor, as it sends it (docs/formats.md, "What people do to such blocks").
import { allBlocks, blockId, freshId, parseBlock, serializeBlock } from '../../src/host/blocks/block-dom.ts';
import type { TestBench } from './support.ts';

interface Operation {
  readonly action: 'insert' | 'update' | 'delete' | 'move';
  readonly id: string;
  readonly data?: string;
  readonly previousID?: string;
  readonly nextID?: string;
  readonly parentID?: string;
}

export interface Leaf {
  readonly id: string;
  readonly parent: string;
  /** Its containers, the innermost first, and the document. */
  readonly parents: readonly string[];
  readonly text: string;
  /** Its own, or that of a container. */
  readonly source: string;
  readonly ownSource: string;
  readonly isHeading: boolean;
  readonly isRead: boolean;
}

const TEXT = /(contenteditable="true"[^>]*>)([\s\S]*?)(<\/div>)/;
const textOf = (dom: string): string => (TEXT.exec(dom)?.[2] ?? '').replaceAll('\u200b', '').trim();
const withText = (dom: string, text: string): string => dom.replace(TEXT, (_all, start: string, _old, end: string) => start + text + end);
const attribute = (dom: string, name: string): string => new RegExp(`^<div[^>]* ${name}="([^"]*)"`).exec(dom)?.[1] ?? '';

function withoutBlock(dom: string, id: string): string {
  const block = parseBlock(dom);
  const inner = block && allBlocks(block).find((each) => blockId(each) === id);
  if (!block || !inner?.parent) throw new Error(`${id} is not in the block`);
  inner.parent.children = inner.parent.children.filter((each) => each !== inner);
  return serializeBlock(block);
}

export class Hand {
  private readonly bench: TestBench;

  constructor(bench: TestBench) {
    this.bench = bench;
  }

  /** Paragraphs and headings, through lists and quotes. What a container says of itself holds for what is in it. */
  async leaves(parent: string, above = '', around: readonly string[] = []): Promise<Leaf[]> {
    const found: Leaf[] = [];
    const parents = [parent, ...around];
    for (const id of await this.bench.blocks(parent)) {
      const dom = await this.bench.dom(id);
      const ownSource = attribute(dom, 'custom-marginalia-source');
      const source = ownSource || above;
      if (/data-type="Node(List|ListItem|Blockquote)"/.test(dom.slice(0, dom.indexOf('>'))))
        found.push(...(await this.leaves(id, source, parents)));
      else {
        const isRead = attribute(dom, 'custom-marginalia-read') !== '';
        found.push({
          ...{ id, parent, parents, text: textOf(dom), source, ownSource },
          ...{ isHeading: dom.includes('NodeHeading'), isRead },
        });
      }
    }
    return found;
  }

  async send(doOperations: readonly Operation[], undoOperations: readonly Operation[], at: string): Promise<void> {
    const transactions = [{ doOperations, undoOperations }];
    await this.bench.api('/api/transactions', { app: 'editor', session: 'editor-1', reqId: 1, transactions });
    await this.heard(at);
  }

  /** The kernel's own step back, and forth again. */
  async replay(side: 'undo' | 'redo', document: string): Promise<void> {
    await this.bench.api(`/api/transactions/${side}`, { rootID: document, session: 'editor-1', app: 'editor' });
    await this.heard(document);
  }

  async type(id: string, text: string): Promise<void> {
    const data = await this.bench.dom(id);
    await this.send([{ action: 'update', id, data: withText(data, text) }], [{ action: 'update', id, data }], id);
  }

  /** Enter: the new block has no attributes. */
  async split(id: string, at: number): Promise<string> {
    const data = await this.bench.dom(id);
    const text = textOf(data);
    const next = this.id();
    const left = withText(data, text.slice(0, at).trim());
    const right = this.paragraph(next, text.slice(at).trim());
    await this.send(
      [
        { action: 'update', id, data: left },
        { action: 'insert', id: next, data: right, previousID: id },
      ],
      [
        { action: 'delete', id: next },
        { action: 'update', id, data },
      ],
      id,
    );
    return next;
  }

  /** Backspace at its beginning. */
  async merge(leaf: Leaf, into: string): Promise<void> {
    const one = await this.bench.dom(into);
    const gone = await this.goneWith(leaf, into);
    const update = { action: 'update', id: into, data: withText(one, `${textOf(one)} ${leaf.text}`) } as const;
    await this.send([{ action: 'delete', id: gone.id }, update], [{ ...update, data: one }, gone], into);
  }

  /** Copied as a block: SiYuan takes its attributes along. */
  async copyBlock(id: string, after: string): Promise<void> {
    const copy = this.id();
    const data = (await this.bench.dom(id)).replaceAll(id, copy);
    await this.send([{ action: 'insert', id: copy, data, previousID: after }], [{ action: 'delete', id: copy }], after);
  }

  async cutBlock(leaf: Leaf, after: string): Promise<void> {
    const { id } = leaf;
    const data = await this.bench.dom(id);
    const gone = await this.goneWith(leaf, after);
    await this.send([{ action: 'delete', id: gone.id }], [gone], after);
    await this.send([{ action: 'insert', id, data, previousID: after }], [{ action: 'delete', id }], after);
  }

  /** A part of its text, cut and pasted into a new block. */
  async cutText(id: string, from: number, after: string): Promise<void> {
    const text = textOf(await this.bench.dom(id));
    await this.type(id, text.slice(0, from).trim());
    const next = this.id();
    await this.send(
      [{ action: 'insert', id: next, data: this.paragraph(next, ''), previousID: after }],
      [{ action: 'delete', id: next }],
      after,
    );
    await this.type(next, text.slice(from).trim());
  }

  async turnIntoHeading(id: string): Promise<void> {
    const data = await this.bench.dom(id);
    const heading = data.replace('data-type="NodeParagraph" class="p"', 'data-subtype="h2" data-type="NodeHeading" class="h2"');
    await this.send([{ action: 'update', id, data: heading }], [{ action: 'update', id, data }], id);
  }

  /** Into a list of one item, which has no attributes; the paragraph is moved into it. */
  async turnIntoList(id: string): Promise<void> {
    const [list, item] = [this.id(), this.id()];
    const inside = `<div data-marker="*" data-subtype="u" data-node-id="${item}" data-type="NodeListItem" class="li"><div class="protyle-action" draggable="true"></div><div class="protyle-attr" contenteditable="false"></div></div>`;
    const data = `<div data-subtype="u" data-node-id="${list}" data-type="NodeList" class="list">${inside}<div class="protyle-attr" contenteditable="false"></div></div>`;
    await this.send(
      [
        { action: 'insert', id: list, data, nextID: id },
        { action: 'move', id, parentID: item },
      ],
      [
        { action: 'move', id, previousID: list },
        { action: 'delete', id: list },
      ],
      id,
    );
  }

  async drag(leaf: Leaf, after: string): Promise<void> {
    const { id } = leaf;
    const move = { action: 'move', id, previousID: after } as const;
    const back = { action: 'move', id, ...(await this.placeOf(id, leaf.parent)) } as const;
    const gone = await this.goneWith(leaf, after);
    if (gone.id === id) return this.send([move], [back], after);
    // What nothing is left in goes too; it is put back first.
    const data = withoutBlock(gone.data, id);
    await this.send([move, { action: 'delete', id: gone.id }], [{ ...gone, data }, back], after);
  }

  async heard(id: string): Promise<void> {
    await this.bench.delivered(id);
    await this.bench.host.hands.settled();
  }

  /** What an editor takes away with a block, as what puts it back: itself, or the highest container that holds nothing else. */
  private async goneWith(leaf: Leaf, kept: string): Promise<Operation & { readonly action: 'insert'; readonly data: string }> {
    const path = [leaf.id, ...leaf.parents];
    let at = 0;
    while (at < path.length - 2) {
      const above = path[at + 1] ?? '';
      if ((await this.bench.blocks(above)).length > 1 || (await this.bench.dom(above)).includes(kept)) break;
      at += 1;
    }
    const [id = '', parent = ''] = path.slice(at);
    return { action: 'insert', id, data: await this.bench.dom(id), ...(await this.placeOf(id, parent)) };
  }

  /** As an editor names it: the block before it, or its parent. */
  private async placeOf(id: string, parent: string): Promise<Pick<Operation, 'previousID' | 'parentID'>> {
    const siblings = await this.bench.blocks(parent);
    const previousID = siblings[siblings.indexOf(id) - 1];
    return previousID === undefined ? { parentID: parent } : { previousID };
  }

  private id(): string {
    return freshId({ now: () => Date.now(), today: () => '' }, Math.random);
  }

  private paragraph(id: string, text: string): string {
    return `<div data-node-id="${id}" data-type="NodeParagraph" class="p"><div contenteditable="true" spellcheck="false">${text}</div><div class="protyle-attr" contenteditable="false">\u200b</div></div>`;
  }
}
