import type { ModelRef } from '../../model/providers.ts';
import type { EventError } from '../../tools/contract/errors.ts';
import { ToolError, toToolError } from '../../tools/contract/errors.ts';
import { inBackground } from '../../tools/util/notify.ts';
import type { ModelsPort, ProviderEntry } from '../ports/models-port.ts';
import type { KnownProvider } from './known-providers.ts';

/** Where a first model can come from: SiYuan's own providers, a server on this computer, or a service with a key. */
export type Way = 'siyuan' | 'local' | 'key';
export const WAYS: readonly Way[] = ['siyuan', 'local', 'key'];

export interface SuggestedModel {
  readonly ref: ModelRef;
  readonly name: string;
  readonly provider: string;
}

/** For each service, a model that answers questions about notes well at a low price. */
const PREFERRED =
  /^(gpt-[\d.]+-mini|claude-haiku-[\d-]+|deepseek-chat|gemini-[\d.]+-flash|mistral-medium-latest|kimi-k2[\w-]*|qwen-plus|glm-[\d.]+-(air|flash)|grok-[\d.]+(-mini)?|llama-3\.3-70b[\w-]*|(openai\/)?gpt-oss-120b)$/;

function modelOf(provider: ProviderEntry | undefined): SuggestedModel | undefined {
  const talks = provider?.models.filter(({ type }) => type === 'chat') ?? [];
  const model = talks.find(({ model: name }) => PREFERRED.test(name)) ?? talks[0];
  return provider && model && { ref: { providerId: provider.id, model: model.id }, name: model.name, provider: provider.name };
}

/** The way to a first model: what was found, what is chosen, and the result of trying it. */
export class FirstModelState {
  providers: readonly ProviderEntry[] = $state.raw([]);
  /** Servers of this computer are being looked for. */
  asking: boolean = $state(true);
  trying: boolean = $state(false);
  failure: EventError | undefined = $state.raw();
  #chosen: Way | undefined = $state();
  /** The provider that is made for a try: one that fails leaves nothing behind. */
  #made: string | undefined;
  readonly #port: ModelsPort;
  readonly #closing = new AbortController();

  constructor(port: ModelsPort) {
    this.#port = port;
    this.providers = port.providers();
    inBackground(this.look());
  }

  readonly siyuan = $derived(this.#first('siyuan'));
  readonly local = $derived(this.#first('local'));
  /** What was chosen, or the nearest that works. */
  readonly way: Way = $derived(this.#chosen ?? this.#nearest());

  #nearest(): Way {
    if (this.siyuan) return 'siyuan';
    return this.local ? 'local' : 'key';
  }

  choose(way: Way): void {
    this.#chosen = way;
    this.failure = undefined;
  }

  async look(): Promise<void> {
    this.asking = true;
    try {
      await this.#refresh();
    } finally {
      this.asking = false;
    }
  }

  /** Asks the model a small question and saves it in the settings. Resolves with the working model, or undefined: see `failure`. */
  use(found: SuggestedModel): Promise<SuggestedModel | undefined> {
    const isNew = this.providers.some(({ id, kind }) => kind === 'local' && id === found.ref.providerId);
    this.#made = isNew ? found.ref.providerId : undefined;
    return this.#attempt(() => this.#tested(found));
  }

  /** The same for a service, with an address and a key. */
  useKey(service: KnownProvider, apiKey: string): Promise<SuggestedModel | undefined> {
    return this.#attempt(async () => {
      const made = await this.#port.saveProvider(null, { ...service, apiKey });
      this.#made = made;
      await this.#refresh();
      const provider = this.providers.find(({ id }) => id === made);
      const found = modelOf(provider);
      if (found) return this.#tested(found);
      const { code, message, next } = provider?.error ?? { code: 'model_not_found', message: 'no model is listed', next: 'name one' };
      throw new ToolError(code, message, next);
    });
  }

  /** The id of a custom provider to be filled in; one without an address is reused. */
  async addOwn(): Promise<string> {
    const empty = this.#port.providers().find(({ kind, baseURL }) => kind === 'custom' && baseURL === '');
    return empty?.id ?? this.#port.saveProvider(null, { name: '', baseURL: '' });
  }

  destroy(): void {
    this.#closing.abort();
  }

  #first(kind: ProviderEntry['kind']): SuggestedModel | undefined {
    for (const provider of this.providers) {
      const found = provider.kind === kind ? modelOf(provider) : undefined;
      if (found) return found;
    }
    return undefined;
  }

  async #refresh(): Promise<void> {
    const show = (): void => {
      this.providers = this.#port.providers();
    };
    await this.#port.refresh(this.#closing.signal, show);
    show();
  }

  async #attempt(work: () => Promise<SuggestedModel>): Promise<SuggestedModel | undefined> {
    this.trying = true;
    this.failure = undefined;
    try {
      return await work();
    } catch (error) {
      const { code, message, next } = toToolError(error);
      this.failure = { code, message, next };
      if (this.#made !== undefined) await this.#port.removeProvider(this.#made);
      this.#made = undefined;
      return undefined;
    } finally {
      this.trying = false;
    }
  }

  async #tested(found: SuggestedModel): Promise<SuggestedModel> {
    // A server that was only found is set up by that.
    await this.#port.keep(found.ref);
    const { call, error } = await this.#port.test(found.ref, this.#closing.signal);
    // One that answered but accepts no tools writes its calls as text.
    if (error && call === undefined) throw new ToolError(error.code, error.message, error.next);
    await this.#port.choose(found.ref);
    return found;
  }
}
