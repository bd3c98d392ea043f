import { describe, expect, it } from 'vitest';
import { planReply } from './planner.ts';

const NOTE = 'The launch is planned for May; it is really very late. The budget of 2026 is tight.';

function ask(task: string, texts: readonly string[] = [NOTE], extra = ''): string {
  const notes = texts.map((text) => `<attached-note kind="block" id="20260101000000-aaaaaaa" title="Apollo">\n${text}\n</attached-note>`);
  const reply = planReply({
    messages: [
      { role: 'system', content: `You work inside an editor.\n\nEditor task: ${task}\n${extra}` },
      { role: 'user', content: `${notes.join('\n\n')}\n\nDo it.` },
    ],
  });
  expect(reply.toolCalls).toEqual([]);
  return reply.content;
}

describe('tasks of the editor', () => {
  it('answers each from the text that is attached, with nothing beside it', () => {
    expect(ask('summarize')).toBe('- The launch is planned for May; it is really very late.\n- The budget of 2026 is tight.');
    expect(ask('rewrite')).toBe('The launch is planned for May. It is late. The budget of 2026 is tight.');
    expect(ask('todo')).toBe('- [ ] The launch is planned for May; it is really very late\n- [ ] The budget of 2026 is tight');
    expect(ask('continue')).toContain('The budget of 2026 is tight.');
    expect(ask('explain')).toContain('This text has 2 sentences.');
    expect(ask('custom')).toContain('- The budget');
    expect(ask('rewrite')).not.toContain('Offline demo');
  });

  it('says in the text that it does not translate', () => {
    expect(ask('translate', ['Leek soup.'])).toBe('（离线演示，未翻译）Leek soup.');
    expect(ask('translate', ['韭葱汤。'])).toBe('(Offline demo, not translated) 韭葱汤。');
  });

  it('keeps markers, and changes something wherever there are words', () => {
    expect(ask('rewrite', ['# Leek soup'])).toBe('# Leek soup');
    expect(ask('rewrite', ['- [ ] Buy leeks at the market'])).toBe('- [ ] **Buy leeks** at the market');
  });

  it('answers for several blocks with as many parts', () => {
    expect(ask('rewrite', ['A really good day.', 'Just rain.'], '2 notes are attached. Answer with 2 texts.')).toBe(
      'A good day.\n\n=====\n\nRain.',
    );
  });
});
