/** Documents with up to this many blocks, nested ones included, are loaded whole. In a file of its own, so that tests can replace it. */
export const FEW_BLOCKS = 128;
