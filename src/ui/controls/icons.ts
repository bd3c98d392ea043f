const stroke = 'viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"';

/** The panel's own symbols; the panel holds them itself, so that they come and go with it. The rest is the host's icon set. */
export const iconSymbols = [
  '<symbol id="iconMarginalia" viewBox="0 0 32 32"><path d="M6 4h14a3 3 0 0 1 3 3v5h-3V7H6v18h14v-5h3v5a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3V7a3 3 0 0 1 3-3zm3 6h8v2.500H9zm0 5h6v2.500H9zm20.500-3.500 1 1a1.500 1.500 0 0 1 0 2.100l-7.400 7.400-3.600.9.9-3.600 7.400-7.400a1.200 1.200 0 0 1 1.700-.4z"/></symbol>',
  `<symbol id="iconMarginaliaSend" ${stroke}><path d="M12 19V5M6 11l6-6 6 6"/></symbol>`,
  '<symbol id="iconMarginaliaStop" viewBox="0 0 24 24" fill="currentColor"><rect x="6" y="6" width="12" height="12" rx="2"/></symbol>',
  `<symbol id="iconMarginaliaNew" ${stroke}><path d="M12 4H7a3 3 0 0 0-3 3v10a3 3 0 0 0 3 3h10a3 3 0 0 0 3-3v-5"/><path d="M18.400 3.600a1.700 1.700 0 0 1 2.400 2.400L12.500 14.300 9 15l.7-3.500z"/></symbol>`,
  `<symbol id="iconMarginaliaChats" ${stroke}><path d="M4 6h16M4 12h16M4 18h10"/></symbol>`,
  `<symbol id="iconMarginaliaTools" ${stroke}><path d="M14.500 6.500a4.500 4.500 0 0 1 5.700-1.300l-2.900 2.900.3 1.700 1.700.3 2.300-2.300a4.500 4.500 0 0 1-6.300 5L8.600 19.500a2.100 2.100 0 0 1-3-3l6.700-6.700a4.500 4.500 0 0 1 2.200-3.300z"/></symbol>`,
  `<symbol id="iconMarginaliaInsert" ${stroke}><path d="M9 4h6M12 4v16M9 20h6M4 12h4M16 12h4"/></symbol>`,
  `<symbol id="iconMarginaliaAppend" ${stroke}><path d="M5 4h14M5 9h14M5 14h6M17 13v8M13 17h8"/></symbol>`,
  `<symbol id="iconMarginaliaNotebook" ${stroke}><path d="M6 3h11a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H6zM6 3v18M10 8h5M10 12h5"/></symbol>`,
  `<symbol id="iconMarginaliaBlock" ${stroke}><path d="M5 5v14M9 6h10M9 12h10M9 18h6"/></symbol>`,
  `<symbol id="iconMarginaliaVariable" ${stroke}><path d="M8 4c-3 0-1 7-4 8 3 1 1 8 4 8M16 4c3 0 1 7 4 8-3 1-1 8-4 8"/></symbol>`,
  `<symbol id="iconMarginaliaWait" ${stroke}><circle cx="12" cy="12" r="8"/><path d="M12 8v4l3 2"/></symbol>`,
  `<symbol id="iconMarginaliaWarning" ${stroke}><path d="M12 4 2.800 20h18.400zM12 10v5M12 17.500v.1"/></symbol>`,
  `<symbol id="iconMarginaliaAsk" ${stroke}><path d="M5 4h14a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-6l-4.500 4v-4H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2zM9.800 8.600a2.300 2.300 0 1 1 3.300 2.200c-.8.4-1.100.8-1.100 1.500M12 14.400v.1"/></symbol>`,
  `<symbol id="iconMarginaliaAllowed" ${stroke}><path d="M12 3.500 19 6v5.500c0 4.500-3 7.500-7 9-4-1.500-7-4.500-7-9V6zM9 12l2.200 2.200L15.500 10"/></symbol>`,
  `<symbol id="iconMarginaliaLocal" ${stroke}><rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/></symbol>`,
  `<symbol id="iconMarginaliaTag" ${stroke}><path d="M9.500 4 7.500 20M16.500 4l-2 16M5 9h15M4 15h15"/></symbol>`,
  `<symbol id="iconMarginaliaWeb" ${stroke}><circle cx="12" cy="12" r="8.500"/><path d="M3.500 12h17M12 3.500c-5 5-5 12 0 17M12 3.500c5 5 5 12 0 17"/></symbol>`,
  `<symbol id="iconMarginaliaExport" ${stroke}><path d="M12 15V4M8 8l4-4 4 4M5 13v5a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-5"/></symbol>`,
  `<symbol id="iconMarginaliaBranch" ${stroke}><circle cx="6" cy="5" r="2"/><circle cx="18" cy="7" r="2"/><circle cx="6" cy="19" r="2"/><path d="M6 7v10M18 9c0 5-6 4-11 6.500"/></symbol>`,
  `<symbol id="iconMarginaliaPin" ${stroke}><path d="M9 4h6l-.8 6 3.300 3.500h-11L9.800 10zM12 13.500V20"/></symbol>`,
  `<symbol id="iconMarginaliaUnseen" ${stroke}><path d="M4 12c4-6 12-6 16 0-1.200 1.800-2.700 3-4.300 3.800M13 16.400C9.500 16.800 6.200 15.300 4 12M5 19 19 5"/></symbol>`,
  `<symbol id="iconMarginaliaSeen" ${stroke}><path d="M4 12c4-6 12-6 16 0-4 6-12 6-16 0z"/><circle cx="12" cy="12" r="2.200"/></symbol>`,
  `<symbol id="iconMarginaliaForget" ${stroke}><path d="M4 14h16M8 19h8M12 10V4M9 7l3-3 3 3"/></symbol>`,
  `<symbol id="iconMarginaliaArchive" ${stroke}><path d="M4 5h16v4H4zM5.500 9v10h13V9M10 13h4"/></symbol>`,
  `<symbol id="iconMarginaliaImport" ${stroke}><path d="M12 4v11M8 11l4 4 4-4M5 13v5a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-5"/></symbol>`,
  `<symbol id="iconMarginaliaBan" ${stroke}><circle cx="12" cy="12" r="8"/><path d="m6.500 6.500 11 11"/></symbol>`,
  `<symbol id="iconMarginaliaMicrophone" ${stroke}><rect x="9" y="3.500" width="6" height="10.500" rx="3"/><path d="M5.500 11.500a6.500 6.500 0 0 0 13 0M12 18v3"/></symbol>`,
  `<symbol id="iconMarginaliaSpeak" ${stroke}><path d="M4 9.500v5h3.500L12 18.500v-13L7.500 9.500zM15.500 9a4.200 4.200 0 0 1 0 6M18 6.500a7.800 7.800 0 0 1 0 11"/></symbol>`,
  '<symbol id="iconMarginaliaPause" viewBox="0 0 24 24" fill="currentColor"><rect x="6.500" y="5" width="4" height="14" rx="1"/><rect x="13.500" y="5" width="4" height="14" rx="1"/></symbol>',
  '<symbol id="iconMarginaliaPlay" viewBox="0 0 24 24" fill="currentColor"><path d="M8 5.300v13.400a.8.8 0 0 0 1.200.7l10.700-6.700a.8.8 0 0 0 0-1.400L9.200 4.600a.8.8 0 0 0-1.200.7z"/></symbol>',
  `<symbol id="iconMarginaliaAttach" ${stroke}><path d="M19 11.500 12 18.500a4.300 4.300 0 0 1-6-6l7.500-7.500a2.900 2.900 0 0 1 4 4L10.200 16.300a1.400 1.400 0 0 1-2-2L14.500 8"/></symbol>`,
  `<symbol id="iconMarginaliaMention" ${stroke}><circle cx="12" cy="12" r="3.500"/><path d="M15.500 8.500V13a2.300 2.300 0 0 0 4.500 0v-1a8 8 0 1 0-3.200 6.400"/></symbol>`,
  `<symbol id="iconMarginaliaPicture" ${stroke}><rect x="4" y="5" width="16" height="14" rx="2"/><circle cx="9" cy="10" r="1.500"/><path d="m5 18 5-4 3 2 3-4 4 4"/></symbol>`,
  `<symbol id="iconMarginaliaSound" ${stroke}><path d="M4 10v4M8 7v10M12 4v16M16 8v8M20 10v4"/></symbol>`,
  `<symbol id="iconMarginaliaForwarded" ${stroke}><path d="M4 17V9h13M13 5l4 4-4 4M20 5v14"/></symbol>`,
  `<symbol id="iconMarginaliaThinks" ${stroke}><path d="M9 18h6M10 21h4M12 3a6 6 0 0 0-3.500 10.900c.6.500.9 1.100.9 1.800h5.200c0-.7.3-1.300.9-1.800A6 6 0 0 0 12 3z"/></symbol>`,
  `<symbol id="iconMarginaliaUsage" ${stroke}><path d="M4 20h16M7 16v-5M12 16V5M17 16V9"/></symbol>`,
  `<symbol id="iconMarginaliaActivity" ${stroke}><path d="M4.500 8.500A8.500 8.500 0 1 1 3.500 12M4 4v4.500h4.500M12 7.500V12l3 2"/></symbol>`,
  `<symbol id="iconMarginaliaSliders" ${stroke}><path d="M4 8h8M16 8h4M4 16h4M12 16h8"/><circle cx="14" cy="8" r="2"/><circle cx="10" cy="16" r="2"/></symbol>`,
].join('');

/** Names of the host's symbols that the panel uses (the development host's shell has to draw them). */
export const hostIcons = [
  'iconAdd',
  'iconClose',
  'iconCopy',
  'iconDown',
  'iconEdit',
  'iconFile',
  'iconLeft',
  'iconMore',
  'iconRefresh',
  'iconRight',
  'iconSearch',
  'iconSelect',
  'iconSettings',
  'iconTrashcan',
  'iconUndo',
  'iconUp',
] as const;

type OwnIcon =
  `iconMarginalia${'' | 'Send' | 'Stop' | 'New' | 'Chats' | 'Tools' | 'Insert' | 'Append' | 'Notebook' | 'Block' | 'Variable' | 'Wait' | 'Warning' | 'Ask' | 'Allowed' | 'Local' | 'Tag' | 'Export' | 'Ban' | 'Branch' | 'Pin' | 'Unseen' | 'Seen' | 'Forget' | 'Archive' | 'Import' | 'Microphone' | 'Speak' | 'Pause' | 'Play' | 'Attach' | 'Mention' | 'Picture' | 'Sound' | 'Thinks' | 'Forwarded' | 'Usage' | 'Activity' | 'Sliders' | 'Web'}`;
export type IconName = (typeof hostIcons)[number] | OwnIcon;
