import type { ProviderPatch } from '../ports/models-port.ts';

export type KnownProvider = Required<Pick<ProviderPatch, 'name' | 'baseURL'>> & Pick<ProviderPatch, 'protocol'>;

/** Addresses of services, and what those speak that do not speak chat completions, so that nobody has to look them up; the order is alphabetical. */
export const KNOWN_PROVIDERS: readonly KnownProvider[] = [
  { name: 'Alibaba Cloud (Qwen)', baseURL: 'https://dashscope.aliyuncs.com/compatible-mode/v1' },
  { name: 'Anthropic', baseURL: 'https://api.anthropic.com/v1', protocol: 'anthropic-messages' },
  { name: 'DeepSeek', baseURL: 'https://api.deepseek.com/v1' },
  { name: 'Google Gemini', baseURL: 'https://generativelanguage.googleapis.com/v1beta/openai' },
  { name: 'Groq', baseURL: 'https://api.groq.com/openai/v1' },
  { name: 'llama.cpp', baseURL: 'http://127.0.0.1:8080/v1' },
  { name: 'LM Studio', baseURL: 'http://127.0.0.1:1234/v1' },
  { name: 'Mistral', baseURL: 'https://api.mistral.ai/v1' },
  { name: 'Moonshot (Kimi)', baseURL: 'https://api.moonshot.ai/v1' },
  { name: 'Ollama', baseURL: 'http://127.0.0.1:11434/v1' },
  { name: 'OpenAI', baseURL: 'https://api.openai.com/v1' },
  { name: 'OpenRouter', baseURL: 'https://openrouter.ai/api/v1' },
  { name: 'SiliconFlow', baseURL: 'https://api.siliconflow.cn/v1' },
  { name: 'xAI', baseURL: 'https://api.x.ai/v1' },
  { name: 'Zhipu (GLM)', baseURL: 'https://open.bigmodel.cn/api/paas/v4' },
];
