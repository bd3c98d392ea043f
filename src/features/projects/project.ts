import * as v from 'valibot';
import type { ModelRef } from '../../model/providers.ts';
import { parsedJson } from '../../tools/util/plain-value.ts';

/** What is set for the chats of a project, beside the text of its note, which is their instructions. */
export interface ProjectSettings {
  readonly schema: 1;
  /** The notebooks, and the notes with what is below them, that they keep to; absent: all that the settings allow. */
  readonly scope?: { readonly notebooks: readonly string[]; readonly notes: readonly string[] } | undefined;
  /** What a new chat begins with. */
  readonly model?: ModelRef | undefined;
  /** The only skills that they are offered; absent: all that are on. */
  readonly skills?: readonly string[] | undefined;
  /** Tokens of each answer, with all its requests. */
  readonly tokens?: number | undefined;
}

const ids = v.array(v.pipe(v.string(), v.regex(/^\d{14}-[0-9a-z]{7}$/)));
/** Whatever cannot be read makes the whole unreadable: nothing is wider than it was meant. */
const format: v.GenericSchema<unknown, ProjectSettings> = v.object({
  schema: v.literal(1),
  scope: v.optional(v.object({ notebooks: ids, notes: ids })),
  model: v.optional(v.object({ providerId: v.string(), model: v.string() })),
  skills: v.optional(v.array(v.string())),
  tokens: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
});

/** Of the attribute; undefined if there is none, or it is damaged or of a later version. */
export function readSettings(attribute: string | undefined): ProjectSettings | undefined {
  const parsed = v.safeParse(format, parsedJson(attribute ?? ''));
  return parsed.success ? parsed.output : undefined;
}
