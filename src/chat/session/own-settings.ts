import type { OwnSettings, OwnSettingsPatch } from './types.ts';

export function ownSettings({ model, systemPrompt, options, contextMessages, toolProtocol, planFirst }: OwnSettingsPatch): OwnSettings {
  return {
    ...(model ? { model } : {}),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(options && Object.keys(options).length > 0 ? { options } : {}),
    ...(contextMessages === undefined ? {} : { contextMessages }),
    ...(toolProtocol === undefined ? {} : { toolProtocol }),
    ...(planFirst ? { planFirst } : {}),
  };
}

export function withOwnSettings<T extends OwnSettings>(chat: T, patch: OwnSettingsPatch): Omit<T, keyof OwnSettings> & OwnSettings {
  const {
    model: _model,
    systemPrompt: _prompt,
    options: _options,
    contextMessages: _messages,
    toolProtocol: _calls,
    planFirst: _first,
    ...rest
  } = chat;
  return { ...rest, ...ownSettings({ ...chat, ...patch }) };
}
