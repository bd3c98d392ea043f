import * as v from 'valibot';
import type { DecodedMessage, ProjectedMessage, ProjectedVariable } from '../../chat/ports/chat-document.ts';
import { describeThrown } from '../../tools/contract/errors.ts';
import { fromBase64, joinBytes, toBase64 } from '../../tools/util/base64.ts';

// Values for block attributes: base64url of deflate-raw of JSON. CompressionStream also works over plain HTTP.

/** A packed value that unpacks to more than this is not ours: anybody can edit an attribute. */
const MAX_UNPACKED_BYTES = 16 * 1024 * 1024;

type Unpacked = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

async function collect(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) {
      await reader.cancel();
      throw new RangeError('it unpacks to more than 16 MiB');
    }
    parts.push(value);
  }
  return joinBytes(parts);
}

function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
}

export async function pack(value: unknown): Promise<string> {
  const bytes = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return toBase64Url(await collect(bytes, Number.POSITIVE_INFINITY));
}

/** Never throws: the result names the reason. */
export async function unpack(text: string): Promise<Unpacked> {
  try {
    const bytes = new Blob([fromBase64Url(text)]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return { ok: true, value: JSON.parse(new TextDecoder().decode(await collect(bytes, MAX_UNPACKED_BYTES))) };
  } catch (error) {
    return { ok: false, reason: describeThrown(error) };
  }
}

/** Block attributes of a chat that is saved in a document. Never shown to the model. */
export const CHAT_ATTRIBUTES = {
  session: 'custom-marginalia-session',
  project: 'custom-marginalia-chat-project',
  node: 'custom-marginalia-node',
  parent: 'custom-marginalia-parent',
  role: 'custom-marginalia-role',
  message: 'custom-marginalia-message',
  chain: 'custom-marginalia-chain',
  vars: 'custom-marginalia-vars',
} as const;

/** Packed bytes of variables per message; 48 KiB on each of 40 blocks made a document slow. */
export const MAX_PACKED_VARIABLES = 8 * 1024;

const variableSchema = v.object({
  name: v.string(),
  type: v.string(),
  value: v.optional(v.string()),
  file: v.optional(v.string()),
  sha256: v.optional(v.string()),
  desc: v.optional(v.string()),
  created: v.optional(v.number()),
  sources: v.optional(v.unknown()),
  node: v.optional(v.string()),
});

export interface PackedVariables {
  readonly packed: string;
  /** Names whose values did not fit: they are saved by name only, and the caller stores the values elsewhere. */
  readonly omitted: readonly string[];
}

/** Packs variables into at most 8 KiB, leaving out the largest values first. Every name stays, so that a missing value can be reported. */
export async function packVariables(variables: readonly ProjectedVariable[]): Promise<PackedVariables> {
  const omitted = new Set<string>();
  const bySize = [...variables]
    .filter((each) => each.value !== undefined)
    .sort((one, other) => (other.value?.length ?? 0) - (one.value?.length ?? 0));
  for (;;) {
    const kept = variables.map((each) => {
      if (!omitted.has(each.name)) return each;
      const { value: _value, ...rest } = each;
      return rest;
    });
    const packed = await pack(kept);
    const next = bySize.find((each) => !omitted.has(each.name));
    if (packed.length <= MAX_PACKED_VARIABLES || !next) return { packed, omitted: [...omitted] };
    omitted.add(next.name);
  }
}

export interface EncodedMessage {
  readonly attributes: Readonly<Record<string, string>>;
  readonly omittedVariables: readonly string[];
}

export async function encodeMessage(sessionId: string, message: ProjectedMessage, textHash: string): Promise<EncodedMessage> {
  const attributes: Record<string, string> = {
    [CHAT_ATTRIBUTES.session]: sessionId,
    [CHAT_ATTRIBUTES.node]: message.nodeId,
    [CHAT_ATTRIBUTES.role]: message.role,
    [CHAT_ATTRIBUTES.message]: await pack({ ...message.message, textHash }),
  };
  if (message.parentId !== null) attributes[CHAT_ATTRIBUTES.parent] = message.parentId;
  if (message.chain?.length) attributes[CHAT_ATTRIBUTES.chain] = await pack(message.chain);
  if (!message.vars?.length) return { attributes, omittedVariables: [] };
  const { packed, omitted } = await packVariables(message.vars);
  attributes[CHAT_ATTRIBUTES.vars] = packed;
  return { attributes, omittedVariables: omitted };
}

const roleSchema = v.picklist(['user', 'assistant', 'separator']);

export async function decodeMessage(attributes: Readonly<Record<string, string>>): Promise<DecodedMessage | null> {
  const nodeId = attributes[CHAT_ATTRIBUTES.node];
  const role = v.safeParse(roleSchema, attributes[CHAT_ATTRIBUTES.role]);
  if (!nodeId || !role.success) return null;
  const problems: string[] = [];
  async function read<T>(name: string, schema: v.GenericSchema<unknown, T>): Promise<T | undefined> {
    const text = attributes[name];
    if (text === undefined) return undefined;
    const unpacked = await unpack(text);
    const parsed = unpacked.ok ? v.safeParse(schema, unpacked.value) : undefined;
    if (parsed?.success) return parsed.output;
    problems.push(name);
    return undefined;
  }
  const raw = await read(CHAT_ATTRIBUTES.message, v.record(v.string(), v.unknown()));
  const chain = await read(CHAT_ATTRIBUTES.chain, v.array(v.unknown()));
  const vars = await read(CHAT_ATTRIBUTES.vars, v.array(variableSchema));
  const { textHash, ...message } = raw ?? {};
  return {
    sessionId: attributes[CHAT_ATTRIBUTES.session] ?? '',
    nodeId,
    parentId: attributes[CHAT_ATTRIBUTES.parent] ?? null,
    role: role.output,
    textHash: typeof textHash === 'string' ? textHash : '',
    problems,
    chain,
    vars,
    message: raw === undefined ? undefined : message,
  };
}
