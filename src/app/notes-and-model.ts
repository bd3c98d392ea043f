// A separate file in the built plugin: what a turn needs to run. Loaded when the panel is shown, or on first use.
// Every turn or tool call needs them: they are loaded with the rest, or nothing is.
import { inBackground } from '../tools/util/notify.ts';
import '../tools/executor/execute-call.ts';
import '../tools/executor/fit-tools.ts';
import '../tools/executor/validate-arguments.ts';
import { loadAnswerEnd } from '../tools/chain/tool-chain.ts';
import { loadValidation } from '../tools/executor/prepare-call.ts';

// Each is a separate file, which may be gone when a turn needs it: the plugin may be updated while its page stays open.
inBackground(Promise.allSettled([loadAnswerEnd(), loadValidation()]));

export { createActivityFiles } from '../chat/activity/activity-files.ts';
export { summarize } from '../chat/turn/summarize.ts';
export { createMarkdownEngine } from '../host/blocks/markdown-engine.ts';
export { createNotesHost } from '../host/notes-host.ts';
export { createLedger } from '../model/budget/ledger.ts';
export { loadModel } from '../model/server/load-model.ts';
export * as choices from './choices.ts';
export { attachRequest, noteOf } from './editor/attach-request.ts';
export { flashing } from './editor/flash-blocks.ts';
export { LATE_GROUPS } from './groups/late-groups.ts';
