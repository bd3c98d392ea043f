import { expect, it } from 'vitest';
import type { AskForm } from '../../tools/contract/types.ts';
import { NEVER } from '../../tools/util/abort.ts';
import { ServerForms } from './server-forms.ts';

const PARAMS = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
const withdrawn: AskForm = (_form, signal) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve({ action: 'cancel' }), { once: true }));

it('shows a form at another call when that at which it was shown has ended', async () => {
  const forms = new ServerForms({ server: 's', destination: 'd' });
  let end = (): void => undefined;
  const first = forms.during({ askForm: withdrawn, stopped: NEVER, reported: [] }, () => new Promise<void>((resolve) => (end = resolve)));
  const answer = forms.answer(PARAMS, NEVER);
  const reported: string[] = [];
  const accepts: AskForm = async () => ({ action: 'accept', content: {} });
  const second = forms.during({ askForm: accepts, stopped: NEVER, reported }, async () =>
    expect(await answer).toMatchObject({ action: 'accept' }),
  );
  end();
  await Promise.all([first, second]);
  expect(reported).toEqual(['The user filled in a form of the server.']);
});

it('cancels a form with the call that a person has stopped', async () => {
  const forms = new ServerForms({ server: 's', destination: 'd' });
  const stop = new AbortController();
  let end = (): void => undefined;
  const first = forms.during(
    { askForm: withdrawn, stopped: stop.signal, reported: [] },
    () => new Promise<void>((resolve) => (end = resolve)),
  );
  const answer = forms.answer(PARAMS, NEVER);
  stop.abort();
  end();
  await first;
  expect(await answer).toEqual({ action: 'cancel' });
});
