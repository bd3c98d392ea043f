/** Quote and item markers and indentation before the text of a line. */
export const PREFIX = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))*[ \t]*(?:\[[^[\]\n]\][ \t]+)?/;
