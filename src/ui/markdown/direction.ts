const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Attribute of a block that may run from right to left: the browser goes by its first letter. */
export const directionOf = (html: string): string => (RIGHT_TO_LEFT.test(html) ? ' dir="auto"' : '');

export const withDirection = (html: string): string => html.replace(/^\s*<\w+/, (start) => start + directionOf(html));
