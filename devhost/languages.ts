/** SiYuan's languages that the development host has, by their names since 3.7, with the older ones that files still go by. */
export const LANGUAGES = [
  { name: 'en', older: 'en_US', label: 'English' },
  { name: 'zh-CN', older: 'zh_CN', label: '简体中文' },
  { name: 'zh-TW', older: 'zh_CHT', label: '繁體中文' },
] as const;

export const olderName = (lang: string): string => LANGUAGES.find(({ name }) => name === lang)?.older ?? lang;
