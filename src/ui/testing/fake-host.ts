import type { NotebookInfo, NotebookRight } from '../../tools/ports.ts';
import type { HostUi } from '../host-ui.ts';
import type { PanelSettings, PanelSettingsPatch, SettingsPort, ToolGroupSetting, ToolPolicy } from '../settings-port.ts';
import { emptyView } from './fake-controller.ts';

export class FakeHost implements HostUi {
  mobile = false;
  hasEditor = true;
  answer = true;
  readonly log: (readonly [string, ...unknown[]])[] = [];
  /** Blocks that are gone. */
  readonly gone = new Set<string>();

  openBlock(id: string): void {
    this.log.push(['openBlock', id]);
  }

  insertAtCursor(markdown: string): boolean {
    this.log.push(['insertAtCursor', markdown]);
    return this.hasEditor;
  }

  async confirm(question: { title: string; text: string; action: string }): Promise<boolean> {
    this.log.push(['confirm', question.text]);
    return this.answer;
  }

  async blockMarkdown(id: string): Promise<string | null> {
    return this.gone.has(id) ? null : `Text of the block ${id}`;
  }

  async writeClipboard(text: string): Promise<boolean> {
    this.log.push(['writeClipboard', text]);
    return true;
  }
}

const tool = (name: string, policy: ToolPolicy = 'auto'): { name: string; enabled: boolean; policy: ToolPolicy } => ({
  name,
  enabled: true,
  policy,
});

const GROUPS: readonly ToolGroupSetting[] = [
  { group: 'notebooks', enabled: true, tools: [tool('list_notebooks')] },
  {
    group: 'documents',
    enabled: true,
    tools: [tool('list_docs'), tool('read_doc'), tool('create_doc', 'ask-always'), tool('daily_note', 'ask-always')],
  },
  { group: 'blocks', enabled: true, tools: [tool('edit_block', 'ask-always'), tool('insert_blocks', 'ask-always')] },
  { group: 'search', enabled: true, tools: [tool('search_notes')] },
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
      model: { ...this.#settings.model, ...model, hasKey: this.#settings.model.hasKey || Boolean(apiKey) },
    };
    this.#changed();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tools(): readonly ToolGroupSetting[] {
    return this.#groups;
  }

  async setTool(name: string, patch: { enabled?: boolean; policy?: ToolPolicy }): Promise<void> {
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
