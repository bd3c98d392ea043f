// What a random user lets go with a question: files pasted and dropped, notes dragged in, names behind "@" and "/".
import type { Action } from './stage.ts';

const FILES = [
  { name: 'plan.md', type: 'text/markdown', text: 'Launch in May' },
  { name: 'empty.txt', type: 'text/plain', text: '' },
  { name: '<b>.txt', type: 'text/plain', text: '<img src=x onerror=alert(1)>' },
  { name: 'broken.png', type: 'image/png', text: 'no picture' },
  { name: 'scan.pdf', type: 'application/pdf', text: '%PDF-1.4 nonsense' },
  { name: 'memo.m4a', type: 'audio/mp4', text: 'sound' },
  { name: 'program.bin', type: '', text: '\u0000\u0001\u0002' },
];
const NAMES = ['@', '@heat', '@城', '@zzz', '/', '/summ', '看@h'];

/** A file over the panel: pasted into the composer, or dropped on it. */
export const bringFile: Action = async ({ page, random }) => {
  const file = random.pick(FILES) ?? { name: 'x', type: '', text: 'x' };
  const paste = random.next() < 0.5;
  const done = await page.evaluate(
    ({ file, paste }) => {
      const field = document.querySelector('.mg-composer textarea');
      if (!field?.checkVisibility()) return false;
      const data = new DataTransfer();
      data.items.add(new File([file.text], file.name, { type: file.type }));
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
