/** Signs that stand between the parts of a line, or open and close one of them. */
const SEPARATES = /[,;|:="()[\]\n\r\t]|^\s|\s$|^$/u;

/** One of several texts of a line: as it is, or as JSON where it contains a sign that separates them. */
export const quoted = (text: string): string => (SEPARATES.test(text) ? JSON.stringify(text) : text);

/** Several texts as one, so that two lists that differ never read alike. */
export const listText = (texts: readonly string[]): string => texts.map(quoted).join(', ');
