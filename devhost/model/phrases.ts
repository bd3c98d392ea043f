import type { Problem } from './conversation.ts';
import type { Language } from './types.ts';

/** Everything the demo says in its own words, in both languages. What is not here is copied from notes. */
export interface Phrases {
  readonly note: string;
  /** The same where the answer holds sentences of notes. */
  readonly copied: string;
  readonly help: string;
  readonly found: (topic: string, sentences: number, documents: number) => string;
  readonly nothing: (topic: string) => string;
  readonly matchesWithoutSentence: (topic: string) => string;
  readonly matches: (query: string, count: number) => string;
  readonly summaryOf: (name: string) => string;
  readonly emptyDocument: (name: string) => string;
  readonly noDocument: (name: string) => string;
  readonly missingTool: (names: string) => string;
  readonly noTools: string;
  readonly noTopic: string;
  readonly noEarlier: string;
  readonly earlier: (variable: string) => string;
  readonly notebooks: string;
  readonly written: (place: string) => string;
  readonly today: string;
  /** Name of an attached block without a title. */
  readonly attached: string;
  readonly heading: (topic: string) => string;
  readonly problem: (tool: string, problem: Problem) => string;
  readonly nothingWritten: string;
  readonly otherwise: (topic: string) => string;
  readonly sorted: (inbox: string) => string;
  readonly noPlace: string;
}

/** What people know as a change and not by its name. */
const WRITES: ReadonlySet<string> = new Set(['daily_note', 'create_doc', 'insert_blocks', 'edit_block', 'move_blocks']);

const english: Phrases = {
  note: 'Offline demo: no language model. This answer follows simple rules.',
  copied: 'Offline demo: no language model. This answer follows simple rules; sentences are copied from your notes.',
  help:
    'I follow simple rules and understand questions of these kinds:\n\n' +
    '- “What do my notes say about spaced repetition?”\n' +
    '- “Summarize *Urban heat*”\n' +
    "- “Write a summary of solar storage into today's note” (or into a document)\n" +
    '- “Look through the note Inbox and propose where each item belongs”\n' +
    '- “List my notebooks”\n' +
    '- “Find soil microbes”\n' +
    '- “Show me more” (reads the result of the last search again)\n\n' +
    'For anything else, set a model in the settings.',
  found: (topic, sentences, documents) =>
    `Your notes mention **${topic}**: ${sentences} ${sentences === 1 ? 'sentence' : 'sentences'} from ${documents} ${documents === 1 ? 'document' : 'documents'}.`,
  nothing: (topic) => `I found nothing about **${topic}** in the notebooks that I may read. Try another word.`,
  matchesWithoutSentence: (topic) => `The search for **${topic}** found blocks, but no whole sentence that names it:`,
  matches: (query, count) => `${count} ${count === 1 ? 'block' : 'blocks'} for **${query}**:`,
  summaryOf: (name) => `**${name}** in its own sentences:`,
  emptyDocument: (name) => `**${name}** holds no sentence that could be copied.`,
  noDocument: (name) => `I found no document called **${name}**. Write its title as it stands in the tree.`,
  missingTool: (names) => `This needs the tool ${names}, which is not switched on for this chat. Switch it on under Tools and ask again.`,
  noTools: 'No tools are switched on for this chat, so I cannot look into your notes. Switch them on under Tools and ask again.',
  noTopic: "A summary of what? Name a topic or a document, for example “Write a summary of solar storage into today's note”.",
  noEarlier: 'There is no earlier result in this chat. Ask “What do my notes say about …?” first.',
  earlier: (variable) => `From the earlier result \`${variable}\`:`,
  notebooks: 'These are your notebooks:',
  written: (place) => `The summary is in ${place}.`,
  today: "today's note",
  attached: 'The attached text',
  heading: (topic) => `## Summary: ${topic}`,
  problem: (tool, problem) => {
    const reason = problem.message === '' ? '' : ` (${problem.message})`;
    if (problem.kind === 'error') return `\`${tool}\` failed, so I stopped: ${problem.message}`;
    const what =
      problem.kind === 'rejected'
        ? `You rejected ${WRITES.has(tool) ? 'the change' : `\`${tool}\``}`
        : `\`${tool}\` ran, but you kept its result back`;
    return `${what}, so I stopped.${reason}`;
  },
  nothingWritten: 'Nothing was written.',
  otherwise: (topic) => `What I had found about **${topic}** before that:`,
  sorted: (inbox) => `Where the paragraphs of **${inbox}** belong, by the notes whose titles they name:`,
  noPlace: 'no note is called like that',
};

const chinese: Phrases = {
  note: '离线演示（Offline demo: no language model）：没有语言模型，只按简单规则作答。',
  copied: '离线演示（Offline demo: no language model）：没有语言模型，只按简单规则作答，句子摘自你的笔记。',
  help:
    '我只按简单规则工作，能听懂这几类问题：\n\n' +
    '- “我的笔记里关于间隔重复说了什么？”\n' +
    '- “总结《HeliBox 监控平台》”\n' +
    '- “把间隔重复的总结写到今天的笔记”（也可以写到某篇文档）\n' +
    '- “查看“收件箱”笔记，并建议每一条应放在哪里”\n' +
    '- “列出我的笔记本”\n' +
    '- “查找灰度”\n' +
    '- “再看看刚才的结果”（重读上一次搜索的结果）\n\n' +
    '其他问题需要在设置里配置一个模型。',
  found: (topic, sentences, documents) => `你的笔记里提到了**${topic}**：${documents} 篇文档，${sentences} 句。`,
  nothing: (topic) => `在我能读的笔记本里没有找到关于**${topic}**的内容，换个词试试。`,
  matchesWithoutSentence: (topic) => `搜索**${topic}**有结果，但没有一个完整的句子提到它：`,
  matches: (query, count) => `**${query}**：找到 ${count} 个块：`,
  summaryOf: (name) => `**${name}**，用原文的句子概括：`,
  emptyDocument: (name) => `**${name}**里没有可以摘录的句子。`,
  noDocument: (name) => `没有找到名为**${name}**的文档，请照文档树里的标题写。`,
  missingTool: (names) => `这需要工具 ${names}，但这个对话没有启用它。请在“工具”里启用后再问一次。`,
  noTools: '这个对话没有启用任何工具，我看不到你的笔记。请在“工具”里启用后再问一次。',
  noTopic: '要总结什么？请说出主题或文档，例如“把间隔重复的总结写到今天的笔记”。',
  noEarlier: '这个对话里还没有之前的结果。请先问“我的笔记里关于……说了什么？”',
  earlier: (variable) => `来自之前的结果 \`${variable}\`：`,
  notebooks: '你的笔记本：',
  written: (place) => `总结已写入${place}。`,
  today: '今天的笔记',
  attached: '附上的内容',
  heading: (topic) => `## 总结：${topic}`,
  problem: (tool, problem) => {
    const reason = problem.message === '' ? '' : `（${problem.message}）`;
    if (problem.kind === 'error') return `\`${tool}\` 失败，我停下了：${problem.message}`;
    return problem.kind === 'rejected'
      ? `你拒绝了${WRITES.has(tool) ? '这处改动' : ` \`${tool}\``}，我停下了。${reason}`
      : `\`${tool}\` 已执行，但你没有把结果给我，我停下了。${reason}`;
  },
  nothingWritten: '没有写入任何内容。',
  otherwise: (topic) => `在这之前找到的关于**${topic}**的内容：`,
  sorted: (inbox) => `**${inbox}**里的各段应放在哪里，依据是它们提到的笔记标题：`,
  noPlace: '没有这样命名的笔记',
};

export function phrasesFor(language: Language): Phrases {
  return language === 'zh' ? chinese : english;
}
