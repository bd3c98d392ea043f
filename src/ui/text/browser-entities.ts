const REFERENCE = /&(?:#x[0-9a-f]+|#\d+|[a-z][a-z0-9]*);?/gi;
const known = new Map<string, string>();
const MOST_KNOWN = 1000;

function decoded(reference: string): string {
  const found = known.get(reference);
  if (found !== undefined) return found;
  const element = document.createElement('span');
  element.innerHTML = reference;
  if (known.size < MOST_KNOWN) known.set(reference, element.textContent);
  return element.textContent;
}

/**
 * What `decodeHTML` of `entities` gives, by the browser's own table: the panel's build puts it in the place of that package, whose tables
 * are 17 KB of the first opening (esbuild.config.mjs).
 */
export const decodeHTML = (text: string): string => text.replace(REFERENCE, decoded);
