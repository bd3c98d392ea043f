/** Words that questions are made of and that say nothing of what is asked about: English, and Chinese, in both ways to write it, as `Intl.Segmenter` cuts it. */
const ENGLISH =
  'a about after all also am an and any are as at be because been before being between both but by can could did do does doing each few for ' +
  'from had has have having he her here him his how i if in into is it its many me more most much my no nor not of on only or other our out ' +
  'over own same she should so some such than that the their them then there these they this those to too under up us very was we were what ' +
  'when where which while who whom whose why will with would you your don doesn didn isn aren wasn weren won ll re ve';
const CHINESE =
  '的 了 是 在 和 与 及 或 有 被 把 对 于 从 到 由 为 以 之 其 这 那 哪 个 些 谁 多少 几 吗 呢 吧 啊 我 你 他 她 它 也 都 就 而 但 并 等 会 能 要 所 地 得 着 过 ' +
  '让 使 请 还 又 很 最 更 什么 哪些 哪个 哪里 哪儿 哪位 哪一 怎么 怎样 如何 为什么 为何 何时 何 我们 你们 他们 她们 它们 这个 那个 这些 那些 一个 一种 一些 ' +
  '时候 什么时候 可以 没有 不 是否 之一 关于 因为 所以 如果 以及 并且 或者 叫 叫做 ' +
  '與 對 於 從 為 這 個 誰 幾 嗎 並 會 過 讓 請 還 什麼 哪個 哪裡 哪兒 怎麼 怎樣 為什麼 為何 何時 我們 你們 他們 她們 它們 這個 那個 這些 一個 一種 ' +
  '時候 什麼時候 沒有 關於 因為 並且';

export const STOP_WORDS: ReadonlySet<string> = new Set(`${ENGLISH} ${CHINESE}`.split(' '));

/** Those of several Chinese characters, longest first: for questions whose words are not separated. */
export const CHINESE_STOP_WORDS = new RegExp(
  CHINESE.split(' ')
    .filter((word) => word.length > 1)
    .sort((one, other) => other.length - one.length)
    .join('|'),
  'gu',
);
