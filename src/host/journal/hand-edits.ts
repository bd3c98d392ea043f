import { inBackground } from '../../tools/util/notify.ts';
import { Turns } from '../../tools/util/turns.ts';
import { type CitedSource, citedIn, readCites, writeCites } from '../answers/cited-sources.ts';
import { AT_ONCE, evenly, gainOf, LATER, saysSomething, sharesRun, wordsOf } from '../answers/moved-text.ts';
import { allBlocks, attributeValues, type BlockElement, blockId, childBlocks, parseBlocks, textNodes } from '../blocks/block-dom.ts';
import { CITES_ATTRIBUTE, READ_ATTRIBUTE, SOURCE_ATTRIBUTE, sourcesIn } from '../blocks/source-attributes.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { OUR_SESSIONS, type PushedOperation, type PushSource, type TransactionsPush } from '../kernel/transaction-log.ts';
import { quoted, quotedList } from '../sql/sql-text.ts';
import type { WriteJournal } from './write-journal.ts';

/** The block's mark: a model wrote it. */
interface Mark {
  readonly source: string;
  /** When somebody marked it as read; '' if nobody did. */
  readonly read: string;
  readonly cites: readonly CitedSource[];
}

/** Text of one block before a step or after it. */
interface Leaf extends Lost {
  readonly isMarkedItself: boolean;
  readonly refersTo: readonly string[];
}

interface Lost {
  readonly id: string;
  readonly text: string;
  /** Its own, or that of a container which the step wrote with it. */
  readonly mark: Mark | undefined;
  /** A block whose containers may be a model's, if nothing here is. */
  readonly near: string;
}

interface Gained extends Omit<Leaf, 'isMarkedItself'> {
  readonly whole: string;
  /** Its own text before the step, with a mark that the step took off. */
  readonly own: Lost | undefined;
}

interface Moved {
  readonly id: string;
  /** As `Leaf.near`; of a container that went with it, its place. */
  readonly from: string;
  readonly mark: Mark | undefined;
  readonly to: string;
}

/** The parts of an editor's step that matter for who wrote what. */
interface HandChange {
  readonly lost: readonly Lost[];
  readonly gained: readonly Gained[];
  readonly moved: readonly Moved[];
  readonly edited: readonly { readonly id: string; readonly mark: Mark; readonly text: string }[];
}

function markOf(attributes: Readonly<Record<string, string | undefined>>): Mark | undefined {
  const source = attributes[SOURCE_ATTRIBUTE];
  if (!source) return undefined;
  return { source, read: attributes[READ_ATTRIBUTE] ?? '', cites: readCites(attributes[CITES_ATTRIBUTE]) };
}

const ownText = (block: BlockElement): string =>
  evenly(
    textNodes(block)
      .map(({ data }) => data)
      .join(''),
  );

function leavesIn(block: BlockElement, above: Mark | undefined, near: string): Leaf[] {
  const own = markOf(block.attribs);
  const mark = own ?? above;
  const inside = childBlocks(block);
  if (inside.length > 0) return inside.flatMap((child) => leavesIn(child, mark, near));
  const [id, text] = [blockId(block), ownText(block)];
  return [{ id, text, mark, near: mark ? '' : near, isMarkedItself: own !== undefined, refersTo: citedIn(block) }];
}

/** Before an id: its containers are meant, not the block itself. */
const BESIDE = '^';

/** A place whose containers are meant: the parent, or `^` and a block beside it. */
const placeOf = ({ parentID, previousID }: PushedOperation): string => parentID || (previousID && BESIDE + previousID);

/** By block: its text after the operations. */
function leavesOf(operations: readonly PushedOperation[]): ReadonlyMap<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  for (const operation of operations) {
    const { action, id, data } = operation;
    if (action !== 'insert' && action !== 'update') continue;
    const near = action === 'insert' ? placeOf(operation) : id;
    for (const block of parseBlocks(data)) for (const leaf of leavesIn(block, undefined, near)) leaves.set(leaf.id, leaf);
  }
  return leaves;
}

/** The containers and place of a block that the step took away. */
function takenAway(inverse: readonly PushedOperation[]): ReadonlyMap<string, Pick<Moved, 'from' | 'mark'>> {
  const taken = new Map<string, Pick<Moved, 'from' | 'mark'>>();
  const take = (block: BlockElement, from: string, above: Mark | undefined): void => {
    const mark = markOf(block.attribs) ?? above;
    taken.set(blockId(block), { from, mark });
    for (const child of childBlocks(block)) take(child, from, mark);
  };
  for (const operation of inverse)
    if (operation.action === 'insert') for (const block of parseBlocks(operation.data)) take(block, placeOf(operation), undefined);
  return taken;
}

function movesIn({ operations = [], inverse = [] }: TransactionsPush): readonly Moved[] {
  const moves = operations.filter(({ action }) => action === 'move');
  // An editor takes a container away that nothing is left in: the index may not know it any more.
  const taken = moves.length > 0 ? takenAway(inverse) : undefined;
  return moves.flatMap((operation) => {
    const back = inverse.find(({ action, id }) => action === 'move' && id === operation.id);
    if (!back) return [];
    const from = placeOf(back);
    return [{ id: operation.id, mark: undefined, from, ...taken?.get(from), to: placeOf(operation) }];
  });
}

function gainedBy(leaf: Leaf, before: Leaf | undefined): Gained[] {
  const own = before?.mark && !leaf.mark ? { id: before.id, text: before.text, mark: before.mark, near: '' } : undefined;
  const text = own ? leaf.text : gainOf(before?.text ?? '', leaf.text).trim();
  const { id, near, refersTo, mark } = leaf;
  return saysSomething(text) ? [{ id, text, whole: leaf.text, near, refersTo, own, mark }] : [];
}

function readHandChange(push: TransactionsPush): HandChange {
  const before = leavesOf(push.inverse ?? []);
  const after = leavesOf(push.operations ?? []);
  const lost = [...before.values()].flatMap(({ id, text, mark, near }): Lost[] => {
    const missing = gainOf(after.get(id)?.text ?? '', text).trim();
    return saysSomething(missing) ? [{ id, text: missing, mark, near }] : [];
  });
  const gained = [...after.values()].flatMap((leaf) => (leaf.mark && !leaf.isMarkedItself ? [] : gainedBy(leaf, before.get(leaf.id))));
  const edited = [...after.values()].flatMap(({ id, text, mark, isMarkedItself }) => {
    const was = before.get(id);
    return mark && isMarkedItself && was && was.text !== text && saysSomething(text) ? [{ id, mark, text }] : [];
  });
  return { lost, gained, moved: movesIn(push), edited };
}

const textIn = (dom: string): string => parseBlocks(dom).flatMap(allBlocks).map(ownText).filter(saysSomething).join(' ');

/** The text that one operation of a model wrote into a block: `after` without the text that was there `before`. */
interface Written {
  readonly before: string;
  readonly after: string;
}

function isPartOf({ before, after }: Written, text: string): boolean {
  if (text.length < AT_ONCE) return after.includes(text) && !before.includes(text);
  return sharesRun(text, after, AT_ONCE, before);
}

function ownWords({ before, after }: Written): readonly string[] {
  const known = wordsOf(before);
  return [...wordsOf(after)].filter((word) => !known.has(word));
}

/** The text that a model wrote into a block, by one call or more. */
class ModelWords {
  private readonly parts: readonly Written[];

  constructor(parts: readonly Written[]) {
    this.parts = parts.map(({ before, after }) => ({ before: evenly(before), after: evenly(after) }));
  }

  isIn(text: string): boolean {
    return this.parts.some((part) => isPartOf(part, evenly(text)));
  }

  /** No word of the model's is left in it; false where the model wrote no word that could show it. */
  isGoneFrom(text: string): boolean {
    const now = wordsOf(text);
    const own = this.parts.flatMap(ownWords);
    return own.length > 0 && !own.some((word) => now.has(word));
  }
}

/** The text of the calls that an attribute names, with that of others before it. Undefined where a record is missing. */
export async function modelWords(journal: Pick<WriteJournal, 'ofMessage'>, source: string): Promise<ModelWords | undefined> {
  const parts: Written[] = [];
  const sources = [source];
  for (const each of sources) {
    const [sessionId = '', messageId = '', callId = ''] = each.split('/');
    const records = await journal.ofMessage(sessionId, messageId);
    const operations = records.filter(({ entry }) => entry.callId === callId).flatMap(({ entry }) => entry.operations);
    const written = operations.filter(({ action }) => action === 'insert' || action === 'update');
    if (written.length === 0) return undefined;
    for (const { before, after } of written) {
      const dom = before?.dom ?? '';
      parts.push({ before: textIn(dom), after: textIn(after.dom) });
      const earlier = parseBlocks(dom).flatMap((block) => [...attributeValues(block, SOURCE_ATTRIBUTE)].flatMap(sourcesIn));
      sources.push(...earlier.filter((one) => !sources.includes(one)));
    }
  }
  return new ModelWords(parts);
}

interface HandEditsDeps {
  readonly routes: Pick<KernelRoutes, 'sql' | 'flushIndex' | 'doms' | 'attributesOf' | 'setAttributes'>;
  readonly journal: Pick<WriteJournal, 'ofMessage'>;
  readonly pushes: PushSource | undefined;
}

/** Remembered texts of models that were cut or copied, and marked blocks. */
const REMEMBERED = 20;
const MOST_PLACES = 50;
const MOST_SOURCES = 5;

/** Text in writing without blanks says as much in half as many signs. */
const isRemembered = (text: string): boolean => text.length >= LATER / 2;

const NO_MARK = { [SOURCE_ATTRIBUTE]: '', [READ_ATTRIBUTE]: '', [CITES_ATTRIBUTE]: '' };

/** Marks of the blocks and their containers, or with `BESIDE` of the containers alone; a document does not mark its content. */
function statement(places: readonly string[]): string {
  const beside = places.filter((place) => place.startsWith(BESIDE)).map((place) => place.slice(BESIDE.length));
  return (
    `WITH RECURSIVE up(id, at) AS (SELECT id, id FROM blocks WHERE id IN (${quotedList(places)}) ` +
    `UNION SELECT ${quoted(BESIDE)} || id, parent_id FROM blocks WHERE id IN (${quotedList(beside)}) ` +
    'UNION SELECT up.id, blocks.parent_id FROM up JOIN blocks ON blocks.id = up.at) ' +
    "SELECT up.id AS id, attributes.value AS source FROM up JOIN blocks ON blocks.id = up.at AND blocks.type <> 'd' " +
    `JOIN attributes ON attributes.block_id = up.at AND attributes.name = ${quoted(SOURCE_ATTRIBUTE)} LIMIT 1000`
  );
}

/** Keeps "which block did a model write" true while people split, merge, cut and move blocks; leaves alone possible chance. */
export class HandEdits {
  private readonly deps: HandEditsDeps;
  private readonly turns = new Turns(1);
  private readonly stopped = new AbortController();
  private readonly stop: (() => void) | undefined;
  /** Cut or copied: a later step may put it somewhere. */
  private loose: readonly Lost[] = [];
  /** An editor that was typing meanwhile writes the block once more without its mark. */
  private readonly marked = new Map<string, Lost>();

  constructor(deps: HandEditsDeps) {
    this.deps = deps;
    this.stop = deps.pushes?.onTransactions((push) => inBackground(this.heard(push)));
  }

  close(): void {
    this.stop?.();
    this.stopped.abort();
  }

  /** Somebody copied text of a block that a model wrote. */
  copied(attributes: Readonly<Record<string, string | undefined>>, text: string): void {
    const mark = markOf(attributes);
    if (mark) this.remember({ id: '', text, mark, near: '' });
  }

  /** Deals with a step; again with one that it knows already. */
  async heard(push: TransactionsPush): Promise<void> {
    // What another of our windows or services wrote or took back was no hand.
    if (push.session.startsWith(OUR_SESSIONS)) return;
    const change = readHandChange(push);
    if (change.gained.length + change.moved.length + change.edited.length + change.lost.length === 0) return;
    // A mark that cannot be set now stays as it is: nothing of the text depends on it.
    await this.turns.take(() => this.settle(change)).catch(() => undefined);
  }

  /** Settles when all steps that were heard are dealt with. */
  settled(): Promise<void> {
    return this.turns.take(async () => undefined);
  }

  private async settle(change: HandChange): Promise<void> {
    const isMoved = change.lost.some(({ id }) => change.gained.some((each) => each.id !== id || each.own !== undefined));
    const marks = await this.marksNear([
      ...change.lost.filter(({ text }) => isMoved || isRemembered(text)).map(({ near }) => near),
      ...(isMoved ? change.gained.map(({ near }) => near) : []),
      ...change.moved.flatMap(({ from, to }) => [from, to]),
    ]);
    const lost = change.lost.map((each) => ({ ...each, mark: each.mark ?? marks.get(each.near) }));
    for (const gained of change.gained) await this.settleGained(gained, lost, marks.get(gained.near));
    for (const each of lost) if (each.mark) this.remember(each);
    for (const { id, from, to, ...moved } of change.moved) {
      const mark = moved.mark ?? marks.get(from);
      if (mark && marks.get(to)?.source !== mark.source) await this.settleMoved(id, mark);
    }
    for (const { id, mark, text } of change.edited)
      if (await this.isRewritten(mark, text)) await this.deps.routes.setAttributes(id, NO_MARK, this.stopped.signal);
  }

  private async settleGained(gained: Gained, lost: readonly Lost[], around: Mark | undefined): Promise<void> {
    const { mark, refersTo, id } = gained;
    const again = mark ? undefined : this.markedBefore(gained);
    const from = again ?? this.sourceOf(gained, lost);
    if (!from?.mark) return;
    const text = again ? gained.whole : gained.text;
    const known = sourcesIn(`${around?.source ?? ''} ${mark?.source ?? ''}`);
    const sources = (await this.sourcesOf(from.mark, text)).filter((source) => !known.includes(source));
    if (sources.length === 0) return;
    const all = [...sourcesIn(mark?.source ?? ''), ...sources].slice(0, MOST_SOURCES);
    const read = mark?.read === '' ? '' : from.mark.read;
    await this.mark(id, { source: all.join(' '), read, cites: [...(mark?.cites ?? []), ...from.mark.cites] }, refersTo);
    this.marked.delete(id);
    this.marked.set(id, again ?? { ...from, text });
    for (const old of [...this.marked.keys()].slice(0, -REMEMBERED)) this.marked.delete(old);
  }

  /** An editor that did not know of the mark yet has written the block without it. */
  private markedBefore({ id, whole }: Gained): Lost | undefined {
    const marked = this.marked.get(id);
    return marked && sharesRun(whole, marked.text, AT_ONCE) ? marked : undefined;
  }

  private sourceOf({ text, own }: Gained, lost: readonly Lost[]): Lost | undefined {
    const isPart = (each: Lost): boolean => evenly(each.text).includes(evenly(text)) || sharesRun(text, each.text, AT_ONCE);
    if (own && isPart(own)) return own;
    const step = lost.find((each) => each.mark && isPart(each));
    if (step || !isRemembered(text)) return step;
    return this.loose.find((each) => evenly(each.text) === evenly(text) || sharesRun(text, each.text, LATER));
  }

  private async settleMoved(id: string, mark: Mark): Promise<void> {
    const { signal } = this.stopped;
    const { [id]: attributes } = await this.deps.routes.attributesOf([id], signal);
    if (!attributes || attributes[SOURCE_ATTRIBUTE]) return;
    const { [id]: dom = '' } = await this.deps.routes.doms([id], signal);
    const sources = await this.sourcesOf(mark, textIn(dom));
    if (sources.length > 0) await this.mark(id, { ...mark, source: sources.join(' ') }, []);
  }

  /** Of the citations of the text's origin, those that it refers to. */
  private async mark(id: string, { source, read, cites }: Mark, refersTo: readonly string[]): Promise<void> {
    const kept = cites.filter((each, at) => refersTo.includes(each.id) && cites.findIndex((one) => one.id === each.id) === at);
    const attributes = {
      ...{ [SOURCE_ATTRIBUTE]: source, [READ_ATTRIBUTE]: read },
      ...(kept.length > 0 ? { [CITES_ATTRIBUTE]: writeCites(kept) } : {}),
    };
    await this.deps.routes.setAttributes(id, attributes, this.stopped.signal);
  }

  /** Of the calls that a mark names, those that wrote some of this text, and those of which there is no record. */
  private async sourcesOf({ source }: Mark, text: string): Promise<readonly string[]> {
    const found: string[] = [];
    for (const each of sourcesIn(source)) {
      const words = await modelWords(this.deps.journal, each);
      if (!words || words.isIn(text)) found.push(each);
    }
    return found;
  }

  /** A person has written something else. */
  private async isRewritten({ source }: Mark, text: string): Promise<boolean> {
    for (const each of sourcesIn(source)) if (!(await modelWords(this.deps.journal, each))?.isGoneFrom(text)) return false;
    return true;
  }

  private remember(lost: Lost): void {
    if (isRemembered(lost.text)) this.loose = [lost, ...this.loose].slice(0, REMEMBERED);
  }

  /** By block: the mark of it or of a container around it. */
  private async marksNear(ids: readonly string[]): Promise<ReadonlyMap<string, Mark>> {
    const asked = [...new Set(ids)].filter((id) => id !== '').slice(0, MOST_PLACES);
    if (asked.length === 0) return new Map();
    // A model's newest text is not in the index yet.
    await this.deps.routes.flushIndex(this.stopped.signal);
    const rows = await this.deps.routes.sql(statement(asked), this.stopped.signal);
    return new Map(rows.map((row) => [String(row.id), { source: String(row.source), read: '', cites: [] }]));
  }
}
