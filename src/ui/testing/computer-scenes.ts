import type { ChangePlan } from '../../tools/contract/plans.ts';
import type { ApprovalRequest } from '../../tools/contract/types.ts';
import { answer, type FakeController, userMessage } from './fake-controller.ts';

const FOLDER = '/home/anna/SiYuan/marginalia/files';

function asking(request: Partial<ApprovalRequest>) {
  return (controller: FakeController): void =>
    controller.set({
      title: 'Reading list',
      messages: [userMessage('Count the words of my drafts and keep the table.'), answer([{ kind: 'text', text: 'I will look.' }])],
      running: true,
      approvals: [{ approvalId: 'a', callId: 'c', kind: 'execution', tool: 'exec', args: {}, ...request }],
    });
}

const command = 'wc -w drafts/*.md | sort -n | tail -5 > words.txt && cat words.txt';
const script = `import json, sys

given = json.load(sys.stdin)
words = {}
for word in given["text"].lower().split():
    words[word] = words.get(word, 0) + 1
print(json.dumps(sorted(words.items(), key=lambda each: -each[1])[: given["top"]]))
`;
const plan: ChangePlan = {
  id: 'p',
  tool: 'write_file',
  notebook: { id: '', name: FOLDER },
  document: { id: null, title: 'drafts/words.md', path: FOLDER },
  operations: [
    {
      id: 'file',
      blockId: '',
      blockType: '',
      requires: [],
      to: 'drafts/words.md',
      action: 'write-file',
      before: '# Words\n\n| draft | words |\n| --- | --- |\n| heat.md | 310 |\n',
      after: '# Words\n\n| draft | words |\n| --- | --- |\n| heat.md | 420 |\n| trees.md | 1,200 |\n',
    },
  ],
  anchorId: null,
  undo: { kind: 'exact' },
  notices: [],
};
const limits = { folder: FOLDER, timeoutSeconds: 60 };

/** What the tools that need a computer ask. */
export const computerScenes: Readonly<Record<string, (controller: FakeController) => void>> = {
  exec: asking({ args: { command }, program: { language: 'shell', code: command, ...limits } }),
  'write-file': asking({ tool: 'write_file', plan }),
  'new-file': asking({
    tool: 'write_file',
    plan: { ...plan, operations: plan.operations.map((operation) => ({ ...operation, before: null })) },
  }),
  'run-script': asking({ tool: 'run_script', args: { language: 'python' }, program: { language: 'python', code: script, ...limits } }),
  'own-script': asking({
    tool: 'script_words_count',
    args: { text: 'Street trees lower the surface by 12 °C.', top: 5 },
    program: {
      language: 'python',
      code: script,
      ...limits,
      file: 'words.py',
      manifest: '{\n  "tools": [{ "name": "count_words", "effect": "read" }]\n}\n',
      isNew: true,
    },
  }),
  'own-script-known': asking({
    tool: 'script_words_count',
    args: { text: 'Street trees lower the surface by 12 °C.', top: 5 },
    program: { language: 'python', code: script, ...limits, file: 'words.py' },
    scope: 'words',
  }),
};
