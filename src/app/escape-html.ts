/** For hosts that insert labels and messages as HTML, as SiYuan does. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
