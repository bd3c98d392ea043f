import { describe, expect, it } from 'vitest';
import type { LanguageModel } from '../../model/language-model.ts';
import { createScriptedModel, type ScriptedModel } from '../../model/testing/scripted-model.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { CompletionRequest } from '../../tools/contract/messages.ts';
import { type OpenChat, openChat } from '../testing/open-chat.ts';
import { firstRequest } from './request-preview.ts';

async function open(scripted: ScriptedModel, extra: Partial<LanguageModel> = {}): Promise<OpenChat> {
  const model: LanguageModel = {
    ...scripted,
    prepare: async (request) => ({ address: 'http://model', body: JSON.stringify(request) }),
    ...extra,
  };
  return openChat({ deps: { model: () => ({ status: { label: 'm', kind: 'ready' as const }, model }) } });
}

describe('the preview of a request', () => {
  it('is what is sent then, in a new chat and in one that goes on; nothing is sent or kept of it', async () => {
    const scripted = createScriptedModel([
      { text: 'I look.', calls: [{ name: 'search_notes', arguments: { query: 'launch' } }] },
      'First.',
      'Second.',
    ]);
    const { chat } = await open(scripted);
    const sent: CompletionRequest[] = [];
    const beside = { kind: 'open', id: 'a', title: 'Plan', text: 'It is open.' } as const;
    for (const text of ['one?', 'two?']) {
      const before = chat.view();
      const { address, body } = (await chat.preview(text, [beside])) ?? { address: '', body: '{}' };
      expect(address).toBe('http://model');
      expect(scripted.requests).toHaveLength(sent.length);
      expect(chat.view().messages).toEqual(before.messages);
      expect(chat.view().running).toBe(false);
      await chat.send(text, Promise.resolve([beside]));
      expect(JSON.parse(JSON.stringify(scripted.requests[sent.length]))).toEqual(JSON.parse(body));
      sent.push(...scripted.requests.slice(sent.length));
    }
    expect(scripted.requests).toHaveLength(3);
  });

  it('rejects with what would stand on the message: the request cannot be made', async () => {
    const refused = async (): Promise<never> => {
      throw new ToolError('privacy_invalid', 'field 1', 'correct it');
    };
    const { chat } = await open(createScriptedModel([]), { prepare: refused });
    await expect(chat.preview('one?')).rejects.toMatchObject({ code: 'privacy_invalid', next: 'correct it' });
    expect(chat.view().messages).toEqual([]);
  });

  it('rejects with what would stand on the message: the question is refused before any request', async () => {
    const problem = { code: 'media_no_text', message: 'the message has no words', next: 'say what the model should make' } as const;
    await expect(firstRequest(createScriptedModel([]), async () => problem)).rejects.toMatchObject(problem);
  });

  it('is none of a model for pictures', async () => {
    const { chat } = await open(createScriptedModel([]), { type: 'image-gen' });
    expect(await chat.preview('one?')).toBeNull();
  });

  it('asks for words alone, whatever the model makes', async () => {
    const model: LanguageModel = { ...createScriptedModel([]), type: 'image-gen' };
    const asked: unknown[] = [];
    const none = firstRequest(model, async ({ type }) => {
      asked.push(type);
      return undefined;
    });
    await expect(none).rejects.toMatchObject({ code: 'no_answer' });
    expect(asked).toEqual(['chat']);
  });
});
