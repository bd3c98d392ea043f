import { ToolError } from '../contract/errors.ts';
import type { NotePlanner } from '../contract/note-planner.ts';
import { type Draft, operation, requireIds, requireOneNotebook, shownDocument } from './in-memory-drafts.ts';
import type { InMemoryStore } from './in-memory-store.ts';

const OF_BLOCKS = /^(?:name|alias|memo|bookmark)$/u;
const OF_DOCUMENTS = /^(?:icon|tags)$/u;
const CUSTOM = /^custom-[a-z][a-z0-9-]*$/u;
const NOT_FREE = /^custom-(?:marginalia-.*|ai-access|avs|riff-.*|sy-.*)$/u;

function checkName(name: string, ofDocument: boolean): void {
  if ((CUSTOM.test(name) && !NOT_FREE.test(name)) || OF_BLOCKS.test(name) || (ofDocument && OF_DOCUMENTS.test(name))) return;
  if (name.startsWith('custom-') && !CUSTOM.test(name)) {
    throw new ToolError('bad_attribute', `${name} is not an attribute name`, 'after "custom-" come letters a-z, digits and hyphens');
  }
  throw new ToolError('protected_attribute', `${name} may not be set`, 'leave it as it is');
}

type Values = readonly (readonly [string, string])[];

function lines(values: Values): string | null {
  const set = values.filter(([, value]) => value !== '');
  return set.length === 0 ? null : set.map(([name, value]) => `${name} = ${value}`).join('\n');
}

export function draftAttributes(store: InMemoryStore, { ids, attrs }: Parameters<NotePlanner['planAttributes']>[0]): Draft {
  const given: Values = Object.entries(attrs).map(([name, value]) => [name.trim().toLowerCase(), value.trim()]);
  const places = requireIds(ids).map((id) => ({ id, ...store.locate(id) }));
  requireOneNotebook(places.map(({ document }) => document));
  const changed = places.flatMap(({ id, document, block }) => {
    for (const [name] of given) checkName(name, block === undefined);
    const now = store.attributes.get(id) ?? {};
    const after = given.filter(([name, value]) => (now[name] ?? '') !== value);
    const before: Values = after.map(([name]) => [name, now[name] ?? '']);
    return after.length === 0 ? [] : [{ id, document, block, before, after }];
  });
  const [first] = changed;
  if (first === undefined) throw new ToolError('no_change', 'these attributes already have these values', 'leave them as they are');
  return {
    notebook: first.document.notebook,
    document: shownDocument(first.document),
    names: ids,
    operations: changed.map(({ id, document, block, before, after }) =>
      operation('set-attributes', id, block?.type ?? 'd', lines(before), lines(after), {
        attributes: after.map(([name, value], index) => ({ name, before: before[index]?.[1] || null, after: value || null })),
        document: shownDocument(document),
      }),
    ),
    run: (accepted) => {
      const kept = changed.filter(({ id }) => accepted.has(`set-attributes-${id}`));
      for (const { id, after } of kept) {
        const merged = { ...store.attributes.get(id), ...Object.fromEntries(after) };
        store.attributes.set(id, Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== '')));
      }
      return { documentId: first.document.id, blockIds: kept.map(({ id }) => id) };
    },
  };
}
