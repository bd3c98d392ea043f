import { describe, expect, it } from 'vitest';
import { doubtOf } from './claim-facts.ts';

const TOWER = 'The tower was built by Anna Holm on 3 March 1874 and is 41 metres high. Its lamp has burned 1,200 litres of oil a year.';

describe('a cited sentence', () => {
  it.each([
    ['says the same', 'Anna Holm built the 41 metre tower.', TOWER],
    ['writes a number otherwise', 'It burned 1200 litres.', TOWER],
    ['writes a number in digits', 'There are 12 lamps.', 'There are twelve lamps.'],
    ['writes a greater number in digits', 'There are 42 lamps.', 'There are forty-two lamps.'],
    ['writes digits in words', 'There are twelve lamps.', 'There are 12 lamps.'],
    ['writes a great number in words', 'It burned two thousand litres.', 'It burned 2,000 litres.'],
    ['writes a number in millions', 'It took 1.5 million bricks.', 'It took 1,500,000 bricks.'],
    ['writes a number in ten thousands', '用了150万块砖。', 'It took 1.5 million bricks.'],
    ['writes a unit in short', 'It is 5 km away.', 'It is five kilometres away.'],
    ['writes another unit for the same', 'It is 5 km away.', 'It is 5,000 m away.'],
    ['writes a share in words', 'Half of the lamps burn.', '50 % of the lamps burn.'],
    ['names what a range of millions begins with', 'It cost $3 million at least.', 'It cost $3 to 5 million.'],
    ['writes a sign in words', 'It was -3 degrees.', 'It was 3 degrees below zero.'],
    ['writes a date', 'Built on 1874-03-03.', '1874-03-03'],
    ['counts what was named', 'The two brothers built it.', 'Anna and Lars Holm built it.'],
    ['has a word for one', 'It is one of the oldest.', 'No older ones are known.'],
    ['writes Chinese signs', '用了十二年。', 'It took 12 years.'],
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

  it.each([
    ['5 m', 'It is 5 m away.', 'It is 5 km away.'],
    ['€40', 'It cost €40.', 'It cost $40.'],
    ['40 %', 'It rose by 40 % that year.', 'It rose by 40 € that year.'],
    ['-3', 'It was -3 degrees.', 'It was 3 degrees.'],
    ['thirteen', 'There are thirteen lamps.', 'There are 12 lamps.'],
    ['two thousand', 'It burned two thousand litres.', 'It burned 2,500 litres.'],
    ['1.5 billion', 'It took 1.5 billion bricks.', 'It took 1,500,000 bricks.'],
    ['5', 'It took 5 bricks.', 'It took 5 million bricks.'],
    ['five', 'He caught five birds.', 'He caught four birds and five fishes.'],
    ['十三', '用了十三年。', 'It took 12 years.'],
    ['12 months', 'It took 12 months.', 'It took twelve years.'],
  ])('is doubted for %s', (missing, sentence, source) => expect(doubtOf(sentence, source)?.missing.join()).toBe(missing));

  it('is doubted where one denies what the other says', () => {
    expect(doubtOf('The tower was not built by Anna Holm on 3 March 1874.', TOWER)).toEqual({ missing: [], denies: true });
    expect(doubtOf('塔上的灯每天晚上都不亮。', '塔上的灯每天晚上都亮。')).toEqual({ missing: [], denies: true });
  });

  it('may name what the question names', () => {
    expect(doubtOf('Lars Berg saw the tower.', TOWER, 'What did Lars Berg see?')).toBeUndefined();
    expect(doubtOf('Lars Berg saw it in 1999.', TOWER, 'What did Lars Berg see in 1999?')).toEqual({ missing: ['1999'], denies: false });
  });
});
