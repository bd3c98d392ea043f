import { expect, it } from 'vitest';
import { languagesIn } from './notebook-languages.ts';

it.each([
  ['The nebula is seen with a telescope, and that was the point of the survey.', ['English']],
  ['间隔重复把复习分散到多天，用 Anki 最方便，the app 也可以。', ['Chinese']],
  ['間隔を空けて復習すると、よく覚えられます。', ['Japanese']],
  ['간격을 두고 복습하면 오래 기억한다.', ['Korean']],
  ['Die Heizung ist alt und das Dach nicht dicht, mit einer Firma sprechen.', ['German']],
  ['Le train est dans la gare et les places sont pour une famille.', ['French']],
  ['Повторение через промежутки помогает помнить.', ['Russian']],
  ['Повторення через проміжки допомагає краще запам’ятати її вміст і зміст.', ['Ukrainian']],
  [
    '间隔重复把复习分散到多天，记得更牢固。 The spacing of sessions is the point, and it was tested with many people.',
    ['Chinese', 'English'],
  ],
  ['TODO api v2 npm run build', []],
  ['', []],
])('of %j are %j', (text, languages) => {
  expect([...languagesIn(text)].sort()).toEqual([...languages].sort());
});
