import { describe, expect, it } from 'vitest';
import { doubtOf } from './claim-facts.ts';

const TOWER = 'The tower was built by Anna Holm on 3 March 1874 and is 41 metres high. Its lamp has burned 1,200 litres of oil a year.';

describe('a cited sentence', () => {
  it.each([
    ['says the same', 'Anna Holm built the 41 metre tower.', TOWER],
    ['writes a number otherwise', 'It burned 1200 litres.', TOWER],
    ['writes a number in digits', 'There are 12 lamps.', 'There are twelve lamps.'],
    ['writes a greater number in digits', 'There are 42 lamps.', 'There are forty-two lamps.'],
    ['writes a month in digits', 'Built on 1874-03-03.', TOWER],
    ['writes a month in words', 'Built in March 1874.', '1874-03-03'],
    ['is in Chinese about English', '塔高41米，由安娜·霍尔姆建造。', TOWER],
    ['is in English about Chinese', 'Anna Holm built it 12 years ago.', '安娜十二年前建造了它。'],
    ['reads Chinese numbers', 'It took 25 days.', '用了二十五天。'],
    ['begins with a common word', 'Because the tower is 41 metres high, ships see it.', TOWER],
    ['denies what the source denies', 'The tower was never painted by the keeper.', 'The tower was not painted by the keeper.'],
    ['says nothing that can be compared', 'It is high.', TOWER],
  ])('is not doubted where it %s', (_what, sentence, source) => expect(doubtOf(sentence, source)).toBeUndefined());

  it.each<[string, string, readonly string[]]>([
    ['a number', 'The tower is 43 metres high.', ['43']],
    ['a year', 'Anna Holm built it in 1876.', ['1876']],
    ['a month', 'Anna Holm built it in May 1874.', ['May']],
    ['a name', 'The tower was built by Peter Voss.', ['Peter', 'Voss']],
    ['a name that begins it', 'Peter Voss built the tower.', ['Peter', 'Voss']],
    ['a quotation', '塔上写着「平安归来」。', []],
  ])('is doubted for %s that the block does not have', (_what, sentence, missing) => {
    if (missing.length > 0) expect(doubtOf(sentence, TOWER)).toEqual({ missing, denies: false });
    else expect(doubtOf(sentence, '塔上写着“欢迎光临”。')).toEqual({ missing: ['平安归来'], denies: false });
  });

  it('is doubted where one denies what the other says', () => {
    expect(doubtOf('The tower was not built by Anna Holm on 3 March 1874.', TOWER)).toEqual({ missing: [], denies: true });
    expect(doubtOf('塔上的灯每天晚上都不亮。', '塔上的灯每天晚上都亮。')).toEqual({ missing: [], denies: true });
  });

  it('may name what the question names', () => {
    expect(doubtOf('Lars Berg saw the tower.', TOWER, 'What did Lars Berg see?')).toBeUndefined();
    expect(doubtOf('Lars Berg saw it in 1999.', TOWER, 'What did Lars Berg see in 1999?')).toEqual({ missing: ['1999'], denies: false });
  });
});
