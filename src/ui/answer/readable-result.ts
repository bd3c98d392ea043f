/** What a tool gave, without what only a model needs of it: ids, hashes, marks of blocks. */
export function readableResult(text: string): string {
  return text
    .replace(/@@\d{14}-[0-9a-z]{7}@@\w*(?:#\w+)?[ \t]?/g, '')
    .replace(/[ \t]*\[\d{14}-[0-9a-z]{7}(?:#\w+)?\]/g, '')
    .replace(/\d{14}-[0-9a-z]{7}(?:#\w+)?/g, '…')
    .replace(/^(?:next|new|blocks|undo|summary): .*$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
