import { expect, it } from 'vitest';
import { readSkillFile } from './skill-file.ts';

it.each([
  ['plain', '---\nname: Review\ndescription: On Fridays\n---\nDo it.', { name: 'Review', description: 'On Fridays', text: 'Do it.' }],
  [
    'in quotes, with others',
    '---\r\nlicense: MIT\r\nname: "A: b"\r\ndescription: \'x\'\r\nmetadata:\r\n  name: other\r\n---\r\n\r\nText',
    { name: 'A: b', description: 'x', text: 'Text' },
  ],
  [
    'folded over lines',
    '---\nname: a\ndescription: >-\n  When a week\n  is over\ntags: [x]\n---\nT',
    { name: 'a', description: 'When a week is over', text: 'T' },
  ],
  ['missing', '# Head\n\n- first step', { name: 'folder', description: 'Head', text: '# Head\n\n- first step' }],
  ['not closed', '---\nname: a\nText', { name: 'folder', description: '---', text: '---\nname: a\nText' }],
  ['empty', '---\nname:\n---\n\nText', { name: 'folder', description: 'Text', text: 'Text' }],
])('reads front matter that is %s', (_, content, wanted) => {
  expect(readSkillFile(content, 'folder')).toEqual(wanted);
});
