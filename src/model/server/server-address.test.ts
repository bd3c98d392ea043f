import { describe, expect, it } from 'vitest';
import { addressOf, isAnotherServer, keyHeader, readAddress } from './server-address.ts';

const sent = (typed: string): string | null => {
  const server = readAddress(typed);
  return server && addressOf(server, '/chat/completions');
};

describe('an address as it is typed', () => {
  it.each([
    ['https://host.test/v1', 'https://host.test/v1/chat/completions'],
    [' https://host.test/v1/ ', 'https://host.test/v1/chat/completions'],
    ['https://host.test/v1/chat/completions/', 'https://host.test/v1/chat/completions'],
    ['https://host.test/v1/chat/completions?key=1', 'https://host.test/v1/chat/completions?key=1'],
    ['https://host.test/v1/models', 'https://host.test/v1/chat/completions'],
    ['https://host.test/v1/responses', 'https://host.test/v1/chat/completions'],
    ['https://host.test//v1/#', 'https://host.test/v1/chat/completions'],
    ['https：//host.test/v1', 'https://host.test/v1/chat/completions'],
    ['host.test/v1', 'https://host.test/v1/chat/completions'],
    ['localhost:8080/v1', 'http://localhost:8080/v1/chat/completions'],
    ['http://127.0.0.1:11434', 'http://127.0.0.1:11434/v1/chat/completions'],
    ['http://127.0.0.1:11434/api/chat', 'http://127.0.0.1:11434/v1/chat/completions'],
    ['https://api.openai.com', 'https://api.openai.com/v1/chat/completions'],
    ['https://openrouter.ai', 'https://openrouter.ai/api/v1/chat/completions'],
    ['https://api.deepseek.com', 'https://api.deepseek.com/chat/completions'],
    ['https://dashscope.aliyuncs.com/', 'https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions'],
  ])('%s', (typed, address) => {
    expect(sent(typed)).toBe(address);
  });

  it.each([
    [
      'https://me.openai.azure.com/openai/deployments/mini/chat/completions?api-version=2025-01-01-preview',
      'https://me.openai.azure.com/openai/deployments/mini/chat/completions?api-version=2025-01-01-preview',
    ],
    [
      'https://me.openai.azure.com/openai/deployments/mini?api-version=2025-01-01-preview',
      'https://me.openai.azure.com/openai/deployments/mini/chat/completions?api-version=2025-01-01-preview',
    ],
    [
      'https://me.openai.azure.com/openai/deployments/mini/',
      'https://me.openai.azure.com/openai/deployments/mini/chat/completions?api-version=2024-10-21',
    ],
    ['https://me.openai.azure.com/', 'https://me.openai.azure.com/openai/v1/chat/completions'],
    ['https://me.openai.azure.com/openai/v1/', 'https://me.openai.azure.com/openai/v1/chat/completions'],
    [
      'https://me.openai.azure.com/openai/responses?api-version=2025-04-01-preview',
      'https://me.openai.azure.com/openai/v1/chat/completions',
    ],
    [
      'https://me.services.ai.azure.com/models/chat/completions?api-version=2024-05-01-preview',
      'https://me.services.ai.azure.com/models/chat/completions?api-version=2024-05-01-preview',
    ],
  ])('of Azure: %s', (typed, address) => {
    expect(sent(typed)).toBe(address);
  });

  it.each(['', 'not an address', 'ftp://host.test', 'file:///etc', 'javascript://x', 'https://'])('is none: %j', (typed) => {
    expect(readAddress(typed)).toBeNull();
  });

  it('is the same server however it is written', () => {
    expect(isAnotherServer('https://host.test/v1', 'host.test')).toBe(false);
    expect(isAnotherServer('https://host.test/v1', 'https://other.test/v1')).toBe(true);
  });

  it('gets its key where it looks for it', () => {
    expect(keyHeader('https://host.test/v1', 'k')).toEqual({ authorization: 'Bearer k' });
    expect(keyHeader('https://me.openai.azure.com/openai/v1', 'k')).toMatchObject({ 'api-key': 'k' });
    expect(keyHeader('https://host.test/v1', '')).toEqual({});
  });
});
