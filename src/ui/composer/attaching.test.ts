import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { button, calls, hostCalls, message, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();
const chips = (page: Page) => page.getByRole('list', { name: 'Attached notes and files' }).getByRole('listitem');
/** Those of the text: it names them, and no chip does once more. */
const mentions = (page: Page) => page.locator('.mg-composer:not(:has(.mg-chip)) .mg-marks mark');
const options = (page: Page) => page.getByRole('option');
const selected = (page: Page) => page.getByRole('option', { selected: true });

/** Pastes or drops a file, and text beside it where that is given; true where the browser is left to it. */
const bring = (page: Page, how: 'paste' | 'drop', file: { name: string; type: string; base64: string }, text = ''): Promise<boolean> =>
  message(page).evaluate(
    (field, { how, file, text }) => {
      const data = new DataTransfer();
      const bytes = Uint8Array.from(atob(file.base64), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], file.name, { type: file.type }));
      if (text) data.setData('text/plain', text);
      const init = { bubbles: true, cancelable: true };
      if (how === 'paste') return field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, ...init }));
      return field.dispatchEvent(new DragEvent('drop', { dataTransfer: data, ...init }));
    },
    { how, file, text },
  );

const base64 = (text: string): string => Buffer.from(text).toString('base64');
/** A picture of one colour, made by the browser. */
const picture = (page: Page, width: number, height: number, type = 'image/png'): Promise<string> =>
  page.evaluate(
    ([width, height, type]) => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [width, height];
      canvas.getContext('2d')?.fillRect(0, 0, 4, 4);
      return canvas.toDataURL(type).split(',')[1] ?? '';
    },
    [width, height, type] as const,
  );

/** A PDF of one page, with text or without. */
function pdf(text: string): string {
  const stream = text === '' ? '0 0 10 10 re f' : `BT /F1 12 Tf 20 100 Td (${text}) Tj ET`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${stream.length}>>stream\n${stream}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = body.length;
    body += `${index + 1} 0 obj${object}endobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  return base64(`${body}xref\n0 6\n0000000000 65535 f \n${table}trailer<</Size 6/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF`);
}

describe('files', () => {
  it('are pasted, dropped and taken away; a picture is sent alone', () =>
    on('empty', async (page) => {
      const image = await picture(page, 8, 8);
      expect(await bring(page, 'paste', { name: 'map.png', type: 'image/png', base64: image })).toBe(false);
      await chips(page).getByText('map.png').waitFor();
      expect(await bring(page, 'drop', { name: 'plan.md', type: '', base64: base64('Launch in May') })).toBe(false);
      await chips(page).getByText('plan.md').waitFor();
      await expect.poll(() => chips(page).allInnerTexts()).toEqual(['map.png', 'plan.md']);
      await button(page, 'plan.md').click();
      await expect.poll(() => page.locator('pre').innerText()).toBe('Launch in May');
      await button(page, 'Remove plan.md').click();
      await expect.poll(() => chips(page).count()).toBe(1);
      await button(page, 'map.png').click();
      expect((await hostCalls(page)).filter(([name]) => name === 'openAsset')).toEqual([['openAsset', 'assets/map.png']]);
      await button(page, 'Send').click();
      expect(await calls(page, 'send')).toEqual([['send', '']]);
    }));

  it('leave the text to what is both, as a table from a program is', () =>
    on('empty', async (page) => {
      const image = await picture(page, 8, 8);
      expect(await bring(page, 'paste', { name: 'x.png', type: 'image/png', base64: image }, 'of a table')).toBe(true);
      expect(await calls(page, 'attach')).toEqual([]);
    }));

  it('that are large pictures become smaller ones', () =>
    on('empty', async (page) => {
      const image = await picture(page, 4096, 1024);
      await bring(page, 'paste', { name: 'wide.bmp', type: 'image/png', base64: image });
      await chips(page).getByText('wide.png').waitFor();
      expect(await page.evaluate(() => window.page.controller.attached.at(-1)?.bytes.length ?? 0)).toBeGreaterThan(0);
      const side = await page.evaluate(async () => {
        const { bytes, mime } = window.page.controller.attached.at(-1) ?? { bytes: new Uint8Array(), mime: '' };
        const { width, height } = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: mime }));
        return [width, height];
      });
      expect(side).toEqual([2048, 512]);
    }));

  it('that are PDFs go by their text; a scanned one says so', () =>
    on('empty', async (page) => {
      await bring(page, 'drop', { name: 'report.pdf', type: 'application/pdf', base64: pdf('Launch in May') });
      await chips(page).getByText('report.pdf').waitFor();
      await expect.poll(() => page.evaluate(() => window.page.controller.attached.at(-1)?.text)).toBe('--- page 1 ---\nLaunch in May');
      await bring(page, 'drop', { name: 'scan.pdf', type: 'application/pdf', base64: pdf('') });
      await page.getByText('scan.pdf has no text, only scanned pages.').waitFor();
      await bring(page, 'drop', { name: 'bad.pdf', type: 'application/pdf', base64: base64('%PDF-1.4 nonsense') });
      await page.getByText('bad.pdf cannot be read.').waitFor();
      await expect.poll(() => chips(page).count()).toBe(1);
    }));

  it.each([
    ['program.exe', '', base64('MZ\u0000\u0001\u0002'), 'program.exe cannot be attached.'],
    ['film.mp4', 'video/mp4', base64('film'), 'film.mp4 cannot be attached.'],
    ['broken.png', 'image/png', base64('no picture'), 'broken.png cannot be read.'],
    ['none.txt', 'text/plain', '', 'none.txt is empty.'],
    ['book.txt', 'text/plain', base64('word '.repeat(50_000)), 'book.txt is too large.'],
  ])('that cannot go say why: %s', (name, type, content, said) =>
    on('empty', async (page) => {
      await bring(page, 'drop', { name, type, base64: content });
      await page.getByText(said).waitFor();
      expect(await calls(page, 'attach')).toEqual([]);
    }),
  );

  it('that cannot go are all named in one message', () =>
    on('empty', async (page) => {
      const chooser = page.waitForEvent('filechooser');
      await button(page, 'Attach files').click();
      await (await chooser).setFiles([
        { name: 'a.exe', mimeType: '', buffer: Buffer.from('MZ\u0000\u0001') },
        { name: 'none.txt', mimeType: 'text/plain', buffer: Buffer.from('') },
        { name: 'b.exe', mimeType: '', buffer: Buffer.from('MZ\u0000\u0001') },
        { name: 'void.txt', mimeType: 'text/plain', buffer: Buffer.from('') },
      ]);
      await page.getByText(/^a\.exe, b\.exe cannot be attached\. .* none\.txt, void\.txt are empty\.$/).waitFor();
    }));

  it('of older Chinese programs are read in their own encoding', () =>
    on('empty', async (page) => {
      await bring(page, 'drop', { name: '笔记.txt', type: 'text/plain', base64: Buffer.from([0xc4, 0xe3, 0xba, 0xc3]).toString('base64') });
      await chips(page).getByText('笔记.txt').waitFor();
      await expect.poll(() => page.evaluate(() => window.page.controller.attached.at(-1)?.text)).toMatch(/read as gb18030\.[^\n]*\n你好$/);
    }));

  it('warn where the model takes no pictures', () =>
    on('empty', async (page) => {
      await page.evaluate(() => {
        const file = { id: 'a', kind: 'image', name: 'map.png', mime: 'image/png', size: 1, asset: 'assets/map.png' } as const;
        window.page.controller.set({
          model: { label: 'tiny', kind: 'ready', marks: { type: 'chat', vision: false } },
          attachments: [file],
        });
      });
      await page.getByText('tiny cannot read images. Choose another model, or remove the image.').waitFor();
    }));
});

describe('"@"', () => {
  it('lists what can go along, by groups, and the keys pick from it', () =>
    on('empty', async (page) => {
      await message(page).pressSequentially('What about @');
      await options(page).first().waitFor();
      await expect
        .poll(() => page.getByRole('listbox').innerText())
        .toMatch(/^Current\n[\s\S]*Notes\n[\s\S]*Blocks\n[\s\S]*Notebooks\n[\s\S]*Tags\n[\s\S]*Saved searches\n+Open tasks/);
      await expect.poll(() => selected(page).innerText()).toContain('Apollo');
      await message(page).press('ArrowUp');
      await expect.poll(() => selected(page).innerText()).toContain('Open tasks');
      await message(page).press('ArrowDown');
      await message(page).pressSequentially('heat');
      await expect.poll(() => options(page).count()).toBe(1);
      await expect.poll(() => message(page).getAttribute('aria-activedescendant')).toBe(await selected(page).getAttribute('id'));
      await message(page).press('Enter');
      await mentions(page).getByText('Urban heat').waitFor();
      await expect.poll(() => message(page).inputValue()).toBe('What about @Urban heat ');
      expect(await calls(page, 'send')).toEqual([]);
      expect(await page.getByRole('listbox').count()).toBe(0);
    }));

  it('shows what is open and recent at once, and related notes when they are found, with the same entry active', () =>
    on('empty', async (page) => {
      await page.evaluate(() => {
        const { host } = window.page;
        const related = host.relatedContexts.bind(host);
        const arrived = new Promise<void>((resolve) => document.addEventListener('related-arrives', () => resolve(), { once: true }));
        host.relatedContexts = async () => {
          await arrived;
          return related();
        };
      });
      await message(page).pressSequentially('@');
      await options(page).filter({ hasText: 'Urban heat' }).first().waitFor();
      await expect.poll(() => options(page).filter({ hasText: 'Launch plan' }).count()).toBe(0);
      for (let press = 0; press < 2; press += 1) await message(page).press('ArrowDown');
      await expect.poll(() => selected(page).innerText()).toContain('Urban heat');
      await page.evaluate(() => void document.dispatchEvent(new Event('related-arrives')));
      await options(page).filter({ hasText: 'Launch plan' }).waitFor();
      await expect.poll(() => selected(page).innerText()).toContain('Urban heat');
      const groups = async () => (await page.locator('.mg-pick__group').allInnerTexts()).slice(0, 3);
      await expect.poll(groups).toEqual(['Current', 'Related to Apollo', 'Notes']);
    }));

  it('shows the end of where notes stand, and all of it where two would look alike', () =>
    on('empty', async (page) => {
      await page.evaluate(() => {
        const at = (place: string, id: string) => ({ kind: 'document', group: 'documents', id, title: 'Notes', place }) as const;
        const places = ['Work/A/B/C/Notes', 'Work/X/B/C/Notes', 'Work/A/Notes', 'Home/Notes'];
        window.page.host.findContexts = async () => places.map((place, id) => at(place, String(id)));
      });
      await message(page).pressSequentially('@notes');
      await expect
        .poll(() => page.locator('.mg-pick__place').allInnerTexts())
        .toEqual(['Work › A › B › C', 'Work › X › B › C', 'Work › A', 'Home']);
    }));

  it('says when notes of one title in one place were made, to the second where a day does not tell them apart', () =>
    on('empty', async (page) => {
      await page.evaluate(() => {
        const note = (id: string) => ({ kind: 'document', group: 'documents', id, title: 'Log', place: 'Work/Log' }) as const;
        window.page.host.findContexts = async () =>
          ['20260102030405-aaaaaaa', '20260102101112-bbbbbbb', '20260203000000-ccccccc'].map(note);
      });
      await message(page).pressSequentially('@log');
      await expect
        .poll(() => page.locator('.mg-pick__place').allInnerTexts())
        .toEqual(['Work · 2026-01-02 03:04:05', 'Work · 2026-01-02 10:11:12', 'Work · 2026-02-03']);
      await options(page).first().click();
      await mentions(page).getByText('Log').waitFor();
    }));

  it('keeps the entry that an arrow chose where the list comes again, and Enter takes it', () =>
    on('empty', async (page) => {
      await message(page).pressSequentially('@urban or trees');
      await expect.poll(() => options(page).count()).toBe(2);
      await message(page).evaluate((field: HTMLTextAreaElement) => {
        const key = (name: string) => field.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
        field.value += ' or shade';
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
        key('ArrowDown');
      });
      await expect.poll(async () => (await hostCalls(page)).at(-1)).toEqual(['findContexts', 'urban or trees or shade']);
      await expect.poll(() => selected(page).innerText()).toContain('Urban heat');
      await message(page).press('Enter');
      await mentions(page).getByText('Urban heat').waitFor();
      expect(await calls(page, 'send')).toEqual([]);
    }));

  it('in the middle of a sentence leaves the caret where it was, also behind Chinese', () =>
    on('empty', async (page) => {
      await message(page).fill('看看 怎么样');
      await message(page).evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(2, 2));
      await message(page).pressSequentially('@城');
      await expect.poll(() => options(page).count()).toBe(1);
      await message(page).press('Tab');
      await mentions(page).getByText('城市热岛').waitFor();
      await message(page).pressSequentially('它');
      await expect.poll(() => message(page).inputValue()).toBe('看看@城市热岛的观测记录与整理它 怎么样');
    }));

  it('leaves the keys to a composition, and looks when that has ended', () =>
    on('empty', async (page) => {
      await message(page).pressSequentially('@');
      await options(page).first().waitFor();
      const key = (isComposing: boolean, keyCode: number): Promise<boolean> =>
        message(page).evaluate(
          (field, init) => field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init })),
          { isComposing, keyCode },
        );
      expect([await key(true, 13), await key(false, 229)]).toEqual([true, true]);
      expect(await calls(page)).toEqual([]);
      const asked = async (): Promise<unknown[]> =>
        (await hostCalls(page)).filter(([name]) => name === 'findContexts').map(([, words]) => words);
      await message(page).evaluate((field: HTMLTextAreaElement) => {
        field.value = '@cheng';
        field.dispatchEvent(new InputEvent('input', { bubbles: true, isComposing: true }));
        field.value = '@城';
        field.dispatchEvent(new InputEvent('input', { bubbles: true, isComposing: true }));
        field.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
      });
      await expect.poll(() => options(page).count()).toBe(1);
      expect(await asked()).toEqual(['', '城']);
    }));

  it('tells what is typed on in a list from another list', () =>
    on('empty', async (page) => {
      await page.evaluate(() => {
        const { host } = window.page;
        const find = host.findContexts.bind(host);
        host.findContexts = (words: string, goesOn?: boolean) => {
          host.log.push(['goesOn', `${words} ${goesOn}`]);
          return find(words);
        };
      });
      const asked = async () => (await hostCalls(page)).filter(([name]) => name === 'goesOn').map(([, words]) => words);
      await message(page).pressSequentially('@');
      await options(page).first().waitFor();
      await message(page).pressSequentially('u');
      await expect.poll(asked).toEqual([' false', 'u true']);
      await message(page).fill('See @u');
      await expect.poll(asked).toEqual([' false', 'u true', 'u false']);
      await options(page).first().waitFor();
      await message(page).fill('/');
      await options(page).first().waitFor();
      await message(page).fill('@u');
      await expect.poll(asked).toEqual([' false', 'u true', 'u false', 'u false']);
    }));

  it('takes what was typed, not what was listed before it, however fast Enter comes', () =>
    on('empty', async (page) => {
      await message(page).pressSequentially('@');
      await options(page).first().waitFor();
      await message(page).evaluate((field: HTMLTextAreaElement) => {
        field.value = '@heat';
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
        field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
      });
      await mentions(page).getByText('Urban heat').waitFor();
      await expect.poll(async () => [await mentions(page).count(), await calls(page, 'send')]).toEqual([1, []]);
    }));

  it('waits for the list where Enter comes before it', () =>
    on('empty', async (page) => {
      await message(page).evaluate((field: HTMLTextAreaElement) => {
        field.value = '@heat';
        field.setSelectionRange(5, 5);
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
        field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
      });
      await mentions(page).getByText('Urban heat').waitFor();
      expect(await calls(page, 'send')).toEqual([]);
    }));

  it('stays open on several words; Enter takes a title that has them, and otherwise sends the sentence', () =>
    on('empty', async (page) => {
      await message(page).pressSequentially('@urban he');
      await expect
        .poll(() => page.getByRole('option', { selected: true }).allInnerTexts())
        .toEqual([expect.stringContaining('Urban heat')]);
      await message(page).press('Enter');
      await mentions(page).getByText('Urban heat').waitFor();
      await message(page).pressSequentially('@heat or shade');
      await expect.poll(() => options(page).allInnerTexts()).toEqual([expect.stringContaining('Urban heat')]);
      await expect.poll(() => page.getByRole('option', { selected: true }).count()).toBe(0);
      expect(await message(page).getAttribute('aria-activedescendant')).toBeNull();
      await message(page).press('Enter');
      expect((await calls(page, 'send')).map(([, text]) => text)).toEqual(['@Urban heat @heat or shade']);
      await message(page).pressSequentially('@trees or heat');
      await expect.poll(() => options(page).count()).toBe(2);
      await message(page).press('ArrowDown');
      await message(page).press('Enter');
      await expect.poll(() => page.locator('.mg-marks mark, .mg-chip').count()).toBe(2);
      await message(page).pressSequentially('@nothing like that');
      await expect.poll(() => page.getByRole('listbox').count()).toBe(0);
      await message(page).fill('@heat');
      await options(page).first().waitFor();
      await message(page).evaluate((field: HTMLTextAreaElement) => {
        field.value = '@heat is here';
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
        field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
      });
      expect((await calls(page, 'send')).at(-1)).toEqual(['send', '@heat is here']);
    }));

  it('closes with Escape and stays closed for that sign; an address opens nothing', () =>
    on('empty', async (page) => {
      await message(page).pressSequentially('@');
      await options(page).first().waitFor();
      await message(page).press('Escape');
      await message(page).pressSequentially('heat');
      expect(await page.getByRole('listbox').count()).toBe(0);
      await message(page).press('Enter');
      expect(await calls(page, 'send')).toEqual([['send', '@heat']]);
      const before = (await hostCalls(page)).filter(([name]) => name === 'findContexts').length;
      await message(page).pressSequentially('me@example.com');
      expect((await hostCalls(page)).filter(([name]) => name === 'findContexts').length).toBe(before);
    }));

  it('fits a narrow dock, can be pressed, and is reached by a button', () =>
    on(
      'empty',
      async (page) => {
        await button(page, 'Add notes (@)').click();
        await options(page).first().waitFor();
        const box = await page.getByRole('listbox').boundingBox();
        expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 999) <= 320).toBe(true);
        await expect.poll(() => page.getByRole('listbox').evaluate((list) => list.scrollWidth <= list.clientWidth)).toBe(true);
        await options(page).filter({ hasText: 'Research' }).last().click();
        await mentions(page).getByText('Research').waitFor();
        await expect.poll(() => message(page).evaluate((field) => field === document.activeElement)).toBe(true);
      },
      { width: 320 },
    ));
});

describe('"/"', () => {
  it('picks a prompt in an empty composer: what it is about goes along, a gap is left to type', () =>
    on('empty', async (page) => {
      await message(page).pressSequentially('/trans');
      await expect.poll(() => options(page).count()).toBe(1);
      await message(page).press('Enter');
      await chips(page).getByText('The kickoff is on Monday').waitFor();
      await page.keyboard.type('German');
      await expect.poll(() => message(page).inputValue()).toBe('Translate “The kickoff is on Monday” into German.');
    }));

  it('takes a name of several words', () =>
    on('empty', async (page) => {
      await message(page).pressSequentially('/make a');
      await expect.poll(() => selected(page).innerText()).toContain('Make a table of notes');
    }));

  it('is a sign like another in a text', () =>
    on('empty', async (page) => {
      await message(page).pressSequentially('and/or');
      expect(await page.getByRole('listbox').count()).toBe(0);
    }));
});

describe('what is dragged', () => {
  const drag = (page: Page, type: string, data: string, event = 'drop'): Promise<boolean> =>
    message(page).evaluate(
      (field, { type, data, event }) => {
        const transfer = new DataTransfer();
        transfer.setData(type, data);
        return field.dispatchEvent(new DragEvent(event, { dataTransfer: transfer, bubbles: true, cancelable: true }));
      },
      { type, data, event },
    );
  const dragged = async (page: Page): Promise<unknown[]> =>
    (await hostCalls(page)).filter(([name]) => name === 'readDragged').map(([, ...ids]) => ids);
  const [ONE, TWO] = ['20260412093000-apollo0', '20260412093000-heat000'];

  it.each([
    ['a block by its handle', `application/siyuan-gutternodeparagraph\u200b\u200b${ONE},${TWO}\u200b/work/space`, '', [ONE, TWO]],
    ['documents of the tree', 'application/siyuan-file', `${ONE},${TWO}`, [ONE, TWO]],
    ['a tab', 'application/siyuan-tab', JSON.stringify({ id: 'x', children: { instance: 'Editor', rootId: ONE } }), [ONE]],
    ['references', 'application/siyuan-block-ref', JSON.stringify({ ids: [ONE, 'nonsense'] }), [ONE]],
  ])('%s is attached, over a target that shows itself', (_what, type, data, ids) =>
    on('empty', async (page) => {
      expect(await drag(page, type, data, 'dragover')).toBe(false);
      await page.getByText('Drop here to attach').waitFor();
      expect(await drag(page, type, data)).toBe(false);
      expect(await page.getByText('Drop here to attach').count()).toBe(0);
      await expect.poll(() => chips(page).count()).toBe(ids.length);
      expect(await dragged(page)).toEqual([ids]);
    }),
  );

  it('without a note in it says so; text is left to the composer', () =>
    on('empty', async (page) => {
      await drag(page, 'application/siyuan-tab', JSON.stringify({ children: { instance: 'Search' } }));
      await page.getByText('This cannot be attached.').waitFor();
      expect(await drag(page, 'text/plain', 'words', 'dragover')).toBe(true);
      expect(await drag(page, 'text/plain', 'words')).toBe(true);
      expect(await dragged(page)).toEqual([]);
    }));
});

describe('what is open in the editor', () => {
  const beside = (page: Page) => page.evaluate(() => [...window.page.controller.beside]);

  it('is named with each question, unless it is taken off: for one question by its button, for good in the settings', () =>
    on('empty', async (page) => {
      await button(page, 'Don’t mention Apollo').waitFor();
      await message(page).fill('Sum it up');
      await button(page, 'Send').click();
      await expect.poll(() => beside(page)).toEqual(['open: Apollo']);
      await page.evaluate(() => window.page.controller.set({ messages: [], running: false }));
      await button(page, 'Don’t mention Apollo').click();
      await button(page, 'Mention Apollo').waitFor();
      await expect.poll(() => message(page).evaluate((field) => field === document.activeElement)).toBe(true);
      await message(page).fill('Without it');
      await button(page, 'Send').click();
      // The next question names it again.
      await button(page, 'Don’t mention Apollo').waitFor();
      expect(await beside(page)).toHaveLength(1);
      await page.evaluate(() => window.page.settings.update({ fromEditor: false }));
      await button(page, 'Mention Apollo').click();
      await button(page, 'Don’t mention Apollo').waitFor();
      await page.evaluate(() => {
        window.page.host.hasEditor = false;
      });
      await message(page).blur();
      await message(page).focus();
      await button(page, 'Don’t mention Apollo').waitFor({ state: 'detached' });
    }));

  it('is the one that is in front when the question is sent, though it was looked at only a moment ago', () =>
    on('empty', async (page) => {
      await button(page, 'Don’t mention Apollo').waitFor();
      await message(page).fill('What is open?');
      const before = await page.evaluate(() => {
        const { host } = window.page;
        host.held = new Promise((resolve) => {
          window.addEventListener('release', () => resolve(), { once: true });
        });
        host.hasEditor = false;
        document.dispatchEvent(new MouseEvent('click'));
        return host.looks;
      });
      await expect.poll(() => page.evaluate(() => window.page.host.looks)).toBeGreaterThan(before);
      await button(page, 'Send').click();
      await page.evaluate(() => {
        window.dispatchEvent(new Event('release'));
        window.page.host.isSelected = true;
      });
      // What goes with the second question comes after what went with the first: that was nothing.
      await message(page).fill('And now?');
      await message(page).press('Enter');
      await expect.poll(() => beside(page)).toEqual(['selection: The kickoff is on Monday']);
    }));

  it('is offered with its text to a model that cannot read it', () =>
    on('empty', async (page) => {
      await page.evaluate(() => window.page.settings.setTool('read_doc', { enabled: false }));
      await button(page, 'Add Apollo').click();
      await chips(page).getByText('Apollo').waitFor();
      expect(await button(page, 'Add Apollo').count()).toBe(0);
      await button(page, 'Remove Apollo').click();
      await button(page, 'Add Apollo').waitFor();
    }));

  it('is selected text as well: it goes with one question, and stays away once it was taken off', () =>
    on('empty', async (page) => {
      const select = (isSelected: boolean): Promise<void> =>
        page.evaluate((isSelected) => {
          window.page.host.isSelected = isSelected;
          document.dispatchEvent(new Event('selectionchange'));
        }, isSelected);
      const chip = chips(page).getByText('The kickoff is on Monday');
      await select(true);
      await chip.waitFor();
      await message(page).fill('Explain this');
      await button(page, 'Send').click();
      await expect.poll(() => beside(page)).toEqual(['open: Apollo', 'selection: The kickoff is on Monday']);
      await chip.waitFor({ state: 'detached' });
      await select(false);
      await message(page).blur();
      await message(page).focus();
      await select(true);
      await chip.waitFor();
      await button(page, 'Remove The kickoff is on Monday').click();
      await chip.waitFor({ state: 'detached' });
    }));

  it('is a block only once when it is attached and selected as a whole, and taken off at once', () =>
    on('empty', async (page) => {
      const chip = chips(page).getByText('The kickoff is on Monday');
      await page.evaluate(() => {
        window.page.host.isSelected = true;
        document.dispatchEvent(new Event('selectionchange'));
      });
      await chip.waitFor();
      await page.evaluate(() => {
        const title = 'The kickoff is on Monday';
        window.page.controller.addContext({ kind: 'block', id: '20260412093000-caretat', title, text: `**${title}**.` });
      });
      await chips(page).locator('[data-note-id="20260412093000-caretat"]').waitFor();
      await expect.poll(() => chip.count()).toBe(1);
      await button(page, 'Remove The kickoff is on Monday').click();
      await chip.waitFor({ state: 'detached' });
    }));
});
