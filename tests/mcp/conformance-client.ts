// Our client as a program, for the protocol's official suite (tests/mcp/README.md), which starts it with the address of a server:
//   npx @modelcontextprotocol/conformance@0.2.0-alpha.12 client --command "node tests/mcp/conformance-client.ts" --scenario initialize
import { fieldOf, isRecord } from '../../src/tools/util/plain-value.ts';
import { executorWith, openServers, receivedSchemas, signInMemory } from './support.ts';

/** A person gives up, too. */
const MOST_LOGINS = 3;

const url = process.argv.at(-1) ?? '';
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const context: unknown = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const { signInFor } = signInMemory();
const servers = openServers({ signInFor });
const state = () => servers.states()[0];

/** What the suite says that a person has been given by the makers of the server. */
function typedClient() {
  const [id, secret] = ['client_id', 'client_secret'].map((name) => fieldOf(context, name));
  if (typeof id === 'string') return { id, secret: typeof secret === 'string' ? secret : undefined };
  if (scenario === 'auth/basic-cimd') return { id: 'https://conformance-test.local/client-metadata.json', secret: undefined };
  return undefined;
}

/** Signs in as often as the server wants it: the browser is led back at once. */
async function signIn(): Promise<void> {
  for (let count = 0; state()?.signIn?.state === 'wanted' && count < MOST_LOGINS; count += 1) {
    await servers.signIn('suite', typedClient());
    const { address } = state()?.signIn ?? {};
    console.log(JSON.stringify(state()));
    if (address === undefined) return;
    const answer = await fetch(address, { redirect: 'manual' });
    await servers.finishSignIn('suite', answer.headers.get('location') ?? '');
    console.log(JSON.stringify(state()));
  }
}

await servers.use([{ name: 'suite', enabled: true, url }]);
await signIn();
console.log(JSON.stringify(state()));
/** The calls that the suite wants; else each tool once, with numbers for the one that adds. */
const wanted: unknown = fieldOf(context, 'toolCalls');
/** What it gives back where the suite looks at what became of a schema. */
const given = scenario.startsWith('json-schema-2020-12') ? (await receivedSchemas(url)).get('json_schema_2020_12_tool') : undefined;
const tools = servers.groups().flatMap(({ tools: all }) => all.map(({ definition }) => definition.function));
const calls = Array.isArray(wanted)
  ? wanted.map((call) => ({ name: `mcp_suite_${fieldOf(call, 'name')}`, args: fieldOf(call, 'arguments') }))
  : tools.map(({ name }) => ({ name, args: { a: 2, b: 40, region: 'north', ...(given ? { schema: given } : {}) } }));
// A call may want further rights.
for (const { name, args } of calls)
  for (let count = 0; count < MOST_LOGINS; count += 1) {
    const { error, finalText } = await executorWith(servers, { answersForms: true }).executor.execute(name, isRecord(args) ? args : {});
    console.log(finalText);
    if (error?.code !== 'mcp_sign_in') break;
    await signIn();
  }
const failed = state()?.failure !== undefined || state()?.signIn?.state === 'wanted';
await servers.close();
process.exitCode = failed ? 1 : 0;
