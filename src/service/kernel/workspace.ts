import { asChatStorage } from '../../app/workspace/chat-storage.ts';
import { createFindFirst } from '../../app/workspace/search-first.ts';
import { systemClock, timeZone } from '../../app/workspace/system-clock.ts';
import { readPrompts } from '../../chat/prompts/custom-prompts.ts';
import { summarize } from '../../chat/turn/summarize.ts';
import { joined } from '../../tools/util/turns.ts';
import { notesKnowledge } from './notes-knowledge.ts';
import { newId } from './random.ts';
import { openChatStore } from './workspace-chats.ts';
import { openFeatures, type StartFeatures } from './workspace-features.ts';
import { openHost } from './workspace-host.ts';
import { openModel } from './workspace-model.ts';
import { openNotes } from './workspace-notes.ts';
import { openTools } from './workspace-tools.ts';
import type { Workspace, WorkspaceOptions } from './workspace-types.ts';

/** Wires the same parts as the panel, without a page. Rejects with ToolError if the kernel does not answer. */
export async function openWorkspace(options: WorkspaceOptions, startFeatures: StartFeatures): Promise<Workspace> {
  const closing = new AbortController();
  const { signal } = closing;
  const host = await openHost(options, signal);
  const { base, settings, configuration } = host;
  const features = openFeatures(host, options, startFeatures, signal);
  const { models, named, refresh } = await openModel(host, options, features.models, signal);
  const { notes, at, under, changes } = openNotes(host, options, signal);
  const projects = features.projects?.(notes, under);
  const store = openChatStore(host, options, signal);
  const about = notesKnowledge(host, notes, changes, signal);
  await about.look(configuration.ai);
  const { readPdf } = features;
  const tools = openTools({ base, settings, at, readPdf, about, features, projects, policy: options.policy });
  const storage = asChatStorage(base.storage);
  return {
    ...{ models, store, toolsFor: tools.toolsFor, applySettings: tools.applySettings, executorFactory: tools.executorFactory },
    ...{ projects, project: projects?.of, readProject: tools.readProject },
    unattended: {
      ...{ storage, leaseStorage: base.cache, notes: notes.notes, modelNamed: named, settings: () => settings.get() },
      ...{ executor: tools.asking, runTools: tools.runTools, notesFor: tools.notesFor, projects },
    },
    notebooks: () => base.routes.notebooks(signal),
    prompts: () => readPrompts(settings.get().prompts),
    ...{ clock: systemClock, newId, device: options.device, timeZone: timeZone(), assets: base.assets, readPdf, onTurn: base.turns.begin },
    settings: () => settings.get(),
    ...{ summaries: async () => summarize, findFirst: createFindFirst(notes) },
    history: features.history(notes.history),
    problem: settings.problem,
    shownRecords: { storage, days: () => settings.get().activityDays },
    // Once for concurrent requests; what is known of notes is read by the rights that the settings have then.
    refresh: joined(async () => {
      const [ai] = await Promise.all([refresh(), settings.reload()]);
      await about.look(ai);
      features.refresh();
    }),
    close() {
      closing.abort();
      notes.close();
      features.close();
    },
  };
}
