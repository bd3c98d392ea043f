import type { ServerDraft, ServerEntry } from '../servers-port.ts';

export interface EditedServer {
  /** What it is called until now; '' of a new one. */
  readonly before: string;
  name: string;
  kind: 'address' | 'program';
  place: string;
  /** Of a program, one on each line. */
  args: string;
  /** `value` undefined: as it is on this device. */
  values: { name: string; value: string | undefined; readonly isSet: boolean }[];
}

export const newServer = (server?: ServerEntry): EditedServer => ({
  before: server?.name ?? '',
  name: server?.name ?? '',
  kind: server?.command === undefined ? 'address' : 'program',
  place: server?.url ?? server?.command ?? '',
  args: (server?.args ?? []).join('\n'),
  values: (server?.values ?? []).map(({ name, isSet }) => ({ name, isSet, value: undefined })),
});

/** An address without a scheme is completed, since nobody types one: on this machine without encryption. */
function completed(address: string): string {
  if (/^[a-z]+:\/\//i.test(address)) return address;
  return `${/^(?:localhost|127\.|\[::1\])/i.test(address) ? 'http' : 'https'}://${address}`;
}

export function draftOf({ name, kind, place, args, values }: EditedServer): ServerDraft {
  const named = values
    .map(({ name: field, value }) => ({ name: field.trim(), value: value === undefined ? undefined : value.trim() }))
    .filter(({ name: field }) => field !== '');
  const given = place.trim();
  if (kind === 'address') return { name: name.trim(), url: completed(given), values: named };
  const lines = args
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return { name: name.trim(), command: given, args: lines, values: named };
}
