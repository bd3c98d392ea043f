import { describe, expect, it } from 'vitest';
import { chooseModel } from './model-choice.ts';

describe('which model npm start offers', () => {
  it('takes the environment first', async () => {
    const choice = await chooseModel({
      OPENAI_API_KEY: 'k',
      OPENAI_MODEL: 'm',
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
    });
    expect(choice.ai).toMatchObject({ providers: [{ apiKey: 'k', baseURL: 'http://127.0.0.1:9/v1', models: [{ name: 'm' }] }] });
    expect(choice.label).toBe('m at http://127.0.0.1:9/v1');
  });

  it('never prints the key', async () => {
    expect((await chooseModel({ OPENAI_API_KEY: 'sk-secret' })).label).not.toContain('sk-secret');
  });

  it('falls back to the offline demo and says what it is', async () => {
    const choice = await chooseModel({});
    expect(choice.label).toMatch(/offline demo: rules, no language model|Ollama/);
  });
});
