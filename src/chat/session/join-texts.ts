/** The mark of the fence that a Markdown text leaves open; '' if there is none. */
function openFence(text: string): string {
  let fence = '';
  for (const line of text.split('\n')) {
    const [, mark = '', info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    // A word in backticks at the beginning of a line is not a fence.
    if (fence === '') fence = mark.startsWith('`') && info.includes('`') ? '' : mark;
    else if (mark.startsWith(fence) && info.trim() === '') fence = '';
  }
  return fence;
}

/** The text with its fence closed, so that what follows is not code. */
export function closeFence(text: string): string {
  const fence = openFence(text);
  return fence === '' ? text : `${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** The texts of one answer as one Markdown text, which reads as the panel shows them. Empty ones are left out. */
export function joinTexts(texts: readonly string[]): string {
  return texts
    .filter((text) => text.trim() !== '')
    .map(closeFence)
    .join('\n\n');
}
