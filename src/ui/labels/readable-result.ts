/** What a tool gave, without what only a model needs of it: ids, hashes, marks of blocks, how deep a heading is. */
export function readableResult(text: string): string {
  return text
    .replace(
      /^# (.+?) \[\d{14}-[0-9a-z]{7}\] (\/.*) in (.+)$/gm,
      (_line, title: string, path: string, notebook: string) =>
        `# ${title}\n\n${[notebook, ...path.split('/').filter(Boolean)].join(' › ')}\n`,
    )
    .replace(/^( *)- h[1-6] /gm, '$1- ')
    .replace(/@@\d{14}-[0-9a-z]{7}@@\w*(?:#\w+)?[ \t]?/g, '')
    .replace(/[ \t]*\[\d{14}-[0-9a-z]{7}(?:#\w+)?\]/g, '')
    .replace(/\d{14}-[0-9a-z]{7}(?:#\w+)?/g, '…')
    .replace(/^(?:next|new|blocks|undo|summary): .*$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** A thought as it reads: notes by their titles where these are known (`titleOf`: '' where not), never by ids. */
export function readableThought(text: string, titleOf: (id: string) => string): string {
  // Of a reference the renderer shows the words.
  return text.replace(/(\(\()?`?(\d{14}-[0-9a-z]{7})`?/g, (found, reference: string | undefined, id: string) =>
    reference === undefined ? titleOf(id) || '…' : found,
  );
}
