// What a random user does: each action looks at the page, chooses by the seed, acts, and says in words what it did.
import type { Page } from 'playwright-core';
import type { Random } from '../../bench/random.ts';
import { beginName, bringFile, dragNote, openPage, pickModel, pressChip } from './attach-actions.ts';
import { blockMenu, selectWords, slash, titleMenu, typeInNote } from './note-actions.ts';
import type { Control, Look } from './page-eyes.ts';
import type { Action, Done, Stage } from './stage.ts';

const CONSENT = /approve|accept|allow|insert|append|undo|redo|save|restore|take over|put back|^write|try again|keep|add to|rewrite|again/i;
const STANDING = /for this chat|without asking|always/i;

const SAID = [
  'What do my notes say about heat?',
  'Write a summary into today’s note',
  'x',
  '你好，帮我总结一下',
  '<b>bold</b> & "quotes"',
  'one\ntwo\nthree',
  '/rewrite',
  '@thesis',
  '👩‍👩‍👧‍👦 '.repeat(20),
  'long '.repeat(300),
];
const TYPED = [
  '',
  'a',
  'Plan',
  'two words',
  '<img src=x>',
  '中文',
  '-1',
  '0',
  '99999999999',
  '   ',
  'tag, other',
  '/Deep/Path',
  '$VAR_REF{{x}}',
  'e'.repeat(300),
];
const KEYS = [
  'Tab',
  'Tab',
  'Tab',
  'Shift+Tab',
  'ArrowDown',
  'ArrowUp',
  'ArrowLeft',
  'ArrowRight',
  'Enter',
  'Escape',
  'Space',
  'Home',
  'End',
  'Alt+ArrowUp',
  'Alt+ArrowDown',
  'Control+f',
  'Shift+Enter',
  'Control+Enter',
  'Delete',
  'PageUp',
];
const SIZES = [
  { width: 1400, height: 900 },
  { width: 1000, height: 700 },
  { width: 760, height: 450 },
  { width: 560, height: 900 },
];

const called = ({ role, name, index }: Control): string => `${role} "${name.slice(0, 80)}"${index > 0 ? ` #${index + 1}` : ''}`;

/** Each name has the same chance, so that the many buttons of messages do not hide the rare ones. */
function choose(random: Random, controls: readonly Control[]): Control | undefined {
  const names = [...new Set(controls.map(({ role, name }) => `${role}\n${name}`))].sort();
  const chosen = random.pick(names);
  return random.pick(controls.filter(({ role, name }) => `${role}\n${name}` === chosen));
}

async function point(page: Page, at: number): Promise<{ x: number; y: number } | null> {
  return page.evaluate((index) => {
    const element = window.monkey.element(index);
    if (!element?.isConnected) return null;
    element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const hit = document.elementFromPoint(x, y);
    return hit && (element.contains(hit) || hit.contains(element)) ? { x, y } : null;
  }, at);
}

/** What a press on this control consents to. */
function consents(name: string): Pick<Done, 'consent' | 'standing'> {
  return { ...(CONSENT.test(name) ? { consent: true } : {}), ...(STANDING.test(name) ? { standing: true, consent: true } : {}) };
}

const press: Action = async ({ page, random }, { controls }) => {
  const control = choose(
    random,
    controls.filter(({ kind }) => kind !== 'file'),
  );
  if (!control) return null;
  const words = called(control);
  const place = await point(page, control.at);
  if (!place) return { words: `${words} is covered` };
  if (control.kind === 'choose') {
    const chosen = await page.evaluate(
      ({ at, dice }) => {
        const select = window.monkey.element(at);
        if (!(select instanceof HTMLSelectElement) || select.options.length === 0) return '';
        const option = select.options[Math.floor(dice * select.options.length)];
        if (!option) return '';
        select.focus();
        select.value = option.value;
        select.dispatchEvent(new Event('input', { bubbles: true }));
        select.dispatchEvent(new Event('change', { bubbles: true }));
        return option.text;
      },
      { at: control.at, dice: random.next() },
    );
    return { words: `choose "${chosen}" in ${words}`, ...consents(chosen) };
  }
  const twice = random.next() < 0.05;
  await page.mouse.click(place.x, place.y, twice ? { clickCount: 2 } : {});
  if (control.kind !== 'text')
    return {
      words: `press ${words}${twice ? ' twice' : ''}`,
      ...consents(control.name),
      ...(control.role === 'link' ? { followedLink: true } : {}),
    };
  // Addresses of models stay on this machine.
  const text = /address|url|endpoint/i.test(control.name) ? 'http://127.0.0.1:9/v1' : (random.pick(TYPED) ?? '');
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
  return { words: `type "${text.slice(0, 30)}" into ${words}`, typedInNote: false };
};

const focusIsInNote = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.activeElement?.closest('.protyle-wysiwyg, .protyle-title, .protyle') != null);

const key: Action = async ({ page, random }, { focus, focusIsOurs }) => {
  const name = random.pick(KEYS) ?? 'Tab';
  const inNote = await focusIsInNote(page);
  if (inNote && /^(Delete|Enter|Space|Shift\+Enter|Control\+Enter)$/.test(name)) {
    await page.keyboard.press(name);
    return { words: `key ${name} in a note`, typedInNote: true };
  }
  await page.keyboard.press(name);
  const pressed = /Enter|Space/.test(name);
  // Enter on a card decides it.
  const decides = pressed && (/^group/.test(focus) || CONSENT.test(focus));
  return {
    words: `key ${name} at ${focus}`,
    ...(focusIsOurs ? { keyIn: name } : {}),
    ...(pressed && focus.startsWith('link') ? { followedLink: true } : {}),
    ...(decides ? { consent: true } : {}),
    ...(pressed && STANDING.test(focus) ? { standing: true, consent: true } : {}),
    // A note that a press before it opened takes the focus when it is shown: the key may have come after that.
    ...(inNote || (await focusIsInNote(page)) ? { typedInNote: true } : {}),
  };
};

const say: Action = async ({ page, random }, { controls }) => {
  const composer = controls.find(({ role, name }) => role === 'textbox' && name === 'Message');
  const place = composer && (await point(page, composer.at));
  if (!place) return null;
  await page.mouse.click(place.x, place.y);
  const text = random.pick(SAID) ?? 'x';
  await page.keyboard.insertText(text);
  if (random.next() < 0.85) await page.keyboard.press('Enter');
  return { words: `say "${text.slice(0, 30)}"` };
};

const command: Action = async ({ page, random }) => {
  await page.locator('#barCommand').click({ timeout: 5000 });
  const items = page.locator('.b3-dialog--open .b3-list-item', { hasText: 'Marginalia' });
  const labels = await items.allInnerTexts();
  const at = random.below(Math.max(1, labels.length));
  await items.nth(at).click();
  return { words: `command ${(labels[at] ?? '').trim()}`, ...consents(labels[at] ?? '') };
};

const openNote: Action = async ({ goto, random, documents, url }) => {
  const id = random.pick(documents) ?? '';
  await goto(`${url}?open=${id}`);
  return { words: `open note ${id} in the page anew`, reloaded: true };
};

const reload: Action = async ({ goto, page }) => {
  await goto(page.url());
  return { words: 'reload', reloaded: true };
};

const theme: Action = async ({ page }) => {
  await page.locator('#barMode').click({ timeout: 5000 });
  return { words: 'change the theme' };
};

const resize: Action = async ({ page, random }) => {
  const size = random.pick(SIZES) ?? { width: 1400, height: 900 };
  await page.setViewportSize(size);
  const dock = random.pick([230, 320, 380, 600]) ?? 380;
  await page.evaluate((width) => {
    const column = document.querySelector('.mg-panel')?.closest<HTMLElement>('.layout__dock');
    if (column) column.style.width = `${width}px`;
  }, dock);
  return { words: `resize to ${size.width}×${size.height}, the dock to ${dock}` };
};

const toggleDock: Action = async ({ page }) => {
  await page.locator('.dock__item[data-type="siyuan-marginaliapanel"]').click({ timeout: 5000 });
  return { words: 'press the dock icon' };
};

/** Does nothing: what is held goes on. */
const wait: Action = async () => ({ words: 'wait' });

const CHANCES: readonly (readonly [Action, number])[] = [
  [press, 44],
  [key, 18],
  [say, 12],
  [selectWords, 3],
  [slash, 3],
  [blockMenu, 3],
  [bringFile, 2],
  [dragNote, 2],
  [beginName, 3],
  [pressChip, 2],
  [pickModel, 1.5],
  [openPage, 1.5],
  [titleMenu, 2],
  [typeInNote, 2],
  [command, 2],
  [openNote, 1.5],
  [reload, 2],
  [theme, 1],
  [resize, 1.5],
  [toggleDock, 0.5],
  [wait, 4],
];

/** One step of the walk. */
export async function act(stage: Stage, look: Look): Promise<Done> {
  if (!look.panelOpen && stage.random.next() < 0.5) return (await toggleDock(stage, look)) ?? { words: 'nothing' };
  let dice = stage.random.next() * CHANCES.reduce((sum, [, chance]) => sum + chance, 0);
  for (const [action, chance] of CHANCES) {
    dice -= chance;
    if (dice < 0) return (await action(stage, look)) ?? (await press(stage, look)) ?? { words: 'nothing' };
  }
  return { words: 'nothing' };
}
