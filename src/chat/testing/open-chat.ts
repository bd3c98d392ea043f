import { createScriptedModel, type ScriptedModel, type ScriptedReply } from '../../model/testing/scripted-model.ts';
import type { ToolChainEvent } from '../../tools/contract/events.ts';
import type { ApprovalRequest } from '../../tools/contract/types.ts';
import { VariableSystem } from '../../tools/executor/variables.ts';
import {
  createBasicGroup,
  createBlocksGroup,
  createDocumentsGroup,
  createNotebooksGroup,
  createSearchGroup,
  toolExecutorFactory,
} from '../../tools/index.ts';
import { InMemoryNotes, type InMemoryNotesOptions } from '../../tools/testing/in-memory-notes.ts';
import { inMemoryRights } from '../../tools/testing/in-memory-rights.ts';
import { createChatController } from '../controller/chat-controller.ts';
import type { ChatControllerDeps, OwnedChatController } from '../controller/controller-deps.ts';
import type { SessionSummary } from '../session/types.ts';
import { type ChatStorage, createMemoryStorage } from '../store/storage-port.ts';
import { createChatStore } from '../store/store.ts';
import type { ChatView } from '../view/view.ts';
import { counter, steppingClock } from './samples.ts';

export interface OpenChat {
  readonly chat: OwnedChatController;
  readonly model: ScriptedModel;
  readonly notes: InMemoryNotes;
  readonly storage: ChatStorage;
  readonly events: ToolChainEvent[];
  /** Resolves with the first view (or the current one) that meets the condition. */
  readonly until: (condition: (view: ChatView) => boolean) => Promise<ChatView>;
  /** The pending approval, as soon as there is one. */
  readonly approval: () => Promise<ApprovalRequest>;
}

export interface OpenChatOptions {
  readonly replies?: readonly ScriptedReply[];
  readonly storage?: ChatStorage;
  readonly notes?: InMemoryNotes;
  readonly before?: InMemoryNotesOptions['before'];
  readonly deps?: Partial<ChatControllerDeps>;
  /** Result approval of search_notes. */
  readonly resultPolicy?: 'never' | 'always';
  /** Other ids and a later clock than an earlier opening over the same storage. */
  readonly run?: number;
}

export function sampleNotes(before?: InMemoryNotesOptions['before']): InMemoryNotes {
  const documents = {
    '/Projects/Apollo': '# Apollo\n\nThe launch is planned for May.\n\nRisk: the budget is tight.',
    '/Recipes/Soup': 'Leek and potato.',
  };
  return new InMemoryNotes({
    notebooks: [{ name: 'Work', documents, daily: { '2026-11-22': 'Morning walk.' } }],
    before,
  });
}

/** All chats; throws if they cannot be read. */
export async function listed({ library }: Pick<OwnedChatController, 'library'>): Promise<readonly SessionSummary[]> {
  const found = await library.list();
  if (found.kind === 'failed') throw new Error(found.error.message);
  return found.items;
}

/** A whole chat over in-memory notes, in-memory storage and a scripted model. */
export async function openChat(options: OpenChatOptions = {}): Promise<OpenChat> {
  const run = options.run ?? 1;
  const storage = options.storage ?? createMemoryStorage();
  const notes = options.notes ?? sampleNotes(options.before);
  const model = createScriptedModel(options.replies ?? []);
  const clock = steppingClock(1_700_000_000_000 + run * 1_000_000);
  const groups = [createNotebooksGroup(notes), createDocumentsGroup(notes, clock), createSearchGroup(notes), createBlocksGroup(notes)];
  const events: ToolChainEvent[] = [];
  const chat = await createChatController({
    executorFactory: ({ approvalAdapter, askUser }) => {
      const varSystem = new VariableSystem({ clock });
      return toolExecutorFactory({
        approvalAdapter,
        clock,
        varSystem,
        rights: inMemoryRights(notes),
        groups: [...groups, createBasicGroup({ clock, timeZone: 'UTC', variables: varSystem, askUser })],
        permissions: { search_notes: { resultApprovalPolicy: options.resultPolicy ?? 'never' } },
        groupDefaults: { basic: true, notebooks: true, documents: true, search: true, blocks: true },
      });
    },
    model: () => ({ status: { label: model.label, kind: 'ready' }, model }),
    settings: () => ({ systemPrompt: '', chatOption: {}, toolCallMaxRounds: 10 }),
    store: createChatStore({ storage, device: 'dev', now: clock.now }),
    notes,
    history: notes,
    clock,
    device: 'dev',
    newId: counter(`r${run}-`),
    timeZone: 'UTC',
    onEvent: (event) => void events.push(event),
    ...options.deps,
  });
  const until = (condition: (view: ChatView) => boolean): Promise<ChatView> =>
    new Promise((resolve) => {
      if (condition(chat.view())) return resolve(chat.view());
      const stop = chat.subscribe((view) => {
        if (!condition(view)) return;
        stop();
        resolve(view);
      });
    });
  const approval = async (): Promise<ApprovalRequest> => {
    const view = await until(({ approvals }) => approvals.length > 0);
    const [request] = view.approvals;
    if (!request) throw new Error('no approval');
    return request;
  };
  return { chat, model, notes, storage, events, until, approval };
}
