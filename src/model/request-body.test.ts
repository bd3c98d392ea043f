import { describe, expect, it } from 'vitest';
import type { Message } from '../tools/contract/messages.ts';
import { buildRequestBody } from './request-body.ts';

const settings = { baseURL: 'http://x/v1', apiKey: '', model: 'm' };
const image = { name: 'map.png', mime: 'image/png', url: 'data:image/png;base64,AQEB' };
const messagesOf = (content: string, images?: readonly (typeof image)[]) =>
  buildRequestBody(settings, { messages: [{ role: 'user', content, ...(images ? { images } : {}) }] }, { withUsage: true }).messages;

describe('a question', () => {
  it('puts pictures behind the text as parts, and sends nothing of ours', () => {
    const part = { type: 'image_url', image_url: { url: image.url } };
    expect(messagesOf('What?', [image])).toEqual([{ role: 'user', content: [{ type: 'text', text: 'What?' }, part] }]);
    expect(messagesOf('', [image])).toEqual([{ role: 'user', content: [part] }]);
    expect(messagesOf('What?', [])).toEqual([{ role: 'user', content: 'What?' }]);
  });
});

it('joins questions that follow each other, with their pictures, and nothing else', () => {
  const sent = (messages: readonly Message[]) => buildRequestBody(settings, { messages }, { withUsage: true }).messages;
  const asked = { role: 'user', content: 'One?' } as const;
  const part = { type: 'image_url', image_url: { url: image.url } };
  const said = { role: 'assistant', content: 'Well.' } as const;
  expect(sent([asked, { ...asked, content: '', images: [image] }, { ...asked, content: 'Two?' }, said, asked])).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'One?\n\nTwo?' }, part] },
    said,
    asked,
  ]);
  expect(sent([said, said])).toEqual([said, said]);
});

it('limits the answer by the name that the model takes', () => {
  const limited = (model: string, chatOption: Readonly<Record<string, unknown>>) => {
    const {
      messages: _messages,
      model: _model,
      stream: _stream,
      ...options
    } = buildRequestBody({ ...settings, model }, { messages: [], chatOption }, { withUsage: false });
    return options;
  };
  expect(limited('gpt-4.1', { max_tokens: 9 })).toEqual({ max_tokens: 9 });
  expect(limited('openai/gpt-5-mini', { max_tokens: 9 })).toEqual({ max_completion_tokens: 9 });
  expect(limited('o3', { max_tokens: 9, max_completion_tokens: 5 })).toEqual({ max_completion_tokens: 5 });
});
