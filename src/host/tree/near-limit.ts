/** Documents of so many blocks, those inside of others too, are loaded as a whole. In a file of its own, so that tests take another number. */
export const FEW_BLOCKS = 128;
