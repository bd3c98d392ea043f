import type { PanelContext } from '../state/context.ts';

/** Asks the model to write a skill from the open chat, as a new note that is approved like any other; without a note for them, leads to the choice. */
export async function makeSkill({ t, controller, host, panel, options }: PanelContext): Promise<void> {
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
