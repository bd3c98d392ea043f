import { ToolError } from '../../tools/contract/errors.ts';
import { ACCESS_ATTRIBUTE } from '../access/access-attribute.ts';
import { parseBlock } from '../blocks/block-dom.ts';
import { assertPlainAttribute, assertPlainName } from '../content/plain-name.ts';
import type { AttributesStep } from '../journal/structure-journal.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { allowOnBlock, GONE, observed, type StepDeps, type StepKind } from './structure-kind.ts';

export type AttributeValues = Readonly<Record<string, string | null>>;

/** Attributes that people set in SiYuan's own dialogs. */
const BUILT_IN = new Set(['name', 'alias', 'memo', 'bookmark']);
const OF_DOCUMENTS = new Set(['icon', 'tags']);
const CODE_POINTS = /^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/;
const EMOJI = /^[\p{Emoji}\p{Emoji_Component}]+$/u;
const CUSTOM = /^custom-[a-z][a-z0-9-]*$/;
/** Reserved for this plugin or read by SiYuan: rows, cards, files that are exported along, reminders and posts in its cloud. */
const NOT_FREE = /^custom-(?:marginalia-|avs$|riff-|sy-|hidden$|data-assets|reminder-|liandi-)/;
/** Values of this size were stored and read back (tests/contract/recorded/attributes.json). */
const MAX_VALUE_BYTES = 64 * 1024;

function checkName(name: string, ofDocument: boolean): void {
  const free = CUSTOM.test(name) && !NOT_FREE.test(name) && name !== ACCESS_ATTRIBUTE;
  if (free || BUILT_IN.has(name) || (ofDocument && OF_DOCUMENTS.has(name))) return;
  if (OF_DOCUMENTS.has(name)) throw new ToolError('protected_attribute', `only documents have "${name}"`, 'give the id of the document');
  if (/^custom-/.test(name) && !CUSTOM.test(name)) {
    throw new ToolError(
      'bad_attribute',
      `"${name}" is not an attribute name`,
      'after "custom-" come a letter a-z, then letters, digits and hyphens only',
    );
  }
  if (name === 'title') throw new ToolError('protected_attribute', 'a title is not an attribute', 'rename the document with organize_doc');
  throw new ToolError(
    'protected_attribute',
    `the attribute "${name}" belongs to SiYuan or to the user`,
    'set name, alias, memo, bookmark, or a custom- name of your own',
  );
}

/** An icon is an emoji by code points: a path would be fetched, and the code points of a tag would become HTML. */
function isEmoji(value: string): boolean {
  if (!CODE_POINTS.test(value)) return false;
  const points = value.split('-').map((point) => Number.parseInt(point, 16));
  return points.every((point) => point <= 0x10ffff) && EMOJI.test(String.fromCodePoint(...points));
}

/** The value as SiYuan stores it (model/blockial.go): trimmed, without zero-width and private characters; tags without duplicates. */
function kept(name: string, value: string): string | null {
  const text = value
    .replaceAll('\u00a0', ' ')
    .replace(/[\u200b\ufeff\p{Co}]/gu, '')
    .trim();
  if (new TextEncoder().encode(text).length > MAX_VALUE_BYTES)
    throw new ToolError('too_large', `the value of "${name}" is longer than 64 KiB`, 'write a shorter value, or put the text into a block');
  if (name === 'tags') {
    assertPlainName(text, 'tag');
    return [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '').join(',') || null;
  }
  if (!name.startsWith('custom-')) assertPlainAttribute(text, `value of ${name}`);
  if (name === 'icon' && text !== '' && !isEmoji(text))
    throw new ToolError('bad_attribute', `"${text}" is not an emoji`, 'write the emoji by its code points in hexadecimal, like 1f680');
  return text === '' ? null : text;
}

/** Names in lower case, values as SiYuan will store them, null for "remove". Rejects names that the model may not set. */
export function checkAttributes(attrs: Readonly<Record<string, string>>, ofDocument: boolean): AttributeValues {
  const entries = Object.entries(attrs).map(([given, value]): [string, string | null] => {
    const name = given.trim().toLowerCase();
    checkName(name, ofDocument);
    return [name, kept(name, value)];
  });
  if (entries.length === 0) throw new ToolError('no_change', 'no attribute was given', 'give attrs, like {"memo": "…"}');
  if (new Set(entries.map(([name]) => name)).size < entries.length)
    throw new ToolError('bad_attribute', 'an attribute is named twice', 'write each name once, in lower case');
  return Object.fromEntries(entries);
}

/** A value with line breaks is quoted: a line of it must not look like another attribute. */
const onOneLine = (value: string): string => (/[\r\n]/.test(value) ? JSON.stringify(value) : value);

export function attributeLines(values: AttributeValues): string | null {
  const lines = Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [`${name} = ${onOneLine(value)}`]));
  return lines.length === 0 ? null : lines.join('\n');
}

/** Values of these names, null if the block is gone, from its DOM: getBlockAttrs answers from a cache that outlives a deletion. */
export async function readAttributes(
  routes: KernelRoutes,
  step: { readonly blockId: string; readonly documentId: string },
  names: readonly string[],
  signal: AbortSignal,
): Promise<AttributeValues | null> {
  let values: Readonly<Record<string, string>> | undefined;
  if (step.blockId === step.documentId) {
    values = (await routes.exists(step.blockId, signal)) ? await routes.attributes(step.blockId, signal) : undefined;
  } else {
    values = parseBlock((await routes.doms([step.blockId], signal))[step.blockId] ?? '')?.attribs;
  }
  if (!values) return null;
  const known = values;
  // Lute writes a line break inside a DOM attribute as this word.
  return Object.fromEntries(names.map((name) => [name, known[name]?.replaceAll('_esc_newline_', '\n') || null]));
}

const sameValues = (one: AttributeValues, other: AttributeValues): boolean =>
  Object.keys(one).every((name) => (one[name] ?? null) === (other[name] ?? null));

export function createAttributesKind({ routes, structure, access }: StepDeps): StepKind<AttributesStep> {
  return {
    allow: allowOnBlock({ routes, access }),
    observe: async (step, signal) => {
      const now = await readAttributes(routes, step, Object.keys(step.after), signal);
      if (!now) return GONE;
      return { at: observed(sameValues(step.before, now), sameValues(step.after, now)), now: attributeLines(now) ?? '' };
    },
    run: async (step) => {
      await structure.setAttributes(step.blockId, step.after);
      return step;
    },
    revert: async (step) => {
      await structure.setAttributes(step.blockId, step.before);
      return [];
    },
    wordsBefore: (step) => attributeLines(step.before) ?? '',
  };
}
