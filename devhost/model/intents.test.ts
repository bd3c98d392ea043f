import { describe, expect, it } from 'vitest';
import enUS from '../../i18n/en_US.json';
import zhCHT from '../../i18n/zh_CHT.json';
import zhCN from '../../i18n/zh_CN.json';
import { languageOf, readIntent } from './intents.ts';
import type { Intent } from './types.ts';

const today = { kind: 'today' } as const;
const ask = (topic: string, write: Extract<Intent, { kind: 'ask' }>['write'] = null, answer = true): Intent => ({
  kind: 'ask',
  topic,
  write,
  answer,
});

const english: [string, Intent][] = [
  [enUS['orders.textExample'], { kind: 'sort', document: 'Inbox' }],
  [
    'Standing order “Sort” (7:00). Nobody is here.\n\nLook through my note "To do" and propose where it goes.',
    { kind: 'sort', document: 'To do' },
  ],
  ['What do my notes say about spaced repetition?', ask('spaced repetition')],
  ['what do my notes say about "urban heat"', ask('urban heat')],
  ['What does my diary say about the knee?', ask('the knee')],
  ['What have I written about soil microbes?', ask('soil microbes')],
  ['What do I know about LFP?', ask('LFP')],
  ['Tell me about solar storage in my notes.', ask('solar storage')],
  ['And what about cool roofs?', ask('cool roofs')],
  ['Summarize what my notes say about heat', ask('heat')],
  ['What do my notes say about spaced repetition? Write a summary into today’s note.', ask('spaced repetition', today)],
  ["What do my notes say about solar storage and write a summary into today's note", ask('solar storage', today)],
  ["Write a summary of solar storage into today's note", ask('solar storage', today, false)],
  ['Please write a short summary about FSRS 4.5 into my daily note.', ask('FSRS 4.5', today, false)],
  ['Write a summary of FSRS into the document "Spaced repetition"', ask('FSRS', { kind: 'document', name: 'Spaced repetition' }, false)],
  ['Add a summary of cool roofs to Thesis', ask('cool roofs', { kind: 'document', name: 'Thesis' }, false)],
  ['Write a summary of knees into a new note called Knees', ask('knees', { kind: 'new-document', name: 'Knees' }, false)],
  ["Write a summary into today's note", ask('', today, false)],
  ["Write it into today's note.", ask('', today, false)],
  ["Find FSRS and write a summary into today's note", ask('FSRS', today)],
  ['Summarize Urban heat', { kind: 'summarize', document: 'Urban heat', write: null }],
  [
    'Can you summarise the document "Cepeda 2008 Spacing effects"?',
    { kind: 'summarize', document: 'Cepeda 2008 Spacing effects', write: null },
  ],
  ["Summarize today's note", { kind: 'summarize', document: 'today', write: null }],
  ['Summarize this note', { kind: 'summarize', document: 'this note', write: null }],
  [
    'Summarize Urban heat and write it into Thesis',
    { kind: 'summarize', document: 'Urban heat', write: { kind: 'document', name: 'Thesis' } },
  ],
  ['What are the main points of Urban heat?', { kind: 'summarize', document: 'Urban heat', write: null }],
  ['List my notebooks', { kind: 'list-notebooks' }],
  ['Which notebooks do I have?', { kind: 'list-notebooks' }],
  ['Find sourdough', { kind: 'find', query: 'sourdough' }],
  ['Search for “valley wind”', { kind: 'find', query: 'valley wind' }],
  ['Show me more', { kind: 'earlier', topic: '' }],
  ['What did you find?', { kind: 'earlier', topic: '' }],
  ['Use the earlier result.', { kind: 'earlier', topic: '' }],
  ['Show me more about FSRS', { kind: 'earlier', topic: 'FSRS' }],
  ['What is the capital of France?', { kind: 'help' }],
  ['Hello', { kind: 'help' }],
  ['', { kind: 'help' }],
];

const chinese: [string, Intent][] = [
  [zhCN['orders.textExample'], { kind: 'sort', document: '收件箱' }],
  [zhCHT['orders.textExample'], { kind: 'sort', document: '收件匣' }],
  ['我的笔记里关于间隔重复说了什么？', ask('间隔重复')],
  ['我的笔记里关于间隔重复的内容有什么', ask('间隔重复')],
  ['我的笔记怎么说灰度？', ask('灰度')],
  ['关于死区，我的笔记里写了什么？', ask('死区')],
  ['我的笔记里关于 solar storage 有什么内容？', ask('solar storage')],
  ['我的笔记里关于间隔重复…', ask('间隔重复')],
  ['我的笔记里关于间隔重复说了什么？把总结写到今天的笔记。', ask('间隔重复', today)],
  ['我的笔记里关于间隔重复说了什么，并写入今天的日记', ask('间隔重复', today)],
  ['把间隔重复的总结写到今天的笔记', ask('间隔重复', today, false)],
  ['请帮我把灰度的总结写到今天的笔记里。', ask('灰度', today, false)],
  ['写一份死区的总结到今天的笔记', ask('死区', today, false)],
  ['把死区的总结写到《数据采集方案》里', ask('死区', { kind: 'document', name: '数据采集方案' }, false)],
  ['把死区的总结写到新文档 死区', ask('死区', { kind: 'new-document', name: '死区' }, false)],
  ['把总结写到今天的笔记', ask('', today, false)],
  ['总结《认知天性》', { kind: 'summarize', document: '认知天性', write: null }],
  ['总结一下《HeliBox 监控平台》', { kind: 'summarize', document: 'HeliBox 监控平台', write: null }],
  ['概括数据采集方案这篇文档', { kind: 'summarize', document: '数据采集方案', write: null }],
  ['总结今天的笔记', { kind: 'summarize', document: 'today', write: null }],
  ['总结《认知天性》，然后写到今天的笔记', { kind: 'summarize', document: '认知天性', write: today }],
  ['列出我的笔记本', { kind: 'list-notebooks' }],
  ['我有哪些笔记本？', { kind: 'list-notebooks' }],
  ['查找灰度', { kind: 'find', query: '灰度' }],
  ['搜索 FSRS', { kind: 'find', query: 'FSRS' }],
  ['再看看刚才的结果', { kind: 'earlier', topic: '' }],
  ['刚才找到了什么？', { kind: 'earlier', topic: '' }],
  ['显示更多', { kind: 'earlier', topic: '' }],
  ['今天天气怎么样', { kind: 'help' }],
];

describe('readIntent', () => {
  it.each(english)('reads %j', (text, intent) => {
    expect(readIntent(text)).toEqual(intent);
  });
  it.each(chinese)('reads %j', (text, intent) => {
    expect(readIntent(text)).toEqual(intent);
  });

  it('leaves out what the host puts around the question', () => {
    const text = '<CONTEXT id="20260125100000-spacrep">\nFind nothing here. 中文\n</CONTEXT>\n\nList my notebooks';
    expect(readIntent(text)).toEqual({ kind: 'list-notebooks' });
  });

  it.each([
    ['en', enUS],
    ['zh', zhCN],
    ['zh', zhCHT],
  ] as const)('knows what the empty panel suggests in %s, whatever language the title is in', (language, texts) => {
    const forms = Object.entries(texts).filter(([key, text]) => key.startsWith('empty.') && text.includes('{title}'));
    expect(forms.length).toBeGreaterThanOrEqual(4);
    for (const [, form] of forms) {
      for (const title of ['Urban heat', '红烧茄子', 'HeliBox 监控平台', 'Thesis']) {
        const question = form.replace('{title}', title);
        expect([question, languageOf(question), readIntent(question).kind]).toEqual([
          question,
          language,
          expect.not.stringMatching('help'),
        ]);
      }
    }
  });

  it('takes the language from the question', () => {
    expect(languageOf('List my notebooks')).toBe('en');
    expect(languageOf('查找 solar storage')).toBe('zh');
  });
});
