import type { OwnSettings, OwnSettingsPatch } from './types.ts';

/** The chat's own settings, without anything else of it. */
export function ownSettings({ model, systemPrompt, options, contextMessages, toolProtocol }: OwnSettingsPatch): OwnSettings {
  return {
    ...(model ? { model } : {}),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(options && Object.keys(options).length > 0 ? { options } : {}),
    ...(contextMessages === undefined ? {} : { contextMessages }),
    ...(toolProtocol === undefined ? {} : { toolProtocol }),
  };
}

/** The chat with changed own settings. */
export function withOwnSettings<T extends OwnSettings>(chat: T, patch: OwnSettingsPatch): Omit<T, keyof OwnSettings> & OwnSettings {
  const { model: _model, systemPrompt: _prompt, options: _options, contextMessages: _messages, toolProtocol: _calls, ...rest } = chat;
  return { ...rest, ...ownSettings({ ...chat, ...patch }) };
}
