import { lazyPart } from '../../tools/util/lazy.ts';
import type { LanguageModel } from '../language-model.ts';
import { createOpenAIModel } from '../openai-model.ts';
import { createServerModel, type ServerModelOptions } from './server-model.ts';
import type { WireProtocol } from './wire-protocol.ts';

export type CreateModel = (options: ServerModelOptions) => LanguageModel;

const loadAnthropic = lazyPart(async () => (await import('../anthropic/anthropic-wire.ts')).anthropicWire);
const loadResponses = lazyPart(async () => (await import('../responses/responses-wire.ts')).responsesWire);

/** Loads the maker of a protocol's models; the rare ones are files of their own. Rejects with `not_loaded`. */
export async function loadModel(protocol: WireProtocol, hostConfig: () => unknown = () => undefined): Promise<CreateModel> {
  const create = await loadCreate(protocol);
  return (options) => create({ ...options, hostConfig });
}

async function loadCreate(protocol: WireProtocol): Promise<CreateModel> {
  if (protocol === 'openai') return createOpenAIModel;
  const wire = await (protocol === 'anthropic-messages' ? loadAnthropic() : loadResponses());
  return (options) => createServerModel(options, wire);
}
