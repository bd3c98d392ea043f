// The types of the tabs that features draw, one line each. The host asks for them before the panel is loaded.
import { TESTER_TAB } from '../features/tester/tester-tab.ts';

export const TABS: readonly string[] = [
  TESTER_TAB, //
];
