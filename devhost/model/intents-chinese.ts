import type { Intent, WriteTarget } from './types.ts';

/** Of the words that the rules know, and of the sample notes: what is written in Traditional Chinese is read in Simplified. */
const TRADITIONAL = '筆記裡關於麼說總結進點這寫還們個對話內與間複習問題後標題為發現讀書過計劃從會議錄開關機學變節約紀';
const SIMPLIFIED = '笔记里关于么说总结进点这写还们个对话内与间复习问题后标题为发现读书过计划从会议录开关机学变节约纪';

function simplified(text: string): string {
  return [...text].map((sign) => SIMPLIFIED[TRADITIONAL.indexOf(sign)] ?? sign).join('');
}

function clean(text: string): string {
  return text
    .trim()
    .replace(/[\s，,。；;：:？?！!…]+$/u, '')
    .replace(/^(?:请|帮我|麻烦)+/u, '')
    .replace(/(?:谢谢|吧|吗|呢)$/u, '')
    .trim()
    .replace(/^[《“"「『'](.*)[》”"」』']$/su, '$1')
    .replace(/^(?:关于|有关)/u, '')
    .replace(/的$/u, '')
    .trim();
}

function isPronoun(text: string): boolean {
  return /^(?:它|这个|那个|这些|那些|上面|以上|结果|内容|答案|一下|一份|一个)?$/u.test(text);
}

function writeTarget(text: string): WriteTarget | null {
  const name = clean(text.replace(/(?:里面|里|中|上|末尾|最后|下面|去)?[\s，,。；;？?！!]*$/u, ''));
  if (/^(?:我的?)?(?:今天|今日|当天)(?:的)?(?:笔记|日记|日志|记录)?$|^(?:日记|每日笔记)$/u.test(name)) return { kind: 'today' };
  const fresh = /^(?:一个|一篇)?新(?:的|建)?(?:文档|笔记)\s*(.+)$/u.exec(name);
  if (fresh?.[1]) return { kind: 'new-document', name: clean(fresh[1]) };
  const document = clean(name.replace(/^(?:文档|笔记)(?=[《“"「])/u, '').replace(/(?<=[》”"」])(?:这篇)?(?:文档|笔记)$/u, ''));
  return isPronoun(document) ? null : { kind: 'document', name: document };
}

const into = '(?:写到|写进|写入|写在|加到|加进|添加到|追加到|放到|放进|记到|记在|保存到|插入到|插入)';

/** 把X的总结写到Y / 写一份X的总结到Y / 并写入Y */
function readWrite(clause: string): { topic: string; write: WriteTarget } | null {
  const direct = new RegExp(`^(.*?)${into}(.+)$`, 'su').exec(clause);
  const split = /^(?:请|帮我|再|然后|并|并且)*写(?:一份|一个|一篇|个)?(.*?(?:总结|摘要|小结|概要))(?:到|进|入|在)(.+)$/su.exec(clause);
  const match = direct ?? split;
  if (!match) return null;
  const write = writeTarget(match[2] ?? '');
  if (!write) return null;
  const what = (match[1] ?? '')
    .replace(/^(?:请|帮我|然后|再|并且|并|接着|，|,|\s)+/u, '')
    .replace(/^把/u, '')
    .replace(/^(?:我的?笔记(?:里|中)?)/u, '')
    .replace(/(?:总结|摘要|小结|概要|要点|内容)(?:一下)?(?:后|并|，|,|\s)*$/u, '')
    .replace(/^总结(?:一下)?/u, '');
  const topic = clean(what);
  return { topic: isPronoun(topic) ? '' : topic, write };
}

const says =
  '(?:都|是)?(?:怎么(?:说|写|讲)的?|说了?(?:些|一些)?(?:什么|啥)|写了?(?:些|一些)?(?:什么|啥)|讲了?(?:些)?什么|提到了?(?:些)?什么|有(?:哪些|什么|些什么)(?:内容|记录|说法|要点|笔记)?|是什么)';
const mine = '我(?:的)?(?:所有)?(?:笔记本?|文档|日记)(?:里面?|中|当中)?';

const askForms: readonly RegExp[] = [
  new RegExp(`^${mine}[，,\\s]*(?:关于|有关|对于|对|提到|说到)?\\s*(.+?)\\s*(?:的(?:内容|部分|笔记|记录))?[，,\\s]*${says}$`, 'su'),
  new RegExp(`^(?:关于|有关|对于)?\\s*(.+?)[，,\\s]*${mine}\\s*${says}$`, 'su'),
  new RegExp(`^${mine}${says.replace('(?:都|是)?', '')}?关于(.+)$`, 'su'),
  new RegExp(`^${mine}[，,\\s]*怎么(?:说|写|讲)(?:关于)?\\s*(.+)$`, 'su'),
  new RegExp(`^${mine}[，,\\s]*(?:关于|有关)\\s*(.+)$`, 'su'),
  /^总结(?:一下)?我(?:的)?(?:笔记|文档)(?:里面?|中)?(?:关于|有关)(.+?)(?:的(?:内容|部分|笔记))?$/su,
  /^我(?:都)?(?:写过|记过|读过|知道)(?:哪些|什么)?(?:关于)?(.+?)(?:的(?:内容|东西|笔记))?$/su,
  /^那?么?(.{1,20}?)呢$/su,
];

const earlierForms: readonly RegExp[] = [
  /(?:再|重新)看看?(?:一下)?(?:刚才|之前|上次|先前|上面)?(?:的)?(?:搜索|查找)?(?:结果|内容)?(?:里?(?:关于|有关|提到)(.+))?$/u,
  /(?:刚才|刚刚|之前|上次|先前|上一轮)(?:的|你)?.*(?:结果|找到|查到|搜到|读到)(?:了)?(?:什么|哪些)?(?:.*?(?:关于|有关|提到)(.+))?/u,
  /^(?:显示|给我看|看|展示|告诉我)?(?:更多|多一点|多一些)(?:关于(.+))?$/u,
  /^(?:继续|接着说|还有(?:吗|什么|别的)?)$/u,
];

function firstMatch(forms: readonly RegExp[], clause: string): string | null {
  for (const form of forms) {
    const match = form.exec(clause);
    if (match) return clean((match[1] ?? '').replace(/(?:的)?(?:内容|部分)$/u, ''));
  }
  return null;
}

function readClause(clause: string): Intent | null {
  if (/(?:列出|显示|看看|有(?:哪些|几个|什么)).*笔记本|笔记本.*(?:列表|有哪些)/u.test(clause)) return { kind: 'list-notebooks' };
  const earlier = firstMatch(earlierForms, clause);
  if (earlier !== null) return { kind: 'earlier', topic: isPronoun(earlier) ? '' : earlier };
  const asked = firstMatch(askForms, clause);
  if (asked !== null) return { kind: 'ask', topic: isPronoun(asked) ? '' : asked, write: null, answer: true };
  const summary =
    /^(?:总结|概括|归纳)(?:一下)?(?:文档|笔记)?\s*(.+?)(?:这篇(?:文档|笔记))?$/su.exec(clause) ??
    /^把(.+?)(?:总结|概括)(?:一下)?$/su.exec(clause) ??
    /^(.+?)(?:这篇(?:文档|笔记))?的(?:要点|重点)(?:是什么|有哪些)?$/su.exec(clause);
  if (summary) {
    const name = clean(summary[1] ?? '');
    return { kind: 'summarize', document: /^(?:我)?今天的?(?:笔记|日记)$/u.test(name) ? 'today' : name, write: null };
  }
  const find = /^(?:在?我的?笔记(?:里|中)?)?(?:查找|搜索|查一下|查询|搜一下|找一下|找找|找|搜)(?:一下)?\s*(.+)$/su.exec(clause);
  return find ? { kind: 'find', query: clean((find[1] ?? '').replace(/的(?:笔记|内容|文档)$/u, '')) } : null;
}

function clausesOf(text: string): string[] {
  return text
    .split(/[。；;？?！!\n]+|[，,]\s*(?=(?:请|再|然后|并|接着|把|写))/u)
    .map((clause) =>
      clause
        .trim()
        .replace(/^(?:请|帮我|麻烦你?|能不能|可以)+/u, '')
        .replace(/[，,\s]+$/u, ''),
    )
    .filter((clause) => clause !== '');
}

export function readChinese(words: string): Intent {
  const text = simplified(words);
  let main: Intent | null = null;
  let written: { topic: string; write: WriteTarget } | null = null;
  for (const clause of clausesOf(text)) {
    const write = readWrite(clause);
    if (write) written ??= write;
    else main ??= readClause(clause);
  }
  if (!written) return main ?? { kind: 'help' };
  if (main?.kind === 'summarize') return { ...main, write: written.write };
  if (main?.kind === 'ask') return { ...main, topic: main.topic || written.topic, write: written.write };
  if (main?.kind === 'find') return { kind: 'ask', topic: main.query, write: written.write, answer: true };
  const document = /^[《「](.+)[》」]$/u.exec(written.topic)?.[1];
  if (document !== undefined) return { kind: 'summarize', document, write: written.write };
  return { kind: 'ask', topic: written.topic, write: written.write, answer: false };
}
