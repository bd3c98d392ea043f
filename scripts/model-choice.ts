// Which model `npm start` offers the plugin: the environment's, a local Ollama, else the offline demo, which says what it is.

const OLLAMA = 'http://127.0.0.1:11434';

export interface ModelChoice {
  /** One line for the terminal. */
  readonly label: string;
  /** `ai` of SiYuan's configuration, as plugins read it (src/model/providers.ts). */
  readonly ai: Readonly<Record<string, unknown>>;
}

function provider(id: string, displayName: string, baseURL: string, apiKey: string, model: string) {
  const models = [{ id: `${id}/${model}`, name: model, displayName: model, enabled: true }];
  return {
    providers: [{ id, displayName, enabled: true, apiKey, baseURL, protocol: 'openai', models }],
    agent: { modelId: `${id}/${model}` },
  };
}

/** Models of a local Ollama, newest first; empty when none answers within half a second. */
async function ollamaModels(): Promise<readonly string[]> {
  try {
    const response = await fetch(`${OLLAMA}/api/tags`, { signal: AbortSignal.timeout(500) });
    const answer = (await response.json()) as { models?: readonly { name?: string }[] };
    return (answer.models ?? []).flatMap((model) => (model.name ? [model.name] : []));
  } catch {
    return []; // No Ollama here: the common case.
  }
}

/** With neither key nor Ollama the plugin finds the demo by itself: the host serves it under `/v1`. */
export async function chooseModel(env: NodeJS.ProcessEnv = process.env): Promise<ModelChoice> {
  if (env.OPENAI_API_KEY || env.OPENAI_BASE_URL) {
    const baseURL = env.OPENAI_BASE_URL || 'https://api.openai.com/v1';
    const model = env.OPENAI_MODEL || 'gpt-5-mini';
    return { label: `${model} at ${baseURL}`, ai: provider('environment', 'Environment', baseURL, env.OPENAI_API_KEY || 'none', model) };
  }
  const [local] = await ollamaModels();
  if (local) return { label: `${local} (Ollama)`, ai: provider('ollama', 'Ollama', `${OLLAMA}/v1`, 'ollama', local) };
  return { label: 'offline demo: rules, no language model (set OPENAI_API_KEY, or start Ollama, for a real one)', ai: {} };
}
