import type { ChatContext } from '../../chat/session/types.ts';
import type { NotebookInfo, NotebookRight } from '../../tools/contract/ports.ts';
import type { ContextChoice } from '../ports/context-choice.ts';
import type { Drawing, HostUi, NoteChoice } from '../ports/host-ui.ts';
import type {
  PanelSettings,
  PanelSettingsPatch,
  ResultPolicy,
  SettingsPort,
  ToolGroupSetting,
  ToolPolicy,
} from '../ports/settings-port.ts';
import { emptyView } from './fake-controller.ts';

declare global {
  interface Window {
    katex?: { renderToString(tex: string, options: Readonly<Record<string, unknown>>): string };
    hljs?: {
      getLanguage(name: string): unknown;
      highlight(text: string, options: { readonly language: string; readonly ignoreIllegals: boolean }): { readonly value: string };
    };
  }
}

const CHOICES: readonly ContextChoice[] = [
  { kind: 'document', group: 'here', id: '20260412093000-apollo0', title: 'Apollo', place: 'Open note' },
  {
    kind: 'selection',
    group: 'here',
    id: '20260412093000-caretat',
    title: 'The kickoff is on Monday',
    place: 'Selected text',
    text: 'The kickoff is on Monday.',
  },
  { kind: 'document', group: 'documents', id: '20260412093000-heat000', title: 'Urban heat', place: 'Research/Climate/Urban heat' },
  {
    kind: 'document',
    group: 'documents',
    id: '20260412093000-journal',
    title: '城市热岛的观测记录与整理',
    place: 'Research/观测/城市热岛的观测记录与整理',
  },
  { kind: 'block', group: 'blocks', id: '20260412093000-block00', title: 'Street trees cool the surface by 12 °C', place: 'Urban heat' },
  { kind: 'notebook', group: 'notebooks', id: 'nb-research', title: 'Research', place: '' },
  { kind: 'tag', group: 'tags', id: 'thesis', title: 'thesis', place: '12' },
];

export class FakeHost implements HostUi {
  mobile = false;
  hasEditor = true;
  answer = true;
  readonly log: (readonly [string, ...unknown[]])[] = [];
  /** Whether formulas may hold links and pictures: only tests of the net behind the renderer let them. */
  trusting = false;
  /** Blocks that are gone. */
  readonly gone = new Set<string>();

  openBlock(id: string): void {
    this.log.push(['openBlock', id]);
  }

  caretBlock(): string | undefined {
    return this.hasEditor ? '20260412093000-caretat' : undefined;
  }

  noteInEditor(): NoteChoice | undefined {
    return this.hasEditor ? { id: '20260412093000-apollo0', title: 'Apollo', place: '' } : undefined;
  }

  async findNotes(words: string): Promise<readonly NoteChoice[]> {
    const notes = [
      { id: '20260412093000-apollo0', title: 'Apollo', place: 'Projects/Apollo' },
      { id: '20260412093000-heat000', title: 'Urban heat', place: 'Research/Climate/Urban heat' },
      { id: '20260412093000-journal', title: '城市热岛的观测记录与整理', place: 'Research/观测/城市热岛的观测记录与整理' },
    ];
    return notes.filter(({ title }) => title.toLowerCase().includes(words.toLowerCase()));
  }

  async findContexts(words: string): Promise<readonly ContextChoice[]> {
    this.log.push(['findContexts', words]);
    return CHOICES.filter(({ title }) => title.toLowerCase().includes(words.toLowerCase()));
  }

  async readContext({ kind, id, title, text }: ContextChoice): Promise<ChatContext> {
    this.log.push(['readContext', id]);
    return { kind, id, title, text: text ?? `Text of ${title}. `.repeat(40) };
  }

  async readDragged(ids: readonly string[]): Promise<readonly ChatContext[]> {
    this.log.push(['readDragged', ...ids]);
    return ids.map((id) => ({ kind: 'block', id, title: `Block ${id}`, text: 'Dragged' }));
  }

  async openNote(): Promise<ContextChoice | undefined> {
    return this.hasEditor ? CHOICES[0] : undefined;
  }

  openAsset(path: string): void {
    this.log.push(['openAsset', path]);
  }

  async readClipboard(): Promise<string> {
    return 'from the clipboard';
  }

  async confirm(question: { title: string; text: string; action: string }): Promise<boolean> {
    this.log.push(['confirm', question.text]);
    return this.answer;
  }

  async blockMarkdown(id: string): Promise<string | null> {
    return this.gone.has(id) ? null : `Text of the block ${id}`;
  }

  /** As the host: with what its scripts put on the page. */
  async drawing(): Promise<Drawing | null> {
    const { katex, hljs } = window;
    if (!katex && !hljs) return null;
    return {
      formula: (tex, displayMode) =>
        katex?.renderToString(tex, { displayMode, output: 'html', throwOnError: false, trust: this.trusting }) ?? null,
      code: (text, language) => (hljs?.getLanguage(language) ? hljs.highlight(text, { language, ignoreIllegals: true }).value : null),
    };
  }

  async writeClipboard(text: string): Promise<boolean> {
    this.log.push(['writeClipboard', text]);
    return true;
  }
}

const tool = (name: string, policy: ToolPolicy = 'auto') => ({
  name,
  enabled: true,
  callable: true,
  policy,
  results: 'never' as const,
  acts: policy !== 'auto',
});

const GROUPS: readonly ToolGroupSetting[] = [
  { group: 'basic', enabled: true, tools: [tool('datetime'), tool('calculate'), tool('ask_user'), tool('todo')] },
  { group: 'notebooks', enabled: true, tools: [tool('list_notebooks'), tool('manage_notebook', 'ask-always')] },
  {
    group: 'documents',
    enabled: true,
    tools: [
      ...['list_docs', 'read_doc', 'read_docs', 'get_outline', 'recent_docs'].map((name) => tool(name)),
      ...['create_doc', 'organize_doc', 'delete_doc', 'daily_note'].map((name) => tool(name, 'ask-always')),
    ],
  },
  {
    group: 'blocks',
    enabled: true,
    tools: [
      ...['read_block', 'block_info'].map((name) => tool(name)),
      ...['edit_block', 'insert_blocks', 'move_blocks', 'delete_blocks', 'rewrite_doc'].map((name) => tool(name, 'ask-always')),
    ],
  },
  { group: 'search', enabled: true, tools: ['search_notes', 'grep_doc', 'backlinks', 'query_sql'].map((name) => tool(name)) },
  { group: 'attributes', enabled: true, tools: [tool('attributes', 'ask-always')] },
  { group: 'tags', enabled: true, tools: [tool('tags', 'ask-always')] },
  { group: 'export', enabled: false, tools: [tool('export_doc')] },
  { group: 'mcp:weather', enabled: false, tools: [tool('get_forecast', 'ask-once')] },
];

/** Settings in memory. */
export class FakeSettings implements SettingsPort {
  readonly log: (readonly [string, ...unknown[]])[] = [];
  #settings: PanelSettings = {
    model: { source: 'host', providerId: 'openai', baseURL: '', model: 'gpt-4.1-mini', hasKey: false },
    providers: [{ id: 'openai', name: 'OpenAI', models: [{ id: 'gpt-4.1-mini', name: 'gpt-4.1-mini' }] }],
    systemPrompt: '',
    toolCallMaxRounds: 10,
    contextMessages: undefined,
    contextTokens: undefined,
    toolHistory: 'compressed',
    privacy: { enabled: false, fields: [] },
    prices: {},
    budget: {},
    localOnly: false,
    prompts: [],
    translateTo: '',
    sendWith: 'enter',
  };
  #groups = GROUPS;
  #notebooks: readonly NotebookInfo[] = [...emptyView.notebooks, { id: 'nb-private', name: 'Private', open: false, right: 'none' }];
  readonly #listeners = new Set<() => void>();

  get(): PanelSettings {
    return this.#settings;
  }

  async update(patch: PanelSettingsPatch): Promise<void> {
    this.log.push(['update', patch]);
    const { apiKey, ...model } = patch.model ?? {};
    this.#settings = {
      ...this.#settings,
      ...(patch.systemPrompt === undefined ? {} : { systemPrompt: patch.systemPrompt }),
      ...(patch.toolCallMaxRounds === undefined ? {} : { toolCallMaxRounds: patch.toolCallMaxRounds }),
      ...('contextMessages' in patch ? { contextMessages: patch.contextMessages } : {}),
      ...('contextTokens' in patch ? { contextTokens: patch.contextTokens } : {}),
      ...(patch.toolHistory === undefined ? {} : { toolHistory: patch.toolHistory }),
      privacy: { ...this.#settings.privacy, ...patch.privacy },
      ...(patch.budget === undefined ? {} : { budget: patch.budget }),
      ...(patch.prices === undefined ? {} : { prices: patch.prices }),
      ...(patch.localOnly === undefined ? {} : { localOnly: patch.localOnly }),
      ...(patch.prompts === undefined ? {} : { prompts: patch.prompts }),
      ...(patch.translateTo === undefined ? {} : { translateTo: patch.translateTo }),
      ...(patch.sendWith === undefined ? {} : { sendWith: patch.sendWith }),
      model: { ...this.#settings.model, ...model, hasKey: this.#settings.model.hasKey || Boolean(apiKey) },
    };
    this.#changed();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tools(): readonly ToolGroupSetting[] {
    return this.#groups.map(({ tools, ...group }) => ({
      ...group,
      tools: tools.map((each) => ({ ...each, callable: group.enabled && each.enabled })),
    }));
  }

  async setTool(name: string, patch: { enabled?: boolean; policy?: ToolPolicy; results?: ResultPolicy }): Promise<void> {
    this.log.push(['setTool', name, patch]);
    this.#groups = this.#groups.map((group) => ({
      ...group,
      tools: group.tools.map((each) => (each.name === name ? { ...each, ...patch } : each)),
    }));
    this.#changed();
  }

  async setGroup(group: string, enabled: boolean): Promise<void> {
    this.log.push(['setGroup', group, enabled]);
    this.#groups = this.#groups.map((each) => (each.group === group ? { ...each, enabled } : each));
    this.#changed();
  }

  async notebooks(): Promise<readonly NotebookInfo[]> {
    return this.#notebooks;
  }

  async setRight(notebook: string, right: NotebookRight): Promise<void> {
    this.log.push(['setRight', notebook, right]);
    this.#notebooks = this.#notebooks.map((each) => (each.id === notebook ? { ...each, right } : each));
    this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
