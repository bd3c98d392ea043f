// A file of its own in the built plugin, loaded when an agent is asked: with it come the libraries of both protocols.
export { createGuests as openGuests } from '../desktop/create-guests.ts';
