import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { loadSampleDocuments } from '../../devhost/sample/documents.ts';
import { corpusFile } from '../documents.ts';

interface Question {
  readonly question: string;
  readonly note: string;
  readonly paragraph?: number;
  /** All notes that answer it, or without which it is not answered. */
  readonly evidence?: readonly string[];
}

/** Notes of paragraphs, and questions of which each is answered by one paragraph, or only by a note. */
export interface QuestionSet {
  readonly name: string;
  readonly notes: readonly { readonly title: string; readonly paragraphs: readonly string[] }[];
  readonly questions: readonly Question[];
  /** The least share with the right block first, and among the first five. */
  readonly limits?: readonly [first: number, five: number];
}

interface Article {
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly questions: readonly Omit<Question, 'note'>[];
}

const lines = <T>(file: string): T[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
/** A title has no slash in a path. */
const titled = (title: string): string => title.replaceAll('/', ' ');

const setOf = (name: string, file: string, nameOf = titled): QuestionSet => {
  const all = lines<Article>(file);
  return {
    name,
    notes: all.map(({ title, paragraphs }) => ({ title: nameOf(title), paragraphs: paragraphs.map(oneLine) })),
    questions: all.flatMap(({ title, questions }) => questions.map((question) => ({ ...question, note: nameOf(title) }))),
  };
};

function articles(language: 'en' | 'zh'): QuestionSet[] {
  const file = corpusFile(`finding-${language}.jsonl`);
  return existsSync(file) ? [{ ...setOf(`finding ${language}`, file), limits: [0.93, 0.98] }] : [];
}

/** Sets of somebody else, in the form of the corpus; there a title is a path. */
export const setsIn = (folder: string): QuestionSet[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => setOf(basename(file, '.jsonl'), join(folder, file), (title) => title));

/** What a newcomer asks of the user guide, in words of their own, and the title of the note that answers. */
const GUIDE: readonly (readonly [question: string, note: string])[] = [
  ['my computer died, how do I get the notes back that I saved online', 'Data backup'],
  ['I deleted a paragraph last week by mistake, can I still recover it', 'Data history'],
  ['how do I run it on my home server in a container', 'Docker hosting'],
  ['save an article from a website into my notes', 'Web Clipping'],
  ['learn vocabulary with cards that come back after some days', 'Flashcards'],
  ['highlight a passage in a paper and link to it', 'PDF annotation'],
  ['write a journal every day with a template', 'Daily notes'],
  ['which keys do I press to open the search', 'Shortcuts'],
  ['keep a folder out of the search results', 'Ignore search'],
  ['connect ChatGPT', 'Artificial Intelligence'],
  ['let colleagues in the office read my notes without editing', 'Publish service'],
  ['use my own S3 or WebDAV instead of your cloud', 'Connect with third-party cloud storage'],
  ['how many words did I write in this document', 'Content Statistics'],
  ['bring in my notes from Notion or Obsidian', 'Import and Export'],
  ['change colors and fonts of the program', 'Theme'],
  ['sum up a column of numbers', 'Table Calculation'],
  ['we are behind a company firewall and it cannot reach the internet', 'Network Proxy'],
  ['turn a chapter into a page of its own', 'Conversion of Document and Heading'],
  ['send something from my phone chat to look at later', 'Inbox'],
  ['find text inside my word and excel attachments', 'Search asset content'],
];

function guide(): QuestionSet[] {
  const file = corpusFile('user-guide-en.jsonl');
  if (!existsSync(file)) return [];
  const notes = lines<{ hpath: string; markdown: string }>(file).map(({ hpath, markdown }) => ({
    title: hpath.slice(1),
    // Footnotes of the guide hold whole other documents.
    paragraphs: [markdown.replace(/^\[\^\d+\]:[\s\S]*$/m, '')],
  }));
  const byTitle = new Map(notes.map((note) => [note.title, note]));
  return [{ name: 'user guide', notes: [...byTitle.values()], questions: GUIDE.map(([question, note]) => ({ question, note })) }];
}

/** Of the sample notes, where there is no corpus. */
const SAMPLE: readonly (readonly [question: string, note: string])[] = [
  ['When do I have to put the vinegar into the lentil soup?', 'Recipes'],
  ['How much soft tofu goes into mapo tofu?', 'Mapo tofu'],
  ['What is wrong with my knee?', 'Health'],
  ['How long is the notice period of the flat?', 'Home'],
  ['What does the rent cost with heating?', 'Home'],
  ['Which train do we take to Lisbon in April?', 'Lisbon 2027'],
  ['How much cooler is a park by day?', 'Bowler 2010 Urban greening'],
  ['What gap between two study sessions is best?', 'Cepeda 2008 Spacing effects'],
  ['Which learning techniques have a high utility?', 'Dunlosky 2013 Learning techniques'],
  ['Who learned Swahili words, and what helped?', 'Karpicke 2008 Retrieval practice'],
  ['By how much does a higher albedo lower the temperature?', 'Santamouris 2014 Cool roofs'],
  ['Did the mycorrhiza powder help the tomatoes?', 'Raised bed trial'],
  ['How many kWh did the balcony modules yield?', 'Balcony log 2026'],
  ['Should the parents of Jonas buy a sodium-ion battery?', 'LFP or sodium-ion'],
  ['How many loggers hang on lamp posts?', 'Logger network'],
  ['What did the supervisor say about chapter two?', 'Supervisor meetings'],
  ['红烧茄子要放多少盐？', '红烧茄子'],
  ['2.4 版本什么时候灰度发布？', '2026-11-19 发布评审'],
  ['压缩方案的最大误差是多少？', '2026-11-12 迭代复盘'],
  ['新人培训要记住多少条安全规程？', '新人培训计划'],
  ['网关离线多久会告警？', 'HeliBox 监控平台'],
  ['每户每分钟的消息平均多大？', '数据采集方案'],
];

export function samples(): QuestionSet {
  const notes = loadSampleDocuments().map(({ path, markdown }) => ({
    title: path.slice(1),
    paragraphs: [markdown.replaceAll(/\{:[^}]*\}/g, '')],
  }));
  return { name: 'sample notes', notes, questions: SAMPLE.map(([question, note]) => ({ question, note })) };
}

/** `folder`: of sets that are measured instead. */
export function questionSets(folder?: string): readonly QuestionSet[] {
  if (folder !== undefined) return setsIn(folder);
  const sets = [...articles('en'), ...articles('zh'), ...guide()];
  return sets.length > 0 ? sets : [samples()];
}
