/** The first line of a text that says something, without the marks before it. */
export function firstLine(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/^\s*(?:[-*+>]|#{1,6}|\d{1,9}[.)])\s+/u, '').trim());
  return lines.find((line) => line !== '') ?? '';
}
