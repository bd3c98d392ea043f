import { textIn } from '../answers/hand-change.ts';
import { AT_ONCE, evenly, sharesRun, wordsOf } from '../answers/moved-text.ts';
import { attributeValues, parseBlocks } from '../blocks/block-dom.ts';
import { SOURCE_ATTRIBUTE, sourcesIn } from '../blocks/source-attributes.ts';
import type { WriteJournal } from './write-journal.ts';

/** What one operation of a model wrote into a block: `after` without what was there `before`. */
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

/** What a model wrote into a block, by one call or more. */
export class ModelWords {
  private readonly parts: readonly Written[];

  constructor(parts: readonly Written[]) {
    this.parts = parts.map(({ before, after }) => ({ before: evenly(before), after: evenly(after) }));
  }

  /** Whether some of this text is the model's. */
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

/**
 * What the calls wrote that an attribute names, with what other calls had written there before. Undefined where no record of one of these
 * is left.
 */
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
