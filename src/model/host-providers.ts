import * as v from 'valibot';
import { fieldOf, isRecord } from '../tools/util/plain-value.ts';
import type { Provider, ProviderModel } from './provider.ts';
import { readWireProtocol } from './server/wire-protocol.ts';

/** A provider of SiYuan's settings that nobody but SiYuan can ask: it is signed in to an account, or speaks what is not known here. */
export interface SkippedProvider {
  readonly name: string;
  readonly reason: 'account' | 'protocol';
}

const ModelSchema = v.object({
  id: v.string(),
  name: v.string(),
  displayName: v.optional(v.string(), ''),
  enabled: v.optional(v.boolean(), true),
  contextLength: v.optional(v.fallback(v.number(), 0), 0),
});
const ProviderSchema = v.object({
  id: v.string(),
  displayName: v.optional(v.string(), ''),
  enabled: v.optional(v.boolean(), true),
  apiKey: v.optional(v.string(), ''),
  baseURL: v.string(),
  protocol: v.optional(v.string(), ''),
  authType: v.optional(v.unknown()),
  headers: v.optional(v.unknown()),
  requestTimeout: v.optional(v.unknown()),
  models: v.nullish(v.array(v.unknown()), []),
});
type HostProvider = v.InferOutput<typeof ProviderSchema>;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** An account's token is SiYuan's alone. */
const isAccount = ({ authType }: HostProvider): boolean => /^\s*chatgpt\s*$/i.test(String(authType));

const enabledProviders = (configAi: unknown): readonly HostProvider[] =>
  listOf(fieldOf(configAi, 'providers')).flatMap((entry) => {
    const parsed = v.safeParse(ProviderSchema, entry);
    return parsed.success && parsed.output.enabled && parsed.output.baseURL ? [parsed.output] : [];
  });

/** Reads `window.siyuan.config.ai`: enabled providers with a known protocol and their enabled models, without invalid entries. */
export function readHostProviders(configAi: unknown): readonly Provider[] {
  return enabledProviders(configAi).flatMap((entry): Provider[] => {
    const { id, displayName, apiKey, baseURL, headers, requestTimeout, models } = entry;
    const protocol = readWireProtocol(entry.protocol);
    if (protocol === undefined || isAccount(entry)) return [];
    const more = {
      ...(protocol === 'openai' ? {} : { protocol }),
      ...(isRecord(headers) ? { headers } : {}),
      ...(Number(requestTimeout) > 0 ? { timeoutMs: Number(requestTimeout) * 1000 } : {}),
    };
    const usable = (models ?? []).flatMap((model): ProviderModel[] => {
      const read = v.safeParse(ModelSchema, model);
      if (!read.success || !read.output.enabled || !read.output.name) return [];
      const { id, name, displayName, contextLength } = read.output;
      return [{ id, model: name, name: displayName || name, ...(contextLength >= 512 ? { window: contextLength } : {}) }];
    });
    return usable.length ? [{ id, name: displayName || id, baseURL, apiKey, kind: 'siyuan', ...more, models: usable }] : [];
  });
}

export function skippedProviders(configAi: unknown): readonly SkippedProvider[] {
  return enabledProviders(configAi).flatMap((entry): SkippedProvider[] => {
    const name = entry.displayName || entry.id;
    if (isAccount(entry)) return [{ name, reason: 'account' }];
    return readWireProtocol(entry.protocol) === undefined ? [{ name, reason: 'protocol' }] : [];
  });
}

/** Builds for some shops have SiYuan's AI switched off: then its AI settings are ignored. `config`: `window.siyuan.config`. */
export const isAiOff = (config: unknown): boolean => listOf(fieldOf(fieldOf(config, 'system'), 'disabledFeatures')).includes('ai');

/** `ai` of the host's configuration, unless the host has its AI switched off. */
export const hostAiOf = (config: unknown): unknown => (isAiOff(config) ? undefined : fieldOf(config, 'ai'));
