import { type OpenChat, type OpenChatOptions, openChat, sampleNotes } from '../../../chat/testing/open-chat.ts';
import { steppingClock } from '../../../chat/testing/samples.ts';
import { openSettings } from '../../../host/settings/settings.ts';
import type { LanguageModel } from '../../../model/language-model.ts';
import { createScriptedModel, type ScriptedModel, type ScriptedReply } from '../../../model/testing/scripted-model.ts';
import type { ToolCallBehavior } from '../../../tools/contract/tool-call-config.ts';
import type { InMemoryNotes } from '../../../tools/testing/in-memory-notes.ts';
import { inMemoryRights } from '../../../tools/testing/in-memory-rights.ts';
import { createChatExecutor } from '../chat-executor.ts';

/** A model for each conversation: the chat's own, and one for each task. */
export type Scripts = Readonly<Record<string, readonly ScriptedReply[]>>;

export interface SpawningChat extends OpenChat {
  /** By the task, or `chat`. */
  readonly models: Readonly<Record<string, ScriptedModel>>;
}

export interface SpawningOptions extends Omit<OpenChatOptions, 'replies'> {
  /** Around the model of the chat, as a budget is. */
  readonly around?: (model: LanguageModel) => LanguageModel;
  readonly groups?: Readonly<Record<string, boolean>>;
  /** How calls run, if not by default. */
  readonly behavior?: Partial<ToolCallBehavior>;
}

function routed(models: Readonly<Record<string, ScriptedModel>>): LanguageModel {
  return {
    label: 'scripted',
    model: 'scripted',
    complete: (request, signal, onDelta) => {
      const [system, first] = request.messages;
      const isSub = system?.role === 'system' && system.content.includes('You are a sub-agent');
      const route = isSub && first?.role === 'user' ? first.content : 'chat';
      const model = models[route];
      if (!model) throw new Error(`no script for ${route}`);
      return model.complete(request, signal, onDelta);
    },
  };
}

/** A chat over notes in memory with the tools of the product, group `agents` among them. */
export async function openSpawningChat(scripts: Scripts, options: SpawningOptions = {}): Promise<SpawningChat> {
  const { around = (model) => model, groups = {}, behavior = {}, ...rest } = options;
  const notes: InMemoryNotes = options.notes ?? sampleNotes(options.before);
  const models = Object.fromEntries(Object.entries(scripts).map(([name, replies]) => [name, createScriptedModel(replies)]));
  const clock = steppingClock(1_700_000_000_000 + (options.run ?? 1) * 1_000_000);
  const secrets = { get: () => undefined, set: () => undefined };
  const files = { read: async () => null, write: async () => undefined, list: async () => [] };
  const settings = await openSettings(files, secrets, clock.now);
  const opened = await openChat({
    ...rest,
    notes,
    deps: {
      model: () => {
        const model = around(routed(models));
        return { status: { label: model.label, kind: 'ready' }, model };
      },
      executorFactory: (ports) =>
        createChatExecutor(
          {
            base: { clock, exportFiles: { write: async (name) => ({ path: name }) } },
            notes: { notes, rights: inMemoryRights(notes) },
            languages: () => [],
            contents: () => [],
            settings: {
              get: () => {
                const now = settings.get();
                return { ...now, groups: { agents: true, ...groups }, toolCalls: { ...now.toolCalls, ...behavior } };
              },
            },
            meaningServer: () => undefined,
          },
          ports,
        ),
      ...options.deps,
    },
  });
  return { ...opened, models };
}
