/**
 * Ends the process where its Node is older than that, with a line that names both. Also parsed by Node 12.
 * @param {string} oldest such as "22.13"
 */
export function checkNode(oldest) {
  const own = process.versions.node.split('.');
  const needed = oldest.split('.');
  const isOlder = Number(own[0]) < Number(needed[0]) || (own[0] === needed[0] && Number(own[1]) < Number(needed[1] || 0));
  if (!isOlder) return;
  console.error(`Node ${process.versions.node} is too old: install Node ${oldest} or newer and run the command again`);
  process.exit(1);
}
