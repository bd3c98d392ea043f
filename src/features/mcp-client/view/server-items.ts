import { mentionFor } from '../../../chat/session/mentions.ts';
import type { AttachedContext } from '../../../chat/session/types.ts';
import { toToolError } from '../../../tools/contract/errors.ts';
import { attachFiles } from '../../../ui/composer/attach-files.ts';
import type { PickToken } from '../../../ui/composer/pick-token.ts';
import type { PickItem } from '../../../ui/controls/pick-item.ts';
import { errorLabel } from '../../../ui/labels/error-labels.ts';
import type { PanelContext } from '../../../ui/state/context.ts';
import { type AddPicks, NO_FEATURES } from '../../../ui/state/features.ts';
import { type ReadOffer, SERVERS, type ServerOffer, type ServersPort } from '../servers-port.ts';
import OfferForm from './OfferForm.svelte';

const serversOf = ({ features = NO_FEATURES }: PanelContext): ServersPort => features.port(SERVERS);

/** Entries of one server: the list should be short, and more typing finds the rest. */
const LISTED = 12;

interface Chosen {
  readonly server: string;
  readonly offer: ServerOffer;
  /** Its name in the question, with the sign; '' where it is not named there. */
  readonly mention: string;
}

/** A resource as it is attached; a space keeps its id apart from every id of a note. */
const contextOf = ({ server, offer, mention }: Chosen, { uri, text }: ReadOffer['texts'][number], isOnly: boolean) => ({
  kind: 'resource' as const,
  id: `${server} ${uri}`,
  title: isOnly ? offer.title : uri,
  text,
  sources: [],
  ...(mention === '' || !isOnly ? {} : { mention }),
});

/** Asks the server and attaches what it answers; a prompt's text goes into the composer, where it is read before anybody sends it. */
async function use(chosen: Chosen, values: Readonly<Record<string, string>>, context: PanelContext): Promise<void> {
  const { controller, panel, t } = context;
  const to = controller.composer();
  const { server, offer } = chosen;
  const { draft, texts, files, isCut } = await serversOf(context).take(server, offer, values);
  for (const text of texts) to.addContext(contextOf(chosen, text, texts.length === 1 && offer.kind !== 'prompt'));
  if (files.length > 0) await attachFiles(files, context, to);
  // What was typed meanwhile stays.
  if (draft !== '') await panel.begin([panel.draft.trim(), draft].filter((text) => text !== '').join('\n\n'));
  if (isCut) panel.say(t('pick.offerCut', { name: offer.title }));
  else if (draft === '' && texts.length + files.length === 0) panel.say(t('pick.offerEmpty', { name: offer.title }));
}

function choose(chosen: Chosen, context: PanelContext): void {
  const { panel, t } = context;
  const { fields, kind, title } = chosen.offer;
  if (fields.length === 0) panel.run(use(chosen, {}, context));
  else
    panel.form = {
      Fields: OfferForm,
      props: {
        title,
        fields,
        action: t(kind === 'prompt' ? 'pick.insert' : 'pick.attach'),
        submit: (values) => use(chosen, values, context),
      },
    };
}

const isOf = (kind: PickToken['kind'], offer: ServerOffer): boolean => (kind === 'prompt') === (offer.kind === 'prompt');

function offerItems(server: string, offers: readonly ServerOffer[], { kind, words }: Wanted, context: PanelContext): readonly PickItem[] {
  const { t, chat } = context;
  const wanted = words.trim().toLowerCase();
  const fits = ({ title, id, description }: ServerOffer): boolean =>
    `${server} ${title} ${id} ${description}`.toLowerCase().includes(wanted);
  return offers
    .filter((offer) => isOf(kind, offer) && fits(offer))
    .slice(0, LISTED)
    .map((offer): PickItem => {
      const others: readonly Pick<AttachedContext, 'mention'>[] = chat.view.contexts;
      const mention = offer.kind === 'resource' ? mentionFor(offer.title, server, others) : '';
      return {
        key: `server:${server}:${offer.kind}:${offer.id}`,
        group: t(kind === 'prompt' ? 'pick.serverPrompts' : 'pick.serverResources', { server }),
        icon: kind === 'prompt' ? 'iconMarginaliaAsk' : 'iconFile',
        title: offer.fields.length > 0 ? `${offer.title}…` : offer.title,
        place: offer.description || offer.id,
        ...(mention === '' ? {} : { words: mention }),
        picked: () => choose({ server, offer, mention }, context),
      };
    });
}

/** One that cannot be asked is said, where it was not something else that is searched. */
function failedItem(server: string, error: unknown, { kind, words }: Wanted, { t, panel }: PanelContext): readonly PickItem[] {
  if (!server.toLowerCase().includes(words.trim().toLowerCase())) return [];
  return [
    {
      ...{ key: `server:${server}`, icon: 'iconMarginaliaWarning', title: server, place: errorLabel(toToolError(error), t).what },
      group: t(kind === 'prompt' ? 'pick.serverPrompts' : 'pick.serverResources', { server }),
      picked: () => panel.openSetting('servers'),
    },
  ];
}

type Wanted = Pick<PickToken, 'kind' | 'words'>;

/** Those of the user's servers are below the entries, as each answers: no server holds up another, or what is of the notes. */
export const withServers: AddPicks = async function* (items, wanted, context) {
  const { options } = context;
  const servers = serversOf(context);
  if (options.settings.mcpServers === undefined) return;
  const names = await servers.offering();
  const answers = new Map<string, readonly PickItem[]>();
  const asked = new Map(
    names.map((name) => [
      name,
      servers
        .offers(name)
        .then(
          (offers) => offerItems(name, offers, wanted, context),
          (error) => failedItem(name, error, wanted, context),
        )
        .then((found) => ({ name, found })),
    ]),
  );
  while (asked.size > 0) {
    const { name, found } = await Promise.race(asked.values());
    asked.delete(name);
    answers.set(name, found);
    if (found.length > 0) yield [...items, ...names.flatMap((each) => answers.get(each) ?? [])];
  }
};
