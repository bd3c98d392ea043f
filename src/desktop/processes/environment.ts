import { markVariable } from './run-mark.ts';

/** What a program needs to find its way; nothing that could contain a token or a key. */
const PASSED_ON: readonly RegExp[] = [
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TEMP|TMP|XDG_RUNTIME_DIR)$/u,
  /^(?:SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|USERPROFILE|USERNAME|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|PROGRAMDATA)$/iu,
  /^(?:PROGRAMFILES(?:\(X86\))?|PROGRAMW6432|COMMONPROGRAMFILES|NUMBER_OF_PROCESSORS|PROCESSOR_ARCHITECTURE|OS)$/iu,
];

/** Program folders that an app started from a desktop does not have in its path. */
const USUAL_PLACES = ['/usr/local/bin', '/opt/homebrew/bin', '/usr/bin', '/bin'];

/** The environment of a program: variables that we name, and no others. */
export function programEnvironment(mark: string, environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => PASSED_ON.some((pattern) => pattern.test(name)));
  const own = Object.fromEntries(kept);
  const path = (own.PATH ?? '').split(':').filter(Boolean);
  const paths = process.platform === 'win32' ? {} : { PATH: [...new Set([...path, ...USUAL_PLACES])].join(':') };
  return { ...own, ...paths, TERM: 'dumb', NO_COLOR: '1', PYTHONIOENCODING: 'utf-8', ...markVariable(mark) };
}
