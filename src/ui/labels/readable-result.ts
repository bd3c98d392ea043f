import type { Translate } from '../ports/i18n.ts';

/** A tool's result without what only a model needs: ids, hashes, block marks, heading levels. */
export function readableResult(text: string): string {
  return (
    text
      .replace(
        /^# (.+?) \[\d{14}-[0-9a-z]{7}\] (\/.*) in (.+)$/gm,
        (_line, title: string, path: string, notebook: string) =>
          `# ${title}\n\n${[notebook, ...path.split('/').filter(Boolean)].join(' › ')}\n`,
      )
      .replace(/^( *)- h[1-6] /gm, '$1- ')
      .replace(/@@\d{14}-[0-9a-z]{7}@@\w*(?:#\w+)?[ \t]?/g, '')
      // A text that was cut in the middle of a mark.
      .replace(/@@\d{0,14}(?:-\w{0,7})?@?…?\s*$/, '')
      .replace(/[ \t]*\[\d{14}-[0-9a-z]{7}(?:#\w+)?\]/g, '')
      // The address of a picture stays whole.
      .replace(/(?<!\bassets\/[^\s()]{0,200})\d{14}-[0-9a-z]{7}(?:#\w+)?/g, '…')
      .replace(/^(?:next|new|blocks|undo|summary): .*$/gm, '')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  );
}

/** A thought for people: notes by title if known (`titleOf`: '' if not), never by id. */
export function readableThought(text: string, titleOf: (id: string) => string): string {
  // The renderer shows a reference by its words.
  return text.replace(/(\(\()?`?(\d{14}-[0-9a-z]{7})`?/g, (found, reference: string | undefined, id: string) =>
    reference === undefined ? titleOf(id) || '…' : found,
  );
}

const WITH_SIGNS = /( ?)["“「([]?(\d{14}-[0-9a-z]{7})(?:#\w+)?["”」)\]]?/g;
/** A noun before an id that says what it belongs to: without the id it is still a sentence. */
const NOUN = /(?:\b(?:block|document|note|notebook|heading|item|list|parent|id|ids)|块|文档|笔记|笔记本|标题)\s*$/i;

/**
 * A sentence of the interface without ids: notes by their titles (`titleOf`: '' where not known), anything else as "a block". What a person
 * reports has the ids elsewhere (`detail`).
 */
export function withoutRawIds(text: string, t: Translate, titleOf: (id: string) => string = () => ''): string {
  return text.replace(WITH_SIGNS, (_found, space: string, id: string, at: number) => {
    const title = titleOf(id);
    if (title !== '') return `${space}${t('work.quoted', { title })}`;
    return NOUN.test(text.slice(0, at)) ? '' : `${space}${t('work.aBlock')}`;
  });
}
