import type { PanelContext, PanelFeature } from '../../../ui/state/features.ts';

/** Asks the model to write a skill from the open chat, as a new note that is approved like any other; without a note for them, leads to the choice. */
async function makeSkill({ t, controller, host, panel, options }: PanelContext): Promise<void> {
  const { note } = options.settings.skills;
  const found = note === '' ? null : await host.preview(note);
  if (found === null) {
    panel.openSetting('skills');
    return;
  }
  const { title, place } = found;
  await controller.send(
    t('skills.makeText', { title }),
    host.readContext({ kind: 'document', group: 'documents', id: note, title, place }).then((context) => [context]),
  );
}

/** Of a chat in which something was said, while nothing is being answered. */
export const skillActions: PanelFeature['actions'] = (context, answer) => {
  const { running, blocked, messages } = context.chat.view;
  const isSaid = (messages.at(-1)?.role ?? 'separator') !== 'separator';
  if (answer || running || blocked !== undefined || !isSaid) return [];
  return [{ place: 'ask', icon: 'iconMarginaliaThinks', label: context.t('skills.make'), run: () => makeSkill(context) }];
};
