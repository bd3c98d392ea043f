import type english from '../../../i18n/en_US.json';

/** A key of i18n/en_US.json: a key that does not exist is a compile error. */
export type MessageKey = keyof typeof english;
export type Variables = Readonly<Record<string, string | number>>;

/** Fills a text: `{name}`, and `{n|note|notes}` by the number: two forms for 1 and the rest, three for 1, 2 and the rest; `#` is it. */
export type Translate = (key: MessageKey, variables?: Variables) => string;

const PLACEHOLDER = /\{(\w+)((?:\|[^{}|]*)*)\}( ?)/g;
/** A short number of Chinese, such as "2.4万": it gets no space between a numeral and a character. */
const SHORT_NUMBER = /\d\p{Script=Han}$/u;

export function fillText(text: string, variables: Variables): string {
  return text.replace(PLACEHOLDER, (whole, name: string, choice: string, gap: string) => {
    const value = variables[name];
    if (value === undefined) return whole;
    if (choice === '') return String(value) + (SHORT_NUMBER.test(String(value)) ? '' : gap);
    const forms = choice.slice(1).split('|');
    const count = Number(value);
    const index = Number.isInteger(count) && count >= 1 && count < forms.length ? count - 1 : forms.length - 1;
    return (forms[index] ?? '').replace('#', String(value)) + gap;
  });
}

/** `dictionary`: flat texts of one language as SiYuan passes them (`plugin.i18n`); a missing key is shown as it is. */
export function createTranslate(dictionary: Readonly<Record<string, unknown>>): Translate {
  return (key, variables = {}) => {
    const text = dictionary[key];
    return fillText(typeof text === 'string' ? text : key, variables);
  };
}
