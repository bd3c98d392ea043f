import { type Client, type PromptArgument, UriTemplate } from '@modelcontextprotocol/client';
import { ToolError } from '../../tools/contract/errors.ts';
import { linkSignals } from '../../tools/util/abort.ts';
import { frameLine } from '../../tools/util/markers.ts';
import { allPages, CONNECT_MS, type McpConnection } from './connection.ts';
import { type TakenOffer, takenMessages, takenResources } from './taken-offer.ts';

/** Something that a server has for a question besides its tools. Its words are cut and stand on one line; nothing of them can be trusted. */
export interface ForeignOffer {
  readonly kind: 'resource' | 'template' | 'prompt';
  /** The address of a resource, a template of such addresses, or the name of a prompt. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** What has to be filled in. */
  readonly fields: readonly OfferField[];
}

interface OfferField {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

/** Most entries of each kind that are listed. */
const MAX_OFFERS = 500;
/** UTF-16 units of an address or a name; longer ones are left out. */
const MAX_ID = 2000;
const MAX_FIELDS = 8;
/** UTF-16 units of what is read: about 50,000 tokens, as of an attached file, and less of a prompt, which goes into the composer. */
const MAX_TEXT = 200_000;
const MAX_PROMPT = 50_000;

const isUsable = ({ id, title, fields }: ForeignOffer): boolean =>
  id !== '' && id.length <= MAX_ID && title !== '' && fields.length <= MAX_FIELDS && fields.every(({ name }) => name.length <= MAX_ID);

/** The variables of a template, once each; null if it is none. */
function variablesOf(template: string): readonly string[] | null {
  if (template.length > MAX_ID) return null;
  try {
    return [...new Set(new UriTemplate(template).variableNames)];
  } catch {
    return null;
  }
}

interface Named {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}

const words = ({ name, title, description }: Named) => ({ title: frameLine(title || name, 80), description: frameLine(description, 200) });

async function listedBy(client: Client, signal: AbortSignal): Promise<readonly ForeignOffer[]> {
  const { resources, prompts } = client.getServerCapabilities() ?? {};
  const options = { signal, timeout: CONNECT_MS };
  const lists: Promise<readonly ForeignOffer[]>[] = [];
  if (resources) {
    const all = allPages(MAX_OFFERS, async (params) => {
      const page = await client.request({ method: 'resources/list', params }, options);
      return { items: page.resources, next: page.nextCursor };
    });
    lists.push(all.then((found) => found.map((one) => ({ kind: 'resource', id: one.uri, ...words(one), fields: [] }))));
    const templates = allPages(MAX_OFFERS, async (params) => {
      const page = await client.request({ method: 'resources/templates/list', params }, options);
      return { items: page.resourceTemplates, next: page.nextCursor };
    });
    const asOffers = templates.then((found) =>
      found.flatMap((one): readonly ForeignOffer[] => {
        const fields = variablesOf(one.uriTemplate)?.map((name) => ({ name, description: '', required: true }));
        return fields ? [{ kind: 'template', id: one.uriTemplate, ...words(one), fields }] : [];
      }),
    );
    // Many servers with resources have no templates, and answer that there is no such method.
    lists.push(asOffers.catch(() => []));
  }
  if (prompts) {
    const all = allPages(MAX_OFFERS, async (params) => {
      const page = await client.request({ method: 'prompts/list', params }, options);
      return { items: page.prompts, next: page.nextCursor };
    });
    const fieldOf = ({ name, description, required = false }: PromptArgument): OfferField => ({
      ...{ name, description: frameLine(description, 200), required },
    });
    lists.push(
      all.then((found) =>
        found.map((one) => ({ kind: 'prompt', id: one.name, ...words(one), fields: (one.arguments ?? []).map(fieldOf) })),
      ),
    );
  }
  return (await Promise.all(lists)).flat().filter(isUsable);
}

/** What one server has besides tools: asked for when somebody wants to see it, and again once the server says that it has changed. */
export class ForeignOffers {
  private readonly connection: Pick<McpConnection, 'use' | 'answering'>;
  private listing: Promise<readonly ForeignOffer[]> | undefined;

  constructor(connection: Pick<McpConnection, 'use' | 'answering'>) {
    this.connection = connection;
  }

  forget(): void {
    this.listing = undefined;
  }

  /** Rejects with ToolError; the next one asks again. */
  list(): Promise<readonly ForeignOffer[]> {
    this.listing ??= this.ask();
    return this.listing;
  }

  /** Reads a resource, or what a prompt says. `values`: of its fields. Rejects with ToolError. */
  async take(offer: Pick<ForeignOffer, 'kind' | 'id'>, values: Readonly<Record<string, string>>, signal: AbortSignal): Promise<TakenOffer> {
    const options = { signal, timeout: CONNECT_MS };
    // No call of a chat waits for it: what the server asks is canceled, and said where it then fails.
    const asking = { askForm: undefined, stopped: signal, reported: [] };
    if (offer.kind === 'prompt') {
      const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
      const params = { name: offer.id, arguments: given };
      const said = await this.connection.answering(asking, (client) => client.request({ method: 'prompts/get', params }, options));
      return takenMessages(said.messages, MAX_PROMPT);
    }
    const uri = offer.kind === 'template' ? addressIn(offer.id, values) : offer.id;
    const read = await this.connection.answering(asking, (client) =>
      client.request({ method: 'resources/read', params: { uri } }, options),
    );
    return takenResources(read.contents, MAX_TEXT);
  }

  private async ask(): Promise<readonly ForeignOffer[]> {
    const time = linkSignals([], CONNECT_MS);
    try {
      return await this.connection.use((client) => listedBy(client, time.signal));
    } catch (error) {
      this.forget();
      throw error;
    } finally {
      time.release();
    }
  }
}

function addressIn(template: string, values: Readonly<Record<string, string>>): string {
  try {
    return new UriTemplate(template).expand({ ...values });
  } catch (error) {
    throw new ToolError('bad_arguments', 'the values give no address', 'enter shorter ones', String(error));
  }
}
