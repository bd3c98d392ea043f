// Our client as a program, for the protocol's official suite (docs/conformance/mcp.md), which starts it with the address of a server:
//   npx @modelcontextprotocol/conformance@0.1.16 client --command "node tests/mcp/conformance-client.ts" --suite core
import { executorWith, openServers } from './support.ts';

const url = process.argv.at(-1) ?? '';
const servers = openServers();
await servers.use([{ name: 'suite', enabled: true, url }]);
const [state] = servers.states();
console.log(JSON.stringify(state));
const { executor } = executorWith(servers);
// Each of its tools once; the numbers are for the one that adds.
for (const { tools } of servers.groups())
  for (const { definition } of tools) console.log((await executor.execute(definition.function.name, { a: 2, b: 40 })).finalText);
await servers.close();
process.exitCode = state?.failure ? 1 : 0;
