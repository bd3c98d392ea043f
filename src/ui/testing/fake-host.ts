import { fieldsOf, panelSettings } from '../../app/settings-adapter.ts';
import type { ChatContext } from '../../chat/session/types.ts';
import type { ModelStatus } from '../../chat/view/view.ts';
import type { Skill } from '../../features/skills/skills.ts';
import type { SearchPort, SearchSettings } from '../../features/web/search-port.ts';
import { defaultSettings } from '../../host/settings/settings-format.ts';
import type { SkippedProvider } from '../../model/host-providers.ts';
import type { LearntOfModel } from '../../model/learnt-of-model.ts';
import { type ListedModel, marksOf } from '../../model/model-marks.ts';
import type { ModelRef } from '../../model/providers.ts';
import type { ConnectionReport } from '../../model/test-connection.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { FoundList } from '../../tools/contract/found-notes.ts';
import type { NotebookRight } from '../../tools/contract/notebook-right.ts';
import type { NotebookInfo } from '../../tools/contract/ports.ts';
import type { ContextChoice } from '../ports/context-choice.ts';
import type { BlockPreview, Drawing, HostUi, NoteChoice } from '../ports/host-ui.ts';
import type { ModelsPort, ProviderEntry, ProviderPatch } from '../ports/models-port.ts';
import type {
  PanelSettings,
  PanelSettingsChange,
  ResultPolicy,
  SettingsPort,
  SkillSetting,
  ToolGroupSetting,
  ToolPolicy,
} from '../ports/settings-port.ts';
import { fakeCards } from './fake-cards.ts';
import { CHOICES, NOTES, RELATED } from './fake-choices.ts';
import { emptyView } from './fake-controller.ts';
import { fakeServers, noPrograms } from './fake-servers.ts';

declare global {
  interface Window {
    katex?: { renderToString(tex: string, options: Readonly<Record<string, unknown>>): string };
    hljs?: {
      getLanguage(name: string): unknown;
      highlight(text: string, options: { readonly language: string; readonly ignoreIllegals: boolean }): { readonly value: string };
    };
  }
}

export class FakeHost implements HostUi {
  mobile = false;
  hasEditor = true;
  suggestions?: HostUi['suggestions'];
  /** Words are selected in the editor. */
  isSelected = false;
  answer = true;
  readonly log: (readonly [string, ...unknown[]])[] = [];
  /** Whether formulas may hold links and pictures: only tests of the net behind the renderer let them. */
  trusting = false;
  /** Blocks that are gone. */
  readonly gone = new Set<string>();
  readonly cards = fakeCards((...entry) => this.log.push(entry));

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
    return NOTES.filter(({ title }) => title.toLowerCase().includes(words.toLowerCase()));
  }

  async findContexts(words: string): Promise<readonly ContextChoice[]> {
    this.log.push(['findContexts', words]);
    const any = words.toLowerCase().split(' ').filter(Boolean);
    return CHOICES.filter(
      ({ title, group }) => group !== 'related' && (any.length === 0 || any.some((word) => title.toLowerCase().includes(word))),
    );
  }

  private readonly server: string | undefined = 'https://meaning.example/v1';
  readonly meaningServer: HostUi['meaningServer'] = async () => this.server;

  private ignored = '';
  readonly embeddingIgnore: HostUi['embeddingIgnore'] = {
    plan: async () => ({ text: '# Marginalia\n/nb-private/\n20260412093000-diary00.sy', written: this.ignored }),
    write: async (text) => {
      this.log.push(['writeIgnore', text]);
      this.ignored = text;
    },
    remove: async () => {
      this.log.push(['removeIgnore']);
      this.ignored = '';
    },
  };

  /** Of three blocks in two notes. */
  private attributed = 3;
  readonly ownAttributes: HostUi['ownAttributes'] = {
    count: async () => ({ blocks: this.attributed, notes: Math.min(2, this.attributed) }),
    remove: async () => {
      this.log.push(['removeOwnAttributes']);
      this.attributed = 0;
    },
  };

  async relatedContexts(): Promise<readonly ContextChoice[]> {
    return CHOICES.filter(({ group }) => group === 'related');
  }

  /** Of the open note; another has none. */
  async relatedNotes(id: string): Promise<FoundList> {
    this.log.push(['relatedNotes', id]);
    return { notes: id === CHOICES[0]?.id ? RELATED : [], words: ['launch', 'budget'] };
  }

  async readContext({ kind, id, title, text }: ContextChoice): Promise<ChatContext> {
    this.log.push(['readContext', id]);
    if (this.gone.has(id)) throw new ToolError('not_found', 'it may not be read', 'choose something else');
    return { kind, id, title, text: text ?? `Text of ${title}. `.repeat(40) };
  }

  async readDragged(ids: readonly string[]): Promise<readonly ChatContext[]> {
    this.log.push(['readDragged', ...ids]);
    return ids.map((id) => ({ kind: 'block', id, title: `Block ${id}`, text: 'Dragged' }));
  }

  /** Looks at the editor so far; one that is held answers later. */
  looks = 0;
  held: Promise<void> | undefined;

  async openNote(): Promise<ContextChoice | undefined> {
    this.looks += 1;
    await this.held;
    return this.hasEditor ? CHOICES[0] : undefined;
  }

  async selection(): Promise<ContextChoice | undefined> {
    return this.isSelected ? CHOICES[1] : undefined;
  }

  editorMark(): string {
    return `${this.hasEditor} ${this.isSelected}`;
  }

  openPdf = async (...of: readonly unknown[]): Promise<boolean> => this.log.push(['openPdf', ...of]) > 0;

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

  async preview(id: string): Promise<BlockPreview | null> {
    const markdown = await this.blockMarkdown(id);
    return markdown === null ? null : { title: 'Urban heat', place: 'Research/Cities/Urban heat', markdown };
  }

  async noteTitles(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return new Map(ids.flatMap((id): [string, string][] => (this.gone.has(id) ? [] : [[id, 'Urban heat']])));
  }

  nearestBlock = async (id: string, _words: RegExp): Promise<string> => id;

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

  async writeClipboard(text: string, html?: string): Promise<boolean> {
    this.log.push(['writeClipboard', text, ...(html === undefined ? [] : [html])]);
    return true;
  }
}

const ASKED = { auto: 'never', 'ask-once': 'once', 'ask-always': 'always' } as const satisfies Readonly<Record<ToolPolicy, string>>;

const tool = (name: string, policy: ToolPolicy = 'auto') => ({
  name,
  enabled: true,
  callable: true,
  policy,
  results: 'never' as const,
  acts: policy !== 'auto',
  isSetUp: true,
  asked: [ASKED[policy]],
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

const listed = (id: string): ListedModel => ({ id, model: id, name: id, ...marksOf(id) });

/** Models to choose from, in memory: those of SiYuan, one server that was set up by hand, and one on this machine. */
class FakeModels implements ModelsPort {
  readonly #log: (readonly [string, ...unknown[]])[];
  readonly #changed: () => void;
  chosen: ModelStatus = { label: 'gpt-4.1-mini', kind: 'ready', ref: { providerId: 'openai', model: 'gpt-4.1-mini' } };
  #recent: readonly ModelRef[] = [{ providerId: 'openai', model: 'gpt-4.1-mini' }];
  #providers: readonly ProviderEntry[] = [
    {
      id: 'openai',
      name: 'OpenAI',
      baseURL: 'https://api.openai.com/v1',
      kind: 'siyuan',
      hasKey: true,
      models: ['gpt-4.1-mini', 'gpt-5', 'o3', 'gpt-image-1', 'whisper-1'].map(listed),
    },
    { id: 'home', name: 'Home server', baseURL: 'http://nas:8080/v1', kind: 'custom', hasKey: false, models: [] },
  ];

  constructor(log: (readonly [string, ...unknown[]])[], changed: () => void) {
    this.#log = log;
    this.#changed = changed;
  }

  providers(): readonly ProviderEntry[] {
    return this.#providers;
  }

  async refresh(_signal: AbortSignal, onChange: () => void): Promise<void> {
    const ollama: ProviderEntry = {
      id: 'ollama',
      name: 'Ollama',
      baseURL: 'http://127.0.0.1:11434/v1',
      kind: 'local',
      hasKey: false,
      models: ['qwen3:8b', 'llava:13b', 'gemma2:9b'].map(listed),
    };
    const error = { code: 'model_unreachable', message: 'no connection', next: 'start it' } as const;
    const known = this.#providers.filter(({ id }) => id !== 'ollama');
    this.#providers = [...known.map((provider) => (provider.id === 'home' ? { ...provider, error } : provider)), ollama];
    onChange();
  }

  recent(): readonly ModelRef[] {
    return this.#recent;
  }

  defaultModel(): ModelStatus {
    return this.chosen;
  }

  async choose(ref: ModelRef): Promise<void> {
    this.#log.push(['choose', ref]);
    this.#recent = [ref, ...this.#recent];
    this.chosen = { label: ref.model, kind: 'ready', ref };
    this.#changed();
  }

  async keep(ref: ModelRef): Promise<void> {
    this.#log.push(['keep', ref]);
    this.#recent = [ref, ...this.#recent];
  }

  skipped(): readonly SkippedProvider[] {
    return [];
  }

  async saveProvider(id: string | null, patch: ProviderPatch): Promise<string> {
    this.#log.push(['saveProvider', id, patch]);
    const own = id ?? 'new';
    const { apiKey, ...fields } = patch;
    const before = this.#providers.find((each) => each.id === own);
    const made: ProviderEntry = {
      ...{ id: own, name: '', baseURL: '', kind: 'custom', hasKey: false, models: [], ...before, ...fields },
      ...(apiKey ? { hasKey: true } : {}),
    };
    this.#providers = before ? this.#providers.map((each) => (each.id === own ? made : each)) : [...this.#providers, made];
    this.#changed();
    return own;
  }

  async removeProvider(id: string): Promise<void> {
    this.#log.push(['removeProvider', id]);
    this.#providers = this.#providers.filter((each) => each.id !== id);
    this.#changed();
  }

  async useKeyHere(id: string): Promise<void> {
    this.#log.push(['useKeyHere', id]);
  }

  async allowProvider(id: string): Promise<void> {
    this.#log.push(['allowProvider', id]);
  }

  learnt(): LearntOfModel {
    return {};
  }

  async forget(ref: ModelRef): Promise<void> {
    this.#log.push(['forget', ref]);
  }

  async tryNativeCalls(): Promise<void> {
    this.#log.push(['tryNativeCalls']);
    this.chosen = { ...this.chosen, calls: { written: 'native', isRefused: false } };
    this.#changed();
  }

  async test(ref: ModelRef): Promise<ConnectionReport> {
    this.#log.push(['test', ref]);
    return { checks: { reachable: 'ok', key: 'ok', model: 'ok', streaming: 'ok', tools: 'unknown' }, call: 'none', firstToken: 420 };
  }
}

const OWN_SKILLS: readonly SkillSetting[] = [
  { id: 'blocks/kramdown', name: 'blocks/kramdown', description: '', from: 'product', isOn: true },
  { id: 'note-review', name: 'Weekly review', description: 'Every Friday: what was done, what is open', from: 'note', isOn: true },
  { id: 'file:tone', name: 'tone', description: 'How letters are written', from: 'file', isOn: false },
];

/** Settings in memory. */
export class FakeSettings implements SettingsPort {
  readonly filesFolder = '/home/anna/SiYuan/marginalia/files';
  readonly log: (readonly [string, ...unknown[]])[] = [];
  #file = defaultSettings();
  readonly models = new FakeModels(this.log, () => this.#changed());
  #search: SearchSettings = { provider: '', address: '', hasKey: false };
  readonly search: SearchPort = {
    get: () => this.#search,
    save: async ({ key, ...fields }) => {
      this.log.push(['search', fields]);
      this.#search = { ...this.#search, ...fields, ...(key === undefined ? {} : { hasKey: key !== '' }) };
      this.#file = { ...this.#file };
      this.#changed();
    },
    test: async () => {
      if (this.#search.provider === 'tavily') throw new ToolError('search_key', 'the search service refused the key (401)', 'check it');
    },
  };
  readonly servers = fakeServers;
  readonly programs = noPrograms;
  #groups = GROUPS;
  #notebooks: readonly NotebookInfo[] = [...emptyView.notebooks, { id: 'nb-private', name: 'Private', open: false, right: 'none' }];
  readonly #listeners = new Set<() => void>();

  defaults(): PanelSettings {
    return panelSettings(defaultSettings());
  }

  get(): PanelSettings {
    return panelSettings(this.#file);
  }

  async update(change: PanelSettingsChange): Promise<void> {
    const patch = typeof change === 'function' ? change(this.get()) : change;
    this.log.push(['update', patch]);
    this.#file = { ...this.#file, ...fieldsOf(patch, this.#file) };
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

  skills(): readonly SkillSetting[] {
    return this.#skills().filter(({ from }) => from === 'product');
  }

  async ownSkills(): Promise<readonly Skill[]> {
    const own = this.#skills().filter(({ from }) => from !== 'product');
    return own.map(({ from, ...skill }) => ({ ...skill, isNote: from === 'note' }));
  }

  #skills(): readonly SkillSetting[] {
    const { note, on } = this.#file.skills;
    const own = OWN_SKILLS.filter(({ from }) => from === 'file' || note !== '');
    return own.map((skill) => ({ ...skill, isOn: on[skill.id] ?? skill.isOn }));
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
