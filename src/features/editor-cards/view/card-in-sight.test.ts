import { describe, expect, it } from 'vitest';
import { type InSight, scrollToShow } from './card-in-sight.ts';

const view = { top: 100, bottom: 900 };
const span = (top: number, bottom: number) => ({ top, bottom });
const scroll = (parts: Partial<InSight>): number =>
  scrollToShow({ view, card: span(400, 600), block: span(300, 390), caret: undefined, ...parts });

describe('how far an editor scrolls for a card that has something to say', () => {
  it('not at all where it is seen whole', () => expect(scroll({ caret: span(310, 330) })).toBe(0));

  it('as little as shows the whole card', () => {
    expect(scroll({ card: span(700, 1000), block: span(600, 690) })).toBe(100);
    expect(scroll({ card: span(40, 300), block: span(0, 30) })).toBe(-60);
    // Its block is the last one that is seen.
    expect(scroll({ card: span(905, 1100), block: span(850, 899) })).toBe(200);
  });

  it('to the top of one that is higher than the view', () => {
    expect(scroll({ card: span(500, 1500), block: span(400, 490) })).toBe(400);
    // The buttons at its end are seen.
    expect(scroll({ card: span(-300, 850), block: span(-400, -310) })).toBe(0);
  });

  it('never so far that the line with the caret leaves the view', () => {
    expect(scroll({ card: span(600, 1300), block: span(150, 590), caret: span(160, 180) })).toBe(60);
    expect(scroll({ card: span(20, 300), block: span(0, 10), caret: span(870, 890) })).toBe(-10);
    // A caret that is out of sight already holds nothing.
    expect(scroll({ card: span(700, 1000), block: span(600, 690), caret: span(20, 40) })).toBe(100);
  });

  it('not at all where somebody has scrolled away from it', () => {
    expect(scroll({ card: span(1000, 1200), block: span(950, 990) })).toBe(0);
    expect(scroll({ card: span(-200, 90), block: span(-300, -210) })).toBe(0);
  });
});
