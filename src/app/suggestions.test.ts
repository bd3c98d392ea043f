import { describe, expect, it } from 'vitest';
import english from '../../i18n/en_US.json';
import type { NoteQueries } from '../tools/contract/note-queries.ts';
import { createTranslate } from '../ui/ports/i18n.ts';
import { inTurn, questionsAbout, suggestQuestions, topicsOf } from './suggestions.ts';

const t = createTranslate(english);
const titles = (...names: string[]) => names.map((title) => ({ title, depth: 0 }));

describe('suggested questions', () => {
  it('leave out dates, recurring notes and containers', () => {
    const listed = titles(
      '2026-11-21',
      'Daily note',
      'Reading notes',
      'Inbox',
      '会议纪要',
      '周报',
      '读书笔记',
      '會議紀要',
      '週報',
      '讀書筆記',
      '專案',
      'Cepeda 2008 Spacing effects',
    );
    expect(topicsOf(listed)).toEqual([]);
  });

  it('prefer titles that say more, and what stands higher', () => {
    expect(topicsOf([{ title: 'Health', depth: 0 }, { title: 'Sourdough bread', depth: 1 }, ...titles('Urban heat')])).toEqual([
      'Urban heat',
      'Sourdough bread',
      'Health',
    ]);
    expect(topicsOf(titles('项目', '认知天性'))).toEqual(['认知天性']);
  });

  it('take one topic of each notebook in turn', () => {
    expect(inTurn([['a', 'b'], [], ['c']], 3)).toEqual(['a', 'c', 'b']);
    expect(inTurn([], 3)).toEqual([]);
  });

  it('are asked in the language of the interface, first about the open note, which goes along', async () => {
    expect(questionsAbout(['Urban heat', '认知天性', 'Sourdough bread'], t)).toEqual([
      'What do my notes say about Urban heat?',
      'Summarize 认知天性',
      'Write a summary of Sourdough bread into today’s note',
    ]);
    expect(questionsAbout(['Urban heat', '认知天性', 'Sourdough bread'], t, true).join()).not.toContain('today');
    const notebook = { id: 'n', name: 'N' };
    const documents = ['Urban heat', 'Sourdough bread', 'Solar storage'].map((title) => ({ title, path: `/${title}`, notebook }));
    const notes = { recentDocuments: async () => ({ documents }) } as unknown as Pick<NoteQueries, 'recentDocuments'>;
    const signal = new AbortController().signal;
    const about = { kind: 'document', group: 'here', id: 'heat', title: 'Urban heat', place: '' } as const;
    expect(await suggestQuestions({ notes, openNote: async () => about, t }, signal)).toEqual([
      { text: 'What are the main points of Urban heat?', about },
      { text: 'What do my notes say about Sourdough bread?' },
      { text: 'Summarize Solar storage' },
    ]);
    expect((await suggestQuestions({ notes, openNote: async () => undefined, t }, signal))[0]?.text).toBe(
      'What do my notes say about Urban heat?',
    );
  });
});
