let follow = (_id: string): void => {};

/** The layout says how a block is opened; editors stand below it and only ask. */
export function onBlockLink(open: (id: string) => void): void {
  follow = open;
}

/** Opens the block that a reference or link in a text points at. */
export function followBlockLink(id: string): void {
  follow(id);
}
