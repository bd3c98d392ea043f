import type { PrivacySettings } from '../../model/masking/privacy-fields.ts';
import type { ChatOption } from '../../tools/contract/messages.ts';
import type { ToolProtocol } from '../../tools/contract/tool-call-config.ts';
import { isRecord } from '../../tools/util/plain-value.ts';
import type { OwnSettings } from '../session/types.ts';

export interface ChatSettings {
  readonly systemPrompt: string;
  readonly chatOption: ChatOption;
  readonly toolCallMaxRounds: number;
  readonly toolHistory?: 'compressed' | 'full';
  /** Values that are replaced by placeholders before they reach the model. Default: none. */
  readonly privacy?: PrivacySettings;
  /** The maximum number of tokens in a request; default: the model's limit. */
  readonly contextTokens?: number | undefined;
  /** The number of earlier messages sent with a question; default: all. Pinned ones are always sent. */
  readonly contextMessages?: number | undefined;
  readonly toolProtocol?: ToolProtocol;
  readonly planFirst?: true;
  /** Tools and groups that the user switched on or off, by name. */
  readonly tools?: Readonly<Record<string, boolean>>;
  readonly groups?: Readonly<Record<string, boolean>>;
  /** Summarizes older messages of a chat that becomes too long. Default: yes. */
  readonly summaries?: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

const isPlain = (value: unknown): value is Fields => isRecord(value) && Object.getPrototypeOf(value) === Object.prototype;

/** `over` wins; objects are merged, everything else (arrays too) is replaced. */
function deepMerge(base: Fields, over: Fields): Fields {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    merged[key] = isPlain(below) && isPlain(value) ? deepMerge(below, value) : value;
  }
  return merged;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isPlain(value) && Object.keys(value).length === 0);

function clean(options: Fields): Fields {
  const entries = Object.entries(options).map(([key, value]): [string, unknown] => [key, isPlain(value) ? clean(value) : value]);
  return Object.fromEntries(entries.filter(([, value]) => !isEmpty(value)));
}

/** The settings' options under the chat's own, merged deeply; null and empty fields are left out. */
export function mergeChatOption(settings: ChatOption, custom: ChatOption | undefined): ChatOption {
  return clean(deepMerge(settings, custom ?? {}));
}

export function settingsOfChat(
  settings: ChatSettings,
  { systemPrompt, options, contextMessages, toolProtocol, planFirst }: OwnSettings,
): ChatSettings {
  return {
    ...settings,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    chatOption: mergeChatOption(settings.chatOption, options),
    ...(contextMessages === undefined ? {} : { contextMessages }),
    ...(toolProtocol === undefined ? {} : { toolProtocol }),
    ...(planFirst ? { planFirst } : {}),
  };
}
