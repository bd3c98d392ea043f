import type { ToolInfo } from '../../contract/tool-info.ts';

// Infos of tools whose own files are loaded later: the panel shows their calls in chats anyway.

export const WEB_SEARCH = {
  name: 'web_search',
  kind: 'web-search',
  icon: 'iconMarginaliaWeb',
  subject: ['query'],
  examples: [{ query: 'high water today', count: 2 }],
} as const satisfies ToolInfo;

export const WEB_FETCH = {
  name: 'web_fetch',
  kind: 'web-page',
  icon: 'iconMarginaliaWeb',
  subject: ['url'],
  examples: [{ url: 'https://example.org/tides' }],
} as const satisfies ToolInfo;

export const MEMORY = {
  name: 'memory',
  kind: 'memory',
  kinds: { save: 'write', forget: 'write' },
  icon: 'iconMarginaliaThinks',
  subject: ['text', 'query'],
  examples: [{ op: 'read' }, { op: 'save', text: 'Prefers metric units.' }],
} as const satisfies ToolInfo;

export const READ_SKILL = {
  name: 'read_skill',
  kind: 'skill',
  icon: 'iconMarginaliaNotebook',
  subject: ['name'],
  examples: [{ name: 'Weekly review' }],
} as const satisfies ToolInfo;

export const READ_FILE = {
  name: 'read_file',
  kind: 'read',
  icon: 'iconFile',
  subject: ['path', 'paths'],
  examples: [{ path: 'README.md' }, { paths: ['README.md', 'nowhere.txt'] }],
} as const satisfies ToolInfo;

export const LIST_FILES = {
  name: 'list_files',
  kind: 'list',
  icon: 'iconFile',
  subject: ['path', 'pattern'],
  examples: [{ pattern: '*.md' }],
} as const satisfies ToolInfo;

export const WRITE_FILE = {
  name: 'write_file',
  kind: 'write',
  icon: 'iconEdit',
  subject: ['path'],
  examples: [{ path: 'log.txt', content: 'Day two: fuel.\n', mode: 'append' }],
} as const satisfies ToolInfo;

export const EXEC = {
  name: 'exec',
  kind: 'other',
  icon: 'iconMarginaliaTools',
  subject: ['command'],
  examples: [{ command: 'wc -l README.md', timeout: 10 }],
} as const satisfies ToolInfo;

export const RUN_SCRIPT = {
  name: 'run_script',
  kind: 'other',
  icon: 'iconMarginaliaTools',
  subject: ['code'],
  examples: [{ language: 'python', code: 'print(sum([1, 2, 3]))' }],
} as const satisfies ToolInfo;

export const SPAWN = {
  name: 'spawn',
  kind: 'agent',
  icon: 'iconMarginaliaBranch',
  subject: ['label', 'task'],
  examples: [{ label: 'Budget of Apollo', task: 'Read all notes about Apollo and list what they say about its budget, with citations.' }],
} as const satisfies ToolInfo;

export const PROPOSE_PLAN = {
  name: 'propose_plan',
  kind: 'other',
  icon: 'iconSelect',
  examples: [{ steps: ['Apollo: add the date of the launch'] }],
} as const satisfies ToolInfo;

export const COMPUTER_TOOLS = [READ_FILE, LIST_FILES, WRITE_FILE, EXEC, RUN_SCRIPT, SPAWN, PROPOSE_PLAN];
export const BEYOND_NOTES = [READ_SKILL, MEMORY, WEB_SEARCH, WEB_FETCH, ...COMPUTER_TOOLS];
