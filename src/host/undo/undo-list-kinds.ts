import { childBlocks, parseBlock, serializeBlock } from '../blocks/block-dom.ts';
import { hashOfBlock } from '../blocks/block-hash.ts';
import type { ListKind } from '../blocks/list-numbers.ts';
import type { JournalOperation } from '../journal/write-journal.ts';
import { hasFoldInside } from '../transactions/fold-state.ts';
import { refersToAny } from '../transactions/lost-references.ts';

/** By id of a list that took the kind of a task at its front: its former kind. */
export const kindsBefore = (operations: readonly JournalOperation[]): ReadonlyMap<string, ListKind> =>
  new Map(operations.flatMap(({ listKind, from }) => (listKind && from ? [[from.parentId, listKind] as const] : [])));

/** Writing the whole list would lose a reference, or duplicate what a folded heading in it hides. */
export const mayNotBeWritten = (dom: string, unknown: ReadonlySet<string>): boolean => refersToAny(dom, unknown) || hasFoldInside(dom);

/** Changes that restore the kind of these lists. Those that have it, and those that still begin with a task, are left out. */
export function kindChanges(kinds: ReadonlyMap<string, ListKind>, doms: Readonly<Record<string, string>>): JournalOperation[] {
  return [...kinds].flatMap(([blockId, kind]): JournalOperation[] => {
    const now = doms[blockId] ?? '';
    const list = parseBlock(now);
    if (list?.attribs['data-subtype'] !== 't' || childBlocks(list)[0]?.attribs['data-subtype'] === 't') return [];
    list.attribs['data-subtype'] = kind;
    const dom = serializeBlock(list);
    const [before, after] = [dom, now].map((each) => ({ dom: each, hash: hashOfBlock(each) }));
    return before && after ? [{ action: 'update', blockId, before, after, result: 'applied' }] : [];
  });
}
