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

it.each([
  ['over lines', 'description: Use it when the user\n  asks for a review', 'Use it when the user asks for a review'],
  ['below its name', 'description:\n  Use it when asked', 'Use it when asked'],
  ['over lines in quotes', 'description: "Use it when\n  asked"', 'Use it when asked'],
  ['with a quote twice', "description: 'It''s for me'", "It's for me"],
  ['before a comment', 'description: For me # not for you', 'For me'],
  ['behind a comment', '# what it is\ndescription: For me', 'For me'],
  ['with marks in quotes', 'description: "Say \\"yes\\", then C:\\\\x"', 'Say "yes", then C:\\x'],
  ['as lines', 'description: |\n  One\n  two\n', 'One two'],
  ['with an indent of its own', 'description: >2\n    One\n    two\n', 'One two'],
  ['a number', 'description: 2024', '2024'],
  ['yes', 'description: yes', 'yes'],
  ['with a colon, which YAML does not take', 'description: Use it when: asked, or: not', 'Use it when: asked, or: not'],
  ['beside lists', 'allowed-tools: [Read, "Grep: x"]\ntags:\n  - a\n  - b\ndescription: For me', 'For me'],
  ['twice', 'description: One\ndescription: Two', 'Two'],
])('reads a description %s', (_, line, description) => {
  expect(readSkillFile(`---\nname: a\n${line}\n---\nBody`, 'folder')).toEqual({ name: 'a', description, text: 'Body' });
});
