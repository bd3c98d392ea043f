import type { AskForm, FormAnswer, ServerForm } from '../../tools/contract/types.ts';
import { linkSignals } from '../../tools/util/abort.ts';
import { readServerForm } from './read-form.ts';

/** Something that is asked of the server. */
interface OpenCall {
  /** Absent: nobody can answer. */
  readonly askForm: AskForm | undefined;
  readonly stopped: AbortSignal;
  readonly ended: AbortController;
  /** Forms that wait in its place. */
  waiting: number;
  /** What became of what the server asked, for who reads the result. */
  readonly reported: string[];
}

const CANCELED = { action: 'cancel' } as const;

function whatBecame({ fields, address }: ServerForm, { action }: FormAnswer): string {
  const what = address === undefined ? 'filled in a form of the server' : 'was shown a page of the server';
  if (action === 'cancel') return 'The server asked the user something, which was canceled: nobody answered.';
  if (action === 'decline') return 'The server asked the user something, and the user declined to answer.';
  return `The user ${what}${fields.length > 0 ? `: ${fields.map(({ title }) => title).join(', ')}` : ''}.`;
}

/** What a server asks the person: by the calls of it that are open, whose chats show it. */
export class ServerForms {
  private readonly from: Pick<ServerForm, 'server' | 'destination'>;
  private readonly calls = new Set<OpenCall>();

  constructor(from: Pick<ServerForm, 'server' | 'destination'>) {
    this.from = from;
  }

  /** While `work` runs, `askForm` answers what the server asks; what becomes of that is added to `reported`. Settles like `work`. */
  async during<T>(asking: Pick<OpenCall, 'askForm' | 'stopped' | 'reported'>, work: () => Promise<T>): Promise<T> {
    const call: OpenCall = { ...asking, ended: new AbortController(), waiting: 0 };
    this.calls.add(call);
    try {
      return await work();
    } finally {
      this.calls.delete(call);
      call.ended.abort();
    }
  }

  /**
   * Never rejects. A server does not say for which of several calls it asks: the form is shown at one of them, and moves to another when
   * that has ended. Without any, or where nobody can answer, the server gets "cancel".
   */
  async answer(params: unknown, withdrawn: AbortSignal): Promise<FormAnswer> {
    const form = readServerForm(this.from, params);
    if (typeof form === 'string')
      return this.report({ action: 'decline' }, `The server asked the user something, and was refused: ${form}.`);
    while (!withdrawn.aborted) {
      const [call] = [...this.calls].filter(({ askForm }) => askForm).sort((one, other) => one.waiting - other.waiting);
      if (!call?.askForm)
        return this.report(CANCELED, 'The server asked the user something, which was canceled: nobody can fill in its form here.');
      const link = linkSignals([withdrawn, call.ended.signal]);
      call.waiting += 1;
      const answer = await call.askForm(form, link.signal);
      call.waiting -= 1;
      link.release();
      if (call.ended.signal.aborted && !call.stopped.aborted) continue;
      call.reported.push(whatBecame(form, answer));
      return answer;
    }
    return CANCELED;
  }

  private report(answer: FormAnswer, words: string): FormAnswer {
    for (const { reported } of this.calls) reported.push(words);
    return answer;
  }
}
