// What a random user lets go with a question: files pasted and dropped, notes dragged in, names behind "@" and "/".
import type { Action } from './stage.ts';

const FILES = [
  { name: 'plan.md', type: 'text/markdown', text: 'Launch in May' },
  { name: 'empty.txt', type: 'text/plain', text: '' },
  { name: '<b>.txt', type: 'text/plain', text: '<img src=x onerror=alert(1)>' },
  { name: 'broken.png', type: 'image/png', text: 'no picture' },
  { name: 'scan.pdf', type: 'application/pdf', text: '%PDF-1.4 nonsense' },
  { name: 'memo.m4a', type: 'audio/mp4', text: 'sound' },
  { name: 'dot.gif', type: 'image/gif', text: atob('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7') },
  { name: 'program.bin', type: '', text: '\u0000\u0001\u0002' },
];
const NAMES = ['@', '@heat', '@城', '@zzz', '@Sodium', '@Open', '/', '/summ', '/Clip', '看@h'];
const MODELS = ['', 'scr', 'gpt', 'zzz', '模型', '<b>'];

/** A file over the panel: pasted into the composer, or dropped on it. */
export const bringFile: Action = async ({ page, random }) => {
  const file = random.pick(FILES) ?? { name: 'x', type: '', text: 'x' };
  const paste = random.next() < 0.5;
  const done = await page.evaluate(
    ({ file, paste }) => {
      const field = document.querySelector('.mg-composer textarea');
      if (!field?.checkVisibility()) return false;
      const data = new DataTransfer();
      const bytes = file.type.startsWith('image/') ? Uint8Array.from(file.text, (letter) => letter.charCodeAt(0)) : file.text;
      data.items.add(new File([bytes], file.name, { type: file.type }));
      const init = { bubbles: true, cancelable: true };
      field.dispatchEvent(
        paste ? new ClipboardEvent('paste', { clipboardData: data, ...init }) : new DragEvent('drop', { dataTransfer: data, ...init }),
      );
      return true;
    },
    { file, paste },
  );
  return done ? { words: `${paste ? 'paste' : 'drop'} ${file.name}` } : null;
};

/** A note of the tree over the panel: dropped, or taken away again. */
export const dragNote: Action = async ({ page, random, documents }) => {
  const id = random.pick([...documents, '20200101000000-nothere', 'nonsense']) ?? '';
  const last = random.next() < 0.7 ? 'drop' : 'dragleave';
  const done = await page.evaluate(
    ({ id, last }) => {
      const panel = document.querySelector('.mg-panel');
      if (!panel?.checkVisibility()) return false;
      for (const event of ['dragenter', 'dragover', last]) {
        const dataTransfer = new DataTransfer();
        dataTransfer.setData('application/siyuan-file', id);
        panel.dispatchEvent(new DragEvent(event, { dataTransfer, bubbles: true, cancelable: true }));
      }
      return true;
    },
    { id, last },
  );
  return done ? { words: `drag ${id}, ${last}` } : null;
};

/** A name is begun in the composer; what is done with the list is left to the next steps. */
export const beginName: Action = async ({ page, random }) => {
  const field = page.locator('.mg-composer textarea:visible').first();
  if ((await field.count()) === 0) return null;
  const name = random.pick(NAMES) ?? '@';
  await field.click({ timeout: 5000 });
  if (random.next() < 0.5) await page.keyboard.press('Control+a');
  await page.keyboard.type(name);
  return { words: `begin ${name}` };
};

/** A model from the list at the status line: looked for, gone through with keys, taken or not. */
export const pickModel: Action = async ({ page, random }) => {
  const button = page.locator('.mg-status__model:visible').first();
  if ((await button.count()) === 0) return null;
  await button.click();
  const search = page.locator('.mg-model-menu [role=combobox], .mg-model-menu input').first();
  await search.waitFor();
  const name = random.pick(MODELS) ?? '';
  await page.keyboard.insertText(name);
  for (let times = random.below(3); times > 0; times--) await page.keyboard.press('ArrowDown');
  const end = random.pick(['Enter', 'Escape', 'Escape', 'Tab']) ?? 'Escape';
  await page.keyboard.press(end);
  return { words: `look for the model "${name}", then ${end}`, keyIn: end };
};

const PAGES = ['What will be sent', 'Usage', 'Chat settings', 'Standing orders', 'Activity'];

/** A page of the panel's menu: what will be sent, what was used. */
export const openPage: Action = async ({ page, random }) => {
  const more = page.locator('.mg-panel').getByRole('button', { name: 'More', exact: true }).first();
  if (!(await more.isVisible())) return null;
  await more.click();
  const name = random.pick(PAGES) ?? '';
  const item = page.getByRole('menuitem', { name, exact: true }).first();
  if (!(await item.isVisible())) {
    await page.keyboard.press('Escape');
    return { words: `look for "${name}" in the menu` };
  }
  await item.click();
  return { words: `open "${name}"` };
};

/** A chip of the composer: its text or note is shown, or it is taken away. */
export const pressChip: Action = async ({ page, random }) => {
  const chips = page.locator('.mg-composer .mg-chip button:visible');
  const count = await chips.count();
  if (count === 0) return null;
  const chip = chips.nth(random.below(count));
  const name = (await chip.getAttribute('aria-label')) ?? (await chip.innerText());
  await chip.click();
  return { words: `press the chip "${name.replace(/\s+/g, ' ').slice(0, 60)}"` };
};
